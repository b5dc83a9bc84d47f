//! Which statements, clauses and granted abilities belong to which printed ability.
//!
//! Cards with the same keyword share its statements and clauses. Then the card at work tells which card's ability they belong to.

use crate::ids::{AbilityId, CardId, ClauseId, Id, Pc, RoutineId};
use crate::program::{AbilityDef, ClauseKind, Fill, Op, Program};
use rustc_hash::FxHashMap;

/// The statements and clauses that belong to the printed abilities of a program.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    /// For each statement its ability; the first one, if several abilities share it.
    code: Vec<Option<Printed>>,
    /// For each clause its ability; the first one, if several abilities share it.
    clauses: FxHashMap<ClauseId, Printed>,
    /// The printed abilities, and those that they grant. None: several printed abilities grant it.
    abilities: FxHashMap<AbilityId, Option<AbilityId>>,
    /// For the first of the abilities that share statements or clauses: each card's ability.
    alike: FxHashMap<AbilityId, FxHashMap<CardId, AbilityId>>,
}

/// An ability and the card that prints it.
#[derive(Clone, Copy, Debug)]
struct Printed {
    ability: AbilityId,
    card: CardId,
}

impl Owners {
    /// The owners in a program. A program that extends this one has the same owners for the same statements.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut starts: Vec<usize> = program.routines.rows().iter().map(|routine| routine.start.index()).collect();
        starts.push(program.code.len());
        starts.sort_unstable();
        let mut owners = Owners { code: vec![None; program.code.len()], ..Owners::default() };
        for card in program.cards.ids() {
            for id in program.printed_abilities(card) {
                if let Some(ability) = program.abilities.get(id) {
                    owners.ability(program, &starts, Printed { ability: id, card }, (id, ability));
                }
            }
        }
        owners
    }

    fn ability(&mut self, program: &Program, starts: &[usize], of: Printed, (id, ability): (AbilityId, &AbilityDef)) {
        let known = self.abilities.entry(id).or_insert(Some(of.ability));
        if *known != Some(of.ability) {
            *known = None;
        }
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

    /// Notes that an ability shares something with the first ability that has it.
    fn share(&mut self, first: Printed, of: Printed) {
        if first.ability != of.ability {
            let alike = self.alike.entry(first.ability).or_default();
            alike.entry(first.card).or_insert(first.ability);
            alike.entry(of.card).or_insert(of.ability);
        }
    }

    fn clause(&mut self, program: &Program, starts: &[usize], of: Printed, clause: ClauseId) {
        if let Some(first) = self.clauses.get(&clause).copied() {
            return self.share(first, of);
        }
        self.clauses.insert(clause, of);
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

    fn routine(&mut self, program: &Program, starts: &[usize], of: Printed, routine: RoutineId) {
        let Some(start) = program.routines.get(routine).map(|routine| routine.start.index()) else { return };
        let end = starts.get(starts.partition_point(|other| *other <= start)).copied().unwrap_or(program.code.len());
        for at in start..end {
            match self.code.get_mut(at) {
                Some(owner @ None) => *owner = Some(of),
                Some(Some(first)) => {
                    let first = *first;
                    return self.share(first, of);
                }
                None => return,
            }
            match program.code.get(Pc::from_index(at)) {
                Some(Op::Install { clause, .. }) => self.clause(program, starts, of, *clause),
                Some(Op::PutBy { body, .. } | Op::Finally { body, .. }) => self.routine(program, starts, of, *body),
                _ => {}
            }
        }
    }

    /// The printed ability of a statement that is carried out for one of these cards, the likeliest first.
    #[must_use]
    pub fn of_statement(&self, at: Pc, cards: impl Iterator<Item = CardId>) -> Option<AbilityId> {
        self.on_one_of(self.code.get(at.index()).copied().flatten()?.ability, cards)
    }

    /// The printed ability of a clause that is in force for this card.
    #[must_use]
    pub fn of_clause(&self, clause: ClauseId, card: Option<CardId>) -> Option<AbilityId> {
        self.on_one_of(self.clauses.get(&clause)?.ability, card.into_iter())
    }

    /// The printed ability that is this ability or grants it.
    #[must_use]
    pub fn of_ability(&self, ability: AbilityId) -> Option<AbilityId> {
        self.abilities.get(&ability).copied().flatten()
    }

    fn on_one_of(&self, first: AbilityId, mut cards: impl Iterator<Item = CardId>) -> Option<AbilityId> {
        let Some(alike) = self.alike.get(&first) else { return Some(first) };
        cards.find_map(|card| alike.get(&card).copied())
    }
}
