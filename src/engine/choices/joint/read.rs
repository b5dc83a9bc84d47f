//! Reads a joint condition as a logical form ([`Form`]). It evaluates all parts that do not depend on the answer.
//!
//! The form depends on what the condition says, not on its words. The loops over the answer become statements about single members, and
//! `form` and `sums` put these together again.

use super::form::Form;
use super::members::{Allowed, Members};
use super::sums::Sum;
use super::{Joint, Notes};
use crate::eval::{Eval, compare};
use crate::ids::{ArgsId, NodeId, Reg};
use crate::limits::{JOINT_READS, WORK_OF_A_JOINT_LOOK};
use crate::program::{Arithmetic, ChoiceDef, Fold, Node, Program, children};
use crate::value::Value;
use rustc_hash::FxHashMap;

/// The condition has no form that is known, or reading it takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unread;

/// Reads the condition of one question.
pub(super) struct Reader<'j, 'a> {
    joint: &'j Joint<'a>,
    def: &'a ChoiceDef,
    eval: Eval<'a>,
    result: Reg,
    members: Vec<Value>,
    left: u32,
    /// Values of nodes that read only the member, for each member of the domain.
    values: FxHashMap<(NodeId, usize), Vec<Value>>,
    /// How often the part that is read now is read: once for each member of each set around it.
    times: u32,
}

impl<'j, 'a> Reader<'j, 'a> {
    pub(super) fn new(joint: &'j Joint<'a>, def: &'a ChoiceDef, eval: Eval<'a>) -> Self {
        let members = (0..joint.asked.len).map(|pick| joint.member(pick)).collect();
        Reader { joint, def, eval, result: joint.asked.result, members, left: JOINT_READS, values: FxHashMap::default(), times: 1 }
    }

    /// The form of the condition, and what was noted while reading it.
    pub(super) fn read(&mut self) -> Result<(Form, Notes), Unread> {
        let form = self.form(self.def.together);
        let read = (JOINT_READS - self.left) as usize;
        self.joint.state.effects.asked.work.add(read * WORK_OF_A_JOINT_LOOK);
        Ok((form?, Notes { overflow: self.eval.overflow, peeked: self.eval.peeked }))
    }

    fn speaks_of_it(&self, node: NodeId) -> bool {
        self.def.joint.binary_search(&node).is_ok()
    }

    fn count_down(&mut self) -> Result<(), Unread> {
        self.left = self.left.checked_sub(1).ok_or(Unread)?;
        Ok(())
    }

    /// Reads something for each member of a set of this size. An error at once if that takes too long.
    fn for_each<T>(&mut self, size: usize, body: impl FnOnce(&mut Self) -> Result<T, Unread>) -> Result<T, Unread> {
        let around = self.times;
        self.times = u32::try_from(size.max(1))
            .ok()
            .and_then(|size| around.checked_mul(size))
            .filter(|times| *times <= JOINT_READS)
            .ok_or(Unread)?;
        let result = body(self);
        self.times = around;
        result
    }

    fn bound<T>(&mut self, value: Value, body: impl FnOnce(&mut Self) -> Result<T, Unread>) -> Result<T, Unread> {
        self.eval.push_bound(value);
        let result = body(self);
        self.eval.pop_bound();
        result
    }

