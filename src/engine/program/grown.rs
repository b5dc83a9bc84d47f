//! Programs that grew from others: a scenario adds cards and expectations to a game, behind everything that the game has.

use super::Program;

impl Program {
    /// Whether what nodes are made of is declared here as it is in `base`. Where all nodes of `base` stand here under their numbers as well,
    /// whatever is known of them holds here too.
    #[must_use]
    pub fn declares_what(&self, base: &Program) -> bool {
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

    /// How many nodes it has in common with `base`, from the first one on; 0 where what is known of those does not hold here.
    #[must_use]
    pub fn known_from(&self, base: &Program) -> usize {
        if self.common == base.nodes.len() && self.declares_what(base) { self.common } else { 0 }
    }
}
