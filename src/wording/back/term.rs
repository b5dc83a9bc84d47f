//! Scripts as plain trees, which are easy to compare, cut and look up.
//!
//! Input: any part of a script. Output: a term without places and citations. The operands of an associative operator stand in one row.
//! Every name stands where a hole may stand. A term has no meaning of its own, and there is no way from a term to a script, except through
//! the templates.

use super::unbind::EVERY;
use crate::script::sayings::is_the_opponent;
use crate::script::weave::MARK;
use lang::syntax::ast::{
    Ability, AbilityBody, Amount, Arg, BinaryOp, Block, Change, ChangeField, Choose, Clause, ClauseKind, DeckLimit, EventPattern, Expr,
    ExprKind, Fragment, Granted, MarkReach, Name, Offer, Pattern, Pick, ShieldFrom, Since, Stmt, StmtKind, Stripped, Turn,
};
use std::rc::Rc;

/// A part of a script.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    /// A construct with a fixed number of parts.
    Node(&'static str, Rc<[Term]>),
    /// Any number of parts: statements, clauses, operands of `and`.
    Row(&'static str, Rc<[Term]>),
    /// A name. A marked name is bound by the script.
    Name(Rc<str>),
    /// A number.
    Number(i32),
    /// A text.
    Text(Rc<str>),
    /// `the CLASS`.
    The(Rc<str>),
    /// A template's hole.
    Hole(Rc<str>),
    /// An optional part that is missing.
    Nothing,
}

/// Rows of statements.
pub(super) const BLOCK: &str = "block";
/// Rows of clauses.
pub(super) const CLAUSES: &str = "clauses";
/// Rows of changes of fields.
pub(super) const CHANGES: &str = "changes";
/// A call: its name, then its arguments.
pub(super) const CALL: &str = "call";
/// A binding. A call whose result has no name is a binding without a name.
pub(super) const LET: &str = "let";
/// A condition before a block.
pub(super) const IF: &str = "if";
/// A repeated block.
pub(super) const REPEAT: &str = "repeat";
/// A block done as far as possible.
pub(super) const FAR: &str = "as far as possible";
/// `x.field`.
pub(super) const FIELD: &str = "field";
/// `said(e, p)`.
pub(super) const SAID: &str = "said";
/// `said(e) where c`.
pub(super) const SAID_WHERE: &str = "said where";
/// An event with its condition.
pub(super) const EVENT: &str = "event";
/// `it`: the object in a condition.
pub(super) const IT: &str = "it";
/// `it`, or the object that the condition is applied to. The condition may name the object itself: 「このカードがこのカード以外の〈妖〉」 has `this` twice.
pub(super) const IT_OR: &str = "it or";
/// `you`, where the opponent acts. It may be printed as the acting player or as the opponent.
pub(super) const YOU_OR: &str = "you or";
/// `opponent(you)`, where the opponent acts. It is never printed as the opponent, who is `you` there.
pub(super) const THEIR_OPPONENT: &str = "their opponent";
/// `the opponent` in a template: the opponent of the text's player, whoever acts.
pub(super) const THE_OPPONENT: &str = "the opponent";
/// A player performing a block.
pub(super) const ACTING: &str = "acting as";
/// An argument under its name.
pub(super) const NAMED: &str = "named";
/// An exact amount.
pub(super) const EXACTLY: &str = "exactly";
/// `a = b`.
pub(super) const ASSIGN: &str = "assign";

impl Term {
    /// The greatest number of parts that stand in one row.
    pub(super) fn longest_row(&self) -> usize {
        match self {
            Term::Node(_, parts) => parts.iter().map(Term::longest_row).max().unwrap_or(0),
            Term::Row(_, parts) => parts.iter().map(Term::longest_row).max().unwrap_or(0).max(parts.len()),
            _ => 0,
        }
    }

    /// A construct.
    pub(super) fn node(tag: &'static str, parts: Vec<Term>) -> Term {
        Term::Node(tag, parts.into())
    }

    /// A row.
    pub(super) fn row(tag: &'static str, parts: Vec<Term>) -> Term {
        Term::Row(tag, parts.into())
    }

    /// A name without any further meaning.
    pub(super) fn leaf(text: &str) -> Term {
        Term::Name(text.into())
    }

    /// A call of a function of one argument.
    pub(super) fn call(name: &str, arg: Term) -> Term {
        Term::node(CALL, vec![Term::leaf(name), arg])
    }

    /// Whether the term is this name.
    pub(super) fn is_name(&self, text: &str) -> bool {
        matches!(self, Term::Name(name) if **name == *text)
    }

    /// The parts.
    pub(super) fn parts(&self) -> &[Term] {
        match self {
            Term::Node(_, parts) | Term::Row(_, parts) => parts,
            _ => &[],
        }
    }

    /// The parts of the term, if the term is this construct.
    pub(super) fn as_node(&self, tag: &str) -> Option<&[Term]> {
        if let Term::Node(own, parts) = self { (*own == tag).then_some(parts) } else { None }
    }

    /// The term with each part changed. A row inside a row of its kind is joined to it.
    pub(super) fn with_parts(&self, change: &mut impl FnMut(&Term) -> Term) -> Term {
        match self {
            Term::Node(tag, parts) => Term::node(tag, parts.iter().map(change).collect()),
            Term::Row(tag, parts) => {
                let mut row = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    lay(tag, change(part), &mut row);
                }
                Term::row(tag, row)
            }
            other => other.clone(),
        }
    }

    /// The term with marked names numbered in order: two phrases may use different names for one thing.
    pub(super) fn unmarked(&self) -> Term {
        fn go(term: &Term, seen: &mut Vec<Rc<str>>) -> Term {
            let Term::Name(name) = term else { return term.with_parts(&mut |part| go(part, seen)) };
            let Some((base, _)) = name.split_once(MARK) else { return term.clone() };
            let number = seen.iter().position(|known| known == name).unwrap_or_else(|| {
                seen.push(Rc::clone(name));
                seen.len() - 1
            });
            Term::Name(format!("{base}{MARK}{number}").into())
        }
        go(self, &mut Vec::new())
    }

    /// The term with one term replaced by another everywhere.
    pub(super) fn replaced(&self, from: &Term, to: &Term) -> Term {
        if self == from {
            return to.clone();
        }
        self.with_parts(&mut |part| part.replaced(from, to))
    }

    /// Whether this term is equal to `term` or contains it.
    pub(super) fn has(&self, term: &Term) -> bool {
        self == term || self.parts().iter().any(|part| part.has(term))
    }

    /// Visits the term and all terms inside, outer ones before inner ones.
    pub(super) fn each<'t>(&'t self, see: &mut impl FnMut(&'t Term)) {
        see(self);
        self.parts().iter().for_each(|part| part.each(see));
    }
}

