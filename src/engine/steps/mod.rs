//! Tells an onlooker every step with the rules that it carries out. Without an onlooker (`Silent`) this costs nothing.
//!
//! | file | does |
//! | --- | --- |
//! | `acting.rs` | notes which abilities of cards have acted |
//! | `influences.rs` | notes effects that have prevented an action or changed a price |
//! | `owners.rs` | tells to which printed abilities statements and clauses belong |
//! | `standing_effects.rs` | tells an onlooker about effects that stay in force |
//! | `telling.rs` | tells the onlooker about steps, with the rules that they cite |

pub mod acting;
pub mod influences;
pub mod owners;
pub(crate) mod standing_effects;
pub(crate) mod telling;

use super::ids::{AbilityId, ChoiceId, CitesId, KindId, Pc, PhaseId, RoleId, RuleId, SlotId, StateId, VerbId};
use super::program::{ChangeKind, PartKey, Program};
use super::state::{Cause, Circle, Failure, MOST_ARGUMENTS, Outcome, State};
use super::value::{Place, Player, Value};

/// Somebody who is told every step.
pub trait Observer {
    /// Whether the onlooker wants to be told anything.
    const ON: bool;
    /// Called after each step.
    fn step(&mut self, view: &View<'_>, step: &Traced);
    /// Called when a statement has set a state or pool. This is no step, but rules with a condition may react to it.
    fn state_set(&mut self, _: &View<'_>, _: &Traced) {}
    /// Called when a turn or a phase is about to begin: everything before it is done, and nothing of it has begun.
    fn about_to_begin(&mut self, _: &View<'_>, _: Stretch) {}
    /// Called when a statement is about to fail: a `fail()`, or a match without an answer. This is no step.
    fn about_to_fail(&mut self, _: &View<'_>, _: &Inside<'_>) {}
    /// Called when a statement is about to read something: a condition, a set, or the arguments of an action. This is no step.
    fn about_to_read(&mut self, _: &View<'_>, _: &Inside<'_>) {}
    /// Called when the state of a card, a player or the game is about to be set. Then [`Observer::state_set`] follows.
    fn about_to_set(&mut self, _: Value, _: StateId) {}
}

/// The body in which a statement stands, as the statement finds it.
pub struct Inside<'a> {
    /// The statement.
    pub at: Pc,
    /// The registers of the body.
    pub locals: &'a [Value],
    /// The acting player.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// Whether an attempt is open, so that only this attempt may fail.
    pub(crate) in_attempt: bool,
    /// The number of the branch, and the depth of calls.
    pub place: (u16, u16),
    /// Whether the last action was carried out in full, and whether at least in part.
    pub done: (bool, bool),
    /// The cause of actions in the body.
    pub cause: Cause,
}

/// The parts of a game's flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// A turn.
    Turn,
    /// A phase of a turn.
    Phase,
}

/// The onlooker who is told nothing.
pub struct Silent;

impl Observer for Silent {
    const ON: bool = false;
    fn step(&mut self, _: &View<'_>, _: &Traced) {}
}

/// An onlooker of any type.
pub(super) trait Onlooker {
    /// See [`Observer::step`].
    fn told(&mut self, view: &View<'_>, step: &Traced);
    /// See [`Observer::state_set`].
    fn told_of_state(&mut self, view: &View<'_>, step: &Traced);
    /// See [`Observer::about_to_begin`].
    fn told_of_what_begins(&mut self, view: &View<'_>, stretch: Stretch);
    /// See [`Observer::about_to_fail`].
    fn told_of_failing(&mut self, view: &View<'_>, inside: &Inside<'_>);
    /// See [`Observer::about_to_read`].
    fn told_of_reading(&mut self, view: &View<'_>, inside: &Inside<'_>);
    /// See [`Observer::about_to_set`].
    fn told_of_setting(&mut self, of: Value, state: StateId);
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

    fn told_of_failing(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        self.about_to_fail(view, inside);
    }

    fn told_of_reading(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        self.about_to_read(view, inside);
    }

    fn told_of_setting(&mut self, of: Value, state: StateId) {
        self.about_to_set(of, state);
    }
}

/// An onlooker behind a pointer. The machine is compiled for two cases: without an onlooker, and with one. If it were compiled for each
/// type of onlooker, it would be several times as large.
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

    fn about_to_fail(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        self.0.told_of_failing(view, inside);
    }

    fn about_to_read(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        self.0.told_of_reading(view, inside);
    }

    fn about_to_set(&mut self, of: Value, state: StateId) {
        self.0.told_of_setting(of, state);
    }
}

/// What an onlooker can look at.
pub struct View<'a> {
    /// The game.
    pub program: &'a Program,
    /// The state at this step. The running branch is not part of it; the board, the effects and the events are.
    pub state: &'a State,
    /// The arena with the members of lists among the step's values.
    pub lists: &'a [Value],
}

/// A step with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Traced {
    /// The rules that the statement carries out.
    pub cites: CitesId,
    /// The statement.
    pub at: Pc,
    /// The depth of calls.
    pub depth: u16,
    /// The number of the branch.
    pub branch: u16,
    /// The step.
    pub step: Step,
}

impl Step {
    /// Whether the step only explains something else: it does nothing, and no call begins or ends with it.
    #[must_use]
    pub fn is_aside(&self) -> bool {
        matches!(self, Step::Operand(..) | Step::Condition { .. } | Step::Silenced { .. } | Step::EffectCircle(_) | Step::Back(_))
    }

