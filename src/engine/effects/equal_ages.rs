//! Effects that began together: finds those whose order makes a difference, and puts them into an order.
//!
//! A rule of the game decides who orders them, and when. Effects that depend on one another are not here (`layers.rs`): no player orders
//! them.

use crate::bits::Spots;
use crate::eval::Eval;
use crate::program::{ChangeDef, ChangeKind, ClauseDef, ClauseKind, Program};
use crate::run::Run;
use crate::state::readings;
use crate::state::{Branch, Effect, Effects, Extent, Holds, Pairs, Part, State};
use crate::steps::Observer;
use crate::value::{ObjectId, Value};
use std::sync::Arc;

/// How many effects that began together a rule of the game can put into an order without coming to the ages of later effects, in a game where
/// effects can get the age of a card.
const AGES_OF_ONE_TIME: u32 = 64;

/// A change with its place in its clause.
type ChangeAt<'p> = (u16, &'p ChangeDef);

impl<'a> Eval<'a> {
    /// The effects in force that are tied: they began together with another effect, and the order of the two makes a difference. Oldest
    /// first.
    pub(crate) fn tied(&mut self) -> Vec<Value> {
        let state = self.state;
        // On a copy on which something is tried out, nobody puts effects in order.
        if state.effects.supposed > 0 {
            return Vec::new();
        }
        let mut tied: Vec<u32> = Vec::new();
        for (one, other) in state.effects.perhaps_tied(self.program) {
            if self.are_of_one_time(one, other) && self.order_matters(one, other) {
                tied.extend([one.number, other.number]);
            }
        }
        state.effects.in_force.iter().map(|effect| effect.number).filter(|number| tied.contains(number)).map(Value::Effect).collect()
    }

    /// Whether the two effects of a pair are tied. The pair is one of those that the clauses alone do not decide
    /// ([`Effects::may_be_tied`]).
    pub(crate) fn are_tied(&mut self, (one, other): (u32, u32)) -> bool {
        let effects = &self.state.effects;
        let both = effects.get(one).zip(effects.get(other));
        both.is_some_and(|(one, other)| self.are_of_one_time(one, other) && self.order_matters(one, other))
    }

    /// Whether two effects of `perhaps_tied` began together, or by policy their conditions have come true together.
    fn are_of_one_time(&self, one: &Effect, other: &Effect) -> bool {
        !self.program.policies.ties_of_conditions || self.state.effects.came_true_together(one.number, other.number)
    }

