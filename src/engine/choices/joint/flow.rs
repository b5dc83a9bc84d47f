//! A flow of the greatest value: a network in which each arc has a least and a greatest amount, and each unit on an arc has a value.
//!
//! The flow grows along the path that adds the most value, until no path adds any (R. G. Busacker and P. J. Gowen, "A procedure for
//! determining a family of minimum-cost network flow patterns", 1960). A unit that an arc must have is worth more than everything else.
//! The flows of `costs/matching.rs` have no values; these have.

use std::collections::VecDeque;

/// The value of a unit that an arc must have. Larger than every sum of other values.
const REQUIRED: i128 = 1 << 80;

/// A network. Its first node is the source, its last node the sink.
#[derive(Debug)]
pub(super) struct Network {
    arcs: Vec<Arc>,
    /// For each node the arcs that leave it.
    leaving: Vec<Vec<usize>>,
    /// The arcs for the required units.
    required: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    to: usize,
    /// How many units more it can take.
    room: usize,
    value: i128,
}

/// An arc of a network.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArcId(usize, Option<usize>);

impl Network {
    /// A network without arcs.
    pub(super) fn new(nodes: usize) -> Self {
        Network { arcs: Vec::new(), leaving: vec![Vec::new(); nodes], required: Vec::new() }
    }

    /// Adds an arc with at least `least` and at most `most` units. Each is worth `value`.
    pub(super) fn arc(&mut self, (from, to): (usize, usize), (least, most): (usize, usize), value: i128) -> ArcId {
        let required = (least > 0).then(|| self.one_arc((from, to), least, REQUIRED + value));
        self.required.extend(required);
        ArcId(self.one_arc((from, to), most.saturating_sub(least), value), required)
    }

    /// An arc and the arc back, which takes units away again.
    fn one_arc(&mut self, (from, to): (usize, usize), most: usize, value: i128) -> usize {
        let at = self.arcs.len();
        self.arcs.push(Arc { to, room: most, value });
        self.arcs.push(Arc { to: from, room: 0, value: -value });
        if let Some(leaving) = self.leaving.get_mut(from) {
            leaving.push(at);
        }
        if let Some(leaving) = self.leaving.get_mut(to) {
            leaving.push(at + 1);
        }
        at
    }

    /// Finds the flow of the greatest value. `false` if no flow has all required units. None if it takes more than `left` looks at arcs.
    pub(super) fn flow(&mut self, left: &mut u32) -> Option<bool> {
        while let Some(path) = self.best_path(left)? {
            let room = path.iter().filter_map(|at| self.arcs.get(*at)).map(|arc| arc.room).min().unwrap_or(0);
            if room == 0 {
                break;
            }
            for at in path {
                self.push(at, room);
            }
        }
        Some(self.required.iter().all(|at| self.room(*at) == 0))
    }

    fn push(&mut self, at: usize, units: usize) {
        if let Some(arc) = self.arcs.get_mut(at) {
            arc.room -= units;
        }
        if let Some(back) = self.arcs.get_mut(at ^ 1) {
            back.room += units;
        }
    }

    fn room(&self, at: usize) -> usize {
        self.arcs.get(at).map_or(0, |arc| arc.room)
    }

    /// The number of units on an arc.
    pub(super) fn units(&self, arc: ArcId) -> usize {
        self.room(arc.0 ^ 1) + arc.1.map_or(0, |required| self.room(required ^ 1))
    }

    /// The arcs of the path from the source to the sink that adds the most value. The inner None: no path adds any.
    fn best_path(&self, left: &mut u32) -> Option<Option<Vec<usize>>> {
        let sink = self.leaving.len().saturating_sub(1);
        let mut best: Vec<Option<i128>> = vec![None; self.leaving.len()];
        let mut by: Vec<Option<usize>> = vec![None; self.leaving.len()];
        let mut waits = vec![false; self.leaving.len()];
        let mut waiting = VecDeque::from([0]);
        if let Some(source) = best.first_mut() {
            *source = Some(0);
        }
        while let Some(node) = waiting.pop_front() {
            if let Some(waits) = waits.get_mut(node) {
                *waits = false;
            }
            let Some(here) = best.get(node).copied().flatten() else { continue };
            for at in self.leaving.get(node).map_or(&[][..], Vec::as_slice) {
                *left = left.checked_sub(1)?;
                let Some(arc) = self.arcs.get(*at).filter(|arc| arc.room > 0) else { continue };
                let value = here + arc.value;
                let Some(known) = best.get_mut(arc.to).filter(|known| known.is_none_or(|known| value > known)) else { continue };
                *known = Some(value);
                if let Some(by) = by.get_mut(arc.to) {
                    *by = Some(*at);
                }
                if let Some(waits) = waits.get_mut(arc.to).filter(|waits| !**waits) {
                    *waits = true;
                    waiting.push_back(arc.to);
                }
            }
        }
        if best.get(sink).copied().flatten().is_none_or(|value| value <= 0) {
            return Some(None);
        }
        let mut path = Vec::new();
        let mut node = sink;
        while let Some(at) = by.get(node).copied().flatten() {
            path.push(at);
            node = self.arcs.get(at ^ 1).map_or(0, |back| back.to);
        }
        Some(Some(path))
    }
}
