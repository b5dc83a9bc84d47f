//! Values and steps in words: printed names and labels, seats as letters.
//!
//! Input: the program and a state. Output: short texts for failures. Nothing is hidden, because a scenario sees everything.

use crate::outcome::texts::say;
use engine::ids::{AbilityId, ChoiceId, CitesId, VerbId};
use engine::machine::Refusal;
use engine::program::{Builtin, CauseKind, NameDef, OptionParam, PartKey, Program};
use engine::state::board;
use engine::state::{Cause, FailureKind, Outcome, State, Waits};
use engine::steps::{NotInstead, Step, Traced, Why};
use engine::value::{ObjectId, Player, Value};
use lang::diagnostic::Language;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The letter of a seat.
#[must_use]
pub fn seat(player: Player) -> String {
    char::from(b'a'.saturating_add(player.0)).to_string()
}

/// The player with this seat letter.
#[must_use]
pub fn player(program: &Program, letter: &str) -> Option<Player> {
    (0..program.players).map(Player).find(|player| seat(*player) == letter)
}

/// Puts values and steps into words.
#[derive(Clone, Copy)]
pub struct Speaker<'a> {
    /// The program, for names.
    pub program: &'a Program,
    /// The state, for objects.
    pub state: &'a State,
    /// The members of lists among the values.
    pub lists: &'a [Value],
    /// Things that may be gone by now, if they were recorded.
    pub gone: Option<&'a Gone>,
    /// The language.
    pub language: Language,
}

/// Things that a state does not have any more once they are over: things that waited, and effects.
#[derive(Clone, Debug, Default)]
pub struct Gone {
    waited: BTreeMap<u32, (Value, Waits)>,
    effects: BTreeMap<u32, Value>,
}

impl Gone {
    /// Records everything that waits or is in force now.
    pub fn keep(&mut self, state: &State) {
        self.waited.extend(state.events.pending.iter().map(|pending| (pending.number, (pending.source, pending.waits))));
        self.effects.extend(state.effects.in_force.iter().map(|effect| (effect.number, effect.source)));
    }

    /// The card of an ability that waited.
    #[must_use]
    pub(crate) fn card_of_waiting(&self, number: u32) -> Option<Value> {
        self.waited.get(&number).map(|(source, _)| *source)
    }

    /// The card of an effect that was in force.
    #[must_use]
    pub(crate) fn card_of_effect(&self, number: u32) -> Option<Value> {
        self.effects.get(&number).copied()
    }

    /// Records the ability or the effect that a step is about, if the step lets an ability wait or begins an effect.
    pub(crate) fn keep_new(&mut self, state: &State, step: &Step) {
        match step {
            Step::Waits(number, _) => {
                self.waited.extend(state.events.waiting(*number).map(|pending| (*number, (pending.source, pending.waits))));
            }
            Step::EffectBegins(number) => self.effects.extend(state.effects.get(*number).map(|effect| (*number, effect.source))),
            _ => {}
        }
    }
}

