//! What is known of a program before any game: small tables that spare the run to work the same out again and again.
//!
//! Takes a program; gives tables by place, routine and rule. Deliberately absent: anything that a state changes.

use super::board::{place_of, zone_of};
use super::ids::{Id, NodeId, RoutineId, RuleId};
use super::program::{Node, Op, Program, Seen};
use super::value::{Place, Player};

/// The tables.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// For each card of the pool: whether it has an ability with clauses.
    pub statics: Vec<bool>,
    /// For each place what its zone says.
    pub places: Vec<PlacePlan>,
    /// For each routine the condition under which a call of it comes back at once, nothing done.
    pub guards: Vec<NodeId>,
    /// Every instance of an immediate rule.
    pub rules: Vec<RulePlan>,
    /// All places that some immediate rule reads.
    pub ruled: u64,
}

/// What a place's zone says.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlacePlan {
    /// A card that leaves it is a new object.
    pub renews: bool,
    /// Cards lie face up in it where nothing else is said.
    pub face_up: bool,
}

/// An instance of an immediate rule.
#[derive(Clone, Copy, Debug)]
pub struct RulePlan {
    /// The rule.
    pub rule: RuleId,
    /// Whose instance.
    pub player: Player,
    /// Its condition.
    pub condition: NodeId,
    /// It counts only when the condition was false before.
    pub becomes: bool,
    /// The places that the condition reads, by [`super::change::bit`].
    pub reads: u64,
    /// Where the board keeps whether the condition was true.
    pub truth: usize,
}

impl Plan {
    /// The tables of a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let places = program.zones.len() * usize::from(program.players);
        let rules = rules(program);
        Plan {
            statics: program.cards.rows().iter().map(|card| has_clauses(program, card.abilities)).collect(),
            places: (0..places).map(|place| place_plan(program, Place(place as u16))).collect(),
            guards: program.routines.ids().map(|routine| guard(program, routine)).collect(),
            ruled: rules.iter().fold(0, |all, rule| all | rule.reads),
            rules,
        }
    }

    /// The plan of a place.
    #[inline]
    #[must_use]
    pub fn place(&self, place: Place) -> PlacePlan {
        self.places.get(usize::from(place.0)).copied().unwrap_or_default()
    }

    /// The condition under which a call comes back at once; none: never.
    #[inline]
    #[must_use]
    pub fn guard(&self, routine: RoutineId) -> NodeId {
        self.guards.get(routine.index()).copied().unwrap_or(NodeId::NONE)
    }

    /// Whether a card of the pool has an ability with clauses.
    #[inline]
    #[must_use]
    pub fn has_statics(&self, card: super::ids::CardId) -> bool {
        self.statics.get(card.index()).copied().unwrap_or(false)
    }
}

fn has_clauses(program: &Program, (first, count): (super::ids::AbilityId, u16)) -> bool {
    (first.0..first.0 + count)
        .any(|index| program.abilities.get(super::ids::AbilityId(index)).is_some_and(|ability| !ability.clauses.is_empty()))
}

fn place_plan(program: &Program, place: Place) -> PlacePlan {
    let zone = program.zones.get(zone_of(program, place).0);
    PlacePlan { renews: zone.is_some_and(|zone| zone.renews), face_up: zone.is_some_and(|zone| zone.seen == Seen::ByAll) }
}

/// `if c { return }` at the very beginning of a body without parameters: what `c` reads it can read in the caller's frame as well.
fn guard(program: &Program, routine: RoutineId) -> NodeId {
    let Some(def) = program.routines.get(routine).filter(|def| def.parameters == 0) else { return NodeId::NONE };
    let first = program.code.get(def.start);
    let second = program.code.get(super::ids::Pc(def.start.0 + 1));
    match (first, second) {
        (Some(Op::JumpUnless { condition, .. }), Some(Op::Return(NodeId::NONE))) => *condition,
        _ => NodeId::NONE,
    }
}

fn rules(program: &Program) -> Vec<RulePlan> {
    let mut found = Vec::new();
    for (id, rule) in program.rules.iter().filter(|(_, rule)| rule.immediately) {
        for player in (0..if rule.each_player { program.players } else { 1 }).map(Player) {
            found.push(RulePlan {
                rule: id,
                player,
                condition: rule.condition,
                becomes: rule.becomes,
                reads: own_places(program, rule.condition, player).unwrap_or_else(|| match rule.reads {
                    u64::MAX => u64::MAX,
                    zones => places_of(program, zones),
                }),
                truth: id.index() * usize::from(program.players) + usize::from(player.0),
            });
        }
    }
    found
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
            let own = whose == NodeId::NONE || program.nodes.get(whose) == Some(&Node::Local(super::ids::Reg(0)));
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
