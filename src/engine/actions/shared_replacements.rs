//! One `next time instead of` effect could replace several events of one step. If the game says so, a player chooses which event it
//! replaces (docs/kernel/actions.md, "Replacement").
//!
//! A branch that reaches such an effect waits until every other branch of its lockstep has reached a change, a question or the same effect.
//! Then the player chooses. The other branches go on without the effect.

use crate::actions::replacements::decline;
use crate::run::Run;
use crate::state::{Branch, Doing, Question, Then};
use crate::steps::Observer;
use crate::value::{Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Whether the action of the top frame must wait for the other branches of the lockstep, because the effect may replace only one of
    /// their events.
    pub(crate) fn claims(&self, branch: &mut Branch, number: u32) -> bool {
        if self.program.policies.one_of_events.is_none() || self.alone {
            return false;
        }
        let Some(deciding) = branch.decided().filter(|deciding| deciding.claims != Some(number)) else { return false };
        deciding.claims = Some(number);
        branch.doing = Doing::Meet;
        true
    }

    /// Called when all branches wait. Gives the effect to one of the branches that claim it, or asks a player. Gives whether there were
    /// such branches.
    pub(crate) fn settles_claims(&mut self) -> bool {
        let Some(choice) = self.program.policies.one_of_events else { return false };
        let Some((first, number)) = self.claimed().first().copied() else { return false };
        let mut events: Vec<Value> = Vec::new();
        for (at, _) in self.claimed().iter().filter(|(_, claimed)| *claimed == number) {
            let what = self.state.control.branches.get(*at).map_or(Value::Undefined, |branch| self.claims_for(branch));
            if !events.contains(&what) {
                events.push(what);
            }
        }
        let Some(mut branch) = self.take_out(first) else { return false };
        branch.doing = Doing::Run;
        if events.len() < 2 {
            let only = self.claims_for(&branch);
            self.picked_event(&mut branch, number, only);
        } else {
            let player = self.who_picks(&branch);
            let start = branch.lists.len() as u32;
            branch.lists.extend_from_slice(&events);
            branch.doing = Doing::Ask(Question::for_one(player, choice, (start, events.len() as u16), Then::PickEvent(number)));
        }
        self.put_back(branch, first);
        true
    }

    /// The branches that claim an effect, each with the effect.
    fn claimed(&self) -> Vec<(usize, u32)> {
        let level = self.state.control.level;
        let branches = self.state.control.branches.iter().enumerate();
        let waiting = branches.filter(|(_, branch)| branch.level == level && matches!(branch.doing, Doing::Meet));
        waiting.filter_map(|(at, branch)| Some((at, branch.deciding.last()?.claims?))).collect()
    }

    /// The card that the event of a branch is about, or else its first argument.
    fn claims_for(&self, branch: &Branch) -> Value {
        let Some(deciding) = branch.deciding.last() else { return Value::Undefined };
        let args = self.present(deciding);
        let object = args.iter().find(|arg| matches!(arg, Value::Object { .. }));
        object.or(args.first()).copied().unwrap_or_default()
    }

    fn who_picks(&self, branch: &Branch) -> Player {
        let player = branch.deciding.last().map_or_else(Player::default, |deciding| {
            let args = self.present(deciding);
            self.chooser(branch, deciding.verb, &args)
        });
        self.state.board.decider(player)
    }

    /// Gives the effect to the first event that is about the picked card. The other events go on without the effect. `branch` has been
    /// taken out of the state.
    pub(crate) fn picked_event(&mut self, branch: &mut Branch, number: u32, picked: Value) {
        let mut free = !self.settle_claim(branch, number, picked, true);
        for (at, _) in self.claimed().into_iter().filter(|(_, claimed)| *claimed == number) {
            let Some(mut other) = self.take_out(at) else { continue };
            free &= !self.settle_claim(&mut other, number, picked, free);
            other.doing = Doing::Run;
            self.put_back(other, at);
        }
    }

    /// Gives the effect to a branch if its event is about the picked card and the effect is still free. Gives whether the branch got it.
    fn settle_claim(&self, branch: &mut Branch, number: u32, picked: Value, free: bool) -> bool {
        let has = free && self.claims_for(branch) == picked;
        match branch.decided() {
            Some(deciding) if has => deciding.granted = true,
            Some(deciding) => {
                deciding.claims = None;
                decline(branch, number);
            }
            None => {}
        }
        has
    }
}
