//! Options of players: what can be offered, with which arguments, when.

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
    /// What can be said of it before its arguments are known.
    pub bases: Bases,
}

/// What an option's domains and condition say as far as they speak of no parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Bases {
    /// For each parameter what its domain is a part of (`NONE` for one that has a default). Where it is the domain itself, all has been said.
    pub sets: Vec<NodeId>,
    /// No such set speaks of a parameter: each can be drawn from without the others.
    pub apart: bool,
    /// What the condition begins with; `NONE`: nothing.
    pub condition: NodeId,
}

/// A parameter of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionParam {
    /// One of these; the set may mention the parameters before it.
    In(NodeId),
    /// This, unless whoever performs the option says otherwise.
    Default(NodeId),
}
