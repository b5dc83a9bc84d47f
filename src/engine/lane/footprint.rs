//! Which places and states of players acts read and change, as far as that is known before the game.
//!
//! Members of a lockstep are independent if no member changes what another member reads or changes. Then no member can tell whether the
//! others went first, and nothing must be noted during the game. An act that records an event is not known here, because the events of a
//! lockstep come in the order of its rounds.

use super::track::{Act, Due, Residual, Slot};
use crate::engine::ids::StateId;
use crate::engine::value::{Place, Player, Value};

/// A slot and a place. If the slot holds a card, the card lies in that place.
pub type Origin = (Slot, Place);

/// What acts read and change.
#[derive(Debug, Default)]
struct Footprint<'a> {
    origins: &'a [Origin],
    rules: &'a [Due],
    looks: Vec<Operand>,
    changes: Vec<Operand>,
}

/// Something that can be read and changed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operand {
    Place(Place),
    State(Player, StateId),
}

/// Whether the members of a lockstep are independent in every case. `rules`: the rules that the line carries out itself when they become
/// due.
#[must_use]
pub fn never_meet(members: &[Vec<Act>], origins: &[Origin], rules: &[Due]) -> bool {
    let prints: Option<Vec<Footprint>> = members
        .iter()
        .map(|member| {
            let mut print = Footprint { origins, rules, ..Footprint::default() };
            print.acts(member).then_some(print)
        })
        .collect();
    let Some(prints) = prints else { return false };
    let apart =
        |one: &Footprint, other: &Footprint| !one.changes.iter().any(|spot| other.looks.contains(spot) || other.changes.contains(spot));
    prints.iter().enumerate().all(|(at, one)| prints.iter().enumerate().all(|(other_at, other)| at == other_at || apart(one, other)))
}

impl Footprint<'_> {
    /// Adds what acts read and change; `false` if that is not known.
    fn acts(&mut self, acts: &[Act]) -> bool {
        acts.iter().all(|act| self.act(act))
    }

    fn act(&mut self, act: &Act) -> bool {
        match act {
            Act::Let(_, residual) | Act::Check(residual) => self.residual(residual),
            Act::Either(condition, yes, no) => self.residual(condition) && self.acts(yes) && self.acts(no),
            Act::MoveTop(from, to) => self.moves(*from, *to) && self.rule(*from),
            Act::MoveHome(_, _, from, to, _) => self.moves(*from, *to),
            Act::Shuffle(place) => self.moves(*place, *place),
            Act::Perform { given, body, event: None } => given.iter().all(|given| self.residual(given)) && self.acts(body),
            Act::Move(Residual::Const(Value::Zone(from)) | Residual::CardAt(_, from), Residual::Const(Value::Zone(to)), _) => {
                self.moves(*from, *to)
            }
            Act::Move(Residual::Slot(slot), Residual::Const(Value::Zone(to)), _) => {
                self.origin(*slot).is_some_and(|from| self.moves(from, *to))
            }
            Act::Set(Residual::Const(Value::Player(player)), state, value, _) => {
                self.changes.push(Operand::State(*player, *state));
                self.residual(value)
            }
            Act::Call(body) => self.acts(body),
            Act::Repeat(times, body) => self.residual(times) && self.acts(body),
            Act::NotDone | Act::Dead | Act::Raise(..) => true,
            _ => false,
        }
    }

    /// Adds what the rule does that waits for this place to be empty. Other rules that this rule makes due are not added, because only one
    /// rule runs at a time.
    fn rule(&mut self, place: Place) -> bool {
        let rules = std::mem::take(&mut self.rules);
        let known = rules.iter().filter(|rule| rule.place == place).all(|rule| self.acts(&rule.acts));
        self.rules = rules;
        known
    }

    fn moves(&mut self, from: Place, to: Place) -> bool {
        self.changes.extend([Operand::Place(from), Operand::Place(to)]);
        true
    }

    fn residual(&mut self, residual: &Residual) -> bool {
        match residual {
            Residual::Const(_) | Residual::You | Residual::This => true,
            Residual::Not(a) => self.residual(a),
            Residual::And(sides) | Residual::Or(sides) | Residual::Compare(_, sides) | Residual::Pair(_, sides) => {
                sides.iter().all(|side| self.residual(side))
            }
            Residual::If(parts) => parts.iter().all(|part| self.residual(part)),
            Residual::CardAt(_, place) | Residual::EmptyAt(place) | Residual::CountAt(place) | Residual::FieldAt(_, place, _) => {
                self.looks(*place)
            }
            Residual::StateAt(_, place, _) | Residual::TextlessAt(_, place) | Residual::FaceUpAt(_, place) => self.looks(*place),
            Residual::Exists(of) => match **of {
                Residual::Slot(slot) => self.origin(slot).is_some_and(|place| self.looks(place)),
                _ => false,
            },
            Residual::State(of, state) => match **of {
                Residual::Const(Value::Player(player)) => {
                    self.looks.push(Operand::State(player, *state));
                    true
                }
                _ => false,
            },
            // The value was read before, when it was put into the slot.
            Residual::Slot(_) => true,
            _ => false,
        }
    }

    /// The place where the card in a slot lies. If the card has been moved, the acts that moved it have added its new place.
    fn origin(&self, slot: Slot) -> Option<Place> {
        self.origins.iter().find(|(of, _)| *of == slot).map(|(_, place)| *place)
    }

    fn looks(&mut self, place: Place) -> bool {
        self.looks.push(Operand::Place(place));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::never_meet;
    use crate::engine::ids::StateId;
    use crate::engine::lane::track::{Act, Residual};
    use crate::engine::state::FaceChange;
    use crate::engine::value::{Place, Player, Value};

    #[test]
    fn members_meet_where_one_changes_what_another_looks_at() {
        let moves = |from, to| vec![Act::MoveTop(Place(from), Place(to))];
        let looks = |place| vec![Act::Check(Residual::TextlessAt(true, Place(place)))];
        let into_found = vec![Act::Move(Residual::Slot(0), Residual::Const(Value::Zone(Place(9))), FaceChange::AsZone)];
        assert!(never_meet(&[moves(0, 1), moves(2, 3)], &[], &[]));
        assert!(never_meet(&[looks(0), looks(0)], &[], &[]));
        assert!(!never_meet(&[moves(0, 1), moves(1, 2)], &[], &[]));
        assert!(!never_meet(&[moves(0, 1), looks(1)], &[], &[]));
        assert!(!never_meet(&[moves(0, 1), into_found.clone()], &[], &[]));
        assert!(never_meet(&[moves(0, 1), into_found.clone()], &[(0, Place(8))], &[]));
        assert!(!never_meet(&[moves(0, 1), into_found], &[(0, Place(1))], &[]));
    }
    #[test]
    fn members_meet_where_one_sets_a_state_that_another_looks_at() {
        let player = |seat| Residual::Const(Value::Player(Player(seat)));
        let sets = |seat| vec![Act::Set(player(seat), StateId(1), Residual::Const(Value::Bool(true)), false)];
        let looks = |seat, state| vec![Act::Check(Residual::State(Box::new(player(seat)), StateId(state)))];
        assert!(never_meet(&[sets(0), sets(1)], &[], &[]));
        assert!(never_meet(&[sets(0), looks(1, 1)], &[], &[]));
        assert!(never_meet(&[sets(0), looks(0, 2)], &[], &[]));
        assert!(!never_meet(&[sets(0), looks(0, 1)], &[], &[]));
        assert!(!never_meet(&[sets(0), sets(0)], &[], &[]));
    }
}
