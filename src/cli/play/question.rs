//! An open question: who is asked, and the possible answers with the names by which they can be given.

use super::namesakes::Namesakes;
use compile::SourceMap;
use engine::ids::{CardId, ChoiceId, ClauseId, Pc};
use engine::machine::{Asked, Machine, Numbers, Payment, QuestionId};
use engine::program::{AmountDef, NameDef};
use engine::state::board::zone_of;
use engine::value::{Player, Value, row};
use lang::diagnostic::{Diagnostic, Span};
use report::{Table, Widths};
use tell::{Names, Words, seat};
use unicode_normalization::UnicodeNormalization;

/// An open question, copied from the machine so that it can be answered.
pub(super) struct Question {
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
    pub(super) any_number: bool,
    /// Whether ways to act are offered.
    pub(super) offer: bool,
    /// The lists that hold the arguments of ways to act.
    pub(super) lists: Vec<Value>,
    pub(super) yes_no: bool,
    pub(super) blind: bool,
    /// Whether the order of the answer counts.
    pub(super) ranked: bool,
    /// The card that asks.
    pub(super) source: Option<Value>,
    pub(super) rules: Vec<String>,
    /// The answer that a pass gives to an offer. None if the game does not say.
    pub(super) pass: Option<String>,
    /// The cards, abilities and other players that the loops around the asking statement have reached.
    pub(super) about: Vec<Value>,
    /// If the player chooses units of a payment: the payment.
    pub(super) payment: Option<Payment>,
    /// The clauses of the replacements, if the question is about replacements.
    pub(super) clauses: Vec<ClauseId>,
}

impl Question {
    /// Copies a question of the machine.
    #[must_use]
    pub(super) fn of(asked: &Asked<'_>, machine: &Machine) -> Self {
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
            ranked: asked.ranked,
            source: Some(machine.asked_by(asked.id)).filter(|source| *source != Value::Undefined),
            rules: rules_of(asked, machine),
            pass: machine.program().pass_words(asked.choice).filter(|_| asked.offer).map(str::to_owned),
            about: about(asked, machine),
            payment: machine.asked_payment(asked.id),
            clauses: machine.replacements_asked(asked.id),
        }
    }

    /// The name of the choice, or its words as `called` gives them.
    #[must_use]
    pub(super) fn name(&self, machine: &Machine, words: Words, called: fn(&NameDef, Words) -> String) -> String {
        let choice = machine.program().choices.get(self.choice);
        choice.map_or_else(|| words.say("ask.replacement", &[]), |choice| called(&choice.name, words))
    }

    /// Whether a typed number means itself and not a position in the list. True if all answers are numbers.
    #[must_use]
    pub(super) fn takes_numbers(&self) -> bool {
        self.numbers.is_some() || !self.domain.is_empty() && self.domain.iter().all(|value| matches!(value, Value::Number(_)))
    }

    /// The number in a line, if a number of a range is asked for. A number that is too large for the program becomes the greatest or least
    /// one.
    #[must_use]
    pub(super) fn number(&self, line: &str) -> Option<i64> {
        let line: String = line.nfkc().collect();
        let line = line.trim();
        let too_far = if line.starts_with('-') { i64::MIN } else { i64::MAX };
        self.numbers.filter(|_| is_number(line)).map(|_| line.parse().unwrap_or(too_far))
    }

    /// Whether exactly one of several distinguishable things is chosen.
    #[must_use]
    pub(super) fn takes_one_of_several(&self) -> bool {
        (self.min, self.max) == (1, 1) && self.domain.len() > 1 && !self.offer && !self.yes_no && !self.blind
    }

    /// The place of the asking statement, or of the effect that would replace an action.
    #[must_use]
    pub(super) fn place(&self, machine: &Machine, map: &SourceMap) -> Option<Span> {
        match self.clauses.as_slice() {
            [only] => map.clause(*only),
            _ => place(machine, self.id).and_then(|at| map.code(at)),
        }
    }

    /// The places of the replacements, one for each answer.
    pub(super) fn places(&self, map: &SourceMap) -> impl Iterator<Item = Option<Span>> {
        self.clauses.iter().filter(|_| self.clauses.len() > 1).map(|clause| map.clause(*clause))
    }

    /// The finding for a line that names nothing: a number outside the row, or no number. `names` are the names of the answers.
    #[must_use]
    pub(super) fn no_answer(&self, line: &str, names: &[Vec<String>]) -> Diagnostic {
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
    pub(super) fn names(&self, machine: &Machine) -> Vec<Vec<String>> {
        use lang::diagnostic::Language::{English, Japanese};
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

    pub(super) fn option(&self, machine: &Machine, words: Words, value: Value) -> String {
        if self.blind {
            return words.say("card.unknown", &[]);
        }
        self.known(machine, words, value)
    }

    /// The cards of one name among the offered ways to act.
    pub(super) fn namesakes(&self, machine: &Machine, words: Words) -> Namesakes {
        Namesakes::among(machine, self.player, words, self.domain.iter().map(|way| (self.lists.as_slice(), *way)))
    }

    /// A way to act, in which cards of one name are told apart.
    pub(super) fn way(&self, machine: &Machine, words: Words, namesakes: &Namesakes, value: Value) -> String {
        let known = |id| machine.sees(self.player, id);
        let names = Names::new(machine.program(), words).known_to(&known);
        names.way(machine.state(), &self.lists, value, &|card| namesakes.of(value, card))
    }

    /// A value in the words that the asked player may read.
    pub(super) fn known(&self, machine: &Machine, words: Words, value: Value) -> String {
        let known = |id| machine.sees(self.player, id);
        Names::new(machine.program(), words).known_to(&known).value(machine.state(), &self.lists, value)
    }

    /// An option with helpful details: a card's values, and its zone if the cards lie in several zones.
    pub(super) fn long_option(&self, machine: &Machine, words: Words, index: usize, value: Value) -> String {
        if let Value::Player(player) = value {
            return words.say(if player == self.player { "table.you" } else { "table.player" }, &[("player", seat(player))]);
        }
        let Value::Object { id, .. } = value else { return self.option(machine, words, value) };
        if self.blind {
            return words.say("ask.blind", &[("n", (index + 1).to_string())]);
        }
        let text = Table { machine, viewer: Some(self.player), words, widths: Widths::new(1), columns: usize::MAX }.line_of(id);
        match machine.state().board.object(id).filter(|_| self.several_zones(machine)) {
            Some(object) => {
                let names = Names::new(machine.program(), words);
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
    pub(super) fn cards(&self, machine: &Machine, index: usize) -> Vec<CardId> {
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
    branch.and_then(|branch| branch.frames.last()).map(|frame| frame.pc.before())
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
pub(super) fn text_of(machine: &Machine, value: Value) -> Option<&str> {
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
