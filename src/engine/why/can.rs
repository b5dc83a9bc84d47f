//! Decides whether something can be done (a verb with its arguments, an ability, an answer to an open decision), and finds what prevents
//! it.
//!
//! The body of an action is tried on a copy of the game, with an onlooker who notes everything that is not done.

use super::idle::Walk;
use super::not_done::Noted;
use super::{Answer, Fact, Influence, rules_of_ability, rules_of_effect};
use crate::actions::perform::nothing_in;
use crate::effects::works;
use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::fault::{Fault, broken};
use crate::ids::{CitesId, NodeId, OptionId, Pc, VerbId};
use crate::machine::{Asked, Machine};
use crate::program::{Builtin, ClauseKind, Node, Op, Principle, Program, Seen};
use crate::state::board::zone_of;
use crate::state::{Branch, Cause, Control, Doing, Effect, Frame, MOST_ARGUMENTS, Role, State, Status};
use crate::steps::Why;
use crate::value::{ObjectId, Place, Player, Value};
use std::sync::Arc;

/// An action with its arguments. `lists` holds the members of lists among them.
#[derive(Clone, Debug)]
pub struct Doable {
    /// The verb.
    pub verb: VerbId,
    /// The arguments.
    pub args: [Value; MOST_ARGUMENTS],
    /// Members of lists among the arguments.
    pub lists: Vec<Value>,
    /// The parameters that have arguments, one bit each.
    pub given: u8,
    /// The player who would do the action.
    pub you: Player,
}

impl Machine {
    /// Whether an action can be done now by the rules, and what prevents it.
    #[must_use]
    pub fn why_can(&self, what: &Doable) -> Answer {
        let mut answer = Answer { lists: what.lists.clone(), ..Answer::default() };
        let option = self.program().verbs.get(what.verb).and_then(|verb| verb.option);
        let completed = option.map(|option| Doable { args: self.option_in_the_way(what, option, &mut answer), ..what.clone() });
        let given = what.given;
        let what = completed.as_ref().unwrap_or(what);
        if option.is_none() {
            self.in_the_way(what, &mut answer);
        }
        // If the player is not asked now, other obstacles are reported too.
        let blocked = !answer.lines.iter().all(|line| matches!(line.fact, Fact::Usable(..) | Fact::NotAsked));
        self.beside(what, blocked, &mut answer);
        if !blocked && self.program().verbs.get(what.verb).is_some_and(|verb| verb.body.is_some()) {
            self.try_body(what, Answering::YesOrNo, &mut answer);
        }
        let hinders = |line: &super::Line| {
            !matches!(line.fact, Fact::Usable(..) | Fact::Replaced(_) | Fact::ForbiddenToEffects(..) | Fact::ForbiddenToEffectsOf(..))
        };
        if let Some(option) = option.filter(|option| !answer.lines.iter().any(hinders) && self.leaves_out(*option, given, what.args)) {
            self.left_out(option, what, &mut answer);
        }
        let mut whole = Answer { lists: std::mem::take(&mut answer.lists), tried: std::mem::take(&mut answer.tried), ..Answer::default() };
        let cites = self.program().verbs.get(what.verb).map(|verb| verb.name.cites);
        let possible = !answer.lines.iter().any(hinders);
        whole.say(0, if possible { Fact::Possible } else { Fact::Impossible }, cites.filter(|_| possible));
        whole.lines.append(&mut answer.lines);
        whole
    }

    fn asking<'e>(&'e self, lists: &'e [Value], you: Player) -> Eval<'e> {
        Eval::new(self.program(), self.state(), &[], lists, you, Value::Undefined)
    }

