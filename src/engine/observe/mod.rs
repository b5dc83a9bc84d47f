//! Tells an onlooker every step with the rules that it carries out. Costs nothing when nobody looks (`Silent`).

pub(in crate::engine) mod standing_effects;
pub(in crate::engine) mod telling;

use super::ids::{AbilityId, ChoiceId, CitesId, KindId, Pc, PhaseId, RoleId, RuleId, StateId, VerbId};
use super::program::{ChangeKind, PartKey, Program};
use super::state::{Cause, Failure, MOST_ARGUMENTS, Outcome, State};
use super::value::{Place, Player, Value};

/// Somebody who is told every step.
pub trait Observer {
    /// Whether it wants to be told at all.
    const ON: bool;
    /// One step, just taken.
    fn step(&mut self, view: &View<'_>, step: &Traced);
    /// A state or pool was set by a statement: no step of its own, and what rules in the form of a state look at.
    fn state_set(&mut self, _: &View<'_>, _: &Traced) {}
    /// A turn or a phase is about to begin: all of the one before is done, nothing of the next is.
    fn about_to_begin(&mut self, _: &View<'_>, _: Stretch) {}
}

/// What a game's flow is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// A turn.
    Turn,
    /// A phase of a turn.
    Phase,
}

/// Nobody.
pub struct Silent;

impl Observer for Silent {
    const ON: bool = false;
    fn step(&mut self, _: &View<'_>, _: &Traced) {}
}

/// What anybody who looks on is told, whoever it is.
pub(super) trait Onlooker {
    /// See [`Observer::step`].
    fn told(&mut self, view: &View<'_>, step: &Traced);
    /// See [`Observer::state_set`].
    fn told_of_state(&mut self, view: &View<'_>, step: &Traced);
    /// See [`Observer::about_to_begin`].
    fn told_of_what_begins(&mut self, view: &View<'_>, stretch: Stretch);
}

impl<O: Observer> Onlooker for O {
    fn told(&mut self, view: &View<'_>, step: &Traced) {
        self.step(view, step);
    }

    fn told_of_state(&mut self, view: &View<'_>, step: &Traced) {
        self.state_set(view, step);
    }

    fn told_of_what_begins(&mut self, view: &View<'_>, stretch: Stretch) {
        self.about_to_begin(view, stretch);
    }
}

/// Somebody. The machine is compiled twice, for nobody and for somebody: once for each sort of onlooker it would be several times as large,
/// here and in every program that looks on in its own way.
pub(super) struct Somebody<'a>(pub &'a mut dyn Onlooker);

impl Observer for Somebody<'_> {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, step: &Traced) {
        self.0.told(view, step);
    }

    fn state_set(&mut self, view: &View<'_>, step: &Traced) {
        self.0.told_of_state(view, step);
    }

    fn about_to_begin(&mut self, view: &View<'_>, stretch: Stretch) {
        self.0.told_of_what_begins(view, stretch);
    }
}

/// What there is to look at.
pub struct View<'a> {
    /// The game.
    pub program: &'a Program,
    /// Its state at that step. The branch that runs is not in it; boards, effects and events are.
    pub state: &'a State,
    /// The list arena of lists among the step's values.
    pub lists: &'a [Value],
}

/// A step with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Traced {
    /// The rules that its statement carries out.
    pub cites: CitesId,
    /// The statement.
    pub at: Pc,
    /// How many calls deep.
    pub depth: u16,
    /// In which branch.
    pub branch: u16,
    /// What.
    pub step: Step,
}

impl Step {
    /// It only says why something else is as it is: nothing is done in it, and no call begins or ends with it.
    #[must_use]
    pub fn is_aside(&self) -> bool {
        matches!(self, Step::Operand(..) | Step::Condition { .. } | Step::Silenced { .. } | Step::Back(_))
    }

