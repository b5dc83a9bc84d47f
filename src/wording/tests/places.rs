//! Warnings about values look into every declaration of the rules.

use crate::{amounts, unprinted};
use lang::diagnostic::{Diagnostic, FileId};
use lang::syntax::ast::{Ability, CardDecl};
use lang::syntax::{parse_cards, parse_rules};

/// The codes of a warning about these rules and cards.
fn codes(rules: &str, warning: impl FnOnce(&[std::sync::Arc<lang::syntax::ast::Decl>]) -> Vec<Diagnostic>) -> Vec<&'static str> {
    let (file, errors) = parse_rules(FileId(0), &format!("gyoji 1\n{rules}\n"));
    assert_eq!(errors, [], "{rules}");
    warning(&file.items).iter().map(|finding| finding.code).collect()
}

#[test]
fn an_amount_is_found_in_every_declaration() {
    let places = [
        "rule r(p: player) immediately when top N of deck(p) is empty { }",
        "action a(p: player) \"a\" when count(top N of deck(p)) > 0 { }",
        "option o(c: card in top N of deck(p)) \"o\" by p in main attempt { }",
        "card unit \"u\" { near \"n\" : number = count(top N of deck(you)) }",
        "event e(p: player) when count(top N of deck(p)) falls",
        "match m(p: player) { units u in top N of deck(p) }",
        "setup { repeat N { } }",
    ];
    for place in places {
        assert_eq!(codes(&place.replace('N', "0"), |decls| amounts(decls, std::iter::empty())), ["E0297"], "{place}");
        assert_eq!(codes(&place.replace('N', "1"), |decls| amounts(decls, std::iter::empty())), [""; 0], "{place}");
    }
}

#[test]
fn a_name_that_any_statement_gives_to_a_card_is_known() {
    let (cards, errors) =
        parse_cards(FileId(1), "gyoji 1\ncards small\ncard \"A\" unit \"石\" { script { on_show { take(f where it.name == \"鯛\") } } }\n");
    assert_eq!(errors, []);
    let given = "lasting turn { modify f { name = \"鯛\" } }";
    let granted = "lasting turn { grant f { name = \"鯛\" } }";
    let places =
        ["setup { B }", "turn { phase main \"m\" { B } }", "option o() \"o\" by p in main { B }", "ability k \"k\" of unit { } { B }"];
    for place in places {
        for (body, missing) in [(given, 0), (granted, 0), ("", 1)] {
            let all = cards.items.iter().map(|card| -> (&CardDecl, &[Ability]) { (card, card.script.as_deref().unwrap_or(&[])) });
            let found = codes(&place.replace('B', body), |decls| unprinted(decls, all, (&[], &[])));
            assert_eq!(found.len(), missing, "{place} {body}: {found:?}");
        }
    }
}
