//! Abilities and cards: kinds of abilities with their slots, clauses of continuous effects, costs, and the cards of a pool.
//!
//! | file | does |
//! | --- | --- |
//! | `ability.rs` | compiles abilities of cards |
//! | `card.rs` | adds cards of the pool: printed values in one table, abilities, limits for the deck check |
//! | `clause.rs` | compiles clauses of continuous effects, static or lasting |
//! | `cost.rs` | compiles costs: lists of actions, each with an amount that prices change; paying; the amounts due |
//! | `granting.rs` | compiles keywords, and clauses that give cards abilities, values, permissions and demands, or take them away |
//! | `idle_cost_parts.rs` | parts of costs that would change nothing |
//! | `paying.rs` | makes the routine that pays a cost |
//! | `scripts.rs` | checks the names in the scripts of templates: each action, function and field must be declared |
//! | `slot.rs` | compiles slots of abilities |
//! | `waiting.rs` | what a position can give to a waiting ability: the names that its event bound, and its slots |

pub(crate) mod ability;
pub(crate) mod card;
pub(crate) mod clause;
pub(crate) mod cost;
pub(crate) mod granting;
pub(crate) mod idle_cost_parts;
pub(crate) mod paying;
pub(crate) mod scripts;
pub(crate) mod slot;
pub(crate) mod waiting;
