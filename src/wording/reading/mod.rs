//! From a printed text to its phrases: lines, signs, the chart of all readings and their meanings.

pub(super) mod chart;
pub(super) mod firsts;
pub(super) mod fold;
pub(super) mod forest;
pub(super) mod lines;
pub(super) mod remarks;
pub(super) mod states;
