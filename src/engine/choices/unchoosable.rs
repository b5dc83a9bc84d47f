//! Cards that effects cannot choose: `shield X from choices` (docs/kernel/choices.md).
//!
//! Choices of effects leave these cards out. A card in a slot no longer fits while it is one of these cards. Choices of rules and payments
//! are not affected.

use crate::eval::Eval;
use crate::fault::listed;
use crate::ids::{CitesId, ClauseId, NodeId, Pc};
use crate::program::{ClauseKind, Principle};
use crate::run::Run;
use crate::state::{Branch, Cause, Effect};
use crate::steps::{Observer, Step};
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// Leaves cards that the choosing effect cannot choose out of the domain of a choice. The list lies at the end of the arena. Gives its
    /// new length.
    #[inline(never)]
    pub(crate) fn without_withheld(&mut self, branch: &mut Branch, (at, pc): (u16, Pc), choice: u16, (start, len): (u32, u16)) -> u16 {
        let cause = self.cause(branch);
        if !matches!(cause, Cause::Effect { .. }) {
            return len;
        }
        let domain = listed(&branch.lists, start, len).to_vec();
        let mut eval = self.eval(branch);
        let (mut kept, mut by) = (Vec::with_capacity(domain.len()), Vec::new());
        for member in domain {
            match eval.withheld_by(member, choice, cause) {
                Some(effect) => by.push(effect.clause),
                None => kept.push(member),
            }
        }
        let (overflow, peeked) = (eval.overflow, eval.peeked);
        self.noted(branch, overflow, peeked);
        self.tell_withheld(branch, (at, pc), by);
        branch.lists.truncate(start as usize);
        branch.lists.extend(kept);
        (branch.lists.len() - start as usize) as u16
    }

    /// Tells the onlooker the clauses that have left cards out of a choice.
    fn tell_withheld(&mut self, branch: &Branch, (at, pc): (u16, Pc), mut by: Vec<ClauseId>) {
        if !O::ON || by.is_empty() {
            return;
        }
        by.dedup();
        let depth = branch.frames.len();
        for cites in by.into_iter().filter_map(|clause| self.program.clauses.get(clause)).map(|clause| clause.cites) {
            if cites != CitesId::default() {
                self.tell_cited(cites, pc, depth, at, &[], || Step::Statement(None));
            }
        }
        self.tell_principle(Principle::Forbidden, pc, depth, at);
    }
}

impl<'a> Eval<'a> {
    /// The effect in force that keeps a card from being chosen by another effect (`cause`) in a declared choice.
    pub(crate) fn withheld_by(&mut self, member: Value, choice: u16, cause: Cause) -> Option<&'a Effect> {
        let (program, state) = (self.program, self.state);
        if state.effects.withholding == 0 || !matches!((member, cause), (Value::Object { .. }, Cause::Effect { .. })) {
            return None;
        }
        let card = self.living_reference(member);
        let mut effects = state.effects.in_force.iter().map(|effect| effect.as_ref());
        effects.find(|effect| {
            let Some(clause) = program.clauses.get(effect.clause) else { return false };
            let ClauseKind::ShieldFromChoices { what, choices, causes } = &clause.kind else { return false };
            (choices.is_empty() || choices.contains(&choice))
                && self.applies(effect, clause.condition, *what, card)
                && self.silenced(effect).is_none()
                && !self.is_shielded(card, effect)
                && self.withholds_from(effect, *causes, cause)
        })
    }

    /// Whether a clause keeps cards from being chosen by this cause.
    fn withholds_from(&mut self, effect: &'a Effect, causes: NodeId, cause: Cause) -> bool {
        if causes == NodeId::NONE {
            return true;
        }
        let mut inner = self.inside(effect);
        let holds = inner.bind(cause.value(), |inner| inner.holds(causes));
        let overflow = inner.overflow;
        self.overflow |= overflow;
        holds
    }
}
