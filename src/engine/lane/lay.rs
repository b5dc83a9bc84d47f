//! Turns the acts and sights of a track into rails: one list of small instructions.
//!
//! Each slot gets a number below 256. Values that are needed only for a moment share slots. If there are not enough slots there are no
//! rails.

use super::act::{Act, Due, Sight};
use super::books::are_all_players;
use super::carry::{Site, Watch, Way};
use super::look::named;
use super::print::Origin;
use super::rail::{Rail, Rails, SPOTS, Setting, Spot, Stop};
use crate::engine::ids::{Id, Reg, VerbId};
use crate::engine::plan::Plan;
use crate::engine::program::Program;
use crate::engine::state::FaceChange;
use crate::engine::value::{Place, Value};

/// There are not enough slots or table entries.
pub struct TooLong;

/// What the rails are made for.
#[derive(Clone, Copy)]
pub struct Ground<'p> {
    /// The game.
    pub program: &'p Program,
    /// What is worked out about the game before it begins.
    pub plan: &'p Plan,
    /// The immediate rules that the line carries out itself.
    pub rules: &'p [Due],
    /// Whether the rails are used only in games without abilities.
    pub textless: bool,
}

/// The state while rails are made.
pub(super) struct Layer<'p> {
    pub(super) ground: Ground<'p>,
    pub(super) row: Rails,
    /// The number of slots in use.
    pub(super) taken: usize,
    gathering: bool,
    pub(super) origins: Vec<Origin>,
    /// Whether something around the present acts asks if everything was done.
    asked: bool,
    /// Whether the last instruction of the flow was done. The next milestone notes it.
    is_done: bool,
    /// The slots of computed fields that have been read since the last change, on every path to this point.
    pub(super) seen: Vec<(Sight, Spot)>,
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

/// The number of slots for [`Layer::seen`]. They are the highest slots.
pub(super) const SEEN: usize = 8;

