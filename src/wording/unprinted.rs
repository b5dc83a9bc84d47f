//! Warns of names and values in the scripts of cards that no card of the game has. Most of them are misprints.
//!
//! Only the field `name` and fields that hold texts or symbols are checked, because their values come from the cards. (Values of an enum
//! are declared in the rules.) A text or symbol is checked if the script compares it with one of these fields, directly or through a
//! function.

use indexmap::IndexMap;
use lang::diagnostic::{Diagnostic, Span, nearest};
use lang::syntax::ast::{
    Ability, Arg, BinaryOp, CardDecl, Change, Clause, ClauseKind, Decl, DeclKind, Expr, ExprKind, Head, Name, Param, TypeName,
};
use lang::syntax::normal;
use lang::syntax::visit::{EachExpr, Visitor, walk_change, walk_clause, walk_decl, walk_expr};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use strsim::damerau_levenshtein;

/// How often all functions are walked. A function may pass its parameter on to another function; each walk follows one more of these calls.
const PASSES: usize = 4;

/// How a text is compared with a value: the text equals the value, or the text is a part of the value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Is,
    Contains,
}

/// Warnings `E0452`: texts in the abilities of cards that are compared with names or values of cards, although no card has them. Also
/// `words` that are asked for (symbols in rules, names beside cards), although no card has them and nothing gives them to a card. One of the
/// `keywords` may be meant.
#[must_use]
pub fn unprinted<'c>(
    decls: &[Arc<Decl>],
    cards: impl Iterator<Item = (&'c CardDecl, &'c [Ability])>,
    (words, keywords): (&[Name], &[&str]),
) -> Vec<Diagnostic> {
    let mut pool = Pool::of_rules(decls);
    let mut printed = Printed::default();
    for (card, abilities) in cards {
        printed.note(card);
        pool.add(card, abilities);
    }
    pool.take_given();
    let Pool { compared, known } = &pool;
    let of_cards = compared.found.iter().filter(|(text, _, how)| !has(known, text, *how));
    let of_cards = of_cards.map(|(text, span, _)| unknown(text, *span).suggest(text, known.iter().map(String::as_str)));
    let of_program = words.iter().filter(|word| !has(known, &normal(&word.text), How::Is));
    let meant = || keywords.iter().copied().chain(known.iter().map(String::as_str));
    let named =
        |text: &str| compared.found.iter().any(|(found, ..)| found == text) || words.iter().any(|name| *normal(&name.text) == *text);
    let misprinted = printed.misprints(&|text| named(text) || compared.declared.contains(text));
    let of_program = of_program.map(|word| unknown(&word.text, word.span).suggest(&word.text, meant()));
    once(of_cards.chain(of_program).chain(misprinted).collect())
}

fn unknown(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error("E0452", span).with("value", text).warning()
}

/// Whether one of the known names and values is meant by a text. The empty text means a card without a name or a value.
fn has(known: &FxHashSet<String>, text: &str, how: How) -> bool {
    text.is_empty() || known.contains(text) || how == How::Contains && known.iter().any(|known| known.contains(text))
}

/// The findings, one for each place. A word may be compared by its form and by its meaning, and an ability may be compiled for several cards.
fn once(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = FxHashSet::default();
    found.retain(|finding| seen.insert((finding.code, finding.span.map(|span| (span.file, span.start)))));
    found
}

/// The names and values that a game's rules and cards have, and what its cards are compared with.
#[derive(Clone)]
pub struct Pool<'d> {
    compared: Compared<'d>,
    /// The names and values, in one form.
    known: FxHashSet<String>,
}

impl<'d> Pool<'d> {
    /// The pool of a game. A text that a function of the rules says is known too.
    #[must_use]
    pub fn new<'c>(decls: &'d [Arc<Decl>], cards: impl Iterator<Item = (&'c CardDecl, &'c [Ability])>) -> Self {
        let mut pool = Self::of_rules(decls);
        for decl in decls {
            if let DeclKind::Function { body, .. } = &decl.kind {
                pool.compared.given.expr(body);
            }
        }
        cards.for_each(|(card, abilities)| pool.add(card, abilities));
        pool.take_given();
        pool.compared.forget();
        pool
    }

    /// `E0452` for what further cards are compared with, if neither the pool nor these cards have it. The pool stays as it was. `words`: names
    /// beside cards in the scripts of these cards.
    pub fn unprinted_on(&mut self, cards: &[(&CardDecl, Vec<Ability>)], words: &[&Name]) -> Vec<Diagnostic> {
        let mut own = Pool { compared: std::mem::take(&mut self.compared), known: FxHashSet::default() };
        cards.iter().for_each(|(card, abilities)| own.add(card, abilities));
        own.take_given();
        let is_known = |text: &str, how: How| has(&own.known, text, how) || has(&self.known, text, how);
        let missing = own.compared.found.iter().filter(|(text, _, how)| !is_known(text, *how));
        let words = words.iter().filter(|word| !is_known(&normal(&word.text), How::Is)).map(|word| (&word.text, word.span));
        let missing = missing.map(|(text, span, _)| (text, *span)).chain(words);
        let known = || self.known.iter().chain(&own.known).map(String::as_str);
        let found = once(missing.map(|(text, span)| unknown(text, span).suggest(text, known())).collect());
        self.compared = own.compared;
        self.compared.forget();
        found
    }

    fn of_rules(decls: &'d [Arc<Decl>]) -> Self {
        let mut compared = Compared::of(decls);
        compared.given_by_rules(decls);
        Self { compared, known: FxHashSet::default() }
    }

    fn add(&mut self, card: &CardDecl, abilities: &[Ability]) {
        self.known.extend(card.name.iter().chain([&card.number]).map(|text| normal(&text.text).into_owned()));
        let mut values = Texts::default();
        card.values.iter().for_each(|(_, value)| values.expr(value));
        self.known.extend(values.found);
        abilities.iter().for_each(|ability| self.compared.ability_of_card(ability));
    }

    /// What changes give to cards is known.
    fn take_given(&mut self) {
        self.known.extend(std::mem::take(&mut self.compared.given).found);
    }
}

