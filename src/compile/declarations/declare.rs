//! First pass: gives everything that has a name its number, before any body is lowered.

use crate::Compiler;
use crate::declarations::names::{Function, ParamSignature, Signature};
use crate::expressions::types::{self, Ty};
use engine::ids::{CitesId, DurationId, FieldId, Id, MomentId, RoutineId, StateId, VerbId};
use engine::limits::PLAYERS;
use engine::program::{
    Builtin, ChoiceCases, DurationKind, EnumDef, FieldDef, KeywordDef, KindDef, NameDef, PhaseDef, RoutineDef, Seen, StateDef, VerbDef,
    ZoneDef,
};
use engine::program::{Members, NameDef as Named, Type};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span, type_written_here};
use lang::syntax::ast::{Decl, DeclKind, Field, Head, Name, Param, Property, Routine, TypeName};
use std::sync::Arc;

/// Calls that are statements of the language. A game's declarations cannot replace them.
const STATEMENTS: [&str; 7] = ["finish", "finish_drawn", "expire", "drop", "proceed", "end_phase", "end_turn"];

impl Compiler {
    /// Declares all names. The order of kinds follows what one kind needs from another.
    pub(crate) fn declare_all(&mut self, decls: &[Arc<Decl>]) {
        self.declare_builtins();
        self.declare_game(decls);
        for decl in decls {
            self.declare_types(decl);
            self.check_sizes(decl.span);
        }
        for decl in decls {
            self.declare_things(decl);
            self.check_sizes(decl.span);
        }
        self.declare_types_of_cards();
        for decl in decls {
            self.declare_callables(decl);
            self.check_sizes(decl.span);
        }
        self.check_callables(decls);
        self.check_own_words(decls);
        self.check_dotted_names(decls);
        self.check_policies(decls);
        for decl in decls {
            self.declare_constants(decl);
        }
    }

    /// `E0361` for a declaration that no call can reach, because a statement of the language or an action has its name.
    fn check_callables(&mut self, decls: &[Arc<Decl>]) {
        for decl in decls {
            let (head, procedure) = match &decl.kind {
                DeclKind::Procedure(routine) => (&routine.head, true),
                DeclKind::Action(routine) => (&routine.head, false),
                DeclKind::Option(option) => (&option.head, false),
                _ => continue,
            };
            let word = head.name.text.as_str();
            if STATEMENTS.contains(&word) || procedure && self.symbols.verbs.find(word).is_some() {
                self.report(Diagnostic::error("E0361", head.name.span).with("name", word));
            }
        }
    }

    fn declare_builtins(&mut self) {
        for builtin in Builtin::ALL {
            // The builtin names are all different, so they cannot clash.
            let _ = self.symbols.verbs.add(builtin.name(), None, Span::default());
            let params: Vec<ParamSignature> = builtin.parameters().iter().map(|name| builtin_parameter(builtin, name)).collect();
            let result = match builtin {
                Builtin::Coin => Ty::BOOL,
                Builtin::Die => Ty::NUMBER,
                _ => Ty::CARDS,
            };
            let signature = Signature { params, result: Some(result) };
            let actor = if builtin == Builtin::Look { Some(1) } else { signature.actor() };
            self.symbols.verb_signatures.push(signature);
            let name = Named { name: builtin.name().to_owned(), label: builtin.name().to_owned(), cites: Default::default() };
            let parameters = builtin.parameters().iter().map(|name| (*name).to_owned()).collect();
            self.program.verbs.push(VerbDef::declared(name, parameters, actor, None));
            self.map.verbs.push(Span::default());
        }
    }

    fn declare_game(&mut self, decls: &[Arc<Decl>]) {
        let mut first: Option<Span> = None;
        for decl in decls {
            let DeclKind::Game(head, properties) = &decl.kind else { continue };
            if let Some(first) = first {
                self.report(Diagnostic::error("E0210", head.span).note(first, "first"));
                continue;
            }
            first = Some(head.span);
            self.game(head, properties);
        }
        if first.is_none() {
            self.program.players = 2;
            // The declarations of used modules stand in front. The game's own files were read first, so their file numbers are the
            // smallest.
            self.report(match decls.iter().min_by_key(|decl| decl.span.file) {
                Some(decl) => Diagnostic::error("E0209", decl.span),
                None => Diagnostic::global("E0209"),
            });
        }
    }

