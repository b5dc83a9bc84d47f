//! Hidden information changes nothing for a player: the view, the questions and the number
//! of answers stay the same. `noninterference` tests the lines that a player is told.
//!
//! `GYOJI_VIEWED_GAMES` sets another number of games.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use gyoji::engine::ids::CardId;
use gyoji::engine::machine::{Machine, QuestionId};
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::Status;
use gyoji::engine::steps::{Observer, Silent, Traced, View};
use gyoji::engine::value::{ObjectId, Player};
use gyoji::engine::visibility::view::PlayerView;
use gyoji::players::Random;
use gyoji::project::{Places, find, load};
use gyoji::scenario::writing;
use gyoji::tell::{Detail, Tracer, Words};
use std::path::Path;
use std::sync::Arc;

const SEED: u64 = 77;
const GAMES: u64 = 12;

fn games() -> u64 {
    std::env::var("GYOJI_VIEWED_GAMES").ok().and_then(|number| number.parse().ok()).unwrap_or(GAMES)
}

/// Plays random games of Kaiun and calls `at` at every decision.
fn look(mut at: impl FnMut(&Machine, u64)) {
    let project = find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (game, findings) = load("kaiun", &Places::default(), project.as_ref()).unwrap();
    assert_eq!(findings, []);
    let decks: Vec<Vec<CardId>> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let mut machine = Machine::new(Arc::clone(&game.program));
    for number in 0..games() {
        let mut random = Random::new(SEED, number);
        machine.start(&[decks[0].clone(), decks[1 % decks.len()].clone()], seed_of_game(SEED, number));
        while machine.run(&mut Silent) == Status::Asking {
            at(&machine, number);
            let asked: Vec<(QuestionId, u16, u16, u16)> =
                machine.questions().map(|asked| (asked.id, asked.domain.len() as u16, asked.min, asked.max)).collect();
            for (question, len, min, max) in asked {
                let mut picks = Vec::new();
                random.pick(len, min, max, &mut picks);
                machine.answer(question, &picks).unwrap();
            }
        }
    }
}

#[test]
fn hidden_cards_dealt_anew_change_nothing_that_the_player_sees() {
    let (mut compared, mut moved) = (0, 0);
    look(|machine, number| {
        for player in [Player(0), Player(1)] {
            let anew = machine.dealt_anew(player, number + 1);
            assert_eq!(anew.view(player), machine.view(player));
            compared += 1;
            let cards = |machine: &Machine| machine.state().board.objects.iter().map(|object| object.card).collect::<Vec<_>>();
            moved += usize::from(cards(&anew) != cards(machine));
            let known = |machine: &Machine, id: ObjectId| machine.sees(player, id);
            let all = (0..machine.state().board.objects.len()).map(|at| ObjectId(at as u16));
            for id in all {
                assert_eq!(known(machine, id), known(&anew, id));
                let card = |machine: &Machine| machine.state().board.object(id).map(|object| object.card);
                assert!(!known(machine, id) || card(machine) == card(&anew), "a card that is known stays what it is");
            }
        }
    });
    assert!(compared > 100 && moved * 2 > compared, "{moved} of {compared}");
}

#[test]
fn a_copy_dealt_anew_can_be_played_on() {
    let mut played = 0;
    look(|machine, number| {
        if machine.state().board.turn != 3 {
            return;
        }
        let mut copy = machine.dealt_anew(Player(0), number + 9);
        let mut random = Random::new(SEED, number);
        loop {
            let asked: Vec<(QuestionId, u16, u16, u16)> =
                copy.questions().map(|asked| (asked.id, asked.domain.len() as u16, asked.min, asked.max)).collect();
            for (question, len, min, max) in asked {
                let mut picks = Vec::new();
                random.pick(len, min, max, &mut picks);
                copy.answer(question, &picks).unwrap();
            }
            if copy.run(&mut Silent) != Status::Asking {
                break;
            }
        }
        assert!(matches!(copy.status(), Status::Over(_)), "{:?}", copy.status());
        played += 1;
    });
    assert!(played > 0);
}

#[test]
fn the_views_of_two_players_differ_in_what_is_hidden_only() {
    look(|machine, _| {
        let (a, b) = (machine.view(Player(0)), machine.view(Player(1)));
        let count = |view: &gyoji::engine::visibility::view::PlayerView| view.zones.iter().map(|zone| zone.cards.len()).sum::<usize>();
        assert_eq!(count(&a), count(&b));
        assert_eq!(count(&a), machine.state().board.objects.len());
        let hidden = |view: &gyoji::engine::visibility::view::PlayerView| {
            view.zones.iter().flat_map(|zone| &zone.cards).filter(|card| card.card.is_none()).count()
        };
        assert!(hidden(&a) > 0 && hidden(&b) > 0);
        let text = serde_json::to_string(&a).unwrap();
        let back: gyoji::engine::visibility::view::PlayerView = serde_json::from_str(&text).unwrap();
        assert_eq!(back, a);
    });
}

