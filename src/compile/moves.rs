//! `moves { … }`: what a card keeps on its way from one zone to another; and what a program reads of cards that are gone.

use super::Compiler;
use super::nodes::children;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::{CitesId, FieldId, Id, NodeId, StateId, TextId, ZoneId};
use crate::engine::program::{Builtin, Carry, ClauseDef, ClauseKind, Follows, Late, Looks, Moves, Node, Op, Principle, Program};
use crate::engine::value::Value;
use crate::syntax::ast::{Head, MoveRow, Name};

/// Which triggers hear of a move.
const LOOKS: [(&str, Looks); 3] = [("after", Looks::After), ("before", Looks::Before), ("both", Looks::Both)];

/// What a row can keep, besides declared states.
const KEPT: [&str; 6] = ["identity", "nothing", "states", "attachments", "effects", "applied"];

impl Compiler {
    /// Pair by pair the last row that fits and says something of the matter counts.
    pub(super) fn moves(&mut self, head: &Head, rows: &[MoveRow]) {
        self.once("moves", head.span);
        let zones = self.program.zones.len();
        let mut table = vec![Carry::default(); zones * zones];
        for row in rows {
            let (from, to) = (self.zones_named(&row.from), self.zones_named(&row.to));
            let kept = self.kept(&row.keeps);
            let before = row.reads.as_ref().and_then(|word| self.reads_before(word));
            let heard = row.heard.as_ref().and_then(|word| self.side_of_move(word));
            let cites = self.cites(&row.cites);
            for (a, b) in from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b))) {
                let Some(carry) = table.get_mut(a.index() * zones + b.index()) else { continue };
                if let Some(kept) = &kept {
                    *carry = Carry { before: carry.before, heard: carry.heard, cites, ..kept.clone() };
                }
                carry.before = before.unwrap_or(carry.before);
                carry.heard = heard.or(carry.heard);
            }
        }
        let mut moves = Moves { zones, ..Moves::default() };
        for carry in table {
            let known = moves.carries.iter().position(|known| *known == carry);
            let at = known.unwrap_or_else(|| {
                moves.carries.push(carry);
                moves.carries.len() - 1
            });
            moves.pairs.push(at as u16);
        }
        self.program.moves = moves;
    }

    /// The zones that are named; all where none is.
    fn zones_named(&mut self, names: &[Name]) -> Vec<ZoneId> {
        if names.is_empty() {
            return self.program.zones.ids().collect();
        }
        names.iter().filter_map(|name| self.declared("zone", |symbols| &symbols.zones, name)).collect()
    }

    fn kept(&mut self, names: &[Name]) -> Option<Carry> {
        let mut carry = Carry::default();
        for name in names {
            match name.text.as_str() {
                "identity" => carry.identity = true,
                "nothing" => {}
                "attachments" => carry.attachments = true,
                "effects" => carry.effects = true,
                "applied" => (carry.effects, carry.applied) = (true, true),
                "states" => {
                    let states = self.program.states.iter().filter(|(_, state)| !state.on_players);
                    carry.states = states.map(|(id, _)| id).collect();
                }
                _ => match self.symbols.states.id::<StateId>(&name.text) {
                    Some(state) => carry.states.push(state),
                    None => {
                        let states: Vec<String> = self.symbols.states.words().map(str::to_owned).collect();
                        self.unknown("thing that a move can keep", name, KEPT.into_iter().chain(states.iter().map(String::as_str)));
                    }
                },
            }
        }
        // What applies to it because of where it lies is no part of a card's identity.
        let parts = names.iter().filter(|name| !(carry.identity && name.text == "applied")).count();
        let whole = carry.identity || names.iter().any(|name| name.text == "nothing");
        if let (true, Some(more)) = (whole && parts > 1, names.last()) {
            self.report(Diagnostic::error("E0270", more.span).with("name", &more.text));
        }
        (!names.is_empty()).then_some(carry)
    }

    fn reads_before(&mut self, word: &Name) -> Option<bool> {
        match word.text.as_str() {
            "before" => Some(true),
            "after" => Some(false),
            _ => {
                self.unknown("side of a move", word, ["before", "after"]);
                None
            }
        }
    }

    /// `before`, `after`, `both`: which triggers hear of a move.
    pub(super) fn side_of_move(&mut self, word: &Name) -> Option<Looks> {
        let side = LOOKS.iter().find(|(known, _)| *known == word.text).map(|(_, looks)| *looks);
        if side.is_none() {
            self.unknown("side of a move", word, LOOKS.map(|(known, _)| known));
        }
        side
    }

    /// What is known only when everything has been compiled.
    pub(super) fn settle(&self, program: &mut Program) {
        let named: Vec<(NodeId, TextId)> =
            program.nodes.iter().filter_map(|(id, node)| if let Node::PoolCard(name) = node { Some((id, *name)) } else { None }).collect();
        for (id, name) in &named {
            let found = program.texts.get(*name).map(|name| self.cards_called(name));
            if let (Some([card]), Some(node)) = (found.as_deref(), program.nodes.get_mut(*id)) {
                *node = Node::Const(Value::Card(*card));
            }
        }
        // Nodes are only added, so nothing but the cards that a name stands for can have changed.
        let same = |earlier: &&Program| {
            earlier.nodes.len() <= program.nodes.len()
                && named.iter().all(|(id, _)| id.index() >= earlier.nodes.len() || earlier.nodes.get(*id) == program.nodes.get(*id))
        };
        let earlier = self.earlier.as_ref().map(|earlier| earlier.program().as_ref()).filter(same);
        debug_assert!(earlier.is_none_or(|earlier| program.nodes.rows().starts_with(earlier.nodes.rows())), "nodes are only added");
        program.common = earlier.map_or(0, |earlier| earlier.nodes.len());
        let earlier = earlier.filter(|earlier| program.known_from(earlier) > 0);
        super::event::keep_asked(program);
        program.owned = program.zones.rows().iter().any(|zone| zone.owns);
        program.extras = needs_extras(program);
        program.late = late(program, earlier);
        super::witnessed::keep_witnessed(program);
        program.asks_part = asks_part(program, earlier);
    }
}

