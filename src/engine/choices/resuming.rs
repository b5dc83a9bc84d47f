//! Goes on with answers, and tells onlookers about them.
//!
//! When all open questions are answered, each branch takes its answer: it stores the picks, or goes on as yes or no says.

use crate::choices::asking::secret;
use crate::fault::listed;
use crate::ids::{CitesId, Pc};
use crate::run::Run;
use crate::run::step::{set, top};
use crate::state::{Branch, Doing, Question, Source, Status, Then};
use crate::steps::{NotInstead, Observer, Step};
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// Lets the branches go on, because all open questions are answered.
    #[inline(never)]
    pub fn resume(&mut self) {
        if !matches!(self.state.control.status, Status::Asking) {
            return;
        }
        let open = |question: &Question| question.open && question.answer.is_none();
        if self.state.control.branches.iter().any(|branch| matches!(&branch.doing, Doing::Ask(question) if open(question))) {
            return;
        }
        self.state.control.status = Status::Running;
        for at in 0..self.state.control.branches.len() {
            let Some(Doing::Ask(question)) = self.state.control.branches.get(at).map(|branch| branch.doing) else { continue };
            let Some(answer) = question.answer.filter(|_| question.open) else { continue };
            let question = if O::ON { self.listed_for_onlookers(at, question) } else { question };
            self.note_answer(at, &question, answer);
            let Some(branch) = self.state.control.branches.get_mut(at) else { continue };
            if !O::ON && branch.veil.is_none() && !branch.paying.is_part && stored(branch, &question, answer) {
                branch.doing = Doing::Run;
                continue;
            }
            let Some(mut branch) = self.take_out(at) else { continue };
            branch.doing = Doing::Run;
            self.next_is_alone(&branch);
            self.tell_answer(&branch, at as u16, question, answer);
            self.go_on(&mut branch, at as u16, question, answer);
            self.put_back(branch, at);
        }
    }

    /// Lists the ways to act of an answered offer, so that onlookers can be told what was offered.
    fn listed_for_onlookers(&mut self, at: usize, question: Question) -> Question {
        if question.source == Source::Unlisted
            && let Some(mut branch) = self.take_out(at)
        {
            self.list_ways(&mut branch, at as u16);
            self.put_back(branch, at);
        }
        match self.state.control.branches.get(at).map(|branch| branch.doing) {
            Some(Doing::Ask(question)) => question,
            _ => question,
        }
    }

    fn next_is_alone(&mut self, branch: &Branch) {
        let others =
            self.state.control.branches.iter().filter(|other| {
                other.level == branch.level && !matches!(other.doing, Doing::Ended | Doing::Wait) && !other.frames.is_empty()
            });
        self.alone = self.trial.is_some() || others.count() == 0;
    }

    fn tell_answer(&mut self, branch: &Branch, at: u16, question: Question, (start, len): (u32, u16)) {
        if O::ON {
            let picks = listed(&branch.lists, start, len);
            let positions = places_of_answer(branch, &question, (start, len));
            // The answer of a repeated round was given when the number of rounds was named, so it is told as forced.
            let forced = self.scratch.repeats;
            self.tell_picked(branch, at, branch.now(), question, (&positions, picks.to_vec()), forced);
        }
    }

    /// Tells the onlooker of a decision.
    pub(crate) fn tell_decided(&mut self, branch: &Branch, at: u16, pc: Pc, question: Question, positions: &[u16], forced: bool) {
        let domain = listed(&branch.lists, question.start, question.len);
        let picks: Vec<Value> = positions.iter().filter_map(|at| domain.get(usize::from(*at))).copied().collect();
        self.tell_picked(branch, at, pc, question, (positions, picks), forced);
    }

    /// Tells of a decision. The picks may be numbers without a position in the domain.
    fn tell_picked(
        &mut self,
        branch: &Branch,
        at: u16,
        pc: Pc,
        question: Question,
        (positions, picks): (&[u16], Vec<Value>),
        forced: bool,
    ) {
        if !O::ON {
            return;
        }
        let domain = listed(&branch.lists, question.start, question.len);
        let def = self.program.choices.get(question.choice);
        let secret = secret(self.program, &self.state.board, def, domain);
        // The question whether an effect replaces an action is asked by the effect, not by the statement that performs the action.
        let statement = match question.then {
            Then::Replace(_) => CitesId::default(),
            _ => self.program.code_cites.get(pc).copied().unwrap_or_default(),
        };
        let cites = self.program.rules_of_decision(question.choice, statement);
        let (player, choice, domain, positions) = (question.player, question.choice, domain.to_vec(), positions.to_vec());
        self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::Decides {
            player,
            choice,
            domain,
            picks,
            positions,
            wanted: if let Then::Store { demanded, .. } = question.then { demanded } else { 0 },
            forced,
            secret,
        });
        if let Some(def) = def
            && def.allows_none_up_to()
        {
            let cites = self.program.cases_of_choice(def.declared).up_to;
            self.tell_rules(cites, pc, branch.frames.len(), at);
        }
    }

    fn go_on(&mut self, branch: &mut Branch, at: u16, question: Question, answer: (u32, u16)) {
        let yes = branch.lists.get(answer.0 as usize).copied() == Some(Value::Bool(true));
        match question.then {
            Then::Store { .. } => self.store(branch, at, question, answer),
            Then::May(otherwise) => {
                self.note_declined(branch, question.choice, !yes);
                if yes {
                    top(branch, |frame| frame.done = true);
                } else {
                    self.answered_no(branch, otherwise);
                }
            }
            Then::Try(otherwise) => {
                self.note_declined(branch, question.choice, !yes);
                if yes {
                    self.begin_attempt(branch, otherwise);
                } else {
                    self.answered_no(branch, otherwise);
                }
            }
            Then::Replace(number) => {
                if yes {
                    self.replace(branch, at, number);
                } else {
                    self.leave_alone(branch, at, number, NotInstead::Declined);
                }
            }
            Then::Offer(passed) => self.took(branch, question, answer, passed),
            Then::Repeat(pc) => self.named(branch, at, question, answer, pc),
            Then::PickReplacement => self.picked_replacement(branch, at, question, answer),
            Then::PickEvent(number) => {
                let picked = branch.lists.get(answer.0 as usize).copied().unwrap_or_default();
                self.picked_event(branch, number, picked);
            }
        }
    }

    fn picked_replacement(&mut self, branch: &mut Branch, at: u16, question: Question, answer: (u32, u16)) {
        let position = places_of_answer(branch, &question, answer).first().copied().unwrap_or(0);
        let candidates = branch.decided().map(|deciding| std::mem::take(&mut deciding.candidates));
        if let Some(number) = candidates.and_then(|candidates| candidates.get(usize::from(position)).copied()) {
            self.replace_or_ask(branch, at, number);
        }
    }

    /// Stores the picks of an answer and goes on.
    pub fn store(&mut self, branch: &mut Branch, at: u16, question: Question, (start, len): (u32, u16)) {
        let Then::Store { demanded, .. } = question.then else { return };
        self.gone_behind_veil(branch, question.player, (start, len));
        if branch.paying.is_part {
            crate::costs::parts::take(branch, (start, len));
        }
        if !stored(branch, &question, (start, len)) {
            if question.len < demanded {
                let cites = self.program.rules_of_shortage(question.choice, question.len);
                self.tell_rules(cites, branch.now(), branch.frames.len(), at);
            }
            top(branch, |frame| frame.short = true);
            if self.in_attempt(branch) && !branch.frames.last().is_some_and(|frame| frame.lenient) {
                self.set_done(branch, at, false);
            }
        }
    }
}

/// The positions of the picks in the domain.
pub(crate) fn places_of_answer(branch: &Branch, question: &Question, (start, len): (u32, u16)) -> Vec<u16> {
    if matches!(question.then, Then::PickReplacement) {
        return vec![start.saturating_sub(question.start) as u16];
    }
    let of = |start: u32, len: u16| listed(&branch.lists, start, len);
    let domain = of(question.start, question.len);
    of(start, len).iter().filter_map(|pick| domain.iter().position(|member| member == pick)).map(|at| at as u16).collect()
}

/// Puts the picks into the register. `false` if there are fewer picks than demanded.
fn stored(branch: &mut Branch, question: &Question, (start, len): (u32, u16)) -> bool {
    let Then::Store { single, demanded } = question.then else { return false };
    let value = match (single, len) {
        (false, _) => Value::List { start, len },
        (true, 0) => Value::Undefined,
        (true, _) => branch.lists.get(start as usize).copied().unwrap_or_default(),
    };
    set(branch, question.result, value);
    len >= demanded
}
