//! Choices: asking a player, deciding which answers are legal, and going on with the answer.
//!
//! `asking` is the way in: it makes a question. `opening` says which questions are answered now, and `resuming` goes on with the answers.
//! `joint` decides conditions on an answer as a whole. `numbers` holds questions about a range of numbers. `forced` finds choices that lead
//! nowhere. `unchoosable` finds cards that effects cannot choose. The ways to act of a player are in [`super::legal`].

pub(in crate::engine) mod answer;
pub(in crate::engine) mod asking;
pub(in crate::engine) mod forced;
pub mod joint;
pub(in crate::engine) mod numbers;
pub(in crate::engine) mod opening;
pub(in crate::engine) mod resuming;
pub(in crate::engine) mod unchoosable;
