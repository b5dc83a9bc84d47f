//! Reads facts about subjects of expressions: cards and their lives, who controls them, zones, states, abilities that wait.
//!
//! Input: an evaluation, and nodes or values that name a subject. Output: the fact, or undefined. Operations on values are in `eval`, sets
//! in `sets`, fields in `fields`.

use crate::bits::Spots;
use crate::eval::witnessed::NOW;
use crate::eval::{Eval, floored, unread};
use crate::ids::{CardId, FieldId, Id, NodeId, TextId};
use crate::state::board::{place_of, zone_of};
use crate::state::{Effect, Pending, Waits};
use crate::value::{ObjectId, Place, Player, Value};

impl<'a> Eval<'a> {
    /// The controller of a card: its owner, unless effects in force say otherwise. Of several effects, the latest counts.
    pub(crate) fn controller_of(&mut self, card: Value) -> Option<Player> {
        self.controller_or_nobody(card).filter(|by| *by != Player::NOBODY)
    }

    /// The controller of a card. A card without an owner is controlled by [`Player::NOBODY`]. None if there is no card.
    pub(crate) fn controller_or_nobody(&mut self, card: Value) -> Option<Player> {
        if let Some(object) = self.present(card)
            && self.state.board.held.is_empty()
            && self.state.effects.controlling == 0
        {
            return Some(object.owner);
        }
        let (id, object) = self.object(card)?;
        if self.is_over(card) {
            return Some(self.last_known(card).map_or(object.owner, |row| row.controller));
        }
        let state = self.state;
        let (under, since) = state.board.lies_under(id, object.owner);
        if !state.board.held.is_empty() {
            // Here the controller changes only when the card's place changes.
            self.read(Spots::of_place(object.place));
        }
        if state.effects.controlling == 0 {
            return Some(under);
        }
        let card = state.board.reference(id);
        Some(self.known_controller(card, |eval| eval.controller_by_effects(card, under, since)))
    }

    /// The controller of a card by the effects in force. `under`: the controller without them. Effects before the effect `since` do not count.
    fn controller_by_effects(&mut self, card: Value, under: Player, since: u32) -> Player {
        let (program, state) = (self.program, self.state);
        let mut controller = under;
        // The latest effect counts. Whether an effect counts at all is asked only if the effect applies to the card: other effects decide
        // nothing about it.
        for effect in state.effects.in_force.iter().rev() {
            let Some(clause) = program.clauses.get(effect.clause) else { continue };
            let crate::program::ClauseKind::Control { what, by } = clause.kind else { continue };
            let older = since > 0 && effect.number < since;
            if older
                || !self.applies(effect, clause.condition, what, card)
                || self.silenced(effect).is_some()
                || self.is_shielded(card, effect)
            {
                continue;
            }
            let by = effect.amounts.first().copied().unwrap_or_else(|| self.giver(effect, by));
            if let Some(player) = by.player() {
                controller = player;
                break;
            }
        }
        controller
    }

    /// The player to whom an effect gives control, read without the effect itself, because effects may depend on each other.
    fn giver(&mut self, effect: &'a Effect, by: NodeId) -> Value {
        let mut inner = self.inside(effect);
        if inner.too_deep() || !inner.enter(effect.number) {
            return Value::Undefined;
        }
        let by = inner.value(by);
        let read = inner.reads.get();
        self.read(read);
        by
    }

    /// The reference to the card that a value names. Undefined if the card has become a new object.
    #[must_use]
    pub(crate) fn living_reference(&self, value: Value) -> Value {
        match value {
            Value::Object { id, life } if self.state.board.object(id).is_some_and(|object| object.life == life) => value,
            Value::Zone(place) => self.cards(place).last().map_or(Value::Undefined, |id| self.state.board.reference(*id)),
            Value::List { start, len: 1 } => {
                let only = self.lists.get(start as usize).copied().unwrap_or_default();
                if let Value::Object { .. } = only { self.living_reference(only) } else { Value::Undefined }
            }
            _ => Value::Undefined,
        }
    }

    /// The properties of a card that only some games use. If the card's life is over, the properties that it had at its end.
    pub(crate) fn extra(&mut self, card: NodeId) -> Option<crate::state::board::Extra> {
        let value = self.operand(card);
        let (id, _) = self.object(value)?;
        if self.is_over(value) {
            return self.last_known(value).and_then(|row| row.extra);
        }
        self.state.board.extra(id).copied()
    }

    /// The card that a node names, with its data. A card whose life is over has the data that were last known.
    pub fn card(&mut self, node: NodeId) -> Option<(ObjectId, crate::state::board::Object)> {
        let value = self.operand(node);
        self.object(value)
    }

