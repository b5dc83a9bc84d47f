//! One body while it is lowered: its statements so far, its registers, the names in sight, and the edges around it.
//!
//! Statements are numbered from 0 within a body, and moved to their place in the program when the body is finished. This is necessary
//! because a nested body (of a clause, or of something put by) is finished while the outer one is still open.

use crate::expressions::types::Ty;
use engine::ids::{ChoiceId, CitesId, NodeId, Pc, Reg, VerbId};
use engine::program::Op;
use lang::diagnostic::Span;
use lang::syntax::ast::{Expr, Name};
use std::sync::Arc;

/// A lowered expression: its node and its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typed {
    pub(crate) node: NodeId,
    pub(crate) ty: Ty,
}

/// The meaning of a name in sight.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A register of this frame.
    Register(Reg, Ty),
    /// The member that a surrounding binder looks at, by the binder's depth.
    Bound(u8, Ty),
    /// A simple node, which can be read anywhere in the expression.
    Node(Typed),
    /// An expression that is lowered again wherever the name is read: a set given to a function, or the value of a slot. With it stand the
    /// names in its sight, its type, and how many functions were being inlined around it.
    Lazy(Arc<Expr>, Arc<Vec<(String, Binding)>>, Ty, usize),
    /// An empty slot: reading it is an error.
    Unfilled,
}

/// A block with an edge: a jump out of the block must close it, or is not allowed.
#[derive(Clone, Debug)]
pub(crate) enum Edge {
    /// A loop, with its `break`s that still need their target.
    Loop(Vec<usize>),
    Attempt,
    Branch,
    Act(Reg),
    Judge,
    Veil,
    /// A stretch that is watched (`watch`), or in which roles are held (`during`).
    Scope,
    /// The rest of a block after a `finally`.
    Finally,
    Hold,
    /// `as far as possible` (true), or the block of a `may`.
    Measure(Reg, bool),
}

/// The meaning of `return` in a body.
#[derive(Clone, Debug)]
pub(crate) enum Returns {
    /// `return` leaves the routine. If the routine declares a result, `return` has a value of this type.
    Routine(Option<Ty>),
    /// `return` ends the phase. The list holds the jumps whose target is not known yet.
    Phase(Vec<usize>),
}

/// A statement with its citations and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emitted {
    pub(crate) op: Op,
    pub(crate) cites: CitesId,
    /// The rules of the nearest statement with citations: the statement itself, or one around it.
    pub(crate) around: CitesId,
    pub(crate) span: Span,
    /// How many registers are in use at this statement.
    pub(crate) in_use: u16,
}

