//! Compiles event patterns: a verb with conditions on its arguments, names that bind, a cause, a condition.

use crate::declarations::names::{ParamSignature, Signature};
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Typed};
use engine::ids::{NodeId, PatternId, Reg, VerbId, ZoneId};
use engine::program::{ArgMatch, Builtin, EventDef, Node, PatternDef, Since as Point, SinceWord, Type};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Arg, EventPattern, Expr, ExprKind, Name, Pattern, Since};
use rustc_hash::FxHashSet;

/// The use of a pattern. It decides who has to keep or look at the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A clause waits for it.
    Watched,
    /// A rule waits for it, for each event by itself.
    Heard,
    /// A question about the history.
    Recorded,
}

impl Lowering<'_> {
    /// `happened PATTERN since M`.
    pub(crate) fn happened(&mut self, pattern: &Pattern, since: Option<&Since>) -> Typed {
        let (id, since) = self.asked_of_history(pattern, since);
        self.truth(Node::Happened(id, since))
    }

    /// A pattern in a question about the history, with its mark. Its names are in sight only in its condition.
    pub(crate) fn asked_of_history(&mut self, pattern: &Pattern, since: Option<&Since>) -> (PatternId, SinceWord) {
        let (names, next) = (self.body.names.len(), self.body.next);
        let could_ask = std::mem::replace(&mut self.body.can_ask, false);
        let (id, _) = self.pattern(pattern, Use::Recorded);
        self.body.can_ask = could_ask;
        self.body.names.truncate(names);
        self.body.next = next;
        (id, since.map_or(Point::Beginning, |since| self.point(since)).into())
    }

    /// A point in history: an event, or a mark. A name that stands for neither a value nor a function names a mark.
    fn point(&mut self, since: &Since) -> Point {
        let name = match since {
            Since::Event(event) => return Point::Event(self.wanted(event, Ty::EVENT)),
            Since::Named(name) => name,
        };
        let of_name = |kind: ExprKind| Expr { kind, span: name.span };
        if self.body.find(&name.text).is_some() {
            return Point::Event(self.wanted(&of_name(ExprKind::Name(name.clone())), Ty::EVENT));
        }
        if self.c.symbols.functions.find(&name.text).is_some() {
            return Point::Event(self.wanted(&of_name(ExprKind::Call(name.clone(), Vec::new())), Ty::EVENT));
        }
        self.c.since.push(name.clone());
        Point::Mark(self.c.text(&name.text))
    }

    /// Lowers a pattern and gives the names that it binds. The names get registers here, in order, before the condition is lowered; they
    /// stay bound for the body.
    pub(crate) fn pattern(&mut self, pattern: &Pattern, for_use: Use) -> (PatternId, Vec<(String, Ty)>) {
        let mut binds: Vec<(String, Ty)> = Vec::new();
        let mut events = Vec::new();
        for event in &pattern.events {
            events.extend(self.event(event, for_use, &mut binds));
        }
        self.c.check_binds(binds.len(), pattern.span);
        let first = Reg(self.body.next);
        for (name, ty) in &binds {
            self.body.taken_in(name, *ty, ty.set);
        }
        let condition = match &pattern.condition {
            Some(condition) => self.condition(condition),
            None => NodeId::NONE,
        };
        self.c.symbols.bound.push(binds.clone());
        let gathers = self.gathered(pattern, &events, for_use);
        let id = self.c.program.patterns.push(PatternDef { events, condition, binds: binds.len() as u16, first, gathers });
        (id, binds)
    }

    /// `E0345` for a pattern of a prohibition that asks something of one card where the action is about a set of cards: the act would be
    /// forbidden for all cards of the set.
    pub(crate) fn spares_members(&mut self, id: PatternId, written: &Pattern) {
        let Some(pattern) = self.c.program.patterns.get(id) else { return };
        let mut asked = FxHashSet::default();
        self.c.walk(pattern.condition, &mut |node| {
            if let Node::Local(reg) = node {
                asked.insert(*reg);
            }
        });
        let first = pattern.first;
        let mut found = Vec::new();
        // The actions of the language happen to one card at a time.
        let declared = |event: &&EventDef| Builtin::ALL.iter().all(|builtin| builtin.verb() != event.verb);
        for event in pattern.events.iter().filter(declared) {
            let signature = self.c.symbols.signature(event.verb);
            let of_member = |(at, matched): &&(u8, ArgMatch)| {
                let set = signature.params.get(usize::from(*at)).is_some_and(|param| param.ty.set && param.ty.of == Type::Card);
                set && match matched {
                    ArgMatch::Bind(name) => asked.contains(&Reg(first.0 + name)),
                    ArgMatch::Is(_) => true,
                    ArgMatch::AnyZone(_) | ArgMatch::All(..) => false,
                }
            };
            let named = |(at, _): &(u8, ArgMatch)| signature.params.get(usize::from(*at)).map(|param| param.name.clone());
            let verb = self.c.program.verbs.get(event.verb).map(|verb| verb.name.name.clone()).unwrap_or_default();
            found.extend(event.args.iter().find(of_member).and_then(named).map(|name| (verb, name)));
        }
        for (verb, argument) in found {
            self.c.report(Diagnostic::error("E0345", written.span).with("name", verb).with("argument", argument));
        }
    }

    /// The name that stands for all objects of events that happen together. A pattern has at most one such name, and uses the name for
    /// nothing else.
    fn gathered(&mut self, pattern: &Pattern, events: &[EventDef], for_use: Use) -> Option<u16> {
        let bound = || events.iter().flat_map(|event| &event.args);
        let all = bound().find_map(|(_, matched)| if let ArgMatch::All(at, _) = matched { Some(*at) } else { None })?;
        let other = |matched: &ArgMatch| match matched {
            ArgMatch::All(at, _) => *at != all,
            ArgMatch::Bind(at) => *at == all,
            _ => false,
        };
        let twice = events.iter().any(|event| event.args.iter().filter(|(_, matched)| matches!(matched, ArgMatch::All(..))).count() > 1);
        if for_use == Use::Heard {
            self.c.report(Diagnostic::error("E0352", pattern.span));
        } else if twice || bound().any(|(_, matched)| other(matched)) {
            self.c.report(Diagnostic::error("E0353", pattern.span));
        }
        Some(all)
    }

    fn event(&mut self, event: &EventPattern, for_use: Use, binds: &mut Vec<(String, Ty)>) -> Option<EventDef> {
        let verb: VerbId = self.c.declared("action", |symbols| &symbols.verbs, &event.verb)?;
        match for_use {
            Use::Watched | Use::Heard => self.c.watch(verb),
            Use::Recorded => self.c.record(verb),
        }
        let signature = self.c.symbols.signature(verb);
        let mut def = EventDef { verb, args: Vec::new(), cause: None };
        let (mut position, mut given) = (0, Vec::new());
        for arg in &event.args {
            let is_cause = self.is_cause(arg, &signature);
            if is_cause && def.cause.is_some() {
                self.given_twice("by", arg, event);
                continue;
            }
            if is_cause {
                def.cause = self.cause(&arg.value, binds);
                continue;
            }
            let Some((at, param)) = self.parameter_of(arg, &signature, &mut position, event) else { continue };
            if given.contains(&at) {
                self.given_twice(&param.name, arg, event);
                continue;
            }
            given.push(at);
            if let Some(matched) = self.argument_match(&param, &arg.value, binds) {
                def.args.push((at, matched));
            }
        }
        Some(def)
    }

    /// `E0207` for a second condition on one argument: hardly any event fits both.
    fn given_twice(&mut self, name: &str, arg: &Arg, event: &EventPattern) {
        self.c.report(Diagnostic::error("E0207", arg.value.span).with("argument", name).with("name", &event.verb.text));
    }

    /// Whether an argument names the cause of an action.
    pub(crate) fn is_cause(&self, arg: &Arg, signature: &Signature) -> bool {
        arg.name.as_ref().is_some_and(|name| name.text == "by") && signature.params.iter().all(|param| param.name != "by")
    }

    fn parameter_of(
        &mut self,
        arg: &Arg,
        signature: &Signature,
        position: &mut usize,
        event: &EventPattern,
    ) -> Option<(u8, ParamSignature)> {
        let at = match &arg.name {
            Some(name) => signature.params.iter().position(|param| param.name == name.text),
            None => {
                *position += 1;
                Some(*position - 1)
            }
        };
        let found = at.and_then(|at| Some((u8::try_from(at).ok()?, signature.params.get(at)?.clone())));
        if found.is_none() {
            let finding = match &arg.name {
                Some(name) => {
                    let known = signature.params.iter().map(|param| param.name.as_str()).chain(["by"]);
                    Diagnostic::error("E0206", name.span).with("argument", &name.text).suggest(&name.text, known)
                }
                None => Diagnostic::error("E0205", event.span).with("wanted", signature.params.len()).with("got", event.args.len()),
            };
            self.c.report(finding.with("name", &event.verb.text));
        }
        found
    }

    fn argument_match(&mut self, param: &ParamSignature, value: &Expr, binds: &mut Vec<(String, Ty)>) -> Option<ArgMatch> {
        if let ExprKind::Any(name) = &value.kind {
            // An action on several cards gives one event for each card.
            let card = param.ty == Ty::one(Type::CatalogueCard);
            return Some(ArgMatch::Bind(bound_name(name, if card { Ty::CARD } else { param.ty.member() }, binds)));
        }
        if let ExprKind::Every { name, member, condition } = &value.kind {
            return Some(self.all_of(param, (name, member.as_ref(), condition.as_deref()), binds));
        }
        if let (Type::Zone, ExprKind::Name(name)) = (param.ty.of, &value.kind)
            && self.body.find(&name.text).is_none()
            && let Some(zone) = self.c.symbols.zones.id::<ZoneId>(&name.text)
        {
            return Some(ArgMatch::AnyZone(zone));
        }
        if let Some(truth) = crate::expressions::argument::face_or_end(param, value) {
            return Some(ArgMatch::Is(self.c.constant_node(Value::Bool(truth))));
        }
        if param.name == "at" && param.ty == Ty::BOOL {
            let typed = self.expr(value, None);
            if !matches!(typed.ty.of, Type::Enum(_) | Type::Unknown) {
                self.c.mismatch(value.span, Ty::BOOL, typed.ty);
            }
            return Some(ArgMatch::Is(typed.node));
        }
        if let (Type::Card, ExprKind::Text(text)) = (param.ty.of, &value.kind) {
            return Some(self.catalogue_match(text, value.span));
        }
        let typed = self.expr(value, Some(param.ty));
        let typed = self.matched_value(typed, param.ty, value.span);
        Some(ArgMatch::Is(typed))
    }

    /// `all g where C` in an argument. If C is a truth about one object, C must hold for all members of the set.
    fn all_of(
        &mut self,
        param: &ParamSignature,
        (name, member, condition): (&Name, Option<&Name>, Option<&Expr>),
        binds: &mut Vec<(String, Ty)>,
    ) -> ArgMatch {
        if let (true, Some(condition)) = (param.ty == Ty::BOOL, condition) {
            let set = Expr { kind: ExprKind::Name(name.clone()), span: name.span };
            let (set, condition) = self.filter(&set, member, condition, None);
            return ArgMatch::Is(self.truth(Node::All(set.node, condition)).node);
        }
        let card = param.ty == Ty::one(Type::CatalogueCard);
        let ty = if card { Ty::CARD } else { param.ty.member() };
        let at = bound_name(name, Ty::set(ty.of), binds);
        let member = member.map_or("it", |member| member.text.as_str());
        let condition = condition.map(|condition| self.under(member, ty, condition.span, |lowering| lowering.condition(condition)));
        ArgMatch::All(at, condition.unwrap_or(NodeId::NONE))
    }

    /// A text beside a card means the card of the pool with that name.
    fn catalogue_match(&mut self, text: &str, span: Span) -> ArgMatch {
        let card = match self.c.cards_called(text).first() {
            Some(card) => self.c.constant_node(Value::Card(*card)),
            None => self.no_card(text, span).node,
        };
        ArgMatch::Is(card)
    }

    /// One card or a set, as the parameter takes it. For a zone, the zone.
    fn matched_value(&mut self, typed: Typed, want: Ty, span: Span) -> NodeId {
        let same = typed.ty.of == want.of;
        if same || want.of == Type::Card && typed.ty == Ty::ZONE {
            return typed.node;
        }
        self.fit(typed, want, span)
    }

    /// The mentioned locals that are in sight, in the order of their first mention. An inner local hides an outer one.
    pub(crate) fn captured(&self, mentions: &crate::analysis::mentions::Mentions) -> Vec<(String, engine::ids::Reg, Ty)> {
        let mentioned = mentions.names.iter();
        let found = mentioned.filter_map(|name| match self.body.find(name) {
            Some(Binding::Register(reg, ty)) => Some((name.clone(), *reg, *ty)),
            _ => None,
        });
        found.collect()
    }
}

/// The position of a name among the names that a pattern binds. A name that stands twice is bound once.
pub(crate) fn bound_name(name: &Name, ty: Ty, binds: &mut Vec<(String, Ty)>) -> u16 {
    let at = binds.iter().position(|(known, _)| *known == name.text).unwrap_or_else(|| {
        binds.push((name.text.clone(), ty));
        binds.len() - 1
    });
    at as u16
}
