//! Repeats that players choose (docs/kernel/loops_and_limits.md): the players' own decisions have brought back a position at an offer
//! or a `may`.
//!
//! Used in games in which players name how often a round is repeated. This code handles offers, optional steps and choices that may take
//! nothing. It keeps the last positions and the answers since then, asks for numbers, answers in the players' stead, and bars repeated
//! actions. Rounds without a decision are in [`crate::run::circles`].

use crate::choices::answer::{Given, check_answer};
use crate::choices::numbers::{check_number, give_number};
use crate::choices::resuming::places_of_answer;
use crate::fault::listed;
use crate::ids::{ChoiceId, NodeId, OptionId, Pc, Reg};
use crate::legal::options::Row;
use crate::limits::{OFFER_POSITIONS, ROUNDS};
use crate::program::{AmountDef, ChoiceDef, MannerDef, Principle, Program};
use crate::run::Run;
use crate::run::step::{jump, set, top};
use crate::run::taken::{again, comes_behind, is_alike, must_be_one, source_of, taken};
use crate::state::fingerprint::{self, projections};
use crate::state::{Answered, Barred, Branch, Cycle, Doing, Fingerprint, OfferPosition, Question, State, Stood, Taken, Then};
use crate::steps::Observer;
use crate::value::{Player, Value};
use std::sync::Arc;

