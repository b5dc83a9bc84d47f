//! Loops in tracks. A loop over something known is unrolled; a loop over something that is computed during the game stays a loop.
//!
//! A loop that stays one must not carry anything from one round to the next.

use super::fold::{Env, Sym};
use super::track::{Act, Residual};
use super::unfold::{NoTrack, Unfolder};
use crate::engine::ids::{NodeId, Pc, Reg};
use crate::engine::program::{Node, Op};
use crate::engine::value::Value;

/// The greatest number of rounds that are unrolled.
const ROUNDS: i32 = 8;

impl Unfolder<'_> {
    /// Puts the next member of a known list into the item. `None`: there are no more members.
    pub(super) fn next(&self, env: &mut Env, list: Reg, item: Reg) -> Result<Option<()>, NoTrack> {
        let counter = Reg(list.0 + 1);
        let (Sym::List(members), Sym::Known(Value::Number(index))) = (env.get(list), env.get(counter)) else { return Err(NoTrack) };
        let Some(member) = members.get(index.max(0) as usize) else { return Ok(None) };
        env.set(item, Sym::Known(*member));
        env.set(counter, Sym::Known(Value::Number(index.saturating_add(1))));
        Ok(Some(()))
    }

    pub(super) fn iterate(
        &mut self,
        acts: &mut Vec<Act>,
        env: &mut Env,
        pc: Pc,
        (list, set): (Reg, NodeId),
        depth: usize,
    ) -> Result<Option<Pc>, NoTrack> {
        let next = Pc(pc.0 + 1);
        let Some(&Op::Next { item, end, .. }) = self.fold.program.code.get(next) else { return Err(NoTrack) };
        let mut inner = set;
        while let Some(Node::Where(of, _)) = self.fold.program.nodes.get(inner) {
            inner = *of;
        }
        match *self.fold.program.nodes.get(inner).ok_or(NoTrack)? {
            Node::Players if inner == set => {
                env.set(list, Sym::List(self.players()));
                env.set(Reg(list.0 + 1), Sym::Known(Value::Number(0)));
                return Ok(Some(next));
            }
            Node::Pending => {}
            Node::Abilities(card) => {
                let card = self.residual(env, card)?;
                if !self.textless {
                    acts.push(Act::Check(match card {
                        Residual::CardAt(top, place) => Residual::TextlessAt(top, place),
                        card => Residual::Textless(Box::new(card)),
                    }));
                }
            }
            Node::ZoneOfAll(zone) if inner == set => {
                let slot = self.fold.slot();
                let mut own = env.clone();
                own.set(item, Sym::Found(slot));
                own.set(list, Sym::Unknown);
                own.set(Reg(list.0 + 1), Sym::Unknown);
                let body = self.round(Pc(next.0 + 1), own, depth, next);
                self.leaves_registers_alone(next, end)?;
                acts.push(Act::EachCard(self.fold.places(zone), slot, body));
                env.set(item, Sym::Unknown);
            }
            _ => return Err(NoTrack),
        }
        env.set(list, Sym::Unknown);
        env.set(Reg(list.0 + 1), Sym::Unknown);
        Ok(Some(end))
    }

    pub(super) fn count_down(
        &mut self,
        acts: &mut Vec<Act>,
        env: &mut Env,
        pc: Pc,
        (counter, end): (Reg, Pc),
        depth: usize,
    ) -> Result<Option<Pc>, NoTrack> {
        let next = Pc(pc.0 + 1);
        match env.get(counter) {
            Sym::Known(Value::Number(number)) if number < 1 => Ok(Some(end)),
            Sym::Known(Value::Number(number)) if number <= ROUNDS => {
                env.set(counter, Sym::Known(Value::Number(number - 1)));
                Ok(Some(next))
            }
            Sym::Found(slot) => {
                let mut own = env.clone();
                own.set(counter, Sym::Unknown);
                let body = self.round(next, own, depth, pc);
                self.leaves_registers_alone(pc, end)?;
                acts.push(Act::Repeat(Residual::Slot(slot), body));
                env.set(counter, Sym::Known(Value::Number(0)));
                Ok(Some(end))
            }
            _ => Err(NoTrack),
        }
    }

    /// The acts of one round of a loop. The round may come before or after any other, or not at all.
    fn round(&mut self, pc: Pc, env: Env, depth: usize, head: Pc) -> Vec<Act> {
        self.fold.facts.clear();
        let body = self.follow(pc, env, depth, Some(head)).acts;
        self.fold.facts.clear();
        body
    }

    /// Checks that a loop carries nothing from one round to the next, because its rounds are not unrolled.
    pub(super) fn leaves_registers_alone(&self, head: Pc, end: Pc) -> Result<(), NoTrack> {
        let ops = (head.0 + 1..end.0).map(|pc| self.fold.program.code.get(Pc(pc)));
        let writes = |op: &Op| {
            matches!(op, Op::Let { .. } | Op::LetSet { .. } | Op::Iterate { .. } | Op::Next { .. } | Op::CountDown { .. })
                || matches!(op, Op::Call { result, .. } | Op::Perform { result, .. } if *result != Reg::NONE)
        };
        for op in ops {
            if op.is_none_or(writes) {
                return Err(NoTrack);
            }
        }
        Ok(())
    }
}