/// A name without the mark of its phrase and without its number.
pub(super) fn base(name: &str) -> &str {
    let name = name.split_once(MARK).map_or(name, |(base, _)| base);
    name.trim_end_matches(|sign: char| sign == '_' || sign.is_ascii_digit())
}

/// Adds a term to a row. A row of the same kind is added part by part.
fn lay(tag: &'static str, term: Term, row: &mut Vec<Term>) {
    match term {
        Term::Row(own, parts) if own == tag => row.extend(parts.iter().cloned()),
        other => row.push(other),
    }
}

/// The term of a script.
pub(super) fn term(script: &Fragment) -> Term {
    match script {
        Fragment::Value(value) => expr(value),
        Fragment::Statements(statements) => block(statements),
        Fragment::Clauses(list) => clauses(list),
        Fragment::Ability(inner) => ability(inner),
        Fragment::Event(event) => pattern(event),
        Fragment::Amount(how_many) => amount(how_many),
    }
}

fn name(name: &Name) -> Term {
    name.text.strip_prefix('$').map_or_else(|| Term::leaf(&name.text), |hole| Term::Hole(hole.into()))
}

fn hole(name: &Name) -> Term {
    Term::Hole(name.text.trim_start_matches('$').into())
}

fn optional<T>(of: Option<&T>, term: impl FnOnce(&T) -> Term) -> Term {
    of.map_or(Term::Nothing, term)
}

