//! The memory of the lane: a log of all changes, what was read and written, and how often statements did not fit.

use crate::engine::ids::{Id, Pc, StateId};
use crate::engine::random::Generator;
use crate::engine::state::board::Object;
use crate::engine::state::{Cause, Event, Events, State};
use crate::engine::value::{ObjectId, Place, Value};
use std::cell::Cell;

/// The number that a failure adds to the doubt about a statement. A success takes 1 away.
const DOUBT: u8 = 4;

/// A statement with more doubt is not tried any more.
const TOO_DOUBTFUL: u8 = 200;

/// The bit for the states of players, among the bits for what is read and written.
pub const PLAYER_STATES: u64 = 1 << 63;

/// The bit for history.
pub const HISTORY: u64 = 1 << 62;

/// The bit of a place among the bits for what is read and written. Places that share a bit count as one place; that can only make the lane
/// fail needlessly.
#[inline]
#[must_use]
pub fn place_bit(place: Place) -> u64 {
    1 << (place.0 & 31)
}

/// The bits of all places.
pub const PLACES: u64 = 0xFFFF_FFFF;

/// The bit of a state among the bits for what is read. So if a state of cards is set, effects that read only other states need not be
/// worked out again.
#[inline]
#[must_use]
pub fn state_bit(state: StateId) -> u64 {
    1 << (32 + state.index() % 30)
}

/// The memory of the lane. It is never saved, compared or hashed.
#[derive(Debug, Default)]
pub struct Lane {
    /// Whether the lane is running.
    pub on: bool,
    /// The registers of its calls.
    pub registers: Vec<Value>,
    /// What the present member of a lockstep has read.
    pub reads: Cell<u64>,
    /// Whether a card was read whose life has ended and of which more is kept than what is printed.
    pub late: Cell<bool>,
    /// What the present member has written.
    pub writes: u64,
    /// How many changes it has made.
    pub round: u32,
    /// The cause of everything that is done.
    cause: Cause,
    log: Vec<Undo>,
    /// While a rule runs: the number of changes that its member had made when the rule began.
    rule: Option<u32>,
    /// The random generator before the first shuffle since the last milestone, if there was a shuffle.
    chance: Option<Generator>,
    /// The last shuffle by a member of the lockstep, or by a rule that a member made due: the number of changes of the member before it,
    /// and the number of changes of the rule before it.
    shuffled: (u32, u32),
    /// The order of the cards before each shuffle.
    order: Vec<ObjectId>,
    /// The events, each with the round of the lockstep in which it happened; member by member.
    events: Vec<(u32, Event)>,
    /// How many events are already in their final order.
    ordered: usize,
    /// The statement where the line was left last. It is now carried out the long way.
    pub left: Option<Pc>,
    /// How many turns have begun on the line since it was left last.
    turns: u8,
    /// Whether some statement has too much doubt.
    doubtful: bool,
    /// The doubt about each statement: how often it did not fit.
    doubts: Vec<u8>,
}

/// What a change has replaced.
#[derive(Clone, Copy, Debug)]
pub enum Undo {
    /// A card left a place.
    Left {
        /// The card.
        id: ObjectId,
        /// The place that it left.
        from: Place,
        /// Its position in the place.
        at: u16,
        /// Whether it lay face up.
        face_up: bool,
        /// The players to whom it was shown.
        shown: u8,
        /// Its life.
        life: u32,
    },
    /// A card was turned. The value: whether it lay face up before.
    Turned(ObjectId, bool),
    /// A state of a card, by its index in the board's table.
    CardState(u32, Value),
    /// A state of a player, by its index in the board's table.
    PlayerState(u32, Value),
    /// Whether the condition of an immediate rule was true.
    RuleTruth(u32, bool),
    /// A place was shuffled. The values: where `Lane::order` keeps the old order, and whether references to the cards were lost.
    Shuffled(Place, u32, bool),
    /// The verdicts of losing and winning before.
    Verdicts(u8, u8),
}

impl Undo {
    /// The entry for a card that leaves its place, where it is at index `at`.
    #[inline(always)] // otherwise the entry is built in memory and then copied
    pub fn left(id: ObjectId, before: &Object, at: usize) -> Self {
        let Object { place: from, face_up, shown, life, .. } = *before;
        Undo::Left { id, from, at: at as u16, face_up, shown, life }
    }
}

impl Lane {
    /// Notes that something was read.
    #[inline]
    pub fn read(&self, bits: u64) {
        self.reads.set(self.reads.get() | bits);
    }

    /// Logs a change, if the lane is running.
    #[inline]
    pub fn note(&mut self, places: u64, undo: Undo) {
        if self.on {
            self.log(places, undo);
        }
    }

    /// Logs a change. The lane must be running.
    #[inline(always)] // otherwise the entry is built in memory and then copied
    pub fn log(&mut self, places: u64, undo: Undo) {
        self.writes |= places;
        self.log.push(undo);
    }

