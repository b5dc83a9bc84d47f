//! What a position can give to a waiting ability: the names that its event bound, and its slots.

use crate::Compiler;
use crate::expressions::types::Ty;
use engine::ids::{AbilityId, Id, OptionId, VerbId};
use engine::program::{ClauseKind, Fill, Type};
use engine::state::Waits;
use engine::state::placed_abilities::waits;

/// A name that can be given a value, its register, and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fillable {
    /// The name in rules and cards.
    pub name: String,
    /// The position among the registers: first the names that the event bound, then the slots.
    pub at: usize,
    /// The type of the value. For a cost: the amounts of its parts.
    pub ty: Ty,
    /// For a cost: the number of its parts.
    pub parts: Option<usize>,
}

impl Compiler {
    /// The option of that name or label, if it is declared before it is processed.
    #[must_use]
    pub fn declarable(&self, name: &str) -> Option<OptionId> {
        let option = self.program.verbs.get(self.symbols.verbs.id::<VerbId>(name)?)?.option?;
        self.program.options.get(option).filter(|def| def.process.is_some()).map(|_| option)
    }

    /// The names of all options that are declared before they are processed.
    pub fn declarables(&self) -> impl Iterator<Item = &str> {
        let options = self.program.options.rows().iter().filter(|option| option.process.is_some());
        options.filter_map(|option| self.program.verbs.get(option.verb)).map(|verb| verb.name.name.as_str())
    }

    /// What a position can give to a declared option: its arguments, and the names of its first part.
    #[must_use]
    pub fn kept_by(&self, option: OptionId) -> Vec<Fillable> {
        let named = self.symbols.kept.iter().find(|(of, _)| *of == option).map_or(&[][..], |(_, named)| named);
        named.iter().enumerate().map(|(at, (name, ty))| Fillable { name: name.clone(), at, ty: *ty, parts: None }).collect()
    }

    /// What a position can give to a waiting ability. Empty for an ability that never waits.
    #[must_use]
    pub fn fillable(&self, ability: AbilityId) -> Vec<Fillable> {
        let Some((waiting, _, bound)) = waits(&self.program, ability) else { return Vec::new() };
        let mut found = Vec::new();
        if let Waits::Triggered(_, clause) = waiting
            && let Some(ClauseKind::When { pattern, .. }) = self.program.clauses.get(clause).map(|clause| &clause.kind)
            && let Some(names) = self.symbols.bound.get(pattern.index())
        {
            let named = names.iter().take(bound).enumerate();
            found.extend(named.map(|(at, (name, ty))| Fillable { name: name.clone(), at, ty: *ty, parts: None }));
        }
        let def = self.program.abilities.get(ability);
        let slots = def.and_then(|def| self.program.kinds.get(def.kind)).map_or(&[][..], |kind| &kind.slots);
        let fills = def.map_or(&[][..], |def| &def.fills);
        for (at, ((slot, ..), fill)) in slots.iter().zip(fills).enumerate() {
            let Some(def) = self.program.slots.get(*slot) else { continue };
            let parts = match fill {
                // A value is computed each time, whatever the position says.
                Fill::Empty | Fill::Value(_) => continue,
                Fill::Cost { parts, .. } => Some(parts.len()),
                Fill::Asked { .. } => None,
            };
            let ty = if parts.is_some() { Ty::set(Type::Number) } else { Ty { of: def.of, set: def.set } };
            found.push(Fillable { name: def.name.name.clone(), at: bound + at, ty, parts });
        }
        found
    }
}
