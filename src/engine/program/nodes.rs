//! Expressions: nodes with their children before them, evaluated as trees.

use super::Compare;
use crate::engine::ids::{ArgsId, CardId, EnumId, FieldId, KindId, MomentId, NodeId, PatternId, Reg, StateId, TextId, VerbId, ZoneId};
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
    /// The card's printed name, or as changed.
    CardName(NodeId),
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
    /// The other of two players.
    Opponent(NodeId),
    /// The player next in seat order.
    NextPlayer(NodeId),
    /// All other players.
    Opponents(NodeId),
    /// Every value of an enum.
    EnumValues(EnumId),
    /// A card's abilities in printed order.
    Abilities(NodeId),
    /// Abilities that wait.
    Pending,
    /// It is not undefined.
    Exists(NodeId),
    /// Such an event is in history since the mark (`TextId(u32::MAX)`: since the beginning).
    Happened(PatternId, TextId),
    /// The verb with these arguments would be neither forbidden nor impossible.
    Can(VerbId, ArgsId),
    /// That player may know that card.
    Sees(NodeId, NodeId),
    /// A verdict of losing has been raised on that player.
    Losing(NodeId),
    /// A verdict of winning.
    Winning(NodeId),
    /// A text is a card's name (scenarios): member of the set with that name or number, undefined when there is none.
    Named(NodeId, TextId),
    /// The smaller or larger.
    Least(NodeId, NodeId),
    /// The larger.
    Greatest(NodeId, NodeId),
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
