//! A new edition of a rulebook: shows what has changed and what cites it, and writes the new numbers into all files.

use super::super::{Context, Exit};
use super::{Args, book, line_of, place};
use crate::shared::audited::{self, Audited, complaint};
use crate::shared::{files, paths};
use audit::edition::{Change, changes, renumbering};
use audit::standing;
use lang::diagnostic::{Diagnostic, FileId, Severity, Sources, Span};
use lang::syntax::format;
use project::files::{self as project_files, Purpose};
use scenario::checks::citations::citations;
use scenario::rulebook::Rulebook;
use std::collections::BTreeMap;
use std::path::Path;

/// Compares the game's index with a new one. Writes the new numbers if wanted.
pub(super) fn run(game: Option<&str>, new: &Path, args: &Args, context: &Context) -> Result<Exit, Exit> {
    let audited = audited::load(game, &args.scenarios, context)?;
    let old = book(&audited, context)?;
    let mut sources = Sources::default();
    let file = files::read(new, &mut sources, Purpose::Game).map_err(|finding| complaint(context, finding))?;
    let text = sources.get(file).map_or("", |source| source.text.as_str()).to_owned();
    let (new_book, found) = Rulebook::read(file, &text);
    context.show(&found, &sources);
    if found.iter().any(|finding| finding.severity == Severity::Error) {
        return Ok(Exit::Findings);
    }
    let changes = changes(old, &new_book);
    for change in &changes {
        show(change, old, &new_book, &audited, context);
    }
    summary(&changes, context);
    if args.renumber {
        rewrite(&audited, &renumbering(&changes), &text, context).map_err(|finding| complaint(context, finding))?;
    }
    Ok(Exit::Fine)
}

fn show(change: &Change, old: &Rulebook, new: &Rulebook, audited: &Audited, context: &Context) {
    let standing = change.before().map(|id| standing(&audited.game, &audited.suite, id)).unwrap_or_default();
    let places: Vec<Span> = standing.cited.clone();
    let scenarios: Vec<_> = standing.scenarios.iter().filter_map(|(at, _)| audited.suite.scenarios.get(*at)).collect();
    let readings: Vec<&str> = standing.readings.iter().map(|reading| reading.head.name.text.as_str()).collect();
    let says = |book: &Rulebook, id: Option<&str>| id.and_then(|id| book.get(id)).map(|row| row.text.clone());
    let object = || {
        let Ok(serde_json::Value::Object(mut object)) = serde_json::to_value(change) else { return serde_json::Value::Null };
        object.insert("kind".to_owned(), "change".into());
        object.insert("text".to_owned(), says(old, change.before()).into());
        object.insert("new_text".to_owned(), says(new, change.after()).into());
        object.insert("cited".to_owned(), places.iter().map(|span| place(*span, audited)).collect());
        object.insert("scenarios".to_owned(), scenarios.iter().map(|scenario| scenario.title.text.as_str()).collect());
        object.insert("readings".to_owned(), readings.iter().copied().collect());
        object.into()
    };
    let people = || {
        let (key, id, now) = match change {
            Change::Added { id } => ("rule.added", id, id),
            Change::Dropped { id } => ("rule.dropped", id, id),
            Change::Changed { id, now } if id == now => ("rule.changed", id, now),
            Change::Changed { id, now } => ("rule.changed.renumbered", id, now),
            Change::Renumbered { id, now } => ("rule.renumbered", id, now),
        };
        context.out(&context.say(key, &[("id", id.clone()), ("now", now.clone())]));
        let only_renumbered = matches!(change, Change::Renumbered { .. });
        for (sign, text) in [("-", says(old, change.before())), ("+", says(new, change.after()))].iter().filter(|_| !only_renumbered) {
            if let Some(text) = text {
                context.out(&format!("  {sign} {text}"));
            }
        }
        for span in &places {
            context.out(&format!("    {} {}", place(*span, audited), line_of(*span, audited)));
        }
        for scenario in &scenarios {
            context.out(&format!("    {} “{}”", place(scenario.span, audited), scenario.title.text));
        }
        for reading in &readings {
            context.out(&format!("    {}", context.say("rule.reading", &[("name", (*reading).to_owned())])));
        }
    };
    context.result(object, people);
}

fn summary(changes: &[Change], context: &Context) {
    let count = |is: fn(&Change) -> bool| changes.iter().filter(|change| is(change)).count();
    let (added, dropped) =
        (count(|change| matches!(change, Change::Added { .. })), count(|change| matches!(change, Change::Dropped { .. })));
    let changed = count(|change| matches!(change, Change::Changed { .. }));
    let renumbered = count(|change| matches!(change, Change::Renumbered { .. }));
    let object =
        || serde_json::json!({ "kind": "summary", "added": added, "dropped": dropped, "changed": changed, "renumbered": renumbered });
    let args = [("added", added), ("dropped", dropped), ("changed", changed), ("renumbered", renumbered)];
    context.result_in_one_line(object, || context.say("rule.summary", &args.map(|(key, count)| (key, count.to_string()))));
}

