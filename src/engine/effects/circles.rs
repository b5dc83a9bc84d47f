//! Effects that depend on one another in a circle, in games without layers: they take one another's abilities away, change who controls
//! cards, or use one another's results as their amounts. The oldest effect goes first (docs/kernel/effects.md, "Circles of clauses").
//!
//! While a question about an effect is asked, the effects that it leads to are asked further questions. A circle is found where a question
//! is asked that is being asked already. [`noting`] gathers the circles, for onlookers and explanations.

use crate::effects::lost_abilities::{Asked, asked_about};
use crate::eval::Eval;
use crate::ids::NodeId;
use crate::program::{ClauseKind, Program};
use crate::state::{Circle, Effect, State};
use crate::value::Value;
use std::cell::RefCell;
use std::sync::Arc;

/// The question about an effect as a whole.
pub(crate) const WHOLE: u32 = 0;
/// The question who controls the card of an effect.
pub(crate) const CONTROLLER: u32 = 1;
/// The question whether the condition of an effect is true.
const CONDITION: u32 = 2;
/// The first of the questions whether an effect applies to an ability. A game has fewer than 32,768 objects.
const OF_ABILITY: u32 = 3;
/// The bit of the questions whether an effect applies to a card.
const OF_CARD: u32 = 1 << 31;

thread_local! {
    /// The circles that were found since somebody began to note them.
    static NOTED: RefCell<Option<Vec<Circle>>> = const { RefCell::new(None) };
}

/// Notes a circle, if somebody wants to know. `first`: the effects that go first.
fn note(first: &[u32], members: impl Iterator<Item = u32>) {
    NOTED.with_borrow_mut(|noted| {
        if let Some(noted) = noted {
            Circle { first: first.to_vec(), others: members.collect() }.join(noted);
        }
    });
}

/// Whether somebody wants to know of circles.
pub(crate) fn is_noting() -> bool {
    NOTED.with_borrow(Option::is_some)
}

/// Gathers the circles that are found while something is read.
fn noting(read: impl FnOnce()) -> Vec<Circle> {
    let before = NOTED.replace(Some(Vec::new()));
    read();
    let mut found = NOTED.replace(before).unwrap_or_default();
    found.sort_unstable_by(|a, b| a.first.cmp(&b.first));
    found
}

impl<'a> Eval<'a> {
    /// Notes that the amount of an effect is being read. `false` if the amount may not be read here (see [`Eval::enter`]).
    pub(crate) fn enter_amount(&mut self, effect: u32) -> bool {
        let place = self.readings;
        if !self.enter(effect) {
            self.note_circle(effect, WHOLE);
            return false;
        }
        self.amounts |= 1 << place;
        self.state.effects.left_out.begin(place);
        true
    }

    /// Whether the effect that has just been read counts as not there. It does if it leads back to an older effect that is being read.
    pub(crate) fn is_left_out(&self) -> bool {
        self.state.effects.left_out.is(self.readings)
    }