    fn form(&mut self, node: NodeId) -> Result<Form, Unread> {
        self.count_down()?;
        if !self.speaks_of_it(node) {
            return Ok(Form::sure(self.eval.holds(node)));
        }
        match self.joint.program.nodes.get(node).copied() {
            Some(Node::Not(a)) => Ok(self.form(a)?.not()),
            Some(Node::And(a, b)) => self.both(a, b, false),
            Some(Node::Or(a, b)) => self.both(a, b, true),
            Some(Node::If(condition, args)) => self.either(condition, args),
            Some(Node::With { value, body }) if !self.speaks_of_it(value) => {
                let value = self.eval.value(value);
                self.bound(value, |reader| reader.form(body))
            }
            Some(Node::Tallied(condition, _)) => self.form(condition),
            Some(Node::Some(set, condition)) => Ok(Form::any(self.those(set, condition, true)?)),
            Some(Node::All(set, condition)) => Ok(Form::any(self.those(set, condition, false)?).not()),
            Some(Node::IsEmpty(set)) => Ok(Form::any(self.set(set)?.into_iter().map(|(_, form)| form)).not()),
            Some(Node::In(a, set)) if !self.speaks_of_it(a) => {
                let wanted = self.eval.value(a);
                let is_it = |(member, _): &(Value, Form)| *member == wanted && wanted != Value::Undefined;
                Ok(Form::any(self.set(set)?.into_iter().filter(is_it).map(|(_, form)| form)))
            }
            Some(Node::Compare(how, a, b)) => {
                let (a, b) = (self.sum(a)?, self.sum(b)?);
                let (Some(a), Some(b)) = (a, b) else { return Ok(Form::sure(false)) };
                a.plus(b, -1).ok_or(Unread)?.compared(how, self.members.len()).ok_or(Unread)
            }
            _ => Err(Unread),
        }
    }

    /// `a and b`, or with `or` `a or b`. The second is not read if the first decides.
    fn both(&mut self, a: NodeId, b: NodeId, or: bool) -> Result<Form, Unread> {
        let first = self.form(a)?;
        if first.is_sure() == Some(or) {
            return Ok(first);
        }
        let second = self.form(b)?;
        Ok(if or { Form::any([first, second]) } else { Form::all([first, second]) })
    }

    fn either(&mut self, condition: NodeId, args: ArgsId) -> Result<Form, Unread> {
        let [yes, no] = *self.joint.program.args_of(args) else { return Err(Unread) };
        let condition = self.form(condition)?;
        match condition.is_sure() {
            Some(truth) => self.form(if truth { yes } else { no }),
            None => {
                let (yes, no) = (self.form(yes)?, self.form(no)?);
                Ok(Form::any([Form::all([condition.clone(), yes]), Form::all([condition.not(), no])]))
            }
        }
    }

    /// For each member that a set can have: it is in the set, and the condition is true of it. With `holds` false: is not true of it.
    fn those(&mut self, set: NodeId, condition: NodeId, holds: bool) -> Result<Vec<Form>, Unread> {
        if self.is_answer(set) {
            return self.those_chosen(condition, holds);
        }
        let members = self.set(set)?;
        self.for_each(members.len(), |reader| {
            let mut forms = Vec::with_capacity(members.len());
            for (member, there) in members {
                let form = reader.bound(member, |reader| reader.form(condition))?;
                forms.push(Form::all([there, if holds { form } else { form.not() }]));
            }
            Ok(forms)
        })
    }

    /// [`Reader::those`] of the answer itself. Members of which the condition is surely true are one statement.
    fn those_chosen(&mut self, condition: NodeId, holds: bool) -> Result<Vec<Form>, Unread> {
        let len = self.members.len();
        self.for_each(len, |reader| {
            let (mut forms, mut surely) = (Vec::new(), Members::none(len));
            for at in 0..len {
                let member = reader.members.get(at).copied().unwrap_or_default();
                let form = reader.bound(member, |reader| reader.form(condition))?;
                match form.is_sure() {
                    Some(truth) if truth == holds => surely.insert(at),
                    Some(_) => {}
                    None => forms.push(Form::all([chosen(len, at), if holds { form } else { form.not() }])),
                }
            }
            forms.push(Form::some_of(surely));
            Ok(forms)
        })
    }

    fn is_answer(&self, set: NodeId) -> bool {
        matches!(self.joint.program.nodes.get(set), Some(Node::Local(reg)) if *reg == self.result)
    }

