//! Small boards of effects that take abilities away, give control and change a value, and read what the others do.
//!
//! Every board of two such cards, and a sample of the boards of three, is laid out in every order of listing. A board on which no effect
//! depends on itself, directly or through others, has one solution, which is found here effect by effect. The game has to find it too, and
//! has to tell of no circle. On other boards the game has to go on without an error, with the same values in every order of listing, and
//! has to tell each circle once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

use crate::pages;
use gyoji::engine::limits::WORK_BUDGET;
use gyoji::engine::machine::Machine;
use gyoji::engine::random::Generator;
use gyoji::engine::state::{Circle, FailureKind, Status};
use gyoji::engine::steps::{Observer, Silent, Step, Traced, View};
use gyoji::engine::value::{ObjectId, Player, Value};
use gyoji::scenario::suite::Suite;
use gyoji::scenario::writing;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Control,
    Disable,
    Strip,
    Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    Nothing,
    Power,
    Controller,
    HostsController,
    Abilities,
}

const KINDS: [Kind; 4] = [Kind::Control, Kind::Disable, Kind::Strip, Kind::Change];
const READS: [Reads; 5] = [Reads::Nothing, Reads::Power, Reads::Controller, Reads::HostsController, Reads::Abilities];

/// The place of the card on which all effect cards lie. The effect cards come before it.
const HOST: usize = 9;

#[derive(Clone, Copy, Debug)]
struct Effect {
    kind: Kind,
    reads: Reads,
    /// The card that it is about: an effect card, or the host.
    on: usize,
}

impl Effect {
    fn takes(self) -> bool {
        matches!(self.kind, Kind::Disable | Kind::Strip)
    }

    /// Whether the first effect could change what the second does.
    fn is_read_by(self, other: Effect, number: usize) -> bool {
        let reads = match other.reads {
            Reads::Nothing => false,
            Reads::Power => self.kind == Kind::Change && self.on == other.on,
            Reads::Controller => self.kind == Kind::Control && self.on == other.on,
            Reads::HostsController => self.kind == Kind::Control && self.on == HOST && other.on != HOST,
            Reads::Abilities => self.kind == Kind::Strip && self.on == other.on,
        };
        reads || self.takes() && self.on == number
    }

    fn script(self) -> String {
        let name = if self.on == HOST { "人".to_owned() } else { format!("C{}", self.on) };
        let reads = match self.reads {
            Reads::Nothing => "",
            Reads::Power => " and it.power > 3",
            Reads::Controller => " and it.controller == it.owner",
            Reads::HostsController => " and it.host.controller == it.host.owner",
            Reads::Abilities => " and some abilities(it)",
        };
        let set = format!("(field where it.name == \"{name}\"{reads})");
        match self.kind {
            Kind::Control => format!("modify {set} {{ controller = you }}"),
            Kind::Disable => format!("disable abilities{set}"),
            Kind::Strip => format!("strip {set} {{ abilities }}"),
            Kind::Change => format!("modify {set} {{ power + 5 }}"),
        }
    }
}

/// Whose a card is.
fn owner(number: usize) -> u8 {
    if number == HOST { 1 } else { (number % 2) as u8 }
}

/// The controller and the power of each effect card, and of the host at the end.
type Solved = Vec<(u8, i32)>;

/// The only solution of a board without circles. None if an effect depends on itself.
fn solution(board: &[Effect]) -> Option<Solved> {
    let mut applies: Vec<Option<bool>> = vec![None; board.len()];
    let controller = |applies: &[Option<bool>], card: usize| {
        let giver =
            (0..board.len()).rev().find(|at| board[*at].kind == Kind::Control && board[*at].on == card && applies[*at] == Some(true));
        owner(giver.unwrap_or(card))
    };
    let sum = |applies: &[Option<bool>], card: usize| {
        1 + 5
            * (0..board.len()).filter(|at| board[*at].kind == Kind::Change && board[*at].on == card && applies[*at] == Some(true)).count()
                as i32
    };
    while applies.contains(&None) {
        let free = (0..board.len()).find(|at| {
            let waits = |other: usize| applies[other].is_none() && board[other].is_read_by(board[*at], *at);
            applies[*at].is_none() && !(0..board.len()).any(waits)
        })?;
        let one = board[free];
        let is_taken = |by: &dyn Fn(Effect) -> bool, card: usize| {
            (0..board.len()).any(|at| by(board[at]) && board[at].on == card && applies[at] == Some(true))
        };
        let holds = match one.reads {
            Reads::Nothing => true,
            Reads::Power => sum(&applies, one.on) > 3,
            Reads::Controller => controller(&applies, one.on) == owner(one.on),
            Reads::HostsController => one.on != HOST && controller(&applies, HOST) == owner(HOST),
            Reads::Abilities => one.on != HOST && !is_taken(&|effect| effect.kind == Kind::Strip, one.on),
        };
        applies[free] = Some(holds && !is_taken(&Effect::takes, free));
    }
    let cards = (0..board.len()).chain([HOST]);
    Some(cards.map(|card| (controller(&applies, card), sum(&applies, card))).collect())
}

