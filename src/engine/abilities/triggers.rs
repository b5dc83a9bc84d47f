//! Finds the abilities that begin to wait because their event has happened or their condition has become true. Also decides whether a
//! waiting ability may still be performed.
//!
//! Abilities hear of a batch at its end, not card by card: cards that come or go together see themselves and one another. The triggers
//! before a move are looked for only if the program has a trigger that looks back (`looks: before`).

use crate::actions::perform::Args;
use crate::eval::Eval;
use crate::eval::watch::{Bound, Happening};
use crate::fault::{Fault, broken};
use crate::ids::{AbilityId, ClauseId, NodeId, PatternId, RoutineId, TextId};
use crate::limits::{WORK_OF_A_CONDITION, WORK_OF_A_LOOK};
use crate::program::{Builtin, ClauseKind, Looks, Program};
use crate::run::Run;
use crate::state::board::zone_of;
use crate::state::readings;
use crate::state::{Branch, Cause, Effect, Holds, Pending, State, Together, Waits};
use crate::steps::{Observer, Step, Why};
use crate::value::{Few, ObjectId, Player, Value};
use smallvec::{SmallVec, smallvec};
use std::collections::VecDeque;
use std::sync::Arc;

/// The moves of a batch that some ability may wait for. They are told when all moves of the batch are over.
#[derive(Debug, Default)]
pub struct Batch {
    /// Whether a batch is being made.
    pub open: bool,
    /// The triggers before the batch, with their controllers, if some trigger looks back.
    pub before: Vec<(Effect, Player)>,
    /// Whether a moving card has a trigger for moves. The trigger may begin to work where the card arrives, so every move of the batch is
    /// told.
    pub hears: bool,
    /// Moves that are not made, because other branches move the cards.
    pub lost: Vec<crate::actions::contested::Lost>,
    /// The events of the batch: their arguments, their causes, their places in history.
    pub moved: Vec<(Args, Cause, Option<u32>)>,
}

/// An ability that is about to begin to wait.
struct Triggered {
    effect: u32,
    clause: ClauseId,
    holds: Holds,
    once: bool,
    body: RoutineId,
    source: Value,
    you: Player,
    captures: Few,
    lists: Few,
    event: Option<u32>,
    /// The card before the move that was the event, if the ability is of this card.
    was: Value,
    /// How many moves of the batch were told after the event.
    later: u16,
    /// The pattern, if it gathers all events that happen together, and the values of its names.
    gathers: Option<(PatternId, Bound)>,
    /// Whether the player who hears does not control the card.
    by_other: bool,
}

impl Triggered {
    fn of(effect: &Effect, you: Player, body: RoutineId, once: bool) -> Self {
        let (captures, lists) = (effect.captures.clone(), effect.lists.clone());
        let (number, clause, source) = (effect.number, effect.clause, effect.source);
        let (event, was, later, gathers, by_other) = (None, Value::Undefined, 0, None, false);
        Self { effect: number, clause, holds: effect.holds, once, body, source, you, captures, lists, event, was, later, gathers, by_other }
    }

    /// An ability whose event has happened, with the values that the pattern bound.
    fn by(program: &Program, effect: &Effect, you: Player, what: (RoutineId, bool), (pattern, bound): (PatternId, Bound)) -> Self {
        let mut triggered = Self::of(effect, you, what.0, what.1);
        let Some(def) = program.patterns.get(pattern) else { return triggered };
        if def.gathers.is_some() {
            triggered.gathers = Some((pattern, bound));
        } else {
            triggered.captures.extend(bound.registers(def, 0));
        }
        triggered
    }

    /// Adds the values of the pattern's names, and everything that the pattern gathered.
    fn with_all(mut self, program: &Program, pattern: PatternId, bound: &Bound) -> Self {
        self.captures.extend(program.patterns.get(pattern).into_iter().flat_map(|def| bound.registers(def, self.lists.len())));
        self.lists.extend_from_slice(&bound.members);
        self
    }

    /// Whether an effect is the same clause of the same card, in any life of the card. `hearer`: the player who hears, if the game's policy
    /// names the hearers.
    fn is_the_same(&self, effect: &Effect, hearer: Option<Player>) -> bool {
        let card = |value: Value| if let Value::Object { id, .. } = value { Some(id) } else { None };
        self.clause == effect.clause
            && hearer.is_none_or(|hearer| hearer == self.you)
            && (self.effect == effect.number || card(self.source).is_some() && card(self.source) == card(effect.source))
    }

