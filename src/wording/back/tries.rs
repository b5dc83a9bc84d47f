//! Texts tried: each is read again, and only one that means the script counts.
//!
//! Takes the phrases that say a script; gives a text that is read as it. The normal text is tried first; where it is read as
//! something else or not at all, the places at fault are said in another way: those that mean two things, those without what a
//! later reference needs, those that are read as parts of other phrases. Deliberately absent: which phrases there are (`phrases`).

use super::super::bare::{bare, first_other, plain};
use super::Back;
use super::phrases::Phrase;
use super::say::{Place, Speaker, Spoken, Spot, Turns};
use super::term::{self, Term};
use crate::diagnostic::{Diagnostic, FileId, Span};
use crate::syntax::ast::{Ability, Fragment, Text};
use crate::wording::{AMBIGUOUS, Reading, show_fragment};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::rc::Rc;

/// Bytes of text that are read again in each search before it is given up: the longer a text, the fewer.
const MOST_READ: usize = 2_000_000;

/// Texts of one meaning that are read again before it is given up.
const MOST_TRIES: usize = 2_000;

/// Meanings of which the texts are said in other ways.
const MOST_MENDED: usize = 8;

/// Places of one text that are said in another way than the normal one.
const MOST_TURNS: usize = 8;

/// Turns of which any two are tried at once.
const MOST_PAIRED: usize = 40;

/// Ways at one place that are tried wherever it stands.
const MOST_WAYS: usize = 4;

/// Phrases at fault that are read by themselves in other ways.
const MOST_ALONE: usize = 2;

/// Phrases that are read by themselves in each search before it is given up.
const MOST_ALONE_TRIES: usize = 10_000;

/// The codes of references to nothing, to two things and to what is not there yet.
const REFERENCES: [&str; 3] = ["E0404", "E0405", "E0443"];

/// Texts of one script.
pub(super) struct Tries<'a> {
    /// On which types of card the text is read.
    types: &'a [String],
    back: &'a Back<'a>,
    wanted: Ability,
    tried: HashSet<String>,
    /// Bytes that this search may still read.
    left: usize,
    /// Phrases that this search may still read by themselves.
    alone: usize,
    /// The first one, right or wrong.
    pub first: Option<String>,
}

/// What a text is read as, where that is not the script: how far it is from it, where it is wrong.
struct Wrong {
    /// What is worse is greater.
    rank: (u8, u64, u64),
    places: Vec<(usize, usize)>,
    /// Whether there phrases are read as others; else something else is referred to.
    misread: bool,
    /// The class that is referred to and not given.
    class: Option<String>,
}

impl<'a> Tries<'a> {
    /// None yet.
    pub fn new(back: &'a Back<'a>, wanted: Ability, types: &'a [String]) -> Self {
        Tries { back, wanted, types, tried: HashSet::new(), left: MOST_READ, alone: MOST_ALONE_TRIES, first: None }
    }

    /// The first text that is read as the script: the normal text of each meaning (they differ in what their references are), then
    /// with places said in another way.
    pub fn of(&mut self, phrases: &[Rc<Phrase>], speaker: &mut Speaker<'_>) -> Option<String> {
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
        // Of many meanings those that are read most nearly as the script.
        if wrong.len() > MOST_MENDED {
            wrong.sort_by_key(|(_, _, wrong)| wrong.rank);
            wrong.truncate(MOST_MENDED);
        }
        wrong
            .into_iter()
            .find_map(|(phrase, spoken, wrong)| self.mended(phrase, &Turns::new(), (&spoken, &wrong), &mut MOST_TRIES.clone(), speaker))
    }

    /// The text with one place after the other said in another way, as long as each makes it better; where that leads nowhere, with the next one.
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
        // Where none alone helps, two of the likeliest at once.
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
                // Some are kept for what else there is here.
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

    /// What to turn so that a phrase at fault is read as it is meant at least by itself, which costs little to try: the smallest phrases first.
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

