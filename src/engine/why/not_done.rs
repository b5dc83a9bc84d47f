//! Notes what is not done while something is tried on a copy of the game, with the rules for it. `can.rs` decides which of these facts
//! matter.

use super::{Answer, Fact, Influence, rules_of_effect};
use crate::eval::Eval;
use crate::ids::{CitesId, NodeId, Pc, VerbId};
use crate::program::{Op, PartKey, Principle, Program};
use crate::random::Generator;
use crate::state::MOST_ARGUMENTS;
use crate::state::board::zone_of;
use crate::steps::{Inside, Observer, Step, Traced, View, Why};
use crate::value::Value;

/// The most statements between a condition and its `else`.
const FAR: usize = 500;

/// The notes of one trial.
#[derive(Default)]
pub(super) struct Noted {
    pub(super) missing: Vec<Missing>,
    pub(super) lists: Vec<Value>,
    /// The action that is tried.
    pub(super) of: VerbId,
    /// The number of steps in which something was done.
    pub(super) done: u32,
    /// The rules that were carried out so far.
    pub(super) rules: Vec<CitesId>,
    /// The statements at which something failed.
    pub(super) given_up: Vec<GivenUp>,
    /// The price changes for each part of a cost.
    pub(super) priced: Vec<(PartKey, Beneath)>,
    /// The random generator when the trial began. Nobody knows what a shuffle or a throw gives, so nothing after it is noted.
    pub(super) generator: Option<Generator>,
}

impl Noted {
    fn is_after_chance(&self, view: &View<'_>) -> bool {
        self.generator.as_ref().is_some_and(|generator| *generator != view.state.generator)
    }

    /// Adds the statement at which the action failed to the things that were not done. On the copy the action goes on after that statement,
    /// so things that were noted later are forgotten.
    pub(super) fn say_given_up(&mut self) {
        let whole = self.given_up.iter().position(|given_up| !given_up.in_attempt);
        let failed = self.missing.iter().any(|missing| missing.fact == Fact::Attempt);
        let Some(at) = whole.or_else(|| (failed && !self.given_up.is_empty()).then_some(0)) else { return };
        let GivenUp { in_attempt, after, missing } = self.given_up.swap_remove(at);
        if !in_attempt {
            self.missing.truncate(after);
        }
        self.missing.push(missing);
        self.given_up.clear();
    }
}

/// A fact below another fact: its depth below that fact, and its rules.
pub(super) type Beneath = (u8, Fact, Vec<CitesId>);

/// Something that was not done.
pub(super) struct Missing {
    pub(super) fact: Fact,
    pub(super) cites: Vec<CitesId>,
    pub(super) at: Pc,
    pub(super) beneath: Vec<Beneath>,
}

/// A statement at which something failed.
pub(super) struct GivenUp {
    /// Whether an attempt was open. Then perhaps only this attempt failed.
    pub(super) in_attempt: bool,
    /// How many other things were noted before.
    pub(super) after: usize,
    pub(super) missing: Missing,
}

impl Observer for Noted {
    const ON: bool = true;

    fn about_to_fail(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        let Inside { at, locals, you, this, in_attempt, .. } = *inside;
        if self.is_after_chance(view) {
            return;
        }
        let mut eval = Eval::new(view.program, view.state, locals, view.lists, you, this);
        let mut answer = Answer::default();
        if let Some(Op::Match { of, .. }) = view.program.code.get(at) {
            eval.part_unmatched(*of, 0, &mut answer);
            let mut lines = answer.lines.into_iter();
            let Some(first) = lines.next() else { return };
            let cites = view.program.code_cites.get(at).copied().into_iter().chain(first.cites).collect();
            let beneath = lines.map(|line| (line.depth, line.fact, line.cites)).collect();
            return self.missing.push(Missing { fact: first.fact, cites, at, beneath });
        }
        // A `fail()` that stands alone has no reason.
        let Some((control, condition)) = decided_by(view.program, at) else { return };
        let decisive = eval.rules_of_decisive(condition);
        eval.why_it_is(condition, 1, &mut answer);
        let rules = [control, at].map(|pc| view.program.code_cites.get(pc).copied().unwrap_or_default());
        // Facts with lists are left out, because the lists belong to the other answer.
        let lines = if answer.lists.is_empty() { answer.lines } else { Vec::new() };
        let beneath = lines.into_iter().map(|line| (line.depth, line.fact, line.cites)).collect();
        let missing = Missing { fact: Fact::GivenUp(control), cites: rules.into_iter().chain(decisive).collect(), at, beneath };
        self.given_up.push(GivenUp { in_attempt, after: self.missing.len(), missing });
    }

