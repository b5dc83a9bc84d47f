//! `gyoji explain [GAME] CARD`: shows a card's printed text phrase by phrase, with its script. `gyoji explain CODE`: explains a message.

use super::{Context, Exit};
use crate::shared::loading::Loaded;
use crate::shared::{card_text, loading, paths};
use lang::diagnostic::{Diagnostic, Page, Severity, Sources, entry, known_codes, page, with_names_of_placeholders};
use lang::syntax::FileKind;
use serde_json::json;
use std::path::Path;

/// The arguments of `explain`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// A card, a game and a card, or a code.
    #[arg(required = true, num_args = 1..=2)]
    pub what: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match args.what.as_slice() {
        [code] if is_code(code) => explain_code(&code.to_uppercase(), context),
        [card] => explain_card(None, card, context),
        [game, card, ..] => explain_card(Some(game), card, context),
        [] => Exit::CouldNotRun,
    }
}

/// Whether the text is a code such as `E0123`.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix(['E', 'e']);
    digits.is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn explain_code(code: &str, context: &Context) -> Exit {
    let Some(entry) = entry(code, context.language) else {
        let finding = Diagnostic::global("E0835").with("code", code).suggest(code, known_codes());
        context.complain(&[finding], &Sources::default());
        return Exit::CouldNotRun;
    };
    let (message, label) = (with_names_of_placeholders(&entry.message), with_names_of_placeholders(&entry.label));
    let help: Vec<String> = entry.help.iter().map(|line| with_names_of_placeholders(line)).collect();
    let page = page(code);
    let object = || {
        let meaning = page.map(|page| page.meaning(context.language));
        let (wrong, right) = (page.map(|page| &page.wrong), page.map(|page| &page.right));
        json!({
            "kind": "code", "code": code, "message": message, "label": label, "help": help,
            "meaning": meaning, "wrong": wrong, "right": right,
        })
    };
    context.result(object, || {
        context.out(&format!("{code}: {message}"));
        for line in std::iter::once(&label).filter(|label| !label.is_empty()).chain(&help) {
            context.out(&format!("  {line}"));
        }
        page.into_iter().for_each(|page| show_page(page, context));
    });
    Exit::Fine
}

fn show_page(page: &Page, context: &Context) {
    context.out(&format!("\n{}", page.meaning(context.language)));
    for (key, example) in [("explain.wrong", &page.wrong), ("explain.right", &page.right)] {
        context.out(&format!("\n{}", context.say(key, &[])));
        example.lines().for_each(|line| context.out(format!("    {line}").trim_end()));
    }
}

fn explain_card(game: Option<&str>, card: &str, context: &Context) -> Exit {
    let (loaded, found) = match loading::load_with_findings(context, game) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let errors: Vec<Diagnostic> = found.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    if errors.iter().any(|error| concerns(error, &loaded, card)) {
        context.complain(&errors, &loaded.sources);
        return Exit::CouldNotRun;
    }
    if !errors.is_empty() {
        context.complain(&[Diagnostic::warning(Diagnostic::global("E0861").with("count", errors.len()))], &loaded.sources);
    }
    let id = match loaded.card_called(card) {
        Ok(id) => id,
        Err(finding) => {
            context.complain(&[finding], &loaded.sources);
            return Exit::CouldNotRun;
        }
    };
    let people = || {
        context.out(&card_text::card_text(&loaded, id, true, context));
        let phrases = loaded.card(id).map(|card| card.phrases.as_slice()).unwrap_or_default();
        context.out(&card_text::phrases(phrases, &loaded.sources, context));
        let wording = &loaded.game.wording;
        let card = loaded.card(id).filter(|card| card.decl.todos.is_empty()).map(|card| &card.decl);
        for (card, text) in card.into_iter().flat_map(|card| card.texts.iter().map(move |text| (card, text))) {
            context.out(&card_text::said_back(text, &wording.read_of(text, card), &loaded, context));
        }
    };
    context.result(|| card_text::object(&loaded, id, context), people);
    Exit::Fine
}

/// Whether a card cannot be explained because of an error: the error is in the card itself or outside of the card files, or no card can be
/// read under this name.
fn concerns(error: &Diagnostic, loaded: &Loaded, card: &str) -> bool {
    let Some(span) = error.span else { return true };
    let in_cards = loaded.sources.get(span.file).is_some_and(|source| paths::kind_of(Path::new(&source.name)) == Some(FileKind::Cards));
    let Ok(id) = loaded.card_called(card) else { return true };
    let own = loaded.card(id).is_none_or(|card| {
        let around = card.decl.span;
        around.file == span.file && around.start <= span.start && span.end <= around.end
    });
    own || !in_cards
}

#[cfg(test)]
mod tests {
    use super::is_code;

    #[test]
    fn a_code_is_an_e_and_four_digits() {
        assert!(is_code("E0203") && is_code("e0203"));
        assert!(!is_code("E203") && !is_code("A-001") && !is_code("E02034"));
    }
}
