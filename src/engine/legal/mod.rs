//! What a player may do: whether the body of an option can be carried out.
//!
//! Two ways find that out. A *guard* walks through the body and only reads: it says yes, no, or that it cannot tell. A *trial run*
//! (`attempt.rs`) carries the body out on a copy of the state, and is the slow way for what a guard cannot tell. [`sure`] says behind
//! which statements nothing can fail any more, so both may stop there.
//!
//! Deliberately absent: which arguments an option may have (`options.rs`), and the question itself (`offer.rs`).

pub(in crate::engine) mod attempt;
pub mod bases;
pub mod cache;
pub mod explain;
pub mod guard;
pub(in crate::engine) mod offer;
pub(in crate::engine) mod options;
pub mod reads;
pub mod source;
pub mod sure;
