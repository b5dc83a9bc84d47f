//! Tries texts: each is read again, and only a text that means the script counts.
//!
//! Input: the phrases for a script. Output: a text that is read as the script. The normal text is tried first. If it is read as something
//! else or cannot be read, the places at fault are printed in another way: ambiguous places, places that lack something for a later
//! reference, places that are read as parts of other phrases. `phrases.rs` finds the phrases.

use super::Back;
use super::phrases::Phrase;
use super::say::{Place, Speaker, Spoken, Spot, Turns};
use super::term::{self, Term};
use crate::script::bare::{bare, first_other, plain};
use crate::{AMBIGUOUS, Reading, show_fragment};
use lang::diagnostic::{Diagnostic, FileId, Span};
use lang::syntax::ast::{Ability, Fragment, Text};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::rc::Rc;

/// The most bytes that one search reads again. The longer the texts, the fewer are tried.
const MOST_READ: usize = 500_000;

/// The most texts of one meaning that are read again.
const MOST_TRIES: usize = 2_000;

/// The most meanings whose texts are changed.
const MOST_MENDED: usize = 8;

/// The most places of one text that are printed in another way.
const MOST_TURNS: usize = 8;

/// Among this many first changes, pairs are tried too.
const MOST_PAIRED: usize = 40;

/// The most ways at one place that are tried without a reason at that place.
const MOST_WAYS: usize = 4;

/// The most phrases at fault that are tried alone.
const MOST_ALONE: usize = 2;

/// The most phrases that one search reads alone.
const MOST_ALONE_TRIES: usize = 2_500;

/// The codes of references to nothing, to two things, and to something that does not exist yet.
const REFERENCES: [&str; 3] = ["E0404", "E0405", "E0443"];

/// The texts tried for one script.
pub(super) struct Tries<'a> {
    /// The card types for which the text is read.
    types: &'a [String],
    back: &'a Back<'a>,
    wanted: Ability,
    tried: HashSet<String>,
    /// How many bytes this search may still read.
    left: usize,
    /// How many phrases this search may still read alone.
    alone: usize,
    /// The first text, right or wrong.
    pub first: Option<String>,
}

/// How a text is misread.
struct Wrong {
    /// The distance from the script; worse is greater.
    rank: (u8, u64, u64),
    places: Vec<(usize, usize)>,
    /// Whether phrases there are read as other phrases. Otherwise a reference is wrong.
    misread: bool,
    /// The class of a reference that finds nothing.
    class: Option<String>,
}

impl<'a> Tries<'a> {
    /// A search without any text so far.
    pub(super) fn new(back: &'a Back<'a>, wanted: Ability, types: &'a [String]) -> Self {
        Tries { back, wanted, types, tried: HashSet::new(), left: MOST_READ, alone: MOST_ALONE_TRIES, first: None }
    }

    /// The first text that is read as the script. First the normal text of each meaning is tried (meanings differ in their references),
    /// then texts with changed places.
    pub(super) fn of(&mut self, phrases: &[Rc<Phrase>], speaker: &mut Speaker<'_>) -> Option<String> {
        let mut wrong = Vec::new();
        (self.left, self.alone) = (MOST_READ, MOST_ALONE_TRIES);
        for phrase in phrases {
            let Some(spoken) = speaker.say(phrase, &Turns::new()).filter(|spoken| self.tried.insert(spoken.text.clone())) else { continue };
            self.first.get_or_insert_with(|| spoken.text.clone());
            if !self.may_read(&spoken) {
                return None;
            }
            match self.read(&spoken) {
                None => return Some(spoken.text),
                Some(found) => wrong.push((phrase, spoken, found)),
            }
        }
        // If there are many meanings, the ones with the smallest distance are kept.
        if wrong.len() > MOST_MENDED {
            wrong.sort_by_key(|(_, _, wrong)| wrong.rank);
            wrong.truncate(MOST_MENDED);
        }
        wrong
            .into_iter()
            .find_map(|(phrase, spoken, wrong)| self.mended(phrase, &Turns::new(), (&spoken, &wrong), &mut MOST_TRIES.clone(), speaker))
    }