    fn step(&mut self, view: &View<'_>, traced: &Traced) {
        if traced.step.is_idle_pass(view.program) || self.is_after_chance(view) {
            return;
        }
        let of_effect = |number: u32| {
            let effect = view.state.effects.in_force.iter().find(|effect| effect.number == number);
            effect.map(|effect| (Influence::of(effect), rules_of_effect(view.program, effect)))
        };
        let named = match &traced.step {
            Step::Began(verb, ..) | Step::NotPerformed(verb, ..) => view.program.verbs.get(*verb).map(|verb| verb.name.cites),
            Step::Decides { choice, .. } => view.program.choices.get(*choice).map(|choice| choice.declared_cites),
            _ => None,
        };
        for rules in std::iter::once(traced.cites).chain(named) {
            if !self.rules.contains(&rules) {
                self.rules.push(rules);
            }
        }
        if let Step::Priced { effect, key, kind, by, now } = &traced.step
            && let Some((by_whom, cites)) = of_effect(*effect)
        {
            self.priced.push((*key, (1, Fact::Changed(by_whom, *kind, Value::Number(*by), vec![Value::Number(*now)]), cites)));
        }
        let only_tried = match &traced.step {
            // The end of the copy's run is no part of the action.
            Step::Statement(_)
            | Step::Operand(..)
            | Step::Condition { .. }
            | Step::Silenced { .. }
            | Step::EffectCircle(_)
            | Step::Back(_)
            | Step::Began(..)
            | Step::Failed(_)
            | Step::RoleLost(..)
            | Step::Unfit { .. }
            | Step::NobodyAsked(_)
            | Step::NotReplaced { .. } => true,
            Step::Performed(verb, ..) => *verb == self.of,
            _ => false,
        };
        self.done += u32::from(!only_tried);
        // A prohibition wins: the rule for that belongs to the reason.
        let forbidden = view.program.principle(Principle::Forbidden);
        let mut unmet_parts: Vec<Beneath> = Vec::new();
        let (fact, mut cites) = match &traced.step {
            Step::NotPerformed(_, _, Why::Replaced(_)) => return,
            Step::NotPerformed(verb, args, why) => {
                let args_of_step = *args;
                let args = args.map(|arg| crate::effects::keep(arg, view.lists, &mut self.lists));
                let mut cites = view.program.verbs.get(*verb).map(|verb| verb.name.cites).into_iter().collect::<Vec<_>>();
                if let Why::Forbidden(number) = why {
                    cites.extend(of_effect(*number).into_iter().flat_map(|(_, cites)| cites));
                    cites.push(forbidden);
                }
                cites.extend(rules_of_room(view.program, &args_of_step, *why));
                if *why == Why::Unmet {
                    let (rules, parts) = unmet(view, *verb, &args_of_step);
                    cites.extend(rules);
                    // Facts with lists are left out, because the lists belong to the other answer.
                    let lines = if parts.lists.is_empty() { parts.lines } else { Vec::new() };
                    unmet_parts = lines.into_iter().map(|line| (line.depth.saturating_sub(1), line.fact, line.cites)).collect();
                }
                (Fact::Part(*verb, args, *why), cites)
            }
            Step::NotUsed { ability, why: Why::Disabled(number) } => match of_effect(*number) {
                Some((by, cites)) => (Fact::Disabled(*ability, by), cites),
                None => return,
            },
            Step::TooFew { demanded, there, zone } => {
                (Fact::TooFew(*demanded, *there, Some(*zone), None), view.program.code_cites.get(traced.at).copied().into_iter().collect())
            }
            Step::NotUsed { ability, why } => {
                let kind = rules_of_used(view, *ability);
                (Fact::Unused(*ability, *why), kind)
            }
            Step::Decides { choice, domain, wanted, .. } if domain.len() < usize::from(*wanted) => {
                let there = domain.len() as u16;
                (Fact::TooFew(*wanted, there, None, Some(*choice)), vec![view.program.rules_of_shortage(*choice, there)])
            }
            Step::AttemptFails | Step::NotAttempted => (Fact::Attempt, Vec::new()),
            Step::Short { of, state, there, wanted } => (Fact::Short(*of, *state, *there, *wanted), Vec::new()),
            _ => return,
        };
        cites.insert(0, traced.cites);
        // A price change that raised the amount is part of the reason.
        let short_of = if let Fact::Short(_, state, ..) = &fact { Some(PartKey::Pool(*state)) } else { None };
        let forbids = match &traced.step {
            Step::NotPerformed(_, _, Why::Forbidden(number)) => of_effect(*number),
            _ => None,
        };
        let forbids = forbids.map(|(by, cites)| (1, Fact::Forbidden(by), cites.into_iter().chain([forbidden]).collect()));
        let mut beneath: Vec<Beneath> = forbids.into_iter().collect();
        beneath.append(&mut unmet_parts);
        beneath.extend(self.priced.iter().filter(|(key, _)| Some(*key) == short_of).map(|(_, beneath)| beneath.clone()));
        self.missing.push(Missing { fact, cites, at: traced.at, beneath });
    }
}

