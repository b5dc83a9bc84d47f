//! Compares sequences member by member, and keeps what is needed to turn the new sequence back into the old one.

use crate::engine::state::AppendOnly;
use std::collections::VecDeque;

/// The difference between a sequence and its old contents.
#[derive(Clone, Debug)]
pub enum Was<T> {
    /// The length is the same. These members had other values.
    Members(Vec<(u32, T)>),
    /// A stretch of members has replaced another stretch.
    Stretch {
        /// The index where the stretch begins.
        at: u32,
        /// The number of members in the new stretch.
        now: u32,
        /// The members of the old stretch.
        old: Vec<T>,
    },
}

/// A sequence of members.
pub trait Row {
    /// The type of the members.
    type Member: Clone + PartialEq;
    /// The number of members.
    fn count(&self) -> usize;
    /// The member at an index.
    fn at(&self, at: usize) -> Option<&Self::Member>;
    /// Replaces a member.
    fn set(&mut self, at: usize, member: Self::Member);
    /// Replaces `now` members by other members.
    fn splice(&mut self, at: usize, now: usize, old: Vec<Self::Member>);
}

impl<T: Clone + PartialEq> Row for Vec<T> {
    type Member = T;

    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, at: usize) -> Option<&T> {
        self.get(at)
    }

    fn set(&mut self, at: usize, member: T) {
        if let Some(place) = self.get_mut(at) {
            *place = member;
        }
    }

    fn splice(&mut self, at: usize, now: usize, old: Vec<T>) {
        let at = at.min(self.len());
        let end = (at + now).min(self.len());
        self.splice(at..end, old);
    }
}

impl<T: Clone + PartialEq> Row for VecDeque<T> {
    type Member = T;

    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, at: usize) -> Option<&T> {
        self.get(at)
    }

    fn set(&mut self, at: usize, member: T) {
        if let Some(place) = self.get_mut(at) {
            *place = member;
        }
    }

    fn splice(&mut self, at: usize, now: usize, old: Vec<T>) {
        let behind = self.split_off((at + now).min(self.len()));
        self.truncate(at);
        self.extend(old);
        self.extend(behind);
    }
}

impl<T: Clone + PartialEq> Row for AppendOnly<T> {
    type Member = T;

    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, at: usize) -> Option<&T> {
        self.get(at)
    }

    fn set(&mut self, at: usize, member: T) {
        self.splice(at, 1, vec![member]);
    }

    fn splice(&mut self, at: usize, now: usize, old: Vec<T>) {
        let behind: Vec<T> = self.iter().skip(at + now).cloned().collect();
        self.truncate(at);
        old.into_iter().chain(behind).for_each(|member| self.push(member));
    }
}

/// The difference that leads from the second sequence back to the first. None if they are equal.
pub fn difference<R: Row>(before: &R, after: &R) -> Option<Was<R::Member>> {
    let (of_before, of_after) = (before.count(), after.count());
    if of_before == of_after {
        let others = (0..of_before).filter(|at| before.at(*at) != after.at(*at));
        let members: Vec<_> = others.filter_map(|at| Some((at as u32, before.at(at)?.clone()))).collect();
        return (!members.is_empty()).then_some(Was::Members(members));
    }
    let least = of_before.min(of_after);
    let in_front = (0..least).take_while(|at| before.at(*at) == after.at(*at)).count();
    let behind = (1..=least - in_front).take_while(|at| before.at(of_before - at) == after.at(of_after - at)).count();
    let old = (in_front..of_before - behind).filter_map(|at| before.at(at).cloned()).collect();
    Some(Was::Stretch { at: in_front as u32, now: (of_after - behind - in_front) as u32, old })
}

/// Turns a sequence back into its old contents.
pub fn put_back<R: Row>(row: &mut R, was: Was<R::Member>) {
    match was {
        Was::Members(members) => members.into_iter().for_each(|(at, member)| row.set(at as usize, member)),
        Was::Stretch { at, now, old } => row.splice(at as usize, now as usize, old),
    }
}

#[cfg(test)]
mod tests {
    use super::{Row, difference, put_back};
    use crate::engine::state::AppendOnly;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    fn there_and_back<R: Row + Clone + PartialEq + std::fmt::Debug>(before: &R, after: &R) {
        let mut row = after.clone();
        if let Some(was) = difference(before, after) {
            put_back(&mut row, was);
        }
        assert_eq!(&row, before);
    }

    fn grown(members: &[u8], sealed: bool) -> AppendOnly<u8> {
        let mut grown = AppendOnly::default();
        members.iter().for_each(|member| grown.push(*member));
        if sealed {
            grown.seal(64);
        }
        grown
    }

    proptest! {
        #[test]
        fn every_row_becomes_what_it_was(before in prop::collection::vec(0u8..3, 0..90), after in prop::collection::vec(0u8..3, 0..90)) {
            there_and_back(&before, &after);
            there_and_back(&VecDeque::from(before.clone()), &VecDeque::from(after.clone()));
            there_and_back(&grown(&before, false), &grown(&after, true));
        }
    }

    #[test]
    fn what_is_alike_is_not_kept() {
        assert!(difference(&vec![1, 2, 3], &vec![1, 2, 3]).is_none());
        let gone = difference(&vec![1, 2, 3], &vec![1, 3]);
        assert!(matches!(gone, Some(super::Was::Stretch { at: 1, now: 0, old }) if old == [2]));
    }
}
