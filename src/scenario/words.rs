//! Values and steps in the words of a person at the table: printed names and labels, seats as letters.
//!
//! Takes the program and a state; gives short texts for failures. Deliberately absent: what a seat may know; a scenario sees all.

use crate::engine::board;
use crate::engine::ids::{ChoiceId, CitesId, VerbId};
use crate::engine::observe::{Step, Traced, Why};
use crate::engine::program::{NameDef, Program};
use crate::engine::state::{Outcome, State, Waits};
use crate::engine::value::{ObjectId, Player, Value};
use std::fmt::Write as _;

/// A seat's letter.
#[must_use]
pub fn seat(player: Player) -> String {
    char::from(b'a'.saturating_add(player.0)).to_string()
}

/// The player of a seat's letter.
#[must_use]
pub fn player(program: &Program, letter: &str) -> Option<Player> {
    (0..program.players).map(Player).find(|player| seat(*player) == letter)
}

/// What speaks: the program's names and a state's objects.
#[derive(Clone, Copy)]
pub struct Speaker<'a> {
    /// The names.
    pub program: &'a Program,
    /// The objects.
    pub state: &'a State,
    /// Members of lists among the values.
    pub lists: &'a [Value],
}

impl Speaker<'_> {
    /// A card in the game by its printed name; one that lies face down is marked.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> String {
        let card = self.state.board.object(id).and_then(|object| self.program.cards.get(object.card));
        let name = card.and_then(|card| self.program.texts.get(card.name));
        name.map_or_else(|| format!("card {}", id.0), Clone::clone)
    }

    /// A value.
    #[must_use]
    pub fn value(&self, value: Value) -> String {
        let program = self.program;
        match value {
            Value::Undefined => "nothing".to_owned(),
            Value::Bool(truth) => if truth { "yes" } else { "no" }.to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Player(player) => seat(player),
            Value::Enum(id, value) => {
                let found = program.enums.get(id).and_then(|of| of.values.get(usize::from(value)));
                found.map_or_else(|| value.to_string(), |name| label(name).to_owned())
            }
            Value::Symbol(text) | Value::Text(text) => program.texts.get(text).cloned().unwrap_or_default(),
            Value::Object { id, .. } => self.object(id),
            Value::Zone(place) => {
                let (zone, whose) = board::zone_of(program, place);
                let name = program.zones.get(zone).map_or("", |zone| &zone.name.name);
                whose.map_or_else(|| name.to_owned(), |whose| format!("{name}({})", seat(whose)))
            }
            Value::Ability { of, ability, .. } => {
                let kind = program.abilities.get(ability).and_then(|ability| program.kinds.get(ability.kind));
                format!("{} {}", self.object(of), kind.map_or("", |kind| label(&kind.name)))
            }
            Value::Pending(number) => self.pending(number),
            Value::List { len, start } => {
                let members = self.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or_default();
                let members: Vec<String> = members.iter().map(|member| self.value(*member)).collect();
                format!("[{}]", members.join(", "))
            }
            Value::Card(card) => {
                let name = program.cards.get(card).and_then(|card| program.texts.get(card.name));
                name.cloned().unwrap_or_default()
            }
        }
    }

    fn pending(&self, number: u32) -> String {
        let Some(pending) = self.state.events.pending.iter().find(|pending| pending.number == number) else {
            return format!("waiting ability {number}");
        };
        let what = match pending.waits {
            Waits::Triggered(kind, _) => self.program.kinds.get(kind).map(|kind| label(&kind.name)),
            Waits::PutBy(moment) => self.program.moments.get(moment).map(label),
        };
        format!("{} {}", self.value(pending.source), what.unwrap_or_default())
    }

    /// The rules of a list of citations, as written in a margin; empty for none.
    #[must_use]
    pub fn cites(&self, cites: CitesId) -> String {
        let ids = self.program.cites.get(cites).map(Vec::as_slice).unwrap_or_default();
        ids.iter().map(|id| format!("@{id}")).collect::<Vec<_>>().join(" ")
    }

    /// An action with its arguments; those behind one that is not there by their names.
    fn call(&self, verb: VerbId, args: &[Value]) -> String {
        let Some(found) = self.program.verbs.get(verb) else { return String::new() };
        let mut named = false;
        let mut written = Vec::new();
        for (parameter, value) in found.parameters.iter().zip(args) {
            if *value == Value::Undefined {
                named = true;
            } else if named {
                written.push(format!("{parameter}: {}", self.value(*value)));
            } else {
                written.push(self.value(*value));
            }
        }
        format!("{}({})", found.name.name, written.join(", "))
    }

    /// A step of the trace in one line: its rules, then what happened, indented by its depth.
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
        match &traced.step {
            Step::Turn(number) => format!("turn {number}"),
            Step::Phase(phase) => format!("phase {}", program.phases.get(*phase).map_or("", |phase| label(&phase.name))),
            Step::Statement => "carried out".to_owned(),
            Step::Performed(verb, args, _) => self.call(*verb, args),
            Step::Began(verb, args, _) => format!("begins {}", self.call(*verb, args)),
            Step::NotPerformed(verb, args, why) => format!("not performed: {} ({})", self.call(*verb, args), reason(*why)),
            Step::Ability { card, you, .. } => format!("ability of {} for {}", self.value(*card), seat(*you)),
            Step::NotUsed { ability, why } => format!("not used: {} ({})", self.value(*ability), reason(*why)),
            Step::Waits(pending) => format!("waits: {}", self.pending(*pending)),
            Step::Rule(rule, player) => {
                format!("rule {} for {}", program.rules.get(*rule).map_or("", |rule| label(&rule.name)), seat(*player))
            }
            Step::Decides { player, choice, picks, forced, .. } => {
                let picks: Vec<String> = picks.iter().map(|pick| self.value(*pick)).collect();
                let picks = if picks.is_empty() { "none".to_owned() } else { picks.join(", ") };
                let forced = if *forced { " (nothing else was possible)" } else { "" };
                format!("{} decides {}: {picks}{forced}", seat(*player), self.choice(*choice))
            }
            Step::EffectBegins(number) => format!("effect {number} begins"),
            Step::EffectEnds(number) => format!("effect {number} ends"),
            Step::Verdict(player, wins) => format!("{} is to {}", seat(*player), if *wins { "win" } else { "lose" }),
            Step::Concedes(player) => format!("{} concedes", seat(*player)),
            Step::Judged => "verdicts are judged".to_owned(),
            Step::Over(outcome) => outcome_in_words(*outcome),
            Step::AttemptFails => "the attempt fails".to_owned(),
            Step::Failed(failure) => format!("rules error: {:?}", failure.kind),
        }
    }

    /// The name of a choice.
    #[must_use]
    pub fn choice(&self, choice: ChoiceId) -> &str {
        if choice == ChoiceId::REPLACEMENT {
            return "replacement";
        }
        self.program.choices.get(choice).map_or("", |choice| &choice.name.name)
    }

    /// The rules beside a choice.
    #[must_use]
    pub fn cites_of_choice(&self, choice: ChoiceId) -> Vec<String> {
        let cites = self.program.choices.get(choice).and_then(|choice| self.program.cites.get(choice.name.cites));
        cites.cloned().unwrap_or_default()
    }
}

/// The printed label, else the name.
#[must_use]
pub fn label(name: &NameDef) -> &str {
    if name.label.is_empty() { &name.name } else { &name.label }
}

/// `b wins`, `game drawn`.
#[must_use]
pub fn outcome_in_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Won(player) => format!("{} wins", seat(player)),
        Outcome::Drawn => "game drawn".to_owned(),
    }
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::Forbidden(_) => "forbidden",
        Why::Undefined => "there is no such thing",
        Why::Nothing => "nothing to do",
        Why::NoTimes => "no time",
        Why::Already => "it is so already",
        Why::Full => "the zone is full",
        Why::Replaced(_) => "replaced",
        Why::Inactive => "the card is not where it works",
        Why::Disabled(_) => "it is disabled",
        Why::UsedUp => "it has been used",
    }
}
