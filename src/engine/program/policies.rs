//! Where rulebooks differ: policies, durations and principles, as a game declares them.

use super::Looks;
use super::Prices;
use crate::ids::{ChoiceId, NodeId, StateId};

/// When two positions count as the same position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamePositions {
    /// When everything is equal that can influence the future.
    #[default]
    Everything,
    /// When the same cards lie in all zones, whatever numbers have grown.
    CardsInZones,
    /// When the same cards also lie in the same way: face, place, and states that are no numbers.
    CardsAsTheyLie,
    /// When everything is equal except numbers of players that have no bound.
    TalliesApart,
    /// When everything that holds and waits is equal, whatever has happened before.
    AllButHistory,
}

impl SamePositions {
    /// Whether rounds that players choose may leave something that grows: effects in force, and numbers. Then the round is played on in a
    /// copy, to find out whether it goes on without end.
    #[must_use]
    pub(crate) fn leaves_out_growth(self) -> bool {
        matches!(self, SamePositions::TalliesApart | SamePositions::AllButHistory)
    }
}

/// The policies of a game. docs/language/policies.md lists them with their words. For a `bool`, `false` is the default unless `default`
/// below says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policies {
    /// `replacement { each }`: an event that was replaced once is never replaced again; otherwise each replacement applies at most once to
    /// an event.
    pub one_replacement_in_all: bool,
    /// `replacement { optional }`: a player is asked about a replacement only if a part of it can be done; otherwise always.
    pub offer_replacement_only_if_possible: bool,
    /// `replacement { cause }`: what is done instead of an event has the cause of that event; otherwise the replacing effect is its cause.
    pub replaced_keep_cause: bool,
    /// Whether an event that was replaced does not count as done, whatever was done instead.
    pub replaced_is_not_done: bool,
    /// How prices change, and in which order costs are paid.
    pub prices: Prices,
    /// `loops { mandatory }`: a loop without a decision ends the game as a draw; otherwise the run ends with an error.
    pub mandatory_loop_is_drawn: bool,
    /// `loops { optional }`: the choice that players are asked when their decisions have brought a position back: how often they repeat the
    /// round. `None`: nobody is asked.
    pub optional_loops: Option<ChoiceId>,
    /// `choices { listed }`: how many numbers are listed when one number of a long range is chosen.
    pub listed_numbers: u16,
    /// `loops { first }`: the player who names a number first (`NONE`: the player who is to act).
    pub names_first: NodeId,
    /// `loops { barred }`: only the players who named the greatest number may not begin the round again; otherwise no player who named a
    /// number may.
    pub bars_the_greatest: bool,
    /// `loops { stopped }`: the player who named the least number has to do something else in the round after the last repetition.
    pub least_stops: bool,
    /// `loops { forced }`: if a choice that must be made comes back, every answer is tried. If no answer leads anywhere else, nobody can
    /// stop the loop.
    pub tries_forced: bool,
    /// `loops { passes }`: if a position has come back although nobody did anything, the passes of players who could have acted count as
    /// the round.
    pub passes_repeat: bool,
    /// `loops { passes }`: passes also count in a round that another player carries on.
    pub passes_beside: bool,
    /// `loops { again }`: players may not begin the round again in the position in which they began it. Otherwise they may not begin it
    /// until something else has been taken.
    pub barred_where_begun: bool,
    /// `loops { same }`: when two positions are the same.
    pub same_positions: SamePositions,
    /// `loops { left_out }`: states of players, teams and the game whose values make no other position.
    pub left_out_of_positions: Vec<StateId>,
    /// `loops { passing_over }`: the numbers of declared choices after which `been_here` still knows where the flow has been.
    pub passed_over: Vec<u16>,
    /// `effects { sets }`: what a lasting clause on a set applies to.
    pub sets: SetPolicy,
    /// `effects { ties }`: effects are tied if their conditions came true together; otherwise if they began together.
    pub ties_of_conditions: bool,
    /// `effects { circles }`: effects that disable one another in a circle all count; otherwise the oldest counts, and of one batch all.
    pub circles_count: bool,
    /// `effects { in_a_layer }`: within a layer the older part comes first; otherwise a part comes after the parts on which it depends.
    pub layers_by_age: bool,
    /// `effects { given }`: an ability that is lost in a layer gives nothing to other cards in earlier layers.
    pub lost_gives_nothing: bool,
    /// `effects { age }`: an effect that an ability begins is as old as the end of the ability; otherwise as the statement that begins it.
    pub dated_at_end: bool,
    /// `effects { granted }`: an effect of a granted ability is as old as the card that has the ability; otherwise as the grant.
    pub granted_as_old_as_card: bool,
    /// `effects { set }`: in a game with layers, a change that sets a value undoes all older changes of that value, also those in later
    /// layers.
    pub set_is_over_older: bool,
    /// `effects { missing }`: a change that sets a value does nothing to a card without that value; otherwise the card gets the value.
    pub missing_is_left_out: bool,
    /// `effects { condition }`: an effect with parts in several layers asks for its condition once, at its first part; otherwise at each
    /// part.
    pub condition_once: bool,
    /// `replacement { order }`: the player who orders several replacements of one event (`NONE`: the affected player). Its locals are the
    /// object, the player who does it, and the affected player.
    pub replacement_order: NodeId,
    /// `replacement { one_of_several }`: the choice that is asked if one effect could replace one of several events of a step and then
    /// ends. `None`: it replaces the first event.
    pub one_of_events: Option<ChoiceId>,
    /// `triggers { state }`: a state trigger waits again only after it has been performed; otherwise when its condition has been false in
    /// between.
    pub state_until_resolved: bool,
    /// `triggers { limit }`: a limit on triggered abilities counts when they begin to wait; otherwise when they are performed.
    pub limit_at_trigger: bool,
    /// `triggers { announced }`: a limit on announced abilities counts when they are performed; otherwise when they are announced.
    pub announced_at_use: bool,
    /// `triggers { controller }`: the controller of a triggered ability is fixed when the flow takes the ability up; otherwise when its
    /// event happens.
    pub controlled_at_use: bool,
    /// `triggers { lost }`: a waiting ability that its card has lost is not performed.
    pub lost_are_dropped: bool,
    /// `triggers { left }`: a waiting ability whose card has left is not performed.
    pub left_are_dropped: bool,
    /// `triggers { disabled }`: a waiting ability that is disabled where its card lies is not performed.
    pub disabled_are_dropped: bool,
    /// `triggers { announced_disabled }`: an announced ability that is disabled by now is not performed.
    pub announced_disabled_are_dropped: bool,
    /// `triggers { late }`: `hear_again()` is asked about the timings with open windows. So each timing notes when its window opened.
    pub late_hear_again: bool,
    /// `triggers { heard_by }`: the players who hear of an event by a triggered ability, each with an ability of their own. The locals of the
    /// node are the ability, its card and the controller. `NONE`: the controller alone hears.
    pub heard_by: NodeId,
    /// `triggers { hidden }`: a card that some player may not see is shown while its trigger waits.
    pub hidden_are_shown: bool,
    /// `choices { failed }`: an option that was taken and failed is offered again at once; otherwise only in another position.
    pub failed_are_offered: bool,
    /// `triggers { looks }`: which triggers hear of a move, unless a row of `moves` or the trigger itself says it.
    pub looks: Looks,
    /// `choices { known }`: a player cannot fail to find among cards that the player sees.
    pub known_are_found: bool,
    /// `choices { known = may_fail_anywhere }`: a player may fail to find among all cards that some player does not see, whoever's they are.
    pub fails_anywhere: bool,
    /// `choices { together }`: the order in which players choose if several have to choose at the same time. The node gives a number for
    /// each player; the least number comes first. `NONE`: all players are asked at once.
    pub asked_order: NodeId,
    /// `batches { order }`: in which order the changes of a batch are made if they touch one thing.
    pub batch_order: BatchOrder,
    /// `batches { shared }`: branches that take from one ordered zone without an owner do so in the order of the branches; otherwise this
    /// is a rules error.
    pub shared_in_order: bool,
    /// `effects { shuffled }`: a reference to a card that is shuffled among other cards means nothing any more; otherwise it follows the
    /// card.
    pub shuffled_are_lost: bool,
    /// `principles { revealed }`: cards that are revealed in an attempt are hidden at the end of the attempt; otherwise at the end of the
    /// effect.
    pub attempts_hide: bool,
}

