//! Explains where a value comes from: fields with their printed value and each effect in force that changed them, states, counts.
//!
//! Walks through an expression like the evaluation: only through the branch that was taken, and only as far as the evaluation went.

use super::{Answer, Fact, Influence, rules_of_effect, rules_of_layers};
use crate::eval::changes::{by_set, defines, stay_beside_a_set};
use crate::eval::{Eval, divided};
use crate::ids::{FieldId, NodeId};
use crate::limits::SUPPOSED;
use crate::program::{ChangeDef, ChangeKind, ClauseKind, FieldDef, Node, Principle, Program};
use crate::state::{Circle, Effect, Holds, State};
use crate::value::{Player, Value};

/// The greatest depth of computed fields inside computed fields that is explained.
const DEEPEST: u8 = 6;
/// The most members of a set that are named. Larger sets are only counted.
const MOST_MEMBERS: usize = 12;

/// The value of an expression, and where it comes from. If a seat asks, only facts that the seat may know.
#[must_use]
pub fn explain(program: &Program, state: &State, (node, is_set): (NodeId, bool), seat: Option<Player>) -> Answer {
    let mut answer = Answer::default();
    let mut eval = Eval::new(program, state, &[], &[], seat.unwrap_or_default(), Value::Undefined);
    eval.watcher = seat;
    let circles = state.circles(program, || eval.explain(node, is_set, &mut answer));
    part_circles((program, state), &circles, &mut answer);
    if eval.peeked {
        answer = Answer::default();
        answer.say(0, Fact::Hidden, []);
    }
    answer
}

/// Adds the circles of effects that count for the answer. In a game with layers these are the circles of effects that the answer names.
fn part_circles((program, state): (&Program, &State), circles: &[Circle], answer: &mut Answer) {
    let named = |number: u32| {
        let of = |fact: &Fact| fact.influence().is_some_and(|by| by.number == number);
        let other = |fact: &Fact| matches!(fact, Fact::Silenced(_, Some(by)) if by.number == number);
        answer.lines.iter().any(|line| of(&line.fact) || other(&line.fact))
    };
    let counts = |circle: &&Circle| program.layers.is_empty() || circle.members().any(named);
    let told: Vec<&Circle> = circles.iter().filter(counts).collect();
    for circle in told {
        let all = |numbers: &[u32]| numbers.iter().filter_map(|number| state.effects.get(*number)).map(Influence::of).collect();
        answer.say(1, Fact::InCircle(all(&circle.first), all(&circle.others)), [program.principle(Principle::EffectCircle)]);
    }
}

impl<'a> Eval<'a> {
    /// Adds the value of an expression, and where it comes from.
    fn explain(&mut self, node: NodeId, is_set: bool, answer: &mut Answer) {
        let values = self.several(node, is_set);
        // If a condition is false, the answer names the part that decides.
        let is_false = values.as_slice() == [Value::Bool(false)];
        answer.say(0, Fact::Is(values), []);
        if is_false {
            return self.why_it_is(node, 1, answer);
        }
        self.parts(node, 1, answer);
    }

    /// A value as a list: the members of a set, or nothing for undefined.
    fn several(&mut self, node: NodeId, is_set: bool) -> Vec<Value> {
        if !is_set {
            return vec![self.value(node)];
        }
        let mut members = Vec::new();
        self.each(node, &mut |_, member| {
            members.push(member);
            false
        });
        members
    }

