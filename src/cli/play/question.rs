//! A question as the asked player sees it: why it is asked, and the possible answers.

use super::namesakes::Namesakes;
use crate::cli::shared::failure::range_of;
use crate::compile::SourceMap;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::ids::{CardId, ChoiceId, ClauseId, Pc};
use crate::engine::machine::{Asked, Machine, Numbers, QuestionId};
use crate::engine::program::AmountDef;
use crate::engine::state::board::zone_of;
use crate::engine::value::{Player, Value, long_row, row};
use crate::engine::why::{NotOffered, as_seen};
use crate::report::{Names, Reasons, Table, Widths, Words, seat};
use serde_json::{Value as Json, json};
use unicode_normalization::UnicodeNormalization;

/// An open question, copied from the machine so that it can be answered.
pub struct Question {
    /// The question's number.
    pub id: QuestionId,
    /// Who is asked.
    pub player: Player,
    /// The choice.
    pub choice: ChoiceId,
    /// The answers.
    pub domain: Vec<Value>,
    /// The least number of answers.
    pub min: u16,
    /// The greatest number of answers.
    pub max: u16,
    /// The range of numbers, if any number of a range may be named.
    pub numbers: Option<Numbers>,
    /// Whether any number of answers may be given.
    any_number: bool,
    /// Whether ways to act are offered.
    offer: bool,
    /// The lists that hold the arguments of ways to act.
    lists: Vec<Value>,
    yes_no: bool,
    blind: bool,
    rules: Vec<String>,
    /// The cards, abilities and other players that the loops around the asking statement have reached.
    about: Vec<Value>,
    /// The clauses of the replacements, if the question is about replacements.
    clauses: Vec<ClauseId>,
}

impl Question {
    /// Copies a question of the machine.
    #[must_use]
    pub fn of(asked: &Asked<'_>, machine: &Machine) -> Self {
        Self {
            id: asked.id,
            player: asked.player,
            choice: asked.choice,
            domain: asked.domain.to_vec(),
            min: asked.min,
            max: asked.max,
            numbers: asked.numbers,
            any_number: machine.program().choices.get(asked.choice).is_some_and(|choice| choice.max == AmountDef::All),
            offer: asked.offer,
            lists: if asked.offer { asked.lists.to_vec() } else { Vec::new() },
            yes_no: asked.yes_no,
            blind: asked.blind,
            rules: rules_of(asked, machine),
            about: about(asked, machine),
            clauses: machine.replacements_asked(asked.id),
        }
    }

    /// The choice's name as shown.
    #[must_use]
    pub fn name(&self, machine: &Machine, words: Words) -> String {
        let choice = machine.program().choices.get(self.choice);
        choice.map_or_else(|| words.say("ask.replacement", &[]), |choice| crate::report::choice_of(&choice.name, words))
    }

    /// Whether a typed number means itself and not a position in the list. True if all answers are numbers.
    #[must_use]
    pub fn takes_numbers(&self) -> bool {
        self.numbers.is_some() || !self.domain.is_empty() && self.domain.iter().all(|value| matches!(value, Value::Number(_)))
    }

    /// The number in a line, if a number of a range is asked for. A number that is too large for the program becomes the greatest or least
    /// one.
    #[must_use]
    pub fn number(&self, line: &str) -> Option<i64> {
        let line: String = line.nfkc().collect();
        let line = line.trim();
        let too_far = if line.starts_with('-') { i64::MIN } else { i64::MAX };
        self.numbers.filter(|_| is_number(line)).map(|_| line.parse().unwrap_or(too_far))
    }

    /// Whether exactly one of several distinguishable things is chosen.
    #[must_use]
    pub fn takes_one_of_several(&self) -> bool {
        (self.min, self.max) == (1, 1) && self.domain.len() > 1 && !self.offer && !self.yes_no && !self.blind
    }

    /// The place of the asking statement, or of the effect that would replace an action.
    #[must_use]
    pub fn place(&self, machine: &Machine, map: &SourceMap) -> Option<Span> {
        match self.clauses.as_slice() {
            [only] => map.clause(*only),
            _ => place(machine, self.id).and_then(|at| map.code(at)),
        }
    }

