//! From phrases to one script: holes are filled, references are bound, scripts are compared.
//!
//! | file | does |
//! | --- | --- |
//! | `alike.rs` | compares abilities without the names of their locals |
//! | `apart.rs` | lets a condition about several things decide about each of them |
//! | `bare.rs` | removes everything from a script that does not change its meaning |
//! | `bind.rs` | binds references to earlier phrases |
//! | `follow.rs` | moves `if done` to the sentence that it depends on |
//! | `sayings.rs` | calls that only wordings have (`holds`, `whose` and others) |
//! | `size.rs` | counts the parts of a script, and refuses scripts that are too large |
//! | `weave.rs` | fills a template's script |

pub(super) mod alike;
pub(super) mod apart;
pub(super) mod bare;
pub(super) mod bind;
pub(super) mod follow;
pub(super) mod sayings;
pub(super) mod size;
pub(super) mod weave;
