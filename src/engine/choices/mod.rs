//! Choices: asking a player, deciding which answers are legal, and going on with the answer.
//!
//! `asking` is the way in: it makes a question. `opening` says which questions are answered now, and `resuming` goes on with the answers.
//! `joint` decides conditions on an answer as a whole. `numbers` holds questions about a range of numbers. `forced` finds choices that lead
//! nowhere. `unchoosable` finds cards that effects cannot choose. The ways to act of a player are in [`super::legal`].
//!
//! An answer is a set of positions in the list of possible answers (the domain). It is checked without building sets, and it also suits a
//! blind choice, where the player knows nothing but positions.
//!
//! | file | does |
//! | --- | --- |
//! | `answer.rs` | answers: decides whether an answer is legal, and why not |
//! | `asking.rs` | asks: turns a `choose`, a `may` or a replacement into a question |
//! | `forced.rs` | choices that must be made and lead nowhere |
//! | `joint.rs` | joint conditions: conditions that an answer has to satisfy as a whole (`choose x: … together CONDITION`) |
//! | `numbers.rs` | numbers that are named: a question about a range accepts any number of the range, listed or not |
//! | `opening.rs` | opens questions: decides which questions of the branches are answered now, and what happens if no branch asks |
//! | `resuming.rs` | goes on with answers, and tells onlookers about them |
//! | `shown.rs` | shown members, which a chooser who may fail to find cannot leave out |
//! | `unchoosable.rs` | cards that effects cannot choose: `shield X from choices` (docs/kernel/choices.md) |

pub(crate) mod answer;
pub(crate) mod asking;
pub(crate) mod forced;
pub mod joint;
pub(crate) mod numbers;
pub(crate) mod opening;
pub(crate) mod resuming;
pub mod shown;
pub(crate) mod unchoosable;
