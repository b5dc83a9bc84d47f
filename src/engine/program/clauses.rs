//! Clauses of continuous effects, and the event patterns that clauses watch.

use super::{Fill, Node, PartKey, Program};
use crate::ids::{
    AbilityId, ArgsId, CauseId, ChoiceId, CitesId, ClauseId, FactId, FieldId, KeywordId, KindId, NodeId, PatternId, Reg, RoutineId, SlotId,
    VerbId, ZoneId,
};
use crate::value::Value;

/// A clause of a continuous effect.
#[derive(Clone, Debug)]
pub struct ClauseDef {
    /// What the clause does.
    pub kind: ClauseKind,
    /// The clause holds only while this is true (`NONE`: always). The condition is read as if the clause itself did not hold.
    pub condition: NodeId,
    /// The first clause under the same `while`. All clauses with the same first clause are one effect.
    pub under: Option<ClauseId>,
    /// The registers of the current frame that are copied when a lasting clause begins. Empty for a static clause.
    pub captures: Vec<Reg>,
    /// The rules that the clause cites.
    pub cites: CitesId,
    /// In a game with layers: the layer of a clause that grants, strips or disables.
    pub layer: u8,
    /// What the set, the condition and the amounts of the clause read.
    pub reads: ClauseReads,
}

/// The values that a clause reads. They decide to which cards the clause applies, and by how much it changes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseReads {
    /// The fields of cards that are read. With a computed field stand the fields from which it is computed.
    pub fields: Vec<FieldId>,
    /// For some set-valued fields among `fields`: the only members that are asked for.
    pub members: Vec<(FieldId, Value)>,
    /// Whether it reads which abilities or keywords cards have.
    pub abilities: bool,
    /// Whether it reads something that changes without a change of the board (the turn's number, what waits).
    pub volatile: bool,
    /// In a game with layers: whether an effect in the same layer could change what the clause applies to, or what it does.
    pub entangled: bool,
    /// Whether membership of a card in the clause's set depends on that card alone: its place, what is printed on it, its fields.
    pub card_alone: bool,
    /// Whether it reads who controls cards.
    pub controllers: bool,
    /// The states that are read.
    pub states: crate::bits::StateSet,
    /// Expressions that go through a set and depend on nothing around them in the clause: each with the least number of the bound values
    /// that stand in it.
    pub apart: Vec<(NodeId, u8)>,
    /// Whether it reads whose effect it is (`you`).
    pub you: bool,
    /// Whether the clause never loses a card when the sets of `members` gain members. So no condition asks that something is *no* member,
    /// and the amounts are constants.
    pub rising: bool,
}

impl ClauseReads {
    /// Whether a change only adds one member to a set, and no card leaves the set of this clause because of that. Then each changed card
    /// can be looked at alone.
    #[must_use]
    pub(crate) fn rises_with(&self, program: &Program, change: &ChangeDef) -> bool {
        let adds = change.op == ChangeKind::Add && !change.many;
        let by_members = self.members.iter().any(|(field, _)| *field == change.field);
        let provided = program.fields.get(change.field).is_none_or(|field| field.provided || !field.set);
        self.rising && self.card_alone && adds && by_members && !provided
    }

    /// Whether the clause reads what a change makes of its field. If the clause asks a set for some members only, another member does not
    /// count.
    #[must_use]
    pub(crate) fn looks_at(&self, program: &Program, change: &ChangeDef) -> bool {
        if !self.fields.contains(&change.field) {
            return false;
        }
        let mut asked = self.members.iter().filter(|(field, _)| *field == change.field).peekable();
        let one = matches!(change.op, ChangeKind::Add | ChangeKind::Subtract) && !change.many;
        // A `provide` applies to cards whose set is empty, so each member counts.
        let provided = program.fields.get(change.field).is_none_or(|field| field.provided);
        if asked.peek().is_none() || !one || provided {
            return true;
        }
        match program.nodes.get(change.value) {
            Some(Node::Const(member)) => asked.any(|(_, wanted)| wanted == member),
            _ => true,
        }
    }
}

