//! Completes a program at the end of compiling: finds the cards that names stand for, and what the program reads of cards that are gone.

use crate::Compiler;
use engine::ids::{CitesId, FieldId, Id, NodeId, TextId};
use engine::program::{Builtin, ClauseDef, ClauseKind, Follows, GoneReads, Node, Op, Principle, Program, VerbDef, children, parts};
use engine::value::Value;

impl Compiler {
    /// Fills in everything that is known only once all rules and cards are compiled.
    pub(crate) fn complete(&self, program: &mut Program) {
        let named: Vec<(NodeId, TextId)> =
            program.nodes.iter().filter_map(|(id, node)| if let Node::PoolCard(name) = node { Some((id, *name)) } else { None }).collect();
        for (id, name) in &named {
            let found = program.texts.get(*name).map(|name| self.cards_called(name));
            if let (Some([card]), Some(node)) = (found.as_deref(), program.nodes.get_mut(*id)) {
                *node = Node::Const(Value::Card(*card));
            }
        }
        // Nodes are only added. An earlier node can have changed only if it is a card's name for which a card is known now.
        let same = |earlier: &&Program| {
            earlier.nodes.len() <= program.nodes.len()
                && named.iter().all(|(id, _)| id.index() >= earlier.nodes.len() || earlier.nodes.get(*id) == program.nodes.get(*id))
        };
        let earlier = self.earlier.as_ref().map(|earlier| earlier.program().as_ref()).filter(same);
        debug_assert!(earlier.is_none_or(|earlier| program.nodes.rows().starts_with(earlier.nodes.rows())), "nodes are only added");
        program.common = earlier.map_or(0, |earlier| earlier.nodes.len());
        let earlier = earlier.filter(|earlier| program.known_from(earlier) > 0);
        crate::expressions::event::keep_asked(program);
        program.owned = program.zones.rows().iter().any(|zone| zone.owns);
        program.controlled = program.zones.rows().iter().any(|zone| zone.controls);
        program.extras = needs_extras(program);
        program.gone = late(program, earlier);
        crate::analysis::witnessed::keep_witnessed(program);
        program.asks_part = asks_part(program, earlier);
        program.notes_part = program.asks_part || moves_may_fall_out(program);
    }
}

/// Whether effects may keep an action that is its moves from moving its cards.
fn moves_may_fall_out(program: &Program) -> bool {
    let keeps_off = |clause: &ClauseDef| matches!(clause.kind, ClauseKind::Forbid(_) | ClauseKind::Instead { .. });
    program.verbs.rows().iter().any(VerbDef::is_its_moves) && program.clauses.rows().iter().any(keeps_off)
}

/// Whether the program asks if an instruction was done in part. A question does not count if a reading has folded it away.
fn asks_part(program: &Program, earlier: Option<&Program>) -> bool {
    if earlier.is_some_and(|earlier| earlier.asks_part) {
        return true;
    }
    let is_part = |node: &NodeId| program.nodes.get(*node) == Some(&Node::PartlyDone);
    if !program.nodes.rows().iter().any(|node| matches!(node, Node::PartlyDone)) {
        return false;
    }
    let inner = program.nodes.rows().iter().skip(earlier.map_or(0, |earlier| earlier.nodes.len())).any(|node| {
        let mut asks = false;
        children(node, program, &mut |child| asks |= is_part(&child));
        asks
    });
    let alone = program.code.rows().iter().any(|op| {
        let mut asks = false;
        op.operands(program, &mut |node| asks |= is_part(&node));
        asks
    });
    inner || alone || program.arg_nodes.iter().any(is_part)
}

/// Whether the program uses card properties that only some games need.
fn needs_extras(program: &Program) -> bool {
    let zones = program.zones.rows().iter().any(|zone| zone.places.is_some() || zone.redirects || zone.owns || zone.follows != Follows::No);
    let verbs = program
        .code
        .rows()
        .iter()
        .any(|op| matches!(op, Op::Builtin { verb: Builtin::Attach | Builtin::Detach | Builtin::Make | Builtin::Become, .. }));
    let nodes = program.nodes.rows().iter().any(|node| {
        matches!(node, Node::PlaceIn(..) | Node::Host(_) | Node::Attached(_) | Node::Original(_) | Node::Arrived(_) | Node::IsMade(_))
    });
    zones || verbs || nodes || program.policies.granted_as_old_as_card
}

