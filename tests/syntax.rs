//! The syntax floor from outside: files that must be read, files that must be refused and how.

use gyoji::diagnostic::{Diagnostic, FileId, Language, Sources, entry, fill};
use gyoji::syntax::{parse_cards, parse_rules, parse_scenarios};

const RULES: [&str; 3] = [
    include_str!("fixtures/syntax/small.rules"),
    include_str!("fixtures/syntax/statements.rules"),
    include_str!("fixtures/syntax/pieces.rules"),
];
const CARDS: &str = include_str!("fixtures/syntax/small.cards");
const SCENARIOS: &str = include_str!("fixtures/syntax/small.scenarios");

/// The diagnostics as a reader meets them, one line each.
fn show(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut sources = Sources::default();
    sources.add("test", text);
    let line = |diagnostic: &Diagnostic| {
        let (line, column) = sources.line_column(diagnostic.span.unwrap_or_default());
        let underlined = sources.text(diagnostic.span.unwrap_or_default());
        let Some(words) = entry(diagnostic.code, Language::English) else { return format!("{} {line}:{column} NO ENTRY {diagnostic:?}", diagnostic.code) };
        let message = fill(&words.message, &diagnostic.args).unwrap_or_else(|| format!("UNFILLED {:?}", words.message));
        let helps: Vec<String> = words.help.iter().filter_map(|help| fill(help, &diagnostic.args)).map(|help| format!("\n    {help}")).collect();
        format!("{} {line}:{column} `{underlined}` {message}{}", diagnostic.code, helps.concat())
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_fixtures_are_read_without_a_diagnostic() {
    for text in RULES {
        assert_eq!(show(text, &parse_rules(FileId(0), text).1), "");
    }
    assert_eq!(show(CARDS, &parse_cards(FileId(0), CARDS).1), "");
    assert_eq!(show(SCENARIOS, &parse_scenarios(FileId(0), SCENARIOS).1), "");
}
