//! Turns locksteps into code. Independent members run one after the other. Otherwise the reads and writes of each member are noted. In a
//! station all members first run up to their questions.
//!
//! If members are independent, the rules that they make due are carried out in the order of the rounds of the lockstep.

use super::code::Instruction;
use super::emit::{Emitter, TooLong};
use super::footprint::never_meet;
use super::track::{Act, Residual};
use crate::engine::value::Value;

impl Emitter<'_> {
    /// A station: the acts of the members up to their questions, the questions, and then a lockstep of what follows the answers.
    pub(super) fn station(&mut self, members: &[Vec<Act>]) -> Result<(), TooLong> {
        for member in members {
            self.acts(member, false)?;
        }
        self.push(Instruction::Pause);
        let asked: Vec<Vec<(u16, &[Act])>> = members.iter().map(|member| questions(member)).collect();
        let bodies: Vec<Vec<Act>> = asked.iter().map(|forms| forms.iter().flat_map(|(_, after)| after.iter().cloned()).collect()).collect();
        let (apart, ruleless) = self.keep_apart(&bodies);
        let rounds = apart && !ruleless && bodies.iter().any(|body| self.may_call(body));
        if !apart {
            self.push(Instruction::Together { outermost: true });
        }
        let noting = std::mem::replace(&mut self.noting, !apart);
        let around = std::mem::replace(&mut self.ruleless, ruleless);
        let within = std::mem::replace(&mut self.within, true);
        for (member, forms) in (0_u8..).zip(&asked) {
            if !apart {
                self.push(Instruction::Member);
                self.seen.clear();
                self.noted = 0;
            }
            if rounds {
                self.push(Instruction::Round { first: member == 0 });
            }
            self.push(Instruction::Resume(member));
            let mut ends = Vec::new();
            for (number, (form, after)) in forms.iter().enumerate() {
                let here = self.here();
                self.landed = here as usize;
                let form = usize::from(*form);
                if self.code.answered.len() <= form {
                    self.code.answered.resize(form + 1, 0);
                }
                if let Some(slot) = self.code.answered.get_mut(form) {
                    *slot = here;
                }
                self.acts(after, false)?;
                if number + 1 < forms.len() {
                    ends.push(self.push(Instruction::Jump(0)));
                }
            }
            self.land(&ends);
            if !apart {
                self.push(Instruction::MemberEnds);
            }
        }
        (self.noting, self.ruleless, self.within) = (noting, around, within);
        if !apart {
            self.push(Instruction::TogetherEnds);
        }
        self.push(Instruction::Answered);
        Ok(())
    }

    pub(super) fn together(&mut self, members: &[Vec<Act>], outermost: bool) -> Result<(), TooLong> {
        let (apart, ruleless) = self.keep_apart(members);
        let may_call = apart && !ruleless && !self.noting && members.iter().any(|member| self.may_call(member));
        // For a member of an inner lockstep nobody counts the rounds of the outer one.
        let ruleless = ruleless || may_call && self.within;
        let around = std::mem::replace(&mut self.ruleless, ruleless);
        let within = std::mem::replace(&mut self.within, true);
        if apart {
            for (number, member) in members.iter().enumerate() {
                if may_call && !ruleless {
                    self.push(Instruction::Round { first: number == 0 });
                }
                self.acts(member, false)?;
            }
            (self.ruleless, self.within) = (around, within);
            return Ok(());
        }
        self.push(Instruction::Together { outermost });
        let noting = std::mem::replace(&mut self.noting, true);
        for member in members {
            self.push(Instruction::Member);
            // This member has not read the things that another member has read.
            self.seen.clear();
            self.noted = 0;
            self.acts(member, false)?;
            self.push(Instruction::MemberEnds);
        }
        (self.noting, self.ruleless, self.within) = (noting, around, within);
        self.push(Instruction::TogetherEnds);
        Ok(())
    }

    /// Whether acts may make a rule due that the line carries out itself.
    fn may_call(&self, acts: &[Act]) -> bool {
        acts.iter().any(|act| match act {
            Act::MoveTop(from, _) | Act::Move(Residual::Const(Value::Zone(from)), ..) => {
                self.context.rules.iter().any(|rule| rule.place == *from)
            }
            Act::Either(_, yes, no) => self.may_call(yes) || self.may_call(no),
            Act::Repeat(_, body) | Act::EachCard(_, _, body) | Act::Call(body) | Act::Done(body) => self.may_call(body),
            Act::Perform { body, .. } => self.may_call(body),
            _ => false,
        })
    }

    /// Whether the members of a lockstep are independent in every case. The second value: whether this holds only without immediate rules.
    fn keep_apart(&self, members: &[Vec<Act>]) -> (bool, bool) {
        if !self.ruleless && never_meet(members, &self.origins, self.context.rules) {
            (true, false)
        } else {
            (never_meet(members, &self.origins, &[]), true)
        }
    }
}

/// The questions of a member: the form of each, and the acts after its answer.
fn questions(acts: &[Act]) -> Vec<(u16, &[Act])> {
    let mut found = Vec::new();
    for act in acts {
        match act {
            Act::Ask(form, after) => found.push((*form, after.as_slice())),
            Act::Either(_, yes, no) => {
                found.extend(questions(yes));
                found.extend(questions(no));
            }
            _ => {}
        }
    }
    found
}
