//! The program as a user meets it: exit codes, refused answers, damaged files, and files that are not overwritten.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

mod designers;
mod endless;
mod files;
mod fresh;
mod guards;
mod hostile;
mod japanese;
mod limits;
mod meaningless;
mod named_by_card;
mod names;
mod numbers;
mod pool;
mod printings;
mod readme;
mod refused;
mod sampled;
mod slips;
mod tutorial;
mod warned;
mod words;
mod written;

use gyoji::engine::state::save::FORMAT;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A folder with the game `ask`, which has one card, and a deck of this card.
pub(crate) fn game(name: &str, rules: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("ask.rules"), rules).unwrap();
    std::fs::write(folder.join("ask.cards"), "gyoji 1\n\ncards ask\n\ncard \"X\" unit \"紙\" { }\n").unwrap();
    std::fs::create_dir(folder.join("decks")).unwrap();
    std::fs::write(folder.join("decks").join("d.ron"), "(name: \"d\", cards: [(3, \"X\")])").unwrap();
    folder
}

/// Runs the program in the project's folder with this input.
pub(crate) fn gyoji(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gyoji"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("LANG", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input closes it early. This is no error here.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Exit code, standard output, standard error.
pub(crate) fn said(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// Expects an exit code, and all of these words on standard output or standard error.
fn check(args: &[&str], input: &str, code: i32, words: &[&str]) {
    let (found, out, err) = said(&gyoji(args, input));
    assert_eq!(found, code, "{args:?}\n{out}\n{err}");
    for word in words {
        assert!(out.contains(word) || err.contains(word), "{args:?} does not say {word}:\n{out}\n{err}");
    }
    assert!(!err.contains("panicked"), "{err}");
}

pub(crate) fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn wrong_arguments_are_explained_in_the_readers_language() {
    check(&["plya"], "", 2, &["E0820", "there is no command `plya` (did you mean `play`?)"]);
    check(&["--lang", "ja", "play", "--sead", "3"], "", 2, &["E0820", "`--sead` という引数はここにはありません"]);
    check(&["simulate", "--games", "many"], "", 2, &["`many` is not a value for --games"]);
}

#[test]
fn help_is_no_mistake_and_speaks_japanese() {
    check(&["--help", "--lang", "ja"], "", 0, &["使い方", "シナリオを実行する"]);
    check(&["play", "--help"], "", 0, &["Usage", "the game; may be left out if the project has only one"]);
}

#[test]
fn an_unknown_game_names_the_nearest() {
    check(&["play", "kaiunn"], "", 2, &["E0842", "did you mean `kaiun`?"]);
}

/// A file of scenarios that names no game of the project is not passed over.
#[test]
fn scenarios_of_an_unknown_game_are_reported() {
    let project = folder("misspelt");
    for folder in ["rules/ask", "tests/scenarios/ask"] {
        std::fs::create_dir_all(project.join(folder)).unwrap();
    }
    std::fs::write(project.join("gyoji.ron"), "(games: [\"ask\"])").unwrap();
    std::fs::write(
        project.join("rules/ask/ask.rules"),
        "gyoji 1\ngame ask \"問\" { players 2 }\nturn { phase one \"一\" { finish_drawn() } }\n",
    )
    .unwrap();
    std::fs::write(project.join("tests/scenarios/ask/a.scenarios"), "gyoji 1\nscenarios aks\n").unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_gyoji")).arg("check").current_dir(&project).env("LANG", "C").output().unwrap();
    let (code, _, err) = said(&out);
    assert_eq!(code, 2, "{err}");
    for part in ["E0842", "did you mean `ask`?", "a.scenarios"] {
        assert!(err.contains(part), "{part}\n{err}");
    }
}

#[test]
fn two_random_players_play_to_the_end() {
    let (code, out, err) = said(&gyoji(&["play", "kaiun", "--seed", "1"], ""));
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("seed 1\n"), "{out}");
    assert!(out.contains("6-2-1 "), "rule numbers stand in the margin:\n{out}");
    assert!(out.trim_end().ends_with('.'), "{out}");
    assert!(err.contains("rules of kaiun: rules/kaiun"), "{err}");
    assert_eq!(said(&gyoji(&["play", "kaiun", "--seed", "1"], "")).1, out, "the same seed is the same game");
}

#[test]
fn every_line_of_json_is_an_object() {
    let (code, out, _) = said(&gyoji(&["play", "kaiun", "--seed", "2", "--format", "json"], ""));
    assert_eq!(code, 0);
    let kinds: Vec<String> =
        out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["kind"].as_str().unwrap().to_owned()).collect();
    assert_eq!((kinds.first().unwrap().as_str(), kinds.last().unwrap().as_str()), ("start", "result"));
    assert!(kinds.contains(&"step".to_owned()));
}

