//! Back again: from a script to the printed text that says it, through the templates that read it.
//!
//! Takes a bound ability; gives the normal text: the shortest that its templates print, of those of one length the one declared
//! first, and of those only one that is read as the same script. So a text that comes from here is right whatever the way to it.
//! Deliberately absent: how the text was printed that the script came from; two texts of one script have one normal text.

mod matching;
mod phrases;
mod say;
mod templates;
mod term;
mod unbind;

use super::bind::bare;
use super::{GOAL, Phrase, Reading, Wording};
use crate::diagnostic::{FileId, Span};
use crate::syntax::ast::{Ability, Text};
use phrases::{Chart, Phrase as Found, Search};
use say::{Speaker, Turn};
use std::collections::HashSet;
use std::rc::Rc;
use templates::Templates;

/// Texts of one script that are read again before it is given up.
const MOST_TRIES: usize = 300;

/// Ways at one place of a text that are tried beside the normal one.
const MOST_TURNS: usize = 12;

/// What a script is in print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// This text, which is read as the same script.
    Text(String),
    /// The templates only have this text for it, and it is read as something else or not at all.
    Other(String),
    /// No templates say it.
    Nothing,
}

/// A wording, ready to say scripts.
pub struct Back<'a> {
    wording: &'a Wording,
    templates: Templates,
}

impl<'a> Back<'a> {
    /// Looks at a wording's templates from their scripts: once for many scripts.
    #[must_use]
    pub fn new(wording: &'a Wording) -> Self {
        Back { wording, templates: Templates::new(&wording.grammar) }
    }

    /// The normal text of an ability that a text became.
    #[must_use]
    pub fn text(&self, ability: &Ability) -> Said {
        let grammar = &self.wording.grammar;
        let Some(goal) = grammar.category(GOAL).filter(|_| !self.wording.rings) else { return Said::Nothing };
        let script = unbind::unkept(&term::ability(ability));
        let mut tries = Tries { back: self, wanted: bare(ability.clone()), tried: HashSet::new(), first: None };
        for search in [Search::Usual, Search::Rare] {
            let mut chart = Chart::new(grammar, &self.templates, unbind::names(&script, &grammar.zones), search);
            let phrases = chart.phrases(goal, &script);
            if let Some(text) = tries.of(&phrases, &mut Speaker::new(grammar)) {
                return Said::Text(text);
            }
        }
        tries.first.map_or(Said::Nothing, Said::Other)
    }

    /// Of a text that is not said back the smallest phrase that no templates say: where to look. None where each phrase alone is said.
    #[must_use]
    pub fn unsaid<'r>(&self, reading: &'r Reading) -> Option<&'r Phrase> {
        let grammar = &self.wording.grammar;
        let said = |phrase: &Phrase| {
            let category = grammar.templates.iter().find(|template| template.span == phrase.declared).map(|template| template.category);
            let script = unbind::unkept(&term::term(&phrase.script));
            let mut chart = Chart::new(grammar, &self.templates, unbind::names(&script, &grammar.zones), Search::Rare);
            category.is_none_or(|category| !chart.phrases(category, &script).is_empty())
        };
        reading.phrases.iter().filter(|phrase| !said(phrase)).max_by_key(|phrase| phrase.depth)
    }

    fn means(&self, text: &str, wanted: &Ability) -> bool {
        let span = Span { file: FileId::default(), start: 0, end: text.len() as u32 };
        let reading = self.wording.read(&Text { text: text.to_owned(), span });
        match reading.abilities.as_slice() {
            [ability] => reading.diagnostics.is_empty() && bare(ability.clone()) == *wanted,
            _ => false,
        }
    }
}

/// Texts that are read again to see whether they mean the script.
struct Tries<'a> {
    back: &'a Back<'a>,
    wanted: Ability,
    tried: HashSet<String>,
    /// The normal text, right or wrong.
    first: Option<String>,
}

impl Tries<'_> {
    /// The first text that is read as the script: the normal text of each meaning (they differ in what their references are), then
    /// with one place said in another way.
    fn of(&mut self, phrases: &[Rc<Found>], speaker: &mut Speaker<'_>) -> Option<String> {
        let mut places = Vec::new();
        for phrase in phrases {
            let mut turn = Turn::none();
            let text = speaker.say(phrase, None, &mut turn);
            places.push(turn.places);
            if let Some(text) = text.and_then(|text| self.holds(text)) {
                return Some(text);
            }
        }
        for way in 1..=MOST_TURNS {
            for (phrase, places) in phrases.iter().zip(&places) {
                for place in 0..*places {
                    if self.tried.len() >= MOST_TRIES {
                        return None;
                    }
                    let text = speaker.say(phrase, None, &mut Turn::at(place, way));
                    if let Some(text) = text.and_then(|text| self.holds(text)) {
                        return Some(text);
                    }
                }
            }
        }
        None
    }

    fn holds(&mut self, text: String) -> Option<String> {
        if !self.tried.insert(text.clone()) {
            return None;
        }
        self.first.get_or_insert_with(|| text.clone());
        self.back.means(&text, &self.wanted).then_some(text)
    }
}
