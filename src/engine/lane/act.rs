//! Tracks: what a stretch comes to once everything that is known beforehand has been put in.
//!
//! A lockstep over the players, or a procedure that is called with nothing, is the same every time but for what lies on the table.
//! With the players known its zones are places, its calls are gone and its loops over players are written out. Made by
//! [`super::unfold`] from the program's own statements, travelled by [`super::travel`]. No meaning of its own: where one of them
//! comes to anything unusual it says so, and everything is done the long way.

use super::rail::Rails;
use crate::engine::ids::{ChoiceId, FieldId, Pc, PhaseId, Reg, StateId, VerbId};
use crate::engine::program::{AmountDef, Compare};
use crate::engine::state::{FaceChange, Frame};
use crate::engine::value::{Place, Player, Value};

/// A value that is kept on the way.
pub type Slot = u16;

/// What is looked at: an expression with what is known of it put in.
#[derive(Clone, Debug, PartialEq)]
pub enum Sight {
    Const(Value),
    Slot(Slot),
    You,
    This,
    Not(Box<Sight>),
    And(Box<[Sight; 2]>),
    Or(Box<[Sight; 2]>),
    Compare(Compare, Box<[Sight; 2]>),
    /// A function of two enums as a table.
    Pair(u16, Box<[Sight; 2]>),
    If(Box<[Sight; 3]>),
    /// The top or bottom card of a place.
    CardAt(bool, Place),
    /// The same of a place that is found on the way.
    Card(bool, Box<Sight>),
    EmptyAt(Place),
    Empty(Box<Sight>),
    CountAt(Place),
    CountAll(Box<[Place]>),
    /// The zone of a player who is found on the way.
    ZoneOf {
        first: u16,
        row: u16,
        player: Box<Sight>,
    },
    /// The player next to that one.
    Next(Box<Sight>),
    /// A printed field, of the top or bottom card of a place.
    FieldAt(bool, Place, FieldId),
    Field(Box<Sight>, FieldId),
    Printed(Box<Sight>, FieldId),
    /// A computed field: its expression with the card in the slot; without a card undefined.
    Derived {
        card: Box<Sight>,
        slot: Slot,
        value: Box<Sight>,
    },
    /// The same of the top or bottom card of a place; the first is what it comes to where the card is that player's.
    DerivedAt(bool, Place, Player, Box<[Sight; 2]>),
    State(Box<Sight>, StateId),
    /// A state of the top or bottom card of a place.
    StateAt(bool, Place, StateId),
    FaceUp(Box<Sight>),
    /// The same of the top or bottom card of a place.
    FaceUpAt(bool, Place),
    Owner(Box<Sight>),
    Exists(Box<Sight>),
    /// There is no card, or nothing is printed on it that it could do.
    Textless(Box<Sight>),
    /// The same of the top or bottom card of a place.
    TextlessAt(bool, Place),
}

/// What is done.
#[derive(Clone, Debug)]
pub enum Act {
    /// A value is kept.
    Let(Slot, Sight),
    /// It is so, or the track does not fit.
    Check(Sight),
    /// One of two ways to the end of the call.
    Either(Sight, Vec<Act>, Vec<Act>),
    /// The top card of a place moves.
    MoveTop(Place, Place),
    /// A card, or all of a place, moves.
    Move(Sight, Sight, FaceChange),
    /// A card that lies in that player's place moves, if it is theirs; else the track does not fit.
    MoveHome(Slot, Player, Place, Place, FaceChange),
    /// The cards of a place come into random order.
    Shuffle(Place),
    /// Cards are turned.
    Turn(Sight, bool),
    /// A state is set; `true`: to nothing.
    Set(Sight, StateId, Sight, bool),
    /// So often.
    Repeat(Sight, Vec<Act>),
    /// With each card of these places in the slot.
    EachCard(Box<[Place]>, Slot, Vec<Act>),
    /// A procedure.
    Call(Vec<Act>),
    /// An action: what it is given must be something; its event, where it is kept.
    Perform {
        /// What must be something.
        given: Vec<Sight>,
        /// Its body.
        body: Vec<Act>,
        /// Its event and the arguments of it.
        event: Option<(VerbId, Vec<Sight>)>,
    },
    /// A lockstep.
    Together(Vec<Vec<Act>>),
    /// A phase begins.
    Phase(PhaseId),
    /// Effects would end, if any were in force.
    Expire,
    /// What the frame of the flow knows of how its last instruction went: so, or as these go.
    Done(Vec<Act>),
    /// With each card of these places in the slot; the list, the count after it and the item are kept in the frame's registers.
    EachCardKept(Box<[Place]>, Slot, Vec<Act>, [Reg; 2]),
    /// All cards of these places are turned; those that were are kept in the frame's register.
    TurnAll(Box<[Place]>, bool, Reg),
    /// Values that are added to the frame's list arena.
    Listed(Vec<Value>),
    /// An instruction was not carried out.
    NotDone,
    /// The track ends here: it does not fit.
    Dead,
    /// A statement of the flow begins that may not fit: everything before it is done for good.
    Milestone(u16),
    /// A statement of the flow begins that hardly ever does not fit: the line can be entered here, nothing is done.
    Entry,
    /// A lockstep of the flow whose members all ask before they change anything: how each comes to its question.
    Station(Vec<Vec<Act>>),
    /// A member asks, by the form with that number; this follows the answer.
    Ask(u16, Vec<Act>),
    /// A turn begins.
    TurnBegins,
    /// The flow of a turn has ended: the next one follows.
    TurnEnds,
    /// That player loses, or wins (`true`), which is judged at once.
    Verdict(Player, bool),
    /// The same where it is judged at the end of `judge together`.
    Raise(Player, bool),
    /// `judge together` begins.
    Judge,
    /// It ends.
    JudgeEnd,
}

