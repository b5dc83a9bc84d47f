//! Keeps each step as it is told, with the step that contains it.

use super::{History, Kept};
use crate::effects::keep;
use crate::ids::{AbilityId, CitesId, StateId};
use crate::state::{Branch, Doing, Effect, Holds, Waits};
use crate::steps::{Inside, Observer, Step, Traced, View, Why};
use crate::value::Value;
use std::sync::Arc;

impl Observer for History {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, traced: &Traced) {
        self.look(view);
        if matches!(traced.step, Step::Judged | Step::Over(_)) {
            self.cut();
        }
        if traced.step.is_aside() {
            // The operands of a rule's condition are told after the rule has begun, and belong to the rule.
            let within = match self.kept.last() {
                Some(last) if matches!(last.traced.step, Step::Rule(..)) => Some(self.kept.len() - 1),
                last => last.and_then(|last| last.within),
            };
            return self.kept.push(Kept::new(view, traced.clone(), within));
        }
        self.forget_ended(view, traced.branch);
        self.settle_rule(view, (traced.branch, traced.depth));
        let now = self.kept.len();
        let mut traced = traced.clone();
        self.own_lists(&mut traced.step, view);
        if matches!(traced.step, Step::Rule(..)) && traced.depth > 0 {
            self.unsettled = Some(now);
            // A rule that runs in the middle of a branch is told without the number of the branch.
            traced.branch = self.kept.last().map_or(0, |kept| kept.traced.branch);
        }
        let instead = matches!(traced.step, Step::Ability { ability: None, .. }) && self.replaced_just_now(&traced);
        let (outside, inside) = depths(&traced, instead);
        let together = matches!(traced.step, Step::Rule(..)) && traced.depth == 0;
        // Effects of cards begin and end outside of calls, so the open calls stay open.
        let beside = traced.depth == 0 && matches!(traced.step, Step::EffectBegins(_) | Step::EffectEnds(_));
        let within = if together || beside { None } else { self.within(view, usize::from(traced.branch), outside) };
        let for_it = self.called_for(view, &traced, instead);
        if let Step::Waits(number, _) = traced.step
            && view.state.events.waiting(number).is_some()
        {
            // The number of an ability that waited in an undone attempt is given again.
            self.waiting.retain(|(known, _)| *known != number);
            self.waiting.push((number, now));
        }
        if together {
            self.rule_forks(view, now);
        } else if let (Some(inside), Some(open)) = (inside, self.open.get_mut(usize::from(traced.branch))) {
            open.push((inside, now));
        }
        if let Step::Rule(rule, player) = traced.step {
            self.note_rule(view, (rule, player), (traced.branch, traced.depth));
        }
        let kind = kind_of_waiting(view, &traced.step);
        let pays = self.whose_cost(view, &traced.step);
        let giver = self.giver_of(view, &traced.step);
        self.kept.push(Kept { for_it, kind, pays, giver, ..Kept::new(view, traced, within) });
    }

    fn state_set(&mut self, view: &View<'_>, traced: &Traced) {
        // The state is told before it is set.
        self.look(view);
        self.settle_rule(view, (traced.branch, traced.depth));
        let within = self.within(view, usize::from(traced.branch), traced.depth);
        let state = self.setting.take();
        self.kept.push(Kept { set: true, state, ..Kept::new(view, traced.clone(), within) });
    }

    fn about_to_set(&mut self, of: Value, state: StateId) {
        self.setting = Some((of, state));
    }

    fn about_to_read(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        self.settle_rule(view, inside.place);
        self.note_ground(view, inside);
    }
}

impl History {
    /// Looks at the conditions of rules and abilities, and at the effects in force.
    fn look(&mut self, view: &View<'_>) {
        if !self.truths.look(view, self.kept.len()) {
            return;
        }
        for effect in &view.state.effects.in_force {
            match self.effects.binary_search_by_key(&effect.number, |known| known.number) {
                Ok(at) => self.effects.get_mut(at).into_iter().for_each(|known| *known = Arc::clone(effect)),
                Err(at) => self.effects.insert(at, Arc::clone(effect)),
            }
        }
    }

