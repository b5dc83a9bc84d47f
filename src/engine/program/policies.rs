//! Where rulebooks differ: policies, durations, principles.

use super::Looks;
use super::Prices;
use crate::engine::ids::{ChoiceId, NodeId};

/// When two positions are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamePositions {
    /// When all is the same that can influence what comes.
    #[default]
    Everything,
    /// When the same cards lie in all zones, whatever else has grown.
    CardsInZones,
    /// When they lie there in the same way: face, place, states that are no numbers.
    CardsAsTheyLie,
    /// When all is the same but numbers of players that have no bound.
    TalliesApart,
    /// When all is the same that holds and waits, whatever has happened.
    AllButHistory,
}

/// Policies (docs/kernel.md, "Policies").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policies {
    /// An event that was replaced once is not replaced again; else each replacement at most once per event.
    pub one_replacement_in_all: bool,
    /// An optional replacement is offered only when something of it can be done.
    pub offer_replacement_only_if_possible: bool,
    /// What is done instead of an event is laid to what the event would have been; else to the effect that replaces it.
    pub replaced_keep_cause: bool,
    /// How prices change.
    pub prices: Prices,
    /// A circle without a decision ends the game, drawn; else the run.
    pub mandatory_loop_is_drawn: bool,
    /// What players are asked when their decisions have brought a position back: how often that is repeated; none: nothing.
    pub optional_loops: Option<ChoiceId>,
    /// How many numbers are listed where one of many is named.
    pub listed_numbers: u16,
    /// Who of several names first (`NONE`: the one who is asked to act).
    pub names_first: NodeId,
    /// Of those who have named how often a round is repeated only who named the most does not begin it again; else nobody does.
    pub bars_the_greatest: bool,
    /// A round in which nobody has done anything goes on by the passes of those who could have.
    pub passes_repeat: bool,
    /// A round that somebody carries on goes on by the passes of others as well.
    pub passes_beside: bool,
    /// Nobody does in the position in which it was begun; else before something else has been taken.
    pub barred_where_begun: bool,
    /// When two positions are the same.
    pub same_positions: SamePositions,
    /// What a resolved clause on a set applies to.
    pub sets: SetPolicy,
    /// Effects that disable one another in a circle all count, whichever came first; else the earlier one does, and of one batch all.
    pub circles_count: bool,
    /// In a layer the older part is first, whatever depends on what; else what depends on another comes behind it.
    pub layers_by_age: bool,
    /// An ability that is lost in a layer gives nothing to other cards in the layers before it either.
    pub lost_gives_nothing: bool,
    /// An effect that an ability begins is as old as the end of that ability; else as the statement that begins it.
    pub dated_at_end: bool,
    /// In layers: what sets a value undoes all older changes of it, in the layers behind its own too.
    pub set_is_over_older: bool,
    /// What sets a value does nothing to a card that does not have such a value; else it gives the card one.
    pub missing_is_left_out: bool,
    /// The condition of an effect of several layers is asked for once, in its first; else in each.
    pub condition_once: bool,
    /// Who orders several replacements of one event (`NONE`: the affected player); its locals are the object, who does it, and the
    /// player affected.
    pub replacement_order: NodeId,
    /// What is asked of several events of one step where an effect replaces one of them and is over: which; none: the first is replaced.
    pub one_of_events: Option<ChoiceId>,
    /// A state trigger waits again only after it has been performed; else when its condition has been false in between.
    pub state_until_resolved: bool,
    /// A limit on triggered abilities counts when they begin to wait; else when they are performed.
    pub limit_at_trigger: bool,
    /// A limit on abilities that are announced counts when they are performed; else when they are announced.
    pub announced_at_use: bool,
    /// Whose a triggered ability is counts when it is taken up; else when its event happened.
    pub controlled_at_use: bool,
    /// An ability that its card has lost while it waits is not performed.
    pub lost_are_dropped: bool,
    /// One whose card has left is not performed.
    pub left_are_dropped: bool,
    /// One that does nothing there is not performed.
    pub disabled_are_dropped: bool,
    /// One that was announced, and does nothing there by now, is not performed.
    pub announced_disabled_are_dropped: bool,
    /// `hear_again()` is asked of the timings whose windows are open: each notes when its window opened.
    pub late_hear_again: bool,
    /// The card of a trigger that somebody may not see is shown while the ability waits.
    pub hidden_are_shown: bool,
    /// What was taken of an offer and failed is offered again at once, not only in another position.
    pub failed_are_offered: bool,
    /// Which triggers hear of a move where neither its row nor the trigger says.
    pub looks: Looks,
    /// Who chooses among cards that only they see cannot fail to find there.
    pub known_are_found: bool,
    /// Which of several players who are to choose at the same time chooses first: a number over the player, the least first; none: all are
    /// asked at once.
    pub asked_order: NodeId,
    /// In which order the changes of a batch are made where they touch one thing.
    pub batch_order: BatchOrder,
    /// Branches that take from one ordered zone of nobody do so in their order; else that is an error of the rules.
    pub shared_in_order: bool,
    /// What is shuffled among other cards is referred to no more; else references follow it.
    pub shuffled_are_lost: bool,
    /// What is revealed in an attempt is hidden again at its end; else at the end of the effect.
    pub attempts_hide: bool,
}

