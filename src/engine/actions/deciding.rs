//! Decides what happens to an action that an effect in force watches.
//!
//! A frame with [`Role::Deciding`] stands for the action until the action is forbidden, replaced (the replacement runs on top of the frame)
//! or performed. A builtin verb on a set is decided card by card. The replacements themselves are in `replacements`.

use crate::actions::made_objects::slot_of;
use crate::actions::perform::{Args, face_of};
use crate::actions::replacements::{Replacing, ability_of};
use crate::eval::watch::Happening;
use crate::fault::{Fault, broken};
use crate::ids::{CitesId, Pc, Reg};
use crate::limits::WORK_OF_A_LOOK;
use crate::program::{Builtin, ClauseKind, Principle, ReplacedMoves};
use crate::run::Run;
use crate::run::step::top;
use crate::state::{Branch, Cause, Change, Deciding, Frame, Holds, Role};
use crate::steps::{NotInstead, Observer, Step, Why};
use crate::value::{Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Numbers of the effects that would replace an action, oldest first.
    pub(crate) fn replacements<'e>(
        &'e self,
        branch: &'e Branch,
        declined: &'e [u32],
        what: Happening<'e>,
    ) -> impl Iterator<Item = u32> + 'e {
        self.state.effects.count_walk(WORK_OF_A_LOOK);
        self.state.effects.in_force.iter().filter_map(move |effect| {
            let ClauseKind::Instead { pattern, .. } = self.program.clauses.get(effect.clause)?.kind else { return None };
            if declined.contains(&effect.number) || !self.has_use(effect.source, ability_of(effect), effect.you) {
                return None;
            }
            self.eval(branch).watches(effect, effect.clause, pattern, what).then_some(effect.number)
        })
    }

    /// Takes the next step in deciding the action of the top frame.
    pub fn decide(&mut self, branch: &mut Branch, at: u16) {
        let Some(frame) = branch.frames.last_mut() else { return broken(Fault::Frame) };
        let (start, exempt) = (frame.pc, frame.replaced);
        frame.role = Role::Plain;
        let Some(mut deciding) = branch.deciding.pop() else { return broken(Fault::Begun) };
        let pc = performed_at(branch, &deciding, start);
        if deciding.builtin.is_none() && deciding.was_replaced && !self.goes_on_with_rest(branch, &mut deciding) {
            return self.close(branch, at, &deciding);
        }
        if let Some(number) = deciding.claims.filter(|_| std::mem::take(&mut deciding.granted)) {
            put_back(branch, deciding);
            return self.replace_or_ask(branch, at, number);
        }
        if deciding.was_replaced && !deciding.members.is_empty() {
            deciding.members.remove(0);
            deciding.was_replaced = false;
            deciding.claims = None;
            deciding.declined.clear();
        }
        if deciding.builtin.is_some() && deciding.members.is_empty() {
            return self.close(branch, at, &deciding);
        }
        let args = self.present(&deciding);
        let cause = self.cause(branch);
        let what = Happening { verb: deciding.verb, args: &args, lists: &branch.lists, cause };
        if let Some(effect) = self.eval(branch).forbidden(what) {
            return self.keep_from(branch, at, pc, deciding, args, effect);
        }
        let exempt = exempt && self.program.policies.one_replacement_in_all;
        if exempt {
            self.tell_replaced_before(branch, at, &deciding.declined, (deciding.verb, args));
        }
        let what = Happening { verb: deciding.verb, args: &args, lists: &branch.lists, cause };
        let before = |number: &u32| self.is_within_instead(branch, *number);
        let found = self.replacements(branch, &deciding.declined, what).filter(|number| !exempt && !before(number));
        let found: Vec<u32> = found.collect();
        match found.as_slice() {
            [] => {
                deciding.kept.extend(deciding.members.first());
                self.unreplaced(branch, at, pc, deciding);
            }
            [only] => {
                let only = *only;
                put_back(branch, deciding);
                self.replace_or_ask(branch, at, only);
            }
            several if let Some(number) = self.impossible_among(branch, at, &deciding, several) => {
                put_back(branch, deciding);
                self.leave_alone(branch, at, number, NotInstead::Impossible);
            }
            several => {
                let chooser = self.chooser(branch, deciding.verb, &args);
                let sources: Vec<Value> = several.iter().map(|number| self.source_of(*number)).collect();
                deciding.candidates = several.to_vec();
                put_back(branch, deciding);
                self.ask_replacement(branch, chooser, &sources);
            }
        }
    }

    /// Finds the first optional replacement that cannot be done, among several. It does not apply, so nobody is asked about its place in
    /// the order.
    fn impossible_among(&mut self, branch: &mut Branch, at: u16, deciding: &Deciding, several: &[u32]) -> Option<u32> {
        if !self.offers_only_if_possible() {
            return None;
        }
        put_back(branch, deciding.clone());
        let cannot = |run: &mut Self, number: u32| {
            let Some(Replacing { optional: Some(choice), pattern, you, .. }) = run.instead_of(number) else { return false };
            let asked = run.offered_to(branch, number, choice, pattern).unwrap_or(you);
            asked != Player::NOBODY && !run.instead_is_possible(branch, at, number, asked)
        };
        let found = several.iter().copied().find(|number| cannot(self, *number));
        branch.deciding.pop();
        top(branch, |frame| frame.role = Role::Plain);
        found
    }

    /// Ends the deciding of a forbidden action. If the effect forbids only a part of an event of a set, the rest of the set goes on.
    fn keep_from(&mut self, branch: &mut Branch, at: u16, pc: Pc, deciding: Deciding, args: Args, effect: u32) {
        let (verb, cause, cites) = (deciding.verb, self.cause(branch), self.cites_of(branch, &deciding, pc));
        branch.deciding.push(deciding);
        let args = self.part_forbidden(branch, args, effect);
        self.tell_prevails(cause, effect, pc, branch.frames.len(), at);
        self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::NotPerformed(verb, args, Why::Forbidden(effect)));
        let Some(mut deciding) = branch.deciding.pop() else { return broken(Fault::Begun) };
        if deciding.builtin.is_none() && self.goes_on_with_rest(branch, &mut deciding) {
            // The action is done for the rest of the set, but not in full.
            branch.frames.iter_mut().rev().nth(1).into_iter().for_each(|caller| caller.short = true);
            return put_back(branch, deciding);
        }
        deciding.forbidden = true;
        self.next_member(branch, at, deciding);
    }

    fn part_forbidden(&self, branch: &mut Branch, args: Args, effect: u32) -> Args {
        let (Some(effect), Some(deciding)) = (self.state.effects.get(effect), branch.deciding.last()) else { return args };
        let Some(ClauseKind::Forbid(pattern)) = self.program.clauses.get(effect.clause).map(|clause| &clause.kind) else { return args };
        let pattern = *pattern;
        let what = Happening { verb: deciding.verb, args: &args, lists: &branch.lists, cause: self.cause(branch) };
        let bound = self.eval(branch).inside(effect).bound(pattern, what);
        bound.map_or(args, |bound| self.part(branch, pattern, &bound, args))
    }

    /// Whether a branch is carrying out this replacement. Then the replacement does not apply a second time. It may have begun outside of
    /// the lockstep of this branch.
    fn is_within_instead(&self, branch: &Branch, number: u32) -> bool {
        let own = |branch: &Branch| branch.frames.iter().any(|frame| matches!(frame.role, Role::Instead(taken) if taken == number));
        self.within.contains(&number) || self.state.control.outward(branch).any(own)
    }

    /// The replacements that are being carried out around a branch that is to be tried. A trial run has only the branch itself.
    pub(crate) fn within_instead(&self, branch: &Branch) -> Vec<u32> {
        let mut within = self.within.clone();
        for outer in self.state.control.outward(branch).skip(1) {
            within.extend(outer.frames.iter().filter_map(|frame| if let Role::Instead(number) = frame.role { Some(number) } else { None }));
        }
        within
    }

    /// The rules of the decided action: those of the statement that calls it, as if nothing watched the action. (The frame of a declared
    /// action already stands at the first statement of its body.)
    pub(super) fn cites_of(&self, branch: &Branch, deciding: &Deciding, pc: Pc) -> CitesId {
        let caller = branch.frames.iter().rev().nth(1).filter(|_| deciding.builtin.is_none());
        let call = caller.map(|caller| self.statement_or_declaration(caller.pc.before(), deciding.verb));
        call.unwrap_or_else(|| self.program.code_cites.get(pc).copied().unwrap_or_default())
    }

    /// Tells that an effect stops an act of a rule.
    pub(crate) fn tell_prevails(&mut self, cause: Cause, by: u32, pc: Pc, depth: usize, at: u16) {
        let of_rule = self.state.effects.get(by).is_some_and(|effect| matches!(effect.holds, Holds::Rule(_)));
        if matches!(cause, Cause::Rule | Cause::Declared { .. }) && !of_rule {
            self.tell_principle(Principle::OverRules, pc, depth, at);
        }
    }

    /// The arguments with the card that is being decided.
    pub(crate) fn present(&self, deciding: &Deciding) -> Args {
        self.said_of(deciding, deciding.members.first())
    }

    /// The arguments with one card of the set.
    pub(super) fn said_of(&self, deciding: &Deciding, card: Option<&Value>) -> Args {
        let mut args = deciding.args;
        if let (Some(Builtin::Move | Builtin::TurnUp | Builtin::TurnDown), Some(card)) = (deciding.builtin, card) {
            args[0] = *card;
            // The new controller is no part of the event. In the event, this argument is the card as it was.
            args[5] = if deciding.builtin == Some(Builtin::Move) { Value::Undefined } else { args[5] };
            if deciding.builtin == Some(Builtin::Move)
                && let Value::Object { id, .. } = card
            {
                (args[1], args[4]) = self.state.board.way_of(self.program, *id, args[1]);
            }
        }
        args
    }

    fn next_member(&mut self, branch: &mut Branch, at: u16, mut deciding: Deciding) {
        if deciding.builtin.is_none() {
            return self.close(branch, at, &deciding);
        }
        if !deciding.members.is_empty() {
            deciding.members.remove(0);
        }
        deciding.declined.clear();
        put_back(branch, deciding);
    }

    /// Goes on with an action that nothing forbids or replaces: the body of an action begins, or the card of a builtin verb is kept for the
    /// change.
    fn unreplaced(&mut self, branch: &mut Branch, at: u16, pc: Pc, deciding: Deciding) {
        if deciding.builtin.is_some() {
            return self.next_member(branch, at, deciding);
        }
        let (verb, args, cause) = (deciding.verb, deciding.args, self.cause(branch));
        let cites = self.cites_of(branch, &deciding, pc);
        // The depth is the same as if nothing watched the action. Otherwise readers could learn that a hidden card watches it.
        let depth = branch.frames.len().saturating_sub(1);
        let pc = performed_at(branch, &deciding, pc);
        self.tell_cited(cites, pc, depth, at, &branch.lists, || Step::Began(verb, args, cause));
        top(branch, |frame| frame.role = Role::Action(verb));
    }

    /// Ends the deciding: a builtin verb performs the change of the kept cards. An action that was forbidden or replaced ends.
    fn close(&mut self, branch: &mut Branch, at: u16, deciding: &Deciding) {
        let Some(frame) = branch.frames.pop() else { return broken(Fault::Frame) };
        let unmoved = self.notes_unmoved(branch, deciding);
        branch.registers.truncate(frame.base as usize);
        branch.lists.truncate(frame.lists as usize);
        let Some(builtin) = deciding.builtin.filter(|_| !deciding.kept.is_empty()) else {
            // A replacement of a part of a cost pays this part, whatever comes of it.
            let pays = !deciding.forbidden && self.is_paying(branch);
            if unmoved == Some(ReplacedMoves::AsNotDone) && !pays && !self.program.policies.replaced_is_not_done {
                return self.set_done_in_part(branch, at, false, false);
            }
            if self.program.policies.replaced_is_not_done && !deciding.forbidden && !pays {
                let attempted = self.in_attempt(branch) || self.is_attempted_around(branch);
                return self.replaced_not_done(branch, attempted);
            }
            let done = deciding.instead_done || pays;
            // The replacement is no part of an action that is its moves.
            let part = (done || deciding.instead_part) && unmoved.is_none();
            return self.set_done_in_part(branch, at, done && !deciding.forbidden, part);
        };
        if deciding.forbidden || unmoved == Some(ReplacedMoves::AsNotDone) && !self.is_paying(branch) {
            top(branch, |frame| frame.short = true);
        }
        let start = branch.lists.len() as u32;
        branch.lists.extend_from_slice(&deciding.kept);
        self.perform_kept(branch, at, frame.pc, builtin, deciding, (start, deciding.kept.len() as u16), frame.result);
    }

    /// Counts a replaced action as not done (`policy replacement { counts = as_not_done }`). An attempt around it does not fail, because the
    /// replacement was done. Without an attempt, the action around it is not done either, also if procedures stand in between.
    fn replaced_not_done(&mut self, branch: &mut Branch, attempted: bool) {
        top(branch, |frame| {
            (frame.done, frame.part, frame.short) = (false, false, false);
            frame.failed |= !attempted;
        });
        if attempted || fail_action(&mut branch.frames) {
            return;
        }
        let mut parent = branch.parent;
        while let Some(around) = parent.and_then(|parent| self.state.control.branches.get_mut(usize::from(parent))) {
            if fail_action(&mut around.frames) {
                return;
            }
            parent = around.parent;
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one prepared action")]
    fn perform_kept(&mut self, branch: &mut Branch, at: u16, pc: Pc, builtin: Builtin, deciding: &Deciding, kept: (u32, u16), result: Reg) {
        let (start, len) = kept;
        let instead = deciding.instead_done || deciding.instead_part;
        match (builtin, deciding.args) {
            (Builtin::Move, [_, Value::Zone(to), face, end, from, under]) => {
                let (face, bottom, slot) = (face_of(face), end.is_true(), slot_of(end));
                // If some cards are left out, the following cards of the zone were not decided, so they do not take their place.
                let top_of = from.place().filter(|_| !deciding.forbidden && !instead);
                self.change(branch, at, Change::Move { start, len, to, face, bottom, slot, top_of, under: under.player(), result });
            }
            (Builtin::TurnUp | Builtin::TurnDown, _) => {
                self.change(branch, at, Change::Turn { start, len, up: builtin == Builtin::TurnUp });
            }
            (Builtin::Lose | Builtin::Win, args) => self.raise(branch, at, pc, builtin, args),
            _ => self.set_done(branch, at, false),
        }
    }
}

/// Marks the innermost action as not done, if only procedures stand above its frame. Whether the search ends here.
fn fail_action(frames: &mut [Frame]) -> bool {
    let found = frames.iter_mut().rev().find(|frame| !matches!(frame.role, Role::Plain));
    if let Some(frame) = found {
        frame.failed |= matches!(frame.role, Role::Action(_));
        return true;
    }
    false
}

fn put_back(branch: &mut Branch, deciding: Deciding) {
    branch.deciding.push(deciding);
    top(branch, |frame| frame.role = Role::Deciding);
}

/// The statement that performs the decided action. For a declared action this is the caller's statement, because its body has not begun.
pub(super) fn performed_at(branch: &Branch, deciding: &Deciding, start: Pc) -> Pc {
    let caller = branch.frames.iter().rev().nth(1).filter(|_| deciding.builtin.is_none());
    caller.map_or(start, |caller| caller.pc.before())
}
