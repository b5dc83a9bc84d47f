//! Second pass: lowers bodies, conditions and defaults, once every name has its number.

use crate::declarations::names::Signature;
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::Body;
use crate::{Compiler, Must};
use engine::bits::ZoneSet;
use engine::ids::{DurationId, FieldId, Id, KindId, NodeId, PhaseId, RoutineId, ZoneId};
use engine::plan::reads_of_rules;
use engine::program::{Builtin, Counted, NameDef, Node, Op, OwnRead, ReplacedMoves};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Block, Decl, DeclKind, Expr, ExprKind, Head, Name, Param, Phase, Routine, Slot};
use std::sync::Arc;

impl Compiler {
    /// Lowers everything that has a body.
    pub(crate) fn lower_all(&mut self, decls: &[Arc<Decl>]) {
        // Policies and layers first: clauses and costs depend on them.
        for decl in decls {
            match &decl.kind {
                DeclKind::Policy(head, values) => self.policy(head, values),
                DeclKind::Choice(head, values) => self.declare_cases(head, values),
                DeclKind::Layers(head, layers) => self.declare_layers(head, layers),
                _ => {}
            }
        }
        let (mut kinds, mut fields, mut zones) = (0, 0, 0);
        for decl in decls {
            match &decl.kind {
                DeclKind::Zone(_, properties) => {
                    self.zone_relations(ZoneId::from_index(zones), properties);
                    zones += 1;
                }
                DeclKind::AbilityKind(kind) => {
                    self.kind_slots(KindId::from_index(kinds), &kind.slots);
                    self.kind_defaults(KindId::from_index(kinds), kind);
                    kinds += 1;
                }
                DeclKind::CardType(_, all) | DeclKind::Player(all) => {
                    for field in all {
                        if let Some(derived) = &field.derived {
                            self.derived_field(FieldId::from_index(fields), derived);
                        }
                        fields += 1;
                    }
                }
                _ => {}
            }
        }
        self.field_circles();
        self.keywords(decls);
        let (mut actions, mut procedures) = (Builtin::ALL.len(), 0);
        self.default_rule_set(decls);
        for decl in decls {
            match &decl.kind {
                DeclKind::Action(routine) => {
                    self.action(actions, routine, decl.span);
                    actions += 1;
                }
                DeclKind::Option(option) => {
                    self.lower_option(engine::ids::VerbId::from_index(actions), option, decl.span);
                    actions += 1;
                }
                // Timings and events have no body.
                DeclKind::Timing(_) | DeclKind::Event(_) => {
                    actions += 1;
                    self.lower_decl(decl);
                }
                DeclKind::Procedure(routine) => {
                    if let Some((id, signature)) = self.symbols.procedure_signatures.get(procedures).cloned() {
                        self.routine(id, &signature, routine, decl.span, false);
                    }
                    procedures += 1;
                }
                _ => self.lower_decl(decl),
            }
            self.check_sizes(decl.span);
        }
        self.asking_circles();
        let order = self.program.rule_set.as_ref().map(|set| set.order.as_slice()).unwrap_or_default();
        let reads = reads_of_rules(&self.program, order);
        if let Some(set) = &mut self.program.rule_set {
            set.reads = reads;
        }
    }