    fn order_matters(&mut self, one: &'a Effect, other: &'a Effect) -> bool {
        let program = self.program;
        let (Some(a), Some(b)) = (program.clauses.get(one.clause), program.clauses.get(other.clause)) else { return false };
        match (&a.kind, &b.kind) {
            (ClauseKind::Modify { .. }, ClauseKind::Modify { .. }) => meeting(program, (a, b)).any(|((at, x), (to, y))| {
                let commute = |eval: &mut Self| {
                    x.field != y.field || commute((x.op, eval.extent_of(one, at).amount), (y.op, eval.extent_of(other, to).amount))
                };
                let disagree = !commute(self);
                self.parts_matter((one, at), (other, to), disagree)
            }),
            (ClauseKind::Grant { .. }, ClauseKind::Strip { .. }) | (ClauseKind::Strip { .. }, ClauseKind::Grant { .. }) => {
                a.layer == b.layer && self.parts_matter((one, 0), (other, 0), true)
            }
            // Each effect may take away the ability from which the other one comes.
            (one_silences, other_silences) if one_silences.silences() && other_silences.silences() => {
                a.layer == b.layer && self.parts_matter((one, 0), (other, 0), false)
            }
            (ClauseKind::Control { by: first, .. }, ClauseKind::Control { by: second, .. }) => {
                let by = |eval: &mut Self, effect: &'a Effect, node| {
                    effect.amounts.first().copied().unwrap_or_else(|| eval.inside(effect).value(node))
                };
                by(self, one, *first) != by(self, other, *second) && meet(&self.extent_of(one, 0), &self.extent_of(other, 0))
            }
            _ => false,
        }
    }

    /// Whether the order of two parts of one layer matters. `disagree`: on one card, the two parts give different results in different
    /// orders.
    fn parts_matter(&mut self, (one, at): (&'a Effect, u16), (other, to): (&'a Effect, u16), disagree: bool) -> bool {
        let (program, state) = (self.program, self.state);
        let place = |state: &State, effect: &Effect, change: u16| {
            state.effects.order.iter().position(|part| part.effect == effect.number && part.change == change)
        };
        let (Some(first), Some(second)) = (place(state, one, at), place(state, other, to)) else {
            return disagree && meet(&self.extent_of(one, at), &self.extent_of(other, to));
        };
        let order = &state.effects.order;
        let looks = order
            .get(first)
            .zip(order.get(second))
            .is_some_and(|(a, b)| state.is_looked_at(program, a, b) || state.is_looked_at(program, b, a));
        if !looks {
            return disagree && meet(&self.extent_of(one, at), &self.extent_of(other, to));
        }
        let turned = state.turned_round(program, one, other);
        let (Some(then), Some(after)) = (place(&turned, one, at), place(&turned, other, to)) else { return false };
        // If one part depends on the other, turning the effects round leaves the parts where they stood.
        let decided = (first < second) == (then < after);
        !decided && (disagree && meet(&self.extent_of(one, at), &self.extent_of(other, to)) || !same_extents(order, &turned.effects.order))
    }

    /// The extent of a part of an effect: the kept one, or else computed here.
    fn extent_of(&mut self, effect: &'a Effect, change: u16) -> Extent {
        let mut parts = self.state.effects.order.iter();
        let part = parts.find(|part| part.effect == effect.number && part.change == change);
        let kept = part.and_then(Part::kept).cloned();
        kept.unwrap_or_else(|| {
            let mut there = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
            there.carry_on(self);
            if there.too_deep() || !there.enter(effect.number) { Extent::default() } else { there.extent(effect, change) }
        })
    }
}

/// The pairs of changes of two clauses, each with its index in its clause, that fall in one layer and whose order may make a difference.
fn meeting<'p>(program: &'p Program, (a, b): (&'p ClauseDef, &'p ClauseDef)) -> impl Iterator<Item = (ChangeAt<'p>, ChangeAt<'p>)> {
    let changes = |clause: &'p ClauseDef| if let ClauseKind::Modify { changes, .. } = &clause.kind { changes.as_slice() } else { &[] };
    let pairs = (0_u16..).zip(changes(a)).flat_map(move |one| (0_u16..).zip(changes(b)).map(move |other| (one, other)));
    let apart = |x: &ChangeDef, y: &ChangeDef| {
        x.field != y.field || commute_always(x.op, y.op, program.fields.get(x.field).is_some_and(|field| field.set))
    };
    let looks = |x: &ChangeDef, y: &ChangeDef| a.reads.fields.contains(&y.field) || b.reads.fields.contains(&x.field);
    pairs.filter(move |((_, x), (_, y))| x.layer == y.layer && (!apart(x, y) || looks(x, y)))
}

/// Whether two changes of one value give the same result in either order.
fn commute((a, by): (ChangeKind, Value), (b, with): (ChangeKind, Value)) -> bool {
    let set = by.number().is_none() || with.number().is_none();
    let other_members = matches!((a, b), (ChangeKind::Add, ChangeKind::Subtract) | (ChangeKind::Subtract, ChangeKind::Add)) && by != with;
    commute_always(a, b, set) || other_members || a == b && by == with
}

/// Whether two changes of one value give the same result in either order, whatever their operands are. `set`: the value is a set, not a
/// number.
fn commute_always(a: ChangeKind, b: ChangeKind, set: bool) -> bool {
    use ChangeKind::{Add, Floor, Multiply, Subtract};
    match (a, b) {
        (Add | Subtract, Add | Subtract) => a == b || !set,
        // Lower bounds apply last anyway, and changes of what counts as printed apply first.
        (Multiply, Multiply) | (Floor, _) | (_, Floor) => true,
        (a, b) => a.is_of_printed() != b.is_of_printed(),
    }
}

