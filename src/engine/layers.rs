//! Settling the effects in force after a change: which abilities cards get, and, in a game with layers, in which order effects
//! apply and to what.
//!
//! In a game with layers the parts of all effects stand in one row ([`Effects::order`]). What a part applies to (its extent) is
//! read in the world as it is when only the parts before it have been applied, so nothing ever goes round in a circle. An extent
//! is kept until something that it was read from changes. Deliberately absent: values of fields, which are read through the row.

use super::effects::{of_ability, works};
use super::eval::Eval;
use super::fields::rank_of;
use super::ids::FieldId;
use super::program::{ClauseDef, ClauseKind, Program};
use super::state::{Effects, Extent, GrantedAbility, Holds, Part, State};
use super::value::Value;
use rustc_hash::FxHashSet;

/// How often abilities may be granted by abilities that are granted in turn before the machine leaves it at that.
const ROUNDS: usize = 16;

/// What settling did.
#[derive(Debug, Default)]
pub struct Settled {
    /// Effects of granted abilities that began.
    pub begun: Vec<u32>,
    /// Those that ended.
    pub ended: Vec<u32>,
    /// How many extents were worked out anew.
    pub looked: u32,
}

/// What parts that were looked at anew have changed.
#[derive(Default)]
struct Changed {
    fields: Vec<FieldId>,
    abilities: bool,
}

impl Effects {
    /// Nothing is there that settling could change.
    #[must_use]
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.granting == 0 && self.awaiting == 0 && !self.falling && self.order.is_empty() && self.granted.is_empty()
    }

    /// What depends on parts that are gone is to be looked at anew.
    pub fn forget_extents(&mut self, program: &Program) {
        for at in 0..self.order.len() {
            let reads =
                self.order.get(at).and_then(|part| self.clause(program, part)).is_none_or(|clause| {
                    !clause.reads.fields.is_empty() || clause.reads.abilities || self.stripping > 0 || self.disabling > 0
                });
            if let (true, Some(part)) = (reads, self.order.get_mut(at)) {
                part.extent = None;
            }
        }
    }

    fn clause<'p>(&self, program: &'p Program, part: &Part) -> Option<&'p ClauseDef> {
        program.clauses.get(self.get(part.effect)?.clause)
    }
}

impl State {
    /// Brings what effects apply to up to date, after a change of what these bits mean (see `lane::spot`).
    pub fn settle(&mut self, program: &Program, mut touched: u64) -> Settled {
        let mut settled = Settled::default();
        for _ in 0..ROUNDS {
            if !program.layers.is_empty() {
                self.settle_layers(program, touched, &mut settled.looked);
            }
            if !self.settle_grants(program, &mut settled) {
                break;
            }
            touched = 0;
        }
        if self.effects.falling {
            self.fall_out(program, settled.looked > 0);
        }
        settled
    }

    /// As if these effects (their numbers, sorted) were not in force; of the row of parts only the first `upto` are there.
    pub(super) fn leave_out(&mut self, program: &Program, numbers: &[u32], upto: u32) {
        self.effects.supposed += 1;
        self.effects.order.truncate(upto as usize);
        self.effects.end(program, |effect| numbers.binary_search(&effect.number).is_ok());
        self.effects.order.iter_mut().for_each(|part| part.extent = None);
        if upto == u32::MAX {
            self.settle(program, u64::MAX);
            return;
        }
        let mut looked = 0;
        for at in 0..self.effects.order.len() {
            let extent = self.look(program, at, &mut looked);
            if let Some(part) = self.effects.order.get_mut(at) {
                part.extent = Some(extent);
            }
        }
    }

    fn settle_layers(&mut self, program: &Program, touched: u64, looked: &mut u32) {
        let effects = &self.effects;
        let stands = |part: &Part| part.extent.is_some() && !self.effects.clause(program, part).is_some_and(is_fickle);
        if effects.looks & touched == 0 && effects.order.iter().all(stands) {
            return;
        }
        self.effects.looks = 0;
        let entangled =
            self.effects.order.iter().any(|part| self.effects.clause(program, part).is_some_and(|clause| clause.reads.entangled));
        if entangled {
            self.order_by_dependency(program, looked);
        } else {
            self.look_in_order(program, touched, looked);
        }
    }