    fn lower_decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Rule(rule) => self.rule(rule, decl.span),
            DeclKind::Setup(head, body) => {
                self.once("setup", head.span);
                self.program.setup = Some(self.plain(head, body, decl.span));
            }
            DeclKind::Turn(head, phases) => {
                self.once("turn", head.span);
                self.turn(head, phases, decl.span);
            }
            DeclKind::Judgement(routine) => self.judgement(routine, decl.span),
            DeclKind::Deck(_, limits) => {
                let (limits, musts) = self.deck_limits(limits);
                self.program.deck_check.extend(limits);
                self.program.deck_musts.extend(musts);
            }
            DeclKind::Moves(head, rows) => self.moves(head, rows),
            DeclKind::Table(table) => self.table(table, decl.span),
            DeclKind::GivenDefault(default) => {
                self.once("given default", decl.span);
                for must in &default.musts {
                    let condition = Lowering::new(self, Body::default()).wanted(&must.condition, Ty::BOOL);
                    let cites = self.cites(&must.cites);
                    let written = wording::show_expr(&must.condition);
                    self.musts.push(Must { condition, cites, span: must.condition.span, written });
                }
            }
            DeclKind::Rules(head, properties) => self.rule_set(head, properties),
            DeclKind::Timing(timing) => self.lower_timing(timing, decl.span),
            DeclKind::Event(event) => self.lower_event(event),
            DeclKind::Match(matched) => self.match_decl(matched),
            DeclKind::Role(head, properties) => self.lower_role(head, properties),
            // These are declared, or lowered in the passes before; a wording is read with the texts.
            DeclKind::Use(..) | DeclKind::Game(..) | DeclKind::Param(..) | DeclKind::Reading(_) | DeclKind::Enum(..) => {}
            DeclKind::Zone(..) | DeclKind::Pool(..) | DeclKind::CardType(..) | DeclKind::Player(_) | DeclKind::State { .. } => {}
            DeclKind::Moment(_) | DeclKind::Cause(_) | DeclKind::Duration(..) | DeclKind::Choice(..) | DeclKind::Keyword(..) => {}
            DeclKind::Policy(..) | DeclKind::Layers(..) | DeclKind::AbilityKind(_) | DeclKind::Function { .. } => {}
            DeclKind::Action(_) | DeclKind::Procedure(_) | DeclKind::Option(_) | DeclKind::Wording(_) => {}
        }
    }

    fn derived_field(&mut self, id: FieldId, derived: &Expr) {
        let Some(ty) = self.program.fields.get(id).map(|field| Ty { of: field.of, set: field.set }) else { return };
        let node = Lowering::new(self, Body::default()).wanted(derived, ty);
        if let Some(field) = self.field_mut(id) {
            field.derived = Some(node);
        }
    }

    /// `E0337` for computed fields that depend on themselves: reading them would never end.
    fn field_circles(&mut self) {
        let reads: Vec<Vec<FieldId>> = self.program.fields.iter().map(|(_, field)| self.fields_read(field.derived)).collect();
        for at in 0..reads.len() {
            let id = FieldId::from_index(at);
            let (mut seen, mut open) = (vec![false; reads.len()], reads.get(at).cloned().unwrap_or_default());
            while let Some(next) = open.pop() {
                if let Some(seen) = seen.get_mut(next.index()).filter(|seen| !**seen) {
                    *seen = true;
                    open.extend(reads.get(next.index()).into_iter().flatten());
                }
            }
            if seen.get(at).copied().unwrap_or(false) {
                let name = self.program.fields.get(id).map_or_else(String::new, |field| field.name.name.clone());
                let span = self.symbols.fields.span(at).unwrap_or_default();
                self.report(Diagnostic::error("E0337", span).with("name", name));
                if let Some(field) = self.field_mut(id) {
                    field.derived = None;
                }
            }
        }
    }

    fn fields_read(&self, derived: Option<NodeId>) -> Vec<FieldId> {
        let mut found = Vec::new();
        if let Some(derived) = derived {
            self.walk(derived, &mut |node| {
                if let Node::Field(_, field) | Node::Printed(_, field) | Node::FieldHas(_, field, _) = node {
                    found.push(*field);
                }
            });
        }
        found
    }

    fn action(&mut self, at: usize, routine: &Routine, span: Span) {
        let verb = engine::ids::VerbId::from_index(at);
        let signature = self.symbols.signature(verb);
        if let Some(body) = self.program.verbs.get(verb).and_then(|def| def.body) {
            let condition = self.routine(body, &signature, routine, span, false);
            let replaced = routine.replaced.as_ref().and_then(|word| self.policy_word(word, &["as_done", "as_not_done", "unheard"]));
            if let Some(def) = self.program.verbs.get_mut(verb) {
                def.condition = condition;
                def.replaced = match replaced {
                    Some(1) => ReplacedMoves::AsNotDone,
                    Some(2) => ReplacedMoves::Unheard,
                    _ => ReplacedMoves::AsDone,
                };
            }
        }
    }

    /// Lowers the body of a routine. Gives the condition under which the routine is possible.
    fn routine(&mut self, id: RoutineId, signature: &Signature, routine: &Routine, span: Span, in_judgement: bool) -> NodeId {
        let around = self.cites(&routine.head.cites);
        let mut body = Body { span, in_judgement, around, secret: routine.secretly, ..Body::default() };
        body.returns = crate::statements::body::Returns::Routine(signature.result);
        self.parameters(&mut body, &routine.params, signature);
        let parameters = body.next;
        let mut lowering = Lowering::new(self, body);
        let condition = lowering.possible(routine);
        let body = lowering.body;
        let name = self.name_def(&routine.head);
        self.finish_routine(id, body, parameters, name);
        condition
    }

    pub(crate) fn parameters(&mut self, body: &mut Body, params: &[Param], signature: &Signature) {
        for (param, sign) in params.iter().zip(&signature.params) {
            if body.find(&param.name.text).is_some() {
                self.report(Diagnostic::error("E0202", param.name.span).with("what", "parameter").with("name", &param.name.text));
            }
            body.taken_in(&param.name.text, sign.ty, sign.ty.set);
        }
    }

    /// Lowers a body without parameters.
    fn plain(&mut self, head: &Head, block: &Block, span: Span) -> RoutineId {
        let id = self.reserve_routine(span);
        let around = self.cites(&head.cites);
        let mut lowering = Lowering::new(self, Body { span, around, ..Body::default() });
        lowering.block(block);
        let body = lowering.body;
        let name = self.name_def(head);
        self.finish_routine(id, body, 0, name);
        id
    }

    /// Lowers a turn as one routine. Each phase begins with a place at which a position can stand.
    fn turn(&mut self, head: &Head, phases: &[Phase], span: Span) {
        let id = self.reserve_routine(span);
        let mut lowering = Lowering::new(self, Body { span, ..Body::default() });
        lowering.body.cites = lowering.c.cites(&head.cites);
        lowering.body.emit(Op::TurnBegins);
        lowering.body.cites = Default::default();
        let (mut starts, mut ends) = (Vec::with_capacity(phases.len()), Vec::with_capacity(phases.len()));
        for (at, phase) in phases.iter().enumerate() {
            lowering.body.span = phase.head.span;
            lowering.body.cites = lowering.c.cites(&phase.head.cites);
            starts.push(lowering.body.emit(Op::Phase(PhaseId::from_index(at))));
            lowering.body.around = std::mem::take(&mut lowering.body.cites);
            ends.push(lowering.phase(&phase.body));
        }
        let body = lowering.body;
        let base = self.program.code.len();
        let name = self.name_def(head);
        self.finish_routine(id, body, 0, name);
        for (at, (start, end)) in starts.into_iter().zip(ends).enumerate() {
            if let Some(def) = self.program.phases.get_mut(PhaseId::from_index(at)) {
                def.start = engine::ids::Pc::from_index(base + start);
                def.end = engine::ids::Pc::from_index(base + end);
            }
        }
        self.program.turn = Some(id);
    }

    fn judgement(&mut self, routine: &Routine, span: Span) {
        self.once("judgement", routine.head.span);
        if routine.params.len() != 2 {
            let finding = Diagnostic::error("E0205", routine.head.span).with("name", "judgement").with("wanted", 2);
            self.report(finding.with("got", routine.params.len()));
        }
        let id = self.reserve_routine(span);
        let players = Ty::set(engine::program::Type::Player);
        for param in &routine.params {
            let ty = self.type_of(&param.of);
            if ty != players && ty.of != engine::program::Type::Unknown {
                let finding = Diagnostic::error("E0309", param.of.name.span).with("name", &param.name.text).with("known", "set of player");
                self.report(finding.with("written", &param.of.name.text));
            }
        }
        let params = routine.params.iter().map(|param| crate::declarations::names::ParamSignature {
            name: param.name.text.clone(),
            ty: players,
            default: None,
            optional: false,
        });
        let signature = Signature { params: params.collect(), result: None };
        self.routine(id, &signature, routine, span, true);
        self.program.judgement = Some(id);
    }

    /// The declared zones that an expression reads. All zones if it reads more than zones.
    pub(crate) fn zones_read(&self, condition: NodeId) -> ZoneSet {
        let mut reads = ZoneSet::NONE;
        self.walk(condition, &mut |node| match node.own_read() {
            OwnRead::Zone(zone) => reads |= ZoneSet::of(zone),
            OwnRead::Nothing | OwnRead::Frame | OwnRead::Place | OwnRead::Life => {}
            // Everything else changes without any card moving.
            _ => reads = ZoneSet::ALL,
        });
        reads
    }

    fn kind_slots(&mut self, kind: KindId, slots: &[Slot]) {
        for slot in slots {
            let (per, counted) = match slot.name.text.as_str() {
                "limit" => self.counted(&slot.of),
                name => {
                    self.known_slot_type(name, &slot.of);
                    (None, Counted::Card)
                }
            };
            let Some(default) = &slot.default else { continue };
            let cites = self.cites(&slot.cites);
            match slot.name.text.as_str() {
                "zones" => {
                    let (zones, zones_of) = self.zones_by_type(default);
                    if let Some(def) = self.program.kinds.get_mut(kind) {
                        (def.zones, def.zones_of, def.zones_cites) = (zones, zones_of, cites);
                    }
                }
                "limit" => {
                    let limit = self.number_within(default, "limit", 0, i32::MAX);
                    if let Some(def) = self.program.kinds.get_mut(kind) {
                        (def.uses_per_turn, def.limit_cites) = (limit, cites);
                        (def.per, def.counted) = (per, counted);
                    }
                }
                "costs" => {
                    let first = self.policy_word(default, &["first", "when_reached"]) == Some(0);
                    if let Some(def) = self.program.kinds.get_mut(kind) {
                        (def.costs_first, def.costs_cites) = (first, cites);
                    }
                }
                _ => {}
            }
        }
    }

    /// The type of a slot of the language. Nothing is computed from the type, so whoever writes another one means another slot.
    fn known_slot_type(&mut self, slot: &str, words: &[Name]) {
        let known = match slot {
            "zones" => "set of zone",
            "costs" => "word",
            _ => return,
        };
        let Some(written) = words
            .iter()
            .cloned()
            .reduce(|first, next| Name { text: format!("{} {}", first.text, next.text), span: first.span.to(next.span) })
        else {
            return;
        };
        if written.text != known {
            self.report(Diagnostic::error("E0309", written.span).with("name", slot).with("known", known).with("written", written.text));
        }
    }

    /// `uses per turn`, `uses per this_battle each player`: for how long uses are counted, and for whom.
    fn counted(&mut self, words: &[Name]) -> (Option<DurationId>, Counted) {
        let said: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let (per, counted) = match (said.as_slice(), words) {
            (["uses", "per", _], [.., per]) => (per, Counted::Card),
            (["uses", "per", _, "each", "player"], [_, _, per, ..]) => (per, Counted::Player),
            (["uses", "per", _, "each", "card_and_player"], [_, _, per, ..]) => (per, Counted::CardAndPlayer),
            (_, [first, ..]) => {
                self.unknown(
                    "way of counting uses",
                    first,
                    ["uses per turn", "uses per turn each player", "uses per turn each card_and_player"],
                );
                return (None, Counted::Card);
            }
            _ => return (None, Counted::Card),
        };
        if per.text == "turn" {
            return (None, counted);
        }
        (self.declared("duration", |symbols| &symbols.durations, per), counted)
    }

    /// `if this is TYPE then [base] else [field]`: the zones for other cards, and the zones for cards of these types.
    pub(crate) fn zones_by_type(&mut self, expr: &Expr) -> (ZoneSet, Vec<(u8, ZoneSet)>) {
        let mut of_types = Vec::new();
        let mut rest = expr;
        while let ExprKind::If(condition, then, other) = &rest.kind {
            let of = match &condition.kind {
                ExprKind::Is { subject, negated: false, what } if matches!(&subject.kind, ExprKind::Name(name) if name.text == "this") => {
                    self.symbols.card_types.find(&what.text).and_then(|of| u8::try_from(of).ok())
                }
                _ => None,
            };
            match of {
                Some(of) => of_types.push((of, self.zone_set(then))),
                None => self.report(Diagnostic::error("E0237", condition.span).with("what", "zones")),
            }
            rest = other;
        }
        (self.zone_set(rest), of_types)
    }

    /// `[deck, hand]`.
    pub(crate) fn zone_set(&mut self, expr: &Expr) -> ZoneSet {
        match &expr.kind {
            ExprKind::List(items) => items.iter().map(|item| self.zone_set(item)).collect(),
            ExprKind::Name(name) => self.declared::<ZoneId>("zone", |symbols| &symbols.zones, name).map_or(ZoneSet::NONE, ZoneSet::of),
            _ => {
                self.mismatch(expr.span, Ty::set(engine::program::Type::Zone), Ty::UNKNOWN);
                ZoneSet::NONE
            }
        }
    }

    /// A name for a routine that has no declared name; it is shown in traces.
    pub(crate) fn title(text: &str) -> NameDef {
        NameDef { name: text.to_owned(), label: text.to_owned(), cites: Default::default() }
    }
}
