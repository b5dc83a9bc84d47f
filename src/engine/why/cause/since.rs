//! Notes since when the conditions of rules without an event, and of abilities about a state, are true, and for which members. So the cause
//! of a rule is the change by which its condition became true, and not a later change of something that the condition also reads.
//!
//! A condition `some S as x where …` is true for members: each has its own change. Other conditions are true as a whole. The operands of an
//! `and` are looked at too: the whole may become true by something that is no change, such as the end of an ability, although a player
//! asks about the change before that.

use crate::eval::Eval;
use crate::ids::{NodeId, PhaseId, RuleId};
use crate::program::{ClauseKind, Node};
use crate::state::State;
use crate::steps::View;
use crate::value::{Player, Value};

/// The truths of all conditions of rules, as they were at the last look.
#[derive(Clone, Debug, Default)]
pub(super) struct Truths {
    /// The number of the step of the last look.
    looked: Option<usize>,
    /// The versions of everything that conditions can read, at the last look.
    seen: Option<Seen>,
    /// What is true at present.
    found: Vec<Truth>,
}

/// The versions of everything that conditions can read. If none has changed, the conditions have not changed either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    board: [u64; 3],
    effects: [u64; 2],
    counts: [u64; 4],
    phase: Option<PhaseId>,
}

/// Something that waits until a condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiter {
    /// A rule without an event.
    Rule(RuleId),
    /// An ability about a state, by the number of its effect.
    Effect(u32),
}

/// A member for which the condition of a rule or of an ability is true.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truth {
    of: Waiter,
    player: Player,
    /// The member. Undefined for a condition that is true as a whole.
    pub member: Value,
    /// The operand of the condition's `and`; none for the whole condition.
    operand: Option<NodeId>,
    /// The last step at which the condition was still false. None if it has never been false.
    pub(crate) falsely: Option<usize>,
    /// The first step at which the condition was true.
    pub from: usize,
}

impl Seen {
    fn of(state: &State) -> Self {
        let (board, effects, events) = (&state.board, &state.effects, &state.events);
        Seen {
            board: [board.versions.lying.number(), board.versions.states.number(), board.versions.sight.number()],
            effects: [effects.row_version.number(), u64::from(effects.next)],
            counts: [u64::from(board.turn), events.pending.len() as u64, events.history.len() as u64, effects.in_force.len() as u64],
            phase: board.phase,
        }
    }
}

/// A look at the conditions.
struct Looking {
    /// What was true at the last look.
    before: Vec<Truth>,
    /// The number of the step of the last look.
    looked: Option<usize>,
    /// The present step.
    step: usize,
    /// What is true now.
    found: Vec<Truth>,
}

impl Looking {
    fn look(&mut self, eval: &mut Eval<'_>, (of, player): (Waiter, Player), condition: NodeId) {
        let mut operands = Vec::new();
        eval.operands_of_and(condition, &mut operands);
        for operand in operands.into_iter().filter(|operand| *operand != condition) {
            if eval.holds(operand) {
                self.add((of, player), Value::Undefined, Some(operand));
            }
        }
        if !eval.holds(condition) {
            return;
        }
        let mut members = Vec::new();
        eval.members_that_fulfil(condition, &mut members);
        if members.is_empty() {
            members.push(Value::Undefined);
        }
        members.into_iter().for_each(|member| self.add((of, player), member, None));
    }

    fn add(&mut self, (of, player): (Waiter, Player), member: Value, operand: Option<NodeId>) {
        let new = Truth { of, player, member, operand, falsely: self.looked, from: self.step };
        let same = |known: &&Truth| (known.of, known.player, known.member, known.operand) == (of, player, member, operand);
        self.found.push(self.before.iter().find(same).copied().unwrap_or(new));
    }
}

