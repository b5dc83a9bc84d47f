//! Warns of shared cards that a player takes, if nothing says to whom they belong from then on.
//!
//! If every deck begins in a shared zone, a card's owner is the seat whose deck it came from. This owner means nothing in the game.

use super::super::Compiler;
use engine::ids::{NodeId, Pc, Reg, ZoneId};
use engine::program::{Builtin, Node, Op, Program};
use lang::diagnostic::Diagnostic;

/// The argument of a move that names the card's new controller.
const UNDER: usize = 5;

/// How many local names, each made from the one before, are traced back to a zone.
const LINKS: u8 = 4;

impl Compiler {
    /// `E0269` for moves from a shared zone to a player's zone, if neither the move nor a zone says to whom the card belongs afterwards.
    pub(super) fn silently_owned(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let shared_deck = program.deck_zone.and_then(|zone| program.zones.get(zone)).is_some_and(|zone| !zone.each_player && !zone.owns);
        if !shared_deck || !asks_whose(program) {
            return Vec::new();
        }
        let taken = program.code.iter().filter_map(|(pc, op)| {
            let (what, to) = match *op {
                Op::MoveTop { from, to, .. } => (from, to),
                Op::Builtin { verb: Builtin::Move, args, .. } => {
                    let args = program.args_of(args);
                    let under = args.get(UNDER).copied().unwrap_or(NodeId::NONE);
                    let silent = under == NodeId::NONE
                        || matches!(program.nodes.get(under), Some(Node::Const(value)) if *value == engine::value::Value::Undefined);
                    (*args.first().filter(|_| silent)?, *args.get(1)?)
                }
                _ => return None,
            };
            let Some(Node::Zone(to, whose)) = program.nodes.get(to) else { return None };
            let players = program.zones.get(*to).is_some_and(|zone| zone.each_player && !zone.owns && !zone.controls);
            let from = if players && *whose != NodeId::NONE { shared_in(program, pc, what, LINKS)? } else { return None };
            let name = |zone: ZoneId| program.zones.get(zone).map_or_else(String::new, |zone| zone.name.name.clone());
            let span = self.map.code(pc).filter(|span| span.start < span.end)?;
            Some(Diagnostic::error("E0269", span).with("from", name(from)).with("to", name(*to)))
        });
        taken.collect()
    }
}

/// Whether anything in the game asks to whom a card belongs. Every ability asks this, because it has a `you`.
fn asks_whose(program: &Program) -> bool {
    !program.abilities.is_empty() || program.nodes.rows().iter().any(|node| matches!(node, Node::Owner(_) | Node::Controller(_)))
}

/// The shared zone that the cards of an expression come from. Local names are traced back, at most `follow` of them.
fn shared_in(program: &Program, pc: Pc, node: NodeId, follow: u8) -> Option<ZoneId> {
    let inner = |node: NodeId| shared_in(program, pc, node, follow);
    match *program.nodes.get(node)? {
        Node::Zone(zone, NodeId::NONE) => {
            program.zones.get(zone).is_some_and(|zone| !zone.each_player && !zone.owns && !zone.abilities).then_some(zone)
        }
        Node::Where(set, _) | Node::Except(set, _) | Node::Only(set) | Node::End(_, set) | Node::Ends(_, _, set) => inner(set),
        Node::Union(a, b) | Node::Joined(a, b) => inner(a).or_else(|| inner(b)),
        Node::List(run) => program.args_of(run).iter().find_map(|one| inner(*one)),
        Node::Local(reg) if follow > 0 => shared_in(program, pc, came_from(program, pc, reg)?, follow - 1),
        _ => None,
    }
}

/// The value of a local name at a statement: the expression of the nearest earlier statement of the routine that fills the register.
fn came_from(program: &Program, pc: Pc, reg: Reg) -> Option<NodeId> {
    let before = program.code.rows().get(..pc.0 as usize)?;
    let routine = before.iter().rev().take_while(|op| !matches!(op, Op::End));
    routine.into_iter().find_map(|op| match *op {
        Op::Let { to, value } if to == reg => Some(value),
        Op::LetSet { to, set } if to == reg => Some(set),
        Op::Choose { choice, result } if result == reg => program.choices.get(choice).map(|choice| choice.domain),
        Op::Next { list, item, .. } if item == reg => {
            let mut heads = before.iter().rev();
            heads.find_map(|op| {
                if let Op::Iterate { list: of, set } = op
                    && *of == list
                {
                    Some(*set)
                } else {
                    None
                }
            })
        }
        _ => None,
    })
}
