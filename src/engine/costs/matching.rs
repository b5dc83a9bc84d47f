//! Requirements and units: decides whether each requirement can have a unit of its own.
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
pub struct Fits {
    /// The number of units.
    pub units: usize,
    /// For each requirement, whether each unit fits.
    pub needs: Vec<Vec<bool>>,
    /// For each joining member, whether each unit fits.
    pub joins: Vec<Vec<bool>>,
    /// For each joining member, whether it may be left over.
    pub may_be_left: Vec<bool>,
}

impl Fits {
    /// Whether each requirement can have a unit of its own, while as many members as possible join these units, and every member that may
    /// not be left over joins one.
    #[must_use]
    pub fn can_be_met(&self) -> bool {
        let must_join = || self.joins.iter().zip(&self.may_be_left).filter(|(_, left)| !**left).map(|(row, _)| row);
        let wanted = self.needs.len().min(self.joins.len());
        self.all_paid()
            && (self.joins.is_empty() || self.placed(must_join()) == must_join().count() && self.placed(self.joins.iter()) == wanted)
    }

    /// The first requirement that cannot get a unit beside the requirements before it. If there is none: the first joining member (`true`)
    /// that may not be left over and cannot be placed beside the members before it.
    #[must_use]
    pub fn unmet(&self) -> Option<(usize, bool)> {
        let prefix = |count: usize| Fits { units: self.units, needs: self.needs.iter().take(count).cloned().collect(), ..Fits::default() };
        if let Some(at) = (1..=self.needs.len()).find(|count| prefix(*count).paid() < *count) {
            return Some((at - 1, false));
        }
        let must: Vec<usize> = (0..self.joins.len()).filter(|at| self.may_be_left.get(*at) == Some(&false)).collect();
        let rows = |count: usize| must.iter().take(count).filter_map(|at| self.joins.get(*at));
        let first = (1..=must.len()).find(|count| self.placed(rows(*count)) < *count)?;
        must.get(first - 1).map(|at| (*at, true))
    }

    /// Whether each requirement can have a unit of its own, whatever joins it.
    #[must_use]
    pub fn all_paid(&self) -> bool {
        self.paid() == self.needs.len()
    }

    /// How many requirements can have a unit of their own.
    fn paid(&self) -> usize {
        let mut net = Net::new();
        let units = net.nodes(self.units);
        for unit in &units {
            net.edge(net.source, *unit);
        }
        net.requirements(&self.needs, &units);
        net.flow()
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
