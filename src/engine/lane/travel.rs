//! Runs rails: one loop over the instructions of a track or line.

use super::halt::Mark;
use super::haul::keep;
use super::rail::{Books, PairAt, Rail, Rails, SPOTS, Spot};
use super::together::Together;
use super::{Unfit, spot};
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
pub struct Luggage {
    /// Each slot is written before it is read.
    slots: [Value; SPOTS],
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

impl Default for Luggage {
    fn default() -> Self {
        Luggage {
            slots: [Value::Undefined; SPOTS],
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

impl Luggage {
    /// Begins a new track or line.
    #[inline]
    pub(super) fn pack(&mut self, names: Names) {
        self.names = names;
        self.cards.clear();
        self.together.clear();
        self.asked.clear();
        self.turns = 0;
        self.passed = 0;
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a slot is a byte, and there are as many slots as bytes")]
    pub(super) fn get(&self, slot: Spot) -> Value {
        self.slots[usize::from(slot)]
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a slot is a byte, and there are as many slots as bytes")]
    pub(super) fn set(&mut self, slot: Spot, value: Value) {
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
    pub(super) fn travel(&mut self, row: &Rails, luggage: &mut Luggage, branch: &mut Branch, mut at: usize) -> Result<Ended, Unfit> {
        let rails = row.rails.as_slice();
        // One bit for each part around this one: whether everything in the part was done so far. The lowest bit is for this part.
        let (mut whole, mut parts) = (1_u64, 0_u32);
        // While a rule runs: where to continue after it, and `whole` at that point.
        let (mut back, mut rest) = ((0, 0, None), None);
        loop {
            let rail = rails.get(at).ok_or(Unfit)?;
            at += 1;
            match *rail {
                Rail::Const(to, value) => luggage.set(to, value),
                Rail::Copy(to, a) => luggage.set(to, luggage.get(a)),
                Rail::You(to) => luggage.set(to, Value::Player(luggage.names.you)),
                Rail::This(to) => luggage.set(to, luggage.names.this),
                Rail::Not(to, a) => luggage.set(to, Value::Bool(!luggage.get(a).is_true())),
                Rail::Compare(how, to, a, b) => luggage.set(to, Value::Bool(compared(how, luggage.get(a), luggage.get(b)))),
                Rail::Pair(table, to, a, b) => luggage.set(to, self.quick_pair(table, luggage.get(a), luggage.get(b))),
                Rail::CardAt(to, top, place) => luggage.set(to, self.card_at(top, place)),
                Rail::Card(to, top, zone) => {
                    let zone = luggage.get(zone);
                    luggage.set(to, self.card_in(top, zone));
                }
                Rail::EmptyAt(to, place) => luggage.set(to, Value::Bool(self.lying(place) == 0)),
                Rail::Empty(to, zone) => {
                    luggage.set(to, Value::Bool(self.is_empty_zone(luggage.get(zone))));
                }
                Rail::CountAt(to, place) => luggage.set(to, Value::Number(i32::from(self.lying(place)))),
                Rail::CountAll(to, places) => {
                    let places = row.places.get(usize::from(places)).ok_or(Unfit)?;
                    luggage.set(to, Value::Number(places.iter().map(|place| i32::from(self.lying(*place))).sum()));
                }
                Rail::ZoneOf(to, first, row, player) => {
                    let player = luggage.get(player).player();
                    luggage.set(to, player.map_or(Value::Undefined, |player| Value::Zone(Place(first + row * u16::from(player.0)))));
                }
                Rail::OwnersZone(to, first, row, card) => {
                    let card = self.seen(luggage.get(card));
                    let zone = |(_, object): (ObjectId, &Object)| Value::Zone(Place(first + row * u16::from(object.owner.0)));
                    luggage.set(to, card.map_or(Value::Undefined, zone));
                }
                Rail::Next(to, player) => luggage.set(to, self.quick_next(luggage.get(player))),
                Rail::FieldAt(to, top, place, field) => luggage.set(to, self.field_at(top, place, field)),
                Rail::Field(to, card, field) => {
                    let value = self.seen(luggage.get(card)).map_or(Value::Undefined, |(_, object)| self.printed_field(object, field));
                    luggage.set(to, value);
                }
                Rail::Printed(to, card, field) => {
                    let printed = |(_, object): (ObjectId, &Object)| self.program.printed_value(object.card, field);
                    luggage.set(to, self.seen(luggage.get(card)).map_or(Value::Undefined, printed));
                }
                Rail::Bind(to, card, none) => match self.seen(luggage.get(card)) {
                    Some((id, _)) => luggage.set(to, self.state.board.reference(id)),
                    None => at = none as usize,
                },
                Rail::OwnerAt(top, place, owner, another, none) => match self.object_at(top, place) {
                    Some(object) if object.owner == owner => {}
                    Some(_) => at = another as usize,
                    None => at = none as usize,
                },
                Rail::State(to, subject, state) => luggage.set(to, self.quick_state(luggage.get(subject), state).unwrap_or_default()),
                Rail::StateAt(to, top, place, state) => luggage.set(to, self.state_at(top, place, state)),
                Rail::FaceUp(to, card) => {
                    let card = self.seen(luggage.get(card));
                    luggage.set(to, card.map_or(Value::Undefined, |(_, object)| Value::Bool(object.face_up)));
                }
                Rail::FaceUpAt(to, top, place) => {
                    luggage.set(to, self.object_at(top, place).map_or(Value::Undefined, |object| Value::Bool(object.face_up)));
                }
                Rail::JumpUnlessFaceUpAt(top, place, to) => {
                    if !self.object_at(top, place).is_some_and(|object| object.face_up) {
                        at = to as usize;
                    }
                }
                Rail::JumpIfFaceUpAt(top, place, to) => {
                    if self.object_at(top, place).is_some_and(|object| object.face_up) {
                        at = to as usize;
                    }
                }
                Rail::Owner(to, card) => {
                    let card = self.seen(luggage.get(card));
                    luggage.set(to, card.map_or(Value::Undefined, |(_, object)| Value::Player(object.owner)));
                }
                Rail::Exists(to, of) => luggage.set(to, Value::Bool(self.exists_on_track(luggage.get(of)))),
                Rail::Textless(to, card) => luggage.set(to, Value::Bool(self.is_textless(luggage.get(card)))),
                Rail::TextlessAt(to, top, place) => luggage.set(to, Value::Bool(self.is_textless_at(top, place))),
                Rail::Jump(to) => at = to as usize,
                Rail::JumpUnless(condition, to) if !luggage.get(condition).is_true() => at = to as usize,
                Rail::JumpIf(condition, to) if luggage.get(condition).is_true() => at = to as usize,
                Rail::JumpUnlessStateAt(top, place, state, to) if !self.state_at(top, place, state).is_true() => at = to as usize,
                Rail::JumpIfStateAt(top, place, state, to) if self.state_at(top, place, state).is_true() => at = to as usize,
                Rail::JumpUnlessEmptyAt(place, to) if self.lying(place) != 0 => at = to as usize,
                Rail::JumpIfEmptyAt(place, to) if self.lying(place) == 0 => at = to as usize,
                Rail::JumpUnlessPair(table, a, b, to) => {
                    if !self.quick_pair(table, luggage.get(a), luggage.get(b)).is_true() {
                        at = to as usize;
                    }
                }
                Rail::JumpUnlessPairAt(pair, to) => {
                    let PairAt { table, sides: [a, b] } = row.pairs.get(usize::from(pair)).ok_or(Unfit)?;
                    let side = |(top, place, field): &(bool, Place, FieldId)| self.field_at(*top, *place, *field);
                    if !self.quick_pair(*table, side(a), side(b)).is_true() {
                        at = to as usize;
                    }
                }
                Rail::JumpUnlessCompare(how, a, b, to) => {
                    if !compared(how, luggage.get(a), luggage.get(b)) {
                        at = to as usize;
                    }
                }
                Rail::JumpUnlessNumber(how, a, number, to) => {
                    if !compared(how, luggage.get(a), Value::Number(number)) {
                        at = to as usize;
                    }
                }
                Rail::Look(places) => self.scratch.lane.read(u64::from(places)),
                Rail::JumpUnless(..) | Rail::JumpIf(..) | Rail::JumpUnlessStateAt(..) | Rail::JumpIfStateAt(..) => {}
                Rail::JumpUnlessEmptyAt(..) | Rail::JumpIfEmptyAt(..) => {}
                Rail::CheckTextlessAt(top, place) if self.is_textless_at(top, place) => {}
                Rail::CheckTextless(card) if self.is_textless(luggage.get(card)) => {}
                Rail::Check(condition) if luggage.get(condition).is_true() => {}
                Rail::MoveTop(way) => {
                    let moved = self.carry_top(way)?;
                    whole &= done(moved);
                    if moved && let Some(rule) = self.carried_on_line(row, way)? {
                        back = (at, whole, None);
                        at = rule;
                    }
                }
                Rail::MoveTops(times, way) => {
                    let mut left = rest.take().unwrap_or_else(|| luggage.get(times).number().unwrap_or(0));
                    while left > 0 {
                        left -= 1;
                        if !self.carry_top(way)? {
                            // If no card is left now, no card is left the next time.
                            whole &= done(false);
                            break;
                        }
                        if let Some(rule) = self.carried_on_line(row, way)? {
                            back = (at - 1, whole, Some(left));
                            at = rule;
                            break;
                        }
                    }
                }
                Rail::RuleEnds => {
                    self.scratch.lane.end_rule();
                    (at, whole, rest) = back;
                }
                Rail::Shuffle(place, within) => self.shuffle_on_line(place, within)?,
                Rail::MoveHome(what, owner, way) => whole &= done(self.move_home(luggage.get(what), owner, way)?),
                Rail::MoveOut(what, way) => whole &= done(self.move_out(luggage.get(what), way)?),
                Rail::MoveAll(way) => whole &= done(self.lying(way.from) != 0 && self.move_all(way)?),
                Rail::MoveTo(what, to, face) => whole &= done(self.move_to_on_track(luggage.get(what), to, face)?),
                Rail::Move(what, to, face) => whole &= done(self.move_on_track(luggage.get(what), luggage.get(to), face)?),
                Rail::Turn(what, up) => whole &= done(self.turn_on_track(luggage.get(what), up)?),
                Rail::SetTo(subject, state, value) => whole &= done(self.set_on_track(luggage.get(subject), state, value, true)?),
                Rail::Set(subject, state, value, none) => {
                    whole &= done(self.set_on_track(luggage.get(subject), state, luggage.get(value), none)?);
                }
                Rail::CountDown(counter, end) => match luggage.get(counter) {
                    Value::Number(number) if number >= 1 => luggage.set(counter, Value::Number(number - 1)),
                    _ => at = end as usize,
                },
                Rail::Cards => {
                    luggage.cards.clear();
                    luggage.turns = 0;
                }
                Rail::Gather(place) => self.gather(place, luggage),
                Rail::NextCard(to, end) => match luggage.next_card() {
                    Some(card) => luggage.set(to, card),
                    None => at = end as usize,
                },
                Rail::SetAll(setting) => self.set_all(row.settings.get(usize::from(setting)).ok_or(Unfit)?, luggage, branch)?,
                Rail::Kept(list, item) => luggage.keep(branch, list, item),
                Rail::TurnAll(places, up, result) => {
                    self.turn_all(row.places.get(usize::from(places)).ok_or(Unfit)?, up, result, luggage, branch)?;
                }
                Rail::Given(given, refused) => {
                    if crate::engine::actions::perform::nothing_in(luggage.get(given)).is_some() {
                        whole &= done(false);
                        at = refused as usize;
                    }
                }
                Rail::PartBegins if parts < MOST_PARTS => {
                    parts += 1;
                    whole = whole << 1 | 1;
                }
                Rail::Wholly if whole & 1 == 1 => {}
                Rail::PartEnds { told } => {
                    if told {
                        luggage.names.done = whole & 1 == 1;
                        self.scratch.lane.order_events();
                    }
                    parts = parts.saturating_sub(1);
                    whole >>= 1;
                }
                Rail::Together { outermost } => luggage.together.push(Together::begin(&self.scratch.lane, outermost)?),
                Rail::Member => self.scratch.lane.begin_member(),
                Rail::Round { first } => self.scratch.lane.begin_round(first),
                Rail::MemberEnds => luggage.together.last_mut().ok_or(Unfit)?.member_ended(&self.scratch.lane)?,
                Rail::TogetherEnds => {
                    let together = luggage.together.pop().ok_or(Unfit)?;
                    together.end(&mut self.scratch.lane)?;
                    if together.is_outermost() {
                        self.scratch.lane.order_events();
                    }
                }
                Rail::Books(Books { done, expires, players, phase }) => {
                    luggage.names.done |= done;
                    if phase.is_some() {
                        self.state.board.phase = phase;
                    }
                    if expires {
                        // No effect is in force.
                        self.state.effects.now = self.state.effects.next;
                    }
                    list_players(branch, players);
                }
                Rail::Listed(value) => branch.lists.push(value),
                Rail::Event(verb, arguments) => self.event_on_track(verb, row.arguments.get(usize::from(arguments)), luggage),
                Rail::NotDone => whole &= done(false),
                Rail::End => return Ok(Ended::Whole(whole & 1 == 1)),
                Rail::Milestone { number, done, phase, players } => {
                    luggage.names.done |= done;
                    if phase.is_some() {
                        self.state.board.phase = phase;
                    }
                    self.pass(luggage, branch, number)?;
                    list_players(branch, players);
                }
                Rail::Ask(form) => self.ask_on_line(luggage, form)?,
                Rail::Pause => {
                    self.is_sound()?;
                    if luggage.asked.iter().any(|(_, forced)| !forced) {
                        self.pause(luggage, branch, at);
                        return Ok(Ended::Paused);
                    }
                }
                Rail::Resume(member) => {
                    let (form, _) = *luggage.asked.get(usize::from(member)).ok_or(Unfit)?;
                    at = *row.answered.get(usize::from(form)).ok_or(Unfit)? as usize;
                }
                Rail::Answered => {
                    self.is_sound()?;
                    self.answered(branch);
                    luggage.asked.clear();
                }
                Rail::TurnBegins => self.turn_begins()?,
                Rail::Verdict(player, wins) => {
                    self.is_sound()?;
                    self.verdict_on_line(player, wins);
                    return Ok(Ended::Judged);
                }
                Rail::Raise(player, wins) => self.raise_on_line(player, wins),
                Rail::Judge => {
                    if self.judges_on_line()? {
                        return Ok(Ended::Judged);
                    }
                }
                Rail::TurnEnds => {
                    self.is_sound()?;
                    self.turn_ends(luggage, branch)?;
                    at = 0;
                }
                Rail::CheckTextlessAt(..) | Rail::CheckTextless(_) | Rail::Check(_) | Rail::PartBegins | Rail::Wholly | Rail::Dead => {
                    return Err(Unfit);
                }
            }
        }
    }

    #[inline(never)]
    fn event_on_track(&mut self, verb: VerbId, arguments: Option<&Vec<u8>>, luggage: &Luggage) {
        let mut args = [Value::Undefined; MOST_ARGUMENTS];
        for (slot, spot) in args.iter_mut().zip(arguments.into_iter().flatten()) {
            *slot = luggage.get(*spot);
        }
        self.scratch.lane.keep(Event { verb, args, cause: Cause::Rule });
    }

    #[inline(never)]
    fn gather(&self, place: Place, luggage: &mut Luggage) {
        luggage.cards.extend(self.state.board.cards(place).iter().map(|id| self.state.board.reference(*id)));
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
        self.scratch.lane.read(spot(place));
        self.card_at(top, place)
    }

    /// Whether a computed zone is empty; true if the value is no zone.
    #[inline(never)]
    fn is_empty_zone(&self, zone: Value) -> bool {
        let Value::Zone(place) = zone else { return true };
        self.scratch.lane.read(spot(place));
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
                self.scratch.lane.read(spot(place));
                self.end_of(true, place)?
            }
            _ => return None,
        };
        let object = self.state.board.object(id)?;
        self.scratch.lane.read(spot(object.place));
        self.note_late(value);
        Some((id, object))
    }

    #[inline]
    fn printed_field(&self, object: &Object, field: FieldId) -> Value {
        self.plan.read_value(object.card, field)
    }
}
