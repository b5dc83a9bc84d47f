//! Turns the acts and residuals of a track into code: one list of small instructions.
//!
//! Each slot gets a number below 256. Values that are needed only for a moment share slots. If there are not enough slots, no code is
//! made.

use super::code::{Code, Instruction, Operand, SLOTS, Setting, Stop};
use super::emit_frame_updates::are_all_players;
use super::emit_residuals::operand;
use super::footprint::Origin;
use super::moves::{Site, Watch, Way};
use super::track::{Act, Due, Residual};
use crate::engine::ids::{Id, Reg, VerbId};
use crate::engine::plan::Plan;
use crate::engine::program::Program;
use crate::engine::state::FaceChange;
use crate::engine::value::{Place, Value};

/// There are not enough slots or table entries.
pub struct TooLong;

/// The thing for which the code is made.
#[derive(Clone, Copy)]
pub struct Context<'p> {
    /// The game.
    pub program: &'p Program,
    /// Facts about the game that are computed before it begins.
    pub plan: &'p Plan,
    /// The immediate rules that the line carries out itself.
    pub rules: &'p [Due],
    /// Whether the code is used only in games without abilities.
    pub textless: bool,
}

/// The state while code is made.
pub(super) struct Emitter<'p> {
    pub(super) context: Context<'p>,
    pub(super) code: Code,
    /// The number of slots in use.
    pub(super) taken: usize,
    gathering: bool,
    pub(super) origins: Vec<Origin>,
    /// Whether something around the present acts asks if everything was done.
    asked: bool,
    /// Whether the last instruction of the flow was done. The next milestone notes it.
    is_done: bool,
    /// The slots of computed fields that have been read since the last change, on every path to this point.
    pub(super) seen: Vec<(Residual, Operand)>,
    /// How many conditions surround the present instruction: above 0 not every path leads here.
    pub(super) perhaps: u32,
    /// Whether the acts belong to a member of a lockstep that may affect others. Then the places that they read are noted.
    pub(super) noting: bool,
    /// The places already noted on every path to this point.
    pub(super) noted: u32,
    /// Whether the acts belong to members of a lockstep that are independent only without immediate rules.
    pub(super) ruleless: bool,
    /// Whether the acts belong to members of a lockstep or to rules.
    pub(super) within: bool,
    /// Whether verdicts wait for the end of `judge together`.
    withheld: bool,
    /// Whether a verdict may have been raised in this `judge together`.
    raises: bool,
    /// The last place where the line can be entered, or to which a jump leads.
    pub(super) landed: usize,
}

/// The number of slots for [`Emitter::seen`]. They are the highest slots.
pub(super) const SEEN: usize = 8;

/// The code of a track. `slots`: the number of slots in use. `outermost`: no call is around the track. `asked`: something asks whether all
/// of it was done. `origins`: the places where the cards in some slots lie.
///
/// # Errors
/// [`TooLong`] if there are not enough slots.
pub fn emit(context: Context<'_>, acts: &[Act], slots: u16, (outermost, asked): (bool, bool), origins: &[Origin]) -> Result<Code, TooLong> {
    if usize::from(slots) > SLOTS - SEEN {
        return Err(TooLong);
    }
    let mut emitter = Emitter {
        context,
        code: Code::default(),
        taken: usize::from(slots),
        gathering: false,
        origins: origins.to_vec(),
        asked,
        is_done: false,
        seen: Vec::new(),
        perhaps: 0,
        noting: false,
        noted: 0,
        ruleless: false,
        within: false,
        withheld: false,
        raises: false,
        landed: 0,
    };
    emitter.acts(acts, outermost)?;
    emitter.push(Instruction::End);
    emitter.rules()?;
    emitter.shorten();
    Ok(emitter.code)
}

