//! What is known of immediate rules before any game: what their conditions read, so that they are looked at only when that was written.

use crate::engine::board::place_of;
use crate::engine::change::bit;
use crate::engine::ids::{FieldId, Id, NodeId, Reg, RuleId, ZoneId};
use crate::engine::program::{Node, Program, ValueEventDef};
use crate::engine::state::Written;
use crate::engine::value::{Place, Player, Value};

/// An instance of an immediate rule.
#[derive(Clone, Debug)]
pub struct RulePlan {
    /// The rule.
    pub rule: RuleId,
    /// Whose instance.
    pub player: Player,
    /// Its condition.
    pub condition: NodeId,
    /// It counts only when the condition was false before.
    pub becomes: bool,
    /// It runs in the middle of whatever goes on; else that it became true is remembered for the flow.
    pub immediately: bool,
    /// The condition says nothing but that this place is empty.
    pub empty: Option<Place>,
    /// The places that the condition reads, by [`crate::engine::change::bit`]; all bits where it reads more than places.
    pub reads: u64,
    /// What it reads then.
    pub watched: Watched,
    /// Where the board keeps whether the condition was true.
    pub truth: usize,
}

/// What a condition reads that reads more than places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Anything.
    Anything,
    /// It is false where nothing waits but actions that have been declared.
    Waiting,
    /// It says nothing but that some effects are tied.
    Ties,
    /// Nothing but cards of these places (by [`crate::engine::change::bit`]), these states (by [`crate::engine::state::Written::of_state`]) and
    /// these fields, of these cards or of players.
    Written {
        /// The places.
        places: u64,
        /// The states.
        states: u64,
        /// The fields. While no effect in force changes one of them they are as the cards print them.
        fields: Box<[FieldId]>,
    },
}

/// Every instance of an immediate rule.
pub(super) fn rules(program: &Program) -> Vec<RulePlan> {
    let mut found = Vec::new();
    for (id, rule) in program.rules.iter().filter(|(_, rule)| rule.event.is_none() && (rule.immediately || rule.becomes)) {
        for player in (0..if rule.each_player { program.players } else { 1 }).map(Player) {
            let reads = own_places(program, rule.condition, player).unwrap_or_else(|| match rule.reads {
                u64::MAX => u64::MAX,
                zones => places_of(program, zones),
            });
            found.push(RulePlan {
                rule: id,
                player,
                condition: rule.condition,
                empty: empty_place(program, rule.condition, player),
                becomes: rule.becomes,
                immediately: rule.immediately,
                reads,
                watched: watched(program, rule.condition),
                truth: id.index() * usize::from(program.players) + usize::from(player.0),
            });
        }
    }
    found
}

/// The place of which a condition says that it is empty.
fn empty_place(program: &Program, condition: NodeId, player: Player) -> Option<Place> {
    let Node::IsEmpty(set) = *program.nodes.get(condition)? else { return None };
    let Node::Zone(zone, whose) = *program.nodes.get(set)? else { return None };
    let own = whose == NodeId::NONE || program.nodes.get(whose) == Some(&Node::Local(Reg(0)));
    own.then(|| place_of(program, zone, player))
}

/// The bits of the places that a condition of nothing but counts of the player's own and shared zones reads.
fn own_places(program: &Program, condition: NodeId, player: Player) -> Option<u64> {
    if program.zones.len() * usize::from(program.players) > 64 {
        return None;
    }
    match *program.nodes.get(condition)? {
        Node::Const(_) => Some(0),
        Node::Not(a) | Node::Count(a) | Node::IsEmpty(a) => own_places(program, a, player),
        Node::And(a, b) | Node::Or(a, b) | Node::Compare(_, a, b) => {
            Some(own_places(program, a, player)? | own_places(program, b, player)?)
        }
        Node::Zone(zone, whose) => {
            let own = whose == NodeId::NONE || program.nodes.get(whose) == Some(&Node::Local(Reg(0)));
            own.then(|| 1 << place_of(program, zone, player).0)
        }
        _ => None,
    }
}

/// The bits of all places of some declared zones; all bits where there are more places than bits.
fn places_of(program: &Program, zones: u64) -> u64 {
    let declared = program.zones.len();
    let places = declared * usize::from(program.players);
    if zones == u64::MAX || places > 64 {
        return u64::MAX;
    }
    (0..places).filter(|place| zones & (1 << (place % declared.max(1)).min(63)) != 0).fold(0, |all, place| all | 1 << place)
}

