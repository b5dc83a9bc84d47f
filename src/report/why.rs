//! Answers to the three `why` questions in words: one line for each fact with its rules, deeper facts indented.
//!
//! Input: the facts, and the names for one reader. The engine's `why` finds the facts.

use engine::ids::{ChoiceId, Id, MatchId, Pc, VerbId};
use engine::program::{Builtin, ChangeKind, Compare, NameDef, PartKey};
use engine::state::{Holds, Outcome, State};
use engine::steps::{Unfit, Why};
use engine::value::{Player, Value};
use engine::why::{Answer, Fact, Influence, Line};
use lang::diagnostic::Language;
use serde_json::{Value as Json, json};
use tell::{Names, circles, places_of, reason, seat, with_arguments};

/// Shows answers to one reader.
pub struct Reasons<'a> {
    /// The names of things.
    pub names: &'a Names<'a>,
    /// The state, for cards and values.
    pub state: &'a State,
    /// The text of a statement.
    pub statement: &'a dyn Fn(Pc) -> String,
    /// The line of a match with its requirements, or with its joining members (`true`), as it is declared.
    pub line_of_match: &'a dyn Fn(MatchId, bool) -> String,
}

/// The key of a fact's words, and their placeholders.
type Said = (&'static str, Vec<(&'static str, String)>);

