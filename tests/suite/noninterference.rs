//! Nothing leaks. Two games that differ only in things that a seat may not know give this seat the same views,
//! questions, reasons and lines, byte for byte, until a rule shows the difference (docs/kernel/information.md, "Who knows what").
//!
//! The test plays random games of every built-in game, and of every page of `tests/kernel` from
//! cards laid anywhere. At every decision it makes pairs of twins for each seat:
//! - two games in which the cards that the seat does not know are dealt anew, both with the answers of the real game;
//! - the game with other answers: another seat picks other cards of which this seat does not know which they are.
//!
//! From the moment when the rules may show the difference, nothing is compared: when a card that differs comes into sight,
//! or when another seat decides something that may depend on its cards.
//!
//! `GYOJI_TWIN_GAMES=1000 cargo test --release --test suite -- noninterference` plays a thousand games of each;
//! with `GYOJI_TWIN_OF=kaiun` only of this built-in game, with `GYOJI_TWIN_GAME=25` only the game of this number, which a leak names.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use super::pages::{begun, pages, suite};
use super::promises::TABLES;
use gyoji::diagnostic::Language;
use gyoji::engine::ids::CardId;
use gyoji::engine::machine::{Asked, Machine, QuestionId};
use gyoji::engine::program::Seen;
use gyoji::engine::random::{Generator, seed_of_game};
use gyoji::engine::state::Status;
use gyoji::engine::state::board::zone_of;
use gyoji::engine::steps::{Observer, Silent, Step, Traced, View};
use gyoji::engine::value::{ObjectId, Player, Value};
use gyoji::engine::visibility::view::{AskedView, EffectView, PlayerView, Seeing, WaitingView};
use gyoji::engine::why::as_seen;
use gyoji::players::{Answers, Random};
use gyoji::project::{Places, Project, embedded_games, load};
use gyoji::tell::{Detail, Tracer, Words};
use rayon::prelude::*;
use std::ops::AddAssign;
use std::sync::Arc;

const SEED: u64 = 23;
const GAMES: u64 = 2;
/// The number of games for pages on which a rule shows something. Some of it comes up seldom.
const GAMES_UNTIL_NOTICED: u64 = 300;
/// The games of a page do not end by themselves.
const MOST_DECISIONS_OF_A_PAGE: usize = 24;
/// Without `GYOJI_TWIN_GAMES`, a built-in game is played only up to this decision. A whole game has hundreds of decisions.
const MOST_DECISIONS: usize = 120;

/// Pages with a rule whose visible action depends on a hidden card. In this way the rule itself shows something of the card.
const SHOWN_BY_RULES: [(&str, &str); 6] = [
    ("again", "the cost of a card is paid before the card is seen"),
    ("declared", "`refuse_me` burns a card where the top card of the deck costs 1"),
    ("printed_types", "abilities of cards in hand are performed"),
    ("offers", "`stumble` pays where the top card of the deck costs 1"),
    ("tidying", "`asks` counts the power of a card that stays in the hand"),
    ("usable", "phase `waiting` pays 1000 points for each ability of a card that is chosen from a hand"),
];

fn wanted() -> Option<u64> {
    std::env::var("GYOJI_TWIN_GAMES").ok().and_then(|number| number.parse().ok())
}

/// A way in which a seat is told something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Zones,
    States,
    Phase,
    Effects,
    Waiting,
    Question,
    Options,
    Numbers,
    Lines,
    Objects,
    Reasons,
}

const CHANNELS: [Channel; 11] = [
    Channel::Zones,
    Channel::States,
    Channel::Phase,
    Channel::Effects,
    Channel::Waiting,
    Channel::Question,
    Channel::Options,
    Channel::Numbers,
    Channel::Lines,
    Channel::Objects,
    Channel::Reasons,
];

thread_local! {
    /// The channel into which this thread's comparisons put a leak.
    static PLANTED: std::cell::Cell<Option<Channel>> = const { std::cell::Cell::new(None) };
}

fn is_planted(channel: Channel) -> bool {
    PLANTED.get() == Some(channel)
}

