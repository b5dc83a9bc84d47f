//! Adds cards of the pool: printed values in one table, abilities, limits for the deck check.

use crate::Compiler;
use crate::expressions::types::Ty;
use engine::ids::{AbilityId, CardId, FieldId, Id};
use engine::program::{AbilityText, CardDef, Node, Type};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, AbilityBody, CardDecl, Expr, ExprKind, Name, Text};
use std::sync::Arc;
use wording::{show_ability, without_headings, without_remarks};

impl Compiler {
    /// Adds a card with its abilities (from its text or its script). Gives its number and its findings. A card with findings is added too,
    /// so that later cards keep their numbers.
    pub fn add_card(&mut self, card: &CardDecl, abilities: &[Ability]) -> (CardId, Vec<Diagnostic>) {
        self.add(Arc::new((card.clone(), abilities.to_vec())))
    }

    /// Adds a card with its abilities, which other games may share. Gives its number and its findings. A card with findings is added too.
    pub fn add(&mut self, added: Arc<(CardDecl, Vec<Ability>)>) -> (CardId, Vec<Diagnostic>) {
        let outer = std::mem::take(&mut self.found);
        let (card, abilities) = &*added;
        let id = self.card(card, abilities);
        self.check_sizes(card.number.span);
        self.check_marks();
        self.check_replaced();
        self.added.push(added);
        (id, std::mem::replace(&mut self.found, outer))
    }

    /// `E0252` if a card's script differs from the meaning of its printed text. Both are compiled in copies and compared as listings; the
    /// finding shows both.
    #[must_use]
    pub fn differs(&self, card: &CardDecl, text: &[Ability], script: &[Ability]) -> Option<Diagnostic> {
        let made = |abilities: &[Ability]| {
            let mut copy = self.clone();
            let (id, _) = copy.add_card(card, abilities);
            crate::listing::listing_of_card(&copy.program, id)
        };
        let shown = |abilities: &[Ability]| abilities.iter().map(show_ability).collect::<Vec<_>>().join("  ");
        let differs = || {
            let finding = Diagnostic::error("E0252", card.number.span).with("number", &card.number.text);
            finding.with("meant", shown(text)).with("written", shown(script))
        };
        (made(text) != made(script)).then(differs)
    }

    fn card(&mut self, card: &CardDecl, abilities: &[Ability]) -> CardId {
        let number = Name { text: card.number.text.clone(), span: card.number.span };
        let base = self.card_that_it_is_like(card);
        let clash = self.symbols.cards.add(&number.text, None, number.span).err();
        self.report_clash("card", &number, number.span, clash);
        let name = card.name.as_ref().map_or(&card.number.text, |name| &name.text).clone();
        let text = self.text(&name);
        let lines: Vec<String> = card.texts.iter().map(|text| without_remarks(&text.text, &self.remarks)).collect();
        let effect_text = self.text(&lines.join("\n"));
        let types = self.printed_types(card, base);
        let id = self.program.cards.push(CardDef {
            number: number.text,
            name: text,
            types: types.clone(),
            text: printed_text(card),
            effect_text,
            todo: why_todo(card),
            ..CardDef::default()
        });
        self.card_names.entry(name.clone()).or_default().push(id);
        for printing in card.printings.iter().map(|printing| &printing.number.text).filter(|number| **number != name) {
            let called = self.card_names.entry(printing.clone()).or_default();
            if !called.contains(&id) {
                called.push(id);
            }
        }
        self.map.cards.push(card.span);
        self.printed_row(card, base);
        match base.filter(|_| abilities.is_empty() && card.texts.is_empty() && card.script.is_none()) {
            Some(base) => self.same_abilities(id, base),
            None => {
                let number = card.number.text.clone();
                let (range, limits) = self.abilities(&number, None, &types, abilities);
                self.texts_of_abilities(card, abilities, range);
                let (deck_limits, deck_musts) = self.deck_limits(&limits);
                if let Some(def) = self.program.cards.get_mut(id) {
                    (def.deck_limits, def.deck_musts) = (deck_limits, deck_musts);
                    (def.abilities, def.has_effect) = (range, !abilities.is_empty());
                }
            }
        }
        id
    }

    /// The types in the card's head, each once. Without types in the head: those of the card that it is like, or the game's first type.
    fn printed_types(&mut self, card: &CardDecl, base: Option<CardId>) -> Vec<u8> {
        let mut types = Vec::new();
        for (at, of) in card.of.iter().enumerate() {
            if let Some(first) = card.of.iter().take(at).find(|first| first.text == of.text) {
                let finding = Diagnostic::error("E0202", of.span).with("what", "card type").with("name", &of.text);
                self.report(finding.note(first.span, "first"));
                continue;
            }
            match self.symbols.card_types.find(&of.text) {
                Some(found) => types.extend(u8::try_from(found).ok()),
                None => {
                    let words: Vec<String> = self.symbols.card_types.words().map(str::to_owned).collect();
                    self.unknown("card type", of, words.iter().map(String::as_str));
                }
            }
        }
        if types.is_empty() {
            let like = base.map(|base| self.program.types_of(base).to_vec()).filter(|types| !types.is_empty());
            return like.unwrap_or_else(|| vec![0]);
        }
        types
    }

