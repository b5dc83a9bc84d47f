//! What a designer of a game on nine shrines found: cards of one name on a board of places, and messages about slips
//! (tests/fixtures/yashiro).

use crate::cli::{check, gyoji, path, said};
use std::path::PathBuf;

const YASHIRO: &str = "tests/fixtures/yashiro";

/// A copy of the game in which `from` is replaced by `to` in this file.
fn slip(name: &str, file: &str, from: &str, to: &str) -> PathBuf {
    let folder = crate::cli::folder(&format!("shrines_{name}")).join("yashiro");
    crate::cli::copy(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(YASHIRO), &folder);
    let file = folder.join(file);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
    folder
}

/// What `check` says about such a copy.
fn of_slip(name: &str, file: &str, from: &str, to: &str) -> String {
    let folder = slip(name, file, from, to);
    let (code, out, err) = said(&gyoji(&["check", path(&folder), "--lang", "en"], ""));
    assert_eq!(code, 1, "{out}{err}");
    // Long lines are broken.
    (out + &err).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What `play` shows at a scenario's position, when the first people type these lines.
fn played(part: &str, typed: &str) -> String {
    let scenario = format!("{YASHIRO}/yashiro.scenarios:{part}");
    let run = ["play", YASHIRO, "--scenario", &scenario, "--seat", "a=human", "--seat", "b=human", "--lang", "en"];
    let (_, out, _) = said(&gyoji(&run, typed));
    out
}

/// Ways to act with cards of one name say where each card lies, and its states. Names that no other card has stay alone.
#[test]
fn ways_to_act_with_cards_of_one_name_are_told_apart() {
    let out = played("the position", "");
    for way in
        ["step(「子狐」 (west, charms 2), s: east)", "step(「子狐」 (east), s: east)", "tell(「子狐」 (east))", "step(「山犬」, s: east)"]
    {
        assert!(out.contains(way), "{way}\n{out}");
    }
    // The shown words can be typed.
    let out = played("the position", "step(「子狐」 (east), s: centre)\n");
    assert!(out.contains("「子狐」: field → field (centre)"), "{out}");
}

/// Everybody sees where a card lies in its zone, and in the trace where it goes.
#[test]
fn the_places_of_the_opponents_traps_are_shown() {
    let out = played("a trap is laid", "");
    assert!(out.contains("[face down] (west)"), "{out}");
    assert!(!out.lines().any(|line| line.contains("snares") && line.contains("灯")), "{out}");
}

/// A table shows who controls the cards of a zone that all share. A computed value is shown without a printed one.
#[test]
fn a_shared_zone_shows_whose_cards_lie_there() {
    let out = played("the position", "");
    assert!(out.contains("b: 「山犬」 power 2 (centre)") && out.contains("a: 「子狐」 power 1 (east)"), "{out}");
    assert!(out.contains("「灯」 power 1") && !out.contains("printed"), "{out}");
}

/// A failed ruling writes a position as scenarios do: the owner, and the number of equal cards before the place.
#[test]
fn a_failed_ruling_writes_the_cards_as_a_position_does() {
    let folder = slip("failed", "yashiro.scenarios", "x.site == centre", "x.site == east");
    let scenarios = folder.join("yashiro.scenarios");
    let text = std::fs::read_to_string(&scenarios).unwrap();
    std::fs::write(&scenarios, text.replace("\"山犬\" of b at centre, \"山犬\" at centre", "\"山犬\" x2 of b at centre, \"山犬\" at east"))
        .unwrap();
    check(&["test", path(&folder), "--lang", "en"], "", 1, &["山犬 x2 of b at centre", "山犬 at east"]);
}

/// `check` looks at the places of cards, the seats that states hold, and the arguments of options.
#[test]
fn check_knows_places_seats_and_arguments() {
    let slips = [
        ("place", "\"子狐\" at east as y", "\"子狐\" at eats as y", &["E0537", "`east`"][..]),
        ("seat", "lead = a  field", "lead = c  field", &["E0501", "`a`, `b`"]),
        ("holder", "a { hand:", "a { lead = a  hand:", &["E0513"]),
        ("state", "a { hand:", "a { fane = 1  hand:", &["E0507", "known: `fame`"]),
        ("game", "lead = a  field", "lead = a  goal = 1  field", &["E0507", "game has no state `goal`", "known: `lead`"]),
        ("value", "step(x, s: centre)", "step(x, s: moon)", &["E0231", "`west`, `centre`, `east`"]),
        ("name", "step(x, s: centre)", "step(x, t: centre)", &["E0555", "`step` takes `c`, `s`"]),
        ("number", "step(x, s: centre)", "step(x, west, centre)", &["E0555", "`step` takes `c`, `s`"]),
    ];
    for (name, from, to, words) in slips {
        let said = of_slip(name, "yashiro.scenarios", from, to);
        assert!(words.iter().all(|word| said.contains(word)), "{name}: {said}");
    }
}

/// Slips in rules, and what the message says about each.
#[test]
fn slips_in_rules_are_named_once_with_what_to_write() {
    let once = of_slip("field", "game.rules", "it.controller == p", "it.controler == p");
    assert_eq!(once.matches("E0222").count(), 1, "{once}");
    let slips = [
        ("from", "1 from range(0, 3) by p", "1 from p.fame by p", &["E0204", "`range(0, n)`"][..]),
        ("type", "tell(c: spirit in", "tell(c: monster in", &["E0201", "card types of this game: `spirit`"]),
        ("symbol", "1 from range(0, 3) by p", "1 from [朱, 碧] by p", &["E0201", "declare an `enum`"]),
        ("sizes", "turn {", "deck check {\n  size == 30\n  size == 31\n}\n\nturn {", &["E0254", "`size == 31` contradicts `size == 30`"]),
    ];
    for (name, from, to, words) in slips {
        let said = of_slip(name, "game.rules", from, to);
        assert!(words.iter().all(|word| said.contains(word)), "{name}: {said}");
    }
}

/// Slips in scenarios and cards.
#[test]
fn slips_in_scenarios_say_what_to_write() {
    let slips = [
        ("bare", "a { hand: \"灯\", \"山犬\" }", "a { hand: 灯 }", &["E0101", "names of cards stand in quotation marks: `\"灯\"`"][..]),
        (
            "comma",
            "a { hand: \"灯\", \"山犬\" }",
            "a { hand: \"灯\", snares: \"山犬\" at west }",
            &["E0101", "between `snares` and what stands"],
        ),
        ("equals", "x.site == centre", "x.site = centre", &["E0128", "did you mean `==`?"]),
    ];
    for (name, from, to, words) in slips {
        let said = of_slip(name, "yashiro.scenarios", from, to);
        assert!(words.iter().all(|word| said.contains(word)), "{name}: {said}");
    }
    let folder = slip("must", "yashiro.scenarios", "lead = a  field", "field");
    check(&["test", path(&folder), "--lang", "en"], "", 1, &["E0549", "`game.lead exists` has to be true"]);
}

/// A deck that names a card which cannot be read is no second finding. The nearest number is one with the same letter.
#[test]
fn decks_are_no_second_finding() {
    let folder = slip(
        "quotation",
        "things.cards",
        "card \"K01\" spirit \"子狐\" { might 1 }",
        "card \"K01\" spirit \"子狐\" { might 1  text 「疾風 }",
    );
    std::fs::create_dir(folder.join("decks")).unwrap();
    std::fs::write(folder.join("decks/d.ron"), "(name: \"d\", cards: [(3, \"K01\")])").unwrap();
    let (_, out, err) = said(&gyoji(&["check", path(&folder), "--lang", "en"], ""));
    assert!((out.clone() + &err).contains("E0104") && !(out.clone() + &err).contains("E0703"), "{out}{err}");
    let folder = slip("near", "things.cards", "might 2", "might 3");
    std::fs::create_dir(folder.join("decks")).unwrap();
    std::fs::write(folder.join("decks/d.ron"), "(name: \"d\", cards: [(3, \"K2\")])").unwrap();
    check(&["check", path(&folder), "--lang", "en"], "", 1, &["did you mean `K02`?"]);
}

/// Slips in a wording are named once, at the line of the game.
#[test]
fn slips_in_a_wording_are_named_once() {
    const GAME_ACTIONS: &str =
        "action banish(c: card) { move(c, hand(c.owner)) }\n\naction gain(p: player, n: number) { p.fame = p.fame + n }\n\nturn {";
    const WORDING: &str = "gyoji 1\n\nuse std\n\nwording yashiro {\n  verb 祓う 五段\n  take done_to(祓う, banish)\n  act 「気を${n: numeral}得る」 -> { gain(you, $n) }\n}\n";
    let said_of = |name: &str, from: &str, to: &str| {
        let folder = slip(name, "game.rules", "turn {", GAME_ACTIONS);
        assert!(WORDING.contains(from), "{from}");
        std::fs::write(folder.join("wording.rules"), WORDING.replace(from, to)).unwrap();
        let (_, out, err) = said(&gyoji(&["check", path(&folder), "--lang", "en"], ""));
        out + &err
    };
    let taken = said_of("taken", "banish)", "banishh)");
    assert_eq!(taken.matches("E0201").count(), 1, "{taken}");
    assert!(taken.contains("wording.rules:7:") && taken.contains("`banish`") && !taken.contains("<std/"), "{taken}");
    let class = said_of("class", "五段", "五弾");
    assert!(class.contains("E0454") && class.contains("`五段`") && !class.contains("E0401"), "{class}");
    let used = said_of("used", "use std", "use stdd");
    assert!(used.contains("E0850") && !used.contains("E0401") && !used.contains("E0454"), "{used}");
}

/// A game without a `turn` says so.
#[test]
fn a_game_without_a_turn_says_so() {
    let rules = "gyoji 1\n\ngame ask \"準備だけ\" { players 2 }\n\ncard unit \"札\" { }\n\nstate round \"回\" : number on game\n\nsetup { game.round = 1 }\n";
    let folder = crate::cli::game("without_turn", rules);
    check(
        &["simulate", "--rules", path(&folder), "--games", "1", "--seed", "1", "--lang", "en"],
        "",
        1,
        &["E0656", "the game has no `turn`"],
    );
}

/// A game of `gyoji.ron` that is not there is named with its place.
#[test]
fn a_game_that_is_not_there_is_named_with_its_place() {
    let folder = crate::cli::folder("shrines_project");
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"kushi\"])\n").unwrap();
    let said = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji")).arg("check").current_dir(&folder).env("LANG", "C").output().unwrap();
    let (_, out, err) = crate::cli::said(&said);
    assert!((out.clone() + &err).contains("gyoji.ron:1:10"), "{out}{err}");
}
