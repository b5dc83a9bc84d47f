//! Abilities that wait in a position: abilities of cards, found by kind and card, and declared options. The values of their slots are
//! compiled with the position's names.

use crate::lookup::Lookup;
use crate::position::setup::{Aliases, Plan, zone_written};
use crate::terms;
use compile::{Compiler, Fillable};
use engine::ids::{AbilityId, KindId, NodeId, RoutineId};
use engine::program::Program;
use engine::state::placed_abilities::{Laid, Waiting, granted_by, granted_through, waits};
use engine::value::{ObjectId, Player};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Expr, ExprKind, Given, GivenWaiting, Name};

/// The waiting abilities, in the order in which they began to wait. `begun`: the bodies that begin the position's effects.
///
/// # Errors
/// `E0538` for a source that is no card's name, `E0622` to `E0628` and `E0633` for something that no game can have, and the compiler's
/// findings about the values.
pub(crate) fn waiting(
    compiler: &mut Compiler,
    made_up: usize,
    (given, begun): (&Given, &[RoutineId]),
    plan: &Plan,
    aliases: &Aliases,
) -> Result<Vec<Waiting>, Diagnostic> {
    given.waiting.iter().map(|waiting| one(compiler, made_up, (given, begun, waiting), plan, aliases)).collect()
}

fn one(
    compiler: &mut Compiler,
    made_up: usize,
    (given, begun, waiting): (&Given, &[RoutineId], &GivenWaiting),
    plan: &Plan,
    aliases: &Aliases,
) -> Result<Waiting, Diagnostic> {
    if given.setup {
        return Err(Diagnostic::error("E0628", waiting.span));
    }
    let sources = waiting.sources.iter().map(|name| crate::position::effects::named(name, aliases)).collect::<Result<Vec<_>, _>>()?;
    let lookup = Lookup { compiler, made_up };
    let you = waiting.by.as_ref().map(|seat| lookup.seat(seat)).transpose()?;
    let place = waiting.zone.as_ref().map(|zone| zone_of_abilities(lookup, zone)).transpose()?;
    let (what, fillable) = match sources.first() {
        Some(source) => {
            let giver = waiting.from.as_ref().map(|name| crate::position::effects::named(name, aliases)).transpose()?;
            let ability = ability(lookup, waiting, (plan, begun), (*source, giver))?;
            (Laid::Ability(ability), compiler.fillable(ability))
        }
        None => declared(compiler, waiting)?,
    };
    let filled = filled(compiler, waiting, &fillable, aliases)?;
    Ok(Waiting { what, sources, you, place, filled })
}

/// The declared option of that name.
fn declared(compiler: &Compiler, waiting: &GivenWaiting) -> Result<(Laid, Vec<Fillable>), Diagnostic> {
    let (name, span) = (&waiting.kind.text, waiting.kind.span);
    let unknown = || Diagnostic::error("E0633", span).with("name", name).suggest(name, compiler.declarables());
    let option = compiler.declarable(name).filter(|_| waiting.from.is_none() && waiting.which.is_none()).ok_or_else(unknown)?;
    if waiting.by.is_none() {
        return Err(Diagnostic::error("E0634", span).with("name", name));
    }
    Ok((Laid::Option(option), compiler.kept_by(option)))
}

/// The candidates: the abilities printed on a card, or given by another card's text. Second, abilities of the kind that an effect of the
/// position gives, if the card prints none.
fn candidates(program: &Program, plan: &Plan, begun: &[RoutineId], source: ObjectId, giver: Option<ObjectId>) -> [Vec<AbilityId>; 2] {
    if let Some(card) = giver.and_then(|giver| plan.card_of(giver)) {
        return [granted_through(program, card), Vec::new()];
    }
    let card = plan.card_of(source).and_then(|card| program.cards.get(card));
    let (first, count) = card.map_or((AbilityId(0), 0), |card| card.abilities);
    let printed = (first.0..first.0 + count).map(AbilityId).collect();
    [printed, begun.iter().flat_map(|body| granted_by(program, *body)).collect()]
}

