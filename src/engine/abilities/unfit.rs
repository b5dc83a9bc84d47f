//! Tells which chosen members of an ability are no longer legal when the ability is performed or dropped. Only the trace asks for this.

use crate::eval::Eval;
use crate::ids::{CitesId, Pc, SlotId};
use crate::program::Fill;
use crate::run::Run;
use crate::state::{Branch, Cause, Pending};
use crate::steps::{Observer, Step, Unfit};
use crate::value::Value;

impl<'a> Eval<'a> {
    /// The members of the answers of a waiting ability that are no longer legal, each with its slot, the rules of the slot, and the reason.
    fn lost_members(&mut self, pending: &'a Pending) -> Vec<(SlotId, CitesId, Value, Unfit)> {
        let slots = pending.kind().and_then(|kind| self.program.kinds.get(kind)).map_or(&[][..], |kind| &kind.slots);
        let mut found = Vec::new();
        for (at, (slot, _, cites)) in slots.iter().enumerate() {
            let Some(Fill::Asked { declared, .. }) = pending.fills(self.program).get(at) else { continue };
            let stored = pending.slots.get(at).copied().unwrap_or_default();
            let one = [stored];
            let members = if let Value::List { .. } = stored { pending.members(stored) } else { &one };
            let still = self.still(pending, at);
            for member in members.iter().copied().filter(|member| *member != Value::Undefined && !still.contains(member)) {
                let cause = Cause::effect(pending.source, pending.you);
                let why = match self.withheld_by(member, *declared, cause) {
                    _ if !self.is_there(member) => Unfit::Gone,
                    Some(effect) => Unfit::Withheld(effect.number),
                    None => Unfit::Other,
                };
                found.push((*slot, *cites, member, why));
            }
        }
        found
    }
}

impl<O: Observer> Run<'_, O> {
    /// Tells the onlooker which chosen members of an ability are no longer legal.
    pub(super) fn tell_unfit(&mut self, branch: &Branch, at: u16, pc: Pc, pending: &Pending) {
        if !O::ON || self.trial.is_some() || pending.slots.iter().all(|stored| *stored == Value::Undefined) {
            return;
        }
        let found = crate::eval::unread::unnoted(|| {
            let mut eval = Eval::new(self.program, self.state, &[], &[], pending.you, pending.source);
            eval.lost_members(pending)
        });
        for (slot, cites, what, why) in found {
            let card = pending.source;
            self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::Unfit { card, slot, what, why });
        }
    }
}
