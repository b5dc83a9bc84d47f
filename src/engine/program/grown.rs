//! Programs that extend another program. A scenario adds cards and expectations to a game; everything it adds comes after everything that
//! the game has.

use super::Program;

impl Program {
    /// Whether the declarations that nodes refer to are the same here and in `base`. If so, and if all nodes of `base` have the same
    /// numbers here, everything that is known about these nodes holds here too.
    #[must_use]
    pub(crate) fn declares_what(&self, base: &Program) -> bool {
        self.players == base.players
            && self.type_field == base.type_field
            && self.moves == base.moves
            && self.states.len() == base.states.len()
            && self.zones.rows().iter().map(|zone| zone.each_player).eq(base.zones.rows().iter().map(|zone| zone.each_player))
            && self.fields.rows().iter().map(|field| field.set).eq(base.fields.rows().iter().map(|field| field.set))
            && self.event_fields.rows().iter().map(|field| field.set).eq(base.event_fields.rows().iter().map(|field| field.set))
            && self.roles.rows().iter().map(|role| role.several).eq(base.roles.rows().iter().map(|role| role.several))
            && self.enums.rows().iter().map(|of| of.values.len()).eq(base.enums.rows().iter().map(|of| of.values.len()))
    }

    /// How many nodes, from the first one on, are common with `base`. 0 if what is known about them does not hold here.
    #[must_use]
    pub fn known_from(&self, base: &Program) -> usize {
        if self.common == base.nodes.len() && self.declares_what(base) { self.common } else { 0 }
    }
}
