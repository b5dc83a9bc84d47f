//! Records what a run touched: every statement that was carried out, with or without rules beside it, and the texts of the cards in the
//! game.
//!
//! This is for the audit: a break can only make a difference in a touched place. The machine reports only statements that cite a rule. So a
//! copy of the program is made in which every statement has a list of rules, perhaps an empty one. Then the machine reports all statements.
//! The copy also tallies which conditions were true. The tally includes conditions in trial runs, which the machine does not report.

use crate::running::run::Run;
use compile::Compiler;
use engine::ids::{CardId, NodeId, Pc};
use engine::program::tally::Tally;
use engine::program::{Node, Op, Program};
use engine::state::State;
use lang::diagnostic::Span;
use lang::syntax::ast::{Scenario, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The touched parts; see the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Places of the statements.
    pub places: BTreeSet<Span>,
    /// Printed texts of the cards that were in the game at any time.
    pub texts: BTreeSet<String>,
    /// Statements whose condition was checked, in play or in a trial.
    pub looked_at: BTreeSet<Span>,
    /// The statements among `looked_at` whose condition was false at least once.
    pub failed: BTreeSet<Span>,
    /// The number of statements with conditions in each place. Set only if the scenario chooses readings, because its program may then
    /// differ from the game's.
    pub conditional: Option<BTreeMap<Span, usize>>,
}

impl Touched {
    /// Whether a statement in that place was carried out.
    #[must_use]
    pub fn within(&self, place: Span) -> bool {
        let from = Span { end: 0, ..place };
        self.places.range(from..).take_while(|span| span.file == place.file && span.start < place.end).any(|span| span.end <= place.end)
    }
}

/// The cards that the objects of a game have been. An object is another card after `become`, and a made object may vanish.
#[derive(Clone, Debug, Default)]
pub(crate) struct CardsSeen {
    now: Vec<Option<CardId>>,
    all: BTreeSet<CardId>,
}

impl CardsSeen {
    /// Notes what each object is now.
    pub(crate) fn note(&mut self, state: &State) {
        let objects = &state.board.objects;
        self.now.resize(objects.len(), None);
        for (known, object) in self.now.iter_mut().zip(objects.iter()) {
            if known.replace(object.card) != Some(object.card) {
                self.all.insert(object.card);
            }
        }
    }
}

/// The program with a list of rules (perhaps empty) beside every statement, so that each is reported.
pub(crate) fn telling_all(program: &Program) -> Program {
    let mut program = program.clone();
    let none = program.cites.push(Arc::default());
    for pc in program.code_cites.ids() {
        if let Some(cites) = program.code_cites.get_mut(pc).filter(|cites| cites.0 == 0) {
            *cites = none;
        }
    }
    let jumps: Vec<Pc> = conditional(&program).map(|(at, _)| at).collect();
    for (number, at) in (0..).zip(&jumps) {
        if let Some(Op::JumpUnless { condition, to }) = program.code.get(*at).copied() {
            let condition = program.nodes.push(Node::Tallied(condition, number));
            if let Some(op) = program.code.get_mut(*at) {
                *op = Op::JumpUnless { condition, to };
            }
        }
    }
    program.tally = Tally::of(jumps.len());
    program
}

/// The statements that jump unless a condition is true.
fn conditional(program: &Program) -> impl Iterator<Item = (Pc, NodeId)> {
    program.code.iter().filter_map(|(at, op)| if let Op::JumpUnless { condition, .. } = op { Some((at, *condition)) } else { None })
}

/// The places of these statements, with their number.
#[must_use]
pub fn conditional_places(compiler: &Compiler) -> BTreeMap<Span, usize> {
    let mut places = BTreeMap::new();
    for place in conditional(compiler.program()).filter_map(|(at, _)| compiler.map().code(at)) {
        *places.entry(place).or_default() += 1;
    }
    places
}

/// What a run has touched so far.
pub(crate) fn touched(run: &Run<'_>, scenario: &Scenario) -> Touched {
    let program = run.machine.program();
    let places = run.recorder.records().iter().filter_map(|record| run.compiler.map().code(record.traced.at));
    let objects = run.machine.state().board.objects.iter().map(|object| object.card);
    let cards = objects.chain(run.recorder.cards_seen().all.iter().copied());
    let texts = cards.filter_map(|card| program.cards.get(card)).map(|card| card.text.clone());
    let tallied = |noted: fn(&Tally, u32) -> bool| -> BTreeSet<Span> {
        let of = conditional(program).filter_map(|(at, condition)| match program.nodes.get(condition) {
            Some(Node::Tallied(_, number)) if noted(&program.tally, *number) => run.compiler.map().code(at),
            _ => None,
        });
        of.collect()
    };
    Touched {
        places: places.collect(),
        texts: texts.filter(|text| !text.is_empty()).collect(),
        looked_at: tallied(Tally::looked_at),
        failed: tallied(Tally::failed),
        conditional: scenario.steps.iter().any(|step| matches!(step, Step::Reading(..))).then(|| conditional_places(&run.compiler)),
    }
}

#[cfg(test)]
mod tests {
    use super::Touched;
    use lang::diagnostic::{FileId, Span};

    #[test]
    fn a_place_is_touched_by_what_lies_in_it() {
        let span = |start, end| Span { file: FileId(1), start, end };
        let touched = Touched { places: [span(10, 20), span(30, 90)].into(), ..Touched::default() };
        assert!(touched.within(span(10, 20)) && touched.within(span(5, 25)) && touched.within(span(0, 100)));
        assert!(!touched.within(span(12, 18)) && !touched.within(span(40, 50)) && !touched.within(span(20, 30)));
        assert!(!touched.within(Span { file: FileId(2), start: 0, end: 100 }));
    }
}
