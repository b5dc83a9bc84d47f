//! Saves: a state with everything that is needed to continue the game, and the checks of loaded saves.

use crate::ids::{Id, Pc};
use crate::machine::Machine;
use crate::program::{ClauseKind, Op, Program};
use crate::random::GENERATOR;
use crate::state::{Branch, Change, Control, Doing, Events, Question, Role, Source, State, Taken, Then};
use crate::value::{ObjectId, Place, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// The format of saves and records of this version. It is increased whenever the contents of the state change.
pub const FORMAT: u32 = 8;

/// The oldest format of records that this version can read. A record begins at the beginning of a game, so it does not contain a state.
pub const OLDEST_RECORD: u32 = 6;

/// A saved game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

/// Why a save cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the fields are in the words")]
pub enum LoadError {
    /// The save has the format of another version.
    #[error("the save has format {found}, this version reads format {FORMAT}")]
    Format { found: u32 },
    /// The save belongs to another game.
    #[error("the save is of the game `{found}`, not of `{wanted}`")]
    Game { found: String, wanted: String },
    /// The save was made with other rules or cards.
    #[error("the save was made with other rules or cards")]
    Program { found: u64, wanted: u64 },
    /// The save was made with another random generator.
    #[error("the save was made with the generator `{found}`, this version has `{GENERATOR}`")]
    Generator { found: String },
    /// The state names something that the game does not have.
    #[error("the save is damaged: {what}")]
    Damaged { what: &'static str },
}

impl Machine {
    /// Saves the game.
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

    /// Loads a saved game.
    ///
    /// # Errors
    /// [`LoadError`] if the save belongs to another version, game or set of rules, or does not fit the program.
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
        let mut state = saved.state;
        state.events.find_in_zones();
        // The states to which open attempts would go back need their lists too.
        let attempts = state.control.branches.iter_mut().flat_map(|branch| &mut branch.attempts);
        attempts.filter_map(|attempt| attempt.before.as_mut()).for_each(|before| Arc::make_mut(before).2.find_in_zones());
        Ok(Machine::with_state(program, state))
    }
}

/// Checks that a state fits a program: everything that it names exists, and zones and cards agree. This includes the boards that the state
/// keeps.
fn check(program: &Program, state: &State) -> Result<(), &'static str> {
    counters(state)?;
    table(program, state)?;
    control(program, state)?;
    // One state is used for all kept boards. So checking many of them takes no longer than reading them took.
    let mut kept = State { control: Control::default(), fixed_shuffles: Vec::new(), fixed_draws: Vec::new(), ..state.clone() };
    for branch in &state.control.branches {
        for (board, effects, events) in branch.attempts.iter().filter_map(|attempt| attempt.before.as_deref()) {
            (kept.board, kept.effects, kept.events) = (board.clone(), effects.clone(), events.clone());
            counters(&kept).and(table(program, &kept))?;
        }
        let there = branch.touched.iter().all(|id| usize::from(id.0) < state.board.objects.len());
        there.then_some(()).ok_or("a card that is not in the game")?;
        if let Some(veil) = &branch.veil {
            (kept.board, kept.effects, kept.events) = (veil.board.clone(), veil.effects.clone(), Events::default());
            counters(&kept).and(table(program, &kept))?;
        }
    }
    Ok(())
}

