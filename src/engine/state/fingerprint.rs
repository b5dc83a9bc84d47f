//! Computes a number for a position, by which the position is recognised when it comes back.
//!
//! The number covers everything that can influence a later statement, according to the game's policy. Equal positions have equal numbers.
//! Two different positions of one run practically never have the same number. The numbers of unchanged parts are kept from the last
//! position ([`Seen`]). `run/circles.rs` and `run/repeats.rs` decide when a position is checked, and what follows when it has come back.
//!
//! Only values that somebody reads again count: the compiler knows which registers are in use at a statement (`Program::in_use`), and
//! whether a routine asks what was done. Leftovers of ended blocks would make every first round look new.
//!
//! | file | does |
//! | --- | --- |
//! | `branches.rs` | adds the running branches |
//! | `card_states.rs` | adds the states of cards |
//! | `growth.rs` | what may grow from round to round, and the number of a position without it |
//! | `seen.rs` | keeps data of the last position |

mod branches;
mod card_states;
mod growth;
mod seen;

pub(crate) use growth::{growth, is_number_of_players, is_tally};
pub(crate) use seen::Seen;

use crate::bits::Lives;
use crate::eval::witnessed::Witnessed;
use crate::ids::StateId;
use crate::plan::Plan;
use crate::program::{Program, SamePositions, StateDef};
use crate::short_ways::{ShortWay, took};
use crate::state::board::{NO_SLOT, Version, Versions, zone_of};
use crate::state::{Branch, Cause, Effect, Event, Pending, State};
use crate::value::{ObjectId, Place, Value};
use rustc_hash::FxHashSet;
use seen::{Fnv, SeenEffect, SeenEvent, put, speaks_of};
use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::Arc;

/// The number of a position. It covers the board, the effects, the waiting abilities, the branches, and the history as far as a question
/// can read it. Lives and numbers that only grow are left out, or counted from the first one.
pub(crate) fn projection(of: (&Program, &Plan), state: &State, running: &Branch, seen: &mut Seen) -> u128 {
    let number = look(of, state, running, seen, false).finished();
    debug_assert_eq!(number, look(of, state, running, &mut Seen::default(), false).finished());
    number
}

/// The number of a position, as [`projection`] gives it, without the numbers of players, teams and the game. The caller compares these.
pub(crate) fn projection_but_for_numbers(of: (&Program, &Plan), state: &State, running: &Branch, seen: &mut Seen) -> u128 {
    look(of, state, running, seen, true).finished()
}

/// The number of a position as the cards lie: without effects, numbers of cards, states of players, and history. Rounds of a loop that only
/// makes numbers or effects grow have equal numbers.
pub(crate) fn projection_of_cards((program, plan): (&Program, &Plan), state: &State, running: &Branch, seen: &mut Seen) -> u128 {
    super::readings::note_beyond();
    let as_they_lie = SamePositions::CardsAsTheyLie;
    let hash = PositionHash { program, plan, state, same: as_they_lie, but_for_numbers: false, in_call: false, to: Fnv::default() };
    hash.whole(seen, running).to.0
}

/// The number of a position as the innermost call of a branch sees it. The calls around it are left out, with what they wait for. Abilities
/// that wait in the same way count once. So calls that stand in one another without end have equal numbers.
///
/// `of_whole`: the data of the last position that [`projection`] saw. This function uses its part about the board.
pub(crate) fn projection_of_call(
    (program, plan): (&Program, &Plan),
    state: &State,
    running: &Branch,
    seen: &mut Seen,
    of_whole: &mut Seen,
) -> u128 {
    super::readings::note_beyond();
    std::mem::swap(&mut seen.board, &mut of_whole.board);
    let same = program.policies.same_positions;
    let mut hash = PositionHash { program, plan, state, same, but_for_numbers: false, in_call: true, to: Fnv::default() };
    hash.table(seen);
    let control = &state.control;
    (control.level, control.judging > 0, control.holding > 0, control.losing, control.winning, control.urgent).hash(&mut hash.to);
    for branch in &control.branches {
        hash.branch(branch);
    }
    hash.call(running);
    std::mem::swap(&mut seen.board, &mut of_whole.board);
    hash.to.0
}