impl<O: Observer> Run<'_, O> {
    /// Clears the registers that an offer used the last time. They are no part of the position.
    pub(crate) fn forget_taken(&self, branch: &mut Branch, taken: Reg) {
        if self.program.policies.optional_loops.is_some() && self.trial.is_none() {
            (0..3).for_each(|at| set(branch, Reg(taken.0 + at), Value::Undefined));
        }
    }

    /// Whether repeated rounds decide what players may take now. This is so in three cases: numbers are being named, a round is being
    /// repeated, or something is barred.
    pub(crate) fn hangs_on_rounds(&self) -> bool {
        let cycle = self.state.control.cycle.as_ref();
        cycle.is_some_and(|cycle| {
            cycle.left > 0 || !cycle.asked.is_empty() || !cycle.barred.is_empty() || cycle.stood.iter().any(|stood| stood.again)
        })
    }

    /// Notes that a branch has come to an offer, an optional step, or a choice that may take nothing. If the players' decisions have
    /// brought its position back, a player is asked how often the round is repeated. Returns whether a player is asked.
    pub(crate) fn comes_round(&mut self, branch: &mut Branch, at: u16, pc: Pc, offered: Option<Player>) -> bool {
        if self.program.policies.optional_loops.is_none() || self.trial.is_some() {
            return false;
        }
        top(branch, |frame| frame.done = false);
        let stood = self.state.control.cycle.as_ref().and_then(|cycle| cycle.stood.iter().find(|stood| stood.at == at));
        // A branch that has only waited for the numbers is in the position in which it waited, wherever the other branches are now.
        let (seen, lies) = match stood.filter(|stood| stood.again) {
            Some(stood) => (stood.seen, stood.lies),
            None => {
                let (seen, lies) = projections((self.program, self.plan), self.state, branch, &mut self.scratch.seen);
                (Fingerprint::from(seen), Fingerprint::from(lies))
            }
        };
        let grows = self.program.policies.same_positions.leaves_out_growth();
        let growth = if grows { fingerprint::growth(self.program, self.state, &self.scratch.seen).into() } else { Fingerprint::default() };
        let first = match self.program.policies.names_first {
            NodeId::NONE => offered,
            first => self.value(branch, first).player().or(offered),
        };
        let chance = self.chance();
        let cycle = Arc::make_mut(self.state.control.cycle.get_or_insert_default());
        cycle.here = lies;
        cycle.stood.retain(|stood| stood.at != at);
        cycle.stood.push(Stood { at, seen, lies, again: false });
        if cycle.left > 0 {
            return false;
        }
        cycle.barred.retain_mut(|barred| is_still_barred(barred, lies));
        if cycle.asked.is_empty() {
            // If chance was used, no round goes on, so everything is forgotten.
            if cycle.chance != chance {
                cycle.offers.clear();
                cycle.answers.clear();
                cycle.chance = chance;
            }
            let stands = cycle.offers.iter().rfind(|position| position.pc == pc && position.seen == seen).copied();
            let like =
                |position: &&OfferPosition| position.pc == pc && position.at == at && position.lies == lies && position.grown != growth;
            let grown = cycle.offers.iter().rfind(like).filter(|_| grows && stands.is_none()).copied();
            let back = stands.or(grown).map(|position| position.answers as usize);
            let from = back.filter(|from| cycle.answers.iter().skip(*from).any(|answer| answer.takes().is_some()));
            // If nothing has grown, the next round goes on like the last one.
            let same = stands.is_some_and(|position| position.grown == growth);
            match from.filter(|from| same || self.goes_on_for_ever(branch, at, pc, *from)) {
                Some(from) => {
                    let passes_beside = self.program.policies.passes_beside;
                    let players = self.program.players;
                    if let Some(cycle) = self.state.control.cycle_mut() {
                        leave_out_passes(cycle.answers.get_mut(from..).unwrap_or(&mut []), passes_beside);
                        begin_round(cycle, from, first.unwrap_or_default(), players);
                    }
                }
                // A position with growth that has an end begins anew here.
                None if from.is_some() || stands.is_none() => {
                    if let Some(cycle) = self.state.control.cycle_mut() {
                        cycle.offers.retain(|position| position.pc != pc || position.seen != seen);
                        keep_position(cycle, OfferPosition { at, pc, seen, lies, grown: growth, answers: cycle.answers.len() as u32 });
                    }
                }
                None => {}
            }
        }
        let Some(cycle) = self.state.control.cycle.as_ref() else { return false };
        // In a lockstep, a branch that comes here while numbers are being named waits with the same question. The question is put once
        // (`open_questions`).
        let Some(player) = cycle.asked.first().copied() else { return false };
        self.ask_how_often(branch, player, pc);
        true
    }

    /// The next random number. If it differs at a later time, chance has been used since.
    pub(crate) fn chance(&self) -> u64 {
        let mut next = self.state.generator.clone();
        // Using a result that a scenario has fixed counts as using chance.
        let laid_down = (self.state.fixed_draws.len() + self.state.fixed_shuffles.len()) as u64;
        (u64::from(next.below(u32::MAX)) << 32 | u64::from(next.below(u32::MAX))).wrapping_add(laid_down)
    }

    fn ask_how_often(&mut self, branch: &mut Branch, player: Player, pc: Pc) {
        let Some(choice) = self.program.policies.optional_loops else { return };
        self.tell_principle(Principle::CameBack, pc, branch.frames.len(), 0);
        self.tell_principle(Principle::Repeated, pc, branch.frames.len(), 0);
        let (start, len) = (branch.lists.len() as u32, self.program.policies.listed_numbers);
        branch.lists.extend((0..i32::from(len)).map(Value::Number));
        let player = self.state.board.decider(player);
        branch.doing = Doing::Ask(Question::for_one(player, choice, (start, len), Then::Repeat(pc)));
    }

    /// A player has named a number of repetitions. When all have named one, the least number counts. Then the offer comes again.
    pub(crate) fn named(&mut self, branch: &mut Branch, at: u16, question: Question, (start, _): (u32, u16), pc: Pc) {
        let times = branch.lists.get(start as usize).and_then(|times| times.number()).unwrap_or(0);
        branch.lists.truncate(question.start as usize);
        jump(branch, pc);
        let policies = &self.program.policies;
        let Some(cycle) = self.state.control.cycle_mut() else { return };
        if !cycle.asked.is_empty() {
            // Another player may decide for the player who has to name a number, and then gets the question. So the number is noted for the
            // first player of `asked`, not for the player of the question.
            let player = cycle.asked.remove(0);
            cycle.named.push((player, u32::try_from(times).unwrap_or(0).min(ROUNDS)));
        }
        if cycle.asked.is_empty() {
            let numbers = || cycle.named.iter().map(|(_, times)| *times);
            let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
            (cycle.left, cycle.at) = (least, 0);
            let named = std::mem::take(&mut cycle.named);
            // The player who named less has to stop the round. So the round goes on once more, up to the first thing that this player took
            // in it.
            let stops = policies.least_stops && least < most;
            let first = named.iter().find(|(_, times)| stops && *times == least).map(|(player, _)| *player);
            cycle.stop = first.and_then(|player| place_in_round(cycle, player)).filter(|at| *at > 0);
            cycle.left += u32::from(cycle.stop.is_some());
            let is_barred = |(player, times): &(Player, u32)| Some(*player) != first && (!policies.bars_the_greatest || *times == most);
            for (player, _) in named.into_iter().filter(is_barred) {
                bar(cycle, player, policies.barred_where_begun, false);
            }
            if let Some(player) = first {
                bar(cycle, player, true, true);
            }
        }
        self.look_again(at);
    }

    /// Lets other branches ask anew, if they stand at a question where a round could come back. The named numbers may have changed what
    /// players can take there.
    fn look_again(&mut self, named: u16) {
        let (program, control) = (self.program, &mut self.state.control);
        let mut stand = |at: u16| {
            let stood = control.cycle.iter_mut().flat_map(|cycle| &mut Arc::make_mut(cycle).stood);
            stood.filter(|stood| stood.at == at).for_each(|stood| stood.again = true);
        };
        stand(named);
        let level = control.level;
        for (at, branch) in (0_u16..).zip(&mut control.branches).filter(|(_, branch)| branch.level == level) {
            let Doing::Ask(question @ Question { answer: None, .. }) = branch.doing else { continue };
            let to = match question.then {
                Then::Repeat(pc) => pc,
                Then::May(_) | Then::Try(_) | Then::Offer(_) => branch.now(),
                Then::Store { .. } if program.choices.get(question.choice).is_some_and(can_be_nothing) => branch.now(),
                _ => continue,
            };
            branch.lists.truncate(question.start as usize);
            jump(branch, to);
            branch.doing = Doing::Run;
            stand(at);
        }
    }

    /// Notes an answer that a player has given.
    pub(crate) fn note_answer(&mut self, at: usize, question: &Question, (start, len): (u32, u16)) {
        // A trial run notices no rounds. It needs the answers only for the things that players may not take again.
        if self.trial.is_some() && self.state.control.cycle.as_ref().is_none_or(|cycle| cycle.barred.is_empty()) {
            return;
        }
        self.forget_forced(at);
        if self.program.policies.optional_loops.is_none() || matches!(question.then, Then::Repeat(_)) || self.scratch.repeats {
            return;
        }
        // A replacement is a step of the effect's card, not of the ability around it.
        let replacing = if let Then::Replace(number) = question.then { self.source_of(number) } else { Value::Undefined };
        let State { control, .. } = &mut *self.state;
        let Some(branch) = control.branches.get(at) else { return };
        let Some(cycle) = control.cycle.as_mut().map(Arc::make_mut) else { return };
        let of = |start: u32, len: u16| listed(&branch.lists, start, len);
        // For an offer, `taken` says which way to act it is. The way may lie anywhere in the list, or the offer may have no list.
        let is_offer = matches!(question.then, Then::Offer(_));
        let picks = if is_offer { Vec::new() } else { places_of_answer(branch, question, (start, len)) };
        let given = Given::of(&picks, of(start, len));
        let taken = match (question.then, of(start, len).first()) {
            (Then::Offer(_), Some(play)) => taken(branch, *play),
            (Then::Offer(_), None) if self.program.policies.passes_repeat => Some(Taken::Pass(question.choice, question.player)),
            (Then::May(_) | Then::Try(_), Some(Value::Bool(true))) => {
                Some(Taken::Step(question.choice, source_of(branch), question.player))
            }
            (Then::Replace(_), Some(Value::Bool(true))) => Some(Taken::Step(question.choice, replacing, question.player)),
            // A player who declines has let the round go on, like a player who passes.
            (Then::May(_) | Then::Try(_) | Then::Replace(_), Some(Value::Bool(false))) if self.program.policies.passes_repeat => {
                Some(Taken::Pass(question.choice, question.player))
            }
            (Then::Store { .. }, Some(chosen)) if self.program.choices.get(question.choice).is_some_and(can_be_nothing) => {
                Some(Taken::Chosen(question.choice, source_of(branch), *chosen, question.player))
            }
            _ => None,
        };
        if let Some(taken) = taken.filter(|taken| !self.program.policies.barred_where_begun && !taken.is_pass()) {
            set_free(cycle, &taken);
        }
        let chosen = match (question.then, of(start, len)) {
            (Then::Store { .. }, [chosen @ Value::Object { .. }])
                if question.len > 1 && self.program.choices.get(question.choice).is_some_and(must_be_one) =>
            {
                Some(Taken::Chosen(question.choice, source_of(branch), *chosen, question.player))
            }
            // The player takes back a use instead of paying.
            (Then::Store { .. }, []) if question.backs_out => {
                Some(Taken::Chosen(question.choice, source_of(branch), Value::Undefined, question.player))
            }
            _ => None,
        };
        if !cycle.offers.is_empty() {
            let pc = branch.now();
            let own = |position: &&OfferPosition| position.pc == pc && usize::from(position.at) == at;
            let seen = cycle.offers.iter().rfind(own).map_or_else(Fingerprint::default, |position| position.lies);
            cycle.answers.push(Answered { player: question.player, choice: question.choice, given, taken, seen, chosen, undone: false });
        }
    }

    /// Called when a player can do only one thing. It is not noted as an answer, but it sets the player free like an answer.
    pub(crate) fn note_forced(&mut self, branch: &Branch, start: u32) {
        if self.trial.is_none()
            && !self.program.policies.barred_where_begun
            && let Some(cycle) = self.state.control.cycle_mut()
            && let Some(taken) = branch.lists.get(start as usize).and_then(|play| taken(branch, *play))
        {
            set_free(cycle, &taken);
        }
    }

    /// Called when a way to act that was taken is over. If it has been carried out, the bars that it lifted end; otherwise they hold again.
    pub(crate) fn way_is_over(&mut self, option: OptionId, done: bool) {
        if self.trial.is_none()
            && self.state.control.cycle.as_ref().is_some_and(|cycle| cycle.barred.iter().any(|barred| barred.lifted == Some(option)))
            && let Some(cycle) = self.state.control.cycle_mut()
        {
            let lifted = |barred: &Barred| barred.lifted == Some(option);
            if done {
                cycle.barred.retain(|barred| !lifted(barred));
            } else {
                cycle.barred.iter_mut().filter(|barred| lifted(barred)).for_each(|barred| barred.lifted = None);
            }
        }
    }

    /// Called when the flow leaves everything that goes on. A way to act inside of it has been taken, so the bars that it lifted end.
    pub(crate) fn lifted_bars_end(&mut self) {
        let lifts = |cycle: &Cycle| cycle.barred.iter().any(|barred| barred.lifted.is_some());
        if self.trial.is_none()
            && self.state.control.cycle.as_deref().is_some_and(lifts)
            && let Some(cycle) = self.state.control.cycle_mut()
        {
            cycle.barred.retain(|barred| barred.lifted.is_none());
        }
    }

    /// The things that players may not take now, because they have repeated them as often as they named.
    pub(super) fn barred_things(&self) -> impl Iterator<Item = &Taken> {
        barred(self.state, self.trial.is_some())
    }

    /// Whether anything is barred now for some player.
    pub(crate) fn is_any_barred(&self) -> bool {
        self.barred_things().next().is_some()
    }

    /// Whether a player may not take this way to act now, because the player has repeated it as often as named.
    pub(crate) fn is_barred(&self, player: Player, option: OptionId, row: &Row) -> bool {
        bars(self.barred_things(), player, option, row)
    }

    /// Whether a player may not pass or decline now, because the player let a round go on by doing so. The player then has to do something
    /// else.
    pub(crate) fn is_pass_barred(&self, choice: ChoiceId, player: Player) -> bool {
        let passed = Taken::Pass(choice, self.state.board.decider(player));
        self.program.policies.passes_repeat && self.barred_things().any(|barred| barred.is_the_same(&passed))
    }

    /// Whether a player may not take up this optional step now, because the player has repeated it as often as named.
    pub(crate) fn is_step_barred(&self, branch: &Branch, choice: ChoiceId, player: Player) -> bool {
        self.is_step_of_barred(source_of(branch), choice, player)
    }

    /// Whether a player may not let this effect replace anything now, for the same reason.
    pub(crate) fn is_replacement_barred(&self, number: u32, choice: ChoiceId, player: Player) -> bool {
        self.is_step_of_barred(self.source_of(number), choice, player)
    }

    fn is_step_of_barred(&self, source: Value, choice: ChoiceId, player: Player) -> bool {
        let step = Taken::Step(choice, source, self.state.board.decider(player));
        self.trial.is_none() && self.barred_things().any(|barred| step.is_the_same(barred))
    }

    /// Removes the barred members from the domain of a choice that may take nothing. Returns how many members are left.
    pub(crate) fn without_barred(&self, branch: &mut Branch, (choice, player): (ChoiceId, Player), (start, len): (u32, u16)) -> u16 {
        if self.program.policies.optional_loops.is_none() || self.trial.is_some() {
            return len;
        }
        let is_barred = |branch: &Branch, member: Value| is_chosen_barred(self.program, self.state, branch, (choice, player), member);
        let domain = branch.lists.split_off(start as usize);
        let left: Vec<Value> = domain.into_iter().take(usize::from(len)).filter(|member| !is_barred(branch, *member)).collect();
        branch.lists.extend(left);
        (branch.lists.len() - start as usize) as u16
    }

    /// Removes from the domain of a choice that must be made the members that were chosen there when a round was repeated. If no other
    /// member is left, the whole domain stays. Returns how many members are left.
    pub(crate) fn without_rounds(&self, branch: &mut Branch, (choice, player): (ChoiceId, Player), (start, len): (u32, u16)) -> u16 {
        let Some(cycle) = self.state.control.cycle.as_ref().filter(|cycle| cycle.left == 0 && self.trial.is_none()) else { return len };
        let behind: Vec<Taken> = cycle
            .barred
            .iter()
            .filter(|barred| barred.lifted.is_none() && comes_behind(cycle, barred))
            .map(|barred| barred.taken)
            .collect();
        if behind.is_empty() {
            return len;
        }
        let source = source_of(branch);
        let domain = listed(&branch.lists, start, len);
        let is_barred = |member: &Value| {
            let taken = Taken::Chosen(choice, source, *member, player);
            behind.iter().any(|barred| barred.is_the_same(&taken))
        };
        let left: Vec<Value> = domain.iter().filter(|member| !is_barred(member)).copied().collect();
        if left.is_empty() {
            return len;
        }
        branch.lists.truncate(start as usize);
        branch.lists.extend(left);
        (branch.lists.len() - start as usize) as u16
    }

    /// Answers the open questions as in the round that is being repeated. Returns `false` if the repetition is over, or if the questions or
    /// their legal answers are different now.
    pub(crate) fn repeats(&mut self) -> bool {
        let control = &self.state.control;
        let Some(cycle) = control.cycle.as_ref().filter(|cycle| cycle.left > 0 && self.trial.is_none()) else { return false };
        let mut next = usize::from(cycle.at);
        if next == 0 && self.scratch.around.is_some() && !self.sees_round() {
            return false;
        }
        let control = &self.state.control;
        let Some(cycle) = control.cycle.as_ref() else { return false };
        let (mut given, mut offered) = (Vec::new(), Vec::new());
        for (at, branch) in control.branches.iter().enumerate() {
            let Doing::Ask(question) = &branch.doing else { continue };
            if !question.open || question.answer.is_some() {
                continue;
            }
            let answer = cycle.round.get(next).filter(|answer| answer.player == question.player && answer.choice == question.choice);
            let same = answer.and_then(|answer| again(branch, question, answer));
            let is_legal = |same: &Given| match same {
                Given::Picks(picks) => check_answer(self.program, self.state, branch, picks).is_ok(),
                Given::Number(number) => check_number(self.program, self.state, branch, *number).is_ok(),
            };
            let Some(same) = same.filter(is_legal) else {
                given.clear();
                break;
            };
            given.push((at, same));
            offered.push(question.len);
            next += 1;
        }
        let goes_on = !given.is_empty();
        self.note_offered(offered);
        for (at, same) in given {
            let Some(branch) = self.state.control.branches.get_mut(at) else { continue };
            match same {
                Given::Picks(picks) => crate::legal::attempt::give(branch, &picks),
                Given::Number(number) => give_number(branch, number as i32),
            }
        }
        let Some(cycle) = self.state.control.cycle_mut() else { return false };
        if !goes_on {
            cycle.left = 0;
            return false;
        }
        cycle.at = next as u16;
        if next >= cycle.round.len() {
            (cycle.at, cycle.left) = (0, cycle.left - 1);
        } else if cycle.left == 1 && cycle.stop.is_some_and(|stop| next >= usize::from(stop)) {
            (cycle.at, cycle.left) = (0, 0);
        }
        self.scratch.repeats = true;
        self.resume();
        self.scratch.repeats = false;
        true
    }
}