/// The ability of a kind that a card prints, or that was given to the card.
fn ability(
    lookup: Lookup<'_>,
    waiting: &GivenWaiting,
    (plan, begun): (&Plan, &[RoutineId]),
    (source, giver): (ObjectId, Option<ObjectId>),
) -> Result<AbilityId, Diagnostic> {
    let kinds = &lookup.compiler.symbols().kinds;
    let (kind, program) = (&waiting.kind, lookup.compiler.program());
    let card = plan.card_of(giver.unwrap_or(source)).and_then(|card| program.cards.get(card));
    let all = candidates(program, plan, begun, source, giver);
    let of_kind = |all: &Vec<AbilityId>, kind: KindId| -> Vec<AbilityId> {
        all.iter().copied().filter(|id| program.abilities.get(*id).is_some_and(|ability| ability.kind == kind)).collect()
    };
    let wanted = kinds.id::<KindId>(&kind.text);
    let found = all.iter().filter_map(|all| Some(of_kind(all, wanted?))).find(|found| !found.is_empty()).unwrap_or_default();
    let name = card.and_then(|card| program.texts.get(card.name)).map_or("", String::as_str);
    let chosen = match (found.as_slice(), waiting.which) {
        ([only], None) => *only,
        ([], _) => {
            let known = all.iter().flatten().filter_map(|id| kind_name(program, *id));
            return Err(Diagnostic::error("E0622", kind.span).with("kind", &kind.text).with("card", name).suggest(&kind.text, known));
        }
        (several, which) => {
            let chosen = which.and_then(|which| several.get((which as usize).checked_sub(1)?));
            let many = || Diagnostic::error("E0623", kind.span).with("kind", &kind.text).with("card", name).with("count", several.len());
            *chosen.ok_or_else(many)?
        }
    };
    if waits(program, chosen).is_none() {
        return Err(Diagnostic::error("E0624", kind.span).with("kind", &kind.text));
    }
    Ok(chosen)
}

fn kind_name(program: &Program, ability: AbilityId) -> Option<&str> {
    let kind = program.kinds.get(program.abilities.get(ability)?.kind)?;
    Some(kind.name.name.as_str())
}

fn zone_of_abilities(lookup: Lookup<'_>, written: &Expr) -> Result<(engine::ids::ZoneId, Player), Diagnostic> {
    let no_zone = || Diagnostic::error("E0625", written.span);
    let (zone, player) = zone_written(lookup, written).ok_or_else(no_zone)??;
    let def = lookup.compiler.program().zones.get(zone).filter(|zone| zone.abilities).ok_or_else(no_zone)?;
    // A zone that each player has needs its player.
    if def.each_player == matches!(written.kind, ExprKind::Name(_)) {
        return Err(Diagnostic::error("E0248", written.span).with("zone", &def.name.name));
    }
    Ok((zone, player))
}

fn filled(
    compiler: &mut Compiler,
    waiting: &GivenWaiting,
    fillable: &[Fillable],
    aliases: &Aliases,
) -> Result<Vec<(usize, NodeId, bool)>, Diagnostic> {
    let scope = terms::scope(compiler, aliases.iter().map(|(name, named)| (name.as_str(), named.first())));
    let mut filled: Vec<(usize, NodeId, bool)> = Vec::new();
    for (name, value) in &waiting.values {
        let slot = fillable.iter().find(|slot| slot.name == name.text).ok_or_else(|| unknown(waiting, name, fillable))?;
        if filled.iter().any(|(at, ..)| *at == slot.at) {
            return Err(Diagnostic::error("E0514", name.span).with("name", &name.text));
        }
        let value = as_wanted(value, slot);
        if let (Some(parts), ExprKind::List(amounts)) = (slot.parts, &value.kind)
            && amounts.len() != parts
        {
            return Err(Diagnostic::error("E0627", value.span).with("slot", &name.text).with("parts", parts).with("given", amounts.len()));
        }
        let node = compiler.expression_of(&value, slot.ty, &scope).map_err(|found| terms::first(found, value.span, "value"))?;
        filled.push((slot.at, node, slot.ty.set));
    }
    Ok(filled)
}

/// A single amount stands for the list of amounts of a cost with one part. `none` means that nothing was chosen.
fn as_wanted(value: &Expr, slot: &Fillable) -> Expr {
    match &value.kind {
        ExprKind::Name(name) if name.text == "none" && slot.ty.set => Expr { kind: ExprKind::List(Vec::new()), span: value.span },
        ExprKind::Number(_) if slot.ty.set => Expr { kind: ExprKind::List(vec![value.clone()]), span: value.span },
        _ => value.clone(),
    }
}

fn unknown(waiting: &GivenWaiting, name: &Name, fillable: &[Fillable]) -> Diagnostic {
    let known = fillable.iter().map(|slot| slot.name.as_str());
    Diagnostic::error("E0626", name.span).with("kind", &waiting.kind.text).with("name", &name.text).suggest(&name.text, known)
}
