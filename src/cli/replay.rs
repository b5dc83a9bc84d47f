//! `gyoji replay FILE`: plays a recorded game again, up to the first difference.

use super::play::Chronicle;
use super::{Context, Exit};
use crate::shared::origin::Kind;
use crate::shared::written::{Beginning, may_put, put};
use crate::shared::{failure, files, loading, origin};
use compile::still_to_do;
use engine::machine::Machine;
use engine::state::Status;
use engine::value::Player;
use lang::diagnostic::{Diagnostic, Sources};
use players::record::{self, End, Record};
use players::{Answers, Entry, Reply, Script};
use std::path::PathBuf;
use tell::{Detail, seat};

/// The arguments of `replay`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The recorded game.
    pub file: PathBuf,
    /// Show every step.
    #[arg(long)]
    pub trace: bool,
    /// Write the position down as a scenario.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub scenario: Option<PathBuf>,
    /// After so many decisions; else at the end.
    #[arg(long, value_name = "N", requires = "scenario")]
    pub at: Option<usize>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match replay(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn replay(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let file = args.file.display().to_string();
    let mut sources = Sources::default();
    let may_put = args.scenario.iter().try_for_each(|file| may_put(file, context));
    may_put.map_err(|finding| could_not_run(context, finding, &sources))?;
    let read = origin::known_format(&args.file, &mut sources, Kind::Record).and_then(|()| files::read_ron(&args.file, &mut sources));
    let record: Record = read.map_err(|finding| could_not_run(context, finding, &sources))?;
    let loaded = loading::load(context, Some(&record.origin.game))?;
    origin::check_record(&record.origin, &loaded.program, &file).map_err(|finding| could_not_run(context, finding, &sources))?;
    if let Some(reason) = origin::misfit(&record, &loaded.program, context) {
        let finding = Diagnostic::global("E0884").with("file", &file).with("reason", reason);
        return Err(could_not_run(context, finding, &sources));
    }
    let changed = origin::changed_since(&record.origin, &loaded.program, &file);
    context.complain(changed.as_slice(), &sources);
    let mut decks = Vec::new();
    for runs in &record.decks {
        let deck = record::cards_of(&loaded.program, runs).map_err(|card| {
            let numbers = loaded.program.cards.rows().iter().map(|card| card.number.as_str());
            could_not_run(context, Diagnostic::global("E0836").with("file", &file).with("card", &card).suggest(&card, numbers), &sources)
        })?;
        let to_do = still_to_do(&loaded.program, &deck);
        if !to_do.is_empty() {
            context.complain(&to_do, &loaded.sources);
            return Err(Exit::CouldNotRun);
        }
        decks.push(deck);
    }
    if let Some(file) = &args.scenario {
        let text = Beginning::Decks(&record).text(&loaded, context, &record.decisions, args.at, None);
        let put = text.and_then(|text| put(&text, Some(file), context));
        return put.map(|()| Exit::Fine).map_err(|finding| could_not_run(context, finding, &sources));
    }
    let mut machine = Machine::new(loaded.program.clone());
    machine.start(&decks, record.seed);
    let chronicle = Chronicle::new(context.words(), loaded.statements());
    let chronicle = if args.trace { chronicle.read_by(None, Detail::All, context.log()) } else { chronicle };
    let mut replay = Replay { context, machine, chronicle, script: Script::new(&loaded.program, &record.decisions), record: &record };
    let finding = match replay.run() {
        Ok(Status::Failed(what)) if record.end.is_some() => Some(failure::diagnostic(what, &loaded)),
        Ok(status) => replay.end_differs(status),
        Err(finding) => Some(finding),
    };
    Ok(replay.conclude(finding, &loaded.sources))
}

fn could_not_run(context: &Context, finding: Diagnostic, sources: &Sources) -> Exit {
    context.complain(&[finding], sources);
    Exit::CouldNotRun
}

struct Replay<'a> {
    context: &'a Context,
    machine: Machine,
    chronicle: Chronicle,
    script: Script,
    record: &'a Record,
}