    /// Whether a player passed because there was nothing to take. Nobody at a table would notice this.
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
    /// A statement that cites a rule is carried out. The value is that of its condition or expression, if it has one.
    Statement(Option<Value>),
    /// A condition with its own rules, by its number, that decided an outcome; and its value.
    Operand(u32, bool),
    /// An action with a body begins.
    Began(VerbId, [Value; MOST_ARGUMENTS], Cause),
    /// A declared action is processed.
    Processes(VerbId, [Value; MOST_ARGUMENTS]),
    /// An action happened.
    Performed(VerbId, [Value; MOST_ARGUMENTS], Cause),
    /// An action was not performed.
    NotPerformed(VerbId, [Value; MOST_ARGUMENTS], Why),
    /// An effect could have replaced an action, but does not.
    NotReplaced {
        /// The action.
        verb: VerbId,
        /// The arguments of the action.
        args: [Value; MOST_ARGUMENTS],
        /// The effect.
        effect: u32,
        /// The reason.
        why: NotInstead,
    },
    /// A chosen member of a slot is no longer legal when the ability is performed or dropped.
    Unfit {
        /// The card of the ability.
        card: Value,
        /// The slot.
        slot: SlotId,
        /// The member.
        what: Value,
        /// The reason.
        why: Unfit,
    },
    /// A member no longer fits a role and has lost it.
    RoleLost(RoleId, Value),
    /// An ability of a card is performed.
    Ability {
        /// The card.
        card: Value,
        /// The ability. None for a block put by or a replacement.
        ability: Option<AbilityId>,
        /// The kind of the ability, if it was triggered or announced and has waited.
        waited: Option<KindId>,
        /// The ability's number, if it has waited or was put by.
        number: Option<u32>,
        /// The player who controls the effect.
        you: Player,
        /// Whether the ability is done instead of an action that it replaces.
        instead: bool,
    },
    /// An ability is not performed.
    NotUsed {
        /// The ability.
        ability: Value,
        /// The reason.
        why: Why,
    },
    /// An ability begins to wait. If a move of a batch is its event: how many moves of the batch were told after that move.
    Waits(u32, u16),
    /// A waiting ability is dropped: it no longer waits, and is not performed.
    Dropped(u32),
    /// A waiting ability enters a zone.
    Enters(u32, super::value::Place),
    /// An immediate rule runs.
    Rule(RuleId, Player),
    /// A player has decided.
    Decides {
        /// The player.
        player: Player,
        /// The choice.
        choice: ChoiceId,
        /// The possible answers.
        domain: Vec<Value>,
        /// The picked answers.
        picks: Vec<Value>,
        /// The positions of the picked answers in the domain.
        positions: Vec<u16>,
        /// How many members the choice demands. The domain may have fewer.
        wanted: u16,
        /// Whether only one answer was legal.
        forced: bool,
        /// Whether the others see only that a decision was made.
        secret: bool,
    },
    /// Nobody is asked, because the player who has to decide is undefined.
    NobodyAsked(ChoiceId),
    /// A continuous effect begins.
    EffectBegins(u32),
    /// A continuous effect ends.
    EffectEnds(u32),
    /// The condition of an effect in force has become true or false.
    Condition {
        /// The effect.
        effect: u32,
        /// Whether the condition is true now.
        met: bool,
    },
    /// An effect in force takes an ability away from a card.
    Silenced {
        /// The ability.
        ability: Value,
        /// The effect.
        by: u32,
        /// Whether the card has lost the ability. Otherwise the card still has it, but it does nothing.
        lost: bool,
    },
    /// Effects in force depend on one another in a circle.
    EffectCircle(Circle),
    /// An ability that was taken away has come back.
    Back(Value),
    /// An object that was made during the game has left, and no longer exists.
    GoesAway(Value),
    /// An effect changes the amount due for a part of a cost.
    Priced {
        /// The effect.
        effect: u32,
        /// The part.
        key: PartKey,
        /// The kind of change.
        kind: ChangeKind,
        /// The amount of the change.
        by: i32,
        /// The amount due after the change.
        now: i32,
    },
    /// The amount due for a part of a cost.
    Due(PartKey, i32),
    /// A pool holds less than the amount due.
    Short {
        /// The player.
        of: Value,
        /// The pool.
        state: StateId,
        /// The amount in the pool.
        there: i32,
        /// The amount due.
        wanted: i32,
    },
    /// A requirement of a match has no unit of its own. With `true`: a joining member has no unit that pays.
    Unmatched(Value, bool),
    /// A verdict is raised.
    Verdict(Player, bool),
    /// Verdicts are judged.
    Judged,
    /// A player concedes.
    Concedes(Player),
    /// The following action needs more cards than the place has.
    TooFew {
        /// The number of cards that are needed.
        demanded: u16,
        /// The number of cards that are there.
        there: u16,
        /// The place.
        zone: Place,
    },
    /// An action that must be done in full is not begun, because it cannot be.
    NotAttempted,
    /// An attempt fails. Its changes are undone.
    AttemptFails,
    /// The condition of a watched stretch has become true, and the stretch is left.
    Aborted,
    /// The position has come back, and nobody can stop the loop. The step names the statement at which the flow comes round.
    Circle,
    /// The game is over.
    Over(Outcome),
    /// A rules error ended the run.
    Failed(Failure),
}

/// Why an effect does not replace an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInstead {
    /// The asked player said no.
    Declined,
    /// The replacement cannot be done.
    Impossible,
    /// Another effect has already replaced the action, and the game allows only one replacement.
    Once,
}

/// Why a chosen member of a slot is no longer legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The card has left, or the ability waits no longer.
    Gone,
    /// The member is no longer in the set from which it was chosen.
    Other,
    /// An effect in force keeps it from being chosen.
    Withheld(u32),
}

/// Why an action was not performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// An effect in force forbids it.
    Forbidden(u32),
    /// An effect in force replaced it.
    Replaced(u32),
    /// Something that it needs is not there: an argument is undefined.
    Missing,
    /// There is no card to do it to.
    Nothing,
    /// The amount is below one.
    NoTimes,
    /// The result already exists.
    Already,
    /// The condition in its declaration is false.
    Unmet,
    /// There is no room.
    Full,
    /// Another branch moves the card in the same step.
    Taken,
    /// The ability does not work where its card lies.
    Inactive,
    /// The ability is static, or waits for its event and is not announced. So it cannot be performed directly.
    Bodiless,
    /// An effect in force disables the ability.
    Disabled(u32),
    /// The ability has no uses left.
    UsedUp,
    /// The ability waited, and its card has left meanwhile.
    Left,
    /// The ability waited, and its card has lost it meanwhile; the effect in force that took it away.
    Lost(Option<u32>),
}
