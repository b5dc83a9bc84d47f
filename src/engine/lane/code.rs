//! The instructions into which tracks and the line are compiled. A track is one list of small instructions, so running it is one loop.
//!
//! The operands are slots, places and numbers. Each slot has a number below 256, so reading one needs no check of bounds. An instruction
//! has the meaning of the act or residual from which it is made.

use super::moves::Way;
use super::place_bit;
use crate::engine::ids::{FieldId, PhaseId, Reg, StateId, VerbId};
use crate::engine::program::Compare;
use crate::engine::state::FaceChange;
use crate::engine::value::{Place, Player, Value};

/// The number of a slot as a byte: a track with more than 256 slots is not compiled.
pub type Operand = u8;

/// The number of slots.
pub const SLOTS: usize = 256;

/// An instruction. An instruction that computes a value puts it into the first slot that it names. "There" is the index of an instruction.
/// A number for a table is an index in one of the tables of [`Code`].
#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    Const(Operand, Value),
    Copy(Operand, Operand),
    You(Operand),
    This(Operand),
    Not(Operand, Operand),
    Compare(Compare, Operand, Operand, Operand),
    Pair(u16, Operand, Operand, Operand),
    CardAt(Operand, bool, Place),
    Card(Operand, bool, Operand),
    EmptyAt(Operand, Place),
    Empty(Operand, Operand),
    CountAt(Operand, Place),
    /// The number of cards in some places (a row of `places`).
    CountAll(Operand, u16),
    ZoneOf(Operand, u16, u16, Operand),
    /// As `ZoneOf`, for the owner of the card in the last slot.
    OwnersZone(Operand, u16, u16, Operand),
    Next(Operand, Operand),
    FieldAt(Operand, bool, Place, FieldId),
    Field(Operand, Operand, FieldId),
    Printed(Operand, Operand, FieldId),
    /// Copies the present reference of a card into the first slot; without a card continues there.
    Bind(Operand, Operand, u32),
    /// Compares the owner of the top or bottom card with a player. For another owner continues at the first index, without a card at the
    /// second.
    OwnerAt(bool, Place, Player, u32, u32),
    State(Operand, Operand, StateId),
    FaceUp(Operand, Operand),
    FaceUpAt(Operand, bool, Place),
    Owner(Operand, Operand),
    Exists(Operand, Operand),
    Textless(Operand, Operand),
    TextlessAt(Operand, bool, Place),
    StateAt(Operand, bool, Place, StateId),
    Jump(u32),
    JumpUnless(Operand, u32),
    JumpIf(Operand, u32),
    JumpUnlessPair(u16, Operand, Operand, u32),
    /// Jumps by a table of two enums, for fields of two cards (a row of `pairs`).
    JumpUnlessPairAt(u16, u32),
    JumpUnlessCompare(Compare, Operand, Operand, u32),
    /// Compares with a known number.
    JumpUnlessNumber(Compare, Operand, i32, u32),
    /// Notes that some places are read, one bit each ([`super::place_bit`]), in a member of a lockstep that may affect others.
    Look(u32),
    JumpUnlessStateAt(bool, Place, StateId, u32),
    JumpIfStateAt(bool, Place, StateId, u32),
    JumpUnlessEmptyAt(Place, u32),
    JumpIfEmptyAt(Place, u32),
    JumpUnlessFaceUpAt(bool, Place, u32),
    JumpIfFaceUpAt(bool, Place, u32),
    CheckTextlessAt(bool, Place),
    CheckTextless(Operand),
    Check(Operand),
    MoveTop(Way),
    /// Moves the top card as often as the slot says.
    MoveTops(Operand, Way),
    MoveAll(Way),
    /// Moves a card that is probably in the first place of the way.
    MoveOut(Operand, Way),
    /// Moves a card that is in the first place of the way and belongs to the player. Otherwise the track does not fit.
    MoveHome(Operand, Player, Way),
    Move(Operand, Operand, FaceChange),
    /// Moves a card to a known place; the `bool`: face up.
    MoveTo(Operand, Place, bool),
    Turn(Operand, bool),
    /// Shuffles a place. `true`: in a member of a lockstep, or in a rule that a member may make due.
    Shuffle(Place, bool),
    Set(Operand, StateId, Operand, bool),
    /// Sets a state to a known value.
    SetTo(Operand, StateId, Value),
    /// Counts down if the number is at least 1; otherwise continues there.
    CountDown(Operand, u32),
    /// Begins a loop over cards: empties the list of cards.
    Cards,
    /// Adds the cards of a place to the list of the loop.
    Gather(Place),
    /// Puts the next card of the loop into the slot; after the last card continues there.
    NextCard(Operand, u32),
    /// Sets a state of all cards of some places (a row of `settings`).
    SetAll(u16),
    /// Keeps the list of the loop in the register (the number of cards in the next one), and the last card in the second register.
    Kept(Reg, Reg),
    /// Turns all cards of some places (a row of `places`). The register gets the cards that were turned.
    TurnAll(u16, bool, Reg),
    /// If the value is nothing, the action is not carried out and execution continues there.
    Given(Operand, u32),
    /// Begins a part about which it is known separately whether everything in it was done.
    PartBegins,
    /// Everything in the part must have been done; otherwise the track does not fit.
    Wholly,
    /// Ends the part. `told`: `done` becomes whether everything in the part was done.
    PartEnds {
        told: bool,
    },
    /// Begins a lockstep whose members may affect one another.
    Together {
        outermost: bool,
    },
    Member,
    /// Begins a member of a lockstep whose members are independent, but may make rules due that shuffle.
    Round {
        first: bool,
    },
    MemberEnds,
    TogetherEnds,
    /// Brings the flow's frame up to date.
    UpdateFrame(FrameUpdate),
    /// Adds a value to the list arena.
    Listed(Value),
    /// Keeps the event of an action; its arguments are in these slots (a row of `arguments`).
    Event(VerbId, u16),
    NotDone,
    Dead,
    End,
    /// A milestone: everything before is done for good.
    Milestone {
        number: u16,
        /// Whether the last instruction of the flow's frame was done.
        done: bool,
        /// The phase that begins.
        phase: Option<PhaseId>,
        /// The number of players to add to the list arena at the beginning of the statement; 0: none.
        players: u8,
    },
    /// The next member of a lockstep asks, by the form with that number.
    Ask(u16),
    /// All members have asked. Execution continues when all have answered.
    Pause,
    /// A rule has ended. Execution continues where the rule became due.
    RuleEnds,
    /// Continues after the question of the member with that index.
    Resume(u8),
    /// Everything after the answers is done, so the branches of the members end.
    Answered,
    TurnBegins,
    /// The turn has ended, and the next turn follows.
    TurnEnds,
    /// The player loses, or wins (`true`). The verdict is judged at once.
    Verdict(Player, bool),
    /// The player loses, or wins (`true`). The verdict waits.
    Raise(Player, bool),
    /// The end of `judge together`: verdicts are judged.
    Judge,
}