    /// Whether somebody passed because there was nothing to take: nobody at the table would notice.
    #[must_use]
    pub fn is_idle_pass(&self, program: &Program) -> bool {
        let Step::Decides { choice, domain, .. } = self else { return false };
        domain.is_empty() && program.choices.get(*choice).is_some_and(|choice| choice.offer)
    }
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A turn begins.
    Turn(u32),
    /// A phase begins.
    Phase(PhaseId),
    /// A statement that cites a rule is carried out; what its condition or its value comes to, where it has one.
    Statement(Option<Value>),
    /// A condition with rules of its own, by its number, on which the outcome of what was looked at hung; what it came to.
    Operand(u32, bool),
    /// An action with a body begins.
    Began(VerbId, [Value; MOST_ARGUMENTS], Cause),
    /// A declared action is processed.
    Processes(VerbId, [Value; MOST_ARGUMENTS]),
    /// An action happened.
    Performed(VerbId, [Value; MOST_ARGUMENTS], Cause),
    /// An action was not performed.
    NotPerformed(VerbId, [Value; MOST_ARGUMENTS], Why),
    /// An effect that could have done something else instead of an action does not.
    NotReplaced {
        /// The action.
        verb: VerbId,
        /// With what.
        args: [Value; MOST_ARGUMENTS],
        /// The effect.
        effect: u32,
        /// Why not.
        why: NotInstead,
    },
    /// Somebody or something no longer fits a role, and has lost it.
    RoleLost(RoleId, Value),
    /// An ability of a card is performed.
    Ability {
        /// The card.
        card: Value,
        /// The ability; none for what was put by or is done instead.
        ability: Option<AbilityId>,
        /// Of which kind, where it was triggered or announced and has waited.
        waited: Option<KindId>,
        /// Its number, where it has waited or was put by.
        number: Option<u32>,
        /// Whose effect.
        you: Player,
        /// It is done instead of what it replaces.
        instead: bool,
    },
    /// An ability is not performed.
    NotUsed {
        /// The ability.
        ability: Value,
        /// Why.
        why: Why,
    },
    /// An ability waits from now on.
    Waits(u32),
    /// A waiting ability is dropped: it waits no longer, and is not performed.
    Dropped(u32),
    /// A waiting ability enters a zone.
    Enters(u32, super::value::Place),
    /// An immediate rule runs.
    Rule(RuleId, Player),
    /// Somebody has chosen.
    Decides {
        /// Who.
        player: Player,
        /// What.
        choice: ChoiceId,
        /// Among what.
        domain: Vec<Value>,
        /// What was picked.
        picks: Vec<Value>,
        /// Their positions in the domain.
        positions: Vec<u16>,
        /// There was one legal answer.
        forced: bool,
        /// Others see only that it was made.
        secret: bool,
    },
    /// A continuous effect begins.
    EffectBegins(u32),
    /// A continuous effect ends.
    EffectEnds(u32),
    /// What an effect in force hangs on has become true, or false.
    Condition {
        /// The effect.
        effect: u32,
        /// It holds from now on.
        met: bool,
    },
    /// An effect in force takes an ability away from a card.
    Silenced {
        /// The ability.
        ability: Value,
        /// The effect.
        by: u32,
        /// The card has it no longer; else it is there and does nothing.
        lost: bool,
    },
    /// An ability that was taken away is back.
    Back(Value),
    /// An object that was made in the game has left and is no more.
    GoesAway(Value),
    /// An effect changes what is due for a part of a cost.
    Priced {
        /// The effect.
        effect: u32,
        /// Which part.
        key: PartKey,
        /// How.
        kind: ChangeKind,
        /// By what.
        by: i32,
        /// What is due after it.
        now: i32,
    },
    /// So much is due for a part of a cost.
    Due(PartKey, i32),
    /// There is less to be spent than is due.
    Short {
        /// Whose.
        of: Value,
        /// Which pool.
        state: StateId,
        /// What there is.
        there: i32,
        /// What is due.
        wanted: i32,
    },
    /// A requirement of a match finds no unit of its own, or (`true`) a joining member no unit that pays.
    Unmatched(Value, bool),
    /// A verdict is raised.
    Verdict(Player, bool),
    /// Verdicts are judged.
    Judged,
    /// A player concedes.
    Concedes(Player),
    /// The action that follows demands cards of a place that has fewer.
    TooFew {
        /// How many are demanded.
        demanded: u16,
        /// How many are there.
        there: u16,
        /// Where.
        zone: Place,
    },
    /// What could only be done in full, and cannot be, is not begun.
    NotAttempted,
    /// An attempt fails: what it did is undone.
    AttemptFails,
    /// The condition of a watched stretch is met: it is left.
    Aborted,
    /// The game is over.
    Over(Outcome),
    /// A rules error ended the run.
    Failed(Failure),
}

/// Why an effect does not replace what it could.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInstead {
    /// Whoever was asked said no.
    Declined,
    /// What it would do instead cannot be done.
    Impossible,
    /// Another effect has replaced that before, and the game lets one do so.
    Once,
}

/// Why something was not performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// An effect in force forbids it.
    Forbidden(u32),
    /// An effect in force replaced it.
    Replaced(u32),
    /// An argument is undefined.
    Undefined,
    /// There is nothing to do it to.
    Nothing,
    /// An amount below one.
    NoTimes,
    /// It is so already.
    Already,
    /// What its declaration asks for is not so.
    Unmet,
    /// There is no room.
    Full,
    /// The card is not where its ability works.
    Inactive,
    /// The ability holds by itself, or waits for its event and is not announced: it is not performed as it is.
    Bodiless,
    /// An effect in force disables the ability.
    Disabled(u32),
    /// The ability was used as often as it may.
    UsedUp,
    /// It waited, and its card has left meanwhile.
    Left,
    /// It waited, and its card has it no longer; the effect in force that took it away.
    Lost(Option<u32>),
}
