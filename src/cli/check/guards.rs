//! `gyoji check --explain-guards`: for each option, how the engine finds whether a player can take it. So an author sees what makes a game
//! slow.
//!
//! The analysis is in `engine/legal/explain.rs`.

use crate::Context;
use engine::ids::VerbId;
use engine::legal::explain::{Legality, Reason, legalities};
use project::Game;
use serde_json::json;

/// Prints one line for each option of a game.
pub(super) fn show(game: &Game, context: &Context) {
    let name = |verb: VerbId| game.program.verbs.get(verb).map_or("", |def| def.name.name.as_str());
    for (option, legality) in legalities(&game.program) {
        let Some(def) = game.program.options.get(option) else { continue };
        let option = name(def.verb);
        let (how, place, verbs) = match &legality {
            Legality::Always => ("always", None, Vec::new()),
            Legality::Decided(verbs) if verbs.is_empty() => ("decided", None, Vec::new()),
            Legality::Decided(verbs) => ("unless", None, verbs.iter().map(|verb| name(*verb).to_owned()).collect()),
            Legality::Tried(pc, reason) => (word(*reason), game.map.code(*pc), Vec::new()),
        };
        let place = place.map_or_else(String::new, |span| {
            let source = game.sources.get(span.file).map_or("", |source| source.name.as_str());
            format!("{source}:{}", game.sources.line_column(span).0)
        });
        let args = [("place", place.clone()), ("actions", verbs.join(", "))];
        let object = || json!({ "kind": "guard", "game": game.name, "option": option, "legality": how, "place": place, "actions": verbs });
        context.result_in_one_line(object, || format!("{}  {option}: {}", game.name, context.say(&format!("guards.{how}"), &args)));
    }
}

fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::Asks => "asks",
        Reason::Ability => "ability",
        Reason::Changes => "changes",
        Reason::ReadsWritten => "reads",
        Reason::Branches => "branches",
        Reason::Depth => "depth",
        Reason::Other => "other",
    }
}
