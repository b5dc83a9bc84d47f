//! Blocks of `finally`, which are carried out when the stretch around them has ended, in whatever way (docs/kernel/flow.md, "Stretches").
//!
//! A block of this sort is a body of its own with copies of the values that it names, because these are gone when calls and attempts have
//! been taken back. The block waits on the branch. A stretch that ends makes it due, and the branch carries out due blocks before its next
//! statement. After the end of the game none is carried out.

use crate::fault::{Fault, broken};
use crate::ids::{ArgsId, Pc, RoutineId};
use crate::run::Run;
use crate::state::{Branch, Final, Frame, Role, ScopeKind};
use crate::steps::{Observer, Step};

impl<O: Observer> Run<'_, O> {
    /// Carries out `finally {`: the block begins to wait for the end of its stretch.
    pub(crate) fn begin_finally(&mut self, branch: &mut Branch, pc: Pc, body: RoutineId, captures: ArgsId) {
        let Some(Frame { you, this, cause, .. }) = branch.frames.last().copied() else { return broken(Fault::Frame) };
        let (captures, lists) = self.captured(branch, captures);
        self.begin_scope(branch, ScopeKind::Finally);
        let scope = branch.scopes.last().map(|scope| scope.number);
        branch.finals.push(Final { scope, pc, body, captures, lists, you, this, cause });
    }

    /// Begins the blocks that are due. The block that became due first is carried out first. Returns whether there was a due block.
    pub(crate) fn begin_finals(&mut self, branch: &mut Branch, at: u16) -> bool {
        if !branch.finals.iter().any(|last| last.scope.is_none()) {
            return false;
        }
        let mut due = Vec::new();
        branch.finals.retain(|last| {
            if last.scope.is_none() {
                due.push(last.clone());
            }
            last.scope.is_some()
        });
        // The frame on top is carried out first, so the frames are pushed in reverse order.
        for last in due.into_iter().rev() {
            let lists = branch.lists.len() as u32;
            branch.lists.extend_from_slice(&last.lists);
            let base = branch.registers.len();
            branch.registers.extend(last.captures.iter().map(|value| crate::abilities::slots::moved(*value, lists)));
            branch.registers.resize(base + self.registers_of(last.body).max(last.captures.len()), crate::value::Value::Undefined);
            let mut frame = self.frame(last.body, base);
            (frame.lists, frame.you, frame.this, frame.cause) = (lists, last.you, last.this, last.cause);
            // If a part of the block cannot be done, nothing around the block fails.
            (frame.lenient, frame.role) = (true, Role::Finally);
            self.push(branch, frame);
            self.tell(last.pc, branch.frames.len().saturating_sub(1), at, &[], || Step::Statement(None));
        }
        true
    }
}

impl Branch {
    /// Called when a stretch has ended. Makes the block of this stretch due, after the blocks that are already due.
    pub(crate) fn finally_due(&mut self, scope: u32) {
        let ended = self.finals.iter().position(|last| last.scope == Some(scope));
        if let Some(ended) = ended {
            let last = self.finals.remove(ended);
            self.finals.push(Final { scope: None, ..last });
        }
    }

    /// Whether the branch is carrying out a block of `finally`. Nothing breaks off such a block.
    pub(crate) fn is_in_finally(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame.role, Role::Finally))
    }
}
