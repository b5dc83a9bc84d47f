//! Joint conditions (`choose … together`): the answers that the engine allows, compared with all sets of members.
//!
//! The conditions are made by chance from a small grammar, and so are the boards, the demands of effects and the wanted numbers. The test has
//! its own meaning of each condition.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use gyoji::diagnostic::Severity;
use gyoji::engine::ids::{CardId, PhaseId, ZoneId};
use gyoji::engine::machine::{Asked, Machine, Refusal};
use gyoji::engine::program::Program;
use gyoji::engine::random::Generator;
use gyoji::engine::state::Status;
use gyoji::engine::state::position::Begin;
use gyoji::engine::steps::Silent;
use gyoji::engine::value::Player;
use gyoji::players::{Answers, Random, Reply};
use gyoji::project::{Places, load};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The numbers of a card: two values, and how many effects demand it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Card {
    a: i32,
    b: i32,
    wanted: i32,
}

const A: i32 = 4;
const B: i32 = 3;
const WANTED: i32 = 3;

impl Card {
    fn number(self) -> u16 {
        ((self.a * B + self.b) * WANTED + self.wanted) as u16
    }

    fn draw(chance: &mut Generator) -> Self {
        let mut below = |most: i32| chance.below(most as u32) as i32;
        Card { a: below(A), b: below(B), wanted: below(WANTED) }
    }

    fn all() -> impl Iterator<Item = Card> {
        (0..A).flat_map(|a| (0..B).flat_map(move |b| (0..WANTED).map(move |wanted| Card { a, b, wanted })))
    }

    fn key(self, key: Key) -> i32 {
        if key == Key::A { self.a } else { self.b }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    A,
    B,
}

impl Key {
    fn text(self) -> &'static str {
        if self == Key::A { "a" } else { "b" }
    }
}

#[derive(Clone, Copy, Debug)]
struct Compared(usize, i32);

impl Compared {
    const WORDS: [&'static str; 6] = ["==", "!=", "<", "<=", ">", ">="];

    fn holds(self, number: i32) -> bool {
        let Compared(how, other) = self;
        [number == other, number != other, number < other, number <= other, number > other, number >= other][how]
    }

    fn text(self) -> String {
        format!("{} {}", Self::WORDS[self.0], self.1)
    }
}

/// A condition on one card.
#[derive(Clone, Copy, Debug)]
struct Single(Key, Compared);

impl Single {
    fn holds(self, card: Card) -> bool {
        self.1.holds(card.key(self.0))
    }

    fn text(self) -> String {
        format!("it.{} {}", self.0.text(), self.1.text())
    }
}

/// A condition on a set of cards.
#[derive(Clone, Debug)]
enum Condition {
    /// How many fulfil a condition.
    Count(Single, Compared),
    /// For each chosen card that fulfils a condition: how many share its value.
    Each(Single, Key, Compared),
    /// The values are different.
    Apart(Key),
    /// The values are equal.
    Same(Key),
    /// Two cards together have at least this much.
    Near(i32),
    /// How many different values there are.
    Kinds(Key, Compared),
    /// As many different values as cards.
    AsManyKinds(Key),
    /// The number of cards leaves this remainder.
    Remainder(i32, i32),
    /// None, or one that fulfils the condition.
    IfAny(Single),
    /// One value is that of all cards.
    Some(Key),
    /// The sum of the values.
    Sum(Key, Compared),
    /// More of one sort than of another one.
    More(Single, Single, i32),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    If(Box<Condition>, Box<Condition>, Box<Condition>),
}

use Condition::{And, Apart, AsManyKinds, Count, Each, If, IfAny, Kinds, More, Near, Not, Or, Remainder, Same, Some as SomeValue, Sum};

impl Condition {
    fn draw(chance: &mut Generator, depth: u32) -> Self {
        let mut below = |most: u32| chance.below(most) as i32;
        let key = if below(2) == 0 { Key::A } else { Key::B };
        let compared = Compared(below(6) as usize, below(4));
        let single = Single(if below(2) == 0 { Key::A } else { Key::B }, Compared(below(6) as usize, below(3)));
        let kind = below(if depth > 0 { 17 } else { 12 });
        let number = below(5);
        let inner = |chance: &mut Generator| Box::new(Condition::draw(chance, depth.saturating_sub(1)));
        match kind {
            0 => Count(single, compared),
            1 | 2 => Each(single, key, compared),
            3 => Apart(key),
            4 => Same(key),
            5 => Near(number),
            6 => Kinds(key, compared),
            7 => AsManyKinds(key),
            8 => Remainder(2 + number % 2, number % 2),
            9 => IfAny(single),
            10 => {
                if number == 0 {
                    Sum(key, compared)
                } else {
                    SomeValue(key)
                }
            }
            11 => {
                if number < 3 {
                    More(single, Single(key, compared), number - 1)
                } else {
                    Each(Single(Key::A, Compared(5, 0)), key, compared)
                }
            }
            12 => Not(inner(chance)),
            13 | 14 => And(inner(chance), inner(chance)),
            15 => Or(inner(chance), inner(chance)),
            _ => If(inner(chance), inner(chance), inner(chance)),
        }
    }

