//! Batches: the changes that the branches of a lockstep make together.
//!
//! Input: the branches that are about to change something. First all cards leave, then all cards arrive, then the immediate rules are
//! checked.

use crate::actions::moves::Moving;
use crate::bits::Spots;
use crate::effects::untold_changes::NO_EFFECT;
use crate::eval::Eval;
use crate::ids::{Pc, Reg};
use crate::program::{BatchOrder, Builtin};
use crate::run::Run;
use crate::state::board::zone_of;
use crate::state::{Branch, Change, Doing, Effect, FailureKind};
use crate::steps::Observer;
use crate::value::{Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Performs the changes of all branches of the highest level together. Each of these branches is about to change something, or has
    /// ended.
    #[inline(never)]
    pub(crate) fn perform_batch(&mut self) {
        self.state.effects.now = self.state.effects.next;
        let touched = if self.state.effects.is_settled() { Spots::NONE } else { Spots::ALL };
        self.begin_batch();
        self.before_changes();
        let tells = self.state.effects.tells || self.looks_at_values();
        let (cause, first) = if tells { (self.common_cause(), self.state.effects.next) } else { (crate::state::Cause::Rule, 0) };
        let mut branches = std::mem::take(&mut self.state.control.branches);
        if self.only_own_cards(&branches) {
            self.move_own_cards(&mut branches);
            self.state.control.branches = branches;
        } else {
            self.state.control.branches = branches;
            self.perform_mixed_batch();
        }
        self.settle_effects(touched);
        if tells {
            let first = if cause == crate::state::Cause::Unknown { first } else { NO_EFFECT };
            self.after_batch(cause, first);
        }
        self.immediate_rules(None);
    }

    /// Whether every branch moves one card out of a zone of its own player, each branch for another player, and nobody needs the events.
    /// Then the order of the branches does not matter.
    fn only_own_cards(&self, branches: &[Box<Branch>]) -> bool {
        if self.is_told(Builtin::Move) || self.program.extras || !self.state.board.memory.is_empty() {
            return false;
        }
        let mut owners = 0_u8;
        for branch in branches.iter().filter(|branch| branch.level == self.state.control.level) {
            let Doing::Change(change) = &branch.doing else { continue };
            let Some(own) = branch.own.filter(|own| self.is_own_card(*own, change)) else { return false };
            let bit = 1_u8 << (own.0 % 8);
            if owners & bit != 0 || crate::actions::moves::collects(branch) {
                return false;
            }
            owners |= bit;
        }
        true
    }

    fn is_own_card(&self, own: Player, change: &Change) -> bool {
        let board = &self.state.board;
        let id = match change {
            Change::MoveCard { card: Value::Object { id, life }, result: Reg::NONE, .. } => {
                Some(*id).filter(|id| board.object(*id).is_some_and(|object| object.life == *life))
            }
            Change::MoveTop { from, result: Reg::NONE, .. } => board.cards(*from).last().copied(),
            _ => None,
        };
        let Some(object) = id.and_then(|id| board.object(id)) else { return false };
        let is_own = |place| matches!(self.plan.place(place).whose, Some(whose) if whose.0 == own.0);
        let Some(to) = crate::actions::moves::to_of(*change) else { return false };
        // If each card goes to a zone of its own player, no card takes another card's room.
        let has_room = !self.plan.place(to).bounded || is_own(to) && board.has_room(to);
        is_own(object.place) && has_room && object.owner.0 == own.0 && !self.plan.card(object.card).statics
    }

    fn move_own_cards(&mut self, branches: &mut [Box<Branch>]) {
        let level = self.state.control.level;
        let mut moves = std::mem::take(&mut self.scratch.moves);
        moves.clear();
        self.remember_batch(branches);
        for (at, branch) in (0_u16..).zip(branches.iter_mut()) {
            if let (true, Doing::Change(change)) = (branch.level == level, branch.doing) {
                branch.doing = Doing::Run;
                moves.extend(self.depart_one(at, change));
            }
        }
        for moving in &moves {
            self.arrive(moving);
            if let Some(branch) = branches.get_mut(usize::from(moving.branch)) {
                branch.touch([moving.id]);
                self.set_done(branch, moving.branch, true);
            }
        }
        self.end_moves();
        self.scratch.moves = moves;
    }

    /// Keeps the state of all cards of a batch before the first of them leaves.
    fn remember_batch(&mut self, branches: &[Box<Branch>]) {
        if !self.plan.keeps_gone && !self.plan.pins {
            return;
        }
        let level = self.state.control.level;
        for branch in branches.iter().filter(|branch| branch.level == level) {
            if let Doing::Change(change) = branch.doing {
                self.remember(branch, change);
            }
        }
    }

    fn perform_mixed_batch(&mut self) {
        let mut effects = self.effects_of_batch();
        let mut order = std::mem::take(&mut self.scratch.order);
        if let Some(at) = self.batch_order(&effects, &mut order) {
            return self.fail(FailureKind::NoNumber, at);
        }
        let mut branches = std::mem::take(&mut self.state.control.branches);
        if let Some(at) = self.nobody_is_first(&branches, &order) {
            self.state.control.branches = branches;
            return self.fail(FailureKind::Order, at);
        }
        let mut moves = std::mem::take(&mut self.scratch.moves);
        moves.clear();
        self.remember_batch(&branches);
        if let Some(first) = branches.first() {
            self.look_back(first);
        }
        self.scratch.batch.open = true;
        let changes = order.iter().filter_map(|(_, index)| match branches.get(usize::from(*index))?.doing {
            Doing::Change(change) => Some(change),
            _ => None,
        });
        self.keep_places(changes);
        for (_, index) in &order {
            let Some(branch) = branches.get_mut(usize::from(*index)) else { continue };
            if let Doing::Change(change) = branch.doing {
                if self.finds_nothing_left(change, &moves) {
                    branch.doing = Doing::AfterRules(change);
                    continue;
                }
                self.depart(branch, *index, change, &mut moves);
            }
        }
        self.take_followers(&mut moves);
        self.hold_back(&order, &mut moves);
        // If a branch cannot do its change, an attempt around the lockstep may end. So the outer branches have to be in the state here.
        self.state.control.branches = branches;
        for (_, index) in &order {
            let Some(mut branch) = self.take_out(usize::from(*index)) else { continue };
            if let Doing::Change(change) = branch.doing {
                branch.doing = Doing::Run;
                let effect = effects.iter_mut().find(|(of, _)| of == index).and_then(|(_, effect)| effect.take());
                self.make_change(&mut branch, *index, (change, effect), &moves);
            }
            self.put_back(branch, usize::from(*index));
        }
        (self.scratch.batch.open, self.scratch.batch.hears) = (false, false);
        if let Some(first) = self.take_out(0) {
            self.hear_moves(&first, 0, Spots::ALL);
            self.sweep(&first, 0);
            self.put_back(first, 0);
        }
        self.scratch.batch.lost.clear();
        self.scratch.moves = moves;
        self.scratch.order = order;
    }

    /// Makes the change of one branch of a batch, once all cards of the batch have left their places.
    fn make_change(&mut self, branch: &mut Branch, at: u16, (change, effect): (Change, Option<Effect>), moves: &[Moving]) {
        match change {
            Change::MoveTop { .. } | Change::MoveCard { .. } | Change::Move { .. } => self.arrive_all(branch, at, change, moves),
            Change::Install(..) => self.install(branch, at, effect),
            other => self.perform_other(branch, at, other),
        }
    }

    /// Whether another change of the batch has taken the last card of the zone from whose top this change takes a card.
    fn finds_nothing_left(&self, change: Change, moves: &[Moving]) -> bool {
        let (Change::MoveTop { from, .. } | Change::Move { top_of: Some(from), .. }) = change else { return false };
        self.state.board.cards(from).is_empty() && moves.iter().any(|moving| moving.from == from)
    }

    /// Performs the changes that a step has put off until its immediate rules have ended. For example, the rules may have filled a zone
    /// again.
    pub(crate) fn finish_step(&mut self, level: u16) {
        for branch in self.state.control.branches.iter_mut().filter(|branch| branch.level == level) {
            if let Doing::AfterRules(change) = branch.doing {
                branch.doing = Doing::Change(change);
            }
        }
        self.all_blocked(false, true);
    }

    /// The order of the changes: first by the game's policy, then by the branches. If a change has no number, the result is its statement.
    fn batch_order(&self, effects: &[(u16, Option<Effect>)], order: &mut Vec<(i32, u16)>) -> Option<Pc> {
        order.clear();
        let mut sorted = true;
        for (index, branch) in (0_u16..).zip(&self.state.control.branches) {
            if let (true, Doing::Change(change)) = (branch.level == self.state.control.level, branch.doing) {
                let effect = effects.iter().find(|(of, _)| *of == index).and_then(|(_, effect)| effect.as_ref());
                let Some(rank) = self.rank(branch, change, effect) else { return Some(branch.now()) };
                sorted &= order.last().is_none_or(|(before, _)| *before <= rank);
                order.push((rank, index));
            }
        }
        if !sorted {
            order.sort_unstable();
        }
        None
    }

    /// The number by which a change is ordered in its batch. None if the number of a change with both players is undefined or too large. A
    /// change without a player, or of a thing without an owner, may lack a number, and counts as 0.
    fn rank(&self, branch: &Branch, change: Change, effect: Option<&Effect>) -> Option<i32> {
        let whose = branch.own.or_else(|| branch.frames.last().map(|frame| frame.you));
        match self.program.policies.batch_order {
            BatchOrder::Branches => Some(0),
            BatchOrder::OwnersLast => Some(i32::from(self.touched(branch, whose, change, effect) == whose)),
            BatchOrder::By(rank) => {
                let player = |player: Option<Player>| player.map_or(Value::Undefined, Value::Player);
                let affected = self.touched(branch, whose, change, effect);
                let locals = [player(whose), player(affected)];
                let mut eval = Eval::new(self.program, self.state, &locals, &[], whose.unwrap_or_default(), Value::Undefined);
                let number = eval.number(rank);
                let may_lack = (whose.is_none() || affected.is_none()) && !eval.overflow;
                number.or_else(|| may_lack.then_some(0))
            }
        }
    }

    /// The effects that the batch begins, computed from the board before the batch.
    fn effects_of_batch(&self) -> Vec<(u16, Option<Effect>)> {
        let level = self.state.control.level;
        let branches = (0_u16..).zip(&self.state.control.branches).filter(|(_, branch)| branch.level == level);
        let mut effects = Vec::new();
        for (index, branch) in branches {
            if let Doing::Change(Change::Install(clause, duration)) = branch.doing {
                effects.push((index, self.begun_by(branch, clause, duration)));
            }
        }
        effects
    }

    /// The owner of the first thing that a change touches.
    fn touched(&self, branch: &Branch, you: Option<Player>, change: Change, effect: Option<&Effect>) -> Option<Player> {
        let owner = |value: Value| match value {
            Value::Object { id, .. } => self.state.board.object(id).map(|object| object.owner),
            Value::Player(player) => Some(player),
            _ => None,
        };
        match change {
            Change::MoveCard { card, .. } => owner(card),
            Change::Move { start, .. }
            | Change::Turn { start, .. }
            | Change::Order { start, .. }
            | Change::Attach { start, .. }
            | Change::Become { start, .. } => branch.lists.get(start as usize).copied().and_then(owner),
            Change::MoveTop { from: place, .. } | Change::Shuffle(place) => zone_of(self.program, place).1,
            Change::SetState { subject, .. } => owner(subject),
            Change::Make { owner, .. } => Some(owner),
            Change::Control { player, .. } => Some(player),
            Change::Install(..) => effect.and_then(|effect| effect.targets.as_ref()?.first().copied()).and_then(owner).or(you),
            Change::Show { .. } | Change::Expire(_) | Change::Open(..) => you,
        }
    }
}