/// A board as a scenario. `by_age`: the effects get their ages in the order of their numbers, one after the other; otherwise all at once, as
/// they are listed.
fn text(board: &[Effect], listed: &[usize], by_age: bool) -> String {
    let mut text = "gyoji 1\nscenarios effect_circles\nscenario \"a board\" {\n".to_owned();
    for (at, effect) in board.iter().enumerate() {
        writeln!(text, "  card \"C{at}\" like \"人\" {{ script {{ static {{ {} }} }} }}", effect.script()).unwrap();
    }
    text.push_str("  given {\n");
    for (seat, name) in ["a", "b"].iter().enumerate() {
        let own = listed.iter().filter(|at| usize::from(owner(**at)) == seat);
        let mut cards: Vec<String> = own.map(|at| format!("\"C{at}\" on j as c{at}")).collect();
        if seat == 1 {
            cards.insert(0, "\"人\" as j".to_owned());
        }
        writeln!(text, "    {name} {{ field: {} }}", cards.join(", ")).unwrap();
    }
    for at in (0..board.len()).filter(|_| by_age) {
        writeln!(text, "    came c{at}").unwrap();
    }
    text.push_str("  }\n  expect { game goes on }\n}\n");
    text
}

/// The circles that are told.
#[derive(Default)]
struct Told(Vec<Circle>);

impl Observer for Told {
    const ON: bool = true;
    fn step(&mut self, _: &View<'_>, step: &Traced) {
        if let Step::EffectCircle(circle) = &step.step {
            self.0.push(circle.clone());
        }
    }
}

/// Lays a board out, and reads the controllers and the powers. Also the number of circles that were told.
fn played(page: &Suite, board: &[Effect], listed: &[usize], by_age: bool) -> (Solved, Vec<Circle>) {
    let mut suite = page.clone();
    let text = text(board, listed, by_age);
    let before = suite.scenarios.len();
    suite.add("board.scenarios", text.as_bytes());
    let scenario = suite.scenarios.get(before).unwrap_or_else(|| panic!("{text}"));
    let begun = writing::begin(&suite.ground, scenario, &suite.sources).unwrap_or_else(|found| panic!("{text}\n{found:?}"));
    let mut machine = begun.machine;
    let mut told = Told::default();
    assert_eq!(machine.run(&mut told), Status::Asking, "{text}");
    let program = machine.program();
    let power = program.fields.iter().find(|(_, field)| field.name.name == "power").unwrap().0;
    let names = (0..board.len()).map(|at| format!("C{at}")).chain(["人".to_owned()]);
    let read = |name: String| {
        let called = |id: &ObjectId| {
            let card = machine.state().board.object(*id).and_then(|object| program.cards.get(object.card)).unwrap();
            program.texts.get(card.name) == Some(&name)
        };
        let id = (0..machine.state().board.objects.len()).map(|id| ObjectId(id as u16)).find(called).unwrap();
        let Value::Number(power) = machine.field(id, power) else { panic!("{text}") };
        (machine.controller(id).unwrap_or(Player(9)).0, power)
    };
    (names.map(read).collect(), told.0)
}

/// A machine at the beginning of a position of the page, for a game that nobody watches.
fn laid(page: &Suite, card: &str, given: &str) -> Machine {
    let mut suite = page.clone();
    let before = suite.scenarios.len();
    let text = format!(
        "gyoji 1\nscenarios effect_circles\nscenario \"a board\" {{\n  {card}\n  given {{ {given} }}\n  expect {{ game goes on }}\n}}\n"
    );
    suite.add("board.scenarios", text.as_bytes());
    let begun = writing::begin(&suite.ground, &suite.scenarios[before], &suite.sources).unwrap();
    begun.machine
}

