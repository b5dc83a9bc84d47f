//! The command line: one file for each command, and the code that commands share.
//!
//! Input: the arguments. A command finds files, calls the other crates, prints, and gives its exit code. Only this crate knows the
//! terminal, the environment and the clock; files are opened by `project/files.rs`. It does not know what a game is or does.
//!
//! The doc comments on the fields of `Args` and on the variants of `Command` are fallbacks for the help texts; the shown texts are in
//! `tell/words.ron` (see `arguments.rs`).
//!
//! | file | does |
//! | --- | --- |
//! | `lib.rs` | the list of commands |
//! | `acts.rs` | `gyoji acts` |
//! | `play.rs`, `play/` | `gyoji play` |
//! | `simulate.rs`, `simulate/` | `gyoji simulate` |
//! | `replay.rs` | `gyoji replay` |
//! | `check.rs`, `check/` | `gyoji check` |
//! | `fmt.rs` | `gyoji fmt` |
//! | `test.rs`, `test/` | `gyoji test` |
//! | `coverage.rs` | `gyoji coverage` |
//! | `mutants.rs`, `mutants/` | `gyoji mutants` |
//! | `rule.rs`, `rule/` | `gyoji rule` |
//! | `readings.rs` | `gyoji readings` |
//! | `why.rs` | `gyoji why` |
//! | `names.rs` | `gyoji names` |
//! | `explain.rs` | `gyoji explain` |
//! | `wording.rs`, `wording/` | `gyoji wording` |
//! | `shared/` | what several commands share |

mod acts;
mod check;
mod coverage;
mod explain;
mod fmt;
mod mutants;
mod names;
mod play;
mod readings;
mod replay;
mod rule;
mod shared;
mod simulate;
mod test;
mod why;
mod wording;

pub use shared::context::Format;
pub(crate) use shared::context::{Context, Flags, Lang};
pub use shared::exit::Exit;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use lang::diagnostic::{Diagnostic, Sources};
use report::concise;
use std::ffi::OsString;

/// A referee for trading card games.
#[derive(Debug, Parser)]
#[command(name = "gyoji", version)]
struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a game.
    Play(play::Args),
    /// Play many random games.
    Simulate(simulate::Args),
    /// Play a recorded game again.
    Replay(replay::Args),
    /// Check rules, cards, decks and scenarios.
    Check(check::Args),
    /// Write files in the one style.
    Fmt(fmt::Args),
    /// Run scenarios.
    Test(test::Args),
    /// Show which rules the scenarios carry out.
    Coverage(coverage::Args),
    /// Break the rules on purpose, and see which scenarios notice.
    Mutants(mutants::Args),
    /// Show a rule and what stands on it; a new edition of the rulebook.
    Rule(rule::Args),
    /// List where the rulebook can be read in more than one way.
    Readings(readings::Args),
    /// List which lines of cards have acted.
    Acts(acts::Args),
    /// Ask a position what a value comes from, what can be done, what led to an event.
    Why(why::Args),
    /// List what a scenario can name.
    Names(names::Args),
    /// Explain a card or a code.
    Explain(explain::Args),
    /// List the templates of printed texts, try a text, show what is missing.
    Wording(wording::Args),
}

/// Runs the command that the arguments name.
pub fn main(args: impl IntoIterator<Item = OsString>) -> Exit {
    let args: Vec<OsString> = args.into_iter().collect();
    let surroundings = shared::arguments::context_before_parsing(&args);
    let command = shared::arguments::in_language(Cli::command(), surroundings.words());
    let parsed = command.try_get_matches_from(&args).and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => {
            let context = Context::new(&cli.flags);
            let exit = carry_out(&cli.command, &context);
            match context.lost_output() {
                Some(finding) => {
                    context.aside(&concise(&finding, &Sources::default(), context.language));
                    Exit::CouldNotRun
                }
                None => exit,
            }
        }
        Err(error) => shared::arguments::misuse(&error, &surroundings),
    }
}

fn carry_out(command: &Command, context: &Context) -> Exit {
    if context.is_page() && !matches!(command, Command::Coverage(_)) {
        return shared::audited::complaint(context, Diagnostic::global("E0820").with("reason", context.say("misuse.html", &[])));
    }
    if let Some(finding) = [&context.rules, &context.cards].into_iter().flatten().find_map(|folder| shared::paths::unread_folder(folder)) {
        return shared::audited::complaint(context, finding);
    }
    match command {
        Command::Play(args) => play::run(args, context),
        Command::Simulate(args) => simulate::run(args, context),
        Command::Replay(args) => replay::run(args, context),
        Command::Check(args) => check::run(args, context),
        Command::Fmt(args) => fmt::run(args, context),
        Command::Test(args) => test::run(args, context),
        Command::Coverage(args) => coverage::run(args, context),
        Command::Mutants(args) => mutants::run(args, context),
        Command::Rule(args) => rule::run(args, context),
        Command::Readings(args) => readings::run(args, context),
        Command::Acts(args) => acts::run(args, context),
        Command::Why(args) => why::run(args, context),
        Command::Names(args) => names::run(args, context),
        Command::Explain(args) => explain::run(args, context),
        Command::Wording(args) => wording::run(args, context),
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;
    use lang::diagnostic::Language;
    use tell::Words;

    /// An argument without such a text would show its comment in the source, in English only.
    #[test]
    fn every_argument_has_its_help_in_the_catalogue() {
        let words = Words::new(Language::English);
        let command = Cli::command();
        let known = |name: &str, arg: &clap::Arg| {
            let keys = [format!("help.{name}.{}", arg.get_id()), format!("help.{}", arg.get_id())];
            keys.iter().any(|key| words.find(key).is_some())
        };
        let mut lacking: Vec<String> = Vec::new();
        for sub in command.get_subcommands() {
            let of = sub.get_arguments().filter(|arg| !arg.is_hide_set() && !known(sub.get_name(), arg));
            lacking.extend(of.map(|arg| format!("{} {}", sub.get_name(), arg.get_id())));
        }
        assert!(lacking.is_empty(), "{lacking:?}");
    }
}
