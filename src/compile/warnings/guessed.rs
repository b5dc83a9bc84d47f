//! Warns of zones to which printed texts send cards that may belong to another player, if the zone does not redirect such a card to its
//! owner.
//!
//! If a text does not say whose a card is (「それを手札に戻す」), it sends the card to a zone of the acting player. In a zone with
//! `redirects to owner`, the card goes to its owner's zone instead, so there is no warning.

use super::super::Compiler;
use engine::ids::ZoneId;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::Name;

impl Compiler {
    /// `E0279`, warnings at the declarations of zones. `guessed` are the zones of the acting player to which texts send cards without
    /// saying whose the cards are.
    #[must_use]
    pub fn sent_to_guessed(&self, guessed: &[Name]) -> Vec<Diagnostic> {
        let found = guessed.iter().filter_map(|name| {
            let zone = self.symbols.zones.id::<ZoneId>(&name.text)?;
            let def = self.program.zones.get(zone)?;
            let silent = def.each_player && !def.redirects && !def.owns;
            let declared = self.symbols.zones.span(usize::from(zone.0)).filter(|_| silent)?;
            Some(Diagnostic::error("E0279", declared).with("zone", &name.text).note(name.span, "sent").warning())
        });
        found.collect()
    }
}
