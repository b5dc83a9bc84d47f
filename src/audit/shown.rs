//! Finds the rules of the rulebook that are shown: rows of its index that some scenario would miss.
//!
//! A row is *shown* if a scenario that names it passes, and fails once a statement or declaration that cites the row is broken. A header
//! with more than three ids counts for none of them (principles are not counted). A row that says that something does *not* happen has no
//! place to break, and a row that only a principle cites has none either. Any scenario that names such a row and expects something shows it.

use super::kind::Kind;
use super::mutant::Mutant;
use super::notice::Audit;
use rayon::prelude::*;
use scenario::Verdict;
use scenario::coverage::{Coverage, Evidence, coverage_with};
use scenario::rulebook::{Class, Row, Rulebook};
use serde::Serialize;
use std::collections::BTreeMap;

/// The most ids in a header that counts.
const MOST_NAMED: usize = 3;

/// The proof that a row is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// The scenario that fails.
    pub scenario: String,
    /// The number of the break. None for a row that says that something does not happen.
    #[serde(skip)]
    pub mutant: Option<usize>,
}

/// The coverage, and the proof for each shown row. `done` is called for each row that has been checked.
#[must_use]
pub fn shown(audit: &Audit<'_>, book: &Rulebook, mutants: &[Mutant], done: &(impl Fn() + Sync)) -> (Coverage, BTreeMap<String, Proof>) {
    let rows: Vec<(&str, &Row)> = book.iter().filter(|(_, row)| row.class != Class::None).collect();
    let proofs: BTreeMap<String, Proof> = rows
        .par_iter()
        .filter_map(|(id, row)| {
            let proof = proof(audit, book, mutants, id, row);
            done();
            proof.map(|proof| ((*id).to_owned(), proof))
        })
        .collect();
    let cited = audit.suite().cited();
    let evidence = Evidence { cited: &cited, verdicts: &audit.verdicts };
    let coverage = coverage_with(book, &evidence, |id, _, _| proofs.contains_key(id));
    (coverage, proofs)
}

/// The proof for one rule.
#[must_use]
pub fn shown_by(audit: &Audit<'_>, book: &Rulebook, mutants: &[Mutant], id: &str) -> Option<Proof> {
    proof(audit, book, mutants, id, book.get(id)?)
}

/// Why a row is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// No scenario names the row.
    Unnamed,
    /// Only failing scenarios name the row.
    Failing,
    /// Only scenarios that name too many rules name the row.
    AmongMany,
    /// The row says that something does not happen, and the scenarios that name the row expect nothing.
    Unexpecting,
    /// Nothing that cites the row can be broken.
    Unbreakable,
    /// No scenario that names the row reaches the places that cite it.
    Untouched,
    /// No scenario that names the row fails on any break.
    Unnoticed,
}

impl Gap {
    /// The word in the texts of the interface.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Gap::Unnamed => "unnamed",
            Gap::Failing => "failing",
            Gap::AmongMany => "among_many",
            Gap::Unexpecting => "unexpecting",
            Gap::Unbreakable => "unbreakable",
            Gap::Untouched => "untouched",
            Gap::Unnoticed => "unnoticed",
        }
    }
}

/// Why a row without a proof is not shown. Runs nothing.
#[must_use]
pub fn gap(audit: &Audit<'_>, book: &Rulebook, mutants: &[Mutant], id: &str) -> Gap {
    let naming = || audit.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.cites.iter().any(|cite| cite == id));
    let passing = || naming().filter(|(_, verdict)| verdict.passed());
    let alone = || passing().filter(|(_, verdict)| names(book, verdict, id));
    let mut places = mutants.iter().filter(|mutant| mutant.rules.contains(id)).peekable();
    if naming().next().is_none() {
        Gap::Unnamed
    } else if passing().next().is_none() {
        Gap::Failing
    } else if alone().next().is_none() {
        Gap::AmongMany
    } else if book.get(id).is_some_and(|row| row.absent) {
        Gap::Unexpecting
    } else if places.peek().is_none() {
        Gap::Unbreakable
    } else if !places.any(|mutant| alone().any(|(scenario, _)| audit.touches(scenario, mutant))) {
        Gap::Untouched
    } else {
        Gap::Unnoticed
    }
}

fn proof(audit: &Audit<'_>, book: &Rulebook, mutants: &[Mutant], id: &str, row: &Row) -> Option<Proof> {
    let naming: Vec<(usize, &Verdict)> =
        audit.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.passed() && names(book, verdict, id)).collect();
    // Entries of `policy principles` cannot be broken. So a row that nothing else cites has no place to break.
    let only_a_principle = row.class == Class::Principle && !mutants.iter().any(|mutant| mutant.rules.contains(id));
    if row.absent || only_a_principle {
        let expecting = naming.iter().find(|(_, verdict)| verdict.met > 0);
        return expecting.map(|(_, verdict)| Proof { scenario: verdict.title.clone(), mutant: None });
    }
    // The kind `May` only adds a question, on which every scripted scenario fails.
    let places = mutants.iter().enumerate().filter(|(_, mutant)| mutant.rules.contains(id) && mutant.site.kind != Kind::May);
    // Breaks at the rule itself come before breaks of things inside it.
    let mut places: Vec<(usize, &Mutant)> = places.collect();
    places.sort_by_key(|(_, mutant)| (!mutant.site.cites.iter().any(|cite| cite == id), mutant.site.kind));
    places.into_iter().find_map(|(at, mutant)| {
        let mut fitting: Vec<&(usize, &Verdict)> = naming.iter().filter(|(scenario, _)| audit.touches(*scenario, mutant)).collect();
        fitting.sort_by_key(|(scenario, _)| audit.chooses_readings(*scenario));
        if fitting.is_empty() {
            return None;
        }
        let ground = audit.bench.broken(mutant)?;
        let failing = fitting.into_iter().find(|(scenario, _)| audit.notices(&ground, *scenario, id));
        failing.map(|(_, verdict)| Proof { scenario: verdict.title.clone(), mutant: Some(at) })
    })
}

/// Whether a scenario's header names a rule, and not too many rules.
fn names(book: &Rulebook, verdict: &Verdict, id: &str) -> bool {
    let principle = |id: &str| book.get(id).is_some_and(|row| row.class == Class::Principle);
    let counted = verdict.cites.iter().filter(|id| !principle(id)).count();
    counted <= MOST_NAMED && verdict.cites.iter().any(|cite| cite == id)
}
