//! Settles the effects in force after a change: finds the abilities that cards get. In a game with layers it also finds the order in which
//! effects apply, and the things to which they apply.
//!
//! In a game with layers the parts of all effects stand in one row ([`Effects::order`]). The extent of a part (the things to which it
//! applies) is read in the position in which only the parts before it have been applied. So nothing can go round in a circle. An extent is
//! kept until something from which it was read changes. Values of fields are not kept: they are read through the row.
//!
//! Values are not kept, because they would have to be thrown away for every card that a change could reach. Granted abilities are effects
//! in force like printed ones, so forbidding, replacing and waiting need no second way.

use crate::bits::Spots;
use crate::effects::works;
use crate::eval::fields::rank_of;
use crate::eval::{ALL_PARTS, Eval};
use crate::ids::{AbilityId, FieldId};
use crate::limits::{EFFECTS, WORK_OF_A_CONDITION};
use crate::program::{ChangeDef, ClauseDef, ClauseKind, Program};
use crate::state::{Effects, Extent, ExtentCache, GrantedAbility, Holds, Part, State};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many rounds of grants are made. Granted abilities may grant further abilities in each round. If grants still change after so many
/// rounds, they give and take one another in a circle, and stay as they are.
const ROUNDS: usize = 64;

/// What settling did.
#[derive(Debug, Default)]
pub struct Settled {
    /// Effects of granted abilities that began.
    pub begun: Vec<u32>,
    /// Effects of granted abilities that ended.
    pub ended: Vec<u32>,
    /// How many extents were worked out anew.
    pub looked: u32,
}

/// The changes by parts whose extents were computed anew.
#[derive(Default)]
struct Changed<'p> {
    fields: Vec<&'p ChangeDef>,
    abilities: bool,
}

impl Changed<'_> {
    fn is_empty(&self) -> bool {
        self.fields.is_empty() && !self.abilities
    }
}

impl Effects {
    /// Whether there is nothing that settling could change.
    #[must_use]
    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        self.granting == 0 && self.awaiting == 0 && !self.falling && self.order.is_empty() && self.granted.is_empty()
    }

    /// Forgets the extents that may depend on other parts, so that they are computed anew. Called when parts have gone or have changed
    /// places.
    pub(crate) fn forget_extents(&mut self, program: &Program) {
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

    /// Whether a part of the row takes abilities away.
    pub(crate) fn silences(&self, program: &Program, part: &Part) -> bool {
        self.clause(program, part).is_some_and(|clause| matches!(clause.kind, ClauseKind::Strip { .. } | ClauseKind::Disable(_)))
    }

    pub(crate) fn clause<'p>(&self, program: &'p Program, part: &Part) -> Option<&'p ClauseDef> {
        program.clauses.get(self.get(part.effect)?.clause)
    }
}

impl State {
    /// Brings the extents of effects up to date after a change. `touched`: what has changed.
    pub fn settle(&mut self, program: &Program, touched: Spots) -> Settled {
        let mut settled = Settled::default();
        // The reads of an extent do not say which cards a shield covers, so all extents are computed anew.
        if self.effects.shielding > 0 {
            self.effects.order.iter_mut().for_each(|part| part.extent = None);
        }
        if !program.layers.is_empty() {
            self.settle_layers(program, touched, &mut settled.looked);
        }
        if self.settle_grants(program, &mut settled) {
            self.settle_rows(program, &mut settled);
        }
        if !program.layers.is_empty() && settled.looked > 0 {
            self.settle_contested(program, &mut settled);
        }
        if program.layers.is_empty() && self.feeds_itself(program) {
            self.take_unfounded(program, &mut settled);
        }
        if self.effects.falling {
            self.end_without_source(program, &mut settled);
            self.fall_out(program, settled.looked > 0);
        }
        self.effects.asked.work.add(settled.looked as usize * WORK_OF_A_CONDITION);
        settled
    }

    /// Lays the row, and gives cards the abilities that the row grants, until nothing changes any more.
    pub(crate) fn settle_rows(&mut self, program: &Program, settled: &mut Settled) {
        for _ in 1..ROUNDS {
            if !program.layers.is_empty() {
                self.settle_layers(program, Spots::NONE, &mut settled.looked);
            }
            if !self.settle_grants(program, settled) {
                break;
            }
        }
    }

