//! The flags that repeat a game of `simulate`: those that decide which game it is.

use crate::Context;
use crate::simulate::MOST_DECISIONS;

/// The flags for the end of a command line, each with a blank before it.
#[must_use]
pub(crate) fn flags(context: &Context, decks: &[String], random_decks: bool, most_decisions: u64) -> String {
    let mut given: Vec<(&str, String)> = Vec::new();
    given.extend(context.rules.iter().map(|folder| ("rules", folder.display().to_string())));
    given.extend(context.cards.iter().map(|folder| ("cards", folder.display().to_string())));
    given.extend(context.on.iter().map(|day| ("on", day.to_string())));
    given.extend(decks.iter().map(|deck| ("deck", deck.clone())));
    if most_decisions != MOST_DECISIONS {
        given.push(("max-decisions", most_decisions.to_string()));
    }
    let flags: String = given.iter().map(|(flag, value)| format!(" --{flag} {}", quoted(value))).collect();
    flags + if random_decks { " --random-decks" } else { "" }
}

/// A word, quoted for the shell where necessary.
fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || "/._-=+:,@%".contains(sign);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_a_shell_would_part_is_quoted() {
        assert_eq!(quoted("a=火.ron"), "a=火.ron");
        assert_eq!(quoted("a=my deck's.ron"), "'a=my deck'\\''s.ron'");
    }
}
