//! Costs: the amounts due for each part under the prices in force, fixing these amounts, paying, and spending from pools
//! (docs/kernel/costs.md).

use crate::costs::bodies::{Short, Spent};
use crate::eval::{Eval, divided, unread};
use crate::ids::{NodeId, SlotId, StateId};
use crate::program::{ChangeKind, ClauseKind, Fill, Node, PartDef, PartKey, PartTest, Program, children};
use crate::run::Run;
use crate::state::{Branch, Change, Effect, Pending, Role, readings};
use crate::steps::influences;
use crate::steps::{Observer, Step};
use crate::value::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// How the amount due for a part was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    /// The pool or action by which prices name the part.
    pub key: PartKey,
    /// The printed amount.
    pub printed: i32,
    /// The price changes in force, in the order in which they apply: the effect, the kind of change, the amount of the change, and the
    /// amount due after it.
    pub changes: Vec<(u32, ChangeKind, i32, i32)>,
    /// The amount due.
    pub due: i32,
}

impl<'a> Eval<'a> {
    /// The parts of a cost as they are now: the printed amounts, changed by the prices in force in the declared order.
    pub(crate) fn accounts(&mut self, pending: &Pending, parts: &'a [PartDef]) -> Vec<Account> {
        self.accounts_of(pending, parts.iter()).collect()
    }