    /// Changes one place after the other, as long as each change makes the text better. If that leads nowhere, the next place is tried.
    fn mended(
        &mut self,
        phrase: &Rc<Phrase>,
        turns: &Turns,
        (spoken, wrong): (&Spoken, &Wrong),
        left: &mut usize,
        speaker: &mut Speaker<'_>,
    ) -> Option<String> {
        if turns.len() >= MOST_TURNS {
            return None;
        }
        let alone = self.mended_alone(phrase, (turns, spoken), wrong, speaker);
        let ones: Turns = alone.into_iter().chain(turnable(spoken, wrong, speaker)).collect();
        // If no single change helps, two of the likeliest at once.
        let pairs = if turns.is_empty() { pairs(&ones) } else { Vec::new() };
        for step in ones.into_iter().map(|one| vec![one]).chain(pairs) {
            if *left == 0 {
                return None;
            }
            let turned = step.iter().fold(turns.clone(), |turned, turn| with_turn(&turned, *turn));
            let Some(other) = speaker.say(phrase, &turned).filter(|other| self.tried.insert(other.text.clone())) else { continue };
            *left -= 1;
            if !self.may_read(&other) {
                return None;
            }
            let Some(now) = self.read(&other) else { return Some(other.text) };
            if now.rank < wrong.rank || step.iter().any(|turn| moved_on((wrong, spoken), (&now, &other), turn.0)) {
                // A quarter of the tries is kept for the other changes at this level.
                let mut deeper = *left - *left / 4;
                let kept = *left - deeper;
                let found = self.mended(phrase, &turned, (&other, &now), &mut deeper, speaker);
                if found.is_some() {
                    return found;
                }
                *left = kept + deeper;
            }
        }
        None
    }

    /// Changes with which a phrase at fault is read correctly at least alone, which costs little. The smallest phrases are tried first.
    fn mended_alone(&mut self, phrase: &Rc<Phrase>, (turns, spoken): (&Turns, &Spoken), wrong: &Wrong, speaker: &mut Speaker<'_>) -> Turns {
        let mut found = Turns::new();
        let holds = |spot: &&Spot| spot.is_phrase() && wrong.places.iter().any(|(start, end)| spot.start <= *start && *end <= spot.end);
        let mut faulty: Vec<&Spot> = spoken.spots.iter().filter(holds).collect();
        faulty.sort_by_key(|spot| spot.end - spot.start);
        let mut looked_at = 0;
        for spot in faulty {
            if looked_at == MOST_ALONE {
                break;
            }
            let mut seen: HashSet<String> = HashSet::new();
            if self.holds_alone(phrase, turns, spot, &mut seen, speaker) {
                continue;
            }
            looked_at += 1;
            let inner = spoken.spots.iter().filter(|inner| spot.start <= inner.start && inner.end <= spot.end);
            let turns_of = |inner: &Spot| inner.ways.iter().skip(1).map(|way| (inner.place, *way)).collect::<Vec<_>>();
            for turn in inner.flat_map(turns_of) {
                if self.holds_alone(phrase, &with_turn(turns, turn), spot, &mut seen, speaker) {
                    found.push(turn);
                }
            }
        }
        found
    }

