//! The parts of a script that can be the counterpart of a printed word: names, numbers, texts, and the constructs of the language under
//! their names (`up_to`, `may`, `not`, `each` …).

use crate::diagnostic::Span;
use crate::syntax::ast::{
    Ability, AbilityBody, Amount, BinaryOp, Block, Change, ChangeOp, Clause, ClauseKind, End, Expr, ExprKind, Manner, Name, ShieldFrom,
    Stmt, StmtKind,
};
use crate::wording::account::Account;
use crate::wording::script::rewrite::{Rewriter, walk_ability, walk_amount, walk_block, walk_changes, walk_clauses, walk_expr, walk_stmt};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What a part is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// A number.
    Number(i32),
    /// A name of the game, or the name of a construct.
    Name(Arc<str>),
    /// A text.
    Text(Arc<str>),
}

/// A part of a script.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What the part is.
    pub what: What,
    /// The place of its phrase in the text.
    pub span: Span,
    /// Whether the part stands inside of a function, action or keyword that the script names. The same part can count for several words.
    pub carried: bool,
}

/// Collects the parts of a script.
#[derive(Default)]
pub(super) struct Collector {
    /// The parts so far.
    pub parts: Vec<Part>,
    /// The game's zones. The bare name of a zone means the zones of all players.
    zones: FxHashSet<Arc<str>>,
    /// How many blocks around this place another player acts in.
    acting: usize,
}

impl Collector {
    fn push(&mut self, what: What, span: Span) {
        self.parts.push(Part { what, span, carried: false });
    }

    fn says(&mut self, name: &str, span: Span) {
        self.push(What::Name(Arc::from(name)), span);
        // Where another player acts, `you` is that player, and the opponent of the text's player may be either.
        match name {
            "you" if self.acting > 0 => self.push(What::Name(Arc::from("opponent")), span),
            "opponent" if self.acting > 0 => self.push(What::Name(Arc::from("you")), span),
            _ => {}
        }
    }

    fn binary(&mut self, op: BinaryOp, span: Span) {
        match op {
            BinaryOp::NotEqual | BinaryOp::NotIn | BinaryOp::Except => self.says("not", span),
            BinaryOp::GreaterEqual | BinaryOp::Greater => self.says("from_below", span),
            BinaryOp::LessEqual | BinaryOp::Less => self.says("from_above", span),
            BinaryOp::Add => self.says("add", span),
            BinaryOp::Subtract => self.says("subtract", span),
            _ => {}
        }
    }
}

impl Rewriter for Collector {
    fn name(&mut self, name: &mut Name) {
        self.says(&name.text, name.span);
    }

    fn hole(&mut self, name: &mut Name) {
        self.says(&name.text, name.span);
    }

    fn label(&mut self, name: &mut Name) {
        self.says(&name.text, name.span);
    }

    fn binder(&mut self, _name: &mut Name) {}

    fn amount(&mut self, amount: &mut Amount) {
        match amount {
            Amount::Exactly(_) => {}
            Amount::UpTo(number) | Amount::Announced(number) => self.says("up_to", number.span),
            Amount::AnyNumber(span) => self.says("any_number", *span),
        }
        walk_amount(self, amount);
    }

