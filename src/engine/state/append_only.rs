//! A sequence that only grows and is copied often. Copies share its sealed part.
//!
//! Who reads a member in a trial run has to note this ([`super::readings`]). The length alone is not noted, because it only gives new members
//! their names.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A sequence that only grows. Comparison, hash and save see only its members.
#[derive(Debug)]
pub struct AppendOnly<T> {
    /// The members that copies share. `None`: there are none, and no memory is taken.
    sealed: Option<Arc<Vec<T>>>,
    loose: Vec<T>,
}

impl<T: Clone> AppendOnly<T> {
    #[inline]
    fn sealed(&self) -> &[T] {
        self.sealed.as_deref().map_or(&[], Vec::as_slice)
    }

    /// The number of members.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.sealed().len() + self.loose.len()
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
        let sealed = self.sealed();
        sealed.get(at).or_else(|| self.loose.get(at.checked_sub(sealed.len())?))
    }

    /// The members, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.sealed().iter().chain(&self.loose)
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
        self.loose.truncate(len.saturating_sub(self.sealed().len()));
        if let Some(sealed) = self.sealed.as_mut().filter(|sealed| len < sealed.len()) {
            Arc::make_mut(sealed).truncate(len);
        }
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.loose.clear();
        self.sealed = None;
    }

    /// The index of the first member for which this is not true, if it is true for all members before it and for none after it.
    pub fn partition_point(&self, is_before: impl Fn(&T) -> bool) -> usize {
        let sealed = self.sealed();
        let at = sealed.partition_point(&is_before);
        if at < sealed.len() { at } else { at + self.loose.partition_point(&is_before) }
    }

    /// Seals the members if `loose` of them are unsealed, so that later copies are cheap. If copies still share the sealed part, the whole
    /// part is copied here.
    pub(crate) fn seal(&mut self, loose: usize) {
        if self.loose.len() >= loose {
            Arc::make_mut(self.sealed.get_or_insert_default()).append(&mut self.loose);
        }
    }
}

impl<T> Default for AppendOnly<T> {
    fn default() -> Self {
        Self { sealed: None, loose: Vec::new() }
    }
}

impl<T: Clone> Clone for AppendOnly<T> {
    fn clone(&self) -> Self {
        Self { sealed: self.sealed.clone(), loose: self.loose.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        let shared = |(one, other): (&Arc<Vec<T>>, &Arc<Vec<T>>)| Arc::ptr_eq(one, other);
        if !self.sealed.as_ref().zip(other.sealed.as_ref()).is_some_and(shared) {
            self.sealed.clone_from(&other.sealed);
        }
        self.loose.clone_from(&other.loose);
    }
}

impl<T: Clone + PartialEq> PartialEq for AppendOnly<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Clone + Eq> Eq for AppendOnly<T> {}

impl<T: Clone + Hash> Hash for AppendOnly<T> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.len().hash(hasher);
        self.iter().for_each(|member| member.hash(hasher));
    }
}

impl<T: Clone + Serialize> Serialize for AppendOnly<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for AppendOnly<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(|loose| Self { sealed: None, loose })
    }
}

#[cfg(test)]
mod tests {
    use super::AppendOnly;

    const LOOSE: usize = 64;

    #[test]
    fn what_is_sealed_is_shared_and_says_the_same() {
        let mut one = AppendOnly::default();
        (0..LOOSE + 5).for_each(|member| one.push(member));
        let before = one.clone();
        one.seal(LOOSE);
        assert_eq!(one, before);
        assert_eq!(one.since(LOOSE + 3).map(|(at, member)| (at, *member)).collect::<Vec<_>>(), [(67, 67), (68, 68)]);
        let copy = one.clone();
        one.push(7);
        assert_eq!((copy.len(), one.len(), one.get(LOOSE + 5)), (LOOSE + 5, LOOSE + 6, Some(&7)));
        assert_eq!(one.iter().rev().nth(1), Some(&(LOOSE + 4)));
    }
}
