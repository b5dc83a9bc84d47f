//! The value of a node of an expression, kind by kind.

use super::{Eval, compare};
use crate::ids::{ArgsId, NodeId};
use crate::program::{Arithmetic, Node};
use crate::state::readings;
use crate::state::{Cause, Status, Waits};
use crate::value::{Place, Player, Value};

impl Eval<'_> {
    /// The value of a node; a set as a value is a zone, a list, or undefined.
    pub fn value(&mut self, id: NodeId) -> Value {
        let Some(&node) = self.program.nodes.get(id) else { return Value::Undefined };
        match node {
            Node::Const(value) => value,
            Node::Local(reg) => self.locals.get(usize::from(reg.0)).copied().unwrap_or_default(),
            Node::Bound(at) => self.bound.get(usize::from(at)).copied().unwrap_or_default(),
            Node::You => self.you.value(),
            Node::This => self.this,
            Node::Not(a) => Value::Bool(!self.value(a).is_true()),
            Node::And(a, b) => Value::Bool(self.value(a).is_true() && self.value(b).is_true()),
            Node::Or(a, b) => Value::Bool(self.value(a).is_true() || self.value(b).is_true()),
            Node::Arithmetic(how, a, b) => self.arithmetic(how, a, b),
            Node::Compare(how, a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                let b = if self.one_card.is_some() && self.are_one_card(a, b) { a } else { b };
                Value::Bool(compare(how, a, b))
            }
            Node::If(condition, args) => self.either(condition, args),
            Node::With { value, body } => {
                let value = self.value(value);
                self.bind(value, |eval| eval.value(body))
            }
            Node::In(a, set) => {
                let member = self.operand(a);
                Value::Bool(member != Value::Undefined && self.contains(set, member))
            }
            Node::Field(card, field) => {
                let card = self.operand(card);
                self.field(card, field)
            }
            Node::FieldHas(card, field, what) => {
                let (card, what) = (self.operand(card), self.operand(what));
                Value::Bool(what != Value::Undefined && self.field_has(card, field, what))
            }
            Node::State(subject, state) => {
                let subject = self.operand(subject);
                self.state_of(subject, state)
            }
            Node::Owner(card) => self.card(card).map_or(Value::Undefined, |(_, object)| object.owner.value()),
            Node::Controller(of) => self.controller(of),
            Node::Performer(of) => self.performer(of),
            Node::Source(of) => self.source(of),
            Node::ZoneOf(of) => self.resting(of).map_or(Value::Undefined, Value::Zone),
            Node::IsType(card, of) => self.is_type(card, of),
            Node::IsKind(ability, kind) => Value::Bool(self.kind_of(ability) == Some(kind)),
            Node::Zone(zone, player) => self.value_of_zone(zone, player),
            Node::Count(set) => self.known_value(id, |eval| Value::Number(eval.count(set))),
            Node::IsEmpty(set) => Value::Bool(self.is_empty(set)),
            Node::Some(set, condition) => self.known_value(id, |eval| Value::Bool(eval.each_where(set, condition, &mut |_, _| true))),
            Node::All(set, condition) => {
                self.known_value(id, |eval| Value::Bool(!eval.each(set, &mut |eval, member| !eval.with(member, condition))))
            }
            Node::Exists(a) => Value::Bool(self.exists(a)),
            Node::Done => Value::Bool(self.done),
            Node::PartlyDone => Value::Bool(self.done || self.part),
            Node::Turn => {
                readings::note_whole(readings::part::TURN);
                Value::Number(self.state.board.turn as i32)
            }
            Node::Tallied(a, at) => {
                let value = self.value(a);
                self.program.tally.note(at, value.is_true());
                value
            }
            Node::Negate(a) => {
                let number = self.number(a);
                self.checked(number, i32::checked_neg)
            }
            Node::Printed(card, field) => {
                let card = self.value(card);
                self.printed(card, field)
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
            Node::Became(card) => {
                let value = self.value(card);
                let value = if let Value::Object { .. } = value { value } else { self.living_reference(value) };
                let Value::Object { id, life } = value else { return Value::Undefined };
                let lying = self.state.board.object(id).filter(|object| object.place != Place::NOWHERE);
                let moves = lying.and_then(|object| object.life.checked_sub(life));
                if matches!(moves, Some(0 | 1)) { self.state.board.reference(id) } else { Value::Undefined }
            }
            Node::Decider(player) => self.player(player).map_or(Value::Undefined, |player| Value::Player(self.state.board.decider(player))),
            Node::PoolCard(_) => Value::Undefined,
            Node::Reaches(card) => Value::Bool(self.reaches(card)),
            Node::HasEffect(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Bool(card.has_effect)),
            Node::CardName(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Text(card.name)),
            Node::EffectText(card) => self.looked_at(card).map_or(Value::Undefined, |card| Value::Text(card.effect_text)),
            Node::CardOf(card) => self.card_looked_at(card).map_or(Value::Undefined, Value::Card),
            Node::IsCard(card, which) => self.card_looked_at(card).map_or(Value::Undefined, |card| Value::Bool(card == which)),
            Node::IsMoment(ability, moment) => {
                let waits = self.pending(ability).map(|pending| pending.waits);
                Value::Bool(waits == Some(Waits::PutBy(moment)))
            }
            Node::TextContains(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Value::Bool(self.text(a).zip(self.text(b)).is_some_and(|(a, b)| a.contains(b)))
            }
            Node::Only(set) => self.only(set),
            Node::End(top, zone) => self.end(top, zone),
            Node::Players => Value::Undefined,
            Node::Opponent(player) | Node::NextPlayer(player) => match self.player(player) {
                Some(player) => Value::Player(Player((player.0 + 1) % self.program.players.max(1))),
                None => Value::Undefined,
            },
            Node::Captain(player) => match self.player(player) {
                Some(player) => Value::Player(self.program.captain(player)),
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
            Node::Role(role) => self.members_in(role).first().copied().unwrap_or_default(),
            Node::GoesRound => Value::Bool(self.state.control.goes_round),
            Node::RulesApply => Value::Bool(self.may_nest() && self.each_due(&mut |_, _, _| true)),
            Node::Happened(pattern, since) => Value::Bool(self.has_happened(pattern, since)),
            Node::Latest(pattern, since) => self.latest(pattern, since),
            Node::EventArg(event, field) => self.event_argument(event, field),
            Node::EventCause(event) => self.event_cause(event),
            Node::IsTiming(event) => Value::Bool(self.is_timing(event)),
            Node::IsEvent(event, verb) => Value::Bool(self.is_event(event, verb)),
            Node::EventOf(ability) => self.pending(ability).and_then(|pending| pending.event).map_or(Value::Undefined, Value::Event),
            Node::Cause(kind, of) => self.cause_of(kind, of),
            Node::IsCause(cause, kind) => Value::Bool(Cause::of(self.value(cause)).kind() == Some(kind)),
            Node::Can(verb, args) => Value::Bool(self.can(verb, args)),
            Node::Sees(player, card) => {
                let player = self.player(player);
                let seen = player.zip(self.card(card)).map(|(player, (id, _))| self.state.sees(self.program, player, id));
                seen.map_or(Value::Undefined, Value::Bool)
            }
            Node::HasKeyword(card, keyword) => Value::Bool(self.has_keyword(card, keyword)),
            Node::Fact(fact, args, otherwise) => Value::Bool(self.value(otherwise).is_true() || self.assumed(fact, args)),
            Node::Permitted(verb, args) => Value::Bool(self.permitted(verb, args)),
            Node::Losing(player) => Value::Bool(self.player(player).is_some_and(|p| self.state.control.losing & (1 << p.0) != 0)),
            Node::Winning(player) => Value::Bool(self.player(player).is_some_and(|p| self.state.control.winning & (1 << p.0) != 0)),
            Node::PlaceOf(player) => {
                let player = self.player(player);
                let Status::Over(outcome) = self.state.control.status else { return Value::Undefined };
                let place = player.and_then(|player| outcome.place_of(player));
                place.map_or(Value::Undefined, |place| Value::Number(i32::from(place)))
            }
            Node::Named(set, name) => self.named(set, name),
            Node::Least(a, b) => self.number(a).zip(self.number(b)).map_or(Value::Undefined, |(a, b)| Value::Number(a.min(b))),
            Node::Greatest(a, b) => self.number(a).zip(self.number(b)).map_or(Value::Undefined, |(a, b)| Value::Number(a.max(b))),
            Node::Fold(fold, set, number) => self.known_value(id, |eval| eval.fold(fold, set, number)),
            Node::SameSets(a, b) => Value::Bool(self.same_sets(a, b)),
            Node::Length(text) => self.length(text),
            Node::Usable(ability, by) => self.usable(ability, by),
            Node::AbilityText(ability, body) => self.ability_text(ability, body),
            Node::HasBit(number, player) => {
                let bits = self.number(number).unwrap_or(0);
                Value::Bool(self.player(player).is_some_and(|player| bits >> player.0.min(31) & 1 == 1))
            }
            Node::BitOf(player) => self.player(player).map_or(Value::Undefined, |player| Value::Number(1 << player.0.min(30))),
            Node::Ends(..)
            | Node::Distinct(..)
            | Node::Sorted(..)
            | Node::Clockwise(_)
            | Node::EveryCard
            | Node::Where(..)
            | Node::Except(..)
            | Node::Union(..)
            | Node::Joined(..)
            | Node::List(_)
            | Node::ZoneOfAll(_)
            | Node::Opponents(_)
            | Node::Team(_)
            | Node::EnumValues(_)
            | Node::Catalogue
            | Node::Abilities(_)
            | Node::AbilitiesOfAll(_)
            | Node::EffectsOn(_)
            | Node::Tied
            | Node::Attached(_)
            | Node::Waiting(..)
            | Node::Sources(_)
            | Node::Events(..)
            | Node::StillOf(..)
            | Node::Range(..)
            | Node::Numbers(..)
            | Node::Pending => Value::Undefined,
            Node::Slot(of, slot) => self.slot(of, slot),
            Node::Payable(of, slot, without) => Value::Bool(self.payable(of, slot, without)),
            Node::Due(of, slot, key) => self.due(of, slot, key),
            Node::Matches(of) => Value::Bool(self.matches_up(of)),
            Node::Without(read, effects) => self.without(effects, |eval| eval.value(read)),
            Node::Outer(last, set) => self.outer(last, set),
        }
    }

    /// Whether an expression without a value says so: it is `none`, or it is an `if` whose branch that counts is `none`.
    pub(crate) fn says_none(&mut self, id: NodeId) -> bool {
        match self.program.nodes.get(id).copied() {
            Some(Node::Const(value)) => value == Value::Undefined,
            Some(Node::If(condition, args)) => {
                let yes = self.value(condition).is_true();
                let branch = self.program.args_of(args).get(usize::from(!yes)).copied();
                branch.is_some_and(|branch| self.says_none(branch))
            }
            Some(Node::With { value, body }) => {
                let value = self.value(value);
                self.bind(value, |eval| eval.says_none(body))
            }
            _ => false,
        }
    }

    fn either(&mut self, condition: NodeId, args: ArgsId) -> Value {
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
}
