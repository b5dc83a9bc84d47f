//! Input that tries to break the program: changed saves, flags that
//! contradict each other, wrong kinds of files and folders, invisible signs, and numbers that are too large.

use super::limits::endless;
use super::{check, folder, gyoji, path, said, saved};
use std::path::Path;

#[test]
fn a_save_whose_numbers_were_changed_is_refused() {
    let save = saved("changed_save");
    let text = std::fs::read_to_string(&save).unwrap();
    check(&["play", "--resume", path(&save)], "q\n", 0, &["a: set card — choose one"]);
    let changes = [
        ("turn: 2", "turn: 7"),
        ("face_up: false", "face_up: true"),
        ("Bool(false)", "Bool(true)"),
        ("(\"KC-013\", 3), (\"KC-014\", 3)", "(\"KC-014\", 3), (\"KC-013\", 3)"),
        ("(\"KC-001\", 2)", "(\"KC-001\", 1)"),
        ("(\"KC-001\", 2)", "(\"KC-999\", 2)"),
        ("picks: [0]", "picks: [1]"),
    ];
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        std::fs::write(&save, text.replacen(old, new, 1)).unwrap();
        let (code, out, err) = said(&gyoji(&["play", "--resume", path(&save)], "q\n"));
        assert_eq!(code, 2, "{old} → {new}\n{out}");
        assert!(err.contains("E0837") && !out.contains("set card"), "{old} → {new}\n{out}{err}");
    }
    let seed = text.lines().find(|line| line.contains("seed: ")).unwrap();
    std::fs::write(&save, text.replacen(seed, "    seed: 12,", 1)).unwrap();
    check(&["play", "--resume", path(&save), "--lang", "ja"], "q\n", 2, &["E0837", "記録された"]);
}

/// One seat has answered, and the other seat has not. The save keeps the answer that waits.
#[test]
fn a_save_between_two_answers_goes_on() {
    let save = folder("save_between").join("save.ron");
    let both = ["play", "kaiun", "--seed", "3", "--seat", "a=human", "--seat", "b=human"];
    let (_, out, _) = said(&gyoji(&both, &format!("1\n1\ns {}\nq\n", path(&save))));
    assert!(out.contains("b: set card"), "{out}");
    assert!(std::fs::read_to_string(&save).unwrap().contains("answer: Some("), "an answer waits");
    check(&["play", "--resume", path(&save)], "1\nq\n", 0, &["b: set card — choose one", "a swap_card: "]);
}

#[test]
fn the_command_that_shows_a_game_again_names_what_it_was_played_with() {
    let folder = endless("shown_again");
    let deck = folder.join("my deck.ron");
    std::fs::write(&deck, "(name: \"d\", cards: [(2, \"X\")])").unwrap();
    let named = format!("a={}", path(&deck));
    let run = ["simulate", "--rules", path(&folder), "--games", "1", "--seed", "5", "--max-decisions", "50", "--deck", &named];
    let flags = format!("--seed 5 --number 0 --rules {} --deck 'a={}' --max-decisions 50` shows it again", path(&folder), path(&deck));
    let (code, _, err) = said(&gyoji(&run, ""));
    // The terminal breaks the message at the end of its line, so blanks are removed.
    let plain = |text: &str| text.chars().filter(|sign| !sign.is_whitespace()).collect::<String>();
    assert!(code == 1 && plain(&err).contains(&plain(&flags)), "{err}");
    let again = ["play", "--rules", path(&folder), "--seed", "5", "--number", "0", "--deck", &named, "--max-decisions", "50"];
    check(&again, "", 1, &["E0860", "after 50 decisions"]);
}

/// `simulate --random-decks` uses the same random decks as `play`.
#[test]
fn a_game_with_decks_of_its_own_is_shown_again() {
    let record = folder("random_decks").join("game.ron");
    let game = ["play", "kaiun", "--seed", "5", "--number", "3"];
    check(&[&game[..], &["--random-decks", "--record", path(&record)]].concat(), "", 0, &[]);
    let with_own = std::fs::read_to_string(&record).unwrap();
    check(&[&game[..], &["--force", "--record", path(&record)]].concat(), "", 0, &[]);
    let usual = std::fs::read_to_string(&record).unwrap();
    let decks = |text: &str| text.lines().filter(|line| line.contains("(\"KC-")).map(str::to_owned).collect::<Vec<_>>();
    assert_ne!(decks(&with_own), decks(&usual));
    assert_eq!(said(&gyoji(&[&game[..], &["--random-decks"]].concat(), "")), said(&gyoji(&[&game[..], &["--random-decks"]].concat(), "")));
}

