//! Warns of abilities that wait for an action that nothing performs, and of blocks that are put by until a moment that nothing takes up.

use super::super::Compiler;
use super::unset::in_scenarios;
use engine::ids::{MomentId, NodeId, VerbId};
use engine::program::{Builtin, ClauseKind, Node, Op, Program, children};
use lang::diagnostic::{Diagnostic, Sources, Span};
use lang::syntax::ast::{DeclKind, Head};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// How deep conditions are looked into. Parts of a condition may share parts, so a file could make the number of ways endless.
const DEEPEST: u8 = 12;

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
        if !first.is_empty() {
            let mentioned = in_scenarios(sources);
            first.retain(|verb, _| !mentioned.contains(named(*verb)));
        }
        first.into_iter().map(|(verb, span)| Diagnostic::error("E0363", span).with("name", named(verb))).collect()
    }

    /// `E0364` at each moment until which blocks are put by, if no set of what waits can contain these blocks: each set asks for something
    /// else, or leaves this moment out.
    pub(super) fn untaken_moments(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let put_by: FxHashSet<MomentId> =
            program.code.rows().iter().filter_map(|op| if let Op::PutBy { moment, .. } = op { *moment } else { None }).collect();
        let taken = if put_by.is_empty() { Vec::new() } else { taken_sets(program) };
        let untaken = |head: &Head| {
            let moment = program.moments.iter().find(|(_, def)| def.name == head.name.text).map(|(id, _)| id);
            let takes = |moment, condition: &Option<NodeId>| {
                condition.is_none_or(|condition| may_wait_for(program, condition, moment, DEEPEST) != Some(false))
            };
            moment.is_some_and(|moment| put_by.contains(&moment) && !taken.iter().any(|condition| takes(moment, condition)))
        };
        let heads = self.decls.iter().filter_map(|decl| if let DeclKind::Moment(head) = &decl.kind { Some(head) } else { None });
        let finding =
            |head: &Head| Diagnostic::error("E0364", head.name.span).with("name", &head.name.text).with("open", "{").with("close", "}");
        heads.filter(|head| untaken(head)).map(finding).collect()
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

/// The sets of what waits that are more than counted or asked about, each with its condition if it has one.
fn taken_sets(program: &Program) -> Vec<Option<NodeId>> {
    let is_pending = |node: &NodeId| matches!(program.nodes.get(*node), Some(Node::Pending));
    let (mut conditions, mut asked) = (FxHashMap::default(), FxHashSet::default());
    for (_, node) in program.nodes.iter() {
        match node {
            Node::Where(set, condition) if is_pending(set) => _ = conditions.insert(*set, *condition),
            Node::Some(..) | Node::All(..) | Node::IsEmpty(_) | Node::Count(_) | Node::In(..) => {
                children(node, program, &mut |child| _ = asked.insert(child));
            }
            _ => {}
        }
    }
    let sets = program.nodes.iter().filter(|(id, node)| matches!(node, Node::Pending) && !asked.contains(id));
    sets.map(|(id, _)| conditions.get(&id).copied()).collect()
}

/// Whether a condition is true of a block that waits for a moment. `None`: this depends on the game, or the condition is very deep.
fn may_wait_for(program: &Program, condition: NodeId, moment: MomentId, deepest: u8) -> Option<bool> {
    let deeper = deepest.checked_sub(1)?;
    let inner = |node: &NodeId| may_wait_for(program, *node, moment, deeper);
    match program.nodes.get(condition)? {
        Node::IsMoment(_, of) => Some(*of == moment),
        // A block that was put by has no kind.
        Node::IsKind(..) => Some(false),
        Node::Not(a) => inner(a).map(|is| !is),
        Node::And(a, b) => match (inner(a), inner(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Node::Or(a, b) => match (inner(a), inner(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        Node::Tallied(a, _) => inner(a),
        Node::With { body, .. } => inner(body),
        _ => None,
    }
}
