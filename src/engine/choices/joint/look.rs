//! Searches the answers of a joint condition with three truths: some members are taken, some left out, others still open.
//!
//! If the search does not understand a part of the condition, this part stays open until every member is decided. Then it is evaluated as
//! usual. The caller says what it is looking for ([`Goal`]).

use super::{Block, Joint, Notes, TooMany};
use crate::eval::Eval;
use crate::ids::{ArgsId, NodeId, Reg};
use crate::limits::WORK_OF_A_JOINT_LOOK;
use crate::program::{Arithmetic, ChoiceDef, Compare, Fold, Node};
use crate::value::Value;

/// The decision about one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Taken,
    Left,
    Open,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// The number of taken members.
    pub taken: usize,
    /// The number of open members.
    pub open: usize,
    /// The number of demands that the taken members obey.
    pub owed: u32,
    /// The number of demands that the open members would obey.
    pub(crate) open_owed: u32,
}

/// The goal of a search.
pub(super) trait Goal {
    /// Whether something useful can still be found from here.
    fn is_open(&mut self, reach: &Reach) -> bool;
    /// Takes a block of answers that satisfy the condition. Gives whether the search can stop.
    fn found(&mut self, block: Block, weights: &[u32]) -> bool;
    /// Whether all answers of one block must obey the same demands.
    fn splits_demands(&self) -> bool;
}

/// A search through the answers of a question.
pub(super) struct Look<'j, 'a> {
    joint: &'j Joint<'a>,
    def: &'a ChoiceDef,
    eval: Eval<'a>,
    result: Reg,
    members: Vec<Value>,
    parts: Vec<Part>,
    weights: Vec<u32>,
    left: u32,
}

impl<'j, 'a> Look<'j, 'a> {
    pub(super) fn new(joint: &'j Joint<'a>, def: &'a ChoiceDef, eval: Eval<'a>, weights: Vec<u32>, left: u32) -> Self {
        let members: Vec<Value> = (0..joint.asked.len).map(|pick| joint.member(pick)).collect();
        let parts = vec![Part::Open; members.len()];
        Look { joint, def, eval, result: joint.asked.result, members, parts, weights, left }
    }

    /// What was noted so far.
    pub(super) fn notes(&self) -> Notes {
        Notes { overflow: self.eval.overflow, peeked: self.eval.peeked }
    }

    /// Whether the taken members satisfy the condition, when no member is open.
    fn decided(&mut self) -> bool {
        let (holds, notes) = self.joint.held(&self.those(Part::Taken));
        self.eval.overflow |= notes.overflow;
        self.eval.peeked |= notes.peeked;
        holds
    }

    fn reach(&self) -> Reach {
        let mut reach = Reach::default();
        for (part, weight) in self.parts.iter().zip(&self.weights) {
            match part {
                Part::Taken => (reach.taken, reach.owed) = (reach.taken + 1, reach.owed + weight),
                Part::Open => (reach.open, reach.open_owed) = (reach.open + 1, reach.open_owed + weight),
                Part::Left => {}
            }
        }
        reach
    }

    fn those(&self, part: Part) -> Vec<u16> {
        (0_u16..).zip(&self.parts).filter(|(_, known)| **known == part).map(|(pick, _)| pick).collect()
    }

    fn set(&mut self, pick: u16, part: Part) {
        if let Some(slot) = self.parts.get_mut(usize::from(pick)) {
            *slot = part;
        }
    }

    /// Searches all answers that are still open. Gives whether the goal has found enough.
    pub(super) fn explore(&mut self, goal: &mut dyn Goal) -> Result<bool, TooMany> {
        if !goal.is_open(&self.reach()) {
            return Ok(false);
        }
        let open = self.those(Part::Open);
        let truth = match self.truth(self.def.together)? {
            None if open.is_empty() => Some(self.decided()),
            truth => truth,
        };
        match truth {
            Some(false) => Ok(false),
            Some(true) => {
                let weighs = |pick: &u16| self.weights.get(usize::from(*pick)).is_some_and(|weight| *weight > 0);
                match open.iter().copied().find(|pick| goal.splits_demands() && weighs(pick)) {
                    Some(pick) => self.split(pick, goal),
                    None => Ok(goal.found(Block { taken: self.those(Part::Taken), free: open }, &self.weights)),
                }
            }
            None => self.explore_open(&open, goal),
        }
    }

