//! Writes games as scenarios (`w` in `play`, `replay --scenario`), and begins games with scenarios.
//!
//! To write a game, the command plays it again from its beginning. So nothing has to be remembered while the game is played.

use crate::Context;
use crate::Exit;
use crate::shared::files;
use crate::shared::loading::Loaded;
use crate::shared::page;
use crate::shared::which::Which;
use engine::machine::{Given, Machine};
use engine::state::Status;
use engine::steps::Observer;
use engine::value::Player;
use lang::diagnostic::{Diagnostic, Sources};
use lang::syntax::ast::Scenario;
use lang::syntax::parse_scenarios;
use players::record::{self, Record};
use players::{Answers, Entry, Reply, Script};
use project::files::Purpose;
use scenario::Ground;
use scenario::suite::{game_of, without_game};
use scenario::writing::{self as written, At, Begun, Points};
use std::path::{Path, PathBuf};

/// Plays decisions again: all of them, or the first `most`, not counting forced ones. Gives their number.
pub(crate) fn rerun<O: Observer>(machine: &mut Machine, decisions: &[Entry], most: Option<usize>, observer: &mut O) -> usize {
    let mut script = Script::new(machine.program(), decisions);
    let mut made = 0;
    let mut picks = Vec::new();
    while machine.run(observer) == Status::Asking {
        loop {
            let Some(asked) = machine.questions().find(|asked| !asked.answered) else { break };
            if most == Some(made) {
                return made;
            }
            picks.clear();
            let (id, player) = (asked.id, asked.player);
            let done = match script.answer(&asked, &mut picks) {
                Reply::Picks => machine.answer(id, &picks).is_ok(),
                Reply::Number(number) => machine.name(id, number).is_ok(),
                // The game ends, so that no other decision is open.
                Reply::Concede if machine.concede(player, observer).is_ok() => {
                    made += 1;
                    break;
                }
                Reply::Concede | Reply::Silent => false,
            };
            if !done {
                return made;
            }
            made += 1;
        }
    }
    made
}

/// Gives the answers of a scenario again. A player may concede while others are asked.
pub(crate) fn answer_again<O: Observer>(machine: &mut Machine, decisions: &[(Player, Option<Given>)], observer: &mut O) {
    let mut left: Vec<_> = decisions.iter().collect();
    while machine.run(observer) == Status::Asking {
        loop {
            if let Some((player, None)) = left.first() {
                if machine.concede(*player, observer).is_err() {
                    return;
                }
                left.remove(0);
                break;
            }
            let Some(asked) = machine.questions().find(|asked| !asked.answered) else { break };
            let (id, player) = (asked.id, asked.player);
            let of_player = |(who, given): &&(Player, Option<Given>)| *who == player && given.is_some();
            let Some(next) = left.iter().position(of_player) else { return };
            let Some(given) = &left.remove(next).1 else { return };
            if machine.give(id, given).is_err() {
                return;
            }
        }
    }
}

/// Where a game began.
pub(crate) enum Beginning<'a> {
    /// With the decks and the seed of a record.
    Decks(&'a Record),
    /// With a scenario.
    Scenario(&'a Begun),
}

impl Beginning<'_> {
    fn start(&self, loaded: &Loaded) -> Option<(Machine, At, &str)> {
        match self {
            Beginning::Scenario(begun) => Some((begun.machine.clone(), begun.at, &begun.head)),
            Beginning::Decks(record) => {
                let decks: Result<Vec<_>, _> = record.decks.iter().map(|runs| record::cards_of(&loaded.program, runs)).collect();
                let mut machine = Machine::new(loaded.program.clone());
                machine.start(&decks.ok()?, record.seed);
                Some((machine, At::Setup, ""))
            }
        }
    }

    /// The game as a scenario, after all decisions or after the first `most`. `now` may have answers that are not finished decisions yet.
    ///
    /// # Errors
    /// `E0517` for something that cannot be written, `E0870` if the game has fewer decisions.
    pub(crate) fn text(
        &self,
        loaded: &Loaded,
        context: &Context,
        decisions: &[Entry],
        most: Option<usize>,
        now: Option<&Machine>,
    ) -> Result<String, Diagnostic> {
        let (mut machine, at, head) = self.start(loaded).ok_or_else(|| Diagnostic::global("E0517"))?;
        let mut points = Points::new(&machine, at);
        if let Beginning::Scenario(begun) = self {
            points = points.with_effects(&begun.effects);
        }
        let made = rerun(&mut machine, decisions, most, &mut points);
        if let Some(wanted) = most.filter(|wanted| *wanted > made) {
            return Err(Diagnostic::global("E0870").with("n", wanted).with("most", made));
        }
        let ground = Ground::of_game(&loaded.game).0.with_language(context.language);
        written::write(&ground, &points, now.unwrap_or(&machine), head)
    }
}

