//! Events that nobody performs: continuous effects that begin or end, computed values that change
//! (docs/kernel/abilities.md, "Events that happen by themselves").
//!
//! These events are looked for when a change, or a batch of changes, is over. Games in which nobody asks for them pay nothing.

use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::ids::{NodeId, Pc};
use crate::limits::{WORK_OF_A_CONDITION, WORK_OF_A_LOOK};
use crate::plan::Watched;
use crate::program::{Builtin, ClauseKind, Program, Turns};
use crate::run::Run;
use crate::short_ways::{ShortWay, took};
use crate::state::{Branch, Cause, Doing, Effect, Frame, MOST_ARGUMENTS, State};
use crate::steps::Observer;
use crate::value::Value;
use std::sync::Arc;

/// In place of the first effect that could have begun in a batch: no effect could.
pub(crate) const NO_EFFECT: u32 = u32::MAX;

impl<O: Observer> Run<'_, O> {
    /// Whether somebody asks for events of values: the program, or somebody who keeps every event (a scenario).
    #[inline]
    pub(crate) fn looks_at_values(&self) -> bool {
        self.plan.looks_at_values || self.record_all && !self.program.value_events.is_empty()
    }

    /// Notes the present values before the first change of a game, so that only changes of values are events.
    #[inline]
    pub(crate) fn before_changes(&mut self) {
        if self.looks_at_values() && self.state.events.values.unnoted().is_empty() {
            *self.state.events.values.unnoted_mut() = self.values_now();
        }
    }

    /// A change is over: tells the events that it has brought about by itself.
    #[inline]
    pub(crate) fn after_change(&mut self, branch: &Branch, at: u16) {
        if self.state.effects.tells || self.looks_at_values() {
            let cause = self.cause(branch);
            self.tell_of_itself(branch, at, cause, NO_EFFECT);
        }
    }

    /// Effects have ended outside of a batch of changes: with their stretch, or by themselves. Abilities about a state look at their conditions
    /// now, as after each change.
    pub(crate) fn settle_after_end(&mut self, branch: &Branch, at: u16) {
        self.settle_effects(crate::bits::Spots::NONE);
        self.look_at_conditions();
        self.after_change(branch, at);
    }

    /// The outermost `atomically` is over. Everything that has changed in it has changed at once, whatever it was in between.
    #[inline]
    pub(crate) fn after_atomically(&mut self, branch: &Branch, at: u16) {
        if self.state.control.holding > 0 {
            return;
        }
        self.look_at_conditions();
        if self.state.effects.tells {
            let cause = self.cause(branch);
            self.tell_turned(branch, at, cause);
        }
        if self.looks_at_values() && !self.state.events.values.unnoted().is_empty() {
            let cause = self.cause(branch);
            self.tell_values(branch, at, cause, NO_EFFECT);
        }
    }

    /// A batch is over. `from`: the number of the first effect that could have begun in it.
    #[inline(never)]
    pub(crate) fn after_batch(&mut self, cause: Cause, from: u32) {
        let level = self.state.control.level;
        let first = self.state.control.branches.iter().position(|branch| branch.level == level).unwrap_or(0);
        let Some(branch) = self.take_out(first) else { return };
        self.tell_of_itself(&branch, first as u16, cause, from);
        self.put_back(branch, first);
    }

    /// The cause of the changes that the branches are about to make. Unknown if the changes have different causes.
    pub(crate) fn common_cause(&self) -> Cause {
        let level = self.state.control.level;
        let branches =
            self.state.control.branches.iter().filter(|branch| branch.level == level && matches!(branch.doing, Doing::Change(_)));
        let mut causes = branches.filter_map(|branch| branch.frames.last()).map(|frame| frame.cause);
        let Some(first) = causes.next() else { return Cause::Unknown };
        if causes.all(|cause| cause == first) { first } else { Cause::Unknown }
    }

    fn tell_of_itself(&mut self, branch: &Branch, at: u16, cause: Cause, from: u32) {
        if self.state.effects.tells {
            self.tell_effects(branch, at, cause);
            self.tell_turned(branch, at, cause);
        }
        if self.looks_at_values() && self.state.control.holding == 0 {
            self.tell_values(branch, at, cause, from);
        }
    }

    /// Tells the effects that have begun and ended. Triggers that end together hear of one another's end.
    pub(crate) fn tell_effects(&mut self, branch: &Branch, at: u16, cause: Cause) {
        if self.state.effects.begun.is_empty() && self.state.effects.ended.is_empty() {
            return;
        }
        let mut begun = std::mem::take(&mut self.state.effects.begun);
        let mut ended = std::mem::take(&mut self.state.effects.ended);
        // An effect that was only put in force anew goes on.
        begun.retain(|number| {
            let Some(effect) = self.state.effects.get(*number) else { return false };
            let again = ended.iter().position(|other| other.goes_on_as(effect));
            let Some(again) = again.map(|at| ended.remove(at)) else { return !hangs(self.program, effect) };
            if again.was {
                self.state.effects.hold(*number, true);
            }
            false
        });
        // An effect whose condition was not true had not begun.
        ended.retain(|effect| effect.was || !hangs(self.program, effect));
        for effect in &ended {
            let (args, lists) = of_effect(effect);
            self.emit_by_itself(branch, at, Builtin::EffectEnds, (args, &lists), cause);
            let what = Happening { verb: Builtin::EffectEnds.verb(), args: &args, lists: &lists, cause };
            self.hear_own_end(branch, at, &ended, what);
        }
        for number in begun {
            let Some(effect) = self.state.effects.get(number) else { continue };
            let (args, lists) = of_effect(effect);
            self.emit_by_itself(branch, at, Builtin::EffectBegins, (args, &lists), cause);
        }
    }

    /// An effect whose condition has become true has begun; an effect whose condition is no longer true has ended. Within an `atomically`
    /// this is not looked at.
    fn tell_turned(&mut self, branch: &Branch, at: u16, cause: Cause) {
        if self.state.control.holding > 0 {
            return;
        }
        for (number, holds) in self.state.note_truths(self.program) {
            let Some((args, lists)) = self.state.effects.get(number).map(of_effect) else { continue };
            let verb = if holds { Builtin::EffectBegins } else { Builtin::EffectEnds };
            self.emit_by_itself(branch, at, verb, (args, &lists), cause);
        }
    }

    /// Lets triggers that have ended in the same batch hear of an end.
    fn hear_own_end(&mut self, branch: &Branch, at: u16, ended: &[Effect], what: Happening<'_>) {
        for effect in ended {
            let Some(ClauseKind::When { pattern, body, once }) = self.program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                continue;
            };
            let eval = self.eval(branch);
            let Some(bound) = eval.inside(effect).bound_apart(*pattern, what) else { continue };
            let you = eval.you_of(effect);
            self.begin_to_wait_by(branch, at, effect, you, (*body, *once), (*pattern, bound));
        }
    }

    pub(crate) fn emit_by_itself(
        &mut self,
        branch: &Branch,
        at: u16,
        verb: Builtin,
        (args, lists): ([Value; MOST_ARGUMENTS], &[Value]),
        cause: Cause,
    ) {
        let frame = Frame { pc: Pc::NOWHERE, cause, ..Frame::default() };
        let mut holder = Branch { lists: lists.to_vec(), ..Branch::default() };
        // The event stands as deep as the change that brought it about.
        holder.frames.resize(branch.frames.len(), Frame::default());
        self.emit_cited(&holder, &frame, at, verb.verb(), args);
    }

    /// Tells the values that have changed.
    fn tell_values(&mut self, branch: &Branch, at: u16, cause: Cause, from: u32) {
        if self.values_stand() {
            took(ShortWay::ValuesStand);
            // A trial run looks at fewer values than a game of which everything is recorded.
            let stand = |(now, known): (&Vec<_>, &Vec<_>)| now.is_empty() || now == known;
            debug_assert!(self.values_now().iter().zip(self.state.events.values.unnoted()).all(stand));
            return;
        }
        let State { effects, control, .. } = &mut *self.state;
        control.written.values_are_seen(effects);
        let now = self.values_now();
        if now == *self.state.events.values {
            return;
        }
        let before = std::mem::replace(&mut *self.state.events.values, now.clone());
        let frame = Frame { pc: Pc::NOWHERE, cause, ..Frame::default() };
        for ((def, before), now) in self.program.value_events.iter().zip(&before).zip(&now) {
            for (of, value) in now {
                let known = before.iter().find(|(other, _)| other == of);
                if !known.is_some_and(|(_, before)| turns(def.how, *before, *value)) {
                    continue;
                }
                let cause = self.begun_for(*of, from).unwrap_or(cause);
                let mut args = [Value::Undefined; MOST_ARGUMENTS];
                if let (true, Some(first)) = (def.of != NodeId::NONE, args.first_mut()) {
                    *first = *of;
                }
                self.emit_cited(branch, &Frame { cause, ..frame }, at, def.verb, args);
            }
        }
    }

    /// Whether nothing from which the values are computed was written since the values were last looked at.
    fn values_stand(&self) -> bool {
        let State { effects, control, .. } = &*self.state;
        let since = control.written.since_values();
        self.plan.values.iter().all(|watched| match watched {
            Watched::Written(reads) => since.is_nothing_of(reads, effects),
            _ => false,
        })
    }

    /// The cause of the youngest effect that began in this batch for an object. It counts before the common cause of the batch.
    fn begun_for(&self, of: Value, from: u32) -> Option<Cause> {
        let begun = self.state.effects.in_force.iter().rev().take_while(|effect| effect.number >= from);
        let mut on_it = begun.filter(|effect| effect.targets.as_ref().is_some_and(|targets| targets.contains(&of)));
        on_it.next().map(|effect| Cause::effect(effect.source, effect.you))
    }

    fn values_now(&mut self) -> Vec<Vec<(Value, Value)>> {
        let mut all = Vec::with_capacity(self.program.value_events.len());
        for def in &self.program.value_events {
            let mut values = Vec::new();
            if self.record_all || self.plan.is_asked_for(def.verb) {
                let mut eval = Eval::new(self.program, self.state, &[], &[], crate::value::Player(0), Value::Undefined);
                if def.of == NodeId::NONE {
                    values.push((Value::Undefined, eval.value(def.value)));
                } else {
                    eval.each(def.of, &mut |eval, member| {
                        values.push((member, eval.bind(member, |eval| eval.value(def.value))));
                        false
                    });
                }
            }
            all.push(values);
        }
        all
    }
}

