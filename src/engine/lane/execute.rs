//! Runs code: one loop over the instructions of a track or line.

use super::code::{Code, FrameUpdate, Instruction, Operand, PairAt, SLOTS};
use super::execute_changes::keep;
use super::stops::Mark;
use super::together::Together;
use super::{Unfit, place_bit};
use crate::engine::eval::quick::Names;
use crate::engine::eval::{compare, lives};
use crate::engine::ids::{FieldId, Id, Reg, StateId, VerbId};
use crate::engine::observe::Observer;
use crate::engine::program::Compare;
use crate::engine::run::Run;
use crate::engine::state::board::Object;
use crate::engine::state::{Branch, Cause, Event, MOST_ARGUMENTS};
use crate::engine::value::{ObjectId, Place, Player, Value};

/// The values of a running track or line. The memory is used again. While the line waits for answers, the values are kept here.
#[derive(Debug)]
pub struct TrackValues {
    /// Each slot is written before it is read.
    slots: [Value; SLOTS],
    pub(super) names: Names,
    /// The cards of the running loop, and how many have been taken.
    cards: Vec<Value>,
    turns: usize,
    /// The running locksteps.
    together: Vec<Together>,
    /// The members of a station that have come to their questions: the form of each, and whether there was only one legal answer.
    pub(super) asked: Vec<(u16, bool)>,
    /// Whether the line is the one for games without abilities.
    pub(super) textless: bool,
    /// The last stop of the line, and how many milestones were passed.
    pub(super) mark: Mark,
    pub(super) passed: u32,
}

/// How a list of instructions ends, if it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// At its end. The value: whether everything was carried out in full.
    Whole(bool),
    /// At questions.
    Paused,
    /// At a verdict that is judged now.
    Judged,
}

impl Default for TrackValues {
    fn default() -> Self {
        TrackValues {
            slots: [Value::Undefined; SLOTS],
            names: Names::new(Player(0), Value::Undefined),
            cards: Vec::new(),
            turns: 0,
            together: Vec::new(),
            asked: Vec::new(),
            textless: false,
            mark: Mark::default(),
            passed: 0,
        }
    }
}

