//! Sets of members of a choice's domain, and sets of numbers that a count may have.

use smallvec::{SmallVec, smallvec};

/// A set of members of a choice's domain, by position.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Members(SmallVec<[u64; 2]>);

impl Members {
    /// The empty set, for a domain of this many members.
    #[must_use]
    pub(super) fn none(len: usize) -> Self {
        Members(smallvec![0; len.div_ceil(64)])
    }

    /// All members of the domain.
    #[must_use]
    pub(super) fn all(len: usize) -> Self {
        (0..len).fold(Members::none(len), |all, member| all.with(member))
    }

    /// The set with one more member.
    #[must_use]
    pub(super) fn with(mut self, member: usize) -> Self {
        self.insert(member);
        self
    }

    /// Adds a member.
    pub(super) fn insert(&mut self, member: usize) {
        if let Some(word) = self.0.get_mut(member / 64) {
            *word |= 1 << (member % 64);
        }
    }

    /// Whether this is a member.
    #[must_use]
    pub(super) fn has(&self, member: usize) -> bool {
        self.0.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
    }

    /// The number of members.
    #[must_use]
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no member.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether every member is a member of the other set.
    #[must_use]
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether the sets have a common member.
    #[must_use]
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The number of common members.
    #[must_use]
    pub(super) fn common(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Members of this set or the other one.
    #[must_use]
    pub(super) fn or(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// Members of this set and the other one.
    #[must_use]
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        self
    }

    /// Members of this set that are not in the other one.
    #[must_use]
    pub(super) fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// The first member.
    #[must_use]
    pub(super) fn first(&self) -> Option<usize> {
        let (at, word) = self.0.iter().enumerate().find(|(_, word)| **word != 0)?;
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    /// The empty set of the same domain.
    #[must_use]
    pub(super) fn emptied(&self) -> Self {
        Members(smallvec![0; self.0.len()])
    }

    /// The members in rising order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    at * 64 + bit
                })
            })
        })
    }
}

/// The numbers that a count may have: ranges in rising order, with gaps between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Allowed(SmallVec<[(usize, usize); 2]>);

impl Allowed {
    /// The numbers from `least` to `most`.
    #[must_use]
    pub(super) fn range(least: usize, most: usize) -> Self {
        Allowed(if least <= most { smallvec![(least, most)] } else { SmallVec::new() })
    }

    /// The numbers up to `most` for which the test is true.
    #[must_use]
    pub(super) fn those(most: usize, test: impl Fn(usize) -> bool) -> Self {
        let mut ranges: SmallVec<[(usize, usize); 2]> = SmallVec::new();
        for number in (0..=most).filter(|number| test(*number)) {
            match ranges.last_mut().filter(|(_, last)| *last + 1 == number) {
                Some((_, last)) => *last = number,
                None => ranges.push((number, number)),
            }
        }
        Allowed(ranges)
    }

    /// Whether the number is allowed.
    #[must_use]
    pub(super) fn has(&self, number: usize) -> bool {
        self.0.iter().any(|(least, most)| (*least..=*most).contains(&number))
    }

    /// The least and the greatest number that is allowed. None if no number is allowed.
    #[must_use]
    pub(super) fn ends(&self) -> Option<(usize, usize)> {
        Some((self.0.first()?.0, self.0.last()?.1))
    }

    /// Whether these are the numbers from `least` to `most`.
    #[must_use]
    pub(super) fn is(&self, least: usize, most: usize) -> bool {
        self.0.as_slice() == [(least, most)]
    }
}
