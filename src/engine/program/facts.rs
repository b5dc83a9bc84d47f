//! The table over nodes: what is known of each node without evaluating it, that is its children, and what the node itself reads of a game.
//!
//! Whoever looks through expressions without evaluating them asks this table. The table names every node, so a new node does not compile
//! before everything is said about the node.

use super::{ArgMatch, CauseMatch, Node, PatternDef, Program, Since};
use crate::ids::{ArgsId, FactId, FieldId, NodeId, StateId, VerbId, ZoneId};

/// The direct children of a node.
pub fn children(node: &Node, program: &Program, see: &mut dyn FnMut(NodeId)) {
    parts(node, program, &mut |child, _| see(child));
}

/// The direct children of a node. With a child under a binder comes the set whose members are bound for the child, or the value that is
/// bound.
pub fn parts(node: &Node, program: &Program, see: &mut dyn FnMut(NodeId, Option<NodeId>)) {
    let mut all = |nodes: &[NodeId]| nodes.iter().filter(|child| **child != NodeId::NONE).for_each(|child| see(*child, None));
    let args = |args: ArgsId| program.args_of(args);
    match *node {
        Node::Const(_)
        | Node::Local(_)
        | Node::Bound(_)
        | Node::You
        | Node::This
        | Node::Done
        | Node::PartlyDone
        | Node::Turn
        | Node::ZoneOfAll(_)
        | Node::Players
        | Node::Catalogue
        | Node::EveryCard
        | Node::EnumValues(_)
        | Node::Pending
        | Node::Tied
        | Node::PoolCard(_)
        | Node::RulesApply
        | Node::GoesRound
        | Node::Role(_) => {}
        Node::Not(a)
        | Node::Negate(a)
        | Node::Field(a, _)
        | Node::Printed(a, _)
        | Node::State(a, _)
        | Node::Owner(a)
        | Node::Controller(a)
        | Node::Performer(a)
        | Node::Source(a)
        | Node::ZoneOf(a)
        | Node::FaceUp(a)
        | Node::HasEffect(a)
        | Node::Reaches(a)
        | Node::PlaceIn(a, _)
        | Node::Host(a)
        | Node::Attached(a)
        | Node::Original(a)
        | Node::Now(a)
        | Node::Became(a)
        | Node::Arrived(a)
        | Node::IsMade(a)
        | Node::IsType(a, _)
        | Node::Decider(a)
        | Node::CardName(a)
        | Node::EffectText(a)
        | Node::CardOf(a)
        | Node::IsCard(a, _)
        | Node::IsKind(a, _)
        | Node::IsMoment(a, _)
        | Node::Zone(_, a)
        | Node::Count(a)
        | Node::IsEmpty(a)
        | Node::Only(a)
        | Node::End(_, a)
        | Node::Outer(_, a)
        | Node::Opponent(a)
        | Node::NextPlayer(a)
        | Node::Opponents(a)
        | Node::Team(a)
        | Node::Captain(a)
        | Node::Clockwise(a)
        | Node::Abilities(a)
        | Node::AbilitiesOfAll(a)
        | Node::IsOption(a, _)
        | Node::Component(a, _)
        | Node::Still(a)
        | Node::HasKeyword(a, _)
        | Node::Waiting(_, a)
        | Node::Sources(a)
        | Node::Slot(a, _)
        | Node::StillOf(a, _)
        | Node::Due(a, ..)
        | Node::Exists(a)
        | Node::EventArg(a, _)
        | Node::EventCause(a)
        | Node::IsEvent(a, _)
        | Node::IsTiming(a)
        | Node::EventOf(a)
        | Node::Cause(_, a)
        | Node::IsCause(a, _)
        | Node::Losing(a)
        | Node::Winning(a)
        | Node::PlaceOf(a)
        | Node::Named(a, _)
        | Node::EffectsOn(a)
        | Node::BitOf(a)
        | Node::AbilityText(a, _)
        | Node::Length(a)
        | Node::Tallied(a, _) => all(&[a]),
        Node::And(a, b)
        | Node::Or(a, b)
        | Node::Arithmetic(_, a, b)
        | Node::Compare(_, a, b)
        | Node::In(a, b)
        | Node::FieldHas(a, _, b)
        | Node::TextContains(a, b)
        | Node::Ends(_, a, b)
        | Node::Except(a, b)
        | Node::Union(a, b)
        | Node::Joined(a, b)
        | Node::Payable(a, _, b)
        | Node::Range(a, b)
        | Node::Numbers(a, b)
        | Node::Sees(a, b)
        | Node::Without(a, b)
        | Node::Least(a, b)
        | Node::Greatest(a, b)
        | Node::SameSets(a, b)
        | Node::HasBit(a, b)
        | Node::Usable(a, b) => all(&[a, b]),
        Node::With { value: of, body: under }
        | Node::Some(of, under)
        | Node::All(of, under)
        | Node::Where(of, under)
        | Node::Fold(_, of, under)
        | Node::Distinct(of, under)
        | Node::Sorted(of, under) => {
            all(&[of]);
            if under != NodeId::NONE {
                see(under, Some(of));
            }
        }
        Node::If(a, of) | Node::Fact(_, of, a) => {
            all(&[a]);
            all(args(of));
        }
        Node::List(of) | Node::Can(_, of) | Node::Permitted(_, of) => all(args(of)),
        Node::Matches(of) => {
            let Some(of) = program.matches.get(of) else { return };
            all(&[of.units, of.demands, of.needs.0, of.needs.1, of.left_over, of.spare]);
            of.joins.into_iter().for_each(|(set, condition)| all(&[set, condition]));
        }
        Node::Happened(pattern, since) | Node::Latest(pattern, since) | Node::Events(pattern, since) => {
            if let Since::Event(event) = since.get() {
                all(&[event]);
            }
            program.patterns.get(pattern).into_iter().for_each(|pattern| parts_of_pattern(pattern, &mut all));
        }
    }
}