/// The number of a card that the seat may not know. This is what a planted leak gives away.
fn secret(program: &gyoji::engine::program::Program, state: &gyoji::engine::state::State, seat: Player) -> u16 {
    let ids = (0..).map(ObjectId).zip(&state.board.objects);
    ids.filter(|(id, _)| !state.board.knows(program, seat, *id)).map(|(_, object)| object.card.0).next().unwrap_or(0)
}

/// The view of a seat. With a planted leak, one of its parts gives a hidden card away.
fn view_of(machine: &Machine, seat: Player) -> PlayerView {
    let mut view = machine.view(seat);
    let Some(channel) = PLANTED.get() else { return view };
    let secret = secret(machine.program(), machine.state(), seat);
    let asked = |choice: String, among, numbers| AskedView { player: seat.0, choice, answered: false, among, numbers };
    match channel {
        Channel::Zones => {
            view.zones.iter_mut().flat_map(|zone| &mut zone.cards).take(1).for_each(|card| card.card = Some(secret.to_string()))
        }
        Channel::States => _ = view.players[0].insert(format!("state {secret}"), Seeing::Nothing),
        Channel::Phase => view.phase = Some(format!("phase {secret}")),
        Channel::Effects => view.effects.push(EffectView { clause: secret, source: Seeing::Nothing, you: 0, targets: None }),
        Channel::Waiting => view.waiting.push(WaitingView { source: Seeing::Nothing, you: secret as u8 }),
        Channel::Question => view.asked.push(asked(format!("choice {secret}"), None, None)),
        Channel::Options => view.asked.push(asked("choice".to_owned(), Some((Vec::new(), 0, secret)), None)),
        Channel::Numbers => view.asked.push(asked("choice".to_owned(), None, Some((0, Some(i32::from(secret)))))),
        Channel::Lines | Channel::Objects | Channel::Reasons => {}
    }
    view
}

/// Collects everything that a seat is told, until the rules may show a difference from the twin.
struct Ear {
    lines: Tracer,
    objects: Tracer,
    told: Vec<String>,
    seat: Player,
    /// The cards of the twin.
    twin: Vec<CardId>,
    /// The cards between which the two answers differ. The seat may not know which of them is meant.
    meant: Vec<ObjectId>,
    /// How many more answers of other seats the test gives. They are the same in the twin.
    given: usize,
    /// `answered`: another seat has answered, and its action has not begun. `began`: the depth of this action; it has begun, and nothing is done yet.
    answered: bool,
    began: Option<u16>,
    /// The depth of the action that another seat takes with its answer.
    acts: Option<u16>,
    /// The depth of the first step after the answer.
    from: Option<u16>,
    /// Whether another seat has picked cards that this seat does not know, as an answer to a choice.
    picks_unknown: bool,
    /// When the action of another seat first was not possible with these cards: the number of lines that had been told.
    came_to_nothing: Option<usize>,
    shown: bool,
}

impl Ear {
    fn new(seat: Player, twin: &Machine, meant: &[ObjectId], given: usize) -> Self {
        let tracer = |detail| Tracer::new(Words::new(Language::English), detail, Some(seat));
        Self {
            lines: tracer(Detail::Table),
            objects: tracer(Detail::All),
            told: Vec::new(),
            seat,
            twin: twin.state().board.objects.iter().map(|object| object.card).collect(),
            meant: meant.to_vec(),
            given,
            answered: false,
            began: None,
            acts: None,
            from: None,
            picks_unknown: false,
            came_to_nothing: None,
            shown: false,
        }
    }

    fn sees_difference(&self, view: &View<'_>) -> bool {
        let sees = |id: ObjectId| view.state.board.sees(view.program, self.seat, id);
        let cards = view.state.board.objects.iter().map(|object| object.card);
        let differing = (0..).zip(cards.zip(&self.twin)).filter(|(_, (card, twin))| card != *twin).map(|(id, _)| ObjectId(id));
        differing.chain(self.meant.iter().copied()).any(sees)
    }
}