    fn game(&mut self, head: &Head, properties: &[Property]) {
        let name = self.name_def(head);
        self.program.name = name.name;
        self.program.label = name.label;
        self.program.players = 2;
        let mut teams = None;
        for phrase in self.phrases("game", properties, &["rulebook", "players", "teams", "partners together", "concede"]) {
            match phrase.words {
                "teams" => teams = self.phrase_number(&phrase, 2, PLAYERS as i32).map(|number| (number, phrase.span)),
                "partners together" => self.program.partners_together = true,
                "players" => {
                    let players = self.phrase_number(&phrase, 2, PLAYERS as i32);
                    self.program.players = players.and_then(|players| u8::try_from(players).ok()).unwrap_or(2);
                }
                "concede" => self.program.concede = Some(self.cites(&phrase.property.cites)),
                _ => {}
            }
        }
        let players = i32::from(self.program.players);
        match teams {
            Some((number, span)) if players % number != 0 || players == number => {
                self.report(Diagnostic::error("E0272", span).with("teams", number).with("players", players));
            }
            Some((number, _)) => self.program.teams = u8::try_from(number).unwrap_or(0),
            None if self.program.partners_together => self.teams_wanted(head.span),
            None => {}
        }
    }

    /// Reports `E0273` if a game without teams mentions teams.
    pub(crate) fn teams_wanted(&mut self, span: Span) {
        if self.program.teams == 0 {
            self.report(Diagnostic::error("E0273", span));
        }
    }

