//! Abilities of cards: a declared kind with slots and a body, or clauses that hold while the ability is active.

use super::Compiler;
use super::body::Body;
use super::expression::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::ids::{AbilityId, CardId, KindId};
use crate::engine::program::AbilityDef;
use crate::syntax::ast::{Ability, AbilityBody, Arg, Clause, ClauseKind, DeckLimit};

impl Compiler {
    /// The abilities in printed order, and what they change in the deck check.
    pub(super) fn abilities(&mut self, card: CardId, abilities: &[Ability]) -> ((AbilityId, u16), Vec<DeckLimit>) {
        let first = AbilityId(self.program.abilities.len() as u16);
        let mut deck = Vec::new();
        for (at, ability) in abilities.iter().enumerate() {
            if let AbilityBody::Deck(limits) = &ability.kind {
                deck.extend(limits.iter().cloned());
                continue;
            }
            let number = self.program.cards.get(card).map(|card| card.number.clone()).unwrap_or_default();
            let title = format!("{number}/{}", at + 1);
            if let Some(def) = self.ability(card, ability, &title) {
                self.map.abilities.push(ability.span);
                self.program.abilities.push(def);
            }
        }
        let count = self.program.abilities.len() - usize::from(first.0);
        ((first, count as u16), deck)
    }

    fn ability(&mut self, card: CardId, ability: &Ability, title: &str) -> Option<AbilityDef> {
        let kind = self.kind_of(ability)?;
        let (zones, uses_per_turn) = self.program.kinds.get(kind).map_or((u64::MAX, None), |def| (def.zones, def.uses_per_turn));
        let cites = self.cites(&ability.cites);
        let mut def = AbilityDef { kind, card, zones, uses_per_turn, body: None, clauses: Vec::new(), cites };
        self.slots(&mut def, &ability.slots);
        match &ability.kind {
            AbilityBody::Kind(_, block) => {
                let inner = Body { span: ability.span, cites, ..Body::default() };
                let mut name = Self::title(title);
                name.cites = cites;
                let mut lowering = Lowering::new(self, Body::default());
                let costs_first = lowering.c.program.kinds.get(kind).is_some_and(|kind| kind.costs_first);
                def.body = Some(lowering.nested(inner, 0, name, |lowering| {
                    if costs_first {
                        lowering.block_with_costs_first(block);
                    } else {
                        lowering.block(block);
                    }
                }));
            }
            AbilityBody::Static(condition, clauses) => {
                let mut lowering = Lowering::new(self, Body::default());
                let mut around = condition.iter().collect();
                for clause in clauses {
                    lowering.clause_under(clause, &mut around, title, &mut def.clauses);
                }
            }
            AbilityBody::When(pattern, block) => {
                let kind = ClauseKind::When(pattern.clone(), block.clone());
                self.one_clause(&mut def, kind, ability, title);
            }
            AbilityBody::Instead(pattern, block) => {
                let kind = ClauseKind::Instead(pattern.clone(), block.clone());
                self.one_clause(&mut def, kind, ability, title);
            }
            AbilityBody::Deck(_) | AbilityBody::Hole(_) => {}
        }
        Some(def)
    }

    fn one_clause(&mut self, def: &mut AbilityDef, kind: ClauseKind, ability: &Ability, title: &str) {
        let clause = Clause { cites: ability.cites.clone(), kind, span: ability.span };
        let mut lowering = Lowering::new(self, Body::default());
        lowering.clause_under(&clause, &mut Vec::new(), title, &mut def.clauses);
    }

    /// The declared kind; `static`, `when` and `instead` have the kinds of these names, which the game must declare.
    fn kind_of(&mut self, ability: &Ability) -> Option<KindId> {
        let wanted = match &ability.kind {
            AbilityBody::Kind(name, _) => {
                let found = self.symbols.kinds.id(&name.text);
                if found.is_none() {
                    let words: Vec<String> = self.symbols.kinds.words().map(str::to_owned).collect();
                    self.unknown("kind of ability", name, words.iter().map(String::as_str));
                }
                return found;
            }
            AbilityBody::Static(..) => "static",
            AbilityBody::When(..) => "automatic",
            AbilityBody::Instead(..) => "replacement",
            AbilityBody::Deck(_) => return None,
            AbilityBody::Hole(name) => {
                self.report(Diagnostic::error("E0242", ability.span).with("name", &name.text));
                return None;
            }
        };
        let found = self.symbols.kinds.id(wanted);
        if found.is_none() {
            self.missing_kind(wanted, ability.span);
        }
        found
    }

    fn missing_kind(&mut self, wanted: &str, span: Span) {
        self.report(Diagnostic::error("E0220", span).with("kind", wanted));
    }

    fn slots(&mut self, def: &mut AbilityDef, slots: &[Arg]) {
        for slot in slots {
            let Some(name) = &slot.name else {
                self.report(Diagnostic::error("E0206", slot.value.span).with("argument", "?").with("name", "ability"));
                continue;
            };
            match name.text.as_str() {
                "zones" => def.zones = self.zone_set(&slot.value),
                "limit" => def.uses_per_turn = self.number_within(&slot.value, "limit", 0, i32::MAX),
                _ => {
                    let finding = Diagnostic::error("E0206", name.span).with("argument", &name.text).with("name", "ability");
                    self.report(finding.suggest(&name.text, ["zones", "limit"]));
                }
            }
        }
    }
}
