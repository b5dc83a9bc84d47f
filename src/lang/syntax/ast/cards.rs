//! Cards: printed values, printed text, and the effect script that a text becomes.

use super::{Block, Cite, Clause, DeckLimit, Expr, Name, Pattern, Text};
use crate::diagnostic::Span;

/// `card "A-001" unit "石" { colour 赤 … text 「…」 }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardDecl {
    /// The card's number: its identity in decks and answers.
    pub number: Text,
    /// The card types as printed; empty for a card with `like`.
    pub of: Vec<Name>,
    /// `like "石"`: every value that is not given is taken from that card (scenarios only).
    pub like: Option<Text>,
    /// The printed name; the number if none is given (scenarios only).
    pub name: Option<Text>,
    /// `colour 赤`, `kinds [風, 土]`.
    pub values: Vec<(Name, Expr)>,
    /// `text 「…」`: one for each printed paragraph. Each line of a paragraph is one ability.
    pub texts: Vec<Text>,
    /// The texts as first printed, if an erratum has replaced them; else empty.
    pub printed: Vec<Text>,
    /// `printing "A-001b" { set "再録" released 2025-01-01 }`: the numbers, sets and days of its printings.
    pub printings: Vec<Printing>,
    /// `errata 2025-01-01 「…」 because "…"`, in the order of the file.
    pub errata: Vec<Errata>,
    /// `text 「…」 todo "reason"`: why texts are not compiled yet. A card with one of these has none of its texts compiled.
    pub todos: Vec<Text>,
    /// `unsaid 「…」 because "…"`: printed words for which nothing stands in the script, each with the reason.
    pub unsaid: Vec<(Text, Text)>,
    /// `story 「…」`: printed in the text box, without effect.
    pub story: Option<Text>,
    /// `script { … }`.
    pub script: Option<Vec<Ability>>,
    /// Where the card stands.
    pub span: Span,
}

impl CardDecl {
    /// A card with nothing but its number.
    #[must_use]
    pub fn new(number: Text, span: Span) -> Self {
        Self {
            number,
            of: Vec::new(),
            like: None,
            name: None,
            values: Vec::new(),
            texts: Vec::new(),
            printed: Vec::new(),
            printings: Vec::new(),
            errata: Vec::new(),
            todos: Vec::new(),
            unsaid: Vec::new(),
            story: None,
            script: None,
            span,
        }
    }
}

/// A day: year, month, day of the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(u16, u8, u8);

impl std::str::FromStr for Date {
    type Err = ();

    /// `2025-01-31`. A day that no calendar has is an error.
    fn from_str(text: &str) -> Result<Self, ()> {
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts.as_slice() else { return Err(()) };
        let plain = |part: &str, len: usize| part.len() == len && part.bytes().all(|byte| byte.is_ascii_digit());
        if !plain(year, 4) || !plain(month, 2) || !plain(day, 2) {
            return Err(());
        }
        let (year, month, day): (u16, u8, u8) = (year.parse().map_err(drop)?, month.parse().map_err(drop)?, day.parse().map_err(drop)?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            _ => 0,
        };
        if (1..=days).contains(&day) { Ok(Self(year, month, day)) } else { Err(()) }
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0, self.1, self.2)
    }
}

/// `printing "A-001b" { set "再録" released 2025-01-01 }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printing {
    /// The number on this printing.
    pub number: Text,
    /// The set that the printing belongs to.
    pub set: Option<Text>,
    /// The first day on which it may be played.
    pub released: Option<Date>,
}

/// `errata 2025-01-01 「…」 because "…"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errata {
    /// The first day on which the card has this text.
    pub on: Date,
    /// The new text. Several errata of one day are several lines.
    pub text: Text,
    /// The announced reason.
    pub because: Option<Text>,
}

impl CardDecl {
    /// The card as it reads on a day: with the newest erratum in force by that day, else as printed. Without a day, every erratum is in
    /// force. A script beside the text belongs to the newest text, so earlier days leave the script out.
    #[must_use]
    pub fn as_of(mut self, day: Option<Date>) -> Self {
        let original = if self.printed.is_empty() { std::mem::take(&mut self.texts) } else { std::mem::take(&mut self.printed) };
        let newest = self.errata.iter().map(|errata| errata.on).max();
        let in_force = self.errata.iter().map(|errata| errata.on).filter(|on| day.is_none_or(|day| *on <= day)).max();
        if in_force != newest && !original.is_empty() {
            self.script = None;
        }
        match in_force {
            None => self.texts = original,
            Some(on) => {
                self.texts = self.errata.iter().filter(|errata| errata.on == on).map(|errata| errata.text.clone()).collect();
                self.printed = original;
            }
        }
        self
    }

    /// The first day on which the card may be played: the day of its earliest printing. None (always) if a printing has no day, or if there
    /// is no printing.
    #[must_use]
    pub fn released(&self) -> Option<Date> {
        if self.printings.iter().any(|printing| printing.released.is_none()) {
            return None;
        }
        self.printings.iter().filter_map(|printing| printing.released).min()
    }
}

/// An ability in a script: a kind, slots and a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    /// The rules cited beside it.
    pub cites: Vec<Cite>,
    /// The kind of ability.
    pub kind: AbilityBody,
    /// Filled slots: `on_show(limit: 2) { … }`, `static(zones: [hand]) { … }`.
    pub slots: Vec<super::Arg>,
    /// Where the ability stands.
    pub span: Span,
}

/// The forms of ability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbilityBody {
    /// `on_show { … }`: an ability of a declared kind. The flow performs it.
    Kind(Name, Block),
    /// `static while C { clauses }`.
    Static(Option<Expr>, Vec<Clause>),
    /// `when EVENT { … }`: automatic.
    When(Pattern, Block),
    /// `instead of EVENT { … }`.
    Instead(Pattern, Block),
    /// `whenever C becomes true { … }`: automatic.
    Whenever(Expr, Block),
    /// `keyword swift`: all abilities of a declared keyword.
    Keyword(Name),
    /// `deck { copies by number <= 6 }`: changes the deck check.
    Deck(Vec<DeckLimit>),
    /// `$a`: a hole of a template.
    Hole(Name),
}
