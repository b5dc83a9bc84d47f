//! Footprints: results of trial runs, remembered with everything that they depended on.
//!
//! A trial run that finds out whether an option can be carried out depends on two things. The first is what stands around it: the branch,
//! the effects in force, the verdicts, and the other parts of the state that are compared as a whole ([`Surroundings`]). The second is the
//! single values that it has read ([`readings`]): these are its footprint. If an earlier trial run of the same option with the same
//! arguments had the same surroundings, and all values of its footprint are as they were, the new trial run would have the same result. So
//! it is not made. Debug builds make it and compare.
//!
//! What is remembered names no position. So it stays true whatever state the machine is given next.

use super::options::Row;
use crate::eval::unread;
use crate::ids::{Id, OptionId};
use crate::program::Program;
use crate::run::Run;
use crate::run::scopes::can_be_lost;
use crate::state::board::Board;
use crate::state::readings::{Of, Reading, part};
use crate::state::{Branch, Column, Control, Effect, Effects, Events, Extent, Frame, Held, Role, Scope, ScopeKind, State, Status};
use crate::steps::Observer;
use crate::value::{ObjectId, Place, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The most footprints of one option with certain arguments.
const MOST_OF_ONE: usize = 8;

/// The most values of all footprints together. With more, everything is forgotten.
const MOST_VALUES: usize = 1 << 15;

/// The most values of one footprint.
const MOST_READ: usize = 1024;

/// From this many trial runs of an option on, footprints are noted for each of them only if enough earlier ones have saved a trial run.
const ENOUGH: u32 = 128;

/// One of so many trial runs of an option has to be saved. Otherwise a footprint is noted only for one of so many.
const ONE_OF: u32 = 16;

/// The footprints of a machine.
#[derive(Debug, Default)]
pub(crate) struct Footprints {
    known: FxHashMap<(OptionId, Row), Vec<Footprint>>,
    /// The number of values in them.
    values: usize,
    effects: SeenEffects,
    /// For each option: how often a trial run was wanted, and how often a footprint has saved it.
    uses: Vec<(u32, u32)>,
}

/// A result of a trial run, and what it depended on.
#[derive(Debug)]
struct Footprint {
    around: Surroundings,
    values: Box<[(Reading, u64)]>,
    can: bool,
}

/// The number of everything that every trial run may depend on and that is not noted value by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surroundings(u64);

/// The numbers of the effects and extents of the last offer. An effect that is still the same block of memory has the same number.
#[derive(Debug, Default)]
struct SeenEffects {
    effects: Vec<(Arc<Effect>, u64)>,
    extents: Vec<(Arc<Extent>, u64)>,
}

/// A question that a trial run answers: whether an option can be carried out with these arguments, here.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'s> {
    /// The compiled game.
    pub program: &'s Program,
    /// The state.
    pub state: &'s State,
    /// The branch that makes the offer.
    pub branch: &'s Branch,
    /// What stands around the trial run.
    pub around: Surroundings,
    /// The option and its arguments.
    pub way: (OptionId, &'s Row),
}

impl Footprints {
    /// Whether looking for a footprint of this option, and noting a new one, is likely to save a trial run.
    pub(crate) fn may_help(&mut self, option: OptionId) -> bool {
        if self.uses.len() <= option.index() {
            self.uses.resize(option.index() + 1, (0, 0));
        }
        let Some((wanted, saved)) = self.uses.get_mut(option.index()) else { return false };
        *wanted = wanted.saturating_add(1);
        *wanted < ENOUGH || saved.saturating_mul(ONE_OF) >= *wanted || *wanted % ONE_OF == 0
    }

    /// The result of an earlier trial run of this option that had the same surroundings and read the same values.
    pub(crate) fn find(&mut self, asked: Asked<'_>) -> Option<bool> {
        let (option, row) = asked.way;
        let known = self.known.get(&(option, *row))?;
        let stands = |footprint: &&Footprint| {
            footprint.around == asked.around && footprint.values.iter().all(|(reading, then)| value(asked, *reading) == Some(*then))
        };
        let can = known.iter().rev().find(stands).map(|footprint| footprint.can)?;
        if let Some((_, saved)) = self.uses.get_mut(option.index()) {
            *saved = saved.saturating_add(1);
        }
        Some(can)
    }

    /// Remembers the result of a trial run. `read`: what it has read. A result is not remembered if it depends on very many values, or on
    /// something that is never compared.
    pub(crate) fn keep(&mut self, asked: Asked<'_>, can: bool, read: &[Reading]) {
        if read.len() > MOST_READ {
            return;
        }
        let values: Option<Box<[_]>> = read.iter().map(|reading| Some((*reading, value(asked, *reading)?))).collect();
        let Some(values) = values else { return };
        self.values += values.len();
        if self.values > MOST_VALUES {
            self.known.clear();
            self.values = values.len();
        }
        let (option, row) = asked.way;
        let known = self.known.entry((option, *row)).or_default();
        if known.len() >= MOST_OF_ONE {
            self.values -= known.remove(0).values.len();
        }
        known.push(Footprint { around: asked.around, values, can });
    }
}

fn number(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

fn number_of_all(all: impl Iterator<Item = impl Hash>) -> u64 {
    let mut hasher = FxHasher::default();
    let mut count = 0_u32;
    for one in all {
        one.hash(&mut hasher);
        count += 1;
    }
    count.hash(&mut hasher);
    hasher.finish()
}

/// The number of what was read of a column.
fn of_column<T: Hash, const PART: u8>(column: &Column<T, PART>, of: Of) -> u64 {
    let members = column.unnoted();
    match of {
        Of::One(at) => number(members.get(at)),
        Of::Length => members.len() as u64,
        Of::Whole => number(members),
    }
}

/// The number of a value that was read. `None`: the value is never compared.
fn value(Asked { program, state, branch, .. }: Asked<'_>, reading: Reading) -> Option<u64> {
    let State { board, events, effects, .. } = state;
    let Events { pending, held, together, values, .. } = events;
    Some(match (reading.part(), reading.of()) {
        (part::OBJECTS, of) => of_column(&board.objects, of),
        (part::SPANS, of) => of_column(&board.zones, of),
        (part::EXTRAS, of) => of_column(&board.extras, of),
        (part::CARD_STATES, of) => of_column(&board.card_states, of),
        (part::PLAYER_STATES, of) => of_column(&board.player_states, of),
        (part::PLACES, Of::One(at)) => number(board.cards(Place(u16::try_from(at).ok()?))),
        (part::KNOWN, Of::One(at)) => {
            let id = ObjectId(u16::try_from(at).ok()?);
            // In any order: older rows are sorted, the newest are not.
            board.known.of(id).fold(0, |all, row| u64::wrapping_add(all, number(row)))
        }
        (part::WAITING, Of::One(at)) => number(events.zone(Place(u16::try_from(at).ok()?))),
        (part::OUTSIDE, Of::One(at)) => {
            let outside = pending.unnoted().iter().filter(|pending| pending.place.is_none_or(|place| usize::from(place.0) != at));
            number_of_all(outside.map(|pending| pending.number))
        }
        (part::PENDING, Of::One(at)) => number(events.waiting(u32::try_from(at).ok()?)),
        (part::PENDING, _) => number(pending.unnoted()),
        (part::HELD, _) => {
            let lost = |held: &&Held| program.roles.get(held.role).is_some_and(|def| can_be_lost(def, held));
            number_of_all(held.unnoted().iter().filter(lost).map(|held| (held.role, &held.members)))
        }
        (part::ROLES, Of::One(at)) => number(held.unnoted().iter().rev().find(|held| held.role.index() == at).map(|held| &held.members)),
        (part::OPEN, Of::One(at)) => {
            let within = |scope: &Scope| matches!(scope.kind, ScopeKind::During { duration: Some(of) } if usize::from(of.0) == at);
            let open = effects.open.iter().any(|open| usize::from(open.0) == at);
            u64::from(open) + 2 * u64::from(branch.scopes.iter().any(within))
        }
        (part::HOSTS, _) => {
            let extras = board.extras.unnoted().iter().enumerate().filter(|(_, extra)| extra.host != Value::Undefined);
            number_of_all(extras.map(|(at, extra)| (at, extra.host, extra.arrived)))
        }
        (part::TOGETHER, _) => number(together.unnoted()),
        (part::VALUES, _) => number(values.unnoted()),
        (part::NOW, _) => u64::from(effects.next == effects.now),
        (part::TURN, _) => u64::from(board.turn),
        (part::PHASE, _) => number(board.phase),
        (part::REGISTERS, _) => number((&branch.registers, &branch.lists)),
        _ => return None,
    })
}

impl<O: Observer> Run<'_, O> {
    /// The number of what stands around a trial run for an offer that is made now. `None`: its result is not remembered, because it may
    /// depend on something that is not compared.
    pub(crate) fn surroundings(&mut self, branch: &Branch) -> Option<Surroundings> {
        let plain = self.alone && self.trial.is_none() && self.within.is_empty() && !self.is_any_barred();
        let fixed = self.state.fixed_shuffles.is_empty() && self.state.fixed_draws.is_empty();
        // While the game notes which numbers are read, each trial run has to read them.
        if !plain || !fixed || unread::is_noting() {
            return None;
        }
        let mut to = FxHasher::default();
        self.idle().map(|idle| &idle.rules).hash(&mut to);
        control(&self.state.control, &mut to)?;
        around(self.program, branch, &mut to)?;
        board(&self.state.board, &mut to);
        events(&self.state.events, &mut to);
        effects(&self.state.effects, &mut self.scratch.footprints.effects, &mut to)?;
        Some(Surroundings(to.finish()))
    }
}

/// Adds where the game is. `None` in the middle of something that a trial run does not see.
fn control(control: &Control, to: &mut FxHasher) -> Option<()> {
    // All fields are named, here and below, so that the compiler reports a forgotten one. A trial run has its own branches, counts its own
    // statements and notices no rounds. `written` only saves looks.
    let Control {
        branches: _,
        level,
        judging,
        holding,
        losing,
        winning,
        urgent,
        judged,
        status,
        dirty,
        wrote,
        laid,
        written: _,
        steps: _,
        spent: _,
        // Added by the caller, if it is about this position. A trial run begins without notes about others.
        idle: _,
        goes_round,
        running,
        cycle: _,
        been: _,
    } = control;
    let in_order = (*level, *judging, *holding) == (0, 0, 0) && matches!(status, Status::Running | Status::Asking);
    (losing, winning, urgent, judged, dirty, wrote, laid, goes_round, running).hash(to);
    in_order.then_some(())
}

/// Adds the branch. `None` in the middle of an action or an ability.
fn around(program: &Program, branch: &Branch, to: &mut FxHasher) -> Option<()> {
    let Branch {
        parent,
        level,
        children: _,
        own,
        in_order,
        broke,
        stopped,
        went_through,
        doing: _,
        frames,
        // Noted when something outside of the own frames is read.
        registers: _,
        lists: _,
        collected: _,
        deciding,
        // A trial run begins without attempts, and without places where it was.
        attempts: _,
        shown,
        scopes,
        finals,
        veil,
        veils,
        touched,
        withheld,
        paying,
        been: _,
        unmoved,
    } = branch;
    let plain = parent.is_none()
        && deciding.is_empty()
        && unmoved.is_empty()
        && finals.is_empty()
        && veil.is_none()
        && !paying.is_part
        && paying.taken.is_empty();
    if !plain {
        return None;
    }
    (level, own, in_order, broke, stopped, went_through, shown, veils, touched, withheld).hash(to);
    // Only watched conditions can stop a trial run. Durations are noted, and the values to which a stretch goes back belong to its end.
    for scope in scopes {
        let Scope { number: _, frames: _, attempts, you: _, cause: _, lenient: _, withheld: _, veils: _, shown: _, collected: _, kind } =
            scope;
        if let ScopeKind::Watch { condition, aborted: _ } = kind {
            (attempts, condition).hash(to);
        }
    }
    let (top, below) = frames.split_last()?;
    // The calls around the offer do not go on in a trial run. It asks only what they are for.
    let (mut lenient, mut collects) = (false, false);
    for frame in frames {
        // `top` below names every field.
        if !matches!(frame.role, Role::Plain | Role::Action(_)) || frame.performs.is_some() || frame.replaced {
            return None;
        }
        (lenient, collects) = (lenient | frame.lenient, collects | frame.collects.is_some());
    }
    (lenient, collects, below.iter().any(|frame| matches!(frame.role, Role::Action(_)))).hash(to);
    let asked = top.asked(program);
    let Frame {
        routine: _,
        pc: _,
        base: _,
        lists: _,
        you,
        this,
        cause,
        // `asked` has what counts of them.
        done: _,
        part: _,
        failed,
        any,
        short,
        role,
        // Nothing comes back to this call in a trial run.
        result: _,
        // Looked at above, for all calls.
        lenient: _,
        replaced: _,
        collects: _,
        performs: _,
    } = top;
    // An action that is its moves asks for `any` when it ends. The trial run ends before.
    (you, this, cause, asked, failed, program.asks_part && *any, short, role).hash(to);
    Some(())
}

fn board(board: &Board, to: &mut FxHasher) {
    let Board {
        // These are noted.
        objects: _,
        zones: _,
        slab: _,
        extras: _,
        card_states: _,
        player_states: _,
        known: _,
        phase: _,
        // Numbers that only say which of two cards came first.
        batches: _,
        deciders,
        memory,
        overseen,
        held,
        revealed,
        shown_while,
        // What is known of the states.
        untouched: _,
        rule_truth,
        turn: _,
        versions: _,
    } = board;
    (deciders, memory, overseen, held, revealed, shown_while, rule_truth).hash(to);
}

fn events(events: &Events, to: &mut FxHasher) {
    let Events {
        // A trial run that reads events from before it began is not remembered. The marks only say where in the history to begin.
        history: _,
        lists: _,
        witnessed: _,
        marks: _,
        kept_marks: _,
        // These are noted.
        pending: _,
        in_zones: _,
        held: _,
        heard,
        // The next number is only a name.
        next: _,
        once,
        together: _,
        values: _,
        uses,
    } = events;
    (heard, once, uses).hash(to);
}

/// Adds the effects. `None` if the row of parts is not up to date.
fn effects(effects: &Effects, seen: &mut SeenEffects, to: &mut FxHasher) -> Option<()> {
    let Effects {
        in_force,
        // Numbers are names. Whether an effect has begun since the last batch is noted.
        next: _,
        now: _,
        // The counters follow from the effects.
        watching: _,
        modifying: _,
        disabling: _,
        controlling: _,
        stripping: _,
        granting: _,
        shielding: _,
        withholding: _,
        assuming: _,
        requiring: _,
        order,
        row_version: _,
        // For onlookers only.
        circles: _,
        withdrawn,
        circling,
        looks: _,
        granted,
        awaiting: _,
        falling: _,
        later,
        tells: _,
        begun,
        ended,
        open: _,
        arranged,
        undated,
        switched,
        dated: _,
        asked: _,
        depth: _,
        left_out: _,
        supposed,
    } = effects;
    if *supposed > 0 || !undated.is_empty() {
        return None;
    }
    seen.effects.truncate(in_force.len());
    for (at, effect) in in_force.iter().enumerate() {
        match seen.effects.get_mut(at) {
            Some((known, _)) if Arc::ptr_eq(known, effect) => {}
            Some(slot) => *slot = (Arc::clone(effect), number(effect)),
            None => seen.effects.push((Arc::clone(effect), number(effect))),
        }
    }
    seen.effects.iter().for_each(|(_, number)| number.hash(to));
    let mut at = 0;
    for part in order {
        part.id().hash(to);
        let Some(extent) = &part.extent else { continue };
        match seen.extents.get_mut(at) {
            Some((known, _)) if Arc::ptr_eq(known, extent) => {}
            Some(slot) => *slot = (Arc::clone(extent), number(extent)),
            None => seen.extents.push((Arc::clone(extent), number(extent))),
        }
        seen.extents.get(at).map(|(_, number)| *number).hash(to);
        at += 1;
    }
    seen.extents.truncate(at);
    (in_force.len(), order.len(), withdrawn, circling, granted, later, begun, ended).hash(to);
    (arranged, switched).hash(to);
    Some(())
}

/// Whether values of this row can be compared without the lists of the branch.
pub(crate) fn is_comparable(row: &Row) -> bool {
    !row.iter().any(|value| matches!(value, Value::List { .. }))
}
