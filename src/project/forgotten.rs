//! A forgotten `use`. Without `use std` no word of the shared wording is known, and each line that uses one would be a finding (`E0401`).
//! Without `use draw` the action `draw` is not known (`E0201`).

use super::embedded::{self, SHARED, Tree};
use lang::diagnostic::{Diagnostic, Sources};
use rustc_hash::{FxHashMap, FxHashSet};

/// The code of a name that no wording declares.
const UNKNOWN: &str = "E0401";
/// The words before a name that a shared module declares for rules.
const ACTS: [&str; 4] = ["action", "procedure", "function", "state"];
/// The words before a name that a wording declares.
const DECLARES: [&str; 6] = ["category", "class", "family", "meaning", "verb", "voice"];

/// The findings, with one in the place of all those about names that the shared wording declares, if no source uses this wording.
pub(super) fn without_what_std_has(found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    if !found.iter().any(|finding| finding.code == UNKNOWN) || is_used(sources, SHARED) {
        return found;
    }
    let files = embedded::files(Tree::Rules, SHARED, "rules").unwrap_or_default();
    let texts: Vec<&str> = files.iter().filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok()).collect();
    let declared: FxHashSet<&str> = texts.iter().flat_map(|text| text.lines()).filter_map(declared).collect();
    let mut told = false;
    let one = |mut finding: Diagnostic| {
        let name = finding.args.iter().find(|(key, _)| *key == "name").map(|(_, name)| name.clone());
        let Some(name) = name.filter(|name| finding.code == UNKNOWN && declared.contains(name.as_str())) else { return Some(finding) };
        finding.args.retain(|(key, _)| *key != "nearest");
        (!std::mem::replace(&mut told, true)).then(|| finding.with("std", name))
    };
    found.into_iter().filter_map(one).collect()
}

/// The findings; those about an unknown name name the shared module that declares it, unless the game uses the module.
pub(super) fn with_modules(mut found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let unknown = |finding: &Diagnostic| finding.code == "E0201";
    if !found.iter().any(unknown) {
        return found;
    }
    let mut declared_in: FxHashMap<String, String> = FxHashMap::default();
    for module in embedded::shared_rules().into_iter().filter(|module| !is_used(sources, module)) {
        let files = embedded::files(Tree::Rules, &format!("{SHARED}/{module}"), "rules").unwrap_or_default();
        let texts = files.iter().filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok());
        let names = texts.flat_map(str::lines).filter_map(|line| named_by(line, &ACTS));
        declared_in.extend(names.map(|name| (name.to_owned(), module.clone())));
    }
    for finding in found.iter_mut().filter(|finding| unknown(finding)) {
        let name = finding.args.iter().find(|(key, _)| *key == "name").map(|(_, name)| name.as_str());
        if let Some(module) = name.and_then(|name| declared_in.get(name)) {
            finding.args.retain(|(key, _)| *key != "nearest");
            finding.args.push(("module", module.clone()));
        }
    }
    found
}

/// Whether some source has a line `use NAME`.
fn is_used(sources: &Sources, name: &str) -> bool {
    let uses = |line: &str| line.strip_prefix("use ").is_some_and(|rest| rest.split_whitespace().next() == Some(name));
    sources.iter().any(|(_, source)| source.text.lines().any(uses))
}

/// The name that a line declares: `family done(どうする, …) {`, `category spread: value`.
fn declared(line: &str) -> Option<&str> {
    named_by(line, &DECLARES)
}

/// The name that a line declares if it begins with one of the words.
fn named_by<'t>(line: &'t str, words: &[&str]) -> Option<&'t str> {
    let (word, rest) = line.trim_start().split_once(' ')?;
    let name = rest.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next()?;
    (words.contains(&word) && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{declared, with_modules, without_what_std_has};
    use lang::diagnostic::{Diagnostic, Sources, Span};

    #[test]
    fn one_finding_says_that_use_std_is_missing() {
        let found = |text: &str| {
            let mut sources = Sources::default();
            let file = sources.add("a.rules", text);
            let unknown = |name: &str| Diagnostic::error("E0401", Span { file, start: 0, end: 1 }).with("name", name);
            let found = without_what_std_has(vec![unknown("done"), unknown("in_play"), unknown("gleam")], &sources);
            found.iter().map(|finding| finding.args.last().map_or("", |(key, _)| *key)).collect::<Vec<_>>()
        };
        assert_eq!(found("wording w { take in_play(field) }\n"), ["std", "name"]);
        assert_eq!(found("use std\nwording w { take in_play(field) }\n"), ["name", "name", "name"]);
    }

    #[test]
    fn a_name_of_a_shared_module_is_found_with_the_module() {
        let found = |text: &str, name: &str| {
            let mut sources = Sources::default();
            let file = sources.add("a.rules", text);
            let unknown = Diagnostic::error("E0201", Span { file, start: 0, end: 1 }).with("name", name).with("nearest", "drawn");
            with_modules(vec![unknown], &sources).remove(0).args.pop().unwrap_or_default()
        };
        assert_eq!(found("turn { }\n", "draw"), ("module", "draw".to_owned()));
        assert_eq!(found("turn { }\n", "perform_waiting"), ("module", "waiting".to_owned()));
        assert_eq!(found("use draw\nturn { }\n", "draw"), ("nearest", "drawn".to_owned()));
        assert_eq!(found("turn { }\n", "drew"), ("nearest", "drawn".to_owned()));
    }

    #[test]
    fn names_stand_behind_the_word_that_declares_them() {
        assert_eq!(declared("  family done(どうする, does, still) {"), Some("done"));
        assert_eq!(declared("  category spread: value"), Some("spread"));
        assert_eq!(declared("  act 「x」 -> { }"), None);
    }
}
