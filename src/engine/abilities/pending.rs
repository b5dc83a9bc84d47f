//! A waiting ability: what its slots hold, and the values that its expressions read (docs/kernel/abilities.md).

use crate::effects::keep;
use crate::fault::listed;
use crate::ids::{KindId, RoutineId, SlotId};
use crate::program::{Fill, Program};
use crate::state::{Pending, Waits};
use crate::value::{Few, Player, Slots, Value};

impl Pending {
    /// A waiting ability without captured values, in no zone.
    #[must_use]
    pub fn new(waits: Waits, body: RoutineId, source: Value, you: Player) -> Self {
        Pending {
            number: 0,
            waits,
            body,
            source,
            after: Value::Undefined,
            before: Value::Undefined,
            you,
            captures: Few::new(),
            place: None,
            entered: 0,
            ability: None,
            slots: Slots::new(),
            given: Vec::new(),
            also: Few::new(),
            event: None,
            lists: Few::new(),
        }
    }

    /// The kind of the ability. None for a block put by or a declared option.
    #[must_use]
    pub fn kind(&self) -> Option<KindId> {
        match self.waits {
            Waits::Triggered(kind, _) | Waits::Announced(kind) => Some(kind),
            Waits::PutBy(_) | Waits::Declared(_) => None,
        }
    }

    /// The contents of the ability's slots.
    #[must_use]
    pub fn fills<'p>(&self, program: &'p Program) -> &'p [Fill] {
        self.ability.and_then(|ability| program.abilities.get(ability)).map_or(&[], |ability| &ability.fills)
    }

    /// The position of a slot among the ability's slots, and its contents.
    #[must_use]
    pub fn slot<'p>(&self, program: &'p Program, slot: SlotId) -> Option<(usize, &'p Fill)> {
        let kind = program.kinds.get(self.kind()?)?;
        let at = kind.slots.iter().position(|(of, ..)| *of == slot)?;
        Some((at, self.fills(program).get(at)?))
    }

    /// The values that expressions of the ability read as registers: the captured values, then the slots. The value of a cost is whether it
    /// has been fixed.
    #[must_use]
    pub fn locals(&self, program: &Program) -> Slots {
        let given = |at: usize| self.given.iter().any(|(place, _)| usize::from(*place) == at);
        let mut locals = Slots::from_slice(&self.captures);
        for (at, (value, fill)) in self.slots.iter().zip(self.fills(program)).enumerate() {
            let cost = matches!(fill, Fill::Cost { .. }) || given(at);
            locals.push(if cost { Value::Bool(*value != Value::Undefined) } else { *value });
        }
        locals
    }

    /// The members of a list that the ability keeps.
    #[must_use]
    pub fn members(&self, value: Value) -> &[Value] {
        let Value::List { start, len } = value else { return &[] };
        listed(&self.lists, start, len)
    }

    /// Stores an answer in a slot.
    pub fn store(&mut self, at: usize, value: Value, lists: &[Value]) {
        let kept = keep(value, lists, &mut self.lists);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = kept;
        }
    }
}