    /// Nothing can depend on anything in its own layer: only what was read from something that changed is looked at.
    fn look_in_order(&mut self, program: &Program, touched: u64, looked: &mut u32) {
        let mut changed = Changed::default();
        for at in 0..self.effects.order.len() {
            let Some(part) = self.effects.order.get(at) else { return };
            let Some(clause) = self.effects.clause(program, part) else { continue };
            let of_ability = self.effects.get(part.effect).is_some_and(|effect| !matches!(effect.holds, Holds::Lasting(_)));
            let stands = part.extent.as_ref().is_some_and(|extent| {
                let fields = clause.reads.fields.iter().any(|field| changed.fields.contains(field));
                extent.reads & touched == 0
                    && !fields
                    && !is_fickle(clause)
                    && !((clause.reads.abilities || of_ability) && changed.abilities)
            });
            if !stands {
                let (change, old) = (part.change, part.extent.clone());
                let extent = self.look(program, at, looked);
                if old.as_ref().is_none_or(|old| !same(old, &extent)) {
                    note(clause, change, &mut changed);
                }
                if let Some(part) = self.effects.order.get_mut(at) {
                    part.extent = Some(extent);
                }
            }
            let reads = self.effects.order.get(at).and_then(|part| part.extent.as_ref()).map_or(0, |extent| extent.reads);
            self.effects.looks |= reads;
        }
    }

    /// The extent of the part at a place of the row, as the world is there.
    fn look(&self, program: &Program, at: usize, looked: &mut u32) -> Extent {
        let part = self.effects.order.get(at);
        part.map_or_else(Extent::default, |part| self.look_as(program, part, at, looked))
    }

    /// The extent of a part with the first `upto` parts of the row applied.
    fn look_as(&self, program: &Program, part: &Part, upto: usize, looked: &mut u32) -> Extent {
        *looked += 1;
        let Some(effect) = self.effects.get(part.effect) else { return Extent::default() };
        let mut eval = Eval::new(program, self, &[], &[], effect.you, effect.source);
        eval.upto = upto as u32;
        eval.extent(effect, part.change)
    }

    /// Lays the row anew: layer by layer, in each what depends on another after that one, else the older first.
    fn order_by_dependency(&mut self, program: &Program, looked: &mut u32) {
        let mut waiting = std::mem::take(&mut self.effects.order);
        waiting.sort_by_key(Part::rank);
        let mut waiting = waiting.into_iter().peekable();
        while let Some(first) = waiting.next() {
            let layer = first.layer;
            let mut segment = vec![first];
            while let Some(next) = waiting.next_if(|part| part.layer == layer) {
                segment.push(next);
            }
            self.lay_layer(program, segment, looked);
        }
    }

    fn lay_layer(&mut self, program: &Program, mut segment: Vec<Part>, looked: &mut u32) {
        let id = |part: &Part| (part.effect, part.change);
        let mut waits_for: Vec<Option<(u32, u16)>> = vec![None; segment.len()];
        while !segment.is_empty() {
            let mut free = None;
            for at in 0..segment.len() {
                if waits_for.get(at).copied().flatten().is_some() {
                    continue;
                }
                let Some(other) = self.first_needed(program, &segment, at, looked) else {
                    free = Some(at);
                    break;
                };
                if let Some(slot) = waits_for.get_mut(at) {
                    *slot = segment.get(other).map(id);
                }
            }
            let at = free.unwrap_or_else(|| oldest_in_a_circle(&segment, &waits_for));
            let part = segment.remove(at);
            waits_for.remove(at);
            let laid = id(&part);
            waits_for.iter_mut().filter(|waits| **waits == Some(laid)).for_each(|waits| *waits = None);
            self.lay(program, part, looked);
        }
    }

    /// Puts a part at the end of the row.
    fn lay(&mut self, program: &Program, part: Part, looked: &mut u32) {
        let extent = self.look_as(program, &part, self.effects.order.len(), looked);
        self.effects.looks |= extent.reads;
        self.effects.order.push(Part { extent: Some(extent), ..part });
    }

    /// The first part of those left in the layer on which this one depends: if it is applied first, this one applies to other
    /// things or does something else.
    fn first_needed(&mut self, program: &Program, segment: &[Part], at: usize, looked: &mut u32) -> Option<usize> {
        let part = segment.get(at)?;
        let clause = self.effects.clause(program, part)?;
        if !clause.reads.entangled {
            return None;
        }
        let here = self.effects.order.len();
        let alone = self.look_as(program, part, here, looked);
        for (index, other) in segment.iter().enumerate() {
            if other.effect == part.effect || !self.could_change(program, part, clause, other) {
                continue;
            }
            self.lay(program, other.clone(), looked);
            let after = self.look_as(program, part, here + 1, looked);
            self.effects.order.truncate(here);
            self.effects.looks |= after.reads;
            if !same(&alone, &after) {
                return Some(index);
            }
        }
        None
    }

    /// Whether what another part does is looked at by a part of the row.
    pub(super) fn is_looked_at(&self, program: &Program, part: &Part, other: &Part) -> bool {
        self.effects.clause(program, part).is_some_and(|clause| self.could_change(program, part, clause, other))
    }