    /// Adds the parts of an expression that were evaluated.
    pub(super) fn parts(&mut self, id: NodeId, depth: u8, answer: &mut Answer) {
        let Some(&node) = self.program.nodes.get(id) else { return };
        match node {
            Node::Field(card, field) | Node::FieldHas(card, field, _) => {
                let card = self.value(card);
                self.part_field(card, field, depth, answer);
            }
            Node::IsType(card, _) => {
                let card = self.value(card);
                if let Some(field) = self.program.type_field {
                    self.part_field(card, field, depth, answer);
                }
            }
            Node::Printed(card, field) => {
                let card = self.value(card);
                let printed = self.printed(card, field);
                let cites = self.program.fields.get(field).map(|field| field.name.cites);
                answer.say(depth, Fact::Field(card, field, vec![printed]), cites);
            }
            Node::State(subject, state) => {
                let of = self.value(subject);
                let value = self.value(id);
                let cites = self.program.states.get(state).map(|state| state.name.cites);
                answer.say(depth, Fact::State(of, state, value), cites);
            }
            Node::Not(a) | Node::Negate(a) | Node::Exists(a) | Node::Tallied(a, _) => self.parts(a, depth, answer),
            Node::And(a, b) | Node::Or(a, b) => {
                self.parts(a, depth, answer);
                if self.value(a).is_true() == matches!(node, Node::And(..)) {
                    self.parts(b, depth, answer);
                }
            }
            Node::Arithmetic(_, a, b) | Node::Compare(_, a, b) | Node::Least(a, b) | Node::Greatest(a, b) => {
                self.parts(a, depth, answer);
                self.parts(b, depth, answer);
            }
            Node::If(condition, args) => {
                self.parts(condition, depth, answer);
                if let Some(branch) = self.chosen_branch(condition, args) {
                    self.parts(branch, depth, answer);
                }
            }
            Node::With { value, body } => {
                self.parts(value, depth, answer);
                let value = self.value(value);
                self.bind(value, |eval| eval.parts(body, depth, answer));
            }
            Node::In(a, set) => {
                self.parts(a, depth, answer);
                self.part_set(set, depth, answer);
            }
            Node::Count(set) | Node::IsEmpty(set) | Node::Some(set, _) | Node::All(set, _) => self.part_set(set, depth, answer),
            Node::Fold(_, set, _) | Node::Distinct(set, _) | Node::Sorted(set, _) => self.part_set(set, depth, answer),
            Node::SameSets(a, b) => {
                self.part_set(a, depth, answer);
                self.part_set(b, depth, answer);
            }
            Node::Without(read, effects) => {
                let left_out = self.left_out(effects);
                answer.say(depth, Fact::Without(left_out), []);
                self.without(effects, |inner| inner.parts(read, depth, answer));
            }
            Node::Due(of, slot, key) => self.part_cost(of, (slot, Some(key), NodeId::NONE), depth, answer),
            Node::Payable(of, slot, without) => self.part_cost(of, (slot, None, without), depth, answer),
            Node::Matches(of) => self.part_unmatched(of, depth, answer),
            Node::Permitted(verb, args) => self.part_permitted((verb, args), depth, answer),
            Node::Fact(fact, args, otherwise) => {
                self.parts(otherwise, depth, answer);
                self.part_assumed((fact, args), depth, answer);
            }
            Node::Controller(card) => {
                let card = self.value(card);
                self.part_control(card, depth, answer);
            }
            Node::ZoneOf(card) | Node::FaceUp(card) => {
                if let Some((_, object)) = self.card(card) {
                    let card = self.value(card);
                    answer.say(depth, Fact::Lies(card, object.place, object.face_up), []);
                }
            }
            _ => {}
        }
    }

    /// Adds the effects that give control of a card, the oldest first. The latest counts, unless another effect disables it or keeps it off.
    pub(super) fn part_control(&mut self, card: Value, depth: u8, answer: &mut Answer) {
        let (program, state) = (self.program, self.state);
        for effect in state.effects.in_force.iter().filter(|_| !self.state.board.is_over(card)) {
            let Some(clause) = program.clauses.get(effect.clause) else { continue };
            let ClauseKind::Control { what, by } = clause.kind else { continue };
            if self.applies(effect, clause.condition, what, card) {
                let rules = rules_of_effect(program, effect);
                if let Some(number) = self.silenced(effect) {
                    let other = state.effects.get(number).map(Influence::of);
                    answer.say(depth, Fact::Silenced(Influence::of(effect), other), rules);
                    continue;
                }
                if let Some(shield) = self.shielded_by(card, effect).and_then(|number| state.effects.get(number)) {
                    let cites = rules.into_iter().chain(rules_of_effect(program, shield));
                    answer.say(depth, Fact::KeptOff(Influence::of(effect), Influence::of(shield)), cites);
                    continue;
                }
                let by = effect.amounts.first().copied().unwrap_or_else(|| self.inside(effect).value(by));
                answer.say(depth, Fact::Changed(Influence::of(effect), ChangeKind::Set, by, vec![by]), rules);
            }
        }
    }

    pub(super) fn part_set(&mut self, set: NodeId, depth: u8, answer: &mut Answer) {
        if let Some(Node::Zone(..)) = self.program.nodes.get(set)
            && let Value::Zone(place) = self.value(set)
        {
            return answer.say(depth, Fact::Counted(place, self.state.board.cards(place).len()), []);
        }
        let members = self.several(set, true);
        if members.len() <= MOST_MEMBERS {
            answer.say(depth, Fact::Members(members), []);
        }
    }

