//! Records what a run did, step by step, with all rules that each step carries out.
//!
//! Input: the machine's steps. Output: the touched rules in order, the forced decisions, and the last lines for a failure. The words come
//! from `tell/`.

use crate::outcome::touched::CardsSeen;
use crate::running::unasked::Keeps;
use engine::abilities::without_effect;
use engine::ids::{CitesId, Id, StateId};
use engine::machine::{Given, Machine};
use engine::program::Program;
use engine::state::State;
use engine::steps::{Inside, Observer, Step, Stretch, Traced, View};
use engine::value::{Player, Value};
use engine::why::History;
use lang::syntax::ast::Until;
use std::collections::{BTreeSet, VecDeque};
use tell::trace::{Bodies, of_effect, of_waiting};
use tell::{Detail, Gone, Statements, Tracer, Words};

/// How many lines of the trace a failure shows.
const LAST_LINES: usize = 12;
/// How many steps are told for these lines. Not every step has a line.
const LAST_STEPS: usize = 60;

/// A step with its citations, and those of its declaration, ability or effect.
#[derive(Clone, Debug)]
pub struct Record {
    /// The step.
    pub traced: Traced,
    /// Citations besides `traced.cites`.
    pub also: Vec<CitesId>,
    /// The members of lists in the step's arguments; the arguments point here.
    pub lists: Vec<Value>,
    /// The seats that saw the decision, one bit each.
    pub seen: u8,
}

/// The most positions of passes that are kept.
const MOST_PASSES: usize = 64;

/// Records every step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    records: Vec<Record>,
    /// The bodies of the program.
    bodies: Bodies,
    /// Rules of open decisions, and of effects and abilities that were in force or waiting at the beginning of the position.
    without_step: BTreeSet<CitesId>,
    /// Rules of options that were offered. An offer alone is not enough for a header: the option must be taken.
    offered: BTreeSet<CitesId>,
    /// Where the last two runs between decisions began.
    segments: (usize, usize),
    /// Forced decisions that the scenario has answered.
    used: BTreeSet<usize>,
    /// The causes of steps, if they are recorded.
    history: Option<History>,
    /// The positions in which a player passed because there was nothing to take, with the numbers of the records, if they are kept.
    passes: Option<VecDeque<(usize, State)>>,
    /// Things that waited and effects that were in force, so that they can be named after they are gone.
    gone: Gone,
    /// The cards that the objects of the game have been, if objects can become other cards or vanish.
    cards_seen: CardsSeen,
    /// For each record, the number of earlier steps in the history.
    before: Vec<usize>,
    /// Where the run stops, in order.
    until: VecDeque<Until>,
    /// Whether a phase has begun since the last stop, or since the beginning.
    in_phase: bool,
    /// The states at the stops, in order.
    held: VecDeque<Held>,
}

/// A stop. Later records do not count there.
#[derive(Clone, Debug)]
struct Held {
    state: State,
    records: usize,
    history: Option<History>,
}

impl Observer for Recorder {
    const ON: bool = true;

    fn state_set(&mut self, view: &View<'_>, traced: &Traced) {
        if let Some(history) = &mut self.history {
            history.state_set(view, traced);
        }
    }

    fn about_to_read(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        if let Some(history) = &mut self.history {
            history.about_to_read(view, inside);
        }
    }

    fn about_to_set(&mut self, of: Value, state: StateId) {
        if let Some(history) = &mut self.history {
            history.about_to_set(of, state);
        }
    }

    fn about_to_begin(&mut self, view: &View<'_>, stretch: Stretch) {
        // A phase or turn ends when the next one is about to begin. Before the first phase of a position, and between the beginning of a
        // turn and its first phase, no phase ends.
        if self.in_phase && (stretch == Stretch::Turn || self.until.front() != Some(&Until::EndOfTurn)) {
            self.stand_still(view);
        }
    }