    /// Whether the engine knows the form of the condition, so that flows decide it. Numbers of different values may be tried out.
    fn is_surely_known(&self) -> bool {
        match self {
            Kinds(..) => false,
            Not(a) => a.is_surely_known(),
            And(a, b) | Or(a, b) => a.is_surely_known() && b.is_surely_known(),
            If(a, b, c) => a.is_surely_known() && b.is_surely_known() && c.is_surely_known(),
            _ => true,
        }
    }

    fn holds(&self, cards: &[Card]) -> bool {
        let count = |test: &dyn Fn(Card) -> bool| cards.iter().filter(|card| test(**card)).count() as i32;
        let kinds = |key: Key| (0..A).filter(|value| cards.iter().any(|card| card.key(key) == *value)).count() as i32;
        match self {
            Count(single, compared) => compared.holds(count(&|card| single.holds(card))),
            Each(single, key, compared) => {
                let shares = |card: &Card| compared.holds(count(&|other| other.key(*key) == card.key(*key)));
                cards.iter().filter(|card| single.holds(**card)).all(shares)
            }
            Apart(key) | AsManyKinds(key) => kinds(*key) == cards.len() as i32,
            Same(key) => kinds(*key) <= 1,
            Near(least) => {
                let near = |(at, card): (usize, &Card)| {
                    cards.iter().enumerate().all(|(other_at, other)| at == other_at || card.a + other.b >= *least)
                };
                cards.iter().enumerate().all(near)
            }
            Kinds(key, compared) => compared.holds(kinds(*key)),
            Remainder(by, rest) => cards.len() as i32 % by == *rest,
            IfAny(single) => cards.is_empty() || cards.iter().any(|card| single.holds(*card)),
            SomeValue(key) => kinds(*key) <= 1,
            Sum(key, compared) => compared.holds(cards.iter().map(|card| card.key(*key)).sum()),
            More(some, others, number) => count(&|card| some.holds(card)) >= count(&|card| others.holds(card)) + number,
            Not(a) => !a.holds(cards),
            And(a, b) => a.holds(cards) && b.holds(cards),
            Or(a, b) => a.holds(cards) || b.holds(cards),
            If(a, b, c) => {
                if a.holds(cards) {
                    b.holds(cards)
                } else {
                    c.holds(cards)
                }
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Count(single, compared) => format!("count(pick where {}) {}", single.text(), compared.text()),
            Each(single, key, compared) => {
                let key = key.text();
                format!("(all (pick where {}) as x where count(pick where it.{key} == x.{key}) {})", single.text(), compared.text())
            }
            Apart(key) => format!("(all pick as c where all pick as d where c == d or c.{0} != d.{0})", key.text()),
            Same(key) => format!("(all pick as c where all pick as d where c.{0} == d.{0})", key.text()),
            Near(least) => format!("(all pick as c where all pick as d where c == d or c.a + d.b >= {least})"),
            Kinds(key, compared) => format!("count(distinct(pick, it.{})) {}", key.text(), compared.text()),
            AsManyKinds(key) => format!("count(distinct(pick, it.{})) == count(pick)", key.text()),
            Remainder(by, rest) => format!("count(pick) mod {by} == {rest}"),
            IfAny(single) => format!("(pick is empty or count(pick where {}) >= 1)", single.text()),
            SomeValue(key) => format!("(some [0, 1, 2, 3] as v where all pick as c where c.{} == v)", key.text()),
            Sum(key, compared) => format!("sum(pick, it.{}) {}", key.text(), compared.text()),
            More(some, others, number) => format!("count(pick where {}) >= count(pick where {}) + {number}", some.text(), others.text()),
            Not(a) => format!("not ({})", a.text()),
            And(a, b) => format!("({} and {})", a.text(), b.text()),
            Or(a, b) => format!("({} or {})", a.text(), b.text()),
            If(a, b, c) => format!("(if {} then {} else {})", a.text(), b.text(), c.text()),
        }
    }
}

/// How many are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    Any,
    UpTo(usize),
    Exactly(usize),
}

/// A choice.
#[derive(Clone, Debug)]
struct Choice {
    amount: Amount,
    condition: Condition,
    or_none: bool,
}

impl Choice {
    fn draw(chance: &mut Generator) -> Self {
        let number = 2 + chance.below(3) as usize;
        let amount = [Amount::Any, Amount::UpTo(number), Amount::Exactly(number)][chance.below(3) as usize];
        Choice { amount, condition: Condition::draw(chance, 2), or_none: chance.below(4) == 0 }
    }