    /// The members that a set can have, each with the condition under which the set has it.
    fn set(&mut self, set: NodeId) -> Result<Vec<(Value, Form)>, Unread> {
        self.count_down()?;
        if !self.speaks_of_it(set) {
            let mut members = Vec::new();
            self.eval.each(set, &mut |_, member| {
                members.push((member, Form::sure(true)));
                false
            });
            return Ok(members);
        }
        match self.joint.program.nodes.get(set).copied() {
            Some(Node::Local(reg)) if reg == self.result => {
                let len = self.members.len();
                Ok(self.members.iter().enumerate().map(|(at, member)| (*member, chosen(len, at))).collect())
            }
            Some(Node::Where(inner, condition)) => self.narrowed(inner, condition),
            Some(Node::Sorted(inner, _)) => self.set(inner),
            Some(Node::Except(a, b)) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                let is_out = |member: Value| Form::any(b.iter().filter(|(other, _)| *other == member).map(|(_, form)| form.clone()));
                Ok(a.into_iter().map(|(member, form)| (member, Form::all([form, is_out(member).not()]))).collect())
            }
            Some(Node::Union(a, b) | Node::Joined(a, b)) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                Ok(merged(a.into_iter().chain(b)))
            }
            Some(Node::Distinct(inner, value)) if !self.speaks_of_it(value) => {
                let mut values = Vec::new();
                for (member, form) in self.set(inner)? {
                    self.count_down()?;
                    self.eval.push_bound(member);
                    self.eval.each(value, &mut |_, value| {
                        values.push((value, form.clone()));
                        false
                    });
                    self.eval.pop_bound();
                }
                Ok(merged(values))
            }
            _ => Err(Unread),
        }
    }

    /// The members of a set of which a condition is true. For the answer itself the forms of members are made only if they are needed.
    fn narrowed(&mut self, inner: NodeId, condition: NodeId) -> Result<Vec<(Value, Form)>, Unread> {
        if self.speaks_of_it(condition) || !self.is_answer(inner) {
            let members = self.set(inner)?;
            let mut kept = self.for_each(members.len(), |reader| {
                let mut kept = Vec::with_capacity(members.len());
                for (member, form) in members {
                    let narrowed = reader.bound(member, |reader| reader.form(condition))?;
                    kept.push((member, Form::all([form, narrowed])));
                }
                Ok(kept)
            })?;
            kept.retain(|(_, form)| form.is_sure() != Some(false));
            return Ok(kept);
        }
        let len = self.members.len();
        let fits = self.fitting(condition)?;
        let kept = fits.iter().map(|at| (self.members.get(at).copied().unwrap_or_default(), chosen(len, at)));
        Ok(kept.collect())
    }

    /// The members of the domain of which a condition that does not speak of the answer is true. If the condition compares a value of the
    /// member with something else (`it.kin == c.kin`), the values of all members are found once.
    fn fitting(&mut self, condition: NodeId) -> Result<Members, Unread> {
        let len = self.members.len();
        let mut fits = Members::none(len);
        if let Some(Node::Compare(how, a, b)) = self.joint.program.nodes.get(condition).copied() {
            let depth = self.eval.depth();
            let ours = |node| only_binder(self.joint.program, node);
            let (key, other, turned) = match (ours(a), ours(b)) {
                (Some(Some(at)), other) if at == depth && other.is_some_and(|other| other != Some(depth)) => (Some(a), b, false),
                (other, Some(Some(at))) if at == depth && other.is_some_and(|other| other != Some(depth)) => (Some(b), a, true),
                _ => (None, b, false),
            };
            if let Some(key) = key {
                self.values_of(key, depth)?;
                let value = self.eval.value(other);
                let values = self.values.get(&(key, depth)).map_or(&[][..], Vec::as_slice);
                for (at, own) in values.iter().enumerate() {
                    let (a, b) = if turned { (value, *own) } else { (*own, value) };
                    if compare(how, a, b) {
                        fits.insert(at);
                    }
                }
                self.left = self.left.checked_sub(len as u32 / 8 + 1).ok_or(Unread)?;
                return Ok(fits);
            }
        }
        for at in 0..len {
            self.count_down()?;
            let member = self.members.get(at).copied().unwrap_or_default();
            self.eval.push_bound(member);
            if self.eval.holds(condition) {
                fits.insert(at);
            }
            self.eval.pop_bound();
        }
        Ok(fits)
    }

    /// Finds the value of a node for each member, if it is not known yet.
    fn values_of(&mut self, node: NodeId, depth: usize) -> Result<(), Unread> {
        if self.values.contains_key(&(node, depth)) {
            return Ok(());
        }
        let mut values = Vec::with_capacity(self.members.len());
        for at in 0..self.members.len() {
            self.count_down()?;
            let member = self.members.get(at).copied().unwrap_or_default();
            values.push(self.eval.bind(member, |eval| eval.value(node)));
        }
        self.values.insert((node, depth), values);
        Ok(())
    }

    /// A number as a sum of conditions. The inner None: it is no number.
    fn sum(&mut self, node: NodeId) -> Result<Option<Sum>, Unread> {
        self.count_down()?;
        if !self.speaks_of_it(node) {
            return Ok(self.eval.number(node).map(|number| Sum::known(i64::from(number))));
        }
        let sum = match self.joint.program.nodes.get(node).copied() {
            Some(Node::Count(set)) => Sum::of(self.set(set)?.into_iter().map(|(_, form)| (form, 1))),
            Some(Node::Fold(Fold::Sum, set, number)) if !self.speaks_of_it(number) => {
                let mut terms = Vec::new();
                for (member, form) in self.set(set)? {
                    self.count_down()?;
                    // Members without a number are left out of a sum.
                    let number = self.eval.bind(member, |eval| eval.number(number));
                    terms.extend(number.map(|number| (form, i64::from(number))));
                }
                Sum::of(terms)
            }
            Some(Node::Negate(a)) => {
                let Some(a) = self.sum(a)? else { return Ok(None) };
                Sum::known(0).plus(a, -1).ok_or(Unread)?
            }
            Some(Node::Arithmetic(how, a, b)) => {
                let (Some(a), Some(b)) = (self.sum(a)?, self.sum(b)?) else { return Ok(None) };
                match how {
                    Arithmetic::Add => a.plus(b, 1),
                    Arithmetic::Subtract => a.plus(b, -1),
                    Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Remainder => a.reckoned(how, &b, self.members.len()),
                }
                .ok_or(Unread)?
            }
            _ => return Err(Unread),
        };
        // Numbers of the game have 32 bits. The condition itself is evaluated if a number might not fit.
        if sum.fits() { Ok(Some(sum)) } else { Err(Unread) }
    }
}