/// Checks cards, effects and waiting abilities.
fn table(program: &Program, state: &State) -> Result<(), &'static str> {
    board(program, state)?;
    crate::state::last_known::fits(program, &state.board)?;
    let values = state.board.card_states.iter().chain(&state.board.player_states);
    crate::eval::witnessed::fits(program, state)?;
    let values = values.copied().chain(crate::state::last_known::values(&state.board)).chain(state.events.witnessed.values());
    values.into_iter().try_for_each(|value| known(program, state, value, 0))?;
    for effect in state.effects.in_force.iter().map(Arc::as_ref).chain(&state.effects.later) {
        let clause = program.clauses.get(effect.clause).ok_or("an effect that the rules do not have")?;
        let captured = usize::from(u16::try_from(clause.captures.len()).unwrap_or(u16::MAX));
        (effect.captures.len() >= captured).then_some(()).ok_or("an effect without what it captured")?;
        let lists = effect.lists.len();
        let values =
            effect.captures.iter().chain(effect.targets.iter().flatten()).chain(&effect.pinned).chain(&effect.amounts).chain(&effect.there);
        values.copied().try_for_each(|value| known(program, state, value, lists))?;
    }
    (state.effects.watching.len() == program.verbs.len() && state.effects.modifying.len() == program.fields.len())
        .then_some(())
        .ok_or("counts of effects")?;
    for part in &state.effects.order {
        state.effects.get(part.effect).ok_or("a part of an effect that is not in force")?;
        let values = part.extent.iter().flat_map(|extent| extent.members.iter().chain(&extent.many).chain([&extent.amount]));
        values.copied().try_for_each(|value| known(program, state, value, 0))?;
    }
    for granted in &state.effects.granted {
        program.abilities.get(granted.ability).ok_or("a granted ability that the rules do not have")?;
        known(program, state, granted.to, 0)?;
    }
    let in_order = |effects: &[Arc<crate::state::Effect>]| effects.is_sorted_by(|a, b| a.number < b.number);
    let mut by_number = state.effects.in_force.clone();
    if state.effects.arranged {
        by_number.sort_by_key(|effect| effect.number);
    }
    in_order(&by_number).then_some(()).ok_or("effects out of their order")?;
    state.events.uses.is_sorted_by(|a, b| a.key() < b.key()).then_some(()).ok_or("uses out of their order")?;
    state.events.pending.iter().is_sorted_by(|a, b| a.number < b.number).then_some(()).ok_or("waiting abilities out of their order")?;
    for pending in state.events.pending.iter() {
        program.routines.get(pending.body).ok_or("a waiting ability that the rules do not have")?;
        waiting(program, state, pending)?;
    }
    for together in state.events.together.iter() {
        program.clauses.get(together.clause).ok_or("a clause that the rules do not have")?;
        together.members.iter().chain([&together.source]).copied().try_for_each(|value| known(program, state, value, 0))?;
    }
    let values = state.events.values.iter().flatten().flat_map(|(of, value)| [*of, *value]);
    values.into_iter().try_for_each(|value| known(program, state, value, 0))?;
    let told = state.effects.begun.iter().all(|number| *number < state.effects.next) && state.effects.ended.is_empty();
    told.then_some(()).ok_or("effects of which somebody has yet to be told")?;
    for held in state.events.held.iter() {
        program.roles.get(held.role).ok_or("a role that the game does not have")?;
        held.members.iter().copied().try_for_each(|value| known(program, state, value, 0))?;
    }
    for (clause, source) in state.events.kept_marks.iter().flat_map(|kept| &kept.once) {
        program.clauses.get(*clause).ok_or("a clause that the rules do not have")?;
        known(program, state, *source, 0)?;
    }
    for heard in &state.events.heard {
        program.rules.get(heard.rule).ok_or("a rule that the game does not have")?;
        (heard.player.0 < program.players).then_some(()).ok_or("a player that is not in the game")?;
        heard.captures.iter().copied().try_for_each(|value| known(program, state, value, 0))?;
    }
    Ok(())
}