/// Makes a round of the answers since a position that has come back. The players who took something in it will be asked for numbers, in
/// seat order from `first` on.
fn begin_round(cycle: &mut Cycle, from: usize, first: Player, players: u8) {
    cycle.round = cycle.answers.split_off(from.min(cycle.answers.len()));
    cycle.answers.clear();
    cycle.offers.clear();
    cycle.named.clear();
    let took = |player: &Player| cycle.round.iter().filter_map(Answered::takes).any(|taken| taken.by() == Some(*player));
    let seats = (0..players).map(|at| Player((first.0 + at) % players.max(1)));
    cycle.asked = seats.filter(took).collect();
}

/// Decides whose passes count in a round. If all have passed, all passes count. If somebody has acted, only the acts count. With `beside`,
/// the passes of players who did not act count too.
fn leave_out_passes(answers: &mut [Answered], beside: bool) {
    let acts = answers.iter().filter_map(Answered::takes).filter(|taken| !taken.is_pass());
    let acting: Vec<Option<Player>> = acts.map(|taken| taken.by()).collect();
    let is_left_out = |taken: &Taken| taken.is_pass() && !acting.is_empty() && (!beside || acting.contains(&taken.by()));
    for answer in answers {
        answer.taken = answer.taken.filter(|taken| !is_left_out(taken));
    }
}

