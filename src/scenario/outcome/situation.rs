//! Records where a game stands when a scenario fails: zones with their cards, open decisions, the last steps.

use crate::outcome::trace::Recorder;
use crate::outcome::verdict::{AskedShown, SeatShown, Situation};
use crate::outcome::words::{self, Speaker, label};
use engine::ids::Id;
use engine::machine::{Asked, Machine};
use engine::program::{Program, ZoneDef};
use engine::state::Status;
use engine::state::board::place_of;
use engine::value::{ObjectId, Place, Player, Value, long_row};
use lang::diagnostic::Language;

/// Records where the machine stands.
#[must_use]
pub(crate) fn situation(machine: &Machine, recorder: &Recorder, language: Language) -> Situation {
    let (program, state) = (machine.program(), machine.state());
    let speaker = Speaker { program, state, lists: &[], gone: None, language };
    Situation {
        turn: state.board.turn,
        phase: state.board.phase.and_then(|phase| program.phases.get(phase)).map(|phase| label(&phase.name).to_owned()),
        ended: ended(&speaker, state.control.status),
        seats: seats(&speaker),
        asked: machine.questions().filter(|asked| !asked.answered).map(|asked| asked_shown(&speaker, &asked)).collect(),
        trace: recorder.last_lines(program, state, language),
    }
}

fn ended(speaker: &Speaker<'_>, status: Status) -> Option<String> {
    match status {
        Status::New | Status::Running | Status::Asking => None,
        Status::Over(outcome) => Some(speaker.outcome(outcome)),
        Status::Failed(failure) => Some(speaker.rules_error(failure.kind)),
    }
}

fn seats(speaker: &Speaker<'_>) -> Vec<SeatShown> {
    let players = (0..speaker.program.players).map(Player);
    let mut shown: Vec<SeatShown> = players.map(|player| seat(speaker, player)).collect();
    let (zones, values) = (zones(speaker, None), values(speaker, Player(0), true));
    if !zones.is_empty() || !values.is_empty() {
        shown.push(SeatShown { seat: speaker.say("shared", &[]), zones, values });
    }
    shown
}

fn seat(speaker: &Speaker<'_>, player: Player) -> SeatShown {
    SeatShown { seat: words::seat(player), zones: zones(speaker, Some(player)), values: values(speaker, player, false) }
}

/// The zones of a player, or the shared zones.
fn zones(speaker: &Speaker<'_>, whose: Option<Player>) -> Vec<(String, Vec<String>)> {
    let of = speaker.program.zones.iter().filter(|(_, zone)| zone.each_player == whose.is_some());
    of.map(|(id, zone)| {
        let place = place_of(speaker.program, id, whose.unwrap_or_default());
        let cards = speaker.state.board.cards(place).iter().rev();
        let cards: Vec<Shown> = cards.map(|card| card_shown(speaker, *card, zone, whose)).collect();
        let mut shown: Vec<String> = cards.chunk_by(|a, b| a == b).filter_map(|run| Some(run.first()?.written(run.len()))).collect();
        shown.extend(waiting(speaker, place));
        (speaker.named(&zone.name).to_owned(), shown)
    })
    .collect()
}

/// The abilities that wait in a zone, the latest first.
fn waiting(speaker: &Speaker<'_>, place: Place) -> Vec<String> {
    let mut waiting: Vec<_> = speaker.state.events.pending.iter().filter(|pending| pending.place == Some(place)).collect();
    waiting.sort_by_key(|pending| std::cmp::Reverse(pending.entered));
    waiting.into_iter().map(|pending| speaker.value(Value::Pending(pending.number))).collect()
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
fn card_shown(speaker: &Speaker<'_>, id: ObjectId, zone: &ZoneDef, whose: Option<Player>) -> Shown {
    let (program, mut shown) = (speaker.program, String::new());
    // In a shared zone a position without an owner means the first player.
    let owner = speaker.state.board.object(id).map(|object| object.owner).filter(|owner| *owner != Player::NOBODY);
    if let Some(owner) = owner.filter(|owner| *owner != whose.unwrap_or_default() && !zone.owns) {
        shown.push_str(&format!(" of {}", words::seat(owner)));
    }
    if zone.has_faces {
        let up = speaker.state.board.object(id).is_some_and(|object| object.face_up);
        shown.push_str(if up { " up" } else { " down" });
    }
    if let Some(place) = speaker.state.board.place_within(program, id) {
        shown.push_str(&format!(" at {}", speaker.named(place)));
    }
    let row = usize::from(id.0) * program.states.len();
    let states: Vec<String> = program
        .states
        .iter()
        .filter(|(_, state)| !state.on_players)
        .filter_map(|(at, state)| speaker.state.board.card_states.get(row + at.index()).map(|value| (state, state.as_read(*value))))
        .filter(|(state, value)| *value != state.initial)
        .map(|(state, value)| format!("{} = {}", speaker.named(&state.name), speaker.value(value)))
        .collect();
    if !states.is_empty() {
        shown.push_str(&format!(" {{ {} }}", states.join(" ")));
    }
    Shown { name: speaker.object(id), details: shown }
}

/// The states of a player, or those of the game, which are kept with the first seat.
fn values(speaker: &Speaker<'_>, player: Player, of_game: bool) -> Vec<(String, String)> {
    let program: &Program = speaker.program;
    let row = |at| usize::from(program.holder(at, player).0) * program.states.len();
    let of = program.states.iter().filter(|(_, state)| state.on_players && state.of_game == of_game);
    of.filter_map(|(at, state)| speaker.state.board.player_states.get(row(at) + at.index()).map(|value| (state, state.as_read(*value))))
        .filter(|(state, value)| *value != state.initial)
        .map(|(state, value)| (speaker.named(&state.name).to_owned(), speaker.value(value)))
        .collect()
}

fn asked_shown(speaker: &Speaker<'_>, asked: &Asked<'_>) -> AskedShown {
    AskedShown {
        seat: words::seat(asked.player),
        name: speaker.choice(asked.choice),
        possible: possible(speaker, asked),
        min: asked.min,
        max: asked.max,
        cites: speaker.cites_of_choice(asked.choice),
    }
}

/// The possible answers. For a blind choice, the positions with the cards there.
#[must_use]
pub(crate) fn possible(speaker: &Speaker<'_>, asked: &Asked<'_>) -> Vec<String> {
    let speaker = Speaker { lists: asked.lists, ..*speaker };
    if let Some((first, last)) = long_row(asked.domain).filter(|_| !asked.blind) {
        if let Some(numbers) = asked.numbers {
            return vec![format!("{first}…{}", numbers.greatest.map_or_else(String::new, |last| last.to_string()))];
        }
        return vec![format!("{first}…{last}")];
    }
    let of = asked.domain.iter().enumerate();
    let beyond = asked.numbers.map(|numbers| format!("…{}", numbers.greatest.map_or_else(String::new, |last| last.to_string())));
    let of: Vec<String> =
        of.map(|(at, value)| if asked.blind { format!("{}: {}", at + 1, speaker.value(*value)) } else { speaker.value(*value) }).collect();
    of.into_iter().chain(beyond).collect()
}