/// A track.
#[derive(Clone, Debug)]
pub struct Track {
    /// What is done.
    pub rails: Rails,
    /// It is a lockstep; else a call.
    pub lockstep: bool,
}

/// The flow of a turn as one row, from question to question.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// What is done.
    pub rails: Rails,
    /// Where the line can be entered, and where it is left when something does not fit.
    pub milestones: Vec<Milestone>,
    /// For each statement of the program the milestone in front of it, if it is worth entering there.
    pub entries: Vec<Option<u16>>,
    /// What branches look like that ask.
    pub forms: Vec<Form>,
}

/// An immediate rule that is carried out on the line.
#[derive(Clone, Debug)]
pub struct Due {
    /// It waits until this place is empty.
    pub place: Place,
    /// Where the board keeps whether it was.
    pub truth: u16,
    /// What it does.
    pub acts: Vec<Act>,
    /// It may raise a verdict.
    pub raises: bool,
}

/// A statement of the flow on its line.
#[derive(Clone, Copy, Debug)]
pub struct Milestone {
    /// The statement.
    pub pc: Pc,
    /// How deep it is in `judge together`.
    pub judging: u16,
}

/// What a branch of a lockstep looks like when it asks: everything but what lies on the table.
#[derive(Clone, Debug)]
pub struct Form {
    /// Whose branch it is, who asks.
    pub player: Player,
    /// The next statement of the flow, when all members have ended.
    pub join: Pc,
    /// The frame that it shares with the flow and those of the calls on top of it, but for what they take over from the flow's.
    pub frames: Vec<Frame>,
    /// The registers of the calls, on top of those of the flow; what slots hold goes there by [`Form::kept`].
    pub own: Vec<Value>,
    /// Registers of the flow that differ in it, and all that slots hold.
    pub kept: Vec<(u16, Kept)>,
    /// Which choice.
    pub choice: ChoiceId,
    /// Among the cards of this place.
    pub place: Place,
    /// At least so many.
    pub min: AmountDef,
    /// At most so many.
    pub max: AmountDef,
    /// The register of the answer.
    pub result: Reg,
    /// The slot of the answer.
    pub answer: Slot,
    /// What the branch is about to do with an answer that is the only legal one, if that is known.
    pub forced: Option<Forced>,
}

/// The card that had to be chosen moves: what a branch that was not asked is about to do while others are.
#[derive(Clone, Copy, Debug)]
pub struct Forced {
    /// To.
    pub to: Place,
    /// Which way it lies then.
    pub face: FaceChange,
    /// The statement after the move.
    pub pc: Pc,
}

/// What a register of a form holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kept {
    /// Always this.
    Known(Value),
    /// What this slot holds.
    Slot(Slot),
}

impl Sight {
    /// The value, where that is known.
    #[must_use]
    pub fn known(&self) -> Option<Value> {
        if let Sight::Const(value) = self { Some(*value) } else { None }
    }
}
