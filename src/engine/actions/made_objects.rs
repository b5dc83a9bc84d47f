//! Changes that only some games make: attaching, making objects, copying, and giving one player the decisions of another.

use crate::actions::perform::{Args, face_of};
use crate::ids::{CardId, Pc, Reg};
use crate::program::Builtin;
use crate::run::Run;
use crate::run::step::set;
use crate::state::board::{End, NO_SLOT};
use crate::state::readings;
use crate::state::{Branch, Change, FaceChange, MOST_ARGUMENTS};
use crate::steps::{Observer, Why};
use crate::value::{ObjectId, Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Prepares `attach`, `detach`, `make`, `become` and `control`: checks the arguments and makes the change.
    pub(crate) fn prepare_object(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: Args, result: Reg) {
        match (verb, args) {
            (Builtin::Attach | Builtin::Detach, [what, to, ..]) => {
                let (start, len) = self.living(branch, what);
                let host = self.eval(branch).living_reference(to);
                set(branch, result, Value::List { start, len });
                if len == 0 || verb == Builtin::Attach && host == Value::Undefined {
                    let why = if len == 0 { Why::Nothing } else { Why::Missing };
                    return self.not_done(branch, at, pc, verb, args, why);
                }
                self.guarded(branch, at, pc, verb, args, Change::Attach { start, len, host });
            }
            (Builtin::Make, [Value::Card(card), Value::Zone(to), original, owner, face, slot]) => {
                let whose = crate::state::board::zone_of(self.program, to).1;
                let you = branch.frames.last().map_or(Player(0), |frame| frame.you);
                let owner = owner.player().or(whose).unwrap_or(you);
                let from = self.copied_from(branch, pc, 0);
                let change = Change::Make { card, owner, to, slot: slot_of(slot), face: face_of(face), original, from, result };
                self.guarded(branch, at, pc, verb, args, change);
            }
            (Builtin::Become, [what, like, ..]) => {
                let (start, len) = self.living(branch, what);
                set(branch, result, Value::List { start, len });
                let card = match like {
                    Value::Card(card) => Some(card),
                    _ => None,
                };
                if len == 0 {
                    return self.not_done(branch, at, pc, verb, args, Why::Nothing);
                }
                let from = self.copied_from(branch, pc, 1);
                self.guarded(branch, at, pc, verb, args, Change::Become { start, len, card, from });
            }
            (Builtin::Control, [Value::Player(player), Value::Player(by), ..]) => {
                if self.state.board.decider(player) == by {
                    return self.not_done(branch, at, pc, verb, args, Why::Already);
                }
                self.guarded(branch, at, pc, verb, args, Change::Control { player, by });
            }
            _ => self.not_done(branch, at, pc, verb, args, Why::Missing),
        }
    }

    /// The card in the game from which a copy is made. Undefined if the argument names a card of the pool. If this card is itself a copy
    /// with exceptions, the exceptions are copied too.
    fn copied_from(&mut self, branch: &Branch, pc: Pc, argument: usize) -> Value {
        let Some(crate::program::Op::Builtin { args, .. }) = self.program.code.get(pc).filter(|_| self.program.as_copy.is_some()) else {
            return Value::Undefined;
        };
        match self.program.args_of(*args).get(argument).and_then(|node| self.program.nodes.get(*node)) {
            Some(crate::program::Node::CardOf(card)) => {
                let card = self.value(branch, *card);
                self.eval(branch).living_reference(card)
            }
            _ => Value::Undefined,
        }
    }

    /// Ends the exceptions of a card's earlier copying, and gives it the exceptions of the card that it copies now.
    fn copy_exceptions(&mut self, branch: &Branch, at: u16, from: Value, card: Value) {
        let Some(duration) = self.program.as_copy else { return };
        let is_of = |effect: &crate::state::Effect, card: Value| {
            effect.holds == crate::state::Holds::Lasting(duration) && effect.targets.as_deref() == Some(&[card])
        };
        let copied: Vec<crate::state::Effect> = match from {
            Value::Undefined => Vec::new(),
            from => self.state.effects.in_force.iter().filter(|effect| is_of(effect, from)).map(|effect| (**effect).clone()).collect(),
        };
        let ended = self.state.effects.end(self.program, |effect| is_of(effect, card));
        if !ended.is_empty() || !copied.is_empty() {
            self.state.control.changed_anywhere();
        }
        self.tell_ended(ended);
        for mut effect in copied {
            if self.state.effects.in_force.len() >= crate::limits::EFFECTS {
                return self.fail(crate::state::FailureKind::Effects, branch.now());
            }
            effect.targets = Some(vec![card]);
            effect.captures.iter_mut().chain(&mut effect.lists).filter(|value| **value == from).for_each(|value| *value = card);
            let number = self.state.effects.begin(self.program, effect);
            self.tell(branch.now(), branch.frames.len(), at, &branch.lists, || crate::steps::Step::EffectBegins(number));
        }
    }

    /// Makes a change unless an effect in force forbids it.
    fn guarded(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: Args, change: Change) {
        if self.watched(verb.verb()) {
            let cause = self.cause(branch);
            let what = crate::eval::watch::Happening { verb: verb.verb(), args: &args, lists: &branch.lists, cause };
            if let Some(effect) = self.eval(branch).forbidden(what) {
                self.tell_prevails(cause, effect, pc, branch.frames.len(), at);
                return self.not_done(branch, at, pc, verb, args, Why::Forbidden(effect));
            }
        }
        self.change(branch, at, change);
    }

    /// Attaches cards to a host, or detaches them. Cards and hosts that have become new objects are left out. A card is never attached to
    /// itself, even through other cards.
    pub(crate) fn attach_cards(&mut self, branch: &mut Branch, at: u16, (start, len): (u32, u16), host: Value) {
        let verb = if host == Value::Undefined { Builtin::Detach } else { Builtin::Attach };
        let gone = self.state.board.is_over(host);
        let mut done = !gone;
        let mut attached: Vec<ObjectId> = Vec::new();
        for index in start..start + u32::from(len) {
            let Some(card @ Value::Object { id, .. }) = branch.lists.get(index as usize).copied() else { continue };
            let same = self.state.board.extra(id).is_none_or(|extra| extra.host == host);
            if gone || same || self.state.board.is_over(card) || self.hangs_on(host, id) {
                done = false;
                continue;
            }
            readings::note_whole(readings::part::NOW);
            let arrived = self.arrival();
            let since = self.state.effects.now;
            if let Some(extra) = self.state.board.extra_mut(id) {
                (extra.host, extra.arrived) = (host, arrived);
                if verb == Builtin::Attach {
                    extra.since = since;
                }
            }
            self.state.effects.keep_ages_apart(self.program, since);
            attached.extend((verb == Builtin::Attach).then_some(id));
            self.state.control.changed_anywhere();
            if self.is_told(verb) {
                let mut args = [Value::Undefined; MOST_ARGUMENTS];
                (args[0], args[1]) = (card, host);
                self.emit(branch, at, branch.now(), verb.verb(), args);
            }
        }
        self.state.effects.attached(self.program, &attached);
        self.set_done(branch, at, done);
    }

    /// Whether a card is another card, or is attached to it directly or through other cards.
    fn hangs_on(&self, card: Value, other: ObjectId) -> bool {
        let Value::Object { id, .. } = card else { return false };
        let mut at = Some(id);
        for _ in 0..=self.state.board.objects.len() {
            match at {
                None => return false,
                Some(id) if id == other => return true,
                Some(id) => at = self.state.board.host(id),
            }
        }
        true
    }

    /// Makes an object and puts it into its place.
    pub(crate) fn make_object(&mut self, branch: &mut Branch, at: u16, change: Change) {
        let Change::Make { card, owner, to, slot, face, original, from, result } = change else { return };
        let program = self.program;
        let to = if self.plan.place(to).redirects { program.place_of_owner(to, owner) } else { to };
        let owner = program.owner_in(to, owner);
        if !self.has_room_beside(to, slot) {
            let args = crate::actions::perform::copied(&[Value::Card(card), Value::Zone(to), original, owner.value()]);
            return self.not_done(branch, at, branch.now(), Builtin::Make, args, Why::Full);
        }
        let Some(id) = self.state.board.make(program, card, owner) else {
            return self.fail(crate::state::FailureKind::Objects, branch.now());
        };
        if !self.state.board.put(id, to, End::Top) {
            self.state.board.unmake(id);
            return self.set_done(branch, at, false);
        }
        self.state.reset_states(program, id);
        if let by @ Some(_) = program.controller_in(to) {
            self.state.board.lay_under(id, by, 0);
        }
        readings::note_whole(readings::part::NOW);
        let (arrived, since) = (self.arrival(), self.state.effects.now);
        if let Some(extra) = self.state.board.extra_mut(id) {
            (extra.slot, extra.original, extra.arrived, extra.since) = (slot, original, arrived, since);
        }
        self.state.effects.keep_ages_apart(program, since);
        if let Some(object) = self.state.board.objects.get_mut(usize::from(id.0)) {
            object.face_up = match face {
                FaceChange::Up => true,
                FaceChange::Down => false,
                FaceChange::AsZone => self.plan.place(to).face_up,
            };
        }
        self.state.control.changed_in(to);
        let begun = self.state.activate(program, id);
        self.tell_begun(begun);
        let made = self.state.board.reference(id);
        self.copy_exceptions(branch, at, from, made);
        let start = branch.lists.len() as u32;
        branch.lists.push(made);
        set(branch, result, Value::List { start, len: 1 });
        if crate::actions::moves::collects(branch) {
            branch.collected.push(made);
        }
        if self.is_told(Builtin::Make) {
            let args = [made, Value::Zone(to), original, owner.value(), Value::Undefined, Value::Undefined];
            self.emit(branch, at, branch.now(), Builtin::Make.verb(), args);
        }
        self.set_done(branch, at, true);
    }

    /// Makes cards copies of a card: they take the printed values of that card, as changed by earlier copying.
    pub(crate) fn become_copies(&mut self, branch: &mut Branch, at: u16, (start, len): (u32, u16), (card, from): (Option<CardId>, Value)) {
        let mut done = true;
        for index in start..start + u32::from(len) {
            let Some(object @ Value::Object { id, life }) = branch.lists.get(index as usize).copied() else { continue };
            let own = self.state.board.extra(id).map(|extra| extra.own);
            let Some(card) = card.or(own) else { continue };
            let Some(slot) = self.state.board.objects.get_mut(usize::from(id.0)).filter(|object| object.life == life) else {
                done = false;
                continue;
            };
            let (before, place) = (slot.card, slot.place);
            slot.card = card;
            self.state.board.versions.touch_lying();
            self.copy_exceptions(branch, at, from, object);
            if self.plan.card(before).statics || self.plan.card(card).statics {
                self.renew(id);
            }
            self.state.control.changed_in(place);
            if self.is_told(Builtin::Become) {
                let mut args = [Value::Undefined; MOST_ARGUMENTS];
                (args[0], args[1]) = (object, Value::Card(card));
                self.emit(branch, at, branch.now(), Builtin::Become.verb(), args);
            }
        }
        self.set_done(branch, at, done);
    }

    /// Lets a player make the decisions of another player from now on.
    pub(crate) fn give_control(&mut self, branch: &mut Branch, at: u16, player: Player, by: Player) {
        self.state.board.decide(self.program.players, player, by);
        self.state.control.changed_anywhere();
        if self.is_told(Builtin::Control) {
            let mut args = [Value::Undefined; MOST_ARGUMENTS];
            (args[0], args[1]) = (Value::Player(player), Value::Player(by));
            self.emit(branch, at, branch.now(), Builtin::Control.verb(), args);
        }
        self.set_done(branch, at, true);
    }
}

/// The part of a zone that an argument names.
#[must_use]
pub(crate) fn slot_of(value: Value) -> u8 {
    if let Value::Enum(_, slot) = value { slot } else { NO_SLOT }
}
