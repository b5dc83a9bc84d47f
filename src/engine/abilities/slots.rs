//! Slots of abilities: their contents, asking for them, checking the answers again. Also abilities that wait in zones
//! (docs/kernel/abilities.md).
//!
//! The question of a slot, and the payment of a cost, are routines like bodies of procedures, with the slots as parameters. So the code
//! that asks, tries, undoes, saves and explains statements also serves targets, numbers and payments. A waiting ability holds values only.

use crate::abilities::usable::used;
use crate::eval::Eval;
use crate::fault::{Fault, broken};
use crate::ids::{ArgsId, ClauseId, NodeId, Pc, Reg, SlotId};
use crate::program::{ClauseKind, Fill, Node, Type};
use crate::run::Run;
use crate::run::step::set;
use crate::state::placed_abilities::waits;
use crate::state::{Branch, Cause, Pending, Role, Waits};
use crate::steps::{Observer, Step, Why};
use crate::value::{Few, ObjectId, Place, Player, Slots, Value};
use smallvec::smallvec;

impl<'a> Eval<'a> {
    /// The waiting ability that a value names.
    pub fn waiting(&self, value: Value) -> Option<&'a Pending> {
        let Value::Pending(number) = value else { return None };
        self.state.events.waiting(number)
    }

    /// An evaluation inside this one, with the slots of a waiting ability in sight and its source as `this`.
    pub fn of_waiting<'i>(&self, pending: &'i Pending, locals: &'i [Value]) -> Eval<'i>
    where
        'a: 'i,
    {
        let mut inner = Eval::new(self.program, self.state, locals, &pending.lists, pending.you, pending.source);
        inner.carry_on(self);
        inner
    }

    /// Takes over the notes of a part of this evaluation.
    fn take_notes(&mut self, overflow: bool, peeked: bool, reads: crate::bits::Spots) {
        self.overflow |= overflow;
        self.peeked |= peeked;
        self.read(reads);
    }

    /// The number of names that an ability's event binds.
    fn captured_by(&self, def: &crate::program::AbilityDef) -> usize {
        let clause = def.clauses.first().and_then(|clause| self.program.clauses.get(*clause)).map(|clause| &clause.kind);
        let Some(crate::program::ClauseKind::When { pattern, .. }) = clause else { return 0 };
        self.program.patterns.get(*pattern).map_or(0, |pattern| usize::from(pattern.binds))
    }

    /// The value in a slot of an ability. Undefined if the slot holds several values.
    pub fn slot(&mut self, ability: NodeId, slot: SlotId) -> Value {
        let value = self.value(ability);
        self.slot_in(value, slot)
    }

    /// The value in a slot of a known ability. Undefined if the slot holds several values.
    pub(crate) fn slot_in(&mut self, value: Value, slot: SlotId) -> Value {
        if let Some(pending) = self.waiting(value) {
            let Some((at, fill)) = self.slot_of(pending, slot).map(|(at, fill, _)| (at, fill)) else { return Value::Undefined };
            let stored = pending.slots.get(at).copied().unwrap_or_default();
            return match fill {
                Fill::Empty => Value::Undefined,
                Fill::Cost { .. } => Value::Bool(stored != Value::Undefined),
                Fill::Asked { .. } | Fill::Value(_) if stored != Value::Undefined => scalar(stored),
                Fill::Asked { .. } => Value::Undefined,
                Fill::Value(node) => self.filled_value(pending, *node),
            };
        }
        if let Some(printed) = self.printed_constant(value, slot) {
            return printed;
        }
        match self.printed_fill(value, slot) {
            Some((pending, Fill::Value(node))) => self.filled_value(&pending, *node),
            Some((_, Fill::Cost { .. })) => Value::Bool(false),
            Some((pending, Fill::Empty)) => match self.given_fill(&pending, slot) {
                Some((_, Fill::Cost { .. })) => Value::Bool(false),
                _ => Value::Undefined,
            },
            Some((_, Fill::Asked { .. })) | None => Value::Undefined,
        }
    }

    /// The position of a slot among the slots of a waiting ability, and its contents: the printed contents, or those that a clause in force
    /// gives (with the clause).
    pub(crate) fn slot_of(&mut self, pending: &Pending, slot: SlotId) -> Option<(usize, &'a Fill, Option<ClauseId>)> {
        let program = self.program;
        let (at, fill) = pending.slot(program, slot)?;
        if !matches!(fill, Fill::Empty) {
            return Some((at, fill, None));
        }
        let kept = pending.given.iter().find(|(place, _)| usize::from(*place) == at).and_then(|(_, clause)| {
            let ClauseKind::Fill { fill, .. } = &program.clauses.get(*clause)?.kind else { return None };
            Some((*clause, fill))
        });
        Some(match kept.or_else(|| self.given_fill(pending, slot)) {
            Some((clause, fill)) => (at, fill, Some(clause)),
            None => (at, fill, None),
        })
    }

    /// The contents that the oldest applying effect in force gives to an empty slot.
    fn given_fill(&mut self, pending: &Pending, slot: SlotId) -> Option<(ClauseId, &'a Fill)> {
        let (program, state) = (self.program, self.state);
        let ability = if state.events.waiting(pending.number).is_some() { Value::Pending(pending.number) } else { Value::Undefined };
        for effect in &state.effects.in_force {
            let Some(clause) = program.clauses.get(effect.clause) else { continue };
            let ClauseKind::Fill { what, slot: of, fill } = &clause.kind else { continue };
            let applies = *of == slot
                && [pending.source, ability].into_iter().any(|of| self.applies(effect, clause.condition, *what, of))
                && self.silenced(effect).is_none();
            if applies {
                return Some((effect.clause, fill));
            }
        }
        None
    }

    fn filled_value(&mut self, pending: &Pending, node: NodeId) -> Value {
        if let (Some(Node::Const(value)), true) = (self.program.nodes.get(node), self.may_nest()) {
            return *value;
        }
        let locals = pending.locals(self.program);
        let mut inner = self.of_waiting(pending, &locals);
        if inner.too_deep() {
            return Value::Undefined;
        }
        let value = inner.value(node);
        let (overflow, peeked, reads) = (inner.overflow, inner.peeked, inner.reads.get());
        self.take_notes(overflow, peeked, reads);
        value
    }

    /// The content of a slot of a printed ability, if it is a constant. Most printed contents are, and need no names.
    fn printed_constant(&self, value: Value, slot: SlotId) -> Option<Value> {
        let Value::Ability { of, ability, .. } = value else { return None };
        let def = self.program.abilities.get(ability).filter(|_| self.may_nest() && self.state.board.object(of).is_some())?;
        let at = self.program.kinds.get(def.kind)?.slots.iter().position(|(of, ..)| *of == slot)?;
        match def.fills.get(at)? {
            Fill::Cost { .. } => Some(Value::Bool(false)),
            Fill::Value(node) => match self.program.nodes.get(*node) {
                Some(Node::Const(value)) => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }

    /// The contents of a slot of a printed ability, and the ability as if it waited.
    fn printed_fill(&mut self, value: Value, slot: SlotId) -> Option<(Pending, &'a Fill)> {
        let pending = self.as_if_it_waited(value)?;
        let (_, fill) = pending.slot(self.program, slot)?;
        Some((pending, fill))
    }

    /// An ability of a card as if it waited, with no answers and no captured values.
    pub(crate) fn as_if_it_waited(&mut self, value: Value) -> Option<Pending> {
        let Value::Ability { of, ability, life } = value else { return None };
        let def = self.program.abilities.get(ability)?;
        let source = Value::Object { id: of, life: self.state.board.life_of(of, life) };
        let you = self.controller_or_nobody(source)?;
        let mut pending = Pending::new(Waits::Announced(def.kind), def.body.unwrap_or_default(), source, you);
        // A number that no waiting ability has.
        pending.number = u32::MAX;
        pending.ability = Some(ability);
        pending.captures = Few::from_elem(Value::Undefined, self.captured_by(def));
        pending.slots = Slots::from_elem(Value::Undefined, def.fills.len());
        Some(pending)
    }

    /// The members of the set in a slot of an ability.
    pub(crate) fn slot_members(&mut self, ability: NodeId, slot: SlotId) -> Few {
        let value = self.value(ability);
        self.members_in_slot(value, slot)
    }

    /// The members of the set in a slot of a known ability.
    pub(crate) fn members_in_slot(&mut self, value: Value, slot: SlotId) -> Few {
        if let Some(pending) = self.waiting(value) {
            let Some((at, fill)) = pending.slot(self.program, slot) else { return Few::new() };
            return match (pending.slots.get(at).copied().unwrap_or_default(), fill) {
                (Value::Undefined, Fill::Value(node)) => self.filled_members(pending, *node),
                (stored @ Value::List { .. }, _) => Few::from_slice(pending.members(stored)),
                (Value::Undefined, _) => Few::new(),
                (stored, _) => smallvec![stored],
            };
        }
        match self.printed_fill(value, slot) {
            Some((pending, Fill::Value(node))) => self.filled_members(&pending, *node),
            _ => Few::new(),
        }
    }

    fn filled_members(&mut self, pending: &Pending, node: NodeId) -> Few {
        let locals = pending.locals(self.program);
        let mut inner = self.of_waiting(pending, &locals);
        let mut members = Few::new();
        if !inner.too_deep() {
            inner.each(node, &mut |_, member| {
                members.push(member);
                false
            });
        }
        let (overflow, peeked, reads) = (inner.overflow, inner.peeked, inner.reads.get());
        self.take_notes(overflow, peeked, reads);
        members
    }

    /// The members of a slot's answer that have not become new objects and still fit.
    pub(crate) fn still_members(&mut self, ability: NodeId, slot: SlotId) -> Few {
        let value = self.value(ability);
        let Some(pending) = self.waiting(value) else { return Few::new() };
        pending.slot(self.program, slot).map_or_else(Few::new, |(at, _)| self.still(pending, at))
    }

    /// The members of the answer in the slot at this position that have not become new objects and still fit.
    pub fn still(&mut self, pending: &'a Pending, at: usize) -> Few {
        let stored = pending.slots.get(at).copied().unwrap_or_default();
        let one = [stored];
        let members = match stored {
            Value::Undefined => return Few::new(),
            Value::List { .. } => pending.members(stored),
            _ => &one,
        };
        let Some(Fill::Asked { domain, declared, .. }) = pending.fills(self.program).get(at) else { return Few::from_slice(members) };
        let locals = pending.locals(self.program);
        let mut inner = self.of_waiting(pending, &locals);
        let cause = Cause::effect(pending.source, pending.you);
        let still = members.iter().copied().filter(|member| {
            inner.is_there(*member) && inner.contains(*domain, *member) && inner.withheld_by(*member, *declared, cause).is_none()
        });
        let still: Few = still.collect();
        let (overflow, peeked, reads) = (inner.overflow, inner.peeked, inner.reads.get());
        self.take_notes(overflow, peeked, reads);
        still
    }

    /// Whether a chosen thing is still there: the object has not become a new one, or the ability still waits. Other values are always
    /// there.
    pub(super) fn is_there(&self, value: Value) -> bool {
        match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => self.lives_now(id, value),
            Value::Pending(_) => self.waiting(value).is_some(),
            _ => true,
        }
    }

    fn lives_now(&self, id: ObjectId, value: Value) -> bool {
        self.state.board.object(id).is_some_and(|object| value.lives(object.life) && object.place != Place::NOWHERE)
    }

    /// The abilities that wait in a zone, in the order in which they came.
    pub(crate) fn each_waiting(&mut self, place: Value, visit: crate::eval::Visit<'_, 'a>) -> bool {
        let Value::Zone(place) = place else { return false };
        let there = self.state.events.in_zone(place);
        there.iter().any(|(_, number)| visit(self, Value::Pending(*number)))
    }

    /// All sources of an ability.
    pub fn sources(&mut self, ability: NodeId) -> Few {
        let value = self.value(ability);
        match (self.waiting(value), value) {
            (Some(pending), _) => std::iter::once(pending.source).chain(pending.also.iter().copied()).collect(),
            (None, Value::Ability { of, life, .. }) => smallvec![Value::Object { id: of, life: self.state.board.life_of(of, life) }],
            (None, _) => Few::new(),
        }
    }
}