    fn step(&mut self, view: &View<'_>, traced: &Traced) {
        if self.until.front() == Some(&Until::Decision) && matches!(traced.step, Step::Decides { forced: true, .. }) {
            self.stand_still(view);
        }
        if let Some(passes) = self.passes.as_mut().filter(|_| traced.step.is_idle_pass(view.program)) {
            passes.truncate(MOST_PASSES - 1);
            passes.push_front((self.records.len(), view.state.clone()));
        }
        self.in_phase |= matches!(traced.step, Step::Phase(_));
        self.gone.keep_new(view.state, &traced.step);
        if view.program.extras {
            self.cards_seen.note(view.state);
        }
        let also = self.bodies.rules_beside(view, traced);
        let mut record = Record { traced: traced.clone(), also, lists: Vec::new(), seen: 0 };
        record.keep_lists(view.lists);
        record.seen = record.seen_by(view);
        self.records.push(record);
        self.before.push(self.history.as_ref().map_or(0, History::steps));
        if let Some(history) = &mut self.history {
            history.step(view, traced);
        }
    }
}

impl Recorder {
    /// A recorder for a position. Effects in force and waiting things are noted, because their beginnings are not seen.
    #[must_use]
    pub(crate) fn new(machine: &Machine) -> Self {
        let program = machine.program();
        let bodies = Bodies::of(program);
        let view = View { program, state: machine.state(), lists: &[] };
        let in_force = machine.state().effects.in_force.iter();
        let waiting = machine.state().events.pending.iter();
        let waiting = waiting.flat_map(|pending| of_waiting(&view, pending.number));
        let idle = without_effect::statics(program, machine.state())
            .into_iter()
            .flat_map(|ability| without_effect::rules(program, machine.state(), ability));
        let without_step = in_force.flat_map(|effect| of_effect(&view, effect.number)).chain(waiting).chain(idle).collect();
        let mut gone = Gone::default();
        gone.keep(machine.state());
        let mut cards_seen = CardsSeen::default();
        cards_seen.note(machine.state());
        Self { bodies, without_step, gone, cards_seen, ..Self::default() }
    }

    /// Also records these things.
    #[must_use]
    pub(crate) fn keeping(mut self, keeps: Keeps) -> Self {
        self.history = keeps.causes.then(History::default);
        self.passes = keeps.passes.then(VecDeque::new);
        self
    }

    /// The position of a player who passed unasked, by the number of the record. None if it was not kept.
    #[must_use]
    pub(crate) fn state_at_pass(&self, record: usize) -> Option<&State> {
        self.passes.iter().flatten().find(|(at, _)| *at == record).map(|(_, state)| state)
    }

    /// The causes of steps. None if they were not recorded.
    #[must_use]
    pub(crate) fn history(&self) -> Option<&History> {
        match self.held.front() {
            Some(held) => held.history.as_ref(),
            None => self.history.as_ref(),
        }
    }

    /// Things that waited, and effects that were in force.
    #[must_use]
    pub(crate) fn gone(&self) -> &Gone {
        &self.gone
    }

    /// The cards that the objects of the game have been.
    pub(crate) fn cards_seen(&self) -> &CardsSeen {
        &self.cards_seen
    }

    /// Notes the rules of the open decisions. These rules count before anybody has decided.
    pub(crate) fn asks(&mut self, machine: &Machine) {
        let program = machine.program();
        let offered = machine.questions().flat_map(|asked| asked.domain).filter_map(|play| match play {
            Value::Play { option, .. } => program.verbs.get(program.options.get(*option)?.verb).map(|verb| verb.name.cites),
            _ => None,
        });
        self.offered.extend(offered);
        let choices = machine.questions().filter_map(|asked| program.choices.get(asked.choice));
        self.without_step.extend(choices.flat_map(|choice| [choice.name.cites, choice.declared_cites]));
    }

    /// Notes that the machine goes on.
    pub(crate) fn begin_segment(&mut self) {
        self.segments = (self.segments.1, self.records.len());
    }

