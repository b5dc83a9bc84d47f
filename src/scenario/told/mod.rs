//! What is told of a run: its steps, its verdict, and a failure in words.

pub(super) mod sayings;
pub mod show;
pub(super) mod situation;
pub(super) mod touched;
pub mod trace;
pub(super) mod verdict;
pub mod words;
