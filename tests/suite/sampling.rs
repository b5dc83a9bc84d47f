//! A player may draw from an offer without listing it. The game is then the same as with the list, and every answer is equally likely.
//!
//! The test plays the pages of `tests/kernel` that have offers, from cards laid anywhere and from the positions of
//! their scenarios, and 軌跡 with its own decks. (開運コロシアム has no offers: the flow of its turn asks each player directly.)
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice, reason = "a test")]

use super::damaged_saves::{EVIL, numbers};
use super::pages::{begun, pages, suite};
use super::promises::TABLES;
use gyoji::engine::ids::{CardId, Id, OptionId};
use gyoji::engine::machine::offered::Way;
use gyoji::engine::machine::{Asked, Machine, QuestionId, Refusal};
use gyoji::engine::random::{Generator, seed_of_game};
use gyoji::engine::state::Status;
use gyoji::engine::state::save::Saved;
use gyoji::engine::steps::{Observer, Silent, Traced, View};
use gyoji::engine::value::{ObjectId, Player, Value};
use gyoji::players::Random;
use gyoji::project::{Places, Project, load};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const SEED: u64 = 4711;
/// The most statements between two decisions. In a random position of a page it may happen that nothing is ever asked.
const BUDGET: u32 = 20_000;
const MOST_DECISIONS: usize = 1_500;

/// The beginning of a game.
struct Start {
    name: String,
    number: u64,
    machine: Machine,
}

/// Beginnings of games on pages with offers.
fn starts_of_pages() -> Vec<Start> {
    let mut starts = Vec::new();
    for table in TABLES.iter().filter(|table| table.decks.is_none() && !table.begun(0).program().options.is_empty()) {
        starts.extend((0..8).map(|number| Start { name: table.name.clone(), number, machine: table.begun(number) }));
    }
    for page in pages() {
        let suite = suite(&page);
        for scenario in &suite.scenarios {
            let Some(mut machine) = begun(&suite, scenario) else { continue };
            if machine.program().options.is_empty() {
                continue;
            }
            machine.record_all(false);
            machine.step_budget(BUDGET);
            starts.push(Start { name: scenario.title.text.clone(), number: 0, machine });
        }
    }
    starts
}

/// Beginnings of games of a built-in game with its own decks.
fn starts_with_decks(name: &str, games: u64) -> Vec<Start> {
    let (game, findings) = load(name, &Places::default(), None::<&Project>).unwrap();
    assert_eq!(findings, [], "{name}");
    let decks: Vec<Vec<CardId>> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let decks: Vec<Vec<CardId>> = decks.iter().cycle().take(usize::from(game.program.players)).cloned().collect();
    let start = |number| {
        let mut machine = Machine::new(Arc::clone(&game.program));
        machine.start(&decks, seed_of_game(SEED, number));
        Start { name: name.to_owned(), number, machine }
    };
    (0..games).map(start).collect()
}

fn starts() -> Vec<Start> {
    starts_of_pages().into_iter().chain(starts_with_decks("kiseki", 2)).collect()
}

impl Start {
    fn random(&self) -> Random {
        Random::new(SEED, self.number)
    }

    /// A machine at this beginning. It lists an offer only if somebody asks for the list.
    fn sampling(&self) -> Machine {
        let mut machine = self.machine.clone();
        machine.sampling(true);
        machine
    }

    fn most_decisions(&self) -> usize {
        if self.name == "kiseki" { MOST_DECISIONS } else { 24 }
    }
}

fn answer_all(machine: &mut Machine, random: &mut Random) -> usize {
    let mut picks = Vec::new();
    let mut answered = 0;
    while random.decide(machine, &mut picks).unwrap() {
        answered += 1;
    }
    answered
}

/// A machine in the same position, without what the other machine remembers.
fn copy_of(machine: &Machine) -> Machine {
    let mut copy = Machine::with_state(Arc::clone(machine.program()), machine.state().clone());
    copy.step_budget(BUDGET);
    copy
}

fn unlisted(machine: &Machine) -> Vec<QuestionId> {
    machine.questions().filter(|asked| !asked.listed && !asked.answered).map(|asked| asked.id).collect()
}

/// The same machine, with every offer listed.
fn listed(machine: &Machine) -> Machine {
    let mut copy = copy_of(machine);
    for question in unlisted(machine) {
        copy.list(question).unwrap();
    }
    copy
}

