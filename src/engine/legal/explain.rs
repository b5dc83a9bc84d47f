//! Says of each option, before any game, whether a guard can decide it by reading, or whether it has to be tried.
//!
//! The walk is the same as a guard's ([`super::guard`]), over all ways through the body at once. At a statement where two ways meet,
//! everything that one of them has written counts as written. So "decided" is true for every state, and "tried" names the first
//! statement that a guard cannot decide.

use super::reads::{bit_of, hindered, is_unwritten};
use super::sure::Sure;
use crate::ids::{ArgsId, Id, NodeId, OptionId, Pc, Reg, RoutineId, VerbId};
use crate::program::{Op, Program};
use rustc_hash::FxHashMap;

/// The deepest nesting of calls that is looked into.
const MOST_CALLS: usize = 16;

/// How the engine finds out whether an option can be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Legality {
    /// The body is no attempt, so a player who may take the option can take it.
    Always,
    /// By reading alone, unless an effect in force forbids or replaces one of these actions.
    Decided(Vec<VerbId>),
    /// By a trial run, because of this statement.
    Tried(Pc, Reason),
}

/// Why a guard cannot decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The statement asks a player.
    Asks,
    /// It announces or performs an ability, asks for a slot, or pays a cost.
    Ability,
    /// It changes something that is not a state.
    Changes,
    /// It reads something that may have been written before.
    ReadsWritten,
    /// Several branches begin.
    Branches,
    /// Calls are nested too deeply.
    Depth,
    /// Another statement that guards do not know.
    Other,
}

/// For each option: how the engine finds out whether the option can be carried out.
#[must_use]
pub fn legalities(program: &Program) -> Vec<(OptionId, Legality)> {
    let (sure, hinders) = (Sure::new(program), hindered(program));
    let options = program.options.iter();
    options
        .map(|(id, def)| {
            let body = program.verbs.get(def.verb).and_then(|verb| verb.body);
            let found = match body.filter(|_| def.attempt) {
                None => Legality::Always,
                Some(routine) => {
                    let mut search = Search { program, sure: &sure, hinders: &hinders, hindered: Vec::new() };
                    match search.body(routine, Written::default(), true, 0) {
                        Ok(_) => Legality::Decided(search.hindered),
                        Err((pc, reason)) => Legality::Tried(pc, reason),
                    }
                }
            };
            (id, found)
        })
        .collect()
}

/// The things that may have been written before the flow comes to a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Written {
    any: bool,
    states: u128,
}

impl Written {
    fn and(self, other: Written) -> Written {
        Written { any: self.any || other.any, states: self.states | other.states }
    }
}

type Found<T> = Result<T, (Pc, Reason)>;

struct Search<'p> {
    program: &'p Program,
    sure: &'p Sure,
    /// For each verb: whether some clause forbids or replaces it.
    hinders: &'p [bool],
    /// Actions on the way that some clause of the program forbids or replaces.
    hindered: Vec<VerbId>,
}

impl Search<'_> {
    /// Looks through a body. Returns what may have been written when the body ends.
    fn body(&mut self, routine: RoutineId, written: Written, sure_after: bool, calls: usize) -> Found<Written> {
        let Some(start) = self.program.routines.get(routine).map(|routine| routine.start) else { return Ok(written) };
        if calls > MOST_CALLS {
            return Err((start, Reason::Depth));
        }
        let mut reached: FxHashMap<u32, Written> = FxHashMap::default();
        let (mut open, mut ended) = (vec![(start, written)], written);
        while let Some((pc, written)) = open.pop() {
            let before = reached.get(&pc.0).copied();
            let written = before.map_or(written, |before| before.and(written));
            if before == Some(written) || sure_after && self.sure.is(pc) {
                continue;
            }
            reached.insert(pc.0, written);
            let Some(op) = self.program.code.get(pc) else { return Err((pc, Reason::Other)) };
            match *op {
                Op::Return(node) => {
                    self.reads(pc, node, written)?;
                    ended = ended.and(written);
                }
                Op::End | Op::Refuse => ended = ended.and(written),
                Op::Jump(to) => open.push((to, written)),
                Op::JumpUnless { condition, to } => {
                    self.reads(pc, condition, written)?;
                    open.push((to, written));
                    open.push((Pc(pc.0 + 1), written));
                }
                Op::Next { end, .. } => {
                    open.push((end, written));
                    open.push((Pc(pc.0 + 1), written));
                }
                _ => {
                    let written = self.statement(pc, op, written, (sure_after, calls))?;
                    open.push((Pc(pc.0 + 1), written));
                }
            }
        }
        Ok(ended)
    }

    fn statement(&mut self, pc: Pc, op: &Op, mut written: Written, (sure_after, calls): (bool, usize)) -> Found<Written> {
        let sure_after = sure_after && self.sure.is(Pc(pc.0 + 1));
        match *op {
            Op::Let { value, .. } => self.reads(pc, value, written)?,
            Op::LetSet { set, .. } | Op::Iterate { set, .. } => self.reads(pc, set, written)?,
            Op::Try { asked: None, .. } | Op::TryEnd => {}
            Op::Call { routine, args, .. } => {
                self.reads_all(pc, args, written)?;
                written = self.body(routine, written, sure_after, calls + 1)?;
            }
            Op::Perform { verb, args, result: Reg::NONE } => {
                self.reads_all(pc, args, written)?;
                let Some(def) = self.program.verbs.get(verb) else { return Err((pc, Reason::Other)) };
                self.reads(pc, def.condition, written)?;
                if self.is_hindered(verb) && !self.hindered.contains(&verb) {
                    self.hindered.push(verb);
                }
                let Some(routine) = def.body else { return Err((pc, Reason::Other)) };
                written = self.body(routine, written, sure_after, calls + 1)?;
            }
            Op::SetState { subject, state, .. } => {
                self.reads(pc, subject, written)?;
                written = written.and(Written { any: true, states: bit_of(state) });
            }
            Op::PutBy { captures, .. } => {
                self.reads_all(pc, captures, written)?;
                written.any = true;
            }
            Op::Choose { .. } | Op::May { .. } | Op::Try { .. } | Op::Offer { .. } | Op::Match { .. } => return Err((pc, Reason::Asks)),
            Op::Announce { .. }
            | Op::HearAgain { .. }
            | Op::Ask { .. }
            | Op::Fix { .. }
            | Op::Pay { .. }
            | Op::PerformAbility(_)
            | Op::Enter { .. }
            | Op::CountUse(_)
            | Op::Drop(_) => return Err((pc, Reason::Ability)),
            Op::Builtin { .. } | Op::MoveTop { .. } | Op::Perform { .. } | Op::Spend { .. } | Op::Install { .. } | Op::Expire(_) => {
                return Err((pc, Reason::Changes));
            }
            Op::Fork { .. } | Op::ForkFor { .. } => return Err((pc, Reason::Branches)),
            _ => return Err((pc, Reason::Other)),
        }
        Ok(written)
    }

    fn is_hindered(&self, verb: VerbId) -> bool {
        self.hinders.get(verb.index()) == Some(&true)
    }

    fn reads_all(&self, pc: Pc, args: ArgsId, written: Written) -> Found<()> {
        self.program.args_of(args).iter().try_for_each(|node| self.reads(pc, *node, written))
    }

    fn reads(&self, pc: Pc, node: NodeId, written: Written) -> Found<()> {
        if node == NodeId::NONE || !written.any || is_unwritten(self.program, node, written.states) {
            return Ok(());
        }
        Err((pc, Reason::ReadsWritten))
    }
}
