//! `given`: any position put together, before the game goes on from it.
//!
//! Takes the scenario's `given` and the game's `given default`; gives a machine that stands there, with the scenario's names for
//! cards. A position that the rules could never hold (an unknown zone, too many cards, a face where there is none) is refused.
//! Deliberately absent: half-done procedures, roles, effects; they are reached by playing.

use super::lookup::Lookup;
use super::terms;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::board::place_of;
use crate::engine::ids::{CardId, StateId, ZoneId};
use crate::engine::machine::Machine;
use crate::engine::position::{Begin, PositionError};
use crate::engine::program::Program;
use crate::engine::value::{ObjectId, Player, Value};
use crate::syntax::ast::{Expr, ExprKind, Fixed, Given, GivenCard, GivenSeat, Name, ScenarioDefault};
use std::sync::Arc;

/// A card to be put down.
#[derive(Clone, Debug)]
struct Placed {
    zone: ZoneId,
    player: Player,
    card: CardId,
    face_up: Option<bool>,
    alias: Option<Name>,
    states: Vec<(StateId, Value)>,
    span: Span,
}

/// A position as numbers: cards of each place top first.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    placed: Vec<Placed>,
    values: Vec<(Player, StateId, Value)>,
}

/// Names that a scenario gives to cards.
pub type Aliases = Vec<(String, ObjectId)>;

/// What `given` leads to.
pub struct Stand {
    /// The machine at the beginning of the position.
    pub machine: Machine,
    /// The scenario's names.
    pub aliases: Aliases,
}

/// Puts the position together.
///
/// # Errors
/// `E0501`–`E0514` for what is wrong with it: the first thing.
pub fn stand(lookup: Lookup<'_>, program: Arc<Program>, given: &Given, default: Option<&ScenarioDefault>) -> Result<Stand, Diagnostic> {
    let mut plan = plan(lookup, given, default)?;
    if given.setup {
        // Before the set-up every card is in its deck.
        plan.placed.retain(|placed| Some(placed.zone) == program.deck_zone);
    }
    put_together(lookup, program, given, &plan)
}

fn plan(lookup: Lookup<'_>, given: &Given, default: Option<&ScenarioDefault>) -> Result<Plan, Diagnostic> {
    let mut plan = Plan::default();
    let players = lookup.compiler.program().players;
    for seat in given.seats.iter().filter(|seat| seat.seat.text != "shared") {
        lookup.seat(&seat.seat)?;
    }
    for player in (0..players).map(Player) {
        let mut named = Vec::new();
        for seat in &given.seats {
            if seat.seat.text != "shared" && lookup.seat(&seat.seat)? == player {
                plan.seat(lookup, player, seat, &mut named)?;
            }
        }
        for (zone, cards) in default.iter().flat_map(|default| &default.zones) {
            let id = lookup.zone(zone)?;
            if !named.contains(&id) {
                plan.zone(lookup, player, id, cards)?;
            }
        }
    }
    for seat in given.seats.iter().filter(|seat| seat.seat.text == "shared") {
        plan.seat(lookup, Player(0), seat, &mut Vec::new())?;
    }
    Ok(plan)
}

impl Plan {
    fn seat(&mut self, lookup: Lookup<'_>, player: Player, seat: &GivenSeat, named: &mut Vec<ZoneId>) -> Result<(), Diagnostic> {
        let shared = seat.seat.text == "shared";
        for (zone, cards) in &seat.zones {
            let id = lookup.zone(zone)?;
            let each = lookup.compiler.program().zones.get(id).is_some_and(|zone| zone.each_player);
            if each == shared {
                return Err(Diagnostic::error("E0513", zone.span).with("zone", &zone.text).with("seat", &seat.seat.text));
            }
            if named.contains(&id) {
                return Err(Diagnostic::error("E0514", zone.span).with("name", &zone.text));
            }
            named.push(id);
            self.zone(lookup, player, id, cards)?;
        }
        for (name, value) in &seat.values {
            let state = lookup.state(name, true)?;
            self.values.push((player, state, terms::of_state(lookup.compiler, state, value)?));
        }
        Ok(())
    }

    fn zone(&mut self, lookup: Lookup<'_>, player: Player, zone: ZoneId, cards: &[GivenCard]) -> Result<(), Diagnostic> {
        for given in cards {
            let card = lookup.card(&given.card)?;
            let face_up = face(lookup, zone, given)?;
            let mut states = Vec::new();
            for (name, value) in &given.states {
                let state = lookup.state(name, false)?;
                states.push((state, terms::of_state(lookup.compiler, state, value)?));
            }
            if let Some(alias) = &given.alias {
                self.check_alias(given, alias)?;
            }
            let placed = Placed { zone, player, card, face_up, alias: given.alias.clone(), states, span: given.card.span };
            self.placed.extend(std::iter::repeat_n(placed, given.count as usize));
        }
        Ok(())
    }

