//! Locksteps: actions that all seats take together do not depend on the order of the seats, or on the answers of the other seats.

use super::{BUDGET, Form, MOST_DECISIONS, SEED, TABLES, Table, answer_all, form, games, picked, picks, root};
use gyoji::engine::ids::{CardId, Pc, PhaseId, VerbId, ZoneId};
use gyoji::engine::machine::{Asked, Machine, QuestionId};
use gyoji::engine::program::{Builtin, Program};
use gyoji::engine::random::{Generator, seed_of_game};
use gyoji::engine::state::position::Begin;
use gyoji::engine::state::{Doing, Outcome, Status};
use gyoji::engine::steps::{Observer, Silent, Step, Traced, View};
use gyoji::engine::value::{ObjectId, Place, Player, Value};
use gyoji::players::Random;
use gyoji::project::{Places, Project, load};
use gyoji::syntax::parse_cards;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// A position twice: as it is, and with the seats swapped.
struct Mirrored {
    machines: [Machine; 2],
    /// For each object of the first machine its twin in the second machine.
    twin: Vec<ObjectId>,
}

/// The phases in which the seats act together, page by page.
const TOGETHER: [(&str, &[&str]); 10] = [
    ("basics", &["two", "three"]),
    ("lockstep", &["setting", "opening", "racing", "paying"]),
    ("around", &["lockstep"]),
    ("batches", &["two", "four", "five"]),
    ("time", &["thinking"]),
    ("veil", &["opening"]),
    // A state of the players says whose effects apply first. This state is swapped with the players.
    ("ties", &["one"]),
    // A state of the players says whose turn it is. This state is swapped too.
    ("rulings", &["third"]),
    ("numbers", &["hidden"]),
    ("stretches", &["clearing", "laying"]),
];

/// Pages with a lockstep whose rules use an order of the seats. They cannot be swapped; the reason stands beside the page.
const BY_SEATS: [(&str, &str); 17] = [
    ("asked_first", "who is asked first hangs on a state of the players that is the same for all in a random game: then on nothing"),
    ("causes", "the flow gives the role `active` to the first seat, and `scout` goes on with the active player before the other"),
    ("legality", "only the first seat is offered anything; the lockstep is the body of an option"),
    ("library", "the turn player, from whom on all go, is a state of the game, which no seat has and which is not swapped"),
    ("members", "only the first seat is offered anything; the lockstep is the body of an option"),
    ("once_in_a_step", "the flow gives the role of `you` to one seat in each turn, and everything is done to the cards of that seat"),
    ("own_move", "the lockstep is over the cards of the turn player alone, so the other seat does nothing in it"),
    ("own_moves", "the lockstep stands in an action over the hand of the turn player alone, so the other seat does nothing in it"),
    ("replacement", "the flow performs the abilities of the cards of the first seat first, and the lockstep stands in such an ability"),
    ("spent_together", "of branches that spend from one pool the earlier ones get it; the order of the branches is that of the seats"),
    ("taken_by_two", "of two branches that move one card the earlier one has it; the order of the branches is that of the seats"),
    ("team_numbers", "the seats belong to teams, so what is moved on by one seat belongs to another team"),
    ("why_branches", "the branches go by the power of cards and not by seats, and nobody decides anything in them"),
    ("why_grounds", "only the first seat is offered what strikes cards together; the lockstep is the body of an action of this option"),
    ("tidying", "only the first seat is offered anything; the lockstep is the body of an option"),
    ("verdicts", "only the first seat is offered anything; the lockstep is the body of an option"),
    ("two_declarations", "the flow gives the role `active` to the first seat; who challenges in its fight is the active player"),
];

/// On this page the first branch that begins an action is the only one that does the action. So the branches of a step know of one another.
const ONCE: &str = "once_in_a_step";

/// Pages on which all seats also act together after such a phase.
const FOLLOWED: [&str; 3] = ["basics", "lockstep", "batches"];

