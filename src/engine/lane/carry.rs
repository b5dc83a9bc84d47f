//! Carrying cards in the lane: a card moves onto the top of another place, and immediate rules are looked at.
//!
//! What a move reads of the program stands in tables by place, card and state; nothing is looked for that lies on top.

use super::{Undo, Unfit, spot};
use crate::engine::board::Board;
use crate::engine::change::bit;
use crate::engine::observe::Observer;
use crate::engine::plan::Plan;
use crate::engine::program::Program;
use crate::engine::run::Run;
use crate::engine::state::FaceChange;
use crate::engine::value::{ObjectId, Place};

/// What is known beforehand of moves from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    pub from: Place,
    pub to: Place,
    /// Cards lie face up after it.
    pub face_up: bool,
    /// A card is a new object there.
    pub renews: bool,
    /// Some immediate rule reads one of the places.
    pub ruled: bool,
}

impl Plan {
    /// The way of cards from one place to another.
    #[must_use]
    #[inline]
    pub fn way(&self, program: &Program, from: Place, to: Place, face: FaceChange) -> Way {
        let face_up = match face {
            FaceChange::Up => true,
            FaceChange::Down => false,
            FaceChange::AsZone => self.place(to).face_up,
        };
        self.way_to(program, from, to, face_up)
    }

    /// The same where it is known how cards lie after it.
    #[must_use]
    #[inline]
    pub fn way_to(&self, program: &Program, from: Place, to: Place, face_up: bool) -> Way {
        Way { from, to, face_up, renews: self.renews(program, from, to), ruled: (bit(from) | bit(to)) & self.ruled != 0 }
    }
}

impl<O: Observer> Run<'_, O> {
    /// Moves a card onto the top of a place; the places that changed.
    #[inline]
    pub(super) fn relocate(&mut self, id: ObjectId, to: Place, face: FaceChange) -> Result<u64, Unfit> {
        let from = self.state.board.object(id).ok_or(Unfit)?.place;
        let at = self.state.board.cards(from).iter().rposition(|other| other.0 == id.0).ok_or(Unfit)?;
        self.carry(at, self.plan.way(self.program, from, to, face))?;
        Ok(bit(from) | bit(to))
    }

    /// Moves the card that lies there in its place onto the top of another place.
    #[inline(always)] // at its few callers much of the way is known
    pub(super) fn carry(&mut self, at: usize, way: Way) -> Result<(), Unfit> {
        let Board { zones, slab, objects, .. } = &mut self.state.board;
        let from = *zones.get(usize::from(way.from.0)).ok_or(Unfit)?;
        let to = *zones.get(usize::from(way.to.0)).filter(|span| span.len < span.room).ok_or(Unfit)?;
        let (start, last) = (from.start as usize, usize::from(from.len.wrapping_sub(1)));
        let id = *slab.get(start + at).ok_or(Unfit)?;
        let object = objects.get_mut(usize::from(id.0)).ok_or(Unfit)?;
        let before = *object;
        if self.plan.card(before.card).statics || self.plan.moves_are_recorded || at > last {
            return Err(Unfit);
        }
        (object.face_up, object.shown, object.place) = (way.face_up, 0, way.to);
        object.life += u32::from(way.renews);
        if at < last
            && let Some(cards) = slab.get_mut(start + at..=start + last)
        {
            cards.copy_within(1.., 0);
        }
        if let Some(slot) = slab.get_mut(start + last) {
            *slot = ObjectId(0);
        }
        if let Some(slot) = slab.get_mut(to.start as usize + usize::from(to.len)) {
            *slot = id;
        }
        if let Some(span) = zones.get_mut(usize::from(way.from.0)) {
            span.len = last as u16;
        }
        if let Some(span) = zones.get_mut(usize::from(way.to.0)) {
            span.len = to.len + 1;
        }
        self.scratch.lane.note(spot(way.from) | spot(way.to), Undo::Left { id, before, at: at as u32 });
        if way.renews && !self.plan.card_states.is_empty() {
            self.begins_anew(id)?;
        }
        Ok(())
    }

    /// A move has been made: a rule that it calls for takes the long way.
    #[inline(always)]
    pub(super) fn carried(&mut self, way: Way) -> Result<(), Unfit> {
        self.scratch.lane.round += 1;
        self.state.effects.now = self.state.effects.next;
        if !way.ruled {
            return Ok(());
        }
        let dirty = bit(way.from) | bit(way.to);
        if self.are_not_empty(dirty) { Ok(()) } else { self.calls_for_no_rule(dirty) }
    }

    /// A card is new where it lies now: its states are what they are at first. Somebody may ask what it was when its life ended; no
    /// effect is in force here, so that is what its states were.
    #[inline(never)]
    fn begins_anew(&mut self, id: ObjectId) -> Result<(), Unfit> {
        let first = usize::from(id.0) * self.plan.states.len();
        let mut asked = self.program.late.place;
        for state in &self.plan.card_states {
            let at = first + usize::from(state.at);
            let Some(slot) = self.state.board.card_states.get_mut(at).filter(|slot| !slot.is_same(state.initial)) else { continue };
            asked |= state.late;
            self.scratch.lane.note(0, Undo::CardState(at as u32, std::mem::replace(slot, state.initial)));
        }
        if asked { Err(Unfit) } else { Ok(()) }
    }

    /// A change has been made: a rule that it calls for takes the long way.
    #[inline]
    pub(super) fn changed(&mut self, dirty: u64) -> Result<(), Unfit> {
        if dirty == 0 {
            return Ok(());
        }
        self.scratch.lane.round += 1;
        self.state.effects.now = self.state.effects.next;
        if dirty & self.plan.ruled == 0 || self.are_not_empty(dirty) { Ok(()) } else { self.calls_for_no_rule(dirty) }
    }

    /// Every rule that reads those places waits for nothing but that one of them is empty, and it was not and is not.
    #[inline]
    fn are_not_empty(&self, dirty: u64) -> bool {
        let board = &self.state.board;
        self.plan.rules.iter().filter(|rule| rule.reads & dirty != 0).all(|rule| {
            let lies = rule.empty.is_some_and(|place| {
                self.scratch.lane.read(spot(place));
                board.count(place) != 0
            });
            lies && board.rule_truth.get(rule.truth) == Some(&false)
        })
    }

    #[inline(never)]
    fn calls_for_no_rule(&mut self, dirty: u64) -> Result<(), Unfit> {
        self.look_for_due_rules(dirty);
        if self.scratch.due.is_empty() { Ok(()) } else { Err(Unfit) }
    }
}
