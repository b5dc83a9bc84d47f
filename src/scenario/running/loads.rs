//! `load rules 「…」 refused E0204`: sources that must be accepted, or refused with a code.
//!
//! A source without an expected outcome joins the game for its scenario. The source is read as one more file of the game, without the first
//! lines of a file. It is not run.

use crate::ground::Ground;
use crate::outcome::verdict::Failure;
use compile::Compiler;
use lang::diagnostic::{Diagnostic, Severity, known_codes};
use lang::syntax::ast::{Load, Name, Outcome};

/// Loads a source as the scenario expects.
///
/// # Errors
/// `E0560`–`E0563` for an unexpected result; `E0534` for an unknown code.
pub(crate) fn check(ground: &Ground, compiler: &Compiler, load: &Load) -> Result<(), Box<Failure>> {
    if let Some(code) = refused(load).filter(|code| !known_codes().any(|known| known == code.text)) {
        return Err(Diagnostic::error("E0534", code.span).with("code", &code.text).into());
    }
    let source = flush_left(&load.source.text);
    let file = load.source.span.file;
    let found = match load.what.text.as_str() {
        "rules" => ground.findings_in_rules(file, &source),
        "cards" => ground.findings_in_cards(compiler, file, &source),
        "deck" => ground.findings_in_deck(compiler, &source),
        other => return Err(Diagnostic::error("E0563", load.what.span).with("what", other).into()),
    };
    let errors: Vec<Diagnostic> = found.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    verdict(load, errors)
}

fn verdict(load: &Load, errors: Vec<Diagnostic>) -> Result<(), Box<Failure>> {
    let mut codes: Vec<&str> = errors.iter().map(|finding| finding.code).collect();
    codes.dedup();
    let codes = codes.join(", ");
    match refused(load) {
        None if errors.is_empty() => Ok(()),
        None => Err(Failure::from(Diagnostic::error("E0561", load.span).with("codes", codes)).because_of(errors)),
        Some(code) if errors.is_empty() => Err(Diagnostic::error("E0560", load.span).with("code", &code.text).into()),
        Some(code) if errors.iter().any(|finding| finding.code == code.text) => Ok(()),
        Some(code) => {
            let other = Diagnostic::error("E0562", code.span).with("codes", codes).with("code", &code.text);
            Err(Failure::from(other).because_of(errors))
        }
    }
}

fn refused(load: &Load) -> Option<&Name> {
    if let Outcome::Refused(code) = &load.outcome { Some(code) } else { None }
}

/// The source without the common indentation of its lines, because declarations begin in the first column.
pub(crate) fn flush_left(source: &str) -> String {
    let lines = || source.lines().filter(|line| !line.trim().is_empty());
    // The first line stands after the opening mark, so its indentation does not count.
    let behind_mark = !source.starts_with('\n');
    // Rule numbers in the margin stand in the first column, so their lines do not count.
    let indented = lines().skip(usize::from(behind_mark)).filter(|line| !line.starts_with('@'));
    let common = indented.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    let cut = |line: &str| line.get(common.min(line.len() - line.trim_start_matches(' ').len())..).unwrap_or(line).to_owned();
    let mut first = behind_mark;
    let cut_lines = source.lines().map(|line| if std::mem::take(&mut first) { line.trim_start().to_owned() } else { cut(line) });
    cut_lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::flush_left;

    #[test]
    fn common_indentation_is_taken_off() {
        assert_eq!(flush_left("card x { }"), "card x { }");
        assert_eq!(flush_left("\n    a {\n      b\n    }\n  "), "\na {\n  b\n}\n");
        assert_eq!(flush_left(" a {\n      b\n    }"), "a {\n  b\n}");
        assert_eq!(flush_left("\n    a {\n@1    b\n    }\n  "), "\na {\n@1    b\n}\n");
    }
}
