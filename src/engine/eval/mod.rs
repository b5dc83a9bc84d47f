//! Expressions: pure, total, evaluated by plain recursion over the program's nodes. Undefined is a value.
//!
//! An evaluation never changes the state, asks or fails. An arithmetic overflow is noted and gives undefined, and the machine ends the run
//! with a rules error.
//!
//! | file | does |
//! | --- | --- |
//! | `applies.rs` | finds the cards to which an effect in force applies, and whether the effect counts now |
//! | `cause.rs` | causes of actions, and how patterns and expressions ask for them (docs/kernel/tracing.md, "Causes") |
//! | `changes.rs` | finds the changes of a field by effects in force, in the order in which they apply |
//! | `fields.rs` | properties of cards: the printed value, then the changes by effects in force (`changes` finds these changes) |
//! | `figures.rs` | calculations over the members of a set |
//! | `decisive.rs` | finds the conditions with citations that decided the outcome of an expression |
//! | `history.rs` | history: finds past events |
//! | `known.rs` | values that effects lead to, kept as long as the position stays |
//! | `nodes.rs` | the value of a node of an expression, kind by kind |
//! | `quick.rs` | short cuts: the values of the commonest expressions, by their shapes, without setting up an evaluation |
//! | `sets.rs` | sets: the number of their members, the members, and the order of the members |
//! | `subjects.rs` | reads facts about subjects of expressions |
//! | `suppose.rs` | effects as values: which effects apply to something, and values as they would be without some effects |
//! | `unread.rs` | notes which numbers of players are read after a certain position |
//! | `watch.rs` | watching: decides whether an action matches an event pattern |
//! | `weighed.rs` | changes that a shield keeps off because of their result: `shield X from effects lowering F` (docs/kernel/effects.md) |
//! | `witnessed.rs` | the cards of past events as they were at the event (docs/kernel/information.md, "History") |

pub(crate) mod applies;
pub mod cause;
pub(crate) mod changes;
pub(crate) mod decisive;
pub(crate) mod fields;
pub(crate) mod figures;
pub(crate) mod history;
mod known;
mod nodes;
pub(crate) mod quick;
pub(crate) mod sets;
pub(crate) mod subjects;
pub(crate) mod suppose;
pub(crate) mod unread;
pub mod watch;
pub(crate) mod weighed;
pub mod witnessed;

pub use sets::never_meet;
pub(crate) use sets::{shared_zone, zone_left_out};

use super::bits::Spots;
use super::ids::NodeId;
use super::legal::cache::FieldCache;
use super::limits::{BINDERS, DEEP_EFFECT_DEPTH, NESTED};
use super::program::{Compare, Node, Program};
use super::state::{Cause, Effect, State};
use super::value::{ObjectId, Place, Player, Value};
use crate::effects::circles::{CONTROLLER, WHOLE};
use crate::eval::witnessed::NOW;
use std::cell::Cell;

/// Called for each member of a set. The result `true` stops the walk.
pub(crate) type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, Value) -> bool;

