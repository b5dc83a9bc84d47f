//! The rules of a step besides those of its statement: of the declaration, ability or effect that it is about, and of what prevented it.

use engine::abilities::without_effect;
use engine::ids::{AbilityId, CitesId, VerbId};
use engine::program::{Builtin, ClauseDef, ClauseKind, KindDef, Principle, Program, ZoneDef};
use engine::state::Holds;
use engine::state::board::zone_of;
use engine::steps::{Step, Unfit, View, Why};
use engine::value::{Place, Value};
use engine::why::rules_of_layers;

/// The rules that a step carries out by itself, whatever its statement cites: those by which an effect applies in its layers, an ability
/// waits, the number of its uses is used up, an effect does not replace an action, and a card that moves becomes a new one or is hidden again.
pub(super) fn of_step(view: &View<'_>, step: &Step) -> Vec<CitesId> {
    let program = view.program;
    let found: Vec<CitesId> = match step {
        Step::EffectBegins(number) => {
            let effect = view.state.effects.in_force.iter().find(|effect| effect.number == *number);
            let clause = effect.and_then(|effect| program.clauses.get(effect.clause));
            clause.into_iter().flat_map(|clause| std::iter::once(clause.cites).chain(rules_of_layers(program, clause))).collect()
        }
        Step::EffectEnds(number) => of_holder(view, *number),
        Step::Waits(pending, _) | Step::Dropped(pending) | Step::Enters(pending, _) => of_waiting(view, *pending),
        Step::NotUsed { why: Why::UsedUp, .. } | Step::NotReplaced { .. } => citations_beside(view, step),
        Step::Performed(id, args, _) => of_performed(program, *id, args).into_iter().collect(),
        _ => Vec::new(),
    };
    found.into_iter().filter(|list| *list != CitesId::default()).collect()
}

/// The rules that prevent an action, for a step that reports that the action was not done. Empty if no rule prevented it, for example if
/// there was no card to do it to.
pub(super) fn kept_from(view: &View<'_>, step: &Step) -> Vec<CitesId> {
    let found = match step {
        Step::NotPerformed(_, args, why @ Why::Full) => {
            of_reason(view, *why).into_iter().chain(of_full_zone(view.program, args, *why)).collect()
        }
        Step::NotPerformed(_, _, why @ (Why::Already | Why::NoTimes | Why::Missing)) => of_reason(view, *why),
        Step::NotPerformed(_, _, Why::Forbidden(number)) => {
            of_clause(view, *number).into_iter().chain([view.program.principle(Principle::Forbidden)]).collect()
        }
        Step::NotUsed { ability, why: Why::Inactive } => without_effect::rules(view.program, view.state, *ability).to_vec(),
        Step::NotUsed { why: Why::Disabled(number), .. } => of_clause(view, *number).into_iter().collect(),
        _ => Vec::new(),
    };
    found.into_iter().filter(|list| *list != CitesId::default()).collect()
}

