//! The keys of texts for which the sources ask. Tests inside of the crates use this file.

use std::path::{Path, PathBuf};

/// The keys for which a call in these sources asks, each with its file. A call is its beginning up to the quotation mark.
pub(crate) fn asked_texts(folder: &str, calls: &[&str]) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let asked = calls.iter().flat_map(|call| text.split(*call).skip(1)).map(|rest| rest.split('"').next().unwrap_or(""));
            found.extend(asked.map(|key| (key.to_owned(), path.clone())));
            folders.extend(path.is_dir().then_some(path));
        }
    }
    found.retain(|(_, path)| path.extension().is_some_and(|ending| ending == "rs"));
    found
}
