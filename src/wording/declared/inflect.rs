//! Makes all forms of declared words from the declared tables of endings.
//!
//! A form is a path: voices and polarity first, the inflection last (`受身 否定 た`). The tables are data of `rules/std`. This file only knows
//! how one table continues in another; it knows no Japanese ending.

use crate::reading::fold::fold_text;
use indexmap::IndexSet;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Name, WordClass};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Number of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FormId(pub u16);

/// The most voices in a row (使役 受身 否定 is three).
const DEEPEST_VOICE: usize = 3;

/// The numbered forms of a wording. Each is a path of names, joined by spaces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forms {
    paths: IndexSet<String, FxBuildHasher>,
}

impl Forms {
    /// The number of a path.
    pub(crate) fn id(&mut self, path: &str) -> FormId {
        FormId(self.paths.insert_full(path.to_owned()).0 as u16)
    }

    /// The number of a path, if some word has this form.
    pub(crate) fn find(&self, path: &str) -> Option<FormId> {
        self.paths.get_index_of(path).map(|index| FormId(index as u16))
    }

    /// For each voice, all forms under it. Each has the form after the voice, if that is a form too.
    pub(crate) fn by_voice(&self) -> FxHashMap<String, Vec<(FormId, FormId)>> {
        let mut voices: FxHashMap<String, Vec<(FormId, FormId)>> = FxHashMap::default();
        for (path, index) in self.paths.iter().zip(0..) {
            for (at, _) in path.match_indices(' ') {
                let (Some(voice), Some(rest)) = (path.get(..at), path.get(at + 1..).and_then(|rest| self.find(rest))) else { continue };
                voices.entry(voice.to_owned()).or_default().push((FormId(index), rest));
            }
        }
        voices
    }

    /// The path of a number.
    pub(crate) fn name(&self, form: FormId) -> &str {
        self.paths.get_index(form.0 as usize).map_or("", String::as_str)
    }

    /// All paths.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }
}

/// One form of a word.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// The signs after the stem, folded.
    pub ending: Vec<char>,
    /// The form.
    pub form: FormId,
}

/// A declared word with all its forms.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// The word's dictionary form as declared.
    pub(crate) dictionary: String,
    /// The beginning of all its forms, folded.
    pub stem: Vec<char>,
    /// All forms.
    pub(crate) surfaces: Vec<Surface>,
}

/// The tables of a wording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes<'a> {
    tables: Vec<&'a WordClass>,
    /// The endings of each table that has been used. They are the same for all its words.
    endings: FxHashMap<(&'a str, &'a str), Vec<Surface>>,
}

impl<'a> Classes<'a> {
    /// Adds a table. It replaces an earlier one of the same class and ending.
    pub(crate) fn add(&mut self, table: &'a WordClass) {
        self.tables.retain(|old| old.name.text != table.name.text || old.ending.text != table.ending.text);
        self.tables.push(table);
    }

    /// The table of a class with the longest dictionary ending that `word` ends in.
    fn table(&self, class: &str, word: &str) -> Option<&'a WordClass> {
        let fitting = self.tables.iter().filter(|table| table.name.text == class && word.ends_with(&table.ending.text));
        fitting.max_by_key(|table| table.ending.text.len()).copied()
    }

    /// All forms of a word.
    ///
    /// # Errors
    /// `E0402` if no table of the class fits, `E0454` if there is no such class.
    pub(crate) fn inflect(&mut self, word: &Name, class: &Name, forms: &mut Forms) -> Result<Word, Diagnostic> {
        let Some(table) = self.table(&class.text, &word.text) else {
            let mut classes: Vec<&str> = self.tables.iter().map(|table| table.name.text.as_str()).collect();
            if classes.contains(&class.text.as_str()) {
                return Err(Diagnostic::error("E0402", class.span).with("class", &class.text).with("word", &word.text));
            }
            let error = Diagnostic::error("E0454", class.span).with("class", &class.text).with("word", &word.text);
            let error = error.suggest(&class.text, classes.iter().copied());
            classes.dedup();
            return Err(if classes.is_empty() { error } else { error.with("known", classes.join("`, `")) });
        };
        let stem = word.text.strip_suffix(table.ending.text.as_str()).unwrap_or(&word.text);
        let key = (table.name.text.as_str(), table.ending.text.as_str());
        if !self.endings.contains_key(&key) {
            let mut surfaces = Vec::new();
            self.continue_in(table, "", "", 0, forms, &mut surfaces);
            self.endings.insert(key, surfaces);
        }
        let surfaces = self.endings.get(&key).cloned().unwrap_or_default();
        Ok(Word { dictionary: word.text.clone(), stem: fold_text(stem), surfaces })
    }

    fn continue_in(&self, table: &WordClass, before: &str, path: &str, depth: usize, forms: &mut Forms, surfaces: &mut Vec<Surface>) {
        for form in &table.forms {
            let ending = format!("{before}{}", form.ending.text);
            let path = if path.is_empty() { form.name.text.clone() } else { format!("{path} {}", form.name.text) };
            let Some(like) = &form.like else {
                surfaces.push(Surface { ending: fold_text(&ending), form: forms.id(&path) });
                continue;
            };
            let next = self.tables.iter().find(|table| table.name.text == like.text);
            if let Some(next) = next.filter(|_| depth < DEEPEST_VOICE) {
                self.continue_in(next, &ending, &path, depth + 1, forms, surfaces);
            }
        }
    }

    /// Findings for tables that name a class without a table.
    pub(crate) fn check(&self) -> Vec<Diagnostic> {
        let names = || self.tables.iter().map(|table| table.name.text.as_str());
        let likes = self.tables.iter().flat_map(|table| table.forms.iter().filter_map(|form| form.like.as_ref()));
        likes
            .filter(|like| names().all(|name| name != like.text))
            .map(|like| Diagnostic::error("E0402", like.span).with("class", &like.text).suggest(&like.text, names()))
            .collect()
    }
}