#[test]
fn flags_that_say_two_things_are_refused() {
    let save = saved("two_things");
    for also in [["--seed", "5"], ["--deck", "a=water"], ["--number", "7"]] {
        check(&[&["play", "--resume", path(&save)][..], &also].concat(), "q\n", 2, &["E0820", "--resume"]);
    }
    let twice = ["play", "kaiun", "--seed", "1", "--deck", "a=x", "--deck", "a=y"];
    check(&twice, "", 2, &["E0875", "names seat a twice"]);
    check(&["play", "kaiun", "--seat", "b=random", "--seat", "b=human", "--lang", "ja"], "", 2, &["E0875", "二度"]);
    check(&["simulate", "kaiun", "--threads", "0"], "", 2, &["E0820", "`0` is not a value for --threads"]);
    check(&["mutants", "kaiun", "--threads", "0"], "", 2, &["E0820", "`0` is not a value for --threads"]);
    check(&["simulate", "kaiun", "--seed", "-1"], "", 2, &["E0820", "`-1` is not a value for --seed"]);
}

#[test]
fn folders_that_are_not_there_are_said_to_be() {
    for command in [&["check"][..], &["play", "kaiun"], &["test"], &["simulate", "kaiun"], &["names", "kaiun"]] {
        check(&[command, &["--cards", "no_such_folder"]].concat(), "", 2, &["E0858", "there is no `no_such_folder`"]);
        check(&[command, &["--rules", "no_such_folder"]].concat(), "", 2, &["E0858", "there is no `no_such_folder`"]);
    }
    check(&["check", "--rules", "gyoji.ron"], "", 2, &["E0894", "gyoji.ron"]);
    check(&["check", "gyoji.ron"], "", 2, &["E0876", "not a file that can be checked"]);
    check(&["check", "gyoji.ron", "--lang", "ja"], "", 2, &["E0876", "検査できるファイルではありません"]);
}

/// Runs the program in another folder.
fn run_in(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
    said(&command.args(args).current_dir(folder).env("LANG", "C").output().unwrap())
}

#[test]
fn a_project_file_that_is_none_is_said_to_be() {
    let as_folder = folder("project_folder");
    std::fs::create_dir(as_folder.join("gyoji.ron")).unwrap();
    let (code, _, err) = run_in(&as_folder, &["check"]);
    assert!(code == 2 && err.contains("E0866") && err.contains("gyoji.ron"), "{err}");
    let marked = folder("project_marked");
    std::fs::write(marked.join("gyoji.ron"), b"\xEF\xBB\xBF(games: [\"kaiun\"])").unwrap();
    assert_eq!(run_in(&marked, &["play", "--seed", "1"]).0, 0);
    let wide: Vec<u8> = "(games: [\"kaiun\"])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(marked.join("gyoji.ron"), wide).unwrap();
    let (code, _, err) = run_in(&marked, &["check"]);
    assert!(code == 2 && err.contains("E0801") && err.contains("UTF-16"), "{err}");
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_are_said_to() {
    let folder = folder("links");
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, folder.join(name)).unwrap();
    link("round", "round");
    link("not_there", "dangling.ron");
    for name in ["round", "dangling.ron"] {
        let file = folder.join(name);
        for command in ["check", "replay", "test", "fmt"] {
            check(&[command, path(&file)], "", 2, &["E0874", "a link that leads nowhere"]);
        }
        check(&["play", "kaiun", "--seed", "1", "--record", path(&file)], "", 2, &["E0874"]);
    }
    link("gyoji.ron", "gyoji.ron");
    let (code, _, err) = run_in(&folder, &["check"]);
    assert!(code == 2 && err.contains("E0874"), "{err}");
}