    /// Adds the gathered members of another event that happens at the same time.
    fn join(&mut self, other: &Triggered) {
        if let (Some((_, bound)), Some((_, more))) = (&mut self.gathers, &other.gathers) {
            add(&mut bound.members, &more.members);
        }
    }

    fn ability(&self) -> Option<AbilityId> {
        match self.holds {
            Holds::Static(ability) | Holds::Granted(ability, _) => Some(ability),
            Holds::Lasting(_) | Holds::Rule(_) => None,
        }
    }
}

/// The card of an ability that hears of its own move, if the event has the card as it was before. Both lives count as one card for the
/// ability.
fn as_moved(source: Value, moved: Value) -> Option<ObjectId> {
    match (source, moved) {
        (Value::Object { id, life }, Value::Object { id: of, life: was }) if id == of && was != life => Some(id),
        _ => None,
    }
}

impl<O: Observer> Run<'_, O> {
    /// Lets the abilities wait whose event has happened. `event` is the place of the event in history.
    pub(crate) fn trigger(&mut self, branch: &Branch, at: u16, what: Happening<'_>, event: Option<u32>) {
        self.trigger_from(branch, at, what, event, 0);
    }

    /// Lets abilities wait whose event has happened, only for effects with the number `from` or a later one.
    pub(super) fn trigger_from(&mut self, branch: &Branch, at: u16, what: Happening<'_>, event: Option<u32>, from: u32) {
        let mut found = Vec::new();
        self.state.effects.count_walk(WORK_OF_A_LOOK);
        {
            let mut eval = self.eval(branch);
            for effect in self.state.effects.in_force.iter().filter(|effect| effect.number >= from) {
                let Some(clause) = self.program.clauses.get(effect.clause) else { continue };
                let ClauseKind::When { pattern, body, once } = clause.kind else { continue };
                if !eval.looks_out(effect, effect.clause, pattern, what) {
                    continue;
                }
                let you = eval.you_of(effect);
                self.state.effects.asked.work.add(WORK_OF_A_CONDITION);
                for hearer in self.hearers(&eval, effect, you) {
                    let Some(bound) = eval.inside_for(effect, hearer).bound_apart(pattern, what) else { continue };
                    if self.has_waited(effect, hearer) {
                        continue;
                    }
                    let triggered = Triggered::by(self.program, effect, hearer, (body, once), (pattern, bound));
                    found.push(Triggered { by_other: hearer != you, ..triggered });
                }
            }
        }
        for triggered in found {
            self.begin_to_wait(branch, at, Triggered { event, ..triggered });
        }
    }

    /// Notes the triggers for moves that are active before a batch, if the program has triggers that look back.
    pub(crate) fn look_back(&mut self, branch: &Branch) {
        if !self.plan.looks_back || !self.watched(Builtin::Move.verb()) {
            return;
        }
        let moves = |pattern| {
            let pattern = self.program.patterns.get(pattern);
            pattern.is_some_and(|pattern| pattern.events.iter().any(|event| event.verb == Builtin::Move.verb()))
        };
        self.state.effects.count_walk(WORK_OF_A_LOOK);
        let mut eval = self.eval(branch);
        let mut before = Vec::new();
        for effect in &self.state.effects.in_force {
            let Some(ClauseKind::When { pattern, .. }) = self.program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                continue;
            };
            if moves(*pattern) && eval.is_active(effect, effect.clause) {
                before.push((Effect::clone(effect), eval.you_of(effect)));
            }
        }
        self.scratch.batch.before = before;
    }

    /// The player who hears of an event, as a part of what is remembered of the event. `None` in a game in which the controller alone hears.
    fn hearer(&self, you: Player) -> Option<Player> {
        (self.program.policies.heard_by != NodeId::NONE).then_some(you)
    }

    /// Lets abilities wait after all moves of a batch. Each ability hears of all moves, even if its own card moved too. `touched`: the places
    /// that the batch has touched (see [`Run::touches`]). Gives whether effects were settled after the batch.
    pub(crate) fn hear_moves(&mut self, branch: &Branch, at: u16, touched: crate::bits::Spots) -> bool {
        if self.scratch.batch.moved.is_empty() {
            self.scratch.batch.before.clear();
            return false;
        }
        // The moved cards are read with the effects that apply in their new places.
        self.settle_effects(touched);
        let mut batch = std::mem::take(&mut self.scratch.batch);
        let mut gathered: Vec<Triggered> = Vec::new();
        for (number, (args, cause, event)) in batch.moved.iter().enumerate() {
            let mut joined = Vec::new();
            let what = Happening { verb: Builtin::Move.verb(), args, lists: &[], cause: *cause };
            let row = self.row_of(args).and_then(|row| row.heard).unwrap_or(self.program.policies.looks);
            let mut found = Vec::new();
            self.state.effects.count_walk(WORK_OF_A_LOOK);
            let mut eval = self.eval(branch);
            let after = self.state.effects.in_force.iter().map(|effect| (effect.as_ref(), None));
            let before = batch.before.iter().map(|(effect, you)| (effect, Some(*you)));
            for (effect, back) in after.chain(before) {
                let Some(ClauseKind::When { pattern, body, once }) = self.program.clauses.get(effect.clause).map(|clause| &clause.kind)
                else {
                    continue;
                };
                let own = self.looks_of(effect);
                let side = if back.is_some() { Looks::Before } else { Looks::After };
                let hears = own.unwrap_or(row);
                if hears != side && hears != Looks::Both {
                    continue;
                }
                let seen = as_looked_at(what.args, own, self.state);
                let what = Happening { args: &seen, ..what };
                if back.is_none() && !eval.looks_out(effect, effect.clause, *pattern, what) {
                    continue;
                }
                let you = back.unwrap_or_else(|| eval.you_of(effect));
                self.state.effects.asked.work.add(WORK_OF_A_CONDITION);
                for hearer in self.hearers(&eval, effect, you) {
                    let looks_back = back.is_some() && hearer == you;
                    let mut inside = if looks_back { eval.inside(effect) } else { eval.inside_for(effect, hearer) };
                    inside.one_card = as_moved(effect.source, what.args[0]);
                    let Some(bound) = inside.bound_apart(*pattern, what) else { continue };
                    // A trigger that is active before and after the batch waits only once.
                    let is_it = |known: &Triggered| known.is_the_same(effect, self.hearer(hearer));
                    if self.has_waited(effect, hearer) || found.iter().any(is_it) {
                        continue;
                    }
                    let was = life_before(effect.source, args);
                    let triggered = Triggered::by(self.program, effect, hearer, (*body, *once), (*pattern, bound));
                    let (later, by_other) = ((batch.moved.len() - 1 - number) as u16, hearer != you);
                    let triggered = Triggered { event: *event, was, later, by_other, ..triggered };
                    if triggered.gathers.is_none() {
                        found.push(triggered);
                        continue;
                    }
                    match gathered.iter().position(is_it) {
                        Some(known) if joined.contains(&known) => {}
                        Some(known) => {
                            gathered.get_mut(known).into_iter().for_each(|known| known.join(&triggered));
                            joined.push(known);
                        }
                        None => {
                            joined.push(gathered.len());
                            gathered.push(triggered);
                        }
                    }
                }
            }
            found.sort_by_key(|triggered| triggered.effect);
            for triggered in found {
                self.begin_to_wait(branch, at, triggered);
            }
        }
        gathered.sort_by_key(|triggered| triggered.effect);
        for triggered in gathered {
            self.begin_to_wait(branch, at, triggered);
        }
        // The allocated memory is used again.
        batch.moved.clear();
        batch.before.clear();
        (self.scratch.batch.moved, self.scratch.batch.before) = (batch.moved, batch.before);
        true
    }

    /// The row of `moves` for a move.
    fn row_of(&self, args: &Args) -> Option<&crate::program::Carry> {
        let [_, Value::Zone(to), _, _, Value::Zone(from), _] = *args else { return None };
        self.program.moves.carry(zone_of(self.program, from).0, zone_of(self.program, to).0)
    }

    /// The side of a move at which a trigger looks, if its ability says so.
    fn looks_of(&self, effect: &Effect) -> Option<Looks> {
        let (Holds::Static(ability) | Holds::Granted(ability, _)) = effect.holds else { return None };
        self.program.abilities.get(ability).and_then(|ability| ability.looks)
    }

    /// The players who hear of an event by a triggered ability: its controller, or those whom the game's policy names (`heard_by`).
    fn hearers(&self, eval: &Eval<'_>, effect: &Effect, you: Player) -> SmallVec<[Player; 2]> {
        let by = self.program.policies.heard_by;
        let (Holds::Static(ability) | Holds::Granted(ability, _), Value::Object { id, life }) = (effect.holds, effect.source) else {
            return smallvec![you];
        };
        if by == NodeId::NONE {
            return smallvec![you];
        }
        let locals = [Value::Ability { of: id, ability, life: life as u16 }, effect.source, Value::Player(you)];
        let mut among = Eval::new(self.program, self.state, &locals, &[], you, effect.source);
        among.carry_on(eval);
        among.members(by).iter().filter_map(|member| member.player()).collect()
    }

    /// Whether an ability that waits only once has already waited for a player: since the mark that the emitted event names, or for this
    /// batch.
    fn has_waited(&self, effect: &Effect, you: Player) -> bool {
        let together = &self.state.events.together;
        let whose = self.hearer(you);
        if together.iter().any(|known| known.is_of(effect.clause, effect.source, whose) && known.members.is_empty()) {
            return true;
        }
        let since = self.once;
        since != TextId::NONE
            && self
                .state
                .events
                .once
                .iter()
                .any(|(mark, clause, source)| *mark == since && *clause == effect.clause && *source == effect.source)
    }

    /// Lets an ability wait whose trigger is no longer in force.
    pub(crate) fn begin_to_wait_by(
        &mut self,
        branch: &Branch,
        at: u16,
        effect: &Effect,
        you: Player,
        what: (RoutineId, bool),
        bound: (PatternId, Bound),
    ) {
        if !self.has_waited(effect, you) {
            let triggered = Triggered::by(self.program, effect, you, what, bound);
            self.begin_to_wait(branch, at, triggered);
        }
    }

    fn begin_to_wait(&mut self, branch: &Branch, at: u16, mut triggered: Triggered) {
        match triggered.gathers.take() {
            Some((pattern, bound)) => self.waits_for_all(branch, at, triggered, (pattern, bound)),
            None => _ = self.waits_from_now(branch, at, triggered, true),
        }
    }

    /// Lets an ability wait for all matching events that happen together. If the ability already waits for an earlier part of these events,
    /// this continues that waiting.
    fn waits_for_all(&mut self, branch: &Branch, at: u16, triggered: Triggered, (pattern, mut bound): (PatternId, Bound)) {
        let whose = self.hearer(triggered.you);
        let State { events, .. } = &mut *self.state;
        let waits = |known: &Together, pending: &VecDeque<Arc<Pending>>| {
            known.number.is_none_or(|number| pending.binary_search_by_key(&number, |pending| pending.number).is_ok())
        };
        let known = events.together.iter().position(|known| {
            known.is_of(triggered.clause, triggered.source, whose) && !known.members.is_empty() && waits(known, &events.pending)
        });
        let number = known.and_then(|known| events.together.get(known)).and_then(|known| known.number);
        // The effect waited for one occasion only, and has already been performed.
        let is_over = |known: &Together| known.ends == Some(triggered.effect) && !waits(known, &events.pending);
        if triggered.once && events.together.iter().any(is_over) {
            return;
        }
        if let Some(known) = known.and_then(|known| events.together.get(known)) {
            let new = std::mem::replace(&mut bound.members, known.members.clone());
            add(&mut bound.members, &new);
        }
        let known = known.unwrap_or_else(|| {
            events.together.push(Together {
                clause: triggered.clause,
                source: triggered.source,
                whose,
                members: Vec::new(),
                number: None,
                ends: None,
            });
            events.together.len() - 1
        });
        if let Some(known) = events.together.get_mut(known) {
            known.members.clone_from(&bound.members);
        }
        let Some(def) = self.program.patterns.get(pattern) else { return broken(Fault::Row) };
        let mut eval = Eval::new(self.program, self.state, &triggered.captures, &triggered.lists, triggered.you, triggered.source);
        let holds = eval.holds_for(def, &bound);
        let begins = triggered.with_all(self.program, pattern, &bound);
        let ends = Some(begins.effect).filter(|_| begins.once);
        let number = match number {
            Some(number) if holds => {
                if let Some(pending) = self.state.events.waiting_mut(number) {
                    (pending.captures, pending.lists) = (begins.captures, begins.lists);
                }
                return;
            }
            // The condition is no longer true when all events are taken together, although it was true for a part of them.
            Some(number) => {
                self.tell(branch.now(), branch.frames.len(), at, &[], || Step::Dropped(number));
                self.state.events.take(number);
                self.settle_abilities();
                self.hide_what_waited(branch);
                if self.program.policies.limit_at_trigger {
                    self.give_back_use(begins.source, begins.ability(), begins.you);
                }
                None
            }
            None if holds => self.waits_from_now(branch, at, begins, false),
            None => None,
        };
        if let Some(known) = self.state.events.together.get_mut(known) {
            (known.number, known.ends) = (number, ends.filter(|_| number.is_some()));
        }
    }

    /// Lets an ability begin to wait, if it has a use left. Gives its number. `together`: the ability may be one that waits once for a
    /// batch.
    fn waits_from_now(&mut self, branch: &Branch, at: u16, triggered: Triggered, together: bool) -> Option<u32> {
        if self.once != TextId::NONE {
            self.state.events.once.push((self.once, triggered.clause, triggered.source));
        }
        let ability = triggered.ability();
        let def = ability.and_then(|ability| self.program.abilities.get(ability));
        if together && def.is_some_and(|ability| ability.once_for_a_batch) {
            let (clause, source) = (triggered.clause, triggered.source);
            let whose = self.hearer(triggered.you);
            self.state.events.together.push(Together { clause, source, whose, members: Vec::new(), number: None, ends: None });
        }
        if self.program.policies.limit_at_trigger && !self.take_use(triggered.source, ability, triggered.you) {
            if let (Some(ability), Value::Object { id, life }) = (ability, triggered.source) {
                let ability = Value::Ability { of: id, ability, life: life as u16 };
                self.tell(branch.now(), branch.frames.len(), at, &[], || Step::NotUsed { ability, why: Why::UsedUp });
            }
            return None;
        }
        let kind = ability.map_or(self.program.automatic, |ability| {
            self.program.abilities.get(ability).map_or_else(Default::default, |ability| ability.kind)
        });
        if triggered.by_other {
            let pc = branch.now();
            self.tell_principle(crate::program::Principle::HeardByOthers, pc, branch.frames.len(), at);
        }
        let Triggered { effect, clause, once, body, source, you, captures, lists, event, was, later, .. } = triggered;
        let pending = Pending::new(Waits::Triggered(kind, clause), body, source, you);
        // A lasting effect keeps the card that it took when it began, except when it hears of this card's own move.
        let reads_after = self.program.routines.get(body).and_then(|def| def.after);
        let kept = was == Value::Undefined && reads_after.is_some_and(|reg| usize::from(reg.0) < captures.len());
        let after = if kept { Value::Undefined } else { self.left_there(body, source) };
        let before = self.was_before(body, source, was);
        let mut pending = Pending { ability, captures, lists, event, after, before, ..pending };
        pending.slots.resize(pending.fills(self.program).len(), Value::Undefined);
        let number = self.wait(branch, at, pending, later);
        if self.plan.ruled.is_all() {
            // Some rule watches more than zones, perhaps waiting abilities, so the rules must be checked.
            self.state.control.wrote = true;
        }
        if self.program.policies.hidden_are_shown {
            self.show_source(branch, at, source, number);
        }
        if once {
            self.tell_principle(crate::program::Principle::NextTime, branch.now(), branch.frames.len(), at);
            // An ability that gathers events waits for all events of its one occasion, so its effect does not end yet.
            if together {
                self.end_effect(branch, at, effect);
            }
        }
        Some(number)
    }

    /// Ends the effects that wait for one event, after all events that happen together have happened.
    pub(crate) fn end_of_one_time(&mut self) {
        let together = self.state.events.together.unnoted_mut();
        let ends: Vec<u32> = together.iter().filter_map(|together| together.ends).collect();
        together.clear();
        if ends.is_empty() {
            return;
        }
        readings::note_whole(readings::part::TOGETHER);
        for number in self.state.effects.end(self.program, |effect| ends.contains(&effect.number)) {
            self.tell_cited(Default::default(), crate::ids::Pc::NOWHERE, 0, 0, &[], || Step::EffectEnds(number));
        }
    }

    /// Ends an effect that waited for one event, which has happened.
    pub(crate) fn end_effect(&mut self, branch: &Branch, at: u16, effect: u32) {
        for number in self.state.effects.end(self.program, |other| other.number == effect) {
            self.tell_cited(Default::default(), crate::ids::Pc::NOWHERE, 0, at, &[], || Step::EffectEnds(number));
        }
        self.settle_after_end(branch, at);
    }

    /// Why a waiting ability is not performed when its turn comes. Some games drop abilities that the card has lost or that are disabled.
    /// If uses are counted at this moment, an ability without a use left is not performed either.
    pub(crate) fn is_not_performed(&mut self, branch: &Branch, pending: &Pending) -> Option<Why> {
        let why = self.eval(branch).not_there(pending);
        if why.is_some() {
            return why;
        }
        let counted = crate::abilities::usable::counts_when_performed(&self.program.policies, pending);
        (counted && !self.take_use(pending.source, pending.ability, pending.you)).then_some(Why::UsedUp)
    }

    /// Lets abilities wait whose condition has become true. Inside `atomically`, and while a position is being laid, nobody looks.
    #[inline]
    pub(crate) fn look_at_conditions(&mut self) {
        if self.state.effects.awaiting > 0 && self.state.control.holding == 0 && !self.state.control.laid {
            self.look_at_conditions_now();
        }
    }

    #[inline(never)]
    fn look_at_conditions_now(&mut self) {
        let mut found = Vec::new();
        self.state.effects.count_walk(WORK_OF_A_LOOK);
        self.state.effects.asked.work.add(usize::from(self.state.effects.awaiting) * WORK_OF_A_CONDITION);
        for at in 0..self.state.effects.in_force.len() {
            let Some(effect) = self.state.effects.in_force.get(at) else { break };
            let Some(ClauseKind::Whenever { condition, body }) = self.program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                continue;
            };
            let mut eval = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
            let holds = eval.is_active(effect, effect.clause) && eval.inside(effect).holds(*condition);
            if holds && !effect.was {
                found.push(Triggered::of(effect, eval.you_of(effect), *body, false));
            }
            let was = holds || effect.was && waits_again_when_resolved(self.program, effect);
            if let Some(effect) = self.state.effects.in_force.get_mut(at).filter(|effect| effect.was != was) {
                Arc::make_mut(effect).was = was;
            }
        }
        let nobody = Branch::default();
        for triggered in found {
            self.begin_to_wait(&nobody, 0, triggered);
        }
    }

    /// Lets state triggers wait again that have been performed or dropped, except those in `but`. Gives whether any ability began to wait.
    pub(crate) fn conditions_resolved(&mut self, but: &[(Value, ClauseId)]) -> bool {
        if self.state.effects.awaiting == 0 {
            return false;
        }
        let (program, next) = (self.program, self.state.events.next);
        let State { effects, events, .. } = &mut *self.state;
        effects.asked.work.add(usize::from(effects.awaiting) * (WORK_OF_A_LOOK + events.pending.unnoted().len()));
        let again = |effect: &Effect| effect.was && waits_again_when_resolved(program, effect);
        if !program.policies.state_until_resolved && !effects.in_force.iter().any(|effect| again(effect)) {
            return false;
        }
        for effect in effects.in_force.iter_mut().filter(|effect| again(effect)) {
            let waits = events.pending.iter().any(|pending| {
                pending.source == effect.source && matches!(pending.waits, Waits::Triggered(_, clause) if clause == effect.clause)
            });
            if !waits && !but.contains(&(effect.source, effect.clause)) {
                Arc::make_mut(effect).was = false;
            }
        }
        self.look_at_conditions_now();
        self.state.events.next != next
    }
}

