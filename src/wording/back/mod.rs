//! Back again: from a script to the printed text that says it, through the templates that read it.
//!
//! Takes a bound ability; gives the normal text: of what its templates print the shortest, what no card prints counting as longer; of those of
//! one length the one declared first; and of those only one that is read as the same script. So a text that comes from here is right whatever the way to it.
//! Deliberately absent: how the text was printed that the script came from; two texts of one script have one normal text.

mod matching;
mod phrases;
mod say;
mod templates;
mod term;
mod tries;
mod unbind;

use super::bare::bare;
use super::grammar::RuleId;
use super::{GOAL, Phrase, Reading, Wording};
use crate::syntax::ast::{Ability, Arg, ExprKind};
use phrases::{Chart, Search};
use say::Speaker;
use templates::{Printed, Templates};
use term::Term;
use tries::Tries;

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
        Back::printing_as(wording, &[])
    }

    /// The same, as cards print it whose texts consist of these phrases: of several ways to say a thing the one that stands on cards.
    #[must_use]
    pub fn printing_as<'p>(wording: &'a Wording, phrases: impl IntoIterator<Item = &'p Phrase>) -> Back<'a> {
        let mut printed = Printed::default();
        for phrase in phrases {
            *printed.entry(RuleId(phrase.form)).or_default() += 1;
        }
        Back { wording, templates: Templates::new(&wording.grammar, &printed) }
    }

    /// The normal text of an ability that a text became.
    #[must_use]
    pub fn text(&self, ability: &Ability) -> Said {
        self.text_on(ability, &[])
    }

    /// The same on a card of these types; none: of whichever.
    #[must_use]
    pub fn text_on(&self, ability: &Ability, types: &[String]) -> Said {
        let grammar = &self.wording.grammar;
        let Some(goal) = grammar.category(GOAL).filter(|_| !self.wording.rings) else { return Said::Nothing };
        let bare = bare(ability.clone());
        // What a phrase has handed up stands in no ability's template.
        let handed = |slot: &crate::syntax::ast::Arg| {
            let name = slot.name.as_ref().map(|name| name.text.as_str());
            let hands = |hand: &crate::syntax::ast::Arg| hand.name.as_ref().map(|name| name.text.as_str()) == name;
            name.is_some() && grammar.templates.iter().any(|template| template.hands.iter().any(hands))
        };
        let mut said = bare.clone();
        let values: Vec<(String, Term)> = said.slots.iter().filter(|slot| handed(slot)).flat_map(values_of).collect();
        said.slots.retain(|slot| !handed(slot));
        let script = unbind::unkept(&term::ability(&said));
        let mut tries = Tries::new(self, bare, types);
        let names = unbind::names(&script, &grammar.zones);
        let (script, open) = (unbind::opposed(&script, false), unbind::opposed(&script, true));
        let scripts = [Some(&script), Some(&open).filter(|open| **open != script)];
        let searches = [Search::Usual, Search::Rare, Search::Wide]
            .into_iter()
            .flat_map(|search| scripts.into_iter().flatten().map(move |script| (search, script)));
        for (search, script) in searches {
            let mut chart = Chart::new(grammar, &self.templates, (names.clone(), values.clone()), search);
            let phrases = chart.phrases(goal, script);
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
            let mut chart = Chart::new(grammar, &self.templates, (unbind::names(&script, &grammar.zones), Vec::new()), Search::Rare);
            category.is_none_or(|category| !chart.phrases(category, &script).is_empty())
        };
        reading.phrases.iter().filter(|phrase| !said(phrase)).max_by_key(|phrase| phrase.depth)
    }
}

/// What a slot was handed: its value, and of a list each of its members, for each may be another phrase's.
fn values_of(slot: &Arg) -> Vec<(String, Term)> {
    let name = slot.name.as_ref().map_or_else(String::new, |name| name.text.clone());
    let members = if let ExprKind::List(members) = &slot.value.kind { members.as_slice() } else { &[] };
    std::iter::once(&slot.value).chain(members).map(|value| (name.clone(), term::expr(value))).collect()
}
