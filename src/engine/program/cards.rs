//! What is printed on cards: fields, states, the pool, its abilities and keywords; limits of decks.

use super::Looks;
use super::{Compare, Fill, NameDef};
use crate::engine::ids::{
    AbilityId, CardId, CitesId, ClauseId, DurationId, EnumId, FieldId, Id, KeywordId, KindId, NodeId, RoutineId, SlotId, TextId,
};
use crate::engine::value::Value;

/// A type as the compiler fixed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the types of docs/language.md")]
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
    /// Of the verbs in that row of the compiler's; the first row: of any.
    Event(u16),
    Cause,
    Unknown,
}

/// A field of cards.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// Its name.
    pub name: NameDef,
    /// Its type, or its members' type.
    pub of: Type,
    /// It is a set.
    pub set: bool,
    /// `reads at least n`.
    pub at_least: Option<i32>,
    /// The rules beside that.
    pub at_least_cites: CitesId,
    /// Computed from this node with `this` as the card; not printed.
    pub derived: Option<NodeId>,
    /// A property of players: what is computed is what it is before effects change it.
    pub on_players: bool,
    /// Some effect gives it to cards that have no value of it.
    pub provided: bool,
}

/// A state or a pool.
#[derive(Clone, Debug)]
pub struct StateDef {
    /// Its name.
    pub name: NameDef,
    /// On players; else on cards, where it ends with the card's life.
    pub on_players: bool,
    /// The game's own: there is one value, which stands at the first seat.
    pub of_game: bool,
    /// A team's: it stands at the first seat of the team.
    pub of_team: bool,
    /// Its type.
    pub of: Type,
    /// What it is at first.
    pub initial: Value,
    /// `at least n`.
    pub at_least: Option<i32>,
    /// It is a set. What is kept is a number with a bit for each player: on whoever holds it those that are its members; or on each card
    /// those in whose set the card is, so that a card that begins another life is in none any more, unless its move keeps the state.
    pub members: Option<Members>,
}

/// What a state is a set of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// Players.
    Players,
    /// Cards, of a player or of the game (which is then the first seat).
    Cards {
        /// Of the game.
        of_game: bool,
    },
}

impl StateDef {
    /// Whether a player holds it, and whether the game does.
    #[must_use]
    pub fn held(&self) -> (bool, bool) {
        match self.members {
            Some(Members::Cards { of_game }) => (true, of_game),
            _ => (self.on_players, self.of_game),
        }
    }

    /// A value as it reads: inside of a lockstep what is kept may be less than a state or pool can be.
    #[must_use]
    pub fn as_read(&self, value: Value) -> Value {
        match (value, self.at_least) {
            (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
            (value, _) => value,
        }
    }
}

/// A card of the pool.
#[derive(Clone, Debug, Default)]
pub struct CardDef {
    /// Its number: unique in the pool.
    pub number: String,
    /// Its printed name.
    pub name: TextId,
    /// Of which of [`Program::card_types`] it is, in printed order.
    ///
    /// [`Program::card_types`]: super::Program::card_types
    pub types: Vec<u8>,
    /// Its abilities: first and how many, in printed order.
    pub abilities: (AbilityId, u16),
    /// Something is printed in its text box that is an effect.
    pub has_effect: bool,
    /// What it changes in the deck check.
    pub deck_limits: Vec<DeckLimitDef>,
    /// What a deck with it has to satisfy.
    pub deck_musts: Vec<DeckMustDef>,
    /// The printed text as a person reads it, with the story.
    pub text: String,
    /// The same without the story, to be asked for in expressions.
    pub effect_text: TextId,
    /// Why its text is not read yet; such a card has no abilities, and nobody may play with it.
    pub todo: Option<String>,
}

/// A limit of the deck check.
#[derive(Clone, Debug)]
pub struct DeckLimitDef {
    /// `size`, or `copies by` something.
    pub what: DeckMeasure,
    /// The comparison.
    pub op: Compare,
    /// The bound.
    pub bound: i32,
    /// Which cards are counted: those whose printed field is so. All, where nothing is said.
    pub counted: Option<(FieldId, Compare, Value)>,
    /// The rules.
    pub cites: CitesId,
}

/// What a deck has to satisfy as a whole.
#[derive(Clone, Debug)]
pub struct DeckMustDef {
    /// The condition: the deck's cards are in its first register.
    pub condition: NodeId,
    /// As it is written.
    pub written: String,
    /// The rules.
    pub cites: CitesId,
}

/// What a deck limit measures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum DeckMeasure {
    Size,
    /// Of cards that have all of these in common.
    Copies(Vec<CopiesBy>),
}

