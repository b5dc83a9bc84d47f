//! Finds the cards to which an effect in force applies, and whether the effect counts now.

use crate::effects::leaves_newcomers_out;
use crate::eval::Eval;
use crate::eval::fields::is_one_of;
use crate::ids::{ClauseId, FieldId, NodeId};
use crate::program::{Node, OwnRead, Seen, SetPolicy, children};
use crate::state::board::zone_of;
use crate::state::{Effect, Extent};
use crate::value::Value;
use std::borrow::Cow;

impl<'a> Eval<'a> {
    /// The cards to which an effect grants abilities (the members of the extent). If the effect grants abilities like those of the set
    /// `like`, the extent also holds the members of that set.
    pub(crate) fn granted_by(&mut self, effect: &'a Effect, like: NodeId) -> Cow<'a, Extent> {
        let Some(clause) = self.program.clauses.get(effect.clause) else { return Cow::default() };
        let Some(what) = clause.kind.applies_to() else { return Cow::default() };
        if !self.program.layers.is_empty() {
            let part = self.state.effects.order.iter().find(|part| part.effect == effect.number);
            let mut extent = part.and_then(|part| part.extent.as_deref()).map(Cow::Borrowed).unwrap_or_default();
            if self.state.effects.shielding > 0 {
                extent.to_mut().members.retain(|member| !self.is_shielded(*member, effect));
            }
            return extent;
        }
        let mut inner = self.inside(effect);
        if self.silenced(effect).is_some() || !inner.enter(effect.number) || !inner.holds(clause.condition) {
            return Cow::default();
        }
        let mut members = inner.members_now(effect, what);
        members.retain(|member| !self.is_shielded(*member, effect));
        let many = if like == NodeId::NONE { Vec::new() } else { self.amounts_of(effect, 0, like) };
        Cow::Owned(Extent { members, many, ..Extent::default() })
    }

    /// Whether an effect in force applies to a card. Its condition has to be true, and the card has to be one of those on which the effect
    /// began. The card of a static effect has to be in the effect's set now. The condition is read without the effect itself.
    pub(crate) fn applies(&mut self, effect: &'a Effect, condition: NodeId, what: NodeId, member: Value) -> bool {
        // Most effects were begun on a few cards, so most cards can be ruled out at once.
        let mut known = None;
        if let Some(targets) = &effect.targets {
            let pinned = effect.pinned.contains(&member);
            let sets = self.program.policies.sets;
            let live = sets == SetPolicy::LockedInPublicZones && self.lies_unseen(member);
            let described = leaves_newcomers_out(self.program, what);
            if !pinned && (described && self.is_newcomer(effect, member) || !live && !described && !is_one_of(targets, member)) {
                return false;
            }
            known = (pinned || !live && !described && !sets.falls_out()).then_some(true);
        }
        let mut inner = self.inside(effect);
        // Some cards lie elsewhere, or the set never holds them. These are ruled out before the effect counts as read. So the effect stands
        // in no circle because of them.
        let elsewhere = self.program.layers.is_empty() && effect.targets.is_none() && effect.pinned.is_empty();
        if elsewhere && (inner.lies_elsewhere(what, member) || self.readings > 0 && inner.never_fits(what, member)) {
            return false;
        }
        let question = self.question(effect, member);
        let mut applies = |inner: &mut Eval<'a>| {
            known.unwrap_or_else(|| inner.is_among(effect, what, member)) && inner.begins_to_ask(condition) && inner.holds(condition)
        };
        let applies = self.asking(&mut inner, effect.number, question, &mut applies).unwrap_or(false);
        self.overflow |= inner.overflow;
        self.peeked |= inner.peeked;
        if !self.program.layers.is_empty() {
            // A game with layers keeps the results. So everything that was read to find the controller of a card counts as read here.
            self.read(inner.reads.get());
        }
        applies
    }

    /// Whether a card, or the card of an ability, is no member of a set because of the place where it lies. Nothing else is looked at.
    fn lies_elsewhere(&mut self, set: NodeId, member: Value) -> bool {
        match self.program.nodes.get(set).copied() {
            Some(Node::Where(inner, _)) => self.lies_elsewhere(inner, member),
            Some(Node::AbilitiesOfAll(cards)) => {
                let card = self.card_bearing(member);
                self.lies_elsewhere(cards, card)
            }
            Some(Node::Zone(_, player)) => {
                let mut of = player;
                while let Some(Node::Opponent(other)) = self.program.nodes.get(of) {
                    of = *other;
                }
                let fixed = of == NodeId::NONE || matches!(self.program.nodes.get(of), Some(Node::You | Node::Const(_)));
                fixed && !self.contains(set, member)
            }
            Some(Node::ZoneOfAll(_) | Node::This) => !self.contains(set, member),
            _ => false,
        }
    }

