//! Moves of cards in the lane: onto the top of another place, with a check of immediate rules.
//!
//! Everything that a move reads of the program is in tables by place, card and state.

use super::{Lane, Undo, Unfit, place_bit};
use crate::engine::actions::change::bit;
use crate::engine::observe::Observer;
use crate::engine::plan::Plan;
use crate::engine::program::Program;
use crate::engine::run::Run;
use crate::engine::state::FaceChange;
use crate::engine::state::board::{Board, Object};
use crate::engine::value::{ObjectId, Place, Player};

/// What is known before the game about moves from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    pub from: Place,
    pub to: Place,
    /// Whether cards lie face up after the move.
    pub face_up: bool,
    /// Whether a card is a new object after the move.
    pub renews: bool,
    /// The player of the second place, if this player controls its cards. A card that somebody else owns does not fit.
    pub controller: Option<Player>,
    /// Whether no card of the game has abilities. Otherwise a card with clauses does not fit.
    pub textless: bool,
    /// Where in a track the move is made.
    pub site: Site,
    /// Which immediate rules can become due by the move.
    pub watch: Watch,
}

/// Where in a track a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// In a member of a lockstep that may affect other members. The changed places are noted.
    Noted,
    /// Outside of such a member. The changed places are not noted.
    Apart,
    /// Outside of such a member. A rule that becomes due by the move may be carried out on the line.
    Ruled,
}

/// Which immediate rules can become due by a move from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// None: no rule reads one of the places.
    Nothing,
    /// One rule, which becomes due when the first place is empty. The number is its index in `Board::rule_truth`.
    Emptied(u16),
    /// Others: the rules must be checked.
    Something,
}

/// The greatest number of places for which the ways are kept in a table. In a game with more places each way is worked out when it is
/// needed.
const PLACES_WITH_WAYS: usize = 64;

/// The ways between all places, sorted by the first place, then by the second.
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

    /// The way of cards from one place to another, with the given face.
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
        let controller = program.controller_in(to);
        Way { from, to, face_up, renews, controller, textless: self.textless, site: Site::Noted, watch }
    }
}

impl<O: Observer> Run<'_, O> {
    /// Moves a card onto the top of a place. The result: the bits of the changed places.
    #[inline]
    pub(super) fn relocate(&mut self, id: ObjectId, to: Place, face: FaceChange) -> Result<u64, Unfit> {
        if self.plan.moves_are_recorded {
            return Err(Unfit);
        }
        let Object { place: from, life, .. } = *self.state.board.object(id).ok_or(Unfit)?;
        self.carry((id, life), self.plan.way(self.program, from, to, face))?;
        Ok(bit(from) | bit(to))
    }

    /// Moves a card from the first place of the way onto the top of the second. `false`, with nothing changed, if the card is not in the
    /// first place in the meant life.
    #[inline(always)] // at its few callers most of the way is a constant
    pub(super) fn carry(&mut self, (id, life): (ObjectId, u32), way: Way) -> Result<bool, Unfit> {
        let Board { zones, slab, objects, .. } = &mut self.state.board;
        let Ok([from, to]) = zones.get_disjoint_mut([usize::from(way.from.0), usize::from(way.to.0)]) else { return Err(Unfit) };
        let object = objects.get_mut(usize::from(id.0)).ok_or(Unfit)?;
        if object.place != way.from || object.life != life {
            return Ok(false);
        }
        let (start, onto) = (from.start as usize, to.start as usize + usize::from(to.len));
        if way.controller.is_some_and(|by| by != object.owner) {
            return Err(Unfit);
        }
        if to.len >= to.room || onto >= slab.len() || !way.textless && self.plan.card(object.card).statics {
            return Err(Unfit);
        }
        let cards = slab.get_mut(start..start + usize::from(from.len)).ok_or(Unfit)?;
        // The cards above it move down by one, the top card first.
        let (mut taken, mut at) = (ObjectId(0), usize::from(from.len));
        for slot in cards.iter_mut().rev() {
            std::mem::swap(slot, &mut taken);
            at -= 1;
            if taken.0 == id.0 {
                break;
            }
        }
        if taken.0 != id.0 {
            // The card is not where its object says: the cards move up again.
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

    /// Moves the top card of a place. `false` if the place is empty.
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

    /// Updates the object of a moved card, and logs the move.
    #[inline(always)]
    fn arrives(lane: &mut Lane, object: &mut Object, undo: Undo, way: Way) {
        if way.site == Site::Noted {
            lane.log(place_bit(way.from) | place_bit(way.to), undo);
        } else {
            lane.log_unnoted(undo);
        }
        (object.face_up, object.shown, object.place) = (way.face_up, 0, way.to);
    }

    /// Moves all cards of a place, the bottom card first. The result: how many.
    pub(super) fn carry_all(&mut self, way: Way) -> Result<u16, Unfit> {
        let Board { zones, slab, objects, .. } = &mut self.state.board;
        let Ok([from, to]) = zones.get_disjoint_mut([usize::from(way.from.0), usize::from(way.to.0)]) else { return Err(Unfit) };
        let (start, end, cards) = (from.start as usize, to.start as usize + usize::from(to.len), from.len);
        if to.room - to.len < cards {
            return Err(Unfit);
        }
        // If a card does not fit, nothing that is not logged may have changed. So the cards are checked before they are moved.
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
            // The log puts the cards back in reverse order, each at the bottom.
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

    /// Called when a move has been made. If a rule is due, the move does not fit.
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

    /// Whether a place is not empty and was not empty at the last check.
    #[inline]
    fn is_not_emptied(&self, place: Place, truth: u16) -> bool {
        self.state.board.count(place) != 0 && self.state.board.rule_truth.get(usize::from(truth)) == Some(&false)
    }

    /// Makes a card a new object: its states get their initial values. Does not fit if the program may read the old states later.
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

    /// Called when a change has been made. If a rule is due, the change does not fit.
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

    /// Whether none of the rules that read one of these places is due. The lane knows this if each of these rules only waits for a place
    /// to be empty. The place must not be empty now, and must not have been empty at the last check.
    fn are_not_empty(&self, dirty: u64) -> bool {
        let board = &self.state.board;
        self.plan.rules.iter().filter(|rule| rule.reads & dirty != 0).all(|rule| {
            let lies = rule.empty.is_some_and(|place| {
                self.scratch.lane.read(place_bit(place));
                board.count(place) != 0
            });
            lies && board.rule_truth.get(rule.truth) == Some(&false)
        })
    }
}
