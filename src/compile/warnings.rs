//! Warnings: things that are allowed but probably not meant. They are found once a whole game has been compiled with its cards. The game
//! can be played in spite of them.
//!
//! This file warns of zones that do not say who knows their cards, of layers that no change belongs to, and of names that are mentioned
//! only where they are declared. The files in `warnings/` hold the others:
//!
//! | file | warns of |
//! | --- | --- |
//! | `reach.rs` | statements that nothing reaches, loops that nothing ends |
//! | `affected.rs`, `places_of_nodes.rs` | (nothing: they find the cards that an effect changes or an expression reads, for `idle_changes.rs`, `lacking.rs` and `nowhere.rs`) |
//! | `alike_names.rs` | names of cards that differ only in the width or composition of signs |
//! | `below_zero.rs` | effects that may lower a price below zero |
//! | `circles.rs` | procedures that only call themselves |
//! | `durations.rs` | durations that nothing ends |
//! | `guessed.rs` | zones to which texts send cards that may belong to another player |
//! | `hidden.rs` | declarations with the name of a statement or a function of the language |
//! | `idle_changes.rs` | effects that change a value of cards of which nothing reads the value |
//! | `lacking.rs` | changes of a number that the card does not print, cards that alone of their kind lack a value |
//! | `last_player.rs` | texts that ask once whether several players did something |
//! | `layering.rs` | policies and layers that do nothing because of the layers |
//! | `moved.rs` | statements about a card that has moved and is a new object, moves into a zone with places without a place |
//! | `never_heard.rs` | abilities that can never act: no event satisfies their pattern, or their condition is never true. `known.rs` holds the facts about the cards of an event, `ways.rs` tries the ways in which it can happen, `surely_moved.rs` finds the cards that an action moves |
//! | `nobody_acts.rs` | `you` in loops over players where no player acts |
//! | `nowhere.rs` | abilities that work only in zones where they can do nothing |
//! | `ownerless.rs` | texts that need a player, on cards that belong to nobody |
//! | `renamed.rs` | keywords and kinds whose label no template reads |
//! | `unattempted.rs` | options that spend and are no attempt |
//! | `unhappening.rs` | abilities that wait for an action that nothing performs, moments that nothing takes up |
//! | `unlabelled.rs` | questions without words for the player |
//! | `unlisted.rs` | rules that the list of the game's rules leaves out |
//! | `unnamed_kinds.rs` | kinds of abilities that nothing performs |
//! | `unoffered.rs` | options in a group that nothing names |
//! | `unperformed.rs` | abilities that wait, if nothing performs them |
//! | `unset.rs` | states and pools that nothing sets, decks that nothing shuffles |
//! | `unread.rs` | names of values that nothing reads |
//! | `shared.rs` | shared cards that a player takes, if nothing says whose they are |

mod affected;
mod alike_names;
mod below_zero;
mod circles;
mod durations;
mod guessed;
mod hidden;
mod idle_changes;
mod known;
mod lacking;
mod last_player;
mod layering;
mod moved;
mod never_heard;
mod nobody_acts;
mod nowhere;
mod ownerless;
mod places_of_nodes;
mod reach;
mod renamed;
mod shared;
mod surely_moved;
mod unattempted;
mod unhappening;
mod unlabelled;
mod unlisted;
mod unnamed_kinds;
mod unoffered;
mod unperformed;
mod unread;
mod unset;
mod ways;

use super::Compiler;
use lang::diagnostic::{Diagnostic, FileId, Sources, Span};
use lang::syntax::ast::{Ability, CardDecl, Decl, DeclKind, Head, Name, Phase, Property};
use lang::syntax::{TokenKind, normal, tokens};
use rustc_hash::FxHashMap;

/// Where words stand that are declared names or their labels.
type Places = FxHashMap<String, Vec<(FileId, u32)>>;

/// A name that something else must mention: the code of the finding, the head of the declaration, the kind of the declaration.
type Named<'d> = (&'static str, &'d Head, &'static str);

