//! Where the game is: its branches, verdicts, status and outcome; and the data about rounds that players repeat.

use super::question_count::Spent;
use super::{Been, Branch, Idle, MOST_ARGUMENTS, Withheld, Written};
use crate::bits::PlaceSet;
use crate::choices::answer::Given;
use crate::fault::Fault;
use crate::ids::{CardId, ChoiceId, OptionId, Pc, RuleId};
use crate::limits::PLAYERS;
use crate::value::{Place, Player, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where the game is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// The branches. Branch 0 is the flow; the others belong to locksteps and to immediate rules. A branch is taken out of the list while
    /// it runs. The branches are boxed, so that only a pointer moves then.
    pub branches: Vec<Box<Branch>>,
    /// Only branches of the highest level run. Immediate rules that run in the middle of something are one level higher.
    pub level: u16,
    /// How many `judge together` blocks are open.
    pub judging: u16,
    /// How many `atomically` blocks are open.
    pub holding: u16,
    /// The players with a verdict of losing, one bit each.
    pub losing: u8,
    /// The players with a verdict of winning, one bit each.
    pub winning: u8,
    /// Whether one of these verdicts is judged at once. Running rules then do not hold it back.
    #[serde(default)]
    pub(crate) urgent: bool,
    /// Whether the judgement has begun. From then on no verdicts are raised.
    pub judged: bool,
    /// What the machine is doing.
    pub status: Status,
    /// The places whose cards have changed since immediate rules were last checked.
    pub(crate) dirty: PlaceSet,
    /// Whether something else has changed since then (a state, a waiting ability). Then rules that read more than zones are checked.
    pub wrote: bool,
    /// Whether a position has just been laid on the table. State triggers and immediate rules look at the position when all effects have
    /// begun.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub laid: bool,
    /// For these rules: what has changed since then, as far as it is known.
    #[serde(skip)]
    pub written: Written,
    /// The number of statements since the last decision.
    pub steps: u32,
    /// The work of the game so far. A short cut saves work and leads to the same position, so the work is no part of a save.
    #[serde(skip)]
    pub spent: Spent,
    /// The options and rules that were tried in the present position and led to nothing.
    pub idle: Option<Arc<Idle>>,
    /// Whether the flow has come back to a position by itself and nobody has decided anything since. Always false while a question is open.
    #[serde(skip)]
    pub goes_round: bool,
    /// Rules in state form that are running, each with its player.
    pub running: Vec<(RuleId, Player)>,
    /// The decisions that may bring a position back. Kept if players can name how often they repeat a round.
    pub cycle: Option<Arc<Cycle>>,
    /// Where the flow has been since the last decision that counts, if the rules ask for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub been: Option<Arc<Been>>,
}

impl Control {
    /// A branch, and the branches around it, outward.
    pub(crate) fn outward<'b>(&'b self, branch: &'b Branch) -> impl Iterator<Item = &'b Branch> {
        std::iter::successors(Some(branch), |branch| self.around(branch))
    }

    /// The branch around a branch of a lockstep. None for the branch of the flow.
    #[must_use]
    pub fn around(&self, branch: &Branch) -> Option<&Branch> {
        self.branches.get(usize::from(branch.parent?)).map(AsRef::as_ref)
    }

    /// Whether verdicts wait that must be judged now: no `judge together` holds them back, and no immediate rule is running (unless a
    /// verdict is judged at once).
    #[must_use]
    pub(crate) fn is_to_judge(&self) -> bool {
        let raised = self.losing | self.winning != 0 && !self.judged;
        raised && self.judging == 0 && (self.level == 0 || self.urgent)
    }

    /// Notes that the cards of a place have changed.
    #[inline]
    pub(crate) fn changed_in(&mut self, place: Place) {
        let places = PlaceSet::of(place);
        self.dirty |= places;
        self.written.places(places);
    }

    /// Notes that effects have begun or ended. Everything that effects can change may have changed, but nothing was written.
    pub(crate) fn changed_by_effects(&mut self) {
        self.dirty = PlaceSet::ALL;
    }

