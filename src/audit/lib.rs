//! The audit: are the scenarios good enough to notice wrong rules?
//!
//! Input: a loaded game and its suite of scenarios. The audit breaks the rules on purpose in one place at a time ([`Mutant`]) and finds the
//! scenarios that notice ([`Audit`]). From that it knows which rules of the rulebook are shown ([`shown`]). It touches no files and no
//! terminals, and does not know what the rules should say.
//!
//! A "break" is one way to change the rules in one place; `Mutant` is its type. The crate also holds the tools for new editions of a
//! rulebook.
//!
//! | file | does |
//! | --- | --- |
//! | `breaker.rs` | walks a declaration, and breaks it in one place |
//! | `break_decl.rs` | the breaks of declarations |
//! | `break_stmt.rs` | the breaks of statements and blocks |
//! | `break_clause.rs` | the breaks of clauses and abilities |
//! | `break_expr.rs` | the breaks of expressions, amounts and patterns |
//! | `kind.rs` | the kinds of breaks |
//! | `mutant.rs` | all breaks of a game, and the broken game |
//! | `notice.rs` | which scenarios notice a break |
//! | `marks.rs` | marks in rules files that say that a break makes no difference |
//! | `games.rs` | random games that refute such a mark |
//! | `dead.rs` | parts of the rules that no scenario needs |
//! | `shown.rs` | which rules of the rulebook are shown |
//! | `standing.rs` | what cites a rule |
//! | `edition.rs` | compares two editions of a rulebook |
//! | `numbering.rs` | the numbering scheme of a rulebook |
//! | `imported.rs` | makes an index of rules from a numbered text |
//! | `tests.rs` | tests of the breaks |

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

pub use breaker::Reach;
pub use dead::{Dead, dead};
pub use kind::Kind;
pub use marks::{Mark, marks};
pub use mutant::{Bench, Mutant};
pub use notice::{Audit, Outcome};
pub use shown::{Gap, Proof, gap, shown, shown_by};
pub use standing::{Standing, readings, standing};

#[cfg(test)]
mod tests;