fn call(head: &Name, given: &[Arg]) -> Term {
    // In a game of two, the opponent of the opponent is the player.
    if let ([Arg { name: None, value }], "opponent") = (given, head.text.as_str())
        && let Term::Node(CALL, parts) = expr(value)
        && let [of, other] = &*parts
        && of.is_name("opponent")
    {
        return other.clone();
    }
    Term::node(CALL, std::iter::once(name(head)).chain(args(given)).collect())
}

fn args(given: &[Arg]) -> impl Iterator<Item = Term> {
    given.iter().map(|arg| match &arg.name {
        Some(label) => Term::node(NAMED, vec![Term::leaf(&label.text), expr(&arg.value)]),
        None => expr(&arg.value),
    })
}

fn one(tag: &'static str, inner: &Expr) -> Term {
    Term::node(tag, vec![expr(inner)])
}

fn flag(tag: &'static str) -> Term {
    Term::node(tag, Vec::new())
}

pub(super) fn expr(value: &Expr) -> Term {
    match &value.kind {
        ExprKind::Number(number) => Term::Number(*number),
        ExprKind::Text(text) => Term::Text(text.as_str().into()),
        ExprKind::Ordinal(text, number) => Term::node("ordinal", vec![Term::Text(text.as_str().into()), Term::Number(*number)]),
        ExprKind::Bool(value) => flag(if *value { "true" } else { "false" }),
        ExprKind::Name(own) => name(own),
        ExprKind::Hole(own) => hole(own),
        ExprKind::The(_) if is_the_opponent(value) => Term::node(THE_OPPONENT, Vec::new()),
        ExprKind::The(class) => Term::The(class.text.as_str().into()),
        ExprKind::Any(own) => Term::node("any", vec![name(own)]),
        ExprKind::Every { name: own, member, condition } => {
            Term::node(EVERY, vec![name(own), optional(member.as_ref(), name), optional(condition.as_deref(), expr)])
        }
        ExprKind::Call(head, given) => call(head, given),
        ExprKind::Field(of, field) => Term::node(FIELD, vec![expr(of), name(field)]),
        ExprKind::Printed(inner) => one("printed", inner),
        ExprKind::List(items) => Term::row("list", items.iter().map(expr).collect()),
        ExprKind::Tuple(items) => Term::row("tuple", items.iter().map(expr).collect()),
        ExprKind::Cited(_, inner) => expr(inner),
        ExprKind::Not(inner) => one("not", inner),
        ExprKind::Negate(inner) => one("minus", inner),
        ExprKind::Binary(left, op, right) => binary(left, *op, right),
        ExprKind::Is { subject, negated, what } => Term::node(if *negated { "is not" } else { "is" }, vec![expr(subject), name(what)]),
        ExprKind::Has { subject, what } => Term::node("has", vec![expr(subject), expr(what)]),
        ExprKind::Exists(inner) => one("exists", inner),
        ExprKind::If(condition, then, other) => Term::node("if then", vec![expr(condition), expr(then), expr(other)]),
        ExprKind::Where { set, binder, condition } => {
            Term::node("where", vec![expr(set), optional(binder.as_ref(), name), expr(condition)])
        }
        ExprKind::Some(inner) => one("some", inner),
        ExprKind::All(inner) => one("all", inner),
        ExprKind::End { end, count, zone } => {
            let tag = if *end == lang::syntax::ast::End::Top { "top" } else { "bottom" };
            Term::node(tag, vec![optional(count.as_deref(), expr), expr(zone)])
        }
        ExprKind::Pick(inner) => pick(inner),
        ExprKind::Happened(event, since) => Term::node("happened", vec![pattern(event), optional(since.as_ref(), point)]),
        ExprKind::Latest(event, since) => Term::node("latest", vec![pattern(event), optional(since.as_ref(), point)]),
        ExprKind::Can(inner) => one("can", inner),
        ExprKind::WithoutEffect(left, right) => Term::node("without", vec![expr(left), expr(right)]),
        ExprKind::Caused(own, of) => Term::node("caused", vec![name(own), expr(of)]),
    }
}

