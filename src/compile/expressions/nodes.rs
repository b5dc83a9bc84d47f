//! Makes the nodes of expressions. Constant expressions are folded at once, so params and readings cost nothing in a running game.

use crate::compile::Compiler;
use crate::diagnostic::Span;
use crate::engine::eval::never_meet;
use crate::engine::ids::{ArgsId, CitesId, NodeId, TextId};
use crate::engine::program::{ArgMatch, Arithmetic, CauseMatch, Compare, Node, Since};
use crate::engine::value::Value;
use crate::syntax::ast::Cite;
use std::sync::Arc;

impl Compiler {
    /// Adds a node, folded to a constant where possible.
    pub(in crate::compile) fn node(&mut self, node: Node) -> NodeId {
        let node = self.folded(node);
        match node {
            Ok(made) => self.program.nodes.push(made),
            Err(existing) => existing,
        }
    }

    pub(in crate::compile) fn constant_node(&mut self, value: Value) -> NodeId {
        self.program.nodes.push(Node::Const(value))
    }

    /// The value of a node that is a constant.
    pub(in crate::compile) fn const_of(&self, node: NodeId) -> Option<Value> {
        match self.program.nodes.get(node) {
            Some(Node::Const(value)) => Some(*value),
            _ => None,
        }
    }

    fn truth_of(&self, node: NodeId) -> Option<bool> {
        match self.const_of(node) {
            Some(Value::Bool(truth)) => Some(truth),
            _ => None,
        }
    }

    /// `Err`: an existing node has the same value.
    fn folded(&self, node: Node) -> Result<Node, NodeId> {
        match node {
            Node::Not(a) => Ok(self.truth_of(a).map_or(node, |truth| Node::Const(Value::Bool(!truth)))),
            Node::And(a, b) => match (self.truth_of(a), self.truth_of(b)) {
                (Some(false), _) => Err(a),
                (_, Some(false)) => Err(b),
                (Some(true), _) => Err(b),
                (_, Some(true)) => Err(a),
                (None, None) => Ok(node),
            },
            Node::Or(a, b) => match (self.truth_of(a), self.truth_of(b)) {
                (Some(true), _) => Err(a),
                (_, Some(true)) => Err(b),
                (Some(false), _) => Err(b),
                (_, Some(false)) => Err(a),
                (None, None) => Ok(node),
            },
            Node::Negate(a) => Ok(self.number_of(a).and_then(i32::checked_neg).map_or(node, number)),
            Node::Arithmetic(op, a, b) => Ok(self.numbers_of(a, b).and_then(|(a, b)| arithmetic(op, a, b)).map_or(node, number)),
            Node::Compare(op, a, b) => Ok(self.compared(op, a, b).map_or(node, |truth| Node::Const(Value::Bool(truth)))),
            Node::If(condition, args) => match (self.truth_of(condition), self.program.args_of(args)) {
                (Some(truth), &[then, otherwise]) => Err(if truth { then } else { otherwise }),
                _ => Ok(node),
            },
            Node::Union(a, b) if never_meet(&self.program, a, b) => Ok(Node::Joined(a, b)),
            other => Ok(other),
        }
    }

    fn number_of(&self, node: NodeId) -> Option<i32> {
        self.const_of(node).and_then(Value::number)
    }

    fn numbers_of(&self, a: NodeId, b: NodeId) -> Option<(i32, i32)> {
        Some((self.number_of(a)?, self.number_of(b)?))
    }

    fn compared(&self, op: Compare, a: NodeId, b: NodeId) -> Option<bool> {
        if let Some((a, b)) = self.numbers_of(a, b) {
            return Some(holds(op, a, b));
        }
        let (a, b) = (self.const_of(a)?, self.const_of(b)?);
        let known = |value: Value| matches!(value, Value::Bool(_) | Value::Enum(..) | Value::Symbol(_) | Value::Text(_));
        match op {
            Compare::Equal if known(a) && known(b) => Some(a == b),
            Compare::NotEqual if known(a) && known(b) => Some(a != b),
            _ => None,
        }
    }

    /// A condition with its own citations gets its own node. A constant condition gets none, because it decides nothing in a running game.
    pub(in crate::compile) fn operand(&mut self, node: NodeId, cites: &[Cite], span: Span) -> NodeId {
        let Some(same) = self.program.nodes.get(node).copied().filter(|same| !matches!(same, Node::Const(_))) else { return node };
        let own = self.program.nodes.push(same);
        let cites = self.cites(cites);
        self.program.operands.push((own, cites));
        self.map.operands.push(span);
        own
    }

