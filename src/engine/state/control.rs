//! Where the game is: branches, verdicts, how it ended.

use super::{Branch, Effects, MOST_ARGUMENTS, Withheld, Written};
use crate::engine::answer::Given;
use crate::engine::board::Board;
use crate::engine::ids::{ChoiceId, OptionId, Pc, RuleId};
use crate::engine::limits::PLAYERS;
use crate::engine::value::{Place, Player, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where the game is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Control {
    /// The flow is branch 0; the others are branches of `simultaneously` and of immediate rules. One is taken out while it runs,
    /// which moves a pointer.
    pub branches: Vec<Box<Branch>>,
    /// Only branches of the highest level run; immediate rules in the middle of something are one level higher.
    pub level: u16,
    /// How deep in `judge together`.
    pub judging: u16,
    /// How deep in `atomically`.
    pub holding: u16,
    /// Verdicts of losing, a bit for each player.
    pub losing: u8,
    /// Verdicts of winning.
    pub winning: u8,
    /// One of them is judged at once: no rule that runs holds it back.
    #[serde(default)]
    pub urgent: bool,
    /// The judgement has begun: verdicts are no longer raised.
    pub judged: bool,
    /// What the machine is doing.
    pub status: Status,
    /// Places whose cards changed since immediate rules were looked at, a bit each (modulo 64).
    pub dirty: u64,
    /// What no zone shows has changed since then (a state, what waits): rules that read more than zones are looked at.
    pub wrote: bool,
    /// What it was, as far as conditions of such rules are known to read no more.
    #[serde(skip)]
    pub written: Written,
    /// Statements carried out since the last decision.
    pub steps: u32,
    /// What has been tried in the present position and came to nothing.
    pub idle: Option<Arc<Idle>>,
    /// The flow has come round to a position by itself, and nobody has decided anything since. Never so where a decision is open.
    #[serde(skip)]
    pub goes_round: bool,
    /// Rules in state form that run now.
    pub running: Vec<(RuleId, Player)>,
    /// What is kept of decisions that may bring a position back, where players name how often that is repeated.
    pub cycle: Option<Arc<Cycle>>,
}

impl Control {
    /// Verdicts wait that nothing holds back: no flow, and no immediate rule in the middle of something, unless one is to be judged at once.
    #[must_use]
    pub fn is_to_judge(&self) -> bool {
        let raised = self.losing | self.winning != 0 && !self.judged;
        raised && self.judging == 0 && (self.level == 0 || self.urgent)
    }

    /// The cards of a place have changed.
    #[inline]
    pub fn changed_in(&mut self, place: Place) {
        let bit = crate::engine::change::bit(place);
        self.dirty |= bit;
        self.written.places(bit);
    }

    /// Anything may have changed.
    pub fn changed_anywhere(&mut self) {
        self.dirty = u64::MAX;
        self.written.all();
    }

    /// What is kept of decisions, to be changed. Copies of the state share it until then.
    pub fn cycle_mut(&mut self) -> Option<&mut Cycle> {
        self.cycle.as_mut().map(Arc::make_mut)
    }

    /// What is held back by a branch: beside others of its kind its own part, else all of it.
    #[must_use]
    pub fn withheld(&self, branch: &Branch) -> Withheld {
        if branch.parent.is_some() { branch.withheld } else { Withheld { judging: self.judging, holding: self.holding } }
    }

    /// A branch is again where it held back so much: what it has begun to hold back since is let go, what others hold back is not.
    pub fn hold_again(&mut self, branch: &mut Branch, to: Withheld) {
        let now = self.withheld(branch);
        self.judging = self.judging.saturating_sub(now.judging.saturating_sub(to.judging));
        self.holding = self.holding.saturating_sub(now.holding.saturating_sub(to.holding));
        branch.withheld = if branch.parent.is_some() { to } else { Withheld::default() };
    }

    /// A `judge together` begins, or ends; with what the branch itself holds back, where that is kept.
    pub fn judge_together(&mut self, own: Option<&mut Withheld>, begins: bool) {
        deeper(&mut self.judging, own.map(|own| &mut own.judging), begins);
    }

    /// The same of an `atomically`.
    pub fn hold(&mut self, own: Option<&mut Withheld>, begins: bool) {
        deeper(&mut self.holding, own.map(|own| &mut own.holding), begins);
    }
}

fn deeper(all: &mut u16, own: Option<&mut u16>, begins: bool) {
    for depth in [Some(all), own].into_iter().flatten() {
        *depth = if begins { depth.saturating_add(1) } else { depth.saturating_sub(1) };
    }
}

/// Decisions that may bring a position back (see `engine/laps.rs`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cycle {
    /// Positions at offers and optional steps, oldest first.
    pub laps: Vec<Lap>,
    /// What has been answered since the first of them.
    pub answers: Vec<Answered>,
    /// What chance would have given then.
    pub chance: u64,
    /// The answers that have brought a position back.
    pub round: Vec<Answered>,
    /// Who is still to name how often it is repeated.
    pub asked: Vec<Player>,
    /// What the others have named.
    pub named: Vec<(Player, u32)>,
    /// What the position looked like at the offer or step that was come to last.
    pub here: Fingerprint,
    /// What it looked like where branches came to one last.
    pub stood: Vec<Stood>,
    /// How often it is still to be repeated.
    pub left: u32,
    /// Which answer of it comes next.
    pub at: u16,
    /// What players do not take again, and what does not free them from that; the oldest first.
    pub barred: Vec<Barred>,
}

