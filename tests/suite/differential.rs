//! The interpreted games against the hand-written games: same seeds, same decisions, every state compared.
//!
//! The native games share no code with `src/` except the random generator. So they also are a second opinion on the rules files.
#![allow(clippy::indexing_slicing, reason = "a test")]

#[path = "../../benches/baseline/mod.rs"]
mod baseline;
#[path = "../../benches/interpreted/mod.rs"]
mod interpreted;

use baseline::goofspiel::{self, Goofspiel};
use baseline::kaiun::{self, Area, Card, Janken, KEEP, Kaiun};
use baseline::{Native, Player};
use gyoji::engine::ids::ZoneId;
use gyoji::engine::machine::{Machine, QuestionId};
use gyoji::engine::random::Generator;
use gyoji::engine::state::board::place_of;
use gyoji::engine::state::{Outcome, Status};
use gyoji::engine::steps::Silent;
use gyoji::engine::value::{ObjectId, Player as Seat, Value};
use interpreted::{COPIES, Interpreted, VANILLA};

const KAIUN_GAMES: u64 = 10_000;
const GOOFSPIEL_GAMES: u64 = 2_000;

/// How two games are compared.
trait Same: Native {
    /// Compares everything except the outcome, at a decision.
    fn compare(&self, machine: &Machine, zones: &[ZoneId], game: u64);

    /// How the native game ended.
    fn end(&self) -> Option<Outcome>;

    /// The native answer for a position in a question's domain. If nothing is picked, the answer is [`KEEP`].
    fn chosen(pick: Option<u16>) -> u8 {
        pick.map_or(KEEP, |pick| pick as u8)
    }
}

fn seat(player: Player) -> Seat {
    Seat(player as u8)
}

/// The declared zones with these names.
fn zones(machine: &Machine, names: &[&str]) -> Vec<ZoneId> {
    let zones = &machine.program().zones;
    names.iter().filter_map(|name| zones.iter().find(|(_, zone)| zone.name.name == *name).map(|(id, _)| id)).collect()
}

fn cards(machine: &Machine, zone: ZoneId, player: Player) -> &[ObjectId] {
    machine.state().board.cards(place_of(machine.program(), zone, seat(player)))
}

/// Plays games on both sides and compares them at every decision and at the end.
fn play_both<G: Same>(mut native: G, interpreted: &mut Interpreted, names: &[&str], games: u64) {
    let Interpreted { machine, decks, .. } = interpreted;
    let zones = zones(machine, names);
    assert_eq!(zones.len(), names.len());
    for game in 0..games {
        let mut player = Generator::new(game ^ 77);
        machine.start(decks, game);
        native.start(Generator::new(game));
        while machine.run(&mut Silent) == Status::Asking {
            native.compare(machine, &zones, game);
            answer_both(&mut native, machine, &mut player, game);
        }
        assert_eq!(native.end().map(Status::Over), Some(machine.status()), "game {game}");
    }
}

fn answer_both<G: Same>(native: &mut G, machine: &mut Machine, player: &mut Generator, game: u64) {
    let asked: Vec<(QuestionId, Seat, u16, u16)> =
        machine.questions().map(|asked| (asked.id, asked.player, asked.domain.len() as u16, asked.min)).collect();
    let decisions: Vec<Player> = native.decisions().iter().flatten().map(|decision| decision.player).collect();
    assert!(asked.iter().map(|(_, player, ..)| *player).eq(decisions.iter().map(|player| seat(*player))), "game {game}: {asked:?}");
    for (&(question, _, len, min), asked) in asked.iter().zip(decisions) {
        let below = player.below(u32::from(len) + u32::from(min == 0)) as u16;
        let pick = if min == 0 { below.checked_sub(1) } else { Some(below) };
        assert_eq!(machine.answer(question, pick.as_slice()), Ok(()), "game {game}");
        native.answer(asked, G::chosen(pick));
    }
}

