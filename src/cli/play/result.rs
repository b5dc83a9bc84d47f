//! The result of a game as a JSON line: who has won, and the numbers with which the game ended.

use engine::machine::Machine;
use engine::program::{StateDef, Type};
use engine::state::Outcome;
use engine::value::{Player, Value};
use serde_json::{Map, Value as Json, json};
use tell::seat;

/// The line.
pub(super) fn result(machine: &Machine, outcome: Outcome, decisions: usize) -> Json {
    let winner = if let Outcome::Won(player) = outcome { Some(seat(player)) } else { None };
    let turn = machine.state().board.turn;
    let mut result = json!({
        "kind": "result", "winner": winner, "turn": turn, "decisions": decisions, "values": values(machine), "reader": null,
    });
    if let (Outcome::Placed(places), Some(object)) = (outcome, result.as_object_mut()) {
        let of_seats: Map<_, _> = places.seats().map(|(player, place)| (seat(player), json!(place))).collect();
        object.insert("places".to_owned(), of_seats.into());
    }
    result
}

/// The pools and the numbers of each seat, and those of the game under `game`: what the table shows, by the names of the rules files.
fn values(machine: &Machine) -> Json {
    let players = (0..machine.program().players).map(Player);
    let seats = players.map(|player| (seat(player), of_holder(machine, player, false)));
    seats.chain([("game".to_owned(), of_holder(machine, Player(0), true))]).collect::<Map<_, _>>().into()
}

fn of_holder(machine: &Machine, player: Player, of_game: bool) -> Json {
    let program = machine.program();
    let is_number = |state: &StateDef| state.of == Type::Number && state.members.is_none();
    let numbers = program.states.iter().filter(|(id, state)| {
        state.on_players && state.of_game == of_game && is_number(state) && !program.table.hidden_states.contains(id)
    });
    let of_state = numbers.map(|(id, state)| {
        let row = usize::from(program.holder(id, player).0) * program.states.len() + usize::from(id.0);
        let value = state.as_read(machine.state().board.player_states.get(row).copied().unwrap_or(Value::Undefined));
        (state.name.name.clone(), json!(value.number()))
    });
    of_state.collect::<Map<_, _>>().into()
}
