//! Room: decides which cards of a batch have room in their new place (docs/kernel/simultaneity.md).
//!
//! Input: the moving cards, before the first of them arrives. A card without room stays where it lay, as if nobody had taken it up.
//! INVARIANT (room): every card that arrives has room. [`crate::actions::moves`] treats the cards that stay.

use crate::actions::moves::Moving;
use crate::run::Run;
use crate::state::Change;
use crate::state::board::NO_SLOT;
use crate::steps::Observer;
use crate::value::{ObjectId, Place, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What is known about room in a batch. The memory is used again for the next batch.
#[derive(Debug, Default)]
pub struct Room {
    /// Whether the batch may meet a bound. If so, `cards` holds the cards of all places as they lay before the batch, one place after the
    /// other.
    kept: bool,
    /// For each place, where its cards end in `cards`.
    ends: Vec<usize>,
    cards: Vec<ObjectId>,
    /// For each card that has room and is still to arrive: its zone, and its place within the zone.
    expected: Vec<(Place, u8)>,
}

impl Room {
    /// Notes that a card has arrived.
    pub fn has_come(&mut self, place: Place, slot: u8) {
        if let Some(at) = self.expected.iter().position(|expected| *expected == (place, slot)) {
            self.expected.swap_remove(at);
        }
    }

    /// The cards of a place as they lay before the batch.
    fn before(&self, place: Place) -> &[ObjectId] {
        let at = usize::from(place.0);
        let start = at.checked_sub(1).and_then(|at| self.ends.get(at)).copied().unwrap_or(0);
        self.ends.get(at).and_then(|end| self.cards.get(start..*end)).unwrap_or(&[])
    }

    /// How many are still to come to a zone, and how many of them to one of its places.
    fn expects(&self, place: Place, slot: u8) -> (usize, usize) {
        let there = self.expected.iter().filter(|(of, _)| *of == place);
        (there.clone().count(), there.filter(|(_, at)| *at == slot).count())
    }
}

/// The number of cards that fill a zone and its parts in the batch.
#[derive(Default)]
struct Filled {
    zones: BTreeMap<Place, usize>,
    slots: BTreeMap<(Place, u8), usize>,
}

impl<O: Observer> Run<'_, O> {
    /// Whether a place is known to be full before the action. In a lockstep this is not known, because other branches may make room in the
    /// same batch.
    pub(crate) fn is_full(&self, place: Place) -> bool {
        self.alone && !self.state.board.has_room(place)
    }

    /// Whether the single card of a change has no room.
    pub(crate) fn has_no_room_for(&self, change: Change) -> bool {
        let (from, to) = match change {
            Change::MoveTop { from, to, .. } => (Some(from), to),
            Change::MoveCard { card: Value::Object { id, .. }, to, .. } => (self.state.board.object(id).map(|object| object.place), to),
            _ => return false,
        };
        from != Some(to) && !self.state.board.has_room(to)
    }

    /// Whether there is room for a new object in addition to the cards that have still to arrive.
    pub(crate) fn has_room_beside(&self, to: Place, slot: u8) -> bool {
        let (zone, here) = self.scratch.room.expects(to, slot);
        let each = self.plan.place(to).each.filter(|_| slot != NO_SLOT);
        let room = self.state.board.zones.get(usize::from(to.0)).map_or(0, |span| usize::from(span.room));
        (!self.plan.place(to).bounded || usize::from(self.state.board.count(to)) + zone < room)
            && each.is_none_or(|most| self.state.board.count_in_slot(to, slot) + here < usize::from(most))
    }

    /// Keeps the places of all cards when a batch begins, if some of its changes may meet a limit.
    pub(crate) fn keep_places(&mut self, changes: impl IntoIterator<Item = Change>) {
        let bounded = |place| self.plan.place(place).bounded;
        let may_meet_one = self.plan.bounded
            && changes.into_iter().any(|change| match change {
                Change::MoveTop { to, .. } | Change::MoveCard { to, .. } | Change::Move { to, .. } => self.plan.follows || bounded(to),
                _ => false,
            });
        let room = &mut self.scratch.room;
        room.kept = may_meet_one;
        room.expected.clear();
        if may_meet_one {
            room.ends.clear();
            room.cards.clear();
            for place in 0..self.state.board.zones.len() {
                room.cards.extend_from_slice(self.state.board.cards(Place(place as u16)));
                room.ends.push(room.cards.len());
            }
        }
    }

    /// Puts cards that have no room back where they were. `order`: the order in which the cards of the branches arrive. Room is counted
    /// after all cards that can go have left.
    pub(crate) fn hold_back(&mut self, order: &[(i32, u16)], moves: &mut [Moving]) {
        if !self.scratch.room.kept {
            return;
        }
        // Most zones have room for every card.
        if !moves.iter().any(|moving| moving.stays || self.plan.place(moving.to).bounded) {
            return;
        }
        let mut arriving: Vec<usize> = (0..moves.len()).collect();
        if order.len() > 1 {
            let rank: BTreeMap<u16, usize> = order.iter().enumerate().map(|(rank, (_, branch))| (*branch, rank)).collect();
            arriving.sort_by_key(|at| moves.get(*at).and_then(|moving| rank.get(&moving.branch)));
        }
        // A card that stays takes room from others. So this is repeated until every card that goes has room.
        while self.refuse_some(&arriving, moves) {}
        let going = moves.iter().filter(|moving| !moving.stays && self.plan.place(moving.to).bounded);
        self.scratch.room.expected.extend(going.map(|moving| (moving.to, moving.slot)));
        let places: BTreeSet<Place> = moves.iter().filter(|moving| moving.stays).map(|moving| moving.from).collect();
        for place in places {
            self.lay_back(place, moves);
        }
    }

    /// Goes through the cards in the order of arrival, and refuses those without room. Gives whether a further card was refused.
    fn refuse_some(&self, arriving: &[usize], moves: &mut [Moving]) -> bool {
        let mut filled = Filled::default();
        for moving in moves.iter() {
            // A card that only changes its place inside a zone counts as lying there.
            if moving.stays || moving.from == moving.to {
                *filled.zones.entry(moving.from).or_default() += 1;
            }
            if moving.stays {
                *filled.slots.entry((moving.from, self.state.board.slot(moving.id))).or_default() += 1;
            }
        }
        let mut staying: BTreeSet<ObjectId> = moves.iter().filter(|moving| moving.stays).map(|moving| moving.id).collect();
        let mut lying: BTreeMap<(Place, u8), usize> = BTreeMap::new();
        let mut refused = false;
        for at in arriving {
            let Some(moving) = moves.get_mut(*at).filter(|moving| !moving.stays) else { continue };
            let host = self.state.board.host(moving.id).filter(|_| moving.follows);
            let stays = host.is_some_and(|host| staying.contains(&host)) || !self.takes_room(moving, &mut filled, &mut lying);
            if stays {
                moving.stays = true;
                staying.insert(moving.id);
                refused = true;
            }
        }
        refused
    }

    /// Takes room for a card if there is room, and gives whether there was. `lying` counts the cards that already lie in parts of zones.
    fn takes_room(&self, moving: &Moving, filled: &mut Filled, lying: &mut BTreeMap<(Place, u8), usize>) -> bool {
        let (board, plan, to) = (&self.state.board, self.plan.place(moving.to), moving.to);
        if !plan.bounded {
            return true;
        }
        let room = board.zones.get(usize::from(to.0)).map_or(0, |span| usize::from(span.room));
        let zone = filled.zones.entry(to).or_default();
        let arrives = moving.from != to;
        if arrives && usize::from(board.count(to)) + *zone >= room {
            return false;
        }
        if let Some(most) = plan.each.filter(|_| moving.slot != NO_SLOT) {
            let key = (to, moving.slot);
            let there = *lying.entry(key).or_insert_with(|| board.count_in_slot(to, moving.slot));
            let here = filled.slots.entry(key).or_default();
            if there + *here >= usize::from(most) {
                return false;
            }
            *here += 1;
        }
        *zone += usize::from(arrives);
        true
    }

    /// Lays the cards of a place as they lay before the batch, without the cards that go.
    fn lay_back(&mut self, place: Place, moves: &[Moving]) {
        let gone: BTreeSet<ObjectId> =
            moves.iter().filter(|moving| !moving.stays && moving.from == place).map(|moving| moving.id).collect();
        let row: Vec<ObjectId> = self.scratch.room.before(place).iter().copied().filter(|id| !gone.contains(id)).collect();
        self.state.board.lay(place, &row);
    }
}
