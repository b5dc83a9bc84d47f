//! Rules that watch: which rules apply now, how they run, and which events they have heard.
//!
//! A rule has one of three forms. *Becomes*: its condition was false and is true. *State*: its condition is true; a rule that has run in a
//! position does not run there again. *Event*: something happened; each event is remembered until the rule has run for it. Immediate rules
//! run in the middle of whatever goes on (see [`crate::actions::change`]); the others run when the flow applies the game's rules.

use crate::eval::watch::Happening;
use crate::eval::{ALL_PARTS, Eval};
use crate::ids::{Id, Pc, Reg, RuleId};
use crate::limits::BRANCHES;
use crate::run::Run;
use crate::run::step::{get, jump, set};
use crate::state::readings;
use crate::state::{Branch, Cause, Frame, Role, RuleEvent};
use crate::steps::{Observer, Step};
use crate::value::{Few, Player, Value};

/// A rule that is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The rule.
    pub rule: RuleId,
    /// The player whose instance of the rule runs.
    pub player: Player,
    /// The values for the first registers of its body.
    pub captures: Few,
    /// The members of lists among these values.
    pub lists: Few,
}

impl Due {
    /// Turns this value into a due rule without an event. The memory is used again.
    pub fn becomes(&mut self, rule: RuleId, player: Player) {
        (self.rule, self.player) = (rule, player);
        self.captures.clear();
        self.captures.push(Value::Player(player));
        self.lists.clear();
    }

    /// A due rule without an event.
    #[must_use]
    pub fn of(rule: RuleId, player: Player) -> Self {
        Self { rule, player, captures: smallvec::smallvec![Value::Player(player)], lists: Few::new() }
    }
}

impl Eval<'_> {
    /// Visits the instances that apply now of the rules that the flow applies, in the order of the set. Stops when `visit` returns true,
    /// and returns whether that happened.
    pub(crate) fn each_due(&mut self, visit: &mut dyn FnMut(usize, RuleId, Player) -> bool) -> bool {
        let program = self.program;
        let Some(rules) = &program.rule_set else { return false };
        let instances = rules.order.iter().zip(&rules.reads).flat_map(|(rule, reads)| {
            let each = program.rules.get(*rule).is_some_and(|rule| rule.each_player);
            (0..if each { program.players } else { 1 }).map(move |player| (*rule, reads.as_ref(), Player(player)))
        });
        let (at_rest, effects) = (self.state.control.written.at_rest(), &self.state.effects);
        // Results are remembered only if the whole position was read: all effects count, and the reader is no role's condition and no
        // effect.
        let knows = self.upto == ALL_PARTS && !self.as_held && self.of_effect.is_none();
        if knows {
            at_rest.look(instances.clone().map(|(_, reads, _)| reads), effects);
        }
        instances.enumerate().any(|(at, (rule, reads, player))| {
            let Some(how) = reads.filter(|_| knows).and_then(|reads| effects.hold_still(reads)) else {
                return self.rule_applies(rule, player) && visit(at, rule, player);
            };
            let rests = !readings::are_noted() && at_rest.has(at, how);
            debug_assert!(!rests || !self.rule_condition(rule, player), "{:?}", program.rules.get(rule).map(|rule| &rule.name));
            if rests || !self.rule_condition(rule, player) {
                at_rest.note(at, how);
                return false;
            }
            !has_run_here(self.state, rule, player) && visit(at, rule, player)
        })
    }

    /// Whether an instance of a rule is to run when the flow applies the rules. A rule with an event or `becomes` runs if it has heard
    /// something. A rule in state form runs if its condition is true and it has not run in this position.
    pub(crate) fn rule_applies(&mut self, id: RuleId, player: Player) -> bool {
        let Some(rule) = self.program.rules.get(id) else { return false };
        if rule.event.is_some() || rule.becomes {
            return self.state.events.heard.iter().any(|heard| heard.rule == id && heard.player == player);
        }
        self.rule_condition(id, player) && !has_run_here(self.state, id, player)
    }

    /// Whether the condition of an instance of a rule is true.
    fn rule_condition(&mut self, id: RuleId, player: Player) -> bool {
        let Some(rule) = self.program.rules.get(id) else { return false };
        let local = [Value::Player(player)];
        let mut eval = Eval::new(self.program, self.state, &local, &[], player, Value::Undefined);
        eval.carry_on(self);
        eval.holds(rule.condition)
    }
}

