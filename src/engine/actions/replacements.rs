//! Replacements: asks whether an effect replaces an action, carries out the effect's block, and goes on with the action.
//!
//! `deciding` finds the effects that watch an action, and performs an action that nothing replaces.

use crate::actions::deciding::performed_at;
use crate::actions::perform::Args;
use crate::eval::watch::{Bound, Happening};
use crate::eval::{Eval, unread};
use crate::ids::{AbilityId, ArgsId, ChoiceId, CitesId, PatternId, Pc, Reg, RoutineId, VerbId};
use crate::program::{ArgMatch, Builtin, ClauseKind, Principle};
use crate::run::step::top;
use crate::run::{Goal, Run};
use crate::state::{Branch, Cause, Deciding, Doing, Effect, Frame, Holds, Role, Then};
use crate::steps::{NotInstead, Observer, Step, Why};
use crate::value::{Player, Value};

/// How many trial runs may lie in one another before replacements are offered without a trial.
const MOST_TRIALS: u8 = 2;

/// A replacement by an effect in force.
pub(super) struct Replacing {
    body: RoutineId,
    pub(super) optional: Option<ChoiceId>,
    attempt: bool,
    pub(super) pattern: PatternId,
    pub(super) you: Player,
    /// Whether the effect ends after one replacement.
    once: bool,
}

