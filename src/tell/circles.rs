//! Words about circles of effects, for traces and answers.

use engine::program::Program;

/// The policy by which a game decides which effect of a circle goes first.
#[must_use]
pub fn policy(program: &Program) -> &'static str {
    match (program.layers.is_empty(), program.policies.circles_count) {
        (false, _) => "policy effects { in_a_layer = by_dependency }",
        (true, true) => "policy effects { circles = all_count }",
        (true, false) => "policy effects { circles = earlier_counts }",
    }
}

/// Which words tell of a circle with so many effects that go first, and so many others: the end of their key.
#[must_use]
pub fn ending(first: usize, others: usize) -> &'static str {
    match (first, others) {
        (1, 0) => ".itself",
        (_, 0) => ".all",
        _ => "",
    }
}

/// A list of words in which none stands twice.
#[must_use]
pub fn listed(words: impl Iterator<Item = String>, comma: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all.join(comma)
}
