//! The kernel's promises, on Kaiun and on every page of the conformance suite (`tests/kernel`).
//! Random players play from random positions: cards of the page anywhere on its table.
//!
//! A few games of each. `GYOJI_PROMISES=1000 cargo test --release --test suite promises` plays a thousand of each.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod held;
mod lockstep;

use gyoji::engine::choices::joint::Block;
use gyoji::engine::ids::{CardId, ZoneId};
use gyoji::engine::machine::{Asked, Machine, QuestionId};
use gyoji::engine::program::Program;
use gyoji::engine::random::{Generator, seed_of_game};
use gyoji::engine::state::board::NO_SLOT;
use gyoji::engine::state::position::Begin;
use gyoji::engine::state::save::Saved;
use gyoji::engine::state::{Failure, FailureKind, State, Status};
use gyoji::engine::steps::{Observer, Silent, Step, Traced, View};
use gyoji::engine::value::{ObjectId, Place, Player};
use gyoji::engine::why::as_seen;
use gyoji::players::Random;
use gyoji::project::{Places, Project, find, load};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, LazyLock};

const SEED: u64 = 5150;
const GAMES: u64 = 3;
/// The games of a page do not end by themselves.
const MOST_DECISIONS: usize = 24;
/// The most statements between two decisions. In a random position of a page it may happen that nothing is ever asked.
const BUDGET: u32 = 20_000;
const WRONG_ANSWERS: u32 = 200;

fn games() -> u64 {
    std::env::var("GYOJI_PROMISES").ok().and_then(|number| number.parse().ok()).unwrap_or(GAMES)
}

/// A game that these tests play.
pub(crate) struct Table {
    pub name: String,
    program: Arc<Program>,
    /// The decks; `None` if the games begin with random positions.
    pub decks: Option<[Vec<CardId>; 2]>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let project = find(root()).unwrap();
    let (game, findings) = load("kaiun", &Places::default(), project.as_ref()).unwrap();
    assert_eq!(findings, []);
    let deck = |at: usize| game.decks[at % game.decks.len()].card_ids(&game.compiler).unwrap();
    let kaiun = Table { name: "kaiun".to_owned(), program: Arc::clone(&game.program), decks: Some([deck(0), deck(1)]) };
    std::iter::once(kaiun).chain(pages()).collect()
});

