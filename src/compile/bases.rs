//! Base sets: what can be said of the arguments of an option before any of them is known.
//!
//! A domain is a set that conditions narrow. Those that speak of no parameter can be looked at once, whatever the other arguments are; the others
//! are looked at for each row. Of a condition only its beginning is taken: what stands behind a part that speaks of a parameter is
//! looked at only when that part is true, and may be hidden from the player where that part is.

use super::Compiler;
use crate::engine::ids::{NodeId, Reg};
use crate::engine::program::{Bases, Node, OptionParam};

impl Compiler {
    /// Those of an option with these parameters and this condition.
    pub(super) fn bases(&mut self, params: &[OptionParam], condition: NodeId) -> Bases {
        let sets: Vec<NodeId> = params
            .iter()
            .map(|param| match *param {
                OptionParam::In(domain) => self.base_of(domain, params.len()),
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

    /// Whether an expression speaks of a parameter.
    fn speaks_of(&self, node: NodeId, params: usize) -> bool {
        let mut speaks = false;
        self.walk(node, &mut |node| speaks |= matches!(node, Node::Local(Reg(at)) if usize::from(*at) < params));
        speaks
    }
}