fn binary(left: &Expr, op: BinaryOp, right: &Expr) -> Term {
    let both = || vec![expr(left), expr(right)];
    let row = |tag| {
        let mut row = Vec::new();
        both().into_iter().for_each(|part| lay(tag, part, &mut row));
        Term::row(tag, row)
    };
    let node = |tag| Term::node(tag, both());
    match op {
        BinaryOp::Or => row("or"),
        BinaryOp::And => row("and"),
        BinaryOp::Add => row("+"),
        BinaryOp::Union => row("with"),
        BinaryOp::Equal => node("=="),
        BinaryOp::NotEqual => node("!="),
        BinaryOp::Less => node("<"),
        BinaryOp::LessEqual => node("<="),
        BinaryOp::Greater => node(">"),
        BinaryOp::GreaterEqual => node(">="),
        BinaryOp::In => node("in"),
        BinaryOp::NotIn => node("not in"),
        BinaryOp::Subtract => node("-"),
        BinaryOp::Multiply => node("*"),
        BinaryOp::Divide => node("/"),
        BinaryOp::Remainder => node("mod"),
        BinaryOp::Except => node("except"),
    }
}

fn pick(pick: &Pick) -> Term {
    Term::node("pick", vec![amount(&pick.amount), expr(&pick.from), optional(pick.by.as_ref(), expr)])
}

fn amount(amount: &Amount) -> Term {
    match amount {
        // A hole for an amount may be filled with any kind of amount.
        Amount::Exactly(Expr { kind: ExprKind::Hole(own), .. }) => hole(own),
        Amount::Exactly(number) => one(EXACTLY, number),
        Amount::UpTo(number) => one("up to", number),
        Amount::Announced(number) => one("announced", number),
        Amount::AnyNumber(_) => flag("any number"),
    }
}

fn pattern(pattern: &Pattern) -> Term {
    if let [EventPattern { verb, args: given, .. }] = pattern.events.as_slice()
        && verb.text == "said"
    {
        let said = Term::node(SAID, args(given).collect());
        return pattern.condition.as_ref().map_or(said.clone(), |condition| Term::node(SAID_WHERE, vec![said, expr(condition)]));
    }
    let events =
        pattern.events.iter().map(|event| Term::node("verb", std::iter::once(name(&event.verb)).chain(args(&event.args)).collect()));
    Term::node(EVENT, vec![Term::row("or events", events.collect()), optional(pattern.condition.as_ref(), expr)])
}

fn block(block: &Block) -> Term {
    Term::row(BLOCK, block.statements.iter().map(stmt).collect())
}

