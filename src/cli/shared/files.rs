//! Reads and writes the files that a command names. Existing files are overwritten only with `--force`.

use crate::Context;
use lang::diagnostic::{Diagnostic, FileId, Sources};
use project::files::{Purpose, bytes};
use project::{self, files};
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads a file's text and adds it to `sources`.
///
/// # Errors
/// The errors of [`bytes`]; `E0801` and `E0802` if it is no text.
pub(crate) fn read(path: &Path, sources: &mut Sources, purpose: Purpose) -> Result<FileId, Diagnostic> {
    sources.add_bytes(path.display().to_string(), &bytes(path, purpose)?)
}

/// Reads a value from a RON file that the program wrote.
///
/// # Errors
/// The errors of [`read`]; `E0824` and `E0852` to `E0857`, with the place, if the text is no value of this type.
pub(crate) fn read_ron<T: DeserializeOwned>(path: &Path, sources: &mut Sources) -> Result<T, Diagnostic> {
    let file = read(path, sources, Purpose::Record)?;
    project::ron_value(file, sources)
}

/// Writes a new file. An existing file is overwritten only with `--force`.
///
/// # Errors
/// The errors of [`files::write`].
pub(crate) fn write(path: &Path, text: &str, context: &Context) -> Result<(), Diagnostic> {
    files::write(path, text, context.force)
}

/// Checks before the work whether [`write`] may write a file.
///
/// # Errors
/// The errors of [`write`].
pub(crate) fn may_write(path: &Path, context: &Context) -> Result<(), Diagnostic> {
    files::may_write(path, context.force)
}