fn asked(machine: &Machine, question: QuestionId) -> Asked<'_> {
    machine.questions().find(|asked| asked.id == question).unwrap()
}

/// All answers to a listed offer.
fn answers(machine: &Machine, question: QuestionId) -> Vec<Option<Way>> {
    let asked = asked(machine, question);
    let ways = asked.domain.iter().map(|play| Some(Way::of(*play, asked.lists).unwrap()));
    (asked.min == 0).then_some(None).into_iter().chain(ways).collect()
}

/// Plays a game by drawing, and calls `look` at every decision before the answers.
fn play(start: &Start, mut look: impl FnMut(&mut Machine)) -> Machine {
    let (mut machine, mut random) = (start.sampling(), start.random());
    for _ in 0..start.most_decisions() {
        let status = machine.run(&mut Silent);
        look(&mut machine);
        if status != Status::Asking {
            break;
        }
        answer_all(&mut machine, &mut random);
    }
    machine.run(&mut Silent);
    machine
}

/// At every decision, a list that is made later is equal to a list that is made at once (the whole states are compared), and both players draw the same answers.
#[test]
fn sampled_and_listed_it_is_the_same_game() {
    let (decisions, offers) = (AtomicUsize::new(0), AtomicUsize::new(0));
    starts().into_par_iter().for_each(|start| {
        let (mut sampling, mut listing) = (start.sampling(), start.machine.clone());
        let (mut random, mut of_list) = (start.random(), start.random());
        for at in 0..start.most_decisions() {
            let (name, number) = (&start.name, start.number);
            let status = sampling.run(&mut Silent);
            assert_eq!(status, listing.run(&mut Silent), "{name} {number}, {at}");
            assert!(listing.questions().all(|asked| asked.listed), "{name} {number}, {at}");
            assert!(listed(&sampling).state() == listing.state(), "{name} {number}, {at}");
            offers.fetch_add(unlisted(&sampling).len(), Relaxed);
            if status != Status::Asking {
                break;
            }
            decisions.fetch_add(answer_all(&mut sampling, &mut random), Relaxed);
            answer_all(&mut listing, &mut of_list);
            assert!(random == of_list, "{name} {number}, {at}: another draw");
        }
    });
    let (decisions, offers) = (decisions.into_inner(), offers.into_inner());
    assert!(decisions > 4_000 && offers > 1_500, "{offers} of {decisions}");
}

/// Ways to act with arguments of all sorts, for each option. With one argument all values are tried, with several arguments some of them.
fn ways_anyhow(machine: &Machine, chance: &mut Generator) -> Vec<Way> {
    let (program, board) = (machine.program(), &machine.state().board);
    let mut values: Vec<Value> = (0..board.objects.len()).map(|at| board.reference(ObjectId(at as u16))).collect();
    // An object that is no longer the same object, and values that are no cards.
    values.extend(values.first().map(|value| match *value {
        Value::Object { id, life } => Value::Object { id, life: life + 1 },
        other => other,
    }));
    values.extend((0..4).map(Value::Number).chain([
        Value::Bool(true),
        Value::Undefined,
        Value::Player(Player(0)),
        Value::Player(Player(1)),
    ]));
    let mut ways = Vec::new();
    for option in (0..program.options.len()).map(OptionId::from_index) {
        let count = program.options.get(option).unwrap().params.len();
        for player in (0..program.players).map(Player) {
            let mut one = |args: &[Value]| {
                let args: Vec<Value> = args.iter().copied().chain([Value::Player(player)]).collect();
                ways.push(Way::new(program, option, &args).unwrap());
            };
            match count {
                0 => one(&[]),
                1 => values.iter().for_each(|value| one(&[*value])),
                _ => (0..60).for_each(|_| one(&(0..count).map(|_| values[chance.below(values.len() as u32) as usize]).collect::<Vec<_>>())),
            }
        }
    }
    ways
}