/// The order of changes within a batch. It matters if changes touch one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BatchOrder {
    /// In the order of the branches.
    #[default]
    Branches,
    /// First the changes to things of other players, then the changes to one's own things; within each part in the order of the branches.
    OwnersLast,
    /// By a number, the least first, then in the order of the branches. Its locals are the player whose branch it is, and the affected
    /// player.
    By(NodeId),
}

/// When the effects of a duration begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DurationKind {
    /// At once.
    #[default]
    AtOnce,
    /// The next time that the flow says `begin`.
    Later,
    /// At once, but only between `begin` and `expire` of the duration; at another time never.
    OnlyInside,
}

/// What a lasting clause on a described set applies to. (If the clause names its cards by a bound name, these cards are fixed.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SetPolicy {
    /// The members of the set when the clause began.
    #[default]
    Locked,
    /// The members of the set now.
    Live,
    /// The members of the set when the clause began that are also members now.
    LockedFallingOut,
    /// The members of the set when the clause began that have been members ever since.
    LockedFallingOutForGood,
    /// In public zones the members of the set when the clause began; in other zones the members now.
    LockedInPublicZones,
    /// The members now, but for cards that have come to their public zone since the clause began.
    LiveWithoutNewcomers,
}

impl SetPolicy {
    /// Whether a card that is no member now is left out, although it was a member when the clause began.
    #[must_use]
    #[inline]
    pub fn falls_out(self) -> bool {
        matches!(self, SetPolicy::LockedFallingOut | SetPolicy::LockedFallingOutForGood)
    }
}

