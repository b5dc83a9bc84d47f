//! The kinds of breaks.

use serde::{Deserialize, Serialize};

/// The kind of a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A statement, a phrase, or a member of a list is missing.
    LeftOut,
    /// A condition is negated.
    Negated,
    /// A number is one more.
    OneMore,
    /// A number is one less.
    OneLess,
    /// A bound is included or excluded: `<` and `<=`.
    Bound,
    /// Something that must be done may be done.
    May,
    /// Something that may be done must be done.
    Must,
    /// Another player chooses.
    Chooser,
    /// Two neighbouring steps are exchanged.
    Swapped,
    /// A trigger, a replacement, a clause or a rule is missing.
    Removed,
    /// A player becomes the opponent, and the opponent the player.
    OtherPlayer,
    /// The other end of an ordered zone is used.
    OtherEnd,
    /// Things done together, as a whole or later are done one after the other, in parts, or at once.
    Unbound,
    /// A printed value is not read.
    Blank,
    /// A policy has another of its words.
    OtherWord,
    /// A block with rules after its closing brace does not end there: the next statement moves into it.
    Open,
    /// A condition is always true, so its block is also carried out when it should not be. `mutants` does not count this kind; `coverage`
    /// asks for it.
    Always,
}

impl Kind {
    /// All kinds that count, in the order of reports.
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

    /// The kind with this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}
