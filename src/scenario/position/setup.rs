//! `given`: puts a position together, before the game goes on from it.
//!
//! Input: the scenario's `given` and the game's `given default`. Output: a machine at the position, and the scenario's names for cards. A
//! position that the rules can never reach (an unknown zone, too many cards, a face in a zone without faces) is refused. Procedures in
//! progress and roles cannot be given; a scenario plays to reach them.

use crate::lookup::Lookup;
use crate::running::answers::is_word_of_answers;
use crate::terms;
use compile::is_own_word;
use engine::ids::{CardId, RoutineId, StateId, ZoneId};
use engine::limits::CARDS;
use engine::machine::Machine;
use engine::program::{Program, Type};
use engine::state::board::{Board, place_of};
use engine::state::placed_abilities::Waiting;
use engine::state::position::{Begin, Position, PositionError};
use engine::value::{ObjectId, Player, Value};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Expr, ExprKind, Fixed, Given, GivenCard, GivenSeat, Name, ScenarioDefault, Text};
use std::sync::Arc;

/// A card to be put down.
#[derive(Clone, Debug)]
struct Placed {
    zone: ZoneId,
    player: Player,
    owner: Player,
    card: CardId,
    face_up: Option<bool>,
    slot: Option<u8>,
    host: Option<Box<Name>>,
    /// For a copy: the card that the copying card itself is.
    own: Option<CardId>,
    made: Option<Option<Box<Name>>>,
    alias: Option<Box<Name>>,
    states: Vec<(StateId, Value)>,
    /// The states that hold a card, with the scenario's name for this card.
    holds: Vec<(StateId, Name)>,
    /// The controller, if one is given.
    under: Option<Player>,
    span: Span,
}

/// A position as numbers. The cards of each place stand top first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    placed: Vec<Placed>,
    values: Vec<(Player, StateId, Value)>,
    /// The values of players and of the game that are cards, with the scenario's names for these cards.
    holds: Vec<(Player, StateId, Name)>,
    /// The values that the scenario gives to players and teams. None may be given twice, also not by two members of a team.
    given: Vec<(Player, StateId)>,
    deciders: Vec<(Player, Player)>,
    waiting: Vec<Option<Name>>,
    turn: Option<i32>,
}

/// The thing that a scenario's name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A card.
    Card(ObjectId),
    /// A waiting ability, by its number.
    Waiting(u32),
}

impl Named {
    /// The card.
    #[must_use]
    pub fn card(self) -> Option<ObjectId> {
        if let Named::Card(id) = self { Some(id) } else { None }
    }

    /// The value; a card as it is now.
    #[must_use]
    pub fn now(self, board: &Board) -> Value {
        match self {
            Named::Card(id) => board.reference(id),
            Named::Waiting(number) => Value::Pending(number),
        }
    }

    /// The value at the beginning of the position.
    #[must_use]
    pub fn first(self) -> Value {
        match self {
            Named::Card(id) => Value::Object { id, life: 0 },
            Named::Waiting(number) => Value::Pending(number),
        }
    }
}

/// The names that a scenario gives to cards and to waiting abilities.
pub(crate) type Aliases = Vec<(String, Named)>;

/// The card of that name.
pub(crate) fn card_named(aliases: &Aliases, name: &str) -> Option<ObjectId> {
    aliases.iter().find(|(alias, _)| alias == name).and_then(|(_, named)| named.card())
}

/// The result of `given`.
pub(crate) struct Stand {
    /// The machine at the beginning of the position.
    pub machine: Machine,
    /// The scenario's names.
    pub aliases: Aliases,
}

/// The contents of the position.
///
/// # Errors
/// The first of `E0501`–`E0515`.
pub(crate) fn plan(lookup: Lookup<'_>, given: &Given, default: Option<&ScenarioDefault>) -> Result<Plan, Diagnostic> {
    let mut plan = all(lookup, given, default)?;
    if given.setup {
        only_decks(lookup, given)?;
        // Before the set-up, every card is in its deck.
        let deck = lookup.compiler.program().deck_zone;
        plan.placed.retain(|placed| Some(placed.zone) == deck);
    }
    Ok(plan)
}