/// As many parts of effects as there are ([`Eval::upto`]).
pub(crate) const ALL_PARTS: u32 = u32::MAX;

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
    pub(crate) as_held: bool,
    /// In a game with layers: only this many parts of effects count. All parts count ([`ALL_PARTS`]) unless effects are being settled.
    pub upto: u32,
    /// The number of the effect whose clause is read.
    pub of_effect: Option<u32>,
    /// While the amount of a change is read: its layer. In this layer the parts of the effect itself do not count.
    pub beside: Option<u8>,
    /// The cause of the actions that `can` asks about.
    pub cause: Cause,
    /// The event that is asked about, by its place in history. Cards are then read as they were at the event ([`NOW`]: as they are now).
    pub(crate) witness: u32,
    /// The fields that were already read in this state. None: results are not kept.
    pub(crate) cache: Option<&'a FieldCache>,
    /// A card whose lives count as one card in comparisons.
    pub one_card: Option<ObjectId>,
    /// What was read.
    pub reads: Cell<Spots>,
    bound: [Value; BINDERS],
    pub(super) depth: usize,
    pub(super) reading: [u32; DEEP_EFFECT_DEPTH],
    /// For each effect that is being read: what is asked of it ([`crate::effects::circles::question`]).
    pub(super) question_of_reading: [u32; DEEP_EFFECT_DEPTH],
    pub(super) readings: usize,
    /// For each effect that is being read, one bit: whether its amount is being read.
    pub(super) amounts: u16,
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
            upto: ALL_PARTS,
            of_effect: None,
            beside: None,
            cause: Cause::Rule,
            witness: NOW,
            cache: None,
            one_card: None,
            reads: Cell::new(Spots::NONE),
            bound: [Value::Undefined; BINDERS],
            depth: 0,
            reading: [0; DEEP_EFFECT_DEPTH],
            question_of_reading: [WHOLE; DEEP_EFFECT_DEPTH],
            readings: 0,
            amounts: 0,
            nested: 0,
        }
    }

    /// An evaluation of the clause of an effect, as part of this one.
    pub fn inside(&self, effect: &'a Effect) -> Eval<'a> {
        let reads_you = || self.program.clauses.get(effect.clause).is_none_or(|clause| clause.reads.you);
        let needless = self.state.effects.controlling > 0 && self.program.layers.is_empty() && !reads_you();
        self.inside_for(effect, if needless { effect.you } else { self.you_of(effect) })
    }

    /// An evaluation of the clause of an effect, for a player who need not be the effect's controller.
    pub(crate) fn inside_for(&self, effect: &'a Effect, you: Player) -> Eval<'a> {
        let mut inner = Eval::new(self.program, self.state, &effect.captures, &effect.lists, you, effect.source);
        inner.carry_on(self);
        if self.of_effect != Some(effect.number) {
            (inner.of_effect, inner.beside) = (Some(effect.number), None);
        }
        inner
    }

    /// The controller of an effect in force. For a static ability, this is the present controller of its card.
    #[must_use]
    pub(crate) fn you_of(&self, effect: &Effect) -> Player {
        let clause = self.program.clauses.get(effect.clause).map(|clause| &clause.kind);
        let itself = matches!(clause, Some(super::program::ClauseKind::Control { .. }));
        if self.state.owners_control(self.program) || itself || matches!(effect.holds, super::state::Holds::Lasting(_)) {
            return effect.you;
        }
        let mut inner = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
        inner.carry_on(self);
        if inner.too_deep() {
            return effect.you;
        }
        if !self.program.layers.is_empty() {
            return inner.controller_or_nobody(effect.source).unwrap_or(effect.you);
        }
        // If the effect itself decides who controls its card, the controller is read without that.
        let controller = self.asking(&mut inner, effect.number, CONTROLLER, &mut |inner| inner.controller_or_nobody(effect.source));
        controller.flatten().unwrap_or(effect.you)
    }

    /// This evaluation with other locals. Bound values stay in sight.
    pub(crate) fn with_locals<'b>(&self, locals: &'b [Value]) -> Eval<'b>
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
    pub(crate) fn carry_on(&mut self, outer: &Eval<'_>) {
        (self.reading, self.question_of_reading) = (outer.reading, outer.question_of_reading);
        self.readings = outer.readings;
        self.amounts = outer.amounts;
        self.watcher = outer.watcher;
        self.as_held = outer.as_held;
        self.upto = outer.upto;
        self.of_effect = outer.of_effect;
        self.beside = outer.beside;
        self.nested = outer.nested.saturating_add(1);
    }

    /// This evaluation in another state, with the same names and the same reader.
    pub(crate) fn elsewhere<'b>(&self, state: &'b State) -> Eval<'b>
    where
        'a: 'b,
    {
        let mut inner = Eval::new(self.program, state, self.locals, self.lists, self.you, self.this);
        inner.carry_on(self);
        inner.upto = ALL_PARTS;
        (inner.bound, inner.depth) = (self.bound, self.depth);
        (inner.done, inner.part, inner.as_printed) = (self.done, self.part, self.as_printed);
        (inner.witness, inner.cause) = (self.witness, self.cause);
        inner
    }

    /// The cache, if this evaluation reads fields in the ordinary way: with all effects, not inside an effect, not in the past, not as
    /// printed.
    pub(super) fn plain_cache(&self) -> Option<&'a FieldCache> {
        let plain = self.upto == ALL_PARTS && self.of_effect.is_none() && self.readings == 0 && self.witness == NOW && !self.as_printed;
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
        let asked = &self.state.effects.asked;
        let looks = self.depth + usize::from(self.nested) < 2 || {
            if asked.is_worked_out() {
                asked.looks_within.exceed();
            }
            asked.looks_within.ask()
        };
        if let (false, Some(effect)) = (looks, self.of_effect) {
            asked.name(effect);
        }
        looks
    }

    /// Whether evaluations are nested more deeply than any reasonable rule needs. Then the run ends with a rules error.
    #[must_use]
    pub fn too_deep(&self) -> bool {
        self.is_nested_beyond(self.nested > NESTED)
    }

    /// Whether one more evaluation may be a part of this one. If not, the run ends with a rules error.
    #[must_use]
    pub(crate) fn may_nest(&self) -> bool {
        !self.is_nested_beyond(self.nested >= NESTED)
    }

    #[inline]
    fn is_nested_beyond(&self, beyond: bool) -> bool {
        if beyond {
            let asked = &self.state.effects.asked;
            asked.effects_within.exceed();
            if let Some(effect) = self.of_effect {
                asked.name(effect);
            }
        }
        beyond
    }

    /// Notes that an effect is being read. `false` if the effect is already being read further out: it then counts as not there. Also `false`
    /// if too many effects are being read within one another: then the run ends with a rules error.
    pub fn enter(&mut self, effect: u32) -> bool {
        self.enter_for(effect, WHOLE)
    }

    /// Like [`Eval::enter`], for one question about the effect ([`crate::effects::circles::question`]). Other questions about the
    /// effect may be asked meanwhile.
    pub(crate) fn enter_for(&mut self, effect: u32, question: u32) -> bool {
        if let Some(place) = self.asked_at(effect, question) {
            self.note_met_again(Some(place));
            return false;
        }
        if !self.may_stand() || self.readings > 0 && !self.asks_within(effect) {
            self.note_met_again(None);
            return false;
        }
        self.note_reading(effect);
        if let (Some(slot), Some(of)) = (self.reading.get_mut(self.readings), self.question_of_reading.get_mut(self.readings)) {
            (*slot, *of) = (effect, question);
            self.readings += 1;
        }
        true
    }

    /// Reads something of an effect inside of `inner`, which has entered the effect. If effects were left out because they stand too deep, all
    /// is read once more at a greater depth. That counts unless it takes too many readings. A chain that is longer still ends the run with a
    /// rules error.
    pub(super) fn read_deeply<T>(&self, inner: &mut Eval<'a>, read: &mut dyn FnMut(&mut Eval<'a>) -> T) -> T {
        let depth = &self.state.effects.depth;
        if self.readings > 0 {
            return read(inner);
        }
        depth.begin();
        let found = read(inner);
        if !depth.has_left_out() {
            return found;
        }
        depth.go_deep();
        let deeper = read(inner);
        if !depth.come_back() {
            return found;
        }
        if depth.has_left_out() {
            let asked = &self.state.effects.asked;
            asked.effects_within.exceed();
            if let Some(effect) = inner.of_effect {
                asked.name(effect);
            }
        }
        deeper
    }

    /// Whether [`Eval::enter`] would succeed for an effect.
    pub(crate) fn may_enter(&self, effect: u32) -> bool {
        self.asked_at(effect, WHOLE).is_none() && self.may_stand()
    }

    /// Whether one more effect may be read inside of those that are being read.
    fn may_stand(&self) -> bool {
        !self.is_nested_beyond(self.nested > NESTED) && self.state.effects.depth.allows(self.readings)
    }

    /// Counts a reading of an effect inside of another one. `false` if there were too many.
    fn asks_within(&self, effect: u32) -> bool {
        let asked = &self.state.effects.asked;
        if asked.is_worked_out() {
            asked.effects_within.exceed();
        }
        let asks = asked.effects_within.ask();
        if !asks {
            asked.name(effect);
        }
        asks
    }

    /// Notes that these spots were read.
    #[inline]
    pub fn read(&self, spots: Spots) {
        self.reads.set(self.reads.get() | spots);
    }

    /// The cards of a place, bottom first.
    #[inline]
    pub(super) fn cards(&self, place: Place) -> &'a [ObjectId] {
        self.read(Spots::of_place(place));
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

    /// The value of a node that is a part of another one. Most parts are names or constants; their values are found without a call.
    #[inline(always)] // else a name is a call of this function
    pub(super) fn operand(&mut self, node: NodeId) -> Value {
        match self.program.nodes.get(node) {
            Some(Node::Bound(at)) => self.bound.get(usize::from(*at)).copied().unwrap_or_default(),
            Some(Node::Local(reg)) => self.locals.get(usize::from(reg.0)).copied().unwrap_or_default(),
            Some(Node::Const(value)) => *value,
            _ => self.value(node),
        }
    }

    /// The number that a node gives. None if the node gives no number.
    #[inline]
    pub fn number(&mut self, node: NodeId) -> Option<i32> {
        self.operand(node).number()
    }

    /// The player that a node names.
    #[inline]
    pub fn player(&mut self, node: NodeId) -> Option<Player> {
        self.operand(node).player()
    }

    /// Gives `body` one more bound value.
    pub fn bind<T>(&mut self, value: Value, body: impl FnOnce(&mut Self) -> T) -> T {
        self.push_bound(value);
        let result = body(self);
        self.pop_bound();
        result
    }

    /// The number of bound values.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Adds one more bound value, until [`Eval::pop_bound`].
    #[inline]
    pub(crate) fn push_bound(&mut self, value: Value) {
        if let Some(slot) = self.bound.get_mut(self.depth) {
            *slot = value;
        }
        self.depth += 1;
    }

    /// Removes the last bound value.
    #[inline]
    pub(crate) fn pop_bound(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Runs `body` without the last bound value. The argument of a function is bound only inside the function. The code that visits the
    /// members of the function's set stands outside, where the next binder uses the same place.
    pub(super) fn unbound<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let at = self.depth.saturating_sub(1);
        let last = self.bound.get(at).copied().unwrap_or_default();
        self.depth = at;
        let result = body(self);
        self.push_bound(last);
        result
    }

    #[inline]
    pub(super) fn with(&mut self, member: Value, condition: NodeId) -> bool {
        self.may_look() && self.bind(member, |eval| eval.holds(condition))
    }
}

/// A number divided by another, with a remainder that is not negative: for a positive divisor, rounded down. Division by 0 gives the number
/// unchanged. None if the result does not fit.
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
