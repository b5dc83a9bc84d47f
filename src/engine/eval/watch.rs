//! Watching: decides whether an action matches an event pattern, and finds the effects that forbid, replace or wait for it.

use crate::eval::Eval;
use crate::eval::witnessed::NOW;
use crate::fault::listed;
use crate::ids::{ArgsId, CardId, ClauseId, FactId, Id, NodeId, PatternId, VerbId};
use crate::limits::{WORK_OF_A_CONDITION, WORK_OF_A_LOOK};
use crate::program::{ArgMatch, Builtin, CauseKind, CauseMatch, ClauseKind, EventDef, Node, PatternDef};
use crate::state::{Cause, Effect, Holds, MOST_ARGUMENTS};
use crate::steps::influences;
use crate::value::{Few, Value};
use std::borrow::Cow;

/// The most names that one pattern binds.
pub const MOST_BINDS: usize = 4;

/// A pattern's condition with at most this many registers needs no memory from the heap.
const FEW_REGISTERS: usize = 24;

/// The position of the argument of a move that names the zone that the card left.
const MOVED_FROM: usize = 4;

/// An action about to be performed, or an event.
#[derive(Clone, Copy, Debug)]
pub struct Happening<'h> {
    /// The verb.
    pub verb: VerbId,
    /// The arguments.
    pub args: &'h [Value; MOST_ARGUMENTS],
    /// The arena with the members of lists among the arguments.
    pub lists: &'h [Value],
    /// The cause.
    pub cause: Cause,
}

/// The values that the names of a pattern are bound to.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// One value for each name. A name for a set is in `members`.
    pub values: [Value; MOST_BINDS],
    /// The members of the set that the pattern gathers.
    pub members: Vec<Value>,
}

impl Bound {
    /// The values as registers. `lists` is the number of list members that stand before `members` in the arena.
    pub fn registers(&self, pattern: &PatternDef, lists: usize) -> impl Iterator<Item = Value> {
        let mut values = self.values;
        if let Some(set) = pattern.gathers.and_then(|at| values.get_mut(usize::from(at))) {
            *set = Value::List { start: lists as u32, len: self.members.len() as u16 };
        }
        values.into_iter().take(usize::from(pattern.binds))
    }
}

impl<'a> Eval<'a> {
    /// Whether a pattern matches one event. `self` is the pattern's own environment (its captures are the locals).
    pub fn matches(&mut self, pattern: PatternId, what: Happening<'_>) -> bool {
        self.bound(pattern, what).is_some()
    }

    /// The values of the pattern's names, if one event matches the pattern.
    pub fn bound(&mut self, pattern: PatternId, what: Happening<'_>) -> Option<Bound> {
        let def = self.program.patterns.get(pattern)?;
        let found = self.bound_apart(pattern, what)?;
        (def.gathers.is_none() || self.holds_for(def, &found)).then_some(found)
    }

    /// The values of the pattern's names, if one event matches the pattern. The condition of a pattern that gathers several events is not
    /// checked, because it is about all events together.
    pub(crate) fn bound_apart(&mut self, pattern: PatternId, what: Happening<'_>) -> Option<Bound> {
        let program = self.program;
        let pattern = program.patterns.get(pattern)?;
        pattern.events.iter().filter(|event| event.verb == what.verb).find_map(|event| self.bound_by(pattern, event, what))
    }

    fn bound_by(&mut self, pattern: &PatternDef, event: &EventDef, what: Happening<'_>) -> Option<Bound> {
        let mut bound = Bound::default();
        // A name for one of several members gets the first member for which the condition is true.
        let mut open: Vec<(u16, &[Value])> = Vec::new();
        if let Some(cause) = event.cause {
            let laid_to = self.of_event(NOW, |eval| eval.caused(cause, what.cause))?;
            if let CauseMatch::Bind(name) | CauseMatch::KindBind(_, name) = cause {
                *bound.values.get_mut(usize::from(name))? = laid_to;
            }
        }
        for (at, wanted) in &event.args {
            let arg = what.args.get(usize::from(*at)).copied().unwrap_or_default();
            match (*wanted, arg) {
                (ArgMatch::Bind(name), Value::List { start, len }) if len > 0 => open.push((name, members(what.lists, (start, len)))),
                (ArgMatch::Bind(name), value) => *bound.values.get_mut(usize::from(name))? = value,
                (ArgMatch::All(_, condition), value) => {
                    let several = if let Value::List { start, len } = value { members(what.lists, (start, len)) } else { &[value] };
                    let fits = several.iter().filter(|member| condition == NodeId::NONE || self.with(**member, condition));
                    bound.members = fits.copied().collect();
                    if bound.members.is_empty() {
                        return None;
                    }
                }
                (wanted, arg) => {
                    let fits = self.argument(wanted, arg, what.lists) || *at == 0 && self.has_come_as_this(wanted, arg, what);
                    if !fits {
                        return None;
                    }
                }
            }
        }
        self.one_of_each(pattern, bound, &open)
    }