fn all(lookup: Lookup<'_>, given: &Given, default: Option<&ScenarioDefault>) -> Result<Plan, Diagnostic> {
    let default_turn = default.and_then(|default| default.turn.as_ref());
    let turn = given.turn.as_ref().or(default_turn).map(|turn| first_or_later(lookup, turn)).transpose()?;
    let mut plan = Plan { turn, ..Plan::default() };
    let players = lookup.compiler.program().players;
    for seat in given.seats.iter().filter(|seat| seat.seat.text != "shared") {
        lookup.seat(&seat.seat)?;
    }
    for player in (0..players).map(Player) {
        if let Some(default) = default {
            plan.usual_values(lookup, player, &default.values)?;
        }
        let mut named = Vec::new();
        for seat in &given.seats {
            if seat.seat.text != "shared" && lookup.seat(&seat.seat)? == player {
                plan.seat(lookup, player, seat, &mut named)?;
            }
        }
        plan.unnamed(lookup, player, default, &named, true)?;
    }
    let mut named = Vec::new();
    for seat in given.seats.iter().filter(|seat| seat.seat.text == "shared") {
        plan.seat(lookup, Player(0), seat, &mut named)?;
    }
    plan.unnamed(lookup, Player(0), default, &named, false)?;
    for waiting in &given.waiting {
        if let Some(alias) = &waiting.alias {
            plan.check_free(alias)?;
        }
        plan.waiting.push(waiting.alias.clone());
    }
    Ok(plan)
}

impl Plan {
    /// The object of each named card. Objects are numbered from the card that is written last.
    #[must_use]
    pub(crate) fn aliases(&self) -> Aliases {
        let named = self.placed.iter().rev().zip(0..).filter_map(|(placed, at)| Some((placed.alias.as_ref()?, ObjectId(at))));
        let cards = named.map(|(alias, id)| (alias.text.clone(), Named::Card(id)));
        let waiting = self.waiting.iter().zip(0..).filter_map(|(alias, number)| Some((alias.as_ref()?, number)));
        cards.chain(waiting.map(|(alias, number)| (alias.text.clone(), Named::Waiting(number)))).collect()
    }

    /// The card of an object.
    #[must_use]
    pub(crate) fn card_of(&self, id: ObjectId) -> Option<CardId> {
        self.placed.iter().rev().nth(usize::from(id.0)).map(|placed| placed.card)
    }