/// Writes a scenario into a new file. Without a file name, or with `-`, it is printed.
///
/// # Errors
/// The errors of writing a file.
pub(crate) fn put(text: &str, file: Option<&Path>, context: &Context) -> Result<(), Diagnostic> {
    match named(file) {
        Some(file) => files::write(file, text, context),
        None => {
            context.result_in_one_line(|| serde_json::json!({ "kind": "scenario", "text": text }), || text.trim_end().to_owned());
            Ok(())
        }
    }
}

/// A scenario of a file: `FILE`; the one at a line, `FILE:LINE`; the first one with this text in its title, `FILE:PART`.
pub(crate) struct Named {
    /// The game of the scenario.
    pub game: String,
    /// The file.
    file: PathBuf,
    which: Option<Which>,
    /// The file's text.
    text: String,
}

impl Named {
    /// Reads the file.
    ///
    /// # Errors
    /// The exit code. The reason has been shown.
    pub(crate) fn read(written: &Path, context: &Context) -> Result<Self, Exit> {
        let (file, which) = Which::of(written);
        let mut sources = Sources::default();
        let id = files::read(&file, &mut sources, Purpose::Game).map_err(|finding| complain(context, &[finding], &sources))?;
        let text = sources.get(id).map(|source| source.text.clone()).unwrap_or_default();
        let Some(game) = game_of(&text).map(str::to_owned) else {
            let (found, sources) = without_game(&file.display().to_string(), text.as_bytes());
            return Err(complain(context, &found, &sources));
        };
        Ok(Self { game, file, which, text })
    }

    /// The context in which its game is loaded.
    pub(crate) fn beside(&self, context: &Context) -> Context {
        page::beside(&self.file, &self.game, context)
    }

    /// Begins a game with the scenario.
    ///
    /// # Errors
    /// The exit code. The reason has been shown.
    pub(crate) fn begin(&self, loaded: &Loaded, context: &Context) -> Result<Begun, Exit> {
        let mut sources = loaded.sources.clone();
        let id = sources.add(self.file.display().to_string(), self.text.as_str());
        let (read, found) = parse_scenarios(id, &self.text);
        if !found.is_empty() {
            context.complain(&found, &sources);
        }
        let fits = |scenario: &&Scenario| self.which.as_ref().is_none_or(|which| which.fits(scenario, &sources));
        let none = || {
            let lines: Vec<String> = read.items.iter().map(|scenario| sources.line_column(scenario.span).0.to_string()).collect();
            let finding = Diagnostic::global("E0871").with("file", self.file.display()).with("lines", lines.join(", "));
            complain(context, &[finding], &sources)
        };
        let scenario = read.items.iter().find(fits).ok_or_else(none)?;
        let ground = Ground::of_game(&loaded.game).0.with_language(context.language);
        written::begin(&ground, scenario, &sources).map_err(|finding| complain(context, &[finding], &sources))
    }
}

fn complain(context: &Context, findings: &[Diagnostic], sources: &Sources) -> Exit {
    context.complain(findings, sources);
    Exit::CouldNotRun
}

/// Checks before the work whether [`put`] may write the file.
///
/// # Errors
/// The errors of writing a file.
pub(crate) fn may_put(file: &Path, context: &Context) -> Result<(), Diagnostic> {
    named(Some(file)).map_or(Ok(()), |file| files::may_write(file, context))
}

/// The file, if the argument names one.
fn named(file: Option<&Path>) -> Option<&Path> {
    file.filter(|file| *file != Path::new("-"))
}
