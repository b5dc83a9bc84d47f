//! Continuous effects: those in force, the things to which they apply, and those that have not begun.

use super::circle::Circles;
use super::extent_cache::ExtentCache;
use super::question_count::{Counts, Depth, LeftOut};
use crate::bits::Spots;
use crate::ids::{AbilityId, ClauseId, DurationId, FieldId, RuleId};
use crate::state::board::VersionBeside;
use crate::value::{Few, Player, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All continuous effects, with facts that were computed about them. Most counters let the engine skip work in games without such effects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effects {
    /// The effects in force, in the order in which they began (or in which players have put them, see `arranged`).
    pub in_force: Vec<Arc<Effect>>,
    /// The number of the next effect.
    pub next: u32,
    /// The timestamp for effects that begin now. Effects of one batch have the same timestamp.
    pub now: u32,
    /// For each verb: how many effects in force forbid it, replace it or wait for it.
    pub(crate) watching: Vec<u16>,
    /// For each field: how many effects in force change it.
    pub(crate) modifying: Vec<u16>,
    /// How many effects in force disable abilities.
    pub(crate) disabling: u16,
    /// How many effects in force give control of cards.
    pub(crate) controlling: u16,
    /// How many effects in force strip abilities.
    pub(crate) stripping: u16,
    /// How many effects in force grant abilities.
    pub granting: u16,
    /// How many effects in force are shields.
    pub(crate) shielding: u16,
    /// How many effects in force keep cards from being chosen.
    pub(crate) withholding: u16,
    /// How many effects in force assume a fact.
    pub(crate) assuming: u16,
    /// How many effects in force demand something in a choice.
    pub(crate) requiring: u16,
    /// In a game with layers: the row of parts. It holds all parts of the effects in force, in the order in which they apply.
    pub order: Vec<Part>,
    /// Whether the row applies to the same things in the same way as before. It changes when an effect begins or ends, too.
    #[serde(skip)]
    pub(crate) row_version: VersionBeside,
    /// In a game with layers: the circles of parts in the row, and which part goes first. A save has them too, because the onlookers of a
    /// loaded game have been told of them.
    #[serde(default, skip_serializing_if = "Circles::is_empty")]
    pub circles: Circles,
    /// By policy (`given = withdrawn`): the effects, sorted, of abilities that are lost in a later layer. These effects give nothing to
    /// other cards.
    pub withdrawn: Vec<u32>,
    /// Effects of abilities that are lost only because of the effect itself. These effects continue.
    pub(crate) circling: Vec<u32>,
    /// Everything that was read to find the extents of the parts.
    pub looks: Spots,
    /// The abilities that effects give cards now.
    pub granted: Vec<GrantedAbility>,
    /// How many effects in force wait for a condition to become true.
    pub(crate) awaiting: u16,
    /// Whether some effect in force loses cards for good when they leave its set, or ends with the ability that began it.
    pub(crate) falling: bool,
    /// Effects of durations that have not begun.
    pub later: Vec<Effect>,
    /// Whether the beginning and the end of effects are events in this game.
    pub tells: bool,
    /// The numbers of effects that have begun, but whose beginning has not been told yet.
    pub begun: Vec<u32>,
    /// Effects that have ended, but whose end has not been told yet.
    pub ended: Vec<Effect>,
    /// The open durations, among those whose effects can begin only between `begin` and `expire`.
    pub open: Vec<DurationId>,
    /// Whether players have put effects into another order than the order of their numbers.
    pub(crate) arranged: bool,
    /// By policy (`age = end_of_ability`): effects of abilities that have not ended. Each is given with the place of the ability: the index
    /// of the branch, and the number of calls including that of the ability.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) undated: Vec<(u32, (u16, u16))>,
    /// By policy (`ties = of_conditions`): the effects that may be tied. Each is given with the moment at which its condition came true;
    /// `None`: the condition is false.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switched: Vec<(u32, Option<u32>)>,
    /// For the policy `age`: the last step in which abilities ended, the timestamp that their effects got, and the branches of these
    /// abilities (one bit each). Abilities that end in one step end together.
    #[serde(default)]
    pub(crate) dated: (u32, u32, u64),
    /// The counters of the present statement.
    #[serde(skip)]
    pub asked: Counts,
    /// How deeply effects may be read within one another.
    #[serde(skip)]
    pub depth: Depth,
    /// The effect that is left out of a circle of amounts that are being read.
    #[serde(skip)]
    pub left_out: LeftOut,
    /// For `without`: how many times effects have been left out of this copy. 0 in the game itself.
    #[serde(skip)]
    pub(crate) supposed: u8,
}

/// Makes a list of shared values a copy of another list. Values that both lists already share are not touched, because changing reference
/// counts would take most of the time of a copy.
fn copy_shared<T>(copy: &mut Vec<Arc<T>>, of: &[Arc<T>]) {
    copy.truncate(of.len());
    for (value, of) in copy.iter_mut().zip(of).filter(|(value, of)| !Arc::ptr_eq(value, of)) {
        *value = Arc::clone(of);
    }
    copy.extend(of.iter().skip(copy.len()).cloned());
}

/// A part of an effect: it applies in one layer.
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The layer.
    pub layer: u8,
    /// Whether the part sets a lower bound. Lower bounds come last in their layer.
    pub last: bool,
    /// The timestamp of the effect.
    pub timestamp: u32,
    /// The number of the effect.
    pub effect: u32,
    /// The index of the change in the clause; 0 for a part that changes no fields.
    pub change: u16,
    /// The field that the part changes, if it changes one.
    pub field: Option<FieldId>,
    /// Whether the part's extent depends on something outside of the board, or on another volatile part. The extent of a volatile part is
    /// computed when somebody reads it.
    pub volatile: bool,
    /// Whether the part's extent is computed again each time effects are settled, because it is volatile and the abilities of cards or the
    /// order of parts depend on it.
    pub(crate) fickle: bool,
    /// The part's extent. `None`: not computed yet.
    pub(crate) extent: Option<Arc<Extent>>,
    /// How the extent was found in earlier positions.
    #[serde(skip)]
    pub found: ExtentCache,
}

