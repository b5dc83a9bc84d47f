//! Games that designers wrote from the documents alone. Each test shows something that its designer missed: a message, a warning, a line
//! of the table.
//!
//! | file | the game |
//! | --- | --- |
//! | `lands_and_spells.rs` | lands and spells, a stack, combat (tests/fixtures/sansui) |
//! | `stage.rs` | a small game whose rules, texts and rulings are broken in one place each (tests/fixtures/butai) |
//! | `wells_and_lanes.rs` | a duel with wells and lanes |
//! | `ships_and_markets.rs` | ships and markets |
//! | `nine_shrines.rs` | a board of nine shrines (tests/fixtures/yashiro) |
//! | `two_lanes.rs` | two lanes, effects in layers (tests/fixtures/nido) |
//! | `four_captains.rs` | four captains, changes at one time, the end of games |
//! | `night_watch.rs` | a night watch and four winds (tests/fixtures/night_watch) |

mod four_captains;
mod lands_and_spells;
mod night_watch;
mod nine_shrines;
mod ships_and_markets;
mod stage;
mod two_lanes;
mod wells_and_lanes;