fn stmt(stmt: &Stmt) -> Term {
    let with_block = |tag, value: &Expr, body: &Block| Term::node(tag, vec![expr(value), block(body)]);
    let only_block = |tag, body: &Block| Term::node(tag, vec![block(body)]);
    match &stmt.kind {
        StmtKind::Let(own, value) => Term::node(LET, vec![name(own), expr(value)]),
        StmtKind::Call(head, given) => Term::node(LET, vec![Term::Nothing, call(head, given)]),
        StmtKind::Assign(left, right) => Term::node(ASSIGN, vec![expr(left), expr(right)]),
        StmtKind::If(condition, then, other) => Term::node(IF, vec![expr(condition), block(then), optional(other.as_ref(), block)]),
        StmtKind::Loop(body) => only_block("loop", body),
        StmtKind::AsFarAsPossible(body) => only_block(FAR, body),
        StmtKind::Applies(condition) => Term::node("applies", vec![expr(condition)]),
        StmtKind::Judge(condition, body) => Term::node("judge", vec![optional(condition.as_ref(), expr), block(body)]),
        StmtKind::Veiled(condition, body) => Term::node("veiled", vec![optional(condition.as_ref(), expr), block(body)]),
        StmtKind::Atomically(body) => only_block("atomically", body),
        StmtKind::Finally(body) => only_block("finally", body),
        StmtKind::Repeat(times, body) => with_block(REPEAT, times, body),
        StmtKind::May(who, body, ask) => with_block(if ask.secretly { "may secretly" } else { "may" }, who, body),
        StmtKind::ActingAs(who, body) => with_block(ACTING, who, body),
        StmtKind::For(binder, set, body) => Term::node("for", vec![name(binder), expr(set), block(body)]),
        StmtKind::SimultaneouslyFor { in_order, binder, set, body } => {
            let tag = if *in_order { "simultaneously in order" } else { "simultaneously for" };
            Term::node(tag, vec![name(binder), expr(set), block(body)])
        }
        StmtKind::Simultaneously(blocks) => Term::row("simultaneously", blocks.iter().map(block).collect()),
        StmtKind::Break => flag("break"),
        StmtKind::Stop => flag("stop"),
        StmtKind::ApplyRules => flag("apply rules"),
        StmtKind::Return(value) => Term::node("return", vec![optional(value.as_ref(), expr)]),
        StmtKind::Perform(value) => one("perform", value),
        StmtKind::Label(own) => Term::node("label", vec![name(own)]),
        StmtKind::Restart(own) => Term::node("restart", vec![name(own)]),
        StmtKind::Mark(own, MarkReach::Game) => Term::node("mark", vec![name(own)]),
        StmtKind::Mark(own, MarkReach::Copied(of)) => Term::node("mark from", vec![name(own), name(of)]),
        StmtKind::Mark(own, MarkReach::Stretch) => Term::node("mark only here", vec![name(own)]),
        StmtKind::Hole(own) => hole(own),
        StmtKind::Choose(chosen) => choose(chosen),
        StmtKind::ChooseMatch { name: own, of, args: given, by, .. } => {
            let call = Term::node(CALL, std::iter::once(name(of)).chain(args(given)).collect());
            Term::node("choose match", vec![name(own), call, optional(by.as_ref(), expr)])
        }
        StmtKind::Attempt(body, other) => Term::node("attempt", vec![block(body), optional(other.as_ref(), block)]),
        StmtKind::PutBy(body, moment) => Term::node("put by", vec![block(body), optional(moment.as_ref(), name)]),
        StmtKind::Lasting(duration, list) => Term::node("lasting", vec![name(duration), clauses(list)]),
        StmtKind::Emit(own, given, mark) => Term::node("emit", vec![call(own, given), optional(mark.as_ref(), name)]),
        StmtKind::Interrupt(own, given) => Term::node("interrupt", vec![call(own, given)]),
        StmtKind::InterruptFor { binder, set, timing, args } => {
            Term::node("interrupt for", vec![name(binder), expr(set), call(timing, args)])
        }
        StmtKind::Offer(inner) => Term::node("offer", vec![offer(inner)]),
        StmtKind::Declare(own, inner) => Term::node("declare", vec![name(own), offer(inner)]),
        StmtKind::Recheck(conditions, other) => {
            Term::node("recheck", vec![Term::row("conditions", conditions.iter().map(expr).collect()), optional(other.as_ref(), block)])
        }
        StmtKind::Watch(condition, body, aborted) => Term::node("watch", vec![expr(condition), block(body), block(aborted)]),
        StmtKind::During(role, given, body) => Term::node("during", vec![call(role, given), block(body)]),
    }
}

