//! What happened, and what waits.

use super::Grown;
use crate::engine::ids::{AbilityId, CauseId, ClauseId, DurationId, KindId, MomentId, OptionId, RoleId, RoutineId, RuleId, TextId, VerbId};
use crate::engine::limits;
use crate::engine::value::{Place, Player, Value};
use crate::engine::witnessed::WitnessedRows;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// What happened and what waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Events {
    /// Events of recorded verbs.
    pub history: Grown<Event>,
    /// Members of lists among the arguments of history.
    pub lists: Vec<Value>,
    /// What cards were when events were told of them, where the program asks for that.
    pub witnessed: WitnessedRows,
    /// Named places in history.
    pub marks: Vec<(TextId, u32)>,
    /// Abilities that wait, oldest first: by their numbers. Most are performed from the front.
    pub pending: VecDeque<Arc<Pending>>,
    /// What waits in zones: of each zone in which something does (by their numbers) when it came there and its own number, in the order in which
    /// they came. It says nothing that `pending` does not, and is not saved.
    #[serde(skip)]
    pub in_zones: Vec<(Place, Vec<(u32, u32)>)>,
    /// What rules that wait for events have heard and not yet run for, oldest first.
    pub heard: Vec<RuleEvent>,
    /// Who holds which role, outermost first.
    pub held: Vec<Held>,
    /// The number of the next one.
    pub next: u32,
    /// Which clauses of which cards have let an ability wait since a mark, for events that do so only once.
    pub once: Vec<(TextId, ClauseId, Value)>,
    /// The same since the last change, of those that wait once for whatever happens together.
    pub together: Vec<Together>,
    /// Of each event of a value: what the values were when they were last looked at.
    pub values: Vec<Vec<(Value, Value)>>,
    /// Uses of abilities with a limit, by whose they are: in the order of [`Used::key`].
    pub uses: Vec<Used>,
}

impl Events {
    /// The ability that waits with that number.
    #[must_use]
    pub fn waiting(&self, number: u32) -> Option<&Pending> {
        let at = self.pending.binary_search_by_key(&number, |pending| pending.number).ok()?;
        self.pending.get(at).map(Arc::as_ref)
    }

    /// The same, to change it.
    pub fn waiting_mut(&mut self, number: u32) -> Option<&mut Pending> {
        let at = self.pending.binary_search_by_key(&number, |pending| pending.number).ok()?;
        self.pending.get_mut(at).map(Arc::make_mut)
    }

    /// A waiting ability comes to a zone, as the last there; `false` where none waits with that number, or it is there.
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

    /// Takes one out that waits; where it stood.
    pub fn take(&mut self, number: u32) -> Option<(usize, Pending)> {
        let at = self.pending.binary_search_by_key(&number, |pending| pending.number).ok()?;
        let pending = Arc::unwrap_or_clone(self.pending.remove(at)?);
        if let Some(place) = pending.place {
            self.leave_zone(place, (pending.entered, number));
        }
        Some((at, pending))
    }

    /// These wait no longer.
    pub fn drop_all(&mut self, dropped: &std::collections::BTreeSet<u32>) {
        let gone = self.pending.iter().filter(|pending| dropped.contains(&pending.number));
        let gone: Vec<(Place, (u32, u32))> = gone.filter_map(|pending| Some((pending.place?, (pending.entered, pending.number)))).collect();
        self.pending.retain(|pending| !dropped.contains(&pending.number));
        gone.into_iter().for_each(|(place, at)| self.leave_zone(place, at));
    }

    /// What waits in a zone: when each came there, and its number, in the order in which they came.
    #[must_use]
    pub fn in_zone(&self, place: Place) -> &[(u32, u32)] {
        let at = self.in_zones.binary_search_by_key(&place.0, |(place, _)| place.0);
        at.ok().and_then(|at| self.in_zones.get(at)).map_or(&[], |(_, there)| there)
    }

    /// Finds out what waits in zones.
    pub fn find_in_zones(&mut self) {
        self.in_zones.clear();
        let there: Vec<(Place, (u32, u32))> =
            self.pending.iter().filter_map(|pending| Some((pending.place?, (pending.entered, pending.number)))).collect();
        there.into_iter().for_each(|(place, at)| self.note_in_zone(place, at));
    }

    fn note_in_zone(&mut self, place: Place, at: (u32, u32)) {
        let zone = match self.in_zones.binary_search_by_key(&place.0, |(place, _)| place.0) {
            Ok(zone) => zone,
            Err(zone) => {
                self.in_zones.insert(zone, (place, Vec::new()));
                zone
            }
        };
        if let Some((_, there)) = self.in_zones.get_mut(zone) {
            let behind = there.partition_point(|other| *other < at);
            there.insert(behind, at);
        }
    }

    fn leave_zone(&mut self, place: Place, at: (u32, u32)) {
        let Ok(zone) = self.in_zones.binary_search_by_key(&place.0, |(place, _)| place.0) else { return };
        let Some((_, there)) = self.in_zones.get_mut(zone) else { return };
        if let Ok(found) = there.binary_search(&at) {
            there.remove(found);
        }
        if there.is_empty() {
            self.in_zones.remove(zone);
        }
    }

