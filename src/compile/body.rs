//! One body while it is being lowered: its statements so far, its registers, the names in sight, the edges around it.
//!
//! Statements are numbered from 0 within a body and moved to their place in the program when it is finished, because a
//! nested body (of a clause, of something put by) is finished in the middle of the outer one.

use super::types::Ty;
use crate::diagnostic::Span;
use crate::engine::ids::{CitesId, NodeId, Pc, Reg, VerbId};
use crate::engine::program::Op;
use crate::syntax::ast::{Expr, Name};
use std::sync::Arc;

/// What an expression became.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typed {
    pub(super) node: NodeId,
    pub(super) ty: Ty,
}

/// What a name in sight stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A register of this frame.
    Register(Reg, Ty),
    /// The member that a binder around the expression looks at.
    Bound(u8, Ty),
    /// A simple node that can be read anywhere in the expression.
    Node(Typed),
    /// A function's argument that is a set: lowered anew wherever it is read, with the names of the call, among as many functions
    /// as there were around the call.
    Lazy(Arc<Expr>, Arc<Vec<(String, Binding)>>, Ty, usize),
    /// A slot in which nothing stands: nobody may read it.
    Unfilled,
}

/// What a jump would leave.
#[derive(Clone, Debug)]
pub(super) enum Edge {
    /// A loop, with the `break`s to be patched.
    Loop(Vec<usize>),
    Attempt,
    Branch,
    Act(Reg),
    Judge,
    Veil,
    /// A stretch that is watched, or in which roles are held.
    Scope,
    /// The rest of a block behind a `finally`.
    Finally,
    Hold,
    Lenient(Reg),
}

/// What `return` does in a body.
#[derive(Clone, Debug)]
pub(super) enum Returns {
    /// Leaves the routine; the type of its value where one is declared.
    Routine(Option<Ty>),
    /// Ends the phase: jumps to be patched.
    Phase(Vec<usize>),
}

/// A statement with what stands beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Emitted {
    pub(super) op: Op,
    pub(super) cites: CitesId,
    pub(super) span: Span,
    /// How many registers are in use there.
    pub(super) in_use: u16,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) code: Vec<Emitted>,
    pub(super) names: Vec<(String, Binding)>,
    pub(super) next: u16,
    /// So many registers, the first ones, hold what names outside held when this was put in force or put by.
    pub(super) captured: u16,
    pub(super) registers: u16,
    pub(super) edges: Vec<Edge>,
    pub(super) depth: u8,
    /// In the body of a slot: who is asked. That is `you`, unless the flow names another.
    pub(super) asker: NodeId,
    /// Statements can be lifted out of the expression here.
    pub(super) can_ask: bool,
    pub(super) in_judgement: bool,
    /// Of an action that is done secretly.
    pub(super) secret: bool,
    pub(super) returns: Returns,
    pub(super) labels: Vec<(String, usize, usize)>,
    pub(super) inlining: Vec<usize>,
    pub(super) cites: CitesId,
    /// The rules of the nearest statement or declaration around that cites any: what the kernel's own actions in it carry out.
    pub(super) around: CitesId,
    pub(super) span: Span,
    /// The label of the call whose arguments are being lowered: what a lifted choice is for.
    pub(super) asked_for: Option<(String, String, NodeId)>,
    /// The `range` of which one number is chosen next.
    pub(super) named_from: Option<Span>,
    /// The type of what the last `pick` of chance was from.
    pub(super) picked_from: Option<Ty>,
    /// Registers that hold what was chosen several at a time.
    pub(super) several: Vec<Reg>,
    /// What parameters of an option range over: that is checked again where it is asked whether one is still what it was.
    pub(super) domains: Vec<(String, Expr)>,
    /// It asks whether the last instruction was done.
    pub(super) reads_done: bool,
    /// Where it reads `this_after`.
    pub(super) after: Option<Reg>,
    /// Texts stand for cards (scenarios).
    pub(super) texts_are_cards: bool,
    /// In the set of a loop: the loop's name, which is not known there.
    pub(super) loop_name: Option<String>,
    /// In what is done instead of an action: the verbs that it may replace.
    pub(super) replaces: Vec<VerbId>,
    /// In a lasting clause: the sets of its `fixed(S)`, and the names of what was in them when the clause began.
    pub(super) fixed: Vec<(Expr, Name)>,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            code: Vec::new(),
            names: Vec::new(),
            next: 0,
            captured: 0,
            registers: 0,
            edges: Vec::new(),
            depth: 0,
            asker: NodeId::NONE,
            can_ask: false,
            in_judgement: false,
            secret: false,
            returns: Returns::Routine(None),
            labels: Vec::new(),
            inlining: Vec::new(),
            cites: CitesId::default(),
            around: CitesId::default(),
            span: Span::default(),
            asked_for: None,
            named_from: None,
            picked_from: None,
            several: Vec::new(),
            domains: Vec::new(),
            reads_done: false,
            after: None,
            texts_are_cards: false,
            loop_name: None,
            replaces: Vec::new(),
            fixed: Vec::new(),
        }
    }
}

