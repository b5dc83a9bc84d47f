//! Stores results while they are found, so that a stopped run can go on.
//!
//! The file has lines: first a hash of the rules, cards and scenarios, then one JSON object for each result. If the hash is of other
//! rules or scenarios, the file is overwritten.

use audit::Outcome;
use lang::diagnostic::Diagnostic;
use project::files::{self, Purpose};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The length of the hash at the beginning of a file.
const HEAD: usize = 16;

/// The stored result of one break.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    key: String,
    outcome: Outcome,
}

/// The results so far, and the file to which new ones are added.
#[derive(Debug)]
pub(super) struct Store {
    known: FxHashMap<String, Outcome>,
    file: Mutex<File>,
}

impl Store {
    /// Opens a file of results, or starts one. A file with other contents is replaced only with `force`.
    ///
    /// # Errors
    /// `E0821` if another file is there, `E0866` and `E0887` for something that is no file, [`Diagnostic::unwritten`] if it cannot be written.
    pub(super) fn open(path: &Path, hash: u64, force: bool) -> Result<Self, Diagnostic> {
        if let Some(finding) = files::none_of_a_kind(path) {
            return Err(finding);
        }
        let unwritable = |error: std::io::Error| Diagnostic::unwritten(path, &error);
        let head = format!("{hash:016x}");
        if !force && !holds_results(path) {
            return Err(Diagnostic::global("E0821").with("file", path.display()));
        }
        let text = files::bytes(path, Purpose::Record).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let known: Option<FxHashMap<String, Outcome>> = text.split_once('\n').filter(|(first, _)| *first == head).map(|(_, rest)| {
            // An incomplete last line is ignored. Its result is computed again.
            let lines = rest.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
            lines.map(|line| (line.key, line.outcome)).collect()
        });
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(unwritable)?;
        }
        if known.is_none() {
            files::write(path, &format!("{head}\n"), true)?;
        }
        let mut file = files::appended_to(path)?;
        let cut_off = known.is_some() && !text.ends_with('\n');
        file.write_all(if cut_off { b"\n" } else { b"" }).map_err(unwritable)?;
        Ok(Self { known: known.unwrap_or_default(), file: Mutex::new(file) })
    }

    /// An earlier result.
    pub(super) fn get(&self, key: &str) -> Option<&Outcome> {
        self.known.get(key)
    }

    /// The number of earlier results.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Stores a result. A failed write is ignored, because the result can be found again.
    pub(super) fn keep(&self, key: &str, outcome: &Outcome) {
        let line = Line { key: key.to_owned(), outcome: outcome.clone() };
        let Ok(text) = serde_json::to_string(&line) else { return };
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(format!("{text}\n").as_bytes());
    }
}

/// Whether the file is missing or is a file of results. A file of results begins with a hash alone in its line.
fn holds_results(path: &Path) -> bool {
    // If the file cannot be opened, it may contain anything.
    let first = match files::beginning(path, HEAD as u64 + 1) {
        Ok(first) => first.unwrap_or_default(),
        Err(_) => return false,
    };
    let is_head = |first: &[u8]| first.len() == HEAD + 1 && first.ends_with(b"\n") && first.iter().take(HEAD).all(u8::is_ascii_hexdigit);
    first.is_empty() || is_head(&first)
}
