//! Everything that a player may know, as a value; and copies of a game in which the unknown cards are dealt anew.
//!
//! Input: a machine. Output: names and numbers only, no references. So two views are equal exactly when the player cannot tell the two
//! games apart by them. Words for people are in `report/`.

use crate::fault::listed;
use crate::ids::{CardId, Id};
use crate::machine::Machine;
use crate::program::Seen;
use crate::random::Generator;
use crate::state::board::{NO_SLOT, zone_of};
use crate::state::{Effect, Holds, Idle, Status};
use crate::value::{ObjectId, Place, Player, Value};
use crate::visibility::veil::Behind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a player may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerView {
    /// The player who looks, as a seat number from 0.
    pub player: u8,
    /// The players for whom this player decides.
    pub(crate) decides_for: Vec<u8>,
    /// The player's partners.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<u8>,
    /// The number of the turn.
    pub turn: u32,
    /// The phase.
    pub phase: Option<String>,
    /// States and pools of the players.
    pub players: Vec<BTreeMap<String, Seeing>>,
    /// States and pools of the game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub game: BTreeMap<String, Seeing>,
    /// Every zone with its cards, top first.
    pub zones: Vec<ZoneView>,
    /// Continuous effects in force whose source may be known, sorted by clause and source. Their numbers are left out, because gaps between
    /// numbers could tell of other effects.
    pub effects: Vec<EffectView>,
    /// Abilities that wait, oldest first.
    pub waiting: Vec<WaitingView>,
    /// The questions to this player in full. For questions to other players, only the fact that they are asked.
    pub asked: Vec<AskedView>,
    /// Whether the game has ended.
    pub over: bool,
}

/// A zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneView {
    /// Its name.
    pub zone: String,
    /// The player of the zone. None: the zone is shared.
    pub of: Option<u8>,
    /// Its cards, top first.
    pub cards: Vec<CardView>,
}

/// A card where it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardView {
    /// The number of the card in the pool; of a copy, the number of the copied card. None: the card is not known.
    pub card: Option<String>,
    /// The owner, if the player may know this.
    pub owner: Option<u8>,
    /// The controller, if the player may know this.
    pub controller: Option<u8>,
    /// Whether the card lies face up. None: cards have no faces here.
    pub up: Option<bool>,
    /// The place of the card within its zone.
    pub place: Option<u8>,
    /// The card to which it is attached.
    pub host: Option<Seeing>,
    /// The states whose values are not the initial ones. Only for cards that lie open or are known.
    pub states: BTreeMap<String, Seeing>,
    /// Whether the card was made during the game.
    pub made: bool,
}

/// A continuous effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectView {
    /// The number of the clause in the program.
    pub clause: u16,
    /// The source of the effect.
    pub source: Seeing,
    /// The player of the effect.
    pub you: u8,
    /// The things to which the effect applies, if they were fixed when it began.
    pub targets: Option<Vec<Seeing>>,
}

/// An ability that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitingView {
    /// The source of the ability.
    pub source: Seeing,
    /// The controller of the ability.
    pub you: u8,
}

/// A decision that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedView {
    /// The player who is asked.
    pub player: u8,
    /// The name of the choice.
    pub choice: String,
    /// Whether the decision has been made.
    pub answered: bool,
    /// For the player who is asked: the values to choose from, and the least and the greatest number of them.
    pub among: Option<(Vec<Seeing>, u16, u16)>,
    /// For the player who is asked: the first and the last number of a range (none: no end), if any of its numbers can be named and `among`
    /// does not list all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<(i32, Option<i32>)>,
}

/// A value as a player sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Seeing {
    /// The value is undefined, or the player sees nothing of it.
    #[serde(rename = "Undefined")]
    Nothing,
    /// Yes or no.
    Truth(bool),
    /// A number.
    Number(i32),
    /// A player.
    Player(u8),
    /// A value of an enum, a symbol, a text, a card of the pool.
    Word(String),
    /// A card in a zone, counted from the top. The view's zones say which card it is.
    Card {
        /// The zone.
        zone: String,
        /// The player of the zone. None: the zone is shared.
        of: Option<u8>,
        /// The position from the top. None if the player cannot tell which of the zone's cards it is.
        at: Option<u16>,
    },
    /// A card that is no longer the object that was meant.
    Gone,
    /// A zone.
    Zone(String, Option<u8>),
    /// An ability: its card, and its number in the program.
    Ability(Box<Seeing>, u16),
    /// A waiting ability, by its position among the waiting abilities.
    Waiting(u16),
    /// An effect in force, by its place in the order of their beginnings.
    Effect(u16),
    /// A way to act: the option with its arguments.
    Way(String, Vec<Seeing>),
}

