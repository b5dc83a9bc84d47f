//! Facts about a program that are known before any game. They are kept in small tables, so that a run does not compute the same things
//! again.
//!
//! Input: a program. Output: tables by place, routine and rule. Nothing here depends on a state.
//!
//! | file | does |
//! | --- | --- |
//! | `marks.rs` | finds, before any game, the places and values that a condition reads |
//! | `rules.rs` | facts about immediate rules that are known before any game: the values that their conditions read |
//! | `shapes.rs` | shapes of expressions: the commonest nodes, prepared once for a program, so that their values take few steps |

mod marks;
mod rules;
pub(crate) mod shapes;

pub use marks::Reads;
pub(crate) use rules::RulePlan;
pub use rules::{Watched, reads_of_rules};

use super::ids::{CardId, Id, NodeId, Pc, RoutineId, TextId, VerbId};
use super::legal::bases::AllBaseReads;
use super::legal::reads::{definite, hindered};
use super::legal::sure::Sure;
use super::program::{Builtin, ClauseKind, Follows, Looks, Node, Op, Program, Seen, Since};
use super::value::{Place, Player, Value};
use crate::plan::shapes::Shapes;
use crate::state::board::zone_of;
use std::collections::BTreeSet;

/// The tables.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The short form of each expression.
    pub shapes: Shapes,
    /// For each card of the pool, facts that a game needs often.
    pub cards: Vec<CardPlan>,
    /// For each place, the facts about its zone.
    pub places: Vec<PlacePlan>,
    /// Facts about each field.
    pub fields: Vec<FieldPlan>,
    /// Facts about each state.
    pub states: Vec<StatePlan>,
    /// Facts about each state of cards.
    pub card_states: Vec<CardState>,
    /// The first value of each state, in the order of a card's row of states.
    pub(crate) first_states: Vec<Value>,
    /// Facts about each routine.
    pub routines: Vec<RoutinePlan>,
    /// For each verb, whether its events are kept.
    pub recorded: Vec<bool>,
    /// For each verb, whether some clause or rule waits for its events.
    pub(crate) waited_for: Vec<bool>,
    /// For each verb, whether some rule waits for its events.
    pub heard: Vec<bool>,
    /// Whether some rule waits for events, or for a condition that becomes true when the flow applies the rules.
    pub hears: bool,
    /// Every instance of an immediate rule.
    pub rules: Vec<RulePlan>,
    /// For each computed value with events, what it is computed from.
    pub values: Vec<Watched>,
    /// The marks that the program asks for. Other marks are not kept.
    pub marks: BTreeSet<TextId>,
    /// Whether attached cards may follow cards that leave.
    pub follows: bool,
    /// Whether some zone, or some part of a zone, has a hard capacity.
    pub bounded: bool,
    /// Whether the program reads anything of cards whose life is over.
    pub(crate) keeps_gone: bool,
    /// Whether some trigger looks at moves from before the move (`looks`).
    pub(crate) looks_back: bool,
    /// Whether some move keeps the effects that apply to the card.
    pub(crate) pins: bool,
    /// Whether uses of some abilities are counted until a duration ends.
    pub(crate) counts_uses: bool,
    /// Whether the program asks for some event of a value.
    pub(crate) looks_at_values: bool,
    /// Whether some zone shows its face-down cards to their controllers.
    pub(crate) overseers: bool,
    /// Whether the program reads past events. Then trial runs keep events too.
    pub(crate) asks_events: bool,
    /// Whether a question about history counts from an event, and not from a mark.
    pub(crate) counts_from_events: bool,
    /// Whether the program asks for the number of the turn.
    pub(crate) asks_turn: bool,
    /// Whether the program asks if the flow has come round by itself.
    pub(crate) asks_goes_round: bool,
    /// Whether some statement asks if the flow has been there before.
    pub(crate) asks_been_here: bool,
    /// All places that some immediate rule reads.
    pub(crate) ruled: crate::bits::PlaceSet,
    /// The statements after which nothing can fail any more.
    pub(crate) sure: Sure,
    /// For each verb, whether some clause of the program forbids or replaces it.
    pub(crate) hindered: Vec<bool>,
    /// For each state, whether it always is a number of each player.
    pub(crate) definite: Vec<bool>,
    /// The values that the base sets of options read.
    pub(crate) base_reads: AllBaseReads,
    /// For each node that is a list of one member: this member.
    pub singles: Vec<NodeId>,
}

