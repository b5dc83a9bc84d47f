//! The words that are values of the language itself: `you`, `this`, `players`.

use crate::expressions::types::Ty;
use engine::program::{Node, Type};

/// The words of the language that are often mistyped.
pub(super) const WORDS_OF_LANGUAGE: [&str; 6] = ["players", "pending", "turn_number", "this", "you", "partly_done"];

/// Whether a name is a word of the language.
pub(crate) fn is_word(name: &str) -> bool {
    matches!(name, "cause" | "been_here" | "declined") || word_of_language(name).is_some()
}

/// The value of a word of the language.
pub(super) fn word_of_language(word: &str) -> Option<(Node, Ty)> {
    Some(match word {
        "you" => (Node::You, Ty::PLAYER),
        // In an ability that has not waited, `this_after` and `this_before` are the card itself. The body of an ability that waits has them in registers.
        "this" | "this_after" | "this_before" => (Node::This, Ty::CARD),
        "done" => (Node::Done, Ty::BOOL),
        "partly_done" => (Node::PartlyDone, Ty::BOOL),
        "turn_number" => (Node::Turn, Ty::NUMBER),
        "players" => (Node::Players, Ty::set(Type::Player)),
        "catalogue" => (Node::Catalogue, Ty::set(Type::CatalogueCard)),
        "goes_round" => (Node::GoesRound, Ty::BOOL),
        "rules_apply" => (Node::RulesApply, Ty::BOOL),
        "pending" => (Node::Pending, Ty::set(Type::Ability)),
        "tied" => (Node::Tied, Ty::set(Type::Effect)),
        _ => return None,
    })
}
