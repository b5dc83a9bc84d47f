//! Continuous effects begin and end: effects of static abilities with the place of their card, other effects with their duration.
//!
//! | file | does |
//! | --- | --- |
//! | `ages.rs` | ages of effects in games where an effect is as old as the end of the ability that began it |
//! | `circles.rs` | effects that disable one another in a circle, in games where all of them count (`policy effects`) |
//! | `contested_grants.rs` | cards that grant one another abilities which take the granting away, in games with layers |
//! | `dependencies.rs` | finds which parts of a layer depend on which others |
//! | `dropping_out.rs` | cards that drop out of the sets of effects for good (`policy effects { sets = locked_falling_out_for_good }`) |
//! | `equal_ages.rs` | effects that began together: finds those whose order makes a difference, and puts them into an order |
//! | `extents.rs` | finds the things to which a part of an effect applies, and by how much, in the position that an evaluation reads |
//! | `layers.rs` | settles the effects in force after a change: finds the abilities that cards get |
//! | `lost_abilities.rs` | abilities that effects take away, or *silence* |
//! | `needed_sources.rs` | lasting effects that end with the ability that began them (the slot `needs_source` of a kind of ability) |
//! | `of_cards.rs` | effects of the abilities of cards: they begin where the card comes to work, and end where it goes |
//! | `self_supporting.rs` | granted abilities that support themselves |
//! | `switched.rs` | effects whose conditions come true together |
//! | `untold_changes.rs` | events that nobody performs |
//! | `withdrawn.rs` | gifts of an ability that is lost in a later layer |

pub(crate) mod ages;
pub(crate) mod circles;
pub(crate) mod contested_grants;
pub(crate) mod dependencies;
pub(crate) mod dropping_out;
pub(crate) mod equal_ages;
pub(crate) mod extents;
pub(crate) mod layers;
pub(crate) mod lost_abilities;
pub(crate) mod needed_sources;
mod of_cards;
pub(crate) mod self_supporting;
mod switched;
pub(crate) mod untold_changes;
pub(crate) mod withdrawn;

pub(crate) use of_cards::works;

use super::eval::Eval;
use super::ids::{ClauseId, FieldId, Id, NodeId, PatternId};
use super::limits::EFFECTS;
use super::plan::Reads;
use super::program::{Builtin, ChangeKind, ClauseDef, ClauseKind, Node, Program, SetPolicy};
use super::state::{Circles, Effect, Effects, Extent, ExtentCache, Frame, Holds, Part, State, Still};
use super::value::{Few, ObjectId, Value};
use crate::fault::{Fault, broken, listed};
use crate::state::readings;
use rustc_hash::FxHashSet;
use smallvec::smallvec;
use std::sync::Arc;

impl Effects {
    /// How many effects have begun, and how many are in force. As long as both numbers stay, the same effects are in force.
    #[must_use]
    #[inline]
    pub(crate) fn extent_of_force(&self) -> (u32, usize) {
        (self.next, self.in_force.len())
    }

    /// Whether more effects are in force, or more abilities are granted, than a game may have. Then no more of them begin, and the run
    /// ends.
    #[must_use]
    #[inline]
    pub(crate) fn are_too_many(&self) -> bool {
        self.in_force.len() > EFFECTS || self.granted.len() > EFFECTS
    }

    /// Counts a walk through all effects in force as work: so many units for each of them.
    #[inline]
    pub(crate) fn count_walk(&self, units: usize) {
        self.asked.work.add(units * self.in_force.len());
    }

    /// Whether an effect in force changes one of these fields.
    #[must_use]
    pub(crate) fn modifies_any(&self, fields: &[FieldId]) -> bool {
        fields.iter().any(|field| self.modifying.get(field.index()).is_none_or(|many| *many > 0))
    }

    /// Whether everything in `reads` is as the cards print it: no effect in force changes the fields, gives control, grants or takes
    /// abilities, or says facts.
    #[must_use]
    pub fn leave(&self, reads: &Reads) -> bool {
        let abilities = self.granting > 0 || self.stripping > 0 || self.disabling > 0;
        let changed = self.modifies_any(&reads.fields) || reads.controllers && self.controlling > 0 || reads.abilities && abilities;
        !changed && !self.may_say(reads)
    }

    /// Whether facts are read and an effect in force says a fact.
    fn may_say(&self, reads: &Reads) -> bool {
        reads.facts && self.assuming > 0
    }