impl Speaker<'_> {
    /// A text with its placeholders filled.
    #[must_use]
    pub fn say(&self, key: &str, args: &[(&'static str, String)]) -> String {
        say(self.language, key, args)
    }

    /// The name of a declared thing: its printed label in Japanese, its name in the rules files in English.
    #[must_use]
    pub fn named<'d>(&self, def: &'d NameDef) -> &'d str {
        if self.language == Language::Japanese { label(def) } else { &def.name }
    }

    /// A card in the game, by its printed name.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> String {
        let card = self.state.board.object(id).and_then(|object| self.program.cards.get(object.card));
        let name = card.and_then(|card| self.program.texts.get(card.name));
        name.map_or_else(|| self.say("card", &[("n", id.0.to_string())]), Clone::clone)
    }

    /// A value.
    #[must_use]
    pub fn value(&self, value: Value) -> String {
        let program = self.program;
        match value {
            Value::Undefined => self.say("nothing", &[]),
            Value::Bool(truth) => self.say(if truth { "yes" } else { "no" }, &[]),
            Value::Number(number) => number.to_string(),
            Value::Player(player) => seat(player),
            Value::Enum(id, value) => {
                let found = program.enums.get(id).and_then(|of| of.values.get(usize::from(value)));
                found.map_or_else(|| value.to_string(), |name| self.named(name).to_owned())
            }
            Value::Symbol(text) | Value::Text(text) => program.texts.get(text).cloned().unwrap_or_default(),
            Value::Object { id, .. } => self.object(id),
            Value::Zone(place) => {
                let (zone, whose) = board::zone_of(program, place);
                let name = program.zones.get(zone).map_or("", |zone| self.named(&zone.name));
                whose.map_or_else(|| name.to_owned(), |whose| format!("{name}({})", seat(whose)))
            }
            Value::Ability { of, ability, .. } => {
                let kind = program.abilities.get(ability).and_then(|ability| program.kinds.get(ability.kind));
                format!("{} {}{}", self.object(of), kind.map_or("", |kind| label(&kind.name)), self.which(of, ability))
            }
            Value::Pending(number) => self.pending(number),
            Value::Effect(number) => self.effect("effect", number),
            Value::List { len, start } => {
                let members = self.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or_default();
                let members: Vec<String> = members.iter().map(|member| self.value(*member)).collect();
                format!("[{}]", members.join(", "))
            }
            Value::Card(card) => {
                let name = program.cards.get(card).and_then(|card| program.texts.get(card.name));
                name.cloned().unwrap_or_default()
            }
            Value::Event(at) => match self.state.events.history.get(at as usize) {
                Some(event) => self.call(event.verb, &event.args),
                None => String::new(),
            },
            Value::Cause { .. } => self.cause(Cause::of(value)),
            Value::Group(group) => program.groups.get(group).map_or("", label).to_owned(),
            Value::Play { count, option, start } => {
                let args = self.lists.get(start as usize..start as usize + usize::from(count).saturating_sub(1)).unwrap_or_default();
                let Some(option) = program.options.get(option) else { return String::new() };
                // An argument that only effects fill is not shown.
                let asked =
                    |(arg, param): (&Value, &OptionParam)| if matches!(param, OptionParam::In(_)) { *arg } else { Value::Undefined };
                let args: Vec<Value> = args.iter().zip(&option.params).map(asked).collect();
                self.call(option.verb, &args)
            }
        }
    }

    /// A cause, as written in a source.
    fn cause(&self, cause: Cause) -> String {
        let word = match cause.kind() {
            None => "none",
            Some(CauseKind::Rule) => "rule",
            Some(CauseKind::Effect) => "effect",
            Some(CauseKind::Cost) => "cost",
            Some(CauseKind::Declared(cause)) => self.program.causes.get(cause).map_or("", |cause| cause.name.as_str()),
        };
        match cause.source() {
            Value::Undefined => word.to_owned(),
            source => format!("{word} of {}", self.value(source)),
        }
    }

    /// A text about an effect, with the card of the effect.
    fn effect(&self, key: &str, number: u32) -> String {
        self.say(key, &[("card", self.source(number))])
    }

    /// The card of an effect, which may be over.
    fn source(&self, number: u32) -> String {
        let now = self.state.effects.get(number).map(|effect| effect.source);
        let source = now.or_else(|| self.gone?.effects.get(&number).copied());
        source.map_or_else(|| number.to_string(), |source| self.value(source))
    }

    /// The number of an ability among the abilities of its kind, if its card prints several.
    fn which(&self, of: ObjectId, ability: AbilityId) -> String {
        let card = self.state.board.object(of).map(|object| object.card);
        let which = card.and_then(|card| self.program.which_of_its_kind(card, ability));
        which.map_or_else(String::new, |which| format!(" #{which}"))
    }

    fn pending(&self, number: u32) -> String {
        let now = self.state.events.waiting(number).map(|pending| (pending.source, pending.waits));
        let Some((source, waits)) = now.or_else(|| self.gone?.waited.get(&number).copied()) else {
            return self.say("waiting", &[("n", number.to_string())]);
        };
        let what = match waits {
            Waits::Triggered(kind, _) | Waits::Announced(kind) => self.program.kinds.get(kind).map(|kind| label(&kind.name)),
            Waits::PutBy(moment) => self.program.moments.get(moment).map(label),
            Waits::Declared(option) => {
                let verb = self.program.options.get(option).and_then(|option| self.program.verbs.get(option.verb));
                return verb.map(|verb| label(&verb.name)).unwrap_or_default().to_owned();
            }
        };
        format!("{} {}", self.value(source), what.unwrap_or_default())
    }

    /// The rules of a list of citations as in a margin; empty for none.
    #[must_use]
    pub fn cites(&self, cites: CitesId) -> String {
        let ids = self.program.rules_beside(cites);
        ids.iter().map(|id| format!("@{id}")).collect::<Vec<_>>().join(" ")
    }

    /// An action with its arguments. Behind a missing argument, the others are named.
    pub(crate) fn call(&self, verb: VerbId, args: &[Value]) -> String {
        let Some(found) = self.program.verbs.get(verb) else { return String::new() };
        let mut named = false;
        let mut written = Vec::new();
        for (parameter, value) in found.parameters.iter().zip(Builtin::told(verb, args)) {
            let said = || face_or_end(parameter, *value).map_or_else(|| self.value(*value), str::to_owned);
            if *value == Value::Undefined {
                named = true;
            } else if named {
                written.push(format!("{parameter}: {}", said()));
            } else {
                written.push(said());
            }
        }
        format!("{}({})", self.named(&found.name), written.join(", "))
    }

    /// A step in one line: its rules, then what happened, indented by its depth.
    #[must_use]
    pub fn step(&self, traced: &Traced) -> String {
        let mut line = "  ".repeat(usize::from(traced.depth.min(12)));
        let rules = self.cites(traced.cites);
        if !rules.is_empty() {
            let _ = write!(line, "{rules} ");
        }
        line + &self.happening(traced)
    }

    fn happening(&self, traced: &Traced) -> String {
        let program = self.program;
        let named = |key: &str, name: &str, of: Player| self.say(key, &[("name", name.to_owned()), ("seat", seat(of))]);
        let what = |key: &str, what: String| self.say(key, &[("what", what)]);
        let number = |key: &str, n: u32| self.say(key, &[("n", n.to_string())]);
        match &traced.step {
            Step::Turn(turn) => number("turn", *turn),
            Step::Phase(phase) => {
                self.say("phase", &[("name", program.phases.get(*phase).map_or("", |phase| label(&phase.name)).to_owned())])
            }
            Step::Statement(None) => self.say("step.statement", &[]),
            Step::Operand(_, met) => self.say("step.statement.value", &[("value", self.value(Value::Bool(*met)))]),
            Step::Statement(Some(value)) => self.say("step.statement.value", &[("value", self.value(*value))]),
            Step::Performed(verb, args, _) => self.call(*verb, args),
            Step::Began(verb, args, _) => what("step.began", self.call(*verb, args)),
            Step::Processes(verb, args) => what("step.processes", self.call(*verb, args)),
            Step::NotPerformed(verb, args, why) => self.not("step.not_performed", self.call(*verb, args), *why),
            Step::Ability { card, you, .. } => self.say("step.ability", &[("card", self.value(*card)), ("seat", seat(*you))]),
            Step::NotUsed { ability, why } => self.not("step.not_used", self.value(*ability), *why),
            Step::Waits(pending, _) => what("step.waits", self.pending(*pending)),
            Step::Dropped(pending) => what("step.dropped", self.pending(*pending)),
            Step::Enters(pending, place) => {
                self.say("step.enters", &[("what", self.pending(*pending)), ("zone", self.value(Value::Zone(*place)))])
            }
            Step::Rule(rule, player) => {
                let def = program.rules.get(*rule);
                let key = if def.is_some_and(|rule| rule.each_player) { "step.rule" } else { "step.rule.of_game" };
                named(key, def.map_or("", |rule| label(&rule.name)), *player)
            }
            Step::Decides { player, choice, picks, forced, .. } => self.decides(*player, *choice, picks, *forced),
            Step::EffectBegins(effect) => self.effect("step.effect.begins", *effect),
            Step::Condition { effect, met: true } => self.effect("step.condition.met", *effect),
            Step::Condition { effect, met: false } => self.effect("step.condition.unmet", *effect),
            Step::Silenced { ability, .. } => what("step.silenced", self.value(*ability)),
            Step::EffectCircle(circle) => {
                let cards: Vec<String> = circle.members().map(|number| self.source(number)).collect();
                self.say("step.circle", &[("cards", cards.join(", "))])
            }
            Step::Back(ability) => what("step.back", self.value(*ability)),
            Step::EffectEnds(effect) => self.effect("step.effect.ends", *effect),
            Step::Priced { key, now, .. } => self.counted("step.priced", *key, *now),
            Step::Due(key, amount) => self.counted("step.due", *key, *amount),
            Step::Short { of, there, wanted, .. } => {
                let args = [("of", self.value(*of)), ("there", there.to_string()), ("wanted", wanted.to_string())];
                self.say("step.short", &args)
            }
            Step::Unmatched(member, _) => what("step.unmatched", self.value(*member)),
            Step::NotReplaced { verb, args, effect, why } => {
                let why = match why {
                    NotInstead::Declined => self.say("not_instead.declined", &[]),
                    NotInstead::Impossible => self.say("not_instead.impossible", &[]),
                    NotInstead::Once => self.say("not_instead.once", &[]),
                };
                let card = self.source(*effect);
                self.say("step.not_replaced", &[("what", self.call(*verb, args)), ("card", card), ("why", why)])
            }
            Step::Unfit { what: member, .. } => what("step.unfit", self.value(*member)),
            Step::RoleLost(role, member) => {
                let role = program.roles.get(*role).map_or("", |role| label(&role.name)).to_owned();
                self.say("step.role_lost", &[("what", self.value(*member)), ("role", role)])
            }
            Step::GoesAway(card) => what("step.goes", self.value(*card)),
            Step::Verdict(player, wins) => named(if *wins { "step.to_win" } else { "step.to_lose" }, "", *player),
            Step::Concedes(player) => named("step.concedes", "", *player),
            Step::Judged => self.say("step.judged", &[]),
            Step::Over(outcome) => self.outcome(*outcome),
            Step::NobodyAsked(choice) => {
                let choice = program.choices.get(*choice).map_or("", |choice| label(&choice.name)).to_owned();
                self.say("step.nobody_asked", &[("choice", choice)])
            }
            Step::Circle => self.say("step.loop", &[]),
            Step::Aborted => self.say("step.aborted", &[]),
            Step::TooFew { demanded, there, zone } => {
                let from = self.value(Value::Zone(*zone));
                self.say("step.too_few", &[("from", from), ("demanded", demanded.to_string()), ("there", there.to_string())])
            }
            Step::NotAttempted => self.say("step.attempt.impossible", &[]),
            Step::AttemptFails => self.say("step.attempt.fails", &[]),
            Step::Failed(failure) => self.rules_error(failure.kind),
        }
    }

    fn counted(&self, key: &str, part: PartKey, amount: i32) -> String {
        let name = match part {
            PartKey::Pool(state) => self.program.states.get(state).map(|state| &state.name),
            PartKey::Verb(verb) => self.program.verbs.get(verb).map(|verb| &verb.name),
        };
        self.say(key, &[("part", name.map_or("", label).to_owned()), ("amount", amount.to_string())])
    }

    fn not(&self, key: &str, what: String, why: Why) -> String {
        self.say(key, &[("what", what), ("why", self.say(reason(why), &[]))])
    }

    fn decides(&self, player: Player, choice: ChoiceId, picks: &[Value], forced: bool) -> String {
        if picks.is_empty() && self.program.choices.get(choice).is_some_and(|choice| choice.offer) {
            return self.say(
                if forced { "step.passes.forced" } else { "step.passes" },
                &[("seat", seat(player)), ("choice", self.choice(choice))],
            );
        }
        let picks: Vec<String> = picks.iter().map(|pick| self.value(*pick)).collect();
        let picks = if picks.is_empty() { self.say("none", &[]) } else { picks.join(", ") };
        let key = if forced { "step.decides.forced" } else { "step.decides" };
        self.say(key, &[("seat", seat(player)), ("choice", self.choice(choice)), ("picks", picks)])
    }

    /// An outcome: `b wins`, `game drawn`.
    #[must_use]
    pub fn outcome(&self, outcome: Outcome) -> String {
        match outcome {
            Outcome::Won(player) => self.say("won", &[("seat", seat(player))]),
            Outcome::Drawn => self.say("drawn", &[]),
            Outcome::Placed(places) => {
                let places: Vec<String> = places.seats().map(|(player, place)| format!("{} {place}", seat(player))).collect();
                self.say("placed", &[("places", places.join(", "))])
            }
        }
    }

    /// Why the machine refuses an answer.
    #[must_use]
    pub fn refusal(&self, refusal: &Refusal) -> String {
        let counted = |key: &str, given: u16, bound: u16| self.say(key, &[("given", given.to_string()), ("bound", bound.to_string())]);
        match refusal {
            Refusal::Twice { position } => self.say("refusal.twice", &[("n", position.to_string())]),
            Refusal::TooFew { given, min } => counted("refusal.too_few", *given, *min),
            Refusal::TooMany { given, max } => counted("refusal.too_many", *given, *max),
            Refusal::LeavesOut { member, given, wanted, .. } => self
                .say("refusal.leaves_out", &[("card", self.value(*member)), ("given", given.to_string()), ("wanted", wanted.to_string())]),
            Refusal::Demanded { .. } => self.say("refusal.demanded", &[]),
            Refusal::NoSuchNumber { least, greatest } => {
                let greatest = greatest.map_or_else(String::new, |greatest| greatest.to_string());
                self.say("refusal.no_such_number", &[("least", least.to_string()), ("greatest", greatest)])
            }
            Refusal::DoesNotFit => self.say("refusal.does_not_fit", &[]),
            Refusal::TooGreat { most } => self.say("refusal.too_great", &[("most", most.to_string())]),
            Refusal::TooManyRounds { most } => self.say("refusal.too_many_rounds", &[("most", most.to_string())]),
            Refusal::NotTogether => self.say("refusal.apart", &[]),
            Refusal::NotDecided => self.say("refusal.not_decided", &[]),
            Refusal::ObeysFewer => self.say("refusal.fewer", &[]),
            Refusal::OutOfRange { .. } | Refusal::NotOffered | Refusal::NoSuchQuestion => self.say("refusal.none", &[]),
            Refusal::AlreadyAnswered => self.say("refusal.answered", &[]),
            Refusal::GameOver => self.say("refusal.over", &[]),
            Refusal::MayNotConcede => self.say("refusal.concede", &[]),
        }
    }

    /// A rules error: `rules error E0601`.
    #[must_use]
    pub(crate) fn rules_error(&self, kind: FailureKind) -> String {
        self.say("rules_error", &[("code", crate::failure_code(kind).to_owned())])
    }

    /// The name of a choice.
    #[must_use]
    pub fn choice(&self, choice: ChoiceId) -> String {
        if choice == ChoiceId::REPLACEMENT {
            return self.say("replacement", &[]);
        }
        let Some(NameDef { name, label, .. }) = self.program.choices.get(choice).map(|choice| &choice.name) else { return String::new() };
        match name.as_str() {
            // The language asks these choices itself, so the game has no label for them.
            "number" if label == name => self.say("choice.number", &[]),
            "confirm" if label == name => self.say("choice.confirm", &[]),
            "pick" if label == name => self.say("choice.pick", &[]),
            _ if self.language == Language::Japanese => label.clone(),
            _ => name.clone(),
        }
    }

    /// The rules beside a choice.
    #[must_use]
    pub(crate) fn cites_of_choice(&self, choice: ChoiceId) -> Vec<String> {
        let cites = self.program.choices.get(choice).map(|choice| self.program.rules_beside(choice.name.cites));
        cites.unwrap_or_default().to_vec()
    }
}