impl Compiler {
    /// All warnings, in the order of the files. `sources` are the files that the game was read from, and its scenarios, whose cards may use
    /// things that no other card uses. `own` are the game's own rules files; declarations of shared modules need not be used.
    #[must_use]
    pub fn warnings(&self, sources: &Sources, own: &[FileId]) -> Vec<Diagnostic> {
        let mut found = self.unreached();
        found.extend(self.silently_owned());
        found.extend(self.unended());
        found.extend(self.circles());
        found.extend(self.lacking());
        found.extend(self.unlike_others());
        found.extend(self.below_zero());
        found.extend(self.alike_names());
        found.extend(self.hidden(own));
        found.extend(self.endless_ranges());
        found.extend(self.unread(sources, own));
        found.extend(self.unoffered(sources, own));
        found.extend(self.unperformed());
        found.extend(self.unapplied());
        found.extend(self.unlisted(own));
        found.extend(self.idle_in_layers());
        found.extend(self.never_heard());
        found.extend(self.unnamed_kinds());
        found.extend(self.renamed());
        found.extend(self.unfelt(sources));
        found.extend(self.nowhere(sources));
        // Under another value of a reading, other statements are part of the program. They may do what seems to be missing.
        if self.symbols.readings.is_empty() {
            found.extend(self.unhappening(sources));
            found.extend(self.untaken_moments());
            found.extend(self.unset(sources, own));
        }
        found.extend(self.nobody_acts());
        found.extend(self.unattempted());
        found.extend(self.unlabelled(own));
        found.extend(self.used_after_moves(own));
        found.extend(self.placeless(own));
        for decl in self.decls.iter() {
            match &decl.kind {
                DeclKind::Zone(head, properties) if !says_who_knows(properties) => found.push(about("E0265", head, "zone")),
                DeclKind::Layers(_, layers) => {
                    let unused = layers.iter().enumerate().filter(|(at, _)| !self.layers_used.contains(at));
                    found.extend(unused.map(|(_, (head, _))| about("E0266", head, "layer")));
                }
                _ => {}
            }
        }
        found.extend(wording::amounts(&self.decls, self.added.iter().map(|added| (&added.0, added.1.as_slice()))));
        self.never_named(sources, own, &mut found);
        found.sort_by_key(|finding| (finding.span, finding.code));
        // One template may stand on many cards.
        found.dedup_by_key(|finding| (finding.span, finding.code));
        found.into_iter().map(Diagnostic::warning).collect()
    }

    /// Warnings about names and values in the abilities of cards, and about symbols in rules, if no card has them.
    #[must_use]
    pub fn unprinted<'c>(&self, cards: impl Iterator<Item = (&'c CardDecl, &'c [Ability])>) -> Vec<Diagnostic> {
        let keywords: Vec<&str> = self.symbols.keywords.words().collect();
        wording::unprinted(&self.decls, cards, (&self.asked_words, &keywords))
    }

    /// The symbols that were asked for so far, and the names that stood beside cards.
    pub fn asked_words(&self) -> impl Iterator<Item = &Name> {
        self.asked_words.iter()
    }

    /// The names and values that the rules and the cards have that were added so far.
    #[must_use]
    pub fn printed(&self) -> wording::Pool<'_> {
        wording::Pool::new(&self.decls, self.added.iter().map(|added| (&added.0, added.1.as_slice())))
    }

    /// `E0277`: slots that take a number from a range without an end, in a game that sets no limit for listed numbers.
    fn endless_ranges(&self) -> Vec<Diagnostic> {
        let says = |decl: &Decl| match &decl.kind {
            DeclKind::Policy(head, entries) => head.name.text == "choices" && entries.iter().any(|entry| entry.name.text == "listed"),
            _ => false,
        };
        if self.decls.iter().any(|decl| says(decl)) {
            return Vec::new();
        }
        self.endless
            .iter()
            .map(|span| {
                Diagnostic::error("E0277", *span).with("most", self.program.policies.listed_numbers).with("open", "{").with("close", "}")
            })
            .collect()
    }

    /// The labels in the heads of declarations and phases.
    fn labels(&self) -> Vec<Span> {
        self.heads().filter_map(|head| head.label.as_ref()).map(|label| label.span).collect()
    }

    /// How many heads have the label of this one.
    fn heads_with(&self, head: &Head) -> usize {
        let label = |head: &Head| head.label.as_ref().map(|label| label.text.clone());
        self.heads().filter(|other| label(other) == label(head)).count()
    }

    fn heads(&self) -> impl Iterator<Item = &Head> {
        self.decls.iter().flat_map(|decl| decl.kind.head().into_iter().chain(phases(decl).iter().map(|phase| &phase.head)))
    }

    /// `E0267` and `E0268`: names that are mentioned only in their own declaration.
    fn never_named(&self, sources: &Sources, own: &[FileId], found: &mut Vec<Diagnostic>) {
        let declared: Vec<_> = self.decls.iter().filter_map(|decl| named(decl).map(|named| (decl.span, named))).collect();
        let mut places = Places::default();
        for (_, (_, head, _)) in &declared {
            places.insert(head.name.text.clone(), Vec::new());
            if let Some(label) = &head.label {
                places.insert(label.text.clone(), Vec::new());
            }
        }
        let mut idle = vec![true; declared.len()];
        for searched in [Searched::Game, Searched::Likely, Searched::Others] {
            let left = declared.iter().zip(&idle).filter(|((span, _), idle)| **idle && own.contains(&span.file));
            let left: Vec<&Head> = left.map(|((_, (_, head, _)), _)| *head).collect();
            if left.is_empty() {
                break;
            }
            let files = sources.iter().filter(|(file, source)| searched.has(own.contains(file), &source.name, &source.text, &left));
            files.for_each(|(file, source)| note(&mut places, file, &source.text));
            idle = never_used(&declared, &places, &self.labels());
            // The label of a keyword or a moment may stand in the middle of a printed text.
            for (idle, (_, (_, head, what))) in idle.iter_mut().zip(&declared) {
                let heads = match *what {
                    "keyword" => 1,
                    "moment" => self.heads_with(head),
                    _ => continue,
                };
                *idle &= !is_printed(head, sources, heads);
            }
        }
        let unused = declared.into_iter().zip(idle).filter(|((span, _), idle)| *idle && own.contains(&span.file));
        found.extend(unused.map(|((_, (code, head, what)), _)| about(code, head, what)));
    }
}

