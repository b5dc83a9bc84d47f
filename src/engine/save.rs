//! Saves: a state with what it needs to be taken up again, and the check that a loaded one can be.

use super::ids::Id;
use super::machine::Machine;
use super::program::Program;
use super::random::GENERATOR;
use super::state::{Doing, State};
use super::value::{ObjectId, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// The format that this version writes.
pub const FORMAT: u32 = 1;

/// A saved game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// The format's version.
    pub format: u32,
    /// The game's name.
    pub game: String,
    /// The hash of the sources that it was played with.
    pub program: u64,
    /// The generator's name.
    pub generator: String,
    /// The state.
    pub state: State,
}

/// Why a save cannot be taken up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the fields are in the words")]
pub enum LoadError {
    /// Another version's format.
    #[error("the save has format {found}, this version reads format {FORMAT}")]
    Format { found: u32 },
    /// Another game.
    #[error("the save is of the game `{found}`, not of `{wanted}`")]
    Game { found: String, wanted: String },
    /// Other rules or cards.
    #[error("the save was made with other rules or cards")]
    Program { found: u64, wanted: u64 },
    /// Another generator.
    #[error("the save was made with the generator `{found}`, this version has `{GENERATOR}`")]
    Generator { found: String },
    /// The state names something that the game does not have.
    #[error("the save is damaged: {what}")]
    Damaged { what: &'static str },
}

impl Machine {
    /// The game as it is, to be taken up again.
    #[must_use]
    pub fn save(&self) -> Saved {
        let program = self.program();
        Saved {
            format: FORMAT,
            game: program.name.clone(),
            program: program.hash,
            generator: GENERATOR.to_owned(),
            state: self.state().clone(),
        }
    }

    /// Takes up a saved game.
    ///
    /// # Errors
    /// When it belongs to another version, game or set of rules, or does not fit the program.
    pub fn load(program: Arc<Program>, saved: Saved) -> Result<Machine, LoadError> {
        if saved.format != FORMAT {
            return Err(LoadError::Format { found: saved.format });
        }
        if saved.game != program.name {
            return Err(LoadError::Game { found: saved.game, wanted: program.name.clone() });
        }
        if saved.program != program.hash {
            return Err(LoadError::Program { found: saved.program, wanted: program.hash });
        }
        if saved.generator != GENERATOR {
            return Err(LoadError::Generator { found: saved.generator });
        }
        check(&program, &saved.state).map_err(|what| LoadError::Damaged { what })?;
        Ok(Machine::with_state(program, saved.state))
    }
}

/// Whether a state fits a program: everything it names is there, zones and cards agree.
fn check(program: &Program, state: &State) -> Result<(), &'static str> {
    counters(state)?;
    board(program, state)?;
    let values = state.board.card_states.iter().chain(&state.board.player_states);
    values.copied().try_for_each(|value| known(program, state, value, 0))?;
    for effect in &state.effects.in_force {
        let clause = program.clauses.get(effect.clause).ok_or("an effect that the rules do not have")?;
        let captured = usize::from(u16::try_from(clause.captures.len()).unwrap_or(u16::MAX));
        (effect.captures.len() >= captured).then_some(()).ok_or("an effect without what it captured")?;
        let lists = effect.lists.len();
        let values = effect.captures.iter().chain(effect.targets.iter().flatten()).chain(&effect.amounts);
        values.copied().try_for_each(|value| known(program, state, value, lists))?;
    }
    (state.effects.watching.len() == program.verbs.len() && state.effects.modifying.len() == program.fields.len())
        .then_some(())
        .ok_or("counts of effects")?;
    for pending in &state.events.pending {
        program.routines.get(pending.body).ok_or("a waiting ability that the rules do not have")?;
        pending.captures.iter().copied().try_for_each(|value| known(program, state, value, pending.lists.len()))?;
    }
    control(program, state)
}

/// Numbers that only grow have room to grow: no game reaches the bound.
fn counters(state: &State) -> Result<(), &'static str> {
    const FAR: u32 = 1 << 30;
    const DEEP: u16 = 1 << 12;
    let (board, effects, events, control) = (&state.board, &state.effects, &state.events, &state.control);
    let lives = board.objects.iter().all(|object| object.life < FAR);
    let numbers = [board.turn, effects.next, effects.now, events.next, control.steps].iter().all(|number| *number < FAR);
    let depths = [control.level, control.judging, control.holding].iter().all(|depth| *depth < DEEP);
    let branches = control.branches.len() < usize::from(DEEP) && control.branches.iter().all(|branch| branch.level <= control.level);
    (lives && numbers && depths && branches).then_some(()).ok_or("a count that no game reaches")
}

