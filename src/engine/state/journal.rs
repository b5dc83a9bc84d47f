//! A journal: for each step of a game, the old values of everything that the step changed. The journal alone is enough to take the steps
//! back, one by one.
//!
//! A step is noted by comparing the state before with the state after, part by part; equal parts cost nothing to keep. The journal holds
//! old values, not actions, so it cannot disagree with any way of acting. Attempts and trial runs keep copies instead (see
//! [`crate::engine::legal::attempt`]): they are too frequent for a comparison of whole states.
//!
//! | file | does |
//! | --- | --- |
//! | `row.rs` | the difference of two sequences |

mod row;

use crate::engine::eval::witnessed::WitnessedRows;
use crate::engine::ids::{ClauseId, DurationId, PhaseId, RuleId, TextId};
use crate::engine::random::Generator;
use crate::engine::state::board::{Board, Extra, Object, Span};
use crate::engine::state::last_known::KnownRows;
use crate::engine::state::{
    Been, Branch, Control, Cycle, Effect, Effects, Event, Events, GrantedAbility, Held, Idle, KeptMark, Late, Part, Pending, RuleEvent,
    Shown, State, Status, Together, Used,
};
use crate::engine::value::{ObjectId, Place, Player, Value};
pub use row::Row;
use row::Was;
use std::sync::Arc;

/// Lists the parts of a state: those that are kept member by member, and those that are kept whole.
macro_rules! parts {
    (rows { $($row:ident: $member:ty = $($in_row:ident).+;)* } values { $($value:ident: $type:ty = $($in_value:ident).+;)* }) => {
        /// The old value of one part of a state.
        #[derive(Clone, Debug)]
        enum Old {
            $($row(Was<$member>),)*
            $($value($type),)*
        }

        /// The old values of all parts in which two states differ.
        fn differences(before: &State, after: &State) -> Vec<Old> {
            let mut olds = Vec::new();
            $(olds.extend(row::difference(&before.$($in_row).+, &after.$($in_row).+).map(Old::$row));)*
            $(if before.$($in_value).+ != after.$($in_value).+ {
                olds.push(Old::$value(before.$($in_value).+.clone()));
            })*
            olds
        }

        /// Gives a part its old value back.
        fn put_back(state: &mut State, old: Old) {
            match old {
                $(Old::$row(was) => row::put_back(&mut state.$($in_row).+, was),)*
                $(Old::$value(was) => state.$($in_value).+ = was,)*
            }
        }
    };
}

parts! {
    rows {
        Objects: Object = board.objects;
        Zones: Span = board.zones;
        Slab: ObjectId = board.slab;
        Extras: Extra = board.extras;
        Deciders: Player = board.deciders;
        Memory: u8 = board.memory;
        Overseen: (ObjectId, Player) = board.overseen;
        HeldBy: (ObjectId, Player, u32) = board.held;
        Revealed: (Shown, DurationId) = board.revealed;
        ShownWhile: (Shown, u32) = board.shown_while;
        CardStates: Value = board.card_states;
        PlayerStates: Value = board.player_states;
        RuleTruth: bool = board.rule_truth;
        InForce: Arc<Effect> = effects.in_force;
        Watching: u16 = effects.watching;
        Modifying: u16 = effects.modifying;
        Order: Part = effects.order;
        Withdrawn: u32 = effects.withdrawn;
        Circling: u32 = effects.circling;
        Granted: GrantedAbility = effects.granted;
        Later: Effect = effects.later;
        Begun: u32 = effects.begun;
        Ended: Effect = effects.ended;
        Open: DurationId = effects.open;
        Undated: (u32, (u16, u16)) = effects.undated;
        Switched: (u32, Option<u32>) = effects.switched;
        History: Event = events.history;
        Lists: Value = events.lists;
        Marks: (TextId, u32) = events.marks;
        KeptMarks: KeptMark = events.kept_marks;
        Waiting: Arc<Pending> = events.pending;
        InZones: (Place, Vec<(u32, u32)>) = events.in_zones;
        Heard: RuleEvent = events.heard;
        Held: Held = events.held;
        Once: (TextId, ClauseId, Value) = events.once;
        Together: Together = events.together;
        Values: Vec<(Value, Value)> = events.values;
        Uses: Used = events.uses;
        Branches: Box<Branch> = control.branches;
        Running: (RuleId, Player) = control.running;
        FixedShuffles: (Place, Vec<ObjectId>) = fixed_shuffles;
        FixedDraws: Value = fixed_draws;
    }
    values {
        Batches: u32 = board.batches;
        Known: KnownRows = board.known;
        Seen: WitnessedRows = events.witnessed;
        Turn: u32 = board.turn;
        Phase: Option<PhaseId> = board.phase;
        NextEffect: u32 = effects.next;
        Now: u32 = effects.now;
        Dated: (u32, u32, u64) = effects.dated;
        Disabling: u16 = effects.disabling;
        Controlling: u16 = effects.controlling;
        Stripping: u16 = effects.stripping;
        Granting: u16 = effects.granting;
        Shielding: u16 = effects.shielding;
        Withholding: u16 = effects.withholding;
        Assuming: u16 = effects.assuming;
        Requiring: u16 = effects.requiring;
        Looks: u64 = effects.looks;
        Awaiting: u16 = effects.awaiting;
        Falling: bool = effects.falling;
        Tells: bool = effects.tells;
        Arranged: bool = effects.arranged;
        Supposed: u8 = effects.supposed;
        NextEvent: u32 = events.next;
        Level: u16 = control.level;
        Judging: u16 = control.judging;
        Holding: u16 = control.holding;
        Losing: u8 = control.losing;
        Winning: u8 = control.winning;
        Urgent: bool = control.urgent;
        Judged: bool = control.judged;
        StatusOf: Status = control.status;
        Dirty: u64 = control.dirty;
        Wrote: bool = control.wrote;
        Laid: bool = control.laid;
        Steps: u32 = control.steps;
        IdleOf: Option<Arc<Idle>> = control.idle;
        CycleOf: Option<Arc<Cycle>> = control.cycle;
        BeenOf: Option<Arc<Been>> = control.been;
        Chance: Generator = generator;
    }
}