fn phases(decl: &Decl) -> &[Phase] {
    if let DeclKind::Turn(_, phases) = &decl.kind { phases } else { &[] }
}

/// The files that are searched for mentions of names, one step after the other. Nearly every name is mentioned in the game's own files. So
/// most games need only the first two steps, and the second reads few files.
#[derive(Clone, Copy)]
enum Searched {
    /// The game's own rules and its cards.
    Game,
    /// Scenarios and shared rules that hold a name that is left. A label is not looked for here: many labels stand in many scenarios.
    Likely,
    /// All scenarios and shared rules.
    Others,
}

impl Searched {
    /// Whether this step searches a file. `left` are the declarations without a mention so far.
    fn has(self, is_own: bool, file: &str, text: &str, left: &[&Head]) -> bool {
        let of_game = is_own || file.contains(".cards");
        let other = !of_game && (file.contains(".rules") || file.contains(".scenarios"));
        match self {
            Searched::Game => of_game,
            Searched::Likely => other && left.iter().any(|head| text.contains(head.name.text.as_str())),
            Searched::Others => other,
        }
    }
}

/// Whether the label of a declaration stands somewhere else than in the heads that have it, perhaps inside a longer text.
fn is_printed(head: &Head, sources: &Sources, heads: usize) -> bool {
    let Some(label) = &head.label else { return false };
    sources.iter().flat_map(|(_, source)| source.text.matches(label.text.as_str())).nth(heads).is_some()
}

