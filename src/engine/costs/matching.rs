//! Requirements and units: decides whether each requirement can have a unit of its own.
//!
//! The requirements alone are an assignment that grows by chains of moves (`Assigned`).
//!
//! Members that *join* paying units are a flow through the units: member to unit to requirement, each used once (L. R. Ford and D. R.
//! Fulkerson, "Maximal flow through a network", 1956). Three flows answer the question:
//! - The requirements alone: all must be paid.
//! - The joining members that may not be left over: all must be placed. The sets of members that can be placed are the independent sets of
//!   a matroid. So these members can be among the greatest number of members that can be placed at all.
//! - All joining members: as many as there are requirements for.
//!
//! An assignment that pays some requirements extends to one that pays as many as can be paid and keeps every unit that it used (N. S.
//! Mendelsohn and A. L. Dulmage, 1958). So no fourth flow is needed to do all of this at once.

use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};

/// Which units fit: one row for each requirement and each joining member.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fits {
    /// The number of units.
    pub units: usize,
    /// For each requirement, whether each unit fits.
    pub needs: Vec<Vec<bool>>,
    /// For each joining member, whether each unit fits.
    pub joins: Vec<Vec<bool>>,
    /// For each joining member, whether it may be left over.
    pub(crate) may_be_left: Vec<bool>,
}

impl Fits {
    /// Whether each requirement can have a unit of its own. At the same time as many members as possible must join these units, and every
    /// member that may not be left over must join one.
    #[must_use]
    pub(crate) fn can_be_met(&self) -> bool {
        let must_join = || self.joins.iter().zip(&self.may_be_left).filter(|(_, left)| !**left).map(|(row, _)| row);
        let wanted = self.needs.len().min(self.joins.len());
        self.all_paid()
            && (self.joins.is_empty() || self.placed(must_join()) == must_join().count() && self.placed(self.joins.iter()) == wanted)
    }

    /// The first requirement that cannot get a unit beside the requirements before it. If there is none: the first joining member (`true`)
    /// that may not be left over and cannot be placed beside the members before it.
    #[must_use]
    pub(crate) fn unmet(&self) -> Option<(usize, bool)> {
        let prefix = |count: usize| Fits { units: self.units, needs: self.needs.iter().take(count).cloned().collect(), ..Fits::default() };
        if let Some(at) = (1..=self.needs.len()).find(|count| prefix(*count).paid() < *count) {
            return Some((at - 1, false));
        }
        let must: Vec<usize> = (0..self.joins.len()).filter(|at| self.may_be_left.get(*at) == Some(&false)).collect();
        let rows = |count: usize| must.iter().take(count).filter_map(|at| self.joins.get(*at));
        let first = (1..=must.len()).find(|count| self.placed(rows(*count)) < *count)?;
        must.get(first - 1).map(|at| (*at, true))
    }

    /// Whether each requirement can have a unit of its own. Joining members do not count.
    #[must_use]
    pub(crate) fn all_paid(&self) -> bool {
        self.paid() == self.needs.len()
    }

    /// The units for the next requirement with which all others can still have theirs, if the first requirements have the units `taken`.
    /// Joining members do not count.
    ///
    /// One assignment of all requirements is enough to find all these units. A unit fits if no requirement holds it, or if the requirement
    /// that holds it can take another unit. It can do so if a chain of moves ends at a unit that nobody holds, or at the unit that the next
    /// requirement leaves.
    #[must_use]
    pub(crate) fn units_for_next(&self, taken: &[usize]) -> Vec<usize> {
        let next = taken.len();
        let Some(assigned) = Assigned::after(self, taken) else { return Vec::new() };
        let left = assigned.unit_of.get(next).copied().flatten();
        let is_free = |unit: &usize| Some(*unit) == left || assigned.holder(*unit).is_none();
        let mut open: Vec<bool> = (0..self.units).map(|unit| is_free(&unit)).collect();
        let mut to_look_at: Vec<usize> = (0..self.units).filter(is_free).collect();
        let mut moves = vec![false; self.needs.len()];
        while let Some(unit) = to_look_at.pop() {
            for (need, row) in self.needs.iter().enumerate().skip(next + 1) {
                let Some(known) = moves.get_mut(need).filter(|known| !**known && row.get(unit) == Some(&true)) else { continue };
                *known = true;
                let Some(own) = assigned.unit_of.get(need).copied().flatten() else { continue };
                if let Some(slot) = open.get_mut(own) {
                    *slot = true;
                }
                to_look_at.push(own);
            }
        }
        let row = self.needs.get(next).map_or(&[][..], Vec::as_slice);
        row.iter().zip(open).enumerate().filter(|(_, (fits, open))| **fits && *open).map(|(unit, _)| unit).collect()
    }

