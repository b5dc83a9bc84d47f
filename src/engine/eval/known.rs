//! Values that effects lead to, kept as long as the position stays: the changes of a field of a card, the controller of a card, and the
//! value of an expression of a clause that depends on nothing outside of itself.
//!
//! In a game without layers a value is worked out anew wherever it is read, together with everything that it leads to. With many effects in
//! force that would be the same work again and again. A value is kept only if it does not stand in a circle: working it out has met no effect
//! that was being read further out. It is used again only where none of the effects that it has met is being read. So a kept value is always
//! the value that would be found there. Debug builds work some of them out again and compare.
//!
//! What a kept value has cost does not count for the limits on effects that read one another (docs/kernel/effects.md), because only circles
//! multiply the work.

use crate::bits::{PlaceSet, StateSet};
use crate::effects::circles;
use crate::eval::Eval;
use crate::eval::changes::Changes;
use crate::eval::unread;
use crate::ids::{FieldId, NodeId};
use crate::limits::WORK_OF_A_LOOK;
use crate::program::{ChangeKind, ClauseDef};
use crate::short_ways::{ShortWay, took};
use crate::state::board::Versions;
use crate::state::readings;
use crate::value::{Player, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;

/// From this many effects in force on, values are kept.
const MANY_EFFECTS: usize = 12;

/// The most values that are kept.
const MOST_VALUES: usize = 1 << 16;

/// What a kept value is the value of, and the player in a trial run for whom it was worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Asked(What, Option<Player>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    /// The changes of a field.
    Changes(Value, FieldId),
    /// The controller of a card.
    Controller(Value),
    /// An expression in the clause of an effect, for a controller of the effect.
    Expression(u32, NodeId, Player),
}

/// A set of effects, by their places in the row of effects.
type Met = SmallVec<[u64; 8]>;

/// A kept value.
#[derive(Clone, Debug)]
struct Kept {
    changes: Changes,
    met: Met,
    /// How many effects were read within one another at most.
    depth: usize,
    /// How many effects were read.
    readings: u32,
    /// Whether a card was read that the player of the trial run may not see.
    peeked: bool,
}

/// A value that is being worked out.
#[derive(Debug)]
struct Frame {
    /// How many effects are being read around it.
    outside: usize,
    met: Met,
    /// The place of the outermost effect that was met again while it was being read.
    returns_at: usize,
    depth: usize,
    readings: u32,
    /// Whether the value depends on more than the board and the effects, or is not sure.
    unsure: bool,
    /// The counts before, and the position.
    before: (u32, u32),
    position: u64,
}

/// The position to which the kept values belong.
#[derive(Debug)]
struct Position {
    versions: Versions,
    effects: (u64, u32, usize, usize),
    /// The states that clauses in force read.
    states: StateSet,
}

#[derive(Debug, Default)]
struct Known {
    position: Option<Position>,
    /// A number for the position.
    number: u64,
    kept: FxHashMap<Asked, Kept>,
    frames: Vec<Frame>,
    /// How many kept values were used. Only debug builds count them.
    #[cfg(debug_assertions)]
    hits: u32,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Notes for the values that are being worked out that an effect is read. `place`: its place in the row of effects.
fn note_met(frames: &mut [Frame], place: usize, outside: usize, unsure: bool) {
    let Some(frame) = frames.last_mut() else { return };
    let word = place / 64;
    if frame.met.len() <= word {
        frame.met.resize(word + 1, 0);
    }
    if let Some(bits) = frame.met.get_mut(word) {
        *bits |= 1 << (place % 64);
    }
    frame.depth = frame.depth.max(outside + 1 - frame.outside.min(outside + 1));
    frame.readings += 1;
    frame.unsure |= unsure;
}

impl<'a> Eval<'a> {
    /// Whether values are kept here.
    fn keeps_values(&self) -> bool {
        let effects = &self.state.effects;
        effects.in_force.len() >= MANY_EFFECTS
            && self.program.layers.is_empty()
            && (effects.shielding, effects.supposed, effects.arranged, self.as_held) == (0, 0, false, false)
            && !readings::are_noted()
            && !unread::is_noting()
            && !circles::is_noting()
    }

    /// The changes of a field of a card or player.
    pub(super) fn known_changes(&mut self, of: Value, field: FieldId, find: impl FnMut(&mut Self) -> Changes) -> Changes {
        self.known(What::Changes(of, field), find)
    }

