//! A part that copies share until one of them changes it.
//!
//! A compiled game is copied for every scenario that adds cards or expectations to it; most of the game stays unchanged. Use it only for
//! parts that nobody reads while a game runs, because reading goes through one more pointer.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A part that copies share until one of them changes it.
#[derive(Debug, Default)]
pub struct Shared<T>(Arc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> From<T> for Shared<T> {
    fn from(whole: T) -> Self {
        Self(Arc::new(whole))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// Changing the part gives the changing copy a part of its own.
impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Shared;

    #[test]
    fn a_change_is_seen_in_no_other_copy() {
        let mut first = Shared::from(vec![1, 2]);
        let second = first.clone();
        assert!(std::ptr::eq(&raw const *first, &raw const *second));
        first.push(3);
        assert_eq!((first.as_slice(), second.as_slice()), ([1, 2, 3].as_slice(), [1, 2].as_slice()));
    }
}