    fn accounts_of<'e>(
        &'e mut self,
        pending: &'e Pending,
        parts: impl Iterator<Item = &'a PartDef> + 'e,
    ) -> impl Iterator<Item = Account> + 'e {
        // Most amounts are printed numbers, which need no names.
        let mut locals = None;
        parts.map(move |part| {
            let (printed, overflow, peeked) = match self.program.nodes.get(part.amount) {
                Some(Node::Const(amount)) => (amount.number().unwrap_or(0), false, false),
                _ => {
                    let locals = locals.get_or_insert_with(|| pending.locals(self.program));
                    let mut inner = self.of_waiting(pending, &*locals);
                    (inner.number(part.amount).unwrap_or(0), inner.overflow, inner.peeked)
                }
            };
            self.overflow |= overflow;
            self.peeked |= peeked;
            self.priced(pending, part.key, printed)
        })
    }

    fn due_now(&mut self, pending: &Pending, parts: &'a [PartDef]) -> Vec<i32> {
        self.accounts(pending, parts).into_iter().map(|account| account.due).collect()
    }

    fn priced(&mut self, pending: &Pending, key: PartKey, printed: i32) -> Account {
        let prices = self.program.policies.prices;
        let mut found = self.prices_of(pending, key);
        found.sort_by_key(|(_, kind, _)| rank(prices.ranks, *kind));
        let (mut overflow, mut amount) = (false, printed);
        let mut changes = Vec::with_capacity(found.len());
        for (effect, kind, by) in found {
            let changed = match kind {
                ChangeKind::SetPrinted | ChangeKind::Set => Some(by),
                ChangeKind::Add => amount.checked_add(by),
                ChangeKind::Subtract => amount.checked_sub(by),
                ChangeKind::Multiply => amount.checked_mul(by),
                ChangeKind::Divide => divided(amount, by),
                ChangeKind::Floor => Some(amount.max(by)),
                // A price never makes a change of this kind.
                ChangeKind::AddPrinted | ChangeKind::RemovePrinted | ChangeKind::Provide | ChangeKind::Remove => Some(amount),
            };
            overflow |= changed.is_none();
            if changed.is_some_and(|changed| changed != amount)
                && let Some(effect) = self.state.effects.get(effect)
            {
                influences::note(effect);
            }
            amount = changed.unwrap_or(amount);
            changes.push((effect, kind, by, amount));
        }
        self.overflow |= overflow;
        Account { key, printed, changes, due: amount.max(prices.at_least) }
    }

    /// The changes of a part's price that are in force, oldest first. An ability that does not wait is read as if it waited: if a price is
    /// about waiting abilities, the prices are read on a copy of the state in which the ability waits.
    fn prices_of(&mut self, pending: &Pending, key: PartKey) -> Vec<(u32, ChangeKind, i32)> {
        let (program, state) = (self.program, self.state);
        let is_about_waiting = |effect: &Arc<Effect>| match program.clauses.get(effect.clause).map(|clause| &clause.kind) {
            Some(ClauseKind::Price { what, changes }) => {
                changes.iter().any(|change| change.key == key) && speaks_of_waiting(program, *what)
            }
            _ => false,
        };
        let waits = state.events.waiting(pending.number).is_some();
        if waits || !state.effects.in_force.iter().any(is_about_waiting) {
            return self.prices_now(pending, key);
        }
        readings::note_beyond();
        let mut copy = state.clone();
        copy.events.pending.unnoted_mut().push_back(Arc::new(pending.clone()));
        let mut inner = self.elsewhere(&copy);
        let found = inner.prices_now(pending, key);
        let (reads, overflow, peeked) = (inner.reads.get(), inner.overflow, inner.peeked);
        self.read(reads);
        self.overflow |= overflow;
        self.peeked |= peeked;
        found
    }

    fn prices_now(&mut self, pending: &Pending, key: PartKey) -> Vec<(u32, ChangeKind, i32)> {
        let (program, state) = (self.program, self.state);
        let mut found = Vec::new();
        for effect in &state.effects.in_force {
            let Some(clause) = program.clauses.get(effect.clause) else { continue };
            let ClauseKind::Price { what, changes } = &clause.kind else { continue };
            if !changes.iter().any(|change| change.key == key) {
                continue;
            }
            let applies = self.applies(effect, clause.condition, *what, pending.source)
                || self.applies(effect, clause.condition, *what, Value::Pending(pending.number));
            if !applies || self.silenced(effect).is_some() {
                continue;
            }
            for change in changes.iter().filter(|change| change.key == key) {
                let mut inner = self.inside(effect);
                let by = inner.number(change.value);
                self.overflow |= inner.overflow;
                found.extend(by.map(|by| (effect.number, change.op, by)));
            }
        }
        found
    }

    /// The amounts due for the parts: the fixed amounts, or else the present ones.
    fn amounts(&mut self, pending: &Pending, at: usize, parts: &'a [PartDef]) -> Vec<i32> {
        match pending.slots.get(at).copied() {
            Some(fixed @ Value::List { .. }) => pending.members(fixed).iter().map(|amount| amount.number().unwrap_or(0)).collect(),
            _ => self.due_now(pending, parts),
        }
    }

    /// A waiting ability. An ability that does not wait is treated as if it waited.
    fn waiting_or_as_if(&mut self, value: Value) -> Option<Cow<'a, Pending>> {
        match self.waiting(value) {
            Some(pending) => Some(Cow::Borrowed(pending)),
            None => self.as_if_it_waited(value).map(Cow::Owned),
        }
    }

    /// The cost of an ability: the ability, the amounts due, and the parts. An ability that does not wait is treated as if it waited.
    pub(crate) fn cost_of(&mut self, ability: NodeId, slot: SlotId) -> Option<(Cow<'a, Pending>, Vec<i32>, &'a [PartDef])> {
        let value = self.value(ability);
        let pending = self.waiting_or_as_if(value)?;
        let (at, Fill::Cost { parts, .. }, _) = self.slot_of(&pending, slot)? else { return None };
        let amounts = self.amounts(&pending, at, parts);
        Some((pending, amounts, parts))
    }

    /// What is due for an ability: the parts of all its costs with their amounts. Parts of which nothing is due are left out.
    pub(crate) fn dues(&mut self, ability: Value) -> Vec<(PartKey, i32)> {
        let Some(pending) = self.waiting_or_as_if(ability) else { return Vec::new() };
        let mut dues = Vec::new();
        for slot in self.program.slots.ids() {
            if let Some((at, Fill::Cost { parts, .. }, _)) = self.slot_of(&pending, slot) {
                let amounts = self.amounts(&pending, at, parts);
                dues.extend(parts.iter().zip(amounts).filter(|(_, amount)| *amount > 0).map(|(part, amount)| (part.key, amount)));
            }
        }
        dues
    }

    /// The amount due for all parts with this key. An ability that does not wait is treated as if it waited.
    pub fn due(&mut self, ability: NodeId, slot: SlotId, key: PartKey) -> Value {
        let value = self.value(ability);
        let due = match self.waiting(value) {
            Some(pending) => self.due_of(pending, slot, key),
            None => self.as_if_it_waited(value).and_then(|pending| self.due_of(&pending, slot, key)),
        };
        due.unwrap_or_default()
    }

    fn due_of(&mut self, pending: &Pending, slot: SlotId, key: PartKey) -> Option<Value> {
        let (at, Fill::Cost { parts, .. }, _) = self.slot_of(pending, slot)? else { return None };
        // Most costs do not have the part that is asked for.
        if !parts.iter().any(|part| part.key == key) {
            return Some(Value::Number(0));
        }
        let due: i64 = match pending.slots.get(at).copied() {
            Some(Value::List { .. }) => {
                let fixed = parts.iter().zip(self.amounts(pending, at, parts));
                fixed.filter(|(part, _)| part.key == key).map(|(_, amount)| i64::from(amount)).sum()
            }
            // The amounts of the other parts are not computed.
            _ => {
                let parts = parts.iter().filter(|part| part.key == key);
                self.accounts_of(pending, parts).map(|account| i64::from(account.due)).sum()
            }
        };
        i32::try_from(due).ok().map(Value::Number)
    }

    /// Whether a cost can be paid, as far as counting tells: the pools and sets are large enough, nothing prevents an action, and the body
    /// of no action surely fails. Members of `without` (`NodeId::NONE`: none) do not count as cards that can be picked.
    pub(crate) fn payable(&mut self, ability: NodeId, slot: SlotId, without: NodeId) -> bool {
        let Some((pending, amounts, parts)) = self.cost_of(ability, slot) else { return false };
        let without = if without == NodeId::NONE { Vec::new() } else { self.members(without) };
        let locals = pending.locals(self.program);
        let mut inner = self.of_waiting(&pending, &locals);
        let mut spent = Spent::new();
        let mut payable = true;
        for (part, amount) in parts.iter().zip(amounts).filter(|(_, amount)| *amount > 0) {
            payable &= inner.bind(Value::Number(amount), |inner| match part.test {
                PartTest::Pool(player, state) => {
                    let player = inner.player(player);
                    player.is_some_and(|player| inner.takes_from((player, state), amount, &mut spent).is_ok())
                }
                PartTest::Count(set) => inner.pickable(part, set, (&without, amount)) >= amount,
                PartTest::Holds(node) => inner.holds(node) && inner.part_carries_out(part, &mut spent).is_ok(),
            });
        }
        let (overflow, peeked) = (inner.overflow, inner.peeked);
        self.overflow |= overflow;
        self.peeked |= peeked;
        payable
    }

    /// Whether the action of a part can be carried out. The amount due is bound.
    pub(crate) fn part_carries_out(&mut self, part: &PartDef, spent: &mut Spent) -> Result<(), Option<Short>> {
        part.call.map_or(Ok(()), |call| self.carries_out(call, spent))
    }

    /// The number of members that can be picked for a part, up to `enough`. Members of `without` do not count. The amount due is bound.
    pub(crate) fn pickable(&mut self, part: &PartDef, set: NodeId, (without, enough): (&[Value], i32)) -> i32 {
        let mut many = 0_i32;
        self.each(set, &mut |eval, member| {
            let mut can = || eval.bind(member, |eval| eval.part_carries_out(part, &mut Spent::new()).is_ok());
            many = many.saturating_add(i32::from(!without.contains(&member) && can()));
            many >= enough
        });
        many
    }
}