    fn seat(&mut self, lookup: Lookup<'_>, player: Player, seat: &GivenSeat, named: &mut Vec<ZoneId>) -> Result<(), Diagnostic> {
        let shared = seat.seat.text == "shared";
        if let Some(by) = &seat.decider {
            self.deciders.push((lookup.seat(&seat.seat)?, lookup.seat(by)?));
        }
        for (zone, cards) in &seat.zones {
            let id = lookup.zone(zone)?;
            if lookup.compiler.program().zones.get(id).is_some_and(|zone| zone.abilities) && !cards.is_empty() {
                return Err(Diagnostic::error("E0629", zone.span).with("zone", &zone.text));
            }
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
        for (name, _) in &seat.values {
            lookup.state_of(name, &seat.seat, shared)?;
        }
        self.values(lookup, player, &seat.values)
    }

    /// The values of a seat for which the scenario says nothing. A team's value belongs to its first seat, a value of the game to the first
    /// player.
    fn usual_values(&mut self, lookup: Lookup<'_>, player: Player, values: &[(Name, Expr)]) -> Result<(), Diagnostic> {
        for (name, value) in values {
            let state = lookup.state(name, true)?;
            let program = lookup.compiler.program();
            let of_game = program.states.get(state).is_some_and(|state| state.of_game);
            if program.holder(state, player) == player && (player == Player(0) || !of_game) {
                self.value(lookup, player, state, (name, value))?;
            }
        }
        Ok(())
    }

    fn values(&mut self, lookup: Lookup<'_>, player: Player, values: &[(Name, Expr)]) -> Result<(), Diagnostic> {
        for (name, value) in values {
            let state = lookup.state(name, true)?;
            let holder = lookup.compiler.program().holder(state, player);
            if self.given.contains(&(holder, state)) {
                return Err(Diagnostic::error("E0514", name.span).with("name", &name.text));
            }
            self.given.push((holder, state));
            self.value(lookup, holder, state, (name, value))?;
        }
        Ok(())
    }

    fn value(&mut self, lookup: Lookup<'_>, holder: Player, state: StateId, (name, value): (&Name, &Expr)) -> Result<(), Diagnostic> {
        match card_held(lookup, state, value) {
            Some(card) => self.holds.push((holder, state, card.clone())),
            None => self.values.push((holder, state, of_state(lookup, state, name, value)?)),
        }
        Ok(())
    }

    /// The zones that a scenario does not name: each player's own, or the shared ones.
    fn unnamed(
        &mut self,
        lookup: Lookup<'_>,
        player: Player,
        default: Option<&ScenarioDefault>,
        named: &[ZoneId],
        each: bool,
    ) -> Result<(), Diagnostic> {
        for (zone, cards) in default.iter().flat_map(|default| &default.zones) {
            let id = lookup.zone(zone)?;
            let of_players = lookup.compiler.program().zones.get(id).is_some_and(|zone| zone.each_player);
            if of_players == each && !named.contains(&id) {
                self.zone(lookup, player, id, cards)?;
            }
        }
        Ok(())
    }

    fn zone(&mut self, lookup: Lookup<'_>, player: Player, zone: ZoneId, cards: &[GivenCard]) -> Result<(), Diagnostic> {
        for given in cards {
            let there = self.placed.iter().filter(|placed| placed.player == player).count();
            check_number(given.count, there, &given.card)?;
            let printed = lookup.card(&given.card)?;
            let like = given.like.as_ref().map(|like| lookup.card(like)).transpose()?;
            let (card, own) = (like.unwrap_or(printed), like.map(|_| printed));
            let face_up = face(lookup, zone, given)?;
            let owner = given.owner.as_ref().map_or(Ok(player), |owner| lookup.seat(owner))?;
            if let Some(of) = given.owner.as_ref().filter(|_| lookup.compiler.program().zones.get(zone).is_some_and(|zone| zone.owns)) {
                return Err(Diagnostic::error("E0553", of.span).with("card", &given.card.text));
            }
            let (mut states, mut holds, mut under) = (Vec::new(), Vec::new(), None);
            for (name, value) in &given.states {
                if let Some(seat) = lookup.controller(name, value).transpose()? {
                    under = Some(seat);
                    continue;
                }
                let state = lookup.state(name, false)?;
                match card_held(lookup, state, value) {
                    Some(card) => holds.push((state, card.clone())),
                    None => states.push((state, of_state(lookup, state, name, value)?)),
                }
            }
            if let Some(alias) = &given.alias {
                self.check_alias(given, alias)?;
            }
            let slot = given.place.as_ref().map(|place| slot(lookup, zone, place)).transpose()?;
            self.check_place(lookup, (zone, player), slot, given)?;
            let (host, made, alias) = (given.host.clone(), given.made.clone(), given.alias.clone());
            let placed =
                Placed { zone, player, owner, card, face_up, slot, host, own, made, alias, states, holds, under, span: given.card.span };
            self.placed.extend(std::iter::repeat_n(placed, given.count as usize));
        }
        Ok(())
    }

    /// `E0505` if a place of a zone would hold more cards than it can.
    fn check_place(
        &self,
        lookup: Lookup<'_>,
        (zone, player): (ZoneId, Player),
        slot: Option<u8>,
        given: &GivenCard,
    ) -> Result<(), Diagnostic> {
        let program = lookup.compiler.program();
        let Some(def) = program.zones.get(zone) else { return Ok(()) };
        let (Some(most), Some(_)) = (def.capacity_each, slot) else { return Ok(()) };
        let lies_there = |placed: &&Placed| place_of(program, placed.zone, placed.player) == place_of(program, zone, player);
        let there = self.placed.iter().filter(lies_there).filter(|placed| placed.slot == slot).count();
        if there + given.count as usize <= usize::from(most) {
            return Ok(());
        }
        let place = given.place.as_ref().map_or("", |place| &place.text);
        Err(Diagnostic::error("E0505", given.card.span).with("zone", &def.name.name).with("place", place).with("each", most))
    }

    fn check_alias(&self, given: &GivenCard, alias: &Name) -> Result<(), Diagnostic> {
        if given.count != 1 {
            return Err(Diagnostic::error("E0509", alias.span).with("name", &alias.text).with("count", given.count));
        }
        self.check_free(alias)
    }

    /// `E0385` if the name is a word of the language, or of answers; `E0514` if the name is already given.
    fn check_free(&self, alias: &Name) -> Result<(), Diagnostic> {
        if is_own_word(&alias.text) || is_word_of_answers(&alias.text) {
            return Err(Diagnostic::error("E0385", alias.span).with("name", &alias.text));
        }
        let cards = self.placed.iter().filter_map(|placed| placed.alias.as_deref());
        let taken = cards.chain(self.waiting.iter().flatten()).any(|other| other.text == alias.text);
        if taken { Err(Diagnostic::error("E0514", alias.span).with("name", &alias.text)) } else { Ok(()) }
    }
}

/// The scenario's name for the card that a state holds. All cards have to lie there before the card of a name is known.
fn card_held<'e>(lookup: Lookup<'_>, state: StateId, value: &'e Expr) -> Option<&'e Name> {
    let of_card = lookup.compiler.program().states.get(state).is_some_and(|def| def.of == Type::Card && def.members.is_none());
    match &value.kind {
        ExprKind::Name(name) if of_card && name.text != "none" => Some(name),
        _ => None,
    }
}

/// A state's value, checked against its declaration.
fn of_state(lookup: Lookup<'_>, state: StateId, name: &Name, value: &Expr) -> Result<Value, Diagnostic> {
    let read = terms::of_state(lookup.compiler, state, value)?;
    let least = lookup.compiler.program().states.get(state).and_then(|state| state.at_least);
    match (least, read.number()) {
        (Some(least), Some(number)) if number < least => {
            Err(Diagnostic::error("E0518", value.span).with("state", &name.text).with("least", least))
        }
        _ => Ok(read),
    }
}

/// Checks that every card is in its deck, as before the set-up.
fn only_decks(lookup: Lookup<'_>, given: &Given) -> Result<(), Diagnostic> {
    let deck = lookup.compiler.program().deck_zone;
    if let Some(phase) = &given.phase {
        return Err(Diagnostic::error("E0535", phase.span));
    }
    if let Some(by) = given.seats.iter().find_map(|seat| seat.decider.as_ref()) {
        return Err(Diagnostic::error("E0539", by.span));
    }
    let cards = given.seats.iter().flat_map(|seat| &seat.zones).flat_map(|(_, cards)| cards);
    if let Some(card) = cards.into_iter().find(|card| card.like.is_some() || card.made.is_some()) {
        return Err(Diagnostic::error("E0632", card.card.span));
    }
    for (zone, cards) in given.seats.iter().flat_map(|seat| &seat.zones) {
        if !cards.is_empty() && Some(lookup.zone(zone)?) != deck {
            return Err(Diagnostic::error("E0536", zone.span).with("zone", &zone.text));
        }
    }
    Ok(())
}

/// `E0515` if a seat would get more cards than it can have: this many copies and the cards that are there already.
///
/// # Errors
/// The finding.
pub(crate) fn check_number(count: u32, there: usize, card: &Text) -> Result<(), Diagnostic> {
    if count as usize <= CARDS.saturating_sub(there) {
        return Ok(());
    }
    Err(Diagnostic::error("E0515", card.span).with("count", count).with("name", &card.text).with("most", CARDS))
}

/// The number of a turn.
fn first_or_later(lookup: Lookup<'_>, turn: &Expr) -> Result<i32, Diagnostic> {
    let number = terms::number(lookup.compiler, turn)?;
    if number < 1 { Err(Diagnostic::error("E0519", turn.span)) } else { Ok(number) }
}

fn face(lookup: Lookup<'_>, zone: ZoneId, given: &GivenCard) -> Result<Option<bool>, Diagnostic> {
    let Some(face) = &given.face else { return Ok(None) };
    let faces = lookup.compiler.program().zones.get(zone).is_some_and(|zone| zone.has_faces);
    if faces { Ok(Some(face.text == "up")) } else { Err(Diagnostic::error("E0506", face.span).with("face", &face.text)) }
}

/// The place of a zone with that name.
///
/// # Errors
/// `E0537` for a place that the zone does not have.
pub(crate) fn slot(lookup: Lookup<'_>, zone: ZoneId, place: &Name) -> Result<u8, Diagnostic> {
    let program = lookup.compiler.program();
    let zone = program.zones.get(zone);
    let values = zone.and_then(|zone| zone.places).and_then(|of| program.enums.get(of)).map_or(&[][..], |of| &of.values);
    let at = values.iter().position(|value| value.name == place.text || value.label == place.text);
    at.and_then(|at| u8::try_from(at).ok()).ok_or_else(|| {
        let words = values.iter().map(|value| value.name.as_str());
        let zone = zone.map_or("", |zone| zone.name.name.as_str());
        Diagnostic::error("E0537", place.span).with("place", &place.text).with("zone", zone).suggest(&place.text, words)
    })
}

/// Puts the position together on a fresh machine. `effects`: the bodies that begin the effects in force, with their cards. `waiting`: the
/// waiting abilities.
///
/// # Errors
/// The first error in the position.
pub(crate) fn stand(
    lookup: Lookup<'_>,
    mut machine: Machine,
    given: &Given,
    plan: &Plan,
    (effects, waiting): (&[(RoutineId, Option<ObjectId>)], Vec<Waiting>),
) -> Result<Stand, Diagnostic> {
    let phase = given.phase.as_ref().map(|phase| lookup.phase(phase)).transpose()?;
    let number = |expr: &Option<Expr>| expr.as_ref().map(|expr| terms::number(lookup.compiler, expr)).transpose();
    let seed = number(&given.seed)?;
    let program = Arc::clone(machine.program());
    machine.record_all(true);
    let mut position = machine.position();
    position.turn(plan.turn.map_or(1, |turn| u32::try_from(turn).unwrap_or(1)));
    // A seed may be any number; different numbers are different seeds.
    position.seed(seed.map_or(1, i64::from).cast_unsigned());
    if let Some(placed) = plan.placed.iter().find(|placed| !program.extras && (placed.made.is_some() || placed.own.is_some())) {
        return Err(Diagnostic::error("E0631", placed.span));
    }
    let mut down: Vec<(ObjectId, &Placed)> = Vec::new();
    // Cards are written from the top and put down from the bottom.
    for placed in plan.placed.iter().rev() {
        let id = position
            .place_of(placed.owner, placed.zone, placed.player, placed.card, placed.face_up)
            .map_err(|full| too_many(&program, placed, full))?;
        placed.states.iter().for_each(|(state, value)| position.card_state(id, *state, *value));
        placed.under.into_iter().for_each(|by| position.under(id, by));
        down.push((id, placed));
    }
    plan.values.iter().for_each(|(player, state, value)| position.player_state(*player, *state, *value));
    plan.deciders.iter().for_each(|(player, by)| position.decides(*player, *by));
    down.reverse();
    let aliases = plan.aliases();
    for (player, state, name) in &plan.holds {
        position.player_state(*player, *state, Value::Object { id: named(&aliases, name, None)?, life: 0 });
    }
    for (id, placed) in &down {
        finish_card(&mut position, *id, placed, &aliases)?;
    }
    for fixed in &given.random {
        if fixed.what.text != "shuffle" {
            fixed_draws(lookup, fixed, &down, &aliases)?.into_iter().for_each(|draw| position.fix_draw(draw));
            continue;
        }
        let (zone, player, order) = fixed_order(lookup, fixed, &down, &aliases)?;
        position.fix_shuffle(zone, player, order);
    }
    effects.iter().for_each(|(body, source)| position.in_force(*body, *source));
    for waiting in waiting {
        position.waits(waiting);
    }
    position.begin(if given.setup { Begin::Setup } else { Begin::Phase(phase) });
    Ok(Stand { machine, aliases })
}

/// Sets the parts of a placed card that name other cards (its host, states that hold cards), and its place in the zone.
fn finish_card(position: &mut Position<'_>, id: ObjectId, placed: &Placed, aliases: &Aliases) -> Result<(), Diagnostic> {
    for (state, name) in &placed.holds {
        position.card_state(id, *state, Value::Object { id: named(aliases, name, None)?, life: 0 });
    }
    if let Some(slot) = placed.slot {
        position.put_at(id, slot);
    }
    if let Some(host) = &placed.host {
        position.attach(id, named(aliases, host, Some(id))?);
    }
    if let Some(original) = &placed.made {
        position.made(id, original.as_deref().map(|name| named(aliases, name, Some(id))).transpose()?);
    }
    if let Some(own) = placed.own {
        position.copied(id, own);
    }
    Ok(())
}

/// The card with that name in the position, other than `except`.
fn named(aliases: &Aliases, name: &Name, except: Option<ObjectId>) -> Result<ObjectId, Diagnostic> {
    let found = card_named(aliases, &name.text).filter(|id| Some(*id) != except);
    found.ok_or_else(|| Diagnostic::error("E0538", name.span).with("name", &name.text))
}

fn too_many(program: &Program, placed: &Placed, PositionError::Full { most }: PositionError) -> Diagnostic {
    let name = program.zones.get(placed.zone).map_or("", |zone| &zone.name.name);
    Diagnostic::error("E0505", placed.span).with("zone", name).with("most", most)
}

/// The results of fixed coins (`heads`, `tails`), dice (numbers) and picks (cards).
fn fixed_draws(lookup: Lookup<'_>, fixed: &Fixed, down: &[(ObjectId, &Placed)], aliases: &Aliases) -> Result<Vec<Value>, Diagnostic> {
    let wrong = |span: Span| Diagnostic::error("E0511", span);
    crate::position::lots::impossible(lookup.compiler.program(), fixed).map_or(Ok(()), Err)?;
    let mut draws = Vec::new();
    for result in &fixed.results {
        draws.push(match (fixed.what.text.as_str(), &result.kind) {
            ("coin", ExprKind::Name(name)) if name.text == "heads" => Value::Bool(true),
            ("coin", ExprKind::Name(name)) if name.text == "tails" => Value::Bool(false),
            ("die", _) => Value::Number(terms::number(lookup.compiler, result)?),
            ("pick", ExprKind::Name(name)) => {
                let card = card_named(aliases, &name.text).map(|id| Value::Object { id, life: 0 });
                card.or_else(|| lookup.seat(name).ok().map(Value::Player)).ok_or_else(|| wrong(result.span))?
            }
            ("pick", ExprKind::Text(text)) => {
                let card = lookup.card_called(text, result.span)?;
                let id = down.iter().find(|(_, placed)| placed.card == card).map(|(id, _)| *id);
                id.map(|id| Value::Object { id, life: 0 }).ok_or_else(|| wrong(result.span))?
            }
            _ => return Err(wrong(result.span)),
        });
    }
    Ok(draws)
}

/// A fixed shuffle: its place, and the cards, top first.
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
            ExprKind::Name(name) => card_named(aliases, &name.text),
            ExprKind::Text(text) => {
                let card = lookup.card_called(text, result.span)?;
                let free = |(id, placed): &&(ObjectId, &Placed)| placed.card == card && placed.player == player && !order.contains(id);
                let there = |(_, placed): &&(ObjectId, &Placed)| place_of(lookup.compiler.program(), placed.zone, placed.player) == place;
                // A card with a scenario's name is meant only by that name.
                let unnamed = |(_, placed): &&(ObjectId, &Placed)| placed.alias.is_none();
                let found = down.iter().filter(free).filter(unnamed).find(there);
                let found = found.or_else(|| down.iter().filter(free).find(there)).or_else(|| down.iter().find(free));
                found.map(|(id, _)| *id)
            }
            _ => None,
        };
        order.push(id.ok_or_else(|| Diagnostic::error("E0511", result.span))?);
    }
    Ok((zone, player, order))
}

/// A place: `deck(a)`, or the name of a shared zone.
pub(crate) fn zone_written(lookup: Lookup<'_>, of: &Expr) -> Option<Result<(ZoneId, Player), Diagnostic>> {
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