/// The message comes before the game, not after it.
#[test]
fn where_no_record_can_be_written_nothing_is_played() {
    let folder = folder("no_record");
    let inside = folder.join("missing").join("game.ron");
    let (code, out, err) = said(&gyoji(&["play", "kaiun", "--seed", "1", "--record", path(&inside)], ""));
    assert!(code == 2 && out.is_empty() && err.contains("E0867"), "{out}{err}");
    let (code, out, err) = said(&gyoji(&["play", "kaiun", "--seed", "1", "--record", path(&folder), "--force"], ""));
    assert!(code == 2 && out.is_empty() && err.contains("E0866"), "{out}{err}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "nothing is left of the trial");
}

const GAME: &str = "game ask \"問\" { players 2 }\n";

/// Runs `check` on a project's rules folder with one file.
fn checked(name: &str, bytes: &[u8], words: &[&str]) -> String {
    let folder = folder(name);
    let rules = folder.join("rules").join("ask");
    std::fs::create_dir_all(&rules).unwrap();
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"ask\"])").unwrap();
    std::fs::write(rules.join("ask.rules"), bytes).unwrap();
    std::fs::write(rules.join("more.rules"), "gyoji 1\n\nuse std\n").unwrap();
    let (_, out, _) = run_in(&folder, &["check"]);
    for word in words {
        assert!(out.contains(word), "{name} does not say {word}:\n{out}");
    }
    assert!(!out.contains("<std/"), "{name} points into what it uses:\n{out}");
    out
}

#[test]
fn signs_that_a_terminal_obeys_are_refused() {
    for (name, sign, said) in [("obeyed", '\u{1B}', "U+001B"), ("obeyed_wide", '\u{9B}', "U+009B"), ("obeyed_turned", '\u{202E}', "U+202E")]
    {
        let game = GAME.replace('問', &format!("問{sign}[31m"));
        let out = checked(name, format!("gyoji 1\n\n{game}").as_bytes(), &["E0142", said]);
        assert!(!out.contains(sign), "{name} shows the sign:\n{out}");
    }
}

#[test]
fn a_game_that_uses_itself_is_told_so_once() {
    let out = checked("uses_itself", format!("gyoji 1\n\n{GAME}\nuse ask\n").as_bytes(), &["E0879"]);
    assert_eq!(out.matches("E0").count(), 1, "{out}");
}

#[test]
fn a_seat_that_gets_nothing_is_told_so() {
    check(&["play", "kaiun", "--seed", "1", "--deck", "a="], "", 2, &["E0880", "--deck a="]);
    check(&["play", "kaiun", "--seed", "1", "--seat", "b="], "", 2, &["E0880", "b=human"]);
    check(&["play", "kaiun", "--seed", "1", "--deck", "q="], "", 2, &["E0832"]);
}

#[test]
fn signs_that_nobody_sees_are_named() {
    checked("unseen_blank", format!("gyoji\u{A0}1\n\n{GAME}").as_bytes(), &["E0142", "the sign U+00A0"]);
    checked("unseen_inside", format!("gyoji \u{200B}1\n\n{GAME}").as_bytes(), &["E0142", "the sign U+200B"]);
    checked("unseen_before", format!("\u{200B}gyoji 1\n\n{GAME}").as_bytes(), &["E0142", "the sign U+200B"]);
    checked("unseen_mark", format!("\u{FEFF}\u{FEFF}gyoji 1\n\n{GAME}").as_bytes(), &["E0142", "the sign U+FEFF"]);
    checked("unseen_ends", format!("gyoji 1\n\n{GAME}").replace('\n', "\r").as_bytes(), &["E0115", "end with U+000D"]);
    let turned = format!("gyoji 1\n\n{}", GAME.replace("players ", "players \u{202E}"));
    checked("unseen_later", turned.as_bytes(), &["E0142", "the sign U+202E"]);
}

