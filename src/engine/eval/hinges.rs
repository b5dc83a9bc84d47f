//! Finds the conditions with citations that decided the outcome of an expression.
//!
//! An operand of `and` decides if it is false, an operand of `or` if it is true; the operands after it are not looked at. Only games that
//! somebody watches come here.

use crate::engine::eval::{Eval, unread};
use crate::engine::ids::{CitesId, NodeId};
use crate::engine::program::Node;

/// Members of a set that are looked at one by one where each has its part in the outcome.
const MOST_MEMBERS: usize = 64;

impl Eval<'_> {
    /// The conditions with rules of their own on which an expression hangs now, by their numbers, with what each comes to.
    pub fn hinges(&mut self, node: NodeId) -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        if !self.program.operands.is_empty() {
            unread::unnoted(|| self.hang(node, true, &mut found));
        }
        found
    }

    /// Their rules.
    pub fn hinged_rules(&mut self, node: NodeId) -> Vec<CitesId> {
        let found = self.hinges(node).into_iter();
        found.filter_map(|(number, _)| self.program.operands.get(number)).map(|(_, cites)| *cites).collect()
    }

    /// `decides`: it is no operand, or the one on which the outcome hung.
    fn hang(&mut self, id: NodeId, decides: bool, found: &mut Vec<(usize, bool)>) {
        let Some(&node) = self.program.nodes.get(id) else { return };
        if decides && let Some(number) = self.program.operand(id) {
            let hinge = (number, self.value(id).is_true());
            if !found.contains(&hinge) {
                found.push(hinge);
            }
        }
        match node {
            Node::And(a, b) | Node::Or(a, b) => {
                // What decides by itself: false in an `and`, true in an `or`.
                let deciding = matches!(node, Node::Or(..));
                if self.value(a).is_true() == deciding {
                    self.hang(a, true, found);
                } else if self.value(b).is_true() == deciding {
                    self.hang(b, true, found);
                } else {
                    self.hang(a, false, found);
                    self.hang(b, false, found);
                }
            }
            Node::Not(a) | Node::Exists(a) | Node::Tallied(a, _) | Node::Negate(a) | Node::Count(a) | Node::IsEmpty(a) | Node::Only(a) => {
                self.hang(a, true, found);
            }
            Node::End(_, a) | Node::Fold(_, a, _) => self.hang(a, true, found),
            Node::Compare(_, a, b)
            | Node::Arithmetic(_, a, b)
            | Node::In(a, b)
            | Node::Union(a, b)
            | Node::Joined(a, b)
            | Node::Except(a, b) => {
                self.hang(a, true, found);
                self.hang(b, true, found);
            }
            Node::If(condition, args) => {
                self.hang(condition, true, found);
                let yes = self.value(condition).is_true();
                if let [first, second] = self.program.args_of(args) {
                    self.hang(if yes { *first } else { *second }, true, found);
                }
            }
            Node::With { value, body } => {
                self.hang(value, true, found);
                let value = self.value(value);
                self.bind(value, |eval| eval.hang(body, true, found));
            }
            Node::Some(set, condition) | Node::All(set, condition) => {
                self.hang(set, true, found);
                let members = self.members(set);
                // The one member that decides, or every one.
                let deciding = matches!(node, Node::Some(..));
                let one = members.iter().copied().find(|member| self.bind(*member, |eval| eval.value(condition).is_true()) == deciding);
                for member in one.map_or(members, |one| vec![one]).into_iter().take(MOST_MEMBERS) {
                    self.bind(member, |eval| eval.hang(condition, true, found));
                }
            }
            Node::Where(set, condition) => {
                self.hang(set, true, found);
                for member in self.members(set).into_iter().take(MOST_MEMBERS) {
                    self.bind(member, |eval| eval.hang(condition, true, found));
                }
            }
            _ => {}
        }
    }
}
