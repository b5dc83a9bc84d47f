//! Veils: inside a `veiled` block a player chooses among other players' cards as they were when the block began.
//!
//! Input: the table as it was then. Output: the members of a choice, and what a player sees. Cards of the chooser, and values that are no
//! cards, are read as they are now. So are amounts, and conditions outside of choices.

use crate::fault::listed;
use crate::ids::NodeId;
use crate::machine::Machine;
use crate::program::Program;
use crate::run::Run;
use crate::state::board::{Board, Object, zone_of};
use crate::state::{Branch, Change, Doing, State, Veil};
use crate::steps::Observer;
use crate::value::{ObjectId, Place, Player, Value};
use std::sync::Arc;

impl Branch {
    /// Leaves `veiled` blocks until the branch is in this many.
    pub(crate) fn unveil(&mut self, veils: u16) {
        self.veils = veils;
        if veils == 0 {
            self.veil = None;
            self.touched.clear();
        }
    }

    /// Notes cards to which the branch does something behind a veil. A player who chooses in the branch sees these cards as they are now.
    #[inline]
    pub fn touch(&mut self, cards: impl IntoIterator<Item = ObjectId>) {
        if self.veil.is_some() {
            self.touched.extend(cards);
        }
    }

    /// Notes the cards of a change that is no move.
    pub(crate) fn touch_changed(&mut self, change: Change) {
        let (start, len, one) = match change {
            Change::Turn { start, len, .. }
            | Change::Show { start, len, .. }
            | Change::Attach { start, len, .. }
            | Change::Become { start, len, .. } => (start, len, Value::Undefined),
            Change::SetState { subject, .. } => (0, 0, subject),
            _ => return,
        };
        let several = self.lists.iter().skip(start as usize).take(usize::from(len)).copied();
        let cards: Vec<ObjectId> =
            several.chain([one]).filter_map(|value| if let Value::Object { id, .. } = value { Some(id) } else { None }).collect();
        self.touch(cards);
    }
}

/// The life of a card that was chosen behind a veil and no longer lies where it lay. No card has or has had this life.
const GONE: u32 = u32::MAX;

impl Object {
    /// Whether the card has lain in its place ever since.
    fn lies_as(&self, other: &Object) -> bool {
        (self.place, self.life) == (other.place, other.life)
    }
}

impl Veil {
    /// The kept table as a player sees it who chooses behind the veil. A card that has lain in its place ever since may have been shown
    /// meanwhile.
    fn shown(&self, now: &Board) -> Veil {
        let mut shown = self.clone();
        shown.board.versions.touch_all();
        for (at, (object, other)) in shown.board.objects.iter_mut().zip(&now.objects).enumerate() {
            if object.lies_as(other) {
                object.shown = other.shown;
                if let (Some(slot), Some(by)) = (shown.board.memory.get_mut(at), now.memory.get(at)) {
                    *slot = *by;
                }
            }
        }
        shown
    }

    /// Swaps the kept table and the present table of the state.
    fn turn_table(&mut self, state: &mut State) {
        std::mem::swap(&mut self.board, &mut state.board);
        std::mem::swap(&mut self.effects, &mut state.effects);
    }
}

/// Whether a value is a card of another player: it lies in a zone of another player, or it lies in a shared zone or nowhere and another
/// player owns it.
fn is_of_others(program: &Program, board: &Board, player: Player, value: Value) -> bool {
    let object = if let Value::Object { id, .. } = value { board.object(id) } else { None };
    object.is_some_and(|object| {
        let zone_owner = if object.place == Place::NOWHERE { None } else { zone_of(program, object.place).1 };
        zone_owner.unwrap_or(object.owner) != player
    })
}

/// The things of other players that a player behind a veil sees.
pub(crate) struct Behind {
    /// The game with the table as it was when the block began.
    pub before: Machine,
    touched: Vec<ObjectId>,
}

impl Behind {
    /// Whether a card of another player looks as it did then. It does unless the player's own branch has done something to it.
    pub(crate) fn is_kept(&self, player: Player, value: Value) -> bool {
        let touched = matches!(value, Value::Object { id, .. } if self.is_touched(id));
        !touched && is_of_others(self.before.program(), &self.before.state().board, player, value)
    }

    /// Whether the player's own branch has done something to the card.
    pub(crate) fn is_touched(&self, id: ObjectId) -> bool {
        self.touched.contains(&id)
    }
}

