//! The engine: a compiled program, a state, and the machine that leads from one state to the next.
//!
//! Input: a [`program::Program`] and answers. Output: decisions, events and a verdict. The engine knows no files, no paths, no syntax tree,
//! no comparisons of strings, and no word of a game.
//!
//! | folder | does |
//! | --- | --- |
//! | `program/` | the compiled game |
//! | `plan/` | facts about a game that are known before it is played |
//! | `state/` | a game at one moment |
//! | `machine/` | a program, a state, and the way from decision to decision |
//! | `run/` | carries out statements |
//! | `eval/` | expressions |
//! | `actions/` | actions, from their arguments to their events |
//! | `effects/` | continuous effects |
//! | `abilities/` | abilities that wait |
//! | `costs/` | costs |
//! | `choices/` | questions and answers |
//! | `legal/` | the possible actions of a player |
//! | `visibility/` | what each player sees |
//! | `steps/` | reports of each step to an onlooker |
//! | `why/` | the facts behind a value, an action, an event |
//! | `ids.rs`, `value.rs` | numbers of things, and values of eight bytes |
//! | `bits.rs` | sets in one word: what is read and what is written, zones, and lives of cards |
//! | `short_ways.rs` | counts how often the engine takes each of its short ways |
//! | `fault.rs` | what the engine holds to be impossible, and finds nevertheless |
//! | `limits.rs`, `random.rs` | limits with their reasons, and random numbers |

pub mod abilities;
pub mod actions;
pub mod bits;
pub mod choices;
pub mod costs;
mod effects;
pub mod eval;
pub mod fault;
pub mod ids;
pub mod legal;
pub mod limits;
pub mod machine;
pub mod plan;
pub mod program;
pub mod random;
pub mod run;
pub mod short_ways;
pub mod state;
pub mod steps;
pub mod value;
pub mod visibility;
pub mod why;

pub use effects::keep;
