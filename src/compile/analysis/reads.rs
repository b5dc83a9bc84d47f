//! Finds what a clause reads to know which cards it applies to, and by how much.
//!
//! Input: the nodes of its set, its condition and its amounts. From the result the engine knows before a game which effects may depend on
//! which, and for which cards a set has to be checked again. Whether one effect in force really depends on another is decided elsewhere.

use crate::Compiler;
use crate::declarations::layers::{LayerOf, LayerVerb};
use engine::ids::{FieldId, NodeId};
use engine::program::{ChangeKind, ClauseKind, ClauseReads, Node, OwnRead, SetPolicy};
use engine::value::Value;

/// Fields that are read.
#[derive(Default)]
struct Fields {
    /// Fields that are read as a whole.
    whole: Vec<FieldId>,
    /// Fields for which only these members are asked.
    members: Vec<(FieldId, Value)>,
}

impl Compiler {
    /// What a clause reads. `of_ability`: the clause belongs to an ability and has no duration.
    pub(crate) fn clause_reads(&self, kind: &ClauseKind, condition: NodeId, layer: u8, of_ability: bool) -> ClauseReads {
        let mut reads = ClauseReads::default();
        let mut fields = Fields::default();
        self.note_reads(condition, &mut reads, &mut fields);
        let sets = of_ability || self.program.policies.sets != SetPolicy::Locked;
        if let (true, Some(what)) = (sets, kind.applies_to()) {
            self.note_reads(what, &mut reads, &mut fields);
            reads.card_alone = self.is_of_card_alone(what);
        }
        let mut layers = vec![layer];
        if let ClauseKind::Modify { changes, .. } = kind {
            layers.clear();
            for change in changes {
                layers.push(change.layer);
                if of_ability {
                    self.note_reads(change.value, &mut reads, &mut fields);
                }
            }
        }
        if let (true, ClauseKind::Grant { like, .. }) = (of_ability, kind) {
            self.note_reads(*like, &mut reads, &mut fields);
        }
        let fixed = match kind {
            ClauseKind::Modify { changes, .. } => {
                changes.iter().all(|change| matches!(self.program.nodes.get(change.value), Some(Node::Const(_))))
            }
            ClauseKind::Grant { like, .. } => *like == NodeId::NONE,
            _ => true,
        };
        if let ClauseKind::Control { by, .. } = kind {
            self.note_reads(*by, &mut reads, &mut fields);
        }
        if of_ability {
            let amounts = if let ClauseKind::Modify { changes, .. } = kind { changes.as_slice() } else { &[] };
            let all = [Some(condition), kind.applies_to()].into_iter().flatten().chain(amounts.iter().map(|change| change.value));
            reads.apart = all.flat_map(|node| self.sets_apart(node)).collect();
        }
        let described =
            matches!(kind, ClauseKind::Modify { .. } | ClauseKind::Grant { .. } | ClauseKind::Strip { .. } | ClauseKind::Disable(_));
        reads.you |= reads.volatile || !of_ability || !described;
        reads.rising = fixed && !reads.volatile && kind.applies_to().is_some_and(|what| self.is_rising(what) && self.is_rising(condition));
        fields.members.retain(|(field, _)| !fields.whole.contains(field));
        reads.fields = fields.whole;
        reads.fields.extend(fields.members.iter().map(|(field, _)| *field));
        reads.members = fields.members;
        reads.entangled = !self.program.layers.is_empty() && layers.iter().any(|layer| self.is_entangled(&reads, *layer, of_ability));
        reads
    }

    /// Whether an effect of this layer could change a value that the clause reads.
    fn is_entangled(&self, reads: &ClauseReads, layer: u8, of_ability: bool) -> bool {
        const OPS: [ChangeKind; 11] = [
            ChangeKind::AddPrinted,
            ChangeKind::RemovePrinted,
            ChangeKind::SetPrinted,
            ChangeKind::Set,
            ChangeKind::Add,
            ChangeKind::Subtract,
            ChangeKind::Multiply,
            ChangeKind::Divide,
            ChangeKind::Floor,
            ChangeKind::Provide,
            ChangeKind::Remove,
        ];
        let silencing =
            [LayerVerb::Strip, LayerVerb::Disable].iter().any(|verb| self.find_layer(&[*verb], &[LayerOf::Ability]) == Some(layer));
        let granting = self.find_layer(&[LayerVerb::Grant], &[LayerOf::Ability]) == Some(layer);
        let fields = reads.fields.iter().any(|field| OPS.iter().any(|op| self.find_change(*op, *field) == Some(layer)));
        fields || silencing && (of_ability || reads.abilities) || granting && reads.abilities
    }

