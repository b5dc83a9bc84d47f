//! The machine: a program, a state, and the way from decision to decision.
//!
//! ```text
//! machine.start(&decks, seed);
//! while machine.run(&mut Silent) == Status::Asking { … machine.answer(id, &picks)?; … }
//! ```

use super::attempt::give;
use super::board::place_of;
use super::choose::{blind, yes_no};
use super::eval::Eval;
use super::ids::{CardId, ChoiceId, FieldId, Id, NodeId, PatternId, RoutineId, TextId};
use super::limits::STEP_BUDGET;
use super::observe::Observer;
use super::plan::Plan;
use super::position::Position;
use super::program::Program;
use super::random::Generator;
use super::run::{Run, Scratch};
use super::state::{Branch, Control, Doing, Effects, Events, Frame, State, Status};
use super::value::{ObjectId, Player, Value};
use std::sync::Arc;
use thiserror::Error;

/// A game being played.
#[derive(Clone, Debug)]
pub struct Machine {
    program: Arc<Program>,
    state: State,
    scratch: Memory,
    record_all: bool,
    budget: u32,
}

/// Scratch memory is not part of a machine's value.
#[derive(Debug, Default)]
struct Memory(Scratch);

impl Clone for Memory {
    fn clone(&self) -> Self {
        Memory(Scratch { plan: Arc::clone(&self.0.plan), ..Scratch::default() })
    }
}

/// Which question: the branch that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionId(pub u16);

/// An open question.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Which.
    pub id: QuestionId,
    /// Who chooses.
    pub player: Player,
    /// Which choice; [`ChoiceId::REPLACEMENT`] is the engine's own.
    pub choice: ChoiceId,
    /// Among what; an answer is positions in it.
    pub domain: &'a [Value],
    /// At least.
    pub min: u16,
    /// At most.
    pub max: u16,
    /// Yes (position 0) or no (position 1).
    pub yes_no: bool,
    /// The chooser may be shown positions only.
    pub blind: bool,
    /// Others may not see the answer.
    pub secret: bool,
    /// The order of the answer counts.
    pub ranked: bool,
    /// It has an answer already; others are waited for.
    pub answered: bool,
}

/// Why an answer is refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the fields are in the words")]
pub enum Refusal {
    /// There is no such question.
    #[error("there is no such question")]
    NoSuchQuestion,
    /// It was answered before.
    #[error("that question is answered already")]
    AlreadyAnswered,
    /// A position outside of the domain.
    #[error("there is no answer number {position} among {len}")]
    OutOfRange { position: u16, len: u16 },
    /// A position twice.
    #[error("answer number {position} is given twice")]
    Twice { position: u16 },
    /// Too few.
    #[error("{given} chosen, at least {min} needed")]
    TooFew { min: u16, given: u16 },
    /// Too many.
    #[error("{given} chosen, at most {max} allowed")]
    TooMany { max: u16, given: u16 },
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The game does not let players concede.
    #[error("this game does not let players concede")]
    MayNotConcede,
}

