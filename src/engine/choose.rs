//! Choices: asking, checking an answer, going on with it.

use super::ids::{ChoiceId, Pc, Reg};
use super::observe::{Observer, Step};
use super::program::{AmountDef, MannerDef, Principle};
use super::run::Run;
use super::state::{Branch, Doing, Question, Status, Then};
use super::step::{jump, set, top};
use super::value::{Player, Value};

impl<O: Observer> Run<'_, O> {
    /// `choose x: n from S by p`.
    pub fn choose(&mut self, branch: &mut Branch, at: u16, pc: Pc, choice: ChoiceId, result: Reg) {
        let program = self.program;
        let Some(def) = program.choices.get(choice) else { return };
        let Value::Player(player) = self.value(branch, def.by) else {
            set(branch, result, Value::Undefined);
            return self.settle(branch, at, false);
        };
        let Value::List { start, len } = self.list(branch, def.domain) else { return };
        if def.manner == MannerDef::Blindly {
            let domain = branch.lists.get_mut(start as usize..).unwrap_or(&mut []);
            self.state.generator.shuffle(domain);
        }
        let demanded = self.amount(branch, def.min, len);
        let max = self.amount(branch, def.max, len).min(len);
        let min = if def.may_fail { 0 } else { demanded.min(max) };
        let then = Then::Store { single: def.single, demanded };
        let question = Question { player, choice, start, len, min, max, result, open: false, answer: None, then };
        let ranked = def.manner == MannerDef::Ranked && max > 1;
        // Who may fail to find is asked even where there is nothing to find: that nobody is asked would tell the others.
        let searches = def.may_fail && self.eval(branch).searched(def.domain);
        if (max == 0 || min == len && !ranked) && !searches {
            // One legal answer: it is recorded, not asked.
            self.tell_decided(branch, at, pc, question, &(0..max).collect::<Vec<u16>>(), true);
            return self.store(branch, at, question, (start, max));
        }
        branch.doing = Doing::Ask(question);
    }

    fn amount(&mut self, branch: &Branch, amount: AmountDef, len: u16) -> u16 {
        match amount {
            AmountDef::Fixed(amount) => amount,
            AmountDef::All => len,
            AmountDef::Node(node) => self.value(branch, node).number().unwrap_or(0).clamp(0, i32::from(u16::MAX)) as u16,
        }
    }

    /// `may p { }`.
    pub fn ask_may(&mut self, branch: &mut Branch, _at: u16, _pc: Pc, choice: ChoiceId, otherwise: Pc) {
        let Some(def) = self.program.choices.get(choice) else { return };
        match self.value(branch, def.by) {
            Value::Player(player) => self.ask_yes_no(branch, choice, player, Then::May(otherwise)),
            _ => self.answered_no(branch, otherwise),
        }
    }

    /// Asks yes or no.
    pub fn ask_yes_no(&mut self, branch: &mut Branch, choice: ChoiceId, player: Player, then: Then) {
        let start = branch.lists.len() as u32;
        branch.lists.extend([Value::Bool(true), Value::Bool(false)]);
        let question = Question { player, choice, start, len: 2, min: 1, max: 1, result: Reg::NONE, open: false, answer: None, then };
        branch.doing = Doing::Ask(question);
    }

    /// Asks which of several replacements applies; their sources stand for them.
    pub fn ask_replacement(&mut self, branch: &mut Branch, player: Player, sources: &[Value]) {
        let start = branch.lists.len() as u32;
        branch.lists.extend_from_slice(sources);
        let len = sources.len() as u16;
        let (choice, then) = (ChoiceId::REPLACEMENT, Then::PickReplacement);
        branch.doing =
            Doing::Ask(Question { player, choice, start, len, min: 1, max: 1, result: Reg::NONE, open: false, answer: None, then });
    }

    fn answered_no(&mut self, branch: &mut Branch, otherwise: Pc) {
        top(branch, |frame| frame.done = false);
        jump(branch, otherwise);
    }

    /// No branch can run: the open questions are the decision, or the batch is performed.
    pub fn all_blocked(&mut self) {
        let level = self.state.control.level;
        // Questions that a branch puts to another player wait until every branch has answered its own.
        if !self.open_questions(level, true) && !self.open_questions(level, false) {
            let changes =
                self.state.control.branches.iter().any(|branch| branch.level == level && matches!(branch.doing, Doing::Change(_)));
            if changes {
                self.perform_batch();
                return self.verdicts_after_batch();
            }
            return self.all_have_met();
        }
        self.state.control.status = Status::Asking;
    }

    /// Opens the questions that branches put to their own player, or to another; whether there are any.
    fn open_questions(&mut self, level: u16, own: bool) -> bool {
        let mut any = false;
        let mut first_in_order = true;
        for branch in self.state.control.branches.iter_mut().filter(|branch| branch.level == level) {
            let whose = branch.own.or_else(|| branch.frames.last().map(|frame| frame.you));
            let in_order = branch.in_order;
            let Doing::Ask(question) = &mut branch.doing else { continue };
            if in_order && !std::mem::take(&mut first_in_order) {
                continue;
            }
            if (whose == Some(question.player)) == own {
                question.open = true;
                any = true;
            }
        }
        any
    }

    /// Every branch that has not ended waits for the others: they go on. That there is none is a defect of the rules.
    fn all_have_met(&mut self) {
        let level = self.state.control.level;
        let mut met = false;
        for branch in self.state.control.branches.iter_mut().filter(|branch| branch.level == level && branch.doing == Doing::Meet) {
            branch.doing = Doing::Run;
            met = true;
        }
        if !met {
            self.fail(super::state::FailureKind::NoResult, Pc(0));
        }
    }

    fn verdicts_after_batch(&mut self) {
        let control = &self.state.control;
        if control.judging == 0 && !control.judged && control.losing | control.winning != 0 && control.level == 0 {
            self.judge = true;
        }
    }

    /// All open questions are answered: the branches go on.
    pub fn resume(&mut self) {
        if self.state.control.status != Status::Asking {
            return;
        }
        let open = |branch: &Branch| matches!(branch.doing, Doing::Ask(question) if question.open && question.answer.is_none());
        if self.state.control.branches.iter().any(open) {
            return;
        }
        self.state.control.status = Status::Running;
        for at in 0..self.state.control.branches.len() {
            let Some(slot) = self.state.control.branches.get_mut(at) else { continue };
            let Doing::Ask(question) = slot.doing else { continue };
            let Some(answer) = question.answer.filter(|_| question.open) else { continue };
            let mut branch = std::mem::take(slot);
            branch.doing = Doing::Run;
            self.next_is_alone(&branch);
            self.tell_answer(&branch, at as u16, question, answer);
            self.go_on(&mut branch, at as u16, question, answer);
            if let Some(slot) = self.state.control.branches.get_mut(at) {
                *slot = branch;
            }
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
            let domain = branch.lists.get(question.start as usize..question.start as usize + usize::from(question.len)).unwrap_or(&[]);
            let picks = branch.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]);
            let positions: Vec<u16> =
                picks.iter().filter_map(|pick| domain.iter().position(|member| member == pick)).map(|position| position as u16).collect();
            self.tell_decided(branch, at, super::change::now(branch), question, &positions, false);
        }
    }

    fn tell_decided(&mut self, branch: &Branch, at: u16, pc: Pc, question: Question, positions: &[u16], forced: bool) {
        if !O::ON {
            return;
        }
        let domain = branch.lists.get(question.start as usize..question.start as usize + usize::from(question.len)).unwrap_or(&[]);
        let picks: Vec<Value> = positions.iter().filter_map(|at| domain.get(usize::from(*at))).copied().collect();
        let def = self.program.choices.get(question.choice);
        let secret = secret(def);
        let statement = self.program.code_cites.get(pc).copied().unwrap_or_default();
        let cites = if statement.0 != 0 { statement } else { def.map_or(statement, |def| def.name.cites) };
        let (player, choice, domain, positions) = (question.player, question.choice, domain.to_vec(), positions.to_vec());
        self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::Decides {
            player,
            choice,
            domain,
            picks,
            positions,
            forced,
            secret,
        });
    }

    fn go_on(&mut self, branch: &mut Branch, at: u16, question: Question, answer: (u32, u16)) {
        let yes = branch.lists.get(answer.0 as usize).copied() == Some(Value::Bool(true));
        match question.then {
            Then::Store { .. } => self.store(branch, at, question, answer),
            Then::May(otherwise) => {
                if yes {
                    top(branch, |frame| frame.done = true);
                } else {
                    self.answered_no(branch, otherwise);
                }
            }
            Then::Try(otherwise) => {
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
                    super::decide::decline(branch, number);
                }
            }
            Then::PickReplacement => self.picked_replacement(branch, at, question, answer),
        }
    }

    fn picked_replacement(&mut self, branch: &mut Branch, at: u16, question: Question, answer: (u32, u16)) {
        let picked = branch.lists.get(answer.0 as usize).copied().unwrap_or_default();
        let domain = branch.lists.get(question.start as usize..question.start as usize + usize::from(question.len)).unwrap_or(&[]);
        let position = domain.iter().position(|member| *member == picked).unwrap_or(0);
        let candidates = branch.frames.last_mut().and_then(|frame| match &mut frame.role {
            super::state::Role::Deciding(deciding) => Some(std::mem::take(&mut deciding.candidates)),
            _ => None,
        });
        if let Some(number) = candidates.and_then(|candidates| candidates.get(position).copied()) {
            self.replace_or_ask(branch, at, number);
        }
    }

    fn store(&mut self, branch: &mut Branch, at: u16, question: Question, (start, len): (u32, u16)) {
        let Then::Store { single, demanded } = question.then else { return };
        let value = if single {
            if len == 0 { Value::Undefined } else { branch.lists.get(start as usize).copied().unwrap_or_default() }
        } else {
            Value::List { start, len }
        };
        set(branch, question.result, value);
        if len < demanded {
            if question.len < demanded {
                self.tell_principle(Principle::Impossible, super::change::now(branch), branch.frames.len(), at);
            }
            top(branch, |frame| frame.short = true);
            if self.in_attempt(branch) && !branch.frames.last().is_some_and(|frame| frame.lenient) {
                self.settle(branch, at, false);
            }
        }
    }
}

/// Whether others may see an answer.
pub fn secret(choice: Option<&super::program::ChoiceDef>) -> bool {
    choice.is_some_and(|choice| matches!(choice.manner, MannerDef::Secretly | MannerDef::Ranked))
}

/// Whether a question is a yes or no.
pub fn yes_no(question: &Question) -> bool {
    matches!(question.then, Then::May(_) | Then::Try(_) | Then::Replace(_))
}

/// Whether the chooser may be shown positions only.
pub fn blind(choice: Option<&super::program::ChoiceDef>) -> bool {
    choice.is_some_and(|choice| choice.manner == MannerDef::Blindly)
}
