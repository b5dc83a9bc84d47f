//! Compiles `announced up to n`: the player names the number at the head of the block, before any statement of the block is done. The cards
//! themselves are chosen where the choice stands.
//!
//! Input: the statements of a block. Output: the same statements, in front of them a choice `number` for each announced choice, and the
//! named number in the place of the announced one. A choice that is itself called `number` counts as an announced number, whatever the
//! rules use it for. A choice stays in its place if its number or its chooser is known only inside the block.

use crate::expressions::expression::Lowering;
use crate::statements::statement::is_optional_attempt;
use lang::diagnostic::Span;
use lang::syntax::ast::{Amount, Arg, BinaryOp, Block, Choose, Expr, ExprKind, Manner, Name, Pick, Stmt, StmtKind};
use std::borrow::Cow;

/// The name of a choice of a number.
const NUMBER: &str = "number";

/// The acting player.
const YOU: &str = "you";

impl Lowering<'_> {
    /// The statements of a block with the announced numbers first. A price at the beginning of the block stays before them.
    pub(crate) fn announced<'b>(&self, statements: &'b [Stmt]) -> Cow<'b, [Stmt]> {
        if self.c.with_the_choice || !statements.iter().any(announces) {
            return Cow::Borrowed(statements);
        }
        let mut all = statements.to_vec();
        let behind = usize::from(all.first().is_some_and(|first| is_optional_attempt(&first.kind)));
        let mut heads = Heads { statements: Vec::new(), bound: Vec::new(), acting: Vec::new(), first: self.body.names.len() };
        for stmt in all.iter_mut().skip(behind) {
            heads.visit(stmt);
        }
        for mut head in heads.statements.into_iter().rev() {
            head.cites.clone_from(&self.c.announced_cites);
            all.insert(behind, head);
        }
        Cow::Owned(all)
    }
}

/// Whether a statement chooses an announced number of things, directly or in an `acting as` block.
fn announces(stmt: &Stmt) -> bool {
    let is_announced = |pick: &Pick| matches!(pick.amount, Amount::Announced(_));
    let in_args = |args: &[Arg]| args.iter().any(|arg| matches!(&arg.value.kind, ExprKind::Pick(pick) if is_announced(pick)));
    match &stmt.kind {
        StmtKind::Choose(choose) => is_announced(&choose.pick) || is_number(choose),
        StmtKind::Call(_, args) => in_args(args),
        StmtKind::Let(_, Expr { kind: ExprKind::Call(_, args), .. }) => in_args(args),
        StmtKind::ActingAs(_, block) => block.statements.iter().any(announces),
        _ => false,
    }
}

/// Whether the name of a choice says that it is an announced number: `number`, or `number_2` and so on for further ones in the block.
fn is_number(choose: &Choose) -> bool {
    let behind = choose.name.text.strip_prefix(NUMBER);
    let is_another = |behind: &str| behind.strip_prefix('_').is_some_and(|at| at.parse::<u16>().is_ok());
    choose.together.is_none() && behind.is_some_and(|behind| behind.is_empty() || is_another(behind))
}

/// The statements that go to the head of the block.
struct Heads {
    statements: Vec<Stmt>,
    /// Names that the block has bound so far.
    bound: Vec<String>,
    /// The players for whom the visited statements act, the innermost last.
    acting: Vec<Expr>,
    /// Makes the numbers of this block differ from those of surrounding blocks.
    first: usize,
}

