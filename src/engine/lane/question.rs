//! Turns the way of a lockstep's members to their questions into acts: what each member does before it asks, how its branch looks then, and
//! what follows the answer.
//!
//! It works for a lockstep over the players under three conditions. Everything is known before the game except what depends on the table.
//! Nothing changes before the question. Each member is asked itself, about the cards of a zone.

use super::fold::{Env, Sym};
use super::track::{Act, Forced, Form, Kept, Residual, Slot};
use super::unfold::{DEEPEST, NoTrack, Unfolder};
use crate::engine::ids::{ChoiceId, Pc, Reg, RoutineId};
use crate::engine::program::{AmountDef, Builtin, MannerDef, Op};
use crate::engine::state::Frame;
use crate::engine::value::{Player, Value};

/// The greatest number of statements before a question.
const LONGEST_WAY: usize = 64;

/// A call before the question, with its registers. The first level is the frame that is shared with the flow.
#[derive(Clone)]
struct Level {
    routine: RoutineId,
    pc: Pc,
    base: u16,
    env: Env,
}

/// The player who asks, and the statement where the flow continues after the lockstep.
#[derive(Clone, Copy)]
struct Member {
    player: Player,
    join: Pc,
}

impl Unfolder<'_> {
    /// The acts of all members; their forms are added to `forms`. `None` if a member cannot ask in this way.
    pub(super) fn station(&mut self, fork: Pc, item: Reg, join: Pc, forms: &mut Vec<Form>) -> Option<Vec<Vec<Act>>> {
        let turn = self.fold.program.turn?;
        let mut members = Vec::new();
        for player in self.players() {
            let mut env = Env::default();
            env.set(item, Sym::Known(player));
            let level = Level { routine: turn, pc: Pc(fork.0 + 1), base: 0, env };
            let member = Member { player: player.player()?, join };
            members.push(self.way(member, vec![level], forms, 0).ok()?);
        }
        Some(members)
    }

    fn way(&mut self, member: Member, mut levels: Vec<Level>, forms: &mut Vec<Form>, mut walked: usize) -> Result<Vec<Act>, NoTrack> {
        let mut acts = Vec::new();
        loop {
            walked += 1;
            let level = levels.last_mut().filter(|_| walked <= LONGEST_WAY).ok_or(NoTrack)?;
            let next = Pc(level.pc.0 + 1);
            match *self.fold.program.code.get(level.pc).ok_or(NoTrack)? {
                Op::Jump(to) => level.pc = to,
                Op::JumpUnless { condition, to } => {
                    let condition = self.residual(&level.env, condition)?;
                    if let Some(value) = condition.known() {
                        level.pc = if value.is_true() { next } else { to };
                        continue;
                    }
                    level.pc = next;
                    let mut other = levels.clone();
                    other.last_mut().ok_or(NoTrack)?.pc = to;
                    let yes = self.way(member, levels, forms, walked)?;
                    let no = self.way(member, other, forms, walked)?;
                    acts.push(Act::Either(condition, yes, no));
                    return Ok(acts);
                }
                Op::Let { to, value } => {
                    let residual = self.residual(&level.env, value)?;
                    let sym = self.kept(&mut acts, residual);
                    level.env.set(to, sym);
                    level.pc = next;
                }
                Op::Call { routine, args, result: Reg::NONE } if !self.is_idle(routine) => {
                    let mut registers = self.given(&mut acts, &level.env, args)?;
                    level.pc = next;
                    let base = level.base + self.plan.routine(level.routine).registers;
                    let plan = self.plan.routine(routine);
                    registers.resize(usize::from(plan.registers).max(registers.len()), Sym::Known(Value::Undefined));
                    levels.push(Level { routine, pc: plan.start, base, env: Env { registers, ..Env::default() } });
                    if levels.len() > DEEPEST {
                        return Err(NoTrack);
                    }
                }
                Op::Choose { choice, result } => {
                    level.pc = next;
                    let act = self.asks(member, levels, choice, result, forms)?;
                    acts.push(act);
                    return Ok(acts);
                }
                _ => return Err(NoTrack),
            }
        }
    }

    /// If the statement after the question moves the answer: this move.
    fn forced(&mut self, pc: Pc, env: &Env, answer: Slot) -> Option<Forced> {
        let Op::Builtin { verb: Builtin::Move, args, result: Reg::NONE } = *self.fold.program.code.get(pc)? else { return None };
        let what = self.plan.single(*self.fold.program.args_of(args).first()?)?;
        let (Ok(Act::Move(_, Residual::Const(Value::Zone(to)), face)), Some(Residual::Slot(slot))) =
            (self.builtin(env, Builtin::Move, args), self.fold.residual(env, what))
        else {
            return None;
        };
        (slot == answer).then_some(Forced { to, face, pc: Pc(pc.0 + 1) })
    }

    /// The question, its form, and the acts after the answer.
    fn asks(
        &mut self,
        member: Member,
        mut levels: Vec<Level>,
        choice: ChoiceId,
        result: Reg,
        forms: &mut Vec<Form>,
    ) -> Result<Act, NoTrack> {
        let def = self.fold.program.choices.get(choice).ok_or(NoTrack)?;
        let fixed = |amount| !matches!(amount, AmountDef::Node(_));
        let plain = matches!(def.manner, MannerDef::Openly | MannerDef::Secretly)
            && !def.may_fail
            && !def.others_may_fail
            && def.single
            && !def.yes_no
            && !def.is_joint()
            && !self.fold.program.policies.tries_forced;
        if !plain || !fixed(def.min) || !fixed(def.max) || result == Reg::NONE {
            return Err(NoTrack);
        }
        let inner = levels.last_mut().ok_or(NoTrack)?;
        if self.residual(&inner.env, def.by)?.known() != Some(Value::Player(member.player)) {
            return Err(NoTrack);
        }
        let place = match self.fold.place(&inner.env, def.domain).and_then(|place| place.known()) {
            Some(Value::Zone(place)) => place,
            _ => return Err(NoTrack),
        };
        let answer = self.fold.slot();
        let form = u16::try_from(forms.len()).map_err(|_| NoTrack)?;
        let (mut kept, mut own) = (Vec::new(), Vec::new());
        for level in &levels {
            let first = own.len();
            if level.base > 0 {
                own.resize(first + usize::from(self.plan.routine(level.routine).registers), Value::Undefined);
            }
            for (at, sym) in (level.base..).zip(&level.env.registers) {
                match sym {
                    Sym::Known(value) if level.base > 0 => {
                        let slot = own.get_mut(first + usize::from(at - level.base)).ok_or(NoTrack)?;
                        *slot = *value;
                    }
                    Sym::Known(value) => kept.push((at, Kept::Known(*value))),
                    Sym::Found(slot) => kept.push((at, Kept::Slot(*slot))),
                    // Nothing else is set among the flow's own registers.
                    Sym::Unknown if level.base == 0 => {}
                    Sym::Unknown | Sym::List(_) => return Err(NoTrack),
                }
            }
        }
        let frame = |level: &Level| {
            let (routine, pc, base) = (level.routine, level.pc, u32::from(level.base));
            Frame { routine, pc, base, result: Reg::NONE, ..Frame::default() }
        };
        let frames = levels.iter().map(frame).collect();
        let (player, join) = (member.player, member.join);
        forms.push(Form { player, join, frames, own, kept, choice, place, min: def.min, max: def.max, result, answer, forced: None });
        let inner = levels.last_mut().ok_or(NoTrack)?;
        inner.env.set(result, Sym::Found(answer));
        let (pc, env) = (inner.pc, inner.env.clone());
        if let Some(form) = forms.last_mut() {
            form.forced = self.forced(pc, &env, answer);
        }
        // Verdicts in a lockstep wait for the other members.
        self.held += 1;
        self.fold.facts.clear();
        let mut after = Vec::new();
        while let Some(level) = levels.pop() {
            after.push(Act::Call(self.walk(level.pc, level.env, levels.len(), None).acts));
        }
        self.fold.facts.clear();
        Ok(Act::Ask(form, after))
    }
}
