//! Finds what an expression reads, with the values that it finds: fields with the effects that change them, states, places, controllers.
//!
//! Goes through the parts that decide, like the evaluation. `cause/grounds.rs` keeps the result until somebody asks what led to an
//! event.

use super::{Answer, Fact, Line};
use crate::eval::Eval;
use crate::ids::{NodeId, Reg};
use crate::program::{Builtin, Node, Op, children};
use crate::value::{ObjectId, Place, Player, Value};

/// The most values that are kept for one expression.
const MOST: usize = 24;
/// The most members of a set that are looked at.
const MOST_MEMBERS: usize = 12;
/// The greatest depth of expressions that is followed.
const DEEPEST: usize = 40;

/// A value that an expression read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Read {
    /// The card, player or zone of the value. Undefined if the value is that of nothing in particular.
    pub of: Value,
    /// How the value came into the expression.
    pub part: Part,
    /// The value, and what made it.
    pub lines: Vec<Line>,
}

/// How a value came into an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It decided a condition that was true, or it was compared.
    Decided,
    /// It made a condition false.
    Failed,
    /// The place of a member of a set that does not fulfil the condition. Not all members have to lie where the condition says.
    Elsewhere,
    /// It was an argument of an action.
    Given,
    /// The condition asks for the kind of this ability, which waits.
    Handled,
}

/// Everything that an expression read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reads {
    /// The values.
    pub found: Vec<Read>,
    /// The registers. Earlier statements have set them.
    pub registers: Vec<Reg>,
    /// The value of the condition, if the expression is one.
    pub result: Option<bool>,
    /// The players who may not know some of this, one bit each.
    pub hidden: u8,
    /// How deep the walk is.
    deep: usize,
    /// In how many sets the walk looks at members.
    of_members: usize,
}

impl Reads {
    fn add(&mut self, of: Value, part: Part, lines: Vec<Line>) {
        let read = Read { of, part, lines };
        if !read.lines.is_empty() && self.found.len() < MOST && !self.found.contains(&read) {
            self.found.push(read);
        }
    }
}

