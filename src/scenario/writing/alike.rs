//! Compares two games: whether they have the same cards in the same places, and the same values, effects, waiting abilities and questions.
//!
//! The numbers and lives of cards do not count, and neither do random results and the history. The time when cards entered their places
//! counts only in a game that asks for this time, and not in a hidden pile: after a shuffle nobody knows when its cards came. The order in which effects began counts only where it matters: among effects that change
//! one field in another way than by adding.

use engine::ids::{CardId, ChoiceId, DurationId, Id};
use engine::machine::Machine;
use engine::program::{ChangeKind, ClauseKind, MannerDef, Node, Program, Seen};
use engine::state::board::zone_of;
use engine::state::{Effect, Holds, Pending, State, Status, Used};
use engine::value::{Few, ObjectId, Place, Player, Value};
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Whether two games stand alike. Both must have the same rules.
#[must_use]
pub fn alike(a: &Machine, b: &Machine) -> bool {
    stands(a) == stands(b)
}

/// A card in its place: card, owner, controller, face and so on.
type Card = ((CardId, Player, Player), bool, u8, Vec<Value>, Option<Lies>);
/// The further facts of a card: its place in the zone, the card itself, whether it was made, its host, what it stands for, how many cards
/// entered before it.
type Lies = (u8, CardId, bool, Value, Value, usize);
/// A question: player, choice, domain, least and greatest number of answers, whether it is answered.
type Question = (Player, ChoiceId, Vec<Value>, u16, u16, bool);

#[derive(Debug, PartialEq)]
struct Stands {
    places: Vec<Vec<Card>>,
    players: Vec<Value>,
    deciders: Vec<Player>,
    turn: (u32, Option<engine::ids::PhaseId>),
    status: Option<Status>,
    questions: Vec<Question>,
    effects: Vec<Effect>,
    /// Effects that have not begun, and the durations in which they would begin.
    later: (Vec<Effect>, Vec<DurationId>),
    /// For each field, the effects that set or multiply it, in their order.
    in_order: BTreeMap<usize, Vec<Effect>>,
    pending: Vec<Pending>,
    uses: Vec<Used>,
}

fn stands(machine: &Machine) -> Stands {
    let (program, state) = (machine.program(), machine.state());
    let comparable = Comparable::of(program, state);
    let width = program.states.len();
    let asks_when = program.nodes.rows().iter().any(|node| matches!(node, Node::Arrived(_)));
    let in_pile = |place: usize| {
        let zone = program.zones.get(zone_of(program, Place(place as u16)).0);
        zone.is_some_and(|zone| zone.ordered && zone.seen == Seen::ByNobody)
    };
    let known = (0..state.board.zones.len()).filter(|place| asks_when && !in_pile(*place));
    let lying = known.flat_map(|place| state.board.cards(Place(place as u16)));
    let mut arrivals: Vec<u32> = lying.filter_map(|id| state.board.extra(*id)).map(|extra| extra.arrived).collect();
    arrivals.sort_unstable();
    arrivals.dedup();
    let lies = |id: ObjectId| {
        let extra = state.board.extra(id)?;
        let counts = state.board.object(id).is_some_and(|object| !in_pile(usize::from(object.place.0)));
        let before = if counts { arrivals.iter().position(|arrived| *arrived == extra.arrived).unwrap_or(0) } else { 0 };
        Some((extra.slot, extra.own, extra.made, comparable.value(extra.host), comparable.value(extra.original), before))
    };
    let card = |id: &ObjectId| {
        let object = state.board.object(*id)?;
        let row = usize::from(id.0) * width;
        let states = as_read(program, state.board.card_states.row(row, width).unwrap_or_default());
        let under = state.board.lies_under(*id, object.owner).0;
        Some(((object.card, object.owner, under), object.face_up, object.shown, comparable.all(&states), lies(*id)))
    };
    let places = (0..state.board.zones.len()).map(|place| state.board.cards(Place(place as u16)).iter().filter_map(card).collect());
    let questions = machine.questions().map(|asked| {
        let mut domain = comparable.all(asked.domain);
        if program.choices.get(asked.choice).is_some_and(|choice| choice.manner == MannerDef::Blindly) {
            domain.sort_by_key(|value| format!("{value:?}"));
        }
        (asked.player, asked.choice, domain, asked.min, asked.max, asked.answered)
    });
    let mut uses: Vec<Used> = state.events.uses.iter().map(|used| Used { ability: comparable.value(used.ability), ..*used }).collect();
    uses.sort_by_key(|used| format!("{used:?}"));
    let mut effects: Vec<Effect> = state.effects.in_force.iter().map(|effect| comparable.effect(effect)).collect();
    let in_order = in_order(program, &effects);
    effects.sort_by_key(|effect| format!("{effect:?}"));
    Stands {
        places: places.collect(),
        players: comparable.all(&as_read(program, &state.board.player_states)),
        deciders: state.board.deciders.clone(),
        turn: (state.board.turn, state.board.phase),
        status: Some(state.control.status).filter(|status| matches!(status, Status::Over(_) | Status::Asking)),
        questions: questions.collect(),
        effects,
        later: (state.effects.later.iter().map(|effect| comparable.effect(effect)).collect(), state.effects.open.clone()),
        in_order,
        pending: state.events.pending.iter().map(|pending| comparable.pending(pending)).collect(),
        uses,
    }
}

/// The values of states and pools in each row, in the form in which rules read them.
fn as_read(program: &Program, values: &[Value]) -> Vec<Value> {
    program.states.rows().iter().cycle().zip(values).map(|(state, value)| state.as_read(*value)).collect()
}

