//! Writes down a game: every decision for the record, and for each reader the lines that this reader may see.

use crate::shared::context::Log;
use engine::ids::StateId;
use engine::steps::{Inside, Observer, Step, Traced, View};
use engine::value::{Player, Value};
use engine::why::{History, Mark};
use players::{Entry, RecordedWay};
use serde_json::{Value as Json, json};
use tell::{Detail, Names, Statements, Tracer, Words};

/// Collects decisions and lines.
pub(crate) struct Chronicle {
    /// Every decision so far.
    pub decisions: Vec<Entry>,
    /// Every step with its cause, for questions that a seat may ask.
    pub history: History,
    words: Words,
    statements: Statements,
    readers: Vec<Reader>,
}

struct Reader {
    seat: Option<Player>,
    tracer: Tracer,
    log: Log,
    lines: Vec<String>,
}

impl Chronicle {
    /// A chronicle without readers.
    #[must_use]
    pub(crate) fn new(words: Words, statements: Statements) -> Self {
        Self { decisions: Vec::new(), history: History::default(), words, statements, readers: Vec::new() }
    }

    /// Adds a reader at a seat. None: a reader who may see everything.
    #[must_use]
    pub(crate) fn read_by(mut self, seat: Option<Player>, detail: Detail, log: Log) -> Self {
        let tracer = Tracer::new(self.words, detail, seat).with_statements(self.statements.clone());
        self.readers.push(Reader { seat, tracer, log, lines: Vec::new() });
        self
    }

    /// The new lines for the reader at that seat.
    pub(crate) fn take_lines(&mut self, seat: Option<Player>) -> Vec<String> {
        let Some(reader) = self.readers.iter_mut().find(|reader| reader.seat == seat) else { return Vec::new() };
        reader.lines.extend(reader.tracer.rest());
        std::mem::take(&mut reader.lines)
    }

    /// The rules among these that no line for the reader who may see everything has shown.
    pub(crate) fn not_shown<'r>(&'r self, rules: impl Iterator<Item = &'r String>) -> Vec<&'r str> {
        let reader = self.readers.iter().find(|reader| reader.seat.is_none());
        reader.map_or_else(Vec::new, |reader| reader.tracer.not_shown(rules))
    }

    /// Goes back to this many decisions. Lines about later ones are dropped.
    pub(crate) fn take_back(&mut self, decisions: usize, happened: Mark) {
        self.history.take_back(happened);
        self.decisions.truncate(decisions);
        for reader in &mut self.readers {
            reader.lines.clear();
            reader.tracer.rest();
        }
    }

    fn concedes(&mut self, player: Player) {
        self.decisions.push(Entry {
            seat: player.0,
            choice: Entry::CONCEDE.to_owned(),
            among: 0,
            picks: Vec::new(),
            way: None,
            number: None,
            said: String::new(),
            forced: false,
        });
    }

    fn decided(&mut self, view: &View<'_>, step: &Step) {
        if let Step::Concedes(player) = step {
            return self.concedes(*player);
        }
        if step.is_idle_pass(view.program) {
            return;
        }
        let Step::Decides { player, choice, domain, positions, picks, forced, .. } = step else { return };
        // The names are in English, so that a record does not depend on the language in use.
        let names = Names::new(view.program, Words::new(lang::diagnostic::Language::English));
        let name = view.program.choices.get(*choice).map_or_else(|| Entry::REPLACEMENT.to_owned(), |choice| choice.name.name.clone());
        self.decisions.push(Entry {
            seat: player.0,
            choice: name,
            among: domain.len() as u16,
            picks: positions.clone(),
            way: picks.first().and_then(|pick| RecordedWay::of(view.program, *pick, view.lists)),
            number: view.program.names_number(*choice).then(|| picks.first().and_then(|pick| pick.number()).map(i64::from)).flatten(),
            said: names.list(view.state, &[], picks),
            forced: *forced,
        });
    }
}

/// A JSON line with its reader: the seat whose view the line is. Without a seat: somebody who may know everything.
pub(super) fn of_reader(mut line: Json, seat: Option<Player>) -> Json {
    if let Some(object) = line.as_object_mut() {
        object.insert("reader".to_owned(), json!(seat.map(tell::seat)));
    }
    line
}

impl Observer for Chronicle {
    const ON: bool = true;

    fn state_set(&mut self, view: &View<'_>, step: &Traced) {
        if self.readers.iter().any(|reader| reader.seat.is_some()) {
            self.history.state_set(view, step);
        }
        self.readers.iter_mut().filter(|reader| reader.log == Log::Objects).for_each(|reader| reader.tracer.state_set(view, step));
    }

    fn about_to_read(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        if self.readers.iter().any(|reader| reader.seat.is_some()) {
            self.history.about_to_read(view, inside);
        }
    }

    fn about_to_set(&mut self, of: Value, state: StateId) {
        if self.readers.iter().any(|reader| reader.seat.is_some()) {
            self.history.about_to_set(of, state);
        }
    }

    fn step(&mut self, view: &View<'_>, step: &Traced) {
        if self.readers.iter().any(|reader| reader.seat.is_some()) {
            self.history.step(view, step);
        }
        self.decided(view, &step.step);
        for reader in &mut self.readers {
            match reader.log {
                Log::Objects => reader.lines.extend(reader.tracer.object(view, step).map(|object| object.to_string())),
                Log::Lines => reader.lines.extend(reader.tracer.line(view, step)),
            }
        }
    }
}
