//! Base sets: what can be said of the arguments of an option before any of them is known.
//!
//! A domain is a set that conditions narrow. Those that speak of no parameter can be looked at once, whatever the other arguments are; the others
//! are looked at for each row. Of a condition only its beginning is taken: what stands behind a part that speaks of a parameter is
//! looked at only when that part is true, and may be hidden from the player where that part is. Left out is as well what reads something that
//! cannot be compared from offer to offer: then the rest of the set is found again only when something that it reads has changed.

use super::Compiler;
use crate::engine::ids::{NodeId, Reg};
use crate::engine::legal::bases::reads_what_is_compared;
use crate::engine::program::{Bases, Node, OptionParam};

impl Compiler {
    /// Those of an option with these parameters and this condition.
    pub(super) fn bases(&mut self, params: &[OptionParam], condition: NodeId) -> Bases {
        let sets: Vec<NodeId> = params
            .iter()
            .map(|param| match *param {
                OptionParam::In(domain) => {
                    let base = self.base_of(domain, params.len());
                    self.compared_part(base).unwrap_or(base)
                }
                OptionParam::Default(_) => NodeId::NONE,
            })
            .collect();
        let apart = sets.iter().all(|set| !self.speaks_of(*set, params.len()));
        let condition = self.beginning(condition, params.len());
        Bases { sets, apart, condition }
    }

    /// A domain without the conditions that speak of a parameter.
    fn base_of(&mut self, domain: NodeId, params: usize) -> NodeId {
        let Some(Node::Where(inner, condition)) = self.program.nodes.get(domain).copied() else { return domain };
        let (base, own) = (self.base_of(inner, params), self.beginning(condition, params));
        match own {
            _ if own == condition && base == inner => domain,
            NodeId::NONE => base,
            own => self.node(Node::Where(base, own)),
        }
    }

    /// The parts of a condition that come before the first one that speaks of a parameter.
    fn beginning(&mut self, condition: NodeId, params: usize) -> NodeId {
        if !self.speaks_of(condition, params) {
            return condition;
        }
        let Some(Node::And(first, second)) = self.program.nodes.get(condition).copied() else { return NodeId::NONE };
        let own = self.beginning(first, params);
        if own != first {
            return own;
        }
        let more = self.beginning(second, params);
        self.and(first, more)
    }

    /// A set without the conditions that read what is not compared from offer to offer; none where more than conditions does. It is as
    /// large or larger: whether a member belongs to the domain is looked at for each row, and the set itself is found less often.
    fn compared_part(&mut self, set: NodeId) -> Option<NodeId> {
        if reads_what_is_compared(&self.program, set) {
            return Some(set);
        }
        match self.program.nodes.get(set).copied()? {
            Node::Where(inner, condition) => {
                let (inner, condition) = (self.compared_part(inner)?, self.compared_condition(condition));
                Some(if condition == NodeId::NONE { inner } else { self.node(Node::Where(inner, condition)) })
            }
            _ => None,
        }
    }

    /// The parts of a condition that read only what is compared; none of them: no condition.
    fn compared_condition(&mut self, condition: NodeId) -> NodeId {
        if condition == NodeId::NONE || reads_what_is_compared(&self.program, condition) {
            return condition;
        }
        match self.program.nodes.get(condition).copied() {
            Some(Node::And(a, b)) => {
                let (a, b) = (self.compared_condition(a), self.compared_condition(b));
                self.and(a, b)
            }
            Some(Node::Some(set, condition)) => {
                let Some(set) = self.compared_part(set) else { return NodeId::NONE };
                let condition = self.compared_condition(condition);
                self.node(Node::Some(set, condition))
            }
            _ => NodeId::NONE,
        }
    }

    /// Whether an expression speaks of a parameter.
    fn speaks_of(&self, node: NodeId, params: usize) -> bool {
        let mut speaks = false;
        self.walk(node, &mut |node| speaks |= matches!(node, Node::Local(Reg(at)) if usize::from(*at) < params));
        speaks
    }
}
