//! The way back: from a script to the printed text for it, through the templates that read it.
//!
//! Input: a bound ability. Output: its normal text. This is the shortest text that the templates print; forms that no card prints count as
//! longer. Among texts of equal length, the one with the earlier declaration wins. Only a text that is read as the same script counts, so
//! every result is right, however it was found. The original text of the script plays no part: two texts of one script have one normal
//! text.
//!
//! No exact inverse of reading exists, because weaving drops holes, calculates and renames. So candidates are found, woven as reading does,
//! and read again.
//!
//! | file | does |
//! | --- | --- |
//! | `mod.rs` | `Back`: the entry |
//! | `term.rs` | scripts as plain trees |
//! | `templates.rs` | the templates, ordered by their scripts |
//! | `matching.rs` | lays a template's script over a part of a script |
//! | `reckoning.rs` | undoes what was computed when a script was woven |
//! | `phrases.rs` | finds the phrases for each part of a script |
//! | `say.rs` | prints a phrase in signs |
//! | `tries.rs` | reads the printed texts again and chooses |
//! | `unbind.rs` | undoes what binding did to a script |

mod matching;
mod phrases;
mod reckoning;
mod say;
mod templates;
mod term;
mod tries;
mod unbind;

use super::{GOAL, Phrase, Reading, Wording};
use crate::declared::grammar::{CategoryId, RuleId};
use crate::script::apart::together;
use crate::script::bare::bare;
use lang::syntax::ast::{Ability, Arg, Expr, ExprKind};
use phrases::{Chart, Search};
use say::Speaker;
use templates::{Printed, Templates};
use term::Term;
use tries::Tries;

/// The most slots of an ability that are tried in two ways: printed by phrases around the ability, or by the ability's own template. Three
/// slots give eight combinations.
const MOST_HANDED: usize = 3;

/// The most statements of one block. The work grows with about the fourth power of this number, and no printed card has so many sentences.
const MOST_IN_A_ROW: usize = 40;

/// A script as printed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// This text. It is read as the same script.
    Text(String),
    /// The templates have only this text, which is read as something else or cannot be read.
    Other(String),
    /// The templates have no text for it.
    Nothing,
}

/// A wording, prepared for printing scripts.
pub struct Back<'a> {
    wording: &'a Wording,
    templates: Templates,
}

impl<'a> Back<'a> {
    /// Prepares a wording's templates, once for many scripts.
    #[must_use]
    pub fn new(wording: &'a Wording) -> Self {
        Back::printing_as(wording, &[])
    }

    /// Prepares a wording's templates. `phrases` are the phrases printed on the game's cards. If a template has several printed forms, a
    /// form that stands on cards is preferred.
    #[must_use]
    pub fn printing_as<'p>(wording: &'a Wording, phrases: impl IntoIterator<Item = &'p Phrase>) -> Back<'a> {
        let mut printed = Printed::default();
        for phrase in phrases {
            *printed.entry(RuleId(phrase.form)).or_default() += 1;
        }
        Back { wording, templates: Templates::new(&wording.grammar, &printed) }
    }

    /// The normal text of an ability.
    #[must_use]
    pub fn text(&self, ability: &Ability) -> Said {
        self.text_on(ability, &[])
    }