    /// The expressions in a node that go through a set and depend on nothing outside of themselves, except for bound values: each with the
    /// least number of the bound values that stand in it.
    fn sets_apart(&self, node: NodeId) -> Vec<(NodeId, u8)> {
        let mut found = Vec::new();
        self.walk_ids(node, &mut |node| {
            let walks = matches!(self.program.nodes.get(node), Some(Node::Count(_) | Node::Some(..) | Node::All(..) | Node::Fold(..)));
            let (mut least, mut apart) = (u8::MAX, walks);
            if walks {
                self.walk(node, &mut |inner| match inner {
                    Node::Bound(at) => least = least.min(*at),
                    Node::Local(_) | Node::EventArg(..) => apart = false,
                    _ => {}
                });
            }
            if apart {
                found.push((node, least));
            }
        });
        found
    }

    fn note_reads(&self, node: NodeId, reads: &mut ClauseReads, fields: &mut Fields) {
        let mut derived = Vec::new();
        let mut note = |fields: &mut Fields, field: FieldId| {
            if !fields.whole.contains(&field) {
                fields.whole.push(field);
                derived.extend(self.program.fields.get(field).and_then(|field| field.derived));
            }
        };
        self.walk(node, &mut |node| match *node {
            Node::FieldHas(_, field, what) => match (self.program.nodes.get(what), self.program.fields.get(field)) {
                (Some(Node::Const(member)), Some(def)) if def.set && def.derived.is_none() => {
                    let asked = (field, *member);
                    if !fields.members.contains(&asked) {
                        fields.members.push(asked);
                    }
                }
                _ => note(fields, field),
            },
            Node::You => reads.you = true,
            node => match node.own_read() {
                OwnRead::Field(field) => note(fields, field),
                OwnRead::Types => {
                    if let Some(field) = self.program.type_field {
                        note(fields, field);
                    }
                }
                OwnRead::Abilities => reads.abilities = true,
                OwnRead::Control => reads.controllers = true,
                OwnRead::State(state) => reads.states |= engine::bits::StateSet::of(state),
                // What moves, copies and turned cards change is compared where the effect is looked at again.
                OwnRead::Nothing | OwnRead::Frame | OwnRead::Zone(_) | OwnRead::AllZones => {}
                OwnRead::Place | OwnRead::Life | OwnRead::Lying | OwnRead::Identity | OwnRead::TextBox => {}
                // These begin and end without a change of the board.
                OwnRead::Permits(_) | OwnRead::Assumes(_) | OwnRead::Effects | OwnRead::History | OwnRead::Waiting => reads.volatile = true,
                OwnRead::Flow | OwnRead::Decider | OwnRead::Verdicts | OwnRead::Legality | OwnRead::Sight => reads.volatile = true,
            },
        });
        for node in derived {
            self.note_reads(node, reads, fields);
        }
    }

    /// Whether a set or a condition can only grow when fields that hold sets get more members: a card that is in the set, or fulfils the
    /// condition, stays so. This is sure if every question about a member stands where "yes" cannot exclude anything.
    fn is_rising(&self, node: NodeId) -> bool {
        match self.program.nodes.get(node).copied() {
            Some(Node::And(a, b) | Node::Or(a, b) | Node::Where(a, b) | Node::Union(a, b) | Node::Joined(a, b)) => {
                self.is_rising(a) && self.is_rising(b)
            }
            Some(Node::FieldHas(card, field, what)) => !self.is_derived(field) && !self.asks_members(card) && !self.asks_members(what),
            _ => !self.asks_members(node),
        }
    }