    fn text(&self) -> String {
        let amount = match self.amount {
            Amount::Any => "any number".to_owned(),
            Amount::UpTo(number) => format!("up to {number}"),
            Amount::Exactly(number) => number.to_string(),
        };
        let or_none = if self.or_none { " or none" } else { "" };
        format!("choose pick: {amount} from field(first()) together {} by first(){or_none}", self.condition.text())
    }

    /// The legal answers: all sets of cards, compared with one another. Each set has a bit for each card.
    fn legal(&self, cards: &[Card], demands: i32) -> Vec<u32> {
        let those = |set: u32| -> Vec<Card> { (0..cards.len()).filter(|at| set >> at & 1 == 1).map(|at| cards[at]).collect() };
        let most = match self.amount {
            Amount::Any => cards.len(),
            Amount::UpTo(number) | Amount::Exactly(number) => number,
        };
        let exactly = matches!(self.amount, Amount::Exactly(_)) && !self.or_none;
        let fits = |set: &u32| set.count_ones() as usize <= most && self.condition.holds(&those(*set));
        let owed = |set: u32| those(set).iter().map(|card| card.wanted.min(demands)).sum::<i32>();
        let good: Vec<u32> = (1..1_u32 << cards.len()).filter(fits).collect();
        let rank = |set: &u32| if exactly { (set.count_ones() as i32, owed(*set)) } else { (owed(*set), 0) };
        let best = good.iter().map(rank).max();
        let mut legal: Vec<u32> = good.into_iter().filter(|set| Some(rank(set)) == best).collect();
        let nothing_is_owed = !exactly && best.is_none_or(|(owed, _)| owed == 0);
        if legal.is_empty() || self.or_none || nothing_is_owed {
            legal.push(0);
        }
        legal
    }
}

fn folder(name: &str, rules: &str, cards: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    std::fs::write(folder.join("things.cards"), cards).unwrap();
    folder
}

fn program(choices: &[Choice]) -> Arc<Program> {
    let mut rules = "gyoji 1\n\ngame joints \"組\" { players 2 }\n\ncard thing \"物\" { a : number  b : number  wanted : number }\n\n\
        zone field \"場\" { each player  public }\nzone book \"本\" { each player  public }\nability static \"常に\" { zones: set of zone = [book] }\n\
        choice pick \"選\"\nchoice rest \"休\"\nfunction first() -> player = next(next(you))\n\nturn {\n"
        .to_owned();
    for (at, choice) in choices.iter().enumerate() {
        writeln!(rules, "  phase p{at} \"{at}\" {{ {}  choose rest: 1 from [1, 2] by first() }}", choice.text()).unwrap();
    }
    rules.push_str("}\n");
    let mut cards = "gyoji 1\ncards joints\n".to_owned();
    for card in Card::all() {
        writeln!(cards, "card \"{0}\" thing \"{0}\" {{ a {1}  b {2}  wanted {3} }}", card.number(), card.a, card.b, card.wanted).unwrap();
    }
    for demand in 1..WANTED {
        let script = format!("script {{ static {{ require in pick: field(opponent(you)) where it.wanted >= {demand} }} }}");
        writeln!(cards, "card \"D{demand}\" thing \"求{demand}\" {{ a 0  b 0  wanted 0  {script} }}").unwrap();
    }
    let folder = folder("joint_conditions", &rules, &cards);
    let (game, findings) = load("joints", &Places { rules: Some(folder.clone()), cards: Some(folder), on: None }, None).unwrap();
    assert!(findings.iter().all(|finding| finding.severity != Severity::Error), "{findings:#?}");
    game.program
}

fn zone(program: &Program, name: &str) -> ZoneId {
    program.zones.iter().find(|(_, zone)| zone.name.name == name).unwrap().0
}

fn phase(program: &Program, name: &str) -> PhaseId {
    program.phases.iter().find(|(_, phase)| phase.name.name == name).unwrap().0
}

fn picked<'m>(machine: &'m Machine, name: &str) -> Option<Asked<'m>> {
    machine.questions().find(|asked| machine.program().choices.get(asked.choice).is_some_and(|choice| choice.name.name == name))
}