impl Reasons<'_> {
    /// The answer in lines.
    #[must_use]
    pub fn lines(&self, answer: &Answer) -> Vec<String> {
        (0..answer.lines.len()).filter_map(|at| self.line(answer, at)).collect()
    }

    /// A line of the answer. None for a comparison that the line after it tells together with what is compared.
    fn line(&self, answer: &Answer, at: usize) -> Option<String> {
        let line = answer.lines.get(at)?;
        if matches!(line.fact, Fact::Compares(..)) && answer.lines.get(at + 1).is_some_and(|next| is_compared(line, next)) {
            return None;
        }
        let compared = at.checked_sub(1).and_then(|before| answer.lines.get(before)).filter(|before| is_compared(before, line));
        let text = self.text(line, &answer.lists);
        let (text, before) = match compared {
            Some(before) => (self.compared(&before.fact, text), self.rules(before)),
            None => (text, Vec::new()),
        };
        let own = self.rules(line);
        let rules: Vec<&str> = before.iter().chain(own.iter().filter(|rule| !before.contains(rule))).copied().collect();
        let rules = if rules.is_empty() { String::new() } else { format!(" [{}]", rules.join(" ")) };
        Some(format!("{}{text}{rules}", "  ".repeat(usize::from(line.depth))))
    }

    /// A false comparison: what is compared, and what this is not.
    fn compared(&self, comparison: &Fact, what: String) -> String {
        let Fact::Compares(op, _, right) = comparison else { return what };
        let key = match op {
            Compare::Equal => "compared.equal",
            Compare::NotEqual => "compared.other",
            Compare::Less => "compared.less",
            Compare::LessEqual => "compared.at_most",
            Compare::Greater => "compared.more",
            Compare::GreaterEqual => "compared.at_least",
        };
        self.names.words.say(key, &[("what", what), ("right", self.value(&[], *right))])
    }

    /// The first reason in one line. General lines (possible, impossible, an attempt) are skipped, because they only introduce the reason
    /// below them.
    #[must_use]
    pub fn first(&self, answer: &Answer) -> String {
        let general = |line: &&Line| matches!(line.fact, Fact::Possible | Fact::Impossible | Fact::Attempt | Fact::GivenUp(_));
        let at = answer.lines.iter().skip_while(general).count();
        let at = answer.lines.len() - if at == 0 { 1.min(answer.lines.len()) } else { at };
        let mut lines = (at..answer.lines.len()).filter_map(|at| self.line(answer, at));
        let first = lines.next().map(|line| line.trim().to_owned()).unwrap_or_default();
        // The next line names the part of the condition that decided.
        match (answer.lines.get(at), answer.lines.get(at + 1), lines.next()) {
            (Some(line), Some(next), Some(part)) if matches!(line.fact, Fact::Unmet(_)) && next.depth > line.depth => {
                format!("{first}: {}", part.trim())
            }
            _ => first,
        }
    }

    /// The answer as a JSON object.
    #[must_use]
    pub fn object(&self, answer: &Answer) -> Json {
        let line = |line: &Line| {
            let (key, _) = self.said(&line.fact, &answer.lists);
            let mut object = json!({
                "depth": line.depth,
                "fact": key.strip_prefix("because.").unwrap_or(key),
                "text": self.text(line, &answer.lists),
                "rules": self.rules(line),
            });
            if let (Some(by), Some(object)) = (line.fact.influence(), object.as_object_mut()) {
                object.insert("card".to_owned(), json!(self.value(&answer.lists, by.source)));
                object.insert("effect".to_owned(), json!(by.number));
                object.insert("timestamp".to_owned(), json!(by.timestamp));
            }
            object
        };
        json!({ "kind": "why", "lines": answer.lines.iter().map(line).collect::<Vec<_>>() })
    }

    /// The name of a choice.
    pub(super) fn choice(&self, choice: ChoiceId) -> String {
        self.names.choice(choice)
    }

    /// A declared thing by its label in Japanese, by its name in English. A name without a label is quoted as source,
    /// except for names of the language itself.
    fn name(&self, def: &NameDef) -> String {
        if let Some(own) = self.names.words.find(&format!("field.{}", def.name)).filter(|_| !def.is_labelled()) {
            return own.to_owned();
        }
        let label = self.names.label(def);
        if self.names.words.language() == Language::English || def.is_labelled() { label.to_owned() } else { format!("`{label}`") }
    }

    pub(super) fn rules(&self, line: &Line) -> Vec<&str> {
        let mut rules: Vec<&str> = Vec::new();
        for rule in line.cites.iter().flat_map(|list| self.names.program.rules_beside(*list)) {
            if !rules.contains(&rule.as_str()) {
                rules.push(rule);
            }
        }
        rules
    }

    fn text(&self, line: &Line, lists: &[Value]) -> String {
        self.text_of(&line.fact, lists)
    }

    pub(super) fn text_of(&self, fact: &Fact, lists: &[Value]) -> String {
        let (key, args) = self.said(fact, lists);
        self.names.words.say(key, &args)
    }

    pub(super) fn value(&self, lists: &[Value], value: Value) -> String {
        self.names.value(self.state, lists, value)
    }

    fn values(&self, values: &[Value]) -> String {
        self.names.list(self.state, &[], values)
    }

    /// Values, without those that read like one before.
    fn unlike(&self, values: &[Value]) -> String {
        let mut unlike: Vec<Value> = Vec::new();
        let mut told: Vec<String> = Vec::new();
        for value in values {
            let text = self.value(&[], *value);
            if !matches!(value, Value::Play { .. }) || !told.contains(&text) {
                told.push(text);
                unlike.push(*value);
            }
        }
        self.values(&unlike)
    }

    fn said(&self, fact: &Fact, lists: &[Value]) -> Said {
        self.of_value(fact).or_else(|| self.of_choice(fact)).or_else(|| self.of_ability(fact)).unwrap_or_else(|| self.of_event(fact, lists))
    }

    fn of_value(&self, fact: &Fact) -> Option<Said> {
        let program = self.names.program;
        Some(match fact {
            Fact::Is(values) => ("because.is", vec![("value", self.values(values))]),
            Fact::Field(card, field, values) | Fact::AsPrinted(card, field, values) => {
                let key = if matches!(fact, Fact::Field(..)) { "because.field" } else { "because.as_printed" };
                let field = program.fields.get(*field).map_or_else(|| "?".to_owned(), |field| self.name(&field.name));
                let args = [("field", field), ("card", self.value(&[], *card)), ("value", self.values(values))];
                (key, args.to_vec())
            }
            Fact::Printed(values) => ("because.printed", vec![("value", self.values(values))]),
            Fact::BeforeEffects(values) => ("because.before_effects", vec![("value", self.values(values))]),
            Fact::Changed(by, kind, amount, now) => {
                let args = [("by", self.by(by)), ("amount", self.value(&[], *amount)), ("now", self.values(now))];
                (changed(*kind), args.to_vec())
            }
            Fact::Silenced(by, other) => {
                let other = other.as_ref().map_or_else(String::new, |other| self.by(other));
                ("because.silenced", vec![("by", self.by(by)), ("other", other)])
            }
            Fact::PassedBy(by, changer) => ("because.passed_by", vec![("by", self.by(by)), ("changer", self.by(changer))]),
            Fact::KeptOff(by, shield) => ("because.kept_off", vec![("by", self.by(by)), ("shield", self.by(shield))]),
            Fact::Asleep(of) => ("because.asleep", vec![("card", self.value(&[], *of))]),
            Fact::NoValue(by) => ("because.no_value", vec![("by", self.by(by))]),
            Fact::Floored(least, number) => ("because.floored", vec![("least", least.to_string()), ("number", number.to_string())]),
            Fact::State(subject, state, value) => {
                let def = program.states.get(*state);
                let key = if def.is_some_and(|def| def.of_game) { "because.state_of_game" } else { "because.state" };
                let state = def.map_or_else(|| "?".to_owned(), |def| self.name(&def.name));
                let args = [("state", state), ("of", self.value(&[], *subject)), ("value", self.value(&[], *value))];
                (key, args.to_vec())
            }
            Fact::Compares(_, left, _) => {
                let what = self.names.words.say("compared.value", &[("left", self.value(&[], *left))]);
                ("because.compares", vec![("text", self.compared(fact, what))])
            }
            Fact::Counted(place, n) => ("because.counted", vec![("place", self.names.place(*place)), ("n", n.to_string())]),
            Fact::Members(values) => ("because.members", vec![("values", self.values(values)), ("n", values.len().to_string())]),
            Fact::NoHolder(role) => {
                let role = program.roles.get(*role).map_or_else(|| "?".to_owned(), |role| self.name(&role.name));
                ("because.no_holder", vec![("role", role)])
            }
            Fact::NoneWaits(None) => ("because.none_waits", Vec::new()),
            Fact::NoneWaits(Some(place)) => ("because.none_waits_in", vec![("place", self.names.place(*place))]),
            Fact::NoneInAny(zone) => {
                let zone = program.zones.get(*zone).map_or("?", |zone| self.names.label(&zone.name));
                ("because.none_in_any", vec![("zone", zone.to_owned())])
            }
            Fact::Lies(card, place, up) => {
                let zone = program.zones.get(engine::state::board::zone_of(program, *place).0);
                let key = match (zone.is_some_and(|zone| zone.has_faces), *up) {
                    (false, _) => "because.lies",
                    (true, true) => "because.lies.up",
                    (true, false) => "because.lies.down",
                };
                (key, vec![("card", self.value(&[], *card)), ("place", self.names.place(*place))])
            }
            Fact::ControlledBy(card, player) => ("because.controlled", vec![("card", self.value(&[], *card)), ("player", seat(*player))]),
            Fact::Hidden => ("because.hidden", Vec::new()),
            Fact::InLayer(layer) => {
                let layer = program.layers.get(usize::from(*layer)).map_or("?", |layer| self.names.label(layer));
                ("because.layer", vec![("layer", layer.to_owned())])
            }
            Fact::GivenBy(by) => ("because.given_by", vec![("by", self.by(by))]),
            Fact::InCircle(first, others) => {
                let list = |all: &[Influence]| circles::listed(all.iter().map(|by| self.by(by)), self.names.words.plain("list.comma"));
                let key = match circles::ending(first.len(), others.len()) {
                    "" => "because.circle",
                    ".itself" => "because.circle.itself",
                    _ => "because.circle.all",
                };
                (key, vec![("first", list(first)), ("others", list(others)), ("policy", circles::policy(program).to_owned())])
            }
            Fact::Depends(by) => ("because.depends", vec![("by", self.by(by))]),
            Fact::Without(effects) => {
                let effects: Vec<String> = effects.iter().map(|by| self.by(by)).collect();
                ("because.without", vec![("by", effects.join(self.names.words.plain("list.comma")))])
            }
            Fact::Permitted(by) => ("because.permitted", vec![("by", self.by(by))]),
            Fact::Assumed(by) => ("because.assumed", vec![("by", self.by(by))]),
            Fact::Withheld(by, card) => ("because.withheld", vec![("by", self.by(by)), ("card", self.values(&[*card]))]),
            Fact::Demanded(by, values) => ("because.demanded", vec![("by", self.by(by)), ("values", self.values(values))]),
            _ => return self.of_cost(fact),
        })
    }

    fn of_cost(&self, fact: &Fact) -> Option<Said> {
        let part = |key: &PartKey| ("part", self.names.part(*key));
        let against = |there: i32, wanted: i32| [("there", there.to_string()), ("wanted", wanted.to_string())];
        Some(match fact {
            Fact::Due(key, amount) => ("because.due", vec![part(key), ("amount", amount.to_string())]),
            Fact::Fixed => ("because.fixed", Vec::new()),
            Fact::Short(of, state, there, wanted) => {
                let pool = self.names.program.states.get(*state).map_or_else(|| "?".to_owned(), |state| self.name(&state.name));
                let of = [("of", self.value(&[], *of)), ("pool", pool)];
                ("because.short", of.into_iter().chain(against(*there, *wanted)).collect())
            }
            Fact::Few(key, there, wanted) => ("because.few", std::iter::once(part(key)).chain(against(*there, *wanted)).collect()),
            Fact::NoPart(key) => ("because.no_part", vec![part(key)]),
            Fact::Unmatched(of, what, joins) => {
                let (what, line) = (("what", self.value(&[], *what)), (self.line_of_match)(*of, *joins));
                let key = match (*joins, line.is_empty()) {
                    (true, true) => "because.unjoined",
                    (true, false) => "because.unjoined.line",
                    (false, true) => "because.unmatched",
                    (false, false) => "because.unmatched.line",
                };
                (key, vec![what, ("line", line)])
            }
            Fact::GivenUp(at) => {
                let text = (self.statement)(*at);
                let key = if text.is_empty() { "because.given_up" } else { "because.given_up.at" };
                (key, vec![("text", text.trim_end_matches(['{', ' ']).to_owned())])
            }
            _ => return None,
        })
    }

    fn of_choice(&self, fact: &Fact) -> Option<Said> {
        let name = |choice| self.choice(choice);
        Some(match fact {
            Fact::NoneCalled(called) => ("because.none_called", vec![("called", called.clone())]),
            Fact::Possible => ("because.possible", Vec::new()),
            Fact::Impossible => ("because.impossible", Vec::new()),
            Fact::Over(Outcome::Won(player)) => ("step.over.won", vec![("player", seat(*player))]),
            Fact::Over(Outcome::Placed(places)) => ("step.over.placed", vec![("places", places_of(places))]),
            Fact::Over(Outcome::Drawn) => ("step.over.drawn", Vec::new()),
            Fact::Chosen(player, choice, domain) if domain.is_empty() => {
                ("because.asked", vec![("player", seat(*player)), ("choice", name(*choice))])
            }
            Fact::Chosen(player, choice, domain) => {
                let values = ("values", self.unlike(domain));
                ("because.chosen", vec![("player", seat(*player)), ("choice", name(*choice)), values])
            }
            Fact::Given(player, choice) => ("because.given", vec![("player", seat(*player)), ("choice", name(*choice))]),
            Fact::NotAsked => ("because.not_asked", Vec::new()),
            Fact::Amount(min, max, given) if min == max => {
                ("because.amount", vec![("amount", min.to_string()), ("given", given.to_string())])
            }
            Fact::Amount(min, max, given) => {
                ("because.amounts", vec![("min", min.to_string()), ("max", max.to_string()), ("given", given.to_string())])
            }
            Fact::LeavesOut(value, wanted, given) => {
                let numbers = [("wanted", wanted.to_string()), ("given", given.to_string())];
                ("because.leaves_out", [vec![("value", self.value(&[], *value))], numbers.to_vec()].concat())
            }
            Fact::NotTogether => ("because.not_together", Vec::new()),
            Fact::NotDecided => ("because.not_decided", Vec::new()),
            Fact::NotIn(card, place) => ("because.not_in", vec![("card", self.value(&[], *card)), ("place", self.names.place(*place))]),
            Fact::NotAmong(value) => ("because.not_among", vec![("value", self.value(&[], *value))]),
            Fact::LeftOut(value) => ("because.left_out", vec![("value", self.value(&[], *value))]),
            Fact::Fails(value, at) => {
                // The condition of an option belongs to no statement.
                let (value, text) = (self.value(&[], *value), (self.statement)(*at));
                let key = if text.is_empty() { "because.fails.here" } else { "because.fails" };
                (key, vec![("value", value), ("text", text)])
            }
            Fact::Decided(player, choice, _, true) => {
                ("because.decided.secret", vec![("player", seat(*player)), ("choice", name(*choice))])
            }
            Fact::Decided(player, choice, picks, false) => {
                ("because.decided", vec![("player", seat(*player)), ("choice", name(*choice)), ("picks", self.values(picks))])
            }
            _ => return None,
        })
    }

    fn of_ability(&self, fact: &Fact) -> Option<Said> {
        let ability = |ability: &Value| ("ability", self.value(&[], *ability));
        Some(match fact {
            Fact::Inactive(of, place) => ("because.inactive", vec![ability(of), ("place", self.names.place(*place))]),
            Fact::FaceDown(of) => ("because.face_down", vec![ability(of)]),
            Fact::Disabled(of, by) => ("because.disabled", vec![ability(of), ("by", self.by(by))]),
            Fact::Lost(of, by) => ("because.lost", vec![ability(of), ("by", self.by(by))]),
            Fact::Unused(of, why) => {
                let why = self.names.words.say(reason(*why), &[]);
                let what = if *of == Value::Undefined { "–".to_owned() } else { self.value(&[], *of) };
                ("because.unused", vec![("ability", what), ("why", why)])
            }
            Fact::UsedUp(of, used, most) => ("because.used_up", vec![ability(of), ("used", used.to_string()), ("most", most.to_string())]),
            Fact::Usable(of, used, Some(most)) => {
                ("because.usable", vec![ability(of), ("used", used.to_string()), ("most", most.to_string())])
            }
            Fact::Usable(of, ..) => ("because.usable.always", vec![ability(of)]),
            Fact::Forbidden(by) => ("because.forbidden", vec![("by", self.by(by))]),
            Fact::ForbiddenToEffects(by, None) => ("because.forbidden.all_effects", vec![("by", self.by(by))]),
            Fact::ForbiddenToEffects(by, Some(player)) => {
                ("because.forbidden.effects", vec![("by", self.by(by)), ("player", seat(*player))])
            }
            Fact::ForbiddenToEffectsOf(by, card) => {
                ("because.forbidden.effects_of", vec![("by", self.by(by)), ("card", self.value(&[], *card))])
            }
            Fact::Replaced(by) => ("because.replaced", vec![("by", self.by(by))]),
            Fact::Lacking(verb, at, why) => {
                let key = match (*why == Why::NoTimes, self.parameter(*verb, usize::from(*at))) {
                    (true, Some(name)) => return Some(("because.no_times", vec![("parameter", name)])),
                    (false, Some(name)) => return Some(("because.lacking", vec![("parameter", name)])),
                    (true, None) => "because.no_times.plain",
                    (false, None) => "because.lacking.plain",
                };
                (key, Vec::new())
            }
            Fact::Already(card, place) => ("because.already", vec![("card", self.value(&[], *card)), ("place", self.names.place(*place))]),
            Fact::Full(place, n) => ("because.full", vec![("place", self.names.place(*place)), ("n", n.to_string())]),
            Fact::TooFew(demanded, there, place, choice) => {
                let numbers = vec![("demanded", demanded.to_string()), ("there", there.to_string())];
                match (place, choice) {
                    (Some(place), _) => ("because.too_few_in", [numbers, vec![("from", self.names.place(*place))]].concat()),
                    (None, Some(choice)) => ("because.too_few_for", [numbers, vec![("choice", self.choice(*choice))]].concat()),
                    (None, None) => ("because.too_few", numbers),
                }
            }
            Fact::Attempt => ("because.attempt", Vec::new()),
            Fact::Idle(at, finds_nothing) => {
                let text = (self.statement)(*at);
                let key = match (text.is_empty(), *finds_nothing) {
                    (false, false) => "because.idle",
                    (false, true) => "because.idle.none",
                    (true, false) => "because.idle.plain",
                    (true, true) => "because.idle.none.plain",
                };
                (key, vec![("text", text.trim_end_matches(['{', ' ']).to_owned())])
            }
            Fact::Unmet(verb) => {
                let verb = self.names.program.verbs.get(*verb).map(|verb| self.name(&verb.name));
                ("because.unmet", vec![("option", verb.unwrap_or_default())])
            }
            Fact::Tried => ("because.tried", Vec::new()),
            Fact::Repeated => ("because.repeated", Vec::new()),
            _ => return None,
        })
    }

    fn of_event(&self, fact: &Fact, lists: &[Value]) -> Said {
        let card = |card: &Value| ("card", self.value(&[], *card));
        match fact {
            Fact::Part(verb, [Value::Undefined | Value::List { len: 0, .. }, Value::Zone(to), _, _, from, _], _)
                if *verb == Builtin::Move.verb() =>
            {
                let to = ("to", self.names.place(*to));
                match from {
                    Value::Zone(from) => ("because.part.none_in", vec![to, ("from", self.names.place(*from))]),
                    _ => ("because.part.none", vec![to]),
                }
            }
            Fact::Part(verb, args, why) => {
                let why = self.names.words.say(reason(*why), &[]);
                ("because.part", vec![("what", self.call(*verb, args, lists)), ("why", why)])
            }
            Fact::Cannot(verb, args) => ("because.cannot", vec![("what", self.call(*verb, args, lists))]),
            Fact::Event(verb, args) => ("because.event", vec![("what", self.call(*verb, args, lists))]),
            Fact::PartOf(verb, args) => ("because.part_of", vec![("what", self.call(*verb, args, lists))]),
            Fact::Ability(of, Some(ability), you) => {
                let kind = self.names.program.abilities.get(*ability).and_then(|def| self.names.program.kinds.get(def.kind));
                let kind = kind.map_or("?", |kind| self.names.label(&kind.name)).to_owned();
                ("because.ability", vec![card(of), ("kind", kind), ("player", seat(*you))])
            }
            Fact::Ability(of, None, you) => ("because.ability.plain", vec![card(of), ("player", seat(*you))]),
            Fact::Triggered(of, you) => ("because.triggered", vec![card(of), ("player", seat(*you))]),
            Fact::Waited(of, kind, you) | Fact::Handled(of, kind, you) => {
                let kind = self.names.program.kinds.get(*kind).map_or("?", |kind| self.names.label(&kind.name)).to_owned();
                let key = if matches!(fact, Fact::Waited(..)) { "because.waited" } else { "because.handled" };
                (key, vec![card(of), ("kind", kind), ("player", seat(*you))])
            }
            Fact::PutBy(of, you) => ("because.put_by", vec![card(of), ("player", seat(*you))]),
            Fact::Pays(of, you, heard) => {
                let key = if *heard { "because.pays.triggered" } else { "because.pays" };
                (key, vec![card(of), ("player", seat(*you))])
            }
            Fact::Instead(verb, args, of) => ("because.instead", vec![("what", self.call(*verb, args, lists)), card(of)]),
            Fact::Caused(cause, of) => {
                let cause = self.names.program.causes.get(*cause).map_or("?", |cause| self.names.label(cause)).to_owned();
                let key = if *of == Value::Undefined { "because.caused" } else { "because.caused.of" };
                (key, vec![("cause", cause), card(of)])
            }
            Fact::Began(by) => ("because.began", vec![("by", self.by(by))]),
            Fact::Ended(by) => ("because.ended", vec![("by", self.by(by))]),
            Fact::Rule(rule, player, known) => {
                (if *known { "because.rule" } else { "because.rule.plain" }, vec![("rule", self.rule(*rule, *player))])
            }
            Fact::Flow(turn, phase) => {
                let phase = phase.and_then(|phase| self.names.program.phases.get(phase));
                let phase = phase.map_or("–", |phase| self.names.label(&phase.name)).to_owned();
                ("because.flow", vec![("turn", turn.to_string()), ("phase", phase)])
            }
            Fact::AndSoOn(times, false) => ("because.and_so_on", vec![("n", times.to_string())]),
            Fact::AndSoOn(times, true) => ("because.and_so_on.more", vec![("n", times.to_string())]),
            Fact::Never(there) if *there > 0 => ("because.fewer", vec![("there", there.to_string())]),
            Fact::Circle => ("because.loop", Vec::new()),
            Fact::Unfit(what, why) => {
                let key = match why {
                    Unfit::Gone => "because.unfit.gone",
                    Unfit::Other => "because.unfit",
                    Unfit::Withheld(_) => "because.unfit.withheld",
                };
                (key, vec![card(what)])
            }
            Fact::OneOf(number, all) => ("because.one_of", vec![("number", number.to_string()), ("all", all.to_string())]),
            _ => ("because.never", Vec::new()),
        }
    }

    fn rule(&self, rule: engine::ids::RuleId, player: Player) -> String {
        let def = self.names.program.rules.get(rule);
        let name = def.map_or_else(|| "?".to_owned(), |rule| self.name(&rule.name));
        if def.is_some_and(|rule| rule.each_player) { format!("{name}({})", seat(player)) } else { name }
    }

    /// An effect: its card, what keeps it in force, its player, and its number in the order of beginning.
    fn by(&self, by: &Influence) -> String {
        let program = self.names.program;
        let held = match by.holds {
            Holds::Static(ability) | Holds::Granted(ability, _) => {
                program.abilities.get(ability).and_then(|ability| program.kinds.get(ability.kind)).map(|kind| &kind.name)
            }
            Holds::Lasting(duration) => program.durations.get(duration),
            Holds::Rule(rule) => program.rules.get(rule).map(|rule| &rule.name),
        };
        let held = held.map_or("?", |name| self.names.label(name)).to_owned();
        let args = [("card", self.value(&[], by.source)), ("held", held), ("player", seat(by.you)), ("n", (by.number + 1).to_string())];
        self.names.words.say("because.by", &args)
    }

    /// `引く(a, 1)`; a move as `「石」: 手札(a) → 列(a)`.
    pub(super) fn call(&self, verb: VerbId, args: &[Value], lists: &[Value]) -> String {
        if verb == Builtin::Move.verb() {
            return self.names.action(self.state, lists, verb, args);
        }
        let given = args.iter().rposition(|arg| *arg != Value::Undefined).map_or(0, |last| last + 1);
        let args: Vec<_> = args.iter().take(given).map(|arg| self.value(lists, *arg)).collect();
        with_arguments(&self.verb(verb), &args)
    }

    /// The name of an action's parameter; in Japanese its label, if it has one.
    fn parameter(&self, verb: VerbId, at: usize) -> Option<String> {
        let program = self.names.program;
        let mut options = program.options.iter().filter(|(_, option)| option.verb == verb);
        let name = match self.names.words.language() {
            Language::English => program.verbs.get(verb).and_then(|verb| verb.parameters.get(at)),
            Language::Japanese => options.next().and_then(|(_, option)| option.called.get(at)),
        };
        name.filter(|name| !name.is_empty()).cloned()
    }

    fn verb(&self, verb: VerbId) -> String {
        let builtin = Builtin::ALL.get(verb.index()).filter(|builtin| builtin.verb() == verb);
        match builtin.and_then(|builtin| self.names.words.find(&format!("verb.{}", builtin.name()))) {
            Some(label) => label.to_owned(),
            None => self.names.program.verbs.get(verb).map_or_else(|| "?".to_owned(), |verb| self.name(&verb.name)),
        }
    }
}

