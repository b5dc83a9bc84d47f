//! Circles of effects: effects in force that depend on one another, and which of them goes first.

use crate::state::memory::memory;
use serde::{Deserialize, Serialize};

/// Effects in force that depend on one another in a circle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Circle {
    /// The numbers of the effects that go first, because they are the oldest. They are read without the others.
    pub first: Vec<u32>,
    /// The numbers of the other effects of the circle, in the order of their numbers. Empty: an effect depends on itself, and is read
    /// without itself.
    pub others: Vec<u32>,
}

impl Circle {
    /// Adds the circle to these circles. Circles that share an effect are one circle; the effects that were found to go first stay so.
    pub fn join(mut self, circles: &mut Vec<Circle>) {
        while let Some(at) = circles.iter().position(|other| other.members().any(|number| self.members().any(|own| own == number))) {
            let other = circles.swap_remove(at);
            self.others.append(&mut self.first);
            self.others.extend(other.others);
            self.first = other.first;
        }
        self.others.retain(|number| !self.first.contains(number));
        self.others.sort_unstable();
        self.others.dedup();
        circles.push(self);
    }

    /// The numbers of all effects of the circle.
    pub fn members(&self) -> impl Iterator<Item = u32> + '_ {
        self.first.iter().chain(&self.others).copied()
    }
}

/// In a game with layers: the circles in each layer of the row, as the layer was settled last. No part of the state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Circles(Vec<(u8, Vec<Circle>)>);

impl Circles {
    /// Forgets the circles of a layer, because the layer is settled anew.
    pub fn forget(&mut self, layer: u8) {
        self.0.retain(|(of, _)| *of != layer);
    }

    /// Whether there is no circle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes a circle in a layer.
    pub fn note(&mut self, layer: u8, circle: Circle) {
        match self.0.iter_mut().find(|(of, _)| *of == layer) {
            Some((_, circles)) => circle.join(circles),
            None => self.0.push((layer, vec![circle])),
        }
    }

    /// Whether two effects stand in one circle of a layer.
    #[must_use]
    pub fn has(&self, layer: u8, one: u32, other: u32) -> bool {
        let mut circles = self.0.iter().filter(|(of, _)| *of == layer).flat_map(|(_, circles)| circles);
        circles.any(|circle| [one, other].iter().all(|number| circle.members().any(|member| member == *number)))
    }

    /// All circles, in the order of the layers.
    pub fn all(&self) -> impl Iterator<Item = &Circle> + '_ {
        let mut layers: Vec<&(u8, Vec<Circle>)> = self.0.iter().collect();
        layers.sort_unstable_by_key(|(layer, _)| *layer);
        layers.into_iter().flat_map(|(_, circles)| circles)
    }
}

memory!(Circles);
