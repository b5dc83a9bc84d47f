//! Events that have happened, and abilities that wait.

use super::readings::{self, part};
use super::{AppendOnly, Noted};
use crate::eval::witnessed::WitnessedRows;
use crate::ids::{AbilityId, CauseId, ClauseId, DurationId, KindId, MomentId, OptionId, RoleId, RoutineId, RuleId, TextId, VerbId};
use crate::limits;
use crate::value::{Few, Place, Player, Slots, Value};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// At most this many events are copied with a state. Copies share the older ones.
const LOOSE: usize = 64;

/// Up to this many waiting abilities, going through them is quicker than a search.
const FEW: usize = 8;

/// The history of events, the waiting abilities, and what rules and triggers have heard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Events {
    /// History: the events of recorded verbs, oldest first.
    pub history: AppendOnly<Event>,
    /// The members of lists among the arguments of events in history.
    pub lists: Vec<Value>,
    /// The cards of events as they were then, if the program asks for this.
    pub witnessed: WitnessedRows,
    /// The marks: names for places in history.
    pub marks: Vec<(TextId, u32)>,
    /// Marks that stretches have set for themselves, as they were before. The innermost stretch comes last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_marks: Vec<KeptMark>,
    /// The waiting abilities in the order of their numbers, oldest first. Most are performed from the front.
    pub pending: Noted<VecDeque<Arc<Pending>>, { part::PENDING }>,
    /// The waiting abilities in each zone that holds some, sorted by zone. Each entry is (time of arrival, number), in the order of
    /// arrival. This list is computed from `pending`, so it is not saved.
    #[serde(skip)]
    pub(crate) in_zones: Noted<InZones, { part::WAITING }>,
    /// Events that rules have heard and for which they have not run yet, oldest first.
    pub heard: Vec<RuleEvent>,
    /// The held roles, those of the outermost stretch first.
    pub held: Noted<Vec<Held>, { part::HELD }>,
    /// The next number for a waiting ability. It is also the next `entered` when an ability comes to a zone.
    pub next: u32,
    /// For events that are told `once`: the mark, and the clause of which card has already let an ability wait since the mark.
    pub once: Vec<(TextId, ClauseId, Value)>,
    /// Triggers that wait only once for events that happen together, and have heard one since the last change.
    pub together: Noted<Vec<Together>, { part::TOGETHER }>,
    /// For each event of a computed value: the members with their values at the last check.
    pub values: Noted<Vec<Vec<(Value, Value)>>, { part::VALUES }>,
    /// How often abilities with a limit have been used, sorted by [`Used::key`].
    pub uses: Vec<Used>,
}

/// The waiting abilities in each zone that holds some: (time of arrival, number).
pub(crate) type InZones = Vec<(Place, Vec<(u32, u32)>)>;

/// A mark as it was before a stretch set it anew for itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptMark {
    /// The number of the stretch.
    pub scope: u32,
    /// The mark.
    pub mark: TextId,
    /// The mark's place in history, if it had been set.
    pub at: Option<u32>,
    /// The clauses, each with its card, that had already heard an event that is told `once` since then.
    pub once: Vec<(ClauseId, Value)>,
}

impl Events {
    /// Prepares for copies: copies share what has been kept for long.
    pub(crate) fn seal(&mut self) {
        self.history.seal(LOOSE);
        self.witnessed.seal();
    }

    /// Sets a mark at the present place in history.
    pub fn mark(&mut self, name: TextId) {
        let now = self.history.len() as u32;
        self.forget_mark(name);
        self.marks.push((name, now));
    }

    /// Sets a mark where another mark stands. If that one is not set, neither is this one.
    pub(crate) fn copy_mark(&mut self, name: TextId, of: TextId) {
        let at = self.marks.iter().find(|(other, _)| *other == of).map(|(_, at)| *at);
        self.forget_mark(name);
        self.marks.extend(at.map(|at| (name, at)));
    }

    fn forget_mark(&mut self, name: TextId) {
        self.marks.retain(|(other, _)| *other != name);
        self.once.retain(|(mark, ..)| *mark != name);
    }

