//! Expressions: pure, total, evaluated by plain recursion over the program's nodes. Undefined is a value.
//!
//! Deliberately absent: anything that changes the state, asks, or can fail; an arithmetic overflow is noted and gives undefined,
//! and the machine ends the run with a rules error.

use super::board::{place_of, zone_of};
use super::ids::{FieldId, Id, NodeId, TextId};
use super::lane::{PLAYER_STATES, spot};
use super::limits::{BINDERS, EFFECT_DEPTH, NESTED, RANGE};
use super::program::{Arithmetic, Compare, Node, Program};
use super::state::{Effect, State, Waits};
use super::value::{ObjectId, Place, Player, Value};
use std::cell::Cell;

/// What a callback over a set is told for each member; `true` stops.
pub type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, Value) -> bool;

/// An evaluation: where names get their values from.
pub struct Eval<'a> {
    /// The compiled game.
    pub program: &'a Program,
    /// The state that is read.
    pub state: &'a State,
    /// Registers of the frame, or a clause's captures.
    pub locals: &'a [Value],
    /// The list arena that lists among the locals lie in.
    pub lists: &'a [Value],
    /// Who acts.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// The last instruction was carried out in full.
    pub done: bool,
    /// A number left 32 bits.
    pub overflow: bool,
    /// In a trial run: the player for whom it is made.
    pub watcher: Option<Player>,
    /// A property of a card was read that the watcher may not see.
    pub peeked: bool,
    /// Fields are read as printed.
    pub as_printed: bool,
    /// In a game with layers: only so many parts of effects count (all, where nothing is being settled).
    pub upto: u32,
    /// The places that were looked at (see [`super::lane::spot`]).
    pub reads: Cell<u64>,
    bound: [Value; BINDERS],
    depth: usize,
    reading: [u32; EFFECT_DEPTH],
    readings: usize,
    nested: u8,
}

impl<'a> Eval<'a> {
    /// An evaluation with nothing bound.
    #[inline]
    pub fn new(program: &'a Program, state: &'a State, locals: &'a [Value], lists: &'a [Value], you: Player, this: Value) -> Self {
        Eval {
            program,
            state,
            locals,
            lists,
            you,
            this,
            done: false,
            overflow: false,
            watcher: None,
            peeked: false,
            as_printed: false,
            upto: u32::MAX,
            reads: Cell::new(0),
            bound: [Value::Undefined; BINDERS],
            depth: 0,
            reading: [0; EFFECT_DEPTH],
            readings: 0,
            nested: 0,
        }
    }