/// The pages with the phases in which all seats act together.
fn micro_games() -> Vec<(&'static Table, &'static [&'static str])> {
    static BASICS: LazyLock<Table> = LazyLock::new(together);
    let table = |name: &str| if name == "basics" { &*BASICS } else { TABLES.iter().find(|table| table.name == name).unwrap() };
    TOGETHER.iter().map(|(name, phases)| (table(name), *phases)).collect()
}

/// The next seat.
fn turned(program: &Program, player: Player) -> Player {
    Player((player.0 + 1) % program.players)
}

/// A position at the beginning of a phase in which all seats act together, and the same position moved on by one seat. The piles are
/// deep enough that chance decides nothing. The seats have different numbers of everything, so an order by numbers is a real order.
fn mirrored(table: &Table, phase: &str, number: u64) -> Mirrored {
    let program = &table.program;
    let mut chance = Generator::new(seed_of_game(SEED, number));
    let cards = program.cards.len() as u32;
    let mut laid: Vec<(ZoneId, Player, Player, CardId, Option<bool>)> = Vec::new();
    for (zone, def) in program.zones.iter().filter(|(_, def)| !def.abilities) {
        for player in (0..if def.each_player { program.players } else { 1 }).map(Player) {
            let many = if Some(zone) == program.deck_zone { 40 } else { chance.below(4) }.min(def.capacity.map_or(u32::MAX, u32::from));
            for _ in 0..many {
                let owner = if def.each_player { player } else { Player(chance.below(u32::from(program.players)) as u8) };
                laid.push((zone, player, owner, CardId(chance.below(cards) as u16), def.has_faces.then_some(true)));
            }
        }
    }
    let numbers = program.states.iter().filter(|(_, def)| def.on_players && def.initial == Value::Number(0));
    let first = chance.below(3) as i32;
    let numbers: Vec<_> = numbers.map(|(state, _)| (state, chance.below(2) == 0)).collect();
    // If a flag is true for one player, in the swapped position it is true for the player in the next seat.
    let flags = program.states.iter().filter(|(_, def)| def.on_players && def.initial == Value::Bool(false));
    let flags: Vec<_> = flags.map(|(state, _)| (state, Player(chance.below(u32::from(program.players)) as u8))).collect();
    let phase = program.phases.iter().find(|(_, def)| def.name.name == phase).map(|(id, _)| id);
    assert!(phase.is_some());
    let mut twin = vec![ObjectId(0); laid.len()];
    let mut machine = |swapped: bool| {
        let seat = |player: Player| if swapped { turned(program, player) } else { player };
        let mut machine = Machine::new(Arc::clone(program));
        machine.step_budget(BUDGET);
        let mut position = machine.position();
        // In each zone the first seat's cards are laid first, in the swapped position too.
        let mut order: Vec<usize> = (0..laid.len()).collect();
        order.sort_by_key(|at| (laid[*at].0, seat(laid[*at].1)));
        for at in order {
            let (zone, player, owner, card, face) = laid[at];
            let shared = !program.zones.get(zone).unwrap().each_player;
            let whose = if shared { player } else { seat(player) };
            let object = position.place_of(seat(owner), zone, whose, card, face).unwrap();
            if swapped {
                twin[at] = object;
            } else {
                assert_eq!(usize::from(object.0), at);
            }
        }
        for (state, rising) in &numbers {
            for player in (0..program.players).map(Player) {
                let many = i32::from(if *rising { player.0 } else { program.players - player.0 }) + first;
                position.player_state(seat(player), *state, Value::Number(many));
            }
        }
        for (state, player) in &flags {
            position.player_state(seat(*player), *state, Value::Bool(true));
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
            Value::Player(player) => Value::Player(turned(self.machines[0].program(), player)),
            Value::Object { id, life } => Value::Object { id: self.twin[usize::from(id.0)], life },
            Value::Effect(number) => self.effect(number),
            other => other,
        }
    }

    /// The twin of an effect: the same clause of the twin card. If the card has several such effects, the one with the same rank by age.
    fn effect(&self, number: u32) -> Value {
        let effects = |which: usize| &self.machines[which].state().effects.in_force;
        let one = effects(0).iter().find(|effect| effect.number == number).unwrap();
        let before = effects(0).iter().filter(|other| other.clause == one.clause && other.source == one.source && other.number < number);
        let source = self.value(one.source);
        let mut alike: Vec<u32> =
            effects(1).iter().filter(|other| other.clause == one.clause && other.source == source).map(|other| other.number).collect();
        alike.sort_unstable();
        alike.get(before.count()).map_or(Value::Undefined, |number| Value::Effect(*number))
    }

    /// The side of a seat (or of nobody) as text: the cards in each zone with their states, and the seat's own states.
    fn side(&self, which: usize, player: Option<Player>) -> String {
        let board = &self.machines[which].state().board;
        let program = self.machines[which].program();
        let seen = |value: Value| if which == 0 { self.value(value) } else { value };
        let states = program.states.len();
        let mut side = String::new();
        for place in 0..board.zones.len() {
            let (zone, whose) = gyoji::engine::state::board::zone_of(program, Place(place as u16));
            if whose == player {
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
        let Some(player) = player else { return side };
        let at = usize::from(player.0) * states;
        let own: Vec<Value> = board.player_states[at..at + states].iter().map(|value| seen(*value)).collect();
        format!("{side}\n{own:?}")
    }
}

/// The basics page, and cards whose abilities both seats use together.
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
    let places = Places { rules: Some(root().join("tests/kernel/basics")), cards: None, on: None };
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

/// Every page with a lockstep is either swapped or listed with the reason why it cannot be swapped.
#[test]
fn every_page_with_a_lockstep_is_swapped_or_says_why_not() {
    for entry in std::fs::read_dir(root().join("tests/kernel")).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(rules) = std::fs::read_to_string(folder.join("game.rules")) else { continue };
        let page = folder.file_name().unwrap().to_string_lossy().into_owned();
        let together = rules.lines().any(|line| line.split("--").next().is_some_and(|code| code.contains("simultaneously")));
        let swapped = TOGETHER.iter().any(|(name, _)| *name == page);
        let why_not = BY_SEATS.iter().any(|(name, why)| *name == page && why.len() > 40);
        assert_eq!(together, swapped || why_not, "{page}");
        assert!(!(swapped && why_not), "{page}");
    }
}

/// The result of a joint action does not depend on the order of the seats.
#[test]
fn swapping_the_seats_swaps_the_result() {
    let mut asked = 0;
    for (table, phases) in micro_games() {
        for (phase, number) in phases.iter().flat_map(|phase| (0..games() * 10).map(move |number| (*phase, number))) {
            asked += swapped(table, phase, number);
        }
    }
    assert!(asked > 20, "{asked} questions");
}

/// Plays the same position with both orders of the seats. Returns the number of answered questions.
fn swapped(table: &Table, phase: &str, number: u64) -> usize {
    let (what, program) = (format!("{} {phase} {number}", table.name), &table.program);
    let mut both = mirrored(table, phase, number);
    let mut random = Random::new(SEED, number);
    let turn = both.machines[0].state().board.turn;
    let mut count = 0;
    for _ in 0..MOST_DECISIONS {
        let chance = both.machines[0].state().generator.clone();
        let status = both.machines.each_mut().map(|machine| machine.run(&mut Silent));
        let swapped = match status[0] {
            Status::Over(Outcome::Won(player)) => Status::Over(Outcome::Won(turned(program, player))),
            other => other,
        };
        assert_eq!(swapped, status[1], "{what}");
        // The comparison ends when chance has decided something, and when the seats act in turn after the phase.
        let board = &both.machines[0].state().board;
        let left = (board.phase, board.turn) != (Some(program_phase(table, phase)), turn);
        if chance != both.machines[0].state().generator || left && !FOLLOWED.contains(&table.name.as_str()) {
            break;
        }
        for player in (0..program.players).map(Player) {
            assert_eq!(both.side(0, Some(player)), both.side(1, Some(turned(program, player))), "{what}, seat {player:?}");
        }
        assert_eq!(both.side(0, None), both.side(1, None), "{what}");
        let form = |asked: Asked<'_>| (asked.player, asked.choice, asked.id, asked.domain.to_vec(), asked.min, asked.max, asked.must);
        let questions = both.machines.each_ref().map(|machine| machine.questions().map(form).collect::<Vec<_>>());
        assert_eq!(questions[0].len(), questions[1].len(), "{what}: who is asked");
        // Actions in turn are the subject of another page.
        let rests = |choice| program.choices.get(choice).is_some_and(|choice| choice.name.name == "rest");
        if left || status[0] != Status::Asking || questions[0].iter().any(|(_, choice, ..)| rests(*choice)) {
            break;
        }
        for (player, choice, id, domain, min, max, must) in &questions[0] {
            let seat = turned(program, *player);
            let other = questions[1].iter().find(|other| other.0 == seat && other.1 == *choice && other.3.len() == domain.len());
            let Some(other) = other else { panic!("{what}: {seat:?} is not asked") };
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
            count += 1;
        }
    }
    count
}

/// The questions in one half of a step, with the members of each question. They are listed by the branch that is asked at the beginning of
/// the half. The questions of branches that this branch begins are listed there too.
type Half = BTreeMap<QuestionId, Vec<(Player, Form, Vec<Value>)>>;

/// The branches around a branch, from the inside to the outside. It begins with the branch itself.
fn outwards(machine: &Machine, branch: u16) -> impl Iterator<Item = u16> {
    std::iter::successors(Some(branch), |of| machine.state().control.branches.get(usize::from(*of)).and_then(|branch| branch.parent))
}

/// Whether anything has been changed: the second half of a step has begun. A change need not be seen on the board: a number may be raised by 0.
#[derive(Default)]
struct Changed(bool);

impl Observer for Changed {
    const ON: bool = true;
    fn step(&mut self, _: &View<'_>, step: &Traced) {
        let builtin = |verb: VerbId| usize::from(verb.0) < Builtin::ALL.len();
        self.0 |= match step.step {
            Step::Performed(verb, ..) => builtin(verb),
            Step::EffectBegins(_) | Step::EffectEnds(_) => true,
            _ => false,
        };
    }
    fn state_set(&mut self, _: &View<'_>, _: &Traced) {
        self.0 = true;
    }
}

/// The branches that wait for all branches that are asked.
fn around_all(machine: &Machine, asked: &[QuestionId]) -> Vec<u16> {
    let is_around = |at: &u16| asked.iter().all(|of| outwards(machine, of.0).skip(1).any(|branch| branch == *at));
    (0..machine.state().control.branches.len() as u16).filter(is_around).collect()
}

/// Where a branch stands.
fn place(machine: &Machine, branch: u16) -> Option<(Doing, Vec<Pc>)> {
    let branch = machine.state().control.branches.get(usize::from(branch))?;
    Some((branch.doing, branch.frames.iter().map(|frame| frame.pc).collect()))
}

/// The branch that was asked at the beginning of the half, and that has begun the branch of this question. It is the outermost one: a new
/// branch may get the number of a branch that has ended.
fn asked_at_first(machine: &Machine, first: &[QuestionId], question: QuestionId) -> QuestionId {
    outwards(machine, question.0).map(QuestionId).filter(|of| first.contains(of)).last().unwrap_or(question)
}

/// Plays a copy of the machine to the end of the half. Each branch that is asked at its beginning answers with a seed of its own.
fn half(fork: &Machine, seed: impl Fn(QuestionId) -> u64) -> Half {
    let mut machine = fork.clone();
    let first: Vec<QuestionId> = fork.questions().map(|asked| asked.id).collect();
    let around = around_all(fork, &first);
    let mut changed = Changed::default();
    let mut told: Half = BTreeMap::new();
    let mut randoms: BTreeMap<QuestionId, Random> = BTreeMap::new();
    for _ in 0..MOST_DECISIONS {
        // The step also ends without a change, if no branch had anything to change.
        if changed.0 || machine.status() != Status::Asking || around.iter().any(|at| place(&machine, *at) != place(fork, *at)) {
            break;
        }
        let asked: Vec<_> =
            machine.questions().filter(|asked| !asked.answered).map(|asked| (asked.player, form(&asked), asked.domain.to_vec())).collect();
        for (player, mut form, domain) in asked {
            let question = form.0;
            form.0 = asked_at_first(&machine, &first, question);
            told.entry(form.0).or_default().push((player, form, domain));
            let random = randoms.entry(form.0).or_insert_with(|| Random::new(seed(form.0), u64::from(form.0.0)));
            let answer = picked(&machine, random, question);
            machine.answer(question, &answer).unwrap();
        }
        machine.run(&mut changed);
    }
    told
}

/// In one half of a step, the questions to a branch do not depend on the answers of another branch. And nobody
/// sees an answer before all answers are given. Each case is played from a copy that was made before the half.
#[test]
fn answers_of_one_half_know_nothing_of_one_another() {
    let mut compared = 0;
    let laid = micro_games().into_iter().flat_map(|(table, phases)| {
        let phases = phases.iter().chain(if table.name == "basics" { &["four"][..] } else { &[] });
        phases
            .flat_map(move |phase| (0..games() * 5).map(move |number| (table, mirrored(table, phase, number).machines[0].clone(), number)))
    });
    let anywhere = TABLES.iter().flat_map(|table| (0..games()).map(move |number| (table, table.begun(number), number)));
    for (table, mut machine, number) in laid.chain(anywhere) {
        let mut random = Random::new(SEED, number);
        for _ in 0..MOST_DECISIONS {
            if machine.run(&mut Silent) != Status::Asking {
                break;
            }
            compared += know_nothing(table, &machine, number);
            answer_all(&mut machine, &mut random);
        }
    }
    assert!(compared > 200, "{compared} answers");
}

fn know_nothing(table: &Table, machine: &Machine, number: u64) -> usize {
    let mut compared = 0;
    let in_order = machine.state().control.branches.iter().any(|branch| branch.in_order) || table.name == ONCE;
    let questions: Vec<(QuestionId, Player)> = machine.questions().map(|asked| (asked.id, asked.player)).collect();
    if questions.len() < 2 || in_order {
        return 0;
    }
    let usual = half(machine, |_| number);
    for (question, player) in &questions {
        for other in 1..4 {
            let mut changed = half(machine, |of| if of == *question { number.wrapping_add(other) } else { number });
            let mut usual = usual.clone();
            changed.remove(question);
            usual.remove(question);
            assert_eq!(changed, usual, "{} {number}: what others answer changes what is asked", table.name);
            compared += 1;
        }
        let mut answered = machine.clone();
        let answer = picked(&answered, &mut Random::new(SEED, number), *question);
        answered.answer(*question, &answer).unwrap();
        for seat in (0..table.program.players).map(Player).filter(|seat| seat != player) {
            let mut seen = answered.view(seat);
            seen.asked.iter_mut().for_each(|asked| asked.answered = false);
            assert_eq!(seen, machine.view(seat), "{} {number}: an answer is seen before all are given", table.name);
        }
    }
    compared
}

fn program_phase(table: &Table, name: &str) -> PhaseId {
    table.program.phases.iter().find(|(_, def)| def.name.name == name).unwrap().0
}
