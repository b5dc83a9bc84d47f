//! Statements: turns the bodies of actions, rules and options into flat code.
//!
//! `bodies` is the second pass of the compiler: it lowers each body, once every name has its number. `body` is one body while it is
//! lowered.
//!
//! | file | does |
//! | --- | --- |
//! | `action.rs` | compiles calls that do something: builtin verbs, declared actions, procedures |
//! | `announced.rs` | compiles `announced up to n` |
//! | `asking_circles.rs` | finds conditions that ask about themselves |
//! | `base_sets.rs` | base sets of options: the candidates for each argument before any argument is chosen |
//! | `bodies.rs` | second pass: lowers bodies, conditions and defaults, once every name has its number |
//! | `body.rs` | one body while it is lowered: its statements so far, its registers, the names in sight, and the edges around it |
//! | `control.rs` | compiles control flow: branching |
//! | `option.rs` | compiles options of players, and offers of options |
//! | `rule.rs` | compiles rules that watch the game, and the sets of rules that the flow applies |
//! | `statement.rs` | compiles statements: assignments, choices, calls and simple statements |
//! | `stretches.rs` | compiles stretches of the flow (`watch`, `during` with roles), and named timings that open windows |

pub(crate) mod action;
pub(crate) mod announced;
mod asking_circles;
pub(crate) mod base_sets;
pub(crate) mod bodies;
pub(crate) mod body;
pub(crate) mod control;
pub(crate) mod option;
pub(crate) mod rule;
pub(crate) mod statement;
pub(crate) mod stretches;