/// The binder that a node reads: the inner None if it reads none. None if it reads several, or binds names itself.
fn only_binder(program: &Program, node: NodeId) -> Option<Option<usize>> {
    let of = program.nodes.get(node)?;
    if let Node::Bound(at) = of {
        return Some(Some(usize::from(*at)));
    }
    let binds = matches!(
        of,
        Node::With { .. } | Node::Some(..) | Node::All(..) | Node::Where(..) | Node::Fold(..) | Node::Distinct(..) | Node::Sorted(..)
    );
    let mut found = (!binds).then_some(None);
    children(of, program, &mut |child| {
        found = match (found, only_binder(program, child)) {
            (Some(known), Some(new)) if known.is_none() || new.is_none() || known == new => Some(known.or(new)),
            _ => None,
        };
    });
    found
}

/// This member is chosen.
fn chosen(len: usize, at: usize) -> Form {
    Form::Count(Members::none(len).with(at), Allowed::range(1, 1))
}

/// Members that come several times are there once, if any of their conditions is true.
fn merged(members: impl IntoIterator<Item = (Value, Form)>) -> Vec<(Value, Form)> {
    let mut at: FxHashMap<Value, usize> = FxHashMap::default();
    let mut all: Vec<(Value, Vec<Form>)> = Vec::new();
    for (member, form) in members {
        match at.get(&member).and_then(|at| all.get_mut(*at)) {
            Some((_, known)) => known.push(form),
            None => {
                at.insert(member, all.len());
                all.push((member, vec![form]));
            }
        }
    }
    all.into_iter().map(|(member, forms)| (member, Form::any(forms))).collect()
}
