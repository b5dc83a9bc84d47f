//! Parts of a state whose readings are noted ([`super::readings`]): columns, noted member by member, and values, noted as a whole.

use super::readings;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// A sequence whose readings are noted, for one part of the state. `get` and `get_mut` note one member. All methods of [`Vec`] are there
/// too, and note the whole column.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Column<T, const PART: u8>(Vec<T>);

impl<T, const PART: u8> Column<T, PART> {
    /// The member at an index.
    #[must_use]
    #[inline]
    pub fn get(&self, at: usize) -> Option<&T> {
        readings::note(PART, at);
        self.0.get(at)
    }

    /// The member at an index, for changing it.
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        readings::note(PART, at);
        self.0.get_mut(at)
    }

    /// Members that follow one another. None if there are not as many.
    #[must_use]
    pub fn row(&self, start: usize, len: usize) -> Option<&[T]> {
        if readings::are_noted() {
            (start..start + len).for_each(|at| readings::note(PART, at));
        }
        self.0.get(start..start + len)
    }

    /// The number of members.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        readings::note_length(PART);
        self.0.len()
    }

    /// Whether there are no members.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All members, without noting that they are read. Only for copies, and for values that are computed again from what is noted.
    #[must_use]
    #[inline]
    pub(crate) fn unnoted(&self) -> &Vec<T> {
        &self.0
    }

    /// All members for changing them, without noting that they are read. See [`Column::unnoted`].
    #[must_use]
    #[inline]
    pub(crate) fn unnoted_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T, const PART: u8> Deref for Column<T, PART> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        readings::note_whole(PART);
        &self.0
    }
}

impl<T, const PART: u8> DerefMut for Column<T, PART> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        readings::note_whole(PART);
        &mut self.0
    }
}

impl<'c, T, const PART: u8> IntoIterator for &'c Column<T, PART> {
    type Item = &'c T;
    type IntoIter = std::slice::Iter<'c, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T, const PART: u8> From<Vec<T>> for Column<T, PART> {
    fn from(members: Vec<T>) -> Self {
        Self(members)
    }
}

impl<T, const PART: u8> Default for Column<T, PART> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone, const PART: u8> Clone for Column<T, PART> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, of: &Self) {
        self.0.clone_from(&of.0);
    }
}

impl<T: PartialEq, const PART: u8> PartialEq for Column<T, PART> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const PART: u8> Eq for Column<T, PART> {}

impl<T: Hash, const PART: u8> Hash for Column<T, PART> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (**self).hash(hasher);
    }
}

/// A value of which every reading is noted as a whole, for one part of the state.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Noted<T, const PART: u8>(T);

impl<T, const PART: u8> Noted<T, PART> {
    /// The value, without noting that it is read. Only for copies, and if the code around it notes what it reads.
    #[must_use]
    #[inline]
    pub(crate) fn unnoted(&self) -> &T {
        &self.0
    }

    /// The value for changing it, without noting that it is read. See [`Noted::unnoted`].
    #[must_use]
    #[inline]
    pub(crate) fn unnoted_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T, const PART: u8> Deref for Noted<T, PART> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        readings::note_whole(PART);
        &self.0
    }
}

impl<T, const PART: u8> DerefMut for Noted<T, PART> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        readings::note_whole(PART);
        &mut self.0
    }
}

impl<T: Clone, const PART: u8> Clone for Noted<T, PART> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, of: &Self) {
        self.0.clone_from(&of.0);
    }
}

impl<T: PartialEq, const PART: u8> PartialEq for Noted<T, PART> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const PART: u8> Eq for Noted<T, PART> {}

impl<T: Hash, const PART: u8> Hash for Noted<T, PART> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (**self).hash(hasher);
    }
}
