//! What compiled parts read: found once, so that the engine looks again only at what has changed, and keeps only what somebody asks for.
//!
//! | file | does |
//! | --- | --- |
//! | `mentions.rs` | finds the names that a block, a clause or an expression mentions |
//! | `reads.rs` | finds what a clause reads to know which cards it applies to, and by how much |
//! | `witnessed.rs` | finds the events whose cards must be kept as they were |

pub(crate) mod mentions;
pub(crate) mod reads;
pub(crate) mod witnessed;
