//! Rails: a track as one row of small instructions, so that travelling it is one loop.
//!
//! Takes the acts and sights of a track; gives instructions whose operands are slots, places and numbers. Every slot has a number
//! below 256, so that looking into one needs no check. Deliberately absent: any meaning that acts and sights do not have.

use super::carry::Way;
use super::spot;
use crate::engine::ids::{FieldId, PhaseId, Reg, StateId, VerbId};
use crate::engine::program::Compare;
use crate::engine::state::FaceChange;
use crate::engine::value::{Place, Player, Value};

/// A slot that instructions read and write.
pub type Spot = u8;

/// Slots there are.
pub const SPOTS: usize = 256;

/// An instruction. What is found goes into the first slot named.
#[derive(Clone, Copy, Debug)]
pub enum Rail {
    Const(Spot, Value),
    Copy(Spot, Spot),
    You(Spot),
    This(Spot),
    Not(Spot, Spot),
    Compare(Compare, Spot, Spot, Spot),
    Pair(u16, Spot, Spot, Spot),
    CardAt(Spot, bool, Place),
    Card(Spot, bool, Spot),
    EmptyAt(Spot, Place),
    Empty(Spot, Spot),
    CountAt(Spot, Place),
    /// How many cards lie in the places of a row of the table.
    CountAll(Spot, u16),
    ZoneOf(Spot, u16, u16, Spot),
    /// The same of the player whose that card is.
    OwnersZone(Spot, u16, u16, Spot),
    Next(Spot, Spot),
    FieldAt(Spot, bool, Place, FieldId),
    Field(Spot, Spot, FieldId),
    Printed(Spot, Spot, FieldId),
    /// The card itself; without one the way goes on there.
    Bind(Spot, Spot, u32),
    /// Whose the card of a place is: another's, the way goes on there; without a card at the second.
    OwnerAt(bool, Place, Player, u32, u32),
    State(Spot, Spot, StateId),
    FaceUp(Spot, Spot),
    FaceUpAt(Spot, bool, Place),
    Owner(Spot, Spot),
    Exists(Spot, Spot),
    Textless(Spot, Spot),
    TextlessAt(Spot, bool, Place),
    StateAt(Spot, bool, Place, StateId),
    Jump(u32),
    JumpUnless(Spot, u32),
    JumpIf(Spot, u32),
    JumpUnlessPair(u16, Spot, Spot, u32),
    /// Looked up for fields of cards at the ends of places: a row of the table.
    JumpUnlessPairAt(u16, u32),
    JumpUnlessCompare(Compare, Spot, Spot, u32),
    /// Compared with a number that is known.
    JumpUnlessNumber(Compare, Spot, i32, u32),
    /// These places are looked at, a bit each ([`super::spot`]): members of a lockstep may meet there.
    Look(u32),
    JumpUnlessStateAt(bool, Place, StateId, u32),
    JumpIfStateAt(bool, Place, StateId, u32),
    JumpUnlessEmptyAt(Place, u32),
    JumpIfEmptyAt(Place, u32),
    JumpUnlessFaceUpAt(bool, Place, u32),
    JumpIfFaceUpAt(bool, Place, u32),
    CheckTextlessAt(bool, Place),
    CheckTextless(Spot),
    Check(Spot),
    MoveTop(Way),
    /// As many of them, one after the other, as a slot says.
    MoveTops(Spot, Way),
    MoveAll(Way),
    /// A card that should lie where the way begins.
    MoveOut(Spot, Way),
    /// A card that lies where the way begins and is that player's; without it the track does not fit.
    MoveHome(Spot, Player, Way),
    Move(Spot, Spot, FaceChange),
    /// To a place that is known; so they lie then.
    MoveTo(Spot, Place, bool),
    Turn(Spot, bool),
    /// The cards of a place; `true`: by a member of a lockstep, or a rule that any of them may call for.
    Shuffle(Place, bool),
    Set(Spot, StateId, Spot, bool),
    /// To something that is known.
    SetTo(Spot, StateId, Value),
    /// A round more while the number is above none; else the way goes on there.
    CountDown(Spot, u32),
    /// A loop over cards: none is gathered yet.
    Cards,
    /// Those of a place are gathered for it.
    Gather(Place),
    /// The next of them; without one the way goes on there.
    NextCard(Spot, u32),
    /// A state of all cards of places is set: a row of the table.
    SetAll(u16),
    /// The loop's list, the count after it and the last card are kept in the frame's registers.
    Kept(Reg, Reg),
    /// The cards of the places of a row of the table are turned; those that were are kept in the frame's register.
    TurnAll(u16, bool, Reg),
    /// Something is wanted; else the instruction is not carried out and the way goes on there.
    Given(Spot, u32),
    /// Whether everything was done is asked of a part by itself.
    PartBegins,
    /// Everything in the part was done, or the track does not fit.
    Wholly,
    /// It is known now, and what was known before counts again.
    PartEnds {
        told: bool,
    },
    /// A lockstep begins.
    Together {
        outermost: bool,
    },
    Member,
    /// The same where members keep apart, but rules that they call for may ask chance one after the other.
    Round {
        first: bool,
    },
    MemberEnds,
    TogetherEnds,
    /// What only keeps the flow's books.
    Books(Books),
    /// A value for the list arena.
    Listed(Value),
    /// The event of an action; its arguments stand in these slots of a table.
    Event(VerbId, u16),
    NotDone,
    Dead,
    End,
    /// Everything so far is done for good; from here on it is undone up to here.
    Milestone {
        number: u16,
        /// The frame's last instruction was done.
        done: bool,
        /// A phase has begun.
        phase: Option<PhaseId>,
        /// All players for the list arena, who are so many: what the statement there begins with.
        players: u8,
    },
    /// The next member of a lockstep asks by that form.
    Ask(u16),
    /// All have asked: the way goes on when all have answered.
    Pause,
    /// A rule has been carried out: the way goes on where it was called for.
    RuleEnds,
    /// The way goes on as the form of that member says.
    Resume(u8),
    /// What follows the answers has been done: the branches have ended.
    Answered,
    TurnBegins,
    /// The next turn follows.
    TurnEnds,
    /// A player loses, or wins (`true`), which is judged at once.
    Verdict(Player, bool),
    /// The same where something holds it back.
    Raise(Player, bool),
    /// What held verdicts back ends.
    Judge,
}