/// Whether a state trigger may wait again after it was performed, although its condition did not become false in between. The ability says
/// so, or else the policy.
fn waits_again_when_resolved(program: &Program, effect: &Effect) -> bool {
    let (Holds::Static(ability) | Holds::Granted(ability, _)) = effect.holds else { return program.policies.state_until_resolved };
    let says = program.abilities.get(ability).and_then(|ability| ability.again_when_resolved);
    says.unwrap_or(program.policies.state_until_resolved)
}

/// Adds the members that are not yet there.
fn add(members: &mut Vec<Value>, more: &[Value]) {
    for member in more {
        if !members.contains(member) {
            members.push(*member);
        }
    }
}

/// The card of an ability as it was before this move, if it was this card that moved.
fn life_before(source: Value, args: &Args) -> Value {
    match (source, *args) {
        (Value::Object { id, .. }, [.., was @ Value::Object { id: moved, .. }]) if id == moved => was,
        _ => Value::Undefined,
    }
}

/// The arguments of a move for a trigger that looks at one side of the move: the card as it was before, or as it is now.
fn as_looked_at(args: &Args, looks: Option<Looks>, state: &State) -> Args {
    let mut seen = *args;
    let [card, .., was] = &mut seen;
    match (looks, *was) {
        (Some(Looks::Before), _) => *card = *was,
        (Some(Looks::After), Value::Object { id, .. }) => *card = state.board.reference(id),
        _ => {}
    }
    seen
}
