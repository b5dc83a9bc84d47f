//! The program's allocator, and a count of the memory blocks taken from it.

use alloc_counter::{AllocCounter, count_alloc};
use mimalloc::MiMalloc;

#[global_allocator]
static MEMORY: AllocCounter<MiMalloc> = AllocCounter(MiMalloc);

/// The number of memory blocks that this thread takes while `does` runs. A block that grows counts as one more.
pub(crate) fn taken(does: impl FnOnce()) -> u64 {
    let ((taken, grown, _), ()) = count_alloc(does);
    (taken + grown) as u64
}

/// The number of memory blocks that this thread takes and does not give back while `does` runs. The number is negative if it gives back more.
#[allow(dead_code, reason = "the benches do not ask")]
pub(crate) fn kept(does: impl FnOnce()) -> i64 {
    let ((taken, _, given_back), ()) = count_alloc(does);
    taken as i64 - given_back as i64
}
