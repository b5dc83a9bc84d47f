//! A counter for questions that lead to further questions, with a limit.
//!
//! Three kinds of questions are counted. First, whether an effect takes an ability away: conditions may ask the same about other effects.
//! Second, checks of members of a set inside two other sets. Third, readings of effects inside readings of other effects. With a few more
//! effects or members, the number of questions can grow a thousandfold. Beyond the limit no question is answered any more, and the run ends
//! with a rules error.

use crate::limits::{DEEP_EFFECT_DEPTH, DEEP_READINGS, EFFECT_DEPTH, EFFECTS_WITHIN, LOOKS_WITHIN, SILENCE_LOOKS, WORK_BUDGET};
use crate::state::FailureKind;
use crate::state::memory::memory;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Counts the questions whether effects take abilities away.
pub(super) type Silencing = QuestionCount<SILENCE_LOOKS>;

/// Counts how often members of sets inside other sets are checked.
pub(super) type LooksWithin = QuestionCount<LOOKS_WITHIN>;

/// Counts how often effects are read while other effects are being read.
pub(super) type EffectsWithin = QuestionCount<EFFECTS_WITHIN>;

/// The number of questions since the count began, up to a limit. The count is no part of the state: states that differ only in the count
/// are equal.
#[derive(Debug, Default)]
pub struct QuestionCount<const MOST: u32>(AtomicU32);

impl<const MOST: u32> QuestionCount<MOST> {
    /// Counts one more question. `false` if there were too many.
    pub fn ask(&self) -> bool {
        self.ask_more(1)
    }

    /// Counts a question that costs as much as several (`questions`). `false` if there were too many.
    pub(crate) fn ask_more(&self, questions: u32) -> bool {
        let asked = self.0.load(Relaxed).saturating_add(questions);
        self.0.store(asked, Relaxed);
        asked <= MOST
    }

    /// Notes that a question stands inside too many others, which counts as too many questions.
    pub(crate) fn exceed(&self) {
        self.0.store(u32::MAX, Relaxed);
    }

    /// Whether there were too many questions, so that none is answered any more.
    #[must_use]
    #[inline]
    pub fn is_too_much(&self) -> bool {
        self.0.load(Relaxed) > MOST
    }

    /// Sets the count to zero for a question that is not part of another question, unless the limit was passed.
    pub fn begin(&self) {
        if !self.is_too_much() {
            self.forget();
        }
    }

    /// Sets the count to zero.
    pub fn forget(&self) {
        self.0.store(0, Relaxed);
    }

    /// Takes over the count of a copy of the state, so that questions in the copy count here too.
    pub(crate) fn take_over(&self, other: &Self) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }
}

/// Work of one statement that grows with the history or with the effects in force ([`crate::limits::WORK_BUDGET`]). No part of
/// the state.
#[derive(Debug, Default)]
pub struct Work(AtomicU32);

impl Work {
    /// Adds units of work.
    #[inline]
    pub fn add(&self, units: usize) {
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        self.0.store(self.0.load(Relaxed).saturating_add(units), Relaxed);
    }

    /// The units so far.
    #[must_use]
    #[inline]
    pub fn units(&self) -> u32 {
        self.0.load(Relaxed)
    }

    /// Sets the work to zero. Gives what it was.
    #[must_use]
    pub fn take(&self) -> u32 {
        let units = self.units();
        if units > 0 {
            self.forget();
        }
        units
    }

    /// Sets the work to zero.
    #[inline]
    pub fn forget(&self) {
        self.0.store(0, Relaxed);
    }
}

impl Clone for Work {
    fn clone(&self) -> Self {
        Work(AtomicU32::new(self.units()))
    }
}

memory!(Work);

/// The work of a game so far, statements included ([`crate::limits::GAME_BUDGET`]). It is no part of the position: a short cut
/// saves work, and leads to the same position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent(u64);

impl Spent {
    /// Adds units of work.
    pub fn add(&mut self, units: u64) {
        self.0 = self.0.saturating_add(units);
    }

