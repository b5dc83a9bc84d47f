//! Fills the names of a `take` into the lines of a family.
//!
//! Input: a line and names. Output: the line with the names in it. `expand.rs` decides which lines are taken, and puts spellings and
//! meanings into them.

use crate::declared::expand::Expansion;
use crate::declared::lower::wording_items;
use lang::syntax::ast::{
    Absent, Decl, DeclKind, Family, Filler, Name, NamedMeaning, Printed, PrintedPart, RulesFile, WordingItem, WordingKind,
};
use lang::syntax::rewrite::Rewriter;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The word for a line that no family can hold. A spelling, a meaning or a family is declared once for the whole wording.
pub(crate) fn once_for_all(item: &WordingItem) -> Option<&'static str> {
    match &item.kind {
        WordingKind::Spelling(..) => Some("spelling"),
        WordingKind::Meaning(_) | WordingKind::TakeMeaning { .. } => Some("meaning"),
        WordingKind::Family(_) => Some("family"),
        _ => None,
    }
}

/// A family's line with these names filled in.
pub(crate) fn taken(line: &WordingItem, family: &Family, names: &[Name]) -> WordingItem {
    let mut line = line.clone();
    let mut renaming = Renaming { names: family.params.iter().map(|param| param.text.as_str()).zip(names).collect() };
    renaming.line(&mut line.kind);
    line
}

/// The changed line of a wording. If the line is a `take`: the single line of the family that differs. None if several lines differ.
pub(crate) fn changed_line<'w>(before: &'w WordingItem, now: &'w WordingItem) -> Option<(&'w WordingItem, &'w WordingItem)> {
    let (WordingKind::Take { lines: old, .. }, WordingKind::Take { lines: new, .. }) = (&before.kind, &now.kind) else {
        return Some((before, now));
    };
    let mut changed = old.iter().zip(new).filter(|(old, new)| old != new);
    changed.next().filter(|_| old.len() == new.len() && changed.next().is_none())
}

/// Fills the lines of families into each `take`, and the shared meanings into each `take meaning`, so that each can be shown and broken
/// separately.
pub fn fill_takes(files: &mut [RulesFile]) {
    let items: Vec<WordingItem> = wording_items(files).filter(|item| matches!(item.kind, WordingKind::Family(_))).cloned().collect();
    let families: Vec<&WordingItem> = items.iter().collect();
    let taken_name =
        |item: &WordingItem| if let WordingKind::TakeMeaning { name, .. } = &item.kind { Some(name.text.clone()) } else { None };
    let names: FxHashSet<String> = wording_items(files).filter_map(taken_name).collect();
    let shared = wording_items(files).filter_map(|item| match &item.kind {
        WordingKind::Meaning(meaning) if !meaning.overrides && names.contains(&meaning.name.text) => Some(meaning.clone()),
        _ => None,
    });
    let shared: Vec<NamedMeaning> = shared.collect();
    let (expansion, _) = Expansion::of(&families);
    for decl in files.iter_mut().flat_map(|file| &mut file.items) {
        let takes = |decl: &Decl| {
            let DeclKind::Wording(wording) = &decl.kind else { return false };
            wording.items.iter().any(|item| matches!(item.kind, WordingKind::Take { .. } | WordingKind::TakeMeaning { .. }))
        };
        if !takes(decl) {
            continue;
        }
        let DeclKind::Wording(wording) = &mut Arc::make_mut(decl).kind else { continue };
        for item in &mut Arc::make_mut(wording).items {
            match &mut item.kind {
                WordingKind::Take { family, names, lines } => {
                    // If the wording has findings, no lines are filled in. The findings are then reported when the wording is compiled.
                    let mut errors = Vec::new();
                    let taken = expansion.taken(family, names, &mut Vec::new(), &mut errors);
                    if errors.is_empty() {
                        *lines = taken;
                    }
                }
                WordingKind::TakeMeaning { name, meaning } => {
                    *meaning = shared.iter().find(|shared| shared.name.text == name.text).cloned();
                }
                _ => {}
            }
        }
    }
}

/// Replaces the parameters of a family by names.
struct Renaming<'f> {
    names: FxHashMap<&'f str, &'f Name>,
}

impl Renaming<'_> {
    fn line(&mut self, kind: &mut WordingKind) {
        match kind {
            WordingKind::Template(template) => {
                self.rename(&mut template.category);
                self.printed(&mut template.printed);
                self.fragment(&mut template.script);
                template.gives.iter_mut().for_each(|gives| self.rename(&mut gives.class));
                template.hands.iter_mut().for_each(|hand| self.expr(&mut hand.value));
            }
            WordingKind::Frame(frame) => {
                self.rename(&mut frame.category);
                frame.verbs.iter_mut().for_each(|verb| self.rename(verb));
                for slot in &mut frame.slots {
                    self.printed(&mut slot.floating);
                    match &mut slot.filler {
                        Filler::Printed(printed) => self.printed(printed),
                        Filler::Category(category) => self.rename(category),
                    }
                    if let Absent::Default(value) = &mut slot.absent {
                        self.expr(value);
                    }
                }
                self.fragment(&mut frame.script);
                frame.gives.iter_mut().for_each(|gives| self.rename(&mut gives.class));
                frame.hands.iter_mut().for_each(|hand| self.expr(&mut hand.value));
            }
            WordingKind::Unclear(unclear) => {
                self.rename(&mut unclear.category);
                self.printed(&mut unclear.printed);
            }
            WordingKind::Verb { word, class } => {
                self.rename(word);
                self.rename(class);
            }
            WordingKind::Relative(relative) => {
                self.rename(&mut relative.category);
                self.printed(&mut relative.printed);
            }
            WordingKind::Take { names, .. } => names.iter_mut().for_each(|name| self.rename(name)),
            _ => {}
        }
    }

    fn printed(&mut self, forms: &mut [Printed]) {
        for part in forms.iter_mut().flat_map(|printed| &mut printed.parts) {
            match Arc::make_mut(part) {
                PrintedPart::Word(words, _) => words.iter_mut().for_each(|word| self.rename(word)),
                PrintedPart::Hole(hole) => self.rename(&mut hole.category),
                PrintedPart::Text(_) | PrintedPart::Choice(..) => {}
            }
        }
    }

    fn rename(&mut self, name: &mut Name) {
        if let Some(put) = self.names.get(name.text.as_str()) {
            name.text.clone_from(&put.text);
        }
    }
}

impl Rewriter for Renaming<'_> {
    fn name(&mut self, name: &mut Name) {
        self.rename(name);
    }

    fn hole(&mut self, name: &mut Name) {
        self.rename(name);
    }

    fn label(&mut self, name: &mut Name) {
        self.rename(name);
    }
}
