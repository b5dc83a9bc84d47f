//! Effects that began together: which of them it matters to put in an order, and putting them in one.
//!
//! Who orders them, and when, is a rule of the game; here is only what there is to be ordered. Deliberately absent: what depends on
//! another (`layers.rs`), which no player decides.

use super::eval::Eval;
use super::observe::Observer;
use super::program::{ChangeKind, ClauseKind, Program};
use super::run::Run;
use super::state::{Branch, Effect, Effects, Extent, State};
use super::value::Value;

impl<'a> Eval<'a> {
    /// The effects in force that began together with another and whose order changes what comes of both, oldest first.
    pub(super) fn tied(&mut self) -> Vec<Value> {
        let state = self.state;
        let in_force = state.effects.in_force.as_slice();
        let mut tied: Vec<u32> = Vec::new();
        for (at, one) in in_force.iter().enumerate() {
            let others = in_force.get(at + 1..).unwrap_or(&[]).iter();
            for other in others.take_while(|other| other.timestamp == one.timestamp) {
                // What one ability does it does in the order in which it says so.
                let one_ability = one.source == other.source && one.holds == other.holds;
                if !one_ability && self.order_matters(one, other) {
                    tied.extend([one.number, other.number]);
                }
            }
        }
        in_force.iter().map(|effect| effect.number).filter(|number| tied.contains(number)).map(Value::Effect).collect()
    }

    fn order_matters(&mut self, one: &'a Effect, other: &'a Effect) -> bool {
        let program = self.program;
        let (Some(a), Some(b)) = (program.clauses.get(one.clause), program.clauses.get(other.clause)) else { return false };
        match (&a.kind, &b.kind) {
            (ClauseKind::Modify { changes: of_one, .. }, ClauseKind::Modify { changes: of_other, .. }) => {
                let pairs = (0_u16..).zip(of_one).flat_map(|(at, x)| (0_u16..).zip(of_other).map(move |(to, y)| ((at, x), (to, y))));
                let mut meeting = pairs.filter(|((_, x), (_, y))| x.field == y.field && x.layer == y.layer);
                meeting.any(|((at, x), (to, y))| {
                    let (here, there) = (self.extent_of(one, at), self.extent_of(other, to));
                    !commute((x.op, here.amount), (y.op, there.amount)) && meet(&here, &there) && !self.is_decided((one, at), (other, to))
                })
            }
            (ClauseKind::Grant { .. }, ClauseKind::Strip { .. }) | (ClauseKind::Strip { .. }, ClauseKind::Grant { .. }) => {
                let (here, there) = (self.extent_of(one, 0), self.extent_of(other, 0));
                a.layer == b.layer && meet(&here, &there) && !self.is_decided((one, 0), (other, 0))
            }
            (ClauseKind::Control { by: first, .. }, ClauseKind::Control { by: second, .. }) => {
                let by = |eval: &mut Self, effect: &'a Effect, node| {
                    effect.amounts.first().copied().unwrap_or_else(|| eval.inside(effect).value(node))
                };
                by(self, one, *first) != by(self, other, *second) && meet(&self.extent_of(one, 0), &self.extent_of(other, 0))
            }
            _ => false,
        }
    }

    /// What a part of an effect applies to and by how much.
    fn extent_of(&mut self, effect: &'a Effect, change: u16) -> Extent {
        let parts = self.state.effects.order.iter();
        let kept = parts.filter(|part| part.effect == effect.number && part.change == change).find_map(|part| part.extent.clone());
        kept.unwrap_or_else(|| {
            let mut there = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
            there.carry_on(self);
            if there.too_deep() || !there.enter(effect.number) { Extent::default() } else { there.extent(effect, change) }
        })
    }

    /// One of two parts depends on the other, but not the other on it: then that is their order.
    fn is_decided(&self, (one, at): (&Effect, u16), (other, to): (&Effect, u16)) -> bool {
        let order = &self.state.effects.order;
        let part = |effect: &Effect, change: u16| order.iter().find(|part| part.effect == effect.number && part.change == change);
        let (Some(a), Some(b)) = (part(one, at), part(other, to)) else { return false };
        self.state.is_looked_at(self.program, a, b) != self.state.is_looked_at(self.program, b, a)
    }
}

/// Whether two changes of one value come to the same in either order.
fn commute((a, by): (ChangeKind, Value), (b, with): (ChangeKind, Value)) -> bool {
    use ChangeKind::{Add, Floor, Multiply, SetPrinted, Subtract};
    let numbers = by.number().is_some() && with.number().is_some();
    match (a, b) {
        (Add | Subtract, Add | Subtract) => numbers || a == b || by != with,
        (Multiply, Multiply) => true,
        // What keeps a value from falling is last anyhow, and what counts as printed first.
        (Floor, _) | (_, Floor) => true,
        (SetPrinted, other) | (other, SetPrinted) if other != SetPrinted => true,
        _ => a == b && by == with,
    }
}

fn meet(one: &Extent, other: &Extent) -> bool {
    one.members.iter().any(|member| other.has(*member))
}

impl Effects {
    /// Puts effects that began together into this order, before those of the same time that are not named.
    fn arrange(&mut self, numbers: &[u32]) {
        let times: Vec<u32> = numbers.iter().filter_map(|number| self.get(*number)).map(|effect| effect.timestamp).collect();
        for time in
            times.iter().enumerate().filter(|(at, time)| !times.iter().take(*at).any(|before| before == *time)).map(|(_, time)| *time)
        {
            let named: Vec<u32> =
                numbers.iter().copied().filter(|number| self.get(*number).is_some_and(|of| of.timestamp == time)).collect();
            for effect in self.in_force.iter_mut().filter(|effect| effect.timestamp == time) {
                let at = named.iter().position(|number| *number == effect.number).unwrap_or(named.len());
                effect.timestamp += at as u32;
            }
        }
        self.in_force.sort_by_key(|effect| (effect.timestamp, effect.number));
        self.arranged = !self.in_force.is_sorted_by_key(|effect| effect.number);
        let times: Vec<(u32, u32)> = self.in_force.iter().map(|effect| (effect.number, effect.timestamp)).collect();
        for part in &mut self.order {
            part.timestamp = times.iter().find(|(number, _)| *number == part.effect).map_or(part.timestamp, |(_, time)| *time);
            part.extent = None;
        }
        self.order.sort_by_key(super::state::Part::rank);
    }

    /// Whether an effect applies before another one.
    #[must_use]
    pub fn is_before(&self, one: u32, other: u32) -> bool {
        let age = |number: u32| self.get(number).map_or((number, number), |effect| (effect.timestamp, number));
        if self.arranged { age(one) < age(other) } else { one < other }
    }
}

impl State {
    fn arrange(&mut self, program: &Program, numbers: &[u32]) {
        self.effects.arrange(numbers);
        if program.layers.is_empty() {
            return;
        }
        self.effects.forget_extents(program);
    }
}

impl<O: Observer> Run<'_, O> {
    /// `arrange(S)`: effects that began together apply in the order of this set.
    pub fn arrange(&mut self, branch: &mut Branch, node: super::ids::NodeId) {
        let mark = branch.lists.len();
        self.list(branch, node);
        let named = branch.lists.get(mark..).unwrap_or(&[]).iter();
        let numbers: Vec<u32> = named.filter_map(|value| if let Value::Effect(number) = value { Some(*number) } else { None }).collect();
        branch.lists.truncate(mark);
        self.state.arrange(self.program, &numbers);
        self.state.control.dirty = u64::MAX;
        self.settle_effects(u64::MAX);
        if self.alone {
            self.immediate_rules(Some(branch));
        }
    }
}
