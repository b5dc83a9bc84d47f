//! Short cuts: the values of the commonest expressions, without setting up an evaluation.
//!
//! Gives nothing for every expression that needs more (binders, effects in force, a trial run); then the evaluation in
//! [`super::eval`] is asked, which alone says what an expression means. What is read is noted like there.

use super::board::place_of;
use super::ids::{FieldId, Id, NodeId, StateId};
use super::observe::Observer;
use super::program::Node;
use super::run::Run;
use super::sequence::{PLAYER_STATES, spot};
use super::state::{Branch, Frame};
use super::value::{ObjectId, Place, Player, Value};

/// Where names get their values from.
#[derive(Clone, Copy)]
pub struct Names<'n> {
    /// Registers of the frame.
    pub locals: &'n [Value],
    /// Who acts.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// The last instruction was carried out in full.
    pub done: bool,
    pub(super) bound: [Value; DEPTH],
    pub(super) depth: usize,
}

/// Binders that a short cut goes into.
const DEPTH: usize = 4;

impl<'n> Names<'n> {
    /// With nothing bound and nothing done.
    #[inline]
    pub fn new(locals: &'n [Value], you: Player, this: Value) -> Self {
        Names { locals, you, this, done: false, bound: [Value::Undefined; DEPTH], depth: 0 }
    }

    fn with(&self, value: Value) -> Option<Self> {
        let mut inner = *self;
        *inner.bound.get_mut(self.depth)? = value;
        inner.depth += 1;
        Some(inner)
    }

    /// Those of the top frame of a branch.
    #[inline]
    pub fn of(branch: &'n Branch) -> Option<Self> {
        let Frame { base, you, this, done, .. } = branch.frames.last()?;
        let names = Self::new(branch.registers.get(*base as usize..)?, *you, *this);
        Some(Names { done: *done, ..names })
    }
}

