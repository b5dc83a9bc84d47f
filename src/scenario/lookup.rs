//! Names in a scenario: cards by name or number, zones and phases by name or label, seats by letter.
//!
//! Output: the number in the program, or a diagnostic with the nearest name.

use compile::{Compiler, to_do};
use engine::ids::{CardId, Id, PhaseId, StateId, ZoneId};
use engine::program::Program;
use engine::value::Player;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Expr, ExprKind, Name, Text};
use lang::syntax::normal;
use std::borrow::Cow;
use tell::{player_of, seat};

/// Looks up names in a compiled game.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'a> {
    /// The game with the scenario's own cards.
    pub compiler: &'a Compiler,
    /// The first card that the scenario made up. A made-up card wins over a card of the pool with the same name.
    pub made_up: usize,
}

impl Lookup<'_> {
    fn program(&self) -> &Program {
        self.compiler.program()
    }

    /// A card for play, by its number or printed name.
    ///
    /// # Errors
    /// `E0503` for no card, `E0512` for several of one name, `E0430` for a card whose text is still to do.
    pub(crate) fn card(&self, written: &Text) -> Result<CardId, Diagnostic> {
        self.card_called(&written.text, written.span)
    }

    /// A card for play, by the number or printed name that stands in an expression.
    ///
    /// # Errors
    /// `E0503` for no card, `E0512` for several of one name, `E0430` for a card whose text is still to do.
    pub(crate) fn card_called(&self, written: &str, span: Span) -> Result<CardId, Diagnostic> {
        let card = self.card_listed(written, span)?;
        to_do(self.program(), card).map_or(Ok(card), |finding| Err(finding.at(span)))
    }

    /// A card in a list that is not played. Its text may be still to do.
    ///
    /// # Errors
    /// `E0503` for no card, `E0512` for several of one name.
    pub(crate) fn card_listed(&self, written: &str, span: Span) -> Result<CardId, Diagnostic> {
        let found = self.cards_called(written);
        match found.as_slice() {
            [card] => Ok(*card),
            [] => Err(Diagnostic::error("E0503", span).with("card", written).suggest(written, self.card_words())),
            several => {
                let numbers: Vec<&str> =
                    several.iter().filter_map(|id| self.program().cards.get(*id)).map(|card| card.number.as_str()).collect();
                Err(Diagnostic::error("E0512", span).with("card", written).with("numbers", numbers.join("`, `")))
            }
        }
    }

    /// All cards that a name can mean: one by its number, else all with the name, the scenario's own first.
    #[must_use]
    pub(crate) fn cards_called(&self, written: &str) -> Vec<CardId> {
        let written = fold(written);
        let cards = &self.program().cards;
        if let Some((id, _)) = cards.iter().rev().find(|(_, card)| fold(&card.number) == written) {
            return vec![id];
        }
        let named =
            |id: &CardId| cards.get(*id).and_then(|card| self.program().texts.get(card.name)).is_some_and(|name| fold(name) == written);
        let all: Vec<CardId> = cards.ids().filter(named).collect();
        let own: Vec<CardId> = all.iter().copied().filter(|id| id.index() >= self.made_up).collect();
        if own.is_empty() { all } else { own }
    }

    fn card_words(&self) -> impl Iterator<Item = &str> {
        let names = self.program().cards.rows().iter().filter_map(|card| self.program().texts.get(card.name)).map(String::as_str);
        names.chain(self.program().cards.rows().iter().map(|card| card.number.as_str()))
    }

    /// A seat.
    ///
    /// # Errors
    /// `E0501` for a letter beyond the game's players.
    pub(crate) fn seat(&self, written: &Name) -> Result<Player, Diagnostic> {
        player_of(self.program(), &written.text).ok_or_else(|| no_seat(self.program(), written))
    }

    /// A zone by name or label.
    ///
    /// # Errors
    /// `E0502` for an unknown one.
    pub(crate) fn zone(&self, written: &Name) -> Result<ZoneId, Diagnostic> {
        let zones = &self.compiler.symbols().zones;
        let unknown = || Diagnostic::error("E0502", written.span).with("zone", &written.text).suggest(&written.text, zones.words());
        zones.id(&written.text).ok_or_else(unknown)
    }

    /// A phase by name or label.
    ///
    /// # Errors
    /// `E0504` for an unknown one.
    pub(crate) fn phase(&self, written: &Name) -> Result<PhaseId, Diagnostic> {
        let phases = &self.compiler.symbols().phases;
        let unknown = || Diagnostic::error("E0504", written.span).with("phase", &written.text).suggest(&written.text, phases.words());
        phases.id(&written.text).ok_or_else(unknown)
    }

    /// A state of cards or of players by name or label.
    ///
    /// # Errors
    /// `E0507` for an unknown one, or for one of the other sort.
    pub(crate) fn state(&self, written: &Name, on_players: bool) -> Result<StateId, Diagnostic> {
        let states = &self.compiler.symbols().states;
        let fits = |id: &StateId| self.program().states.get(*id).is_some_and(|state| state.on_players == on_players);
        let unknown = || {
            let of = if on_players { "player" } else { "card" };
            let known = self.program().states.rows().iter().filter(|state| state.on_players == on_players);
            let known: Vec<&str> = known.map(|state| state.name.name.as_str()).collect();
            let finding = Diagnostic::error("E0507", written.span).with("state", &written.text).with("of", of);
            let finding = finding.suggest(&written.text, known.iter().copied());
            if known.is_empty() { finding } else { finding.with("known", known.join("`, `")) }
        };
        states.id(&written.text).filter(fits).ok_or_else(unknown)
    }

    /// A state or pool of a seat, or of the game (`shared`).
    ///
    /// # Errors
    /// `E0507` for an unknown one, `E0513` for one that stands elsewhere.
    pub(crate) fn state_of(&self, written: &Name, seat: &Name, shared: bool) -> Result<StateId, Diagnostic> {
        let states = &self.program().states;
        let of_game = |id: StateId| states.get(id).is_some_and(|state| state.of_game);
        match self.state(written, true) {
            Ok(id) if of_game(id) != shared => {
                Err(Diagnostic::error("E0513", written.span).with("zone", &written.text).with("seat", &seat.text))
            }
            Ok(id) => Ok(id),
            Err(_) => {
                let known = states.rows().iter().filter(|state| state.on_players && state.of_game == shared);
                let known: Vec<&str> = known.map(|state| state.name.name.as_str()).collect();
                let finding = Diagnostic::error("E0507", written.span).with("state", &written.text);
                let finding = finding.with("of", if shared { "game" } else { "player" }).suggest(&written.text, known.iter().copied());
                Err(if known.is_empty() { finding } else { finding.with("known", known.join("`, `")) })
            }
        }
    }

    /// The seat in a card's `controller = a`. None if the name is not `controller`, or if its value can be no seat.
    ///
    /// # Errors
    /// `E0501` for an unknown seat.
    pub(crate) fn controller(&self, written: &Name, value: &Expr) -> Option<Result<Player, Diagnostic>> {
        if written.text != "controller" {
            return None;
        }
        let written = |text: String| self.seat(&Name { text, span: value.span });
        match &value.kind {
            ExprKind::Name(seat) => Some(self.seat(seat)),
            ExprKind::Number(number) => Some(written(number.to_string())),
            ExprKind::Text(text) => Some(written(text.clone())),
            _ => None,
        }
    }
}

/// `E0501` for a word that is no seat.
pub(super) fn no_seat(program: &Program, written: &Name) -> Diagnostic {
    let seats: Vec<String> = (0..program.players).map(|player| seat(Player(player))).collect();
    Diagnostic::error("E0501", written.span).with("seat", &written.text).with("seats", seats.join("`, `"))
}

/// The form in which names are compared: NFKC, as in sources.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    normal(text)
}