    /// Leaves out the members that can no longer be taken. Then tries the next open member both ways: taken and left out.
    fn explore_open(&mut self, open: &[u16], goal: &mut dyn Goal) -> Result<bool, TooMany> {
        let mut out = Vec::new();
        for pick in open {
            self.set(*pick, Part::Taken);
            let truth = self.truth(self.def.together);
            let fails = truth? == Some(false);
            self.set(*pick, if fails { Part::Left } else { Part::Open });
            if fails {
                out.push(*pick);
            }
        }
        let enough = match open.iter().find(|pick| !out.contains(pick)) {
            _ if !out.is_empty() => self.explore(goal)?,
            Some(next) => self.split(*next, goal)?,
            None => false,
        };
        out.into_iter().for_each(|pick| self.set(pick, Part::Open));
        Ok(enough)
    }

    fn split(&mut self, pick: u16, goal: &mut dyn Goal) -> Result<bool, TooMany> {
        self.set(pick, Part::Taken);
        if self.explore(goal)? {
            return Ok(true);
        }
        self.set(pick, Part::Left);
        let enough = self.explore(goal)?;
        self.set(pick, Part::Open);
        Ok(enough)
    }

    fn speaks_of_it(&self, node: NodeId) -> bool {
        self.def.joint.binary_search(&node).is_ok()
    }

    fn count_down(&mut self) -> Result<(), TooMany> {
        self.joint.state.effects.asked.work.add(WORK_OF_A_JOINT_LOOK);
        self.left = self.left.checked_sub(1).ok_or(TooMany)?;
        Ok(())
    }

    fn bound<T>(&mut self, value: Value, body: impl FnOnce(&mut Self) -> Result<T, TooMany>) -> Result<T, TooMany> {
        self.eval.push_bound(value);
        let result = body(self);
        self.eval.pop_bound();
        result
    }

