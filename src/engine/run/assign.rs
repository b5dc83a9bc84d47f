//! The assignment to a state or a pool.
//!
//! A number that is changed by an amount (`p.score = p.score + n`) adds up with the other changes of a batch. So the change notes the number
//! from which it was reckoned. A value that is undefined changes nothing, except if the expression says `none`.

use crate::eval::unread;
use crate::ids::{NodeId, StateId};
use crate::program::{Arithmetic, Node};
use crate::run::Run;
use crate::state::{Branch, Change};
use crate::steps::Observer;
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// Carries out `subject.state = value`.
    #[inline(never)]
    pub(super) fn set_state_of(&mut self, branch: &mut Branch, at: u16, subject: NodeId, state: StateId, value: NodeId) {
        let (written, holder) = (value, subject);
        let subject = self.value(branch, holder);
        let by_an_amount = self.is_reckoned_from(branch, (holder, subject), state, written);
        if by_an_amount && unread::is_noting() {
            self.note_what_is_added(branch, written);
        }
        let read = |run: &mut Self, branch: &mut Branch| {
            let value = run.value(branch, written);
            let since = if by_an_amount { run.eval(branch).state_of(subject, state).number() } else { None };
            (value, since)
        };
        let (value, since) = if by_an_amount { unread::unnoted(|| read(self, branch)) } else { read(self, branch) };
        if value == Value::Undefined && !self.eval(branch).says_none(written) {
            return self.set_done(branch, at, false);
        }
        self.change(branch, at, Change::SetState { subject, state, value, since, spends: false });
    }

    /// Notes the reads of `n` in `p.score + n`. The read of `p.score` itself is not noted, because its value goes only into the score.
    fn note_what_is_added(&mut self, branch: &mut Branch, value: NodeId) {
        match self.program.nodes.get(value).copied() {
            Some(Node::Arithmetic(_, left, right)) => {
                self.value(branch, right);
                self.note_what_is_added(branch, left);
            }
            Some(Node::State(of, _)) => {
                self.value(branch, of);
            }
            _ => {}
        }
    }

    /// Whether a value has the form `p.score + n` or `p.score - n`, where `p.score` is the state that is assigned, of the same card or
    /// player.
    fn is_reckoned_from(&mut self, branch: &Branch, (node, subject): (NodeId, Value), state: StateId, value: NodeId) -> bool {
        let nodes = &self.program.nodes;
        match nodes.get(value).copied() {
            Some(Node::State(of, read)) => {
                read == state && (nodes.get(of) == nodes.get(node) || unread::unnoted(|| self.value(branch, of)) == subject)
            }
            Some(Node::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, left, _)) => {
                self.is_reckoned_from(branch, (node, subject), state, left)
            }
            _ => false,
        }
    }
}