/// Where a branch came last to an offer or a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stood {
    /// Which branch.
    pub at: u16,
    /// What the position looked like.
    pub seen: Fingerprint,
    /// Numbers have been named, and it comes there again without having gone on.
    pub again: bool,
}

/// What a player has taken in a round that was repeated as often as was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Barred {
    /// What was taken.
    pub taken: Taken,
    /// It is not taken again; else it is another part of such a round.
    pub first: bool,
    /// In the position that looks so; none: in any.
    pub only_at: Option<Fingerprint>,
}

/// A number for what a position looked like, in two halves (a save has no larger numbers).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint(u64, u64);

impl From<u128> for Fingerprint {
    fn from(number: u128) -> Self {
        Self((number >> 64) as u64, number as u64)
    }
}

/// What somebody took of what could be done or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Taken {
    /// An option of an offer: its arguments, and where among them the player is.
    Option(OptionId, [Value; MOST_ARGUMENTS], u8),
    /// An optional step: what was asked, of which card's ability, whom.
    Step(ChoiceId, Value, Player),
    /// Something out of which nothing need be chosen: what was asked, of which card's ability, what was chosen first, by whom.
    Chosen(ChoiceId, Value, Value, Player),
    /// Nothing of an offer: which, and who passed.
    Pass(ChoiceId, Player),
}

/// A position at an offer or an optional step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lap {
    /// Which branch came there: in a lockstep several may come to one statement.
    pub at: u16,
    /// The statement.
    pub pc: Pc,
    /// What the position looked like.
    pub seen: Fingerprint,
    /// How many answers had been given.
    pub answers: u32,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answered {
    /// Whose.
    pub player: Player,
    /// To what.
    pub choice: ChoiceId,
    /// What; of an offer no positions.
    pub given: Given,
    /// What was taken up, if anything was.
    pub taken: Option<Taken>,
    /// What the position looked like.
    pub seen: Fingerprint,
}

/// What has been tried in one position and is not tried there again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Idle {
    /// The position: board and effects.
    pub board: Board,
    /// See `board`.
    pub effects: Effects,
    /// Rules in state form that have run.
    pub rules: Vec<(RuleId, Player)>,
    /// Options that were taken and failed, and are not offered again: whose, which, with what.
    pub plays: Vec<(Player, OptionId, [Value; MOST_ARGUMENTS])>,
    /// Those that failed by what the player answered, and are offered again: once for each time.
    #[serde(default)]
    pub failed: Vec<(Player, OptionId, [Value; MOST_ARGUMENTS])>,
}

