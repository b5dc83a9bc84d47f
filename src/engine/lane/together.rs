//! Locksteps in the lane: whether running the members one after the other has the same result as running them together.

use super::{HISTORY, Lane, Unfit};

/// What the members of one lockstep have read and written so far.
#[derive(Debug)]
pub struct Together {
    reads: u64,
    writes: u64,
    /// For the stretch around the lockstep: what it read, what it wrote, its number of changes.
    outer: (u64, u64, u32),
    /// Whether no call or lockstep is around it. Otherwise recorded events do not fit, because their order is not known.
    outermost: bool,
}

impl Together {
    /// Begins a lockstep. No member has run yet.
    pub fn begin(lane: &Lane, outermost: bool) -> Result<Self, Unfit> {
        if !outermost && lane.has_loose_events() {
            return Err(Unfit);
        }
        Ok(Together { reads: 0, writes: 0, outer: (lane.reads.get(), lane.writes, lane.round), outermost })
    }

    /// Called when a member has run. It does not fit if it read or wrote what an earlier member wrote, or wrote what an earlier member
    /// read.
    pub fn member_ended(&mut self, lane: &Lane) -> Result<(), Unfit> {
        let (reads, writes) = (lane.reads.get(), lane.writes);
        let meet = writes & (self.reads | self.writes) | reads & self.writes;
        self.reads |= reads;
        self.writes |= writes;
        // The members' events may come in another order. The order is corrected at the end, but until then no member may read history.
        if meet & !HISTORY != 0 || self.reads & self.writes & HISTORY != 0 { Err(Unfit) } else { Ok(()) }
    }

    /// Whether no call or lockstep is around it.
    #[must_use]
    pub fn is_outermost(&self) -> bool {
        self.outermost
    }

    /// Called when all members have run.
    pub fn end(&self, lane: &mut Lane) -> Result<(), Unfit> {
        if !self.outermost && lane.has_loose_events() {
            return Err(Unfit);
        }
        let (reads, writes, round) = self.outer;
        lane.reads.set(reads | self.reads);
        lane.writes = writes | self.writes;
        lane.round = round;
        Ok(())
    }
}
