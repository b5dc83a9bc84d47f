//! What waits at a point, as `waits` lines; nothing where a scenario cannot say it.

use super::Names;
use crate::compile::Compiler;
use crate::engine::board::Board;
use crate::engine::ids::AbilityId;
use crate::engine::program::Program;
use crate::engine::state::{Pending, State, Waits};
use crate::engine::value::{ObjectId, Value};
use crate::scenario::words;
use std::fmt::Write as _;

/// Whether a position can say what waits: abilities that are printed on cards as they are, with cards as they are in their slots.
pub(super) fn can_be_said(program: &Program, state: &State) -> bool {
    state.events.pending.iter().all(|pending| {
        let waits = matches!(pending.waits, Waits::Announced(_) | Waits::Triggered(..));
        let of_card = || Some(number_of(program, &state.board, pending)?.1);
        let alive = |value: &Value| !matches!(value, Value::Object { .. }) || is_alive(&state.board, *value);
        waits && pending.event.is_none() && of_card().is_some() && values(pending).chain(&pending.also).all(alive)
    })
}

/// The cards that what waits speaks of: they need names.
pub(super) fn cards(waiting: &[Pending]) -> impl Iterator<Item = ObjectId> + '_ {
    let all = waiting.iter().flat_map(|pending| values(pending).chain([&pending.source]).chain(&pending.also));
    all.filter_map(|value| if let Value::Object { id, .. } = value { Some(*id) } else { None })
}

/// A line for each.
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

/// The ability, its number among those of its kind on its card, and whether there are several.
fn number_of(program: &Program, board: &Board, pending: &Pending) -> Option<(AbilityId, (usize, bool))> {
    let ability = pending.ability?;
    let Value::Object { id, .. } = pending.source else { return None };
    let card = program.cards.get(board.object(id).filter(|_| is_alive(board, pending.source))?.card)?;
    let (first, count) = card.abilities;
    let kind = program.abilities.get(ability)?.kind;
    let of_kind = (first.0..first.0 + count).map(AbilityId);
    let of_kind: Vec<AbilityId> = of_kind.filter(|id| program.abilities.get(*id).is_some_and(|def| def.kind == kind)).collect();
    let at = of_kind.iter().position(|id| *id == ability)?;
    Some((ability, (at + 1, of_kind.len() > 1)))
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
        let (ability, (number, several)) = number_of(self.program, self.board, pending)?;
        let kind = &self.program.kinds.get(pending.kind()?)?.name.name;
        let mut line = format!("waits {kind}");
        if several {
            write!(line, " {number}").ok()?;
        }
        let sources = std::iter::once(&pending.source).chain(&pending.also);
        let sources = sources.map(|source| self.value(*source)).collect::<Option<Vec<_>>>()?;
        write!(line, " of {}", sources.join(", ")).ok()?;
        let Value::Object { id, .. } = pending.source else { return None };
        if self.board.object(id)?.owner != pending.you {
            write!(line, " by {}", words::seat(pending.you)).ok()?;
        }
        if let Some(place) = pending.place {
            write!(line, " in {}", super::place(self.program, place)?).ok()?;
        }
        let number = Value::Pending(pending.number);
        if self.waiting.iter().any(|other| values(other).any(|value| *value == number)) {
            write!(line, " as w{at}").ok()?;
        }
        let filled = self.filled(ability, pending)?;
        if !filled.is_empty() {
            write!(line, " {{ {} }}", filled.join("  ")).ok()?;
        }
        Some(line + "\n")
    }

    fn filled(&self, ability: AbilityId, pending: &Pending) -> Option<Vec<String>> {
        let fillable = self.compiler.fillable(ability);
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
                // What a slot holds by itself is read anew.
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