    /// Whether what another part does is looked at by this one at all.
    fn could_change(&self, program: &Program, part: &Part, clause: &ClauseDef, other: &Part) -> bool {
        let Some(by) = self.effects.clause(program, other) else { return false };
        let of_ability = self.effects.get(part.effect).is_some_and(|effect| !matches!(effect.holds, Holds::Lasting(_)));
        match &by.kind {
            ClauseKind::Modify { changes, .. } => {
                changes.get(usize::from(other.change)).is_some_and(|change| clause.reads.fields.contains(&change.field))
            }
            ClauseKind::Grant { .. } => clause.reads.abilities,
            ClauseKind::Strip { .. } | ClauseKind::Disable(_) => clause.reads.abilities || of_ability,
            _ => false,
        }
    }

    /// Begins and ends the effects of abilities that effects give cards; whether there were any.
    fn settle_grants(&mut self, program: &Program, settled: &mut Settled) -> bool {
        if self.effects.granting == 0 && self.effects.granted.is_empty() {
            return false;
        }
        let wanted = self.grants(program);
        if wanted == self.effects.granted {
            return false;
        }
        let now: FxHashSet<GrantedAbility> = wanted.iter().copied().collect();
        let before: FxHashSet<GrantedAbility> = self.effects.granted.iter().copied().collect();
        let ended = self.effects.end(program, |effect| {
            let Holds::Granted(ability, by) = effect.holds else { return false };
            !now.contains(&GrantedAbility { by, ability, to: effect.source, works: true })
        });
        settled.ended.extend(ended);
        for granted in wanted.iter().filter(|granted| granted.works && !before.contains(granted)) {
            let Some(def) = program.abilities.get(granted.ability) else { continue };
            let Value::Object { id, .. } = granted.to else { continue };
            let you = self.board.object(id).map_or_else(Default::default, |object| object.owner);
            for clause in &def.clauses {
                let effect = of_ability(*clause, granted.to, you, Holds::Granted(granted.ability, granted.by));
                settled.begun.push(self.effects.begin(program, effect));
            }
        }
        self.effects.granted = wanted;
        true
    }

    /// Which abilities effects give which cards now.
    fn grants(&self, program: &Program) -> Vec<GrantedAbility> {
        let mut all = Vec::new();
        for effect in &self.effects.in_force {
            let Some(ClauseDef { kind: ClauseKind::Grant { abilities, .. }, .. }) = program.clauses.get(effect.clause) else { continue };
            let mut eval = Eval::new(program, self, &[], &[], effect.you, effect.source);
            for to in eval.granted_to(effect) {
                let Value::Object { id, life } = to else { continue };
                let Some(object) = self.board.object(id).filter(|object| object.life == life) else { continue };
                let works = |ability| works(program, object, ability);
                all.extend(abilities.iter().map(|ability| GrantedAbility {
                    by: effect.number,
                    ability: *ability,
                    to,
                    works: works(*ability),
                }));
            }
        }
        all
    }
}

/// Which abilities there are depends on what is no part of the board: it is looked at anew each time.
fn is_fickle(clause: &ClauseDef) -> bool {
    clause.reads.volatile && !matches!(clause.kind, ClauseKind::Modify { .. })
}

/// Two extents say the same.
fn same(a: &Extent, b: &Extent) -> bool {
    a.members == b.members && a.amount == b.amount && a.many == b.many
}

fn note(clause: &ClauseDef, change: u16, changed: &mut Changed) {
    match &clause.kind {
        ClauseKind::Modify { changes, .. } => changed.fields.extend(changes.get(usize::from(change)).map(|change| change.field)),
        _ => changed.abilities = true,
    }
}

/// Everything left waits for something left: the oldest of those that come round to themselves.
fn oldest_in_a_circle(segment: &[Part], waits_for: &[Option<(u32, u16)>]) -> usize {
    let next = |at: usize| {
        let wanted = waits_for.get(at).copied().flatten()?;
        segment.iter().position(|part| (part.effect, part.change) == wanted)
    };
    let circles = (0..segment.len()).find(|start| {
        let mut at = next(*start);
        for _ in 0..segment.len() {
            if at == Some(*start) {
                return true;
            }
            at = at.and_then(next);
        }
        false
    });
    circles.unwrap_or(0)
}

impl Extent {
    /// Whether the part applies to that card or ability.
    #[must_use]
    pub fn has(&self, member: Value) -> bool {
        self.members.binary_search_by_key(&rank_of(member), |other| rank_of(*other)).is_ok()
    }
}
