//! Folds causes that repeat: in a forced loop each round is caused by the round before it. The first round is told, and the following equal
//! rounds become one fact.

use crate::state::MOST_ARGUMENTS;
use crate::value::Value;
use crate::why::{Answer, Fact, Line};

/// The most facts of a round.
const LONGEST: usize = 32;

/// The fewest further rounds that are folded.
const FEWEST: usize = 2;

/// Folds the equal rounds of a chain of causes.
pub(super) fn fold(answer: &mut Answer) {
    let mut at = 0;
    while at < answer.lines.len() {
        let found = (1..=LONGEST).find_map(|length| {
            let again = rounds_after(answer, at, length);
            (again >= FEWEST).then_some((length, again))
        });
        if let Some((length, again)) = found {
            replace(answer, at + length, (length, again));
            // The folded fact itself is passed over.
            at += length;
        }
        at += 1;
    }
}

/// How often the facts from a place on are repeated directly after each other, each time deeper by the same step.
fn rounds_after(answer: &Answer, at: usize, length: usize) -> usize {
    let lines = &answer.lines;
    let (Some(first), Some(next)) = (lines.get(at..at + length), lines.get(at + length)) else { return 0 };
    let Some(step) = first.first().and_then(|line| next.depth.checked_sub(line.depth)).filter(|step| *step > 0) else { return 0 };
    let rounds = lines.get(at + length..).unwrap_or_default().chunks_exact(length);
    let equal = |(index, round): &(usize, &[Line])| {
        let deeper = (index + 1) * usize::from(step);
        first.iter().zip(*round).all(|(one, other)| {
            usize::from(one.depth) + deeper == usize::from(other.depth) && one.cites == other.cites && alike(answer, &one.fact, &other.fact)
        })
    };
    rounds.enumerate().take_while(equal).count()
}

/// Replaces rounds by one fact. The facts after the rounds move up to it.
fn replace(answer: &mut Answer, from: usize, (length, again): (usize, usize)) {
    let until = from + length * again;
    let (Some(depth), next) = (answer.lines.get(from).map(|line| line.depth), answer.lines.get(until).map(|line| line.depth)) else {
        return;
    };
    // A part of a further round at the end of the answer tells nothing new, and the chain was not followed to its end.
    let rest = answer.lines.get(until..).unwrap_or_default();
    let begun = answer.lines.get(from..from + rest.len().min(length)).unwrap_or_default();
    let is_cut = rest.len() < length && begun.iter().zip(rest).all(|(one, other)| alike(answer, &one.fact, &other.fact));
    let has_end = rest.last().is_some_and(|line| matches!(line.fact, Fact::Flow(..)));
    let up = next.map_or(0, |next| next.saturating_sub(depth));
    answer.lines.splice(from..until, [Line { depth, fact: Fact::AndSoOn(again as u32, !has_end), cites: Vec::new() }]);
    if is_cut {
        answer.lines.truncate(from + 1);
    }
    for line in answer.lines.iter_mut().skip(from + 1) {
        line.depth = line.depth.saturating_sub(up);
    }
}

/// Whether two facts say the same of the same cards. A card that has moved between two rounds is the same card.
fn alike(answer: &Answer, one: &Fact, other: &Fact) -> bool {
    let same = |one: Value, other: Value| is_same(answer, one, other);
    let all = |some: &[Value; MOST_ARGUMENTS], others: &[Value; MOST_ARGUMENTS]| some.iter().zip(others).all(|(a, b)| same(*a, *b));
    match (one, other) {
        (Fact::Event(verb, args), Fact::Event(of, with)) | (Fact::PartOf(verb, args), Fact::PartOf(of, with)) => {
            verb == of && all(args, with)
        }
        (Fact::Ability(card, ability, you), Fact::Ability(of, which, by)) => same(*card, *of) && ability == which && you == by,
        (Fact::Triggered(card, you), Fact::Triggered(of, by)) | (Fact::PutBy(card, you), Fact::PutBy(of, by)) => {
            same(*card, *of) && you == by
        }
        (Fact::Pays(card, you, heard), Fact::Pays(of, by, also)) => same(*card, *of) && (you, heard) == (by, also),
        (Fact::Waited(card, kind, you), Fact::Waited(of, which, by)) => same(*card, *of) && (kind, you) == (which, by),
        (Fact::Instead(verb, args, card), Fact::Instead(of, with, by)) => verb == of && all(args, with) && same(*card, *by),
        (Fact::Decided(player, choice, picks, secret), Fact::Decided(by, of, others, also)) => {
            (player, choice, secret) == (by, of, also)
                && picks.len() == others.len()
                && picks.iter().zip(others).all(|(one, other)| same(*one, *other))
        }
        (one, other) => one == other,
    }
}

fn is_same(answer: &Answer, one: Value, other: Value) -> bool {
    match (one, other) {
        (Value::Object { id, .. }, Value::Object { id: of, .. }) => id == of,
        (Value::List { start, len }, Value::List { start: from, len: count }) => {
            let members = |start: u32, len: u16| answer.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or_default();
            let (some, others) = (members(start, len), members(from, count));
            some.len() == others.len() && some.iter().zip(others).all(|(one, other)| is_same(answer, *one, *other))
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::fold;
    use crate::ids::VerbId;
    use crate::state::MOST_ARGUMENTS;
    use crate::value::{Player, Value};
    use crate::why::{Answer, Fact, Line};

    /// A chain of `rounds` equal rounds of two facts, and the flow after it if `ends`.
    fn chain(rounds: u8, ends: bool) -> Answer {
        let args = [Value::Undefined; MOST_ARGUMENTS];
        let line = |depth, fact| Line { depth, fact, cites: Vec::new() };
        let round = |n: u8| {
            let card = Value::Number(1);
            [line(2 * n, Fact::Event(VerbId(9), args)), line(2 * n + 1, Fact::Triggered(card, Player(0)))]
        };
        let end = ends.then(|| line(2 * rounds, Fact::Flow(1, None)));
        Answer { lines: (0..rounds).flat_map(round).chain(end).collect(), ..Answer::default() }
    }

    #[test]
    fn equal_rounds_become_one_fact() {
        let mut answer = chain(7, true);
        fold(&mut answer);
        assert_eq!(answer.lines.len(), 4, "{:?}", answer.lines);
        let told: Vec<(u8, bool)> = answer.lines.iter().map(|line| (line.depth, line.fact == Fact::AndSoOn(6, false))).collect();
        assert_eq!(told, [(0, false), (1, false), (2, true), (2, false)]);
    }

    #[test]
    fn a_chain_without_an_end_says_at_least() {
        let mut answer = chain(7, false);
        answer.lines.pop();
        fold(&mut answer);
        assert_eq!(answer.lines.len(), 3, "a begun round is left out: {:?}", answer.lines);
        assert_eq!(answer.lines.last().map(|line| line.fact.clone()), Some(Fact::AndSoOn(5, true)));
    }

    #[test]
    fn two_rounds_are_told() {
        let mut answer = chain(2, true);
        fold(&mut answer);
        assert_eq!(answer.lines, chain(2, true).lines);
    }
}
