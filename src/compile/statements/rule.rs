//! Compiles rules that watch the game, and the sets of rules that the flow applies.

use crate::Compiler;
use crate::expressions::expression::Lowering;
use crate::expressions::pattern::Use;
use crate::expressions::types::Ty;
use crate::statements::body::{Body, Typed};
use engine::bits::ZoneSet;
use engine::ids::{Id, NodeId, PatternId, RuleId};
use engine::program::{ClauseKind, RuleDef, RuleSetDef};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Decl, DeclKind, EventPattern, Expr, ExprKind, Head, Name, Pattern, Property, Rule, RuleWhen};
use std::sync::Arc;

/// When a rule runs.
struct When {
    condition: NodeId,
    becomes: bool,
    event: Option<PatternId>,
}

impl Compiler {
    /// Compiles a rule: its condition or event, and its body.
    pub(crate) fn rule(&mut self, rule: &Rule, span: Span) {
        if let RuleWhen::Forbids(pattern) = &rule.when {
            return self.forbidding(rule, pattern, span);
        }
        let mut frame = Body { span, ..Body::default() };
        match rule.params.as_slice() {
            [] => {}
            [player] if self.type_of(&player.of) == Ty::PLAYER => {
                frame.local(&player.name.text, Ty::PLAYER);
            }
            [first, ..] => self.report(Diagnostic::error("E0251", first.name.span)),
        }
        let each_player = frame.next == 1;
        let mut lowering = Lowering::new(self, frame);
        let when = lowering.rule_when(&rule.when);
        // The names that an event binds stand after the player.
        let (names, parameters) = (lowering.body.names, lowering.body.next);
        let id = self.reserve_routine(span);
        let around = self.cites(&rule.head.cites);
        let body = Body { span, names, next: parameters, registers: parameters, around, ..Body::default() };
        let mut lowering = Lowering::new(self, body);
        lowering.block(&rule.body);
        let body = lowering.body;
        let name = self.name_def(&rule.head);
        self.finish_routine(id, body, parameters, name.clone());
        self.map.rules.push(span);
        let When { condition, becomes, event } = when;
        let reads = if event.is_some() { ZoneSet::NONE } else { self.zones_read(condition) };
        self.program.rules.push(RuleDef { name, each_player, immediately: rule.immediately, condition, becomes, event, reads, body: id });
    }

    /// `rule NAME forbids EVENT`: a clause that is always in force. The rule itself never runs.
    fn forbidding(&mut self, rule: &Rule, pattern: &Pattern, span: Span) {
        if let Some(first) = rule.params.first() {
            self.report(Diagnostic::error("E0396", first.name.span));
        }
        let cites = self.cites(&rule.head.cites);
        let mut lowering = Lowering::new(self, Body { span, cites, ..Body::default() });
        let written = pattern;
        let (pattern, _) = lowering.pattern(written, Use::Watched);
        lowering.spares_members(pattern, written);
        let mut made = Vec::new();
        lowering.add_clause(ClauseKind::Forbid(pattern), NodeId::NONE, Vec::new(), false, &mut made);
        let never = self.constant_node(Value::Bool(false));
        let id = self.reserve_routine(span);
        let name = self.name_def(&rule.head);
        self.finish_routine(id, Body { span, ..Body::default() }, 0, name.clone());
        self.map.rules.push(span);
        let (event, reads) = (None, ZoneSet::NONE);
        let def = RuleDef { name, each_player: false, immediately: false, condition: never, becomes: false, event, reads, body: id };
        let rule = self.program.rules.push(def);
        self.program.standing.extend(made.into_iter().map(|clause| (rule, clause)));
    }

