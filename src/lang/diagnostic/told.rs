//! The words of a finding in one language.

use super::{Diagnostic, Language, entry, fill};

/// The words of a finding, filled in. Without an entry, or with a missing placeholder, the known facts are the message, so that no finding
/// is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The sentence.
    pub message: String,
    /// What stands beside the marked place. Empty for none.
    pub label: String,
    /// The lines of help whose placeholders are all known.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// The words of the finding.
    #[must_use]
    pub fn told(&self, language: Language) -> Told {
        let Some(entry) = entry(self.code, language) else {
            return Told { message: self.known_facts(), label: String::new(), help: Vec::new() };
        };
        let args = self.args_in(language);
        Told {
            message: fill(&entry.message, &args).unwrap_or_else(|| self.known_facts()),
            label: fill(&entry.label, &args).unwrap_or_default(),
            help: entry.help.iter().filter_map(|line| fill(line, &args)).collect(),
        }
    }

    fn known_facts(&self) -> String {
        let facts: Vec<_> = self.args.iter().map(|(key, value)| format!("{key} `{value}`")).collect();
        if facts.is_empty() { self.code.to_owned() } else { facts.join(", ") }
    }
}
