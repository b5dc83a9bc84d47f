//! Warns of `you` in a loop over players in the flow of the game: in a phase or in `setup`, outside of `acting as`. No player acts there,
//! so `you` is the first seat and not the player of the loop.
//!
//! Outside of such loops the warning would also hit games that mean the first seat.

use super::super::Compiler;
use super::reach::says;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Block, DeclKind, Expr, ExprKind, StmtKind};

const YOU: &str = "you";

impl Compiler {
    /// `E0397` at each statement.
    pub(super) fn nobody_acts(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for decl in self.decls.iter() {
            match &decl.kind {
                DeclKind::Turn(_, phases) => phases.iter().for_each(|phase| look(&phase.body, None, &mut found)),
                DeclKind::Setup(_, body) => look(body, None, &mut found),
                _ => {}
            }
        }
        let finding = |(span, player): (Span, &str)| Diagnostic::error("E0397", span).with("word", YOU).with("player", player);
        found.into_iter().map(finding).collect()
    }
}

/// `player`: the name of the loop's player, if the block is in a loop over players.
fn look<'b>(block: &'b Block, player: Option<&'b str>, found: &mut Vec<(Span, &'b str)>) {
    for statement in &block.statements {
        // A statement that has both names tells the two players apart: `if p == you { }`.
        if let Some(player) = player.filter(|player| says(statement, YOU) > 0 && says(statement, player) == 0) {
            found.push((statement.span, player));
        }
        let inside = match &statement.kind {
            StmtKind::ActingAs(..) => continue,
            StmtKind::For(name, set, _) | StmtKind::SimultaneouslyFor { binder: name, set, .. } if is_players(set) => {
                Some(name.text.as_str())
            }
            _ => player,
        };
        statement.blocks().into_iter().for_each(|inner| look(inner, inside, found));
    }
}

fn is_players(set: &Expr) -> bool {
    matches!(&set.kind, ExprKind::Name(name) if name.text == "players")
}
