//! How the cost of a decision grows: with objects on the table, with effects in force, with pairs of cards that may act together.
//!
//! Each phase of `tests/fixtures/crowd` starts effects and then offers ways to act again and again.
//! The time of a decision runs from an answer to the next offer, with all ways to act listed.
#![allow(clippy::unwrap_used, reason = "a wrong measurement must stop, not be reported")]

use crate::clock::{best_of, now};
use gyoji::engine::ids::{CardId, PhaseId};
use gyoji::engine::machine::Machine;
use gyoji::engine::program::Program;
use gyoji::engine::state::Status;
use gyoji::engine::state::position::Begin;
use gyoji::engine::steps::Silent;
use gyoji::engine::value::Player;
use gyoji::project::{Places, load};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const TIMES: usize = 10;

/// The greatest exponent allowed. A greater one means that the program looks at all objects for each object.
const MOST_EXPONENT: f64 = 1.2;

/// The number of decisions in one measurement. The smallest table has enough units for two in each decision, and for one more offer.
const DECISIONS: u32 = 3;

/// The number of cards on the field, and the number of cards in the hand. The hand decides how many effects are started.
#[derive(Clone, Copy, Debug)]
struct Size {
    field: usize,
    hand: usize,
}

const fn size(field: usize, hand: usize) -> Size {
    Size { field, hand }
}

/// One series of measurements in which something grows.
struct Growth {
    /// What grows, and what stays the same.
    what: &'static str,
    phase: &'static str,
    sizes: [Size; 3],
    /// The number of things that grow, for a size.
    count: fn(Size) -> usize,
    /// How many times as long the last size may take as the first, if not the exponent decides.
    most: Option<f64>,
}

const GROWTHS: [Growth; 6] = [
    Growth {
        what: "objects, 10 effects on all",
        phase: "acts_fit",
        sizes: [size(10, 10), size(100, 10), size(1_000, 10)],
        count: |size| size.field,
        most: None,
    },
    Growth {
        what: "effects, each on one of 20",
        phase: "acts_each",
        sizes: [size(20, 1), size(20, 10), size(20, 100)],
        count: |size| 20 * size.hand,
        most: None,
    },
    Growth {
        what: "effects, each on all of 20",
        phase: "acts_fit",
        sizes: [size(20, 10), size(20, 100), size(20, 1_000)],
        count: |size| size.hand,
        most: None,
    },
    Growth { what: "pairs, no effects", phase: "pairs_plain", sizes: [size(12, 0), size(28, 0), size(64, 0)], count: pairs, most: None },
    Growth {
        what: "pairs, 20 effects on all",
        phase: "pairs_fit",
        sizes: [size(12, 20), size(28, 20), size(64, 20)],
        count: pairs,
        most: None,
    },
    // A table as in long games: from ten units with two effects each to fifty units with four each.
    Growth {
        what: "10 units, 20 effects; 50, 200",
        phase: "acts_each",
        sizes: [size(10, 2), size(25, 3), size(50, 4)],
        count: |size| size.field * size.hand,
        most: Some(6.0),
    },
];

/// The average number of legal pairs in the timed offers. Each decision tires two units.
fn pairs(size: Size) -> usize {
    let fit = |decision: usize| size.field - 2 * decision;
    let decisions = DECISIONS as usize;
    (1..=decisions).map(|decision| fit(decision) * (fit(decision) - 1)).sum::<usize>() / decisions
}

/// The result of one series.
#[derive(Clone, Debug)]
pub(crate) struct Grown {
    /// What grows.
    pub what: &'static str,
    /// For each size: the number of things, and the nanoseconds of a decision.
    pub sizes: Vec<(usize, f64)>,
    most: Option<f64>,
}

impl Grown {
    /// How many times as long the last size takes as the first.
    #[must_use]
    pub(crate) fn times(&self) -> f64 {
        self.ends(|(_, time)| time)
    }

    /// The exponent: the time grows with this power of the number.
    #[must_use]
    pub(crate) fn exponent(&self) -> f64 {
        self.times().ln() / self.ends(|(count, _)| count as f64).ln()
    }

    /// Whether the time grows faster than allowed.
    #[must_use]
    pub(crate) fn is_too_much(&self) -> bool {
        self.most.map_or(self.exponent() > MOST_EXPONENT, |most| self.times() > most)
    }

    fn ends(&self, of: fn((usize, f64)) -> f64) -> f64 {
        of(*self.sizes.last().unwrap()) / of(*self.sizes.first().unwrap())
    }
}

/// Measures all series.
#[must_use]
pub(crate) fn measure() -> Vec<Grown> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/crowd");
    let (game, findings) = load("crowd", &Places { rules: Some(folder), cards: None, on: None }, None).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
    let grown = |growth: &Growth| {
        let time = |size: &Size| ((growth.count)(*size), decision(&game.program, growth.phase, *size));
        Grown { what: growth.what, sizes: growth.sizes.iter().map(time).collect(), most: growth.most }
    };
    GROWTHS.iter().map(grown).collect()
}

/// The best time of a decision in nanoseconds.
fn decision(program: &Arc<Program>, phase: &str, size: Size) -> f64 {
    let phase = program.phases.iter().find(|(_, def)| def.name.name == phase).unwrap().0;
    let mut machine = Machine::new(Arc::clone(program));
    best_of(TIMES, || decisions(&mut machine, phase, size)) / f64::from(DECISIONS)
}

fn decisions(machine: &mut Machine, phase: PhaseId, size: Size) -> Duration {
    let program = Arc::clone(machine.program());
    let zone = |name: &str| program.zones.iter().find(|(_, zone)| zone.name.name == name).unwrap().0;
    let mut position = machine.position();
    for (zone, count) in [(zone("field"), size.field), (zone("hand"), size.hand)] {
        for _ in 0..count {
            position.place(zone, Player(0), CardId(0), None).unwrap();
        }
    }
    position.begin(Begin::Phase(Some(phase)));
    assert_eq!(machine.run(&mut Silent), Status::Asking);
    let begin = now();
    for _ in 0..DECISIONS {
        // The answer in the middle of the list.
        let (id, middle) = machine.questions().map(|asked| (asked.id, asked.domain.len() as u16 / 2)).next().unwrap();
        machine.answer(id, &[middle]).unwrap();
        assert_eq!(machine.run(&mut Silent), Status::Asking);
    }
    now() - begin
}