impl Eval<'_> {
    /// Everything that a statement reads, as the statement finds it. None for statements that only change or only jump.
    pub(super) fn reads_of(&mut self, op: &Op) -> Option<Reads> {
        let mut reads = Reads::default();
        self.walk_statement(op, &mut reads)?;
        if reads.found.is_empty() {
            return Some(reads);
        }
        for player in (0..self.program.players).map(Player) {
            let sees = |eval: &Self, value: &Value| match value {
                Value::Object { id, .. } | Value::Ability { of: id, .. } => eval.state.board.sees(eval.program, player, *id),
                _ => true,
            };
            let named = reads.found.iter().flat_map(|read| read.lines.iter().flat_map(|line| line.fact.cards()).chain([read.of]));
            let mut hidden = named.into_iter().any(|value| !sees(self, &value));
            if !hidden {
                let (watcher, peeked) = (self.watcher, self.peeked);
                (self.watcher, self.peeked) = (Some(player), false);
                self.walk_statement(op, &mut Reads::default());
                hidden = self.peeked;
                (self.watcher, self.peeked) = (watcher, peeked);
            }
            reads.hidden |= u8::from(hidden).checked_shl(u32::from(player.0)).unwrap_or(u8::MAX);
        }
        Some(reads)
    }

    /// Everything that a condition reads.
    pub(super) fn reads_of_condition(&mut self, condition: NodeId) -> Reads {
        self.reads_of(&Op::JumpUnless { condition, to: Default::default() }).unwrap_or_default()
    }

    fn walk_statement(&mut self, op: &Op, reads: &mut Reads) -> Option<()> {
        let program = self.program;
        match *op {
            Op::JumpUnless { condition, .. } => {
                reads.result = Some(self.value(condition).is_true());
                self.walk_condition(condition, reads);
            }
            Op::Let { value, .. } => match self.value(value) {
                Value::Bool(is_true) => {
                    reads.result = Some(is_true);
                    self.walk_condition(value, reads);
                }
                Value::Number(_) => self.walk_value(value, Part::Given, reads),
                _ => self.walk_set(value, false, reads),
            },
            Op::LetSet { set, .. } | Op::Iterate { set, .. } | Op::ForkFor { set, .. } => self.walk_set(set, false, reads),
            Op::Perform { args, .. } | Op::Call { args, .. } => {
                program.args_of(args).iter().for_each(|arg| self.walk_argument(*arg, reads))
            }
            // The places of a move are no reasons.
            Op::Builtin { verb: Builtin::Move, args, .. } => {
                program.args_of(args).iter().take(1).for_each(|arg| self.walk_argument(*arg, reads));
            }
            Op::Builtin { args, .. } => program.args_of(args).iter().for_each(|arg| self.walk_argument(*arg, reads)),
            _ => return None,
        }
        Some(())
    }

    /// An argument of an action: a number with what made it, or a set with the conditions on its members.
    fn walk_argument(&mut self, id: NodeId, reads: &mut Reads) {
        if id == NodeId::NONE {
            return;
        }
        match self.value(id) {
            Value::Number(_) => self.walk_value(id, Part::Given, reads),
            _ => self.walk_set(id, false, reads),
        }
    }

    /// The parts of a condition that decide it.
    fn walk_condition(&mut self, id: NodeId, reads: &mut Reads) {
        if reads.deep > DEEPEST || reads.found.len() >= MOST {
            return;
        }
        reads.deep += 1;
        let first = reads.found.len();
        self.walk_part(id, reads);
        reads.deep -= 1;
        // The rules of a condition with citations of its own stand beside what it reads first.
        let cites = self.program.operand(id).and_then(|number| self.program.operands.get(number)).map(|(_, cites)| *cites);
        if let (Some(cites), Some(read)) = (cites, reads.found.get_mut(first))
            && let Some(line) = read.lines.first_mut()
            && !line.cites.contains(&cites)
        {
            line.cites.push(cites);
        }
    }

    fn walk_part(&mut self, id: NodeId, reads: &mut Reads) {
        let Some(&node) = self.program.nodes.get(id) else { return };
        let is_true = self.value(id).is_true();
        let part = if is_true { Part::Decided } else { Part::Failed };
        match node {
            Node::Tallied(of, _) => self.walk_condition(of, reads),
            Node::Not(of) => {
                let before = reads.found.len();
                self.walk_condition(of, reads);
                // What makes the inner condition true makes this one false.
                for read in reads.found.iter_mut().skip(before).filter(|read| matches!(read.part, Part::Decided | Part::Failed)) {
                    read.part = part;
                }
            }
            Node::And(a, b) | Node::Or(a, b) => {
                let decides = matches!(node, Node::Or(..));
                let first = self.value(a).is_true() == decides;
                if first || self.value(b).is_true() != decides {
                    self.walk_condition(a, reads);
                }
                if !first {
                    self.walk_condition(b, reads);
                }
            }
            Node::If(condition, args) => {
                self.walk_condition(condition, reads);
                if let Some(branch) = self.chosen_branch(condition, args) {
                    self.walk_condition(branch, reads);
                }
            }
            Node::With { value, body } => {
                let value = self.value(value);
                self.bind(value, |eval| eval.walk_condition(body, reads));
            }
            Node::Some(set, condition) | Node::All(set, condition) => {
                // The members that decide: those that fulfil a `some`, or that fail an `all`. If there are none: all of them.
                let decisive = matches!(node, Node::Some(..));
                let members = self.members(set);
                let decide = |eval: &mut Self, member: &Value| eval.bind(*member, |eval| eval.value(condition).is_true()) == decisive;
                let mut those: Vec<Value> = members.iter().copied().filter(|member| decide(self, member)).collect();
                if those.is_empty() && !is_true {
                    those = members;
                }
                reads.of_members += 1;
                for member in those.into_iter().take(MOST_MEMBERS) {
                    self.bind(member, |eval| eval.walk_condition(condition, reads));
                }
                reads.of_members -= 1;
            }
            Node::In(a, set) => {
                let value = self.value(a);
                if !is_true {
                    self.add_place(value, reads);
                }
                self.walk_set(set, false, reads);
            }
            Node::Still(a) if !is_true => {
                let value = self.value(a);
                self.add_place(value, reads);
            }
            Node::Compare(_, a, b) => {
                self.walk_value(a, part, reads);
                self.walk_value(b, part, reads);
            }
            Node::IsEmpty(set) | Node::Exists(set) => self.walk_set(set, true, reads),
            Node::IsKind(of, kind) if is_true => {
                if let Value::Pending(number) = self.value(of)
                    && let Some(pending) = self.state.events.waiting(number)
                {
                    let fact = Fact::Handled(pending.source, kind, pending.you);
                    reads.add(pending.source, Part::Handled, vec![Line { depth: 0, fact, cites: Vec::new() }]);
                }
            }
            Node::Can(..) | Node::Usable(..) if !is_true => {
                let mut answer = Answer::default();
                self.why_it_is(id, 0, &mut answer);
                reads.add(Value::Undefined, part, answer.lines);
            }
            _ => self.walk_value(id, part, reads),
        }
    }

    /// A value that is compared or passed on.
    fn walk_value(&mut self, id: NodeId, part: Part, reads: &mut Reads) {
        if reads.deep > DEEPEST || reads.found.len() >= MOST {
            return;
        }
        let Some(&node) = self.program.nodes.get(id) else { return };
        reads.deep += 1;
        match node {
            Node::Field(of, _) | Node::FieldHas(of, ..) | Node::State(of, _) => {
                let (of, mut answer) = (self.value(of), Answer::default());
                self.parts(id, 0, &mut answer);
                // A state that is not set, and a kind as printed, say nothing.
                let is_bare = match answer.lines.first().map(|line| &line.fact) {
                    Some(Fact::State(_, _, value)) => {
                        matches!(value, Value::Undefined | Value::Bool(false) | Value::Number(0) | Value::List { .. })
                    }
                    Some(Fact::AsPrinted(..)) => matches!(node, Node::FieldHas(..)),
                    _ => false,
                };
                if !is_bare {
                    reads.add(of, part, answer.lines);
                }
            }
            Node::Controller(of) => {
                let of = self.value(of);
                if let Some(by) = self.controller_of(of) {
                    let mut answer = Answer::default();
                    let cause = Fact::ControlledBy(of, by);
                    answer.say(0, cause, []);
                    self.part_control(of, 1, &mut answer);
                    if answer.lines.len() > 1 || part == Part::Failed {
                        reads.add(of, part, answer.lines);
                    }
                }
            }
            Node::Local(register) if !reads.registers.contains(&register) => reads.registers.push(register),
            Node::Count(set) | Node::IsEmpty(set) | Node::Exists(set) => self.walk_set(set, true, reads),
            Node::Only(set) | Node::Outer(_, set) | Node::End(_, set) => self.walk_set(set, false, reads),
            Node::If(condition, args) => {
                if let Some(branch) = self.chosen_branch(condition, args) {
                    self.walk_value(branch, part, reads);
                }
            }
            Node::With { value, body } => {
                let value = self.value(value);
                self.bind(value, |eval| eval.walk_value(body, part, reads));
            }
            Node::Fold(_, set, body) => {
                for member in self.members(set).into_iter().take(MOST_MEMBERS) {
                    self.bind(member, |eval| eval.walk_value(body, part, reads));
                }
            }
            Node::Negate(_) | Node::Arithmetic(..) | Node::Least(..) | Node::Greatest(..) | Node::Tallied(..) | Node::Not(_) => {
                let program = self.program;
                let mut inside = Vec::new();
                children(&node, program, &mut |child| inside.push(child));
                for child in inside {
                    self.walk_value(child, part, reads);
                }
            }
            _ => {}
        }
        reads.deep -= 1;
    }

    /// The conditions on the members of a set. `counts`: whether the number of members matters.
    fn walk_set(&mut self, id: NodeId, counts: bool, reads: &mut Reads) {
        if reads.deep > DEEPEST || reads.found.len() >= MOST {
            return;
        }
        let Some(&node) = self.program.nodes.get(id) else { return };
        reads.deep += 1;
        match node {
            Node::Local(register) if !reads.registers.contains(&register) => reads.registers.push(register),
            Node::Where(inner, condition) => {
                reads.of_members += 1;
                for member in self.members(inner).into_iter().take(MOST_MEMBERS) {
                    self.bind(member, |eval| eval.walk_condition(condition, reads));
                }
                reads.of_members -= 1;
                self.walk_set(inner, false, reads);
            }
            Node::Zone(..) if counts => {
                if let Value::Zone(place) = self.value(id) {
                    let count = self.state.board.cards(place).len();
                    let line = Line { depth: 0, fact: Fact::Counted(place, count), cites: Vec::new() };
                    reads.add(Value::Zone(place), Part::Decided, vec![line]);
                }
            }
            Node::If(condition, args) => {
                if let Some(branch) = self.chosen_branch(condition, args) {
                    self.walk_set(branch, counts, reads);
                }
            }
            Node::With { value, body } => {
                let value = self.value(value);
                self.bind(value, |eval| eval.walk_set(body, counts, reads));
            }
            Node::Union(a, b) | Node::Joined(a, b) => {
                self.walk_set(a, counts, reads);
                self.walk_set(b, counts, reads);
            }
            Node::Except(a, _) | Node::Ends(_, a, _) | Node::Tallied(a, _) => self.walk_set(a, counts, reads),
            Node::Only(a) | Node::Outer(_, a) | Node::End(_, a) | Node::Sorted(a, _) => self.walk_set(a, counts, reads),
            _ => {}
        }
        reads.deep -= 1;
    }

    /// The place where a card lies, of a card that is not where it would have to be.
    fn add_place(&mut self, card: Value, reads: &mut Reads) {
        let Value::Object { id, .. } = card else { return };
        let part = if reads.of_members == 0 { Part::Failed } else { Part::Elsewhere };
        if let Some(line) = self.lies_now(id) {
            reads.add(card, part, vec![line]);
        }
    }

    fn lies_now(&self, id: ObjectId) -> Option<Line> {
        let object = self.state.board.object(id).filter(|object| object.place != Place::NOWHERE)?;
        let fact = Fact::Lies(self.state.board.reference(id), object.place, object.face_up);
        Some(Line { depth: 0, fact, cites: Vec::new() })
    }
}