    /// How many requirements can have a unit of their own.
    fn paid(&self) -> usize {
        let mut assigned = Assigned::none(self);
        (0..self.needs.len()).filter(|need| assigned.find(self, 0, *need)).count()
    }

    /// The number of these members that can join a unit that pays a requirement.
    fn placed<'m>(&self, members: impl Iterator<Item = &'m Vec<bool>>) -> usize {
        let mut net = Net::new();
        let (joined, paying) = (net.nodes(self.units), net.nodes(self.units));
        for (joined, paying) in joined.iter().zip(&paying) {
            net.edge(*joined, *paying);
        }
        for row in members {
            let member = net.graph.add_node(());
            net.edge(net.source, member);
            for (unit, _) in joined.iter().zip(row).filter(|(_, fits)| **fits) {
                net.edge(member, *unit);
            }
        }
        net.requirements(&self.needs, &paying);
        net.flow()
    }
}

/// A unit for each requirement.
struct Assigned {
    /// For each requirement its unit.
    unit_of: Vec<Option<usize>>,
    /// For each unit the requirement that has it.
    held_by: Vec<Option<usize>>,
}

impl Assigned {
    /// No requirement has a unit yet.
    fn none(fits: &Fits) -> Self {
        Assigned { unit_of: vec![None; fits.needs.len()], held_by: vec![None; fits.units] }
    }

    /// An assignment in which the first requirements have these units. None if there is none.
    fn after(fits: &Fits, taken: &[usize]) -> Option<Self> {
        let mut assigned = Assigned::none(fits);
        for (need, unit) in taken.iter().enumerate() {
            let may = fits.needs.get(need)?.get(*unit) == Some(&true) && assigned.holder(*unit).is_none();
            may.then(|| assigned.give(need, *unit))?;
        }
        (taken.len()..fits.needs.len()).all(|need| assigned.find(fits, taken.len(), need)).then_some(assigned)
    }

    fn holder(&self, unit: usize) -> Option<usize> {
        self.held_by.get(unit).copied().flatten()
    }

    fn give(&mut self, need: usize, unit: usize) {
        if let (Some(of), Some(by)) = (self.unit_of.get_mut(need), self.held_by.get_mut(unit)) {
            (*of, *by) = (Some(unit), Some(need));
        }
    }

    /// Finds a unit for a requirement. Requirements from the first one on may take other units for that.
    fn find(&mut self, fits: &Fits, first: usize, need: usize) -> bool {
        let fitting = fits.needs.get(need).map_or(&[][..], Vec::as_slice);
        if let Some(unit) = fitting.iter().zip(&self.held_by).position(|(fits, holder)| *fits && holder.is_none()) {
            self.give(need, unit);
            return true;
        }
        let mut wanted_by: Vec<Option<usize>> = vec![None; fits.units];
        let mut looking = vec![need];
        while let Some(at) = looking.pop() {
            for unit in (0..fits.units).filter(|unit| fits.needs.get(at).is_some_and(|row| row.get(*unit) == Some(&true))) {
                let Some(wanted @ None) = wanted_by.get_mut(unit) else { continue };
                *wanted = Some(at);
                match self.holder(unit) {
                    None => {
                        self.hand_on(&wanted_by, need, unit);
                        return true;
                    }
                    Some(other) if other >= first => looking.push(other),
                    Some(_) => {}
                }
            }
        }
        false
    }

    /// Gives a unit to the requirement that wants it. The unit that this requirement leaves goes to the requirement that wants that unit,
    /// and so on.
    fn hand_on(&mut self, wanted_by: &[Option<usize>], last: usize, mut unit: usize) {
        while let Some(need) = wanted_by.get(unit).copied().flatten() {
            let left = self.unit_of.get(need).copied().flatten();
            self.give(need, unit);
            match left.filter(|_| need != last) {
                Some(left) => unit = left,
                None => return,
            }
        }
    }
}

/// A flow network in which every node and edge can be used once.
struct Net {
    graph: DiGraph<(), u32>,
    source: NodeIndex,
    sink: NodeIndex,
}

impl Net {
    fn new() -> Self {
        let mut graph = DiGraph::new();
        let (source, sink) = (graph.add_node(()), graph.add_node(()));
        Self { graph, source, sink }
    }

    fn nodes(&mut self, count: usize) -> Vec<NodeIndex> {
        (0..count).map(|_| self.graph.add_node(())).collect()
    }

    fn edge(&mut self, from: NodeIndex, to: NodeIndex) {
        self.graph.add_edge(from, to, 1);
    }

    /// Adds the requirements, each connected with the units that fit it.
    fn requirements(&mut self, needs: &[Vec<bool>], units: &[NodeIndex]) {
        for row in needs {
            let need = self.graph.add_node(());
            self.edge(need, self.sink);
            for (unit, _) in units.iter().zip(row).filter(|(_, fits)| **fits) {
                self.edge(*unit, need);
            }
        }
    }

