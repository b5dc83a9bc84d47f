//! An ability as text without the names of its locals. Two abilities with equal texts are the same ability.

use crate::print::show_ability;
use lang::syntax::ast::{Ability, Name};
use lang::syntax::rewrite::Rewriter;
use lang::syntax::visit::Visitor;

/// The ability in one line, with its locals numbered in the order in which they are bound.
#[must_use]
pub fn said_plainly(ability: &Ability) -> String {
    let mut plain = ability.clone();
    let mut bound = Bound(Vec::new());
    bound.ability(ability);
    if !bound.0.is_empty() {
        Numbered(&bound.0).ability(&mut plain);
    }
    show_ability(&plain)
}

/// Collects the names that are bound.
struct Bound(Vec<String>);

impl Visitor<'_> for Bound {
    fn binder(&mut self, name: &Name) {
        if !self.0.contains(&name.text) {
            self.0.push(name.text.clone());
        }
    }
}

/// Replaces each of these names by its number.
struct Numbered<'a>(&'a [String]);

impl Numbered<'_> {
    fn number(&self, name: &mut Name) {
        if let Some(at) = self.0.iter().position(|bound| *bound == name.text) {
            name.text = format!("#{at}");
        }
    }
}

impl Rewriter for Numbered<'_> {
    fn name(&mut self, name: &mut Name) {
        self.number(name);
    }

    fn binder(&mut self, name: &mut Name) {
        self.number(name);
    }
}