    /// Keeps the present place of a mark until a stretch ends, unless the stretch has already kept it.
    pub(crate) fn keep_mark(&mut self, mark: TextId, scope: u32) {
        if self.kept_marks.iter().any(|kept| kept.scope == scope && kept.mark == mark) {
            return;
        }
        let at = self.marks.iter().find(|(name, _)| *name == mark).map(|(_, at)| *at);
        let heard = self.once.iter().filter(|(since, ..)| *since == mark);
        let once = heard.map(|(_, clause, source)| (*clause, *source)).collect();
        self.kept_marks.push(KeptMark { scope, mark, at, once });
    }

    /// Ends a stretch: the marks that it has set for itself get their earlier places.
    pub(crate) fn bring_back_marks(&mut self, scope: u32) {
        while let Some(at) = self.kept_marks.iter().rposition(|kept| kept.scope == scope) {
            let KeptMark { mark, at, once, .. } = self.kept_marks.remove(at);
            self.forget_mark(mark);
            self.marks.extend(at.map(|at| (mark, at)));
            self.once.extend(once.into_iter().map(|(clause, source)| (mark, clause, source)));
        }
    }

    /// The index of the waiting ability with a number.
    pub(super) fn place_of(&self, number: u32) -> Option<usize> {
        readings::note_pending(number);
        let pending = self.pending.unnoted();
        if pending.len() <= FEW {
            return pending.iter().position(|pending| pending.number == number);
        }
        pending.binary_search_by_key(&number, |pending| pending.number).ok()
    }

    /// The waiting ability with a number.
    #[must_use]
    pub fn waiting(&self, number: u32) -> Option<&Pending> {
        self.pending.unnoted().get(self.place_of(number)?).map(Arc::as_ref)
    }

    /// The waiting ability with a number, for changing it.
    pub(crate) fn waiting_mut(&mut self, number: u32) -> Option<&mut Pending> {
        let at = self.place_of(number)?;
        self.pending.unnoted_mut().get_mut(at).map(Arc::make_mut)
    }

    /// Puts a waiting ability into a zone, as the last one there. `false` if no ability with that number waits, or if it is already in the
    /// zone.
    pub fn enter(&mut self, number: u32, place: Place) -> bool {
        let entered = self.next;
        let Some(pending) = self.waiting_mut(number).filter(|pending| pending.place != Some(place)) else { return false };
        let before = (pending.place.replace(place), std::mem::replace(&mut pending.entered, entered));
        self.next += 1;
        if let (Some(from), at) = before {
            self.leave_zone(from, (at, number));
        }
        self.note_in_zone(place, (entered, number));
        true
    }

    /// Removes a waiting ability. The result: its index in `pending`, and the ability.
    pub fn take(&mut self, number: u32) -> Option<(usize, Pending)> {
        let at = self.place_of(number)?;
        let pending = Arc::unwrap_or_clone(self.pending.unnoted_mut().remove(at)?);
        if let Some(place) = pending.place {
            self.leave_zone(place, (pending.entered, number));
        }
        Some((at, pending))
    }

    /// Removes waiting abilities. Gives whether any of them waited.
    pub(crate) fn drop_all(&mut self, dropped: &std::collections::BTreeSet<u32>) -> bool {
        if dropped.is_empty() {
            return false;
        }
        dropped.iter().for_each(|number| readings::note_pending(*number));
        let pending = self.pending.unnoted_mut();
        let waiting = pending.len();
        let gone = pending.iter().filter(|pending| dropped.contains(&pending.number));
        let gone: Vec<(Place, (u32, u32))> = gone.filter_map(|pending| Some((pending.place?, (pending.entered, pending.number)))).collect();
        pending.retain(|pending| !dropped.contains(&pending.number));
        let any = pending.len() < waiting;
        gone.into_iter().for_each(|(place, at)| self.leave_zone(place, at));
        any
    }

    /// The waiting abilities in a zone: (when it came there, its number), in the order in which they came.
    #[must_use]
    pub(crate) fn in_zone(&self, place: Place) -> &[(u32, u32)] {
        readings::note(part::WAITING, usize::from(place.0));
        self.zone(place)
    }

    /// Like [`Events::in_zone`], without noting that the zone is read.
    pub(crate) fn zone(&self, place: Place) -> &[(u32, u32)] {
        let zones = self.in_zones.unnoted();
        let at = zones.binary_search_by_key(&place.0, |(place, _)| place.0);
        at.ok().and_then(|at| zones.get(at)).map_or(&[], |(_, there)| there)
    }

