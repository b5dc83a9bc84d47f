//! Scratch memory of a machine: spare states, branches and copies that are used again instead of being allocated anew.
//!
//! Nothing here is part of a game's state: none of it is saved, compared or hashed. Each kind of spare has a cap, so a machine that
//! plays game after game keeps its size.

use crate::ids::{Id, OptionId, RuleId};
use crate::legal::cache::FieldCache;
use crate::state::{Before, Branch, State};
use crate::value::{ObjectId, Player, Value};
use std::sync::Arc;

/// The most spare states. A search in a trial run needs one for each of its own questions that are open at once.
const SPARE_STATES: usize = 8;

/// The most spare branches.
const SPARE_BRANCHES: usize = 32;

/// The most spare copies of attempts.
const SPARE_COPIES: usize = 4;

/// Memory that is used again: never saved, compared or hashed.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Branches that have ended.
    #[expect(clippy::vec_box, reason = "they go into a state as they are, without being moved")]
    pub branches: Vec<Box<Branch>>,
    /// A stand-in for the running branch while that branch is taken out of the state. It is always like a new branch.
    pub empty: Option<Box<Branch>>,
    /// States of ended trial runs, and of positions to which a game has gone back.
    #[expect(clippy::vec_box, reason = "a state is large, and is handed on as it is")]
    pub trials: Vec<Box<State>>,
    /// The copies that ended attempts had kept.
    pub kept: Vec<Arc<Before>>,
    /// The memory of trial runs.
    pub trial: Option<Box<Scratch>>,
    /// The effects in force as they were when an onlooker was last told of them.
    pub standing: crate::steps::standing_effects::Standing,
    /// Values that are needed for a moment.
    pub values: Vec<Value>,
    /// Immediate rules that are due after a change.
    pub due: Vec<(RuleId, Player)>,
    /// These rules with the values with which they begin.
    pub rules: Vec<crate::run::rules::Due>,
    /// Moves of a batch.
    pub moves: Vec<crate::actions::moves::Moving>,
    /// Facts about the room in a batch.
    pub room: crate::actions::capacity::Room,
    /// The moves of a batch, which abilities hear of when the batch is over.
    pub batch: crate::abilities::triggers::Batch,
    /// After a move: the places of it for which effects are still to be settled (see `Run::touches`). `None`: nothing is known.
    pub(crate) left_to_settle: Option<crate::bits::Spots>,
    /// Cards whose last state was kept because a life of theirs was to end.
    pub remembered: Vec<ObjectId>,
    /// Cards that are about to leave, each with an effect (by number) that applies to it and goes on doing so.
    pub applied: Vec<(Value, u32)>,
    /// Whether a card has arrived in the batch that is being performed, so that the batch has a number.
    pub counted: bool,
    /// Objects that were made and have left.
    pub gone: Vec<ObjectId>,
    /// The order of the changes of a batch.
    pub order: Vec<(i32, u16)>,
    /// Whether a trial run also decides what a guard decides, to compare the two.
    pub(crate) compares_guards: bool,
    /// Whether a rules error ended the last trial run. Such a run says nothing about a guard.
    pub(crate) trial_failed: bool,
    /// How many verdicts of guards were compared with trials, and how many of them differed.
    pub guards_compared: (u64, u64),
    /// The candidates of the last offer, and the branch that made the offer. None as soon as something may have changed.
    pub candidates: Option<(u16, crate::legal::source::Candidates)>,
    /// Spare memory for candidates.
    pub(crate) spare_candidates: crate::legal::source::Candidates,
    /// Spare memory for the fields of cards that are read while one offer is looked at.
    pub fields: FieldCache,
    /// Base sets of options that were found at earlier offers.
    pub bases: crate::legal::bases::KeptBases,
    /// For each option, how likely it can be carried out, as earlier tries have shown. The greater, the likelier.
    pub(crate) hopes: Vec<u8>,
    /// What trial runs of options have found.
    pub(crate) footprints: crate::legal::footprint::Footprints,
    /// The memory of guards.
    pub guard: crate::legal::guard::GuardMemory,
    /// Whether answers are given in the players' stead, because the players repeat a round.
    pub repeats: bool,
    /// Whether a choice is being tried out, to find whether it leads anywhere.
    pub(crate) sounds: bool,
    /// What is remembered of the last position, for its fingerprint.
    pub seen: crate::state::fingerprint::Seen,
    /// Like `seen`, for positions from which numbers of players are left out.
    pub(crate) seen_but_for_numbers: crate::state::fingerprint::Seen,
    /// Like `seen`, for positions as the innermost call sees them.
    pub(crate) seen_in_calls: crate::state::fingerprint::Seen,
    /// The same for the position as the cards lie.
    pub(crate) seen_as_cards_lie: crate::state::fingerprint::Seen,
    /// The position as it was some time ago, if the flow has gone on for long.
    pub look: Option<crate::run::circles::Look>,
    /// On a copy of the game: the look at rounds that players would repeat.
    pub around: Option<crate::run::rounds::Around>,
    /// Statements carried out, for measuring.
    pub statements: u64,
    /// Trial runs that are over, for measuring.
    pub tried: Tried,
    /// How often the extent of an effect was computed, for measuring.
    pub looked: u64,
}

