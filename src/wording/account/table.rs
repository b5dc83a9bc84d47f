//! What each printed word owes: from the `owes` lines of the wordings, and from the labels of the declarations.

use crate::account::carried::Carried;
use crate::account::looks::Looks;
use crate::account::parts::{BOUNDS, PLAYERS, SIDES};
use crate::account::printed::Owed;
use crate::declared::grammar::Numerals;
use crate::declared::lexicon::{labels, zones};
use crate::declared::lower::wording_items;
use crate::reading::fold::fold_text;
use lang::diagnostic::Span;
use lang::syntax::ast::{DeclKind, RulesFile, WordingKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The word of an `owes` line for a printed word that owes nothing.
const NOTHING: &str = "none";

/// The kinds of labels that a text must not lose. Names of other kinds are compared where they stand in brackets.
const WEIGHTY: [&str; 2] = ["zone", "keyword"];

/// The constructs that a text must print, if any word of the game's texts says them.
const PRINTED: [&str; 11] =
    ["opponent", "up", "down", "from_below", "from_above", "top", "bottom", "up_to", "any_number", "may", "blindly"];

/// A printed word, and the names of which one must stand in the script.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// The word's signs, folded.
    pub signs: Vec<char>,
    /// The names of which one must stand in the script.
    pub owed: Vec<Arc<str>>,
    /// The names that may stand in the script because of this word.
    pub may_say: Vec<Arc<str>>,
    /// Whether a line says that the word owes nothing.
    pub is_idle: bool,
    /// The line that says so. None for a label.
    pub declared: Option<Span>,
}

impl Word {
    /// What the word may say: the names, and each number, which any number of parts may have.
    pub(super) fn may_say(&self, say: &mut impl FnMut(Owed, bool)) {
        if !self.may_say.is_empty() {
            say(Owed::Any(self.may_say.clone()), false);
        }
        self.may_say.iter().filter_map(|name| name.parse().ok()).for_each(|number| say(Owed::Number(number), true));
    }
}

/// What the words of a game's texts owe.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    /// The words by their first sign, the longest first.
    pub(super) words: FxHashMap<char, Vec<Word>>,
    /// The names behind each label, folded.
    pub(super) labels: FxHashMap<Vec<char>, Vec<Arc<str>>>,
    /// The signs that open and close a heading, folded.
    pub(super) headings: Vec<(Vec<char>, Vec<char>)>,
    /// The game's card types.
    pub(super) types: Vec<String>,
    pub(super) zones: FxHashSet<Arc<str>>,
    pub(super) durations: FxHashSet<Arc<str>>,
    /// Whether the parts of a script need printed words. If not, only the printed words need parts.
    pub(super) both_ways: bool,
    /// The names that a script may have only if the text prints a word for them.
    pub(super) needing: FxHashSet<Arc<str>>,
    pub(super) numerals: Numerals,
    pub(super) carried: Carried,
    pub(super) looks: Looks,
}