/// A stored answer as a single value. Undefined if the answer is a list.
fn scalar(stored: Value) -> Value {
    if let Value::List { .. } = stored { Value::Undefined } else { stored }
}

impl<O: Observer> Run<'_, O> {
    /// Announces an ability of a card: it begins to wait, in no zone, with no slot filled.
    pub fn announce(&mut self, branch: &mut Branch, at: u16, pc: Pc, args: ArgsId, result: Reg) {
        let program = self.program;
        let [ability, by, also, anywhere] = program.args_of(args) else { return broken(Fault::Row) };
        let (value, by) = (self.value(branch, *ability), self.value(branch, *by).player());
        let mark = branch.lists.len();
        let also = if *also == NodeId::NONE { Value::Undefined } else { self.list(branch, *also) };
        let also = match also {
            Value::List { .. } => Few::from_slice(branch.lists.get(mark..).unwrap_or(&[])),
            _ => Few::new(),
        };
        branch.lists.truncate(mark);
        set(branch, result, Value::Undefined);
        let anywhere = *anywhere != NodeId::NONE && self.value(branch, *anywhere).is_true();
        // If the ability already waits for its turn, the new use knows the values that its event bound.
        let heard = match value {
            Value::Pending(number) => self.state.events.waiting(number).cloned(),
            _ => None,
        };
        let value = heard.as_ref().and_then(used).unwrap_or(value);
        let why = self.eval(branch).unusable_in(value, by, anywhere);
        let (Value::Ability { .. }, None) = (value, why) else {
            let why = why.unwrap_or(Why::Missing);
            self.tell(pc, branch.frames.len(), at, &[], || Step::NotUsed { ability: value, why });
            return self.set_done(branch, at, false);
        };
        let Some(number) = self.used_without_event(branch, at, value, by, (also, heard.as_ref())) else {
            self.tell(pc, branch.frames.len(), at, &[], || Step::NotUsed { ability: value, why: Why::Bodiless });
            return self.set_done(branch, at, false);
        };
        set(branch, result, Value::Pending(number));
        self.set_done(branch, at, true);
    }

    /// Lets an ability of a card wait, in no zone. None for an ability that never waits (a static one). `heard`: the ability already waits
    /// for its turn, and this further use has the same event.
    pub(crate) fn used_without_event(
        &mut self,
        branch: &mut Branch,
        at: u16,
        used: Value,
        by: Option<Player>,
        (also, heard): (Few, Option<&Pending>),
    ) -> Option<u32> {
        let Value::Ability { of, ability, .. } = used else { return None };
        let def = self.program.abilities.get(ability)?;
        let (_, body, binds) = waits(self.program, ability)?;
        let source = self.state.board.reference(of);
        let you = by.or_else(|| self.eval(branch).controller_or_nobody(source)).unwrap_or_default();
        if !self.program.policies.announced_at_use {
            self.state.count_use(self.program, used, you);
        }
        let mut pending = Pending::new(Waits::Announced(def.kind), body, source, you);
        (pending.ability, pending.after) = (Some(ability), self.left_there(body, source));
        pending.before = self.was_before(body, source, Value::Undefined);
        if let Some(heard) = heard {
            (pending.captures, pending.lists) = (heard.captures.clone(), heard.lists.clone());
            (pending.source, pending.after, pending.before) = (heard.source, heard.after, heard.before);
            pending.event = heard.event;
        }
        // If no event has happened, the names that the event would have bound are undefined.
        pending.captures.resize(binds, Value::Undefined);
        pending.slots = Slots::from_elem(Value::Undefined, def.fills.len());
        pending.also = also;
        Some(self.wait(branch, at, pending, 0))
    }

    /// Moves a waiting ability into a zone, as the newest there.
    pub fn enter(&mut self, branch: &mut Branch, at: u16, ability: NodeId, zone: NodeId) {
        let (ability, zone) = (self.value(branch, ability), self.value(branch, zone));
        let (Value::Zone(place), Value::Pending(number)) = (zone, ability) else { return self.set_done(branch, at, false) };
        self.take_up(branch, number);
        if !self.state.events.enter(number, place) {
            return self.set_done(branch, at, false);
        }
        self.tell(branch.now(), branch.frames.len(), at, &[], || Step::Enters(number, place));
        self.set_done(branch, at, true);
    }

    /// Fixes the controller of a waiting ability when it is taken up, if the game's policy asks for this moment.
    pub(crate) fn take_up(&mut self, branch: &Branch, number: u32) {
        if !self.program.policies.controlled_at_use {
            return;
        }
        let Some(pending) = self.state.events.waiting(number) else { return };
        let you = self.eval(branch).whose(pending);
        // A trial run shares the ability with the game until something about it changes.
        if you != pending.you
            && let Some(pending) = self.state.events.waiting_mut(number)
        {
            pending.you = you;
        }
    }

    /// Asks for a slot. A slot with a value gets its value fixed. An empty slot asks for nothing.
    pub(crate) fn ask_slot(&mut self, branch: &mut Branch, at: u16, ability: NodeId, slot: SlotId, by: NodeId) {
        let by = if by == NodeId::NONE { None } else { self.value(branch, by).player() };
        let ability = self.value(branch, ability);
        if let Value::Pending(number) = ability {
            self.take_up(branch, number);
        }
        // If the ability has no such slot, nothing is asked.
        let waits = self.eval(branch).waiting(ability).is_some();
        let Some((number, position, fill)) = self.place_of_slot(branch, ability, slot) else {
            return self.asked_for_nothing(branch, at, waits);
        };
        match fill {
            Fill::Empty | Fill::Cost { .. } => self.asked_for_nothing(branch, at, true),
            Fill::Value(node) => {
                self.fix_value(branch, ability, position, *node, slot);
                self.set_done(branch, at, true);
            }
            Fill::Asked { body, .. } => {
                let (body, role) = (*body, Role::Slot { number, at: position as u8 });
                self.push_slots(branch, ability, (body, true), role, by, &[]);
            }
        }
    }

    /// Whether an ability has this slot, and a player or the rules fill it.
    pub(crate) fn has_to_ask(&self, branch: &Branch, ability: NodeId, slot: SlotId) -> bool {
        let ability = self.eval(branch).value(ability);
        matches!(self.place_of_slot(branch, ability, slot), Some((_, _, Fill::Value(_) | Fill::Asked { .. })))
    }

    fn asked_for_nothing(&mut self, branch: &mut Branch, at: u16, done: bool) {
        self.set_done(branch, at, done);
        // Unless the call was done, an attempt may have been undone. If control is fixed at each use, the controller was written. In both
        // cases the state may have changed.
        self.still = branch.frames.last().is_some_and(|frame| frame.done) && !self.program.policies.controlled_at_use;
    }

    /// The number of a waiting ability, the position of a slot, and the contents of the slot.
    pub(crate) fn place_of_slot(&self, branch: &Branch, ability: Value, slot: SlotId) -> Option<(u32, usize, &Fill)> {
        let pending = self.eval(branch).waiting(ability)?;
        let (at, fill) = pending.slot(self.program, slot)?;
        Some((pending.number, at, fill))
    }

    fn fix_value(&mut self, branch: &Branch, ability: Value, at: usize, node: NodeId, slot: SlotId) {
        let of_set = self.program.slots.get(slot).is_some_and(|slot| slot.set);
        let (value, members, noted) = {
            let mut eval = self.eval(branch);
            let Some(pending) = eval.waiting(ability) else { return };
            let members = if of_set { eval.filled_members(pending, node) } else { Few::new() };
            let value = if of_set { Value::List { start: 0, len: members.len() as u16 } } else { eval.filled_value(pending, node) };
            (value, members, (eval.overflow, eval.peeked))
        };
        self.noted(branch, noted.0, noted.1);
        if let Some(pending) = self.pending_mut(ability) {
            pending.store(at, value, &members);
        }
    }

    /// The waiting ability, for changing it.
    pub(crate) fn pending_mut(&mut self, ability: Value) -> Option<&mut Pending> {
        let Value::Pending(number) = ability else { return None };
        self.state.events.waiting_mut(number)
    }

    /// Calls a routine of a waiting ability's slot. Its registers are the slots (only if `sees`), the asked player, and the values in
    /// `more`.
    pub(crate) fn push_slots(
        &mut self,
        branch: &mut Branch,
        ability: Value,
        (body, sees): (crate::ids::RoutineId, bool),
        role: Role,
        by: Option<Player>,
        more: &[Value],
    ) {
        let program = self.program;
        let Value::Pending(number) = ability else { return };
        let Some(pending) = self.state.events.waiting(number) else { return };
        let (source, you) = (pending.source, pending.you);
        let lists = branch.lists.len() as u32;
        branch.lists.extend_from_slice(&pending.lists);
        let base = branch.registers.len();
        if sees {
            branch.registers.extend(pending.locals(program).into_iter().map(|value| moved(value, lists)));
        }
        branch.registers.push(by.unwrap_or(you).value());
        branch.registers.extend_from_slice(more);
        let count = branch.registers.len() - base;
        branch.registers.resize(base + self.registers_of(body).max(count), Value::Undefined);
        let mut frame = self.frame(body, base);
        (frame.lists, frame.you, frame.this, frame.role) = (lists, you, source, role);
        frame.cause = if role == Role::Payment { Cause::Cost { source, you } } else { Cause::effect(source, you) };
        self.push(branch, frame);
    }

    /// Stores the answer for a slot, which the frame of the question returned.
    pub(crate) fn keep_answer(&mut self, branch: &mut Branch, at: u16, number: u32, position: usize, value: Value, done: bool) {
        let mark = if let Value::List { start, .. } = value { start as usize } else { branch.lists.len() };
        if let Some(pending) = self.pending_mut(Value::Pending(number)) {
            pending.store(position, value, &branch.lists);
        }
        branch.lists.truncate(mark);
        self.set_done(branch, at, done);
    }

    /// The registers of the slots for a body that is performed. Chosen cards and abilities that no longer fit are left out.
    pub(crate) fn slot_registers(&mut self, branch: &mut Branch, pending: &Pending, lists: u32) -> Slots {
        let program = self.program;
        let locals = pending.locals(program);
        let kinds = pending.kind().and_then(|kind| program.kinds.get(kind)).map_or(&[][..], |kind| &kind.slots);
        let mut made = Slots::new();
        for (at, value) in locals.iter().skip(pending.captures.len()).enumerate() {
            let def = kinds.get(at).and_then(|(slot, ..)| program.slots.get(*slot));
            let checked = def.is_some_and(|def| matches!(def.of, Type::Card | Type::Ability))
                && matches!(pending.fills(program).get(at), Some(Fill::Asked { .. }));
            if !checked {
                made.push(moved(*value, lists));
                continue;
            }
            let still = self.still_of(branch, pending, at);
            let set = matches!(value, Value::List { .. });
            let start = branch.lists.len() as u32;
            made.push(if set { Value::List { start, len: still.len() as u16 } } else { still.first().copied().unwrap_or_default() });
            if set {
                branch.lists.extend(still);
            }
        }
        made
    }

    fn still_of(&mut self, branch: &Branch, pending: &Pending, at: usize) -> Few {
        let (still, noted) = {
            let base = self.eval(branch);
            let mut eval = Eval::new(self.program, self.state, &[], &[], pending.you, pending.source);
            eval.carry_on(&base);
            let still = eval.still(pending, at);
            (still, (eval.overflow, eval.peeked))
        };
        self.noted(branch, noted.0, noted.1);
        still
    }

    /// Whether a verb counts as done although there is no card to do it to. If so, tells the rule.
    pub fn done_with_nothing(&mut self, branch: &Branch, at: u16, pc: Pc, verb: crate::ids::VerbId, why: Why) -> bool {
        let cites = self.program.verbs.get(verb).and_then(|verb| verb.done_with_nothing);
        let Some(cites) = cites.filter(|_| matches!(why, Why::Nothing | Why::NoTimes)) else { return false };
        if cites.0 != 0 {
            self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::Statement(None));
        }
        true
    }
}

/// The value, with the place of its list moved by `by`.
pub(crate) fn moved(value: Value, by: u32) -> Value {
    if let Value::List { start, len } = value { Value::List { start: start + by, len } } else { value }
}
