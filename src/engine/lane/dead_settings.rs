//! Drops needless settings: a state of a player that is set twice before anybody could read it is set once, to its last value.
//!
//! Works on acts between two places where the line can be left; the result is the same at each of their ends. A setting is postponed until
//! something may read the state, until the game may end, or until the state is set again. An act that does not fit undoes everything
//! anyway.

use super::track::{Act, Residual};
use crate::engine::ids::StateId;
use crate::engine::value::{Place, Player, Value};

/// A postponed setting of a player's state.
type Held = (Player, StateId, Value);

/// The acts with each setting as late as possible. `quiet`: whether no rule waits for a move between two places.
pub fn sunk(acts: Vec<Act>, quiet: &dyn Fn(Place, Place) -> bool) -> Vec<Act> {
    let mut held = Vec::new();
    let mut acts = list(acts, &mut held, quiet).0;
    flush(&mut held, &mut acts);
    acts
}

/// One list of acts. The second value: whether nothing can follow the list.
fn list(acts: Vec<Act>, held: &mut Vec<Held>, quiet: &dyn Fn(Place, Place) -> bool) -> (Vec<Act>, bool) {
    let mut out = Vec::with_capacity(acts.len());
    let mut ended = false;
    for act in acts {
        match act {
            Act::Set(Residual::Const(Value::Player(player)), state, Residual::Const(value), false) if value != Value::Undefined => {
                held.retain(|(of, which, _)| (*of, *which) != (player, state));
                held.push((player, state, value));
            }
            Act::Either(condition, yes, no) => {
                if !passes(&condition) {
                    flush(held, &mut out);
                }
                let mut other = held.clone();
                let (mut yes, yes_ends) = list(yes, held, quiet);
                let (mut no, no_ends) = list(no, &mut other, quiet);
                if yes_ends {
                    held.clone_from(&other);
                } else if !no_ends && *held != other {
                    flush(held, &mut yes);
                    flush(&mut other, &mut no);
                }
                ended = yes_ends && no_ends;
                out.push(Act::Either(condition, yes, no));
            }
            Act::Call(body) => {
                let (body, ends) = list(body, held, quiet);
                ended = ends;
                out.push(Act::Call(body));
            }
            Act::Done(body) => {
                let (body, ends) = list(body, held, quiet);
                ended = ends;
                out.push(Act::Done(body));
            }
            act => {
                // The player whose state is set may be known only during the game.
                let meets = |(_, which, _): &Held| matches!(&act, Act::Set(_, state, ..) if state == which);
                if !passes_act(&act, quiet) || held.iter().any(meets) {
                    flush(held, &mut out);
                }
                ended = matches!(act, Act::Verdict(..) | Act::Dead);
                out.push(act);
            }
        }
        if ended {
            break;
        }
    }
    (out, ended)
}

/// Carries out all postponed settings.
fn flush(held: &mut Vec<Held>, out: &mut Vec<Act>) {
    let player = |player| Residual::Const(Value::Player(player));
    out.extend(held.drain(..).map(|(of, state, value)| Act::Set(player(of), state, Residual::Const(value), false)));
}

/// Whether an act neither reads a state of a player nor lets anything else read one.
fn passes_act(act: &Act, quiet: &dyn Fn(Place, Place) -> bool) -> bool {
    match act {
        Act::Let(_, residual) | Act::Check(residual) => passes(residual),
        Act::Set(Residual::CardAt(..) | Residual::Slot(_), _, value, _) => passes(value),
        Act::MoveTop(from, to) => quiet(*from, *to),
        Act::Move(Residual::Const(Value::Zone(from)), Residual::Const(Value::Zone(to)), _) => quiet(*from, *to),
        Act::Expire | Act::NotDone | Act::Dead => true,
        _ => false,
    }
}

/// Whether a residual reads no state of a player.
fn passes(residual: &Residual) -> bool {
    match residual {
        Residual::Const(_) | Residual::Slot(_) | Residual::You | Residual::This => true,
        Residual::Not(a) | Residual::Next(a) | Residual::Owner(a) | Residual::Exists(a) | Residual::Empty(a) => passes(a),
        Residual::And(sides) | Residual::Or(sides) | Residual::Compare(_, sides) | Residual::Pair(_, sides) => sides.iter().all(passes),
        Residual::CardAt(..) | Residual::EmptyAt(_) | Residual::CountAt(_) | Residual::CountAll(_) | Residual::FieldAt(..) => true,
        Residual::StateAt(..) | Residual::FaceUpAt(..) | Residual::TextlessAt(..) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::sunk;
    use crate::engine::ids::StateId;
    use crate::engine::lane::track::{Act, Residual};
    use crate::engine::value::{Place, Player, Value};

    fn set(seat: u8, value: bool) -> Act {
        Act::Set(Residual::Const(Value::Player(Player(seat))), StateId(1), Residual::Const(Value::Bool(value)), false)
    }

    fn shown(acts: Vec<Act>) -> String {
        let quiet = |from: Place, _: Place| from.0 < 5;
        let mut text = String::new();
        said(&sunk(acts, &quiet), &mut text);
        text
    }

    fn said(acts: &[Act], text: &mut String) {
        for act in acts {
            match act {
                Act::Set(Residual::Const(Value::Player(player)), _, Residual::Const(value), _) => {
                    text.push_str(&format!("{}{} ", player.0, if value.is_true() { '+' } else { '-' }));
                }
                Act::Either(_, yes, no) => {
                    text.push('(');
                    said(yes, text);
                    text.push_str("| ");
                    said(no, text);
                    text.push_str(") ");
                }
                Act::MoveTop(..) => text.push_str("move "),
                Act::Verdict(..) => text.push_str("verdict "),
                Act::Check(_) => text.push_str("look "),
                _ => text.push_str("? "),
            }
        }
    }

    fn look() -> Act {
        Act::Check(Residual::State(Box::new(Residual::Const(Value::Player(Player(0)))), StateId(1)))
    }

    fn either(yes: Vec<Act>, no: Vec<Act>) -> Act {
        Act::Either(Residual::EmptyAt(Place(1)), yes, no)
    }

    #[test]
    fn what_is_set_again_before_anybody_looks_is_set_once() {
        let quietly = Act::MoveTop(Place(1), Place(2));
        assert_eq!(shown(vec![set(0, true), quietly.clone(), set(1, true), set(0, false)]), "move 1+ 0- ");
        assert_eq!(shown(vec![set(0, true), look(), set(0, false)]), "0+ look 0- ");
        assert_eq!(shown(vec![set(0, true), Act::MoveTop(Place(7), Place(2)), set(0, false)]), "0+ move 0- ");
    }

    #[test]
    fn where_the_game_ends_it_has_been_set() {
        let ends = vec![Act::Verdict(Player(0), false)];
        assert_eq!(shown(vec![set(0, true), either(ends, vec![]), set(0, false)]), "(0+ verdict | ) 0- ");
    }

    #[test]
    fn ways_that_hold_back_different_things_set_them_before_they_meet() {
        assert_eq!(shown(vec![set(0, true), either(vec![set(0, false)], vec![]), set(1, true)]), "(0- | 0+ ) 1+ ");
        assert_eq!(shown(vec![set(0, true), either(vec![], vec![]), set(0, false)]), "(| ) 0- ");
    }
}