impl Emitter<'_> {
    pub(super) fn push(&mut self, instruction: Instruction) -> usize {
        if let (true, Some(places)) = (self.noting, instruction.looks())
            && places & !self.noted != 0
        {
            self.code.instructions.push(Instruction::Look(places));
            self.noted |= if self.perhaps == 0 { places } else { 0 };
        }
        self.code.instructions.push(instruction);
        self.code.instructions.len() - 1
    }

    /// A jump to a jump goes directly to the target of the second jump.
    fn shorten(&mut self) {
        let goals: Vec<Option<u32>> = self
            .code
            .instructions
            .iter()
            .map(|instruction| if let Instruction::Jump(to) = instruction { Some(*to) } else { None })
            .collect();
        for to in self.code.instructions.iter_mut().flat_map(goals_of).flatten() {
            // At most as many times as there are instructions, because jumps may form a loop.
            for _ in 0..goals.len() {
                let Some(Some(goal)) = goals.get(*to as usize) else { break };
                *to = *goal;
            }
        }
    }

    /// The index of a list of places in the table `places`; the list is added if it is new.
    pub(super) fn places(&mut self, places: &[Place]) -> Result<u16, TooLong> {
        let number = self.code.places.iter().position(|row| **row == *places).unwrap_or(self.code.places.len());
        if number == self.code.places.len() {
            self.code.places.push(places.into());
        }
        u16::try_from(number).map_err(|_| TooLong)
    }

    /// If the only act of a loop sets one state of each card: makes one instruction for the whole loop. `false`: the loop does something
    /// else.
    fn setting(&mut self, places: &[Place], slot: u16, body: &[Act], kept: Option<[Reg; 2]>) -> Result<bool, TooLong> {
        let [Act::Set(Residual::Slot(of), state, Residual::Const(value), none)] = body else { return Ok(false) };
        let plan = self.context.plan;
        let on_cards = plan.states.get(state.index()).is_some_and(|state| !state.on_players);
        if *of != slot || !on_cards || plan.ruled == u64::MAX || !none && *value == Value::Undefined || self.noting {
            return Ok(false);
        }
        let number = u16::try_from(self.code.settings.len()).map_err(|_| TooLong)?;
        self.code.settings.push(Setting { places: places.into(), state: *state, value: *value, kept });
        self.push(Instruction::SetAll(number));
        Ok(true)
    }

    fn way(&mut self, from: Place, to: Place) -> Way {
        let way = self.way_with(from, to, FaceChange::AsZone);
        let Watch::Emptied(truth) = way.watch else { return way };
        let raises = self.context.rules.iter().any(|rule| rule.truth == truth && rule.raises);
        if self.noting || self.ruleless || raises && !self.withheld {
            return way;
        }
        self.raises |= raises;
        Way { site: Site::Ruled, ..way }
    }

    /// The way of a card, without rules that the line carries out itself.
    fn way_with(&self, from: Place, to: Place, face: FaceChange) -> Way {
        let way = self.context.plan.way(self.context.program, from, to, face);
        let site = if self.noting { Site::Noted } else { Site::Apart };
        Way { textless: way.textless || self.context.textless, site, ..way }
    }

    /// The instructions of the rules, after everything else.
    fn rules(&mut self) -> Result<(), TooLong> {
        self.asked = false;
        (self.within, self.withheld) = (true, true);
        for rule in self.context.rules {
            self.seen.clear();
            self.landed = self.code.instructions.len();
            self.code.rules.push((rule.truth, self.here()));
            self.acts(&rule.acts, false)?;
            self.push(Instruction::RuleEnds);
        }
        Ok(())
    }

    pub(super) fn here(&self) -> u32 {
        self.code.instructions.len() as u32
    }

    /// Lets jumps lead to the next instruction.
    pub(super) fn land(&mut self, jumps: &[usize]) {
        let here = self.here();
        self.landed = here as usize;
        for jump in jumps {
            if let Some([Some(to), None]) = self.code.instructions.get_mut(*jump).map(goals_of) {
                *to = here;
            }
        }
    }

    /// A slot for a short time.
    pub(super) fn spare(&mut self) -> Result<Operand, TooLong> {
        let slot = u8::try_from(self.taken).ok().filter(|slot| usize::from(*slot) < SLOTS - SEEN).ok_or(TooLong)?;
        self.taken += 1;
        Ok(slot)
    }

    pub(super) fn acts(&mut self, acts: &[Act], outermost: bool) -> Result<(), TooLong> {
        let noted = self.noted;
        for act in acts {
            let taken = self.taken;
            self.act(act, outermost)?;
            self.taken = taken;
        }
        // Perhaps not every path leads through these acts.
        self.noted = noted;
        Ok(())
    }

    fn act(&mut self, act: &Act, outermost: bool) -> Result<(), TooLong> {
        let waits = matches!(act, Act::Phase(_) | Act::Milestone(_) | Act::Judge) || matches!(act, Act::Done(body) if body.is_empty());
        if !waits && std::mem::take(&mut self.is_done) {
            self.update_frame(|update| update.done = true);
        }
        let looks = matches!(act, Act::Let(..) | Act::Check(_) | Act::Either(..) | Act::Call(_) | Act::Done(_) | Act::Phase(_) | Act::Dead);
        if !looks {
            self.seen.clear();
        }
        self.emit_act(act, outermost)?;
        if !looks {
            self.seen.clear();
        }
        Ok(())
    }

    fn emit_act(&mut self, act: &Act, outermost: bool) -> Result<(), TooLong> {
        match act {
            Act::Let(slot, value) => self.into(operand(*slot)?, value)?,
            Act::Check(Residual::TextlessAt(top, place)) => {
                self.push(Instruction::CheckTextlessAt(*top, *place));
            }
            Act::Check(Residual::Textless(card)) => {
                let card = self.value(card)?;
                self.push(Instruction::CheckTextless(card));
            }
            Act::Check(condition) => {
                let slot = self.value(condition)?;
                self.push(Instruction::Check(slot));
            }
            Act::Either(condition, yes, no) => {
                let otherwise = self.unless(condition)?;
                let (seen, withheld, raises) = (self.seen.clone(), self.withheld, self.raises);
                self.acts(yes, false)?;
                let end = (!no.is_empty()).then(|| self.push(Instruction::Jump(0)));
                self.land(&otherwise);
                self.seen = seen;
                self.withheld = withheld;
                let raised = std::mem::replace(&mut self.raises, raises);
                self.acts(no, false)?;
                self.raises |= raised;
                self.land(end.as_slice());
                self.seen.clear();
            }
            Act::MoveTop(from, to) => {
                let way = self.way(*from, *to);
                self.push(Instruction::MoveTop(way));
            }
            Act::Move(Residual::Const(Value::Zone(from)), Residual::Const(Value::Zone(to)), FaceChange::AsZone) if from != to => {
                let way = self.way(*from, *to);
                self.push(Instruction::MoveAll(way));
            }
            Act::Move(what, Residual::Const(Value::Zone(to)), face) => {
                let from = self.origin(what).filter(|from| from != to);
                let what = self.value(what)?;
                if let Some(from) = from {
                    let way = self.way_with(from, *to, *face);
                    self.push(Instruction::MoveOut(what, way));
                    return Ok(());
                }
                let face_up = self.context.plan.way(self.context.program, *to, *to, *face).face_up;
                self.push(Instruction::MoveTo(what, *to, face_up));
            }
            Act::Move(what, to, face) => {
                let (what, to) = (self.value(what)?, self.value(to)?);
                self.push(Instruction::Move(what, to, *face));
            }
            Act::MoveHome(slot, owner, from, to, face) => {
                let way = self.way_with(*from, *to, *face);
                self.push(Instruction::MoveHome(operand(*slot)?, *owner, way));
            }
            Act::Shuffle(place) => {
                self.push(Instruction::Shuffle(*place, self.within));
            }
            Act::Turn(what, up) => {
                let what = self.value(what)?;
                self.push(Instruction::Turn(what, *up));
            }
            Act::Set(subject, state, Residual::Const(value), none) if *none || *value != Value::Undefined => {
                let subject = self.value(subject)?;
                self.push(Instruction::SetTo(subject, *state, *value));
            }
            Act::Set(subject, state, value, none) => {
                let (subject, value) = (self.value(subject)?, self.value(value)?);
                self.push(Instruction::Set(subject, *state, value, *none));
            }
            Act::Repeat(times, body) => {
                if let [Act::MoveTop(from, to)] = body.as_slice() {
                    let (times, way) = (self.value(times)?, self.way(*from, *to));
                    self.push(Instruction::MoveTops(times, way));
                    return Ok(());
                }
                let counter = self.spare()?;
                self.into(counter, times)?;
                let head = self.push(Instruction::CountDown(counter, 0));
                self.acts(body, false)?;
                self.push(Instruction::Jump(head as u32));
                self.land(&[head]);
            }
            Act::EachCard(places, slot, body) => self.each_card(places, *slot, body)?,
            Act::EachCardKept(places, slot, body, [list, item]) => {
                if self.setting(places, *slot, body, Some([*list, *item]))? {
                    return Ok(());
                }
                self.push(Instruction::PartBegins);
                self.each_card(places, *slot, body)?;
                self.push(Instruction::Wholly);
                self.push(Instruction::PartEnds { told: false });
                self.push(Instruction::Kept(*list, *item));
            }
            Act::TurnAll(places, up, result) => {
                let places = self.places(places)?;
                self.push(Instruction::TurnAll(places, *up, *result));
            }
            Act::Call(body) => self.part(body, false)?,
            Act::Done(body) if body.is_empty() => self.is_done = true,
            Act::Done(body) => self.part(body, true)?,
            Act::Perform { given, body, event } => self.perform(given, body, event.as_ref())?,
            Act::Together(members) => self.together(members, outermost)?,
            Act::Phase(phase) => self.update_frame(|update| update.phase = Some(*phase)),
            Act::Expire => self.update_frame(|update| (update.expires, update.done) = (true, true)),
            Act::Listed(values) if are_all_players(values) => self.all_players(values.len() as u8),
            Act::Listed(values) => {
                for value in values {
                    self.push(Instruction::Listed(*value));
                }
            }
            Act::NotDone => {
                self.push(Instruction::NotDone);
            }
            Act::Dead => {
                self.push(Instruction::Dead);
            }
            Act::Milestone(number) => {
                let done = std::mem::take(&mut self.is_done);
                // A jump to the beginning of the phase leads to the milestone. So the milestone begins the phase.
                let phase = self.change_update(|update| update.phase.take()).flatten();
                self.push(Instruction::Milestone { number: *number, done, phase, players: 0 });
                self.code.stops.push(Stop { at: self.here(), players: 0 });
            }
            Act::Entry => {
                self.code.stops.push(Stop { at: self.here(), players: 0 });
                self.landed = self.code.instructions.len();
            }
            Act::Station(members) => self.station(members)?,
            Act::Ask(form, _) => {
                self.push(Instruction::Ask(*form));
            }
            Act::TurnBegins => {
                self.push(Instruction::TurnBegins);
            }
            Act::TurnEnds => {
                // The frame of the flow begins anew.
                self.change_update(|update| (update.done, update.players) = (false, 0));
                self.push(Instruction::TurnEnds);
            }
            Act::Verdict(player, wins) => {
                self.push(Instruction::Verdict(*player, *wins));
            }
            Act::Raise(player, wins) => {
                self.raises = true;
                self.push(Instruction::Raise(*player, *wins));
            }
            Act::Judge => self.withheld = true,
            Act::JudgeEnd => {
                self.withheld = false;
                if std::mem::take(&mut self.raises) {
                    self.push(Instruction::Judge);
                }
            }
        }
        Ok(())
    }

    /// The place where the card in a slot lies, if nothing has moved the card.
    fn origin(&self, what: &Residual) -> Option<Place> {
        let Residual::Slot(slot) = what else { return None };
        self.origins.iter().find(|(of, _)| of == slot).map(|(_, place)| *place)
    }

    /// A part about which it is known separately whether everything was done. `told`: something asks for it.
    fn part(&mut self, body: &[Act], told: bool) -> Result<(), TooLong> {
        let asked = std::mem::replace(&mut self.asked, told);
        let marked = asked || told;
        if marked {
            self.push(Instruction::PartBegins);
        }
        self.acts(body, false)?;
        if marked {
            self.push(Instruction::PartEnds { told });
        }
        self.asked = asked;
        Ok(())
    }

    /// Collects the cards of some places. Only one loop at a time can do this.
    fn gather(&mut self, places: &[Place]) -> Result<(), TooLong> {
        if self.gathering {
            return Err(TooLong);
        }
        self.push(Instruction::Cards);
        for place in places {
            self.push(Instruction::Gather(*place));
        }
        Ok(())
    }

    fn each_card(&mut self, places: &[Place], slot: u16, body: &[Act]) -> Result<(), TooLong> {
        if self.setting(places, slot, body, None)? {
            return Ok(());
        }
        self.gather(places)?;
        self.gathering = true;
        let head = self.push(Instruction::NextCard(operand(slot)?, 0));
        self.acts(body, false)?;
        self.push(Instruction::Jump(head as u32));
        self.land(&[head]);
        self.gathering = false;
        Ok(())
    }

    fn perform(&mut self, given: &[Residual], body: &[Act], event: Option<&(VerbId, Vec<Residual>)>) -> Result<(), TooLong> {
        let mut refused = Vec::new();
        for needed in given {
            let slot = self.value(needed)?;
            refused.push(self.push(Instruction::Given(slot, 0)));
        }
        self.acts(body, false)?;
        if let Some((verb, arguments)) = event {
            let operands = arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<Operand>, TooLong>>()?;
            let number = u16::try_from(self.code.arguments.len()).map_err(|_| TooLong)?;
            self.code.arguments.push(operands);
            self.push(Instruction::Event(*verb, number));
        }
        self.land(&refused);
        Ok(())
    }
}

/// The targets of an instruction that may jump.
fn goals_of(instruction: &mut Instruction) -> [Option<&mut u32>; 2] {
    match instruction {
        Instruction::Jump(to)
        | Instruction::JumpUnless(_, to)
        | Instruction::JumpIf(_, to)
        | Instruction::JumpUnlessPair(.., to)
        | Instruction::JumpUnlessPairAt(_, to)
        | Instruction::JumpUnlessCompare(.., to)
        | Instruction::JumpUnlessNumber(.., to)
        | Instruction::JumpUnlessStateAt(.., to)
        | Instruction::JumpIfStateAt(.., to)
        | Instruction::JumpUnlessEmptyAt(_, to)
        | Instruction::JumpIfEmptyAt(_, to)
        | Instruction::JumpUnlessFaceUpAt(.., to)
        | Instruction::JumpIfFaceUpAt(.., to)
        | Instruction::Bind(.., to)
        | Instruction::CountDown(_, to)
        | Instruction::NextCard(_, to)
        | Instruction::Given(_, to) => [Some(to), None],
        Instruction::OwnerAt(_, _, _, another, none) => [Some(another), Some(none)],
        _ => [None, None],
    }
}
