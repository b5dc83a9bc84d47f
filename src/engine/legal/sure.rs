//! Finds the statements after which nothing can fail any more. This is known before any game, from the statements alone.
//!
//! A statement is *sure* if neither it nor any statement that may follow it in its routine can fail, in any state. Statements that ask,
//! perform or change something can fail in general. So only control flow, and statements that always succeed, are sure.

use crate::eval::{shared_zone, zone_left_out};
use crate::ids::{Id, NodeId, Pc, RoutineId};
use crate::program::{Node, Op, Program};

/// For each statement: whether it is sure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sure(Vec<bool>);

impl Sure {
    /// The sure statements of a program: the greatest set of statements that cannot fail and are followed by members of the set only.
    #[must_use]
    pub(crate) fn new(program: &Program) -> Self {
        let mut sure: Vec<bool> = program.code.rows().iter().enumerate().map(|(at, op)| cannot_fail(program, Pc(at as u32), op)).collect();
        // Each round takes out the statements that lead to a statement outside of the set. Rounds go backwards, because most statements
        // lead forwards.
        loop {
            let mut changed = false;
            for at in (0..sure.len()).rev() {
                let pc = Pc(at as u32);
                let stays = sure.get(at) == Some(&true) && leads_to_sure(program, &sure, pc);
                if let Some(slot) = sure.get_mut(at)
                    && *slot != stays
                {
                    *slot = stays;
                    changed = true;
                }
            }
            if !changed {
                return Sure(sure);
            }
        }
    }

    /// Whether a statement is sure. A statement that the program does not have is not sure.
    #[must_use]
    #[inline]
    pub(crate) fn is(&self, pc: Pc) -> bool {
        self.0.get(pc.index()).copied().unwrap_or(false)
    }
}

/// Whether the statement itself always succeeds. A call counts as succeeding here; [`leads_to_sure`] looks at the routine that it calls.
fn cannot_fail(program: &Program, pc: Pc, op: &Op) -> bool {
    match op {
        Op::Let { .. }
        | Op::LetSet { .. }
        | Op::Jump(_)
        | Op::JumpUnless { .. }
        | Op::Call { .. }
        | Op::Iterate { .. }
        | Op::Next { .. }
        | Op::CountDown { .. }
        | Op::ActAs { .. }
        | Op::ActEnd { .. }
        | Op::Because { .. }
        | Op::BecauseEnd { .. }
        | Op::CauseHere { .. }
        | Op::BeenHere { .. }
        | Op::PutBy { .. }
        | Op::Declare { .. }
        | Op::Emit { .. }
        | Op::Mark(_)
        | Op::MarkFrom(..)
        | Op::MarkHere(_)
        | Op::WindowOpens { .. }
        | Op::NoteTold { .. }
        | Op::Came(_)
        | Op::TryEnd
        | Op::Return(_)
        | Op::End => true,
        Op::Enter { ability, zone } => enters_for_sure(program, pc, *ability, *zone),
        _ => false,
    }
}

/// Whether a waiting ability is put into a zone inside a loop over abilities that are not in the zone. Then the move always succeeds.
/// Example: `for e in pending where it not in Z { move(e, Z) }`.
fn enters_for_sure(program: &Program, pc: Pc, ability: NodeId, zone: NodeId) -> bool {
    let (Some(Node::Local(member)), Some(Node::Zone(_, NodeId::NONE))) = (program.nodes.get(ability), program.nodes.get(zone)) else {
        return false;
    };
    let at_loop = pc.0.checked_sub(2).map(|begins| (program.code.get(Pc(begins)), program.code.get(Pc(begins + 1))));
    let Some((Some(Op::Iterate { list, set }), Some(Op::Next { list: of, item, .. }))) = at_loop else { return false };
    let Some(Node::Where(all, condition)) = program.nodes.get(*set) else { return false };
    list == of && item == member && matches!(program.nodes.get(*all), Some(Node::Pending)) && leaves_out(program, *condition, zone)
}

/// Whether a condition on the innermost bound value is true only for values that are not in the zone.
fn leaves_out(program: &Program, condition: NodeId, zone: NodeId) -> bool {
    zone_left_out(program, condition, 0).is_some_and(|left_out| shared_zone(program, zone) == Some(left_out))
}

fn leads_to_sure(program: &Program, sure: &[bool], pc: Pc) -> bool {
    let is = |pc: Pc| sure.get(pc.index()).copied().unwrap_or(false);
    let next = || is(Pc(pc.0 + 1));
    let Some(op) = program.code.get(pc) else { return false };
    match *op {
        Op::Return(_) | Op::End => true,
        Op::Jump(to) => is(to),
        Op::JumpUnless { to, .. } => is(to) && next(),
        Op::Next { end, .. } | Op::CountDown { end, .. } => is(end) && next(),
        Op::Call { routine, .. } => start(program, routine).is_some_and(is) && next(),
        _ => next(),
    }
}

fn start(program: &Program, routine: RoutineId) -> Option<Pc> {
    program.routines.get(routine).map(|routine| routine.start)
}
