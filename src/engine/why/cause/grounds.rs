//! Tells because of what a statement did something: the conditions around the statement, its arguments, the values that they read, and the
//! last change of each value with its own cause.
//!
//! What a statement reads is noted when the statement reads it. Only values of the cards and players that the asked event names are told.
//! If a condition is false and the statement stands in its `else`, the values that made it false are told too, if an effect made them.

use super::{History, Kept};
use crate::eval::Eval;
use crate::ids::{Id, Pc, Reg, RuleId};
use crate::program::{Builtin, Op, Program};
use crate::state::Cause;
use crate::state::board::zone_of;
use crate::steps::{Inside, Step, View};
use crate::value::{Player, Value};
use crate::why::reads::{Part, Read, Reads};
use crate::why::{Answer, Fact, Line};

/// The most steps of the cause of a value.
const LONGEST: usize = 6;
/// The most statements that are followed from one statement, through registers.
const MOST_STATEMENTS: usize = 24;

/// The place of the condition of a rule, which is no statement.
const OF_RULE: Pc = Pc::NOWHERE;

/// What a statement read.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    /// The statement.
    at: Pc,
    /// The number of the branch, and the depth of calls.
    place: (u16, u16),
    /// The number of steps before.
    step: usize,
    reads: Reads,
}

/// How a statement depends on another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// The condition has to be true (or, in an `else`, false).
    Condition(bool),
    /// The value is used.
    Value,
}

impl History {
    /// Notes what a statement reads.
    pub(super) fn note_ground(&mut self, view: &View<'_>, inside: &Inside<'_>) {
        let Some(op) = view.program.code.get(inside.at) else { return };
        let mut eval = Eval::new(view.program, view.state, inside.locals, view.lists, inside.you, inside.this);
        (eval.done, eval.part) = inside.done;
        eval.cause = inside.cause;
        if let Some(reads) = eval.reads_of(op) {
            self.grounds.push(Ground { at: inside.at, place: inside.place, step: self.kept.len(), reads });
        }
    }

    /// Notes what the condition of a rule without an event reads.
    pub(super) fn note_rule(&mut self, view: &View<'_>, (rule, player): (RuleId, Player), place: (u16, u16)) {
        let Some(def) = view.program.rules.get(rule).filter(|def| def.event.is_none()) else { return };
        let local = [Value::Player(player)];
        let reads = Eval::new(view.program, view.state, &local, &[], player, Value::Undefined).reads_of_condition(def.condition);
        self.grounds.push(Ground { at: OF_RULE, place, step: self.kept.len(), reads });
    }

    /// Adds because of what the first step of `below` happened. `below` holds the steps on the way from the asked event, the last one first.
    pub(super) fn grounds_of(&self, program: &Program, (below, reader): (&[usize], Option<Player>), depth: u8, answer: &mut Answer) {
        let Some(at) = below.first().copied() else { return };
        for (step, pc) in self.calls_to(program, at) {
            for (ground, tie) in self.tied(program, step, pc) {
                self.tell_ground(program, (ground, tie), (below, reader), depth, answer);
            }
        }
    }

    /// Adds what the condition of a rule read about the cards that the steps `below` it name.
    pub(super) fn grounds_of_rule(
        &self,
        program: &Program,
        rule: usize,
        (below, reader): (&[usize], Option<Player>),
        depth: u8,
        answer: &mut Answer,
    ) {
        let first = self.grounds.partition_point(|ground| ground.step < rule);
        let of_step = self.grounds.iter().skip(first).take_while(|ground| ground.step == rule);
        if let Some(ground) = of_step.into_iter().find(|ground| ground.at == OF_RULE) {
            self.tell_ground(program, (ground, Tie::Condition(true)), (below, reader), depth, answer);
        }
    }

    fn tell_ground(
        &self,
        program: &Program,
        (ground, tie): (&Ground, Tie),
        (below, reader): (&[usize], Option<Player>),
        depth: u8,
        answer: &mut Answer,
    ) {
        let bit = |player: Player| 1_u8.checked_shl(u32::from(player.0)).unwrap_or(u8::MAX);
        if reader.is_some_and(|reader| ground.reads.hidden & bit(reader) != 0) {
            return;
        }
        for read in ground.reads.found.iter().filter(|read| self.counts(program, (read, ground.step), tie, below)) {
            self.tell_read(program, (read, ground.step), (below, reader), depth, answer);
        }
    }

