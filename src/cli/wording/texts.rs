//! `gyoji wording --texts FILE`: reads many texts as if each stood on a card, and counts the readable ones.
//!
//! Each line of the file is a text. In a table (`.tsv`) the first line names the columns, and the column `text` holds the texts. There the
//! two signs `\n` begin a new line of the text. Blank lines are ignored.

use super::super::{Context, Exit};
use super::tried::Tried;
use crate::shared::loading::Loaded;
use crate::shared::{card_text, files};
use lang::diagnostic::{Diagnostic, Severity, Sources};
use project::files::Purpose;
use serde_json::json;
use std::path::Path;
use wording::show_ability;

/// The column of a table with the texts.
const COLUMN: &str = "text";

/// Reads each text of a file. Unreadable texts are shown with the reason.
pub(super) fn run(path: &Path, loaded: &Loaded, context: &Context) -> Exit {
    let mut sources = loaded.sources.clone();
    let file = match files::read(path, &mut sources, Purpose::Game) {
        Ok(file) => file,
        Err(finding) => return could_not_run(finding, &sources, context),
    };
    let written = sources.get(file).map_or("", |source| source.text.as_str());
    let table = path.extension().is_some_and(|ending| ending == "tsv");
    let Some(texts) = texts(written, table) else {
        return could_not_run(Diagnostic::global("E0878").with("file", path.display()).with("column", COLUMN), &sources, context);
    };
    let back = loaded.game.back();
    let mut read = 0;
    for (line, text) in &texts {
        let name = format!("{}:{line}", path.display());
        let tried = Tried::of(text, &name, None, loaded);
        let fine = !tried.found.iter().any(|finding| finding.severity == Severity::Error);
        read += usize::from(fine);
        let object = || {
            let script: Vec<String> = tried.reading.abilities.iter().map(show_ability).collect();
            let errors: Vec<&str> = tried.found.iter().map(|finding| finding.code).collect();
            json!({
                "kind": "text", "line": line, "text": text, "script": if fine { script } else { Vec::new() }, "errors": errors,
                "back": card_text::said_object(&tried.text, &tried.reading, loaded, &back),
            })
        };
        context.result(object, || context.show(if fine { &[] } else { &tried.found }, &tried.sources));
    }
    let line = || context.say("wording.texts", &[("texts", texts.len().to_string()), ("read", read.to_string())]);
    context.result_in_one_line(|| json!({ "kind": "texts", "texts": texts.len(), "read": read }), line);
    if read == texts.len() { Exit::Fine } else { Exit::Findings }
}

fn could_not_run(finding: Diagnostic, sources: &Sources, context: &Context) -> Exit {
    context.complain(&[finding], sources);
    Exit::CouldNotRun
}

/// The texts with the numbers of their lines. None for a table without the column.
fn texts(written: &str, table: bool) -> Option<Vec<(usize, String)>> {
    let lines = (1..).zip(written.lines()).filter(|(_, line)| !line.trim().is_empty());
    if !table {
        return Some(lines.map(|(number, line)| (number, line.to_owned())).collect());
    }
    let mut lines = lines;
    let column = lines.next().and_then(|(_, head)| head.split('\t').position(|name| name.trim() == COLUMN))?;
    Some(lines.filter_map(|(number, line)| Some((number, line.split('\t').nth(column)?.replace("\\n", "\n")))).collect())
}

#[cfg(test)]
mod tests {
    use super::texts;

    #[test]
    fn a_line_is_a_text_and_of_a_table_a_column() {
        let found = |written, table| {
            texts(written, table).map(|texts| texts.iter().map(|(line, text)| format!("{line}: {text}")).collect::<Vec<_>>().join(" / "))
        };
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(found("札を引く。\n\n札を置く。\n", false), is("1: 札を引く。 / 3: 札を置く。"));
        assert_eq!(found("id\ttext\nA\t札を引く。\nB\nC\t速攻\\n札を置く。\n", true), is("2: 札を引く。 / 4: 速攻\n札を置く。"));
        assert_eq!(found("id\tmeans\nA\tdraw\n", true), None);
    }
}
