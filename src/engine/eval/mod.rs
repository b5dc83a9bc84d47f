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
mod nodes;
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
use super::program::{Compare, Program};
use super::state::{Effect, State};
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
