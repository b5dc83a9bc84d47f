//! Warns of abilities that wait for an action that nothing performs, and of blocks that are put by until a moment that nothing takes up.

use super::super::Compiler;
use super::unset::in_scenarios;
use crate::diagnostic::{Diagnostic, Sources, Span};
use crate::engine::ids::{MomentId, NodeId, VerbId};
use crate::engine::program::{Builtin, ClauseKind, Node, Op, Program, children};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

impl Compiler {
    /// `E0363` at the first ability that waits for each action that nothing performs. An ability that waits for one of several events is
    /// named only if none of them can happen. The cards of scenarios are not compiled here. So an action that a scenario mentions is not
    /// reported.
    pub(super) fn unhappening(&self, sources: &Sources) -> Vec<Diagnostic> {
        let program = &self.program;
        let happens = happening(program);
        let mut first: BTreeMap<VerbId, Span> = BTreeMap::new();
        for ((_, ability), span) in program.abilities.iter().zip(self.map.abilities.iter()) {
            let patterns = ability.clauses.iter().filter_map(|clause| match program.clauses.get(*clause)?.kind {
                ClauseKind::When { pattern, .. } => program.patterns.get(pattern),
                _ => None,
            });
            for pattern in patterns.filter(|pattern| !pattern.events.iter().any(|event| happens.contains(&event.verb))) {
                let Some(event) = pattern.events.first() else { continue };
                let known = first.entry(event.verb).or_insert(*span);
                *known = (*known).min(*span);
            }
        }
        let named = |verb: VerbId| program.verbs.get(verb).map_or("", |verb| verb.name.name.as_str());
        first.retain(|verb, _| !in_scenarios(sources, named(*verb)));
        first.into_iter().map(|(verb, span)| Diagnostic::error("E0363", span).with("name", named(verb))).collect()
    }

    /// `E0364` at each moment until which blocks are put by, in a game that asks for a moment or a kind wherever it takes what waits, and
    /// nowhere for this moment.
    pub(super) fn untaken_moments(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let put_by: FxHashSet<MomentId> =
            program.code.rows().iter().filter_map(|op| if let Op::PutBy { moment, .. } = op { *moment } else { None }).collect();
        let asked: FxHashSet<MomentId> =
            program.nodes.iter().filter_map(|(_, node)| if let Node::IsMoment(_, moment) = node { Some(*moment) } else { None }).collect();
        if put_by.is_subset(&asked) || !sorts_what_waits(program) {
            return Vec::new();
        }
        let untaken = |head: &crate::syntax::ast::Head| {
            let moment = program.moments.iter().find(|(_, def)| def.name == head.name.text).map(|(id, _)| id);
            moment.is_some_and(|moment| put_by.contains(&moment) && !asked.contains(&moment))
        };
        self.decls
            .iter()
            .filter_map(|decl| match &decl.kind {
                crate::syntax::ast::DeclKind::Moment(head) if untaken(head) => {
                    Some(Diagnostic::error("E0364", head.name.span).with("name", &head.name.text).with("open", "{").with("close", "}"))
                }
                _ => None,
            })
            .collect()
    }
}

/// The actions and events that something performs or tells: statements of the rules and of the cards, options, timings, the program itself.
fn happening(program: &Program) -> FxHashSet<VerbId> {
    let mut happens: FxHashSet<VerbId> = program
        .code
        .rows()
        .iter()
        .filter_map(|op| match op {
            Op::Perform { verb, .. } | Op::Emit { verb, .. } => Some(*verb),
            _ => None,
        })
        .collect();
    happens.extend(program.value_events.iter().map(|event| event.verb));
    happens.extend(Builtin::ALL.iter().map(|builtin| builtin.verb()));
    happens.extend(program.verbs.iter().filter(|(_, def)| def.option.is_some() || def.timing).map(|(verb, _)| verb));
    happens
}

/// Whether the game takes waiting abilities and blocks only by their kind or moment.
fn sorts_what_waits(program: &Program) -> bool {
    let mut settled: FxHashSet<NodeId> = FxHashSet::default();
    for (_, node) in program.nodes.iter() {
        match node {
            Node::Where(set, condition) if wants_a_sort(program, *condition) => _ = settled.insert(*set),
            Node::Some(..) | Node::All(..) | Node::IsEmpty(_) | Node::Count(_) | Node::In(..) => {
                children(node, program, &mut |child| _ = settled.insert(child));
            }
            _ => {}
        }
    }
    let mut taken = program.nodes.iter().filter(|(_, node)| matches!(node, Node::Pending)).peekable();
    taken.peek().is_some() && taken.all(|(id, _)| settled.contains(&id))
}

/// Whether a condition is true only of one moment or kind.
fn wants_a_sort(program: &Program, condition: NodeId) -> bool {
    match program.nodes.get(condition) {
        Some(Node::IsKind(..) | Node::IsMoment(..)) => true,
        Some(Node::And(a, b)) => wants_a_sort(program, *a) || wants_a_sort(program, *b),
        Some(Node::Or(a, b)) => wants_a_sort(program, *a) && wants_a_sort(program, *b),
        Some(Node::Tallied(a, _)) => wants_a_sort(program, *a),
        Some(Node::With { body, .. }) => wants_a_sort(program, *body),
        _ => false,
    }
}
