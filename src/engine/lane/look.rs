//! Turns sights into rails: instructions that compute a value into a slot, and jumps for conditions.
//!
//! Values that are needed only for a moment share slots. A computed field of a card is computed once, as long as nothing changes.

use super::act::Sight;
use super::lay::{Layer, SEEN, TooLong};
use super::rail::{PairAt, Rail, SPOTS, Spot};
use crate::engine::value::{Place, Player, Value};

impl Layer<'_> {
    /// The slot that holds a value. If no slot holds the value yet, adds the instructions that compute it.
    pub(super) fn value(&mut self, sight: &Sight) -> Result<Spot, TooLong> {
        if let Sight::Slot(slot) = sight {
            return named(*slot);
        }
        if let Some((_, spot)) = self.seen.iter().find(|(seen, _)| seen == sight) {
            return Ok(*spot);
        }
        let remembered = matches!(sight, Sight::DerivedAt(..)) && self.perhaps == 0 && self.seen.len() < SEEN;
        let spot = if remembered { (SPOTS - SEEN + self.seen.len()) as Spot } else { self.spare()? };
        self.into(spot, sight)?;
        if remembered {
            self.seen.push((sight.clone(), spot));
        }
        Ok(spot)
    }

    /// Adds the instructions that compute a value into a slot.
    pub(super) fn into(&mut self, to: Spot, sight: &Sight) -> Result<(), TooLong> {
        let taken = self.taken;
        let rail = match sight {
            Sight::Const(value) => Rail::Const(to, *value),
            Sight::Slot(slot) => Rail::Copy(to, named(*slot)?),
            Sight::You => Rail::You(to),
            Sight::This => Rail::This(to),
            Sight::Not(a) => Rail::Not(to, self.value(a)?),
            Sight::And(_) | Sight::Or(_) => return self.decided(to, sight),
            Sight::Compare(how, sides) => {
                let (a, b) = self.both(sides)?;
                Rail::Compare(*how, to, a, b)
            }
            Sight::Pair(table, sides) => {
                let (a, b) = self.both(sides)?;
                Rail::Pair(*table, to, a, b)
            }
            Sight::If(parts) => {
                let [condition, yes, no] = &**parts;
                return self.either(to, condition, yes, no);
            }
            Sight::CardAt(top, place) => Rail::CardAt(to, *top, *place),
            Sight::Card(top, zone) => Rail::Card(to, *top, self.value(zone)?),
            Sight::EmptyAt(place) => Rail::EmptyAt(to, *place),
            Sight::Empty(zone) => Rail::Empty(to, self.value(zone)?),
            Sight::CountAt(place) => Rail::CountAt(to, *place),
            Sight::CountAll(places) => {
                if self.noting {
                    self.push(Rail::Look(places.iter().fold(0, |all, place| all | super::spot(*place) as u32)));
                }
                Rail::CountAll(to, self.places(places)?)
            }
            Sight::ZoneOf { first, row, player } => match &**player {
                Sight::Owner(card) => Rail::OwnersZone(to, *first, *row, self.value(card)?),
                player => Rail::ZoneOf(to, *first, *row, self.value(player)?),
            },
            Sight::Next(player) => Rail::Next(to, self.value(player)?),
            Sight::FieldAt(top, place, field) => Rail::FieldAt(to, *top, *place, *field),
            Sight::Field(card, field) => Rail::Field(to, self.value(card)?, *field),
            Sight::Printed(card, field) => Rail::Printed(to, self.value(card)?, *field),
            Sight::Derived { card, slot, value } => return self.derived(to, card, *slot, value),
            Sight::DerivedAt(top, place, owner, values) => {
                let [own, other] = &**values;
                return self.derived_at(to, (*top, *place, *owner), own, other);
            }
            Sight::State(subject, state) => Rail::State(to, self.value(subject)?, *state),
            Sight::StateAt(top, place, state) => Rail::StateAt(to, *top, *place, *state),
            Sight::FaceUpAt(top, place) => Rail::FaceUpAt(to, *top, *place),
            Sight::FaceUp(card) => Rail::FaceUp(to, self.value(card)?),
            Sight::Owner(card) => Rail::Owner(to, self.value(card)?),
            Sight::Exists(of) => Rail::Exists(to, self.value(of)?),
            Sight::Textless(card) => Rail::Textless(to, self.value(card)?),
            Sight::TextlessAt(top, place) => Rail::TextlessAt(to, *top, *place),
        };
        self.push(rail);
        self.taken = if usize::from(to) < SPOTS - SEEN { taken.max(usize::from(to) + 1) } else { taken };
        Ok(())
    }

    fn both(&mut self, sides: &[Sight; 2]) -> Result<(Spot, Spot), TooLong> {
        let [a, b] = sides;
        Ok((self.value(a)?, self.value(b)?))
    }

    /// Computes a condition into a slot, by jumps.
    fn decided(&mut self, to: Spot, condition: &Sight) -> Result<(), TooLong> {
        let otherwise = self.unless(condition)?;
        self.push(Rail::Const(to, Value::Bool(true)));
        let end = self.push(Rail::Jump(0));
        self.land(&otherwise);
        self.push(Rail::Const(to, Value::Bool(false)));
        self.land(&[end]);
        Ok(())
    }

    fn either(&mut self, to: Spot, condition: &Sight, yes: &Sight, no: &Sight) -> Result<(), TooLong> {
        let otherwise = self.unless(condition)?;
        self.perhaps += 1;
        self.into(to, yes)?;
        let end = self.push(Rail::Jump(0));
        self.land(&otherwise);
        self.into(to, no)?;
        self.land(&[end]);
        self.perhaps -= 1;
        Ok(())
    }

    fn derived(&mut self, to: Spot, card: &Sight, slot: u16, value: &Sight) -> Result<(), TooLong> {
        let card = self.value(card)?;
        let none = self.push(Rail::Bind(named(slot)?, card, 0));
        self.perhaps += 1;
        self.into(to, value)?;
        self.perhaps -= 1;
        let end = self.push(Rail::Jump(0));
        self.land(&[none]);
        self.push(Rail::Const(to, Value::Undefined));
        self.land(&[end]);
        Ok(())
    }

    fn derived_at(&mut self, to: Spot, (top, place, owner): (bool, Place, Player), own: &Sight, other: &Sight) -> Result<(), TooLong> {
        if self.noting {
            self.push(Rail::Look(super::spot(place) as u32));
        }
        let whose = self.push(Rail::Dead);
        self.perhaps += 1;
        self.into(to, own)?;
        let end = self.push(Rail::Jump(0));
        let another = self.here();
        self.into(to, other)?;
        let second_end = self.push(Rail::Jump(0));
        let none = self.here();
        self.push(Rail::Const(to, Value::Undefined));
        if let Some(rail) = self.row.rails.get_mut(whose) {
            *rail = Rail::OwnerAt(top, place, owner, another, none);
        }
        self.land(&[end, second_end]);
        self.perhaps -= 1;
        Ok(())
    }

    /// Adds jumps that are taken if a condition is false. The result: the jumps, which still need a target.
    pub(super) fn unless(&mut self, condition: &Sight) -> Result<Vec<usize>, TooLong> {
        let jump = match condition {
            Sight::StateAt(top, place, state) => Rail::JumpUnlessStateAt(*top, *place, *state, 0),
            Sight::EmptyAt(place) => Rail::JumpUnlessEmptyAt(*place, 0),
            Sight::FaceUpAt(top, place) => Rail::JumpUnlessFaceUpAt(*top, *place, 0),
            Sight::Not(inner) => return self.when(inner),
            Sight::And(sides) => {
                let [a, b] = &**sides;
                let mut jumps = self.unless(a)?;
                self.perhaps += 1;
                jumps.extend(self.unless(b)?);
                self.perhaps -= 1;
                return Ok(jumps);
            }
            Sight::Or(sides) => {
                let [a, b] = &**sides;
                let yes = self.when(a)?;
                self.perhaps += 1;
                let jumps = self.unless(b)?;
                self.perhaps -= 1;
                self.land(&yes);
                return Ok(jumps);
            }
            Sight::Pair(table, sides) => match &**sides {
                [Sight::FieldAt(top, place, field), Sight::FieldAt(other_top, other, other_field)] => {
                    if self.noting {
                        self.push(Rail::Look((super::spot(*place) | super::spot(*other)) as u32));
                    }
                    let sides = [(*top, *place, *field), (*other_top, *other, *other_field)];
                    self.row.pairs.push(PairAt { table: *table, sides });
                    Rail::JumpUnlessPairAt(u16::try_from(self.row.pairs.len() - 1).map_err(|_| TooLong)?, 0)
                }
                _ => {
                    let (a, b) = self.both(sides)?;
                    Rail::JumpUnlessPair(*table, a, b, 0)
                }
            },
            Sight::Compare(how, sides) => match &**sides {
                [a, Sight::Const(Value::Number(number))] => Rail::JumpUnlessNumber(*how, self.value(a)?, *number, 0),
                _ => {
                    let (a, b) = self.both(sides)?;
                    Rail::JumpUnlessCompare(*how, a, b, 0)
                }
            },
            condition => Rail::JumpUnless(self.value(condition)?, 0),
        };
        Ok(vec![self.push(jump)])
    }

    /// Adds jumps that are taken if a condition is true. The result: the jumps, which still need a target.
    fn when(&mut self, condition: &Sight) -> Result<Vec<usize>, TooLong> {
        let jump = match condition {
            Sight::StateAt(top, place, state) => Rail::JumpIfStateAt(*top, *place, *state, 0),
            Sight::EmptyAt(place) => Rail::JumpIfEmptyAt(*place, 0),
            Sight::FaceUpAt(top, place) => Rail::JumpIfFaceUpAt(*top, *place, 0),
            Sight::Not(inner) => return self.unless(inner),
            Sight::And(sides) => {
                let [a, b] = &**sides;
                let no = self.unless(a)?;
                self.perhaps += 1;
                let jumps = self.when(b)?;
                self.perhaps -= 1;
                self.land(&no);
                return Ok(jumps);
            }
            Sight::Or(sides) => {
                let [a, b] = &**sides;
                let mut jumps = self.when(a)?;
                self.perhaps += 1;
                jumps.extend(self.when(b)?);
                self.perhaps -= 1;
                return Ok(jumps);
            }
            condition => Rail::JumpIf(self.value(condition)?, 0),
        };
        Ok(vec![self.push(jump)])
    }
}

/// The slot with that number, if the number is below 256.
pub(super) fn named(slot: u16) -> Result<Spot, TooLong> {
    u8::try_from(slot).map_err(|_| TooLong)
}