    /// The card that a value names, as it is now. If its life is over, as it was last known.
    #[inline]
    pub fn object(&self, value: Value) -> Option<(ObjectId, crate::state::board::Object)> {
        // Nearly all cards are read as they are now.
        match (value, self.present(value)) {
            (Value::Object { id, .. }, Some(object)) => Some((id, *object)),
            _ => self.object_or_former(value),
        }
    }

    /// The card that a value names, if the evaluation reads the present and the life that is meant has not ended.
    #[inline]
    fn present(&self, value: Value) -> Option<&'a crate::state::board::Object> {
        let Value::Object { id, life } = value else { return None };
        let object = self.state.board.object(id).filter(|object| object.life == life && self.witness == NOW)?;
        self.read(Spots::of_place(object.place));
        Some(object)
    }

    /// The card that a reference means. It may refer to a card (of any life), to an ability, or to a place (its top card).
    fn object_or_former(&self, value: Value) -> Option<(ObjectId, crate::state::board::Object)> {
        let id = match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => id,
            Value::Zone(place) => *self.cards(place).last()?,
            _ => return None,
        };
        self.state.board.object(id).map(|object| {
            self.read(Spots::of_place(object.place));
            let known = if self.is_over(value) { self.last_known(value) } else { None };
            (id, known.map_or(*object, |row| row.object))
        })
    }

    /// The pool card of the card that a node names. Notes that the card is read.
    pub(crate) fn looked_at(&mut self, card: NodeId) -> Option<&'a crate::program::CardDef> {
        if let Some((id, object)) = self.card(card) {
            self.look_at(id, &object);
        }
        self.pool_card(card)
    }

    /// The pool card that the card of a node is. Notes that the card is read.
    pub(crate) fn card_looked_at(&mut self, card: NodeId) -> Option<CardId> {
        let (_, object) = self.card(card)?;
        self.note_unseen(&object);
        Some(object.card)
    }

    /// Whether a card has a type: the printed type, unless effects change it. If the card's life is over, the types that it had at its end.
    pub(crate) fn is_type(&mut self, card: NodeId, of: u8) -> Value {
        let card = self.operand(card);
        let found = self.object(card);
        if let Some((_, object)) = found {
            self.note_unseen(&object);
        }
        let Some(pool) = (if let Value::Card(card) = card { Some(card) } else { found.map(|(_, object)| object.card) }) else {
            return Value::Undefined;
        };
        let Some(def) = self.program.cards.get(pool) else { return Value::Undefined };
        if let Some((id, object)) = found {
            self.look_at(id, &object);
            if let Some(field) = self.program.type_field
                && (self.state.effects.modifying.get(field.index()).is_some_and(|many| *many > 0) || self.is_over(card))
            {
                let types = self.field_members(card, field);
                return Value::Bool(types.iter().any(|value| matches!(value, Value::Enum(_, which) if *which == of)));
            }
        }
        Value::Bool(def.types.contains(&of))
    }

    pub(crate) fn pool_card(&mut self, node: NodeId) -> Option<&'a crate::program::CardDef> {
        let card = match self.operand(node) {
            Value::Card(card) => card,
            value => self.object(value)?.1.card,
        };
        self.program.cards.get(card)
    }

    pub(crate) fn text(&self, value: Value) -> Option<&'a str> {
        match value {
            Value::Text(text) | Value::Symbol(text) => self.program.texts.get(text).map(String::as_str),
            _ => None,
        }
    }

    pub(crate) fn pending(&mut self, node: NodeId) -> Option<&'a crate::state::Pending> {
        let Value::Pending(number) = self.operand(node) else { return None };
        self.state.events.waiting(number)
    }

    /// A component of a declared option, by its name.
    pub(crate) fn component(&mut self, ability: NodeId, name: TextId) -> Value {
        let Some(pending) = self.pending(ability) else { return Value::Undefined };
        let Waits::Declared(option) = pending.waits else { return Value::Undefined };
        let components = self.program.options.get(option).map_or(&[] as &[TextId], |option| &option.components);
        let at = components.iter().position(|known| *known == name);
        at.and_then(|at| pending.captures.get(at)).copied().unwrap_or_default()
    }

    pub(crate) fn kind_of(&mut self, node: NodeId) -> Option<crate::ids::KindId> {
        match self.operand(node) {
            Value::Ability { ability, .. } => self.program.abilities.get(ability).map(|ability| ability.kind),
            Value::Pending(number) => self.state.events.waiting(number)?.kind(),
            _ => None,
        }
    }

    /// The zone of a card or an ability. A waiting ability outside of all zones has the zone of its source.
    pub(crate) fn resting(&mut self, node: NodeId) -> Option<Place> {
        let value = match self.operand(node) {
            Value::Pending(number) => match self.state.events.waiting(number)? {
                pending if pending.place.is_some() => return pending.place,
                pending => pending.source,
            },
            value => value,
        };
        self.object(value).map(|(_, object)| object.place).filter(|place| *place != Place::NOWHERE)
    }

    pub(crate) fn controller(&mut self, of: NodeId) -> Value {
        match self.operand(of) {
            cause @ Value::Cause { .. } => crate::state::Cause::of(cause).you().map_or(Value::Undefined, Player::value),
            Value::Pending(number) => {
                let pending = self.state.events.waiting(number);
                pending.map_or(Value::Undefined, |pending| self.whose(pending).value())
            }
            Value::Effect(number) => {
                let effect = self.state.effects.get(number);
                effect.map_or(Value::Undefined, |effect| self.you_of(effect).value())
            }
            value => self.controller_of(value).map_or(Value::Undefined, Value::Player),
        }
    }

    /// The controller of a waiting ability. By policy, a triggered ability that has not been taken up is controlled by the present
    /// controller of its card.
    pub(crate) fn whose(&mut self, pending: &Pending) -> Player {
        let open = pending.place.is_none() && pending.ability.is_some() && matches!(pending.waits, Waits::Triggered(..));
        let of_card = self.program.policies.controlled_at_use && open;
        if of_card { self.controller_of(pending.source).unwrap_or(pending.you) } else { pending.you }
    }

    /// The part of its zone in which a card lies, as a value of this enum.
    pub(crate) fn place_in(&mut self, card: NodeId, of: crate::ids::EnumId) -> Value {
        let value = self.operand(card);
        let Some((_, object)) = self.object(value) else { return Value::Undefined };
        let zone = zone_of(self.program, object.place).0;
        let places = self.program.zones.get(zone).and_then(|zone| zone.places);
        match self.extra(card) {
            Some(extra) if places == Some(of) && extra.slot != crate::state::board::NO_SLOT => Value::Enum(of, extra.slot),
            _ => Value::Undefined,
        }
    }

    /// The player who acts, of a cause.
    pub(crate) fn performer(&mut self, of: NodeId) -> Value {
        crate::state::Cause::of(self.operand(of)).performer().map_or(Value::Undefined, Player::value)
    }

    pub(crate) fn source(&mut self, of: NodeId) -> Value {
        match self.operand(of) {
            Value::Pending(number) => {
                let pending = self.state.events.waiting(number);
                pending.map_or(Value::Undefined, |pending| pending.source)
            }
            Value::Ability { of, life, .. } => Value::Object { id: of, life: self.state.board.life_of(of, life) },
            Value::Effect(number) => self.state.effects.get(number).map_or(Value::Undefined, |effect| effect.source),
            cause @ Value::Cause { .. } => crate::state::Cause::of(cause).source(),
            _ => Value::Undefined,
        }
    }

    /// A state of a card or player, or a pool.
    pub fn state_of(&mut self, subject: Value, state: crate::ids::StateId) -> Value {
        let states = self.program.states.len();
        let Some(def) = self.program.states.get(state) else { return Value::Undefined };
        self.read(Spots::of_state(state));
        let value = if def.on_players {
            self.read(Spots::PLAYER_STATES);
            subject.player().and_then(|player| {
                let at = usize::from(player.0) * states + state.index();
                unread::note(at);
                self.state.board.player_states.get(at)
            })
        } else {
            let card = match (subject, self.present(subject)) {
                (Value::Object { id, .. }, Some(object)) => Some((id, *object)),
                _ if self.is_over(subject) => return floored(self.last_state(subject, state), def.at_least),
                _ => self.object(subject),
            };
            if let Some((_, object)) = &card {
                self.note_unseen(object);
            }
            card.and_then(|(id, _)| self.state.board.card_states.get(usize::from(id.0) * states + state.index()))
        };
        floored(value.copied().unwrap_or_default(), def.at_least)
    }

    pub(crate) fn exists(&mut self, node: NodeId) -> bool {
        match self.operand(node) {
            Value::Undefined => false,
            Value::Object { id, life } => self.state.board.object(id).is_some_and(|object| {
                self.read(Spots::of_place(object.place));
                object.life == life
            }),
            Value::Effect(number) => self.state.effects.get(number).is_some(),
            _ => true,
        }
    }

    /// The place of a player's zone. Without a player, the place of the shared zone.
    pub(crate) fn value_of_zone(&mut self, zone: crate::ids::ZoneId, player: NodeId) -> Value {
        match player {
            NodeId::NONE => Value::Zone(place_of(self.program, zone, Player(0))),
            player => self.player(player).map_or(Value::Undefined, |player| Value::Zone(place_of(self.program, zone, player))),
        }
    }

    /// The printed value of a field. Effects are applied elsewhere.
    #[must_use]
    pub fn plain(&self, object: &crate::state::board::Object, field: FieldId) -> Value {
        self.program.printed_value(object.card, field)
    }
}
