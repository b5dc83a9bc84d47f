//! Texts tried: each is read again, and only one that means the script counts.
//!
//! Takes the phrases that say a script; gives a text that is read as it. The normal text is tried first; where it is read as
//! something else or not at all, the places at fault are said in another way: those that mean two things, those without what a
//! later reference needs, those that are read as parts of other phrases. Deliberately absent: which phrases there are (`phrases`).

use super::super::bind::{bare, plain};
use super::Back;
use super::phrases::Phrase;
use super::say::{Place, Speaker, Spoken, Spot, Turns};
use crate::diagnostic::{Diagnostic, FileId, Span};
use crate::syntax::ast::{Ability, Fragment, Text};
use crate::wording::{AMBIGUOUS, Reading, show_fragment};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::rc::Rc;

/// Bytes of text that are read again in all before it is given up: the longer a text, the fewer.
const MOST_READ: usize = 400_000;

/// Texts of one meaning that are read again before it is given up.
const MOST_TRIES: usize = 200;

/// Meanings of which the texts are said in other ways.
const MOST_MENDED: usize = 8;

/// Places of one text that are said in another way than the normal one.
const MOST_TURNS: usize = 8;

/// Ways at one place that are tried wherever it stands.
const MOST_WAYS: usize = 4;

/// The codes of references to nothing and to two things.
const REFERENCES: [&str; 2] = ["E0404", "E0405"];

/// Texts of one script.
pub(super) struct Tries<'a> {
    back: &'a Back<'a>,
    wanted: Ability,
    tried: HashSet<String>,
    /// Bytes that may still be read.
    left: usize,
    /// The first one, right or wrong.
    pub first: Option<String>,
}

/// What a text is read as, where that is not the script: how far it is from it, where it is wrong.
struct Wrong {
    /// What is worse is greater.
    rank: (u8, u64),
    places: Vec<(usize, usize)>,
    /// The class that is referred to and not given.
    class: Option<String>,
}

impl<'a> Tries<'a> {
    /// None yet.
    pub fn new(back: &'a Back<'a>, wanted: Ability) -> Self {
        Tries { back, wanted, tried: HashSet::new(), left: MOST_READ, first: None }
    }

    /// The first text that is read as the script: the normal text of each meaning (they differ in what their references are), then
    /// with places said in another way.
    pub fn of(&mut self, phrases: &[Rc<Phrase>], speaker: &mut Speaker<'_>) -> Option<String> {
        let mut wrong = Vec::new();
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
        wrong.into_iter().find_map(|(phrase, spoken, wrong)| self.mended(phrase, spoken, wrong, speaker))
    }

    /// The text with one place after the other said in another way, as long as each makes it better.
    fn mended(&mut self, phrase: &Rc<Phrase>, mut spoken: Spoken, mut wrong: Wrong, speaker: &mut Speaker<'_>) -> Option<String> {
        let (mut turns, mut left) = (Turns::new(), MOST_TRIES);
        while turns.len() < MOST_TURNS {
            let mut better = None;
            for turn in turnable(&spoken, &wrong, speaker) {
                if left == 0 {
                    return None;
                }
                let mut turned: Turns = turns.iter().filter(|(place, _)| *place != turn.0).copied().collect();
                turned.push(turn);
                let Some(other) = speaker.say(phrase, &turned).filter(|other| self.tried.insert(other.text.clone())) else { continue };
                left -= 1;
                if !self.may_read(&other) {
                    return None;
                }
                match self.read(&other) {
                    None => return Some(other.text),
                    Some(now) if now.rank < wrong.rank || moved_on((&wrong, &spoken), (&now, &other), turn.0) => {
                        better = Some((turned, other, now));
                        break;
                    }
                    Some(_) => {}
                }
            }
            (turns, spoken, wrong) = better?;
        }
        None
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
        let reading = self.back.wording.read(&Text { text: text.clone(), span });
        if let Some(error) = reading.diagnostics.first() {
            return Some(Wrong::error(error, &reading, text.len()));
        }
        match reading.abilities.as_slice() {
            [ability] if bare(ability.clone()) == self.wanted => None,
            _ => Some(Wrong::script(&reading, spoken)),
        }
    }
}

impl Wrong {
    fn error(error: &Diagnostic, reading: &Reading, length: usize) -> Wrong {
        let place = error.span.map(|span| (span.start as usize, span.end as usize));
        let class = error.args.iter().find(|(key, _)| *key == "class").map(|(_, class)| class.clone());
        let count = error.args.iter().find(|(key, _)| *key == "count").and_then(|(_, count)| count.parse().ok());
        let rank = match error.code {
            // What has fewer readings is nearer.
            AMBIGUOUS => (1, count.unwrap_or(u64::MAX)),
            code if REFERENCES.contains(&code) => (2, reading.diagnostics.len() as u64),
            // What is read further is nearer.
            _ => (3, length.saturating_sub(place.map_or(0, |(start, _)| start)) as u64),
        };
        Wrong { rank, places: place.into_iter().collect(), class }
    }

    /// Phrases that are none, or mean something else, when the text is read.
    fn script(reading: &Reading, spoken: &Spoken) -> Wrong {
        let shown = |script: &Fragment| show_fragment(&plain(script));
        let read: FxHashSet<(usize, usize, String)> =
            reading.phrases.iter().map(|phrase| (phrase.span.start as usize, phrase.span.end as usize, shown(&phrase.script))).collect();
        let other = |spot: &&Spot| spot.is_phrase() && !read.contains(&(spot.start, spot.end, shown(spot.meaning())));
        let places: Vec<_> = spoken.spots.iter().filter(other).map(|spot| (spot.start, spot.end)).collect();
        Wrong { rank: (0, places.len() as u64), places, class: None }
    }
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
        turns.extend(within.iter().chain(&around).flat_map(|spot| spot.ways.iter().skip(1).map(|way| (spot.place, *way))));
    }
    for way in 1..=MOST_WAYS {
        turns.extend(spoken.spots.iter().filter_map(|spot| Some((spot.place, *spot.ways.get(way)?))));
    }
    turns
}