/// The values of sets (traits, tribes) that cards print: for each field and value, the first place and on how many cards it stands.
#[derive(Default)]
struct Printed {
    values: IndexMap<(String, String), (Span, usize)>,
}

/// Values with fewer signs are too often near to one another: 火, 水.
const SHORTEST: usize = 3;

impl Printed {
    fn note(&mut self, card: &CardDecl) {
        for (field, value) in &card.values {
            let ExprKind::List(members) = &value.kind else { continue };
            for member in members {
                let ExprKind::Name(Name { text, .. }) = &member.kind else { continue };
                let entry = self.values.entry((field.text.clone(), normal(text).into_owned()));
                entry.or_insert((member.span, 0)).1 += 1;
            }
        }
    }

    /// `E0371` for a value of one card alone that is nearly a value of several cards and that nothing else names.
    fn misprints(&self, named: &dyn Fn(&str) -> bool) -> Vec<Diagnostic> {
        let alone = self.values.iter().filter(|((_, text), (_, cards))| *cards == 1 && text.chars().count() >= SHORTEST && !named(text));
        let found = alone.filter_map(|((field, text), (span, _))| {
            let several =
                self.values.iter().filter(|((of, _), (_, cards))| of == field && *cards > 1).map(|((_, value), _)| value.as_str());
            // Two long values may differ in several signs and be two values.
            let near = nearest(text, several).filter(|near| damerau_levenshtein(near, text) == 1)?;
            Some(Diagnostic::error("E0371", *span).with("value", text).with("nearest", near).warning())
        });
        found.collect()
    }
}

/// Whether an ability says a text in quotation marks.
#[must_use]
pub fn quotes(ability: &Ability) -> bool {
    let mut quoted = false;
    EachExpr(|expr: &Expr| quoted |= matches!(expr.kind, ExprKind::Text(_))).ability(ability);
    quoted
}

/// All texts and symbols of an expression.
#[derive(Clone, Default)]
struct Texts {
    found: Vec<String>,
}

impl Visitor<'_> for Texts {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Text(text) => self.found.push(normal(text).into_owned()),
            ExprKind::Name(name) => self.found.push(normal(&name.text).into_owned()),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// Finds the texts that are compared with names and values of cards.
#[derive(Clone, Default)]
struct Compared<'d> {
    /// The fields that hold texts.
    fields: FxHashSet<&'d str>,
    /// Functions that return a name or a value of a card.
    values: FxHashSet<&'d str>,
    /// For each function, how each of its parameters is compared. None: the parameter is not compared.
    functions: FxHashMap<&'d str, Vec<Option<How>>>,
    /// The names of members of sets of values.
    members: FxHashSet<String>,
    /// The texts that were found.
    found: Vec<(String, Span, How)>,
    /// Names that stand where a text could stand: symbols, parameters, or names that are bound somewhere.
    named: Vec<(String, Span, How)>,
    /// The names that the ability binds.
    bound: FxHashSet<String>,
    /// Names that can stand after `has` and are no symbols: keywords, values of enums, and other declared names.
    declared: FxHashSet<String>,
    /// Texts that changes give to cards.
    given: Texts,
}

fn is_text(of: &TypeName) -> bool {
    matches!(of.name.text.as_str(), "text" | "symbol")
}

/// Names of the language, which are no symbols.
const OF_LANGUAGE: [&str; 5] = ["none", "it", "you", "this", "done"];