impl Observer for Ear {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, step: &Traced) {
        let mut in_vain = !step.step.is_aside() && self.began.take().is_some_and(|depth| step.depth <= depth);
        if matches!(step.step, Step::Began(..)) && std::mem::take(&mut self.answered) {
            (self.began, self.acts) = (Some(step.depth), Some(step.depth));
        }
        if !step.step.is_aside() {
            self.from.get_or_insert(step.depth);
        }
        // The answer's attempt fails with these cards (they cannot pay its price, for example), and is taken back.
        let attempt = self.acts.map(|depth| depth + 1).or(self.from);
        in_vain |= matches!(step.step, Step::AttemptFails) && attempt.is_some_and(|depth| step.depth <= depth);
        // The picked card of this twin need not fit the question, because the question was asked before the cards were dealt anew.
        let refused = matches!(step.step, Step::NotAttempted | Step::NotPerformed(..) | Step::Unmatched(..) | Step::Short { .. });
        in_vain |= self.picks_unknown && refused;
        if in_vain {
            self.came_to_nothing.get_or_insert(self.told.len());
        }
        let others =
            |forced_too: bool| matches!(step.step, Step::Decides { player, forced, .. } if player != self.seat && (forced_too || !forced));
        self.answered |= self.given > 0 && others(false);
        if self.shown {
            return;
        }
        if others(true) {
            // If another seat decides something by itself, the decision may depend on its cards. This is true even if it has nothing to decide:
            // then the decision is none of those that the test has answered.
            self.shown = self.given == 0 || !others(false);
            self.given = self.given.saturating_sub(usize::from(others(false)));
        }
        self.shown |= self.sees_difference(view);
        if !self.shown {
            self.told.extend(self.lines.line(view, step));
            self.told.extend(self.objects.object(view, step).map(|object| object.to_string()));
            for (channel, word) in [(Channel::Lines, "line"), (Channel::Objects, "object")] {
                let leak = || format!("{word} {}", secret(view.program, view.state, self.seat));
                self.told.extend(is_planted(channel).then(leak));
            }
        }
    }

    fn state_set(&mut self, view: &View<'_>, step: &Traced) {
        self.lines.state_set(view, step);
        self.objects.state_set(view, step);
    }
}

/// An answer: the question, the player, the picks.
type Given = (QuestionId, Player, Vec<u16>);

/// Gives these answers and runs until the next question. Returns what the seat was told, and the machine.
fn told(machine: &Machine, ear: Ear, answers: &[Given]) -> Option<(Ear, Machine)> {
    let (mut machine, mut ear) = (machine.clone(), ear);
    for (question, _, picks) in answers {
        machine.answer(*question, picks).ok()?;
    }
    machine.run(&mut ear);
    Some((ear, machine))
}

/// The results of comparing.
#[derive(Clone, Debug, Default)]
struct Compared {
    /// The differences in what a seat was told.
    leaks: Vec<String>,
    views: usize,
    /// The number of reasons that were compared.
    reasons: usize,
    /// The number of runs with other cards, and with other answers.
    runs: [usize; 2],
    /// The number of these runs that were compared to their end.
    whole: usize,
    lines: usize,
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.leaks.extend(other.leaks);
        self.views += other.views;
        self.reasons += other.reasons;
        self.runs = [self.runs[0] + other.runs[0], self.runs[1] + other.runs[1]];
        self.whole += other.whole;
        self.lines += other.lines;
    }
}

/// Everything that a seat may know, as text.
fn bytes(machine: &Machine, seat: Player) -> String {
    serde_json::to_string(&view_of(machine, seat)).unwrap()
}

/// A machine that has listed the ways to act, as a person at the prompt sees them.
fn listed(machine: &Machine) -> Machine {
    let mut listed = machine.clone();
    let offers: Vec<QuestionId> = machine.questions().filter(|asked| asked.offer && !asked.answered).map(|asked| asked.id).collect();
    offers.into_iter().for_each(|offer| listed.list(offer).unwrap());
    listed
}

/// Why a seat cannot act in other ways now, and why its own questions refuse an answer without members.
fn reasons(machine: &Machine, seat: Player) -> Vec<String> {
    let mut told = Vec::new();
    for asked in machine.questions().filter(|asked| asked.player == seat && !asked.answered) {
        told.push(format!("{:?}", machine.check(asked.id, &[])));
        told.extend(
            as_seen(machine, seat).not_offered(asked.id).iter().map(|way| format!("{:?} {:?} {:?}", way.play, way.lists, way.answer.lines)),
        );
        let leak = || format!("reason {}", secret(machine.program(), machine.state(), seat));
        told.extend(is_planted(Channel::Reasons).then(leak));
    }
    told
}

