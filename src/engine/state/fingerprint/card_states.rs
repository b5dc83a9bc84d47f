//! Adds the states of cards to the number of a position. Values that nobody has written since the last position are not looked at again.

use super::PositionHash;
use super::seen::{Fnv, Seen, SeenBoard, SeenColumn, SeenStates, speaks_of};
use crate::bits::Lives;
use crate::plan::CardState;
use crate::short_ways::{ShortWay, took};
use crate::value::{ObjectId, Place};

impl PositionHash<'_> {
    /// Adds the states of cards, by one number for each state. Without `all`, only cards in zones count, and numbers do not count.
    pub(super) fn states_of_cards(&mut self, seen: &mut Seen, all: bool) {
        let SeenBoard { columns, states, unnumbered, numbered, .. } = &mut seen.board;
        let versions = self.state.board.versions;
        let (written, lying) = (versions.states, versions.lying);
        // The number depends on the values, on the lives of the cards that these speak of, and without `all` on where the cards lie.
        if let Some(known) = states.filter(|known| known.written == written && (known.lying == lying || !known.depends_on_lying)) {
            took(ShortWay::SeenStates);
            return self.to.wide(known.number);
        }
        columns.resize_with(self.plan.card_states.len(), SeenColumn::default);
        let (mut whole, mut rest, mut depends_on_lying) = (Fnv::default(), [Fnv::default(), Fnv::default()], false);
        for (state, column) in self.plan.card_states.iter().zip(columns.iter_mut()) {
            let version = versions.state(usize::from(state.at));
            if column.state != Some(version) {
                self.find_changed(state, all, &mut column.changed);
                (column.state, column.lying, column.speaks_of) = (Some(version), None, Lives::NONE);
            }
            if column.changed.is_empty() {
                continue;
            }
            let depends = !all || !column.speaks_of.is_none();
            let stands = column.lying.is_some_and(|then| then == lying || !depends);
            if !stands || column.speaks_of.meets(Lives::MORE) {
                self.number_of(state, all, column);
                column.lying = Some(lying);
            }
            depends_on_lying |= !all || !column.speaks_of.is_none();
            whole.step(u64::from(state.at));
            whole.wide(column.number);
            let [without, with] = &mut rest;
            let into = if state.initial.number().is_none() { without } else { with };
            into.step(u64::from(state.at));
            into.wide(column.number);
        }
        [*unnumbered, *numbered] = rest.map(|rest| rest.0);
        *states = (!columns.iter().any(|column| column.speaks_of.meets(Lives::MORE))).then_some(SeenStates {
            written,
            lying,
            depends_on_lying,
            number: whole.0,
        });
        self.to.wide(whole.0);
    }

    /// Finds the cards of which a state does not have its first value. Nearly all values are first values, and this is so in every position.
    /// So first values are left out of a position.
    fn find_changed(&self, CardState { at, initial, .. }: &CardState, all: bool, changed: &mut Vec<ObjectId>) {
        let (board, states) = (&self.state.board, self.plan.first_states.len());
        changed.clear();
        for id in (0..board.objects.len()).map(|id| ObjectId(id as u16)).filter(|id| !board.untouched.is(*id)) {
            let Some(now) = board.card_states.get(usize::from(id.0) * states + usize::from(*at)) else { continue };
            let counts = all || now.number().is_none() || initial.number().is_none();
            if counts && !now.is_same(*initial) {
                changed.push(id);
            }
        }
    }

    /// Computes the number for the values of one state of cards.
    fn number_of(&self, CardState { at, .. }: &CardState, all: bool, column: &mut SeenColumn) {
        let (board, states) = (&self.state.board, self.plan.first_states.len());
        let mut one = self.apart();
        column.speaks_of = Lives::NONE;
        for id in &column.changed {
            let lies = all || board.object(*id).is_some_and(|object| object.place != Place::NOWHERE);
            let now = board.card_states.get(usize::from(id.0) * states + usize::from(*at)).filter(|_| lies);
            if let Some(now) = now {
                one.to.step(u64::from(id.0));
                one.value(*now, &[]);
                column.speaks_of |= speaks_of(*now);
            }
        }
        column.number = one.to.0;
    }
}
