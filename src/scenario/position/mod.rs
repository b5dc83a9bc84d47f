//! `given`: the position from which a scenario's game goes on, with the effects and abilities in it.
//!
//! | file | does |
//! | --- | --- |
//! | `effects.rs` | effects in force in a position |
//! | `lots.rs` | checks fixed random results |
//! | `musts.rs` | conditions that every position must fulfil |
//! | `setup.rs` | puts the position of `given` together |
//! | `waiting.rs` | abilities that wait in a position |

pub(super) mod effects;
pub(super) mod lots;
pub(super) mod musts;
pub(super) mod setup;
pub(super) mod waiting;
