//! A question as the asked player sees it: the words of the question, the card that asks, the answers, and the actions that cannot be taken
//! now.

use super::namesakes::Namesakes;
use super::question::{Question, text_of};
use compile::SourceMap;
use engine::machine::{Machine, Numbers};
use engine::value::{ObjectId, Value, long_row, row};
use engine::why::{NotOffered, as_seen};
use lang::diagnostic::{Sources, Span};
use report::{Obstacle, Reasons};
use serde_json::{Value as Json, json};
use tell::{Names, Words, choice_of, question_of, range_of, reads, seat};

/// The most actions that cannot be taken now, each with its reason. The others are counted.
const MOST_NOT_NOW: usize = 3;
/// The most rules that stand before a question.
const MOST_RULES: usize = 3;

/// What the sources say of a question.
#[derive(Clone, Debug, Default)]
pub(super) struct Asking {
    /// The first line of the asking statement.
    pub statement: String,
    /// The statement as a card prints it, if a printed text asks.
    pub printed: Option<String>,
    /// For each answer that is an effect, its text.
    pub texts: Vec<String>,
    /// For each answer that is a number, what the number means. Empty: the number means an amount.
    pub meanings: Vec<String>,
}

impl Asking {
    /// What the sources say of this question.
    #[must_use]
    pub(super) fn of(question: &Question, machine: &Machine, map: &SourceMap, sources: &Sources) -> Self {
        let written = |span: Option<Span>| {
            let text = span.map_or("", |span| sources.text(span));
            text.lines().next().unwrap_or("").trim().to_owned()
        };
        let in_one_line = |span: Span| sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let place = question.place(machine, map);
        let printed = place.filter(|span| map.is_printed(*span)).map(|span| in_one_line(to_its_end(span, sources)));
        let texts = question.places(map).map(written).collect();
        let means = |span: &Span| map.is_printed(*span) && Some(*span) != place;
        let meaning = |number: i32| map.answer(question.choice, number).filter(means).map(in_one_line);
        Self { statement: written(place), printed, texts, meanings: question.meanings(machine, meaning) }
    }
}

/// A phrase of a printed text, with the rest of its sentence: what is chosen, and for what.
fn to_its_end(span: Span, sources: &Sources) -> Span {
    let rest = sources.get(span.file).and_then(|source| source.text.get(span.end as usize..)).unwrap_or("");
    let rest = if sources.text(span).ends_with('。') { "" } else { rest };
    let (mut depth, mut length) = (0_usize, 0);
    for sign in rest.chars() {
        match sign {
            '「' => depth += 1,
            '」' if depth == 0 => break,
            '」' => depth -= 1,
            '\n' => break,
            _ => {}
        }
        length += sign.len_utf8();
        if sign == '。' && depth == 0 {
            break;
        }
    }
    Span { end: span.end + length as u32, ..span }
}

impl Question {
    /// The question in lines, without actions that cannot be taken now.
    #[must_use]
    pub(super) fn lines(&self, machine: &Machine, words: Words, asking: &Asking) -> Vec<String> {
        let mut lines = vec![self.heading(machine, words, asking)];
        // A question about an ability of the card that asks names the card already.
        let is_named =
            |source: &Value| self.about.iter().any(|about| of_object(machine, *about) == of_object(machine, *source) && about != source);
        let source = self.source.filter(|source| self.clauses.len() < 2 && !is_named(source));
        let card = source.map(|source| self.known(machine, words, source));
        let text = asking.printed.clone().unwrap_or_default();
        match card {
            Some(card) if text.is_empty() => lines.push(words.say("ask.source", &[("card", card)])),
            Some(card) => lines.push(words.say("ask.source.text", &[("card", card), ("text", text.clone())])),
            None if text.is_empty() => {}
            None => lines.push(format!("    {text}")),
        }
        let about: Vec<Value> = self.about.iter().copied().filter(|value| Some(*value) != source).collect();
        if !about.is_empty() {
            let what: Vec<String> = about.iter().map(|value| self.known(machine, words, *value)).collect();
            lines.push(format!("    {}", words.say("ask.about", &[("what", what.join(words.plain("list.comma")))])));
        }
        lines.extend(self.payment_lines(machine, words).into_iter().map(|line| format!("    {line}")));
        if self.yes_no {
            let texts = about.iter().filter_map(|value| text_of(machine, *value)).filter(|known| *known != text);
            lines.extend(texts.map(|text| format!("    {text}")));
        }
        lines.extend(self.answers(machine, words, asking));
        lines
    }