    /// Notes that anything may have changed.
    pub(crate) fn changed_anywhere(&mut self) {
        self.dirty = PlaceSet::ALL;
        self.written.all();
    }

    /// The kept decisions, for changing them. Until the first change, copies of the state share them.
    pub(crate) fn cycle_mut(&mut self) -> Option<&mut Cycle> {
        self.cycle.as_mut().map(Arc::make_mut)
    }

    /// What a branch holds back. If the branch runs alone, this is everything that is held back.
    #[must_use]
    pub fn withheld(&self, branch: &Branch) -> Withheld {
        if branch.parent.is_some() { branch.withheld } else { Withheld { judging: self.judging, holding: self.holding } }
    }

    /// Goes back to an earlier state of a branch that held back less. Everything that the branch has begun to hold back since then is
    /// released. Other branches go on holding back.
    pub(crate) fn hold_again(&mut self, branch: &mut Branch, to: Withheld) {
        let now = self.withheld(branch);
        self.judging = self.judging.saturating_sub(now.judging.saturating_sub(to.judging));
        self.holding = self.holding.saturating_sub(now.holding.saturating_sub(to.holding));
        branch.withheld = if branch.parent.is_some() { to } else { Withheld::default() };
    }

    /// Begins or ends a `judge together`. `own`: the count of the branch itself, if it is kept.
    pub(crate) fn judge_together(&mut self, own: Option<&mut Withheld>, begins: bool) {
        deeper(&mut self.judging, own.map(|own| &mut own.judging), begins);
    }

    /// Begins or ends an `atomically`. `own`: the count of the branch itself, if it is kept.
    pub fn hold(&mut self, own: Option<&mut Withheld>, begins: bool) {
        deeper(&mut self.holding, own.map(|own| &mut own.holding), begins);
    }
}

fn deeper(all: &mut u16, own: Option<&mut u16>, begins: bool) {
    for depth in [Some(all), own].into_iter().flatten() {
        *depth = if begins { depth.saturating_add(1) } else { depth.saturating_sub(1) };
    }
}

/// Data for noticing and repeating rounds of decisions (see `engine/run/repeats.rs`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cycle {
    /// The positions at offers, optional steps and choices that may take nothing, oldest first.
    #[serde(rename = "laps")]
    pub offers: Vec<OfferPosition>,
    /// The answers since the first of these positions.
    pub answers: Vec<Answered>,
    /// The next random number at that time. Another number now means that chance has been used since.
    pub chance: u64,
    /// The answers of the noticed round.
    pub round: Vec<Answered>,
    /// The players who must still name a number.
    pub asked: Vec<Player>,
    /// The numbers that players have named.
    pub named: Vec<(Player, u32)>,
    /// The position at the latest offer or step, as the cards lie (see `policy loops`).
    pub here: Fingerprint,
    /// The position where each branch came to its latest offer or step.
    pub stood: Vec<Stood>,
    /// How many repetitions of the round are left.
    pub left: u32,
    /// The answer at which the last repetition of the round ends, if a player must stop the round there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<u16>,
    /// The choice that was asked last, if it had to be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Forced>,
    /// The index of the next answer in the repeated round.
    pub at: u16,
    /// The things that players may not take again, and the things that do not free players from this; the oldest first.
    pub barred: Vec<Barred>,
}

/// The position where a branch last came to an offer or a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stood {
    /// The index of the branch.
    pub at: u16,
    /// The position.
    pub seen: Fingerprint,
    /// The position as the cards lie.
    pub lies: Fingerprint,
    /// Whether the branch comes there again only because numbers were named, and has not gone on.
    pub again: bool,
}