fn keep_position(cycle: &mut Cycle, mut position: OfferPosition) {
    if cycle.offers.len() >= OFFER_POSITIONS {
        cycle.offers.clear();
        cycle.answers.clear();
        position.answers = 0;
    }
    cycle.offers.push(position);
}

/// Lifts the bar of a player who takes something outside of the repeated round. The player may then take the repeated things again. A way
/// to act that fails has not been taken (see [`Run::way_is_over`]).
fn set_free(cycle: &mut Cycle, taken: &Taken) {
    if cycle.barred.iter().any(|barred| barred.taken.is_the_same(taken)) {
        return;
    }
    match taken {
        Taken::Option(option, ..) => {
            let own = cycle.barred.iter_mut().filter(|barred| barred.taken.by() == taken.by() && barred.lifted.is_none());
            own.for_each(|barred| barred.lifted = Some(*option));
        }
        _ => cycle.barred.retain(|barred| barred.taken.by() != taken.by() || barred.lifted.is_some()),
    }
}

/// Bars the first thing that a player took in the noticed round. Later things that the player took are noted as parts of the round, so
/// taking them does not set the player free. `only_there`: barred only in the position in which the player took it. `once`: only until the
/// player has done something else there.
fn bar(cycle: &mut Cycle, player: Player, only_there: bool, once: bool) {
    if let Some(barred) = last_choice(cycle, player).filter(|_| only_there) {
        return keep_barred(cycle, vec![barred]);
    }
    let parts = cycle.round.iter().filter_map(|answer| Some((answer.taken.filter(|taken| taken.by() == Some(player))?, answer)));
    let mut first = true;
    let mut all: Vec<Barred> = Vec::new();
    for (taken, answer) in parts {
        // A pass is barred only in its own position: a player has to act only where the pass let the round go on.
        let there = only_there || taken.is_pass();
        let begins = first && !answer.undone;
        all.push(Barred {
            taken,
            first: begins,
            only_at: there.then_some(answer.seen),
            behind: Vec::new(),
            once: once.then_some(false),
            lifted: None,
        });
        first &= answer.undone;
    }
    // With `only_there` nothing sets the player free. So the later parts of the round need not be known.
    all.retain(|barred| barred.first || !only_there);
    keep_barred(cycle, all);
}