    /// The places of the replacements, one for each answer.
    pub fn places(&self, map: &SourceMap) -> impl Iterator<Item = Option<Span>> {
        self.clauses.iter().filter(|_| self.clauses.len() > 1).map(|clause| map.clause(*clause))
    }

    /// The finding for a line that names nothing: a number outside the row, or no number. `names` are the names of the answers.
    #[must_use]
    pub fn no_answer(&self, line: &str, names: &[Vec<String>]) -> Diagnostic {
        match row(&self.domain).filter(|_| is_number(line)) {
            Some((first, last)) => {
                let finding = Diagnostic::global("E0611").with("answer", line).with("len", self.domain.len());
                finding.with("first", first).with("last", last)
            }
            None => {
                let signs = ['「', '」', '"'];
                let names = names.iter().flatten().map(|name| name.trim_matches(signs));
                Diagnostic::global("E0831").with("answer", line).suggest(line.trim_matches(signs), names)
            }
        }
    }

    /// The names by which each answer can be given.
    #[must_use]
    pub fn names(&self, machine: &Machine) -> Vec<Vec<String>> {
        use crate::diagnostic::Language::{English, Japanese};
        let apart = [English, Japanese].map(|language| (Words::new(language), self.namesakes(machine, Words::new(language))));
        let one = |value: &Value| {
            let mut names: Vec<_> = [English, Japanese].map(|language| self.option(machine, Words::new(language), *value)).to_vec();
            if self.offer {
                names.extend(apart.iter().map(|(words, namesakes)| self.way(machine, *words, namesakes, *value)));
            }
            if let Value::Bool(yes) = value {
                names.push(if *yes { "y" } else { "n" }.to_owned());
            }
            names.extend(
                card_of(machine, *value).filter(|_| !self.blind).and_then(|card| Some(machine.program().cards.get(card)?.number.clone())),
            );
            names
        };
        self.domain.iter().map(one).collect()
    }

    /// The question in lines, without actions that cannot be taken now. `statement`: the asking statement as written, shown for a yes or
    /// no. `texts`: for each answer that is an effect, its text. `rows`: the lines of a printed text that asks.
    #[must_use]
    pub fn lines(&self, machine: &Machine, words: Words, statement: &str, (texts, rows): (&[String], &[&str])) -> Vec<String> {
        let rules = if self.rules.is_empty() { String::new() } else { format!("[{}] ", self.rules.join(" ")) };
        let amount = if self.yes_no { String::new() } else { self.amount(words) };
        let args = [("rules", rules), ("player", seat(self.player)), ("choice", self.name(machine, words)), ("amount", amount)];
        let mut lines = vec![words.say("ask.question", &args)];
        if !self.about.is_empty() {
            let what: Vec<String> = self.about.iter().map(|value| self.known(machine, words, *value)).collect();
            lines.push(format!("    {}", words.say("ask.about", &[("what", what.join(words.plain("list.comma")))])));
        }
        if self.yes_no {
            lines.extend(self.about.iter().filter_map(|value| text_of(machine, *value)).map(|text| format!("    {text}")));
        }
        lines.extend(Some(format!("    {statement}")).filter(|_| self.yes_no && !statement.is_empty()));
        if self.takes_numbers() {
            lines.extend(rows.iter().map(|row| format!("    {row}")));
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
            lines.push(format!("    {}", numbers.join("  ")));
            return lines;
        }
        let namesakes = self.namesakes(machine, words);
        for (index, value) in self.domain.iter().enumerate() {
            let option = match value {
                Value::Play { .. } => self.way(machine, words, &namesakes, *value),
                value => self.long_option(machine, words, index, *value),
            };
            lines.push(format!("{:>3} {option}", index + 1));
            lines.extend(texts.get(index).filter(|text| !text.is_empty()).map(|text| format!("      {text}")));
        }
        lines
    }