fn in_order(program: &Program, effects: &[Effect]) -> BTreeMap<usize, Vec<Effect>> {
    let mut fields: BTreeMap<usize, Vec<Effect>> = BTreeMap::new();
    let mut only_added: BTreeMap<usize, bool> = BTreeMap::new();
    for effect in effects {
        let Some(ClauseKind::Modify { changes, .. }) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else { continue };
        for change in changes {
            let field = change.field.index();
            fields.entry(field).or_default().push(effect.clone());
            *only_added.entry(field).or_insert(true) &= matches!(change.op, ChangeKind::Add | ChangeKind::Subtract);
        }
    }
    fields.retain(|field, _| only_added.get(field) == Some(&false));
    fields
}

/// Translates values into a form that does not contain object numbers: a card is told by its place.
struct Comparable<'s> {
    state: &'s State,
    numbers: Vec<u16>,
    /// Whether the rules ask for the event that let an ability wait.
    asks_for_events: bool,
}

/// The number of the object, if the card has not become a new object since.
fn living(card: Value) -> Option<ObjectId> {
    match card {
        Value::Object { id, life: 0 } => Some(id),
        _ => None,
    }
}

impl<'s> Comparable<'s> {
    fn of(program: &Program, state: &'s State) -> Self {
        let mut numbers = vec![u16::MAX; state.board.objects.len()];
        let places = (0..state.board.zones.len()).flat_map(|place| state.board.cards(Place(place as u16)));
        for (number_of, id) in places.enumerate() {
            if let Some(slot) = numbers.get_mut(usize::from(id.0)) {
                *slot = number_of as u16;
            }
        }
        let asks_for_events = program.nodes.rows().iter().any(|node| matches!(node, Node::EventOf(_)));
        Self { state, numbers, asks_for_events }
    }

    fn number_of(&self, id: ObjectId) -> ObjectId {
        ObjectId(self.numbers.get(usize::from(id.0)).copied().unwrap_or(u16::MAX))
    }

    fn value(&self, value: Value) -> Value {
        let lives = |id: ObjectId| self.state.board.object(id).map_or(0, |object| object.life);
        match value {
            Value::Object { id, life } => Value::Object { id: self.number_of(id), life: u32::from(life != lives(id)) },
            Value::Ability { of, ability, life } => {
                Value::Ability { of: self.number_of(of), ability, life: u16::from(life != lives(of) as u16) }
            }
            Value::Pending(number) => {
                let at = self.state.events.pending.iter().position(|pending| pending.number == number);
                Value::Pending(at.map_or(u32::MAX, |at| at as u32))
            }
            Value::Effect(number) => {
                let at = self.state.effects.in_force.iter().position(|effect| effect.number == number);
                Value::Effect(at.map_or(u32::MAX, |at| at as u32))
            }
            other => other,
        }
    }

    fn all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.value(*value)).collect()
    }

    /// The cards of a set that have not become new objects, in the order of their places. Other cards make no difference.
    fn of_those_that_live(&self, cards: &[Value]) -> Vec<Value> {
        let mut living: Vec<(ObjectId, Value)> = self.all(cards).into_iter().filter_map(|card| Some((living(card)?, card))).collect();
        living.sort_by_key(|(id, _)| *id);
        living.into_iter().map(|(_, card)| card).collect()
    }

    fn effect(&self, effect: &Effect) -> Effect {
        Effect {
            number: 0,
            timestamp: 0,
            // The number of the granting effect does not count, because that effect is compared by itself.
            holds: if let Holds::Granted(ability, _) = effect.holds { Holds::Granted(ability, 0) } else { effect.holds },
            source: self.value(effect.source),
            captures: self.all(&effect.captures).into(),
            lists: self.all(&effect.lists).into(),
            targets: effect.targets.as_ref().map(|targets| self.all(targets)),
            pinned: self.all(&effect.pinned),
            there: self.of_those_that_live(&effect.there),
            amounts: self.all(&effect.amounts).into(),
            ..effect.clone()
        }
    }

    /// A number for an event that does not depend on its position in the history.
    fn event(&self, at: u32) -> u32 {
        let events = &self.state.events;
        let Some(event) = events.history.get(at as usize) else { return 0 };
        let mut hash = FxHasher::default();
        event.verb.hash(&mut hash);
        for arg in event.args {
            match arg {
                Value::List { start, len } => {
                    let members = events.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]);
                    self.all(members).hash(&mut hash);
                }
                arg => self.value(arg).hash(&mut hash),
            }
        }
        hash.finish() as u32
    }

    fn pending(&self, pending: &Pending) -> Pending {
        // Abilities are compared by the order in which they entered the zone, not by the time; and answers by their contents, not by the
        // place where they are stored.
        let before = self.state.events.pending.iter().filter(|other| other.place.is_some() && other.entered < pending.entered);
        let mut lists = Few::new();
        let mut kept = |value: &Value| match value {
            Value::List { .. } => {
                let start = lists.len() as u32;
                lists.extend(self.all(pending.members(*value)));
                Value::List { start, len: lists.len() as u16 - start as u16 }
            }
            other => self.value(*other),
        };
        let captures = pending.captures.iter().map(&mut kept).collect();
        let slots = pending.slots.iter().map(&mut kept).collect();
        Pending {
            number: 0,
            entered: if pending.place.is_some() { before.count() as u32 } else { 0 },
            source: self.value(pending.source),
            after: self.value(pending.after),
            before: self.value(pending.before),
            captures,
            slots,
            also: self.all(&pending.also).into(),
            event: pending.event.filter(|_| self.asks_for_events).map(|at| self.event(at)),
            lists,
            ..pending.clone()
        }
    }
}