/// Facts about a card of the pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct CardPlan {
    /// Whether the card has an ability with clauses.
    pub statics: bool,
    /// Whether some of the card's triggers wait for moves.
    pub(crate) hears_moves: bool,
    /// Whether the card has no ability at all.
    pub textless: bool,
}

/// Facts about a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldPlan {
    /// The expression of a computed field. None for a printed field.
    pub derived: NodeId,
    /// `reads at least n`.
    pub at_least: Option<i32>,
}

/// Facts about a state.
#[derive(Clone, Copy, Debug)]
pub struct StatePlan {
    /// Whether players have the state. Otherwise cards have it.
    pub on_players: bool,
    /// `at least n`.
    pub at_least: Option<i32>,
}

/// How a state of a card changes when the card's life ends.
#[derive(Clone, Copy, Debug)]
pub struct CardState {
    /// The number of the state.
    pub at: u16,
    /// The state's first value.
    pub initial: Value,
}

/// Facts that a call of a routine needs.
#[derive(Clone, Copy, Debug)]
pub struct RoutinePlan {
    /// The routine's first statement.
    pub start: Pc,
    /// The number of registers of its frame.
    pub registers: u16,
    /// The condition under which a call returns at once without doing anything. None: never.
    pub guard: NodeId,
}

/// Facts about the zone of a place.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlacePlan {
    /// Whether a card that leaves this place for another zone becomes a new object.
    pub renews: Renews,
    /// Whether cards lie face up here unless something else is said.
    pub face_up: bool,
    /// The player of the place. None: shared.
    pub whose: Option<Player>,
    /// Whether cards go to the place of their owner.
    pub redirects: bool,
    /// What attached cards here do when their host leaves.
    pub follows: Follows,
    /// The hard capacity of each part of the zone.
    pub each: Option<u16>,
    /// Whether the zone, or each of its parts, has a hard capacity.
    pub bounded: bool,
}

/// Whether cards that leave a place for another zone become new objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Renews {
    /// Always.
    #[default]
    Always,
    /// Never.
    Never,
    /// This depends on the zone that they go to.
    ByZone,
}

impl Plan {
    /// The tables of a program. `base` is a program from which this one may have grown, with its tables.
    #[must_use]
    pub fn new(program: &Program, base: Option<(&Program, &Plan)>) -> Self {
        let known = base.filter(|(base, _)| program.known_from(base) > 0).map(|(_, plan)| plan);
        let mut singles = known.map_or_else(Vec::new, |plan| plan.singles.clone());
        singles.extend(program.nodes.ids().skip(singles.len()).map(|node| single(program, node)));
        let places = program.zones.len() * usize::from(program.players);
        let rules = rules::rules(program);
        let mut plan = Plan {
            shapes: Shapes::new(program, known.map(|plan| &plan.shapes)),
            cards: program.cards.rows().iter().map(|card| card_plan(program, card.abilities)).collect(),
            places: (0..places).map(|place| place_plan(program, Place(place as u16))).collect(),
            fields: program.fields.rows().iter().map(field_plan).collect(),
            states: program
                .states
                .rows()
                .iter()
                .map(|state| StatePlan { on_players: state.on_players, at_least: state.at_least })
                .collect(),
            card_states: card_states(program),
            first_states: program.states.rows().iter().map(|state| state.initial).collect(),
            routines: program.routines.ids().map(|routine| routine_plan(program, routine)).collect(),
            recorded: program.verbs.rows().iter().map(|verb| verb.recorded).collect(),
            waited_for: program.verbs.rows().iter().map(|verb| verb.watched).collect(),
            heard: program.verbs.ids().map(|verb| crate::run::rules::hears(program, verb)).collect(),
            hears: program.rules.rows().iter().any(|rule| rule.event.is_some() || rule.becomes && !rule.immediately),
            bounded: program.zones.rows().iter().any(|zone| zone.capacity.is_some() || zone.capacity_each.is_some()),
            follows: program.extras && program.zones.rows().iter().any(|zone| zone.follows != Follows::No),
            keeps_gone: program.gone.any() || program.policies.controlled_at_use,
            looks_back: looks_back(program),
            pins: program.moves.carries.iter().any(|carry| carry.applied),
            looks_at_values: false,
            overseers: program.zones.rows().iter().any(|zone| zone.down == Seen::ByController),
            counts_uses: program.abilities.rows().iter().any(|ability| ability.per.is_some()),
            asks_events: program.nodes.rows().iter().any(|node| matches!(node, Node::Latest(..) | Node::Events(..) | Node::EventOf(_))),
            counts_from_events: program.nodes.rows().iter().any(counts_from_an_event),
            asks_turn: program.nodes.rows().iter().any(|node| matches!(node, Node::Turn)),
            asks_goes_round: program.nodes.rows().iter().any(|node| matches!(node, Node::GoesRound)),
            asks_been_here: program.code.rows().iter().any(|op| matches!(op, Op::BeenHere { .. })),
            marks: marks_read(program),
            ruled: rules.iter().map(|rule| rule.reads).collect(),
            rules,
            values: program.value_events.iter().map(|event| rules::watched_value(program, event)).collect(),
            sure: Sure::new(program),
            hindered: hindered(program),
            base_reads: AllBaseReads::new(program),
            definite: definite(program),
            singles,
        };
        plan.looks_at_values = program.value_events.iter().any(|event| plan.is_asked_for(event.verb));
        plan
    }

