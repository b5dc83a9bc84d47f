//! Continuous effects: what is in force, to what it applies, what has not begun.

use super::asked::{LooksWithin, Silencing};
use super::found::Found;
use super::late::Late;
use crate::engine::ids::{AbilityId, ClauseId, DurationId, FieldId, RuleId};
use crate::engine::value::{Player, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Continuous effects in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Effects {
    /// In the order in which they began.
    pub in_force: Vec<Arc<Effect>>,
    /// The number of the next one.
    pub next: u32,
    /// The timestamp of effects that begin now: one for each batch.
    pub now: u32,
    /// How many in force watch each verb (forbid, instead, when).
    pub watching: Vec<u16>,
    /// How many in force change each field.
    pub modifying: Vec<u16>,
    /// How many in force disable abilities.
    pub disabling: u16,
    /// How many in force give control of cards.
    pub controlling: u16,
    /// How many in force strip abilities.
    pub stripping: u16,
    /// How many in force grant abilities.
    pub granting: u16,
    /// How many in force shield cards from others.
    pub shielding: u16,
    /// How many in force have a fact taken for true.
    pub assuming: u16,
    /// How many in force demand something in a choice.
    pub requiring: u16,
    /// In a game with layers: what the effects in force do to cards, part by part, in the order in which it applies.
    pub order: Vec<Part>,
    /// In a trial run: the row is not up to date, and is made so where it is read.
    #[serde(skip)]
    pub late: Late,
    /// Effects of abilities that are lost in a later layer and give nothing to other cards therefore, sorted (by policy).
    pub withdrawn: Vec<u32>,
    /// Those that are lost only because of what they give: they go on giving it.
    pub circling: Vec<u32>,
    /// What the extents of all parts were read from (bits of `lane::spot`).
    pub looks: u64,
    /// Abilities that effects give cards now.
    pub granted: Vec<GrantedAbility>,
    /// How many in force wait for a condition to become true.
    pub awaiting: u16,
    /// Some in force lose for good whatever falls out of their sets.
    pub falling: bool,
    /// Effects of durations that have not begun.
    pub later: Vec<Effect>,
    /// Beginnings and ends are events in this game.
    pub tells: bool,
    /// Those that have begun and of which nobody has been told yet.
    pub begun: Vec<u32>,
    /// Those that have ended and of which nobody has been told yet.
    pub ended: Vec<Effect>,
    /// Durations that have begun and are not over, of those outside of which their effects never begin.
    pub open: Vec<DurationId>,
    /// Some are not in the order of their numbers: players have put them in another.
    pub arranged: bool,
    /// Effects that an ability has begun which is not over, and which are as old as its end; with where that is performed:
    /// the branch, and how many calls there are with the ability.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undated: Vec<(u32, (u16, u16))>,
    /// In which step abilities ended last whose effects were dated so, the date, and in which branches (a bit each): what
    /// ends in the same step ends together.
    #[serde(default)]
    pub dated: (u32, u32, u64),
    /// How often they were asked whether they take abilities away.
    #[serde(skip)]
    pub silencing: Silencing,
    /// How often members of sets were looked at within other sets.
    #[serde(skip)]
    pub looks_within: LooksWithin,
    /// How many times effects have been left out of this copy, to see what would be without them; 0 in a game.
    #[serde(skip)]
    pub supposed: u8,
}

/// Makes a row of shared values a copy of another. Values that both have already are left alone: counting who shares them costs most of a copy.
fn copy_shared<T>(copy: &mut Vec<Arc<T>>, of: &[Arc<T>]) {
    copy.truncate(of.len());
    for (value, of) in copy.iter_mut().zip(of).filter(|(value, of)| !Arc::ptr_eq(value, of)) {
        *value = Arc::clone(of);
    }
    copy.extend(of.iter().skip(copy.len()).cloned());
}

/// A part of an effect that applies in one layer.
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Part {
    /// The layer.
    pub layer: u8,
    /// It keeps a value from falling: in its layer it comes behind the others.
    pub last: bool,
    /// The effect's timestamp.
    pub timestamp: u32,
    /// The effect.
    pub effect: u32,
    /// Which of its changes; 0 for one that is no change of fields.
    pub change: u16,
    /// The field that it changes, if it is one.
    pub field: Option<FieldId>,
    /// What it applies to, or by how much, depends on what is no part of the board, or on a part of which that is true. A change of a
    /// field is then worked out where it is read.
    pub volatile: bool,
    /// It is looked at anew whenever effects are settled: it is volatile, and which abilities there are or what depends on what hangs
    /// on it.
    pub fickle: bool,
    /// What it applies to; none until it has been looked at.
    pub extent: Option<Arc<Extent>>,
    /// How that was found last.
    #[serde(skip)]
    pub found: Found,
}

impl Clone for Part {
    fn clone(&self) -> Self {
        Part { extent: self.extent.clone(), found: self.found.clone(), ..*self }
    }

    /// Becomes a copy. An extent that both have already is left alone: counting who shares it costs most of a copy.
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

/// What a part of an effect applies to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Extent {
    /// The cards, or the abilities that are disabled, sorted; none where it does not count.
    pub members: Vec<Value>,
    /// By how much it changes them.
    pub amount: Value,
    /// By each of these, where it is a set.
    pub many: Vec<Value>,
    /// What this was read from (bits of `lane::spot`).
    pub reads: u64,
}

/// An ability that an effect gives a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GrantedAbility {
    /// The effect.
    pub by: u32,
    /// The ability.
    pub ability: AbilityId,
    /// The card.
    pub to: Value,
    /// It works where the card lies: its clauses are in force.
    pub works: bool,
}

