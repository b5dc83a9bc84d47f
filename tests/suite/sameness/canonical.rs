//! Questions, answers and ends of games as lines of text.
//!
//! A line holds names and texts. It never holds their numbers in the compiled program or a place in a list arena: `Value::List`
//! and `Value::Play` are written out. So the line of a game stays the same when the engine stores things in another way.

use gyoji::engine::ids::{AbilityId, ChoiceId};
use gyoji::engine::machine::{Asked, Machine};
use gyoji::engine::program::{NameDef, Program};
use gyoji::engine::state::board::zone_of;
use gyoji::engine::state::{FailureKind, Outcome, State, Status};
use gyoji::engine::value::{ObjectId, Place, Player, Value};
use std::fmt::Write;

/// Writes one line: a question with all its answers and the given answer.
pub(super) fn decision(to: &mut String, machine: &Machine, asked: &Asked<'_>, picks: &[u16]) {
    let (program, state) = (machine.program(), machine.state());
    let choice = match asked.choice {
        ChoiceId::REPLACEMENT => "replacement",
        choice => name(program.choices.get(choice).map(|choice| &choice.name)),
    };
    let kinds =
        [(asked.offer, "offer"), (asked.yes_no, "yes or no"), (asked.blind, "blind"), (asked.secret, "secret"), (asked.ranked, "ranked")];
    let kinds: String = kinds.into_iter().filter(|(is_so, _)| *is_so).fold(String::new(), |all, (_, kind)| all + ", " + kind);
    let joint = if asked.joint.is_some() { ", together" } else { "" };
    write!(to, "{} {choice} {}..{} must {}{kinds}{joint}:", asked.player.0, asked.min, asked.max, asked.must).unwrap();
    for answer in asked.domain {
        to.push(' ');
        value(to, (program, state), asked.lists, *answer);
    }
    writeln!(to, " -> {picks:?}").unwrap();
}

/// Writes how a game ended, and where every card lies at its end.
///
/// If a game goes on without end, only this fact is written. In which round the program notices it does not belong to the game.
pub(super) fn end(to: &mut String, machine: &Machine, status: Status) {
    let (program, board) = (machine.program(), &machine.state().board);
    match status {
        Status::Over(Outcome::Won(player)) => writeln!(to, "won by {} in turn {}", player.0, board.turn).unwrap(),
        Status::Over(Outcome::Drawn) if program.policies.mandatory_loop_is_drawn => return writeln!(to, "drawn").unwrap(),
        Status::Over(Outcome::Drawn) => writeln!(to, "drawn in turn {}", board.turn).unwrap(),
        Status::Over(Outcome::Placed(places)) => writeln!(to, "places {:?} in turn {}", places.0, board.turn).unwrap(),
        Status::Failed(failure) => match failure.kind {
            FailureKind::Budget | FailureKind::Depth | FailureKind::Loop => return writeln!(to, "without end").unwrap(),
            kind => writeln!(to, "{kind:?}").unwrap(),
        },
        Status::New | Status::Running | Status::Asking => writeln!(to, "goes on in turn {}", board.turn).unwrap(),
    }
    for at in (0..board.zones.len()).map(|at| Place(at as u16)) {
        place(to, program, at);
        for id in board.cards(at) {
            write!(to, " {}", id.0).unwrap();
        }
        to.push('\n');
    }
}

/// Writes one value. `lists` is the arena of its members or arguments.
pub(super) fn value(to: &mut String, (program, state): (&Program, &State), lists: &[Value], it: Value) {
    let run = |start: u32, len: usize| &lists[start as usize..start as usize + len];
    let done = match it {
        Value::Undefined => write!(to, "undefined"),
        Value::Bool(truth) => write!(to, "{truth}"),
        Value::Number(number) => write!(to, "{number}"),
        Value::Player(Player(seat)) => write!(to, "player {seat}"),
        Value::Enum(of, at) => {
            let def = program.enums.get(of);
            write!(to, "{}.{}", name(def.map(|def| &def.name)), name(def.and_then(|def| def.values.get(usize::from(at)))))
        }
        Value::Symbol(text) => write!(to, "symbol {:?}", program.texts.get(text)),
        Value::Text(text) => write!(to, "text {:?}", program.texts.get(text)),
        Value::Object { id, life } => write!(to, "#{}.{life}", id.0),
        Value::Zone(at) => {
            place(to, program, at);
            Ok(())
        }
        Value::Ability { of, ability, life } => {
            write!(to, "ability #{}.{life} ", of.0).unwrap();
            own_ability(to, (program, state), of, ability);
            Ok(())
        }
        Value::Pending(number) => write!(to, "waiting {number}"),
        Value::Effect(number) => write!(to, "effect {number}"),
        Value::Card(card) => write!(to, "card {}", program.cards.get(card).map_or("?", |card| &card.number)),
        Value::Event(at) => {
            // The place of an event in the history depends on how much history is kept. So the event is described by its action.
            let event = state.events.history.get(at as usize);
            write!(to, "event {}", name(event.and_then(|event| program.verbs.get(event.verb)).map(|verb| &verb.name))).unwrap();
            for argument in event.into_iter().flat_map(|event| event.args) {
                to.push(' ');
                value(to, (program, state), &state.events.lists, argument);
            }
            Ok(())
        }
        Value::Cause { what, id, life, performer: 0 } => write!(to, "cause {what} #{}.{}", id.0, life.number()),
        Value::Cause { what, id, life, performer } => write!(to, "cause {what} #{}.{} by {performer}", id.0, life.number()),
        Value::Group(group) => write!(to, "group {}", name(program.groups.get(group))),
        Value::List { len, start } => {
            to.push('[');
            for member in run(start, usize::from(len)) {
                value(to, (program, state), lists, *member);
                to.push(' ');
            }
            write!(to, "]")
        }
        Value::Play { count, option, start } => {
            let verb = program.options.get(option).and_then(|option| program.verbs.get(option.verb));
            write!(to, "{}(", name(verb.map(|verb| &verb.name))).unwrap();
            for argument in run(start, usize::from(count)) {
                value(to, (program, state), lists, *argument);
                to.push(' ');
            }
            write!(to, ")")
        }
    };
    done.unwrap();
}

/// Writes the place of an ability among the printed abilities of its card. For another ability, its number.
fn own_ability(to: &mut String, (program, state): (&Program, &State), of: ObjectId, ability: AbilityId) {
    let card = state.board.object(of).and_then(|object| program.cards.get(object.card));
    let at = card.and_then(|card| ability.0.checked_sub(card.abilities.0.0).filter(|at| *at < card.abilities.1));
    match at {
        Some(at) => write!(to, "{at}"),
        None => write!(to, "given {}", ability.0),
    }
    .unwrap();
}

fn place(to: &mut String, program: &Program, at: Place) {
    let (zone, whose) = zone_of(program, at);
    write!(to, "{}", name(program.zones.get(zone).map(|zone| &zone.name))).unwrap();
    if let Some(player) = whose {
        write!(to, "({})", player.0).unwrap();
    }
}

fn name(def: Option<&NameDef>) -> &str {
    def.map_or("?", |def| &def.name)
}