/// What several acts in a row do to the flow's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameUpdate {
    /// Whether the last instruction was done.
    pub done: bool,
    /// Whether effects end. (None are in force, but the timestamp changes.)
    pub expires: bool,
    /// The number of players to add to the list arena; 0: none.
    pub players: u8,
    /// The phase that begins.
    pub phase: Option<PhaseId>,
}

/// Sets a state of all cards of some places.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The places.
    pub places: Box<[Place]>,
    /// The state of cards.
    pub state: StateId,
    /// The new value.
    pub value: Value,
    /// The registers of the flow's frame for the list of the loop and for the last card, if they are kept.
    pub kept: Option<[Reg; 2]>,
}

/// Two fields of cards that are looked up in a table of two enums. The cards are the top or bottom cards of two places.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAt {
    /// The number of the table.
    pub table: u16,
    /// For each side: top (`true`) or bottom, the place, the field.
    pub sides: [(bool, Place, FieldId); 2],
}

/// An instruction at which a line can be entered.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// The index of the instruction.
    pub at: u32,
    /// The number of players to add to the list arena before; 0: none.
    pub players: u8,
}

impl Instruction {
    /// The bits of the places that the instruction reads, if they are known before the game.
    #[must_use]
    pub fn looks(&self) -> Option<u32> {
        let places = match *self {
            Instruction::CardAt(_, _, place)
            | Instruction::EmptyAt(_, place)
            | Instruction::CountAt(_, place)
            | Instruction::FieldAt(_, _, place, _)
            | Instruction::OwnerAt(_, place, ..)
            | Instruction::FaceUpAt(_, _, place)
            | Instruction::TextlessAt(_, _, place)
            | Instruction::StateAt(_, _, place, _)
            | Instruction::JumpUnlessStateAt(_, place, ..)
            | Instruction::JumpIfStateAt(_, place, ..)
            | Instruction::JumpUnlessEmptyAt(place, _)
            | Instruction::JumpIfEmptyAt(place, _)
            | Instruction::JumpUnlessFaceUpAt(_, place, _)
            | Instruction::JumpIfFaceUpAt(_, place, _)
            | Instruction::CheckTextlessAt(_, place)
            | Instruction::MoveTo(_, place, _)
            | Instruction::Gather(place) => place_bit(place),
            Instruction::MoveTop(way)
            | Instruction::MoveTops(_, way)
            | Instruction::MoveAll(way)
            | Instruction::MoveOut(_, way)
            | Instruction::MoveHome(_, _, way) => place_bit(way.from) | place_bit(way.to),
            Instruction::Shuffle(place, _) => place_bit(place),
            _ => return None,
        };
        Some(places as u32)
    }
}

/// A list of instructions, with the tables that they use.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// For each event: the slots of its arguments.
    pub arguments: Vec<Vec<Operand>>,
    /// Lists of places.
    pub places: Vec<Box<[Place]>>,
    /// Pairs of fields.
    pub pairs: Vec<PairAt>,
    /// Settings of states of all cards of some places.
    pub settings: Vec<Setting>,
    /// Where a line can be entered, by milestone.
    pub stops: Vec<Stop>,
    /// Immediate rules: the index in `Board::rule_truth`, and the index of the rule's first instruction.
    pub rules: Vec<(u16, u32)>,
    /// For each form the index of the first instruction after the answer.
    pub answered: Vec<u32>,
}
