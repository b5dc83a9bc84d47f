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

mod carried;
mod parts;
mod printed;
mod table;

pub(in crate::wording) use table::Account;

use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Ability, Text};
use crate::wording::account::parts::{Part, What};
use crate::wording::account::printed::{Mention, Owed};
use crate::wording::reading::forest::Line;
use rustc_hash::FxHashSet;

/// The code of a printed word without a counterpart.
const LOST: &str = "E0456";

/// Before the name of a card type: the text stands on a card of that type.
const ON_TYPE: &str = "on_";

/// Names that say that there is nothing.
const NONE: [&str; 3] = ["empty", "none", "not"];

impl Account {
    /// A finding for each printed word of a line to which nothing in its script corresponds. `excused`: words that the card declares to have
    /// no counterpart. The excused words that were needed are added to `used`. `types`: those of the card with the text; empty for any card.
    pub fn unaccounted(
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
        parts.extend(types.iter().map(|of| Part { what: What::Name(format!("{ON_TYPE}{of}").into()), span: line.span, carried: true }));
        let mentions = self.mentions(line, &parts);
        let lost = lost(&mentions, &parts);
        let mut found = Vec::new();
        for mention in lost {
            let printed = line.printed_at(mention.span);
            match excused.iter().find(|word| word.text.contains(&printed) || printed.contains(&word.text)) {
                Some(word) => _ = used.insert(word.span),
                None => {
                    let error = Diagnostic::error(LOST, mention.span).with("word", &printed).with("wanted", mention.wanted());
                    found.push(mention.declared.map_or(error.clone(), |declared| error.note(declared, "declared")));
                }
            }
        }
        found
    }
}

/// The mentions without a counterpart. A part that a template writes without a hole counts for one mention only.
fn lost<'m>(mentions: &'m [Mention], parts: &[Part]) -> Vec<&'m Mention> {
    let places: FxHashSet<Span> = mentions.iter().map(|mention| mention.span).collect();
    let mut used: FxHashSet<usize> = FxHashSet::default();
    let mut open: Vec<&Mention> = Vec::new();
    for mention in mentions {
        let exact = |(at, part): &(usize, &Part)| within(part.span, mention.reach) && part.pays(mention) && !used.contains(at);
        match parts.iter().enumerate().find(exact) {
            Some((at, part)) if !part.carried => _ = used.insert(at),
            Some(_) => {}
            None => open.push(mention),
        }
    }
    open.retain(|mention| {
        // A part at the place of another printed word belongs to that word.
        let fits = |(at, part): &(usize, &Part)| {
            let of_another_word = part.span != mention.span && places.contains(&part.span) && !part.carried;
            let here = within(mention.span, part.span) && !of_another_word && (part.carried || !used.contains(at));
            part.pays(mention) && (here || mention.is_shared())
        };
        let nearest = parts.iter().enumerate().filter(fits).min_by_key(|(_, part)| part.span.end - part.span.start);
        if let Some((at, part)) = nearest
            && !part.carried
        {
            used.insert(at);
        }
        nearest.is_none()
    });
    open
}

/// Whether a place lies in another one.
fn within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

impl Part {
    /// Whether the part can be the counterpart of a mention.
    fn pays(&self, mention: &Mention) -> bool {
        match (&mention.owed, &self.what) {
            (Owed::Number(owed), What::Number(number)) => number.unsigned_abs() == *owed,
            (Owed::About(owed), What::Number(number)) => [*owed, owed.saturating_sub(1)].contains(&number.unsigned_abs()),
            (Owed::Number(0), What::Name(name)) => NONE.contains(&&**name),
            (Owed::Any(names), What::Name(name)) => names.contains(name),
            (Owed::Called(called, names), What::Name(name) | What::Text(name)) => called == name || names.contains(name),
            _ => false,
        }
    }
}