/// The condition by which the flow came to a statement: that of the block which begins or, as an `else`, begins with it.
fn decided_by(program: &Program, at: Pc) -> Option<(Pc, NodeId)> {
    let before = Pc(at.0.checked_sub(1)?);
    if let Some(Op::JumpUnless { condition, to }) = program.code.get(before)
        && to.0 > at.0
    {
        return Some((before, *condition));
    }
    let jumps = (0..at.0).rev().map(Pc).take(FAR).find_map(|pc| match program.code.get(pc) {
        Some(Op::JumpUnless { condition, to }) if *to == at => Some((pc, *condition)),
        _ => None,
    });
    // Only an `else` is jumped to over a jump: the end of the block before it.
    jumps.filter(|_| matches!(program.code.get(before), Some(Op::Jump(_))))
}

/// The rules of an ability that cannot be used.
fn rules_of_used(view: &View<'_>, ability: Value) -> Vec<CitesId> {
    match ability {
        Value::Ability { ability, .. } => super::rules_of_ability(view.program, ability),
        Value::Pending(number) => {
            let kind = view.state.events.waiting(number).and_then(|pending| pending.kind());
            kind.and_then(|kind| view.program.kinds.get(kind)).map(|kind| kind.name.cites).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The rules of a zone's capacity, if an action is not done because the zone is full.
fn rules_of_room(program: &Program, args: &[Value; MOST_ARGUMENTS], why: Why) -> Option<CitesId> {
    match args.get(1) {
        Some(Value::Zone(to)) if why == Why::Full => program.zones.get(zone_of(program, *to).0).map(|zone| zone.capacity_cites),
        _ => None,
    }
}

/// Why the condition in an action's declaration is false: the rules of the failing parts, and the values that the condition reads.
#[must_use]
pub fn unmet(view: &View<'_>, verb: VerbId, args: &[Value; MOST_ARGUMENTS]) -> (Vec<CitesId>, Answer) {
    let mut answer = Answer::default();
    let Some(def) = view.program.verbs.get(verb).filter(|def| def.condition != NodeId::NONE) else { return (Vec::new(), answer) };
    let you = def.actor.and_then(|at| args.get(usize::from(at))).and_then(|actor| actor.player()).unwrap_or_default();
    let mut eval = Eval::new(view.program, view.state, args, view.lists, you, Value::Undefined);
    let decisive = eval.rules_of_decisive(def.condition);
    eval.part_that_fails(def.condition, &mut answer);
    (decisive, answer)
}
