//! Rules and positions that once kept the program busy without an end: they end with an error of their own, or in a moment.

use super::{check, folder, path};
use std::path::{Path, PathBuf};

/// A game with this phase and these declarations, and with the card 石 that has this script.
fn game(called: &str, declared: &str, phase: &str, script: &str) -> PathBuf {
    let folder = folder(called).join("p");
    std::fs::create_dir_all(&folder).unwrap();
    let rules = format!(
        "gyoji 1\n\ngame p \"輪\" {{ players 2 }}\n\ncard unit \"兵\" {{ power \"力\" : number }}\n\nzone field \"場\" {{ each player  public }}\n\n\
        ability automatic \"自\" {{ zones: set of zone = [field] }}\n\nchoice rest \"休\"\n\nchoice paid \"払\"\n\n\
        pool score \"点\" {{ each player  at least 0 }}\n\naction act(c: card) {{ }}\n\nduration this_turn \"この番\"\n\n\
        ability static \"常\" {{ zones: set of zone = [field] }}\n\n{declared}\n\n\
        turn {{ phase one \"一\" {{ {phase}  choose rest: 1 from players by you  expire(this_turn) }} }}\n"
    );
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    let card = format!("gyoji 1\n\ncards p\n\ncard \"A\" unit \"石\" {{ power 1  script {{ {script} }} }}\n");
    std::fs::write(folder.join("a.cards"), card).unwrap();
    folder
}

/// Runs a scenario with so many of the card in the field.
fn ends(folder: &Path, count: usize, expected: &str) {
    let given = format!("given {{ phase one  a {{ field: \"石\" as x, \"石\" x{} }} }}", count - 1);
    let scenario = format!("gyoji 1\n\nscenarios p\n\nscenario \"x\" {{\n  {given}\n  expect {{ {expected} }}\n}}\n");
    std::fs::write(folder.join("s.scenarios"), scenario).unwrap();
    check(&["test", path(folder)], "", 0, &["1 passed"]);
}

/// A hundred million rows of arguments.
#[test]
fn an_option_with_many_cards_ends_with_an_error() {
    let parameters = "a: card in field, b: card in field, c: card in field, d: card in field";
    let option = format!("option o({parameters}) by p in g when a.power + b.power + c.power + d.power == 99 {{ }}");
    let folder = game("many_rows", &option, "offer you from g or pass", "");
    ends(&folder, 20, "asked a: rest");
    ends(&folder, 100, "error E0610");
}

/// Each requirement fits each unit. Every unit was tried with a table of all others.
#[test]
fn a_match_of_very_many_units_is_asked() {
    let of = "match m(p: player) { units u in field(p)  each i in range(1, 400) needs u where i mod 2 == 0 or u.power > 0 }";
    let folder = game("many_units", of, "choose paid: m(you) by you", "");
    ends(&folder, 500, "asked a: paid");
}

/// Members that join units are placed anew for each unit that is tried. Units that fit the same requirements are tried once.
#[test]
fn a_match_of_very_many_units_of_one_sort_and_joining_members_is_asked() {
    let of = "match m(p: player) { units u in field(p)  each i in range(1, 300) needs u where u.power > i - i  \
        each j in range(1, 300) joins u where u.power > j - j }";
    let folder = game("many_joining", of, "choose paid: m(you) by you", "");
    ends(&folder, 400, "asked a: paid");
}

/// Each unit is of a sort of its own, so each has to be tried.
#[test]
fn a_match_of_very_many_sorts_of_units_and_joining_members_ends_with_an_error() {
    let of = "state rank \"位\" : number on card\n\n\
        match m(p: player) { units u in field(p)  each i in range(1, 300) needs u where u.rank > i  \
        each j in range(1, 300) joins u where u.rank > j }";
    let phase = "for c in field { c.rank = count(field where it.rank > 0) + 1 }  choose paid: m(you) by you";
    let folder = game("many_sorts", of, phase, "");
    ends(&folder, 400, "error E0651");
}

/// The cards get one another's abilities again with every act.
#[test]
fn cards_that_copy_one_another_again_and_again_have_each_ability_once() {
    let script = "when act(any c) { lasting this_turn { grant field { like abilities(field) } } }";
    let phase = |times: &str| {
        format!("for c in field {{ act(c) }}  repeat {times} {{ for e in pending {{ perform e }}  for c in field {{ act(c) }} }}")
    };
    ends(&game("copied_thrice", "", &phase("3"), script), 2, "asked a: rest");
    ends(&game("copied_on", "", &phase("9"), script), 2, "error E0646");
}

