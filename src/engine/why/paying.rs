//! Explains the amount of a cost and why it cannot be paid; effects that permit, demand or assume; effects that a reading leaves out.

use super::failing::MOST_MEMBERS;
use super::{Answer, Fact, Influence, rules_of_effect};
use crate::costs::assignment::Unmatched;
use crate::costs::bodies::Spent;
use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::ids::{ArgsId, CitesId, FactId, MatchId, NodeId, SlotId, VerbId};
use crate::program::{ClauseKind, PartDef, PartKey, PartTest};
use crate::state::{Cause, Effect, MOST_ARGUMENTS, Pending};
use crate::value::Value;

impl<'a> Eval<'a> {
    /// Explains the parts of a cost (those with a key, or all): the amounts due, and why. For all parts, also the lacking amounts.
    pub(super) fn part_cost(
        &mut self,
        of: NodeId,
        (slot, key, without): (SlotId, Option<PartKey>, NodeId),
        depth: u8,
        answer: &mut Answer,
    ) {
        let Some((pending, amounts, parts)) = self.cost_of(of, slot) else { return };
        let fixed =
            pending.slot(self.program, slot).and_then(|(at, _)| pending.slots.get(at)).is_some_and(|slot| *slot != Value::Undefined);
        let accounts = self.accounts(&pending, parts);
        for ((part, amount), account) in parts.iter().zip(&amounts).zip(accounts) {
            let never_due = *amount == 0 && account.printed == 0 && account.changes.is_empty();
            if key.is_some_and(|key| key != part.key) || key.is_none() && never_due {
                continue;
            }
            answer.say(depth, Fact::Due(part.key, *amount), [self.cites_of_part(part.key)]);
            if fixed {
                answer.say(depth + 1, Fact::Fixed, []);
                continue;
            }
            answer.say(depth + 1, Fact::Printed(vec![Value::Number(account.printed)]), []);
            let mut before = account.printed;
            for (number, kind, by, now) in account.changes {
                let Some(effect) = self.state.effects.get(number) else { continue };
                let changed = Fact::Changed(Influence::of(effect), kind, Value::Number(by), vec![Value::Number(now)]);
                answer.say(depth + 1, changed, rules_of_effect(self.program, effect));
                before = now;
            }
            if account.due != before {
                let prices = self.program.policies.prices;
                answer.say(depth + 1, Fact::Floored(prices.at_least, before), [prices.cites]);
            }
        }
        if key.is_none() {
            let without = if without == NodeId::NONE { Vec::new() } else { self.members(without) };
            self.part_lacking(&pending, (&amounts, &without), parts, depth, answer);
        }
    }

    fn cites_of_part(&self, key: PartKey) -> CitesId {
        match key {
            PartKey::Pool(state) => self.program.states.get(state).map_or_else(CitesId::default, |state| state.name.cites),
            PartKey::Verb(verb) => self.program.verbs.get(verb).map_or_else(CitesId::default, |verb| verb.name.cites),
        }
    }

    /// Explains which parts of a cost cannot be paid, as far as counting tells.
    fn part_lacking(
        &mut self,
        pending: &Pending,
        (amounts, without): (&[i32], &[Value]),
        parts: &'a [PartDef],
        depth: u8,
        answer: &mut Answer,
    ) {
        let locals = pending.locals(self.program);
        let mut inner = self.of_waiting(pending, &locals);
        let mut spent = Spent::new();
        for (part, amount) in parts.iter().zip(amounts.iter().copied()).filter(|(_, amount)| *amount > 0) {
            let cites = [inner.cites_of_part(part.key)];
            inner.bind(Value::Number(amount), |inner| match part.test {
                PartTest::Pool(player, state) => {
                    let Some(player) = inner.player(player) else { return };
                    if let Err((player, state, there, wanted)) = inner.takes_from((player, state), amount, &mut spent) {
                        answer.say(depth, Fact::Short(Value::Player(player), state, there, wanted), cites);
                    }
                }
                PartTest::Count(set) => {
                    let there = inner.pickable(part, set, (without, amount));
                    if there < amount {
                        answer.say(depth, Fact::Few(part.key, there, amount), cites);
                    }
                }
                PartTest::Holds(node) if !inner.holds(node) => {
                    answer.say(depth, Fact::NoPart(part.key), cites);
                    inner.why_it_is(node, depth + 1, answer);
                }
                PartTest::Holds(_) => {
                    let Err(short) = inner.part_carries_out(part, &mut spent) else { return };
                    answer.say(depth, Fact::NoPart(part.key), cites);
                    if let Some((player, state, there, wanted)) = short {
                        let cites = [inner.cites_of_part(PartKey::Pool(state))];
                        answer.say(depth + 1, Fact::Short(Value::Player(player), state, there, wanted), cites);
                    }
                }
            });
        }
        let peeked = inner.peeked;
        self.peeked |= peeked;
    }

