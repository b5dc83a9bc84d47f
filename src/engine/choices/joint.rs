//! Joint conditions: conditions that an answer has to satisfy as a whole (`choose x: … together CONDITION`).
//!
//! To test one answer, the condition is evaluated with the answer in the place of x. The greatest answer, and the demands that it can obey,
//! are found in one of two ways:
//!
//! - If the condition says how many members of some sets are chosen, a flow finds the best answer (`known`).
//! - Otherwise `look` decides one member after the other. As soon as the condition is true, or false, whatever happens to the remaining
//!   members, all these answers are known at once.
//!
//! So no list of all sets is made. Asking, and going on with an answer, are elsewhere.
//!
//! | file | does |
//! | --- | --- |
//! | `read.rs` | reads a condition as a logical form |
//! | `form.rs` | the logical form: counts of chosen members, totals, "and", "or" |
//! | `members.rs` | sets of members, and sets of numbers |
//! | `sums.rs` | sums and counts inside a condition, and their comparison with numbers |
//! | `apart.rs` | pairs of members that exclude one another, as counts |
//! | `degrees.rs` | the best answer to a condition in logical form |
//! | `totals.rs` | the best answer if numbers of members add up to a total |
//! | `flow.rs` | the flow of the greatest value |
//! | `known.rs` | what is asked about an answer, answered from the form |
//! | `look.rs` | the search through the answers, for a condition without a known form |
//! | `goals.rs` | what a search looks for |

mod apart;
mod degrees;
mod flow;
mod form;
mod goals;
mod known;
mod look;
mod members;
mod read;
mod sums;
mod totals;

use crate::choices::asking::demanded;
use crate::eval::Eval;
use crate::fault::{Fault, broken};
use crate::legal::attempt::Picks;
use crate::limits::{JOINT_FEW, JOINT_LOOKS, JOINT_LOOKS_KNOWN, JOINT_LOOKS_LOOSE, JOINT_TRIES, WORK_BUDGET};
use crate::program::{ChoiceDef, Program};
use crate::state::{Branch, Question, State};
use crate::value::{Player, Value};
use goals::{All, Best, Least};
use known::Known;
use look::Look;

/// The joint condition of a question.
#[derive(Clone, Copy)]
pub struct Joint<'a> {
    program: &'a Program,
    state: &'a State,
    branch: &'a Branch,
    /// The question. Its bounds are the bounds of the answer, and `must` is the number of demands that an answer has to obey.
    asked: &'a Question,
    watcher: Option<Player>,
}

impl std::fmt::Debug for Joint<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Joint({:?}, {} to {}, {} demands)", self.asked.choice, self.asked.min, self.asked.max, self.asked.must)
    }
}

/// A block of legal answers: the taken positions, together with any of the free positions, as long as the number of members is within the
/// bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The positions that every answer of the block has.
    pub taken: Vec<u16>,
    /// The positions that an answer of the block may have.
    pub free: Vec<u16>,
}

/// The bounds of an answer: the number of members, and the number of obeyed demands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The least number of members.
    pub min: u16,
    /// The most members.
    pub max: u16,
    /// The number of demands that an answer must obey, unless the answer is empty.
    pub owed: u16,
}

/// The amount that a choice asks for, as far as [`Joint::bounds`] needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Whether an answer must have as many members as possible, up to `most`.
    pub exactly: bool,
    /// The most members of an answer.
    pub most: u16,
    /// Whether the chooser may take none, whatever effects demand.
    pub or_none: bool,
    /// Whether the chooser may claim to find fewer than there are.
    pub may_fail: bool,
}

/// Facts that were noted during a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// A number did not fit into 32 bits.
    pub overflow: bool,
    /// A card was read that the watcher of a trial may not see.
    pub peeked: bool,
}

/// What was found out about the legal answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The bounds of a legal answer.
    pub bounds: Bounds,
    /// What was noted.
    pub notes: Notes,
    /// The only answer that is not empty (the inner None: there are several), if this was found out too.
    pub only: Option<Option<Vec<u16>>>,
}