    /// Why effects change nothing in `reads` as long as nothing in it is written. None if they may change something. Either effects leave
    /// all of it alone. Or all their changes of it stand in the row ([`Effects::row_version`]), and none of them is computed only where it
    /// is read.
    #[must_use]
    pub(crate) fn hold_still(&self, reads: &Reads) -> Option<Still> {
        if self.leave(reads) {
            return Some(Still::AsPrinted);
        }
        // If there is a row, every effect that changes fields or abilities stands in it.
        let read = |part: &Part| part.field.is_none_or(|field| reads.fields.contains(&field));
        let stands = (self.shielding, self.supposed, self.controlling) == (0, 0, 0)
            && !self.may_say(reads)
            && !self.order.is_empty()
            && !self.order.iter().any(|part| part.volatile && read(part));
        stands.then_some(Still::ByRow)
    }

    /// Removes all effects, and makes room for a count of each verb and each field.
    pub fn reset(&mut self, program: &Program) {
        self.row_version.touch();
        self.in_force.clear();
        self.next = 0;
        self.now = 0;
        self.watching.clear();
        self.watching.resize(program.verbs.len(), 0);
        self.modifying.clear();
        self.modifying.resize(program.fields.len(), 0);
        (self.disabling, self.stripping, self.granting) = (0, 0, 0);
        (self.shielding, self.withholding, self.assuming, self.requiring) = (0, 0, 0, 0);
        self.controlling = 0;
        self.awaiting = 0;
        self.tells = tells(program);
        self.begun.clear();
        self.ended.clear();
        self.later.clear();
        self.open.clear();
        self.undated.clear();
        self.switched.clear();
        self.order.clear();
        self.withdrawn.clear();
        self.circling.clear();
        self.circles = Circles::default();
        self.looks = crate::bits::Spots::NONE;
        self.granted.clear();
        (self.supposed, self.arranged, self.falling, self.dated) = (0, false, false, (0, 0, 0));
    }

