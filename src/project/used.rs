//! The rules files of a game, and of the modules that it uses (`use NAME`).

use super::embedded::{self, SHARED, Tree, embedded_games, shared_rules};
use super::folder::Project;
use super::game::{kept, trees};
use super::reading::{self, Taken};
use crate::diagnostic::{Diagnostic, FileId, Source, Sources};
use crate::syntax::ast::{DeclKind, Head, Name, RulesFile};
use crate::syntax::{parse_rules, without_untaken};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// The trees of the rules files, used modules first, and the list of the game's own files.
pub(super) fn rules(
    from: &Taken,
    project: Option<&Project>,
    sources: &mut Sources,
    found: &mut Vec<Diagnostic>,
) -> (Vec<RulesFile>, Vec<FileId>) {
    let files = reading::read(Tree::Rules, from, "", "rules", sources, found);
    // The used modules are read at the same time as the game's files. They are guessed from lines that begin with `use`.
    let guessed = seem_used(&files, sources);
    let (mut with_used, mut unread) = (sources.clone(), Vec::new());
    let place = |name: &str| reading::place_of_used(name, project);
    let more: Vec<Vec<FileId>> =
        guessed.iter().map(|name| reading::read(Tree::Rules, &place(name), "", "rules", &mut with_used, &mut unread)).collect();
    let all: Vec<FileId> = files.iter().chain(more.iter().flatten()).copied().collect();
    let mut read = trees_without_untaken(&all, &with_used);
    let mut of_used = read.split_off(files.len());
    let own = kept(read, found);
    let mut used = uses(&own);
    used.retain(|(name, _)| {
        // If a game used itself, its files would be there twice.
        let is_itself = place(&name.text) == *from;
        found.extend(is_itself.then(|| Diagnostic::error("E0879", name.span).with("name", &name.text)));
        !is_itself
    });
    if unread.is_empty()
        && guessed.iter().eq(used.iter().map(|(name, _)| &name.text))
        && guessed.iter().all(|name| place(name) != Taken::Nowhere)
    {
        *sources = with_used;
        let mut trees_of_all = Vec::new();
        for ((name, heads), files) in used.iter().zip(&more) {
            let rest = of_used.split_off(files.len().min(of_used.len()));
            trees_of_all.extend(named_anew(kept(of_used, found), name, heads, found));
            of_used = rest;
        }
        trees_of_all.extend(own);
        return (trees_of_all, files);
    }
    let mut trees_of_all = Vec::new();
    for (name, heads) in &used {
        let place = place(&name.text);
        if place == Taken::Nowhere {
            let known: Vec<String> = embedded_games().into_iter().chain([SHARED.to_owned()]).chain(shared_rules()).collect();
            let finding = Diagnostic::error("E0850", name.span).with("name", &name.text);
            found.push(finding.suggest(&name.text, known.iter().map(String::as_str)));
            continue;
        }
        let of_used = reading::read(Tree::Rules, &place, "", "rules", sources, found);
        trees_of_all.extend(named_anew(kept(trees(&of_used, sources, parse_rules), found), name, heads, found));
    }
    trees_of_all.extend(own);
    (trees_of_all, files)
}

/// The trees of all these files. A shared file may be the file that is built into the program, unchanged. From this file, only the families
/// that some file takes are read. (The program's own tests read the whole file.)
fn trees_without_untaken(files: &[FileId], sources: &Sources) -> Vec<(RulesFile, Vec<Diagnostic>)> {
    let text = |file: FileId| sources.get(file).map_or("", |source| source.text.as_str());
    let built_in = embedded::files(Tree::Rules, SHARED, "rules").unwrap_or_default();
    let is_built_in = |source: &Source| {
        let name = Path::new(source.name.trim_matches(['<', '>'])).file_name();
        built_in.iter().any(|(path, bytes)| Path::new(path).file_name() == name && *bytes == source.text.as_bytes())
    };
    let (shared, others): (Vec<FileId>, Vec<FileId>) = files.iter().copied().partition(|file| sources.get(*file).is_some_and(is_built_in));
    let texts = |files: &[FileId]| -> Vec<&str> { files.iter().map(|file| text(*file)).collect() };
    let shortened = without_untaken(&texts(&others), &texts(&shared));
    let shortened: FxHashMap<FileId, Cow<'_, str>> = shared.into_iter().zip(shortened).collect();
    trees(files, sources, |file, text| parse_rules(file, shortened.get(&file).map_or(text, |text| text)))
}

/// The modules that the game's own files use, each once, with the heads that the game gives to their declarations.
fn uses(own: &[RulesFile]) -> Vec<(Name, Vec<Head>)> {
    let mut used: Vec<(Name, Vec<Head>)> = Vec::new();
    for decl in own.iter().flat_map(|file| &file.items) {
        if let DeclKind::Use(name, heads) = &decl.kind {
            match used.iter_mut().find(|(known, _)| known.text == name.text) {
                Some((_, known)) => known.extend(heads.iter().cloned()),
                None => used.push((name.clone(), heads.clone())),
            }
        }
    }
    used
}

/// Gives declarations of a used module the labels and rules that the game gives them. `E0877` for a name that the module does not declare.
fn named_anew(mut files: Vec<RulesFile>, of: &Name, heads: &[Head], found: &mut Vec<Diagnostic>) -> Vec<RulesFile> {
    for said in heads {
        let mut is_there = false;
        for decl in files.iter_mut().flat_map(|file| &mut file.items) {
            if let Some(head) = Arc::make_mut(decl).kind.head_mut().filter(|head| head.name.text == said.name.text) {
                is_there = true;
                head.label = said.label.clone().or(head.label.take());
                head.cites.extend(said.cites.iter().cloned());
            }
        }
        if !is_there {
            let known: Vec<&str> =
                files.iter().flat_map(|file| &file.items).filter_map(|decl| decl.kind.head()).map(|head| head.name.text.as_str()).collect();
            let finding = Diagnostic::error("E0877", said.name.span).with("name", &said.name.text).with("of", &of.text);
            found.push(finding.suggest(&said.name.text, known));
        }
    }
    files
}

/// The names behind `use` at the beginnings of lines, each once. Before parsing, one cannot know whether such a line stands inside a text.
fn seem_used(files: &[FileId], sources: &Sources) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in files.iter().filter_map(|file| sources.get(*file)).flat_map(|source| source.text.lines()) {
        let name = line.strip_prefix("use ").and_then(|rest| rest.split_whitespace().next());
        names.extend(name.filter(|name| !names.iter().any(|known| known == name)).map(str::to_owned));
    }
    names
}
