//! A condition about several named things asks about each of them by itself.
//!
//! Input: a bound script. `choose those: 2 from S  if some those where K { act(those) }` becomes
//! `choose those: 2 from S  if some those where K { act(those where K) }`: the act is done to the things that fit, and the others are left
//! alone. If the other branch names the things too, it is done to those that do not fit. A condition about one thing stays as it is, and so
//! does a condition whose branch does not name the things. [`together`] undoes this for printing.

use crate::script::bare::Bare;
use crate::script::weave::MARK;
use lang::syntax::ast::{Ability, Amount, BinaryOp, Block, Expr, ExprKind, Name, Stmt, StmtKind};
use lang::syntax::rewrite::{Rewriter, walk_ability, walk_block, walk_expr, walk_stmt};
use lang::syntax::visit::{EachExpr, Visitor};
use rustc_hash::FxHashSet;

/// Lets each condition about several things decide about each of them.
pub(crate) fn apart(ability: &mut Ability) {
    Apart::default().ability(ability);
}

/// Undoes [`apart`].
pub(crate) fn together(ability: &mut Ability) {
    Together.ability(ability);
}

/// A condition on each of some named things.
struct Asked {
    /// The name of the things.
    name: Name,
    /// The things for which the condition is true.
    fitting: Expr,
}

#[derive(Default)]
struct Apart {
    /// Names that may stand for several things.
    several: FxHashSet<String>,
    /// The number of conditions with two branches that were divided.
    divided: u32,
}

impl Apart {
    fn note(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(name, value) if self.is_several(value) => self.several.insert(name.text.clone()),
            StmtKind::Choose(choose) if is_many(&choose.pick.amount) => self.several.insert(choose.name.text.clone()),
            _ => false,
        };
    }

    /// Whether an expression names several things: chosen cards, the first cards of a pile, or the result of an act with such cards.
    fn is_several(&self, expr: &Expr) -> bool {
        let mut found = false;
        EachExpr(|expr: &Expr| {
            found |= match &expr.kind {
                ExprKind::Name(name) => self.several.contains(&name.text),
                ExprKind::End { count: Some(count), .. } => !matches!(count.kind, ExprKind::Number(1)),
                ExprKind::Pick(pick) => is_many(&pick.amount),
                _ => false,
            };
        })
        .expr(expr);
        found
    }

    fn divide(&mut self, stmt: Stmt) -> Vec<Stmt> {
        let StmtKind::If(condition, then, other) = &stmt.kind else { return vec![stmt] };
        let asked = asked(condition).filter(|asked| self.several.contains(&asked.name.text) && mentions(then, &asked.name));
        let Some(Asked { name, fitting }) = asked else { return vec![stmt] };
        let narrow = |block: &Block, to: &Expr| {
            let mut block = block.clone();
            Narrow { name: &name, to }.block(&mut block);
            block
        };
        let some = |set: &Expr| Expr { kind: ExprKind::Some(Box::new(set.clone())), span: condition.span };
        let Some(other) = other.as_ref().filter(|other| mentions(other, &name)) else {
            let kind = StmtKind::If(some(&fitting), narrow(then, &fitting), other.clone());
            return vec![Stmt { kind, ..stmt }];
        };
        // What the first branch does may change the condition, so both groups are found before.
        self.divided += 1;
        let local = |word: &str| Name { text: format!("{word}{MARK}{}.{}", stmt.span.start, self.divided), span: condition.span };
        let named = |name: &Name| Expr { kind: ExprKind::Name(name.clone()), span: condition.span };
        let (ones, rest) = (local("fitting"), local("unfitting"));
        let except = ExprKind::Binary(Box::new(named(&name)), BinaryOp::Except, Box::new(named(&ones)));
        let (then, other) = (narrow(then, &named(&ones)), narrow(other, &named(&rest)));
        [
            StmtKind::Let(ones.clone(), fitting),
            StmtKind::Let(rest.clone(), Expr { kind: except, span: condition.span }),
            StmtKind::If(some(&named(&ones)), then, None),
            StmtKind::If(some(&named(&rest)), other, None),
        ]
        .map(|kind| Stmt { kind, ..stmt.clone() })
        .into()
    }
}

