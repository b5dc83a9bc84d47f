//! Notes which abilities of cards have acted: something that a seat can see has changed because of them. For `gyoji acts`.
//!
//! An ability acts with a statement of its body (a card moves, a state is set, a player decides, an effect begins), with an effect that
//! applies to something, and with an effect that forbids, replaces or prices something. Everything is seen from the steps; the engine does
//! nothing more for this onlooker than for any other.

use crate::engine::eval::Eval;
use crate::engine::ids::{AbilityId, ClauseId, Id, NodeId, Pc, RoutineId};
use crate::engine::observe::{Observer, Step, Traced, View, Why};
use crate::engine::program::{AbilityDef, ClauseKind, Fill, Op, Program};
use crate::engine::state::Effect;
use crate::engine::value::{Player, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The statements and clauses that belong to the printed abilities of a program.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    /// For each statement its ability.
    code: Vec<Option<AbilityId>>,
    clauses: FxHashMap<ClauseId, AbilityId>,
    /// The printed abilities, and those that they grant.
    abilities: FxHashMap<AbilityId, AbilityId>,
}

impl Owners {
    /// The owners in a program. A program that extends this one has the same owners for the same statements.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut starts: Vec<usize> = program.routines.rows().iter().map(|routine| routine.start.index()).collect();
        starts.push(program.code.len());
        starts.sort_unstable();
        let mut owners = Owners { code: vec![None; program.code.len()], ..Owners::default() };
        for card in program.cards.rows() {
            let (first, count) = card.abilities;
            for id in (first.index()..first.index() + usize::from(count)).map(AbilityId::from_index) {
                if let Some(ability) = program.abilities.get(id) {
                    owners.ability(program, &starts, id, (id, ability));
                }
            }
        }
        owners
    }

    fn ability(&mut self, program: &Program, starts: &[usize], of: AbilityId, (id, ability): (AbilityId, &AbilityDef)) {
        self.abilities.insert(id, of);
        for clause in &ability.clauses {
            self.clause(program, starts, of, *clause);
        }
        let slots = ability.fills.iter().filter_map(|fill| match fill {
            Fill::Asked { body, .. } => Some(*body),
            Fill::Cost { pay, .. } => Some(*pay),
            Fill::Empty | Fill::Value(_) => None,
        });
        for body in ability.body.into_iter().chain(slots) {
            self.routine(program, starts, of, body);
        }
    }

    fn clause(&mut self, program: &Program, starts: &[usize], of: AbilityId, clause: ClauseId) {
        if self.clauses.insert(clause, of).is_some() {
            return;
        }
        let Some(def) = program.clauses.get(clause) else { return };
        if let Some(body) = def.kind.body() {
            self.routine(program, starts, of, body);
        }
        if let ClauseKind::Grant { abilities, .. } = &def.kind {
            for granted in abilities.iter().filter_map(|id| Some((*id, program.abilities.get(*id)?))) {
                self.ability(program, starts, of, granted);
            }
        }
    }

    fn routine(&mut self, program: &Program, starts: &[usize], of: AbilityId, routine: RoutineId) {
        let Some(start) = program.routines.get(routine).map(|routine| routine.start.index()) else { return };
        let end = starts.get(starts.partition_point(|other| *other <= start)).copied().unwrap_or(program.code.len());
        for at in start..end {
            match self.code.get_mut(at) {
                Some(owner @ None) => *owner = Some(of),
                _ => return,
            }
            match program.code.get(Pc::from_index(at)) {
                Some(Op::Install { clause, .. }) => self.clause(program, starts, of, *clause),
                Some(Op::PutBy { body, .. } | Op::Finally { body, .. }) => self.routine(program, starts, of, *body),
                _ => {}
            }
        }
    }

    fn of_statement(&self, at: Pc) -> Option<AbilityId> {
        self.code.get(at.index()).copied().flatten()
    }
}

/// Watches games.
#[derive(Clone, Debug)]
pub struct Acting<'o> {
    owners: &'o Owners,
    /// The abilities that need not be watched any more.
    known: &'o FxHashSet<AbilityId>,
    /// The abilities that have acted.
    pub acted: FxHashSet<AbilityId>,
    /// The abilities of which a statement was carried out, or an effect was in force.
    pub reached: FxHashSet<AbilityId>,
    /// The abilities that have waited, by their numbers.
    waited: FxHashMap<u32, AbilityId>,
    /// For each branch the abilities that are carried out there, with the depth of calls at which each was begun.
    within: FxHashMap<u16, Vec<(u16, AbilityId)>>,
}

impl<'o> Acting<'o> {
    /// Watches for abilities that are not `known` to act.
    #[must_use]
    pub fn new(owners: &'o Owners, known: &'o FxHashSet<AbilityId>) -> Self {
        let (acted, reached, waited, within) = Default::default();
        Self { owners, known, acted, reached, waited, within }
    }

    fn acts(&mut self, of: AbilityId) {
        self.reached.insert(of);
        self.acted.insert(of);
    }