/// Something that the engine does by itself and that a rulebook states in its own words. A game cites rules for a principle; the steps that
/// follow the principle are traced with these rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principle {
    /// The part that cannot be done is left out. As much of an amount as possible is done.
    Impossible,
    /// A change to a state that a thing already has is left out.
    Already,
    /// An action with an amount below one is not done.
    NoTimes,
    /// What an effect forbids is not done.
    Forbidden,
    /// An effect that forbids or replaces what a rule does prevails.
    OverRules,
    /// An event that was replaced once is not replaced again.
    ReplacedOnce,
    /// A part of an effect is replaced on its own; the rest of the effect goes on.
    ReplacedWithin,
    /// Revealed cards are hidden again when the effect ends.
    Revealed,
    /// Only the player who looks at cards sees them, and the cards do not move.
    Looked,
    /// The card of a waiting ability has lost the ability: whether the ability is performed.
    LostWaiting,
    /// The card of a waiting ability has left: whether the ability is performed.
    LeftWaiting,
    /// A waiting ability is disabled now: whether it is performed.
    DisabledWaiting,
    /// A position has come back: when two positions are the same.
    CameBack,
    /// Players repeat a round: they name how often, and then may not begin it again.
    Repeated,
    /// A loop that nobody can leave ends the game.
    Circle,
    /// Effects depend on one another in a circle: which of them goes first.
    EffectCircle,
    /// An effect that waits for one event only (`next time`) has found its event.
    NextTime,
    /// An ability does nothing where its card lies.
    Invalid,
    /// An event does not happen, and something else is done instead.
    Replaced,
    /// If several replacements of one event are possible, a player chooses one.
    ReplacementOrder,
    /// Several players choose at the same time.
    AskedTogether,
    /// A player hears of an event by an ability of a card that another player controls.
    HeardByOthers,
    /// An action is not done because something that it needs is not there. Without rules of its own: the rules of `Impossible`.
    Missing,
    /// A replacement does not apply because its actions cannot be done. Without rules of its own: the rules of `Impossible`.
    Replacing,
}

impl Principle {
    /// All principles, in the order of their numbers.
    pub const ALL: [Principle; 24] = [
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
        Principle::EffectCircle,
        Principle::NextTime,
        Principle::Invalid,
        Principle::Replaced,
        Principle::ReplacementOrder,
        Principle::AskedTogether,
        Principle::HeardByOthers,
        Principle::Missing,
        Principle::Replacing,
    ];
}

impl Default for Policies {
    fn default() -> Self {
        Self {
            one_replacement_in_all: false,
            offer_replacement_only_if_possible: true,
            replaced_keep_cause: false,
            replaced_is_not_done: false,
            sets: SetPolicy::Locked,
            circles_count: false,
            layers_by_age: false,
            lost_gives_nothing: false,
            dated_at_end: false,
            granted_as_old_as_card: false,
            ties_of_conditions: false,
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
            listed_numbers: crate::limits::RANGE as u16,
            names_first: NodeId::NONE,
            bars_the_greatest: false,
            least_stops: false,
            tries_forced: false,
            passes_repeat: false,
            passes_beside: false,
            barred_where_begun: false,
            same_positions: SamePositions::Everything,
            left_out_of_positions: Vec::new(),
            passed_over: Vec::new(),
            known_are_found: false,
            fails_anywhere: false,
            asked_order: NodeId::NONE,
            heard_by: NodeId::NONE,
            batch_order: BatchOrder::default(),
            shared_in_order: false,
            shuffled_are_lost: false,
            attempts_hide: false,
        }
    }
}
