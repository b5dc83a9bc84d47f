//! A damaged save is refused or can be played on. It never brings the program down.
//!
//! The test changes numbers in the text of real saves, one at a time. If a save still loads, some decisions are played from it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic, reason = "a test")]

use gyoji::engine::fault::Fault;
use gyoji::engine::machine::Machine;
use gyoji::engine::program::Program;
use gyoji::engine::random::Generator;
use gyoji::engine::state::save::Saved;
use gyoji::engine::state::{FailureKind, Status};
use gyoji::engine::steps::Silent;
use gyoji::project::{Game, Places};
use std::path::Path;
use std::sync::Arc;

/// The number of damaged saves that are tried.
const TRIES: u32 = 4000;
/// Numbers that are often just outside of a range.
pub(crate) const EVIL: [i64; 12] = [0, 1, 2, 3, 7, 59, 60, 255, 65_534, 65_535, 2_147_483_647, 4_294_967_295];

fn game() -> Game {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = Places { rules: Some(root.join("rules/kaiun")), cards: Some(root.join("cards/kaiun")), on: None };
    let (game, found) = gyoji::project::load("kaiun", &places, None).unwrap();
    assert!(found.is_empty(), "{found:?}");
    game
}

/// Plays at random for this many rounds of decisions.
fn play(machine: &mut Machine, chance: &mut Generator, rounds: u32) {
    for _ in 0..rounds {
        if machine.run(&mut Silent) != Status::Asking {
            return;
        }
        let open: Vec<_> = machine.questions().map(|asked| (asked.id, asked.domain.len(), asked.min, asked.answered)).collect();
        for (id, len, min, answered) in open {
            if !answered {
                let first = chance.below(len.max(1) as u32) as u16;
                let picks: Vec<u16> = (0..min.max(1)).map(|step| (first + step) % len.max(1) as u16).collect();
                let _ = machine.answer(id, &picks).or_else(|_| machine.answer(id, &[]));
            }
        }
    }
}

/// Saves from different points of a few games.
fn saves(program: &Arc<Program>, decks: &[Vec<gyoji::engine::ids::CardId>]) -> Vec<String> {
    let mut written = Vec::new();
    for seed in 0..6 {
        let mut machine = Machine::new(Arc::clone(program));
        machine.start(decks, seed);
        play(&mut machine, &mut Generator::new(seed), 3 + 2 * seed as u32);
        machine.run(&mut Silent);
        written.push(ron::to_string(&machine.save()).unwrap());
    }
    written
}

