//! Compares a printed line with its script: every word that carries meaning must have a counterpart in the script.
//!
//! Input: a line, its script, and what the game declares (labels, `owes` lines, functions and actions). Output: one finding for each printed
//! word without a counterpart. Templates are not consulted, so a template that loses a word cannot hide the loss.
//!
//! | file | does |
//! | --- | --- |
//! | `mod.rs` | pairs the printed words with the parts of the script |
//! | `table.rs` | what each printed word owes, from the declarations |
//! | `printed.rs` | the words of a line that owe something |
//! | `parts.rs` | the parts of a script, each with its place in the text |
//! | `carried.rs` | the parts inside of functions, actions and keywords that a script names |
//! | `early.rs` | questions that come before the look on which their answers depend |
//! | `looks.rs` | the actions with which a player looks at cards |

mod carried;
mod early;
mod looks;
mod parts;
mod printed;
mod table;

pub(crate) use table::Account;

use crate::account::parts::{Part, SIDES, What};
use crate::account::printed::{Mention, Owed};
use crate::reading::forest::Line;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, Text};
use rustc_hash::FxHashSet;

/// The code of a printed word without a counterpart.
const LOST: &str = "E0456";

/// The code of a part of a script without a printed word.
const UNPRINTED: &str = "E0458";

/// Before the name of a card type: the text stands on a card of that type.
const ON_TYPE: &str = "on_";

/// Parts whose words stand anywhere in the sentence.
const FAR: [&str; 4] = ["may", "each", "up_to", "any_number"];

/// Names that say that there is nothing.
const NONE: [&str; 3] = ["empty", "none", "not"];

impl Account {
    /// A finding for each printed word of a line to which nothing in its script corresponds. `excused`: words that the card declares to have
    /// no counterpart. The excused words that were needed are added to `used`. `types`: those of the card with the text; empty for any card.
    pub(crate) fn unaccounted(
        &self,
        (line, types): (&Line, &[String]),
        ability: &Ability,
        excused: &[Text],
        used: &mut FxHashSet<Span>,
    ) -> Vec<Diagnostic> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut parts = self.parts(ability);
        let types = if types.is_empty() { &self.types } else { types };
        parts.extend(types.iter().map(|of| Part {
            what: What::Name(format!("{ON_TYPE}{of}").into()),
            also: None,
            span: line.span,
            carried: true,
            needs: false,
            times: 1,
            between: None,
        }));
        let mentions = self.mentions(line, &parts);
        let mut found = Vec::new();
        for mention in self.lost(&mentions, &parts) {
            let printed = line.printed_at(mention.span);
            match excused.iter().find(|word| word.text.contains(&printed) || printed.contains(&word.text)) {
                Some(word) => _ = used.insert(word.span),
                None => {
                    let error = Diagnostic::error(LOST, mention.span).with("word", &printed).with("wanted", mention.wanted());
                    found.push(mention.declared.map_or(error.clone(), |declared| error.note(declared, "declared")));
                }
            }
        }
        for part in if found.is_empty() && self.both_ways { self.unprinted(&mentions, &parts) } else { Vec::new() } {
            let phrase = line.printed_at(part.span);
            match excused.iter().find(|word| phrase.contains(&word.text)) {
                Some(word) => _ = used.insert(word.span),
                None => found.push(Diagnostic::error(UNPRINTED, part.span).with("part", part.told()).with("phrase", phrase)),
            }
        }
        found
    }

    /// The printed words to which nothing in the script corresponds. Words that owe the same need different parts.
    fn lost<'m>(&self, mentions: &'m [Mention], parts: &[Part]) -> Vec<&'m Mention> {
        let mut lost: Vec<&Mention> = Vec::new();
        let parts: Vec<&Part> = parts.iter().flat_map(|part| std::iter::repeat_n(part, part.times)).collect();
        let mut open: Vec<&Mention> = mentions.iter().filter(|mention| mention.owes && !self.is_carried(mention, &parts)).collect();
        while let Some(first) = open.first() {
            let (alike, others): (Vec<&Mention>, Vec<&Mention>) = open.iter().copied().partition(|mention| mention.is_like(first));
            let rows = alike.iter().map(|mention| {
                (0..)
                    .zip(&parts)
                    .filter(|(_, part)| (part.is_near(mention) || mention.is_called()) && part.pays(mention))
                    .map(first_of)
                    .collect()
            });
            let unpaid = alone(&rows.collect::<Vec<_>>(), parts.len());
            // A name may be printed again.
            let again = first.is_called() && unpaid.len() < alike.len();
            let unpaid = unpaid.into_iter().filter(|_| !again).filter_map(|at| alike.get(at));
            lost.extend(unpaid.filter(|mention| !repeats(mention, mentions, &parts)));
            open = others;
        }
        lost.sort_by_key(|mention| mention.span.start);
        lost
    }

    /// Whether the script names something that says the word within itself, or the word is one that a text may repeat.
    fn is_carried(&self, mention: &Mention, parts: &[&Part]) -> bool {
        parts.iter().any(|part| (part.carried && within(mention.span, part.span) || mention.is_of_reader()) && part.pays(mention))
    }

    /// The parts of the script for which the text prints no word. Parts that say the same need different words.
    fn unprinted<'p>(&self, mentions: &[Mention], parts: &'p [Part]) -> Vec<&'p Part> {
        let mut unprinted: Vec<&Part> = Vec::new();
        let mut open: Vec<&Part> = parts.iter().filter(|part| part.needs && self.needs_a_word(part)).collect();
        while let Some(first) = open.first() {
            let (alike, others): (Vec<&Part>, Vec<&Part>) = open.iter().copied().partition(|part| part.what == first.what);
            // A duration holds for phrases that stand elsewhere.
            let lasts = matches!(&first.what, What::Name(name) if self.durations.contains(name));
            let placed = matches!(&first.what, What::Name(name) if self.zones.contains(name));
            let shared = lasts || placed;
            // A name says which card, and so where the card is.
            let names = |mention: &Mention| placed && mention.is_called();
            let fits = |part: &Part, mention: &Mention| (part.pays(mention) || names(mention)) && (lasts || part.is_near(mention));
            let counted = |part: &&Part| !mentions.iter().any(|mention| (shared || mention.counts || !mention.owes) && fits(part, mention));
            let alike: Vec<&Part> = alike.into_iter().filter(counted).collect();
            // A number that a phrase hands on to the phrase around it is one number.
            let handed = |part: &&&Part| {
                let inner = |other: &&Part| other.span != part.span && within(other.span, part.span);
                matches!(part.what, What::Number(_)) && alike.iter().any(inner)
            };
            let alike: Vec<&Part> = alike.iter().filter(|part| !handed(part)).copied().collect();
            let rows = alike.iter().map(|part| (0..).zip(mentions).filter(|(_, mention)| fits(part, mention)).map(first_of).collect());
            unprinted.extend(alone(&rows.collect::<Vec<_>>(), mentions.len()).into_iter().filter_map(|at| alike.get(at)));
            open = others;
        }
        unprinted.sort_by_key(|part| part.span.start);
        unprinted
    }

    /// Whether a part of a script needs a printed word.
    fn needs_a_word(&self, part: &Part) -> bool {
        match &part.what {
            What::Number(number) => number.unsigned_abs() > 1,
            What::Name(name) => self.needing.contains(name),
            What::Text(_) => false,
        }
    }
}

