//! Finds, before any game, the places and values that a condition reads. So the condition is evaluated again only when one of them has been
//! written.

use crate::bits::{PlaceSet, StateSet};
use crate::ids::{FieldId, NodeId, Reg, ZoneId};
use crate::program::{Node, Program, Type, ValueEventDef};
use crate::state::board::place_of;
use crate::value::{Player, Value};

/// Everything that an expression reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The places whose cards are read.
    pub places: PlaceSet,
    /// The states that are read.
    pub states: StateSet,
    /// The fields of these cards or of players that are read. A field has its printed value while no effect in force changes it.
    pub fields: Box<[FieldId]>,
    /// Whether the controllers of these cards are read. While no effect in force gives control, they depend only on the places of the
    /// cards.
    pub controllers: bool,
    /// Whether the abilities of these cards are read. While no effect in force grants or takes abilities, they are the printed ones.
    pub abilities: bool,
    /// Whether facts are read. While no effect in force says that a fact is true, facts depend only on what else is read.
    pub facts: bool,
}

impl Reads {
    /// Whether effects can change some of the values.
    #[must_use]
    pub(crate) fn hangs_on_effects(&self) -> bool {
        !self.fields.is_empty() || self.controllers || self.abilities || self.facts
    }
}

/// Everything that a condition reads. None if it reads more than the marks can express.
pub(super) fn reads(program: &Program, condition: NodeId) -> Option<Reads> {
    let mut marks = Marks::new(program);
    marks.value(condition)?;
    Some(marks.reads())
}

/// Everything that a computed value with events reads, including the set of the things that have the value.
pub(super) fn reads_of_value(program: &Program, event: &ValueEventDef) -> Option<Reads> {
    let mut marks = Marks::new(program);
    match event.of {
        NodeId::NONE => marks.value(event.value)?,
        of => {
            let kind = marks.set(of)?;
            marks.within(kind, |marks| marks.value(event.value))?
        }
    };
    Some(marks.reads())
}

/// The kind of a value, as far as this decides which states are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A card of one of the noted places, in its present life.
    Card,
    Player,
    /// A value whose properties are not read.
    Plain,
}

/// Collects everything that an expression reads.
struct Marks<'p> {
    program: &'p Program,
    places: PlaceSet,
    states: StateSet,
    fields: Vec<FieldId>,
    controllers: bool,
    abilities: bool,
    facts: bool,
    /// In a computed field: the card of the field.
    this: Option<Kind>,
    bound: Vec<Kind>,
    /// The depth of nested computed fields. They may depend on each other in a circle.
    deep: u8,
}

/// The greatest depth of nested computed fields that are followed.
const DEEP: u8 = 8;

/// The kind of a value that may come from any of several expressions.
fn one_of(kinds: &[Kind]) -> Kind {
    match kinds {
        [first, others @ ..] if others.iter().all(|other| other == first) => *first,
        _ => Kind::Plain,
    }
}

impl<'p> Marks<'p> {
    fn new(program: &'p Program) -> Self {
        Marks {
            program,
            places: PlaceSet::NONE,
            states: StateSet::NONE,
            fields: Vec::new(),
            controllers: false,
            abilities: false,
            facts: false,
            this: None,
            bound: Vec::new(),
            deep: 0,
        }
    }

    fn reads(self) -> Reads {
        let Marks { places, states, fields, controllers, abilities, facts, .. } = self;
        Reads { places, states, fields: fields.into(), controllers, abilities, facts }
    }

