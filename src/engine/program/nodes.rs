//! The nodes of expressions. The children of a node have smaller numbers than the node; [`super::Program::nodes`] holds all nodes.

use super::{CauseKind, Compare, PartKey};
use crate::ids::{
    ArgsId, CardId, EnumId, EventFieldId, FactId, FieldId, KeywordId, KindId, MatchId, MomentId, NodeId, OptionId, PatternId, Reg, RoleId,
    SlotId, StateId, TextId, VerbId, ZoneId,
};
use crate::value::Value;

/// The point in history from which events count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// The beginning of the game.
    Beginning,
    /// A mark.
    Mark(TextId),
    /// The end of the event of that node. If there is no such event: the beginning of the game.
    Event(NodeId),
}

/// A [`Since`] in one word of 32 bits, so that nodes do not become larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinceWord(u32);

impl SinceWord {
    /// The bit that marks the number of a node ([`Since::Event`]). Numbers of texts and of nodes are smaller than this bit.
    const EVENT: u32 = 1 << 31;

    /// Unpacks the word.
    #[must_use]
    pub fn get(self) -> Since {
        match self.0 {
            u32::MAX => Since::Beginning,
            event if event & Self::EVENT != 0 => Since::Event(NodeId(event & !Self::EVENT)),
            mark => Since::Mark(TextId(mark)),
        }
    }
}

impl From<Since> for SinceWord {
    fn from(since: Since) -> Self {
        SinceWord(match since {
            Since::Beginning => u32::MAX,
            Since::Mark(mark) => mark.0 & !Self::EVENT,
            Since::Event(event) => event.0 | Self::EVENT,
        })
    }
}

