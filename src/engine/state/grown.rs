//! A sequence that only grows and is copied often. Copies share its sealed part.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// At most this many members stay unsealed; a copy copies them.
const LOOSE: usize = 64;

/// A sequence that only grows. Comparison, hash and save see only its members.
#[derive(Debug)]
pub struct Grown<T> {
    sealed: Arc<Vec<T>>,
    loose: Vec<T>,
}

impl<T: Clone> Grown<T> {
    /// The number of members.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.sealed.len() + self.loose.len()
    }

    /// Whether there are no members.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The member at an index.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.sealed.get(at).or_else(|| self.loose.get(at.checked_sub(self.sealed.len())?))
    }

    /// The members, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.sealed.iter().chain(&self.loose)
    }

    /// The members from an index on, each with its index, oldest first.
    pub fn since(&self, from: usize) -> impl DoubleEndedIterator<Item = (usize, &T)> {
        (from..self.len()).filter_map(|at| Some((at, self.get(at)?)))
    }

    /// Adds a member.
    #[inline]
    pub fn push(&mut self, member: T) {
        self.loose.push(member);
    }

    /// Keeps only the first `len` members.
    pub fn truncate(&mut self, len: usize) {
        self.loose.truncate(len.saturating_sub(self.sealed.len()));
        if len < self.sealed.len() {
            Arc::make_mut(&mut self.sealed).truncate(len);
        }
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.loose.clear();
        if !self.sealed.is_empty() {
            self.sealed = Arc::default();
        }
    }

    /// Seals the members, so that later copies are cheap. If copies still share the sealed part, the whole part is copied here.
    pub fn seal(&mut self) {
        if self.loose.len() >= LOOSE {
            Arc::make_mut(&mut self.sealed).append(&mut self.loose);
        }
    }
}

impl<T> Default for Grown<T> {
    fn default() -> Self {
        Self { sealed: Arc::default(), loose: Vec::new() }
    }
}

impl<T: Clone> Clone for Grown<T> {
    fn clone(&self) -> Self {
        Self { sealed: Arc::clone(&self.sealed), loose: self.loose.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.sealed, &other.sealed) {
            self.sealed = Arc::clone(&other.sealed);
        }
        self.loose.clone_from(&other.loose);
    }
}

impl<T: Clone + PartialEq> PartialEq for Grown<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Clone + Eq> Eq for Grown<T> {}

impl<T: Clone + Hash> Hash for Grown<T> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.len().hash(hasher);
        self.iter().for_each(|member| member.hash(hasher));
    }
}

impl<T: Clone + Serialize> Serialize for Grown<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Grown<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(|loose| Self { sealed: Arc::default(), loose })
    }
}

#[cfg(test)]
mod tests {
    use super::{Grown, LOOSE};

    #[test]
    fn what_is_sealed_is_shared_and_says_the_same() {
        let mut one = Grown::default();
        (0..LOOSE + 5).for_each(|member| one.push(member));
        let before = one.clone();
        one.seal();
        assert_eq!(one, before);
        assert_eq!(one.since(LOOSE + 3).map(|(at, member)| (at, *member)).collect::<Vec<_>>(), [(67, 67), (68, 68)]);
        let copy = one.clone();
        one.push(7);
        assert_eq!((copy.len(), one.len(), one.get(LOOSE + 5)), (LOOSE + 5, LOOSE + 6, Some(&7)));
        assert_eq!(one.iter().rev().nth(1), Some(&(LOOSE + 4)));
    }
}