    /// Adds a field of a card, with everything that made its value.
    fn part_field(&mut self, card: Value, field: FieldId, depth: u8, answer: &mut Answer) {
        let (program, state) = (self.program, self.state);
        if let (Value::Player(_), Some(def)) = (card, program.fields.get(field)) {
            return self.part_of_player(card, (field, def), depth, answer);
        }
        let (Some((id, object)), Some(def)) = (self.object(card), program.fields.get(field)) else { return };
        self.look_at(id, &object);
        let card = if card.lives(object.life) { state.board.reference(id) } else { card };
        let told = |line: &super::Line| matches!(&line.fact, Fact::Field(of, which, _) | Fact::AsPrinted(of, which, _) if *of == card && *which == field);
        if answer.lines.iter().any(told) || depth > DEEPEST {
            return;
        }
        let now = if def.set { self.field_members(card, field).into_vec() } else { vec![self.field(card, field)] };
        answer.say(depth, Fact::Field(card, field, now), [def.name.cites]);
        if def.derived.is_some() {
            return self.part_computed((card, state.board.reference(id)), (field, def), depth, answer);
        }
        if self.is_over(card) {
            // The last known state was kept as a value, so its changes are not known.
            return;
        }
        let printed = self.plain(&object, field);
        let printed = if def.set { self.original_members(card, field).into_vec() } else { vec![printed] };
        answer.say(depth + 1, Fact::Printed(printed.clone()), []);
        let before = answer.lines.len();
        if card.lives(object.life) {
            self.part_changes(card, (field, def), printed, depth + 1, answer);
        }
        // If nothing changes the field, one line is enough.
        if answer.lines.len() == before
            && answer.lines.pop().is_some()
            && let Some(line) = answer.lines.last_mut()
            && let Fact::Field(card, field, now) = &line.fact
        {
            line.fact = Fact::AsPrinted(*card, *field, now.clone());
        }
    }

    /// Adds what a computed field of a card is computed from, then the changes by effects.
    fn part_computed(&mut self, (card, this): (Value, Value), (field, def): (FieldId, &FieldDef), depth: u8, answer: &mut Answer) {
        let (Some(rules_say), Some((_, object))) = (def.derived, self.object(card)) else { return };
        let mut inner = Eval::new(self.program, self.state, &[], &[], object.owner, this);
        inner.carry_on(self);
        if inner.too_deep() {
            return;
        }
        // If no effect changes the field, its value is the value of the expression, and stands above.
        let changed = card == this && !self.changes_in_order(field, card).is_empty();
        let base = inner.value(rules_say);
        if changed {
            answer.say(depth + 1, Fact::BeforeEffects(vec![base]), []);
        }
        inner.parts(rules_say, depth + 1 + u8::from(changed), answer);
        self.peeked |= inner.peeked;
        if changed {
            self.part_changes(card, (field, def), vec![base], depth + 1, answer);
        }
    }

    /// Adds a property of a player: the value that the rules give, and the changes by effects.
    fn part_of_player(&mut self, of: Value, (field, def): (FieldId, &FieldDef), depth: u8, answer: &mut Answer) {
        let (now, base) = (self.field(of, field), self.printed(of, field));
        answer.say(depth, Fact::Field(of, field, vec![now]), [def.name.cites]);
        if let Some(rules_say) = def.derived {
            let owner = of.player().unwrap_or(self.you);
            answer.say(depth + 1, Fact::BeforeEffects(vec![base]), []);
            let mut inner = Eval::new(self.program, self.state, &[], &[], owner, Value::Undefined);
            inner.carry_on(self);
            if !inner.too_deep() {
                inner.parts(rules_say, depth + 2, answer);
            }
            self.peeked |= inner.peeked;
        }
        self.part_changes(of, (field, def), vec![base], depth + 1, answer);
    }

