//! Changes that are prepared and wait for those of other branches.

use crate::engine::ids::{CardId, ClauseId, DurationId, Reg, StateId};
use crate::engine::program::FaceWord;
use crate::engine::value::{Place, Player, Value};
use serde::{Deserialize, Serialize};

/// A change that is prepared: its arguments are known, its prohibitions and replacements decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    /// The top card of a place moves.
    MoveTop {
        /// From.
        from: Place,
        /// To.
        to: Place,
        /// Which way it lies then.
        face: FaceChange,
        /// Where the moved object goes.
        result: Reg,
    },
    /// A card moves.
    MoveCard {
        /// The card, in the life that is meant.
        card: Value,
        /// To.
        to: Place,
        /// Which way it lies then.
        face: FaceChange,
        /// At the bottom.
        bottom: bool,
        /// In which place of the zone.
        slot: u8,
        /// Under whom it lies there, where that is said.
        under: Option<Player>,
        /// Where the moved object goes.
        result: Reg,
    },
    /// Cards of a list of the branch move.
    Move {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// To.
        to: Place,
        /// Which way they lie then.
        face: FaceChange,
        /// At the bottom.
        bottom: bool,
        /// In which place of the zone.
        slot: u8,
        /// They are the top ones of this place: where others of its batch have taken some, the next ones move.
        #[serde(default)]
        top_of: Option<Place>,
        /// Under whom they lie there, where that is said.
        under: Option<Player>,
        /// Where the moved objects go.
        result: Reg,
    },
    /// Cards are attached to a card, or (undefined) to nothing.
    Attach {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// To which.
        host: Value,
    },
    /// An object is made.
    Make {
        /// Which card it is.
        card: CardId,
        /// Whose.
        owner: Player,
        /// Where.
        to: Place,
        /// In which place of the zone.
        slot: u8,
        /// Which way it lies.
        face: FaceChange,
        /// What it stands for.
        original: Value,
        /// The card in the game that it is a copy of, with what that copy has otherwise.
        from: Value,
        /// Where the made object goes.
        result: Reg,
    },
    /// Cards become copies of a card, or (none) themselves again; `from`: of a card in the game, with what that copy has otherwise.
    Become {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// Of which.
        card: Option<CardId>,
        /// The card in the game that was copied.
        from: Value,
    },
    /// Somebody decides for a player from now on.
    Control {
        /// The player.
        player: Player,
        /// Who.
        by: Player,
    },
    /// Cards are turned.
    Turn {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// Up.
        up: bool,
    },
    /// A place is put into random order.
    Shuffle(Place),
    /// A state is set.
    SetState {
        /// The card or player.
        subject: Value,
        /// Which.
        state: StateId,
        /// To.
        value: Value,
        /// The number that it was reckoned from, where it is changed by an amount: others in the batch may change it too.
        since: Option<i32>,
    },
    /// A continuous effect begins.
    Install(ClauseId, DurationId),
    /// Cards are put on top of an ordered place in this order, first on top.
    Order {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// The place.
        place: Place,
    },
    /// Cards are shown.
    Show {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// To which players, a bit each.
        to: u8,
        /// The verb: `reveal`, or `look` by one player.
        by: Option<Player>,
        /// How long; else as long as what shows them goes on.
        until: Option<Until>,
    },
    /// Effects end.
    Expire(DurationId),
    /// A duration begins or is over.
    Open(DurationId, bool),
}

/// How long cards are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Until {
    /// Until a duration ends.
    Ends(DurationId),
    /// While the ability with this number waits, and is performed.
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
