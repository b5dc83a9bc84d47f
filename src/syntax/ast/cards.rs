//! Cards: printed values, printed text, and the effect script that a text becomes.

use super::{Block, Cite, Clause, DeckLimit, Expr, Name, Pattern, Text};
use crate::diagnostic::Span;

/// `card "A-001" unit "石" { colour 赤 … text 「…」 }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardDecl {
    /// The card's number: its identity in decks and answers.
    pub number: Text,
    /// The card type; none for `like`.
    pub of: Option<Name>,
    /// `like "石"`: every value not given is that card's (scenarios).
    pub like: Option<Text>,
    /// The printed name; the number when not given (scenarios).
    pub name: Option<Text>,
    /// `colour 赤`, `kinds [風, 土]`.
    pub values: Vec<(Name, Expr)>,
    /// `text 「…」`: one for each printed paragraph; one line of it is one ability.
    pub texts: Vec<Text>,
    /// `text 「…」 todo "reason"`: why texts are not read yet. With one of them none of the card's texts is read.
    pub todos: Vec<Text>,
    /// `story 「…」`: printed in the text box, no effect.
    pub story: Option<Text>,
    /// `script { … }`.
    pub script: Option<Vec<Ability>>,
    /// Where it stands.
    pub span: Span,
}

/// An ability in a script: a kind, slots and a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ability {
    /// The rules beside it.
    pub cites: Vec<Cite>,
    /// What it is.
    pub kind: AbilityBody,
    /// Filled slots: `on_show(limit: 2) { … }`, `static(zones: [hand]) { … }`.
    pub slots: Vec<super::Arg>,
    /// Where it stands.
    pub span: Span,
}

/// The forms of ability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbilityBody {
    /// `on_show { … }`: of a declared kind, performed by the flow.
    Kind(Name, Block),
    /// `static while C { clauses }`.
    Static(Option<Expr>, Vec<Clause>),
    /// `when EVENT { … }`: automatic.
    When(Pattern, Block),
    /// `instead of EVENT { … }`.
    Instead(Pattern, Block),
    /// `whenever C becomes true { … }`: automatic.
    Whenever(Expr, Block),
    /// `keyword swift`: every ability of a declared keyword.
    Keyword(Name),
    /// `deck { copies by number <= 6 }`: changes the deck check.
    Deck(Vec<DeckLimit>),
    /// `$a`: what fills a template's hole.
    Hole(Name),
}
