//! Choices: asking a player, which answers are legal, and going on with the answer.
//!
//! `asking` is the way in. `joint` decides conditions on an answer as a whole; `numbers` are questions about a range of numbers; `forced`
//! finds choices that lead nowhere; `unchoosable` are cards that effects cannot choose.
//! Which ways to act a player has is another question: [`super::legal`].

pub(in crate::engine) mod answer;
pub(in crate::engine) mod asking;
pub(in crate::engine) mod forced;
pub mod joint;
pub(in crate::engine) mod numbers;
pub(in crate::engine) mod unchoosable;
