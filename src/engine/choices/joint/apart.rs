//! Members that cannot be chosen together, in pairs: turned into counts.
//!
//! Pairs are the edges of a graph. Of members that all exclude one another (a clique) at most one can be chosen. So a set of cliques that
//! has every edge says the same as the edges. If all members of one part exclude all members of the other parts, only one of the parts can be
//! chosen from.

use super::degrees::two_trees;
use super::form::Form;
use super::members::{Allowed, Members};
use crate::choices::joint::TooMany;

/// The condition with counts in the place of "no member of one set, or no member of another set".
///
/// # Errors
/// [`TooMany`] if it takes more than `left` looks.
pub(super) fn apart(form: Form, len: usize, left: &mut u32) -> Result<Form, TooMany> {
    let Form::All(all) = form else {
        return if pair(&form).is_some() { apart(Form::All(vec![form]), len, left) } else { Ok(form) };
    };
    if !all.iter().any(|form| pair(form).is_some()) {
        return Ok(Form::All(all));
    }
    let mut graph = Graph { edges: vec![Members::none(len); len], left };
    let (mut out, mut forms) = (Members::none(len), Vec::new());
    for form in all {
        match pair(&form) {
            Some((a, b)) => {
                graph.join(a, b);
                graph.join(b, a);
                out = out.or(&a.clone().and(b));
            }
            None => forms.push(form),
        }
    }
    forms.push(Form::none_of(out.clone()));
    graph.independent(Members::all(len).without(&out), &mut forms)?;
    Ok(Form::all(forms))
}

/// The two sets of "no member of one set, or no member of another set".
fn pair(form: &Form) -> Option<(&Members, &Members)> {
    let Form::Any(any) = form else { return None };
    let [a, b] = any.as_slice() else { return None };
    Some((a.as_none_of()?, b.as_none_of()?))
}

struct Graph<'l> {
    /// For each member the members that it excludes.
    edges: Vec<Members>,
    left: &'l mut u32,
}

impl Graph<'_> {
    fn join(&mut self, some: &Members, others: &Members) {
        for member in some.iter() {
            if let Some(known) = self.edges.get_mut(member) {
                *known = known.clone().or(others);
            }
        }
    }

    fn look(&mut self) -> Result<(), TooMany> {
        *self.left = self.left.checked_sub(1).ok_or(TooMany)?;
        Ok(())
    }

    /// Those of these members that a member excludes.
    fn excluded(&self, member: usize, among: &Members) -> Members {
        self.edges.get(member).map_or_else(|| among.emptied(), |edges| edges.clone().and(among))
    }

    /// Adds statements that are true of the sets of these members in which no member excludes another.
    fn independent(&mut self, among: Members, forms: &mut Vec<Form>) -> Result<(), TooMany> {
        for group in self.connected(&among, false)? {
            if group.len() == 1 {
                continue;
            }
            let cliques = self.cliques(&group)?;
            let trees = two_trees(&cliques.iter().collect::<Vec<_>>());
            let parts = if trees.iter().all(Option::is_some) { Vec::new() } else { self.connected(&group, true)? };
            if parts.len() < 2 {
                forms.extend(cliques.into_iter().map(|clique| Form::count(clique, Allowed::range(0, 1))));
                continue;
            }
            let mut any = Vec::new();
            for part in parts {
                let mut all = vec![Form::none_of(group.clone().without(&part))];
                self.independent(part, &mut all)?;
                any.push(Form::all(all));
            }
            forms.push(Form::any(any));
        }
        Ok(())
    }

    /// The groups of members that are connected by edges, or (`by_gaps`) by pairs without an edge.
    fn connected(&mut self, among: &Members, by_gaps: bool) -> Result<Vec<Members>, TooMany> {
        let (mut rest, mut groups) = (among.clone(), Vec::new());
        while let Some(first) = rest.first() {
            let mut group = rest.emptied().with(first);
            rest = rest.without(&group);
            let mut waiting = vec![first];
            while let Some(member) = waiting.pop() {
                self.look()?;
                let excluded = self.excluded(member, &rest);
                let near = if by_gaps { rest.clone().without(&excluded) } else { excluded };
                rest = rest.without(&near);
                waiting.extend(near.iter());
                group = group.or(&near);
            }
            groups.push(group);
        }
        Ok(groups)
    }

    /// Cliques that have every edge between these members.
    fn cliques(&mut self, among: &Members) -> Result<Vec<Members>, TooMany> {
        let mut open: Vec<Members> = (0..self.edges.len()).map(|member| self.excluded(member, among)).collect();
        let mut cliques = Vec::new();
        for first in among.iter() {
            while let Some(second) = open.get(first).and_then(|open| open.first()) {
                let mut clique = among.emptied().with(first).with(second);
                let common = self.excluded(first, among).and(&self.excluded(second, among));
                for member in common.iter() {
                    self.look()?;
                    if self.edges.get(member).is_some_and(|edges| clique.is_within(edges)) {
                        clique.insert(member);
                    }
                }
                for member in clique.iter() {
                    if let Some(open) = open.get_mut(member) {
                        *open = open.clone().without(&clique);
                    }
                }
                cliques.push(clique);
            }
        }
        Ok(cliques)
    }
}