impl Machine {
    /// Everything that a player may know now. A change of something that the player may not know changes nothing in it.
    #[must_use]
    pub fn view(&self, player: Player) -> PlayerView {
        let (program, state) = (self.program(), self.state());
        let board = &state.board;
        let everybody = || (0..program.players).map(Player);
        // Behind a veil, the cards of others look as they did when the block began.
        let behind = self.behind_veil(player);
        let looked_at = |of: Player| behind.as_ref().filter(|_| of != player).map_or(self, |behind| &behind.before);
        let players = everybody().map(|of| looked_at(of).states_of(of, false)).collect();
        let game = self.states_of(Player(0), true);
        let places = (0..board.zones.len()).map(|place| Place(place as u16));
        let places = places.filter(|place| zone_of(program, *place).1.is_some() || usize::from(place.0) < program.zones.len());
        let mut effects: Vec<EffectView> =
            everybody().chain(program.owned.then_some(Player::NOBODY)).flat_map(|of| looked_at(of).effects_view(player, of)).collect();
        effects.sort_unstable();
        PlayerView {
            player: player.0,
            decides_for: everybody().filter(|other| *other != player && board.decider(*other) == player).map(|other| other.0).collect(),
            partners: program.team(player).filter(|other| *other != player).map(|other| other.0).collect(),
            turn: board.turn,
            phase: board.phase.and_then(|phase| program.phases.get(phase)).map(|phase| phase.name.name.clone()),
            players,
            game,
            zones: places.map(|place| self.zone_view(player, place, behind.as_ref())).collect(),
            effects,
            waiting: (state.events.pending.iter())
                .filter(|pending| self.is_known(player, pending.source))
                .map(|pending| WaitingView { source: self.seeing(player, pending.source), you: self.eval().whose(pending).0 })
                .collect(),
            asked: self.asked_view(player, behind.as_ref()),
            over: matches!(state.control.status, Status::Over(_)),
        }
    }

    fn is_known(&self, player: Player, source: Value) -> bool {
        let board = &self.state().board;
        match source {
            Value::Object { id, .. } => board.is_over(source) || board.knows(self.program(), player, id),
            _ => true,
        }
    }

    /// The effects in force of one player that another player may know.
    fn effects_view(&self, player: Player, of: Player) -> impl Iterator<Item = EffectView> {
        let in_force = self.state().effects.in_force.iter().filter(move |effect| effect.you == of);
        let known = move |effect: &&Arc<Effect>| self.is_known(player, effect.source) || matches!(effect.holds, Holds::Lasting(_));
        in_force.filter(known).map(move |effect| EffectView {
            clause: effect.clause.0,
            source: self.seeing(player, effect.source),
            you: effect.you.0,
            targets: effect.targets.as_ref().map(|targets| targets.iter().map(|target| self.seeing(player, *target)).collect()),
        })
    }

    fn asked_view(&self, player: Player, behind: Option<&Behind>) -> Vec<AskedView> {
        let program = self.program();
        let looked_at = |value: Value| behind.filter(|behind| behind.is_kept(player, value)).map_or(self, |behind| &behind.before);
        // If nobody else is told of a question, other players see nothing of it.
        let unseen = |choice| program.choices.get(choice).is_some_and(|choice| choice.unseen);
        let told = self.questions().filter(|asked| asked.player == player || !unseen(asked.choice));
        let asked = told.map(|asked| {
            let choice = program.choices.get(asked.choice).map_or_else(String::new, |choice| choice.name.name.clone());
            let domain = || match asked.blind {
                // The answers are positions, in an order that says nothing.
                true => vec![Seeing::Nothing; asked.domain.len()],
                false => asked.domain.iter().map(|value| looked_at(*value).seeing_way(player, asked.lists, *value)).collect(),
            };
            // A player sees nothing of an offer that is not listed.
            let among = (asked.player == player).then(|| (domain(), asked.min, asked.max));
            let numbers = asked.numbers.filter(|_| asked.player == player).map(|numbers| (numbers.least, numbers.greatest));
            AskedView { player: asked.player.0, choice, answered: asked.answered, among, numbers }
        });
        asked.collect()
    }

    /// The states of a player, or of the game. The values of the game are kept with the first seat.
    fn states_of(&self, player: Player, of_game: bool) -> BTreeMap<String, Seeing> {
        let program = self.program();
        let states = program.states.iter().filter(|(_, state)| state.on_players && state.of_game == of_game);
        let value = |id: crate::ids::StateId| {
            let row = usize::from(program.holder(id, player).0) * program.states.len();
            self.state().board.player_states.get(row + id.index()).copied().unwrap_or_default()
        };
        states.map(|(id, state)| (state.name.name.clone(), self.seeing(player, state.as_read(value(id))))).collect()
    }

