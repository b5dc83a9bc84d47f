//! Short cuts: the values of the commonest expressions, by their shapes, without setting up an evaluation.
//!
//! An expression that needs more (effects in force, a trial run) gets no value here. Then [`crate::eval`] evaluates it. Only that
//! evaluation defines the meaning of expressions; builds with debug assertions compare both results every time. Reads are noted as in
//! [`crate::eval`].

use crate::eval::{compare, floored, unread};
use crate::fault::{Fault, broken};
use crate::ids::{FieldId, Id, NodeId, Reg, StateId};
use crate::plan::shapes::{Shape, Spot};
use crate::program::Arithmetic;
use crate::run::Run;
use crate::state::board::{Object, place_of};
use crate::state::readings;
use crate::state::{Branch, Frame};
use crate::steps::Observer;
use crate::value::{ObjectId, Place, Player, Value};

/// The player, the card and the result that names of the language stand for.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The acting player.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// Whether the last instruction was carried out in full.
    pub done: bool,
}

impl Names {
    /// Names for a place where no instruction came before.
    #[inline]
    pub fn new(you: Player, this: Value) -> Self {
        Names { you, this, done: false }
    }
}

/// The registers of the top frame of a branch, and the names there.
#[inline]
pub(crate) fn names(branch: &Branch) -> (&[Value], Names) {
    let Some(Frame { base, you, this, done, .. }) = branch.frames.last() else { return (&[], Names::new(Player(0), Value::Undefined)) };
    (branch.registers.get(*base as usize..).unwrap_or_else(|| broken(Fault::Registers)), Names { you: *you, this: *this, done: *done })
}

#[inline]
fn local(locals: &[Value], reg: Reg) -> Value {
    locals.get(usize::from(reg.0)).copied().unwrap_or_default()
}