fn board(program: &Program, state: &State) -> Result<(), &'static str> {
    let board = &state.board;
    let places = program.zones.len() * usize::from(program.players);
    (board.zones.len() == places).then_some(()).ok_or("the number of zones")?;
    let mut seen = vec![false; board.objects.len()];
    for (place, span) in board.zones.iter().enumerate() {
        let end = span.start as usize + usize::from(span.room);
        (span.len <= span.room && end <= board.slab.len()).then_some(()).ok_or("a zone outside of the table")?;
        for id in board.cards(super::value::Place(place as u16)) {
            let object = board.object(*id).ok_or("a card that is not in the game")?;
            (usize::from(object.place.0) == place).then_some(()).ok_or("a card in two places")?;
            if let Some(slot) = seen.get_mut(usize::from(id.0)) {
                (!std::mem::replace(slot, true)).then_some(()).ok_or("a card twice in a zone")?;
            }
        }
    }
    let fits = board.objects.iter().all(|object| program.cards.get(object.card).is_some() && object.owner.0 < program.players);
    let sizes = board.card_states.len() == board.objects.len() * program.states.len()
        && board.player_states.len() == usize::from(program.players) * program.states.len()
        && board.rule_truth.len() == program.rules.len() * usize::from(program.players)
        && board.objects.len() <= usize::from(u16::MAX);
    (fits && sizes && seen.iter().all(|seen| *seen)).then_some(()).ok_or("a card that the game does not have")
}

fn control(program: &Program, state: &State) -> Result<(), &'static str> {
    let branches = &state.control.branches;
    for branch in branches {
        branch.parent.is_none_or(|parent| usize::from(parent) < branches.len()).then_some(()).ok_or("a branch without a parent")?;
        for frame in &branch.frames {
            let code = program.code.get(frame.pc).is_some() || program.code.is_empty();
            let routine = program.routines.get(frame.routine).is_some();
            let registers = frame.base as usize <= branch.registers.len() && frame.lists as usize <= branch.lists.len();
            (code && routine && registers).then_some(()).ok_or("a call that the rules do not have")?;
            (frame.you.0 < program.players).then_some(()).ok_or("a player that is not in the game")?;
        }
        if let Doing::Ask(question) = branch.doing {
            let known = program.choices.get(question.choice).is_some() || question.choice == super::ids::ChoiceId::REPLACEMENT;
            let inside = question.start as usize + usize::from(question.len) <= branch.lists.len();
            let bounds = question.min <= question.max && question.max <= question.len && question.player.0 < program.players;
            (known && inside && bounds).then_some(()).ok_or("a question that the rules do not ask")?;
        }
        let values = branch.registers.iter().chain(&branch.lists).chain(&branch.collected);
        values.copied().try_for_each(|value| known(program, state, value, branch.lists.len()))?;
    }
    Ok(())
}

/// A value names only what there is; lists lie in an arena of that length.
fn known(program: &Program, state: &State, value: Value, lists: usize) -> Result<(), &'static str> {
    let object = |id: ObjectId| usize::from(id.0) < state.board.objects.len();
    let fits = match value {
        Value::Undefined | Value::Bool(_) | Value::Number(_) | Value::Pending(_) => true,
        Value::Player(player) => player.0 < program.players,
        Value::Enum(which, value) => program.enums.get(which).is_some_and(|which| usize::from(value) < which.values.len()),
        Value::Symbol(text) | Value::Text(text) => text.index() < program.texts.len(),
        Value::Object { id, .. } => object(id),
        Value::Ability { of, ability, .. } => object(of) && program.abilities.get(ability).is_some(),
        Value::Zone(place) => usize::from(place.0) < state.board.zones.len(),
        Value::List { start, len } => start as usize + usize::from(len) <= lists,
        Value::Card(card) => program.cards.get(card).is_some(),
    };
    fits.then_some(()).ok_or("a value that names nothing")
}
