//! The best answer if numbers of the chosen members add up to a total, beside counts of sets that are one tree.
//!
//! For each set, a table has the best choice of its members for each pair of their number and their total (R. Bellman, "Dynamic
//! programming", 1957). The table of a set is put together from its members and from the tables of the sets within it.

use super::degrees::Aim;
use super::form::Total;
use super::members::Members;
use crate::choices::joint::TooMany;
use std::collections::BTreeMap;

/// Sets that lie within one another or apart, the larger ones first, each with the bounds of its count.
pub(super) type Tree = [(Members, (usize, usize))];

/// The best choice for each count and total: its value, and its place among the choices.
type Table = BTreeMap<(usize, i64), (i128, usize)>;

/// A choice of members: one member, or two choices together.
#[derive(Clone, Copy)]
enum Choice {
    None,
    Member(usize),
    Both(usize, usize),
}

/// The answer of the greatest value. None if there is none.
///
/// # Errors
/// [`TooMany`] if it takes more than `left` looks.
pub(super) fn best(
    (tree, total): (&Tree, &Total),
    (out, within): (&Members, &Members),
    aim: &Aim,
    left: &mut u32,
) -> Result<Option<Members>, TooMany> {
    let all = Members::all(aim.values.len());
    let bounds = |sign: i64| total.numbers.iter().map(|number| (i64::from(*number) * sign).max(0)).sum::<i64>();
    let mut search = Search { tree, total, out, within, aim, left, choices: vec![Choice::None], reach: (-bounds(-1), bounds(1)) };
    let table = search.table((&all, (aim.least, aim.most)), None, 0)?;
    let fits = table.iter().filter(|((_, sum), _)| (total.least..=total.most).contains(sum));
    let Some((_, (_, at))) = fits.max_by_key(|(_, (value, _))| *value) else { return Ok(None) };
    let mut chosen = Members::none(aim.values.len());
    let mut waiting = vec![*at];
    while let Some(at) = waiting.pop() {
        match search.choices.get(at) {
            Some(Choice::Member(member)) => chosen.insert(*member),
            Some(Choice::Both(a, b)) => waiting.extend([*a, *b]),
            _ => {}
        }
    }
    Ok(Some(chosen))
}

struct Search<'s> {
    tree: &'s Tree,
    total: &'s Total,
    out: &'s Members,
    within: &'s Members,
    aim: &'s Aim,
    left: &'s mut u32,
    choices: Vec<Choice>,
    /// The least and the greatest total of any answer.
    reach: (i64, i64),
}

impl Search<'_> {
    /// The table of a set. `at`: its place in the tree; None for all members. Counts above `most` need not be told apart.
    fn table(&mut self, (set, (least, most)): (&Members, (usize, usize)), at: Option<usize>, outer: usize) -> Result<Table, TooMany> {
        // A count is told up to the greatest number that this set or one around it asks about.
        let asked = if most < set.len() { most + 1 } else { least };
        let cap = outer.max(asked);
        let mut table = Table::from([((0, 0), (0, 0))]);
        let mut own = set.clone().without(self.out);
        for (inner, (set_within, ends)) in self.tree.iter().enumerate().skip(at.map_or(0, |at| at + 1)) {
            let around = self.tree.iter().take(inner).rposition(|(other, _)| set_within.is_within(other));
            if around != at || !set_within.is_within(set) {
                continue;
            }
            let inside = self.table((set_within, *ends), Some(inner), cap)?;
            table = self.joined(&table, &inside, cap)?;
            own = own.without(set_within);
        }
        for member in own.iter() {
            let number = i64::from(self.total.numbers.get(member).copied().unwrap_or(0));
            let value = self.aim.values.get(member).copied().unwrap_or(0);
            self.choices.push(Choice::Member(member));
            let mut one = Table::from([((1, number), (value, self.choices.len() - 1))]);
            if !self.within.has(member) {
                one.insert((0, 0), (0, 0));
            }
            table = self.joined(&table, &one, cap)?;
        }
        table.retain(|(count, _), _| *count >= least && (*count <= most || most >= set.len()));
        Ok(table)
    }

    fn joined(&mut self, a: &Table, b: &Table, cap: usize) -> Result<Table, TooMany> {
        let mut joined = Table::new();
        for ((count_a, sum_a), (value_a, at_a)) in a {
            for ((count_b, sum_b), (value_b, at_b)) in b {
                *self.left = self.left.checked_sub(8).ok_or(TooMany)?;
                let (count, sum, value) = ((count_a + count_b).min(cap), sum_a + sum_b, value_a + value_b);
                // A total that cannot be reached any more is left out.
                if sum + self.reach.1 < self.total.least || sum + self.reach.0 > self.total.most {
                    continue;
                }
                let known = joined.get(&(count, sum));
                if known.is_none_or(|(known, _): &(i128, usize)| value > *known) {
                    self.choices.push(Choice::Both(*at_a, *at_b));
                    joined.insert((count, sum), (value, self.choices.len() - 1));
                }
            }
        }
        Ok(joined)
    }
}
