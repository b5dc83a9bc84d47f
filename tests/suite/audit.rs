//! The audit on a small game of its own: mutants, coverage, one rule, readings, and a new edition of the rulebook.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

use std::path::{Path, PathBuf};
use std::process::Command;

const RULES: &str = r#"gyoji 1

game tsumi "積み" @1 { players 2 }

zone pile "山" @2-1 {
  each player
  ordered
  hidden
  starts with deck
}

zone hold "手" @2-2 {
  each player
  hidden except to owner
}

zone gone "外" {
  each player
  public
}

card stone "石" @2-3 {
  power "力" : number
}

reading ends "an empty pile: the game is lost, or it goes on" @3-3 {
  at_once default  never
}

action take(p: player) "取る" @3-1 {
@3-1  move(top of pile(p), hold(p))
}

turn @3 {
  phase first "一" @3-2 {
@3-2  for p in players { take(p) }
  }

  phase second "二" @3-4 {
@3-4  for p in players {
        choose lay: up to 1 from hold(p) by p
        move(lay, gone(p))
      }
  }
}

rule out(p: player) "尽きる" @3-3 immediately when pile(p) becomes empty {
  if ends is at_once { lose(p) }
}

given default {
  pile: "小石" x5
  hold: none
  gone: none
}
"#;

const CARDS: &str = "gyoji 1\ncards tsumi\n\ncard \"T-1\" stone \"小石\" { power 1 }\n\ncard \"T-2\" stone \"岩\" { power 2 }\n";

const BOOK: &str = "1\tdefinition\ttwo players\n2-1\tdefinition\ta pile\n2-2\tdefinition\ta hold\n2-3\tdefinition\tstones\n\
3\tnone\tthe turn\n3-1\tmechanic\ttaking is from the pile to the hold\n3-2\tmechanic\tboth take one\n\
3-3\tmechanic\twho has an empty pile loses\n3-4\tmechanic\tboth may lay one\n3-5\tmechanic absent\tnothing is shuffled\n";

const SCENARIOS: &str = r#"gyoji 1
scenarios tsumi

scenario "both take one" @3-1 @3-2 {
  given { a { pile: "岩", "小石" x2 } }
  expect {
    count(hold(a)) == 1
    "岩" in hold(a)
    count(hold(b)) == 1
  }
}

scenario "an empty pile loses" @3-3 {
  given { a { pile: "小石" } }
  expect { b wins }
}

scenario "nothing is shuffled" @3-5 {
  play { a: lay "小石" }
  expect { not happened shuffle(pile(a)) }
}
"#;

/// Makes a project with the game in an empty folder.
fn project(name: &str, rules: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    // The project has this game alone.
    write("gyoji.ron", "(games: [\"tsumi\"])\n");
    write("rules/tsumi/game.rules", rules);
    write("rules/tsumi/rulebook.tsv", BOOK);
    write("cards/tsumi/stones.cards", CARDS);
    write("cards/tsumi/decks/stones.ron", "(name: \"stones\", game: Some(\"tsumi\"), cards: [(20, \"T-1\"), (10, \"T-2\")])\n");
    write("tests/scenarios/tsumi/all.scenarios", SCENARIOS);
    folder
}

/// Runs the program in that folder. Returns its exit code and its output, or its error output if the code is 2.
fn gyoji(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gyoji"));
    let output = command.args(args).args(["--lang", "en"]).current_dir(folder).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!err.contains("panicked"), "{err}");
    let code = output.status.code().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).replace(&format!("{}/", folder.display()), "");
    (code, if code == 2 { err } else { said })
}

#[test]
fn what_no_scenario_notices_is_listed_with_place_and_rule() {
    let folder = project("mutants", RULES);
    let (code, said) = gyoji(&folder, &["mutants"]);
    assert_eq!(code, 0, "{said}");
    insta::assert_snapshot!(said);
    // The second run takes its results from the file of the first run.
    let again = gyoji(&folder, &["mutants"]);
    assert_eq!(again, (0, said));
    assert!(folder.join("target/gyoji/tsumi.mutants").is_file());
    assert_eq!(gyoji(&folder, &["mutants", "--min", "99"]).0, 1);
    assert_eq!(gyoji(&folder, &["mutants", "--min", "1"]).0, 0);
}

