//! The rules files of a game, and of the folders that it uses (`use NAME`), straight or by way of other folders.

use super::embedded::{self, SHARED, Tree, embedded_games, shared_rules};
use super::folder::Project;
use super::game::{kept, trees};
use super::limits::MOST_USED_FOLDERS;
use super::reading::{self, Taken};
use lang::diagnostic::{Diagnostic, FileId, Source, Sources};
use lang::syntax::ast::{DeclKind, Head, Name, RulesFile};
use lang::syntax::{parse_rules, without_untaken};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// A folder that a game uses, straight or by way of other folders.
struct Folder {
    /// Its name, where a `use` line first names it.
    name: Name,
    /// What `use` lines say of its declarations. The game's own lines come last, because the last label counts.
    heads: Vec<Head>,
    /// The names of the folders that it uses.
    uses: Vec<Name>,
    trees: Vec<RulesFile>,
    found: Vec<Diagnostic>,
}

/// The trees of the rules files, used folders first, and the list of the game's own files.
pub(super) fn rules(
    from: &Taken,
    project: Option<&Project>,
    sources: &mut Sources,
    found: &mut Vec<Diagnostic>,
) -> (Vec<RulesFile>, Vec<FileId>) {
    let files = reading::read(Tree::Rules, from, "", "rules", sources, found);
    let place = |name: &str| reading::place_of_used(name, project);
    // If a game used itself, its files would be there twice.
    let is_itself = |name: &str| is_one_place(&place(name), from);
    // The used folders are read at the same time as the game's files. They are guessed from lines that begin with `use`.
    let (mut with_used, mut unread) = (sources.clone(), Vec::new());
    let mut guessed: Vec<(String, Vec<FileId>)> = Vec::new();
    let mut looked_at = files.clone();
    while !looked_at.is_empty() && guessed.len() <= MOST_USED_FOLDERS {
        let mut names = seem_used(&looked_at, &with_used);
        names.retain(|name| !is_itself(name) && !guessed.iter().any(|(known, _)| known == name));
        let read = |name: &String| reading::read(Tree::Rules, &place(name), "", "rules", &mut with_used, &mut unread);
        let more: Vec<Vec<FileId>> = names.iter().map(read).collect();
        looked_at = more.iter().flatten().copied().collect();
        guessed.extend(names.into_iter().zip(more));
    }
    let all: Vec<FileId> = files.iter().chain(guessed.iter().flat_map(|(_, files)| files)).copied().collect();
    let mut of_used = trees_without_untaken(&all, &with_used).into_iter();
    let own = kept(of_used.by_ref().take(files.len()).collect(), found);
    let names: Vec<String> = guessed.iter().map(|(name, _)| name.clone()).collect();
    let mut read: FxHashMap<String, Vec<_>> =
        guessed.into_iter().map(|(name, files)| (name, of_used.by_ref().take(files.len()).collect())).collect();
    let mut too_many = None;
    let mut folders = folders_of(&own, &mut too_many, |name| read.remove(name).unwrap_or_default());
    let used = folders.iter().map(|folder| &folder.name.text).filter(|name| !is_itself(name));
    if unread.is_empty() && names.iter().eq(used) {
        *sources = with_used;
    } else {
        // A line only looked like `use`, or a file could not be read: the folders are read one by one.
        folders = folders_of(&own, &mut too_many, |name| {
            let place = if is_itself(name) { Taken::Nowhere } else { place(name) };
            let files = reading::read(Tree::Rules, &place, "", "rules", sources, found);
            trees(&files, sources, parse_rules)
        });
    }
    for name in folders.iter().map(|folder| &folder.name) {
        if is_itself(&name.text) {
            found.push(Diagnostic::error("E0879", name.span).with("name", &name.text));
        } else if place(&name.text) == Taken::Nowhere {
            let known: Vec<String> = embedded_games().into_iter().chain([SHARED.to_owned()]).chain(shared_rules()).collect();
            let finding = Diagnostic::error("E0850", name.span).with("name", &name.text);
            found.push(finding.suggest(&name.text, known.iter().map(String::as_str)));
        }
    }
    found.extend(too_many);
    found.extend(circle(&folders));
    let mut trees_of_all = Vec::new();
    for at in used_first(&folders) {
        if let Some(folder) = folders.get_mut(at).filter(|folder| place(&folder.name.text) != Taken::Nowhere) {
            found.append(&mut folder.found);
            let trees = std::mem::take(&mut folder.trees);
            trees_of_all.extend(named_anew(trees, &folder.name, &folder.heads, found));
        }
    }
    trees_of_all.extend(own);
    (trees_of_all, files)
}