#[test]
fn a_person_at_a_pipe_sees_only_what_their_seat_may_know() {
    let (code, out, err) = said(&gyoji(&["play", "kaiun", "--seed", "3", "--seat", "a=human", "--format", "json"], "1\n"));
    assert_eq!(code, 2);
    assert!(err.is_empty() || !err.contains("panicked"));
    let drawn_by_b = out.lines().filter(|line| line.contains("deck(b) → hand(b)"));
    for line in drawn_by_b {
        assert!(line.contains("a card"), "{line}");
    }
}

#[test]
fn the_end_of_the_input_is_said() {
    check(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], "", 2, &["E0830", "seat a"]);
}

#[test]
fn an_answer_out_of_range_is_shown_where_it_stands() {
    check(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], "99\n", 2, &["E0611", "<stdin>:1:1", "99"]);
    check(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], "9９ x\n", 2, &["E0831", "<stdin>:1:1"]);
}

#[test]
fn full_width_answers_are_understood() {
    let (_, out, _) = said(&gyoji(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], "？\n？１\nｑ\n"));
    assert!(out.contains("`u`         takes back"), "{out}");
    check(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], "１\nｑ\n", 0, &[]);
}

#[test]
fn an_answer_can_be_taken_back() {
    let once = said(&gyoji(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], "1\nu\n1\nq\n")).1;
    let plain = said(&gyoji(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], "1\nq\n")).1;
    let last_table = |out: &str| out.rsplit("── turn").next().unwrap().to_owned();
    assert!(once.contains("taken back"));
    assert_eq!(last_table(&once), last_table(&plain));
}

#[test]
fn conceding_is_asked_about_and_ends_the_game() {
    check(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], "c\nn\nc\ny\n", 0, &["concede the game?", "the game goes on", "b wins"]);
}

#[test]
fn a_save_goes_on_where_it_was_left() {
    let folder = folder("save");
    let save = folder.join("save.ron");
    let first = format!("1\ns {}\n1\nq\n", path(&save));
    let (code, out, err) = said(&gyoji(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], &first));
    assert_eq!(code, 0, "{out}{err}");
    let again = said(&gyoji(&["play", "--resume", path(&save)], "1\nq\n")).1;
    let last_table = |out: &str| out.rsplit("── turn").next().unwrap().to_owned();
    assert_eq!(last_table(&again), last_table(&out));
}

/// A game saved at its first question.
fn saved(name: &str) -> PathBuf {
    let save = folder(name).join("save.ron");
    said(&gyoji(&["play", "kaiun", "--seed", "3", "--seat", "a=human"], &format!("s {}\nq\n", path(&save))));
    save
}

#[test]
fn a_damaged_save_is_refused_with_its_place() {
    let save = saved("damaged");
    let text = std::fs::read_to_string(&save).unwrap();
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    std::fs::write(&save, half).unwrap();
    check(&["play", "--resume", path(&save)], "", 2, &["E085", "save.ron:"]);
    std::fs::write(
        &save,
        text.replacen("objects: [", "objects: [(card: 60000, owner: 0, face_up: false, shown: 0, place: 0, life: 0), ", 1),
    )
    .unwrap();
    check(&["play", "--resume", path(&save)], "", 2, &[]);
    std::fs::write(&save, b"\x82\xa0\x82\xa2").unwrap();
    check(&["play", "--resume", path(&save)], "", 2, &["E0801"]);
    std::fs::write(&save, "").unwrap();
    check(&["play", "--resume", path(&save)], "", 2, &["E0854"]);
}

