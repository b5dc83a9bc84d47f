//! What the lane remembers: every change so that it can be undone, what was read and written, and which statements do not fit.

use crate::engine::board::Object;
use crate::engine::ids::{Id, Pc, StateId};
use crate::engine::random::Generator;
use crate::engine::state::{Cause, Event, Events, State};
use crate::engine::value::{ObjectId, Place, Value};
use std::cell::Cell;

/// What a failure adds to the doubt about a statement; a success takes one away.
const DOUBT: u8 = 4;

/// A statement with more doubt than this is not tried.
const TOO_DOUBTFUL: u8 = 200;

/// The bit of players' states among what is read and written; places share the others.
pub const PLAYER_STATES: u64 = 1 << 63;

/// The bit of history.
pub const HISTORY: u64 = 1 << 62;

/// A place's bit among what is read and written. Places that share one are taken for the same, which only costs a stretch.
#[inline]
#[must_use]
pub fn spot(place: Place) -> u64 {
    1 << (place.0 & 31)
}

/// A state's bit among what is read: effects that look at another state of a card need not be looked at anew when this one is set.
#[inline]
#[must_use]
pub fn mark(state: StateId) -> u64 {
    1 << (32 + state.index() % 30)
}

/// The lane's memory. Never saved, compared or hashed.
#[derive(Debug, Default)]
pub struct Lane {
    /// It is being travelled.
    pub on: bool,
    /// Registers of its calls.
    pub stack: Vec<Value>,
    /// Places that the present member of a lockstep has looked at.
    pub reads: Cell<u64>,
    /// A card was read whose life is over, and of which more is known than what is printed.
    pub late: Cell<bool>,
    /// Places that it has changed.
    pub writes: u64,
    /// How many changes it has made.
    pub round: u32,
    /// Why everything is done that is done.
    cause: Cause,
    log: Vec<Undo>,
    /// After which change of its member the rule was called for that runs.
    rule: Option<u32>,
    /// Chance before the first shuffle since the last milestone, if there was one.
    chance: Option<Generator>,
    /// When members of the lockstep, or rules that they called for, shuffled last: after which change of the member, which change of the
    /// rule's.
    shuffled: (u32, u32),
    /// How the cards lay that were shuffled.
    order: Vec<ObjectId>,
    /// Events with the round of the lockstep in which they happen, by member.
    events: Vec<(u32, Event)>,
    /// How many of them are in their order.
    ordered: usize,
    /// The statement at which the line was left last: it takes the long way now.
    pub left: Option<Pc>,
    /// Turns that have begun on the line since it was left last.
    turns: u8,
    /// Some statement is too doubtful.
    doubtful: bool,
    /// For each statement how little it is worth to try.
    doubts: Vec<u8>,
}

/// What was before a change.
#[derive(Clone, Copy, Debug)]
pub enum Undo {
    /// A card left its place.
    Left {
        /// The card.
        id: ObjectId,
        /// The place.
        from: Place,
        /// Where it was in it.
        at: u16,
        /// How it lay there.
        face_up: bool,
        /// To whom it was shown.
        shown: u8,
        /// In which of its lives.
        life: u32,
    },
    /// A card was turned that lay so.
    Turned(ObjectId, bool),
    /// A state of a card, by its place in the column.
    CardState(u32, Value),
    /// A state of a player, by its place in the column.
    PlayerState(u32, Value),
    /// Whether an immediate rule's condition was true.
    RuleTruth(u32, bool),
    /// A place was shuffled; where it is kept how its cards lay, and whether references to them were lost.
    Shuffled(Place, u32, bool),
    /// The verdicts of losing and winning that had been raised.
    Verdicts(u8, u8),
}

impl Undo {
    /// That a card leaves its place, where it lies there.
    #[inline(always)] // else it is put together in memory to be copied
    pub fn left(id: ObjectId, before: &Object, at: usize) -> Self {
        let Object { place: from, face_up, shown, life, .. } = *before;
        Undo::Left { id, from, at: at as u16, face_up, shown, life }
    }
}