    /// Computes `in_zones` from `pending`.
    pub(crate) fn find_in_zones(&mut self) {
        self.in_zones.clear();
        let there: Vec<(Place, (u32, u32))> =
            self.pending.iter().filter_map(|pending| Some((pending.place?, (pending.entered, pending.number)))).collect();
        there.into_iter().for_each(|(place, at)| self.note_in_zone(place, at));
    }

    fn note_in_zone(&mut self, place: Place, at: (u32, u32)) {
        let zones = self.in_zones.unnoted_mut();
        let zone = match zones.binary_search_by_key(&place.0, |(place, _)| place.0) {
            Ok(zone) => zone,
            Err(zone) => {
                zones.insert(zone, (place, Vec::new()));
                zone
            }
        };
        if let Some((_, there)) = zones.get_mut(zone) {
            let behind = there.partition_point(|other| *other < at);
            there.insert(behind, at);
        }
    }

    fn leave_zone(&mut self, place: Place, at: (u32, u32)) {
        let zones = self.in_zones.unnoted_mut();
        let Ok(zone) = zones.binary_search_by_key(&place.0, |(place, _)| place.0) else { return };
        let Some((_, there)) = zones.get_mut(zone) else { return };
        if let Ok(found) = there.binary_search(&at) {
            there.remove(found);
        }
        if there.is_empty() {
            zones.remove(zone);
        }
    }

    /// Adds an event to history. The result is its index. If history is full, the event is not added.
    pub fn keep(&mut self, event: Event) -> Option<u32> {
        let at = self.history.len();
        if at >= limits::HISTORY {
            return None;
        }
        self.history.push(event);
        Some(at as u32)
    }
}

/// Makes a list of rows a copy of another list. The memory of the rows is kept.
fn copy_rows<K: Copy, T: Copy>(copy: &mut Vec<(K, Vec<T>)>, of: &[(K, Vec<T>)]) {
    copy.truncate(of.len());
    for ((key, row), (key_of, row_of)) in copy.iter_mut().zip(of) {
        *key = *key_of;
        row.clone_from(row_of);
    }
    copy.extend(of.iter().skip(copy.len()).cloned());
}

/// The greatest number of arguments of an event.
pub const MOST_ARGUMENTS: usize = 6;

/// An event that has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The verb.
    pub verb: VerbId,
    /// The arguments.
    pub args: [Value; MOST_ARGUMENTS],
    /// The cause.
    pub cause: Cause,
}

/// The cause of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Cause {
    /// The flow or a rule.
    #[default]
    Rule,
    /// An ability of a card. `source` is the card as it was then.
    Effect {
        /// The card.
        source: Value,
        /// The player whose effect it is.
        you: Player,
        /// Another player, of whom the effect says that they act (`as p { }`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        performer: Option<Player>,
    },
    /// The payment of a cost of an ability of that card.
    Cost {
        /// The card.
        source: Value,
        /// The player who pays.
        you: Player,
    },
    /// A cause that the game declares.
    Declared {
        /// The declared cause.
        cause: CauseId,
        /// The card that the cause belongs to. Undefined: none.
        of: Value,
        /// The player whose cause it is.
        you: Player,
    },
    /// The named cause was undefined, so the cause is unknown.
    Unknown,
}

/// A trigger that waits only once for events that happen together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// The clause of the trigger.
    pub clause: ClauseId,
    /// The card of the trigger.
    pub source: Value,
    /// The player who hears, in a game whose policy names the hearers (`heard_by`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whose: Option<Player>,
    /// The members that the trigger has gathered; empty if it gathers none.
    pub members: Vec<Value>,
    /// The number of the waiting ability, if the trigger gathers and its ability has begun to wait.
    pub number: Option<u32>,
    /// The number of an effect that waits for one event only and has heard it. The effect ends when something else changes.
    pub ends: Option<u32>,
}

impl Together {
    /// Whether this trigger has that clause, that card and that hearer.
    #[must_use]
    pub(crate) fn is_of(&self, clause: ClauseId, source: Value, whose: Option<Player>) -> bool {
        self.clause == clause && self.source == source && self.whose == whose
    }
}