    /// All steps; at a stop, only those before it.
    #[must_use]
    pub(crate) fn records(&self) -> &[Record] {
        match self.held.front() {
            Some(held) => self.records.get(..held.records).unwrap_or_default(),
            None => &self.records,
        }
    }

    /// Sets the places where the run stops, in order. Empty: only at decisions. `begins`: the run begins now.
    pub(crate) fn stand_still_at(&mut self, until: &[Until], begins: bool) {
        self.until = until.iter().copied().collect();
        self.in_phase = !begins;
    }

    fn stand_still(&mut self, view: &View<'_>) {
        if self.until.pop_front().is_some() {
            let (state, history) = (view.state.clone(), self.history.clone());
            self.held.push_back(Held { state, records: self.records.len(), history });
            self.in_phase = false;
        }
    }

    /// The state at the present stop.
    #[must_use]
    pub(crate) fn standing(&self) -> Option<&State> {
        self.held.front().map(|held| &held.state)
    }

    /// The state at the next stop, if the run reached the stop before anybody was asked.
    pub(crate) fn stand_next(&mut self) -> Option<&State> {
        if self.held.len() > 1 {
            self.held.pop_front();
            return self.standing();
        }
        None
    }

    /// Forgets the stops, because the run goes on.
    pub(crate) fn go_on(&mut self) {
        self.until.clear();
        self.held.clear();
    }

    /// Whether a step by which the game ended cites the rule.
    #[must_use]
    pub(crate) fn ended_by(&self, program: &Program, rule: &str) -> bool {
        let steps = self.history().map(History::of_the_end).unwrap_or_default();
        let of_the_end = self.records().iter().zip(&self.before).filter(|(_, at)| steps.contains(at));
        of_the_end.into_iter().any(|(record, _)| record.cites().any(|list| lists_rule(program, list, rule)))
    }

    /// The rules that count although no step names them: those of open decisions, and of effects and abilities at the beginning of the
    /// position.
    #[must_use]
    pub(crate) fn rules_without_step(&self, program: &Program) -> BTreeSet<String> {
        self.without_step.iter().flat_map(|list| program.rules_beside(*list)).cloned().collect()
    }

    /// All rules that steps cite.
    #[must_use]
    pub(crate) fn rules(&self, program: &Program) -> BTreeSet<String> {
        let lists: BTreeSet<CitesId> = self
            .records()
            .iter()
            .flat_map(Record::cites)
            .chain(self.without_step.iter().copied())
            .chain(self.offered.iter().copied())
            .collect();
        lists.into_iter().flat_map(|list| program.rules_beside(list)).cloned().collect()
    }

    /// Every decision that was asked: the player, and the positions taken. None for a concession.
    #[must_use]
    pub(crate) fn decisions(&self) -> Vec<(engine::value::Player, Option<Given>)> {
        let decided = |record: &Record| match &record.traced.step {
            Step::Decides { player, positions, picks, forced: false, .. } => Some((*player, Some(Given::of(positions, picks)))),
            Step::Concedes(player) => Some((*player, None)),
            _ => None,
        };
        self.records.iter().filter_map(decided).collect()
    }

    /// The first step that cites the rule.
    #[must_use]
    pub(crate) fn first(&self, program: &Program, rule: &str) -> Option<usize> {
        self.records().iter().position(|record| record.cites().any(|list| lists_rule(program, list, rule)))
    }

    /// Whether a step, an open decision or an effect in force cites the rule.
    #[must_use]
    pub(crate) fn carries_out(&self, program: &Program, rule: &str) -> bool {
        self.first(program, rule).is_some() || self.without_step.iter().any(|list| lists_rule(program, *list, rule))
    }

    /// Whether a step, an open decision, an effect in force or an option that was offered cites the rule.
    #[must_use]
    pub(crate) fn cites(&self, program: &Program, rule: &str) -> bool {
        self.carries_out(program, rule) || self.offered.iter().any(|list| lists_rule(program, *list, rule))
    }