    /// The effect in force with that number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Effect> {
        if self.arranged {
            return self.in_force.iter().map(Arc::as_ref).find(|effect| effect.number == number);
        }
        let at = self.in_force.binary_search_by_key(&number, |effect| effect.number).ok()?;
        self.in_force.get(at).map(Arc::as_ref)
    }

    /// Puts an effect in force. Gives its number.
    pub fn begin(&mut self, program: &Program, effect: Effect) -> u32 {
        self.begin_as_old_as(program, effect, None)
    }

    /// Like `begin`, for an effect that has the age of something older (`since`).
    pub(crate) fn begin_as_old_as(&mut self, program: &Program, mut effect: Effect, since: Option<u32>) -> u32 {
        self.row_version.touch();
        effect.number = self.next;
        effect.timestamp = since.unwrap_or_else(|| {
            readings::note_whole(readings::part::NOW);
            self.now
        });
        self.next += 1;
        self.count(program, effect.clause, true);
        if !program.layers.is_empty() {
            self.add_parts(program, &effect);
        }
        self.falling |= effect.needs.is_some() || falls_for_good(program, &effect);
        if self.tells {
            self.begun.push(effect.number);
        }
        let (number, age) = (effect.number, effect.timestamp);
        // Only an effect with the age of something older comes before others.
        let at = if since.is_some() { self.in_force.partition_point(|other| other.timestamp <= age) } else { self.in_force.len() };
        self.arranged |= at < self.in_force.len();
        self.in_force.insert(at, Arc::new(effect));
        number
    }

    /// Ends the effects that `ends` names. Gives their numbers.
    pub fn end(&mut self, program: &Program, ends: impl Fn(&Effect) -> bool) -> Vec<u32> {
        let (shielding, silencing) = (self.shielding, self.stripping + self.disabling);
        let mut ended = Vec::new();
        let mut clauses = Vec::new();
        self.in_force.retain(|effect| {
            let gone = ends(effect);
            if gone {
                ended.push(effect.number);
                clauses.push(effect.clause);
                if self.tells {
                    self.ended.push(Effect::clone(effect));
                }
            }
            !gone
        });
        if self.arranged {
            ended.sort_unstable();
            self.arranged = !self.in_force.is_sorted_by_key(|effect| effect.number);
        }
        for clause in clauses {
            self.count(program, clause, false);
        }
        if shielding > self.shielding || silencing > self.stripping + self.disabling {
            self.order.iter_mut().for_each(|part| part.extent = None);
        }
        if !ended.is_empty() {
            self.row_version.touch();
        }
        if !ended.is_empty() && !self.order.is_empty() {
            let parts = self.order.len();
            self.order.retain(|part| ended.binary_search(&part.effect).is_err());
            if self.order.len() < parts {
                self.forget_extents(program);
            }
        }
        ended
    }

    /// Ends the exceptions with which a card is a copy, in whichever life of the card.
    pub(crate) fn end_of_copy(&mut self, program: &Program, duration: super::ids::DurationId, card: super::value::ObjectId) {
        let is_of = |effect: &Effect| {
            let of = matches!(effect.targets.as_deref(), Some([Value::Object { id, .. }]) if *id == card);
            of && effect.holds == Holds::Lasting(duration)
        };
        if self.in_force.iter().any(|effect| is_of(effect)) {
            self.end(program, is_of);
        }
    }

    /// Puts the parts of an effect into the row, each in its layer, after older parts.
    fn add_parts(&mut self, program: &Program, effect: &Effect) {
        let Some(clause) = program.clauses.get(effect.clause) else { return broken(Fault::Row) };
        let mut add = |layer: u8, change: u16, last: bool, field: Option<FieldId>| {
            let part = Part {
                layer,
                last,
                timestamp: effect.timestamp,
                effect: effect.number,
                change,
                field,
                volatile: false,
                fickle: false,
                extent: None,
                found: ExtentCache::default(),
            };
            // Within a layer, parts that depend on others need not lie in the order of ranks.
            let start = self.order.partition_point(|other| other.layer < layer);
            let end = self.order.partition_point(|other| other.layer <= layer);
            let later = self.order.get(start..end).and_then(|parts| parts.iter().position(|other| other.rank() > part.rank()));
            let at = later.map_or(end, |later| start + later);
            self.order.insert(at, part);
        };
        match &clause.kind {
            ClauseKind::Modify { changes, .. } => {
                (0..).zip(changes).for_each(|(at, change)| add(change.layer, at, change.op == ChangeKind::Floor, Some(change.field)));
            }
            ClauseKind::Grant { .. } | ClauseKind::Strip { .. } | ClauseKind::Disable(_) => add(clause.layer, 0, false, None),
            _ => {}
        }
    }

    /// Cards have come later than all effects in force. So they were not there when an effect began that leaves newcomers out.
    pub(crate) fn was_without(&mut self, cards: &[ObjectId]) {
        let came = |value: &Value| matches!(value, Value::Object { id, .. } if cards.contains(id));
        for effect in self.in_force.iter_mut().filter(|effect| effect.there.iter().any(came)) {
            self.row_version.touch();
            Arc::make_mut(effect).there.retain(|value| !came(value));
        }
    }

    /// Lets the effects that began on a card go on for the new object that the card becomes.
    pub fn follow(&mut self, was: Value, now: Value) {
        let names = |effect: &Effect| {
            effect.targets.iter().flatten().chain(&effect.captures).chain(&effect.lists).chain(&effect.there).any(|value| *value == was)
        };
        self.in_force.iter_mut().filter(|effect| effect.pinned.contains(&was)).for_each(|effect| {
            Arc::make_mut(effect).pinned.iter_mut().filter(|value| **value == was).for_each(|value| *value = now);
        });
        for effect in self.in_force.iter_mut().filter(|effect| matches!(effect.holds, Holds::Lasting(_)) && names(effect)) {
            self.row_version.touch();
            let Effect { targets, captures, lists, there, .. } = Arc::make_mut(effect);
            let values = targets.iter_mut().flatten().chain(captures.iter_mut()).chain(lists.iter_mut()).chain(there.iter_mut());
            values.filter(|value| **value == was).for_each(|value| *value = now);
        }
        self.order.iter_mut().for_each(|part| part.extent = None);
    }

    /// Lets an effect (by its number) apply to a card in this life, wherever the card lies.
    pub(crate) fn pin(&mut self, number: u32, card: Value) {
        let Some(effect) = self.in_force.iter_mut().find(|effect| effect.number == number && !effect.pinned.contains(&card)) else {
            return;
        };
        Arc::make_mut(effect).pinned.push(card);
        self.row_version.touch();
        self.order.iter_mut().filter(|part| part.effect == number).for_each(|part| part.extent = None);
    }

    /// A life is over: effects that applied to it in any case do not go on.
    pub(crate) fn unpin(&mut self, was: Value) {
        for effect in self.in_force.iter_mut().filter(|effect| effect.pinned.contains(&was)) {
            Arc::make_mut(effect).pinned.retain(|value| *value != was);
            self.row_version.touch();
            let number = effect.number;
            self.order.iter_mut().filter(|part| part.effect == number).for_each(|part| part.extent = None);
        }
    }

    fn count(&mut self, program: &Program, clause: ClauseId, more: bool) {
        let change = |count: &mut u16| *count = if more { count.saturating_add(1) } else { count.saturating_sub(1) };
        let Some(clause) = program.clauses.get(clause) else { return broken(Fault::Row) };
        match &clause.kind {
            ClauseKind::Modify { changes, .. } => {
                for each in changes {
                    if let Some(count) = self.modifying.get_mut(each.field.index()) {
                        change(count);
                    }
                }
            }
            ClauseKind::Disable(_) => change(&mut self.disabling),
            ClauseKind::Strip { .. } => change(&mut self.stripping),
            ClauseKind::Grant { .. } => change(&mut self.granting),
            ClauseKind::Shield { .. } => change(&mut self.shielding),
            ClauseKind::ShieldFromChoices { .. } => change(&mut self.withholding),
            ClauseKind::Assume { .. } => change(&mut self.assuming),
            ClauseKind::Require { .. } => change(&mut self.requiring),
            ClauseKind::Whenever { .. } => change(&mut self.awaiting),
            ClauseKind::Permit(_) | ClauseKind::Price { .. } | ClauseKind::Fill { .. } => {}
            ClauseKind::Control { .. } => change(&mut self.controlling),
            ClauseKind::Forbid(pattern) | ClauseKind::Instead { pattern, .. } | ClauseKind::When { pattern, .. } => {
                for verb in verbs(program, *pattern) {
                    if let Some(count) = self.watching.get_mut(verb.index()) {
                        change(count);
                    }
                }
            }
        }
    }
}