#[test]
fn offered_is_what_is_listed_and_nothing_else() {
    let (inside, outside) = (AtomicUsize::new(0), AtomicUsize::new(0));
    starts().into_par_iter().for_each(|start| {
        let (mut chance, mut seen) = (Generator::new(start.number), 0);
        play(&start, |machine| {
            for question in unlisted(machine) {
                seen += 1;
                // 軌跡 has many cards, and many similar decisions in a row.
                if start.name == "kiseki" && seen % 12 > 0 {
                    continue;
                }
                let mut lists = listed(machine);
                let list = answers(&lists, question);
                for way in ways_anyhow(machine, &mut chance).into_iter().chain(list.iter().flatten().copied()) {
                    let is = list.contains(&Some(way));
                    assert_eq!(machine.is_offered(question, &way), Ok(is), "{} {}: {way:?}", start.name, start.number);
                    assert_eq!(lists.is_offered(question, &way), Ok(is));
                    if !is {
                        assert_eq!(machine.take(question, Some(&way)), Err(Refusal::NotOffered));
                    }
                    if is { &inside } else { &outside }.fetch_add(1, Relaxed);
                }
                assert_eq!(copy_of(machine).take(question, None).is_ok(), list.contains(&None));
                assert_eq!(copy_of(machine).answer(question, &[0]), Err(Refusal::OutOfRange { position: 0, len: 0 }));
            }
        });
    });
    let (inside, outside) = (inside.into_inner(), outside.into_inner());
    assert!(inside > 3_000 && outside > 30_000, "{inside} offered, {outside} not");
}

/// How far the counts are from equal counts.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

/// Only one of a thousand random samples is above this value (Wilson and Hilferty).
fn bound(kinds: usize) -> f64 {
    let free = kinds as f64 - 1.0;
    let part = 2.0 / (9.0 * free);
    free * (1.0 - part + 3.0902 * part.sqrt()).powi(3)
}

#[test]
fn what_is_not_equally_likely_is_noticed() {
    // The known values are from tables of the distribution.
    for (kinds, known) in [(2, 10.828), (3, 13.816), (11, 29.588), (31, 59.703)] {
        assert!((bound(kinds) - known).abs() < 0.4, "{kinds}: {}", bound(kinds));
    }
    assert!(chi_square(&[250, 260, 240, 255]) < bound(4));
    // A wrong way to draw: first the option, then its arguments. One of two options has three ways.
    assert!(chi_square(&[500, 167, 166, 167]) > bound(4));
    // A wrong way to draw: the known answers are tried first.
    assert!(chi_square(&[300, 220, 220, 220]) > bound(4));
}

/// Positions with an offer of a few answers: some of each page, some of 軌跡.
fn small_offers() -> Vec<(String, Machine, QuestionId)> {
    let some = |start: Start| {
        let (most, mut last, mut some) = (if start.name == "kiseki" { 30 } else { 1 }, 0, Vec::new());
        play(&start, |machine| {
            for question in unlisted(machine) {
                let many = answers(&listed(machine), question).len();
                // An offer with as many answers as the last one is skipped.
                if (3..=16).contains(&many) && many != last && some.len() < most {
                    last = many;
                    some.push((start.name.clone(), machine.clone(), question));
                }
            }
        });
        some
    };
    starts().into_par_iter().flat_map(some).collect()
}

#[test]
fn every_answer_is_equally_likely() {
    let offers = small_offers();
    let of_decks = offers.iter().filter(|(name, ..)| name == "kiseki").count();
    assert!(offers.len() > 60 && of_decks > 20, "{} offers, {of_decks} of a game with decks", offers.len());
    let sums: Vec<(f64, usize)> = offers
        .into_par_iter()
        .map(|(name, mut machine, question)| {
            let all = answers(&listed(&machine), question);
            let mut counts = vec![0_u32; all.len()];
            let mut generator = Generator::new(SEED);
            for _ in 0..500 * all.len() {
                let drawn = machine.sample(question, &mut generator).unwrap();
                let at = all.iter().position(|answer| *answer == drawn);
                counts[at.unwrap_or_else(|| panic!("{name}: {drawn:?} is not offered"))] += 1;
            }
            let found = chi_square(&counts);
            assert!(found < bound(all.len()), "{name}: {counts:?}, {found:.1}");
            (found, all.len() - 1)
        })
        .collect();
    // All offers together show a small bias that one offer does not show.
    let (found, free) = sums.iter().fold((0.0, 0), |(found, free), (one, of)| (found + one, free + of));
    assert!(found < bound(free + 1), "{found:.1} of {free}");
}