/// How many trial runs there were, including trial runs inside trial runs, and how many statements they have carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Trial runs.
    pub runs: u64,
    /// Statements carried out in them.
    pub statements: u64,
    /// Trial runs that were not needed, because an earlier one had the same footprint.
    pub remembered: u64,
}

impl Tried {
    /// Adds a trial run that is over, and the trial runs inside it, as its memory has counted them.
    pub(crate) fn add(&mut self, trial: &mut Scratch) {
        let within = std::mem::take(&mut trial.tried);
        self.runs += within.runs + 1;
        self.statements += within.statements + std::mem::take(&mut trial.statements);
    }
}

impl Scratch {
    /// Forgets what was found out about an offer.
    pub(crate) fn forget_candidates(&mut self) {
        if let Some((_, candidates)) = self.candidates.take() {
            self.spare_candidates = candidates;
        }
    }

    /// An empty cache of fields, in the memory of the last one.
    pub(crate) fn take_fields(&mut self) -> FieldCache {
        let mut fields = std::mem::take(&mut self.fields);
        fields.clear();
        fields
    }

    /// How likely an option can be carried out. Only the order in which candidates are looked at depends on this.
    pub(crate) fn hope_of(&self, option: OptionId) -> u8 {
        self.hopes.get(option.index()).copied().unwrap_or(u8::MAX / 2)
    }

    /// Notes whether an option could be carried out.
    pub(crate) fn note_hope(&mut self, option: OptionId, can: bool) {
        if self.hopes.len() <= option.index() {
            self.hopes.resize(option.index() + 1, u8::MAX / 2);
        }
        if let Some(hope) = self.hopes.get_mut(option.index()) {
            *hope = if can { *hope + (u8::MAX - *hope) / 4 } else { *hope - *hope / 4 };
        }
    }

    /// Called when something outside of a run changes or replaces the state.
    pub fn touched(&mut self) {
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
    pub(crate) fn copy_of_branch(&mut self, branch: &Branch) -> Box<Branch> {
        let mut copy = self.branches.pop().unwrap_or_default();
        copy.copy_from(branch);
        copy
    }

    /// Takes back a state that is no longer needed.
    pub(crate) fn spare_state(&mut self, mut state: Box<State>) {
        state.let_go();
        if self.trials.len() < SPARE_STATES {
            self.trials.push(state);
        }
        self.branches.truncate(SPARE_BRANCHES);
    }

    /// The board, effects and events of a state as they are now, for an attempt to go back to.
    pub(crate) fn copy_before(&mut self, state: &State) -> Arc<Before> {
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

    /// Takes back the copy that an attempt kept. If a copy of the branch still holds it too, it is left to that copy.
    pub(crate) fn spare_before(&mut self, before: Option<Arc<Before>>) {
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