/// Whether the program waits for effects to begin or end, or asks whether they have.
fn tells(program: &Program) -> bool {
    let verbs = [Builtin::EffectBegins, Builtin::EffectEnds].map(Builtin::verb);
    verbs.iter().any(|verb| program.verbs.get(*verb).is_some_and(|verb| verb.watched || verb.recorded))
}

impl Part {
    /// The part's extent, if it holds as long as nothing changes. A volatile part has none.
    #[must_use]
    pub fn kept(&self) -> Option<&Extent> {
        self.extent.as_deref().filter(|_| !self.volatile)
    }

    /// Which part of which effect it is.
    #[must_use]
    pub fn id(&self) -> (u32, u16) {
        (self.effect, self.change)
    }

    /// Whether it is the same part of the same effect.
    #[must_use]
    pub fn is(&self, other: &Part) -> bool {
        self.id() == other.id()
    }

    /// The age of the part: the age of its effect, then the index of its change. The greater, the younger.
    #[must_use]
    pub fn age(&self) -> (u32, u32, u16) {
        (self.timestamp, self.effect, self.change)
    }

    /// The order of parts that do not depend on one another: by layer; within a layer, parts that keep a value from falling come last; then
    /// by age.
    #[must_use]
    pub fn rank(&self) -> (u8, bool, u32, u32, u16) {
        (self.layer, self.last, self.timestamp, self.effect, self.change)
    }
}

fn verbs(program: &Program, pattern: PatternId) -> impl Iterator<Item = super::ids::VerbId> + '_ {
    program.patterns.get(pattern).into_iter().flat_map(|pattern| pattern.events.iter().map(|event| event.verb))
}

/// The effect of a clause of an ability.
#[must_use]
pub(crate) fn of_ability(clause: ClauseId, source: Value, you: super::value::Player, holds: Holds) -> Effect {
    Effect {
        number: 0,
        timestamp: 0,
        clause,
        source,
        you,
        holds,
        captures: Few::new(),
        lists: Few::new(),
        targets: None,
        pinned: Vec::new(),
        amounts: Few::new(),
        was: false,
        needs: None,
        there: Vec::new(),
    }
}

