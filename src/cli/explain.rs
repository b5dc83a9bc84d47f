//! `gyoji explain [GAME] CARD`: a card's printed text, phrase by phrase, with the script that it became.
//! `gyoji explain CODE`: what a message means.

use super::{Context, Exit, card_text, loading};
use crate::diagnostic::{Diagnostic, Sources, entry, known_codes};
use serde_json::json;

/// What `explain` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A card, a game and a card, or a code.
    #[arg(required = true, num_args = 1..=2)]
    pub what: Vec<String>,
}

/// Explains.
pub fn run(args: &Args, context: &Context) -> Exit {
    match args.what.as_slice() {
        [code] if is_code(code) => explain_code(&code.to_uppercase(), context),
        [card] => explain_card(None, card, context),
        [game, card, ..] => explain_card(Some(game), card, context),
        [] => Exit::CouldNotRun,
    }
}

/// `E0123`.
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
    if context.json() {
        context.out_json(&json!({ "kind": "code", "code": code, "message": entry.message, "label": entry.label, "help": entry.help }));
        return Exit::Fine;
    }
    context.out(&format!("{code}: {}", entry.message));
    if !entry.label.is_empty() {
        context.out(&format!("  {}", entry.label));
    }
    for line in &entry.help {
        context.out(&format!("  {line}"));
    }
    Exit::Fine
}

fn explain_card(game: Option<&str>, card: &str, context: &Context) -> Exit {
    let loaded = match loading::load(context, game) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let Some(id) = loaded.card_called(card) else {
        context.complain(&[loaded.no_card(card)], &loaded.sources);
        return Exit::CouldNotRun;
    };
    if context.json() {
        context.out_json(&card_text::object(&loaded, id, context));
    } else {
        context.out(&card_text::card_text(&loaded, id, context));
        context.out(&card_text::phrases(&loaded, id, context));
    }
    Exit::Fine
}

#[cfg(test)]
mod tests {
    use super::is_code;

    #[test]
    fn a_code_is_an_e_and_four_digits() {
        assert!(is_code("E0203") && is_code("e0203"));
        assert!(!is_code("E203") && !is_code("KC-001") && !is_code("E02034"));
    }
}
