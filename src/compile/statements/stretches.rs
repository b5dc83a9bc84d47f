//! Compiles stretches of the flow (`watch`, `during` with roles), and named timings that open windows.

use crate::Compiler;
use crate::analysis::mentions::Mentions;
use crate::declarations::names::{Opens, Signature};
use crate::expressions::expression::Lowering;
use crate::expressions::types::{self, Ty};
use crate::statements::body::{Body, Edge};
use engine::ids::{ArgsId, NodeId, Pc, Reg, RoleId, RoutineId, TextId, VerbId};
use engine::program::{Node, Op, RoleDef, Type, VerbDef, WindowDef};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Arg, Block, Expr, ExprKind, Head, Name, Property, Timing};
use lang::syntax::visit::Visitor;

const LATER: Pc = Pc(u32::MAX);

impl Compiler {
    /// Declares a role's name and its holders. Its condition is lowered later, once every name is known.
    pub(crate) fn declare_role(&mut self, head: &Head, properties: &[Property]) {
        self.declare("role", head, |symbols| &mut symbols.roles);
        let name = self.name_def(head);
        let (mut of, mut several) = (Type::Card, false);
        // A role may have several conditions. Every other phrase may stand only once.
        let mut conditions = 0;
        let once = properties.iter().filter(|property| {
            conditions += u32::from(is_condition(property));
            !is_condition(property) || conditions == 1
        });
        let once: Vec<Property> = once.cloned().collect();
        for phrase in self.phrases("role", &once, &ROLE) {
            match (phrase.words, phrase.value.map(|value| &value.kind)) {
                ("several", _) => several = true,
                ("of", Some(ExprKind::Name(word))) => match types::named(&word.text, false, &self.symbols) {
                    Some(ty) => of = ty.of,
                    None => self.unknown("type", word, types::BUILTIN_TYPES.map(|(word, _)| word)),
                },
                _ => {}
            }
        }
        self.program.roles.push(RoleDef { name, of, several, conditions: Vec::new() });
    }

    /// Lowers `while C` of a role. The member is `it`.
    pub(crate) fn lower_role(&mut self, head: &Head, properties: &[Property]) {
        let Some(id) = self.symbols.roles.id::<RoleId>(&head.name.text) else { return };
        let of = self.program.roles.get(id).map_or(Type::Unknown, |role| role.of);
        for property in properties.iter().filter(|property| is_condition(property)) {
            let Some(condition) = &property.value else { continue };
            let cites = self.cites(&property.cites);
            let mut lowering = Lowering::new(self, Body { span: head.span, ..Body::default() });
            let condition = lowering.under("it", Ty::one(of), condition.span, |lowering| lowering.condition(condition));
            if let Some(role) = self.program.roles.get_mut(id) {
                role.conditions.push((condition, cites));
            }
        }
    }

    /// A timing is an event without a body, and a procedure that opens its window.
    pub(crate) fn declare_timing(&mut self, timing: &Timing, span: Span) {
        let at = self.declare("action", &timing.head, |symbols| &mut symbols.verbs);
        for label in timing.also.iter().flat_map(labels) {
            self.symbols.verbs.also(&label, at);
        }
        let params = timing.params.iter().map(|param| self.parameter(param)).collect();
        let signature = Signature { params, result: None };
        let name = self.name_def(&timing.head);
        let _: VerbId = self.program.verbs.push(VerbDef::declared(name, signature.names(), signature.actor(), None));
        let window = self.reserve_routine(span);
        let together = opens_for_several(timing).then(|| self.reserve_routine(span));
        self.symbols.timings.push(Opens { timing: at, window, together });
        self.symbols.verb_signatures.push(signature);
        self.map.verbs.push(span);
    }

    /// Lowers the calls that open the windows of a timing: of one event, and of several events together.
    pub(crate) fn lower_timing(&mut self, timing: &Timing, span: Span) {
        let Some(verb) = self.symbols.verbs.find(&timing.head.name.text) else { return };
        let Some(opens) = self.symbols.timings.iter().find(|opens| opens.timing == verb).copied() else { return };
        let verb = <VerbId as engine::ids::Id>::from_index(verb);
        if let Some(def) = self.program.verbs.get_mut(verb) {
            def.timing = true;
        }
        let signature = self.symbols.signature(verb);
        let mut body = Body { span, ..Body::default() };
        self.parameters(&mut body, &timing.params, &signature);
        self.lower_window(timing, (verb, false), opens.window, body);
        if let Some(together) = opens.together {
            let mut body = Body { span, ..Body::default() };
            // The arguments of all events.
            let _told = body.register();
            self.lower_window(timing, (verb, true), together, body);
        }
    }

