//! Limits of what is shown, with their reasons.

/// The most findings that a command shows at once; it also shows the number of the others. A person mends the first ones and asks again. A
/// file in a wrong format could otherwise fill the screen for minutes.
pub const MOST_SHOWN: usize = 100;
