//! A diagnostic as one line that can be understood alone: `rules/x.rules:3:7: error[E0201]: message: label`.

use lang::diagnostic::{Diagnostic, Language, Severity, Sources, entry, fill, shown_name};
use tell::Words;

/// The line, without a line end.
#[must_use]
pub fn concise(finding: &Diagnostic, sources: &Sources, language: Language) -> String {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let words = finding.told(language);
    let mut line = String::new();
    if let Some(span) = finding.span {
        let (row, column) = sources.line_column(span);
        let name = shown_name(sources.get(span.file).map_or("?", |source| source.name.as_str()));
        line = format!("{name}:{row}:{column}: ");
    }
    line.push_str(&format!("{severity}[{}]: {}", finding.code, words.message));
    if !words.label.is_empty() {
        line.push_str(": ");
        line.push_str(&words.label);
    }
    line
}

/// The finding for somebody who sees what it is about: the sentence with its code behind it, then the lines of help.
#[must_use]
pub fn brief(finding: &Diagnostic, language: Language) -> Vec<String> {
    let words = finding.told(language);
    let label = Some(words.label).filter(|label| finding.span.is_some() && !label.is_empty());
    let parts: Vec<String> = std::iter::once(words.message).chain(label).collect();
    let sentence = format!("{}  [{}]", parts.join(": "), finding.code);
    std::iter::once(sentence).chain(words.help.into_iter().map(|line| format!("  {line}"))).collect()
}

/// The text of a note, filled in; its key if the catalogue has no text.
pub(super) fn note_text(finding: &Diagnostic, key: &str, language: Language) -> String {
    let text = entry(finding.code, language).and_then(|entry| entry.notes.get(key));
    let text = text.and_then(|text| fill(text, &finding.args_in(language)));
    // Some notes can stand beside findings of many codes, so their text is with the texts of the interface.
    text.or_else(|| Words::new(language).find(&format!("note.{key}")).map(str::to_owned)).unwrap_or_else(|| key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::concise;
    use lang::diagnostic::{Diagnostic, Language, Sources, Span};

    #[test]
    fn a_line_says_where_and_what() {
        let mut sources = Sources::default();
        let file = sources.add("x.rules", "gyoji 1\n決闘 ?");
        let finding = Diagnostic::error("E0802", Span { file, start: 15, end: 16 }).with("file", "x.rules");
        assert_eq!(
            concise(&finding, &sources, Language::English),
            "x.rules:2:4: error[E0802]: `x.rules` is not UTF-8 text: the first byte that cannot be read"
        );
    }

    #[test]
    fn a_code_without_words_still_says_what_is_known() {
        let finding = Diagnostic::global("E9999").with("name", "x");
        assert_eq!(concise(&finding, &Sources::default(), Language::Japanese), "error[E9999]: name `x`");
    }
}