/// Whether both are the same folder. A folder of the command line may also be a folder of the project.
fn is_one_place(one: &Taken, other: &Taken) -> bool {
    let path = |taken: &Taken| match taken {
        Taken::Named(folder) | Taken::Project(folder) => std::fs::canonicalize(folder).ok(),
        Taken::Embedded(_) | Taken::Nowhere => None,
    };
    one == other || path(one).is_some_and(|folder| path(other) == Some(folder))
}

/// The folders that the game's own files use, and the folders that those use, each once, in the order in which they are first named. `E0893`
/// at the first folder beyond the limit; it is not read.
fn folders_of(
    own: &[RulesFile],
    too_many: &mut Option<Diagnostic>,
    mut read: impl FnMut(&str) -> Vec<(RulesFile, Vec<Diagnostic>)>,
) -> Vec<Folder> {
    let mut folders: Vec<Folder> = Vec::new();
    let mut lines = uses(own);
    for at in 0.. {
        for (name, heads) in lines {
            if let Some(known) = folders.iter_mut().find(|known| known.name.text == name.text) {
                known.heads.splice(0..0, heads);
                continue;
            }
            if folders.len() == MOST_USED_FOLDERS {
                *too_many = Some(Diagnostic::error("E0893", name.span).with("most", MOST_USED_FOLDERS));
                return folders;
            }
            let mut found = Vec::new();
            let trees = kept(read(&name.text), &mut found);
            let uses = uses(&trees).into_iter().map(|(name, _)| name).collect();
            folders.push(Folder { name, heads, uses, trees, found });
        }
        let Some(next) = folders.get(at) else { break };
        lines = uses(&next.trees);
    }
    folders
}

/// The folders in an order in which each comes after the folders that it uses.
fn used_first(folders: &[Folder]) -> Vec<usize> {
    fn add(at: usize, folders: &[Folder], begun: &mut [bool], order: &mut Vec<usize>) {
        let Some(begun_here) = begun.get_mut(at).filter(|begun| !**begun) else { return };
        *begun_here = true;
        for used in folders.get(at).map(|folder| &folder.uses).into_iter().flatten() {
            if let Some(used) = folders.iter().position(|folder| folder.name.text == used.text) {
                add(used, folders, begun, order);
            }
        }
        order.push(at);
    }
    let (mut begun, mut order) = (vec![false; folders.len()], Vec::new());
    (0..folders.len()).for_each(|at| add(at, folders, &mut begun, &mut order));
    order
}

/// `E0879` at a `use` line that closes a circle of folders: the first one, with the way round.
fn circle(folders: &[Folder]) -> Option<Diagnostic> {
    let named = |name: &str| folders.iter().find(|folder| folder.name.text == name);
    // The way from one folder to another, by folders that were not tried before.
    fn way<'f>(from: &'f str, to: &str, named: &impl Fn(&str) -> Option<&'f Folder>, tried: &mut Vec<&'f str>) -> Option<Vec<&'f str>> {
        if from == to {
            return Some(vec![from]);
        }
        if tried.contains(&from) {
            return None;
        }
        tried.push(from);
        let further = named(from)?.uses.iter().find_map(|used| way(&used.text, to, named, tried))?;
        Some(std::iter::once(from).chain(further).collect())
    }
    folders.iter().find_map(|folder| {
        folder.uses.iter().find_map(|used| {
            let way = way(&used.text, &folder.name.text, &named, &mut Vec::new())?;
            let names: Vec<String> = std::iter::once(folder.name.text.as_str()).chain(way).map(|name| format!("`{name}`")).collect();
            let finding = Diagnostic::error("E0879", used.span).with("name", &folder.name.text);
            Some(finding.with("way", names.join(" → ")))
        })
    })
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

/// The folders that these files use, each once, with the heads that the files give to their declarations.
fn uses(files: &[RulesFile]) -> Vec<(Name, Vec<Head>)> {
    let mut used: Vec<(Name, Vec<Head>)> = Vec::new();
    for decl in files.iter().flat_map(|file| &file.items) {
        if let DeclKind::Use(name, heads) = &decl.kind {
            match used.iter_mut().find(|(known, _)| known.text == name.text) {
                Some((_, known)) => known.extend(heads.iter().cloned()),
                None => used.push((name.clone(), heads.clone())),
            }
        }
    }
    used
}

/// Gives declarations of a used folder the labels and rules that `use` lines give them. `E0877` for a name that the folder does not declare.
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

/// The names after `use` at the beginnings of lines, each once. Before parsing, one cannot know whether such a line stands inside a text.
fn seem_used(files: &[FileId], sources: &Sources) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in files.iter().filter_map(|file| sources.get(*file)).flat_map(|source| source.text.lines()) {
        let name = line.strip_prefix("use ").and_then(|rest| rest.split_whitespace().next());
        names.extend(name.filter(|name| !names.iter().any(|known| known == name)).map(str::to_owned));
    }
    names
}
