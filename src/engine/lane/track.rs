//! Tracks: stretches of the flow that are worked out before the game. This file has their types.
//!
//! A lockstep over the players, or a procedure without arguments, does the same every time, except for what depends on the cards on the
//! table. A track is made of it before the game: the players are filled in, its zones become places, its calls are replaced by their
//! bodies, and its loops over players are unrolled. A track has no meaning of its own. If something unusual comes up while it runs,
//! everything is undone and the statements are carried out in the normal way.

use super::code::Code;
use crate::engine::ids::{ChoiceId, FieldId, Pc, PhaseId, Reg, StateId, VerbId};
use crate::engine::program::{AmountDef, Compare};
use crate::engine::state::{FaceChange, Frame};
use crate::engine::value::{Place, Player, Value};

/// The number of a value that is computed while a track runs.
pub type Slot = u16;

/// An expression with everything filled in that is known before the game. A `bool` before a place says which card is meant: the top
/// (`true`) or bottom card.
#[derive(Clone, Debug, PartialEq)]
pub enum Residual {
    Const(Value),
    Slot(Slot),
    You,
    This,
    Not(Box<Residual>),
    And(Box<[Residual; 2]>),
    Or(Box<[Residual; 2]>),
    Compare(Compare, Box<[Residual; 2]>),
    /// A function of two enums, by the number of its table.
    Pair(u16, Box<[Residual; 2]>),
    If(Box<[Residual; 3]>),
    /// The top or bottom card of a place.
    CardAt(bool, Place),
    /// The top or bottom card of a place that is computed.
    Card(bool, Box<Residual>),
    EmptyAt(Place),
    Empty(Box<Residual>),
    CountAt(Place),
    CountAll(Box<[Place]>),
    /// The zone of a computed player. `first` is the place of player 0, `row` the distance to the place of the next player (0: a shared
    /// zone).
    ZoneOf {
        first: u16,
        row: u16,
        player: Box<Residual>,
    },
    /// The next player.
    Next(Box<Residual>),
    /// A printed field of the top or bottom card of a place.
    FieldAt(bool, Place, FieldId),
    Field(Box<Residual>, FieldId),
    Printed(Box<Residual>, FieldId),
    /// A computed field: its expression, with the card in a slot. Undefined without a card.
    Derived {
        card: Box<Residual>,
        slot: Slot,
        value: Box<Residual>,
    },
    /// A computed field of the top or bottom card of a place. The first residual is for a card of that player, the second for other cards.
    DerivedAt(bool, Place, Player, Box<[Residual; 2]>),
    State(Box<Residual>, StateId),
    /// A state of the top or bottom card of a place.
    StateAt(bool, Place, StateId),
    FaceUp(Box<Residual>),
    /// Whether the top or bottom card of a place lies face up.
    FaceUpAt(bool, Place),
    Owner(Box<Residual>),
    Exists(Box<Residual>),
    /// Whether there is no card, or the card has no abilities.
    Textless(Box<Residual>),
    /// As `Textless`, for the top or bottom card of a place.
    TextlessAt(bool, Place),
}

/// A step of a track or line.
#[derive(Clone, Debug)]
pub enum Act {
    /// Computes a value into a slot.
    Let(Slot, Residual),
    /// The condition is true; otherwise the track does not fit.
    Check(Residual),
    /// One of two lists of acts, each up to the end of the call.
    Either(Residual, Vec<Act>, Vec<Act>),
    /// Moves the top card of a place (the first) to another place.
    MoveTop(Place, Place),
    /// Moves a card, or all cards of a place.
    Move(Residual, Residual, FaceChange),
    /// Moves a card from one place of a player to another. If the card does not lie there or is not the player's, the track does not fit.
    MoveHome(Slot, Player, Place, Place, FaceChange),
    /// Shuffles the cards of a place.
    Shuffle(Place),
    /// Turns cards; `true`: face up.
    Turn(Residual, bool),
    /// Sets a state. `true`: the statement itself sets the state to undefined.
    Set(Residual, StateId, Residual, bool),
    /// Repeats acts this number of times.
    Repeat(Residual, Vec<Act>),
    /// Carries out acts for each card of some places; the slot holds the card.
    EachCard(Box<[Place]>, Slot, Vec<Act>),
    /// The body of a procedure.
    Call(Vec<Act>),
    /// An action. If one of the given values is nothing, the action is not carried out.
    Perform {
        /// The values that must not be nothing.
        given: Vec<Residual>,
        /// The body.
        body: Vec<Act>,
        /// The event with its arguments, if the event is recorded.
        event: Option<(VerbId, Vec<Residual>)>,
    },
    /// A lockstep: the acts of each member.
    Together(Vec<Vec<Act>>),
    /// Begins a phase.
    Phase(PhaseId),
    /// Ends effects. Nothing happens, because no effects are in force.
    Expire,
    /// Sets `done` in the frame of the flow: to true if the list is empty, otherwise to whether these acts were carried out in full.
    Done(Vec<Act>),
    /// Like `EachCard`. Afterwards the registers of the frame hold the list (the first register; the number of cards is in the next one)
    /// and the last card (the second register).
    EachCardKept(Box<[Place]>, Slot, Vec<Act>, [Reg; 2]),
    /// Turns all cards of some places. The register of the frame holds the cards that were turned.
    TurnAll(Box<[Place]>, bool, Reg),
    /// Adds values to the list arena of the flow's branch.
    Listed(Vec<Value>),
    /// An instruction was not carried out.
    NotDone,
    /// The track does not fit from here on.
    Dead,
    /// Begins a statement of the flow that may not fit. Everything before it is done for good.
    Milestone(u16),
    /// Begins a statement of the flow that nearly always fits. The line can be entered here; nothing else happens.
    Entry,
    /// A lockstep of the flow in which every member asks before anything changes: the acts of each member up to its question.
    Station(Vec<Vec<Act>>),
    /// The question of a member, by the number of its form, and the acts after the answer.
    Ask(u16, Vec<Act>),
    /// Begins a turn.
    TurnBegins,
    /// Ends the flow of a turn. The next turn follows.
    TurnEnds,
    /// The player loses, or wins (`true`). The verdict is judged at once.
    Verdict(Player, bool),
    /// The player loses, or wins (`true`). The verdict waits for the end of `judge together`.
    Raise(Player, bool),
    /// Begins a `judge together`.
    Judge,
    /// Ends a `judge together`.
    JudgeEnd,
}