impl<'d> Compared<'d> {
    fn of(decls: &'d [Arc<Decl>]) -> Self {
        let mut compared = Self { fields: FxHashSet::from_iter(["name"]), ..Self::default() };
        let mut functions: Vec<(&'d str, &'d [Param], &'d TypeName, &'d Expr)> = Vec::new();
        for decl in decls {
            match &decl.kind {
                DeclKind::CardType(_, fields) => {
                    compared.fields.extend(fields.iter().filter(|field| is_text(&field.of)).map(|field| field.head.name.text.as_str()));
                }
                DeclKind::Function { head, params, result, body, .. } => {
                    compared.declares([head]);
                    functions.push((&head.name.text, params, result, body));
                }
                DeclKind::Enum(_, values) => compared.declares(values),
                DeclKind::Keyword(head, _) | DeclKind::Param(head, _) | DeclKind::State { head, .. } => compared.declares([head]),
                DeclKind::AbilityKind(kind) => compared.declared.extend(kind.slots.iter().map(|slot| slot.name.text.clone())),
                _ => {}
            }
        }
        for _ in 0..PASSES {
            for (name, params, result, body) in &functions {
                if is_text(result) && compared.is_value(body) {
                    compared.values.insert(name);
                }
                compared.members.clear();
                compared.expr(body);
                let named = std::mem::take(&mut compared.named);
                let how = |param: &Param| {
                    let found = named.iter().find(|(of, ..)| is_text(&param.of) && *of == param.name.text);
                    found.map(|(.., how)| *how)
                };
                compared.functions.insert(name, params.iter().map(how).collect());
            }
        }
        compared.forget();
        compared
    }

    /// Forgets what was found in the cards so far.
    fn forget(&mut self) {
        self.found.clear();
        self.members.clear();
        self.bound.clear();
    }

    /// Notes what the rules give to cards.
    fn given_by_rules(&mut self, decls: &[Arc<Decl>]) {
        decls.iter().for_each(|decl| walk_decl(self, &decl.kind));
        self.named.clear();
        self.forget();
    }

    /// Notes declared names and their labels.
    fn declares<'h>(&mut self, heads: impl IntoIterator<Item = &'h Head>) {
        for head in heads {
            let label = head.label.as_ref().map(|label| &label.text);
            self.declared.extend([Some(&head.name.text), label].into_iter().flatten().map(|name| normal(name).into_owned()));
        }
    }

    /// Collects the texts and symbols of a card's ability. A name that the ability does not bind is a symbol.
    fn ability_of_card(&mut self, ability: &Ability) {
        self.bound.clear();
        self.ability(ability);
        let named = std::mem::take(&mut self.named);
        let is_symbol = |name: &str| !self.bound.contains(name) && !OF_LANGUAGE.contains(&name);
        self.found.extend(named.into_iter().filter(|(name, ..)| is_symbol(name)));
    }

    /// Whether an expression is a name or value of cards, or a set of these.
    fn is_value(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Field(_, field) => self.fields.contains(field.text.as_str()),
            ExprKind::Printed(of) | ExprKind::Cited(_, of) => self.is_value(of),
            ExprKind::Call(name, _) => self.values.contains(name.text.as_str()),
            ExprKind::Name(name) => self.members.contains(&name.text),
            ExprKind::Binary(a, BinaryOp::Union, b) => self.is_value(a) || self.is_value(b),
            _ => false,
        }
    }

    /// Notes the texts that stand where a value is compared.
    fn note(&mut self, expr: &Expr, how: How) {
        match &expr.kind {
            ExprKind::Text(text) => self.found.push((normal(text).into_owned(), expr.span, how)),
            ExprKind::Name(name) => self.named.push((normal(&name.text).into_owned(), expr.span, how)),
            ExprKind::List(items) => items.iter().for_each(|item| self.note(item, how)),
            ExprKind::Cited(_, of) => self.note(of, how),
            _ => {}
        }
    }

    fn call(&mut self, name: &str, args: &[Arg]) {
        if let ("contains", [whole, part]) = (name, args)
            && self.is_value(&whole.value)
        {
            self.note(&part.value, How::Contains);
        }
        let Some(params) = self.functions.get(name).cloned() else { return };
        for (arg, how) in args.iter().zip(params) {
            if let Some(how) = how {
                self.note(&arg.value, how);
            }
        }
    }
}

impl Visitor<'_> for Compared<'_> {
    fn binder(&mut self, name: &Name) {
        self.bound.insert(name.text.clone());
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(a, BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::In | BinaryOp::NotIn, b) => {
                for (value, other) in [(a, b), (b, a)] {
                    if self.is_value(value) {
                        self.note(other, How::Is);
                    }
                }
            }
            ExprKind::Has { what, .. } => {
                // A name may also be a keyword, or a value of an enum.
                let is_symbol = match &what.kind {
                    ExprKind::Text(_) => true,
                    ExprKind::Name(name) => !self.declared.contains(&*normal(&name.text)),
                    _ => false,
                };
                if is_symbol {
                    self.note(what, How::Is);
                }
            }
            ExprKind::Call(name, args) => self.call(&name.text, args),
            ExprKind::Where { set, binder: Some(member), .. } if self.is_value(set) => {
                self.members.insert(member.text.clone());
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn clause(&mut self, clause: &Clause) {
        // What is assumed of a card is given to the card.
        if let ClauseKind::Assume(fact) = &clause.kind {
            self.given.expr(fact);
        }
        walk_clause(self, clause);
    }

    fn change(&mut self, change: &Change) {
        self.given.expr(&change.value);
        walk_change(self, change);
    }
}