    /// Whether a value has to do with the asked event.
    fn counts(&self, program: &Program, (read, until): (&Read, usize), tie: Tie, below: &[usize]) -> bool {
        let first = read.lines.first().map(|line| &line.fact);
        match (read.part, tie, first) {
            (Part::Given, Tie::Value, _) | (Part::Handled, Tie::Condition(true), _) => return true,
            // A member of a set is missing if it has moved since the action around the statement began.
            (Part::Elsewhere, Tie::Condition(false), Some(fact)) => {
                let begun = below.first().and_then(|at| self.parent(*at));
                return self.last_change(program, fact, until).zip(begun).is_some_and(|(moved, begun)| moved > begun);
            }
            // The place of a card is a reason only if the card has to lie elsewhere.
            (Part::Failed, Tie::Condition(false), Some(Fact::Lies(..) | Fact::ControlledBy(..))) => return true,
            (_, _, Some(Fact::Lies(..))) => return false,
            (Part::Failed, Tie::Condition(false), _) if read.lines.iter().any(|line| line.fact.influence().is_some()) => return true,
            _ => {}
        }
        let mut args = below.iter().filter_map(|step| super::turning::args_of(&self.kept.get(*step)?.traced.step));
        args.any(|args| self.concerns(program, args, read.of))
    }

    /// Whether arguments name a card, or the player of a zone.
    fn concerns(&self, program: &Program, args: &[Value], of: Value) -> bool {
        let of = match of {
            Value::Zone(place) => zone_of(program, place).1.map_or(of, Player::value),
            of => of,
        };
        self.names(args, of)
    }

    /// Adds a value, and its last change.
    fn tell_read(
        &self,
        program: &Program,
        (read, until): (&Read, usize),
        (below, reader): (&[usize], Option<Player>),
        depth: u8,
        answer: &mut Answer,
    ) {
        let same = |line: &&Line| read.lines.first().is_some_and(|first| first.fact == line.fact);
        if answer.lines.iter().any(|line| same(&line)) {
            return;
        }
        for line in &read.lines {
            answer.say(depth + line.depth, line.fact.clone(), line.cites.iter().copied());
            // Who controls a card is said by the effects below. Without effects a move has given control.
            if matches!(line.fact, Fact::ControlledBy(..)) && read.lines.len() > 1 {
                continue;
            }
            if let Some(change) = self.last_change(program, &line.fact, until) {
                self.tell_change(program, change, (below, reader), depth + line.depth + 1, answer);
            }
        }
    }

    /// The last change of a value before a step.
    fn last_change(&self, program: &Program, fact: &Fact, until: usize) -> Option<usize> {
        let before = self.kept.get(..until)?;
        match fact {
            Fact::State(of, state, _) => before.iter().rposition(|kept| {
                let is = |known: Value| {
                    known == *of || matches!((known, *of), (Value::Object { id, .. }, Value::Object { id: this, .. }) if id == this)
                };
                kept.state.is_some_and(|(known, which)| which == *state && is(known))
            }),
            Fact::Lies(card, ..) | Fact::ControlledBy(card, _) => {
                before.iter().rposition(|kept| moves(kept).and_then(|args| args.get(..1)).is_some_and(|what| self.names(what, *card)))
            }
            Fact::Counted(place, 0) => {
                before.iter().rposition(|kept| moves(kept).is_some_and(|args| args.get(4) == Some(&Value::Zone(*place))))
            }
            _ => None,
        }
        .filter(|change| self.kept.get(*change).is_some_and(|kept| program.code.get(kept.traced.at).is_some()))
    }

    /// Adds the cause of a change, up to a step that also led to the asked event.
    fn tell_change(&self, program: &Program, change: usize, (below, reader): (&[usize], Option<Player>), depth: u8, answer: &mut Answer) {
        // Everything that contains the asked event is told below it.
        let shared: Vec<usize> =
            below.first().map(|at| std::iter::successors(Some(*at), |at| self.parent(*at)).collect()).unwrap_or_default();
        let mut depth = depth;
        if let Some(Step::Performed(verb, args, _)) = self.kept.get(change).map(|kept| &kept.traced.step) {
            answer.say(depth, Fact::Event(*verb, *args), self.cites(program, change));
            depth += 1;
        }
        let mut steps = vec![change];
        for _ in 0..LONGEST {
            let Some(at) = steps.first().copied() else { return };
            self.decision(program, at, depth, reader, answer);
            let Some(within) = self.parent(at) else { return };
            if shared.contains(&within) {
                return;
            }
            let Some(next) = self.link(program, (&steps, reader), &mut depth, answer) else { return };
            depth += 1;
            steps.insert(0, next);
        }
    }

