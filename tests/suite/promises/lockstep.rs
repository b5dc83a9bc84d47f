//! Locksteps: what both seats do together does not know which of them sits first, nor what the other answers.

use super::{BUDGET, Form, MOST_DECISIONS, SEED, Table, answer_all, form, games, picked, picks, root};
use gyoji::engine::ids::{CardId, PhaseId, ZoneId};
use gyoji::engine::machine::{Asked, Machine, QuestionId};
use gyoji::engine::observe::Silent;
use gyoji::engine::position::Begin;
use gyoji::engine::random::{Generator, seed_of_game};
use gyoji::engine::state::{Outcome, Status};
use gyoji::engine::value::{ObjectId, Place, Player, Value};
use gyoji::players::Random;
use gyoji::project::{Places, Project, load};
use gyoji::syntax::parse_cards;
use std::sync::Arc;

/// The cards of two seats, and which of them is which when the seats are swapped.
struct Mirrored {
    machines: [Machine; 2],
    /// For each object of the first the one of the second.
    twin: Vec<ObjectId>,
}

/// A position of the basics page at the beginning of a phase in which both seats act together, and the same with the seats swapped. Piles are
/// deep enough that nothing is left to chance.
fn mirrored(table: &Table, phase: &str, number: u64) -> Mirrored {
    let program = &table.program;
    let mut chance = Generator::new(seed_of_game(SEED, number));
    let cards = program.cards.len() as u32;
    let mut laid: Vec<(ZoneId, Player, CardId, Option<bool>)> = Vec::new();
    for (zone, def) in program.zones.iter() {
        for player in [Player(0), Player(1)] {
            let many = if Some(zone) == program.deck_zone { 40 } else { chance.below(4) }.min(def.capacity.map_or(u32::MAX, u32::from));
            let card = |chance: &mut Generator| CardId(chance.below(cards) as u16);
            laid.extend((0..many).map(|_| (zone, player, card(&mut chance), def.has_faces.then_some(true))));
        }
    }
    let phase = program.phases.iter().find(|(_, def)| def.name.name == phase).map(|(id, _)| id);
    assert!(phase.is_some());
    let mut twin = vec![ObjectId(0); laid.len()];
    let mut machine = |swapped: bool| {
        let mut machine = Machine::new(Arc::clone(program));
        machine.step_budget(BUDGET);
        let mut position = machine.position();
        // The first seat's cards are laid first, zone by zone, whichever they are.
        let mut order: Vec<usize> = (0..laid.len()).collect();
        order.sort_by_key(|at| (laid[*at].0, laid[*at].1.0 ^ u8::from(swapped)));
        for at in order {
            let (zone, player, card, face) = laid[at];
            let object = position.place(zone, Player(player.0 ^ u8::from(swapped)), card, face).unwrap();
            if swapped {
                twin[at] = object;
            } else {
                assert_eq!(usize::from(object.0), at);
            }
        }
        position.begin(Begin::Phase(phase));
        machine
    };
    let machines = [machine(false), machine(true)];
    Mirrored { machines, twin }
}

impl Mirrored {
    fn value(&self, value: Value) -> Value {
        match value {
            Value::Player(player) => Value::Player(Player(1 - player.0)),
            Value::Object { id, life } => Value::Object { id: self.twin[usize::from(id.0)], life },
            other => other,
        }
    }

    /// What lies where on a seat's side, with its faces and states; the seat's own states.
    fn side(&self, which: usize, player: Player) -> String {
        let board = &self.machines[which].state().board;
        let program = self.machines[which].program();
        let seen = |value: Value| if which == 0 { self.value(value) } else { value };
        let states = program.states.len();
        let mut side = String::new();
        for place in 0..board.zones.len() {
            let (zone, whose) = gyoji::engine::board::zone_of(program, Place(place as u16));
            if whose == Some(player) {
                side.push_str(&format!("\n{}:", program.zones.get(zone).unwrap().name.name));
                for id in board.cards(Place(place as u16)) {
                    let object = board.object(*id).unwrap();
                    let at = usize::from(id.0) * states;
                    let marks: Vec<Value> = board.card_states[at..at + states].iter().map(|value| seen(*value)).collect();
                    let id = if which == 0 { self.twin[usize::from(id.0)] } else { *id };
                    side.push_str(&format!(" {} {} {marks:?}", id.0, program.cards.get(object.card).unwrap().number));
                }
            }
        }
        let at = usize::from(player.0) * states;
        let own: Vec<Value> = board.player_states[at..at + states].iter().map(|value| seen(*value)).collect();
        format!("{side}\n{own:?}")
    }
}

