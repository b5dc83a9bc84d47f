//! Clauses of continuous effects, and the patterns of the events that they watch.

use crate::engine::ids::{ChoiceId, CitesId, FieldId, NodeId, PatternId, Reg, RoutineId, VerbId, ZoneId};

/// A clause.
#[derive(Clone, Debug)]
pub struct ClauseDef {
    /// What it does.
    pub kind: ClauseKind,
    /// It holds only while this is true (`NONE`: always). Read without the clause's own contribution.
    pub condition: NodeId,
    /// Registers of the installing frame that the clause reads, copied when it begins (none for a static one).
    pub captures: Vec<Reg>,
    /// The rules beside it.
    pub cites: CitesId,
}

/// What a clause does.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// Changes fields of the cards of a set. A resolved effect takes the set and the amounts when it begins.
    Modify {
        /// The cards.
        what: NodeId,
        /// The fields.
        changes: Vec<ChangeDef>,
    },
    /// Abilities of the set do nothing.
    Disable(NodeId),
    /// Matching actions are not performed.
    Forbid(PatternId),
    /// Instead of a matching action the body runs.
    Instead {
        /// What is replaced.
        pattern: PatternId,
        /// Asked first (`may p { … }` was the whole body): the yes-or-no choice.
        optional: Option<ChoiceId>,
        /// What is done instead.
        body: RoutineId,
    },
    /// After a matching action an ability waits.
    When {
        /// What is waited for.
        pattern: PatternId,
        /// What it does.
        body: RoutineId,
    },
}

/// A change of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeDef {
    /// The field.
    pub field: FieldId,
    /// How.
    pub op: ChangeKind,
    /// By what.
    pub value: NodeId,
}

/// How a change changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum ChangeKind {
    SetPrinted,
    Set,
    Add,
    Subtract,
    Multiply,
}

/// An event pattern.
#[derive(Clone, Debug)]
pub struct PatternDef {
    /// Any of these.
    pub events: Vec<EventDef>,
    /// And this (`NONE`: always); the bound names are registers after the captures.
    pub condition: NodeId,
    /// How many names are bound.
    pub binds: u16,
}

/// A verb with the values its arguments must have.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// The verb.
    pub verb: VerbId,
    /// Position of the argument and what it must be.
    pub args: Vec<(u8, ArgMatch)>,
    /// What caused it.
    pub cause: Option<CauseMatch>,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgMatch {
    /// Anything; bound to the n-th bound name.
    Bind(u16),
    /// This value (a set or zone: a member, or for a zone argument that very zone).
    Is(NodeId),
    /// A zone of that declaration, anybody's.
    AnyZone(ZoneId),
}

/// What must have caused an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CauseMatch {
    /// An effect (an ability that is performed).
    Effect,
    /// A rule.
    Rule,
    /// An effect of that card or of a card of that player.
    Of(NodeId),
}
