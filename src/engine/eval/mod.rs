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

pub(crate) use sets::never_meet;

use super::ids::NodeId;
use super::lane::spot;
use super::legal::cache::FieldCache;
use super::limits::{BINDERS, EFFECT_DEPTH, NESTED};
use super::program::{Arithmetic, Compare, Node, Program};
use super::state::{Effect, State, Status, Waits};
use super::value::{ObjectId, Place, Player, Value};
use crate::engine::eval::witnessed::NOW;
use std::cell::Cell;

/// What a callback over a set is told for each member; `true` stops.
pub type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, Value) -> bool;

/// An evaluation: where names get their values from.
pub struct Eval<'a> {
    /// The compiled game.
    pub program: &'a Program,
    /// The state that is read.
    pub state: &'a State,
    /// Registers of the frame, or a clause's captures.
    pub locals: &'a [Value],
    /// The list arena that lists among the locals lie in.
    pub lists: &'a [Value],
    /// Who acts.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// The last instruction was carried out in full.
    pub done: bool,
    /// Something of it was.
    pub part: bool,
    /// A number left 32 bits.
    pub overflow: bool,
    /// In a trial run: the player for whom it is made.
    pub watcher: Option<Player>,
    /// A property of a card was read that the watcher may not see.
    pub peeked: bool,
    /// Fields are read as printed.
    pub as_printed: bool,
    /// In the condition of a role: roles hold whom they held when it was last looked at who fits them.
    pub as_held: bool,
    /// In a game with layers: only so many parts of effects count (all, where nothing is being settled).
    pub upto: u32,
    /// The number of the effect whose clause is read.
    pub of_effect: Option<u32>,
    /// The event that is asked about, by its place in history: cards are read as it had them ([`NOW`]: as they are).
    pub witness: u32,
    /// Fields that were read before in this state; none: nothing is kept.
    pub cache: Option<&'a FieldCache>,
    /// A card of which all lives are one where two things are compared.
    pub one_card: Option<ObjectId>,
    /// The places that were looked at (see [`super::lane::spot`]).
    pub reads: Cell<u64>,
    bound: [Value; BINDERS],
    pub(super) depth: usize,
    pub(super) reading: [u32; EFFECT_DEPTH],
    pub(super) readings: usize,
    /// Of which of the effects that are being read it is an amount that is read (bits).
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

    /// Whose an effect in force is: a static ability's that of whoever controls its card now.
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

    /// The same with other locals: what is bound around it stays in sight.
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

    /// Takes over from an evaluation that this one is a part of what is being read, for whom, and how deep it is. Not an event that is asked
    /// about: effects and rules are read as they are.
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

    /// This evaluation in another state: the same names, the same reader.
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

    /// The cache, where a field that is read here is read as it plainly is: with all effects, outside of all effects, and not of the past.
    pub(super) fn plain_cache(&self) -> Option<&'a FieldCache> {
        let plain = self.upto == u32::MAX && self.of_effect.is_none() && self.readings == 0 && self.witness == NOW && !self.as_printed;
        self.cache.filter(|_| plain)
    }

    /// It is no part of another evaluation.
    #[must_use]
    pub(super) fn is_outermost(&self) -> bool {
        self.nested == 0
    }

    /// Notes that a member of a set is looked at within two other sets; `false` where that was too often in one statement: then nothing fits.
    #[inline]
    fn may_look(&self) -> bool {
        self.depth + usize::from(self.nested) < 2 || self.state.effects.looks_within.ask()
    }

    /// Evaluations are nested deeper than any honest rule needs.
    #[must_use]
    pub fn too_deep(&self) -> bool {
        self.nested > NESTED
    }

    /// Whether one more evaluation may be a part of this one.
    #[must_use]
    pub fn may_nest(&self) -> bool {
        self.nested < NESTED
    }

    /// Notes that an effect is being read; `false` when it is already being read further out, or too much is being read within one another: it
    /// then counts as not there.
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

    /// Whether [`Eval::enter`] would find an effect readable inside of an evaluation that is a part of this one.
    pub(in crate::engine) fn may_enter(&self, effect: u32) -> bool {
        let reading = self.reading.get(..self.readings).unwrap_or(&self.reading);
        self.nested < NESTED && reading.len() < EFFECT_DEPTH && !reading.contains(&effect)
    }

    /// Notes that something of what these bits mean was looked at.
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

    /// Whether two values are the card of which all lives are one.
    fn are_one_card(&self, a: Value, b: Value) -> bool {
        let is = |value: Value| matches!(value, Value::Object { id, .. } if Some(id) == self.one_card);
        is(a) && is(b)
    }

    /// The condition holds. No condition always does.
    #[inline]
    pub fn holds(&mut self, node: NodeId) -> bool {
        node == NodeId::NONE || self.value(node).is_true()
    }

    /// A number; undefined is none.
    #[inline]
    pub fn number(&mut self, node: NodeId) -> Option<i32> {
        self.value(node).number()
    }

    /// The player that a node names.
    #[inline]
    pub fn player(&mut self, node: NodeId) -> Option<Player> {
        self.value(node).player()
    }

    /// The value of a node; a set as a value is a zone, a list, or undefined.
    ///
    /// Most nodes are names and constants, and most others one of few kinds. Each sort has a function of its own, because a function for all
    /// of them saves and restores registers for each node that only the largest need.
    #[inline(never)]
    pub fn value(&mut self, id: NodeId) -> Value {
        let program = self.program;
        let Some(node) = program.nodes.get(id) else { return Value::Undefined };
        match *node {
            Node::Const(value) => value,
            Node::Local(reg) => self.locals.get(usize::from(reg.0)).copied().unwrap_or_default(),
            Node::Bound(at) => self.bound.get(usize::from(at)).copied().unwrap_or_default(),
            Node::You => self.you.value(),
            Node::This => self.this,
            _ => self.often(node),
        }
    }

    /// The value of a node of a kind that is found often.
    #[inline(never)]
    fn often(&mut self, node: &Node) -> Value {
        match *node {
            Node::Not(a) => Value::Bool(!self.value(a).is_true()),
            Node::And(a, b) => Value::Bool(self.value(a).is_true() && self.value(b).is_true()),
            Node::Or(a, b) => Value::Bool(self.value(a).is_true() || self.value(b).is_true()),
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
            Node::IsType(card, of) => self.is_type(card, of),
            Node::IsKind(ability, kind) => Value::Bool(self.kind_of(ability) == Some(kind)),
            Node::Zone(zone, player) => self.value_of_zone(zone, player),
            Node::Count(set) => Value::Number(self.count(set)),
            Node::IsEmpty(set) => Value::Bool(self.is_empty(set)),
            Node::Some(set, condition) => Value::Bool(self.each(set, &mut |eval, member| eval.with(member, condition))),
            Node::All(set, condition) => Value::Bool(!self.each(set, &mut |eval, member| !eval.with(member, condition))),
            Node::Exists(a) => Value::Bool(self.exists(a)),
            _ => self.seldom(node),
        }
    }

    /// The value of a node of another kind.
    #[inline(never)]
    fn seldom(&mut self, node: &Node) -> Value {
        match *node {
            Node::Done => Value::Bool(self.done),
            Node::PartlyDone => Value::Bool(self.done || self.part),
            Node::Turn => Value::Number(self.state.board.turn as i32),
            Node::Tallied(a, at) => {
                let value = self.value(a);
                self.program.tally.note(at, value.is_true());
                value
            }
            Node::Negate(a) => {
                let number = self.number(a);
                self.checked(number, i32::checked_neg)
            }
            Node::Printed(card, field) => {
                let card = self.value(card);
                self.printed(card, field)
            }
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
            Node::Decider(player) => self.player(player).map_or(Value::Undefined, |player| Value::Player(self.state.board.decider(player))),
            Node::PoolCard(_) => Value::Undefined,
            Node::Reaches(card) => Value::Bool(self.reaches(card)),
            Node::HasEffect(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Bool(card.has_effect)),
            Node::CardName(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Text(card.name)),
            Node::EffectText(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Text(card.effect_text)),
            Node::CardOf(card) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Card(object.card)),
            Node::IsCard(card, which) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Bool(object.card == which)),
            Node::IsMoment(ability, moment) => {
                let waits = self.pending(ability).map(|pending| pending.waits);
                Value::Bool(waits == Some(Waits::PutBy(moment)))
            }
            Node::TextContains(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Value::Bool(self.text(a).zip(self.text(b)).is_some_and(|(a, b)| a.contains(b)))
            }
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
            | Node::Joined(..)
            | Node::List(_)
            | Node::ZoneOfAll(_)
            | Node::Opponents(_)
            | Node::Team(_)
            | Node::EnumValues(_)
            | Node::Catalogue
            | Node::Abilities(_)
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
            // Looked at before.
            Node::Const(_) | Node::Local(_) | Node::Bound(_) | Node::You | Node::This | Node::Not(_) | Node::And(..) | Node::Or(..) => {
                Value::Undefined
            }
            Node::Arithmetic(..) | Node::Compare(..) | Node::If(..) | Node::With { .. } | Node::In(..) | Node::Field(..) => Value::Undefined,
            Node::FieldHas(..) | Node::State(..) | Node::Owner(_) | Node::Controller(_) | Node::Source(_) | Node::ZoneOf(_) => {
                Value::Undefined
            }
            Node::IsType(..) | Node::IsKind(..) | Node::Zone(..) | Node::Count(_) | Node::IsEmpty(_) | Node::Some(..) => Value::Undefined,
            Node::All(..) | Node::Exists(_) => Value::Undefined,
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

    /// One more bound value, until [`Eval::pop_bound`].
    #[inline]
    pub fn push_bound(&mut self, value: Value) {
        if let Some(slot) = self.bound.get_mut(self.depth) {
            *slot = value;
        }
        self.depth += 1;
    }

    /// The last bound value is bound no longer.
    #[inline]
    pub fn pop_bound(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Runs `body` as if the last bound value were not bound: a function's argument is in sight in the function, and who goes through
    /// the set that it names stands outside, where the next binder has the place that the argument has inside.
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

/// A number divided by another, rounded down; by 0 it stays as it is. None where the result is no number.
#[must_use]
pub fn divided(number: i32, by: i32) -> Option<i32> {
    if by == 0 { Some(number) } else { number.checked_div_euclid(by) }
}

/// A value that reads at least so much.
pub(super) fn floored(value: Value, at_least: Option<i32>) -> Value {
    match (value, at_least) {
        (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
        (value, _) => value,
    }
}

/// Whether a reference to a card means the life it lives now.
#[must_use]
#[inline]
pub fn lives(value: Value, now: u32) -> bool {
    match value {
        Value::Object { life, .. } => life == now,
        Value::Ability { life, .. } => life == now as u16,
        _ => true,
    }
}

/// Compares two values; false when one is undefined, or an order is asked of what has none.
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
