//! What is wrong with a scenario before it runs: unknown names and values, wrong types, rules that nothing carries out.
//!
//! | file | does |
//! | --- | --- |
//! | `citations.rs` | the citations in a source |
//! | `conditions.rs` | what does not fit in expectations |
//! | `header.rs` | checks the rules in a scenario's header |
//! | `names.rs` | names that nothing declares |
//! | `values.rs` | written values that can stand for nothing |

pub mod citations;
pub(super) mod conditions;
pub(super) mod header;
pub(super) mod names;
pub(super) mod values;
