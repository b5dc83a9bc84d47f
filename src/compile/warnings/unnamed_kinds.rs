//! Warns of kinds of abilities that nothing performs.
//!
//! A game takes the abilities that it performs from cards: `for a in abilities(c) where it is act { perform a }`. If the game asks for a kind
//! wherever it takes abilities, it never performs a kind for which it does not ask.

use super::super::Compiler;
use engine::ids::{KindId, NodeId};
use engine::program::{ClauseKind, Node, Op, Program, children};
use lang::diagnostic::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

impl Compiler {
    /// `E0394` at the first printed ability of each kind that no condition names, in a game that asks for a kind wherever it takes abilities.
    pub(super) fn unnamed_kinds(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let mut first: BTreeMap<KindId, Span> = BTreeMap::new();
        for ((_, ability), span) in program.abilities.iter().zip(self.map.abilities.iter()) {
            if !ability.of_type && ability.body.is_some() {
                let known = first.entry(ability.kind).or_insert(*span);
                *known = (*known).min(*span);
            }
        }
        let asked: FxHashSet<KindId> =
            program.nodes.iter().filter_map(|(_, node)| if let Node::IsKind(_, kind) = node { Some(*kind) } else { None }).collect();
        first.retain(|kind, _| !asked.contains(kind));
        if first.is_empty() || !asks_for_kinds(program) || !self.reaches(|op| matches!(op, Op::PerformAbility(_))) {
            return Vec::new();
        }
        let named = |kind: KindId| program.kinds.get(kind).map_or("", |kind| kind.name.name.as_str());
        let finding = |(kind, span)| Diagnostic::error("E0394", span).with("name", named(kind)).with("open", "{").with("close", "}");
        first.into_iter().map(finding).collect()
    }
}

/// Whether the game takes abilities from cards, and takes only abilities of kinds that it names. Abilities that it only counts, asks about
/// or disables are not taken.
fn asks_for_kinds(program: &Program) -> bool {
    let mut settled: FxHashSet<NodeId> = FxHashSet::default();
    for (_, node) in program.nodes.iter() {
        match node {
            Node::Where(set, condition) if wants_a_kind(program, *condition) => _ = settled.insert(*set),
            Node::Some(..) | Node::All(..) | Node::IsEmpty(_) | Node::Count(_) | Node::Fold(..) | Node::In(..) => {
                children(node, program, &mut |child| _ = settled.insert(child));
            }
            _ => {}
        }
    }
    for clause in program.clauses.rows() {
        if let ClauseKind::Disable(set) = &clause.kind {
            settled.insert(*set);
        }
    }
    let mut taken = program.nodes.iter().filter(|(_, node)| matches!(node, Node::Abilities(_) | Node::AbilitiesOfAll(_))).peekable();
    taken.peek().is_some() && taken.all(|(id, _)| settled.contains(&id))
}

/// Whether a condition is true of abilities of a named kind only.
fn wants_a_kind(program: &Program, condition: NodeId) -> bool {
    match program.nodes.get(condition) {
        Some(Node::IsKind(..)) => true,
        Some(Node::And(a, b)) => wants_a_kind(program, *a) || wants_a_kind(program, *b),
        Some(Node::Or(a, b)) => wants_a_kind(program, *a) && wants_a_kind(program, *b),
        Some(Node::Tallied(a, _)) => wants_a_kind(program, *a),
        Some(Node::With { body, .. }) => wants_a_kind(program, *body),
        _ => false,
    }
}