/// The scenario expects its position to be refused. Its position is refused in a broken game too,
/// so the scenario notices no break except one that lets the position pass.
#[test]
fn a_refused_position_notices_no_other_break() {
    let noticed = |name: &str, scenarios: &str| {
        let folder = project(name, &RULES.replace("given default {", "given default {\n@3-3  must count(gone) < 4"));
        std::fs::write(folder.join("tests/scenarios/tsumi/all.scenarios"), scenarios).unwrap();
        let (_, said) = gyoji(&folder, &["mutants", "--format", "json"]);
        said.lines().filter(|line| line.contains("unnoticed") || line.contains("untouched")).count()
    };
    let refused = "\nscenario \"too many are gone\" {\n  given { a { gone: \"小石\" x4 } }\n  expect { error E0549 }\n}\n";
    let without = noticed("unrefused", SCENARIOS);
    assert!(without > 3, "{without}");
    assert_eq!(noticed("refused", &format!("{SCENARIOS}{refused}")), without);
}

#[test]
fn mutants_of_one_rule_as_json() {
    let folder = project("mutants_of_rule", RULES);
    let (code, said) = gyoji(&folder, &["mutants", "--rule", "3-1", "--all", "--format", "json"]);
    assert_eq!(code, 0, "{said}");
    let lines: Vec<serde_json::Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_kind = |kind: &str| lines.iter().find(|line| line["break"] == kind).unwrap();
    let end = of_kind("other_end");
    assert_eq!((end["result"].as_str(), end["line"].as_u64(), end["text"].as_str()), (Some("noticed"), Some(31), Some("top of pile(p)")));
    assert_eq!(end["scenario"], "both take one");
    // With nothing in `hold` nobody is asked, and the turns go on for ever.
    assert_eq!(of_kind("left_out")["result"], "stopped");
    assert_eq!(lines.last().unwrap()["kind"], "summary");
}

/// A mark is valid until a scenario or a random game finds a difference.
#[test]
fn marks_are_refuted() {
    let marked = |mark: &str| RULES.replace("@3-1  move(top", &format!("-- equivalent {mark}\n@3-1  move(top"));
    let found = |name: &str, mark: &str| gyoji(&project(name, &marked(mark)), &["mutants"]);
    let (code, said) = found("mark_scenario", "other_end @3-2: nobody looks");
    assert!(code == 1 && said.contains("E0573") && said.contains("both take one"), "{said}");
    let (code, said) = found("mark_kind", "left_uot @3-2: nobody looks");
    assert!(code == 1 && said.contains("E0570") && said.contains("`left_out`"), "{said}");
    let (code, said) = found("mark_nothing", "chooser @3-2: nobody looks");
    assert!(code == 1 && said.contains("E0572"), "{said}");
    let (code, said) = found("mark_rule", "left_out @9: nobody looks");
    assert!(code == 1 && said.contains("E0541"), "{said}");
    // No scenario looks at the card that is laid down, but the random games differ.
    let marked =
        RULES.replace("        move(lay, gone(p))\n", "        -- equivalent left_out @3-4: nobody looks\n        move(lay, gone(p))\n");
    let (code, said) = gyoji(&project("mark_game", &marked), &["mutants"]);
    assert!(code == 1 && said.contains("E0574") && said.contains("random game 0 differs"), "{said}");
}

/// If a refused deck passes without the limit, the scenario shows the limit. For a row that is not shown, `coverage` gives the reason.
#[test]
fn a_refused_deck_shows_and_what_is_not_shown_has_a_reason() {
    let limited = format!("{RULES}\ndeck check {{\n@4  size >= 2\n}}\n");
    let folder = project("coverage_deck", &limited);
    let add = |path: &str, more: &str| {
        let path = folder.join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, text + more).unwrap();
    };
    add("rules/tsumi/rulebook.tsv", "4\tdeck\tat least two\n5\tmechanic\tsomething else\n");
    add(
        "tests/scenarios/tsumi/all.scenarios",
        "\nscenario \"one\" @4 { deck { 1 \"小石\" } refused because @4 }\n\nscenario \"many\" @1 @2-1 @2-2 @2-3 { expect { count(hold(a)) == 1 } }\n",
    );
    let (code, said) = gyoji(&folder, &["coverage", "--all"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("@4 deck: shown"), "{said}");
    assert!(said.contains("something else\n    no scenario names it"), "{said}");
    assert!(said.contains("named only by scenarios that name more than three rules"), "{said}");
}

