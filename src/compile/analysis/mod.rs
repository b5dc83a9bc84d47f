//! What compiled parts read: found once, so that the engine looks again only at what has changed, and keeps only what somebody asks for.

pub(in crate::compile) mod mentions;
pub(in crate::compile) mod reads;
pub(in crate::compile) mod witnessed;
