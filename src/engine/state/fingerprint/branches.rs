//! Adds the running branches to the number of a position: where they stand, and the changes that they are about to make.

use super::{PositionHash, is_number_of_players, is_tally};
use crate::ids::StateId;
use crate::program::{SamePositions, VerbDef};
use crate::state::{Branch, Change, Doing, Frame, Role, Until};
use crate::value::Value;
use std::hash::Hash;

impl PositionHash<'_> {
    /// Adds a branch: its calls with their registers, its attempts, and the actions that are being decided.
    pub(super) fn branch(&mut self, branch: &Branch) {
        (branch.parent, branch.level, branch.children, branch.own, branch.in_order, branch.broke, branch.stopped, branch.went_through)
            .hash(&mut self.to);
        self.doing(branch);
        for (at, frame) in branch.frames.iter().enumerate() {
            self.frame(branch, at, frame);
        }
        // Registers of blocks that have ended are left out, because nothing reads them again.
        for at in 0..branch.frames.len() {
            self.registers(branch, at);
        }
        self.values(&branch.collected, &branch.lists);
        self.values(&branch.unmoved, &[]);
        (branch.attempts.len(), branch.scopes.len()).hash(&mut self.to);
        for last in &branch.finals {
            (last.pc, last.scope.is_some(), last.you).hash(&mut self.to);
            self.values(&last.captures, &last.lists);
            self.values(&[last.this, last.cause.value()], &[]);
        }
        let before = branch.deciding.iter().filter_map(|deciding| deciding.before.as_deref());
        for deciding in branch.deciding.iter().chain(before) {
            (deciding.verb, deciding.was_replaced, deciding.forbidden, deciding.instead_done, deciding.instead_part).hash(&mut self.to);
            [&deciding.args[..], &deciding.members, &deciding.kept].into_iter().for_each(|values| self.values(values, &branch.lists));
            let effects = |numbers: &[u32]| numbers.iter().map(|number| Value::Effect(*number)).collect::<Vec<_>>();
            [effects(&deciding.declined), effects(&deciding.candidates)].iter().for_each(|values| self.values(values, &[]));
        }
    }

    /// Adds the innermost call of a branch.
    pub(super) fn call(&mut self, branch: &Branch) {
        (branch.parent, branch.level, branch.children, branch.own, branch.in_order, branch.broke, branch.stopped, branch.went_through)
            .hash(&mut self.to);
        let Some(frame) = branch.frames.last() else { return };
        let at = branch.frames.len() - 1;
        self.frame(branch, at, frame);
        self.registers(branch, at);
    }

    /// Adds a call without its registers.
    fn frame(&mut self, branch: &Branch, at: usize, frame: &Frame) {
        (frame.routine, frame.pc, frame.you, frame.role, frame.result).hash(&mut self.to);
        // `any`, `failed` and `short` count only if a caller or another branch learns them. `any` counts where the program asks for it, or
        // in an action that is its moves.
        let told = at > 0 || branch.parent.is_some();
        let its_moves = matches!(frame.role, Role::Action(verb) if self.program.verbs.get(verb).is_some_and(VerbDef::is_its_moves));
        (
            frame.asked(self.program),
            told && frame.any && (self.program.asks_part || its_moves),
            told && frame.failed,
            told && frame.short,
            frame.lenient,
            frame.replaced,
        )
            .hash(&mut self.to);
        self.value(frame.this, &[]);
        self.value(frame.cause.value(), &[]);
    }

    /// Adds the registers of a call that may still be read.
    fn registers(&mut self, branch: &Branch, at: usize) {
        let Some(frame) = branch.frames.get(at) else { return };
        let base = frame.base as usize;
        let end = branch.frames.get(at + 1).map_or(branch.registers.len(), |next| next.base as usize);
        let whole = matches!(frame.role, Role::Deciding | Role::Instead(_)) || !branch.deciding.is_empty();
        let in_use = self.program.in_use.get(frame.pc).filter(|_| !whole).map_or(usize::MAX, |in_use| usize::from(*in_use));
        let registers = branch.registers.get(base..end.min(base.saturating_add(in_use))).unwrap_or(&[]);
        // A running call writes its result when it ends. Until then nothing reads the register, so what an earlier block left there does not
        // count.
        let calling = branch.frames.get(at + 1).filter(|next| matches!(next.role, Role::Plain | Role::Action(_)));
        let result = calling.map_or(registers.len(), |next| usize::from(next.result.0).min(registers.len()));
        let (before, behind) = registers.split_at(result);
        self.values(before, &branch.lists);
        self.values(behind.get(1..).unwrap_or(&[]), &branch.lists);
    }

    /// Adds what a branch of a lockstep waits with: the answer to its question, or the change that it is about to make.
    fn doing(&mut self, branch: &Branch) {
        let of = |(start, len): (u32, u16)| Value::List { start, len };
        let said: Vec<Value> = match branch.doing {
            Doing::Run | Doing::Wait | Doing::Meet | Doing::Ended => Vec::new(),
            // The question follows from the place of the branch. The answer does not, so it is added.
            Doing::Ask(question) => vec![question.answer.map_or(Value::Undefined, of)],
            Doing::Change(change) | Doing::AfterRules(change) => self.change(change),
        };
        std::mem::discriminant(&branch.doing).hash(&mut self.to);
        self.values(&said, &branch.lists);
    }

    /// Whether positions count as equal for every value of a state.
    fn leaves_out(&self, state: StateId, value: Value) -> bool {
        let of = self.program.states.get(state);
        if self.program.policies.left_out_of_positions.contains(&state) {
            return true;
        }
        if self.but_for_numbers && of.is_some_and(is_number_of_players) {
            return true;
        }
        match self.same {
            SamePositions::Everything | SamePositions::AllButHistory => false,
            SamePositions::TalliesApart => of.is_some_and(is_tally),
            SamePositions::CardsInZones => true,
            SamePositions::CardsAsTheyLie => value.number().is_some() || of.is_some_and(|of| of.on_players),
        }
    }

    /// Adds a change without its values. Gives the values.
    fn change(&mut self, change: Change) -> Vec<Value> {
        std::mem::discriminant(&change).hash(&mut self.to);
        let of = |start, len| Value::List { start, len };
        match change {
            Change::MoveTop { from, to, face, result } => {
                (face, result).hash(&mut self.to);
                vec![Value::Zone(from), Value::Zone(to)]
            }
            Change::MoveCard { card, to, face, bottom, slot, under, result } => {
                (face, bottom, slot, under, result).hash(&mut self.to);
                vec![card, Value::Zone(to)]
            }
            Change::Move { start, len, to, face, bottom, slot, top_of, under, result } => {
                (face, bottom, slot, under, result).hash(&mut self.to);
                vec![of(start, len), Value::Zone(to), top_of.map_or(Value::Undefined, Value::Zone)]
            }
            Change::Attach { start, len, host } => vec![of(start, len), host],
            Change::Make { card, owner, to, slot, face, original, from, result } => {
                (slot, face, result).hash(&mut self.to);
                vec![Value::Card(card), owner.value(), Value::Zone(to), original, from]
            }
            Change::Become { start, len, card, from } => vec![of(start, len), card.map_or(Value::Undefined, Value::Card), from],
            Change::Control { player, by } => vec![Value::Player(player), Value::Player(by)],
            Change::Turn { start, len, up } => vec![of(start, len), Value::Bool(up)],
            Change::Shuffle(place) => vec![Value::Zone(place)],
            Change::SetState { subject, state, value, since, spends } => {
                state.hash(&mut self.to);
                if self.leaves_out(state, value) {
                    return vec![subject];
                }
                (since, spends).hash(&mut self.to);
                vec![subject, value]
            }
            Change::Order { start, len, place } => vec![of(start, len), Value::Zone(place)],
            Change::Show { start, len, to, by, until } => {
                let until = match until {
                    None => Value::Undefined,
                    Some(Until::Ends(duration)) => Value::Number(i32::from(duration.0)),
                    Some(Until::Waits(number)) => Value::Pending(number),
                };
                to.hash(&mut self.to);
                vec![of(start, len), by.map_or(Value::Undefined, Value::Player), until]
            }
            Change::Install(clause, duration) => {
                (clause, duration).hash(&mut self.to);
                Vec::new()
            }
            Change::Expire(duration) | Change::Open(duration, _) => {
                (duration, matches!(change, Change::Open(_, true))).hash(&mut self.to);
                Vec::new()
            }
        }
    }
}