/// Collects the lines that a seat is told.
struct Reader {
    tracer: Tracer,
    lines: Vec<String>,
}

impl Observer for Reader {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, step: &Traced) {
        self.lines.extend(self.tracer.line(view, step));
    }
}

/// b holds this card, a uses a card, and b answers no to every question. Returns
/// the lines that a is told, a's views when a is asked, and whether b was asked.
fn while_b_holds(card: &str) -> (Vec<String>, Vec<PlayerView>, bool) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/kept");
    let mut suite = crate::pages::suite(&page);
    let text = format!(
        "gyoji 1\nscenarios kept\nscenario \"twin\" {{ given {{ a {{ hand: \"石\" }} b {{ hand: \"{card}\" }} }} expect {{ asked a: step }} }}\n"
    );
    suite.add("twin.scenarios", text.as_bytes());
    let scenario = suite.scenarios.last().unwrap();
    let mut machine = writing::begin(&suite.ground, scenario, &suite.sources).unwrap().machine;
    let tracer = Tracer::new(Words::new(gyoji::diagnostic::Language::English), Detail::Table, Some(Player(0)));
    let mut reader = Reader { tracer, lines: Vec::new() };
    let (mut views, mut asked_b) = (Vec::new(), false);
    for _ in 0..3 {
        if machine.run(&mut reader) != Status::Asking {
            break;
        }
        let (asked, choice) = machine.questions().next().map(|asked| ((asked.id, asked.player), asked.choice)).unwrap();
        if asked.1 == Player(1) && machine.program().choices.get(choice).unwrap().name.name != "confirm" {
            break;
        }
        if asked.1 == Player(0) {
            views.push(machine.view(Player(0)));
        } else {
            assert_eq!(machine.view(Player(0)).asked, [], "what is asked of b is nothing to a");
        }
        asked_b |= asked.1 == Player(1);
        // a picks the card, b says no.
        machine.answer(asked.0, &[u16::from(asked.1 == Player(1))]).unwrap();
    }
    (reader.lines, views.into_iter().take(2).collect(), asked_b)
}

#[test]
fn who_keeps_a_hidden_card_to_himself_is_not_given_away() {
    let (kept, nothing) = (while_b_holds("耳"), while_b_holds("石"));
    assert!(kept.2 && !nothing.2, "b is asked where there is something to show");
    assert_eq!(kept.1, nothing.1);
    let upto = |lines: Vec<String>| lines.into_iter().take_while(|line| !line.contains("rest")).collect::<Vec<_>>();
    let (kept, nothing) = (upto(kept.0), upto(nothing.0));
    assert!(kept.iter().any(|line| line.contains("played")), "{kept:?}");
    assert_eq!(kept, nothing);
}

/// In the scenario a secretly scratches a card of the hand, and the cards of the field. The test reads the lines for both seats.
#[test]
fn what_is_done_secretly_is_told_to_those_who_know_the_card() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/kept");
    let suite = crate::pages::suite(&page);
    let scenario = suite.scenarios.iter().find(|scenario| scenario.title.text == "what is done secretly is done").unwrap();
    let told = |seat: u8| {
        let mut machine = writing::begin(&suite.ground, scenario, &suite.sources).unwrap().machine;
        let tracer = Tracer::new(Words::new(gyoji::diagnostic::Language::English), Detail::All, Some(Player(seat)));
        let mut reader = Reader { tracer, lines: Vec::new() };
        for _ in 0..2 {
            let asked = machine.questions().next().map(|asked| asked.id);
            if let Some(asked) = asked {
                machine.answer(asked, &[0]).unwrap();
            }
            machine.run(&mut reader);
        }
        reader.lines
    };
    let with = |lines: &[String], what: &str| lines.iter().filter(|line| line.contains(what)).cloned().collect::<Vec<_>>();
    let (a, b) = (told(0), told(1));
    assert_eq!(with(&a, "scratch(a, 「石」)").len(), 2, "{a:?}");
    assert_eq!(with(&b, "scratch(a, 「石」)").len(), 1, "{b:?}");
    assert_eq!((with(&a, "nod(a)").len(), with(&b, "nod(a)").len()), (1, 0), "{a:?} {b:?}");
    assert_eq!(with(&b, "field(a) → gone(a)").len(), 1, "what a secret action does is seen: {b:?}");
    // Three cards are scratched. a is told of a's own two; b is told of the open card and of b's own card.
    assert_eq!((with(&a, "scratch-1").len(), with(&b, "scratch-1").len()), (2, 2), "{a:?} {b:?}");
}