/// Two cards that make each other's ability wait. With each step one more ability waits, and each step looked at all pairs of these.
#[test]
fn abilities_that_ring_one_another_end_with_an_error_that_names_the_card() {
    let declared = "zone stack \"連\" { shared  ordered  public  holds abilities }\n\n\
        action cheer(p: player) \"囃\" { p.score = p.score + 1 }\n\nsetup { for p in players { repeat 2 { make(\"石\", field(p)) } } }";
    let phase = "cheer(you)  loop { for a in pending except stack { move(a, stack) }  if stack is empty { break }  perform top of stack }";
    let folder = game("ringing", declared, phase, "when cheer(any p) { cheer(you) }");
    ends(&folder, 2, "error E0647");
    let scenario =
        "gyoji 1\n\nscenarios p\n\nscenario \"x\" {\n  given { phase one  a { field: \"石\" x2 } }\n  expect { game goes on }\n}\n";
    std::fs::write(folder.join("s.scenarios"), scenario).unwrap();
    check(&["test", path(&folder)], "", 1, &["E0532", "E0647", "more than 10,000", "10000 of those that wait are abilities of 「石」"]);
    let run = ["simulate", "--rules", path(&folder), "--games", "2", "--seed", "1"];
    check(&run, "", 1, &["E0647", "10000 of those that wait are abilities of 「石」"]);
}

/// Each round shuffles, so no position comes back, and each position was compared with all events of the game.
#[test]
fn a_loop_that_compares_a_long_history_ends_with_an_error() {
    let declared = "zone deck \"山\" { each player  ordered  hidden }";
    let phase = "mark began  loop { if been_here { break }  shuffle(deck(you))  for c in field { act(c) }  \
        if happened act(any c) since began { for c in field { c.owner.score = 1 } } }";
    let folder = game("long_history", declared, phase, "");
    let scenario = "gyoji 1\n\nscenarios p\n\nscenario \"x\" {\n  given { phase one  a { deck: \"石\" x30  field: \"石\" } }\n  \
        expect { error E0601 }\n}\n";
    std::fs::write(folder.join("s.scenarios"), scenario).unwrap();
    check(&["test", path(&folder)], "", 0, &["1 passed"]);
}

/// Each of the blocks that wait lets two more wait. Each position looked for each of them among all others.
#[test]
fn blocks_that_put_by_blocks_end_with_an_error() {
    let declared = "procedure go() { put by { go() go() } }";
    let folder = game("put_by", declared, "go()  loop { for e in pending { perform e } }", "");
    ends(&folder, 1, "error E0647");
}

/// With each round there is one more effect, and a shield weighs each of them against those before it.
#[test]
fn effects_that_grow_beside_a_shield_end_with_an_error() {
    let phase = "loop { for c in field { lasting this_turn { modify field { power - 1 } }  if c.power > 100 { act(c) } } }";
    let folder = game("shielded", "", phase, "static { shield this from effects lowering power }");
    ends(&folder, 3, "error E0601");
}

/// A chain of calls as long as a file, and functions that nothing calls: each was compared with all others.
#[test]
fn thousands_of_routines_are_checked_in_a_moment() {
    use std::fmt::Write as _;
    let mut declared = String::new();
    for at in 0..20_000 {
        _ = writeln!(declared, "procedure p{at}() {{ p{}() }}\nfunction f{at}() -> number = {at}", at + 1);
    }
    declared.push_str("procedure p20000() { for c in field { act(c) } }\n");
    let folder = game("many_routines", &declared, "p0()", "");
    let begun = std::time::Instant::now();
    check(&["check", path(&folder)], "", 0, &["E0267"]);
    // It took minutes. The limit leaves room for a busy machine.
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

/// A ruling about an answer that takes too much work to check cannot hold, whichever way it is written.
#[test]
fn an_answer_that_takes_too_long_to_check_makes_no_ruling() {
    let together =
        "all team as c where all team as d where all team as e where all team as f where c.power + d.power + e.power + f.power > 0";
    let phase = format!("choose team: any number from field(you) together {together} by you");
    let folder = game("answer_too_long", "choice team \"組\"", &phase, "");
    let list = |from: &str, count: usize| (0..count).map(|at| format!("{from}c{at}")).collect::<Vec<_>>().join(", ");
    for (expected, code, found) in [
        (format!("possible a: team {}", list("", 3)), 0, "1 passed"),
        (format!("possible a: team {}", list("", 60)), 1, "E0661"),
        (format!("refused a: team {}", list("", 60)), 1, "E0661"),
    ] {
        let given = format!("given {{ phase one  a {{ field: {} }} }}", list("\"石\" as ", 60));
        let scenario = format!("gyoji 1\n\nscenarios p\n\nscenario \"x\" {{\n  {given}\n  expect {{ {expected} }}\n}}\n");
        std::fs::write(folder.join("s.scenarios"), scenario).unwrap();
        check(&["test", path(&folder)], "", code, &[found]);
    }
    let page = format!("{}:x", path(&folder.join("s.scenarios")));
    check(&["why", &page, &format!("can a: team {}", list("", 60)), "--lang", "en"], "", 0, &["it takes too long to find out"]);
}
