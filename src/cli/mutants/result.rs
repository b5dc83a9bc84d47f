//! The results of all breaks, together with the marks that say that some make no difference.

use super::super::Context;
use crate::shared::audited::Audited;
use audit::{Audit, Mark, Mutant, Outcome, games};
use compile::still_to_do;
use engine::ids::CardId;
use lang::diagnostic::Diagnostic;
use std::sync::Arc;

/// The most breaks that may be marked, in percent.
const MOST_MARKED: usize = 5;

/// A break with its result.
pub(super) struct Row {
    /// The break.
    pub mutant: Mutant,
    /// The result.
    pub outcome: Outcome,
    /// Whether a mark says that the break makes no difference.
    pub marked: bool,
}

impl Row {
    /// Whether scenarios should notice the break and do not.
    pub(super) fn is_missed(&self) -> bool {
        !self.marked && matches!(self.outcome, Outcome::Unnoticed(_) | Outcome::Untouched | Outcome::Stopped(_))
    }

    /// Whether the break counts in percentages.
    fn counts(&self) -> bool {
        !self.marked && matches!(self.outcome, Outcome::Noticed(_) | Outcome::Unnoticed(_) | Outcome::Untouched)
    }

    /// The result in words.
    pub(super) fn in_words(&self, context: &Context) -> String {
        if self.marked {
            return context.say("mutants.equivalent", &[]);
        }
        match &self.outcome {
            Outcome::Noticed(scenario) => context.say("mutants.noticed", &[("scenario", scenario.clone())]),
            Outcome::Stopped(scenario) => context.say("mutants.stopped", &[("scenario", scenario.clone())]),
            Outcome::Unnoticed(count) => context.say("mutants.unnoticed", &[("count", count.to_string())]),
            Outcome::Untouched => context.say("mutants.untouched", &[]),
            Outcome::Same => context.say("mutants.same", &[]),
            Outcome::Uncompiled => context.say("mutants.uncompiled", &[]),
        }
    }

    fn word(&self) -> &'static str {
        match (&self.outcome, self.marked) {
            (_, true) => "equivalent",
            (Outcome::Noticed(_), _) => "noticed",
            (Outcome::Stopped(_), _) => "stopped",
            (Outcome::Unnoticed(_), _) => "unnoticed",
            (Outcome::Untouched, _) => "untouched",
            (Outcome::Same, _) => "same",
            (Outcome::Uncompiled, _) => "uncompiled",
        }
    }

    /// The result as a JSON object.
    pub(super) fn json(&self, audited: &Audited) -> serde_json::Value {
        let (sources, site) = (&audited.game.sources, &self.mutant.site);
        let (line, column) = sources.line_column(site.span);
        let scenario = match &self.outcome {
            Outcome::Noticed(scenario) | Outcome::Stopped(scenario) => Some(scenario),
            _ => None,
        };
        serde_json::json!({
            "kind": "mutant",
            "file": sources.get(site.span.file).map_or("", |source| &source.name),
            "line": line,
            "column": column,
            "break": site.kind.word(),
            "text": sources.text(site.span),
            "rules": site.cites,
            "result": self.word(),
            "scenario": scenario,
        })
    }
}

/// All results, with findings about the marks.
pub(super) struct Results {
    /// The results in the order of the files.
    pub rows: Vec<Row>,
    /// The findings.
    pub found: Vec<Diagnostic>,
}