    fn zone_view(&self, player: Player, place: Place, behind: Option<&Behind>) -> ZoneView {
        let program = self.program();
        let (zone, of) = zone_of(program, place);
        let cards = |machine: &Machine, shown: &dyn Fn(ObjectId) -> bool| -> Vec<CardView> {
            let ids = machine.state().board.cards(place).iter().rev().copied().filter(|id| shown(*id));
            ids.map(|id| machine.card_view(player, id)).collect()
        };
        let cards = match behind.filter(|_| of.is_some_and(|of| of != player)) {
            None => cards(self, &|_| true),
            Some(behind) => {
                let mut all = cards(self, &|id| behind.is_touched(id));
                all.append(&mut cards(&behind.before, &|id| !behind.is_touched(id)));
                all
            }
        };
        let zone = program.zones.get(zone).map_or_else(String::new, |zone| zone.name.name.clone());
        ZoneView { zone, of: of.map(|of| of.0), cards }
    }

    fn card_view(&self, player: Player, id: ObjectId) -> CardView {
        let (program, board) = (self.program(), &self.state().board);
        let unknown =
            CardView { card: None, owner: None, controller: None, up: None, place: None, host: None, states: BTreeMap::new(), made: false };
        let Some(object) = board.object(id) else { return unknown };
        let Some(zone) = program.zones.get(zone_of(program, object.place).0) else { return unknown };
        let seen = board.knows(program, player, id);
        // A face-down card in a public zone is there for all to see, whatever card it is.
        let open = seen || zone.seen == Seen::ByAll;
        // Everybody sees in which place of its zone a card lies, also a card that nobody knows.
        let place = board.extra(id).map(|extra| extra.slot).filter(|slot| *slot != NO_SLOT);
        if !open {
            return CardView { place, ..unknown };
        }
        let card = program.cards.get(object.card).filter(|_| seen).map(|card| card.number.clone());
        let extra = board.extra(id);
        let first = usize::from(id.0) * program.states.len();
        let states = program.states.iter().filter(|(_, state)| !state.on_players);
        let states = states.filter_map(|(at, state)| {
            let value = board.card_states.get(first + at.index()).map(|value| state.as_read(*value));
            let value = value.filter(|value| *value != state.initial)?;
            Some((state.name.name.clone(), self.seeing(player, value)))
        });
        CardView {
            card,
            owner: Some(object.owner).filter(|owner| *owner != Player::NOBODY).map(|owner| owner.0),
            controller: self.controller(id).map(|controller| controller.0),
            up: zone.has_faces.then_some(object.face_up),
            place,
            host: extra.map(|extra| extra.host).filter(|host| *host != Value::Undefined).map(|host| self.seeing(player, host)),
            states: states.collect(),
            made: extra.is_some_and(|extra| extra.made),
        }
    }

    /// Like `seeing`, for a value that may be a way to act. The arguments of the way lie in `lists`.
    fn seeing_way(&self, player: Player, lists: &[Value], value: Value) -> Seeing {
        let Value::Play { count, option, start } = value else { return self.seeing(player, value) };
        let program = self.program();
        let verb = program.options.get(option).and_then(|option| program.verbs.get(option.verb));
        let args = listed(lists, start, count);
        let args = args.iter().map(|arg| self.seeing(player, *arg)).collect();
        Seeing::Way(verb.map_or_else(String::new, |verb| verb.name.name.clone()), args)
    }

