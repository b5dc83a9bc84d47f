//! The command line in the reader's language: help texts, and findings about wrong arguments.

use crate::Context;
use crate::Exit;
use crate::Flags;
use crate::Format;
use crate::Lang;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use lang::diagnostic::{Diagnostic, Sources};
use std::ffi::OsString;
use std::str::FromStr;
use tell::Words;

/// The context before the arguments are parsed. With it even wrong arguments get an answer in the wanted language.
#[must_use]
pub(crate) fn context_before_parsing(args: &[OsString]) -> Context {
    let value_of = |flag: &str| {
        let texts: Vec<_> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let joined = texts.iter().find_map(|text| text.strip_prefix(flag)?.strip_prefix('=').map(str::to_owned));
        joined.or_else(|| texts.iter().skip_while(|text| *text != flag).nth(1).cloned())
    };
    let lang = match value_of("--lang").as_deref() {
        Some("ja") => Some(Lang::Ja),
        Some("en") => Some(Lang::En),
        _ => None,
    };
    let format = if value_of("--format").as_deref() == Some("json") { Format::Json } else { Format::Human };
    Context::new(&Flags { lang, format, ..Flags::default() })
}

/// The number of threads for rayon: the wanted number, at most one for each core. (Each thread has memory of its own, and more threads do
/// not help.)
#[must_use]
pub(crate) fn threads(asked: Option<usize>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or(0, |asked| asked.min(cores))
}

/// The command with all help texts from the interface's catalogue: `help.COMMAND`, `help.COMMAND.ARG`, else `help.ARG`.
#[must_use]
pub(crate) fn in_language(command: Command, words: Words) -> Command {
    let template = words.plain("help.template").to_owned();
    let names: Vec<_> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let help = clap::Arg::new("help").short('h').long("help").action(clap::ArgAction::Help).global(true);
    let version = clap::Arg::new("version").short('V').long("version").action(clap::ArgAction::Version);
    let command = command.disable_help_flag(true).disable_version_flag(true).arg(help).arg(version);
    let mut command = described(command, "gyoji", words).help_template(&template).after_help(words.plain("help.gyoji.begin").to_owned());
    for name in names {
        command = command.mut_subcommand(&name, |sub| described(sub, &name, words).help_template(words.plain("help.template.sub")));
    }
    command.disable_help_subcommand(true)
}

fn described(command: Command, name: &str, words: Words) -> Command {
    let about = words.plain(&format!("help.{name}")).to_owned();
    command.about(about).mut_args(|arg| {
        let own = words.find(&format!("help.{name}.{}", arg.get_id()));
        match own.or_else(|| words.find(&format!("help.{}", arg.get_id()))) {
            Some(text) => arg.help(text),
            None => arg,
        }
    })
}

/// A number that is at least one.
pub(crate) fn one_or_more<N: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<N, String> {
    text.parse().ok().filter(|number| *number > N::from(0)).ok_or_else(|| text.to_owned())
}

/// Reports wrong arguments. A call for help or for the version is printed instead.
pub(crate) fn misuse(error: &clap::Error, context: &Context) -> Exit {
    if !error.use_stderr() {
        let Err(failed) = error.print().and_then(|()| std::io::Write::flush(&mut std::io::stdout())) else { return Exit::Fine };
        if failed.kind() == std::io::ErrorKind::BrokenPipe {
            return Exit::Fine;
        }
        context.complain(&[Diagnostic::global("E0823").with("file", "stdout").with("reason", failed)], &Sources::default());
        return Exit::CouldNotRun;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return Exit::CouldNotRun;
    }
    let finding = Diagnostic::global("E0820").with("reason", reason(error, context));
    context.complain(&[finding], &Sources::default());
    Exit::CouldNotRun
}

fn reason(error: &clap::Error, context: &Context) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    };
    let key = match error.kind() {
        ErrorKind::UnknownArgument => "misuse.unknown",
        ErrorKind::InvalidSubcommand => "misuse.command",
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => "misuse.value",
        ErrorKind::MissingRequiredArgument => "misuse.missing",
        ErrorKind::ArgumentConflict => "misuse.twice",
        _ => return error.to_string().lines().next().unwrap_or("").trim_start_matches("error: ").to_owned(),
    };
    let args = [
        ("arg", text(if error.kind() == ErrorKind::InvalidSubcommand { ContextKind::InvalidSubcommand } else { ContextKind::InvalidArg })),
        ("value", text(ContextKind::InvalidValue)),
        ("known", text(ContextKind::ValidValue)),
    ];
    let said = context.say(key, &args);
    // The likeliest word stands last.
    let suggested = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.last().cloned(),
        _ => None,
    };
    if let Some(meant) = suggested(ContextKind::SuggestedSubcommand).or_else(|| suggested(ContextKind::SuggestedArg)) {
        return format!("{said} ({})", context.say("misuse.meant", &[("meant", meant)]));
    }
    match (key, args.iter().find(|(name, _)| *name == "known").map(|(_, known)| known.as_str())) {
        ("misuse.value", Some(known)) if !known.is_empty() => format!("{said} ({known})"),
        _ => said,
    }
}
