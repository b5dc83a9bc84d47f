//! Shows scripts in one line, as an author would write them: for messages, `explain` and snapshots.
//!
//! The result can be read again. Breaking lines is the formatter's task. A woven script has no holes; before binding it may contain `the
//! CLASS`.

use lang::syntax::ast::{
    Ability, AbilityBody, Amount, Arg, BinaryOp, Block, Change, ChangeField, ChangeOp, Choose, Clause, ClauseKind, DeckLimit, End, Expr,
    ExprKind, Fragment, Granted, Manner, MarkReach, Name, Pattern, ShieldFrom, Since, Stmt, StmtKind, Stripped,
};

/// An expression as written.
#[must_use]
pub fn show_expr(written: &Expr) -> String {
    expr(written)
}

/// An ability as written.
#[must_use]
pub fn show_ability(ability: &Ability) -> String {
    let slots = if ability.slots.is_empty() { String::new() } else { format!("({})", args(&ability.slots)) };
    match &ability.kind {
        AbilityBody::Kind(name, body) => format!("{}{slots} {}", name.text, block(body)),
        AbilityBody::Static(condition, clauses) => {
            let condition = condition.as_ref().map_or_else(String::new, |condition| format!("while {} ", expr(condition)));
            format!("static{slots} {condition}{}", clause_block(clauses))
        }
        AbilityBody::When(event, body) => format!("when{slots} {} {}", pattern(event), block(body)),
        AbilityBody::Instead(event, body) => format!("instead of{slots} {} {}", pattern(event), block(body)),
        AbilityBody::Whenever(condition, body) => format!("whenever{slots} {} becomes true {}", expr(condition), block(body)),
        AbilityBody::Keyword(name) => format!("keyword {}", name.text),
        AbilityBody::Deck(limits) => format!("deck {{ {} }}", limits.iter().map(limit).collect::<Vec<_>>().join("  ")),
        AbilityBody::Hole(name) => format!("${}", name.text),
    }
}

/// A fragment as written on a template's right side.
#[must_use]
pub fn show_fragment(fragment: &Fragment) -> String {
    match fragment {
        Fragment::Value(value) => expr(value),
        Fragment::Statements(statements) => block(statements),
        Fragment::Clauses(clauses) => format!("clauses {}", clause_block(clauses)),
        Fragment::Ability(ability) => format!("ability {}", show_ability(ability)),
        Fragment::Event(event) => format!("event {}", pattern(event)),
        Fragment::Amount(amount) => format!("amount {}", how_many(amount)),
    }
}

fn limit(limit: &DeckLimit) -> String {
    let limit = match limit {
        DeckLimit::Bound(bound) => bound,
        DeckLimit::Must(must) => return format!("must {}", expr(&must.condition)),
    };
    let by: Vec<&str> = limit.by.iter().map(|by| by.text.as_str()).collect();
    let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
    let counted = limit.counted.as_ref();
    let counted = counted.map_or_else(String::new, |(field, op, value)| format!(" where {} {} {}", field.text, operator(*op), expr(value)));
    let when = limit.when.as_ref().map_or_else(String::new, |when| format!(" when {}", expr(when)));
    format!("{}{by} {} {}{counted}{when}", limit.what.text, operator(limit.op), expr(&limit.bound))
}

fn block(block: &Block) -> String {
    if block.statements.is_empty() {
        return "{ }".to_owned();
    }
    format!("{{ {} }}", block.statements.iter().map(stmt).collect::<Vec<_>>().join("  "))
}

fn or_else(other: Option<&Block>) -> String {
    other.map_or_else(String::new, |other| format!(" else {}", block(other)))
}

