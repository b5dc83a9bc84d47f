//! The ways in which rules are broken on purpose.

use serde::{Deserialize, Serialize};

/// What is done to a place of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A statement, a phrase, a member of a list is not there.
    LeftOut,
    /// A condition is its opposite.
    Negated,
    /// A number is one more.
    OneMore,
    /// A number is one less.
    OneLess,
    /// A bound counts, or no longer counts: `<` and `<=`.
    Bound,
    /// What must be done may be done.
    May,
    /// What may be done must be done.
    Must,
    /// Somebody else chooses.
    Chooser,
    /// Two neighbouring steps come the other way round.
    Swapped,
    /// A trigger, a replacement, a clause, a rule is not there.
    Removed,
    /// The player is the opponent, the opponent the player.
    OtherPlayer,
    /// The other end of an ordered zone.
    OtherEnd,
    /// What is done together, as a whole or later is done one after the other, in parts, at once.
    Unbound,
    /// A printed value is not read.
    Blank,
    /// A policy says another of its words.
    OtherWord,
    /// A block with rules behind its closing brace is not over there: what follows comes into it.
    Open,
    /// A condition holds whatever is the case: what is behind it comes where it should not. `mutants` does not count it; `coverage`
    /// asks for it.
    Always,
}

impl Kind {
    /// All that count, in the order of reports.
    pub const ALL: [Kind; 16] = [
        Kind::LeftOut,
        Kind::Negated,
        Kind::OneMore,
        Kind::OneLess,
        Kind::Bound,
        Kind::May,
        Kind::Must,
        Kind::Chooser,
        Kind::Swapped,
        Kind::Removed,
        Kind::OtherPlayer,
        Kind::OtherEnd,
        Kind::Unbound,
        Kind::Blank,
        Kind::OtherWord,
        Kind::Open,
    ];

    /// The word in reports and marks.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::LeftOut => "left_out",
            Kind::Negated => "negated",
            Kind::OneMore => "one_more",
            Kind::OneLess => "one_less",
            Kind::Bound => "bound",
            Kind::May => "may",
            Kind::Must => "must",
            Kind::Chooser => "chooser",
            Kind::Swapped => "swapped",
            Kind::Removed => "removed",
            Kind::OtherPlayer => "other_player",
            Kind::OtherEnd => "other_end",
            Kind::Unbound => "unbound",
            Kind::Blank => "blank",
            Kind::OtherWord => "other_word",
            Kind::Open => "open",
            Kind::Always => "always",
        }
    }

    /// The kind of a word.
    #[must_use]
    pub fn named(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}
