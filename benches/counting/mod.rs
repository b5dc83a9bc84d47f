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
