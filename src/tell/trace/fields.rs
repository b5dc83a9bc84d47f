//! A step's parts as JSON. docs/trace.md lists them, and a test compares every line with that list.
//!
//! A kind of step always has all its fields. `null` means that there is no value, or that the reader may not know it.

use super::step::Telling;
use crate::{circles, seat};
use engine::ids::{ChoiceId, VerbId};
use engine::program::{Builtin, ChangeKind};
use engine::state::{Cause, FailureKind, Outcome};
use engine::steps::{NotInstead, Step, Unfit, Why};
use engine::value::{Player, Value};
use serde_json::{Map, Value as Json, json};

/// The fields of a step, besides those that all steps have.
pub(super) fn fields(telling: &Telling<'_>, step: &Step) -> Json {
    match step {
        Step::Turn(number) => json!({ "turn": number }),
        Step::Phase(phase) => json!({ "phase": telling.view.program.phases.get(*phase).map(|phase| telling.names.label(&phase.name)) }),
        Step::Began(verb, args, cause) | Step::Performed(verb, args, cause) => {
            json!({ "verb": name(telling, *verb), "args": arguments(telling, *verb, args), "by": by(telling, *cause) })
        }
        Step::Processes(verb, args) => json!({ "verb": name(telling, *verb), "args": arguments(telling, *verb, args) }),
        Step::NotPerformed(verb, args, why) => json!({
            "verb": name(telling, *verb), "args": arguments(telling, *verb, args), "reason": reason(*why), "effect_of": effect_of(telling, *why),
        }),
        Step::NotUsed { ability, why } => {
            json!({ "what": telling.value(*ability), "reason": reason(*why), "effect_of": effect_of(telling, *why) })
        }
        Step::Ability { card, ability, waited, you, .. } => {
            let kind = super::step::kind_of(telling.view.program, *ability, *waited).map(|kind| telling.names.label(&kind.name));
            json!({ "player": seat(*you), "card": some(telling, *card), "ability": kind })
        }
        Step::Waits(pending, _) | Step::Dropped(pending) => json!({ "what": telling.value(Value::Pending(*pending)) }),
        Step::Enters(pending, place) => {
            json!({ "what": telling.value(Value::Pending(*pending)), "zone": telling.value(Value::Zone(*place)) })
        }
        Step::Rule(rule, player) => {
            let rule = telling.view.program.rules.get(*rule);
            let player = rule.filter(|rule| rule.each_player).map(|_| seat(*player));
            json!({ "rule": rule.map(|rule| telling.names.label(&rule.name)), "player": player })
        }
        Step::Decides { player, choice, domain, picks, forced, secret, .. } => {
            decision(telling, (*player, *choice), (domain, picks), *forced, *secret)
        }
        Step::EffectBegins(number) | Step::EffectEnds(number) => {
            json!({ "effect": number, "card": telling.source(*number).map(|source| telling.value(source)) })
        }
        Step::Priced { effect, key, kind, by, now } => json!({
            "part": telling.names.part(*key), "change": format!("{}{by}", sign(*kind)), "now": now,
            "effect": effect, "card": telling.source(*effect).map(|source| telling.value(source)),
        }),
        Step::Due(key, amount) => json!({ "part": telling.names.part(*key), "amount": amount }),
        Step::Short { of, state, there, wanted } => {
            let pool = telling.view.program.states.get(*state).map(|state| telling.names.label(&state.name));
            json!({ "of": telling.value(*of), "pool": pool, "there": there, "wanted": wanted })
        }
        Step::Unmatched(what, joins) => json!({ "what": telling.value(*what), "joins": joins }),
        Step::NotReplaced { verb, args, effect, why } => json!({
            "verb": name(telling, *verb), "args": arguments(telling, *verb, args), "reason": not_instead(*why),
            "effect_of": telling.source(*effect).map(|source| telling.value(source)),
        }),
        Step::Unfit { card, slot, what, why } => {
            let slot = telling.view.program.slots.get(*slot).map(|slot| telling.names.label(&slot.name));
            let (reason, by) = match why {
                Unfit::Gone => ("gone", None),
                Unfit::Other => ("other", None),
                Unfit::Withheld(number) => ("withheld", telling.source(*number)),
            };
            let by = by.map(|card| telling.value(card));
            json!({ "card": telling.value(*card), "slot": slot, "what": telling.value(*what), "reason": reason, "effect_of": by })
        }
        Step::NobodyAsked(choice) => {
            json!({ "choice": telling.view.program.choices.get(*choice).map(|choice| choice.name.name.clone()) })
        }
        Step::RoleLost(role, member) => {
            let role = telling.view.program.roles.get(*role).map(|role| telling.names.label(&role.name));
            json!({ "what": telling.value(*member), "role": role })
        }
        Step::GoesAway(card) => json!({ "card": telling.value(*card) }),
        Step::Verdict(player, wins) => json!({ "player": seat(*player), "verdict": if *wins { "wins" } else { "loses" } }),
        Step::Concedes(player) => json!({ "player": seat(*player) }),
        Step::Over(Outcome::Won(player)) => json!({ "winner": seat(*player), "places": null }),
        Step::Over(Outcome::Placed(places)) => {
            json!({ "winner": null, "places": places.seats().map(|(player, place)| (seat(player), json!(place))).collect::<Map<_, _>>() })
        }
        Step::Over(Outcome::Drawn) => json!({ "winner": null, "places": null }),
        Step::Failed(failure) => json!({ "error": error(failure.kind) }),
        Step::TooFew { demanded, there, zone } => {
            json!({ "wanted": demanded, "there": there, "zone": telling.value(Value::Zone(*zone)) })
        }
        // The value of a condition may reveal cards that a seat does not see.
        Step::Statement(value) => json!({ "value": value.filter(|_| telling.reader.is_none()).map(|value| telling.value(value)) }),
        Step::Condition { effect, met } => {
            json!({ "effect": effect, "card": telling.source(*effect).map(|card| telling.value(card)), "value": met })
        }
        Step::Silenced { ability, by, lost } => {
            let by = telling.source(*by).map(|card| telling.value(card));
            json!({ "what": telling.value(*ability), "reason": if *lost { "lost" } else { "disabled" }, "effect_of": by })
        }
        Step::EffectCircle(circle) => {
            let cards = |numbers: &[u32]| {
                numbers.iter().filter_map(|number| telling.source(*number)).map(|card| telling.value(card)).collect::<Vec<_>>()
            };
            json!({ "first": cards(&circle.first), "others": cards(&circle.others), "policy": circles::policy(telling.view.program) })
        }
        Step::Back(ability) => json!({ "what": telling.value(*ability) }),
        Step::Operand(_, met) => json!({ "value": met }),
        Step::Judged | Step::AttemptFails | Step::NotAttempted | Step::Aborted | Step::Circle => json!({}),
    }
}