impl<O: Observer> Run<'_, O> {
    /// The value of a node. None if the node needs an evaluation.
    pub fn quick(&self, locals: &[Value], names: &Names, id: NodeId) -> Option<Value> {
        let value = |id| self.quick(locals, names, id);
        Some(match self.plan.shapes.get(id) {
            Shape::Const(value) => value,
            Shape::Local(reg) => local(locals, reg),
            Shape::You => names.you.value(),
            Shape::This => names.this,
            Shape::Done => Value::Bool(names.done),
            Shape::Not(a) => Value::Bool(!value(a)?.is_true()),
            Shape::And(a, b) => Value::Bool(value(a)?.is_true() && value(b)?.is_true()),
            Shape::Or(a, b) => Value::Bool(value(a)?.is_true() || value(b)?.is_true()),
            Shape::Compare(how, a, b) => Value::Bool(compare(how, value(a)?, value(b)?)),
            Shape::Arithmetic(how, a, b) => calculated(how, value(a)?.number()?, value(b)?.number()?)?,
            Shape::Pair(table, a, b) => self.quick_pair(table, value(a)?, value(b)?),
            Shape::If(condition, yes, no) => value(if value(condition)?.is_true() { yes } else { no })?,
            Shape::Zone(spot) => place_at(locals, spot).map_or(Value::Undefined, Value::Zone),
            Shape::ZoneOf { first, row, player } => {
                let player = value(player)?.player();
                player.map_or(Value::Undefined, |player| Value::Zone(Place(first + row * u16::from(player.0))))
            }
            Shape::NextOf(reg) => self.quick_next(local(locals, reg)),
            Shape::Next(player) => self.quick_next(value(player)?),
            Shape::Controller(_) if !self.state.owners_control(self.program) => return None,
            Shape::Controller(of) => match value(of)? {
                value @ (Value::Object { .. } | Value::Zone(_)) => {
                    self.quick_object(value).map_or(Value::Undefined, |(_, object)| object.owner.value())
                }
                _ => return None,
            },
            Shape::EndAt(top, spot) => place_at(locals, spot).map_or(Value::Undefined, |place| self.quick_end(top, place)),
            Shape::End(top, zone) => match value(zone)? {
                Value::Zone(place) => self.quick_end(top, place),
                _ => Value::Undefined,
            },
            Shape::Exists(a) => match value(a)? {
                Value::Undefined => Value::Bool(false),
                value @ Value::Object { .. } => Value::Bool(self.quick_object(value).is_some_and(|(_, object)| value.lives(object.life))),
                _ => Value::Bool(true),
            },
            Shape::CountAt(spot) => Value::Number(place_at(locals, spot).map_or(0, |place| self.cards(place).len() as i32)),
            Shape::CountIn(reg) => Value::Number(match local(locals, reg) {
                Value::Zone(place) => self.cards(place).len() as i32,
                Value::List { len, .. } => i32::from(len),
                Value::Undefined => 0,
                _ => 1,
            }),
            Shape::CountAll(zone) => {
                let places = (0..self.program.players).map(|player| place_of(self.program, zone, Player(player)));
                Value::Number(places.map(|place| self.cards(place).len() as i32).sum())
            }
            Shape::EmptyAt(spot) => Value::Bool(place_at(locals, spot).is_none_or(|place| self.cards(place).is_empty())),
            Shape::Empty(set) => Value::Bool(self.quick_empty(locals, names, set)?),
            Shape::Some(set) if self.quick_empty(locals, names, set)? => Value::Bool(false),
            Shape::Field(card, field) => self.quick_field(value(card)?, field)?,
            Shape::Printed(card, field) => self.quick_printed(value(card)?, field)?,
            Shape::State(subject, state) => self.quick_state(value(subject)?, state)?,
            Shape::FaceUp(card) => {
                let card = value(card)?;
                if self.note_late(card) {
                    return None;
                }
                self.quick_object(card).map_or(Value::Undefined, |(_, object)| Value::Bool(object.face_up))
            }
            Shape::Owner(_) if self.program.owned => return None,
            Shape::Owner(card) => self.quick_object(value(card)?).map_or(Value::Undefined, |(_, object)| object.owner.value()),
            _ => return None,
        })
    }

    /// The value of a function of two enum values, from its table.
    pub(crate) fn quick_pair(&self, table: u16, a: Value, b: Value) -> Value {
        let table = self.plan.shapes.pairs.get(usize::from(table));
        Value::Bool(table.is_some_and(|table| table.result(a, b)))
    }

    /// The player next in seat order.
    #[inline]
    pub(crate) fn quick_next(&self, player: Value) -> Value {
        let Value::Player(player) = player else { return Value::Undefined };
        let next = player.0 + 1;
        Value::Player(Player(if next >= self.program.players { 0 } else { next }))
    }

    #[inline]
    fn quick_end(&self, top: bool, place: Place) -> Value {
        let cards = self.cards(place);
        let card = if top { cards.last() } else { cards.first() };
        card.map_or(Value::Undefined, |id| self.state.board.reference(*id))
    }

    /// The cards of a place, bottom first.
    #[inline]
    fn cards(&self, place: Place) -> &[ObjectId] {
        self.state.board.cards(place)
    }

    /// Adds the members of a set to a list. False if the set is neither the players nor the cards of a zone.
    pub(crate) fn quick_list(&self, locals: &[Value], names: &Names, set: NodeId, list: &mut Vec<Value>) -> bool {
        let board = &self.state.board;
        match self.plan.shapes.get(set) {
            Shape::Players => list.extend((0..self.program.players).map(|player| Value::Player(Player(player)))),
            Shape::Zone(_) | Shape::ZoneOf { .. } => {
                let Some(place) = self.quick_place(locals, names, set) else { return false };
                list.extend(place.iter().flat_map(|place| self.cards(*place)).map(|id| board.reference(*id)));
            }
            Shape::ZoneOfAll(zone) => {
                for player in 0..self.program.players {
                    let cards = self.cards(place_of(self.program, zone, Player(player)));
                    list.extend(cards.iter().map(|id| board.reference(*id)));
                }
            }
            _ => return self.quick_empty(locals, names, set) == Some(true),
        }
        true
    }

    /// Adds the cards that a value names to a list, if they have not become new objects. False if the value is of another kind, for example
    /// a list.
    pub(crate) fn quick_living(&self, what: Value, list: &mut Vec<Value>) -> bool {
        match what {
            Value::Object { .. } => {
                let card = self.quick_object(what);
                list.extend(card.filter(|(_, object)| what.lives(object.life)).map(|_| what));
            }
            Value::Zone(place) => list.extend(self.cards(place).iter().map(|id| self.state.board.reference(*id))),
            Value::Undefined => {}
            _ => return false,
        }
        true
    }

    /// The place of a zone's node. The inner None: no player is named. The outer None: the node needs an evaluation.
    #[inline]
    fn quick_place(&self, locals: &[Value], names: &Names, zone: NodeId) -> Option<Option<Place>> {
        match self.plan.shapes.get(zone) {
            Shape::Zone(spot) => Some(place_at(locals, spot)),
            Shape::ZoneOf { .. } | Shape::Const(Value::Zone(_)) => match self.quick(locals, names, zone)? {
                Value::Zone(place) => Some(Some(place)),
                _ => Some(None),
            },
            _ => None,
        }
    }

    /// Whether a set is empty, if this can be seen at once because there is nothing to choose from. None if this cannot be seen.
    pub(crate) fn quick_empty(&self, locals: &[Value], names: &Names, set: NodeId) -> Option<bool> {
        match self.plan.shapes.get(set) {
            Shape::Where(inner) => self.quick_empty(locals, names, inner).filter(|empty| *empty),
            // While readings are noted, the evaluation notes less than all waiting abilities.
            Shape::Pending if readings::are_noted() => None,
            Shape::Pending => Some(self.state.events.pending.unnoted().is_empty()),
            Shape::Zone(_) | Shape::ZoneOf { .. } | Shape::Const(Value::Zone(_)) => {
                Some(self.quick_place(locals, names, set)?.is_none_or(|place| self.cards(place).is_empty()))
            }
            Shape::Abilities(card) if self.state.effects.granting == 0 && self.state.effects.stripping == 0 => {
                let Some((_, object)) = self.quick_object(self.quick(locals, names, card)?) else { return Some(true) };
                Some(self.plan.card(object.card).textless)
            }
            _ => None,
        }
    }

    /// Whether a card's life is over while last-known information is kept of some cards. If so, the read is noted, because the card may be
    /// known to differ from what is printed.
    #[inline]
    pub(crate) fn note_late(&self, value: Value) -> bool {
        !self.state.board.known.is_empty() && self.state.board.is_over(value)
    }

    #[inline]
    fn quick_object(&self, value: Value) -> Option<(ObjectId, &Object)> {
        let id = match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => id,
            Value::Zone(place) => *self.cards(place).last()?,
            _ => return None,
        };
        let object = self.state.board.object(id)?;
        Some((id, object))
    }

    /// Whether no effect changes the field, and no trial run asks what may be seen.
    #[inline]
    fn untouched(&self, field: FieldId) -> bool {
        self.trial.is_none() && self.state.effects.modifying.get(field.index()) == Some(&0)
    }

    /// The value of a printed field that no effect changes. None in a trial run.
    fn quick_field(&self, card: Value, field: FieldId) -> Option<Value> {
        if !self.untouched(field) || self.note_late(card) {
            return None;
        }
        let Some((id, object)) = self.quick_object(card) else {
            return if let Value::Player(_) = card { None } else { Some(Value::Undefined) };
        };
        let def = self.plan.fields.get(field.index())?;
        if def.derived != NodeId::NONE {
            if !self.state.owners_control(self.program) {
                return None;
            }
            let this = if let Value::Object { .. } = card { card } else { self.state.board.reference(id) };
            return Some(floored(self.quick(&[], &Names::new(object.owner, this), def.derived)?, def.at_least));
        }
        Some(match (self.program.printed_value(object.card, field), def.at_least) {
            (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
            (value, _) => value,
        })
    }

    /// The printed value of a field that no effect changes.
    fn quick_printed(&self, card: Value, field: FieldId) -> Option<Value> {
        let def = self.plan.fields.get(field.index())?;
        if !self.untouched(field) || def.derived != NodeId::NONE || self.note_late(card) {
            return None;
        }
        let (_, object) = self.quick_object(card)?;
        Some(self.program.printed_value(object.card, field))
    }

    /// A state of a card or player.
    pub(crate) fn quick_state(&self, subject: Value, state: StateId) -> Option<Value> {
        let def = self.plan.states.get(state.index())?;
        let states = self.plan.states.len();
        let value = if def.on_players {
            subject.player().and_then(|player| {
                let at = usize::from(player.0) * states + state.index();
                unread::note(at);
                self.state.board.player_states.get(at)
            })
        } else {
            let card = self.quick_object(subject);
            if self.note_late(subject) {
                return None;
            }
            match card {
                Some((_, object)) if !subject.lives(object.life) => self.program.states.get(state).map(|state| &state.initial),
                Some((id, _)) => self.state.board.card_states.get(usize::from(id.0) * states + state.index()),
                None => None,
            }
        };
        Some(match (value.copied().unwrap_or_default(), def.at_least) {
            (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
            (value, _) => value,
        })
    }
}

/// The result of a calculation. None for an overflow or a division by 0, which need the evaluation.
#[inline]
fn calculated(how: Arithmetic, a: i32, b: i32) -> Option<Value> {
    let number = match how {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide => a.checked_div_euclid(b),
        Arithmetic::Remainder => a.checked_rem_euclid(b),
    };
    number.map(Value::Number)
}

/// The place of the zone that belongs to the player in a register. None if the register holds no player.
#[inline]
pub(crate) fn place_at(locals: &[Value], spot: Spot) -> Option<Place> {
    match locals.get(usize::from(spot.of.0)) {
        Some(Value::Player(player)) => Some(Place(spot.first + spot.row * u16::from(player.0))),
        _ => None,
    }
}