/// A track: one lockstep or one call.
#[derive(Clone, Debug)]
pub struct Track {
    /// The instructions.
    pub code: Code,
    /// Whether it is a lockstep; otherwise it is a call.
    pub lockstep: bool,
}

/// The line: the flow of a turn, and what to do at its questions.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The instructions.
    pub code: Code,
    /// Where the line can be entered, and where it is left if something does not fit.
    pub milestones: Vec<Milestone>,
    /// For each statement of the program: the number of the milestone before it, if the line can be entered there.
    pub entries: Vec<Option<u16>>,
    /// How branches look when they ask.
    pub forms: Vec<Form>,
}

/// An immediate rule that the line carries out itself.
#[derive(Clone, Debug)]
pub struct Due {
    /// The rule becomes due when this place is empty.
    pub place: Place,
    /// The index in `Board::rule_truth` of whether the condition was true.
    pub truth: u16,
    /// Its body.
    pub acts: Vec<Act>,
    /// Whether it may raise a verdict.
    pub raises: bool,
}

/// A statement of the flow at which the line can be entered or left.
#[derive(Clone, Copy, Debug)]
pub struct Milestone {
    /// The statement.
    pub pc: Pc,
    /// How many `judge together` blocks are open there.
    pub judging: u16,
}

/// How the branch of a member looks when it asks: everything that does not depend on the cards on the table.
#[derive(Clone, Debug)]
pub struct Form {
    /// The player whose branch it is, and who is asked.
    pub player: Player,
    /// The statement where the flow continues after the lockstep.
    pub join: Pc,
    /// The first frame is shared with the flow; the frames of calls follow. Some fields are filled in from the flow's frame when the member
    /// asks.
    pub frames: Vec<Frame>,
    /// The registers of the calls. The flow's registers come before them. Values of slots are filled in by `kept`.
    pub own: Vec<Value>,
    /// Values to fill in: registers of the flow that differ in this branch, and values of slots.
    pub kept: Vec<(u16, Kept)>,
    /// The choice.
    pub choice: ChoiceId,
    /// The place whose cards are the domain.
    pub place: Place,
    /// The least number of cards.
    pub min: AmountDef,
    /// The greatest number of cards.
    pub max: AmountDef,
    /// The register for the answer.
    pub result: Reg,
    /// The slot for the answer.
    pub answer: Slot,
    /// The next action of the branch if there is only one legal answer. None if this is not known.
    pub forced: Option<Forced>,
}

/// The move of a card that was the only legal answer. A member that was not asked is about to make this move while the others are asked.
#[derive(Clone, Copy, Debug)]
pub struct Forced {
    /// The place where the card goes.
    pub to: Place,
    /// Which way it lies after the move.
    pub face: FaceChange,
    /// The statement after the move.
    pub pc: Pc,
}

/// What a register in a form holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kept {
    /// This value.
    Known(Value),
    /// The value of a slot.
    Slot(Slot),
}

impl Residual {
    /// The value, if it is known before the game.
    #[must_use]
    pub fn known(&self) -> Option<Value> {
        if let Residual::Const(value) = self { Some(*value) } else { None }
    }
}