/// A search would need more steps than are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl<'a> Joint<'a> {
    /// The joint condition of a question, if it has one.
    #[inline]
    pub fn of(program: &'a Program, state: &'a State, branch: &'a Branch, asked: &'a Question, watcher: Option<Player>) -> Option<Self> {
        program.choices.get(asked.choice).filter(|def| def.is_joint())?;
        Some(Joint { program, state, branch, asked, watcher })
    }

    fn def(&self) -> Option<&'a ChoiceDef> {
        self.program.choices.get(self.asked.choice)
    }

    fn member(&self, pick: u16) -> Value {
        let domain = self.branch.lists.get(self.asked.start as usize..self.asked.start as usize + usize::from(self.asked.len));
        domain.and_then(|domain| domain.get(usize::from(pick))).copied().unwrap_or_default()
    }

    /// An evaluation at the place of the choice, with these registers and lists.
    fn eval<'e>(&self, locals: &'e [Value], lists: &'e [Value]) -> Eval<'e>
    where
        'a: 'e,
    {
        let Some(frame) = self.branch.frames.last() else {
            return Eval::new(self.program, self.state, locals, lists, Default::default(), Value::Undefined);
        };
        let mut eval = Eval::new(self.program, self.state, locals, lists, frame.you, frame.this);
        (eval.done, eval.part, eval.watcher) = (frame.done, frame.part, self.watcher);
        eval
    }

    fn locals(&self) -> &'a [Value] {
        let base = self.branch.frames.last().map_or(0, |frame| frame.base as usize);
        self.branch.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers))
    }

    /// Whether the condition holds for these members.
    ///
    /// # Errors
    /// [`TooMany`] if this takes more work than a statement may take.
    pub fn holds(&self, picks: &[u16]) -> Result<bool, TooMany> {
        self.state.effects.asked.apart(|| self.held(picks).0).ok_or(TooMany)
    }

    /// Whether a player may go on looking for an answer: all players together may take as much work as a statement, until the game goes on.
    #[must_use]
    pub fn may_look_on(&self) -> bool {
        u64::from(self.state.effects.asked.answers.units()) <= WORK_BUDGET
    }

    fn held(&self, picks: &[u16]) -> (bool, Notes) {
        let Some(def) = self.def() else { return Default::default() };
        let mut lists = self.branch.lists.clone();
        let chosen = Value::List { start: lists.len() as u32, len: picks.len() as u16 };
        lists.extend(picks.iter().map(|pick| self.member(*pick)));
        let mut locals = self.locals().to_vec();
        let Some(slot) = locals.get_mut(usize::from(self.asked.result.0)) else { return Default::default() };
        *slot = chosen;
        let mut eval = self.eval(&locals, &lists);
        (eval.holds(def.together), Notes { overflow: eval.overflow, peeked: eval.peeked })
    }

    /// Whether these members obey as many demands as any answer could obey.
    #[must_use]
    pub fn obeys(&self, picks: &[u16]) -> bool {
        self.asked.must == 0 || picks.iter().map(|pick| u32::from(self.weight(*pick))).sum::<u32>() == u32::from(self.asked.must)
    }

    /// The number of effects that demand a member.
    fn weight(&self, pick: u16) -> u16 {
        let Some(def) = self.def().filter(|_| self.state.effects.requiring > 0) else { return 0 };
        demanded(&mut self.eval(self.locals(), &self.branch.lists), def.declared, self.member(pick)).min(usize::from(u16::MAX)) as u16
    }

    /// For each member the number of effects that demand the member.
    fn weights(&self) -> Vec<u32> {
        (0..self.asked.len).map(|pick| u32::from(self.weight(pick))).collect()
    }

    fn look(&self, weights: Vec<u32>, most: u32) -> Option<Look<'_, 'a>> {
        Some(Look::new(self, self.def()?, self.eval(self.locals(), &self.branch.lists), weights, most))
    }

    /// The bounds of a legal answer. If an exact number is wanted, the answer has as many members as possible, and then obeys as many
    /// demands as possible. Otherwise the demands count first. Also gives the facts noted during the search.
    ///
    /// # Errors
    /// [`TooMany`] if the search would take too long.
    pub fn bounds(&self, wanted: Wanted) -> Result<Found, TooMany> {
        let weights = self.weights();
        if let Some(mut known) = Known::of(self, &weights)
            && let Ok((bounds, notes)) = bounds_by(&mut known, wanted)
        {
            let sized = bounds.max > 0 && bounds.min == bounds.max;
            let only = if sized { known.only(bounds.max).ok() } else { None };
            return Ok(Found { bounds, notes, only });
        }
        let looks = self.looks(&weights);
        let Some(mut look) = self.look(weights, looks) else { return Ok(Found::default()) };
        let (bounds, notes) = bounds_by(&mut look, wanted)?;
        Ok(Found { bounds, notes, only: None })
    }

    /// Bounds for a question whose exact bounds cannot be found in time: from none up to the wanted number. Each answer is then checked by
    /// itself.
    ///
    /// # Errors
    /// [`TooMany`] if answers cannot be checked without the exact bounds, because as many members as possible are wanted or effects demand
    /// members.
    pub(crate) fn loose_bounds(&self, wanted: Wanted) -> Result<Found, TooMany> {
        if wanted.exactly || !self.may_be_loose(&self.weights()) {
            return Err(TooMany);
        }
        Ok(Found { bounds: Bounds { min: 0, max: wanted.most.min(self.asked.len), owed: 0 }, ..Found::default() })
    }

    /// Whether the question may be asked without knowing how many members an answer can have.
    fn may_be_loose(&self, weights: &[u32]) -> bool {
        weights.iter().all(|weight| *weight == 0) && self.def().is_some_and(|def| def.min != def.max)
    }

    /// The most steps of a search.
    fn looks(&self, weights: &[u32]) -> u32 {
        if self.may_be_loose(weights) { JOINT_LOOKS_LOOSE } else { JOINT_LOOKS }
    }

    /// The only answer that is not empty. None if there are several.
    ///
    /// # Errors
    /// [`TooMany`] if the search would take too long.
    pub fn only(&self) -> Result<Option<Vec<u16>>, TooMany> {
        let weights = self.weights();
        let looks = self.looks(&weights);
        let (blocks, whole) = self.blocks_within(2, weights, looks);
        if !whole && blocks.len() < 2 {
            return Err(TooMany);
        }
        let [Block { taken, free }] = blocks.as_slice() else { return Ok(None) };
        let (least, most) = self.missing(taken.len(), free.len());
        let mut only = taken.clone();
        match (least, most) {
            (0, 0) => {}
            (least, _) if least == free.len() => only.extend_from_slice(free),
            _ => return Ok(None),
        }
        only.sort_unstable();
        Ok(Some(only))
    }

    /// The least and the greatest number of free positions that can join this many taken positions.
    #[must_use]
    pub fn missing(&self, taken: usize, free: usize) -> (usize, usize) {
        let (min, max) = (usize::from(self.asked.min.max(1)), usize::from(self.asked.max));
        (min.saturating_sub(taken), max.saturating_sub(taken).min(free))
    }

    /// The number of members to choose from, and the most members of an answer.
    #[must_use]
    pub fn members_and_most(&self) -> (u16, u16) {
        (self.asked.len, self.asked.max)
    }

    /// Whether the empty answer is legal.
    #[must_use]
    pub fn may_be_empty(&self) -> bool {
        self.asked.min == 0
    }

    /// Some answers that are worth trying. The second result says whether these are all answers.
    #[must_use]
    pub fn tries(&self) -> (Vec<Picks>, bool) {
        let (blocks, mut all) = self.blocks(JOINT_TRIES);
        let mut tries = Vec::new();
        for Block { taken, free } in &blocks {
            let (least, most) = self.missing(taken.len(), free.len());
            let with = |many: usize| taken.iter().chain(free.iter().take(many)).copied().collect::<Picks>();
            all &= least == most && (most == free.len() || most == 0);
            tries.push(with(most));
            if least < most {
                tries.push(with(least));
            }
        }
        if tries.is_empty() && !all {
            tries.extend(self.known().and_then(|mut known| known.one()).map(Picks::from));
        }
        tries.extend((self.asked.min == 0).then(Picks::new));
        (tries, all)
    }

    /// Whether the condition has a known form, so that flows find the answers.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.known().is_some()
    }

    fn known(&self) -> Option<Known<'_, 'a>> {
        Known::of(self, &self.weights())
    }

    /// An answer by lot, if the condition has a known form. `below` draws a number below another one. Every legal answer can be drawn, some
    /// more often than others.
    pub fn draw(&self, below: &mut dyn FnMut(u32) -> u32) -> Option<Vec<u16>> {
        self.counted(|joint| joint.known()?.draw(below))
    }

    /// All answers that are not empty, in blocks without common answers; at most `most` blocks. The second result says whether these are
    /// all.
    #[must_use]
    pub fn blocks(&self, most: usize) -> (Vec<Block>, bool) {
        self.counted(|joint| {
            let weights = joint.weights();
            let is_known = usize::from(joint.asked.len) > JOINT_FEW && joint.known().is_some();
            let looks = if is_known { JOINT_LOOKS_KNOWN } else { joint.looks(&weights) };
            joint.blocks_within(most, weights, looks)
        })
    }

    /// Counts the work of a player who looks for an answer as work of the game.
    fn counted<T>(&self, look: impl FnOnce(&Self) -> T) -> T {
        let counts = &self.state.effects.asked;
        let before = counts.work.units();
        let found = look(self);
        counts.answers.add(counts.work.units().saturating_sub(before) as usize);
        found
    }

    fn blocks_within(&self, most: usize, weights: Vec<u32>, looks: u32) -> (Vec<Block>, bool) {
        let Some(mut look) = self.look(weights, looks) else { return (Vec::new(), true) };
        let mut all = All { joint: self, most, blocks: Vec::new() };
        let whole = matches!(look.explore(&mut all), Ok(false));
        (all.blocks, whole)
    }
}

