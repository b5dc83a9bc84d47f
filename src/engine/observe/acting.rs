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
}

impl Owners {
    /// The owners in a program. A program that extends this one has the same owners for the same statements.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut starts: Vec<usize> = program.routines.rows().iter().map(|routine| routine.start.index()).collect();
        starts.push(program.code.len());
        starts.sort_unstable();
        let mut owners = Owners { code: vec![None; program.code.len()], clauses: FxHashMap::default() };
        for card in program.cards.rows() {
            let (first, count) = card.abilities;
            for id in (first.index()..first.index() + usize::from(count)).map(AbilityId::from_index) {
                if let Some(ability) = program.abilities.get(id) {
                    owners.ability(program, &starts, id, ability);
                }
            }
        }
        owners
    }

    fn ability(&mut self, program: &Program, starts: &[usize], of: AbilityId, ability: &AbilityDef) {
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
            for granted in abilities.iter().filter_map(|granted| program.abilities.get(*granted)) {
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
}

impl<'o> Acting<'o> {
    /// Watches for abilities that are not `known` to act.
    #[must_use]
    pub fn new(owners: &'o Owners, known: &'o FxHashSet<AbilityId>) -> Self {
        Self { owners, known, acted: FxHashSet::default(), reached: FxHashSet::default() }
    }

    fn acts(&mut self, of: AbilityId) {
        self.reached.insert(of);
        self.acted.insert(of);
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
            self.reached.insert(of);
            if applies(&mut eval, view.program, effect) {
                self.acts(of);
            }
        }
    }
}

/// Whether an effect in force applies to something now, or keeps a player from taking an option. Effects that replace, wait or change prices
/// act when they do so, and have a step for it.
fn applies<'a>(eval: &mut Eval<'a>, program: &'a Program, effect: &'a Effect) -> bool {
    let Some(clause) = program.clauses.get(effect.clause) else { return false };
    let what = match &clause.kind {
        ClauseKind::Instead { .. } | ClauseKind::When { .. } | ClauseKind::Whenever { .. } | ClauseKind::Price { .. } => return false,
        ClauseKind::Forbid(pattern) => {
            let verbs = program.patterns.get(*pattern).map_or(&[][..], |pattern| &pattern.events);
            let mut options = verbs.iter().filter_map(|event| program.verbs.get(event.verb)?.option);
            return options.any(|option| eval.forbids_option(effect, *pattern, option));
        }
        ClauseKind::Permit(_) | ClauseKind::Assume { .. } => NodeId::NONE,
        ClauseKind::Modify { what, .. }
        | ClauseKind::Control { what, .. }
        | ClauseKind::Fill { what, .. }
        | ClauseKind::Shield { what, .. }
        | ClauseKind::ShieldFromChoices { what, .. }
        | ClauseKind::Require { what, .. } => *what,
        ClauseKind::Grant { to, .. } => *to,
        ClauseKind::Strip { from, .. } => *from,
        ClauseKind::Disable(what) => *what,
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
        if let Some(of) = self.owners.of_statement(traced.at).filter(|of| !self.is_known(*of)) {
            match &traced.step {
                Step::Performed(..)
                | Step::EffectBegins(_)
                | Step::Verdict(..)
                | Step::Waits(..)
                | Step::Dropped(_)
                | Step::Enters(..)
                | Step::Ability { .. } => self.acts(of),
                Step::Decides { forced: false, .. } => self.acts(of),
                _ => _ = self.reached.insert(of),
            }
        }
        if let Step::Ability { ability: Some(of), .. } = &traced.step {
            self.reached.insert(*of);
        }
        if matches!(traced.step, Step::Turn(_) | Step::Phase(_) | Step::Decides { .. }) {
            self.look_at_effects(view);
        }
    }

    fn state_set(&mut self, _: &View<'_>, traced: &Traced) {
        if let Some(of) = self.owners.of_statement(traced.at) {
            self.acts(of);
        }
    }
}