#[test]
fn coverage_shows_what_some_scenario_would_miss() {
    let folder = project("coverage", RULES);
    let (code, said) = gyoji(&folder, &["coverage", "--all"]);
    assert_eq!(code, 0, "{said}");
    insta::assert_snapshot!(said);
    assert_eq!(gyoji(&folder, &["coverage", "--min", "100"]).0, 1);
    let (code, traced) = gyoji(&folder, &["coverage", "--traced"]);
    assert!(code == 0 && traced.contains("mechanic: 4/5"), "{traced}");
    let (code, page) = gyoji(&folder, &["coverage", "--format", "html"]);
    assert!(code == 0 && page.starts_with("<!doctype html>") && page.contains("<tr class=\"shown\" id=\"3-1\">"), "{page}");
    well_formed(&page);
    // The page is a single file without links, and it does not contain the folder in which it was made.
    assert!(!["http", "src=", "href=", "<script", "url("].iter().any(|word| page.contains(word)), "{page}");
    let idle = project("coverage_idle", &format!("{RULES}\naction idle(p: player) {{ move(top of pile(p), gone(p)) }}\n"));
    let (_, page) = gyoji(&idle, &["coverage", "--format", "html"]);
    well_formed(&page);
    assert!(page.contains("statements that no scenario carries out: 1") && page.contains("<li>rules/tsumi/game.rules:"), "{page}");
    let folder_name = folder.to_str().unwrap();
    for args in
        [["coverage", "--format", "html"], ["coverage", "--format", "json"], ["mutants", "--format", "json"], ["rule", "3-1", "--lang"]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gyoji"));
        let lang = if args[2] == "--lang" { "ja" } else { "--all" };
        let args = args.into_iter().chain((lang == "ja" || args[0] == "mutants").then_some(lang));
        let output = command.args(args).current_dir(&folder).output().unwrap();
        assert!(!String::from_utf8_lossy(&output.stdout).contains(folder_name));
    }
    assert!(traced.contains("nothing was broken"), "{traced}");
    let (_, lines) = gyoji(&folder, &["coverage", "--format", "json"]);
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    the_totals_are_right(&lines);
    assert_eq!(gyoji(&folder, &["check", "--format", "html"]).0, 2);
}

/// The game's own wording, and a text that uses a few of the shared templates.
const WORDING: &str = r#"
ability art "術" { }

wording tsumi {
  ability 「【術】${b: passage}」 -> ability art { $b }
  ability 「【秘】${b: passage}」 -> ability art { $b }
  spread 「${z: zone}」 -> $z
  connective 「。」 joins body -> { $first  $second }
}
"#;

const TEXT: &str = r#"
scenario "a text" @3-2 {
  card "札" like "小石" { text 「【術】自分の手から1枚を選び、外に置く。」 }
  given { a { pile: "札", "小石" x2 } }
  expect { count(hold(a)) == 1 }
}
"#;

