//! Calls that do something: builtin verbs, declared actions, procedures; as statements, or lifted out of an expression.

use super::body::Typed;
use super::expression::Lowering;
use super::names::Signature;
use super::types::Ty;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::ids::{ArgsId, DurationId, Id, NodeId, Reg, VerbId};
use crate::engine::program::{Builtin, FaceWord, Node, Op};
use crate::engine::value::Value;
use crate::syntax::ast::{Arg, Expr, Name};

impl Lowering<'_> {
    /// A call as a statement.
    pub(super) fn call(&mut self, name: &Name, args: &[Arg], span: Span) {
        match name.text.as_str() {
            "finish" | "finish_drawn" => self.finish(name, args, span),
            "expire" => self.expire(args, span),
            "drop" => {
                if let [arg] = args {
                    let set = self.set(&arg.value, Some(Ty::set(crate::engine::program::Type::Ability)));
                    self.body.emit(Op::Drop(set.node));
                } else {
                    self.wrong_count("drop", 1, args.len(), span);
                }
            }
            _ => {
                self.perform(name, args, span, false);
            }
        }
    }

    /// A performing call inside an expression of a statement: done before it; what it was done to is the value.
    pub(super) fn lift_call(&mut self, name: &Name, args: &[Arg], span: Span) -> Typed {
        if !self.body.can_ask || self.body.depth > 0 {
            return self.wrong(Diagnostic::error("E0219", span));
        }
        match self.perform(name, args, span, true) {
            Some((reg, ty)) => self.typed(Node::Local(reg), ty),
            None => self.broken(),
        }
    }

    /// The register and type of the result, where one is wanted.
    fn perform(&mut self, name: &Name, args: &[Arg], span: Span, wanted: bool) -> Option<(Reg, Ty)> {
        let word = name.text.as_str();
        if let Some(verb) = self.c.symbols.verbs.id::<VerbId>(word) {
            let signature = self.c.symbols.signature(verb);
            let label = self.c.program.verbs.get(verb).map_or_else(String::new, |def| def.name.label.clone());
            let nodes = self.call_arguments(&label, word, &signature, args, span);
            let result = if wanted { self.body.register() } else { Reg::NONE };
            match Builtin::ALL.get(verb.index()) {
                Some(builtin) => self.builtin(*builtin, &nodes, result),
                None => {
                    let args = self.run_of(&signature, &nodes);
                    self.body.emit(Op::Perform { verb, args, result });
                }
            }
            return Some((result, signature.result.unwrap_or(Ty::CARDS)));
        }
        if let Some((routine, signature)) =
            self.c.symbols.procedures.find(word).and_then(|at| self.c.symbols.procedure_signatures.get(at).cloned())
        {
            let nodes = self.call_arguments(word, word, &signature, args, span);
            let args = self.run_of(&signature, &nodes);
            let result = if wanted { self.body.register() } else { Reg::NONE };
            self.body.emit(Op::Call { routine, args, result });
            return Some((result, signature.result.unwrap_or(Ty::UNKNOWN)));
        }
        self.no_such_call(name);
        None
    }

    fn no_such_call(&mut self, name: &Name) {
        let symbols = &self.c.symbols;
        if symbols.functions.find(&name.text).is_some() || symbols.zones.find(&name.text).is_some() {
            self.c.report(Diagnostic::error("E0230", name.span).with("name", &name.text));
            return;
        }
        let words: Vec<String> = symbols.verbs.words().chain(symbols.procedures.words()).map(str::to_owned).collect();
        let special = ["finish", "finish_drawn", "expire", "drop"];
        self.c.unknown("action or procedure", name, words.iter().map(String::as_str).chain(special));
    }

    /// The arguments, with picks inside them lifted in the call's name.
    fn call_arguments(&mut self, label: &str, callee: &str, signature: &Signature, args: &[Arg], span: Span) -> Vec<NodeId> {
        let types: Vec<Ty> = signature.params.iter().map(|param| param.ty).collect();
        let found = self.c.found.len();
        let places: Vec<Option<&Expr>> = self.places(callee, signature, args, span);
        self.c.found.truncate(found);
        let by = self.player_argument(&types, &places);
        let outer = self.body.asked_for.replace((callee.to_owned(), label.to_owned(), by));
        let nodes = self.arguments(callee, signature, args, span);
        self.body.asked_for = outer;
        nodes
    }

    /// Arguments that are sets are taken before the call, into registers.
    fn run_of(&mut self, signature: &Signature, nodes: &[NodeId]) -> ArgsId {
        let mut taken = Vec::with_capacity(nodes.len());
        for (param, node) in signature.params.iter().zip(nodes) {
            let local = matches!(self.c.program.nodes.get(*node), Some(Node::Local(_)) | None);
            if param.ty.set && !local {
                let to = self.body.register();
                self.body.emit(Op::LetSet { to, set: *node });
                taken.push(self.c.node(Node::Local(to)));
            } else {
                taken.push(*node);
            }
        }
        self.c.args(&taken)
    }

    fn builtin(&mut self, verb: Builtin, nodes: &[NodeId], result: Reg) {
        if verb == Builtin::Move
            && let Some(op) = self.move_top(nodes, result)
        {
            self.body.emit(op);
            return;
        }
        let args = self.c.args(nodes);
        self.body.emit(Op::Builtin { verb, args, result });
    }

    /// `move(top of Z, to)`, fused.
    fn move_top(&self, nodes: &[NodeId], result: Reg) -> Option<Op> {
        let &[what, to, face, at, _] = nodes else { return None };
        if at != NodeId::NONE {
            return None;
        }
        // One card where cards are wanted was wrapped into a list of one.
        let what = match self.c.program.nodes.get(what) {
            Some(Node::List(run)) => match self.c.program.args_of(*run) {
                [one] => *one,
                _ => return None,
            },
            _ => what,
        };
        let Some(Node::End(true, from)) = self.c.program.nodes.get(what).copied() else { return None };
        let face = match self.c.const_of(face) {
            Some(Value::Bool(true)) => FaceWord::Up,
            Some(Value::Bool(false)) => FaceWord::Down,
            _ if face == NodeId::NONE => FaceWord::AsZone,
            _ => return None,
        };
        Some(Op::MoveTop { from, to, face, result })
    }

    fn finish(&mut self, name: &Name, args: &[Arg], span: Span) {
        if !self.body.in_judgement {
            self.c.report(Diagnostic::error("E0221", span).with("name", &name.text));
            return;
        }
        match (name.text.as_str(), args) {
            ("finish", [arg]) => {
                let player = self.wanted(&arg.value, Ty::PLAYER);
                self.body.emit(Op::Finish(player));
            }
            ("finish_drawn", []) => {
                self.body.emit(Op::Finish(NodeId::NONE));
            }
            (word, _) => {
                self.wrong_count(word, usize::from(word == "finish"), args.len(), span);
            }
        }
    }

    fn expire(&mut self, args: &[Arg], span: Span) {
        let [Arg { value: Expr { kind: crate::syntax::ast::ExprKind::Name(name), .. }, .. }] = args else {
            self.wrong_count("expire", 1, args.len(), span);
            return;
        };
        if let Some(duration) = self.duration(name) {
            self.body.emit(Op::Expire(duration));
        }
    }

    pub(super) fn duration(&mut self, name: &Name) -> Option<DurationId> {
        let found = self.c.symbols.durations.id(&name.text);
        if found.is_none() {
            let words: Vec<String> = self.c.symbols.durations.words().map(str::to_owned).collect();
            self.c.unknown("duration", name, words.iter().map(String::as_str));
        }
        found
    }

    /// `emit E(args)`.
    pub(super) fn emit_event(&mut self, name: &Name, args: &[Arg], span: Span) {
        let Some(verb) = self.c.symbols.verbs.id::<VerbId>(&name.text) else { return self.no_such_call(name) };
        let signature = self.c.symbols.signature(verb);
        let nodes = self.arguments(&name.text, &signature, args, span);
        let args = self.run_of(&signature, &nodes);
        self.body.emit(Op::Emit { verb, args });
    }
}