    fn one_of_each(&mut self, pattern: &PatternDef, mut bound: Bound, open: &[(u16, &[Value])]) -> Option<Bound> {
        let Some(((name, several), others)) = open.split_first() else {
            return (pattern.gathers.is_some() || self.holds_for(pattern, &bound)).then_some(bound);
        };
        several.iter().find_map(|one| {
            *bound.values.get_mut(usize::from(*name))? = *one;
            self.one_of_each(pattern, bound.clone(), others)
        })
    }

    /// Whether a pattern's condition is true for these values of its names.
    pub(crate) fn holds_for(&mut self, pattern: &PatternDef, bound: &Bound) -> bool {
        if pattern.condition == NodeId::NONE {
            return true;
        }
        let mut lists = Vec::new();
        if pattern.gathers.is_some() {
            lists.extend(self.lists.iter().chain(&bound.members));
        }
        let known = self.locals.iter().copied().chain(std::iter::repeat(Value::Undefined)).take(usize::from(pattern.first.0));
        let count = usize::from(pattern.first.0) + usize::from(pattern.binds);
        let (mut few, mut many) = ([Value::Undefined; FEW_REGISTERS], Vec::new());
        let locals = match few.get_mut(..count) {
            Some(few) => few,
            None => {
                many.resize(count, Value::Undefined);
                many.as_mut_slice()
            }
        };
        for (slot, value) in locals.iter_mut().zip(known.chain(bound.registers(pattern, self.lists.len()))) {
            *slot = value;
        }
        let (holds, noted) = {
            let mut inner = self.with_locals(locals);
            if pattern.gathers.is_some() {
                inner.lists = &lists;
            }
            (inner.holds(pattern.condition), (inner.overflow, inner.peeked, inner.reads.get()))
        };
        self.overflow |= noted.0;
        self.peeked |= noted.1;
        self.read(noted.2);
        holds
    }

    fn argument(&mut self, wanted: ArgMatch, arg: Value, lists: &[Value]) -> bool {
        if let Value::List { start, len } = arg {
            return members(lists, (start, len)).iter().any(|member| self.argument(wanted, *member, &[]));
        }
        match wanted {
            ArgMatch::Bind(_) | ArgMatch::All(..) => true,
            ArgMatch::AnyZone(zone) => {
                matches!(arg, Value::Zone(place) if crate::state::board::zone_of(self.program, place).0 == zone)
            }
            ArgMatch::Is(node) => {
                // The set is read as it is now. Only conditions read the cards as they were at the event.
                self.of_event(NOW, |eval| {
                    let value = eval.value(node);
                    let named = matches!(value, Value::Card(card) if eval.is_pool_card(arg, card));
                    // The question names one card. Its answer would tell the card apart from other hidden cards.
                    if let (Value::Object { .. }, Some((_, object))) = (value, eval.object(value)) {
                        eval.note_unseen(&object);
                    }
                    arg != Value::Undefined && (named || value == arg || eval.contains(node, arg))
                })
            }
        }
    }

    /// Whether a card is this pool card. Notes that the card is read.
    fn is_pool_card(&mut self, card: Value, which: CardId) -> bool {
        let Some((_, object)) = self.object(card) else { return false };
        self.note_unseen(&object);
        object.card == which
    }

    /// Whether `this` is the moved card after its move, while the event has the card as it was before. This counts only for an ability that
    /// works only in the card's new place. An ability that worked before the move has already heard of it as the ability of the card's
    /// earlier life.
    fn has_come_as_this(&self, wanted: ArgMatch, arg: Value, what: Happening<'_>) -> bool {
        let (Value::Object { id, life }, Value::Object { id: moved, life: before }) = (self.this, arg) else { return false };
        let named = matches!(wanted, ArgMatch::Is(node) if self.program.nodes.get(node) == Some(&Node::This));
        if !named || what.verb != Builtin::Move.verb() || id != moved || before.checked_add(1) != Some(life) {
            return false;
        }
        let effect = self.of_effect.and_then(|number| self.state.effects.get(number));
        let Some(Holds::Static(ability)) = effect.map(|effect| effect.holds) else { return false };
        let Some(Value::Zone(from)) = what.args.get(MOVED_FROM).copied() else { return false };
        let Some(object) = self.state.board.object(id) else { return false };
        !crate::effects::works(self.program, &crate::state::board::Object { place: from, ..*object }, ability)
    }