impl Heads {
    fn visit(&mut self, stmt: &mut Stmt) {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Choose(choose) if is_number(choose) => {
                if let Some(kept) = self.number(choose, span) {
                    stmt.kind = kept;
                }
            }
            StmtKind::Choose(choose) => {
                let Choose { name, pick, by, .. } = choose.as_mut();
                let by = by.clone();
                self.pick(pick, by, span);
                self.bound.push(name.text.clone());
            }
            StmtKind::Call(_, args) => self.args(args, span),
            StmtKind::Let(name, value) => {
                if let ExprKind::Call(_, args) = &mut value.kind {
                    self.args(args, span);
                }
                self.bound.push(name.text.clone());
            }
            StmtKind::ActingAs(player, Block { statements, .. }) if self.is_known(player) => {
                self.acting.push(self.outside(player));
                statements.iter_mut().for_each(|inner| self.visit(inner));
                self.acting.pop();
            }
            _ => {}
        }
    }

    /// Moves the choice of a number to the head. The old place keeps a `let` with the number that was named at the head.
    fn number(&mut self, choose: &Choose, span: Span) -> Option<StmtKind> {
        let Choose { name, pick: Pick { amount, from, .. }, by, .. } = choose;
        let (Amount::Exactly(many), by) = (amount, by.as_ref()) else { return None };
        let is_known = [Some(many), Some(from), by].into_iter().flatten().all(|value| self.is_known(value));
        self.bound.push(name.text.clone());
        if !is_known {
            return None;
        }
        let by = by.map_or_else(|| self.acting.last().cloned(), |by| Some(self.outside(by)));
        let pick = Pick { amount: Amount::Exactly(self.outside(many)), from: self.outside(from), by: None };
        let kept = self.ask(pick, by, span);
        Some(StmtKind::Let(name.clone(), Expr { kind: ExprKind::Name(kept), span }))
    }

    /// Adds the choice of a number to the head, and gives the name of its answer.
    fn ask(&mut self, pick: Pick, by: Option<Expr>, span: Span) -> Name {
        let name = |text: &str| Name { text: text.to_owned(), span };
        // The blanks make sure that no source can contain this name.
        let kept = name(&format!("{NUMBER} {} {}", self.first, self.statements.len()));
        let asked = Choose {
            name: name(NUMBER),
            label: None,
            pick,
            together: None,
            by,
            manner: Manner::Openly,
            or_none: false,
            called: Vec::new(),
        };
        let named = Expr { kind: ExprKind::Name(name(NUMBER)), span };
        let head = |kind: StmtKind| Stmt { cites: Vec::new(), kind, span };
        self.statements.push(head(StmtKind::Choose(Box::new(asked))));
        self.statements.push(head(StmtKind::Let(kept.clone(), named)));
        kept
    }

    fn args(&mut self, args: &mut [Arg], span: Span) {
        for arg in args {
            if let ExprKind::Pick(pick) = &mut arg.value.kind {
                // Without `by`, the owner of the cards chooses, as for a choice without an announcement.
                let by = pick.by.clone().or_else(|| owner(&pick.from).cloned());
                self.pick(pick, by, span);
            }
        }
    }

    fn pick(&mut self, pick: &mut Pick, by: Option<Expr>, span: Span) {
        let Amount::Announced(most) = &pick.amount else { return };
        if !self.is_known(most) || !by.as_ref().is_none_or(|by| self.is_known(by)) {
            return;
        }
        let expr = |kind: ExprKind| Expr { kind, span };
        let plain = |value: Expr| Arg { name: None, value };
        let range = Name { text: "range".to_owned(), span };
        let range = ExprKind::Call(range, vec![plain(expr(ExprKind::Number(0))), plain(self.outside(most))]);
        let by = by.map_or_else(|| self.acting.last().cloned(), |by| Some(self.outside(&by)));
        let number = Pick { amount: Amount::Exactly(expr(ExprKind::Number(1))), from: expr(range), by: None };
        let kept = self.ask(number, by, span);
        pick.amount = Amount::Exactly(expr(ExprKind::Name(kept)));
    }

    /// The value as it must be written at the head of the block. Inside `acting as`, `you` is another player than at the head.
    fn outside(&self, value: &Expr) -> Expr {
        match (&value.kind, self.acting.last()) {
            (ExprKind::Name(name), Some(player)) if name.text == YOU => player.clone(),
            (ExprKind::Call(name, args), Some(_)) => {
                let args = args.iter().map(|arg| Arg { name: arg.name.clone(), value: self.outside(&arg.value) }).collect();
                Expr { kind: ExprKind::Call(name.clone(), args), span: value.span }
            }
            _ => value.clone(),
        }
    }

    /// Whether a value is known at the head of the block.
    fn is_known(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Number(_) => true,
            ExprKind::Name(name) => !self.bound.contains(&name.text),
            ExprKind::Call(_, args) => args.iter().all(|arg| self.is_known(&arg.value)),
            _ => false,
        }
    }
}

/// The player from whose zone things are taken, if the script names one.
fn owner(from: &Expr) -> Option<&Expr> {
    match &from.kind {
        ExprKind::Call(_, args) => args.first().map(|player| &player.value),
        ExprKind::Where { set, .. } => owner(set),
        ExprKind::Binary(set, BinaryOp::Except, _) => owner(set),
        _ => None,
    }
}
