//! A diagnostic as a JSON object, for editors and other programs.

use super::concise::note_text;
use lang::diagnostic::{Diagnostic, Language, Severity, Sources, Span};
use serde_json::{Value, json as object};

/// One object. `place` is missing for a finding about a whole run. Lines and columns count from 1, columns in characters.
#[must_use]
pub fn json(finding: &Diagnostic, sources: &Sources, language: Language) -> Value {
    let words = finding.told(language);
    let notes: Vec<_> = finding
        .notes
        .iter()
        .map(|(span, key)| object!({ "place": place(*span, sources), "text": note_text(finding, key, language) }))
        .collect();
    let mut value = object!({
        "kind": "diagnostic",
        "code": finding.code,
        "severity": match finding.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "message": words.message,
        "label": words.label,
        "help": words.help,
        "notes": notes,
    });
    if let (Some(span), Some(map)) = (finding.span, value.as_object_mut()) {
        map.insert("place".into(), place(span, sources));
    }
    value
}

fn place(span: Span, sources: &Sources) -> Value {
    let (line, column) = sources.line_column(span);
    object!({
        "file": sources.get(span.file).map_or("?", |source| source.name.as_str()),
        "line": line,
        "column": column,
        "start": span.start,
        "end": span.end,
    })
}
