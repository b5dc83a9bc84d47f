//! For trial runs: the row of parts is updated only when somebody reads it. Most trial runs end before that.

use super::effects::Part;
use crate::engine::state::memory::memory;
use std::sync::OnceLock;

/// Postponed work on the row of parts. It is no part of the state: states that differ only in it are equal.
#[derive(Debug, Default)]
pub struct Late {
    /// The places and states that changed after the work was postponed, as bits of `read_bits::place_bit`. `None`: nothing is postponed.
    touched: Option<u64>,
    /// The updated row, after it was read.
    row: OnceLock<Vec<Part>>,
}

impl Late {
    /// Postpones the work after a change; `touched` says what changed.
    pub fn put_off(&mut self, touched: u64) {
        self.touched = Some(self.touched.unwrap_or(0) | touched);
        self.row = OnceLock::new();
    }

    /// The places and states that changed after the work was postponed. `None`: nothing is postponed.
    #[must_use]
    pub fn touched(&self) -> Option<u64> {
        self.touched
    }

    /// The updated row. It is computed at the first call.
    pub fn row(&self, settled: impl FnOnce() -> Vec<Part>) -> &[Part] {
        self.row.get_or_init(settled)
    }
}

impl Clone for Late {
    fn clone(&self) -> Self {
        Late { touched: self.touched, row: OnceLock::new() }
    }
}

memory!(Late);