fn places(set: u32) -> Vec<u16> {
    (0..32).filter(|at| set >> at & 1 == 1).collect()
}

/// Asks for one choice on one board, and compares.
fn compare(machine: &mut Machine, at: usize, choice: &Choice, cards: &[Card], demands: i32) {
    let program = Arc::clone(machine.program());
    let mut position = machine.position();
    for card in cards {
        position.place(zone(&program, "field"), Player(0), CardId(card.number()), None).unwrap();
    }
    for demand in 0..demands {
        position.place(zone(&program, "book"), Player(1), CardId((A * B * WANTED + demand) as u16), None).unwrap();
    }
    position.begin(Begin::Phase(Some(phase(&program, &format!("p{at}")))));
    let told = || format!("{}\n{cards:?}, {demands} demands", choice.text());
    assert_eq!(machine.run(&mut Silent), Status::Asking, "{}", told());
    let legal = choice.legal(cards, demands);
    let Some(asked) = picked(machine, "pick") else {
        assert_eq!(legal.len(), 1, "nobody was asked: {}\n{legal:?}", told());
        return;
    };
    assert!(legal.len() > 1 || legal == [0] && asked.max == 0, "somebody was asked: {}\n{legal:?}", told());
    let joint = asked.joint.unwrap();
    assert!(joint.is_known() || !choice.condition.is_surely_known(), "no form is known of {}", told());
    for set in 0..1_u32 << cards.len() {
        assert_eq!(machine.check(asked.id, &places(set)).is_ok(), legal.contains(&set), "{:?} of {}", places(set), told());
    }
    let sizes = || legal.iter().map(|set| set.count_ones() as u16);
    assert_eq!((Some(asked.min), Some(asked.max)), (sizes().min(), sizes().max()), "the numbers of {}", told());
    let mut seed = 0;
    for lots in 0..3 {
        let mut picks = Vec::new();
        assert_eq!(Random::new(lots, at as u64).answer(&asked, &mut picks), Reply::Picks);
        assert_eq!(machine.check(asked.id, &picks), Ok(()), "{picks:?} by chance: {}", told());
        if joint.is_known() {
            let drawn = joint.draw(&mut |below| {
                seed += 1;
                (seed * 7919 + lots as u32 * 104_729) % below
            });
            assert_eq!(machine.check(asked.id, &drawn.unwrap()), Ok(()), "{picks:?} by lot: {}", told());
        }
    }
}

