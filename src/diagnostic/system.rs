//! What the system says when a file cannot be read or written, in the words of the catalogue: its own words are in its own language.

use super::{Diagnostic, nearest};
use std::io::{Error, ErrorKind};
use std::path::Path;

impl Diagnostic {
    /// A file or folder that could not be read: `E0858` when there is none (with the nearest name beside it), `E0859` when it is not
    /// allowed, `E0866` when it is of the other kind, `E0874` for a link that leads nowhere; else `E0822` with the system's reason.
    #[must_use]
    pub fn unread(path: &Path, error: &Error) -> Self {
        let finding = match error.kind() {
            ErrorKind::PermissionDenied => Self::global("E0859"),
            _ if leads_nowhere(path) => Self::global("E0874"),
            ErrorKind::NotFound => {
                let near = near(path);
                let gone = Self::global("E0858");
                return near.into_iter().fold(gone, |gone, near| gone.with("near", near)).with("file", path.display());
            }
            ErrorKind::IsADirectory | ErrorKind::NotADirectory => Self::global("E0866"),
            _ => Self::global("E0822").with("reason", error),
        };
        finding.with("file", path.display())
    }

    /// A file that could not be written: `E0867` when its folder is not there, `E0868` when it is not allowed, `E0866` when a folder
    /// stands there, `E0874` for a link that leads nowhere; else `E0823` with the system's reason.
    #[must_use]
    pub fn unwritten(path: &Path, error: &Error) -> Self {
        let finding = match error.kind() {
            _ if leads_nowhere(path) => Self::global("E0874"),
            ErrorKind::NotFound => Self::global("E0867"),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::global("E0868"),
            ErrorKind::IsADirectory | ErrorKind::NotADirectory => Self::global("E0866"),
            _ => Self::global("E0823").with("reason", error),
        };
        finding.with("file", path.display())
    }
}

/// Whether a link stands there whose end is not there, or that leads to itself.
fn leads_nowhere(path: &Path) -> bool {
    path.is_symlink() && !path.exists()
}

/// The name in the same folder that is nearest to one that is not there.
fn near(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let there = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<String> = there.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let meant = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| meant.to_owned(), |folder| folder.join(meant).display().to_string()))
}