impl Clone for Part {
    fn clone(&self) -> Self {
        Part { extent: self.extent.clone(), found: self.found.clone(), ..*self }
    }

    /// Makes this a copy. An extent that both already share is not touched, because changing its reference count would take most of the
    /// time.
    fn clone_from(&mut self, of: &Self) {
        let extent = match (self.extent.take(), &of.extent) {
            (Some(extent), Some(of)) if Arc::ptr_eq(&extent, of) => Some(extent),
            (_, of) => of.clone(),
        };
        let mut found = std::mem::take(&mut self.found);
        found.clone_from(&of.found);
        *self = Part { extent, found, ..*of };
    }
}

/// The extent of a part: the cards to which it applies, and the amount of its change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extent {
    /// The cards (for a disabling also abilities), sorted. Empty if the part does not count.
    pub members: Vec<Value>,
    /// The amount of the change.
    pub amount: Value,
    /// If the amount is a set: its members.
    pub many: Vec<Value>,
    /// Everything that was read to find the extent.
    pub reads: Spots,
}

/// An ability that an effect grants to a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantedAbility {
    /// The number of the effect.
    pub by: u32,
    /// The ability.
    pub ability: AbilityId,
    /// The card.
    pub to: Value,
    /// Whether the ability works where the card lies, so that its clauses are in force.
    pub works: bool,
}

/// An effect: a clause in force.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// The number of the effect.
    pub number: u32,
    /// The effect's timestamp: when it began. Effects of one batch have the same timestamp.
    pub timestamp: u32,
    /// The clause.
    pub clause: ClauseId,
    /// The card of the effect, as the card was then.
    pub source: Value,
    /// The player of the effect.
    pub you: Player,
    /// How long the effect holds.
    pub holds: Holds,
    /// The captures of the clause, taken when the effect began.
    pub captures: Few,
    /// Lists among the captures.
    pub lists: Few,
    /// For a lasting effect on a set: the members when it began. `None` if the set is read anew each time (static effects, and the policy
    /// `sets = live`).
    pub targets: Option<Vec<Value>>,
    /// Cards to which the effect applies even if they are not in its set, because it applied to them in the zone from which they came.
    pub pinned: Vec<Value>,
    /// The values of its changes when it began.
    pub amounts: Few,
    /// For a clause `whenever`: whether the condition was true at the last check. By policy it also stays true until the ability has been
    /// performed. For another clause with a condition, in a game that asks when effects begin and end: whether the condition was true.
    pub was: bool,
    /// For a lasting effect that ends with the ability that began it (the slot `needs_source`): this ability of its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<AbilityId>,
    /// For a lasting effect on a described set that leaves newcomers out: the cards that lay in public zones when it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub there: Vec<Value>,
}

/// How long an effect holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Holds {
    /// An effect of a static ability: as long as the card lies where the ability works.
    Static(AbilityId),
    /// A lasting effect: until the flow says that the duration ends.
    Lasting(DurationId),
    /// An effect of a granted ability: as long as the effect with that number grants the ability.
    Granted(AbilityId, u32),
    /// An effect of a rule: always.
    Rule(RuleId),
}

impl Effects {
    /// Makes this a copy of other effects. The allocated memory is kept.
    pub(crate) fn copy_from(&mut self, other: &Effects) {
        let &Effects {
            ref in_force,
            next,
            now,
            ref watching,
            ref modifying,
            disabling,
            controlling,
            stripping,
            granting,
            shielding,
            withholding,
            assuming,
            requiring,
            ref order,
            row_version,
            ref circles,
            ref withdrawn,
            ref circling,
            looks,
            ref granted,
            awaiting,
            falling,
            ref later,
            tells,
            ref begun,
            ref ended,
            ref open,
            arranged,
            ref undated,
            ref switched,
            dated,
            ref asked,
            depth: _,
            left_out: _,
            supposed,
        } = other;
        copy_shared(&mut self.in_force, in_force);
        self.watching.clone_from(watching);
        self.modifying.clone_from(modifying);
        self.order.clone_from(order);
        self.row_version = row_version;
        self.circles.clone_from(circles);
        self.withdrawn.clone_from(withdrawn);
        self.circling.clone_from(circling);
        self.granted.clone_from(granted);
        self.later.clone_from(later);
        self.begun.clone_from(begun);
        self.ended.clone_from(ended);
        self.open.clone_from(open);
        self.undated.clone_from(undated);
        self.switched.clone_from(switched);
        self.asked.take_over(asked);
        (self.next, self.now, self.looks, self.awaiting, self.supposed) = (next, now, looks, awaiting, supposed);
        (self.disabling, self.stripping, self.granting, self.controlling) = (disabling, stripping, granting, controlling);
        (self.shielding, self.withholding, self.assuming, self.requiring) = (shielding, withholding, assuming, requiring);
        (self.falling, self.tells, self.arranged, self.dated) = (falling, tells, arranged, dated);
    }
}