/// Compares what a seat is told in two runs.
fn hold(what: &str, seat: Player, one: (Ear, Machine), other: (Ear, Machine)) -> Compared {
    let ((first, one), (second, other)) = (one, other);
    let whole = !first.shown && !second.shown;
    let both = first.told.len().min(second.told.len());
    let mut compared = Compared { whole: usize::from(whole), lines: both, ..Compared::default() };
    let mut leak = |one: &str, other: &str| compared.leaks.push(format!("{what}: seat {}:\n  {one}\n  {other}", seat.0));
    // A run that stands still at a question of which the seat sees nothing tells later what the other run tells now.
    let behind = if first.told.len() < second.told.len() { &one } else { &other };
    let waits = behind.questions().next().is_some() && behind.view(seat).asked.is_empty();
    // The line, and the lines that were told just before it.
    let until = |told: &[String], at: usize| told.get(at.saturating_sub(4)..told.len().min(at + 1)).unwrap_or(&[]).join("\n  ");
    if let Some(at) = first.told.iter().zip(&second.told).position(|(line, twin)| line != twin) {
        leak(&until(&first.told, at), &until(&second.told, at));
    } else if whole && first.told.len() != second.told.len() {
        if waits {
            return compared;
        }
        leak(&until(&first.told, both), &until(&second.told, both));
    } else if whole && bytes(&one, seat) != bytes(&other, seat) {
        leak(&bytes(&one, seat), &bytes(&other, seat));
    }
    compared
}

/// The cards among the members. `None` if the seat knows one of them, or if a member is no card, or if the order of its zone means something.
fn unknown_cards(machine: &Machine, seat: Player, members: &[Value]) -> Option<Vec<ObjectId>> {
    let (program, board) = (machine.program(), &machine.state().board);
    let unknown = |member: &Value| {
        let Value::Object { id, .. } = *member else { return None };
        let place = board.object(id)?.place;
        let zone = program.zones.get(zone_of(program, place).0)?;
        // If face-down cards lie openly, everybody sees which of them is taken.
        (!zone.ordered && zone.seen != Seen::ByAll && !board.knows(program, seat, id)).then_some(id)
    };
    members.iter().map(unknown).collect()
}

/// Everything that a player sees of a card without seeing its face.
fn lies(machine: &Machine, id: ObjectId) -> (Option<bool>, Vec<Value>) {
    let (board, states) = (&machine.state().board, machine.program().states.len());
    let first = usize::from(id.0) * states;
    (board.object(id).map(|object| object.face_up), board.card_states.row(first, states).unwrap_or(&[]).to_vec())
}

/// Other answers of other seats, for questions in which this seat knows none of the cards. Each picked card is replaced by the
/// next copy of the same card that lies in the same way. (With another card, a rule might do something else that all see.)
fn other_answer(machine: &Machine, seat: Player, answers: &[Given]) -> Option<(Vec<Given>, Vec<ObjectId>)> {
    let mut meant = Vec::new();
    let mut changed = answers.to_vec();
    for (question, player, picks) in &mut changed {
        let asked = machine.questions().find(|asked| asked.id == *question)?;
        if *player == seat || picks.is_empty() || picks.len() == asked.domain.len() || asked.joint.is_some() || asked.must > 0 {
            continue;
        }
        let Some(cards) = unknown_cards(machine, seat, asked.domain) else { continue };
        let card = |at: u16| cards.get(usize::from(at)).and_then(|id| machine.state().board.object(*id)).map(|object| object.card);
        let mut turned = picks.clone();
        for at in 0..turned.len() {
            let way = |at: u16| cards.get(usize::from(at)).map(|id| lies(machine, *id));
            let alike = |other: u16| card(other) == card(turned[at]) && way(other) == way(turned[at]);
            let copies = (0..cards.len() as u16).filter(|other| !turned.contains(other) && alike(*other));
            turned[at] = copies.max_by_key(|other| other.wrapping_sub(turned[at])).unwrap_or(turned[at]);
        }
        if turned != *picks && machine.check(*question, &turned).is_ok() {
            meant.extend(picks.iter().chain(&turned).filter_map(|pick| cards.get(usize::from(*pick))));
            *picks = turned;
        }
    }
    (!meant.is_empty()).then_some((changed, meant))
}

