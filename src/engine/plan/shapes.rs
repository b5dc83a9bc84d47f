//! Shapes of expressions: the commonest nodes, prepared once for a program, so that their values take few steps.
//!
//! Input: a program. Output: for each node a small record with resolved operands: which row of the zone slab, which register, a table
//! instead of a tree of comparisons. [`crate::eval::quick`] reads shapes, and gives no value for a node without one.
//! [`crate::eval`] alone defines the meaning of nodes.

use crate::ids::{EnumId, FieldId, Id, NodeId, Reg, StateId, Table, ZoneId};
use crate::program::{Arithmetic, Compare, Node, Program};
use crate::value::{Place, Value};

/// The zone of the player in a register, or a shared zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The place of the zone for player 0.
    pub first: u16,
    /// The distance from one player's place to the next one's. 0 for a shared zone.
    pub row: u16,
    /// The register with the player.
    pub of: Reg,
}

/// The short form of a node, if its value takes few steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// The node needs an evaluation.
    Tree,
    Const(Value),
    Local(Reg),
    You,
    This,
    Done,
    Not(NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Compare(Compare, NodeId, NodeId),
    Arithmetic(Arithmetic, NodeId, NodeId),
    /// A function of two enum values, as a table.
    Pair(u16, NodeId, NodeId),
    If(NodeId, NodeId, NodeId),
    Zone(Spot),
    ZoneOf {
        first: u16,
        row: u16,
        player: NodeId,
    },
    /// The next player after this one.
    Next(NodeId),
    /// The next player after the one in this register.
    NextOf(Reg),
    Controller(NodeId),
    /// The top or bottom card of a zone.
    End(bool, NodeId),
    /// The top or bottom card of the zone of the player in a register.
    EndAt(bool, Spot),
    Exists(NodeId),
    CountAt(Spot),
    CountAll(ZoneId),
    /// The number of members in a register.
    CountIn(Reg),
    Empty(NodeId),
    EmptyAt(Spot),
    Some(NodeId),
    Field(NodeId, FieldId),
    Printed(NodeId, FieldId),
    State(NodeId, StateId),
    FaceUp(NodeId),
    Owner(NodeId),
    /// The cards of this zone of all players.
    ZoneOfAll(ZoneId),
    Players,
    Pending,
    Abilities(NodeId),
    Where(NodeId),
}

/// A function of two enum values, with the result for each pair of values.
#[derive(Clone, Debug)]
pub struct PairTable {
    /// The enums of the two arguments.
    pub of: [EnumId; 2],
    /// The number of values of each enum.
    pub values: [u8; 2],
    /// The results, row by row. The last row and the last column are for undefined.
    pub results: Vec<bool>,
}

impl PairTable {
    /// The value of the function.
    #[inline]
    #[must_use]
    pub fn result(&self, a: Value, b: Value) -> bool {
        let at = |value: Value, of: EnumId, none: u8| match value {
            Value::Enum(which, value) if which == of => usize::from(value),
            _ => usize::from(none),
        };
        let ([left, right], [rows, columns]) = (self.of, self.values);
        self.results.get(at(a, left, rows) * (usize::from(columns) + 1) + at(b, right, columns)) == Some(&true)
    }
}

/// The shapes of all nodes.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// For each node its shape.
    pub of: Table<NodeId, Shape>,
    /// Functions of two enums.
    pub pairs: Vec<PairTable>,
    /// For each node, whether it is a set whose members are copied when it is passed as an argument.
    pub sets: Table<NodeId, bool>,
}

impl Shapes {
    /// The shapes of a program's nodes. The shapes of the first nodes may be known already.
    #[must_use]
    pub fn new(program: &Program, known: Option<&Shapes>) -> Self {
        let mut shapes = known.cloned().unwrap_or_default();
        for id in program.nodes.ids().skip(shapes.of.len()) {
            let shape = shapes.shape(program, id);
            shapes.of.push(shape);
            let set = shapes.is_set(program, id);
            shapes.sets.push(set);
        }
        shapes
    }

    /// The shape of a node.
    #[inline]
    #[must_use]
    pub fn get(&self, id: NodeId) -> Shape {
        self.of.get(id).copied().unwrap_or(Shape::Tree)
    }

