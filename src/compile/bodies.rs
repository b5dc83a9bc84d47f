//! Second pass: bodies, conditions and defaults, when every name has its number.

use super::Compiler;
use super::body::{Body, Typed};
use super::expression::Lowering;
use super::names::Signature;
use super::types::Ty;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::ids::{FieldId, Id, KindId, NodeId, PhaseId, RoutineId, ZoneId};
use crate::engine::program::{Builtin, NameDef, Node, Op, Principle, RuleDef};
use crate::syntax::ast::{Block, Cite, Decl, DeclKind, Expr, ExprKind, Head, Param, Phase, PolicyEntry, Routine, Rule, RuleWhen, Slot};

impl Compiler {
    /// Lowers everything that has a body.
    pub(super) fn lower_all(&mut self, decls: &[Decl]) {
        let mut kinds = 0;
        let mut fields = 0;
        for decl in decls {
            match &decl.kind {
                DeclKind::AbilityKind(_, slots) => {
                    self.kind_slots(KindId::from_index(kinds), slots);
                    kinds += 1;
                }
                DeclKind::CardType(_, all) => {
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
        let (mut actions, mut procedures) = (Builtin::ALL.len(), 0);
        for decl in decls {
            match &decl.kind {
                DeclKind::Action(routine) => {
                    self.action(actions, routine, decl.span);
                    actions += 1;
                }
                DeclKind::Procedure(routine) => {
                    if let Some((id, signature)) = self.symbols.procedure_signatures.get(procedures).cloned() {
                        self.routine(id, &signature, routine, decl.span, false);
                    }
                    procedures += 1;
                }
                _ => self.lower_decl(decl),
            }
        }
    }

    fn lower_decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Rule(rule) => self.rule(rule, decl.span),
            DeclKind::Setup(head, body) => {
                self.once("setup", head, self.program.setup.is_some());
                self.program.setup = Some(self.plain(head, body, decl.span));
            }
            DeclKind::Turn(head, phases) => {
                self.once("turn", head, self.program.turn.is_some());
                self.turn(head, phases, decl.span);
            }
            DeclKind::Judgement(routine) => self.judgement(routine, decl.span),
            DeclKind::Deck(_, limits) => {
                let limits = self.deck_limits(limits);
                self.program.deck_check.extend(limits);
            }
            DeclKind::Policy(head, values) => self.policy(head, values),
            DeclKind::Option(_) => self.not_yet(decl.span, "option"),
            DeclKind::Rules(..) => self.not_yet(decl.span, "rules"),
            DeclKind::Keyword(..) => self.not_yet(decl.span, "keyword"),
            DeclKind::Layers(..) => self.not_yet(decl.span, "layers"),
            DeclKind::Timing(..) => self.not_yet(decl.span, "timing"),
            DeclKind::Match(..) => self.not_yet(decl.span, "match"),
            DeclKind::Role(..) => self.not_yet(decl.span, "role"),
            _ => {}
        }
    }

    fn once(&mut self, what: &str, head: &Head, again: bool) {
        if again {
            self.report(Diagnostic::error("E0202", head.span).with("what", what).with("name", what));
        }
    }

    fn derived_field(&mut self, id: FieldId, derived: &Expr) {
        let Some(ty) = self.program.fields.get(id).map(|field| Ty { of: field.of, set: field.set }) else { return };
        let node = Lowering::new(self, Body::default()).wanted(derived, ty);
        if let Some(field) = self.field_mut(id) {
            field.derived = Some(node);
        }
    }

    fn action(&mut self, at: usize, routine: &Routine, span: Span) {
        let verb = crate::engine::ids::VerbId::from_index(at);
        let signature = self.symbols.signature(verb);
        if let Some(body) = self.program.verbs.get(verb).and_then(|def| def.body) {
            self.routine(body, &signature, routine, span, false);
        }
    }

    fn routine(&mut self, id: RoutineId, signature: &Signature, routine: &Routine, span: Span, in_judgement: bool) {
        let mut body = Body { span, in_judgement, ..Body::default() };
        body.returns = super::body::Returns::Routine(signature.result);
        self.parameters(&mut body, &routine.params, signature);
        let parameters = body.next;
        let mut lowering = Lowering::new(self, body);
        lowering.block(&routine.body);
        let body = lowering.body;
        let name = self.name_def(&routine.head);
        self.finish_routine(id, body, parameters, name);
    }

    fn parameters(&mut self, body: &mut Body, params: &[Param], signature: &Signature) {
        for (param, sign) in params.iter().zip(&signature.params) {
            if body.find(&param.name.text).is_some() {
                self.report(Diagnostic::error("E0202", param.name.span).with("what", "parameter").with("name", &param.name.text));
            }
            body.local(&param.name.text, sign.ty);
        }
    }

    /// A body without parameters.
    fn plain(&mut self, head: &Head, block: &Block, span: Span) -> RoutineId {
        let id = self.reserve_routine(span);
        let mut lowering = Lowering::new(self, Body { span, ..Body::default() });
        lowering.block(block);
        let body = lowering.body;
        let name = self.name_def(head);
        self.finish_routine(id, body, 0, name);
        id
    }

    /// A turn is one routine; each phase begins with the place at which a position can stand.
    fn turn(&mut self, head: &Head, phases: &[Phase], span: Span) {
        let id = self.reserve_routine(span);
        let mut lowering = Lowering::new(self, Body { span, ..Body::default() });
        lowering.body.emit(Op::TurnBegins);
        let mut starts = Vec::with_capacity(phases.len());
        for (at, phase) in phases.iter().enumerate() {
            lowering.body.span = phase.head.span;
            lowering.body.cites = lowering.c.cites(&phase.head.cites);
            starts.push(lowering.body.emit(Op::Phase(PhaseId::from_index(at))));
            lowering.body.cites = Default::default();
            lowering.phase(&phase.body);
        }
        let body = lowering.body;
        let base = self.program.code.len();
        let name = self.name_def(head);
        self.finish_routine(id, body, 0, name);
        for (at, start) in starts.into_iter().enumerate() {
            let phase = PhaseId::from_index(at);
            if let Some(def) = self.program.phases.get_mut(phase) {
                def.start = crate::engine::ids::Pc::from_index(base + start);
            }
        }
        self.program.turn = Some(id);
    }

    fn judgement(&mut self, routine: &Routine, span: Span) {
        self.once("judgement", &routine.head, self.program.judgement.is_some());
        if routine.params.len() != 2 {
            let finding = Diagnostic::error("E0205", routine.head.span).with("name", "judgement").with("wanted", 2);
            self.report(finding.with("got", routine.params.len()));
        }
        let id = self.reserve_routine(span);
        let players = Ty::set(crate::engine::program::Type::Player);
        let params = routine.params.iter().map(|param| super::names::ParamSignature {
            name: param.name.text.clone(),
            ty: players,
            default: None,
            optional: false,
        });
        let signature = Signature { params: params.collect(), result: None };
        self.routine(id, &signature, routine, span, true);
        self.program.judgement = Some(id);
    }

    fn rule(&mut self, rule: &Rule, span: Span) {
        let mut frame = Body { span, ..Body::default() };
        match rule.params.as_slice() {
            [] => {}
            [player] if self.type_of(&player.of) == Ty::PLAYER => {
                frame.local(&player.name.text, Ty::PLAYER);
            }
            [first, ..] => self.report(Diagnostic::error("E0251", first.name.span)),
        }
        let parameters = frame.next;
        let names = frame.names.clone();
        let (condition, becomes) = {
            let mut lowering = Lowering::new(self, frame);
            lowering.rule_condition(&rule.when)
        };
        let id = self.reserve_routine(span);
        let mut lowering = Lowering::new(self, Body { span, names, next: parameters, registers: parameters, ..Body::default() });
        lowering.block(&rule.body);
        let body = lowering.body;
        let name = self.name_def(&rule.head);
        self.finish_routine(id, body, parameters, name.clone());
        self.map.rules.push(span);
        if !rule.immediately {
            self.not_yet(span, "a rule that the flow applies (`when` without `immediately`)");
        }
        let reads = self.zones_read(condition);
        let each_player = parameters == 1;
        self.program.rules.push(RuleDef { name, each_player, immediately: rule.immediately, condition, becomes, reads, body: id });
    }

    /// The declared zones that an expression reads, a bit for each.
    fn zones_read(&self, condition: NodeId) -> u64 {
        let mut reads = 0;
        self.walk(condition, &mut |node| {
            match node {
                Node::Zone(zone, _) | Node::ZoneOfAll(zone) => reads |= zone_bit(*zone),
                // What is on cards and players changes without any card moving.
                Node::State(..) | Node::Field(..) | Node::FieldHas(..) | Node::FaceUp(_) | Node::Turn | Node::Pending => reads = u64::MAX,
                _ => {}
            }
        });
        reads
    }

    fn kind_slots(&mut self, kind: KindId, slots: &[Slot]) {
        for slot in slots {
            let Some(default) = &slot.default else { continue };
            let cites = self.cites(&slot.cites);
            match slot.name.text.as_str() {
                "zones" => {
                    let zones = self.zone_set(default);
                    if let Some(def) = self.program.kinds.get_mut(kind) {
                        (def.zones, def.zones_cites) = (zones, cites);
                    }
                }
                "limit" => {
                    let limit = self.number_within(default, "limit", 0, i32::MAX);
                    if let Some(def) = self.program.kinds.get_mut(kind) {
                        (def.uses_per_turn, def.limit_cites) = (limit, cites);
                    }
                }
                "costs" if matches!(&default.kind, ExprKind::Name(name) if name.text == "first") => {
                    if let Some(def) = self.program.kinds.get_mut(kind) {
                        (def.costs_first, def.costs_cites) = (true, cites);
                    }
                }
                _ => self.not_yet(slot.name.span, &slot.name.text),
            }
        }
    }

    /// `[deck, hand]` as bits.
    pub(super) fn zone_set(&mut self, expr: &Expr) -> u64 {
        match &expr.kind {
            ExprKind::List(items) => items.iter().fold(0, |all, item| all | self.zone_set(item)),
            ExprKind::Name(name) => match self.symbols.zones.id::<ZoneId>(&name.text) {
                Some(zone) => zone_bit(zone),
                None => {
                    let words: Vec<String> = self.symbols.zones.words().map(str::to_owned).collect();
                    self.unknown("zone", name, words.iter().map(String::as_str));
                    0
                }
            },
            _ => {
                self.mismatch(expr.span, Ty::set(crate::engine::program::Type::Zone), Ty::UNKNOWN);
                0
            }
        }
    }

    fn policy(&mut self, head: &Head, values: &[PolicyEntry]) {
        if head.name.text == "principles" {
            return self.principles(values);
        }
        if head.name.text != "replacement" {
            return self.unknown("policy", &head.name, ["replacement", "principles"]);
        }
        for PolicyEntry { cites, name, value } in values {
            match name.text.as_str() {
                "each" => {
                    let cites: Vec<Cite> = head.cites.iter().chain(cites).cloned().collect();
                    self.principle(Principle::ReplacedOnce, &cites);
                    if let Some(at) = self.policy_word(value, &["once_per_event", "one_in_all"]) {
                        self.program.policies.one_replacement_in_all = at == 1;
                    }
                }
                "optional" => {
                    if let Some(at) = self.policy_word(value, &["always", "if_possible"]) {
                        self.program.policies.offer_replacement_only_if_possible = at == 1;
                    }
                }
                "within" => {
                    if self.policy_word(value, &["part"]).is_some() {
                        self.principle(Principle::ReplacedWithin, cites);
                    }
                }
                // Conceding is no action, so that nothing can replace it; the rulebook's sentence is stated all the same.
                "never" => {}
                _ => self.unknown("part of the policy", name, ["each", "optional", "within", "never"]),
            }
        }
    }

    /// `policy principles { @1-3-3 forbidden = left_out }`: there is one value for each; what a game adds is its rule.
    fn principles(&mut self, values: &[PolicyEntry]) {
        for PolicyEntry { cites, name, value } in values {
            let Some((_, word, principle)) = PRINCIPLES.iter().find(|(known, ..)| *known == name.text) else {
                self.unknown("principle", name, PRINCIPLES.map(|(known, ..)| known));
                continue;
            };
            if self.policy_word(value, &[word]).is_some() {
                self.principle(*principle, cites);
            }
        }
    }

    fn principle(&mut self, principle: Principle, cites: &[Cite]) {
        let cites = self.cites(cites);
        if let Some(slot) = self.program.principles.get_mut(principle as usize) {
            *slot = cites;
        }
    }

    fn policy_word(&mut self, value: &Expr, words: &[&str]) -> Option<usize> {
        let ExprKind::Name(name) = &value.kind else {
            self.report(Diagnostic::error("E0237", value.span).with("what", "policy"));
            return None;
        };
        let at = words.iter().position(|word| *word == name.text);
        if at.is_none() {
            self.unknown("value of the policy", name, words.iter().copied());
        }
        at
    }

    /// A routine's name for traces.
    pub(super) fn title(text: &str) -> NameDef {
        NameDef { name: text.to_owned(), label: text.to_owned(), cites: Default::default() }
    }
}

/// The kernel's principles as a policy names them, each with the only value that it has.
const PRINCIPLES: [(&str, &str, Principle); 7] = [
    ("impossible", "left_out", Principle::Impossible),
    ("already", "left_out", Principle::Already),
    ("no_times", "left_out", Principle::NoTimes),
    ("forbidden", "left_out", Principle::Forbidden),
    ("text_against_rule", "prevails", Principle::OverRules),
    ("revealed", "until_the_effect_ends", Principle::Revealed),
    ("looked", "by_one_where_they_lie", Principle::Looked),
];

impl Lowering<'_> {
    fn rule_condition(&mut self, when: &RuleWhen) -> (NodeId, bool) {
        match when {
            RuleWhen::State(condition) => (self.condition(condition), false),
            RuleWhen::Becomes(subject, what) => {
                let typed: Typed = self.expr(subject, None);
                let node = self.is_node(typed, subject, what);
                let node = node.unwrap_or_else(|| {
                    let of = typed.ty.describe(&self.c.program);
                    let finding = Diagnostic::error("E0223", what.span).with("word", &what.text).with("of", of);
                    self.wrong(finding.suggest(&what.text, ["empty", "up", "down"])).node
                });
                (node, true)
            }
            RuleWhen::Event(pattern) => (self.not_yet(pattern.span, "a rule that waits for an event").node, false),
        }
    }
}

/// The bit of a zone in a set of zones.
pub(super) fn zone_bit(zone: ZoneId) -> u64 {
    1u64.checked_shl(u32::from(zone.0)).unwrap_or(0)
}