    /// Whether an expression contains a condition with its own citations.
    pub(in crate::compile) fn has_operands(&self, node: NodeId) -> bool {
        let mut found = false;
        if !self.program.operands.is_empty() {
            self.walk_ids(node, &mut |id| found |= self.program.operand(id).is_some());
        }
        found
    }

    pub(in crate::compile) fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == NodeId::NONE {
            return b;
        }
        if b == NodeId::NONE {
            return a;
        }
        self.node(Node::And(a, b))
    }

    pub(in crate::compile) fn not(&mut self, a: NodeId) -> NodeId {
        self.node(Node::Not(a))
    }

    /// A list of nodes.
    pub(in crate::compile) fn args(&mut self, nodes: &[NodeId]) -> ArgsId {
        let first = self.program.arg_nodes.len() as u32;
        self.program.arg_nodes.extend_from_slice(nodes);
        self.program.args.push((first, nodes.len() as u16))
    }

    /// The number of a text. Equal texts share one number.
    pub(in crate::compile) fn text(&mut self, text: &str) -> TextId {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let id = self.program.texts.push(text.to_owned());
        self.texts.insert(text.to_owned(), id);
        id
    }

    /// The number of a list of citations. 0 is the empty list.
    pub(in crate::compile) fn cites(&mut self, cites: &[Cite]) -> CitesId {
        let list: Arc<[String]> = cites.iter().map(|cite| cite.id.clone()).collect();
        if list.is_empty() {
            return CitesId::default();
        }
        if let Some(known) = self.cite_lists.get(&list) {
            return *known;
        }
        let id = self.program.cites.push(list.clone());
        self.cite_lists.insert(list, id);
        id
    }
}

fn number(value: i32) -> Node {
    Node::Const(Value::Number(value))
}

fn arithmetic(op: Arithmetic, a: i32, b: i32) -> Option<i32> {
    match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        // Division is left to the engine, which alone decides about remainders and zero.
        Arithmetic::Divide | Arithmetic::Remainder => None,
    }
}

/// Whether a comparison of two numbers is true.
pub(in crate::compile) fn holds(op: Compare, a: i32, b: i32) -> bool {
    match op {
        Compare::Equal => a == b,
        Compare::NotEqual => a != b,
        Compare::Less => a < b,
        Compare::LessEqual => a <= b,
        Compare::Greater => a > b,
        Compare::GreaterEqual => a >= b,
    }
}

