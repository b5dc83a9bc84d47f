//! Revealing and looking: to whom cards are shown, and until when.

use super::ids::{DurationId, Pc};
use super::observe::{Observer, Why};
use super::perform::Args;
use super::program::Builtin;
use super::run::Run;
use super::state::{Branch, Change, Shown};
use super::value::{ObjectId, Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Shows cards: to all, or to one player. A step of a lockstep: nobody shall see what is shown before having chosen.
    pub(super) fn show(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: Args) -> Value {
        let to = match (verb, args[1]) {
            (Builtin::Look, Value::Player(player)) => 1 << player.0,
            (Builtin::Look, _) => branch.frames.last().map_or(0, |frame| 1 << frame.you.0),
            _ => u8::MAX,
        };
        let (start, len) = self.living(branch, args[0]);
        let shown = Value::List { start, len };
        if len == 0 {
            self.not_done(branch, at, pc, verb, args, Why::Nothing);
            return shown;
        }
        let by = (verb == Builtin::Look).then(|| Player(to.trailing_zeros() as u8));
        let [_, first, second, ..] = args;
        let until = if verb == Builtin::Look { second } else { first };
        let until = until.number().map(|duration| DurationId(duration as u8));
        self.change(branch, at, Change::Show { start, len, to, by, until });
        shown
    }

    /// Shows the cards of a list.
    pub fn show_cards(
        &mut self,
        branch: &mut Branch,
        at: u16,
        (start, len): (u32, u16),
        (to, by): (u8, Option<Player>),
        until: Option<DurationId>,
    ) {
        for index in start..start + u32::from(len) {
            let Some(Value::Object { id, .. }) = branch.lists.get(index as usize).copied() else { continue };
            if let Some(object) = self.state.board.objects.get_mut(usize::from(id.0)) {
                let shown = Shown { id, place: object.place, to };
                match until {
                    Some(duration) => self.state.board.revealed.push((shown, duration)),
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
        self.emit(branch, at, super::change::now(branch), verb.verb(), args);
        self.settle(branch, at, true);
    }

    /// What was shown since then is hidden again.
    pub fn hide(&mut self, branch: &mut Branch, from: usize) {
        while branch.shown.len() > from {
            let Some(Shown { id, .. }) = branch.shown.pop() else { return };
            self.show_again(branch, id);
        }
    }

    /// A card is shown to those to whom something still shows it.
    fn show_again(&mut self, branch: &Branch, id: ObjectId) {
        let board = &mut self.state.board;
        let Some(object) = board.objects.get_mut(usize::from(id.0)) else { return };
        let lasting = board.revealed.iter().map(|(shown, _)| shown);
        let others = self.state.control.branches.iter().flat_map(|other| &other.shown).chain(&branch.shown).chain(lasting);
        let still = others.filter(|shown| shown.id == id && shown.place == object.place);
        object.shown = still.fold(0, |to, shown| to | shown.to);
    }

    /// What was shown until a duration ends is hidden again.
    pub fn end_reveals(&mut self, branch: &Branch, duration: DurationId) {
        let revealed = &mut self.state.board.revealed;
        let ended: Vec<ObjectId> = revealed.iter().filter(|(_, of)| *of == duration).map(|(shown, _)| shown.id).collect();
        revealed.retain(|(_, of)| *of != duration);
        for id in ended {
            self.show_again(branch, id);
        }
    }
}
