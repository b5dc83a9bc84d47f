//! What a designer of a night watch (a duel with a hidden row) and of four winds (a draft, an auction, tricks) found
//! (tests/fixtures/night_watch).

use crate::cli::{gyoji, path, said};
use std::path::Path;

/// What a command says about one of the small games: its code, and its output with single blanks, because long lines are broken.
fn run(command: &[&str], page: &str, more: &[&str]) -> (i32, String) {
    let page = format!("tests/fixtures/night_watch/{page}");
    let args: Vec<&str> = command.iter().copied().chain([page.as_str()]).chain(more.iter().copied()).chain(["--lang", "en"]).collect();
    let (code, out, err) = said(&gyoji(&args, ""));
    (code, (out + &err).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A rule that `rules` leaves out never runs, also if it comes with `use`.
#[test]
fn a_rule_of_another_folder_is_named_at_the_list() {
    let rules = "gyoji 1\n\ngame ask \"問\" { players 2 }\nuse failed_draw\nuse draw\nzone deck { each player  ordered  hidden  starts with deck }\n\
        zone hand { each player  hidden except to owner }\ncard unit \"札\" { }\npool life { each player  at least 0 }\n\
        rule dead(p: player) when p.life == 0 { lose(p) }\nrules processing { in order [dead]  until none applies }\n\
        turn { phase main { for p in players { draw(p, 1) }  apply rules } }\n";
    let checked = |name: &str, rules: &str| {
        let folder = crate::cli::game(name, rules);
        let (_, out, err) = said(&gyoji(&["check", path(&folder), "--lang", "en"], ""));
        out + &err
    };
    let out = checked("unlisted_of_std", rules);
    assert!(out.contains("E0395") && out.contains("`rules` does not list `lost_by_draw`"), "{out}");
    let out = checked("listed_of_std", &rules.replace("[dead]", "[dead, lost_by_draw]"));
    assert!(!out.contains("E0395"), "{out}");
}

/// `it has 水` is checked like `水 in it.kin`. Keywords, their labels, and values of cards are known.
#[test]
fn a_trait_behind_has_is_a_value_of_some_card() {
    let (_, out) = run(&["check"], "has_unchecked", &[]);
    assert_eq!(out.matches("E0452").count(), 2, "{out}");
    assert_eq!(out.matches("the name or value `水`").count(), 2, "{out}");
}

/// The bound of a full zone is a reason.
#[test]
fn a_full_zone_is_a_reason_with_its_citation() {
    let (code, out) = run(&["test"], "full_zone", &[]);
    assert!(code == 0 && out.contains("2 passed, 0 failed"), "{out}");
}

/// A player who can take nothing passes unasked. The failure says so, and says why the way to act was not possible.
#[test]
fn a_pass_that_nobody_asked_for_is_told_with_its_reason() {
    let (code, out) = run(&["test"], "passed_unasked", &[]);
    assert_eq!(code, 1, "{out}");
    let passed = "`a` had nothing to take at `acts` before this, and passed without being asked";
    assert_eq!(out.matches(passed).count(), 2, "{out}");
    let why = "attack(x) was not possible there: a part is not done: tire(none) (nothing to do)";
    assert_eq!(out.matches(why).count(), 2, "{out}");
    assert!(out.contains("E0522 ") && out.contains("`a` had one answer to `acts`, and it was pass"), "{out}");
    // A decision that is no offer cannot be passed.
    assert!(out.contains("answer it: `a: guess …`") && !out.contains("`b passes`"), "{out}");
}

/// The table shows the declared values of cards in play, and pools of 0.
#[test]
fn the_table_shows_values_of_cards_in_play_and_empty_pools() {
    let scenario = "tests/fixtures/night_watch/table_values/table_values.scenarios:table";
    let (_, out) = run(&["play"], "table_values", &["--scenario", scenario, "--seat", "a=human"]);
    assert!(out.contains("「岩」 power 3, 「石」 power 1") && out.contains("b coins 0"), "{out}");
}

/// A trigger that never happens is not used, and its card neither.
#[test]
fn a_trigger_is_used_when_it_is_performed() {
    let (code, out) = run(&["simulate"], "usage_untriggered", &["--games", "10", "--seed", "1", "--usage"]);
    assert!(code == 0 && out.contains("automatic 0") && out.contains(" 1 石 0"), "{out}");
}

/// The finding about two readings shows where they cut the words.
#[test]
fn two_ways_to_cut_the_words_are_shown() {
    let (_, out) = run(&["check"], "cut_in_two", &[]);
    assert!(out.contains("E0408") && out.contains("捨て | 場"), "{out}");
}

/// Without digits a hole for a number reads nothing, and without `use std` no shared word is known. Both are said.
#[test]
fn what_a_wording_lacks_is_named() {
    let (_, out) = run(&["check"], "numeral", &[]);
    assert!(out.contains("the wording declares no digits: write `digits 「0123456789」`"), "{out}");
    let (_, out) = run(&["check"], "std_forgotten", &[]);
    assert!(out.matches("E0401").count() == 1 && out.contains("write `use std`"), "{out}");
}

/// Slips of one word, each with a help that says what to write.
#[test]
fn slips_of_one_word_have_a_help() {
    let (_, out) = run(&["check"], "messages", &[]);
    let helps = [
        "a rule with `forbids` takes no parameter",
        "write `game.trump`",
        "game has no `led`",
        "`p.led`",
        "card has no `asked_by`",
        "did you mean `game.asked_by`?",
        "did you mean `players`?",
        "did you mean `down`?",
        "`(S except T) is …`",
        "the number of members of a set S is `count(S)`",
    ];
    for help in helps {
        assert!(out.contains(help), "{help}\n{out}");
    }
}

/// A question that has no known form is answered with the forms, and a misspelt card with the nearest name.
#[test]
fn the_prompt_helps_with_questions_and_names() {
    let args = ["play", "kaiun", "--seed", "1", "--seat", "a=human", "--lang", "en"];
    let (_, out, err) = said(&gyoji(&args, "why power of x\n転ばぬたるま\n"));
    let said = (out + &err).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("a question is one of these: `value x.power`, `can lay(\"X\")`"), "{said}");
    assert!(said.contains("did you mean `転ばぬだるま"), "{said}");
}

/// The log says of a card that it lies face down. A seat without a deck is told where decks lie.
#[test]
fn the_log_names_the_face_and_a_seat_without_a_deck_the_folder() {
    let (_, out, _) = said(&gyoji(&["play", "kaiun", "--seed", "1", "--lang", "en"], ""));
    assert!(out.lines().any(|line| line.contains("→ battle") && line.contains("[face down]")), "{out}");
    let folder = crate::cli::game(
        "no_deck_here",
        "gyoji 1\n\ngame ask \"問\" { players 2 }\nzone deck { each player  ordered  hidden  starts with deck }\ncard unit \"札\" { }\nturn { phase main { for p in players { lose(p) } } }\n",
    );
    std::fs::remove_dir_all(Path::new(&folder).join("decks")).unwrap();
    let (_, out, err) = said(&gyoji(&["play", path(&folder), "--lang", "en"], ""));
    let said = (out + &err).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("E0844") && said.contains("no_deck_here/decks"), "{said}");
}
