//! The context of a command: language, format, folders. `context/output.rs` prints.
//!
//! Things that only one command needs are not here.

mod output;

pub use output::Format;
pub(crate) use output::{Log, not_shown};

use lang::diagnostic::{Diagnostic, Language};
use lang::syntax::ast::Date;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tell::Words;

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
    /// How results are printed. Commands do not know.
    format: Format,
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