/// The basics page with cards whose abilities both seats use together.
fn together() -> Table {
    let scripts = [
        "both { choose pick: 1 from hand(you) by you  move(pick, row(you)) }",
        "both { you.score = count(hand(opponent(you)))  draw(you, 1) }",
        "both { draw(you, 1)  you.score = count(hand(opponent(you))) }",
        "both { move(top of pile(opponent(you)), gone(opponent(you))) }",
        "both { move(hand(opponent(you)), gone(opponent(you))) }",
        "both { may you attempt { draw(you, 1)  discard(2 from hand(you)) }  if done { you.score = 9 } }",
        "both { discard(1 from hand(opponent(you))) }",
        "both { draw(you, 1)  lose(you) }",
        "priced { may you attempt { discard(1 from hand(you)) }  if done { you.score = 9 } }",
        "priced { discard(1 from hand(opponent(you))) }",
    ];
    let places = Places { rules: Some(root().join("tests/kernel/basics")), cards: None };
    let (mut game, _) = load("basics", &places, Some(&Project { folder: root().to_owned(), ..Project::default() })).unwrap();
    let card = |(at, script): (usize, &&str)| format!("card \"T{at}\" thing \"共{at}\" {{ power 1  script {{ {script} }} }}\n");
    let text = format!("gyoji 1\n\ncards basics\n\n{}", scripts.iter().enumerate().map(card).collect::<String>());
    let file = game.sources.add("together.cards", &text);
    let (tree, found) = parse_cards(file, &text);
    assert_eq!(found, []);
    for card in &tree.items {
        assert_eq!(game.compiler.add_card(card, card.script.as_deref().unwrap_or_default()).1, []);
    }
    Table { name: "basics".to_owned(), program: game.compiler.finished(), decks: None }
}

/// What happens to both seats together does not know which of them sits first.
#[test]
fn swapping_the_seats_swaps_the_result() {
    let table = &together();
    let mut asked = 0;
    for (phase, number) in ["two", "three"].into_iter().flat_map(|phase| (0..games() * 40).map(move |number| (phase, number))) {
        let mut both = mirrored(table, phase, number);
        let mut random = Random::new(SEED, number);
        for _ in 0..MOST_DECISIONS {
            let status = both.machines.each_mut().map(|machine| machine.run(&mut Silent));
            let swapped = match status[0] {
                Status::Over(Outcome::Won(player)) => Status::Over(Outcome::Won(Player(1 - player.0))),
                other => other,
            };
            assert_eq!(swapped, status[1], "{phase} {number}");
            for player in [Player(0), Player(1)] {
                assert_eq!(both.side(0, player), both.side(1, Player(1 - player.0)), "{phase} {number}, seat {player:?}");
            }
            let form = |asked: Asked<'_>| (asked.player, asked.choice, asked.id, asked.domain.to_vec(), asked.min, asked.max, asked.must);
            let questions = both.machines.each_ref().map(|machine| machine.questions().map(form).collect::<Vec<_>>());
            assert_eq!(questions[0].len(), questions[1].len(), "{phase} {number}: who is asked");
            // What both do one after the other is another page's.
            if status[0] != Status::Asking || both.machines[0].state().board.phase != Some(program_phase(table, phase)) {
                break;
            }
            for (player, choice, id, domain, min, max, must) in &questions[0] {
                let other =
                    questions[1].iter().find(|other| other.0 != *player && other.1 == *choice && other.3.len() == domain.len()).unwrap();
                let answer = picks(&mut random, domain.len() as u16, *min, *max, *must);
                let mirrored: Vec<u16> = answer
                    .iter()
                    .map(|pick| {
                        let value = both.value(domain[usize::from(*pick)]);
                        other.3.iter().position(|twin| *twin == value).unwrap() as u16
                    })
                    .collect();
                both.machines[0].answer(*id, &answer).unwrap();
                both.machines[1].answer(other.2, &mirrored).unwrap();
                asked += 1;
            }
        }
    }
    assert!(asked > 20, "{asked} questions");
}

/// What one branch is asked, and whether, does not depend on what another answers in the same half; and nobody sees that answer before all are
/// given.
#[test]
fn answers_of_one_half_know_nothing_of_one_another() {
    let table = &together();
    let mut compared = 0;
    for (phase, number) in ["two", "three", "four"].into_iter().flat_map(|phase| (0..games() * 20).map(move |number| (phase, number))) {
        let Mirrored { machines: [mut machine, _], .. } = mirrored(table, phase, number);
        let mut random = Random::new(SEED, number);
        for _ in 0..MOST_DECISIONS {
            if machine.run(&mut Silent) != Status::Asking {
                break;
            }
            let asked = |machine: &Machine, but: QuestionId| -> Vec<(Player, Form, Vec<Value>)> {
                let others = machine.questions().filter(|asked| asked.id != but);
                others.map(|asked| (asked.player, form(&asked), asked.domain.to_vec())).collect()
            };
            for (question, player) in machine.questions().map(|asked| (asked.id, asked.player)).collect::<Vec<_>>() {
                for _ in 0..4 {
                    let mut other = machine.clone();
                    let answer = picked(&other, &mut random, question);
                    other.answer(question, &answer).unwrap();
                    assert_eq!(asked(&other, question), asked(&machine, question), "{phase} {number}");
                    if machine.questions().count() > 1 {
                        let mut seen = other.view(Player(1 - player.0));
                        seen.asked.iter_mut().for_each(|asked| asked.answered = false);
                        assert_eq!(seen, machine.view(Player(1 - player.0)), "{phase} {number}: an answer is seen before all are given");
                        compared += 1;
                    }
                }
            }
            answer_all(&mut machine, &mut random);
        }
    }
    assert!(compared > 50, "{compared} answers");
}

fn program_phase(table: &Table, name: &str) -> PhaseId {
    table.program.phases.iter().find(|(_, def)| def.name.name == name).unwrap().0
}
