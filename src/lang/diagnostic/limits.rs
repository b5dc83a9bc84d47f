//! Limits of the reports shown, with the reason for each limit.

/// The most findings that a command shows at once; it also shows the number of the others. A person corrects the first ones and runs the
/// command again. Otherwise a file in a wrong format could fill the screen for minutes.
pub const MOST_SHOWN: usize = 100;
