//! Decides whether the body of an option can be carried out.
//!
//! There are two ways. A *guard* walks through the body and only reads. It answers yes, no, or that it cannot tell. A *trial run*
//! (`attempt.rs`) carries the body out on a copy of the state. It is slow. It is used only if a guard cannot tell, and no earlier trial
//! run with the same *footprint* is remembered. [`sure`] knows the statements after which nothing can fail any more, so both may stop
//! there.
//!
//! The possible arguments of an option are in `options.rs`, the question itself in `offer.rs`.
//!
//! An option is a verb, so effects can forbid, replace, watch and perform it without further words of the language. An offer is one
//! question: its answers are options together with their arguments. If the arguments were asked for in a second question, that question
//! could turn out to have no answer. If there are too many ways for one list, the body of the option asks for the rest.
//!
//! | file | does |
//! | --- | --- |
//! | `attempt.rs` | attempts, which are carried out in full or undone |
//! | `bases.rs` | keeps the base sets of options from one offer to the next |
//! | `cache.rs` | keeps what was found out while one offer is listed |
//! | `explain.rs` | says of each option, before any game, whether a guard can decide it by reading, or whether it has to be tried |
//! | `footprint.rs` | remembers results of trial runs with everything that they depended on |
//! | `guard.rs` | guards: decide whether an option's body can be carried out |
//! | `offer.rs` | offers: finds the ways to act that a player has now |
//! | `options.rs` | finds the ways in which a player may take an option |
//! | `reads.rs` | finds what statements and expressions read, and which actions may be prevented |
//! | `source.rs` | offers as sources: whether there are ways to act, one of them at random, or all of them |
//! | `sure.rs` | finds the statements after which nothing can fail any more |

pub(crate) mod attempt;
pub mod bases;
pub mod cache;
pub mod explain;
pub mod footprint;
pub mod guard;
pub(crate) mod offer;
pub(crate) mod options;
pub mod reads;
pub mod source;
pub mod sure;