/// Whether other seats use cards that this seat does not know: as arguments of an action (`offers`), or as answers to choices.
fn uses_unknown(machine: &Machine, seat: Player, answers: &[Given], offers: bool) -> bool {
    let unknown = |value: &Value| matches!(*value, Value::Object { id, .. } if !machine.state().board.knows(machine.program(), seat, id));
    machine.questions().filter(|asked| asked.offer == offers && asked.player != seat).any(|asked| {
        let picks = answers.iter().filter(|(id, ..)| *id == asked.id).flat_map(|(_, _, picks)| picks);
        picks.filter_map(|pick| asked.domain.get(usize::from(*pick))).any(|way| match *way {
            Value::Play { count, start, .. } => asked.lists[start as usize..start as usize + usize::from(count)].iter().any(unknown),
            member => unknown(&member),
        })
    })
}

/// Whether the answers of other seats mean the same to this seat in both machines: the same ways to act and the same cards, or cards that
/// it does not know. The members of a question may depend on hidden cards; then the same position among the answers is another answer.
fn mean_the_same(seat: Player, machines: [&Machine; 2], answers: &[Given]) -> bool {
    let meant = |machine: &Machine, question: QuestionId, pick: u16| {
        let asked = machine.questions().find(|asked| asked.id == question)?;
        let as_known = |member: Value| match member {
            Value::Object { id, .. } if !machine.state().board.knows(machine.program(), seat, id) => Value::Undefined,
            member => member,
        };
        Some(match *asked.domain.get(usize::from(pick))? {
            Value::Play { count, option, start } => {
                let given = asked.lists.iter().skip(start as usize).take(usize::from(count));
                (Some(option), given.map(|member| as_known(*member)).collect::<Vec<_>>())
            }
            member => (None, vec![as_known(member)]),
        })
    };
    let others = answers.iter().filter(|(_, player, _)| *player != seat);
    others.flat_map(|(question, _, picks)| picks.iter().map(|pick| (*question, *pick))).all(|(question, pick)| {
        let [one, other] = machines.map(|machine| meant(machine, question, pick));
        one == other
    })
}

/// Compares the twins of every seat at one decision.
fn look(what: &str, machine: &Machine, answers: &[Given], seed: u64) -> Compared {
    let mut compared = Compared::default();
    let listed = listed(machine);
    for seat in (0..machine.program().players).map(Player) {
        let given = answers.iter().filter(|(_, player, _)| *player != seat).count();
        let one = machine.dealt_anew(seat, seed);
        // The second twin is dealt from the first one with the same seed.
        let other = one.dealt_anew(seat, seed);
        for twin in [&one, &other] {
            let (sees, saw) = (bytes(twin, seat), bytes(machine, seat));
            if sees != saw {
                // No rule shows a card by dealing it anew, so no page is excused from this.
                compared.leaks.push(format!("view: {what}: what seat {} sees hangs on hidden cards:\n  {sees}\n  {saw}", seat.0));
            }
        }
        compared.views += 2;
        // The ways to act stay as they are when the cards are dealt anew.
        let dealt = listed.dealt_anew(seat, seed);
        // What reasons are looked for in holds nothing of the hidden cards.
        if as_seen(&listed, seat).state().board != as_seen(&dealt, seat).state().board {
            compared.leaks.push(format!("{what}: the board on which reasons are looked for hangs on cards hidden from seat {}", seat.0));
        }
        let (reason, twins_reason) = (reasons(&listed, seat), reasons(&dealt, seat));
        if let Some((one, other)) = reason.iter().zip(&twins_reason).find(|(one, other)| one != other) {
            compared.leaks.push(format!("{what}: the reasons that seat {} is told hang on hidden cards:\n  {one}\n  {other}", seat.0));
        }
        assert_eq!(reason.len(), twins_reason.len(), "{what}");
        compared.reasons += reason.len();
        let picks_unknown = uses_unknown(machine, seat, answers, false);
        let ear = |twin| Ear { picks_unknown, ..Ear::new(seat, twin, &[], given) };
        let first = told(&one, ear(&other), answers);
        let second = told(&other, ear(&one), answers);
        if let (Some(mut first), Some(mut second)) = (first, second)
            // An action with an unknown card may be possible only because of the card.
            && !uses_unknown(machine, seat, answers, true)
            && mean_the_same(seat, [&one, &other], answers)
            // The offers stay as they were when the cards are dealt anew. Whether an offered action succeeds may depend on the new cards.
            // If it fails in both runs, it may fail at different steps: the one run takes it back where the other goes on.
            && (picks_unknown || first.0.came_to_nothing == second.0.came_to_nothing)
        {
            if picks_unknown && let Some(end) = first.0.came_to_nothing.into_iter().chain(second.0.came_to_nothing).min() {
                for ear in [&mut first.0, &mut second.0] {
                    ear.told.truncate(end);
                    ear.shown = true;
                }
            }
            compared += hold(what, seat, first, second);
            compared.runs[0] += 1;
        }
        if let Some((changed, meant)) = other_answer(machine, seat, answers) {
            let first = told(machine, Ear::new(seat, machine, &meant, given), answers);
            let second = told(machine, Ear::new(seat, machine, &meant, given), &changed);
            if let (Some(first), Some(second)) = (first, second) {
                compared += hold(&format!("{what}, another answer"), seat, first, second);
                compared.runs[1] += 1;
            }
        }
    }
    compared
}

