//! What is declared about cards: types, fields, states, the card pool, abilities, keywords, and limits for decks.

use super::{ClauseKind, Looks};
use super::{Compare, Fill, NameDef};
use crate::bits::ZoneSet;
use crate::ids::{
    AbilityId, CardId, CitesId, ClauseId, DurationId, EnumId, FieldId, Id, KeywordId, KindId, NodeId, RoutineId, SlotId, TextId,
};
use crate::value::Value;

/// A type of values, as the compiler has determined it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the types of docs/language/game.md")]
pub enum Type {
    Bool,
    Number,
    Player,
    Card,
    Zone,
    Ability,
    Enum(EnumId),
    Symbol,
    Text,
    CatalogueCard,
    Effect,
    Options,
    /// An event: the number is a row of verbs in the compiler; row 0 means any verb.
    Event(u16),
    Cause,
    Unknown,
}

/// A field of cards, or a property of players.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// Its name.
    pub name: NameDef,
    /// Its type; of a set the type of its members.
    pub of: Type,
    /// Whether the field is a set.
    pub set: bool,
    /// The lower bound from `reads at least n`.
    pub at_least: Option<i32>,
    /// The rules that this bound cites.
    pub at_least_cites: CitesId,
    /// The value of cards of the type `declared_by` that print none: `default 0`.
    pub default: Option<Value>,
    /// The type of card that declares the field.
    pub declared_by: Option<u8>,
    /// The expression of a computed field, with `this` as the card. `None`: the field is printed.
    pub derived: Option<NodeId>,
    /// Whether it is a property of players. The expression in `derived` is then its value before effects change it.
    pub on_players: bool,
    /// Whether some effect gives the field to cards that have no value of it.
    pub provided: bool,
    /// Whether some shield keeps off changes that would lower or raise the value.
    pub weighed: bool,
}

/// A state of cards, players or the game, or a pool.
#[derive(Clone, Debug)]
pub struct StateDef {
    /// Its name.
    pub name: NameDef,
    /// Whether players have the state. Otherwise cards have it, and it ends with the life of the card.
    pub on_players: bool,
    /// Whether the game has it. There is one value then, kept with the first seat.
    pub of_game: bool,
    /// Whether it is a pool.
    pub pool: bool,
    /// Whether a team has it. The value is kept with the first seat of the team.
    pub of_team: bool,
    /// Its type.
    pub of: Type,
    /// The value at the beginning.
    pub initial: Value,
    /// The lower bound from `at least n`.
    pub at_least: Option<i32>,
    /// What the members of a set are; `None`: no set. A set is kept as a number with one bit for each player. For a set of players the
    /// holder keeps the bits of its members. For a set of cards each card keeps the bits of the players in whose set the card is. So a card
    /// with a new life is in no set, unless its move keeps the state.
    pub members: Option<Members>,
}

/// What the members of a set-valued state are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// Players.
    Players,
    /// Cards. The set belongs to a player, or to the game (kept with the first seat).
    Cards {
        /// Whether the set belongs to the game.
        of_game: bool,
    },
}

impl StateDef {
    /// Whether a player holds the state, and whether the game holds it.
    #[must_use]
    pub fn held(&self) -> (bool, bool) {
        match self.members {
            Some(Members::Cards { of_game }) => (true, of_game),
            _ => (self.on_players, self.of_game),
        }
    }