/// Shared templates that no text of the game uses are no gap in the game. `coverage` counts them separately
/// and lists them with `--all`. A template that the game repeats itself counts as the game's own.
#[test]
fn shared_templates_without_a_reader_stand_apart() {
    let rules = RULES.replacen("gyoji 1\n", "gyoji 1\n\nuse std\n", 1) + WORDING;
    let folder = project("coverage_shared", &rules);
    std::fs::write(folder.join("tests/scenarios/tsumi/texts.scenarios"), format!("gyoji 1\nscenarios tsumi\n{TEXT}")).unwrap();
    let (code, said) = gyoji(&folder, &["coverage"]);
    assert_eq!(code, 0, "{said}");
    let own: Vec<&str> =
        said.lines().skip_while(|line| !line.starts_with("templates that read no card of any scenario")).skip(1).take(3).collect();
    assert!(own[0].ends_with("ability 「【秘】${b: passage}」 -> ability art { $b }"), "{said}");
    assert!(own[1].ends_with("connective 「。」 joins body -> { $first  $second }") && own[2].is_empty(), "{said}");
    let counted = |said: &str| -> usize {
        let line = said.lines().find(|line| line.starts_with("shared templates")).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let count = counted(&said);
    assert!(count > 200 && !said.contains("std/japanese"), "{said}");
    let (_, all) = gyoji(&folder, &["coverage", "--all"]);
    let listed: Vec<&str> = all.lines().filter(|line| line.contains("<std/japanese")).collect();
    assert_eq!((counted(&all), listed.len()), (count, count), "{all}");
    let names = |template: &str| listed.iter().any(|line| line.contains(template));
    // The first two templates read the text, so they are not listed. The third reads no text, so it is listed.
    // The last is repeated by the game, so it is listed with the game's own templates.
    assert!(!names("passage 「${b: body}$(。|)」") && !names("owner 「自分」"), "{all}");
    assert!(names("frame act シャッフルする or 混ぜる or 切り直す { を stack }") && !names("connective 「。」 joins body"), "{all}");
    let (_, lines) = gyoji(&folder, &["coverage", "--format", "json"]);
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let alone = lines.iter().find(|line| line["kind"] == "alone").unwrap();
    assert_eq!((alone["unread_shared"].as_array().unwrap().len(), alone["unread"].as_array().unwrap().len()), (count, 2));
    // Without the text, these templates read nothing either.
    std::fs::remove_file(folder.join("tests/scenarios/tsumi/texts.scenarios")).unwrap();
    assert!(counted(&gyoji(&folder, &["coverage"]).1) > count);
}

/// A game may take lines from std that none of its cards prints. Such lines are not broken, unless their file is asked for.
#[test]
fn taken_lines_without_a_reader_are_not_broken() {
    let taken = WORDING.replace("  spread", "  take names_you()\n  spread");
    let rules = RULES.replacen("gyoji 1\n", "gyoji 1\n\nuse std\n", 1) + &taken;
    let folder = project("mutants_taken", &rules);
    std::fs::write(folder.join("tests/scenarios/tsumi/texts.scenarios"), format!("gyoji 1\nscenarios tsumi\n{TEXT}")).unwrap();
    let in_std = |args: &[&str]| {
        let (_, said) = gyoji(&folder, &[&["mutants", "--all", "--format", "json"], args].concat());
        assert!(said.contains("\"kind\":\"summary\""), "{said}");
        said.lines().filter(|line| line.contains("<std/")).count()
    };
    assert_eq!((in_std(&[]), in_std(&["--file", "std/"]) > 0), (0, true));
}

/// A scenario shows that nothing happens while a condition is false: it fails if the condition always holds.
/// The same is true if the condition asks for a reading, and under the other reading no statement is left.
#[test]
fn conditions_that_no_scenario_shows_to_be_false_are_listed() {
    let rules = RULES.replacen("@3-4  for p in players {", "@3-4  for p in players where count(hold(it)) > 1 {", 1);
    let folder = project("coverage_conditions", &rules.replacen("move(lay, gone(p))", "if lay exists { move(lay, gone(p)) }", 1));
    let alone = |folder: &Path| -> Vec<String> {
        let (_, lines) = gyoji(folder, &["coverage", "--format", "json"]);
        let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let alone = lines.iter().find(|line| line["kind"] == "alone").unwrap();
        alone["never_false"].as_array().unwrap().iter().map(|place| place.as_str().unwrap().to_owned()).collect()
    };
    let line = |of: &str| {
        1 + std::fs::read_to_string(folder.join("rules/tsumi/game.rules")).unwrap().lines().position(|it| it.contains(of)).unwrap()
    };
    let place = |of: &str| format!("rules/tsumi/game.rules:{}", line(of));
    // An empty `lay` is never moved, with or without the condition. And no scenario uses the other value of the reading.
    assert_eq!(alone(&folder), [place("if lay exists"), place("if ends is at_once")]);
    let (_, said) = gyoji(&folder, &["coverage"]);
    assert!(said.contains(&format!("{} ends is at_once", place("if ends is at_once"))), "{said}");
    let goes_on = "gyoji 1\nscenarios tsumi\n\nscenario \"an empty pile is nothing\" {\n  reading ends = never\n  given { a { pile: \"小石\" } }\n  expect { game goes on }\n}\n";
    std::fs::write(folder.join("tests/scenarios/tsumi/never.scenarios"), goes_on).unwrap();
    assert_eq!(alone(&folder), [place("if lay exists")]);
}

/// A condition that is only looked at in an attempt that fails. If the condition always held, the attempt would succeed, and a scenario would notice.
#[test]
fn a_condition_that_is_false_in_a_trial_alone_is_shown() {
    let attempt = "move(lay, gone(p))\n        attempt {\n          if count(pile(p)) > 20 { move(top of pile(p), hold(p)) }\n\
                             choose back: 2 from hold(p) by p\n          move(back, gone(p))\n        }";
    let folder = project("coverage_trial", &RULES.replacen("move(lay, gone(p))", attempt, 1));
    let alone = |list: &str| -> bool {
        let (_, lines) = gyoji(&folder, &["coverage", "--format", "json"]);
        let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let text = std::fs::read_to_string(folder.join("rules/tsumi/game.rules")).unwrap();
        let line = 1 + text.lines().position(|line| line.contains("if count(pile(p)) > 20")).unwrap();
        let place = format!("rules/tsumi/game.rules:{line}");
        lines.iter().find(|line| line["kind"] == "alone").unwrap()[list].as_array().unwrap().iter().any(|at| at.as_str() == Some(&place))
    };
    assert!(alone("untaken") && alone("never_false"));
    let kept = "gyoji 1\nscenarios tsumi\n\nscenario \"nobody has two\" {\n  play { a: lay none  b: lay none }\n  expect { count(gone(a)) == 0 }\n}\n";
    std::fs::write(folder.join("tests/scenarios/tsumi/kept.scenarios"), kept).unwrap();
    assert!(alone("untaken") && !alone("never_false"));
}

/// The audit skips scenarios that cannot tell two programs apart. So equal fingerprints must mean equal programs.
#[test]
fn a_broken_game_has_the_fingerprint_of_the_whole_one_only_where_they_are_the_same() {
    let folder = project("fingerprint", RULES);
    let found = gyoji::project::find(&folder).unwrap();
    let (game, _) = gyoji::project::load("tsumi", &gyoji::project::Places::default(), found.as_ref()).unwrap();
    let bench = gyoji::audit::Bench::new(&game, None, []);
    let whole = bench.unbroken().fingerprint();
    assert_eq!(bench.whole().fingerprint(), whole);
    let broken = bench.mutants().into_iter().filter_map(|mutant| Some((bench.broken(&mutant)?, mutant)));
    let (same, others): (Vec<_>, Vec<_>) = broken.partition(|(ground, _)| ground.fingerprint() == whole);
    assert!(!others.is_empty());
    let text = |mutant: &gyoji::audit::Mutant| game.sources.text(mutant.site.span);
    // To leave out a word that is the default anyway makes no difference.
    assert!(
        same.iter().any(|(_, mutant)| text(mutant) == "public"),
        "{:?}",
        same.iter().map(|(_, mutant)| text(mutant)).collect::<Vec<_>>()
    );
    for (ground, mutant) in same {
        assert!(bench.programs(&ground).next() == bench.programs(&bench.whole()).next(), "{}", text(&mutant));
    }
}

/// The same text means one thing on a stone and another thing on paper. It keeps both meanings in a broken game, which is compiled again.
#[test]
fn a_text_is_read_on_its_card_type_in_broken_games_too() {
    const TYPED: &str = r#"
ability static "常" { }

card paper "紙" {
  weight "重さ" : number
}

wording tsumi {
  ability of stone 「倍」 -> ability static { modify this { power * 2 } }
  ability of paper 「倍」 -> ability static { modify this { weight * 3 } }
}
"#;
    let rules = RULES.replacen("gyoji 1\n", "gyoji 1\n\nuse std\n", 1) + TYPED;
    let folder = project("typed_texts", &rules);
    let cards = format!("{CARDS}\ncard \"T-3\" stone \"大岩\" {{ power 1  text 「倍」 }}\n");
    std::fs::write(folder.join("cards/tsumi/stones.cards"), cards).unwrap();
    let made_up = r#"gyoji 1
scenarios tsumi

scenario "a stone and paper" {
  card "紙切れ" paper { weight 1  text 「倍」 }
  given { a { gone: "大岩" as x, "紙切れ" as y } }
  expect { x.power == 2  y.weight == 3 }
}
"#;
    std::fs::write(folder.join("tests/scenarios/tsumi/typed.scenarios"), made_up).unwrap();
    let found = gyoji::project::find(&folder).unwrap();
    let (game, findings) = gyoji::project::load("tsumi", &gyoji::project::Places::default(), found.as_ref()).unwrap();
    assert_eq!(findings, []);
    let bench = gyoji::audit::Bench::new(&game, None, []);
    assert_eq!(bench.whole().fingerprint(), bench.unbroken().fingerprint());
    // The scenario notices a break that its texts touch, and no other break.
    let (_, said) = gyoji(&folder, &["mutants", "--all", "--scenarios", "tests/scenarios/tsumi/typed.scenarios"]);
    let line = |of: &str| said.lines().find(|line| line.ends_with(of)).unwrap_or_default();
    assert!(line("– players 2").contains("unnoticed") && line("– power \"力\"").contains("noticed by “a stone and paper”"), "{said}");
}

/// A card that becomes another card has the text of the other one at the end. Its own text was in the game all the same.
#[test]
fn a_text_counts_although_its_card_has_become_another() {
    const COPIES: &str = r#"
ability automatic "自" { zones: set of zone = [gone] }

action lays(c: stone) "置く" { move(c, gone(c.owner)) }

wording tsumi {
  ability of stone 「写す」 -> ability when lays(any c) where now(c) == this { become(this, "岩") }
}
"#;
    let rules = RULES.replacen("gyoji 1\n", "gyoji 1\n\nuse std\n", 1) + COPIES;
    let put = "for c in lay { lays(c) }\n        for a in pending { perform a }";
    let folder = project("copied_texts", &rules.replacen("move(lay, gone(p))", put, 1));
    let cards = format!("{CARDS}\ncard \"T-3\" stone \"古狸\" {{ power 1  text 「写す」 }}\n");
    std::fs::write(folder.join("cards/tsumi/stones.cards"), cards).unwrap();
    let becomes = "gyoji 1\nscenarios tsumi\n\nscenario \"it becomes a rock\" {\n  given { phase second  a { hold: \"古狸\" as x } }\n  \
                   play { a: lay x }\n  expect { x.power == 2 }\n}\n";
    std::fs::write(folder.join("tests/scenarios/tsumi/copied.scenarios"), becomes).unwrap();
    let (_, said) = gyoji(&folder, &["mutants", "--all", "--scenarios", "tests/scenarios/tsumi/copied.scenarios"]);
    let noticed = |line: &str| line.ends_with("– become(this, \"岩\")") && line.contains("noticed by “it becomes a rock”");
    assert!(said.lines().any(noticed), "{said}");
}

/// A break that exchanges the printed labels of two values changes what printed texts mean. So the texts are read again.
#[test]
fn texts_are_read_again_where_labels_are_exchanged() {
    const COLOURS: &str = r#"
ability static "常" { }
enum colour "色" { red "赤"  blue "青" }

card gem "宝石" {
  weight "重さ" : number
  hue "色" : colour
}

wording tsumi {
  ability 「${c: colour}なら倍」 -> ability static while this.hue == $c { modify this { weight * 2 } }
}
"#;
    let rules = RULES.replacen("gyoji 1\n", "gyoji 1\n\nuse std\n", 1) + COLOURS;
    let folder = project("exchanged_labels", &rules);
    let made_up = r#"gyoji 1
scenarios tsumi

scenario "a red gem" {
  card "紅玉" gem { weight 1  hue red  text 「赤なら倍」 }
  given { a { gone: "紅玉" as x } }
  expect { x.weight == 2 }
}
"#;
    std::fs::write(folder.join("tests/scenarios/tsumi/gems.scenarios"), made_up).unwrap();
    let (_, said) = gyoji(&folder, &["mutants", "--all", "--scenarios", "tests/scenarios/tsumi/gems.scenarios"]);
    let line = said.lines().find(|line| line.ends_with("swapped blue \"青\"")).unwrap_or(&said);
    assert!(line.contains("noticed by “a red gem”"), "{line}");
}

/// Checks that every element is closed, in the right order.
fn well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag) {
        let name = tag.trim_start_matches('/').split(' ').next().unwrap();
        match tag.strip_prefix('/') {
            Some(_) => assert_eq!(open.pop(), Some(name), "{page}"),
            None if ["!doctype", "meta", "br"].contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Checks that the numbers of chapters, of classes and of the whole follow from the rows.
fn the_totals_are_right(lines: &[serde_json::Value]) {
    let rows = || lines.iter().filter(|line| line["kind"] == "row");
    let summary = lines.last().unwrap();
    let counted = |of: &dyn Fn(&serde_json::Value) -> bool, numbers: &serde_json::Value| {
        for degree in ["shown", "traced", "cited", "missing"] {
            let there = rows().filter(|row| of(row) && row["degree"] == degree).count() as u64;
            assert_eq!(numbers[degree].as_u64(), Some(there), "{degree}: {numbers}");
        }
    };
    counted(&|_| true, &summary["total"]);
    for (chapter, numbers) in summary["chapters"].as_object().unwrap() {
        counted(&|row| row["id"].as_str().unwrap().split(['-', '.']).next() == Some(chapter), numbers);
    }
    for (class, numbers) in summary["classes"].as_object().unwrap() {
        counted(&|row| row["class"] == class.as_str(), numbers);
    }
    assert_eq!(summary["broken"], true);
}

#[test]
fn a_rule_with_what_stands_on_it() {
    let folder = project("rule", RULES);
    let (code, said) = gyoji(&folder, &["rule", "3-3"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(said);
    assert_eq!(gyoji(&folder, &["rule", "tsumi", "@3-3"]).1, said);
    let (code, said) = gyoji(&folder, &["rule", "3-33"]);
    assert!(code == 2 && said.contains("E0541") && said.contains("@3-3"), "{said}");
}

#[test]
fn a_new_edition_is_compared_and_its_numbers_written() {
    let folder = project("edition", RULES);
    let new = BOOK
        .replace("3-4\t", "3-5\t")
        .replace("3-3\tmechanic\twho", "3-4\tmechanic\twho")
        .replace("3-5\tmechanic absent", "3-6\tmechanic absent")
        .replace("3-2\tmechanic\tboth take one\n", "3-2\tmechanic\tboth take two\n3-3\tmechanic\ta player may pass\n");
    std::fs::write(folder.join("new.tsv"), &new).unwrap();
    let (code, said) = gyoji(&folder, &["rule", "--against", "new.tsv"]);
    assert_eq!(code, 0, "{said}");
    insta::assert_snapshot!(said);
    let (code, _) = gyoji(&folder, &["rule", "--against", "new.tsv", "--renumber"]);
    assert_eq!(code, 0);
    let text = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
    assert!(text("rules/tsumi/game.rules").contains("rule out(p: player) \"尽きる\" @3-4 immediately"));
    assert!(text("tests/scenarios/tsumi/all.scenarios").contains("scenario \"nothing is shuffled\" @3-6 {"));
    assert_eq!(text("rules/tsumi/rulebook.tsv"), new);
    let (code, said) = gyoji(&folder, &["test"]);
    assert_eq!((code, said.trim()), (0, "3 passed, 0 failed"));
    assert_eq!(gyoji(&folder, &["check"]).0, 0);
}

#[test]
fn a_citation_of_no_rule_is_an_error() {
    let folder = project("no_rule", &RULES.replace("@3-1  move", "@3-11  move"));
    let (code, said) = gyoji(&folder, &["check"]);
    assert!(code == 1 && said.contains("E0542") && said.contains("@3-11"), "{said}");
}

#[test]
fn a_numbered_text_becomes_an_index() {
    let folder = project("import", RULES);
    std::fs::write(folder.join("book.txt"), "The rules\n1. The game\n1-1. Two players play,\n  no more.\n1-1-1. They draw.\n").unwrap();
    let (code, said) = gyoji(&folder, &["rule", "import", "book.txt", "--scheme", "#(-#)*"]);
    assert_eq!((code, said.as_str()), (0, "1\tnone\tThe game\n1-1\tmechanic\tTwo players play, no more.\n1-1-1\tmechanic\tThey draw.\n"));
    for (scheme, code) in [("#(-#", "E0577"), ("A#", "E0578")] {
        let (exit, said) = gyoji(&folder, &["rule", "import", "book.txt", "--scheme", scheme]);
        assert!(exit == 2 && said.contains(code), "{said}");
    }
    assert!(gyoji(&folder, &["rule", "import", "book.txt"]).1.contains("E0579"));
}

#[test]
fn readings_say_what_comes_out_differently() {
    let folder = project("readings", RULES);
    let (code, said) = gyoji(&folder, &["readings"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(said);
    let (code, said) = gyoji(&folder, &["test", "--reading", "ends=never"]);
    assert!(code == 1 && said.contains("2 passed, 1 failed"), "{said}");
}

/// The rules of a header must be carried out only under the default readings. If they are not carried out under another reading, this is no other
/// outcome, neither for `readings` nor for `test --reading`.
#[test]
fn readings_and_test_count_the_same_scenarios() {
    let rules = RULES.replace("{ lose(p) }", "{\n@3-6  lose(p)\n  }");
    let folder = project("readings_and_test", &rules);
    std::fs::write(folder.join("rules/tsumi/rulebook.tsv"), format!("{BOOK}3-6\tmechanic\tthe game is lost\n")).unwrap();
    let both = "scenario \"the last stone is taken all the same\" @3-6 {\n  given { a { pile: \"小石\" } }\n  expect { happened take(a) 1 times }\n}\n";
    std::fs::write(folder.join("tests/scenarios/tsumi/all.scenarios"), format!("{SCENARIOS}\n{both}")).unwrap();
    let (code, said) = gyoji(&folder, &["readings"]);
    assert!(code == 0 && said.contains("never: 1 scenarios come out differently"), "{said}");
    let (code, said) = gyoji(&folder, &["test", "--reading", "ends=never"]);
    assert!(code == 1 && said.contains("3 passed, 1 failed"), "{said}");
}

#[test]
fn a_failure_in_japanese_calls_things_by_their_printed_labels() {
    let rules = RULES
        .replace("turn @3 {", "choice lay \"置く石\" @3-4\n\nstate count_of \"数\" : number on player\n\nturn @3 {")
        .replace("        choose lay:", "        p.count_of = 1\n        choose lay:");
    let folder = project("labels", &rules);
    let broken = "gyoji 1\nscenarios tsumi\n\nscenario \"x\" @3-2 {\n  play { b: lay \"小石\" }\n  expect { a wins }\n}\n";
    std::fs::write(folder.join("broken.scenarios"), broken).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gyoji"));
    let output = command.args(["test", "broken.scenarios", "--lang", "ja"]).current_dir(&folder).output().unwrap();
    let japanese = String::from_utf8_lossy(&output.stdout).into_owned();
    for label in ["山: ", "手: ", "選択 a：置く石", "数 = 1", "取る(a)", "手(a)"] {
        assert!(japanese.contains(label), "{label}: {japanese}");
    }
    // The last steps show statements as their sources write them.
    let stands = japanese.split("最後の処理").next().unwrap();
    for name in ["pile", "hold", "a: lay", "take("] {
        assert!(!stands.contains(name), "{name}: {japanese}");
    }
    let (_, english) = gyoji(&folder, &["test", "broken.scenarios"]);
    for name in ["pile: ", "hold: ", "asked a: lay", "count_of = 1", "take(a)", "hold(a)"] {
        assert!(english.contains(name), "{name}: {english}");
    }
}
