//! Tests of the deck check: general limits, and cards that change their own.

use super::{BASE, compiled, shown};
use crate::check_deck;
use lang::diagnostic::Sources;

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

/// The findings for a deck under these limits, with a field `win` and a reading `form`.
fn refused_under(limits: &str, cards: &[(usize, &str)]) -> String {
    let mut sources = Sources::default();
    let rules = format!("{BASE}reading form \"\" {{ short default  long }}\ndeck check {{ {limits} }}\n");
    let printed = "card \"B-1\" unit \"え\" { win 1 }\ncard \"B-2\" unit \"え\" { win 1 }\ncard \"B-3\" unit \"え\" { win 2 }\n\
        card \"B-4\" unit \"お\" { win 1 }\n";
    let (compiler, found) = compiled(&mut sources, &rules, printed);
    assert_eq!(shown(&sources, &found), "");
    let deck: Vec<_> = cards.iter().flat_map(|(count, name)| std::iter::repeat_n(compiler.cards_called(name)[0], *count)).collect();
    shown(&sources, &check_deck(compiler.program(), &deck))
}

#[test]
fn copies_by_several_have_all_of_them_in_common() {
    assert_eq!(refused_under("copies by name, win <= 2", &[(2, "B-1"), (2, "B-3"), (2, "B-4")]), "");
    insta::assert_snapshot!(refused_under("copies by name, win <= 2", &[(2, "B-1"), (1, "B-2")]), @"E0702 the deck has 3 copies of `B-1` え, and the deck check asks for `<= 2`");
}

#[test]
fn a_limit_counts_the_cards_that_it_says() {
    assert_eq!(refused_under("copies by name <= 1 where win > 1", &[(5, "B-1"), (1, "B-3")]), "");
    insta::assert_snapshot!(refused_under("copies by name <= 1 where win != 1", &[(1, "B-1"), (2, "B-3")]), @"E0702 the deck has 2 copies of `B-3` え, and the deck check asks for `<= 1`");
    // If no card of a group fits the limit's `where`, the group is not checked.
    assert_eq!(refused_under("copies by name == 1 where win > 1", &[(5, "B-4"), (1, "B-3")]), "");
    assert!(refused_under("copies by name == 1 where win > 1", &[(2, "B-3")]).contains("E0702"));
    insta::assert_snapshot!(refused_under("size == 1 where win == 2", &[(5, "B-1")]), @"E0701 the deck has 0 cards, and the deck check asks for `== 1`");
}

#[test]
fn a_limit_of_another_reading_does_not_hold() {
    assert_eq!(refused_under("size == 9 when form is long", &[(1, "B-1")]), "");
    insta::assert_snapshot!(refused_under("size == 9 when form is short", &[(1, "B-1")]), @"E0701 the deck has 1 cards, and the deck check asks for `== 9`");
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