    /// For an offer: the actions that cannot be taken now, each in a line with its first reason, as far as the asked player may know it.
    #[must_use]
    pub fn not_now(&self, machine: &Machine, words: Words) -> Vec<String> {
        if !self.offer {
            return Vec::new();
        }
        let machine = as_seen(machine, self.player);
        let known = |id| machine.sees(self.player, id);
        let names = Names { program: machine.program(), words, known: Some(&known) };
        let reasons =
            Reasons { names: &names, state: machine.state(), statement: &|_| String::new(), line_of_match: &|_, _| String::new() };
        let ways = machine.not_offered(self.id);
        let all =
            ways.iter().map(|way| (way.lists.as_slice(), way.play)).chain(self.domain.iter().map(|way| (self.lists.as_slice(), *way)));
        let namesakes = Namesakes::among(&machine, self.player, words, all);
        let line = |way: &NotOffered| {
            let option = names.way(machine.state(), &way.lists, way.play, &|card| namesakes.of(way.play, card));
            let reason = reasons.first(&way.answer);
            words.say("ask.not_now", &[("option", option), ("reason", reason)])
        };
        ways.iter().map(line).collect()
    }

    fn amount(&self, words: Words) -> String {
        if self.offer {
            return words.say(if self.min == 0 { "ask.offer.pass" } else { "ask.offer" }, &[]);
        }
        let (min, max) = (("min", self.min.to_string()), ("max", self.max.to_string()));
        match (self.min, self.max) {
            _ if self.numbers.is_some() => words.say(if self.min == 0 { "ask.number.none" } else { "ask.number" }, &[]),
            (a, b) if a == b => words.say("ask.exactly", &[max]),
            (0, _) if self.any_number => words.say("ask.any", &[]),
            (0, _) => words.say("ask.upto", &[max]),
            _ => words.say("ask.between", &[min, max]),
        }
    }

    /// The question as JSON. `texts`: as in [`Question::lines`].
    #[must_use]
    pub fn object(&self, machine: &Machine, words: Words, statement: &str, texts: &[String]) -> Json {
        let options: Vec<_> = self.domain.iter().map(|value| self.option(machine, words, *value)).collect();
        let numbers = self.numbers.map(|numbers| json!({ "least": numbers.least, "greatest": numbers.greatest }));
        json!({
            "numbers": numbers, "kind": "question", "seat": seat(self.player), "choice": self.name(machine, words), "rules": self.rules,
            "about": self.about.iter().map(|value| self.known(machine, words, *value)).collect::<Vec<_>>(), "min": self.min, "max": self.max, "options": options, "not_now": self.not_now(machine, words), "statement": statement, "texts": texts,
        })
    }

    fn option(&self, machine: &Machine, words: Words, value: Value) -> String {
        if self.blind {
            return words.say("card.unknown", &[]);
        }
        self.known(machine, words, value)
    }

    /// The cards of one name among the offered ways to act.
    fn namesakes(&self, machine: &Machine, words: Words) -> Namesakes {
        Namesakes::among(machine, self.player, words, self.domain.iter().map(|way| (self.lists.as_slice(), *way)))
    }

    /// A way to act, in which cards of one name are told apart.
    fn way(&self, machine: &Machine, words: Words, namesakes: &Namesakes, value: Value) -> String {
        let known = |id| machine.sees(self.player, id);
        let names = Names { program: machine.program(), words, known: Some(&known) };
        names.way(machine.state(), &self.lists, value, &|card| namesakes.of(value, card))
    }

    /// A value in the words that the asked player may read.
    fn known(&self, machine: &Machine, words: Words, value: Value) -> String {
        let known = |id| machine.sees(self.player, id);
        Names { program: machine.program(), words, known: Some(&known) }.value(machine.state(), &self.lists, value)
    }

    /// An option with helpful details: a card's values, and its zone if the cards lie in several zones.
    fn long_option(&self, machine: &Machine, words: Words, index: usize, value: Value) -> String {
        let Value::Object { id, .. } = value else { return self.option(machine, words, value) };
        if self.blind {
            return words.say("ask.blind", &[("n", (index + 1).to_string())]);
        }
        let text = Table { machine, viewer: Some(self.player), words, widths: Widths::new(1) }.line_of(id);
        match machine.state().board.object(id).filter(|_| self.several_zones(machine)) {
            Some(object) => {
                let names = Names { program: machine.program(), words, known: None };
                format!("{text} [{}]", names.place(object.place))
            }
            None => text,
        }
    }

