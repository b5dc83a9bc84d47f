//! Slots of abilities: their contents, asking for them, checking the answers again. Also abilities that wait in zones (docs/kernel.md,
//! "Slots", "Waiting abilities").

use crate::engine::abilities::usable::used;
use crate::engine::effects::keep;
use crate::engine::eval::{Eval, lives};
use crate::engine::ids::{ArgsId, ClauseId, KindId, NodeId, Pc, Reg, SlotId};
use crate::engine::observe::{Observer, Step, Why};
use crate::engine::program::{ClauseKind, Fill, Node, Program, Type};
use crate::engine::run::Run;
use crate::engine::run::step::set;
use crate::engine::state::placed_abilities::waits;
use crate::engine::state::{Branch, Cause, Pending, Role, Waits};
use crate::engine::value::{ObjectId, Place, Player, Value};

impl Pending {
    /// An ability that waits with nothing captured, in no zone.
    #[must_use]
    pub fn new(waits: Waits, body: crate::engine::ids::RoutineId, source: Value, you: Player) -> Self {
        Pending {
            number: 0,
            waits,
            body,
            source,
            after: Value::Undefined,
            you,
            captures: Vec::new(),
            place: None,
            entered: 0,
            ability: None,
            slots: Vec::new(),
            given: Vec::new(),
            also: Vec::new(),
            event: None,
            lists: Vec::new(),
        }
    }

    /// Its kind, if it has one.
    #[must_use]
    pub fn kind(&self) -> Option<KindId> {
        match self.waits {
            Waits::Triggered(kind, _) | Waits::Announced(kind) => Some(kind),
            Waits::PutBy(_) | Waits::Declared(_) => None,
        }
    }

    /// What fills its slots.
    #[must_use]
    pub fn fills<'p>(&self, program: &'p Program) -> &'p [Fill] {
        self.ability.and_then(|ability| program.abilities.get(ability)).map_or(&[], |ability| &ability.fills)
    }

    /// Where among its slots one is, and what fills it.
    #[must_use]
    pub fn slot<'p>(&self, program: &'p Program, slot: SlotId) -> Option<(usize, &'p Fill)> {
        let kind = program.kinds.get(self.kind()?)?;
        let at = kind.slots.iter().position(|(of, ..)| *of == slot)?;
        Some((at, self.fills(program).get(at)?))
    }

    /// What its slots' expressions read as registers: of a cost whether it has been fixed.
    #[must_use]
    pub fn locals(&self, program: &Program) -> Vec<Value> {
        let given = |at: usize| self.given.iter().any(|(place, _)| usize::from(*place) == at);
        let costs = self.fills(program).iter().enumerate().map(|(at, fill)| matches!(fill, Fill::Cost { .. }) || given(at));
        let slots = self.slots.iter().zip(costs);
        let slots = slots.map(|(value, cost)| if cost { Value::Bool(*value != Value::Undefined) } else { *value });
        self.captures.iter().copied().chain(slots).collect()
    }

    /// The members of an answer that it keeps.
    #[must_use]
    pub fn members(&self, value: Value) -> &[Value] {
        let Value::List { start, len } = value else { return &[] };
        self.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[])
    }

    /// Keeps an answer.
    pub fn store(&mut self, at: usize, value: Value, lists: &[Value]) {
        let kept = keep(value, lists, &mut self.lists);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = kept;
        }
    }
}

