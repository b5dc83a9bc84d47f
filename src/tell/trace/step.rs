//! One step in words.

use crate::{Names, circles, failure_code, reads, reason, seat};
use engine::ids::{AbilityId, ChoiceId, CitesId, Id, KindId, Pc, VerbId};
use engine::program::{Builtin, ChangeKind, KindDef, Op, PartKey, Program};
use engine::steps::{Step, Traced, Unfit, View, Why};
use engine::value::{ObjectId, Player, Value};
use lang::diagnostic::Language;
use serde_json::Value as Json;

/// The kind of a performed ability: the kind of the printed ability, or of the ability that waited. None for blocks put by and for
/// replacements.
pub(super) fn kind_of(program: &Program, ability: Option<AbilityId>, waited: Option<KindId>) -> Option<&KindDef> {
    let printed = ability.and_then(|ability| program.abilities.get(ability)).map(|ability| ability.kind);
    program.kinds.get(printed.or(waited)?)
}

/// A step in words.
pub(super) struct StepText {
    /// The kind of step, for JSON.
    pub kind: &'static str,
    /// The words.
    pub text: String,
    /// Whether a turn or phase begins.
    pub heading: bool,
    /// Whether a player at the table would notice it.
    pub(crate) at_the_table: bool,
    /// The parts of the step, for JSON. Empty for a reader of words.
    pub fields: Json,
}

/// The step in words. None if another step shows the same thing.
pub(super) fn tell(
    names: &Names<'_>,
    view: &View<'_>,
    step: &Traced,
    reader: Option<Player>,
    statements: &[String],
    how: How,
) -> Option<StepText> {
    let telling = Telling { names, view, lists: view.lists, reader, at: step.at, cites: step.cites, statements, how };
    let (kind, text) = telling.words(&step.step)?;
    let heading = matches!(step.step, Step::Turn(_) | Step::Phase(_));
    let fields = if how.fields { super::fields::fields(&telling, &step.step) } else { Json::Null };
    Some(StepText { kind, text, heading, at_the_table: at_the_table(&step.step), fields })
}

/// Whether an event says that an effect begins or ends. Its first argument is the card from which the effect comes.
pub(super) fn is_of_effect(verb: VerbId) -> bool {
    verb == Builtin::EffectBegins.verb() || verb == Builtin::EffectEnds.verb()
}

fn at_the_table(step: &Step) -> bool {
    let inside = matches!(
        step,
        Step::Statement(_)
            | Step::Operand(..)
            | Step::Waits(..)
            | Step::Dropped(_)
            | Step::EffectBegins(_)
            | Step::EffectEnds(_)
            | Step::Judged
            | Step::Condition { .. }
    );
    // Nothing happens, and nobody could have done anything about it.
    let idle = match step {
        Step::Due(_, amount) => *amount == 0,
        Step::NotUsed { why, .. } | Step::NotPerformed(.., why) => matches!(why, Why::Inactive | Why::Nothing | Why::NoTimes),
        Step::Decides { domain, .. } => domain.is_empty(),
        // An effect of no card: nobody could say what begins.
        Step::Performed(verb, args, _) => is_of_effect(*verb) && args[0] == Value::Undefined,
        _ => false,
    };
    !inside && !idle
}

/// How much is shown.
#[derive(Clone, Copy)]
pub(super) struct How {
    /// Whether the options of a decision are shown too.
    pub all: bool,
    /// Whether the parts are wanted too.
    pub fields: bool,
}

pub(super) struct Telling<'a> {
    pub names: &'a Names<'a>,
    pub view: &'a View<'a>,
    lists: &'a [Value],
    pub reader: Option<Player>,
    how: How,
    at: Pc,
    cites: CitesId,
    statements: &'a [String],
}