/// The bounds of a legal answer, by one of the two ways to find answers.
fn bounds_by(finder: &mut dyn Finder, wanted: Wanted) -> Result<(Bounds, Notes), TooMany> {
    let Some((size, owed)) = finder.best(wanted)? else { return Ok((Bounds { min: 0, max: 0, owed: 0 }, finder.notes())) };
    let freely = wanted.or_none || wanted.may_fail && owed == 0;
    let min = match (freely, wanted.exactly) {
        (true, _) => 0,
        (false, true) => size,
        (false, false) if owed > 0 => finder.least(owed, size)?,
        (false, false) => 0,
    };
    Ok((Bounds { min, max: size, owed: owed.min(u32::from(u16::MAX)) as u16 }, finder.notes()))
}

/// A way to find answers.
trait Finder {
    /// The size of the best answer that is not empty, and the number of demands that it obeys.
    fn best(&mut self, wanted: Wanted) -> Result<Option<(u16, u32)>, TooMany>;
    /// The size of the smallest answer that is not empty and obeys `owed` demands. An answer of `most` members does.
    fn least(&mut self, owed: u32, most: u16) -> Result<u16, TooMany>;
    /// What was noted so far.
    fn notes(&self) -> Notes;
}

impl Finder for Look<'_, '_> {
    fn best(&mut self, wanted: Wanted) -> Result<Option<(u16, u32)>, TooMany> {
        let mut best = Best { wanted, found: None };
        self.explore(&mut best)?;
        Ok(best.found)
    }

    fn least(&mut self, owed: u32, most: u16) -> Result<u16, TooMany> {
        let mut least = Least { owed, found: most };
        self.explore(&mut least)?;
        Ok(least.found)
    }

    fn notes(&self) -> Notes {
        Look::notes(self)
    }
}
