//! The machine: a program, a state, and the way from decision to decision.
//!
//! ```text
//! machine.start(&decks, seed);
//! while machine.run(&mut Silent) == Status::Asking { … machine.answer(id, &picks)?; … }
//! ```
//!
//! | file | does |
//! | --- | --- |
//! | `offered.rs` | the ways to act that a machine offers: listed, drawn at random, looked for, taken |
//! | `questions.rs` | the open questions of a machine, and answers to them |
//! | `reading.rs` | reads a game in any position: cards, fields, expressions, events |
//! | `scratch.rs` | scratch memory of a machine |

pub mod offered;
pub(crate) mod scratch;

pub use crate::choices::answer::{Given, Refusal};
pub use crate::choices::numbers::Numbers;

use super::effects::of_ability;
use super::eval::Eval;
use super::fault::{self, Fault};
use super::ids::{CardId, Id, Pc, RoutineId};
use super::limits::STEP_BUDGET;
use super::plan::Plan;
use super::program::Program;
use super::random::Generator;
use super::run::Run;
use super::state::{Branch, Control, Doing, FailureKind, Frame, Holds, State, Status};
use super::steps::{Observer, Silent, Somebody};
use super::value::{ObjectId, Player, Value};
pub use crate::legal::attempt::obey;
use crate::machine::scratch::Scratch;
pub use crate::machine::scratch::Tried;
use crate::short_ways::{ShortWay, took};
use crate::state::board::place_of;
use crate::state::position::Position;
use std::sync::Arc;

mod questions;
mod reading;

pub use questions::{Asked, Payment, QuestionId};

/// A game being played.
#[derive(Clone, Debug)]
pub struct Machine {
    program: Arc<Program>,
    plan: Arc<Plan>,
    state: State,
    scratch: Memory,
    record_all: bool,
    /// Whether the machine notes what players remember of hidden cards.
    remembers: bool,
    budget: u32,
    /// Whether offers may be asked without a list.
    samples: bool,
    /// Whether a game has been started and nothing else has happened since.
    fresh: bool,
}

/// Scratch memory is not part of a machine's value.
#[derive(Debug, Default)]
struct Memory(Scratch, Laid);

/// What is known about games with the last decks. The next game with the same decks begins with copies of it.
#[derive(Debug, Default)]
struct Laid {
    decks: Vec<Vec<CardId>>,
    /// The board at the very beginning.
    board: crate::state::board::Board,
    /// Whether something is in force from the start: a clause of a rule, or an ability of a card of the decks.
    statics: bool,
    /// The state at the first statement whose outcome is open. Everything before it is the same in every game.
    scouted: Scouted,
}

/// What a scout has found. A scout is a run ahead to the first statement whose outcome is open.
#[derive(Debug, Default)]
enum Scouted {
    /// No scout has run yet.
    #[default]
    NotYet,
    /// Nothing can be skipped: the outcome of the first statement is open, or the game ends before any outcome is open.
    Nothing,
    /// The state before that statement, and whether the board has changed by then.
    At(Box<State>, bool),
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Memory::default()
    }
}

/// A program with the facts that are known about it before any game, for many machines that run it.
#[derive(Clone, Debug)]
pub struct Runnable {
    program: Arc<Program>,
    plan: Arc<Plan>,
}

impl Runnable {
    /// Finds these facts.
    #[must_use]
    pub fn new(program: Arc<Program>) -> Self {
        let plan = Arc::new(Plan::new(&program, None));
        Self { program, plan }
    }

    /// Like `new`, for a program that has grown from this one. Facts about their common part are not found again.
    #[must_use]
    pub fn grown(&self, program: Arc<Program>) -> Self {
        let plan = Arc::new(Plan::new(&program, Some((&self.program, &self.plan))));
        Self { program, plan }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// A machine in which nothing has begun.
    #[must_use]
    pub fn machine(&self) -> Machine {
        Machine::planned(Arc::clone(&self.program), Arc::clone(&self.plan))
    }
}

impl Machine {
    /// A machine for a program, in which nothing has begun.
    #[must_use]
    pub fn new(program: Arc<Program>) -> Self {
        Runnable::new(program).machine()
    }