    /// What was read for a statement: by the conditions around it, by itself, and by the statements that set the registers that these read.
    fn tied(&self, program: &Program, step: usize, pc: Pc) -> Vec<(&Ground, Tie)> {
        let Some(start) =
            super::calls::routine_of(program, pc).and_then(|routine| program.routines.get(routine)).map(|routine| routine.start)
        else {
            return Vec::new();
        };
        let mut left: Vec<(Pc, Tie)> = vec![(pc, Tie::Value)];
        left.extend(around(program, start, pc));
        let mut found: Vec<(&Ground, Tie)> = Vec::new();
        let mut at = 0;
        while let Some((pc, tie)) = left.get(at).copied().filter(|_| at < MOST_STATEMENTS) {
            at += 1;
            let Some(ground) = self.ground_of(pc, step) else { continue };
            if matches!((tie, ground.reads.result), (Tie::Condition(is_true), Some(result)) if is_true != result) {
                continue;
            }
            found.push((ground, tie));
            for register in &ground.reads.registers {
                if let Some(earlier) = self.set_by(program, (start, pc), *register, step)
                    && !left.iter().any(|(known, _)| *known == earlier)
                {
                    left.push((earlier, tie));
                }
            }
        }
        found
    }

    /// The values that a statement read in its last run before a step. A run in the branch of the step comes first.
    fn ground_of(&self, at: Pc, step: usize) -> Option<&Ground> {
        let kept = self.kept.get(step)?;
        let end = self.grounds.partition_point(|ground| ground.step <= step);
        let from = kept.within.unwrap_or(0);
        let window = self.grounds.get(..end)?.iter().rev().take_while(|ground| ground.step >= from);
        let mut other = None;
        for ground in window.filter(|ground| ground.at == at && ground.place.1 <= kept.traced.depth) {
            if ground.place.0 == kept.traced.branch {
                return Some(ground);
            }
            other = other.or(Some(ground));
        }
        other
    }

    /// The statement that set a register last, among those of the same body before a statement.
    fn set_by(&self, program: &Program, (start, before): (Pc, Pc), register: Reg, step: usize) -> Option<Pc> {
        let sets = |pc: &Pc| match program.code.get(*pc) {
            Some(Op::Let { to, .. } | Op::LetSet { to, .. }) => *to == register,
            Some(Op::Iterate { .. }) => matches!(program.code.get(Pc(pc.0 + 1)), Some(Op::Next { item, .. }) if *item == register),
            Some(Op::ForkFor { item, .. }) => *item == register,
            _ => false,
        };
        let those = (start.0..before.0).map(Pc).filter(sets);
        those.max_by_key(|pc| self.ground_of(*pc, step).map(|ground| ground.step))
    }

    /// The cause that the game declares, of an action whose container has another cause.
    pub(super) fn declared_cause(&self, at: usize) -> Option<Fact> {
        let declared = |at: usize| match self.kept.get(at).map(|kept| &kept.traced.step) {
            Some(Step::Began(_, _, Cause::Declared { cause, of, .. })) => Some((*cause, *of)),
            _ => None,
        };
        let own = declared(at)?;
        let around = self.parent(at).and_then(declared);
        (around != Some(own)).then_some(Fact::Caused(own.0, own.1))
    }
}

/// The arguments of a move.
fn moves(kept: &Kept) -> Option<&[Value]> {
    match &kept.traced.step {
        Step::Performed(verb, args, _) if *verb == Builtin::Move.verb() => Some(args),
        _ => None,
    }
}

/// The conditions and loops around a statement of a body, the outermost first.
fn around(program: &Program, start: Pc, pc: Pc) -> Vec<(Pc, Tie)> {
    let mut found = Vec::new();
    for at in (start.index()..pc.index()).map(Pc::from_index) {
        match program.code.get(at) {
            Some(Op::JumpUnless { to, .. }) if to.0 > pc.0 => found.push((at, Tie::Condition(true))),
            // In the `else`: the block before it ends with a jump behind the statement.
            Some(Op::JumpUnless { to, .. })
                if to.0 > at.0 + 1 && matches!(program.code.get(Pc(to.0 - 1)), Some(Op::Jump(end)) if end.0 > pc.0) =>
            {
                found.push((at, Tie::Condition(false)));
            }
            Some(Op::Iterate { .. }) if matches!(program.code.get(Pc(at.0 + 1)), Some(Op::Next { end, .. }) if end.0 > pc.0) => {
                found.push((at, Tie::Value));
            }
            Some(Op::ForkFor { join, .. }) if join.0 > pc.0 => found.push((at, Tie::Value)),
            _ => {}
        }
    }
    found
}
