//! Warns of statements about a card that has just moved and is a new object by now (a state is set, the card moves again, its abilities are
//! gone through), and of a move into a zone with places that names no place.

use super::super::Compiler;
use engine::ids::{NodeId, Pc, Reg, ZoneId};
use engine::program::{Builtin, Node, Op, Program};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, FileId};
use rustc_hash::FxHashSet;

/// The argument of a move that names the place in the zone.
const AT: usize = 3;

impl Compiler {
    /// `E0369` at each statement about a card after a move that has made the card a new object.
    pub(super) fn used_after_moves(&self, own: &[FileId]) -> Vec<Diagnostic> {
        let program = &self.program;
        let targets: FxHashSet<Pc> = program.code.rows().iter().filter_map(target).collect();
        let (mut moved, mut found): (FxHashSet<Reg>, Vec<Diagnostic>) = (FxHashSet::default(), Vec::new());
        for (pc, op) in program.code.iter() {
            if targets.contains(&pc) || target(op).is_some() {
                moved.clear();
            }
            if about(program, op).is_some_and(|reg| moved.contains(&reg)) {
                let span = self.map.code(pc).filter(|span| span.start < span.end && own.contains(&span.file));
                found.extend(span.map(|span| Diagnostic::error("E0369", span)));
            }
            match *op {
                Op::End => moved.clear(),
                Op::Let { to, .. }
                | Op::LetSet { to, .. }
                | Op::Choose { result: to, .. }
                | Op::Call { result: to, .. }
                | Op::Perform { result: to, .. }
                | Op::MoveTop { result: to, .. }
                | Op::CauseHere { to } => _ = moved.remove(&to),
                Op::Builtin { verb, args, result } => {
                    moved.remove(&result);
                    if verb == Builtin::Move {
                        moved.extend(made_new(program, program.args_of(args)));
                    }
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

/// The register of the card that a statement changes, or whose abilities it goes through. If the life of this card is over, the statement
/// does nothing.
fn about(program: &Program, op: &Op) -> Option<Reg> {
    match *op {
        Op::SetState { subject, .. } => local(program, subject),
        Op::Builtin { verb: Builtin::Move, args, .. } => local(program, *program.args_of(args).first()?),
        Op::Iterate { set, .. } | Op::LetSet { set, .. } | Op::ForkFor { set, .. } => abilities_of(program, set),
        _ => None,
    }
}

/// The register of the card whose abilities a set takes, all of them or some.
fn abilities_of(program: &Program, set: NodeId) -> Option<Reg> {
    match *program.nodes.get(set)? {
        Node::Abilities(card) => local(program, card),
        Node::Where(set, _) => abilities_of(program, set),
        _ => None,
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

/// The zone that a node names.
pub(super) fn zone_of(program: &Program, node: NodeId) -> Option<ZoneId> {
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
