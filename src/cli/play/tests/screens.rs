//! The screens of the built-in games, as a player reads them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::chronicle::Chronicle;
use super::question::Question;
use super::screen::Asking;
use crate::shared::context::Log;
use crate::shared::loading::{self, Loaded};
use crate::simulate;
use crate::{Context, Flags, Lang};
use engine::machine::Machine;
use engine::program::AmountDef;
use engine::random::seed_of_game;
use engine::state::Status;
use engine::value::Player;
use engine::why::as_seen;
use players::Random;
use project::embedded_games;
use report::{Reasons, Table, Widths, wrapped};
use std::fmt::Write;
use tell::{Detail, Names, Words, question_of};

const COLUMNS: usize = 80;
/// Where the screens are kept: beside this file they would be words of games among the sources.
const KEPT: &str = "../../../../tests/suite/snapshots";
/// For each game the seed of the screens that are kept.
const SEEDS: [u64; 5] = [7, 7, 5, 7, 7];

/// The built-in games without the examples, in order.
fn games() -> Vec<String> {
    let rules = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("rules");
    let games: Vec<String> = embedded_games().into_iter().filter(|name| rules.join(name).is_dir()).collect();
    assert_eq!(games.len(), SEEDS.len());
    games
}

fn loaded(name: &str, language: Lang) -> (Loaded, Words) {
    let context = Context::new(&Flags { lang: Some(language), ..Flags::default() });
    (loading::load(&context, Some(name)).unwrap_or_else(|_| panic!("{name} is built in")), context.words())
}

/// Plays a game at random, and shows its questions: what has happened, the position, the question, what is known about it.
fn play(
    (loaded, words): &(Loaded, Words),
    seed: u64,
    most: usize,
    mut see: impl FnMut(&mut Chronicle, &Machine, &Question, &Asking) -> bool,
) {
    let decks = loaded.decks(&[]).unwrap();
    let seed = seed_of_game(seed, 0);
    let decks = simulate::drawn_decks(&loaded.program, &decks, &loaded.in_decks(), seed);
    let mut machine = Machine::new(loaded.program.clone());
    machine.start(&decks, seed);
    let mut random = Random::new(seed, 0);
    let mut chronicle = Chronicle::new(*words, loaded.statements()).read_by(Some(Player(0)), Detail::Table, Log::Lines);
    let mut seen = 0;
    while machine.run(&mut chronicle) == Status::Asking && seen < most {
        machine.list_all();
        let question = machine.questions().find(|asked| !asked.answered).map(|asked| Question::of(&asked, &machine));
        if let Some(question) = question {
            let asking = Asking::of(&question, &machine, &loaded.game.map, &loaded.sources);
            seen += usize::from(see(&mut chronicle, &machine, &question, &asking));
        }
        assert!(random.decide(&mut machine, &mut Vec::new()).unwrap(), "a question is open");
    }
}

/// Asserts that no line about a question of a game is wrong. `seeds` games of each kind are played, until `most` questions were seen.
fn no_line_of_questions((seeds, most): (u64, usize), wrong: impl Fn(&Machine, Words, &Question, &Asking) -> Vec<String>) {
    for name in games() {
        let game = loaded(&name, Lang::Ja);
        let mut faults: Vec<String> = Vec::new();
        for seed in 0..seeds {
            play(&game, seed, most, |_, machine, question, asking| {
                faults.extend(wrong(machine, game.1, question, asking));
                true
            });
        }
        faults.sort();
        faults.dedup();
        assert_eq!(faults, [""; 0], "{name}");
    }
}

/// Twenty questions of the first seat.
fn screens(name: &str, language: Lang, seed: u64) -> String {
    let game = loaded(name, language);
    let words = game.1;
    let widths = Widths::new(1);
    let mut text = String::new();
    play(&game, seed, 20, |chronicle, machine, question, asking| {
        if question.player != Player(0) {
            return false;
        }
        let table = Table { machine, viewer: Some(Player(0)), words, widths, columns: COLUMNS };
        let not_now = question.not_now_in_short(machine, words).into_iter().map(|line| format!("    {line}"));
        let told = chronicle.take_lines(Some(Player(0)));
        let drawn = table.draw();
        for line in told.into_iter().chain(drawn.lines().map(str::to_owned)).chain(question.lines(machine, words, asking)).chain(not_now) {
            for line in wrapped(&line, COLUMNS, widths) {
                assert!(widths.of(&line) <= COLUMNS, "{line}");
                writeln!(text, "{}", line.trim_end()).unwrap();
            }
        }
        text.push_str(">\n");
        true
    });
    text
}

#[test]
fn the_games_ask_in_japanese() {
    insta::with_settings!({snapshot_path => KEPT}, {
        for (name, seed) in games().into_iter().zip(SEEDS) {
            let shown = screens(&name, Lang::Ja, seed);
            insta::assert_snapshot!(name, shown);
        }
    });
}