/// The direct children of a node.
pub(in crate::compile) fn children(node: &Node, program: &crate::engine::program::Program, see: &mut dyn FnMut(NodeId)) {
    let run = |args: ArgsId, see: &mut dyn FnMut(NodeId)| program.args_of(args).iter().for_each(|child| see(*child));
    match *node {
        Node::Const(_) | Node::Local(_) | Node::Bound(_) | Node::You | Node::This | Node::Done | Node::PartlyDone | Node::Turn => {}
        Node::Waiting(_, a) | Node::Sources(a) | Node::Slot(a, _) | Node::StillOf(a, _) | Node::Payable(a, _, NodeId::NONE) => see(a),
        Node::Due(a, ..) | Node::Outer(_, a) => see(a),
        Node::EventArg(a, _) | Node::EventCause(a) | Node::IsEvent(a, _) | Node::IsTiming(a) | Node::EventOf(a) | Node::IsCause(a, _) => {
            see(a)
        }
        Node::Cause(_, a) if a == NodeId::NONE => {}
        Node::Cause(_, a) => see(a),
        Node::Usable(a, NodeId::NONE) => see(a),
        Node::Range(a, b) | Node::Payable(a, _, b) | Node::Usable(a, b) => [a, b].into_iter().for_each(see),
        Node::Numbers(a, NodeId::NONE) => see(a),
        Node::Numbers(a, b) => [a, b].into_iter().for_each(see),
        Node::Matches(of) => {
            let Some(of) = program.matches.get(of) else { return };
            let joins = of.joins.into_iter().flat_map(|(set, condition)| [set, condition]);
            [of.units, of.demands, of.needs.0, of.needs.1, of.left_over].into_iter().chain(joins).for_each(see);
        }
        Node::ZoneOfAll(_)
        | Node::Players
        | Node::Catalogue
        | Node::EveryCard
        | Node::EnumValues(_)
        | Node::Pending
        | Node::Tied
        | Node::PoolCard(_)
        | Node::RulesApply
        | Node::GoesRound
        | Node::Role(_) => {}
        Node::Happened(pattern, since) | Node::Latest(pattern, since) | Node::Events(pattern, since) => {
            if let Since::Event(event) = since.get() {
                see(event);
            }
            let Some(pattern) = program.patterns.get(pattern) else { return };
            for (_, matched) in pattern.events.iter().flat_map(|event| &event.args) {
                match matched {
                    ArgMatch::Is(value) => see(*value),
                    ArgMatch::All(_, condition) if *condition != NodeId::NONE => see(*condition),
                    _ => {}
                }
            }
            for event in &pattern.events {
                if let Some(CauseMatch::KindOf(_, value) | CauseMatch::Of(value) | CauseMatch::Is(value)) = event.cause {
                    see(value);
                }
            }
            if pattern.condition != NodeId::NONE {
                see(pattern.condition);
            }
        }
        Node::Not(a) | Node::Negate(a) | Node::Field(a, _) | Node::Printed(a, _) | Node::State(a, _) | Node::Owner(a) => see(a),
        Node::Tallied(a, _) => see(a),
        Node::Controller(a)
        | Node::Performer(a)
        | Node::Source(a)
        | Node::ZoneOf(a)
        | Node::FaceUp(a)
        | Node::HasEffect(a)
        | Node::Reaches(a) => see(a),
        Node::CardName(a) | Node::EffectText(a) => see(a),
        Node::CardOf(a)
        | Node::IsCard(a, _)
        | Node::IsKind(a, _)
        | Node::IsMoment(a, _)
        | Node::IsOption(a, _)
        | Node::Component(a, _)
        | Node::Still(a)
        | Node::Zone(_, a)
        | Node::Count(a) => see(a),
        Node::IsEmpty(a) | Node::Only(a) | Node::End(_, a) | Node::Opponent(a) | Node::NextPlayer(a) | Node::Opponents(a) => see(a),
        Node::PlaceIn(a, _) | Node::Host(a) | Node::Attached(a) | Node::Original(a) | Node::Now(a) | Node::Became(a) | Node::Arrived(a) => {
            see(a)
        }
        Node::IsMade(a) | Node::IsType(a, _) | Node::Decider(a) | Node::EffectsOn(a) => see(a),
        Node::HasKeyword(a, _)
        | Node::Abilities(a)
        | Node::AbilitiesOfAll(a)
        | Node::Exists(a)
        | Node::Losing(a)
        | Node::Winning(a)
        | Node::PlaceOf(a)
        | Node::Named(a, _) => see(a),
        Node::And(a, b) | Node::Or(a, b) | Node::Arithmetic(_, a, b) | Node::Compare(_, a, b) | Node::In(a, b) => {
            [a, b].into_iter().for_each(see)
        }
        Node::With { value: a, body: b } | Node::FieldHas(a, _, b) | Node::TextContains(a, b) => [a, b].into_iter().for_each(see),
        Node::Some(a, b) | Node::All(a, b) | Node::Ends(_, a, b) | Node::Where(a, b) | Node::Except(a, b) => {
            [a, b].into_iter().for_each(see)
        }
        Node::Union(a, b) | Node::Joined(a, b) | Node::Without(a, b) | Node::Sees(a, b) | Node::Least(a, b) | Node::Greatest(a, b) => {
            [a, b].into_iter().for_each(see)
        }
        Node::Fold(_, a, b) | Node::Distinct(a, b) | Node::Sorted(a, b) | Node::SameSets(a, b) => [a, b].into_iter().for_each(see),
        Node::Clockwise(a) | Node::Length(a) | Node::Team(a) | Node::Captain(a) | Node::BitOf(a) | Node::AbilityText(a, _) => see(a),
        Node::HasBit(a, b) => [a, b].into_iter().for_each(see),
        Node::If(a, args) => {
            see(a);
            run(args, see);
        }
        Node::Fact(_, args, a) => {
            see(a);
            run(args, see);
        }
        Node::List(args) | Node::Can(_, args) | Node::Permitted(_, args) => run(args, see),
    }
}
