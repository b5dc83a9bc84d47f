//! What an ability has beside its body: slots, with their contents and costs. Also matches between units and requirements, and how prices
//! change.

use super::{NameDef, Type};
use crate::ids::{ArgsId, CitesId, NodeId, RoutineId, StateId, VerbId};

/// A slot of abilities. Kinds of abilities with a slot of the same name share one definition.
#[derive(Clone, Debug)]
pub struct SlotDef {
    /// Its name.
    pub name: NameDef,
    /// Its type; of a set the type of its members; of a cost [`Type::Bool`].
    pub of: Type,
    /// Whether it is a set.
    pub set: bool,
    /// Whether it is a cost. A cost reads as true after it has been fixed.
    pub cost: bool,
}

/// The content of a slot. Its expressions read the earlier slots of the kind as registers. The register after the last slot holds the
/// player who is asked.
#[derive(Clone, Debug, Default)]
pub enum Fill {
    /// Nothing.
    #[default]
    Empty,
    /// A value, computed again each time.
    Value(NodeId),
    /// A choice. It is made when the flow asks for the slot.
    Asked {
        /// The routine that asks. Its parameters are the slots and the player who is asked.
        body: RoutineId,
        /// The set of the choice. The answer is checked against this set again later.
        domain: NodeId,
        /// The number of the declared choice; `u16::MAX`: not declared.
        declared: u16,
    },
    /// A cost.
    Cost {
        /// The parts of the cost in order.
        parts: Vec<PartDef>,
        /// The routine that pays. Its parameters are the slots, the player, and the amounts of the parts.
        pay: RoutineId,
    },
}

/// A part of a cost.
#[derive(Clone, Copy, Debug)]
pub struct PartDef {
    /// The name by which `price of` changes this part.
    pub key: PartKey,
    /// The printed amount.
    pub amount: NodeId,
    /// How to find out by counting whether the part can be paid. All its nodes bind the amount due.
    pub test: PartTest,
    /// The action that pays, for looking into its body.
    pub call: Option<PartCall>,
}

/// The action of a part of a cost.
#[derive(Clone, Copy, Debug)]
pub struct PartCall {
    /// The action.
    pub verb: VerbId,
    /// Its arguments. They bind the amount due, and in [`PartTest::Count`] the picked member after it.
    pub args: ArgsId,
    /// Whether the action takes a set, of which the member is only one.
    pub one_of_set: bool,
}

/// The name of a part of a cost: the pool that is spent, or the action that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "see the type")]
pub enum PartKey {
    Pool(StateId),
    Verb(VerbId),
}

/// How to find out by counting whether a part of a cost can be paid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartTest {
    /// That player's pool holds enough for all parts that spend from it.
    Pool(NodeId, StateId),
    /// The set from which is picked has enough members.
    Count(NodeId),
    /// This condition is true.
    Holds(NodeId),
}

/// A match, as one statement or condition names it: which units can meet which requirements.
#[derive(Clone, Copy, Debug)]
pub struct MatchDef {
    /// The set of units.
    pub units: NodeId,
    /// The demands. All nodes below bind the demand first. `NONE`: there is one demand, and nothing is bound for it.
    pub demands: NodeId,
    /// The requirements, and a condition. Each requirement takes one unit for itself, of which the condition is true. The condition binds
    /// the unit and the requirement.
    pub needs: (NodeId, NodeId),
    /// Members that join units, and a condition. Each member joins one unit of its own, of which the condition is true. The unit must meet
    /// a requirement of the same demand. As many members join as there are such units.
    pub joins: Option<(NodeId, NodeId)>,
    /// The condition for a member that joins no unit (the member is bound). `NONE`: no member may be left over.
    pub left_over: NodeId,
    /// The condition for a unit that may be named beside the units of the requirements (the unit is bound). `NONE`: no such unit is asked for.
    pub spare: NodeId,
    /// The rules that the declaration cites.
    pub cites: CitesId,
    /// The rules of the declaration's head and beside the line of the requirements; those of the head and beside the lines of the joining
    /// members.
    pub beside: [CitesId; 2],
}

/// In which order the changes of a price apply, and the lower bound of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// In which order the parts of a cost are paid.
    pub paid: PartOrder,
    /// The ranks of `=`, `+`, `-`, `*` and `at least`. Changes of equal rank apply by age, the oldest first.
    pub ranks: [u8; 5],
    /// The least amount of a part.
    pub at_least: i32,
    /// The rules for the order and for the bound.
    pub cites: CitesId,
}

/// In which order the parts of a cost are paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PartOrder {
    /// As the parts are printed.
    #[default]
    Printed,
    /// All at the same time, as the branches of a lockstep.
    Together,
    /// In an order that the payer chooses.
    Chosen,
}

impl Default for Prices {
    fn default() -> Self {
        Self { paid: PartOrder::Printed, ranks: [0, 1, 2, 3, 4], at_least: 0, cites: CitesId::default() }
    }
}