    fn shape(&mut self, program: &Program, id: NodeId) -> Shape {
        let Some(&node) = program.nodes.get(id) else { return Shape::Tree };
        match node {
            Node::Const(value) => Shape::Const(value),
            Node::Local(reg) => Shape::Local(reg),
            Node::You => Shape::You,
            Node::This => Shape::This,
            Node::Done => Shape::Done,
            Node::Not(a) => Shape::Not(a),
            Node::And(a, b) => Shape::And(a, b),
            Node::Or(a, b) => Shape::Or(a, b),
            Node::Compare(how, a, b) => Shape::Compare(how, a, b),
            Node::Arithmetic(how, a, b) => Shape::Arithmetic(how, a, b),
            Node::With { value, body } => self.pair(program, value, body).unwrap_or(Shape::Tree),
            Node::If(condition, args) => match program.args_of(args) {
                [yes, no] => Shape::If(condition, *yes, *no),
                _ => Shape::Tree,
            },
            Node::Zone(zone, player) => zone_shape(program, zone, player),
            Node::Opponent(player) | Node::NextPlayer(player) => match program.nodes.get(player) {
                Some(Node::Local(of)) => Shape::NextOf(*of),
                _ => Shape::Next(player),
            },
            Node::Controller(of) => Shape::Controller(of),
            Node::End(top, zone) if is_zone(program, zone) => self.end(top, zone),
            Node::Only(zone) if is_zone(program, zone) => self.end(false, zone),
            Node::Exists(a) => Shape::Exists(a),
            Node::Count(set) => match self.get(set) {
                Shape::Zone(spot) => Shape::CountAt(spot),
                Shape::ZoneOfAll(zone) => Shape::CountAll(zone),
                Shape::Local(reg) => Shape::CountIn(reg),
                _ => Shape::Tree,
            },
            Node::IsEmpty(set) => match self.get(set) {
                Shape::Zone(spot) => Shape::EmptyAt(spot),
                _ => Shape::Empty(set),
            },
            Node::Some(set, _) => Shape::Some(set),
            Node::Field(card, field) => Shape::Field(card, field),
            Node::Printed(card, field) => Shape::Printed(card, field),
            Node::State(subject, state) => Shape::State(subject, state),
            Node::FaceUp(card) => Shape::FaceUp(card),
            Node::Owner(card) => Shape::Owner(card),
            Node::ZoneOfAll(zone) => Shape::ZoneOfAll(zone),
            Node::Players => Shape::Players,
            Node::Pending => Shape::Pending,
            Node::Abilities(card) => Shape::Abilities(card),
            Node::Where(set, _) => Shape::Where(set),
            _ => Shape::Tree,
        }
    }

    /// The shape of a function of two arguments whose body only compares the arguments with enum values.
    fn pair(&mut self, program: &Program, first: NodeId, body: NodeId) -> Option<Shape> {
        let Some(&Node::With { value: second, body }) = program.nodes.get(body) else { return None };
        let mut of = [None; 2];
        if reads_bound(program, second) || !only_compares(program, body, &mut of) {
            return None;
        }
        let [Some(left), Some(right)] = of else { return None };
        let [rows, width] = [left, right].map(|which| program.enums.get(which).map_or(0, |values| values.values.len()));
        let values = |which: EnumId, count: usize| (0..count).map(move |value| Value::Enum(which, value as u8)).chain([Value::Undefined]);
        let cells = values(left, rows).flat_map(|a| values(right, width).map(move |b| [a, b]));
        let results = cells.map(|bound| decided(program, body, bound)).collect();
        self.pairs.push(PairTable { of: [left, right], values: [rows as u8, width as u8], results });
        let number = u16::try_from(self.pairs.len() - 1).ok()?;
        Some(Shape::Pair(number, first, second))
    }

    fn end(&self, top: bool, zone: NodeId) -> Shape {
        match self.get(zone) {
            Shape::Zone(spot) => Shape::EndAt(top, spot),
            _ => Shape::End(top, zone),
        }
    }

    fn is_set(&self, program: &Program, id: NodeId) -> bool {
        let is = |id: &NodeId| self.sets.get(*id).copied().unwrap_or(false);
        match program.nodes.get(id) {
            Some(Node::If(_, args)) => program.args_of(*args).iter().any(is),
            Some(Node::With { body, .. }) => is(body),
            Some(Node::Without(read, _)) => is(read),
            Some(Node::Field(_, field) | Node::Printed(_, field)) => program.fields.get(*field).is_some_and(|field| field.set),
            Some(Node::Role(role)) => program.roles.get(*role).is_some_and(|role| role.several),
            Some(Node::EventArg(_, field)) => program.event_fields.get(*field).is_some_and(|field| field.set),
            Some(
                Node::Events(..)
                | Node::Ends(..)
                | Node::Distinct(..)
                | Node::Sorted(..)
                | Node::Clockwise(_)
                | Node::EveryCard
                | Node::Where(..)
                | Node::Except(..)
                | Node::Union(..)
                | Node::Joined(..)
                | Node::List(_)
                | Node::ZoneOfAll(_)
                | Node::Players
                | Node::Opponents(_)
                | Node::Team(_)
                | Node::EnumValues(_)
                | Node::Catalogue
                | Node::Abilities(_)
                | Node::AbilitiesOfAll(_)
                | Node::EffectsOn(_)
                | Node::Tied
                | Node::Attached(_)
                | Node::Pending,
            ) => true,
            _ => false,
        }
    }
}

