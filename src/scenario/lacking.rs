//! What all cards lack when a declaration about cards is broken on purpose: a field's printed values, their texts, a kind of ability.
//!
//! For the audit: the declaration itself cannot be missing, because what uses it would not compile.

use crate::compile::Compiler;
use crate::syntax::ast::{Ability, AbilityBody, CardDecl};

/// What is lacking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// The printed values of a field, by its name.
    Field(String),
    /// Every ability.
    Texts,
    /// The abilities of a kind, by its name.
    Kind(String),
}

impl Lacking {
    /// The card without it.
    #[must_use]
    pub fn card(&self, card: &CardDecl, compiler: &Compiler) -> CardDecl {
        let Lacking::Field(field) = self else { return card.clone() };
        // A printed label stands for the name.
        let known = |name: &str| compiler.symbols().fields.find(name);
        let values = card.values.iter().filter(|(name, _)| known(&name.text) != known(field)).cloned().collect();
        CardDecl { values, ..card.clone() }
    }

    /// The abilities without it.
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

/// The kind that a form of ability is of.
fn kind_of(body: &AbilityBody) -> Option<&str> {
    match body {
        AbilityBody::Kind(name, _) => Some(&name.text),
        AbilityBody::Static(..) => Some("static"),
        AbilityBody::When(..) | AbilityBody::Whenever(..) => Some("automatic"),
        AbilityBody::Instead(..) => Some("replacement"),
        AbilityBody::Keyword(_) | AbilityBody::Deck(_) | AbilityBody::Hole(_) => None,
    }
}
