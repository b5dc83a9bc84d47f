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

pub(in crate::compile) mod action;
pub(in crate::compile) mod announced;
mod asking_circles;
pub(in crate::compile) mod base_sets;
pub(in crate::compile) mod bodies;
pub(in crate::compile) mod body;
pub(in crate::compile) mod control;
pub(in crate::compile) mod option;
pub(in crate::compile) mod rule;
pub(in crate::compile) mod statement;
pub(in crate::compile) mod stretches;