    /// The forced decisions of the last two runs between decisions that are not answered yet.
    pub(crate) fn forced(&self) -> impl Iterator<Item = (usize, &Record)> {
        let from = self.segments.0;
        let recent = self.records.iter().enumerate().skip(from);
        recent.filter(|(at, record)| matches!(record.traced.step, Step::Decides { forced: true, .. }) && !self.used.contains(at))
    }

    /// Notes that a forced decision has been answered.
    pub(crate) fn spent(&mut self, at: usize) {
        self.used.insert(at);
    }

    /// The lines of the trace about the last steps. `text` gives the source of a statement or condition, by its number among all of them.
    #[must_use]
    pub(crate) fn last_lines(&self, view: &View<'_>, words: Words, text: impl Fn(usize) -> String) -> Vec<String> {
        let from = self.records().len().saturating_sub(LAST_STEPS);
        let last = self.records().get(from..).unwrap_or_default();
        let mut statements = vec![String::new(); view.program.code.len() + view.program.operands.len()];
        for record in last {
            let number = match record.traced.step {
                Step::Operand(number, _) => view.program.code.len() + number as usize,
                _ => record.traced.at.index(),
            };
            if let Some(statement) = statements.get_mut(number) {
                *statement = text(number);
            }
        }
        let mut tracer = Tracer::new(words, Detail::All, None).with_statements(Statements::new(statements)).after(self.gone.clone());
        let mut lines: Vec<String> = Vec::new();
        for record in last {
            lines.extend(tracer.line(&View { lists: &record.lists, ..*view }, &record.traced));
        }
        lines.extend(tracer.rest());
        let lines: Vec<String> = lines.iter().flat_map(|line| line.lines()).map(str::to_owned).collect();
        lines.get(lines.len().saturating_sub(LAST_LINES)..).unwrap_or_default().to_vec()
    }
}

impl Record {
    /// All citations of the step.
    pub fn cites(&self) -> impl Iterator<Item = CitesId> {
        std::iter::once(self.traced.cites).chain(self.also.iter().copied())
    }

    /// The seats that see a decision: the deciding one, and, for an open decision, every seat that may know all cards taken.
    fn seen_by(&self, view: &View<'_>) -> u8 {
        let Step::Decides { player, picks, secret, .. } = &self.traced.step else { return 0 };
        let sees = |seat: Player| {
            let decides = seat == *player || view.state.board.deciders.get(usize::from(player.0)) == Some(&seat);
            decides || !*secret && picks.iter().all(|pick| self.shows(view, seat, *pick))
        };
        (0..view.program.players).filter(|seat| sees(Player(*seat))).fold(0, |all, seat| all | 1 << seat)
    }

    fn shows(&self, view: &View<'_>, seat: Player, value: Value) -> bool {
        match value {
            Value::Object { id, .. } => view.state.board.sees(view.program, seat, id),
            Value::Play { start, count, .. } => {
                let args = self.lists.get(start as usize..start as usize + usize::from(count)).unwrap_or_default();
                args.iter().all(|arg| self.shows(view, seat, *arg))
            }
            _ => true,
        }
    }

    /// Copies the members of lists in the arguments, because the arena is used again.
    fn keep_lists(&mut self, arena: &[Value]) {
        let (first, more): (&mut [Value], &mut [Value]) = match &mut self.traced.step {
            Step::Began(_, args, _) | Step::Processes(_, args) | Step::Performed(_, args, _) | Step::NotPerformed(_, args, _) => {
                (args, &mut [])
            }
            Step::NotReplaced { args, .. } => (args, &mut []),
            Step::Decides { domain, picks, .. } => (domain, picks),
            _ => return,
        };
        for arg in first.iter_mut().chain(more) {
            *arg = engine::keep(*arg, arena, &mut self.lists);
        }
    }
}

fn lists_rule(program: &Program, list: CitesId, rule: &str) -> bool {
    program.rules_beside(list).iter().any(|id| id == rule)
}