    /// Adds the changes of a field in the order in which they count: changes of the printed value first, then the others. Without layers,
    /// the oldest change comes first and lower bounds come last.
    fn part_changes(&mut self, card: Value, (field, def): (FieldId, &FieldDef), printed: Vec<Value>, depth: u8, answer: &mut Answer) {
        let mut now = printed;
        let mut layer = None;
        let row = self.changes_in_order(field, card);
        let counted: Vec<u32> = row.iter().map(|(_, (effect, ..))| effect.number).collect();
        for (at, (effect, kind, amount)) in row {
            let by = Influence::of(effect);
            // In a game with layers, an ability that is lost in a later layer still counts in this one.
            if let Some(number) = self.silenced(effect).filter(|_| at.is_none()) {
                let other = self.state.effects.get(number).map(Influence::of);
                answer.say(depth, Fact::Silenced(by, other), rules_of_effect(self.program, effect));
                continue;
            }
            if let (ChangeKind::Multiply | ChangeKind::Divide, Some(least), [Value::Number(number)]) = (kind, def.at_least, now.as_slice())
                && *number < least
            {
                answer.say(depth, Fact::Floored(least, *number), [def.at_least_cites]);
                now = vec![Value::Number(least)];
            }
            if !def.set && now == [Value::Undefined] && needs_a_value(kind, amount, self.program.policies.missing_is_left_out) {
                answer.say(depth, Fact::NoValue(by), rules_of_effect(self.program, effect));
                continue;
            }
            let before = std::mem::take(&mut now);
            now = changed(before.clone(), def.set, kind, amount);
            let idle = matches!(kind, ChangeKind::Add | ChangeKind::Subtract) && amount == Value::Number(0);
            if idle || kind == ChangeKind::Floor && now == before {
                continue;
            }
            let mut depth = depth;
            if let Some((of, behind)) = at {
                depth += 1;
                if layer.replace(of) != Some(of) {
                    answer.say(depth - 1, Fact::InLayer(of), self.program.layers.get(usize::from(of)).map(|layer| layer.cites));
                }
                if let Some(other) = behind.and_then(|number| self.state.effects.get(number)) {
                    answer.say(depth, Fact::Depends(Influence::of(other)), []);
                }
            }
            answer.say(depth, Fact::Changed(by, kind, amount, now.clone()), rules_of_effect(self.program, effect));
            if let Holds::Granted(_, number) = effect.holds
                && let Some(giver) = self.state.effects.get(number)
            {
                answer.say(depth + 1, Fact::GivenBy(Influence::of(giver)), rules_of_effect(self.program, giver));
            }
        }
        if let (Some(least), [Value::Number(number)]) = (def.at_least, now.as_slice())
            && *number < least
        {
            answer.say(depth, Fact::Floored(least, *number), [def.at_least_cites]);
        }
        self.part_silenced((card, field), &counted, depth, answer);
        self.part_passed_by((card, field), &counted, depth, answer);
        self.part_kept_off(card, field, depth, answer);
        self.part_asleep((card, field), depth, answer);
    }

    /// Adds the effects that would change a field of a card in a game with layers, if their abilities were not disabled before. `counted` are
    /// the effects that do change it.
    fn part_silenced(&mut self, (card, field): (Value, FieldId), counted: &[u32], depth: u8, answer: &mut Answer) {
        let (program, state) = (self.program, self.state);
        if program.layers.is_empty() {
            return;
        }
        for effect in &state.effects.in_force {
            let Some(number) = self.silenced(effect).filter(|_| !counted.contains(&effect.number)) else { continue };
            if !self.changes_by(effect, field, card).is_empty() {
                let other = state.effects.get(number).map(Influence::of);
                answer.say(depth, Fact::Silenced(Influence::of(effect), other), rules_of_effect(program, effect));
            }
        }
    }

    /// Adds the effects that pass a card by, because another effect has changed the card and so taken it out of their sets. `counted` are the
    /// effects that do change the field.
    fn part_passed_by(&mut self, (card, field): (Value, FieldId), counted: &[u32], depth: u8, answer: &mut Answer) {
        let (program, state) = (self.program, self.state);
        let may_change = |effect: &Effect| {
            let clause = program.clauses.get(effect.clause).map(|clause| &clause.kind);
            let changes = matches!(clause, Some(ClauseKind::Modify { changes, .. }) if changes.iter().any(|change| change.field == field));
            changes && !counted.contains(&effect.number)
        };
        if state.effects.supposed >= SUPPOSED || self.too_deep() || !state.effects.in_force.iter().any(|effect| may_change(effect)) {
            return;
        }
        let from = answer.lines.len();
        for changer in self.effects_on(card).into_iter().take(MOST_MEMBERS) {
            let Value::Effect(number) = changer else { continue };
            let Some(changer) = state.effects.get(number) else { continue };
            let mut copy = state.clone();
            copy.leave_out(program, &[number], self.upto);
            let mut inner = self.elsewhere(&copy);
            let would: Vec<u32> = inner.changes_in_order(field, card).iter().map(|(_, (effect, ..))| effect.number).collect();
            self.peeked |= inner.peeked;
            for effect in would.into_iter().filter_map(|other| state.effects.get(other)) {
                let is_told = |line: &super::Line| line.fact.influence().is_some_and(|by| by.number == effect.number);
                let is_kept_off = self.silenced(effect).is_some() || self.shielded_by(card, effect).is_some();
                if may_change(effect) && !is_kept_off && !answer.lines.iter().skip(from).any(is_told) {
                    let layers = program.clauses.get(changer.clause).into_iter().flat_map(|clause| rules_of_layers(program, clause));
                    let rules = rules_of_effect(program, changer).into_iter().chain(layers);
                    answer.say(depth, Fact::PassedBy(Influence::of(effect), Influence::of(changer)), rules);
                }
            }
        }
    }

