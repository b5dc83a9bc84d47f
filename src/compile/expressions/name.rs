//! Compiles bare names, texts that stand for names, and names after a dot.

use crate::declarations::names::ReadingValue;
use crate::expressions::expression::Lowering;
use crate::expressions::language::{WORDS_OF_LANGUAGE, word_of_language};
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Typed};
use engine::ids::{CardId, EnumId, FieldId, Id, NodeId, Reg, StateId, TextId, VerbId, ZoneId};
use engine::program::{Compare, Members, Node, Op, StateDef, Type};
use engine::value::{Player, Value};
use lang::diagnostic::{Diagnostic, Span, written_here};
use lang::syntax::ast::{Expr, ExprKind, Name};

impl Lowering<'_> {
    /// A bare name. The nearest meaning wins: a local name, a word of the language, a value that the place wants, a declared name.
    pub(crate) fn name(&mut self, name: &Name, want: Option<Ty>) -> Typed {
        if let Some(binding) = self.body.find(&name.text).cloned() {
            return self.bound(binding, name);
        }
        if let Some(typed) = self.word(&name.text, name.span) {
            return typed;
        }
        if let Some(typed) = self.wanted_word(&name.text, want) {
            return typed;
        }
        if let Some(typed) = self.declared(name) {
            return typed;
        }
        if want.is_some_and(|want| want.of == Type::Symbol) {
            let symbol = self.word_of_game(&name.text, name.span);
            return self.constant(Value::Symbol(symbol), Ty::one(Type::Symbol));
        }
        if let Some(Ty { of: Type::Enum(id), .. }) = want {
            return self.no_value(id, &name.text, name.span);
        }
        if let Some(dotted) = self.of_it(name) {
            let finding = Diagnostic::error("E0201", name.span).with("what", "name").with("name", &name.text);
            return self.wrong(finding.with("nearest", dotted));
        }
        let locals: Vec<String> = self.body.names.iter().map(|(name, _)| name.clone()).collect();
        let declared: Vec<String> = self.c.symbols.value_words().into_iter().map(str::to_owned).collect();
        let finding = Diagnostic::error("E0201", name.span).with("what", "name").with("name", &name.text);
        let held = self.with_holder(&name.text);
        self.wrong(match name.text.as_str() {
            "it" => finding.with("looked_at", "it"),
            "none" => finding.with("nothing", "none"),
            "game" => finding.with("shared", "game"),
            text if written_here(text).is_some() => finding.with("written", written_here(text).unwrap_or_default()),
            text if self.c.symbols.card_types.find(text).is_some() => finding.with("kind", text),
            text if self.body.loop_name.as_deref() == Some(text) => finding.with("member", "it"),
            text if want == Some(Ty::NUMBER) && !text.is_ascii() => finding.with("digits", "1"),
            _ if held.is_some() => finding.with("nearest", held.unwrap_or_default()),
            text if self.call_of(text).is_some() => finding.with("function", text).with("call", self.call_of(text).unwrap_or_default()),
            text => {
                let known = locals.iter().chain(&declared).map(String::as_str);
                let finding = finding.suggest(text, known.chain(WORDS_OF_LANGUAGE));
                if text.is_ascii() { finding } else { finding.with("symbol", text) }
            }
        })
    }

    /// A state, pool or field as it is written, with its holder: `game.trump`, `p.life`, `c.side`.
    fn with_holder(&self, word: &str) -> Option<String> {
        let held = self.c.symbols.states.id::<StateId>(word).and_then(|id| self.c.program.states.get(id)).map(StateDef::held);
        let field =
            self.c.symbols.fields.id::<FieldId>(word).and_then(|id| self.c.program.fields.get(id)).map(|def| (def.on_players, false));
        Some(match held.or(field)? {
            (_, true) => format!("game.{word}"),
            (true, false) => format!("p.{word}"),
            (false, false) => format!("c.{word}"),
        })
    }

    /// How a function is called that is written without its arguments.
    fn call_of(&self, word: &str) -> Option<String> {
        if ["opponent", "next", "opponents", "team", "partners"].contains(&word) {
            return Some(format!("{word}(p)"));
        }
        self.c.symbols.functions.find(word).map(|_| format!("{word}(…)"))
    }

    /// The suggestion `it.power`, for a bare `power` where `it` has a field or state of that name.
    fn of_it(&self, name: &Name) -> Option<String> {
        let (Binding::Register(_, ty) | Binding::Bound(_, ty) | Binding::Node(Typed { ty, .. })) = self.body.find("it")? else {
            return None;
        };
        let on_player = match ty {
            Ty { of: Type::Player, set: false } => true,
            ty if *ty == Ty::CARD => false,
            _ => return None,
        };
        let field = self.c.symbols.fields.id::<FieldId>(&name.text).and_then(|id| self.c.program.fields.get(id)).map(|def| def.on_players);
        let state = self.c.symbols.states.id::<StateId>(&name.text).and_then(|id| self.c.program.states.get(id)).map(|def| def.held().0);
        (field == Some(on_player) || state == Some(on_player)).then(|| format!("it.{}", name.text))
    }

    /// `been_here`: whether the flow has passed this place before. It is read before the statement, because an expression does not know its
    /// place.
    fn been_here(&mut self, span: Span) -> Typed {
        self.read_before(("E0381", span), |to| Op::BeenHere { to }, Ty::BOOL)
    }

    /// `cause`: the cause of the actions done here. It is read before the statement, because an expression does not know its call.
    fn cause_here(&mut self, span: Span) -> Typed {
        self.read_before(("E0630", span), |to| Op::CauseHere { to }, Ty::CAUSE)
    }

    /// Emits an operation before the statement and gives its result. Reports `code` where no statement stands.
    fn read_before(&mut self, (code, span): (&'static str, Span), read: impl FnOnce(Reg) -> Op, ty: Ty) -> Typed {
        if !self.body.can_ask {
            return self.wrong(Diagnostic::error(code, span));
        }
        let to = self.body.register();
        self.body.emit(read(to));
        self.typed(Node::Local(to), ty)
    }

    /// `E0231`: not a value of that enum.
    fn no_value(&mut self, id: EnumId, written: &str, span: Span) -> Typed {
        let of = Ty::one(Type::Enum(id)).describe(&self.c.program);
        let words: Vec<String> =
            self.c.symbols.values.get(id.index()).map(|values| values.words().map(str::to_owned).collect()).unwrap_or_default();
        let finding = Diagnostic::error("E0231", span).with("value", written).with("of", of).with("known", words.join("`, `"));
        self.wrong(match (written_here(written), self.with_holder(written)) {
            (Some(written), _) => finding.with("written", written),
            (None, Some(held)) => finding.with("held", held),
            _ => finding.suggest(written, words.iter().map(String::as_str)),
        })
    }

    fn bound(&mut self, binding: Binding, name: &Name) -> Typed {
        match binding {
            Binding::Unfilled => self.wrong(Diagnostic::error("E0334", name.span).with("slot", &name.text)),
            Binding::Register(reg, ty) => self.typed(Node::Local(reg), ty),
            Binding::Bound(depth, ty) => self.typed(Node::Bound(depth), ty),
            Binding::Node(typed) => typed,
            Binding::Lazy(expr, names, ty, around) => {
                let outer = std::mem::replace(&mut self.body.names, names.as_ref().clone());
                // The argument is written outside the function, so it may call the same function. This is no circle.
                let inside = self.body.inlining.split_off(around.min(self.body.inlining.len()));
                let typed = self.wanted_typed(&expr, ty);
                self.body.inlining.truncate(around);
                self.body.inlining.extend(inside);
                self.body.names = outer;
                typed
            }
        }
    }

    /// A word of the language that is a value.
    fn word(&mut self, word: &str, span: Span) -> Option<Typed> {
        if word == "cause" {
            return Some(self.cause_here(span));
        }
        if word == "been_here" {
            return Some(self.been_here(span));
        }
        if word == "declined" {
            return Some(self.declined());
        }
        self.body.reads_done |= matches!(word, "done" | "partly_done");
        let (node, ty) = word_of_language(word)?;
        Some(self.typed(node, ty))
    }

    /// `declined`: whether the player has declined the last `may`.
    fn declined(&mut self) -> Typed {
        let Some((choice, declined)) = self.body.last_may else {
            let node = self.c.constant_node(Value::Bool(false));
            return Typed { node, ty: Ty::BOOL };
        };
        if let Some(def) = self.c.program.choices.get_mut(choice) {
            def.declined = Some(declined);
        }
        self.typed(Node::Local(declined), Ty::BOOL)
    }

    /// A value of the wanted enum, by name or label.
    fn wanted_word(&mut self, word: &str, want: Option<Ty>) -> Option<Typed> {
        if want == Some(Ty::CAUSE) {
            return self.cause_named(word);
        }
        let Some(Ty { of: Type::Enum(id), .. }) = want else { return None };
        let value = self.c.value_of(id, word)?;
        Some(self.constant(value, Ty::one(Type::Enum(id))))
    }

    /// A declared name of the game.
    fn declared(&mut self, name: &Name) -> Option<Typed> {
        let word = name.text.as_str();
        if let Some((value, ty)) = self.c.symbols.params.find(word).and_then(|at| self.c.symbols.param_values.get(at).copied()) {
            return Some(self.constant(value, ty));
        }
        if let Some(reading) = self.c.symbols.readings.find(word).and_then(|at| self.c.symbols.reading_values.get(at).cloned()) {
            return Some(match reading {
                ReadingValue::Constant(value, ty) => self.constant(value, ty),
                ReadingValue::Named(..) => self.wrong(Diagnostic::error("E0244", name.span).with("name", word)),
            });
        }
        if let Some(zone) = self.c.symbols.zones.id::<ZoneId>(word) {
            return Some(self.bare_zone(zone));
        }
        if let Some(value) = self.enum_value(name) {
            return Some(value);
        }
        if let Some(role) = self.c.symbols.roles.id(word) {
            return self.role(role);
        }
        if let Some(group) = self.c.symbols.groups.id(word) {
            return Some(self.constant(Value::Group(group), Ty::OPTIONS));
        }
        if self.c.symbols.causes.find(word).is_some() {
            return self.cause_named(word);
        }
        self.c.symbols.enums.id::<EnumId>(word).map(|id| self.typed(Node::EnumValues(id), Ty::set(Type::Enum(id))))
    }

    /// A zone without its player: the cards of all players there. A shared zone is itself.
    fn bare_zone(&mut self, zone: ZoneId) -> Typed {
        if self.c.program.zones.get(zone).is_some_and(|zone| zone.abilities && !zone.each_player) {
            return self.typed(Node::Waiting(zone, NodeId::NONE), Ty::set(Type::Ability));
        }
        let each = self.c.program.zones.get(zone).is_some_and(|zone| zone.each_player);
        if each { self.typed(Node::ZoneOfAll(zone), Ty::CARDS) } else { self.typed(Node::Zone(zone, NodeId::NONE), Ty::ZONE) }
    }

    /// A value name that belongs to only one enum.
    fn enum_value(&mut self, name: &Name) -> Option<Typed> {
        let all = self.c.symbols.declared_values();
        let found: Vec<(usize, usize)> = all.filter_map(|(id, values)| values.find(&name.text).map(|at| (id, at))).collect();
        match found.as_slice() {
            [] => None,
            [(id, at)] => {
                let id = EnumId::from_index(*id);
                Some(self.constant(Value::Enum(id, u8::try_from(*at).unwrap_or(0)), Ty::one(Type::Enum(id))))
            }
            _ => Some(self.wrong(Diagnostic::error("E0226", name.span).with("name", &name.text))),
        }
    }

    /// A text. Where another type is wanted, the thing with that label or name.
    pub(crate) fn text(&mut self, text: &str, span: Span, want: Option<Ty>) -> Typed {
        match want.map(|want| want.of) {
            Some(Type::Symbol) => {
                let symbol = self.word_of_game(text, span);
                self.constant(Value::Symbol(symbol), Ty::one(Type::Symbol))
            }
            Some(Type::Enum(id)) => self.wanted_word(text, want).unwrap_or_else(|| self.no_value(id, text, span)),
            Some(Type::CatalogueCard) => match self.c.cards_called(text).as_slice() {
                [card] => {
                    if let Some(finding) = crate::to_do(&self.c.program, *card) {
                        return self.wrong(finding.at(span));
                    }
                    self.constant(Value::Card(*card), Ty::one(Type::CatalogueCard))
                }
                [] if !self.body.texts_are_cards => {
                    // The rules are read before the cards, so the name is looked up once all cards are there.
                    let id = self.c.text(text);
                    self.c.pool_cards.push((id, span));
                    self.typed(Node::PoolCard(id), Ty::one(Type::CatalogueCard))
                }
                _ => self.no_card(text, span),
            },
            _ => {
                let id = self.word_of_game(text, span);
                self.constant(Value::Text(id), Ty::TEXT)
            }
        }
    }

    /// The number of a text or symbol. `E0588` if nothing in the game has this word, and only such words are allowed.
    fn word_of_game(&mut self, word: &str, span: Span) -> TextId {
        let id = self.c.text(word);
        if self.c.unknown_words_from.is_some_and(|from| id.index() >= from) {
            let known = self.c.program.texts.rows().iter().take(self.c.unknown_words_from.unwrap_or_default());
            let finding = Diagnostic::error("E0588", span).with("name", word).suggest(word, known.map(String::as_str));
            self.c.report(finding);
        }
        id
    }

    pub(crate) fn no_card(&mut self, text: &str, span: Span) -> Typed {
        let words = self.c.card_words();
        let finding = Diagnostic::error("E0228", span).with("name", text).suggest(text, words.iter().map(String::as_str));
        self.wrong(finding)
    }

    /// Whether a card (a bound or simple node) is one of these cards.
    pub(crate) fn is_one_of(&mut self, card: NodeId, cards: &[CardId]) -> NodeId {
        let mut test = NodeId::NONE;
        for id in cards {
            let one = self.c.node(Node::IsCard(card, *id));
            test = if test == NodeId::NONE { one } else { self.c.node(Node::Or(test, one)) };
        }
        if test == NodeId::NONE { self.c.constant_node(Value::Bool(false)) } else { test }
    }

    /// Whether a card has that name. Known cards of the pool are compared as cards, else the printed name is compared.
    pub(crate) fn is_called(&mut self, card: NodeId, text: &str, span: Span) -> NodeId {
        if let Some(field) = self.c.name_field().filter(|_| !self.body.texts_are_cards) {
            // If the game has a name field, the current name counts, not the printed one.
            self.c.asked_words.push(Name { text: text.to_owned(), span });
            let id = self.word_of_game(text, span);
            let wanted = self.c.constant_node(Value::Text(id));
            return self.c.node(Node::FieldHas(card, field, wanted));
        }
        let cards = self.c.cards_called(text);
        if !cards.is_empty() {
            return self.is_one_of(card, &cards);
        }
        if self.body.texts_are_cards {
            return self.no_card(text, span).node;
        }
        self.c.asked_words.push(Name { text: text.to_owned(), span });
        let (name, id) = (self.c.node(Node::CardName(card)), self.c.text(text));
        let id = self.c.constant_node(Value::Text(id));
        self.c.node(Node::Compare(Compare::Equal, name, id))
    }

    /// `x.name`, also in `printed x.name`.
    pub(crate) fn field(&mut self, of: &Expr, name: &Name, printed: bool) -> Typed {
        if let Some(state) = self.c.symbols.states.id::<StateId>(&name.text).filter(|state| self.is_of_game(*state)) {
            let subject = self.holder_of(of, state);
            return self.state(subject, state, true, name);
        }
        if matches!(&of.kind, ExprKind::Name(name) if name.text == "game" && self.body.find("game").is_none()) {
            return self.not_of_game(name);
        }
        let subject = self.expr(of, None);
        if subject.ty.of == Type::Unknown {
            return self.broken();
        }
        let card = if subject.ty == Ty::CARD || self.holds_at_most_one(subject) || subject.ty == Ty::CARDS {
            Some(self.fit(subject, Ty::CARD, of.span))
        } else {
            None
        };
        if let Some(card) = card {
            return self.card_field(card, name, printed);
        }
        match subject.ty {
            Ty::ABILITY => return self.ability_field(subject, name),
            Ty::CAUSE => return self.cause_field(subject, name),
            Ty { of: Type::Event(of), set: false } => return self.event_field(subject, of, name),
            _ => {}
        }
        if subject.ty == Ty::EFFECT {
            return self.effect_field(subject, name);
        }
        if subject.ty == Ty::PLAYER
            && let Some(field) = self.c.symbols.fields.id::<FieldId>(&name.text)
            && let Some(def) = self.c.program.fields.get(field).filter(|def| def.on_players)
        {
            let ty = Ty { of: def.of, set: false };
            let node = if printed { Node::Printed(subject.node, field) } else { Node::Field(subject.node, field) };
            return self.typed(node, ty);
        }
        if subject.ty == Ty::one(Type::CatalogueCard)
            && let Some(field) = self.pool_card_field(subject.node, name)
        {
            return field;
        }
        if subject.ty == Ty::PLAYER
            && let Some(state) = self.c.symbols.states.id::<StateId>(&name.text)
        {
            return self.state(subject.node, state, true, name);
        }
        let (of, words) = (subject.ty.describe(&self.c.program), self.dot_words());
        let finding = Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", of);
        if subject.ty == Ty::PLAYER && self.c.symbols.fields.find(&name.text).is_some() {
            return self.wrong(finding.with("of_card", &name.text));
        }
        self.wrong(finding.suggest(&name.text, words.iter().map(String::as_str)))
    }

    /// `E0222`: `game.x`, where the game has no `x`.
    fn not_of_game(&mut self, name: &Name) -> Typed {
        let finding = Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", "game");
        if let Some(held) = self.with_holder(&name.text) {
            return self.wrong(finding.with("held", held));
        }
        let states = self.c.program.states.rows().iter().filter(|state| state.held().1);
        let words: Vec<String> = states.map(|state| state.name.name.clone()).collect();
        self.wrong(finding.suggest(&name.text, words.iter().map(String::as_str)))
    }

    fn dot_words(&self) -> Vec<String> {
        let declared = self.c.symbols.fields.words().chain(self.c.symbols.states.words());
        let builtin = ["owner", "controller", "name", "text", "number", "zone", "source", "host", "original", "arrived"];
        builtin.into_iter().chain(declared).map(str::to_owned).collect()
    }

    fn card_field(&mut self, card: NodeId, name: &Name, printed: bool) -> Typed {
        let of_cards = |id: &FieldId| self.c.program.fields.get(*id).is_none_or(|field| !field.on_players);
        if let Some(id) = self.c.symbols.fields.id::<FieldId>(&name.text).filter(of_cards) {
            let (of, set) = self.c.program.fields.get(id).map_or((Type::Unknown, false), |field| (field.of, field.set));
            let node = if printed { Node::Printed(card, id) } else { Node::Field(card, id) };
            return self.typed(node, Ty { of, set });
        }
        if let Some(state) = self.c.symbols.states.id::<StateId>(&name.text) {
            return self.state(card, state, false, name);
        }
        match name.text.as_str() {
            "owner" => self.typed(Node::Owner(card), Ty::PLAYER),
            "controller" => self.typed(Node::Controller(card), Ty::PLAYER),
            "name" => self.typed(Node::CardName(card), Ty::TEXT),
            "text" => self.typed(Node::EffectText(card), Ty::TEXT),
            "number" => self.typed(Node::CardOf(card), Ty::one(Type::CatalogueCard)),
            "zone" => self.typed(Node::ZoneOf(card), Ty::ZONE),
            "host" => self.typed(Node::Host(card), Ty::CARD),
            "original" => self.typed(Node::Original(card), Ty::CARD),
            "arrived" => self.typed(Node::Arrived(card), Ty::NUMBER),
            word if self.enum_of_places(word).is_some() => {
                let of = self.enum_of_places(word).unwrap_or_default();
                self.typed(Node::PlaceIn(card, of), Ty::one(Type::Enum(of)))
            }
            _ => {
                let words = self.dot_words();
                let finding = Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", "card");
                // A field that is found here is one of players: fields of cards are looked for above.
                if self.c.symbols.fields.find(&name.text).is_some() {
                    return self.wrong(finding.with("of_player", &name.text));
                }
                self.wrong(finding.suggest(&name.text, words.iter().map(String::as_str)))
            }
        }
    }

    /// A printed value of a card of the pool.
    fn pool_card_field(&mut self, card: NodeId, name: &Name) -> Option<Typed> {
        if name.text == "name" {
            return Some(self.typed(Node::CardName(card), Ty::TEXT));
        }
        let Some(id) = self.c.symbols.fields.id::<FieldId>(&name.text) else {
            return (name.text == "text").then(|| self.typed(Node::EffectText(card), Ty::TEXT));
        };
        let field = self.c.program.fields.get(id).filter(|field| field.derived.is_none())?;
        let ty = Ty { of: field.of, set: field.set };
        Some(self.typed(Node::Field(card, id), ty))
    }

    /// The enum of that name, if its values are places of some zone.
    fn enum_of_places(&self, word: &str) -> Option<EnumId> {
        let of = self.c.symbols.enums.id::<EnumId>(word)?;
        self.c.program.zones.rows().iter().any(|zone| zone.places == Some(of)).then_some(of)
    }

    fn ability_field(&mut self, ability: Typed, name: &Name) -> Typed {
        match name.text.as_str() {
            "controller" => self.typed(Node::Controller(ability.node), Ty::PLAYER),
            "source" => self.typed(Node::Source(ability.node), Ty::CARD),
            "sources" => self.typed(Node::Sources(ability.node), Ty::CARDS),
            "zone" => self.typed(Node::ZoneOf(ability.node), Ty::ZONE),
            "event" => self.typed(Node::EventOf(ability.node), Ty::EVENT),
            "text" | "body" if self.c.symbols.slots.find(&name.text).is_none() => {
                self.typed(Node::AbilityText(ability.node, name.text == "body"), Ty::TEXT)
            }
            word => {
                if let Some(argument) = self.declared_argument(ability.node, word, name) {
                    return argument;
                }
                if let Some(slot) = self.slot_field(ability.node, name) {
                    return slot;
                }
                let words: Vec<String> = self.c.symbols.slots.words().map(str::to_owned).collect();
                let finding = Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", "ability");
                self.wrong(
                    finding
                        .suggest(&name.text, words.iter().map(String::as_str).chain(["controller", "source", "sources", "zone", "event"])),
                )
            }
        }
    }

    /// An argument of a declared option, by its name. Options with an argument of that name must agree about its type.
    fn declared_argument(&mut self, declared: NodeId, word: &str, name: &Name) -> Option<Typed> {
        let called: Vec<(Ty, VerbId)> =
            self.c.symbols.components.iter().filter(|(name, ..)| name == word).map(|(_, ty, verb)| (*ty, *verb)).collect();
        let (ty, verb) = *called.first()?;
        if let Some((other, second)) = called.iter().find(|(other, _)| *other != ty) {
            return Some(self.two_types(name, (verb, ty), (*second, *other)));
        }
        let name = self.c.text(word);
        Some(self.typed(Node::Component(declared, name), ty))
    }

    fn effect_field(&mut self, effect: Typed, name: &Name) -> Typed {
        match name.text.as_str() {
            "controller" => self.typed(Node::Controller(effect.node), Ty::PLAYER),
            "source" => self.typed(Node::Source(effect.node), Ty::CARD),
            word => {
                let finding = Diagnostic::error("E0222", name.span).with("name", word).with("of", "effect");
                self.wrong(finding.suggest(word, ["controller", "source"]))
            }
        }
    }

    fn is_of_game(&self, state: StateId) -> bool {
        self.c.program.states.get(state).is_some_and(|def| def.held().1)
    }

    /// The holder of a state. A state of the game is written `game.x` and kept with the first seat.
    pub(crate) fn holder_of(&mut self, of: &Expr, state: StateId) -> NodeId {
        let (on_players, of_game) = self.c.program.states.get(state).map_or((false, false), StateDef::held);
        if !of_game {
            let subject = self.wanted(of, if on_players { Ty::PLAYER } else { Ty::CARD });
            return self.kept_with(subject, state);
        }
        if !matches!(&of.kind, ExprKind::Name(name) if name.text == "game") {
            let name = self.c.program.states.get(state).map_or_else(String::new, |def| def.name.name.clone());
            let ty = self.expr(of, None).ty;
            let holder = if ty.of == Type::Unknown { "player".to_owned() } else { ty.describe(&self.c.program) };
            let finding = Diagnostic::error("E0222", of.span).with("name", &name).with("of", holder);
            self.c.report(finding.with("nearest", format!("game.{name}")));
        }
        self.c.constant_node(Value::Player(Player(0)))
    }

    /// The holder of a state. A state of a team is kept with the team's first seat.
    pub(crate) fn kept_with(&mut self, subject: NodeId, state: StateId) -> NodeId {
        let of_team = self.c.program.states.get(state).is_some_and(|def| def.of_team);
        if of_team { self.c.node(Node::Captain(subject)) } else { subject }
    }

    fn state(&mut self, subject: NodeId, state: StateId, on_player: bool, name: &Name) -> Typed {
        let def = self.c.program.states.get(state);
        let members = def.and_then(|def| def.members);
        let (of, on_players) = def.map_or((Type::Unknown, on_player), |def| (def.of, def.held().0));
        if on_players != on_player {
            let of = if on_player { "player" } else { "card" };
            let holder = match self.c.program.states.get(state).map(StateDef::held) {
                Some((_, true)) => "of_game",
                _ if on_player => "of_card",
                _ => "of_player",
            };
            return self.wrong(Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", of).with(holder, &name.text));
        }
        let subject = self.kept_with(subject, state);
        match members {
            Some(members) => self.members(subject, state, members, name.span),
            None => self.typed(Node::State(subject, state), Ty::one(of)),
        }
    }

    /// The members of a set-valued state. A set of players is a number with one bit for each player. A set of cards is kept on the cards:
    /// each card has a number with one bit for each holder.
    pub(crate) fn members(&mut self, holder: NodeId, state: StateId, members: Members, span: Span) -> Typed {
        let (all, ty) = match members {
            Members::Players => (Node::Players, Ty::PLAYER),
            Members::Cards { .. } => (Node::EveryCard, Ty::CARD),
        };
        let all = self.c.node(all);
        let is_in = self.under("it", ty, span, |lowering| {
            let member = lowering.c.node(Node::Bound(lowering.body.depth - 1));
            let (on, player) = if members == Members::Players { (holder, member) } else { (member, holder) };
            let number = lowering.c.node(Node::State(on, state));
            lowering.c.node(Node::HasBit(number, player))
        });
        self.typed(Node::Where(all, is_in), Ty::set(ty.of))
    }

    /// Whether a word means nothing by itself, so that the other side of a comparison must give it a type.
    pub(crate) fn needs_context(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Text(_) => true,
            ExprKind::Name(name) => {
                let symbols = &self.c.symbols;
                let known = [&symbols.params, &symbols.readings, &symbols.zones].into_iter().any(|names| names.find(&name.text).is_some());
                !known && word_of_language(&name.text).is_none() && self.body.find(&name.text).is_none()
            }
            ExprKind::List(items) => items.iter().all(|item| self.needs_context(item)),
            _ => false,
        }
    }
}