impl Body {
    /// A new register; the frame is as large as the most that are in use at once.
    pub(super) fn register(&mut self) -> Reg {
        let reg = Reg(self.next);
        self.next = self.next.saturating_add(1);
        self.registers = self.registers.max(self.next);
        // What the register held in a block before this one is forgotten.
        self.several.retain(|other| *other != reg);
        reg
    }

    /// A register with a name.
    pub(super) fn local(&mut self, name: &str, ty: Ty) -> Reg {
        let reg = self.register();
        self.bind(name, Binding::Register(reg, ty));
        reg
    }

    /// A register for what a name outside holds; several stay several.
    pub(super) fn taken_in(&mut self, name: &str, ty: Ty, several: bool) -> Reg {
        let reg = self.local(name, ty);
        if several {
            self.several.push(reg);
        }
        reg
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        self.names.push((name.to_owned(), binding));
    }

    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, binding)| binding)
    }

    /// Adds a statement; its place in the body. A move, a shuffle and the like have no declaration that says whose rule they are:
    /// without rules of their own they carry out those of the statement around.
    pub(super) fn emit(&mut self, op: Op) -> usize {
        let bare = self.cites == CitesId::default() && matches!(op, Op::Builtin { .. } | Op::MoveTop { .. });
        let cites = if bare { self.around } else { self.cites };
        self.code.push(Emitted { op, cites, span: self.span, in_use: self.next });
        self.code.len() - 1
    }

    pub(super) fn here(&self) -> usize {
        self.code.len()
    }

    /// The jump at `at` goes to `target`.
    pub(super) fn patch(&mut self, at: usize, target: usize) {
        let target = Pc(target as u32);
        let Some(emitted) = self.code.get_mut(at) else { return };
        match &mut emitted.op {
            Op::Jump(to) | Op::JumpUnless { to, .. } => *to = target,
            Op::May { otherwise, .. } | Op::Try { otherwise, .. } => *otherwise = target,
            Op::Next { end, .. } | Op::CountDown { end, .. } => *end = target,
            Op::ForkFor { join, .. } => *join = target,
            Op::Match { end, .. } => *end = target,
            Op::Offer { passed, .. } => *passed = target,
            Op::Taken { again, .. } => *again = target,
            Op::Watch { aborted, .. } => *aborted = target,
            _ => {}
        }
    }

    /// The jump at `at` goes to the next statement.
    pub(super) fn patch_here(&mut self, at: usize) {
        self.patch(at, self.here());
    }

    /// Drops the statements from `start` on, and the jumps among them that wait for their target.
    pub(super) fn forget_from(&mut self, start: usize) {
        self.code.truncate(start);
        for edge in &mut self.edges {
            if let Edge::Loop(breaks) = edge {
                breaks.retain(|at| *at < start);
            }
        }
        if let Returns::Phase(exits) = &mut self.returns {
            exits.retain(|at| *at < start);
        }
    }

    pub(super) fn patch_all_here(&mut self, all: &[usize]) {
        for at in all {
            self.patch_here(*at);
        }
    }
}

/// The statement with its jumps moved by `base`.
pub(super) fn relocated(op: Op, base: u32) -> Op {
    let moved = |pc: Pc| Pc(pc.0 + base);
    match op {
        Op::Jump(to) => Op::Jump(moved(to)),
        Op::JumpUnless { condition, to } => Op::JumpUnless { condition, to: moved(to) },
        Op::May { choice, otherwise } => Op::May { choice, otherwise: moved(otherwise) },
        Op::Try { asked, otherwise } => Op::Try { asked, otherwise: moved(otherwise) },
        Op::Next { list, item, end } => Op::Next { list, item, end: moved(end) },
        Op::CountDown { counter, end } => Op::CountDown { counter, end: moved(end) },
        Op::ForkFor { set, item, join, in_order } => Op::ForkFor { set, item, join: moved(join), in_order },
        Op::Match { of, choice, taken, picked, end } => Op::Match { of, choice, taken, picked, end: moved(end) },
        Op::Offer { choice, from, taken, passed } => Op::Offer { choice, from, taken, passed: moved(passed) },
        Op::Watch { condition, aborted } => Op::Watch { condition, aborted: moved(aborted) },
        Op::Taken { taken, result, again } => Op::Taken { taken, result, again: moved(again) },
        Op::Fork { other, join } => Op::Fork { other: moved(other), join: moved(join) },
        other => other,
    }
}