/// Cards of both sides that count one another stand in circles, and are an error that names the card. Without a circle as many cards
/// are none, although each of them is compared with all others.
#[test]
fn many_cards_that_count_one_another_are_an_error_and_others_are_not() {
    let page = pages::suite(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/effect_circles"));
    let mut circular = laid(&page, "", "a { field: \"向かい\" x20 }  b { field: \"向かい\" x20 }");
    let Status::Failed(failure) = circular.run(&mut Silent) else { panic!("no error") };
    assert!([FailureKind::LooksWithin, FailureKind::EffectsWithin].contains(&failure.kind), "{failure:?}");
    let (card, ability) = failure.waiting.unwrap();
    let program = circular.program();
    let name = program.texts.get(program.cards.get(card).unwrap().name).unwrap();
    assert_eq!((name.as_str(), ability), ("向かい", 1));
    for given in ["a { field: \"向かい\" x60 }  b { field: \"加え\" x60 }", "a { field: \"数え\" x60 }  b { field: \"数え\" x60 }"]
    {
        assert_eq!(laid(&page, "", given).run(&mut Silent), Status::Asking, "{given}");
    }
}

/// Cards of both sides that read each other's power through sums and other calculations: the work ends with an error, however many cards
/// each reading goes through, or the board has a solution.
#[test]
fn calculations_over_many_cards_that_read_one_another_come_to_an_end() {
    let page = pages::suite(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/effect_circles"));
    let of = |side: &str, figure: &str| figure.replace("SET", &format!("field({side})"));
    let figures = [
        "greatest(SET, it.power)",
        "least(SET, it.power)",
        "sum(SET, it.power)",
        "count(distinct(SET, it.power))",
        "count(SET where it.power > 100)",
        "count(sorted(SET, it.power))",
    ];
    for (figure, side) in figures.iter().zip(["you", "opponent(you)"].into_iter().cycle()) {
        for (clause, many) in [("it.power == FIGURE", 20), ("it.guard < FIGURE", 300)] {
            let clause = clause.replace("FIGURE", &of(side, figure));
            let script = format!("static {{ modify field(you) where {clause} {{ power + 1 }} }}");
            let given = format!("a {{ field: \"計り\" x{many} }}  b {{ field: \"計り\" x{many} }}");
            let mut board = laid(&page, &format!("card \"計り\" like \"向かい\" {{ script {{ {script} }} }}"), &given);
            match board.run(&mut Silent) {
                Status::Asking => {}
                Status::Failed(failure) => {
                    assert!([FailureKind::LooksWithin, FailureKind::EffectsWithin].contains(&failure.kind), "{clause}: {failure:?}");
                }
                other => panic!("{clause}: {other:?}"),
            }
            // What is counted when the limit is passed belongs to one reading more.
            let work = board.state().effects.asked.work.units();
            assert!(u64::from(work) < WORK_BUDGET + WORK_BUDGET / 10, "{clause}: {work}");
        }
    }
}

/// All orders of the first numbers.
fn orders(many: usize) -> Vec<Vec<usize>> {
    if many == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(many - 1);
    let with = |order: &Vec<usize>, at: usize| {
        let mut order = order.clone();
        order.insert(at, many - 1);
        order
    };
    shorter.iter().flat_map(|order| (0..many).map(|at| with(order, at)).collect::<Vec<_>>()).collect()
}

fn check(page: &Suite, board: &[Effect], layers: bool) {
    let mut found: Option<Solved> = None;
    let shown = || format!("layers: {layers}\n{}", text(board, &[0, 1, 2][..board.len()], true));
    for order in orders(board.len()).into_iter().step_by(board.len() - 1) {
        let (now, _) = played(page, board, &order, true);
        assert!(found.as_ref().is_none_or(|before| *before == now), "{order:?} {found:?} {now:?}\n{}", shown());
        found = Some(now);
    }
    // Here no circle comes and goes while the ages are given.
    let (_, told) = played(page, board, &[0, 1, 2][..board.len()], false);
    let members: Vec<u32> = told.iter().flat_map(Circle::members).collect();
    let once = members.iter().all(|one| members.iter().filter(|other| *other == one).count() == 1);
    assert!(once, "{told:?} {}", shown());
    let Some(solution) = solution(board) else { return };
    assert_eq!(told, [], "no circle: {}", shown());
    // In a game with layers no condition sees a later layer.
    assert!(layers || found.as_ref() == Some(&solution), "{found:?} {solution:?}\n{}", shown());
}

/// All effects of a board with so many cards.
fn effects(many: usize) -> Vec<Effect> {
    let targets = || (0..many).chain([HOST]);
    let all = KINDS
        .iter()
        .flat_map(|kind| READS.iter().flat_map(move |reads| targets().map(move |on| Effect { kind: *kind, reads: *reads, on })));
    all.filter(|effect| !(effect.takes() && effect.on == HOST)).collect()
}

#[test]
fn boards_of_two_and_of_three_effects_have_their_solution_and_tell_circles_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/effect_circles");
    let page = pages::suite(&folder);
    let layered = Path::new(env!("CARGO_TARGET_TMPDIR")).join("effect_circles_in_layers");
    std::fs::create_dir_all(&layered).unwrap();
    std::fs::copy(folder.join("things.cards"), layered.join("things.cards")).unwrap();
    let layers = "layers { abilities \"甲\" { strip ability, disable ability }  sums \"乙\" { add number } }";
    let rules = std::fs::read_to_string(folder.join("game.rules")).unwrap();
    std::fs::write(layered.join("game.rules"), format!("{rules}{layers}\n")).unwrap();
    let layered = pages::suite(&layered);
    let (two, three) = (effects(2), effects(3));
    let mut boards: Vec<Vec<Effect>> = two.iter().flat_map(|first| two.iter().map(|second| vec![*first, *second])).collect();
    let sample = std::env::var("GYOJI_CIRCLES").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let mut chance = Generator::new(11);
    let mut drawn = || three[chance.below(three.len() as u32) as usize];
    boards.extend((0..sample).map(|_| vec![drawn(), drawn(), drawn()]));
    let circles = boards.iter().filter(|board| solution(board).is_none()).count();
    assert!(circles > 100 && circles < boards.len() - 100, "{circles} of {}", boards.len());
    boards.par_iter().for_each(|board| {
        check(&page, board, false);
        check(&layered, board, true);
    });
}