/// A clause in force.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Effect {
    /// Its own number.
    pub number: u32,
    /// When it began: effects of one batch have the same.
    pub timestamp: u32,
    /// What it does.
    pub clause: ClauseId,
    /// The card it comes from, as it was.
    pub source: Value,
    /// Whose it is.
    pub you: Player,
    /// Why it holds.
    pub holds: Holds,
    /// What its clause captured when it began.
    pub captures: Vec<Value>,
    /// Lists among the captures.
    pub lists: Vec<Value>,
    /// What a resolved `modify` or `disable` applies to, taken when it began.
    pub targets: Option<Vec<Value>>,
    /// Cards to which it applies whatever it says that it applies to: it did so where they came from.
    pub pinned: Vec<Value>,
    /// The values of its changes, taken when it began.
    pub amounts: Vec<Value>,
    /// The condition that it waits for was true when it was last looked at (and, where that counts, is not yet resolved).
    pub was: bool,
}

/// Why an effect holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Holds {
    /// A static ability: while its card is where the ability works.
    Static(AbilityId),
    /// Resolved: until the flow says that the duration ends.
    Lasting(DurationId),
    /// Of an ability that an effect (by its number) gives the card, as long as it does.
    Granted(AbilityId, u32),
    /// Said by a rule: always.
    Rule(RuleId),
}

impl Effects {
    /// Becomes a copy that keeps the memory of what was here.
    pub fn copy_from(&mut self, other: &Effects) {
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
            assuming,
            requiring,
            ref order,
            ref late,
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
            dated,
            ref silencing,
            ref looks_within,
            supposed,
        } = other;
        copy_shared(&mut self.in_force, in_force);
        self.watching.clone_from(watching);
        self.modifying.clone_from(modifying);
        self.order.clone_from(order);
        self.late = late.clone();
        self.withdrawn.clone_from(withdrawn);
        self.circling.clone_from(circling);
        self.granted.clone_from(granted);
        self.later.clone_from(later);
        self.begun.clone_from(begun);
        self.ended.clone_from(ended);
        self.open.clone_from(open);
        self.undated.clone_from(undated);
        self.silencing.take_over(silencing);
        self.looks_within.take_over(looks_within);
        (self.next, self.now, self.looks, self.awaiting, self.supposed) = (next, now, looks, awaiting, supposed);
        (self.disabling, self.stripping, self.granting, self.controlling) = (disabling, stripping, granting, controlling);
        (self.shielding, self.assuming, self.requiring) = (shielding, assuming, requiring);
        (self.falling, self.tells, self.arranged, self.dated) = (falling, tells, arranged, dated);
    }
}
