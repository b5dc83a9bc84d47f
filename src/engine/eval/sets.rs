//! Sets: the number of their members, the members, and the order of the members.

use crate::bits::{Spots, ZoneSet};
use crate::eval::{Eval, Visit};
use crate::fault::listed;
use crate::ids::{AbilityId, ArgsId, CardId, Id, KeywordId, KindId, NodeId, TextId, ZoneId};
use crate::short_ways::{ShortWay, took};

use crate::limits::{MANY_MEMBERS, RANGE, WORK_OF_A_MEMBER};
use crate::program::{ClauseKind, Node, Program, Seen};
use crate::state::Waits;
use crate::state::board::place_of;
use crate::state::readings;
use crate::value::{ObjectId, Place, Player, Value};

impl<'a> Eval<'a> {
    /// The number of members of a set.
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

    pub(crate) fn is_empty(&mut self, set: NodeId) -> bool {
        if let Some(Node::Zone(..)) = self.program.nodes.get(set) {
            return match self.value(set) {
                Value::Zone(place) => self.cards(place).is_empty(),
                _ => true,
            };
        }
        !self.each(set, &mut |_, _| true)
    }

    pub(crate) fn outer(&mut self, last: bool, set: NodeId) -> Value {
        // The newest ability in a zone of abilities is found without visiting the others.
        if let (true, Some(Node::Waiting(zone, player))) = (last, self.program.nodes.get(set)) {
            let Value::Zone(place) = self.value_of_zone(*zone, *player) else { return Value::Undefined };
            return self.state.events.in_zone(place).last().map_or(Value::Undefined, |(_, number)| Value::Pending(*number));
        }
        let mut found = Value::Undefined;
        self.each(set, &mut |_, member| {
            found = member;
            !last
        });
        found
    }

    pub(crate) fn only(&mut self, set: NodeId) -> Value {
        let mut found = Value::Undefined;
        self.each(set, &mut |_, member| {
            found = member;
            true
        });
        found
    }

    pub(crate) fn end(&mut self, top: bool, zone: NodeId) -> Value {
        let Value::Zone(place) = self.value(zone) else {
            return Value::Undefined;
        };
        let cards = self.cards(place);
        let card = if top { cards.last() } else { cards.first() };
        card.map_or(Value::Undefined, |id| self.state.board.reference(*id))
    }

    pub(crate) fn named(&mut self, set: NodeId, name: TextId) -> Value {
        let mut found = Value::Undefined;
        self.each(set, &mut |eval, member| {
            let card = eval.object(member).and_then(|(_, object)| {
                eval.note_unseen(&object);
                eval.program.cards.get(object.card)
            });
            if card.is_some_and(|card| card.name == name) {
                found = member;
            }
            found != Value::Undefined
        });
        found
    }

    /// Whether a set has this member. A node with a single value counts as a set of one.
    pub fn contains(&mut self, set: NodeId, member: Value) -> bool {
        let Some(&node) = self.program.nodes.get(set) else { return false };
        match node {
            Node::Where(inner, condition) => self.contains(inner, member) && self.with(member, condition),
            Node::Except(a, b) => self.contains(a, member) && !self.contains(b, member),
            Node::Union(a, b) | Node::Joined(a, b) => self.contains(a, member) || self.contains(b, member),
            Node::ZoneOfAll(zone) => (0..self.program.players).any(|player| {
                let place = place_of(self.program, zone, Player(player));
                self.lies_in(place, member)
            }),
            Node::Zone(..) => match self.value(set) {
                Value::Zone(place) => member == Value::Zone(place) || self.lies_in(place, member),
                _ => false,
            },
            Node::Numbers(from, to) => {
                let bounds = self.bounds_of_numbers(from, to).zip(member.number());
                bounds.is_some_and(|((from, to), number)| from <= number && to.is_none_or(|to| number <= to))
            }
            Node::Waiting(zone, player) => match (self.value_of_zone(zone, player), member) {
                (Value::Zone(place), Value::Pending(number)) => {
                    self.state.events.waiting(number).is_some_and(|pending| pending.place == Some(place))
                }
                _ => false,
            },
            Node::Pending => match member {
                Value::Pending(number) => {
                    self.state.events.waiting(number).is_some_and(|pending| !matches!(pending.waits, Waits::Declared(_)))
                }
                _ => false,
            },
            _ => self.each(set, &mut |_, other| other == member),
        }
    }