    /// Finds the branch of a rule that runs in the middle of a branch, by the first statement of the rule: the rule itself is told without the
    /// number of its branch.
    fn settle_rule(&mut self, view: &View<'_>, (branch, depth): (u16, u16)) {
        let Some(rule) = self.unsettled.take() else { return };
        let Some(told) = self.kept.get(rule).map(|kept| (kept.traced.branch, kept.traced.depth)) else { return };
        if depth != told.1 + 1 || branch == told.0 {
            return;
        }
        self.open.get_mut(usize::from(told.0)).into_iter().for_each(|open| open.retain(|(_, step)| *step != rule));
        let within = self.within(view, usize::from(branch), told.1);
        self.open.get_mut(usize::from(branch)).into_iter().for_each(|open| open.push((depth, rule)));
        if let Some(kept) = self.kept.get_mut(rule) {
            (kept.traced.branch, kept.within) = (branch, within);
        }
    }

    /// Forgets branches that have ended, because a later branch may get the same number.
    fn forget_ended(&mut self, view: &View<'_>, running: u16) {
        // While a batch is performed, the branches cannot be seen.
        if view.state.control.branches.is_empty() {
            return;
        }
        for at in 0..self.open.len() {
            let ended = view.state.control.branches.get(at).is_none_or(|branch| matches!(branch.doing, Doing::Ended));
            if ended && at != usize::from(running) {
                self.open.get_mut(at).into_iter().for_each(Vec::clear);
                self.forked.get_mut(at).into_iter().for_each(|slot| *slot = None);
            }
        }
    }