fn choose(choose: &Choose) -> Term {
    let manner = match choose.manner {
        lang::syntax::ast::Manner::Openly => "openly",
        lang::syntax::ast::Manner::Secretly => "secretly",
        lang::syntax::ast::Manner::Blindly => "blindly",
        lang::syntax::ast::Manner::Ranked { secretly: false } => "ranked",
        lang::syntax::ast::Manner::Ranked { secretly: true } => "ranked secretly",
    };
    let by = optional(choose.by.as_ref(), expr);
    let none = if choose.or_none { flag("or none") } else { Term::Nothing };
    Term::node("choose", vec![name(&choose.name), pick(&choose.pick), optional(choose.together.as_ref(), expr), by, flag(manner), none])
}

fn offer(offer: &Offer) -> Term {
    let from = Term::row("groups", offer.from.iter().map(expr).collect());
    let pass = if offer.or_pass { flag("or pass") } else { Term::Nothing };
    let secretly = if offer.secretly { flag("secretly") } else { Term::Nothing };
    Term::node(
        "offered",
        vec![expr(&offer.player), from, pass, secretly, optional(offer.acted.as_ref(), block), optional(offer.passed.as_ref(), block)],
    )
}

fn clauses(list: &[Clause]) -> Term {
    Term::row(CLAUSES, list.iter().map(clause).collect())
}

fn clause(clause: &Clause) -> Term {
    let reacts = |tag, event: &Pattern, body: &Block| Term::node(tag, vec![pattern(event), block(body)]);
    match &clause.kind {
        ClauseKind::Modify(of, list) => Term::node("modify", vec![expr(of), changes(list)]),
        ClauseKind::Price(of, list) => Term::node("price", vec![expr(of), changes(list)]),
        ClauseKind::Grant(to, given) => Term::node("grant", vec![expr(to), Term::row("granted", given.iter().map(granted).collect())]),
        ClauseKind::Strip(from, taken) => {
            Term::node("strip", vec![expr(from), Term::row("stripped", taken.iter().map(stripped).collect())])
        }
        ClauseKind::Disable(of) => one("disable", of),
        ClauseKind::Assume(of) => one("assume", of),
        ClauseKind::Shield(of) => {
            let (word, names) = match &of.from {
                ShieldFrom::Effects => ("shield", &[][..]),
                ShieldFrom::EffectsBefore => ("shield before", &[][..]),
                ShieldFrom::EffectsThat(Turn::Lowering, field) => ("shield from lowering", std::slice::from_ref(field)),
                ShieldFrom::EffectsThat(Turn::Raising, field) => ("shield from raising", std::slice::from_ref(field)),
                ShieldFrom::Choices(choices) => ("shield from choices", choices.as_slice()),
            };
            let inside = [Some(&of.cards), of.effects.as_ref()].into_iter().flatten().map(expr);
            Term::node(word, names.iter().map(name).chain(inside).collect())
        }
        ClauseKind::Forbid(event) => Term::node("forbid", vec![pattern(event)]),
        ClauseKind::Permit(event) => Term::node("permit", vec![pattern(event)]),
        ClauseKind::Require(choice, value) => Term::node("require", vec![name(choice), expr(value)]),
        ClauseKind::Instead(event, body) => reacts("instead", event, body),
        ClauseKind::When(event, body) => reacts("when", event, body),
        ClauseKind::NextTime(event, body) => reacts("next time", event, body),
        ClauseKind::NextInstead(event, body) => reacts("next time instead", event, body),
        ClauseKind::Whenever(condition, body) => Term::node("whenever", vec![expr(condition), block(body)]),
        ClauseKind::While(condition, list) => Term::node("while", vec![expr(condition), clauses(list)]),
        ClauseKind::Hole(own) => hole(own),
    }
}