#[test]
fn a_save_of_other_rules_or_another_format_is_explained() {
    let save = saved("foreign");
    let text = std::fs::read_to_string(&save).unwrap();
    let line = text.lines().find(|line| line.contains("program: \"")).unwrap();
    std::fs::write(&save, text.replace(line, "program: \"0000000000000000\",")).unwrap();
    check(&["play", "--resume", path(&save)], "", 2, &["E0826"]);
    std::fs::write(&save, text.replace("xoshiro256++", "mersenne")).unwrap();
    check(&["play", "--resume", path(&save)], "", 2, &["E0827"]);
    std::fs::write(&save, text.replacen(&format!("format: {FORMAT}"), "format: 9", 1)).unwrap();
    check(&["play", "--resume", path(&save)], "", 2, &["E0825"]);
}

#[test]
fn a_recorded_game_is_the_same_again() {
    let folder = folder("record");
    let record = folder.join("game.ron");
    check(&["play", "kaiun", "--seed", "7", "--record", path(&record)], "", 0, &[]);
    check(&["replay", path(&record)], "", 0, &["The same game"]);
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, text.replacen("picks: [0]", "picks: [1]", 1)).unwrap();
    check(&["replay", path(&record)], "", 1, &["E0829"]);
    // A decision after the end of the game.
    let last = text.lines().rfind(|line| line.contains("picks: [")).unwrap();
    std::fs::write(&record, text.replace(last, &format!("{last}\n{last}"))).unwrap();
    check(&["replay", path(&record)], "", 1, &["E0829"]);
    std::fs::write(&record, "(").unwrap();
    check(&["replay", path(&record)], "", 2, &["E0857", "game.ron:1:"]);
}

/// A record of a game in which every answer fits every seed. How the cards lie at the end tells the games apart.
#[test]
fn a_record_with_another_seed_is_another_game() {
    let rules = "gyoji 1\n\ngame ask \"問\" { players 2 }\n\nzone deck \"山\" { each player  ordered  hidden  starts with deck }\n\n\
        card unit \"札\" { }\n\nsetup { for p in players { shuffle(deck(p)) } }\n\n\
        turn { phase only \"問い\" { for p in players { may p { shuffle(deck(p)) } }  for p in players { win(p) } } }\n\n\
        judgement(losing: set of player, winning: set of player) { finish_drawn() }\n";
    let folder = game("another_seed", rules);
    let cards: String = (0..40).map(|at| format!("card \"C-{at}\" unit \"紙{at}\" {{ }}\n")).collect();
    std::fs::write(folder.join("ask.cards"), format!("gyoji 1\n\ncards ask\n\n{cards}")).unwrap();
    let rows: Vec<String> = (0..40).map(|at| format!("(1, \"C-{at}\")")).collect();
    std::fs::write(folder.join("decks").join("d.ron"), format!("(name: \"d\", cards: [{}])", rows.join(", "))).unwrap();
    let record = folder.join("game.ron");
    let of_game = ["--rules", path(&folder), "--cards", path(&folder)];
    check(&[&["play", "--seed", "7", "--record", path(&record)][..], &of_game].concat(), "", 0, &[]);
    let replay = [&["replay", path(&record)][..], &of_game].concat();
    let (_, out, _) = said(&gyoji(&replay, ""));
    assert!(out.contains("The same game") && !out.contains("how the cards lay"), "{out}");
    let text = std::fs::read_to_string(&record).unwrap();
    let seed = text.lines().find(|line| line.contains("seed: ")).unwrap();
    std::fs::write(&record, text.replace(seed, "  seed: 123,")).unwrap();
    check(&replay, "", 1, &["E0889", "the cards lie otherwise", "123"]);
    // Earlier versions did not write how the cards lie.
    let lies = text.lines().find(|line| line.contains("cards: Some(")).unwrap();
    std::fs::write(&record, text.replace(lies, "")).unwrap();
    check(&replay, "", 0, &["The same game", "does not say how the cards lay"]);
}

