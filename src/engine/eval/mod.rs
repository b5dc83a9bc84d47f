//! Expressions: pure, total, evaluated by plain recursion over the program's nodes. Undefined is a value.
//!
//! An evaluation never changes the state, asks or fails. An arithmetic overflow is noted and gives undefined, and the machine ends the run
//! with a rules error.

pub(in crate::engine) mod applies;
pub(crate) mod cause;
pub(in crate::engine) mod changes;
pub(in crate::engine) mod fields;
pub(in crate::engine) mod figures;
pub(in crate::engine) mod hinges;
pub(in crate::engine) mod history;
pub(in crate::engine) mod quick;
pub(in crate::engine) mod sets;
pub(in crate::engine) mod subjects;
pub(in crate::engine) mod suppose;
pub(in crate::engine) mod unread;
pub mod watch;
pub(in crate::engine) mod weighed;
pub mod witnessed;

use super::ids::NodeId;
use super::lane::spot;
use super::legal::cache::FieldCache;
use super::limits::{BINDERS, EFFECT_DEPTH, NESTED};
use super::program::{Arithmetic, Compare, Node, Program};
use super::state::{Effect, State, Status, Waits};
use super::value::{ObjectId, Place, Player, Value};
use crate::engine::eval::witnessed::NOW;
use std::cell::Cell;

/// Called for each member of a set. The result `true` stops the walk.
pub type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, Value) -> bool;

/// An evaluation, with everything that names get their values from.
pub struct Eval<'a> {
    /// The compiled game.
    pub program: &'a Program,
    /// The state that is read.
    pub state: &'a State,
    /// Registers of the frame, or a clause's captures.
    pub locals: &'a [Value],
    /// The arena with the members of lists among the locals.
    pub lists: &'a [Value],
    /// The acting player.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// Whether the last instruction was carried out in full.
    pub done: bool,
    /// Whether the last instruction was carried out at least in part.
    pub part: bool,
    /// Set when a number did not fit into 32 bits.
    pub overflow: bool,
    /// In a trial run: the player for whom the trial is made.
    pub watcher: Option<Player>,
    /// Set when a card was read that the watcher may not see.
    pub peeked: bool,
    /// Whether fields are read as printed.
    pub as_printed: bool,
    /// Whether this is the condition of a role. Then a role's members are those of the last check, and are not checked again.
    pub as_held: bool,
    /// In a game with layers: only this many parts of effects count. All parts count unless effects are being settled.
    pub upto: u32,
    /// The number of the effect whose clause is read.
    pub of_effect: Option<u32>,
    /// The event that is asked about, by its place in history. Cards are then read as they were at the event ([`NOW`]: as they are now).
    pub witness: u32,
    /// The fields that were already read in this state. None: results are not kept.
    pub cache: Option<&'a FieldCache>,
    /// A card whose lives count as one card in comparisons.
    pub one_card: Option<ObjectId>,
    /// The places that were read, as bits (see [`super::lane::spot`]).
    pub reads: Cell<u64>,
    bound: [Value; BINDERS],
    pub(super) depth: usize,
    pub(super) reading: [u32; EFFECT_DEPTH],
    pub(super) readings: usize,
    /// For each effect that is being read, one bit: whether its amount is being read.
    pub(super) amounts: u8,
    nested: u8,
}

impl<'a> Eval<'a> {
    /// An evaluation with nothing bound.
    #[inline]
    pub fn new(program: &'a Program, state: &'a State, locals: &'a [Value], lists: &'a [Value], you: Player, this: Value) -> Self {
        Eval {
            program,
            state,
            locals,
            lists,
            you,
            this,
            done: false,
            part: false,
            overflow: false,
            watcher: None,
            peeked: false,
            as_printed: false,
            as_held: false,
            upto: u32::MAX,
            of_effect: None,
            witness: NOW,
            cache: None,
            one_card: None,
            reads: Cell::new(0),
            bound: [Value::Undefined; BINDERS],
            depth: 0,
            reading: [0; EFFECT_DEPTH],
            readings: 0,
            amounts: 0,
            nested: 0,
        }
    }