/// What several statements that stand together do to the flow's books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// The frame's last instruction was done.
    pub done: bool,
    /// Effects would end, if any were in force.
    pub expires: bool,
    /// All players for the list arena, who are so many.
    pub players: u8,
    /// A phase has begun.
    pub phase: Option<PhaseId>,
}

/// A state that is set of all cards of places.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The places.
    pub places: Box<[Place]>,
    /// The state, one that cards have.
    pub state: StateId,
    /// What it is then.
    pub value: Value,
    /// The frame's registers in which the loop's list and the last card are kept.
    pub kept: Option<[Reg; 2]>,
}

/// Fields of the top or bottom cards of two places that are looked up in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAt {
    /// The table of a function of two enums.
    pub table: u16,
    /// Of which card each side is.
    pub sides: [(bool, Place, FieldId); 2],
}

/// Where a line can be entered.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// The instruction with which the way goes on.
    pub at: u32,
    /// All players for the list arena, who are so many.
    pub players: u8,
}

impl Rail {
    /// The places known beforehand that it looks at, a bit each.
    #[must_use]
    pub fn looks(&self) -> Option<u32> {
        let places = match *self {
            Rail::CardAt(_, _, place)
            | Rail::EmptyAt(_, place)
            | Rail::CountAt(_, place)
            | Rail::FieldAt(_, _, place, _)
            | Rail::OwnerAt(_, place, ..)
            | Rail::FaceUpAt(_, _, place)
            | Rail::TextlessAt(_, _, place)
            | Rail::StateAt(_, _, place, _)
            | Rail::JumpUnlessStateAt(_, place, ..)
            | Rail::JumpIfStateAt(_, place, ..)
            | Rail::JumpUnlessEmptyAt(place, _)
            | Rail::JumpIfEmptyAt(place, _)
            | Rail::JumpUnlessFaceUpAt(_, place, _)
            | Rail::JumpIfFaceUpAt(_, place, _)
            | Rail::CheckTextlessAt(_, place)
            | Rail::MoveTo(_, place, _)
            | Rail::Gather(place) => spot(place),
            Rail::MoveTop(way) | Rail::MoveTops(_, way) | Rail::MoveAll(way) | Rail::MoveOut(_, way) | Rail::MoveHome(_, _, way) => {
                spot(way.from) | spot(way.to)
            }
            Rail::Shuffle(place, _) => spot(place),
            _ => return None,
        };
        Some(places as u32)
    }
}

/// A row of instructions, with what they name by number.
#[derive(Clone, Debug, Default)]
pub struct Rails {
    /// The instructions.
    pub rails: Vec<Rail>,
    /// Slots of the arguments of events.
    pub arguments: Vec<Vec<Spot>>,
    /// Places that are looked at together.
    pub places: Vec<Box<[Place]>>,
    /// Fields that are looked up together.
    pub pairs: Vec<PairAt>,
    /// States that are set of all cards of places.
    pub settings: Vec<Setting>,
    /// Where a line can be entered.
    pub stops: Vec<Stop>,
    /// Where immediate rules begin, by where the board keeps whether their conditions were true.
    pub rules: Vec<(u16, u32)>,
    /// Where the way goes on after the answer, for each form.
    pub answered: Vec<u32>,
}
