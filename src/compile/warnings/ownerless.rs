//! Warns of texts that need a player (`you`) where the rules perform them on cards that belong to nobody. There `you` is undefined, and
//! nothing is done.
//!
//! Only what is certain is reported: the rules name the kind of ability in one form alone, a loop over the cards of shared zones that
//! `own cards`, without `acting as`.

use super::super::Compiler;
use super::reach::{bodies, inside, names, says};
use engine::ids::ZoneId;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Ability, AbilityBody, Block, CardDecl, DeclKind, Expr, ExprKind, Stmt, StmtKind};
use std::collections::BTreeMap;

/// The player of a text.
const YOU: &str = "you";

impl Compiler {
    /// `E0293`, warnings at the cards.
    #[must_use]
    pub fn nobodys_texts<'c>(&self, cards: impl Iterator<Item = (&'c CardDecl, &'c [Ability])>) -> Vec<Diagnostic> {
        let kinds = self.kinds_of_nobody();
        if kinds.is_empty() {
            return Vec::new();
        }
        let finding = |(card, abilities): (&CardDecl, &[Ability])| {
            let needs = abilities.iter().find_map(|ability| match &ability.kind {
                AbilityBody::Kind(kind, body) if kinds.contains(&kind.text) && needs_a_player(body) => Some(&kind.text),
                _ => None,
            })?;
            let place = card.texts.first().map_or(card.number.span, |text| text.span);
            Some(Diagnostic::error("E0293", place).with("kind", needs).with("word", YOU).warning())
        };
        cards.filter_map(finding).collect()
    }

    /// The kinds of ability that are performed only on cards that belong to nobody.
    fn kinds_of_nobody(&self) -> Vec<String> {
        let mut performed: BTreeMap<String, usize> = BTreeMap::new();
        let kinds: Vec<&str> = self
            .decls
            .iter()
            .filter_map(|decl| if let DeclKind::AbilityKind(kind) = &decl.kind { Some(kind.head.name.text.as_str()) } else { None })
            .collect();
        let others = || self.decls.iter().filter(|decl| !matches!(decl.kind, DeclKind::AbilityKind(_)));
        for block in others().flat_map(|decl| bodies(decl)) {
            self.loops_of_nobody(block, &kinds, &mut performed);
        }
        if performed.is_empty() {
            return Vec::new();
        }
        let mentioned = |kind: &str| others().map(|decl| names(decl, kind)).sum::<usize>();
        performed.into_iter().filter(|(kind, times)| mentioned(kind) == *times).map(|(kind, _)| kind).collect()
    }

    /// Counts, for each kind, the loops `for c in ZONE { for a in abilities(c) where it is KIND { … } }` over a zone of nobody.
    fn loops_of_nobody(&self, block: &Block, kinds: &[&str], performed: &mut BTreeMap<String, usize>) {
        for statement in &block.statements {
            if let StmtKind::For(card, zone, body) = &statement.kind
                && self.is_of_nobody(zone)
            {
                for inner in &body.statements {
                    if let StmtKind::For(_, abilities, performs) = &inner.kind
                        && let Some(kind) = kind_of(abilities, &card.text, kinds)
                        && !performs.statements.iter().any(acts_as_somebody)
                    {
                        *performed.entry(kind.to_owned()).or_default() += 1;
                    }
                }
            }
            inside(statement)
                .into_iter()
                .filter(|_| !acts_as_somebody(statement))
                .for_each(|inner| self.loops_of_nobody(inner, kinds, performed));
        }
    }

    fn is_of_nobody(&self, set: &Expr) -> bool {
        let ExprKind::Name(name) = &set.kind else { return false };
        let zone = self.symbols.zones.id::<ZoneId>(&name.text).and_then(|id| self.program.zones.get(id));
        zone.is_some_and(|zone| !zone.each_player && zone.owns)
    }
}

/// The kind in `abilities(CARD) where it is KIND`.
fn kind_of<'e>(abilities: &'e Expr, card: &str, kinds: &[&str]) -> Option<&'e str> {
    let ExprKind::Where { set, condition, .. } = &abilities.kind else { return None };
    let ExprKind::Call(called, args) = &set.kind else { return None };
    let of_card = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name.text == card);
    let [arg] = args.as_slice() else { return None };
    if called.text != "abilities" || !of_card(&arg.value) {
        return None;
    }
    match &condition.kind {
        ExprKind::Is { negated: false, what, .. } if kinds.contains(&what.text.as_str()) => Some(&what.text),
        _ => None,
    }
}

/// Whether somebody acts for another player in a statement.
pub(super) fn acts_as_somebody(statement: &Stmt) -> bool {
    matches!(&statement.kind, StmtKind::ActingAs(..))
        || inside(statement).into_iter().any(|block| block.statements.iter().any(acts_as_somebody))
}

/// Whether a body needs `you` outside of `acting as`. A choice without `by` asks `you`.
fn needs_a_player(body: &Block) -> bool {
    body.statements.iter().any(|statement| {
        let asks = matches!(&statement.kind, StmtKind::Choose(choose) if choose.by.is_none());
        asks || says(statement, YOU) > 0
            || !matches!(&statement.kind, StmtKind::ActingAs(..)) && statement.blocks().into_iter().any(needs_a_player)
    })
}
