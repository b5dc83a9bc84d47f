//! Positions that come back: whether the flow goes round in a circle out of which no decision and no chance leads.
//!
//! Takes a branch that has run for long without a real decision; keeps what it looked like at one of its statements and compares
//! it when the flow comes there again, each time waiting twice as long before it takes another look (so any circle is found within some
//! rounds). What is compared is a projection: all that can influence a later statement. Deliberately absent: what follows, which the game says.

use super::board::zone_of;
use super::ids::{Pc, StateId};
use super::observe::Observer;
use super::plan::Plan;
use super::program::{Principle, Program, SamePositions, StateDef, Type};
use super::random::Generator;
use super::run::Run;
use super::state::{Branch, Change, Doing, Event, FailureKind, Outcome, Role, State, Until};
use super::value::{ObjectId, Place, Value};
use super::witnessed::Witnessed;
use std::hash::{Hash, Hasher};

/// What a position looked like at a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    pc: Pc,
    frames: usize,
    /// The statement after which another look is taken.
    until: u32,
    seen: u128,
    /// How often it has been compared, and when last: the more often, the longer until the next time, so that the looks cost little
    /// of a long run, and none of its rhythms hides a circle.
    compared: (u32, u32),
    /// As it stood, and how much was laid down instead of it: chance in between leads out of every circle.
    generator: (Generator, usize),
}

impl<O: Observer> Run<'_, O> {
    /// Looks at a branch that has run for long; whether it goes round in a circle, and the run is over.
    #[inline(never)]
    pub fn goes_round(&mut self, branch: &Branch, pc: Pc, steps: u32) -> bool {
        let frames = branch.frames.len();
        let laid_down = self.state.fixed_draws.len() + self.state.fixed_shuffles.len();
        match &mut self.scratch.look {
            Some(look) if steps < look.until => {
                let (times, last) = look.compared;
                if look.pc != pc
                    || look.frames != frames
                    || steps - last < times
                    || look.generator.0 != self.state.generator
                    || look.generator.1 != laid_down
                {
                    return false;
                }
                look.compared = (times + 1, steps);
                let seen = look.seen;
                if projection((self.program, self.plan), self.state, branch) != seen {
                    return false;
                }
                self.scratch.look = None;
                if self.program.policies.mandatory_loop_is_drawn {
                    self.tell_principle(Principle::CameBack, pc, frames, 0);
                    self.tell_principle(Principle::Circle, pc, frames, 0);
                    self.over(Outcome::Drawn);
                } else {
                    self.fail(FailureKind::Loop, pc);
                }
                true
            }
            _ => {
                let until = steps.saturating_mul(2);
                let seen = projection((self.program, self.plan), self.state, branch);
                let generator = (self.state.generator.clone(), laid_down);
                self.scratch.look = Some(Look { pc, frames, until, seen, compared: (0, steps), generator });
                false
            }
        }
    }
}

/// A number for all that can influence what comes: the board and what holds, with lives and numbers that only grow left out or counted from the
/// first; what waits; history as far as a question about it can tell; the branches.
pub fn projection((program, plan): (&Program, &Plan), state: &State, running: &Branch) -> u128 {
    let mut told = Told { program, plan, state, to: Fnv::default() };
    match program.policies.same_positions {
        SamePositions::CardsInZones => told.cards(false),
        SamePositions::CardsAsTheyLie => told.cards(true),
        SamePositions::Everything | SamePositions::TalliesApart => {
            told.board();
            if plan.asks_turn {
                state.board.turn.hash(&mut told.to);
            }
            told.effects();
            told.events();
        }
    }
    let control = &state.control;
    (control.level, control.judging, control.holding, control.losing, control.winning).hash(&mut told.to);
    for branch in &control.branches {
        told.branch(branch);
    }
    told.branch(running);
    told.to.0
}

struct Told<'s> {
    program: &'s Program,
    plan: &'s Plan,
    state: &'s State,
    to: Fnv,
}