    /// Adds the effects that would change a field of a card if a shield did not keep them off.
    fn part_kept_off(&mut self, card: Value, field: FieldId, depth: u8, answer: &mut Answer) {
        let (program, state) = (self.program, self.state);
        if state.effects.shielding == 0 {
            return;
        }
        for effect in &state.effects.in_force {
            let Some(clause) = program.clauses.get(effect.clause) else { continue };
            let ClauseKind::Modify { what, changes } = &clause.kind else { continue };
            let changes_it = |change: &ChangeDef| change.field == field && !defines(effect, change.op, card);
            if !changes.iter().any(changes_it) || !self.applies(effect, clause.condition, *what, card) || self.silenced(effect).is_some() {
                continue;
            }
            let Some(shield) = self.shielded_by(card, effect).and_then(|number| state.effects.get(number)) else { continue };
            let cites = rules_of_effect(program, effect).into_iter().chain(rules_of_effect(program, shield));
            answer.say(depth, Fact::KeptOff(Influence::of(effect), Influence::of(shield)), cites);
        }
        for (effect, shield) in self.kept_from_turning(card, field) {
            let (Some(effect), Some(shield)) = (state.effects.get(effect), state.effects.get(shield)) else { continue };
            let cites = rules_of_effect(program, effect).into_iter().chain(rules_of_effect(program, shield));
            answer.say(depth, Fact::KeptOff(Influence::of(effect), Influence::of(shield)), cites);
        }
    }

    /// The changes of a field of a card, in the order in which they apply. In a game with layers each comes with its layer, and with the
    /// younger effect that it waits for.
    fn changes_in_order(&mut self, field: FieldId, card: Value) -> Vec<(Option<(u8, Option<u32>)>, Applied<'a>)> {
        let state = self.state;
        let mut found = Vec::new();
        if self.program.layers.is_empty() {
            for effect in &state.effects.in_force {
                let changes = self.changes_by(effect, field, card);
                found.extend(changes.into_iter().map(|(kind, amount)| (None, (effect.as_ref(), kind, amount))));
            }
            found.sort_by_key(|(_, (_, kind, amount))| floors_last(*kind, *amount));
        } else {
            let mut ages = Vec::new();
            for (at, part) in state.effects.order.iter().enumerate() {
                let Some((effect, change, extent)) = self.part(at) else { continue };
                if change.field != field || !extent.has(card) {
                    continue;
                }
                let place = Some((part.layer, self.waits_for(at)));
                if change.many {
                    found.extend(by_set(change.op, &extent.many).map(|(kind, member)| (place, (effect, kind, member))));
                } else {
                    found.push((place, (effect, change.op, extent.amount)));
                }
                ages.resize(found.len(), part.age());
            }
            if self.program.policies.set_is_over_older {
                let kinds: Vec<ChangeKind> = found.iter().map(|(_, (_, kind, _))| *kind).collect();
                let mut stays = stay_beside_a_set(&kinds, &ages).into_iter();
                found.retain(|_| stays.next().unwrap_or(true));
            }
        }
        let kept_off = self.kept_from_turning(card, field);
        let is_kept_off =
            |(effect, kind, _): &Applied<'_>| !defines(effect, *kind, card) && kept_off.iter().any(|(by, _)| *by == effect.number);
        found.retain(|(_, change)| !is_kept_off(change));
        // Changes of the printed value come before all others.
        found.sort_by_key(|(_, (_, kind, _))| !kind.is_of_printed());
        found
    }

