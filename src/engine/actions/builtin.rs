//! The engine's own actions: leaves out things that the action cannot be done to, lets effects and players decide, and prepares the change.

use crate::actions::made_objects::slot_of;
use crate::actions::perform::{Args, deciding, face_of, id_of};
use crate::eval::watch::Happening;
use crate::ids::{ArgsId, NodeId, Pc, Reg};
use crate::limits::{MANY_MEMBERS, WORK_OF_A_CHANGE};
use crate::program::{Builtin, Node, Principle};
use crate::run::Run;
use crate::run::step::{inherited, set};
use crate::state::{Branch, Change, Frame, MOST_ARGUMENTS, Rest, Role};
use crate::steps::{Observer, Step, Why};
use crate::value::{Place, Value};

impl<O: Observer> Run<'_, O> {
    /// Performs a builtin verb.
    #[inline(never)]
    pub fn builtin(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: ArgsId, result: Reg) {
        if verb == Builtin::Move && self.move_named(branch, at, pc, args, result) {
            return;
        }
        if let Builtin::Coin | Builtin::Die | Builtin::Pick = verb {
            return self.draw_lots(branch, at, pc, verb, args, result);
        }
        let nodes = args;
        let (mut args, _) = self.arguments(branch, args);
        if branch.paying.rest == Rest::Takes && !matches!(verb, Builtin::Shuffle | Builtin::Order) {
            self.leave_zone_to_others(branch, at, &mut args);
        }
        if self.names_no_place(verb, nodes, &args) {
            return self.not_done(branch, at, pc, verb, args, Why::Missing);
        }
        if verb == Builtin::Move {
            args[4] = self.whose_top(branch, nodes);
        }
        match verb {
            Builtin::Move => self.move_cards(branch, at, pc, args, result),
            Builtin::TurnUp | Builtin::TurnDown => self.turn(branch, at, pc, verb, args, result),
            Builtin::Shuffle => match args {
                [Value::Zone(place), ..] => self.change(branch, at, Change::Shuffle(place)),
                _ => self.not_done(branch, at, pc, verb, args, Why::Missing),
            },
            Builtin::Reveal | Builtin::Look => {
                let shown = self.show(branch, at, pc, verb, args);
                set(branch, result, shown);
            }
            Builtin::Lose | Builtin::Win => self.verdict(branch, at, pc, verb, args),
            Builtin::Order => self.order(branch, at, pc, args),
            Builtin::Attach | Builtin::Detach | Builtin::Make | Builtin::Become | Builtin::Control => {
                self.prepare_object(branch, at, pc, verb, args, result);
            }
            Builtin::Coin | Builtin::Die | Builtin::Pick | Builtin::EffectBegins | Builtin::EffectEnds => {}
        }
    }

    /// Whether `at:` is given but names no place. Then nothing is put anywhere, as for every undefined argument.
    fn names_no_place(&self, verb: Builtin, nodes: ArgsId, args: &Args) -> bool {
        let place = match verb {
            Builtin::Move => 3,
            Builtin::Make => 5,
            _ => return false,
        };
        let given = self.program.args_of(nodes).get(place).is_some_and(|node| *node != NodeId::NONE);
        given && args.get(place) == Some(&Value::Undefined)
    }

    /// The zone whose top cards a move takes. Undefined if the move is written in another way.
    fn whose_top(&mut self, branch: &Branch, args: ArgsId) -> Value {
        match self.program.args_of(args).first().and_then(|what| self.program.nodes.get(*what)) {
            Some(Node::Ends(true, _, zone)) => self.value(branch, *zone),
            _ => Value::Undefined,
        }
    }

    /// The cards that an argument names and that have not become new objects, as a list in the arena.
    pub fn living(&mut self, branch: &mut Branch, what: Value) -> (u32, u16) {
        let start = branch.lists.len();
        if self.quick_living(what, &mut branch.lists) {
            let len = branch.lists.len() - start;
            self.counts_many(len);
            return (start as u32, len as u16);
        }
        let mut cards = std::mem::take(&mut self.scratch.values);
        cards.clear();
        {
            let mut eval = self.eval(branch);
            eval.each_of(what, &mut |eval, member| {
                if eval.object(member).is_some_and(|(_, object)| member.lives(object.life)) {
                    cards.push(member);
                }
                false
            });
        }
        let start = branch.lists.len() as u32;
        branch.lists.extend_from_slice(&cards);
        let len = cards.len() as u16;
        self.counts_many(cards.len());
        self.scratch.values = cards;
        (start, len)
    }

    /// Counts what happens to very many cards in one statement as work.
    #[inline]
    pub(super) fn counts_many(&self, cards: usize) {
        if cards > MANY_MEMBERS {
            self.state.effects.asked.work.add(WORK_OF_A_CHANGE * cards);
        }
    }

    fn move_cards(&mut self, branch: &mut Branch, at: u16, pc: Pc, args: Args, result: Reg) {
        let [what, to, face, bottom, top_of, under] = args;
        let under = under.player();
        let Value::Zone(place) = to else {
            return self.not_done(branch, at, pc, Builtin::Move, args, Why::Missing);
        };
        let (bottom, slot) = (bottom.is_true(), slot_of(bottom));
        if let Value::Zone(from) = what
            && let [only] = self.state.board.cards(from)
            && !self.watched(Builtin::Move.verb())
        {
            let card = self.state.board.reference(*only);
            return match self.why_not(card, place, bottom, slot) {
                None => self.change(branch, at, Change::MoveCard { card, to: place, face: face_of(face), bottom, slot, under, result }),
                Some(why) => self.not_done(branch, at, pc, Builtin::Move, args, why),
            };
        }
        let (start, len) = self.living(branch, what);
        let (from, until) = (start as usize, start as usize + usize::from(len));
        let mut left = from;
        for index in from..until {
            // A card that already lies in the zone is not moved. Moving inside a zone changes its order, which only `at: bottom` or another
            // place asks for.
            let card = branch.lists.get(index).copied().unwrap_or_default();
            let there = matches!(card, Value::Object { id, .. } if self.state.board.object(id).is_some_and(|object| object.place == place));
            if !there || bottom || self.is_elsewhere(card, slot) {
                branch.lists.swap(left, index);
                left += 1;
            }
        }
        branch.lists.truncate(left);
        let len = (left - from) as u16;
        if len == 0 {
            let why = if until > from { Why::Already } else { Why::Nothing };
            return self.not_done(branch, at, pc, Builtin::Move, args, why);
        }
        // A card that only changes its place inside the zone needs no room.
        let stays = |card: &Value| id_of(*card).and_then(|id| self.state.board.object(id)).is_some_and(|object| object.place == place);
        if self.is_full(place) && !branch.lists.get(from..left).unwrap_or(&[]).iter().all(stays) {
            return self.not_done(branch, at, pc, Builtin::Move, args, Why::Full);
        }
        if self.watched(Builtin::Move.verb()) {
            let members = branch.lists.get(from..).unwrap_or(&[]).to_vec();
            return self.decide_builtin(branch, pc, Builtin::Move, args, members, result);
        }
        let face = face_of(face);
        self.change(branch, at, Change::Move { start, len, to: place, face, bottom, slot, top_of: top_of.place(), under, result });
    }

    /// Whether a card lies in another part of its zone than the named one.
    fn is_elsewhere(&self, card: Value, slot: u8) -> bool {
        slot != crate::state::board::NO_SLOT && id_of(card).is_some_and(|id| self.state.board.slot(id) != slot)
    }

    /// Why a card cannot be moved to a place. None if it can.
    fn why_not(&self, card: Value, to: Place, bottom: bool, slot: u8) -> Option<Why> {
        let object = id_of(card).and_then(|id| self.state.board.object(id)).filter(|object| card.lives(object.life));
        match object {
            None => Some(Why::Nothing),
            Some(object) if object.place.0 == to.0 && !bottom && !self.is_elsewhere(card, slot) => Some(Why::Already),
            Some(object) if object.place == to => None,
            Some(_) => self.is_full(to).then_some(Why::Full),
        }
    }

    /// Moves a single named card when nothing watches moves, without making a list. Otherwise does nothing and gives `false`.
    fn move_named(&mut self, branch: &mut Branch, at: u16, pc: Pc, args: ArgsId, result: Reg) -> bool {
        let [what, to, rest @ ..] = self.program.args_of(args) else { return false };
        let Some(card) = self.plan.single(*what) else { return false };
        if self.watched(Builtin::Move.verb()) {
            return false;
        }
        let (Value::Object { id, life }, Value::Zone(to)) = (self.value(branch, card), self.value(branch, *to)) else { return false };
        let card = Value::Object { id, life };
        let face = rest.first().map_or(Value::Undefined, |node| self.argument(branch, *node));
        let end = rest.get(1).map_or(Value::Undefined, |node| self.argument(branch, *node));
        if end == Value::Undefined && rest.get(1).is_some_and(|node| *node != NodeId::NONE) {
            return false;
        }
        let under = rest.get(3).and_then(|node| self.argument(branch, *node).player());
        let (bottom, slot) = (end.is_true(), slot_of(end));
        match self.why_not(card, to, bottom, slot) {
            None => self.change(branch, at, Change::MoveCard { card, to, face: face_of(face), bottom, slot, under, result }),
            Some(why) => {
                let (args, lists) =
                    if O::ON { self.arguments(branch, args) } else { ([Value::Undefined; MOST_ARGUMENTS], branch.lists.len()) };
                self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::NotPerformed(Builtin::Move.verb(), args, why));
                branch.lists.truncate(lists);
                self.set_done(branch, at, false);
            }
        }
        true
    }

    fn turn(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: Args, result: Reg) {
        let up = verb == Builtin::TurnUp;
        let (start, len) = self.living(branch, args[0]);
        let mut left = start as usize;
        for index in start as usize..start as usize + usize::from(len) {
            let card = branch.lists.get(index).copied().unwrap_or_default();
            let so = matches!(card, Value::Object { id, .. } if self.state.board.object(id).is_some_and(|object| object.face_up == up));
            if !so {
                branch.lists.swap(left, index);
                left += 1;
            }
        }
        branch.lists.truncate(left);
        let turned = (left - start as usize) as u16;
        set(branch, result, Value::List { start, len: turned });
        if turned == 0 {
            let why = if len > 0 { Why::Already } else { Why::Nothing };
            return self.not_done(branch, at, pc, verb, args, why);
        }
        if turned < len {
            self.tell_principle(Principle::Already, pc, branch.frames.len(), at);
        }
        if self.watched(verb.verb()) {
            let members = branch.lists.get(start as usize..).unwrap_or(&[]).to_vec();
            return self.decide_builtin(branch, pc, verb, args, members, Reg::NONE);
        }
        self.change(branch, at, Change::Turn { start, len: turned, up });
    }

    fn order(&mut self, branch: &mut Branch, at: u16, pc: Pc, args: Args) {
        let Value::Zone(place) = args[0] else {
            return self.not_done(branch, at, pc, Builtin::Order, args, Why::Missing);
        };
        let (start, len) = self.living(branch, args[1]);
        if len == 0 {
            return self.not_done(branch, at, pc, Builtin::Order, args, Why::Nothing);
        }
        self.change(branch, at, Change::Order { start, len, place });
    }

    /// Raises a verdict: a player loses or wins. The verdict is judged when the flow says so, at the earliest after the present batch and
    /// its rules.
    fn verdict(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: Args) {
        let of = of_verdict(args);
        if of[0].player().is_none() {
            return self.not_done(branch, at, pc, verb, of, Why::Missing);
        }
        let happening = Happening { verb: verb.verb(), args: &of, lists: &[], cause: self.cause(branch) };
        if self.watched(verb.verb())
            && let Some(effect) = self.eval(branch).forbidden(happening)
        {
            self.tell_prevails(self.cause(branch), effect, pc, branch.frames.len(), at);
            return self.not_done(branch, at, pc, verb, of, Why::Forbidden(effect));
        }
        let exempt = self.program.policies.one_replacement_in_all && branch.frames.last().is_some_and(|frame| frame.replaced);
        if self.watched(verb.verb()) {
            if exempt {
                self.tell_replaced_before(branch, at, &[], (verb.verb(), of));
            } else if self.replacements(branch, &[], happening).next().is_some() {
                return self.decide_builtin(branch, pc, verb, args, vec![args[0]], Reg::NONE);
            }
        }
        self.raise(branch, at, pc, verb, args);
    }

    /// Raises a verdict that nothing prevents.
    pub fn raise(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: Args) {
        let Value::Player(player) = args[0] else { return };
        let control = &mut self.state.control;
        let mask = if verb == Builtin::Lose { &mut control.losing } else { &mut control.winning };
        *mask |= self.program.team_bits(player);
        self.tell(pc, branch.frames.len(), at, &[], || Step::Verdict(player, verb == Builtin::Win));
        self.emit(branch, at, pc, verb.verb(), of_verdict(args));
        if self.trial.is_some() {
            return self.answer_trial_open();
        }
        if args[1].is_true() {
            (self.state.control.judging, self.state.control.urgent) = (0, true);
        }
        self.set_done(branch, at, true);
        self.check_verdicts();
    }

    /// Puts a frame on top in which the prohibitions and replacements of a builtin verb are decided, card by card.
    pub(crate) fn decide_builtin(&mut self, branch: &mut Branch, pc: Pc, verb: Builtin, args: Args, members: Vec<Value>, result: Reg) {
        let (base, lists) = (branch.registers.len() as u32, branch.lists.len() as u32);
        let mut frame = inherited(branch, Frame { pc, base, lists, result, ..Frame::default() });
        frame.role = Role::Deciding;
        branch.deciding.push(deciding(verb.verb(), Some(verb), args, members));
        self.push(branch, frame);
    }
}

/// The arguments of a verdict in its event. The event does not say when the verdict is judged.
fn of_verdict(mut args: Args) -> Args {
    args[1] = Value::Undefined;
    args
}