    /// Finds the obstacles before the action: its arguments, prohibitions, room, abilities among the arguments.
    fn in_the_way(&self, what: &Doable, answer: &mut Answer) {
        let program = self.program();
        let count = program.verbs.get(what.verb).map_or(0, |verb| verb.parameters.len());
        for (at, arg) in what.args.iter().enumerate().take(count).filter(|(at, _)| what.given & (1 << at) != 0) {
            if let Some(why) = nothing_in(*arg) {
                let principle = match why {
                    Why::NoTimes => Principle::NoTimes,
                    Why::Missing => Principle::Missing,
                    _ => Principle::Impossible,
                };
                answer.say(1, Fact::Lacking(what.verb, at as u8, why), [program.principle(principle)]);
            }
            if let Value::Ability { .. } = arg {
                self.ability_in_the_way(*arg, answer);
            }
        }
        if !answer.lines.iter().all(|line| matches!(line.fact, Fact::Usable(..))) {
            return;
        }
        if let Some(effect) = self.forbidding(what, Cause::Rule) {
            let cites = rules_of_effect(program, effect).into_iter().chain([program.principle(Principle::Forbidden)]);
            answer.say(1, Fact::Forbidden(Influence::of(effect)), cites);
        } else if what.verb == Builtin::Move.verb() {
            self.move_in_the_way(what, answer);
        }
    }

    fn forbidding(&self, what: &Doable, cause: Cause) -> Option<&Effect> {
        self.each_card(what).find_map(|args| {
            let happening = Happening { verb: what.verb, args: &args, lists: &what.lists, cause };
            let number = self.asking(&what.lists, what.you).forbidden(happening)?;
            self.state().effects.get(number)
        })
    }

    /// The arguments as effects decide about them. Cards that are moved or turned are decided one by one.
    fn each_card<'w>(&'w self, what: &'w Doable) -> impl Iterator<Item = [Value; MOST_ARGUMENTS]> + 'w {
        let by_card = [Builtin::Move, Builtin::TurnUp, Builtin::TurnDown].iter().any(|builtin| builtin.verb() == what.verb);
        let first = what.args.first().copied().unwrap_or_default();
        let mut cards = vec![first];
        if by_card {
            cards.clear();
            self.asking(&what.lists, what.you).each_of(first, &mut |_, card| {
                cards.push(card);
                false
            });
        }
        cards.into_iter().map(move |card| {
            let mut args = what.args;
            args[0] = card;
            if let (true, Value::Object { id, .. }) = (what.verb == Builtin::Move.verb(), card) {
                (args[1], args[4]) = self.state().board.way_of(self.program(), id, args[1]);
            }
            args
        })
    }

    fn move_in_the_way(&self, what: &Doable, answer: &mut Answer) {
        let (program, board) = (self.program(), &self.state().board);
        let [_, Value::Zone(to), _, bottom, ..] = what.args else { return };
        let cards: Vec<Value> = self.each_card(what).map(|args| args[0]).collect();
        let there = |card: &Value| matches!(card, Value::Object { id, .. } if board.object(*id).is_some_and(|object| object.place == to));
        let principle = |principle| [program.principle(principle)];
        if cards.is_empty() {
            return answer.say(1, Fact::Lacking(what.verb, 0, Why::Nothing), principle(Principle::Impossible));
        }
        if cards.iter().all(there) && !bottom.is_true() {
            for card in cards {
                answer.say(1, Fact::Already(card, to), principle(Principle::Already));
            }
            return;
        }
        if !board.has_room(to) {
            let capacity = program.zones.get(zone_of(program, to).0).map(|zone| zone.capacity_cites);
            let cites = capacity.into_iter().chain(principle(Principle::Impossible));
            answer.say(1, Fact::Full(to, board.cards(to).len()), cites);
            for card in board.cards(to) {
                answer.say(2, Fact::Lies(board.reference(*card), to, true), []);
            }
        }
    }

