//! The audit: are the scenarios good enough to notice when the rules are wrong?
//!
//! Takes a loaded game and its suite of scenarios; breaks the rules on purpose, one place at a time ([`Mutant`]), and says which scenarios
//! notice ([`Audit`]); from that, which rules of the rulebook are shown ([`shown`]). Deliberately absent: files, terminals, and any
//! opinion on what the rules should say.

mod break_clause;
mod break_decl;
mod break_expr;
mod break_stmt;
mod breaker;
mod dead;
pub mod edition;
pub mod games;
pub mod imported;
mod kind;
mod marks;
mod mutant;
mod notice;
pub mod numbering;
mod shown;
mod standing;

pub use breaker::{Reach, Site};
pub use dead::{Dead, dead};
pub use kind::Kind;
pub use marks::{Mark, marks};
pub use mutant::{Bench, Mutant};
pub use notice::{Audit, Outcome};
pub use shown::{Gap, Proof, gap, shown, shown_by};
pub use standing::{Standing, readings, standing};

#[cfg(test)]
mod tests;
