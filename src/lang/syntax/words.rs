//! The closed lists of words: words that begin statements, infix words, prefix words, and words that begin declarations.
//!
//! The grammar has the same list (`reserved` in grammar/core.pest); a test compares them. The documents show these lists, and diagnostics
//! suggest the nearest word from them.

use super::FileKind;

/// The reserved words, which are never names. The three lists have no word in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Words that begin a statement. (`as far as possible` begins one too; its first word is an infix word.)
    pub heads: &'static [&'static str],
    /// Words between or after expressions.
    pub infix: &'static [&'static str],
    /// Words before an expression.
    pub prefix: &'static [&'static str],
}

/// The reserved words. After a dot and as an argument's name they are free.
pub const WORDS: Words = Words {
    heads: &[
        "acting",
        "applies",
        "apply",
        "atomically",
        "attempt",
        "break",
        "choose",
        "declare",
        "during",
        "emit",
        "finally",
        "for",
        "if",
        "interrupt",
        "judge",
        "label",
        "lasting",
        "let",
        "loop",
        "mark",
        "may",
        "offer",
        "perform",
        "put",
        "recheck",
        "repeat",
        "restart",
        "return",
        "simultaneously",
        "stop",
        "veiled",
        "watch",
    ],
    infix: &[
        "and", "as", "because", "blindly", "by", "else", "except", "exists", "from", "has", "in", "is", "mod", "of", "or", "ranked",
        "secretly", "since", "then", "together", "until", "where", "with", "without",
    ],
    prefix: &["all", "any", "can", "false", "happened", "latest", "not", "printed", "some", "the", "true"],
};

/// Words that begin a clause of a continuous effect. Elsewhere they are free as names.
pub const CLAUSE_WORDS: &[&str] = &[
    "assume", "disable", "forbid", "grant", "instead", "modify", "next", "permit", "price", "require", "shield", "strip", "when",
    "whenever", "while",
];

/// Words that begin a declaration in a file of this kind.
#[must_use]
pub fn declaration_words(kind: FileKind) -> &'static [&'static str] {
    match kind {
        FileKind::Rules => &[
            "ability",
            "action",
            "card",
            "cause",
            "choice",
            "deck",
            "duration",
            "enum",
            "event",
            "fact",
            "function",
            "game",
            "given",
            "gyoji",
            "judgement",
            "keyword",
            "layers",
            "match",
            "moment",
            "moves",
            "option",
            "param",
            "phase",
            "player",
            "policy",
            "pool",
            "procedure",
            "reading",
            "role",
            "rule",
            "rules",
            "setup",
            "state",
            "table",
            "timing",
            "turn",
            "use",
            "wording",
            "zone",
        ],
        FileKind::Cards => &["card", "cards", "gyoji"],
        FileKind::Scenarios => &["card", "given", "gyoji", "scenario", "scenarios"],
    }
}

/// Words that begin a step of a scenario.
pub(crate) const STEP_WORDS: &[&str] = &["card", "deck", "expect", "given", "load", "play", "reading"];
