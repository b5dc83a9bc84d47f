//! Warns of a printed text in which several players may do something and a later sentence asks once whether it was done (そうしたなら).
//! After the loop, `done` tells only of the last player, and `you` is the player of the text.

use super::super::Compiler;
use super::ownerless::acts_as_somebody;
use super::reach::{inside, of_abilities};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, Block, ExprKind, Stmt, StmtKind};

/// The names of the outcome of a statement.
const OUTCOMES: [&str; 2] = ["done", "partly_done"];

impl Compiler {
    /// `E0292`, a warning at the printed text.
    #[must_use]
    pub fn asks_about_the_last(abilities: &[Ability], printed: Span) -> Option<Diagnostic> {
        let asks = of_abilities(abilities).into_iter().any(asks_behind_players);
        asks.then(|| Diagnostic::error("E0292", printed).warning())
    }
}

/// Whether `if done` stands after a `for` in which other players act, in this block or a block inside.
fn asks_behind_players(block: &Block) -> bool {
    let asks = |pair: &[Stmt]| match pair {
        [first, second] => {
            let each = matches!(&first.kind, StmtKind::For(..) | StmtKind::SimultaneouslyFor { .. });
            each && acts_as_somebody(first) && asks_whether_done(second)
        }
        _ => false,
    };
    block.statements.windows(2).any(asks) || block.statements.iter().flat_map(inside).any(asks_behind_players)
}

fn asks_whether_done(statement: &Stmt) -> bool {
    matches!(&statement.kind, StmtKind::If(condition, ..) if is_outcome(&condition.kind))
}

/// Whether a condition asks for the outcome of the statement before it.
fn is_outcome(condition: &ExprKind) -> bool {
    match condition {
        ExprKind::Name(name) => OUTCOMES.contains(&name.text.as_str()),
        ExprKind::Not(inner) => is_outcome(&inner.kind),
        _ => false,
    }
}
