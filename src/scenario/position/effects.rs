//! Effects in force in a position. Their clauses and blocks are compiled with the names of the position's cards, so that the game begins
//! them like any other effects.

use crate::position::setup::{Aliases, card_named};
use crate::terms;
use compile::Compiler;
use engine::ids::RoutineId;
use engine::value::ObjectId;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Given, GivenBegun, GivenEffect, Name};

/// For each effect in force, a body that begins it, and the card of the effect.
///
/// # Errors
/// `E0539` before the set-up, `E0538` for a source that is no card's name, `E0548` for `you` or `this` without a source, and the compiler's
/// findings about the clauses.
pub(crate) fn in_force(
    compiler: &mut Compiler,
    given: &Given,
    aliases: &Aliases,
) -> Result<Vec<(RoutineId, Option<ObjectId>)>, Diagnostic> {
    given.effects.iter().map(|effect| one(compiler, given, effect, aliases)).collect()
}

fn one(
    compiler: &mut Compiler,
    given: &Given,
    effect: &GivenEffect,
    aliases: &Aliases,
) -> Result<(RoutineId, Option<ObjectId>), Diagnostic> {
    if given.setup {
        return Err(Diagnostic::error("E0539", effect.span));
    }
    let source = effect.source.as_ref().map(|name| named(name, aliases)).transpose()?;
    if source.is_none()
        && let Some(word) = compiler.means_its_source(&effect.kind)
    {
        return Err(Diagnostic::error("E0548", effect.span).with("word", word));
    }
    if let GivenBegun::Came(cards) = &effect.kind {
        cards.iter().try_for_each(|card| self::named(card, aliases).map(|_| ()))?;
    }
    let scope = terms::scope(compiler, aliases.iter().map(|(name, named)| (name.as_str(), named.first())));
    let body = compiler.effects((&effect.kind, effect.span), &scope);
    body.map(|body| (body, source)).map_err(|found| terms::first(found, effect.span, "clause"))
}

/// The card with the source's name.
///
/// # Errors
/// `E0538` if no card has the name.
pub(crate) fn named(name: &Name, aliases: &Aliases) -> Result<ObjectId, Diagnostic> {
    let words = aliases.iter().map(|(alias, _)| alias.as_str());
    card_named(aliases, &name.text).ok_or_else(|| Diagnostic::error("E0538", name.span).with("name", &name.text).suggest(&name.text, words))
}
