//! `E0294`: options in a group that nothing names. A group needs no declaration, so a misspelt group is a group of its own.

use super::Places;
use crate::Compiler;
use lang::diagnostic::{Diagnostic, FileId, Sources};
use lang::syntax::ast::{DeclKind, Name};
use lang::syntax::{TokenKind, normal, tokens};
use rustc_hash::FxHashSet;

impl Compiler {
    /// `E0294`, once for each group, at the first option that names the group.
    pub(super) fn unoffered(&self, sources: &Sources, own: &[FileId]) -> Vec<Diagnostic> {
        let options = self.decls.iter().filter_map(|decl| if let DeclKind::Option(option) = &decl.kind { Some(option) } else { None });
        let groups: Vec<&Name> = options.flat_map(|option| &option.groups).collect();
        let mut places: Places = groups.iter().map(|group| (group.text.clone(), Vec::new())).collect();
        let heads: FxHashSet<(FileId, u32)> = groups.iter().map(|group| (group.span.file, group.span.start)).collect();
        let named =
            |places: &Places, group: &str| places.get(group).is_some_and(|places| places.iter().any(|place| !heads.contains(place)));
        let is_read = |name: &str| name.contains(".rules") || name.contains(".cards");
        for (file, source) in sources.iter().filter(|(_, source)| is_read(&source.name)) {
            // Nearly every group is named in the files of the game itself. So most files need not be looked at.
            if groups.iter().all(|group| named(&places, &group.text)) {
                return Vec::new();
            }
            note_groups(&mut places, file, &source.text);
        }
        let is_named = |group: &str| named(&places, group);
        let mut known: Vec<&str> = groups.iter().map(|group| group.text.as_str()).filter(|group| is_named(group)).collect();
        known.sort_unstable();
        known.dedup();
        let mut told = FxHashSet::default();
        let unnamed = groups.iter().filter(|group| own.contains(&group.span.file) && !is_named(&group.text));
        let first = unnamed.filter(|group| told.insert(group.text.as_str()));
        let finding =
            |group: &&Name| Diagnostic::error("E0294", group.span).with("name", &group.text).suggest(&group.text, known.iter().copied());
        first.map(finding).collect()
    }
}

/// Notes the places of the groups in a file. A category of a wording may have the name of a group. Its name stands before a printed text
/// (`act 「…」`) or after `category`; a group's never does.
fn note_groups(places: &mut Places, file: FileId, text: &str) {
    let read = tokens(text).filter(|token| !matches!(token.kind, TokenKind::Comment | TokenKind::Cite)).collect::<Vec<_>>();
    for (at, token) in read.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Word) {
        let before_text = read.get(at + 1).is_some_and(|next| next.kind == TokenKind::Text && next.text.starts_with('「'));
        let declared = at.checked_sub(1).and_then(|before| read.get(before)).is_some_and(|before| before.text == "category");
        if let Some(known) = places.get_mut(normal(token.text).as_ref()).filter(|_| !before_text && !declared) {
            known.push((file, token.start as u32));
        }
    }
}
