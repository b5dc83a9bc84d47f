//! Sums of conditions: each condition that is true of an answer adds its number. Counts and sums over an answer are of this kind.
//!
//! A comparison of a sum with a number is a statement about counts in these cases: the sum depends on the count of one set only; or it has
//! to have its least or greatest value, so each part has to; or at most one part may differ from this by one. Otherwise it is a statement
//! about a total, if each chosen member adds a number of its own.

use super::form::{Form, Total};
use super::members::{Allowed, Members};
use crate::program::{Arithmetic, Compare};

/// A sum of conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    terms: Vec<(Form, i64)>,
    constant: i64,
}

/// A part of a sum that depends on the number of chosen members of one set: its value for each number.
struct Part {
    set: Members,
    values: Vec<i64>,
}

impl Part {
    fn least(&self) -> i64 {
        self.values.iter().copied().min().unwrap_or(0)
    }

    fn greatest(&self) -> i64 {
        self.values.iter().copied().max().unwrap_or(0)
    }

    /// The value is between these two.
    fn is_within(&self, least: i64, most: i64) -> Form {
        let fits = |number: usize| self.values.get(number).is_some_and(|value| (least..=most).contains(value));
        Form::count(self.set.clone(), Allowed::those(self.set.len(), fits))
    }
}

impl Sum {
    /// A number that does not depend on the answer.
    pub(super) fn known(constant: i64) -> Self {
        Sum { terms: Vec::new(), constant }
    }

    /// The sum of these terms.
    pub(super) fn of(terms: impl IntoIterator<Item = (Form, i64)>) -> Self {
        let mut sum = Sum::default();
        for (form, number) in terms {
            match form.is_sure() {
                Some(true) => sum.constant += number,
                Some(false) => {}
                None => sum.terms.push((form, number)),
            }
        }
        sum
    }

    /// This sum and `times` another one. None if a number is too great.
    pub(super) fn plus(mut self, other: Sum, times: i64) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (form, number) in other.terms {
            self.terms.push((form, number.checked_mul(times)?));
        }
        Some(self)
    }

    /// Whether every value that the sum can have fits into 32 bits.
    pub(super) fn fits(&self) -> bool {
        let bound = |sign: i64| self.terms.iter().map(|(_, number)| (number * sign).max(0)).fold(self.constant * sign, i64::saturating_add);
        i32::try_from(bound(1)).is_ok() && i32::try_from(bound(-1)).is_ok()
    }

    /// A product, quotient or remainder. None if the numbers depend on the counts of several sets.
    pub(super) fn reckoned(self, how: Arithmetic, other: &Sum, len: usize) -> Option<Self> {
        let (mine, others) = (self.one_part(len)?, other.one_part(len)?);
        let set = match (mine.set.is_empty(), others.set.is_empty()) {
            (true, _) => others.set.clone(),
            (_, true) => mine.set.clone(),
            _ => (mine.set == others.set).then(|| mine.set.clone())?,
        };
        let value = |part: &Part, number: usize| part.values.get(if part.set.is_empty() { 0 } else { number }).copied();
        let mut terms = Vec::new();
        for number in 0..=set.len() {
            let (a, b) = (i32::try_from(value(&mine, number)?).ok()?, i32::try_from(value(&others, number)?).ok()?);
            let result = match how {
                Arithmetic::Add => a.checked_add(b),
                Arithmetic::Subtract => a.checked_sub(b),
                Arithmetic::Multiply => a.checked_mul(b),
                Arithmetic::Divide => a.checked_div_euclid(b),
                Arithmetic::Remainder => a.checked_rem_euclid(b),
            }?;
            terms.push((Form::count(set.clone(), Allowed::range(number, number)), i64::from(result)));
        }
        Some(Sum::of(terms))
    }

    /// The sum as one part, constant included. A part of the empty set is a constant.
    fn one_part(&self, len: usize) -> Option<Part> {
        let mut parts = self.parts(len)?;
        match (parts.len(), parts.pop()) {
            (0, _) => Some(Part { set: Members::none(len), values: vec![self.constant] }),
            (1, Some(part)) => Some(Part { values: part.values.iter().map(|value| value + self.constant).collect(), set: part.set }),
            _ => None,
        }
    }

    /// The parts of the sum. None if a term is more than a count.
    fn parts(&self, len: usize) -> Option<Vec<Part>> {
        let mut singles = vec![0_i64; len];
        let mut parts: Vec<Part> = Vec::new();
        let mut constant = 0;
        for (form, number) in &self.terms {
            let Form::Count(set, allowed) = form else { return None };
            match (set.len(), set.iter().next().and_then(|only| singles.get_mut(only))) {
                (1, Some(single)) if allowed.has(1) => *single += number,
                (1, Some(single)) => {
                    *single -= number;
                    constant += number;
                }
                _ => {
                    let part = match parts.iter_mut().position(|part| part.set == *set) {
                        Some(at) => parts.get_mut(at)?,
                        None => {
                            parts.push(Part { set: set.clone(), values: vec![0; set.len() + 1] });
                            parts.last_mut()?
                        }
                    };
                    for (count, value) in part.values.iter_mut().enumerate() {
                        *value += if allowed.has(count) { *number } else { 0 };
                    }
                }
            }
        }
        parts.iter_mut().for_each(|part| part.absorb(&mut singles));
        // Single members with one number are a part together, if there is nothing else.
        let numbers: Vec<i64> = singles.iter().copied().filter(|number| *number != 0).collect();
        let equal = numbers.iter().all(|number| Some(number) == numbers.first());
        let left = || singles.iter().enumerate().filter(|(_, number)| **number != 0);
        if let (true, true, Some(number)) = (parts.is_empty(), equal, numbers.first()) {
            let set = left().fold(Members::none(len), |set, (at, _)| set.with(at));
            parts.push(Part { values: (0..=set.len() as i64).map(|count| count * number).collect(), set });
        } else {
            parts.extend(left().map(|(at, number)| Part { set: Members::none(len).with(at), values: vec![0, *number] }));
        }
        if constant != 0 {
            match parts.first_mut() {
                Some(part) => part.values.iter_mut().for_each(|value| *value += constant),
                None => parts.push(Part { set: Members::none(len), values: vec![constant] }),
            }
        }
        Some(parts)
    }

    /// The comparison of the sum with 0. None if it is no statement about counts.
    pub(super) fn compared(&self, how: Compare, len: usize) -> Option<Form> {
        let (least, most) = match how {
            Compare::Less => (i64::MIN, -1),
            Compare::LessEqual => (i64::MIN, 0),
            Compare::Greater => (1, i64::MAX),
            Compare::GreaterEqual => (0, i64::MAX),
            Compare::Equal => (0, 0),
            Compare::NotEqual => return self.compared(Compare::Equal, len).map(Form::not),
        };
        let parts = self.parts(len)?;
        let (least, most) = (least.saturating_sub(self.constant), most.saturating_sub(self.constant));
        if let [part] = parts.as_slice() {
            return Some(part.is_within(least, most));
        }
        let (lowest, utmost) = (parts.iter().map(Part::least).sum::<i64>(), parts.iter().map(Part::greatest).sum::<i64>());
        if least <= lowest && utmost <= most {
            return Some(Form::sure(true));
        }
        if utmost < least || most < lowest {
            return Some(Form::sure(false));
        }
        if least <= lowest + 1 && most <= lowest + 1 {
            return Some(near(&parts, |part| (part.least(), 1), (least.saturating_sub(lowest), most - lowest)));
        }
        if most >= utmost - 1 && least >= utmost - 1 {
            return Some(near(&parts, |part| (part.greatest(), -1), (utmost.saturating_sub(most), utmost - least)));
        }
        total(&parts, (least, most), len)
    }
}

