//! Access to the head of a declaration.

use super::{DeclKind, EventDecl, Head, KindDecl, MatchDecl, OptionDecl, Reading, Routine, Rule, Timing};

/// The head of a declaration, borrowed shared or mutable as `$kind` says. None for declarations without a head.
macro_rules! head_of {
    ($kind:expr) => {
        match $kind {
            DeclKind::Game(head, _)
            | DeclKind::Param(head, _)
            | DeclKind::Enum(head, _)
            | DeclKind::Function { head, .. }
            | DeclKind::Zone(head, _)
            | DeclKind::Pool(head, _)
            | DeclKind::CardType(head, _)
            | DeclKind::State { head, .. }
            | DeclKind::Deck(head, _)
            | DeclKind::Moment(head)
            | DeclKind::Cause(head)
            | DeclKind::Event(EventDecl { head, .. })
            | DeclKind::Duration(head, _)
            | DeclKind::Choice(head, _)
            | DeclKind::Rules(head, _)
            | DeclKind::Setup(head, _)
            | DeclKind::Turn(head, _)
            | DeclKind::Keyword(head, _)
            | DeclKind::Policy(head, _)
            | DeclKind::Layers(head, _)
            | DeclKind::Moves(head, _)
            | DeclKind::Role(head, _)
            | DeclKind::Reading(Reading { head, .. })
            | DeclKind::Action(Routine { head, .. })
            | DeclKind::Procedure(Routine { head, .. })
            | DeclKind::Judgement(Routine { head, .. })
            | DeclKind::Option(OptionDecl { head, .. })
            | DeclKind::Timing(Timing { head, .. })
            | DeclKind::Rule(Rule { head, .. })
            | DeclKind::AbilityKind(KindDecl { head, .. })
            | DeclKind::Match(MatchDecl { head, .. }) => Some(head),
            DeclKind::Use(..) | DeclKind::Wording(_) | DeclKind::GivenDefault(_) | DeclKind::Table(_) | DeclKind::Player(_) => None,
        }
    };
}

impl DeclKind {
    /// The head; none for a declaration without one.
    #[must_use]
    pub fn head(&self) -> Option<&Head> {
        head_of!(self)
    }

    /// The head, for changing it.
    pub fn head_mut(&mut self) -> Option<&mut Head> {
        head_of!(self)
    }
}
