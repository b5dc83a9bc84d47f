//! The time that this thread has spent on a core. Other programs on the machine do not count.

use cpu_time::ThreadTime;
use std::time::Duration;

/// The time so far.
#[must_use]
pub(crate) fn now() -> Duration {
    ThreadTime::now().as_duration()
}

/// The time that `does` takes.
pub(crate) fn timed(does: impl FnOnce()) -> Duration {
    let begin = now();
    does();
    now() - begin
}

/// The best of several times, in nanoseconds. Something else has slowed the others.
pub(crate) fn best_of(times: usize, mut measure: impl FnMut() -> Duration) -> f64 {
    (0..times).map(|_| measure()).min().unwrap_or_default().as_secs_f64() * 1e9
}