/// It makes no difference what the machine already knows about an offer, or whether the offer is listed.
#[test]
fn what_is_drawn_does_not_depend_on_what_is_known() {
    let mut different = 0;
    for (name, mut machine, question) in small_offers() {
        let mut generators = [(); 3].map(|()| Generator::new(SEED));
        let mut list = listed(&machine);
        let mut drawn_before = None;
        for _ in 0..40 {
            let knows = machine.sample(question, &mut generators[0]).unwrap();
            let knows_nothing = copy_of(&machine).sample(question, &mut generators[1]).unwrap();
            let has_a_list = list.sample(question, &mut generators[2]).unwrap();
            assert!(knows == knows_nothing && knows == has_a_list, "{name}");
            assert!(generators.iter().all(|generator| *generator == generators[0]), "{name}");
            different += usize::from(drawn_before.replace(knows).is_some_and(|before| before != knows));
        }
    }
    assert!(different > 500, "{different}");
}

/// An observer that does nothing.
struct Told;

impl Observer for Told {
    const ON: bool = true;
    fn step(&mut self, _: &View<'_>, _: &Traced) {}
}

/// At each decision one of these is done in turn: save as text and load, copy, list, run with an observer, nothing.
#[test]
fn saved_copied_or_watched_it_samples_the_same_game() {
    starts().into_par_iter().for_each(|start| {
        let end = play(&start, |_| ());
        let (mut machine, mut random) = (start.sampling(), start.random());
        for at in 0..start.most_decisions() {
            let status = if at % 5 == 3 { machine.run(&mut Told) } else { machine.run(&mut Silent) };
            let before = machine.state().clone();
            match at % 5 {
                0 => {
                    let saved: Saved = ron::from_str(&ron::to_string(&machine.save()).unwrap()).unwrap();
                    machine = Machine::load(Arc::clone(machine.program()), saved).unwrap();
                    machine.step_budget(BUDGET);
                    assert!(*machine.state() == before, "{} {}", start.name, start.number);
                }
                1 => machine = copy_of(&machine),
                2 => machine = listed(&machine),
                _ => {}
            }
            machine.sampling(true);
            if status != Status::Asking {
                break;
            }
            answer_all(&mut machine, &mut random);
        }
        machine.run(&mut Silent);
        assert!(listed(&machine).state() == listed(&end).state(), "{} {}", start.name, start.number);
    });
}

/// Changes the numbers of a save at an offer without a list, one at a time. If the save loads, the offer is drawn from and listed, and the game goes on.
#[test]
fn a_damaged_source_does_no_harm() {
    let mut saves: Vec<(Machine, String)> = Vec::new();
    for (_, machine, _) in small_offers() {
        let text = ron::to_string(&machine.save()).unwrap();
        if text.contains("source:Unlisted") && saves.len() < 60 {
            saves.push((machine, text));
        }
    }
    let (mut chance, mut loaded) = (Generator::new(SEED), 0);
    let damages = std::env::var("GYOJI_DAMAGES").ok().and_then(|number| number.parse().ok()).unwrap_or(1_000);
    for _ in 0..damages {
        let (machine, text) = &saves[chance.below(saves.len() as u32) as usize];
        // Only numbers about the flow, the question, and the subject of the question are changed.
        let from = text.find("control:").unwrap();
        let numbers: Vec<_> = numbers(text).into_iter().filter(|(at, _)| *at > from).collect();
        let (start, end) = numbers[chance.below(numbers.len() as u32) as usize];
        let evil = EVIL[chance.below(EVIL.len() as u32) as usize];
        let damaged = format!("{}{evil}{}", &text[..start], &text[end..]);
        let Ok(saved) = ron::from_str::<Saved>(&damaged) else { continue };
        let Ok(mut machine) = Machine::load(Arc::clone(machine.program()), saved) else { continue };
        loaded += 1;
        machine.step_budget(BUDGET);
        machine.sampling(true);
        let mut random = Random::new(SEED, 0);
        for _ in 0..3 {
            listed(&machine);
            // An answer that is not possible is refused.
            while random.decide(&mut machine, &mut Vec::new()) == Ok(true) {}
            machine.run(&mut Silent);
        }
    }
    assert!(loaded > damages / 5, "{loaded} were played on");
}
