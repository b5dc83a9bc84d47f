//! Turns expressions into residuals: fills in everything that is known before the game.

use super::track::{Residual, Slot};
use crate::engine::ids::{ArgsId, FieldId, Id, NodeId, Reg, StateId, VerbId, ZoneId};
use crate::engine::plan::shapes::{Shape, Shapes};
use crate::engine::program::{Node, Program};
use crate::engine::state::board::{place_of, zone_of};
use crate::engine::value::{Place, Player, Value};

/// The content of a register while acts are made.
#[derive(Clone, Debug)]
pub enum Sym {
    /// This value.
    Known(Value),
    /// A value that is computed during the game, in a slot.
    Found(Slot),
    /// A list of these values, all known.
    List(Vec<Value>),
    /// Something that no expression may read.
    Unknown,
}

/// The values of names while acts are made.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// The registers.
    pub registers: Vec<Sym>,
    /// The card of the computed field that is being turned into a residual.
    pub this: Whose,
}

/// The card of the computed field that is being turned into a residual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Whose {
    /// No card: `this` is the source of the action.
    #[default]
    Source,
    /// The card in a slot.
    Of(Slot),
    /// The top (`true`) or bottom card of a place; the card belongs to that player.
    At(bool, Place, Player),
}

impl Env {
    /// What a register holds.
    #[must_use]
    pub fn get(&self, reg: Reg) -> Sym {
        self.registers.get(reg.index()).cloned().unwrap_or(Sym::Unknown)
    }

    /// Puts something into a register.
    pub fn set(&mut self, reg: Reg, sym: Sym) {
        if reg == Reg::NONE {
            return;
        }
        if self.registers.len() <= reg.index() {
            self.registers.resize(reg.index() + 1, Sym::Unknown);
        }
        if let Some(slot) = self.registers.get_mut(reg.index()) {
            *slot = sym;
        }
    }
}

/// Turns expressions into residuals.
pub struct Folder<'p> {
    /// The game.
    pub program: &'p Program,
    /// The shapes of the program's expressions.
    pub shapes: &'p Shapes,
    /// The number of slots so far.
    pub slots: Slot,
    /// The acting player, if known (in an immediate rule). Then there is no source.
    pub you: Option<Player>,
    /// Whether no card has abilities.
    pub textless: bool,
    /// Slots that hold the top or bottom card of a place of that player.
    pub ends: Vec<(Slot, Place, Player)>,
    /// The computed fields so far: card, expression, residual. An equal field gets the equal residual, so that it is computed once.
    pub derived: Vec<(Residual, NodeId, Residual)>,
    /// The states of players that have been set to known values on every path to this point.
    pub facts: Vec<(Player, StateId, Value)>,
    /// Whether the last instruction was done, if that is known.
    pub done: Option<bool>,
    /// The player who lost by the last instruction, if it was a loss.
    pub lost: Option<Player>,
}

