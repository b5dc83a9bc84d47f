//! The parts of a script that can be the counterpart of a printed word: names, numbers, texts, and the constructs of the language under
//! their names (`up_to`, `may`, `not`, `each` …).

use crate::account::Account;
use lang::diagnostic::Span;
use lang::syntax::ast::{
    Ability, AbilityBody, Amount, Arg, BinaryOp, Change, ChangeOp, Clause, ClauseKind, End, Expr, ExprKind, Manner, Name, ShieldFrom, Stmt,
    StmtKind,
};
use lang::syntax::rewrite::{Rewriter, walk_ability, walk_amount, walk_change, walk_clause, walk_expr, walk_stmt};
use lang::syntax::visit::Visitor;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Where another player acts, `you` is that player, and the opponent is the reader of the text.
pub(super) const SIDES: [&str; 2] = ["you", "opponent"];

/// The name that words for the reader say, also where another player acts.
const READER: &str = "reader";

/// The most zones that a text names in one list. A longer list says that something holds everywhere.
const MOST_ZONES: usize = 2;

/// All players.
pub(super) const PLAYERS: &str = "players";

/// What a comparison says: at least or more, at most or less.
pub(super) const BOUNDS: [&str; 2] = ["from_below", "from_above"];

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
    /// What the part may be as well, seen by another player.
    pub also: Option<What>,
    /// The place of its phrase in the text.
    pub span: Span,
    /// Whether the part stands inside of a function, action or keyword that the script names. The same part can count for several words.
    pub carried: bool,
    /// Whether a printed word must say the part.
    pub needs: bool,
    /// How often the phrase says the part.
    pub times: usize,
    /// The phrases of two compared values.
    pub between: Option<(Span, Span)>,
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
    /// How many parts around this place name both players' zones, so that the place of a card decides.
    either: usize,
    /// How many lists are around this place that name nearly all zones.
    everywhere: usize,
    /// How many calculations are around this place whose numbers are no printed ones.
    reckoned: usize,
}

impl Collector {
    fn push(&mut self, what: What, span: Span) {
        let (also, needs) = match &what {
            What::Name(name) if SIDES.contains(&&**name) => {
                let other = if &**name == SIDES[0] { SIDES[1] } else { READER };
                let also = (self.acting > 0).then(|| What::Name(Arc::from(other)));
                (also, self.either == 0)
            }
            What::Name(name) if self.zones.contains(name) => (None, self.everywhere == 0),
            What::Number(_) => (None, self.reckoned == 0),
            _ => (None, true),
        };
        self.add(Part { what, also, span, carried: false, needs, times: 1, between: None });
    }

    /// Adds a part. Parts of one phrase that say one thing are one part.
    fn add(&mut self, part: Part) {
        match self.parts.iter_mut().find(|known| known.span == part.span && known.what == part.what) {
            Some(known) => {
                known.needs |= part.needs;
                known.times += part.times;
            }
            None => self.parts.push(part),
        }
    }

    /// A part that no word needs to say.
    fn allows(&mut self, name: &str, span: Span) {
        self.add(Part { what: What::Name(Arc::from(name)), also: None, span, carried: false, needs: false, times: 1, between: None });
    }

    fn says(&mut self, name: &str, span: Span) {
        self.push(What::Name(Arc::from(name)), span);
    }

    fn binary(&mut self, (left, op, right): (&Expr, BinaryOp, &Expr), span: Span) {
        let number = |side: &Expr| if let ExprKind::Number(number) = side.kind { Some(number) } else { None };
        match op {
            BinaryOp::NotEqual | BinaryOp::NotIn | BinaryOp::Except => self.says("not", span),
            BinaryOp::GreaterEqual | BinaryOp::Greater | BinaryOp::LessEqual | BinaryOp::Less => {
                let more = matches!(op, BinaryOp::GreaterEqual | BinaryOp::Greater);
                let names = if more == number(left).is_none() { BOUNDS } else { [BOUNDS[1], BOUNDS[0]] };
                let is_strict = matches!(op, BinaryOp::Greater | BinaryOp::Less);
                match (op, number(right)) {
                    // There is one, or there is none.
                    (BinaryOp::Greater | BinaryOp::LessEqual, Some(0)) | (BinaryOp::GreaterEqual | BinaryOp::Less, Some(1)) => {
                        self.allows(names[0], span);
                    }
                    // The larger of two values is the one of which the other is smaller.
                    (_, None) if is_strict && number(left).is_none() => {
                        let [mut innermost, mut standard] = [Innermost(span), Innermost(span)];
                        innermost.expr(left);
                        standard.expr(right);
                        let turned = BOUNDS.into_iter().find(|name| *name != names[0]).map(|other| What::Name(Arc::from(other)));
                        let part = Part {
                            what: What::Name(Arc::from(names[0])),
                            also: turned,
                            span,
                            carried: false,
                            needs: true,
                            times: 1,
                            between: None,
                        };
                        self.add(Part { between: Some((innermost.0, standard.0)), ..part });
                    }
                    _ => self.says(names[0], span),
                }
            }
            BinaryOp::Add => self.says("add", span),
            BinaryOp::Subtract => self.says("subtract", span),
            _ => {}
        }
    }

