//! The scripts of templates as they are declared: what they call and read, and which template a finding about a printed text comes from.
//!
//! A script is compiled only inside a card, with its holes filled. There every node has the place of its phrase in the card's text. An
//! author has to mend the template, so the finding must name it.

use crate::Phrase;
use crate::Wording;
use crate::declared::grammar::TemplateDef;
use crate::script::weave::SAYINGS;
use lang::diagnostic::{Diagnostic, Severity, Span};
use lang::syntax::ast::{Change, ChangeField, Expr, ExprKind, Fragment, Name, Stmt, StmtKind, Text};
use lang::syntax::visit::{EachName, Visitor, walk_change, walk_expr, walk_stmt};
use rustc_hash::FxHashSet;

/// A name in a template's script that something must declare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// What the name is used as.
    pub sort: Sort,
    /// The name, with the place in the template where it stands.
    pub name: Name,
}

/// What a script uses a name as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// `draw(you, 1)` as a statement.
    Action,
    /// `hand(you)` in an expression.
    Function,
    /// `x.power`.
    Field,
    /// `modify x { power + 1 }`.
    Changed,
}

impl Wording {
    /// The names that the templates' scripts use, each place once.
    #[must_use]
    pub fn mentions(&self) -> Vec<Mention> {
        let mut found = Mentions::default();
        for template in self.grammar.templates.iter() {
            found.fragment(&template.script);
        }
        let mut seen = FxHashSet::default();
        found.found.retain(|mention| seen.insert((mention.name.span, mention.sort)));
        found.found
    }

    /// The finding about a printed text at the template whose script is meant: at the name in the script if the finding is about a name,
    /// else with the template beside it. None for findings that no template's script can cause.
    #[must_use]
    pub fn at_its_template(&self, finding: &Diagnostic, phrases: &[Phrase]) -> Option<Diagnostic> {
        let place = finding.span?;
        let mut of_place: Vec<&Phrase> = phrases.iter().filter(|phrase| phrase.span == place).collect();
        of_place.sort_by_key(|phrase| std::cmp::Reverse(phrase.depth));
        let declared = |phrase: &Phrase| self.grammar.templates.iter().find(|template| template.span == phrase.declared);
        let templates: Vec<&TemplateDef> = of_place.into_iter().filter_map(declared).map(std::convert::AsRef::as_ref).collect();
        let arg = |wanted: &str| finding.args.iter().find(|(key, _)| *key == wanted).map(|(_, name)| name.as_str());
        // A slot that a phrase hands to its ability stands after the script.
        let hands = templates.iter().flat_map(|template| &template.hands).filter_map(|hand| hand.name.as_ref());
        let handed = arg("argument").and_then(|argument| hands.into_iter().find(|name| name.text == argument)).map(|name| name.span);
        let named = || arg("name").and_then(|name| templates.iter().find_map(|template| place_of(&template.script, name)));
        match handed.or_else(named) {
            Some(at) => Some(finding.clone().at(at).note(place, "printed")),
            None => templates.first().map(|template| finding.clone().note(template.span, "template")),
        }
    }
}

/// Says at an error in the script of a text that the text is not read. Nobody wrote this script as it stands: its templates gave it.
#[must_use]
pub fn unread(finding: Diagnostic, texts: &[Text]) -> Diagnostic {
    let is_in = |at: Span, text: &Text| at.file == text.span.file && text.span.start <= at.start && at.end <= text.span.end;
    match finding.span.and_then(|span| texts.iter().find(|text| is_in(span, text))) {
        Some(text) if finding.severity == Severity::Error => {
            let notes = std::iter::once((text.span, "unread")).chain(finding.notes).collect();
            Diagnostic { notes, ..finding }
        }
        _ => finding,
    }
}

/// The first place of a name in a script.
fn place_of(script: &Fragment, name: &str) -> Option<Span> {
    let mut at = None;
    let see = |found: &Name| {
        if at.is_none() && found.text == name {
            at = Some(found.span);
        }
    };
    EachName(see).fragment(script);
    at
}

/// Whether only wordings have a call of that name: weaving or binding replaces it.
fn is_saying(name: &str) -> bool {
    SAYINGS.contains(&name) || ["untaken", "among"].contains(&name)
}

#[derive(Default)]
struct Mentions {
    found: Vec<Mention>,
}

impl Mentions {
    fn add(&mut self, sort: Sort, name: &Name) {
        if !name.text.starts_with('$') {
            self.found.push(Mention { sort, name: name.clone() });
        }
    }
}

impl Visitor<'_> for Mentions {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Call(name, _) = &stmt.kind {
            self.add(Sort::Action, name);
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(name, _) if !is_saying(&name.text) => self.add(Sort::Function, name),
            ExprKind::Field(_, name) => self.add(Sort::Field, name),
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn change(&mut self, change: &Change) {
        if let ChangeField::Named(name) = &change.field {
            self.add(Sort::Changed, name);
        }
        walk_change(self, change);
    }
}