    /// Whether a phrase is read correctly alone, in a text with these changes. Each text is read once.
    fn holds_alone(
        &mut self,
        phrase: &Rc<Phrase>,
        turns: &Turns,
        spot: &Spot,
        seen: &mut HashSet<String>,
        speaker: &mut Speaker<'_>,
    ) -> bool {
        let wording = self.back.wording;
        if self.alone == 0 {
            return false;
        }
        let Some(other) = speaker.say(phrase, turns) else { return false };
        let now = other.spots.iter().find(|now| now.place == spot.place);
        let Some((now, said)) = now.and_then(|now| Some((now, other.text.get(now.start..now.end)?))) else { return false };
        if !seen.insert(said.to_owned()) {
            return false;
        }
        self.alone -= 1;
        let meant = now.category(&wording.grammar).map_or_else(Vec::new, |category| wording.alone(category, said));
        matches!(meant.as_slice(), [meant] if show_fragment(meant) == show_fragment(&plain(now.meaning())))
    }

    fn may_read(&mut self, spoken: &Spoken) -> bool {
        let left = self.left.checked_sub(spoken.text.len());
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// What is wrong with a text; none if it is right.
    fn read(&self, spoken: &Spoken) -> Option<Wrong> {
        let text = &spoken.text;
        let span = Span { file: FileId::default(), start: 0, end: text.len() as u32 };
        let reading = self.back.wording.read_on(&Text { text: text.clone(), span }, self.types.to_vec());
        if let Some(error) = reading.diagnostics.first() {
            return Some(Wrong::error(error, &reading, text.len()));
        }
        match reading.abilities.as_slice() {
            [ability] if bare(ability.clone()) == self.wanted => None,
            [ability] => {
                let read = term::ability(&bare(ability.clone()));
                let mut wrong = Wrong::script(&reading, spoken, distance(&read, &term::ability(&self.wanted)));
                if wrong.places.is_empty() {
                    let places = first_other(ability, &self.wanted);
                    wrong.places = places.iter().map(|span| (span.start as usize, span.end as usize)).collect();
                }
                Some(wrong)
            }
            _ => Some(Wrong::script(&reading, spoken, 0)),
        }
    }
}

/// All pairs of the first changes at two different places.
fn pairs(ones: &Turns) -> Vec<Turns> {
    let first = |from: usize| ones.iter().take(MOST_PAIRED).skip(from).copied();
    let with = |at: usize, one: (Place, usize)| first(at + 1).filter(move |two| one.0 != two.0).map(move |two| vec![one, two]);
    first(0).enumerate().flat_map(|(at, one)| with(at, one)).collect()
}

/// Changes with one more. It replaces a change at the same place.
fn with_turn(turns: &Turns, turn: (Place, usize)) -> Turns {
    turns.iter().filter(|(place, _)| *place != turn.0).copied().chain([turn]).collect()
}

impl Wrong {
    fn error(error: &Diagnostic, reading: &Reading, length: usize) -> Wrong {
        let place = error.span.map(|span| (span.start as usize, span.end as usize));
        let class = error.args.iter().find(|(key, _)| *key == "class").map(|(_, class)| class.clone());
        let count = error.args.iter().find(|(key, _)| *key == "count").and_then(|(_, count)| count.parse().ok());
        let rank = match error.code {
            // Fewer readings are nearer.
            AMBIGUOUS => (1, count.unwrap_or(u64::MAX), 0),
            code if REFERENCES.contains(&code) => (2, reading.diagnostics.len() as u64, 0),
            // Reading further is nearer.
            _ => (3, length.saturating_sub(place.map_or(0, |(start, _)| start)) as u64, 0),
        };
        Wrong { rank, places: place.into_iter().collect(), misread: !REFERENCES.contains(&error.code), class }
    }