impl<O: Observer> Run<'_, O> {
    /// Carries out a replacement, or first asks the player whether it applies.
    pub(crate) fn replace_or_ask(&mut self, branch: &mut Branch, at: u16, number: u32) {
        let Some(Replacing { optional, pattern, you, once, .. }) = self.instead_of(number) else { return };
        if once && self.claims(branch, number) {
            return;
        }
        match optional {
            None => self.replace(branch, at, number),
            Some(choice) => {
                let asked = self.offered_to(branch, number, choice, pattern).unwrap_or(you);
                if asked == Player::NOBODY {
                    return self.leave_alone(branch, at, number, NotInstead::Declined);
                }
                if self.offers_only_if_possible() && !self.instead_is_possible(branch, at, number, asked) {
                    return self.leave_alone(branch, at, number, NotInstead::Impossible);
                }
                if self.comes_round(branch, at, branch.now(), Some(asked)) {
                    return;
                }
                if self.is_replacement_barred(number, choice, asked) {
                    return self.leave_alone(branch, at, number, NotInstead::Declined);
                }
                if self.is_pass_barred(choice, asked) {
                    return self.replace(branch, at, number);
                }
                self.ask_yes_no(branch, choice, asked, Then::Replace(number));
            }
        }
    }

    /// Notes that an effect does not replace the decided action, and tells why.
    pub(crate) fn leave_alone(&mut self, branch: &mut Branch, at: u16, number: u32, why: NotInstead) {
        if O::ON
            && let Some(deciding) = branch.decided()
        {
            let (verb, args) = (deciding.verb, self.present(deciding));
            self.tell_not_instead(branch, at, (verb, args), number, why);
        }
        decline(branch, number);
    }

    /// Tells onlookers which effects do not replace an event, because another effect has replaced it before.
    pub(super) fn tell_replaced_before(&mut self, branch: &Branch, at: u16, declined: &[u32], (verb, args): (VerbId, Args)) {
        if !O::ON {
            return;
        }
        let what = Happening { verb, args: &args, lists: &branch.lists, cause: self.cause(branch) };
        let effects: Vec<u32> = unread::unnoted(|| self.replacements(branch, declined, what).collect());
        for effect in effects {
            self.tell_not_instead(branch, at, (verb, args), effect, NotInstead::Once);
        }
    }

    pub(super) fn tell_not_instead(&mut self, branch: &Branch, at: u16, (verb, args): (VerbId, Args), effect: u32, why: NotInstead) {
        let cites = match why {
            NotInstead::Declined => CitesId::default(),
            NotInstead::Impossible => self.program.principle(Principle::Replacing),
            NotInstead::Once => self.program.principle(Principle::ReplacedOnce),
        };
        let pc = branch.now();
        self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::NotReplaced { verb, args, effect, why });
    }

    /// The player whom `may` names in the body of a replacement. The names of its pattern are bound by the action of the top frame.
    pub(super) fn offered_to(&self, branch: &Branch, number: u32, choice: ChoiceId, pattern: PatternId) -> Option<Player> {
        let (effect, deciding) = (self.state.effects.get(number)?, branch.deciding.last()?);
        let args = self.present(deciding);
        let what = Happening { verb: deciding.verb, args: &args, lists: &branch.lists, cause: self.cause(branch) };
        let mut eval = self.eval(branch).inside(effect);
        let bound = eval.bound(pattern, what).unwrap_or_default();
        let you = eval.you_of(effect);
        let (mut locals, mut lists) = (effect.captures.clone(), effect.lists.clone());
        locals.extend(self.program.patterns.get(pattern).into_iter().flat_map(|def| bound.registers(def, lists.len())));
        lists.extend_from_slice(&bound.members);
        let by = self.program.choices.get(choice)?.by;
        Eval::new(self.program, self.state, &locals, &lists, you, effect.source).value(by).player()
    }

    pub(super) fn instead_of(&self, number: u32) -> Option<Replacing> {
        let effect = self.state.effects.in_force.iter().find(|effect| effect.number == number)?;
        match self.program.clauses.get(effect.clause)?.kind {
            ClauseKind::Instead { body, optional, attempt, pattern, once } => {
                let eval = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
                Some(Replacing { body, optional, attempt, pattern, you: eval.you_of(effect), once })
            }
            _ => None,
        }
    }

    pub(crate) fn source_of(&self, number: u32) -> Value {
        self.state.effects.in_force.iter().find(|effect| effect.number == number).map_or(Value::Undefined, |effect| effect.source)
    }

    /// The other cards of a set that an effect with a gathering pattern replaces together with the card that is being decided. These are
    /// the cards that fit the pattern by themselves and are not forbidden. They are not decided again.
    pub(super) fn gathered(&self, branch: &mut Branch, pattern: PatternId, number: u32) -> Vec<Value> {
        let gathers = self.program.patterns.get(pattern).is_some_and(|def| def.gathers.is_some());
        let (Some(effect), Some(deciding)) = (self.state.effects.get(number), branch.deciding.last()) else { return Vec::new() };
        if !gathers || deciding.builtin.is_none() {
            return Vec::new();
        }
        let cause = self.cause(branch);
        let fits = |card: &&Value| {
            let args = self.said_of(deciding, Some(card));
            let what = Happening { verb: deciding.verb, args: &args, lists: &branch.lists, cause };
            self.eval(branch).forbidden(what).is_none() && self.eval(branch).inside(effect).bound(pattern, what).is_some()
        };
        let more: Vec<Value> = deciding.members.iter().skip(1).filter(fits).copied().collect();
        if let Some(deciding) = branch.deciding.last_mut() {
            deciding.members.retain(|card| !more.contains(card));
        }
        more
    }

    /// Splits an event of a set, if an effect gathers only some of its members. These members are replaced or forbidden; the action keeps
    /// the others. Gives the arguments with the members that the effect has gathered.
    pub(super) fn part(&self, branch: &mut Branch, pattern: PatternId, bound: &Bound, mut args: Args) -> Args {
        let Some(deciding) = branch.deciding.last_mut().filter(|deciding| deciding.builtin.is_none()) else { return args };
        let events = self.program.patterns.get(pattern).into_iter().flat_map(|def| &def.events);
        let mut wanted = events.filter(|event| event.verb == deciding.verb).flat_map(|event| &event.args);
        let gathers = wanted.find_map(|(slot, wanted)| matches!(wanted, ArgMatch::All(..)).then_some(usize::from(*slot)));
        let (Some(slot), Some(base)) = (gathers, branch.frames.last().map(|frame| frame.base as usize)) else { return args };
        let Some(Value::List { start, len }) = args.get(slot).copied() else { return args };
        let all = branch.lists.get(start as usize..).unwrap_or_default().iter().take(usize::from(len));
        deciding.members = all.filter(|card| !bound.members.contains(card)).copied().collect();
        if deciding.members.is_empty() {
            return args;
        }
        let mut list = |members: &[Value]| {
            let start = branch.lists.len() as u32;
            branch.lists.extend_from_slice(members);
            Value::List { start, len: members.len() as u16 }
        };
        args.get_mut(slot).into_iter().for_each(|arg| *arg = list(&bound.members));
        let rest = list(&deciding.members);
        deciding.args = args;
        branch.registers.get_mut(base + slot).into_iter().for_each(|register| *register = rest);
        args
    }

    /// Lets the remaining members of a split event be decided as a new event. Gives whether there are any.
    pub(super) fn goes_on_with_rest(&self, branch: &mut Branch, deciding: &mut Deciding) -> bool {
        let rest = !std::mem::take(&mut deciding.members).is_empty();
        if rest {
            let frame = branch.frames.last().copied().unwrap_or_default();
            deciding.args = self.action_arguments(branch, &frame, deciding.verb);
            (deciding.was_replaced, deciding.claims) = (false, None);
            top(branch, |frame| frame.any |= deciding.instead_part);
        }
        rest
    }

    /// Puts the block of a replacement on top of the action.
    pub fn replace(&mut self, branch: &mut Branch, at: u16, number: u32) {
        let Some(Replacing { body, attempt, pattern, you, once, .. }) = self.instead_of(number) else { return decline(branch, number) };
        if let Some((source, ability)) = self.state.effects.get(number).map(|effect| (effect.source, ability_of(effect))) {
            self.take_use(source, ability, you);
        }
        let start = branch.next();
        let Some(mut deciding) = branch.decided().cloned() else { return };
        deciding.before = None;
        let pc = performed_at(branch, &deciding, start);
        let (args, verb, cites) = (self.present(&deciding), deciding.verb, self.cites_of(branch, &deciding, pc));
        let what = Happening { verb, args: &args, lists: &branch.lists, cause: self.cause(branch) };
        let effect = self.state.effects.in_force.iter().find(|effect| effect.number == number);
        let mut bound = effect.and_then(|effect| self.eval(branch).inside(effect).bound(pattern, what)).unwrap_or_default();
        if let Some(now) = branch.decided() {
            now.before = attempt.then(|| Box::new(deciding));
        }
        let args = self.part(branch, pattern, &bound, args);
        let effect = self.state.effects.in_force.iter().find(|effect| effect.number == number);
        let (mut captures, mut lists) = effect.map_or_else(Default::default, |effect| (effect.captures.clone(), effect.lists.clone()));
        bound.members.extend(self.gathered(branch, pattern, number));
        captures.extend(self.program.patterns.get(pattern).into_iter().flat_map(|def| bound.registers(def, lists.len())));
        lists.extend_from_slice(&bound.members);
        let source = self.source_of(number);
        let principle = self.program.principle(Principle::Replaced);
        let cites = if principle.0 == 0 { cites } else { principle };
        self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::NotPerformed(verb, args, Why::Replaced(number)));
        self.tell_prevails(self.cause(branch), number, pc, branch.frames.len(), at);
        if branch.frames.iter().any(|frame| matches!(frame.role, Role::Ability(_))) {
            self.tell_principle(Principle::ReplacedWithin, pc, branch.frames.len(), at);
        }
        let base = branch.registers.len();
        let arena = branch.lists.len() as u32;
        branch.lists.extend_from_slice(&lists);
        branch.registers.extend(captures.into_iter().map(|value| crate::abilities::slots::moved(value, arena)));
        let now = branch.registers.len();
        branch.registers.resize((base + self.registers_of(body)).max(now), Value::Undefined);
        let mut frame = self.frame(body, base);
        frame.lists = arena;
        frame.you = you;
        frame.this = source;
        let own = Cause::effect(source, you);
        frame.cause = if self.program.policies.replaced_keep_cause { self.cause(branch) } else { own };
        frame.replaced = true;
        frame.lenient = self.is_paying(branch);
        frame.role = Role::Instead(number);
        if let Some(clause) = self.state.effects.in_force.iter().find(|effect| effect.number == number).map(|effect| effect.clause) {
            let cites = self.program.clauses.get(clause).map_or_else(Default::default, |clause| clause.cites);
            self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::Ability {
                number: None,
                card: source,
                ability: None,
                waited: None,
                you,
                instead: true,
            });
        }
        self.push(branch, frame);
        if once {
            self.end_effect(branch, at, number);
        }
    }

    /// `proceed(n: 0)`: performs the original action, perhaps with other arguments. It begins at step 1 again. The replacement does not
    /// apply again, because this is still the same event.
    pub fn proceed(&mut self, branch: &mut Branch, at: u16, pc: Pc, args: ArgsId) {
        let Some((original, deciding)) = self.replaced(branch).map(|(frame, deciding)| (frame, deciding.clone())) else { return };
        let (verb, builtin, mut values) = (deciding.verb, deciding.builtin, self.present(&deciding));
        if builtin == Some(Builtin::Move) {
            values[5] = deciding.args[5];
        }
        for (slot, node) in values.iter_mut().zip(self.program.args_of(args)) {
            if *node != crate::ids::NodeId::NONE {
                *slot = self.argument(branch, *node);
            }
        }
        let parameters = self.program.verbs.get(verb).map_or(0, |verb| verb.parameters.len());
        let optional = builtin.map_or(parameters, |_| 2);
        if let Some(why) = values.iter().take(optional.min(parameters)).find_map(|arg| crate::actions::perform::nothing_in(*arg)) {
            self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::NotPerformed(verb, values, why));
            return self.set_done(branch, at, false);
        }
        match builtin {
            Some(builtin) => {
                let members = vec![values.first().copied().unwrap_or_default()];
                self.decide_builtin(branch, pc, builtin, values, members, Reg::NONE);
            }
            None => self.perform_with(branch, verb, values),
        }
        if let Some(frame) = branch.frames.last_mut() {
            (frame.you, frame.this, frame.cause) = (original.you, original.this, original.cause);
        }
    }

    /// The action that the innermost running replacement has replaced, and the frame of this action. The replacement may have begun outside
    /// of the lockstep of this branch; the branches have copies of its lists.
    fn replaced<'b>(&'b self, branch: &'b Branch) -> Option<(Frame, &'b Deciding)> {
        let Some(instead) = branch.frames.iter().rposition(|frame| matches!(frame.role, Role::Instead(_))) else {
            return self.replaced(self.state.control.around(branch)?);
        };
        let below = branch.frames.get(..instead)?;
        let decided = below.iter().filter(|frame| matches!(frame.role, Role::Deciding)).count();
        Some((below.last().copied()?, branch.deciding.get(decided.checked_sub(1)?)?))
    }

    /// Puts a declared action with these arguments on top. Prohibitions and other replacements are still to be decided.
    fn perform_with(&mut self, branch: &mut Branch, verb: crate::ids::VerbId, values: Args) {
        let Some(routine) = self.program.verbs.get(verb).and_then(|def| def.body) else { return };
        let (base, lists) = (branch.registers.len(), branch.lists.len() as u32);
        let parameters = self.program.verbs.get(verb).map_or(0, |verb| verb.parameters.len());
        branch.registers.extend(values.into_iter().take(parameters));
        branch.registers.resize((base + self.registers_of(routine)).max(branch.registers.len()), Value::Undefined);
        let start = self.plan.routine(routine).start;
        let frame = crate::state::Frame { routine, pc: start, base: base as u32, lists, result: Reg::NONE, ..Default::default() };
        let mut frame = crate::run::step::inherited(branch, frame);
        frame.role = Role::Deciding;
        branch.deciding.push(crate::actions::perform::deciding(verb, None, values, Vec::new()));
        self.push(branch, frame);
    }

    /// The player who chooses among several replacements: the player whom the game's policy names, or else the affected player.
    pub(crate) fn chooser(&self, branch: &Branch, verb: crate::ids::VerbId, args: &Args) -> Player {
        // Some player must choose. If the card has no controller and no player acts, this is the first seat.
        let affected = Some(self.affected(branch, args)).filter(|player| *player != Player::NOBODY).unwrap_or_default();
        let order = self.program.policies.replacement_order;
        if order == crate::ids::NodeId::NONE {
            return affected;
        }
        let you = branch.frames.last().map_or(affected, |frame| frame.you);
        let actor = self.program.verbs.get(verb).and_then(|def| args.get(usize::from(def.actor?))?.player()).unwrap_or(you);
        let object = args.iter().copied().find(|arg| matches!(arg, Value::Object { .. })).unwrap_or_default();
        let locals = [object, actor.value(), affected.value()];
        let mut eval = Eval::new(self.program, self.state, &locals, &[], you, object);
        eval.value(order).player().unwrap_or(affected)
    }

    /// The player whom an event affects: the first player among its arguments, or the controller of the first card.
    fn affected(&self, branch: &Branch, args: &Args) -> Player {
        let you = branch.frames.last().map_or(Player(0), |frame| frame.you);
        let mut eval = Eval::new(self.program, self.state, &[], &[], you, Value::Undefined);
        let mut whose = |value: Value| match value {
            Value::Player(player) => Some(player),
            card => eval.controller_of(card),
        };
        // If the event is about several cards, the controller of the first card counts.
        let affected = args.iter().find_map(|arg| match *arg {
            Value::List { start, len } => branch.lists.get(start as usize..)?.iter().take(usize::from(len)).find_map(|one| whose(*one)),
            one => whose(one),
        });
        affected.unwrap_or(you)
    }

    /// Whether a player is asked about a replacement only if something of it can be done. Deep in trial runs this is not tried, because each
    /// of several replacements would try all others again and again.
    pub(super) fn offers_only_if_possible(&self) -> bool {
        self.program.policies.offer_replacement_only_if_possible && self.trial.is_none_or(|trial| trial.depth < MOST_TRIALS)
    }

    /// Finds in a trial run whether anything of a replacement can be done.
    pub(super) fn instead_is_possible(&mut self, branch: &Branch, at: u16, number: u32, player: Player) -> bool {
        let mut copy = self.scratch.copy_of_branch(branch);
        copy.doing = Doing::Run;
        let frames = copy.frames.len();
        self.trial_run(copy, at, (Goal::Anything { frames }, false), player, |run, branch| run.replace(branch, at, number))
    }
}

/// The ability that an effect in force belongs to.
pub(super) fn ability_of(effect: &Effect) -> Option<AbilityId> {
    match effect.holds {
        Holds::Static(ability) | Holds::Granted(ability, _) => Some(ability),
        Holds::Lasting(_) | Holds::Rule(_) => None,
    }
}

/// Notes that a replacement does not apply to this action.
pub(crate) fn decline(branch: &mut Branch, number: u32) {
    if let Some(deciding) = branch.decided() {
        deciding.declined.push(number);
    }
}
