//! Writes a position as `given`: only what differs from the game's `given default`.

use super::Names;
use super::answer::card_word;
use super::points::{At, Draw, Point};
use crate::ground::Ground;
use crate::lookup::Lookup;
use crate::terms;
use engine::ids::{CardId, Id, StateId, ZoneId};
use engine::program::{Program, Seen, ZoneDef};
use engine::state::board::{Board, NO_SLOT, place_of};
use engine::value::{ObjectId, Place, Player, Value};
use lang::syntax::ast::GivenCard;
use std::fmt::Write as _;
use tell::seat;

/// A card in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lying {
    card: CardId,
    owner: Player,
    up: bool,
    slot: u8,
    host: Option<ObjectId>,
    /// For a copy: the card that the copying card itself is.
    own: Option<CardId>,
    /// Set for a card that was made during the game. Inside: the card that it stands for, if any.
    made: Option<Option<ObjectId>>,
    states: Vec<(StateId, Value)>,
    /// The controller, if it is not the owner.
    under: Option<Player>,
    name: Option<String>,
}

/// The cards that others are attached to or stand for, and the cards that states hold. They need names.
pub(super) fn held(board: &Board) -> impl Iterator<Item = ObjectId> + '_ {
    let lying = (0..board.zones.len()).flat_map(|place| board.cards(Place(place as u16)));
    let others = lying.filter_map(|id| board.extra(*id)).flat_map(|extra| [extra.host, extra.original]).filter_map(object);
    let in_states = board.card_states.iter().chain(board.player_states.iter()).filter_map(|value| present(board, *value));
    others.chain(in_states)
}

/// The card of a value, if the card lies in a zone and is still in the life that the value names.
fn present(board: &Board, value: Value) -> Option<ObjectId> {
    let id = object(value)?;
    let lies = board.object(id).is_some_and(|object| object.place != Place::NOWHERE);
    (lies && board.reference(id) == value).then_some(id)
}

/// The cards that were picked at random.
pub(super) fn picked(draws: &[Draw]) -> impl Iterator<Item = ObjectId> + '_ {
    draws.iter().flat_map(|draw| if let Draw::Pick(picked) = draw { picked.as_slice() } else { &[] }).copied().filter_map(object)
}

fn object(value: Value) -> Option<ObjectId> {
    if let Value::Object { id, .. } = value { Some(id) } else { None }
}

/// Writes a position.
pub(super) struct Writer<'a> {
    pub ground: &'a Ground,
    pub program: &'a Program,
    pub point: &'a Point,
    pub names: &'a Names,
}

