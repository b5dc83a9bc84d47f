//! A written answer as positions in a decision's domain.
//!
//! A card's name stands for any one card of that name, a name for a card that the scenario has named, a seat, a value of an enum
//! or a symbol, a number for a number (in a blind choice for a place, from 1), `yes` and `no` for themselves, `none` for nothing.
//! Deliberately absent: whether the answer is legal; the machine says that.

use super::lookup::fold;
use super::setup::Aliases;
use super::words;
use crate::engine::ids::{CardId, ChoiceId};
use crate::engine::machine::Asked;
use crate::engine::program::{NameDef, Program};
use crate::engine::state::State;
use crate::engine::value::{ObjectId, Value};
use crate::syntax::ast::{Expr, ExprKind, PlayAnswer};

/// Which of the written things stands for nothing in the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotThere(pub usize);

/// What answers are read by.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// Names of cards and values.
    pub program: &'a Program,
    /// The cards in the game.
    pub state: &'a State,
    /// The scenario's names.
    pub aliases: &'a Aliases,
}

/// What is answered in an answer of the form `name a, b`; none for a concession or an option with arguments.
#[must_use]
pub fn choice_of(answer: &PlayAnswer) -> Option<(&str, &[Expr])> {
    match answer {
        PlayAnswer::Concede => None,
        PlayAnswer::Choice(name, picks) => Some((&name.text, picks)),
        PlayAnswer::Option(name, args) if args.is_empty() => Some((&name.text, &[])),
        PlayAnswer::Option(..) => None,
    }
}

/// Whether a decision is called so, by its name or its printed label. An answer without a name fits every decision.
#[must_use]
pub fn is_called(program: &Program, asked: &Asked<'_>, name: &str) -> bool {
    if asked.choice == ChoiceId::REPLACEMENT {
        return name.is_empty() || name == "replacement";
    }
    name.is_empty() || program.choices.get(asked.choice).is_some_and(|choice| says(&choice.name, name))
}

/// Whether a word is a declared name or its printed label.
#[must_use]
pub fn says(name: &NameDef, word: &str) -> bool {
    name.name == word || !name.label.is_empty() && fold(&name.label) == fold(word)
}

impl Reader<'_> {
    /// The positions that are meant; each is used once, the first unused one of several alike.
    ///
    /// # Errors
    /// The first of the written things that is not in the domain.
    pub fn positions(&self, domain: &[Value], blind: bool, picks: &[Expr]) -> Result<Vec<u16>, NotThere> {
        if self.is_none(domain, picks) {
            return Ok(Vec::new());
        }
        let mut taken: Vec<u16> = Vec::with_capacity(picks.len());
        for (at, pick) in picks.iter().enumerate() {
            let place = self.place(blind, pick);
            let fits = |position: &u16| match place {
                Some(place) => *position == place,
                None => domain.get(usize::from(*position)).is_some_and(|value| self.means(pick, *value)),
            };
            let free = (0..domain.len() as u16).filter(|position| !taken.contains(position)).find(fits);
            taken.push(free.ok_or(NotThere(at))?);
        }
        Ok(taken)
    }

    fn is_none(&self, domain: &[Value], picks: &[Expr]) -> bool {
        let [only] = picks else { return picks.is_empty() };
        matches!(&only.kind, ExprKind::Name(name) if name.text == "none") && !domain.iter().any(|value| self.means(only, *value))
    }

    fn place(&self, blind: bool, pick: &Expr) -> Option<u16> {
        match &pick.kind {
            // A number that is no place finds nothing.
            ExprKind::Number(number) if blind => Some(u16::try_from(number - 1).unwrap_or(u16::MAX)),
            _ => None,
        }
    }

    /// Whether a written thing stands for a value.
    fn means(&self, pick: &Expr, value: Value) -> bool {
        match &pick.kind {
            ExprKind::Number(number) => value == Value::Number(*number),
            ExprKind::Negate(inner) => matches!(&inner.kind, ExprKind::Number(number) if value == Value::Number(-*number)),
            ExprKind::Bool(truth) => value == Value::Bool(*truth),
            ExprKind::Text(text) => self.is_text(text, value),
            ExprKind::Name(name) => self.is_name(&name.text, value),
            _ => false,
        }
    }

    fn is_text(&self, text: &str, value: Value) -> bool {
        let said = |id| self.program.texts.get(id).is_some_and(|known| fold(known) == fold(text));
        match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => self.is_object_called(id, text),
            Value::Card(card) => self.is_card_called(card, text),
            Value::Text(id) | Value::Symbol(id) => said(id),
            Value::Pending(number) => {
                let pending = self.state.events.pending.iter().find(|pending| pending.number == number);
                pending.is_some_and(|pending| self.is_text(text, pending.source))
            }
            Value::Enum(..) => self.is_name(text, value),
            _ => false,
        }
    }

    fn is_object_called(&self, id: ObjectId, text: &str) -> bool {
        self.state.board.object(id).is_some_and(|object| self.is_card_called(object.card, text))
    }

    fn is_card_called(&self, card: CardId, text: &str) -> bool {
        let Some(card) = self.program.cards.get(card) else { return false };
        let name = self.program.texts.get(card.name).map(|name| fold(name));
        fold(&card.number) == fold(text) || name == Some(fold(text))
    }

    fn is_name(&self, word: &str, value: Value) -> bool {
        match value {
            Value::Bool(truth) => word == if truth { "yes" } else { "no" },
            Value::Player(player) => words::seat(player) == word,
            Value::Enum(of, value) => {
                let name = self.program.enums.get(of).and_then(|of| of.values.get(usize::from(value)));
                name.is_some_and(|name| says(name, word))
            }
            Value::Symbol(id) | Value::Text(id) => self.program.texts.get(id).is_some_and(|known| fold(known) == fold(word)),
            Value::Object { id, .. } => self.aliases.iter().any(|(alias, object)| alias == word && *object == id),
            Value::Ability { of, ability, .. } => {
                let alias = self.aliases.iter().any(|(alias, object)| alias == word && *object == of);
                let kind = self.program.abilities.get(ability).and_then(|ability| self.program.kinds.get(ability.kind));
                alias || kind.is_some_and(|kind| says(&kind.name, word))
            }
            Value::Pending(number) => {
                let pending = self.state.events.pending.iter().find(|pending| pending.number == number);
                pending.is_some_and(|pending| self.is_name(word, pending.source))
            }
            Value::Zone(place) => {
                let (zone, _) = crate::engine::board::zone_of(self.program, place);
                self.program.zones.get(zone).is_some_and(|zone| says(&zone.name, word))
            }
            Value::Undefined | Value::Number(_) | Value::List { .. } | Value::Card(_) => false,
        }
    }
}

/// An answer as it is written.
#[must_use]
pub fn written(picks: &[Expr]) -> String {
    if picks.is_empty() {
        return "none".to_owned();
    }
    let one = |pick: &Expr| match &pick.kind {
        ExprKind::Text(text) => text.clone(),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Bool(truth) => truth.to_string(),
        _ => "…".to_owned(),
    };
    picks.iter().map(one).collect::<Vec<_>>().join(", ")
}
