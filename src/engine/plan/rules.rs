//! Facts about immediate rules that are known before any game: the values that their conditions read. A rule is checked only when one of
//! these values has been written.

use super::marks::{self, Reads};
use crate::bits::{PARTS, PlaceSet, ZoneSet};
use crate::ids::{Id, NodeId, Reg, RuleId, ZoneId};
use crate::program::{Node, OwnRead, Program, ValueEventDef, children};
use crate::state::board::place_of;
use crate::value::{Place, Player};

/// An instance of an immediate rule.
#[derive(Clone, Debug)]
pub struct RulePlan {
    /// The rule.
    pub rule: RuleId,
    /// The player of the instance.
    pub player: Player,
    /// The rule's condition.
    pub condition: NodeId,
    /// Whether the rule counts only when its condition was false before.
    pub becomes: bool,
    /// Whether the rule runs at once, in the middle of other things. Otherwise the flow runs it later.
    pub immediately: bool,
    /// The place, if the condition only asks whether this place is empty.
    pub empty: Option<Place>,
    /// The places that the condition reads. All places if it reads more than places.
    pub reads: PlaceSet,
    /// What the condition reads if it reads more than places.
    pub watched: Watched,
    /// The index at which the board keeps the last truth of the condition.
    pub truth: usize,
}

impl RulePlan {
    /// Everything that the condition reads, if this is known.
    #[must_use]
    pub fn written(&self) -> Option<&Reads> {
        if let Watched::Written(reads) = &self.watched { Some(reads) } else { None }
    }
}

/// What a condition reads if it reads more than places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Unknown: it may read anything.
    Anything,
    /// The condition is false while nothing waits except declared options.
    Waiting,
    /// The condition only asks whether some effects are tied.
    Ties,
    /// Exactly these values.
    Written(Reads),
}

/// Every instance of an immediate rule.
pub(super) fn rules(program: &Program) -> Vec<RulePlan> {
    let mut found = Vec::new();
    for (id, rule) in program.rules.iter().filter(|(_, rule)| rule.event.is_none() && (rule.immediately || rule.becomes)) {
        for player in (0..if rule.each_player { program.players } else { 1 }).map(Player) {
            let reads = own_places(program, rule.condition, player).unwrap_or_else(|| places_of(program, rule.reads));
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

/// The place, if a condition only asks whether it is empty.
fn empty_place(program: &Program, condition: NodeId, player: Player) -> Option<Place> {
    let Node::IsEmpty(set) = *program.nodes.get(condition)? else { return None };
    let Node::Zone(zone, whose) = *program.nodes.get(set)? else { return None };
    let own = whose == NodeId::NONE || program.nodes.get(whose) == Some(&Node::Local(Reg(0)));
    own.then(|| place_of(program, zone, player))
}

/// The places, if a condition reads nothing but counts of the player's own zones and of shared zones.
fn own_places(program: &Program, condition: NodeId, player: Player) -> Option<PlaceSet> {
    if program.zones.len() * usize::from(program.players) > PARTS {
        return None;
    }
    let node = program.nodes.get(condition)?;
    if let Node::Zone(zone, whose) = *node {
        let own = whose == NodeId::NONE || program.nodes.get(whose) == Some(&Node::Local(Reg(0)));
        return own.then(|| PlaceSet::of(place_of(program, zone, player)));
    }
    let mut places = (node.own_read() == OwnRead::Nothing).then_some(PlaceSet::NONE);
    children(node, program, &mut |child| places = places.and_then(|some| Some(some | own_places(program, child, player)?)));
    places
}

/// All places of some declared zones. All places if there are more places than bits.
fn places_of(program: &Program, zones: ZoneSet) -> PlaceSet {
    let declared = program.zones.len();
    let places = declared * usize::from(program.players);
    if zones.is_all() || places > PARTS {
        return PlaceSet::ALL;
    }
    let of_zones = |place: &usize| zones.has(ZoneId::from_index(place % declared.max(1)));
    (0..places).filter(of_zones).map(|place| PlaceSet::of(Place(place as u16))).collect()
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
    marks::reads(program, condition).map_or(Watched::Anything, Watched::Written)
}

/// For each rule that the flow applies, the values that its condition reads. None if it reads more than the marks can express, or if the
/// rule waits for events.
#[must_use]
pub fn reads_of_rules(program: &Program, order: &[RuleId]) -> Vec<Option<Reads>> {
    let reads = |rule: &RuleId| {
        let rule = program.rules.get(*rule).filter(|rule| rule.event.is_none() && !rule.becomes)?;
        marks::reads(program, rule.condition)
    };
    order.iter().map(reads).collect()
}

/// The things that a computed value with events reads. The set of the things that have the value is among them.
pub(super) fn watched_value(program: &Program, event: &ValueEventDef) -> Watched {
    marks::reads_of_value(program, event).map_or(Watched::Anything, Watched::Written)
}

/// Whether a condition is false while nothing waits: the condition, or a part that must be true, asks for a waiting ability.
fn wants_what_waits(program: &Program, condition: NodeId) -> bool {
    match program.nodes.get(condition) {
        Some(Node::Some(set, _)) => is_of_waiting(program, *set),
        Some(Node::And(a, b)) => wants_what_waits(program, *a) || wants_what_waits(program, *b),
        _ => false,
    }
}

/// Whether a set consists only of waiting abilities.
fn is_of_waiting(program: &Program, set: NodeId) -> bool {
    match program.nodes.get(set) {
        Some(Node::Pending) => true,
        Some(Node::Where(inner, _) | Node::Except(inner, _)) => is_of_waiting(program, *inner),
        _ => false,
    }
}
