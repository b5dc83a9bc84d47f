//! Locksteps in the lane: whether its members, one after the other, come to what they would have come to together.

use super::{HISTORY, Lane, Unfit};

/// What the members of one lockstep have read and changed so far.
#[derive(Debug)]
pub struct Together {
    reads: u64,
    writes: u64,
    /// What the stretch around it had: places read and written, its round.
    outer: (u64, u64, u32),
    /// No call or lockstep is around it. Else events that are kept come in no order that the rounds tell.
    outermost: bool,
}

impl Together {
    /// None has run.
    pub fn begin(lane: &Lane, outermost: bool) -> Result<Self, Unfit> {
        if !outermost && lane.has_loose_events() {
            return Err(Unfit);
        }
        Ok(Together { reads: 0, writes: 0, outer: (lane.reads.get(), lane.writes, lane.round), outermost })
    }

    /// One has run: it must not have met those before it.
    pub fn member_ended(&mut self, lane: &Lane) -> Result<(), Unfit> {
        let (reads, writes) = (lane.reads.get(), lane.writes);
        let meet = writes & (self.reads | self.writes) | reads & self.writes;
        self.reads |= reads;
        self.writes |= writes;
        // Events only come in another order, which is mended at the end, unless somebody asks for them meanwhile.
        if meet & !HISTORY != 0 || self.reads & self.writes & HISTORY != 0 { Err(Unfit) } else { Ok(()) }
    }

    /// No call or lockstep is around it.
    #[must_use]
    pub fn is_outermost(&self) -> bool {
        self.outermost
    }

    /// All have run.
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