    /// Whether some rule waits for events of a verb.
    #[inline]
    #[must_use]
    pub(crate) fn is_heard(&self, verb: VerbId) -> bool {
        self.hears && self.heard.get(verb.index()).copied().unwrap_or(false)
    }

    /// Whether something waits for events of a verb, or asks for them.
    #[must_use]
    pub(crate) fn is_asked_for(&self, verb: VerbId) -> bool {
        let waited_for = self.waited_for.get(verb.index()).copied().unwrap_or(false);
        self.is_recorded(verb) || self.is_heard(verb) || waited_for
    }

    /// Whether something in the program asks what has happened since this mark.
    #[must_use]
    pub(crate) fn reads_mark(&self, name: TextId) -> bool {
        self.marks.contains(&name)
    }

    /// The only member of a list of one. None for other nodes.
    #[inline]
    #[must_use]
    pub fn single(&self, node: NodeId) -> Option<NodeId> {
        self.singles.get(node.index()).copied().filter(|member| *member != NodeId::NONE)
    }

    /// The plan of a place.
    #[inline]
    #[must_use]
    pub fn place(&self, place: Place) -> PlacePlan {
        self.places.get(usize::from(place.0)).copied().unwrap_or_default()
    }

    /// Whether a card that moves from one place to another becomes a new object.
    #[inline]
    #[must_use]
    pub fn renews(&self, program: &Program, from: Place, to: Place) -> bool {
        match self.place(from).renews {
            Renews::Never => false,
            Renews::Always => from != to,
            Renews::ByZone => from != to && program.moves.renews(zone_of(program, from).0, zone_of(program, to).0),
        }
    }

    /// The plan of a routine. A routine that the program does not have counts as empty.
    #[inline]
    #[must_use]
    pub fn routine(&self, routine: RoutineId) -> RoutinePlan {
        let none = RoutinePlan { start: Pc::NOWHERE, registers: 0, guard: NodeId::NONE };
        self.routines.get(routine.index()).copied().unwrap_or(none)
    }

    /// The plan of a card of the pool.
    #[inline]
    #[must_use]
    pub fn card(&self, card: CardId) -> CardPlan {
        self.cards.get(card.index()).copied().unwrap_or_default()
    }

    /// Whether events of a verb are kept.
    #[inline]
    #[must_use]
    pub(crate) fn is_recorded(&self, verb: VerbId) -> bool {
        self.recorded.get(verb.index()).copied().unwrap_or(false)
    }
}

/// Whether a question about history counts from an event. Then the order of events between marks matters too.
fn counts_from_an_event(node: &Node) -> bool {
    since_when(node).is_some_and(|since| matches!(since, Since::Event(_)))
}

/// The point from which a question about history counts.
fn since_when(node: &Node) -> Option<Since> {
    match node {
        Node::Happened(_, since) | Node::Latest(_, since) | Node::Events(_, since) => Some(since.get()),
        _ => None,
    }
}

/// The marks from which some question or count begins.
fn marks_read(program: &Program) -> BTreeSet<TextId> {
    let asked = program.nodes.rows().iter().filter_map(|node| match since_when(node)? {
        Since::Mark(mark) => Some(mark),
        Since::Beginning | Since::Event(_) => None,
    });
    let counted = program.code.rows().iter().filter_map(|op| match op {
        Op::Emit { once, .. } => Some(*once),
        _ => None,
    });
    let mut read: BTreeSet<TextId> = asked.chain(counted).collect();
    let copies = program.code.rows().iter().filter_map(|op| if let Op::MarkFrom(name, of) = op { Some((*name, *of)) } else { None });
    let copies: Vec<(TextId, TextId)> = copies.collect();
    // A mark is also read if a mark that is read is copied from it.
    while let Some((_, of)) = copies.iter().find(|(name, of)| read.contains(name) && !read.contains(of)) {
        read.insert(*of);
    }
    read
}

