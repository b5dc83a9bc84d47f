//! What an ability has beside its body: slots, and what cards and kinds put into them. Matches of units and requirements.

use super::{NameDef, Type};
use crate::engine::ids::{CitesId, NodeId, RoutineId, StateId, VerbId};

/// A slot of abilities. Kinds that declare a slot of the same name share it.
#[derive(Clone, Debug)]
pub struct SlotDef {
    /// Its name.
    pub name: NameDef,
    /// Its type, or its members' type; of a cost [`Type::Bool`].
    pub of: Type,
    /// It is a set.
    pub set: bool,
    /// It is a cost: it reads as true from the moment at which it is fixed.
    pub cost: bool,
}

/// What is in a slot. Expressions read the slots before it as registers, in the kind's order; the player who is asked is the
/// register after the last slot.
#[derive(Clone, Debug, Default)]
pub enum Fill {
    /// Nothing.
    #[default]
    Empty,
    /// A value, read anew each time.
    Value(NodeId),
    /// A choice, made when the flow asks for it.
    Asked {
        /// The choice: its parameters are the slots and the player who is asked.
        body: RoutineId,
        /// What could be chosen: the choice is checked against it again.
        domain: NodeId,
    },
    /// A cost.
    Cost {
        /// Its parts, in order.
        parts: Vec<PartDef>,
        /// Pays it: its parameters are the slots, the player, and the amounts of the parts.
        pay: RoutineId,
    },
}

/// A part of a cost.
#[derive(Clone, Copy, Debug)]
pub struct PartDef {
    /// By what prices change it.
    pub key: PartKey,
    /// How much, as printed.
    pub amount: NodeId,
    /// Whether it can be paid as far as counting tells.
    pub test: PartTest,
}

/// What a price names: the pool that is spent, or the action that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "see the type")]
pub enum PartKey {
    Pool(StateId),
    Verb(VerbId),
}

/// How it is told whether a part can be paid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartTest {
    /// That player's pool holds as much as all parts that spend it.
    Pool(NodeId, StateId),
    /// The set that is picked from has as many members.
    Count(NodeId),
    /// This holds.
    Holds(NodeId),
}

/// Requirements and units, as one statement or condition names them.
#[derive(Clone, Copy, Debug)]
pub struct MatchDef {
    /// The units.
    pub units: NodeId,
    /// Each of these takes a unit for itself, one for which this holds (the unit and the member are bound).
    pub needs: (NodeId, NodeId),
    /// As many of these as there are units that pay each join one of them, one for which this holds.
    pub joins: Option<(NodeId, NodeId)>,
    /// What must hold for one that joins none (it is bound); none: none may be left over.
    pub left_over: NodeId,
    /// The rules beside the declaration.
    pub cites: CitesId,
}

/// In which order changes of a price apply, and what it is at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// In which order the parts of a cost are paid.
    pub paid: PartOrder,
    /// The rank of `=`, `+`, `-`, `*` and `at least`; of equal ranks the older effect comes first.
    pub ranks: [u8; 5],
    /// No part is due with less.
    pub at_least: i32,
    /// The rules of the order and of the bound.
    pub cites: CitesId,
}

/// In which order the parts of a cost are paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PartOrder {
    /// As they are printed.
    #[default]
    Printed,
    /// All at the same time: the branches of a lockstep.
    Together,
    /// As who pays chooses.
    Chosen,
}

impl Default for Prices {
    fn default() -> Self {
        Self { paid: PartOrder::Printed, ranks: [0, 1, 2, 3, 4], at_least: 0, cites: CitesId::default() }
    }
}
