//! Undoes what binding did to a script, as far as templates can print it.
//!
//! Input: the term of a bound ability. Output: the term without the names that blocks keep for later ones, and facts about its bound names.
//! The class by which a name was referred to is not known here.

use super::term::{ACTING, ASSIGN, BLOCK, CALL, EVENT, FIELD, IF, LET, THEIR_OPPONENT, Term, YOU_OR, base};
use crate::script::follow::DONE;
use crate::script::sayings::OWNER;
use crate::script::weave::THIS;
use rustc_hash::{FxHashMap, FxHashSet};

/// The prefix of the names that a block keeps.
const KEPT: &str = "kept";

/// The statement that ends the effect.
const STOP: &str = "stop";

/// The acting player.
pub(super) const YOU: &str = "you";

/// `any x` in an event.
pub(super) const ANY: &str = "any";

/// `all x` in an event.
pub(super) const EVERY: &str = "every";

/// The constructs that bind the name in their first part.
const BINDS: [&str; 8] = [LET, ANY, EVERY, "choose", "choose match", "for", "simultaneously for", "simultaneously in order"];

/// Facts about a script's bound names.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// All bound names.
    pub bound: FxHashSet<String>,
    /// The player whose zone the objects under a name came from: named in the statement, or in an earlier one.
    pub owners: FxHashMap<String, Term>,
}

/// The script with every kept name replaced by the name that it keeps.
pub(super) fn unkept(script: &Term) -> Term {
    let mut kept: Vec<(Term, Term)> = Vec::new();
    script.each(&mut |term| {
        if let Some([name @ Term::Name(left), value @ Term::Name(_)]) = term.as_node(ASSIGN)
            && base(left) == KEPT
        {
            kept.push((name.clone(), value.clone()));
        }
    });
    let script = if kept.is_empty() { script.clone() } else { without(script, &kept) };
    kept.iter().fold(script, |script, (name, value)| script.replaced(name, value))
}

fn without(term: &Term, kept: &[(Term, Term)]) -> Term {
    let is_kept = |name: &Term| kept.iter().any(|(known, _)| known == name);
    let goes = |term: &Term| match term.as_node(ASSIGN).or_else(|| term.as_node(LET)) {
        Some([name, _]) => is_kept(name),
        _ => false,
    };
    match term {
        Term::Row(BLOCK, parts) => Term::row(BLOCK, parts.iter().filter(|part| !goes(part)).map(|part| without(part, kept)).collect()),
        other => other.with_parts(&mut |part| without(part, kept)),
    }
}

/// Collects the names that a script binds.
pub(super) fn names(script: &Term, zones: &FxHashSet<String>) -> Names {
    let mut naming = Naming { zones, names: Names::default(), last: Term::leaf(YOU) };
    naming.see(script);
    naming.names
}

/// Marks the opponent of the acting player where the opponent acts. If `open`, `you` is marked there too, as it may be printed as `you` or
/// as `the opponent`: binding made both alike.
pub(super) fn opposed(script: &Term, open: bool) -> Term {
    mark_opposed(script, false, open)
}

fn mark_opposed(term: &Term, of_opponent: bool, open: bool) -> Term {
    let other = Term::call("opponent", Term::leaf(YOU));
    if of_opponent && *term == other {
        return Term::node(THEIR_OPPONENT, Vec::new());
    }
    if of_opponent && open && term.is_name(YOU) {
        return Term::node(YOU_OR, Vec::new());
    }
    let Some([who, body]) = term.as_node(ACTING) else { return term.with_parts(&mut |part| mark_opposed(part, of_opponent, open)) };
    // As in binding: if yet another player acts there, the opponent is that player's again.
    let within = if of_opponent { who.is_name(YOU) } else { *who == other };
    Term::node(ACTING, vec![mark_opposed(who, of_opponent, open), mark_opposed(body, within, open)])
}

/// Searches for names, outer terms before inner ones, earlier before later.
struct Naming<'a> {
    zones: &'a FxHashSet<String>,
    names: Names,
    /// The player whose zone was mentioned last.
    last: Term,
}

impl Naming<'_> {
    fn see(&mut self, term: &Term) {
        self.name(term);
        let before = self.last.clone();
        for part in term.parts() {
            self.see(part);
            if parted(term) {
                self.last.clone_from(&before);
            }
        }
    }

    fn name(&mut self, term: &Term) {
        let Term::Node(tag, parts) = term else { return };
        if !BINDS.contains(tag) && *tag != EVENT {
            return;
        }
        // For the names of an event, the event itself names the owner.
        if let Some(owner) = owner(term, self.zones).filter(|_| ![ANY, EVERY].contains(tag)) {
            self.last = owner;
        }
        if *tag != EVENT
            && let Some(Term::Name(name)) = parts.first()
        {
            self.names.bound.insert(name.to_string());
            self.names.owners.insert(name.to_string(), self.last.clone());
        }
    }
}