    /// The parts of a call: the side of a zone belongs to the zone's phrase too.
    fn call(&mut self, name: &Name, args: &[Arg], span: Span) {
        let [reader, opponent] = SIDES;
        let wanted = if self.acting == 0 { opponent } else { reader };
        let side = |arg: &Arg| matches!(&arg.value.kind, ExprKind::Call(name, _) | ExprKind::Name(name) if name.text == wanted);
        if self.zones.contains(name.text.as_str()) && args.iter().any(side) {
            self.allows(SIDES[1], span);
        }
    }
}

/// Whether a call, a list, a sum or a condition names one thing of each player, such as a zone.
fn names_both(expr: &Expr) -> bool {
    let mut things = FxHashSet::default();
    match &expr.kind {
        ExprKind::Call(_, args) => args.iter().for_each(|arg| things_of(&arg.value, &mut things)),
        _ => things_of(expr, &mut things),
    }
    of_both(&things)
}

/// Whether one thing is there with each player.
fn of_both(things: &FxHashSet<(String, String)>) -> bool {
    things.iter().any(|(thing, _)| SIDES.iter().all(|side| things.contains(&(thing.clone(), (*side).to_owned()))))
}

/// Adds the things of players that an expression names, each with its player.
fn things_of(expr: &Expr, things: &mut FxHashSet<(String, String)>) {
    match &expr.kind {
        ExprKind::Call(name, of) => {
            if let Some(ExprKind::Name(side) | ExprKind::Call(side, _)) = of.first().map(|of| &of.value.kind) {
                things.insert((name.text.clone(), side.text.clone()));
            }
        }
        ExprKind::Binary(left, _, right) => [left, right].into_iter().for_each(|side| things_of(side, things)),
        ExprKind::Where { set, .. } => things_of(set, things),
        ExprKind::List(items) => items.iter().for_each(|item| things_of(item, things)),
        _ => {}
    }
}

/// Finds the shortest phrase in an expression.
struct Innermost(Span);

impl Visitor<'_> for Innermost {
    fn span(&mut self, span: &Span) {
        if span.end - span.start < self.0.end - self.0.start {
            self.0 = *span;
        }
    }
}

/// Whether an expression is the player of the text.
fn is_reader(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name.text == SIDES[0])
}

