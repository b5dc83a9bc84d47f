//! `gyoji fmt [PATHS]`: formats files. A file with an error is not changed.

use super::{Context, Exit};
use crate::shared::{files, loading, paths};
use lang::diagnostic::{Diagnostic, Sources};
use project::files::Purpose;
use std::path::{Path, PathBuf};

/// The arguments of `fmt`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Files and folders; else the project's.
    pub paths: Vec<PathBuf>,
    /// Only say which files would change.
    #[arg(long)]
    pub check: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match format_all(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn format_all(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let project = loading::project_here(context)?;
    let files = paths::meant(&args.paths, project.as_ref()).map_err(|finding| {
        context.complain(&[finding], &Sources::default());
        Exit::CouldNotRun
    })?;
    // Other files in a folder are skipped, but a named file of another kind is an error.
    if let Some(other) = args.paths.iter().find(|path| path.is_file() && paths::kind_of(path).is_none()) {
        context.complain(&[Diagnostic::global("E0851").with("file", other.display())], &Sources::default());
        return Err(Exit::CouldNotRun);
    }
    let mut exit = Exit::Fine;
    let (mut seen, mut changed) = (0, 0);
    for path in files.iter().filter(|path| paths::kind_of(path).is_some()) {
        seen += 1;
        match one(path, args.check, context) {
            Outcome::Same => {}
            Outcome::Changed => changed += 1,
            Outcome::Ends(how) => exit = exit.max(how),
        }
    }
    let people = || {
        if exit == Exit::Fine {
            let key = if changed == 0 { "fmt.fine" } else { "fmt.done" };
            let args = [("files", seen.to_string()), ("changed", changed.to_string())];
            context.aside(&context.say(key, &args));
        }
    };
    context.result(|| serde_json::json!({ "kind": "fmt", "files": seen, "changed": changed }), people);
    Ok(exit)
}

enum Outcome {
    Same,
    Changed,
    Ends(Exit),
}

fn one(path: &Path, check: bool, context: &Context) -> Outcome {
    let mut sources = Sources::default();
    let found = |findings: &[Diagnostic], sources: &Sources, exit: Exit| {
        context.show(findings, sources);
        Outcome::Ends(exit)
    };
    let file = match files::read(path, &mut sources, Purpose::Game) {
        Ok(file) => file,
        Err(finding) => {
            let exit = if finding.is_no_file() { Exit::CouldNotRun } else { Exit::Findings };
            return found(&[finding], &sources, exit);
        }
    };
    let (Some(source), Some(kind)) = (sources.get(file), paths::kind_of(path)) else { return Outcome::Same };
    let formatted = match lang::syntax::format(kind, &source.text) {
        Ok(formatted) => formatted,
        Err(findings) => return found(&findings, &sources, Exit::Findings),
    };
    if formatted == source.text {
        return Outcome::Same;
    }
    if check {
        return found(&[Diagnostic::global("E0845").with("file", path.display())], &sources, Exit::Findings);
    }
    match project::files::write(path, &formatted, true) {
        Ok(()) => Outcome::Changed,
        Err(finding) => found(&[finding], &sources, Exit::CouldNotRun),
    }
}