    /// Whether a cause fits a pattern. Gives the value for the name that the pattern binds to the cause.
    fn caused(&mut self, wanted: CauseMatch, cause: Cause) -> Option<Value> {
        let is = |kind| cause.kind() == Some(kind);
        match wanted {
            CauseMatch::Kind(kind) => is(kind).then_some(Value::Undefined),
            CauseMatch::KindOf(kind, node) => (is(kind) && self.is_of(cause, node)).then_some(Value::Undefined),
            CauseMatch::KindBind(kind, _) => (is(kind) && cause.source() != Value::Undefined).then(|| cause.source()),
            CauseMatch::Of(node) => (is(CauseKind::Effect) && self.is_of(cause, node)).then_some(Value::Undefined),
            CauseMatch::Is(node) => {
                let value = self.value(node);
                (value != Value::Undefined && value == cause.value()).then_some(value)
            }
            CauseMatch::Bind(_) => cause.kind().map(|_| cause.value()),
        }
    }

    /// The number of the first effect in force that forbids an action.
    pub fn forbidden(&mut self, what: Happening<'_>) -> Option<u32> {
        let (program, state) = (self.program, self.state);
        state.effects.count_walk(WORK_OF_A_LOOK);
        for effect in &state.effects.in_force {
            let Some(&ClauseKind::Forbid(pattern)) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else { continue };
            if self.watches(effect, effect.clause, pattern, what) {
                influences::note(effect);
                return Some(effect.number);
            }
        }
        None
    }

    /// Whether the pattern of an effect in force matches an action, and the effect's clause counts now.
    pub fn watches(&mut self, effect: &'a Effect, clause: ClauseId, pattern: PatternId, what: Happening<'_>) -> bool {
        if !self.looks_out(effect, clause, pattern, what) {
            return false;
        }
        self.state.effects.asked.work.add(WORK_OF_A_CONDITION);
        // An effect counts as absent inside its own condition.
        let mut inner = self.inside(effect);
        inner.enter(effect.number) && inner.matches(pattern, what)
    }

    /// Whether an effect in force waits for events of this verb, and its clause counts now.
    pub(crate) fn looks_out(&mut self, effect: &'a Effect, clause: ClauseId, pattern: PatternId, what: Happening<'_>) -> bool {
        let def = self.program.patterns.get(pattern);
        def.is_some_and(|def| def.events.iter().any(|event| event.verb == what.verb)) && self.is_active(effect, clause)
    }

    /// Whether some effect in force permits an action.
    pub fn permitted(&mut self, verb: VerbId, args: ArgsId) -> bool {
        let (program, state) = (self.program, self.state);
        let mut values = [Value::Undefined; MOST_ARGUMENTS];
        for (slot, node) in values.iter_mut().zip(program.args_of(args)) {
            *slot = self.value(*node);
        }
        let happening = Happening { verb, args: &values, lists: self.lists, cause: Cause::Rule };
        state.effects.count_walk(WORK_OF_A_LOOK);
        state.effects.in_force.iter().any(|effect| {
            let Some(ClauseKind::Permit(pattern)) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else { return false };
            self.watches(effect, effect.clause, *pattern, happening)
        })
    }

    /// Whether some effect in force assumes a fact with these arguments.
    pub fn assumed(&mut self, fact: FactId, args: ArgsId) -> bool {
        if self.state.effects.assuming == 0 {
            return false;
        }
        let (program, state) = (self.program, self.state);
        let is_about = |effect: &Effect| {
            let clause = program.clauses.get(effect.clause).map(|clause| &clause.kind);
            matches!(clause, Some(ClauseKind::Assume { fact: said, .. }) if *said == fact)
        };
        state.effects.count_walk(WORK_OF_A_LOOK);
        // Most facts are assumed by no effect. Then the arguments are not evaluated.
        let Some(first) = state.effects.in_force.iter().position(|effect| is_about(effect)) else { return false };
        let asked: Few = program.args_of(args).iter().map(|node| self.value(*node)).collect();
        state.effects.in_force.iter().skip(first).any(|effect| self.assumes(effect, fact, &asked))
    }