impl TrackValues {
    /// Begins a new track or line.
    #[inline]
    pub(super) fn begin(&mut self, names: Names) {
        self.names = names;
        self.cards.clear();
        self.together.clear();
        self.asked.clear();
        self.turns = 0;
        self.passed = 0;
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a slot is a byte, and there are as many slots as bytes")]
    pub(super) fn get(&self, slot: Operand) -> Value {
        self.slots[usize::from(slot)]
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a slot is a byte, and there are as many slots as bytes")]
    pub(super) fn set(&mut self, slot: Operand, value: Value) {
        self.slots[usize::from(slot)] = value;
    }

    /// The next card of the loop; `None` at the end.
    #[inline(never)]
    fn next_card(&mut self) -> Option<Value> {
        let card = self.cards.get(self.turns).copied();
        self.turns += 1;
        card
    }

    /// After a loop: puts the list, the number of cards and the last card into the registers of the flow's frame.
    #[inline(never)]
    fn keep(&mut self, branch: &mut Branch, list: Reg, item: Reg) {
        let (start, len) = (branch.lists.len() as u32, self.cards.len());
        if let Some(last) = self.cards.last() {
            keep(branch, item, *last);
            self.names.done = true;
        }
        branch.lists.append(&mut self.cards);
        self.turns = 0;
        keep(branch, list, Value::List { start, len: len as u16 });
        keep(branch, Reg(list.0 + 1), Value::Number(len as i32));
    }
}

/// Adds this many players to the list arena.
#[inline]
pub(super) fn list_players(branch: &mut Branch, players: u8) {
    for player in 0..players {
        branch.lists.push(Value::Player(Player(player)));
    }
}

/// Compares two values. Two numbers are compared quickly.
#[inline]
fn compared(how: Compare, a: Value, b: Value) -> bool {
    match (how, a, b) {
        (Compare::Greater, Value::Number(a), Value::Number(b)) => a > b,
        (Compare::Less, Value::Number(a), Value::Number(b)) => a < b,
        _ => compare(how, a, b),
    }
}

/// A mask for the lowest bit of `whole`.
#[inline]
fn done(done: bool) -> u64 {
    if done { u64::MAX } else { !1 }
}

/// The greatest number of nested parts about which it is known separately whether everything was done.
const MOST_PARTS: u32 = 60;

impl<O: Observer> Run<'_, O> {
    /// Runs instructions, beginning at index `at`. What a line leaves in the flow's frame goes into the branch.
    #[inline(never)] // so that the variables of the loop stay in registers
    pub(super) fn execute(&mut self, code: &Code, values: &mut TrackValues, branch: &mut Branch, mut at: usize) -> Result<Ended, Unfit> {
        let instructions = code.instructions.as_slice();
        // One bit for each part around this one: whether everything in the part was done so far. The lowest bit is for this part.
        let (mut whole, mut parts) = (1_u64, 0_u32);
        // While a rule runs: where to continue after it, and `whole` at that point.
        let (mut back, mut rest) = ((0, 0, None), None);
        loop {
            let instruction = instructions.get(at).ok_or(Unfit)?;
            at += 1;
            match *instruction {
                Instruction::Const(to, value) => values.set(to, value),
                Instruction::Copy(to, a) => values.set(to, values.get(a)),
                Instruction::You(to) => values.set(to, Value::Player(values.names.you)),
                Instruction::This(to) => values.set(to, values.names.this),
                Instruction::Not(to, a) => values.set(to, Value::Bool(!values.get(a).is_true())),
                Instruction::Compare(how, to, a, b) => values.set(to, Value::Bool(compared(how, values.get(a), values.get(b)))),
                Instruction::Pair(table, to, a, b) => values.set(to, self.quick_pair(table, values.get(a), values.get(b))),
                Instruction::CardAt(to, top, place) => values.set(to, self.card_at(top, place)),
                Instruction::Card(to, top, zone) => {
                    let zone = values.get(zone);
                    values.set(to, self.card_in(top, zone));
                }
                Instruction::EmptyAt(to, place) => values.set(to, Value::Bool(self.lying(place) == 0)),
                Instruction::Empty(to, zone) => {
                    values.set(to, Value::Bool(self.is_empty_zone(values.get(zone))));
                }
                Instruction::CountAt(to, place) => values.set(to, Value::Number(i32::from(self.lying(place)))),
                Instruction::CountAll(to, places) => {
                    let places = code.places.get(usize::from(places)).ok_or(Unfit)?;
                    values.set(to, Value::Number(places.iter().map(|place| i32::from(self.lying(*place))).sum()));
                }
                Instruction::ZoneOf(to, first, row, player) => {
                    let player = values.get(player).player();
                    values.set(to, player.map_or(Value::Undefined, |player| Value::Zone(Place(first + row * u16::from(player.0)))));
                }
                Instruction::OwnersZone(to, first, row, card) => {
                    let card = self.seen(values.get(card));
                    let zone = |(_, object): (ObjectId, &Object)| Value::Zone(Place(first + row * u16::from(object.owner.0)));
                    values.set(to, card.map_or(Value::Undefined, zone));
                }
                Instruction::Next(to, player) => values.set(to, self.quick_next(values.get(player))),
                Instruction::FieldAt(to, top, place, field) => values.set(to, self.field_at(top, place, field)),
                Instruction::Field(to, card, field) => {
                    let value = self.seen(values.get(card)).map_or(Value::Undefined, |(_, object)| self.printed_field(object, field));
                    values.set(to, value);
                }
                Instruction::Printed(to, card, field) => {
                    let printed = |(_, object): (ObjectId, &Object)| self.program.printed_value(object.card, field);
                    values.set(to, self.seen(values.get(card)).map_or(Value::Undefined, printed));
                }
                Instruction::Bind(to, card, none) => match self.seen(values.get(card)) {
                    Some((id, _)) => values.set(to, self.state.board.reference(id)),
                    None => at = none as usize,
                },
                Instruction::OwnerAt(top, place, owner, another, none) => match self.object_at(top, place) {
                    Some(object) if object.owner == owner => {}
                    Some(_) => at = another as usize,
                    None => at = none as usize,
                },
                Instruction::State(to, subject, state) => values.set(to, self.quick_state(values.get(subject), state).unwrap_or_default()),
                Instruction::StateAt(to, top, place, state) => values.set(to, self.state_at(top, place, state)),
                Instruction::FaceUp(to, card) => {
                    let card = self.seen(values.get(card));
                    values.set(to, card.map_or(Value::Undefined, |(_, object)| Value::Bool(object.face_up)));
                }
                Instruction::FaceUpAt(to, top, place) => {
                    values.set(to, self.object_at(top, place).map_or(Value::Undefined, |object| Value::Bool(object.face_up)));
                }
                Instruction::JumpUnlessFaceUpAt(top, place, to) => {
                    if !self.object_at(top, place).is_some_and(|object| object.face_up) {
                        at = to as usize;
                    }
                }
                Instruction::JumpIfFaceUpAt(top, place, to) => {
                    if self.object_at(top, place).is_some_and(|object| object.face_up) {
                        at = to as usize;
                    }
                }
                Instruction::Owner(to, card) => {
                    let card = self.seen(values.get(card));
                    values.set(to, card.map_or(Value::Undefined, |(_, object)| Value::Player(object.owner)));
                }
                Instruction::Exists(to, of) => values.set(to, Value::Bool(self.exists_on_track(values.get(of)))),
                Instruction::Textless(to, card) => values.set(to, Value::Bool(self.is_textless(values.get(card)))),
                Instruction::TextlessAt(to, top, place) => values.set(to, Value::Bool(self.is_textless_at(top, place))),
                Instruction::Jump(to) => at = to as usize,
                Instruction::JumpUnless(condition, to) if !values.get(condition).is_true() => at = to as usize,
                Instruction::JumpIf(condition, to) if values.get(condition).is_true() => at = to as usize,
                Instruction::JumpUnlessStateAt(top, place, state, to) if !self.state_at(top, place, state).is_true() => at = to as usize,
                Instruction::JumpIfStateAt(top, place, state, to) if self.state_at(top, place, state).is_true() => at = to as usize,
                Instruction::JumpUnlessEmptyAt(place, to) if self.lying(place) != 0 => at = to as usize,
                Instruction::JumpIfEmptyAt(place, to) if self.lying(place) == 0 => at = to as usize,
                Instruction::JumpUnlessPair(table, a, b, to) => {
                    if !self.quick_pair(table, values.get(a), values.get(b)).is_true() {
                        at = to as usize;
                    }
                }
                Instruction::JumpUnlessPairAt(pair, to) => {
                    let PairAt { table, sides: [a, b] } = code.pairs.get(usize::from(pair)).ok_or(Unfit)?;
                    let side = |(top, place, field): &(bool, Place, FieldId)| self.field_at(*top, *place, *field);
                    if !self.quick_pair(*table, side(a), side(b)).is_true() {
                        at = to as usize;
                    }
                }
                Instruction::JumpUnlessCompare(how, a, b, to) => {
                    if !compared(how, values.get(a), values.get(b)) {
                        at = to as usize;
                    }
                }
                Instruction::JumpUnlessNumber(how, a, number, to) => {
                    if !compared(how, values.get(a), Value::Number(number)) {
                        at = to as usize;
                    }
                }
                Instruction::Look(places) => self.scratch.lane.read(u64::from(places)),
                Instruction::JumpUnless(..)
                | Instruction::JumpIf(..)
                | Instruction::JumpUnlessStateAt(..)
                | Instruction::JumpIfStateAt(..) => {}
                Instruction::JumpUnlessEmptyAt(..) | Instruction::JumpIfEmptyAt(..) => {}
                Instruction::CheckTextlessAt(top, place) if self.is_textless_at(top, place) => {}
                Instruction::CheckTextless(card) if self.is_textless(values.get(card)) => {}
                Instruction::Check(condition) if values.get(condition).is_true() => {}
                Instruction::MoveTop(way) => {
                    let moved = self.carry_top(way)?;
                    whole &= done(moved);
                    if moved && let Some(rule) = self.carried_on_line(code, way)? {
                        back = (at, whole, None);
                        at = rule;
                    }
                }
                Instruction::MoveTops(times, way) => {
                    let mut left = rest.take().unwrap_or_else(|| values.get(times).number().unwrap_or(0));
                    while left > 0 {
                        left -= 1;
                        if !self.carry_top(way)? {
                            // If no card is left now, no card is left the next time.
                            whole &= done(false);
                            break;
                        }
                        if let Some(rule) = self.carried_on_line(code, way)? {
                            back = (at - 1, whole, Some(left));
                            at = rule;
                            break;
                        }
                    }
                }
                Instruction::RuleEnds => {
                    self.scratch.lane.end_rule();
                    (at, whole, rest) = back;
                }
                Instruction::Shuffle(place, within) => self.shuffle_on_line(place, within)?,
                Instruction::MoveHome(what, owner, way) => whole &= done(self.move_home(values.get(what), owner, way)?),
                Instruction::MoveOut(what, way) => whole &= done(self.move_out(values.get(what), way)?),
                Instruction::MoveAll(way) => whole &= done(self.lying(way.from) != 0 && self.move_all(way)?),
                Instruction::MoveTo(what, to, face) => whole &= done(self.move_to_on_track(values.get(what), to, face)?),
                Instruction::Move(what, to, face) => whole &= done(self.move_on_track(values.get(what), values.get(to), face)?),
                Instruction::Turn(what, up) => whole &= done(self.turn_on_track(values.get(what), up)?),
                Instruction::SetTo(subject, state, value) => whole &= done(self.set_on_track(values.get(subject), state, value, true)?),
                Instruction::Set(subject, state, value, none) => {
                    whole &= done(self.set_on_track(values.get(subject), state, values.get(value), none)?);
                }
                Instruction::CountDown(counter, end) => match values.get(counter) {
                    Value::Number(number) if number >= 1 => values.set(counter, Value::Number(number - 1)),
                    _ => at = end as usize,
                },
                Instruction::Cards => {
                    values.cards.clear();
                    values.turns = 0;
                }
                Instruction::Gather(place) => self.gather(place, values),
                Instruction::NextCard(to, end) => match values.next_card() {
                    Some(card) => values.set(to, card),
                    None => at = end as usize,
                },
                Instruction::SetAll(setting) => self.set_all(code.settings.get(usize::from(setting)).ok_or(Unfit)?, values, branch)?,
                Instruction::Kept(list, item) => values.keep(branch, list, item),
                Instruction::TurnAll(places, up, result) => {
                    self.turn_all(code.places.get(usize::from(places)).ok_or(Unfit)?, up, result, values, branch)?;
                }
                Instruction::Given(given, refused) => {
                    if crate::engine::actions::perform::nothing_in(values.get(given)).is_some() {
                        whole &= done(false);
                        at = refused as usize;
                    }
                }
                Instruction::PartBegins if parts < MOST_PARTS => {
                    parts += 1;
                    whole = whole << 1 | 1;
                }
                Instruction::Wholly if whole & 1 == 1 => {}
                Instruction::PartEnds { told } => {
                    if told {
                        values.names.done = whole & 1 == 1;
                        self.scratch.lane.order_events();
                    }
                    parts = parts.saturating_sub(1);
                    whole >>= 1;
                }
                Instruction::Together { outermost } => values.together.push(Together::begin(&self.scratch.lane, outermost)?),
                Instruction::Member => self.scratch.lane.begin_member(),
                Instruction::Round { first } => self.scratch.lane.begin_round(first),
                Instruction::MemberEnds => values.together.last_mut().ok_or(Unfit)?.member_ended(&self.scratch.lane)?,
                Instruction::TogetherEnds => {
                    let together = values.together.pop().ok_or(Unfit)?;
                    together.end(&mut self.scratch.lane)?;
                    if together.is_outermost() {
                        self.scratch.lane.order_events();
                    }
                }
                Instruction::UpdateFrame(FrameUpdate { done, expires, players, phase }) => {
                    values.names.done |= done;
                    if phase.is_some() {
                        self.state.board.phase = phase;
                    }
                    if expires {
                        // No effect is in force.
                        self.state.effects.now = self.state.effects.next;
                    }
                    list_players(branch, players);
                }
                Instruction::Listed(value) => branch.lists.push(value),
                Instruction::Event(verb, arguments) => self.event_on_track(verb, code.arguments.get(usize::from(arguments)), values),
                Instruction::NotDone => whole &= done(false),
                Instruction::End => return Ok(Ended::Whole(whole & 1 == 1)),
                Instruction::Milestone { number, done, phase, players } => {
                    values.names.done |= done;
                    if phase.is_some() {
                        self.state.board.phase = phase;
                    }
                    self.pass(values, branch, number)?;
                    list_players(branch, players);
                }
                Instruction::Ask(form) => self.ask_on_line(values, form)?,
                Instruction::Pause => {
                    self.is_sound()?;
                    if values.asked.iter().any(|(_, forced)| !forced) {
                        self.pause(values, branch, at);
                        return Ok(Ended::Paused);
                    }
                }
                Instruction::Resume(member) => {
                    let (form, _) = *values.asked.get(usize::from(member)).ok_or(Unfit)?;
                    at = *code.answered.get(usize::from(form)).ok_or(Unfit)? as usize;
                }
                Instruction::Answered => {
                    self.is_sound()?;
                    self.answered(branch);
                    values.asked.clear();
                }
                Instruction::TurnBegins => self.turn_begins()?,
                Instruction::Verdict(player, wins) => {
                    self.is_sound()?;
                    self.verdict_on_line(player, wins);
                    return Ok(Ended::Judged);
                }
                Instruction::Raise(player, wins) => self.raise_on_line(player, wins),
                Instruction::Judge => {
                    if self.judges_on_line()? {
                        return Ok(Ended::Judged);
                    }
                }
                Instruction::TurnEnds => {
                    self.is_sound()?;
                    self.turn_ends(values, branch)?;
                    at = 0;
                }
                Instruction::CheckTextlessAt(..)
                | Instruction::CheckTextless(_)
                | Instruction::Check(_)
                | Instruction::PartBegins
                | Instruction::Wholly
                | Instruction::Dead => {
                    return Err(Unfit);
                }
            }
        }
    }

    #[inline(never)]
    fn event_on_track(&mut self, verb: VerbId, arguments: Option<&Vec<u8>>, values: &TrackValues) {
        let mut args = [Value::Undefined; MOST_ARGUMENTS];
        for (slot, operand) in args.iter_mut().zip(arguments.into_iter().flatten()) {
            *slot = values.get(*operand);
        }
        self.scratch.lane.keep(Event { verb, args, cause: Cause::Rule });
    }

    #[inline(never)]
    fn gather(&self, place: Place, values: &mut TrackValues) {
        values.cards.extend(self.state.board.cards(place).iter().map(|id| self.state.board.reference(*id)));
    }

    #[inline(never)]
    fn exists_on_track(&self, value: Value) -> bool {
        match value {
            Value::Undefined => false,
            Value::Object { .. } => self.seen(value).is_some_and(|(_, object)| lives(value, object.life)),
            _ => true,
        }
    }

    #[inline]
    fn field_at(&self, top: bool, place: Place, field: FieldId) -> Value {
        self.object_at(top, place).map_or(Value::Undefined, |object| self.printed_field(object, field))
    }

    #[inline]
    fn state_at(&self, top: bool, place: Place, state: StateId) -> Value {
        let states = self.plan.states.len();
        let at = self.end_of(top, place).map(|id| usize::from(id.0) * states + state.index());
        at.and_then(|at| self.state.board.card_states.get(at)).copied().unwrap_or_default()
    }

    #[inline(never)]
    fn is_textless(&self, card: Value) -> bool {
        self.seen(card).is_none_or(|(_, object)| self.plan.card(object.card).textless)
    }

    #[inline]
    fn is_textless_at(&self, top: bool, place: Place) -> bool {
        self.object_at(top, place).is_none_or(|object| self.plan.card(object.card).textless)
    }

    /// The number of cards in a place. Another instruction (`Look`) notes that the place is read, if that must be noted.
    #[inline]
    fn lying(&self, place: Place) -> u16 {
        self.state.board.count(place)
    }

    /// The top or bottom card of a place. `Look` notes that the place is read, if that must be noted.
    #[inline]
    fn end_of(&self, top: bool, place: Place) -> Option<ObjectId> {
        self.state.board.end(top, place)
    }

    /// The top or bottom card of a computed zone.
    #[inline(never)]
    fn card_in(&self, top: bool, zone: Value) -> Value {
        let Value::Zone(place) = zone else { return Value::Undefined };
        self.scratch.lane.read(place_bit(place));
        self.card_at(top, place)
    }

    /// Whether a computed zone is empty; true if the value is no zone.
    #[inline(never)]
    fn is_empty_zone(&self, zone: Value) -> bool {
        let Value::Zone(place) = zone else { return true };
        self.scratch.lane.read(place_bit(place));
        self.lying(place) == 0
    }

    #[inline]
    fn card_at(&self, top: bool, place: Place) -> Value {
        self.end_of(top, place).map_or(Value::Undefined, |id| self.state.board.reference(id))
    }

    #[inline]
    fn object_at(&self, top: bool, place: Place) -> Option<&Object> {
        self.state.board.object(self.end_of(top, place)?)
    }

    /// The card that a value means.
    #[inline]
    pub(super) fn seen(&self, value: Value) -> Option<(ObjectId, &Object)> {
        let id = match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => id,
            Value::Zone(place) => {
                self.scratch.lane.read(place_bit(place));
                self.end_of(true, place)?
            }
            _ => return None,
        };
        let object = self.state.board.object(id)?;
        self.scratch.lane.read(place_bit(object.place));
        self.note_late(value);
        Some((id, object))
    }

    #[inline]
    fn printed_field(&self, object: &Object, field: FieldId) -> Value {
        self.plan.read_value(object.card, field)
    }
}