fn meet(one: &Extent, other: &Extent) -> bool {
    one.members.iter().any(|member| other.has(*member))
}

impl Effects {
    /// All pairs of effects in force that began together. Two effects of one ability are no pair: the ability does things in the order in
    /// which it says them.
    fn together(&self) -> impl Iterator<Item = (&Effect, &Effect)> {
        let in_force = self.in_force.as_slice();
        let pairs = in_force.iter().enumerate().flat_map(|(at, one)| {
            let others = in_force.get(at + 1..).unwrap_or(&[]).iter();
            others.take_while(|other| other.timestamp == one.timestamp).map(|other| (one.as_ref(), other.as_ref()))
        });
        pairs.filter(|(one, other)| one.source != other.source || one.holds != other.holds)
    }

    /// All pairs of effects that a rule of the game may ask about: by policy effects with conditions, otherwise effects that began
    /// together.
    fn perhaps_tied<'e>(&'e self, program: &'e Program) -> Box<dyn Iterator<Item = (&'e Effect, &'e Effect)> + 'e> {
        if program.policies.ties_of_conditions { Box::new(self.conditional(program)) } else { Box::new(self.together()) }
    }

    /// The pairs whose extents decide whether their order matters. For all other pairs the clauses alone say that it does not.
    pub(crate) fn may_be_tied(&self, program: &Program) -> Pairs {
        let may_be = |(one, other): &(&Effect, &Effect)| {
            let (Some(a), Some(b)) = (program.clauses.get(one.clause), program.clauses.get(other.clause)) else { return false };
            match (&a.kind, &b.kind) {
                (ClauseKind::Modify { .. }, ClauseKind::Modify { .. }) => meeting(program, (a, b)).next().is_some(),
                (ClauseKind::Grant { .. }, ClauseKind::Strip { .. }) | (ClauseKind::Strip { .. }, ClauseKind::Grant { .. }) => {
                    a.layer == b.layer
                }
                (ClauseKind::Control { .. }, ClauseKind::Control { .. }) => true,
                (one, other) => one.silences() && other.silences() && a.layer == b.layer,
            }
        };
        self.perhaps_tied(program).filter(may_be).map(|(one, other)| (one.number, other.number)).collect()
    }

    /// Puts effects that began together into this order. Effects of the same time that are not named come after them.
    fn arrange(&mut self, numbers: &[u32]) {
        let times: Vec<u32> = numbers.iter().filter_map(|number| self.get(*number)).map(|effect| effect.timestamp).collect();
        let mut ages: Vec<(u32, u32)> = self.in_force.iter().map(|effect| (effect.number, effect.timestamp)).collect();
        for time in
            times.iter().enumerate().filter(|(at, time)| !times.iter().take(*at).any(|before| before == *time)).map(|(_, time)| *time)
        {
            let named: Vec<u32> =
                numbers.iter().copied().filter(|number| self.get(*number).is_some_and(|of| of.timestamp == time)).collect();
            for (number, age) in ages.iter_mut().filter(|(_, age)| *age == time) {
                let at = named.iter().position(|named| named == number).unwrap_or(named.len());
                *age = age.saturating_add(at as u32);
            }
        }
        self.put_in_order(&ages);
    }

    /// Effects of any age get one another's ages, so that they apply in this order. All other effects keep their places.
    fn swap_ages(&mut self, numbers: &[u32]) {
        let mut places: Vec<(u32, u32)> = Vec::new();
        for effect in self.in_force.iter().filter(|effect| numbers.contains(&effect.number)) {
            places.push((effect.timestamp, effect.number));
        }
        places.sort_unstable();
        let mut ages: Vec<(u32, u32)> = self.in_force.iter().map(|effect| (effect.number, effect.timestamp)).collect();
        let mut next = 0;
        for (number, (time, _)) in numbers.iter().zip(places) {
            // Effects that began together need ages of their own. Each has one, because the time goes on by one with each effect.
            next = time.max(next);
            if let Some((_, age)) = ages.iter_mut().find(|(of, _)| of == number) {
                *age = next;
            }
            next += 1;
        }
        self.put_in_order(&ages);
    }

