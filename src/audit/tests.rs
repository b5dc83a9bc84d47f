//! Tests of the walk over declarations: every listed place is broken by its number.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::breaker::{Breaker, Reach, Site};
use super::kind::Kind;
use lang::diagnostic::Sources;
use lang::syntax::ast::{Decl, DeclKind};
use lang::syntax::parse_rules;
use std::sync::Arc;

fn decls(sources: &mut Sources, text: &str) -> Vec<Decl> {
    let text = format!("gyoji 1\n{text}\n");
    let (file, found) = parse_rules(sources.add("x.rules", text.as_str()), &text);
    assert!(found.is_empty(), "{found:#?}");
    file.items.into_iter().map(Arc::unwrap_or_clone).collect()
}

fn sites(decl: &Decl) -> Vec<Site> {
    let mut breaker = Breaker::listing();
    breaker.decl(&mut decl.clone());
    breaker.sites
}

/// Compares the places, each as `kind text` with the innermost rules.
fn check(text: &str, expect: &[&str]) {
    let mut sources = Sources::default();
    let decl = decls(&mut sources, text).remove(0);
    let said: Vec<String> = sites(&decl)
        .iter()
        .map(|site| {
            let rules: String = site.cites.iter().map(|id| format!(" @{id}")).collect();
            format!("{} {}{rules}", site.kind.word(), sources.text(site.span))
        })
        .collect();
    assert_eq!(said, expect);
}

#[test]
fn statements_and_players() {
    check(
        "action take(p: player) @1 {\n@2  draw(p, 2)\n    move(top of pile(opponent(p)), hold(p))\n}",
        &[
            "left_out draw(p, 2) @2",
            "swapped draw(p, 2) @2",
            "may draw(p, 2) @2",
            "other_player p @2",
            "one_more 2 @2",
            "one_less 2 @2",
            "left_out move(top of pile(opponent(p)), hold(p)) @1",
            "may move(top of pile(opponent(p)), hold(p)) @1",
            "other_end top of pile(opponent(p)) @1",
            "other_player opponent(p) @1",
            "other_player p @1",
        ],
    );
}

/// An empty `else` states what a false condition means. So for its rules only the condition is broken.
#[test]
fn rules_behind_braces_and_else() {
    let condition =
        ["always count(s) < 3 @2", "negated count(s) < 3 @2", "one_more 3 @2", "one_less 3 @2", "left_out a() @1", "may a() @1"];
    let empty = ["left_out if count(s) < 3 { @1 a() } else @2 { }"];
    check("procedure x() {\n  if count(s) < 3 { @1 a() } else @2 { }\n}", &[&empty[..], &condition].concat());
    let full = ["left_out if count(s) < 3 { @1 a() } else @2 { b() }", "swapped if count(s) < 3 { @1 a() } else @2 { b() } @4"];
    let behind = ["left_out { b() } @2", "left_out b() @2", "may b() @2", "left_out d() @4", "may d() @4"];
    check("procedure x() {\n  if count(s) < 3 { @1 a() } else @2 { b() }\n  @4 d()\n}", &[&full[..], &condition, &behind].concat());
    check(
        "procedure x() {\n  loop {\n    b()\n  } @3\n  @4 d()\n}",
        &[
            "left_out loop {\n    b()\n  } @3",
            "open } @3",
            "swapped loop {\n    b()\n  } @3 @4",
            "left_out b()",
            "may b()",
            "left_out d() @4",
            "may d() @4",
        ],
    );
    check(
        "procedure x() {\n  finally {\n    b()\n  } @3\n  @4 d()\n}",
        &[
            "left_out finally {\n    b()\n  } @3",
            "open } @3",
            "swapped finally {\n    b()\n  } @3 @4",
            "unbound finally {\n    b()\n  } @3",
            "left_out b()",
            "may b()",
            "left_out d() @4",
            "may d() @4",
        ],
    );
}

/// A condition is tried on the scenarios in which it was false. The tally finds these by the place of the whole statement.
#[test]
fn a_condition_reaches_as_far_as_its_statement() {
    let mut sources = Sources::default();
    let text = "procedure x() {\n  if count(s) < 3 { a() } else @2 { b() }\n}";
    let decl = decls(&mut sources, text).remove(0);
    let always = sites(&decl).into_iter().filter(|site| site.kind == Kind::Always);
    let places = always.filter_map(|site| if let Reach::Statement(place) = site.reach { Some(place) } else { None });
    let said: Vec<&str> = places.map(|place| sources.text(place)).collect();
    assert_eq!(said, ["if count(s) < 3 { a() } else @2 { b() }"]);
}

#[test]
fn conditions_and_choices() {
    check(
        "procedure x() {\n  if count(s) < 3 and not done { choose c: 1 from s by you secretly }\n}",
        &[
            "left_out if count(s) < 3 and not done { choose c: 1 from s by you secretly }",
            "always count(s) < 3 and not done",
            "negated count(s) < 3",
            "one_more 3",
            "one_less 3",
            "negated not done",
            "left_out choose c: 1 from s by you secretly",
            "chooser you",
            "negated c",
            "may 1",
            "one_more 1",
            "one_less 1",
        ],
    );
}

#[test]
fn declarations() {
    check(
        "zone z @1 { each player @2  public @3  at most 1 }",
        &["left_out each player @2", "negated public @3", "left_out public @3", "left_out at most 1 @1", "one_more 1 @1", "one_less 1 @1"],
    );
    check("enum e { a \"A\"  b \"B\" }", &["swapped b \"B"]);
    check(
        "rule r(p: player) @9 immediately when z(p) becomes empty { lose(p) }",
        &[
            "removed rule r(p: player) @9 immediately when z(p) becomes empty { lose(p) } @9",
            "other_player p @9",
            "left_out lose(p) @9",
            "may lose(p) @9",
            "other_player p @9",
        ],
    );
}

/// If the word of an entry also counts without the entry, the break takes another word. Other entries are left out.
#[test]
fn policies() {
    check(
        "policy replacement { @7 each = once_per_event @8 optional = if_possible @9 order = affected }",
        &["other_word each @7", "left_out optional @8", "other_word order @9"],
    );
    check("policy triggers { state = chosen  lost = performed }", &["left_out state", "other_word lost"]);
}

/// Each listed place is broken by its number and by no other. Breaks that all cards share are carried out on the cards.
#[test]
fn what_is_listed_is_broken() {
    let mut sources = Sources::default();
    let std = [
        include_str!("../../rules/std/japanese_sentences.rules"),
        include_str!("../../rules/std/japanese_looking.rules"),
        include_str!("../../rules/std/japanese_card_prohibitions.rules"),
    ];
    for rules in [include_str!("../scenario/tests/micro.rules")].into_iter().chain(std) {
        for decl in decls(&mut sources, rules.trim_start().trim_start_matches("gyoji 1")) {
            let mut broken = Vec::new();
            for (nth, site) in sites(&decl).iter().enumerate() {
                let mut copy = decl.clone();
                let left = Breaker::breaking(nth, false).decl(&mut copy);
                let with_cards = matches!(decl.kind, DeclKind::CardType(..) | DeclKind::AbilityKind(..));
                let changed = copy != decl || left == super::break_decl::Left::Nothing;
                assert!(changed || with_cards && matches!(site.kind, Kind::Blank | Kind::Removed), "{site:?}");
                if changed && left == super::break_decl::Left::All {
                    assert!(!broken.contains(&copy), "twice the same: {site:?}");
                    broken.push(copy);
                }
            }
        }
    }
    assert_eq!(Kind::ALL.map(|kind| Kind::named(kind.word())), Kind::ALL.map(Some));
}