/// The parts together lie between two numbers, if each member that is chosen adds a number of its own.
fn total(parts: &[Part], (least, most): (i64, i64), len: usize) -> Option<Form> {
    let (mut numbers, mut constant) = (vec![0_i64; len], 0);
    for part in parts {
        let base = part.values.first().copied()?;
        let step = part.values.get(1).map_or(0, |value| value - base);
        if part.values.windows(2).any(|pair| matches!(pair, [a, b] if b - a != step)) {
            return None;
        }
        constant += base;
        for member in part.set.iter() {
            *numbers.get_mut(member)? += step;
        }
    }
    let numbers = numbers.into_iter().map(|number| i32::try_from(number).ok()).collect::<Option<Vec<i32>>>()?;
    Some(Form::Total(Total { numbers, least: least.saturating_sub(constant), most: most.saturating_sub(constant) }))
}

/// All parts together lie at least `least` and at most `most` above their least values, or below their greatest values. `most` is 0 or 1.
fn near(parts: &[Part], end: impl Fn(&Part) -> (i64, i64), (least, most): (i64, i64)) -> Form {
    let at = |part: &Part, off: i64| {
        let (value, way) = end(part);
        part.is_within(value.min(value + off * way), value.max(value + off * way))
    };
    let exactly = |part: &Part, off: i64| {
        let (value, way) = end(part);
        part.is_within(value + off * way, value + off * way)
    };
    if most <= 0 {
        return Form::all(parts.iter().map(|part| at(part, 0)));
    }
    let one_off = (0..parts.len()).map(|off| {
        Form::all(parts.iter().enumerate().map(|(place, part)| match (place == off, least <= 0) {
            (false, _) => at(part, 0),
            (true, true) => at(part, 1),
            (true, false) => exactly(part, 1),
        }))
    });
    Form::any(one_off)
}

impl Part {
    /// Takes numbers of single members into this part, as far as all members of its set have them.
    fn absorb(&mut self, singles: &mut [i64]) {
        let step = self.values.windows(2).map(|pair| if let [a, b] = pair { (b - a).abs() } else { 0 }).max().unwrap_or(0);
        let numbers = || self.set.iter().filter_map(|member| singles.get(member).copied());
        let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        let taken = if least > 0 { least.min(step) } else { most.min(0).max(-step) };
        for member in self.set.iter() {
            if let Some(number) = singles.get_mut(member) {
                *number -= taken;
            }
        }
        for (count, value) in self.values.iter_mut().enumerate() {
            *value += taken * count as i64;
        }
    }
}
