//! Limits of what is told, each with its reason.

/// Findings that a command shows at once; it says how many more there are. A person mends the first ones and asks again, and a
/// file that is none at all would fill the screen for minutes.
pub const MOST_SHOWN: usize = 100;
