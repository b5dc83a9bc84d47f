//! Who controls a card that has moved: the player whom the move names, or the player of a zone that controls its cards.
//!
//! Effects that give control are in `effects`. The player of a card in play is read by `Eval::controller_of`.

use crate::actions::moves::Moving;
use crate::ids::CitesId;
use crate::run::Run;
use crate::state::Branch;
use crate::state::board::zone_of;
use crate::steps::{Observer, Step};
use crate::value::Player;

impl<O: Observer> Run<'_, O> {
    /// Notes who controls a card that has come: the player whom the move names, else the player of a zone that controls its cards.
    #[inline]
    pub(super) fn note_controller(&mut self, moving: &Moving, renews: bool) {
        let (program, board) = (self.program, &self.state.board);
        let by = moving.under.or_else(|| program.controller_in(moving.to));
        let another = by.is_some() && by != board.object(moving.id).map(|object| object.owner);
        let ends = renews || by.is_some() || program.controller_in(moving.from).is_some();
        if moving.under.is_none() && !another && (board.held.is_empty() || !ends) {
            return;
        }
        // If the move names the controller, effects that give control count only if they began after this move.
        let since = if moving.under.is_some() && self.state.effects.controlling > 0 { self.state.effects.next } else { 0 };
        self.state.board.lay_under(moving.id, by, since);
        self.overseen_anew();
    }

    /// Tells the rules by which the player of a zone controls a card that another player owns. Who owns a card that somebody does not see
    /// stays hidden.
    pub(super) fn tell_controller(&mut self, branch: &Branch, at: u16, moving: &Moving) {
        let (Some(by), None) = (self.program.controller_in(moving.to), moving.under) else { return };
        let cites = self.program.zones.get(zone_of(self.program, moving.to).0).map_or_else(CitesId::default, |zone| zone.control_cites);
        let board = &self.state.board;
        let another = board.object(moving.id).is_some_and(|object| object.owner != by);
        let seen = || (0..self.program.players).all(|seat| board.sees(self.program, Player(seat), moving.id));
        if another && cites != CitesId::default() && seen() {
            self.tell_cited(cites, branch.now(), branch.frames.len(), at, &[], || Step::Statement(None));
        }
    }
}
