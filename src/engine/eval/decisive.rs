//! Finds the conditions with citations that decided the outcome of an expression.
//!
//! An operand of `and` decides if it is false. An operand of `or` decides if it is true. The operands after it are not evaluated. Only
//! games that somebody watches need this file.

use crate::eval::{Eval, unread};
use crate::ids::{CitesId, NodeId};
use crate::program::Node;

/// The most members of a set that are checked one by one, if each of them has a part in the outcome.
const MOST_MEMBERS: usize = 64;

impl Eval<'_> {
    /// The conditions with their own rules that decide an expression now: their numbers and their values.
    pub(crate) fn decisive(&mut self, node: NodeId) -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        if !self.program.operands.is_empty() {
            unread::unnoted(|| self.collect_decisive(node, true, &mut found));
        }
        found
    }

    /// The rules of these conditions.
    pub(crate) fn rules_of_decisive(&mut self, node: NodeId) -> Vec<CitesId> {
        let found = self.decisive(node).into_iter();
        found.filter_map(|(number, _)| self.program.operands.get(number)).map(|(_, cites)| *cites).collect()
    }

    /// Collects the deciding conditions. `decides`: the expression is no operand, or it is the operand that decided.
    fn collect_decisive(&mut self, id: NodeId, decides: bool, found: &mut Vec<(usize, bool)>) {
        let Some(&node) = self.program.nodes.get(id) else { return };
        if decides && let Some(number) = self.program.operand(id) {
            let condition = (number, self.value(id).is_true());
            if !found.contains(&condition) {
                found.push(condition);
            }
        }
        match node {
            Node::And(a, b) | Node::Or(a, b) => {
                // The truth with which an operand decides: false in an `and`, true in an `or`.
                let deciding = matches!(node, Node::Or(..));
                if self.value(a).is_true() == deciding {
                    self.collect_decisive(a, true, found);
                } else if self.value(b).is_true() == deciding {
                    self.collect_decisive(b, true, found);
                } else {
                    self.collect_decisive(a, false, found);
                    self.collect_decisive(b, false, found);
                }
            }
            Node::Not(a) | Node::Exists(a) | Node::Tallied(a, _) | Node::Negate(a) | Node::Count(a) | Node::IsEmpty(a) | Node::Only(a) => {
                self.collect_decisive(a, true, found);
            }
            Node::End(_, a) | Node::Fold(_, a, _) => self.collect_decisive(a, true, found),
            Node::Compare(_, a, b)
            | Node::Arithmetic(_, a, b)
            | Node::In(a, b)
            | Node::Union(a, b)
            | Node::Joined(a, b)
            | Node::Except(a, b) => {
                self.collect_decisive(a, true, found);
                self.collect_decisive(b, true, found);
            }
            Node::If(condition, args) => {
                self.collect_decisive(condition, true, found);
                let yes = self.value(condition).is_true();
                if let [first, second] = self.program.args_of(args) {
                    self.collect_decisive(if yes { *first } else { *second }, true, found);
                }
            }
            Node::With { value, body } => {
                self.collect_decisive(value, true, found);
                let value = self.value(value);
                self.bind(value, |eval| eval.collect_decisive(body, true, found));
            }
            Node::Some(set, condition) | Node::All(set, condition) => {
                self.collect_decisive(set, true, found);
                let members = self.members(set);
                // In `some`, one true member decides; in `all`, one false member. Otherwise every member has a part in the outcome.
                let deciding = matches!(node, Node::Some(..));
                let one = members.iter().copied().find(|member| self.bind(*member, |eval| eval.value(condition).is_true()) == deciding);
                for member in one.map_or(members, |one| vec![one]).into_iter().take(MOST_MEMBERS) {
                    self.bind(member, |eval| eval.collect_decisive(condition, true, found));
                }
            }
            Node::Where(set, condition) => {
                self.collect_decisive(set, true, found);
                for member in self.members(set).into_iter().take(MOST_MEMBERS) {
                    self.bind(member, |eval| eval.collect_decisive(condition, true, found));
                }
            }
            _ => {}
        }
    }
}