    /// Makes this copy as if these effects (their numbers, sorted) were not in force. Only the first `upto` parts of the row stay.
    pub(crate) fn leave_out(&mut self, program: &Program, numbers: &[u32], upto: u32) {
        self.effects.supposed += 1;
        self.effects.row_version.touch();
        self.effects.order.truncate(upto as usize);
        self.effects.end(program, |effect| numbers.binary_search(&effect.number).is_ok());
        self.effects.order.iter_mut().for_each(|part| part.extent = None);
        if upto == ALL_PARTS {
            self.settle(program, Spots::ALL);
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

    fn settle_layers(&mut self, program: &Program, touched: Spots, looked: &mut u32) {
        let effects = &self.effects;
        if !effects.looks.meets(touched) && effects.order.iter().all(|part| part.extent.is_some() && !part.fickle) {
            return;
        }
        self.lay_row(program, touched, looked);
        if program.policies.lost_gives_nothing {
            self.withdraw(program, looked);
        }
    }

    /// Goes through the row from its beginning. Extents that still hold are not computed anew.
    pub(crate) fn lay_row(&mut self, program: &Program, touched: Spots, looked: &mut u32) {
        if self.effects.order.iter().any(|part| part.extent.is_none()) {
            self.note_volatile(program);
        }
        let mut changed = Changed::default();
        let mut at = 0;
        while let Some(layer) = self.effects.order.get(at).map(|part| part.layer) {
            let parts = self.effects.order.get(at..).unwrap_or(&[]).iter().take_while(|part| part.layer == layer);
            let (len, stand) =
                parts.fold((0, true), |(len, stand), part| (len + 1, stand && self.stands(program, part, touched, &changed)));
            if !stand {
                // The extents of this layer are read in the position in which only the layers before it have been applied.
                let rest = self.effects.order.split_off(at + len);
                let parts = self.effects.order.split_off(at);
                self.settle_layer(program, parts, touched, &mut changed, looked);
                self.effects.order.extend(rest);
            }
            at += len;
        }
        self.effects.looks = self.effects.order.iter().flat_map(|part| &part.extent).map(|extent| extent.reads).collect();
    }

    /// Finds out which parts of the row are volatile and which are fickle. This depends only on which parts there are.
    fn note_volatile(&mut self, program: &Program) {
        let effects = &self.effects;
        // The fields that volatile parts change, with their layers. A part sees only its own layer and the layers before it.
        let mut fields: Vec<(u8, FieldId)> = Vec::new();
        let mut volatile = vec![false; effects.order.len()];
        // Within a layer, a part may depend on another part wherever that one stands. So this is repeated until no further part is found.
        loop {
            let mut found = false;
            for (part, is) in effects.order.iter().zip(&mut volatile).filter(|(_, is)| !**is) {
                let Some(clause) = effects.clause(program, part) else { continue };
                let leans = fields.iter().any(|(layer, field)| *layer <= part.layer && clause.reads.fields.contains(field));
                if clause.reads.volatile || leans {
                    (*is, found) = (true, true);
                    // Many effects may change one field: a long row has few different fields.
                    let change = part.field.map(|field| (part.layer, field)).filter(|change| !fields.contains(change));
                    fields.extend(change);
                }
            }
            if !found {
                break;
            }
        }
        // The fields that volatile parts change and that a part of the same layer reads.
        let mut read: Vec<(u8, FieldId)> = Vec::new();
        for part in &effects.order {
            if read.len() == fields.len() {
                break;
            }
            let Some(clause) = effects.clause(program, part) else { continue };
            let here = fields.iter().filter(|(layer, field)| *layer == part.layer && clause.reads.fields.contains(field));
            let here: Vec<(u8, FieldId)> = here.filter(|change| !read.contains(change)).copied().collect();
            read.extend(here);
        }
        for (part, volatile) in self.effects.order.iter_mut().zip(volatile) {
            let orders = part.field.is_none_or(|field| read.contains(&(part.layer, field)));
            (part.volatile, part.fickle) = (volatile, volatile && orders);
        }
    }

    /// Settles the next layer of the row. Only the extents that were read from something that changed are computed anew. Some parts depend
    /// on the places of other parts of the layer. If one extent of the layer does not hold, the extents of these parts are computed anew
    /// too.
    fn settle_layer<'p>(&mut self, program: &'p Program, before: Vec<Part>, touched: Spots, changed: &mut Changed<'p>, looked: &mut u32) {
        let mut parts = before.clone();
        if let Some(part) = parts.first() {
            self.effects.circles.forget(part.layer);
        }
        parts.iter_mut().for_each(|part| {
            if !self.stands(program, part, touched, changed) {
                part.extent = None;
            }
        });
        let entangled = |part: &Part| self.effects.clause(program, part).is_some_and(|clause| clause.reads.entangled);
        let start = self.effects.order.len();
        if parts.iter().all(|part| part.extent.is_some()) || !parts.iter().any(entangled) {
            parts.into_iter().for_each(|part| self.lay(program, part, looked));
        } else {
            parts.sort_by_key(Part::rank);
            let meshed: Vec<bool> = parts.iter().map(|part| self.is_meshed(program, part, &parts)).collect();
            if meshed.contains(&true) {
                parts.iter_mut().zip(meshed).filter(|(_, meshed)| *meshed).for_each(|(part, _)| part.extent = None);
                self.lay_layer(program, parts, looked);
            } else {
                parts.into_iter().for_each(|part| self.lay(program, part, looked));
            }
        }
        self.note_late_silences(program, start);
        // An extent that is as before stays the same `Arc`, so that comparing it is quick.
        for (now, before) in self.effects.order.iter_mut().skip(start).zip(&before) {
            if let (Some(was), Some(is)) = (&before.extent, &mut now.extent)
                && was == is
            {
                *is = Arc::clone(was);
            }
        }
        let laid = self.effects.order.get(start..).unwrap_or(&[]);
        let in_order = laid.iter().zip(&before).all(|(now, before)| now.is(before));
        let mut stands = true;
        for (now, before) in laid.iter().zip(&before) {
            let as_before = before.extent.as_ref().zip(now.extent.as_ref()).is_some_and(|(before, now)| same(before, now));
            stands &= in_order && as_before;
            if let (false, Some(clause)) = (in_order && as_before, self.effects.clause(program, now)) {
                note(clause, now.change, changed);
            }
        }
        if !stands {
            self.effects.row_version.touch();
        }
    }

    /// Whether nothing from which a part was read has changed since.
    fn stands(&self, program: &Program, part: &Part, touched: Spots, changed: &Changed<'_>) -> bool {
        let Some(extent) = &part.extent else { return false };
        let nothing_new = !extent.reads.meets(touched) && !part.fickle;
        if nothing_new && changed.is_empty() {
            return true;
        }
        let Some(clause) = self.effects.clause(program, part) else { return true };
        let of_ability = || self.effects.get(part.effect).is_some_and(|effect| !matches!(effect.holds, Holds::Lasting(_)));
        nothing_new
            && !(changed.abilities && (clause.reads.abilities || of_ability()))
            && !changed.fields.iter().any(|change| clause.reads.looks_at(program, change))
    }

    /// Whether every kept extent is as if all extents were computed anew. Volatile extents are not looked at, because they are computed
    /// where they are read. Only for debug builds.
    pub(crate) fn extents_stand(&self, program: &Program) -> bool {
        if self.effects.is_settled() {
            return true;
        }
        let mut copy = self.clone();
        copy.settle(program, Spots::ALL);
        let (now, anew) = (&self.effects.order, &copy.effects.order);
        let stands = |(now, anew): (&Part, &Part)| {
            now.volatile || now.is(anew) && now.extent.as_ref().zip(anew.extent.as_ref()).is_some_and(|(now, anew)| same(now, anew))
        };
        now.len() == anew.len() && now.iter().zip(anew).all(stands)
    }

    /// The extent of the part at a place of the row, read at that place.
    fn look(&self, program: &Program, at: usize, looked: &mut u32) -> Arc<Extent> {
        let part = self.effects.order.get(at);
        part.map_or_else(Default::default, |part| self.look_as(program, part, at, looked).0)
    }

    /// The extent of a part with the first `upto` parts of the row applied, and how it was found.
    pub(crate) fn look_as(&self, program: &Program, part: &Part, upto: usize, looked: &mut u32) -> (Arc<Extent>, ExtentCache) {
        *looked += 1;
        self.find_extent(program, part, upto)
    }

    /// Puts a part at the end of the row. Its extent is computed if it is not known.
    pub(crate) fn lay(&mut self, program: &Program, mut part: Part, looked: &mut u32) {
        let extent = part.extent.take().unwrap_or_else(|| {
            let (extent, found) = self.look_as(program, &part, self.effects.order.len(), looked);
            part.found = found;
            extent
        });
        self.effects.looks |= extent.reads;
        self.effects.order.push(Part { extent: Some(extent), ..part });
    }

    /// Gives cards the abilities that effects grant, and takes away the abilities that no effect grants any more, until nothing changes.
    pub(crate) fn settle_all_grants(&mut self, program: &Program, settled: &mut Settled) {
        for _ in 0..ROUNDS {
            if !self.settle_grants(program, settled) {
                break;
            }
        }
    }

    /// Begins and ends the effects of granted abilities. Gives whether the granted abilities have changed.
    fn settle_grants(&mut self, program: &Program, settled: &mut Settled) -> bool {
        if self.effects.granting == 0 && self.effects.granted.is_empty() || self.effects.are_too_many() {
            return false;
        }
        let wanted = self.grants(program);
        if wanted == self.effects.granted {
            return false;
        }
        // One effect can grant a card one ability several times, like abilities of several cards.
        let (now, before) = (times(&wanted), times(&self.effects.granted));
        let fewer = |granted: &GrantedAbility| now.get(granted).copied().unwrap_or(0) < before.get(granted).copied().unwrap_or(0);
        let ended = self.effects.end(program, |effect| {
            let Holds::Granted(ability, by) = effect.holds else { return false };
            fewer(&GrantedAbility { by, ability, to: effect.source, works: true })
        });
        settled.ended.extend(ended);
        // If some of several equal grants have ended, the effects of all of them have ended. The grants that are left begin anew.
        let mut there = before.clone();
        there.retain(|granted, _| !fewer(granted));
        let new = wanted.iter().copied().filter(|granted| match there.get_mut(granted) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
        let new: Vec<GrantedAbility> = new.collect();
        self.begin_granted(program, &new, settled);
        self.effects.granted = wanted;
        self.effects.row_version.touch();
        true
    }

    /// The abilities that effects grant to cards now.
    pub(crate) fn grants(&self, program: &Program) -> Vec<GrantedAbility> {
        // Mostly, the same abilities are granted as before.
        let mut all = Vec::with_capacity(self.effects.granted.len());
        for effect in &self.effects.in_force {
            let Some(ClauseDef { kind: ClauseKind::Grant { abilities, like, .. }, .. }) = program.clauses.get(effect.clause) else {
                continue;
            };
            let mut eval = Eval::new(program, self, &[], &[], effect.you, effect.source);
            let given = eval.granted_by(effect, *like);
            for to in &given.members {
                let Value::Object { id, life } = *to else { continue };
                let Some(object) = self.board.object(id).filter(|object| object.life == life) else { continue };
                let granted = |ability| GrantedAbility { by: effect.number, ability, to: *to, works: works(program, object, ability) };
                all.extend(abilities.iter().copied().map(granted));
                for ability in given.alike() {
                    let has = |all: &[GrantedAbility]| all.iter().any(|other| other.to == *to && other.ability == ability);
                    if !(program.grants_alike(ability) && (program.is_printed_on(object.card, ability) || has(&all))) {
                        all.push(granted(ability));
                    }
                }
                if all.len() > EFFECTS {
                    return all;
                }
            }
        }
        all
    }
}

/// How many times each ability is granted.
fn times(granted: &[GrantedAbility]) -> FxHashMap<GrantedAbility, u32> {
    let mut times = FxHashMap::default();
    granted.iter().for_each(|granted| *times.entry(*granted).or_insert(0) += 1);
    times
}

/// Whether two extents say the same.
pub(crate) fn same(a: &Extent, b: &Extent) -> bool {
    a.members == b.members && a.amount == b.amount && a.many == b.many
}

fn note<'p>(clause: &'p ClauseDef, change: u16, changed: &mut Changed<'p>) {
    match &clause.kind {
        ClauseKind::Modify { changes, .. } => changed.fields.extend(changes.get(usize::from(change))),
        _ => changed.abilities = true,
    }
}

impl Extent {
    /// The abilities that a part grants because they are like those of a set. An ability that a card has twice is granted once: two cards
    /// that grant each other their abilities would get more of them without end.
    pub fn alike(&self) -> impl Iterator<Item = AbilityId> + '_ {
        let first = self.many.iter().enumerate().filter(|(at, like)| !self.many.iter().take(*at).any(|earlier| earlier == *like));
        first.filter_map(|(_, like)| if let Value::Ability { ability, .. } = like { Some(*ability) } else { None })
    }

    /// Whether the part applies to everything to which another part applies. Both have their members in one order.
    #[must_use]
    pub fn covers(&self, other: &Extent) -> bool {
        let mut own = self.members.iter();
        other.members.iter().all(|wanted| own.any(|member| member == wanted))
    }

    /// Whether the part applies to that card or ability.
    #[must_use]
    pub fn has(&self, member: Value) -> bool {
        self.members.binary_search_by_key(&rank_of(member), |other| rank_of(*other)).is_ok()
    }
}