/// The last choice that a player had to make in the round, with the answers before it. If the player chooses another member there, the game
/// goes elsewhere.
fn last_choice(cycle: &Cycle, player: Player) -> Option<Barred> {
    let at =
        cycle.round.iter().rposition(|answer| answer.player == player && answer.chosen.is_some_and(|chosen| !chosen.is_taking_back()))?;
    let (before, behind) = (cycle.round.get(..at)?, cycle.round.get(at..)?);
    let acts = before.iter().any(|answer| answer.takes().is_some_and(|taken| taken.by() == Some(player) && !taken.is_pass()));
    let taken = behind.first()?.chosen.filter(|_| acts)?;
    Some(Barred { taken, first: true, only_at: None, behind: before.to_vec(), once: None, lifted: None })
}

/// The index in the round of the first thing that a player took.
fn place_in_round(cycle: &Cycle, player: Player) -> Option<u16> {
    let takes = |answer: &Answered| answer.takes().is_some_and(|taken| taken.by() == Some(player));
    cycle.round.iter().position(takes).and_then(|at| u16::try_from(at).ok())
}

/// Whether something stays barred when the game comes to the position `lies`. A thing that is barred once stays barred until the game has
/// been in its position and comes to another.
fn is_still_barred(barred: &mut Barred, lies: Fingerprint) -> bool {
    let is_there = barred.only_at == Some(lies);
    let is_over = barred.once == Some(true) && !is_there;
    if barred.once.is_some() && is_there {
        barred.once = Some(true);
    }
    !is_over
}