/// A node of an expression. A child is a `NodeId`; the comment of a node calls its children the first, the second, and so on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of a node are explained with it")]
pub enum Node {
    /// A constant; never a list.
    Const(Value),
    /// The value of a register of the current frame.
    Local(Reg),
    /// The value of the n-th binder around this node, counted from the outermost one.
    Bound(u8),
    /// The acting player.
    You,
    /// The source object.
    This,
    /// Whether the last action, `may` or `attempt` was carried out in full.
    Done,
    /// Whether at least a part of the last action, `may` or `attempt` was carried out.
    PartlyDone,
    /// The turn's number.
    Turn,
    /// `not`.
    Not(NodeId),
    /// `and`.
    And(NodeId, NodeId),
    /// `or`.
    Or(NodeId, NodeId),
    /// `-x`.
    Negate(NodeId),
    /// Arithmetic.
    Arithmetic(Arithmetic, NodeId, NodeId),
    /// Compares two single values. False if one of them is undefined.
    Compare(Compare, NodeId, NodeId),
    /// `if`: the condition, and an argument list with the value for yes and the value for no.
    If(NodeId, ArgsId),
    /// Evaluates `body` with one more binder that holds `value`, for an argument of a function.
    With { value: NodeId, body: NodeId },
    /// Whether the first is a member of the second.
    In(NodeId, NodeId),
    /// A card's field, with all effects.
    Field(NodeId, FieldId),
    /// A card's field as printed.
    Printed(NodeId, FieldId),
    /// Whether a card's set-valued field contains the value.
    FieldHas(NodeId, FieldId, NodeId),
    /// A state of a card, player or the game.
    State(NodeId, StateId),
    /// A card's owner.
    Owner(NodeId),
    /// The controller of a card or of an ability.
    Controller(NodeId),
    /// The player who acts, of a cause.
    Performer(NodeId),
    /// An ability's source card.
    Source(NodeId),
    /// The zone in which a card lies.
    ZoneOf(NodeId),
    /// Whether a card lies face up.
    FaceUp(NodeId),
    /// Whether the text box of a card holds an effect.
    HasEffect(NodeId),
    /// In a clause: whether no shield keeps the clause's effect off a card.
    Reaches(NodeId),
    /// The place of a zone in which a card lies, if the zone's places are the values of that enum.
    PlaceIn(NodeId, EnumId),
    /// The card to which a card is attached.
    Host(NodeId),
    /// The cards that are attached to a card.
    Attached(NodeId),
    /// The value that a made object stands for.
    Original(NodeId),
    /// The present object of the card that a reference means; undefined if the card is nowhere.
    Now(NodeId),
    /// The object that a reference has become by its next move, or the object itself if it has not moved. Undefined if it has moved more
    /// than once.
    Became(NodeId),
    /// The number of the batch of moves in which a card came to its place.
    Arrived(NodeId),
    /// Whether a card was made during the game.
    IsMade(NodeId),
    /// Whether a card is of a card type.
    IsType(NodeId, u8),
    /// The player who decides for a player.
    Decider(NodeId),
    /// The card of the pool with that name or number. The compiler replaces this node at the end.
    PoolCard(TextId),
    /// The name of a card: printed, or as a copy has it.
    CardName(NodeId),
    /// The printed text of a card, without the story.
    EffectText(NodeId),
    /// The card of the pool that a card is.
    CardOf(NodeId),
    /// Whether a card is a copy of that card of the pool.
    IsCard(NodeId, CardId),
    /// Whether an ability, printed or waiting, is of a kind.
    IsKind(NodeId, KindId),
    /// Whether a waiting ability is put by until a moment.
    IsMoment(NodeId, MomentId),
    /// Whether a text contains another text.
    TextContains(NodeId, NodeId),
    /// The zone of a player (`NodeId::NONE`: the shared zone), as a place or as a set of cards.
    Zone(ZoneId, NodeId),
    /// The number of members.
    Count(NodeId),
    /// Whether a set is empty.
    IsEmpty(NodeId),
    /// Whether the condition is true of at least one member. The member is bound.
    Some(NodeId, NodeId),
    /// Whether the condition is true of every member. The member is bound.
    All(NodeId, NodeId),
    /// The only member of a set; undefined if the set is empty.
    Only(NodeId),
    /// The top (`true`) or bottom card of a zone; undefined if the zone is empty.
    End(bool, NodeId),
    /// The top (`true`) or bottom n cards of a zone as a set, top first. The zone, and n.
    Ends(bool, NodeId, NodeId),
    /// The members of which the condition is true. The member is bound.
    Where(NodeId, NodeId),
    /// The members of the first set that are not in the second.
    Except(NodeId, NodeId),
    /// The members of the first set and of the second, each once.
    Union(NodeId, NodeId),
    /// Like `Union`, for cards of some zones and cards of other zones. No card is in both sets.
    Joined(NodeId, NodeId),
    /// A list as a set. Undefined members are left out.
    List(ArgsId),
    /// The cards in the zones of all players with that declaration.
    ZoneOfAll(ZoneId),
    /// All players in seat order.
    Players,
    /// All cards of the pool.
    Catalogue,
    /// The other player, in a game of two.
    Opponent(NodeId),
    /// The next player in seat order.
    NextPlayer(NodeId),
    /// All other players.
    Opponents(NodeId),
    /// The players of a player's team.
    Team(NodeId),
    /// The player with whom the values of a player's team are kept.
    Captain(NodeId),
    /// All values of an enum.
    EnumValues(EnumId),
    /// The abilities of a card: in printed order, then those that effects give it.
    Abilities(NodeId),
    /// The abilities of all cards of a set, card by card.
    AbilitiesOfAll(NodeId),
    /// Whether something that waits is a declared action of an option.
    IsOption(NodeId, OptionId),
    /// A value that a declared action keeps, by its name.
    Component(NodeId, TextId),
    /// Whether a card is still in the life that the reference means. For other values: whether the value is not undefined.
    Still(NodeId),
    /// The holders of a role.
    Role(RoleId),
    /// Whether the flow has come back to a position by itself.
    GoesRound,
    /// Whether some rule would run if the flow applied the rules now.
    RulesApply,
    /// Whether one of a card's abilities came with a keyword.
    HasKeyword(NodeId, KeywordId),
    /// A fact with its arguments: true if the last node is true, or if an effect assumes the fact.
    Fact(FactId, ArgsId, NodeId),
    /// Whether some effect permits the action.
    Permitted(VerbId, ArgsId),
    /// All abilities that wait.
    Pending,
    /// The abilities that wait in a zone of a player (`NodeId::NONE`: the shared zone), in the order in which they came there.
    Waiting(ZoneId, NodeId),
    /// All sources of an ability.
    Sources(NodeId),
    /// The content of a slot of an ability. Of a cost: whether it has been fixed.
    Slot(NodeId, SlotId),
    /// The members of a slot's answer that are still there and still fit.
    StillOf(NodeId, SlotId),
    /// Whether a cost of an ability can be paid, as far as counting shows. Members of the last node (`NodeId::NONE`: an empty set) may not
    /// be picked for any part.
    Payable(NodeId, SlotId, NodeId),
    /// How much of one part of a cost is due.
    Due(NodeId, SlotId, PartKey),
    /// Whether each requirement of a match can have a unit of its own.
    Matches(MatchId),
    /// The whole numbers from the first to the second.
    Range(NodeId, NodeId),
    /// The whole numbers from the first to the second ([`NodeId::NONE`]: without an end), as the domain of a choice of one number. A
    /// long range lists only its first numbers.
    Numbers(NodeId, NodeId),
    /// The last (`true`) or first member of a set; undefined if the set is empty.
    Outer(bool, NodeId),
    /// Whether a value is not undefined.
    Exists(NodeId),
    /// Whether an event that fits the pattern has happened since that point.
    Happened(PatternId, SinceWord),
    /// The latest event that fits the pattern; undefined if there is none.
    Latest(PatternId, SinceWord),
    /// All events that fit the pattern, oldest first.
    Events(PatternId, SinceWord),
    /// A field of an event.
    EventArg(NodeId, EventFieldId),
    /// The cause of an event.
    EventCause(NodeId),
    /// Whether an event is of that verb.
    IsEvent(NodeId, VerbId),
    /// Whether an event is a declared timing.
    IsTiming(NodeId),
    /// The event because of which an ability waits.
    EventOf(NodeId),
    /// A cause of that kind, of a card (`NodeId::NONE`: of no card).
    Cause(CauseKind, NodeId),
    /// Whether a cause is of that kind.
    IsCause(NodeId, CauseKind),
    /// Whether the verb with these arguments is neither forbidden nor impossible.
    Can(VerbId, ArgsId),
    /// Whether a player (the first) may know a card (the second).
    Sees(NodeId, NodeId),
    /// Whether a verdict of losing has been raised on a player.
    Losing(NodeId),
    /// The rank of a player when the game is over; undefined before.
    PlaceOf(NodeId),
    /// Whether a verdict of winning has been raised on a player.
    Winning(NodeId),
    /// For scenarios: the member of a set that is a card with that name or number; undefined if there is none.
    Named(NodeId, TextId),
    /// The first, read as if the effects of the second were not in force. The second names effects, abilities or cards.
    Without(NodeId, NodeId),
    /// The effects in force that began in one batch and whose order makes a difference.
    Tied,
    /// The effects in force that apply to a card or player.
    EffectsOn(NodeId),
    /// The smaller of two numbers.
    Least(NodeId, NodeId),
    /// The larger of two numbers.
    Greatest(NodeId, NodeId),
    /// Combines the numbers that the last node has for each member of the set. The member is bound.
    Fold(Fold, NodeId, NodeId),
    /// The different values that the second has for each member of the first; if the second is a set: the different members of these sets.
    /// In the order in which they come up. The member of the first is bound.
    Distinct(NodeId, NodeId),
    /// The members in the order of the numbers that the second has for each, the least first. Members with equal numbers keep their order;
    /// members without a number come last. The member is bound.
    Sorted(NodeId, NodeId),
    /// Whether two sets have the same members.
    SameSets(NodeId, NodeId),
    /// All players in seat order, from one player on.
    Clockwise(NodeId),
    /// All cards in the game, in whatever zone.
    EveryCard,
    /// Whether a number has the bit of a player.
    HasBit(NodeId, NodeId),
    /// The number with only the bit of a player.
    BitOf(NodeId),
    /// Whether an ability would be carried out if it were performed now. The second is the player who would use it (`NodeId::NONE`: its
    /// controller).
    Usable(NodeId, NodeId),
    /// The printed line of a card's text box that an ability is. `true`: without its headings.
    AbilityText(NodeId, bool),
    /// The number of characters of a text.
    Length(NodeId),
    /// A condition. Each evaluation is noted under that number ([`super::Program::tally`]).
    Tallied(NodeId, u32),
}

/// How several numbers are combined. Undefined numbers are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// The sum; 0 if there are none.
    Sum,
    /// The least; undefined if there are none.
    Least,
    /// The greatest; undefined if there are none.
    Greatest,
}

/// Arithmetic. A result that does not fit 32 bits is a rules error with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
