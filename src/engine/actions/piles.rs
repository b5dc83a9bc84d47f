//! Turns cards over, shuffles a zone, and puts cards into an order.

use crate::actions::perform::id_of;
use crate::bits::PlaceSet;
use crate::fault::listed;
use crate::program::Builtin;
use crate::run::Run;
use crate::state::{Branch, State};
use crate::steps::Observer;
use crate::value::{ObjectId, Place, Value};

impl<O: Observer> Run<'_, O> {
    pub(super) fn turn_cards(&mut self, branch: &mut Branch, at: u16, start: u32, len: u16, up: bool) {
        let verb = if up { Builtin::TurnUp } else { Builtin::TurnDown };
        for index in start..start + u32::from(len) {
            let Some(card @ Value::Object { id, life }) = branch.lists.get(index as usize).copied() else { continue };
            let Some(object) = self.state.board.object(id).filter(|object| object.life == life) else { continue };
            let (place, statics) = (object.place, self.plan.card(object.card).statics);
            let knew = self.state.board.knowers(self.program, id);
            self.state.board.versions.touch_place(place);
            if let Some(object) = self.state.board.objects.get_mut(usize::from(id.0)) {
                object.face_up = up;
            }
            if !self.state.board.memory.is_empty() {
                self.state.board.remember_arrival(self.program, id, Place::NOWHERE, knew);
            }
            if statics {
                self.renew(id);
            }
            self.state.control.changed_in(place);
            if self.is_told(verb) {
                let args = [card, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
                self.emit(branch, at, branch.now(), verb.verb(), args);
            }
        }
        self.set_done(branch, at, true);
    }

    pub(super) fn shuffle(&mut self, branch: &mut Branch, at: u16, place: Place) {
        self.state.control.written.places(PlaceSet::of(place));
        self.state.board.forget_order(place, u8::MAX);
        let fixed = self.state.fixed_shuffles.iter().position(|(of, _)| *of == place);
        if let Some(index) = fixed {
            let (_, top_first) = self.state.fixed_shuffles.remove(index);
            self.lay_down(place, &top_first);
        } else {
            let State { board, generator, .. } = &mut *self.state;
            generator.shuffle(board.cards_mut(place));
            self.counts_many(self.state.board.cards(place).len());
        }
        self.shuffled_are_hidden(branch, place);
        if self.program.policies.shuffled_are_lost {
            self.lose(place);
        }
        if self.is_told(Builtin::Shuffle) {
            let args = [Value::Zone(place), Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
            self.emit(branch, at, branch.now(), Builtin::Shuffle.verb(), args);
        }
        self.carried_out(branch);
    }

    /// Makes all cards of a place new objects, so that references to them are lost. Static effects of these cards end and begin again.
    fn lose(&mut self, place: Place) {
        self.state.board.lose(place);
        for at in 0..self.state.board.cards(place).len() {
            let Some(id) = self.state.board.cards(place).get(at).copied() else { return };
            if self.state.board.object(id).is_some_and(|object| self.plan.card(object.card).statics) {
                self.renew(id);
            }
        }
    }

    /// Puts the named cards of a place on its top, the first one topmost. If a named card lies elsewhere, another copy of it in this place
    /// is used.
    fn lay_down(&mut self, place: Place, top_first: &[ObjectId]) {
        let copies: Vec<_> = self.state.board.objects.iter().map(|object| object.card).collect();
        let is_copy = |id: ObjectId, of: ObjectId| copies.get(usize::from(id.0)) == copies.get(usize::from(of.0));
        let cards = self.state.board.cards_mut(place);
        let mut end = cards.len();
        for wanted in top_first {
            let left = cards.get(..end).unwrap_or(&[]);
            let free = |id: &ObjectId| is_copy(*id, *wanted) && !top_first.contains(id);
            let found = left.iter().rposition(|id| id == wanted).or_else(|| left.iter().rposition(free));
            let Some(at) = found else { continue };
            if let Some(part) = cards.get_mut(at..end) {
                part.rotate_left(1);
                end -= 1;
            }
        }
    }

    pub(super) fn put_in_order(&mut self, branch: &mut Branch, at: u16, start: u32, len: u16, place: Place) {
        let cards = listed(&branch.lists, start, len);
        let ids: Vec<ObjectId> = cards.iter().filter_map(|card| id_of(*card)).collect();
        self.state.control.written.places(PlaceSet::of(place));
        self.lay_down(place, &ids);
        let you = branch.frames.last().map_or(0, |frame| frame.you.bit());
        self.state.board.forget_order(place, !you);
        if O::ON || self.record_all {
            let args =
                [Value::Zone(place), Value::List { start, len }, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
            self.emit(branch, at, branch.now(), Builtin::Order.verb(), args);
        }
        self.set_done(branch, at, true);
    }
}