impl<O: Observer> Run<'_, O> {
    /// The value of a node, if that takes no evaluation.
    pub fn quick(&self, names: &Names<'_>, id: NodeId) -> Option<Value> {
        let node = *self.program.nodes.get(id)?;
        Some(match node {
            Node::Const(value) => value,
            Node::Local(reg) => names.locals.get(usize::from(reg.0)).copied().unwrap_or_default(),
            Node::You => Value::Player(names.you),
            Node::This => names.this,
            Node::Done => Value::Bool(names.done),
            Node::Not(a) => Value::Bool(!self.quick(names, a)?.is_true()),
            Node::And(a, b) => Value::Bool(self.quick(names, a)?.is_true() && self.quick(names, b)?.is_true()),
            Node::Or(a, b) => Value::Bool(self.quick(names, a)?.is_true() || self.quick(names, b)?.is_true()),
            Node::Compare(how, a, b) => Value::Bool(super::eval::compare(how, self.quick(names, a)?, self.quick(names, b)?)),
            Node::Zone(zone, NodeId::NONE) => Value::Zone(place_of(self.program, zone, Player(0))),
            Node::Zone(zone, player) => {
                let player = self.quick(names, player)?.player();
                player.map_or(Value::Undefined, |player| Value::Zone(place_of(self.program, zone, player)))
            }
            Node::Opponent(player) | Node::NextPlayer(player) => {
                let player = self.quick(names, player)?.player();
                player.map_or(Value::Undefined, |player| Value::Player(Player((player.0 + 1) % self.program.players.max(1))))
            }
            Node::End(top, zone) => match self.quick(names, zone)? {
                Value::Zone(place) => {
                    let cards = self.cards(place);
                    let card = if top { cards.last() } else { cards.first() };
                    card.map_or(Value::Undefined, |id| self.state.board.reference(*id))
                }
                _ => Value::Undefined,
            },
            Node::Count(set) => Value::Number(self.quick_count(names, set)?),
            Node::Only(set) => {
                let card = self.cards(self.quick_zone(names, set)?).first();
                card.map_or(Value::Undefined, |id| self.state.board.reference(*id))
            }
            Node::Exists(a) => match self.quick(names, a)? {
                Value::Undefined => Value::Bool(false),
                value @ Value::Object { .. } => {
                    Value::Bool(self.quick_object(value).is_some_and(|(_, object)| super::eval::lives(value, object.life)))
                }
                _ => Value::Bool(true),
            },
            Node::Bound(at) => names.bound.get(usize::from(at)).copied()?,
            Node::With { value, body } => self.quick(&names.with(self.quick(names, value)?)?, body)?,
            Node::If(condition, args) => {
                let yes = self.quick(names, condition)?.is_true();
                let [first, second] = self.program.args_of(args) else { return None };
                self.quick(names, if yes { *first } else { *second })?
            }
            Node::Controller(of) => match self.quick(names, of)? {
                value @ (Value::Object { .. } | Value::Zone(_)) => {
                    self.quick_object(value).map_or(Value::Undefined, |(_, object)| Value::Player(object.owner))
                }
                _ => return None,
            },
            Node::IsEmpty(set) => Value::Bool(self.quick_empty(names, set)?),
            Node::Some(set, _) if self.quick_empty(names, set)? => Value::Bool(false),
            Node::Field(card, field) => self.quick_field(names, card, field)?,
            Node::State(subject, state) => self.quick_state(names, subject, state)?,
            Node::FaceUp(card) => {
                let card = self.quick_object(self.quick(names, card)?);
                card.map_or(Value::Undefined, |(_, object)| Value::Bool(object.face_up))
            }
            Node::Owner(card) => {
                let card = self.quick_object(self.quick(names, card)?);
                card.map_or(Value::Undefined, |(_, object)| Value::Player(object.owner))
            }
            _ => return None,
        })
    }

    /// The cards of a place, bottom first.
    #[inline]
    fn cards(&self, place: Place) -> &[ObjectId] {
        self.scratch.sequence.read(spot(place));
        self.state.board.cards(place)
    }

    fn quick_count(&self, names: &Names<'_>, set: NodeId) -> Option<i32> {
        if let Node::ZoneOfAll(zone) = *self.program.nodes.get(set)? {
            let places = (0..self.program.players).map(|player| place_of(self.program, zone, Player(player)));
            return Some(places.map(|place| self.cards(place).len() as i32).sum());
        }
        Some(self.cards(self.quick_zone(names, set)?).len() as i32)
    }

    /// Adds the members of a set to a list, if it is the players, or the cards of a zone as they lie.
    pub fn quick_list(&self, names: &Names<'_>, set: NodeId, list: &mut Vec<Value>) -> bool {
        let board = &self.state.board;
        match self.program.nodes.get(set) {
            Some(Node::Players) => list.extend((0..self.program.players).map(|player| Value::Player(Player(player)))),
            Some(Node::Zone(..)) => {
                let Some(place) = self.quick_zone(names, set) else { return false };
                list.extend(self.cards(place).iter().map(|id| board.reference(*id)));
            }
            Some(Node::ZoneOfAll(zone)) => {
                let places = (0..self.program.players).map(|player| place_of(self.program, *zone, Player(player)));
                list.extend(places.flat_map(|place| self.cards(place).iter().map(|id| board.reference(*id))));
            }
            _ => return self.quick_empty(names, set) == Some(true),
        }
        true
    }

    /// Adds those of the cards that a value names, which still live the life that is meant, to a list, if it names no list.
    pub fn quick_living(&self, what: Value, list: &mut Vec<Value>) -> bool {
        match what {
            Value::Object { .. } => {
                let card = self.quick_object(what);
                list.extend(card.filter(|(_, object)| super::eval::lives(what, object.life)).map(|_| what));
            }
            Value::Zone(place) => list.extend(self.cards(place).iter().map(|id| self.state.board.reference(*id))),
            Value::Undefined => {}
            _ => return false,
        }
        true
    }

    fn quick_zone(&self, names: &Names<'_>, set: NodeId) -> Option<Place> {
        let Node::Zone(..) = self.program.nodes.get(set)? else { return None };
        if let Value::Zone(place) = self.quick(names, set)? { Some(place) } else { None }
    }

    /// Whether a set is empty, if that is seen at once: nothing at all is there among which it could choose. `None`: it may not be.
    pub fn quick_empty(&self, names: &Names<'_>, set: NodeId) -> Option<bool> {
        match *self.program.nodes.get(set)? {
            Node::Where(inner, _) => self.quick_empty(names, inner).filter(|empty| *empty),
            Node::Pending => Some(self.state.events.pending.is_empty()),
            Node::Zone(..) => Some(self.cards(self.quick_zone(names, set)?).is_empty()),
            Node::Abilities(card) => {
                let Some((_, object)) = self.quick_object(self.quick(names, card)?) else { return Some(true) };
                Some(self.program.cards.get(object.card).is_none_or(|card| card.abilities.1 == 0))
            }
            _ => None,
        }
    }

    fn quick_object(&self, value: Value) -> Option<(ObjectId, &super::board::Object)> {
        let id = match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => id,
            Value::Zone(place) => *self.cards(place).last()?,
            _ => return None,
        };
        let object = self.state.board.object(id)?;
        self.scratch.sequence.read(spot(object.place));
        Some((id, object))
    }

    /// A printed field that no effect changes, in no trial run.
    fn quick_field(&self, names: &Names<'_>, card: NodeId, field: FieldId) -> Option<Value> {
        let def = self.program.fields.get(field)?;
        let touched = self.state.effects.modifying.get(field.index()).copied()? > 0;
        if touched || self.trial.is_some() {
            return None;
        }
        let Some((id, object)) = self.quick_object(self.quick(names, card)?) else { return Some(Value::Undefined) };
        if let Some(derived) = def.derived {
            return self.quick(&Names::new(&[], object.owner, self.state.board.reference(id)), derived);
        }
        Some(match (self.program.printed_value(object.card, field), def.at_least) {
            (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
            (value, _) => value,
        })
    }

    fn quick_state(&self, names: &Names<'_>, subject: NodeId, state: StateId) -> Option<Value> {
        let def = self.program.states.get(state).filter(|def| def.at_least.is_none())?;
        let subject = self.quick(names, subject)?;
        let states = self.program.states.len();
        let value = if def.on_players {
            self.scratch.sequence.read(PLAYER_STATES);
            subject.player().and_then(|player| self.state.board.player_states.get(usize::from(player.0) * states + state.index()))
        } else {
            let card = self.quick_object(subject).filter(|(_, object)| super::eval::lives(subject, object.life));
            card.and_then(|(id, _)| self.state.board.card_states.get(usize::from(id.0) * states + state.index()))
        };
        Some(value.copied().unwrap_or_default())
    }
}
