//! Carrying cards in the lane: a card moves onto the top of another place, and immediate rules are looked at.
//!
//! What a move reads of the program stands in tables by place, card and state; nothing is looked for that lies on top.

use super::{Lane, Undo, Unfit, spot};
use crate::engine::board::{Board, Object};
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
    /// No card that could go there has a text.
    pub textless: bool,
    /// Where the move is made.
    pub site: Site,
    /// What immediate rules may wait for.
    pub watch: Watch,
}

/// Where a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// In a member of a lockstep that may meet others: somebody wants to know which places are changed.
    Noted,
    /// Nobody does.
    Apart,
    /// Nobody does, and a rule that the move calls for may be carried out there.
    Ruled,
}

/// What immediate rules may wait for when a card goes from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// None reads one of the places.
    Nothing,
    /// The only one that does waits until the place is empty that the card leaves; the board keeps here whether that was true.
    Emptied(u16),
    /// They have to be looked at.
    Something,
}

/// Places between which the ways are kept in a table; in a game with more of them they are worked out.
const PLACES_WITH_WAYS: usize = 64;

/// The ways between all places, by the place that a card leaves and the one that it comes to.
#[must_use]
pub fn ways(program: &Program, plan: &Plan) -> Vec<Way> {
    let places = 0..plan.places.len() as u16;
    if places.len() > PLACES_WITH_WAYS {
        return Vec::new();
    }
    let to = places.clone();
    places.flat_map(|from| to.clone().map(move |to| plan.worked_out_way(program, Place(from), Place(to)))).collect()
}

impl Plan {
    /// The way of cards from one place to another.
    #[must_use]
    #[inline]
    pub fn way(&self, program: &Program, from: Place, to: Place, face: FaceChange) -> Way {
        let way = self.way_as_zone(program, from, to);
        match face {
            FaceChange::Up => Way { face_up: true, ..way },
            FaceChange::Down => Way { face_up: false, ..way },
            FaceChange::AsZone => way,
        }
    }

    /// The same where it is known how cards lie after it.
    #[must_use]
    #[inline]
    pub fn way_to(&self, program: &Program, from: Place, to: Place, face_up: bool) -> Way {
        Way { face_up, ..self.way_as_zone(program, from, to) }
    }

    #[inline]
    fn way_as_zone(&self, program: &Program, from: Place, to: Place) -> Way {
        let way = self.ways.get(usize::from(from.0) * self.places.len() + usize::from(to.0));
        way.copied().unwrap_or_else(|| self.worked_out_way(program, from, to))
    }

    #[inline(never)]
    fn worked_out_way(&self, program: &Program, from: Place, to: Place) -> Way {
        let mut reading = self.rules.iter().filter(|rule| rule.reads & (bit(from) | bit(to)) != 0);
        let watch = match (reading.next(), reading.next()) {
            (None, _) => Watch::Nothing,
            (Some(only), None) if only.empty == Some(from) => u16::try_from(only.truth).map_or(Watch::Something, Watch::Emptied),
            _ => Watch::Something,
        };
        let (face_up, renews) = (self.place(to).face_up, self.renews(program, from, to));
        Way { from, to, face_up, renews, textless: self.textless, site: Site::Noted, watch }
    }
}