    /// Asks a question about an effect inside of `inner`. None if the same question is being asked further out, if it stands too deep, or if
    /// the effect leads back to an older effect that is being read.
    pub(crate) fn asking<T>(
        &self,
        inner: &mut Eval<'a>,
        effect: u32,
        question: u32,
        read: &mut dyn FnMut(&mut Eval<'a>) -> T,
    ) -> Option<T> {
        if !inner.enter_for(effect, question) {
            self.note_circle(effect, question);
            return None;
        }
        self.state.effects.left_out.begin(self.readings);
        let found = self.read_deeply(inner, read);
        (!self.is_left_out()).then_some(found)
    }

    /// Which question is asked about an effect if it is asked whether the effect applies to something. In a game without layers, effects
    /// that take abilities away or give control are asked about each member apart. So they stand in a circle only if the answer about one
    /// member depends on the same answer.
    pub(crate) fn question(&self, effect: &Effect, member: Value) -> u32 {
        if !self.program.layers.is_empty() || !self.takes(effect.number) {
            return WHOLE;
        }
        match member {
            Value::Object { id, .. } => OF_CARD | u32::from(id.0),
            Value::Ability { of, ability, .. } => OF_ABILITY + (u32::from(of.0) << 16) + u32::from(ability.0),
            _ => WHOLE,
        }
    }

    /// The effect that is being read applies to a member, if its condition is true. The condition is read as if the clause were not in
    /// force, for any member. `false` if the condition is already being read.
    pub(crate) fn begins_to_ask(&mut self, condition: NodeId) -> bool {
        let at = self.readings.saturating_sub(1);
        let (Some(effect), Some(question)) = (self.reading.get(at).copied(), self.question_of_reading.get(at).copied()) else {
            return true;
        };
        if condition == NodeId::NONE || question == WHOLE {
            return true;
        }
        if self.asked_at(effect, CONDITION).is_some() {
            self.note_met_again(self.asked_at(effect, CONDITION));
            self.note_circle(effect, CONDITION);
            return false;
        }
        if let Some(question) = self.question_of_reading.get_mut(at) {
            *question = CONDITION;
        }
        true
    }

    /// The place of a question among the questions that are being asked.
    pub(crate) fn asked_at(&self, effect: u32, question: u32) -> Option<usize> {
        let is_same =
            |other: u32| other == question || other == WHOLE && question != CONTROLLER || question == WHOLE && other != CONTROLLER;
        let reading = self.reading.iter().zip(&self.question_of_reading).take(self.readings);
        reading.into_iter().position(|(number, of)| *number == effect && is_same(*of))
    }

    /// Whether an effect takes abilities away or gives control.
    fn takes(&self, effect: u32) -> bool {
        let clause = self.state.effects.get(effect).and_then(|effect| self.program.clauses.get(effect.clause));
        clause.is_some_and(|clause| clause.kind.silences() || matches!(clause.kind, ClauseKind::Control { .. }))
    }

    /// An effect that is being read has been reached again. The oldest effect of the circle reads what was there without the effect that
    /// leads back to it, so the effect that the oldest one reads next is left out. This holds for circles of amounts, and for circles in
    /// which abilities are taken away or control is given. In other circles each condition is read as if its own clause were not in force.
    pub(crate) fn note_circle(&self, effect: u32, question: u32) {
        if !self.program.layers.is_empty() {
            return;
        }
        let Some(first) = self.asked_at(effect, question) else { return };
        let circle = first..self.readings;
        let taken = |place: usize| {
            self.question_of_reading.get(place) == Some(&CONTROLLER) || self.reading.get(place).is_some_and(|number| self.takes(*number))
        };
        let takes = circle.clone().any(taken);
        if !takes && circle.clone().any(|place| self.amounts & 1 << place == 0) {
            return;
        }
        let number = |place: usize| self.reading.get(place).copied().unwrap_or_default();
        let age = |place: &usize| self.state.effects.in_force.iter().position(|effect| effect.number == number(*place));
        let Some(oldest) = circle.clone().min_by_key(age) else { return };
        if takes {
            note(&[number(oldest)], circle.map(number));
        }
        if oldest + 1 < self.readings {
            self.state.effects.left_out.note(oldest + 1);
            self.note_met_again(None);
        }
    }

    /// Whether an effect, if it counts itself, disables or strips an ability. `by`: the effect that grants the ability; `None`: it is
    /// printed.
    pub(crate) fn would_silence(&mut self, effect: &'a Effect, (ability, by): (Value, Option<u32>), only_strips: bool) -> bool {
        let (program, state) = (self.program, self.state);
        let Some(clause) = program.clauses.get(effect.clause) else { return false };
        match &clause.kind {
            ClauseKind::Disable(_) | ClauseKind::Strip { .. } if !state.effects.asked.silencing.ask() => {
                state.effects.asked.name(effect.number);
                false
            }
            ClauseKind::Disable(what) => {
                let applies = !only_strips && self.applies(effect, clause.condition, *what, ability);
                applies && !self.is_shielded_from_silence(self.card_bearing(ability), effect)
            }
            // An ability that is granted later than the strip is not stripped.
            ClauseKind::Strip { from, what }
                if by.is_none_or(|by| state.effects.is_before(by, effect.number)) && self.is_stripped(what, ability) =>
            {
                let card = self.card_bearing(ability);
                self.applies(effect, clause.condition, *from, card) && !self.is_shielded_from_silence(card, effect)
            }
            _ => false,
        }
    }

    /// Whether an effect counts in a game where all effects of a circle count. It counts unless an effect from outside of its circles
    /// silences its ability and counts itself. Circles form no circle with one another, so this ends.
    pub(crate) fn counts_in_circles(&mut self, effect: &'a Effect) -> bool {
        let state = self.state;
        !state.effects.in_force.iter().any(|other| {
            if !self.would_end(other, effect) {
                return false;
            }
            if self.comes_round(effect, other, &mut Vec::new()) {
                note(&[effect.number], std::iter::once(other.number));
                return false;
            }
            self.counts_in_circles(other)
        })
    }

    /// Whether the first effect silences the ability from which the second comes.
    fn would_end(&mut self, first: &'a Effect, second: &'a Effect) -> bool {
        asked_about(second).is_some_and(|itself| self.would_silence(first, itself, false))
    }

    /// The first effect that silences an ability and counts, if effects that take abilities away may stand in circles. Of a circle that no
    /// effect from outside breaks, the oldest effect counts; of one batch all count. What that leaves is looked at in the same way.
    pub(crate) fn silencer_in_circles(&mut self, asked: Asked, only_strips: bool) -> Option<u32> {
        let state = self.state;
        let all = state.effects.in_force.iter().map(Arc::as_ref);
        let silencers: Vec<&'a Effect> = all.filter(|effect| self.silences_by(effect)).collect();
        let own: Vec<usize> = (0..silencers.len()).filter(|at| silencers.get(*at).copied().and_then(asked_about) == Some(asked)).collect();
        let mut asking: Vec<usize> = Vec::new();
        for (at, effect) in silencers.iter().enumerate() {
            if self.would_silence(effect, asked, only_strips) {
                asking.push(at);
            }
        }
        let web = self.web(&silencers, asking.iter().chain(&own).copied().collect());
        let (counts, goes_first) = web.decided(&silencers);
        let counts = |at: &usize| counts.get(*at).copied().flatten() == Some(true);
        // An effect that goes first in its circle is older than what would silence it there, or would silence itself.
        let spared = own.iter().any(|at| goes_first.contains(at));
        let since = silencers.get(own.first().copied().unwrap_or_default()).map_or(0, |effect| effect.timestamp);
        let spares = |at: &usize| spared && (own.contains(at) || silencers.get(*at).is_some_and(|effect| effect.timestamp > since));
        asking.iter().find(|at| counts(at) && !spares(at)).and_then(|at| silencers.get(*at)).map(|effect| effect.number)
    }

    fn silences_by(&self, effect: &Effect) -> bool {
        self.program.clauses.get(effect.clause).is_some_and(|clause| clause.kind.silences())
    }

    /// For each effect that is reached from `asking`, the effects that would silence it. A clause that silences its own ability is in a
    /// circle with itself. It does not silence the other clauses of this ability.
    fn web(&mut self, silencers: &[&'a Effect], mut asking: Vec<usize>) -> Web {
        let mut by: Vec<Option<Vec<usize>>> = vec![None; silencers.len()];
        while let Some(at) = asking.pop() {
            let (Some(effect), Some(None)) = (silencers.get(at).copied(), by.get(at)) else { continue };
            let mut found = Vec::new();
            for (other, first) in silencers.iter().enumerate() {
                let is_sibling = other != at && asked_about(first) == asked_about(effect);
                if !is_sibling && self.would_end(first, effect) {
                    found.push(other);
                }
            }
            asking.extend(&found);
            if let Some(slot) = by.get_mut(at) {
                *slot = Some(found);
            }
        }
        Web { by }
    }

    /// Whether the first effect silences the second, directly or through a chain of effects of which each silences the next.
    fn comes_round(&mut self, first: &'a Effect, second: &'a Effect, seen: &mut Vec<u32>) -> bool {
        let state = self.state;
        seen.push(first.number);
        self.would_end(first, second)
            || state
                .effects
                .in_force
                .iter()
                .any(|next| !seen.contains(&next.number) && self.would_end(first, next) && self.comes_round(next, second, seen))
    }
}

impl State {
    /// The circles of effects in this position. In a game with layers they are known; in other games they are found while something is
    /// read (`read`).
    pub(crate) fn circles(&self, program: &Program, read: impl FnOnce()) -> Vec<Circle> {
        let effects = &self.effects;
        if !program.layers.is_empty() {
            read();
            return effects.circles.all().filter(|circle| circle.members().all(|number| effects.get(number).is_some())).cloned().collect();
        }
        let circles = noting(read);
        let all_count = |Circle { mut first, mut others }: Circle| {
            first.append(&mut others);
            Circle { first, others }
        };
        if program.policies.circles_count { circles.into_iter().map(all_count).collect() } else { circles }
    }
}

/// Which effects silence which, among the effects that take abilities away.
struct Web {
    /// For each effect: the effects that would silence it. None: not asked.
    by: Vec<Option<Vec<usize>>>,
}

impl Web {
    /// For each effect that was asked about: whether it counts. Also the effects that go first in a circle.
    fn decided(&self, effects: &[&Effect]) -> (Vec<Option<bool>>, Vec<usize>) {
        let mut counts: Vec<Option<bool>> = vec![None; self.by.len()];
        let mut goes_first = Vec::new();
        loop {
            let known = |at: &usize| counts.get(*at).copied().flatten();
            let open = self.by.iter().enumerate().filter(|(at, by)| by.is_some() && known(at).is_none());
            let answer = |(at, by): (usize, &Option<Vec<usize>>)| {
                let by = by.as_deref().unwrap_or_default();
                let silenced = by.iter().any(|other| known(other) == Some(true));
                let free = by.iter().all(|other| known(other) == Some(false));
                (silenced || free).then_some((at, free))
            };
            let found: Vec<(usize, bool)> = match open.clone().find_map(answer) {
                Some(answer) => vec![answer],
                None => {
                    // Every effect waits for another one. The effects that lead to the fewest others are a circle.
                    let reached = open.map(|(at, _)| self.reached(at, &counts));
                    let Some(circle) = reached.min_by_key(Vec::len) else { return (counts, goes_first) };
                    let age = |at: &usize| effects.get(*at).map(|effect| effect.timestamp);
                    let oldest = circle.iter().map(age).min().flatten();
                    let first: Vec<usize> = circle.iter().copied().filter(|at| age(at) == oldest).collect();
                    let number = |at: &usize| effects.get(*at).map(|effect| effect.number);
                    note(&first.iter().filter_map(number).collect::<Vec<u32>>(), circle.iter().filter_map(number));
                    goes_first.extend(&first);
                    first.into_iter().map(|at| (at, true)).collect()
                }
            };
            for (at, is) in found {
                if let Some(slot) = counts.get_mut(at) {
                    *slot = Some(is);
                }
            }
        }
    }

    /// The open effects on which an effect depends, itself included.
    fn reached(&self, from: usize, counts: &[Option<bool>]) -> Vec<usize> {
        let mut all = vec![from];
        let mut at = 0;
        while let Some(next) = all.get(at).copied() {
            let by = self.by.get(next).and_then(Option::as_deref).unwrap_or_default();
            let further = by.iter().copied().filter(|other| counts.get(*other).copied().flatten().is_none());
            for other in further {
                if !all.contains(&other) {
                    all.push(other);
                }
            }
            at += 1;
        }
        all
    }
}
