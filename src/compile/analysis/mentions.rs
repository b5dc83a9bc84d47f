//! Finds the names that a block, a clause or an expression mentions. A body that outlives its frame must capture these names.
//!
//! It may find a name too many (one that an inner pattern binds anew), but never one too few.

use lang::syntax::ast::{Block, Expr, ExprKind, Granted, Name, StmtKind, Stripped};
use lang::syntax::visit::{Visitor, walk_expr};

/// The word for a set that a lasting clause reads only once, when it begins.
pub(crate) const FIXED: &str = "fixed";

/// The names in the order of their first mention.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    pub(crate) names: Vec<String>,
    /// All names that a `let` binds anywhere inside.
    pub(crate) lets: Vec<Name>,
    /// The sets of `fixed(S)`.
    pub(crate) fixed: Vec<Expr>,
    /// Names that surrounding blocks have bound by `let`. They are no outer names.
    bound: Vec<String>,
}

impl Visitor<'_> for Mentions {
    fn name(&mut self, name: &Name) {
        if !self.names.contains(&name.text) && !self.bound.contains(&name.text) {
            self.names.push(name.text.clone());
        }
    }

    fn callee(&mut self, _name: &Name) {}

    fn binder(&mut self, _name: &Name) {}

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Call(name, args) = &expr.kind {
            self.fixed.extend(args.first().filter(|_| name.text == FIXED).map(|set| set.value.clone()));
        }
        walk_expr(self, expr);
    }

    fn block(&mut self, block: &Block) {
        let bound = self.bound.len();
        for statement in &block.statements {
            self.stmt(statement);
            if let StmtKind::Let(name, _) = &statement.kind {
                self.bound.push(name.text.clone());
                self.lets.push(name.clone());
            }
        }
        self.bound.truncate(bound);
    }

    /// Granted abilities belong to the card that gets them, so they see no local names.
    fn given(&mut self, given: &Vec<Granted>) {
        given.iter().for_each(|given| match given {
            Granted::Change(change) => self.change(change),
            Granted::Like(abilities) => self.expr(abilities),
            Granted::Ability(_) | Granted::Slot(..) => {}
        });
    }

    /// An ability that is taken away is only compared.
    fn taken(&mut self, _taken: &Vec<Stripped>) {}
}
