//! Requirements against units: whether each requirement can have a unit of its own.
//!
//! Augmenting paths (C. Berge, "Two theorems in graph theory", 1957; in bipartite graphs H. W. Kuhn, "The Hungarian method", 1955): an
//! assignment can be made larger exactly when there is a path that changes sides of it, and a path never takes from a
//! requirement that it has a unit. So n requirements cost n searches, not n! trials, also where there is no assignment.
//!
//! Members that *join* paying units are a flow through the units: member to unit to requirement, each used once (Ford and Fulkerson, 1956).
//! An assignment that pays some requirements extends to one that pays as many as can be paid and keeps every unit that it used (Mendelsohn
//! and Dulmage, 1958), so the joining members are placed first and the other requirements behind them.

/// What fits what, row by row: for each requirement and each joining member the units that will do.
#[derive(Clone, Debug, Default)]
pub struct Fits {
    /// How many units there are.
    pub units: usize,
    /// For each requirement, for each unit.
    pub needs: Vec<Vec<bool>>,
    /// For each joining member, for each unit.
    pub joins: Vec<Vec<bool>>,
    /// For each joining member whether it may be left over.
    pub may_be_left: Vec<bool>,
}

impl Fits {
    /// Whether each requirement can have a unit of its own, with as many joining members on those units as there are such units, and
    /// only such left over as may be.
    #[must_use]
    pub fn can_be_met(&self) -> bool {
        let Some(unit_of) = self.joined() else { return false };
        let mut need_of: Vec<Option<usize>> = vec![None; self.units];
        for (need, unit) in unit_of.iter().enumerate() {
            if let Some(slot) = unit.and_then(|unit| need_of.get_mut(unit)) {
                *slot = Some(need);
            }
        }
        for need in 0..self.needs.len() {
            let has = unit_of.get(need).copied().flatten().is_some();
            if !has && !self.augment(need, &mut need_of, &mut vec![false; self.units]) {
                return false;
            }
        }
        true
    }

    /// Gives a requirement a unit, others being moved to other units where that is needed.
    fn augment(&self, need: usize, need_of: &mut Vec<Option<usize>>, seen: &mut Vec<bool>) -> bool {
        for unit in 0..self.units {
            let fits = self.needs.get(need).and_then(|row| row.get(unit)).copied().unwrap_or(false);
            if !fits || std::mem::replace(seen.get_mut(unit).unwrap_or(&mut true), true) {
                continue;
            }
            let holder = need_of.get(unit).copied().flatten();
            if holder.is_none_or(|holder| self.augment(holder, need_of, seen)) {
                if let Some(slot) = need_of.get_mut(unit) {
                    *slot = Some(need);
                }
                return true;
            }
        }
        false
    }

    /// The units that requirements have with all joining members placed that must be; none when that cannot be.
    fn joined(&self) -> Option<Vec<Option<usize>>> {
        let wanted = self.needs.len().min(self.joins.len());
        let mut flow = Flow::new(self);
        let must = (0..self.joins.len()).filter(|member| !self.may_be_left.get(*member).copied().unwrap_or(false));
        let must: Vec<usize> = must.collect();
        if must.len() > wanted || !must.iter().all(|member| flow.place(*member)) {
            return None;
        }
        let mut placed = must.len();
        for member in (0..self.joins.len()).filter(|member| !must.contains(member)) {
            if placed == wanted {
                break;
            }
            placed += usize::from(flow.place(member));
        }
        (placed == wanted).then_some(flow.unit_of_need)
    }
}

/// Joining members on units, these units for requirements: both together, one path at a time.
struct Flow<'f> {
    fits: &'f Fits,
    member_of_unit: Vec<Option<usize>>,
    need_of_unit: Vec<Option<usize>>,
    unit_of_need: Vec<Option<usize>>,
}

impl<'f> Flow<'f> {
    fn new(fits: &'f Fits) -> Self {
        let (member_of_unit, need_of_unit) = (vec![None; fits.units], vec![None; fits.units]);
        Self { fits, member_of_unit, need_of_unit, unit_of_need: vec![None; fits.needs.len()] }
    }

    /// Places one more member: a unit for it and a requirement for that unit, others being moved.
    fn place(&mut self, member: usize) -> bool {
        let units = self.fits.units;
        self.join_member(member, &mut vec![[false; 2]; units])
    }

    /// From a member to a unit: one that is free, or one whose member can go elsewhere, or one whose member stays without its
    /// requirement being touched.
    fn join_member(&mut self, member: usize, seen: &mut Vec<[bool; 2]>) -> bool {
        for unit in 0..self.fits.units {
            let fits = self.fits.joins.get(member).and_then(|row| row.get(unit)).copied().unwrap_or(false);
            if fits && self.join_unit(unit, seen) {
                if let Some(slot) = self.member_of_unit.get_mut(unit) {
                    *slot = Some(member);
                }
                return true;
            }
        }
        false
    }

    /// A unit gets a member: it was free and finds a requirement, or its member finds another unit.
    fn join_unit(&mut self, unit: usize, seen: &mut Vec<[bool; 2]>) -> bool {
        if std::mem::replace(seen.get_mut(unit).map_or(&mut true, |[first, _]| first), true) {
            return false;
        }
        match self.member_of_unit.get(unit).copied().flatten() {
            Some(holder) => self.join_member(holder, seen),
            None => self.join_need(unit, seen),
        }
    }

    /// A unit gets a requirement: one that is free, or one whose unit finds another or gives its member away.
    fn join_need(&mut self, unit: usize, seen: &mut Vec<[bool; 2]>) -> bool {
        if std::mem::replace(seen.get_mut(unit).map_or(&mut true, |[_, second]| second), true) {
            return false;
        }
        for need in 0..self.fits.needs.len() {
            if !self.fits.needs.get(need).and_then(|row| row.get(unit)).copied().unwrap_or(false) {
                continue;
            }
            let holder = self.unit_of_need.get(need).copied().flatten();
            let free = match holder {
                None => true,
                Some(holder) if holder == unit => continue,
                Some(holder) => self.without_need(holder, seen),
            };
            if free {
                if let Some(slot) = self.unit_of_need.get_mut(need) {
                    *slot = Some(unit);
                }
                if let Some(slot) = self.need_of_unit.get_mut(unit) {
                    *slot = Some(need);
                }
                return true;
            }
        }
        false
    }

    /// A unit loses its requirement: it finds another, or its member finds another unit and it is free.
    fn without_need(&mut self, unit: usize, seen: &mut Vec<[bool; 2]>) -> bool {
        if self.join_need(unit, seen) {
            return true;
        }
        let Some(holder) = self.member_of_unit.get(unit).copied().flatten() else { return false };
        // What comes back to the unit itself is no way out.
        if let Some([into, _]) = seen.get_mut(unit) {
            *into = true;
        }
        if !self.join_member(holder, seen) {
            return false;
        }
        if let Some(slot) = self.member_of_unit.get_mut(unit) {
            *slot = None;
        }
        if let Some(slot) = self.need_of_unit.get_mut(unit) {
            *slot = None;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::Fits;
    use proptest::prelude::*;

    /// The same by trying everything.
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

    /// Requirement n is met by the units from n on: one assignment of all.
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