impl State {
    /// Notes for each effect that depends on a condition whether the condition is true. Gives the effects for which this has changed, and
    /// whether the condition is true now.
    pub(crate) fn note_truths(&mut self, program: &Program) -> Vec<(u32, bool)> {
        self.effects.count_walk(WORK_OF_A_LOOK);
        let turned = self.effects.in_force.iter().filter(|effect| hangs(program, effect)).filter_map(|effect| {
            let condition = program.clauses.get(effect.clause)?.condition;
            self.effects.asked.work.add(WORK_OF_A_CONDITION);
            let mut eval = Eval::new(program, self, &[], &[], effect.you, effect.source).inside(effect);
            let holds = eval.enter(effect.number) && eval.holds(condition);
            (holds != effect.was).then_some((effect.number, holds))
        });
        let turned: Vec<(u32, bool)> = turned.collect();
        turned.iter().for_each(|(number, holds)| self.effects.hold(*number, *holds));
        turned
    }
}

impl crate::state::Effects {
    /// Notes whether the condition of an effect is true.
    fn hold(&mut self, number: u32, holds: bool) {
        if let Some(effect) = self.in_force.iter_mut().find(|effect| effect.number == number) {
            Arc::make_mut(effect).was = holds;
        }
    }
}

/// Whether an effect depends on a condition, and is in force while the condition is true.
fn hangs(program: &Program, effect: &Effect) -> bool {
    let clause = program.clauses.get(effect.clause);
    clause.is_some_and(|clause| clause.condition != NodeId::NONE && !matches!(clause.kind, ClauseKind::Whenever { .. }))
}