    /// A value as a player sees it.
    fn seeing(&self, player: Player, value: Value) -> Seeing {
        let (program, state) = (self.program(), self.state());
        match value {
            Value::Undefined | Value::List { .. } | Value::Play { .. } => Seeing::Nothing,
            Value::Group(group) => Seeing::Word(program.groups.get(group).map_or_else(String::new, |group| group.name.clone())),
            Value::Bool(truth) => Seeing::Truth(truth),
            Value::Number(number) => Seeing::Number(number),
            Value::Player(player) => Seeing::Player(player.0),
            Value::Enum(of, at) => {
                let value = program.enums.get(of).and_then(|of| of.values.get(usize::from(at)));
                Seeing::Word(value.map_or_else(String::new, |value| value.name.clone()))
            }
            Value::Symbol(text) | Value::Text(text) => Seeing::Word(program.texts.get(text).cloned().unwrap_or_default()),
            Value::Card(card) => Seeing::Word(program.cards.get(card).map_or_else(String::new, |card| card.number.clone())),
            Value::Object { .. } if state.board.is_over(value) => Seeing::Gone,
            Value::Object { id, .. } => self.where_seen(player, id),
            Value::Zone(place) => {
                let (zone, of) = zone_of(program, place);
                let zone = program.zones.get(zone).map_or_else(String::new, |zone| zone.name.name.clone());
                Seeing::Zone(zone, of.map(|of| of.0))
            }
            Value::Ability { of, ability, .. } => {
                let known = state.board.knows(program, player, of);
                Seeing::Ability(Box::new(self.where_seen(player, of)), if known { ability.0 } else { u16::MAX })
            }
            // Players are told of an event when it happens. A cause names the player of the effect, who was told as well.
            Value::Event(_) => Seeing::Nothing,
            Value::Cause { what, id, life, performer } => {
                let of = Value::Object { id, life: life.number() };
                let of = if state.board.object(id).is_some() { self.seeing(player, of) } else { Seeing::Nothing };
                Seeing::Way(format!("{what} {performer}"), vec![of])
            }
            Value::Pending(number) => {
                // Waiting abilities whose source the player does not know are not counted.
                let known = |source: Value| match source {
                    Value::Object { id, .. } => state.board.is_over(source) || state.board.knows(program, player, id),
                    _ => true,
                };
                let mut waiting = state.events.pending.iter().filter(|pending| pending.number == number || known(pending.source));
                let at = waiting.position(|pending| pending.number == number);
                at.map_or(Seeing::Nothing, |at| Seeing::Waiting(at as u16))
            }
            Value::Effect(number) => {
                let at = state.effects.in_force.iter().position(|effect| effect.number == number);
                at.map_or(Seeing::Nothing, |at| Seeing::Effect(at as u16))
            }
        }
    }

    fn where_seen(&self, player: Player, id: ObjectId) -> Seeing {
        let (program, board) = (self.program(), &self.state().board);
        let Some(object) = board.object(id).filter(|object| object.place != Place::NOWHERE) else { return Seeing::Gone };
        let (zone, of) = zone_of(program, object.place);
        let def = program.zones.get(zone);
        let lies_openly = def.is_some_and(|zone| zone.seen == Seen::ByAll || zone.ordered) || board.knows(program, player, id);
        let at = board.cards(object.place).iter().rev().position(|other| *other == id).filter(|_| lies_openly);
        let zone = def.map_or_else(String::new, |zone| zone.name.name.clone());
        Seeing::Card { zone, of: of.map(|of| of.0), at: at.map(|at| at as u16) }
    }

    /// A copy of the game for a player who searches. Everything that the player may know stays as it is. The hidden cards of each owner are
    /// dealt anew among the places where hidden cards of that owner lie. If zones own cards, all hidden cards are dealt among all these
    /// places. Future random numbers are different. Questions to other players stay as they are, and so does everything that running
    /// procedures have read of hidden cards.
    #[must_use]
    pub fn dealt_anew(&self, player: Player, seed: u64) -> Machine {
        let mut copy = self.clone();
        let program = std::sync::Arc::clone(self.program());
        let mut generator = Generator::new(seed);
        let state = copy.state_mut();
        // An action that came to nothing here has come to nothing in the copy too. So the copy tries it again exactly when the game does.
        let idle = state.control.idle.take();
        let idle = idle.filter(|idle| idle.is_of(state));
        let hidden = |board: &crate::state::board::Board, id: ObjectId| {
            let there = board.object(id).is_some_and(|object| object.place != Place::NOWHERE);
            there && !board.knows(&program, player, id)
        };
        // If owners change with the zones, hidden cards are dealt among all places with hidden cards. Otherwise the owner of a card would
        // tell which cards it is not.
        let owners = if program.owned { 1 } else { program.players };
        for owner in (0..owners).map(Player) {
            let all = (0..state.board.objects.len()).map(|at| ObjectId(at as u16));
            let own = |id: &ObjectId| state.board.object(*id).is_some_and(|object| program.owned || object.owner == owner);
            let ids: Vec<ObjectId> = all.filter(own).filter(|id| hidden(&state.board, *id)).collect();
            let mut cards: Vec<CardId> = ids.iter().filter_map(|id| state.board.object(*id)).map(|object| object.card).collect();
            generator.shuffle(&mut cards);
            for (id, card) in ids.iter().zip(cards) {
                state.deactivate(&program, *id);
                state.board.versions.touch_lying();
                if let Some(object) = state.board.objects.get_mut(usize::from(id.0)) {
                    object.card = card;
                }
                if let Some(extra) = state.board.extra_mut(*id) {
                    extra.own = card;
                }
                state.activate(&program, *id);
            }
        }
        state.settle(&program, crate::bits::Spots::ALL);
        state.control.idle = idle.map(|idle| {
            let Idle { board, effects, .. } = Idle::at(state);
            Arc::new(Idle { board, effects, ..idle.as_ref().clone() })
        });
        state.generator = generator;
        state.fixed_shuffles.clear();
        state.fixed_draws.clear();
        copy
    }
}
