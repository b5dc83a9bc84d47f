//! Records where a game stands when a scenario fails: zones with their cards, open decisions, the last steps.

use crate::outcome::verdict::{AskedShown, SeatShown, Situation};
use crate::running::run::Run;
use engine::ids::Id;
use engine::machine::Asked;
use engine::program::{Program, ZoneDef};
use engine::state::board::place_of;
use engine::state::{State, Status};
use engine::steps::View;
use engine::value::{ObjectId, Place, Player, Value, long_row};
use lang::diagnostic::Language;
use tell::{Names, Words, failure_code};

/// The state of a game, and the names of its parts.
struct Stand<'a> {
    names: Names<'a>,
    state: &'a State,
    language: Language,
}

impl Stand<'_> {
    fn value(&self, value: Value) -> String {
        self.names.value(self.state, &[], value)
    }
}

/// Records where a run stands.
#[must_use]
pub(crate) fn situation(run: &Run<'_>) -> Situation {
    let (program, state, language) = (run.machine.program(), run.machine.state(), run.language);
    let names = Names::new(program, Words::new(language)).bare();
    let stand = Stand { names, state, language };
    let (map, first_operand) = (run.compiler.map(), program.code.len());
    let text = |number: usize| match number.checked_sub(first_operand) {
        Some(operand) => map.operand_text(operand, run.sources),
        None => program.code.ids().nth(number).map_or_else(String::new, |at| map.statement(at, run.sources)),
    };
    let view = View { program, state, lists: &[] };
    Situation {
        turn: state.board.turn,
        phase: state.board.phase.and_then(|phase| program.phases.get(phase)).map(|phase| names.label(&phase.name).to_owned()),
        ended: ended(&stand, state.control.status),
        seats: seats(&stand),
        asked: run.machine.questions().filter(|asked| !asked.answered).map(|asked| asked_shown(&stand, &asked)).collect(),
        trace: run.recorder.last_lines(&view, names.words, text),
    }
}

fn ended(stand: &Stand<'_>, status: Status) -> Option<String> {
    match status {
        Status::New | Status::Running | Status::Asking => None,
        Status::Over(outcome) => Some(stand.names.outcome(outcome)),
        Status::Failed(failure) => {
            Some(tell::Words::new(stand.language).say("scenario.rules_error", &[("code", failure_code(failure.kind).to_owned())]))
        }
    }
}

fn seats(stand: &Stand<'_>) -> Vec<SeatShown> {
    let players = (0..stand.names.program.players).map(Player);
    let mut shown: Vec<SeatShown> = players.map(|player| seat(stand, player)).collect();
    let (zones, values) = (zones(stand, None), values(stand, Player(0), true));
    if !zones.is_empty() || !values.is_empty() {
        shown.push(SeatShown { seat: tell::Words::new(stand.language).say("scenario.shared", &[]), zones, values });
    }
    shown
}

fn seat(stand: &Stand<'_>, player: Player) -> SeatShown {
    SeatShown { seat: tell::seat(player), zones: zones(stand, Some(player)), values: values(stand, player, false) }
}

/// The zones of a player, or the shared zones.
fn zones(stand: &Stand<'_>, whose: Option<Player>) -> Vec<(String, Vec<String>)> {
    let of = stand.names.program.zones.iter().filter(|(_, zone)| zone.each_player == whose.is_some());
    of.map(|(id, zone)| {
        let place = place_of(stand.names.program, id, whose.unwrap_or_default());
        let cards = stand.state.board.cards(place).iter().rev();
        let cards: Vec<Shown> = cards.map(|card| card_shown(stand, *card, zone, whose)).collect();
        let mut shown: Vec<String> = cards.chunk_by(|a, b| a == b).filter_map(|run| Some(run.first()?.written(run.len()))).collect();
        shown.extend(waiting(stand, place));
        (stand.names.label(&zone.name).to_owned(), shown)
    })
    .collect()
}

/// The abilities that wait in a zone, the latest first.
fn waiting(stand: &Stand<'_>, place: Place) -> Vec<String> {
    let mut waiting: Vec<_> = stand.state.events.pending.iter().filter(|pending| pending.place == Some(place)).collect();
    waiting.sort_by_key(|pending| std::cmp::Reverse(pending.entered));
    waiting.into_iter().map(|pending| stand.value(Value::Pending(pending.number))).collect()
}