/// Checks a waiting ability: it has the slots of its kind, a zone that it waits in holds abilities, and everything that it names exists.
fn waiting(program: &Program, state: &State, pending: &crate::state::Pending) -> Result<(), &'static str> {
    let values =
        pending.captures.iter().chain([&pending.after, &pending.before]).chain(&pending.slots).chain(&pending.also).chain(&pending.lists);
    values.copied().try_for_each(|value| known(program, state, value, pending.lists.len()))?;
    let given = |(at, clause): &(u8, crate::ids::ClauseId)| {
        usize::from(*at) < pending.slots.len()
            && program.clauses.get(*clause).is_some_and(|clause| matches!(clause.kind, ClauseKind::Fill { .. }))
    };
    pending.given.iter().all(given).then_some(()).ok_or("a waiting ability with a slot that no clause fills")?;
    let printed = pending.ability.map(|ability| program.abilities.get(ability));
    let slots = match printed {
        None => pending.slots.is_empty(),
        Some(Some(ability)) => ability.fills.len() == pending.slots.len() && pending.kind() == Some(ability.kind),
        Some(None) => false,
    };
    let zone = pending.place.is_none_or(|place| {
        let zone = program.zones.get(crate::state::board::zone_of(program, place).0);
        usize::from(place.0) < state.board.zones.len() && zone.is_some_and(|zone| zone.abilities)
    });
    (slots && zone && program.is_owner(pending.you)).then_some(()).ok_or("a waiting ability with slots that it has not")
}

/// Checks that numbers that only grow have room to grow. No game reaches the limit.
fn counters(state: &State) -> Result<(), &'static str> {
    const FAR: u32 = 1 << 30;
    const DEEP: u16 = 1 << 12;
    let (board, effects, events, control) = (&state.board, &state.effects, &state.events, &state.control);
    let lives = board.objects.iter().all(|object| object.life < FAR);
    let numbers = [board.turn, effects.next, effects.now, events.next, control.steps].iter().all(|number| *number < FAR);
    let mut moments = effects.switched.iter().filter_map(|(_, since)| *since).chain(effects.in_force.iter().map(|effect| effect.timestamp));
    let numbers = numbers && moments.all(|moment| moment < FAR);
    let depths = [control.level, control.judging, control.holding].iter().all(|depth| *depth < DEEP);
    let branches = control.branches.len() < usize::from(DEEP) && control.branches.iter().all(|branch| branch.level <= control.level);
    (lives && numbers && depths && branches).then_some(()).ok_or("a count that no game reaches")
}

fn board(program: &Program, state: &State) -> Result<(), &'static str> {
    let board = &state.board;
    let places = program.zones.len() * usize::from(program.players);
    (board.zones.len() == places).then_some(()).ok_or("the number of zones")?;
    let mut seen = vec![false; board.objects.len()];
    let mut start = 0;
    for (place, span) in board.zones.iter().enumerate() {
        let end = span.start as usize + usize::from(span.room);
        let bound = program
            .zones
            .get(crate::state::board::zone_of(program, Place(place as u16)).0)
            .and_then(|zone| zone.capacity)
            .map_or(usize::MAX, usize::from);
        // Zones lie side by side in the slab, each with room for all cards that it can hold.
        let lies =
            span.start as usize == start && usize::from(span.room) >= bound.min(board.objects.len()) && usize::from(span.room) <= bound;
        (lies && span.len <= span.room && end <= board.slab.len()).then_some(()).ok_or("a zone outside of the table")?;
        start = end;
        for id in board.cards(crate::value::Place(place as u16)) {
            let object = board.object(*id).ok_or("a card that is not in the game")?;
            (usize::from(object.place.0) == place).then_some(()).ok_or("a card in two places")?;
            if let Some(slot) = seen.get_mut(usize::from(id.0)) {
                (!std::mem::replace(slot, true)).then_some(()).ok_or("a card twice in a zone")?;
            }
        }
    }
    let fits = board.objects.iter().all(|object| program.cards.get(object.card).is_some() && program.is_owner(object.owner));
    let sizes = board.card_states.len() == board.objects.len() * program.states.len()
        && board.player_states.len() == usize::from(program.players) * program.states.len()
        && board.rule_truth.len() == program.rules.len() * usize::from(program.players)
        && board.objects.len() <= crate::limits::OBJECTS;
    let gone = |id: usize| {
        board.extras.get(id).is_some_and(|extra| extra.made) && board.objects.get(id).is_some_and(|object| object.place == Place::NOWHERE)
    };
    let placed = seen.iter().enumerate().all(|(id, seen)| *seen != gone(id));
    (fits && sizes && placed).then_some(()).ok_or("a card that the game does not have")?;
    extras(program, state)
}