    /// Finds the obstacles to using an ability: the zone of its card, its face, effects that disable it, and the number of its uses.
    fn ability_in_the_way(&self, ability: Value, answer: &mut Answer) {
        let (program, state) = (self.program(), self.state());
        let Value::Ability { of, ability: which, .. } = ability else { return };
        let (Some(object), Some(def)) = (state.board.object(of), program.abilities.get(which)) else { return };
        let kind = program.kinds.get(def.kind);
        let zones = kind.filter(|kind| kind.zones == def.zones && kind.zones_of == def.zones_of).map_or(def.cites, |kind| kind.zones_cites);
        if !ability.lives(object.life) || !works(program, object, which) {
            let in_zone = def.zones_on(program.types_of(object.card)).has(zone_of(program, object.place).0);
            let fact = if in_zone { Fact::FaceDown(ability) } else { Fact::Inactive(ability, object.place) };
            return answer.say(1, fact, [zones]);
        }
        if let Some(number) = self.asking(&[], object.owner).disabled_by(ability)
            && let Some(effect) = state.effects.in_force.iter().find(|effect| effect.number == number)
        {
            return answer.say(1, Fact::Disabled(ability, Influence::of(effect)), rules_of_effect(program, effect));
        }
        let whose = self.controller(of).unwrap_or(object.owner);
        let used = state.used(program, ability, whose);
        let limit = kind.map(|kind| kind.limit_cites);
        match state.most_uses(program, ability) {
            Some(most) if used >= most => answer.say(1, Fact::UsedUp(ability, used, most), limit),
            most => answer.say(1, Fact::Usable(ability, used, most), rules_of_ability(program, which)),
        }
    }