/// A lasting effect as it begins: what it captures, what it applies to, and by how much.
#[must_use]
pub(crate) fn resolved(
    program: &Program,
    state: &State,
    frame: &Frame,
    registers: &[Value],
    lists: &[Value],
    clause: ClauseId,
    holds: Holds,
) -> Option<Effect> {
    let def = program.clauses.get(clause)?;
    let locals = registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers));
    let mut kept = Few::new();
    let captures = def.captures.iter().map(|reg| keep(locals.get(usize::from(reg.0)).copied().unwrap_or_default(), lists, &mut kept));
    let captures: Few = captures.collect();
    let mut effect = Effect { captures, lists: kept, ..of_ability(clause, frame.this, frame.you, holds) };
    let mut eval = Eval::new(program, state, &effect.captures, &effect.lists, frame.you, frame.this);
    let mut targets = Vec::new();
    let mut amounts = Few::new();
    let mut members: Vec<Vec<Value>> = Vec::new();
    match &def.kind {
        ClauseKind::Modify { what, changes } => {
            eval.each(*what, &mut |_, member| {
                targets.push(member);
                false
            });
            amounts = changes.iter().map(|change| if change.many { Value::Undefined } else { eval.value(change.value) }).collect();
            if changes.iter().any(|change| change.many) {
                members = changes.iter().map(|change| if change.many { eval.members(change.value) } else { Vec::new() }).collect();
            }
        }
        kind => {
            if let Some(what) = kind.applies_to() {
                eval.each(what, &mut |_, member| {
                    targets.push(member);
                    false
                });
            }
            match kind {
                ClauseKind::Control { by, .. } => amounts = smallvec![eval.value(*by)],
                ClauseKind::Grant { like, .. } if *like != NodeId::NONE => {
                    (amounts, members) = (smallvec![Value::Undefined], vec![each_once(eval.members(*like))]);
                }
                _ => {}
            }
        }
    }
    let live = |what: NodeId| program.policies.sets == SetPolicy::Live && !is_bound(program, what);
    if def.kind.applies_to().is_some_and(|what| !live(what)) {
        effect.targets = Some(targets);
    }
    if def.kind.applies_to().is_some_and(|what| leaves_newcomers_out(program, what)) {
        effect.there = state.openly_there(program);
    }
    effect.amounts = amounts;
    // The members of a set among the amounts are kept with the effect, as they are now.
    for (amount, members) in effect.amounts.iter_mut().zip(members).filter(|(_, members)| !members.is_empty()) {
        *amount = Value::List { start: effect.lists.len() as u32, len: members.len() as u16 };
        effect.lists.extend(members);
    }
    Some(effect)
}

/// The members of a set, each once. An ability that a card has several times is granted once. Otherwise cards that copy one another's
/// abilities again and again would have one ability very many times.
fn each_once(mut members: Vec<Value>) -> Vec<Value> {
    let mut seen = FxHashSet::default();
    members.retain(|member| seen.insert(*member));
    members
}

/// Whether things that fall out of the set of an effect are lost to the effect for good.
#[must_use]
pub(super) fn falls_for_good(program: &Program, effect: &Effect) -> bool {
    let described = |clause: &ClauseDef| clause.kind.applies_to().is_some_and(|what| !is_bound(program, what));
    program.policies.sets == SetPolicy::LockedFallingOutForGood
        && effect.targets.as_ref().is_some_and(|targets| !targets.is_empty())
        && program.clauses.get(effect.clause).is_some_and(described)
}

/// Whether a lasting effect applies to all members of a set except for cards that have come to their public zone since the effect began.
pub(super) fn leaves_newcomers_out(program: &Program, what: NodeId) -> bool {
    program.policies.sets == SetPolicy::LiveWithoutNewcomers && !is_bound(program, what)
}

/// Whether a set is named by values that are fixed, so that the set stays as it is. Every other set is described, and is read anew.
///
/// A state that holds one card names that card, if the state belongs to the game or to something that is fixed itself. The source of an
/// ability and a card of an event also name a card.
fn is_bound(program: &Program, what: NodeId) -> bool {
    if what == NodeId::NONE {
        return true;
    }
    match program.nodes.get(what) {
        Some(Node::Local(_) | Node::This | Node::You | Node::Const(_)) => true,
        Some(Node::State(holder, state)) => {
            program.states.get(*state).is_some_and(|state| state.members.is_none()) && is_bound(program, *holder)
        }
        Some(Node::Only(of) | Node::Captain(of) | Node::Opponent(of) | Node::Owner(of) | Node::Source(of) | Node::EventArg(of, _)) => {
            is_bound(program, *of)
        }
        Some(Node::List(args)) => program.args_of(*args).iter().all(|node| is_bound(program, *node)),
        _ => false,
    }
}

/// A value that outlives its frame: a list's members are copied to `kept`.
pub fn keep(value: Value, lists: &[Value], kept: &mut (impl AsRef<[Value]> + Extend<Value>)) -> Value {
    let at = kept.as_ref().len() as u32;
    match value {
        Value::List { start, len } => {
            kept.extend(listed(lists, start, len).iter().copied());
            Value::List { start: at, len }
        }
        Value::Play { count, option, start } => {
            kept.extend(listed(lists, start, count).iter().copied());
            Value::Play { count, option, start: at }
        }
        value => value,
    }
}