/// Two numbers of a position. The first is that of [`projection`]. If the policy compares cards as they lie, the second leaves out the
/// abilities that are used up. If the policy leaves out what grows, see [`PositionHash::but_for_growth`]. Under other policies both are
/// equal.
pub(crate) fn projections(of: (&Program, &Plan), state: &State, running: &Branch, seen: &mut Seen) -> (u128, u128) {
    let numbers = both(of, state, running, seen);
    debug_assert_eq!(numbers, both(of, state, running, &mut Seen::default()));
    numbers
}

fn both(of: (&Program, &Plan), state: &State, running: &Branch, seen: &mut Seen) -> (u128, u128) {
    let hash = look(of, state, running, seen, false);
    let second = if hash.same.leaves_out_growth() { hash.but_for_growth(seen, running) } else { hash.to.0 };
    (hash.finished(), second)
}

/// The number of a position, before [`PositionHash::finished`].
fn look<'s>(
    (program, plan): (&'s Program, &'s Plan),
    state: &'s State,
    running: &Branch,
    seen: &mut Seen,
    but_for_numbers: bool,
) -> PositionHash<'s> {
    super::readings::note_beyond();
    let same = program.policies.same_positions;
    PositionHash { program, plan, state, same, but_for_numbers, in_call: false, to: Fnv::default() }.whole(seen, running)
}

/// How much work it is to compute the number of a position, in units of [`crate::limits::WORK_BUDGET`]. It grows with the history,
/// which no statement counts.
#[must_use]
pub(crate) fn work(state: &State) -> usize {
    4 * state.events.history.len() + 16 * state.events.pending.len() + 4 * state.effects.in_force.len()
}

struct PositionHash<'s> {
    program: &'s Program,
    plan: &'s Plan,
    state: &'s State,
    /// When two positions are the same.
    same: SamePositions,
    /// Whether numbers of players, teams and the game are left out. The caller compares them.
    but_for_numbers: bool,
    /// Whether the position is hashed as the innermost call sees it.
    in_call: bool,
    to: Fnv,
}

