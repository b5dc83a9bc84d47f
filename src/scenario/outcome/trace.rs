//! Records what a run did, step by step, with all rules that each step carries out.
//!
//! Input: the machine's steps. Output: the touched rules in order, the forced decisions, and the last lines for a failure. Full traces for
//! reading are made in `report/trace/`.

use crate::outcome::bodies::Bodies;
use crate::outcome::touched::CardsSeen;
use crate::outcome::words::{Gone, Speaker};
use crate::running::unasked::Keeps;
use engine::abilities::without_effect;
use engine::ids::{AbilityId, CitesId, StateId, VerbId};
use engine::machine::{Given, Machine};
use engine::program::{Builtin, ClauseDef, ClauseKind, KindDef, Op, Principle, Program, ZoneDef};
use engine::state::board::zone_of;
use engine::state::{Holds, State};
use engine::steps::{Inside, Observer, Step, Stretch, Traced, Unfit, View, Why};
use engine::value::{Place, Player, Value};
use engine::why::{History, rules_of_layers};
use lang::diagnostic::Language;
use lang::syntax::ast::Until;
use std::collections::{BTreeSet, VecDeque};

/// How many lines of the trace a failure shows.
const LAST_LINES: usize = 12;

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

    /// The last steps in words.
    #[must_use]
    pub(crate) fn last_lines(&self, program: &Program, state: &State, language: Language) -> Vec<String> {
        // Steps that say nothing new are left out: an action is shown by its event, and the end of a block does nothing.
        let told = |op: &Op| op.ends_block() || matches!(op, Op::MoveTop { .. } | Op::Builtin { .. } | Op::Perform { .. });
        let silent =
            |record: &&Record| matches!(record.traced.step, Step::Statement(_)) && program.code.get(record.traced.at).is_some_and(told);
        let mut last: Vec<&Record> = self.records().iter().rev().filter(|record| !silent(record)).take(LAST_LINES).collect();
        last.reverse();
        let line =
            |record: &&Record| Speaker { program, state, lists: &record.lists, gone: Some(&self.gone), language }.step(&record.traced);
        last.iter().map(line).collect()
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

/// The rules that a step carries out by itself, whatever its statement cites: those by which an effect applies in its layers, an ability
/// waits, the number of its uses is used up, an effect does not replace an action, and a card that moves becomes a new one or is hidden again.
#[must_use]
pub fn of_step(view: &View<'_>, step: &Step) -> Vec<CitesId> {
    let program = view.program;
    let found: Vec<CitesId> = match step {
        Step::EffectBegins(number) => {
            let effect = view.state.effects.in_force.iter().find(|effect| effect.number == *number);
            let clause = effect.and_then(|effect| program.clauses.get(effect.clause));
            clause.into_iter().flat_map(|clause| std::iter::once(clause.cites).chain(rules_of_layers(program, clause))).collect()
        }
        Step::EffectEnds(number) => of_holder(view, *number),
        Step::Waits(pending, _) | Step::Dropped(pending) | Step::Enters(pending, _) => of_waiting(view, *pending),
        Step::NotUsed { why: Why::UsedUp, .. } | Step::NotReplaced { .. } => citations_beside(view, step),
        Step::Performed(id, args, _) => of_performed(program, *id, args).into_iter().collect(),
        _ => Vec::new(),
    };
    found.into_iter().filter(|list| *list != CitesId::default()).collect()
}

/// The rules that prevent an action, for a step that reports that the action was not done. Empty if no rule prevented it, for example if
/// there was no card to do it to.
#[must_use]
pub fn kept_from(view: &View<'_>, step: &Step) -> Vec<CitesId> {
    let found = match step {
        Step::NotPerformed(_, args, why @ Why::Full) => {
            of_reason(view, *why).into_iter().chain(of_full_zone(view.program, args, *why)).collect()
        }
        Step::NotPerformed(_, _, why @ (Why::Already | Why::NoTimes | Why::Undefined)) => of_reason(view, *why),
        Step::NotPerformed(_, _, Why::Forbidden(number)) => {
            of_clause(view, *number).into_iter().chain([view.program.principle(Principle::Forbidden)]).collect()
        }
        Step::NotUsed { ability, why: Why::Inactive } => without_effect::rules(view.program, view.state, *ability).to_vec(),
        Step::NotUsed { why: Why::Disabled(number), .. } => of_clause(view, *number).into_iter().collect(),
        _ => Vec::new(),
    };
    found.into_iter().filter(|list| *list != CitesId::default()).collect()
}

/// The citations of the thing that a step is about. They are read at once, because an effect may be gone later.
pub(super) fn citations_beside(view: &View<'_>, step: &Step) -> Vec<CitesId> {
    let program = view.program;
    let verb = |id: VerbId| program.verbs.get(id).map(|verb| verb.name.cites);
    let found: Vec<CitesId> = match step {
        Step::Performed(id, args, _) => verb(*id).into_iter().chain(of_performed(program, *id, args)).collect(),
        Step::Began(id, ..) | Step::Processes(id, _) => verb(*id).into_iter().collect(),
        Step::NotPerformed(id, args, Why::Unmet) => verb(*id).into_iter().chain(engine::why::unmet(view, *id, args).0).collect(),
        Step::NotPerformed(id, args, why) => {
            verb(*id).into_iter().chain(of_reason(view, *why)).chain(of_full_zone(program, args, *why)).collect()
        }
        Step::NotUsed { ability, why } => match ability {
            found @ Value::Ability { ability, .. } => {
                let limit = kind_of(program, *ability).map(|kind| kind.limit_cites).filter(|_| *why == Why::UsedUp);
                if *why == Why::Inactive {
                    return without_effect::rules(program, view.state, *found).to_vec();
                }
                of_ability(program, *ability).into_iter().chain(of_reason(view, *why)).chain(limit).collect()
            }
            Value::Pending(number) => {
                let kind = view.state.events.waiting(*number).and_then(|pending| program.kinds.get(pending.kind()?));
                let limit = kind.map(|kind| kind.limit_cites).filter(|_| *why == Why::UsedUp);
                of_waiting(view, *number).into_iter().chain(of_reason(view, *why)).chain(limit).collect()
            }
            _ => of_reason(view, *why),
        },
        Step::Ability { ability, .. } => ability.iter().flat_map(|id| of_use(program, *id)).collect(),
        Step::Waits(pending, _) | Step::Dropped(pending) | Step::Enters(pending, _) => of_waiting(view, *pending),
        Step::Rule(rule, _) => program.rules.get(*rule).map(|rule| rule.name.cites).into_iter().collect(),
        Step::Decides { choice, .. } => {
            program.choices.get(*choice).into_iter().flat_map(|choice| [choice.name.cites, choice.declared_cites]).collect()
        }
        Step::NotReplaced { effect, .. } => of_effect(view, *effect),
        Step::Unfit { why: Unfit::Withheld(number), .. } => of_effect(view, *number),
        Step::Unfit { .. } | Step::Circle | Step::NobodyAsked(_) => Vec::new(),
        Step::RoleLost(role, _) => program.roles.get(*role).map(|role| role.name.cites).into_iter().collect(),
        Step::Concedes(_) => program.concede.into_iter().collect(),
        Step::Phase(phase) => program.phases.get(*phase).map(|phase| phase.name.cites).into_iter().collect(),
        Step::EffectBegins(number) | Step::EffectEnds(number) | Step::Priced { effect: number, .. } => of_effect(view, *number),
        // The condition belongs to the clause. The other rules of the effect are recorded where it begins.
        Step::Condition { effect, .. } => of_clause(view, *effect).into_iter().collect(),
        Step::Silenced { by, .. } => of_effect(view, *by),
        Step::EffectCircle(_) | Step::Back(_) => Vec::new(),
        Step::Turn(_) | Step::Statement(_) | Step::Operand(..) | Step::Verdict(..) | Step::Judged | Step::Over(_) => Vec::new(),
        Step::TooFew { .. } | Step::AttemptFails | Step::NotAttempted | Step::Aborted | Step::Failed(_) => Vec::new(),
        Step::GoesAway(_) | Step::Due(..) | Step::Short { .. } | Step::Unmatched(..) => Vec::new(),
    };
    found.into_iter().filter(|list| *list != CitesId::default()).collect()
}

fn of_ability(program: &Program, id: AbilityId) -> Vec<CitesId> {
    let (Some(ability), Some(kind)) = (program.abilities.get(id), kind_of(program, id)) else { return Vec::new() };
    // An ability with its own zones does not follow the zones of its kind.
    let zones = (kind.zones == ability.zones).then_some(kind.zones_cites);
    let keyword = ability.keyword.and_then(|keyword| program.keywords.get(keyword)).map(|keyword| keyword.name.cites);
    [ability.cites, kind.name.cites].into_iter().chain(zones).chain(keyword).collect()
}

/// The rules of a performed ability: its own, and those of its kind about the number of uses and about costs.
fn of_use(program: &Program, id: AbilityId) -> Vec<CitesId> {
    let slots = kind_of(program, id).map(|kind| [kind.limit_cites, kind.costs_cites]);
    of_ability(program, id).into_iter().chain(slots.into_iter().flatten()).collect()
}

fn kind_of(program: &Program, id: AbilityId) -> Option<&KindDef> {
    program.abilities.get(id).and_then(|ability| program.kinds.get(ability.kind))
}

/// The rules of things that the engine itself does with a builtin verb: shown cards are hidden again, a card that leaves becomes a new one.
fn of_performed(program: &Program, verb: VerbId, args: &[Value]) -> Option<CitesId> {
    let builtin = Builtin::ALL.into_iter().find(|builtin| builtin.verb() == verb)?;
    match (builtin, args.get(4)) {
        (Builtin::Reveal, _) => Some(program.principle(Principle::Revealed)),
        (Builtin::Look, _) => Some(program.principle(Principle::Looked)),
        (Builtin::Move, Some(Value::Zone(from))) => {
            let Some(Value::Zone(to)) = args.get(1) else { return None };
            program.moves.carry(zone_of(program, *from).0, zone_of(program, *to).0).map(|carry| carry.cites)
        }
        _ => None,
    }
}

fn of_full_zone(program: &Program, args: &[Value], why: Why) -> Option<CitesId> {
    match args.get(1) {
        Some(Value::Zone(to)) if why == Why::Full => zone_at(program, *to).map(|zone| zone.capacity_cites),
        _ => None,
    }
}

fn zone_at(program: &Program, place: Place) -> Option<&ZoneDef> {
    program.zones.get(zone_of(program, place).0)
}

fn of_reason(view: &View<'_>, why: Why) -> Vec<CitesId> {
    let principle = |principle: Principle| vec![view.program.principle(principle)];
    match why {
        Why::Forbidden(number) => of_effect(view, number).into_iter().chain(principle(Principle::Forbidden)).collect(),
        Why::Replaced(number) | Why::Disabled(number) => of_effect(view, number),
        Why::Lost(by) => by.map_or_else(Vec::new, |by| of_effect(view, by)),
        Why::Undefined => principle(Principle::Undefined),
        Why::Nothing | Why::Full | Why::Taken => principle(Principle::Impossible),
        Why::NoTimes => principle(Principle::NoTimes),
        Why::Already => principle(Principle::Already),
        Why::Inactive | Why::Bodiless | Why::UsedUp | Why::Left | Why::Unmet => Vec::new(),
    }
}

/// The rules of an effect's clause, without those of its source.
#[must_use]
pub fn of_clause(view: &View<'_>, number: u32) -> Option<CitesId> {
    let effect = view.state.effects.in_force.iter().find(|effect| effect.number == number)?;
    view.program.clauses.get(effect.clause).map(|clause| clause.cites)
}

fn of_effect(view: &View<'_>, number: u32) -> Vec<CitesId> {
    let Some(effect) = view.state.effects.in_force.iter().find(|effect| effect.number == number) else { return Vec::new() };
    let clause = view.program.clauses.get(effect.clause);
    let fields = clause.into_iter().flat_map(|clause| of_changes(view.program, clause));
    let clause = clause.map(|clause| clause.cites).into_iter().chain(fields);
    clause.chain(of_holder(view, number)).collect()
}

/// The rules of that by which an effect holds: its ability, its duration, or the rule from which it comes.
fn of_holder(view: &View<'_>, number: u32) -> Vec<CitesId> {
    let Some(effect) = view.state.effects.in_force.iter().find(|effect| effect.number == number) else { return Vec::new() };
    match effect.holds {
        Holds::Static(ability) | Holds::Granted(ability, _) => of_ability(view.program, ability),
        Holds::Lasting(duration) => {
            let duration = view.program.durations.get(duration).map(|duration| duration.cites);
            duration.into_iter().chain(engine::why::rules_of_need(view.program, effect)).collect()
        }
        Holds::Rule(rule) => view.program.rules.get(rule).map(|rule| rule.name.cites).into_iter().collect(),
    }
}

/// The rules of the changed fields and of the layers.
fn of_changes<'p>(program: &'p Program, clause: &'p ClauseDef) -> impl Iterator<Item = CitesId> + 'p {
    let changes = if let ClauseKind::Modify { changes, .. } = &clause.kind { changes.as_slice() } else { &[] };
    let fields = changes.iter().filter_map(|change| program.fields.get(change.field));
    fields.flat_map(|field| [field.name.cites, field.at_least_cites]).chain(rules_of_layers(program, clause))
}

fn of_waiting(view: &View<'_>, number: u32) -> Vec<CitesId> {
    use engine::state::Waits;
    let Some(pending) = view.state.events.waiting(number) else { return Vec::new() };
    match pending.waits {
        Waits::Triggered(kind, clause) => {
            let kind = view.program.kinds.get(kind).map(|kind| kind.name.cites);
            view.program.clauses.get(clause).map(|clause| clause.cites).into_iter().chain(kind).collect()
        }
        Waits::Announced(kind) => {
            let kind = view.program.kinds.get(kind).map(|kind| kind.name.cites);
            let ability = pending.ability.and_then(|ability| view.program.abilities.get(ability)).map(|ability| ability.cites);
            kind.into_iter().chain(ability).collect()
        }
        Waits::PutBy(moment) => view.program.moments.get(moment).map(|moment| moment.cites).into_iter().collect(),
        Waits::Declared(option) => {
            let verb = view.program.options.get(option).and_then(|option| view.program.verbs.get(option.verb));
            verb.map(|verb| verb.name.cites).into_iter().collect()
        }
    }
}