impl Lane {
    /// Notes that those places were looked at.
    #[inline]
    pub fn read(&self, spots: u64) {
        self.reads.set(self.reads.get() | spots);
    }

    /// Notes what was before a change of those places, if the lane is being travelled.
    #[inline]
    pub fn note(&mut self, places: u64, undo: Undo) {
        if self.on {
            self.log(places, undo);
        }
    }

    /// The same where it is known that the lane is being travelled.
    #[inline(always)] // else the note is put together in memory to be copied
    pub fn log(&mut self, places: u64, undo: Undo) {
        self.writes |= places;
        self.log.push(undo);
    }

    /// The same where nobody wants to know which places.
    #[inline(always)] // as above
    pub fn log_unnoted(&mut self, undo: Undo) {
        self.log.push(undo);
    }

    /// Nothing is read, changed or kept yet.
    pub fn enter(&mut self, cause: Cause) {
        self.on = true;
        self.cause = cause;
        self.late.set(false);
        self.log.clear();
        self.events.clear();
        self.ordered = 0;
        self.rule = None;
        self.forget_shuffles();
        self.begin_member();
    }

    /// Everything so far is done for good.
    #[inline]
    pub fn commit(&mut self, events: &mut Events) {
        if !self.events.is_empty() {
            self.keep_events(events);
            self.ordered = 0;
        }
        if self.chance.is_some() {
            self.forget_shuffles();
        }
        self.log.clear();
    }

    fn forget_shuffles(&mut self) {
        (self.chance, self.shuffled) = (None, (0, 0));
        self.order.clear();
    }

    /// Notes how the cards of a place lie before they are shuffled. `within`: by a member of a lockstep, or a rule that any of them may
    /// call for. Whether chance is asked in the right order: in that of the members' rounds, and in one round in that of the members.
    pub fn note_shuffle(&mut self, (place, cards): (Place, &[ObjectId]), chance: &Generator, within: bool, lost: bool) -> bool {
        let now = match self.rule {
            None => (self.round + 1, 0),
            Some(called) => (called, self.round.saturating_sub(called) + 1),
        };
        if within && std::mem::replace(&mut self.shuffled, now) > now {
            return false;
        }
        if self.chance.is_none() {
            self.chance = Some(chance.clone());
        }
        let kept = self.order.len() as u32;
        self.order.extend_from_slice(cards);
        self.log(spot(place), Undo::Shuffled(place, kept, lost));
        true
    }

    /// A member has read and changed nothing yet.
    pub fn begin_member(&mut self) {
        self.reads.set(0);
        (self.writes, self.round) = (0, 0);
    }

    /// The same where nobody looks where the members meet. `first`: the first of a lockstep that none is around.
    pub fn begin_round(&mut self, first: bool) {
        self.round = 0;
        if first {
            self.shuffled = (0, 0);
        }
    }

    /// A rule runs that the change made now calls for; not where one does already.
    pub fn begin_rule(&mut self) -> bool {
        if self.rule.is_some() {
            return false;
        }
        self.round += 1;
        self.rule = Some(self.round);
        true
    }

    /// It has been carried out.
    pub fn end_rule(&mut self) {
        self.round = self.rule.take().unwrap_or(self.round);
    }

    /// Keeps an event until its place among the others is known.
    pub fn keep(&mut self, mut event: Event) {
        self.writes |= HISTORY;
        event.cause = self.cause;
        self.events.push((self.round, event));
    }

    /// Whether events are kept that history does not have yet.
    #[must_use]
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Whether some of them have not found their order.
    #[must_use]
    pub fn has_loose_events(&self) -> bool {
        self.events.len() > self.ordered
    }

    /// Events of a lockstep come in the order of its rounds.
    #[inline]
    pub fn order_events(&mut self) {
        if let Some(loose) = self.events.get_mut(self.ordered..).filter(|loose| !loose.is_empty()) {
            loose.sort_by_key(|(round, _)| *round);
            self.ordered = self.events.len();
        }
    }

