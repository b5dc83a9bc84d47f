//! Small wordings: references, recursion, ambiguity, what nothing covers.

use super::{outcome, read, told, wording_of};
use crate::diagnostic::Sources;
use crate::wording::chart::Chart;
use crate::wording::fold_text;

/// A wording of these lines; every text is `効果：` and a `word`.
fn check(lines: &str, text: &str, expected: &str) {
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    let mut shown: Vec<String> = errors.iter().map(|error| told(&sources, error)).collect();
    if shown.is_empty() {
        let reading = read(&mut sources, &wording, text);
        shown.push(outcome(&sources, &reading));
    }
    assert_eq!(shown.join("\n"), expected);
}

const LIST: &str = "
  category what: value
  ability 「${w: what}を引く。」 -> ability on_open { take($w) }
  what 「鯛」 -> tai
  what 「鯉」 -> koi
";

#[test]
fn left_recursion_is_read() {
    let lines = format!("{LIST}\n  what 「${{a: what}}の札」 -> $a.card");
    check(&lines, "鯛の札の札を引く。", "on_open { take(tai.card.card) }");
}

#[test]
fn two_scripts_are_an_error_that_shows_both() {
    let lines = format!("{LIST}\n  what 「${{a: what}}か${{b: what}}」 -> either($a, $b)");
    check(
        &lines,
        "鯛か鯉か鯛を引く。",
        "E0408 [鯛か鯉か鯛] `鯛か鯉か鯛を引く。` can be read in two ways\n    one: either(either(tai, koi), tai)\n    other: either(tai, either(koi, tai))\n    2 derivations in all",
    );
}

#[test]
fn the_same_script_twice_is_fine() {
    let lines = format!("{LIST}\n  what 「${{a: what}}か${{b: what}}」 -> $a with $b");
    check(&lines, "鯛か鯉か鯛か鯉を引く。", "on_open { take(((tai with koi) with tai) with koi) }");
}

#[test]
fn what_nothing_covers_is_underlined() {
    check(LIST, "鯛を捨てる。", "E0407 [捨てる] no template covers `捨てる`\n    nearest: 「${w}を引く。」 ← `引く。`");
}

#[test]
fn a_reference_needs_one_nearest_giver() {
    let lines = "
  category act: statements
  category two: statements
  ability 「${a: act}。」 -> ability on_open { $a }
  act 「鯛を引く」 -> { draw(tai) } gives card
  act 「鯛と鯉を引く」 -> { choose a: 1 from x  choose b: 1 from y } gives card = a gives card = b
  act 「それを捨てる」 -> { discard(the card) }
  act 「${a: act}、${b: two}」 -> { $a  $b }
  act 「もし${a: act}」 -> { if x { $a } }
  two 「それを置く」 -> { put_down(the card) }
";
    check(lines, "鯛を引く、それを置く。", "on_open { let card = draw(tai)  put_down(card) }");
    check(
        lines,
        "それを捨てる。",
        "E0404 [それを捨てる] this refers to `card`, and nothing before it in the ability gives that\n    let an earlier phrase of the same line name the objects",
    );
    check(lines, "鯛と鯉を引く、それを置く。", "E0405 [それを置く] this refers to `card`, and two givers of it are equally near");
}

#[test]
fn a_giver_in_a_block_that_was_left_is_kept() {
    let lines = "
  category act: statements
  ability 「${a: act}なら${b: act}。」 -> ability on_open { may you { $a }  if done { $b } }
  act 「鯛を引く」 -> { draw(tai) } gives card
  act 「それを置く」 -> { put_down(the card) }
";
    check(
        lines,
        "鯛を引くならそれを置く。",
        "on_open { let kept = [this] except [this]  may you { let card = draw(tai)  kept = card }  if done { put_down(kept) } }",
    );
}

#[test]
fn declarations_are_checked() {
    check(
        &format!("{LIST}\n  wat 「x」 -> x"),
        "",
        "E0401 [wat] no category or word `wat` is declared in a wording\n    did you mean `what`?",
    );
    check(
        &format!("{LIST}\n  what 「${{a: what}}x${{b: what}}」 -> $a"),
        "",
        "E0412 [「${a: what}x${b: what}」] the hole `b` is printed but its script does not use it\n    use `$b` in the script",
    );
    check(
        "  category other: value\n  levels other > ability\n  levels ability > other",
        "",
        "E0406 [ability] the category `ability` can consist of itself alone\n    take one of the levels or templates of one hole out\nE0406 [other] the category `other` can consist of itself alone\n    take one of the levels or templates of one hole out",
    );
}

#[test]
fn a_list_of_24_costs_a_polynomial() {
    let mut sources = Sources::default();
    let lines = format!("{LIST}\n  what 「${{a: what}}か${{b: what}}」 -> $a with $b");
    let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors, []);
    let text = format!("{}を引く。", vec!["鯛"; 24].join("か"));
    let signs = fold_text(&text);
    let goal = wording.grammar.category("ability").unwrap();
    let chart = Chart::parse(&wording.grammar, &signs, goal);
    let ways: usize = chart.sets.iter().flat_map(|set| &set.ways).map(Vec::len).sum();
    assert!(chart.size < signs.len() * signs.len() * 8, "{} items", chart.size);
    assert!(ways < signs.len().pow(3), "{ways} ways");
    let reading = read(&mut sources, &wording, &text);
    assert_eq!(reading.abilities.len(), 1, "{}", outcome(&sources, &reading));
}
