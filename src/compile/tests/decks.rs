//! The deck check: general limits, and cards that change theirs.

use super::{BASE, compiled, shown};
use crate::compile::check_deck;
use crate::diagnostic::Sources;

const CARDS: &str = "card \"A-1\" unit \"あ\" { win 1 }\n\
    card \"A-2\" unit \"い\" { win 2  script { deck { copies by number <= 4 } } }\n\
    card \"A-3\" unit \"う\" { win 3  script { deck { copies by number <= 1 } deck { copies by number <= 2 } } }\n";

fn refused(cards: &[(usize, &str)]) -> String {
    let mut sources = Sources::default();
    let rules = format!("{BASE}deck check @5-1 {{ @5-1-1 size == 6  @5-1-2 copies by number <= 2 }}\n");
    let (compiler, found) = compiled(&mut sources, &rules, CARDS);
    assert_eq!(shown(&sources, &found), "");
    let deck: Vec<_> = cards.iter().flat_map(|(count, name)| std::iter::repeat_n(compiler.cards_called(name)[0], *count)).collect();
    shown(&sources, &check_deck(compiler.program(), &deck))
}

#[test]
fn a_legal_deck_has_no_findings() {
    assert_eq!(refused(&[(2, "A-1"), (4, "A-2")]), "");
}

#[test]
fn each_broken_limit_is_named_with_its_rule() {
    insta::assert_snapshot!(refused(&[(3, "あ"), (2, "A-3")]), @r"
    E0701 the deck has 5 cards, and the deck check asks for `== 6` (refused because @5-1-1)
    E0702 the deck has 3 copies of `A-1` あ, and the deck check asks for `<= 2` (refused because @5-1-2)
    E0702 the deck has 2 copies of `A-3` う, and the deck check asks for `<= 1`
    ");
    insta::assert_snapshot!(refused(&[(5, "A-2"), (1, "A-1")]), @"E0702 the deck has 5 copies of `A-2` い, and the deck check asks for `<= 4`");
}