    /// The controller of a card, where effects give control.
    pub(super) fn known_controller(&mut self, card: Value, mut find: impl FnMut(&mut Self) -> Player) -> Player {
        let found = self.known(What::Controller(card), |eval| Changes::from_elem((ChangeKind::Set, find(eval).value()), 1));
        found.first().and_then(|(_, player)| player.player()).unwrap_or(Player::NOBODY)
    }

    /// The value of an expression that goes through a set. In the clause of an effect it is kept if it depends on nothing outside of itself.
    #[inline]
    pub(super) fn known_value(&mut self, node: NodeId, mut find: impl FnMut(&mut Self) -> Value) -> Value {
        // Most expressions are read outside of effects.
        if self.readings > 0 { self.value_in_effect(node, &mut find) } else { find(self) }
    }

    #[inline(never)]
    fn value_in_effect(&mut self, node: NodeId, find: &mut dyn FnMut(&mut Self) -> Value) -> Value {
        match self.of_effect.filter(|effect| self.is_apart(*effect, node)) {
            None => find(self),
            Some(effect) => {
                let what = What::Expression(effect, node, self.you);
                let found = self.known(what, |eval| Changes::from_elem((ChangeKind::Set, find(eval)), 1));
                found.first().map_or(Value::Undefined, |(_, value)| *value)
            }
        }
    }

    /// Whether an expression of an effect's clause depends on nothing around it in the clause.
    fn is_apart(&self, effect: u32, node: NodeId) -> bool {
        if !self.keeps_values() {
            return false;
        }
        let clause = self.state.effects.get(effect).and_then(|effect| self.program.clauses.get(effect.clause));
        clause.is_some_and(|clause| clause.reads.apart.iter().any(|(apart, least)| *apart == node && usize::from(*least) >= self.depth))
    }

    fn known(&mut self, what: What, mut find: impl FnMut(&mut Self) -> Changes) -> Changes {
        if !self.keeps_values() {
            return find(self);
        }
        let asked = Asked(what, self.watcher);
        if let Some((changes, peeked)) = self.recall(asked) {
            took(ShortWay::KnownValue);
            self.state.effects.asked.work.add(WORK_OF_A_LOOK);
            self.peeked |= peeked;
            #[cfg(debug_assertions)]
            self.assert_known(&changes, &mut find);
            return changes;
        }
        let effects = &self.state.effects;
        if effects.depth.is_deep() {
            return find(self);
        }
        self.begin_frame();
        let (peeked, overflow) = (std::mem::take(&mut self.peeked), std::mem::take(&mut self.overflow));
        let changes = find(self);
        self.end_frame(asked, &changes);
        self.peeked |= peeked;
        self.overflow |= overflow;
        changes
    }

    /// Debug builds work some kept values out again. (On a large board this would take too long.)
    #[cfg(debug_assertions)]
    fn assert_known(&mut self, changes: &Changes, find: &mut dyn FnMut(&mut Self) -> Changes) {
        const ONE_OF: u32 = 61;
        const FEW_EFFECTS: usize = 48;
        let due = KNOWN.with_borrow_mut(|known| {
            known.hits = known.hits.wrapping_add(1);
            known.hits % ONE_OF == 1 && known.frames.is_empty()
        });
        if !due || self.readings > 0 || self.state.effects.in_force.len() > FEW_EFFECTS {
            return;
        }
        let kept = KNOWN.with_borrow_mut(|known| std::mem::take(&mut known.kept));
        let before = self.state.effects.asked.within();
        let again = find(self);
        self.state.effects.asked.restore_count(before);
        KNOWN.with_borrow_mut(|known| known.kept = kept);
        debug_assert_eq!(again, *changes, "a kept value is not what is found");
    }

    /// A kept value that is right here.
    fn recall(&self, asked: Asked) -> Option<(Changes, bool)> {
        KNOWN.with_borrow_mut(|known| {
            known.come_to(self);
            let kept = known.kept.get(&asked)?;
            let reading = self.reading.get(..self.readings).unwrap_or(&[]);
            let effects = &self.state.effects;
            let is_met = |number: &u32| {
                let place = effects.in_force.binary_search_by_key(number, |effect| effect.number).unwrap_or(usize::MAX);
                kept.met.get(place / 64).is_some_and(|bits| bits & 1 << (place % 64) != 0)
            };
            if !effects.depth.would_allow(self.readings + kept.depth, kept.readings) || reading.iter().any(is_met) {
                return None;
            }
            effects.depth.spend(kept.readings);
            let found = (kept.changes.clone(), kept.peeked);
            let (met, depth, number) = (kept.met.clone(), kept.depth, kept.readings);
            if let Some(frame) = known.frames.last_mut() {
                frame.take_over(&met, self.readings + depth, number);
            }
            Some(found)
        })
    }