/// A card as a position writes it: its name, and what stands after the number of equal cards.
#[derive(PartialEq, Eq)]
struct Shown {
    name: String,
    details: String,
}

impl Shown {
    /// The words for this many equal cards, in the order of a position: `「兵」 x2 of b at left`.
    fn written(&self, count: usize) -> String {
        if count == 1 { format!("{}{}", self.name, self.details) } else { format!("{} x{count}{}", self.name, self.details) }
    }
}

/// A card of a zone. `whose`: the player whose zone it is, none for a shared zone.
fn card_shown(stand: &Stand<'_>, id: ObjectId, zone: &ZoneDef, whose: Option<Player>) -> Shown {
    let (program, mut shown) = (stand.names.program, String::new());
    // In a shared zone a position without an owner means the first player.
    let owner = stand.state.board.object(id).map(|object| object.owner).filter(|owner| *owner != Player::NOBODY);
    if let Some(owner) = owner.filter(|owner| *owner != whose.unwrap_or_default() && !zone.owns) {
        shown.push_str(&format!(" of {}", tell::seat(owner)));
    }
    if zone.has_faces {
        let up = stand.state.board.object(id).is_some_and(|object| object.face_up);
        shown.push_str(if up { " up" } else { " down" });
    }
    if let Some(place) = stand.state.board.place_within(program, id) {
        shown.push_str(&format!(" at {}", stand.names.label(place)));
    }
    let row = usize::from(id.0) * program.states.len();
    let states: Vec<String> = program
        .states
        .iter()
        .filter(|(_, state)| !state.on_players)
        .filter_map(|(at, state)| stand.state.board.card_states.get(row + at.index()).map(|value| (state, state.as_read(*value))))
        .filter(|(state, value)| *value != state.initial)
        .map(|(state, value)| format!("{} = {}", stand.names.label(&state.name), stand.value(value)))
        .collect();
    if !states.is_empty() {
        shown.push_str(&format!(" {{ {} }}", states.join(" ")));
    }
    Shown { name: stand.names.object(stand.state, id), details: shown }
}

/// The states of a player, or those of the game, which are kept with the first seat.
fn values(stand: &Stand<'_>, player: Player, of_game: bool) -> Vec<(String, String)> {
    let program: &Program = stand.names.program;
    let row = |at| usize::from(program.holder(at, player).0) * program.states.len();
    let of = program.states.iter().filter(|(_, state)| state.on_players && state.of_game == of_game);
    of.filter_map(|(at, state)| stand.state.board.player_states.get(row(at) + at.index()).map(|value| (state, state.as_read(*value))))
        .filter(|(state, value)| *value != state.initial)
        .map(|(state, value)| (stand.names.label(&state.name).to_owned(), stand.value(value)))
        .collect()
}

fn asked_shown(stand: &Stand<'_>, asked: &Asked<'_>) -> AskedShown {
    let program = stand.names.program;
    AskedShown {
        seat: tell::seat(asked.player),
        name: stand.names.choice(asked.choice),
        possible: possible(&stand.names, stand.state, asked),
        min: asked.min,
        max: asked.max,
        cites: program.choices.get(asked.choice).map(|choice| program.rules_beside(choice.name.cites)).unwrap_or_default().to_vec(),
    }
}

/// The possible answers. For a blind choice, the positions with the cards there.
#[must_use]
pub(crate) fn possible(names: &Names<'_>, state: &State, asked: &Asked<'_>) -> Vec<String> {
    let value = |value: Value| names.value(state, asked.lists, value);
    if let Some((first, last)) = long_row(asked.domain).filter(|_| !asked.blind) {
        if let Some(numbers) = asked.numbers {
            return vec![format!("{first}…{}", numbers.greatest.map_or_else(String::new, |last| last.to_string()))];
        }
        return vec![format!("{first}…{last}")];
    }
    let of = asked.domain.iter().enumerate();
    let beyond = asked.numbers.map(|numbers| format!("…{}", numbers.greatest.map_or_else(String::new, |last| last.to_string())));
    let of: Vec<String> = of.map(|(at, of)| if asked.blind { format!("{}: {}", at + 1, value(*of)) } else { value(*of) }).collect();
    of.into_iter().chain(beyond).collect()
}
