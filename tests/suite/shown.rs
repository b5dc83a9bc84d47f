//! Choices among shown and hidden cards: the answers that the game allows, compared with all sets of cards.
//!
//! A player who chooses by a condition may claim that hidden cards do not fit, but not that shown ones do not. So an answer is legal if the
//! player can make it by such a claim: among the shown cards and the chosen ones there is no greater set that fits.
//!
//! The test asks every sort of choice on every small board.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use gyoji::diagnostic::Severity;
use gyoji::engine::ids::{CardId, PhaseId, ZoneId};
use gyoji::engine::machine::{Machine, Refusal};
use gyoji::engine::program::Program;
use gyoji::engine::state::Status;
use gyoji::engine::state::position::Begin;
use gyoji::engine::steps::Silent;
use gyoji::engine::value::{Player, Value};
use gyoji::players::{Answers, Random, Reply};
use gyoji::project::{Places, load};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// A card: whether it fits, whether it is shown, and a value for conditions on the whole answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Card {
    fits: bool,
    shown: bool,
    kin: u16,
}

const CARDS: u16 = 8;

impl Card {
    fn of(number: u16) -> Self {
        Card { fits: number & 1 == 1, shown: number & 2 == 2, kin: number >> 2 }
    }
}

/// How many are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    Exactly(usize),
    UpTo(usize),
    Any,
    /// Nothing is chosen if there are fewer.
    AllOrNothing(usize),
    /// One after the other.
    OneByOne(usize),
    /// As a price.
    Price(usize),
}

/// A condition on the whole answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Together {
    Nothing,
    /// Different values, known to the engine as counts.
    Apart,
    /// A condition that the engine has to search.
    Searched,
}

