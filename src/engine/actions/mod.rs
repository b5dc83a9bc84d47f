//! Actions: from the arguments of an action to its changes and its event.
//!
//! An action is checked, perhaps forbidden or replaced, carried out alone or in a batch with others, and told as an event
//! (docs/kernel/actions.md).
//!
//! Questions to players are in [`super::choices`].
//!
//! | file | does |
//! | --- | --- |
//! | `perform.rs` | the way in: the steps of every action (docs/kernel/actions.md), from its arguments to its event |
//! | `builtin.rs` | the engine's own actions: leaves out things that the action cannot be done to |
//! | `control.rs` | who controls a card that has moved |
//! | `deciding.rs` | decides what happens to an action that an effect in force watches |
//! | `own_moves.rs` | actions that are their moves: to which cards they have happened |
//! | `replacements.rs` | asks whether an effect replaces an action |
//! | `shared_replacements.rs` | one `next time instead of` effect that could replace several events of one step |
//! | `failed_replacements.rs` | replacements that are attempts |
//! | `touched.rs` | the spots that a change touches, for settling effects |
//! | `change.rs` | makes a change of the board or of effects, alone or in the batch of a lockstep |
//! | `lasting.rs` | effects begin, and the cards to which effects apply are found after a change |
//! | `piles.rs` | turns cards, shuffles, puts cards into an order |
//! | `states.rs` | sets states |
//! | `batch.rs` | the changes that the branches of a lockstep make together |
//! | `contested.rs` | a card, or the top of a zone, that several branches want at the same time |
//! | `moves.rs` | cards leave their places and arrive elsewhere, and the moves are told |
//! | `capacity.rs` | decides which cards of a batch have room in their new place (docs/kernel/simultaneity.md) |
//! | `carried_over.rs` | keeps what lasts when a card moves |
//! | `made_objects.rs` | attaching, making objects, copying, and decisions that another player makes |
//! | `random_results.rs` | `coin()`, `die(…)`, `pick(…)` |

pub(crate) mod batch;
pub(crate) mod builtin;
pub(crate) mod capacity;
pub(crate) mod carried_over;
pub(crate) mod change;
pub(crate) mod contested;
pub(crate) mod control;
pub(crate) mod deciding;
pub(crate) mod failed_replacements;
pub(crate) mod lasting;
pub(crate) mod made_objects;
pub(crate) mod moves;
pub(crate) mod own_moves;
pub(crate) mod perform;
pub(crate) mod piles;
pub(crate) mod random_results;
pub(crate) mod replacements;
pub(crate) mod shared_replacements;
pub(crate) mod states;
pub(crate) mod touched;