    /// Enums and card types. Other declarations name them as types.
    fn declare_types(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Enum(head, values) => {
                self.declare("enum", head, |symbols| &mut symbols.enums);
                let mut def = EnumDef { name: self.name_def(head), values: Vec::new() };
                let mut names = crate::Names::default();
                for value in values {
                    let clash = names.add(&value.name.text, crate::declarations::names::label_of(value), value.name.span).err();
                    self.report_clash("value", &value.name, value.span, clash);
                    def.values.push(self.name_def(value));
                }
                self.check_enum(head, values);
                self.check_values(values.len(), head.span);
                self.symbols.values.push(names);
                self.program.enums.push(def);
            }
            DeclKind::CardType(head, _) => {
                self.declare("card type", head, |symbols| &mut symbols.card_types);
                self.program.card_types.push(head.name.text.clone());
            }
            _ => {}
        }
    }

    /// A game with several card types gets a field `type` on every card, whose values are the types. So effects change types as they change
    /// fields. A game with its own field `type` keeps that field.
    fn declare_types_of_cards(&mut self) {
        const TYPE: &str = "type";
        let types = self.symbols.card_types.clone();
        if types.len() < 2 || self.symbols.fields.find(TYPE).is_some() {
            return;
        }
        let name = Named { name: TYPE.to_owned(), label: TYPE.to_owned(), cites: CitesId::default() };
        let label = |at: usize, name: &str| types.label(at).unwrap_or(name).to_owned();
        let all = self.program.card_types.iter().enumerate();
        let values = all.map(|(at, name)| Named { name: name.clone(), label: label(at, name), cites: CitesId::default() });
        let of = self.program.enums.push(EnumDef { name: name.clone(), values: values.collect() });
        self.symbols.type_values = Some(self.symbols.values.len());
        self.symbols.values.push(types);
        let _ = self.symbols.fields.add(TYPE, None, Span::default());
        let at_least_cites = CitesId::default();
        let id = self.program.fields.push(FieldDef {
            name,
            of: Type::Enum(of),
            set: true,
            at_least: None,
            at_least_cites,
            default: None,
            declared_by: None,
            derived: None,
            on_players: false,
            provided: false,
            weighed: false,
        });
        self.program.type_field = Some(id);
    }

    fn declare_things(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Zone(head, properties) => self.declare_zone(head, properties),
            DeclKind::CardType(head, fields) => {
                let of = self.symbols.card_types.find(&head.name.text).and_then(|of| u8::try_from(of).ok());
                for field in fields {
                    self.declare_field(field, of);
                }
            }
            DeclKind::Player(fields) => {
                for field in fields {
                    self.declare_field(field, None);
                }
            }
            DeclKind::State { head, on, of, properties } => self.declare_state(head, on, of, properties),
            DeclKind::Pool(head, properties) => self.declare_pool(head, properties),
            DeclKind::AbilityKind(kind) => {
                self.declare_slots(kind);
                let head = &kind.head;
                self.declare("kind of ability", head, |symbols| &mut symbols.kinds);
                let name = self.name_def(head);
                let automatic = name.name == "automatic";
                let kind = self.program.kinds.push(KindDef { name, zones: engine::bits::ZoneSet::ALL, ..KindDef::default() });
                if automatic {
                    self.program.automatic = kind;
                }
            }
            DeclKind::Role(head, properties) => self.declare_role(head, properties),
            DeclKind::Keyword(head, _) => {
                self.declare("keyword", head, |symbols| &mut symbols.keywords);
                let name = self.name_def(head);
                self.program.keywords.push(KeywordDef { name, ..KeywordDef::default() });
            }
            DeclKind::Moment(head) => {
                self.declare("moment", head, |symbols| &mut symbols.moments);
                let name = self.name_def(head);
                let _: MomentId = self.program.moments.push(name);
            }
            DeclKind::Duration(head, properties) => {
                let mut kind = DurationKind::AtOnce;
                for phrase in self.phrases("duration", properties, &["begins later", "only inside", "never ends"]) {
                    match phrase.words {
                        "begins later" => kind = DurationKind::Later,
                        "only inside" => kind = DurationKind::OnlyInside,
                        // `never ends` changes nothing in the program. It only stops the warning about a duration that nothing ends.
                        _ => {}
                    }
                }
                self.program.duration_kinds.push(kind);
                self.declare("duration", head, |symbols| &mut symbols.durations);
                let name = self.name_def(head);
                self.program.durations.push(name);
            }
            DeclKind::Cause(head) => self.declare_cause(head),
            DeclKind::Choice(head, _) => {
                self.declare("choice", head, |symbols| &mut symbols.choices);
                let name = self.name_def(head);
                self.symbols.choice_cites.push((name.label, name.cites));
                self.program.choice_cases.push(ChoiceCases::default());
            }
            _ => {}
        }
    }

    fn declare_zone(&mut self, head: &Head, properties: &[Property]) {
        self.declare("zone", head, |symbols| &mut symbols.zones);
        let mut zone = ZoneDef { name: self.name_def(head), down: Seen::ByOwner, ..ZoneDef::default() };
        let starts = self.zone_properties(&mut zone, properties);
        let id = self.program.zones.push(zone);
        if starts {
            self.program.deck_zone = Some(id);
        }
    }

    /// `of`: the type of card that declares the field. A property of players has none.
    fn declare_field(&mut self, field: &Field, of: Option<u8>) {
        let on_players = of.is_none();
        let first = self.symbols.fields.find(&field.head.name.text).and_then(|at| {
            let other = self.program.fields.get(FieldId::from_index(at))?.declared_by;
            (other.is_some() && of.is_some() && other != of).then(|| self.symbols.fields.span(at))?
        });
        match first {
            Some(first) => {
                let finding = Diagnostic::error("E0380", field.head.name.span).with("name", &field.head.name.text).note(first, "first");
                self.report(finding);
            }
            None => _ = self.declare("field", &field.head, |symbols| &mut symbols.fields),
        }
        let name = self.name_def(&field.head);
        let ty = self.type_of(&field.of);
        let mut at_least = None;
        let mut at_least_cites = CitesId::default();
        let id = self.program.fields.push(FieldDef {
            name,
            of: ty.of,
            set: ty.set,
            at_least: None,
            at_least_cites: CitesId::default(),
            default: None,
            declared_by: of,
            derived: None,
            on_players,
            provided: false,
            weighed: false,
        });
        if on_players && (field.derived.is_none() || ty.set) {
            self.report(Diagnostic::error("E0330", field.head.span).with("name", &field.head.name.text));
        }
        for phrase in self.phrases("field", &field.properties, &["reads at least", "default", "identity in decks"]) {
            match phrase.words {
                "default" => {
                    let default = self.field_default(field, (on_players, ty), &phrase);
                    if let Some(def) = self.field_mut(id) {
                        def.default = default;
                    }
                }
                "reads at least" => {
                    at_least = self.phrase_number(&phrase, i32::MIN, i32::MAX);
                    at_least_cites = self.cites(&phrase.property.cites);
                }
                _ => self.program.identity = Some(id),
            }
        }
        if let Some(def) = self.field_mut(id) {
            (def.at_least, def.at_least_cites) = (at_least, at_least_cites);
        }
    }

    /// The value of `default 0`. `E0383` for a field of players, a set-valued field or a computed field, because these always have a value.
    fn field_default(
        &mut self,
        field: &Field,
        (on_players, ty): (bool, Ty),
        phrase: &crate::declarations::properties::Phrase<'_>,
    ) -> Option<Value> {
        if on_players || ty.set || field.derived.is_some() {
            self.report(Diagnostic::error("E0383", phrase.span).with("name", &field.head.name.text));
            return None;
        }
        let value = phrase.value?;
        self.constant_value(value, Some(ty)).map(|(value, _)| value)
    }

    pub(crate) fn field_mut(&mut self, id: engine::ids::FieldId) -> Option<&mut FieldDef> {
        self.program.fields.get_mut(id)
    }

    fn declare_state(&mut self, head: &Head, on: &Name, of: &TypeName, properties: &[Property]) {
        self.declare("state", head, |symbols| &mut symbols.states);
        let on_players = match on.text.as_str() {
            "player" | "game" => true,
            "team" => {
                self.teams_wanted(on.span);
                true
            }
            "card" => false,
            other if self.symbols.card_types.find(other).is_some() => false,
            _ => {
                let holders = ["card", "player", "game", "team"];
                let finding = Diagnostic::error("E0201", on.span).with("what", "holder of a state").with("name", &on.text);
                self.report(finding.suggest(&on.text, holders).with("known", holders.join("`, `")));
                false
            }
        };
        for phrase in self.phrases("state", properties, &["until"]) {
            self.not_yet(phrase.property.span, phrase.words);
        }
        let name = self.name_def(head);
        let ty = self.type_of(of);
        // A flag begins as false and a number as 0. States of other types have no value until they are set.
        let initial = match ty.of {
            Type::Bool => Value::Bool(false),
            Type::Number => Value::Number(0),
            _ => Value::Undefined,
        };
        let (of_game, of_team) = (on.text == "game", on.text == "team");
        let plain = StateDef { name, on_players, of_game, pool: false, of_team, of: ty.of, initial, at_least: None, members: None };
        let members = match (ty.set, ty.of) {
            (false, _) => None,
            (true, Type::Player) => Some(Members::Players),
            (true, Type::Card) if on_players => Some(Members::Cards { of_game }),
            (true, _) => {
                self.report(Diagnostic::error("E0382", of.name.span));
                None
            }
        };
        let _: StateId = self.program.states.push(match members {
            None => plain,
            Some(members) => {
                let of_cards = matches!(members, Members::Cards { .. });
                let (on_players, of_game) = (on_players && !of_cards, of_game && !of_cards);
                StateDef { on_players, of_game, of: Type::Number, initial: Value::Number(0), members: Some(members), ..plain }
            }
        });
    }

    fn declare_pool(&mut self, head: &Head, properties: &[Property]) {
        self.declare("pool", head, |symbols| &mut symbols.states);
        let (mut at_least, mut of_game, mut of_team) = (None, false, false);
        for phrase in self.phrases("pool", properties, &["each player", "each team", "shared", "at least"]) {
            match phrase.words {
                "at least" => at_least = self.phrase_number(&phrase, i32::MIN, i32::MAX),
                "shared" => of_game = true,
                "each team" => {
                    of_team = true;
                    self.teams_wanted(phrase.span);
                }
                _ => {}
            }
        }
        let name = self.name_def(head);
        let initial = Value::Number(at_least.unwrap_or(0).max(0));
        let _: StateId = self.program.states.push(StateDef {
            pool: true,
            name,
            on_players: true,
            of_game,
            of_team,
            of: Type::Number,
            initial,
            at_least,
            members: None,
        });
    }

    fn declare_callables(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Function { head, params, result, body, fact } => {
                self.declare("function", head, |symbols| &mut symbols.functions);
                let types = params.iter().map(|param| self.type_of(&param.of)).collect();
                let result = self.type_of(result);
                let function = Function { name: head.name.clone(), params: params.clone(), types, result, body: body.clone(), fact: *fact };
                self.symbols.function_bodies.push(Arc::new(function));
            }
            DeclKind::Action(routine) => self.declare_action(routine, decl.span),
            DeclKind::Option(option) => self.declare_option(option, decl.span),
            DeclKind::Timing(timing) => self.declare_timing(timing, decl.span),
            DeclKind::Event(event) => self.declare_event(event, decl.span),
            DeclKind::Procedure(routine) => {
                self.declare("procedure", &routine.head, |symbols| &mut symbols.procedures);
                let signature = self.signature_of(routine);
                let id = self.reserve_routine(decl.span);
                self.symbols.procedure_signatures.push((id, signature));
            }
            DeclKind::Match(matched) => {
                self.declare("match", &matched.head, |symbols| &mut symbols.matches);
                self.symbols.match_decls.push(Arc::new(matched.clone()));
            }
            DeclKind::Rule(rule) => {
                self.declare("rule", &rule.head, |symbols| &mut symbols.rules);
            }
            DeclKind::Turn(_, phases) => {
                for phase in phases {
                    self.declare("phase", &phase.head, |symbols| &mut symbols.phases);
                    let name = self.name_def(&phase.head);
                    self.program.phases.push(PhaseDef { name, start: Default::default(), end: Default::default() });
                }
            }
            _ => {}
        }
    }

    fn declare_action(&mut self, routine: &Routine, span: Span) {
        self.declare("action", &routine.head, |symbols| &mut symbols.verbs);
        let signature = self.signature_of(routine);
        let body = self.reserve_routine(span);
        let name = self.name_def(&routine.head);
        let plain = VerbDef::declared(name, signature.names(), signature.actor(), Some(body));
        let _: VerbId = self.program.verbs.push(VerbDef { secret: routine.secretly, once_in_a_step: routine.once_in_a_step, ..plain });
        self.symbols.verb_signatures.push(signature);
        self.map.verbs.push(span);
    }

    fn signature_of(&mut self, routine: &Routine) -> Signature {
        let params = routine.params.iter().map(|param| self.parameter(param)).collect();
        let result = routine.result.as_ref().map(|result| self.type_of(result));
        Signature { params, result }
    }

    /// A parameter, as a call has to fill it.
    pub(crate) fn parameter(&mut self, param: &Param) -> ParamSignature {
        let ty = self.type_of(&param.of);
        let default = param.default.clone().map(Arc::new);
        ParamSignature { name: param.name.text.clone(), ty, optional: default.is_some(), default }
    }

    /// The duration of a copy's exceptions (`AS_COPY`). It is declared only in a game that uses copies with exceptions.
    pub(crate) fn as_copy(&mut self) -> Option<DurationId> {
        if self.program.as_copy.is_none() {
            let name = lang::syntax::AS_COPY;
            self.symbols.durations.add(name, None, Span::default()).ok()?;
            self.program.duration_kinds.push(DurationKind::AtOnce);
            let name = NameDef { name: name.to_owned(), label: "写しである間".to_owned(), cites: CitesId::default() };
            self.program.as_copy = Some(self.program.durations.push(name));
        }
        self.program.as_copy
    }

    /// Reserves the number of a routine, so that it can be called before its body is lowered.
    pub(crate) fn reserve_routine(&mut self, span: Span) -> RoutineId {
        self.map.routines.push(span);
        self.program.routines.push(RoutineDef::default())
    }

    fn declare_constants(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Param(head, value) => {
                let value = self.constant_value(value, None).unwrap_or((Value::Undefined, Ty::UNKNOWN));
                self.declare("param", head, |symbols| &mut symbols.params);
                self.symbols.param_values.push(value);
            }
            DeclKind::Reading(reading) => self.declare_reading(reading),
            _ => {}
        }
    }

    /// The type with this name; `E0201` for an unknown name.
    pub(crate) fn type_of(&mut self, of: &TypeName) -> Ty {
        if let Some(ty) = types::named(&of.name.text, of.set, &self.symbols) {
            return ty;
        }
        let declared = self.symbols.enums.words().chain(self.symbols.card_types.words());
        let words: Vec<String> = types::BUILTIN_TYPES.iter().map(|(word, _)| *word).chain(declared).map(str::to_owned).collect();
        let finding = Diagnostic::error("E0201", of.name.span).with("what", "type").with("name", &of.name.text);
        let finding = match type_written_here(&of.name.text) {
            Some(written) => finding.with("written", written),
            None => finding.suggest(&of.name.text, words.iter().map(String::as_str)),
        };
        let types: Vec<&str> = self.symbols.card_types.rows().map(|(name, _)| name).collect();
        let near = finding.args.iter().any(|(key, _)| ["nearest", "written"].contains(key));
        self.report(if near || types.is_empty() { finding } else { finding.with("types", types.join("`, `")) });
        Ty { of: Type::Unknown, set: of.set }
    }

    /// A head in the engine's form.
    pub(crate) fn name_def(&mut self, head: &Head) -> NameDef {
        let name = head.name.text.clone();
        let label = head.label.as_ref().map_or_else(|| name.clone(), |label| label.text.clone());
        NameDef { name, label, cites: self.cites(&head.cites) }
    }
}