fn stmt(stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Let(name, value) => format!("let {} = {}", name.text, expr(value)),
        StmtKind::Assign(left, right) => format!("{} = {}", expr(left), expr(right)),
        StmtKind::If(condition, then, other) => format!("if {} {}{}", expr(condition), block(then), or_else(other.as_ref())),
        StmtKind::Loop(body) => format!("loop {}", block(body)),
        StmtKind::Repeat(times, body) => format!("repeat {} {}", expr(times), block(body)),
        StmtKind::For(name, set, body) => format!("for {} in {} {}", name.text, expr(set), block(body)),
        StmtKind::Break => "break".to_owned(),
        StmtKind::Return(None) => "return".to_owned(),
        StmtKind::Return(Some(value)) => format!("return({})", expr(value)),
        StmtKind::Stop => "stop".to_owned(),
        StmtKind::Label(name) => format!("label {}", name.text),
        StmtKind::Restart(name) => format!("restart {}", name.text),
        StmtKind::Choose(choice) => choose(choice),
        StmtKind::ChooseMatch { name, of, args, by, .. } => {
            let by = by.as_ref().map_or_else(String::new, |by| format!(" by {}", expr(by)));
            format!("choose {}: {}{by}", name.text, call(of, args))
        }
        StmtKind::May(player, body, ask) => {
            let secretly = if ask.secretly { " secretly" } else { "" };
            match body.statements.as_slice() {
                [Stmt { kind: StmtKind::Attempt(..), .. }] => {
                    format!("may {}{secretly} {}", expr(player), body.statements.iter().map(self::stmt).collect::<String>())
                }
                _ => format!("may {}{secretly} {}", expr(player), block(body)),
            }
        }
        StmtKind::Attempt(body, other) => format!("attempt {}{}", block(body), or_else(other.as_ref())),
        StmtKind::AsFarAsPossible(body) => format!("as far as possible {}", block(body)),
        StmtKind::Applies(condition) => format!("applies if {}", expr(condition)),
        StmtKind::SimultaneouslyFor { in_order, binder, set, body } => {
            format!("simultaneously {}for {} in {} {}", if *in_order { "in order " } else { "" }, binder.text, expr(set), block(body))
        }
        StmtKind::Simultaneously(blocks) => format!("simultaneously {}", blocks.iter().map(block).collect::<Vec<_>>().join(" ")),
        StmtKind::Judge(None, body) => format!("judge together {}", block(body)),
        StmtKind::Judge(Some(condition), body) => format!("judge together if {} {}", expr(condition), block(body)),
        StmtKind::Atomically(body) => format!("atomically {}", block(body)),
        StmtKind::Finally(body) => format!("finally {}", block(body)),
        StmtKind::Veiled(None, body) => format!("veiled {}", block(body)),
        StmtKind::Veiled(Some(condition), body) => format!("veiled if {} {}", expr(condition), block(body)),
        StmtKind::Perform(what) => format!("perform {}", expr(what)),
        StmtKind::ActingAs(player, body) => format!("acting as {} {}", expr(player), block(body)),
        StmtKind::Call(name, given) => call(name, given),
        StmtKind::PutBy(body, moment) => {
            let until = moment.as_ref().map_or_else(String::new, |moment| format!(" until {}", moment.text));
            format!("put by {}{until}", block(body))
        }
        StmtKind::Lasting(duration, clauses) => format!("lasting {} {}", duration.text, clause_block(clauses)),
        StmtKind::Emit(name, given, None) => format!("emit {}", call(name, given)),
        StmtKind::Emit(name, given, Some(mark)) => format!("emit {} once each ability since {}", call(name, given), mark.text),
        StmtKind::Offer(offer) | StmtKind::Declare(_, offer) => format!("offer {}", expr(&offer.player)),
        StmtKind::Recheck(conditions, other) => {
            format!("recheck {}{}", conditions.iter().map(expr).collect::<Vec<_>>().join(", "), or_else(other.as_ref()))
        }
        StmtKind::Interrupt(name, given) => format!("interrupt {}", call(name, given)),
        StmtKind::InterruptFor { binder, set, timing, args } => {
            format!("interrupt for {} in {}: {}", binder.text, expr(set), call(timing, args))
        }
        StmtKind::Watch(condition, body, aborted) => format!("watch {} {} aborted {}", expr(condition), block(body), block(aborted)),
        StmtKind::During(name, given, body) => format!("during {} {}", call(name, given), block(body)),
        StmtKind::ApplyRules => "apply rules".to_owned(),
        StmtKind::Mark(name, MarkReach::Game) => format!("mark {}", name.text),
        StmtKind::Mark(name, MarkReach::Copied(of)) => format!("mark {} from {}", name.text, of.text),
        StmtKind::Mark(name, MarkReach::Stretch) => format!("mark {} only here", name.text),
        StmtKind::Hole(name) => format!("${}", name.text),
    }
}

fn choose(choose: &Choose) -> String {
    let mut written = format!("choose {}: {} from {}", choose.name.text, how_many(&choose.pick.amount), tight(&choose.pick.from));
    if let Some(together) = &choose.together {
        written += &format!(" together {}", expr(together));
    }
    if let Some(by) = &choose.by {
        written += &format!(" by {}", expr(by));
    }
    written += match choose.manner {
        Manner::Openly => "",
        Manner::Secretly => " secretly",
        Manner::Blindly => " blindly",
        Manner::Ranked { secretly: false } => " ranked",
        Manner::Ranked { secretly: true } => " ranked secretly",
    };
    written + if choose.or_none { " or none" } else { "" }
}

fn clause_block(clauses: &[Clause]) -> String {
    format!("{{ {} }}", clauses.iter().map(clause).collect::<Vec<_>>().join("  "))
}

