//! Errors of the system when files are read or written, in the catalogue's words. The system's own words are in the system's language.

use super::{Diagnostic, nearest};
use std::io::{Error, ErrorKind};
use std::path::Path;

/// The codes of a file that cannot be read at all, whatever its bytes are.
const NO_FILE: [&str; 8] = ["E0822", "E0858", "E0859", "E0866", "E0874", "E0887", "E0890", "E0894"];

impl Diagnostic {
    /// Whether a file could not be read at all. Such a file ends a command with code 2, wherever the file lies.
    #[must_use]
    pub fn is_no_file(&self) -> bool {
        NO_FILE.contains(&self.code)
    }

    /// A file or folder that cannot be read: `E0858` if it does not exist (with the nearest name), `E0859` if access is denied, `E0866` if
    /// it is a folder instead of a file, `E0894` for the reverse, `E0874` for a broken link; else `E0822` with the system's reason.
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
            ErrorKind::IsADirectory => Self::global("E0866"),
            ErrorKind::NotADirectory => return Self::no_folder(path),
            _ => Self::global("E0822").with("reason", error),
        };
        finding.with("file", path.display())
    }

    /// `E0887` for a pipe or a device where a file is needed.
    #[must_use]
    pub fn no_file(path: &Path) -> Self {
        Self::global("E0887").with("file", path.display())
    }

    /// `E0894` for a file where a folder is needed: the path itself, or the part of it that is the file.
    fn no_folder(path: &Path) -> Self {
        let file = path.ancestors().find(|part| part.exists()).unwrap_or(path);
        Self::global("E0894").with("file", file.display())
    }

    /// A file that cannot be written: `E0867` if its folder does not exist, `E0868` if access is denied, `E0866` if it is a folder, `E0894`
    /// if its folder is a file, `E0874` for a broken link; else `E0823` with the system's reason.
    #[must_use]
    pub fn unwritten(path: &Path, error: &Error) -> Self {
        let finding = match error.kind() {
            _ if leads_nowhere(path) => Self::global("E0874"),
            ErrorKind::NotFound => Self::global("E0867"),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::global("E0868"),
            ErrorKind::IsADirectory => Self::global("E0866"),
            ErrorKind::NotADirectory => return Self::no_folder(path),
            _ => Self::global("E0823").with("reason", error),
        };
        finding.with("file", path.display())
    }
}

/// Whether the path is a broken link, or a link to itself.
fn leads_nowhere(path: &Path) -> bool {
    path.is_symlink() && !path.exists()
}

/// The nearest name in the folder of a missing file.
fn near(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let there = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<String> = there.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let meant = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| meant.to_owned(), |folder| folder.join(meant).display().to_string()))
}