impl PositionHash<'_> {
    /// Adds everything.
    fn whole(mut self, seen: &mut Seen, running: &Branch) -> Self {
        self.table(seen);
        let control = &self.state.control;
        (control.level, control.judging, control.holding, control.losing, control.winning, control.urgent).hash(&mut self.to);
        for branch in &control.branches {
            self.branch(branch);
        }
        self.branch(running);
        self
    }

    /// Adds everything except the branches.
    fn table(&mut self, seen: &mut Seen) {
        match self.same {
            SamePositions::CardsInZones => self.cards(seen, false),
            SamePositions::CardsAsTheyLie => self.cards(seen, true),
            SamePositions::Everything | SamePositions::TalliesApart | SamePositions::AllButHistory => {
                self.board(seen);
                if self.plan.asks_turn {
                    self.state.board.turn.hash(&mut self.to);
                }
                let lives = seen.lives(self.state);
                self.effects(seen, lives);
                self.events(seen, lives);
            }
        }
    }

    /// Adds the cards in the zones, how each of them lies (if this counts), and the contents of zones of abilities.
    fn cards(&mut self, seen: &mut Seen, as_they_lie: bool) {
        self.kept(&mut seen.board.lying, |versions| [versions.lying; 2], Self::cards_in_zones);
        if as_they_lie {
            self.kept(&mut seen.board.faces, |versions| [versions.lying; 2], Self::how_cards_lie);
            self.states_of_cards(seen, false);
        }
        // In a zone without an order, it does not matter which ability came first.
        let mut sorted = Vec::new();
        for pending in self.state.events.pending.iter() {
            let place = pending.place.and_then(|place| self.program.zones.get(zone_of(self.program, place).0));
            let mut one = self.apart();
            (pending.waits, pending.body, pending.you, pending.place).hash(&mut one.to);
            one.values(&[pending.source, pending.after, pending.before], &[]);
            match place {
                Some(zone) if !zone.ordered => sorted.push(one.to.0),
                _ => self.to.wide(one.to.0),
            }
        }
        sorted.sort_unstable();
        for one in sorted {
            self.to.wide(one);
        }
    }

    /// The number of the position. If the policy compares cards as they lie, the abilities that are used up count too.
    fn finished(mut self) -> u128 {
        if self.same == SamePositions::CardsAsTheyLie {
            self.used_up();
        }
        self.to.0
    }

    /// Adds the abilities that cannot be used again until their uses are counted from zero again. Their effect cannot be repeated before.
    fn used_up(&mut self) {
        for used in &self.state.events.uses {
            let Value::Ability { of, life, .. } = used.ability else { continue };
            let most = self.state.most_uses(self.program, used.ability);
            // A card that has moved has a new ability with its own uses.
            let is_there = used.whose.is_some() || self.state.board.object(of).is_some_and(|object| object.life as u16 == life);
            if is_there && most.is_some_and(|most| i32::from(used.count) >= most) {
                (used.whose, used.until).hash(&mut self.to);
                self.value(used.ability, &[]);
            }
        }
    }

    /// Adds a part of the board by its number. If the part's versions (`of`) are unchanged, the number of the last position is used.
    /// Otherwise `tell` adds the contents. It must depend only on what these versions cover.
    fn kept(&mut self, kept: &mut Option<([Version; 2], u128)>, of: impl Fn(&Versions) -> [Version; 2], tell: impl Fn(&mut Self)) {
        let versions = of(&self.state.board.versions);
        let number = match kept {
            Some((before, number)) if *before == versions => *number,
            _ => {
                let mut one = self.apart();
                tell(&mut one);
                *kept = Some((versions, one.to.0));
                one.to.0
            }
        };
        self.to.wide(number);
    }

    /// Adds which cards lie in which zones, and in which order if the zone is ordered.
    fn cards_in_zones(&mut self) {
        let board = &self.state.board;
        let mut sorted = Vec::new();
        for place in (0..board.zones.len()).map(|place| Place(place as u16)) {
            let cards = board.cards(place);
            if cards.len() < 2 || self.program.zones.get(zone_of(self.program, place).0).is_some_and(|zone| zone.ordered) {
                self.row(cards);
            } else {
                sorted.clear();
                sorted.extend_from_slice(cards);
                sorted.sort_unstable();
                self.row(&sorted);
            }
        }
    }

    /// Adds cards in an order.
    fn row(&mut self, cards: &[ObjectId]) {
        self.to.step(cards.len() as u64);
        for four in cards.chunks(4) {
            self.to.step(four.iter().fold(0, |word, id| word << 16 | u64::from(id.0)));
        }
    }

    /// Adds the face of each card in a zone, its place in the zone, and what it is attached to.
    fn how_cards_lie(&mut self) {
        let board = &self.state.board;
        let objects = || (0_u16..).map(ObjectId).zip(&board.objects).filter(|(_, object)| object.place != Place::NOWHERE);
        for (id, object) in objects() {
            self.to.step(u64::from(id.0) << 32 | u64::from(object.face_up) << 16 | u64::from(object.card.0));
        }
        // Only values that differ from the first ones are added. Values that stay at the first ones are equal in every position, and these
        // are nearly all.
        for (id, _) in objects() {
            let Some(extra) = board.extra(id).filter(|extra| extra.slot != NO_SLOT || extra.host != Value::Undefined) else { continue };
            self.to.step(1 << 48 | u64::from(extra.slot) << 16 | u64::from(id.0));
            self.value(extra.host, &[]);
        }
    }

    fn board(&mut self, seen: &mut Seen) {
        let board = &self.state.board;
        self.kept(&mut seen.board.lying, |versions| [versions.lying, versions.sight], Self::lying);
        for truths in board.rule_truth.chunks(63) {
            self.to.step(truths.iter().fold(1, |word, truth| word << 1 | u64::from(*truth)));
        }
        board.phase.hash(&mut self.to);
        self.states_of_cards(seen, true);
        self.states_of_players();
    }

    /// Adds which cards there are and how they lie.
    fn lying(&mut self) {
        let board = &self.state.board;
        for object in &board.objects {
            let lies = u64::from(object.face_up) << 40 | u64::from(object.shown) << 32 | u64::from(object.place.0) << 16;
            self.to.step(lies | u64::from(object.owner.0) << 48 | u64::from(object.card.0));
        }
        // Empty zones are skipped, because they are equal in every position.
        for place in (0..board.zones.len()).map(|place| Place(place as u16)) {
            self.row(board.cards(place));
        }
        // Only cards that have changed or are attached are added. Nearly all cards are as they were at first.
        for (id, (extra, object)) in (0_u64..).zip(board.extras.iter().zip(&board.objects)) {
            if !extra.is_plain(object.card) {
                self.to.step(3 << 48 | id << 32 | u64::from(extra.slot));
                self.to.step(u64::from(extra.made) << 32 | u64::from(extra.own.0));
                self.values(&[extra.host, extra.original], &[]);
            }
        }
        (&board.deciders, &board.held).hash(&mut self.to);
    }

    /// Adds the states of players.
    fn states_of_players(&mut self) {
        let states = self.program.states.rows();
        // By this policy, a number that only counts and that nothing uses up is left out.
        let leaves_out = self.same == SamePositions::TalliesApart;
        let but_for_numbers = self.but_for_numbers;
        let named = &self.program.policies.left_out_of_positions;
        let is_out = |(id, state): (StateId, &StateDef)| {
            named.contains(&id) || leaves_out && is_tally(state) || but_for_numbers && is_number_of_players(state)
        };
        let states = (0..).map(StateId).zip(states);
        let values = states.cycle().zip(&self.state.board.player_states);
        for (_, value) in values.filter(|(state, _)| state.1.on_players && !is_out(*state)) {
            self.value(*value, &[]);
        }
    }

    /// Adds the effects in force. If an effect is unchanged since the last position, and no card that it names has a new life, its number
    /// is not computed again.
    fn effects(&mut self, seen: &mut Seen, lives: Lives) {
        for (at, effect) in self.state.effects.in_force.iter().enumerate() {
            let known = seen.effects.get(at).filter(|known| Arc::ptr_eq(&known.effect, effect) && !known.speaks_of.meets(lives));
            let number = match known {
                Some(known) => {
                    took(ShortWay::SeenEffect);
                    known.number
                }
                None => {
                    let (number, speaks_of) = self.effect(effect);
                    put(&mut seen.effects, at, SeenEffect { effect: Arc::clone(effect), speaks_of, number });
                    number
                }
            };
            self.to.wide(number);
        }
        seen.effects.truncate(self.state.effects.in_force.len());
        // The effects of durations that have not begun, and the open durations.
        for effect in &self.state.effects.later {
            (effect.clause, effect.you, effect.holds).hash(&mut self.to);
            self.value(effect.source, &[]);
        }
        self.state.effects.open.hash(&mut self.to);
    }

    /// The number of an effect, and the cards on whose lives it depends.
    fn effect(&self, effect: &Effect) -> (u128, Lives) {
        let mut one = self.apart();
        (effect.clause, effect.you, effect.holds, effect.was, effect.needs).hash(&mut one.to);
        one.value(effect.source, &[]);
        let targets = effect.targets.as_deref().unwrap_or(&[]);
        one.values(&effect.captures, &effect.lists);
        let there = &effect.there;
        [targets, &effect.pinned, &effect.amounts, there].into_iter().for_each(|values| one.values(values, &[]));
        let all = [&effect.captures, &effect.lists, targets, &effect.pinned, &effect.amounts, there].into_iter().flatten();
        (one.to.0, all.fold(speaks_of(effect.source), |all, value| all | speaks_of(*value)))
    }

    /// A reader of the same position without any added values.
    fn apart(&self) -> Self {
        let PositionHash { program, plan, state, same, but_for_numbers, in_call, to: _ } = *self;
        PositionHash { program, plan, state, same, but_for_numbers, in_call, to: Fnv::default() }
    }

    fn events(&mut self, seen: &mut Seen, lives: Lives) {
        let events = &self.state.events;
        if self.in_call {
            let waiting: BTreeSet<u128> = events.pending.iter().map(|pending| self.waits(pending)).collect();
            waiting.into_iter().for_each(|one| self.to.wide(one));
        } else {
            for pending in events.pending.iter() {
                self.waiting(pending);
                // For abilities in one zone, the order of arrival counts, and not the time.
                let before = pending.place.map(|place| events.in_zone(place).iter().position(|(_, number)| *number == pending.number));
                before.hash(&mut self.to);
            }
        }
        for heard in &events.heard {
            (heard.rule, heard.player).hash(&mut self.to);
            self.values(&heard.captures, &[]);
        }
        for held in events.held.iter() {
            held.role.hash(&mut self.to);
            self.values(&held.members, &[]);
        }
        for (mark, clause, source) in &events.once {
            (mark, clause).hash(&mut self.to);
            self.value(*source, &[]);
        }
        for kept in &events.kept_marks {
            kept.mark.hash(&mut self.to);
            for (clause, source) in &kept.once {
                clause.hash(&mut self.to);
                self.value(*source, &[]);
            }
        }
        for used in &events.uses {
            self.value(used.ability, &[]);
            (used.whose, used.until, used.count).hash(&mut self.to);
        }
        if self.same != SamePositions::AllButHistory {
            self.history(seen, lives);
        }
    }

    /// Adds an ability that waits.
    fn waiting(&mut self, pending: &Pending) {
        (pending.waits, pending.ability, pending.body, pending.you, pending.place, &pending.given).hash(&mut self.to);
        self.values(&[pending.source, pending.after, pending.before], &[]);
        self.values(&pending.captures, &pending.lists);
        self.values(&pending.slots, &pending.lists);
        // The event that let it wait is covered by the history.
        self.values(&pending.also, &[]);
    }

    /// The number of an ability that waits.
    fn waits(&self, pending: &Pending) -> u128 {
        let mut one = self.apart();
        one.waiting(pending);
        one.to.0
    }

    /// Adds, for each stretch between marks, the events that happened in it, without their number. If an event is unchanged since the last
    /// position, and no card that it names has a new life, its number is not computed again.
    fn history(&mut self, seen: &mut Seen, lives: Lives) {
        let events = &self.state.events;
        let kept = events.kept_marks.iter().filter_map(|kept| kept.at);
        let mut marks: Vec<u32> = events.marks.iter().map(|(_, at)| *at).chain(kept).collect();
        marks.sort_unstable();
        let mut count = 0;
        let mut stands = seen.history.is_some() && seen.marks == marks;
        for (at, event) in (0..).zip(events.history.iter()) {
            // Events that are kept only for onlookers are skipped, because the game cannot ask for them.
            if !self.plan.is_recorded(event.verb) {
                continue;
            }
            let known = seen.events.get(count);
            if !known.is_some_and(|known| known.at == at && !known.speaks_of.meets(lives) && is_same_event(&known.event, event)) {
                let (number, speaks_of) = self.event(at, event);
                stands &= known.is_some_and(|known| known.at == at && known.number == number);
                put(&mut seen.events, count, SeenEvent { at, event: *event, speaks_of, number });
            } else {
                took(ShortWay::SeenEvent);
            }
            count += 1;
        }
        stands &= seen.events.len() == count;
        seen.events.truncate(count);
        if !stands {
            let part = |at: u32| marks.partition_point(|mark| *mark <= at);
            let mut of_event: Vec<(usize, u128)> = seen.events.iter().map(|known| (part(known.at), known.number)).collect();
            if self.plan.counts_from_events {
                // A question may ask what happened after some event. So the last occurrence of each event is added, in order.
                let mut later = FxHashSet::default();
                of_event.reverse();
                of_event.retain(|one| later.insert(*one));
            } else {
                of_event.sort_unstable();
                of_event.dedup();
            }
            let mut all = Fnv::default();
            for (part, event) in of_event {
                all.step(part as u64);
                all.wide(event);
            }
            (seen.history, seen.marks) = (Some(all.0), marks);
        }
        self.to.wide(seen.history.unwrap_or(0));
    }

    /// The number of an event, and the cards on whose lives it depends.
    fn event(&self, at: u32, Event { verb, args, cause }: &Event) -> (u128, Lives) {
        let mut one = self.apart();
        verb.hash(&mut one.to);
        // Undefined arguments at the end are left out: a verb has the same number of arguments in all its events.
        let named = args.iter().rposition(|value| *value != Value::Undefined).map_or(0, |last| last + 1);
        one.values(args.get(..named).unwrap_or(args), &self.state.events.lists);
        one.witnessed(at);
        match cause {
            Cause::Rule => one.to.step(0),
            cause => one.value(cause.value(), &[]),
        }
        let witnessed = self.state.events.witnessed.of(at).fold(Lives::NONE, |all, Witnessed { row, .. }| {
            let fields = row.fields.iter().map(|(_, value)| value);
            let values = row.states.iter().chain(fields).chain(row.sets.iter().flat_map(|(_, members)| members));
            values.fold(all | Lives::ALL_CARDS, |all, value| all | speaks_of(*value))
        });
        (one.to.0, args.iter().chain([&cause.value()]).fold(witnessed, |all, value| all | speaks_of(*value)))
    }

    /// Adds the cards of an event as they were at the event.
    fn witnessed(&mut self, event: u32) {
        for Witnessed { row, abilities, .. } in self.state.events.witnessed.of(event) {
            (row.object.card, row.object.place, row.object.face_up, row.controller, abilities).hash(&mut self.to);
            self.values(&row.states, &[]);
            for (field, value) in &row.fields {
                field.hash(&mut self.to);
                self.value(*value, &[]);
            }
            for (field, members) in &row.sets {
                field.hash(&mut self.to);
                self.values(members, &[]);
            }
        }
    }

    fn values(&mut self, values: &[Value], lists: &[Value]) {
        self.to.step(values.len() as u64);
        for value in values {
            self.value(*value, lists);
        }
    }

    fn value(&mut self, value: Value, lists: &[Value]) {
        // If the history does not count, a card that has moved since it was named counts as the same card.
        let whatever_happened = self.program.policies.same_positions == SamePositions::AllButHistory;
        let now = |id: ObjectId| self.state.board.object(id).map_or(0, |object| object.life);
        let within = |start: u32, len: usize| lists.get(start as usize..start as usize + len).unwrap_or(&[]);
        match value {
            // The commonest values take one word. Its upper half is the kind of the value.
            Value::Undefined => self.to.step(1 << 32),
            Value::Bool(truth) => self.to.step(2 << 32 | u64::from(truth)),
            Value::Number(number) => self.to.step(3 << 32 | u64::from(number as u32)),
            Value::Player(player) => self.to.step(4 << 32 | u64::from(player.0)),
            Value::Zone(place) => self.to.step(5 << 32 | u64::from(place.0)),
            Value::Object { id, life } => self.to.step(6 << 32 | u64::from(whatever_happened || life == now(id)) << 16 | u64::from(id.0)),
            Value::Ability { of, ability, life } => (2_u8, of, ability, whatever_happened || life == now(of) as u16).hash(&mut self.to),
            Value::Pending(number) if self.in_call => {
                let waits = self.state.events.waiting(number).map(|pending| self.waits(pending));
                (3_u8, waits).hash(&mut self.to);
            }
            Value::Pending(number) => {
                let at = self.state.events.place_of(number);
                (3_u8, at).hash(&mut self.to);
            }
            Value::Effect(number) => {
                let at = self.state.effects.in_force.iter().position(|effect| effect.number == number);
                (7_u8, at).hash(&mut self.to);
            }
            Value::List { start, len } => {
                4_u8.hash(&mut self.to);
                self.values(within(start, usize::from(len)), &[]);
            }
            Value::Play { count, option, start } => {
                (5_u8, option).hash(&mut self.to);
                self.values(within(start, usize::from(count)), &[]);
            }
            Value::Cause { what, id, life, performer } => {
                (7_u8, what, performer, id, whatever_happened || life.number() == now(id)).hash(&mut self.to);
            }
            // A value that is an event counts by its contents, not by its place in history.
            Value::Event(at) => {
                8_u8.hash(&mut self.to);
                if let Some(Event { verb, args, cause }) = self.state.events.history.get(at as usize) {
                    verb.hash(&mut self.to);
                    if !whatever_happened {
                        self.values(args, &self.state.events.lists);
                        self.value(cause.value(), &[]);
                    }
                }
            }
            other => (6_u8, other).hash(&mut self.to),
        }
    }
}

/// Whether two events are equal. This is asked for every event at every position, so quick tests come first.
fn is_same_event(one: &Event, other: &Event) -> bool {
    one.verb == other.verb && one.args.iter().zip(&other.args).all(|(one, other)| one.is_same(*other)) && one.cause == other.cause
}
