//! Expressions: nodes with their children before them, evaluated as trees.

use super::{CauseKind, Compare, PartKey};
use crate::engine::ids::{
    ArgsId, CardId, EnumId, EventFieldId, FactId, FieldId, KeywordId, KindId, MatchId, MomentId, NodeId, OptionId, PatternId, Reg, RoleId,
    SlotId, StateId, TextId, VerbId, ZoneId,
};
use crate::engine::value::Value;

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of a node are explained with it")]
pub enum Node {
    /// A constant (never a list).
    Const(Value),
    /// A register.
    Local(Reg),
    /// A binder around this expression, from the outermost.
    Bound(u8),
    /// The acting player.
    You,
    /// The source object.
    This,
    /// Whether the last action, `may` or `attempt` was carried out in full.
    Done,
    /// Whether something of it was.
    PartlyDone,
    /// The number of the turn.
    Turn,
    /// `not`.
    Not(NodeId),
    /// Both.
    And(NodeId, NodeId),
    /// Either.
    Or(NodeId, NodeId),
    /// `-x`.
    Negate(NodeId),
    /// Arithmetic.
    Arithmetic(Arithmetic, NodeId, NodeId),
    /// Comparison of scalars; with an undefined side false.
    Compare(Compare, NodeId, NodeId),
    /// `if`; the third is the node after the second in `args`.
    If(NodeId, ArgsId),
    /// A binder with a value, for a function's argument: binds `Bound(depth)` to the first, gives the second.
    With { value: NodeId, body: NodeId },
    /// Membership.
    In(NodeId, NodeId),
    /// A field of a card as it is now.
    Field(NodeId, FieldId),
    /// A field as printed.
    Printed(NodeId, FieldId),
    /// A set-valued field contains the value.
    FieldHas(NodeId, FieldId, NodeId),
    /// A state of a card or player.
    State(NodeId, StateId),
    /// A card's owner.
    Owner(NodeId),
    /// A card's controller; of an ability its controller.
    Controller(NodeId),
    /// An ability's source card.
    Source(NodeId),
    /// The zone that a card is in.
    ZoneOf(NodeId),
    /// The card is face up.
    FaceUp(NodeId),
    /// An effect is printed on the card (not a story).
    HasEffect(NodeId),
    /// Nothing keeps the effect whose clause is read off the card.
    Reaches(NodeId),
    /// The place of its zone that a card lies in, if the zone's places are values of that enum.
    PlaceIn(NodeId, EnumId),
    /// The card that it is attached to.
    Host(NodeId),
    /// The cards that are attached to it.
    Attached(NodeId),
    /// What an object that was made stands for.
    Original(NodeId),
    /// The object that the card of a reference is now.
    Now(NodeId),
    /// The number of the batch of moves in which it came where it is.
    Arrived(NodeId),
    /// It was made in the game.
    IsMade(NodeId),
    /// It is a card of that type.
    IsType(NodeId, u8),
    /// Who decides for a player.
    Decider(NodeId),
    /// The card of the pool with that name or number, found when everything has been compiled.
    PoolCard(TextId),
    /// The card's printed name, or as changed.
    CardName(NodeId),
    /// What is printed in the card's text box, without the story.
    EffectText(NodeId),
    /// The card of the pool that it is.
    CardOf(NodeId),
    /// The card is an instance of that card of the pool.
    IsCard(NodeId, CardId),
    /// An ability (printed or waiting) is of that kind.
    IsKind(NodeId, KindId),
    /// A waiting ability is put by until that moment.
    IsMoment(NodeId, MomentId),
    /// A text contains another.
    TextContains(NodeId, NodeId),
    /// A player's zone (`NodeId::NONE`: the shared one): usable as place and as set.
    Zone(ZoneId, NodeId),
    /// How many.
    Count(NodeId),
    /// None.
    IsEmpty(NodeId),
    /// At least one member, bound at the next depth, satisfies the condition.
    Some(NodeId, NodeId),
    /// Every member does.
    All(NodeId, NodeId),
    /// The only member of a set of at most one; undefined when empty.
    Only(NodeId),
    /// The top (`true`) or bottom card of a zone; undefined when empty.
    End(bool, NodeId),
    /// The top or bottom n cards, top first: a set.
    Ends(bool, NodeId, NodeId),
    /// Members that satisfy the condition.
    Where(NodeId, NodeId),
    /// Members of the first that are not in the second.
    Except(NodeId, NodeId),
    /// Members of both.
    Union(NodeId, NodeId),
    /// A list; members that are undefined are left out.
    List(ArgsId),
    /// Every card in every player's zone of that kind.
    ZoneOfAll(ZoneId),
    /// All players in seat order.
    Players,
    /// Every card of the pool.
    Catalogue,
    /// The other of two players.
    Opponent(NodeId),
    /// The player next in seat order.
    NextPlayer(NodeId),
    /// All other players.
    Opponents(NodeId),
    /// The players of a player's team.
    Team(NodeId),
    /// The player with whom what the team of a player holds is kept.
    Captain(NodeId),
    /// Every value of an enum.
    EnumValues(EnumId),
    /// A card's abilities in printed order, then those that effects give it.
    Abilities(NodeId),
    /// What is waiting is a declared action of that option.
    IsOption(NodeId, OptionId),
    /// A component of a declared action.
    Component(NodeId, TextId),
    /// It is what it was: a card in the life that is meant, something that is there.
    Still(NodeId),
    /// Who holds a role.
    Role(RoleId),
    /// The flow has come round to a position by itself.
    GoesRound,
    /// Some rule would run if the flow applied the rules now.
    RulesApply,
    /// A card has a keyword: one of its abilities came with it.
    HasKeyword(NodeId, KeywordId),
    /// What a fact says, or what some effect has it taken for.
    Fact(FactId, ArgsId, NodeId),
    /// Some effect permits the action.
    Permitted(VerbId, ArgsId),
    /// Abilities that wait.
    Pending,
    /// Those of them in a zone, the first that came first (`NodeId::NONE`: the shared one).
    Waiting(ZoneId, NodeId),
    /// All sources of an ability.
    Sources(NodeId),
    /// What is in a slot of an ability; of a cost whether it has been fixed.
    Slot(NodeId, SlotId),
    /// The members of a slot's answer that are still there and still fit.
    StillOf(NodeId, SlotId),
    /// A cost of an ability can be paid, as far as counting tells.
    Payable(NodeId, SlotId),
    /// How much of it is due for a part.
    Due(NodeId, SlotId, PartKey),
    /// Each requirement can have a unit of its own.
    Matches(MatchId),
    /// The whole numbers from one to another.
    Range(NodeId, NodeId),
    /// The same, with no end where the second is [`NodeId::NONE`], where one of them is chosen: of many only the first are listed.
    Numbers(NodeId, NodeId),
    /// The last (`true`) or first member of a set; undefined when empty.
    Outer(bool, NodeId),
    /// It is not undefined.
    Exists(NodeId),
    /// Such an event is in history since the mark (`TextId(u32::MAX)`: since the beginning).
    Happened(PatternId, TextId),
    /// The most recent such event; undefined where there is none.
    Latest(PatternId, TextId),
    /// All such events, oldest first.
    Events(PatternId, TextId),
    /// An argument of an event, by name.
    EventArg(NodeId, EventFieldId),
    /// What an event is laid to.
    EventCause(NodeId),
    /// An event is one of that verb.
    IsEvent(NodeId, VerbId),
    /// The event that let an ability wait.
    EventOf(NodeId),
    /// A cause, of a card (`NodeId::NONE`: of none).
    Cause(CauseKind, NodeId),
    /// A cause is of that kind.
    IsCause(NodeId, CauseKind),
    /// The verb with these arguments would be neither forbidden nor impossible.
    Can(VerbId, ArgsId),
    /// That player may know that card.
    Sees(NodeId, NodeId),
    /// A verdict of losing has been raised on that player.
    Losing(NodeId),
    /// The place of a player when the game is over; undefined before.
    PlaceOf(NodeId),
    /// A verdict of winning.
    Winning(NodeId),
    /// A text is a card's name (scenarios): member of the set with that name or number, undefined when there is none.
    Named(NodeId, TextId),
    /// The first as if the effects that the second names (by themselves, their abilities or their cards) were not in force.
    Without(NodeId, NodeId),
    /// The effects in force that began together with another and whose order matters.
    Tied,
    /// The effects in force that apply to a card or player.
    EffectsOn(NodeId),
    /// The smaller or larger.
    Least(NodeId, NodeId),
    /// The larger.
    Greatest(NodeId, NodeId),
    /// A number made of the numbers that the second is for each member, bound at the next depth.
    Fold(Fold, NodeId, NodeId),
    /// The different values that the second has (or whose set it is) for the members, bound at the next depth: first come first.
    Distinct(NodeId, NodeId),
    /// The members by the numbers that the second is for them, the least first; equal ones, and those without a number behind, as they came.
    Sorted(NodeId, NodeId),
    /// Two sets have the same members.
    SameSets(NodeId, NodeId),
    /// All players in seat order from one of them on.
    Clockwise(NodeId),
    /// All cards in the game, wherever they lie.
    EveryCard,
    /// Whether a number has the bit of a player.
    HasBit(NodeId, NodeId),
    /// The number that has the bit of a player and no other.
    BitOf(NodeId),
    /// Performing an ability now would carry it out.
    Usable(NodeId),
    /// What is printed of an ability: the line that it is, of the card's text box.
    AbilityText(NodeId),
    /// How many characters a text has.
    Length(NodeId),
    /// A condition of which it is tallied, under that number, whether it was met ([`super::Program::tally`]).
    Tallied(NodeId, u32),
}

/// One number made of several. What is undefined is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Their sum; 0 of none.
    Sum,
    /// The least; undefined of none.
    Least,
    /// The greatest; undefined of none.
    Greatest,
}

/// Arithmetic; overflow is a rules error with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