    /// A range of which not all numbers are listed: its first number, its last number (None: no end), and the last listed number. None for
    /// every other set.
    pub fn unlisted(&mut self, set: NodeId) -> Option<(i32, Option<i32>, i32)> {
        match *self.program.nodes.get(set)? {
            Node::Where(inner, _) => self.unlisted(inner),
            Node::Numbers(from, to) => {
                let (from, to) = self.bounds_of_numbers(from, to)?;
                let listed = self.last_listed(from, to);
                to.is_none_or(|to| listed < to).then_some((from, to, listed))
            }
            _ => None,
        }
    }

    fn bounds_of_numbers(&mut self, from: NodeId, to: NodeId) -> Option<(i32, Option<i32>)> {
        let from = self.number(from)?;
        if to == NodeId::NONE { Some((from, None)) } else { self.number(to).map(|to| (from, Some(to))) }
    }

    /// The last number of a range that is listed. A short range is listed to its end.
    fn last_listed(&self, from: i32, to: Option<i32>) -> i32 {
        let few = to.filter(|to| i64::from(*to) - i64::from(from) < RANGE as i64);
        few.unwrap_or_else(|| from.saturating_add(i32::from(self.program.policies.listed_numbers) - 1))
    }

    fn lies_in(&self, place: Place, member: Value) -> bool {
        let Value::Object { id, life } = member else { return false };
        if let Some(then) = self.witnessed(member) {
            return then.row.object.place == place;
        }
        self.state.board.object(id).is_some_and(|object| {
            self.read(Spots::of_place(object.place));
            object.place == place && object.life == life
        })
    }

    /// Whether the set under the narrowing conditions has any members.
    pub fn searched(&mut self, set: NodeId) -> bool {
        match self.program.nodes.get(set) {
            Some(&(Node::Where(inner, _) | Node::Except(inner, _))) => self.searched(inner),
            Some(&Node::With { value, body }) => {
                let value = self.value(value);
                self.bind(value, |eval| eval.searched(body))
            }
            _ => self.count(set) > 0,
        }
    }

    /// Visits the members of a set without the conditions that narrow it, except conditions on how a card lies: these are no secret. `true` if
    /// a visit stopped the walk.
    pub(crate) fn each_unnarrowed(&mut self, set: NodeId, visit: Visit<'_, 'a>) -> bool {
        match self.program.nodes.get(set) {
            Some(&Node::Where(inner, condition)) => {
                self.each_unnarrowed(inner, &mut |eval, member| eval.may_lie_so(member, condition) && visit(eval, member))
            }
            Some(&Node::Except(inner, _)) => self.each_unnarrowed(inner, visit),
            Some(&(Node::Union(a, b) | Node::Joined(a, b))) => self.each_unnarrowed(a, visit) || self.each_unnarrowed(b, visit),
            Some(&Node::With { value, body }) => {
                let value = self.value(value);
                self.bind(value, |eval| eval.each_unnarrowed(body, &mut |eval, member| eval.unbound(|eval| visit(eval, member))))
            }
            _ => self.each(set, visit),
        }
    }

    /// Whether the parts of a condition that speak of a card's face hold for a member. Other parts are not looked at.
    fn may_lie_so(&mut self, member: Value, condition: NodeId) -> bool {
        match self.program.nodes.get(condition) {
            Some(&Node::And(left, right)) => self.may_lie_so(member, left) && self.may_lie_so(member, right),
            Some(Node::FaceUp(_)) => self.with(member, condition),
            Some(Node::Not(inner)) if matches!(self.program.nodes.get(*inner), Some(Node::FaceUp(_))) => self.with(member, condition),
            _ => true,
        }
    }