    /// An evaluation of the clause of an effect, as part of this one.
    pub fn inside(&self, effect: &'a Effect) -> Eval<'a> {
        let mut inner = Eval::new(self.program, self.state, &effect.captures, &effect.lists, self.you_of(effect), effect.source);
        inner.carry_on(self);
        inner
    }

    /// Whose an effect in force is: a static ability's that of whoever controls its card now.
    #[must_use]
    pub fn you_of(&self, effect: &Effect) -> Player {
        let clause = self.program.clauses.get(effect.clause).map(|clause| &clause.kind);
        let itself = matches!(clause, Some(super::program::ClauseKind::Control { .. }));
        if self.state.effects.controlling == 0 || itself || matches!(effect.holds, super::state::Holds::Lasting(_)) {
            return effect.you;
        }
        let mut inner = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
        inner.carry_on(self);
        if inner.too_deep() { effect.you } else { inner.controller_of(effect.source).unwrap_or(effect.you) }
    }

    /// Who controls a card: its owner, unless an effect in force says otherwise; the latest one counts.
    pub fn controller_of(&mut self, card: Value) -> Option<Player> {
        let (id, object) = self.object(card)?;
        if self.is_over(card) {
            return Some(self.state.board.last_known(card).map_or(object.owner, |row| row.controller));
        }
        let (program, state) = (self.program, self.state);
        if state.effects.controlling == 0 {
            return Some(object.owner);
        }
        let (card, mut controller) = (state.board.reference(id), object.owner);
        for effect in &state.effects.in_force {
            let Some(clause) = program.clauses.get(effect.clause) else { continue };
            let super::program::ClauseKind::Control { what, by } = clause.kind else { continue };
            if self.silenced(effect).is_some() {
                continue;
            }
            if self.applies(effect, clause.condition, what, card) {
                let by = effect.amounts.first().copied().unwrap_or_else(|| self.inside(effect).value(by));
                controller = by.player().unwrap_or(controller);
            }
        }
        Some(controller)
    }

    /// The card that a value names, if it still lives the life that is meant; else undefined.
    #[must_use]
    pub fn living_reference(&self, value: Value) -> Value {
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

    /// What only some games put on a card; of a life that is over what it was.
    fn extra(&mut self, card: NodeId) -> Option<super::board::Extra> {
        let value = self.value(card);
        let (id, _) = self.object(value)?;
        if self.is_over(value) {
            return self.state.board.last_known(value).and_then(|row| row.extra);
        }
        self.state.board.extra(id).copied()
    }

    /// Takes over from an evaluation that this one is a part of what is being read, for whom, and how deep it is.
    pub fn carry_on(&mut self, outer: &Eval<'_>) {
        self.reading = outer.reading;
        self.readings = outer.readings;
        self.watcher = outer.watcher;
        self.upto = outer.upto;
        self.nested = outer.nested + 1;
    }

    /// Evaluations are nested deeper than any honest rule needs.
    #[must_use]
    pub fn too_deep(&self) -> bool {
        self.nested > NESTED
    }

    /// Notes that an effect is being read; `false` when it is already being read further out: it then counts as not there.
    pub fn enter(&mut self, effect: u32) -> bool {
        let busy = self.reading.iter().take(self.readings).any(|number| *number == effect);
        match self.reading.get_mut(self.readings) {
            Some(slot) if !busy => {
                *slot = effect;
                self.readings += 1;
                true
            }
            _ => false,
        }
    }

    /// Notes that something of what these bits mean was looked at.
    #[inline]
    pub fn read(&self, spots: u64) {
        self.reads.set(self.reads.get() | spots);
    }

    /// The cards of a place, bottom first.
    #[inline]
    fn cards(&self, place: Place) -> &'a [ObjectId] {
        self.read(spot(place));
        self.state.board.cards(place)
    }

    /// The condition holds. No condition always does.
    #[inline]
    pub fn holds(&mut self, node: NodeId) -> bool {
        node == NodeId::NONE || self.value(node).is_true()
    }

    /// A number; undefined is none.
    #[inline]
    pub fn number(&mut self, node: NodeId) -> Option<i32> {
        self.value(node).number()
    }

    /// The player that a node names.
    #[inline]
    pub fn player(&mut self, node: NodeId) -> Option<Player> {
        self.value(node).player()
    }

    /// The value of a node; a set as a value is a zone, a list, or undefined.
    pub fn value(&mut self, id: NodeId) -> Value {
        let Some(&node) = self.program.nodes.get(id) else { return Value::Undefined };
        match node {
            Node::Const(value) => value,
            Node::Local(reg) => self.locals.get(usize::from(reg.0)).copied().unwrap_or_default(),
            Node::Bound(at) => self.bound.get(usize::from(at)).copied().unwrap_or_default(),
            Node::You => Value::Player(self.you),
            Node::This => self.this,
            Node::Done => Value::Bool(self.done),
            Node::Turn => Value::Number(self.state.board.turn as i32),
            Node::Not(a) => Value::Bool(!self.value(a).is_true()),
            Node::And(a, b) => Value::Bool(self.value(a).is_true() && self.value(b).is_true()),
            Node::Or(a, b) => Value::Bool(self.value(a).is_true() || self.value(b).is_true()),
            Node::Negate(a) => {
                let number = self.number(a);
                self.checked(number, i32::checked_neg)
            }
            Node::Arithmetic(how, a, b) => self.arithmetic(how, a, b),
            Node::Compare(how, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Value::Bool(compare(how, a, b))
            }
            Node::If(condition, args) => self.either(condition, args),
            Node::With { value, body } => {
                let value = self.value(value);
                self.bind(value, |eval| eval.value(body))
            }
            Node::In(a, set) => {
                let member = self.value(a);
                Value::Bool(member != Value::Undefined && self.contains(set, member))
            }
            Node::Field(card, field) => {
                let card = self.value(card);
                self.field(card, field)
            }
            Node::Printed(card, field) => {
                let card = self.value(card);
                self.printed(card, field)
            }
            Node::FieldHas(card, field, what) => {
                let (card, what) = (self.value(card), self.value(what));
                Value::Bool(what != Value::Undefined && self.field_has(card, field, what))
            }
            Node::State(subject, state) => {
                let subject = self.value(subject);
                self.state_of(subject, state)
            }
            Node::Owner(card) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Player(object.owner)),
            Node::Controller(of) => self.controller(of),
            Node::Source(of) => self.source(of),
            Node::ZoneOf(card) => {
                let place = self.card(card).map(|(_, object)| object.place).filter(|place| *place != Place::NOWHERE);
                place.map_or(Value::Undefined, Value::Zone)
            }
            Node::FaceUp(card) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Bool(object.face_up)),
            Node::PlaceIn(card, of) => self.place_in(card, of),
            Node::Host(card) => self.extra(card).map_or(Value::Undefined, |extra| extra.host),
            Node::Original(card) => self.extra(card).map_or(Value::Undefined, |extra| extra.original),
            Node::Arrived(card) => self.extra(card).map_or(Value::Undefined, |extra| Value::Number(extra.arrived as i32)),
            Node::IsMade(card) => self.extra(card).map_or(Value::Undefined, |extra| Value::Bool(extra.made)),
            Node::Now(card) => {
                let value = self.value(card);
                let present = self.object(value).and_then(|(id, _)| self.state.board.object(id).map(|object| (id, object.place)));
                match present {
                    Some((id, place)) if place != Place::NOWHERE => self.state.board.reference(id),
                    _ => Value::Undefined,
                }
            }
            Node::IsType(card, of) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Bool(card.of == of)),
            Node::Decider(player) => self.player(player).map_or(Value::Undefined, |player| Value::Player(self.state.board.decider(player))),
            Node::PoolCard(_) => Value::Undefined,
            Node::HasEffect(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Bool(card.has_effect)),
            Node::CardName(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Text(card.name)),
            Node::CardOf(card) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Card(object.card)),
            Node::IsCard(card, which) => self.card(card).map_or(Value::Undefined, |(_, object)| Value::Bool(object.card == which)),
            Node::IsKind(ability, kind) => Value::Bool(self.kind_of(ability) == Some(kind)),
            Node::IsMoment(ability, moment) => {
                let waits = self.pending(ability).map(|pending| pending.waits);
                Value::Bool(waits == Some(Waits::PutBy(moment)))
            }
            Node::TextContains(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Value::Bool(self.text(a).zip(self.text(b)).is_some_and(|(a, b)| a.contains(b)))
            }
            Node::Zone(zone, player) => self.value_of_zone(zone, player),
            Node::Count(set) => Value::Number(self.count(set)),
            Node::IsEmpty(set) => Value::Bool(self.is_empty(set)),
            Node::Some(set, condition) => Value::Bool(self.each(set, &mut |eval, member| eval.with(member, condition))),
            Node::All(set, condition) => Value::Bool(!self.each(set, &mut |eval, member| !eval.with(member, condition))),
            Node::Only(set) => self.only(set),
            Node::End(top, zone) => self.end(top, zone),
            Node::Players => Value::Undefined,
            Node::Opponent(player) | Node::NextPlayer(player) => match self.player(player) {
                Some(player) => Value::Player(Player((player.0 + 1) % self.program.players.max(1))),
                None => Value::Undefined,
            },
            Node::IsOption(ability, option) => {
                let waits = self.pending(ability).map(|pending| pending.waits);
                Value::Bool(waits == Some(Waits::Declared(option)))
            }
            Node::Component(ability, name) => self.component(ability, name),
            Node::Still(a) => match self.value(a) {
                value @ Value::Object { .. } => Value::Bool(!self.state.board.is_over(value)),
                value => Value::Bool(value != Value::Undefined),
            },
            Node::Role(role) => self.in_role(role).first().copied().unwrap_or_default(),
            Node::RulesApply => Value::Bool(self.each_due(&mut |_, _, _| true)),
            Node::Exists(a) => Value::Bool(self.exists(a)),
            Node::Happened(pattern, since) => Value::Bool(self.count_happened(pattern, since) > 0),
            Node::Can(verb, args) => Value::Bool(self.can(verb, args)),
            Node::Sees(player, card) => {
                let player = self.player(player);
                let seen = player.zip(self.card(card)).map(|(player, (id, _))| self.state.board.sees(self.program, player, id));
                seen.map_or(Value::Undefined, Value::Bool)
            }
            Node::HasKeyword(card, keyword) => Value::Bool(self.has_keyword(card, keyword)),
            Node::Fact(fact, args, otherwise) => Value::Bool(self.value(otherwise).is_true() || self.assumed(fact, args)),
            Node::Permitted(verb, args) => Value::Bool(self.permitted(verb, args)),
            Node::Losing(player) => Value::Bool(self.player(player).is_some_and(|p| self.state.control.losing & (1 << p.0) != 0)),
            Node::Winning(player) => Value::Bool(self.player(player).is_some_and(|p| self.state.control.winning & (1 << p.0) != 0)),
            Node::Named(set, name) => self.named(set, name),
            Node::Least(a, b) => self.number(a).zip(self.number(b)).map_or(Value::Undefined, |(a, b)| Value::Number(a.min(b))),
            Node::Greatest(a, b) => self.number(a).zip(self.number(b)).map_or(Value::Undefined, |(a, b)| Value::Number(a.max(b))),
            Node::Ends(..)
            | Node::Where(..)
            | Node::Except(..)
            | Node::Union(..)
            | Node::List(_)
            | Node::ZoneOfAll(_)
            | Node::Opponents(_)
            | Node::EnumValues(_)
            | Node::Abilities(_)
            | Node::Attached(_)
            | Node::Waiting(..)
            | Node::Sources(_)
            | Node::StillOf(..)
            | Node::Range(..)
            | Node::Pending => Value::Undefined,
            Node::Slot(of, slot) => self.slot(of, slot),
            Node::Payable(of, slot) => Value::Bool(self.payable(of, slot)),
            Node::Due(of, slot, key) => self.due(of, slot, key),
            Node::Matches(of) => Value::Bool(self.matches_up(of)),
            Node::Outer(last, set) => self.outer(last, set),
        }
    }

    fn either(&mut self, condition: NodeId, args: super::ids::ArgsId) -> Value {
        let yes = self.value(condition).is_true();
        match self.program.args_of(args) {
            [first, second] => self.value(if yes { *first } else { *second }),
            _ => Value::Undefined,
        }
    }

    fn checked(&mut self, number: Option<i32>, how: impl Fn(i32) -> Option<i32>) -> Value {
        let Some(number) = number else { return Value::Undefined };
        how(number).map_or_else(
            || {
                self.overflow = true;
                Value::Undefined
            },
            Value::Number,
        )
    }

    fn arithmetic(&mut self, how: Arithmetic, a: NodeId, b: NodeId) -> Value {
        let (Some(a), Some(b)) = (self.number(a), self.number(b)) else { return Value::Undefined };
        if b == 0 && matches!(how, Arithmetic::Divide | Arithmetic::Remainder) {
            return Value::Undefined;
        }
        self.checked(Some(a), |a| match how {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            Arithmetic::Divide => a.checked_div_euclid(b),
            Arithmetic::Remainder => a.checked_rem_euclid(b),
        })
    }

    /// Gives `body` one more bound value.
    pub fn bind<T>(&mut self, value: Value, body: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(slot) = self.bound.get_mut(self.depth) {
            *slot = value;
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    fn with(&mut self, member: Value, condition: NodeId) -> bool {
        self.bind(member, |eval| eval.holds(condition))
    }

    /// The card in the game that a node names, if it still lives the life that is meant or lives no other.
    pub fn card(&mut self, node: NodeId) -> Option<(ObjectId, super::board::Object)> {
        let value = self.value(node);
        self.object(value)
    }

    /// The card that a value names, as it is; of a life that is over as it was last known.
    pub fn object(&self, value: Value) -> Option<(ObjectId, super::board::Object)> {
        let id = match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => id,
            Value::Zone(place) => *self.cards(place).last()?,
            _ => return None,
        };
        self.state.board.object(id).map(|object| {
            self.read(spot(object.place));
            (id, self.state.board.last_known(value).map_or(*object, |row| row.object))
        })
    }

    /// Whether a value names a card of the past: a life that is over.
    #[must_use]
    pub fn is_over(&self, value: Value) -> bool {
        self.state.board.is_over(value)
    }

    /// The card of the pool that a node names, looked at.
    fn looked_at(&mut self, card: NodeId) -> Option<&'a super::program::CardDef> {
        if let Some((id, _)) = self.card(card) {
            self.look_at(id);
        }
        self.pool_card(card)
    }

    fn pool_card(&mut self, node: NodeId) -> Option<&'a super::program::CardDef> {
        let card = match self.value(node) {
            Value::Card(card) => card,
            value => self.object(value)?.1.card,
        };
        self.program.cards.get(card)
    }

    fn text(&self, value: Value) -> Option<&'a str> {
        match value {
            Value::Text(text) | Value::Symbol(text) => self.program.texts.get(text).map(String::as_str),
            _ => None,
        }
    }

    fn pending(&mut self, node: NodeId) -> Option<&'a super::state::Pending> {
        let Value::Pending(number) = self.value(node) else { return None };
        self.state.events.waiting(number)
    }

    /// A component of a declared action, by its name.
    fn component(&mut self, ability: NodeId, name: TextId) -> Value {
        let Some(pending) = self.pending(ability) else { return Value::Undefined };
        let Waits::Declared(option) = pending.waits else { return Value::Undefined };
        let components = self.program.options.get(option).map_or(&[] as &[TextId], |option| &option.components);
        let at = components.iter().position(|known| *known == name);
        at.and_then(|at| pending.captures.get(at)).copied().unwrap_or_default()
    }

    fn kind_of(&mut self, node: NodeId) -> Option<super::ids::KindId> {
        match self.value(node) {
            Value::Ability { ability, .. } => self.program.abilities.get(ability).map(|ability| ability.kind),
            Value::Pending(number) => self.state.events.waiting(number)?.kind(),
            _ => None,
        }
    }

    fn controller(&mut self, of: NodeId) -> Value {
        match self.value(of) {
            Value::Pending(number) => {
                let pending = self.state.events.waiting(number);
                pending.map_or(Value::Undefined, |pending| Value::Player(pending.you))
            }
            value => self.controller_of(value).map_or(Value::Undefined, Value::Player),
        }
    }

    /// The place of its zone that a card lies in.
    fn place_in(&mut self, card: NodeId, of: super::ids::EnumId) -> Value {
        let value = self.value(card);
        let Some((_, object)) = self.object(value) else { return Value::Undefined };
        let zone = zone_of(self.program, object.place).0;
        let places = self.program.zones.get(zone).and_then(|zone| zone.places);
        match self.extra(card) {
            Some(extra) if places == Some(of) && extra.slot != super::board::NO_SLOT => Value::Enum(of, extra.slot),
            _ => Value::Undefined,
        }
    }

    fn source(&mut self, of: NodeId) -> Value {
        match self.value(of) {
            Value::Pending(number) => {
                let pending = self.state.events.waiting(number);
                pending.map_or(Value::Undefined, |pending| pending.source)
            }
            Value::Ability { of, life, .. } => Value::Object { id: of, life: self.state.board.life_of(of, life) },
            _ => Value::Undefined,
        }
    }

    /// A state of a card or player, a pool.
    pub fn state_of(&mut self, subject: Value, state: super::ids::StateId) -> Value {
        let states = self.program.states.len();
        let Some(def) = self.program.states.get(state) else { return Value::Undefined };
        let value = if def.on_players {
            self.read(PLAYER_STATES);
            subject.player().and_then(|player| self.state.board.player_states.get(usize::from(player.0) * states + state.index()))
        } else {
            if self.is_over(subject) {
                return floored(self.state.board.last_state(self.program, subject, state), def.at_least);
            }
            let card = self.object(subject);
            card.and_then(|(id, _)| self.state.board.card_states.get(usize::from(id.0) * states + state.index()))
        };
        floored(value.copied().unwrap_or_default(), def.at_least)
    }

    fn exists(&mut self, node: NodeId) -> bool {
        match self.value(node) {
            Value::Undefined => false,
            Value::Object { id, life } => self.state.board.object(id).is_some_and(|object| {
                self.read(spot(object.place));
                object.life == life
            }),
            _ => true,
        }
    }

    /// How many members a set has.
    pub fn count(&mut self, set: NodeId) -> i32 {
        if let Some(Node::Zone(..) | Node::Local(_) | Node::Bound(_)) = self.program.nodes.get(set) {
            return match self.value(set) {
                Value::Zone(place) => self.cards(place).len() as i32,
                Value::List { len, .. } => i32::from(len),
                Value::Undefined => 0,
                _ => 1,
            };
        }
        let mut count = 0;
        self.each(set, &mut |_, _| {
            count += 1;
            false
        });
        count
    }

    fn is_empty(&mut self, set: NodeId) -> bool {
        if let Some(Node::Zone(..)) = self.program.nodes.get(set) {
            return match self.value(set) {
                Value::Zone(place) => self.cards(place).is_empty(),
                _ => true,
            };
        }
        !self.each(set, &mut |_, _| true)
    }

    /// The place that a zone of a player is; the shared one without a player.
    fn value_of_zone(&mut self, zone: super::ids::ZoneId, player: NodeId) -> Value {
        match player {
            NodeId::NONE => Value::Zone(place_of(self.program, zone, Player(0))),
            player => self.player(player).map_or(Value::Undefined, |player| Value::Zone(place_of(self.program, zone, player))),
        }
    }

    fn outer(&mut self, last: bool, set: NodeId) -> Value {
        let mut found = Value::Undefined;
        self.each(set, &mut |_, member| {
            found = member;
            !last
        });
        found
    }

    fn only(&mut self, set: NodeId) -> Value {
        let mut found = Value::Undefined;
        self.each(set, &mut |_, member| {
            found = member;
            true
        });
        found
    }

    fn end(&mut self, top: bool, zone: NodeId) -> Value {
        let Value::Zone(place) = self.value(zone) else {
            return Value::Undefined;
        };
        let cards = self.cards(place);
        let card = if top { cards.last() } else { cards.first() };
        card.map_or(Value::Undefined, |id| self.state.board.reference(*id))
    }

    fn named(&mut self, set: NodeId, name: TextId) -> Value {
        let mut found = Value::Undefined;
        self.each(set, &mut |eval, member| {
            let card = eval.object(member).and_then(|(_, object)| eval.program.cards.get(object.card));
            if card.is_some_and(|card| card.name == name) {
                found = member;
            }
            found != Value::Undefined
        });
        found
    }

    /// Whether a set (or the one value that a node is) has that member.
    pub fn contains(&mut self, set: NodeId, member: Value) -> bool {
        let Some(&node) = self.program.nodes.get(set) else { return false };
        match node {
            Node::Where(inner, condition) => self.contains(inner, member) && self.with(member, condition),
            Node::Except(a, b) => self.contains(a, member) && !self.contains(b, member),
            Node::Union(a, b) => self.contains(a, member) || self.contains(b, member),
            Node::Zone(..) => match self.value(set) {
                Value::Zone(place) => member == Value::Zone(place) || self.lies_in(place, member),
                _ => false,
            },
            _ => self.each(set, &mut |_, other| other == member),
        }
    }

    fn lies_in(&self, place: super::value::Place, member: Value) -> bool {
        let Value::Object { id, life } = member else { return false };
        self.state.board.object(id).is_some_and(|object| {
            self.read(spot(object.place));
            object.place == place && object.life == life
        })
    }

    /// Whether there is anything under the conditions that narrow a set.
    pub fn searched(&mut self, mut set: NodeId) -> bool {
        while let Some(Node::Where(inner, _) | Node::Except(inner, _)) = self.program.nodes.get(set) {
            set = *inner;
        }
        self.count(set) > 0
    }

    /// Visits the members of a set (of the one value that a node is), in order; `true` when a visit stopped.
    pub fn each(&mut self, set: NodeId, visit: Visit<'_, 'a>) -> bool {
        let Some(&node) = self.program.nodes.get(set) else { return false };
        match node {
            Node::Where(inner, condition) => self.each(inner, &mut |eval, member| eval.with(member, condition) && visit(eval, member)),
            Node::Except(a, b) => self.each(a, &mut |eval, member| !eval.contains(b, member) && visit(eval, member)),
            Node::Union(a, b) => self.each(a, visit) || self.each(b, &mut |eval, member| !eval.contains(a, member) && visit(eval, member)),
            Node::List(args) => self.each_node(args, visit),
            Node::Ends(top, count, zone) => self.each_end(top, count, zone, visit),
            Node::ZoneOfAll(zone) => (0..self.program.players).any(|player| {
                let place = place_of(self.program, zone, Player(player));
                self.each_card(place, visit)
            }),
            Node::Players => (0..self.program.players).any(|player| visit(self, Value::Player(Player(player)))),
            Node::Opponents(player) => {
                let me = self.player(player);
                (0..self.program.players).map(Player).filter(|p| Some(*p) != me).any(|player| visit(self, Value::Player(player)))
            }
            Node::EnumValues(which) => {
                let values = self.program.enums.get(which).map_or(0, |values| values.values.len());
                (0..values).any(|value| visit(self, Value::Enum(which, value as u8)))
            }
            Node::Abilities(card) => self.each_ability(card, visit),
            Node::Role(role) => self.in_role(role).into_iter().any(|member| visit(self, member)),
            Node::Attached(card) => {
                let card = self.value(card);
                let Some((id, _)) = self.object(card).filter(|_| !self.is_over(card)) else { return false };
                let state = self.state;
                state.board.attached(id).into_iter().any(|id| visit(self, state.board.reference(id)))
            }
            Node::Waiting(zone, player) => {
                let place = self.value_of_zone(zone, player);
                self.each_waiting(place, visit)
            }
            Node::Sources(of) => self.sources(of).into_iter().any(|source| visit(self, source)),
            Node::Slot(of, slot) if self.program.slots.get(slot).is_some_and(|slot| slot.set) => {
                self.slot_members(of, slot).into_iter().any(|member| visit(self, member))
            }
            Node::StillOf(of, slot) => self.still_members(of, slot).into_iter().any(|member| visit(self, member)),
            Node::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                from.zip(to).is_some_and(|(from, to)| (from..=to).take(RANGE).any(|number| visit(self, Value::Number(number))))
            }
            Node::Pending => {
                let pending = &self.state.events.pending;
                let mut waiting = pending.iter().filter(|pending| !matches!(pending.waits, Waits::Declared(_)));
                waiting.any(|pending| visit(self, Value::Pending(pending.number)))
            }
            Node::Field(card, field) if self.program.fields.get(field).is_some_and(|field| field.set) => {
                let card = self.value(card);
                self.field_members(card, field).into_iter().any(|member| visit(self, member))
            }
            Node::Printed(card, field) if self.program.fields.get(field).is_some_and(|field| field.set) => {
                let card = self.value(card);
                self.original_members(card, field).into_iter().any(|member| visit(self, member))
            }
            Node::If(condition, args) => {
                let yes = self.value(condition).is_true();
                match self.program.args_of(args) {
                    [first, second] => self.each(if yes { *first } else { *second }, visit),
                    _ => false,
                }
            }
            Node::With { value, body } => {
                let value = self.value(value);
                self.bind(value, |eval| eval.each(body, visit))
            }
            _ => match self.value(set) {
                Value::Undefined => false,
                value => self.each_of(value, visit),
            },
        }
    }

    /// Visits the members of a value.
    pub fn each_of(&mut self, value: Value, visit: Visit<'_, 'a>) -> bool {
        match value {
            Value::Undefined => false,
            Value::Zone(place) => self.each_card(place, visit),
            Value::List { start, len } => {
                let lists = self.lists;
                let members = lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]);
                members.iter().any(|member| visit(self, *member))
            }
            value => visit(self, value),
        }
    }

    fn each_card(&mut self, place: super::value::Place, visit: Visit<'_, 'a>) -> bool {
        let state = self.state;
        self.cards(place).iter().any(|id| visit(self, state.board.reference(*id)))
    }

    fn each_node(&mut self, args: super::ids::ArgsId, visit: Visit<'_, 'a>) -> bool {
        let nodes = self.program.args_of(args);
        nodes.iter().any(|node| match self.value(*node) {
            Value::Undefined => false,
            value => visit(self, value),
        })
    }

    fn each_end(&mut self, top: bool, count: NodeId, zone: NodeId, visit: Visit<'_, 'a>) -> bool {
        let count = self.number(count).unwrap_or(0).max(0) as usize;
        let Value::Zone(place) = self.value(zone) else { return false };
        let state = self.state;
        let cards = self.cards(place);
        if top {
            cards.iter().rev().take(count).any(|id| visit(self, state.board.reference(*id)))
        } else {
            cards.iter().take(count).any(|id| visit(self, state.board.reference(*id)))
        }
    }

    fn each_ability(&mut self, card: NodeId, visit: Visit<'_, 'a>) -> bool {
        let card = self.value(card);
        let Some((id, object)) = self.object(card) else { return false };
        let Some(def) = self.program.cards.get(object.card) else { return false };
        let (first, count) = def.abilities;
        let life = if let Value::Object { life, .. } = card { life } else { object.life } as u16;
        let printed = (0..count).any(|index| {
            let ability = Value::Ability { of: id, ability: super::ids::AbilityId(first.0 + index), life };
            self.silencer(ability, None, true).is_none() && visit(self, ability)
        });
        printed || self.each_granted(id, life, visit)
    }

    /// Visits the abilities that effects give a card.
    fn each_granted(&mut self, of: ObjectId, life: u16, visit: Visit<'_, 'a>) -> bool {
        let effects = &self.state.effects;
        if effects.granting == 0 {
            return false;
        }
        let card = self.state.board.reference(of);
        if self.program.layers.is_empty() {
            return effects.granted.iter().filter(|granted| granted.to == card).any(|granted| {
                let ability = Value::Ability { of, ability: granted.ability, life };
                self.silencer(ability, Some(granted.by), true).is_none() && visit(self, ability)
            });
        }
        // While effects are being settled only those that count there.
        self.applied().iter().any(|part| {
            let clause = effects.get(part.effect).and_then(|effect| self.program.clauses.get(effect.clause));
            let Some(super::program::ClauseKind::Grant { abilities, .. }) = clause.map(|clause| &clause.kind) else { return false };
            if !part.extent.as_ref().is_some_and(|extent| extent.has(card)) {
                return false;
            }
            abilities.iter().any(|ability| {
                let ability = Value::Ability { of, ability: *ability, life };
                self.silencer(ability, Some(part.effect), true).is_none() && visit(self, ability)
            })
        })
    }

    fn has_keyword(&mut self, card: NodeId, keyword: super::ids::KeywordId) -> bool {
        self.each_ability(card, &mut |eval, ability| {
            let Value::Ability { ability, .. } = ability else { return false };
            eval.program.abilities.get(ability).is_some_and(|ability| ability.keyword == Some(keyword))
        })
    }

    /// The declared zone of the place that a card lies in.
    #[must_use]
    pub fn declared_zone(&self, object: &super::board::Object) -> super::ids::ZoneId {
        zone_of(self.program, object.place).0
    }

    /// A printed value, unless it is an effect's business.
    #[must_use]
    pub fn plain(&self, object: &super::board::Object, field: FieldId) -> Value {
        self.program.printed_value(object.card, field)
    }
}

/// A value that reads at least so much.
pub(super) fn floored(value: Value, at_least: Option<i32>) -> Value {
    match (value, at_least) {
        (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
        (value, _) => value,
    }
}

/// Whether a reference to a card means the life it lives now.
#[must_use]
#[inline]
pub fn lives(value: Value, now: u32) -> bool {
    match value {
        Value::Object { life, .. } => life == now,
        Value::Ability { life, .. } => life == now as u16,
        _ => true,
    }
}

/// Compares two values; false when one is undefined, or an order is asked of what has none.
#[must_use]
#[inline]
pub fn compare(how: Compare, a: Value, b: Value) -> bool {
    if matches!(a, Value::Undefined) || matches!(b, Value::Undefined) {
        return false;
    }
    match how {
        Compare::Equal => a == b,
        Compare::NotEqual => a != b,
        _ => a.number().zip(b.number()).is_some_and(|(a, b)| match how {
            Compare::Less => a < b,
            Compare::LessEqual => a <= b,
            Compare::Greater => a > b,
            _ => a >= b,
        }),
    }
}
