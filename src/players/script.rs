//! The player that repeats recorded decisions.

use super::{Answers, Reply};
use engine::ids::{ChoiceId, Id, OptionId};
use engine::machine::offered::Way;
use engine::machine::{Asked, Given};
use engine::program::Program;
use engine::value::{Player, Value};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// One recorded decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The seat.
    pub seat: u8,
    /// The choice's name; `concede` for a concession.
    pub choice: String,
    /// The number of possible answers.
    pub among: u16,
    /// The positions in the domain. For an offer with `way` they are ignored.
    pub picks: Vec<u16>,
    /// The option that was taken. Records before format 7 have only its position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<RecordedWay>,
    /// The number that was named, for a question about a range. The positions then say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// The answer in words, for readers and to find differences.
    pub said: String,
    /// Whether there was only one legal answer, so that nobody was asked.
    #[serde(default)]
    pub forced: bool,
}

/// A recorded way to act. The record does not depend on the other options that were offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedWay {
    /// The option's name.
    pub option: String,
    /// The way's arguments; the acting player last.
    pub args: Vec<Value>,
}

impl RecordedWay {
    /// The recorded form of a way to act, whose arguments are in these lists.
    #[must_use]
    pub fn of(program: &Program, play: Value, lists: &[Value]) -> Option<Self> {
        let way = Way::of(play, lists)?;
        Some(Self { option: name_of(program, way.option).to_owned(), args: way.args().to_vec() })
    }
}

fn name_of(program: &Program, option: OptionId) -> &str {
    let verb = program.options.get(option).and_then(|option| program.verbs.get(option.verb));
    verb.map_or("", |verb| verb.name.name.as_str())
}

impl Entry {
    /// The choice of an entry that concedes.
    pub const CONCEDE: &'static str = "concede";
    /// The choice of an entry about several replacements, which the engine itself asks.
    pub const REPLACEMENT: &'static str = "replacement";

    /// Whether this decision was made again as recorded.
    #[must_use]
    pub fn is_the_same(&self, now: &Entry) -> bool {
        let way = now.way.clone().filter(|_| self.way.is_some());
        // If the record has the option or the number that was taken, the positions are not compared.
        let number = now.number.filter(|_| self.number.is_some());
        let picks = if way.is_some() || number.is_some() { self.picks.clone() } else { now.picks.clone() };
        let among = if number.is_some() { self.among } else { now.among };
        *self == Entry { way, picks, number, among, ..now.clone() }
    }

    /// Whether the player conceded here.
    #[must_use]
    pub fn concedes(&self) -> bool {
        self.choice == Self::CONCEDE
    }
}

/// Repeats recorded decisions. Questions of two seats may come in another order than before, so each seat's next entry counts.
#[derive(Clone, Debug, Default)]
pub struct Script {
    seats: Vec<VecDeque<Entry>>,
    /// The names of the choices and of the options.
    names: Vec<String>,
    options: Vec<String>,
}

impl Script {
    /// A script of a record's entries. Forced decisions are left out, because nobody answered them.
    #[must_use]
    pub fn new(program: &Program, entries: &[Entry]) -> Self {
        let mut seats = vec![VecDeque::new(); usize::from(program.players)];
        for entry in entries.iter().filter(|entry| !entry.forced) {
            if let Some(seat) = seats.get_mut(usize::from(entry.seat)) {
                seat.push_back(entry.clone());
            }
        }
        let names = program.choices.rows().iter().map(|choice| choice.name.name.clone()).collect();
        Self { seats, names, options: program.options.ids().map(|option| name_of(program, option).to_owned()).collect() }
    }

    /// That seat's next entry.
    #[must_use]
    pub fn next(&self, player: Player) -> Option<&Entry> {
        self.seats.get(usize::from(player.0)).and_then(VecDeque::front)
    }

    fn name(&self, choice: ChoiceId) -> &str {
        self.names.get(usize::from(choice.0)).map_or(Entry::REPLACEMENT, String::as_str)
    }

    /// The answer in an entry. None if the entry is about another decision.
    fn picks(&self, asked: &Asked<'_>, entry: &Entry) -> Option<Given> {
        if entry.choice != self.name(asked.choice) {
            return None;
        }
        if let Some(number) = entry.number {
            return Some(Given::Number(number));
        }
        if usize::from(entry.among) != asked.domain.len() || !asked.listed {
            return None;
        }
        let Some(RecordedWay { option, args }) = &entry.way else { return Some(Given::Picks(entry.picks.clone())) };
        let means = |way: &Way| self.options.get(way.option.index()) == Some(option) && way.args() == args;
        let at = asked.domain.iter().position(|play| Way::of(*play, asked.lists).is_some_and(|way| means(&way)))?;
        Some(Given::Picks(vec![at as u16]))
    }
}

impl Answers for Script {
    fn answer(&mut self, asked: &Asked<'_>, picks: &mut Vec<u16>) -> Reply {
        let Some(entry) = self.next(asked.player) else { return Reply::Silent };
        let reply = match self.picks(asked, entry) {
            _ if entry.concedes() => Reply::Concede,
            None => return Reply::Silent,
            Some(Given::Number(number)) => Reply::Number(number),
            Some(Given::Picks(means)) => {
                picks.extend(means);
                Reply::Picks
            }
        };
        self.seats.iter_mut().skip(usize::from(asked.player.0)).take(1).for_each(|seat| drop(seat.pop_front()));
        reply
    }
}