    fn planned(program: Arc<Program>, plan: Arc<Plan>) -> Self {
        let state = State::before(&program);
        let mut machine = Machine {
            program,
            plan,
            state,
            scratch: Memory::default(),
            record_all: false,
            remembers: false,
            budget: STEP_BUDGET,
            samples: false,
            fresh: false,
        };
        machine.clear(0, 0);
        machine
    }

    /// The compiled game.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// A machine that goes on from a state. The state is a copy, or one that [`crate::state::save`] has checked.
    #[must_use]
    pub fn with_state(program: Arc<Program>, state: State) -> Self {
        Machine::new(program).standing(state)
    }

    /// A machine for the same program that goes on from a state.
    #[must_use]
    pub(super) fn same_from(&self, state: State) -> Machine {
        Self::planned(Arc::clone(&self.program), Arc::clone(&self.plan)).standing(state)
    }

    fn standing(self, state: State) -> Self {
        let mut machine = Self { state, ..self };
        machine.state.control.written.all();
        machine
    }

    /// Takes over another machine's state. The memory of this machine is used again.
    pub fn copy_state(&mut self, state: &State) {
        self.fresh = false;
        self.scratch.0.touched();
        self.state.copy_from(state, &mut self.scratch.0.branches);
    }

    /// Lets offers be asked without a list (`Asked::listed`), for players who need no list. Such an offer is answered by
    /// [`Machine::sample`] and [`Machine::take`]. [`Machine::list`] lists it when somebody wants to see it. The decisions are the same in
    /// both ways, and this setting is no part of the state. A run that somebody watches always lists.
    pub fn sampling(&mut self, on: bool) {
        self.samples = on;
    }

    /// Sets how many statements may be carried out between two decisions.
    pub fn step_budget(&mut self, statements: u32) {
        self.budget = statements;
    }

    /// Keeps every event, so that [`Machine::happened`] can answer for every pattern.
    pub fn record_all(&mut self, on: bool) {
        self.record_all = on;
    }

    /// Notes, from the next game on, who remembers hidden cards: the players who saw a card before it was hidden. They remember it until
    /// something mixes it with other cards. [`Machine::view`] and [`Machine::dealt_anew`] use this knowledge.
    pub fn remember(&mut self, on: bool) {
        self.remembers = on;
        self.scratch = Memory::default();
    }

    /// Begins a game. `decks`: each player's deck as a list of cards, the bottom card first. Then call [`Machine::run`].
    pub fn start(&mut self, decks: &[Vec<CardId>], seed: u64) {
        let known = self.scratch.1.decks == decks && !decks.is_empty();
        self.clear_control(seed);
        if known {
            self.state.board.copy_from(&self.scratch.1.board);
        } else {
            self.lay(decks);
        }
        if !known || self.scratch.1.statics {
            self.scratch.1.statics = self.activate_all();
        } else {
            self.settle_at_first();
        }
        self.begin(self.program.setup.or(self.program.turn));
        if !known {
            self.look_at_rules();
            self.scratch.1.board.copy_from(&self.state.board);
            self.scratch.1.decks = decks.to_vec();
            self.scratch.1.scouted = Scouted::NotYet;
        }
        self.fresh = true;
    }

    /// Goes to the first statement with an open outcome, in a game that has just been started. Earlier results are copied where they are
    /// known.
    fn skip_what_is_the_same(&mut self) {
        match &self.scratch.1.scouted {
            Scouted::NotYet => {
                let open = self.going(&mut Silent).scout();
                let changed = self.state.board != self.scratch.1.board;
                let far = open && self.state.control.steps > 0;
                self.scratch.1.scouted = if far { Scouted::At(Box::new(self.state.clone()), changed) } else { Scouted::Nothing };
            }
            Scouted::At(state, changed) if state.control.steps < self.budget => {
                took(ShortWay::CommonBeginning);
                let seeded = self.state.generator.clone();
                if *changed {
                    self.state.board.copy_from(&state.board);
                }
                self.state.copy_beside_board(state, &mut self.scratch.0.branches);
                self.state.generator = seeded;
            }
            Scouted::At(..) | Scouted::Nothing => {}
        }
    }