/// The rails of a track. `slots`: the number of slots in use. `outermost`: no call is around the track. `asked`: something asks whether all
/// of it was done. `origins`: the places where the cards in some slots lie.
///
/// # Errors
/// [`TooLong`] if there are not enough slots.
pub fn lay(ground: Ground<'_>, acts: &[Act], slots: u16, (outermost, asked): (bool, bool), origins: &[Origin]) -> Result<Rails, TooLong> {
    if usize::from(slots) > SPOTS - SEEN {
        return Err(TooLong);
    }
    let mut layer = Layer {
        ground,
        row: Rails::default(),
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
    layer.acts(acts, outermost)?;
    layer.push(Rail::End);
    layer.rules()?;
    layer.shorten();
    Ok(layer.row)
}

impl Layer<'_> {
    pub(super) fn push(&mut self, rail: Rail) -> usize {
        if let (true, Some(places)) = (self.noting, rail.looks())
            && places & !self.noted != 0
        {
            self.row.rails.push(Rail::Look(places));
            self.noted |= if self.perhaps == 0 { places } else { 0 };
        }
        self.row.rails.push(rail);
        self.row.rails.len() - 1
    }

    /// A jump to a jump goes directly to the target of the second jump.
    fn shorten(&mut self) {
        let goals: Vec<Option<u32>> = self.row.rails.iter().map(|rail| if let Rail::Jump(to) = rail { Some(*to) } else { None }).collect();
        for to in self.row.rails.iter_mut().flat_map(goals_of).flatten() {
            // At most as many times as there are instructions, because jumps may form a loop.
            for _ in 0..goals.len() {
                let Some(Some(goal)) = goals.get(*to as usize) else { break };
                *to = *goal;
            }
        }
    }

    /// The index of a list of places in the table `places`; the list is added if it is new.
    pub(super) fn places(&mut self, places: &[Place]) -> Result<u16, TooLong> {
        let number = self.row.places.iter().position(|row| **row == *places).unwrap_or(self.row.places.len());
        if number == self.row.places.len() {
            self.row.places.push(places.into());
        }
        u16::try_from(number).map_err(|_| TooLong)
    }

    /// If the only act of a loop sets one state of each card: makes one instruction for the whole loop. `false`: the loop does something
    /// else.
    fn setting(&mut self, places: &[Place], slot: u16, body: &[Act], kept: Option<[Reg; 2]>) -> Result<bool, TooLong> {
        let [Act::Set(Sight::Slot(of), state, Sight::Const(value), none)] = body else { return Ok(false) };
        let plan = self.ground.plan;
        let on_cards = plan.states.get(state.index()).is_some_and(|state| !state.on_players);
        if *of != slot || !on_cards || plan.ruled == u64::MAX || !none && *value == Value::Undefined || self.noting {
            return Ok(false);
        }
        let number = u16::try_from(self.row.settings.len()).map_err(|_| TooLong)?;
        self.row.settings.push(Setting { places: places.into(), state: *state, value: *value, kept });
        self.push(Rail::SetAll(number));
        Ok(true)
    }

    fn way(&mut self, from: Place, to: Place) -> Way {
        let way = self.way_with(from, to, FaceChange::AsZone);
        let Watch::Emptied(truth) = way.watch else { return way };
        let raises = self.ground.rules.iter().any(|rule| rule.truth == truth && rule.raises);
        if self.noting || self.ruleless || raises && !self.withheld {
            return way;
        }
        self.raises |= raises;
        Way { site: Site::Ruled, ..way }
    }

    /// The way of a card, without rules that the line carries out itself.
    fn way_with(&self, from: Place, to: Place, face: FaceChange) -> Way {
        let way = self.ground.plan.way(self.ground.program, from, to, face);
        let site = if self.noting { Site::Noted } else { Site::Apart };
        Way { textless: way.textless || self.ground.textless, site, ..way }
    }

    /// The instructions of the rules, after everything else.
    fn rules(&mut self) -> Result<(), TooLong> {
        self.asked = false;
        (self.within, self.withheld) = (true, true);
        for rule in self.ground.rules {
            self.seen.clear();
            self.landed = self.row.rails.len();
            self.row.rules.push((rule.truth, self.here()));
            self.acts(&rule.acts, false)?;
            self.push(Rail::RuleEnds);
        }
        Ok(())
    }

    pub(super) fn here(&self) -> u32 {
        self.row.rails.len() as u32
    }

    /// Lets jumps lead to the next instruction.
    pub(super) fn land(&mut self, jumps: &[usize]) {
        let here = self.here();
        self.landed = here as usize;
        for jump in jumps {
            if let Some([Some(to), None]) = self.row.rails.get_mut(*jump).map(goals_of) {
                *to = here;
            }
        }
    }

    /// A slot for a short time.
    pub(super) fn spare(&mut self) -> Result<Spot, TooLong> {
        let spot = u8::try_from(self.taken).ok().filter(|spot| usize::from(*spot) < SPOTS - SEEN).ok_or(TooLong)?;
        self.taken += 1;
        Ok(spot)
    }

    pub(super) fn acts(&mut self, acts: &[Act], outermost: bool) -> Result<(), TooLong> {
        let noted = self.noted;
        for act in acts {
            let taken = self.taken;
            self.act(act, outermost)?;
            self.taken = taken;
        }
        // Not every path may have led through these acts.
        self.noted = noted;
        Ok(())
    }

    fn act(&mut self, act: &Act, outermost: bool) -> Result<(), TooLong> {
        let waits = matches!(act, Act::Phase(_) | Act::Milestone(_) | Act::Judge) || matches!(act, Act::Done(body) if body.is_empty());
        if !waits && std::mem::take(&mut self.is_done) {
            self.book(|books| books.done = true);
        }
        let looks = matches!(act, Act::Let(..) | Act::Check(_) | Act::Either(..) | Act::Call(_) | Act::Done(_) | Act::Phase(_) | Act::Dead);
        if !looks {
            self.seen.clear();
        }
        self.laid(act, outermost)?;
        if !looks {
            self.seen.clear();
        }
        Ok(())
    }

    fn laid(&mut self, act: &Act, outermost: bool) -> Result<(), TooLong> {
        match act {
            Act::Let(slot, value) => self.into(named(*slot)?, value)?,
            Act::Check(Sight::TextlessAt(top, place)) => {
                self.push(Rail::CheckTextlessAt(*top, *place));
            }
            Act::Check(Sight::Textless(card)) => {
                let card = self.value(card)?;
                self.push(Rail::CheckTextless(card));
            }
            Act::Check(condition) => {
                let spot = self.value(condition)?;
                self.push(Rail::Check(spot));
            }
            Act::Either(condition, yes, no) => {
                let otherwise = self.unless(condition)?;
                let (seen, withheld, raises) = (self.seen.clone(), self.withheld, self.raises);
                self.acts(yes, false)?;
                let end = (!no.is_empty()).then(|| self.push(Rail::Jump(0)));
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
                self.push(Rail::MoveTop(way));
            }
            Act::Move(Sight::Const(Value::Zone(from)), Sight::Const(Value::Zone(to)), FaceChange::AsZone) if from != to => {
                let way = self.way(*from, *to);
                self.push(Rail::MoveAll(way));
            }
            Act::Move(what, Sight::Const(Value::Zone(to)), face) => {
                let from = self.origin(what).filter(|from| from != to);
                let what = self.value(what)?;
                if let Some(from) = from {
                    let way = self.way_with(from, *to, *face);
                    self.push(Rail::MoveOut(what, way));
                    return Ok(());
                }
                let face_up = self.ground.plan.way(self.ground.program, *to, *to, *face).face_up;
                self.push(Rail::MoveTo(what, *to, face_up));
            }
            Act::Move(what, to, face) => {
                let (what, to) = (self.value(what)?, self.value(to)?);
                self.push(Rail::Move(what, to, *face));
            }
            Act::MoveHome(slot, owner, from, to, face) => {
                let way = self.way_with(*from, *to, *face);
                self.push(Rail::MoveHome(named(*slot)?, *owner, way));
            }
            Act::Shuffle(place) => {
                self.push(Rail::Shuffle(*place, self.within));
            }
            Act::Turn(what, up) => {
                let what = self.value(what)?;
                self.push(Rail::Turn(what, *up));
            }
            Act::Set(subject, state, Sight::Const(value), none) if *none || *value != Value::Undefined => {
                let subject = self.value(subject)?;
                self.push(Rail::SetTo(subject, *state, *value));
            }
            Act::Set(subject, state, value, none) => {
                let (subject, value) = (self.value(subject)?, self.value(value)?);
                self.push(Rail::Set(subject, *state, value, *none));
            }
            Act::Repeat(times, body) => {
                if let [Act::MoveTop(from, to)] = body.as_slice() {
                    let (times, way) = (self.value(times)?, self.way(*from, *to));
                    self.push(Rail::MoveTops(times, way));
                    return Ok(());
                }
                let counter = self.spare()?;
                self.into(counter, times)?;
                let head = self.push(Rail::CountDown(counter, 0));
                self.acts(body, false)?;
                self.push(Rail::Jump(head as u32));
                self.land(&[head]);
            }
            Act::EachCard(places, slot, body) => self.each_card(places, *slot, body)?,
            Act::EachCardKept(places, slot, body, [list, item]) => {
                if self.setting(places, *slot, body, Some([*list, *item]))? {
                    return Ok(());
                }
                self.push(Rail::PartBegins);
                self.each_card(places, *slot, body)?;
                self.push(Rail::Wholly);
                self.push(Rail::PartEnds { told: false });
                self.push(Rail::Kept(*list, *item));
            }
            Act::TurnAll(places, up, result) => {
                let places = self.places(places)?;
                self.push(Rail::TurnAll(places, *up, *result));
            }
            Act::Call(body) => self.part(body, false)?,
            Act::Done(body) if body.is_empty() => self.is_done = true,
            Act::Done(body) => self.part(body, true)?,
            Act::Perform { given, body, event } => self.perform(given, body, event.as_ref())?,
            Act::Together(members) => self.together(members, outermost)?,
            Act::Phase(phase) => self.book(|books| books.phase = Some(*phase)),
            Act::Expire => self.book(|books| (books.expires, books.done) = (true, true)),
            Act::Listed(values) if are_all_players(values) => self.all_players(values.len() as u8),
            Act::Listed(values) => {
                for value in values {
                    self.push(Rail::Listed(*value));
                }
            }
            Act::NotDone => {
                self.push(Rail::NotDone);
            }
            Act::Dead => {
                self.push(Rail::Dead);
            }
            Act::Milestone(number) => {
                let done = std::mem::take(&mut self.is_done);
                // A jump to the beginning of the phase leads to the milestone. So the milestone begins the phase.
                let phase = self.changed_books(|books| books.phase.take()).flatten();
                self.push(Rail::Milestone { number: *number, done, phase, players: 0 });
                self.row.stops.push(Stop { at: self.here(), players: 0 });
            }
            Act::Entry => {
                self.row.stops.push(Stop { at: self.here(), players: 0 });
                self.landed = self.row.rails.len();
            }
            Act::Station(members) => self.station(members)?,
            Act::Ask(form, _) => {
                self.push(Rail::Ask(*form));
            }
            Act::TurnBegins => {
                self.push(Rail::TurnBegins);
            }
            Act::TurnEnds => {
                // The frame of the flow begins anew.
                self.changed_books(|books| (books.done, books.players) = (false, 0));
                self.push(Rail::TurnEnds);
            }
            Act::Verdict(player, wins) => {
                self.push(Rail::Verdict(*player, *wins));
            }
            Act::Raise(player, wins) => {
                self.raises = true;
                self.push(Rail::Raise(*player, *wins));
            }
            Act::Judge => self.withheld = true,
            Act::JudgeEnd => {
                self.withheld = false;
                if std::mem::take(&mut self.raises) {
                    self.push(Rail::Judge);
                }
            }
        }
        Ok(())
    }

    /// The place where the card in a slot lies, if nothing has moved the card.
    fn origin(&self, what: &Sight) -> Option<Place> {
        let Sight::Slot(slot) = what else { return None };
        self.origins.iter().find(|(of, _)| of == slot).map(|(_, place)| *place)
    }

    /// A part about which it is known separately whether everything was done. `told`: something asks for it.
    fn part(&mut self, body: &[Act], told: bool) -> Result<(), TooLong> {
        let asked = std::mem::replace(&mut self.asked, told);
        let marked = asked || told;
        if marked {
            self.push(Rail::PartBegins);
        }
        self.acts(body, false)?;
        if marked {
            self.push(Rail::PartEnds { told });
        }
        self.asked = asked;
        Ok(())
    }

    /// Collects the cards of some places. Only one loop at a time can do this.
    fn gather(&mut self, places: &[Place]) -> Result<(), TooLong> {
        if self.gathering {
            return Err(TooLong);
        }
        self.push(Rail::Cards);
        for place in places {
            self.push(Rail::Gather(*place));
        }
        Ok(())
    }

    fn each_card(&mut self, places: &[Place], slot: u16, body: &[Act]) -> Result<(), TooLong> {
        if self.setting(places, slot, body, None)? {
            return Ok(());
        }
        self.gather(places)?;
        self.gathering = true;
        let head = self.push(Rail::NextCard(named(slot)?, 0));
        self.acts(body, false)?;
        self.push(Rail::Jump(head as u32));
        self.land(&[head]);
        self.gathering = false;
        Ok(())
    }

    fn perform(&mut self, given: &[Sight], body: &[Act], event: Option<&(VerbId, Vec<Sight>)>) -> Result<(), TooLong> {
        let mut refused = Vec::new();
        for needed in given {
            let spot = self.value(needed)?;
            refused.push(self.push(Rail::Given(spot, 0)));
        }
        self.acts(body, false)?;
        if let Some((verb, arguments)) = event {
            let spots = arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<Spot>, TooLong>>()?;
            let number = u16::try_from(self.row.arguments.len()).map_err(|_| TooLong)?;
            self.row.arguments.push(spots);
            self.push(Rail::Event(*verb, number));
        }
        self.land(&refused);
        Ok(())
    }
}

/// The targets of an instruction that may jump.
fn goals_of(rail: &mut Rail) -> [Option<&mut u32>; 2] {
    match rail {
        Rail::Jump(to)
        | Rail::JumpUnless(_, to)
        | Rail::JumpIf(_, to)
        | Rail::JumpUnlessPair(.., to)
        | Rail::JumpUnlessPairAt(_, to)
        | Rail::JumpUnlessCompare(.., to)
        | Rail::JumpUnlessNumber(.., to)
        | Rail::JumpUnlessStateAt(.., to)
        | Rail::JumpIfStateAt(.., to)
        | Rail::JumpUnlessEmptyAt(_, to)
        | Rail::JumpIfEmptyAt(_, to)
        | Rail::JumpUnlessFaceUpAt(.., to)
        | Rail::JumpIfFaceUpAt(.., to)
        | Rail::Bind(.., to)
        | Rail::CountDown(_, to)
        | Rail::NextCard(_, to)
        | Rail::Given(_, to) => [Some(to), None],
        Rail::OwnerAt(_, _, _, another, none) => [Some(another), Some(none)],
        _ => [None, None],
    }
}