/// Checks the extra properties of cards: every card has a row or none has, and everything that the rows name exists.
fn extras(program: &Program, state: &State) -> Result<(), &'static str> {
    let board = &state.board;
    let rows = board.extras.len() == if program.extras { board.objects.len() } else { 0 };
    let deciders = board.deciders.is_empty() || board.deciders.len() == usize::from(program.players);
    let players = board.deciders.iter().all(|player| player.0 < program.players);
    let held = board.held.iter().all(|(id, by, since)| {
        let object = board.object(*id).filter(|object| object.owner != *by || *since > 0);
        object.is_some() && by.0 < program.players && *since <= state.effects.next
    });
    let held = held && board.held.is_sorted_by(|(a, ..), (b, ..)| a < b);
    let memory = board.memory.is_empty() || board.memory.len() == board.objects.len();
    let shown =
        board.revealed.iter().all(|(shown, duration)| board.object(shown.id).is_some() && program.durations.get(*duration).is_some());
    let shown = shown && board.shown_while.iter().all(|(shown, _)| board.object(shown.id).is_some());
    let overseen = board.overseen.iter().all(|(id, by)| board.object(*id).is_some() && by.0 < program.players);
    (rows && deciders && players && memory && overseen && held && shown && board.batches < 1 << 30)
        .then_some(())
        .ok_or("what lies on cards")?;
    for (extra, object) in board.extras.iter().zip(&board.objects) {
        let places = program.zones.get(crate::state::board::zone_of(program, object.place).0).and_then(|zone| zone.places);
        let values = places.and_then(|of| program.enums.get(of)).map_or(0, |of| of.values.len());
        let slot = extra.slot == crate::state::board::NO_SLOT || usize::from(extra.slot) < values || object.place == Place::NOWHERE;
        (slot && program.cards.get(extra.own).is_some()).then_some(()).ok_or("a card in no place of its zone")?;
        known(program, state, extra.host, 0).and(known(program, state, extra.original, 0))?;
    }
    state.fixed_draws.iter().try_for_each(|value| known(program, state, *value, 0))
}

