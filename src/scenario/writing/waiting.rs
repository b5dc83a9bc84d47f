//! Writes the waiting abilities of a point as `waits` lines. None if a scenario cannot say them.

use super::Names;
use compile::{Compiler, Fillable};
use engine::ids::{AbilityId, CardId, OptionId};
use engine::program::Program;
use engine::state::board::Board;
use engine::state::placed_abilities::granted_through;
use engine::state::{Pending, State, Waits};
use engine::value::{ObjectId, Place, Value};
use std::fmt::Write as _;
use tell::seat;

/// Whether a position can say everything that waits: abilities printed on cards as they are now, abilities given by the text of such a
/// card, and declared options. The cards in their slots must be as they are now.
pub(super) fn can_be_said(program: &Program, state: &State) -> bool {
    state.events.pending.iter().all(|pending| {
        let waits = match pending.waits {
            Waits::Announced(_) | Waits::Triggered(..) => found(program, &state.board, pending).is_some(),
            Waits::Declared(_) => pending.source == Value::Undefined,
            Waits::PutBy(_) => false,
        };
        let alive = |value: &Value| !matches!(value, Value::Object { .. }) || is_alive(&state.board, *value);
        waits && pending.event.is_none() && values(pending).chain(&pending.also).all(alive)
    })
}

/// The cards that waiting abilities mention. They need names.
pub(super) fn cards<'a>(program: &'a Program, board: &'a Board, waiting: &'a [Pending]) -> impl Iterator<Item = ObjectId> + 'a {
    let all = waiting.iter().flat_map(|pending| values(pending).chain([&pending.source]).chain(&pending.also));
    let all = all.filter_map(|value| if let Value::Object { id, .. } = value { Some(*id) } else { None });
    all.chain(waiting.iter().filter_map(|pending| found(program, board, pending)?.giver))
}

/// One line for each waiting ability.
pub(super) fn lines(compiler: &Compiler, program: &Program, board: &Board, waiting: &[Pending], names: &Names) -> Option<String> {
    let writer = Writer { compiler, program, board, waiting, names };
    waiting.iter().enumerate().map(|(at, pending)| writer.line(at, pending)).collect()
}

fn values(pending: &Pending) -> impl Iterator<Item = &Value> {
    pending.captures.iter().chain(&pending.slots).chain(&pending.lists)
}

fn is_alive(board: &Board, value: Value) -> bool {
    matches!(value, Value::Object { id, .. } if board.reference(id) == value)
}

/// Where an ability is found.
struct Found {
    ability: AbilityId,
    /// The number of the ability among the abilities of its kind that the card prints or `giver` gives, from 1.
    number: usize,
    /// Whether `number` is needed, because several abilities have this kind.
    several: bool,
    /// The card whose text gives the ability, if the ability's own card does not print it.
    giver: Option<ObjectId>,
}

fn found(program: &Program, board: &Board, pending: &Pending) -> Option<Found> {
    let ability = pending.ability?;
    let Value::Object { id, .. } = pending.source else { return None };
    let card = board.object(id).filter(|_| is_alive(board, pending.source))?.card;
    let kind = program.abilities.get(ability)?.kind;
    let among = |all: Vec<AbilityId>, giver: Option<ObjectId>| -> Option<Found> {
        let of_kind: Vec<AbilityId> = all.into_iter().filter(|id| program.abilities.get(*id).is_some_and(|def| def.kind == kind)).collect();
        let number = of_kind.iter().position(|id| *id == ability)? + 1;
        Some(Found { ability, number, several: of_kind.len() > 1, giver })
    };
    let printed = |card: CardId| -> Vec<AbilityId> {
        let (first, count) = program.cards.get(card).map_or((AbilityId(0), 0), |card| card.abilities);
        (first.0..first.0 + count).map(AbilityId).collect()
    };
    among(printed(card), None).or_else(|| {
        let lying = (0..board.zones.len()).flat_map(|place| board.cards(Place(place as u16)));
        lying.copied().find_map(|giver| among(granted_through(program, board.object(giver)?.card), Some(giver)))
    })
}