/// The citations of the thing that a step is about. They are read at once, because an effect may be gone later.
pub(super) fn citations_beside(view: &View<'_>, step: &Step) -> Vec<CitesId> {
    let program = view.program;
    let verb = |id: VerbId| program.verbs.get(id).map(|verb| verb.name.cites);
    let found: Vec<CitesId> = match step {
        Step::Performed(id, args, _) => verb(*id).into_iter().chain(of_performed(program, *id, args)).collect(),
        Step::Began(id, ..) | Step::Processes(id, _) => verb(*id).into_iter().collect(),
        Step::NotPerformed(id, args, Why::Unmet) => verb(*id).into_iter().chain(engine::why::unmet(view, *id, args).0).collect(),
        Step::NotPerformed(id, args, why) => {
            verb(*id).into_iter().chain(of_reason(view, *why)).chain(of_full_zone(program, args, *why)).collect()
        }
        Step::NotUsed { ability, why } => match ability {
            found @ Value::Ability { ability, .. } => {
                let limit = kind_of(program, *ability).map(|kind| kind.limit_cites).filter(|_| *why == Why::UsedUp);
                if *why == Why::Inactive {
                    return without_effect::rules(program, view.state, *found).to_vec();
                }
                of_ability(program, *ability).into_iter().chain(of_reason(view, *why)).chain(limit).collect()
            }
            Value::Pending(number) => {
                let kind = view.state.events.waiting(*number).and_then(|pending| program.kinds.get(pending.kind()?));
                let limit = kind.map(|kind| kind.limit_cites).filter(|_| *why == Why::UsedUp);
                of_waiting(view, *number).into_iter().chain(of_reason(view, *why)).chain(limit).collect()
            }
            _ => of_reason(view, *why),
        },
        Step::Ability { ability, .. } => ability.iter().flat_map(|id| of_use(program, *id)).collect(),
        Step::Waits(pending, _) | Step::Dropped(pending) | Step::Enters(pending, _) => of_waiting(view, *pending),
        Step::Rule(rule, _) => program.rules.get(*rule).map(|rule| rule.name.cites).into_iter().collect(),
        Step::Decides { choice, .. } => {
            program.choices.get(*choice).into_iter().flat_map(|choice| [choice.name.cites, choice.declared_cites]).collect()
        }
        Step::NotReplaced { effect, .. } => of_effect(view, *effect),
        Step::Unfit { why: Unfit::Withheld(number), .. } => of_effect(view, *number),
        Step::Unfit { .. } | Step::Circle | Step::NobodyAsked(_) => Vec::new(),
        Step::RoleLost(role, _) => program.roles.get(*role).map(|role| role.name.cites).into_iter().collect(),
        Step::Concedes(_) => program.concede.into_iter().collect(),
        Step::Phase(phase) => program.phases.get(*phase).map(|phase| phase.name.cites).into_iter().collect(),
        Step::EffectBegins(number) | Step::EffectEnds(number) | Step::Priced { effect: number, .. } => of_effect(view, *number),
        // The condition belongs to the clause. The other rules of the effect are recorded where it begins.
        Step::Condition { effect, .. } => of_clause(view, *effect).into_iter().collect(),
        Step::Silenced { by, .. } => of_effect(view, *by),
        Step::EffectCircle(_) | Step::Back(_) => Vec::new(),
        Step::Turn(_) | Step::Statement(_) | Step::Operand(..) | Step::Verdict(..) | Step::Judged | Step::Over(_) => Vec::new(),
        Step::TooFew { .. } | Step::AttemptFails | Step::NotAttempted | Step::Aborted | Step::Failed(_) => Vec::new(),
        Step::GoesAway(_) | Step::Due(..) | Step::Short { .. } | Step::Unmatched(..) => Vec::new(),
    };
    found.into_iter().filter(|list| *list != CitesId::default()).collect()
}

fn of_ability(program: &Program, id: AbilityId) -> Vec<CitesId> {
    let (Some(ability), Some(kind)) = (program.abilities.get(id), kind_of(program, id)) else { return Vec::new() };
    // An ability with its own zones does not follow the zones of its kind.
    let zones = (kind.zones == ability.zones).then_some(kind.zones_cites);
    let keyword = ability.keyword.and_then(|keyword| program.keywords.get(keyword)).map(|keyword| keyword.name.cites);
    [ability.cites, kind.name.cites].into_iter().chain(zones).chain(keyword).collect()
}

/// The rules of a performed ability: its own, and those of its kind about the number of uses and about costs.
fn of_use(program: &Program, id: AbilityId) -> Vec<CitesId> {
    let slots = kind_of(program, id).map(|kind| [kind.limit_cites, kind.costs_cites]);
    of_ability(program, id).into_iter().chain(slots.into_iter().flatten()).collect()
}

fn kind_of(program: &Program, id: AbilityId) -> Option<&KindDef> {
    program.abilities.get(id).and_then(|ability| program.kinds.get(ability.kind))
}

/// The rules of things that the engine itself does with a builtin verb: shown cards are hidden again, a card that leaves becomes a new one.
fn of_performed(program: &Program, verb: VerbId, args: &[Value]) -> Option<CitesId> {
    let builtin = Builtin::ALL.into_iter().find(|builtin| builtin.verb() == verb)?;
    match (builtin, args.get(4)) {
        (Builtin::Reveal, _) => Some(program.principle(Principle::Revealed)),
        (Builtin::Look, _) => Some(program.principle(Principle::Looked)),
        (Builtin::Move, Some(Value::Zone(from))) => {
            let Some(Value::Zone(to)) = args.get(1) else { return None };
            program.moves.carry(zone_of(program, *from).0, zone_of(program, *to).0).map(|carry| carry.cites)
        }
        _ => None,
    }
}

fn of_full_zone(program: &Program, args: &[Value], why: Why) -> Option<CitesId> {
    match args.get(1) {
        Some(Value::Zone(to)) if why == Why::Full => zone_at(program, *to).map(|zone| zone.capacity_cites),
        _ => None,
    }
}