fn granted(granted: &Granted) -> Term {
    match granted {
        Granted::Ability(inner) => ability(inner),
        Granted::Change(inner) => change(inner),
        Granted::Slot(slot, value) => Term::node("slot", vec![name(slot), expr(value)]),
        Granted::Like(abilities) => Term::node("like", vec![expr(abilities)]),
    }
}

fn stripped(stripped: &Stripped) -> Term {
    match stripped {
        // A keyword has the shape of an ability, because a hole may stand for either.
        Stripped::Keyword(own) => Term::node("ability", vec![Term::row("slots", Vec::new()), Term::node("keyword", vec![name(own)])]),
        Stripped::Ability(inner) => ability(inner),
        Stripped::Abilities(kind) => Term::node("abilities", vec![optional(kind.as_ref(), name)]),
        Stripped::Field(field) => change_field(field),
    }
}

fn point(since: &Since) -> Term {
    match since {
        Since::Named(own) => name(own),
        Since::Event(event) => expr(event),
    }
}

fn change_field(field: &ChangeField) -> Term {
    match field {
        ChangeField::Named(own) => name(own),
        ChangeField::Hole(own) => hole(own),
    }
}

fn changes(list: &[Change]) -> Term {
    Term::row(CHANGES, list.iter().map(change).collect())
}

fn change(change: &Change) -> Term {
    let op = match change.op {
        lang::syntax::ast::ChangeOp::Floor => "floor",
        lang::syntax::ast::ChangeOp::Set => "set",
        lang::syntax::ast::ChangeOp::SetPrinted => "set printed",
        lang::syntax::ast::ChangeOp::AddPrinted => "add printed",
        lang::syntax::ast::ChangeOp::Add => "add",
        lang::syntax::ast::ChangeOp::Subtract => "subtract",
        lang::syntax::ast::ChangeOp::Multiply => "multiply",
        lang::syntax::ast::ChangeOp::Divide => "divide",
    };
    Term::node(op, vec![change_field(&change.field), expr(&change.value)])
}

/// The term of an ability.
pub(super) fn ability(ability: &Ability) -> Term {
    let slots = Term::row("slots", args(&ability.slots).collect());
    let body = match &ability.kind {
        AbilityBody::Hole(own) => return hole(own),
        AbilityBody::Kind(own, body) => Term::node("kind", vec![name(own), block(body)]),
        AbilityBody::Static(condition, list) => Term::node("static", vec![optional(condition.as_ref(), expr), clauses(list)]),
        AbilityBody::When(event, body) => Term::node("when", vec![pattern(event), block(body)]),
        AbilityBody::Instead(event, body) => Term::node("instead", vec![pattern(event), block(body)]),
        AbilityBody::Whenever(condition, body) => Term::node("whenever", vec![expr(condition), block(body)]),
        AbilityBody::Keyword(own) => Term::node("keyword", vec![name(own)]),
        AbilityBody::Deck(limits) => Term::row("deck", limits.iter().map(limit).collect()),
    };
    Term::node("ability", vec![slots, body])
}

fn limit(limit: &DeckLimit) -> Term {
    let limit = match limit {
        DeckLimit::Bound(bound) => bound,
        DeckLimit::Must(must) => return Term::node("must", vec![expr(&must.condition)]),
    };
    let limited = |op: BinaryOp| match op {
        BinaryOp::Equal => "limit ==",
        BinaryOp::NotEqual => "limit !=",
        BinaryOp::Less => "limit <",
        BinaryOp::LessEqual => "limit <=",
        BinaryOp::Greater => "limit >",
        BinaryOp::GreaterEqual => "limit >=",
        _ => "limit",
    };
    let by = Term::Row("by", limit.by.iter().map(name).collect());
    let counted = optional(limit.counted.as_ref(), |(field, op, value)| Term::node(limited(*op), vec![name(field), expr(value)]));
    Term::node(limited(limit.op), vec![name(&limit.what), by, expr(&limit.bound), counted, optional(limit.when.as_ref(), expr)])
}
