//! Facts about an event that are known without a game: whether a card is the own card, its life, its zone and its types. Conditions are
//! decided by these facts alone. Everything else is open.

use engine::ids::{NodeId, Reg, ZoneId};
use engine::program::{ClauseKind, Compare, Node, Program};
use engine::value::Value;

/// A thing in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// A card.
    Card(Card),
    /// The zone of some player.
    Zone(ZoneId),
    /// Not known.
    Open,
}

/// A life of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Card {
    /// Whether it is the card of the ability.
    pub(super) own: bool,
    /// Whether this life of the card goes on.
    pub(super) present: bool,
    /// The zone of the card in this life. If the life is over: the last zone.
    pub(super) zone: ZoneId,
    /// Its types, as a number of [`Facts::rows`].
    pub(super) row: usize,
    /// If the card has just moved: its zone after the move.
    pub(super) now: Option<ZoneId>,
}

/// The facts of all events of a game.
pub(super) struct Facts<'p> {
    /// The game.
    pub(super) program: &'p Program,
    /// The combinations of types that cards have or may have.
    pub(super) rows: Vec<Vec<u8>>,
    /// Whether an effect of the game changes the types of cards.
    types_change: bool,
}

/// The facts that have decided a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Because {
    /// The life of a card.
    pub(super) life: bool,
    /// The zone of a card.
    pub(super) zone: bool,
    /// The types of a card.
    pub(super) types: bool,
    /// The ability's card is not the card of the event.
    pub(super) other: bool,
}

impl Because {
    /// The facts of both.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            life: self.life || other.life,
            zone: self.zone || other.zone,
            types: self.types || other.types,
            other: self.other || other.other,
        }
    }
}

impl<'p> Facts<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut rows: Vec<Vec<u8>> = program.cards.rows().iter().map(|card| card.types.clone()).collect();
        rows.extend((0..program.card_types.len()).filter_map(|of| u8::try_from(of).ok()).map(|of| vec![of]));
        rows.sort_unstable();
        rows.dedup();
        let changes = |kind: &ClauseKind| matches!(kind, ClauseKind::Modify { changes, .. } if changes.iter().any(|change| Some(change.field) == program.type_field));
        let types_change = program.clauses.rows().iter().any(|clause| changes(&clause.kind));
        Self { program, rows, types_change }
    }

    /// The number of a combination of types.
    pub(super) fn row_of(&self, types: &[u8]) -> Option<usize> {
        self.rows.iter().position(|row| row == types)
    }

    /// The zones into which a card can come from a zone and stay the same card.
    pub(super) fn without_renewal(&self, from: ZoneId) -> Vec<ZoneId> {
        let program = self.program;
        let mut reached = vec![from];
        let mut at = 0;
        while let Some(here) = reached.get(at).copied() {
            at += 1;
            let next = program.zones.ids().filter(|zone| !program.moves.renews(here, *zone));
            let new: Vec<ZoneId> = next.filter(|zone| !reached.contains(zone)).collect();
            reached.extend(new);
        }
        reached
    }
}

/// Reads expressions at one event.
pub(super) struct Reading<'f, 'p> {
    pub(super) facts: &'f Facts<'p>,
    /// `this`.
    pub(super) this: Thing,
    /// The things in the registers, from the first one on. The others are open.
    pub(super) locals: Vec<(Reg, Thing)>,
    /// Whether both lives of the ability's card count as one in comparisons, because the ability hears of the card's own move.
    pub(super) one_card: bool,
    bound: Vec<Thing>,
    pub(super) because: Because,
}

impl<'f, 'p> Reading<'f, 'p> {
    pub(super) fn new(facts: &'f Facts<'p>, this: Thing, one_card: bool) -> Self {
        Self { facts, this, locals: Vec::new(), one_card, bound: Vec::new(), because: Because::default() }
    }

    fn node(&self, id: NodeId) -> Option<Node> {
        self.facts.program.nodes.get(id).copied()
    }

