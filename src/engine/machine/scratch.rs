//! Scratch memory of a machine: spare states, branches and copies that are used again instead of being allocated anew.
//!
//! Nothing here is part of a game's state: none of it is saved, compared or hashed. Each kind of spare has a cap, so a machine that
//! plays game after game keeps its size.

use crate::engine::ids::{Id, OptionId, RuleId};
use crate::engine::state::{Before, Branch, State};
use crate::engine::value::{ObjectId, Player, Value};
use std::sync::Arc;

/// Spare states that are kept: a search in a trial run needs one for each of its own questions that are open at once.
const SPARE_STATES: usize = 8;

/// Spare branches that are kept.
const SPARE_BRANCHES: usize = 32;

/// Spare copies of attempts that are kept.
const SPARE_COPIES: usize = 4;

/// Memory that is used again: never saved, compared or hashed.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Branches that have ended.
    #[expect(clippy::vec_box, reason = "they go into a state as they are, without being moved")]
    pub branches: Vec<Box<Branch>>,
    /// Stands for the branch that runs while it is taken out of the state: always one like new.
    pub empty: Option<Box<Branch>>,
    /// States of trial runs that are over, and of positions to which one went back.
    #[expect(clippy::vec_box, reason = "a state is large, and is handed on as it is")]
    pub trials: Vec<Box<State>>,
    /// What attempts that are over had kept.
    pub kept: Vec<Arc<Before>>,
    /// The memory of trial runs.
    pub trial: Option<Box<Scratch>>,
    /// What was so of effects in force when an onlooker was last told.
    pub standing: crate::engine::observe::standing_effects::Standing,
    /// Values on their way.
    pub values: Vec<Value>,
    /// Immediate rules that a change calls for.
    pub due: Vec<(RuleId, Player)>,
    /// The same with what they begin with.
    pub rules: Vec<crate::engine::run::rules::Due>,
    /// Moves of a batch.
    pub moves: Vec<crate::engine::actions::moves::Moving>,
    /// Where the cards of a batch have room.
    pub room: crate::engine::actions::capacity::Room,
    /// What is heard of a batch of moves when it is over.
    pub batch: crate::engine::abilities::triggers::Batch,
    /// Cards of which something was kept because a life of theirs was to end.
    pub remembered: Vec<ObjectId>,
    /// Cards that are about to leave, with the effects (by number) that apply to them and go on doing so.
    pub applied: Vec<(Value, u32)>,
    /// Something has come somewhere in the batch that is being performed.
    pub counted: bool,
    /// Objects that were made and have left.
    pub gone: Vec<ObjectId>,
    /// The order of a batch.
    pub order: Vec<(i32, u16)>,
    /// What is kept on tracks and on the line.
    pub luggage: Option<Box<crate::engine::lane::Luggage>>,
    /// The line has asked, nothing has been touched since, and it goes on there with the answers.
    pub paused: Option<u32>,
    /// What a guard decides is tried as well, and compared.
    pub compares_guards: bool,
    /// A rules error ended the trial run that was over last: it tells nothing about a guard.
    pub trial_failed: bool,
    /// How many verdicts of guards were compared with trials, and how many of them differed.
    pub guards_compared: (u64, u64),
    /// The candidates of the offer that was made last, and which branch made it; nothing once something may have changed since.
    pub candidates: Option<(u16, crate::engine::legal::source::Candidates)>,
    /// Memory of such.
    pub spare_candidates: crate::engine::legal::source::Candidates,
    /// Base sets of options that were found at earlier offers.
    pub bases: crate::engine::legal::bases::KeptBases,
    /// For each option whether it could be carried out when that was looked at last: the more, the higher.
    pub hopes: Vec<u8>,
    /// The memory of guards.
    pub guard: crate::engine::legal::guard::GuardMemory,
    /// What the lane remembers.
    pub lane: crate::engine::lane::Lane,
    /// What is answered now is answered in the players' stead: a round that they repeat.
    pub repeats: bool,
    /// It is tried out whether a choice leads anywhere.
    pub sounds: bool,
    /// What is remembered of the last position.
    pub seen: crate::engine::state::fingerprint::Seen,
    /// The same, of positions of which numbers of players are left out.
    pub seen_but_for_numbers: crate::engine::state::fingerprint::Seen,
    /// The same, of positions as the innermost call sees them.
    pub seen_in_calls: crate::engine::state::fingerprint::Seen,
    /// What the position looked like some time ago, when the flow has run for long.
    pub look: Option<crate::engine::run::circles::Look>,
    /// Statements carried out, for measuring.
    pub statements: u64,
    /// Trial runs that are over, for measuring.
    pub tried: Tried,
    /// How often it was worked out anew what an effect applies to, for measuring.
    pub looked: u64,
}