    /// Sets the ages of the effects in force (`ages`: each number with its age, in the order of the effects). Effects of one age apply by
    /// their numbers.
    pub(crate) fn put_in_order(&mut self, ages: &[(u32, u32)]) {
        for (effect, (_, age)) in self.in_force.iter_mut().zip(ages) {
            if effect.timestamp != *age {
                Arc::make_mut(effect).timestamp = *age;
            }
        }
        self.sort_by_age();
        self.row_version.touch();
    }

    /// Cards have got a host: their static effects become as young as this moment. All effects of one batch have the same age, so effects
    /// that have begun in this batch are left alone.
    pub(crate) fn attached(&mut self, program: &Program, cards: &[ObjectId]) {
        readings::note_whole(readings::part::NOW);
        let of_these = |source: Value| matches!(source, Value::Object { id, .. } if cards.contains(&id));
        let is_older = |effect: &Effect| matches!(effect.holds, Holds::Static(_)) && of_these(effect.source) && effect.timestamp < self.now;
        if self.in_force.iter().any(|effect| is_older(effect)) {
            self.next = self.next.max(self.now + 1);
            self.come(program, cards, self.now);
            if !program.layers.is_empty() {
                self.forget_extents(program);
            }
        }
    }

    /// The static effects of these cards get this timestamp. So do the effects of abilities that they grant, or by policy the effects of
    /// abilities that they are granted (`granted = as_old_as_card`).
    fn come(&mut self, program: &Program, cards: &[ObjectId], time: u32) {
        let by_card = program.policies.granted_as_old_as_card;
        let comes = |effect: &Effect| {
            (matches!(effect.holds, Holds::Static(_)) || by_card && matches!(effect.holds, Holds::Granted(..)))
                && matches!(effect.source, Value::Object { id, .. } if cards.contains(&id))
        };
        let mut dated: Vec<u32> = Vec::new();
        // An effect of a granted ability has a greater number than the effect that grants the ability.
        let mut numbers: Vec<(u32, usize)> = self.in_force.iter().map(|effect| effect.number).zip(0..).collect();
        numbers.sort_unstable();
        for (number, at) in numbers {
            let Some(effect) = self.in_force.get_mut(at) else { continue };
            if comes(effect) || !by_card && matches!(effect.holds, Holds::Granted(_, by) if dated.contains(&by)) {
                dated.push(number);
                Arc::make_mut(effect).timestamp = time;
            }
        }
        self.sort_by_age();
    }

    /// Cards have come at this time. Effects with the ages of these cards may begin later, and a rule of the game may put them into an order.
    /// So no other age may follow at once.
    pub(crate) fn keep_ages_apart(&mut self, program: &Program, time: u32) {
        if program.policies.granted_as_old_as_card {
            self.next = self.next.max(time.saturating_add(AGES_OF_ONE_TIME));
        }
    }

    fn sort_by_age(&mut self) {
        self.in_force.sort_by_key(|effect| (effect.timestamp, effect.number));
        self.arranged = !self.in_force.is_sorted_by_key(|effect| effect.number);
        let times: Vec<(u32, u32)> = self.in_force.iter().map(|effect| (effect.number, effect.timestamp)).collect();
        for part in &mut self.order {
            part.timestamp = times.iter().find(|(number, _)| *number == part.effect).map_or(part.timestamp, |(_, time)| *time);
            part.extent = None;
        }
        self.order.sort_by_key(crate::state::Part::rank);
        self.row_version.touch();
    }

    /// Whether an effect applies before another one.
    #[must_use]
    pub(crate) fn is_before(&self, one: u32, other: u32) -> bool {
        let age = |number: u32| self.get(number).map_or((number, number), |effect| (effect.timestamp, number));
        if self.arranged { age(one) < age(other) } else { one < other }
    }
}