impl Rewriter for Apart {
    fn ability(&mut self, ability: &mut Ability) {
        for slot in &ability.slots {
            if let (Some(name), true) = (&slot.name, self.is_several(&slot.value)) {
                self.several.insert(name.text.clone());
            }
        }
        walk_ability(self, ability);
    }

    fn block(&mut self, block: &mut Block) {
        let mut statements = Vec::with_capacity(block.statements.len());
        for mut stmt in std::mem::take(&mut block.statements) {
            self.note(&stmt);
            walk_stmt(self, &mut stmt);
            statements.extend(self.divide(stmt));
        }
        block.statements = statements;
    }
}

/// The named things of which a condition asks something, one by one.
fn asked(condition: &Expr) -> Option<Asked> {
    asked_of_some(condition).or_else(|| compared(condition))
}

/// `some S where K`, or that K is true for none of S.
fn asked_of_some(condition: &Expr) -> Option<Asked> {
    let negated = match &condition.kind {
        // `count(S) > 0 and not (some S where K)`: said of each, K is not true.
        ExprKind::Binary(there, BinaryOp::And, not) if is_count_above_nothing(there) => match &not.kind {
            ExprKind::Not(inner) => Some(&**inner),
            _ => return None,
        },
        _ => None,
    };
    let ExprKind::Some(set) = &negated.unwrap_or(condition).kind else { return None };
    let ExprKind::Where { set, binder, condition: of_each } = &set.kind else { return None };
    let of_each = if negated.is_some() { Expr { kind: ExprKind::Not(of_each.clone()), span: of_each.span } } else { Expr::clone(of_each) };
    let (name, fitting) = narrowed(set, binder.as_ref(), of_each)?;
    Some(Asked { name, fitting })
}

/// A comparison with a value of the named things: `S.power <= 3`, `greatest(S, it.power) <= 3`.
fn compared(condition: &Expr) -> Option<Asked> {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let ExprKind::Binary(left, op @ (Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual), right) = &condition.kind else {
        return None;
    };
    let (set, of_each) = match &left.kind {
        ExprKind::Field(of, field) => {
            let it = Expr { kind: ExprKind::Name(Name { text: "it".to_owned(), span: of.span }), span: of.span };
            (&**of, Expr { kind: ExprKind::Field(Box::new(it), field.clone()), span: left.span })
        }
        ExprKind::Call(name, args) if name.text == "greatest" => match args.as_slice() {
            [set, value] => (&set.value, value.value.clone()),
            _ => return None,
        },
        _ => return None,
    };
    let kind = ExprKind::Binary(Box::new(of_each), *op, right.clone());
    let (name, fitting) = narrowed(set, None, Expr { kind, span: condition.span })?;
    (!says(right, &name)).then_some(Asked { name, fitting })
}

fn is_count_above_nothing(expr: &Expr) -> bool {
    let ExprKind::Binary(left, BinaryOp::Greater, right) = &expr.kind else { return false };
    matches!((&left.kind, &right.kind), (ExprKind::Call(name, _), ExprKind::Number(0)) if name.text == "count")
}

/// The named things in `set` for which a condition is true. A function around the name only says how the things are looked at.
fn narrowed(set: &Expr, binder: Option<&Name>, condition: Expr) -> Option<(Name, Expr)> {
    match &set.kind {
        ExprKind::Name(name) => {
            let kind = ExprKind::Where { set: Box::new(set.clone()), binder: binder.cloned(), condition: Box::new(condition) };
            Some((name.clone(), Expr { kind, span: set.span }))
        }
        ExprKind::Call(_, args) => match args.as_slice() {
            [only] => narrowed(&only.value, binder, condition),
            _ => None,
        },
        ExprKind::Where { set, binder: None, condition: before } if binder.is_none() => {
            let span = condition.span;
            let both = ExprKind::Binary(before.clone(), BinaryOp::And, Box::new(condition));
            narrowed(set, None, Expr { kind: both, span })
        }
        _ => None,
    }
}