    /// Collects what an expression reads, and gives its kind. None if it reads more than the marks can express.
    fn value(&mut self, node: NodeId) -> Option<Kind> {
        match *self.program.nodes.get(node)? {
            // In a computed field, `you` is the card's controller, whom an effect may decide.
            Node::You if self.this.is_some() => None,
            Node::Const(Value::Player(_)) | Node::You | Node::Local(Reg(0)) => Some(Kind::Player),
            Node::Const(_) => Some(Kind::Plain),
            Node::Bound(at) => self.bound.get(usize::from(at)).copied(),
            Node::Not(a) | Node::Negate(a) => self.plain(&[a]),
            Node::And(a, b) | Node::Or(a, b) | Node::Compare(_, a, b) | Node::Arithmetic(_, a, b) => self.plain(&[a, b]),
            Node::Least(a, b) | Node::Greatest(a, b) => self.plain(&[a, b]),
            Node::If(condition, args) => {
                self.plain(&[condition])?;
                let kinds: Vec<Kind> = self.program.args_of(args).iter().map(|node| self.value(*node)).collect::<Option<_>>()?;
                Some(one_of(&kinds))
            }
            Node::With { value, body } => {
                let kind = self.value(value)?;
                self.within(kind, |marks| marks.value(body))
            }
            Node::Fold(_, set, value) => {
                let kind = self.set(set)?;
                self.within(kind, |marks| marks.value(value)).map(|_| Kind::Plain)
            }
            Node::Count(set) | Node::IsEmpty(set) => self.set(set).map(|_| Kind::Plain),
            Node::Some(set, condition) | Node::All(set, condition) => {
                let kind = self.set(set)?;
                if condition != NodeId::NONE {
                    self.within(kind, |marks| marks.value(condition))?;
                }
                Some(Kind::Plain)
            }
            Node::In(member, set) => {
                self.value(member)?;
                self.set(set).map(|_| Kind::Plain)
            }
            Node::State(subject, state) => {
                let of = self.value(subject).filter(|of| *of != Kind::Plain);
                self.states |= StateSet::of(state);
                let whose = self.program.states.get(state).is_some_and(|state| state.of == Type::Player && state.members.is_none());
                of.map(|_| if whose { Kind::Player } else { Kind::Plain })
            }
            Node::This => self.this,
            Node::Field(card, field) | Node::Printed(card, field) => self.field(card, field),
            Node::FieldHas(card, field, what) => {
                self.value(what)?;
                self.field(card, field)
            }
            Node::IsType(card, _) => match self.program.type_field {
                Some(field) => self.field(card, field),
                None => self.of_card(card, Kind::Plain),
            },
            Node::Exists(value) => self.plain(&[value]),
            Node::Owner(card) => self.of_card(card, Kind::Player),
            Node::Controller(card) => {
                self.controllers = true;
                self.of_card(card, Kind::Player)
            }
            Node::HasKeyword(card, _) => {
                self.abilities = true;
                self.of_card(card, Kind::Plain)
            }
            Node::FaceUp(card) | Node::ZoneOf(card) | Node::PlaceIn(card, _) | Node::Arrived(card) => self.of_card(card, Kind::Plain),
            Node::CardName(card) | Node::CardOf(card) => self.of_card(card, Kind::Plain),
            Node::IsKind(ability, _) => self.value(ability).filter(|of| *of == Kind::Plain),
            Node::Fact(_, _, otherwise) => {
                // The arguments matter only to an effect that says the fact.
                self.facts = true;
                self.plain(&[otherwise])
            }
            Node::TextContains(a, b) => self.plain(&[a, b]),
            Node::Opponent(player) | Node::NextPlayer(player) => self.value(player).filter(|kind| *kind == Kind::Player),
            _ => None,
        }
    }

    fn plain(&mut self, nodes: &[NodeId]) -> Option<Kind> {
        nodes.iter().all(|node| self.value(*node).is_some()).then_some(Kind::Plain)
    }

    fn of_card(&mut self, card: NodeId, kind: Kind) -> Option<Kind> {
        self.value(card).filter(|of| *of == Kind::Card).map(|_| kind)
    }

    /// Collects the read of a field of a present card.
    fn field(&mut self, card: NodeId, field: FieldId) -> Option<Kind> {
        self.of_card(card, Kind::Plain)?;
        if self.fields.contains(&field) {
            return Some(Kind::Plain);
        }
        self.fields.push(field);
        let Some(derived) = self.program.fields.get(field)?.derived else { return Some(Kind::Plain) };
        if self.deep >= DEEP {
            return None;
        }
        let around = (self.this.replace(Kind::Card), std::mem::take(&mut self.bound));
        self.deep += 1;
        let found = self.value(derived);
        self.deep -= 1;
        (self.this, self.bound) = around;
        found.map(|_| Kind::Plain)
    }

    fn within<T>(&mut self, kind: Kind, read: impl FnOnce(&mut Self) -> T) -> T {
        self.bound.push(kind);
        let found = read(self);
        self.bound.pop();
        found
    }

    /// Collects what a set reads, and gives the kind of its members. None if the set reads more than the marks can express.
    fn set(&mut self, set: NodeId) -> Option<Kind> {
        match *self.program.nodes.get(set)? {
            Node::ZoneOfAll(zone) => Some(self.zone(zone)),
            Node::Zone(zone, NodeId::NONE) => Some(self.zone(zone)),
            Node::Zone(zone, player) => {
                self.value(player).filter(|kind| *kind == Kind::Player)?;
                Some(self.zone(zone))
            }
            Node::Where(inner, condition) => {
                let kind = self.set(inner)?;
                self.within(kind, |marks| marks.value(condition))?;
                Some(kind)
            }
            Node::Union(a, b) | Node::Joined(a, b) | Node::Except(a, b) => {
                let kind = self.set(a)?;
                self.set(b).filter(|other| *other == kind)
            }
            Node::Field(card, field) | Node::Printed(card, field) if self.program.fields.get(field)?.set => self.field(card, field),
            Node::If(condition, args) => {
                self.plain(&[condition])?;
                let kinds: Vec<Kind> = self.program.args_of(args).iter().map(|node| self.set(*node)).collect::<Option<_>>()?;
                Some(one_of(&kinds))
            }
            Node::EnumValues(_) => Some(Kind::Plain),
            Node::Abilities(card) => {
                self.abilities = true;
                self.of_card(card, Kind::Plain)
            }
            Node::With { value, body } => {
                let kind = self.value(value)?;
                self.within(kind, |marks| marks.set(body))
            }
            Node::Players => Some(Kind::Player),
            Node::Opponents(player) | Node::Team(player) | Node::Clockwise(player) => {
                self.value(player).filter(|kind| *kind == Kind::Player)
            }
            _ => None,
        }
    }

    /// Collects the cards of a zone of all players.
    fn zone(&mut self, zone: ZoneId) -> Kind {
        for player in (0..self.program.players).map(Player) {
            self.places |= PlaceSet::of(place_of(self.program, zone, player));
        }
        Kind::Card
    }
}