/// How many trial runs there were, those within one another too, and how many statements they have carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Trial runs.
    pub runs: u64,
    /// Statements carried out in them.
    pub statements: u64,
}

impl Tried {
    /// Adds a trial run that is over, with those within it: what its memory has counted.
    pub(in crate::engine) fn add(&mut self, trial: &mut Scratch) {
        let within = std::mem::take(&mut trial.tried);
        self.runs += within.runs + 1;
        self.statements += within.statements + std::mem::take(&mut trial.statements);
    }
}

impl Scratch {
    /// What was found out about an offer is not so any more.
    pub fn forget_candidates(&mut self) {
        if let Some((_, candidates)) = self.candidates.take() {
            self.spare_candidates = candidates;
        }
    }

    /// Whether there is hope that an option can be carried out. Only the order in which candidates are looked at follows from it.
    pub fn hope_of(&self, option: OptionId) -> u8 {
        self.hopes.get(option.index()).copied().unwrap_or(u8::MAX / 2)
    }

    /// Notes whether an option could be carried out.
    pub fn note_hope(&mut self, option: OptionId, can: bool) {
        if self.hopes.len() <= option.index() {
            self.hopes.resize(option.index() + 1, u8::MAX / 2);
        }
        if let Some(hope) = self.hopes.get_mut(option.index()) {
            *hope = if can { *hope + (u8::MAX - *hope) / 4 } else { *hope - *hope / 4 };
        }
    }

    /// Somebody has taken the state into their own hands.
    pub fn touched(&mut self) {
        self.paused = None;
        self.forget_candidates();
    }

    /// A copy of a state, in the memory of a spare one if there is one.
    pub fn copy_of(&mut self, state: &State) -> Box<State> {
        match self.trials.pop() {
            Some(mut spare) => {
                spare.copy_from(state, &mut self.branches);
                spare
            }
            None => Box::new(state.clone()),
        }
    }

    /// A copy of a branch, in the memory of a spare one if there is one.
    pub fn copy_of_branch(&mut self, branch: &Branch) -> Box<Branch> {
        let mut copy = self.branches.pop().unwrap_or_default();
        copy.copy_from(branch);
        copy
    }

    /// Takes back a state that is no longer needed.
    pub fn spare_state(&mut self, mut state: Box<State>) {
        state.let_go();
        if self.trials.len() < SPARE_STATES {
            self.trials.push(state);
        }
        self.branches.truncate(SPARE_BRANCHES);
    }

    /// The board, effects and events of a state as they are now, for an attempt to go back to.
    pub fn copy_before(&mut self, state: &State) -> Arc<Before> {
        let State { board, effects, events, .. } = state;
        if let Some(mut spare) = self.kept.pop()
            && let Some(before) = Arc::get_mut(&mut spare)
        {
            before.0.copy_from(board);
            before.1.copy_from(effects);
            before.2.copy_from(events);
            return spare;
        }
        Arc::new((board.clone(), effects.clone(), events.clone()))
    }

    /// Takes back what an attempt kept. A copy of its branch may still hold it too: then it is left to that copy.
    pub fn spare_before(&mut self, before: Option<Arc<Before>>) {
        if let Some(mut before) = before
            && self.kept.len() < SPARE_COPIES
            && let Some((board, _, events)) = Arc::get_mut(&mut before)
        {
            board.known.clear();
            events.let_go();
            self.kept.push(before);
        }
    }
}