struct Writer<'a> {
    compiler: &'a Compiler,
    program: &'a Program,
    board: &'a Board,
    waiting: &'a [Pending],
    names: &'a Names,
}

impl Writer<'_> {
    /// `waits art 2 of x1 by b in stack as w1 { targets = [x2] }`.
    fn line(&self, at: usize, pending: &Pending) -> Option<String> {
        if let Waits::Declared(option) = pending.waits {
            return self.declared(at, pending, option);
        }
        // A cost that another effect has added cannot be written.
        if !pending.given.is_empty() {
            return None;
        }
        let Found { ability, number, several, giver } = found(self.program, self.board, pending)?;
        let kind = &self.program.kinds.get(pending.kind()?)?.name.name;
        let mut line = format!("waits {kind}");
        if several {
            write!(line, " {number}").ok()?;
        }
        let sources = std::iter::once(&pending.source).chain(&pending.also);
        let sources = sources.map(|source| self.value(*source)).collect::<Option<Vec<_>>>()?;
        write!(line, " of {}", sources.join(", ")).ok()?;
        if let Some(giver) = giver {
            write!(line, " from {}", self.names.get(&giver)?).ok()?;
        }
        let Value::Object { id, .. } = pending.source else { return None };
        if self.board.object(id)?.owner != pending.you {
            write!(line, " by {}", seat(pending.you)).ok()?;
        }
        self.rest(line, at, pending, &self.compiler.fillable(ability))
    }

    /// `waits call by a in stack as w1 { paid = [x2] }`.
    fn declared(&self, at: usize, pending: &Pending, option: OptionId) -> Option<String> {
        let def = self.program.options.get(option)?;
        let name = &self.program.verbs.get(def.verb)?.name.name;
        let line = format!("waits {name} by {}", seat(pending.you));
        // The declaring player is written already.
        let mut kept = self.compiler.kept_by(option);
        if pending.captures.get(def.params.len()) == Some(&pending.you.value()) {
            kept.retain(|slot| slot.at != def.params.len());
        }
        self.rest(line, at, pending, &kept)
    }

    /// The rest of the line: the zone, the name, the contents of the slots.
    fn rest(&self, mut line: String, at: usize, pending: &Pending, fillable: &[Fillable]) -> Option<String> {
        if let Some(place) = pending.place {
            write!(line, " in {}", super::place(self.program, place)?).ok()?;
        }
        let number = Value::Pending(pending.number);
        if self.waiting.iter().any(|other| values(other).any(|value| *value == number)) {
            write!(line, " as w{at}").ok()?;
        }
        let filled = self.filled(fillable, pending)?;
        if !filled.is_empty() {
            write!(line, " {{ {} }}", filled.join("  ")).ok()?;
        }
        Some(line + "\n")
    }

    fn filled(&self, fillable: &[Fillable], pending: &Pending) -> Option<Vec<String>> {
        let mut filled = Vec::new();
        for (at, value) in pending.captures.iter().chain(&pending.slots).enumerate() {
            let slot = fillable.iter().find(|slot| slot.at == at);
            match (slot, value) {
                (_, Value::Undefined) => {}
                (Some(slot), Value::List { .. }) => {
                    let members = pending.members(*value).iter().map(|member| self.value(*member)).collect::<Option<Vec<_>>>()?;
                    let members = if members.is_empty() { "none".to_owned() } else { format!("[{}]", members.join(", ")) };
                    filled.push(format!("{} = {members}", slot.name));
                }
                (Some(slot), value) => filled.push(format!("{} = {}", slot.name, self.value(*value)?)),
                // A slot that holds a value is computed again when it is read, so it is not written.
                (None, _) => {}
            }
        }
        Some(filled)
    }

    fn value(&self, value: Value) -> Option<String> {
        match value {
            Value::Object { id, .. } => self.names.get(&id).cloned(),
            Value::Pending(number) => {
                let at = self.waiting.iter().position(|pending| pending.number == number)?;
                Some(format!("w{at}"))
            }
            value => super::constant(self.program, value),
        }
    }
}