    fn begin_frame(&self) {
        KNOWN.with_borrow_mut(|known| {
            let frame = Frame {
                outside: self.readings,
                met: Met::new(),
                returns_at: usize::MAX,
                depth: 0,
                readings: 0,
                unsure: false,
                before: self.state.effects.asked.within(),
                position: known.number,
            };
            known.frames.push(frame);
        });
    }

    fn end_frame(&self, asked: Asked, changes: &Changes) {
        KNOWN.with_borrow_mut(|known| {
            let Some(mut frame) = known.frames.pop() else { return };
            frame.unsure |= self.overflow || self.state.effects.asked.too_much().is_some();
            if let Some(around) = known.frames.last_mut() {
                around.take_over(&frame.met, frame.outside + frame.depth, frame.readings);
                around.returns_at = around.returns_at.min(frame.returns_at);
                around.unsure |= frame.unsure;
            }
            if frame.unsure || frame.returns_at < frame.outside || frame.position != known.number {
                return;
            }
            self.state.effects.asked.restore_count(frame.before);
            if known.kept.len() < MOST_VALUES {
                let Frame { met, depth, readings, .. } = frame;
                known.kept.insert(asked, Kept { changes: changes.clone(), met, depth, readings, peeked: self.peeked });
            }
        });
    }

    /// Notes that an effect is read, for the values that are being worked out.
    #[inline]
    pub(super) fn note_reading(&self, effect: u32) {
        if self.program.layers.is_empty() && self.state.effects.in_force.len() >= MANY_EFFECTS {
            self.note_reading_of(effect);
        }
    }

    fn note_reading_of(&self, effect: u32) {
        KNOWN.with_borrow_mut(|known| {
            if known.frames.is_empty() {
                return;
            }
            let effects = &self.state.effects;
            let place = effects.in_force.binary_search_by_key(&effect, |effect| effect.number).unwrap_or(usize::MAX);
            let clause = effects.in_force.get(place).and_then(|effect| self.program.clauses.get(effect.clause));
            let unsure = clause.is_none_or(is_unsure);
            if place < effects.in_force.len() {
                note_met(&mut known.frames, place, self.readings, unsure);
            }
        });
    }

    /// Notes that an effect was met again that is being read. `place`: its place among the effects that are being read; None: the effect was
    /// not read for another reason.
    #[cold]
    pub(crate) fn note_met_again(&self, place: Option<usize>) {
        KNOWN.with_borrow_mut(|known| {
            if let Some(frame) = known.frames.last_mut() {
                match place {
                    Some(place) => frame.returns_at = frame.returns_at.min(place),
                    None => frame.unsure = true,
                }
            }
        });
    }
}

/// Whether a clause reads something that can change while the board and the effects stay as they are.
fn is_unsure(clause: &ClauseDef) -> bool {
    clause.reads.volatile
}

impl Frame {
    /// Takes over what a value has met that was worked out inside of this one.
    fn take_over(&mut self, met: &Met, deepest: usize, readings: u32) {
        if self.met.len() < met.len() {
            self.met.resize(met.len(), 0);
        }
        self.met.iter_mut().zip(met).for_each(|(own, other)| *own |= other);
        self.depth = self.depth.max(deepest.saturating_sub(self.outside));
        self.readings = self.readings.saturating_add(readings);
    }
}

impl Known {
    /// Forgets the values if they belong to another position.
    fn come_to(&mut self, eval: &Eval<'_>) {
        let (effects, versions) = (&eval.state.effects, &eval.state.board.versions);
        let now = (effects.row_version.number(), effects.next, effects.in_force.len(), effects.granted.len());
        if let Some(then) = &mut self.position
            && then.effects == now
            && (then.versions.lying, then.versions.sight) == (versions.lying, versions.sight)
            && versions.are_same(&then.versions, PlaceSet::NONE, then.states)
        {
            return;
        }
        let clauses = effects.in_force.iter().filter_map(|effect| eval.program.clauses.get(effect.clause));
        let states = clauses.map(|clause| clause.reads.states).collect();
        self.position = Some(Position { versions: *versions, effects: now, states });
        self.number += 1;
        self.kept.clear();
    }
}