    /// Puts each player's deck into the zone where decks lie at the beginning.
    fn lay(&mut self, decks: &[Vec<CardId>]) {
        let program = Arc::clone(&self.program);
        self.state.board.reset(&program, decks.iter().map(Vec::len).sum());
        if let Some(zone) = program.deck_zone {
            for (player, deck) in (0..program.players).map(Player).zip(decks) {
                let place = place_of(&program, zone, player);
                for card in deck {
                    let face_up = program.zones.get(zone).is_some_and(|zone| zone.seen == super::program::Seen::ByAll);
                    self.state.board.add(&program, *card, program.owner_in(place, player), place, face_up);
                }
            }
        }
    }

    /// Notes which conditions of rules with `becomes` are true now, so that only conditions that become true later count.
    pub(super) fn look_at_rules(&mut self) {
        let program = Arc::clone(&self.program);
        for (id, rule) in program.rules.iter().filter(|(_, rule)| rule.becomes) {
            for player in (0..if rule.each_player { program.players } else { 1 }).map(Player) {
                let local = [Value::Player(player)];
                let truth = Eval::new(&program, &self.state, &local, &[], player, Value::Undefined).holds(rule.condition);
                let at = id.index() * usize::from(program.players) + usize::from(player.0);
                if let Some(slot) = self.state.board.rule_truth.get_mut(at) {
                    *slot = truth;
                }
            }
        }
    }

    /// Resets the game to an empty table for `cards` cards.
    pub(super) fn clear(&mut self, cards: usize, seed: u64) {
        self.clear_control(seed);
        self.state.board.reset(&self.program, cards);
    }

    /// Resets everything except the board: nothing has happened yet.
    fn clear_control(&mut self, seed: u64) {
        self.fresh = false;
        self.scratch.0.touched();
        let State { effects, events, control, generator, fixed_shuffles, .. } = &mut self.state;
        effects.reset(&self.program);
        events.history.clear();
        events.lists.clear();
        events.witnessed.clear();
        events.marks.clear();
        events.kept_marks.clear();
        events.values.clear();
        events.pending.clear();
        events.in_zones.clear();
        events.heard.clear();
        events.held.clear();
        events.uses.clear();
        events.once.clear();
        events.together.clear();
        events.next = 0;
        let mut branches = std::mem::take(&mut control.branches);
        self.scratch.0.branches.append(&mut branches);
        *control = Control { branches, ..Control::default() };
        *generator = Generator::new(seed);
        fixed_shuffles.clear();
        self.state.fixed_draws.clear();
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        self.scratch.0.touched();
        self.state.control.written.all();
        &mut self.state
    }

    /// Puts in force what is in force from the start. Gives whether there is any such clause or ability.
    pub(super) fn activate_all(&mut self) -> bool {
        let mut any = !self.program.standing.is_empty();
        for (rule, clause) in &self.program.standing {
            let effect = of_ability(*clause, Value::Undefined, Player::default(), Holds::Rule(*rule));
            self.state.effects.begin(&self.program, effect);
        }
        for index in 0..self.state.board.objects.len() {
            let card = self.state.board.objects.get(index).map(|object| object.card);
            if card.is_some_and(|card| self.plan.card(card).statics) {
                self.state.activate(&self.program, ObjectId(index as u16));
                any = true;
            }
        }
        self.settle_at_first();
        any
    }

    fn settle_at_first(&mut self) {
        self.state.settle(&self.program, crate::bits::Spots::ALL);
        // Effects that are in force from the start have not begun during the game.
        self.state.effects.begun.clear();
        if self.state.effects.tells {
            self.state.note_truths(&self.program);
        }
    }

    /// Puts the flow at the beginning of a routine.
    pub(super) fn begin(&mut self, routine: Option<RoutineId>) {
        let board = &mut self.state.board;
        board.versions.touch_sight();
        board.memory.clear();
        board.memory.resize(if self.remembers { board.objects.len() } else { 0 }, 0);
        let Some(routine) = routine else {
            self.state.control.status = Status::Running;
            self.state.control.branches.push(Box::new(Branch { doing: Doing::Ended, ..Branch::default() }));
            return;
        };
        let def = self.program.routines.get(routine);
        let frame =
            Frame { routine, pc: def.map_or_else(Default::default, |def| def.start), result: super::ids::Reg::NONE, ..Frame::default() };
        let mut root = self.scratch.0.branches.pop().unwrap_or_default();
        root.reset();
        root.frames.push(frame);
        root.registers.resize(def.map_or(0, |def| usize::from(def.registers)), Value::Undefined);
        self.state.control.branches.push(root);
        self.state.control.status = Status::Running;
    }

