//! Parts of a cost that are paid at the same time: a card that one part takes is not available to the others (docs/kernel/costs.md).
//!
//! Each part is a branch of a lockstep. A part takes the cards that it changes or shows, and the cards that were chosen for it. The choices
//! and loops of the other parts leave these cards out.

use crate::actions::perform::id_of;
use crate::fault::listed;
use crate::ids::{Pc, Reg};
use crate::run::Run;
use crate::run::step::{get, jump, next};
use crate::state::{Branch, Change, Doing, Question, Rest, Role, Then};
use crate::steps::Observer;
use crate::value::{ObjectId, Value};

impl<O: Observer> Run<'_, O> {
    /// Notes the cards that a part is about to change or show. Changes by rules and abilities that run in between do not count.
    #[inline(never)]
    pub(crate) fn note_taken(&self, branch: &mut Branch, change: Change) {
        if branch.frames.iter().any(|frame| matches!(frame.role, Role::Rule(..) | Role::Ability(_))) {
            return;
        }
        match change {
            Change::MoveTop { from, .. } => branch.paying.taken.extend(self.state.board.cards(from).last()),
            Change::MoveCard { card, .. } | Change::SetState { subject: card, .. } => branch.paying.taken.extend(id_of(card)),
            Change::Move { start, len, .. }
            | Change::Attach { start, len, .. }
            | Change::Become { start, len, .. }
            | Change::Turn { start, len, .. }
            | Change::Show { start, len, .. } => take(branch, (start, len)),
            _ => {}
        }
    }

    /// Leaves cards that other parts take out of the domain of a choice. The list lies at the end of the arena. Gives its new length.
    #[inline(never)]
    pub(crate) fn untaken(&self, branch: &mut Branch, at: u16, (start, len): (u32, u16)) -> u16 {
        let taken = self.taken_by_others(branch, at);
        let domain = branch.lists.split_off(start as usize);
        branch.lists.extend(domain.into_iter().take(usize::from(len)).filter(|member| !is_among(&taken, *member)));
        branch.paying.heeded = taken.len() as u16;
        (branch.lists.len() - start as usize) as u16
    }

    /// Goes to the next member of a loop that no other part takes.
    #[inline(never)]
    pub(crate) fn next_untaken(&self, branch: &mut Branch, at: u16, (list, item, end): (Reg, Reg, Pc)) {
        let taken = self.taken_by_others(branch, at);
        loop {
            next(branch, list, item, end);
            let is_over = branch.frames.last().is_none_or(|frame| frame.pc == end);
            if is_over || !is_among(&taken, get(branch, item)) {
                return;
            }
        }
    }

    /// Lets a part that takes a whole set wait until the other parts have chosen.
    #[inline(never)]
    pub(crate) fn take_rest(branch: &mut Branch) {
        (branch.paying.rest, branch.doing) = (Rest::Waits, Doing::Meet);
    }

    /// Lets the parts that take all remaining cards go on, because no other part asks any more. Gives whether there are any.
    #[inline(never)]
    pub(crate) fn parts_take_rest(&mut self, level: u16) -> bool {
        let branches = self.state.control.branches.iter_mut();
        let mut found = false;
        for branch in branches.filter(|branch| branch.level == level && branch.paying.rest == Rest::Waits) {
            (branch.paying.rest, branch.doing) = (Rest::Takes, Doing::Run);
            found = true;
        }
        found
    }

    /// Removes the cards that other parts take from the sets that a part gives to its action. Called for parts that take all remaining cards.
    #[inline(never)]
    pub(crate) fn leave_to_others(&self, branch: &mut Branch, at: u16, args: &mut [Value]) {
        if branch.frames.len() > 1 {
            return;
        }
        let taken = self.taken_by_others(branch, at);
        for arg in args {
            let Value::List { start, len } = *arg else { continue };
            let members = listed(&branch.lists, start, len);
            let left: Vec<Value> = members.iter().copied().filter(|member| !is_among(&taken, *member)).collect();
            if left.len() < members.len() {
                *arg = Value::List { start: branch.lists.len() as u32, len: left.len() as u16 };
                branch.lists.extend(left);
            }
        }
    }

    /// Removes the cards that other parts take from the first argument of a builtin verb. The argument may be a zone.
    #[inline(never)]
    pub(crate) fn leave_zone_to_others(&self, branch: &mut Branch, at: u16, args: &mut [Value]) {
        let Some(what) = args.first_mut() else { return };
        if let Value::Zone(place) = *what {
            let start = branch.lists.len();
            self.state.board.add_references(place, &mut branch.lists);
            *what = Value::List { start: start as u32, len: (branch.lists.len() - start) as u16 };
        }
        self.leave_to_others(branch, at, std::slice::from_mut(what));
    }

    /// Lets the first part that asks make its choice again, if the other parts have taken more cards since then. Gives whether that is so.
    #[inline(never)]
    pub(crate) fn part_asks_anew(&mut self, level: u16) -> bool {
        let asks = |branch: &Branch| matches!(branch.doing, Doing::Ask(Question { answer: None, .. }));
        let mut branches = (0_u16..).zip(&self.state.control.branches).filter(|(_, branch)| branch.level == level);
        let Some((at, branch)) = branches.find(|(_, branch)| branch.paying.is_part && asks(branch)) else { return false };
        let Doing::Ask(Question { then: Then::Store { .. }, start, .. }) = branch.doing else { return false };
        if self.taken_by_others(branch, at).len() == usize::from(branch.paying.heeded) {
            return false;
        }
        let Some(branch) = self.state.control.branches.get_mut(usize::from(at)) else { return false };
        branch.lists.truncate(start as usize);
        let choice = branch.now();
        jump(branch, choice);
        branch.doing = Doing::Run;
        true
    }

    /// The cards that the other parts of the payment take, as far as this is known.
    fn taken_by_others(&self, branch: &Branch, at: u16) -> Vec<ObjectId> {
        let Some((payer, own)) = self.part_of(branch, at) else { return Vec::new() };
        let branches = &self.state.control.branches;
        // Parts that have ended have passed their cards to the paying branch.
        let mut taken = branches.get(usize::from(payer)).map(|payer| payer.paying.taken.clone()).unwrap_or_default();
        for (other, rival) in (0_u16..).zip(branches).filter(|(other, rival)| *other != at && rival.paying.is_part) {
            if self.part_of(rival, other).is_some_and(|(of, part)| of == payer && part != own) {
                taken.extend_from_slice(&rival.paying.taken);
            }
        }
        taken
    }

    /// Whether a branch pays a cost: going outward through its calls, a payment comes before any ability or rule. The payment may have
    /// begun in a branch around this one.
    #[must_use]
    pub(crate) fn is_paying(&self, branch: &Branch) -> bool {
        let of = |branch: &Branch| {
            let mut frames = branch.frames.iter().rev();
            frames.find_map(|frame| match frame.role {
                Role::Payment => Some(true),
                Role::Ability(_) | Role::Rule(..) => Some(false),
                _ => None,
            })
        };
        self.state.control.outward(branch).find_map(of).unwrap_or(false)
    }

    /// The branch that pays, and the branch of the part to which a branch belongs.
    fn part_of(&self, branch: &Branch, at: u16) -> Option<(u16, u16)> {
        let (mut outer, mut at) = (branch.parent, at);
        while let Some(parent) = outer {
            let payer = self.state.control.branches.get(usize::from(parent))?;
            if payer.frames.last().is_some_and(|frame| matches!(frame.role, Role::Payment)) {
                return Some((parent, at));
            }
            (outer, at) = (payer.parent, parent);
        }
        None
    }
}

/// Notes that a part takes the cards of a list.
pub(crate) fn take(branch: &mut Branch, (start, len): (u32, u16)) {
    let Branch { lists, paying, .. } = branch;
    let cards = lists.get(start as usize..).unwrap_or(&[]).iter().take(usize::from(len));
    paying.taken.extend(cards.filter_map(|card| id_of(*card)));
}

fn is_among(taken: &[ObjectId], member: Value) -> bool {
    id_of(member).is_some_and(|id| taken.contains(&id))
}
