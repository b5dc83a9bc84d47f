//! The findings that several places of the compiler report, with one function for each.

use super::Compiler;
use crate::declarations::names::{Names, Symbols};
use crate::expressions::types::Ty;
use engine::ids::Id;
use engine::program::Type;
use lang::diagnostic::limits::MOST_SHOWN;
use lang::diagnostic::{Diagnostic, Span, written_here};
use lang::syntax::ast::{Head, Name};

impl Compiler {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
        self.reported += 1;
        if self.reported == MOST_SHOWN {
            self.symbols.hush();
        }
    }

    /// `E0201`: an unknown name.
    pub(super) fn unknown<'a>(&mut self, what: &str, name: &Name, words: impl IntoIterator<Item = &'a str>) {
        let finding = Diagnostic::error("E0201", name.span).with("what", what).with("name", &name.text);
        self.report(match written_here(&name.text) {
            Some(written) => finding.with("written", written),
            None => finding.suggest(&name.text, words),
        });
    }

    /// The meaning of a name in a table of declared things; `E0201` for an unknown name.
    pub(super) fn declared<I: Id>(&mut self, what: &str, table: fn(&Symbols) -> &Names, name: &Name) -> Option<I> {
        let found = table(&self.symbols).id(&name.text);
        if found.is_none() {
            let words: Vec<String> = table(&self.symbols).words().map(str::to_owned).collect();
            self.unknown(what, name, words.iter().map(String::as_str));
        }
        found
    }

    /// `E0204`: a type that does not fit.
    pub(super) fn mismatch(&mut self, span: Span, wanted: Ty, got: Ty) {
        // An unknown type comes from another mistake, which is already reported.
        if self.reported > 0 && [wanted.of, got.of].contains(&Type::Unknown) {
            return;
        }
        let range = (wanted == Ty::set(Type::Number) && got == Ty::NUMBER).then_some("range(0, n)");
        let one = (got.set && got.of == wanted.of && !wanted.set).then(|| wanted.describe(&self.program));
        // One value stands where a set is needed.
        let bare = (wanted.set && !got.set && got.of == wanted.of && range.is_none()).then_some("[x]");
        let counted = wanted == Ty::NUMBER && (got.set && one.is_none() || got == Ty::ZONE);
        let (wanted, got) = (wanted.describe(&self.program), got.describe(&self.program));
        let finding = Diagnostic::error("E0204", span).with("wanted", wanted).with("got", got);
        let finding = match range {
            Some(range) => finding.with("range", range),
            None => finding,
        };
        let finding = match bare {
            Some(bracketed) => finding.with("bracketed", bracketed),
            None => finding,
        };
        // Where a number is wanted, often the number of members is meant.
        let finding = if counted { finding.with("counted", "count(S)") } else { finding };
        self.report(match one {
            Some(one) => finding.with("one", one),
            None => finding,
        });
    }

    /// `E0214`: a construct that can be read but is not carried out yet.
    pub(super) fn not_yet(&mut self, span: Span, construct: &str) {
        self.report(Diagnostic::error("E0214", span).with("construct", construct));
    }

    /// Adds a declared name to a table and gives its number. A clash is reported.
    pub(super) fn declare(&mut self, what: &str, head: &Head, scope: impl FnOnce(&mut super::Symbols) -> &mut super::Names) -> usize {
        let names = scope(&mut self.symbols);
        let index = names.len();
        let clash = names.add(&head.name.text, crate::declarations::names::label_of(head), head.name.span);
        self.report_clash(what, &head.name, head.label.as_ref().map_or(head.name.span, |label| label.span), clash.err());
        index
    }

    pub(super) fn report_clash(&mut self, what: &str, name: &Name, label: Span, clash: Option<crate::declarations::names::Clash>) {
        use crate::declarations::names::Clash;
        match clash {
            None => {}
            Some(Clash::Name(first)) => {
                let finding = Diagnostic::error("E0202", name.span).with("what", what).with("name", &name.text);
                // A builtin has no place in a source.
                self.report(if first == Span::default() { finding } else { finding.note(first, "first") });
            }
            Some(Clash::Label(first, text)) => {
                self.report(Diagnostic::error("E0203", label).with("what", what).with("label", text).note(first, "first"));
            }
        }
    }
}