    /// Facts that prevent nothing but are worth knowing: prohibitions for effects, and replacements.
    fn beside(&self, what: &Doable, blocked: bool, answer: &mut Answer) {
        let program = self.program();
        if blocked {
            return;
        }
        let mut told: Vec<u32> = Vec::new();
        let by = |player| Cause::effect(Value::Undefined, player);
        let players = || (0..program.players).map(Player);
        let forbidding: Vec<(Player, &Effect)> =
            players().filter_map(|player| Some((player, self.forbidding(what, by(player))?))).collect();
        let all = forbidding.len() == usize::from(program.players);
        for (player, effect) in forbidding {
            if !told.contains(&effect.number) {
                told.push(effect.number);
                let cites = rules_of_effect(program, effect).into_iter().chain([program.principle(Principle::Forbidden)]);
                answer.say(1, Fact::ForbiddenToEffects(Influence::of(effect), (!all).then_some(player)), cites);
            }
        }
        for card in self.cards_in_sight() {
            let you = self.asking(&[], what.you).controller_or_nobody(card).unwrap_or_default();
            if let Some(effect) = self.forbidding(what, Cause::effect(card, you))
                && !told.contains(&effect.number)
            {
                told.push(effect.number);
                let cites = rules_of_effect(program, effect).into_iter().chain([program.principle(Principle::Forbidden)]);
                answer.say(1, Fact::ForbiddenToEffectsOf(Influence::of(effect), card), cites);
            }
        }
        for args in self.each_card(what) {
            let happening = Happening { verb: what.verb, args: &args, lists: &what.lists, cause: Cause::Rule };
            for effect in &self.state().effects.in_force {
                let Some(ClauseKind::Instead { pattern, .. }) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                    continue;
                };
                let watches = self.asking(&what.lists, what.you).watches(effect, effect.clause, *pattern, happening);
                if watches && !told.contains(&effect.number) {
                    told.push(effect.number);
                    answer.say(1, Fact::Replaced(Influence::of(effect)), rules_of_effect(program, effect));
                }
            }
        }
    }

    /// The cards that lie face up in zones that everybody sees.
    fn cards_in_sight(&self) -> impl Iterator<Item = Value> + '_ {
        let (program, board) = (self.program(), &self.state().board);
        let open = move |place: Place| program.zones.get(zone_of(program, place).0).is_some_and(|zone| zone.seen == Seen::ByAll);
        let cards = (0_u16..).map(ObjectId).zip(&board.objects);
        let cards = cards.filter(move |(_, object)| object.place != Place::NOWHERE && object.face_up && open(object.place));
        cards.map(|(id, _)| board.reference(id))
    }

    /// Why an open offer leaves out an option although nothing prevents its first choice: something fails after the choices, or the player
    /// has repeated the option as often as named.
    fn left_out(&self, option: OptionId, what: &Doable, answer: &mut Answer) {
        if self.is_repeated(option, what) {
            return answer.say(1, Fact::Repeated, [self.program().principle(Principle::Repeated)]);
        }
        let before = answer.lines.len();
        self.try_body(what, Answering::First, answer);
        if answer.lines.len() == before {
            let cites = self.program().verbs.get(what.verb).map(|verb| verb.name.cites);
            answer.say(1, Fact::Attempt, cites);
        }
    }

    /// Runs the body of an action on a copy, and reports what is not done.
    fn try_body(&self, what: &Doable, answering: Answering, answer: &mut Answer) {
        let mut noted = Noted::default();
        let changed = self.run_alone(None, what, answering, &mut noted);
        if answering == Answering::YesOrNo && !changed && noted.done == 0 && noted.missing.is_empty() {
            return self.idle(what, answer);
        }
        noted.say_given_up();
        let attempts: Vec<Pc> = noted.missing.iter().filter(|missing| missing.fact == Fact::Attempt).map(|missing| missing.at).collect();
        if !attempts.is_empty() {
            // To see why an attempt fails, the body is run again with attempts carried out as plain blocks.
            let mut open = Noted::default();
            self.run_alone(Some(without_attempts(self.program())), what, answering, &mut open);
            if noted.given_up.is_empty() {
                open.say_given_up();
            }
            noted.missing.extend(open.missing.into_iter().filter(|missing| missing.fact != Fact::Attempt));
            noted.lists = open.lists;
            noted.rules.extend(open.rules);
        }
        answer.tried = std::mem::take(&mut noted.rules);
        noted.missing.sort_by_key(|missing| missing.fact != Fact::Attempt);
        let depth = if attempts.is_empty() { 1 } else { 2 };
        let base = answer.lists.len() as u32;
        answer.lists.append(&mut noted.lists);
        let mut told: Vec<Fact> = Vec::new();
        // If a statement was reported as finding too few cards, the following fact that there is nothing is left out.
        let said: Vec<Pc> =
            noted.missing.iter().filter(|missing| matches!(missing.fact, Fact::TooFew(..))).map(|missing| missing.at).collect();
        noted
            .missing
            .retain(|missing| !(matches!(missing.fact, Fact::Part(_, _, Why::Nothing)) && said.iter().any(|at| at.0 + 1 == missing.at.0)));
        for missing in noted.missing {
            let fact = moved_lists(missing.fact, base);
            if !told.contains(&fact) {
                answer.say(if fact == Fact::Attempt { 1 } else { depth }, fact.clone(), missing.cites);
                told.push(fact);
                for (below, fact, cites) in missing.beneath {
                    answer.say(depth + below, fact, cites);
                }
            }
        }
    }

    /// For an action that nothing prevents but that would do nothing: reports the conditions and loops in its body that pass everything
    /// over.
    fn idle(&self, what: &Doable, answer: &mut Answer) {
        let program = self.program();
        let Some(verb) = program.verbs.get(what.verb) else { return };
        let Some(def) = verb.body.and_then(|routine| program.routines.get(routine)) else { return };
        let mut registers: Vec<Value> = what.args.iter().copied().take(usize::from(def.parameters)).collect();
        registers.resize(usize::from(def.registers.max(def.parameters)), Value::Undefined);
        let before = answer.lines.len();
        let ended = Walk::new(program, self.state(), &what.lists, (what.you, registers)).through(def.start, &[verb.name.cites], answer);
        if answer.lines.len() == before {
            if !ended {
                answer.say(1, Fact::Part(what.verb, what.args, Why::Nothing), [verb.name.cites]);
            }
            // If the body has no such statements, the action exists only for its event.
            return;
        }
        let mut cards: Vec<Value> = Vec::new();
        for arg in what.args.iter().take(verb.parameters.len()) {
            self.asking(&what.lists, what.you).each_of(*arg, &mut |_, card| {
                cards.push(card);
                false
            });
        }
        for card in cards {
            if let Value::Object { id, .. } = card
                && let Some(object) = self.state().board.object(id)
            {
                answer.say(2, Fact::Lies(card, object.place, object.face_up), []);
            }
        }
    }

    /// Runs the body on a copy, with another program if one is given. Gives whether the copy differs afterwards, or a player would be
    /// asked.
    fn run_alone(&self, other: Option<Program>, what: &Doable, answering: Answering, noted: &mut Noted) -> bool {
        let program = other.as_ref().unwrap_or(self.program().as_ref());
        let Some(routine) = program.verbs.get(what.verb).and_then(|verb| verb.body) else { return false };
        let Some(def) = program.routines.get(routine) else { return false };
        noted.of = what.verb;
        noted.generator = Some(self.state().generator.clone());
        let mut state = self.state().clone();
        let mut branch = Branch { lists: what.lists.clone(), ..Branch::default() };
        let lists = branch.lists.len() as u32;
        branch.registers = what.args.iter().copied().take(usize::from(def.parameters)).collect();
        branch.registers.resize(usize::from(def.registers.max(def.parameters)), Value::Undefined);
        let role = Role::Action(what.verb);
        branch.frames.push(Frame { routine, pc: def.start, lists, you: what.you, role, ..Frame::default() });
        let waiting = Branch { doing: Doing::Wait, children: u16::MAX, ..Branch::default() };
        let branches = vec![Box::new(waiting), Box::new(branch)];
        // Verdicts are not judged, because only the action itself is examined.
        state.control = Control { branches, judging: 1, status: Status::Running, ..Control::default() };
        let mut machine = match other {
            Some(other) => Machine::with_state(Arc::new(other), state),
            None => self.same_from(state),
        };
        for _ in 0..crate::limits::NESTED {
            machine.run(noted);
            let Some(asked) = machine.questions().find(|asked| !asked.answered) else { return otherwise(self.state(), machine.state()) };
            // If the player could choose among several answers, the result depends on the choice.
            if !(asked.yes_no || answering == Answering::First && asked.player == what.you) {
                return true;
            }
            let (id, count) = (asked.id, if asked.yes_no { 1 } else { asked.min.max(1).min(asked.max) });
            let picks: Vec<u16> = (0..count).collect();
            if machine.answer(id, &picks).is_err() {
                return true;
            }
        }
        true
    }

    /// The demands of effects about the answer to an open decision.
    #[must_use]
    pub fn why_demanded(&self, asked: &Asked<'_>) -> Answer {
        let (mut answer, program) = (Answer::default(), self.program());
        if let Some(def) = program.choices.get(asked.choice) {
            Eval::new(program, self.state(), &[], &[], asked.player, Value::Undefined).demands(def.declared, &mut answer);
        }
        answer
    }

    /// Why an open decision does not accept a number.
    #[must_use]
    pub fn why_not_number(&self, asked: &Asked<'_>, number: i64) -> Answer {
        let is_chosen = self.program().choices.get(asked.choice).is_some_and(|def| def.numbers);
        let number = i32::try_from(number).ok().filter(|_| is_chosen);
        number.map_or_else(Answer::default, |number| self.why_not_among(asked, Value::Number(number)))
    }

    /// Why a value is not among the possible answers to an open decision.
    #[must_use]
    pub fn why_not_among(&self, asked: &Asked<'_>, value: Value) -> Answer {
        let (program, state) = (self.program(), self.state());
        let mut answer = Answer::default();
        let branch = state.control.branches.get(usize::from(asked.id.0));
        let (Some(branch), Some(def)) = (branch, program.choices.get(asked.choice)) else { return answer };
        let Some(frame) = branch.frames.last() else { return answer };
        let locals = branch.registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers));
        let mut eval = Eval::new(program, state, locals, &branch.lists, frame.you, frame.this);
        let at = frame.pc.before();
        if eval.contains(def.domain, value) {
            if let Some(by) = eval.withheld_by(value, def.declared, frame.cause) {
                answer.say(1, Fact::Withheld(Influence::of(by), value), rules_of_effect(program, by));
                return answer;
            }
            // The value would be possible, but effects demand other values.
            eval.demands(def.declared, &mut answer);
            return answer;
        }
        outside(&mut eval, def.domain, value, (at, &rules_at(program, at, def.name.cites)), 1, &mut answer);
        answer
    }
}

