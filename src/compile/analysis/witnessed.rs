//! Finds the events whose cards must be kept as they were, because conditions about history read them
//! (docs/kernel/information.md, "History").

use engine::ids::{NodeId, PatternId, VerbId};
use engine::program::{ArgMatch, Node, OwnRead, Program, reads_any};

/// Marks the verbs whose events are kept with their cards.
pub(crate) fn keep_witnessed(program: &mut Program) {
    let asked = program.nodes.rows().iter().filter_map(|node| match node {
        Node::Happened(pattern, _) | Node::Latest(pattern, _) | Node::Events(pattern, _) => Some(*pattern),
        _ => None,
    });
    let witnessed: Vec<VerbId> = asked.flat_map(|pattern| witnessed_by(program, pattern)).collect();
    for verb in witnessed {
        if let Some(def) = program.verbs.get_mut(verb) {
            def.witnessed = true;
        }
    }
}

/// The verbs of a pattern whose conditions read properties of cards.
fn witnessed_by(program: &Program, pattern: PatternId) -> Vec<VerbId> {
    let Some(pattern) = program.patterns.get(pattern) else { return Vec::new() };
    let of_all = reads_cards(program, pattern.condition);
    let of_each = |matched: &ArgMatch| matches!(matched, ArgMatch::All(_, condition) if reads_cards(program, *condition));
    let events = pattern.events.iter().filter(|event| of_all || event.args.iter().any(|(_, matched)| of_each(matched)));
    events.map(|event| event.verb).collect()
}

/// Whether an expression reads a property of a card that may change while the card stays.
fn reads_cards(program: &Program, id: NodeId) -> bool {
    reads_any(program, id, &mut |node| match node.own_read() {
        OwnRead::State(state) => program.states.get(state).is_some_and(|state| !state.on_players),
        OwnRead::Field(_) | OwnRead::Types | OwnRead::Control | OwnRead::Abilities => true,
        OwnRead::Place | OwnRead::Lying | OwnRead::Identity => true,
        _ => matches!(node, Node::In(..)),
    })
}