    /// Whether a condition is true. `None`: the facts do not decide this.
    pub(super) fn truth(&mut self, id: NodeId) -> Option<bool> {
        match self.node(id)? {
            Node::Const(Value::Bool(truth)) => Some(truth),
            Node::Not(a) => self.truth(a).map(|truth| !truth),
            Node::And(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Node::Or(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Node::Tallied(a, _) => self.truth(a),
            Node::With { value, body } => {
                let value = self.thing(value);
                self.under(value, |reading| reading.truth(body))
            }
            // An effect may assume the fact.
            Node::Fact(_, _, a) => self.truth(a).filter(|truth| *truth),
            Node::Exists(a) | Node::Still(a) => match self.thing(a) {
                Thing::Card(card) => {
                    self.because.life = true;
                    Some(card.present)
                }
                _ => None,
            },
            Node::IsType(a, of) => match self.thing(a) {
                Thing::Card(card) if !self.facts.types_change => {
                    self.because.types = true;
                    Some(self.facts.rows.get(card.row)?.contains(&of))
                }
                _ => None,
            },
            Node::In(a, set) => {
                let member = self.thing(a);
                self.is_in(member, set)
            }
            Node::Compare(how, a, b) => {
                let (a, b) = (self.thing(a), self.thing(b));
                let same = match (a, b) {
                    (Thing::Card(a), Thing::Card(b)) if self.one_card && a.own && b.own => Some(true),
                    _ => self.are_same(a, b),
                };
                match how {
                    Compare::Equal => same,
                    Compare::NotEqual => same.map(|same| !same),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a condition on a bound thing is true.
    pub(super) fn of_bound(&mut self, thing: Thing, condition: NodeId) -> Option<bool> {
        self.under(thing, |reading| reading.truth(condition))
    }

    /// Like [`Self::of_bound`], for a condition inside other binders. Nothing is known of the things that these bind.
    pub(super) fn of_bound_at(&mut self, binders: usize, thing: Thing, condition: NodeId) -> Option<bool> {
        self.bound = vec![Thing::Open; binders];
        self.of_bound(thing, condition)
    }

    fn under<T>(&mut self, thing: Thing, read: impl FnOnce(&mut Self) -> T) -> T {
        self.bound.push(thing);
        let result = read(self);
        self.bound.pop();
        result
    }

    fn are_same(&mut self, a: Thing, b: Thing) -> Option<bool> {
        match (a, b) {
            (Thing::Card(a), Thing::Card(b)) if a.own && b.own => {
                self.because.life |= a.present != b.present;
                Some(a.present == b.present)
            }
            (Thing::Card(a), Thing::Card(b)) if a.own != b.own => {
                self.because.other = true;
                Some(false)
            }
            (Thing::Zone(a), Thing::Zone(b)) if a != b => {
                self.because.zone = true;
                Some(false)
            }
            _ => None,
        }
    }

    /// The thing that an expression names.
    pub(super) fn thing(&mut self, id: NodeId) -> Thing {
        match self.node(id) {
            Some(Node::This) => self.this,
            Some(Node::Local(reg)) => self.locals.iter().find(|(known, _)| *known == reg).map_or(Thing::Open, |(_, thing)| *thing),
            Some(Node::Bound(at)) => self.bound.get(usize::from(at)).copied().unwrap_or(Thing::Open),
            Some(Node::Tallied(a, _)) => self.thing(a),
            Some(Node::With { value, body }) => {
                let value = self.thing(value);
                self.under(value, |reading| reading.thing(body))
            }
            Some(Node::List(members)) => match self.facts.program.args_of(members) {
                [only] => self.thing(*only),
                _ => Thing::Open,
            },
            Some(Node::Zone(zone, _)) => Thing::Zone(zone),
            Some(Node::ZoneOf(a)) => match self.thing(a) {
                Thing::Card(card) => Thing::Zone(card.zone),
                _ => Thing::Open,
            },
            Some(Node::Now(a)) => match self.thing(a) {
                Thing::Card(card) if card.present => Thing::Card(card),
                Thing::Card(Card { now: Some(zone), own, row, .. }) => Thing::Card(Card { own, present: true, zone, row, now: None }),
                _ => Thing::Open,
            },
            _ => Thing::Open,
        }
    }

    /// Whether a thing is a member of a set.
    pub(super) fn is_in(&mut self, member: Thing, set: NodeId) -> Option<bool> {
        match self.node(set)? {
            Node::Where(inner, condition) => match (self.is_in(member, inner), self.of_bound(member, condition)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Node::Except(a, b) => match (self.is_in(member, a), self.is_in(member, b)) {
                (Some(false), _) | (_, Some(true)) => Some(false),
                (Some(true), Some(false)) => Some(true),
                _ => None,
            },
            Node::Union(a, b) | Node::Joined(a, b) => match (self.is_in(member, a), self.is_in(member, b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Node::List(members) => {
                let program = self.facts.program;
                let is: Vec<Option<bool>> = program.args_of(members).iter().map(|one| self.is_in(member, *one)).collect();
                if is.contains(&Some(true)) {
                    return Some(true);
                }
                is.iter().all(|is| *is == Some(false)).then_some(false)
            }
            Node::Zone(zone, _) => self.lies_in(member, zone).filter(|lies| !lies),
            Node::ZoneOfAll(zone) => self.lies_in(member, zone),
            Node::Tallied(a, _) => self.is_in(member, a),
            Node::With { value, body } => {
                let value = self.thing(value);
                self.under(value, |reading| reading.is_in(member, body))
            }
            _ => {
                let other = self.thing(set);
                self.are_same(member, other)
            }
        }
    }

    fn lies_in(&mut self, member: Thing, zone: ZoneId) -> Option<bool> {
        match member {
            Thing::Card(card) => {
                self.because.life |= !card.present;
                self.because.zone |= card.zone != zone;
                Some(card.present && card.zone == zone)
            }
            Thing::Zone(of) if of != zone => {
                self.because.zone = true;
                Some(false)
            }
            _ => None,
        }
    }
}
