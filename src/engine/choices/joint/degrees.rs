//! Finds the best answer to a condition about counts ([`Form`]) by flows.
//!
//! Sets that lie within one another or apart are a tree. If the sets of a condition are two trees, an answer is a flow from the root of one
//! tree through the chosen members to the root of the other one. An example: the pairs of each attacker, and the pairs of each blocker.
//! Each count is a bound of an arc, so one flow of the greatest value is the best answer.
//!
//! If the condition asks for a total, a table takes the place of the flow (`totals`).
//!
//! A condition may say more: a count with a gap (none, or at least two), one of several statements, sets that are no two trees. Then the
//! flow leaves this out. If the answer of the flow satisfies the condition nevertheless, it is the best one. Otherwise the condition is split
//! in cases, which exclude this answer, and each case has a flow of its own. A case whose flow is not better than an answer that is known is
//! left out.

use super::apart::apart;
use super::flow::{ArcId, Network};
use super::form::{Form, Total};
use super::members::{Allowed, Members};
use super::totals;
use crate::choices::joint::TooMany;

/// What is wanted of an answer: its size, and the value of each member.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    /// The least number of members.
    pub least: usize,
    /// The greatest number of members.
    pub most: usize,
    /// The value of each member if it is chosen.
    pub values: Vec<i128>,
}

impl Aim {
    fn value(&self, chosen: &Members) -> i128 {
        chosen.iter().filter_map(|member| self.values.get(member)).sum()
    }
}

/// The answer of the greatest value that is greater than `above`. With `first` any answer of a greater value.
///
/// # Errors
/// [`TooMany`] if it takes more than `left` looks.
pub(super) fn best(form: &Form, aim: &Aim, above: Option<i128>, first: bool, left: &mut u32) -> Result<Option<Members>, TooMany> {
    let mut above = above;
    let mut found = None;
    let mut cases = vec![form.clone()];
    while let Some(case) = cases.pop() {
        *left = left.checked_sub(CASE).ok_or(TooMany)?;
        if case.is_sure() == Some(false) {
            continue;
        }
        let case = apart(case, aim.values.len(), left)?;
        let trees = Trees::of(&case, aim.values.len());
        let Some(chosen) = trees.best(aim, left)? else { continue };
        let value = aim.value(&chosen);
        if above.is_some_and(|above| value <= above) {
            continue;
        }
        match splits(&case, &trees, &chosen) {
            None => {
                (above, found) = (Some(value), Some(chosen));
                if first {
                    return Ok(found);
                }
            }
            Some(split) => cases.extend(split.into_iter().rev()),
        }
    }
    Ok(found)
}

/// The looks that stand for making the network of a case.
const CASE: u32 = 256;

/// The parts of a condition that stand side by side.
fn parts(form: &Form) -> &[Form] {
    match form {
        Form::All(all) => all,
        one => std::slice::from_ref(one),
    }
}

/// The cases in which a condition is split if an answer does not satisfy it. None if it does.
fn splits(form: &Form, trees: &Trees, chosen: &Members) -> Option<Vec<Form>> {
    let (at, broken) = parts(form).iter().enumerate().find(|(_, part)| !part.holds(chosen))?;
    let also = |more: Vec<Form>| Some(more.into_iter().map(|more| Form::all([form.clone(), more])).collect());
    match broken {
        Form::Any(any) => {
            let others = || parts(form).iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other.clone());
            Some(any.iter().map(|one| Form::all(others().chain([one.clone()]))).collect())
        }
        Form::All(_) => Some(Vec::new()),
        Form::Total(_) => also(trees.split_at(Members::all(trees.len))),
        Form::Count(set, allowed) => {
            let (many, len) = (set.common(chosen), set.len());
            let ends = allowed.ends().unwrap_or((0, 0));
            let side = |least: usize, most: usize| {
                let fits = |number: usize| allowed.has(number) && (least..=most).contains(&number);
                Form::count(set.clone(), Allowed::those(len, fits))
            };
            if (ends.0..=ends.1).contains(&many) {
                // The number lies in a gap.
                return also(vec![side(many, len), side(0, many)]);
            }
            // The flow has left the set out. A member that is not decided yet is taken in, or left out.
            let open = if many > ends.1 { chosen.clone() } else { set.clone().without(chosen) };
            also(trees.split_at(open.and(set)))
        }
    }
}

/// The sets of a condition in two trees, and the bounds of single members.
struct Trees {
    /// The number of members of the domain.
    len: usize,
    /// Members that are not chosen.
    out: Members,
    /// Members that are chosen.
    within: Members,
    /// The sets of both trees, the larger ones first, each with its bounds.
    trees: [Vec<(Members, (usize, usize))>; 2],
    /// A total that the condition asks for: the first one.
    total: Option<Total>,
}

impl Trees {
    fn of(form: &Form, len: usize) -> Self {
        let (mut out, mut within) = (Members::none(len), Members::none(len));
        let mut sets: Vec<(&Members, (usize, usize))> = Vec::new();
        let mut total = None;
        for part in parts(form) {
            if let Form::Total(of) = part {
                total = total.or(Some(of.clone()));
            }
            let Form::Count(set, allowed) = part else { continue };
            match allowed.ends() {
                Some((0, 0)) => out = out.or(set),
                Some((least, _)) if least == set.len() => within = within.or(set),
                Some(ends) => sets.push((set, ends)),
                None => {}
            }
        }
        sets.sort_by_key(|(set, _)| std::cmp::Reverse(set.len()));
        let trees = two_trees(&sets.iter().map(|(set, _)| *set).collect::<Vec<_>>());
        let tree = |wanted: usize| {
            let of = sets.iter().zip(&trees).filter(|(_, tree)| **tree == Some(wanted));
            of.map(|((set, ends), _)| ((*set).clone(), *ends)).collect()
        };
        Trees { len, out, within, trees: [tree(0), tree(1)], total }
    }