/// What the machine is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Status {
    /// Nothing yet.
    #[default]
    New,
    /// It can go on.
    Running,
    /// It waits for answers.
    Asking,
    /// The game is over.
    Over(Outcome),
    /// A rules error ended it.
    Failed(Failure),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Outcome {
    Won(Player),
    Drawn,
    /// Several players have won, or there are places behind the first.
    Placed(Places),
}

/// The place of each seat, 1 the first; players of one place share it, and the next place counts all before it (1, 1, 3). 0: no such seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Places(pub [u8; PLAYERS]);

impl Places {
    /// The seats with their places.
    pub fn seats(&self) -> impl Iterator<Item = (Player, u8)> + use<'_> {
        (0_u8..).zip(&self.0).filter(|(_, place)| **place > 0).map(|(seat, place)| (Player(seat), *place))
    }

    /// Who is first.
    pub fn firsts(&self) -> impl Iterator<Item = Player> + use<'_> {
        self.seats().filter(|(_, place)| *place == 1).map(|(player, _)| player)
    }
}

impl Outcome {
    /// How a game of so many players ends in which each has a rank, the greatest first; players without a rank are behind the others.
    #[must_use]
    pub fn ranked(ranks: &[Option<i32>]) -> Self {
        let before = |rank: &Option<i32>| ranks.iter().filter(|other| *other > rank).count();
        let mut places = [0; PLAYERS];
        for (slot, rank) in places.iter_mut().zip(ranks) {
            *slot = u8::try_from(before(rank) + 1).unwrap_or(u8::MAX);
        }
        let places = Places(places);
        match places.firsts().collect::<Vec<_>>().as_slice() {
            // One has won, and the others share what is behind.
            [first] if places.seats().all(|(_, place)| place <= 2) => Outcome::Won(*first),
            firsts if firsts.len() == ranks.len() => Outcome::Drawn,
            _ => Outcome::Placed(places),
        }
    }

    /// Those have won; nobody has where there is none.
    #[must_use]
    pub fn won_by(winners: &[Player], players: u8) -> Self {
        if let [only] = winners {
            return Outcome::Won(*only);
        }
        let behind = u8::try_from(winners.len() + 1).unwrap_or(u8::MAX);
        let mut places = [0; PLAYERS];
        for (seat, slot) in (0..players).zip(&mut places) {
            *slot = if winners.contains(&Player(seat)) { 1 } else { behind };
        }
        if winners.is_empty() { Outcome::Drawn } else { Outcome::Placed(Places(places)) }
    }

    /// The place of a player: 1 of whoever has won, and of everybody where the game is drawn.
    #[must_use]
    pub fn place_of(self, player: Player) -> Option<u8> {
        match self {
            Outcome::Won(winner) => Some(if winner == player { 1 } else { 2 }),
            Outcome::Drawn => Some(1),
            Outcome::Placed(places) => places.0.get(usize::from(player.0)).copied().filter(|place| *place > 0),
        }
    }

    /// A player has won, alone or with others.
    #[must_use]
    pub fn is_won_by(self, player: Player) -> bool {
        match self {
            Outcome::Won(winner) => winner == player,
            Outcome::Drawn => false,
            Outcome::Placed(places) => places.firsts().any(|first| first == player),
        }
    }
}

/// Why a run could not go on; a defect of the rules, not of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Failure {
    /// What.
    pub kind: FailureKind,
    /// At which statement.
    pub at: Pc,
}

/// The kinds of rules error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// More statements between two decisions than the budget allows.
    Budget,
    /// A number outside of 32 bits.
    Overflow,
    /// Calls nested too deeply.
    Depth,
    /// The flow ended without a result.
    NoResult,
    /// Two branches take from one ordered zone without an owner and no order is declared.
    Order,
    /// More ways to act in one offer than there may be.
    Plays,
    /// The flow goes round in a circle without a decision.
    Loop,
    /// What a joint condition allows cannot be found out in time.
    Joint,
    /// Which effects take abilities away from one another cannot be found out in time.
    Silencing,
    /// Sets within sets have too many members to look at.
    LooksWithin,
}