impl State {
    /// The branch behind a veil in which a player chooses or acts.
    fn veiled_branch(&self, player: Player) -> Option<&Branch> {
        let acts = |branch: &&Branch| match branch.doing {
            Doing::Ask(question) => question.player == player,
            Doing::Ended => false,
            _ => branch.own == Some(player),
        };
        self.control.branches.iter().map(AsRef::as_ref).filter(|branch| branch.veil.is_some()).find(acts)
    }

    /// Whether a player sees which card this is.
    pub(crate) fn sees(&self, program: &Program, player: Player, id: ObjectId) -> bool {
        let veiled = self.veiled_branch(player).filter(|branch| !branch.touched.contains(&id));
        let veil = veiled.filter(|_| is_of_others(program, &self.board, player, Value::Object { id, life: 0 }));
        let Some(veil) = veil.and_then(|branch| branch.veil.as_deref()) else { return self.board.sees(program, player, id) };
        let is_shown = |(before, now): (&Object, &Object)| before.lies_as(now) && now.shown & (1 << player.0) != 0;
        veil.board.sees(program, player, id) || veil.board.object(id).zip(self.board.object(id)).is_some_and(is_shown)
    }
}

impl Machine {
    /// A player chooses or acts behind a veil: the things of other players that this player sees. None if the player is behind no veil.
    pub(crate) fn behind_veil(&self, player: Player) -> Option<Behind> {
        let branch = self.state().veiled_branch(player)?;
        let mut veil = branch.veil.as_deref()?.shown(&self.state().board);
        let (mut before, touched) = (self.clone(), branch.touched.clone());
        veil.turn_table(before.state_mut());
        Some(Behind { before, touched })
    }
}

impl<O: Observer> Run<'_, O> {
    /// `veiled {`.
    pub fn veil(&mut self, branch: &mut Branch) {
        branch.veils = branch.veils.saturating_add(1);
        if branch.veil.is_none() {
            let State { board, effects, .. } = &*self.state;
            branch.veil = Some(Arc::new(Veil { board: board.clone(), effects: effects.clone() }));
        }
    }

    /// The members of a choice behind a veil: the player's own members of the present set, and the members of the earlier set that belong
    /// to others.
    pub fn veiled(&mut self, branch: &mut Branch, player: Player, domain: NodeId, (start, len): (u32, u16)) -> (u32, u16) {
        let Some(veil) = branch.veil.as_deref() else { return (start, len) };
        let mut veil = veil.shown(&self.state.board);
        veil.turn_table(self.state);
        let before = self.list(branch, domain);
        veil.turn_table(self.state);
        let Value::List { start: first, len: count } = before else { return (start, len) };
        let listed = |start: u32, len: u16| listed(&branch.lists, start, len);
        let (program, now) = (self.program, &self.state.board);
        let touched = |value: Value| matches!(value, Value::Object { id, .. } if branch.touched.contains(&id));
        // A card that has come to the player since then is the player's own.
        let is_kept = |member: Value| !touched(member) && is_of_others(program, now, player, member);
        let own = listed(start, len).iter().filter(|member| !is_kept(**member));
        let of_others = listed(first, count).iter().filter(|member| is_kept(**member));
        let of_others = of_others.filter(|member| is_of_others(program, &veil.board, player, **member));
        let members: Vec<Value> = own.chain(of_others).copied().collect();
        let start = branch.lists.len() as u32;
        branch.lists.extend_from_slice(&members);
        (start, members.len() as u16)
    }

    /// A card of another player that was chosen behind a veil and has moved meanwhile counts as chosen. Nothing is done with it.
    pub(crate) fn gone_behind_veil(&self, branch: &mut Branch, player: Player, (start, len): (u32, u16)) {
        let (Some(veil), touched) = (branch.veil.as_deref(), &branch.touched) else { return };
        for member in branch.lists.iter_mut().skip(start as usize).take(usize::from(len)) {
            let of_others = is_of_others(self.program, &self.state.board, player, *member);
            if let Value::Object { id, life } = member
                && let (Some(before), Some(now)) = (veil.board.object(*id), self.state.board.object(*id))
                && before.place != now.place
                && !touched.contains(id)
                && of_others
            {
                *life = GONE;
            }
        }
    }
}