fn clause(clause: &Clause) -> String {
    match &clause.kind {
        ClauseKind::Modify(of, changed) => format!("modify {} {}", expr(of), changes(changed)),
        ClauseKind::Grant(to, all) => format!("grant {} {{ {} }}", expr(to), all.iter().map(given).collect::<Vec<_>>().join("  ")),
        ClauseKind::Strip(from, all) => format!("strip {} {{ {} }}", expr(from), all.iter().map(taken).collect::<Vec<_>>().join("  ")),
        ClauseKind::Shield(of) => {
            let effects = of.effects.as_ref().map_or_else(String::new, |condition| format!(" where {}", expr(condition)));
            let from = match &of.from {
                ShieldFrom::Effects => "effects".to_owned(),
                ShieldFrom::EffectsBefore => "effects before now".to_owned(),
                ShieldFrom::EffectsThat(turn, field) => format!("effects {} {}", turn.word(), field.text),
                ShieldFrom::Choices(choices) if choices.is_empty() => "choices".to_owned(),
                ShieldFrom::Choices(choices) => {
                    format!("choices in {}", choices.iter().map(|choice| choice.text.as_str()).collect::<Vec<_>>().join(", "))
                }
            };
            format!("shield {} from {from}{effects}", expr(&of.cards))
        }
        ClauseKind::Disable(of) => format!("disable {}", expr(of)),
        ClauseKind::Forbid(event) => format!("forbid {}", pattern(event)),
        ClauseKind::Permit(event) => format!("permit {}", pattern(event)),
        ClauseKind::Require(choice, value) => format!("require in {}: {}", choice.text, expr(value)),
        ClauseKind::Instead(event, body) => format!("instead of {} {}", pattern(event), block(body)),
        ClauseKind::When(event, body) => format!("when {} {}", pattern(event), block(body)),
        ClauseKind::Whenever(condition, body) => format!("whenever {} becomes true {}", expr(condition), block(body)),
        ClauseKind::NextInstead(event, body) => format!("next time instead of {} {}", pattern(event), block(body)),
        ClauseKind::NextTime(event, body) => format!("next time {} {}", pattern(event), block(body)),
        ClauseKind::Price(of, changed) => format!("price of {} {}", expr(of), changes(changed)),
        ClauseKind::Assume(fact) => format!("assume {}", expr(fact)),
        ClauseKind::While(condition, clauses) => format!("while {} {}", expr(condition), clause_block(clauses)),
        ClauseKind::Hole(name) => format!("${}", name.text),
    }
}

fn changes(changes: &[Change]) -> String {
    format!("{{ {} }}", changes.iter().map(change).collect::<Vec<_>>().join("  "))
}

fn change(change: &Change) -> String {
    format!("{} {} {}", change_field(&change.field), change_op(change.op), expr(&change.value))
}

fn change_field(field: &ChangeField) -> String {
    match field {
        ChangeField::Named(name) => name.text.clone(),
        ChangeField::Hole(name) => format!("${}", name.text),
    }
}

fn given(given: &Granted) -> String {
    match given {
        Granted::Ability(given) => show_ability(given),
        Granted::Change(given) => change(given),
        Granted::Slot(slot, value) => format!("{}: {}", slot.text, expr(value)),
        Granted::Like(abilities) => format!("like {}", expr(abilities)),
    }
}

fn taken(taken: &Stripped) -> String {
    match taken {
        Stripped::Keyword(name) => format!("keyword {}", name.text),
        Stripped::Abilities(None) => "abilities".to_owned(),
        Stripped::Abilities(Some(kind)) => format!("abilities: {}", kind.text),
        Stripped::Ability(ability) => show_ability(ability),
        Stripped::Field(field) => change_field(field),
    }
}

fn change_op(op: ChangeOp) -> &'static str {
    match op {
        ChangeOp::Set => "=",
        ChangeOp::SetPrinted => "printed =",
        ChangeOp::AddPrinted => "printed +",
        ChangeOp::Add => "+",
        ChangeOp::Subtract => "-",
        ChangeOp::Multiply => "*",
        ChangeOp::Divide => "/",
        ChangeOp::Floor => "at least",
    }
}

fn pattern(pattern: &Pattern) -> String {
    let events = pattern.events.iter().map(|event| call(&event.verb, &event.args)).collect::<Vec<_>>().join(" or ");
    match &pattern.condition {
        Some(condition) => format!("{events} where {}", expr(condition)),
        None => events,
    }
}

fn call(name: &Name, given: &[Arg]) -> String {
    format!("{}({})", name.text, args(given))
}

