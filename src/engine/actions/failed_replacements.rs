//! Replacements that are attempts. If the attempt fails, the action goes on as if the replacement had been declined
//! (docs/kernel/actions.md, "Replacement").

use crate::actions::replacements::ability_of;
use crate::run::Run;
use crate::state::Branch;
use crate::steps::{NotInstead, Observer};
use crate::value::Player;

impl<O: Observer> Run<'_, O> {
    /// Called when the block of a replacement has ended and its last attempt has failed. If the block is only this attempt, the action of
    /// the top frame is decided again from the point where it was replaced. Gives whether this is so.
    pub(crate) fn falls_back(&mut self, branch: &mut Branch, at: u16, number: u32, you: Player) -> bool {
        let Some(before) = branch.decided().and_then(|deciding| deciding.before.take()) else { return false };
        let parameters = self.program.verbs.get(before.verb).filter(|_| before.builtin.is_none()).map_or(0, |verb| verb.parameters.len());
        let base = branch.frames.last().map_or(0, |frame| frame.base as usize);
        let registers = branch.registers.iter_mut().skip(base).take(parameters);
        registers.zip(before.args).for_each(|(register, value)| *register = value);
        if let Some(deciding) = branch.decided() {
            *deciding = *before;
        }
        if let Some((source, ability)) = self.state.effects.get(number).map(|effect| (effect.source, ability_of(effect))) {
            self.give_back_use(source, ability, you);
        }
        self.leave_alone(branch, at, number, NotInstead::Impossible);
        true
    }

    /// Called when another branch already does the replacement of this branch's event. The replacement is done once for several events of
    /// the step, and none of these events happens. So the action does not go on later. The replacement may have begun outside of the
    /// lockstep of this branch.
    pub(super) fn stays_replaced(&mut self, branch: &mut Branch) {
        if let Some(deciding) = branch.deciding.last_mut() {
            deciding.before = None;
            return;
        }
        let mut parent = branch.parent;
        while let Some(outer) = parent.and_then(|parent| self.state.control.branches.get_mut(usize::from(parent))) {
            if let Some(deciding) = outer.deciding.last_mut() {
                deciding.before = None;
                return;
            }
            parent = outer.parent;
        }
    }
}
