//! Finds written values that can stand for nothing: misspelt cards, seats and words in answers.
//!
//! Input: the program, the names that a scenario gives, a written value. Output: a diagnostic with the nearest name. Whether the value can be
//! chosen is decided by the machine. Without this check, `refused a: buy("塩お")` would hold for every slip.

use crate::lookup::{Lookup, fold};
use crate::running::answers;
use engine::program::{NameDef, Program};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{CardDecl, Expr, ExprKind, Given, GivenCard, Name, PlayAnswer, Scenario, Step};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use tell::player_of;

/// The names and words that a scenario brings with it.
#[derive(Default)]
pub(crate) struct Own<'a> {
    /// The numbers and names of the cards that the scenario makes up, folded.
    pub cards: Vec<Cow<'a, str>>,
    /// Names that `as x` gives to cards and to waiting abilities.
    aliases: FxHashSet<&'a str>,
    /// Names, texts and symbols among the values of made-up cards, folded.
    words: FxHashSet<Cow<'a, str>>,
}

impl<'a> Own<'a> {
    /// Collects the names of a scenario. `default` are the cards of `given default`.
    pub(crate) fn of(scenario: &'a Scenario, default: impl Iterator<Item = &'a GivenCard>) -> Self {
        let mut own = Self::default();
        own.aliases.extend(default.filter_map(alias));
        for step in &scenario.steps {
            match step {
                Step::Card(card) => own.made_up(card),
                Step::Given(given) => own.given(given),
                _ => {}
            }
        }
        own
    }

    fn made_up(&mut self, card: &'a CardDecl) {
        self.cards.push(fold(&card.number.text));
        self.cards.extend(card.name.as_ref().map(|name| fold(&name.text)));
        card.values.iter().for_each(|(_, value)| self.words_of(value));
    }

    fn words_of(&mut self, value: &'a Expr) {
        match &value.kind {
            ExprKind::Text(word) => _ = self.words.insert(fold(word)),
            ExprKind::Name(word) => _ = self.words.insert(fold(&word.text)),
            ExprKind::List(members) => members.iter().for_each(|member| self.words_of(member)),
            _ => {}
        }
    }

    fn given(&mut self, given: &'a Given) {
        let cards = given.seats.iter().flat_map(|seat| &seat.zones).flat_map(|(_, cards)| cards);
        self.aliases.extend(cards.filter_map(alias));
        self.aliases.extend(given.waiting.iter().filter_map(|waiting| Some(waiting.alias.as_ref()?.text.as_str())));
    }

    /// Whether the scenario makes up a card with this number or name.
    pub(crate) fn has_card(&self, name: &str) -> bool {
        self.cards.contains(&fold(name))
    }

    /// Whether a card of the scenario is named `as` this.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.aliases.contains(name)
    }

    /// The names given with `as`.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().copied()
    }
}

fn alias(card: &GivenCard) -> Option<&str> {
    card.alias.as_ref().map(|alias| alias.text.as_str())
}

/// The values of an answer: the picks of a decision, or the arguments of an option.
pub(crate) fn of_answer(answer: &PlayAnswer) -> Vec<&Expr> {
    match answer {
        PlayAnswer::Concede => Vec::new(),
        PlayAnswer::Choice(_, picks) => picks.iter().collect(),
        PlayAnswer::Option(_, args) => args.iter().map(|arg| &arg.value).collect(),
    }
}

/// The findings about a written value, and about the arguments of a written way to act.
///
/// `E0503` for a text that names no card and is no other text of the game, `E0588` for an unknown name, `E0595` for a form that no answer
/// has: an expression, a place before the first.
pub(crate) fn unknown(lookup: Lookup<'_>, own: &Own<'_>, value: &Expr, found: &mut Vec<Diagnostic>) {
    match &value.kind {
        ExprKind::Text(text) | ExprKind::Ordinal(text, _) => found.extend(unknown_text(lookup, own, text, value.span)),
        ExprKind::Name(name) => found.extend(unknown_name(lookup, own, name)),
        ExprKind::Call(_, args) => args.iter().for_each(|arg| unknown(lookup, own, &arg.value, found)),
        ExprKind::Number(_) | ExprKind::Negate(_) | ExprKind::Bool(_) => {}
        ExprKind::List(members) if is_place(members) => {}
        _ => found.push(Diagnostic::error("E0595", value.span).with("forms", "[2]")),
    }
    if let ExprKind::Ordinal(_, ..1) = &value.kind {
        found.push(Diagnostic::error("E0595", value.span).with("forms", "[2]"));
    }
}

/// Whether the members of a list are one place, counted from 1.
fn is_place(members: &[Expr]) -> bool {
    matches!(members, [Expr { kind: ExprKind::Number(1..), .. }])
}

/// `E0503` for a text that names no card and is no other text of the game.
pub(crate) fn unknown_text(lookup: Lookup<'_>, own: &Own<'_>, text: &str, span: Span) -> Option<Diagnostic> {
    let written = fold(text);
    let is_own = own.cards.contains(&written) || own.words.contains(&written);
    // The index of cards finds nearly all names. Only other words are compared with every text.
    if is_own || !lookup.compiler.cards_called(text).is_empty() || is_text(lookup.compiler.program(), &written) {
        return None;
    }
    lookup.card_listed(text, span).err()
}

/// `E0588` for a name that neither the scenario nor the game has.
fn unknown_name(lookup: Lookup<'_>, own: &Own<'_>, name: &Name) -> Option<Diagnostic> {
    let program = lookup.compiler.program();
    let (word, written) = (name.text.as_str(), fold(&name.text));
    let is_declared = answers::ANSWERS.contains(&word)
        || own.names(word)
        || player_of(program, word).is_some()
        || declared(program).any(|declared| answers::says(declared, word));
    if is_declared {
        return None;
    }
    let finding = Diagnostic::error("E0588", name.span).with("name", word);
    // A card stands in quotation marks. So do a symbol and a text that are also the name of a card.
    if own.cards.contains(&written) || lookup.card_listed(word, name.span).is_ok() {
        return Some(finding.with("card", word));
    }
    if own.words.contains(&written) || is_text(program, &written) {
        return None;
    }
    let known = own.aliases().chain(declared(program).flat_map(|name| [name.name.as_str(), name.label.as_str()]));
    Some(finding.suggest(word, known.filter(|known| !known.is_empty())))
}

/// Everything with a name that an answer can take: values of enums, kinds of abilities, zones, groups of options.
fn declared(program: &Program) -> impl Iterator<Item = &NameDef> {
    let values = program.enums.rows().iter().flat_map(|of| &of.values);
    let kinds = program.kinds.rows().iter().map(|kind| &kind.name);
    values.chain(kinds).chain(program.zones.rows().iter().map(|zone| &zone.name)).chain(program.groups.rows())
}

/// Whether the game has this text or symbol: a name, a trait, a printed word.
fn is_text(program: &Program, folded: &str) -> bool {
    program.texts.rows().iter().any(|text| fold(text) == folded)
}
