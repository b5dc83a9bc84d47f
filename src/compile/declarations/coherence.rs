//! Checks that need all declarations together: bodies that nobody calls, phrases that contradict one another, marks that nothing sets.

use crate::Compiler;
use crate::declarations::properties::Phrase;
use crate::expressions::expression::Lowering;
use crate::statements::body::Body;
use engine::program::{Builtin, Op};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Decl, DeclKind, Expr, Head, Param};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Groups of phrases that exclude each other in one declaration.
const EXCLUSIVE: [&[&str]; 6] = [
    &["each player", "shared"],
    &["shared", "controls cards"],
    &["owns cards", "controls cards"],
    &["hidden except to owner", "hidden", "public"],
    &["face down public", "face down hidden", "face down hidden except to controller"],
    &["follows host", "follows host to"],
];

impl Compiler {
    /// `E0254` for two phrases that contradict each other, `E0255` for a phrase that stands twice. Both places are shown.
    pub(crate) fn check_phrases(&mut self, phrases: &[Phrase<'_>]) {
        for (at, phrase) in phrases.iter().enumerate() {
            let earlier = phrases.iter().take(at).find(|other| of_one_matter(other.words, phrase.words));
            let Some(first) = earlier else { continue };
            let code = if first.words == phrase.words { "E0255" } else { "E0254" };
            let finding = Diagnostic::error(code, phrase.span).with("words", phrase.words).with("first", first.words);
            self.report(finding.note(first.span, "first"));
        }
    }

    /// Notes a declaration that a game can have only once. Reports `E0202` for the second one.
    pub(crate) fn once(&mut self, what: &'static str, span: Span) {
        self.one_in_all(what, what, span);
    }

    /// Notes a phrase that only one declaration of a game can have. Reports `E0202` for the second one.
    pub(crate) fn phrase_once(&mut self, phrase: &'static str, span: Span) {
        self.one_in_all("phrase", phrase, span);
    }

    fn one_in_all(&mut self, what: &'static str, name: &'static str, span: Span) {
        match self.single.iter().find(|(known, _)| *known == name) {
            Some((_, first)) => {
                let finding = Diagnostic::error("E0202", span).with("what", what).with("name", name).note(*first, "first");
                self.report(finding);
            }
            None => self.single.push((name, span)),
        }
    }

    /// `E0256` for an enum without values.
    pub(crate) fn check_enum(&mut self, head: &Head, values: &[Head]) {
        if values.is_empty() {
            self.report(Diagnostic::error("E0256", head.span).with("name", &head.name.text));
        }
    }

    /// `E0257` for every `since` with a mark that no statement sets. To be called once all bodies are lowered.
    pub(crate) fn check_marks(&mut self) {
        for mark in std::mem::take(&mut self.since) {
            if !self.marks.contains(&mark.text) {
                let finding = Diagnostic::error("E0257", mark.span).with("name", &mark.text);
                let finding = finding.suggest(&mark.text, self.marks.iter().map(String::as_str));
                self.report(finding);
            }
        }
    }

    /// `E0357` for a replaced event that nobody performs: the flow only emits the event, or the event happens by itself. Cards may perform
    /// the action too, so the check runs after a whole game, or a whole card, has been lowered.
    pub(crate) fn check_replaced(&mut self) {
        let replaced = std::mem::take(&mut self.replaced);
        if replaced.is_empty() {
            return;
        }
        let (mut told, mut performed) = (BTreeSet::new(), BTreeSet::new());
        for op in self.program.code.rows() {
            match op {
                Op::Emit { verb, .. } => told.insert(*verb),
                Op::Perform { verb, .. } => performed.insert(*verb),
                _ => false,
            };
        }
        told.extend(self.program.value_events.iter().map(|event| event.verb));
        told.extend(Builtin::ALL.iter().filter(|builtin| builtin.happens()).map(|builtin| builtin.verb()));
        for (verb, name) in replaced {
            let is_option = self.program.verbs.get(verb).is_some_and(|def| def.option.is_some());
            if told.contains(&verb) && !performed.contains(&verb) && !is_option {
                self.report(Diagnostic::error("E0357", name.span).with("name", &name.text));
            }
        }
    }

    /// Checks functions that nobody calls and defaults that nobody uses. A function is normally lowered only where it is called, and a
    /// default only where an argument is left out. So a copy of the compiler lowers each of them once, and new findings are reported.
    pub(crate) fn check_uncalled(&mut self, decls: &[Arc<Decl>]) {
        let mut copy = self.clone();
        copy.found.clear();
        let mut functions = 0;
        for decl in decls {
            match &decl.kind {
                DeclKind::Function { params, body, .. } => {
                    copy.function_alone(functions, params, body);
                    functions += 1;
                }
                DeclKind::Action(routine) | DeclKind::Procedure(routine) => copy.defaults_alone(&routine.params),
                _ => {}
            }
        }
        let mut known: BTreeSet<_> = self.found.iter().map(|finding| (finding.code, finding.span)).collect();
        let more = copy.found.into_iter().filter(|finding| known.insert((finding.code, finding.span)));
        more.for_each(|finding| self.report(finding));
    }

    fn function_alone(&mut self, at: usize, params: &[Param], body: &Expr) {
        let Some(function) = self.symbols.function_bodies.get(at).cloned() else { return };
        let mut frame = Body::default();
        for (param, ty) in params.iter().zip(&function.types) {
            if frame.find(&param.name.text).is_some() {
                self.report(Diagnostic::error("E0202", param.name.span).with("what", "parameter").with("name", &param.name.text));
            }
            frame.local(&param.name.text, *ty);
        }
        frame.inlining.push(at);
        let mut lowering = Lowering::new(self, frame);
        lowering.wanted_or_none(body, function.result);
        self.defaults_alone(params);
    }

    fn defaults_alone(&mut self, params: &[Param]) {
        for param in params {
            if let Some(default) = &param.default {
                let ty = self.type_of(&param.of);
                Lowering::new(self, Body::default()).wanted(default, ty);
            }
        }
    }
}

fn of_one_matter(left: &str, right: &str) -> bool {
    left == right || EXCLUSIVE.iter().any(|group| group.contains(&left) && group.contains(&right))
}
