//! Opens questions: decides which questions of the branches are answered now, and what happens if no branch asks.
//!
//! No branch can run on by itself. Each branch asks, waits to perform something, or waits for the others.

use crate::eval::Eval;
use crate::ids::{NodeId, Pc};
use crate::program::Principle;
use crate::run::Run;
use crate::state::{Branch, Doing, FailureKind, Question, Status, Then};
use crate::steps::Observer;
use crate::value::{Player, Value};

impl<O: Observer> Run<'_, O> {
    /// No branch can run on. Opens the questions that are asked now, or performs the batch.
    #[inline(never)]
    pub(crate) fn all_blocked(&mut self, asks: bool, changes: bool) {
        let level = self.state.control.level;
        // The question how often a round is repeated comes before everything else. A question that a branch puts to another player waits
        // until every branch has the answers of its own player.
        if asks && self.part_asks_anew(level) {
            // The part of the payment makes its choice again.
        } else if asks && (self.opens_how_often(level) || self.open_questions(level, true) || self.open_questions(level, false)) {
            if !matches!(self.state.control.status, Status::Failed(_)) {
                self.state.control.status = Status::Asking;
            }
        } else if self.parts_take_rest(level) {
            // The parts that take all remaining cards go on, because the other parts have chosen.
        } else if self.settles_claims() {
            // A player is asked which event is replaced, or the branches go on.
        } else if changes {
            self.perform_batch();
            self.verdicts_after_batch();
        } else {
            self.all_have_met();
        }
    }

    /// Opens the question how often a round is repeated. If several branches wait with this question, only one is opened.
    fn opens_how_often(&mut self, level: u16) -> bool {
        if self.state.control.cycle.as_ref().is_none_or(|cycle| cycle.asked.is_empty()) {
            return false;
        }
        let branches = self.state.control.branches.iter_mut().filter(|branch| branch.level == level);
        let mut how_often = branches.filter_map(|branch| match &mut branch.doing {
            Doing::Ask(question @ Question { then: Then::Repeat(_), .. }) => Some(question),
            _ => None,
        });
        how_often.next().map(|question| question.open = true).is_some()
    }

    /// Opens the questions that branches put to their own player (`own`) or to another player. Gives whether there are any.
    fn open_questions(&mut self, level: u16, own: bool) -> bool {
        let first_asked = self.asked_first(level, own);
        let (mut any, mut first_in_order) = (false, true);
        let mut of_several = None;
        let mut first: Option<Player> = None;
        for (at, branch) in (0_u16..).zip(self.state.control.branches.iter_mut()).filter(|(_, branch)| branch.level == level) {
            let asks_own = asks_its_own(branch);
            let in_order = branch.in_order;
            let Doing::Ask(question) = &mut branch.doing else { continue };
            if in_order && !std::mem::take(&mut first_in_order) {
                continue;
            }
            if asks_own == own {
                let player = question.player;
                question.open = in_order || first_asked & 1 << player.0 != 0;
                any = true;
                if first.is_some_and(|first| first.0 != player.0) {
                    of_several = Some((branch.now(), branch.frames.len(), at));
                }
                first = first.or(Some(player));
            }
        }
        if let Some((pc, depth, at)) = of_several {
            self.tell_principle(Principle::AskedTogether, pc, depth, at);
        }
        any
    }

    /// The players who choose first, a bit for each, if several are to choose at the same time and the game orders them. These are the players
    /// with the least number. A player without a number is a rules error, because nobody could say who is first.
    fn asked_first(&mut self, level: u16, own: bool) -> u8 {
        let order = self.program.policies.asked_order;
        if order == NodeId::NONE {
            return u8::MAX;
        }
        let branches = self.state.control.branches.iter().filter(|branch| branch.level == level && !branch.in_order);
        let asked = branches.filter(|branch| asks_its_own(branch) == own);
        let asked = asked.filter_map(|branch| match &branch.doing {
            Doing::Ask(question) => Some((question.player, branch.now())),
            _ => None,
        });
        let (mut first, mut least) = (0, i32::MAX);
        for (player, at) in asked {
            let local = [Value::Player(player)];
            let Some(place) = Eval::new(self.program, self.state, &local, &[], player, Value::Undefined).number(order) else {
                self.fail(FailureKind::NoNumber, at);
                return first;
            };
            if place < least {
                (first, least) = (0, place);
            }
            first |= if place == least { 1 << player.0 } else { 0 };
        }
        first
    }

    /// Lets the branches go on that wait for the others, because every branch has reached this point. If no branch waits, the rules have an
    /// error.
    fn all_have_met(&mut self) {
        let level = self.state.control.level;
        let mut met = false;
        for branch in self.state.control.branches.iter_mut().filter(|branch| branch.level == level && matches!(branch.doing, Doing::Meet)) {
            branch.doing = Doing::Run;
            met = true;
        }
        if !met {
            self.fail(FailureKind::NoResult, Pc::NOWHERE);
        }
    }

    /// Judges the verdicts after a batch and after the immediate rules that followed, unless the flow holds the verdicts back.
    pub(crate) fn verdicts_after_batch(&mut self) {
        if self.state.control.is_to_judge() {
            self.judge = true;
            self.stop_here();
        }
    }
}

/// Whether a branch asks its own player.
fn asks_its_own(branch: &Branch) -> bool {
    let whose = branch.own.or_else(|| branch.frames.last().map(|frame| frame.you));
    let Doing::Ask(question) = &branch.doing else { return false };
    whose.is_some_and(|whose| whose.0 == question.player.0)
}
