//! Why a way to act is not offered, in one short reason for the player who is asked.
//!
//! A reason is often found in a trial run of the action. Values of the trial are not facts for the player. So a reason is told with values
//! of the present position, or without a value. States that only serve the rules are not told, nor are statements of the rules.

use super::Reasons;
use engine::eval::Eval;
use engine::ids::{ChoiceId, Id, MatchId, StateId, VerbId};
use engine::program::{Builtin, Compare, NameDef, Op};
use engine::value::{Place, Player, Value};
use engine::why::{Answer, Fact, Influence, Line};
use lang::diagnostic::Language;
use tell::question_of;

/// What stands in the way of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// This reason.
    Told(String),
    /// There is nothing to do the action to.
    NothingThere,
    /// A reason that players have no words for, with the first rule that it carries out.
    Untold(String),
}

impl Reasons<'_> {
    /// The first reason that players have words for.
    #[must_use]
    pub fn obstacle(&self, answer: &Answer) -> Obstacle {
        let first_rule = |line: &Line| self.rules(line).first().map_or_else(String::new, |rule| format!(" [{rule}]"));
        let told = answer.lines.iter().enumerate().find_map(|(at, line)| Some((at, self.plainly((at, &line.fact), answer)?)));
        match told {
            // A part of a condition has the rules of the condition.
            Some((at, reason)) => {
                let mut rules = answer.lines.iter().take(at + 1).rev().map(first_rule);
                Obstacle::Told(reason + &rules.find(|rule| !rule.is_empty()).unwrap_or_default())
            }
            None if answer.lines.iter().any(|line| matches!(line.fact, Fact::Lacking(..))) => Obstacle::NothingThere,
            None => Obstacle::Untold(answer.lines.iter().map(first_rule).find(|rule| !rule.is_empty()).unwrap_or_default()),
        }
    }

    fn plainly(&self, (at, fact): (usize, &Fact), answer: &Answer) -> Option<String> {
        let words = self.names.words;
        let forbidden = |by: &Influence| words.say("now.forbidden", &[("card", self.value(&[], by.source))]);
        Some(match fact {
            Fact::Short(of, state, _, wanted) => self.short(*of, *state, *wanted)?,
            Fact::Few(part, _, wanted) => words.say("now.few", &[("part", self.names.part(*part)), ("wanted", wanted.to_string())]),
            Fact::NoPart(part) => words.say("now.cannot", &[("what", self.names.part(*part))]),
            Fact::TooFew(wanted, _, Some(place), _) => {
                let args = [("from", self.names.place(*place)), ("wanted", wanted.to_string())];
                words.say("now.too_few_in", &args)
            }
            Fact::TooFew(_, 0, None, Some(choice)) => words.say("now.none_for", &[("choice", self.choice_if_labelled(*choice)?)]),
            Fact::TooFew(wanted, _, None, Some(choice)) => {
                let args = [("choice", self.choice_if_labelled(*choice)?), ("wanted", wanted.to_string())];
                words.say("now.too_few_for", &args)
            }
            Fact::Unmatched(of, ..) => words.say("now.too_little_for", &[("choice", self.paid_by(*of)?)]),
            Fact::Part(verb, [Value::Undefined | Value::List { len: 0, .. }, Value::Zone(to), _, _, Value::Zone(from), _], _)
                if *verb == Builtin::Move.verb() =>
            {
                words.say("now.no_card", &[("to", self.names.place(*to)), ("from", self.names.place(*from))])
            }
            Fact::Part(verb, args, _) if self.has_words(*verb) => {
                words.say("now.cannot", &[("what", self.call(*verb, args, &answer.lists))])
            }
            Fact::Cannot(verb, args) if self.has_words(*verb) => {
                words.say("now.cannot", &[("what", self.call(*verb, args, &answer.lists))])
            }
            Fact::State(of, state, value) => self.state_now(*of, *state, *value)?,
            Fact::Counted(place, n) if self.count(*place) == *n => {
                let depth = answer.lines.get(at).map(|line| line.depth);
                let before = at.checked_sub(1).and_then(|at| answer.lines.get(at)).filter(|line| Some(line.depth) == depth);
                self.wrong_count(*place, *n, before.map(|line| &line.fact))
            }
            Fact::Fails(value @ Value::Object { .. }, _) => words.say("because.fails.here", &[("value", self.value(&[], *value))]),
            Fact::Forbidden(by) | Fact::ForbiddenToEffects(by, _) | Fact::ForbiddenToEffectsOf(by, _) => forbidden(by),
            Fact::Disabled(ability, by) | Fact::Lost(ability, by) => {
                let args = [("ability", self.value(&[], *ability)), ("card", self.value(&[], by.source))];
                words.say("now.disabled", &args)
            }
            Fact::Full(place, n) if self.count(*place) == *n => self.text_of(fact, &answer.lists),
            Fact::Already(..)
            | Fact::Inactive(..)
            | Fact::FaceDown(_)
            | Fact::UsedUp(..)
            | Fact::Repeated
            | Fact::Tried
            | Fact::NoneWaits(_)
            | Fact::NoneInAny(_)
            | Fact::Hidden => self.text_of(fact, &answer.lists),
            _ => return None,
        })
    }

    /// A place with too few or too many cards: with the bound, if the fact `before` is the comparison that counts them.
    fn wrong_count(&self, place: Place, n: usize, before: Option<&Fact>) -> String {
        let (words, here) = (self.names.words, self.names.place(place));
        let (there, number) = (n.to_string(), i64::try_from(n).unwrap_or(i64::MAX));
        match before.and_then(|fact| bounds(fact, number)) {
            Some((least, _)) if number < least => {
                words.say("now.too_few_in.now", &[("from", here), ("wanted", least.to_string()), ("there", there)])
            }
            Some((_, most)) if number > most => {
                words.say("now.too_many_in", &[("from", here), ("most", most.to_string()), ("there", there)])
            }
            _ if n == 0 => words.say("now.none_in", &[("from", here)]),
            _ => words.say("because.counted", &[("place", here), ("n", there)]),
        }
    }

    /// A player's pool that holds too little. What it holds now is told only if that is too little as well: in the trial run the player may
    /// have gained or spent some.
    fn short(&self, of: Value, state: StateId, wanted: i32) -> Option<String> {
        let program = self.names.program;
        let def = program.states.get(state).filter(|_| !program.is_bookkeeping(state))?;
        let pool = ("pool", self.names.label(&def.name).to_owned());
        let whose = ("of", self.value(&[], of));
        match self.now(of, state).number().filter(|there| *there < wanted) {
            Some(there) => {
                let args = [whose, pool, ("wanted", wanted.to_string()), ("there", there.to_string())];
                Some(self.names.words.say("now.short", &args))
            }
            None => Some(self.names.words.say("now.short.plain", &[whose, pool])),
        }
    }

    /// A state that players know, if it has this value in the present position.
    fn state_now(&self, of: Value, state: StateId, value: Value) -> Option<String> {
        let program = self.names.program;
        let def = program.states.get(state).filter(|def| self.is_word(&def.name) && !program.is_bookkeeping(state))?;
        let of = if def.of_game { Value::Player(Player(0)) } else { of };
        if self.now(of, state) != value || value == Value::Undefined {
            return None;
        }
        let label = ("state", self.names.label(&def.name).to_owned());
        let whose = ("of", self.value(&[], of));
        Some(match (value, def.of_game) {
            (Value::Bool(yes), true) => self.names.words.say(if yes { "now.is.game" } else { "now.is_not.game" }, &[label]),
            (Value::Bool(yes), false) => self.names.words.say(if yes { "now.is" } else { "now.is_not" }, &[label, whose]),
            (value, true) => self.names.words.say("because.state_of_game", &[label, ("value", self.value(&[], value))]),
            (value, false) => self.names.words.say("because.state", &[label, whose, ("value", self.value(&[], value))]),
        })
    }

    /// Whether a reader of this language has a word for a declared thing. In English the names are words.
    fn is_word(&self, def: &NameDef) -> bool {
        self.names.words.language() == Language::English || def.is_labelled()
    }

    fn has_words(&self, verb: VerbId) -> bool {
        verb.index() < Builtin::ALL.len() || self.names.program.verbs.get(verb).is_some_and(|verb| self.is_word(&verb.name))
    }

    fn now(&self, of: Value, state: StateId) -> Value {
        Eval::new(self.names.program, self.state, &[], &[], Player(0), Value::Undefined).state_of(of, state)
    }

    fn count(&self, place: Place) -> usize {
        self.state.board.cards(place).len()
    }

    fn choice_if_labelled(&self, choice: ChoiceId) -> Option<String> {
        let def = self.names.program.choices.get(choice)?;
        let own = self.names.words.find(&format!("choice.{}", def.name.name)).is_some();
        (own || self.is_word(&def.name)).then(|| question_of(&def.name, self.names.words))
    }

    /// The name of the decision that asks for a match.
    fn paid_by(&self, of: MatchId) -> Option<String> {
        let asks = |op: &Op| matches!(op, Op::Match { of: known, .. } if *known == of);
        let choice = self.names.program.code.rows().iter().find(|op| asks(op)).and_then(|op| match op {
            Op::Match { choice, .. } => Some(*choice),
            _ => None,
        })?;
        self.choice_if_labelled(choice)
    }
}