/// Whether the second line tells the value that the first one compares.
fn is_compared(comparison: &Line, next: &Line) -> bool {
    let Fact::Compares(_, left, _) = &comparison.fact else { return false };
    let told = match &next.fact {
        Fact::Counted(_, n) => i32::try_from(*n).ok().map(Value::Number),
        Fact::Members(values) => i32::try_from(values.len()).ok().map(Value::Number),
        Fact::State(_, _, value) => Some(*value),
        Fact::Field(_, _, values) | Fact::AsPrinted(_, _, values) if values.len() == 1 => values.first().copied(),
        Fact::ControlledBy(_, player) => Some(Value::Player(*player)),
        _ => None,
    };
    comparison.depth == next.depth && told == Some(*left)
}

fn changed(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Add => "because.changed.add",
        ChangeKind::Subtract => "because.changed.subtract",
        ChangeKind::Multiply => "because.changed.multiply",
        ChangeKind::Divide => "because.changed.divide",
        ChangeKind::Floor => "because.changed.floor",
        ChangeKind::Set => "because.changed.set",
        ChangeKind::SetPrinted => "because.changed.printed",
        ChangeKind::AddPrinted => "because.changed.printed_too",
        ChangeKind::RemovePrinted => "because.changed.unprinted",
        ChangeKind::Provide => "because.changed.provide",
        ChangeKind::Remove => "because.changed.remove",
    }
}