/// What the program reads of cards that may be gone. The expressions of an earlier program are not walked again.
fn late(program: &Program, earlier: Option<&Program>) -> GoneReads {
    let type_changes = |program: &Program| program.type_field.is_some_and(|field| changes(program, field));
    let earlier = earlier.filter(|earlier| type_changes(earlier) == type_changes(program));
    let known = earlier.map_or(0, |earlier| earlier.nodes.len());
    let mut late = GoneReads { states: vec![false; program.states.len()], ..GoneReads::default() };
    if program.zones.ids().all(|from| program.zones.ids().all(|to| from == to || !program.moves.renews(from, to))) {
        return late;
    }
    // The place of a card that is gone is needed in two cases: the trace says where an ability without effect lay, and, where zones own
    // cards, the place says whose the card was.
    late.place = program.principle(Principle::Invalid) != CitesId::default() || program.owned;
    if let Some(earlier) = earlier {
        let before = &earlier.gone;
        (late.states, late.fields, late.attached) = (before.states.clone(), before.fields, before.attached);
        late.place |= before.place;
    }
    let mut inner = vec![false; program.nodes.len().saturating_sub(known)];
    for node in program.nodes.rows().iter().skip(known) {
        children(node, program, &mut |child| {
            if let Some(inner) = child.index().checked_sub(known).and_then(|at| inner.get_mut(at)) {
                *inner = true;
            }
        });
    }
    let roots = program.nodes.ids().skip(known).zip(inner).filter_map(|(node, inner)| (!inner).then_some(node));
    for root in roots {
        look(program, root, &mut Vec::new(), &mut late);
    }
    late
}

/// Checks an expression. `bound` says for each surrounding binder whether its members are surely in the game.
fn look(program: &Program, id: NodeId, bound: &mut Vec<bool>, late: &mut GoneReads) {
    let Some(node) = program.nodes.get(id) else { return };
    match *node {
        Node::Field(card, _) | Node::FieldHas(card, ..) | Node::Printed(card, _) if !fresh(program, card, bound) => late.fields = true,
        Node::IsType(card, _) if program.type_field.is_some_and(|field| changes(program, field)) && !fresh(program, card, bound) => {
            late.fields = true;
        }
        Node::State(card, state) if !fresh(program, card, bound) => {
            if let Some(slot) = late.states.get_mut(state.index())
                && program.states.get(state).is_some_and(|state| !state.on_players)
            {
                *slot = true;
            }
        }
        Node::ZoneOf(card)
        | Node::FaceUp(card)
        | Node::PlaceIn(card, _)
        | Node::Host(card)
        | Node::Original(card)
        | Node::Arrived(card)
            if !fresh(program, card, bound) =>
        {
            late.place = true
        }
        Node::Attached(card) if !fresh(program, card, bound) => late.attached = true,
        _ => {}
    }
    parts(node, program, &mut |child, of| match of {
        Some(of) => under(program, fresh(program, of, bound), child, bound, late),
        None => look(program, child, bound, late),
    });
}

/// Whether a clause changes a field.
fn changes(program: &Program, field: FieldId) -> bool {
    let changes = |clause: &ClauseDef| match &clause.kind {
        ClauseKind::Modify { changes, .. } => changes.iter().any(|change| change.field == field),
        _ => false,
    };
    program.clauses.rows().iter().any(changes)
}

fn under(program: &Program, fresh: bool, body: NodeId, bound: &mut Vec<bool>, late: &mut GoneReads) {
    bound.push(fresh);
    look(program, body, bound, late);
    bound.pop();
}

/// Whether the value of an expression is surely in the game now, because it was just taken from a zone.
fn fresh(program: &Program, id: NodeId, bound: &[bool]) -> bool {
    let Some(node) = program.nodes.get(id) else { return true };
    match *node {
        Node::Bound(at) => bound.get(usize::from(at)).copied().unwrap_or(false),
        Node::Zone(..) | Node::ZoneOfAll(_) | Node::End(..) | Node::Ends(..) => true,
        Node::Players
        | Node::Catalogue
        | Node::Opponents(_)
        | Node::Team(_)
        | Node::Captain(_)
        | Node::EnumValues(_)
        | Node::You
        | Node::Opponent(_)
        | Node::NextPlayer(_) => true,
        Node::Only(set) | Node::Where(set, _) | Node::Except(set, _) | Node::Named(set, _) => fresh(program, set, bound),
        Node::Union(a, b) | Node::Joined(a, b) => fresh(program, a, bound) && fresh(program, b, bound),
        Node::List(members) => program.args_of(members).iter().all(|member| fresh(program, *member, bound)),
        _ => false,
    }
}
