//! The context of a command: language, format, folders; and the only way to print.
//!
//! Things that only one command needs are not here.

use lang::diagnostic::limits::MOST_SHOWN;
use lang::diagnostic::{Diagnostic, Language, Sources, is_shown_by_number, may_hide, with_numbers};
use lang::syntax::ast::Date;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tell::Words;

/// The columns of a screen that does not say its size.
const USUAL: usize = 80;
/// Screens with other widths are drawn in the usual width.
const NARROWEST: usize = 40;
const WIDEST: usize = 120;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
    /// A page of its own; only where a command says that it has one.
    Html,
}

/// A language of messages on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Lang {
    /// Japanese.
    Ja,
    /// English.
    En,
}

/// The flags that every command knows.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Flags {
    /// How to print.
    #[arg(long, global = true, value_enum, default_value_t = Format::Human, value_name = "human|json", hide_possible_values = true)]
    pub format: Format,
    /// Language of the messages.
    #[arg(long, global = true, value_enum, value_name = "ja|en", hide_possible_values = true)]
    pub lang: Option<Lang>,
    /// Overwrite files that exist.
    #[arg(long, global = true)]
    pub force: bool,
    /// Folder with the rules of one game.
    #[arg(long, global = true, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// Folder with the cards of one game.
    #[arg(long, global = true, value_name = "DIR")]
    pub cards: Option<PathBuf>,
    /// The day whose texts count.
    #[arg(long, global = true, value_name = "DATE", value_parser = day)]
    pub on: Option<Date>,
    /// Columns that signs of ambiguous width take.
    #[arg(long, global = true, value_name = "1|2", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub ambiguous: Option<u8>,
}

/// A day, as in `--on 2025-01-31`.
fn day(text: &str) -> Result<Date, String> {
    text.parse().map_err(|()| text.to_owned())
}

/// The context of a command.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// Language of messages and of printed labels.
    pub language: Language,
    /// How results are printed.
    pub format: Format,
    /// Whether existing files may be overwritten.
    pub force: bool,
    /// `--rules`.
    pub rules: Option<PathBuf>,
    /// `--cards`.
    pub cards: Option<PathBuf>,
    /// `--on`.
    pub on: Option<Date>,
    /// The columns that signs of ambiguous width take.
    pub ambiguous: u8,
    /// Why a part of the output was lost, if it was. All copies of the context share it.
    lost: Arc<OnceLock<String>>,
}

impl Context {
    /// Makes a context from the flags, the environment and the system.
    #[must_use]
    pub(crate) fn new(flags: &Flags) -> Self {
        let language = match flags.lang {
            Some(Lang::Ja) => Language::Japanese,
            Some(Lang::En) => Language::English,
            None => language_of_surroundings(std::env::var_os("LANG").as_deref(), language_of_project),
        };
        Self {
            language,
            format: flags.format,
            force: flags.force,
            rules: flags.rules.clone(),
            cards: flags.cards.clone(),
            on: flags.on,
            ambiguous: flags.ambiguous.unwrap_or(1),
            lost: Arc::default(),
        }
    }

    /// The finding that a part of the output could not be written, if so. A reader who stops reading is no finding.
    #[must_use]
    pub(crate) fn lost_output(&self) -> Option<Diagnostic> {
        let reason = self.lost.get()?;
        Some(Diagnostic::global("E0823").with("file", "stdout").with("reason", reason))
    }

