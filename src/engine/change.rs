//! Changes of the board and of effects: one at a time, or the batch of a lockstep; then the immediate rules they call for.

use super::board::{End, zone_of};
use super::effects::resolved;
use super::ids::{CitesId, Id, Pc, Reg, RuleId};
use super::limits::EFFECTS;
use super::observe::{Observer, Step, Why};
use super::plan::RulePlan;
use super::program::Builtin;
use super::quick::Names;
use super::run::Run;
use super::sequence::{PLAYER_STATES, Undo};
use super::state::{Branch, Cause, Change, Doing, Effect, FaceChange, Frame, Holds, Role};
use super::step::{set, top};
use super::value::{ObjectId, Place, Player, Value};

/// A card on its way.
#[derive(Clone, Copy, Debug)]
pub struct Moving {
    branch: usize,
    id: ObjectId,
    from: Place,
    to: Place,
    face: FaceChange,
    bottom: bool,
}

impl<O: Observer> Run<'_, O> {
    /// A branch is about to change something: at once if no other has to wait, else with the others' next changes.
    pub fn change(&mut self, branch: &mut Branch, at: u16, change: Change) {
        if matches!(self.trial, Some(super::run::Trial { goal: super::run::Goal::Anything { .. }, .. })) {
            return self.find(true);
        }
        if self.scratch.sequence.on {
            return self.change_in_sequence(branch, at, change);
        }
        if !self.alone {
            branch.doing = Doing::Change(change);
            return;
        }
        self.perform_change(branch, at, change);
        self.immediate_rules(Some(branch));
    }

    /// A change of a member of a sequence: at once, if nothing but the board notices it.
    fn change_in_sequence(&mut self, branch: &mut Branch, at: u16, change: Change) {
        let plain = match change {
            Change::MoveTop { from, to, .. } => from != to,
            Change::Move { bottom, .. } => !bottom,
            Change::Turn { .. } | Change::SetState { .. } => true,
            _ => false,
        };
        if !plain {
            return self.scratch.sequence.give_up();
        }
        self.scratch.sequence.round += 1;
        self.perform_change(branch, at, change);
        self.immediate_rules(Some(branch));
    }

    fn perform_change(&mut self, branch: &mut Branch, at: u16, change: Change) {
        self.state.effects.now = self.state.effects.next;
        match change {
            Change::MoveTop { .. } | Change::Move { .. } => {
                let mut moves = std::mem::take(&mut self.scratch.moves);
                moves.clear();
                self.depart(branch, 0, change, &mut moves);
                let moved = self.arrive_all(branch, at, 0, &moves);
                self.finish_move(branch, at, change, moved);
                self.scratch.moves = moves;
            }
            Change::Install(clause, duration) => {
                let effect = branch.frames.last().and_then(|frame| {
                    let holds = Holds::Lasting(duration);
                    resolved(self.program, self.state, frame, &branch.registers, &branch.lists, clause, holds)
                });
                self.install(branch, at, effect);
            }
            other => self.perform_other(branch, at, other),
        }
    }

    fn install(&mut self, branch: &mut Branch, at: u16, effect: Option<super::state::Effect>) {
        let Some(effect) = effect else { return self.settle(branch, at, false) };
        let applies = effect.targets.as_ref().is_none_or(|targets| !targets.is_empty());
        if !applies {
            return self.settle(branch, at, false);
        }
        if self.state.effects.in_force.len() >= EFFECTS {
            return self.fail(super::state::FailureKind::Budget, now(branch));
        }
        let number = self.state.effects.begin(self.program, effect);
        self.tell(now(branch), branch.frames.len(), at, &branch.lists, || Step::EffectBegins(number));
        self.state.control.dirty = u64::MAX;
        self.settle(branch, at, true);
    }

    fn perform_other(&mut self, branch: &mut Branch, at: u16, change: Change) {
        match change {
            Change::Turn { start, len, up } => self.turn_cards(branch, at, start, len, up),
            Change::Shuffle(place) => self.shuffle(branch, at, place),
            Change::SetState { subject, state, value } => self.set_state(branch, at, subject, state, value),
            Change::Order { start, len, place } => self.put_in_order(branch, at, start, len, place),
            Change::Show { start, len, to, by } => self.show_cards(branch, at, (start, len), to, by),
            Change::Expire(duration) => {
                let ended = self.state.effects.end(self.program, |effect| effect.holds == Holds::Lasting(duration));
                if !ended.is_empty() {
                    self.state.control.dirty = u64::MAX;
                }
                for number in ended {
                    self.tell(now(branch), branch.frames.len(), at, &[], || Step::EffectEnds(number));
                }
                top(branch, |frame| frame.done = true);
            }
            Change::MoveTop { .. } | Change::Move { .. } | Change::Install(..) => {}
        }
    }

    /// All branches of the highest level are about to change something or have ended: everything leaves, then everything arrives.
    pub fn perform_batch(&mut self) {
        self.state.effects.now = self.state.effects.next;
        let mut effects = self.effects_of_batch();
        let order = self.batch_order(&effects);
        let mut branches = std::mem::take(&mut self.state.control.branches);
        let mut moves = std::mem::take(&mut self.scratch.moves);
        moves.clear();
        for index in &order {
            let Some(branch) = branches.get_mut(*index) else { continue };
            if let Doing::Change(change @ (Change::Move { .. } | Change::MoveTop { .. })) = branch.doing {
                self.depart(branch, *index, change, &mut moves);
            }
        }
        for index in &order {
            let Some(branch) = branches.get_mut(*index) else { continue };
            let Doing::Change(change) = branch.doing else { continue };
            branch.doing = Doing::Run;
            match change {
                Change::Move { .. } | Change::MoveTop { .. } => {
                    let moved = self.arrive_all(branch, *index as u16, *index, &moves);
                    self.finish_move(branch, *index as u16, change, moved);
                }
                Change::Install(..) => {
                    let effect = effects.iter_mut().find(|(of, _)| of == index).and_then(|(_, effect)| effect.take());
                    self.install(branch, *index as u16, effect);
                }
                other => self.perform_other(branch, *index as u16, other),
            }
        }
        self.scratch.moves = moves;
        self.state.control.branches = branches;
        self.immediate_rules(None);
    }

    /// Changes to another player's things first, the owner's last; then the branches' order.
    fn batch_order(&self, effects: &[(usize, Option<Effect>)]) -> Vec<usize> {
        let level = self.state.control.level;
        let branches = self.state.control.branches.iter().enumerate();
        let mut order: Vec<(bool, usize)> = branches
            .filter(|(_, branch)| branch.level == level && matches!(branch.doing, Doing::Change(_)))
            .map(|(index, branch)| {
                let effect = effects.iter().find(|(of, _)| *of == index).and_then(|(_, effect)| effect.as_ref());
                (self.touches_own(branch, effect), index)
            })
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, index)| index).collect()
    }

    /// The effects that the batch begins, as the board is before it.
    fn effects_of_batch(&self) -> Vec<(usize, Option<Effect>)> {
        let level = self.state.control.level;
        let branches = self.state.control.branches.iter().enumerate().filter(|(_, branch)| branch.level == level);
        branches
            .filter_map(|(index, branch)| {
                let Doing::Change(Change::Install(clause, duration)) = branch.doing else { return None };
                let frame = branch.frames.last()?;
                let holds = Holds::Lasting(duration);
                let effect = resolved(self.program, self.state, frame, &branch.registers, &branch.lists, clause, holds);
                Some((index, effect))
            })
            .collect()
    }

    fn touches_own(&self, branch: &Branch, effect: Option<&Effect>) -> bool {
        let you = branch.frames.last().map(|frame| branch.own.unwrap_or(frame.you));
        let owner = |value: Value| match value {
            Value::Object { id, .. } => self.state.board.object(id).map(|object| object.owner),
            Value::Player(player) => Some(player),
            _ => None,
        };
        let touched = match branch.doing {
            Doing::Change(Change::Move { start, .. } | Change::Turn { start, .. } | Change::Order { start, .. }) => {
                branch.lists.get(start as usize).copied().and_then(owner)
            }
            Doing::Change(Change::MoveTop { from: place, .. } | Change::Shuffle(place)) => zone_of(self.program, place).1,
            Doing::Change(Change::SetState { subject, .. }) => owner(subject),
            Doing::Change(Change::Install(..)) => {
                effect.and_then(|effect| effect.targets.as_ref()?.first().copied()).and_then(owner).or(you)
            }
            _ => you,
        };
        touched == you
    }

    /// Takes the cards of a change out of their places.
    fn depart(&mut self, branch: &Branch, index: usize, change: Change, moves: &mut Vec<Moving>) {
        match change {
            Change::MoveTop { from, to, face, .. } => {
                if let Some(id) = self.state.board.take_top(from) {
                    let at = self.state.board.cards(from).len();
                    self.note_leaving(id, to, at);
                    moves.push(Moving { branch: index, id, from, to, face, bottom: false });
                    self.state.control.dirty |= bit(from);
                }
            }
            Change::Move { start, len, to, face, bottom, .. } => {
                for member in branch.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]) {
                    let Value::Object { id, life } = *member else { continue };
                    let Some(object) = self.state.board.object(id).filter(|object| object.life == life) else { continue };
                    let from = object.place;
                    // What two branches move goes where the later one puts it: in the batch's order that is the owner.
                    if let Some(moving) = moves.iter_mut().find(|moving| moving.id == id) {
                        (moving.branch, moving.to, moving.face, moving.bottom) = (index, to, face, bottom);
                    } else if let Some(at) = self.state.board.take(id) {
                        self.note_leaving(id, to, at);
                        moves.push(Moving { branch: index, id, from, to, face, bottom });
                        self.state.control.dirty |= bit(from);
                    }
                }
            }
            _ => {}
        }
    }

    fn note_leaving(&mut self, id: ObjectId, to: Place, at: usize) {
        if self.scratch.sequence.on
            && let Some(before) = self.state.board.object(id).copied()
        {
            let places = super::sequence::spot(before.place) | super::sequence::spot(to);
            self.scratch.sequence.note(places, Undo::Left { id, before, at });
        }
    }

    /// Puts a branch's departed cards where they go, and tells of it; how many arrived.
    fn arrive_all(&mut self, branch: &mut Branch, at: u16, index: usize, moves: &[Moving]) -> usize {
        let mut arrived = 0;
        for moving in moves.iter().filter(|moving| moving.branch == index) {
            if self.arrive(moving) {
                arrived += 1;
                self.moved(branch, at, moving);
            } else if O::ON {
                let args = [self.state.board.reference(moving.id), Value::Zone(moving.to), Value::Undefined, Value::Undefined];
                let args = super::perform::copied(&args);
                self.tell(now(branch), branch.frames.len(), at, &[], || Step::NotPerformed(Builtin::Move.verb(), args, Why::Full));
            }
        }
        arrived
    }

    fn arrive(&mut self, moving: &Moving) -> bool {
        let program = self.program;
        let end = if moving.bottom { End::Bottom } else { End::Top };
        if !self.state.board.put(moving.id, moving.to, end) {
            self.state.board.put(moving.id, moving.from, End::Top);
            self.scratch.sequence.spoiled = true;
            return false;
        }
        self.state.control.dirty |= bit(moving.to);
        let (renews, face_up) = (self.scratch.plan.place(moving.from).renews, self.scratch.plan.place(moving.to).face_up);
        let Some(object) = self.state.board.objects.get_mut(usize::from(moving.id.0)) else { return false };
        object.face_up = match moving.face {
            FaceChange::Up => true,
            FaceChange::Down => false,
            FaceChange::AsZone => face_up,
        };
        object.shown = 0;
        let has_statics = self.scratch.plan.has_statics(object.card);
        if renews {
            object.life += 1;
            self.note_states(moving.id);
            self.state.reset_states(program, moving.id);
        }
        if has_statics && self.scratch.sequence.on {
            self.scratch.sequence.spoiled = true;
        } else if has_statics {
            self.state.deactivate(program, moving.id);
            let begun = self.state.activate(program, moving.id);
            self.tell_begun(begun);
        }
        true
    }

    /// Tells of effects that hold from now on, because their card is where they do.
    fn tell_begun(&mut self, begun: Vec<u32>) {
        for number in begun {
            self.tell_cited(CitesId::default(), Pc(u32::MAX), 0, 0, &[], || Step::EffectBegins(number));
        }
    }

    fn note_states(&mut self, id: ObjectId) {
        if self.scratch.sequence.on {
            let states = self.program.states.len();
            let first = usize::from(id.0) * states;
            for (at, value) in self.state.board.card_states.iter().enumerate().skip(first).take(states) {
                self.scratch.sequence.note(0, Undo::CardState(at, *value));
            }
        }
    }

    /// Tells of a card that moved, keeps it as a result, lets others wait for it.
    fn moved(&mut self, branch: &mut Branch, at: u16, moving: &Moving) {
        let card = self.state.board.reference(moving.id);
        branch.collected.push(card);
        if O::ON || self.record_all || self.watched(Builtin::Move.verb()) || self.recorded(Builtin::Move) {
            let face = match moving.face {
                FaceChange::Up => Value::Bool(true),
                FaceChange::Down => Value::Bool(false),
                FaceChange::AsZone => Value::Undefined,
            };
            let bottom = if moving.bottom { Value::Bool(true) } else { Value::Undefined };
            let args = [card, Value::Zone(moving.to), face, bottom, Value::Zone(moving.from), Value::Undefined];
            self.emit(branch, at, now(branch), Builtin::Move.verb(), args);
        }
    }

    fn recorded(&self, verb: Builtin) -> bool {
        self.program.verbs.get(verb.verb()).is_some_and(|verb| verb.recorded)
    }

    fn finish_move(&mut self, branch: &mut Branch, at: u16, change: Change, moved: usize) {
        let (wanted, result) = match change {
            Change::Move { len, result, .. } => (usize::from(len), result),
            Change::MoveTop { result, .. } => (1, result),
            _ => return,
        };
        if result != Reg::NONE {
            let collecting = branch.collected.len().saturating_sub(moved);
            let collected = branch.collected.get(collecting..).unwrap_or(&[]).to_vec();
            let start = branch.lists.len() as u32;
            branch.lists.extend(collected);
            set(branch, result, Value::List { start, len: moved as u16 });
        }
        // Nobody further out asks for what was moved: the arena stays empty.
        if !branch.frames.iter().any(|frame| frame.collects.is_some()) {
            branch.collected.clear();
        }
        self.settle(branch, at, moved == wanted);
    }

    fn turn_cards(&mut self, branch: &mut Branch, at: u16, start: u32, len: u16, up: bool) {
        let verb = if up { Builtin::TurnUp } else { Builtin::TurnDown };
        for index in start..start + u32::from(len) {
            let Some(card @ Value::Object { id, life }) = branch.lists.get(index as usize).copied() else { continue };
            let Some(object) = self.state.board.objects.get_mut(usize::from(id.0)).filter(|object| object.life == life) else { continue };
            let before = *object;
            object.face_up = up;
            self.scratch.sequence.note(super::sequence::spot(before.place), Undo::Turned(id, before));
            let (place, statics) = (object.place, self.scratch.plan.has_statics(object.card));
            if statics && self.scratch.sequence.on {
                self.scratch.sequence.spoiled = true;
            } else if statics {
                self.state.deactivate(self.program, id);
                let begun = self.state.activate(self.program, id);
                self.tell_begun(begun);
            }
            self.state.control.dirty |= bit(place);
            if O::ON || self.record_all || self.watched(verb.verb()) || self.recorded(verb) {
                let args = [card, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
                self.emit(branch, at, now(branch), verb.verb(), args);
            }
        }
        self.settle(branch, at, true);
    }

    fn shuffle(&mut self, branch: &mut Branch, at: u16, place: Place) {
        let fixed = self.state.fixed_shuffles.iter().position(|(of, _)| *of == place);
        if let Some(index) = fixed {
            let (_, top_first) = self.state.fixed_shuffles.remove(index);
            self.lay_down(place, &top_first);
        } else {
            let State { board, generator, .. } = &mut *self.state;
            generator.shuffle(board.cards_mut(place));
        }
        if O::ON || self.record_all || self.watched(Builtin::Shuffle.verb()) || self.recorded(Builtin::Shuffle) {
            let args = [Value::Zone(place), Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
            self.emit(branch, at, now(branch), Builtin::Shuffle.verb(), args);
        }
        top(branch, |frame| frame.done = true);
    }

    /// Puts the named cards of a place on its top, the first one topmost.
    fn lay_down(&mut self, place: Place, top_first: &[ObjectId]) {
        let cards = self.state.board.cards_mut(place);
        let mut end = cards.len();
        for wanted in top_first {
            let Some(at) = cards.get(..end).unwrap_or(&[]).iter().rposition(|id| id == wanted) else { continue };
            if let Some(part) = cards.get_mut(at..end) {
                part.rotate_left(1);
                end -= 1;
            }
        }
    }

    fn put_in_order(&mut self, branch: &mut Branch, at: u16, start: u32, len: u16, place: Place) {
        let cards = branch.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]);
        let ids: Vec<ObjectId> = cards.iter().filter_map(|card| super::perform::id_of(*card)).collect();
        self.lay_down(place, &ids);
        if O::ON || self.record_all {
            let args =
                [Value::Zone(place), Value::List { start, len }, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
            self.emit(branch, at, now(branch), Builtin::Order.verb(), args);
        }
        self.settle(branch, at, true);
    }

    fn set_state(&mut self, branch: &mut Branch, at: u16, subject: Value, state: super::ids::StateId, value: Value) {
        let states = self.program.states.len();
        let on_players = self.program.states.get(state).is_some_and(|state| state.on_players);
        let done = match subject {
            Value::Player(player) if on_players => {
                let at = usize::from(player.0) * states + state.index();
                let before = self.state.board.player_states.get_mut(at).map(|slot| std::mem::replace(slot, value));
                let sequence = &mut self.scratch.sequence;
                before.map(|before| sequence.note(PLAYER_STATES, Undo::PlayerState(at, before))).is_some()
            }
            subject => {
                let card = self.eval(branch).object(subject).filter(|(_, object)| !on_players && super::eval::lives(subject, object.life));
                card.is_some_and(|(id, object)| {
                    let at = usize::from(id.0) * states + state.index();
                    let before = self.state.board.card_states.get_mut(at).map(|slot| std::mem::replace(slot, value));
                    let sequence = &mut self.scratch.sequence;
                    before.map(|before| sequence.note(super::sequence::spot(object.place), Undo::CardState(at, before))).is_some()
                })
            }
        };
        if self.scratch.plan.ruled == u64::MAX {
            // Some rule watches more than zones.
            self.state.control.dirty = u64::MAX;
        }
        self.settle(branch, at, done);
    }

    /// Runs the immediate rules that the changes since the last look call for: in the middle of the one branch that runs, or as a
    /// lockstep of their own before the others go on.
    pub fn immediate_rules(&mut self, branch: Option<&mut Branch>) {
        let control = &mut self.state.control;
        if control.holding > 0 || control.dirty == 0 {
            return;
        }
        let dirty = std::mem::take(&mut control.dirty);
        if dirty & self.scratch.plan.ruled == 0 {
            return;
        }
        self.look_for_due_rules(dirty);
        if self.scratch.sequence.on {
            self.scratch.sequence.spoiled |= !self.scratch.due.is_empty();
            return;
        }
        match (self.scratch.due.as_slice(), branch) {
            ([], _) => {}
            ([(rule, player)], Some(branch)) => {
                let (rule, player) = (*rule, *player);
                let base = branch.registers.len();
                let frame = self.rule_frame(rule, player, base, branch.lists.len() as u32);
                branch.registers.push(Value::Player(player));
                branch.registers.resize((base + self.registers_of(frame.routine)).max(base + 1), Value::Undefined);
                self.tell_rule(rule, player, branch.frames.len());
                self.push(branch, frame);
            }
            _ => {
                let mut due = std::mem::take(&mut self.scratch.due);
                self.rules_together(&mut due);
                self.scratch.due = due;
            }
        }
    }

    fn rules_together(&mut self, due: &mut Vec<(RuleId, Player)>) {
        let level = self.state.control.level + 1;
        for (rule, player) in due.drain(..) {
            let mut branch = self.fresh_branch();
            branch.level = level;
            branch.own = Some(player);
            let frame = self.rule_frame(rule, player, 0, 0);
            branch.registers.resize(self.registers_of(frame.routine).max(1), Value::Undefined);
            if let Some(slot) = branch.registers.first_mut() {
                *slot = Value::Player(player);
            }
            self.tell_rule(rule, player, 0);
            branch.frames.push(frame);
            self.state.control.branches.push(branch);
        }
        self.state.control.level = level;
        self.alone = false;
    }

    fn tell_rule(&mut self, rule: RuleId, player: Player, depth: usize) {
        let cites = self.program.rules.get(rule).map_or_else(Default::default, |rule| rule.name.cites);
        self.tell_cited(cites, Pc(u32::MAX), depth, 0, &[], || Step::Rule(rule, player));
    }

    fn rule_frame(&self, rule: RuleId, player: Player, base: usize, lists: u32) -> Frame {
        let body = self.program.rules.get(rule).map_or_else(Default::default, |rule| rule.body);
        let mut frame = self.frame(body, base);
        frame.lists = lists;
        frame.you = player;
        frame.cause = Cause::Rule;
        frame.role = Role::Rule(rule, player);
        frame
    }

    fn look_for_due_rules(&mut self, dirty: u64) {
        self.scratch.due.clear();
        let plan = std::sync::Arc::clone(&self.scratch.plan);
        for rule in plan.rules.iter().filter(|rule| rule.reads & dirty != 0) {
            let truth = self.rule_holds(rule);
            let slot = self.state.board.rule_truth.get_mut(rule.truth);
            let before = slot.map(|slot| std::mem::replace(slot, truth)).unwrap_or(false);
            if before != truth {
                self.scratch.sequence.note(0, Undo::RuleTruth(rule.truth, before));
            }
            if truth && (!rule.becomes || !before) {
                self.scratch.due.push((rule.rule, rule.player));
            }
        }
    }

    fn rule_holds(&mut self, rule: &RulePlan) -> bool {
        let local = [Value::Player(rule.player)];
        if let Some(value) = self.quick(&Names::new(&local, rule.player, Value::Undefined), rule.condition) {
            return value.is_true();
        }
        let mut eval = super::eval::Eval::new(self.program, self.state, &local, &[], rule.player, Value::Undefined);
        let truth = eval.holds(rule.condition);
        self.scratch.sequence.read(eval.reads.get());
        truth
    }
}

use super::state::State;

/// A place's bit among what changed.
#[must_use]
#[inline]
pub fn bit(place: Place) -> u64 {
    1 << (place.0 % 64)
}

/// The statement that the top frame is carrying out.
#[inline]
pub fn now(branch: &Branch) -> Pc {
    branch.frames.last().map_or(Pc(0), |frame| Pc(frame.pc.0.saturating_sub(1)))
}