/// The questions that are answered while a body runs on a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answering {
    /// Questions for yes or no are answered with yes.
    YesOrNo,
    /// All questions of the acting player are answered with the first possible answers.
    First,
}

/// Whether an action has changed anything that rules could notice.
fn otherwise(before: &State, after: &State) -> bool {
    before.board != after.board || before.effects != after.effects || before.events.pending != after.events.pending
}

/// The rules of a statement, and the rules of the declaration that it asks for.
pub(super) fn rules_at(program: &Program, at: Pc, declared: CitesId) -> Vec<CitesId> {
    program.code_cites.get(at).copied().into_iter().chain([declared]).collect()
}

/// Why a value is not in a set.
pub(super) fn outside(eval: &mut Eval<'_>, set: NodeId, value: Value, (at, cites): (Pc, &[CitesId]), depth: u8, answer: &mut Answer) {
    let says = |answer: &mut Answer, fact| answer.say(depth, fact, cites.iter().copied());
    match eval.program.nodes.get(set).copied() {
        Some(Node::Where(inner, condition)) if eval.contains(inner, value) => {
            let decisive = eval.bind(value, |eval| eval.rules_of_decisive(condition));
            answer.say(depth, Fact::Fails(value, at), cites.iter().copied().chain(decisive));
            eval.bind(value, |eval| eval.why_it_is(condition, depth + 1, answer));
        }
        Some(Node::Where(inner, _)) => outside(eval, inner, value, (at, cites), depth, answer),
        Some(Node::With { value: bound, body }) => {
            let bound = eval.value(bound);
            eval.bind(bound, |eval| outside(eval, body, value, (at, cites), depth, answer));
        }
        Some(Node::If(condition, args)) => {
            if let Some(branch) = eval.chosen_branch(condition, args) {
                outside(eval, branch, value, (at, cites), depth, answer);
            }
        }
        Some(Node::Except(a, _)) if eval.contains(a, value) => says(answer, Fact::LeftOut(value)),
        Some(Node::Except(a, _)) => outside(eval, a, value, (at, cites), depth, answer),
        Some(Node::Union(a, b) | Node::Joined(a, b)) => {
            outside(eval, a, value, (at, cites), depth, answer);
            outside(eval, b, value, (at, cites), depth, answer);
        }
        Some(Node::Zone(..)) => match eval.value(set) {
            Value::Zone(place) => says(answer, Fact::NotIn(value, place)),
            _ => says(answer, Fact::NotAmong(value)),
        },
        // The properties of a card show best why the value is missing.
        Some(Node::Field(..)) => eval.parts(set, depth, answer),
        _ => says(answer, Fact::NotAmong(value)),
    }
}