/// The type of a builtin verb's parameter.
fn builtin_parameter(builtin: Builtin, name: &str) -> ParamSignature {
    let (ty, optional) = match (builtin, name) {
        (Builtin::Attach, "to") | (Builtin::Make, "of") => (Ty::CARD, builtin == Builtin::Make),
        (Builtin::Make, "what") | (Builtin::Become, "like") => (Ty::one(Type::CatalogueCard), builtin == Builtin::Become),
        (Builtin::Make, "in") => (Ty::ZONE, false),
        (Builtin::Make, "owner") => (Ty::PLAYER, true),
        (Builtin::EffectBegins | Builtin::EffectEnds, "source") => (Ty::CARD, true),
        (Builtin::EffectBegins | Builtin::EffectEnds, _) => (Ty::CARDS, true),
        (Builtin::Coin, "result") => (Ty::BOOL, true),
        (Builtin::Die, "result") => (Ty::NUMBER, true),
        (Builtin::Die, "sides") | (Builtin::Pick, "n") => (Ty::NUMBER, false),
        _ => common_parameter(builtin, name),
    };
    ParamSignature { name: name.to_owned(), ty, default: None, optional }
}

/// The type of a builtin parameter that follows from its name alone.
fn common_parameter(builtin: Builtin, name: &str) -> (Ty, bool) {
    match name {
        "what" | "cards" => (Ty::CARDS, false),
        "to" | "zone" => (Ty::ZONE, false),
        "from" => (Ty::ZONE, true),
        "was" => (Ty::CARD, true),
        "face" | "at" | "judged" => (Ty::BOOL, true),
        "until" => (Ty::NUMBER, true),
        "while" => (Ty::ABILITY, true),
        "by" | "player" => (Ty::PLAYER, false),
        _ => (Ty::UNKNOWN, builtin == Builtin::Move),
    }
}