/// Whether a word for a side says the side of the word before, at a part of the script that has no side of its own.
fn repeats(mention: &Mention, mentions: &[Mention], parts: &[&Part]) -> bool {
    let says_side = |other: &&Mention| (other.is_of_reader() || other.is_like(mention)) && other.span.end <= mention.span.start;
    let before = mentions.iter().filter(says_side).max_by_key(|other| other.span.start);
    let reader = |part: &&&Part| matches!(&part.what, What::Name(name) if **name == *SIDES[0]) && within(part.span, mention.reach);
    let says_opponent = matches!(&mention.owed, Owed::Any(names) if names.iter().any(|name| **name == *SIDES[1]));
    says_opponent && before.is_some_and(|before| before.is_like(mention)) && !parts.iter().any(|part| reader(&part))
}

/// The first of a pair.
fn first_of<T>((first, _): (usize, T)) -> usize {
    first
}

/// Gives each of some things one of the `others` that its row names, to as many as possible, none twice. The result: what has none.
fn alone(rows: &[Vec<usize>], others: usize) -> Vec<usize> {
    fn give(at: usize, rows: &[Vec<usize>], taken: &mut [Option<usize>], tried: &mut FxHashSet<usize>) -> bool {
        rows.get(at).into_iter().flatten().any(|other| {
            tried.insert(*other)
                && taken.get(*other).copied().is_some_and(|holder| holder.is_none_or(|holder| give(holder, rows, taken, tried)))
                && taken.get_mut(*other).is_some_and(|place| {
                    *place = Some(at);
                    true
                })
        })
    }
    let mut taken = vec![None; others];
    (0..rows.len()).filter(|at| !give(*at, rows, &mut taken, &mut FxHashSet::default())).collect()
}

/// Whether a place lies in another one.
fn within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

impl Part {
    /// Whether the part can be the counterpart of a mention.
    fn pays(&self, mention: &Mention) -> bool {
        let (mut what, mut also) = (true, true);
        // Before the word stands the value with which the other one is compared.
        if let Some((left, right)) = self.between.filter(|_| mention.owes) {
            let before = |value: Span| if value.end <= mention.span.start { value.end } else { 0 };
            let order = before(right).cmp(&before(left));
            (what, also) = (order.is_ge(), order.is_le());
        }
        what && pays(&self.what, mention) || also && self.also.as_ref().is_some_and(|what| pays(what, mention))
    }

    /// Whether the part's phrase and the word overlap.
    fn is_near(&self, mention: &Mention) -> bool {
        let is_far = matches!(&self.what, What::Name(name) if FAR.contains(&&**name));
        is_far || self.span.file == mention.span.file && self.span.start < mention.reach.end && mention.reach.start < self.span.end
    }

    /// The part, for a message.
    fn told(&self) -> String {
        match &self.what {
            What::Number(number) => number.to_string(),
            What::Name(name) | What::Text(name) => name.to_string(),
        }
    }
}

/// Whether a thing can be the counterpart of a mention.
fn pays(what: &What, mention: &Mention) -> bool {
    match (&mention.owed, what) {
        (Owed::Number(owed), What::Number(number)) => number.unsigned_abs() == *owed,
        (Owed::About(owed), What::Number(number)) => [*owed, owed.saturating_sub(1)].contains(&number.unsigned_abs()),
        (Owed::Number(0), What::Name(name)) => NONE.contains(&&**name),
        (Owed::Any(names), What::Name(name)) => names.contains(name),
        (Owed::Called(called, names), What::Name(name) | What::Text(name)) => called == name || names.contains(name),
        _ => false,
    }
}