fn zone_at(program: &Program, place: Place) -> Option<&ZoneDef> {
    program.zones.get(zone_of(program, place).0)
}

fn of_reason(view: &View<'_>, why: Why) -> Vec<CitesId> {
    let principle = |principle: Principle| vec![view.program.principle(principle)];
    match why {
        Why::Forbidden(number) => of_effect(view, number).into_iter().chain(principle(Principle::Forbidden)).collect(),
        Why::Replaced(number) | Why::Disabled(number) => of_effect(view, number),
        Why::Lost(by) => by.map_or_else(Vec::new, |by| of_effect(view, by)),
        Why::Missing => principle(Principle::Missing),
        Why::Nothing | Why::Full | Why::Taken => principle(Principle::Impossible),
        Why::NoTimes => principle(Principle::NoTimes),
        Why::Already => principle(Principle::Already),
        Why::Inactive | Why::Bodiless | Why::UsedUp | Why::Left | Why::Unmet => Vec::new(),
    }
}

/// The rules of an effect's clause, without those of its source.
pub(super) fn of_clause(view: &View<'_>, number: u32) -> Option<CitesId> {
    let effect = view.state.effects.in_force.iter().find(|effect| effect.number == number)?;
    view.program.clauses.get(effect.clause).map(|clause| clause.cites)
}

/// The rules of an effect: of its clause, and of that by which it holds.
#[must_use]
pub fn of_effect(view: &View<'_>, number: u32) -> Vec<CitesId> {
    let Some(effect) = view.state.effects.in_force.iter().find(|effect| effect.number == number) else { return Vec::new() };
    let clause = view.program.clauses.get(effect.clause);
    let fields = clause.into_iter().flat_map(|clause| of_changes(view.program, clause));
    let clause = clause.map(|clause| clause.cites).into_iter().chain(fields);
    clause.chain(of_holder(view, number)).collect()
}

/// The rules of that by which an effect holds: its ability, its duration, or the rule from which it comes.
fn of_holder(view: &View<'_>, number: u32) -> Vec<CitesId> {
    let Some(effect) = view.state.effects.in_force.iter().find(|effect| effect.number == number) else { return Vec::new() };
    match effect.holds {
        Holds::Static(ability) | Holds::Granted(ability, _) => of_ability(view.program, ability),
        Holds::Lasting(duration) => {
            let duration = view.program.durations.get(duration).map(|duration| duration.cites);
            duration.into_iter().chain(engine::why::rules_of_need(view.program, effect)).collect()
        }
        Holds::Rule(rule) => view.program.rules.get(rule).map(|rule| rule.name.cites).into_iter().collect(),
    }
}

/// The rules of the changed fields and of the layers.
fn of_changes<'p>(program: &'p Program, clause: &'p ClauseDef) -> impl Iterator<Item = CitesId> + 'p {
    let changes = if let ClauseKind::Modify { changes, .. } = &clause.kind { changes.as_slice() } else { &[] };
    let fields = changes.iter().filter_map(|change| program.fields.get(change.field));
    fields.flat_map(|field| [field.name.cites, field.at_least_cites]).chain(rules_of_layers(program, clause))
}

/// The rules of something that waits.
#[must_use]
pub fn of_waiting(view: &View<'_>, number: u32) -> Vec<CitesId> {
    use engine::state::Waits;
    let Some(pending) = view.state.events.waiting(number) else { return Vec::new() };
    match pending.waits {
        Waits::Triggered(kind, clause) => {
            let kind = view.program.kinds.get(kind).map(|kind| kind.name.cites);
            view.program.clauses.get(clause).map(|clause| clause.cites).into_iter().chain(kind).collect()
        }
        Waits::Announced(kind) => {
            let kind = view.program.kinds.get(kind).map(|kind| kind.name.cites);
            let ability = pending.ability.and_then(|ability| view.program.abilities.get(ability)).map(|ability| ability.cites);
            kind.into_iter().chain(ability).collect()
        }
        Waits::PutBy(moment) => view.program.moments.get(moment).map(|moment| moment.cites).into_iter().collect(),
        Waits::Declared(option) => {
            let verb = view.program.options.get(option).and_then(|option| view.program.verbs.get(option.verb));
            verb.map(|verb| verb.name.cites).into_iter().collect()
        }
    }
}
