//! Compiles abilities of cards: a declared kind with slots and a body, or clauses that hold while the ability is active.

use crate::Compiler;
use crate::abilities::slot::{Filled, Held, slot_body};
use crate::expressions::expression::Lowering;
use crate::expressions::pattern::Use;
use crate::statements::body::Body;
use engine::ids::{AbilityId, Id, KeywordId, KindId, NodeId, RoutineId};
use engine::program::{AbilityDef, ClauseKind as Made, Counted};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, AbilityBody, Arg, Block, Clause, ClauseKind, DeckLimit, ExprKind};

impl Lowering<'_> {
    /// An ability that waits once its event has happened. Its slots and its body come after the names that the pattern binds.
    fn waiting(&mut self, def: &mut AbilityDef, filled: &Filled, block: &Block, title: &str, made: impl FnOnce(RoutineId) -> Made) {
        let (names, several) = (self.body.names.clone(), self.body.several.clone());
        let frame = Body { names, several, next: self.body.next, ..Body::default() };
        def.fills = self.c.fills(filled, &frame);
        let inner = Body { span: self.body.span, ..slot_body(filled, filled.len(), &frame, self.c) };
        let (parameters, mut name) = (inner.next, Compiler::title(title));
        name.cites = def.cites;
        let body = self.nested(inner, parameters, name, |lowering| lowering.waited_block(block));
        self.add_clause(made(body), NodeId::NONE, Vec::new(), true, &mut def.clauses);
    }
}

impl Compiler {
    /// The abilities of a card or keyword in printed order, and its limits for the deck check. Granted abilities get their numbers first,
    /// so that the card's own numbers are consecutive.
    pub(crate) fn abilities(
        &mut self,
        title: &str,
        keyword: Option<KeywordId>,
        of: &[u8],
        abilities: &[Ability],
    ) -> ((AbilityId, u16), Vec<DeckLimit>) {
        let mut made: Vec<(Span, AbilityDef)> = Vec::new();
        let mut deck = Vec::new();
        for of in of {
            made.extend(self.abilities_of_type(*of));
        }
        for (at, ability) in abilities.iter().enumerate() {
            match &ability.kind {
                AbilityBody::Deck(limits) => deck.extend(limits.iter().cloned()),
                AbilityBody::Keyword(name) => made.extend(self.keyword_abilities(name)),
                _ => {
                    let def = self.ability(ability, &format!("{title}/{}", at + 1));
                    made.extend(def.map(|def| (ability.span, AbilityDef { keyword, ..def })));
                }
            }
        }
        (self.add_abilities(made), deck)
    }

    /// Adds abilities with consecutive numbers.
    pub(crate) fn add_abilities(&mut self, made: Vec<(Span, AbilityDef)>) -> (AbilityId, u16) {
        let first = AbilityId(self.program.abilities.len() as u16);
        let count = made.len() as u16;
        for (span, def) in made {
            self.map.abilities.push(span);
            self.program.abilities.push(def);
        }
        (first, count)
    }

    pub(crate) fn ability(&mut self, ability: &Ability, title: &str) -> Option<AbilityDef> {
        let kind = self.kind_of(ability)?;
        let of_kind = self.program.kinds.get(kind);
        let (zones, uses_per_turn) = of_kind.map_or((engine::bits::ZoneSet::ALL, None), |def| (def.zones, def.uses_per_turn));
        let zones_of = of_kind.map_or_else(Vec::new, |def| def.zones_of.clone());
        let (per, counted) = of_kind.map_or_else(Default::default, |def| (def.per, def.counted));
        let cites = self.cites(&ability.cites);
        let mut def = AbilityDef {
            kind,
            of_type: false,
            keyword: None,
            zones,
            zones_of,
            uses_per_turn,
            per,
            counted,
            body: None,
            clauses: Vec::new(),
            fills: Vec::new(),
            looks: None,
            once_for_a_batch: false,
            again_when_resolved: None,
            cites,
            script: self.script_of(ability),
        };
        self.slots(&mut def, &ability.slots, &ability.kind);
        let filled = self.filled(kind, &ability.slots, &ability.kind);
        match &ability.kind {
            AbilityBody::Kind(_, block) => {
                def.fills = self.fills(&filled, &Body::default());
                let inner = Body { span: ability.span, cites, ..slot_body(&filled, filled.len(), &Body::default(), self) };
                let parameters = inner.next;
                let mut name = Self::title(title);
                name.cites = cites;
                let mut lowering = Lowering::new(self, Body::default());
                let costs_first = lowering.c.program.kinds.get(kind).is_some_and(|kind| kind.costs_first);
                def.body = Some(lowering.nested(inner, parameters, name, |lowering| {
                    lowering.lives_of_this(block);
                    if costs_first {
                        lowering.block_with_costs_first(block);
                    } else {
                        lowering.block(block);
                    }
                }));
            }
            AbilityBody::Static(condition, clauses) => {
                let body = self.values_only(&mut def, &filled, ability.span);
                let mut lowering = Lowering::new(self, body);
                let mut around = condition.iter().collect();
                for clause in clauses {
                    lowering.clause_under(clause, &mut around, (title, true), &mut def.clauses);
                }
                if condition.is_some() {
                    self.under_one(&def.clauses);
                }
            }
            AbilityBody::When(pattern, block) => {
                let mut lowering = Lowering::new(self, Body { span: ability.span, cites, ..Body::default() });
                let (pattern, _) = lowering.pattern(pattern, Use::Watched);
                lowering.waiting(&mut def, &filled, block, title, |body| Made::When { pattern, body, once: false });
            }
            AbilityBody::Instead(pattern, block) => {
                let body = self.values_only(&mut def, &filled, ability.span);
                let kind = ClauseKind::Instead(pattern.clone(), block.clone());
                let clause = Clause { cites: ability.cites.clone(), kind, span: ability.span };
                Lowering::new(self, body).clause_under(&clause, &mut Vec::new(), (title, true), &mut def.clauses);
            }
            AbilityBody::Whenever(condition, block) => {
                let mut lowering = Lowering::new(self, Body { span: ability.span, cites, ..Body::default() });
                let condition = lowering.condition(condition);
                lowering.waiting(&mut def, &filled, block, title, |body| Made::Whenever { condition, body });
            }
            AbilityBody::Keyword(_) | AbilityBody::Deck(_) | AbilityBody::Hole(_) => {}
        }
        Some(def)
    }