/// What cards that count as copies of one another have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum CopiesBy {
    Number,
    Name,
    Field(FieldId),
}

/// A keyword.
#[derive(Clone, Debug, Default)]
pub struct KeywordDef {
    /// Its name.
    pub name: NameDef,
    /// The abilities of a card that has it: first and how many.
    pub abilities: (AbilityId, u16),
    /// It says nothing: rules ask who has it.
    pub mark: bool,
}

/// A kind of ability.
#[derive(Clone, Debug, Default)]
pub struct KindDef {
    /// Its name.
    pub name: NameDef,
    /// Default of `zones`: where it works (a bit for each zone).
    pub zones: u64,
    /// The same on cards of these types.
    pub zones_of: Vec<(u8, u64)>,
    /// Default of `limit: uses per turn`.
    pub uses_per_turn: Option<i32>,
    /// Uses are counted for this duration, not for a turn.
    pub per: Option<DurationId>,
    /// They are counted for each player, not for each card.
    pub each_player: bool,
    /// `costs: first`: in a lockstep every branch has paid what stands at its body's head before any goes on.
    pub costs_first: bool,
    /// The rules beside the slot `zones`.
    pub zones_cites: CitesId,
    /// The rules beside the slot `limit`.
    pub limit_cites: CitesId,
    /// The rules beside the slot `costs`.
    pub costs_cites: CitesId,
    /// Its other slots, in order, with what they hold where a card says nothing and the rules beside them.
    pub slots: Vec<(SlotId, Fill, CitesId)>,
    /// Cards of this type have an ability of the kind without its being printed.
    pub of: Option<u8>,
    /// The body of those.
    pub body: Option<RoutineId>,
}

/// An ability as printed.
#[derive(Clone, Debug)]
pub struct AbilityDef {
    /// Its kind.
    pub kind: KindId,
    /// The keyword that it came with.
    pub keyword: Option<KeywordId>,
    /// Where it works (a bit for each zone).
    pub zones: u64,
    /// The same on cards of these types.
    pub zones_of: Vec<(u8, u64)>,
    /// `limit`.
    pub uses_per_turn: Option<i32>,
    /// Uses are counted for this duration, not for a turn.
    pub per: Option<DurationId>,
    /// They are counted for each player, not for each card.
    pub each_player: bool,
    /// What `perform` runs; none for a static ability.
    pub body: Option<RoutineId>,
    /// What holds while it is active: static, `when`, `instead`.
    pub clauses: Vec<ClauseId>,
    /// What is in the slots of its kind, in their order.
    pub fills: Vec<Fill>,
    /// Of a trigger: whether it hears of moves by what worked before or after, and reads the card so.
    pub looks: Option<Looks>,
    /// Of a trigger: whatever happens together lets it wait once.
    pub once_for_a_batch: bool,
    /// The rules beside it.
    pub cites: CitesId,
    /// Abilities that say the same have the same number.
    pub script: u32,
}

impl AbilityDef {
    /// Where it works on a card of these types: of the types that it asks for in turn the first that is among them counts.
    #[must_use]
    pub fn zones_on(&self, types: &[u8]) -> u64 {
        self.zones_of.iter().find(|(known, _)| types.contains(known)).map_or(self.zones, |(_, zones)| *zones)
    }
}

impl super::Program {
    /// Which of the abilities of its kind an ability of a card is, from 1, in printed order; none where the card prints one of that kind, or does not
    /// print this ability.
    #[must_use]
    pub fn which_of_its_kind(&self, card: CardId, ability: AbilityId) -> Option<usize> {
        let (first, count) = self.cards.get(card)?.abilities;
        let kind = self.abilities.get(ability)?.kind;
        let printed = (first.index()..first.index() + usize::from(count)).map(|at| AbilityId(at as u16));
        let alike: Vec<AbilityId> = printed.filter(|other| self.abilities.get(*other).is_some_and(|other| other.kind == kind)).collect();
        let at = alike.iter().position(|other| *other == ability)?;
        (alike.len() > 1).then_some(at + 1)
    }

    /// What is printed of an ability, where the ability is a line of a card's text box.
    #[must_use]
    pub fn text_of_ability(&self, ability: AbilityId) -> Option<&str> {
        let at = self.ability_texts.binary_search_by_key(&ability, |(of, _)| *of).ok()?;
        self.ability_texts.get(at).and_then(|(_, text)| self.texts.get(*text)).map(String::as_str)
    }
}