    fn check_alias(&self, given: &GivenCard, alias: &Name) -> Result<(), Diagnostic> {
        if given.count != 1 {
            return Err(Diagnostic::error("E0509", alias.span).with("name", &alias.text).with("count", given.count));
        }
        let taken = self.placed.iter().filter_map(|placed| placed.alias.as_ref()).any(|other| other.text == alias.text);
        if taken { Err(Diagnostic::error("E0514", alias.span).with("name", &alias.text)) } else { Ok(()) }
    }
}

fn face(lookup: Lookup<'_>, zone: ZoneId, given: &GivenCard) -> Result<Option<bool>, Diagnostic> {
    let Some(face) = &given.face else { return Ok(None) };
    let faces = lookup.compiler.program().zones.get(zone).is_some_and(|zone| zone.has_faces);
    if faces { Ok(Some(face.text == "up")) } else { Err(Diagnostic::error("E0506", face.span).with("face", &face.text)) }
}

fn put_together(lookup: Lookup<'_>, program: Arc<Program>, given: &Given, plan: &Plan) -> Result<Stand, Diagnostic> {
    let phase = given.phase.as_ref().map(|phase| lookup.phase(phase)).transpose()?;
    let number = |expr: &Option<Expr>| expr.as_ref().map(|expr| terms::number(lookup.compiler, expr)).transpose();
    let (turn, seed) = (number(&given.turn)?, number(&given.seed)?);
    let mut machine = Machine::new(Arc::clone(&program));
    machine.record_all(true);
    let mut position = machine.position();
    position.turn(turn.map_or(1, |turn| u32::try_from(turn).unwrap_or(1)));
    position.seed(seed.map_or(1, i64::from).unsigned_abs());
    let mut down: Vec<(ObjectId, &Placed)> = Vec::new();
    // What is written top first is put down bottom first.
    for placed in plan.placed.iter().rev() {
        let id =
            position.place(placed.zone, placed.player, placed.card, placed.face_up).map_err(|full| too_many(&program, placed, full))?;
        placed.states.iter().for_each(|(state, value)| position.card_state(id, *state, *value));
        down.push((id, placed));
    }
    plan.values.iter().for_each(|(player, state, value)| position.player_state(*player, *state, *value));
    down.reverse();
    let aliases: Aliases = down.iter().filter_map(|(id, placed)| placed.alias.as_ref().map(|alias| (alias.text.clone(), *id))).collect();
    for fixed in &given.random {
        let (zone, player, order) = fixed_order(lookup, fixed, &down, &aliases)?;
        position.fix_shuffle(zone, player, order);
    }
    position.begin(if given.setup { Begin::Setup } else { Begin::Phase(phase) });
    Ok(Stand { machine, aliases })
}

fn too_many(program: &Program, placed: &Placed, PositionError::Full { most }: PositionError) -> Diagnostic {
    let name = program.zones.get(placed.zone).map_or("", |zone| &zone.name.name);
    Diagnostic::error("E0505", placed.span).with("zone", name).with("most", most)
}

/// A shuffle laid down: its place and the cards, top first.
fn fixed_order(
    lookup: Lookup<'_>,
    fixed: &Fixed,
    down: &[(ObjectId, &Placed)],
    aliases: &Aliases,
) -> Result<(ZoneId, Player, Vec<ObjectId>), Diagnostic> {
    let impossible = || Diagnostic::error("E0510", fixed.what.span).with("what", &fixed.what.text);
    let of = fixed.of.as_ref().filter(|_| fixed.what.text == "shuffle").ok_or_else(impossible)?;
    let (zone, player) = zone_written(lookup, of).ok_or_else(impossible)??;
    let place = place_of(lookup.compiler.program(), zone, player);
    let mut order = Vec::new();
    for result in &fixed.results {
        let id = match &result.kind {
            ExprKind::Name(name) => aliases.iter().find(|(alias, _)| *alias == name.text).map(|(_, id)| *id),
            ExprKind::Text(text) => {
                let card = lookup.card_called(text, result.span)?;
                let free = |(id, placed): &&(ObjectId, &Placed)| placed.card == card && placed.player == player && !order.contains(id);
                let there = |(_, placed): &&(ObjectId, &Placed)| place_of(lookup.compiler.program(), placed.zone, placed.player) == place;
                let found = down.iter().filter(free).find(there).or_else(|| down.iter().find(free));
                found.map(|(id, _)| *id)
            }
            _ => None,
        };
        order.push(id.ok_or_else(|| Diagnostic::error("E0511", result.span))?);
    }
    Ok((zone, player, order))
}

/// `deck(a)`, or the name of a shared zone.
fn zone_written(lookup: Lookup<'_>, of: &Expr) -> Option<Result<(ZoneId, Player), Diagnostic>> {
    match &of.kind {
        ExprKind::Name(zone) => Some(lookup.zone(zone).map(|zone| (zone, Player(0)))),
        ExprKind::Call(zone, args) => match args.as_slice() {
            [arg] => {
                let ExprKind::Name(seat) = &arg.value.kind else { return None };
                Some(lookup.zone(zone).and_then(|zone| Ok((zone, lookup.seat(seat)?))))
            }
            _ => None,
        },
        _ => None,
    }
}