    /// What was kept becomes history.
    pub fn keep_events(&mut self, events: &mut Events) {
        if self.events.is_empty() {
            return;
        }
        self.order_events();
        for (_, event) in self.events.drain(..) {
            events.keep(event);
        }
    }

    /// A statement was tried: was it in vain?
    pub fn doubt(&mut self, at: Pc, in_vain: bool) {
        let at = at.0 as usize;
        if in_vain && self.doubts.len() <= at {
            self.doubts.resize(at + 1, 0);
        }
        if let Some(doubt) = self.doubts.get_mut(at) {
            *doubt = if in_vain { doubt.saturating_add(DOUBT) } else { doubt.saturating_sub(1) };
            self.doubtful |= *doubt > TOO_DOUBTFUL;
        }
    }

    /// Whether there is a statement that has been tried in vain too often.
    #[inline]
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// A turn begins on the line.
    #[inline]
    pub fn turn_begins(&mut self) {
        self.turns = self.turns.saturating_add(1);
    }

    /// The line was left at one of its statements: each turn since the last time has taken some of the doubt about all of them.
    pub fn left_at(&mut self, at: Pc, statements: impl Iterator<Item = Pc>) {
        let turns = std::mem::take(&mut self.turns);
        for pc in statements {
            if let Some(doubt) = self.doubts.get_mut(pc.0 as usize) {
                *doubt = doubt.saturating_sub(turns);
            }
        }
        self.doubt(at, true);
        self.left = Some(at);
    }

    /// Whether a statement has not been tried in vain too often.
    #[inline]
    #[must_use]
    pub fn is_worth_trying(&self, at: Pc) -> bool {
        self.doubts.get(at.0 as usize).is_none_or(|doubt| *doubt <= TOO_DOUBTFUL)
    }

    /// Takes every change back, the last one first.
    pub fn undo(&mut self, state: &mut State) {
        let State { board, generator, control, .. } = state;
        while let Some(undo) = self.log.pop() {
            match undo {
                Undo::Left { id, from, at, face_up, shown, life } => {
                    board.put_back(id, from, usize::from(at));
                    if let Some(object) = board.objects.get_mut(usize::from(id.0)) {
                        (object.face_up, object.shown, object.life) = (face_up, shown, life);
                    }
                }
                Undo::Turned(id, up) => {
                    if let Some(object) = board.objects.get_mut(usize::from(id.0)) {
                        object.face_up = up;
                    }
                }
                Undo::CardState(at, value) => {
                    board.untouched.forget();
                    restore(&mut board.card_states, at as usize, value);
                }
                Undo::PlayerState(at, value) => restore(&mut board.player_states, at as usize, value),
                Undo::RuleTruth(at, truth) => restore(&mut board.rule_truth, at as usize, truth),
                Undo::Shuffled(place, kept, lost) => {
                    if lost {
                        board.find_again(place);
                    }
                    for (slot, id) in board.cards_mut(place).iter_mut().zip(self.order.iter().skip(kept as usize)) {
                        *slot = *id;
                    }
                }
                Undo::Verdicts(losing, winning) => (control.losing, control.winning) = (losing, winning),
            }
        }
        if let Some(chance) = self.chance.take() {
            *generator = chance;
        }
        self.forget_shuffles();
    }
}