    /// Lowers a call that opens a window. A bare name is called with the timing's own arguments.
    fn lower_window(&mut self, timing: &Timing, (verb, several): (VerbId, bool), window: RoutineId, body: Body) {
        let parameters = body.next;
        let mut lowering = Lowering::new(self, body);
        lowering.body.can_ask = true;
        if lowering.c.program.policies.late_hear_again {
            let since = lowering.body.register();
            lowering.body.emit(Op::WindowOpens { since });
            lowering.c.program.windows.push(WindowDef { routine: window, verb, several, since });
        }
        match timing.opens.as_ref().map(|opens| (&opens.kind, opens.span)) {
            Some((ExprKind::Call(name, args), span)) => lowering.call(name, args, span),
            Some((ExprKind::Name(name), span)) => {
                let own =
                    |param: &lang::syntax::ast::Param| Arg { name: None, value: Expr { kind: ExprKind::Name(param.name.clone()), span } };
                let args: Vec<Arg> = timing.params.iter().map(own).collect();
                lowering.call(name, &args, span);
            }
            Some((_, span)) => lowering.c.report(Diagnostic::error("E0246", span)),
            None => {}
        }
        let body = lowering.body;
        let name = self.name_def(&timing.head);
        self.finish_routine(window, body, parameters, name);
    }
}

/// Whether one window can be opened for several events of a timing: the call that opens the window does not use the arguments of the event.
fn opens_for_several(timing: &Timing) -> bool {
    match timing.opens.as_ref().map(|opens| &opens.kind) {
        None => true,
        Some(ExprKind::Call(_, args)) => {
            let mut mentions = Mentions::default();
            args.iter().for_each(|arg| mentions.expr(&arg.value));
            !timing.params.iter().any(|param| mentions.names.contains(&param.name.text))
        }
        Some(_) => timing.params.is_empty(),
    }
}

fn is_condition(property: &Property) -> bool {
    property.words.first().is_some_and(|word| word.text == "while")
}

/// The phrases of a role.
const ROLE: [&str; 3] = ["of", "several", "while"];

/// The texts of a list of labels.
fn labels(list: &Expr) -> Vec<String> {
    match &list.kind {
        ExprKind::Text(text) => vec![text.clone()],
        ExprKind::List(items) => items.iter().flat_map(labels).collect(),
        _ => Vec::new(),
    }
}

