//! The time that this thread has had on a core: other programs on the machine do not count.

use cpu_time::ThreadTime;
use std::time::Duration;

/// How much so far.
#[must_use]
pub fn now() -> Duration {
    ThreadTime::now().as_duration()
}

/// How long something takes.
pub fn timed(does: impl FnOnce()) -> Duration {
    let begin = now();
    does();
    now() - begin
}

/// The best of some times, in nanoseconds: the others were slowed by something else.
pub fn best_of(times: usize, mut measure: impl FnMut() -> Duration) -> f64 {
    (0..times).map(|_| measure()).min().unwrap_or_default().as_secs_f64() * 1e9
}