    /// Whether this effect assumes a fact with these arguments.
    pub(crate) fn assumes(&mut self, effect: &'a Effect, fact: FactId, asked: &[Value]) -> bool {
        let program = self.program;
        let clause = program.clauses.get(effect.clause).map(|clause| &clause.kind);
        let Some(ClauseKind::Assume { fact: said, args }) = clause else { return false };
        if *said != fact || !self.is_active(effect, effect.clause) {
            return false;
        }
        let mut inner = self.inside(effect);
        let said = program.args_of(*args);
        inner.enter(effect.number)
            && said.iter().zip(asked).all(|(said, asked)| *asked != Value::Undefined && inner.contains(*said, *asked))
    }

    /// Whether an action is possible (steps 1 and 2 of an action, without changing anything): its arguments are defined, and nothing
    /// forbids the action. If a builtin verb moves or turns several cards one by one, one possible card is enough.
    pub fn can(&mut self, verb: VerbId, args: ArgsId) -> bool {
        if !self.may_nest() {
            return false;
        }
        let program = self.program;
        let mut values = [Value::Undefined; MOST_ARGUMENTS];
        let mut given = 0;
        let one_by_one = [Builtin::Move, Builtin::TurnUp, Builtin::TurnDown].iter().any(|builtin| builtin.verb() == verb);
        let watched = self.state.effects.watching.get(verb.index()).copied().unwrap_or(0) > 0;
        if !watched && program.verbs.get(verb).is_none_or(|def| def.option.is_none() && def.condition == NodeId::NONE) {
            return self.all_are_given(args, one_by_one);
        }
        // The members of sets among the arguments are put after the existing lists.
        let mut lists = Cow::Borrowed(self.lists);
        let mut members = 0..0;
        for (at, (slot, node)) in values.iter_mut().zip(program.args_of(args)).enumerate() {
            if *node == NodeId::NONE {
                continue;
            }
            given |= 1 << at;
            *slot = self.value(*node);
            let each = one_by_one && at == 0;
            if *slot == Value::Undefined || each {
                let start = lists.len();
                self.each(*node, &mut |_, member| {
                    lists.to_mut().push(member);
                    false
                });
                if lists.len() == start {
                    return false;
                }
                *slot = Value::List { start: start as u32, len: (lists.len() - start) as u16 };
                members = if each { start..lists.len() } else { members };
            }
        }
        if let Some(option) = program.verbs.get(verb).and_then(|verb| verb.option) {
            let count = program.options.get(option).map_or(0, |option| option.params.len());
            let player = values.get(count).and_then(|value| value.player()).unwrap_or(self.you);
            return self.each_play(option, player, (given, values), &mut |_| true);
        }
        let is_free = |eval: &mut Self, args: &[Value; MOST_ARGUMENTS]| {
            let cause = eval.cause;
            eval.forbidden(Happening { verb, args, lists: &lists, cause }).is_none()
        };
        let free = if !watched {
            true
        } else if one_by_one {
            lists.get(members).unwrap_or_default().iter().any(|member| {
                let mut args = values;
                args[0] = *member;
                // The event of a move has the zone in which the card lies, and the zone to which this card would go.
                if verb == Builtin::Move.verb()
                    && let Value::Object { id, .. } = member
                {
                    (args[1], args[4]) = self.state.board.way_of(self.program, *id, args[1]);
                }
                is_free(self, &args)
            })
        } else {
            is_free(self, &values)
        };
        free && self.is_possible(verb, &values, &lists, given)
    }
}

impl Eval<'_> {
    /// Whether each argument has a value, or a member if it is a set. `one_by_one`: the first argument is a set of cards.
    fn all_are_given(&mut self, args: ArgsId, one_by_one: bool) -> bool {
        let program = self.program;
        program.args_of(args).iter().enumerate().all(|(at, node)| {
            if *node == NodeId::NONE {
                return true;
            }
            let is_value = match self.value(*node) {
                Value::Undefined => false,
                Value::Object { .. } => true,
                _ => !(one_by_one && at == 0),
            };
            is_value || self.each(*node, &mut |_, _| true)
        })
    }

    /// Whether the condition in the action's declaration (`when`) is true. Not checked if an argument is not given.
    fn is_possible(&mut self, verb: VerbId, values: &[Value], lists: &[Value], given: u8) -> bool {
        let Some(def) = self.program.verbs.get(verb) else { return true };
        if def.condition == NodeId::NONE || given.count_ones() as usize != def.parameters.len() {
            return true;
        }
        let mut inner = Eval::new(self.program, self.state, values, lists, self.you, self.this);
        inner.carry_on(self);
        inner.holds(def.condition)
    }
}

fn members(lists: &[Value], (start, len): (u32, u16)) -> &[Value] {
    listed(lists, start, len)
}
