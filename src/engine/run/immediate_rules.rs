//! Runs the immediate rules that are due after a change (docs/kernel/flow.md, "Rules that watch").

use crate::bits::PlaceSet;
use crate::eval::Eval;
use crate::eval::quick::Names;
use crate::plan::{RulePlan, Watched};
use crate::run::Run;
use crate::run::rules::Due;
use crate::short_ways::{ShortWay, took};
use crate::state::{Branch, RuleEvent, State, Waits, readings};
use crate::steps::Observer;
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// State triggers and immediate rules look at a position that has been laid on the table, with all effects that begin in it.
    pub(crate) fn look_at_position(&mut self, branch: Option<&mut Branch>) {
        self.state.control.laid = false;
        self.look_at_conditions();
        self.state.control.dirty = PlaceSet::ALL;
        self.immediate_rules(branch);
    }

    /// Runs the immediate rules that are due after the changes since the last check. If a single branch runs, the rules run in the middle
    /// of it. Otherwise they run as a lockstep of their own before the branches go on.
    #[inline]
    pub(crate) fn immediate_rules(&mut self, branch: Option<&mut Branch>) {
        let hears = self.plan.hears && !self.state.events.heard.is_empty();
        let control = &mut self.state.control;
        if control.holding > 0 || control.laid || control.dirty.is_none() && !control.wrote && !hears {
            return;
        }
        let (dirty, wrote) = (std::mem::take(&mut control.dirty), std::mem::take(&mut control.wrote));
        if dirty.meets(self.plan.ruled) || wrote || hears {
            self.rules_that_read(dirty, wrote, branch);
        }
    }

    #[inline(never)]
    fn rules_that_read(&mut self, dirty: PlaceSet, wrote: bool, branch: Option<&mut Branch>) {
        self.look_for_due_rules(dirty, wrote);
        let mut rules = std::mem::take(&mut self.scratch.rules);
        let mut count = self.scratch.due.len();
        for (at, (rule, player)) in self.scratch.due.drain(..).enumerate() {
            match rules.get_mut(at) {
                Some(due) => due.becomes(rule, player),
                None => rules.push(Due::of(rule, player)),
            }
        }
        if self.plan.hears {
            rules.truncate(count);
            rules.append(&mut self.heard_at_once());
            count = rules.len();
        }
        match (rules.get(..count).unwrap_or(&[]), branch) {
            ([], _) => {}
            ([only], Some(branch)) => self.begin_rule(branch, only),
            (due, running) => {
                self.rules_together(due);
                if running.is_some() {
                    // The branches whose changes called for the rules go on after the rules have ended.
                    self.stop_here();
                }
            }
        }
        self.scratch.rules = rules;
    }

    fn rules_together(&mut self, due: &[Due]) {
        let level = self.state.control.level + 1;
        for due in due {
            let mut branch = self.fresh_branch();
            branch.level = level;
            branch.own = Some(due.player);
            self.begin_rule(&mut branch, due);
            self.state.control.branches.push(branch);
        }
        self.state.control.level = level;
        self.alone = false;
    }

    /// Finds the immediate rules that are due after changes of these places (`dirty`) and, if `wrote`, of values outside of places.
    pub(crate) fn look_for_due_rules(&mut self, dirty: PlaceSet, wrote: bool) {
        self.scratch.due.clear();
        let State { control, effects, .. } = &*self.state;
        control.written.immediate().look(self.plan.rules.iter().map(RulePlan::written), effects);
        for (at, rule) in self.plan.rules.iter().enumerate() {
            if !(rule.reads.meets(dirty) || wrote && rule.reads.is_all()) {
                continue;
            }
            let how = rule.written().and_then(|reads| self.state.effects.hold_still(reads));
            let known = how.is_some_and(|how| self.state.control.written.immediate().has(at, how));
            let truth = self.rule_stands(rule, known).unwrap_or_else(|| self.rule_holds(rule));
            if !known && rule.written().is_some() {
                // The board now holds the truth of the condition under the present effects, so older notes are dropped.
                let known = self.state.control.written.immediate();
                known.forget(at);
                how.into_iter().for_each(|how| known.note(at, how));
            }
            debug_assert_eq!(truth, self.rule_holds(rule), "{:?}", self.program.rules.get(rule.rule).map(|rule| &rule.name));
            let slot = self.state.board.rule_truth.get_mut(rule.truth);
            let before = slot.map(|slot| std::mem::replace(slot, truth)).unwrap_or(false);
            let is_due = truth && if rule.becomes { !before } else { self.may_run(rule.rule, rule.player) };
            if is_due && rule.immediately {
                self.scratch.due.push((rule.rule, rule.player));
            } else if is_due {
                self.state.events.heard.push(RuleEvent {
                    rule: rule.rule,
                    player: rule.player,
                    captures: smallvec::smallvec![Value::Player(rule.player)],
                });
            }
        }
    }

    /// Whether the condition of a rule is true, if this can be found without evaluating the condition: its truth is known, or the things
    /// that it reads do not exist. `None`: the condition has to be evaluated.
    fn rule_stands(&mut self, rule: &RulePlan, known: bool) -> Option<bool> {
        let State { board, effects, events, control, .. } = &mut *self.state;
        match rule.watched {
            Watched::Written(_) if known => {
                took(ShortWay::RuleKnown);
                board.rule_truth.get(rule.truth).copied()
            }
            Watched::Waiting
                if !readings::are_noted() && events.pending.unnoted().iter().all(|pending| matches!(pending.waits, Waits::Declared(_))) =>
            {
                took(ShortWay::RuleWaits);
                Some(false)
            }
            Watched::Ties => {
                let known = effects.extent_of_force();
                if control.written.pairs(known).is_none() {
                    let pairs = effects.may_be_tied(self.program);
                    control.written.may_be_tied(known, pairs);
                }
                took(ShortWay::RuleTies);
                let pairs = control.written.pairs(known).cloned()?;
                if self.program.policies.ties_of_conditions {
                    self.note_switched(&pairs);
                }
                let tied = |pair: &(u32, u32)| Eval::new(self.program, self.state, &[], &[], rule.player, Value::Undefined).are_tied(*pair);
                Some(pairs.iter().any(tied))
            }
            _ => None,
        }
    }

    fn rule_holds(&mut self, rule: &RulePlan) -> bool {
        if let Some(place) = rule.empty {
            return self.state.board.cards(place).is_empty();
        }
        let local = [Value::Player(rule.player)];
        if let Some(value) = self.quick(&local, &Names::new(rule.player, Value::Undefined), rule.condition) {
            return value.is_true();
        }
        Eval::new(self.program, self.state, &local, &[], rule.player, Value::Undefined).holds(rule.condition)
    }
}