impl Replay<'_> {
    /// Plays to the end of the game, to the end of the record, or to the first difference.
    fn run(&mut self) -> Result<Status, Diagnostic> {
        loop {
            let status = self.machine.run(&mut self.chronicle);
            for line in self.chronicle.take_lines(None) {
                self.context.out_of_log(&line);
            }
            if status != Status::Asking || !self.answer_all()? {
                return Ok(status);
            }
        }
    }

    /// Gives the recorded answers to the open questions. `false` at the end of the record.
    fn answer_all(&mut self) -> Result<bool, Diagnostic> {
        let mut picks = Vec::new();
        loop {
            let Some(asked) = self.machine.questions().find(|asked| !asked.answered) else { return Ok(true) };
            picks.clear();
            let (id, player, choice, among) = (asked.id, asked.player, asked.choice, asked.domain.len());
            let recorded = self.script.next(player).cloned();
            let reply = self.script.answer(&asked, &mut picks);
            let fits = match reply {
                Reply::Picks => self.machine.answer(id, &picks).is_ok(),
                Reply::Number(number) => self.machine.name(id, number).is_ok(),
                Reply::Concede => {
                    return Ok(self.machine.concede(player, &mut self.chronicle).is_ok());
                }
                Reply::Silent if self.record.end.is_none() && recorded.is_none() => return Ok(false),
                Reply::Silent => false,
            };
            if !fits {
                let now = self.machine.program().choices.get(choice).map_or("?", |choice| &choice.name.name).to_owned();
                let now = self.say_asked(&now, among, self.context.say("replay.nothing", &[]));
                return Err(self.difference(self.chronicle.decisions.len(), player, recorded.as_ref(), now));
            }
        }
    }

    /// The finding that the decision after the first `before` ones differs.
    fn difference(&self, before: usize, player: Player, recorded: Option<&Entry>, now: String) -> Diagnostic {
        let done = self.chronicle.decisions.iter().take(before).filter(|entry| entry.seat == player.0).count();
        let recorded = recorded.map_or_else(
            || self.context.say("replay.nothing", &[]),
            |entry| self.say_asked(&entry.choice, usize::from(entry.among), entry.said.clone()),
        );
        Diagnostic::global("E0829").with("n", done + 1).with("seat", seat(player)).with("recorded", recorded).with("now", now)
    }

    fn say_asked(&self, choice: &str, among: usize, said: String) -> String {
        self.context.say("replay.asked", &[("choice", choice.to_owned()), ("among", among.to_string()), ("said", said)])
    }

    /// The first decision that reads differently, or the different end.
    fn end_differs(&self, status: Status) -> Option<Diagnostic> {
        let pairs = self.record.decisions.iter().zip(&self.chronicle.decisions);
        if let Some((at, (then, now))) = pairs.enumerate().find(|(_, (then, now))| !then.is_the_same(now)) {
            let now = self.say_asked(&now.choice, usize::from(now.among), now.said.clone());
            return Some(self.difference(at, Player(then.seat), Some(then), now));
        }
        let end = End::of(status, self.machine.state().board.turn);
        // Recorded decisions that nobody is asked for any more.
        let made = self.chronicle.decisions.len();
        if let Some(then) = self.record.decisions.get(made) {
            return Some(self.difference(made, Player(then.seat), Some(then), self.say_end(end.as_ref())));
        }
        if end != self.record.end {
            let recorded = self.say_end(self.record.end.as_ref());
            return Some(Diagnostic::global("E0839").with("recorded", recorded).with("now", self.say_end(end.as_ref())));
        }
        let lie = record::lying(self.machine.program(), &self.machine.state().board);
        let otherwise = self.record.cards.as_ref().is_some_and(|recorded| *recorded != lie);
        otherwise.then(|| Diagnostic::global("E0889").with("seed", self.record.seed))
    }

    fn say_end(&self, end: Option<&End>) -> String {
        let turn = |end: &End| ("turn", end.turn.to_string());
        match end {
            None => self.context.say("replay.left", &[]),
            Some(end) => match end.winner {
                Some(winner) => self.context.say("replay.won", &[("player", seat(Player(winner))), turn(end)]),
                None if !end.places.is_empty() => {
                    let places: Vec<String> = end.places.iter().map(u8::to_string).collect();
                    self.context.say("replay.places", &[("places", places.join(", ")), turn(end)])
                }
                None => self.context.say("replay.drawn", &[turn(end)]),
            },
        }
    }

    fn conclude(&self, finding: Option<Diagnostic>, sources: &Sources) -> Exit {
        if let Some(finding) = finding {
            self.context.show(&[finding], sources);
            return Exit::Findings;
        }
        let decisions = self.record.decisions.len();
        let object = || {
            let (cards, taken_back) = (self.record.cards.is_some(), self.record.taken_back.len());
            serde_json::json!({ "kind": "replay", "same": true, "decisions": decisions, "cards": cards, "taken_back": taken_back })
        };
        self.context.result(object, || {
            let end = self.say_end(self.record.end.as_ref());
            self.context.out(&self.context.say("replay.same", &[("decisions", decisions.to_string()), ("end", end)]));
            if self.record.cards.is_none() {
                self.context.out(&self.context.say("replay.no_cards", &[]));
            }
            for seen in &self.record.taken_back {
                let args = [("player", seat(Player(seen.seat))), ("n", seen.decision.to_string()), ("cards", seen.cards.to_string())];
                self.context.out(&self.context.say("replay.taken_back", &args));
            }
        });
        Exit::Fine
    }
}