    /// The value as an expression reads it. Within a lockstep the kept number may be below the lower bound.
    #[must_use]
    pub fn as_read(&self, value: Value) -> Value {
        match (value, self.at_least) {
            (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
            (value, _) => value,
        }
    }
}

/// The printed text of an ability that is a line of a card's text box.
#[derive(Clone, Copy, Debug)]
pub struct AbilityText {
    /// The ability.
    pub of: AbilityId,
    /// The printed line.
    pub line: TextId,
    /// The line without its headings.
    pub body: TextId,
}

/// A card of the card pool.
#[derive(Clone, Debug, Default)]
pub struct CardDef {
    /// Its number: unique in the pool.
    pub number: String,
    /// Its printed name.
    pub name: TextId,
    /// The card types in printed order, as indexes of [`Program::card_types`].
    ///
    /// [`Program::card_types`]: super::Program::card_types
    pub types: Vec<u8>,
    /// Its abilities in printed order: the first one, and how many.
    pub abilities: (AbilityId, u16),
    /// Whether its text box holds an effect.
    pub has_effect: bool,
    /// What the card changes in the deck check.
    pub deck_limits: Vec<DeckLimitDef>,
    /// The conditions of a deck with this card.
    pub deck_musts: Vec<DeckMustDef>,
    /// The printed text for people, story included.
    pub text: String,
    /// The printed text without the story, for expressions.
    pub effect_text: TextId,
    /// The reason why the text is not compiled yet. Such a card has no abilities, and nobody may play with it.
    pub todo: Option<String>,
}

/// A limit in the deck check.
#[derive(Clone, Debug)]
pub struct DeckLimitDef {
    /// What is counted.
    pub what: DeckMeasure,
    /// The comparison.
    pub op: Compare,
    /// The bound.
    pub bound: i32,
    /// Which cards are counted: cards whose printed field compares so. `None`: all.
    pub counted: Option<(FieldId, Compare, Value)>,
    /// The rules.
    pub cites: CitesId,
}

/// A condition for a whole deck.
#[derive(Clone, Debug)]
pub struct DeckMustDef {
    /// The condition. Its first register holds the cards of the deck.
    pub condition: NodeId,
    /// The condition as the rules write it.
    pub written: String,
    /// The rules.
    pub cites: CitesId,
}

/// What a limit in the deck check counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum DeckMeasure {
    Size,
    /// The copies of each card. Cards are copies of one another if all of these are equal.
    Copies(Vec<CopiesBy>),
}

/// A property in which copies of a card are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum CopiesBy {
    Number,
    Name,
    Field(FieldId),
}

/// A declared keyword.
#[derive(Clone, Debug, Default)]
pub struct KeywordDef {
    /// Its name.
    pub name: NameDef,
    /// The abilities of a card with the keyword: the first one, and how many.
    pub abilities: (AbilityId, u16),
    /// Whether the keyword has no abilities; rules only ask which cards have it.
    pub mark: bool,
}

/// A kind of abilities, with the defaults for its abilities.
#[derive(Clone, Debug, Default)]
pub struct KindDef {
    /// Its name.
    pub name: NameDef,
    /// Default of `zones`: where abilities of the kind work.
    pub zones: ZoneSet,
    /// The default of `zones` on cards of one type (the type, the zones).
    pub zones_of: Vec<(u8, ZoneSet)>,
    /// Default of `limit: uses per turn`.
    pub uses_per_turn: Option<i32>,
    /// The duration for which uses are counted; `None`: a turn.
    pub per: Option<DurationId>,
    /// For whom uses are counted.
    pub counted: Counted,
    /// `costs: first`: in a lockstep all branches pay the costs at the head of their bodies before any branch goes on.
    pub costs_first: bool,
    /// The rules beside the slot `zones`.
    pub zones_cites: CitesId,
    /// The rules beside the slot `limit`.
    pub limit_cites: CitesId,
    /// The rules beside the slot `costs`.
    pub costs_cites: CitesId,
    /// Its other slots in order, each with the default content and the rules that it cites.
    pub slots: Vec<(SlotId, Fill, CitesId)>,
    /// The card type whose cards all have one ability of this kind that is not printed.
    pub of: Option<u8>,
    /// The body of that ability.
    pub body: Option<RoutineId>,
}

/// For whom the uses of an ability are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// For each card as long as it is one object, whoever uses it.
    #[default]
    Card,
    /// For each player: uses of this printed ability on any card.
    Player,
    /// For each card as long as it is one object, and each player who uses it.
    CardAndPlayer,
}