/// The order of changes within a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BatchOrder {
    /// That of the branches.
    #[default]
    Branches,
    /// Changes to another player's things first, to one's own last; then that of the branches.
    OwnersLast,
    /// By a number, the least first, then that of the branches; its locals are whose branch it is, and whom the change affects.
    By(NodeId),
}

/// When effects of a duration begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DurationKind {
    /// At once.
    #[default]
    AtOnce,
    /// When the flow says so the next time.
    Later,
    /// At once, but only between the flow's `begin` and `expire`; never at another time.
    OnlyInside,
}

/// What a resolved clause that names a set (and no bound name) applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SetPolicy {
    /// What was in the set when it began.
    #[default]
    Locked,
    /// What is in the set.
    Live,
    /// What was in the set when it began and is in it now.
    LockedFallingOut,
    /// What was in the set when it began and has been in it ever since.
    LockedFallingOutForGood,
    /// Of what lies in public zones what was in the set when it began, of what lies in others what is in it.
    LockedInPublicZones,
}

impl SetPolicy {
    /// What is not in the set now is left out.
    #[must_use]
    #[inline]
    pub fn falls_out(self) -> bool {
        matches!(self, SetPolicy::LockedFallingOut | SetPolicy::LockedFallingOutForGood)
    }
}

/// What the kernel does by itself and a rulebook states in its own words: a game gives each its rules, so that the steps that
/// obey it are traced with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principle {
    /// What cannot be done is left out; of an amount as much as can be is done.
    Impossible,
    /// What is so already is not made so again.
    Already,
    /// What is to be done no time, or fewer times than that, is not done.
    NoTimes,
    /// What an effect forbids is not done, whoever says to do it.
    Forbidden,
    /// An effect forbids or replaces what a rule does: it prevails.
    OverRules,
    /// What was replaced once is not replaced again.
    ReplacedOnce,
    /// A part of what an effect does is replaced by itself; the rest goes on.
    ReplacedWithin,
    /// Revealed cards are hidden again when the effect ends.
    Revealed,
    /// Cards that are looked at are seen by the one player only, and lie where they lie.
    Looked,
    /// An ability waited, and its card has lost it: whether it is performed.
    LostWaiting,
    /// An ability waited, and its card has left: whether it is performed.
    LeftWaiting,
    /// An ability waited, and is disabled now: whether it is performed.
    DisabledWaiting,
    /// A position has come back: what is one position.
    CameBack,
    /// A round that players repeat: how often is named, and then it is not begun again.
    Repeated,
    /// A circle that nobody can leave ends the game.
    Circle,
    /// What waits for the next time only has come to it.
    NextTime,
    /// An ability does nothing where its card lies.
    Invalid,
    /// An event does not happen: something else is done instead.
    Replaced,
    /// Of several replacements of an event somebody says which is taken.
    ReplacementOrder,
    /// Several players choose at the same time.
    AskedTogether,
}

impl Principle {
    /// All, in the order of their numbers.
    pub const ALL: [Principle; 20] = [
        Principle::Impossible,
        Principle::Already,
        Principle::NoTimes,
        Principle::Forbidden,
        Principle::OverRules,
        Principle::ReplacedOnce,
        Principle::ReplacedWithin,
        Principle::Revealed,
        Principle::Looked,
        Principle::LostWaiting,
        Principle::LeftWaiting,
        Principle::DisabledWaiting,
        Principle::CameBack,
        Principle::Repeated,
        Principle::Circle,
        Principle::NextTime,
        Principle::Invalid,
        Principle::Replaced,
        Principle::ReplacementOrder,
        Principle::AskedTogether,
    ];
}

impl Default for Policies {
    fn default() -> Self {
        Self {
            one_replacement_in_all: false,
            offer_replacement_only_if_possible: true,
            replaced_keep_cause: false,
            sets: SetPolicy::Locked,
            circles_count: false,
            layers_by_age: false,
            lost_gives_nothing: false,
            dated_at_end: false,
            set_is_over_older: false,
            missing_is_left_out: false,
            condition_once: false,
            replacement_order: NodeId::NONE,
            one_of_events: None,
            state_until_resolved: false,
            limit_at_trigger: false,
            announced_at_use: false,
            controlled_at_use: false,
            lost_are_dropped: false,
            left_are_dropped: false,
            disabled_are_dropped: false,
            announced_disabled_are_dropped: false,
            late_hear_again: false,
            hidden_are_shown: false,
            failed_are_offered: false,
            looks: Looks::After,
            prices: Prices::default(),
            mandatory_loop_is_drawn: false,
            optional_loops: None,
            listed_numbers: crate::engine::limits::RANGE as u16,
            names_first: NodeId::NONE,
            bars_the_greatest: false,
            passes_repeat: false,
            passes_beside: false,
            barred_where_begun: false,
            same_positions: SamePositions::Everything,
            known_are_found: false,
            asked_order: NodeId::NONE,
            batch_order: BatchOrder::default(),
            shared_in_order: false,
            shuffled_are_lost: false,
            attempts_hide: false,
        }
    }
}