/// Writes the new numbers into every file, and the new index over the old one.
fn rewrite(audited: &Audited, numbers: &BTreeMap<&str, &str>, index: &str, context: &Context) -> Result<(), Diagnostic> {
    let mut texts = Vec::new();
    for (file, source) in audited.suite.sources.iter() {
        let is_index = audited.game.index == Some(file);
        let text = if is_index { index.to_owned() } else { in_style(&source.name, &source.text, renumbered(file, &source.text, numbers)) };
        // A source that is built into the program has no file.
        if text == source.text || source.name.starts_with('<') {
            continue;
        }
        texts.push((is_index, Path::new(&source.name), text));
    }
    for (_, path, _) in &texts {
        project_files::may_write(path, true)?;
    }
    // The index comes last: as long as the old one is there, the command can be given again.
    texts.sort_by_key(|(is_index, ..)| *is_index);
    for (_, path, text) in &texts {
        project_files::write(path, text, true)?;
    }
    context.for_people(|| context.out(&context.say("rule.rewritten", &[("files", texts.len().to_string())])));
    Ok(())
}

/// The new text. If the old text was formatted, the new text is formatted too, because longer numbers make the margin wider.
fn in_style(name: &str, before: &str, text: String) -> String {
    let Some(kind) = paths::kind_of(Path::new(name)).filter(|_| text != before) else { return text };
    if format(kind, before).is_ok_and(|styled| styled == before) { format(kind, &text).unwrap_or(text) } else { text }
}

/// A file's text with the new numbers, in citations and in the marks of the audit.
fn renumbered(file: FileId, text: &str, numbers: &BTreeMap<&str, &str>) -> String {
    let mut places: Vec<(String, Span)> = citations(file, text);
    for mark in audit::marks(file, text).0 {
        places.extend(in_mark(text, mark.span));
    }
    places.sort_by_key(|(_, span)| span.start);
    let mut written = String::with_capacity(text.len());
    let mut from = 0;
    for (id, span) in places {
        let Some(now) = numbers.get(id.as_str()) else { continue };
        written.push_str(text.get(from..span.start as usize).unwrap_or(""));
        written.push('@');
        written.push_str(now);
        from = span.end as usize;
    }
    written.push_str(text.get(from..).unwrap_or(""));
    written
}

/// The citations in a mark, which is a comment.
fn in_mark(text: &str, mark: Span) -> Vec<(String, Span)> {
    let comment = text.get(mark.start as usize..mark.end as usize).unwrap_or("");
    let behind = comment.trim_start_matches("--");
    let start = mark.start + (comment.len() - behind.len()) as u32;
    let placed = |(id, span): (String, Span)| (id, Span { start: span.start + start, end: span.end + start, ..span });
    citations(mark.file, behind).into_iter().map(placed).collect()
}

#[cfg(test)]
mod tests {
    use super::renumbered;
    use lang::diagnostic::FileId;
    use std::collections::BTreeMap;

    #[test]
    fn a_file_that_was_in_style_stays_so() {
        let before = "gyoji 1\n\naction take(p: player) {\n@1-2  move(top of pile(p), hold(p))\n}\n";
        let longer = before.replace("@1-2", "@1-20");
        let styled = "gyoji 1\n\naction take(p: player) {\n@1-20  move(top of pile(p), hold(p))\n}\n";
        assert_eq!(super::in_style("x.rules", before, longer), styled);
        let own = "gyoji 1\n\naction take(p: player) {\n@1-2    move(top of pile(p), hold(p))\n       draw()\n}\n";
        assert_eq!(super::in_style("x.rules", own, own.replace("@1-2 ", "@1-20 ")), own.replace("@1-2 ", "@1-20 "));
    }

    #[test]
    fn numbers_are_rewritten_all_at_once() {
        let numbers = BTreeMap::from([("1-2", "1-3"), ("1-3", "1-2")]);
        let text = "@1-2 @1-3  x \"@1-2\" -- @1-2\n-- equivalent left_out @1-3: as @1-4 says\n@1-20  y\n";
        let expect = "@1-3 @1-2  x \"@1-2\" -- @1-2\n-- equivalent left_out @1-2: as @1-4 says\n@1-20  y\n";
        assert_eq!(renumbered(FileId(0), text, &numbers), expect);
    }
}