/// Whether an expression is about the rest of a division.
fn is_rest(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Binary(left, op, _) if *op == BinaryOp::Remainder || is_rest(left))
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
            // That the reader chooses need not be said.
            ExprKind::Pick(_) if self.acting == 0 => {
                if let ExprKind::Pick(pick) = &mut expr.kind {
                    pick.by.take_if(|by| is_reader(by));
                }
            }
            ExprKind::Number(number) => self.push(What::Number(number.saturating_abs()), span),
            ExprKind::Text(text) => self.push(What::Text(Arc::from(text.as_str())), span),
            ExprKind::Name(name) if self.zones.contains(name.text.as_str()) => self.says("each", span),
            ExprKind::Any(_) | ExprKind::Every { .. } | ExprKind::All(_) => self.says("each", span),
            ExprKind::Not(_) => self.says("not", span),
            ExprKind::Negate(_) => self.says("subtract", span),
            ExprKind::Printed(_) => self.says("printed", span),
            ExprKind::Binary(left, op, right) => self.binary((left, *op, right), span),
            ExprKind::Call(name, args) => self.call(name, args, span),
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
        let (either, reckoned) = (usize::from(names_both(expr)), usize::from(is_rest(expr)));
        self.either += either;
        self.reckoned += reckoned;
        let everywhere = usize::from(matches!(&expr.kind, ExprKind::List(items) if items.len() > MOST_ZONES));
        self.everywhere += everywhere;
        walk_expr(self, expr);
        self.either -= either;
        self.reckoned -= reckoned;
        self.everywhere -= everywhere;
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::May(..) | StmtKind::Offer(_) | StmtKind::Declare(..) => self.says("may", span),
            StmtKind::For(..) | StmtKind::SimultaneouslyFor { .. } => self.says("each", span),
            StmtKind::If(_, _, other) => {
                self.says("if", span);
                if other.is_some() {
                    self.allows("not", span);
                }
            }
            StmtKind::Lasting(..) => self.says("lasting", span),
            StmtKind::PutBy(..) => self.says("put_by", span),
            StmtKind::Choose(choose) => {
                choose.by.take_if(|by| self.acting == 0 && is_reader(by));
                if choose.or_none {
                    self.says("may", span);
                }
                match choose.manner {
                    Manner::Secretly | Manner::Ranked { secretly: true } => self.says("secretly", span),
                    Manner::Blindly => {
                        self.says("blindly", span);
                        // The chooser knows no more than chance.
                        choose.by = None;
                    }
                    Manner::Openly | Manner::Ranked { .. } => {}
                }
            }
            StmtKind::ActingAs(player, body) => {
                // One word names the player of several acts.
                let before = self.parts.len();
                self.expr(player);
                self.parts.iter_mut().skip(before).for_each(|part| part.needs = false);
                self.acting += 1;
                self.block(body);
                self.acting -= 1;
                return;
            }
            _ => {}
        }
        let mut things = FxHashSet::default();
        if let StmtKind::Call(_, args) = &stmt.kind {
            args.iter().for_each(|arg| things_of(&arg.value, &mut things));
        }
        let (before, either) = (self.parts.len(), usize::from(of_both(&things)));
        self.either += either;
        walk_stmt(self, stmt);
        self.either -= either;
        // One after the other, each of them as the player likes: up to so many.
        let may = |part: &Part| matches!(&part.what, What::Name(name) if &**name == "may");
        if matches!(stmt.kind, StmtKind::Repeat(..)) && self.parts.iter().skip(before).any(may) {
            self.says("up_to", span);
        }
    }

    fn clause(&mut self, clause: &mut Clause) {
        let names: &[&str] = match &clause.kind {
            ClauseKind::Grant(..) => &["grant"],
            ClauseKind::Strip(..) => &["strip"],
            ClauseKind::Disable(_) => &["disable"],
            ClauseKind::Forbid(_) => &["forbid"],
            ClauseKind::Permit(_) => &["permit"],
            ClauseKind::Require(..) => &["require"],
            ClauseKind::Instead(..) => &["instead"],
            ClauseKind::NextTime(..) => &["next_time"],
            ClauseKind::NextInstead(..) => &["next_time", "instead"],
            ClauseKind::Shield(shield) => match shield.from {
                ShieldFrom::EffectsBefore => &["gone"],
                ShieldFrom::Effects | ShieldFrom::EffectsThat(..) | ShieldFrom::Choices(_) => &["shield"],
            },
            ClauseKind::While(..) => &["while"],
            ClauseKind::When(..) | ClauseKind::Whenever(..) => &["when"],
            ClauseKind::Modify(..) | ClauseKind::Price(..) | ClauseKind::Assume(_) | ClauseKind::Hole(_) => &[],
        };
        names.iter().for_each(|name| self.says(name, clause.span));
        walk_clause(self, clause);
    }

    fn change(&mut self, change: &mut Change) {
        match change.op {
            ChangeOp::Add | ChangeOp::AddPrinted => self.says("add", change.span),
            ChangeOp::Subtract => self.says("subtract", change.span),
            ChangeOp::Floor | ChangeOp::Set | ChangeOp::SetPrinted | ChangeOp::Multiply | ChangeOp::Divide => {}
        }
        walk_change(self, change);
    }

    fn ability(&mut self, ability: &mut Ability) {
        // Where an ability works need not be said.
        let is_zone = |item: &Expr| matches!(&item.kind, ExprKind::Name(name) if self.zones.contains(name.text.as_str()));
        let works_in = |arg: &mut Arg| matches!(&arg.value.kind, ExprKind::List(items) if items.iter().all(is_zone));
        let places: Vec<Arg> = ability.slots.extract_if(.., works_in).collect();
        self.everywhere += 1;
        places.into_iter().for_each(|mut place| self.expr(&mut place.value));
        self.everywhere -= 1;
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
            .flat_map(|(names, span)| {
                names.iter().map(move |name| Part {
                    what: name.clone(),
                    also: None,
                    span,
                    carried: true,
                    needs: false,
                    times: 1,
                    between: None,
                })
            })
            .collect();
        parts.extend(inner);
        parts
    }
}
