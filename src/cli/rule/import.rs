//! Makes an index from a numbered text. The numbering is declared by `--scheme`.

use super::super::{Context, Exit};
use super::Args;
use crate::shared::audited::complaint;
use crate::shared::files;
use audit::imported::{Numbered, imported, rows};
use audit::numbering::Scheme;
use lang::diagnostic::{Diagnostic, Sources, Span};
use project::files::Purpose;
use std::path::Path;

/// Reads the text and writes or prints the index.
pub(super) fn run(file: &str, args: &Args, context: &Context) -> Result<Exit, Exit> {
    let schemes = schemes(args).map_err(|finding| complaint(context, finding))?;
    args.to.iter().try_for_each(|path| files::may_write(path, context)).map_err(|finding| complaint(context, finding))?;
    let mut sources = Sources::default();
    let id = files::read(Path::new(file), &mut sources, Purpose::Game).map_err(|finding| {
        context.complain(&[finding], &sources);
        Exit::CouldNotRun
    })?;
    let text = sources.get(id).map_or("", |source| source.text.as_str());
    let found = imported(text, &schemes);
    if found.rules.is_empty() {
        return Err(complaint(context, Diagnostic::global("E0578").with("file", file)));
    }
    let line_span = |line: usize| {
        let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let length = text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
        Span { file: id, start: start as u32, end: (start + length) as u32 }
    };
    let warn = |code, rule: &Numbered| Diagnostic::error(code, line_span(rule.line)).with("rule", &rule.id).warning();
    let twice = found.twice.iter().map(|rule| warn("E0545", rule));
    let stray = found.stray.iter().map(|rule| warn("E0584", rule));
    let displaced = found.displaced.iter().map(|rule| warn("E0930", rule));
    context.complain(&twice.chain(stray).chain(displaced).collect::<Vec<_>>(), &sources);
    let rows = rows(&found.rules);
    match &args.to {
        Some(path) => files::write(path, &rows, context).map_err(|finding| complaint(context, finding))?,
        None => context.out(rows.trim_end_matches('\n')),
    }
    let args = [("rules", found.rules.len().to_string())];
    context.aside(&context.say("rule.imported", &args));
    Ok(Exit::Fine)
}

fn schemes(args: &Args) -> Result<Vec<Scheme>, Diagnostic> {
    let read = |text: &String| {
        let unreadable = |place: audit::numbering::BadScheme| Diagnostic::global("E0577").with("scheme", text).with("at", place.0 + 1);
        Scheme::read(text).map_err(unreadable)
    };
    match args.scheme.as_slice() {
        [] => Err(Diagnostic::global("E0579")),
        all => all.iter().map(read).collect(),
    }
}