/// Something that a player has taken in a repeated round.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Barred {
    /// What the player took.
    pub taken: Taken,
    /// Whether the player may not take it again. Otherwise it is a later part of the round: taking it does not free the player.
    pub first: bool,
    /// The only position in which it counts; `None`: in every position.
    pub(crate) only_at: Option<Fingerprint>,
    /// For a choice that had to be made: the answers of the round after which the thing may not be chosen again. Other choices of the thing
    /// are allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<Answered>,
    /// For a player who must do something else in this position only once: whether the game has come to this position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<bool>,
    /// The way to act that its player has taken since. The bar ends when the way has been carried out, and holds again if the way fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lifted: Option<OptionId>,
}

/// The fingerprint of a position: a hash of 128 bits in two halves, because a save has no larger numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fingerprint(u64, u64);

impl From<u128> for Fingerprint {
    fn from(number: u128) -> Self {
        Self((number >> 64) as u64, number as u64)
    }
}

/// What a player took, although the player could also have taken something else or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Taken {
    /// An option of an offer, with its arguments, and the index of the player among them.
    Option(OptionId, [Value; MOST_ARGUMENTS], u8),
    /// An optional step: the choice, the card of the ability, and the player.
    Step(ChoiceId, Value, Player),
    /// A choice that may take nothing: the choice, the card of the ability, the first chosen member, and the player.
    Chosen(ChoiceId, Value, Value, Player),
    /// A pass or a declined step: the choice and the player.
    Pass(ChoiceId, Player),
}

/// A choice that had to be made (see `engine/choices/forced.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forced {
    /// The index of the branch.
    pub at: u16,
    /// The statement.
    pub pc: Pc,
    /// The position, if the choice was asked more than once in a row.
    pub seen: Option<Fingerprint>,
    /// The next random number then.
    pub chance: u64,
    /// Whether the choice was asked in this position the last time too.
    pub back: bool,
}

/// A position at an offer, an optional step or a choice that may take nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferPosition {
    /// The index of the branch. (In a lockstep several branches may come to one statement.)
    pub at: u16,
    /// The statement.
    pub pc: Pc,
    /// The position.
    pub seen: Fingerprint,
    /// The position as the cards lie.
    pub lies: Fingerprint,
    /// What may grow from round to round: the effects in force, and numbers.
    #[serde(default)]
    pub grown: Fingerprint,
    /// The number of answers before it.
    pub answers: u32,
}

/// An answer that a player has given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The player.
    pub player: Player,
    /// The choice.
    pub choice: ChoiceId,
    /// The answer. For an offer it has no positions; `taken` holds it.
    pub given: Given,
    /// What the player took, if the answer takes something.
    pub taken: Option<Taken>,
    /// The position as the cards lie.
    pub seen: Fingerprint,
    /// The chosen member, if the choice had to be made and there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Taken>,
    /// Whether the answer belongs to a way to act that failed. That way has not happened, so nobody has taken it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

/// What the machine is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Status {
    /// The machine has done nothing yet.
    #[default]
    New,
    /// The machine can go on.
    Running,
    /// The machine waits for answers to questions.
    Asking,
    /// The game is over.
    Over(Outcome),
    /// A rules error has ended the run.
    Failed(Failure),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Outcome {
    Won(Player),
    Drawn,
    /// Several players have won, or there are places after the first place.
    Placed(Places),
}

/// The place of each seat; the first place is 1. Players may share a place, and the next place counts all players before it (1, 1, 3). 0:
/// there is no such seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Places(pub [u8; PLAYERS]);

impl Places {
    /// The seats with their places.
    pub fn seats(&self) -> impl Iterator<Item = (Player, u8)> + use<'_> {
        (0_u8..).zip(&self.0).filter(|(_, place)| **place > 0).map(|(seat, place)| (Player(seat), *place))
    }

    /// The players on the first place.
    pub fn firsts(&self) -> impl Iterator<Item = Player> + use<'_> {
        self.seats().filter(|(_, place)| *place == 1).map(|(player, _)| player)
    }
}

