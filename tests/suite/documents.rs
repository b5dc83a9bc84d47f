//! Every example in the pages about the language is correct: it is read and compiled, and an example that is a ruling is run.
//!
//! An example is a block between fences. It is put on a frame (`tests/fixtures/documents/frame.rules`), which declares all names that
//! the examples use and do not declare. Declarations are added to the frame, statements stand in a procedure, abilities on a card.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use super::tidy::{document, documents};
use gyoji::compile::Compiler;
use gyoji::diagnostic::{Diagnostic, Language, Sources, entry, fill};
use gyoji::project::{Deck, Game, Places, Project, find, load};
use gyoji::scenario::suite::Suite;
use gyoji::syntax::ast::Text;
use gyoji::syntax::{FileKind, declaration_words, parse_cards, parse_rules, parse_scenarios};
use gyoji::wording::{Wording, show_ability};
use std::path::{Path, PathBuf};

const LANGUAGE_JA: &str = include_str!("../../docs/language.ja.md");
const TUTORIAL: &str = include_str!("../../docs/tutorial.md");
const NOT_A_DUEL: &str = include_str!("../../docs/not_a_duel.md");
/// Declares the names that the examples use, one declaration on each line. If an example declares a name itself, the frame's line is left out.
const FRAME: &str = include_str!("../fixtures/documents/frame.rules");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The blocks between fences, each with its line number.
fn blocks(page: &str) -> Vec<(usize, String)> {
    let (mut blocks, mut open): (Vec<(usize, String)>, bool) = (Vec::new(), false);
    for (at, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            open = !open;
            if open {
                blocks.push((at + 2, String::new()));
            }
        } else if let (true, Some((_, block))) = (open, blocks.last_mut()) {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

fn said(found: &[Diagnostic], sources: &Sources) -> String {
    let line = |finding: &Diagnostic| {
        let message = entry(finding.code, Language::English).and_then(|words| fill(&words.message, &finding.args)).unwrap_or_default();
        format!("{} [{}] {message}\n", finding.code, finding.span.map_or("", |span| sources.text(span)))
    };
    found.iter().map(line).collect()
}

/// The kind and name that a line declares, such as `zone deck`. Only the kind if there is no name, such as `layers`.
fn declared(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).collect();
    declaration_words(FileKind::Rules).contains(words.first()?).then(|| words.iter().take(2).copied().collect::<Vec<_>>().join(" "))
}

/// The frame without the lines that `text` declares itself.
fn frame_for(text: &str) -> String {
    let own: Vec<String> = text.lines().filter_map(declared).collect();
    let single = |line: &str| ["turn", "judgement", "game", "moves", "layers"].iter().find(|word| line.starts_with(**word)).copied();
    let is_own = |line: &str| {
        declared(line).is_some_and(|name| own.contains(&name))
            || single(line).is_some_and(|word| text.lines().any(|own| own.starts_with(word)))
    };
    FRAME.lines().filter(|line| !is_own(line)).map(|line| format!("{line}\n")).collect()
}

/// The errors of declarations and cards on the frame.
fn compiled(rules: &str, cards: &str) -> String {
    let mut sources = Sources::default();
    let text = format!("{}{rules}\n", frame_for(rules));
    let file = sources.add("frame.rules", &text);
    let (tree, mut found) = parse_rules(file, &text);
    let (mut compiler, more) = Compiler::new(&[tree]);
    found.extend(more);
    let text =
        format!("gyoji 1\n\ncards tiny\n\ncard \"P\" fighter \"だるま\" {{ win 1 }}\ncard \"T\" fighter \"兵\" {{ win 1 }}\n{cards}");
    let file = sources.add("frame.cards", &text);
    let (tree, more) = parse_cards(file, &text);
    found.extend(more);
    for card in &tree.items {
        found.extend(compiler.add_card(card, card.script.as_deref().unwrap_or_default()).1);
    }
    found.extend(compiler.missing_cards(None));
    said(&found, &sources)
}

fn kaiun() -> Game {
    let (game, found) = load("kaiun", &Places::default(), find(root()).unwrap().as_ref()).unwrap();
    assert_eq!(found, []);
    game
}

/// The errors of scenarios, and the expectations that fail.
fn run(game: &Game, text: &str) -> String {
    let mut suite = Suite::new(game);
    suite.add("page.scenarios", text.as_bytes());
    let mut wrong = said(&suite.found, &suite.sources);
    for verdict in suite.verdicts() {
        if !verdict.passed() {
            wrong.push_str(&format!("{verdict:?}\n"));
        }
    }
    wrong
}

/// Indents a block, because a declaration begins only in column 0.
fn indented(block: &str) -> String {
    block.lines().map(|line| format!("  {line}\n")).collect()
}

/// The errors of an example.
fn wrong(block: &str) -> String {
    let first = block.split_whitespace().next().unwrap_or_default();
    let mut sources = Sources::default();
    if block.starts_with("(name:") {
        let file = sources.add("d.ron", block);
        return Deck::parse(file, &sources).map_or_else(|finding| said(&[finding], &sources), |_| String::new());
    }
    if block.starts_with("gyoji 1\ncards") {
        // The game's wording reads the printed text elsewhere. Here only the form of the file counts.
        let file = sources.add("c.cards", block);
        return said(&parse_cards(file, block).1, &sources);
    }
    if first == "scenario" {
        return run(&kaiun(), &format!("gyoji 1\n\nscenarios kaiun\n\n{block}"));
    }
    if first == "script" {
        return compiled("", &format!("card \"E\" fighter \"例\" {{ win 1\n{}}}\n", indented(block)));
    }
    if first == "static" || block.starts_with("art(") {
        return compiled("", &format!("card \"E\" fighter \"例\" {{ win 1  script {{\n{}}} }}\n", indented(block)));
    }
    if declared(block).is_some() {
        return compiled(block, "");
    }
    compiled(&format!("procedure probe(p: player, c: card) {{\n{}}}", indented(block)), "")
}

#[test]
fn every_example_of_the_reference_compiles() {
    let mut broken = String::new();
    let mut examples = 0;
    for (path, page) in documents("language") {
        for (line, block) in blocks(&page).into_iter().filter(|(_, block)| !block.starts_with("statement heads:")) {
            let found = wrong(&block);
            examples += 1;
            if !found.is_empty() {
                broken.push_str(&format!("{}:{line}\n{block}{found}\n", path.display()));
            }
        }
    }
    assert!(examples >= 24 && broken.is_empty(), "{examples} examples\n{broken}");
}

#[test]
fn every_example_of_the_japanese_table_compiles() {
    let examples = blocks(LANGUAGE_JA);
    let broken: String = examples
        .iter()
        .map(|(line, block)| (line, wrong(block)))
        .filter(|(_, found)| !found.is_empty())
        .map(|(line, found)| format!("docs/language.ja.md:{line}\n{found}\n"))
        .collect();
    assert!(examples.len() >= 3 && broken.is_empty(), "{} examples\n{broken}", examples.len());
}

/// The test itself is tested: it finds an example that is wrong.
#[test]
fn an_example_that_is_wrong_is_found() {
    for (block, code) in
        [("zone deck { shared publik }", "E0123"), ("draw(p, one)", "E0201"), ("script { on_open { drwa(you, 1) } }", "E0201")]
    {
        assert!(wrong(&format!("{block}\n")).starts_with(code), "{block}: {}", wrong(block));
    }
}

/// The game of the page on scenarios: the small game of the runner's tests, and the other things that the page uses.
fn micro() -> Game {
    let read = |file: &str| std::fs::read_to_string(root().join("src/scenario/tests").join(file)).unwrap();
    let rules = read("micro.rules")
        .replace("at most 1  public  face up or down", "at most 1  public  face up or down  places side")
        .replace("  phase third ", &format!("{PAYS}\n  phase third "));
    let folder = std::env::temp_dir().join(format!("gyoji-micro-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("game.rules"), format!("{rules}\n{BESIDES}")).unwrap();
    std::fs::write(folder.join("micro.cards"), format!("{}\n{MORE}", read("micro.cards"))).unwrap();
    std::fs::write(folder.join("rulebook.tsv"), read("micro.tsv")).unwrap();
    let project = Project { folder: root().to_owned(), ..Project::default() };
    let (game, found) = load("micro", &Places { rules: Some(folder.clone()), cards: None, on: None }, Some(&project)).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(said(&found, &game.sources), "");
    game
}

const PAYS: &str = "  phase pays \"払い\" {
    for p in players {
      if payment is two { choose discard: 1 from hold(p) by p  move(discard, gone(p)) } else { choose rest: 1 from players by p }
    }
  }";
const BESIDES: &str = "enum side \"側\" { left \"左\"  right \"右\" }
zone box \"箱\" { shared  public }
zone gear \"装備\" { each player  public }
zone stack \"積み\" { shared  ordered  public  holds abilities }
moment result \"結果で\"
option call(c: card in hold(p)) \"呼ぶ\" by p in calls declare { choose paid: up to 2 from gear(p) by p } process { move(paid, gone(p)) }
action chance(p: player) \"運\" { if coin() { if die(6) > 1 { move(pick(1, hold(p)), gone(p)) } } }
";
const MORE: &str = "card \"G-1\" piece \"剣\" { power 0 }\ncard \"G-2\" piece \"盾\" { power 0 }
card \"G-3\" piece \"師\" { power 0  script { static { grant gear(you) { when take(any p) { lose(p) } } } } }
";

/// Makes a scenario file of an example from the page. Returns also whether it can be run; a list of forms is only read.
fn ruling(block: &str) -> (String, bool) {
    let starts = |words: &[&str]| words.iter().any(|word| block.starts_with(word));
    let (text, runs) = if block.starts_with("gyoji 1") {
        (block.to_owned(), true)
    } else if starts(&["given late", "scenario "]) {
        (format!("gyoji 1\n\nscenarios micro\n\n{block}"), true)
    } else {
        let (before, after) = match block {
            block if block.starts_with("under ") => ("  given { phase pays }", ""),
            block if block.starts_with("play ") || block.starts_with("expect ") => ("", ""),
            _ => ("", "  expect { not game drawn }"),
        };
        let text = format!("gyoji 1\n\nscenarios micro\n\nscenario \"x\" {{\n{before}\n{}{after}\n}}\n", indented(block));
        (text, !starts(&["play ", "expect "]))
    };
    // A reader puts something in the place of `…`.
    let filled =
        text.replace("expect { … }", "expect { not game drawn }").replace("script { … }", "script { }").replace("text 「…」", "power 1");
    (filled.replacen("scenario \"…\"", "scenario \"one\"", 1), runs)
}

/// Each example of the page on scenarios is a ruling that holds or a position that is possible. Lists of forms can be read.
#[test]
fn every_example_about_scenarios_is_run() {
    let (game, mut ran, mut broken) = (micro(), 0, String::new());
    for (line, block) in blocks(&document("scenarios")) {
        let (text, runs) = ruling(&block);
        let found = if runs {
            ran += 1;
            run(&game, &text)
        } else {
            let mut sources = Sources::default();
            let file = sources.add("x.scenarios", &text);
            said(&parse_scenarios(file, &text).1, &sources)
        };
        if !found.is_empty() {
            broken.push_str(&format!("docs/scenarios.md:{line}\n{block}{found}\n"));
        }
    }
    assert!(ran >= 9 && broken.is_empty(), "{ran} run\n{broken}");
}

/// The page on wording has a table of printed texts. On the frame, with std and the page's wording, each text means the script beside it.
#[test]
fn what_the_page_on_wording_says_of_texts_is_so() {
    let page = document("wording");
    let recipes = blocks(&page).into_iter().find(|(_, block)| block.starts_with("wording recipes")).unwrap().1;
    let own = format!("{}{recipes}", FRAME.replace("power : number", "power \"攻撃力\" : number"));
    let mut std: Vec<_> =
        std::fs::read_dir(root().join("rules/std")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    std.sort();
    let std = std.iter().map(|path| std::fs::read_to_string(path).unwrap());
    let files: Vec<_> = std.chain([own]).map(|text| parse_rules(gyoji::diagnostic::FileId(0), &text).0).collect();
    let (wording, found) = Wording::new(&files);
    assert_eq!(found, []);
    let (mut rows, mut wrong) = (0, String::new());
    for line in page.lines().filter(|line| line.starts_with("| 「")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let printed = cells[0].trim_start_matches('「').trim_end_matches('」').to_owned();
        let reading = wording.read(&Text { text: printed, span: gyoji::diagnostic::Span::default() });
        let script: Vec<String> = reading.abilities.iter().map(show_ability).collect();
        rows += 1;
        if format!("`{}`", script.join(" ")) != cells[1] {
            wrong.push_str(&format!("{line}\n  {}{}\n", script.join(" "), said(&reading.diagnostics, &Sources::default())));
        }
    }
    assert!(rows >= 8 && wrong.is_empty(), "{rows} texts\n{wrong}");
}

/// The tutorial's game, as the reader has it at the end.
#[test]
fn the_tutorial_makes_a_game_whose_rulings_hold() {
    let (mut rules, mut cards, mut scenarios) = (String::new(), String::new(), String::new());
    let (small, larger) = TUTORIAL.split_once("## 8.").unwrap();
    // cli/designers/lands_and_spells.rs runs the larger game. Here the test checks that the game contains everything that the page shows of it.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = |file: &str| std::fs::read_to_string(root().join("tests/fixtures/sansui").join(file)).unwrap();
    let game: String = ["game.rules", "casting.rules", "turn.rules"].map(read).concat();
    for (line, block) in blocks(larger) {
        for part in block.split("\n\n") {
            assert!(words(&game).contains(&words(part)), "line {line} behind `## 8.`: {part}");
        }
    }
    for (_, block) in blocks(small) {
        if block.starts_with("gyoji 1\n\ngame") {
            rules = block;
        } else if block.starts_with("gyoji 1\ncards") {
            let more = block.split_once("cards hibana\n").unwrap().1;
            cards.push_str(if cards.is_empty() { &block } else { more });
        } else if block.starts_with("gyoji 1\nscenarios") {
            scenarios = block;
        } else if block.trim_start().starts_with("for c in play_card") {
            let before = "    for c in play_card { p.mana = p.mana - c.cost  summon(p, c) }\n";
            assert!(rules.contains(before));
            rules = rules.replace(before, &block).replace("wound(c, back)\n", "wound(c, back)\n        settle(p)\n");
        } else if declared(&block).is_some() && !block.starts_with("(name") {
            rules.push_str(&format!("\n{block}"));
        }
    }
    assert_eq!(made("hibana", &rules, &cards, &scenarios), 9);
}

/// Makes a game of the files that a page shows, and runs its rulings. Returns the number of cards.
fn made(name: &str, rules: &str, cards: &str, scenarios: &str) -> usize {
    let folder: PathBuf = std::env::temp_dir().join(format!("gyoji-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    std::fs::write(folder.join("its.cards"), cards).unwrap();
    let places = Places { rules: Some(folder.clone()), cards: None, on: None };
    let project = Project { folder: root().to_owned(), ..Project::default() };
    let (game, found) = load(name, &places, Some(&project)).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(said(&found, &game.sources), "");
    assert_eq!(run(&game, scenarios), "");
    game.cards.len()
}

#[test]
fn the_game_that_is_no_duel_is_one_whose_rulings_hold() {
    let blocks = blocks(NOT_A_DUEL);
    let block = |begins: &str| blocks.iter().find(|(_, block)| block.starts_with(begins)).map(|(_, block)| block.as_str()).unwrap();
    assert_eq!(made("utage", block("gyoji 1\n\ngame"), block("gyoji 1\ncards"), block("gyoji 1\nscenarios")), 12);
}

/// The recipes for games of three players or more: all of them together make a game whose rulings hold.
#[test]
fn the_recipes_for_several_players_make_a_game() {
    let recipes = NOT_A_DUEL.split_once("## Recipes for three players or more").unwrap().1;
    let read = |file: &str| std::fs::read_to_string(root().join("tests/fixtures/documents").join(file)).unwrap();
    let recipes: Vec<String> = blocks(recipes).into_iter().map(|(_, block)| block).collect();
    assert!(recipes.len() >= 7);
    let rules = format!("{}\n{}", read("recipes.rules"), recipes.join("\n"));
    assert_eq!(made("recipes", &rules, &read("recipes.cards"), &read("recipes.scenarios")), 7);
}
