//! Finds why a condition is false (or true), and why a set lacks members. Only the part that decides is reported: the first false operand
//! of an `and`, the member that fails in an `all`, the effect that forbids the action of a `can`.

use super::{Answer, Fact, Influence, Line, rules_of_effect};
use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::ids::{ArgsId, CitesId, NodeId, Pc, VerbId};
use crate::program::{Builtin, Compare, Node, Principle};
use crate::state::MOST_ARGUMENTS;
use crate::state::board::place_of;
use crate::steps::Why;
use crate::value::Value;

/// The greatest depth of the reported facts.
const DEEPEST: u8 = 7;
/// The most members of a set whose failing is reported.
pub(super) const MOST_MEMBERS: usize = 4;
/// The most facts of an answer. Further parts of conditions are left out.
const MOST_LINES: usize = 40;

impl Eval<'_> {
    /// The branch of an `if` that counts now.
    pub(super) fn chosen_branch(&mut self, condition: NodeId, branches: ArgsId) -> Option<NodeId> {
        let [yes, no] = self.program.args_of(branches) else { return None };
        Some(if self.value(condition).is_true() { *yes } else { *no })
    }

    /// Finds the part of a condition that is false, and the values that it reads.
    pub(super) fn part_that_fails(&mut self, condition: NodeId, answer: &mut Answer) {
        self.why_it_is(condition, 2, answer);
    }

    /// Reports the facts that make a condition true or false. The rules of a part with citations of its own stand beside its first fact.
    pub(super) fn why_it_is(&mut self, id: NodeId, depth: u8, answer: &mut Answer) {
        if depth > DEEPEST || answer.lines.len() >= MOST_LINES {
            return;
        }
        let first = answer.lines.len();
        self.why_node_is(id, depth, answer);
        let cites = self.program.operand(id).and_then(|number| self.program.operands.get(number)).map(|(_, cites)| *cites);
        if let (Some(cites), Some(line)) = (cites, answer.lines.get_mut(first))
            && !line.cites.contains(&cites)
        {
            line.cites.push(cites);
        }
    }

    fn why_node_is(&mut self, id: NodeId, depth: u8, answer: &mut Answer) {
        let Some(&node) = self.program.nodes.get(id) else { return };
        match node {
            Node::Tallied(of, _) | Node::Not(of) => self.why_it_is(of, depth, answer),
            Node::And(a, b) | Node::Or(a, b) => {
                let decides = matches!(node, Node::Or(..));
                let (first, second) = (self.value(a).is_true() == decides, self.value(b).is_true() == decides);
                if first || !second {
                    self.why_it_is(a, depth, answer);
                }
                if !first {
                    self.why_it_is(b, depth, answer);
                }
            }
            Node::If(condition, args) => {
                self.parts(condition, depth, answer);
                if let Some(branch) = self.chosen_branch(condition, args) {
                    self.why_it_is(branch, depth, answer);
                }
            }
            Node::With { value, body } => {
                let value = self.value(value);
                self.bind(value, |eval| eval.why_it_is(body, depth, answer));
            }
            Node::Usable(ability, by) if !self.value(id).is_true() => self.why_unusable(ability, by, depth, answer),
            Node::Compare(op, a, b) => self.why_comparison((id, op), (a, b), depth, answer),
            Node::Can(verb, args) => self.why_cannot((id, verb, args), depth, answer),
            Node::In(a, set) => {
                let value = self.value(a);
                if self.contains(set, value) || value == Value::Undefined {
                    return self.parts(id, depth, answer);
                }
                super::can::outside(self, set, value, (Pc::NOWHERE, &[]), depth, answer);
            }
            Node::All(set, condition) => {
                let failing = self.members(set).into_iter().find(|member| self.bind(*member, |eval| !eval.value(condition).is_true()));
                match failing {
                    Some(member) => self.fails(member, condition, depth, answer),
                    None => self.parts(id, depth, answer),
                }
            }
            Node::Some(set, condition) => {
                let members = self.members(set);
                if self.value(id).is_true() {
                    return self.parts(id, depth, answer);
                }
                if self.lost_ability((set, condition), &members, depth, answer) {
                    return;
                }
                if members.is_empty() {
                    self.why_empty(set, depth, answer);
                } else {
                    for member in self.nearest(members, condition).into_iter().take(MOST_MEMBERS) {
                        self.fails(member, condition, depth, answer);
                    }
                }
            }
            Node::IsEmpty(set) | Node::Exists(set) | Node::Only(set) if self.members(set).is_empty() => self.why_empty(set, depth, answer),
            _ => self.parts(id, depth, answer),
        }
    }

    /// The members in the order in which a reader expects them: those first that fulfil the most of the condition's operands. An ability that
    /// fulfils fewer than another is not meant at all.
    fn nearest(&mut self, mut members: Vec<Value>, condition: NodeId) -> Vec<Value> {
        let fulfilled: Vec<usize> = members.iter().map(|member| self.bind(*member, |eval| eval.fulfilled(condition))).collect();
        let most = fulfilled.iter().copied().max().unwrap_or(0);
        let mut with: Vec<(usize, Value)> = fulfilled.into_iter().zip(members.drain(..)).collect();
        with.retain(|(count, member)| *count == most || !matches!(member, Value::Ability { .. }));
        with.sort_by_key(|(count, _)| most - count);
        with.into_iter().map(|(_, member)| member).collect()
    }

    /// How many operands of a condition are true, up to the first false one.
    pub(super) fn fulfilled(&mut self, condition: NodeId) -> usize {
        match self.program.nodes.get(condition).copied() {
            Some(Node::And(a, b)) => {
                let before = self.fulfilled(a);
                if self.value(a).is_true() { before + self.fulfilled(b) } else { before }
            }
            Some(Node::Tallied(of, _)) => self.fulfilled(of),
            Some(Node::With { value, body }) => {
                let value = self.value(value);
                self.bind(value, |eval| eval.fulfilled(body))
            }
            _ => usize::from(self.value(condition).is_true()),
        }
    }

    /// Reports why an ability cannot be used: its place, its face, an effect, or the number of its uses.
    fn why_unusable(&mut self, ability: NodeId, by: NodeId, depth: u8, answer: &mut Answer) {
        let by = if by == NodeId::NONE { None } else { self.value(by).player() };
        let value @ Value::Ability { of, ability: which, .. } = self.value(ability) else { return };
        let Some(object) = self.state.board.object(of).copied() else { return };
        let Some(def) = self.program.abilities.get(which) else { return };
        let kind = self.program.kinds.get(def.kind);
        let own = super::rules_of_ability(self.program, which);
        match self.unusable(value, by) {
            Some(Why::UsedUp) => {
                let Some(most) = self.state.most_uses(self.program, value) else { return };
                let you = by.or_else(|| self.controller_or_nobody(self.state.board.reference(of))).unwrap_or_default();
                let used = self.state.used(self.program, value, you);
                answer.say(depth, Fact::UsedUp(value, used, most), kind.map(|kind| kind.limit_cites).into_iter().chain(own));
            }
            Some(Why::Disabled(number)) => {
                let effect = self.state.effects.in_force.iter().find(|effect| effect.number == number);
                if let Some(effect) = effect {
                    answer.say(depth, Fact::Disabled(value, Influence::of(effect)), rules_of_effect(self.program, effect));
                }
            }
            Some(Why::Inactive) => answer.say(depth, Fact::Inactive(value, object.place), own),
            _ => {}
        }
    }

    /// Reports that a member does not fulfil a condition, and why.
    fn fails(&mut self, member: Value, condition: NodeId, depth: u8, answer: &mut Answer) {
        let before = answer.lines.len();
        self.bind(member, |eval| eval.why_it_is(condition, depth + 1, answer));
        let beneath = answer.lines.split_off(before);
        self.say_failing(member, beneath, depth, answer);
    }

    /// Says that a member does not fulfil a condition, with the facts below, unless the same has been said of a copy of it.
    pub(super) fn say_failing(&self, member: Value, beneath: Vec<Line>, depth: u8, answer: &mut Answer) {
        if !self.is_told_of_alike((member, depth), &beneath, answer) {
            answer.say(depth, Fact::Fails(member, Pc::NOWHERE), []);
            answer.lines.extend(beneath);
        }
    }

    /// Whether the same facts stand already below this card, or below another copy of it.
    fn is_told_of_alike(&self, (member, depth): (Value, u8), beneath: &[Line], answer: &Answer) -> bool {
        let card = |value: Value| self.object(value).map(|(_, object)| object.card);
        let alike = |value: Value| match (value, member) {
            // Two abilities of one card are not alike.
            (Value::Ability { ability, .. }, Value::Ability { ability: of, .. }) => ability == of,
            _ => value == member || card(member).is_some() && card(member) == card(value),
        };
        let same = |(a, b): (&Line, &Line)| {
            a.depth == b.depth && a.cites == b.cites && std::mem::discriminant(&a.fact) == std::mem::discriminant(&b.fact)
        };
        answer.lines.iter().enumerate().any(|(at, line)| {
            let told = answer.lines.get(at + 1..).unwrap_or_default();
            let below = told.iter().take_while(|line| line.depth > depth);
            let is_of_alike = matches!(line.fact, Fact::Fails(value, Pc::NOWHERE) if alike(value));
            is_of_alike && line.depth == depth && below.clone().count() == beneath.len() && below.zip(beneath).all(same)
        })
    }

    /// Reports why a set has no members: its zone is empty, or its members do not fulfil the condition.
    pub(super) fn why_empty(&mut self, set: NodeId, depth: u8, answer: &mut Answer) {
        let before = answer.lines.len();
        self.left_out_of(set, depth, answer);
        if answer.lines.len() == before && !self.says_nothing_there(set, depth, answer) {
            self.part_set(set, depth, answer);
        }
    }

    /// Reports in words that nothing is in a set that the rules name: a role, the waiting abilities, a zone of all players. Gives whether the
    /// set is such a set.
    fn says_nothing_there(&mut self, set: NodeId, depth: u8, answer: &mut Answer) -> bool {
        let program = self.program;
        let (fact, cites) = match program.nodes.get(set).copied() {
            Some(Node::Role(role)) => (Fact::NoHolder(role), program.roles.get(role).map(|role| role.name.cites)),
            Some(Node::Pending) => (Fact::NoneWaits(None), None),
            Some(Node::Waiting(zone, whose)) => {
                let whose = if whose == NodeId::NONE { None } else { self.value(whose).player() };
                let place = place_of(program, zone, whose.unwrap_or_default());
                (Fact::NoneWaits(Some(place)), program.zones.get(zone).map(|zone| zone.name.cites))
            }
            Some(Node::ZoneOfAll(zone)) => (Fact::NoneInAny(zone), program.zones.get(zone).map(|zone| zone.name.cites)),
            _ => return false,
        };
        answer.say(depth, fact, cites);
        true
    }

    /// Reports members that a set leaves out because they do not fulfil its condition, and why they do not.
    fn left_out_of(&mut self, set: NodeId, depth: u8, answer: &mut Answer) {
        if depth > DEEPEST {
            return;
        }
        match self.program.nodes.get(set).copied() {
            Some(Node::Where(inner, condition)) => {
                let members = self.members(inner);
                if self.lost_ability((inner, condition), &members, depth, answer) {
                    return;
                }
                if members.is_empty() {
                    return self.why_empty(inner, depth, answer);
                }
                let fails = |eval: &mut Self, member: &Value| eval.bind(*member, |eval| !eval.value(condition).is_true());
                let failing: Vec<Value> = members.into_iter().filter(|member| fails(self, member)).take(MOST_MEMBERS).collect();
                for member in failing {
                    self.fails(member, condition, depth, answer);
                }
            }
            Some(Node::Union(a, b) | Node::Joined(a, b)) => {
                self.left_out_of(a, depth, answer);
                self.left_out_of(b, depth, answer);
            }
            Some(Node::Except(a, _)) => self.left_out_of(a, depth, answer),
            Some(Node::With { value, body }) => {
                let value = self.value(value);
                self.bind(value, |eval| eval.left_out_of(body, depth, answer));
            }
            Some(Node::If(condition, args)) => {
                if let Some(branch) = self.chosen_branch(condition, args) {
                    self.left_out_of(branch, depth, answer);
                }
            }
            _ => {}
        }
    }

    /// Reports the values of a comparison. If it is false because too few members are counted, also the members that do not count.
    fn why_comparison(&mut self, (id, op): (NodeId, Compare), (a, b): (NodeId, NodeId), depth: u8, answer: &mut Answer) {
        if self.value(id).is_true() {
            return self.parts(id, depth, answer);
        }
        let (left, right) = (self.value(a), self.value(b));
        let told = |value: Value| !matches!(value, Value::Undefined | Value::List { .. });
        if told(left) && told(right) {
            // The side about which there is something to say comes first, before what is said of it.
            let mut of_left = Answer::default();
            self.parts(a, depth, &mut of_left);
            let is_bare = of_left.lines.is_empty();
            answer.say(depth, if is_bare { Fact::Compares(op.mirrored(), right, left) } else { Fact::Compares(op, left, right) }, []);
        }
        self.parts(id, depth, answer);
        let fewer = |less: Value, more: Value| less.number().zip(more.number()).is_some_and(|(less, more)| less < more);
        for (counted, other, node) in [(left, right, a), (right, left, b)] {
            if let Some(Node::Count(set)) = self.program.nodes.get(node).copied()
                && fewer(counted, other)
            {
                self.left_out_of(set, depth, answer);
            }
        }
    }

    /// Reports what makes an action impossible: the effect that forbids it, or the part of its condition that is false.
    fn why_cannot(&mut self, (id, verb, args): (NodeId, VerbId, ArgsId), depth: u8, answer: &mut Answer) {
        if self.value(id).is_true() {
            return;
        }
        let program = self.program;
        let mut lists = self.lists.to_vec();
        let mut values = [Value::Undefined; MOST_ARGUMENTS];
        let mut all_given = true;
        for (slot, node) in values.iter_mut().zip(program.args_of(args)).filter(|(_, node)| **node != NodeId::NONE) {
            *slot = self.value(*node);
            if *slot == Value::Undefined {
                let members = self.members(*node);
                all_given &= !members.is_empty();
                // An action on several cards is decided card by card.
                *slot = match members.as_slice() {
                    [] => Value::Undefined,
                    [only] => *only,
                    [first, ..] if one_by_one(verb) => *first,
                    several => {
                        let start = lists.len() as u32;
                        lists.extend_from_slice(several);
                        Value::List { start, len: several.len() as u16 }
                    }
                };
            }
        }
        let Some(def) = program.verbs.get(verb) else { return };
        let shown = values.map(|value| if matches!(value, Value::List { .. }) { Value::Undefined } else { value });
        answer.say(depth, Fact::Cannot(verb, shown), [def.name.cites]);
        if !all_given || def.option.is_some() {
            return;
        }
        if let (true, Value::Object { id, .. }) = (verb == Builtin::Move.verb(), values[0]) {
            (values[1], values[4]) = self.state.board.way_of(program, id, values[1]);
        }
        let cause = self.cause;
        if let Some(effect) =
            self.forbidden(Happening { verb, args: &values, lists: &lists, cause }).and_then(|number| self.state.effects.get(number))
        {
            let cites: Vec<CitesId> =
                rules_of_effect(program, effect).into_iter().chain([program.principle(Principle::Forbidden)]).collect();
            return answer.say(depth + 1, Fact::Forbidden(Influence::of(effect)), cites);
        }
        if def.condition != NodeId::NONE {
            let mut inner = Eval::new(program, self.state, &values, &lists, self.you, self.this);
            inner.carry_on(self);
            if !inner.too_deep() && !inner.value(def.condition).is_true() {
                inner.why_it_is(def.condition, depth + 1, answer);
            }
            let peeked = inner.peeked;
            self.peeked |= peeked;
        }
    }
}

/// Whether effects decide about each card of the action by itself.
fn one_by_one(verb: VerbId) -> bool {
    [Builtin::Move, Builtin::TurnUp, Builtin::TurnDown].iter().any(|builtin| builtin.verb() == verb)
}
