//! Warns of a printed text in which several players may do something and a later sentence asks once whether it was done (そうしたなら).
//! After the loop, `done` tells only of the last player, and `you` is the player of the text.

use super::super::Compiler;
use super::reach::{inside, of_abilities};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Ability, Block, ExprKind, Stmt, StmtKind};

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
        [first, second] => matches!(&first.kind, StmtKind::For(..)) && somebody_acts(first) && asks_whether_done(second),
        _ => false,
    };
    block.statements.windows(2).any(asks) || block.statements.iter().flat_map(inside).any(asks_behind_players)
}

fn somebody_acts(statement: &Stmt) -> bool {
    matches!(&statement.kind, StmtKind::ActingAs(..))
        || inside(statement).into_iter().any(|block| block.statements.iter().any(somebody_acts))
}

fn asks_whether_done(statement: &Stmt) -> bool {
    matches!(&statement.kind, StmtKind::If(condition, ..) if matches!(&condition.kind, ExprKind::Name(name) if name.text == "done"))
}