/// The word for why an effect does not replace an action.
pub(super) fn not_instead(why: NotInstead) -> &'static str {
    match why {
        NotInstead::Declined => "declined",
        NotInstead::Impossible => "impossible",
        NotInstead::Once => "once",
    }
}

/// A decision. The asked player sees everything; for the others, hidden parts are left out. What could have been taken may depend on hidden
/// cards, so only the asked player and a reader without a seat are told.
fn decision(
    telling: &Telling<'_>,
    (player, choice): (Player, ChoiceId),
    (domain, picks): (&[Value], &[Value]),
    forced: bool,
    secret: bool,
) -> Json {
    let own = telling.reader.is_none_or(|reader| reader == player);
    let listed = |values: &[Value]| values.iter().map(|value| telling.value(*value)).collect::<Vec<_>>();
    json!({
        "player": seat(player), "choice": telling.names.choice(choice), "among": own.then(|| listed(domain)), "picked": (own || !secret).then(|| listed(picks)), "forced": own && forced, "secret": secret,
    })
}

fn name(telling: &Telling<'_>, verb: VerbId) -> String {
    let builtin = Builtin::ALL.iter().find(|builtin| builtin.verb() == verb);
    let known = telling.view.program.verbs.get(verb).map(|verb| verb.name.name.clone());
    builtin.map(|builtin| builtin.name().to_owned()).or(known).unwrap_or_default()
}