    /// The card that `like` names.
    fn card_that_it_is_like(&mut self, card: &CardDecl) -> Option<CardId> {
        let like = card.like.as_ref()?;
        let called = self.cards_called(&like.text);
        let found = called.first().copied();
        if called.len() > 1 {
            let numbers: Vec<&str> = called.iter().filter_map(|id| self.program.cards.get(*id)).map(|card| card.number.as_str()).collect();
            let finding = Diagnostic::error("E0512", like.span).with("card", &like.text).with("numbers", numbers.join("`, `"));
            self.report(finding);
        }
        if found.is_none() {
            let words = self.card_words();
            let finding = Diagnostic::error("E0228", like.span).with("name", &like.text);
            self.report(finding.suggest(&like.text, words.iter().map(String::as_str)));
        }
        found
    }

    /// Gives a card with `like` and without its own text the abilities of the other card.
    fn same_abilities(&mut self, id: CardId, base: CardId) {
        let Some(like) = self.program.cards.get(base).cloned() else { return };
        let first = AbilityId(self.program.abilities.len() as u16);
        for at in 0..like.abilities.1 {
            let of = AbilityId(like.abilities.0.0 + at);
            if let Some(ability) = self.program.abilities.get(of).cloned() {
                let texts = &self.program.ability_texts;
                let text = texts.binary_search_by_key(&of, |known| known.of).ok().and_then(|at| texts.get(at)).copied();
                let here = AbilityId(self.program.abilities.len() as u16);
                self.program.ability_texts.extend(text.map(|text| AbilityText { of: here, ..text }));
                self.map.abilities.push(self.map.ability(of).unwrap_or_default());
                self.program.abilities.push(ability);
            }
        }
        let Some(def) = self.program.cards.get_mut(id) else { return };
        def.abilities = (first, like.abilities.1);
        (def.has_effect, def.text, def.effect_text) = (like.has_effect, like.text, like.effect_text);
        (def.deck_limits, def.deck_musts) = (like.deck_limits, like.deck_musts);
        def.todo = like.todo;
    }

    /// The game's field `name`, if it has one. The printed value of this field is the card's name, and effects may change the current
    /// value.
    pub(crate) fn name_field(&self) -> Option<FieldId> {
        let field = self.symbols.fields.id::<FieldId>("name")?;
        self.program.fields.get(field).filter(|def| def.of == Type::Text && def.derived.is_none() && !def.on_players).map(|_| field)
    }

    /// Notes which line of the text box belongs to each ability: the line where the ability stands, or, for a script, the line with the
    /// same position.
    fn texts_of_abilities(&mut self, card: &CardDecl, abilities: &[Ability], (first, count): (AbilityId, u16)) {
        self.map.texts.extend(card.texts.iter().map(|text| text.span));
        let lines: Vec<&str> =
            card.texts.iter().flat_map(|text| text.text.lines()).map(str::trim).filter(|line| !line.is_empty()).collect();
        let is_one = |ability: &Ability| !matches!(ability.kind, AbilityBody::Deck(_) | AbilityBody::Keyword(_));
        let each_one = abilities.len() == lines.len() && abilities.iter().all(is_one);
        // Abilities that come with the card's type stand before the printed abilities.
        let own = usize::from(count).saturating_sub(abilities.len());
        for at in 0..count {
            let id = AbilityId(first.0 + at);
            let span = self.map.ability(id).unwrap_or_default();
            let holds = |text: &&Text| text.span.file == span.file && text.span.start <= span.start && span.end <= text.span.end;
            let only_line = |text: &Text| text.text.trim().lines().count() == 1;
            let at_its_place = usize::from(at).checked_sub(own).filter(|_| each_one).and_then(|at| lines.get(at)).copied();
            let holding = card.texts.iter().find(holds).filter(|text| only_line(text)).map(|text| text.text.trim());
            let Some(text) = at_its_place.or(holding) else { continue };
            let said = without_remarks(text, &self.remarks);
            let line = self.text(&said);
            let body = self.text(without_headings(&said, &self.headings));
            self.program.ability_texts.push(AbilityText { of: id, line, body });
        }
    }

