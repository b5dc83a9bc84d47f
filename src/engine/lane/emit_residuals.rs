//! Turns residuals into code: instructions that compute a value into a slot, and jumps for conditions.
//!
//! Values that are needed only for a moment share slots. A computed field of a card is computed once, as long as nothing changes.

use super::code::{Instruction, Operand, PairAt, SLOTS};
use super::emit::{Emitter, SEEN, TooLong};
use super::track::Residual;
use crate::engine::value::{Place, Player, Value};

impl Emitter<'_> {
    /// The slot that holds a value. If no slot holds the value yet, adds the instructions that compute it.
    pub(super) fn value(&mut self, residual: &Residual) -> Result<Operand, TooLong> {
        if let Residual::Slot(slot) = residual {
            return operand(*slot);
        }
        if let Some((_, slot)) = self.seen.iter().find(|(seen, _)| seen == residual) {
            return Ok(*slot);
        }
        let remembered = matches!(residual, Residual::DerivedAt(..)) && self.perhaps == 0 && self.seen.len() < SEEN;
        let slot = if remembered { (SLOTS - SEEN + self.seen.len()) as Operand } else { self.spare()? };
        self.into(slot, residual)?;
        if remembered {
            self.seen.push((residual.clone(), slot));
        }
        Ok(slot)
    }

    /// Adds the instructions that compute a value into a slot.
    pub(super) fn into(&mut self, to: Operand, residual: &Residual) -> Result<(), TooLong> {
        let taken = self.taken;
        let instruction = match residual {
            Residual::Const(value) => Instruction::Const(to, *value),
            Residual::Slot(slot) => Instruction::Copy(to, operand(*slot)?),
            Residual::You => Instruction::You(to),
            Residual::This => Instruction::This(to),
            Residual::Not(a) => Instruction::Not(to, self.value(a)?),
            Residual::And(_) | Residual::Or(_) => return self.decided(to, residual),
            Residual::Compare(how, sides) => {
                let (a, b) = self.both(sides)?;
                Instruction::Compare(*how, to, a, b)
            }
            Residual::Pair(table, sides) => {
                let (a, b) = self.both(sides)?;
                Instruction::Pair(*table, to, a, b)
            }
            Residual::If(parts) => {
                let [condition, yes, no] = &**parts;
                return self.either(to, condition, yes, no);
            }
            Residual::CardAt(top, place) => Instruction::CardAt(to, *top, *place),
            Residual::Card(top, zone) => Instruction::Card(to, *top, self.value(zone)?),
            Residual::EmptyAt(place) => Instruction::EmptyAt(to, *place),
            Residual::Empty(zone) => Instruction::Empty(to, self.value(zone)?),
            Residual::CountAt(place) => Instruction::CountAt(to, *place),
            Residual::CountAll(places) => {
                if self.noting {
                    self.push(Instruction::Look(places.iter().fold(0, |all, place| all | super::place_bit(*place) as u32)));
                }
                Instruction::CountAll(to, self.places(places)?)
            }
            Residual::ZoneOf { first, row, player } => match &**player {
                Residual::Owner(card) => Instruction::OwnersZone(to, *first, *row, self.value(card)?),
                player => Instruction::ZoneOf(to, *first, *row, self.value(player)?),
            },
            Residual::Next(player) => Instruction::Next(to, self.value(player)?),
            Residual::FieldAt(top, place, field) => Instruction::FieldAt(to, *top, *place, *field),
            Residual::Field(card, field) => Instruction::Field(to, self.value(card)?, *field),
            Residual::Printed(card, field) => Instruction::Printed(to, self.value(card)?, *field),
            Residual::Derived { card, slot, value } => return self.derived(to, card, *slot, value),
            Residual::DerivedAt(top, place, owner, values) => {
                let [own, other] = &**values;
                return self.derived_at(to, (*top, *place, *owner), own, other);
            }
            Residual::State(subject, state) => Instruction::State(to, self.value(subject)?, *state),
            Residual::StateAt(top, place, state) => Instruction::StateAt(to, *top, *place, *state),
            Residual::FaceUpAt(top, place) => Instruction::FaceUpAt(to, *top, *place),
            Residual::FaceUp(card) => Instruction::FaceUp(to, self.value(card)?),
            Residual::Owner(card) => Instruction::Owner(to, self.value(card)?),
            Residual::Exists(of) => Instruction::Exists(to, self.value(of)?),
            Residual::Textless(card) => Instruction::Textless(to, self.value(card)?),
            Residual::TextlessAt(top, place) => Instruction::TextlessAt(to, *top, *place),
        };
        self.push(instruction);
        self.taken = if usize::from(to) < SLOTS - SEEN { taken.max(usize::from(to) + 1) } else { taken };
        Ok(())
    }

    fn both(&mut self, sides: &[Residual; 2]) -> Result<(Operand, Operand), TooLong> {
        let [a, b] = sides;
        Ok((self.value(a)?, self.value(b)?))
    }

    /// Computes a condition into a slot, by jumps.
    fn decided(&mut self, to: Operand, condition: &Residual) -> Result<(), TooLong> {
        let otherwise = self.unless(condition)?;
        self.push(Instruction::Const(to, Value::Bool(true)));
        let end = self.push(Instruction::Jump(0));
        self.land(&otherwise);
        self.push(Instruction::Const(to, Value::Bool(false)));
        self.land(&[end]);
        Ok(())
    }

    fn either(&mut self, to: Operand, condition: &Residual, yes: &Residual, no: &Residual) -> Result<(), TooLong> {
        let otherwise = self.unless(condition)?;
        self.perhaps += 1;
        self.into(to, yes)?;
        let end = self.push(Instruction::Jump(0));
        self.land(&otherwise);
        self.into(to, no)?;
        self.land(&[end]);
        self.perhaps -= 1;
        Ok(())
    }

    fn derived(&mut self, to: Operand, card: &Residual, slot: u16, value: &Residual) -> Result<(), TooLong> {
        let card = self.value(card)?;
        let none = self.push(Instruction::Bind(operand(slot)?, card, 0));
        self.perhaps += 1;
        self.into(to, value)?;
        self.perhaps -= 1;
        let end = self.push(Instruction::Jump(0));
        self.land(&[none]);
        self.push(Instruction::Const(to, Value::Undefined));
        self.land(&[end]);
        Ok(())
    }

    fn derived_at(
        &mut self,
        to: Operand,
        (top, place, owner): (bool, Place, Player),
        own: &Residual,
        other: &Residual,
    ) -> Result<(), TooLong> {
        if self.noting {
            self.push(Instruction::Look(super::place_bit(place) as u32));
        }
        let whose = self.push(Instruction::Dead);
        self.perhaps += 1;
        self.into(to, own)?;
        let end = self.push(Instruction::Jump(0));
        let another = self.here();
        self.into(to, other)?;
        let second_end = self.push(Instruction::Jump(0));
        let none = self.here();
        self.push(Instruction::Const(to, Value::Undefined));
        if let Some(instruction) = self.code.instructions.get_mut(whose) {
            *instruction = Instruction::OwnerAt(top, place, owner, another, none);
        }
        self.land(&[end, second_end]);
        self.perhaps -= 1;
        Ok(())
    }

    /// Adds jumps that are taken if a condition is false. The result: the jumps, which still need a target.
    pub(super) fn unless(&mut self, condition: &Residual) -> Result<Vec<usize>, TooLong> {
        let jump = match condition {
            Residual::StateAt(top, place, state) => Instruction::JumpUnlessStateAt(*top, *place, *state, 0),
            Residual::EmptyAt(place) => Instruction::JumpUnlessEmptyAt(*place, 0),
            Residual::FaceUpAt(top, place) => Instruction::JumpUnlessFaceUpAt(*top, *place, 0),
            Residual::Not(inner) => return self.when(inner),
            Residual::And(sides) => {
                let [a, b] = &**sides;
                let mut jumps = self.unless(a)?;
                self.perhaps += 1;
                jumps.extend(self.unless(b)?);
                self.perhaps -= 1;
                return Ok(jumps);
            }
            Residual::Or(sides) => {
                let [a, b] = &**sides;
                let yes = self.when(a)?;
                self.perhaps += 1;
                let jumps = self.unless(b)?;
                self.perhaps -= 1;
                self.land(&yes);
                return Ok(jumps);
            }
            Residual::Pair(table, sides) => match &**sides {
                [Residual::FieldAt(top, place, field), Residual::FieldAt(other_top, other, other_field)] => {
                    if self.noting {
                        self.push(Instruction::Look((super::place_bit(*place) | super::place_bit(*other)) as u32));
                    }
                    let sides = [(*top, *place, *field), (*other_top, *other, *other_field)];
                    self.code.pairs.push(PairAt { table: *table, sides });
                    Instruction::JumpUnlessPairAt(u16::try_from(self.code.pairs.len() - 1).map_err(|_| TooLong)?, 0)
                }
                _ => {
                    let (a, b) = self.both(sides)?;
                    Instruction::JumpUnlessPair(*table, a, b, 0)
                }
            },
            Residual::Compare(how, sides) => match &**sides {
                [a, Residual::Const(Value::Number(number))] => Instruction::JumpUnlessNumber(*how, self.value(a)?, *number, 0),
                _ => {
                    let (a, b) = self.both(sides)?;
                    Instruction::JumpUnlessCompare(*how, a, b, 0)
                }
            },
            condition => Instruction::JumpUnless(self.value(condition)?, 0),
        };
        Ok(vec![self.push(jump)])
    }

    /// Adds jumps that are taken if a condition is true. The result: the jumps, which still need a target.
    fn when(&mut self, condition: &Residual) -> Result<Vec<usize>, TooLong> {
        let jump = match condition {
            Residual::StateAt(top, place, state) => Instruction::JumpIfStateAt(*top, *place, *state, 0),
            Residual::EmptyAt(place) => Instruction::JumpIfEmptyAt(*place, 0),
            Residual::FaceUpAt(top, place) => Instruction::JumpIfFaceUpAt(*top, *place, 0),
            Residual::Not(inner) => return self.unless(inner),
            Residual::And(sides) => {
                let [a, b] = &**sides;
                let no = self.unless(a)?;
                self.perhaps += 1;
                let jumps = self.when(b)?;
                self.perhaps -= 1;
                self.land(&no);
                return Ok(jumps);
            }
            Residual::Or(sides) => {
                let [a, b] = &**sides;
                let mut jumps = self.when(a)?;
                self.perhaps += 1;
                jumps.extend(self.when(b)?);
                self.perhaps -= 1;
                return Ok(jumps);
            }
            condition => Instruction::JumpIf(self.value(condition)?, 0),
        };
        Ok(vec![self.push(jump)])
    }
}

/// The slot with that number, if the number is below 256.
pub(super) fn operand(slot: u16) -> Result<Operand, TooLong> {
    u8::try_from(slot).map_err(|_| TooLong)
}
