//! No action loses or doubles an object. A save at any decision is the whole
//! game. What a player sees never depends on things that the player may not know.
//!
//! The test plays random games of a game in which the players choose freely what happens to which cards. `GYOJI_SANDBOXES` sets the number of games.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use gyoji::engine::ids::CardId;
use gyoji::engine::machine::{Machine, QuestionId};
use gyoji::engine::program::Program;
use gyoji::engine::state::Status;
use gyoji::engine::state::board::NO_SLOT;
use gyoji::engine::steps::Silent;
use gyoji::engine::value::{ObjectId, Place, Player, Value};
use gyoji::players::Random;
use gyoji::project::{Places, load};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::TestCaseError;
use std::path::Path;
use std::sync::{Arc, LazyLock};

static PROGRAM: LazyLock<Arc<Program>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/objects");
    let places = Places { rules: Some(folder), cards: None, on: None };
    let (game, findings) = load("sandbox", &places, None).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
    game.program
});

fn cases() -> u32 {
    std::env::var("GYOJI_SANDBOXES").ok().and_then(|number| number.parse().ok()).unwrap_or(24)
}

/// Twelve cards, some of each.
fn decks() -> [Vec<CardId>; 2] {
    let cards = PROGRAM.cards.len() as u16;
    let deck = |first: u16| (0..12).map(|at| CardId((first + at) % cards)).collect();
    [deck(0), deck(2)]
}

fn answer(machine: &mut Machine, random: &mut Random) {
    let asked: Vec<(QuestionId, u16, u16, u16)> = machine
        .questions()
        .filter(|asked| !asked.answered)
        .map(|asked| (asked.id, asked.domain.len() as u16, asked.min, asked.max))
        .collect();
    for (question, len, min, max) in asked {
        let mut picks = Vec::new();
        random.pick(len, min, max, &mut picks);
        machine.answer(question, &picks).unwrap();
    }
}

/// Every object lies in exactly one zone, except a made object that has gone.
fn whole(machine: &Machine) -> Result<(), TestCaseError> {
    let board = &machine.state().board;
    let mut seen = vec![0; board.objects.len()];
    for (place, span) in board.zones.iter().enumerate() {
        for id in board.cards(Place(place as u16)) {
            seen[usize::from(id.0)] += 1;
            prop_assert_eq!(usize::from(board.object(*id).unwrap().place.0), place);
        }
        let room = span.start as usize + usize::from(span.len)..span.start as usize + usize::from(span.room);
        prop_assert!(board.slab[room].iter().all(|id| *id == ObjectId(0)), "unused room is clean");
    }
    for ((object, extra), seen) in board.objects.iter().zip(&board.extras).zip(seen) {
        let gone = object.place == Place::NOWHERE;
        prop_assert!(!gone || extra.made);
        prop_assert_eq!(seen, usize::from(!gone));
        prop_assert!(extra.made || extra.own == object.card || machine.status() != Status::New);
    }
    let own: usize = board.extras.iter().filter(|extra| !extra.made).count();
    prop_assert_eq!(own, 24, "as many as were in the decks");
    Ok(())
}

/// Zones hold no more than they can, attachments make no circle, and only zones with places have cards in places.
fn in_order(machine: &Machine) -> Result<(), TestCaseError> {
    let board = &machine.state().board;
    for at in 0..board.objects.len() {
        let id = ObjectId(at as u16);
        let (mut host, mut steps) = (board.host(id), 0);
        while let Some(next) = host {
            prop_assert!(next != id, "a card hangs on itself");
            host = board.host(next);
            steps += 1;
            prop_assert!(steps <= board.objects.len());
        }
        let object = board.object(id).unwrap();
        if object.place != Place::NOWHERE {
            let zone = PROGRAM.zones.get(gyoji::engine::state::board::zone_of(&PROGRAM, object.place).0).unwrap();
            prop_assert!(zone.places.is_some() || board.slot(id) == NO_SLOT);
            if let (Some(most), slot) = (zone.capacity_each, board.slot(id)) {
                prop_assert!(slot == NO_SLOT || board.count_in_slot(object.place, slot) <= usize::from(most));
            }
            let most = zone.capacity.map_or(usize::MAX, usize::from);
            prop_assert!(board.cards(object.place).len() <= most, "a zone holds no more than it can");
            prop_assert!(!zone.redirects || gyoji::engine::state::board::zone_of(&PROGRAM, object.place).1 == Some(object.owner));
        }
    }
    Ok(())
}

fn hidden_changes_nothing(machine: &Machine, seed: u64) -> Result<(), TestCaseError> {
    for player in [Player(0), Player(1)] {
        let anew = machine.dealt_anew(player, seed);
        prop_assert_eq!(anew.view(player), machine.view(player));
    }
    Ok(())
}

fn taken_up(machine: &Machine) -> Machine {
    let text = ron::to_string(&machine.save()).unwrap();
    Machine::load(Arc::clone(&PROGRAM), ron::from_str(&text).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_object_is_lost_or_doubled(seed in any::<u64>(), remembers in any::<bool>()) {
        let mut machine = Machine::new(Arc::clone(&PROGRAM));
        machine.remember(remembers);
        let mut random = Random::new(seed, 0);
        machine.start(&decks(), seed);
        let mut decisions = 0_u64;
        loop {
            let status = machine.run(&mut Silent);
            whole(&machine)?;
            in_order(&machine)?;
            if status != Status::Asking {
                prop_assert!(matches!(status, Status::Over(_)), "{status:?}");
                break;
            }
            if decisions % 8 == seed % 8 {
                hidden_changes_nothing(&machine, seed)?;
                let again = taken_up(&machine);
                prop_assert!(again.state() == machine.state(), "a save is the game");
                // The game goes on with the restored machine.
                let mut next = taken_up(&machine);
                next.remember(remembers);
                machine = next;
            }
            answer(&mut machine, &mut random);
            decisions += 1;
        }
        prop_assert!(decisions > 20);
    }

    #[test]
    fn the_same_answers_give_the_same_game(seed in any::<u64>()) {
        let play = |saves: bool| {
            let mut machine = Machine::new(Arc::clone(&PROGRAM));
            let mut random = Random::new(seed, 1);
            machine.start(&decks(), seed);
            while machine.run(&mut Silent) == Status::Asking {
                if saves {
                    machine = taken_up(&machine);
                }
                answer(&mut machine, &mut random);
            }
            machine.state().clone()
        };
        let (straight, saved) = (play(false), play(true));
        prop_assert!(straight == saved);
    }

    #[test]
    fn references_to_what_has_gone_are_over(seed in any::<u64>()) {
        let mut machine = Machine::new(Arc::clone(&PROGRAM));
        let mut random = Random::new(seed, 2);
        machine.start(&decks(), seed);
        let mut before: Vec<Value> = Vec::new();
        while machine.run(&mut Silent) == Status::Asking {
            let board = &machine.state().board;
            for value in &before {
                let Value::Object { id, life } = *value else { continue };
                let object = board.object(id).unwrap();
                prop_assert!(object.life >= life, "no life comes back");
            }
            before = (0..board.objects.len()).map(|at| board.reference(ObjectId(at as u16))).collect();
            answer(&mut machine, &mut random);
        }
    }
}