impl<'a> Eval<'a> {
    /// The waiting ability that a value names.
    pub fn waiting(&self, value: Value) -> Option<&'a Pending> {
        let Value::Pending(number) = value else { return None };
        self.state.events.waiting(number)
    }

    /// An evaluation as part of this one with the slots of a waiting ability in sight, its source as `this`.
    pub fn of_waiting<'i>(&self, pending: &'i Pending, locals: &'i [Value]) -> Eval<'i>
    where
        'a: 'i,
    {
        let mut inner = Eval::new(self.program, self.state, locals, &pending.lists, pending.you, pending.source);
        inner.carry_on(self);
        inner
    }

    /// Takes over what a part of this evaluation noted.
    fn take_notes(&mut self, overflow: bool, peeked: bool, reads: u64) {
        self.overflow |= overflow;
        self.peeked |= peeked;
        self.read(reads);
    }

    /// How many names an ability captures when it begins to wait for its event.
    fn captured_by(&self, def: &crate::engine::program::AbilityDef) -> usize {
        let clause = def.clauses.first().and_then(|clause| self.program.clauses.get(*clause)).map(|clause| &clause.kind);
        let Some(crate::engine::program::ClauseKind::When { pattern, .. }) = clause else { return 0 };
        self.program.patterns.get(*pattern).map_or(0, |pattern| usize::from(pattern.binds))
    }

    /// What is in a slot of an ability, if that is one value.
    pub fn slot(&mut self, ability: NodeId, slot: SlotId) -> Value {
        let value = self.value(ability);
        self.slot_in(value, slot)
    }

    /// The same of an ability that is known.
    pub(in crate::engine) fn slot_in(&mut self, value: Value, slot: SlotId) -> Value {
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

    /// Where among the slots of a waiting ability one is, and what fills it: what is printed, or what a clause in force gives it (which).
    pub(in crate::engine) fn slot_of(&mut self, pending: &Pending, slot: SlotId) -> Option<(usize, &'a Fill, Option<ClauseId>)> {
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

    /// What the oldest effect in force that says so puts into a slot.
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

    /// What a printed ability has in a slot if that is a constant, as most things are that are printed.
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

    /// What a printed ability has in a slot, and the ability as if it waited.
    fn printed_fill(&mut self, value: Value, slot: SlotId) -> Option<(Pending, &'a Fill)> {
        let pending = self.as_if_it_waited(value)?;
        let (_, fill) = pending.slot(self.program, slot)?;
        Some((pending, fill))
    }

    /// An ability of a card as if it waited: nothing is asked, and nothing captured.
    pub(in crate::engine) fn as_if_it_waited(&mut self, value: Value) -> Option<Pending> {
        let Value::Ability { of, ability, life } = value else { return None };
        let def = self.program.abilities.get(ability)?;
        let source = Value::Object { id: of, life: self.state.board.life_of(of, life) };
        let you = self.controller_or_nobody(source)?;
        let mut pending = Pending::new(Waits::Announced(def.kind), def.body.unwrap_or_default(), source, you);
        // No ability that waits has this number.
        pending.number = u32::MAX;
        pending.ability = Some(ability);
        pending.captures.resize(self.captured_by(def), Value::Undefined);
        pending.slots.resize(def.fills.len(), Value::Undefined);
        Some(pending)
    }

    /// The members of a slot of an ability.
    pub fn slot_members(&mut self, ability: NodeId, slot: SlotId) -> Vec<Value> {
        let value = self.value(ability);
        if let Some(pending) = self.waiting(value) {
            let Some((at, fill)) = pending.slot(self.program, slot) else { return Vec::new() };
            return match (pending.slots.get(at).copied().unwrap_or_default(), fill) {
                (Value::Undefined, Fill::Value(node)) => self.filled_members(pending, *node),
                (stored @ Value::List { .. }, _) => pending.members(stored).to_vec(),
                (Value::Undefined, _) => Vec::new(),
                (stored, _) => vec![stored],
            };
        }
        match self.printed_fill(value, slot) {
            Some((pending, Fill::Value(node))) => self.filled_members(&pending, *node),
            _ => Vec::new(),
        }
    }

    fn filled_members(&mut self, pending: &Pending, node: NodeId) -> Vec<Value> {
        let locals = pending.locals(self.program);
        let mut inner = self.of_waiting(pending, &locals);
        let mut members = Vec::new();
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

    /// The members of a slot's answer that are still the objects that were chosen, still there, and still fit.
    pub fn still_members(&mut self, ability: NodeId, slot: SlotId) -> Vec<Value> {
        let value = self.value(ability);
        let Some(pending) = self.waiting(value) else { return Vec::new() };
        pending.slot(self.program, slot).map_or_else(Vec::new, |(at, _)| self.still(pending, at))
    }

    /// The same of the slot at that place.
    pub fn still(&mut self, pending: &'a Pending, at: usize) -> Vec<Value> {
        let stored = pending.slots.get(at).copied().unwrap_or_default();
        let one = [stored];
        let members = match stored {
            Value::Undefined => return Vec::new(),
            Value::List { .. } => pending.members(stored),
            _ => &one,
        };
        let Some(Fill::Asked { domain, declared, .. }) = pending.fills(self.program).get(at) else { return members.to_vec() };
        let locals = pending.locals(self.program);
        let mut inner = self.of_waiting(pending, &locals);
        let cause = Cause::Effect { source: pending.source, you: pending.you };
        let still = members.iter().copied().filter(|member| {
            inner.is_there(*member) && inner.contains(*domain, *member) && inner.withheld_by(*member, *declared, cause).is_none()
        });
        let still: Vec<Value> = still.collect();
        let (overflow, peeked, reads) = (inner.overflow, inner.peeked, inner.reads.get());
        self.take_notes(overflow, peeked, reads);
        still
    }

    /// What a choice of objects named is there: the object in the life that was meant, the ability waiting still. Other values always are.
    fn is_there(&self, value: Value) -> bool {
        match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => self.lives_now(id, value),
            Value::Pending(_) => self.waiting(value).is_some(),
            _ => true,
        }
    }

    fn lives_now(&self, id: ObjectId, value: Value) -> bool {
        self.state.board.object(id).is_some_and(|object| lives(value, object.life) && object.place != Place::NOWHERE)
    }

    /// The abilities that wait in a zone, in the order in which they came.
    pub fn each_waiting(&mut self, place: Value, visit: crate::engine::eval::Visit<'_, 'a>) -> bool {
        let Value::Zone(place) = place else { return false };
        let there = self.state.events.in_zone(place);
        there.iter().any(|(_, number)| visit(self, Value::Pending(*number)))
    }

    /// All sources of an ability.
    pub fn sources(&mut self, ability: NodeId) -> Vec<Value> {
        let value = self.value(ability);
        match (self.waiting(value), value) {
            (Some(pending), _) => std::iter::once(pending.source).chain(pending.also.iter().copied()).collect(),
            (None, Value::Ability { of, life, .. }) => vec![Value::Object { id: of, life: self.state.board.life_of(of, life) }],
            (None, _) => Vec::new(),
        }
    }
}

/// A stored answer where one value is wanted: of several there is none.
fn scalar(stored: Value) -> Value {
    if let Value::List { .. } = stored { Value::Undefined } else { stored }
}

impl<O: Observer> Run<'_, O> {
    /// An ability of a card is played: it waits from now on, in no zone yet, and none of its slots has been asked for.
    pub fn announce(&mut self, branch: &mut Branch, at: u16, pc: Pc, args: ArgsId, result: Reg) {
        let program = self.program;
        let [ability, by, also, anywhere] = program.args_of(args) else { return };
        let (value, by) = (self.value(branch, *ability), self.value(branch, *by).player());
        let mark = branch.lists.len();
        let also = if *also == NodeId::NONE { Value::Undefined } else { self.list(branch, *also) };
        let also = match also {
            Value::List { .. } => branch.lists.get(mark..).unwrap_or(&[]).to_vec(),
            _ => Vec::new(),
        };
        branch.lists.truncate(mark);
        set(branch, result, Value::Undefined);
        let anywhere = *anywhere != NodeId::NONE && self.value(branch, *anywhere).is_true();
        // Of an ability that waits for its turn: what its event has bound is known in this use too.
        let heard = match value {
            Value::Pending(number) => self.state.events.waiting(number).cloned(),
            _ => None,
        };
        let value = heard.as_ref().and_then(used).unwrap_or(value);
        let why = self.eval(branch).unusable_in(value, by, anywhere);
        let (Value::Ability { .. }, None) = (value, why) else {
            let why = why.unwrap_or(Why::Undefined);
            self.tell(pc, branch.frames.len(), at, &[], || Step::NotUsed { ability: value, why });
            return self.settle(branch, at, false);
        };
        let Some(number) = self.used_without_event(branch, at, value, by, (also, heard.as_ref())) else {
            self.tell(pc, branch.frames.len(), at, &[], || Step::NotUsed { ability: value, why: Why::Bodiless });
            return self.settle(branch, at, false);
        };
        set(branch, result, Value::Pending(number));
        self.settle(branch, at, true);
    }

    /// An ability of a card that can be used waits from now on, in no zone; nothing where it holds by itself. `heard`: the ability waits for its turn
    /// already, and is used once more with what its event has bound.
    pub fn used_without_event(
        &mut self,
        branch: &mut Branch,
        at: u16,
        used: Value,
        by: Option<Player>,
        (also, heard): (Vec<Value>, Option<&Pending>),
    ) -> Option<u32> {
        let Value::Ability { of, ability, .. } = used else { return None };
        let def = self.program.abilities.get(ability)?;
        let (_, body, binds) = waits(self.program, ability)?;
        let source = self.state.board.reference(of);
        let you = by.or_else(|| self.eval(branch).controller_or_nobody(source)).unwrap_or_default();
        if !self.program.policies.announced_at_use {
            self.count_use(used, you);
        }
        let mut pending = Pending::new(Waits::Announced(def.kind), body, source, you);
        (pending.ability, pending.after) = (Some(ability), self.left_there(body, source));
        if let Some(heard) = heard {
            (pending.captures, pending.lists) = (heard.captures.clone(), heard.lists.clone());
            (pending.source, pending.after, pending.event) = (heard.source, heard.after, heard.event);
        }
        // If no event has happened, what the event of a trigger would have bound is undefined.
        pending.captures.resize(binds, Value::Undefined);
        pending.slots.resize(def.fills.len(), Value::Undefined);
        pending.also = also;
        Some(self.wait(branch, at, pending))
    }

    /// A waiting ability enters a zone, as the last that came there.
    pub fn enter(&mut self, branch: &mut Branch, at: u16, ability: NodeId, zone: NodeId) {
        let (ability, zone) = (self.value(branch, ability), self.value(branch, zone));
        let (Value::Zone(place), Value::Pending(number)) = (zone, ability) else { return self.settle(branch, at, false) };
        self.take_up(branch, number);
        if !self.state.events.enter(number, place) {
            return self.settle(branch, at, false);
        }
        self.tell(crate::engine::actions::change::now(branch), branch.frames.len(), at, &[], || Step::Enters(number, place));
        self.settle(branch, at, true);
    }

    /// Whose an ability is that is taken up is settled, where the game says that this counts.
    pub fn take_up(&mut self, branch: &Branch, number: u32) {
        if !self.program.policies.controlled_at_use {
            return;
        }
        let Some(pending) = self.state.events.waiting(number) else { return };
        let you = self.eval(branch).whose(pending);
        if let Some(pending) = self.state.events.waiting_mut(number) {
            pending.you = you;
        }
    }

    /// A slot is asked for. What holds a value has it fixed; what holds nothing has nothing to be asked for.
    pub fn ask_slot(&mut self, branch: &mut Branch, at: u16, ability: NodeId, slot: SlotId, by: NodeId) {
        let by = if by == NodeId::NONE { None } else { self.value(branch, by).player() };
        let ability = self.value(branch, ability);
        if let Value::Pending(number) = ability {
            self.take_up(branch, number);
        }
        // An ability without such a slot has nothing to be asked for.
        let waits = self.eval(branch).waiting(ability).is_some();
        let Some((number, position, fill)) = self.place_of_slot(branch, ability, slot) else {
            return self.asked_for_nothing(branch, at, waits);
        };
        match fill {
            Fill::Empty | Fill::Cost { .. } => self.asked_for_nothing(branch, at, true),
            Fill::Value(node) => {
                self.fix_value(branch, ability, position, *node, slot);
                self.settle(branch, at, true);
            }
            Fill::Asked { body, .. } => {
                let (body, role) = (*body, Role::Slot { number, at: position as u8 });
                self.push_slots(branch, ability, (body, true), role, by, &[]);
            }
        }
    }

    fn asked_for_nothing(&mut self, branch: &mut Branch, at: u16, done: bool) {
        self.settle(branch, at, done);
        // Where it is not done an attempt may have been undone; where control is looked at at each use, whose the ability is was noted.
        self.still = branch.frames.last().is_some_and(|frame| frame.done) && !self.program.policies.controlled_at_use;
    }

    /// Of a waiting ability its number, where among its slots one is, and what fills it.
    pub fn place_of_slot(&self, branch: &Branch, ability: Value, slot: SlotId) -> Option<(u32, usize, &Fill)> {
        let pending = self.eval(branch).waiting(ability)?;
        let (at, fill) = pending.slot(self.program, slot)?;
        Some((pending.number, at, fill))
    }

    fn fix_value(&mut self, branch: &Branch, ability: Value, at: usize, node: NodeId, slot: SlotId) {
        let of_set = self.program.slots.get(slot).is_some_and(|slot| slot.set);
        let (value, members, noted) = {
            let mut eval = self.eval(branch);
            let Some(pending) = eval.waiting(ability) else { return };
            let members = if of_set { eval.filled_members(pending, node) } else { Vec::new() };
            let value = if of_set { Value::List { start: 0, len: members.len() as u16 } } else { eval.filled_value(pending, node) };
            (value, members, (eval.overflow, eval.peeked))
        };
        self.noted(branch, noted.0, noted.1);
        if let Some(pending) = self.pending_mut(ability) {
            pending.store(at, value, &members);
        }
    }

    /// The waiting ability, to be changed.
    pub fn pending_mut(&mut self, ability: Value) -> Option<&mut Pending> {
        let Value::Pending(number) = ability else { return None };
        self.state.events.waiting_mut(number)
    }

    /// Calls a routine that belongs to a slot of a waiting ability: its registers are the slots (where it `sees` them), who is asked, and
    /// what more is given.
    pub fn push_slots(
        &mut self,
        branch: &mut Branch,
        ability: Value,
        (body, sees): (crate::engine::ids::RoutineId, bool),
        role: Role,
        by: Option<Player>,
        more: &[Value],
    ) {
        let program = self.program;
        let Some(pending) = self.eval(branch).waiting(ability) else { return };
        let (source, you) = (pending.source, pending.you);
        let (locals, kept) = (pending.locals(program), pending.lists.clone());
        let lists = branch.lists.len() as u32;
        branch.lists.extend_from_slice(&kept);
        let base = branch.registers.len();
        branch.registers.extend(locals.into_iter().filter(|_| sees).map(|value| moved(value, lists)));
        branch.registers.push(by.unwrap_or(you).value());
        branch.registers.extend_from_slice(more);
        let count = branch.registers.len() - base;
        branch.registers.resize(base + self.registers_of(body).max(count), Value::Undefined);
        let mut frame = self.frame(body, base);
        (frame.lists, frame.you, frame.this, frame.role) = (lists, you, source, role);
        frame.cause = if role == Role::Payment { Cause::Cost { source, you } } else { Cause::Effect { source, you } };
        self.push(branch, frame);
    }

    /// What was asked for is kept: what the frame of the question returned.
    pub fn keep_answer(&mut self, branch: &mut Branch, at: u16, number: u32, position: usize, value: Value, done: bool) {
        let mark = if let Value::List { start, .. } = value { start as usize } else { branch.lists.len() };
        if let Some(pending) = self.pending_mut(Value::Pending(number)) {
            pending.store(position, value, &branch.lists);
        }
        branch.lists.truncate(mark);
        self.settle(branch, at, done);
    }

    /// The registers of a body that is performed after what it captured: its slots, without what was chosen and no longer fits.
    pub fn slot_registers(&mut self, branch: &mut Branch, pending: &Pending, lists: u32) -> Vec<Value> {
        let program = self.program;
        let locals = pending.locals(program);
        let kinds = pending.kind().and_then(|kind| program.kinds.get(kind)).map_or(&[][..], |kind| &kind.slots);
        let mut made = Vec::with_capacity(locals.len());
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

    fn still_of(&mut self, branch: &Branch, pending: &Pending, at: usize) -> Vec<Value> {
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

    /// Whether what the top frames do is the payment of a cost.
    #[must_use]
    pub fn is_paying(&self, branch: &Branch) -> bool {
        let mut frames = branch.frames.iter().rev();
        frames
            .find(|frame| matches!(frame.role, Role::Payment | Role::Ability(_) | Role::Rule(..)))
            .is_some_and(|frame| matches!(frame.role, Role::Payment))
    }

    /// Whether a verb counts as done where there is nothing to do it to; by which rules is told.
    pub fn done_with_nothing(&mut self, branch: &Branch, at: u16, pc: Pc, verb: crate::engine::ids::VerbId, why: Why) -> bool {
        let cites = self.program.verbs.get(verb).and_then(|verb| verb.done_with_nothing);
        let Some(cites) = cites.filter(|_| matches!(why, Why::Nothing | Why::NoTimes)) else { return false };
        if cites.0 != 0 {
            self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::Statement(None));
        }
        true
    }
}

/// A value whose list lies further on.
pub fn moved(value: Value, by: u32) -> Value {
    if let Value::List { start, len } = value { Value::List { start: start + by, len } } else { value }
}
