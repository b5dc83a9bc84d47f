//! The entries of policies and of declared choices (`choice`) with their words. The first word counts if a game says nothing.
//!
//! The table stands here because the audit, which breaks policies on purpose, also needs the other words. `policies.rs` gives the words
//! their meaning, and has the principles.

/// An entry of a policy and its words. No words: a number, an expression or a declared choice stands there.
type Entry = (&'static str, &'static str, &'static [&'static str]);

const ENTRIES: [Entry; 56] = [
    ("replacement", "each", &["once_per_event", "one_in_all"]),
    ("replacement", "optional", &["always", "if_possible"]),
    ("replacement", "within", &["part"]),
    ("replacement", "cause", &["of_the_replacement", "of_the_event"]),
    ("replacement", "counts", &["as_done", "as_not_done"]),
    ("replacement", "one_of_several", &[]),
    ("replacement", "never", &[]),
    // This entry is an expression. The shortest forms of the expression are listed here.
    ("replacement", "order", &["affected", "actor"]),
    ("batches", "order", &["branch_order", "owners_last"]),
    ("batches", "shared", &["error", "branch_order"]),
    ("triggers", "state", &["until_false", "until_resolved"]),
    ("triggers", "limit", &["at_use", "at_trigger"]),
    ("triggers", "announced", &["at_announcement", "at_use"]),
    ("triggers", "controller", &["at_trigger", "at_use"]),
    ("triggers", "lost", &["performed", "dropped"]),
    ("triggers", "left", &["performed", "dropped"]),
    ("triggers", "announced_disabled", &["performed", "dropped"]),
    ("triggers", "disabled", &["performed", "dropped"]),
    ("triggers", "delayed", &["for_one_time"]),
    ("triggers", "hidden", &["secret", "shown"]),
    ("triggers", "heard_by", &[]),
    ("triggers", "late", &["not_heard", "heard_again"]),
    ("triggers", "looks", &["after", "before", "both"]),
    ("choices", "announced", &["at_head", "with_the_choice"]),
    ("choices", "known", &["may_fail", "surely_found", "may_fail_anywhere"]),
    ("choices", "listed", &[]),
    ("choices", "together", &["at_once"]),
    ("choices", "failed", &["left_out", "offered_again"]),
    (
        "effects",
        "sets",
        &["locked", "live", "locked_falling_out", "locked_falling_out_for_good", "locked_in_public_zones", "live_without_newcomers"],
    ),
    ("effects", "circles", &["earlier_counts", "all_count"]),
    ("effects", "in_a_layer", &["by_dependency", "by_age"]),
    ("effects", "given", &["kept", "withdrawn"]),
    ("effects", "condition", &["in_each_layer", "asked_once"]),
    ("effects", "ties", &["of_one_age", "of_conditions"]),
    ("effects", "age", &["statement", "end_of_ability"]),
    ("effects", "granted", &["as_old_as_grant", "as_old_as_card"]),
    ("effects", "shuffled", &["followed", "lost"]),
    ("effects", "set", &["in_its_layer", "over_all_older"]),
    ("effects", "missing", &["set", "left_out"]),
    ("prices", "paid", &["as_printed", "at_once", "in_any_order"]),
    ("principles", "revealed", &["until_the_effect_ends", "until_the_attempt_or_the_effect_ends"]),
    ("loops", "mandatory", &["error", "drawn"]),
    ("loops", "optional", &[]),
    ("loops", "first", &[]),
    ("loops", "same", &["everything", "cards_in_zones", "cards_as_they_lie", "tallies_apart", "all_but_history"]),
    ("loops", "barred", &["everybody", "who_named_most"]),
    ("loops", "passes", &["no_answers", "named", "named_in_every_round"]),
    ("loops", "stopped", &["by_nobody", "by_who_named_least"]),
    ("loops", "forced", &["asked_anew", "tried_out"]),
    ("loops", "left_out", &[]),
    ("loops", "passing_over", &[]),
    ("loops", "again", &["after_something_else", "elsewhere"]),
    ("choice", "up_to", &["also_none"]),
    ("choice", "too_few", &["all_there_are", "nothing"]),
    ("choice", "empty", &["passed_over"]),
    ("choice", "pass", &[]),
];

/// The words of an entry; empty for an entry without words.
#[must_use]
pub fn policy_words(policy: &str, entry: &str) -> &'static [&'static str] {
    ENTRIES.iter().find(|(of, name, _)| (*of, *name) == (policy, entry)).map_or(&[], |(.., words)| words)
}

/// The names of a policy's entries.
pub(crate) fn policy_entries(policy: &str) -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().filter(move |(of, ..)| *of == policy).map(|(_, name, _)| *name)
}