    /// The cases that one of these members is chosen, or is not: the first one that is not decided. No case if all are decided.
    fn split_at(&self, among: Members) -> Vec<Form> {
        let member = among.without(&self.out).without(&self.within).first();
        member.map_or_else(Vec::new, |member| {
            let one = Members::none(self.len).with(member);
            vec![Form::some_of(one.clone()), Form::none_of(one)]
        })
    }

    /// The answer of the greatest value. None if there is none. If there is a total, the second tree is left out.
    fn best(&self, aim: &Aim, left: &mut u32) -> Result<Option<Members>, TooMany> {
        match &self.total {
            _ if self.out.meets(&self.within) => Ok(None),
            Some(total) => {
                let [first, _] = &self.trees;
                totals::best((first, total), (&self.out, &self.within), aim, left)
            }
            None => self.flow(aim, left),
        }
    }

    fn flow(&self, aim: &Aim, left: &mut u32) -> Result<Option<Members>, TooMany> {
        let len = self.len;
        let [first, second] = &self.trees;
        // The nodes: the source, the root of the first tree, the sets of the first tree, those of the second, the root of the second.
        let sink = 2 + first.len() + second.len();
        let mut network = Network::new(sink + 1);
        network.arc((0, 1), (aim.least, aim.most), 0);
        let node_of = |tree: usize, at: Option<usize>| match (tree, at) {
            (0, at) => at.map_or(1, |at| 2 + at),
            (_, at) => at.map_or(sink, |at| 2 + first.len() + at),
        };
        for (tree, sets) in self.trees.iter().enumerate() {
            for (at, (set, ends)) in sets.iter().enumerate() {
                // The sets before this one are not smaller, so the last one around it is the smallest.
                let around = sets.iter().take(at).rposition(|(other, _)| set.is_within(other));
                let (outer, inner) = (node_of(tree, around), node_of(tree, Some(at)));
                network.arc(if tree == 0 { (outer, inner) } else { (inner, outer) }, *ends, 0);
            }
        }
        // Members of the same sets and of the same value are one arc.
        let mut arcs: Vec<((usize, usize), bool, i128, Vec<usize>)> = Vec::new();
        let mut at: rustc_hash::FxHashMap<((usize, usize), bool, i128), usize> = rustc_hash::FxHashMap::default();
        for member in (0..len).filter(|member| !self.out.has(*member)) {
            let smallest = |tree: &[(Members, (usize, usize))]| tree.iter().rposition(|(set, _)| set.has(member));
            let ends = (node_of(0, smallest(first)), node_of(1, smallest(second)));
            let (must, value) = (self.within.has(member), aim.values.get(member).copied().unwrap_or(0));
            match at.get(&(ends, must, value)).and_then(|at| arcs.get_mut(*at)) {
                Some((.., members)) => members.push(member),
                None => {
                    at.insert((ends, must, value), arcs.len());
                    arcs.push((ends, must, value, vec![member]));
                }
            }
        }
        let arcs: Vec<(ArcId, Vec<usize>)> = arcs
            .into_iter()
            .map(|(ends, must, value, members)| (network.arc(ends, (if must { members.len() } else { 0 }, members.len()), value), members))
            .collect();
        if !network.flow(left).ok_or(TooMany)? {
            return Ok(None);
        }
        let mut chosen = Members::none(len);
        for (arc, members) in arcs {
            members.into_iter().take(network.units(arc)).for_each(|member| chosen.insert(member));
        }
        Ok(Some(chosen))
    }
}

/// For each set the tree in which it is. None for a set that fits into neither tree. In a tree two sets lie within one another or apart.
pub(super) fn two_trees(sets: &[&Members]) -> Vec<Option<usize>> {
    let cross = |a: &Members, b: &Members| a.meets(b) && !a.is_within(b) && !b.is_within(a);
    let mut trees: Vec<Option<Option<usize>>> = vec![None; sets.len()];
    for begin in 0..sets.len() {
        if trees.get(begin).is_some_and(Option::is_some) {
            continue;
        }
        let mut waiting = vec![(begin, 0)];
        while let Some((at, tree)) = waiting.pop() {
            let Some(set) = sets.get(at).filter(|_| trees.get(at) == Some(&None)) else { continue };
            let crossing: Vec<usize> = (0..sets.len()).filter(|other| sets.get(*other).is_some_and(|other| cross(set, other))).collect();
            let free = |tree: usize| !crossing.iter().any(|other| trees.get(*other) == Some(&Some(Some(tree))));
            let tree = [tree, 1 - tree].into_iter().find(|tree| free(*tree));
            if let Some(slot) = trees.get_mut(at) {
                *slot = Some(tree);
            }
            if let Some(tree) = tree {
                waiting.extend(crossing.into_iter().map(|other| (other, 1 - tree)));
            }
        }
    }
    trees.into_iter().map(Option::flatten).collect()
}
