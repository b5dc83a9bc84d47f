//! What a position can say of an ability that waits: what its event bound, what is in its slots.

use super::Compiler;
use super::types::Ty;
use crate::engine::ids::{AbilityId, Id, OptionId, VerbId};
use crate::engine::laid::waits;
use crate::engine::program::{ClauseKind, Fill, Type};
use crate::engine::state::Waits;

/// A name that can be given a value, where among the registers it stands, and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fillable {
    /// As rules and cards call it.
    pub name: String,
    /// The register: first what the event bound, then the slots.
    pub at: usize,
    /// What it holds; of a cost the amounts of its parts.
    pub ty: Ty,
    /// Of a cost, how many parts it has.
    pub parts: Option<usize>,
}

impl Compiler {
    /// The option of that name or label that is declared before it is processed.
    #[must_use]
    pub fn declarable(&self, name: &str) -> Option<OptionId> {
        let option = self.program.verbs.get(self.symbols.verbs.id::<VerbId>(name)?)?.option?;
        self.program.options.get(option).filter(|def| def.process.is_some()).map(|_| option)
    }

    /// The names of all such options.
    pub fn declarables(&self) -> impl Iterator<Item = &str> {
        let options = self.program.options.rows().iter().filter(|option| option.process.is_some());
        options.filter_map(|option| self.program.verbs.get(option.verb)).map(|verb| verb.name.name.as_str())
    }

    /// What can be said of an option that was declared: its arguments, and what its first part has named.
    #[must_use]
    pub fn kept_by(&self, option: OptionId) -> Vec<Fillable> {
        let named = self.symbols.kept.iter().find(|(of, _)| *of == option).map_or(&[][..], |(_, named)| named);
        named.iter().enumerate().map(|(at, (name, ty))| Fillable { name: name.clone(), at, ty: *ty, parts: None }).collect()
    }

    /// What can be said of an ability that waits; nothing of one that never does.
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
                // A value is read anew each time, whatever the position says.
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