#[test]
fn a_file_in_another_encoding_or_an_empty_one_is_where_the_finding_is() {
    let wide: Vec<u8> = format!("\u{FEFF}gyoji 1\n\n{GAME}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    checked("utf_16", &wide, &["E0801", "is written in UTF-16", "gyoji 1"]);
    checked("empty_rules", b"", &["E0113", "E0209", "ask.rules:1:1"]);
}

#[test]
fn numbers_that_are_too_large_are_called_so() {
    let seats = ["play", "kaiun", "--seed", "3", "--seat", "a=human"];
    check(&seats, "99999999999999999999999\n", 2, &["E0611", "99999999999999999999999"]);
    check(&["wording", "kaiun", "--try", "【開運時】カードを2147483648枚引く。"], "", 1, &["E0407", "2147483648", "too large"]);
}

#[test]
fn a_deck_row_of_no_cards_is_a_finding() {
    let folder = endless("row_of_none");
    std::fs::write(folder.join("decks").join("d.ron"), "(name: \"d\", cards: [(3, \"X\"), (0, \"X\")])").unwrap();
    let run = ["simulate", "--rules", path(&folder), "--games", "1", "--max-decisions", "9"];
    check(&run, "", 2, &["E0706", "0 copies of `X`"]);
    check(&[&run[..], &["--lang", "ja"]].concat(), "", 2, &["E0706", "枚数が 0"]);
}

/// Runs scenarios of the game that asks for ever.
fn scenarios(name: &str, text: &str, code: &str) {
    let folder = endless(name);
    let file = folder.join("ask.scenarios");
    std::fs::write(&file, format!("gyoji 1\n\nscenarios ask\n\nscenario \"x\" {{\n{text}\n  expect {{ game goes on }}\n}}\n")).unwrap();
    check(&["check", "--rules", path(&folder), path(&file)], "", i32::from(!code.is_empty()), &[code]);
    // A run stops at its first problem, and may give it another code.
    check(&["test", "--rules", path(&folder), path(&file)], "", i32::from(!code.is_empty()), &[]);
}

#[test]
fn what_chance_can_never_give_is_a_finding() {
    scenarios("no_die", "  given { die: 6 }", "E0585");
    scenarios("no_coin", "  given { coin: heads }", "E0585");
    let folder = endless("one_die");
    let rules = std::fs::read_to_string(folder.join("ask.rules")).unwrap();
    std::fs::write(folder.join("ask.rules"), rules.replace("{ shuffle(deck(p)) }", "{ let n = die(6) }")).unwrap();
    let file = folder.join("ask.scenarios");
    for (thrown, code, words) in [("6", 0, &[][..]), ("7", 1, &["E0586", "no die of this game gives 7"]), ("0", 1, &["E0586"])] {
        std::fs::write(
            &file,
            format!("gyoji 1\n\nscenarios ask\n\nscenario \"x\" {{\n  given {{ die: {thrown} }}\n  expect {{ game goes on }}\n}}\n"),
        )
        .unwrap();
        check(&["check", "--rules", path(&folder), path(&file)], "", code, words);
        check(&["test", "--rules", path(&folder), path(&file)], "", code, words);
    }
}

#[test]
fn cards_are_not_like_one_another_in_a_circle() {
    scenarios("like_itself", "  card \"鷹\" like \"鷹\" { }\n  given { }", "E0503");
    scenarios("like_later", "  card \"鷹\" like \"鳶\" { }\n  card \"鳶\" like \"鷹\" { }\n  given { }", "E0503");
    scenarios("like_earlier", "  card \"鷹\" like \"X\" { }\n  card \"鳶\" like \"鷹\" { }\n  given { }", "");
}

#[test]
fn a_range_that_is_too_long_is_no_shorter_one() {
    let folder = endless("long_range");
    let rules = std::fs::read_to_string(folder.join("ask.rules")).unwrap();
    let with = |range: &str| {
        let body = format!("{{ choose n: {range} by p }}");
        std::fs::write(folder.join("ask.rules"), rules.replace("{ shuffle(deck(p)) }", &body)).unwrap();
    };
    let file = folder.join("ask.rules");
    with("2 from range(1, 1000000000)");
    check(&["check", path(&file)], "", 1, &["E0354", "1000000000 numbers", "more than 1000"]);
    with("2 from range(1, 1000)");
    check(&["check", path(&file)], "", 0, &[]);
    // To choose one number, the number is the answer. No list is needed.
    with("1 from range(1, 1000000000)");
    check(&["check", path(&file)], "", 0, &[]);
    with("2 from range(1, 1000 * count(deck(p)))");
    check(&["check", path(&file)], "", 0, &[]);
    check(&["simulate", "--rules", path(&folder), "--games", "1", "--seed", "1", "--max-decisions", "99"], "", 1, &["E0602"]);
}

/// Checks positions with many copies of a card with this script. The test gives the number of cards, the expectation, the exit code of `test`, and its words.
fn many_of(called: &str, script: &str) -> impl Fn(usize, &str, i32, &[&str]) {
    let folder = folder(called);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/conditions");
    std::fs::copy(page.join("game.rules"), folder.join("game.rules")).unwrap();
    let card = format!("card \"C-1\" thing \"輪\" {{ power 1  script {{ {script} }} }}\n");
    std::fs::write(folder.join("things.cards"), format!("gyoji 1\ncards conditions\n\n{card}")).unwrap();
    let file = folder.join("many.scenarios");
    move |count, expected, code, says| {
        let scenario = format!("scenario \"many\" {{\n  given {{ a {{ row: \"輪\" x{count} }} }}\n  expect {{ {expected} }}\n}}\n");
        std::fs::write(&file, format!("gyoji 1\nscenarios conditions\n\n{scenario}")).unwrap();
        check(&["test", path(&file), "--rules", path(&folder), "--cards", path(&folder)], "", code, says);
    }
}

/// Once, six of these cards took fourteen seconds, and each further card took twenty times as long.
#[test]
fn effects_that_take_abilities_from_one_another_in_every_order_end_with_an_error() {
    let ends = many_of("silencing", "static while abilities(this) is not empty { strip row(you) { abilities } }");
    ends(3, "error E0609", 1, &["E0530", "no error"]);
    ends(12, "error E0609", 0, &[]);
}

/// Once, abilities that grant abilities that grant abilities had no limit. Forty-one cards took more than thirteen seconds.
#[test]
fn grants_in_grants_end_with_an_error() {
    let ends = many_of("grants", "static { grant row { static { grant row { static { modify row { power + 1 } } } } } }");
    ends(3, "all row where it.power == 28", 0, &[]);
    ends(41, "error E0646", 0, &[]);
    ends(41, "all row where it.power > 0", 1, &["E0646"]);
}

/// Once, six sets of forty cards inside one another kept the program busy for half an hour.
#[test]
fn sets_within_sets_end_with_an_error() {
    let folder = folder("sets_within_sets");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/conditions");
    let rules = std::fs::read_to_string(page.join("game.rules")).unwrap();
    std::fs::copy(page.join("things.cards"), folder.join("things.cards")).unwrap();
    let some: String = (1..=6).map(|at| format!("some row as x{at} where ")).collect();
    let condition = format!("{some} x1.power + x6.power == 0");
    let file = folder.join("many.scenarios");
    let comes_to = |rules: &str, expected: &str, code: i32, says: &[&str]| {
        std::fs::write(folder.join("game.rules"), rules).unwrap();
        let given = "given { a { row: \"工\" x40 } }";
        std::fs::write(&file, format!("gyoji 1\nscenarios conditions\n\nscenario \"many\" {{\n  {given}\n  expect {{ {expected} }}\n}}\n"))
            .unwrap();
        check(&["test", path(&file), "--rules", path(&folder), "--cards", path(&folder)], "", code, says);
    };
    comes_to(&rules, &format!("not {condition}"), 1, &["E0610"]);
    comes_to(&rules.replacen("pause()\n@12", &format!("if {condition} {{ pause() }}\n@12"), 1), "error E0610", 0, &[]);
}

/// Once, twenty thousand citations at one head took two seconds, and a hundred thousand took longer than anybody waits.
#[test]
fn of_very_many_citations_and_arguments_none_is_lost() {
    let folder = folder("many_cites");
    let (cites, members) = (" @1-1".repeat(60_000), "hand, ".repeat(20_000));
    let file = folder.join("x.rules");
    std::fs::write(
        &file,
        format!(
            "gyoji 1\n\naction x(p: player) \"x\"{cites} {{ draw(p, 1) }}\n\nability y \"y\" {{ zones: set of zone = [{members}hand] }}\n"
        ),
    )
    .unwrap();
    check(&["fmt", path(&file)], "", 0, &[]);
    check(&["fmt", "--check", path(&file)], "", 0, &[]);
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!((written.matches("@1-1").count(), written.matches("hand").count()), (60_000, 20_001));
}

/// A game with a single offer. The options of the offer come from a procedure's parameter.
const OFFERED: &str = "gyoji 1\n\ngame ask \"問\" { players 2 }\n\nzone deck \"山\" { each player  ordered  hidden  starts with deck }\n\n\
    zone hand \"手\" { each player  hidden except to owner }\n\ncard unit \"札\" { power \"力\" : number }\n\npool score \"点\" { each player  at least 0 }\n\n\
    option play(c: card in hand(p)) by p in main_actions { p.score = p.score + 1 - c.power }\n\noption rest by p in main_actions { }\n\n\
    procedure ask(p: player, what: options) { offer p from what or pass }\n\n\
    turn { phase only \"問い\" { for p in players { ask(p, main_actions)  move(top of deck(p), hand(p)) }  \
    for p in players { if p.score > 1 { win(p) } } } }\n\n\
    judgement(losing: set of player, winning: set of player) { for p in winning { finish(p) } }\n";

fn offered(name: &str) -> std::path::PathBuf {
    let folder = endless(name);
    std::fs::write(folder.join("ask.rules"), OFFERED).unwrap();
    let cards = "card \"X\" unit \"紙\" { power 0 }\n\ncard \"Y\" unit \"布\" { power 3 }\n";
    std::fs::write(folder.join("ask.cards"), format!("gyoji 1\n\ncards ask\n\n{cards}")).unwrap();
    std::fs::write(folder.join("decks").join("d.ron"), "(name: \"d\", cards: [(9, \"X\"), (9, \"Y\")])").unwrap();
    folder
}

#[test]
fn an_offer_whose_options_are_a_parameter_is_called_act() {
    let folder = offered("act");
    let file = folder.join("ask.scenarios");
    let scenario = |name: &str| {
        let text = format!("gyoji 1\n\nscenarios ask\n\nscenario \"x\" {{\n  given {{ }}\n  expect {{ asked a: {name} }}\n}}\n");
        std::fs::write(&file, text).unwrap();
    };
    scenario("main_actions");
    let run = ["check", "--rules", path(&folder), path(&file)];
    check(&run, "", 1, &["E0526", "an offer whose options come as a parameter is asked as `act`"]);
    check(&[&run[..], &["--lang", "ja"]].concat(), "", 1, &["E0526", "`act` として問われます"]);
    scenario("act");
    check(&["test", "--rules", path(&folder), path(&file)], "", 0, &["1 passed"]);
}

/// A written position names ways to act by their options and cards if these words are clear. The
/// positions include the end of a game, and a pool that its limit has held back.
#[test]
fn ways_to_act_are_written_as_they_are_played() {
    let folder = offered("acts");
    let (record, file) = (folder.join("game.ron"), folder.join("position.scenarios"));
    let rules = ["--rules", path(&folder)];
    let answers = "1\n1\n".repeat(9);
    let mut all = String::new();
    for (seed, answers) in [("1", ""), ("2", ""), ("3", answers.as_str())] {
        let seats: &[&str] = if answers.is_empty() { &[] } else { &["--seat", "a=human", "--seat", "b=human"] };
        let play = [&["play", "--seed", seed, "--force", "--record", path(&record)], &rules[..], seats].concat();
        gyoji(&play, answers);
        for at in ["3", "6", "7"] {
            let write = [&["replay", path(&record), "--force", "--at", at, "--scenario", path(&file)], &rules[..]].concat();
            check(&write, "", 0, &[]);
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(!text.contains("act [") && !text.contains("act none"), "{text}");
            all.push_str(&text);
            check(&[&["test", path(&file)], &rules[..]].concat(), "", 0, &["1 passed"]);
        }
        check(&[&["replay", path(&record), "--scenario"], &rules[..]].concat(), "", 0, &["scenarios ask"]);
    }
    assert!(["a: pass", ": play("].iter().all(|said| all.contains(said)), "{all}");
}

#[test]
fn a_yes_or_no_says_what_is_asked() {
    let folder = endless("yes_or_no");
    let seats = ["play", "--rules", path(&folder), "--seed", "1", "--seat", "a=human"];
    check(&seats, "q\n", 0, &["a: confirm — may p { shuffle(deck(p)) }"]);
    check(&[&seats[..], &["--format", "json"]].concat(), "q\n", 0, &["\"statement\":\"may p { shuffle(deck(p)) }\""]);
}

#[test]
fn the_nearest_word_is_named() {
    let folder = folder("nearest_word");
    let file = folder.join("x.rules");
    for (body, word) in [
        ("choose c: up to 2 from f by p togther count(c) > 1", "together"),
        ("if p == p adn p == p { }", "and"),
        ("judge togehter { }", "together"),
        ("let s = f wher it.x > 1", "where"),
        ("simultanously for q in players { }", "simultaneously"),
    ] {
        std::fs::write(
            &file,
            format!(
                "gyoji 1\n\ngame x \"x\" {{ players 2 }}\n\nzone f \"f\" {{ shared  public }}\n\nprocedure q(p: player) {{ {body} }}\n"
            ),
        )
        .unwrap();
        check(&["check", path(&file)], "", 1, &[&format!("did you mean `{word}`?")]);
    }
}

#[test]
fn the_name_of_a_game_stands_for_its_folders() {
    check(&["check", "kaiun"], "", 0, &[]);
    let (code, out, err) = said(&gyoji(&["test", "kaiun"], ""));
    assert!(code == 0 && out.contains(" passed, 0 failed"), "{out}{err}");
    let (code, out, err) = said(&gyoji(&["fmt", "--check", "kaiun"], ""));
    assert!(code == 0 && err.contains("files"), "{out}{err}");
    check(&["test", "vivids"], "", 2, &["E0858"]);
}

/// `fmt` writes the file that a link leads to, keeps the permissions of a file, leaves files beside it alone, and does not write over a
/// file that may not be written.
#[cfg(unix)]
#[test]
fn what_is_formatted_stays_the_file_that_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("formatted_links");
    let (real, link, beside) = (folder.join("real.txt"), folder.join("a.cards"), folder.join("a.cards.new"));
    std::fs::write(&real, "gyoji 1\ncards   x\n").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    std::fs::write(&beside, "other work").unwrap();
    check(&["fmt", path(&link)], "", 0, &[]);
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "gyoji 1\ncards x\n");
    assert!(link.is_symlink() && std::fs::read_to_string(&beside).unwrap() == "other work");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&real), 0o600);
    std::fs::write(&real, "gyoji 1\ncards   x\n").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o444)).unwrap();
    check(&["fmt", path(&link)], "", 2, &["E0868"]);
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "gyoji 1\ncards   x\n");
}