fn parts_of_pattern(pattern: &PatternDef, all: &mut dyn FnMut(&[NodeId])) {
    for event in &pattern.events {
        for (_, matched) in &event.args {
            match matched {
                ArgMatch::Is(node) | ArgMatch::All(_, node) => all(&[*node]),
                ArgMatch::Bind(_) | ArgMatch::AnyZone(_) => {}
            }
        }
        match event.cause {
            Some(CauseMatch::KindOf(_, value) | CauseMatch::Of(value) | CauseMatch::Is(value)) => all(&[value]),
            Some(CauseMatch::Kind(_) | CauseMatch::KindBind(..) | CauseMatch::Bind(_)) | None => {}
        }
    }
    all(&[pattern.condition]);
}

/// What a node itself reads. What its children read comes on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnRead {
    /// Nothing: the value follows from the values of the children.
    Nothing,
    /// What runs: a register, a bound value, the acting player, the source, and what was done last.
    Frame,
    /// Which cards lie in the places of a declared zone.
    Zone(ZoneId),
    /// Which cards there are, in whatever zone.
    AllZones,
    /// Where a card lies, and since when. Only moves change this.
    Place,
    /// Whether an object is the one that a reference means. Only moves change this.
    Life,
    /// How a card lies where it lies: its face, and what is attached.
    Lying,
    /// Which card of the pool a card is. Only a copy changes this.
    Identity,
    /// What is in the text box of a card.
    TextBox,
    /// A field of a card, with all effects or as printed.
    Field(FieldId),
    /// The types of a card.
    Types,
    /// A state of cards, players or the game.
    State(StateId),
    /// Who controls a card or an ability.
    Control,
    /// The abilities of a card.
    Abilities,
    /// Whether an effect permits an action.
    Permits(VerbId),
    /// Whether an effect assumes a fact.
    Assumes(FactId),
    /// The effects in force.
    Effects,
    /// What has happened.
    History,
    /// What waits, with its slots.
    Waiting,
    /// The flow: the turn, roles, and rules that would run now.
    Flow,
    /// Who decides for a player.
    Decider,
    /// Who has won or lost.
    Verdicts,
    /// Whether something could be done now.
    Legality,
    /// Who may know a card.
    Sight,
}

