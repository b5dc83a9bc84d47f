//! Where the flow has been, for rules that ask `been_here` (see `engine/run/circles.rs`).

use super::Fingerprint;
use crate::engine::ids::Pc;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The positions in which statements asked `been_here`, since the last decision that counts and the last random number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Been {
    /// The next random number at that time. Another number now means that chance has been used since.
    pub chance: u64,
    /// The statements, each with the position.
    pub seen: BTreeSet<(u32, Fingerprint)>,
}

/// A position in which a call that is not over asked `been_here`, as the call sees it: without the calls around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BeenInCall {
    /// The number of calls up to this one.
    pub frames: u16,
    /// The statement.
    pub pc: Pc,
    /// The position.
    pub seen: Fingerprint,
    /// The next random number at that time.
    pub chance: u64,
}