fn control(program: &Program, state: &State) -> Result<(), &'static str> {
    let branches = &state.control.branches;
    if let Some(cycle) = &state.control.cycle {
        let (players, at) = (program.players, usize::from(cycle.at));
        let whose = cycle
            .asked
            .iter()
            .chain(cycle.named.iter().map(|(player, _)| player))
            .chain(cycle.answers.iter().chain(&cycle.round).map(|answer| &answer.player));
        let fits = whose.into_iter().all(|player| player.0 < players) && (cycle.left == 0 || at < cycle.round.len());
        let rounds = cycle.named.iter().map(|(_, times)| *times).chain([cycle.left]).all(|times| times <= crate::limits::ROUNDS);
        (fits && rounds).then_some(()).ok_or("a round that nobody repeats")?;
        let taken = cycle.answers.iter().chain(&cycle.round).filter_map(|answer| answer.taken);
        for taken in taken.chain(cycle.barred.iter().map(|barred| barred.taken)) {
            taken.by().is_some_and(|player| player.0 < players).then_some(()).ok_or("a round of somebody who does not play")?;
            match taken {
                Taken::Option(option, row, _) => {
                    program.options.get(option).ok_or("an option that the rules do not have")?;
                    row.into_iter().try_for_each(|value| known(program, state, value, 0))?;
                }
                Taken::Pass(choice, _) => {
                    program.choices.get(choice).ok_or("an offer that the rules do not have")?;
                }
                Taken::Step(choice, source, _) | Taken::Chosen(choice, source, ..) => {
                    program.choices.get(choice).ok_or("an optional step that the rules do not have")?;
                    let chosen = if let Taken::Chosen(_, _, chosen, _) = taken { chosen } else { Value::Undefined };
                    known(program, state, source, 0).and(known(program, state, chosen, 0))?;
                }
            }
        }
    }
    for (at, branch) in branches.iter().enumerate() {
        // A parent stands before its children, so the way outwards ends.
        branch.parent.is_none_or(|parent| usize::from(parent) < at).then_some(()).ok_or("a branch without a parent")?;
        for frame in &branch.frames {
            let code = program.code.get(frame.pc).is_some() || program.code.is_empty();
            let routine = program.routines.get(frame.routine).is_some();
            let registers = frame.base as usize <= branch.registers.len() && frame.lists as usize <= branch.lists.len();
            (code && routine && registers).then_some(()).ok_or("a call that the rules do not have")?;
            program.is_owner(frame.you).then_some(()).ok_or("a player that is not in the game")?;
        }
        let deciding = branch.frames.iter().filter(|frame| matches!(frame.role, Role::Deciding)).count();
        (branch.deciding.len() == deciding).then_some(()).ok_or("a call that decides nothing")?;
        if let Doing::Ask(question) = branch.doing {
            let known = program.choices.get(question.choice).is_some() || question.choice == crate::ids::ChoiceId::REPLACEMENT;
            let joint = program.choices.get(question.choice).is_some_and(crate::program::ChoiceDef::is_joint);
            let inside =
                (joint || question.must <= question.max) && question.start as usize + usize::from(question.len) <= branch.lists.len();
            let many = if question.source == Source::Unlisted { 1 } else { question.len };
            let bounds = question.min <= question.max && question.max <= many && question.player.0 < program.players;
            let answer = question.answer.is_none_or(|(start, len)| start as usize + usize::from(len) <= branch.lists.len());
            let offered = question.source == Source::Listed || is_offer(program, branch, question);
            (known && inside && bounds && answer && offered).then_some(()).ok_or("a question that the rules do not ask")?;
        }
        if let Doing::Change(change) | Doing::AfterRules(change) = branch.doing {
            prepared(program, state, change, branch.lists.len())?;
        }
        for scope in &branch.scopes {
            let fits = usize::from(scope.frames) <= branch.frames.len() && usize::from(scope.attempts) <= branch.attempts.len();
            let goes_on = match scope.kind {
                crate::state::ScopeKind::Watch { condition, aborted } => {
                    program.nodes.get(condition).is_some() && program.code.get(aborted).is_some()
                }
                crate::state::ScopeKind::Finally => branch.finals.iter().any(|last| last.scope == Some(scope.number)),
                crate::state::ScopeKind::During { duration } => duration.is_none_or(|duration| program.durations.get(duration).is_some()),
            };
            (fits && goes_on && program.is_owner(scope.you)).then_some(()).ok_or("a stretch that the rules do not have")?;
        }
        for last in &branch.finals {
            let there = program.routines.get(last.body).is_some() && program.code.get(last.pc).is_some() && program.is_owner(last.you);
            there.then_some(()).ok_or("a block to be carried out finally that the rules do not have")?;
            let values = last.captures.iter().chain(&last.lists).chain([&last.this]).copied().chain([last.cause.value()]);
            values.into_iter().try_for_each(|value| known(program, state, value, last.lists.len()))?;
        }
        let values = branch.registers.iter().chain(&branch.lists).chain(&branch.collected);
        values.copied().try_for_each(|value| known(program, state, value, branch.lists.len()))?;
    }
    Ok(())
}