/// Adds the results of several games.
fn sum(of: impl IntoIterator<Item = Compared>) -> Compared {
    let mut all = Compared::default();
    of.into_iter().for_each(|one| all += one);
    all
}

/// Plays on at random and compares the twins at every decision.
fn play(what: &str, machine: &mut Machine, seed: u64, most: usize) -> Compared {
    let (mut random, mut chance) = (Random::new(SEED, seed), Generator::new(seed));
    let mut compared = Compared::default();
    for decision in 0..most {
        if machine.run(&mut Silent) != Status::Asking {
            break;
        }
        let mut answer = |asked: &Asked<'_>| {
            let mut picks = Vec::new();
            random.answer(asked, &mut picks);
            (asked.id, asked.player, picks)
        };
        let answers: Vec<Given> = machine.questions().filter(|asked| !asked.answered).map(|asked| answer(&asked)).collect::<Vec<_>>();
        compared += look(&format!("{what}, game {seed}, decision {decision}"), machine, &answers, u64::from(chance.below(1 << 16)));
        for (question, _, picks) in &answers {
            machine.answer(*question, picks).unwrap();
        }
    }
    compared
}

#[test]
fn games_with_decks_tell_a_seat_nothing_that_it_may_not_know() {
    let of = std::env::var("GYOJI_TWIN_OF").ok();
    for name in embedded_games().into_iter().filter(|name| of.as_ref().is_none_or(|of| of == name)) {
        let (game, findings) = load(&name, &Places::default(), None::<&Project>).unwrap();
        assert_eq!(findings, [], "{name}");
        let decks: Vec<Vec<CardId>> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
        let decks: Vec<Vec<CardId>> = decks.iter().cycle().take(usize::from(game.program.players)).cloned().collect();
        let only: Option<u64> = std::env::var("GYOJI_TWIN_GAME").ok().and_then(|number| number.parse().ok());
        let most = if wanted().or(only).is_some() { usize::MAX } else { MOST_DECISIONS };
        let numbers = only.map_or(0..wanted().unwrap_or(GAMES), |number| number..number + 1);
        let played = numbers.into_par_iter().map(|number| {
            let mut machine = Machine::new(Arc::clone(&game.program));
            machine.remember(number % 2 == 1);
            machine.start(&decks, seed_of_game(SEED, number));
            play(&name, &mut machine, number, most)
        });
        let compared = sum(played.collect::<Vec<_>>());
        assert!(compared.leaks.is_empty(), "{}", compared.leaks.iter().take(5).map(|leak| format!("{leak}\n")).collect::<String>());
        assert!(compared.views > 80 && compared.lines > 250 && compared.runs[0] > 40, "{name}: {compared:?}");
    }
}

