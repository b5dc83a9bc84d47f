//! Clauses of continuous effects, and the patterns of the events that they watch.

use super::{Fill, Node, PartKey, Program};
use crate::engine::ids::{
    AbilityId, ArgsId, CauseId, ChoiceId, CitesId, ClauseId, FactId, FieldId, KeywordId, KindId, NodeId, PatternId, Reg, RoutineId, SlotId,
    VerbId, ZoneId,
};
use crate::engine::value::Value;

/// A clause.
#[derive(Clone, Debug)]
pub struct ClauseDef {
    /// What it does.
    pub kind: ClauseKind,
    /// It holds only while this is true (`NONE`: always). Read without the clause's own contribution.
    pub condition: NodeId,
    /// The first clause that stands under the same `while`: with those it is one effect.
    pub under: Option<ClauseId>,
    /// Registers of the installing frame that the clause reads, copied when it begins (none for a static one).
    pub captures: Vec<Reg>,
    /// The rules beside it.
    pub cites: CitesId,
    /// In a game with layers: the one of a clause that grants, strips or disables.
    pub layer: u8,
    /// What its set, condition and amounts look at.
    pub reads: ClauseReads,
}

/// What a clause looks at to know what it applies to and by how much.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseReads {
    /// Fields of cards, those that computed fields are made of included.
    pub fields: Vec<FieldId>,
    /// Of those of them that are named here, all of them sets, only whether these are members is looked at.
    pub members: Vec<(FieldId, Value)>,
    /// Which abilities or keywords cards have.
    pub abilities: bool,
    /// Things whose changes are no changes of the board (the turn's number, what waits).
    pub volatile: bool,
    /// In a game with layers: an effect of its own layer could change what it applies to or does.
    pub entangled: bool,
    /// Whether a card is in its set hangs on that card alone: where it lies, what is printed on it, its fields.
    pub card_alone: bool,
    /// Who controls cards.
    pub controllers: bool,
    /// It applies to no fewer cards when sets of which only members are looked at get more of them: no condition asks that somebody is *no*
    /// member, and by how much it changes cards is fixed.
    pub rising: bool,
}

impl ClauseReads {
    /// Whether a change only adds a member to a set, and whoever is looked at stays in what the clause applies to when that happens. Each card
    /// then joins by its own members alone.
    #[must_use]
    pub fn rises_with(&self, program: &Program, change: &ChangeDef) -> bool {
        let adds = change.op == ChangeKind::Add && !change.many;
        let by_members = self.members.iter().any(|(field, _)| *field == change.field);
        let provided = program.fields.get(change.field).is_none_or(|field| field.provided || !field.set);
        self.rising && self.card_alone && adds && by_members && !provided
    }

    /// Whether what a change makes of its field is looked at: another member of a set is not, where only some are asked for.
    #[must_use]
    pub fn looks_at(&self, program: &Program, change: &ChangeDef) -> bool {
        if !self.fields.contains(&change.field) {
            return false;
        }
        let mut asked = self.members.iter().filter(|(field, _)| *field == change.field).peekable();
        let one = matches!(change.op, ChangeKind::Add | ChangeKind::Subtract) && !change.many;
        // What is given to whoever has none hangs on any member.
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

/// What a clause does.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// Changes fields of the cards of a set, or properties of players. A resolved effect takes the set and the amounts when it begins.
    Modify {
        /// The cards.
        what: NodeId,
        /// The fields.
        changes: Vec<ChangeDef>,
    },
    /// Cards have abilities that are not printed on them.
    Grant {
        /// The cards.
        to: NodeId,
        /// The abilities.
        abilities: Vec<AbilityId>,
    },
    /// Abilities of cards are not there.
    Strip {
        /// The cards.
        from: NodeId,
        /// Which.
        what: Vec<StripDef>,
    },
    /// The cards of a set are controlled by a player.
    Control {
        /// The cards.
        what: NodeId,
        /// By whom.
        by: NodeId,
    },
    /// What is due for the abilities of a set, or for those of its cards, changes. The set and the amounts are read whenever a cost is
    /// fixed, also in a resolved effect: what it is for may not be there yet when it begins.
    Price {
        /// Cards or abilities.
        what: NodeId,
        /// The parts.
        changes: Vec<PriceChange>,
    },
    /// What is in a slot of the abilities of a set, or of those of its cards, where nothing is in it; read whenever it is asked for.
    Fill {
        /// Cards or abilities.
        what: NodeId,
        /// The slot.
        slot: SlotId,
        /// What is in it: no slot is in sight.
        fill: Fill,
    },
    /// Abilities of the set do nothing.
    Disable(NodeId),
    /// Effects do not apply to these cards.
    Shield {
        /// The cards.
        what: NodeId,
        /// Only those that began before this one.
        before_now: bool,
        /// Those for which this is true of the effect, which is bound (`NONE`: all).
        effects: NodeId,
    },
    /// A fact is taken for true.
    Assume {
        /// Which.
        fact: FactId,
        /// With these arguments.
        args: ArgsId,
    },
    /// The rules may allow a matching action that they do not allow by themselves.
    Permit(PatternId),
    /// These are to be chosen where a choice of that name asks.
    Require {
        /// The declared choice.
        choice: u16,
        /// What is to be chosen.
        what: NodeId,
    },
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
        /// Only the first such event that it replaces; then the effect ends.
        once: bool,
    },
    /// After a matching action an ability waits.
    When {
        /// What is waited for.
        pattern: PatternId,
        /// What it does.
        body: RoutineId,
        /// Only for the first such event; then the effect ends.
        once: bool,
    },
    /// When the condition has become true an ability waits.
    Whenever {
        /// The condition.
        condition: NodeId,
        /// What it does.
        body: RoutineId,
    },
}

