//! Compiles events and causes as values: `latest (…)`, `happened …` as a set, the parts of an event, the cause of an event.

use crate::Compiler;
use crate::declarations::names::Signature;
use crate::expressions::expression::Lowering;
use crate::expressions::pattern::bound_name;
use crate::expressions::types::Ty;
use crate::statements::body::{Body, Typed};
use engine::ids::{CauseId, EventFieldId, Id, NodeId, Reg, VerbId};
use engine::program::{Builtin, CauseKind, CauseMatch, EventFieldDef, Node, Op, Program, Turns, Type, ValueEventDef, VerbDef};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Arg, EventDecl, Expr, ExprKind, Head, Name, Param, Pattern, Since, ValueTurn};

/// Causes that need no declaration.
const CAUSES: [(&str, CauseKind); 3] = [("rule", CauseKind::Rule), ("effect", CauseKind::Effect), ("cost", CauseKind::Cost)];

impl Compiler {
    /// `cause battle "バトル" @1102`.
    pub(crate) fn declare_cause(&mut self, head: &Head) {
        self.declare("cause", head, |symbols| &mut symbols.causes);
        if CAUSES.iter().any(|(known, _)| *known == head.name.text) {
            self.report(Diagnostic::error("E0341", head.name.span).with("name", &head.name.text));
        }
        let name = self.name_def(head);
        self.program.causes.push(name);
    }

    /// `event weakened(c: card in field) when c.power falls`: declares a verb that nobody performs.
    pub(crate) fn declare_event(&mut self, event: &EventDecl, span: Span) {
        self.declare("action", &event.head, |symbols| &mut symbols.verbs);
        let params = event.params.iter().map(|param| self.parameter(param)).collect();
        let signature = Signature { params, result: None };
        let name = self.name_def(&event.head);
        let verb: VerbId = self.program.verbs.push(VerbDef::declared(name, signature.names(), signature.actor(), None));
        self.symbols.verb_signatures.push(signature);
        self.map.verbs.push(span);
        let (of, value) = (NodeId::NONE, NodeId::NONE);
        self.program.value_events.push(ValueEventDef { verb, of, value, how: turns(event.how) });
    }

    /// Lowers the event's value and the set of things that have this value.
    pub(crate) fn lower_event(&mut self, event: &EventDecl) {
        let Some(verb) = self.symbols.verbs.id::<VerbId>(&event.head.name.text) else { return };
        let want = match event.how {
            ValueTurn::Falls | ValueTurn::Rises => Some(Ty::NUMBER),
            ValueTurn::BecomesTrue | ValueTurn::BecomesFalse => Some(Ty::BOOL),
            ValueTurn::Changes => None,
        };
        let mut lowering = Lowering::new(self, Body::default());
        let value = |lowering: &mut Lowering<'_>| match want {
            Some(want) => lowering.wanted(&event.value, want),
            None => {
                let typed = lowering.expr(&event.value, None);
                lowering.one_or_undefined(typed)
            }
        };
        let (of, value) = match event.params.as_slice() {
            [] => (NodeId::NONE, value(&mut lowering)),
            [Param { name, domain: Some(domain), of, .. }] => {
                let set = lowering.set(domain, None);
                (lowering.cards_of_type(set.node, of, domain.span), lowering.under(&name.text, set.ty.member(), name.span, value))
            }
            [first, ..] => return self.report(Diagnostic::error("E0343", first.name.span)),
        };
        if let Some(def) = self.program.value_events.iter_mut().find(|def| def.verb == verb) {
            (def.of, def.value) = (of, value);
        }
    }

    /// The verbs that events of a type may have. Type 0 means all verbs.
    fn verbs_of(&self, of: u16) -> Vec<VerbId> {
        match self.symbols.event_types.get(usize::from(of)) {
            Some(verbs) if of > 0 => verbs.clone(),
            _ => self.program.verbs.ids().collect(),
        }
    }

    /// The type of the events that a pattern asks for.
    fn event_type(&mut self, pattern: &Pattern) -> Type {
        let verbs = pattern.events.iter().filter_map(|event| self.symbols.verbs.id::<VerbId>(&event.verb.text));
        let verbs: Vec<VerbId> = verbs.collect();
        if self.symbols.event_types.is_empty() {
            self.symbols.event_types.push(Vec::new());
        }
        let known = self.symbols.event_types.iter().position(|other| *other == verbs);
        let at = known.unwrap_or_else(|| {
            self.symbols.event_types.push(verbs);
            self.symbols.event_types.len() - 1
        });
        Type::Event(u16::try_from(at).unwrap_or(0))
    }

    /// The type of an event's argument. A builtin verb on several cards gives one event for each card.
    fn told_type(verb: VerbId, ty: Ty) -> Ty {
        let builtin = Builtin::ALL.get(verb.index());
        if builtin.is_some_and(|builtin| builtin.happens()) {
            return ty;
        }
        let card = ty == Ty::CARDS || ty == Ty::one(Type::CatalogueCard);
        if card && verb.index() < Builtin::ALL.len() { Ty::CARD } else { ty }
    }
}