impl Outcome {
    /// The outcome of a game in which each player has a rank, the greatest first. Players without a rank come after the others.
    #[must_use]
    pub fn ranked(ranks: &[Option<i32>]) -> Self {
        let before = |rank: &Option<i32>| ranks.iter().filter(|other| *other > rank).count();
        let mut places = [0; PLAYERS];
        for (slot, rank) in places.iter_mut().zip(ranks) {
            *slot = u8::try_from(before(rank) + 1).unwrap_or(u8::MAX);
        }
        let places = Places(places);
        match places.firsts().collect::<Vec<_>>().as_slice() {
            // One player has won, and the others share the second place.
            [first] if places.seats().all(|(_, place)| place <= 2) => Outcome::Won(*first),
            firsts if firsts.len() == ranks.len() => Outcome::Drawn,
            _ => Outcome::Placed(places),
        }
    }

    /// The outcome if these players have won; without winners a draw.
    #[must_use]
    pub(crate) fn won_by(winners: &[Player], players: u8) -> Self {
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

    /// The place of a player. A winner has place 1; in a draw all players have place 1.
    #[must_use]
    pub fn place_of(self, player: Player) -> Option<u8> {
        match self {
            Outcome::Won(winner) => Some(if winner == player { 1 } else { 2 }),
            Outcome::Drawn => Some(1),
            Outcome::Placed(places) => places.0.get(usize::from(player.0)).copied().filter(|place| *place > 0),
        }
    }

    /// Whether a player has won, alone or with others.
    #[must_use]
    pub fn is_won_by(self, player: Player) -> bool {
        match self {
            Outcome::Won(winner) => winner == player,
            Outcome::Drawn => false,
            Outcome::Placed(places) => places.firsts().any(|first| first == player),
        }
    }
}

/// A rules error: the reason why a run cannot go on. The rules are wrong, not the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The kind of error.
    pub kind: FailureKind,
    /// The statement.
    pub at: Pc,
    /// The verdicts that were being judged, one bit for each player: those who had lost, and those who had won.
    #[serde(default)]
    pub verdicts: (u8, u8),
    /// If too many abilities wait: the card of which the most abilities wait, and the number of these. If effects were read too often: the
    /// card of the effect that was read last, and which of the card's abilities it comes from (1: the first; 0: from none).
    #[serde(default)]
    pub waiting: Option<(CardId, u32)>,
}

/// The kinds of rules error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// Too many statements between two decisions.
    Budget,
    /// Too much work in the whole game.
    Game,
    /// A number does not fit 32 bits.
    Overflow,
    /// Calls are nested too deeply.
    Depth,
    /// Too many branches at once.
    Branches,
    /// Too many effects in force at once.
    Effects,
    /// The flow has ended without a result.
    NoResult,
    /// Two branches take from one ordered zone without an owner, and no order is declared.
    Order,
    /// A list has too many members.
    Members,
    /// A policy orders players or changes by a number that is undefined or too large.
    NoNumber,
    /// An offer has too many ways to act.
    Plays,
    /// A loop without a decision.
    Loop,
    /// The search for legal answers to a joint condition takes too long.
    Joint,
    /// The search for effects that take abilities away from each other takes too long.
    Silencing,
    /// Sets within sets have too many members.
    LooksWithin,
    /// Effects read one another too often, or too deeply.
    EffectsWithin,
    /// Too many abilities and blocks wait at once.
    Waiting,
    /// Too many objects were made.
    Objects,
    /// A match has too many units and requirements.
    Match,
    /// The game has no turn, and the set-up has not ended it.
    NoTurn,
    /// An invariant of the engine does not hold. The rules are not to blame.
    Broken(Fault),
}

impl FailureKind {
    /// All kinds.
    pub const ALL: [Self; 21] = [
        Self::Budget,
        Self::Game,
        Self::Overflow,
        Self::Depth,
        Self::Branches,
        Self::Effects,
        Self::NoResult,
        Self::Order,
        Self::Members,
        Self::NoNumber,
        Self::Plays,
        Self::Loop,
        Self::Joint,
        Self::Silencing,
        Self::LooksWithin,
        Self::EffectsWithin,
        Self::Waiting,
        Self::Objects,
        Self::Match,
        Self::NoTurn,
        Self::Broken(Fault::Frame),
    ];
}
