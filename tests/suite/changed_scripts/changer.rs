//! Changes scripts, one node of every kind at a time, and says which changes the comparison with their texts does not notice.

use gyoji::diagnostic::Span;
use gyoji::syntax::ast::{Amount, Arg, BinaryOp, End, Expr, ExprKind, Manner, Name, Pattern, Stmt, StmtKind, Text};
use gyoji::syntax::rewrite::{Rewriter, walk_amount, walk_expr, walk_pattern, walk_stmt};
use gyoji::wording::{Reading, Wording, show_ability};
use std::collections::BTreeMap;

/// Names of the language that say opposite things, by kind.
const PAIRS: [(&str, &str, &str); 3] = [("face", "up", "down"), ("face", "turn_up", "turn_down"), ("order", "top", "bottom")];

/// Changes one node of a script: the node of this number among those that can be changed.
struct Changer<'g> {
    zones: &'g [String],
    durations: &'g [String],
    target: usize,
    seen: usize,
    /// The kind of the changed node.
    done: Option<&'static str>,
    acting: bool,
}

impl Changer<'_> {
    fn turn(&mut self, kind: &'static str) -> bool {
        self.seen += 1;
        let here = self.seen > self.target && self.done.is_none();
        if here {
            self.done = Some(kind);
        }
        here
    }

    fn word(&mut self, name: &mut Name) {
        for (kind, one, other) in PAIRS {
            let to = if name.text == one { other } else { one };
            if [one, other].contains(&name.text.as_str()) && self.turn(kind) {
                to.clone_into(&mut name.text);
            }
        }
        let zones = self.zones;
        if let Some(at) = zones.iter().position(|zone| *zone == name.text)
            && self.turn("place")
        {
            name.text.clone_from(&zones[(at + 1) % zones.len()]);
        }
    }
}

impl Rewriter for Changer<'_> {
    fn hole(&mut self, name: &mut Name) {
        self.word(name);
    }

    fn amount(&mut self, amount: &mut Amount) {
        if let Amount::UpTo(number) | Amount::Announced(number) = amount
            && self.turn("up to")
        {
            *amount = Amount::Exactly(number.clone());
        }
        walk_amount(self, amount);
    }

    fn expr(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let side = if self.acting { "side of another" } else { "side" };
        // Binding writes `[this] except [this]` for nothing.
        let is_this = |expr: &Expr| matches!(&expr.kind, ExprKind::List(_));
        let is_you = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name.text == "you");
        match &mut expr.kind {
            ExprKind::Number(number) if self.turn("number") => *number += 1,
            ExprKind::Call(name, args) if name.text == "opponent" && matches!(args.as_slice(), [arg] if is_you(&arg.value)) => {
                if self.turn(side) {
                    *expr = Expr { span, ..args[0].value.clone() };
                }
                return;
            }
            ExprKind::Name(name) if name.text == "you" => {
                if self.turn(side) {
                    let you = Arg { name: None, value: expr.clone() };
                    expr.kind = ExprKind::Call(Name { text: "opponent".to_owned(), span }, vec![you]);
                }
                return;
            }
            ExprKind::Name(name) | ExprKind::Call(name, _) => self.word(name),
            ExprKind::Binary(left, op, right) => {
                let bound = match op {
                    BinaryOp::LessEqual => Some(BinaryOp::GreaterEqual),
                    BinaryOp::GreaterEqual => Some(BinaryOp::LessEqual),
                    BinaryOp::Less => Some(BinaryOp::Greater),
                    BinaryOp::Greater => Some(BinaryOp::Less),
                    _ => None,
                };
                let excludes = match op {
                    BinaryOp::NotEqual => Some(BinaryOp::Equal),
                    BinaryOp::NotIn => Some(BinaryOp::In),
                    _ => None,
                };
                if let Some(other) = bound
                    && self.turn("bound")
                {
                    *op = other;
                } else if let Some(other) = excludes
                    && self.turn("not")
                {
                    *op = other;
                } else if *op == BinaryOp::Except && !is_this(left) && self.turn("not") || *op == BinaryOp::And && self.turn("filter") {
                    *expr = left.as_ref().clone();
                } else if *op == BinaryOp::And && self.turn("filter") {
                    *expr = right.as_ref().clone();
                }
            }
            ExprKind::Not(inner) if self.turn("not") => *expr = inner.as_ref().clone(),
            ExprKind::Is { negated, .. } if *negated && self.turn("not") => *negated = false,
            ExprKind::Where { set, condition, .. } => {
                let composed = matches!(condition.kind, ExprKind::Binary(_, BinaryOp::And, _) | ExprKind::Can(_));
                if !composed && self.turn("filter") {
                    *expr = set.as_ref().clone();
                }
            }
            ExprKind::End { end, .. } if self.turn("order") => *end = if *end == End::Top { End::Bottom } else { End::Top },
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        let composed = |expr: &Expr| matches!(expr.kind, ExprKind::Binary(_, BinaryOp::And, _));
        if pattern.condition.as_ref().is_some_and(|condition| !composed(condition)) && self.turn("filter") {
            pattern.condition = None;
        }
        walk_pattern(self, pattern);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::May(_, body, _) if self.turn("may") => stmt.kind = StmtKind::Attempt(body.clone(), None),
            StmtKind::Choose(choose) if choose.manner == Manner::Blindly && self.turn("random") => choose.manner = Manner::Openly,
            StmtKind::Lasting(name, _) => {
                let durations = self.durations;
                if let Some(at) = durations.iter().position(|duration| *duration == name.text)
                    && self.turn("duration")
                {
                    name.text.clone_from(&durations[(at + durations.len() / 2) % durations.len()]);
                }
            }
            _ => {}
        }
        if let StmtKind::ActingAs(player, body) = &mut stmt.kind {
            self.expr(player);
            let acting = std::mem::replace(&mut self.acting, true);
            self.block(body);
            self.acting = acting;
            return;
        }
        walk_stmt(self, stmt);
    }
}

/// For each kind: how many changes were tried, and those that the comparison did not notice.
pub(super) type Rates = BTreeMap<&'static str, (usize, Vec<String>)>;

/// Changes each node of the script of a text.
pub(super) fn rates(wording: &Wording, zones: &[String], durations: &[String], text: &str) -> (Rates, Option<String>) {
    let printed = Text { text: text.to_owned(), span: Span { start: 0, end: text.len() as u32, ..Span::default() } };
    let mut rates = Rates::new();
    let Reading { abilities, diagnostics, .. } = wording.read(&printed);
    let [ability] = abilities.as_slice() else {
        let lost = diagnostics.iter().find(|error| ["E0456", "E0458"].contains(&error.code));
        return (rates, lost.map(|error| format!("{} {:?}\n    {text}", error.code, error.args)));
    };
    for target in 0.. {
        let mut changer = Changer { zones, durations, target, seen: 0, done: None, acting: false };
        let mut other = ability.clone();
        changer.ability(&mut other);
        let Some(kind) = changer.done else { break };
        let row = rates.entry(kind).or_default();
        row.0 += 1;
        if wording.accounts_for(&printed, &other) {
            row.1.push(format!("{text}\n        {}\n        {}", show_ability(ability), show_ability(&other)));
        }
    }
    (rates, None)
}
