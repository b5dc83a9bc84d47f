//! Shows a program as text for maintainers: one line for each statement, expressions as words. For tests and for `explain`.
//!
//! | file | does |
//! | --- | --- |
//! | `expressions.rs` | nodes, statements and patterns as words |

mod expressions;

use self::expressions::Show;
use engine::ids::{AbilityId, CardId, ClauseId, Id, NodeId, Pc, Reg, RoutineId};
use engine::program::{AbilityDef, ClauseKind, Fill, Op, Program, Way};
use std::fmt::Write;

/// The listing of everything that runs: routines, rules, clauses.
#[must_use]
pub fn listing(program: &Program) -> String {
    let mut out = String::new();
    for (id, _) in program.routines.iter() {
        routine(program, id, &mut out);
    }
    let show = Show::new(program);
    for (_, rule) in program.rules.iter() {
        let when = show.node(rule.condition);
        let _ =
            writeln!(out, "rule {} when{} {when} -> routine {}", rule.name.name, if rule.becomes { " becomes" } else { "" }, rule.body.0);
    }
    for (_, kind) in program.fields.iter().filter_map(|(id, field)| Some((id, (field.name.name.as_str(), field.derived?)))) {
        let _ = writeln!(out, "field {} = {}", kind.0, show.node(kind.1));
    }
    for (id, _) in program.clauses.iter() {
        clause(program, id, &mut out);
    }
    out
}

/// The listing of one card: its abilities with their bodies and clauses.
#[must_use]
pub(crate) fn listing_of_card(program: &Program, card: CardId) -> String {
    let mut out = String::new();
    let Some(def) = program.cards.get(card) else { return out };
    for at in 0..def.abilities.1 {
        let Some(ability) = program.abilities.get(AbilityId(def.abilities.0.0 + at)) else { continue };
        let kind = program.kinds.get(ability.kind).map_or("", |kind| kind.name.name.as_str());
        let _ = writeln!(out, "ability {kind}");
        parts(program, ability, &mut out);
    }
    out
}

/// An expression in words. `names`: the names of the registers from `first` on.
#[must_use]
pub(crate) fn expression_in_words(program: &Program, node: NodeId, first: Reg, names: &[&str]) -> String {
    let words = Show::new(program).node(node);
    // The last register first: `r1` is the beginning of `r12`.
    let named = names.iter().enumerate().rev();
    named.fold(words, |words, (at, name)| words.replace(&format!("r{}", usize::from(first.0) + at), name))
}

/// An ability that a clause grants, with its clauses and bodies.
fn ability_in_words(program: &Program, id: AbilityId) -> String {
    let Some(ability) = program.abilities.get(id) else { return String::new() };
    let mut out = program.kinds.get(ability.kind).map_or_else(String::new, |kind| format!("{} ", kind.name.name));
    parts(program, ability, &mut out);
    out
}

/// The body and the clauses of an ability.
fn parts(program: &Program, ability: &AbilityDef, out: &mut String) {
    if let Some(body) = ability.body {
        routine(program, body, out);
    }
    for id in &ability.clauses {
        clause(program, *id, out);
        if let Some(body) = program.clauses.get(*id).and_then(|def| def.kind.body()) {
            routine(program, body, out);
        }
    }
}

/// One body. Its statements are numbered from 0, so that a change elsewhere does not change the listing.
fn routine(program: &Program, id: RoutineId, out: &mut String) {
    let Some(def) = program.routines.get(id) else { return };
    let _ = writeln!(out, "routine {} {} ({} parameters, {} registers)", id.0, def.name.name, def.parameters, def.registers);
    let show = Show::new(program);
    for index in def.start.index()..program.code.len() {
        let pc = Pc::from_index(index);
        let Some(op) = program.code.get(pc) else { break };
        let cites = program.code_cites.get(pc).and_then(|cites| program.cites.get(*cites)).map(|cites| cites.join(" ")).unwrap_or_default();
        let cites = if cites.is_empty() { cites } else { format!("  @{cites}") };
        let _ = writeln!(out, "  {:>3} {}{cites}", index - def.start.index(), show.op(*op, def.start));
        if *op == Op::End {
            break;
        }
    }
}

