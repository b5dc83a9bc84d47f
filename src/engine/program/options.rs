//! Options of players: what can be offered, with which arguments, when.

use super::{Node, Program};
use crate::engine::ids::{GroupId, NodeId, RoutineId, TextId, VerbId};

/// An option. It is a verb as well: its parameters are the option's, then the player who takes it.
#[derive(Clone, Debug)]
pub struct OptionDef {
    /// What is performed.
    pub verb: VerbId,
    /// The groups it is in.
    pub groups: Vec<GroupId>,
    /// For each parameter what it ranges over. Registers as in the verb's body: the parameters, then the player.
    pub params: Vec<OptionParam>,
    /// `when C`; none: always.
    pub condition: NodeId,
    /// What processes it once it is declared; none for one that is carried out as it is taken.
    pub process: Option<RoutineId>,
    /// The names of its parameters and of the player, as components of what is declared.
    pub components: Vec<TextId>,
    /// Its body is an attempt: what a trial run finds impossible is not offered.
    pub attempt: bool,
    /// No parameter's base set reads another parameter: each can be drawn from without the others.
    pub apart: bool,
}

/// A parameter of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionParam {
    /// One of these; the set may mention the parameters before it.
    In(NodeId),
    /// This, unless whoever performs the option says otherwise.
    Default(NodeId),
}

impl Program {
    /// What the conditions of a domain narrow: the set under the outermost `where`s.
    #[must_use]
    pub fn base_of(&self, mut domain: NodeId) -> NodeId {
        while let Some(Node::Where(inner, _)) = self.nodes.get(domain) {
            domain = *inner;
        }
        domain
    }
}
