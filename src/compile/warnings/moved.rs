//! Warns of statements about a card that has just moved: a state set on a card that is a new object by now, and a move into a zone with
//! places that names no place.

use super::super::Compiler;
use crate::diagnostic::{Diagnostic, FileId};
use crate::engine::ids::{NodeId, Pc, Reg, ZoneId};
use crate::engine::program::{Builtin, Node, Op, Program};
use crate::engine::value::Value;
use rustc_hash::FxHashSet;

/// The argument of a move that names the place in the zone.
const AT: usize = 3;

impl Compiler {
    /// `E0369` at each statement that sets a state of a card after a move that has made the card a new object.
    pub(super) fn set_after_moves(&self, own: &[FileId]) -> Vec<Diagnostic> {
        let program = &self.program;
        let targets: FxHashSet<Pc> = program.code.rows().iter().filter_map(target).collect();
        let (mut moved, mut found): (FxHashSet<Reg>, Vec<Diagnostic>) = (FxHashSet::default(), Vec::new());
        for (pc, op) in program.code.iter() {
            if targets.contains(&pc) || target(op).is_some() {
                moved.clear();
            }
            match *op {
                Op::End => moved.clear(),
                Op::Let { to, .. } | Op::LetSet { to, .. } => _ = moved.remove(&to),
                Op::Builtin { verb: Builtin::Move, args, .. } => moved.extend(made_new(program, program.args_of(args))),
                Op::SetState { subject, .. } if local(program, subject).is_some_and(|reg| moved.contains(&reg)) => {
                    let span = self.map.code(pc).filter(|span| span.start < span.end && own.contains(&span.file));
                    found.extend(span.map(|span| Diagnostic::error("E0369", span)));
                }
                _ => {}
            }
        }
        found
    }

    /// `E0370` at each move of one card by the rules into a zone with places, if the move names no place.
    pub(super) fn placeless(&self, own: &[FileId]) -> Vec<Diagnostic> {
        let program = &self.program;
        let silent = |args: &[NodeId]| {
            let at = args.get(AT).copied().unwrap_or(NodeId::NONE);
            at == NodeId::NONE || matches!(program.nodes.get(at), Some(Node::Const(value)) if *value == Value::Undefined)
        };
        let moves = program.code.iter().filter_map(|(pc, op)| match *op {
            Op::Builtin { verb: Builtin::Move, args, .. } if silent(program.args_of(args)) => {
                let [what, to, ..] = program.args_of(args) else { return None };
                // A set of cards may be put in order afterwards.
                local(program, *what)?;
                let zone = zone_of(program, *to)?;
                let def = program.zones.get(zone).filter(|def| def.places.is_some())?;
                let span = self.map.code(pc).filter(|span| span.start < span.end && own.contains(&span.file))?;
                Some(Diagnostic::error("E0370", span).with("zone", &def.name.name))
            }
            _ => None,
        });
        moves.collect()
    }
}

/// The statement to which a statement may jump.
fn target(op: &Op) -> Option<Pc> {
    match *op {
        Op::Jump(to) | Op::JumpUnless { to, .. } => Some(to),
        Op::Next { end, .. } | Op::CountDown { end, .. } => Some(end),
        Op::May { otherwise, .. } | Op::Try { otherwise, .. } => Some(otherwise),
        Op::ForkFor { join, .. } => Some(join),
        _ => None,
    }
}

/// The register of the card that a move surely makes a new object, whatever zone the card comes from.
fn made_new(program: &Program, args: &[NodeId]) -> Option<Reg> {
    let [what, to, ..] = args else { return None };
    let to = zone_of(program, *to)?;
    let reg = local(program, *what)?;
    program.zones.ids().filter(|from| *from != to).all(|from| program.moves.renews(from, to)).then_some(reg)
}

fn zone_of(program: &Program, node: NodeId) -> Option<ZoneId> {
    if let Some(Node::Zone(zone, _)) = program.nodes.get(node) { Some(*zone) } else { None }
}

/// The register that a node reads, also as a set of one member.
fn local(program: &Program, node: NodeId) -> Option<Reg> {
    match program.nodes.get(node) {
        Some(Node::Local(reg)) => Some(*reg),
        Some(Node::List(run)) => match program.args_of(*run) {
            [one] => local(program, *one),
            _ => None,
        },
        _ => None,
    }
}