    /// Whether an expression contains a question about membership in a card's set-valued field.
    fn asks_members(&self, node: NodeId) -> bool {
        let mut asks = false;
        self.walk(node, &mut |node| {
            asks |= match node {
                Node::FieldHas(..) => true,
                Node::Field(_, field) | Node::Printed(_, field) => self.is_derived(*field),
                Node::IsType(..) => self.program.type_field.is_some_and(|field| self.is_derived(field)),
                _ => false,
            };
        });
        asks
    }

    fn is_derived(&self, field: FieldId) -> bool {
        self.program.fields.get(field).is_none_or(|field| field.derived.is_some())
    }

    /// Whether a set consists of cards of fixed zones, and membership depends only on the card itself.
    fn is_of_card_alone(&self, set: NodeId) -> bool {
        match self.program.nodes.get(set).copied() {
            Some(Node::Where(inner, condition)) => self.is_of_card_alone(inner) && self.of_card(condition, &mut vec![true]).is_some(),
            Some(Node::Union(a, b) | Node::Joined(a, b) | Node::Except(a, b)) => self.is_of_card_alone(a) && self.is_of_card_alone(b),
            Some(node @ (Node::ZoneOfAll(_) | Node::Zone(..))) => self.is_fixed_place(node, &mut Vec::new()),
            _ => false,
        }
    }

    fn is_fixed_place(&self, node: Node, bound: &mut Vec<bool>) -> bool {
        match node {
            Node::ZoneOfAll(_) | Node::Zone(_, NodeId::NONE) => true,
            Node::Zone(_, player) => self.of_card(player, bound) == Some(false),
            _ => false,
        }
    }

    /// Whether an expression depends on one card only. The result says whether the value of the expression is that card. None if the
    /// expression depends on more. `bound` says which of the bound values are that card.
    fn of_card(&self, node: NodeId, bound: &mut Vec<bool>) -> Option<bool> {
        let mut all = |nodes: &[NodeId]| nodes.iter().all(|node| self.of_card(*node, bound).is_some()).then_some(false);
        match *self.program.nodes.get(node)? {
            Node::Bound(at) => bound.get(usize::from(at)).copied(),
            Node::Const(_) | Node::You | Node::This => Some(false),
            Node::Not(a) | Node::Negate(a) | Node::Opponent(a) | Node::NextPlayer(a) => all(&[a]),
            Node::And(a, b) | Node::Or(a, b) | Node::Compare(_, a, b) | Node::Arithmetic(_, a, b) => all(&[a, b]),
            Node::Least(a, b) | Node::Greatest(a, b) | Node::TextContains(a, b) => all(&[a, b]),
            Node::If(condition, args) => all(&[condition]).and_then(|_| all(self.program.args_of(args))),
            Node::With { value, body } => {
                let value = self.of_card(value, bound)?;
                bound.push(value);
                let found = self.of_card(body, bound);
                bound.pop();
                found
            }
            Node::In(card, set) => {
                let place = self.program.nodes.get(set).is_some_and(|set| self.is_fixed_place(*set, bound));
                (place && self.of_card(card, bound) == Some(true)).then_some(false)
            }
            Node::FieldHas(card, field, what) => {
                self.of_card(what, bound)?;
                (self.of_card(card, bound) == Some(true) && self.is_printed_field(field)).then_some(false)
            }
            Node::Field(card, field) | Node::Printed(card, field) => {
                let single = self.program.fields.get(field).is_some_and(|field| !field.set);
                (single && self.of_card(card, bound) == Some(true) && self.is_printed_field(field)).then_some(false)
            }
            Node::Owner(card) | Node::Controller(card) | Node::ZoneOf(card) | Node::FaceUp(card) | Node::CardOf(card) => {
                (self.of_card(card, bound) == Some(true)).then_some(false)
            }
            Node::CardName(card) | Node::HasEffect(card) | Node::IsType(card, _) | Node::IsCard(card, _) => {
                (self.of_card(card, bound) == Some(true)).then_some(false)
            }
            _ => None,
        }
    }

    /// Whether a field is printed on cards, so that only effects change it.
    fn is_printed_field(&self, field: FieldId) -> bool {
        self.program.fields.get(field).is_some_and(|field| field.derived.is_none() && !field.on_players)
    }
}