/// What a clause does. The nodes named "the cards" are sets.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// Changes fields of the cards of a set, or properties of players. A lasting clause takes the amounts when it begins, and the set as
    /// [`super::SetPolicy`] says.
    Modify {
        /// The cards.
        what: NodeId,
        /// The fields.
        changes: Vec<ChangeDef>,
    },
    /// The cards have abilities that are not printed on them.
    Grant {
        /// The cards.
        to: NodeId,
        /// The abilities.
        abilities: Vec<AbilityId>,
        /// A set of abilities: the cards have abilities like these (`NONE`: no set). A lasting clause takes the set when it begins.
        like: NodeId,
    },
    /// The cards do not have certain abilities any more.
    Strip {
        /// The cards.
        from: NodeId,
        /// Which abilities.
        what: Vec<StripDef>,
    },
    /// A player controls the cards.
    Control {
        /// The cards.
        what: NodeId,
        /// The player.
        by: NodeId,
    },
    /// Changes the costs of abilities: of the abilities in a set, or of all abilities of its cards. The set and the amounts are read
    /// whenever a cost is fixed. This holds for a lasting clause too: cards that will be played later need not exist when the clause begins.
    Price {
        /// Cards or abilities.
        what: NodeId,
        /// The parts.
        changes: Vec<PriceChange>,
    },
    /// Fills an empty slot of abilities: of the abilities in a set, or of all abilities of its cards. Read whenever somebody asks for the
    /// slot.
    Fill {
        /// Cards or abilities.
        what: NodeId,
        /// The slot.
        slot: SlotId,
        /// The content of the slot. Its expressions see no other slots.
        fill: Fill,
    },
    /// The abilities of the set do nothing.
    Disable(NodeId),
    /// Other effects do not apply to these cards.
    Shield {
        /// The cards.
        what: NodeId,
        /// Only effects that began before this one are kept off.
        before_now: bool,
        /// Only changes of this field that turn its value this way are kept off (`None`: effects with all their changes).
        turning: Option<(FieldId, Way)>,
        /// Only effects for which this is true are kept off; the effect is bound (`NONE`: all effects).
        effects: NodeId,
    },
    /// Effects do not choose these cards.
    ShieldFromChoices {
        /// The cards.
        what: NodeId,
        /// The declared choices (empty: all choices, also those that are not declared).
        choices: Vec<u16>,
        /// Only choices of effects for which this is true leave the cards out. The effect is bound, as a cause (`NONE`: all effects).
        causes: NodeId,
    },
    /// A fact counts as true.
    Assume {
        /// The fact.
        fact: FactId,
        /// For these arguments.
        args: ArgsId,
    },
    /// `permitted` is true of a matching action. The clause changes nothing else.
    Permit(PatternId),
    /// A declared choice must take members of a set.
    Require {
        /// The declared choice.
        choice: u16,
        /// The set.
        what: NodeId,
    },
    /// Matching actions are not performed.
    Forbid(PatternId),
    /// Instead of a matching action a body runs.
    Instead {
        /// The replaced actions.
        pattern: PatternId,
        /// The yes-or-no choice that is asked first, if the whole body is `may p { … }`.
        optional: Option<ChoiceId>,
        /// Whether the choice in `optional` is about an attempt (`may p attempt`). If the attempt fails, nothing is replaced.
        attempt: bool,
        /// The body.
        body: RoutineId,
        /// Whether the effect ends after it has replaced one event.
        once: bool,
    },
    /// After a matching event an ability waits.
    When {
        /// The events.
        pattern: PatternId,
        /// The body of the ability.
        body: RoutineId,
        /// Whether the effect ends after one event.
        once: bool,
    },
    /// An ability waits when the condition has become true.
    Whenever {
        /// The condition.
        condition: NodeId,
        /// The body of the ability.
        body: RoutineId,
    },
}

impl ClauseKind {
    /// The body that a clause runs, if the clause is of a kind with a body.
    #[must_use]
    pub fn body(&self) -> Option<RoutineId> {
        match self {
            ClauseKind::Instead { body, .. } | ClauseKind::When { body, .. } | ClauseKind::Whenever { body, .. } => Some(*body),
            _ => None,
        }
    }

    /// Whether the clause takes abilities away, or disables them.
    #[must_use]
    pub(crate) fn silences(&self) -> bool {
        matches!(self, ClauseKind::Strip { .. } | ClauseKind::Disable(_))
    }

    /// The set that the clause applies to. `None` for a kind without a set, and for a kind whose set is read anew each time (`price of`,
    /// filled slots, demands).
    #[must_use]
    pub fn applies_to(&self) -> Option<NodeId> {
        match self {
            ClauseKind::Modify { what, .. }
            | ClauseKind::Grant { to: what, .. }
            | ClauseKind::Strip { from: what, .. }
            | ClauseKind::Control { what, .. }
            | ClauseKind::Disable(what)
            | ClauseKind::Shield { what, .. }
            | ClauseKind::ShieldFromChoices { what, .. } => Some(*what),
            ClauseKind::Price { .. }
            | ClauseKind::Fill { .. }
            | ClauseKind::Require { .. }
            | ClauseKind::Assume { .. }
            | ClauseKind::Permit(_)
            | ClauseKind::Forbid(_)
            | ClauseKind::Instead { .. }
            | ClauseKind::When { .. }
            | ClauseKind::Whenever { .. } => None,
        }
    }
}

/// Which abilities are stripped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StripDef {
    /// All abilities.
    All,
    /// The abilities of a kind.
    Kind(KindId),
    /// The abilities of a keyword.
    Keyword(KeywordId),
    /// The abilities with that script ([`super::AbilityDef::script`]) that came with no keyword.
    Script(u32),
}

/// Which way a change turns a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Way {
    Down,
    Up,
}

/// A change of one field by a clause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeDef {
    /// The field.
    pub field: FieldId,
    /// How the field changes.
    pub op: ChangeKind,
    /// The operand.
    pub value: NodeId,
    /// Whether the operand is a set, and each of its members changes the field.
    pub many: bool,
    /// In a game with layers: the layer of this change.
    pub layer: u8,
}