impl Writer<'_> {
    /// The lines between the braces of `given`. None if the position cannot be written.
    pub(super) fn lines(&self, shuffles: &[(Place, Vec<ObjectId>)], draws: &[Draw]) -> Option<String> {
        let mut text = String::new();
        match self.point.at {
            At::Setup => text.push_str("setup\n"),
            At::Turn(turn) => writeln!(text, "turn {turn}").ok()?,
            At::Phase(phase) => {
                let name = &self.program.phases.get(phase)?.name.name;
                writeln!(text, "phase {name}\nturn {}", self.point.board.turn).ok()?;
            }
        }
        for (place, cards) in shuffles {
            let cards = cards.iter().map(|id| self.card(*id)).collect::<Option<Vec<_>>>()?;
            if !cards.is_empty() {
                writeln!(text, "shuffle {}: {}", self.place(*place)?, cards.join(", ")).ok()?;
            }
        }
        for draw in draws {
            match draw {
                Draw::Coin(heads) => writeln!(text, "coin: {}", if *heads { "heads" } else { "tails" }).ok()?,
                Draw::Die(thrown) => writeln!(text, "die: {thrown}").ok()?,
                Draw::Pick(picked) => {
                    let name = |value: &Value| match value {
                        Value::Player(player) => Some(seat(*player).to_string()),
                        value => self.names.get(&object(*value)?).cloned(),
                    };
                    let names: Option<Vec<String>> = picked.iter().map(name).collect();
                    writeln!(text, "pick: {}", names?.join(", ")).ok()?;
                }
            }
        }
        for player in (0..self.program.players).map(Player) {
            let mut lines = self.zones(player, true)?;
            let by = self.point.board.decider(player);
            if by != player {
                lines.insert_str(0, &format!("decided by {}\n", seat(by)));
            }
            lines.push_str(&self.values(player, false)?);
            if !lines.is_empty() {
                write!(text, "{} {{\n{lines}}}\n", seat(player)).ok()?;
            }
        }
        let shared = self.zones(Player(0), false)? + &self.values(Player(0), true)?;
        if !shared.is_empty() {
            write!(text, "shared {{\n{shared}}}\n").ok()?;
        }
        text.push_str(&self.point.effects);
        let compiler = self.ground.compiler();
        text.push_str(&super::waiting::lines(compiler, self.program, &self.point.board, &self.point.waiting, self.names)?);
        Some(text)
    }

    fn card(&self, id: ObjectId) -> Option<String> {
        if let Some(name) = self.names.get(&id) {
            return Some(name.clone());
        }
        let card = self.point.board.object(id)?.card;
        Some(format!("\"{}\"", card_word(self.program, card)?))
    }

    fn place(&self, place: Place) -> Option<String> {
        super::place(self.program, place)
    }

    fn zones(&self, player: Player, each: bool) -> Option<String> {
        let mut text = String::new();
        for (id, zone) in self.program.zones.iter().filter(|(_, zone)| zone.each_player == each) {
            // Before the set-up, all cards are in their decks.
            if self.point.at == At::Setup && self.program.deck_zone != Some(id) {
                continue;
            }
            let cards = self.point.board.cards(place_of(self.program, id, player)).iter().rev();
            let lying = cards.map(|card| self.lying(*card)).collect::<Option<Vec<_>>>()?;
            if self.usual(id, zone, player)? != lying {
                writeln!(text, "{}: {}", zone.name.name, self.row(&lying, zone, player)?).ok()?;
            }
        }
        Some(text)
    }

    fn lying(&self, id: ObjectId) -> Option<Lying> {
        let board = &self.point.board;
        // A card may be shown while an ability waits. The waiting ability will show the card again, so nothing needs to be written.
        let waits = self.program.policies.hidden_are_shown && board.shown_while.iter().any(|(shown, _)| shown.id == id);
        let object = board.object(id).filter(|object| object.shown == 0 || waits)?;
        let extra = self.point.board.extra(id);
        let made = match extra.filter(|extra| extra.made).map(|extra| extra.original) {
            None => None,
            Some(Value::Undefined) => Some(None),
            // If the card that this card stood for has left, no position can say so.
            Some(original) => Some(Some(self::object(original).filter(|of| self.point.board.reference(*of) == original)?)),
        };
        let row = usize::from(id.0) * self.program.states.len();
        let states = self.program.states.iter().filter(|(_, state)| !state.on_players);
        let states = states.filter_map(|(which, state)| {
            let value = state.as_read(*self.point.board.card_states.get(row + which.index())?);
            (value != state.initial).then_some((which, value))
        });
        Some(Lying {
            card: object.card,
            owner: object.owner,
            up: object.face_up,
            slot: self.point.board.slot(id),
            host: self.point.board.host(id),
            own: extra.map(|extra| extra.own).filter(|own| *own != object.card),
            made,
            states: states.collect(),
            under: Some(board.lies_under(id, object.owner).0)
                .filter(|by| *by != self.program.controller_in(object.place).unwrap_or(object.owner)),
            name: self.names.get(&id).cloned(),
        })
    }

    /// The contents of a zone in `given default`, top first.
    fn usual(&self, zone: ZoneId, def: &ZoneDef, player: Player) -> Option<Vec<Lying>> {
        let lookup = Lookup { compiler: self.ground.compiler(), made_up: self.ground.made_up() };
        let Some(default) = self.ground.default() else { return Some(Vec::new()) };
        let named = default.zones.iter().find(|(name, _)| lookup.zone(name).ok() == Some(zone));
        let mut all = Vec::new();
        for given in named.into_iter().flat_map(|(_, cards)| cards) {
            let lying = usual_card(lookup, def, player, given)?;
            all.extend(std::iter::repeat_n(lying, given.count as usize));
        }
        Some(all)
    }

    /// A row: `"X" x3 down, "Y" as x1`.
    fn row(&self, cards: &[Lying], zone: &ZoneDef, player: Player) -> Option<String> {
        if cards.is_empty() {
            return Some("none".to_owned());
        }
        let mut written = Vec::new();
        for run in cards.chunk_by(|a, b| a == b && a.name.is_none()) {
            let Some(first) = run.first() else { continue };
            let mut text = format!("\"{}\"", card_word(self.program, first.own.unwrap_or(first.card))?);
            if run.len() > 1 {
                write!(text, " x{}", run.len()).ok()?;
            }
            if first.owner != player && !zone.owns {
                // A card without an owner can be written only in a zone whose cards have no owner.
                (first.owner != Player::NOBODY).then_some(())?;
                write!(text, " of {}", seat(first.owner)).ok()?;
            }
            if first.own.is_some() {
                write!(text, " like \"{}\"", card_word(self.program, first.card)?).ok()?;
            }
            match first.made {
                Some(Some(original)) => write!(text, " made for {}", self.names.get(&original)?).ok()?,
                Some(None) => text.push_str(" made"),
                None => {}
            }
            if zone.has_faces {
                text.push_str(if first.up { " up" } else { " down" });
            }
            if first.slot != NO_SLOT {
                let place = self.program.enums.get(zone.places?)?.values.get(usize::from(first.slot))?;
                write!(text, " at {}", place.name).ok()?;
            }
            if let Some(host) = first.host {
                write!(text, " on {}", self.names.get(&host)?).ok()?;
            }
            if let Some(name) = &first.name {
                write!(text, " as {name}").ok()?;
            }
            let mut states = first.states.iter().map(|(which, value)| self.assigned(*which, *value)).collect::<Option<Vec<_>>>()?;
            states.extend(first.under.map(|by| format!("controller = {}", seat(by))));
            if !states.is_empty() {
                write!(text, " {{ {} }}", states.join("  ")).ok()?;
            }
            written.push(text);
        }
        Some(written.join(", "))
    }

    fn values(&self, player: Player, of_game: bool) -> Option<String> {
        if self.point.at == At::Setup {
            return Some(String::new());
        }
        let mut text = String::new();
        let row = usize::from(player.0) * self.program.states.len();
        for (which, state) in self.program.states.iter().filter(|(_, state)| state.on_players && state.of_game == of_game) {
            if self.program.holder(which, player) != player {
                // The value of a team is written at the team's first seat.
                continue;
            }
            let value = state.as_read(*self.point.board.player_states.get(row + which.index())?);
            if value != self.usual_value(which).unwrap_or(state.initial) {
                writeln!(text, "{}", self.assigned(which, value)?).ok()?;
            }
        }
        Some(text)
    }

    fn usual_value(&self, state: StateId) -> Option<Value> {
        let lookup = Lookup { compiler: self.ground.compiler(), made_up: self.ground.made_up() };
        let mut values = self.ground.default()?.values.iter();
        let (_, value) = values.find(|(name, _)| lookup.state(name, true).ok() == Some(state))?;
        terms::of_state(self.ground.compiler(), state, value).ok()
    }

    fn assigned(&self, which: StateId, value: Value) -> Option<String> {
        let name = &self.program.states.get(which)?.name.name;
        let value = match value {
            Value::Object { .. } => self.names.get(&present(&self.point.board, value)?)?.clone(),
            other => super::constant(self.program, other)?,
        };
        Some(format!("{name} = {value}"))
    }
}

fn usual_card(lookup: Lookup<'_>, zone: &ZoneDef, player: Player, given: &GivenCard) -> Option<Lying> {
    let mut states = Vec::new();
    for (name, value) in &given.states {
        let state = lookup.state(name, false).ok()?;
        let value = terms::of_state(lookup.compiler, state, value).ok()?;
        if lookup.compiler.program().states.get(state).is_some_and(|state| state.initial != value) {
            states.push((state, value));
        }
    }
    states.sort_by_key(|(state, _)| state.index());
    let up = given.face.as_ref().map_or(zone.seen == Seen::ByAll, |face| face.text == "up");
    let card = lookup.card(&given.card).ok()?;
    let owner = if !zone.owns || zone.each_player { player } else { Player::NOBODY };
    Some(Lying { card, owner, up, slot: NO_SLOT, host: None, own: None, made: None, states, under: None, name: None })
}