impl Telling<'_> {
    fn words(&self, step: &Step) -> Option<(&'static str, String)> {
        Some(match step {
            Step::Turn(number) => ("turn", self.say("step.turn", &[("n", number.to_string())])),
            Step::Phase(phase) => ("phase", self.view.program.phases.get(*phase).map(|phase| self.names.label(&phase.name).to_owned())?),
            Step::Statement(value) => ("statement", self.statement(*value)?),
            Step::Operand(number, met) => ("operand", self.operand(*number, *met)?),
            Step::Began(verb, args, _) => ("began", self.call(*verb, args)),
            Step::Processes(verb, args) => ("processes", self.say("step.processes", &[("what", self.call(*verb, args))])),
            Step::Performed(verb, args, _) => ("performed", self.performed(*verb, args)?),
            Step::NotPerformed(verb, args, why) => ("not_performed", self.not_performed(*verb, args, why)),
            Step::Ability { card, you, instead: true, .. } => {
                let key = if *card == Value::Undefined { "step.instead" } else { "step.ability.instead" };
                ("ability", self.say(key, &[("player", seat(*you)), ("card", self.value(*card))]))
            }
            Step::Ability { card, ability, waited, you, .. } => {
                ("ability", self.ability(*card, kind_of(self.view.program, *ability, *waited), *you))
            }
            // This step is hidden: showing that a hidden card has triggered would reveal the card.
            Step::Waits(pending, _) | Step::Dropped(pending) | Step::Enters(pending, _) if self.waits_unseen(*pending) => return None,
            Step::NotUsed { ability: Value::Ability { of, .. }, .. } if !self.may_name(*of) => return None,
            Step::Waits(pending, _) => ("waits", self.say("step.waits", &[("what", self.value(Value::Pending(*pending)))])),
            Step::Dropped(pending) => ("dropped", self.say("step.dropped", &[("what", self.value(Value::Pending(*pending)))])),
            Step::Enters(pending, place) => {
                let parts = [("what", self.value(Value::Pending(*pending))), ("zone", self.value(Value::Zone(*place)))];
                ("enters", self.say("step.enters", &parts))
            }
            Step::Rule(rule, _) if self.reader.is_some() && asks_unseen(self.view.program, *rule) => return None,
            Step::Rule(rule, player) => ("rule", self.rule(*rule, *player)?),
            Step::NotUsed { ability, why } => ("not_used", self.not(self.value(*ability), *why)),
            Step::Concedes(player) => ("concedes", self.say("step.concedes", &[("player", seat(*player))])),
            Step::Decides { player, choice, .. } if self.is_unseen(*player, *choice) => return None,
            Step::Decides { player, choice, domain, picks, forced, secret, .. } => {
                ("decides", self.decides((*player, *choice), (domain, picks), *forced, *secret))
            }
            Step::Priced { effect, key, kind, by, now } => ("priced", self.priced(*effect, *key, (*kind, *by), *now)),
            Step::Due(key, amount) => ("due", self.say("step.due", &[("part", self.names.part(*key)), ("amount", amount.to_string())])),
            Step::Short { of, state, there, wanted } => {
                let pool = self.view.program.states.get(*state).map_or("?", |state| self.names.label(&state.name)).to_owned();
                let args = [("of", self.value(*of)), ("pool", pool), ("there", there.to_string()), ("wanted", wanted.to_string())];
                ("short", self.say("step.short", &args))
            }
            Step::Unmatched(what, joins) => {
                let key = if *joins { "step.unjoined" } else { "step.unmatched" };
                ("unmatched", self.say(key, &[("what", self.value(*what))]))
            }
            Step::EffectBegins(number) => ("effect_begins", self.effect("step.effect.begins", *number)),
            // This step is hidden from a seat: the condition may depend on something that the seat does not see.
            Step::Condition { .. } if self.reader.is_some() => return None,
            Step::Condition { effect, met } => {
                ("condition", self.effect(if *met { "step.condition.met" } else { "step.condition.unmet" }, *effect))
            }
            Step::Silenced { ability, by, lost } => {
                let of = self.source(*by).map_or_else(String::new, |card| self.value(card));
                let key = if *lost { "step.silenced.lost" } else { "step.silenced" };
                ("disabled", self.say(key, &[("what", self.value(*ability)), ("of", of)]))
            }
            Step::EffectCircle(circle) => {
                let named =
                    |number: u32| self.source(number).filter(|card| !matches!(card, Value::Object { id, .. } if !self.may_name(*id)));
                let named = |numbers: &[u32]| numbers.iter().map(|number| named(*number)).collect::<Option<Vec<Value>>>();
                // If a seat does not know one of the cards, the step is hidden.
                let (first, others) = (named(&circle.first)?, named(&circle.others)?);
                let policy = circles::policy(self.view.program).to_owned();
                let list =
                    |cards: &[Value]| circles::listed(cards.iter().map(|card| self.value(*card)), self.names.words.plain("list.comma"));
                let args = [("first", list(&first)), ("others", list(&others)), ("policy", policy)];
                ("circle", self.say(&format!("step.circle{}", circles::ending(first.len(), others.len())), &args))
            }
            Step::Back(ability) => ("enabled", self.say("step.back", &[("what", self.value(*ability))])),
            Step::EffectEnds(number) => ("effect_ends", self.effect("step.effect.ends", *number)),
            Step::NotReplaced { verb, args, effect, why } => {
                // An effect of a card that the seat does not know is hidden here as well. Leaving out this step reveals nothing.
                let source = self.source(*effect).unwrap_or_default();
                if matches!(source, Value::Object { id, .. } if !self.may_name(id)) {
                    return None;
                }
                let what = self.names.action(self.view.state, self.lists, *verb, args);
                let why = self.say(&format!("not_instead.{}", super::fields::not_instead(*why)), &[]);
                ("not_replaced", self.say("step.not_replaced", &[("what", what), ("card", self.value(source)), ("why", why)]))
            }
            Step::Unfit { card, what, why, .. } => {
                let key = match why {
                    Unfit::Gone => "step.unfit.gone",
                    Unfit::Other => "step.unfit",
                    Unfit::Withheld(_) => "step.unfit.withheld",
                };
                let by = if let Unfit::Withheld(number) = why { self.source(*number) } else { None };
                let by = by.map_or_else(String::new, |card| self.value(card));
                ("unfit", self.say(key, &[("what", self.value(*what)), ("card", self.value(*card)), ("of", by)]))
            }
            Step::RoleLost(role, member) => {
                let role = self.view.program.roles.get(*role).map_or("?", |role| self.names.label(&role.name)).to_owned();
                ("role_lost", self.say("step.role_lost", &[("what", self.value(*member)), ("role", role)]))
            }
            Step::GoesAway(card) => ("goes_away", self.say("step.goes", &[("card", self.value(*card))])),
            Step::Verdict(player, wins) => {
                ("verdict", self.say(if *wins { "step.verdict.wins" } else { "step.verdict.loses" }, &[("player", seat(*player))]))
            }
            Step::Judged => ("judged", self.say("step.judged", &[])),
            Step::Over(outcome) => ("over", self.names.outcome(*outcome)),
            Step::NobodyAsked(choice) => ("nobody_asked", self.say("step.nobody_asked", &[("choice", self.names.choice(*choice))])),
            Step::Circle => {
                ("loop", self.say("step.loop", &[("where", self.statements.get(self.at.index()).cloned().unwrap_or_default())]))
            }
            Step::Aborted => ("aborted", self.say("step.aborted", &[])),
            Step::TooFew { demanded, there, zone } => {
                let parts = [("from", self.value(Value::Zone(*zone))), ("demanded", demanded.to_string()), ("there", there.to_string())];
                ("too_few", self.say("step.too_few", &parts))
            }
            Step::NotAttempted => ("not_attempted", self.say("step.attempt.impossible", &[])),
            Step::AttemptFails => ("attempt_fails", self.say("step.attempt.fails", &[])),
            Step::Failed(failure) => ("failed", self.say("step.failed", &[("code", failure_code(failure.kind).to_owned())])),
        })
    }

    /// The text of a control-flow statement, with its value. Actions are shown by steps of their own, and a block is shown where it begins.
    fn statement(&self, value: Option<Value>) -> Option<String> {
        let text = self.statements.get(self.at.index());
        let jumps = |text: &String| ["break", "restart", "return"].iter().any(|word| text.starts_with(word));
        match self.view.program.code.get(self.at) {
            Some(Op::MoveTop { .. } | Op::Builtin { .. } | Op::Perform { .. }) => {
                // A step with other rules than those of the action: a phrase of a zone has applied.
                let own = self.view.program.code_cites.get(self.at).copied().unwrap_or_default();
                return (self.cites != own).then(|| self.say("step.statement", &[]));
            }
            // The jump may belong to a written statement (`break`, `restart` and so on).
            Some(Op::Jump(_)) if text.is_some_and(jumps) => {}
            // A jump to the next statement exists only for its rules.
            Some(Op::Jump(to)) if to.0 == self.at.0 + 1 => {}
            // A brace with rules, or a block after an `else` with rules, is shown.
            Some(op) if op.ends_block() && !text.is_some_and(|text| text.starts_with(['{', '}'])) => return None,
            _ => {}
        }
        let text = text.cloned().unwrap_or_else(|| self.say("step.statement", &[]));
        Some(match value.filter(|_| self.reader.is_none()) {
            Some(value) => self.say("step.statement.value", &[("text", text), ("value", self.value(value))]),
            None => text,
        })
    }

    /// A condition with its value. A reader at a seat may know neither the value nor that this condition decided.
    fn operand(&self, number: u32, met: bool) -> Option<String> {
        let texts = self.statements.get(self.view.program.code.len()..).unwrap_or_default();
        let text = texts.get(number as usize).cloned().unwrap_or_else(|| self.say("step.statement", &[]));
        let value = self.value(Value::Bool(met));
        self.reader.is_none().then(|| self.say("step.statement.value", &[("text", text), ("value", value)]))
    }

    /// The card of an effect.
    pub(super) fn source(&self, number: u32) -> Option<Value> {
        self.names.card_of_effect(self.view.state, number)
    }

    /// The card whose effect is the reason for a result.
    pub(super) fn why_of(&self, why: Why) -> Option<Value> {
        match why {
            Why::Forbidden(number) | Why::Replaced(number) | Why::Disabled(number) | Why::Lost(Some(number)) => self.source(number),
            _ => None,
        }
    }

    pub(super) fn say(&self, key: &str, args: &[(&'static str, String)]) -> String {
        self.names.words.say(key, args)
    }

    pub(super) fn value(&self, value: Value) -> String {
        self.names.value(self.view.state, self.lists, value)
    }

    fn call(&self, verb: VerbId, args: &[Value]) -> String {
        self.names.call(self.view.state, self.lists, verb, args)
    }

    /// None for an action with a body in words, because it was shown when it began.
    fn performed(&self, verb: VerbId, args: &[Value]) -> Option<String> {
        if !self.how.fields && self.view.program.verbs.get(verb).is_some_and(|verb| verb.body.is_some()) {
            return None;
        }
        Some(self.names.action(self.view.state, self.lists, verb, args))
    }

    fn not_performed(&self, verb: VerbId, args: &[Value], why: &Why) -> String {
        self.not(self.names.action(self.view.state, self.lists, verb, args), *why)
    }

    fn not(&self, what: String, why: Why) -> String {
        let source = self.why_of(why).filter(|source| *source != Value::Undefined);
        let why = ("why", self.say(reason(why), &[]));
        match source {
            Some(source) => self.say("step.not.by", &[("what", what), why, ("card", self.value(source))]),
            None => self.say("step.not", &[("what", what), why]),
        }
    }

    fn ability(&self, card: Value, kind: Option<&KindDef>, you: Player) -> String {
        let Some(kind) = kind else {
            // A block that a rule has put by belongs to no card.
            let key = if card == Value::Undefined { "step.put_by" } else { "step.ability.put_by" };
            return self.say(key, &[("player", seat(you)), ("card", self.value(card))]);
        };
        let kind = self.names.label(&kind.name).to_owned();
        // Some abilities belong to no card.
        let key = if card == Value::Undefined { "step.ability.of_rules" } else { "step.ability" };
        self.say(key, &[("player", seat(you)), ("kind", kind), ("card", self.value(card))])
    }

    fn rule(&self, rule: engine::ids::RuleId, player: Player) -> Option<String> {
        let rule = self.view.program.rules.get(rule)?;
        // In a Japanese game the name of a rule without a label says nothing to a player. The margin has its number.
        let nameless = self.reader.is_some() && self.names.words.language() == Language::Japanese && !rule.name.is_labelled();
        let name = if nameless { self.names.words.say("step.rule", &[]) } else { self.names.label(&rule.name).to_owned() };
        Some(if rule.each_player { format!("{name}({})", seat(player)) } else { name })
    }

    fn may_name(&self, card: ObjectId) -> bool {
        self.names.known.is_none_or(|known| known(card))
    }

    /// Whether a waiting ability belongs to a card that the reader does not see.
    fn waits_unseen(&self, pending: u32) -> bool {
        let source = self.names.waited(self.view.state, pending).map_or(Value::Undefined, |waited| waited.source);
        matches!(source, Value::Object { id, .. } if !self.may_name(id))
    }

    /// Whether the reader must not know of a decision at all.
    fn is_unseen(&self, player: Player, choice: ChoiceId) -> bool {
        let others = self.reader.is_some_and(|reader| reader != player);
        others && self.view.program.choices.get(choice).is_some_and(|choice| choice.unseen)
    }

    fn decides(&self, (player, choice): (Player, ChoiceId), (domain, picks): (&[Value], &[Value]), forced: bool, secret: bool) -> String {
        let def = self.view.program.choices.get(choice);
        let name = self.names.choice(choice);
        let hidden = secret && self.reader.is_some_and(|reader| reader != player);
        let picks_made = picks.len();
        // Numbers that stand for something are told by its name.
        let called = |value: &Value| def?.called.get(usize::try_from(value.number()?).ok()?.checked_sub(1)?).cloned();
        let meant: Option<Vec<String>> = picks.iter().map(called).collect();
        let picks = match meant.filter(|meant| !meant.is_empty()) {
            _ if hidden => self.say("secret", &[]),
            Some(meant) => meant.join(self.names.words.plain("list.comma")),
            None => self.names.list(self.view.state, self.lists, picks),
        };
        // If there was only one possible answer, this fact may reveal things that the other players do not see.
        let own = self.reader.is_none_or(|reader| reader == player);
        let args = [("player", seat(player)), ("choice", name), ("picks", picks)];
        if picks_made == 0 && def.is_some_and(|choice| choice.offer) {
            let pass = self.view.program.pass_words(choice).filter(|pass| !forced && reads(pass, self.names.words));
            if let Some(pass) = pass {
                let [player, choice, _] = args;
                return self.say("step.decides", &[player, choice, ("picks", pass.to_owned())]);
            }
            return self.say(if forced && own && domain.is_empty() { "step.passes.forced" } else { "step.passes" }, &args);
        }
        if forced && own {
            return self.say("step.decides.forced", &args);
        }
        if !self.how.all || !own || domain.len() == picks_made || domain.iter().any(|value| matches!(value, Value::Bool(_))) {
            return self.say("step.decides", &args);
        }
        let among = self.names.list(self.view.state, self.lists, domain);
        let [player, choice, picks] = args;
        self.say("step.decides.among", &[player, choice, picks, ("among", among)])
    }

    fn priced(&self, effect: u32, key: PartKey, (kind, by): (ChangeKind, i32), now: i32) -> String {
        let key = ("part", self.names.part(key));
        let card = self.source(effect).map_or_else(|| format!("#{effect}"), |source| self.value(source));
        let by = format!("{}{by}", super::fields::sign(kind));
        self.say("step.priced", &[key, ("by", by), ("card", card), ("now", now.to_string())])
    }

    fn effect(&self, key: &str, number: u32) -> String {
        self.say(key, &[("card", self.source(number).map_or_else(|| format!("#{number}"), |source| self.value(source)))])
    }
}

/// Whether a rule asks a question that only the asked player may know about. Showing that the rule runs would reveal the question.
fn asks_unseen(program: &Program, rule: engine::ids::RuleId) -> bool {
    let body = program.rules.get(rule).and_then(|rule| program.routines.get(rule.body));
    let start = body.map_or(usize::MAX, |body| body.start.index());
    let mut ops = program.code.rows().iter().skip(start).take_while(|op| **op != Op::End);
    ops.any(|op| match op {
        Op::May { choice, .. } | Op::Try { asked: Some(choice), .. } => program.choices.get(*choice).is_some_and(|choice| choice.unseen),
        Op::Perform { verb, .. } => program.verbs.get(*verb).is_some_and(|verb| verb.secret),
        _ => false,
    })
}
