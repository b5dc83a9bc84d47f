//! `gyoji wording --try TEXT`: reads one text as if it stood on a card.

use super::super::{Context, Exit};
use crate::shared::card_text;
use crate::shared::loading::Loaded;
use compile::Compiler;
use lang::diagnostic::{Diagnostic, Severity, Sources, Span, composed};
use lang::syntax::ast::{Ability, CardDecl, Name, Text};
use serde_json::json;
use wording::{Reading, show_ability, unread};

/// The file name under which the text is shown.
const NAME: &str = "--try";

/// A text with its reading and findings.
pub(super) struct Tried {
    /// All sources, with the text among them.
    pub sources: Sources,
    /// The text.
    pub text: Text,
    /// The reading.
    pub reading: Reading,
    /// Findings about the text, or, without any, about its script.
    pub found: Vec<Diagnostic>,
}

impl Tried {
    /// Reads a text of a card of a type; without a type, of any type that fits. Errors are shown in a file of that name.
    pub(super) fn of(text: &str, name: &str, of: Option<&str>, loaded: &Loaded) -> Tried {
        let mut sources = loaded.sources.clone();
        let text: &str = &composed(text);
        let file = sources.add(name, text);
        let text = Text { text: text.to_owned(), span: Span { file, start: 0, end: text.len() as u32 } };
        let wording = &loaded.game.wording;
        let reading = match of {
            Some(of) => wording.read_on(&text, vec![of.to_owned()]),
            None => some_reading(&text, loaded),
        };
        let mut found: Vec<Diagnostic> = reading.diagnostics.iter().map(|finding| wording.with_phrase(&text, finding.clone())).collect();
        if found.is_empty() {
            let one = of.map(str::to_owned).into_iter().collect::<Vec<_>>();
            let types = if one.is_empty() { &reading.types } else { &one };
            found = misfits(&text, (&reading.abilities, types), loaded);
            found.extend(Compiler::asks_about_the_last(&reading.abilities, text.span));
        }
        Tried { sources, text, reading, found }
    }
}

/// Shows the script with its phrases, and the findings.
pub(super) fn run(text: &str, of: Option<&str>, loaded: &Loaded, context: &Context) -> Exit {
    let types = &loaded.program.card_types;
    if let Some(of) = of.filter(|of| !types.iter().any(|known| known == of)) {
        let finding = Diagnostic::global("E0883").with("name", of).with("known", types.join("`, `"));
        context.complain(&[finding.suggest(of, types.iter().map(String::as_str))], &loaded.sources);
        return Exit::CouldNotRun;
    }
    let Tried { sources, text, reading, found } = Tried::of(text, NAME, of, loaded);
    let script: Vec<String> = reading.abilities.iter().map(show_ability).collect();
    let object = || {
        json!({
            "kind": "text", "text": text.text, "script": script, "phrases": card_text::phrase_objects(&reading.phrases, &sources),
            "back": card_text::said_object(&text, &reading, loaded, &loaded.game.back()),
        })
    };
    context.result(object, || {
        if !script.is_empty() {
            context.out(&context.say("explain.script", &[]));
            script.iter().for_each(|line| context.out(&format!("  {line}")));
            context.out(&card_text::phrases(&reading.phrases, &sources, context));
            context.out(&card_text::said_back(&text, &reading, loaded, context));
        } else if found.is_empty() {
            context.out(&context.say("explain.no_text", &[]));
        }
    });
    context.show(&found, &sources);
    if found.iter().any(|finding| finding.severity == Severity::Error) { Exit::Findings } else { Exit::Fine }
}

/// The reading of the text for any card. If that is not exactly one meaning, the reading for the first card type that has one.
fn some_reading(text: &Text, loaded: &Loaded) -> Reading {
    let any = loaded.game.wording.read(text);
    let mut typed = loaded.program.card_types.iter().map(|of| loaded.game.wording.read_on(text, vec![of.clone()]));
    if any.diagnostics.is_empty() { any } else { typed.find(|reading| reading.diagnostics.is_empty()).unwrap_or(any) }
}

/// The compiler's findings about the script, on a card of the best fitting type.
fn misfits(text: &Text, (abilities, read_on): (&[Ability], &[String]), loaded: &Loaded) -> Vec<Diagnostic> {
    let on_card = |of: Option<&String>| {
        let decl = CardDecl {
            of: of.map(|of| Name { text: of.clone(), span: text.span }).into_iter().collect(),
            texts: vec![text.clone()],
            ..CardDecl::new(Text { text: NAME.to_owned(), span: text.span }, text.span)
        };
        let found = loaded.game.compiler.beside().add_card(&decl, abilities).1;
        found.into_iter().map(|finding| unread(finding, &decl.texts)).collect::<Vec<_>>()
    };
    let types = &loaded.program.card_types;
    if types.is_empty() {
        return on_card(None);
    }
    types
        .iter()
        .filter(|of| read_on.is_empty() || read_on.contains(of))
        .map(|of| on_card(Some(of)))
        .min_by_key(Vec::len)
        .unwrap_or_default()
}