/// Whether something asks whether an instruction was carried out in part; what a reading has folded away does not.
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
    let alone = program.code.rows().iter().any(|op| match op {
        Op::JumpUnless { condition: node, .. } | Op::Let { value: node, .. } | Op::SetState { value: node, .. } | Op::Return(node) => {
            is_part(node)
        }
        _ => false,
    });
    inner || alone || program.arg_nodes.iter().any(is_part)
}

/// Whether the program puts on cards, or asks of them, what only some games do.
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
    zones || verbs || nodes
}

/// What the program reads of cards that may be gone. Of the expressions that an earlier program had as well that is known.
fn late(program: &Program, earlier: Option<&Program>) -> Late {
    let type_changes = |program: &Program| program.type_field.is_some_and(|field| changes(program, field));
    let earlier = earlier.filter(|earlier| type_changes(earlier) == type_changes(program));
    let known = earlier.map_or(0, |earlier| earlier.nodes.len());
    let mut late = Late { states: vec![false; program.states.len()], ..Late::default() };
    if program.zones.ids().all(|from| program.zones.ids().all(|to| from == to || !program.moves.renews(from, to))) {
        return late;
    }
    // Where an ability that does nothing lay is told with the rules by which it does not; and where zones own cards it says whose the card was.
    late.place = program.principle(Principle::Invalid) != CitesId::default() || program.owned;
    if let Some(earlier) = earlier {
        (late.states, late.fields, late.place) = (earlier.late.states.clone(), earlier.late.fields, late.place || earlier.late.place);
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

/// Looks through an expression; `bound` says of each binder around whether its members are certainly in the game.
fn look(program: &Program, id: NodeId, bound: &mut Vec<bool>, late: &mut Late) {
    let Some(node) = program.nodes.get(id) else { return };
    match *node {
        Node::Where(set, condition) | Node::Some(set, condition) | Node::All(set, condition) => {
            look(program, set, bound, late);
            return under(program, fresh(program, set, bound), condition, bound, late);
        }
        Node::With { value, body } => {
            look(program, value, bound, late);
            return under(program, fresh(program, value, bound), body, bound, late);
        }
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
        _ => {}
    }
    children(node, program, &mut |child| look(program, child, bound, late));
}

/// Whether a clause changes a field.
fn changes(program: &Program, field: FieldId) -> bool {
    let changes = |clause: &ClauseDef| match &clause.kind {
        ClauseKind::Modify { changes, .. } => changes.iter().any(|change| change.field == field),
        _ => false,
    };
    program.clauses.rows().iter().any(changes)
}

fn under(program: &Program, fresh: bool, body: NodeId, bound: &mut Vec<bool>, late: &mut Late) {
    bound.push(fresh);
    look(program, body, bound, late);
    bound.pop();
}

/// Whether what an expression gives is certainly in the game now: it was just taken from a zone.
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
        Node::Union(a, b) => fresh(program, a, bound) && fresh(program, b, bound),
        Node::List(members) => program.args_of(members).iter().all(|member| fresh(program, *member, bound)),
        _ => false,
    }
}