/// The least and the greatest number that a false comparison of this number allows.
fn bounds(fact: &Fact, n: i64) -> Option<(i64, i64)> {
    let Fact::Compares(op, left, right) = fact else { return None };
    let (left, right) = (i64::from(left.number()?), i64::from(right.number()?));
    let is_left = left == n;
    let bound = if is_left { right } else { left };
    // If both sides are equal, the number is taken for the left one: `count(S) < 3`.
    if !is_left && right != n {
        return None;
    }
    Some(match (op, is_left) {
        (Compare::Equal, _) => (bound, bound),
        (Compare::NotEqual, _) => return None,
        (Compare::Less, true) | (Compare::Greater, false) => (i64::MIN, bound - 1),
        (Compare::LessEqual, true) | (Compare::GreaterEqual, false) => (i64::MIN, bound),
        (Compare::Greater, true) | (Compare::Less, false) => (bound + 1, i64::MAX),
        (Compare::GreaterEqual, true) | (Compare::LessEqual, false) => (bound, i64::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::{Compare, Fact, Value, bounds};

    const ALL: [Compare; 6] =
        [Compare::Equal, Compare::NotEqual, Compare::Less, Compare::LessEqual, Compare::Greater, Compare::GreaterEqual];

    fn is_true(op: Compare, left: i32, right: i32) -> bool {
        match op {
            Compare::Equal => left == right,
            Compare::NotEqual => left != right,
            Compare::Less => left < right,
            Compare::LessEqual => left <= right,
            Compare::Greater => left > right,
            Compare::GreaterEqual => left >= right,
        }
    }

    /// The bounds hold exactly those numbers with which the comparison would be true, whichever side counts.
    #[test]
    fn a_false_comparison_says_which_numbers_it_allows() {
        for (op, n, other, is_left) in ALL
            .into_iter()
            .flat_map(|op| (0..5).flat_map(move |n| (0..5).flat_map(move |other| [true, false].map(|left| (op, n, other, left)))))
        {
            let compared = |number| if is_left { (number, other) } else { (other, number) };
            let (left, right) = compared(n);
            if is_true(op, left, right) || left == right && !is_left {
                continue;
            }
            let found = bounds(&Fact::Compares(op, Value::Number(left), Value::Number(right)), i64::from(n));
            assert_eq!(found.is_none(), op == Compare::NotEqual, "{n} {op:?} {other}");
            for number in 0..7 {
                let (left, right) = compared(number);
                let is_allowed = |(least, most)| (least..=most).contains(&i64::from(number));
                assert!(found.is_none_or(|found| is_allowed(found) == is_true(op, left, right)), "{n} {op:?} {other}: {number}");
            }
        }
    }
}