    /// The slots of an ability that never waits: they hold values only. Gives the body whose names its clauses see.
    fn values_only(&mut self, def: &mut AbilityDef, filled: &Filled, span: Span) -> Body {
        for (slot, held) in filled {
            let cost = self.program.slots.get(slot.id).is_some_and(|def| def.cost);
            if matches!(held, Held::Holds(expr) if cost || matches!(expr.kind, ExprKind::Pick(_))) {
                self.report(Diagnostic::error("E0332", span).with("slot", &slot.name.text));
            }
        }
        def.fills = self.fills(filled, &Body::default());
        slot_body(filled, filled.len(), &Body::default(), self)
    }

    /// The kind of the ability. `static`, `when` and `instead` need the declared kinds `static`, `automatic` and `replacement`.
    fn kind_of(&mut self, ability: &Ability) -> Option<KindId> {
        let wanted = match &ability.kind {
            AbilityBody::Kind(name, _) => return self.declared("kind of ability", |symbols| &symbols.kinds, name),
            AbilityBody::Static(..) => "static",
            AbilityBody::When(..) | AbilityBody::Whenever(..) => "automatic",
            AbilityBody::Instead(..) => "replacement",
            AbilityBody::Keyword(_) | AbilityBody::Deck(_) => return None,
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

    fn is_automatic(&self, kind: KindId) -> bool {
        self.symbols.kinds.id::<KindId>("automatic") == Some(kind)
    }

    fn slots(&mut self, def: &mut AbilityDef, slots: &[Arg], body: &AbilityBody) {
        for slot in slots {
            let Some(name) = &slot.name else {
                self.report(Diagnostic::error("E0206", slot.value.span).with("argument", "?").with("name", "ability"));
                continue;
            };
            match name.text.as_str() {
                "zones" => (def.zones, def.zones_of) = self.zones_by_type(&slot.value),
                "looks" if self.is_automatic(def.kind) => {
                    if let ExprKind::Name(side) = &slot.value.kind {
                        def.looks = self.side_of_move(side);
                    } else {
                        self.report(Diagnostic::error("E0237", slot.value.span).with("what", "looks"));
                    }
                }
                "once" if self.is_automatic(def.kind) => match &slot.value.kind {
                    ExprKind::Name(what) if what.text == "batch" => def.once_for_a_batch = true,
                    ExprKind::Name(what) => self.unknown("way of waiting once", what, ["batch"]),
                    _ => self.report(Diagnostic::error("E0237", slot.value.span).with("what", "once")),
                },
                "again" if matches!(body, AbilityBody::Whenever(..)) => match &slot.value.kind {
                    ExprKind::Name(when) if matches!(when.text.as_str(), "when_false" | "when_resolved") => {
                        def.again_when_resolved = Some(when.text == "when_resolved");
                    }
                    ExprKind::Name(when) => self.unknown("time of waiting again", when, ["when_false", "when_resolved"]),
                    _ => self.report(Diagnostic::error("E0237", slot.value.span).with("what", "again")),
                },
                "per" => match &slot.value.kind {
                    ExprKind::Name(duration) if duration.text == "turn" => def.per = None,
                    ExprKind::Name(duration) => def.per = self.declared("duration", |symbols| &symbols.durations, duration),
                    _ => self.report(Diagnostic::error("E0237", slot.value.span).with("what", "per")),
                },
                "each" => match &slot.value.kind {
                    ExprKind::Name(whose) => match whose.text.as_str() {
                        "card" => def.counted = Counted::Card,
                        "player" => def.counted = Counted::Player,
                        "card_and_player" => def.counted = Counted::CardAndPlayer,
                        _ => self.unknown("way of counting uses", whose, ["card", "player", "card_and_player"]),
                    },
                    _ => self.report(Diagnostic::error("E0237", slot.value.span).with("what", "each")),
                },
                "limit" => def.uses_per_turn = self.number_within(&slot.value, "limit", 0, i32::MAX),
                word => {
                    let slots = self.symbols.kind_slots.get(def.kind.index()).cloned().unwrap_or_default();
                    if slots.iter().any(|slot| slot.name.text == word) {
                        continue;
                    }
                    let kind = self.program.kinds.get(def.kind).map_or_else(String::new, |kind| kind.name.name.clone());
                    let finding = Diagnostic::error("E0206", name.span).with("argument", word).with("name", kind);
                    let known = slots.iter().map(|slot| slot.name.text.as_str()).chain(["zones", "limit", "per", "each"]);
                    self.report(finding.suggest(word, known));
                }
            }
        }
    }
}
