//! The one place where files of users are opened: one function reads a file, one writes a file.
//!
//! Reading finds out first whether there is a file, and whether it has a sensible size. Writing puts the new text beside the file, flushes
//! it to the disk, and gives it the file's name in one step. So whatever happens, the file is either whole or as it was before, also if the
//! disk is full or the machine stops.

use super::limits::{LONGEST_FILE, LONGEST_RECORD};
use lang::diagnostic::Diagnostic;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// What a file is for, and therefore how long it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A file that a person writes.
    Game,
    /// A save or a record, which a command writes.
    Record,
}

/// The bytes of a file. A pipe or a device is no file: reading it may wait for ever.
///
/// # Errors
/// `E0887` for a pipe or a device in the place of a file, `E0890` for a file that is too long, else [`Diagnostic::unread`].
pub fn bytes(path: &Path, purpose: Purpose) -> Result<Vec<u8>, Diagnostic> {
    let unread = |error: Error| Diagnostic::unread(path, &error);
    if let Some(finding) = none_of_a_kind(path) {
        return Err(finding);
    }
    let found = path.metadata().map_err(unread)?;
    let most = if purpose == Purpose::Record { LONGEST_RECORD } else { LONGEST_FILE };
    let mut bytes = Vec::new();
    // A file may grow while it is read.
    if found.len() <= most {
        File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(unread)?;
    }
    let length = found.len().max(bytes.len() as u64);
    if length > most { Err(Diagnostic::global("E0890").with("file", path.display()).with("most", most >> 20)) } else { Ok(bytes) }
}

/// The finding for a path that is named like a file and is none: a folder, a pipe or a device. A broken link is found when it is read.
#[must_use]
pub fn none_of_a_kind(path: &Path) -> Option<Diagnostic> {
    match path.metadata() {
        Ok(found) if found.is_dir() => Some(Diagnostic::unread(path, &ErrorKind::IsADirectory.into())),
        Ok(found) if !found.is_file() => Some(Diagnostic::no_file(path)),
        _ => None,
    }
}

/// Writes a file in one step. `over`: an existing file is replaced. A link stays a link, and the file that it leads to is replaced. A
/// replaced file keeps its permissions. A pipe or a device keeps nothing, and writing to it may wait for ever.
///
/// # Errors
/// `E0866` and `E0887` for something that is no file, `E0821` if a file exists and is not to be replaced, [`Diagnostic::unwritten`] if it cannot
/// be written.
pub fn write(path: &Path, text: &str, over: bool) -> Result<(), Diagnostic> {
    none_of_a_kind(path).map_or(Ok(()), Err)?;
    written(path, text, over).map_err(|error| unwritten(path, &error))
}

fn written(path: &Path, text: &str, over: bool) -> std::io::Result<()> {
    let (target, permissions) = match path.symlink_metadata() {
        Ok(_) if over => replaceable(path).map(|(target, permissions)| (target, Some(permissions)))?,
        Ok(_) => return Err(ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => (path.to_path_buf(), None),
        Err(error) => return Err(error),
    };
    let mut beside = beside(&target)?;
    beside.write_all(text.as_bytes())?;
    let replaces = permissions.is_some();
    if let Some(permissions) = permissions {
        beside.as_file().set_permissions(permissions)?;
    }
    // Without this the new name could reach the disk before the text does.
    beside.as_file().sync_all()?;
    let put = if replaces { beside.persist(&target) } else { beside.persist_noclobber(&target) };
    put.map_err(|failed| failed.error)?;
    // The name itself is kept in the folder. Some systems cannot flush a folder; the text is whole anyway.
    let _ = File::open(folder(&target)).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A new file beside another one. Its name is no other file's name. If anything fails, it is removed.
fn beside(path: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // As any new file: the user's own settings take away from these permissions.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder.prefix(".gyoji-").tempfile_in(folder(path))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks whether [`write`] may write a file. Called before the work whose result is written, so that the result is not lost, and for all
/// files before the first one is replaced. Nothing is changed.
///
/// # Errors
/// The errors of [`write`].
pub fn may_write(path: &Path, over: bool) -> Result<(), Diagnostic> {
    none_of_a_kind(path).map_or(Ok(()), Err)?;
    let tried = match path.symlink_metadata() {
        Ok(_) if !over => Err(ErrorKind::AlreadyExists.into()),
        Ok(_) => replaceable(path).and_then(|(target, _)| beside(&target).map(drop)),
        Err(error) if error.kind() == ErrorKind::NotFound => beside(path).map(drop),
        Err(error) => Err(error),
    };
    tried.map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &Path, error: &Error) -> Diagnostic {
    match error.kind() {
        ErrorKind::AlreadyExists if path.exists() => Diagnostic::global("E0821").with("file", path.display()),
        _ => Diagnostic::unwritten(path, error),
    }
}

/// The file to which a path leads, and the permissions of the file. A file that may not be written is an error.
fn replaceable(path: &Path) -> std::io::Result<(PathBuf, Permissions)> {
    let path = std::fs::canonicalize(path)?;
    let permissions = OpenOptions::new().append(true).open(&path)?.metadata()?.permissions();
    if permissions.readonly() { Err(ErrorKind::PermissionDenied.into()) } else { Ok((path, permissions)) }
}

/// A file to which lines are added while a command runs. A line that was cut off is lost and nothing else, so its reader has to ignore it.
///
/// # Errors
/// [`Diagnostic::unwritten`].
pub fn appended_to(path: &Path) -> Result<File, Diagnostic> {
    OpenOptions::new().append(true).open(path).map_err(|error| Diagnostic::unwritten(path, &error))
}

/// The first bytes of a file, at most so many. None if there is no file.
///
/// # Errors
/// The system's error.
pub fn beginning(path: &Path, most: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut first = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(most).read_to_end(&mut first).map(|_| Some(first)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
