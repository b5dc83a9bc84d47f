//! Asks: turns a `choose`, a `may` or a replacement into a question, or into its one legal answer.
//!
//! `opening` lets the questions of all branches be answered; `going_on` goes on with an answer.

use crate::engine::choices::joint::{Joint, Wanted};
use crate::engine::eval::Eval;
use crate::engine::ids::{ChoiceId, NodeId, Pc, Reg};
use crate::engine::limits::{LOOKED_THROUGH, NAMED};
use crate::engine::observe::Observer;
use crate::engine::program::{AmountDef, ChoiceDef, ClauseKind, MannerDef, Program};
use crate::engine::run::Run;
use crate::engine::run::step::{get, jump, set, top};
use crate::engine::state::board::Board;
use crate::engine::state::{Branch, Doing, FailureKind, Question, Source, Then};
use crate::engine::value::{Player, Value};

impl<O: Observer> Run<'_, O> {
    /// `choose x: n from S by p`.
    #[inline(never)]
    pub fn choose(&mut self, branch: &mut Branch, at: u16, pc: Pc, choice: ChoiceId, result: Reg) {
        let program = self.program;
        let Some(def) = program.choices.get(choice) else { return };
        let Value::Player(player) = self.value(branch, def.by) else {
            set(branch, result, Value::Undefined);
            return self.settle(branch, at, false);
        };
        let repeats = self.program.policies.optional_loops.is_some() && crate::engine::run::repeats::can_be_nothing(def);
        if repeats {
            // What the last time round has left there is no part of the position.
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
        let Value::List { start, len } = self.list(branch, def.domain) else { return };
        let unlisted = if def.numbers { self.eval(branch).unlisted(def.domain) } else { None };
        let (start, len) = if branch.veil.is_some() { self.veiled(branch, player, def.domain, (start, len)) } else { (start, len) };
        let len = match self.program.policies.optional_loops {
            Some(_) if repeats => self.without_barred(branch, (choice, player), (start, len)),
            Some(_) => self.without_rounds(branch, (choice, player), (start, len)),
            None => len,
        };
        let len = if branch.paying.is_part { self.untaken(branch, at, (start, len)) } else { len };
        let len = match self.state.effects.withholding {
            0 => len,
            _ => self.without_withheld(branch, (at, pc), def.declared, (start, len)),
        };
        let len = match unlisted {
            Some((_, greatest, listed)) if len == 0 => self.first_that_fits(branch, def.domain, start, listed, greatest),
            _ => len,
        };
        if def.manner == MannerDef::Blindly {
            let domain = branch.lists.get_mut(start as usize..).unwrap_or(&mut []);
            self.state.generator.shuffle(domain);
        }
        let demanded = self.amount(branch, def.min, len);
        let max = self.amount(branch, def.max, len).min(len);
        if def.is_joint() {
            let then = Then::Store { single: def.single, demanded };
            let question = Question {
                player,
                choice,
                start,
                len,
                min: 0,
                max,
                result,
                must: 0,
                open: false,
                answer: None,
                then,
                source: Source::Listed,
            };
            return self.choose_jointly(branch, at, pc, question, chooser);
        }
        let may_fail = self.may_fail(branch, def, chooser);
        let min = if may_fail { 0 } else { demanded.min(max) };
        let (len, must) = if self.state.effects.requiring == 0 { (len, 0) } else { self.demands(branch, def.declared, (start, len), max) };
        let max = max.min(len);
        let min = match (self.state.effects.requiring, def.or_none) {
            (0, _) | (_, true) => min.min(max),
            // Where more is demanded than can be taken, as much as can be is.
            _ if must < max && self.is_demanded(branch, def.declared, start) => min.max(if must == 0 { max } else { must }),
            _ => min.max(must).min(max),
        };
        let then = Then::Store { single: def.single, demanded };
        let question =
            Question { player, choice, start, len, min, max, result, must, open: false, answer: None, then, source: Source::Listed };
        let ranked = def.is_ranked() && max > 1;
        // Who may fail to find is asked even where there is nothing to find: that nobody is asked would tell the others.
        let searches = may_fail && self.eval(branch).searched(def.domain);
        if (max == 0 || min == len && !ranked && unlisted.is_none()) && !searches {
            // One legal answer: it is recorded, not asked.
            if O::ON {
                self.tell_decided(branch, at, pc, question, &(0..max).collect::<Vec<u16>>(), true);
            }
            return self.store(branch, at, question, (start, max));
        }
        if self.program.policies.tries_forced && min > 0 && self.trial.is_none() {
            self.note_forced_choice(branch, at, pc, result);
        }
        branch.doing = Doing::Ask(question);
    }

    /// No number that is listed fits: the first one behind them that does is. How many are listed then.
    #[inline(never)]
    fn first_that_fits(&mut self, branch: &mut Branch, domain: NodeId, start: u32, listed: i32, greatest: Option<i32>) -> u16 {
        let last = listed.saturating_add(LOOKED_THROUGH).min(greatest.unwrap_or(NAMED));
        let mut eval = self.eval(branch);
        let first = (listed.saturating_add(1)..=last).map(Value::Number).find(|number| eval.contains(domain, *number));
        branch.lists.truncate(start as usize);
        branch.lists.extend(first);
        (branch.lists.len() - start as usize) as u16
    }

    /// A choice whose answer has to satisfy something as a whole.
    #[inline(never)]
    fn choose_jointly(&mut self, branch: &mut Branch, at: u16, pc: Pc, mut question: Question, chooser: Player) {
        let Some(def) = self.program.choices.get(question.choice) else { return };
        let may_fail = self.may_fail(branch, def, chooser);
        let wanted = Wanted { exactly: def.min == def.max, most: question.max, or_none: def.or_none, may_fail };
        let watcher = self.trial.map(|trial| trial.player);
        let found = Joint::of(self.program, self.state, branch, &question, watcher)
            .map(|joint| joint.bounds(wanted).or_else(|_| joint.loose_bounds(wanted)));
        let Some(Ok((bounds, notes))) = found else { return self.fail(FailureKind::Joint, pc) };
        self.noted(branch, notes.overflow, notes.peeked);
        (question.min, question.max, question.must) = (bounds.min, bounds.max, bounds.owed);
        let searches = may_fail && self.eval(branch).searched(def.domain);
        let ranked = def.is_ranked() && question.max > 1;
        let only = match (question.min, question.max) {
            _ if searches => None,
            (_, 0) => Some(Vec::new()),
            (min, max) if min == max && !ranked => {
                let only = Joint::of(self.program, self.state, branch, &question, watcher).map(|joint| joint.only());
                let Some(Ok(only)) = only else { return self.fail(FailureKind::Joint, pc) };
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

    /// Whether who chooses may fail to find. What is hidden in general is chosen from like an open zone where every player sees all cards.
    fn may_fail(&mut self, branch: &Branch, def: &ChoiceDef, chooser: Player) -> bool {
        let for_another = def.others_may_fail && branch.frames.last().is_some_and(|frame| frame.you != chooser);
        if !def.may_fail && !for_another {
            return false;
        }
        if for_another && self.program.policies.known_are_found && self.is_seen_by(branch, def.domain, chooser.0..chooser.0 + 1) {
            return false;
        }
        !self.is_seen_by(branch, def.domain, 0..self.program.players)
    }

    /// Whether each of these players sees all cards among which a set was narrowed.
    fn is_seen_by(&mut self, branch: &Branch, domain: NodeId, players: std::ops::Range<u8>) -> bool {
        let mut eval = self.eval(branch);
        let (program, board) = (eval.program, &eval.state.board);
        !eval.each_unnarrowed(domain, &mut |_, member| {
            matches!(member, Value::Object { id, .. } if !players.clone().all(|player| board.sees(program, Player(player), id)))
        })
    }

    /// What effects demand of an answer: as many demands as possible are obeyed, after everything that is forbidden has been left
    /// out of the domain. The members that every answer has come first; where there are more demands than places, only what is
    /// demanded most often stays in the domain. How many members the domain has then, and how many an answer must have.
    fn demands(&mut self, branch: &mut Branch, choice: u16, (start, len): (u32, u16), max: u16) -> (u16, u16) {
        let domain = branch.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]).to_vec();
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

    /// Whether anything at all is demanded of the answer: what is stands first.
    fn is_demanded(&self, branch: &Branch, choice: u16, start: u32) -> bool {
        let first = branch.lists.get(start as usize).copied().unwrap_or_default();
        self.demanded(branch, choice, first) > 0
    }

    /// How many effects in force demand that a member be chosen.
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

    /// `may p { }`.
    pub fn ask_may(&mut self, branch: &mut Branch, at: u16, pc: Pc, choice: ChoiceId, otherwise: Pc) {
        let Some(def) = self.program.choices.get(choice) else { return };
        match self.value(branch, def.by) {
            Value::Player(player) if self.comes_round(branch, at, pc, Some(player)) => {}
            Value::Player(player) if self.is_step_barred(branch, choice, player) => self.answered_no(branch, otherwise),
            Value::Player(player) if self.is_pass_barred(choice, player) => top(branch, |frame| frame.done = true),
            Value::Player(player) => self.ask_yes_no(branch, choice, player, Then::May(otherwise)),
            _ => self.answered_no(branch, otherwise),
        }
    }

    /// Asks yes or no.
    pub fn ask_yes_no(&mut self, branch: &mut Branch, choice: ChoiceId, player: Player, then: Then) {
        let player = self.state.board.decider(player);
        let start = branch.lists.len() as u32;
        branch.lists.extend([Value::Bool(true), Value::Bool(false)]);
        branch.doing = Doing::Ask(Question::for_one(player, choice, (start, 2), then));
    }

    /// Asks which of several replacements applies; their sources stand for them.
    pub fn ask_replacement(&mut self, branch: &mut Branch, player: Player, sources: &[Value]) {
        let player = self.state.board.decider(player);
        let start = branch.lists.len() as u32;
        branch.lists.extend_from_slice(sources);
        let len = sources.len() as u16;
        branch.doing = Doing::Ask(Question::for_one(player, ChoiceId::REPLACEMENT, (start, len), Then::PickReplacement));
    }

    pub(in crate::engine) fn answered_no(&mut self, branch: &mut Branch, otherwise: Pc) {
        top(branch, crate::engine::state::Frame::nothing_done);
        jump(branch, otherwise);
    }
}

/// How many effects in force demand that a member be chosen where a declared choice asks.
pub fn demanded(eval: &mut Eval<'_>, choice: u16, member: Value) -> usize {
    let (program, state) = (eval.program, eval.state);
    let effects = state.effects.in_force.iter().filter(|effect| {
        let Some(ClauseKind::Require { choice: of, what }) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
            return false;
        };
        *of == choice && eval.is_active(effect, effect.clause) && eval.inside(effect).contains(*what, member)
    });
    effects.count()
}

/// Whether others may not see an answer: it is given secretly, or it orders cards of which somebody does not see which they are. (The order would
/// tell which place is whose.)
#[inline]
pub fn secret(program: &Program, board: &Board, choice: Option<&ChoiceDef>, domain: &[Value]) -> bool {
    choice.is_some_and(|choice| match choice.manner {
        MannerDef::Openly | MannerDef::Blindly => false,
        MannerDef::Secretly | MannerDef::Ranked { secretly: true } => true,
        MannerDef::Ranked { secretly: false } => domain.iter().any(|member| is_hidden(program, board, *member)),
    })
}

/// Whether a member is a card that somebody does not see.
fn is_hidden(program: &Program, board: &Board, member: Value) -> bool {
    let Value::Object { id, .. } = member else { return false };
    (0..program.players).any(|player| !board.sees(program, Player(player), id))
}

/// Whether a question is a yes or no.
#[inline]
pub fn yes_no(question: &Question) -> bool {
    matches!(question.then, Then::May(_) | Then::Try(_) | Then::Replace(_))
}

/// Whether the chooser may be shown positions only.
#[inline]
pub fn blind(choice: Option<&crate::engine::program::ChoiceDef>) -> bool {
    choice.is_some_and(|choice| choice.manner == MannerDef::Blindly)
}
