//! Declarations: gives everything that has a name its number, and reads the declarations without a body: names, labels, policies, layers,
//! the table.
//!
//! `declare` is the first pass. `coherence`, `sizes` and `completion` are the last: they need all declarations together.

pub(in crate::compile) mod coherence;
pub(in crate::compile) mod completion;
pub(in crate::compile) mod declare;
pub(in crate::compile) mod layers;
pub(in crate::compile) mod lookup;
pub(in crate::compile) mod moves;
pub(in crate::compile) mod names;
pub(in crate::compile) mod own_words;
pub(in crate::compile) mod policies;
pub(in crate::compile) mod policy_words;
pub(in crate::compile) mod properties;
pub(in crate::compile) mod sizes;
pub(in crate::compile) mod source_map;
pub(in crate::compile) mod table;