/// A change of one part of a cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceChange {
    /// The part.
    pub key: PartKey,
    /// How the amount changes.
    pub op: ChangeKind,
    /// The operand.
    pub value: NodeId,
}

/// How a field or a price changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum ChangeKind {
    SetPrinted,
    /// A set has one more member that counts as printed, or a number that counts as printed is greater by the operand.
    AddPrinted,
    /// The value that counts as printed is gone.
    RemovePrinted,
    Set,
    Add,
    Subtract,
    Multiply,
    /// Division by 0 leaves the value as it is.
    Divide,
    /// The value is at least the operand.
    Floor,
    /// The value for a card that has no value of the field.
    Provide,
    /// The value is gone.
    Remove,
}

impl ChangeKind {
    /// Whether it changes what counts as printed. These changes come before all others.
    #[must_use]
    pub(crate) fn is_of_printed(self) -> bool {
        matches!(self, ChangeKind::SetPrinted | ChangeKind::AddPrinted | ChangeKind::RemovePrinted)
    }

    /// If a set is the operand: the change for each member after the first one.
    #[must_use]
    pub fn of_further(self) -> Self {
        match self {
            ChangeKind::SetPrinted => ChangeKind::AddPrinted,
            ChangeKind::Set => ChangeKind::Add,
            other => other,
        }
    }

    /// If an empty set is the operand: the change that is made. `None`: nothing changes.
    #[must_use]
    pub fn of_none(self) -> Option<Self> {
        match self {
            ChangeKind::SetPrinted => Some(ChangeKind::RemovePrinted),
            ChangeKind::Set => Some(ChangeKind::Remove),
            _ => None,
        }
    }
}

/// An event pattern.
#[derive(Clone, Debug)]
pub struct PatternDef {
    /// One of these events.
    pub events: Vec<EventDef>,
    /// The condition of the pattern (`NONE`: none). The bound names are in the registers after the captures.
    pub condition: NodeId,
    /// How many names the pattern binds.
    pub binds: u16,
    /// The register of the first bound name.
    pub first: Reg,
    /// The index of the bound name that gathers everything that happens together (`all g`).
    pub gathers: Option<u16>,
}

/// A verb, and what its arguments and its cause must be.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// The verb.
    pub verb: VerbId,
    /// For some arguments: the index of the argument, and what the argument must be.
    pub args: Vec<(u8, ArgMatch)>,
    /// The demanded cause; `None`: any cause.
    pub cause: Option<CauseMatch>,
}

/// The demand on an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgMatch {
    /// Anything; the argument is bound to the n-th name.
    Bind(u16),
    /// This value. If the node is a set: a member of the set. If the argument is a zone: that zone.
    Is(NodeId),
    /// The zone of that declaration, of any player.
    AnyZone(ZoneId),
    /// All members of which the condition is true (`NONE`: all). The condition binds the member. The n-th name stands for these members.
    All(u16, NodeId),
}

/// The demanded cause of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CauseMatch {
    /// A cause of that kind.
    Kind(CauseKind),
    /// A cause of that kind and of the node's value: of that card, of a card in that set, or of a card of that player.
    KindOf(CauseKind, NodeId),
    /// A cause of that kind, of any card. The card is bound to the n-th name.
    KindBind(CauseKind, u16),
    /// An effect of that card, or of a card of that player.
    Of(NodeId),
    /// Exactly that cause.
    Is(NodeId),
    /// Any known cause; it is bound to the n-th name.
    Bind(u16),
}

/// The kinds of cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseKind {
    /// The flow or a rule.
    Rule,
    /// An ability that is performed.
    Effect,
    /// The payment of a cost of an ability.
    Cost,
    /// A cause that the game declares.
    Declared(CauseId),
}

/// Which triggers hear of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Looks {
    /// Triggers that work after the move.
    #[default]
    After,
    /// Triggers that worked before the move.
    Before,
    /// Triggers that work before or after the move, each once.
    Both,
}

/// The window of a timing: the time between the timing's event and the end of its procedure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowDef {
    /// The procedure that runs while the window is open.
    pub routine: RoutineId,
    /// The timing. The arguments of its event are the first registers of the procedure.
    pub verb: VerbId,
    /// Whether the window is opened for several events together. Then the first register holds the arguments of all events.
    pub several: bool,
    /// The register for a number of an effect: effects from this number on began after the window had opened.
    pub since: Reg,
}

/// An event that is told when a computed value changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueEventDef {
    /// The event.
    pub verb: VerbId,
    /// The set whose members each have a value (`NONE`: there is one value only).
    pub of: NodeId,
    /// The value; the member is bound.
    pub value: NodeId,
    /// Which changes are the event.
    pub how: Turns,
}

/// How a value changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Turns {
    Falls,
    Rises,
    Changes,
    BecomesTrue,
    BecomesFalse,
}

/// A named field of events: the index of the argument for each verb that has the field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFieldDef {
    /// The verbs, each with the index of the argument.
    pub places: Vec<(VerbId, u8)>,
    /// Whether the field is a set.
    pub set: bool,
}
