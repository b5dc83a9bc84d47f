//! `given`: the position from which a scenario's game goes on, with the effects and abilities in it.

pub(super) mod effects;
pub(super) mod lots;
pub(super) mod musts;
pub(super) mod setup;
pub(super) mod waiting;