    /// The ability to which a step belongs: its statement is one of the ability, or the ability has called the body of the statement.
    fn because_of(&mut self, traced: &Traced) -> Option<AbilityId> {
        let within = self.within.entry(traced.branch).or_default();
        while within.last().is_some_and(|(depth, _)| *depth >= traced.depth) {
            within.pop();
        }
        let own = self.owners.of_statement(traced.at);
        within.extend(own.map(|own| (traced.depth, own)));
        own.or_else(|| within.last().map(|(_, of)| *of))
    }

    fn is_known(&self, of: AbilityId) -> bool {
        self.known.contains(&of) || self.acted.contains(&of)
    }

    /// The ability of an effect in force.
    fn of_effect(&self, view: &View<'_>, number: u32) -> Option<AbilityId> {
        view.state.effects.get(number).and_then(|effect| self.owners.clauses.get(&effect.clause)).copied()
    }

    /// Looks at the effects in force of abilities that have not acted yet.
    fn look_at_effects(&mut self, view: &View<'_>) {
        let mut eval = Eval::new(view.program, view.state, &[], &[], Player(0), Value::Undefined);
        for effect in view.state.effects.in_force.iter() {
            let Some(of) = self.owners.clauses.get(&effect.clause).copied().filter(|of| !self.is_known(*of)) else { continue };
            if applies(&mut eval, view.program, effect) {
                self.acts(of);
            } else if view.program.clauses.get(effect.clause).is_some_and(|clause| !has_steps(&clause.kind)) {
                self.reached.insert(of);
            }
        }
    }
}

/// Whether effects of a clause act only in moments that have a step: they replace, wait or change prices.
fn has_steps(kind: &ClauseKind) -> bool {
    matches!(kind, ClauseKind::Instead { .. } | ClauseKind::When { .. } | ClauseKind::Whenever { .. } | ClauseKind::Price { .. })
}

/// Whether an effect in force applies to something now, or keeps a player from taking an option.
fn applies<'a>(eval: &mut Eval<'a>, program: &'a Program, effect: &'a Effect) -> bool {
    let Some(clause) = program.clauses.get(effect.clause) else { return false };
    let what = match &clause.kind {
        kind if has_steps(kind) => return false,
        ClauseKind::Forbid(pattern) => {
            let verbs = program.patterns.get(*pattern).map_or(&[][..], |pattern| &pattern.events);
            let mut options = verbs.iter().filter_map(|event| program.verbs.get(event.verb)?.option);
            return options.any(|option| eval.forbids_option(effect, *pattern, option));
        }
        ClauseKind::Modify { what, .. }
        | ClauseKind::Control { what, .. }
        | ClauseKind::Fill { what, .. }
        | ClauseKind::Shield { what, .. }
        | ClauseKind::ShieldFromChoices { what, .. }
        | ClauseKind::Require { what, .. } => *what,
        ClauseKind::Grant { to, .. } => *to,
        ClauseKind::Strip { from, .. } => *from,
        ClauseKind::Disable(what) => *what,
        _ => NodeId::NONE,
    };
    if !eval.is_active(effect, effect.clause) {
        return false;
    }
    let mut inside = eval.inside(effect);
    inside.enter(effect.number) && (what == NodeId::NONE || inside.each(what, &mut |_, _| true))
}

impl Observer for Acting<'_> {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, traced: &Traced) {
        let by = match &traced.step {
            Step::NotPerformed(_, _, Why::Forbidden(effect) | Why::Replaced(effect)) => Some(*effect),
            Step::Priced { effect, .. } | Step::Silenced { by: effect, .. } => Some(*effect),
            Step::Unfit { why: super::Unfit::Withheld(effect), .. } => Some(*effect),
            _ => None,
        };
        if let Some(of) = by.and_then(|effect| self.of_effect(view, effect)) {
            self.acts(of);
        }
        if let Step::Waits(number, _) = &traced.step {
            let waiting = view.state.events.waiting(*number).and_then(|pending| pending.ability);
            self.waited.extend(waiting.map(|ability| (*number, ability)));
        }
        if let Some(of) = self.because_of(traced) {
            match &traced.step {
                Step::Performed(..)
                | Step::EffectBegins(_)
                | Step::Verdict(..)
                | Step::Waits(..)
                | Step::Dropped(_)
                | Step::Enters(..)
                | Step::Ability { .. }
                | Step::Decides { forced: false, .. } => self.acts(of),
                _ => _ = self.reached.insert(of),
            }
        }
        if let Step::Ability { ability, number, .. } = &traced.step {
            let waited = || number.and_then(|number| self.waited.get(&number).copied());
            let of = ability.or_else(waited).and_then(|ability| self.owners.abilities.get(&ability)).copied();
            if let Some(of) = of {
                self.reached.insert(of);
                self.within.entry(traced.branch).or_default().push((traced.depth, of));
            }
        }
        if matches!(traced.step, Step::Turn(_) | Step::Phase(_) | Step::Decides { .. }) {
            self.look_at_effects(view);
        }
    }

    fn state_set(&mut self, _: &View<'_>, traced: &Traced) {
        if let Some(of) = self.because_of(traced) {
            self.acts(of);
        }
    }
}