/// Whether some trigger looks at moves from before the move (`looks`).
fn looks_back(program: &Program) -> bool {
    let rows = program.moves.carries.iter().filter_map(|carry| carry.heard);
    let own = program.abilities.rows().iter().filter_map(|ability| ability.looks);
    rows.chain(own).chain([program.policies.looks]).any(|looks| looks != Looks::After)
}

fn single(program: &Program, node: NodeId) -> NodeId {
    match program.nodes.get(node) {
        Some(Node::List(members)) => match program.args_of(*members) {
            [only] => *only,
            _ => NodeId::NONE,
        },
        _ => NodeId::NONE,
    }
}

fn card_plan(program: &Program, (first, count): (super::ids::AbilityId, u16)) -> CardPlan {
    let statics = (first.0..first.0 + count)
        .any(|index| program.abilities.get(super::ids::AbilityId(index)).is_some_and(|ability| !ability.clauses.is_empty()));
    let moves = |clause: &super::ids::ClauseId| match program.clauses.get(*clause).map(|clause| &clause.kind) {
        Some(ClauseKind::When { pattern, .. }) => {
            let events = program.patterns.get(*pattern).map_or(&[][..], |pattern| &pattern.events);
            events.iter().any(|event| event.verb == Builtin::Move.verb())
        }
        _ => false,
    };
    let hears_moves = (first.0..first.0 + count)
        .any(|index| program.abilities.get(super::ids::AbilityId(index)).is_some_and(|ability| ability.clauses.iter().any(moves)));
    CardPlan { statics, hears_moves, textless: count == 0 }
}

fn field_plan(field: &super::program::FieldDef) -> FieldPlan {
    FieldPlan { derived: field.derived.unwrap_or(NodeId::NONE), at_least: field.at_least }
}

/// The states that cards have.
fn card_states(program: &Program) -> Vec<CardState> {
    let all = (0_u16..).zip(program.states.rows());
    all.filter(|(_, state)| !state.on_players).map(|(at, state)| CardState { at, initial: state.initial }).collect()
}

fn routine_plan(program: &Program, routine: RoutineId) -> RoutinePlan {
    let def = program.routines.get(routine);
    RoutinePlan {
        start: def.map_or(Pc::NOWHERE, |def| def.start),
        registers: def.map_or(0, |def| def.registers),
        guard: guard(program, routine),
    }
}

fn place_plan(program: &Program, place: Place) -> PlacePlan {
    let (zone, whose) = zone_of(program, place);
    let zone = program.zones.get(zone);
    let id = zone_of(program, place).0;
    let mut renews = program.zones.ids().map(|to| program.moves.renews(id, to));
    let first = renews.next().unwrap_or(true);
    let renews = match (first, renews.all(|other| other == first)) {
        (true, true) => Renews::Always,
        (false, true) => Renews::Never,
        (_, false) => Renews::ByZone,
    };
    PlacePlan {
        renews,
        face_up: zone.is_some_and(|zone| zone.seen == Seen::ByAll),
        whose,
        redirects: zone.is_some_and(|zone| zone.redirects && zone.each_player),
        follows: zone.map_or(Follows::No, |zone| zone.follows),
        each: zone.and_then(|zone| zone.capacity_each),
        bounded: zone.is_some_and(|zone| zone.capacity.is_some() || zone.capacity_each.is_some()),
    }
}

/// The condition of `if c { return }` at the beginning of a body without parameters. `c` can be evaluated in the caller's frame, because it
/// reads no parameter.
fn guard(program: &Program, routine: RoutineId) -> NodeId {
    let Some(def) = program.routines.get(routine).filter(|def| def.parameters == 0) else { return NodeId::NONE };
    let first = program.code.get(def.start);
    let second = program.code.get(Pc(def.start.0 + 1));
    match (first, second) {
        (Some(Op::JumpUnless { condition, .. }), Some(Op::Return(NodeId::NONE))) => *condition,
        _ => NodeId::NONE,
    }
}