impl Truths {
    /// Looks at the conditions at a step that is about to be noted, unless nothing has changed since the last look. Gives whether something
    /// has changed.
    pub(super) fn look(&mut self, view: &View<'_>, step: usize) -> bool {
        let seen = Seen::of(view.state);
        let has_changed = self.seen != Some(seen);
        if has_changed {
            self.look_again(view, step);
            self.seen = Some(seen);
        }
        self.looked = Some(step);
        has_changed
    }

    fn look_again(&mut self, view: &View<'_>, step: usize) {
        let mut looking = Looking { before: std::mem::take(&mut self.found), looked: self.looked, step, found: Vec::new() };
        for (rule, def) in view.program.rules.iter().filter(|(_, def)| def.event.is_none()) {
            for player in (0..if def.each_player { view.program.players } else { 1 }).map(Player) {
                let local = [Value::Player(player)];
                let mut eval = Eval::new(view.program, view.state, &local, &[], player, Value::Undefined);
                looking.look(&mut eval, (Waiter::Rule(rule), player), def.condition);
            }
        }
        if view.state.effects.awaiting > 0 {
            for effect in &view.state.effects.in_force {
                let Some(ClauseKind::Whenever { condition, .. }) = view.program.clauses.get(effect.clause).map(|clause| &clause.kind)
                else {
                    continue;
                };
                let mut outer = Eval::new(view.program, view.state, &[], &[], effect.you, effect.source);
                if outer.is_active(effect, effect.clause) {
                    looking.look(&mut outer.inside(effect), (Waiter::Effect(effect.number), Player(0)), *condition);
                }
            }
        }
        self.found = looking.found;
    }

    /// The members for which the condition of a rule is true at present.
    pub(super) fn of(&self, rule: RuleId, player: Player, each_player: bool) -> impl Iterator<Item = &Truth> {
        self.all_of(rule, player, each_player).filter(|known| known.operand.is_none())
    }

    /// The members for which the condition of an ability about a state is true at present.
    pub(super) fn of_effect(&self, number: u32) -> impl Iterator<Item = &Truth> {
        self.found.iter().filter(move |known| known.of == Waiter::Effect(number) && known.operand.is_none())
    }

    /// The operands of the condition's `and` that are true at present.
    pub(super) fn operands_of(&self, rule: RuleId, player: Player, each_player: bool) -> impl Iterator<Item = &Truth> {
        self.all_of(rule, player, each_player).filter(|known| known.operand.is_some())
    }

    fn all_of(&self, rule: RuleId, player: Player, each_player: bool) -> impl Iterator<Item = &Truth> {
        self.found.iter().filter(move |known| known.of == Waiter::Rule(rule) && (known.player == player || !each_player))
    }
}

impl Eval<'_> {
    /// The operands of a condition that is a chain of `and`; the condition itself if it is none.
    fn operands_of_and(&self, condition: NodeId, found: &mut Vec<NodeId>) {
        match self.program.nodes.get(condition).copied() {
            Some(Node::Tallied(of, _)) => self.operands_of_and(of, found),
            Some(Node::And(a, b)) => [a, b].into_iter().for_each(|part| self.operands_of_and(part, found)),
            _ => found.push(condition),
        }
    }

    /// The members that make a true condition true, if it is a condition on members.
    fn members_that_fulfil(&mut self, condition: NodeId, found: &mut Vec<Value>) {
        match self.program.nodes.get(condition).copied() {
            Some(Node::Tallied(of, _)) => self.members_that_fulfil(of, found),
            Some(Node::And(a, b) | Node::Or(a, b)) => {
                for part in [a, b] {
                    if found.is_empty() && self.holds(part) {
                        self.members_that_fulfil(part, found);
                    }
                }
            }
            Some(Node::With { value, body }) => {
                let value = self.value(value);
                self.bind(value, |eval| eval.members_that_fulfil(body, found));
            }
            Some(Node::Some(set, condition)) => {
                for member in self.members(set) {
                    if condition == NodeId::NONE || self.bind(member, |eval| eval.holds(condition)) {
                        found.push(member);
                    }
                }
            }
            Some(Node::Exists(set)) => found.extend(self.members(set)),
            _ => {}
        }
    }
}
