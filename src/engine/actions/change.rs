//! Makes changes of the board and of effects, one at a time or as the batch of a lockstep. Then runs the immediate rules that are due.

use crate::eval::Eval;
use crate::eval::quick::Names;
use crate::eval::unread;
use crate::ids::{DurationId, Pc};
use crate::limits::{EFFECTS, WORK_OF_A_MEMBER};
use crate::observe::{Observer, Step};
use crate::plan::{RulePlan, Watched};
use crate::program::{Builtin, DurationKind, Seen, SetPolicy};
use crate::run::Run;
use crate::run::rules::Due;
use crate::short_ways::{ShortWay, took};
use crate::state::board::zone_of;
use crate::state::readings;
use crate::state::{Branch, Change, Doing, Effect, Holds, RuleEvent, State, Waits};
use crate::value::{ObjectId, Place, Player, Value};

impl<O: Observer> Run<'_, O> {
    /// A branch is about to change something. The change is made at once if this branch does not have to wait for other branches. Otherwise
    /// it is made together with the next changes of the others.
    #[inline]
    pub fn change(&mut self, branch: &mut Branch, at: u16, change: Change) {
        if let Some(crate::run::Trial { goal: crate::run::Goal::Anything { frames }, .. }) = self.trial
            && !self.is_attempted_above(branch, frames)
        {
            return self.find(true);
        }
        if branch.paying.is_part {
            self.note_taken(branch, change);
        }
        if !self.alone {
            branch.doing = Doing::Change(change);
            return;
        }
        self.change_now(branch, at, change);
    }

    #[inline(never)]
    fn change_now(&mut self, branch: &mut Branch, at: u16, change: Change) {
        let touched = self.touches(branch, change);
        self.before_changes();
        self.scratch.left_to_settle = None;
        self.perform_change(branch, at, change);
        let touched = self.scratch.left_to_settle.take().unwrap_or(touched);
        self.settle_effects(touched);
        debug_assert!(self.state.extents_stand(self.program), "{change:?}");
        self.after_change(branch, at);
        self.immediate_rules(Some(branch));
        // The verdict may have been raised by a branch that has ended meanwhile.
        if self.state.control.losing | self.state.control.winning != 0 {
            self.check_verdicts();
        }
    }

    /// Begins a duration (`open`): the effects that waited for it come into force. Or ends it: no effect of it begins any more.
    fn open_duration(&mut self, branch: &mut Branch, at: u16, duration: DurationId, open: bool) {
        self.state.effects.open.retain(|other| *other != duration);
        if open {
            self.state.effects.open.push(duration);
            let all = std::mem::take(&mut self.state.effects.later);
            let (now, later): (Vec<Effect>, _) = all.into_iter().partition(|effect| effect.holds == Holds::Lasting(duration));
            self.state.effects.later = later;
            self.begins = true;
            for effect in now {
                self.install(branch, at, Some(effect));
            }
            self.begins = false;
        }
        self.carried_out(branch);
    }

    /// Updates the cards to which effects apply, if some effect needs this.
    #[inline]
    pub(crate) fn settle_effects(&mut self, touched: u64) {
        if !self.state.effects.is_settled() {
            self.settle_now(touched);
        }
        self.overseen_anew();
    }

    /// Updates who sees face-down cards in zones where the controller sees them. Effects, moves and zones decide who controls a card, so this
    /// is noted after changes.
    #[inline]
    pub(crate) fn overseen_anew(&mut self) {
        let board = &self.state.board;
        if self.plan.overseers && (self.state.effects.controlling > 0 || !board.held.is_empty() || !board.overseen.is_empty()) {
            self.note_overseen();
        }
    }

    #[inline(never)]
    fn note_overseen(&mut self) {
        let (program, mut overseen) = (self.program, Vec::new());
        for (id, object) in (0..).map(ObjectId).zip(&self.state.board.objects) {
            let zone = program.zones.get(zone_of(program, object.place).0);
            if object.face_up || !zone.is_some_and(|zone| zone.has_faces && zone.down == Seen::ByController) {
                continue;
            }
            let card = self.state.board.reference(id);
            let by = Eval::new(program, self.state, &[], &[], Player(0), Value::Undefined).controller_of(card);
            overseen.extend(by.filter(|by| *by != object.owner).map(|by| (id, by)));
        }
        if self.state.board.overseen != overseen {
            self.state.board.versions.touch_sight();
            self.state.board.overseen = overseen;
        }
    }

    /// Updates the cards to which effects apply, after a change outside of the board (the number of the turn, waiting abilities, history).
    /// These changes may decide which abilities exist.
    #[inline]
    pub(crate) fn settle_abilities(&mut self) {
        let effects = &self.state.effects;
        let fickle = effects.stripping + effects.disabling > 0 || effects.order.iter().any(|part| part.fickle);
        if effects.granting > 0 || effects.falling || !effects.order.is_empty() && fickle {
            self.settle_effects(0);
        }
    }

    #[inline(never)]
    fn settle_now(&mut self, touched: u64) {
        let settled = self.state.settle(self.program, touched);
        self.scratch.looked += u64::from(settled.looked);
        if !settled.begun.is_empty() || !settled.ended.is_empty() {
            self.state.control.changed_by_effects();
        }
        self.tell_ended(settled.ended);
        self.tell_begun(settled.begun);
        self.look_at_conditions();
    }

    #[inline]
    fn perform_change(&mut self, branch: &mut Branch, at: u16, change: Change) {
        self.state.effects.now = self.state.effects.next;
        self.begin_batch();
        match change {
            Change::MoveTop { .. } | Change::MoveCard { .. } => self.move_one(branch, at, change),
            Change::Move { .. } => self.move_several(branch, at, change),
            Change::Install(clause, duration) => {
                let effect = self.begun_by(branch, clause, duration);
                self.install(branch, at, effect);
            }
            other => self.perform_other(branch, at, other),
        }
    }

    /// Whether an effect that applies to no card yet may apply to cards that come later. The policy allows this for zones that are not
    /// public.
    fn may_apply_later(&self, effect: &crate::state::Effect) -> bool {
        let what = self.program.clauses.get(effect.clause).and_then(|clause| clause.kind.applies_to());
        let by_zone = matches!(self.program.policies.sets, SetPolicy::LockedInPublicZones | SetPolicy::LiveWithoutNewcomers);
        by_zone && what.is_some_and(|what| crate::eval::sets::names_unseen_zone(self.program, what))
    }

    /// Whether an effect that applies to no card yet may apply to present cards that come to fit its set. The effect then begins, but does
    /// nothing now.
    fn may_fit_later(&self, effect: &crate::state::Effect) -> bool {
        let what = self.program.clauses.get(effect.clause).and_then(|clause| clause.kind.applies_to());
        !effect.there.is_empty() && what.is_some_and(|what| crate::effects::leaves_newcomers_out(self.program, what))
    }

    /// Puts an effect in force for a branch.
    pub fn install(&mut self, branch: &mut Branch, at: u16, effect: Option<crate::state::Effect>) {
        let Some(effect) = effect else { return self.settle(branch, at, false) };
        let applies = effect.targets.as_ref().is_none_or(|targets| !targets.is_empty()) || self.may_apply_later(&effect);
        if !applies && !self.may_fit_later(&effect) {
            return self.settle(branch, at, false);
        }
        let kind = match effect.holds {
            Holds::Lasting(duration) => self.program.duration_kinds.get(usize::from(duration.0)).copied().unwrap_or_default(),
            _ => DurationKind::AtOnce,
        };
        let is_open = matches!(effect.holds, Holds::Lasting(duration)
            // The second question notes the reading of both.
            if self.is_during(branch, duration) || self.state.effects.open.contains(&duration));
        match kind {
            DurationKind::Later if !self.begins => {
                self.state.effects.later.push(effect);
                return self.settle(branch, at, applies);
            }
            // The duration is over, so the effect never begins.
            DurationKind::OnlyInside if !is_open => return self.settle(branch, at, false),
            _ => {}
        }
        if self.state.effects.in_force.len() >= EFFECTS {
            return self.fail(crate::state::FailureKind::Effects, now(branch));
        }
        // The cards to which effects apply are kept, and many effects on many cards would fill the memory.
        self.state.effects.asked.work.add(WORK_OF_A_MEMBER * (effect.targets.as_ref().map_or(0, Vec::len) + effect.there.len()));
        let number = self.state.effects.begin(self.program, effect);
        self.date_later(branch, at, number);
        self.tell(now(branch), branch.frames.len(), at, &branch.lists, || Step::EffectBegins(number));
        self.state.control.changed_by_effects();
        self.settle(branch, at, applies);
    }

    /// Makes a change that is neither a move nor a new effect.
    pub(crate) fn perform_other(&mut self, branch: &mut Branch, at: u16, change: Change) {
        if branch.veil.is_some() {
            branch.touch_changed(change);
        }
        match change {
            Change::Turn { start, len, up } => self.turn_cards(branch, at, start, len, up),
            Change::Shuffle(place) => self.shuffle(branch, at, place),
            Change::SetState { subject, state, value, since, spends } => {
                let there = self.made_by_others(branch, subject, state, since);
                if let (true, Some(there), Some(since), Some(to)) = (spends, there, since, value.number())
                    && there < since.saturating_sub(to)
                {
                    return self.falls_short(branch, at, (subject, state), (there, since.saturating_sub(to)));
                }
                let value = changed_by(there, (value, since));
                self.tell_state_set(branch, at, (subject, state));
                self.set_state(branch, at, subject, state, value);
            }
            Change::Order { start, len, place } => self.put_in_order(branch, at, start, len, place),
            Change::Show { start, len, to, by, until } => self.show_cards(branch, at, (start, len), (to, by), until),
            Change::Open(duration, open) => self.open_duration(branch, at, duration, open),
            Change::Expire(_)
                if self.state.effects.in_force.is_empty() && self.state.board.revealed.is_empty() && self.state.events.uses.is_empty() =>
            {
                self.carried_out(branch)
            }
            Change::Expire(duration) => {
                self.state.events.uses.retain(|used| used.until != Some(duration));
                self.end_reveals(branch, duration);
                let ended = self.state.effects.end(self.program, |effect| effect.holds == Holds::Lasting(duration));
                if !ended.is_empty() {
                    self.state.control.changed_by_effects();
                }
                for number in ended {
                    self.tell(now(branch), branch.frames.len(), at, &[], || Step::EffectEnds(number));
                }
                self.carried_out(branch);
            }
            Change::Attach { start, len, host } => self.attach_cards(branch, at, (start, len), host),
            Change::Make { .. } => self.make_object(branch, at, change),
            Change::Become { start, len, card, from } => self.become_copies(branch, at, (start, len), (card, from)),
            Change::Control { player, by } => self.give_control(branch, at, player, by),
            Change::MoveTop { .. } | Change::MoveCard { .. } | Change::Move { .. } | Change::Install(..) => {}
        }
    }

    /// Begins a batch. The batch gets its number when the first card arrives in it.
    #[inline]
    pub(crate) fn begin_batch(&mut self) {
        self.scratch.counted = false;
        if !self.state.events.together.unnoted().is_empty() {
            self.end_of_one_time();
        }
    }

    /// The number of the batch in which a card arrives now.
    pub fn arrival(&mut self) -> u32 {
        if !std::mem::replace(&mut self.scratch.counted, true) {
            self.state.board.batches += 1;
        }
        self.state.board.batches
    }

    fn turn_cards(&mut self, branch: &mut Branch, at: u16, start: u32, len: u16, up: bool) {
        let verb = if up { Builtin::TurnUp } else { Builtin::TurnDown };
        for index in start..start + u32::from(len) {
            let Some(card @ Value::Object { id, life }) = branch.lists.get(index as usize).copied() else { continue };
            let Some(object) = self.state.board.object(id).filter(|object| object.life == life) else { continue };
            let (place, statics) = (object.place, self.plan.card(object.card).statics);
            let knew = self.state.board.knowers(self.program, id);
            self.state.board.versions.touch_place(place);
            if let Some(object) = self.state.board.objects.get_mut(usize::from(id.0)) {
                object.face_up = up;
            }
            if !self.state.board.memory.is_empty() {
                self.state.board.remember_arrival(self.program, id, Place::NOWHERE, knew);
            }
            if statics {
                self.renew(id);
            }
            self.state.control.changed_in(place);
            if self.is_told(verb) {
                let args = [card, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
                self.emit(branch, at, now(branch), verb.verb(), args);
            }
        }
        self.settle(branch, at, true);
    }

    fn shuffle(&mut self, branch: &mut Branch, at: u16, place: Place) {
        self.state.control.written.places(bit(place));
        self.state.board.forget_order(place, u8::MAX);
        let fixed = self.state.fixed_shuffles.iter().position(|(of, _)| *of == place);
        if let Some(index) = fixed {
            let (_, top_first) = self.state.fixed_shuffles.remove(index);
            self.lay_down(place, &top_first);
        } else {
            let State { board, generator, .. } = &mut *self.state;
            generator.shuffle(board.cards_mut(place));
            self.counts_many(self.state.board.cards(place).len());
        }
        self.shuffled_are_hidden(branch, place);
        if self.program.policies.shuffled_are_lost {
            self.lose(place);
        }
        if self.is_told(Builtin::Shuffle) {
            let args = [Value::Zone(place), Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
            self.emit(branch, at, now(branch), Builtin::Shuffle.verb(), args);
        }
        self.carried_out(branch);
    }

    /// Makes all cards of a place new objects, so that references to them are lost. Static effects of these cards end and begin again.
    fn lose(&mut self, place: Place) {
        self.state.board.lose(place);
        for at in 0..self.state.board.cards(place).len() {
            let Some(id) = self.state.board.cards(place).get(at).copied() else { return };
            if self.state.board.object(id).is_some_and(|object| self.plan.card(object.card).statics) {
                self.renew(id);
            }
        }
    }

    /// Puts the named cards of a place on its top, the first one topmost. If a named card lies elsewhere, another copy of it in this place
    /// is used.
    fn lay_down(&mut self, place: Place, top_first: &[ObjectId]) {
        let copies: Vec<_> = self.state.board.objects.iter().map(|object| object.card).collect();
        let is_copy = |id: ObjectId, of: ObjectId| copies.get(usize::from(id.0)) == copies.get(usize::from(of.0));
        let cards = self.state.board.cards_mut(place);
        let mut end = cards.len();
        for wanted in top_first {
            let left = cards.get(..end).unwrap_or(&[]);
            let free = |id: &ObjectId| is_copy(*id, *wanted) && !top_first.contains(id);
            let found = left.iter().rposition(|id| id == wanted).or_else(|| left.iter().rposition(free));
            let Some(at) = found else { continue };
            if let Some(part) = cards.get_mut(at..end) {
                part.rotate_left(1);
                end -= 1;
            }
        }
    }

    fn put_in_order(&mut self, branch: &mut Branch, at: u16, start: u32, len: u16, place: Place) {
        let cards = branch.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]);
        let ids: Vec<ObjectId> = cards.iter().filter_map(|card| crate::actions::perform::id_of(*card)).collect();
        self.state.control.written.places(bit(place));
        self.lay_down(place, &ids);
        let you = branch.frames.last().map_or(0, |frame| frame.you.bit());
        self.state.board.forget_order(place, !you);
        if O::ON || self.record_all {
            let args =
                [Value::Zone(place), Value::List { start, len }, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
            self.emit(branch, at, now(branch), Builtin::Order.verb(), args);
        }
        self.settle(branch, at, true);
    }

    /// For a change by an amount, the number as the other changes of the batch have made it. None if they have not changed it.
    fn made_by_others(&self, branch: &Branch, subject: Value, state: crate::ids::StateId, since: Option<i32>) -> Option<i32> {
        let since = since?;
        let there = unread::unnoted(|| self.eval(branch).state_of(subject, state).number());
        there.filter(|there| *there != since)
    }

    fn set_state(&mut self, branch: &mut Branch, at: u16, subject: Value, state: crate::ids::StateId, value: Value) {
        if unread::is_noting() {
            self.note_unless_it_rises(branch, subject, state, value);
        }
        let done = self.state.board.write_state(self.program, subject, state, value);
        self.state.control.written.state(state);
        if self.plan.ruled == u64::MAX {
            // Some rule reads more than zones, and effects may decide by a state who controls a card.
            self.state.control.wrote = true;
            if !self.state.owners_control(self.program) {
                self.state.control.dirty = u64::MAX;
            }
        }
        self.settle(branch, at, done);
    }

    /// Notes a written number of a player as read, unless it rises. If the number stays or meets a bound, the new value tells what the old
    /// value was.
    #[cold]
    fn note_unless_it_rises(&mut self, branch: &Branch, subject: Value, state: crate::ids::StateId, value: Value) {
        let before = unread::unnoted(|| self.eval(branch).state_of(subject, state));
        if !matches!((before, value), (Value::Number(before), Value::Number(now)) if now > before) {
            self.eval(branch).state_of(subject, state);
        }
    }

    /// State triggers and immediate rules look at a position that has been laid on the table, with all effects that begin in it.
    pub(crate) fn look_at_position(&mut self, branch: Option<&mut Branch>) {
        self.state.control.laid = false;
        self.look_at_conditions();
        self.state.control.dirty = u64::MAX;
        self.immediate_rules(branch);
    }

    /// Runs the immediate rules that are due after the changes since the last check. If a single branch runs, the rules run in the middle
    /// of it. Otherwise they run as a lockstep of their own before the branches go on.
    #[inline]
    pub(crate) fn immediate_rules(&mut self, branch: Option<&mut Branch>) {
        let hears = self.plan.hears && !self.state.events.heard.is_empty();
        let control = &mut self.state.control;
        if control.holding > 0 || control.laid || control.dirty == 0 && !control.wrote && !hears {
            return;
        }
        let (dirty, wrote) = (std::mem::take(&mut control.dirty), std::mem::take(&mut control.wrote));
        if dirty & self.plan.ruled != 0 || wrote || hears {
            self.rules_that_read(dirty, wrote, branch);
        }
    }

    #[inline(never)]
    fn rules_that_read(&mut self, dirty: u64, wrote: bool, branch: Option<&mut Branch>) {
        self.look_for_due_rules(dirty, wrote);
        let mut rules = std::mem::take(&mut self.scratch.rules);
        let mut count = self.scratch.due.len();
        for (at, (rule, player)) in self.scratch.due.drain(..).enumerate() {
            match rules.get_mut(at) {
                Some(due) => due.becomes(rule, player),
                None => rules.push(Due::of(rule, player)),
            }
        }
        if self.plan.hears {
            rules.truncate(count);
            rules.append(&mut self.heard_at_once());
            count = rules.len();
        }
        match (rules.get(..count).unwrap_or(&[]), branch) {
            ([], _) => {}
            ([only], Some(branch)) => self.begin_rule(branch, only),
            (due, running) => {
                self.rules_together(due);
                if running.is_some() {
                    // The branches whose changes called for the rules go on after the rules have ended.
                    self.stop_here();
                }
            }
        }
        self.scratch.rules = rules;
    }

    fn rules_together(&mut self, due: &[Due]) {
        let level = self.state.control.level + 1;
        for due in due {
            let mut branch = self.fresh_branch();
            branch.level = level;
            branch.own = Some(due.player);
            self.begin_rule(&mut branch, due);
            self.state.control.branches.push(branch);
        }
        self.state.control.level = level;
        self.alone = false;
    }

    /// Finds the immediate rules that are due after changes of these places (`dirty`) and, if `wrote`, of values outside of places.
    pub(crate) fn look_for_due_rules(&mut self, dirty: u64, wrote: bool) {
        self.scratch.due.clear();
        let State { control, effects, .. } = &*self.state;
        control.written.immediate().look(self.plan.rules.iter().map(RulePlan::written), effects);
        for (at, rule) in self.plan.rules.iter().enumerate() {
            if rule.reads & dirty == 0 && !(wrote && rule.reads == u64::MAX) {
                continue;
            }
            let how = rule.written().and_then(|reads| self.state.effects.hold_still(reads));
            let known = how.is_some_and(|how| self.state.control.written.immediate().has(at, how));
            let truth = self.rule_stands(rule, known).unwrap_or_else(|| self.rule_holds(rule));
            if !known && rule.written().is_some() {
                // The board now holds the truth of the condition under the present effects, so older notes are dropped.
                let known = self.state.control.written.immediate();
                known.forget(at);
                how.into_iter().for_each(|how| known.note(at, how));
            }
            debug_assert_eq!(truth, self.rule_holds(rule), "{:?}", self.program.rules.get(rule.rule).map(|rule| &rule.name));
            let slot = self.state.board.rule_truth.get_mut(rule.truth);
            let before = slot.map(|slot| std::mem::replace(slot, truth)).unwrap_or(false);
            let is_due = truth && if rule.becomes { !before } else { self.may_run(rule.rule, rule.player) };
            if is_due && rule.immediately {
                self.scratch.due.push((rule.rule, rule.player));
            } else if is_due {
                self.state.events.heard.push(RuleEvent {
                    rule: rule.rule,
                    player: rule.player,
                    captures: smallvec::smallvec![Value::Player(rule.player)],
                });
            }
        }
    }

    /// Whether the condition of a rule is true, if this can be found without evaluating the condition: its truth is known, or the things
    /// that it reads do not exist. `None`: the condition has to be evaluated.
    fn rule_stands(&mut self, rule: &RulePlan, known: bool) -> Option<bool> {
        let State { board, effects, events, control, .. } = &mut *self.state;
        match rule.watched {
            Watched::Written(_) if known => {
                took(ShortWay::RuleKnown);
                board.rule_truth.get(rule.truth).copied()
            }
            Watched::Waiting
                if !readings::are_noted() && events.pending.unnoted().iter().all(|pending| matches!(pending.waits, Waits::Declared(_))) =>
            {
                took(ShortWay::RuleWaits);
                Some(false)
            }
            Watched::Ties => {
                let known = effects.extent_of_force();
                if control.written.pairs(known).is_none() {
                    let pairs = effects.may_be_tied(self.program);
                    control.written.may_be_tied(known, pairs);
                }
                took(ShortWay::RuleTies);
                let pairs = control.written.pairs(known).cloned()?;
                if self.program.policies.ties_of_conditions {
                    self.note_switched(&pairs);
                }
                let tied = |pair: &(u32, u32)| Eval::new(self.program, self.state, &[], &[], rule.player, Value::Undefined).are_tied(*pair);
                Some(pairs.iter().any(tied))
            }
            _ => None,
        }
    }

    fn rule_holds(&mut self, rule: &RulePlan) -> bool {
        if let Some(place) = rule.empty {
            return self.state.board.cards(place).is_empty();
        }
        let local = [Value::Player(rule.player)];
        if let Some(value) = self.quick(&local, &Names::new(rule.player, Value::Undefined), rule.condition) {
            return value.is_true();
        }
        Eval::new(self.program, self.state, &local, &[], rule.player, Value::Undefined).holds(rule.condition)
    }
}

/// The bit of a place in the set of changed places.
#[must_use]
#[inline]
pub(crate) fn bit(place: Place) -> u64 {
    1 << (place.0 % 64)
}

/// The statement that the top frame carries out.
#[inline]
pub(crate) fn now(branch: &Branch) -> Pc {
    branch.frames.last().map_or(Pc(0), |frame| Pc(frame.pc.0.saturating_sub(1)))
}

/// If a number is changed by an amount, the amount counts from the value that the other changes of the batch have made (`there`).
fn changed_by(there: Option<i32>, (value, since): (Value, Option<i32>)) -> Value {
    match (there, since, value.number()) {
        (Some(there), Some(since), Some(to)) => Value::Number(there.saturating_add(to.saturating_sub(since))),
        _ => value,
    }
}
