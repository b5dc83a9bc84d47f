//! Several demands that share their units: decides whether all can be met at once.
//!
//! Flows decide one demand (`matching`). They do not decide several: a member joins only units that pay its own demand, and a flow through
//! a unit does not know from which demand it came. So the requirements get units by trial, one after the other. Before each trial two
//! flows say whether it can lead anywhere: each demand can be met by itself, and the requirements of all can have units of their own.
//! These flows are exact if every requirement has one unit left.

use crate::costs::matching::Fits;
use crate::limits::MATCH_TRIALS;

/// Whether all demands can be met at once, each with units of its own.
#[must_use]
pub(crate) fn met_together(demands: &[Fits]) -> bool {
    match demands {
        [] => true,
        [one] => one.can_be_met(),
        several => Search { trials: 0 }.met(several),
    }
}

/// Whether the requirements of all demands can have units of their own. Joining members do not count.
#[must_use]
pub(crate) fn paid_together(demands: &[Fits]) -> bool {
    let needs: Vec<Vec<bool>> = demands.iter().flat_map(|demand| demand.needs.iter().cloned()).collect();
    Fits { units: demands.first().map_or(0, |demand| demand.units), needs, ..Fits::default() }.all_paid()
}

struct Search {
    trials: u32,
}

impl Search {
    fn met(&mut self, demands: &[Fits]) -> bool {
        self.trials += 1;
        if self.trials > MATCH_TRIALS || !paid_together(demands) || !demands.iter().all(Fits::can_be_met) {
            return false;
        }
        let Some(open) = open_requirement(demands) else { return true };
        let mut tried = Vec::new();
        for unit in 0..demands.first().map_or(0, |demand| demand.units) {
            if row(demands, open).is_none_or(|row| row.get(unit) != Some(&true)) {
                continue;
            }
            // Units that fit the same rows are alike: one of them is tried.
            let column = column(demands, unit);
            if tried.contains(&column) {
                continue;
            }
            tried.push(column);
            if self.met(&given(demands, open, unit)) {
                return true;
            }
        }
        false
    }
}

/// The first requirement (its demand, its place there) for which more than one unit will do.
fn open_requirement(demands: &[Fits]) -> Option<(usize, usize)> {
    let several = |row: &Vec<bool>| row.iter().filter(|fits| **fits).count() > 1;
    demands.iter().enumerate().find_map(|(at, demand)| demand.needs.iter().position(several).map(|need| (at, need)))
}

fn row(demands: &[Fits], (demand, need): (usize, usize)) -> Option<&Vec<bool>> {
    demands.get(demand)?.needs.get(need)
}

/// Which rows of all demands a unit fits.
fn column(demands: &[Fits], unit: usize) -> Vec<bool> {
    demands.iter().flat_map(|demand| demand.needs.iter().chain(&demand.joins)).map(|row| row.get(unit) == Some(&true)).collect()
}

/// The demands after this requirement has got this unit. No other requirement can have the unit.
fn given(demands: &[Fits], (demand, need): (usize, usize), unit: usize) -> Vec<Fits> {
    let mut demands = demands.to_vec();
    for (at, fits) in demands.iter_mut().enumerate() {
        for (place, row) in fits.needs.iter_mut().enumerate() {
            let holder = (at, place) == (demand, need);
            for (known, fits) in row.iter_mut().enumerate() {
                *fits &= holder == (known == unit);
            }
        }
    }
    demands
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::met_together;
    use crate::costs::matching::Fits;
    use proptest::prelude::*;

    type Rows = Vec<Vec<bool>>;

    /// Test: the same result, found by trying every unit for every requirement.
    fn tried(demands: &[Fits], (demand, need): (usize, usize), held: &mut Vec<(usize, usize)>) -> bool {
        let Some(fits) = demands.get(demand) else {
            return demands.iter().enumerate().all(|(at, fits)| {
                let mut own = fits.clone();
                let units: Vec<usize> = held.iter().filter(|(of, _)| *of == at).map(|(_, unit)| *unit).collect();
                own.needs = units.iter().map(|unit| (0..own.units).map(|known| known == *unit).collect()).collect();
                own.can_be_met()
            });
        };
        if need == fits.needs.len() {
            return tried(demands, (demand + 1, 0), held);
        }
        (0..fits.units).any(|unit| {
            if !fits.needs[need][unit] || held.iter().any(|(_, taken)| *taken == unit) {
                return false;
            }
            held.push((demand, unit));
            let found = tried(demands, (demand, need + 1), held);
            held.pop();
            found
        })
    }

    fn demand() -> impl Strategy<Value = (Rows, Rows, Vec<bool>)> {
        let rows = || prop::collection::vec(prop::collection::vec(any::<bool>(), 5), 0..3);
        (rows(), rows(), prop::collection::vec(any::<bool>(), 3))
    }

    proptest! {
        #[test]
        fn as_trying_everything_says(units in 0..6_usize, demands in prop::collection::vec(demand(), 0..4)) {
            let units = units.min(5);
            let cut = |rows: Rows| -> Rows { rows.into_iter().map(|row| row[..units].to_vec()).collect() };
            let fits = |(needs, joins, left): (Rows, Rows, Vec<bool>)| Fits {
                units,
                needs: cut(needs),
                may_be_left: left[..joins.len()].to_vec(),
                joins: cut(joins),
            };
            let demands: Vec<Fits> = demands.into_iter().map(fits).collect();
            prop_assert_eq!(met_together(&demands), tried(&demands, (0, 0), &mut Vec::new()), "{:?}", demands);
        }
    }

    /// Two demands have a joining member each. If both members fit the same single unit, one of the demands cannot be met.
    #[test]
    fn a_unit_is_joined_for_the_demand_that_it_pays() {
        let demand =
            |joins: &[bool]| Fits { units: 2, needs: vec![vec![true, true]], joins: vec![joins.to_vec()], may_be_left: vec![false] };
        assert!(met_together(&[demand(&[true, false]), demand(&[true, true])]));
        assert!(!met_together(&[demand(&[true, false]), demand(&[true, false])]));
    }
}