    /// Logs a change without noting what was written.
    #[inline(always)] // as above
    pub fn log_unnoted(&mut self, undo: Undo) {
        self.log.push(undo);
    }

    /// Begins: nothing has been read, changed or kept.
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

    /// Everything up to here is done for good.
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

    /// Notes the order of the cards of a place before they are shuffled. `within`: a member of a lockstep shuffles, or a rule that a member
    /// made due. `false` if the shuffles of a lockstep come in the wrong order. The right order is by round, and within a round by member.
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
        self.log(place_bit(place), Undo::Shuffled(place, kept, lost));
        true
    }

    /// Begins a member of a lockstep: it has read and written nothing.
    pub fn begin_member(&mut self) {
        self.reads.set(0);
        (self.writes, self.round) = (0, 0);
    }

    /// Begins a member of a lockstep whose members are independent. `first`: the first member of a lockstep without another lockstep around
    /// it.
    pub fn begin_round(&mut self, first: bool) {
        self.round = 0;
        if first {
            self.shuffled = (0, 0);
        }
    }

    /// Begins a rule that the present change made due. `false` if a rule is running already.
    pub fn begin_rule(&mut self) -> bool {
        if self.rule.is_some() {
            return false;
        }
        self.round += 1;
        self.rule = Some(self.round);
        true
    }

    /// Ends the running rule.
    pub fn end_rule(&mut self) {
        self.round = self.rule.take().unwrap_or(self.round);
    }

    /// Keeps an event until its final place in history is known.
    pub fn keep(&mut self, mut event: Event) {
        self.writes |= HISTORY;
        event.cause = self.cause;
        self.events.push((self.round, event));
    }

    /// Whether there are events that are not in history yet.
    #[must_use]
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Whether there are events that are not in their final order yet.
    #[must_use]
    pub fn has_loose_events(&self) -> bool {
        self.events.len() > self.ordered
    }

    /// Puts the events of a lockstep into the order of its rounds.
    #[inline]
    pub fn order_events(&mut self) {
        if let Some(loose) = self.events.get_mut(self.ordered..).filter(|loose| !loose.is_empty()) {
            loose.sort_by_key(|(round, _)| *round);
            self.ordered = self.events.len();
        }
    }

    /// Moves the kept events to history.
    pub fn keep_events(&mut self, events: &mut Events) {
        if self.events.is_empty() {
            return;
        }
        self.order_events();
        for (_, event) in self.events.drain(..) {
            events.keep(event);
        }
    }

    /// Notes whether a statement did not fit (`in_vain`).
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

    /// Whether some statement has too much doubt.
    #[inline]
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// Counts a turn on the line.
    #[inline]
    pub fn turn_begins(&mut self) {
        self.turns = self.turns.saturating_add(1);
    }

    /// The line was left at a statement. Each turn since the last time takes 1 from the doubt about each of its statements.
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

    /// Whether a statement does not have too much doubt.
    #[inline]
    #[must_use]
    pub fn is_worth_trying(&self, at: Pc) -> bool {
        self.doubts.get(at.0 as usize).is_none_or(|doubt| *doubt <= TOO_DOUBTFUL)
    }

    /// Undoes all logged changes, the last one first.
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
    use crate::engine::ids::CardId;
    use crate::engine::random::Generator;
    use crate::engine::state::board::{Board, End, Object, Span};
    use crate::engine::state::{Cause, Control, Effects, Events, State};
    use crate::engine::value::{ObjectId, Place, Player};

    /// A state with five cards in the first of two places.
    fn state() -> State {
        let object = Object { card: CardId(0), owner: Player(0), face_up: false, shown: 0, place: Place(0), life: 3 };
        let mut board = Board { objects: vec![object; 5].into(), slab: vec![ObjectId(0); 10], ..Board::default() };
        board.zones = [0, 5].map(|start| Span { start, len: 0, room: 5 }).to_vec().into();
        for id in 0..5 {
            assert!(board.put(ObjectId(id), Place(0), End::Top));
        }
        let (effects, events, control) = (Effects::default(), Events::default(), Control::default());
        State { board, effects, events, control, generator: Generator::new(5), fixed_shuffles: Vec::new(), fixed_draws: Vec::new() }
    }

    /// Shuffles the first place. The result: whether the order of the shuffles is right.
    fn shuffle(lane: &mut Lane, state: &mut State, within: bool) -> bool {
        let State { board, generator, .. } = state;
        let knows = lane.note_shuffle((Place(0), board.cards(Place(0))), generator, within, true);
        generator.shuffle(board.cards_mut(Place(0)));
        board.lose(Place(0));
        knows
    }

    /// Moves the third card from the bottom to the other place, with a new life, and turns it face up.
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

    /// Begins a member of a lockstep that makes some changes. Then a rule that the last change made due shuffles after some more changes.
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