impl<O: Observer> Run<'_, O> {
    /// Moves a card onto the top of a place; the places that changed.
    #[inline]
    pub(super) fn relocate(&mut self, id: ObjectId, to: Place, face: FaceChange) -> Result<u64, Unfit> {
        if self.plan.moves_are_recorded {
            return Err(Unfit);
        }
        let Object { place: from, life, .. } = *self.state.board.object(id).ok_or(Unfit)?;
        self.carry((id, life), self.plan.way(self.program, from, to, face))?;
        Ok(bit(from) | bit(to))
    }

    /// Moves a card onto the top of another place; `false`, with nothing changed, where it does not lie in the first in that life.
    #[inline(always)] // at its few callers much of the way is known
    pub(super) fn carry(&mut self, (id, life): (ObjectId, u32), way: Way) -> Result<bool, Unfit> {
        let Board { zones, slab, objects, .. } = &mut self.state.board;
        let Ok([from, to]) = zones.get_disjoint_mut([usize::from(way.from.0), usize::from(way.to.0)]) else { return Err(Unfit) };
        let object = objects.get_mut(usize::from(id.0)).ok_or(Unfit)?;
        if object.place != way.from || object.life != life {
            return Ok(false);
        }
        let (start, onto) = (from.start as usize, to.start as usize + usize::from(to.len));
        if to.len >= to.room || onto >= slab.len() || !way.textless && self.plan.card(object.card).statics {
            return Err(Unfit);
        }
        let cards = slab.get_mut(start..start + usize::from(from.len)).ok_or(Unfit)?;
        // Those above it come down, the top one first.
        let (mut taken, mut at) = (ObjectId(0), usize::from(from.len));
        for slot in cards.iter_mut().rev() {
            std::mem::swap(slot, &mut taken);
            at -= 1;
            if taken.0 == id.0 {
                break;
            }
        }
        if taken.0 != id.0 {
            // It does not lie where it says: they go up again.
            cards.iter_mut().for_each(|slot| std::mem::swap(slot, &mut taken));
            return Err(Unfit);
        }
        if let Some(slot) = slab.get_mut(onto) {
            *slot = id;
        }
        (from.len, to.len) = (from.len.wrapping_sub(1), to.len.wrapping_add(1));
        let undo = Undo::left(id, object, at);
        Self::arrives(&mut self.scratch.lane, object, undo, way);
        if way.renews {
            object.life = life.wrapping_add(1);
            self.begins_anew(id)?;
        }
        Ok(true)
    }

    /// Moves the top card of a place; whether there is one.
    #[inline(always)]
    pub(super) fn carry_top(&mut self, way: Way) -> Result<bool, Unfit> {
        let Board { zones, slab, objects, .. } = &mut self.state.board;
        let Ok([from, to]) = zones.get_disjoint_mut([usize::from(way.from.0), usize::from(way.to.0)]) else { return Err(Unfit) };
        let Some(top) = from.len.checked_sub(1) else { return Ok(false) };
        let places = [from.start as usize + usize::from(top), to.start as usize + usize::from(to.len)];
        let Ok([left, onto]) = slab.get_disjoint_mut(places) else { return Err(Unfit) };
        let id = *left;
        let object = objects.get_mut(usize::from(id.0)).ok_or(Unfit)?;
        if to.len >= to.room || !way.textless && self.plan.card(object.card).statics {
            return Err(Unfit);
        }
        (*left, *onto) = (ObjectId(0), id);
        (from.len, to.len) = (top, to.len.wrapping_add(1));
        let undo = Undo::left(id, object, usize::from(top));
        Self::arrives(&mut self.scratch.lane, object, undo, way);
        if way.renews {
            object.life = object.life.wrapping_add(1);
            self.begins_anew(id)?;
        }
        Ok(true)
    }

    /// A card lies in another place now, as it does there.
    #[inline(always)]
    fn arrives(lane: &mut Lane, object: &mut Object, undo: Undo, way: Way) {
        if way.site == Site::Noted {
            lane.log(spot(way.from) | spot(way.to), undo);
        } else {
            lane.log_unnoted(undo);
        }
        (object.face_up, object.shown, object.place) = (way.face_up, 0, way.to);
    }

    /// Moves all cards of a place, the bottom one first; how many there were.
    pub(super) fn carry_all(&mut self, way: Way) -> Result<u16, Unfit> {
        let Board { zones, slab, objects, .. } = &mut self.state.board;
        let Ok([from, to]) = zones.get_disjoint_mut([usize::from(way.from.0), usize::from(way.to.0)]) else { return Err(Unfit) };
        let (start, end, cards) = (from.start as usize, to.start as usize + usize::from(to.len), from.len);
        if to.room - to.len < cards {
            return Err(Unfit);
        }
        // Nothing has moved yet that the log does not know when one of them does not fit: so they do before they are moved.
        let textless = |id: &ObjectId| objects.get(usize::from(id.0)).is_some_and(|object| !self.plan.card(object.card).statics);
        let row = start..start + usize::from(cards);
        if !way.textless && !slab.get(row.clone()).ok_or(Unfit)?.iter().all(textless) || slab.len() < end + usize::from(cards) {
            return Err(Unfit);
        }
        (from.len, to.len) = (0, to.len + cards);
        slab.copy_within(row.clone(), end);
        slab.get_mut(row).ok_or(Unfit)?.fill(ObjectId(0));
        for id in slab.get(end..end + usize::from(cards)).ok_or(Unfit)? {
            let Some(object) = objects.get_mut(usize::from(id.0)) else { continue };
            // The bottom one each time: so it is undone.
            let undo = Undo::left(*id, object, 0);
            Self::arrives(&mut self.scratch.lane, object, undo, way);
            object.life = object.life.wrapping_add(u32::from(way.renews));
        }
        if way.renews && !self.plan.card_states.is_empty() {
            for at in end..end + usize::from(cards) {
                let id = *self.state.board.slab.get(at).ok_or(Unfit)?;
                self.begins_anew(id)?;
            }
        }
        Ok(cards)
    }

    /// A move has been made: a rule that it calls for takes the long way.
    #[inline(always)]
    pub(super) fn carried(&mut self, way: Way) -> Result<(), Unfit> {
        self.scratch.lane.round += 1;
        self.state.effects.now = self.state.effects.next;
        match way.watch {
            Watch::Nothing => Ok(()),
            Watch::Emptied(truth) if self.is_not_emptied(way.from, truth) => Ok(()),
            Watch::Emptied(_) | Watch::Something => self.calls_for_no_rule(bit(way.from) | bit(way.to)),
        }
    }

    /// A place is not empty, and was not when somebody looked last.
    #[inline]
    fn is_not_emptied(&self, place: Place, truth: u16) -> bool {
        self.state.board.count(place) != 0 && self.state.board.rule_truth.get(usize::from(truth)) == Some(&false)
    }

    /// A card is new where it lies now: its states are what they are at first. Somebody may ask what it was when its life ended; no
    /// effect is in force here, so that is what its states were.
    #[inline]
    fn begins_anew(&mut self, id: ObjectId) -> Result<(), Unfit> {
        let first = usize::from(id.0) * self.plan.states.len();
        let mut asked = self.program.late.place;
        for state in &self.plan.card_states {
            let at = first + usize::from(state.at);
            let Some(slot) = self.state.board.card_states.get_mut(at).filter(|slot| !slot.is_same(state.initial)) else { continue };
            asked |= state.late;
            self.scratch.lane.log(0, Undo::CardState(at as u32, std::mem::replace(slot, state.initial)));
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
        if dirty & self.plan.ruled == 0 { Ok(()) } else { self.calls_for_no_rule(dirty) }
    }

    #[inline(never)]
    fn calls_for_no_rule(&mut self, dirty: u64) -> Result<(), Unfit> {
        if self.are_not_empty(dirty) {
            return Ok(());
        }
        self.look_for_due_rules(dirty, false);
        if self.scratch.due.is_empty() { Ok(()) } else { Err(Unfit) }
    }

    /// Every rule that reads those places waits for nothing but that one of them is empty, and it was not and is not.
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
}