/// A lost line of the output is an error. The other end of a pipe that is closed is none.
#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run =
        std::process::Command::new(env!("CARGO_BIN_EXE_gyoji")).args(["explain", "E0203", "--lang", "en"]).stdout(full).output().unwrap();
    assert!(run.status.code() == Some(2) && String::from_utf8_lossy(&run.stderr).contains("E0823"));
}

/// A row of an index whose number cannot be cited is refused, and nothing is renumbered.
#[test]
fn a_number_that_nobody_can_cite_is_no_row() {
    let folder = folder("uncited_number");
    let index = folder.join("new.tsv");
    for id in ["a b", "$1", "１", "a}"] {
        std::fs::write(&index, format!("{id}\tmechanic\tx\n")).unwrap();
        check(&["rule", "kaiun", "--against", path(&index)], "", 1, &["E0544"]);
    }
}

/// A question that leads back to itself is refused when the rules are read. The stack overflowed.
#[test]
fn questions_that_ask_themselves_are_refused() {
    const GAME: &str = "gyoji 1\n\ngame p \"輪\" { players 2 }\n\ncard unit \"兵\" { power \"力\" : number }\n\nzone field \"場\" { each player  public }\n\n";
    let folder = folder("asking_circles");
    for wrong in [
        "rule r when rules_apply { }",
        "option o(c: card in field where can o(it)) by p in g { }",
        "option o(c: card in field(p)) by p in g when can o(c) { }",
        "action a(c: card) when not can b(c) { }\naction b(c: card) when not can a(c) { }",
        "action a(c: card) when rules_apply { }\nrule r(p: player) when can a(top of field(p)) { }",
        "match m(p: player) { units u in field(p)  each i in [1, 2] needs u where can m(p) }",
    ] {
        std::fs::write(folder.join("game.rules"), format!("{GAME}{wrong}\n")).unwrap();
        check(&["check", path(&folder)], "", 1, &["E0384"]);
    }
}