    /// The normal text of an ability on a card of these types. Without types: on any card.
    #[must_use]
    pub(crate) fn text_on(&self, ability: &Ability, types: &[String]) -> Said {
        let grammar = &self.wording.grammar;
        let Some(goal) = grammar.category(GOAL).filter(|_| !self.wording.rings) else { return Said::Nothing };
        let bare = bare(ability.clone());
        if term::ability(&bare).longest_row() > MOST_IN_A_ROW {
            return Said::Nothing;
        }
        // A slot is tried in two ways only if some template can put a value into the slot. Few templates do.
        let handed = |slot: &lang::syntax::ast::Arg| {
            let name = slot.name.as_ref().map(|name| name.text.as_str());
            let hands = |hand: &lang::syntax::ast::Arg| hand.name.as_ref().map(|name| name.text.as_str()) == name;
            name.is_some() && grammar.templates.iter().any(|template| template.hands.iter().any(hands))
        };
        let handed: Vec<usize> = (0..bare.slots.len()).filter(|at| bare.slots.get(*at).is_some_and(handed)).take(MOST_HANDED).collect();
        let mut tries = Tries::new(self, bare.clone(), types);
        // The first attempt prints all these slots by phrases. The next attempts leave more and more of them to the template of the
        // ability.
        let found = (0..1_u32 << handed.len()).rev().find_map(|by_phrases| {
            let is_apart = |at: usize| handed.iter().position(|slot| *slot == at).is_some_and(|bit| by_phrases & 1 << bit != 0);
            let (apart, printed): (Vec<_>, Vec<_>) = bare.slots.iter().cloned().enumerate().partition(|(at, _)| is_apart(*at));
            let values: Vec<(String, Term)> = apart.iter().flat_map(|(_, slot)| values_of(slot)).collect();
            let ability = Ability { slots: printed.into_iter().map(|(_, slot)| slot).collect(), ..bare.clone() };
            self.tried(&ability, &values, &mut tries, goal)
        });
        let found = found.or_else(|| self.divided(&bare, &handed, &mut tries, goal));
        found.map_or_else(|| tries.first.map_or(Said::Nothing, Said::Other), Said::Text)
    }

    /// A text for an ability with a list in a slot, of which the template of the ability prints the first members and a phrase the others:
    /// 「これが拠点にあるなら、これが手札にある間、…」.
    fn divided(&self, bare: &Ability, handed: &[usize], tries: &mut Tries<'_>, goal: CategoryId) -> Option<String> {
        handed.iter().find_map(|at| {
            let slot = bare.slots.get(*at)?;
            let ExprKind::List(members) = &slot.value.kind else { return None };
            (1..members.len()).find_map(|cut| {
                let (first, others) = members.split_at(cut);
                let part = |of: &[Expr]| Arg { value: Expr { kind: ExprKind::List(of.to_vec()), span: slot.value.span }, ..slot.clone() };
                let mut ability = bare.clone();
                if let Some(printed) = ability.slots.get_mut(*at) {
                    *printed = part(first);
                }
                self.tried(&ability, &values_of(&part(others)), tries, goal)
            })
        })
    }

    /// A text for an ability. Its own template prints the slots of `ability`; phrases around it print the other slots, which have these
    /// values.
    fn tried(&self, ability: &Ability, values: &[(String, Term)], tries: &mut Tries<'_>, goal: CategoryId) -> Option<String> {
        let grammar = &self.wording.grammar;
        let mut ability = ability.clone();
        together(&mut ability);
        let script = unbind::unkept(&term::ability(&ability));
        let names = unbind::names(&script, &grammar.zones);
        let (script, open) = (unbind::opposed(&script, false), unbind::opposed(&script, true));
        let scripts = [Some(&script), Some(&open).filter(|open| **open != script)];
        let searches = [Search::Usual, Search::Rare, Search::Wide]
            .into_iter()
            .flat_map(|search| scripts.into_iter().flatten().map(move |script| (search, script)));
        for (search, script) in searches {
            let mut chart = Chart::new(grammar, &self.templates, (names.clone(), values.to_vec()), search);
            let phrases = if values.is_empty() { chart.phrases(goal, script) } else { chart.with_words_for_slots(goal, script) };
            if let Some(text) = tries.of(&phrases, &mut Speaker::new(grammar)) {
                return Some(text);
            }
        }
        None
    }

    /// For a text that cannot be printed back: the smallest phrase without a text. None if each phrase alone has one.
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

/// The values of a slot: its value, and for a list also each member, because each may come from another phrase.
fn values_of(slot: &Arg) -> Vec<(String, Term)> {
    let name = slot.name.as_ref().map_or_else(String::new, |name| name.text.clone());
    let members = if let ExprKind::List(members) = &slot.value.kind { members.as_slice() } else { &[] };
    std::iter::once(&slot.value).chain(members).map(|value| (name.clone(), term::expr(value))).collect()
}