    /// Runs until players have to decide, the game is over, or a rules error ends the run.
    pub fn run<O: Observer>(&mut self, observer: &mut O) -> Status {
        // A fault that another machine has left on this thread is none of this run.
        fault::take();
        let status = if O::ON { self.run_before(&mut Somebody(observer)) } else { self.run_unseen() };
        match fault::take() {
            Some(fault) => self.breaks(fault, observer),
            None => status,
        }
    }

    /// The run has met a fault: nothing that came after the fault counts.
    #[cold]
    fn breaks<O: Observer>(&mut self, fault: Fault, observer: &mut O) -> Status {
        self.going(&mut Somebody(observer)).fail(FailureKind::Broken(fault), Pc::NOWHERE);
        self.state.control.status
    }

    fn run_before(&mut self, somebody: &mut Somebody<'_>) -> Status {
        self.fresh = false;
        self.going(somebody).go()
    }

    fn run_unseen(&mut self) -> Status {
        // A run that skips statements does not note where the flow has been. So a game that asks for this skips nothing.
        let asks_where = self.plan.asks_goes_round || self.plan.asks_been_here;
        if std::mem::take(&mut self.fresh) && !self.record_all && !asks_where {
            self.skip_what_is_the_same();
        }
        self.going(&mut Silent).go()
    }

    /// A run of this machine that is told to an onlooker.
    pub(super) fn going<'m, O: Observer>(&'m mut self, observer: &'m mut O) -> Run<'m, O> {
        let mut run = Run::new((&self.program, &self.plan), &mut self.state, &mut self.scratch.0, observer);
        (run.record_all, run.budget, run.samples) = (self.record_all, self.budget, self.samples);
        run
    }

    /// How often this machine has computed the extent of an effect, in all its games.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.scratch.0.looked
    }

    /// Lets a trial run decide everything that a guard decides as well, or that an earlier trial run with the same footprint has decided. Counts
    /// where the two differ. For tests, in any build.
    pub fn compare_guards(&mut self, on: bool) {
        self.scratch.0.compares_guards = on;
    }

    /// How many verdicts of guards and remembered results were compared with trial runs, and how many differed (none should).
    #[must_use]
    pub fn guards_compared(&self) -> (u64, u64) {
        self.scratch.0.guards_compared
    }

    /// How many statements this machine has carried out in all its games. Statements of trial runs do not count.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.scratch.0.statements
    }

    /// The trial runs of this machine in all its games.
    #[must_use]
    pub fn tried(&self) -> Tried {
        self.scratch.0.tried
    }

    /// What the machine is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        self.state.control.status
    }

    /// A player gives up: the game is judged at once, whatever is going on.
    ///
    /// # Errors
    /// A [`Refusal`] if the game is over or does not let players concede.
    pub fn concede<O: Observer>(&mut self, player: Player, observer: &mut O) -> Result<(), Refusal> {
        if O::ON { self.concede_before(player, &mut Somebody(observer)) } else { self.concede_unseen(player) }
    }

    fn concede_before(&mut self, player: Player, somebody: &mut Somebody<'_>) -> Result<(), Refusal> {
        self.conceded(player, somebody)
    }

    fn concede_unseen(&mut self, player: Player) -> Result<(), Refusal> {
        self.conceded(player, &mut Silent)
    }

    fn conceded<O: Observer>(&mut self, player: Player, observer: &mut O) -> Result<(), Refusal> {
        if !matches!(self.state.control.status, Status::Asking | Status::Running) {
            return Err(Refusal::GameOver);
        }
        let Some(cites) = self.program.concede else { return Err(Refusal::MayNotConcede) };
        self.fresh = false;
        self.scratch.0.touched();
        self.state.control.status = Status::Running;
        self.state.control.losing = self.program.team_bits(player);
        self.state.control.winning = 0;
        let mut run = self.going(observer);
        run.alone = true;
        run.tell_cited(cites, super::ids::Pc::NOWHERE, 0, 0, &[], || super::steps::Step::Concedes(player));
        run.judge_now();
        Ok(())
    }

    pub(super) fn eval(&self) -> Eval<'_> {
        Eval::new(&self.program, &self.state, &[], &[], Player(0), Value::Undefined)
    }

    /// Begins to set up a position.
    pub fn position(&mut self) -> Position<'_> {
        Position::new(self)
    }
}