fn restore<T>(column: &mut [T], at: usize, value: T) {
    if let Some(slot) = column.get_mut(at) {
        *slot = value;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{Lane, Undo};
    use crate::engine::board::{Board, End, Object, Span};
    use crate::engine::ids::CardId;
    use crate::engine::random::Generator;
    use crate::engine::state::{Cause, Control, Effects, Events, State};
    use crate::engine::value::{ObjectId, Place, Player};

    /// Five cards in the first of two places.
    fn state() -> State {
        let object = Object { card: CardId(0), owner: Player(0), face_up: false, shown: 0, place: Place(0), life: 3 };
        let mut board = Board { objects: vec![object; 5], slab: vec![ObjectId(0); 10], ..Board::default() };
        board.zones = [0, 5].map(|start| Span { start, len: 0, room: 5 }).to_vec();
        for id in 0..5 {
            assert!(board.put(ObjectId(id), Place(0), End::Top));
        }
        let (effects, events, control) = (Effects::default(), Events::default(), Control::default());
        State { board, effects, events, control, generator: Generator::new(5), fixed_shuffles: Vec::new(), fixed_draws: Vec::new() }
    }

    /// Shuffles the first place; whether chance is asked in the right order.
    fn shuffle(lane: &mut Lane, state: &mut State, within: bool) -> bool {
        let State { board, generator, .. } = state;
        let knows = lane.note_shuffle((Place(0), board.cards(Place(0))), generator, within, true);
        generator.shuffle(board.cards_mut(Place(0)));
        board.lose(Place(0));
        knows
    }

    /// The third card from below goes to the other place, another life begins, it is turned up.
    fn take_third(lane: &mut Lane, state: &mut State) {
        let id = *state.board.cards(Place(0)).get(2).unwrap();
        lane.log_unnoted(Undo::left(id, state.board.object(id).unwrap(), 2));
        state.board.take(id).unwrap();
        assert!(state.board.put(id, Place(1), End::Top));
        let object = state.board.objects.get_mut(usize::from(id.0)).unwrap();
        (object.face_up, object.life) = (true, object.life + 1);
    }

    #[test]
    fn shuffles_and_what_came_between_are_undone() {
        let (mut lane, mut state) = (Lane::default(), state());
        let before = state.clone();
        lane.enter(Cause::Rule);
        assert!(shuffle(&mut lane, &mut state, false));
        take_third(&mut lane, &mut state);
        assert!(shuffle(&mut lane, &mut state, false));
        take_third(&mut lane, &mut state);
        lane.log_unnoted(Undo::Verdicts(state.control.losing, state.control.winning));
        state.control.losing = 1;
        assert!(state != before);
        lane.undo(&mut state);
        assert!(state == before, "{state:?}");
    }

    #[test]
    fn of_what_is_done_for_good_nothing_is_undone() {
        let (mut lane, mut state) = (Lane::default(), state());
        lane.enter(Cause::Rule);
        assert!(shuffle(&mut lane, &mut state, true));
        lane.commit(&mut Events::default());
        let before = state.clone();
        assert!(shuffle(&mut lane, &mut state, true), "the first one since then");
        lane.undo(&mut state);
        assert!(state == before, "{state:?}");
    }

    /// Begins a member of a lockstep that makes so many changes; then a rule that the last one calls for, which shuffles after some more.
    fn member(lane: &mut Lane, state: &mut State, first: bool, changes: u32, then: u32) -> bool {
        lane.begin_round(first);
        lane.round += changes - 1;
        assert!(lane.begin_rule() && !lane.begin_rule(), "one at a time");
        lane.round += then;
        let knows = shuffle(lane, state, true);
        lane.end_rule();
        knows
    }

    #[test]
    fn members_shuffle_in_the_order_of_their_rounds() {
        let (mut lane, mut state) = (Lane::default(), state());
        lane.enter(Cause::Rule);
        assert!(member(&mut lane, &mut state, true, 2, 1));
        assert!(member(&mut lane, &mut state, false, 2, 1), "in one round as they come");
        assert!(member(&mut lane, &mut state, true, 2, 1));
        assert!(member(&mut lane, &mut state, false, 3, 0), "the second in a later round");
        assert!(shuffle(&mut lane, &mut state, false), "what no member does comes when it comes");
        assert!(member(&mut lane, &mut state, true, 3, 0), "another lockstep");
        assert!(!member(&mut lane, &mut state, false, 2, 1), "the second in an earlier round");
        lane.enter(Cause::Rule);
        assert!(member(&mut lane, &mut state, true, 2, 1));
        assert!(!member(&mut lane, &mut state, false, 2, 0), "earlier within the rule");
        lane.enter(Cause::Rule);
        assert!(member(&mut lane, &mut state, true, 1, 0));
        lane.begin_round(false);
        assert!(!shuffle(&mut lane, &mut state, true), "a member's own change comes before the rules that it calls for");
    }
}
