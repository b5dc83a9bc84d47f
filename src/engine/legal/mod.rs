//! Decides whether the body of an option can be carried out.
//!
//! There are two ways. A *guard* walks through the body and only reads. It answers yes, no, or that it cannot tell. A *trial run*
//! (`attempt.rs`) carries the body out on a copy of the state. It is slow, and is used only if a guard cannot tell. [`sure`] knows the
//! statements after which nothing can fail any more, so both may stop there.
//!
//! The possible arguments of an option are in `options.rs`, the question itself in `offer.rs`.

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