/// The printed label, else the name.
#[must_use]
pub fn label(name: &NameDef) -> &str {
    if name.label.is_empty() { &name.name } else { &name.label }
}

/// The word that a source has for a truth in this place: `face: up`, `at: bottom`.
#[must_use]
pub fn face_or_end(parameter: &str, value: Value) -> Option<&'static str> {
    match (parameter, value) {
        ("face", Value::Bool(up)) => Some(if up { "up" } else { "down" }),
        ("at", Value::Bool(bottom)) => Some(if bottom { "bottom" } else { "top" }),
        _ => None,
    }
}

/// The key of the words for why something is not done.
#[must_use]
pub fn reason(why: Why) -> &'static str {
    match why {
        Why::Forbidden(_) => "why.forbidden",
        Why::Undefined => "why.undefined",
        Why::Nothing => "why.nothing",
        Why::NoTimes => "why.no_times",
        Why::Already => "why.already",
        Why::Unmet => "why.unmet",
        Why::Full => "why.full",
        Why::Taken => "why.taken",
        Why::Replaced(_) => "why.replaced",
        Why::Inactive => "why.inactive",
        Why::Bodiless => "why.bodiless",
        Why::Disabled(_) => "why.disabled",
        Why::UsedUp => "why.used_up",
        Why::Left => "why.left",
        Why::Lost(_) => "why.lost",
    }
}