fn clause(program: &Program, id: ClauseId, out: &mut String) {
    let Some(def) = program.clauses.get(id) else { return };
    let show = Show::new(program);
    let kind = match &def.kind {
        ClauseKind::Modify { what, changes } => {
            let changes: Vec<String> = changes.iter().map(|change| show.change(change)).collect();
            format!("modify {} {{ {} }}", show.node(*what), changes.join("  "))
        }
        ClauseKind::Control { what, by } => format!("modify {} {{ controller = {} }}", show.node(*what), show.node(*by)),
        ClauseKind::Price { what, changes } => {
            let changes: Vec<String> = changes.iter().map(|change| show.price(change)).collect();
            format!("price of {} {{ {} }}", show.node(*what), changes.join("  "))
        }
        ClauseKind::Fill { what, slot, fill } => {
            let slot = program.slots.get(*slot).map_or("", |slot| slot.name.name.as_str());
            let pays = if let Fill::Cost { pay, .. } = fill { pay.0 } else { 0 };
            format!("grant {} {{ {slot}: routine {pays} }}", show.node(*what))
        }
        ClauseKind::Disable(what) => format!("disable {}", show.node(*what)),
        ClauseKind::Forbid(pattern) => format!("forbid {}", show.pattern(*pattern)),
        ClauseKind::Instead { pattern, optional, body, once, .. } => {
            let asked = optional.map_or_else(String::new, |choice| format!(" if {}", show.choice(choice)));
            let next = if *once { "next time " } else { "" };
            format!("{next}instead of {}{asked} -> routine {}", show.pattern(*pattern), body.0)
        }
        ClauseKind::When { pattern, body, once } => {
            format!("{} {} -> routine {}", if *once { "next time" } else { "when" }, show.pattern(*pattern), body.0)
        }
        ClauseKind::Whenever { condition, body } => format!("whenever {} -> routine {}", show.node(*condition), body.0),
        ClauseKind::Grant { to, abilities, like } => {
            let like = (*like != NodeId::NONE).then(|| format!("like {}", show.node(*like)));
            let inside: Vec<String> = abilities.iter().map(|ability| ability_in_words(program, *ability)).chain(like).collect();
            format!("grant {} {{ {} }}", show.node(*to), inside.join("  "))
        }
        ClauseKind::Strip { from, what } => format!("strip {} {what:?}", show.node(*from)),
        ClauseKind::Shield { what, before_now, turning, effects } => {
            let before = if *before_now { " before now" } else { "" };
            let turning = turning.map_or_else(String::new, |(field, way)| {
                let name = program.fields.get(field).map_or("?", |field| &field.name.name);
                format!(" {} {name}", if way == Way::Down { "lowering" } else { "raising" })
            });
            let condition = if *effects == NodeId::NONE { String::new() } else { format!(" where {}", show.node(*effects)) };
            format!("shield {} from effects{before}{turning}{condition}", show.node(*what))
        }
        ClauseKind::ShieldFromChoices { what, choices, causes } => {
            let condition = if *causes == NodeId::NONE { String::new() } else { format!(" where {}", show.node(*causes)) };
            format!("shield {} from choices {choices:?}{condition}", show.node(*what))
        }
        ClauseKind::Assume { fact, args } => format!("assume {}({})", fact.0, show.args(*args)),
        ClauseKind::Permit(pattern) => format!("permit {}", show.pattern(*pattern)),
        ClauseKind::Require { choice, what } => format!("require in {choice}: {}", show.node(*what)),
    };
    let captures: Vec<String> = def.captures.iter().map(|reg| format!("r{}", reg.0)).collect();
    let captures = if captures.is_empty() { String::new() } else { format!(" captures {}", captures.join(" ")) };
    let condition = if def.condition == NodeId::NONE { String::new() } else { format!(" while {}", show.node(def.condition)) };
    let _ = writeln!(out, "clause {} {kind}{condition}{captures}", id.0);
}