    /// Visits the members of a set in order. A node with a single value counts as a set of one. `true` if a visit stopped the walk.
    pub fn each(&mut self, set: NodeId, visit: Visit<'_, 'a>) -> bool {
        let Some(&node) = self.program.nodes.get(set) else { return false };
        match node {
            Node::Where(inner, condition) => self.each_where(inner, condition, visit),
            Node::Except(a, b) if matches!(self.program.nodes.get(a), Some(Node::Pending)) => self.each_pending_except(b, visit),
            Node::Except(a, b) => self.each(a, &mut |eval, member| !eval.contains(b, member) && visit(eval, member)),
            Node::Joined(a, b) => self.each(a, visit) || self.each(b, visit),
            Node::Union(a, b) => self.each(a, visit) || self.each(b, &mut |eval, member| !eval.contains(a, member) && visit(eval, member)),
            Node::List(args) => self.each_node(args, visit),
            Node::Ends(top, count, zone) => self.each_end(top, count, zone, visit),
            Node::ZoneOfAll(zone) => (0..self.program.players).any(|player| {
                let place = place_of(self.program, zone, Player(player));
                self.each_card(place, visit)
            }),
            Node::EveryCard => (0..self.state.board.zones.len()).any(|place| self.each_card(Place(place as u16), visit)),
            Node::Players => (0..self.program.players).any(|player| visit(self, Value::Player(Player(player)))),
            Node::Catalogue => {
                // A card whose text is still to do cannot be played, so rules cannot name it to make it either.
                let program = self.program;
                self.walks(program.cards.len());
                let known = |card: &CardId| program.cards.get(*card).is_some_and(|card| card.todo.is_none());
                program.cards.ids().filter(known).any(|card| visit(self, Value::Card(card)))
            }
            Node::Distinct(set, value) => self.distinct(set, value).into_iter().any(|value| visit(self, value)),
            Node::Sorted(set, number) => self.sorted(set, number).into_iter().any(|member| visit(self, member)),
            Node::Clockwise(player) => {
                let (first, count) = (self.player(player), self.program.players);
                let Some(first) = first.filter(|player| player.0 < count) else { return false };
                (0..count).any(|at| visit(self, Value::Player(Player((first.0 + at) % count))))
            }
            Node::Opponents(player) => {
                let (me, program) = (self.player(player), self.program);
                let mine = me.filter(|me| me.0 < program.players).map(|me| program.team_of(me));
                let others = (0..program.players).map(Player).filter(|p| Some(program.team_of(*p)) != mine);
                others.into_iter().any(|player| visit(self, Value::Player(player)))
            }
            Node::Team(player) => {
                let (me, program) = (self.player(player), self.program);
                let Some(me) = me.filter(|player| player.0 < program.players) else { return false };
                program.team(me).any(|player| visit(self, Value::Player(player)))
            }
            Node::EnumValues(which) => {
                let values = self.program.enums.get(which).map_or(0, |values| values.values.len());
                (0..values).any(|value| visit(self, Value::Enum(which, value as u8)))
            }
            Node::Abilities(card) => self.each_ability(card, None, visit),
            Node::AbilitiesOfAll(cards) => self.each(cards, &mut |eval, card| eval.each_ability_of(card, None, visit)),
            Node::Tied => self.tied().into_iter().any(|effect| visit(self, effect)),
            Node::EffectsOn(of) => {
                let of = self.value(of);
                self.effects_on(of).into_iter().any(|effect| visit(self, effect))
            }
            Node::Without(read, effects) => {
                let members = self.without(effects, |eval| eval.members(read));
                members.into_iter().any(|member| visit(self, member))
            }
            Node::Role(role) => self.members_in(role).iter().any(|member| visit(self, *member)),
            Node::Attached(card) => {
                let card = self.value(card);
                if self.is_over(card) {
                    let known = self.last_known(card).map_or(&[][..], |row| &row.attached);
                    return known.iter().any(|item| visit(self, *item));
                }
                let Some((id, _)) = self.object(card) else { return false };
                // The attached cards may lie anywhere.
                self.read(Spots::PLACES);
                let state = self.state;
                state.board.attached(id).into_iter().any(|id| visit(self, state.board.reference(id)))
            }
            Node::Waiting(zone, player) => {
                let place = self.value_of_zone(zone, player);
                self.each_waiting(place, visit)
            }
            Node::Sources(of) => self.sources(of).iter().any(|source| visit(self, *source)),
            Node::Events(pattern, since) => self.each_event(pattern, since, visit),
            Node::EventArg(event, field) if self.program.event_fields.get(field).is_some_and(|field| field.set) => {
                self.each_argument(event, field, visit)
            }
            Node::Slot(of, slot) if self.program.slots.get(slot).is_some_and(|slot| slot.set) => {
                self.slot_members(of, slot).iter().any(|member| visit(self, *member))
            }
            Node::StillOf(of, slot) => self.still_members(of, slot).iter().any(|member| visit(self, *member)),
            Node::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                let Some((from, to)) = from.zip(to) else { return false };
                if i64::from(to) - i64::from(from) >= RANGE as i64 {
                    // A cut range would give a wrong result. So this is a rules error, like any number that is too large.
                    self.overflow = true;
                    return false;
                }
                self.walks(to.saturating_sub(from).max(0) as usize);
                (from..=to).any(|number| visit(self, Value::Number(number)))
            }
            Node::Numbers(from, to) => {
                let Some((from, to)) = self.bounds_of_numbers(from, to) else { return false };
                let last = self.last_listed(from, to);
                self.walks(last.saturating_sub(from).max(0) as usize);
                (from..=last).any(|number| visit(self, Value::Number(number)))
            }
            Node::Pending => self.each_pending(visit),
            Node::Field(card, field) if self.program.fields.get(field).is_some_and(|field| field.set) => {
                let card = self.value(card);
                self.field_members(card, field).iter().any(|member| visit(self, *member))
            }
            Node::Printed(card, field) if self.program.fields.get(field).is_some_and(|field| field.set) => {
                let card = self.value(card);
                self.original_members(card, field).iter().any(|member| visit(self, *member))
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
                self.bind(value, |eval| eval.each(body, &mut |eval, member| eval.unbound(|eval| visit(eval, member))))
            }
            _ => match self.value(set) {
                Value::Undefined => false,
                value => self.each_of(value, visit),
            },
        }
    }

    /// Visits the members of a value.
    pub(crate) fn each_of(&mut self, value: Value, visit: Visit<'_, 'a>) -> bool {
        match value {
            Value::Undefined => false,
            Value::Zone(place) => self.each_card(place, visit),
            Value::List { start, len } => {
                let lists = self.lists;
                let members = listed(lists, start, len);
                self.walks(members.len());
                members.iter().any(|member| visit(self, *member))
            }
            value => visit(self, value),
        }
    }

    /// Visits the waiting abilities that are not in a set. Often the set is a zone in which nearly all abilities wait, and the newest
    /// abilities have not come there yet. So the others are looked for from the end, until all of them are found.
    fn each_pending_except(&mut self, set: NodeId, visit: Visit<'_, 'a>) -> bool {
        let zone = match self.program.nodes.get(set) {
            Some(Node::Waiting(zone, player)) => self.value_of_zone(*zone, *player),
            _ => Value::Undefined,
        };
        let Value::Zone(place) = zone else {
            return self.each_pending(&mut |eval, member| !eval.contains(set, member) && visit(eval, member));
        };
        self.each_pending_outside(place, visit)
    }

    /// Visits the waiting abilities that do not wait in a zone, oldest first.
    fn each_pending_outside(&mut self, place: Place, visit: Visit<'_, 'a>) -> bool {
        took(ShortWay::PendingOutside);
        readings::note(readings::part::OUTSIDE, usize::from(place.0));
        let events = &self.state.events;
        let pending = events.pending.unnoted();
        let others = pending.len() - events.zone(place).len().min(pending.len());
        let outside = pending.iter().rev().filter(|pending| pending.place != Some(place)).take(others);
        let mut found: Vec<u32> =
            outside.filter(|pending| !matches!(pending.waits, Waits::Declared(_))).map(|pending| pending.number).collect();
        found.reverse();
        found.into_iter().any(|number| visit(self, Value::Pending(number)))
    }

    /// Visits the waiting abilities, oldest first.
    fn each_pending(&mut self, visit: Visit<'_, 'a>) -> bool {
        let pending = &self.state.events.pending;
        self.walks(pending.len());
        let mut waiting = pending.iter().filter(|pending| !matches!(pending.waits, Waits::Declared(_)));
        waiting.any(|pending| visit(self, Value::Pending(pending.number)))
    }

    /// Counts a walk through a set as work, if an effect makes the walk, if it stands inside another walk, or if the set has many members.
    #[inline]
    fn walks(&self, members: usize) {
        if self.depth > 0 || members > MANY_MEMBERS || self.of_effect.is_some() {
            self.state.effects.asked.work.add(WORK_OF_A_MEMBER * members);
        }
    }

    fn each_card(&mut self, place: Place, visit: Visit<'_, 'a>) -> bool {
        let state = self.state;
        let cards = self.cards(place);
        self.walks(cards.len());
        cards.iter().any(|id| visit(self, state.board.reference(*id)))
    }

    fn each_node(&mut self, args: ArgsId, visit: Visit<'_, 'a>) -> bool {
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

    /// Visits the members of a set for which a condition holds, in order. `true` if a visit stopped the walk.
    pub(crate) fn each_where(&mut self, set: NodeId, condition: NodeId, visit: Visit<'_, 'a>) -> bool {
        match self.abilities_of_kind(set, condition) {
            Some((card, kind, true)) => self.each_ability(card, Some(kind), visit),
            Some((card, kind, false)) => {
                self.each_ability(card, Some(kind), &mut |eval, ability| eval.with(ability, condition) && visit(eval, ability))
            }
            None => match self.outside_which(set, condition) {
                Some(place) => self.each_pending_outside(place, &mut |eval, member| eval.with(member, condition) && visit(eval, member)),
                None => self.each(set, &mut |eval, member| eval.with(member, condition) && visit(eval, member)),
            },
        }
    }

    /// Recognises a condition on all waiting abilities that is false for those in a shared zone: the zone's place.
    fn outside_which(&self, set: NodeId, condition: NodeId) -> Option<Place> {
        matches!(self.program.nodes.get(set), Some(Node::Pending)).then_some(())?;
        let zone = zone_left_out(self.program, condition, self.depth)?;
        Some(place_of(self.program, zone, Player(0)))
    }

    /// Recognises a condition on `abilities(c)` that asks first for the kind: the card, the kind, and whether the condition asks nothing
    /// else. The kind is checked first, because most abilities have another kind and all other checks take longer.
    fn abilities_of_kind(&self, set: NodeId, condition: NodeId) -> Option<(NodeId, KindId, bool)> {
        let Node::Abilities(card) = *self.program.nodes.get(set)? else { return None };
        let mut first = condition;
        while let Node::And(left, _) = *self.program.nodes.get(first)? {
            first = left;
        }
        let Node::IsKind(it, kind) = *self.program.nodes.get(first)? else { return None };
        let innermost = matches!(self.program.nodes.get(it), Some(Node::Bound(at)) if usize::from(*at) == self.depth);
        innermost.then_some((card, kind, first == condition))
    }

    fn is_of_kind(&self, ability: Value, kind: Option<KindId>) -> bool {
        let Value::Ability { ability, .. } = ability else { return false };
        kind.is_none_or(|kind| self.program.abilities.get(ability).is_some_and(|def| def.kind == kind))
    }

    fn each_ability(&mut self, card: NodeId, of: Option<KindId>, visit: Visit<'_, 'a>) -> bool {
        let card = self.operand(card);
        self.each_ability_of(card, of, visit)
    }

    /// The abilities that a card has now.
    pub(crate) fn abilities_now(&mut self, card: Value) -> Vec<AbilityId> {
        let mut all = Vec::new();
        self.each_ability_of(card, None, &mut |_, ability| {
            all.extend(if let Value::Ability { ability, .. } = ability { Some(ability) } else { None });
            false
        });
        all
    }

    fn each_ability_of(&mut self, card: Value, of: Option<KindId>, visit: Visit<'_, 'a>) -> bool {
        let Some((id, object)) = self.object(card) else { return false };
        self.note_unseen(&object);
        let Some(def) = self.program.cards.get(object.card) else { return false };
        let (first, count) = def.abilities;
        let life = if let Value::Object { life, .. } = card { life } else { object.life } as u16;
        if let Some(then) = self.witnessed(card) {
            let mut then = then.abilities.iter().map(|ability| Value::Ability { of: id, ability: *ability, life });
            return then.any(|ability| self.is_of_kind(ability, of) && visit(self, ability));
        }
        let printed = (0..count).any(|index| {
            let ability = Value::Ability { of: id, ability: AbilityId(first.0 + index), life };
            self.is_of_kind(ability, of) && self.silencer(ability, None, true).is_none() && visit(self, ability)
        });
        printed || self.each_granted(id, life, &mut |eval, ability| eval.is_of_kind(ability, of) && visit(eval, ability))
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
        // While effects are being settled, only the parts that count so far give abilities.
        let mut granting: Vec<AbilityId> = Vec::new();
        self.applied().iter().filter(|part| part.field.is_none()).any(|part| {
            let clause = effects.get(part.effect).and_then(|effect| self.program.clauses.get(effect.clause));
            let Some(ClauseKind::Grant { abilities, .. }) = clause.map(|clause| &clause.kind) else { return false };
            let Some(extent) = part.extent.as_ref().filter(|extent| extent.has(card)) else { return false };
            let alike = extent.alike().filter(|ability| self.is_new_to(of, *ability, &mut granting));
            let alike: Vec<AbilityId> = alike.collect();
            granting.extend(abilities.iter().copied().filter(|ability| self.program.grants_alike(*ability)));
            abilities.iter().copied().chain(alike).any(|ability| {
                let ability = Value::Ability { of, ability, life };
                self.silencer(ability, Some(part.effect), true).is_none() && visit(self, ability)
            })
        })
    }

    /// Whether a card gets an ability that is like an ability of another card. An ability that itself grants abilities like others is given
    /// once, and not to a card on which it is printed. `granting` holds the abilities of this sort that the card has got so far.
    fn is_new_to(&self, of: ObjectId, ability: AbilityId, granting: &mut Vec<AbilityId>) -> bool {
        if !self.program.grants_alike(ability) {
            return true;
        }
        let printed = self.state.board.object(of).is_some_and(|object| self.program.is_printed_on(object.card, ability));
        let new = !printed && !granting.contains(&ability);
        granting.extend(new.then_some(ability));
        new
    }

    pub(crate) fn has_keyword(&mut self, card: NodeId, keyword: KeywordId) -> bool {
        self.each_ability(card, None, &mut |eval, ability| {
            let Value::Ability { ability, .. } = ability else { return false };
            eval.program.abilities.get(ability).is_some_and(|ability| ability.keyword == Some(keyword))
        })
    }
}