/// Whether a rule in state form has run in the present position.
fn has_run_here(state: &crate::state::State, rule: RuleId, player: Player) -> bool {
    let idle = state.control.idle.as_deref().filter(|idle| idle.rules.contains(&(rule, player)));
    idle.is_some_and(|idle| idle.is_of(state))
}

impl<O: Observer> Run<'_, O> {
    /// Called when an event has happened. Rules that wait for such an event remember it.
    pub fn hear(&mut self, what: Happening<'_>) {
        let program = self.program;
        let mut heard: Vec<RuleEvent> = Vec::new();
        for (id, rule) in program.rules.iter() {
            let Some(pattern) = rule.event else { continue };
            for player in (0..if rule.each_player { program.players } else { 1 }).map(Player) {
                let local = [Value::Player(player)];
                let locals = if rule.each_player { local.as_slice() } else { &[] };
                let mut eval = Eval::new(program, self.state, locals, what.lists, player, Value::Undefined);
                let Some(bound) = eval.bound(pattern, what) else { continue };
                let binds = program.patterns.get(pattern).into_iter().flat_map(|def| bound.registers(def, 0));
                let captures = locals.iter().copied().chain(binds).collect();
                heard.push(RuleEvent { rule: id, player, captures });
            }
        }
        self.state.events.heard.append(&mut heard);
    }

    /// Takes out the events that immediate rules have heard, and returns these rules as due.
    pub(crate) fn heard_at_once(&mut self) -> Vec<Due> {
        if self.state.events.heard.is_empty() {
            return Vec::new();
        }
        let program = self.program;
        let immediate = |heard: &RuleEvent| program.rules.get(heard.rule).is_some_and(|rule| rule.immediately);
        let all = std::mem::take(&mut self.state.events.heard);
        let (now, later): (Vec<_>, Vec<_>) = all.into_iter().partition(immediate);
        self.state.events.heard = later;
        now.into_iter().map(|RuleEvent { rule, player, captures }| Due { rule, player, captures, lists: Few::new() }).collect()
    }

    /// What a rule needs to run. For an event rule this takes the oldest event that it has heard.
    fn due(&mut self, rule: RuleId, player: Player) -> Due {
        let heard = &mut self.state.events.heard;
        match heard.iter().position(|heard| heard.rule == rule && heard.player == player) {
            Some(at) => Due { rule, player, captures: heard.remove(at).captures, lists: Few::new() },
            None => Due::of(rule, player),
        }
    }

    /// Carries out `apply rules`: begins the next rule of the set, or all rules that apply together. Afterwards the flow comes to the
    /// statement again, if further rules may apply.
    pub fn apply_rules(&mut self, branch: &mut Branch, at: u16, pc: Pc, next: Reg) {
        let Some(rules) = &self.program.rule_set else { return };
        let from = get(branch, next).number().map_or(0, |from| from.max(0) as usize);
        let mut found: Vec<(usize, RuleId, Player)> = Vec::new();
        let together = rules.together;
        self.eval(branch).each_due(&mut |index, rule, player| {
            let counts = together || index >= from;
            if counts {
                found.push((index, rule, player));
            }
            counts && !together
        });
        if together && found.iter().any(|(_, rule, _)| rules.first.contains(rule)) {
            found.retain(|(_, rule, _)| rules.first.contains(rule));
        }
        let Some(&(index, ..)) = found.first() else { return };
        if rules.again || !together {
            set(branch, next, Value::Number(if rules.again { 0 } else { index as i32 + 1 }));
            jump(branch, pc);
        }
        let due: Vec<Due> = found.into_iter().map(|(_, rule, player)| self.due(rule, player)).collect();
        match due.as_slice() {
            [only] => self.begin_rule(branch, only),
            _ => self.rules_in_step(branch, at, pc, &due),
        }
    }

    /// Runs several rules together, as branches of the branch that applies them.
    fn rules_in_step(&mut self, branch: &mut Branch, at: u16, pc: Pc, due: &[Due]) {
        if self.state.control.branches.len() + due.len() > BRANCHES {
            return self.fail(crate::state::FailureKind::Branches, pc);
        }
        for due in due {
            let mut child = self.fresh_branch();
            child.parent = Some(at);
            child.level = branch.level;
            child.own = Some(due.player);
            self.begin_rule(&mut child, due);
            self.state.control.branches.push(child);
        }
        branch.children = due.len() as u16;
        branch.doing = crate::state::Doing::Wait;
    }

    /// Puts the body of a rule on top of a branch.
    pub(crate) fn begin_rule(&mut self, branch: &mut Branch, due: &Due) {
        let Due { rule, player, captures, .. } = due;
        let def = self.program.rules.get(*rule);
        if def.is_some_and(|rule| rule.event.is_none() && !rule.becomes) {
            let instance = (*rule, *player);
            self.note_idle(|idle| idle.rules.push(instance));
            self.state.control.running.push(instance);
        }
        let (base, lists) = (branch.registers.len(), branch.lists.len() as u32);
        branch.registers.extend_from_slice(captures);
        let body = def.map_or_else(Default::default, |rule| rule.body);
        branch.registers.resize((base + self.registers_of(body)).max(base + captures.len().max(1)), Value::Undefined);
        let mut frame = self.frame(body, base);
        (frame.lists, frame.you, frame.cause, frame.role) = (lists, *player, Cause::Rule, Role::Rule(*rule, *player));
        let cites = def.map_or_else(Default::default, |rule| rule.name.cites);
        let depth = branch.frames.len();
        self.tell_cited(cites, Pc::NOWHERE, depth, 0, &[], || Step::Rule(*rule, *player));
        if O::ON
            && let Some(def) = def.filter(|def| def.event.is_none())
        {
            let mut eval = crate::eval::Eval::new(self.program, self.state, captures, &branch.lists, *player, Value::Undefined);
            let found = eval.decisive(def.condition);
            self.tell_operands(&found, Pc::NOWHERE, depth, 0);
        }
        self.push(branch, frame);
    }

    /// Called when a frame has been left or dropped. If it was the frame of a rule in state form, the rule no longer runs.
    pub(crate) fn rule_is_over(&mut self, frame: &Frame) {
        let Role::Rule(rule, player) = frame.role else { return };
        let running = &mut self.state.control.running;
        if let Some(at) = running.iter().rposition(|instance| *instance == (rule, player)) {
            running.remove(at);
            // The condition of the rule may still be true, so rules are checked again.
            self.state.control.dirty = crate::bits::PlaceSet::ALL;
        }
    }

    /// Whether an immediate rule in state form may run: it is not running now, and it has not run in this position.
    pub(crate) fn may_run(&self, rule: RuleId, player: Player) -> bool {
        !self.state.control.running.contains(&(rule, player)) && !has_run_here(self.state, rule, player)
    }
}

/// Whether some rule waits for events of a verb.
#[must_use]
pub(crate) fn hears(program: &crate::program::Program, verb: crate::ids::VerbId) -> bool {
    let patterns = program.rules.rows().iter().filter_map(|rule| program.patterns.get(rule.event?));
    patterns.flat_map(|pattern| &pattern.events).any(|event| event.verb.index() == verb.index())
}
