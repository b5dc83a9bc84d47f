//! Warns of abilities that wait for the end of their own card and never hear of it.
//!
//! A move is heard by abilities that work after it, unless the ability or the game says `looks: before`. An action is heard when its body has ended. If the body has moved the card, the card is a new object by then, and the ability of the old
//! object is gone. Only the move itself can be heard from the position before it (`looks: before`).

use super::super::Compiler;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::{Id, NodeId, Reg, VerbId, ZoneId};
use crate::engine::program::{AbilityDef, ArgMatch, Builtin, ClauseKind, EventDef, Looks, Node, Op, Program};

/// The arguments of a move in a pattern.
const WHAT: u8 = 0;
const TO: u8 = 1;
const FROM: u8 = 4;

/// How many actions within one another are followed.
const FOLLOWED: u8 = 4;

impl Compiler {
    /// `E0393` at each ability with `when`, if every event of its pattern is an action that takes the ability's own card away.
    pub(super) fn hears_own_end(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let mut found = Vec::new();
        for ((_, ability), span) in program.abilities.iter().zip(self.map.abilities.iter()) {
            let patterns = ability.clauses.iter().filter_map(|clause| match program.clauses.get(*clause)?.kind {
                ClauseKind::When { pattern, .. } => program.patterns.get(pattern),
                _ => None,
            });
            for pattern in patterns {
                let ends = |event: &EventDef| ends_its_card(program, ability, event) || moves_away(program, ability, event);
                let Some(event) = pattern.events.first().filter(|_| pattern.events.iter().all(ends)) else { continue };
                let verb = program.verbs.get(event.verb).map_or("", |verb| verb.name.name.as_str());
                found.push(Diagnostic::error("E0393", *span).with("name", verb).with("open", "{").with("close", "}"));
            }
        }
        found
    }
}

/// Whether an event is a move of the ability's own card into a zone where the ability does not work, heard only by what works after the
/// move.
fn moves_away(program: &Program, ability: &AbilityDef, event: &EventDef) -> bool {
    let argument = |index: u8| event.args.iter().find(|(at, _)| *at == index).map(|(_, wanted)| wanted);
    let zones = |index: u8| match argument(index) {
        None | Some(ArgMatch::Bind(_)) => Some(program.zones.ids().collect::<Vec<_>>()),
        Some(ArgMatch::AnyZone(zone)) => Some(vec![*zone]),
        Some(ArgMatch::Is(node)) => match program.nodes.get(*node) {
            Some(Node::Zone(zone, _)) => Some(vec![*zone]),
            _ => None,
        },
        Some(ArgMatch::All(..)) => None,
    };
    let own = matches!(argument(WHAT), Some(ArgMatch::Is(node)) if is_this(program, *node));
    let (Some(from), Some(to), true) = (zones(FROM), zones(TO), own && event.verb == Builtin::Move.verb()) else { return false };
    let works = |zone: &ZoneId| {
        let of_types = ability.zones_of.iter().fold(ability.zones, |zones, (_, more)| zones | more);
        of_types >> zone.index() & 1 == 1
    };
    let heard_after = |from: &ZoneId, to: &ZoneId| {
        let heard = program.moves.carry(*from, *to).and_then(|carry| carry.heard);
        ability.looks.or(heard).unwrap_or(program.policies.looks) == Looks::After
    };
    let mut ways = from.iter().flat_map(|from| to.iter().map(move |to| (from, to))).filter(|(from, to)| from != to).peekable();
    ways.peek().is_some() && ways.all(|(from, to)| !works(to) && heard_after(from, to))
}

/// Whether an event is an action on the ability's own card whose body moves the card to a zone where the card is a new object.
fn ends_its_card(program: &Program, ability: &AbilityDef, event: &EventDef) -> bool {
    event.args.iter().any(|(at, wanted)| {
        let own = matches!(wanted, ArgMatch::Is(node) if is_this(program, *node));
        own && moved_to(program, event.verb, *at, FOLLOWED).is_some_and(|to| {
            // A card that comes from the same zone stays the same card there only if the moves say so.
            let works = |zone: &ZoneId| ability.zones >> zone.index() & 1 == 1;
            let mut from = program.zones.ids().filter(|zone| works(zone) && (*zone != to || !program.moves.renews(to, to))).peekable();
            from.peek().is_some() && from.all(|from| program.moves.renews(from, to))
        })
    })
}

/// The zone to which the body of an action surely moves one of the action's arguments. Only the statements before the first branch of the
/// body count, and the actions that they perform.
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
            Op::Builtin { verb: Builtin::Move, args, .. } => {
                if let [what, to, ..] = program.args_of(*args)
                    && is_held(program, *what, &holding)
                    && let Some(Node::Zone(zone, _)) = program.nodes.get(*to)
                {
                    return Some(*zone);
                }
            }
            Op::Perform { verb, args, .. } if follow > 0 => {
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

/// Whether a node is `this` alone, also as a set.
fn is_this(program: &Program, node: NodeId) -> bool {
    match program.nodes.get(node) {
        Some(Node::This) => true,
        Some(Node::List(run)) => matches!(program.args_of(*run), [one] if is_this(program, *one)),
        _ => false,
    }
}