impl Results {
    /// Joins results and marks. `every_place`: the number of breaks that are left out, if all other breaks are here. Then a mark without a
    /// break is wrong.
    pub(super) fn new(
        audited: &Audited,
        audit: &Audit<'_>,
        mutants: Vec<Mutant>,
        outcomes: Vec<Outcome>,
        every_place: Option<usize>,
    ) -> Self {
        let (marks, mut found) = audited.marks();
        let sources = &audited.game.sources;
        let mut rows: Vec<Row> =
            mutants.into_iter().zip(outcomes).map(|(mutant, outcome)| Row { mutant, outcome, marked: false }).collect();
        for mark in &marks {
            let mut speaks = false;
            for row in rows
                .iter_mut()
                .filter(|row| !matches!(row.outcome, Outcome::Uncompiled | Outcome::Same) && mark.covers(&row.mutant, sources))
            {
                speaks = true;
                row.marked = true;
                found.extend(refuted(audited, audit, row, mark));
            }
            if !speaks && every_place.is_some() {
                found.push(Diagnostic::error("E0572", mark.span));
            }
        }
        let results = Self { rows, found };
        // Part of the rules may have more marks. The limit applies to all rules together.
        match every_place {
            Some(left_out) => results.with_most_marked(left_out),
            None => results,
        }
    }

    fn with_most_marked(mut self, left_out: usize) -> Self {
        let all = left_out + self.rows.iter().filter(|row| !matches!(row.outcome, Outcome::Uncompiled | Outcome::Same)).count();
        let marked = self.rows.iter().filter(|row| row.marked).count();
        if marked * 100 > all * MOST_MARKED {
            self.found.push(Diagnostic::global("E0575").with("marked", marked).with("all", all).with("most", MOST_MARKED));
        }
        self
    }

    /// The number of noticed breaks and of all breaks, among those that count and fit `of`.
    pub(super) fn counted(&self, of: impl Fn(&Row) -> bool) -> (usize, usize) {
        let counting = || self.rows.iter().filter(|row| row.counts() && of(row));
        (counting().filter(|row| matches!(row.outcome, Outcome::Noticed(_))).count(), counting().count())
    }

    /// The percentage of noticed breaks, rounded down.
    pub(super) fn percent(&self) -> u32 {
        let (noticed, all) = self.counted(|_| true);
        (noticed * 100).checked_div(all).map_or(100, |percent| percent as u32)
    }

    /// The number of each kind of result.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (&'static str, usize)> {
        ["noticed", "unnoticed", "untouched", "stopped", "equivalent", "same", "uncompiled"]
            .into_iter()
            .map(|word| (word, self.rows.iter().filter(|row| row.word() == word).count()))
    }

    /// The summary as a JSON object.
    pub(super) fn summary(&self) -> serde_json::Value {
        let mut summary: serde_json::Map<String, serde_json::Value> =
            self.numbers().map(|(word, count)| (word.to_owned(), count.into())).collect();
        summary.insert("kind".to_owned(), "summary".into());
        summary.insert("percent".to_owned(), self.percent().into());
        summary.into()
    }
}

/// Why a mark is wrong: a scenario notices the break (`E0573`), or a random game differs (`E0574`).
fn refuted(audited: &Audited, audit: &Audit<'_>, row: &Row, mark: &Mark) -> Option<Diagnostic> {
    let wrong = |code| Diagnostic::error(code, mark.span).note(row.mutant.site.span, "place").with("kind", row.mutant.site.kind.word());
    if let Outcome::Noticed(scenario) = &row.outcome {
        return Some(wrong("E0573").with("scenario", scenario));
    }
    let decks: Vec<Vec<CardId>> = decks(audited)?;
    let broken = audit.bench.broken(&row.mutant)?;
    let whole = audit.bench.whole();
    let game = games::first_difference(&Arc::clone(whole.program()), &Arc::clone(broken.program()), &decks, games::GAMES)?;
    Some(wrong("E0574").with("game", game))
}

/// The decks of the random games: the game's own, in the order of their files. None if it has too few cards to play.
fn decks(audited: &Audited) -> Option<Vec<Vec<CardId>>> {
    let (game, players) = (&audited.game, usize::from(audited.game.program.players));
    if game.program.deck_zone.is_none() {
        return Some(vec![Vec::new(); players]);
    }
    let decks = game.decks.iter().filter_map(|deck| deck.card_ids(&game.compiler).ok());
    let known: Vec<Vec<CardId>> = decks.filter(|deck| still_to_do(&game.program, deck).is_empty()).collect();
    (0..players).map(|seat| known.get(seat % known.len().max(1)).cloned()).collect()
}
