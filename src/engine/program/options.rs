//! Options of players: what can be offered, with which arguments, and when.

use crate::ids::{GroupId, NodeId, RoutineId, TextId, VerbId};

/// An option of a player. It is a verb as well; the verb's parameters are those of the option, then the player.
#[derive(Clone, Debug)]
pub struct OptionDef {
    /// The verb that is performed.
    pub verb: VerbId,
    /// The groups in which the option is offered.
    pub groups: Vec<GroupId>,
    /// What each parameter is called: the label of the declared choice with the parameter's name. Empty if there is none.
    pub called: Vec<String>,
    /// The domains of the parameters. Their expressions read registers as the body of the verb does: the parameters, then the player.
    pub params: Vec<OptionParam>,
    /// `when C`; `NONE`: always.
    pub condition: NodeId,
    /// The second part of an option in two parts. `None`: the option has one part and is carried out when it is taken.
    pub process: Option<RoutineId>,
    /// The names of the values that a declared option keeps: its parameters and the player.
    pub components: Vec<TextId>,
    /// Whether the body is an attempt. Then the option is not offered if a trial run finds it impossible.
    pub attempt: bool,
    /// What is known about the arguments one by one; used to draw ways to act without listing all of them.
    pub bases: Bases,
}

/// What an option's domains and condition say before its arguments are known (see `compile/statements/base_sets.rs`).
#[derive(Clone, Debug, PartialEq)]
pub struct Bases {
    /// For each parameter a set that contains its domain (`NONE` for a parameter with a default). If the set is the domain itself, all its
    /// members fit.
    pub sets: Vec<NodeId>,
    /// Whether no such set mentions a parameter. Then a value can be drawn from each set alone.
    pub apart: bool,
    /// The parts of the condition before the first part that mentions a parameter (`NONE`: none).
    pub condition: NodeId,
}

/// The domain of a parameter of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionParam {
    /// One member of the set. The set may depend on the parameters before this one.
    In(NodeId),
    /// This value, unless the caller of the option gives another value.
    Default(NodeId),
}