/// A text that doubles its script with each of twenty phrases took all memory.
#[test]
fn a_text_that_doubles_its_script_is_too_large() {
    let text = format!("{}UNITを1つスタンする。", "最もSTRが高い".repeat(20));
    check(&["wording", "kiseki", "--try", &text], "", 1, &["E0229", "parts of the script"]);
}

/// A script that is too large in a way in which a card of the game is too large already.
#[test]
fn a_text_is_too_large_although_a_card_was() {
    let project = folder("too_large_twice").join("tiny");
    super::copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/explain"), &project);
    let deep = (0..10).fold("true".to_owned(), |inner, _| format!("count(hand(you) where {inner} and it.power > 0) > 0"));
    let wording = project.join("rules/tiny/wording.rules");
    let written = std::fs::read_to_string(&wording).unwrap();
    let (all, _) = written.trim_end().rsplit_once('}').unwrap();
    std::fs::write(&wording, format!("{all}  act 「沈む」 -> {{ if {deep} {{ draw(you, 1) }} }}\n}}\n")).unwrap();
    let cards = project.join("cards/tiny/tiny.cards");
    let written = std::fs::read_to_string(&cards).unwrap();
    std::fs::write(&cards, written + "\ncard \"T-4\" piece \"鷺\" { power 1  text 「沈む。」 }\n").unwrap();
    let (code, out, err) = run_in(&project, &["wording", "tiny", "--try", "沈む。"]);
    assert!(code == 1 && (out.contains("E0229") || err.contains("E0229")), "{code} {out}{err}");
}