/// Checks a prepared change: everything that it names exists.
fn prepared(program: &Program, state: &State, change: Change, lists: usize) -> Result<(), &'static str> {
    let value = |value: Value| known(program, state, value, lists);
    let place = |place: Place| value(Value::Zone(place));
    let list = |start: u32, len: u16| value(Value::List { start, len });
    match change {
        Change::MoveTop { from, to, .. } => place(from).and(place(to)),
        Change::MoveCard { card, to, .. } => value(card).and(place(to)),
        Change::Move { start, len, to, top_of, .. } => list(start, len).and(place(to)).and(top_of.map_or(Ok(()), place)),
        Change::Turn { start, len, .. } | Change::Show { start, len, .. } => list(start, len),
        Change::Order { start, len, place: to } => list(start, len).and(place(to)),
        Change::Shuffle(of) => place(of),
        Change::SetState { subject, value: to, .. } => value(subject).and(value(to)),
        Change::Attach { start, len, host } => list(start, len).and(value(host)),
        Change::Make { card, owner, to, original, from, .. } => {
            value(Value::Card(card)).and(value(owner.value())).and(place(to)).and(value(original)).and(value(from))
        }
        Change::Become { start, len, card, from } => {
            list(start, len).and(card.map_or(Ok(()), |card| value(Value::Card(card)))).and(value(from))
        }
        Change::Control { player, by } => value(Value::Player(player)).and(value(Value::Player(by))),
        Change::Install(..) | Change::Expire(_) | Change::Open(..) => Ok(()),
    }
}

/// Whether the question of a branch is the offer at which the branch stands.
fn is_offer(program: &Program, branch: &Branch, question: Question) -> bool {
    let before = branch.frames.last().and_then(|frame| frame.pc.0.checked_sub(1));
    let op = before.and_then(|before| program.code.get(Pc(before)));
    let listed = question.source != Source::Unlisted || question.len == 0;
    listed && matches!((op, question.then), (Some(Op::Offer { choice, .. }), Then::Offer(_)) if *choice == question.choice)
}

/// Whether a cause has a kind that the game knows.
fn fits_cause(program: &Program, state: &State, value: Value) -> bool {
    let cause = crate::state::Cause::of(value);
    let declared = !matches!(cause, crate::state::Cause::Declared { cause, .. } if program.causes.get(cause).is_none());
    let players = [cause.you(), cause.performer()].into_iter().flatten().all(|player| program.is_owner(player));
    declared && players && state.board.objects.len() <= crate::limits::OBJECTS
}

/// Checks a value: everything that it names exists, and its lists lie inside an arena of this length.
fn known(program: &Program, state: &State, value: Value, lists: usize) -> Result<(), &'static str> {
    let object = |id: ObjectId| usize::from(id.0) < state.board.objects.len();
    let fits = match value {
        Value::Undefined | Value::Bool(_) | Value::Number(_) | Value::Pending(_) | Value::Effect(_) => true,
        Value::Player(player) => player.0 < program.players,
        Value::Enum(which, value) => program.enums.get(which).is_some_and(|which| usize::from(value) < which.values.len()),
        Value::Symbol(text) | Value::Text(text) => text.index() < program.texts.len(),
        Value::Object { id, .. } => object(id),
        Value::Ability { of, ability, .. } => object(of) && program.abilities.get(ability).is_some(),
        Value::Zone(place) => usize::from(place.0) < state.board.zones.len(),
        Value::List { start, len } => start as usize + usize::from(len) <= lists,
        Value::Card(card) => program.cards.get(card).is_some(),
        Value::Event(at) => (at as usize) < crate::limits::HISTORY,
        Value::Cause { id, .. } => fits_cause(program, state, value) && (id == crate::eval::cause::NO_CARD || object(id)),
        Value::Group(group) => program.groups.get(group).is_some(),
        Value::Play { count, option, start } => {
            let has = program.options.get(option).is_some_and(|option| option.params.len() + 1 == usize::from(count));
            has && start as usize + usize::from(count) <= lists
        }
    };
    fits.then_some(()).ok_or("a value that names nothing")
}