/// Whether things given in one part are invisible in the next part and after the whole: branches, and blocks that several players perform.
fn parted(term: &Term) -> bool {
    match term {
        Term::Node("simultaneously for" | "simultaneously in order", _) => true,
        Term::Node(IF, parts) => !matches!(&**parts, [condition, _, other] if is_done(condition) && only_stops(other)),
        _ => false,
    }
}

/// Whether another branch is missing, or only ends the effect.
fn only_stops(other: &Term) -> bool {
    match other {
        Term::Nothing => true,
        Term::Row(BLOCK, parts) => parts.iter().all(|part| match part {
            Term::Node(IF, parts) => parts.iter().skip(1).all(only_stops),
            part => part.as_node(STOP).is_some(),
        }),
        _ => false,
    }
}

/// The player of the first zone that a script mentions.
fn owner(term: &Term, zones: &FxHashSet<String>) -> Option<Term> {
    if let Some([Term::Name(zone), player, ..]) = term.as_node(CALL)
        && zones.contains(&**zone)
        && !player.is_name(THIS)
    {
        return Some(player.clone());
    }
    // The player who is named as the owner.
    if let Some([of, player]) = term.as_node("==")
        && matches!(of.as_node(FIELD), Some([_, field]) if field.is_name(OWNER))
        && !player.is_name(THIS)
    {
        return Some(player.clone());
    }
    term.parts().iter().find_map(|part| owner(part, zones))
}

/// Whether a condition asks about the sentence before.
fn is_done(condition: &Term) -> bool {
    match condition {
        Term::Row("and" | "or", parts) => parts.iter().any(is_done),
        _ => DONE.iter().any(|word| condition.is_name(word)),
    }
}

fn asks_done(term: &Term) -> bool {
    matches!(term.as_node(IF), Some([condition, ..]) if is_done(condition))
}

/// A condition with its block, if it has no other branch or one that only ends the effect.
fn through(term: &Term) -> Option<(&Term, &[Term], &Term)> {
    match term.as_node(IF) {
        Some([condition, then, other]) if only_stops(other) => Some((condition, then.parts(), other)),
        _ => None,
    }
}

/// A script as binding leaves it: an `if done` stands inside the condition of the sentence before (see `script/follow.rs`).
pub(super) fn followed(term: &Term) -> Term {
    let Term::Row(BLOCK, parts) = term else { return term.with_parts(&mut followed) };
    let mut row: Vec<Term> = Vec::new();
    for part in parts.iter() {
        let part = followed(part);
        match row.last().filter(|_| asks_done(&part)).and_then(|last| pushed_in(last, &part)) {
            Some(last) => {
                row.pop();
                row.push(last);
            }
            None => row.push(part),
        }
    }
    Term::row(BLOCK, row)
}

/// A condition with one more statement at its innermost end.
fn pushed_in(term: &Term, part: &Term) -> Option<Term> {
    // A condition on `done` is passed through only if a condition on something else stands inside it.
    let (condition, then, other) = through(term)?;
    let mut then = then.to_vec();
    match then.last().and_then(|last| pushed_in(last, part)) {
        Some(inner) => {
            then.pop();
            then.push(inner);
        }
        None if is_done(condition) => return None,
        None => then.push(part.clone()),
    }
    Some(Term::node(IF, vec![condition.clone(), Term::row(BLOCK, then), other.clone()]))
}

/// The statements with an `if done` taken out of the end of the condition before it: another way to print them. If `rare`, also out of a
/// condition with nothing else in it.
pub(super) fn pulled_out(statements: &[Term], rare: bool) -> Option<Vec<Term>> {
    let (last, before) = statements.split_last()?;
    let (condition, then, other) = through(last)?;
    let (inner, rest) = then.split_last()?;
    let mut row = before.to_vec();
    let (then, out) = match asks_done(inner) && !is_done(condition) {
        true if rare || !rest.is_empty() => (rest.to_vec(), vec![inner.clone()]),
        _ => {
            let mut pulled = pulled_out(then, rare)?;
            let out = pulled.pop()?;
            (pulled, vec![out])
        }
    };
    row.push(Term::node(IF, vec![condition.clone(), Term::row(BLOCK, then), other.clone()]));
    row.extend(out);
    Some(row)
}