fn is_many(amount: &Amount) -> bool {
    match amount {
        Amount::Exactly(number) | Amount::UpTo(number) | Amount::Announced(number) => !matches!(number.kind, ExprKind::Number(1)),
        Amount::AnyNumber(_) => true,
    }
}

fn mentions(block: &Block, name: &Name) -> bool {
    let mut found = false;
    EachExpr(|expr: &Expr| found |= is_name(expr, name)).block(block);
    found
}

fn says(expr: &Expr, name: &Name) -> bool {
    let mut found = false;
    EachExpr(|expr: &Expr| found |= is_name(expr, name)).expr(expr);
    found
}

fn is_name(expr: &Expr, name: &Name) -> bool {
    matches!(&expr.kind, ExprKind::Name(other) if other.text == name.text)
}

/// Puts other things in the place of a name. The rest of the named things (`name except …`) is taken of all of them.
struct Narrow<'a> {
    name: &'a Name,
    to: &'a Expr,
}

impl Rewriter for Narrow<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Name(name) if name.text == self.name.text => *expr = self.to.clone(),
            ExprKind::Binary(left, BinaryOp::Except, right) if matches!(&left.kind, ExprKind::Name(_)) => self.expr(right),
            _ => walk_expr(self, expr),
        }
    }
}

struct Together;

/// The condition with two branches that was divided into these four statements.
fn undivided(statements: &[Stmt]) -> Option<Stmt> {
    let [Stmt { kind: StmtKind::Let(ones, fitting), .. }, Stmt { kind: StmtKind::Let(rest, except), .. }, first, second] = statements
    else {
        return None;
    };
    let ExprKind::Where { set, .. } = &fitting.kind else { return None };
    let (ExprKind::Name(name), ExprKind::Binary(_, BinaryOp::Except, except)) = (&set.kind, &except.kind) else { return None };
    let branch = |stmt: &Stmt, of: &Name| match &stmt.kind {
        StmtKind::If(condition, then, None) if matches!(&condition.kind, ExprKind::Some(set) if is_name(set, of)) => {
            let mut then = then.clone();
            Narrow { name: of, to: set }.block(&mut then);
            Some(then)
        }
        _ => None,
    };
    let (then, other) = (branch(first, ones)?, branch(second, rest)?);
    let some = Expr { kind: ExprKind::Some(Box::new(fitting.clone())), span: name.span };
    is_name(except, ones).then(|| Stmt { kind: StmtKind::If(some, then, Some(other)), ..first.clone() })
}

impl Rewriter for Together {
    fn block(&mut self, block: &mut Block) {
        for at in (0..block.statements.len().saturating_sub(3)).rev() {
            if let Some(whole) = block.statements.get(at..at + 4).and_then(undivided) {
                block.statements.splice(at..at + 4, [whole]);
            }
        }
        for stmt in &mut block.statements {
            if let StmtKind::If(condition, then, _) = &mut stmt.kind
                && let Some(Asked { name, fitting }) = asked_of_some(condition)
            {
                Widen { fitting: &bare(fitting), name: &name }.block(then);
            }
        }
        walk_block(self, block);
    }
}

/// Puts a name in the place of the named things that fit.
struct Widen<'a> {
    fitting: &'a Expr,
    name: &'a Name,
}

impl Rewriter for Widen<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if matches!(expr.kind, ExprKind::Where { .. }) && bare(expr.clone()) == *self.fitting {
            *expr = Expr { kind: ExprKind::Name(self.name.clone()), span: expr.span };
        } else {
            walk_expr(self, expr);
        }
    }
}

fn bare(mut expr: Expr) -> Expr {
    Bare.expr(&mut expr);
    expr
}