/// A game in which 4,000 effects of one sort begin, and then something happens for ever. Each change is compared with all effects.
fn with_effects(name: &str, effect: &str, act: &str, code: &str) {
    let folder = folder(name);
    let rules = format!(
        "gyoji 1\n\ngame g \"g\" {{ players 2 }}\n\ncard unit \"札\" {{ power \"力\" : number }}\n\n\
         zone deck \"山\" {{ each player  ordered  hidden }}\nzone field \"場\" {{ each player  public }}\n\
         state score \"点\" : number on player\n\nduration ever \"ずっと\"\n\n\
         action dr(p: player, n: number) \"引く\" {{ repeat n {{ move(top 1 of deck(p), field(p)) }} }}\n\n\
         turn {{ phase one \"一\" {{ for p in players {{ acting as p {{\n\
         repeat 4000 {{ let n = you.score  lasting ever {{ {effect} }} }}\nloop {{ {act} }}\n}} }} }} }}\n\n\
         judgement(losing: set of player, winning: set of player) {{ finish_drawn() }}\n"
    );
    std::fs::write(folder.join("g.rules"), rules).unwrap();
    std::fs::write(folder.join("g.cards"), "gyoji 1\ncards g\n\ncard \"1\" unit \"い\" { power 3 }\n").unwrap();
    let scenario =
        format!("scenario \"x\" {{\n  given {{ a {{ field: \"い\" x20  deck: \"い\" x20 }} }}\n  expect {{ error {code} }}\n}}\n");
    let file = folder.join("g.scenarios");
    std::fs::write(&file, format!("gyoji 1\nscenarios g\n\n{scenario}")).unwrap();
    check(&["test", path(&file), "--rules", path(&folder), "--cards", path(&folder)], "", 0, &["1 passed"]);
}