fn is_zone(program: &Program, node: NodeId) -> bool {
    matches!(program.nodes.get(node), Some(Node::Zone(..)))
}

fn zone_shape(program: &Program, zone: ZoneId, player: NodeId) -> Shape {
    let first = zone.index() as u16;
    let each = program.zones.get(zone).is_some_and(|zone| zone.each_player);
    let row = if each { program.zones.len() as u16 } else { 0 };
    match program.nodes.get(player) {
        _ if player == NodeId::NONE => Shape::Const(Value::Zone(Place(first))),
        Some(Node::Local(of)) => Shape::Zone(Spot { first, row, of: *of }),
        _ => Shape::ZoneOf { first, row, player },
    }
}

fn reads_bound(program: &Program, id: NodeId) -> bool {
    // Children have smaller numbers than their parents, so this ends.
    match program.nodes.get(id) {
        Some(Node::Field(a, _) | Node::Only(a) | Node::Controller(a) | Node::Opponent(a) | Node::State(a, _)) => reads_bound(program, *a),
        Some(Node::Zone(_, a)) if *a == NodeId::NONE => false,
        Some(Node::Zone(_, a)) => reads_bound(program, *a),
        Some(Node::Const(_) | Node::Local(_) | Node::You | Node::This) => false,
        _ => true,
    }
}

/// Whether an expression consists of comparisons of the two innermost arguments with values of one enum each. Notes the enums.
fn only_compares(program: &Program, id: NodeId, of: &mut [Option<EnumId>; 2]) -> bool {
    match program.nodes.get(id) {
        Some(Node::Const(Value::Bool(_))) => true,
        Some(Node::Not(a)) => only_compares(program, *a, of),
        Some(Node::And(a, b) | Node::Or(a, b)) => only_compares(program, *a, of) && only_compares(program, *b, of),
        Some(Node::Compare(Compare::Equal | Compare::NotEqual, a, b)) => match (program.nodes.get(*a), program.nodes.get(*b)) {
            (Some(Node::Bound(at)), Some(Node::Const(Value::Enum(which, _)))) => {
                of.get_mut(usize::from(*at)).is_some_and(|slot| *slot.get_or_insert(*which) == *which)
            }
            _ => false,
        },
        _ => false,
    }
}

fn decided(program: &Program, id: NodeId, bound: [Value; 2]) -> bool {
    let value = |id: NodeId| match program.nodes.get(id) {
        Some(Node::Bound(at)) => bound.get(usize::from(*at)).copied().unwrap_or_default(),
        Some(Node::Const(value)) => *value,
        _ => Value::Undefined,
    };
    match program.nodes.get(id) {
        Some(Node::Const(value)) => value.is_true(),
        Some(Node::Not(a)) => !decided(program, *a, bound),
        Some(Node::And(a, b)) => decided(program, *a, bound) && decided(program, *b, bound),
        Some(Node::Or(a, b)) => decided(program, *a, bound) || decided(program, *b, bound),
        Some(Node::Compare(how, a, b)) => crate::eval::compare(*how, value(*a), value(*b)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::PairTable;
    use crate::ids::EnumId;
    use crate::value::Value;

    #[test]
    fn a_table_knows_what_undefined_comes_to() {
        // `a != x` of an enum with two values, and an enum with one value: two rows and one for undefined, one column and one for
        // undefined.
        let table = PairTable { of: [EnumId(0), EnumId(1)], values: [2, 1], results: vec![true, false, false, false, true, false] };
        let [a, b] = [Value::Enum(EnumId(0), 0), Value::Enum(EnumId(1), 0)];
        let results = [(a, b), (a, Value::Undefined), (Value::Undefined, b), (b, b), (Value::Number(0), Value::Undefined)];
        assert_eq!(results.map(|(a, b)| table.result(a, b)), [true, false, true, true, false]);
    }
}
