//! A question whose joint condition has a known form: its best answer, its only answer, and an answer by lot, all by flows.

use super::degrees::{Aim, best};
use super::form::Form;
use super::members::{Allowed, Members};
use super::read::Reader;
use super::{Finder, Joint, Notes, TooMany, Wanted};
use crate::limits::JOINT_FLOWS;

/// A condition in its known form, with the demands of effects.
pub(super) struct Known<'j, 'a> {
    joint: &'j Joint<'a>,
    form: Form,
    /// For each member the number of effects that demand it.
    weights: Vec<u32>,
    /// What was noted while the condition was read.
    notes: Notes,
    left: u32,
}

impl<'j, 'a> Known<'j, 'a> {
    /// The condition of a question. None if it has no known form.
    pub(super) fn of(joint: &'j Joint<'a>, weights: &[u32]) -> Option<Self> {
        let eval = joint.eval(joint.locals(), &joint.branch.lists);
        let (form, notes) = Reader::new(joint, joint.def()?, eval).read().ok()?;
        Some(Known { joint, form, weights: weights.to_vec(), notes, left: JOINT_FLOWS })
    }

    fn owed(&self, chosen: &Members) -> u32 {
        chosen.iter().filter_map(|member| self.weights.get(member)).sum()
    }

    /// A value for each member, from the number of effects that demand the member.
    fn values(&self, value: impl Fn(i128) -> i128) -> Vec<i128> {
        self.weights.iter().map(|weight| value(i128::from(*weight))).collect()
    }

    /// A number greater than the sizes of all answers.
    fn many(&self) -> i128 {
        self.weights.len() as i128 + 1
    }

    fn find(&mut self, form: &Form, aim: &Aim, above: Option<i128>, first: bool) -> Result<Option<Members>, TooMany> {
        let before = self.left;
        let found = best(form, aim, above, first, &mut self.left);
        // A look takes some ten nanoseconds.
        self.joint.state.effects.asked.work.add(2 * (before - self.left) as usize);
        found
    }

    /// The only answer of this size. None if there are several. All answers of this size that obey the most demands are compared.
    pub(super) fn only(&mut self, size: u16) -> Result<Option<Vec<u16>>, TooMany> {
        let size = usize::from(size);
        let aim = Aim { least: size, most: size, values: self.values(|weight| weight) };
        let Some(chosen) = self.find(&self.form.clone(), &aim, None, false)? else { return Ok(None) };
        let above = Some(i128::from(self.owed(&chosen)) - 1);
        // Another answer lacks a member of this one: the first one that it lacks is each in turn.
        let len = self.weights.len();
        let mut before = Members::none(len);
        for member in chosen.iter() {
            let without = Members::none(len).with(member);
            let has = Form::count(before.clone(), Allowed::range(before.len(), before.len()));
            let form = Form::all([self.form.clone(), has, Form::none_of(without)]);
            if self.find(&form, &aim, above, true)?.is_some() {
                return Ok(None);
            }
            before.insert(member);
        }
        Ok(Some(picks(&chosen)))
    }

    /// An answer by lot. `below` draws a number below another one. Every legal answer can be drawn, some more often than others.
    pub(super) fn draw(&mut self, below: &mut dyn FnMut(u32) -> u32) -> Option<Vec<u16>> {
        let (min, max, must) = (self.joint.asked.min, self.joint.asked.max, u32::from(self.joint.asked.must));
        let size = usize::from(min) + below(u32::from(max - min.min(max)) + 1) as usize;
        if size == 0 {
            return Some(Vec::new());
        }
        let lots: Vec<i128> = self.weights.iter().map(|_| i128::from(below(LOTS))).collect();
        let demands = i128::from(LOTS) * self.many();
        for (least, most, worth) in [(size, size, 0), (usize::from(min.max(1)), usize::from(max), i128::from(LOTS) / 2)] {
            let values = self.values(|weight| weight * demands).into_iter().zip(&lots).map(|(value, lot)| value + lot - worth).collect();
            let found = self.find(&self.form.clone(), &Aim { least, most, values }, None, false).ok()?;
            if let Some(chosen) = found.filter(|chosen| self.owed(chosen) == must) {
                return Some(picks(&chosen));
            }
        }
        (min == 0).then(Vec::new)
    }

    /// A legal answer of the greatest size. None if there is none, or if it takes too long.
    pub(super) fn one(&mut self) -> Option<Vec<u16>> {
        let (least, most) = (usize::from(self.joint.asked.min.max(1)), usize::from(self.joint.asked.max));
        let many = self.many();
        let aim = Aim { least, most, values: self.values(|weight| weight * many + 1) };
        let found = self.find(&self.form.clone(), &aim, None, false).ok()?;
        found.filter(|chosen| self.owed(chosen) == u32::from(self.joint.asked.must)).map(|chosen| picks(&chosen))
    }
}

impl Finder for Known<'_, '_> {
    fn best(&mut self, wanted: Wanted) -> Result<Option<(u16, u32)>, TooMany> {
        let demands = self.values(|weight| weight).iter().sum::<i128>() + 1;
        let many = self.many();
        let values = if wanted.exactly { self.values(|weight| demands + weight) } else { self.values(|weight| weight * many + 1) };
        let aim = Aim { least: 1, most: usize::from(wanted.most), values };
        let found = self.find(&self.form.clone(), &aim, None, false)?;
        Ok(found.map(|chosen| (chosen.len() as u16, self.owed(&chosen))))
    }

    fn least(&mut self, _: u32, most: u16) -> Result<u16, TooMany> {
        let many = self.many();
        let aim = Aim { least: 1, most: usize::from(most), values: self.values(|weight| weight * many - 1) };
        let found = self.find(&self.form.clone(), &aim, None, false)?;
        Ok(found.map_or(most, |chosen| chosen.len() as u16))
    }

    fn notes(&self) -> Notes {
        self.notes
    }
}

/// The numbers from which the lots of members are drawn.
const LOTS: u32 = 1 << 16;

fn picks(chosen: &Members) -> Vec<u16> {
    chosen.iter().map(|member| member as u16).collect()
}
