//! Revealing and looking: to whom cards are shown, and until when.

use crate::actions::moves::Moving;
use crate::actions::perform::Args;
use crate::ids::{DurationId, Pc};
use crate::program::{Builtin, Seen};
use crate::run::Run;
use crate::state::board::zone_of;
use crate::state::{Branch, Change, Role, Shown, State, Until};
use crate::steps::{Observer, Why};
use crate::value::{ObjectId, Place, Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Shows cards to all players, or to one player. Showing is a step of a lockstep, so that nobody sees the cards before having chosen.
    pub(crate) fn show(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: Args) -> Value {
        let to = match (verb, args[1]) {
            (Builtin::Look, Value::Player(player)) => 1 << player.0,
            (Builtin::Look, _) => branch.frames.last().map_or(0, |frame| frame.you.bit()),
            _ => u8::MAX,
        };
        let (start, len) = self.living(branch, args[0]);
        let shown = Value::List { start, len };
        if len == 0 {
            self.not_done(branch, at, pc, verb, args, Why::Nothing);
            return shown;
        }
        let by = (verb == Builtin::Look).then(|| Player(to.trailing_zeros() as u8));
        let [_, first, second, third, ..] = args;
        let (until, waits) = if verb == Builtin::Look { (second, third) } else { (first, second) };
        let until = until.number().map(|duration| Until::Ends(DurationId(duration as u8)));
        let until = match waits {
            Value::Pending(number) if self.state.events.waiting(number).is_some() => Some(Until::Waits(number)),
            // The ability no longer waits, so there is no time for which to show the cards.
            Value::Pending(_) => {
                self.not_done(branch, at, pc, verb, args, Why::Nothing);
                return shown;
            }
            _ => until,
        };
        self.change(branch, at, Change::Show { start, len, to, by, until });
        shown
    }

    /// Shows the cards of a list.
    pub(crate) fn show_cards(
        &mut self,
        branch: &mut Branch,
        at: u16,
        (start, len): (u32, u16),
        (to, by): (u8, Option<Player>),
        until: Option<Until>,
    ) {
        let by_action = acts_by_itself(branch, until);
        self.state.board.versions.touch_lying();
        self.state.board.versions.touch_sight();
        for index in start..start + u32::from(len) {
            let Some(Value::Object { id, .. }) = branch.lists.get(index as usize).copied() else { continue };
            if let Some(object) = self.state.board.objects.get_mut(usize::from(id.0)) {
                let shown = Shown { id, place: object.place, to, by_action };
                match until {
                    Some(Until::Ends(duration)) => self.state.board.revealed.push((shown, duration)),
                    Some(Until::Waits(number)) => self.state.board.shown_while.push((shown, number)),
                    None => branch.shown.push(shown),
                }
                // A trial run knows what could be seen when it began, and no more.
                object.shown |= if self.trial.is_some() { 0 } else { to };
            }
            if let Some(slot) = self.state.board.memory.get_mut(usize::from(id.0)) {
                *slot |= to;
            }
        }
        let verb = if by.is_some() { Builtin::Look } else { Builtin::Reveal };
        let by = by.map_or(Value::Undefined, Value::Player);
        let args = [Value::List { start, len }, by, Value::Undefined, Value::Undefined, Value::Undefined, Value::Undefined];
        self.emit(branch, at, branch.now(), verb.verb(), args);
        self.set_done(branch, at, true);
    }

    /// Keeps a card shown that an ability or action has shown, when the card moves to a zone that only its owner sees. It stays shown until
    /// that ability or action ends. A card that moves to a pile is not kept shown, because its place would tell which card it is.
    pub(crate) fn show_on(&mut self, branch: &mut Branch, moving: &Moving) {
        let to_hand = self.program.zones.get(zone_of(self.program, moving.to).0).is_some_and(|zone| zone.seen == Seen::ByOwner);
        if branch.shown.is_empty() {
            return;
        }
        self.state.board.versions.touch_place(moving.to);
        let Some(object) = self.state.board.objects.get_mut(usize::from(moving.id.0)).filter(|_| to_hand) else { return };
        for shown in branch.shown.iter_mut().filter(|shown| shown.id == moving.id && shown.place == moving.from) {
            shown.place = moving.to;
            object.shown |= if self.trial.is_some() { 0 } else { shown.to };
        }
    }

    /// Hides the cards again that the branch has shown, from this index on.
    pub fn hide(&mut self, branch: &mut Branch, from: usize) {
        while branch.shown.len() > from {
            let Some(Shown { id, .. }) = branch.shown.pop() else { return };
            self.show_again(branch, id);
        }
    }

    /// Hides the cards again that were revealed to all, from this index on. Gives whether there were any.
    pub(crate) fn hide_revealed(&mut self, branch: &mut Branch, from: usize) -> bool {
        let from = from.min(branch.shown.len());
        let over: Vec<ObjectId> = branch.shown.extract_if(from.., |shown| shown.to == u8::MAX).map(|shown| shown.id).collect();
        for id in &over {
            self.show_again(branch, *id);
        }
        !over.is_empty()
    }

    /// Called when an action is over. If no action is around it, hides the cards again that it has shown.
    pub(crate) fn action_hides(&mut self, branch: &mut Branch) {
        if branch.frames.iter().any(|frame| matches!(frame.role, Role::Action(_))) {
            return;
        }
        let over: Vec<ObjectId> = branch.shown.extract_if(.., |shown| shown.by_action).map(|shown| shown.id).collect();
        for id in over {
            self.show_again(branch, id);
        }
    }

    /// After a shuffle nobody knows any more which card of a pile is which, whatever was shown before. A hand lies open to its owner, so
    /// shown cards of a hand stay shown.
    pub(crate) fn shuffled_are_hidden(&mut self, branch: &mut Branch, place: Place) {
        let pile = self.program.zones.get(zone_of(self.program, place).0).is_some_and(|zone| zone.seen == Seen::ByNobody);
        let State { board, control, .. } = &mut *self.state;
        if !pile || board.cards(place).len() < 2 {
            return;
        }
        board.versions.touch_place(place);
        board.versions.touch_sight();
        let lasting = board.revealed.iter_mut().map(|(shown, _)| shown).chain(board.shown_while.iter_mut().map(|(shown, _)| shown));
        // The entries stay in their lists, because the code that ends them counts entries.
        let others = control.branches.iter_mut().flat_map(|other| &mut other.shown).chain(&mut branch.shown);
        for shown in others.chain(lasting).filter(|shown| shown.place == place) {
            shown.place = Place::NOWHERE;
        }
        for at in 0..board.cards(place).len() {
            let id = board.cards(place).get(at).copied();
            if let Some(object) = id.and_then(|id| board.objects.get_mut(usize::from(id.0))) {
                object.shown = 0;
            }
        }
    }

    /// Shows a card to exactly those players to whom something still shows it.
    fn show_again(&mut self, branch: &Branch, id: ObjectId) {
        let board = &mut self.state.board;
        let Some(object) = board.objects.get_mut(usize::from(id.0)) else { return };
        board.versions.touch_place(object.place);
        let lasting = board.revealed.iter().map(|(shown, _)| shown).chain(board.shown_while.iter().map(|(shown, _)| shown));
        let others = self.state.control.branches.iter().flat_map(|other| &other.shown).chain(&branch.shown).chain(lasting);
        let still = others.filter(|shown| shown.id == id && shown.place == object.place);
        object.shown = still.fold(0, |to, shown| to | shown.to);
    }

    /// Called when a waiting ability is performed: the cards that were shown while it waited stay shown until it ends.
    pub(crate) fn show_while_performed(&mut self, branch: &mut Branch, number: u32) {
        self.state.board.versions.touch_sight();
        let shown = &mut self.state.board.shown_while;
        branch.shown.extend(shown.extract_if(.., |(_, of)| *of == number).map(|(shown, _)| shown));
    }

    /// Hides the cards again that were shown for abilities that no longer wait.
    pub(crate) fn hide_what_waited(&mut self, branch: &Branch) {
        let State { board, events, .. } = &mut *self.state;
        if board.shown_while.is_empty() {
            return;
        }
        board.versions.touch_sight();
        let over: Vec<ObjectId> =
            board.shown_while.extract_if(.., |(_, of)| events.waiting(*of).is_none()).map(|(shown, _)| shown.id).collect();
        for id in over {
            self.show_again(branch, id);
        }
    }

    /// Shows the card of a trigger while the ability waits, if some player may not see the card.
    pub(crate) fn show_source(&mut self, branch: &Branch, at: u16, source: Value, number: u32) {
        let Value::Object { id, life } = source else { return };
        let Some(object) = self.state.board.object(id).copied().filter(|object| object.life == life) else { return };
        let all = (0..self.program.players).map(crate::value::Player);
        if all.into_iter().all(|player| self.state.board.sees(self.program, player, id)) {
            return;
        }
        self.state.board.versions.touch_place(object.place);
        self.state.board.versions.touch_sight();
        self.state.board.shown_while.push((Shown { id, place: object.place, to: u8::MAX, by_action: false }, number));
        let seen = if self.trial.is_some() { 0 } else { u8::MAX };
        if let Some(object) = self.state.board.objects.get_mut(usize::from(id.0)) {
            object.shown |= seen;
        }
        if let Some(slot) = self.state.board.memory.get_mut(usize::from(id.0)) {
            *slot |= seen;
        }
        let args = crate::actions::perform::copied(&[Value::List { start: 0, len: 1 }]);
        self.emit_by_itself(branch, at, Builtin::Reveal, (args, &[source]), self.cause(branch));
    }

    /// Hides the cards again that were shown until this duration ends.
    pub(crate) fn end_reveals(&mut self, branch: &Branch, duration: DurationId) {
        self.state.board.versions.touch_sight();
        let revealed = &mut self.state.board.revealed;
        let ended: Vec<ObjectId> = revealed.iter().filter(|(_, of)| *of == duration).map(|(shown, _)| shown.id).collect();
        revealed.retain(|(_, of)| *of != duration);
        for id in ended {
            self.show_again(branch, id);
        }
    }
}

/// Whether cards that are shown now stay shown only until the action ends. This is so if no end is named, and no ability and no branch does
/// the action. Otherwise the cards are shown until the end of that ability or branch.
fn acts_by_itself(branch: &Branch, until: Option<Until>) -> bool {
    let acts = branch.frames.iter().any(|frame| matches!(frame.role, Role::Action(_)));
    let ability = branch.frames.iter().any(|frame| matches!(frame.role, Role::Ability(_)));
    until.is_none() && branch.level == 0 && acts && !ability
}