    /// The units so far.
    #[must_use]
    pub fn units(self) -> u64 {
        self.0
    }
}

memory!(Spent);

/// All counters of one statement.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Counts the questions whether effects take abilities away.
    pub silencing: Silencing,
    /// Counts the checks of members of sets inside other sets.
    pub looks_within: LooksWithin,
    /// Counts the readings of effects inside readings of other effects.
    pub effects_within: EffectsWithin,
    /// Counts work that grows with the game.
    pub work: Work,
    /// Counts the work of players who look for an answer to a joint condition, until the game goes on.
    pub answers: Work,
    /// The effect that was read when a limit was passed (its number plus one; 0: none).
    named: Named,
}

/// The number of an effect. No part of the state.
#[derive(Debug, Default)]
struct Named(AtomicU32);

impl Clone for Named {
    fn clone(&self) -> Self {
        Named(AtomicU32::new(self.0.load(Relaxed)))
    }
}

memory!(Named);

impl Counts {
    /// Whether this statement has taken more work than there may be between two decisions: few questions may go through very many cards.
    #[must_use]
    pub(crate) fn is_worked_out(&self) -> bool {
        u64::from(self.work.units()) > WORK_BUDGET
    }

    /// Sets all counts to zero.
    #[inline]
    pub fn forget(&self) {
        self.work.forget();
        self.silencing.forget();
        self.looks_within.forget();
        self.effects_within.forget();
        self.named.0.store(0, Relaxed);
    }

    /// Names the effect that is read while a limit is passed. The first one counts.
    #[cold]
    pub fn name(&self, effect: u32) {
        let _ = self.named.0.compare_exchange(0, effect.saturating_add(1), Relaxed, Relaxed);
    }

    /// The effect that was read when a limit was passed.
    #[must_use]
    pub fn named(&self) -> Option<u32> {
        self.named.0.load(Relaxed).checked_sub(1)
    }

    /// The counts of readings and looks within others.
    #[must_use]
    pub fn within(&self) -> (u32, u32) {
        (self.effects_within.0.load(Relaxed), self.looks_within.0.load(Relaxed))
    }

    /// Sets the counts of [`Counts::within`] back, unless a limit was passed.
    pub(crate) fn restore_count(&self, (effects, looks): (u32, u32)) {
        if self.too_much().is_none() {
            self.effects_within.0.store(effects, Relaxed);
            self.looks_within.0.store(looks, Relaxed);
        }
    }

    /// Answers a question that is not part of a statement: whether a player's answer is legal. The question has limits of its own, as a
    /// statement has. `None` if one of them was passed. The work counts as work of the players.
    pub fn apart<T>(&self, look: impl FnOnce() -> T) -> Option<T> {
        let outer = self.clone();
        self.forget();
        let found = look();
        let is_passed = self.too_much().is_some() || self.is_worked_out();
        self.answers.add(self.work.units() as usize);
        self.take_over(&outer);
        (!is_passed).then_some(found)
    }

    /// Takes over the counts of a copy of the state.
    pub(crate) fn take_over(&self, other: &Self) {
        self.silencing.take_over(&other.silencing);
        self.looks_within.take_over(&other.looks_within);
        self.effects_within.take_over(&other.effects_within);
        self.work.0.store(other.work.units(), Relaxed);
        self.named.0.store(other.named.0.load(Relaxed), Relaxed);
    }

    /// Which limit was passed, as the rules error that ends the run.
    #[must_use]
    #[inline]
    pub fn too_much(&self) -> Option<FailureKind> {
        if self.silencing.is_too_much() {
            Some(FailureKind::Silencing)
        } else if self.looks_within.is_too_much() {
            Some(FailureKind::LooksWithin)
        } else if self.effects_within.is_too_much() {
            Some(FailureKind::EffectsWithin)
        } else {
            None
        }
    }
}

memory!(Counts);

impl<const MOST: u32> Clone for QuestionCount<MOST> {
    fn clone(&self) -> Self {
        QuestionCount(AtomicU32::new(self.0.load(Relaxed)))
    }
}