impl Machine {
    /// A machine for a program; nothing has begun.
    #[must_use]
    pub fn new(program: Arc<Program>) -> Self {
        let plan = Arc::new(Plan::new(&program));
        let state = State {
            board: super::board::Board::new(&program, 0),
            effects: Effects::default(),
            events: Events::default(),
            control: Control::default(),
            generator: Generator::new(0),
            fixed_shuffles: Vec::new(),
        };
        let scratch = Memory(Scratch { plan, ..Scratch::default() });
        let mut machine = Machine { program, state, scratch, record_all: false, budget: STEP_BUDGET };
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

    /// A machine that goes on from a state (one that [`super::save`] has checked, or a copy).
    #[must_use]
    pub fn with_state(program: Arc<Program>, state: State) -> Self {
        let mut machine = Machine::new(program);
        machine.state = state;
        machine
    }

    /// Takes over another machine's state, keeping this one's memory.
    pub fn copy_state(&mut self, state: &State) {
        self.state.clone_from(state);
    }

    /// How many statements may be carried out between two decisions.
    pub fn step_budget(&mut self, statements: u32) {
        self.budget = statements;
    }

    /// Keeps every event, so that [`Machine::happened`] can be asked anything.
    pub fn record_all(&mut self, on: bool) {
        self.record_all = on;
    }

    /// Begins a game: each player's deck as a list of cards, the first one at the bottom. Then [`Machine::run`].
    pub fn start(&mut self, decks: &[Vec<CardId>], seed: u64) {
        let cards = decks.iter().map(Vec::len).sum();
        self.clear(cards, seed);
        let program = Arc::clone(&self.program);
        if let Some(zone) = program.deck_zone {
            for (player, deck) in (0..program.players).map(Player).zip(decks) {
                let place = place_of(&program, zone, player);
                for card in deck {
                    let face_up = program.zones.get(zone).is_some_and(|zone| zone.seen == super::program::Seen::ByAll);
                    self.state.board.add(&program, *card, player, place, face_up);
                }
            }
        }
        self.activate_all();
        self.begin(program.setup.or(program.turn));
        self.look_at_rules();
    }

    /// Notes which conditions of immediate rules are true now, so that only what becomes true counts.
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

    /// An empty table for `cards` cards.
    pub(super) fn clear(&mut self, cards: usize, seed: u64) {
        let State { board, effects, events, control, generator, fixed_shuffles } = &mut self.state;
        board.reset(&self.program, cards);
        effects.reset(&self.program);
        events.history.clear();
        events.lists.clear();
        events.marks.clear();
        events.pending.clear();
        events.uses.clear();
        events.next = 0;
        let mut branches = std::mem::take(&mut control.branches);
        self.scratch.0.branches.append(&mut branches);
        *control = Control { branches, ..Control::default() };
        *generator = Generator::new(seed);
        fixed_shuffles.clear();
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    pub(super) fn activate_all(&mut self) {
        let program = Arc::clone(&self.program);
        for index in 0..self.state.board.objects.len() {
            let card = self.state.board.objects.get(index).map(|object| object.card);
            if card.is_some_and(|card| self.scratch.0.plan.has_statics(card)) {
                self.state.activate(&program, ObjectId(index as u16));
            }
        }
    }

    /// Puts the flow at the beginning of a routine.
    pub(super) fn begin(&mut self, routine: Option<RoutineId>) {
        let Some(routine) = routine else {
            self.state.control.status = Status::Running;
            self.state.control.branches.push(Branch { doing: Doing::Ended, ..Branch::default() });
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

    /// Runs until decisions are needed, the game is over, or a rules error.
    pub fn run<O: Observer>(&mut self, observer: &mut O) -> Status {
        self.going(observer).go()
    }

    /// A run of this machine, told to an onlooker.
    fn going<'m, O: Observer>(&'m mut self, observer: &'m mut O) -> Run<'m, O> {
        Run {
            program: &self.program,
            state: &mut self.state,
            scratch: &mut self.scratch.0,
            observer,
            record_all: self.record_all,
            budget: self.budget,
            trial: None,
            judge: false,
            alone: false,
        }
    }

    /// How many statements this machine has carried out in all its games.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.scratch.0.statements
    }

    /// What the machine is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        self.state.control.status
    }

    /// The open questions, in the branches' order; answered ones stay until all are answered.
    pub fn questions(&self) -> impl Iterator<Item = Asked<'_>> {
        let asking = self.state.control.status == Status::Asking;
        self.state.control.branches.iter().enumerate().filter(move |_| asking).filter_map(|(index, branch)| {
            let Doing::Ask(question) = branch.doing else { return None };
            let domain = branch.lists.get(question.start as usize..question.start as usize + usize::from(question.len))?;
            let def = self.program.choices.get(question.choice);
            question.open.then_some(Asked {
                id: QuestionId(index as u16),
                player: question.player,
                choice: question.choice,
                domain,
                min: question.min,
                max: question.max,
                yes_no: yes_no(&question),
                blind: blind(def),
                secret: super::choose::secret(def),
                ranked: def.is_some_and(|def| def.manner == super::program::MannerDef::Ranked),
                answered: question.answer.is_some(),
            })
        })
    }

    /// Answers a question with positions in its domain, in any order.
    ///
    /// # Errors
    /// A [`Refusal`] when that is no legal answer; nothing has changed then.
    pub fn answer(&mut self, question: QuestionId, picks: &[u16]) -> Result<(), Refusal> {
        self.check(question, picks)?;
        if let Some(branch) = self.state.control.branches.get_mut(usize::from(question.0)) {
            give(branch, picks);
        }
        Ok(())
    }

    /// Whether an answer is legal.
    ///
    /// # Errors
    /// The [`Refusal`] that [`Machine::answer`] would give.
    pub fn check(&self, question: QuestionId, picks: &[u16]) -> Result<(), Refusal> {
        let branch = self.state.control.branches.get(usize::from(question.0));
        let Some(Doing::Ask(asked)) = branch.map(|branch| branch.doing) else { return Err(Refusal::NoSuchQuestion) };
        if !asked.open || self.state.control.status != Status::Asking {
            return Err(Refusal::NoSuchQuestion);
        }
        if asked.answer.is_some() {
            return Err(Refusal::AlreadyAnswered);
        }
        let given = picks.len().min(usize::from(u16::MAX)) as u16;
        for (index, position) in picks.iter().enumerate() {
            if *position >= asked.len {
                return Err(Refusal::OutOfRange { position: *position, len: asked.len });
            }
            if picks.get(..index).unwrap_or(&[]).contains(position) {
                return Err(Refusal::Twice { position: *position });
            }
        }
        if given < asked.min {
            return Err(Refusal::TooFew { min: asked.min, given });
        }
        if given > asked.max {
            return Err(Refusal::TooMany { max: asked.max, given });
        }
        Ok(())
    }

    /// A player gives up: the game is judged at once, whatever is going on.
    ///
    /// # Errors
    /// When the game is over or does not let players concede.
    pub fn concede<O: Observer>(&mut self, player: Player, observer: &mut O) -> Result<(), Refusal> {
        if !matches!(self.state.control.status, Status::Asking | Status::Running) {
            return Err(Refusal::GameOver);
        }
        let Some(cites) = self.program.concede else { return Err(Refusal::MayNotConcede) };
        self.state.control.status = Status::Running;
        self.state.control.losing = 1 << player.0;
        self.state.control.winning = 0;
        let mut run = self.going(observer);
        run.alone = true;
        run.tell_cited(cites, super::ids::Pc(u32::MAX), 0, 0, &[], || super::observe::Step::Concedes(player));
        run.judge_now();
        Ok(())
    }

    /// Whether that player may know which card this is.
    #[must_use]
    pub fn sees(&self, player: Player, card: ObjectId) -> bool {
        self.state.board.sees(&self.program, player, card)
    }

    fn eval(&self) -> Eval<'_> {
        Eval::new(&self.program, &self.state, &[], &[], Player(0), Value::Undefined)
    }

    /// A field of a card as it is now.
    #[must_use]
    pub fn field(&self, card: ObjectId, field: FieldId) -> Value {
        self.eval().field(self.state.board.reference(card), field)
    }

    /// The members of a set-valued field of a card as it is now.
    #[must_use]
    pub fn field_members(&self, card: ObjectId, field: FieldId) -> Vec<Value> {
        self.eval().field_members(self.state.board.reference(card), field)
    }

    /// The value of an expression.
    #[must_use]
    pub fn evaluate(&self, node: NodeId) -> Value {
        self.eval().value(node)
    }

    /// The members of a set expression.
    #[must_use]
    pub fn members(&self, node: NodeId) -> Vec<Value> {
        let mut members = Vec::new();
        self.eval().each(node, &mut |_, member| {
            members.push(member);
            false
        });
        members
    }

    /// How many events match a pattern; every event is there only with [`Machine::record_all`].
    #[must_use]
    pub fn happened(&self, pattern: PatternId) -> usize {
        self.eval().count_happened(pattern, TextId(u32::MAX))
    }

    /// Begins to set up a position.
    pub fn position(&mut self) -> Position<'_> {
        Position::new(self)
    }
}
