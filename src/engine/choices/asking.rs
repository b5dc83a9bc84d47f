//! Asks: turns a `choose`, a `may` or a replacement into a question. If only one answer is legal, this answer is taken at once.
//!
//! `opening` lets the questions of all branches be answered; `resuming` goes on with an answer.

use crate::choices::joint::{Found, Joint, Wanted};
use crate::choices::shown::{Shown, shown_among};
use crate::eval::Eval;
use crate::fault::{Fault, broken, listed};
use crate::ids::{ChoiceId, NodeId, Pc, Reg};
use crate::limits::{LOOKED_THROUGH, NAMED};
use crate::program::{AmountDef, ChoiceDef, ClauseKind, MannerDef, Program};
use crate::run::Run;
use crate::run::step::{get, jump, set, top};
use crate::state::board::Board;
use crate::state::{Branch, Doing, FailureKind, Question, Then};
use crate::steps::Observer;
use crate::value::{Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Carries out `choose x: n from S by p`.
    #[inline(never)]
    pub fn choose(&mut self, branch: &mut Branch, at: u16, pc: Pc, choice: ChoiceId, result: Reg) {
        let program = self.program;
        let Some(def) = program.choices.get(choice) else { return broken(Fault::Row) };
        let Value::Player(player) = self.value(branch, def.by) else {
            set(branch, result, Value::Undefined);
            self.tell_nobody_asked(branch, at, pc, choice);
            return self.set_done(branch, at, false);
        };
        let repeats = self.program.policies.optional_loops.is_some() && crate::run::repeats::can_be_nothing(def);
        if repeats {
            // The register may still hold the answer of an earlier round. That answer is no part of the position.
            let left = get(branch, result);
            set(branch, result, Value::Undefined);
            let asked = self.comes_round(branch, at, pc, Some(player));
            set(branch, result, left);
            if asked {
                return;
            }
        }
        let chooser = player;
        let player = self.state.board.decider(player);
        let Value::List { start, len } = self.list(branch, def.domain) else { return broken(Fault::List) };
        let unlisted = if def.numbers { self.eval(branch).unlisted(def.domain) } else { None };
        let (start, len) = self.choosable(branch, (at, pc), (choice, def), player, (start, len));
        let len = match unlisted {
            Some((_, greatest, listed)) if len == 0 => self.first_that_fits(branch, def.domain, start, listed, greatest),
            _ => len,
        };
        if def.manner == MannerDef::Blindly {
            let domain = branch.lists.get_mut(start as usize..).unwrap_or(&mut []);
            self.state.generator.shuffle(domain);
        }
        let demanded = self.amount(branch, def.min, len);
        let len = self.all_or_nothing(branch, (at, pc), (choice, def), len, demanded);
        let max = self.amount(branch, def.max, len).min(len);
        if def.is_joint() {
            let then = Then::Store { single: def.single, demanded };
            let question = Question { min: 0, max, result, ..Question::for_one(player, choice, (start, len), then) };
            return self.choose_jointly(branch, at, pc, question, chooser);
        }
        let may_fail = self.may_fail(branch, def, chooser);
        // Whoever can pay a price pays it. If the others cannot check that, the player may take the use back. But this is not offered.
        let pays = may_fail && (1..=max).contains(&demanded) && self.is_paying(branch);
        let shown = if may_fail { shown_among(program, self.state, branch, (def, chooser), (start, len)).len() as u16 } else { 0 };
        let backs_out = pays && shown < demanded && !self.is_taking_back_barred(branch, choice, player);
        let min = match may_fail && !pays {
            true if shown < demanded && program.cases_of_choice(def.declared).all_or_nothing => 0,
            true => shown.min(demanded).min(max),
            false => demanded.min(max),
        };
        let (len, must) = if self.state.effects.requiring == 0 { (len, 0) } else { self.demands(branch, def.declared, (start, len), max) };
        let max = max.min(len);
        let min = match (self.state.effects.requiring, def.or_none) {
            (0, _) | (_, true) => min.min(max),
            // If more members are demanded than the answer can have, the answer must have as many as it can.
            _ if must < max && self.is_demanded(branch, def.declared, start) => min.max(if must == 0 { max } else { must }),
            _ => min.max(must).min(max),
        };
        let then = Then::Store { single: def.single, demanded };
        let question = Question { min, max, result, must, backs_out, ..Question::for_one(player, choice, (start, len), then) };
        let ranked = def.is_ranked() && max > 1;
        // A player who may claim to find nothing is asked even if there is nothing to find. Otherwise the others would know that there is
        // nothing.
        let searches = may_fail && self.eval(branch).searched(def.domain);
        if (max == 0 || min == len && !ranked && unlisted.is_none()) && !searches && !backs_out {
            // Only one answer is legal. It is recorded without asking.
            if O::ON {
                self.tell_decided(branch, at, pc, question, &(0..max).collect::<Vec<u16>>(), true);
            }
            return self.store(branch, at, question, (start, max));
        }
        if self.program.policies.tries_forced && min > 0 && !backs_out && self.trial.is_none() {
            self.note_forced_choice(branch, at, pc, result);
        }
        branch.doing = Doing::Ask(question);
    }

    /// The number of members to choose from: none if there are fewer than demanded and the declared choice says that nothing is chosen then.
    fn all_or_nothing(
        &mut self,
        branch: &Branch,
        (at, pc): (u16, Pc),
        (choice, def): (ChoiceId, &ChoiceDef),
        len: u16,
        demanded: u16,
    ) -> u16 {
        if len >= demanded || len == 0 || !self.program.cases_of_choice(def.declared).all_or_nothing {
            return len;
        }
        self.tell_rules(self.program.rules_of_shortage(choice, len), pc, branch.frames.len(), at);
        0
    }

    /// The members of a choice's domain that the player can choose now, as a veiled player sees them. Left out are lost cards, members that
    /// may not be taken again, members that other parts of a payment have taken, and members that effects withhold.
    #[inline]
    fn choosable(
        &mut self,
        branch: &mut Branch,
        (at, pc): (u16, Pc),
        (choice, def): (ChoiceId, &ChoiceDef),
        player: Player,
        (start, len): (u32, u16),
    ) -> (u32, u16) {
        // Behind a veil the cards are chosen as they lay before, so what has gone since can be chosen.
        let (start, len) = match branch.veil {
            Some(_) => self.veiled(branch, player, def.domain, (start, len)),
            None => (start, self.without_lost(branch, (start, len))),
        };
        let len = match self.program.policies.optional_loops {
            Some(_) if crate::run::repeats::can_be_nothing(def) => self.without_barred(branch, (choice, player), (start, len)),
            Some(_) => self.without_rounds(branch, (choice, player), (start, len)),
            None => len,
        };
        let len = if branch.paying.is_part { self.untaken(branch, at, (start, len)) } else { len };
        let len = match self.state.effects.withholding {
            0 => len,
            _ => self.without_withheld(branch, (at, pc), def.declared, (start, len)),
        };
        (start, len)
    }

    /// Leaves out the cards whose life is over. Nothing can be done with them. The list lies at the end of the arena. Gives its new length.
    fn without_lost(&self, branch: &mut Branch, (start, len): (u32, u16)) -> u16 {
        if !branch.lists.get(start as usize..).is_some_and(|domain| domain.iter().any(|member| self.is_lost(*member))) {
            return len;
        }
        let domain = branch.lists.split_off(start as usize);
        branch.lists.extend(domain.into_iter().filter(|member| !self.is_lost(*member)));
        (branch.lists.len() - start as usize) as u16
    }

    /// If no listed number of a range fits, the first fitting number after the list becomes the domain. Gives the length of the domain.
    #[inline(never)]
    fn first_that_fits(&mut self, branch: &mut Branch, domain: NodeId, start: u32, listed: i32, greatest: Option<i32>) -> u16 {
        let last = listed.saturating_add(LOOKED_THROUGH).min(greatest.unwrap_or(NAMED));
        let mut eval = self.eval(branch);
        let first = (listed.saturating_add(1)..=last).map(Value::Number).find(|number| eval.contains(domain, *number));
        branch.lists.truncate(start as usize);
        branch.lists.extend(first);
        (branch.lists.len() - start as usize) as u16
    }

    /// Asks for a choice with a condition on the whole answer.
    #[inline(never)]
    fn choose_jointly(&mut self, branch: &mut Branch, at: u16, pc: Pc, mut question: Question, chooser: Player) {
        let Some(def) = self.program.choices.get(question.choice) else { return broken(Fault::Row) };
        let may_fail = self.may_fail(branch, def, chooser);
        let demanded = if let Then::Store { demanded, .. } = question.then { demanded } else { 0 };
        let watcher = self.trial.map(|trial| trial.player);
        let bounds = |run: &Self, question: &Question, may_fail: bool| {
            let wanted = Wanted { exactly: def.min == def.max, most: question.max, or_none: def.or_none, may_fail };
            let joint = Joint::of(run.program, run.state, branch, question, watcher)?;
            joint.bounds(wanted).or_else(|_| joint.loose_bounds(wanted)).ok()
        };
        // As in a choice without a condition: whoever can pay a price pays it, or takes the use back.
        let pays = may_fail && demanded > 0 && self.is_paying(branch);
        let paid = if pays { bounds(self, &question, false).filter(|found| found.bounds.min >= demanded) } else { None };
        let has_payment = paid.is_some();
        let Some(shown) = self.shown_together(branch, &question, may_fail) else { return self.fail(FailureKind::Joint, pc) };
        let barred = || self.is_taking_back_barred(branch, question.choice, question.player);
        question.backs_out = has_payment && shown < demanded && !barred();
        let Some(Found { bounds, notes, only }) = paid.or_else(|| bounds(self, &question, may_fail)) else {
            return self.fail(FailureKind::Joint, pc);
        };
        self.noted(branch, notes.overflow, notes.peeked);
        (question.min, question.max, question.must) = (bounds.min, bounds.max, bounds.owed);
        question.min = question.min.max(shown).min(question.max);
        let searches = may_fail && self.eval(branch).searched(def.domain);
        let ranked = def.is_ranked() && question.max > 1;
        let only = match (question.min, question.max) {
            _ if searches || question.backs_out => None,
            (_, 0) => Some(Vec::new()),
            (min, max) if min == max && !ranked => {
                let search = || Some(Joint::of(self.program, self.state, branch, &question, watcher)?.only());
                let Some(Ok(only)) = only.map(Ok).or_else(search) else { return self.fail(FailureKind::Joint, pc) };
                only
            }
            _ => None,
        };
        let Some(only) = only else { return branch.doing = Doing::Ask(question) };
        if O::ON {
            self.tell_decided(branch, at, pc, question, &only, true);
        }
        let start = branch.lists.len() as u32;
        for pick in &only {
            let member = branch.lists.get(question.start as usize + usize::from(*pick)).copied().unwrap_or_default();
            branch.lists.push(member);
        }
        self.store(branch, at, question, (start, only.len() as u16));
    }

    /// How many shown members fit together, if the chooser of a joint choice of an exact number may fail to find. `None`: the search would take
    /// too long.
    fn shown_together(&self, branch: &Branch, question: &Question, may_fail: bool) -> Option<u16> {
        let is_exact = self.program.choices.get(question.choice).is_some_and(|def| def.min == def.max);
        let shown = Shown::of(self.program, self.state, branch, question).filter(|_| may_fail && is_exact);
        shown.map_or(Some(0), |shown| shown.together().ok())
    }

    /// Whether a value is a reference to a card whose life is over.
    fn is_lost(&self, value: Value) -> bool {
        matches!(value, Value::Object { id, life } if self.state.board.object(id).is_none_or(|object| object.life != life))
    }

    /// Finds the members that effects demand in an answer. As many demands as possible must be obeyed; forbidden members have already left
    /// the domain. Members that every answer must have come first. If there are more demanded members than places, only the most demanded
    /// members stay in the domain. Gives the length of the domain, and how many of its first members an answer must have.
    fn demands(&mut self, branch: &mut Branch, choice: u16, (start, len): (u32, u16), max: u16) -> (u16, u16) {
        let domain = listed(&branch.lists, start, len).to_vec();
        let mut weighed: Vec<(usize, Value)> = domain.iter().map(|member| (self.demanded(branch, choice, *member), *member)).collect();
        weighed.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        let wanted = weighed.iter().filter(|(weight, _)| *weight > 0).count();
        if wanted == 0 || max == 0 {
            return (len, 0);
        }
        let (mut must, mut keep) = (wanted, weighed.len());
        if wanted >= usize::from(max) {
            let least = weighed.get(usize::from(max) - 1).map_or(0, |(weight, _)| *weight);
            must = weighed.iter().filter(|(weight, _)| *weight > least).count();
            keep = weighed.iter().filter(|(weight, _)| *weight >= least).count();
        }
        let kept: Vec<Value> = weighed.into_iter().take(keep).map(|(_, member)| member).collect();
        for (slot, member) in branch.lists.iter_mut().skip(start as usize).zip(kept) {
            *slot = member;
        }
        (keep as u16, must as u16)
    }

    /// Whether effects demand any member. Demanded members stand first, so the first member decides.
    fn is_demanded(&self, branch: &Branch, choice: u16, start: u32) -> bool {
        let first = branch.lists.get(start as usize).copied().unwrap_or_default();
        self.demanded(branch, choice, first) > 0
    }

    /// The number of effects in force that demand a member.
    fn demanded(&self, branch: &Branch, choice: u16, member: Value) -> usize {
        demanded(&mut self.eval(branch), choice, member)
    }

    fn amount(&mut self, branch: &Branch, amount: AmountDef, len: u16) -> u16 {
        match amount {
            AmountDef::Fixed(amount) => amount,
            AmountDef::All => len,
            AmountDef::Node(node) => self.value(branch, node).number().unwrap_or(0).clamp(0, i32::from(u16::MAX)) as u16,
        }
    }

    /// Carries out `may p { }`.
    pub(crate) fn ask_may(&mut self, branch: &mut Branch, at: u16, pc: Pc, choice: ChoiceId, otherwise: Pc) {
        let Some(def) = self.program.choices.get(choice) else { return broken(Fault::Row) };
        self.note_declined(branch, choice, false);
        match self.value(branch, def.by) {
            Value::Player(player) if self.comes_round(branch, at, pc, Some(player)) => {}
            Value::Player(player) if self.is_step_barred(branch, choice, player) => {
                self.note_declined(branch, choice, true);
                self.answered_no(branch, otherwise);
            }
            Value::Player(player) if self.is_pass_barred(choice, player) => top(branch, |frame| frame.done = true),
            Value::Player(player) => self.ask_yes_no(branch, choice, player, Then::May(otherwise)),
            _ => {
                self.tell_nobody_asked(branch, at, pc, choice);
                self.answered_no(branch, otherwise);
            }
        }
    }

    /// Asks a player for yes or no.
    pub(crate) fn ask_yes_no(&mut self, branch: &mut Branch, choice: ChoiceId, player: Player, then: Then) {
        let player = self.state.board.decider(player);
        let start = branch.lists.len() as u32;
        branch.lists.extend([Value::Bool(true), Value::Bool(false)]);
        branch.doing = Doing::Ask(Question::for_one(player, choice, (start, 2), then));
    }

    /// Asks which of several replacements applies. The sources of the effects are the possible answers.
    pub(crate) fn ask_replacement(&mut self, branch: &mut Branch, player: Player, sources: &[Value]) {
        let player = self.state.board.decider(player);
        let start = branch.lists.len() as u32;
        branch.lists.extend_from_slice(sources);
        let len = sources.len() as u16;
        branch.doing = Doing::Ask(Question::for_one(player, ChoiceId::REPLACEMENT, (start, len), Then::PickReplacement));
    }

    /// Notes for `declined` whether the player has declined this `may`.
    pub(crate) fn note_declined(&self, branch: &mut Branch, choice: ChoiceId, declined: bool) {
        if let Some(register) = self.program.choices.get(choice).and_then(|def| def.declined) {
            crate::run::step::set(branch, register, Value::Bool(declined));
        }
    }

    pub(crate) fn answered_no(&mut self, branch: &mut Branch, otherwise: Pc) {
        top(branch, crate::state::Frame::nothing_done);
        jump(branch, otherwise);
    }
}