impl Lowering<'_> {
    /// `latest PATTERN since M`.
    pub(crate) fn latest(&mut self, pattern: &Pattern, since: Option<&Since>) -> Typed {
        let (id, since) = self.asked_of_history(pattern, since);
        let of = self.c.event_type(pattern);
        self.typed(Node::Latest(id, since), Ty::one(of))
    }

    /// `happened PATTERN since M` where a set is wanted: all events since M that the pattern fits.
    pub(crate) fn events(&mut self, pattern: &Pattern, since: Option<&Since>) -> Typed {
        let (id, since) = self.asked_of_history(pattern, since);
        let of = self.c.event_type(pattern);
        self.typed(Node::Events(id, since), Ty::set(of))
    }

    /// The name after the dot of an event: its cause, or one of its verb's parameters.
    pub(crate) fn event_field(&mut self, event: Typed, of: u16, name: &Name) -> Typed {
        let verbs = self.c.verbs_of(of);
        let mut found: Vec<(VerbId, u8, Ty)> = Vec::new();
        for verb in &verbs {
            let signature = self.c.symbols.signature(*verb);
            let at = signature.params.iter().position(|param| param.name == name.text);
            if let Some((at, param)) = at.and_then(|at| Some((u8::try_from(at).ok()?, signature.params.get(at)?))) {
                found.push((*verb, at, Compiler::told_type(*verb, param.ty)));
            }
        }
        let Some((first, _, ty)) = found.first().copied() else {
            if name.text == "cause" {
                return self.typed(Node::EventCause(event.node), Ty::CAUSE);
            }
            let mut words: Vec<String> = vec!["cause".to_owned()];
            for verb in &verbs {
                words.extend(self.c.symbols.signature(*verb).params.into_iter().map(|param| param.name));
            }
            let finding = Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", "event");
            return self.wrong(finding.suggest(&name.text, words.iter().map(String::as_str)));
        };
        if let Some((other, _, another)) = found.iter().find(|(.., other)| *other != ty) {
            return self.two_types(name, (first, ty), (*other, *another));
        }
        let def = EventFieldDef { places: found.into_iter().map(|(verb, at, _)| (verb, at)).collect(), set: ty.set };
        let known = self.c.program.event_fields.iter().find(|(_, known)| **known == def).map(|(id, _)| id);
        let field: EventFieldId = known.unwrap_or_else(|| self.c.program.event_fields.push(def));
        self.typed(Node::EventArg(event.node, field), ty)
    }

    /// `E0340`: two verbs have a parameter of that name with different types.
    pub(crate) fn two_types(&mut self, name: &Name, (first, ty): (VerbId, Ty), (second, other): (VerbId, Ty)) -> Typed {
        let (a, b) = (self.verb_name(first), self.verb_name(second));
        let finding = Diagnostic::error("E0340", name.span).with("name", &name.text).with("first", a).with("second", b);
        let program = &self.c.program;
        self.wrong(finding.with("is", ty.describe(program)).with("other", other.describe(program)))
    }

    fn verb_name(&self, verb: VerbId) -> String {
        self.c.program.verbs.get(verb).map_or_else(String::new, |verb| verb.name.name.clone())
    }

    /// The kind of cause with that name.
    fn cause_word(&self, word: &str) -> Option<CauseKind> {
        let known = CAUSES.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
        known.or_else(|| self.c.symbols.causes.id::<CauseId>(word).map(CauseKind::Declared))
    }

    fn cause_words(&self) -> Vec<String> {
        CAUSES.iter().map(|(known, _)| *known).chain(self.c.symbols.causes.words()).map(str::to_owned).collect()
    }

    fn no_cause(&mut self, name: &Name) {
        let words = self.cause_words();
        self.c.unknown("cause", name, words.iter().map(String::as_str));
    }

    /// A bare word where a cause is wanted: a cause without a card.
    pub(crate) fn cause_named(&mut self, word: &str) -> Option<Typed> {
        let kind = self.cause_word(word)?;
        Some(self.typed(Node::Cause(kind, NodeId::NONE), Ty::CAUSE))
    }

    /// `battle of attacker`, `effect of this`: a cause that belongs to a card.
    pub(crate) fn caused(&mut self, name: &Name, of: &Expr) -> Typed {
        let Some(kind) = self.cause_word(&name.text).filter(|kind| *kind != CauseKind::Rule) else {
            self.no_cause(name);
            return self.broken();
        };
        let of = self.wanted(of, Ty::CARD);
        self.typed(Node::Cause(kind, of), Ty::CAUSE)
    }

    /// `k is effect`, `e is damage`.
    pub(crate) fn cause_is(&mut self, cause: NodeId, word: &str) -> Option<NodeId> {
        let kind = self.cause_word(word)?;
        Some(self.c.node(Node::IsCause(cause, kind)))
    }

    /// Whether an event is of that verb. `e is timing`: whether it is any declared timing.
    pub(crate) fn event_is(&mut self, event: NodeId, word: &str) -> Option<NodeId> {
        let Some(verb) = self.c.symbols.verbs.id::<VerbId>(word) else {
            return (word == "timing").then(|| self.c.node(Node::IsTiming(event)));
        };
        Some(self.c.node(Node::IsEvent(event, verb)))
    }

    /// `k.source`, `k.controller`, `k.performer`.
    pub(crate) fn cause_field(&mut self, cause: Typed, name: &Name) -> Typed {
        match name.text.as_str() {
            "source" => self.typed(Node::Source(cause.node), Ty::CARD),
            "controller" => self.typed(Node::Controller(cause.node), Ty::PLAYER),
            "performer" => self.typed(Node::Performer(cause.node), Ty::PLAYER),
            _ => {
                let finding = Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", "cause");
                self.wrong(finding.suggest(&name.text, ["source", "controller", "performer"]))
            }
        }
    }

    /// `by: …` in a pattern: the condition on the cause.
    pub(crate) fn cause(&mut self, value: &Expr, binds: &mut Vec<(String, Ty)>) -> Option<CauseMatch> {
        match &value.kind {
            ExprKind::Any(name) => return Some(CauseMatch::Bind(bound_name(name, Ty::CAUSE, binds))),
            ExprKind::Name(name) if self.body.find(&name.text).is_none() => {
                if let Some(kind) = self.cause_word(&name.text) {
                    return Some(CauseMatch::Kind(kind));
                }
            }
            ExprKind::Caused(name, of) => {
                let Some(kind) = self.cause_word(&name.text).filter(|kind| *kind != CauseKind::Rule) else {
                    self.no_cause(name);
                    return None;
                };
                if let ExprKind::Any(card) = &of.kind {
                    return Some(CauseMatch::KindBind(kind, bound_name(card, Ty::CARD, binds)));
                }
                return Some(CauseMatch::KindOf(kind, self.of_whom(of)));
            }
            _ => {}
        }
        let typed = self.expr(value, Some(Ty::CARD));
        if typed.ty == Ty::CAUSE {
            return Some(CauseMatch::Is(typed.node));
        }
        Some(CauseMatch::Of(self.one_of_whom(typed, value.span)))
    }

    fn of_whom(&mut self, of: &Expr) -> NodeId {
        let typed = self.expr(of, None);
        self.one_of_whom(typed, of.span)
    }

    /// A player, a card, or a set of them, as the owner of a cause.
    fn one_of_whom(&mut self, typed: Typed, span: Span) -> NodeId {
        if typed.ty == Ty::PLAYER || typed.ty == Ty::ZONE || typed.ty == Ty::CARDS { typed.node } else { self.fit(typed, Ty::CARD, span) }
    }

    /// Splits off the cause from the arguments of a call: `retire(u, by: hurt.cause)`.
    pub(crate) fn laid_to<'a>(&self, signature: &Signature, args: &'a [Arg]) -> Option<(Vec<Arg>, &'a Expr)> {
        let at = args.iter().position(|arg| self.is_cause(arg, signature))?;
        let by = &args.get(at)?.value;
        let others = args.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, arg)| arg.clone());
        Some((others.collect(), by))
    }

    /// Gives all following actions this cause, up to [`Self::because_end`].
    pub(crate) fn because(&mut self, by: &Expr) -> Reg {
        let typed = self.expr(by, Some(Ty::CAUSE));
        let cause = match typed.ty {
            // A card alone means an effect of this card.
            Ty::CARD => self.c.node(Node::Cause(CauseKind::Effect, typed.node)),
            _ => self.fit(typed, Ty::CAUSE, by.span),
        };
        let saved = self.body.register();
        self.body.emit(Op::Because { cause, saved });
        saved
    }

    pub(crate) fn because_end(&mut self, saved: Reg) {
        self.body.emit(Op::BecauseEnd { saved });
    }
}

fn turns(how: ValueTurn) -> Turns {
    match how {
        ValueTurn::Falls => Turns::Falls,
        ValueTurn::Rises => Turns::Rises,
        ValueTurn::Changes => Turns::Changes,
        ValueTurn::BecomesTrue => Turns::BecomesTrue,
        ValueTurn::BecomesFalse => Turns::BecomesFalse,
    }
}

/// Keeps in the history all events that abilities wait for, if the program asks for the event that let an ability wait.
pub(crate) fn keep_asked(program: &mut Program) {
    if !program.nodes.rows().iter().any(|node| matches!(node, Node::EventOf(_))) {
        return;
    }
    let ids: Vec<VerbId> = program.verbs.ids().collect();
    for verb in ids {
        if let Some(def) = program.verbs.get_mut(verb) {
            def.recorded |= def.watched;
        }
    }
}
