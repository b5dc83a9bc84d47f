//! The direct children of the nodes of expressions, for everything that looks through expressions without evaluating them.

use super::{ArgMatch, CauseMatch, Node, Program, Since};
use crate::ids::{ArgsId, NodeId};

/// The direct children of a node.
pub fn children(node: &Node, program: &Program, see: &mut dyn FnMut(NodeId)) {
    let run = |args: ArgsId, see: &mut dyn FnMut(NodeId)| program.args_of(args).iter().for_each(|child| see(*child));
    match *node {
        Node::Const(_) | Node::Local(_) | Node::Bound(_) | Node::You | Node::This | Node::Done | Node::PartlyDone | Node::Turn => {}
        Node::Waiting(_, a) | Node::Sources(a) | Node::Slot(a, _) | Node::StillOf(a, _) | Node::Payable(a, _, NodeId::NONE) => see(a),
        Node::Due(a, ..) | Node::Outer(_, a) => see(a),
        Node::EventArg(a, _) | Node::EventCause(a) | Node::IsEvent(a, _) | Node::IsTiming(a) | Node::EventOf(a) | Node::IsCause(a, _) => {
            see(a)
        }
        Node::Cause(_, a) if a == NodeId::NONE => {}
        Node::Cause(_, a) => see(a),
        Node::Usable(a, NodeId::NONE) => see(a),
        Node::Range(a, b) | Node::Payable(a, _, b) | Node::Usable(a, b) => [a, b].into_iter().for_each(see),
        Node::Numbers(a, NodeId::NONE) => see(a),
        Node::Numbers(a, b) => [a, b].into_iter().for_each(see),
        Node::Matches(of) => {
            let Some(of) = program.matches.get(of) else { return };
            let joins = of.joins.into_iter().flat_map(|(set, condition)| [set, condition]);
            [of.units, of.demands, of.needs.0, of.needs.1, of.left_over, of.spare].into_iter().chain(joins).for_each(see);
        }
        Node::ZoneOfAll(_)
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
        Node::Happened(pattern, since) | Node::Latest(pattern, since) | Node::Events(pattern, since) => {
            if let Since::Event(event) = since.get() {
                see(event);
            }
            let Some(pattern) = program.patterns.get(pattern) else { return };
            for (_, matched) in pattern.events.iter().flat_map(|event| &event.args) {
                match matched {
                    ArgMatch::Is(value) => see(*value),
                    ArgMatch::All(_, condition) if *condition != NodeId::NONE => see(*condition),
                    _ => {}
                }
            }
            for event in &pattern.events {
                if let Some(CauseMatch::KindOf(_, value) | CauseMatch::Of(value) | CauseMatch::Is(value)) = event.cause {
                    see(value);
                }
            }
            if pattern.condition != NodeId::NONE {
                see(pattern.condition);
            }
        }
        Node::Not(a) | Node::Negate(a) | Node::Field(a, _) | Node::Printed(a, _) | Node::State(a, _) | Node::Owner(a) => see(a),
        Node::Tallied(a, _) => see(a),
        Node::Controller(a)
        | Node::Performer(a)
        | Node::Source(a)
        | Node::ZoneOf(a)
        | Node::FaceUp(a)
        | Node::HasEffect(a)
        | Node::Reaches(a) => see(a),
        Node::CardName(a) | Node::EffectText(a) => see(a),
        Node::CardOf(a)
        | Node::IsCard(a, _)
        | Node::IsKind(a, _)
        | Node::IsMoment(a, _)
        | Node::IsOption(a, _)
        | Node::Component(a, _)
        | Node::Still(a)
        | Node::Zone(_, a)
        | Node::Count(a) => see(a),
        Node::IsEmpty(a) | Node::Only(a) | Node::End(_, a) | Node::Opponent(a) | Node::NextPlayer(a) | Node::Opponents(a) => see(a),
        Node::PlaceIn(a, _) | Node::Host(a) | Node::Attached(a) | Node::Original(a) | Node::Now(a) | Node::Became(a) | Node::Arrived(a) => {
            see(a)
        }
        Node::IsMade(a) | Node::IsType(a, _) | Node::Decider(a) | Node::EffectsOn(a) => see(a),
        Node::HasKeyword(a, _)
        | Node::Abilities(a)
        | Node::AbilitiesOfAll(a)
        | Node::Exists(a)
        | Node::Losing(a)
        | Node::Winning(a)
        | Node::PlaceOf(a)
        | Node::Named(a, _) => see(a),
        Node::And(a, b) | Node::Or(a, b) | Node::Arithmetic(_, a, b) | Node::Compare(_, a, b) | Node::In(a, b) => {
            [a, b].into_iter().for_each(see)
        }
        Node::With { value: a, body: b } | Node::FieldHas(a, _, b) | Node::TextContains(a, b) => [a, b].into_iter().for_each(see),
        Node::Some(a, b) | Node::All(a, b) | Node::Ends(_, a, b) | Node::Where(a, b) | Node::Except(a, b) => {
            [a, b].into_iter().for_each(see)
        }
        Node::Union(a, b) | Node::Joined(a, b) | Node::Without(a, b) | Node::Sees(a, b) | Node::Least(a, b) | Node::Greatest(a, b) => {
            [a, b].into_iter().for_each(see)
        }
        Node::Fold(_, a, b) | Node::Distinct(a, b) | Node::Sorted(a, b) | Node::SameSets(a, b) => [a, b].into_iter().for_each(see),
        Node::Clockwise(a) | Node::Length(a) | Node::Team(a) | Node::Captain(a) | Node::BitOf(a) | Node::AbilityText(a, _) => see(a),
        Node::HasBit(a, b) => [a, b].into_iter().for_each(see),
        Node::If(a, args) => {
            see(a);
            run(args, see);
        }
        Node::Fact(_, args, a) => {
            see(a);
            run(args, see);
        }
        Node::List(args) | Node::Can(_, args) | Node::Permitted(_, args) => run(args, see),
    }
}