fn args(args: &[Arg]) -> String {
    let one = |arg: &Arg| match &arg.name {
        Some(name) => format!("{}: {}", name.text, expr(&arg.value)),
        None => expr(&arg.value),
    };
    args.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn how_many(amount: &Amount) -> String {
    match amount {
        Amount::Exactly(number) => expr(number),
        Amount::UpTo(number) => format!("up to {}", expr(number)),
        Amount::Announced(number) => format!("announced up to {}", expr(number)),
        Amount::AnyNumber(_) => "any number".to_owned(),
    }
}

/// An operand, in parentheses unless it is one word, call or field.
fn tight(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Ordinal(..)
        | ExprKind::Bool(_)
        | ExprKind::Name(_)
        | ExprKind::Call(..)
        | ExprKind::Field(..)
        | ExprKind::List(_)
        | ExprKind::Tuple(_)
        | ExprKind::The(_)
        | ExprKind::Hole(_)
        | ExprKind::Any(_) => expr(value),
        _ => format!("({})", expr(value)),
    }
}

fn expr(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Text(text) => format!("\"{text}\""),
        ExprKind::Ordinal(text, number) => format!("\"{text}\" #{number}"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Call(name, given) => call(name, given),
        ExprKind::Field(of, name) => format!("{}.{}", tight(of), name.text),
        ExprKind::Printed(inner) => format!("printed {}", tight(inner)),
        ExprKind::List(items) => format!("[{}]", items.iter().map(expr).collect::<Vec<_>>().join(", ")),
        ExprKind::Tuple(items) => format!("({})", items.iter().map(expr).collect::<Vec<_>>().join(", ")),
        ExprKind::Cited(_, inner) => expr(inner),
        ExprKind::Not(inner) => format!("not {}", tight(inner)),
        ExprKind::Negate(inner) => format!("-{}", tight(inner)),
        ExprKind::Binary(left, op, right) => format!("{} {} {}", tight(left), operator(*op), tight(right)),
        ExprKind::Is { subject, negated, what } => format!("{} is {}{}", tight(subject), if *negated { "not " } else { "" }, what.text),
        ExprKind::Has { subject, what } => format!("{} has {}", tight(subject), tight(what)),
        ExprKind::Exists(inner) => format!("{} exists", tight(inner)),
        ExprKind::If(condition, then, other) => format!("if {} then {} else {}", expr(condition), expr(then), expr(other)),
        ExprKind::Where { set, binder, condition } => {
            let binder = binder.as_ref().map_or_else(String::new, |binder| format!(" as {}", binder.text));
            format!("{}{binder} where {}", tight(set), expr(condition))
        }
        ExprKind::Some(inner) => format!("some {}", expr(inner)),
        ExprKind::All(inner) => format!("all {}", expr(inner)),
        ExprKind::End { end, count, zone } => {
            let count = count.as_ref().map_or_else(String::new, |count| format!(" {}", tight(count)));
            format!("{}{count} of {}", if *end == End::Top { "top" } else { "bottom" }, tight(zone))
        }
        ExprKind::Pick(pick) => {
            let by = pick.by.as_ref().map(|by| format!(" by {}", tight(by))).unwrap_or_default();
            format!("{} from {}{by}", how_many(&pick.amount), tight(&pick.from))
        }
        ExprKind::Happened(event, since) => format!("happened {}{}", pattern(event), since_when(since.as_ref())),
        ExprKind::Latest(event, since) => format!("latest ({}){}", pattern(event), since_when(since.as_ref())),
        ExprKind::Can(inner) => format!("can {}", expr(inner)),
        ExprKind::WithoutEffect(left, right) => format!("{} without {}", tight(left), tight(right)),
        ExprKind::Caused(name, of) => format!("{} of {}", name.text, tight(of)),
        ExprKind::Any(name) => format!("any {}", name.text),
        ExprKind::Every { name, member, condition } => {
            let member = member.as_ref().map_or_else(String::new, |member| format!(" as {}", member.text));
            let condition = condition.as_ref().map_or_else(String::new, |condition| format!(" where {}", expr(condition)));
            format!("all {}{member}{condition}", name.text)
        }
        ExprKind::The(name) => format!("the {}", name.text),
        ExprKind::Hole(name) => format!("${}", name.text),
    }
}

fn since_when(since: Option<&Since>) -> String {
    match since {
        Some(Since::Named(point)) => format!(" since {}", point.text),
        Some(Since::Event(event)) => format!(" since {}", expr(event)),
        None => String::new(),
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::In => "in",
        BinaryOp::NotIn => "not in",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "mod",
        BinaryOp::Except => "except",
        BinaryOp::Union => "with",
    }
}