    /// The younger effect on which a part depends. So the part stands after this effect in the row.
    fn waits_for(&self, at: usize) -> Option<u32> {
        let order = &self.state.effects.order;
        let part = order.get(at)?;
        let before = order.get(..at)?.iter().filter(|other| other.layer == part.layer && other.rank() > part.rank());
        before.filter(|other| self.state.is_looked_at(self.program, part, other)).map(|other| other.effect).next()
    }

    /// The changes of a field of a card by one effect, even if the effect's ability is disabled.
    pub(super) fn changes_by(&mut self, effect: &'a Effect, field: FieldId, card: Value) -> Vec<(ChangeKind, Value)> {
        let Some(clause) = self.program.clauses.get(effect.clause) else { return Vec::new() };
        let ClauseKind::Modify { what, changes } = &clause.kind else { return Vec::new() };
        if !changes.iter().any(|change| change.field == field) || !self.applies(effect, clause.condition, *what, card) {
            return Vec::new();
        }
        let kept_off = self.is_shielded(card, effect);
        let of_field = changes.iter().enumerate().filter(|(_, change)| change.field == field);
        let mut found = Vec::new();
        for (index, change) in of_field.filter(|(_, change)| !kept_off || defines(effect, change.op, card)) {
            if change.many {
                let members = self.amounts_of(effect, index, change.value);
                found.extend(by_set(change.op, &members));
            } else {
                found.push((change.op, self.amount(effect, index, change)));
            }
        }
        let takes_away = |kind: ChangeKind| matches!(kind, ChangeKind::Remove | ChangeKind::RemovePrinted);
        found.into_iter().filter(|(kind, amount)| *amount != Value::Undefined || takes_away(*kind)).collect()
    }
}

/// An effect that changes a field: the kind and the amount of the change.
type Applied<'a> = (&'a Effect, ChangeKind, Value);

/// A sort key that puts lower bounds last, the larger ones first among them.
fn floors_last(kind: ChangeKind, amount: Value) -> (bool, i64) {
    let floor = kind == ChangeKind::Floor;
    (floor, if floor { -i64::from(amount.number().unwrap_or(0)) } else { 0 })
}

/// Whether a change of this kind does nothing to a card without a value. `left_out`: setting a value does nothing to such a card either.
fn needs_a_value(kind: ChangeKind, amount: Value, left_out: bool) -> bool {
    match kind {
        ChangeKind::Add | ChangeKind::Subtract | ChangeKind::Multiply | ChangeKind::Divide | ChangeKind::Floor => true,
        ChangeKind::AddPrinted => amount.number().is_some(),
        ChangeKind::Set => left_out,
        ChangeKind::SetPrinted | ChangeKind::RemovePrinted | ChangeKind::Provide | ChangeKind::Remove => false,
    }
}

fn changed(now: Vec<Value>, set: bool, kind: ChangeKind, amount: Value) -> Vec<Value> {
    if set {
        return match kind {
            ChangeKind::Add | ChangeKind::AddPrinted if now.contains(&amount) => now,
            ChangeKind::Add | ChangeKind::AddPrinted => [now, vec![amount]].concat(),
            ChangeKind::Subtract => now.into_iter().filter(|member| *member != amount).collect(),
            ChangeKind::Provide if !now.is_empty() => now,
            ChangeKind::Remove | ChangeKind::RemovePrinted => Vec::new(),
            _ => vec![amount],
        };
    }
    match (kind, now.as_slice()) {
        (ChangeKind::Remove, _) => return vec![Value::Undefined],
        (ChangeKind::Provide, [before]) if *before != Value::Undefined => return now,
        _ => {}
    }
    let (Some(before), Value::Number(by)) = (now.first().and_then(|value| value.number()), amount) else { return vec![amount] };
    let after = match kind {
        ChangeKind::Add => before.checked_add(by),
        ChangeKind::Subtract => before.checked_sub(by),
        ChangeKind::Multiply => before.checked_mul(by),
        ChangeKind::Divide => divided(before, by),
        ChangeKind::Floor => Some(before.max(by)),
        ChangeKind::Set | ChangeKind::SetPrinted | ChangeKind::AddPrinted | ChangeKind::Provide => Some(by),
        ChangeKind::Remove | ChangeKind::RemovePrinted => None,
    };
    vec![after.map_or(Value::Undefined, Value::Number)]
}