#[test]
fn a_file_that_exists_is_not_written_over() {
    let folder = folder("exists");
    let record = folder.join("game.ron");
    std::fs::write(&record, "mine").unwrap();
    check(&["play", "kaiun", "--seed", "7", "--record", path(&record)], "", 2, &["E0821"]);
    assert_eq!(std::fs::read_to_string(&record).unwrap(), "mine");
    check(&["play", "kaiun", "--seed", "7", "--seat", "a=human"], &format!("s {}\n", path(&record)), 2, &["E0821"]);
    assert_eq!(std::fs::read_to_string(&record).unwrap(), "mine");
    check(&["play", "kaiun", "--seed", "7", "--record", path(&record), "--force"], "", 0, &[]);
    assert_ne!(std::fs::read_to_string(&record).unwrap(), "mine");
}

#[test]
fn a_simulation_does_not_depend_on_the_threads() {
    let run = |threads: &str| {
        let (code, out, err) =
            said(&gyoji(&["simulate", "kaiun", "--games", "200", "--seed", "5", "--threads", threads, "--format", "json"], ""));
        assert_eq!(code, 0, "{err}");
        let mut value: serde_json::Value = serde_json::from_str(out.trim()).unwrap();
        value.as_object_mut().unwrap().remove("games_per_second");
        value
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn what_games_with_decks_of_their_own_make_use_of_is_counted() {
    let run = |threads: &str| {
        let asked = ["simulate", "kaiun", "--games", "130", "--seed", "5", "--threads", threads, "--random-decks", "--usage"];
        let (code, out, err) = said(&gyoji(&[&asked[..], &["--format", "json"]].concat(), ""));
        assert_eq!(code, 0, "{err}");
        out.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<serde_json::Value>>()
    };
    let rows = run("1");
    assert_eq!(rows, run("3"));
    let cards: Vec<_> = rows.iter().filter(|row| row["of"] == "card").collect();
    // No deck holds all forty cards, so the games had different decks.
    assert_eq!(cards.len(), 40);
    assert!(cards.iter().all(|row| row["printed"].is_string()), "{cards:?}");
    // Cards without abilities are set in this game, and that is no use. All other cards were used.
    let vanilla = ["KC-001", "KC-002", "KC-003", "KC-004", "KC-005", "KC-006", "KC-007", "KC-008", "KC-009", "KC-010", "KC-011", "KC-012"];
    let unused: Vec<_> = cards.iter().filter(|row| row["games"] == 0).map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(unused, vanilla);
    assert!(rows.iter().any(|row| row["kind"] == "never" && !row["rules"].as_array().unwrap().is_empty()));
}

/// The scenarios of this page let every line of its cards act, also lines that only call actions of the rules.
#[test]
fn lines_of_cards_act_in_scenarios() {
    let (code, out, err) = said(&gyoji(&["acts", "tests/kernel/own_move", "--games", "2", "--format", "json"], ""));
    assert_eq!(code, 0, "{err}");
    let rows: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, lines) = rows.split_last().unwrap();
    assert!(lines.iter().all(|line| line["kind"] == "line" && line["how"] == "in_scenarios"), "{out}");
    assert!(summary["lines"] == 5 && summary["counts"]["in_scenarios"] == 5, "{out}");
}

/// A keyword without abilities is only a mark that rules ask for. It cannot be used, so it is not in the table of used keywords.
#[test]
fn keywords_without_abilities_are_not_counted() {
    let rules = copied_rules("marks");
    std::fs::write(rules.join("marks.rules"), "gyoji 1\n\nkeyword marked \"【印】\" { }\n\nkeyword worker \"【働】\" { static { } }\n")
        .unwrap();
    let (code, out, err) = said(&gyoji(&["simulate", "kaiun", "--rules", path(&rules), "--games", "2", "--seed", "5", "--usage"], ""));
    assert_eq!(code, 0, "{err}");
    assert!(!out.contains("【印】") && out.contains("【働】"), "{out}");
}

#[test]
fn saved_and_restored_at_every_decision_games_end_the_same() {
    check(&["simulate", "kaiun", "--games", "3", "--seed", "5", "--save-at-every-decision"], "", 0, &[]);
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &target) } else { std::fs::copy(entry.path(), target).map(|_| ()).unwrap() }
    }
}

/// A copy of the first game's rules.
fn copied_rules(name: &str) -> PathBuf {
    let folder = folder(name);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/kaiun"), &folder);
    folder
}