    /// For a payment: what is due for which ability, and what is named already.
    fn payment_lines(&self, machine: &Machine, words: Words) -> Vec<String> {
        let Some(payment) = &self.payment else { return Vec::new() };
        let names = Names::new(machine.program(), words);
        let comma = words.plain("list.comma");
        let of = ("of", self.known(machine, words, payment.of));
        let due: Vec<String> = payment.due.iter().map(|(part, amount)| format!("{} {amount}", names.part(*part))).collect();
        let named: Vec<String> = payment.named.iter().map(|unit| self.known(machine, words, *unit)).collect();
        let due = (!due.is_empty()).then(|| words.say("ask.due", &[of, ("due", due.join(comma))]));
        let named = (!named.is_empty()).then(|| words.say("ask.named", &[("named", named.join(comma))]));
        due.into_iter().chain(named).collect()
    }

    /// What the numbers among the answers mean: the words that the choice has for them, else what `meaning` finds. Empty without numbers.
    fn meanings(&self, machine: &Machine, meaning: impl Fn(i32) -> Option<String>) -> Vec<String> {
        let called = machine.program().choices.get(self.choice).map_or(&[][..], |choice| &choice.called);
        let of = |value: &Value| {
            let number = value.number()?;
            let word = usize::try_from(number).ok().and_then(|number| called.get(number.checked_sub(1)?));
            word.cloned().or_else(|| meaning(number))
        };
        let numbers = self.domain.iter().filter(|_| self.takes_numbers() && self.numbers.is_none());
        numbers.map(|value| of(value).unwrap_or_default()).collect()
    }

    /// The words of the question. If the game has no words for the decision, the printed text that asks says what is asked. Without a printed
    /// text, the asking statement says what a yes or no or a nameless pick is about.
    fn question(&self, machine: &Machine, words: Words, asking: &Asking) -> String {
        let choice = machine.program().choices.get(self.choice);
        let is_bare = choice.is_some_and(|choice| !choice.name.is_labelled());
        if is_bare && asking.printed.is_some() && !self.yes_no {
            return words.say("choice.pick", &[]);
        }
        let name = self.name(machine, words, question_of);
        // The name of a decision that the rules name says something. The language's own names for a yes or no and for a pick say nothing.
        let says_nothing = is_bare && (self.yes_no || choice.is_some_and(|choice| choice.name.name == "pick"));
        if !says_nothing || asking.printed.is_some() || asking.statement.is_empty() {
            return name;
        }
        words.say("ask.unlabelled", &[("choice", name), ("statement", asking.statement.clone())])
    }

    fn heading(&self, machine: &Machine, words: Words, asking: &Asking) -> String {
        let more = if self.rules.len() > MOST_RULES { " …" } else { "" };
        let rules = self.rules.iter().take(MOST_RULES).cloned().collect::<Vec<_>>().join(" ");
        let rules = if rules.is_empty() { rules } else { format!("[{rules}{more}] ") };
        let amount = if self.yes_no { String::new() } else { self.amount(words) };
        let args = [("rules", rules), ("player", seat(self.player)), ("choice", self.question(machine, words, asking)), ("amount", amount)];
        words.say("ask.question", &args).trim_end().to_owned()
    }

