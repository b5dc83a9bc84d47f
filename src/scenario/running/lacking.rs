//! What all cards lack if a declaration about cards is broken on purpose: a field's printed values, their texts, or a kind of ability.
//!
//! This is for the audit. The declaration itself cannot be removed, because its uses would not compile.

use compile::Compiler;
use lang::syntax::ast::{Ability, AbilityBody, CardDecl};

/// The thing that is lacking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// The printed values of a field, by the field's name.
    Field(String),
    /// Every ability.
    Texts,
    /// The abilities of a kind, by the kind's name.
    Kind(String),
}

impl Lacking {
    /// The card without the lacking part.
    #[must_use]
    pub fn card(&self, card: &CardDecl, compiler: &Compiler) -> CardDecl {
        let Lacking::Field(field) = self else { return card.clone() };
        // The name may be the printed label of the field.
        let known = |name: &str| compiler.symbols().fields.find(name);
        let values = card.values.iter().filter(|(name, _)| known(&name.text) != known(field)).cloned().collect();
        CardDecl { values, ..card.clone() }
    }

    /// The abilities without the lacking ones.
    #[must_use]
    pub fn abilities(&self, mut abilities: Vec<Ability>) -> Vec<Ability> {
        match self {
            Lacking::Field(_) => {}
            Lacking::Texts => abilities.clear(),
            Lacking::Kind(kind) => abilities.retain(|ability| kind_of(&ability.kind) != Some(kind)),
        }
        abilities
    }
}

/// The kind of an ability. The forms of the language belong to fixed kinds: `when` and `whenever` are automatic abilities, `instead of` is
/// a replacement.
fn kind_of(body: &AbilityBody) -> Option<&str> {
    match body {
        AbilityBody::Kind(name, _) => Some(&name.text),
        AbilityBody::Static(..) => Some("static"),
        AbilityBody::When(..) | AbilityBody::Whenever(..) => Some("automatic"),
        AbilityBody::Instead(..) => Some("replacement"),
        AbilityBody::Keyword(_) | AbilityBody::Deck(_) | AbilityBody::Hole(_) => None,
    }
}
