//! Access to the blocks inside a statement.

use super::{Block, StmtKind};

/// The blocks of a statement, borrowed shared or mutable as `$kind` says. Statements that are not listed have no blocks.
macro_rules! blocks_of {
    ($kind:expr, $iter:ident) => {
        match $kind {
            StmtKind::If(_, body, otherwise) | StmtKind::Attempt(body, otherwise) => std::iter::once(body).chain(otherwise).collect(),
            StmtKind::Loop(body)
            | StmtKind::Repeat(_, body)
            | StmtKind::For(_, _, body)
            | StmtKind::May(_, body, _)
            | StmtKind::AsFarAsPossible(body)
            | StmtKind::SimultaneouslyFor { body, .. }
            | StmtKind::Judge(_, body)
            | StmtKind::Veiled(_, body)
            | StmtKind::Atomically(body)
            | StmtKind::Finally(body)
            | StmtKind::ActingAs(_, body)
            | StmtKind::PutBy(body, _)
            | StmtKind::During(_, _, body) => vec![body],
            StmtKind::Simultaneously(blocks) => blocks.$iter().collect(),
            StmtKind::Watch(_, body, aborted) => vec![body, aborted],
            StmtKind::Offer(offer) | StmtKind::Declare(_, offer) => offer.acted.$iter().chain(offer.passed.$iter()).collect(),
            StmtKind::Recheck(_, otherwise) => otherwise.$iter().collect(),
            _ => Vec::new(),
        }
    };
}

impl StmtKind {
    /// The blocks in the statement, in the order of the text. Blocks in clauses are left out.
    #[must_use]
    pub fn blocks(&self) -> Vec<&Block> {
        blocks_of!(self, iter)
    }

    /// The blocks in the statement, for changing them.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        blocks_of!(self, iter_mut)
    }
}