    /// The answers, a line for each.
    fn answers(&self, machine: &Machine, words: Words, asking: &Asking) -> Vec<String> {
        let mut lines = Vec::new();
        // Nothing that would be listed could be chosen.
        if self.max == 0 {
            return lines;
        }
        if let Some(Numbers { least, greatest }) = self.numbers {
            let few = row(&self.domain).is_none();
            lines.push(format!("    {}", range_of(least, greatest)));
            lines.extend(few.then(|| words.say("ask.numbers.condition", &[])));
            return lines;
        }
        if let Some((first, last)) = long_row(&self.domain) {
            lines.push(format!("    {first}…{last}"));
            return lines;
        }
        if self.takes_numbers() {
            // The numbers themselves are typed, so no positions stand beside them.
            let numbers: Vec<String> = self.domain.iter().map(|value| self.option(machine, words, *value)).collect();
            if asking.meanings.iter().all(String::is_empty) {
                lines.push(format!("    {}", numbers.join("  ")));
            } else {
                lines.extend(numbers.iter().zip(&asking.meanings).map(|(number, meaning)| format!("{number:>3} {meaning}")));
            }
            return lines;
        }
        let namesakes = self.namesakes(machine, words);
        let option = |(index, value): (usize, &Value)| {
            let option = match value {
                Value::Play { .. } => self.way(machine, words, &namesakes, *value),
                value => self.long_option(machine, words, index, *value),
            };
            let text = asking.texts.get(index).filter(|text| !text.is_empty()).map(String::as_str);
            let own = text_of(machine, *value)
                .filter(|_| !self.blind && of_object(machine, *value).is_some_and(|of| machine.sees(self.player, of)));
            (option, text.or(own))
        };
        let options: Vec<(String, Option<&str>)> = self.domain.iter().enumerate().map(option).collect();
        for (index, told) in options.iter().enumerate() {
            lines.push(format!("{:>3} {}{}", index + 1, told.0, which_of_alike(&options, index, words)));
            lines.extend(told.1.map(|text| format!("      {text}")));
        }
        lines
    }

    /// For an offer: the actions that cannot be taken now, each in a line with one reason, as far as the asked player may know it. Actions
    /// with nothing to do them to come last.
    #[must_use]
    pub(super) fn not_now(&self, machine: &Machine, words: Words) -> Vec<String> {
        if !self.offer {
            return Vec::new();
        }
        let machine = as_seen(machine, self.player);
        let known = |id| machine.sees(self.player, id);
        let names = Names::new(machine.program(), words).known_to(&known);
        let reasons =
            Reasons { names: &names, state: machine.state(), statement: &|_| String::new(), line_of_match: &|_, _| String::new() };
        let ways = machine.not_offered(self.id);
        let all =
            ways.iter().map(|way| (way.lists.as_slice(), way.play)).chain(self.domain.iter().map(|way| (self.lists.as_slice(), *way)));
        let namesakes = Namesakes::among(&machine, self.player, words, all);
        let line = |way: &NotOffered| {
            let option = names.way(machine.state(), &way.lists, way.play, &|card| namesakes.of(way.play, card));
            let (at, reason) = match reasons.obstacle(&way.answer) {
                Obstacle::Told(reason) => (0, reason),
                Obstacle::Untold(rule) => (1, words.say("now.untold", &[]) + &rule),
                Obstacle::NothingThere => (2, words.say("now.nothing", &[])),
            };
            (at, words.say("ask.not_now", &[("option", option), ("reason", reason)]))
        };
        let mut lines: Vec<(u8, String)> = ways.iter().map(line).collect();
        lines.sort_by_key(|(at, _)| *at);
        // Cards that the player cannot tell apart share a line.
        let mut counted: Vec<(String, usize)> = Vec::new();
        for (_, line) in lines {
            match counted.iter_mut().find(|(known, _)| *known == line) {
                Some((_, times)) => *times += 1,
                None => counted.push((line, 1)),
            }
        }
        counted.into_iter().map(|(line, times)| if times > 1 { format!("{line} ×{times}") } else { line }).collect()
    }