impl Told<'_> {
    /// Which cards lie in which zones, where that means something in what order; how each of them lies, if that counts; what the zones of
    /// abilities hold.
    fn cards(&mut self, as_they_lie: bool) {
        let board = &self.state.board;
        for place in (0..board.zones.len()).map(|place| Place(place as u16)) {
            let mut cards = board.cards(place).to_vec();
            if !self.program.zones.get(zone_of(self.program, place).0).is_some_and(|zone| zone.ordered) {
                cards.sort_unstable();
            }
            cards.hash(&mut self.to);
            cards.into_iter().filter(|_| as_they_lie).for_each(|id| self.lies(id));
        }
        for pending in &self.state.events.pending {
            (pending.waits, pending.body, pending.you, pending.place).hash(&mut self.to);
            self.values(&[pending.source, pending.after], &[]);
        }
    }

    /// Its face, its place, what it is attached to, and its states but for numbers.
    fn lies(&mut self, id: ObjectId) {
        let board = &self.state.board;
        board.object(id).map(|object| (object.card, object.face_up)).hash(&mut self.to);
        if let Some(extra) = board.extra(id) {
            extra.slot.hash(&mut self.to);
            self.value(extra.host, &[]);
        }
        let first = usize::from(id.0) * self.program.states.len();
        let states = board.card_states.get(first..first + self.program.states.len()).unwrap_or(&[]);
        states.iter().filter(|value| value.number().is_none()).for_each(|value| self.value(*value, &[]));
    }

    fn board(&mut self) {
        let board = &self.state.board;
        for object in &board.objects {
            (object.card, object.owner, object.face_up, object.shown, object.place).hash(&mut self.to);
        }
        board.slab.hash(&mut self.to);
        for extra in &board.extras {
            (extra.slot, extra.made, extra.own).hash(&mut self.to);
            self.values(&[extra.host, extra.original], &[]);
        }
        (&board.deciders, &board.held, &board.rule_truth, board.phase).hash(&mut self.to);
        board.zones.iter().for_each(|zone| zone.len.hash(&mut self.to));
        // Nearly all states of cards are as they are at first.
        let states = self.program.states.rows();
        for (at, (state, value)) in states.iter().cycle().zip(&board.card_states).enumerate() {
            if *value != state.initial {
                at.hash(&mut self.to);
                self.value(*value, &[]);
            }
        }
        board.card_states.len().hash(&mut self.to);
        if self.program.policies.same_positions != SamePositions::TalliesApart {
            return self.values(&board.player_states, &[]);
        }
        // A number that only counts, and that nothing runs out of, is the same whatever it is.
        for (state, value) in states.iter().cycle().zip(&board.player_states) {
            if !is_tally(state) {
                self.value(*value, &[]);
            }
        }
    }

    fn effects(&mut self) {
        for effect in &self.state.effects.in_force {
            (effect.clause, effect.you, effect.holds).hash(&mut self.to);
            self.value(effect.source, &[]);
            self.values(&effect.captures, &effect.lists);
            self.values(effect.targets.as_deref().unwrap_or(&[]), &[]);
            self.values(&effect.pinned, &[]);
            self.values(&effect.amounts, &[]);
        }
        // Those whose time is still to come, and the times that go on.
        for effect in &self.state.effects.later {
            (effect.clause, effect.you, effect.holds).hash(&mut self.to);
            self.value(effect.source, &[]);
        }
        self.state.effects.open.hash(&mut self.to);
    }

    fn events(&mut self) {
        let events = &self.state.events;
        for pending in &events.pending {
            (pending.waits, pending.body, pending.you).hash(&mut self.to);
            self.values(&[pending.source, pending.after], &[]);
            self.values(&pending.captures, &pending.lists);
        }
        for heard in &events.heard {
            (heard.rule, heard.player).hash(&mut self.to);
            self.values(&heard.captures, &[]);
        }
        for held in &events.held {
            held.role.hash(&mut self.to);
            self.values(&held.members, &[]);
        }
        for (mark, clause, source) in &events.once {
            (mark, clause).hash(&mut self.to);
            self.value(*source, &[]);
        }
        for used in &events.uses {
            self.value(used.ability, &[]);
            (used.whose, used.until, used.count).hash(&mut self.to);
        }
        self.history();
    }

    /// Of each stretch between marks which events happened in it, not how often.
    fn history(&mut self) {
        let events = &self.state.events;
        let mut marks: Vec<u32> = events.marks.iter().map(|(_, at)| *at).collect();
        marks.sort_unstable();
        let mut of_event: Vec<(usize, u128)> = Vec::new();
        for (at, Event { verb, args, cause }) in events.history.iter().enumerate() {
            // What is kept for onlookers nobody in the game can ask for.
            if !self.plan.is_recorded(*verb) {
                continue;
            }
            let part = marks.iter().filter(|mark| **mark as usize <= at).count();
            let mut one = Told { program: self.program, plan: self.plan, state: self.state, to: Fnv::default() };
            verb.hash(&mut one.to);
            one.values(args, &events.lists);
            one.witnessed(at as u32);
            match cause {
                super::state::Cause::Rule => 0_u8.hash(&mut one.to),
                cause => one.value(cause.value(), &[]),
            }
            of_event.push((part, one.to.0));
        }
        of_event.sort_unstable();
        of_event.dedup();
        of_event.hash(&mut self.to);
    }

    /// What the cards of an event were then.
    fn witnessed(&mut self, event: u32) {
        for Witnessed { row, abilities, .. } in self.state.events.witnessed.of(event) {
            (row.object.card, row.object.place, row.object.face_up, row.controller, abilities).hash(&mut self.to);
            self.values(&row.states, &[]);
            for (field, value) in &row.fields {
                field.hash(&mut self.to);
                self.value(*value, &[]);
            }
            for (field, members) in &row.sets {
                field.hash(&mut self.to);
                self.values(members, &[]);
            }
        }
    }

    fn branch(&mut self, branch: &Branch) {
        (branch.parent, branch.level, branch.children, branch.own, branch.in_order, branch.broke).hash(&mut self.to);
        self.doing(branch);
        for (at, frame) in branch.frames.iter().enumerate() {
            (frame.routine, frame.pc, frame.you, frame.role, frame.result).hash(&mut self.to);
            // What became of the instruction before counts where somebody asks, what of all so far where somebody is told at the end.
            let asks = self.program.asks_done(frame.routine);
            let told = at > 0 || branch.parent.is_some();
            (
                frame.done && asks,
                frame.part && asks,
                told && frame.any,
                told && frame.failed,
                told && frame.short,
                frame.lenient,
                frame.replaced,
            )
                .hash(&mut self.to);
            self.value(frame.this, &[]);
            self.value(frame.cause.value(), &[]);
        }
        // What a block that has ended has left in its registers nobody reads again.
        for (at, frame) in branch.frames.iter().enumerate() {
            let base = frame.base as usize;
            let end = branch.frames.get(at + 1).map_or(branch.registers.len(), |next| next.base as usize);
            let whole = matches!(frame.role, Role::Deciding | Role::Instead(_)) || !branch.deciding.is_empty();
            let in_use = self.program.in_use.get(frame.pc).filter(|_| !whole).map_or(usize::MAX, |in_use| usize::from(*in_use));
            let registers = branch.registers.get(base..end.min(base.saturating_add(in_use))).unwrap_or(&[]);
            self.values(registers, &branch.lists);
        }
        self.values(&branch.collected, &branch.lists);
        (branch.attempts.len(), branch.scopes.len()).hash(&mut self.to);
        for deciding in &branch.deciding {
            (deciding.verb, deciding.was_replaced, deciding.forbidden, deciding.instead_done, deciding.instead_part).hash(&mut self.to);
            [&deciding.args[..], &deciding.members, &deciding.kept].into_iter().for_each(|values| self.values(values, &branch.lists));
            let effects = |numbers: &[u32]| numbers.iter().map(|number| Value::Effect(*number)).collect::<Vec<_>>();
            [effects(&deciding.declined), effects(&deciding.candidates)].iter().for_each(|values| self.values(values, &[]));
        }
    }

    /// What a branch of a lockstep waits for the others with: an answer to its question, or the change that it is about to make.
    fn doing(&mut self, branch: &Branch) {
        let of = |(start, len): (u32, u16)| Value::List { start, len };
        let said: Vec<Value> = match branch.doing {
            Doing::Run | Doing::Wait | Doing::Meet | Doing::Ended => Vec::new(),
            // What is asked follows from where it stands, what was answered does not.
            Doing::Ask(question) => vec![question.answer.map_or(Value::Undefined, of)],
            Doing::Change(change) | Doing::Late(change) => self.change(change),
        };
        std::mem::discriminant(&branch.doing).hash(&mut self.to);
        self.values(&said, &branch.lists);
    }

    /// Whether two positions are the same whatever a state is set to.
    fn leaves_out(&self, state: StateId, value: Value) -> bool {
        let of = self.program.states.get(state);
        match self.program.policies.same_positions {
            SamePositions::Everything => false,
            SamePositions::TalliesApart => of.is_some_and(is_tally),
            SamePositions::CardsInZones => true,
            SamePositions::CardsAsTheyLie => value.number().is_some() || of.is_some_and(|of| of.on_players),
        }
    }

    /// What a change is besides its values, which are given back.
    fn change(&mut self, change: Change) -> Vec<Value> {
        std::mem::discriminant(&change).hash(&mut self.to);
        let of = |start, len| Value::List { start, len };
        match change {
            Change::MoveTop { from, to, face, result } => {
                (face, result).hash(&mut self.to);
                vec![Value::Zone(from), Value::Zone(to)]
            }
            Change::MoveCard { card, to, face, bottom, slot, under, result } => {
                (face, bottom, slot, under, result).hash(&mut self.to);
                vec![card, Value::Zone(to)]
            }
            Change::Move { start, len, to, face, bottom, slot, top_of, under, result } => {
                (face, bottom, slot, under, result).hash(&mut self.to);
                vec![of(start, len), Value::Zone(to), top_of.map_or(Value::Undefined, Value::Zone)]
            }
            Change::Attach { start, len, host } => vec![of(start, len), host],
            Change::Make { card, owner, to, slot, face, original, result } => {
                (slot, face, result).hash(&mut self.to);
                vec![Value::Card(card), Value::Player(owner), Value::Zone(to), original]
            }
            Change::Become { start, len, card } => vec![of(start, len), card.map_or(Value::Undefined, Value::Card)],
            Change::Control { player, by } => vec![Value::Player(player), Value::Player(by)],
            Change::Turn { start, len, up } => vec![of(start, len), Value::Bool(up)],
            Change::Shuffle(place) => vec![Value::Zone(place)],
            Change::SetState { subject, state, value, since } => {
                state.hash(&mut self.to);
                if self.leaves_out(state, value) {
                    return vec![subject];
                }
                since.hash(&mut self.to);
                vec![subject, value]
            }
            Change::Order { start, len, place } => vec![of(start, len), Value::Zone(place)],
            Change::Show { start, len, to, by, until } => {
                let until = match until {
                    None => Value::Undefined,
                    Some(Until::Ends(duration)) => Value::Number(i32::from(duration.0)),
                    Some(Until::Waits(number)) => Value::Pending(number),
                };
                to.hash(&mut self.to);
                vec![of(start, len), by.map_or(Value::Undefined, Value::Player), until]
            }
            Change::Install(clause, duration) => {
                (clause, duration).hash(&mut self.to);
                Vec::new()
            }
            Change::Expire(duration) | Change::Open(duration, _) => {
                (duration, matches!(change, Change::Open(_, true))).hash(&mut self.to);
                Vec::new()
            }
        }
    }

    fn values(&mut self, values: &[Value], lists: &[Value]) {
        values.len().hash(&mut self.to);
        for value in values {
            self.value(*value, lists);
        }
    }

    fn value(&mut self, value: Value, lists: &[Value]) {
        let now = |id: ObjectId| self.state.board.object(id).map_or(0, |object| object.life);
        let within = |start: u32, len: usize| lists.get(start as usize..start as usize + len).unwrap_or(&[]);
        match value {
            Value::Object { id, life } => (1_u8, id, life == now(id)).hash(&mut self.to),
            Value::Ability { of, ability, life } => (2_u8, of, ability, life == now(of) as u16).hash(&mut self.to),
            Value::Pending(number) => {
                let at = self.state.events.pending.iter().position(|pending| pending.number == number);
                (3_u8, at).hash(&mut self.to);
            }
            Value::Effect(number) => {
                let at = self.state.effects.in_force.iter().position(|effect| effect.number == number);
                (7_u8, at).hash(&mut self.to);
            }
            Value::List { start, len } => {
                4_u8.hash(&mut self.to);
                self.values(within(start, usize::from(len)), &[]);
            }
            Value::Play { count, option, start } => {
                (5_u8, option).hash(&mut self.to);
                self.values(within(start, usize::from(count)), &[]);
            }
            Value::Cause { what, id, life } => (7_u8, what, id, life == now(id)).hash(&mut self.to),
            // Which event is meant says what it was, not when.
            Value::Event(at) => {
                8_u8.hash(&mut self.to);
                if let Some(Event { verb, args, cause }) = self.state.events.history.get(at as usize) {
                    verb.hash(&mut self.to);
                    self.values(args, &self.state.events.lists);
                    self.value(cause.value(), &[]);
                }
            }
            other => (6_u8, other).hash(&mut self.to),
        }
    }
}

/// A number of players that nothing runs out of.
fn is_tally(state: &StateDef) -> bool {
    state.on_players && state.of == Type::Number && state.at_least.is_none()
}

/// After FNV-1a of 128 bits, a word at a time: what is compared is never kept, and two positions of one run do not meet by chance.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    #[inline]
    fn step(&mut self, word: u64) {
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        // The upper half of a word is multiplied out of the low bits: it is brought down again.
        self.0 ^= self.0 >> 64;
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0 as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(8) {
            self.step(bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.step(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.step(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.step(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.step(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.step(word as u64);
    }
}