    fn expr(&mut self, expr: &mut Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(number) => self.push(What::Number(*number), span),
            ExprKind::Text(text) => self.push(What::Text(Arc::from(text.as_str())), span),
            ExprKind::Name(name) if self.zones.contains(name.text.as_str()) => self.says("each", span),
            ExprKind::Any(_) | ExprKind::Every { .. } | ExprKind::All(_) => self.says("each", span),
            ExprKind::Not(_) => self.says("not", span),
            ExprKind::Negate(_) => self.says("subtract", span),
            ExprKind::Printed(_) => self.says("printed", span),
            ExprKind::Binary(_, op, _) => self.binary(*op, span),
            ExprKind::Is { negated, .. } if *negated => self.says("not", span),
            ExprKind::If(..) => self.says("if", span),
            ExprKind::End { end, count, .. } => {
                self.says(if *end == End::Top { "top" } else { "bottom" }, span);
                if count.is_none() {
                    self.push(What::Number(1), span);
                }
            }
            ExprKind::Happened(..) | ExprKind::Latest(..) => self.says("happened", span),
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn block(&mut self, block: &mut Block) {
        walk_block(self, block);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::May(..) | StmtKind::Offer(_) | StmtKind::Declare(..) => self.says("may", span),
            StmtKind::For(..) | StmtKind::SimultaneouslyFor { .. } => self.says("each", span),
            StmtKind::If(..) => self.says("if", span),
            StmtKind::Lasting(..) => self.says("lasting", span),
            StmtKind::PutBy(..) => self.says("put_by", span),
            StmtKind::Choose(choose) => {
                if choose.or_none {
                    self.says("may", span);
                }
                match choose.manner {
                    Manner::Secretly | Manner::Ranked { secretly: true } => self.says("secretly", span),
                    Manner::Blindly => self.says("blindly", span),
                    Manner::Openly | Manner::Ranked { .. } => {}
                }
            }
            StmtKind::ActingAs(..) => self.acting += 1,
            _ => {}
        }
        let acts = matches!(stmt.kind, StmtKind::ActingAs(..));
        let before = self.parts.len();
        walk_stmt(self, stmt);
        // One after the other, each of them as the player likes: up to so many.
        let may = |part: &Part| matches!(&part.what, What::Name(name) if &**name == "may");
        if matches!(stmt.kind, StmtKind::Repeat(..)) && self.parts.iter().skip(before).any(may) {
            self.says("up_to", span);
        }
        self.acting -= usize::from(acts);
    }

    fn clauses(&mut self, clauses: &mut Vec<Clause>) {
        for clause in clauses.iter() {
            let name = match &clause.kind {
                ClauseKind::Grant(..) => "grant",
                ClauseKind::Strip(..) => "strip",
                ClauseKind::Disable(_) => "disable",
                ClauseKind::Forbid(_) => "forbid",
                ClauseKind::Permit(_) => "permit",
                ClauseKind::Require(..) => "require",
                ClauseKind::Instead(..) => "instead",
                ClauseKind::NextTime(..) | ClauseKind::NextInstead(..) => "next_time",
                ClauseKind::Shield(shield) => match shield.from {
                    ShieldFrom::EffectsBefore => "gone",
                    _ => "shield",
                },
                ClauseKind::While(..) => "while",
                ClauseKind::When(..) | ClauseKind::Whenever(..) => "when",
                ClauseKind::Modify(..) | ClauseKind::Price(..) | ClauseKind::Assume(_) | ClauseKind::Hole(_) => continue,
            };
            self.says(name, clause.span);
            if matches!(clause.kind, ClauseKind::NextInstead(..)) {
                self.says("instead", clause.span);
            }
        }
        walk_clauses(self, clauses);
    }

    fn changes(&mut self, changes: &mut Vec<Change>) {
        for change in changes.iter() {
            match change.op {
                ChangeOp::Add | ChangeOp::AddPrinted => self.says("add", change.span),
                ChangeOp::Subtract => self.says("subtract", change.span),
                _ => {}
            }
        }
        walk_changes(self, changes);
    }

    fn ability(&mut self, ability: &mut Ability) {
        if matches!(ability.kind, AbilityBody::Deck(_)) {
            self.says("deck", ability.span);
        }
        walk_ability(self, ability);
    }
}

impl Account {
    /// The parts of a script, with the parts that its names carry.
    pub(super) fn parts(&self, ability: &Ability) -> Vec<Part> {
        let mut collector = Collector { zones: self.zones.clone(), ..Collector::default() };
        collector.ability(&mut ability.clone());
        let mut parts = collector.parts;
        let inner: Vec<Part> = parts
            .iter()
            .filter_map(|part| if let What::Name(name) = &part.what { Some((self.carried.of(name)?, part.span)) } else { None })
            .flat_map(|(names, span)| names.iter().map(move |name| Part { what: name.clone(), span, carried: true }))
            .collect();
        parts.extend(inner);
        parts
    }
}