impl ClauseKind {
    /// What the clause does when its time has come.
    #[must_use]
    pub fn body(&self) -> Option<RoutineId> {
        match self {
            ClauseKind::Instead { body, .. } | ClauseKind::When { body, .. } | ClauseKind::Whenever { body, .. } => Some(*body),
            _ => None,
        }
    }

    /// Whether the clause takes abilities away, or what they do.
    #[must_use]
    pub fn silences(&self) -> bool {
        matches!(self, ClauseKind::Strip { .. } | ClauseKind::Disable(_))
    }

    /// The set that the clause applies to, where it applies to one.
    #[must_use]
    pub fn applies_to(&self) -> Option<NodeId> {
        match self {
            ClauseKind::Modify { what, .. }
            | ClauseKind::Grant { to: what, .. }
            | ClauseKind::Strip { from: what, .. }
            | ClauseKind::Control { what, .. }
            | ClauseKind::Disable(what)
            | ClauseKind::Shield { what, .. } => Some(*what),
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
    /// All.
    All,
    /// Those of a kind.
    Kind(KindId),
    /// Those of a keyword.
    Keyword(KeywordId),
    /// Those with that script ([`super::AbilityDef::script`]) that came with no keyword.
    Script(u32),
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
    /// By each member of a set.
    pub many: bool,
    /// In a game with layers: the one that it falls in.
    pub layer: u8,
}

/// A change of one part of a cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceChange {
    /// Which part.
    pub key: PartKey,
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
    /// One more that counts as printed.
    AddPrinted,
    /// Nothing counts as printed any more.
    RemovePrinted,
    Set,
    Add,
    Subtract,
    Multiply,
    /// By 0 it stays as it is.
    Divide,
    /// Not less than that.
    Floor,
    /// The value of a field that has none.
    Provide,
    /// There is no value any more.
    Remove,
}

impl ChangeKind {
    /// It changes what counts as printed, which comes before everything else.
    #[must_use]
    pub fn is_of_printed(self) -> bool {
        matches!(self, ChangeKind::SetPrinted | ChangeKind::AddPrinted | ChangeKind::RemovePrinted)
    }

    /// The change by another member than the first of a set.
    #[must_use]
    pub fn of_further(self) -> Self {
        match self {
            ChangeKind::SetPrinted => ChangeKind::AddPrinted,
            ChangeKind::Set => ChangeKind::Add,
            other => other,
        }
    }

    /// The change by a set without members; none where that changes nothing.
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
    /// Any of these.
    pub events: Vec<EventDef>,
    /// And this (`NONE`: always); the bound names are registers after the captures.
    pub condition: NodeId,
    /// How many names are bound.
    pub binds: u16,
    /// The register of the first of them.
    pub first: Reg,
    /// Which of them is bound to all that happens together.
    pub gathers: Option<u16>,
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
    /// Those of which that is true (`NONE`: all), the member being bound in it; they are what the n-th bound name stands for.
    All(u16, NodeId),
}

/// What must have caused an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CauseMatch {
    /// One of that kind.
    Kind(CauseKind),
    /// One of that kind, of that card, one of those, or a card of that player.
    KindOf(CauseKind, NodeId),
    /// One of that kind, of any card, which is bound to the n-th bound name.
    KindBind(CauseKind, u16),
    /// An effect of that card or of a card of that player.
    Of(NodeId),
    /// That very cause.
    Is(NodeId),
    /// Any that is known; bound to the n-th bound name.
    Bind(u16),
}

/// The kinds of cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseKind {
    /// The flow or a rule.
    Rule,
    /// An ability that is performed.
    Effect,
    /// What is due for an ability is paid.
    Cost,
    /// Declared by the game.
    Declared(CauseId),
}

/// Which triggers hear of a move: those of abilities that worked before it, or that work after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Looks {
    /// After it.
    #[default]
    After,
    /// Before it.
    Before,
    /// Either.
    Both,
}

/// The window of a timing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowDef {
    /// What is carried out while the window is open.
    pub routine: RoutineId,
    /// The timing; its arguments are the first registers of the routine.
    pub verb: VerbId,
    /// Where the routine notes from which effect on abilities have come later.
    pub since: Reg,
}

/// An event that happens when a value changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueEventDef {
    /// The event.
    pub verb: VerbId,
    /// Whose value: each member of this set by itself (`NONE`: there is only one).
    pub of: NodeId,
    /// The value; the member is bound.
    pub value: NodeId,
    /// Which changes count.
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

/// What can be asked of an event by name: where it is among the arguments of each verb that has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFieldDef {
    /// The verbs, with the position of the argument.
    pub places: Vec<(VerbId, u8)>,
    /// It is a set.
    pub set: bool,
}
