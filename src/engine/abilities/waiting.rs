//! Abilities that wait: a body is put aside with the values that it captured. Later it is performed, dropped, or found to be unusable.
//!
//! `triggers.rs` decides when an ability begins to wait. The actions of a body are in `perform.rs`.

use crate::abilities::usable::used;
use crate::actions::perform::copied;
use crate::effects::keep;
use crate::fault::{Fault, broken};
use crate::ids::{ArgsId, CitesId, ClauseId, MomentId, NodeId, Pc, RoutineId, VerbId};
use crate::limits::WAITING;
use crate::program::{Principle, ZoneDef};
use crate::run::Run;
use crate::run::step::top;
use crate::state::{Branch, Cause, FailureKind, Frame, Pending, Role, Status, Waits};
use crate::steps::{Observer, Step, Why};
use crate::value::{Few, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

impl<O: Observer> Run<'_, O> {
    /// `put by { } until m`. Without a moment, the block waits like an ability whose event has happened.
    pub fn put_by(&mut self, branch: &mut Branch, at: u16, moment: Option<MomentId>, body: RoutineId, captures: ArgsId) {
        let like_a_trigger = Waits::Triggered(self.program.automatic, crate::ids::ClauseId(u16::MAX));
        let number = self.put_aside(branch, moment.map_or(like_a_trigger, Waits::PutBy), body, captures);
        self.tell(branch.now(), branch.frames.len(), at, &branch.lists, || Step::Waits(number, 0));
        self.carried_out(branch);
    }

    /// Puts a body aside with the values that it needs. Gives its number.
    pub fn put_aside(&mut self, branch: &mut Branch, waits: Waits, body: RoutineId, captures: ArgsId) -> u32 {
        let (kept, lists) = self.captured(branch, captures);
        let (source, you) = branch.frames.last().map_or_else(Default::default, |frame| (frame.this, frame.you));
        self.wait_within_bounds(branch.now());
        let number = self.state.events.next;
        self.state.events.next += 1;
        self.state.events.pending.unnoted_mut().push_back(Arc::new(Pending {
            number,
            captures: kept,
            lists,
            ..Pending::new(waits, body, source, you)
        }));
        number
    }

    /// Ends the run with a rules error if one more ability would exceed the limit of waiting abilities.
    pub(crate) fn wait_within_bounds(&mut self, pc: Pc) {
        if self.state.events.pending.unnoted().len() >= WAITING && !matches!(self.state.control.status, Status::Failed(_)) {
            self.fail(FailureKind::Waiting, pc);
        }
    }

    /// The values that a body needs when it is carried out later, and the members of lists among them.
    pub fn captured(&mut self, branch: &mut Branch, captures: ArgsId) -> (Few, Few) {
        let (program, mark) = (self.program, branch.lists.len());
        let (mut kept, mut lists) = (Few::new(), Few::new());
        for node in program.args_of(captures) {
            let value = self.argument(branch, *node);
            kept.push(keep(value, &branch.lists, &mut lists));
        }
        branch.lists.truncate(mark);
        (kept, lists)
    }

    /// Drops the waiting abilities of a set.
    pub(crate) fn drop_pending(&mut self, branch: &mut Branch, at: u16, pc: Pc, node: NodeId) {
        let mark = branch.lists.len();
        self.list(branch, node);
        let number = |value: &Value| if let Value::Pending(number) = value { Some(*number) } else { None };
        let dropped: BTreeSet<u32> = branch.lists.get(mark..).unwrap_or(&[]).iter().filter_map(number).collect();
        if O::ON {
            let waiting = dropped.iter().copied().filter(|number| self.state.events.waiting(*number).is_some());
            for number in waiting.collect::<Vec<_>>() {
                self.tell(pc, branch.frames.len(), at, &[], || Step::Dropped(number));
                // In a zone that abilities leave only by being dropped, the ability may have been performed before.
                let may_be_over = self.zone_of_ability(number).is_some_and(|zone| zone.until_dropped);
                if let Some(pending) = self.state.events.waiting(number).filter(|_| !may_be_over).cloned() {
                    self.tell_unfit(branch, at, pc, &pending);
                }
            }
        }
        let used_up = self.used_up_among(branch, &dropped);
        let any = self.state.events.drop_all(&dropped);
        self.hide_what_waited(branch);
        branch.lists.truncate(mark);
        if any {
            self.settle_abilities();
        }
        // A dropped ability is over, like a performed one, so its condition may let it wait again.
        self.conditions_resolved(&used_up);
    }

    /// The state triggers among waiting abilities that have no uses left: their cards and clauses.
    fn used_up_among(&self, branch: &Branch, numbers: &BTreeSet<u32>) -> Vec<(Value, ClauseId)> {
        let waiting = numbers.iter().filter_map(|number| self.state.events.waiting(*number));
        let used_up = waiting.filter(|pending| {
            used(pending).is_some_and(|of| matches!(self.eval(branch).unusable_in(of, Some(pending.you), true), Some(Why::UsedUp)))
        });
        used_up
            .filter_map(|pending| if let Waits::Triggered(_, clause) = pending.waits { Some((pending.source, clause)) } else { None })
            .collect()
    }

    /// `perform a`.
    pub(crate) fn perform_ability(&mut self, branch: &mut Branch, at: u16, pc: Pc, node: NodeId) {
        match self.value(branch, node) {
            Value::Pending(number) => self.perform_pending(branch, at, pc, number),
            ability @ Value::Ability { .. } => self.perform_printed(branch, at, pc, ability),
            _ => top(branch, Frame::nothing_done),
        }
    }

    /// Whether a waiting ability lies in a zone that it leaves only after it was performed.
    fn stays_until_performed(&self, number: u32) -> bool {
        self.zone_of_ability(number).is_some_and(|zone| zone.until_performed)
    }

    /// The zone in which a waiting ability lies. None if it waits in no zone.
    fn zone_of_ability(&self, number: u32) -> Option<&ZoneDef> {
        let place = self.state.events.waiting(number).and_then(|pending| pending.place)?;
        self.program.zones.get(crate::state::board::zone_of(self.program, place).0)
    }

    /// Ends the waiting of an ability whose frame has been left or dropped.
    pub(crate) fn performed_is_over(&mut self, frame: &Frame) {
        if let Some(number) = frame.performs
            && !self.zone_of_ability(number).is_some_and(|zone| zone.until_dropped)
            && self.state.events.take(number).is_some()
        {
            self.settle_abilities();
        }
    }

    /// Performs the waiting ability with this number. Nothing happens if the ability is gone or cannot be used.
    pub(crate) fn perform_pending(&mut self, branch: &mut Branch, at: u16, pc: Pc, number: u32) {
        self.take_up(branch, number);
        let stays = self.stays_until_performed(number);
        let taken = match self.state.events.waiting(number) {
            Some(pending) if stays => Some((0, pending.clone())),
            _ => self.state.events.take(number),
        };
        let Some((mut index, pending)) = taken.filter(|_| branch.frames.iter().all(|frame| frame.performs != Some(number))) else {
            return top(branch, Frame::nothing_done);
        };
        self.settle_abilities();
        if let Some(why) = self.is_not_performed(branch, &pending) {
            if stays && let Some((at, _)) = self.state.events.take(number) {
                index = at;
                self.settle_abilities();
            }
            if O::ON {
                // The onlooker is told while the ability is still in the list, so that the onlooker can look at it.
                self.state.events.pending.unnoted_mut().insert(index, Arc::new(pending));
                let cites = self.rule_of_not_performed(pc, number, why);
                self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::NotUsed { ability: Value::Pending(number), why });
                self.state.events.pending.unnoted_mut().remove(index);
            }
            self.hide_what_waited(branch);
            top(branch, Frame::nothing_done);
            if self.conditions_resolved(&[]) && self.alone {
                self.immediate_rules(Some(branch));
            }
            return;
        }
        let lists = branch.lists.len() as u32;
        branch.lists.extend_from_slice(&pending.lists);
        let base = branch.registers.len();
        let moved = pending.captures.iter().map(|value| crate::abilities::slots::moved(*value, lists));
        branch.registers.extend(moved);
        if !pending.slots.is_empty() {
            let slots = self.slot_registers(branch, &pending, lists);
            branch.registers.extend(slots);
        }
        let given = branch.registers.len() - base;
        branch.registers.resize(base + self.registers_of(pending.body).max(given), Value::Undefined);
        self.reads_lives(branch, pending.body, base, (pending.before, pending.after));
        let mut frame = self.frame(pending.body, base);
        frame.lists = lists;
        frame.performs = stays.then_some(number);
        self.begin_ability(branch, frame, pending.source, pending.you);
        if !self.state.board.shown_while.is_empty() {
            self.show_while_performed(branch, number);
        }
        if let Waits::Declared(option) = pending.waits {
            // A declared option is done by the rules and not by an effect. It is an action of its own: as in an offer, a part that cannot
            // be done fails nothing around it.
            top(branch, |frame| (frame.cause, frame.lenient) = (Cause::Rule, true));
            let verb = self.program.options.get(option).map_or_else(VerbId::default, |option| option.verb);
            let count = self.program.verbs.get(verb).map_or(0, |verb| verb.parameters.len());
            let args = copied(branch.registers.get(base..base + count).unwrap_or_else(|| broken(Fault::Registers)));
            let cites = self.program.verbs.get(verb).map_or_else(Default::default, |verb| verb.name.cites);
            return self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::Processes(verb, args));
        }
        if O::ON && matches!(pending.waits, Waits::Triggered(..)) {
            self.tell_performed_all_the_same(branch, at, pc, &pending);
        }
        let (card, waited, you) = (pending.source, pending.kind(), pending.you);
        self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::Ability {
            card,
            ability: None,
            waited,
            number: Some(number),
            you,
            instead: false,
        });
        self.tell_unfit(branch, at, pc, &pending);
    }

    /// The card of an ability that begins to wait, as it is now, after a move that was its event. Undefined if the body does not ask for
    /// it.
    pub(crate) fn left_there(&self, body: RoutineId, source: Value) -> Value {
        let asks = self.program.routines.get(body).is_some_and(|def| def.after.is_some());
        match source {
            Value::Object { id, .. } if asks => self.state.board.reference(id),
            _ => Value::Undefined,
        }
    }

    /// The card of an ability that begins to wait, as it was before the move that was the ability's event. `was`: the card before that
    /// move; undefined if the event was no move of this card. The result is undefined if the body does not ask for the card.
    pub(crate) fn was_before(&self, body: RoutineId, source: Value, was: Value) -> Value {
        let asks = self.program.routines.get(body).is_some_and(|def| def.before.is_some());
        if !asks {
            Value::Undefined
        } else if was == Value::Undefined {
            source
        } else {
            was
        }
    }

    /// Gives a body the card that it asks for, as it was before the event, and when the ability began to wait.
    fn reads_lives(&self, branch: &mut Branch, body: RoutineId, base: usize, (before, after): (Value, Value)) {
        let Some(def) = self.program.routines.get(body) else { return broken(Fault::Row) };
        for (reg, life) in [(def.after, after), (def.before, before)] {
            let slot = reg.and_then(|reg| branch.registers.get_mut(base + usize::from(reg.0)));
            if let Some(slot) = slot.filter(|_| life != Value::Undefined) {
                *slot = life;
            }
        }
    }

    /// Tells the rule by which an ability is performed although its card has left or lost it, or although it is disabled.
    fn tell_performed_all_the_same(&mut self, branch: &Branch, at: u16, pc: Pc, pending: &Pending) {
        if let Some(principle) = self.eval(branch).what_became_of(pending).and_then(principle_of) {
            self.tell_principle(principle, pc, branch.frames.len(), at);
        }
    }

    /// The rule by which a waiting ability is not performed, or else the rules of the statement.
    fn rule_of_not_performed(&self, pc: Pc, number: u32, why: Why) -> CitesId {
        let kind = self.state.events.waiting(number).and_then(|pending| self.program.kinds.get(pending.kind()?));
        let cites = match principle_of(why) {
            Some(principle) => self.program.principle(principle),
            None => kind.map_or_else(CitesId::default, |kind| kind.limit_cites),
        };
        if cites == CitesId::default() { self.program.code_cites.get(pc).copied().unwrap_or_default() } else { cites }
    }

    fn begin_ability(&mut self, branch: &mut Branch, mut frame: Frame, source: Value, you: crate::value::Player) {
        frame.you = you;
        frame.this = source;
        frame.cause = Cause::effect(source, you);
        frame.role = Role::Ability(branch.shown.len() as u32);
        self.push(branch, frame);
    }

    fn perform_printed(&mut self, branch: &mut Branch, at: u16, pc: Pc, ability: Value) {
        let Value::Ability { of, ability: which, .. } = ability else { return };
        let why = self.unusable(branch, ability);
        let def = self.program.abilities.get(which);
        let (Some(def), None) = (def, why) else {
            let why = why.unwrap_or(Why::Missing);
            self.tell(pc, branch.frames.len(), at, &[], || Step::NotUsed { ability, why });
            return top(branch, Frame::nothing_done);
        };
        let Some(body) = def.body else {
            // The ability is used without its event, so the names that the event would bind are undefined.
            let Some(number) = self.used_without_event(branch, at, ability, None, (Few::new(), None)) else {
                self.tell(pc, branch.frames.len(), at, &[], || Step::NotUsed { ability, why: Why::Bodiless });
                return top(branch, Frame::nothing_done);
            };
            return self.perform_pending(branch, at, pc, number);
        };
        let card = self.state.board.reference(of);
        let you = self.eval(branch).controller_or_nobody(card).unwrap_or_default();
        self.state.count_use(self.program, ability, you);
        let base = branch.registers.len();
        branch.registers.resize(base + self.registers_of(body), Value::Undefined);
        self.reads_lives(branch, body, base, (card, card));
        let mut frame = self.frame(body, base);
        frame.lists = branch.lists.len() as u32;
        self.begin_ability(branch, frame, card, you);
        let cites = if def.cites.0 != 0 { def.cites } else { self.program.kinds.get(def.kind).map_or(def.cites, |kind| kind.name.cites) };
        self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::Ability {
            card,
            ability: Some(which),
            waited: None,
            number: None,
            you,
            instead: false,
        });
    }

    /// Why an ability of a card cannot be used now.
    pub(crate) fn unusable(&mut self, branch: &Branch, ability: Value) -> Option<Why> {
        self.eval(branch).unusable(ability, None)
    }
}

/// The principle for the event that has happened to a waiting ability.
fn principle_of(why: Why) -> Option<Principle> {
    match why {
        Why::Left => Some(Principle::LeftWaiting),
        Why::Lost(_) => Some(Principle::LostWaiting),
        Why::Disabled(_) => Some(Principle::DisabledWaiting),
        _ => None,
    }
}