    /// An evaluation of the clause of an effect, as part of this one.
    pub fn inside(&self, effect: &'a Effect) -> Eval<'a> {
        let mut inner = Eval::new(self.program, self.state, &effect.captures, &effect.lists, self.you_of(effect), effect.source);
        inner.carry_on(self);
        inner.of_effect = Some(effect.number);
        inner
    }

    /// The controller of an effect in force. For a static ability, this is the present controller of its card.
    #[must_use]
    pub fn you_of(&self, effect: &Effect) -> Player {
        let clause = self.program.clauses.get(effect.clause).map(|clause| &clause.kind);
        let itself = matches!(clause, Some(super::program::ClauseKind::Control { .. }));
        if self.state.owners_control(self.program) || itself || matches!(effect.holds, super::state::Holds::Lasting(_)) {
            return effect.you;
        }
        let mut inner = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
        inner.carry_on(self);
        if inner.too_deep() { effect.you } else { inner.controller_or_nobody(effect.source).unwrap_or(effect.you) }
    }

    /// This evaluation with other locals. Bound values stay in sight.
    pub fn with_locals<'b>(&self, locals: &'b [Value]) -> Eval<'b>
    where
        'a: 'b,
    {
        let mut inner = Eval::new(self.program, self.state, locals, self.lists, self.you, self.this);
        inner.carry_on(self);
        (inner.bound, inner.depth, inner.done, inner.part) = (self.bound, self.depth, self.done, self.part);
        (inner.witness, inner.cache, inner.one_card) = (self.witness, self.cache, self.one_card);
        inner
    }

    /// Takes over from the evaluation around this one: the effects that are being read, the watcher, and the depth. The event that is asked
    /// about is not taken over, because effects and rules are always read as they are now.
    pub fn carry_on(&mut self, outer: &Eval<'_>) {
        self.reading = outer.reading;
        self.readings = outer.readings;
        self.amounts = outer.amounts;
        self.watcher = outer.watcher;
        self.as_held = outer.as_held;
        self.upto = outer.upto;
        self.of_effect = outer.of_effect;
        self.nested = outer.nested.saturating_add(1);
    }