/// The shared zone of which a condition on the bound value number `bound` leaves out all members, if there is one.
pub(crate) fn zone_left_out(program: &Program, condition: NodeId, bound: usize) -> Option<ZoneId> {
    match program.nodes.get(condition)? {
        Node::And(a, b) => zone_left_out(program, *a, bound).or_else(|| zone_left_out(program, *b, bound)),
        Node::Not(inside) => match program.nodes.get(*inside)? {
            Node::In(member, set) if matches!(program.nodes.get(*member), Some(Node::Bound(at)) if usize::from(*at) == bound) => {
                shared_zone(program, *set)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The shared zone that a node names.
pub(crate) fn shared_zone(program: &Program, node: NodeId) -> Option<ZoneId> {
    match program.nodes.get(node)? {
        Node::Zone(zone, NodeId::NONE) | Node::Waiting(zone, NodeId::NONE) => Some(*zone),
        _ => None,
    }
}

/// Whether two sets have no common members because they name cards of different zones.
#[must_use]
pub fn never_meet(program: &Program, a: NodeId, b: NodeId) -> bool {
    let others = zones_of(program, b, 0);
    others.is_some_and(|others| zones_of(program, a, 0).is_some_and(|zones| !zones.meets(others)))
}

/// The most zones that are added up to one set and still known apart.
const MOST_ZONES: u8 = 64;

/// The declared zones, if a set consists only of cards of zones.
fn zones_of(program: &Program, set: NodeId, depth: u8) -> Option<ZoneSet> {
    if depth > MOST_ZONES {
        return None;
    }
    match *program.nodes.get(set)? {
        Node::Zone(zone, _) | Node::ZoneOfAll(zone) if zone.index() < ZoneSet::BITS => Some(ZoneSet::of(zone)),
        Node::Where(inner, _) | Node::Except(inner, _) => zones_of(program, inner, depth + 1),
        Node::Union(a, b) | Node::Joined(a, b) => Some(zones_of(program, a, depth + 1)? | zones_of(program, b, depth + 1)?),
        _ => None,
    }
}

/// Whether a set names cards of a zone that is not public.
pub(crate) fn names_unseen_zone(program: &Program, set: NodeId) -> bool {
    let Some(zones) = zones_of(program, set, 0) else { return false };
    program.zones.iter().any(|(zone, def)| zone.index() < ZoneSet::BITS && zones.has(zone) && def.seen != Seen::ByAll)
}