    fn note_lost(&self, written: std::io::Result<()>) {
        if let Err(error) = written
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            _ = self.lost.set(error.to_string());
        }
    }

    /// The context with another folder of rules. A folder from the command line stays.
    #[must_use]
    pub(crate) fn with_rules(&self, folder: &Path) -> Self {
        Self { rules: Some(self.rules.clone().unwrap_or_else(|| folder.to_path_buf())), ..self.clone() }
    }

    /// The texts of the interface in the chosen language.
    #[must_use]
    pub(crate) fn words(&self) -> Words {
        Words::new(self.language)
    }

    /// A text of the interface, with its placeholders filled.
    #[must_use]
    pub(crate) fn say(&self, key: &str, args: &[(&'static str, String)]) -> String {
        self.words().say(key, args)
    }

    /// Whether results are printed as JSON.
    #[must_use]
    pub(crate) fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// Prints a line of the result on standard output, without signs that a terminal obeys. If nobody reads the output any more, this is no
    /// error. With JSON the result has only objects, so a line for people goes to standard error.
    pub(crate) fn out(&self, line: &str) {
        if self.json() { self.aside(&with_numbers(line)) } else { self.out_of_log(line) }
    }

    /// Prints a line of a log: with JSON an object, else a line for people.
    pub(crate) fn out_of_log(&self, line: &str) {
        self.out_coloured(&with_numbers(line));
    }

    /// Prints a line in grey, on terminals that support it.
    pub(crate) fn out_grey(&self, line: &str) {
        self.out_coloured(&console::style(with_numbers(line)).dim().to_string());
    }

    /// The columns of the screen. Without a terminal, and on one that does not say its size: 80.
    #[must_use]
    pub(crate) fn columns(&self) -> usize {
        let terminal = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
        terminal.filter(|columns| (NARROWEST..=WIDEST).contains(columns)).unwrap_or(USUAL)
    }

    /// Clears the screen and the lines scrolled away.
    pub(crate) fn clear_screen(&self) {
        self.out_coloured("\u{1b}[H\u{1b}[2J\u{1b}[3J");
    }

    /// Prints a line that may contain signs that a terminal obeys: colours, clearing the screen.
    fn out_coloured(&self, line: &str) {
        self.note_lost(writeln!(std::io::stdout().lock(), "{line}"));
    }

    /// Prints a prompt: a line without a line end.
    pub(crate) fn prompt(&self, text: &str) {
        let mut out = std::io::stdout().lock();
        self.note_lost(write!(out, "{text}").and_then(|()| out.flush()));
    }

    /// Prints a line of the result as JSON.
    pub(crate) fn out_json(&self, value: &serde_json::Value) {
        self.out_coloured(&escaped(&value.to_string()));
    }

    /// Prints a line on standard error, beside the result.
    pub(crate) fn aside(&self, line: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }

    /// Shows findings that are the command's result, on standard output: the first ones, and the number of the others.
    pub(crate) fn show(&self, findings: &[Diagnostic], sources: &Sources) {
        for finding in findings.iter().take(MOST_SHOWN) {
            self.out_coloured(self.rendered(finding, sources, std::io::stdout().is_terminal()).trim_end_matches('\n'));
        }
        match not_shown(findings) {
            0 => {}
            more if self.json() => self.out_json(&serde_json::json!({ "kind": "more", "findings": more })),
            more => self.out(&self.say("findings.more", &[("more", more.to_string())])),
        }
    }

    /// Shows findings that kept the command from running, on standard error. With JSON they are lines of the result.
    pub(crate) fn complain(&self, findings: &[Diagnostic], sources: &Sources) {
        if self.json() {
            return self.show(findings, sources);
        }
        for finding in findings.iter().take(MOST_SHOWN) {
            self.aside(self.rendered(finding, sources, std::io::stderr().is_terminal()).trim_end_matches('\n'));
        }
        if not_shown(findings) > 0 {
            self.aside(&self.say("findings.more", &[("more", not_shown(findings).to_string())]));
        }
    }

    fn rendered(&self, finding: &Diagnostic, sources: &Sources, colour: bool) -> String {
        match self.format {
            Format::Human | Format::Html => {
                let colour = colour && std::env::var_os("NO_COLOR").is_none();
                let shown = report::graphical(finding, sources, self.language, colour);
                // An excerpt may contain signs that a terminal obeys. The sign that begins a colour is already shown by its number there.
                shown.split('\u{1B}').map(with_numbers).collect::<Vec<_>>().join("\u{1B}")
            }
            Format::Json => escaped(&report::json(finding, sources, self.language).to_string()).into_owned(),
        }
    }
}

/// How many of these findings [`Context::show`] only counts.
pub(crate) fn not_shown(findings: &[Diagnostic]) -> usize {
    findings.len().saturating_sub(MOST_SHOWN)
}

/// JSON for a terminal too: signs in its texts that a terminal would obey, or show as nothing, are written with JSON's escapes.
fn escaped(json: &str) -> Cow<'_, str> {
    if !may_hide(json) {
        return Cow::Borrowed(json);
    }
    let mut written = String::with_capacity(json.len());
    for sign in json.chars() {
        match is_shown_by_number(sign) {
            true => sign.encode_utf16(&mut [0; 2]).iter().for_each(|unit| written.push_str(&format!("\\u{unit:04x}"))),
            false => written.push(sign),
        }
    }
    Cow::Owned(written)
}

/// The language from `LANG`, or else from the project, or else from the system. The locales `C` and `POSIX` name no language.
fn language_of_surroundings(lang: Option<&OsStr>, of_project: impl FnOnce() -> Option<String>) -> Language {
    let names_none = |lang: &str| lang.is_empty() || matches!(lang.split('.').next(), Some("C" | "POSIX"));
    let set = lang.map(|lang| lang.to_string_lossy().into_owned()).filter(|lang| !names_none(lang));
    let locale = set.or_else(of_project).or_else(sys_locale::get_locale).unwrap_or_default();
    if locale.to_lowercase().starts_with("ja") { Language::Japanese } else { Language::English }
}

/// The language in `gyoji.ron`. If this file cannot be read, another part of the command reports it.
fn language_of_project() -> Option<String> {
    project::find(std::path::Path::new(".")).ok().flatten().and_then(|project| project.language)
}

#[cfg(test)]
mod tests {
    use super::language_of_surroundings;
    use lang::diagnostic::Language;
    use std::ffi::OsStr;

    #[test]
    fn lang_says_which_language_is_spoken() {
        assert_eq!(language_of_surroundings(Some(OsStr::new("ja_JP.UTF-8")), || None), Language::Japanese);
        for none in ["", "C", "C.UTF-8", "POSIX"] {
            assert_eq!(language_of_surroundings(Some(OsStr::new(none)), || Some("ja".to_owned())), Language::Japanese, "{none}");
        }
        assert_eq!(language_of_surroundings(Some(OsStr::new("en_GB.UTF-8")), || Some("ja".to_owned())), Language::English);
    }
}
