//! Refuses names that would mean two things after a dot: `c.power` of a field and a state, `c.owner` of a state.

use crate::Compiler;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Decl, DeclKind, Name, Property};
use std::sync::Arc;

/// What every card has. A state of this name would hide it.
const OF_EVERY_CARD: [&str; 9] = ["owner", "controller", "name", "text", "number", "zone", "host", "original", "arrived"];

/// Whose value a name is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Card,
    Player,
    /// A value of the game can be read of anything.
    Game,
}

impl Holder {
    fn meets(self, other: Self) -> bool {
        self == other || self == Holder::Game || other == Holder::Game
    }
}

impl Compiler {
    /// `E0385` for a state with the name of something that every card has. `E0202` for a state and a field or property of one name.
    pub(crate) fn check_dotted_names(&mut self, decls: &[Arc<Decl>]) {
        let mut fields: Vec<(&Name, Holder)> = Vec::new();
        let mut states: Vec<(&'static str, &Name, Holder)> = Vec::new();
        for decl in decls {
            match &decl.kind {
                DeclKind::CardType(_, of) => fields.extend(of.iter().map(|field| (&field.head.name, Holder::Card))),
                DeclKind::Player(of) => fields.extend(of.iter().map(|field| (&field.head.name, Holder::Player))),
                DeclKind::State { head, on, .. } => {
                    let holder = match on.text.as_str() {
                        "game" => Holder::Game,
                        "player" | "team" => Holder::Player,
                        _ => Holder::Card,
                    };
                    states.push(("state", &head.name, holder));
                }
                DeclKind::Pool(head, properties) => {
                    let shared = |property: &Property| property.words.iter().any(|word| word.text == "shared");
                    let holder = if properties.iter().any(shared) { Holder::Game } else { Holder::Player };
                    states.push(("pool", &head.name, holder));
                }
                _ => {}
            }
        }
        for (what, name, holder) in states {
            let word = name.text.as_str();
            if holder != Holder::Player && OF_EVERY_CARD.contains(&word) {
                self.report(Diagnostic::error("E0385", name.span).with("name", word));
            } else if let Some((first, _)) = fields.iter().find(|(field, of)| field.text == word && of.meets(holder)) {
                self.report(Diagnostic::error("E0202", name.span).with("what", what).with("name", word).note(first.span, "first"));
            }
        }
    }
}
