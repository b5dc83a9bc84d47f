//! Walks a script and changes it in place. Weaving, binding and comparing share this code.
//!
//! Input: any part of a script and a [`Rewriter`]. Every node is visited once, parents before children unless the rewriter decides
//! otherwise. The rewriter alone decides what becomes of a node.

super::walks::walks!(Rewriter, &mut);
