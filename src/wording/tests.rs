//! Tests of wording with small made-up wordings: readings, and findings about texts and templates.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

mod account;
mod back;
mod cited;
mod early;
mod expand;
mod meant;
mod places;
mod rescript;
mod small;

use super::{Reading, Wording, show_ability};
use lang::diagnostic::{Diagnostic, Language, Sources, Span, entry, fill};
use lang::syntax::ast::Text;
use lang::syntax::parse_rules;

/// A wording from several sources, with all findings.
fn wording_of(sources: &mut Sources, texts: &[(&str, String)]) -> (Wording, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let mut files = Vec::new();
    for (name, text) in texts {
        let (file, found) = parse_rules(sources.add(*name, text.clone()), text);
        errors.extend(found);
        files.push(file);
    }
    let (wording, found) = Wording::new(&files);
    errors.extend(found);
    (wording, errors)
}

/// Reads a text as if it stood alone in a file.
fn read(sources: &mut Sources, wording: &Wording, text: &str) -> Reading {
    let file = sources.add("text", text);
    wording.read(&Text { text: text.to_owned(), span: Span { file, start: 0, end: text.len() as u32 } })
}

/// The result: scripts, then findings with the underlined signs.
fn outcome(sources: &Sources, reading: &Reading) -> String {
    let scripts = reading.abilities.iter().map(show_ability);
    scripts.chain(reading.diagnostics.iter().map(|finding| told(sources, finding))).collect::<Vec<_>>().join("\n")
}

fn told(sources: &Sources, finding: &Diagnostic) -> String {
    let words = entry(finding.code, Language::English).unwrap();
    let message = fill(&words.message, &finding.args).unwrap();
    let help = words.help.iter().filter_map(|help| fill(help, &finding.args)).map(|help| format!("\n    {help}"));
    let place = finding.span.map_or("", |span| sources.text(span));
    format!("{} [{place}] {message}{}", finding.code, help.collect::<String>())
}