#[test]
fn answers_are_those_that_all_sets_show() {
    let mut chance = Generator::new(11);
    for _ in 0..3 {
        let choices: Vec<Choice> = (0..200).map(|_| Choice::draw(&mut chance)).collect();
        let mut machine = Machine::new(program(&choices));
        for (at, choice) in choices.iter().enumerate() {
            for _ in 0..6 {
                let cards: Vec<Card> = (0..chance.below(7)).map(|_| Card::draw(&mut chance)).collect();
                let demands = chance.below(3) as i32;
                compare(&mut machine, at, choice, &cards, demands);
            }
        }
    }
}

/// The attackers, and the blockers, as in `benches/growth`.
const BLOCKERS: u16 = 20;

/// A game of attackers and blockers, at the question of a phase of the fixture.
fn asked_for_blocks(machine: &mut Machine, phase: PhaseId) {
    let program = Arc::clone(machine.program());
    let mut position = machine.position();
    for player in [Player(0), Player(1)] {
        for card in 0..BLOCKERS {
            position.place(zone(&program, "field"), player, CardId(card), None).unwrap();
        }
    }
    position.begin(Begin::Phase(Some(phase)));
    assert_eq!(machine.run(&mut Silent), Status::Asking);
    let ready = picked(machine, "ready").unwrap().id;
    machine.answer(ready, &[0]).unwrap();
    assert_eq!(machine.run(&mut Silent), Status::Asking);
    assert!(picked(machine, "ready").is_none());
}

fn blocks() -> Arc<Program> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/blocks");
    let (game, findings) = load("blocks", &Places { rules: Some(rules.clone()), cards: Some(rules), on: None }, None).unwrap();
    assert_eq!(findings, []);
    game.program
}

/// Attackers and blockers: each phase of the fixture is asked, and an answer that obeys as many demands as possible is found.
#[test]
fn blocks_are_asked() {
    let program = blocks();
    let mut machine = Machine::new(Arc::clone(&program));
    for (id, phase) in program.phases.iter() {
        let name = &phase.name.name;
        asked_for_blocks(&mut machine, id);
        let asked = machine.questions().next().unwrap();
        assert_eq!(asked.joint.unwrap().is_known(), !name.starts_with("searched"), "{name}");
        let mut picks = Vec::new();
        assert_eq!(Random::new(1, 1).answer(&asked, &mut picks), Reply::Picks);
        assert_eq!(machine.check(asked.id, &picks), Ok(()), "{name}: {picks:?}");
    }
}

/// A condition that takes too much work for an answer says neither yes nor no. Other answers are decided as before, since each has limits of
/// its own.
#[test]
fn an_answer_that_takes_too_long_is_neither_legal_nor_illegal() {
    let program = blocks();
    let (searched, _) = program.phases.iter().find(|(_, phase)| phase.name.name == "searched_three").unwrap();
    let mut machine = Machine::new(Arc::clone(&program));
    asked_for_blocks(&mut machine, searched);
    let asked = machine.questions().next().unwrap();
    // Only three times the pair of the two greatest powers makes the forbidden sum. Pairs stand by their blockers.
    let greatest = BLOCKERS * BLOCKERS - 1;
    let many: Vec<u16> = (0..greatest).collect();
    for _ in 0..2 {
        assert_eq!(machine.check(asked.id, &many), Err(Refusal::NotDecided));
        assert_eq!(machine.check(asked.id, &[0, 1, 2]), Ok(()));
        assert_eq!(machine.check(asked.id, &[greatest]), Err(Refusal::NotTogether));
    }
    let id = asked.id;
    assert_eq!(machine.answer(id, &many), Err(Refusal::NotDecided));
    assert_eq!(machine.answer(id, &[0, 1, 2]), Ok(()));
}