/// A body being lowered; see the module.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) code: Vec<Emitted>,
    pub(crate) names: Vec<(String, Binding)>,
    pub(crate) next: u16,
    /// How many of the first registers hold captured names: the values of outer names when this body was put in force or put by.
    pub(crate) captured: u16,
    /// How many of the first registers hold names from outside of the innermost branch. Each branch has a copy of these.
    pub(crate) branched: u16,
    pub(crate) registers: u16,
    pub(crate) edges: Vec<Edge>,
    pub(crate) depth: u8,
    /// In the body of a slot: the player who is asked. This is `you`, unless the flow names another player.
    pub(crate) asker: NodeId,
    /// Whether statements can be lifted out of an expression here.
    pub(crate) can_ask: bool,
    /// Whether the expression being lowered is a part that is not always evaluated. Questions and actions are not allowed there.
    pub(crate) sometimes: bool,
    pub(crate) in_judgement: bool,
    /// Whether this is the body of an action that is done secretly.
    pub(crate) secret: bool,
    pub(crate) returns: Returns,
    pub(crate) labels: Vec<(String, usize, usize)>,
    pub(crate) inlining: Vec<usize>,
    /// The matches whose parts are being lowered, the outermost first.
    pub(crate) matching: Vec<usize>,
    pub(crate) cites: CitesId,
    /// The rules of the nearest surrounding statement or declaration with citations. Builtin actions without citations carry out these
    /// rules.
    pub(crate) around: CitesId,
    pub(crate) span: Span,
    /// The call whose arguments are being lowered: its name, its label and its player. A lifted choice is made for this call.
    pub(crate) asked_for: Option<(String, String, NodeId)>,
    /// The names of the answers that are numbers, each with its choice.
    pub(crate) numbered: Vec<(String, ChoiceId)>,
    /// The `range` from which one number is chosen next.
    pub(crate) named_from: Option<Span>,
    /// The type of the set of the last random `pick`.
    pub(crate) picked_from: Option<Ty>,
    /// Whether the body pays a cost.
    pub(crate) pays: bool,
    /// In a body that pays a cost: the picks of the present part that may be empty.
    pub(crate) optional_picks: Vec<Reg>,
    /// Registers that may hold several things.
    pub(crate) several: Vec<Reg>,
    /// Registers that hold the truth of a `let`. They are no answers to choices, so they are no sets.
    pub(crate) truths: Vec<Reg>,
    /// The domains of an option's parameters. `still(x)` checks them again.
    pub(crate) domains: Vec<(String, Expr)>,
    /// Whether the body asks if the last instruction was done.
    pub(crate) reads_done: bool,
    /// The last `may` before this place whose block is around this place: its choice, and the register for `declined`.
    pub(crate) last_may: Option<(ChoiceId, Reg)>,
    /// The register of `this_after`, if the body reads it.
    pub(crate) after: Option<Reg>,
    /// The register of `this_before`, if the body reads it.
    pub(crate) before: Option<Reg>,
    /// Whether texts stand for cards (in scenarios).
    pub(crate) texts_are_cards: bool,
    /// The name of the loop whose set is being lowered. The name is not known there.
    pub(crate) loop_name: Option<String>,
    /// In the body of a replacement: the verbs whose events it may replace.
    pub(crate) replaces: Vec<VerbId>,
    /// In a lasting clause: the sets of its `fixed(S)`, with the names of their members when the clause began.
    pub(crate) fixed: Vec<(Expr, Name)>,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            code: Vec::new(),
            names: Vec::new(),
            next: 0,
            captured: 0,
            branched: 0,
            registers: 0,
            edges: Vec::new(),
            depth: 0,
            asker: NodeId::NONE,
            can_ask: false,
            sometimes: false,
            in_judgement: false,
            secret: false,
            returns: Returns::Routine(None),
            labels: Vec::new(),
            inlining: Vec::new(),
            matching: Vec::new(),
            cites: CitesId::default(),
            around: CitesId::default(),
            span: Span::default(),
            asked_for: None,
            named_from: None,
            picked_from: None,
            pays: false,
            optional_picks: Vec::new(),
            several: Vec::new(),
            truths: Vec::new(),
            domains: Vec::new(),
            reads_done: false,
            numbered: Vec::new(),
            last_may: None,
            after: None,
            before: None,
            texts_are_cards: false,
            loop_name: None,
            replaces: Vec::new(),
            fixed: Vec::new(),
        }
    }
}

impl Body {
    /// A new register. The frame is as large as the largest number of registers in use at once.
    pub(crate) fn register(&mut self) -> Reg {
        let reg = Reg(self.next);
        self.next = self.next.saturating_add(1);
        self.registers = self.registers.max(self.next);
        // An earlier block may have used this register for several things.
        self.several.retain(|other| *other != reg);
        self.truths.retain(|other| *other != reg);
        reg
    }

    /// A new register with a name.
    pub(crate) fn local(&mut self, name: &str, ty: Ty) -> Reg {
        let reg = self.register();
        self.bind(name, Binding::Register(reg, ty));
        reg
    }

    /// A register for the value of an outer name. If the name can hold several things, so can the register.
    pub(crate) fn taken_in(&mut self, name: &str, ty: Ty, several: bool) -> Reg {
        let reg = self.local(name, ty);
        if several {
            self.several.push(reg);
        }
        reg
    }

    pub(crate) fn bind(&mut self, name: &str, binding: Binding) {
        self.names.push((name.to_owned(), binding));
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Binding> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, binding)| binding)
    }

    /// Adds a statement and gives its place in the body. A builtin action (a move, a shuffle and so on) has no declaration with citations.
    /// If its statement has no citations either, the action carries out the rules of the surrounding statement.
    pub(crate) fn emit(&mut self, op: Op) -> usize {
        let bare = self.cites == CitesId::default() && matches!(op, Op::Builtin { .. } | Op::MoveTop { .. });
        let around = if self.cites == CitesId::default() { self.around } else { self.cites };
        let cites = if bare { around } else { self.cites };
        self.code.push(Emitted { op, cites, around, span: self.span, in_use: self.next });
        self.code.len() - 1
    }

    pub(crate) fn here(&self) -> usize {
        self.code.len()
    }

    /// Sets the target of the jump at `at`.
    pub(crate) fn patch(&mut self, at: usize, target: usize) {
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

    /// Lets the jump at `at` go to the next statement.
    pub(crate) fn patch_here(&mut self, at: usize) {
        self.patch(at, self.here());
    }

    /// Drops the statements from `start` on, and their jumps that still wait for a target.
    pub(crate) fn forget_from(&mut self, start: usize) {
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

    pub(crate) fn patch_all_here(&mut self, all: &[usize]) {
        for at in all {
            self.patch_here(*at);
        }
    }
}

/// The statement with its jumps moved by `base`.
pub(crate) fn relocated(op: Op, base: u32) -> Op {
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