impl Account {
    /// The account of a game. Without an `owes` line nothing is compared.
    pub(crate) fn new(files: &[RulesFile], numerals: &Numerals) -> Self {
        let mut found: Vec<Word> = Vec::new();
        let mut headings = Vec::new();
        for item in wording_items(files) {
            if let WordingKind::Heading(open, close) = &item.kind
                && !open.text.is_empty()
            {
                headings.push((fold_text(&open.text), fold_text(&close.text)));
            }
            let WordingKind::Owes(printed, names) = &item.kind else { continue };
            let owed: Vec<Arc<str>> = names.iter().map(|name| Arc::from(name.text.as_str())).collect();
            for text in printed {
                add(&mut found, fold_text(&text.text), owed.clone(), Some(text.span));
            }
        }
        if found.is_empty() {
            return Self { looks: Looks::new(files), ..Self::default() };
        }
        let types: Vec<String> = files
            .iter()
            .flat_map(|file| &file.items)
            .filter_map(|decl| match &decl.kind {
                DeclKind::CardType(head, _) => Some(head.name.text.clone()),
                _ => None,
            })
            .collect();
        let mut by_label: FxHashMap<Vec<char>, Vec<Arc<str>>> = FxHashMap::default();
        let told: FxHashSet<Vec<char>> = found.iter().map(|word| word.signs.clone()).collect();
        for label in labels(files) {
            let (signs, name) = (fold_text(&label.text.text), Arc::from(label.name.as_str()));
            if WEIGHTY.contains(&label.kind.as_str()) && !told.contains(&signs) {
                add(&mut found, signs.clone(), vec![Arc::clone(&name)], None);
            }
            by_label.entry(signs).or_default().push(name);
        }
        // Names in brackets may be those of timings, actions, pools ….
        for head in files.iter().flat_map(|file| &file.items).filter_map(|decl| decl.kind.head()) {
            if let Some(label) = &head.label {
                let names = by_label.entry(fold_text(&label.text)).or_default();
                let name: Arc<str> = Arc::from(head.name.text.as_str());
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let mut owed: FxHashSet<Arc<str>> = found.iter().flat_map(|word| word.owed.iter().chain(&word.may_say)).cloned().collect();
        owed.extend(by_label.values().flatten().cloned());
        // The players and the comparisons in a body are those of the body. The text says its own.
        owed.retain(|name| !SIDES.contains(&&**name) && !BOUNDS.contains(&&**name) && &**name != PLAYERS);
        let zones: FxHashSet<Arc<str>> = zones(files).map(Arc::from).collect();
        let durations: FxHashSet<Arc<str>> = files
            .iter()
            .flat_map(|file| &file.items)
            .filter_map(|decl| match &decl.kind {
                DeclKind::Duration(head, _) => Some(Arc::from(head.name.text.as_str())),
                _ => None,
            })
            .collect();
        let may_say = |name: &&Arc<str>| found.iter().any(|word| word.may_say.contains(*name));
        // The words of std say no zone. A game that says which words may say its zones has looked at all of its words.
        let both_ways = zones.iter().any(|zone| may_say(&zone));
        // A duration needs a word if some word may say it.
        let mut needing: FxHashSet<Arc<str>> = zones.iter().chain(durations.iter().filter(may_say)).cloned().collect();
        let says = |name: &Arc<str>| found.iter().any(|word| word.owed.contains(name) || word.may_say.contains(name));
        needing.extend(PRINTED.map(Arc::from).into_iter().filter(says));
        let mut words: FxHashMap<char, Vec<Word>> = FxHashMap::default();
        for word in found {
            if let Some(first) = word.signs.first() {
                words.entry(*first).or_default().push(word);
            }
        }
        words.values_mut().for_each(|words| words.sort_by_key(|word| std::cmp::Reverse(word.signs.len())));
        Self {
            words,
            headings,
            types,
            zones,
            durations,
            both_ways,
            needing,
            labels: by_label,
            numerals: numerals.clone(),
            carried: Carried::new(files, &owed),
            looks: Looks::new(files),
        }
    }

    /// Whether nothing is compared.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Adds a word. A word that is there already owes and says the names of both lines. `none` alone counts for both.
fn add(found: &mut Vec<Word>, signs: Vec<char>, names: Vec<Arc<str>>, declared: Option<Span>) {
    let at = found.iter().position(|word| word.signs == signs).unwrap_or(found.len());
    if at == found.len() {
        found.push(Word { signs, owed: Vec::new(), may_say: Vec::new(), is_idle: false, declared });
    }
    let Some(word) = found.get_mut(at) else { return };
    let (nothing, names): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| &**name == NOTHING);
    match nothing.is_empty() {
        true => word.owed.extend(names),
        false => {
            word.is_idle |= names.is_empty();
            word.may_say.extend(names);
        }
    }
    if word.is_idle {
        word.owed.clear();
    }
}
