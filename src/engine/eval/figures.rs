//! Calculations over the members of a set: sums, the least and the greatest number, different values, sorting, and comparing two sets.

use crate::eval::Eval;
use crate::ids::NodeId;
use crate::program::Fold;
use crate::value::Value;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

impl Eval<'_> {
    /// The members of a set in order.
    fn all_of(&mut self, set: NodeId) -> SmallVec<[Value; 16]> {
        let mut members = SmallVec::new();
        self.each(set, &mut |_, member| {
            members.push(member);
            false
        });
        members
    }

    /// The sum, the least or the greatest of a number over the members of a set. Members without a number are left out.
    pub(crate) fn fold(&mut self, fold: Fold, set: NodeId, number: NodeId) -> Value {
        let mut result = if fold == Fold::Sum { Some(0_i32) } else { None };
        let mut overflow = false;
        self.each(set, &mut |eval, member| {
            let Some(next) = eval.bind(member, |eval| eval.number(number)) else { return false };
            result = match (fold, result) {
                (_, None) => Some(next),
                (Fold::Least, Some(so_far)) => Some(so_far.min(next)),
                (Fold::Greatest, Some(so_far)) => Some(so_far.max(next)),
                (Fold::Sum, Some(so_far)) => {
                    let sum = so_far.checked_add(next);
                    overflow |= sum.is_none();
                    sum
                }
            };
            overflow
        });
        self.overflow |= overflow;
        result.filter(|_| !overflow).map_or(Value::Undefined, Value::Number)
    }

    /// The different values of an expression for the members of a set, in the order in which they first appear. A set-valued expression
    /// gives all members of its sets.
    pub(crate) fn distinct(&mut self, set: NodeId, value: NodeId) -> Vec<Value> {
        let (mut found, mut known) = (Vec::new(), FxHashSet::default());
        self.each(set, &mut |eval, member| {
            eval.bind(member, |eval| {
                eval.each(value, &mut |_, value| {
                    if known.insert(value) {
                        found.push(value);
                    }
                    false
                })
            })
        });
        found
    }

    /// The members of a set, sorted by a number of each, the least first. Members with equal numbers keep their order. Members without a
    /// number come last.
    pub(crate) fn sorted(&mut self, set: NodeId, number: NodeId) -> Vec<Value> {
        let members = self.all_of(set);
        let mut numbered: Vec<(Option<i32>, Value)> =
            members.into_iter().map(|member| (self.bind(member, |eval| eval.number(number)), member)).collect();
        numbered.sort_by_key(|(number, _)| number.map_or((true, 0), |number| (false, number)));
        numbered.into_iter().map(|(_, member)| member).collect()
    }

    /// Whether two sets have the same members.
    pub(crate) fn same_sets(&mut self, a: NodeId, b: NodeId) -> bool {
        let [a, b] = [a, b].map(|set| self.all_of(set));
        if a.len().max(b.len()) <= 16 {
            return a.iter().all(|member| b.contains(member)) && b.iter().all(|member| a.contains(member));
        }
        let [a, b] = [a, b].map(|members| members.into_iter().collect::<FxHashSet<Value>>());
        a == b
    }

    /// The number of characters of a text. Undefined if the value is no text.
    pub(crate) fn length(&mut self, text: NodeId) -> Value {
        let text = self.value(text);
        self.text(text).map_or(Value::Undefined, |text| Value::Number(i32::try_from(text.chars().count()).unwrap_or(i32::MAX)))
    }
}