/// Something that waits: a triggered, announced or put-by ability, or a declared action.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pending {
    /// The ability's number. Numbers grow in the order in which abilities begin to wait.
    pub number: u32,
    /// What the ability is, and why it waits.
    pub waits: Waits,
    /// The triggered or announced ability whose slots it has. `None` for a resolved effect and for a block that is put by.
    pub ability: Option<AbilityId>,
    /// The ability's body.
    pub body: RoutineId,
    /// The ability's card, as the card was when it heard of the event.
    pub source: Value,
    /// The ability's card when it began to wait (after the move, if the event was a move); undefined if the body does not read it
    /// (`this_after`).
    pub after: Value,
    /// The ability's card as it was before the event, if the event was a move of this card; else the card. Undefined if the body does not
    /// read it (`this_before`).
    pub before: Value,
    /// The ability's controller.
    pub you: Player,
    /// The first registers of its body.
    pub captures: Few,
    /// The zone in which it waits; `None`: in no zone.
    pub place: Option<Place>,
    /// When the ability came to the zone; a greater number is later.
    pub entered: u32,
    /// The contents of its slots that have been asked for or fixed. The body has them in the registers after the captures. For a cost: the
    /// amounts of its parts.
    pub slots: Slots,
    /// Slots that an effect had filled when they were fixed: the index of the slot, and the clause.
    pub given: Vec<(u8, ClauseId)>,
    /// The ability's other sources.
    pub also: Few,
    /// The event that let the ability wait, as an index in history, if the program asks for it.
    pub event: Option<u32>,
    /// The members of lists in the fields above.
    pub lists: Few,
}

/// How often an ability has been used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Used {
    /// The ability of a card in one life. If uses are counted for players: the ability of no card in particular.
    pub ability: Value,
    /// The player, if uses are counted for players.
    pub whose: Option<Player>,
    /// The duration for which uses are counted; `None`: the turn.
    pub until: Option<DurationId>,
    /// The number of uses.
    pub count: u16,
}

impl Used {
    /// The sort key: the card, the ability, the life, and the player. What a use lacks comes last.
    #[must_use]
    pub fn key(&self) -> (u64, u16) {
        const NO_ABILITY: u64 = u64::MAX;
        const NO_PLAYER: u16 = u16::MAX;
        let whose = self.whose.map_or(NO_PLAYER, |whose| u16::from(whose.0));
        match self.ability {
            Value::Ability { of, ability, life } => (u64::from(of.0) << 32 | u64::from(ability.0) << 16 | u64::from(life), whose),
            _ => (NO_ABILITY, whose),
        }
    }
}

/// A role that is held.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The number of the stretch.
    pub scope: u32,
    /// The role.
    pub role: RoleId,
    /// The holders.
    pub members: Few,
}

/// An event that a rule has heard.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleEvent {
    /// The rule.
    pub rule: RuleId,
    /// The player whose instance of the rule it is.
    pub player: Player,
    /// The first registers of its body.
    pub captures: Few,
}

/// What something that waits is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "see Pending::waits")]
pub enum Waits {
    Triggered(KindId, ClauseId),
    PutBy(MomentId),
    Announced(KindId),
    Declared(OptionId),
}

impl Events {
    /// Drops data that may be shared with other events. While it is shared, the others would have to copy it at their next change.
    pub(crate) fn let_go(&mut self) {
        self.history.clear();
        self.witnessed.clear();
        self.pending.unnoted_mut().clear();
    }

    /// Makes this a copy of other events. The allocated memory is kept.
    pub(crate) fn copy_from(&mut self, other: &Events) {
        let Events { history, lists, witnessed, marks, kept_marks, pending, in_zones, heard, held, next, uses, once, together, values } =
            other;
        copy_rows(self.in_zones.unnoted_mut(), in_zones.unnoted());
        self.values.clone_from(values);
        self.once.clone_from(once);
        self.together.clone_from(together);
        self.history.clone_from(history);
        self.lists.clone_from(lists);
        self.witnessed.clone_from(witnessed);
        self.marks.clone_from(marks);
        self.kept_marks.clone_from(kept_marks);
        self.pending.clone_from(pending);
        self.heard.clone_from(heard);
        self.held.clone_from(held);
        self.uses.clone_from(uses);
        self.next = *next;
    }
}
