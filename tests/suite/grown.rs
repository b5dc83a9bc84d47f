//! A program can be finished from an earlier program. It is then equal to a program that is
//! finished from nothing, and the nodes that both have are not analysed again.
#![allow(clippy::unwrap_used, reason = "tests")]

use gyoji::compile::Compiler;
use gyoji::engine::machine::Runnable;
use gyoji::engine::program::Program;
use gyoji::project::{Places, Project, embedded_games, load};
use std::sync::Arc;

/// Every so-many-th card of the pool is added again.
const EVERY: usize = 16;

/// The pool's cards, and some of them again under other numbers.
fn with_more_cards(game: &Compiler) -> Compiler {
    let mut compiler = game.clone();
    for (at, card) in game.pool().iter().step_by(EVERY).enumerate() {
        let (mut decl, abilities) = card.as_ref().clone();
        decl.number.text = format!("AGAIN-{at}");
        compiler.add_card(&decl, &abilities);
    }
    compiler
}

/// The program as text, without the number of nodes that it shares with the earlier program.
fn told(program: &Arc<Program>) -> String {
    format!("{:?}", Program { common: 0, ..program.as_ref().clone() })
}

#[test]
fn a_program_that_goes_on_from_an_earlier_one_comes_out_the_same() {
    for name in embedded_games() {
        let (game, _) = load(&name, &Places::default(), None::<&Project>).unwrap();
        let mut from = game.compiler.clone();
        let earlier = from.finished();
        from.go_on_from(Runnable::new(Arc::clone(&earlier)));
        let (whole, gone_on) = (with_more_cards(&game.compiler), with_more_cards(&from));
        let (program, same) = (whole.finished(), gone_on.finished());
        assert_eq!(told(&program), told(&same), "{name}");
        // If the rules name a card, and a new card has the same name, then no node is shared.
        assert!(same.common == earlier.nodes.len() || same.common == 0, "{name}");
        let (anew, on) = (Runnable::new(Arc::clone(&same)), gone_on.as_runnable(Arc::clone(&same)));
        assert_eq!(format!("{anew:?}"), format!("{on:?}"), "{name}");
    }
}

#[test]
fn most_is_known_of_a_game_that_gets_a_card_more() {
    let (game, _) = load("kiseki", &Places::default(), None::<&Project>).unwrap();
    let mut from = game.compiler.clone();
    from.go_on_from(Runnable::new(from.finished()));
    assert!(with_more_cards(&from).finished().common > 1000);
}