    /// The truth of a condition: true, false, or open (None).
    fn truth(&mut self, node: NodeId) -> Result<Option<bool>, TooMany> {
        self.count_down()?;
        if !self.speaks_of_it(node) {
            return Ok(Some(self.eval.holds(node)));
        }
        Ok(match self.joint.program.nodes.get(node).copied() {
            Some(Node::Not(a)) => self.truth(a)?.map(|truth| !truth),
            Some(Node::And(a, b)) => self.both(a, b, false)?,
            Some(Node::Or(a, b)) => self.both(a, b, true)?,
            Some(Node::If(condition, args)) => self.either(condition, args)?,
            Some(Node::Tallied(condition, _)) => self.truth(condition)?,
            Some(Node::With { value, body }) if !self.speaks_of_it(value) => {
                let value = self.eval.value(value);
                self.bound(value, |look| look.truth(body))?
            }
            Some(Node::Some(set, condition)) => self.any(set, condition, true)?,
            Some(Node::All(set, condition)) => self.any(set, condition, false)?.map(|any| !any),
            Some(Node::IsEmpty(set)) => self.range_of(set)?.and_then(|(least, most)| match (least, most) {
                (_, 0) => Some(true),
                (0, _) => None,
                _ => Some(false),
            }),
            Some(Node::In(a, set)) if !self.speaks_of_it(a) => self.contains(a, set)?,
            Some(Node::Compare(how, a, b)) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                a.zip(b).and_then(|(a, b)| compared(how, a, b))
            }
            _ => None,
        })
    }

    /// The truth of `a and b`, or with `or` of `a or b`.
    fn both(&mut self, a: NodeId, b: NodeId, or: bool) -> Result<Option<bool>, TooMany> {
        let first = self.truth(a)?;
        if first == Some(or) {
            return Ok(first);
        }
        let second = self.truth(b)?;
        Ok(if second == Some(or) { second } else { first.and(second) })
    }

    fn either(&mut self, condition: NodeId, args: ArgsId) -> Result<Option<bool>, TooMany> {
        let [yes, no] = *self.joint.program.args_of(args) else { return Ok(None) };
        match self.truth(condition)? {
            Some(truth) => self.truth(if truth { yes } else { no }),
            None => {
                let (yes, no) = (self.truth(yes)?, self.truth(no)?);
                Ok(yes.filter(|_| yes == no))
            }
        }
    }

    /// Whether some member satisfies the condition. With `some` false: whether some member does not satisfy it.
    fn any(&mut self, set: NodeId, condition: NodeId, some: bool) -> Result<Option<bool>, TooMany> {
        let Some(members) = self.all_members(set)? else { return Ok(None) };
        let mut open = false;
        for (member, certain) in members {
            match self.bound(member, |look| look.truth(condition))? {
                Some(truth) if truth != some => {}
                Some(_) if certain => return Ok(Some(true)),
                _ => open = true,
            }
        }
        Ok(if open { None } else { Some(false) })
    }

    fn contains(&mut self, a: NodeId, set: NodeId) -> Result<Option<bool>, TooMany> {
        let wanted = self.eval.value(a);
        let Some(members) = self.all_members(set)? else { return Ok(None) };
        Ok(match members.iter().find(|(member, _)| *member == wanted && wanted != Value::Undefined) {
            Some((_, true)) => Some(true),
            Some((_, false)) => None,
            None => Some(false),
        })
    }

    /// The members that a set can have. The flag says whether the member is certainly in the set. None if this is open.
    fn all_members(&mut self, set: NodeId) -> Result<Option<Vec<(Value, bool)>>, TooMany> {
        self.count_down()?;
        if !self.speaks_of_it(set) {
            let mut members = Vec::new();
            self.eval.each(set, &mut |_, member| {
                members.push((member, true));
                false
            });
            return Ok(Some(members));
        }
        match self.joint.program.nodes.get(set).copied() {
            Some(Node::Local(reg)) if reg == self.result => {
                let parts = self.members.iter().zip(&self.parts).filter(|(_, part)| **part != Part::Left);
                Ok(Some(parts.map(|(member, part)| (*member, *part == Part::Taken)).collect()))
            }
            Some(Node::Where(inner, condition)) => {
                let Some(members) = self.all_members(inner)? else { return Ok(None) };
                let mut kept = Vec::with_capacity(members.len());
                for (member, certain) in members {
                    match self.bound(member, |look| look.truth(condition))? {
                        Some(false) => {}
                        truth => kept.push((member, certain && truth == Some(true))),
                    }
                }
                Ok(Some(kept))
            }
            Some(Node::Except(a, b)) => {
                let (a, b) = (self.all_members(a)?, self.all_members(b)?);
                Ok(a.zip(b).map(|(a, b)| {
                    let without = |member: Value| b.iter().find(|(other, _)| *other == member).map(|(_, certain)| *certain);
                    a.into_iter()
                        .filter(|(member, _)| without(*member) != Some(true))
                        .map(|(member, certain)| (member, certain && without(member).is_none()))
                        .collect()
                }))
            }
            Some(Node::Union(a, b) | Node::Joined(a, b)) => {
                let (a, b) = (self.all_members(a)?, self.all_members(b)?);
                Ok(a.zip(b).map(|(mut a, b)| {
                    for (member, certain) in b {
                        match a.iter_mut().find(|(known, _)| *known == member) {
                            Some((_, known)) => *known |= certain,
                            None => a.push((member, certain)),
                        }
                    }
                    a
                }))
            }
            _ => Ok(None),
        }
    }

    /// The least and the greatest number of members that a set can have.
    fn range_of(&mut self, set: NodeId) -> Result<Option<(i64, i64)>, TooMany> {
        let members = self.all_members(set)?;
        Ok(members.map(|members| (members.iter().filter(|(_, certain)| *certain).count() as i64, members.len() as i64)))
    }

    /// The least and the greatest value of a sum over a set. None if this is open.
    fn range_of_sum(&mut self, set: NodeId, number: NodeId) -> Result<Option<(i64, i64)>, TooMany> {
        let Some(members) = self.all_members(set)? else { return Ok(None) };
        let mut sum = (0_i64, 0_i64);
        for (member, certain) in members {
            let range = self.bound(member, |look| look.range(number))?;
            let Some((least, most)) = range else {
                // Members without a number are left out of a sum. If the number depends on the answer, the sum is open.
                if self.speaks_of_it(number) {
                    return Ok(None);
                }
                continue;
            };
            let (least, most) = if certain { (least, most) } else { (least.min(0), most.max(0)) };
            sum = (sum.0 + least, sum.1 + most);
        }
        // An overflow is found when the sum itself is computed.
        Ok(Some(sum).filter(|(least, most)| i32::try_from(*least).is_ok() && i32::try_from(*most).is_ok()))
    }

    /// The least and the greatest value of a number. None if this is open, or if it may be no number.
    fn range(&mut self, node: NodeId) -> Result<Option<(i64, i64)>, TooMany> {
        self.count_down()?;
        if !self.speaks_of_it(node) {
            return Ok(self.eval.number(node).map(|number| (i64::from(number), i64::from(number))));
        }
        Ok(match self.joint.program.nodes.get(node).copied() {
            Some(Node::Count(set)) => self.range_of(set)?,
            Some(Node::Arithmetic(how, a, b)) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                a.zip(b)
                    .and_then(|(a, b)| reckoned(how, a, b))
                    .filter(|(least, most)| i32::try_from(*least).is_ok() && i32::try_from(*most).is_ok())
            }
            Some(Node::Fold(Fold::Sum, set, number)) => self.range_of_sum(set, number)?,
            Some(Node::Least(a, b)) => self.range(a)?.zip(self.range(b)?).map(|(a, b)| (a.0.min(b.0), a.1.min(b.1))),
            Some(Node::Greatest(a, b)) => self.range(a)?.zip(self.range(b)?).map(|(a, b)| (a.0.max(b.0), a.1.max(b.1))),
            _ => None,
        })
    }
}