fn keep_barred(cycle: &mut Cycle, mut all: Vec<Barred>) {
    all.retain(|barred| !cycle.barred.contains(barred));
    cycle.barred.extend(all);
    let many = cycle.barred.len().saturating_sub(OFFER_POSITIONS);
    cycle.barred.drain(..many);
}

/// Whether a player may not take this way to act now, because the player has repeated it as often as named.
pub(crate) fn bars_option(state: &State, player: Player, option: OptionId, row: &Row) -> bool {
    bars(barred(state, false), player, option, row)
}

fn bars<'t>(mut barred: impl Iterator<Item = &'t Taken>, player: Player, option: OptionId, row: &Row) -> bool {
    let same = |barred: &Taken| matches!(barred, Taken::Option(of, what, _) if *of == option && is_alike(what, row));
    barred.any(|barred| barred.by() == Some(player) && same(barred))
}

/// The things that players may not take now, because they have repeated them as often as they named. In a trial run, things that are barred
/// in one position only do not count.
fn barred(state: &State, trial: bool) -> impl Iterator<Item = &Taken> {
    let cycle = state.control.cycle.as_ref().filter(|cycle| cycle.left == 0);
    let here = move |cycle: &Cycle, barred: &Barred| barred.only_at.is_none_or(|at| at == cycle.here && !trial);
    let barred = cycle.into_iter().flat_map(move |cycle| {
        let acts = cycle.barred.iter().filter(|barred| barred.first && barred.behind.is_empty() && barred.lifted.is_none());
        acts.filter(move |barred| here(cycle, barred))
    });
    barred.map(|barred| &barred.taken)
}

/// Whether a member may not be chosen now, in a choice that may take nothing, because the player has repeated this choice as often as
/// named.
pub(crate) fn is_chosen_barred(
    program: &Program,
    state: &State,
    branch: &Branch,
    (choice, player): (ChoiceId, Player),
    member: Value,
) -> bool {
    if program.policies.optional_loops.is_none() || !program.choices.get(choice).is_some_and(can_be_nothing) {
        return false;
    }
    let taken = Taken::Chosen(choice, source_of(branch), member, player);
    barred(state, false).any(|barred| barred.is_the_same(&taken))
}

/// Whether a choice may take nothing and is not blind.
pub(crate) fn can_be_nothing(def: &ChoiceDef) -> bool {
    (def.or_none || def.min == AmountDef::Fixed(0)) && def.manner != MannerDef::Blindly
}
