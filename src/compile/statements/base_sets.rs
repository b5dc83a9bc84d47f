//! Base sets of options: the candidates for each argument before any argument is chosen.
//!
//! A domain is a set with conditions. Conditions that mention no parameter are checked once, in the base set. The other conditions are
//! checked for each combination of arguments. If a condition is `A and B …`, the base set gets only the parts before the first part that
//! mentions a parameter. A later part is evaluated only if the earlier parts are true; otherwise the player may not be allowed to know the
//! part's result.
//!
//! The engine compares certain values from offer to offer. A condition that reads any other value is left out of the base set as well. So
//! the base set is computed again only when a value that it reads has changed.

use crate::Compiler;
use engine::ids::{NodeId, Reg};
use engine::legal::bases::reads_what_is_compared;
use engine::program::{Bases, Node, OptionParam};

impl Compiler {
    /// The base sets of an option with these parameters and this condition.
    pub(crate) fn bases(&mut self, params: &[OptionParam], condition: NodeId) -> Bases {
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

    /// A domain without the conditions that mention a parameter.
    fn base_of(&mut self, domain: NodeId, params: usize) -> NodeId {
        let Some(Node::Where(inner, condition)) = self.program.nodes.get(domain).copied() else { return domain };
        let (base, own) = (self.base_of(inner, params), self.beginning(condition, params));
        match own {
            _ if own == condition && base == inner => domain,
            NodeId::NONE => base,
            own => self.node(Node::Where(base, own)),
        }
    }

    /// The parts of a condition before the first part that mentions a parameter.
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

    /// A set without the conditions that read values which are not compared from offer to offer. None if the set itself reads such values.
    /// The result has at least the members of the set. This is allowed, because members are checked again for each combination of
    /// arguments.
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

    /// The parts of a condition that read only compared values. `NONE` if all parts read others.
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

    /// Whether an expression mentions a parameter.
    fn speaks_of(&self, node: NodeId, params: usize) -> bool {
        let mut speaks = false;
        self.walk(node, &mut |node| speaks |= matches!(node, Node::Local(Reg(at)) if usize::from(*at) < params));
        speaks
    }
}
