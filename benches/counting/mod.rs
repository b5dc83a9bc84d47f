//! The program's allocator, and how many blocks of memory were taken from it.

use alloc_counter::{AllocCounter, count_alloc};
use mimalloc::MiMalloc;

#[global_allocator]
static MEMORY: AllocCounter<MiMalloc> = AllocCounter(MiMalloc);

/// Blocks of memory that this thread has taken while something was done; one that grows is one more.
pub fn taken(does: impl FnOnce()) -> u64 {
    let ((taken, grown, _), ()) = count_alloc(does);
    (taken + grown) as u64
}

/// Blocks of memory that this thread has taken while something was done and not given back; less than nothing where it has given back more.
#[allow(dead_code, reason = "the benches do not ask")]
pub fn kept(does: impl FnOnce()) -> i64 {
    let ((taken, _, given_back), ()) = count_alloc(does);
    taken as i64 - given_back as i64
}