/// A printed ability.
#[derive(Clone, Debug)]
pub struct AbilityDef {
    /// Its kind.
    pub kind: KindId,
    /// Whether the ability comes with the card's type: a kind `of` this type declares it, and no card prints it.
    pub of_type: bool,
    /// The keyword that brought the ability.
    pub keyword: Option<KeywordId>,
    /// Where it works.
    pub zones: ZoneSet,
    /// Where it works on cards of one type (the type, the zones).
    pub zones_of: Vec<(u8, ZoneSet)>,
    /// `limit`: how often it can be used.
    pub uses_per_turn: Option<i32>,
    /// The duration for which uses are counted; `None`: a turn.
    pub per: Option<DurationId>,
    /// For whom uses are counted.
    pub counted: Counted,
    /// The body that `perform` runs; none for a static ability.
    pub body: Option<RoutineId>,
    /// Its clauses: those of a static ability, `when` and `instead`.
    pub clauses: Vec<ClauseId>,
    /// The contents of the slots of its kind, in their order.
    pub fills: Vec<Fill>,
    /// For a trigger: whether it hears of moves as things were before or after the move; it reads the card in the same way.
    pub looks: Option<Looks>,
    /// For a trigger: whether it waits only once for all events that happen together.
    pub once_for_a_batch: bool,
    /// For a state trigger: whether it may wait again once it has been performed (else once its condition has been false). `None`: as the
    /// policy says.
    pub again_when_resolved: Option<bool>,
    /// The rules beside it.
    pub cites: CitesId,
    /// Abilities with equal scripts have equal numbers. The names of local variables do not count.
    pub script: u32,
}

impl AbilityDef {
    /// Where the ability works on a card of these types. The first entry of `zones_of` whose type is among them decides.
    #[must_use]
    pub fn zones_on(&self, types: &[u8]) -> ZoneSet {
        self.zones_of.iter().find(|(known, _)| types.contains(known)).map_or(self.zones, |(_, zones)| *zones)
    }
}

impl super::Program {
    /// The number of an ability among the abilities of its kind that a card prints, from 1, in printed order. None if the card does not
    /// print the ability, or prints no other ability of that kind.
    #[must_use]
    pub fn which_of_its_kind(&self, card: CardId, ability: AbilityId) -> Option<usize> {
        let (first, count) = self.cards.get(card)?.abilities;
        let kind = self.abilities.get(ability)?.kind;
        let printed = (first.index()..first.index() + usize::from(count)).map(|at| AbilityId(at as u16));
        let alike: Vec<AbilityId> = printed.filter(|other| self.abilities.get(*other).is_some_and(|other| other.kind == kind)).collect();
        let at = alike.iter().position(|other| *other == ability)?;
        (alike.len() > 1).then_some(at + 1)
    }

    /// Whether an ability is printed on a card.
    #[must_use]
    pub fn is_printed_on(&self, card: CardId, ability: AbilityId) -> bool {
        let (first, count) = self.cards.get(card).map_or((AbilityId(0), 0), |card| card.abilities);
        (first.index()..first.index() + usize::from(count)).contains(&ability.index())
    }

    /// The abilities that a card prints, and those of its types, in order.
    pub fn printed_abilities(&self, card: CardId) -> impl Iterator<Item = AbilityId> + use<> {
        let (first, count) = self.cards.get(card).map_or((AbilityId(0), 0), |card| card.abilities);
        (first.index()..first.index() + usize::from(count)).map(AbilityId::from_index)
    }

    /// Whether a static ability grants abilities like those of a set (`grant X { like S }`).
    #[must_use]
    pub(crate) fn grants_alike(&self, ability: AbilityId) -> bool {
        let clauses = self.abilities.get(ability).map_or(&[][..], |ability| &ability.clauses);
        let mut kinds = clauses.iter().filter_map(|clause| self.clauses.get(*clause)).map(|clause| &clause.kind);
        kinds.any(|kind| matches!(kind, ClauseKind::Grant { like, .. } if *like != NodeId::NONE))
    }

    /// The line of a card's text box that an ability is.
    #[must_use]
    pub(crate) fn ability_line(&self, ability: AbilityId) -> Option<AbilityText> {
        let at = self.ability_texts.binary_search_by_key(&ability, |text| text.of).ok()?;
        self.ability_texts.get(at).copied()
    }

    /// The printed line of an ability. None if the ability is no line of a card's text box.
    #[must_use]
    pub fn text_of_ability(&self, ability: AbilityId) -> Option<&str> {
        self.ability_line(ability).and_then(|text| self.texts.get(text.line)).map(String::as_str)
    }
}
