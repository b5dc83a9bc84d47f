//! The compiler's types: the type of an expression, and the type that a place wants.
//!
//! `Unknown` fits everywhere. An expression with an error has this type, so that one mistake is reported once.

use crate::declarations::names::Symbols;
use engine::ids::{EnumId, Id};
use engine::program::{Program, Type};

/// A type, or a set of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ty {
    /// The type, or the type of the members.
    pub of: Type,
    /// Whether the type is a set.
    pub set: bool,
}

impl Ty {
    /// The type that fits everywhere.
    pub const UNKNOWN: Ty = Ty::one(Type::Unknown);
    /// Yes or no.
    pub const BOOL: Ty = Ty::one(Type::Bool);
    /// A number.
    pub const NUMBER: Ty = Ty::one(Type::Number);
    /// A player.
    pub const PLAYER: Ty = Ty::one(Type::Player);
    /// A card.
    pub const CARD: Ty = Ty::one(Type::Card);
    /// Cards.
    pub const CARDS: Ty = Ty::set(Type::Card);
    /// A zone.
    pub const ZONE: Ty = Ty::one(Type::Zone);
    /// An ability.
    pub const ABILITY: Ty = Ty::one(Type::Ability);
    /// A continuous effect.
    pub(crate) const EFFECT: Ty = Ty::one(Type::Effect);
    /// A group of options.
    pub(crate) const OPTIONS: Ty = Ty::one(Type::Options);
    /// An event of any verb.
    pub const EVENT: Ty = Ty::one(Type::Event(0));
    /// A cause.
    pub(crate) const CAUSE: Ty = Ty::one(Type::Cause);
    /// A text.
    pub const TEXT: Ty = Ty::one(Type::Text);

    /// A single thing of this type.
    #[must_use]
    pub const fn one(of: Type) -> Self {
        Self { of, set: false }
    }

    /// A set of things of this type.
    #[must_use]
    pub const fn set(of: Type) -> Self {
        Self { of, set: true }
    }

    /// The type of a member.
    #[must_use]
    pub const fn member(self) -> Self {
        Self::one(self.of)
    }

    /// Whether both are events, of whatever verbs.
    #[must_use]
    pub(crate) fn both_events(self, other: Ty) -> bool {
        self.set == other.set && matches!((self.of, other.of), (Type::Event(_), Type::Event(_)))
    }

    /// The type as a rules author writes it.
    #[must_use]
    pub fn describe(self, program: &Program) -> String {
        let word = match self.of {
            Type::Bool => "bool".to_owned(),
            Type::Number => "number".to_owned(),
            Type::Player => "player".to_owned(),
            Type::Card => "card".to_owned(),
            Type::Zone => "zone".to_owned(),
            Type::Ability => "ability".to_owned(),
            Type::Enum(id) => program.enums.get(id).map_or_else(String::new, |found| found.name.name.clone()),
            Type::Symbol => "symbol".to_owned(),
            Type::Text => "text".to_owned(),
            Type::CatalogueCard => "card number".to_owned(),
            Type::Effect => "effect".to_owned(),
            Type::Options => "options".to_owned(),
            Type::Event(_) => "event".to_owned(),
            Type::Cause => "cause".to_owned(),
            Type::Unknown => "anything".to_owned(),
        };
        if self.set { format!("set of {word}") } else { word }
    }
}

/// The words for types without a declaration.
pub(crate) const BUILTIN_TYPES: [(&str, Type); 12] = [
    ("bool", Type::Bool),
    ("number", Type::Number),
    ("player", Type::Player),
    ("card", Type::Card),
    ("zone", Type::Zone),
    ("ability", Type::Ability),
    ("symbol", Type::Symbol),
    ("text", Type::Text),
    ("effect", Type::Effect),
    ("options", Type::Options),
    ("event", Type::Event(0)),
    ("cause", Type::Cause),
];

/// The type with this name. The name of a card type means `card`; `players` is a set of players.
pub(crate) fn named(word: &str, set: bool, symbols: &Symbols) -> Option<Ty> {
    if word == "players" {
        return Some(Ty::set(Type::Player));
    }
    let builtin = BUILTIN_TYPES.iter().find(|(name, _)| *name == word).map(|(_, of)| *of);
    let of = builtin
        .or_else(|| symbols.enums.find(word).map(|index| Type::Enum(EnumId::from_index(index))))
        .or_else(|| symbols.card_types.find(word).map(|_| Type::Card))?;
    Some(Ty { of, set })
}