/// Whether a set is about abilities that wait.
fn speaks_of_waiting(program: &Program, node: NodeId) -> bool {
    let Some(node) = program.nodes.get(node) else { return false };
    let mut speaks = matches!(node, Node::Pending | Node::Waiting(..));
    children(node, program, &mut |child| speaks |= speaks_of_waiting(program, child));
    speaks
}

fn rank(ranks: [u8; 5], kind: ChangeKind) -> u8 {
    let [set, add, subtract, multiply, floor] = ranks;
    match kind {
        ChangeKind::SetPrinted
        | ChangeKind::AddPrinted
        | ChangeKind::RemovePrinted
        | ChangeKind::Set
        | ChangeKind::Provide
        | ChangeKind::Remove => set,
        ChangeKind::Add => add,
        ChangeKind::Subtract => subtract,
        ChangeKind::Multiply | ChangeKind::Divide => multiply,
        ChangeKind::Floor => floor,
    }
}

impl<O: Observer> Run<'_, O> {
    /// Fixes the amounts of a cost, so that they do not change any more.
    pub fn fix(&mut self, branch: &mut Branch, at: u16, ability: NodeId, slot: SlotId) {
        let ability = self.value(branch, ability);
        let done = self.fixed(branch, ability, slot).is_some();
        self.set_done(branch, at, done);
    }

    /// The amounts of a cost, which are fixed now if they were not. Also the routine that pays, and whether this routine sees the ability's
    /// slots.
    fn fixed(&mut self, branch: &Branch, ability: Value, slot: SlotId) -> Option<(Vec<Value>, crate::ids::RoutineId, bool)> {
        let (at, amounts, pay, new, noted, told, given) = {
            let mut eval = self.eval(branch);
            let pending = eval.waiting(ability)?;
            let (at, Fill::Cost { parts, pay }, given) = eval.slot_of(pending, slot)? else { return None };
            let new = pending.slots.get(at) == Some(&Value::Undefined);
            let amounts = eval.amounts(pending, at, parts);
            let told = if O::ON && new { unread::unnoted(|| eval.accounts(pending, parts)) } else { Vec::new() };
            (at, amounts, *pay, new, (eval.overflow, eval.peeked), told, given)
        };
        self.noted(branch, noted.0, noted.1);
        let amounts: Vec<Value> = amounts.into_iter().map(Value::Number).collect();
        if new {
            let cites = self.program.policies.prices.cites;
            if cites.0 != 0 {
                self.tell_cited(cites, branch.now(), branch.frames.len(), 0, &[], || Step::Statement(None));
            }
            if let Some(clause) = given.and_then(|clause| self.program.clauses.get(clause)) {
                self.tell_cited(clause.cites, branch.now(), branch.frames.len(), 0, &[], || Step::Statement(None));
            }
            self.tell_accounts(branch, &told);
            let value = Value::List { start: 0, len: amounts.len() as u16 };
            let pending = self.pending_mut(ability)?;
            pending.store(at, value, &amounts);
            pending.given.extend(given.map(|clause| (at as u8, clause)));
        }
        Some((amounts, pay, given.is_none()))
    }

    /// Tells the amounts due for the parts, and the effects that changed them.
    fn tell_accounts(&mut self, branch: &Branch, told: &[Account]) {
        let (pc, depth) = (branch.now(), branch.frames.len());
        for account in told {
            let key = account.key;
            for (effect, kind, by, now) in account.changes.iter().copied() {
                self.tell(pc, depth, 0, &branch.lists, || Step::Priced { effect, key, kind, by, now });
            }
            let amount = account.due;
            self.tell(pc, depth, 0, &branch.lists, || Step::Due(key, amount));
        }
    }

    /// Pays a cost: carries out its parts. The attempt around it makes sure that all parts or none are paid.
    pub fn pay(&mut self, branch: &mut Branch, at: u16, ability: NodeId, slot: SlotId) {
        let ability = self.value(branch, ability);
        match self.fixed(branch, ability, slot) {
            Some((amounts, pay, sees)) => self.push_slots(branch, ability, (pay, sees), Role::Payment, None, &amounts),
            None => self.set_done(branch, at, false),
        }
    }

    /// Spends from a player's pool. If the pool holds too little, nothing is done. An amount of 0 counts as done.
    pub fn spend(&mut self, branch: &mut Branch, at: u16, player: NodeId, state: StateId, amount: NodeId) {
        let (player, amount) = (self.value(branch, player), self.value(branch, amount).number());
        let there = self.eval(branch).state_of(player, state).number();
        match (there, amount) {
            (Some(_), Some(amount)) if amount <= 0 => self.set_done(branch, at, true),
            (Some(there), Some(amount)) if amount <= there => {
                let (value, since) = (Value::Number(there - amount), Some(there));
                self.change(branch, at, Change::SetState { subject: player, state, value, since, spends: true });
            }
            (Some(there), Some(wanted)) => self.falls_short(branch, at, (player, state), (there, wanted)),
            _ => self.set_done(branch, at, false),
        }
    }

    /// A pool holds less than is to be spent, so nothing is done.
    #[cold]
    pub(crate) fn falls_short(&mut self, branch: &mut Branch, at: u16, pool: (Value, StateId), numbers: (i32, i32)) {
        let ((of, state), (there, wanted)) = (pool, numbers);
        let pc = branch.now();
        self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::Short { of, state, there, wanted });
        self.set_done(branch, at, false);
    }
}