/// Names every field of a state, so that the compiler reports a new field here. A new field must be added to the parts above.
#[rustfmt::skip]
const fn every_part_is_named(state: &State) {
    let State { board, effects, events, control, generator: _, fixed_shuffles: _, fixed_draws: _ } = state;
    let Board {
        objects: _, zones: _, slab: _, extras: _, batches: _, deciders: _, memory: _, overseen: _, held: _, revealed: _, shown_while: _,
        card_states: _, untouched: _, player_states: _, known: _, rule_truth: _, turn: _, phase: _,
        versions: _,
    } = board;
    let Effects {
        in_force: _, next: _, now: _, watching: _, modifying: _, disabling: _, controlling: _, stripping: _, granting: _, shielding: _,
        withholding: _, assuming: _, requiring: _, order: _, row_version: _, circles: _, late: _, withdrawn: _, circling: _, looks: _, granted: _, awaiting: _, falling: _, later: _,
        tells: _, begun: _, ended: _, open: _, arranged: _, undated: _, switched: _, dated: _, asked: _, depth: _, left_out: _, supposed: _,
    } = effects;
    let Events {
        history: _, lists: _, witnessed: _, marks: _, kept_marks: _, pending: _, in_zones: _, heard: _, held: _, next: _, once: _, together: _, values: _, uses: _,
    } = events;
    let Control {
        branches: _, level: _, judging: _, holding: _, losing: _, winning: _, urgent: _, judged: _, status: _, dirty: _, wrote: _, laid: _, written: _, steps: _, spent: _,
        idle: _, goes_round: _, running: _, cycle: _, been: _,
    } = control;
}

/// The old values of everything that a step changed.
#[derive(Clone, Debug)]
struct Step {
    olds: Vec<Old>,
    /// Kept for every step, because comparing states ignores postponed work.
    late: Late,
}

/// The old values of everything that each step of a game changed, the oldest step first.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    steps: Vec<Step>,
}

impl Journal {
    /// The number of steps that can be taken back.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether no step can be taken back.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Notes the step that led from one state to another.
    pub fn note(&mut self, before: &State, after: &State) {
        every_part_is_named(before);
        self.steps.push(Step { olds: differences(before, after), late: before.effects.late.clone() });
    }

    /// Takes the last step back: turns `state`, to which the step led, into the state before the step. False if there is no step left.
    pub fn take_back(&mut self, state: &mut State) -> bool {
        let Some(step) = self.steps.pop() else { return false };
        step.olds.into_iter().for_each(|old| put_back(state, old));
        state.effects.late = step.late;
        state.effects.row_version.touch();
        state.control.written.all();
        state.board.untouched.forget();
        state.board.versions.touch_all();
        true
    }
}
