//! Compares two editions of a rulebook by their indexes: which rules were added, dropped or changed, and which only have another number.
//!
//! A rule is recognised by its number and its text. If another number has the text of an old rule, the rule was renumbered, unless the old
//! number still has this text too. If the text is nearly equal, the rule was renumbered and changed. What cites the rules is shown
//! elsewhere.

use scenario::rulebook::{Row, Rulebook};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How similar two texts must be to count as one changed rule.
const ALIKE: f64 = 0.75;

/// The change of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "change")]
pub enum Change {
    /// The rule is new.
    Added {
        /// The rule's number.
        id: String,
    },
    /// The rule is gone.
    Dropped {
        /// The rule's number.
        id: String,
    },
    /// The rule has another text or class.
    Changed {
        /// The rule's number in the old edition.
        id: String,
        /// The rule's number in the new edition.
        now: String,
    },
    /// The rule has another number and the same text.
    Renumbered {
        /// The rule's number in the old edition.
        id: String,
        /// The rule's number in the new edition.
        now: String,
    },
}

impl Change {
    /// The rule's number in the old edition. None for a new rule.
    #[must_use]
    pub fn before(&self) -> Option<&str> {
        match self {
            Change::Added { .. } => None,
            Change::Dropped { id } | Change::Changed { id, .. } | Change::Renumbered { id, .. } => Some(id),
        }
    }

    /// The rule's number in the new edition. None for a dropped rule.
    #[must_use]
    pub fn after(&self) -> Option<&str> {
        match self {
            Change::Added { id } => Some(id),
            Change::Dropped { .. } => None,
            Change::Changed { now, .. } | Change::Renumbered { now, .. } => Some(now),
        }
    }
}

/// All changes: the rules of the old edition in order, then the new ones.
#[must_use]
pub fn changes(old: &Rulebook, new: &Rulebook) -> Vec<Change> {
    let became = matched(old, new);
    let taken: BTreeSet<&str> = became.values().copied().collect();
    let mut changes = Vec::new();
    for (id, row) in old.iter() {
        let Some(now) = became.get(id) else {
            changes.push(Change::Dropped { id: id.to_owned() });
            continue;
        };
        let same = new.get(now).is_some_and(|new| says_the_same(row, new));
        let (id, now) = (id.to_owned(), (*now).to_owned());
        match (same, id == now) {
            (true, true) => {}
            (true, false) => changes.push(Change::Renumbered { id, now }),
            (false, _) => changes.push(Change::Changed { id, now }),
        }
    }
    changes.extend(new.ids().filter(|id| !taken.contains(id)).map(|id| Change::Added { id: id.to_owned() }));
    changes
}

/// For each number of the old edition, the number of the same rule in the new one.
fn matched<'b>(old: &'b Rulebook, new: &'b Rulebook) -> BTreeMap<&'b str, &'b str> {
    let mut became: BTreeMap<&str, &str> = BTreeMap::new();
    let mut free: Vec<(&str, &Row)> = new.iter().collect();
    let mut take = |became: &mut BTreeMap<&'b str, &'b str>, fits: &dyn Fn(&str, &Row, &str, &Row) -> bool| {
        for (id, row) in old.iter() {
            if became.contains_key(id) {
                continue;
            }
            if let Some(at) = free.iter().position(|(now, new)| fits(id, row, now, new)) {
                became.insert(id, free.remove(at).0);
            }
        }
    };
    take(&mut became, &|id, row, now, new| id == now && says_the_same(row, new));
    take(&mut became, &|_, row, _, new| !row.text.is_empty() && says_the_same(row, new));
    take(&mut became, &|id, row, now, new| id == now && (row.text.is_empty() || new.text.is_empty() || alike(row, new)));
    take(&mut became, &|_, row, _, new| alike(row, new));
    take(&mut became, &|id, _, now, _| id == now);
    became
}

fn says_the_same(a: &Row, b: &Row) -> bool {
    a.class == b.class && a.absent == b.absent && a.text == b.text
}

fn alike(a: &Row, b: &Row) -> bool {
    !a.text.is_empty() && strsim::normalized_levenshtein(&a.text, &b.text) >= ALIKE
}

/// Old and new numbers of all rules whose number has changed.
#[must_use]
pub fn renumbering(changes: &[Change]) -> BTreeMap<&str, &str> {
    changes.iter().filter_map(|change| change.before().zip(change.after())).filter(|(old, new)| old != new).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::{Change, changes};
    use lang::diagnostic::FileId;
    use scenario::rulebook::Rulebook;

    fn check(old: &str, new: &str, expect: &[&str]) {
        let book = |text: &str| Rulebook::read(FileId(0), &text.replace('|', "\t")).0;
        let said: Vec<String> = changes(&book(old), &book(new))
            .iter()
            .map(|change| match change {
                Change::Added { id } => format!("+{id}"),
                Change::Dropped { id } => format!("-{id}"),
                Change::Changed { id, now } => format!("{id}~{now}"),
                Change::Renumbered { id, now } => format!("{id}>{now}"),
            })
            .collect();
        assert_eq!(said, expect);
    }

    #[test]
    fn a_rule_put_in_renumbers_those_behind_it() {
        let old = "1-1|mechanic|both draw one card\n1-2|mechanic|both set one card\n1-3|mechanic|the cards are turned up\n";
        let new = "1-1|mechanic|both draw one card\n1-2|mechanic|a player may pass\n1-3|mechanic|both set one card\n1-4|mechanic|the cards are turned up\n";
        check(old, new, &["1-2>1-3", "1-3>1-4", "+1-2"]);
        check(new, old, &["-1-2", "1-3>1-2", "1-4>1-3"]);
    }

    #[test]
    fn what_a_number_says_can_change() {
        check("1|mechanic|both draw one card\n", "1|mechanic|both draw two cards\n", &["1~1"]);
        check("1|mechanic|x\n", "1|definition|x\n", &["1~1"]);
        check("1|mechanic|both draw one card\n", "2|mechanic|both draw two cards\n", &["1~2"]);
        check("1|mechanic|\n", "1|mechanic|\n", &[]);
        check("1|mechanic|entirely one thing\n", "1|mechanic|now another, longer story\n", &["1~1"]);
    }
}