    /// The first of these lines, and how many there are besides.
    #[must_use]
    pub(super) fn not_now_in_short(&self, machine: &Machine, words: Words) -> Vec<String> {
        let mut lines = self.not_now(machine, words);
        let more = lines.len().saturating_sub(MOST_NOT_NOW);
        // A line that counts one action would take as much room as that action.
        if more > 1 {
            lines.truncate(MOST_NOT_NOW);
            lines.push(words.say("ask.not_now.more", &[("n", more.to_string())]));
        }
        lines
    }

    fn amount(&self, words: Words) -> String {
        if self.offer {
            return match self.pass.as_deref().filter(|pass| self.min == 0 && reads(pass, words)) {
                Some(pass) => words.say("ask.offer.answer", &[("pass", pass.to_owned())]),
                None => words.say(if self.min == 0 { "ask.offer.pass" } else { "ask.offer" }, &[]),
            };
        }
        let (min, max) = (("min", self.min.to_string()), ("max", self.max.to_string()));
        let order = if self.ranked && self.max > 1 { words.say("ask.in_order", &[]) } else { String::new() };
        let amount = match (self.min, self.max) {
            _ if self.numbers.is_some() => words.say(if self.min == 0 { "ask.number.none" } else { "ask.number" }, &[]),
            (_, 0) => words.say("ask.nothing", &[]),
            (1, 1) => words.say("ask.one", &[]),
            (a, b) if a == b => words.say("ask.exactly", &[max]),
            (0, _) if self.any_number => words.say("ask.any", &[]),
            (0, _) => words.say("ask.upto", &[max]),
            _ => words.say("ask.between", &[min, max]),
        };
        amount + &order
    }

    /// The question as JSON.
    #[must_use]
    pub(super) fn object(&self, machine: &Machine, words: Words, asking: &Asking) -> Json {
        let options: Vec<_> = self.domain.iter().map(|value| self.option(machine, words, *value)).collect();
        let numbers = self.numbers.map(|numbers| json!({ "least": numbers.least, "greatest": numbers.greatest }));
        json!({
            "numbers": numbers, "kind": "question", "seat": seat(self.player), "choice": self.name(machine, words, choice_of), "rules": self.rules,
            "about": self.about.iter().map(|value| self.known(machine, words, *value)).collect::<Vec<_>>(), "min": self.min, "max": self.max, "options": options, "not_now": self.not_now(machine, words), "statement": asking.statement, "texts": asking.texts,
            "source": self.source.map(|source| self.known(machine, words, source)), "ranked": self.ranked, "meanings": asking.meanings, "pass": self.pass, "due": self.payment_lines(machine, words),
        })
    }
}

/// For an answer that reads like others: its number among them, in their order on the table. Empty for an answer that reads like no other.
pub(super) fn which_of_alike<T: PartialEq>(options: &[T], index: usize, words: Words) -> String {
    let Some(own) = options.get(index) else { return String::new() };
    let count = |some: &[T]| some.iter().filter(|other| *other == own).count();
    let (before, all) = (count(options.get(..index).unwrap_or_default()), count(options));
    if all < 2 { String::new() } else { words.say("ask.alike", &[("n", (before + 1).to_string()), ("all", all.to_string())]) }
}

/// The card in the game that a value is, or that an ability belongs to.
fn of_object(machine: &Machine, value: Value) -> Option<ObjectId> {
    match value {
        Value::Object { id, .. } | Value::Ability { of: id, .. } => Some(id),
        Value::Pending(number) => machine.state().events.waiting(number).and_then(|waiting| match waiting.source {
            Value::Object { id, .. } => Some(id),
            _ => None,
        }),
        _ => None,
    }
}