    fn printed_row(&mut self, card: &CardDecl, base: Option<CardId>) {
        let fields: Vec<FieldId> = self.program.fields.ids().collect();
        let mut row: Vec<Value> =
            fields.iter().map(|field| base.map_or(Value::Undefined, |base| self.program.printed_value(base, *field))).collect();
        let mut given: Vec<(FieldId, Span)> = Vec::new();
        let printed = self.program.cards.rows().last().map(|card| card.types.clone()).unwrap_or_default();
        if let Some(field) = self.program.type_field
            && let Some(Type::Enum(types)) = self.program.fields.get(field).map(|field| field.of)
            && let Some(place) = row.get_mut(field.index())
        {
            *place = match printed.as_slice() {
                [of] => Value::Enum(types, *of),
                several => {
                    let start = self.program.printed_sets.len() as u32;
                    self.program.printed_sets.extend(several.iter().map(|of| Value::Enum(types, *of)));
                    Value::List { len: several.len() as u16, start }
                }
            };
        }
        if let Some(field) = self.name_field()
            && let (Some(place), Some(name)) = (row.get_mut(field.index()), self.program.cards.rows().last().map(|card| card.name))
        {
            *place = Value::Text(name);
        }
        for (name, value) in &card.values {
            let Some(field) = self.symbols.fields.id::<FieldId>(&name.text) else {
                let words: Vec<String> = self.symbols.fields.words().map(str::to_owned).collect();
                let finding = Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", "card");
                let finding = finding.suggest(&name.text, words.iter().map(String::as_str));
                let known = self.printable_fields(&printed);
                self.report(if known.is_empty() { finding } else { finding.with("known", known.join("`, `")) });
                continue;
            };
            if let Some((_, first)) = given.iter().find(|(known, _)| *known == field) {
                let finding = Diagnostic::error("E0202", name.span).with("what", "value").with("name", &name.text);
                self.report(finding.note(*first, "first"));
            }
            given.push((field, name.span));
            let value = self.printed_value(field, name, value);
            if let (Some(value), Some(place)) = (value, row.get_mut(field.index())) {
                *place = value;
            }
        }
        for (field, place) in fields.iter().zip(&mut row) {
            let def = self.program.fields.get(*field);
            let own = def.filter(|def| *place == Value::Undefined && def.declared_by.is_some_and(|of| printed.contains(&of)));
            if let Some(default) = own.and_then(|def| def.default) {
                *place = default;
            }
        }
        self.program.printed.extend(row);
    }

    /// The names of the fields that a card of these types may print.
    fn printable_fields(&self, types: &[u8]) -> Vec<String> {
        let fields = self.program.fields.iter().filter(|(id, field)| {
            let computed = field.derived.is_some() || self.program.type_field == Some(*id) || self.name_field() == Some(*id);
            !field.on_players && !computed && field.declared_by.is_none_or(|of| types.contains(&of))
        });
        fields.map(|(_, field)| field.name.name.clone()).collect()
    }

    /// The names of the fields and states from which a field is computed. The fields `type` and `name` are computed from the head of the card.
    pub(crate) fn computed_from(&self, field: FieldId) -> String {
        let mut names: Vec<String> = Vec::new();
        let derived = self.program.fields.get(field).and_then(|field| field.derived);
        let mut see = |node: &Node| {
            let name = match node {
                Node::Field(_, of) | Node::FieldHas(_, of, _) | Node::Printed(_, of) => self.program.fields.get(*of).map(|def| &def.name),
                Node::State(_, of) => self.program.states.get(*of).map(|def| &def.name),
                _ => None,
            };
            names.extend(name.map(|name| format!("`{}`", name.name)).filter(|name| !names.contains(name)));
        };
        match derived {
            Some(derived) => self.walk(derived, &mut see),
            None => names.push("card NUMBER TYPE \"NAME\"".to_owned()),
        }
        if names.is_empty() { "–".to_owned() } else { names.join(", ") }
    }

    fn printed_value(&mut self, field: FieldId, name: &Name, value: &Expr) -> Option<Value> {
        let def = self.program.fields.get(field)?;
        let (ty, derived) = (Ty { of: def.of, set: def.set }, def.derived.is_some());
        if derived || self.program.type_field == Some(field) || self.name_field() == Some(field) {
            let from = self.computed_from(field);
            self.report(Diagnostic::error("E0250", name.span).with("name", &name.text).with("from", from));
            return None;
        }
        if !ty.set {
            return self.constant_value(value, Some(ty)).map(|(value, _)| value);
        }
        let one = [value.clone()];
        let items = match &value.kind {
            ExprKind::List(items) => items.as_slice(),
            _ => &one,
        };
        let members: Vec<Value> =
            items.iter().filter_map(|item| self.constant_value(item, Some(ty.member()))).map(|(value, _)| value).collect();
        if let Some(last) = items.last() {
            self.check_members(items.len(), last.span);
        }
        let start = self.program.printed_sets.len() as u32;
        let len = u16::try_from(members.len()).unwrap_or(u16::MAX);
        self.program.printed_sets.extend(members);
        Some(Value::List { len, start })
    }
}

/// The text box as a person reads it.
fn printed_text(card: &CardDecl) -> String {
    let parts: Vec<&str> = card.texts.iter().chain(&card.story).map(|text| text.text.as_str()).collect();
    parts.join("\n")
}

/// The reasons why a card's texts are not compiled yet; none if they are.
fn why_todo(card: &CardDecl) -> Option<String> {
    let reasons: Vec<&str> = card.todos.iter().map(|reason| reason.text.as_str()).collect();
    (!reasons.is_empty()).then(|| reasons.join(", "))
}