impl Together {
    fn text(self) -> &'static str {
        match self {
            Together::Nothing => "",
            Together::Apart => " together (count(distinct(pick, it.kin)) == count(pick))",
            // The least value occurs once.
            Together::Searched => " together (count(pick) == 0 or count(pick where it.kin == least(pick, it.kin)) <= 1)",
        }
    }

    fn holds(self, those: &[Card]) -> bool {
        let least = those.iter().map(|card| card.kin).min();
        match self {
            Together::Nothing => true,
            Together::Apart => (0..2).all(|kin| those.iter().filter(|card| card.kin == kin).count() <= 1),
            Together::Searched => those.iter().filter(|card| Some(card.kin) == least).count() <= 1,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    amount: Amount,
    together: Together,
    zone: &'static str,
    /// Whose zone it is.
    theirs: bool,
}

fn choices() -> Vec<Choice> {
    let mut all = Vec::new();
    let single = [1, 2, 3].into_iter().flat_map(|n| [Amount::Exactly(n), Amount::UpTo(n), Amount::AllOrNothing(n), Amount::OneByOne(n)]);
    for amount in single.chain([Amount::Any]) {
        for (zone, theirs) in [("hand", false), ("hand", true), ("deck", false), ("deck", true)] {
            all.push(Choice { amount, together: Together::Nothing, zone, theirs });
        }
    }
    all.extend([1, 2, 3].map(|n| Choice { amount: Amount::Price(n), together: Together::Nothing, zone: "hand", theirs: false }));
    for together in [Together::Apart, Together::Searched] {
        for amount in [1, 2, 3].into_iter().flat_map(|n| [Amount::Exactly(n), Amount::UpTo(n)]).chain([Amount::Any]) {
            all.push(Choice { amount, together, zone: "hand", theirs: false });
        }
    }
    all
}

impl Choice {
    fn phase(&self, at: usize) -> String {
        let place = format!("{}({})", self.zone, if self.theirs { "opponent(you)" } else { "you" });
        let from = format!("from {place} where it.fits == 1");
        let together = self.together.text();
        let asks = match self.amount {
            Amount::Exactly(n) => format!("choose pick: {n} {from}{together} by you"),
            Amount::UpTo(n) => format!("choose pick: up to {n} {from}{together} by you"),
            Amount::Any => format!("choose pick: any number {from}{together} by you"),
            Amount::AllOrNothing(n) => format!("choose every: {n} {from} by you"),
            Amount::OneByOne(n) => {
                format!("repeat {n} {{ choose pick: 1 {from} and not (it is marked) by you  for c in pick {{ c.marked = true }} }}")
            }
            Amount::Price(n) => format!(
                "for c in field(you) {{ for a in abilities(c) where it is price{n} {{ let w = announce(a, by: you)  fix(w.cost)  pay(w.cost) }} }}"
            ),
        };
        format!("  phase p{at} \"{at}\" {{ reveal({place} where it.shown == 1)  {asks}  choose rest: 1 from [1, 2] by you }}\n")
    }

    /// Whether the player may claim that hidden cards do not fit.
    fn may_deny(&self, known: &str) -> bool {
        match (self.zone, known) {
            (_, "may_fail_anywhere") | ("deck", _) => true,
            (_, "may_fail") => !self.theirs,
            _ => false,
        }
    }

    fn number(&self) -> usize {
        match self.amount {
            Amount::Any => usize::MAX,
            Amount::Exactly(n) | Amount::UpTo(n) | Amount::AllOrNothing(n) | Amount::OneByOne(n) | Amount::Price(n) => n,
        }
    }

    /// The legal answers: sets with a bit for each card.
    fn legal(&self, domain: &[Card], known: &str) -> BTreeSet<u32> {
        let sets = 0..1_u32 << domain.len();
        let those = |set: u32| -> Vec<Card> { (0..domain.len()).filter(|at| set >> at & 1 == 1).map(|at| domain[at]).collect() };
        let fits = |set: &u32| set.count_ones() as usize <= self.number() && self.together.holds(&those(*set));
        let shown: u32 = (0..domain.len()).filter(|at| domain[*at].shown || !self.may_deny(known)).map(|at| 1 << at).sum();
        let greatest = |among: u32| sets.clone().filter(|set| set & !among == 0).filter(fits).map(u32::count_ones).max().unwrap_or(0);
        let is_legal = |set: &u32| match self.amount {
            Amount::UpTo(_) | Amount::Any => true,
            Amount::Exactly(_) | Amount::OneByOne(_) => set.count_ones() == greatest(shown | set),
            Amount::AllOrNothing(n) => set.count_ones() as usize == n || *set == 0 && (greatest(shown) as usize) < n,
            // A price that cannot be paid is chosen like other cards, and the payment fails.
            Amount::Price(n) if domain.len() < n => set.count_ones() == greatest(shown | set),
            Amount::Price(n) => set.count_ones() as usize == n || *set == 0 && (greatest(shown) as usize) < n,
        };
        sets.clone().filter(fits).filter(is_legal).collect()
    }
}

fn program(known: &str, choices: &[Choice]) -> Arc<Program> {
    let mut rules = format!(
        "gyoji 1\n\ngame shown \"見\" {{ players 2 }}\n\ncard thing \"物\" {{ fits : number  shown : number  kin : number }}\n\n\
         zone hand \"手\" {{ each player  hidden except to owner }}\nzone deck \"山\" {{ each player  ordered  hidden }}\n\
         zone field \"場\" {{ each player  public }}\nzone gone \"墓\" {{ each player  public }}\n\
         state marked \"印\" : bool on card\npolicy choices {{ known = {known} }}\n\
         ability price1 \"一\" {{ cost: cost = [] }}\nability price2 \"二\" {{ cost: cost = [] }}\nability price3 \"三\" {{ cost: cost = [] }}\n\
         action discard(cards: set of card) \"捨\" {{ for c in cards {{ move(c, gone(c.owner)) }} }}\n\
         choice pick \"選\"\nchoice rest \"休\"\nchoice every \"揃\" {{ too_few = nothing }}\n\nturn {{\n"
    );
    choices.iter().enumerate().for_each(|(at, choice)| rules.push_str(&choice.phase(at)));
    rules.push_str("}\n");
    let mut cards = "gyoji 1\ncards shown\n".to_owned();
    for number in 0..CARDS {
        let Card { fits, shown, kin } = Card::of(number);
        let (fits, shown) = (u8::from(fits), u8::from(shown));
        writeln!(cards, "card \"{number}\" thing \"{number}\" {{ fits {fits}  shown {shown}  kin {kin} }}").unwrap();
    }
    let price = |n| format!("price{n}(cost: [discard({n} from hand(you) where it.fits == 1)]) {{ }}");
    writeln!(cards, "card \"P\" thing \"値\" {{ fits 0  shown 0  kin 0  script {{ {} {} {} }} }}", price(1), price(2), price(3)).unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("shown_{known}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    std::fs::write(folder.join("things.cards"), cards).unwrap();
    let (game, findings) = load("shown", &Places { rules: Some(folder.clone()), cards: Some(folder), on: None }, None).unwrap();
    assert!(findings.iter().all(|finding| finding.severity != Severity::Error), "{findings:#?}");
    game.program
}

fn zone(program: &Program, name: &str) -> ZoneId {
    program.zones.iter().find(|(_, zone)| zone.name.name == name).unwrap().0
}

fn phase(program: &Program, name: &str) -> PhaseId {
    program.phases.iter().find(|(_, phase)| phase.name.name == name).unwrap().0
}

/// Whether the open question is the one of the test.
fn is_picking(machine: &Machine) -> bool {
    let asked = machine.questions().next().unwrap();
    machine.program().choices.get(asked.choice).is_some_and(|choice| choice.name.name != "rest")
}

fn places(set: u32) -> Vec<u16> {
    (0..32).filter(|at| set >> at & 1 == 1).collect()
}

/// The cards of a set of positions in the domain of the open question.
fn cards_at(machine: &Machine, positions: &[u16]) -> Vec<Card> {
    let asked = machine.questions().next().unwrap();
    let card = |at: &u16| match asked.domain[usize::from(*at)] {
        Value::Object { id, .. } => Card::of(machine.state().board.object(id).unwrap().card.0),
        other => panic!("{other:?}"),
    };
    positions.iter().map(card).collect()
}

/// The cards that have been marked.
fn marked(machine: &Machine) -> Vec<Card> {
    let (states, board) = (&machine.program().states, &machine.state().board);
    let marked = states.iter().position(|(_, state)| state.name.name == "marked").unwrap();
    let is_marked = |at: &usize| board.card_states.row(at * states.len(), states.len()).unwrap()[marked] == Value::Bool(true);
    (0..board.objects.len()).filter(is_marked).map(|at| Card::of(board.objects.get(at).unwrap().card.0)).collect()
}

/// All sets of cards that can be chosen one after the other.
fn one_by_one(machine: &Machine, found: &mut BTreeSet<Vec<(bool, u16)>>) {
    if !is_picking(machine) {
        found.insert(sorted(&marked(machine)));
        return;
    }
    let asked = machine.questions().next().unwrap();
    for set in 0..1_u32 << asked.domain.len() {
        if machine.check(asked.id, &places(set)).is_ok() {
            let mut next = machine.clone();
            next.answer(asked.id, &places(set)).unwrap();
            assert_eq!(next.run(&mut Silent), Status::Asking);
            one_by_one(&next, found);
        }
    }
}

/// Cards as a sorted list, for comparisons.
fn sorted(cards: &[Card]) -> Vec<(bool, u16)> {
    let mut sorted: Vec<(bool, u16)> = cards.iter().map(|card| (card.shown, card.kin)).collect();
    sorted.sort_unstable();
    sorted
}

fn compare(machine: &mut Machine, (at, choice): (usize, Choice), cards: &[u16], known: &str) {
    let program = Arc::clone(machine.program());
    let mut position = machine.position();
    let owner = Player(u8::from(choice.theirs));
    for card in cards {
        position.place(zone(&program, choice.zone), owner, CardId(*card), None).unwrap();
    }
    if let Amount::Price(_) = choice.amount {
        position.place(zone(&program, "field"), Player(0), CardId(CARDS), None).unwrap();
    }
    position.begin(Begin::Phase(Some(phase(&program, &format!("p{at}")))));
    assert_eq!(machine.run(&mut Silent), Status::Asking);
    let domain: Vec<Card> = cards.iter().map(|card| Card::of(*card)).filter(|card| card.fits).collect();
    let told = || format!("{choice:?} {known}\n{domain:?}");
    let legal = choice.legal(&domain, known);
    let meant = |set: u32| sorted(&places(set).iter().map(|at| domain[usize::from(*at)]).collect::<Vec<_>>());
    let expected: BTreeSet<Vec<(bool, u16)>> = legal.iter().map(|set| meant(*set)).collect();
    if let Amount::OneByOne(_) = choice.amount {
        let mut found = BTreeSet::new();
        one_by_one(machine, &mut found);
        assert_eq!(found, expected, "{}", told());
        return;
    }
    if !is_picking(machine) {
        assert!(legal.len() == 1, "nobody was asked: {legal:?} {}", told());
        return;
    }
    let asked = machine.questions().next().unwrap();
    if let (Amount::AllOrNothing(n), []) = (choice.amount, asked.domain) {
        // The player is asked, so that the others do not learn that there are too few.
        return assert!(domain.len() < n, "{}", told());
    }
    assert_eq!(asked.domain.len(), domain.len(), "{}", told());
    for set in 0..1_u32 << domain.len() {
        let given = cards_at(machine, &places(set));
        let answer = machine.check(asked.id, &places(set));
        assert_eq!(answer.is_ok(), expected.contains(&sorted(&given)), "{given:?} {answer:?}: {}", told());
        if let Err(Refusal::LeavesOut { position, member, .. }) = answer {
            assert!(cards_at(machine, &[position])[0].shown && set >> position & 1 == 0, "{given:?}: {}", told());
            assert_eq!(asked.domain[usize::from(position)], member);
        }
    }
    // A player who draws gives legal answers, and each of those that are offered.
    let mut drawn = BTreeSet::new();
    let takes_back = matches!(choice.amount, Amount::Price(n) if domain.len() >= n);
    let offered: BTreeSet<_> = legal.iter().filter(|set| !(takes_back && **set == 0)).map(|set| meant(*set)).collect();
    for lot in 0..40 * (1 + legal.len() as u64) {
        let mut picks = Vec::new();
        assert_eq!(Random::new(lot, at as u64).answer(&asked, &mut picks), Reply::Picks);
        assert_eq!(machine.check(asked.id, &picks), Ok(()), "{picks:?} by chance: {}", told());
        drawn.insert(sorted(&cards_at(machine, &picks)));
        if drawn == offered {
            break;
        }
    }
    assert_eq!(drawn, offered, "{}", told());
}

/// The boards of cards with one value, or with two: some cards of each sort that fits, and one that does not, shown or hidden.
fn boards(kins: u16) -> Vec<Vec<u16>> {
    let most = |card: Card| match (card.fits, card.kin) {
        (true, 0) => 4 - usize::from(kins),
        (true, 1) => usize::from(kins) - 1,
        (_, kin) => usize::from(kin == 0),
    };
    let with = |board: &Vec<u16>, number: u16, many: usize| [board.clone(), vec![number; many]].concat();
    (0..CARDS).fold(vec![Vec::new()], |boards, number| {
        boards.iter().flat_map(|board| (0..=most(Card::of(number))).map(|many| with(board, number, many)).collect::<Vec<_>>()).collect()
    })
}

#[test]
fn a_shown_card_is_left_out_only_of_a_full_answer() {
    for known in ["may_fail", "surely_found", "may_fail_anywhere"] {
        let choices = choices();
        let mut machine = Machine::new(program(known, &choices));
        for (at, choice) in choices.iter().enumerate() {
            for cards in boards(if choice.together == Together::Nothing { 1 } else { 2 }) {
                compare(&mut machine, (at, *choice), &cards, known);
            }
        }
    }
}
