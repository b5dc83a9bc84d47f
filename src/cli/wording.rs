//! `gyoji wording [GAME]`: lists the templates with the cards that use them. Also `--try TEXT`, `--texts FILE`, `--forms`, `--missing`,
//! `--verdicts`.
//!
//! The command works for a game whose cards cannot all be read yet; only its rules must be without errors.
//!
//! | file | does |
//! | --- | --- |
//! | `tried.rs` | `--try TEXT` |
//! | `texts.rs` | `--texts FILE` |
//! | `missing.rs` | `--missing` |
//! | `verdicts.rs` | `--verdicts` |

mod missing;
mod texts;
mod tried;
mod verdicts;

use super::{Context, Exit};
use crate::shared::loading::{self, Loaded};
use indexmap::IndexMap;
use lang::diagnostic::{Diagnostic, Severity, Span};
use report::Widths;
use serde_json::json;
use std::path::PathBuf;
use wording::Declared;

/// The widths of the columns for places, categories and forms. A longer text moves the next column.
const PLACE: usize = 34;
const CATEGORY: usize = 14;
const FORM: usize = 16;

/// The arguments of `wording`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// The game; the project's first one when not given.
    pub game: Option<String>,
    /// A text to be read, as a text of any type of card.
    #[arg(long = "try", value_name = "TEXT", conflicts_with_all = ["forms", "missing", "verdicts"])]
    pub text: Option<String>,
    /// The type of the card on which the text of `--try` stands.
    #[arg(long = "type", value_name = "TYPE", requires = "text")]
    pub of: Option<String>,
    /// A file of texts to be read, one a line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "forms", "missing", "verdicts"])]
    pub texts: Option<PathBuf>,
    /// The words in all their forms.
    #[arg(long, conflicts_with = "missing")]
    pub forms: bool,
    /// What no template covers, by how many cards it blocks.
    #[arg(long, conflicts_with = "verdicts")]
    pub missing: bool,
    /// Each text with what becomes of it on the way to its script and back.
    #[arg(long, conflicts_with = "forms")]
    pub verdicts: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    let loaded = match loading::load_with_findings(context, args.game.as_deref()) {
        Ok((loaded, found)) => match of_rules(found, &loaded).as_slice() {
            [] => loaded,
            found => {
                context.complain(found, &loaded.sources);
                return Exit::CouldNotRun;
            }
        },
        Err(exit) => return exit,
    };
    if let Some(text) = &args.text {
        return tried::run(text, args.of.as_deref(), &loaded, context);
    }
    if let Some(path) = &args.texts {
        return texts::run(path, &loaded, context);
    }
    if args.forms {
        forms(&loaded, context);
    } else if args.missing {
        missing::run(&loaded, context);
    } else if args.verdicts {
        verdicts::run(&loaded, context);
    } else {
        templates(&loaded, context);
    }
    Exit::Fine
}

/// The errors outside the files of cards and decks.
fn of_rules(found: Vec<Diagnostic>, loaded: &Loaded) -> Vec<Diagnostic> {
    let name_of = |span: Span| loaded.sources.get(span.file).map_or("", |source| source.name.trim_end_matches('>'));
    let is_of_pool = |span: Span| name_of(span).ends_with(".cards") || name_of(span).ends_with(".ron");
    found.into_iter().filter(|finding| finding.severity == Severity::Error && !finding.span.is_some_and(is_of_pool)).collect()
}

/// Each template with the number of cards that use it, and the first of them.
fn templates(loaded: &Loaded, context: &Context) {
    let mut uses: IndexMap<Span, Vec<&str>> = IndexMap::new();
    for card in &loaded.game.cards {
        for phrase in &card.phrases {
            let cards = uses.entry(phrase.declared).or_default();
            // The phrases of one card stand together, so only the last entry can be the same card.
            if cards.last() != Some(&card.decl.number.text.as_str()) {
                cards.push(&card.decl.number.text);
            }
        }
    }
    let (mut all, mut used) = (0, 0);
    for template in loaded.game.wording.templates() {
        let cards = uses.get(&template.span).map_or(&[][..], Vec::as_slice);
        all += 1;
        used += usize::from(!cards.is_empty());
        show_template(template, cards, loaded, context);
    }
    let read = loaded.game.cards.iter().filter(|card| !card.phrases.is_empty()).count();
    let args = [("all", all.to_string()), ("used", used.to_string()), ("cards", read.to_string())];
    context.for_people(|| context.out(&context.say("wording.templates", &args)));
    verdicts::count(loaded, context);
}

fn show_template(template: Declared<'_>, cards: &[&str], loaded: &Loaded, context: &Context) {
    let file = loaded.sources.get(template.span.file).map_or("", |source| source.name.as_str());
    let line = loaded.sources.line_column(template.span).0;
    let object = || {
        json!({
            "kind": "template", "file": file, "line": line, "category": template.category, "printed": template.shown,
            "rules": template.cites.iter().map(|cite| cite.id.as_str()).collect::<Vec<_>>(), "cards": cards.len(), "example": cards.first(),
        })
    };
    context.result_in_one_line(object, || {
        let used = match cards.first() {
            Some(first) => context.say("wording.used", &[("count", cards.len().to_string()), ("card", (*first).to_owned())]),
            None => context.say("wording.unused", &[]),
        };
        let widths = Widths::new(context.ambiguous);
        let (place, category) = (widths.padded(&format!("{file}:{line}"), PLACE), widths.padded(template.category, CATEGORY));
        format!("{place}  {category}  「{}」  {used}", template.shown)
    });
}

/// The tables of words and their forms.
fn forms(loaded: &Loaded, context: &Context) {
    let widths = Widths::new(context.ambiguous);
    let mut last = String::new();
    for row in loaded.game.wording.forms() {
        let object = || json!({ "kind": "form", "word": row.word, "form": row.form, "written": row.written });
        context.result(object, || {
            if row.word != last {
                context.out(&row.word);
                last.clone_from(&row.word);
            }
            context.out(&format!("  {}  {}", widths.padded(&row.form, FORM), row.written));
        });
    }
}