/// The bounds of a calculation with two numbers whose exact values are unknown.
fn reckoned(how: Arithmetic, a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    match how {
        Arithmetic::Add => Some((a.0 + b.0, a.1 + b.1)),
        Arithmetic::Subtract => Some((a.0 - b.1, a.1 - b.0)),
        Arithmetic::Multiply => {
            let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            Some((products.into_iter().min()?, products.into_iter().max()?))
        }
        Arithmetic::Divide | Arithmetic::Remainder => None,
    }
}

/// The comparison of two numbers with known bounds and unknown exact values. None if it can be true or false.
fn compared(how: Compare, a: (i64, i64), b: (i64, i64)) -> Option<bool> {
    let sure = |truth: bool| truth.then_some(true);
    match how {
        Compare::Less => sure(a.1 < b.0).or((a.0 >= b.1).then_some(false)),
        Compare::LessEqual => sure(a.1 <= b.0).or((a.0 > b.1).then_some(false)),
        Compare::Greater => compared(Compare::Less, b, a),
        Compare::GreaterEqual => compared(Compare::LessEqual, b, a),
        Compare::Equal if a.0 == a.1 && b.0 == b.1 => Some(a.0 == b.0),
        Compare::Equal => (a.1 < b.0 || b.1 < a.0).then_some(false),
        Compare::NotEqual => compared(Compare::Equal, a, b).map(|equal| !equal),
    }
}