/// The places of whole numbers in a text.
pub(crate) fn numbers(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, sign) in text.char_indices() {
        match (sign.is_ascii_digit(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Replaces one number of a save. If the save loads, plays some decisions from it and returns true.
fn played_on(program: &Arc<Program>, save: &str, (from, until): (usize, usize), evil: i64) -> bool {
    let damaged = format!("{}{evil}{}", &save[..from], &save[until..]);
    let Ok(saved) = ron::from_str::<Saved>(&damaged) else { return false };
    let played = std::panic::catch_unwind(|| {
        let Ok(mut machine) = Machine::load(Arc::clone(program), saved) else { return false };
        machine.step_budget(20_000);
        play(&mut machine, &mut Generator::new(3), 4);
        true
    });
    let shown = |text: &str| text.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect::<String>();
    played.unwrap_or_else(|_| panic!("{} → {evil} behind …{}", &save[from..until], shown(&save[..from])))
}

/// What the saves of only a few pages hold: how cards were when an event happened, since when conditions are true, where the flow has been. Each
/// part begins with these signs and ends with the next `]`.
const RARE: [&str; 4] = ["witnessed:(rows:[(", "switched:[(", "been:Some((", "been:[("];

#[test]
fn damaged_rows_of_rare_parts_never_bring_the_program_down() {
    let (mut tried, mut loaded) = ([0; RARE.len()], 0);
    for page in super::pages::pages() {
        let suite = super::pages::suite(&page);
        for scenario in &suite.scenarios {
            let Some(mut machine) = super::pages::begun(&suite, scenario) else { continue };
            // Each part once, from the first of a few positions that has it.
            let mut chance = Generator::new(1);
            let mut open = [true; RARE.len()];
            for _ in 0..4 {
                machine.run(&mut Silent);
                let save = ron::to_string(&machine.save()).unwrap();
                for ((begins, tried), open) in RARE.iter().zip(&mut tried).zip(&mut open) {
                    let Some(start) = save.find(begins).filter(|_| *open) else { continue };
                    *open = false;
                    let end = save[start..].find(']').map_or(save.len(), |length| start + length);
                    for place in numbers(&save).into_iter().filter(|(from, until)| start < *from && *until <= end) {
                        for evil in EVIL {
                            *tried += 1;
                            loaded += u32::from(played_on(machine.program(), &save, place, evil));
                        }
                    }
                }
                play(&mut machine, &mut chance, 1);
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried > 50), "damaged saves of each part: {tried:?}");
    assert!(loaded > tried.iter().sum::<u32>() / 20, "of {tried:?} damaged saves {loaded} were played on");
}

#[test]
fn a_damaged_save_never_brings_the_program_down() {
    let game = game();
    let decks: Vec<_> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let saves = saves(&game.program, &decks);
    let places: Vec<_> = saves.iter().map(|save| numbers(save)).collect();
    let mut chance = Generator::new(99);
    let mut loaded = 0;
    for _ in 0..TRIES {
        let which = chance.below(saves.len() as u32) as usize;
        let (from, until) = places[which][chance.below(places[which].len() as u32) as usize];
        let evil = EVIL[chance.below(EVIL.len() as u32) as usize];
        loaded += u32::from(played_on(&game.program, &saves[which], (from, until), evil));
    }
    assert!(loaded > TRIES / 20, "only {loaded} damaged saves were played on");
}

/// A save is checked when it is loaded. What the check does not know of, the run finds: the game ends with an error that names what does not
/// hold, and is no other game.
#[test]
fn what_does_not_hold_together_is_a_fault_with_a_name() {
    let game = game();
    let decks: Vec<_> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let mut machine = Machine::new(Arc::clone(&game.program));
    machine.start(&decks, 1);
    assert_eq!(machine.run(&mut Silent), Status::Asking);
    let mut state = machine.state().clone();
    for branch in &mut state.control.branches {
        branch.frames.iter_mut().for_each(|frame| frame.base = 60_000);
    }
    let mut machine = Machine::with_state(Arc::clone(&game.program), state);
    play(&mut machine, &mut Generator::new(3), 1);
    let status = machine.run(&mut Silent);
    let fault = FailureKind::Broken(Fault::Registers);
    assert!(matches!(status, Status::Failed(failure) if failure.kind == fault), "{status:?}");
}

/// The next moment would be one more than the greatest.
#[test]
fn moments_that_no_game_reaches_are_refused() {
    let page = super::pages::pages().into_iter().find(|page| page.ends_with("ties_of_conditions")).unwrap();
    let suite = super::pages::suite(&page);
    let machines = suite.scenarios.iter().filter_map(|scenario| super::pages::begun(&suite, scenario));
    let mut played = machines.flat_map(|machine| {
        (0..6).map(move |rounds| {
            let mut machine = machine.clone();
            play(&mut machine, &mut Generator::new(5), rounds);
            machine.run(&mut Silent);
            let save = ron::to_string(&machine.save()).unwrap();
            (machine, save)
        })
    });
    let has_moment = |save: &str| save.split_once("switched:[(").is_some_and(|(_, rest)| rest.split(']').next().unwrap().contains("Some("));
    let (machine, save) = played.find(|(_, save)| has_moment(save)).unwrap();
    for (part, before) in [("switched:[(", "Some("), ("in_force:[(", "timestamp:")] {
        let at = save.find(part).unwrap();
        let from = at + save[at..].find(before).unwrap() + before.len();
        let until = from + save[from..].find(|sign: char| !sign.is_ascii_digit()).unwrap();
        let load = |text: &str| Machine::load(Arc::clone(machine.program()), ron::from_str::<Saved>(text).unwrap());
        assert!(load(&save).is_ok());
        assert!(load(&format!("{}4294967295{}", &save[..from], &save[until..])).is_err(), "{part}");
    }
}

/// A search for the parent branches would never end if a branch were inside itself.
#[test]
fn a_branch_that_is_around_itself_is_refused() {
    let game = game();
    let decks: Vec<_> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let forked: Vec<String> = saves(&game.program, &decks).into_iter().filter(|save| save.contains("parent:Some(0)")).collect();
    assert!(!forked.is_empty(), "nothing asks both players at once");
    for save in forked {
        let loads = |text: &str| Machine::load(Arc::clone(&game.program), ron::from_str::<Saved>(text).unwrap()).is_ok();
        assert!(loads(&save));
        for around in [1, 2] {
            assert!(!loads(&save.replacen("parent:Some(0)", &format!("parent:Some({around})"), 1)), "{around}");
        }
    }
}