#[test]
fn a_game_asks_in_english() {
    insta::with_settings!({snapshot_path => KEPT}, {
        insta::assert_snapshot!(screens(games().last().unwrap(), Lang::En, 7));
    });
}

/// No question, answer or reason holds an identifier or a statement of the rules: outside of names and printed texts there is no word of
/// small Latin letters, and no brace.
#[test]
fn no_question_holds_an_identifier() {
    no_line_of_questions((6, 60), |machine, words, question, asking| {
        let lines = question.lines(machine, words, asking).into_iter().chain(question.not_now(machine, words));
        let printed = asking.printed.as_deref().filter(|text| !text.is_empty()).unwrap_or("\n");
        // The text of an ability stands below the ability.
        let wrong = |line: &String| !line.starts_with("      ") && is_technical(&line.replace(printed, ""));
        lines.filter(wrong).collect()
    });
}

/// No reason for which an action cannot be taken holds an identifier, a statement or a sign of comparison. A name without a label is quoted.
#[test]
fn no_answer_to_why_holds_an_identifier() {
    no_line_of_questions((4, 40), |machine, words, question, _| {
        let machine = as_seen(machine, question.player);
        let known = |id| machine.sees(question.player, id);
        let names = Names::new(machine.program(), words).known_to(&known);
        let reasons =
            Reasons { names: &names, state: machine.state(), statement: &|_| String::new(), line_of_match: &|_, _| String::new() };
        let offered = if question.offer { machine.not_offered(question.id) } else { Vec::new() };
        let wrong = |line: &String| {
            let unquoted: String = line.split('`').step_by(2).collect();
            is_technical(&unquoted) || ["==", "<", ">", "!="].iter().any(|sign| unquoted.contains(sign))
        };
        offered.iter().flat_map(|way| reasons.lines(&way.answer)).filter(wrong).collect()
    });
}

/// Whoever may pass on a question (「…か」, 「…かどうか」) reads which answer the pass gives.
#[test]
fn a_pass_answers_the_question() {
    for name in games() {
        let (loaded, words) = loaded(&name, Lang::Ja);
        let program = &loaded.program;
        for (id, choice) in program.choices.iter().filter(|(_, choice)| choice.offer && choice.min == AmountDef::Fixed(0)) {
            let asked = question_of(&choice.name, words);
            let asks = asked.ends_with('か') || asked.contains("かどうか") || asked.contains("パス");
            assert!(!asks || program.pass_words(id).is_some(), "{name}: {asked}");
        }
    }
}

/// A question of which nothing can be chosen says so, and lists nothing.
#[test]
fn a_question_without_a_choice_says_so() {
    for name in games() {
        let game = loaded(&name, Lang::Ja);
        play(&game, 1, 30, |_, machine, question, asking| {
            let asked = machine.questions().find(|asked| asked.id == question.id && !asked.offer && !asked.yes_no).map(|asked| {
                let question = Question::of(&asked, machine);
                Question { min: 0, max: 0, numbers: None, any_number: true, ..question }
            });
            for lines in asked.iter().map(|asked| asked.lines(machine, game.1, asking)) {
                assert!(lines[0].contains("選べるものがない"), "{name}: {lines:?}");
                assert!(!lines.iter().any(|line| line.trim_start().starts_with("1 ")), "{name}: {lines:?}");
            }
            true
        });
    }
}

/// Answers that read alike have numbers, each its own. An answer that reads like no other has none.
#[test]
fn equal_answers_are_numbered() {
    let words = Words::new(lang::diagnostic::Language::Japanese);
    for code in 0..3_usize.pow(4) {
        let options: Vec<usize> = (0..4).map(|at| code / 3_usize.pow(at) % 3).collect();
        let told: Vec<String> = (0..4).map(|at| format!("{}{}", options[at], super::screen::which_of_alike(&options, at, words))).collect();
        for (at, option) in options.iter().enumerate() {
            let alike = options.iter().filter(|other| *other == option).count();
            assert_eq!(told[at].len() > 1, alike > 1, "{told:?}");
            assert_eq!(told.iter().filter(|other| **other == told[at]).count(), 1, "{told:?}");
        }
    }
}

fn is_technical(line: &str) -> bool {
    let behind = |part: &str| part.split_once('」').map(|(_, after)| after.to_owned()).unwrap_or_default();
    let mut parts = line.split('「');
    let outside = parts.next().unwrap_or_default().to_owned() + &parts.map(behind).collect::<String>();
    let mut words = outside.split(|sign: char| !sign.is_ascii_lowercase() && sign != '_');
    outside.contains(" {") || words.any(|word| word.len() > 1) || line.contains("：：") || line.contains("「」")
}