/// Whether all parts apply to the same things and do the same in two rows.
fn same_extents(one: &[Part], other: &[Part]) -> bool {
    one.iter().all(|part| {
        let there = other.iter().find(|at| (at.effect, at.change) == (part.effect, part.change));
        let (here, there) = (part.extent.as_ref(), there.and_then(|at| at.extent.as_ref()));
        here.zip(there).is_none_or(|(here, there)| here.members == there.members && here.amount == there.amount && here.many == there.many)
    })
}

impl State {
    /// Whether a part of the row reads what another part changes. If it reads a set, every member of the set counts, because a third part
    /// may decide where a part stands.
    pub(crate) fn is_looked_at(&self, program: &Program, part: &Part, other: &Part) -> bool {
        let clause = |part: &Part| program.clauses.get(self.effects.get(part.effect)?.clause);
        clause(part).is_some_and(|clause| match other.field {
            Some(field) => clause.reads.fields.contains(&field),
            None => self.could_change(program, part, clause, other),
        })
    }

    /// A copy in which two effects that began together have changed places.
    fn turned_round(&self, program: &Program, one: &Effect, other: &Effect) -> State {
        let mut copy = self.clone();
        let together = self.effects.in_force.iter().filter(|effect| effect.timestamp == one.timestamp);
        let turned = together.map(|effect| match effect.number {
            number if number == one.number => other.number,
            number if number == other.number => one.number,
            number => number,
        });
        copy.effects.supposed += 1;
        copy.effects.arrange(&turned.collect::<Vec<u32>>());
        copy.settle(program, Spots::ALL);
        copy
    }

    fn arrange(&mut self, program: &Program, numbers: &[u32]) {
        if program.policies.ties_of_conditions {
            self.effects.swap_ages(numbers);
            self.effects.are_in_order(numbers);
        } else {
            self.effects.arrange(numbers);
        }
        if program.layers.is_empty() {
            return;
        }
        self.effects.forget_extents(program);
    }
}

impl<O: Observer> Run<'_, O> {
    /// In a position that is laid down: these cards came later than all effects in force.
    pub fn came(&mut self, branch: &mut Branch, cards: crate::ids::ArgsId) {
        let program = self.program;
        let ids: Vec<ObjectId> = program
            .args_of(cards)
            .iter()
            .filter_map(|card| if let Value::Object { id, .. } = self.eval(branch).value(*card) { Some(id) } else { None })
            .collect();
        self.state.board.batches += 1;
        let (arrived, time) = (self.state.board.batches, self.state.effects.next);
        for id in &ids {
            if let Some(extra) = self.state.board.extra_mut(*id) {
                (extra.arrived, extra.since) = (arrived, time);
            }
        }
        self.state.effects.next = time + 1;
        self.state.effects.keep_ages_apart(program, time);
        self.state.effects.come(program, &ids, time);
        self.state.effects.was_without(&ids);
        if !program.layers.is_empty() {
            self.state.effects.forget_extents(program);
        }
        self.state.control.changed_anywhere();
        self.settle_effects(Spots::ALL);
        // Rules look at a position only when it is complete. Then this statement runs in the flow itself and not in a deeper call.
        if self.alone && branch.frames.len() <= 2 {
            self.immediate_rules(Some(branch));
        }
    }

    /// `arrange(S)`: effects that began together apply in the order of this set.
    pub fn arrange(&mut self, branch: &mut Branch, node: crate::ids::NodeId) {
        let mark = branch.lists.len();
        self.list(branch, node);
        let named = branch.lists.get(mark..).unwrap_or(&[]).iter();
        let numbers: Vec<u32> = named.filter_map(|value| if let Value::Effect(number) = value { Some(*number) } else { None }).collect();
        branch.lists.truncate(mark);
        self.state.arrange(self.program, &numbers);
        self.state.control.changed_anywhere();
        self.settle_effects(Spots::ALL);
        if self.alone {
            self.immediate_rules(Some(branch));
        }
    }
}