/// The number of effects in force that demand a member in a declared choice.
pub(crate) fn demanded(eval: &mut Eval<'_>, choice: u16, member: Value) -> usize {
    let (program, state) = (eval.program, eval.state);
    let effects = state.effects.in_force.iter().filter(|effect| {
        let Some(ClauseKind::Require { choice: of, what }) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
            return false;
        };
        *of == choice && eval.is_active(effect, effect.clause) && eval.inside(effect).contains(*what, member)
    });
    effects.count()
}

/// Whether the answer is hidden from the other players: it is given secretly, or it orders cards that some player does not see. (The order
/// would reveal the cards.)
#[inline]
pub(crate) fn secret(program: &Program, board: &Board, choice: Option<&ChoiceDef>, domain: &[Value]) -> bool {
    choice.is_some_and(|choice| match choice.manner {
        MannerDef::Openly | MannerDef::Blindly => false,
        MannerDef::Secretly | MannerDef::Ranked { secretly: true } => true,
        MannerDef::Ranked { secretly: false } => domain.iter().any(|member| is_hidden(program, board, *member)),
    })
}

/// Whether a member is a card that some player does not see.
fn is_hidden(program: &Program, board: &Board, member: Value) -> bool {
    let Value::Object { id, .. } = member else { return false };
    (0..program.players).any(|player| !board.sees(program, Player(player), id))
}

/// Whether a question is a yes or no.
#[inline]
pub(crate) fn yes_no(question: &Question) -> bool {
    matches!(question.then, Then::May(_) | Then::Try(_) | Then::Replace(_))
}

/// Whether the chooser sees only positions.
#[inline]
pub(crate) fn blind(choice: Option<&crate::program::ChoiceDef>) -> bool {
    choice.is_some_and(|choice| choice.manner == MannerDef::Blindly)
}