/// The sign of a change before its amount.
pub(super) fn sign(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Add | ChangeKind::AddPrinted => "+",
        ChangeKind::Subtract => "−",
        ChangeKind::Multiply => "×",
        ChangeKind::Divide => "÷",
        ChangeKind::Floor => "≥",
        ChangeKind::SetPrinted | ChangeKind::RemovePrinted | ChangeKind::Set | ChangeKind::Provide | ChangeKind::Remove => "=",
    }
}

/// The given arguments, by parameter name.
fn arguments(telling: &Telling<'_>, verb: VerbId, args: &[Value]) -> Json {
    let Some(def) = telling.view.program.verbs.get(verb) else { return json!({}) };
    let given = def.parameters.iter().zip(Builtin::told(verb, args)).filter(|(_, value)| **value != Value::Undefined);
    let said = |parameter: &str, value| face_or_end(parameter, value).map_or_else(|| telling.value(value), str::to_owned);
    Json::Object(given.map(|(parameter, value)| (parameter.clone(), Json::from(said(parameter, *value)))).collect::<Map<_, _>>())
}

/// `rule`, or the card whose effect did it.
fn by(telling: &Telling<'_>, cause: Cause) -> Json {
    match cause {
        Cause::Rule => json!("rule"),
        Cause::Effect { source, you, performer: None } => json!({ "card": some(telling, source), "player": seat(you) }),
        Cause::Effect { source, you, performer: Some(acting) } => {
            json!({ "card": some(telling, source), "player": seat(you), "performer": seat(acting) })
        }
        Cause::Cost { source, you } => json!({ "cost": some(telling, source), "player": seat(you) }),
        Cause::Declared { cause, of, .. } => {
            let name = telling.view.program.causes.get(cause).map(|cause| cause.name.clone());
            json!({ "cause": name, "of": some(telling, of) })
        }
        Cause::Unknown => Json::Null,
    }
}

fn some(telling: &Telling<'_>, value: Value) -> Option<String> {
    (value != Value::Undefined).then(|| telling.value(value))
}

fn effect_of(telling: &Telling<'_>, why: Why) -> Option<String> {
    telling.why_of(why).map(|source| telling.value(source))
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::Forbidden(_) => "forbidden",
        Why::Replaced(_) => "replaced",
        Why::Missing => "undefined",
        Why::Nothing => "nothing",
        Why::NoTimes => "no_times",
        Why::Already => "already",
        Why::Unmet => "unmet",
        Why::Full => "full",
        Why::Taken => "taken",
        Why::Inactive => "inactive",
        Why::Bodiless => "not_performed_so",
        Why::Disabled(_) => "disabled",
        Why::UsedUp => "used_up",
        Why::Left => "left",
        Why::Lost(_) => "lost",
    }
}

fn error(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Budget => "budget",
        FailureKind::Game => "game",
        FailureKind::Overflow => "overflow",
        FailureKind::Depth => "depth",
        FailureKind::Branches => "branches",
        FailureKind::Effects => "effects",
        FailureKind::NoResult => "no_result",
        FailureKind::Order => "order",
        FailureKind::Joint => "joint",
        FailureKind::Silencing => "silencing",
        FailureKind::LooksWithin => "looks_within",
        FailureKind::EffectsWithin => "effects_within",
        FailureKind::Waiting => "waiting",
        FailureKind::Objects => "objects",
        FailureKind::Match => "match",
        FailureKind::NoTurn => "no_turn",
        FailureKind::Broken(_) => "broken",
        FailureKind::Members => "members",
        FailureKind::NoNumber => "no_number",
        FailureKind::Plays => "plays",
        FailureKind::Loop => "loop",
    }
}

/// The word that a source has for a truth in this place: `face: up`, `at: bottom`.
fn face_or_end(parameter: &str, value: Value) -> Option<&'static str> {
    match (parameter, value) {
        ("face", Value::Bool(up)) => Some(if up { "up" } else { "down" }),
        ("at", Value::Bool(bottom)) => Some(if bottom { "bottom" } else { "top" }),
        _ => None,
    }
}