/// The program with every attempt replaced by a plain block.
fn without_attempts(program: &Program) -> Program {
    let mut open = program.clone();
    for pc in 0..open.code.len() as u32 {
        if let Some(op) = open.code.get_mut(Pc(pc))
            && matches!(op, Op::Try { .. })
        {
            *op = Op::Jump(Pc(pc + 1));
        }
    }
    open
}

fn moved_lists(fact: Fact, base: u32) -> Fact {
    match fact {
        Fact::Part(verb, args, why) => Fact::Part(
            verb,
            args.map(|arg| if let Value::List { start, len } = arg { Value::List { start: start + base, len } } else { arg }),
            why,
        ),
        other => other,
    }
}

/// A copy of a game for a seat: cards that the seat may not see are no cards of the pool.
#[must_use]
pub fn as_seen(machine: &Machine, seat: Player) -> Machine {
    let program = machine.program();
    let mut state: State = machine.state().clone();
    let states = program.states.len();
    state.board.versions.touch_all();
    for index in 0..state.board.objects.len() {
        let id = crate::value::ObjectId(index as u16);
        if machine.sees(seat, id) {
            continue;
        }
        if let Some(object) = state.board.objects.get_mut(index) {
            object.card = crate::ids::CardId(u16::MAX);
        }
        // A card that moves is again the card that it was made as.
        if let Some(extra) = state.board.extra_mut(id) {
            extra.own = crate::ids::CardId(u16::MAX);
        }
        for (slot, def) in state.board.card_states.iter_mut().skip(index * states).take(states).zip(program.states.rows()) {
            *slot = def.initial;
        }
    }
    machine.same_from(state)
}