    /// This evaluation in another state, with the same names and the same reader.
    pub(super) fn elsewhere<'b>(&self, state: &'b State) -> Eval<'b>
    where
        'a: 'b,
    {
        let mut inner = Eval::new(self.program, state, self.locals, self.lists, self.you, self.this);
        inner.carry_on(self);
        inner.upto = u32::MAX;
        (inner.bound, inner.depth) = (self.bound, self.depth);
        (inner.done, inner.part, inner.as_printed) = (self.done, self.part, self.as_printed);
        inner.witness = self.witness;
        inner
    }

    /// The cache, if this evaluation reads fields in the ordinary way: with all effects, not inside an effect, not in the past, not as
    /// printed.
    pub(super) fn plain_cache(&self) -> Option<&'a FieldCache> {
        let plain = self.upto == u32::MAX && self.of_effect.is_none() && self.readings == 0 && self.witness == NOW && !self.as_printed;
        self.cache.filter(|_| plain)
    }

    /// Whether this is not a part of another evaluation.
    #[must_use]
    pub(super) fn is_outermost(&self) -> bool {
        self.nested == 0
    }

    /// Notes that a member of a set is checked inside two other sets. `false` if this happened too often in one statement: then no member
    /// fits.
    #[inline]
    fn may_look(&self) -> bool {
        self.depth + usize::from(self.nested) < 2 || self.state.effects.looks_within.ask()
    }

    /// Whether evaluations are nested more deeply than any reasonable rule needs.
    #[must_use]
    pub fn too_deep(&self) -> bool {
        self.nested > NESTED
    }

    /// Notes that an effect is being read. `false` if the effect is already being read further out, or if too many readings are nested.
    /// Then the effect counts as absent.
    pub fn enter(&mut self, effect: u32) -> bool {
        let busy = self.too_deep() || self.reading.iter().take(self.readings).any(|number| *number == effect);
        match self.reading.get_mut(self.readings) {
            Some(slot) if !busy => {
                *slot = effect;
                self.readings += 1;
                true
            }
            _ => false,
        }
    }

    /// Whether [`Eval::enter`] would succeed for an effect inside an evaluation that is a part of this one.
    pub(in crate::engine) fn may_enter(&self, effect: u32) -> bool {
        let reading = self.reading.get(..self.readings).unwrap_or(&self.reading);
        self.nested < NESTED && reading.len() < EFFECT_DEPTH && !reading.contains(&effect)
    }

    /// Notes that the places of these bits were read.
    #[inline]
    pub fn read(&self, spots: u64) {
        self.reads.set(self.reads.get() | spots);
    }

    /// The cards of a place, bottom first.
    #[inline]
    pub(super) fn cards(&self, place: Place) -> &'a [ObjectId] {
        self.read(spot(place));
        self.state.board.cards(place)
    }

    /// Whether both values are the card whose lives count as one ([`Eval::one_card`]).
    fn are_one_card(&self, a: Value, b: Value) -> bool {
        let is = |value: Value| matches!(value, Value::Object { id, .. } if Some(id) == self.one_card);
        is(a) && is(b)
    }

    /// Whether a condition is true. No condition (`NodeId::NONE`) is always true.
    #[inline]
    pub fn holds(&mut self, node: NodeId) -> bool {
        node == NodeId::NONE || self.value(node).is_true()
    }

    /// The number that a node gives. None if the node gives no number.
    #[inline]
    pub fn number(&mut self, node: NodeId) -> Option<i32> {
        self.value(node).number()
    }

    /// The player that a node names.
    #[inline]
    pub fn player(&mut self, node: NodeId) -> Option<Player> {
        self.value(node).player()
    }

    /// The value of a node. The value of a set is a zone, a list, or undefined.
    pub fn value(&mut self, id: NodeId) -> Value {
        let Some(&node) = self.program.nodes.get(id) else { return Value::Undefined };
        match node {
            Node::Const(value) => value,
            Node::Local(reg) => self.locals.get(usize::from(reg.0)).copied().unwrap_or_default(),
            Node::Bound(at) => self.bound.get(usize::from(at)).copied().unwrap_or_default(),
            Node::You => self.you.value(),
            Node::This => self.this,
            Node::Done => Value::Bool(self.done),
            Node::PartlyDone => Value::Bool(self.done || self.part),
            Node::Turn => Value::Number(self.state.board.turn as i32),
            Node::Not(a) => Value::Bool(!self.value(a).is_true()),
            Node::Tallied(a, at) => {
                let value = self.value(a);
                self.program.tally.note(at, value.is_true());
                value
            }
            Node::And(a, b) => Value::Bool(self.value(a).is_true() && self.value(b).is_true()),
            Node::Or(a, b) => Value::Bool(self.value(a).is_true() || self.value(b).is_true()),
            Node::Negate(a) => {
                let number = self.number(a);
                self.checked(number, i32::checked_neg)
            }
            Node::Arithmetic(how, a, b) => self.arithmetic(how, a, b),
            Node::Compare(how, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let b = if self.one_card.is_some() && self.are_one_card(a, b) { a } else { b };
                Value::Bool(compare(how, a, b))
            }
            Node::If(condition, args) => self.either(condition, args),
            Node::With { value, body } => {
                let value = self.value(value);
                self.bind(value, |eval| eval.value(body))
            }
            Node::In(a, set) => {
                let member = self.value(a);
                Value::Bool(member != Value::Undefined && self.contains(set, member))
            }
            Node::Field(card, field) => {
                let card = self.value(card);
                self.field(card, field)
            }
            Node::Printed(card, field) => {
                let card = self.value(card);
                self.printed(card, field)
            }
            Node::FieldHas(card, field, what) => {
                let (card, what) = (self.value(card), self.value(what));
                Value::Bool(what != Value::Undefined && self.field_has(card, field, what))
            }
            Node::State(subject, state) => {
                let subject = self.value(subject);
                self.state_of(subject, state)
            }
            Node::Owner(card) => self.card(card).map_or(Value::Undefined, |(_, object)| object.owner.value()),
            Node::Controller(of) => self.controller(of),
            Node::Source(of) => self.source(of),
            Node::ZoneOf(of) => self.resting(of).map_or(Value::Undefined, Value::Zone),
            Node::FaceUp(card) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Bool(object.face_up)),
            Node::PlaceIn(card, of) => self.place_in(card, of),
            Node::Host(card) => self.extra(card).map_or(Value::Undefined, |extra| extra.host),
            Node::Original(card) => self.extra(card).map_or(Value::Undefined, |extra| extra.original),
            Node::Arrived(card) => self.extra(card).map_or(Value::Undefined, |extra| Value::Number(extra.arrived as i32)),
            Node::IsMade(card) => self.extra(card).map_or(Value::Undefined, |extra| Value::Bool(extra.made)),
            Node::Now(card) => {
                let value = self.value(card);
                let present = self.object(value).and_then(|(id, _)| self.state.board.object(id).map(|object| (id, object.place)));
                match present {
                    Some((id, place)) if place != Place::NOWHERE => self.state.board.reference(id),
                    _ => Value::Undefined,
                }
            }
            Node::IsType(card, of) => self.is_type(card, of),
            Node::Decider(player) => self.player(player).map_or(Value::Undefined, |player| Value::Player(self.state.board.decider(player))),
            Node::PoolCard(_) => Value::Undefined,
            Node::Reaches(card) => Value::Bool(self.reaches(card)),
            Node::HasEffect(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Bool(card.has_effect)),
            Node::CardName(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Text(card.name)),
            Node::EffectText(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Text(card.effect_text)),
            Node::CardOf(card) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Card(object.card)),
            Node::IsCard(card, which) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Bool(object.card == which)),
            Node::IsKind(ability, kind) => Value::Bool(self.kind_of(ability) == Some(kind)),
            Node::IsMoment(ability, moment) => {
                let waits = self.pending(ability).map(|pending| pending.waits);
                Value::Bool(waits == Some(Waits::PutBy(moment)))
            }
            Node::TextContains(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Value::Bool(self.text(a).zip(self.text(b)).is_some_and(|(a, b)| a.contains(b)))
            }
            Node::Zone(zone, player) => self.value_of_zone(zone, player),
            Node::Count(set) => Value::Number(self.count(set)),
            Node::IsEmpty(set) => Value::Bool(self.is_empty(set)),
            Node::Some(set, condition) => Value::Bool(self.each(set, &mut |eval, member| eval.with(member, condition))),
            Node::All(set, condition) => Value::Bool(!self.each(set, &mut |eval, member| !eval.with(member, condition))),
            Node::Only(set) => self.only(set),
            Node::End(top, zone) => self.end(top, zone),
            Node::Players => Value::Undefined,
            Node::Opponent(player) | Node::NextPlayer(player) => match self.player(player) {
                Some(player) => Value::Player(Player((player.0 + 1) % self.program.players.max(1))),
                None => Value::Undefined,
            },
            Node::Captain(player) => match self.player(player) {
                Some(player) => Value::Player(self.program.captain(player)),
                None => Value::Undefined,
            },
            Node::IsOption(ability, option) => {
                let waits = self.pending(ability).map(|pending| pending.waits);
                Value::Bool(waits == Some(Waits::Declared(option)))
            }
            Node::Component(ability, name) => self.component(ability, name),
            Node::Still(a) => match self.value(a) {
                value @ Value::Object { .. } => Value::Bool(!self.state.board.is_over(value)),
                value => Value::Bool(value != Value::Undefined),
            },
            Node::Role(role) => self.members_in(role).first().copied().unwrap_or_default(),
            Node::GoesRound => Value::Bool(self.state.control.goes_round),
            Node::RulesApply => Value::Bool(self.each_due(&mut |_, _, _| true)),
            Node::Exists(a) => Value::Bool(self.exists(a)),
            Node::Happened(pattern, since) => Value::Bool(self.has_happened(pattern, since)),
            Node::Latest(pattern, since) => self.latest(pattern, since),
            Node::EventArg(event, field) => self.event_argument(event, field),
            Node::EventCause(event) => self.event_cause(event),
            Node::IsEvent(event, verb) => Value::Bool(self.is_event(event, verb)),
            Node::EventOf(ability) => self.pending(ability).and_then(|pending| pending.event).map_or(Value::Undefined, Value::Event),
            Node::Cause(kind, of) => self.cause_of(kind, of),
            Node::IsCause(cause, kind) => Value::Bool(super::state::Cause::of(self.value(cause)).kind() == Some(kind)),
            Node::Can(verb, args) => Value::Bool(self.can(verb, args)),
            Node::Sees(player, card) => {
                let player = self.player(player);
                let seen = player.zip(self.card(card)).map(|(player, (id, _))| self.state.sees(self.program, player, id));
                seen.map_or(Value::Undefined, Value::Bool)
            }
            Node::HasKeyword(card, keyword) => Value::Bool(self.has_keyword(card, keyword)),
            Node::Fact(fact, args, otherwise) => Value::Bool(self.value(otherwise).is_true() || self.assumed(fact, args)),
            Node::Permitted(verb, args) => Value::Bool(self.permitted(verb, args)),
            Node::Losing(player) => Value::Bool(self.player(player).is_some_and(|p| self.state.control.losing & (1 << p.0) != 0)),
            Node::Winning(player) => Value::Bool(self.player(player).is_some_and(|p| self.state.control.winning & (1 << p.0) != 0)),
            Node::PlaceOf(player) => {
                let player = self.player(player);
                let Status::Over(outcome) = self.state.control.status else { return Value::Undefined };
                let place = player.and_then(|player| outcome.place_of(player));
                place.map_or(Value::Undefined, |place| Value::Number(i32::from(place)))
            }
            Node::Named(set, name) => self.named(set, name),
            Node::Least(a, b) => self.number(a).zip(self.number(b)).map_or(Value::Undefined, |(a, b)| Value::Number(a.min(b))),
            Node::Greatest(a, b) => self.number(a).zip(self.number(b)).map_or(Value::Undefined, |(a, b)| Value::Number(a.max(b))),
            Node::Fold(fold, set, number) => self.fold(fold, set, number),
            Node::SameSets(a, b) => Value::Bool(self.same_sets(a, b)),
            Node::Length(text) => self.length(text),
            Node::Usable(ability, by) => self.usable(ability, by),
            Node::AbilityText(ability) => self.ability_text(ability),
            Node::HasBit(number, player) => {
                let bits = self.number(number).unwrap_or(0);
                Value::Bool(self.player(player).is_some_and(|player| bits >> player.0.min(31) & 1 == 1))
            }
            Node::BitOf(player) => self.player(player).map_or(Value::Undefined, |player| Value::Number(1 << player.0.min(30))),
            Node::Ends(..)
            | Node::Distinct(..)
            | Node::Sorted(..)
            | Node::Clockwise(_)
            | Node::EveryCard
            | Node::Where(..)
            | Node::Except(..)
            | Node::Union(..)
            | Node::List(_)
            | Node::ZoneOfAll(_)
            | Node::Opponents(_)
            | Node::Team(_)
            | Node::EnumValues(_)
            | Node::Catalogue
            | Node::Abilities(_)
            | Node::AbilitiesOfAll(_)
            | Node::EffectsOn(_)
            | Node::Tied
            | Node::Attached(_)
            | Node::Waiting(..)
            | Node::Sources(_)
            | Node::Events(..)
            | Node::StillOf(..)
            | Node::Range(..)
            | Node::Numbers(..)
            | Node::Pending => Value::Undefined,
            Node::Slot(of, slot) => self.slot(of, slot),
            Node::Payable(of, slot, without) => Value::Bool(self.payable(of, slot, without)),
            Node::Due(of, slot, key) => self.due(of, slot, key),
            Node::Matches(of) => Value::Bool(self.matches_up(of)),
            Node::Without(read, effects) => self.without(effects, |eval| eval.value(read)),
            Node::Outer(last, set) => self.outer(last, set),
        }
    }

    fn either(&mut self, condition: NodeId, args: super::ids::ArgsId) -> Value {
        let yes = self.value(condition).is_true();
        match self.program.args_of(args) {
            [first, second] => self.value(if yes { *first } else { *second }),
            _ => Value::Undefined,
        }
    }

    fn checked(&mut self, number: Option<i32>, how: impl Fn(i32) -> Option<i32>) -> Value {
        let Some(number) = number else { return Value::Undefined };
        how(number).map_or_else(
            || {
                self.overflow = true;
                Value::Undefined
            },
            Value::Number,
        )
    }

    fn arithmetic(&mut self, how: Arithmetic, a: NodeId, b: NodeId) -> Value {
        let (Some(a), Some(b)) = (self.number(a), self.number(b)) else { return Value::Undefined };
        if b == 0 && matches!(how, Arithmetic::Divide | Arithmetic::Remainder) {
            return Value::Undefined;
        }
        self.checked(Some(a), |a| match how {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            Arithmetic::Divide => a.checked_div_euclid(b),
            Arithmetic::Remainder => a.checked_rem_euclid(b),
        })
    }

    /// Gives `body` one more bound value.
    pub fn bind<T>(&mut self, value: Value, body: impl FnOnce(&mut Self) -> T) -> T {
        self.push_bound(value);
        let result = body(self);
        self.pop_bound();
        result
    }

    /// Adds one more bound value, until [`Eval::pop_bound`].
    #[inline]
    pub fn push_bound(&mut self, value: Value) {
        if let Some(slot) = self.bound.get_mut(self.depth) {
            *slot = value;
        }
        self.depth += 1;
    }

    /// Removes the last bound value.
    #[inline]
    pub fn pop_bound(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Runs `body` without the last bound value. A function's argument is bound inside the function only. Whoever visits the members of the
    /// function's set stands outside, where the next binder uses the same place.
    pub(super) fn unbound<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let at = self.depth.saturating_sub(1);
        let last = self.bound.get(at).copied().unwrap_or_default();
        self.depth = at;
        let result = body(self);
        self.push_bound(last);
        result
    }

    pub(super) fn with(&mut self, member: Value, condition: NodeId) -> bool {
        self.may_look() && self.bind(member, |eval| eval.holds(condition))
    }
}