    /// The set of rules that the flow applies if the game declares no order: all rules that are not immediate, in the order of their
    /// declarations, repeated until none applies.
    pub(crate) fn default_rule_set(&mut self, decls: &[Arc<Decl>]) {
        let rules = decls.iter().filter_map(|decl| if let DeclKind::Rule(rule) = &decl.kind { Some(rule) } else { None });
        let order: Vec<RuleId> = rules
            .enumerate()
            .filter(|(_, rule)| !rule.immediately && !matches!(rule.when, RuleWhen::Forbids(_)))
            .map(|(at, _)| RuleId::from_index(at))
            .collect();
        self.program.rule_set = (!order.is_empty()).then(|| RuleSetDef { order, again: true, ..RuleSetDef::default() });
    }

    /// `rules NAME { in order [a, b]  until none applies }`, `rules NAME { together [a, b]  first a  until none applies }`.
    pub(crate) fn rule_set(&mut self, head: &Head, properties: &[Property]) {
        self.once("rules", head.span);
        let mut set = RuleSetDef { name: self.name_def(head), ..RuleSetDef::default() };
        for phrase in self.phrases("rules", properties, &["in order", "together", "first", "until none applies"]) {
            match phrase.words {
                "until none applies" => set.again = true,
                "first" => set.first = self.rules_named(phrase.value, phrase.span),
                words => {
                    set.together = words == "together";
                    set.order.extend(self.rules_named(phrase.value, phrase.span));
                }
            }
        }
        for id in set.first.iter().filter(|id| !set.order.contains(id)) {
            let name = self.program.rules.get(*id).map(|rule| rule.name.name.clone()).unwrap_or_default();
            self.found.push(Diagnostic::error("E0259", head.span).with("name", name));
        }
        self.program.rule_set = Some(set);
    }

    fn rules_named(&mut self, value: Option<&Expr>, span: Span) -> Vec<RuleId> {
        let items = match value.map(|value| &value.kind) {
            Some(ExprKind::List(items)) => items.iter().collect(),
            Some(_) => value.into_iter().collect(),
            None => Vec::new(),
        };
        if items.is_empty() {
            self.report(Diagnostic::error("E0237", span).with("what", "rules"));
        }
        let mut rules = Vec::new();
        for item in items {
            let ExprKind::Name(name) = &item.kind else {
                self.report(Diagnostic::error("E0237", item.span).with("what", "rules"));
                continue;
            };
            rules.extend(self.declared::<RuleId>("rule", |symbols| &symbols.rules, name));
        }
        rules
    }
}

impl Lowering<'_> {
    /// Whether a call names an event, not a condition.
    fn is_event(&self, name: &Name) -> bool {
        let symbols = &self.c.symbols;
        symbols.verbs.find(&name.text).is_some() && symbols.functions.find(&name.text).is_none()
    }

    fn rule_when(&mut self, when: &RuleWhen) -> When {
        match when {
            RuleWhen::State(Expr { kind: ExprKind::Call(verb, args), span }) if self.is_event(verb) => {
                let event = EventPattern { verb: verb.clone(), args: args.clone(), span: *span };
                self.rule_when(&RuleWhen::Event(Pattern { events: vec![event], condition: None, span: *span }))
            }
            RuleWhen::State(condition) => When { condition: self.condition(condition), becomes: false, event: None },
            RuleWhen::Becomes(subject, what) if what.text == "true" => {
                When { condition: self.condition(subject), becomes: true, event: None }
            }
            RuleWhen::Becomes(subject, what) => {
                let typed: Typed = self.expr(subject, None);
                let node = self.is_node(typed, subject, what);
                let node = node.unwrap_or_else(|| {
                    let of = typed.ty.describe(&self.c.program);
                    let finding = Diagnostic::error("E0223", what.span).with("word", &what.text).with("of", of);
                    self.wrong(finding.suggest(&what.text, ["empty", "true", "up", "down"])).node
                });
                When { condition: node, becomes: true, event: None }
            }
            RuleWhen::Event(pattern) => {
                let (event, _) = self.pattern(pattern, Use::Heard);
                When { condition: NodeId::NONE, becomes: false, event: Some(event) }
            }
            // A forbidding rule never runs ([`Compiler::forbidding`]).
            RuleWhen::Forbids(_) => When { condition: NodeId::NONE, becomes: false, event: None },
        }
    }
}