/// For each declared name, whether it is mentioned only inside its own declaration. A mention inside an unused routine does not count:
/// routines that only mention each other are unused.
/// `labels`: the labels in the heads of all declarations. A moment with the label of a phase is not used by that phase.
fn never_used(declared: &[(Span, Named<'_>)], places: &Places, labels: &[Span]) -> Vec<bool> {
    let is_routine = |at: usize| declared.get(at).is_some_and(|(_, (code, ..))| *code == "E0267");
    let around = Around::of(declared);
    let mut idle = vec![true; declared.len()];
    // `mentions`: the names that each routine mentions. `left`: used names whose own mentions have not been followed yet.
    let mut mentions: Vec<Vec<usize>> = vec![Vec::new(); declared.len()];
    let mut left = Vec::new();
    for (at, (_, (_, head, _))) in declared.iter().enumerate() {
        let of_head = head.label.iter().map(|label| label.text.as_str());
        let known = std::iter::once(head.name.text.as_str()).chain(of_head).filter_map(|name| places.get(name));
        let is_moment = declared.get(at).is_some_and(|(_, (.., what))| *what == "moment");
        // A place is that of the quotation mark, and a label begins after it.
        let is_label =
            |(file, start): &(FileId, u32), label: &Span| label.file == *file && *start < label.start && *start + 3 >= label.start;
        let in_a_head = |place: &&(FileId, u32)| is_moment && labels.iter().any(|label| is_label(place, label));
        for place in known.flatten().filter(|place| !in_a_head(place)) {
            match around.place(place) {
                Some(own) if own == at => {}
                Some(routine) if is_routine(routine) => mentions.get_mut(routine).into_iter().for_each(|row| row.push(at)),
                _ => left.push(at),
            }
        }
    }
    while let Some(at) = left.pop() {
        let is_new = idle.get_mut(at).is_some_and(std::mem::take);
        if is_new && is_routine(at) {
            left.append(&mut mentions.get_mut(at).map(std::mem::take).unwrap_or_default());
        }
    }
    idle
}

/// The stretches of the declarations, in the order of the files, to find the declaration around a place.
struct Around(Vec<(Span, usize)>);

impl Around {
    fn of(declared: &[(Span, Named<'_>)]) -> Self {
        let mut all: Vec<(Span, usize)> = declared.iter().enumerate().map(|(at, (span, _))| (*span, at)).collect();
        all.sort_by_key(|(span, at)| (span.file, span.start, *at));
        Around(all)
    }

    /// The declaration in which a place stands.
    fn place(&self, (file, start): &(FileId, u32)) -> Option<usize> {
        let behind = self.0.partition_point(|(span, _)| (span.file, span.start) <= (*file, *start));
        let (last, _) = self.0.get(behind.checked_sub(1)?)?;
        // If several declarations are written as one, the first of them counts.
        let first = self.0.partition_point(|(span, _)| (span.file, span.start) < (last.file, last.start));
        let (span, at) = self.0.get(first)?;
        (span.file == *file && (span.start..span.end).contains(start)).then_some(*at)
    }
}

fn about(code: &'static str, head: &Head, what: &str) -> Diagnostic {
    let Name { text, span } = &head.name;
    Diagnostic::error(code, *span).with("what", what).with("name", text)
}

/// Whether a zone's phrases say who knows its cards. A phrase about cards lying face down does not count.
fn says_who_knows(properties: &[Property]) -> bool {
    let words = properties.iter().flat_map(|property| &property.words).map(|word| word.text.as_str());
    let mut before = "";
    for word in words {
        if matches!(word, "public" | "hidden") && before != "down" {
            return true;
        }
        before = word;
    }
    false
}

/// Whether the decks begin in a zone, or other cards of the set-up.
fn starts_with_deck(properties: &[Property]) -> bool {
    properties.iter().any(|property| property.words.iter().any(|word| word.text == "starts"))
}

/// The declarations whose name something else must mention, with the code of the finding.
fn named(decl: &Decl) -> Option<Named<'_>> {
    match &decl.kind {
        DeclKind::Action(routine) => Some(("E0267", &routine.head, "action")),
        DeclKind::Procedure(routine) => Some(("E0267", &routine.head, "procedure")),
        DeclKind::Function { head, .. } => Some(("E0267", head, "function")),
        // `may` asks this choice, although no statement names it.
        DeclKind::Choice(head, _) if head.name.text == "confirm" => None,
        DeclKind::Choice(head, _) => Some(("E0268", head, "choice")),
        DeclKind::Event(event) => Some(("E0268", &event.head, "event")),
        DeclKind::Cause(head) => Some(("E0268", head, "cause")),
        DeclKind::Moment(head) => Some(("E0268", head, "moment")),
        DeclKind::Duration(head, _) => Some(("E0268", head, "duration")),
        DeclKind::Timing(timing) => Some(("E0268", &timing.head, "timing")),
        DeclKind::Param(head, _) => Some(("E0268", head, "param")),
        DeclKind::Enum(head, _) => Some(("E0268", head, "enum")),
        DeclKind::Keyword(head, _) => Some(("E0268", head, "keyword")),
        DeclKind::State { head, .. } => Some(("E0268", head, "state")),
        DeclKind::Pool(head, _) => Some(("E0268", head, "pool")),
        // Cards come into the zone of the decks although no statement names the zone.
        DeclKind::Zone(head, properties) if !starts_with_deck(properties) => Some(("E0268", head, "zone")),
        _ => None,
    }
}

/// Notes the places of the wanted words in a file. A text counts if it is a label.
fn note(places: &mut Places, file: FileId, text: &str) {
    for token in tokens(text) {
        let word = match token.kind {
            TokenKind::Word => token.text,
            TokenKind::Text => token.text.trim_matches(['"', '「', '」']),
            TokenKind::Comment | TokenKind::Cite | TokenKind::Sign => continue,
        };
        if let Some(known) = places.get_mut(normal(word).as_ref()) {
            known.push((file, token.start as u32));
        }
    }
}