/// What a condition reads.
fn watched(program: &Program, condition: NodeId) -> Watched {
    let node = |node: NodeId| program.nodes.get(node).copied();
    match node(condition) {
        Some(Node::Some(set, NodeId::NONE)) if node(set) == Some(Node::Tied) => return Watched::Ties,
        Some(Node::Not(a)) if matches!(node(a), Some(Node::IsEmpty(set)) if node(set) == Some(Node::Tied)) => return Watched::Ties,
        _ if wants_what_waits(program, condition) => return Watched::Waiting,
        _ => {}
    }
    let mut marks = Marks::new(program);
    let read = marks.value(condition);
    marks.watched(read)
}

/// What a computed value that has events reads, with the set of those whose value it is.
pub(super) fn watched_value(program: &Program, event: &ValueEventDef) -> Watched {
    let mut marks = Marks::new(program);
    let read = match event.of {
        NodeId::NONE => marks.value(event.value),
        of => marks.set(of).and_then(|kind| marks.within(kind, |marks| marks.value(event.value))),
    };
    marks.watched(read)
}

/// Whether a condition is false where nothing waits: all of it, or a part without which it is false, asks for something that waits.
fn wants_what_waits(program: &Program, condition: NodeId) -> bool {
    match program.nodes.get(condition) {
        Some(Node::Some(set, _)) => is_of_waiting(program, *set),
        Some(Node::And(a, b)) => wants_what_waits(program, *a) || wants_what_waits(program, *b),
        _ => false,
    }
}

/// Whether a set has nothing but abilities that wait.
fn is_of_waiting(program: &Program, set: NodeId) -> bool {
    match program.nodes.get(set) {
        Some(Node::Pending) => true,
        Some(Node::Where(inner, _) | Node::Except(inner, _)) => is_of_waiting(program, *inner),
        _ => false,
    }
}

/// What a value is, as far as it says of what a state is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A card of the places that have been noted, in its present life.
    Card,
    Player,
    /// Anything, of which nothing is read.
    Plain,
}

/// Notes what an expression reads.
struct Marks<'p> {
    program: &'p Program,
    places: u64,
    states: u64,
    fields: Vec<FieldId>,
    /// In a computed field: the card that it is of.
    this: Option<Kind>,
    bound: Vec<Kind>,
    /// Computed fields within one another. They may come round to one another.
    deep: u8,
}

/// Computed fields within one another that are looked into.
const DEEP: u8 = 8;

impl<'p> Marks<'p> {
    fn new(program: &'p Program) -> Self {
        Marks { program, places: 0, states: 0, fields: Vec::new(), this: None, bound: Vec::new(), deep: 0 }
    }

    /// All that was noted; anything where more was read than there are marks for.
    fn watched(self, read: Option<Kind>) -> Watched {
        match read {
            Some(_) => Watched::Written { places: self.places, states: self.states, fields: self.fields.into() },
            None => Watched::Anything,
        }
    }

    /// Notes what an expression reads; none where that is more than there are marks for.
    fn value(&mut self, node: NodeId) -> Option<Kind> {
        match *self.program.nodes.get(node)? {
            // Whose a computed field is may be an effect's doing.
            Node::You if self.this.is_some() => None,
            Node::Const(Value::Player(_)) | Node::You | Node::Local(Reg(0)) => Some(Kind::Player),
            Node::Const(_) => Some(Kind::Plain),
            Node::Bound(at) => self.bound.get(usize::from(at)).copied(),
            Node::Not(a) | Node::Negate(a) => self.plain(&[a]),
            Node::And(a, b) | Node::Or(a, b) | Node::Compare(_, a, b) | Node::Arithmetic(_, a, b) => self.plain(&[a, b]),
            Node::Least(a, b) | Node::Greatest(a, b) => self.plain(&[a, b]),
            Node::If(condition, args) => {
                self.plain(&[condition])?;
                self.plain(self.program.args_of(args))
            }
            Node::With { value, body } => {
                let kind = self.value(value)?;
                self.within(kind, |marks| marks.value(body))
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
                self.states |= Written::of_state(state);
                of.map(|_| Kind::Plain)
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
            Node::FaceUp(card) | Node::ZoneOf(card) | Node::CardName(card) | Node::CardOf(card) => self.of_card(card, Kind::Plain),
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

    /// Notes a field of a card that is there.
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

    /// The same of a set; what its members are.
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
            Node::Union(a, b) | Node::Except(a, b) => {
                let kind = self.set(a)?;
                self.set(b).filter(|other| *other == kind)
            }
            Node::Field(card, field) | Node::Printed(card, field) if self.program.fields.get(field)?.set => self.field(card, field),
            Node::Players => Some(Kind::Player),
            Node::Opponents(player) | Node::Team(player) => self.value(player).filter(|kind| *kind == Kind::Player),
            _ => None,
        }
    }

    /// Cards of anybody's zone of a kind.
    fn zone(&mut self, zone: ZoneId) -> Kind {
        for player in (0..self.program.players).map(Player) {
            self.places |= bit(place_of(self.program, zone, player));
        }
        Kind::Card
    }
}