impl Folder<'_> {
    /// Makes a new slot.
    pub fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    /// The residual of an expression. `None` if there is no residual for it.
    pub fn residual(&mut self, env: &Env, id: NodeId) -> Option<Residual> {
        if let Shape::Pair(table, a, b) = self.shapes.get(id) {
            return Some(Residual::Pair(table, Box::new([self.residual(env, a)?, self.residual(env, b)?])));
        }
        Some(match *self.program.nodes.get(id)? {
            Node::Const(value) => Residual::Const(value),
            Node::Local(reg) => match env.get(reg) {
                Sym::Known(value) => Residual::Const(value),
                Sym::Found(slot) => Residual::Slot(slot),
                Sym::List(_) | Sym::Unknown => return None,
            },
            Node::You => match env.this {
                Whose::Source => self.you.map_or(Residual::You, |player| Residual::Const(Value::Player(player))),
                Whose::Of(slot) => Residual::Owner(Box::new(Residual::Slot(slot))),
                Whose::At(_, _, owner) => Residual::Const(Value::Player(owner)),
            },
            Node::This => match env.this {
                Whose::Source => self.you.map_or(Residual::This, |_| Residual::Const(Value::Undefined)),
                Whose::Of(slot) => Residual::Slot(slot),
                Whose::At(top, place, _) => Residual::CardAt(top, place),
            },
            Node::Not(a) => not(self.residual(env, a)?),
            Node::And(a, b) => match self.residual(env, a)? {
                Residual::Const(value) if !value.is_true() => Residual::Const(Value::Bool(false)),
                Residual::Const(_) => self.residual(env, b)?,
                a => Residual::And(Box::new([a, self.residual(env, b)?])),
            },
            Node::Or(a, b) => match self.residual(env, a)? {
                Residual::Const(value) if value.is_true() => Residual::Const(Value::Bool(true)),
                Residual::Const(_) => self.residual(env, b)?,
                a => Residual::Or(Box::new([a, self.residual(env, b)?])),
            },
            Node::Compare(how, a, b) => match (self.residual(env, a)?, self.residual(env, b)?) {
                (Residual::Const(a), Residual::Const(b)) => Residual::Const(Value::Bool(crate::engine::eval::compare(how, a, b))),
                (a, b) => Residual::Compare(how, Box::new([a, b])),
            },
            Node::If(condition, args) => {
                let [yes, no] = self.program.args_of(args) else { return None };
                match self.residual(env, condition)? {
                    Residual::Const(value) => self.residual(env, if value.is_true() { *yes } else { *no })?,
                    condition => Residual::If(Box::new([condition, self.residual(env, *yes)?, self.residual(env, *no)?])),
                }
            }
            Node::Opponent(player) | Node::NextPlayer(player) => next(self.program, self.residual(env, player)?),
            Node::Zone(zone, player) => self.zone(env, zone, player)?,
            Node::Only(zone) => self.card(env, false, zone)?,
            Node::End(top, zone) => self.card(env, top, zone)?,
            Node::Count(set) => self.count(env, set)?,
            Node::IsEmpty(set) if self.is_pending(set) => Residual::Const(Value::Bool(true)),
            Node::Some(set, _) if self.is_pending(set) => Residual::Const(Value::Bool(false)),
            Node::All(set, _) if self.is_pending(set) => Residual::Const(Value::Bool(true)),
            // A condition about players, if its value is known and equal for all players.
            Node::Some(set, condition) | Node::All(set, condition) if self.program.nodes.get(set) == Some(&Node::Players) => {
                match self.residual(env, condition)? {
                    Residual::Const(value) => Residual::Const(value),
                    _ => return None,
                }
            }
            Node::IsEmpty(set) => match self.place(env, set)? {
                Residual::Const(Value::Zone(place)) => Residual::EmptyAt(place),
                zone => Residual::Empty(Box::new(zone)),
            },
            Node::Some(set, _) if self.is_pending(set) => Residual::Const(Value::Bool(false)),
            Node::Field(card, field) => self.field(env, card, field)?,
            Node::Printed(card, field) => {
                let derived = self.program.fields.get(field)?.derived.is_some();
                (!derived).then_some(())?;
                Residual::Printed(Box::new(self.residual(env, card)?), field)
            }
            Node::State(subject, state) => {
                let on_players = self.program.states.get(state).filter(|def| def.at_least.is_none())?.on_players;
                match self.residual(env, subject)? {
                    Residual::CardAt(top, place) if !on_players => Residual::StateAt(top, place, state),
                    Residual::Const(Value::Player(player)) => match self.fact(player, state) {
                        Some(value) => Residual::Const(value),
                        None => Residual::State(Box::new(Residual::Const(Value::Player(player))), state),
                    },
                    subject => Residual::State(Box::new(subject), state),
                }
            }
            Node::FaceUp(card) => match self.residual(env, card)? {
                Residual::CardAt(top, place) => Residual::FaceUpAt(top, place),
                card => Residual::FaceUp(Box::new(card)),
            },
            Node::Owner(card) => Residual::Owner(Box::new(self.residual(env, card)?)),
            Node::Controller(of) => match (self.residual(env, of)?, env.this) {
                (Residual::CardAt(top, place), Whose::At(own_top, own, owner)) if (top, place) == (own_top, own) => {
                    Residual::Const(Value::Player(owner))
                }
                (card @ (Residual::CardAt(..) | Residual::Card(..)), _) => Residual::Owner(Box::new(card)),
                (Residual::Slot(slot), this) if this == Whose::Of(slot) => Residual::Owner(Box::new(Residual::Slot(slot))),
                _ => return None,
            },
            Node::Exists(a) => exists(self.residual(env, a)?),
            // Only if the body does not depend on the bound value.
            Node::With { body, .. } => Residual::Const(self.residual(env, body)?.known()?),
            // No effect is in force that assumes the fact.
            Node::Fact(_, _, otherwise) => self.residual(env, otherwise)?,
            Node::Can(verb, args) => self.can(env, verb, args)?,
            Node::Done => Residual::Const(Value::Bool(self.done?)),
            Node::Losing(player) => match (self.residual(env, player)?.known()?.player(), self.lost) {
                (Some(player), Some(lost)) if player == lost => Residual::Const(Value::Bool(true)),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The value to which a player's state has been set on every path to this point.
    fn fact(&self, player: Player, state: StateId) -> Option<Value> {
        self.facts.iter().find(|(of, which, _)| (*of, *which) == (player, state)).map(|(.., value)| *value)
    }

    /// Notes that a state has been set: to a known value, or to an unknown one (`None`).
    pub fn given_state(&mut self, subject: &Residual, state: StateId, value: Option<Value>) {
        let player = if let Residual::Const(Value::Player(player)) = subject { Some(*player) } else { None };
        self.facts.retain(|(of, which, _)| *which != state || player.is_some_and(|player| player != *of));
        if let (Some(player), Some(value)) = (player, value) {
            self.facts.push((player, state, value));
        }
    }

    /// Notes that a slot gets the value of a residual.
    pub fn keeps(&mut self, slot: Slot, residual: &Residual) {
        if let Residual::CardAt(_, place) = residual
            && let (_, Some(owner)) = zone_of(self.program, *place)
        {
            self.ends.push((slot, *place, owner));
        }
    }

    /// Whether a set is certainly empty: waiting abilities (none wait while a track runs), or abilities of cards in a game without
    /// abilities.
    #[must_use]
    pub fn is_pending(&self, set: NodeId) -> bool {
        match self.program.nodes.get(set) {
            Some(Node::Pending) => true,
            Some(Node::Abilities(_) | Node::AbilitiesOfAll(_)) => self.textless,
            Some(Node::Where(inner, _)) => self.is_pending(*inner),
            _ => false,
        }
    }

    /// The places of all players for one declared zone.
    #[must_use]
    pub fn places(&self, zone: ZoneId) -> Box<[Place]> {
        (0..self.program.players).map(|player| place_of(self.program, zone, Player(player))).collect()
    }

    fn zone(&mut self, env: &Env, zone: ZoneId, player: NodeId) -> Option<Residual> {
        if player == NodeId::NONE {
            return Some(Residual::Const(Value::Zone(place_of(self.program, zone, Player(0)))));
        }
        let each = self.program.zones.get(zone)?.each_player;
        Some(match self.residual(env, player)? {
            Residual::Const(Value::Player(player)) => Residual::Const(Value::Zone(place_of(self.program, zone, player))),
            Residual::Const(_) => return None,
            player => {
                let row = if each { self.program.zones.len() as u16 } else { 0 };
                Residual::ZoneOf { first: zone.index() as u16, row, player: Box::new(player) }
            }
        })
    }

    /// Whether an action can be carried out. No effect is in force that forbids it, so it is enough that no argument is nothing.
    fn can(&mut self, env: &Env, verb: VerbId, args: ArgsId) -> Option<Residual> {
        let def = self.program.verbs.get(verb)?;
        if def.condition != NodeId::NONE || def.option.is_some() {
            return None;
        }
        let mut found: Option<Residual> = None;
        for node in self.program.args_of(args) {
            let node = match self.program.nodes.get(*node) {
                None => continue,
                Some(Node::List(members)) => match self.program.args_of(*members) {
                    [only] => *only,
                    _ => return None,
                },
                Some(_) => *node,
            };
            // For a set only the members are checked.
            let is_member = matches!(self.program.nodes.get(node), Some(Node::Bound(_)));
            let seen = if is_member { Residual::Const(Value::Bool(true)) } else { self.residual(env, node)? };
            let is_something = match seen {
                // A zone as a set of cards must not be empty. A zone to which cards go may be empty.
                Residual::Const(Value::Zone(place)) if def.body.is_none() && found.is_none() => not(Residual::EmptyAt(place)),
                Residual::Const(Value::Zone(_)) if def.body.is_some() => return None,
                Residual::Const(Value::Undefined) => return Some(Residual::Const(Value::Bool(false))),
                Residual::Const(_) => Residual::Const(Value::Bool(true)),
                card @ (Residual::CardAt(..) | Residual::Card(..)) => exists(card),
                _ => return None,
            };
            found = Some(match (found, is_something) {
                (None | Some(Residual::Const(_)), residual) => residual,
                (Some(residual), Residual::Const(_)) => residual,
                (Some(a), b) => Residual::And(Box::new([a, b])),
            });
        }
        found
    }

    /// The zone that a node means.
    pub(super) fn place(&mut self, env: &Env, zone: NodeId) -> Option<Residual> {
        match *self.program.nodes.get(zone)? {
            Node::Zone(zone, player) => self.zone(env, zone, player),
            // All members satisfy the condition, so the set is the whole zone.
            Node::Where(all, condition) if self.residual(env, condition) == Some(Residual::Const(Value::Bool(true))) => {
                self.place(env, all)
            }
            _ => None,
        }
    }

    fn card(&mut self, env: &Env, top: bool, zone: NodeId) -> Option<Residual> {
        Some(match self.place(env, zone)? {
            Residual::Const(Value::Zone(place)) => Residual::CardAt(top, place),
            zone => Residual::Card(top, Box::new(zone)),
        })
    }

    fn count(&mut self, env: &Env, set: NodeId) -> Option<Residual> {
        if let Some(Node::ZoneOfAll(zone)) = self.program.nodes.get(set) {
            return Some(Residual::CountAll(self.places(*zone)));
        }
        match self.place(env, set)? {
            Residual::Const(Value::Zone(place)) => Some(Residual::CountAt(place)),
            _ => None,
        }
    }

    fn field(&mut self, env: &Env, card: NodeId, field: FieldId) -> Option<Residual> {
        let def = self.program.fields.get(field)?;
        if def.on_players {
            return None;
        }
        let (derived, set) = (def.derived, def.set);
        let card = self.residual(env, card)?;
        if let Some(expression) = derived {
            def.at_least.is_none().then_some(())?;
            return self.derived(card, expression);
        }
        match card {
            _ if set => None,
            Residual::CardAt(top, place) => Some(Residual::FieldAt(top, place, field)),
            card => Some(Residual::Field(Box::new(card), field)),
        }
    }
}

impl Folder<'_> {
    fn derived(&mut self, card: Residual, expression: NodeId) -> Option<Residual> {
        if let Some((_, _, residual)) = self.derived.iter().find(|(of, node, _)| *of == card && *node == expression) {
            return Some(residual.clone());
        }
        let residual = self.looked_through(card.clone(), expression)?;
        self.derived.push((card, expression, residual.clone()));
        Some(residual)
    }

    fn looked_through(&mut self, card: Residual, expression: NodeId) -> Option<Residual> {
        let slot = self.slot();
        let value = self.residual(&Env { registers: Vec::new(), this: Whose::Of(slot) }, expression)?;
        if let Residual::CardAt(top, place) = card
            && let (_, Some(owner)) = zone_of(self.program, place)
        {
            let own = self.residual(&Env { registers: Vec::new(), this: Whose::At(top, place, owner) }, expression)?;
            let other = Residual::Derived { card: Box::new(card), slot, value: Box::new(value) };
            return Some(Residual::DerivedAt(top, place, owner, Box::new([own, other])));
        }
        Some(Residual::Derived { card: Box::new(card), slot, value: Box::new(value) })
    }
}

fn not(residual: Residual) -> Residual {
    match residual {
        Residual::Const(value) => Residual::Const(Value::Bool(!value.is_true())),
        Residual::Not(inner) if matches!(*inner, Residual::EmptyAt(_)) => *inner,
        residual => Residual::Not(Box::new(residual)),
    }
}

fn exists(residual: Residual) -> Residual {
    match residual {
        Residual::CardAt(_, place) => not(Residual::EmptyAt(place)),
        residual => Residual::Exists(Box::new(residual)),
    }
}

fn next(program: &Program, player: Residual) -> Residual {
    match player {
        Residual::Const(Value::Player(player)) => Residual::Const(Value::Player(Player((player.0 + 1) % program.players.max(1)))),
        player => Residual::Next(Box::new(player)),
    }
}
