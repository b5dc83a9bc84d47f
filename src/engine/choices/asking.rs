//! Choices: asking, checking an answer, going on with it.

use crate::engine::choices::joint::{Joint, Wanted};
use crate::engine::eval::Eval;
use crate::engine::ids::{ChoiceId, CitesId, NodeId, Pc, Reg};
use crate::engine::limits::{LOOKED_THROUGH, NAMED};
use crate::engine::observe::{NotInstead, Observer, Step};
use crate::engine::program::{AmountDef, ChoiceDef, ClauseKind, MannerDef, Principle, Program};
use crate::engine::run::Run;
use crate::engine::run::step::{get, jump, set, top};
use crate::engine::state::board::Board;
use crate::engine::state::{Branch, Doing, FailureKind, Question, Source, Status, Then};
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

    /// No branch can run: the open questions are the decision, or the batch is performed.
    #[inline(never)]
    pub fn all_blocked(&mut self, asks: bool, changes: bool) {
        let level = self.state.control.level;
        // How often a round is repeated comes before everything else. Questions that a branch puts to another player wait until every branch
        // has answered its own.
        if asks && self.part_asks_anew(level) {
            // It goes on with its choice.
        } else if asks && (self.opens_how_often(level) || self.open_questions(level, true) || self.open_questions(level, false)) {
            if !matches!(self.state.control.status, Status::Failed(_)) {
                self.state.control.status = Status::Asking;
            }
        } else if self.parts_take_rest(level) {
            // What is left is known.
        } else if self.settles_claims() {
            // Who was to say which event is replaced is asked, or the branches go on.
        } else if changes {
            self.perform_batch();
            self.verdicts_after_batch();
        } else {
            self.all_have_met();
        }
    }

    /// Opens the question how often a round is repeated: one of them, though several branches wait with it.
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

    /// Opens the questions that branches put to their own player, or to another; whether there are any.
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
                    of_several = Some((crate::engine::actions::change::now(branch), branch.frames.len(), at));
                }
                first = first.or(Some(player));
            }
        }
        if let Some((pc, depth, at)) = of_several {
            self.tell_principle(crate::engine::program::Principle::AskedTogether, pc, depth, at);
        }
        any
    }

    /// Who chooses first of several players who are to choose at the same time (a bit for each), where the game orders them: those with the
    /// least number. A player without a number is a rules error: nobody could say who is first.
    fn asked_first(&mut self, level: u16, own: bool) -> u8 {
        let order = self.program.policies.asked_order;
        if order == NodeId::NONE {
            return u8::MAX;
        }
        let branches = self.state.control.branches.iter().filter(|branch| branch.level == level && !branch.in_order);
        let asked = branches.filter(|branch| asks_its_own(branch) == own);
        let asked = asked.filter_map(|branch| match &branch.doing {
            Doing::Ask(question) => Some((question.player, crate::engine::actions::change::now(branch))),
            _ => None,
        });
        let (mut first, mut least) = (0, i32::MAX);
        for (player, at) in asked {
            let local = [Value::Player(player)];
            let Some(place) = Eval::new(self.program, self.state, &local, &[], player, Value::Undefined).number(order) else {
                self.fail(crate::engine::state::FailureKind::NoNumber, at);
                return first;
            };
            if place < least {
                (first, least) = (0, place);
            }
            first |= if place == least { 1 << player.0 } else { 0 };
        }
        first
    }

    /// Every branch that has not ended waits for the others: they go on. That there is none is a defect of the rules.
    fn all_have_met(&mut self) {
        let level = self.state.control.level;
        let mut met = false;
        for branch in self.state.control.branches.iter_mut().filter(|branch| branch.level == level && matches!(branch.doing, Doing::Meet)) {
            branch.doing = Doing::Run;
            met = true;
        }
        if !met {
            self.fail(crate::engine::state::FailureKind::NoResult, Pc(0));
        }
    }

    /// Verdicts are judged when a batch, or the immediate rules that it called for, have ended, and no flow holds them back.
    pub fn verdicts_after_batch(&mut self) {
        if self.state.control.is_to_judge() {
            self.judge = true;
            self.stop_here();
        }
    }

    /// All open questions are answered: the branches go on.
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

    /// An answered offer with its list: onlookers are told what was offered.
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
            let picks = branch.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]);
            let positions = places_of_answer(branch, &question, (start, len));
            // What is repeated as often as was named is nobody's new answer.
            let forced = self.scratch.repeats;
            self.tell_picked(branch, at, crate::engine::actions::change::now(branch), question, (&positions, picks.to_vec()), forced);
        }
    }

    /// Tells the onlooker of a decision.
    pub fn tell_decided(&mut self, branch: &Branch, at: u16, pc: Pc, question: Question, positions: &[u16], forced: bool) {
        let domain = branch.lists.get(question.start as usize..question.start as usize + usize::from(question.len)).unwrap_or(&[]);
        let picks: Vec<Value> = positions.iter().filter_map(|at| domain.get(usize::from(*at))).copied().collect();
        self.tell_picked(branch, at, pc, question, (positions, picks), forced);
    }

    /// The same of one who may have named a number that has no place in the domain.
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
        let domain = branch.lists.get(question.start as usize..question.start as usize + usize::from(question.len)).unwrap_or(&[]);
        let def = self.program.choices.get(question.choice);
        let secret = secret(self.program, &self.state.board, def, domain);
        // Whether an effect replaces an action is asked by the effect, not by the statement that performs the action.
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

    /// Goes on with what was picked.
    pub fn store(&mut self, branch: &mut Branch, at: u16, question: Question, (start, len): (u32, u16)) {
        let Then::Store { demanded, .. } = question.then else { return };
        self.gone_behind_veil(branch, question.player, (start, len));
        if branch.paying.is_part {
            crate::engine::costs::parts::take(branch, (start, len));
        }
        if !stored(branch, &question, (start, len)) {
            if question.len < demanded {
                self.tell_principle(Principle::Impossible, crate::engine::actions::change::now(branch), branch.frames.len(), at);
            }
            top(branch, |frame| frame.short = true);
            if self.in_attempt(branch) && !branch.frames.last().is_some_and(|frame| frame.lenient) {
                self.settle(branch, at, false);
            }
        }
    }
}

/// The positions in the domain of what was answered.
pub(in crate::engine) fn places_of_answer(branch: &Branch, question: &Question, (start, len): (u32, u16)) -> Vec<u16> {
    if matches!(question.then, Then::PickReplacement) {
        return vec![start.saturating_sub(question.start) as u16];
    }
    let of = |start: u32, len: u16| branch.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]);
    let domain = of(question.start, question.len);
    of(start, len).iter().filter_map(|pick| domain.iter().position(|member| member == pick)).map(|at| at as u16).collect()
}

/// Puts the picked values into the register; `false` when something else has to follow the answer.
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

/// Whether a branch asks the player whose it is.
fn asks_its_own(branch: &Branch) -> bool {
    let whose = branch.own.or_else(|| branch.frames.last().map(|frame| frame.you));
    let Doing::Ask(question) = &branch.doing else { return false };
    whose.is_some_and(|whose| whose.0 == question.player.0)
}