    /// The requirement or the joining member of a match that has no place, with the rules beside its line, and why the first units do not
    /// fit it.
    pub(super) fn part_unmatched(&mut self, of: MatchId, depth: u8, answer: &mut Answer) {
        let Some(def) = self.program.matches.get(of) else { return };
        let Some(Unmatched { demand, member, joins }) = self.unmatched(of) else { return };
        let [needs, joined] = def.beside;
        let line = if joins { joined } else { needs };
        // A line without rules is a part of the declaration, which has its rules.
        answer.say(depth, Fact::Unmatched(of, member, joins), [if line == CitesId::default() { def.cites } else { line }]);
        let condition = if joins { def.joins.map_or(NodeId::NONE, |(_, condition)| condition) } else { def.needs.1 };
        let units = self.members(def.units);
        if units.is_empty() {
            return self.why_empty(def.units, depth + 1, answer);
        }
        let mut told = |eval: &mut Self| eval.misfits(&units, (member, condition), depth + 1, answer);
        match demand {
            Some(demand) => self.bind(demand, told),
            None => told(self),
        }
    }

    /// Why units do not fit a member of a match: the first few that do not.
    fn misfits(&mut self, units: &[Value], (member, condition): (Value, NodeId), depth: u8, answer: &mut Answer) {
        let mut told = 0;
        for unit in units {
            let beneath = self.bind(*unit, |eval| {
                eval.bind(member, |eval| {
                    let mut parts = Answer::default();
                    let fits = eval.holds(condition);
                    if !fits {
                        eval.why_it_is(condition, depth + 1, &mut parts);
                    }
                    (!fits).then_some(parts.lines)
                })
            });
            if let Some(beneath) = beneath.filter(|_| told < MOST_MEMBERS) {
                told += 1;
                self.say_failing(*unit, beneath, depth, answer);
            }
        }
    }

    /// The effects in force that permit an action.
    pub(super) fn part_permitted(&mut self, (verb, args): (VerbId, ArgsId), depth: u8, answer: &mut Answer) {
        let (program, state) = (self.program, self.state);
        let mut values = [Value::Undefined; MOST_ARGUMENTS];
        for (slot, node) in values.iter_mut().zip(program.args_of(args)) {
            *slot = self.value(*node);
        }
        let what = Happening { verb, args: &values, lists: self.lists, cause: Cause::Rule };
        for effect in &state.effects.in_force {
            let Some(ClauseKind::Permit(pattern)) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else { continue };
            if self.watches(effect, effect.clause, *pattern, what) {
                answer.say(depth, Fact::Permitted(Influence::of(effect)), rules_of_effect(program, effect));
            }
        }
    }

    /// The effects in force that assume a fact with these arguments.
    pub(super) fn part_assumed(&mut self, (fact, args): (FactId, ArgsId), depth: u8, answer: &mut Answer) {
        let state = self.state;
        let asked: Vec<Value> = self.program.args_of(args).iter().map(|node| self.value(*node)).collect();
        for effect in &state.effects.in_force {
            if self.assumes(effect, fact, &asked) {
                answer.say(depth, Fact::Assumed(Influence::of(effect)), rules_of_effect(self.program, effect));
            }
        }
    }

    /// The effects in force that demand members in a choice, with these members.
    pub(super) fn demands(&mut self, choice: u16, answer: &mut Answer) {
        let (program, state) = (self.program, self.state);
        for effect in &state.effects.in_force {
            let Some(ClauseKind::Require { choice: of, what }) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                continue;
            };
            if *of == choice && self.is_active(effect, effect.clause) {
                let members = self.inside(effect).members(*what);
                answer.say(1, Fact::Demanded(Influence::of(effect), members), rules_of_effect(program, effect));
            }
        }
    }

    /// The effects that a reading leaves out.
    pub(super) fn left_out(&mut self, effects: NodeId) -> Vec<Influence> {
        let numbers = self.named_effects(effects);
        let found: Vec<&Effect> = numbers.iter().filter_map(|number| self.state.effects.get(*number)).collect();
        found.into_iter().map(Influence::of).collect()
    }
}
