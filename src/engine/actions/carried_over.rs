//! Keeps what lasts when a card moves: last-known information for later questions, and effects that continue to apply, if the move keeps
//! them.
//!
//! Input: a change before its cards leave, and the cards where they have arrived. The moves themselves are in
//! [`crate::actions::moves`].

use crate::actions::moves::Moving;
use crate::actions::perform::id_of;
use crate::fault::listed;
use crate::run::Run;
use crate::state::board::zone_of;
use crate::state::{Branch, Change};
use crate::steps::Observer;
use crate::value::{ObjectId, Place, Value};
use std::collections::BTreeSet;

impl<O: Observer> Run<'_, O> {
    /// Keeps the state of the cards of a change, and the effects that apply to them, before the cards leave.
    pub fn remember(&mut self, branch: &Branch, change: Change) {
        if !self.plan.keeps_gone && !self.plan.pins {
            return;
        }
        let mut one = None;
        let Some((cards, to)) = self.leaving(branch, change, &mut one) else { return };
        if self.plan.pins {
            self.note_applied(branch, cards, to);
        }
        if self.plan.keeps_gone {
            self.remember_all(cards.iter().filter_map(|card| id_of(*card)), to);
        }
    }

    /// The cards that a change takes out of their places, and their destination. `one` is memory for a single card.
    fn leaving<'a>(&self, branch: &'a Branch, change: Change, one: &'a mut Option<Value>) -> Option<(&'a [Value], Place)> {
        Some(match change {
            Change::MoveTop { from, to, .. } => {
                *one = self.state.board.end(true, from).map(|id| self.state.board.reference(id));
                (one.as_slice(), to)
            }
            Change::MoveCard { card, to, .. } => {
                *one = Some(card);
                (one.as_slice(), to)
            }
            Change::Move { start, len, to, .. } => (listed(&branch.lists, start, len), to),
            _ => return None,
        })
    }

    /// Notes the effects that apply to the cards, if the move keeps all of them.
    fn note_applied(&mut self, branch: &Branch, cards: &[Value], to: Place) {
        let to = zone_of(self.program, to).0;
        for card in cards.iter().copied() {
            let from = id_of(card).and_then(|id| self.state.board.object(id)).map(|object| zone_of(self.program, object.place).0);
            let applied = from.and_then(|from| self.program.moves.carry(from, to)).is_some_and(|carry| carry.applied);
            if applied && !self.state.board.is_over(card) {
                let effects = self.eval(branch).effects_on(card);
                let numbers = effects.into_iter().filter_map(|effect| if let Value::Effect(number) = effect { Some(number) } else { None });
                self.scratch.applied.extend(numbers.map(|number| (card, number)));
            }
        }
    }

    /// Lets the effects that applied to a card in its old place apply to it in its new place.
    pub(crate) fn keep_applied(&mut self, moving: &Moving) {
        let (was, now) = (Value::Object { id: moving.id, life: moving.life }, self.state.board.reference(moving.id));
        let mine = self.scratch.applied.extract_if(.., |(card, _)| *card == was).map(|(_, number)| number);
        for number in mine.collect::<Vec<u32>>() {
            self.state.effects.pin(number, now);
        }
    }

    pub(crate) fn remember_all(&mut self, cards: impl Iterator<Item = ObjectId>, to: Place) {
        if self.plan.follows {
            return self.remember_with_followers(cards.collect(), to);
        }
        for id in cards {
            let Some(from) = self.state.board.object(id).map(|object| object.place) else { continue };
            if self.plan.renews(self.program, from, to) {
                self.state.remember(self.program, id);
                self.scratch.remembered.push(id);
            }
        }
    }

    fn remember_with_followers(&mut self, mut cards: Vec<ObjectId>, to: Place) {
        self.remember_leaving(&cards, to);
        if !self.some_attached_to(|id| cards.contains(&id)) {
            return;
        }
        let mut seen: BTreeSet<ObjectId> = cards.iter().copied().collect();
        while !cards.is_empty() {
            let around: BTreeSet<ObjectId> = cards.iter().copied().collect();
            cards = self.attached_to(|host, _| around.contains(&host).then_some(())).into_iter().map(|(id, ())| id).collect();
            cards.retain(|id| seen.insert(*id));
            self.remember_leaving(&cards, to);
        }
    }

    /// Keeps the state of the cards whose life ends on their way to a place.
    fn remember_leaving(&mut self, cards: &[ObjectId], to: Place) {
        for id in cards {
            let from = self.state.board.object(*id).map(|object| object.place);
            if from.is_some_and(|from| self.plan.renews(self.program, from, self.destination(to, *id))) {
                self.state.remember(self.program, *id);
                self.scratch.remembered.push(*id);
            }
        }
    }

    /// Ends the moves of a change. Kept states of lives that did not end are dropped.
    pub(crate) fn end_moves(&mut self) {
        self.scratch.applied.clear();
        while let Some(id) = self.scratch.remembered.pop() {
            self.state.remember_no_more(id);
        }
    }
}
