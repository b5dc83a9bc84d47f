//! Makes the nodes of expressions. Constant expressions are folded at once, so params and readings cost nothing in a running game.

use crate::Compiler;
use engine::eval::never_meet;
use engine::ids::{ArgsId, CitesId, NodeId, TextId};
use engine::program::{Arithmetic, Compare, Node};
use engine::value::Value;
use lang::diagnostic::Span;
use lang::syntax::ast::Cite;
use std::sync::Arc;

impl Compiler {
    /// Adds a node, folded to a constant where possible.
    pub(crate) fn node(&mut self, node: Node) -> NodeId {
        let node = self.folded(node);
        match node {
            Ok(made) => self.program.nodes.push(made),
            Err(existing) => existing,
        }
    }

    pub(crate) fn constant_node(&mut self, value: Value) -> NodeId {
        self.program.nodes.push(Node::Const(value))
    }

    /// The value of a node that is a constant.
    pub(crate) fn const_of(&self, node: NodeId) -> Option<Value> {
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
    pub(crate) fn operand(&mut self, node: NodeId, cites: &[Cite], span: Span) -> NodeId {
        let Some(same) = self.program.nodes.get(node).copied().filter(|same| !matches!(same, Node::Const(_))) else { return node };
        let own = self.program.nodes.push(same);
        let cites = self.cites(cites);
        self.program.operands.push((own, cites));
        self.map.operands.push(span);
        own
    }

    /// Whether an expression contains a condition with its own citations.
    pub(crate) fn has_operands(&self, node: NodeId) -> bool {
        let mut found = false;
        if !self.program.operands.is_empty() {
            self.walk_ids(node, &mut |id| found |= self.program.operand(id).is_some());
        }
        found
    }

    pub(crate) fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == NodeId::NONE {
            return b;
        }
        if b == NodeId::NONE {
            return a;
        }
        self.node(Node::And(a, b))
    }

    pub(crate) fn not(&mut self, a: NodeId) -> NodeId {
        self.node(Node::Not(a))
    }

    /// A list of nodes.
    pub(crate) fn args(&mut self, nodes: &[NodeId]) -> ArgsId {
        let first = self.program.arg_nodes.len() as u32;
        self.program.arg_nodes.extend_from_slice(nodes);
        self.program.args.push((first, nodes.len() as u16))
    }

    /// The number of a text. Equal texts share one number.
    pub(crate) fn text(&mut self, text: &str) -> TextId {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let id = self.program.texts.push(text.to_owned());
        self.texts.insert(text.to_owned(), id);
        id
    }

    /// The number of a list of citations. 0 is the empty list.
    pub(crate) fn cites(&mut self, cites: &[Cite]) -> CitesId {
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
pub(crate) fn holds(op: Compare, a: i32, b: i32) -> bool {
    match op {
        Compare::Equal => a == b,
        Compare::NotEqual => a != b,
        Compare::Less => a < b,
        Compare::LessEqual => a <= b,
        Compare::Greater => a > b,
        Compare::GreaterEqual => a >= b,
    }
}