impl Effect {
    /// Whether another effect is the same clause of the same card's same life, put in force anew.
    fn goes_on_as(&self, other: &Effect) -> bool {
        matches!(self.holds, crate::state::Holds::Static(_))
            && (self.clause, self.source, self.holds) == (other.clause, other.source, other.holds)
    }
}

/// The arguments of the event that an effect begins or ends: the card from which the effect comes, and the things for which it was begun.
fn of_effect(effect: &Effect) -> ([Value; MOST_ARGUMENTS], Vec<Value>) {
    let lists = effect.targets.clone().unwrap_or_default();
    let on = if effect.targets.is_some() { Value::List { start: 0, len: lists.len() as u16 } } else { Value::Undefined };
    let mut args = [Value::Undefined; MOST_ARGUMENTS];
    for (slot, value) in args.iter_mut().zip([effect.source, on]) {
        *slot = value;
    }
    (args, lists)
}

/// Whether a value has changed in the way that counts. A value that was or is undefined has neither risen nor fallen.
fn turns(how: Turns, before: Value, now: Value) -> bool {
    match how {
        Turns::Falls => before.number().zip(now.number()).is_some_and(|(before, now)| now < before),
        Turns::Rises => before.number().zip(now.number()).is_some_and(|(before, now)| now > before),
        Turns::Changes => before != now,
        Turns::BecomesTrue => !before.is_true() && now.is_true(),
        Turns::BecomesFalse => before.is_true() && !now.is_true(),
    }
}