/// A number divided by another, rounded down. Division by 0 gives the number unchanged. None if the result does not fit.
#[must_use]
pub fn divided(number: i32, by: i32) -> Option<i32> {
    if by == 0 { Some(number) } else { number.checked_div_euclid(by) }
}

/// The value, but not less than the lower bound.
pub(super) fn floored(value: Value, at_least: Option<i32>) -> Value {
    match (value, at_least) {
        (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
        (value, _) => value,
    }
}

/// Whether a reference to a card means the card's present life.
#[must_use]
#[inline]
pub fn lives(value: Value, now: u32) -> bool {
    match value {
        Value::Object { life, .. } => life == now,
        Value::Ability { life, .. } => life == now as u16,
        _ => true,
    }
}

/// Compares two values. False if one of them is undefined, or if values without an order are compared by size.
#[must_use]
#[inline]
pub fn compare(how: Compare, a: Value, b: Value) -> bool {
    if matches!(a, Value::Undefined) || matches!(b, Value::Undefined) {
        return false;
    }
    match how {
        Compare::Equal => a == b,
        Compare::NotEqual => a != b,
        _ => a.number().zip(b.number()).is_some_and(|(a, b)| match how {
            Compare::Less => a < b,
            Compare::LessEqual => a <= b,
            Compare::Greater => a > b,
            _ => a >= b,
        }),
    }
}
