//! Prepared changes of the board or the effects. In a lockstep they wait for the changes of the other branches.

use crate::ids::{CardId, ClauseId, DurationId, Reg, StateId};
use crate::program::FaceWord;
use crate::value::{Place, Player, Value};
use serde::{Deserialize, Serialize};

/// A prepared change: its arguments are known, and its prohibitions and replacements are decided. Lists are given as a range (`start`,
/// `len`) in the arena of the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Change {
    /// The top card of a place moves to another place.
    MoveTop {
        /// The place that the card leaves.
        from: Place,
        /// The place where the card goes.
        to: Place,
        /// Which way the card lies after the move.
        face: FaceChange,
        /// The register for the moved object.
        result: Reg,
    },
    /// One card moves.
    MoveCard {
        /// The card, in one of its lives.
        card: Value,
        /// The place where the card goes.
        to: Place,
        /// Which way the card lies after the move.
        face: FaceChange,
        /// Whether the card goes to the bottom.
        bottom: bool,
        /// The card's place within the zone, if the zone has places.
        slot: u8,
        /// The player under whose control it begins there, if the statement says it.
        under: Option<Player>,
        /// The register for the moved object.
        result: Reg,
    },
    /// The cards of a list move.
    Move {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// The place where the cards go.
        to: Place,
        /// Which way the cards lie after the move.
        face: FaceChange,
        /// Whether the cards go to the bottom.
        bottom: bool,
        /// The cards' place within the zone, if the zone has places.
        slot: u8,
        /// The cards are the top cards of this place. If other changes of the batch have taken some of them, the next cards move.
        #[serde(default)]
        top_of: Option<Place>,
        /// The player under whose control they begin there, if the statement says it.
        under: Option<Player>,
        /// The register for the moved objects.
        result: Reg,
    },
    /// The cards of a list are attached to a card, or to nothing (undefined).
    Attach {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// The card to which they are attached.
        host: Value,
    },
    /// An object is made.
    Make {
        /// The card of the pool that it is.
        card: CardId,
        /// The card's owner.
        owner: Player,
        /// The place where the card is made.
        to: Place,
        /// The card's place within the zone, if the zone has places.
        slot: u8,
        /// Which way the card lies.
        face: FaceChange,
        /// The value that the card stands for.
        original: Value,
        /// The card in the game of which it is a copy. The exceptions of that card's copying are copied too.
        from: Value,
        /// The register for the made object.
        result: Reg,
    },
    /// The cards of a list become copies of a card, or themselves again (`None`).
    Become {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// The card of the pool that they become.
        card: Option<CardId>,
        /// The card in the game that is copied. The exceptions of that card's copying are copied too.
        from: Value,
    },
    /// From now on a player decides for another player.
    Control {
        /// The player for whom is decided.
        player: Player,
        /// The player who decides.
        by: Player,
    },
    /// The cards of a list are turned.
    Turn {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// Whether the cards are turned face up.
        up: bool,
    },
    /// The cards of a place are shuffled.
    Shuffle(Place),
    /// A state of a card or player is set.
    SetState {
        /// The card or player.
        subject: Value,
        /// The state.
        state: StateId,
        /// The new value.
        value: Value,
        /// For a change by an amount: the number before the change. Other changes of the batch add to it.
        since: Option<i32>,
        /// Whether the amount is spent: it is taken only if it is there after the changes of the batch that come before.
        #[serde(default)]
        spends: bool,
    },
    /// A continuous effect begins.
    Install(ClauseId, DurationId),
    /// The cards of a list are put on top of an ordered place in this order, the first one on top.
    Order {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// The place.
        place: Place,
    },
    /// The cards of a list are shown.
    Show {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// The players to whom they are shown, one bit each.
        to: u8,
        /// The player who looks (`look`); `None` for `reveal`.
        by: Option<Player>,
        /// How long the cards are shown. `None`: as long as the ability or action that shows them runs.
        until: Option<Until>,
    },
    /// The effects of a duration end.
    Expire(DurationId),
    /// A duration begins (`true`) or ends.
    Open(DurationId, bool),
}

/// How long cards are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Until {
    /// Until a duration ends.
    Ends(DurationId),
    /// As long as the ability with this number waits and is performed.
    Waits(u32),
}

/// Which way a card lies after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum FaceChange {
    #[default]
    AsZone,
    Up,
    Down,
}

impl From<FaceWord> for FaceChange {
    fn from(word: FaceWord) -> Self {
        match word {
            FaceWord::AsZone => FaceChange::AsZone,
            FaceWord::Up => FaceChange::Up,
            FaceWord::Down => FaceChange::Down,
        }
    }
}
