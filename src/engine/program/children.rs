//! The direct children of the nodes of expressions, for everything that looks through expressions without evaluating them.

use super::{ArgMatch, CauseMatch, Node, PatternDef, Program, Since};
use crate::ids::{ArgsId, NodeId};

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
