//! The name of the place of a zone in which a card lies.

use super::{Board, NO_SLOT, zone_of};
use crate::engine::program::{NameDef, Program};
use crate::engine::value::ObjectId;

impl Board {
    /// The place of its zone in which a card lies. None: the zone has no places, or the card lies in none of them.
    #[must_use]
    pub fn place_within<'p>(&self, program: &'p Program, id: ObjectId) -> Option<&'p NameDef> {
        let slot = Some(self.slot(id)).filter(|slot| *slot != NO_SLOT)?;
        let zone = program.zones.get(zone_of(program, self.object(id)?.place).0)?;
        program.enums.get(zone.places?)?.values.get(usize::from(slot))
    }
}