    fn flow(&self) -> usize {
        dinics(&self.graph, self.source, self.sink).0 as usize
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::Fits;
    use proptest::prelude::*;

    /// Test: the same result, found by trying everything.
    fn tried(fits: &Fits, need: usize, used: &mut Vec<bool>, paying: &mut Vec<usize>) -> bool {
        if need == fits.needs.len() {
            return joined(fits, 0, paying, &mut vec![false; fits.units], 0);
        }
        (0..fits.units).any(|unit| {
            if used[unit] || !fits.needs[need][unit] {
                return false;
            }
            used[unit] = true;
            paying.push(unit);
            let found = tried(fits, need + 1, used, paying);
            paying.pop();
            used[unit] = false;
            found
        })
    }

    fn joined(fits: &Fits, member: usize, paying: &[usize], taken: &mut Vec<bool>, placed: usize) -> bool {
        if member == fits.joins.len() {
            return placed == fits.needs.len().min(fits.joins.len());
        }
        let on_a_unit = paying.iter().any(|unit| {
            if taken[*unit] || !fits.joins[member][*unit] {
                return false;
            }
            taken[*unit] = true;
            let found = joined(fits, member + 1, paying, taken, placed + 1);
            taken[*unit] = false;
            found
        });
        on_a_unit || fits.may_be_left[member] && joined(fits, member + 1, paying, taken, placed)
    }

    proptest! {
        #[test]
        fn as_trying_everything_says(
            units in 0..5_usize,
            needs in prop::collection::vec(prop::collection::vec(any::<bool>(), 5), 0..5),
            joins in prop::collection::vec(prop::collection::vec(any::<bool>(), 5), 0..5),
            may_be_left in prop::collection::vec(any::<bool>(), 5),
        ) {
            let cut = |rows: Vec<Vec<bool>>| rows.into_iter().map(|row| row[..units].to_vec()).collect();
            let fits = Fits { units, needs: cut(needs), may_be_left: may_be_left[..joins.len()].to_vec(), joins: cut(joins) };
            prop_assert_eq!(fits.can_be_met(), tried(&fits, 0, &mut vec![false; units], &mut Vec::new()), "{:?}", fits);
        }
    }

    proptest! {
        #[test]
        fn units_for_the_next_are_those_with_which_all_can_be_met(
            units in 0..6_usize,
            needs in prop::collection::vec(prop::collection::vec(any::<bool>(), 6), 1..6),
            taken in prop::collection::vec(0..6_usize, 0..3),
        ) {
            let needs: Vec<Vec<bool>> = needs.into_iter().map(|row| row[..units].to_vec()).collect();
            let taken: Vec<usize> = taken.into_iter().filter(|unit| *unit < units).take(needs.len() - 1).collect();
            let fits = Fits { units, needs, ..Fits::default() };
            let all_met = |next: &usize| {
                let all: Vec<usize> = taken.iter().copied().chain([*next]).collect();
                let own = |need: usize, unit: usize| match all.get(need) {
                    Some(own) => *own == unit && all.iter().position(|taken| *taken == unit) == Some(need),
                    None => !all.contains(&unit),
                };
                let row = |(need, row): (usize, &Vec<bool>)| row.iter().enumerate().map(|(unit, fits)| *fits && own(need, unit)).collect();
                Fits { needs: fits.needs.iter().enumerate().map(row).collect(), ..fits.clone() }.can_be_met()
            };
            prop_assert_eq!(fits.units_for_next(&taken), (0..units).filter(all_met).collect::<Vec<_>>(), "{:?} {:?}", fits, taken);
        }
    }

    /// A joining member may change its unit twice until a free one is found.
    #[test]
    fn each_joining_member_takes_one_unit_only() {
        let rows = |rows: &[&[usize]]| rows.iter().map(|row| (0..4).map(|unit| row.contains(&unit)).collect()).collect();
        let fits = Fits {
            units: 4,
            needs: rows(&[&[3], &[1, 2], &[2]]),
            joins: rows(&[&[1], &[1, 2, 3], &[3]]),
            may_be_left: vec![true, false, true],
        };
        assert!(fits.can_be_met());
    }

    /// Requirement n fits the units from n on, so only one assignment works.
    #[test]
    fn only_one_of_very_many_is_found_and_none_is_refused() {
        let one = |size: usize| (0..size).map(|need| (0..size).map(|unit| unit >= need).collect()).collect();
        let fits = Fits { units: 300, needs: one(300), ..Fits::default() };
        assert!(fits.can_be_met());
        let mut none = fits;
        none.needs[0] = (0..300).map(|unit| unit == 299).collect();
        assert!(!none.can_be_met());
    }
}
