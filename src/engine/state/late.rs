//! What a trial run has not settled: the row of parts is brought up to date when somebody reads it, and most trial runs end before that.

use super::effects::Part;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// Settling that is put off. It says nothing that the state does not say: two states differ by none of it.
#[derive(Debug, Default)]
pub struct Late {
    /// What was changed since (bits of `lane::spot`); none where nothing was put off.
    touched: Option<u64>,
    /// The row up to date, once it has been read.
    row: OnceLock<Vec<Part>>,
}

impl Late {
    /// Puts settling off after a change of what these bits mean.
    pub fn put_off(&mut self, touched: u64) {
        self.touched = Some(self.touched.unwrap_or(0) | touched);
        self.row = OnceLock::new();
    }

    /// What was changed since settling was put off, where it was.
    #[must_use]
    pub fn touched(&self) -> Option<u64> {
        self.touched
    }

    /// The row up to date; made when it is first asked for.
    pub fn row(&self, settled: impl FnOnce() -> Vec<Part>) -> &[Part] {
        self.row.get_or_init(settled)
    }
}

impl Clone for Late {
    fn clone(&self) -> Self {
        Late { touched: self.touched, row: OnceLock::new() }
    }
}

impl PartialEq for Late {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Late {}

impl Hash for Late {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
