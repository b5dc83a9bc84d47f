//! Finds the cards that an action surely moves: `action discard(c: card) { move(c, heap(c.owner)) }`.

use super::moved::zone_of;
use engine::ids::{NodeId, Reg, VerbId, ZoneId};
use engine::program::{ArgMatch, Builtin, ClauseKind, EventDef, Node, Op, Program, ReplacedMoves};

/// How many actions within one another are followed.
const FOLLOWED: u8 = 4;

/// The argument of a move that names the zone to which the card goes, in a pattern.
const TO: u8 = 1;

/// The zone to which the body of an action surely moves one of the action's arguments, or each member of it, before the event of the action is
/// heard. Only the statements before the first branch of the body count, and the actions that they perform.
pub(super) fn surely_moved(program: &Program, verb: VerbId, argument: u8) -> Option<ZoneId> {
    let to = moved_to(program, verb, argument, FOLLOWED)?;
    let counts_moves = program.verbs.get(verb).is_some_and(|def| def.replaced != ReplacedMoves::AsDone);
    let has_room = program.zones.get(to).is_some_and(|zone| zone.capacity.is_none() && zone.capacity_each.is_none());
    (has_room && (counts_moves || !may_be_kept_off(program, to))).then_some(to)
}

/// Whether some effect may forbid or replace a move to a zone. Then the action can be done although the card has not moved.
fn may_be_kept_off(program: &Program, to: ZoneId) -> bool {
    let goes_there = |event: &EventDef| {
        event.verb == Builtin::Move.verb()
            && event.args.iter().all(|(at, wanted)| match (*at, wanted) {
                (TO, ArgMatch::AnyZone(zone)) => *zone == to,
                (TO, ArgMatch::Is(node)) => zone_of(program, *node).is_none_or(|zone| zone == to),
                _ => true,
            })
    };
    program.clauses.rows().iter().any(|clause| match clause.kind {
        ClauseKind::Forbid(pattern) | ClauseKind::Instead { pattern, .. } => {
            program.patterns.get(pattern).is_some_and(|pattern| pattern.events.iter().any(goes_there))
        }
        _ => false,
    })
}

/// Whether an action within the body is possible for every card, and no effect forbids or replaces it.
fn is_surely_done(program: &Program, verb: VerbId) -> bool {
    let watched = |pattern| program.patterns.get(pattern).is_some_and(|pattern| pattern.events.iter().any(|event| event.verb == verb));
    let kept_off = program.clauses.rows().iter().any(|clause| match clause.kind {
        ClauseKind::Forbid(pattern) | ClauseKind::Instead { pattern, .. } => watched(pattern),
        _ => false,
    });
    !kept_off && program.verbs.get(verb).is_some_and(|def| def.condition == NodeId::NONE && def.option.is_none())
}

/// The zone to which the body surely moves the argument, if nothing forbids or replaces the move.
fn moved_to(program: &Program, verb: VerbId, argument: u8, follow: u8) -> Option<ZoneId> {
    let start = program.routines.get(program.verbs.get(verb)?.body?)?.start;
    let ops = program.code.rows().get(start.0 as usize..)?;
    let straight = |op: &&Op| {
        matches!(
            op,
            Op::Let { .. }
                | Op::LetSet { .. }
                | Op::SetState { .. }
                | Op::Builtin { .. }
                | Op::MoveTop { .. }
                | Op::Iterate { .. }
                | Op::Next { .. }
                | Op::ForkFor { .. }
                | Op::Emit { .. }
                | Op::Perform { .. }
                | Op::Spend { .. }
        )
    };
    // The registers that hold the argument. A set that an action takes is put into a register of its own first.
    let mut holding = vec![Reg(argument.into())];
    for op in ops.iter().take_while(straight) {
        match op {
            Op::Let { to, value: from } | Op::LetSet { to, set: from } if is_held(program, *from, &holding) => holding.push(*to),
            // A loop over the argument does to each member what it does before it branches.
            Op::Iterate { list, set } if is_held(program, *set, &holding) => holding.push(*list),
            Op::Next { list, item, .. } if holding.contains(list) => holding.push(*item),
            Op::ForkFor { set, item, .. } if is_held(program, *set, &holding) => holding.push(*item),
            // Nothing is known of a loop over other things: it may have no member.
            Op::Next { .. } | Op::ForkFor { .. } => return None,
            Op::Builtin { verb: Builtin::Move, args, .. } => {
                if let [what, to, ..] = program.args_of(*args)
                    && is_held(program, *what, &holding)
                    && let Some(zone) = zone_of(program, *to)
                {
                    return Some(zone);
                }
            }
            Op::Perform { verb, args, .. } if follow > 0 && is_surely_done(program, *verb) => {
                let at = program.args_of(*args).iter().position(|node| is_held(program, *node, &holding));
                if let Some(zone) = at.and_then(|at| moved_to(program, *verb, at as u8, follow - 1)) {
                    return Some(zone);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a node is what one of these registers holds, also as a set.
fn is_held(program: &Program, node: NodeId, holding: &[Reg]) -> bool {
    match program.nodes.get(node) {
        Some(Node::Local(reg)) => holding.contains(reg),
        Some(Node::List(run)) => matches!(program.args_of(*run), [one] if is_held(program, *one, holding)),
        _ => false,
    }
}