impl Lowering<'_> {
    /// `interrupt T(args)`: the event, then its window.
    pub(crate) fn interrupt(&mut self, name: &Name, args: &[Arg], span: Span) {
        let Some((verb, opens)) = self.timing(name) else { return };
        let signature = self.c.symbols.signature(verb);
        let nodes = self.arguments(&name.text, &signature, args, span);
        let args = self.run_of(&signature, &nodes);
        self.body.emit(Op::Emit { verb, args, once: TextId::NONE });
        self.open_window(opens.window, args);
    }

    /// `interrupt for c in S: T(args)`: an event for each member, then one window for all of them. Without members nothing happens.
    pub(crate) fn interrupt_for(&mut self, (binder, set): (&Name, &Expr), name: &Name, args: &[Arg], span: Span) {
        let Some((verb, opens)) = self.timing(name) else { return };
        let Some(together) = opens.together else {
            return self.c.report(Diagnostic::error("E0295", name.span).with("name", &name.text));
        };
        let set = self.set_of_loop(binder, set);
        let (next, names) = (self.body.next, self.body.names.len());
        let told = self.body.register();
        let nothing = self.c.constant_node(Value::Undefined);
        self.body.emit(Op::Let { to: told, value: nothing });
        let list = self.body.register();
        // The register after the list holds the position in it.
        let _index = self.body.register();
        self.body.emit(Op::Iterate { list, set: set.node });
        let item = self.body.local(&binder.text, set.ty.member());
        let start = self.body.emit(Op::Next { list, item, end: LATER });
        let signature = self.c.symbols.signature(verb);
        let nodes = self.arguments(&name.text, &signature, args, span);
        let args = self.run_of(&signature, &nodes);
        self.body.emit(Op::NoteTold { args, told });
        self.body.emit(Op::Emit { verb, args, once: TextId::NONE });
        let back = self.body.emit(Op::Jump(LATER));
        self.body.patch(back, start);
        self.body.patch_here(start);
        self.body.names.truncate(names);
        let told = self.c.node(Node::Local(told));
        let condition = self.c.node(Node::Exists(told));
        let skip = self.body.emit(Op::JumpUnless { condition, to: LATER });
        let told = self.c.args(&[told]);
        self.open_window(together, told);
        self.body.patch_here(skip);
        self.body.next = next;
    }

    /// A timing by its name, with the procedures that open its windows.
    fn timing(&mut self, name: &Name) -> Option<(VerbId, Opens)> {
        let verb = self.c.symbols.verbs.find(&name.text);
        let opens = verb.and_then(|verb| self.c.symbols.timings.iter().copied().find(|opens| opens.timing == verb));
        if opens.is_none() {
            let known = self.c.symbols.timings.iter().filter_map(|opens| self.c.program.verbs.rows().get(opens.timing));
            let words: Vec<String> = known.map(|verb| verb.name.name.clone()).collect();
            self.c.unknown("timing", name, words.iter().map(String::as_str));
        }
        opens.map(|opens| (<VerbId as engine::ids::Id>::from_index(opens.timing), opens))
    }

    /// Calls the procedure that opens a window. The rules beside the statement are those of the event.
    fn open_window(&mut self, routine: RoutineId, args: ArgsId) {
        let cites = std::mem::take(&mut self.body.cites);
        self.body.emit(Op::Call { routine, args, result: Reg::NONE });
        self.body.cites = cites;
    }

    /// `watch C { } aborted { }`.
    pub(crate) fn watch(&mut self, condition: &Expr, body: &Block, aborted: &Block) {
        let could_ask = std::mem::replace(&mut self.body.can_ask, false);
        let condition = self.condition(condition);
        self.body.can_ask = could_ask;
        let begin = self.body.emit(Op::Watch { condition, aborted: LATER });
        let cites = std::mem::take(&mut self.body.cites);
        self.body.edges.push(Edge::Scope);
        self.open_block(body);
        self.body.edges.pop();
        self.emit_end(Op::ScopeEnd, body);
        let end = self.body.emit(Op::Jump(LATER));
        self.body.patch_here(begin);
        self.block(aborted);
        self.body.patch_here(end);
        self.body.cites = cites;
    }

    /// `during D(role: e) { }`.
    pub(crate) fn during(&mut self, name: &Name, args: &[Arg], body: &Block) {
        let duration = self.duration(name);
        let mut bound: Vec<(RoleId, NodeId)> = Vec::new();
        for arg in args {
            let Some(role) = &arg.name else {
                let words: Vec<String> = self.c.symbols.roles.words().map(str::to_owned).collect();
                let finding = Diagnostic::error("E0206", arg.value.span).with("argument", "").with("name", &name.text);
                self.c.report(finding.suggest("", words.iter().map(String::as_str)));
                continue;
            };
            let Some(id) = self.c.declared::<RoleId>("role", |symbols| &symbols.roles, role) else { continue };
            let want = self.c.program.roles.get(id).map_or(Ty::UNKNOWN, |role| Ty { of: role.of, set: role.several });
            let node = self.wanted(&arg.value, want);
            bound.push((id, node));
        }
        self.body.emit(Op::During { duration });
        let cites = std::mem::take(&mut self.body.cites);
        for (role, value) in bound {
            self.body.emit(Op::Bind { role, value });
        }
        self.body.edges.push(Edge::Scope);
        self.open_block(body);
        self.body.edges.pop();
        self.emit_end(Op::ScopeEnd, body);
        self.body.cites = cites;
    }

    /// The holder of a role.
    pub(crate) fn role(&mut self, id: RoleId) -> Option<crate::statements::body::Typed> {
        let role = self.c.program.roles.get(id)?;
        let ty = Ty { of: role.of, set: role.several };
        Some(self.typed(engine::program::Node::Role(id), ty))
    }
}