    /// The effect that has given a card the ability that begins to wait or is performed.
    fn giver_of(&self, view: &View<'_>, step: &Step) -> Option<u32> {
        let id = |value: Value| if let Value::Object { id, .. } = value { Some(id) } else { None };
        // Those that are still in force come first. If several cards have given the same ability, it is not known which one counts.
        let given = |card: Value, is_it: &dyn Fn(&Effect, AbilityId) -> bool| {
            let by = |effect: &Arc<Effect>| match effect.holds {
                Holds::Granted(ability, by) if id(effect.source) == id(card) && is_it(effect, ability) => Some(by),
                _ => None,
            };
            let mut givers: Vec<u32> = view.state.effects.in_force.iter().filter_map(by).collect();
            if givers.is_empty() {
                givers = self.effects.iter().filter_map(by).collect();
            }
            let source = |number: &u32| self.effect(*number).map(|effect| effect.source);
            let last = givers.last().copied()?;
            givers.iter().all(|number| source(number) == source(&last)).then_some(last)
        };
        match step {
            Step::Waits(number, _) => {
                let pending = view.state.events.waiting(*number)?;
                let Waits::Triggered(_, clause) = pending.waits else { return None };
                given(pending.source, &|effect, _| effect.clause == clause)
            }
            Step::Ability { card, ability: Some(ability), .. } => {
                let granted = view.state.effects.granted.iter().filter(|granted| granted.to == *card && granted.ability == *ability);
                match granted.map(|granted| granted.by).collect::<Vec<u32>>().as_slice() {
                    [] => given(*card, &|_, which| which == *ability),
                    [only] => Some(*only),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn own_lists(&mut self, step: &mut Step, view: &View<'_>) {
        if let Step::Began(_, args, _) | Step::Processes(_, args) | Step::Performed(_, args, _) | Step::NotPerformed(_, args, _) = step {
            for arg in args {
                *arg = keep(*arg, view.lists, &mut self.lists);
            }
        }
    }

    fn replaced_just_now(&self, traced: &Traced) -> bool {
        let passed = |step: &Step| step.is_aside() || matches!(step, Step::Statement(_) | Step::TooFew { .. });
        let before = self.kept.iter().rev().find(|kept| !passed(&kept.traced.step));
        before.is_some_and(|kept| {
            kept.traced.branch == traced.branch && matches!(kept.traced.step, Step::NotPerformed(_, _, Why::Replaced(_)))
        })
    }

    /// The step that contains a step at this depth of a branch. Calls that have ended are closed.
    fn within(&mut self, view: &View<'_>, branch: usize, depth: u16) -> Option<usize> {
        if self.open.len() <= branch {
            self.open.resize(branch + 1, Vec::new());
            self.forked.resize(branch + 1, None);
        }
        let open = self.open.get_mut(branch)?;
        while open.pop_if(|(inside, _)| *inside > depth).is_some() {}
        if let Some((_, step)) = open.last() {
            return Some(*step);
        }
        if branch == 0 {
            return None;
        }
        if self.forked.get(branch).copied().flatten().is_none() {
            let from = self.forked_in(view, branch);
            if let Some(slot) = self.forked.get_mut(branch) {
                *slot = from;
            }
        }
        self.forked.get(branch).copied().flatten()
    }

    /// The step in which a branch was forked. Its parent is found by counting: the running branch is not in the state, so the parent is a
    /// branch that waits for more branches than the state contains.
    fn forked_in(&mut self, view: &View<'_>, branch: usize) -> Option<usize> {
        let branches = &view.state.control.branches;
        let of = |parent: usize, other: &Branch| other.parent == Some(parent as u16) && !matches!(other.doing, Doing::Ended);
        let lacks_one = |parent: usize, waiting: &Branch| {
            let seen = branches.iter().enumerate().filter(|(at, other)| *at != branch && of(parent, other)).count();
            matches!(waiting.doing, Doing::Wait) && waiting.children != u16::MAX && usize::from(waiting.children) > seen
        };
        let parent = branches.iter().enumerate().rev().find(|(at, waiting)| lacks_one(*at, waiting)).map(|(at, _)| at);
        match parent {
            Some(parent) => {
                let open = self.open.get(parent).and_then(|open| open.last()).map(|(_, step)| *step);
                open.or_else(|| self.forked.get(parent).copied().flatten())
            }
            None if self.rules.is_empty() => None,
            None => Some(self.rules.remove(0)),
        }
    }

    /// A rule runs together with others, in a branch of its own: the branch that is added next.
    fn rule_forks(&mut self, view: &View<'_>, rule: usize) {
        let branch = view.state.control.branches.len();
        if branch == 0 {
            // While a batch is performed, the branches cannot be seen.
            return self.rules.push(rule);
        }
        if self.open.len() <= branch {
            self.open.resize(branch + 1, Vec::new());
            self.forked.resize(branch + 1, None);
        }
        self.open.get_mut(branch).into_iter().for_each(Vec::clear);
        self.forked.get_mut(branch).into_iter().for_each(|slot| *slot = Some(rule));
    }
}

/// The depth of the call that contains a step, and the depth inside the call that the step opens. None for a step that opens no call.
fn depths(traced: &Traced, instead: bool) -> (u16, Option<u16>) {
    let depth = traced.depth;
    match &traced.step {
        Step::Ability { .. } if instead => (depth.saturating_sub(1), Some(depth + 1)),
        Step::Ability { .. } | Step::Processes(..) => (depth.saturating_sub(1), Some(depth)),
        Step::Began(..) | Step::Rule(..) => (depth, Some(depth + 1)),
        _ => (depth, None),
    }
}

fn kind_of_waiting(view: &View<'_>, step: &Step) -> Option<CitesId> {
    let Step::Waits(number, _) = step else { return None };
    let pending = view.state.events.waiting(*number)?;
    match pending.waits {
        Waits::Triggered(kind, _) | Waits::Announced(kind) => view.program.kinds.get(kind).map(|kind| kind.name.cites),
        Waits::PutBy(moment) => view.program.moments.get(moment).map(|moment| moment.cites),
        Waits::Declared(option) => view.program.verbs.get(view.program.options.get(option)?.verb).map(|verb| verb.name.cites),
    }
}