    fn several_zones(&self, machine: &Machine) -> bool {
        let place = |value: &Value| match value {
            Value::Object { id, .. } => machine.state().board.object(*id).map(|object| zone_of(machine.program(), object.place)),
            _ => None,
        };
        let mut places = self.domain.iter().map(place);
        let first = places.next();
        places.any(|place| Some(place) != first)
    }

    /// The pool cards that an answer is about, as far as the asked player may know them. A way to act is about all cards among its
    /// arguments.
    #[must_use]
    pub fn cards(&self, machine: &Machine, index: usize) -> Vec<CardId> {
        let of_play = |start: u32, count: u16| {
            let args = self.lists.get(start as usize..start as usize + usize::from(count).saturating_sub(1));
            args.unwrap_or_default().to_vec()
        };
        let about = match self.domain.get(index) {
            Some(Value::Play { count, start, .. }) => of_play(*start, u16::from(*count)),
            Some(value) => vec![*value],
            None => Vec::new(),
        };
        let known = |value: &Value| match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => !self.blind && machine.sees(self.player, *id),
            _ => true,
        };
        let mut cards: Vec<CardId> = Vec::new();
        for card in about.into_iter().filter(known).filter_map(|value| card_of(machine, value)) {
            if !cards.contains(&card) {
                cards.push(card);
            }
        }
        cards
    }
}

/// The asking statement.
fn place(machine: &Machine, id: QuestionId) -> Option<Pc> {
    let branch = machine.state().control.branches.get(usize::from(id.0));
    branch.and_then(|branch| branch.frames.last()).map(|frame| Pc(frame.pc.0.saturating_sub(1)))
}

/// The rules of the asking statement, else those of the choice's declaration.
fn rules_of(asked: &Asked<'_>, machine: &Machine) -> Vec<String> {
    let program = machine.program();
    // A question about replacements is asked by the effects and not by a statement.
    let at = place(machine, asked.id).filter(|_| machine.replacements_asked(asked.id).is_empty());
    let of_statement = at.and_then(|at| program.code_cites.get(at)).copied().unwrap_or_default();
    let cites = program.rules_of_decision(asked.choice, of_statement);
    program.rules_beside(cites).to_vec()
}

fn is_number(line: &str) -> bool {
    let digits = line.strip_prefix(['-', '+']).unwrap_or(line);
    !digits.is_empty() && digits.bytes().all(|sign| sign.is_ascii_digit())
}

fn card_of(machine: &Machine, value: Value) -> Option<CardId> {
    match value {
        Value::Object { id, .. } | Value::Ability { of: id, .. } => machine.state().board.object(id).map(|object| object.card),
        Value::Card(card) => Some(card),
        _ => None,
    }
}

/// The line that a card prints for an ability.
fn text_of(machine: &Machine, value: Value) -> Option<&str> {
    let ability = match value {
        Value::Ability { ability, .. } => ability,
        Value::Pending(number) => machine.state().events.waiting(number)?.ability?,
        _ => return None,
    };
    machine.program().text_of_ability(ability)
}

/// The cards, abilities and other players that the loops around the asking statement have reached. For a yes or no, also what the question
/// is about.
fn about(asked: &Asked<'_>, machine: &Machine) -> Vec<Value> {
    let says = |value: &Value| match value {
        Value::Object { .. } | Value::Ability { .. } | Value::Pending(_) => true,
        Value::Player(player) => *player != asked.player,
        _ => false,
    };
    let mut about: Vec<Value> = machine.asked_in_loops(asked.id).into_iter().filter(says).collect();
    let with = if asked.yes_no { machine.asked_with(asked.id) } else { Vec::new() };
    about.extend(with.into_iter().filter(|value| !about.contains(value)).collect::<Vec<_>>());
    about
}