/// Fails with the first leak of each page, except pages whose rules show something.
fn held(compared: &Compared) {
    let by_rule = |leak: &&String| !SHOWN_BY_RULES.iter().any(|(page, _)| leak.starts_with(&format!("{page}, ")));
    let mut leaks: Vec<&String> = compared.leaks.iter().filter(by_rule).collect();
    leaks.dedup_by_key(|leak| leak.split(',').next().map(str::to_owned));
    assert!(leaks.is_empty(), "{}", leaks.iter().map(|leak| format!("{leak}\n")).collect::<String>());
}

/// Plays the pages whose name fits, from cards laid anywhere.
fn of_tables(games: u64, fits: impl Fn(&str) -> bool) -> Compared {
    let tables = TABLES.iter().filter(|table| table.decks.is_none() && fits(&table.name));
    let games: Vec<_> = tables.flat_map(|table| (0..games).map(move |number| (table, number))).collect();
    let played = games.par_iter().map(|(table, number)| {
        let mut machine = table.begun(*number);
        play(&table.name, &mut machine, *number, MOST_DECISIONS_OF_A_PAGE)
    });
    sum(played.collect::<Vec<_>>())
}

/// Plays the pages whose name fits, from the positions of their scenarios.
fn of_rulings(fits: impl Fn(&str) -> bool + Sync) -> Compared {
    let played = pages().into_par_iter().map(|page| {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        if !fits(&name) {
            return Compared::default();
        }
        let suite = suite(&page);
        let begun = (1..).zip(&suite.scenarios).filter_map(|(number, scenario)| Some((number, scenario, begun(&suite, scenario)?)));
        sum(begun.map(|(number, scenario, mut machine)| play(&format!("{name}, {}", scenario.title.text), &mut machine, number, 4)))
    });
    sum(played.collect::<Vec<_>>())
}

/// A comparison that finds nothing proves something only if it finds what is there: a leak in every way in which a seat is told something.
#[test]
fn a_planted_leak_is_found_in_every_channel() {
    let table = TABLES.iter().find(|table| table.name == "basics").unwrap();
    let leaks = |planted: Option<Channel>| {
        PLANTED.set(planted);
        let leaks =
            (0..GAMES).map(|number| play(&table.name, &mut table.begun(number), number, MOST_DECISIONS_OF_A_PAGE).leaks.len()).sum();
        PLANTED.set(None);
        leaks
    };
    let found: Vec<(Channel, usize)> = CHANNELS.iter().map(|channel| (*channel, leaks(Some(*channel)))).collect();
    let missed: Vec<Channel> = found.iter().filter(|(_, leaks)| *leaks == 0).map(|(channel, _)| *channel).collect();
    assert_eq!(missed, [], "{found:?}");
    assert_eq!(leaks(None), 0);
}

#[test]
fn what_a_rule_shows_of_hidden_cards_is_noticed() {
    // Most is noticed in the first games, so few pages play all of them.
    let in_games = |page| [10, GAMES_UNTIL_NOTICED].iter().any(|games| !of_tables(*games, |name| name == page).leaks.is_empty());
    let notices = |page| !of_rulings(|name| name == page).leaks.is_empty() || in_games(page);
    let unnoticed: Vec<_> = SHOWN_BY_RULES.iter().filter(|(page, _)| !notices(*page)).collect();
    assert!(unnoticed.is_empty(), "nothing of these was noticed: {unnoticed:#?}");
}

#[test]
fn pages_tell_a_seat_nothing_that_it_may_not_know() {
    let compared = of_tables(wanted().unwrap_or(GAMES), |_| true);
    held(&compared);
    assert!(
        compared.views > 1000 && compared.reasons > 1000 && compared.lines > 1000 && compared.whole > 100 && compared.runs[1] > 10,
        "{compared:?}"
    );
}

#[test]
fn rulings_of_pages_tell_a_seat_nothing_that_it_may_not_know() {
    let compared = of_rulings(|_| true);
    held(&compared);
    assert!(compared.views > 1000 && compared.lines > 1000 && compared.whole > 500 && compared.runs[1] > 30, "{compared:?}");
}