    /// Finds the phrases that are not phrases of the reading, or have another meaning there.
    fn script(reading: &Reading, spoken: &Spoken, distance: u64) -> Wrong {
        let shown = |script: &Fragment| show_fragment(&plain(script));
        let read: FxHashSet<(usize, usize, String)> =
            reading.phrases.iter().map(|phrase| (phrase.span.start as usize, phrase.span.end as usize, shown(&phrase.script))).collect();
        let other = |spot: &&Spot| spot.is_phrase() && !read.contains(&(spot.start, spot.end, shown(spot.meaning())));
        let places: Vec<_> = spoken.spots.iter().filter(other).map(|spot| (spot.start, spot.end)).collect();
        let misread = !places.is_empty();
        Wrong { rank: (0, places.len() as u64, distance), places, misread, class: None }
    }
}

/// The distance between two scripts.
fn distance(one: &Term, other: &Term) -> u64 {
    match (one, other) {
        _ if one == other => 0,
        (Term::Node(tag, parts), Term::Node(same, others)) | (Term::Row(tag, parts), Term::Row(same, others)) if tag == same => {
            let common: u64 = parts.iter().zip(others.iter()).map(|(one, other)| distance(one, other)).sum();
            let more: usize = parts.iter().skip(others.len()).chain(others.iter().skip(parts.len())).map(size).sum();
            common.saturating_add(more as u64)
        }
        _ => (size(one).max(size(other))) as u64,
    }
}

fn size(term: &Term) -> usize {
    1 + term.parts().iter().map(size).sum::<usize>()
}

/// Whether the changed place is no longer ambiguous, although another place still is.
fn moved_on((wrong, spoken): (&Wrong, &Spoken), (now, other): (&Wrong, &Spoken), turned: Place) -> bool {
    let at = |wrong: &Wrong, spoken: &Spoken| {
        let spot = spoken.spots.iter().find(|spot| spot.place == turned);
        spot.is_some_and(|spot| wrong.places.iter().any(|place| meets(spot, *place)))
    };
    wrong.rank.0 == 1 && now.rank == wrong.rank && at(wrong, spoken) && !at(now, other)
}

/// Whether a spot overlaps a place. A spot without signs counts if it stands inside or at an end of the place.
fn meets(spot: &Spot, (start, end): (usize, usize)) -> bool {
    spot.start < end && start < spot.end || spot.start == spot.end && (start..=end).contains(&spot.start)
}

/// The possible changes, the likeliest first.
fn turnable(spoken: &Spoken, wrong: &Wrong, speaker: &Speaker<'_>) -> Vec<(Place, usize)> {
    let mut turns = Vec::new();
    if let Some(class) = &wrong.class {
        let before = |spot: &&Spot| spot.is_phrase() && wrong.places.iter().any(|(start, _)| spot.start < *start);
        for spot in spoken.spots.iter().rev().filter(before) {
            turns.extend(spot.ways.iter().filter(|way| speaker.gives(spot, **way, class)).map(|way| (spot.place, *way)));
        }
    }
    // Smaller places first. For each place: the whole phrase and its parts, larger parts first, then the phrases around it.
    let mut places = wrong.places.clone();
    places.sort_by_key(|(start, end)| end - start);
    for (start, end) in places {
        let (mut around, mut within): (Vec<&Spot>, Vec<&Spot>) =
            spoken.spots.iter().filter(|spot| meets(spot, (start, end))).partition(|spot| spot.start < start || end < spot.end);
        within.sort_by_key(|spot| Reverse(spot.end - spot.start));
        around.sort_by_key(|spot| spot.end - spot.start);
        // If a reference is wrong, other words for the reference are tried first.
        let others = |spot: &Spot| if wrong.misread { spot.ways.len() } else { spot.own };
        turns.extend(within.iter().chain(&around).flat_map(|spot| spot.ways.iter().skip(others(spot)).map(|way| (spot.place, *way))));
        turns.extend(within.iter().chain(&around).flat_map(|spot| spot.ways.iter().take(spot.own).skip(1).map(|way| (spot.place, *way))));
    }
    for way in 1..=MOST_WAYS {
        turns.extend(spoken.spots.iter().filter_map(|spot| Some((spot.place, *spot.ways.get(way)?))));
    }
    turns.extend(spoken.spots.iter().flat_map(|spot| spot.ways.iter().skip(spot.own).map(|way| (spot.place, *way))));
    turns
}
