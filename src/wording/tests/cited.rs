//! Tests of where a template's citations go: to the nodes that its script writes. Those of a value go to the node that contains it.

use super::{read, wording_of};
use lang::diagnostic::Sources;
use lang::syntax::ast::{Ability, AbilityBody, Cite};

const TEMPLATES: &str = "
    category ability: ability
    category what: value
    category change: clauses
    category body: statements
@1  ability 「${c: change}。」 -> ability static { $c }
@2  change 「強い」 -> clauses { modify this { win + 1 } }
    ability 「${b: body}。」 -> ability on_show { $b }
@3  body 「${w: what}を引く」 -> { take($w) }
    body 「まず${b: body}」 -> { @4 stop  @5 $b }
@6  what 「鯛」 -> tai
@7  ability 「山に6枚。」 -> ability deck { copies by number <= 6 }
";

fn check(more: &str, text: &str, expected: &[&[&str]]) {
    let mut sources = Sources::default();
    let files = [
        ("small.rules", format!("gyoji 1\n\nwording small {{{TEMPLATES}}}\n")),
        ("more.rules", format!("gyoji 1\n\nwording more {{\n{more}\n}}\n")),
    ];
    let (wording, errors) = wording_of(&mut sources, &files);
    assert!(errors.is_empty(), "{errors:?}");
    let reading = read(&mut sources, &wording, text);
    assert_eq!(reading.abilities.iter().map(cited).collect::<Vec<_>>(), [expected], "{:?}", reading.diagnostics);
}

/// The citations of an ability, then of each thing in it.
fn cited(ability: &Ability) -> Vec<Vec<&str>> {
    fn ids(cites: &[Cite]) -> Vec<&str> {
        cites.iter().map(|cite| cite.id.as_str()).collect()
    }
    let inside: Vec<Vec<&str>> = match &ability.kind {
        AbilityBody::Kind(_, block) => block.statements.iter().map(|statement| ids(&statement.cites)).collect(),
        AbilityBody::Static(_, clauses) => clauses.iter().map(|clause| ids(&clause.cites)).collect(),
        AbilityBody::Deck(limits) => limits.iter().map(|limit| ids(limit.cites())).collect(),
        _ => Vec::new(),
    };
    std::iter::once(ids(&ability.cites)).chain(inside).collect()
}

#[test]
fn an_ability_and_its_clauses_cite_their_own_templates() {
    check("", "強い。", &[&["1"], &["2"]]);
}

#[test]
fn a_value_cites_where_it_ends() {
    check("", "鯛を引く。", &[&[], &["3", "6"]]);
}

#[test]
fn a_citation_before_a_hole_goes_with_what_fills_it() {
    check("", "まず鯛を引く。", &[&[], &["4"], &["3", "6", "5"]]);
}

#[test]
fn a_limit_of_the_deck_cites_its_template() {
    check("", "山に6枚。", &[&["7"], &["7"]]);
}

#[test]
fn a_template_said_again_is_the_same_one_with_more_rules() {
    check("@8  what 「鯛」 -> tai", "鯛を引く。", &[&[], &["3", "6", "8"]]);
}

#[test]
fn what_a_meaning_says_is_its_own_rule_beside_the_templates() {
    let more = "@8 meaning took(what) -> took($what)
        meaning leave() -> { stop  @10 stop }
        @9 body 「${w: what}を取る」 -> { took($w)  leave() }
        body 「${w: what}を取り出す」 -> { took($w)  leave() }";
    check(more, "鯛を取る。", &[&[], &["9", "8", "6"], &["9"], &["10", "9"]]);
    check(more, "鯛を取り出す。", &[&[], &["8", "6"], &[], &["10"]]);
}

/// The rules beside `take meaning` go to the meaning, in all templates, as if the game had written the meaning itself.
#[test]
fn the_rules_beside_a_taken_meaning_are_those_of_the_meaning() {
    let more = "meaning took(what) -> took($what)
        body 「${w: what}を取る」 -> { took($w)  stop }
        @8 take meaning took";
    check(more, "鯛を取る。", &[&[], &["8", "6"], &[]]);
}

#[test]
fn the_rules_beside_take_are_those_of_what_has_none() {
    let more = "@8 meaning took(what) -> took($what)
        family taking() { body 「${w: what}を取る」 -> { took($w)  stop } }
        @9 take taking()";
    check(more, "鯛を取る。", &[&[], &["8", "6"], &["9"]]);
}
