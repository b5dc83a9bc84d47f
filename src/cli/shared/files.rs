//! Reads and writes the files of commands. Existing files are overwritten only with `--force`.

use crate::cli::Context;
use crate::diagnostic::{Diagnostic, FileId, Sources};
use crate::project;
use serde::de::DeserializeOwned;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Reads a file's text and adds it to `sources`.
///
/// # Errors
/// [`Diagnostic::unread`] if it cannot be read; `E0801` and `E0802` if it is no text.
pub fn read(path: &Path, sources: &mut Sources) -> Result<FileId, Diagnostic> {
    let name = path.display().to_string();
    let bytes = bytes_of(path).map_err(|error| Diagnostic::unread(path, &error))?;
    sources.add_bytes(name, &bytes)
}

/// The longest file that is read, in bytes. Files of games are far shorter; a longer file may have no end (`/dev/zero`).
const LONGEST: u64 = 1 << 28;

fn bytes_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST { Err(std::io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Reads a value from a RON file.
///
/// # Errors
/// The errors of [`read`]; `E0824` and `E0852` to `E0857`, with the place, if the text is no value of this type.
pub fn read_ron<T: DeserializeOwned>(path: &Path, sources: &mut Sources) -> Result<T, Diagnostic> {
    let file = read(path, sources)?;
    project::ron_value(file, sources)
}

/// Writes a new file. An existing file is overwritten only with `--force`.
///
/// # Errors
/// `E0821` if it exists, [`Diagnostic::unwritten`] if it cannot be written.
pub fn write(path: &Path, text: &str, context: &Context) -> Result<(), Diagnostic> {
    if context.force && path.is_file() {
        return replace(path, text);
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true);
    if context.force {
        options.create(true)
    } else {
        options.create_new(true)
    };
    let written = options.open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists if path.exists() => Diagnostic::global("E0821").with("file", path.display()),
        _ => Diagnostic::unwritten(path, &error),
    })
}

/// Checks whether a file can be written to this path. Called before a long game, so that its result is not lost. An existing file is not
/// changed.
///
/// # Errors
/// `E0821` if the file exists, [`Diagnostic::unwritten`] if it cannot be written.
pub fn may_write(path: &Path, context: &Context) -> Result<(), Diagnostic> {
    if path.exists() && !context.force {
        return Err(Diagnostic::global("E0821").with("file", path.display()));
    }
    // A pipe is not opened for a test, because another program may wait at its other end.
    if project::is_something_else(path) {
        return Ok(());
    }
    if path.exists() {
        return may_replace(path);
    }
    let tried = std::fs::OpenOptions::new().write(true).create_new(true).open(path).and_then(|_| std::fs::remove_file(path));
    tried.map_err(|error| Diagnostic::unwritten(path, &error))
}

/// Replaces a file's text in one step: whatever happens, the old or the new text is there completely. A link stays a link, and the file
/// that it leads to is replaced. The file keeps its permissions.
///
/// # Errors
/// [`Diagnostic::unwritten`] if it cannot be written.
pub fn replace(path: &Path, text: &str) -> Result<(), Diagnostic> {
    replaced(path, text).map_err(|error| Diagnostic::unwritten(path, &error))
}

fn replaced(path: &Path, text: &str) -> std::io::Result<()> {
    let (path, permissions) = replaceable(path)?;
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    // The name of the new file is no other file's name. If anything fails, the new file is removed.
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    beside.write_all(text.as_bytes())?;
    beside.as_file().set_permissions(permissions)?;
    beside.persist(&path).map(drop).map_err(|failed| failed.error)
}

/// Checks whether [`replace`] may replace a file. Called for all files before the first one is replaced.
///
/// # Errors
/// [`Diagnostic::unwritten`] if not.
pub fn may_replace(path: &Path) -> Result<(), Diagnostic> {
    let try_folder = |path: &Path| tempfile::NamedTempFile::new_in(path.parent().unwrap_or_else(|| Path::new("."))).map(drop);
    replaceable(path).and_then(|(path, _)| try_folder(&path)).map_err(|error| Diagnostic::unwritten(path, &error))
}

/// The file to which a path leads, and the permissions of the file. A file that may not be written is an error.
fn replaceable(path: &Path) -> std::io::Result<(PathBuf, std::fs::Permissions)> {
    let path = std::fs::canonicalize(path)?;
    let permissions = std::fs::OpenOptions::new().append(true).open(&path)?.metadata()?.permissions();
    if permissions.readonly() { Err(std::io::ErrorKind::PermissionDenied.into()) } else { Ok((path, permissions)) }
}