impl Same for Kaiun {
    fn compare(&self, machine: &Machine, zones: &[ZoneId], game: u64) {
        let context = || format!("game {game} turn {}", self.turn());
        assert_eq!(machine.state().board.turn, self.turn(), "{}", context());
        for player in Player::BOTH {
            let areas = [Area::Deck, Area::Hand, Area::Cost, Area::Barrier, Area::Trash];
            let battle = self.battle(player);
            let theirs = areas.map(|area| self.zone(player, area)).into_iter().chain([battle.as_slice()]);
            for (zone, theirs) in zones.iter().zip(theirs) {
                let ours = cards(machine, *zone, player).iter().map(|card| card.0 as u8);
                assert!(
                    ours.clone().eq(theirs.iter().copied()),
                    "{} {player:?} {zone:?}: {:?} {theirs:?}",
                    context(),
                    Vec::from_iter(ours)
                );
            }
        }
    }

    fn end(&self) -> Option<Outcome> {
        self.outcome().map(|player| Outcome::Won(seat(player)))
    }
}

#[test]
fn kaiun_without_texts_is_the_native_game() {
    let mut interpreted = Interpreted::kaiun();
    let program = interpreted.machine.program().clone();
    let field = |name: &str| program.fields.iter().find(|(_, field)| field.name.name == name).map(|(id, _)| id).unwrap_or_default();
    let number = |card, name| program.printed_value(card, field(name)).number().unwrap_or_default() as u8;
    let table: Vec<Card> = interpreted.decks[0]
        .iter()
        .step_by(COPIES)
        .map(|card| Card {
            janken: match program.printed_value(*card, field("janken")) {
                Value::Enum(_, 0) => Janken::Rock,
                Value::Enum(_, 1) => Janken::Scissors,
                _ => Janken::Paper,
            },
            win: number(*card, "win"),
            lose: number(*card, "lose"),
            cost: number(*card, "cost"),
        })
        .collect();
    assert_eq!(table.len(), VANILLA.len());
    let deck = std::array::from_fn::<usize, { kaiun::DECK }, _>(|place| place / COPIES);
    let names = ["deck", "hand", "cost_area", "barrier", "trash", "battle"];
    play_both(Kaiun::new(&table, [deck; 2]), &mut interpreted, &names, KAIUN_GAMES);
}

/// The value of a card. Seat a's deck has thirteen bids and thirteen prizes, seat b's deck has thirteen bids.
fn value(card: &ObjectId) -> u8 {
    (card.0 % goofspiel::CARDS as u16) as u8 + 1
}

impl Same for Goofspiel {
    fn compare(&self, machine: &Machine, zones: &[ZoneId], game: u64) {
        let [prizes, hand, turned] = zones else { return };
        let shown = |zone: &ZoneId, player| cards(machine, *zone, player).iter().map(value);
        assert!(shown(prizes, Player::A).eq(self.face_down().iter().copied()), "game {game}");
        assert_eq!(shown(turned, Player::A).next_back(), self.revealed(), "game {game}");
        for player in Player::BOTH {
            assert!(shown(hand, player).eq(self.hand(player)), "game {game}");
            let score = machine.state().board.player_states[usize::from(seat(player).0) * machine.program().states.len()];
            assert_eq!(score, Value::Number(self.score(player) as i32), "game {game}");
        }
        assert_eq!(machine.state().board.turn as usize, self.round(), "game {game}");
    }

    fn end(&self) -> Option<Outcome> {
        self.outcome().map(|outcome| match outcome {
            goofspiel::Outcome::Won(player) => Outcome::Won(seat(player)),
            goofspiel::Outcome::Draw => Outcome::Drawn,
        })
    }
}

#[test]
fn goofspiel_is_the_native_game() {
    play_both(Goofspiel::new(), &mut Interpreted::goofspiel(), &["prizes", "hand", "turned"], GOOFSPIEL_GAMES);
}