#[test]
fn a_change_in_a_rules_file_is_live_on_the_next_run() {
    let rules = copied_rules("live");
    let barriers = |rules: &Path| {
        let (code, out, err) = said(&gyoji(&["play", "kaiun", "--rules", path(rules), "--seed", "1"], ""));
        assert_eq!(code, 0, "{err}");
        out.split("── turn 1 ──").next().unwrap().matches("deck(a) → barrier(a)").count()
    };
    assert_eq!(barriers(&rules), 5);
    let file = rules.join("game.rules");
    let text = std::fs::read_to_string(&file).unwrap();
    let changed =
        text.lines().map(|line| if line.starts_with("param barrier_size") { line.replace("= 5", "= 3") } else { line.to_owned() });
    std::fs::write(&file, changed.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    assert_eq!(barriers(&rules), 3);
}

#[test]
fn broken_rules_are_found_and_not_played() {
    let rules = copied_rules("broken");
    let file = rules.join("more.rules");
    let broken =
        "gyoji 1\n\naction one() { drw(1) }\n\naction two() { x = }\n\naction three() { hnd(you) }\n\nzone ?\n\naction five() { if }\n";
    std::fs::write(&file, broken).unwrap();
    let (code, out, err) = said(&gyoji(&["check", path(&file)], ""));
    assert_eq!(code, 1, "{out}{err}");
    let lines: std::collections::BTreeSet<&str> =
        out.lines().filter_map(|line| line.split_once("more.rules:")?.1.split(':').next()).collect();
    assert!(lines.len() >= 5, "five places are shown:\n{out}");
    check(&["play", "kaiun", "--rules", path(&rules)], "", 2, &["E0847"]);
}

#[test]
fn files_that_are_no_text_are_named_as_what_they_are() {
    let rules = copied_rules("bytes");
    std::fs::write(rules.join("sjis.rules"), b"gyoji 1\n-- \x8a\x4a\x89\x5e\n").unwrap();
    check(&["check", path(&rules.join("sjis.rules"))], "", 1, &["E0801"]);
    std::fs::write(rules.join("sjis.rules"), b"gyoji 1\n\xff\xfe\xff").unwrap();
    check(&["check", path(&rules.join("sjis.rules"))], "", 1, &["E0802"]);
    std::fs::write(rules.join("sjis.rules"), "").unwrap();
    check(&["check", path(&rules.join("sjis.rules"))], "", 1, &["sjis.rules"]);
    check(&["check", "no/such/file.rules"], "", 2, &["E0858"]);
    check(&["replay", "READMEE.md", "--lang", "ja"], "", 2, &["E0858", "READMEE.md", "README.md"]);
}

#[test]
fn what_is_nested_too_deeply_is_an_error_and_no_crash() {
    let rules = copied_rules("deep");
    let file = rules.join("deep.rules");
    std::fs::write(&file, format!("gyoji 1\n\nfunction f() -> number = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000))).unwrap();
    check(&["check", path(&file)], "", 1, &["deep.rules"]);
    check(&["fmt", "--check", path(&file)], "", 1, &["deep.rules"]);
}

/// Rules that go round in a circle, and rules that go on for ever through new positions.
#[test]
fn rules_that_loop_for_ever_are_stopped() {
    for (name, statements, code) in
        [("circle", "loop { let x = 1 }", "E0607"), ("on", "let x = 0\n  loop { x = (x + 1) mod 2000000000 }", "E0601")]
    {
        let rules = copied_rules(&format!("loop_{name}"));
        let turn = rules.join("turn.rules");
        let text = std::fs::read_to_string(&turn).unwrap();
        let changed = text.replacen("setup @5-2 {", &format!("setup @5-2 {{\n  {statements}"), 1);
        assert_ne!(text, changed);
        std::fs::write(&turn, changed).unwrap();
        check(&["play", "kaiun", "--rules", path(&rules), "--seed", "1"], "", 1, &[code, "turn.rules"]);
    }
    let rules = copied_rules("loop_many");
    let turn = rules.join("turn.rules");
    let text = std::fs::read_to_string(&turn).unwrap();
    std::fs::write(&turn, text.replacen("setup @5-2 {", "setup @5-2 {\n  loop { let x = 1 }", 1)).unwrap();
    check(&["simulate", "kaiun", "--rules", path(&rules), "--seed", "1", "--games", "2"], "", 1, &["E0840", "--seed 1"]);
}

/// A procedure that calls itself for ever: alone, as a member of a lockstep, with registers of its own and without them.
#[test]
fn rules_that_call_themselves_for_ever_are_stopped() {
    let ways = [
        "down() } }\nprocedure down() { down() }",
        "for p in players { down(p) } } }\nprocedure down(p: player) { down(p) }",
        "simultaneously for p in players { down(p) } } }\naction down(p: player) \"底なし\" { down(p) }",
    ];
    for (number, way) in ways.iter().enumerate() {
        let rules = copied_rules(&format!("deeper{number}"));
        let turn = rules.join("turn.rules");
        let text = std::fs::read_to_string(&turn).unwrap();
        let (before, _) = text.split_once("turn @").unwrap();
        std::fs::write(&turn, format!("{before}turn {{ phase draw_phase {{ mark turn_began {way}\n")).unwrap();
        check(&["play", "kaiun", "--rules", path(&rules), "--seed", "1"], "", 1, &["E0603"]);
        let games = ["simulate", "kaiun", "--games", "1", "--seed", "1", "--rules", path(&rules)];
        let (code, _, error) = said(&gyoji(&games, ""));
        assert_eq!(code, 1, "{error}");
    }
}

#[test]
fn wrong_decks_are_refused_by_their_rule() {
    let folder = folder("decks");
    let deck = folder.join("mine.ron");
    std::fs::write(&deck, "(name: \"x\", cards: [(4, \"KC-001\"), (26, \"KC-002\")])").unwrap();
    let named = format!("a={}", path(&deck));
    check(&["play", "kaiun", "--deck", &named], "", 2, &["E0702", "5-1-2-1"]);
    std::fs::write(&deck, "(name: \"x\", cards: [(2, \"KC-001\")])").unwrap();
    check(&["play", "kaiun", "--deck", &named], "", 2, &["E0701"]);
    std::fs::write(&deck, "(name: \"x\", cards: [(2, \"KC-00\")])").unwrap();
    check(&["play", "kaiun", "--deck", &named], "", 2, &["E0703"]);
    std::fs::write(&deck, "(name: \"x\", cards: [").unwrap();
    check(&["play", "kaiun", "--deck", &named], "", 2, &["E0854", "mine.ron:1:20"]);
    check(&["play", "kaiun", "--deck", "a=nothing"], "", 2, &["E0846"]);
    check(&["play", "kaiun", "--deck", "z=mine"], "", 2, &["E0832"]);
    check(&["play", "kaiun", "--seat", "a=robot"], "", 2, &["E0833"]);
}

#[test]
fn codes_and_cards_are_explained() {
    check(&["explain", "E0801"], "", 0, &["Shift_JIS", "save the file as UTF-8"]);
    check(&["explain", "e0801", "--lang", "ja"], "", 0, &["UTF-8 で保存してください"]);
    check(&["explain", "E0899"], "", 2, &["E0835"]);
    check(&["explain", "kaiun", "KC-013"], "", 0, &["カード1枚を引く", "【開運時】"]);
    check(&["explain", "kaiun", "転ばぬだるま"], "", 0, &["KC-001", "(no effect)"]);
    check(&["explain", "kaiun", "転ばぬだろま"], "", 2, &["E0834", "転ばぬだるま"]);
}

#[test]
fn the_projects_own_files_are_fine() {
    check(&["check"], "", 0, &["nothing to mend"]);
}

#[test]
fn formatting_leaves_broken_files_alone() {
    let folder = folder("fmt");
    let file = folder.join("x.rules");
    std::fs::write(&file, "gyoji 1\n\naction a( {").unwrap();
    check(&["fmt", path(&file)], "", 1, &["x.rules"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "gyoji 1\n\naction a( {");
    std::fs::write(&file, "gyoji 1\n\nparam   size = 5\n").unwrap();
    check(&["fmt", "--check", path(&file)], "", 1, &["E0845"]);
    check(&["fmt", path(&file)], "", 0, &[]);
    check(&["fmt", "--check", path(&file)], "", 0, &[]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "gyoji 1\n\nparam size = 5\n");
}