/// Once, these games hung for more than twenty seconds each.
#[test]
fn many_effects_are_counted_as_work() {
    with_effects(
        "many_whenever",
        "whenever count(field(you) where it.power > n) == 50 becomes true { dr(you, 1) }",
        "you.score = you.score + 1",
        "E0601",
    );
    let when = "when dr(p: any q, n: any m) where m > 5 { you.score = 1 }";
    with_effects("many_when", when, "dr(you, 1)  you.score = you.score + 1", "E0601");
    with_effects("many_forbid", "forbid dr(p: you, n: 5)", "you.score = you.score + 1", "E0601");
    // The sum is worked out once in a position, so the circle is found.
    with_effects("many_modify", "modify field(you) { power + 1 }", "if sum(field(you), it.power) == 3 { you.score = 1 }", "E0607");
}

/// A number that is too large is undefined, and every comparison with it would be false without a reason.
#[test]
fn numbers_of_scenarios_that_are_too_large_are_findings() {
    let folder = endless("large_numbers");
    let file = folder.join("ask.scenarios");
    let tested = |expected: &str, code: i32, says: &[&str]| {
        let text = format!("gyoji 1\n\nscenarios ask\n\nscenario \"x\" {{\n  given {{ }}\n  expect {{ {expected} }}\n}}\n");
        std::fs::write(&file, text).unwrap();
        check(&["test", "--rules", path(&folder), path(&file)], "", code, says);
    };
    tested("not (count(deck(a)) == 2147483647 + count(players))", 1, &["E0602", "a number is too large"]);
    tested("happened shuffle(any d) where 2147483647 + count(players) > 0 == 0", 1, &[]);
    tested("not (count(deck(a)) == 2147483645 + count(players))", 0, &[]);
    let why = |question: &str, code: i32, says: &[&str]| {
        check(&["why", &format!("{}:5", path(&file)), question, "--rules", path(&folder)], "", code, says);
    };
    why("value 2147483647 + count(players)", 2, &["E0602"]);
    why("value 2147483645 + count(players)", 0, &["2147483647"]);
}