    /// Adds to history, as long as there is room; where it is then.
    pub fn keep(&mut self, event: Event) -> Option<u32> {
        let at = self.history.len();
        if at >= limits::HISTORY {
            return None;
        }
        self.history.push(event);
        Some(at as u32)
    }
}

/// How many arguments an event can have.
pub const MOST_ARGUMENTS: usize = 6;

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Event {
    /// What was done.
    pub verb: VerbId,
    /// With what.
    pub args: [Value; MOST_ARGUMENTS],
    /// Why.
    pub cause: Cause,
}

/// What caused an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cause {
    /// The flow or a rule.
    #[default]
    Rule,
    /// An ability of that card (as it was), whose player is `you`.
    Effect {
        /// The card.
        source: Value,
        /// Whose effect.
        you: Player,
    },
    /// What is due for an ability of that card is paid.
    Cost {
        /// The card.
        source: Value,
        /// Who pays.
        you: Player,
    },
    /// A cause that the game declares.
    Declared {
        /// Which.
        cause: CauseId,
        /// The card that it is of; undefined: of none.
        of: Value,
        /// Whose.
        you: Player,
    },
    /// It was laid to something that there is not.
    Unknown,
}

/// A clause of a card that waits once for whatever happens together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Together {
    /// Which clause.
    pub clause: ClauseId,
    /// Of which card.
    pub source: Value,
    /// What it has gathered; nothing of one that gathers nothing.
    pub members: Vec<Value>,
    /// What waits for it, where that gathers and has begun to.
    pub number: Option<u32>,
    /// The effect that waits for one time and has come to it: it is over when something else changes.
    pub ends: Option<u32>,
}

impl Together {
    /// Whether it is of that clause of that card.
    #[must_use]
    pub fn is_of(&self, clause: ClauseId, source: Value) -> bool {
        self.clause == clause && self.source == source
    }
}

/// An ability that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pending {
    /// Its own number.
    pub number: u32,
    /// Triggered: of this kind, by this clause. Put by: until this moment.
    pub waits: Waits,
    /// The ability that was triggered or announced, in which its slots are filled; none of a resolved effect and of what was put by.
    pub ability: Option<AbilityId>,
    /// What it does.
    pub body: RoutineId,
    /// The card it comes from, as it was.
    pub source: Value,
    /// That card as it was when it began to wait, on the far side of a move that was its event; undefined where its body does not ask.
    pub after: Value,
    /// Whose it is.
    pub you: Player,
    /// The first registers of its body.
    pub captures: Vec<Value>,
    /// The zone that it waits in.
    pub place: Option<Place>,
    /// When it came there: greater is later.
    pub entered: u32,
    /// What has been asked for and determined, slot by slot: the registers after the captures. Of a cost the amounts of its parts.
    pub slots: Vec<Value>,
    /// Slots in which nothing is printed, by their places, and the clauses that had filled them when they were determined.
    pub given: Vec<(u8, ClauseId)>,
    /// Its other sources.
    pub also: Vec<Value>,
    /// The event that let it wait, by its place in history, where the program asks for such.
    pub event: Option<u32>,
    /// Lists among all these.
    pub lists: Vec<Value>,
}

/// How often an ability has been used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Used {
    /// Which ability of which card's life; where uses are counted for players, of no card in particular.
    pub ability: Value,
    /// By whom, where uses are counted for players.
    pub whose: Option<Player>,
    /// They are counted until this duration ends; else until the turn does.
    pub until: Option<DurationId>,
    /// How often.
    pub count: u16,
}

impl Used {
    /// What they are ordered by: whose ability, which, in which life, by whom.
    #[must_use]
    pub fn key(&self) -> (u64, u16) {
        let whose = self.whose.map_or(u16::MAX, |whose| u16::from(whose.0));
        match self.ability {
            Value::Ability { of, ability, life } => (u64::from(of.0) << 32 | u64::from(ability.0) << 16 | u64::from(life), whose),
            _ => (u64::MAX, whose),
        }
    }
}

/// A role that is held.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Held {
    /// In which stretch.
    pub scope: u32,
    /// Which.
    pub role: RoleId,
    /// By whom.
    pub members: Vec<Value>,
}

/// Something that a rule has heard.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RuleEvent {
    /// Which rule.
    pub rule: RuleId,
    /// Whose instance.
    pub player: Player,
    /// The first registers of its body.
    pub captures: Vec<Value>,
}

/// Why it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "see Pending::waits")]
pub enum Waits {
    Triggered(KindId, ClauseId),
    PutBy(MomentId),
    Announced(KindId),
    Declared(OptionId),
}

impl Events {
    /// Becomes a copy that keeps the memory of what was here.
    pub fn copy_from(&mut self, other: &Events) {
        let Events { history, lists, witnessed, marks, pending, in_zones, heard, held, next, uses, once, together, values } = other;
        self.in_zones.clone_from(in_zones);
        self.values.clone_from(values);
        self.once.clone_from(once);
        self.together.clone_from(together);
        self.history.clone_from(history);
        self.lists.clone_from(lists);
        self.witnessed.clone_from(witnessed);
        self.marks.clone_from(marks);
        self.pending.clone_from(pending);
        self.heard.clone_from(heard);
        self.held.clone_from(held);
        self.uses.clone_from(uses);
        self.next = *next;
    }
}