impl Node {
    /// What the node itself reads.
    #[must_use]
    pub fn own_read(&self) -> OwnRead {
        match *self {
            Node::Const(_)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Negate(_)
            | Node::Arithmetic(..)
            | Node::Compare(..)
            | Node::If(..)
            | Node::With { .. }
            | Node::In(..)
            | Node::Least(..)
            | Node::Greatest(..)
            | Node::TextContains(..)
            | Node::Length(_)
            | Node::HasBit(..)
            | Node::BitOf(_)
            | Node::Tallied(..)
            | Node::Exists(_) => OwnRead::Nothing,
            Node::Count(_)
            | Node::IsEmpty(_)
            | Node::Some(..)
            | Node::All(..)
            | Node::Only(_)
            | Node::End(..)
            | Node::Ends(..)
            | Node::Outer(..)
            | Node::Where(..)
            | Node::Except(..)
            | Node::Union(..)
            | Node::Joined(..)
            | Node::List(_)
            | Node::Fold(..)
            | Node::Distinct(..)
            | Node::Sorted(..)
            | Node::SameSets(..)
            | Node::Range(..)
            | Node::Numbers(..)
            | Node::Named(..) => OwnRead::Nothing,
            // Players, their seats and teams, the pool, and who owns a card stay the same for the whole game.
            Node::Players
            | Node::Opponent(_)
            | Node::NextPlayer(_)
            | Node::Opponents(_)
            | Node::Clockwise(_)
            | Node::Team(_)
            | Node::Captain(_)
            | Node::EnumValues(_)
            | Node::Catalogue
            | Node::PoolCard(_)
            | Node::Owner(_) => OwnRead::Nothing,
            // An event stays as it was, and so do a cause and the kind and line of an ability.
            Node::EventArg(..)
            | Node::EventCause(_)
            | Node::IsEvent(..)
            | Node::IsTiming(_)
            | Node::Cause(..)
            | Node::IsCause(..)
            | Node::Performer(_)
            | Node::IsKind(..)
            | Node::AbilityText(..) => OwnRead::Nothing,
            Node::Local(_) | Node::Bound(_) | Node::You | Node::This | Node::Done | Node::PartlyDone => OwnRead::Frame,
            Node::Zone(zone, _) | Node::ZoneOfAll(zone) => OwnRead::Zone(zone),
            Node::EveryCard => OwnRead::AllZones,
            Node::ZoneOf(_) | Node::PlaceIn(..) | Node::Arrived(_) => OwnRead::Place,
            Node::Still(_) | Node::Now(_) | Node::Became(_) => OwnRead::Life,
            Node::FaceUp(_) | Node::Host(_) | Node::Attached(_) => OwnRead::Lying,
            Node::CardOf(_) | Node::IsCard(..) | Node::CardName(_) | Node::Original(_) | Node::IsMade(_) => OwnRead::Identity,
            Node::HasEffect(_) | Node::EffectText(_) => OwnRead::TextBox,
            Node::Field(_, field) | Node::Printed(_, field) | Node::FieldHas(_, field, _) => OwnRead::Field(field),
            Node::IsType(..) => OwnRead::Types,
            Node::State(_, state) => OwnRead::State(state),
            Node::Controller(_) => OwnRead::Control,
            Node::Abilities(_) | Node::AbilitiesOfAll(_) | Node::HasKeyword(..) => OwnRead::Abilities,
            Node::Permitted(verb, _) => OwnRead::Permits(verb),
            Node::Fact(fact, ..) => OwnRead::Assumes(fact),
            Node::EffectsOn(_) | Node::Tied | Node::Reaches(_) | Node::Without(..) => OwnRead::Effects,
            Node::Happened(..) | Node::Latest(..) | Node::Events(..) => OwnRead::History,
            Node::Pending
            | Node::Waiting(..)
            | Node::Source(_)
            | Node::Sources(_)
            | Node::Slot(..)
            | Node::StillOf(..)
            | Node::Component(..)
            | Node::IsMoment(..)
            | Node::IsOption(..)
            | Node::EventOf(_) => OwnRead::Waiting,
            Node::Turn | Node::Role(_) | Node::GoesRound | Node::RulesApply => OwnRead::Flow,
            Node::Decider(_) => OwnRead::Decider,
            Node::Losing(_) | Node::Winning(_) | Node::PlaceOf(_) => OwnRead::Verdicts,
            Node::Can(..) | Node::Usable(..) | Node::Payable(..) | Node::Due(..) | Node::Matches(_) => OwnRead::Legality,
            Node::Sees(..) => OwnRead::Sight,
        }
    }
}

/// Whether an expression itself reads something that `is` names, or one of its parts does.
pub fn reads_any(program: &Program, id: NodeId, is: &mut dyn FnMut(&Node) -> bool) -> bool {
    let Some(node) = program.nodes.get(id) else { return false };
    let mut found = is(node);
    if !found {
        children(node, program, &mut |child| found = found || reads_any(program, child, is));
    }
    found
}