    /// Whether a member, or the card of an ability, fails a part of a set's condition that no effect in force can change.
    fn never_fits(&mut self, set: NodeId, member: Value) -> bool {
        match self.program.nodes.get(set).copied() {
            Some(Node::Where(inner, condition)) => self.never_fits(inner, member) || self.bind(member, |eval| eval.never_holds(condition)),
            Some(Node::AbilitiesOfAll(cards)) => {
                let card = self.card_bearing(member);
                self.never_fits(cards, card)
            }
            _ => false,
        }
    }

    fn never_holds(&mut self, condition: NodeId) -> bool {
        match self.program.nodes.get(condition).copied() {
            Some(Node::And(a, b)) => self.never_holds(a) || self.never_holds(b),
            _ => self.is_fixed(condition) && !self.holds(condition),
        }
    }

    /// Whether a value depends only on things that no effect in force changes.
    fn is_fixed(&self, node: NodeId) -> bool {
        let Some(node) = self.program.nodes.get(node) else { return false };
        let mut fixed = match node.own_read() {
            OwnRead::Field(field) => self.is_fixed_field(field),
            OwnRead::Types => self.program.type_field.is_none_or(|field| self.is_fixed_field(field)),
            OwnRead::Nothing | OwnRead::Identity => true,
            _ => matches!(node, Node::Bound(_)),
        };
        children(node, self.program, &mut |child| fixed = fixed && self.is_fixed(child));
        fixed
    }

    /// Whether no effect in force changes a field, and the field is not computed from other values.
    fn is_fixed_field(&self, field: FieldId) -> bool {
        !self.may_change(field) && self.program.fields.get(field).is_some_and(|def| def.derived.is_none())
    }

    /// Whether a card, or the card of an ability, lies in a zone that is not public.
    pub(crate) fn lies_unseen(&self, member: Value) -> bool {
        let card = if let Value::Ability { .. } = member { self.card_bearing(member) } else { member };
        let Some((_, object)) = self.object(card) else { return false };
        let (zone, _) = zone_of(self.program, object.place);
        self.program.zones.get(zone).is_some_and(|zone| zone.seen != Seen::ByAll)
    }

    /// Whether a card, or the card of an ability, has come to its public zone since the effect began.
    pub(crate) fn is_newcomer(&mut self, effect: &Effect, member: Value) -> bool {
        let card = if let Value::Ability { .. } = member { self.card_bearing(member) } else { member };
        matches!(card, Value::Object { .. }) && !self.lies_unseen(card) && !is_one_of(&effect.there, card)
    }

    /// Whether a card belongs to the cards on which an effect was begun, or (static effect) to the effect's set now. `self` is an
    /// evaluation of the effect's clause.
    pub(crate) fn is_among(&mut self, effect: &Effect, what: NodeId, member: Value) -> bool {
        let sets = self.program.policies.sets;
        let falls_out = sets.falls_out();
        match &effect.targets {
            _ if effect.pinned.contains(&member) => true,
            Some(_) if sets == SetPolicy::LockedInPublicZones && self.lies_unseen(member) => self.contains(what, member),
            Some(_) if leaves_newcomers_out(self.program, what) => !self.is_newcomer(effect, member) && self.contains(what, member),
            Some(targets) => is_one_of(targets, member) && (!falls_out || self.contains(what, member)),
            None => self.contains(what, member),
        }
    }

    /// Whether the clause of an effect in force counts now: its condition is true, and its ability is neither disabled nor taken away.
    pub(crate) fn is_active(&mut self, effect: &'a Effect, clause: ClauseId) -> bool {
        let Some(clause) = self.program.clauses.get(clause) else { return false };
        if self.silenced(effect).is_some() {
            return false;
        }
        if clause.condition == NodeId::NONE {
            return self.may_enter(effect.number);
        }
        let mut inner = self.inside(effect);
        inner.enter(effect.number) && self.read_deeply(&mut inner, &mut |inner| inner.holds(clause.condition))
    }
}
