//! Copies of boards, which attempts and trial runs make very often. The memory of the copy is reused, and states that have their first
//! values on both boards are not copied.

use super::{Board, Span, Versions};
use crate::short_ways::{ShortWay, took};
use crate::state::untouched::Untouched;
use crate::value::{ObjectId, Value};

impl Board {
    /// Makes this a copy of another board. The allocated memory is kept.
    pub(crate) fn copy_from(&mut self, other: &Board) {
        let Board {
            objects,
            zones,
            slab,
            extras,
            batches,
            deciders,
            memory,
            overseen,
            held,
            revealed,
            shown_while,
            card_states,
            untouched,
            player_states,
            known,
            rule_truth,
            turn,
            phase,
            versions,
        } = other;
        if self.versions.lying != versions.lying {
            self.objects.clone_from(objects);
            self.extras.clone_from(extras);
            self.copy_zones(zones.unnoted(), slab, versions);
        }
        if self.versions.sight != versions.sight {
            self.deciders.clone_from(deciders);
            self.memory.clone_from(memory);
            self.overseen.clone_from(overseen);
            self.held.clone_from(held);
            self.revealed.clone_from(revealed);
            self.shown_while.clone_from(shown_while);
        }
        self.batches = *batches;
        if self.versions.states != versions.states {
            self.copy_states(card_states.unnoted(), untouched, objects.unnoted().len());
            self.player_states.clone_from(player_states);
        } else {
            took(ShortWay::CopySharesStates);
        }
        if !known.is_empty() || !self.known.is_empty() {
            self.known.clone_from(known);
        }
        self.rule_truth.clone_from(rule_truth);
        (self.turn, self.phase, self.versions) = (*turn, *phase, *versions);
    }

    /// Whether another board has the same content. Parts with the same version are not compared.
    #[must_use]
    pub(crate) fn is_same(&self, other: &Board) -> bool {
        let Board {
            objects,
            zones,
            slab,
            extras,
            batches,
            deciders,
            memory,
            overseen,
            held,
            revealed,
            shown_while,
            card_states,
            untouched: _,
            player_states,
            known,
            rule_truth,
            turn,
            phase,
            versions,
        } = other;
        (self.turn, self.phase, self.batches) == (*turn, *phase, *batches)
            && self.rule_truth == *rule_truth
            && (self.versions.states == versions.states || (&self.card_states, &self.player_states) == (card_states, player_states))
            && (self.versions.lying == versions.lying
                || (&self.objects, &self.zones, &self.slab, &self.extras) == (objects, zones, slab, extras))
            && (self.versions.sight == versions.sight
                || (&self.deciders, &self.memory, &self.overseen, &self.held) == (deciders, memory, overseen, held)
                    && (&self.revealed, &self.shown_while) == (revealed, shown_while))
            && self.known == *known
    }

    /// Copies which cards lie where. Places with the same version are left alone. So is most of the slab: room that no card uses is the
    /// same on both boards (INVARIANT (slab-clean)).
    fn copy_zones(&mut self, zones: &Vec<Span>, slab: &Vec<ObjectId>, versions: &Versions) {
        let room = |span: &Span| (span.start, span.room);
        if self.slab.len() == slab.len() && self.zones.unnoted().iter().map(room).eq(zones.iter().map(room)) {
            for (place, (then, now)) in self.zones.unnoted().iter().zip(zones).enumerate() {
                if self.versions.place(place) == versions.place(place) {
                    continue;
                }
                let start = now.start as usize;
                let used = start..start + usize::from(then.len.max(now.len));
                if let (Some(to), Some(from)) = (self.slab.get_mut(used.clone()), slab.get(used)) {
                    to.copy_from_slice(from);
                }
            }
        } else {
            self.slab.clone_from(slab);
        }
        self.zones.unnoted_mut().clone_from(zones);
    }

    /// Copies the states of the first `cards` cards. Most cards have their first states on both boards and are skipped.
    fn copy_states(&mut self, states: &Vec<Value>, untouched: &Untouched, cards: usize) {
        let each = states.len().checked_div(cards).unwrap_or(0);
        if each == 0 || self.card_states.unnoted().len() != states.len() {
            self.card_states.unnoted_mut().clone_from(states);
        } else {
            let rows = self.card_states.unnoted_mut().chunks_mut(each).zip(states.chunks(each));
            for (_, (row, of)) in (0..).map(ObjectId).zip(rows).filter(|(id, _)| !(self.untouched.is(*id) && untouched.is(*id))) {
                row.clone_from_slice(of);
            }
        }
        self.untouched.copy_from(untouched);
    }
}