    /// Whether the phrase at a spot, in a text with these turns, is by itself read as it is meant; each one is looked at once.
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

    /// What is wrong with a text, if anything is.
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

/// Any two of the first turns, at two places.
fn pairs(ones: &Turns) -> Vec<Turns> {
    let first = |from: usize| ones.iter().take(MOST_PAIRED).skip(from).copied();
    let with = |at: usize, one: (Place, usize)| first(at + 1).filter(move |two| one.0 != two.0).map(move |two| vec![one, two]);
    first(0).enumerate().flat_map(|(at, one)| with(at, one)).collect()
}

/// Turns and one more, or in place of another one there.
fn with_turn(turns: &Turns, turn: (Place, usize)) -> Turns {
    turns.iter().filter(|(place, _)| *place != turn.0).copied().chain([turn]).collect()
}

impl Wrong {
    fn error(error: &Diagnostic, reading: &Reading, length: usize) -> Wrong {
        let place = error.span.map(|span| (span.start as usize, span.end as usize));
        let class = error.args.iter().find(|(key, _)| *key == "class").map(|(_, class)| class.clone());
        let count = error.args.iter().find(|(key, _)| *key == "count").and_then(|(_, count)| count.parse().ok());
        let rank = match error.code {
            // What has fewer readings is nearer.
            AMBIGUOUS => (1, count.unwrap_or(u64::MAX), 0),
            code if REFERENCES.contains(&code) => (2, reading.diagnostics.len() as u64, 0),
            // What is read further is nearer.
            _ => (3, length.saturating_sub(place.map_or(0, |(start, _)| start)) as u64, 0),
        };
        Wrong { rank, places: place.into_iter().collect(), misread: !REFERENCES.contains(&error.code), class }
    }

    /// Phrases that are none, or mean something else, when the text is read.
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

/// How far two scripts are from each other.
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

/// Whether two meanings of one place are gone, though another place has two still.
fn moved_on((wrong, spoken): (&Wrong, &Spoken), (now, other): (&Wrong, &Spoken), turned: Place) -> bool {
    let at = |wrong: &Wrong, spoken: &Spoken| {
        let spot = spoken.spots.iter().find(|spot| spot.place == turned);
        spot.is_some_and(|spot| wrong.places.iter().any(|place| meets(spot, *place)))
    };
    wrong.rank.0 == 1 && now.rank == wrong.rank && at(wrong, spoken) && !at(now, other)
}

/// Whether a spot is a part of a place, or the other way round; where nothing is printed that could be, it is where that would stand.
fn meets(spot: &Spot, (start, end): (usize, usize)) -> bool {
    spot.start < end && start < spot.end || spot.start == spot.end && (start..=end).contains(&spot.start)
}

/// What could be said in another way, the likeliest first.
fn turnable(spoken: &Spoken, wrong: &Wrong, speaker: &Speaker<'_>) -> Vec<(Place, usize)> {
    let mut turns = Vec::new();
    if let Some(class) = &wrong.class {
        let before = |spot: &&Spot| spot.is_phrase() && wrong.places.iter().any(|(start, _)| spot.start < *start);
        for spot in spoken.spots.iter().rev().filter(before) {
            turns.extend(spot.ways.iter().filter(|way| speaker.gives(spot, **way, class)).map(|way| (spot.place, *way)));
        }
    }
    // The smallest place first: what stands there as a whole, what stands in it, the greatest part first, what it stands in.
    let mut places = wrong.places.clone();
    places.sort_by_key(|(start, end)| end - start);
    for (start, end) in places {
        let (mut around, mut within): (Vec<&Spot>, Vec<&Spot>) =
            spoken.spots.iter().filter(|spot| meets(spot, (start, end))).partition(|spot| spot.start < start || end < spot.end);
        within.sort_by_key(|spot| Reverse(spot.end - spot.start));
        around.sort_by_key(|spot| spot.end - spot.start);
        // Where something else is referred to, by other words at once.
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
