//! The cost of handling a position in the middle of a game: copy it, save and restore it.

use crate::clock::{best_of, timed};
use crate::entrant::{Entrant, How};
use gyoji::engine::machine::Machine;
use gyoji::engine::state::save::Saved;
use std::hint::black_box;
use std::sync::Arc;

/// The number of games whose middle is measured.
const LONG: u64 = 3;
const SHORT: u64 = 20;

/// How often a measurement repeats one thing, and how many measurements there are.
const REPEATS: u32 = 20;
const TIMES: usize = 5;

/// Times in nanoseconds, the size of a save, and the size of the position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Middle {
    /// Copying the state into a machine that already has a state.
    pub copy: f64,
    /// Making a save, as text.
    pub save: f64,
    /// Making a machine from this text.
    pub restore: f64,
    /// The length of the text in bytes.
    pub bytes: f64,
    /// The numbers of objects in the state, of abilities that wait, and of events that are kept.
    pub objects: f64,
    pub waiting: f64,
    pub events: f64,
}

/// The average over the middles of some games.
#[must_use]
pub(crate) fn measure(entrant: &Entrant) -> Middle {
    let games = if entrant.long { LONG } else { SHORT };
    let mut sum = Middle::default();
    for number in 0..games {
        let one = middle(entrant, number);
        let pairs = [
            (&mut sum.copy, one.copy),
            (&mut sum.save, one.save),
            (&mut sum.restore, one.restore),
            (&mut sum.bytes, one.bytes),
            (&mut sum.objects, one.objects),
            (&mut sum.waiting, one.waiting),
            (&mut sum.events, one.events),
        ];
        pairs.into_iter().for_each(|(sum, one)| *sum += one / games as f64);
    }
    sum
}

fn middle(entrant: &Entrant, number: u64) -> Middle {
    let mut player = entrant.player(How::Listed);
    let decisions = player.play(crate::RUN, number);
    player.play_until(crate::RUN, number, decisions / 2);
    let before = player.machine.state().clone();
    let mut other = Machine::new(Arc::clone(&entrant.program));
    let copy = each(|| other.copy_state(black_box(&before)));
    assert!(*other.state() == before);

    let text = text(&other);
    let save = each(|| drop(black_box(self::text(&other))));
    let restore = each(|| drop(black_box(restored(entrant, &text))));
    assert!(*restored(entrant, &text).state() == before);
    let counts = [before.board.objects.len(), before.events.pending.len(), before.events.history.len()];
    let [objects, waiting, events] = counts.map(|count| count as f64);
    Middle { copy, save, restore, bytes: text.len() as f64, objects, waiting, events }
}

/// Nanoseconds for one of many repetitions.
fn each(mut does: impl FnMut()) -> f64 {
    does();
    best_of(TIMES, || timed(|| (0..REPEATS).for_each(|_| does()))) / f64::from(REPEATS)
}

fn text(machine: &Machine) -> String {
    match ron::to_string(&machine.save()) {
        Ok(text) => text,
        Err(error) => panic!("{error}"),
    }
}

fn restored(entrant: &Entrant, text: &str) -> Machine {
    let saved: Result<Saved, _> = ron::from_str(text);
    match saved.map(|saved| Machine::load(Arc::clone(&entrant.program), saved)) {
        Ok(Ok(machine)) => machine,
        other => panic!("{other:?}"),
    }
}
