//! Findings about texts that cannot be read: where reading stops, and what may have been meant.
//!
//! | file | does |
//! | --- | --- |
//! | `meant.rs` | the nearest text that can be read |
//! | `report.rs` | the error for a text that cannot be read |
//! | `stuck.rs` | why a text cannot be read further |

pub(super) mod meant;
pub(super) mod report;
pub(super) mod stuck;