memory!(QuestionCount<const MOST: u32>);

/// How deeply effects may be read within one another now, and whether some effect was left out for that reason. No part of the state.
#[derive(Debug, Default)]
pub struct Depth {
    left_out: AtomicBool,
    /// How many readings of effects may still be made at the greater depth. 0: the ordinary depth holds.
    deep: AtomicU32,
}

impl Depth {
    /// Begins reading an effect that is read inside of no other one.
    pub fn begin(&self) {
        self.left_out.store(false, Relaxed);
    }

    /// Whether an effect was left out because it stands too deep.
    pub(crate) fn has_left_out(&self) -> bool {
        self.left_out.load(Relaxed)
    }

    /// Begins reading the same effect at the greater depth.
    pub(crate) fn go_deep(&self) {
        self.left_out.store(false, Relaxed);
        self.deep.store(DEEP_READINGS, Relaxed);
    }

    /// Goes back to the ordinary depth. Gives whether the readings were enough.
    pub(crate) fn come_back(&self) -> bool {
        self.deep.swap(0, Relaxed) > 1
    }

    /// Whether the greater depth holds now.
    pub(crate) fn is_deep(&self) -> bool {
        self.deep.load(Relaxed) > 0
    }

    /// Whether effects could be read so deep, and so many of them.
    pub(crate) fn would_allow(&self, deepest: usize, readings: u32) -> bool {
        let deep = self.deep.load(Relaxed);
        if deep > 0 { deepest <= DEEP_EFFECT_DEPTH && deep > readings + 1 } else { deepest <= EFFECT_DEPTH }
    }

    /// Counts readings that were made before.
    pub fn spend(&self, readings: u32) {
        let deep = self.deep.load(Relaxed);
        if deep > 0 {
            self.deep.store(deep.saturating_sub(readings).max(1), Relaxed);
        }
    }

    /// Notes that effects were left out because they stand too deep, if no more may be read inside of `outside` other ones.
    #[inline]
    pub(crate) fn is_full(&self, outside: usize) -> bool {
        let deep = self.deep.load(Relaxed);
        outside >= if deep > 1 { DEEP_EFFECT_DEPTH } else { EFFECT_DEPTH }
    }

    /// Whether one more effect may be read inside of `outside` other ones.
    #[inline]
    pub fn allows(&self, outside: usize) -> bool {
        let deep = self.deep.load(Relaxed);
        let allows = outside < if deep > 1 { DEEP_EFFECT_DEPTH } else { EFFECT_DEPTH };
        if deep > 1 {
            self.deep.store(deep - 1, Relaxed);
        }
        if !allows {
            self.left_out.store(true, Relaxed);
        }
        allows
    }
}

impl Clone for Depth {
    fn clone(&self) -> Self {
        Depth::default()
    }
}

memory!(Depth);

/// Used while amounts of effects are read that depend on each other in a circle: the place of the effect that is left out, because it
/// stands in a circle with an older effect.
#[derive(Debug)]
pub struct LeftOut(AtomicU32);

impl LeftOut {
    /// Notes that the effect at this place is left out, unless an effect further out is left out already.
    pub fn note(&self, place: usize) {
        self.0.fetch_min(u32::try_from(place).unwrap_or(u32::MAX), Relaxed);
    }

    /// Begins reading the effect at this place. Effects from this place on are no longer left out.
    pub fn begin(&self, place: usize) {
        if self.0.load(Relaxed) as usize >= place {
            self.0.store(u32::MAX, Relaxed);
        }
    }

    /// Whether the effect at this place is left out. This ends the leaving out.
    pub fn is(&self, place: usize) -> bool {
        let is = self.0.load(Relaxed) as usize == place;
        if is {
            self.0.store(u32::MAX, Relaxed);
        }
        is
    }
}

impl Default for LeftOut {
    fn default() -> Self {
        LeftOut(AtomicU32::new(u32::MAX))
    }
}

impl Clone for LeftOut {
    fn clone(&self) -> Self {
        LeftOut::default()
    }
}

memory!(LeftOut);