/// Every page of the conformance suite.
fn pages() -> Vec<Table> {
    let project = Project { folder: root().to_owned(), ..Project::default() };
    let mut folders: Vec<_> = std::fs::read_dir(root().join("tests/kernel")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let page = |folder: std::path::PathBuf| {
        let rules = std::fs::read_to_string(folder.join("game.rules")).ok()?;
        let name = rules.lines().find_map(|line| line.strip_prefix("game "))?.split_whitespace().next()?.to_owned();
        let places = Places { rules: Some(folder), cards: None, on: None };
        let (game, findings) = load(&name, &places, Some(&project)).unwrap();
        assert_eq!(findings, [], "{name}");
        Some(Table { name, program: game.program, decks: None })
    };
    folders.into_iter().filter_map(page).collect()
}

impl Table {
    /// A machine at the beginning of a game. Each number is another game.
    pub(crate) fn begun(&self, number: u64) -> Machine {
        let mut machine = Machine::new(Arc::clone(&self.program));
        self.begin(&mut machine, number);
        machine
    }

    /// Begins a game. The machine may have played other games before.
    fn begin(&self, machine: &mut Machine, number: u64) {
        machine.step_budget(BUDGET);
        machine.remember(number % 2 == 1);
        match &self.decks {
            Some(decks) => {
                let at = (number / 2 % 2) as usize;
                machine.start(&[decks[at].clone(), decks[1 - at].clone()], seed_of_game(SEED, number));
            }
            None => self.lay(machine, number),
        }
    }

    /// Lays cards of the page anywhere on its table.
    fn lay(&self, machine: &mut Machine, number: u64) {
        let mut chance = Generator::new(seed_of_game(SEED, number));
        let cards = self.program.cards.len() as u32;
        let mut position = machine.position();
        let mut laid: Vec<ObjectId> = Vec::new();
        for (zone, def) in self.program.zones.iter() {
            for player in (0..if def.each_player { self.program.players } else { 1 }).map(Player) {
                let values = def.places.and_then(|places| self.program.enums.get(places)).map_or(0, |places| places.values.len());
                let most = def.capacity.map_or(u32::MAX, u32::from).min(if def.capacity_each.is_some() { values as u32 } else { u32::MAX });
                let many = if Some(zone) == self.program.deck_zone { 4 + chance.below(6) } else { chance.below(4) };
                for at in 0..many.min(most) {
                    let card = CardId(chance.below(cards) as u16);
                    let owner = if def.each_player { player } else { Player(chance.below(u32::from(self.program.players)) as u8) };
                    let face = def.has_faces.then(|| chance.below(2) == 0);
                    let object = position.place_of(owner, zone, player, card, face).unwrap();
                    if values > 0 && (def.capacity_each.is_some() || chance.below(4) > 0) {
                        position.put_at(object, if def.capacity_each.is_some() { at as u8 } else { chance.below(values as u32) as u8 });
                    }
                    // The host is a card that was laid earlier, so attachments cannot make a circle.
                    if let Some(host) = laid.get(chance.below(3 * laid.len() as u32 + 1) as usize) {
                        position.attach(object, *host);
                    }
                    laid.push(object);
                }
            }
        }
        position.seed(seed_of_game(SEED, number));
        position.begin(Begin::Phase(None));
    }

    fn most_decisions(&self) -> usize {
        if self.decks.is_some() { usize::MAX } else { MOST_DECISIONS }
    }

    /// Plays a game and calls `look` at every decision, before the answers.
    fn play<O: Observer>(&self, number: u64, observer: &mut O, mut look: impl FnMut(&mut Machine)) -> Machine {
        let mut machine = self.begun(number);
        let mut random = Random::new(SEED, number);
        for _ in 0..self.most_decisions() {
            let status = machine.run(observer);
            self.sound(status, number);
            look(&mut machine);
            if status != Status::Asking {
                break;
            }
            answer_all(&mut machine, &mut random);
        }
        machine
    }

    /// A position of a page may ask nothing for ever or go round for ever. Otherwise only the judgement may end a game.
    fn sound(&self, status: Status, number: u64) {
        let endless = |kind: FailureKind| {
            matches!(kind, FailureKind::Budget | FailureKind::Depth | FailureKind::Waiting | FailureKind::EffectsWithin)
        };
        let fine = match status {
            Status::Asking | Status::Over(_) => true,
            Status::Failed(Failure { kind, .. }) => self.decks.is_none() && endless(kind),
            Status::New | Status::Running => false,
        };
        assert!(fine, "{} {number}: {status:?}", self.name);
    }
}

/// The form of a question: its number, how many members it has, the least and the most picks, and how many members at the beginning are demanded.
type Form = (QuestionId, u16, u16, u16, u16);

fn form(asked: &Asked<'_>) -> Form {
    (asked.id, asked.domain.len() as u16, asked.min, asked.max, asked.must)
}

fn open(machine: &Machine) -> Vec<Form> {
    machine.questions().filter(|asked| !asked.answered).map(|asked| form(&asked)).collect()
}

/// A random answer.
fn picked(machine: &Machine, random: &mut Random, question: QuestionId) -> Vec<u16> {
    let asked = machine.questions().find(|asked| asked.id == question).unwrap();
    let picked = match &asked.joint {
        Some(joint) => {
            let mut together = Vec::new();
            random.pick_jointly(joint, &mut together);
            together
        }
        None => picks(random, asked.domain.len() as u16, asked.min, asked.max, asked.must),
    };
    // A shown member cannot be left out.
    asked.shown.and_then(|shown| shown.greater(&picked)).unwrap_or(picked)
}

/// The first `must` positions are demanded. The others are picked at random.
fn picks(random: &mut Random, len: u16, min: u16, max: u16, must: u16) -> Vec<u16> {
    let mut picks: Vec<u16> = Vec::new();
    random.pick(len - must, min.saturating_sub(must), max.saturating_sub(must), &mut picks);
    (0..must).chain(picks.into_iter().map(|pick| pick + must)).collect()
}

fn answer_all(machine: &mut Machine, random: &mut Random) {
    let asked = open(machine);
    assert!(!asked.is_empty());
    for (question, ..) in asked {
        let answer = picked(machine, random, question);
        machine.answer(question, &answer).unwrap();
    }
}

fn restored(machine: &Machine) -> Machine {
    let text = ron::to_string(&machine.save()).unwrap();
    let saved: Saved = ron::from_str(&text).unwrap();
    let mut again = Machine::load(Arc::clone(machine.program()), saved).unwrap_or_else(|why| panic!("{}: {why:?}", machine.program().name));
    again.step_budget(BUDGET);
    again
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The trace of a game as a number. It also checks that a failed attempt leaves the board as it was before.
#[derive(Clone, Default)]
struct Told {
    trace: u64,
    steps: usize,
    boards: BTreeSet<u64>,
    failed: usize,
}

impl Observer for Told {
    const ON: bool = true;
    fn step(&mut self, view: &View<'_>, step: &Traced) {
        self.trace = hash(&(self.trace, format!("{step:?}")));
        self.steps += 1;
        let board = hash(&view.state.board);
        if matches!(step.step, Step::AttemptFails) {
            assert!(self.boards.contains(&board), "a failed attempt has left something on the board");
            self.failed += 1;
        }
        self.boards.insert(board);
    }
}

fn every_game(mut look: impl FnMut(&Table, u64)) {
    for table in TABLES.iter() {
        (0..games()).for_each(|number| look(table, number));
    }
}

/// A run without end stops after a number of statements. Without an observer a stretch is carried out in one step and counts as
/// one statement; with an observer each of its statements counts. So for such a run the test only compares that it has no end.
fn is_endless(state: &State) -> bool {
    matches!(state.control.status, Status::Failed(Failure { kind: FailureKind::Budget, .. }))
}

/// The same game is played straight on, from a save at every decision, from a copy at every decision, and with an observer.
#[test]
fn saved_copied_or_watched_it_is_the_same_game() {
    let (mut decisions, mut failed) = (0, 0);
    every_game(|table, number| {
        let mut states: Vec<State> = Vec::new();
        let end = table.play(number, &mut Silent, |machine| states.push(machine.state().clone()));
        let follow = |observer: &mut Told, change: &dyn Fn(&mut Machine)| {
            let mut at = 0;
            let last = table.play(number, observer, |machine| {
                let same = |state: &State| state == machine.state() || is_endless(state) && is_endless(machine.state());
                assert!(states.get(at).is_some_and(same), "{} {number}, decision {at}", table.name);
                change(machine);
                at += 1;
            });
            assert_eq!(at, states.len(), "{} {number}", table.name);
            assert_eq!(is_endless(last.state()), is_endless(end.state()), "{} {number}", table.name);
            if !is_endless(end.state()) {
                assert_eq!(ron::to_string(&last.save()).unwrap(), ron::to_string(&end.save()).unwrap(), "{} {number}", table.name);
            }
        };
        let (mut told, mut again, mut saved) = (Told::default(), Told::default(), Told::default());
        follow(&mut told, &|_| ());
        follow(&mut again, &|machine| {
            let mut copy = Machine::with_state(Arc::clone(machine.program()), machine.state().clone());
            copy.step_budget(BUDGET);
            *machine = copy;
        });
        follow(&mut saved, &|machine| *machine = restored(machine));
        assert_eq!((told.trace, told.steps), (again.trace, again.steps), "{} {number}: a copy", table.name);
        assert_eq!((told.trace, told.steps), (saved.trace, saved.steps), "{} {number}: a save", table.name);
        let unwatched = table.play(number, &mut Silent, |machine| *machine = restored(machine));
        assert!(unwatched.state() == end.state(), "{} {number}: saved while nobody looks on", table.name);
        decisions += states.len();
        failed += told.failed;
    });
    assert!(decisions > 200 && failed > 0, "{decisions} decisions, {failed} failed attempts");
}

/// Whether an answer is legal: the rules of the page on choices, written again.
fn is_legal(asked: Form, picks: &[u16]) -> bool {
    let (_, len, min, max, must) = asked;
    let different: BTreeSet<u16> = picks.iter().copied().collect();
    let within = different.len() == picks.len() && different.iter().all(|pick| *pick < len);
    let many = picks.len() >= usize::from(min) && picks.len() <= usize::from(max);
    within && many && (picks.is_empty() || (0..must).all(|wanted| different.contains(&wanted)))
}

/// Whether the blocks of a joint condition contain the answer. Without a condition all answers are allowed.
fn goes_together(machine: &Machine, question: QuestionId, picks: &[u16]) -> bool {
    let asked = machine.questions().find(|asked| asked.id == question).unwrap();
    let Some(joint) = asked.joint.filter(|_| !picks.is_empty()) else { return true };
    let (blocks, all) = joint.blocks(usize::MAX);
    assert!(all);
    let in_block = |block: &Block| {
        let in_it = |pick: &u16| block.taken.contains(pick) || block.free.contains(pick);
        picks.iter().all(in_it) && block.taken.iter().all(|taken| picks.contains(taken))
    };
    let blocks = blocks.iter().filter(|block| in_block(block)).count();
    assert!(blocks < 2, "blocks have no answer in common");
    blocks == 1
}

/// Whether an answer leaves out a member that the others see, although fewer members than demanded are chosen (tests/suite/shown.rs).
fn leaves_out(machine: &Machine, question: QuestionId, picks: &[u16]) -> bool {
    let asked = machine.questions().find(|asked| asked.id == question).unwrap();
    asked.shown.is_some_and(|shown| shown.greater(picks).is_some())
}

#[test]
fn legal_answers_are_accepted_and_wrong_ones_refused() {
    let (mut accepted, mut refused) = (0_u64, 0_u64);
    every_game(|table, number| {
        let mut chance = Generator::new(number);
        table.play(number, &mut Silent, |machine| {
            let before = machine.state().clone();
            for asked in open(machine) {
                let (question, len, _, max, _) = asked;
                // Each member alone, and no member.
                let singles = (0..len).map(|pick| vec![pick]).chain([Vec::new()]);
                let random = (0..WRONG_ANSWERS).map(|_| {
                    let many = chance.below(u32::from(max) + 2);
                    (0..many).map(|_| chance.below(u32::from(len) + 2) as u16).collect()
                });
                for answer in singles.chain(random.collect::<Vec<Vec<u16>>>()) {
                    let legal =
                        is_legal(asked, &answer) && goes_together(machine, question, &answer) && !leaves_out(machine, question, &answer);
                    assert_eq!(machine.check(question, &answer).is_ok(), legal, "{} {number}: {asked:?}, {answer:?}", table.name);
                    if legal {
                        accepted += 1;
                    } else {
                        assert!(machine.answer(question, &answer).is_err());
                        refused += 1;
                    }
                }
                // Answers outside of the domain, and answers to questions that do not exist: 200 of each.
                for wrong in 0..WRONG_ANSWERS as u16 {
                    assert!(machine.answer(question, &[len.saturating_add(wrong)]).is_err());
                    assert!(machine.answer(QuestionId(question.0.wrapping_add(1000 + wrong)), &[0]).is_err());
                }
            }
            assert!(*machine.state() == before, "{} {number}: a refused answer has changed something", table.name);
        });
    });
    assert!(accepted > 500 && refused > 5_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn what_a_player_may_not_know_changes_nothing_for_the_player() {
    let (mut compared, mut changed) = (0_u64, 0_u64);
    every_game(|table, number| {
        table.play(number, &mut Silent, |machine| {
            for player in (0..table.program.players).map(Player) {
                let anew = machine.dealt_anew(player, number + 3);
                assert_eq!(anew.view(player), machine.view(player), "{} {number}", table.name);
                let mine = |machine: &Machine| {
                    let own = machine.questions().filter(|asked| asked.player == player);
                    let reasons = |asked: &Asked<'_>| as_seen(machine, player).not_offered(asked.id);
                    let form = |asked: Asked<'_>| (reasons(&asked), asked.choice, form(&asked));
                    own.map(form).collect::<Vec<_>>()
                };
                assert_eq!(mine(&anew), mine(machine), "{} {number}", table.name);
                compared += 1;
                changed += u64::from(anew.state().board != machine.state().board);
            }
        });
    });
    assert!(compared > 400 && changed * 4 > compared, "{changed} of {compared}");
}

/// Every object lies in exactly one zone, except a made object that has gone.
fn whole(table: &Table, number: u64, machine: &Machine, cards: usize) {
    let board = &machine.state().board;
    let mut seen = vec![0; board.objects.len()];
    for place in 0..board.zones.len() {
        for id in board.cards(Place(place as u16)) {
            seen[usize::from(id.0)] += 1;
            assert_eq!(usize::from(board.object(*id).unwrap().place.0), place, "{} {number}", table.name);
        }
    }
    let made = |at: usize| board.extras.get(at).is_some_and(|extra| extra.made);
    for (at, (object, seen)) in board.objects.iter().zip(&seen).enumerate() {
        let gone = object.place == Place::NOWHERE;
        assert!(!gone || made(at), "{} {number}: a card is nowhere", table.name);
        assert_eq!(*seen, usize::from(!gone), "{} {number}: object {at}", table.name);
        let zone: (ZoneId, Option<Player>) = gyoji::engine::state::board::zone_of(&table.program, object.place);
        if let (false, Some(def)) = (gone, table.program.zones.get(zone.0)) {
            assert!(!def.redirects || zone.1 == Some(object.owner), "{} {number}", table.name);
            assert!(def.places.is_some() || board.slot(ObjectId(at as u16)) == NO_SLOT, "{} {number}", table.name);
        }
    }
    assert_eq!((0..board.objects.len()).filter(|at| !made(*at)).count(), cards, "{} {number}", table.name);
}

#[test]
fn no_card_is_lost_or_doubled() {
    every_game(|table, number| {
        let cards = table.begun(number).state().board.objects.len();
        table.play(number, &mut Silent, |machine| whole(table, number, machine, cards));
    });
}

#[test]
fn any_number_of_threads_plays_the_same_games() {
    let traces = |threads: usize| -> Vec<u64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all: Vec<(&Table, u64)> = TABLES.iter().flat_map(|table| (0..games()).map(move |number| (table, number))).collect();
        pool.install(|| {
            let trace = |(table, number): &(&Table, u64)| {
                let mut told = Told::default();
                let end = table.play(*number, &mut told, |_| ());
                hash(&(told.trace, end.state()))
            };
            all.par_iter().map(trace).collect()
        })
    };
    assert_eq!(traces(1), traces(2));
}
