//! Where the flow has been, for rules that ask `been_here` (see `engine/run/circles.rs`).

use super::Fingerprint;
use crate::ids::Pc;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The positions in which statements asked `been_here`, since the last decision that counts and the last random number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Been {
    /// The next random number at that time. Another number now means that chance has been used since.
    pub chance: u64,
    /// The statements, each with the position.
    pub seen: BTreeSet<(u32, Fingerprint)>,
    /// The statements, each with the position as the cards lay, and how often it came back so.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub lying: BTreeSet<(u32, Fingerprint, u16)>,
}

impl Been {
    /// Notes a position as the cards lie. Returns how often it came back at this statement.
    pub(crate) fn came_back(&mut self, pc: Pc, lies: Fingerprint) -> u16 {
        let before = self.lying.range((pc.0, lies, 0)..=(pc.0, lies, u16::MAX)).next().copied();
        let times = before.map_or(0, |(.., times)| times.saturating_add(1));
        if let Some(before) = before {
            self.lying.remove(&before);
        }
        self.lying.insert((pc.0, lies, times));
        times
    }
}

/// A position in which a call that is not over asked `been_here`, as the call sees it: without the calls around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
