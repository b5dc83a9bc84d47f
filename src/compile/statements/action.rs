//! Compiles calls that do something: builtin verbs, declared actions, procedures. A call is a statement, or is lifted out of an expression.

use crate::declarations::names::Signature;
use crate::expressions::expression::Lowering;
use crate::expressions::function::known_functions;
use crate::expressions::types::Ty;
use crate::statements::body::Typed;
use engine::ids::{ArgsId, DurationId, Id, NodeId, Reg, VerbId};
use engine::program::{Builtin, FaceWord, Node, Op, Type};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Arg, Expr, Name};

/// The parameter of a move that names the card's new controller. In the event, the card as it was takes this place.
const MOVED_UNDER: usize = 5;

/// Statements of the language that look like calls.
pub(crate) const SPECIAL: [&str; 17] = [
    "finish",
    "finish_drawn",
    "fail",
    "begin",
    "expire",
    "drop",
    "arrange",
    "proceed",
    "process",
    "end_phase",
    "end_turn",
    "announce",
    "ask",
    "fix",
    "pay",
    "spend",
    "count_use",
];

impl Lowering<'_> {
    /// A call as a statement.
    pub(crate) fn call(&mut self, name: &Name, args: &[Arg], span: Span) {
        match name.text.as_str() {
            "finish" | "finish_drawn" => self.finish(name, args, span),
            "expire" => self.expire(args, span),
            "fail" if self.is_free("fail") => {
                if !args.is_empty() {
                    self.wrong_count("fail", 0, args.len(), span);
                }
                self.body.emit(Op::Fail);
            }
            "begin" if self.c.symbols.verbs.find("begin").is_none() && self.c.symbols.procedures.find("begin").is_none() => {
                if let Some(duration) = self.only_duration("begin", args, span) {
                    self.body.emit(Op::Open { duration, open: true });
                }
            }
            "proceed" if !self.body.replaces.is_empty() => self.proceed(args, span),
            "drop" => {
                if let [arg] = args {
                    let set = self.set(&arg.value, Some(Ty::set(engine::program::Type::Ability)));
                    self.body.emit(Op::Drop(set.node));
                } else {
                    self.wrong_count("drop", 1, args.len(), span);
                }
            }
            "arrange" if self.is_free("arrange") => {
                if let [arg] = args {
                    let set = self.set(&arg.value, Some(Ty::set(engine::program::Type::Effect)));
                    let node = self.fit(set, Ty::set(engine::program::Type::Effect), span);
                    self.body.emit(Op::Arrange(node));
                } else {
                    self.wrong_count("arrange", 1, args.len(), span);
                }
            }
            "count_use" if self.is_free("count_use") => {
                if let [arg] = args {
                    let ability = self.wanted(&arg.value, Ty::ABILITY);
                    self.body.emit(Op::CountUse(ability));
                } else {
                    self.wrong_count("count_use", 1, args.len(), span);
                }
            }
            "move" if self.move_ability(args) => {}
            "announce" | "ask" | "fix" | "pay" | "spend" if self.is_free(&name.text) => match name.text.as_str() {
                "announce" => {
                    self.announce(args, span);
                }
                "ask" => self.ask(args, span),
                "fix" => self.fix(args, span),
                "pay" => self.pay(args, span),
                _ => self.spend(args, span),
            },
            "end_phase" | "end_turn" if args.is_empty() => {
                self.body.emit(Op::EndPhase { turn: name.text == "end_turn" });
            }
            "process" if self.c.symbols.procedures.find("process").is_none() && self.c.symbols.verbs.find("process").is_none() => {
                if let [arg] = args {
                    let ability = self.wanted(&arg.value, Ty::ABILITY);
                    self.body.emit(Op::PerformAbility(ability));
                } else {
                    self.wrong_count("process", 1, args.len(), span);
                }
            }
            _ => {
                self.perform(name, args, span, false);
            }
        }
    }

    /// Whether no declaration of the game has this name.
    fn is_free(&self, word: &str) -> bool {
        self.c.symbols.verbs.find(word).is_none() && self.c.symbols.procedures.find(word).is_none()
    }

    /// A performing call inside an expression. It is done before the statement; its value is the objects that it was done to.
    pub(crate) fn lift_call(&mut self, name: &Name, args: &[Arg], span: Span) -> Typed {
        if !self.body.can_ask || self.body.sometimes || self.body.depth > 0 {
            return self.wrong(Diagnostic::error("E0219", span));
        }
        match self.perform(name, args, span, true) {
            Some((reg, ty)) => self.typed(Node::Local(reg), ty),
            None => self.broken(),
        }
    }

    /// Performs a call. Gives the register and type of its result, if the result is wanted.
    fn perform(&mut self, name: &Name, args: &[Arg], span: Span, wanted: bool) -> Option<(Reg, Ty)> {
        let word = name.text.as_str();
        if let Some(verb) = self.c.symbols.verbs.id::<VerbId>(word) {
            let mut signature = self.c.symbols.signature(verb);
            if let (true, Some(was)) = (verb == Builtin::Move.verb(), signature.params.get_mut(MOVED_UNDER)) {
                *was = crate::declarations::names::ParamSignature {
                    name: "controller".to_owned(),
                    ty: Ty::PLAYER,
                    default: None,
                    optional: true,
                };
            }
            let label = self.c.program.verbs.get(verb).map_or_else(String::new, |def| def.name.label.clone());
            if self.c.symbols.timings.iter().any(|opens| opens.timing == verb.index()) {
                self.c.report(Diagnostic::error("E0260", name.span).with("name", word));
                return None;
            }
            let happens = Builtin::ALL.get(verb.index()).is_some_and(|builtin| builtin.happens());
            if happens || self.c.program.value_events.iter().any(|event| event.verb == verb) {
                self.c.report(Diagnostic::error("E0342", name.span).with("name", word));
                return None;
            }
            let laid = self.laid_to(&signature, args);
            let args = laid.as_ref().map_or(args, |(others, _)| others.as_slice());
            let nodes = self.call_arguments(&label, word, &signature, args, span);
            let result = if wanted { self.body.register() } else { Reg::NONE };
            self.demand(&nodes);
            let none_picked = self.unless_none_is_picked();
            let saved = laid.as_ref().map(|(_, by)| self.because(by));
            match Builtin::ALL.get(verb.index()) {
                Some(builtin) => self.builtin(*builtin, &nodes, result),
                None => {
                    let args = self.run_of(&signature, &nodes);
                    self.body.emit(Op::Perform { verb, args, result });
                }
            }
            if let Some(saved) = saved {
                self.because_end(saved);
            }
            if let Some(jump) = none_picked {
                self.body.patch_here(jump);
            }
            let of = self.body.picked_from.take().filter(|_| verb == Builtin::Pick.verb());
            if Builtin::ALL.get(verb.index()).is_none() {
                self.returns_several(result, signature.result);
            }
            return Some((result, of.or(signature.result).unwrap_or(Ty::CARDS)));
        }
        if let Some((routine, signature)) =
            self.c.symbols.procedures.find(word).and_then(|at| self.c.symbols.procedure_signatures.get(at).cloned())
        {
            let laid = self.laid_to(&signature, args);
            let args = laid.as_ref().map_or(args, |(others, _)| others.as_slice());
            let nodes = self.call_arguments(word, word, &signature, args, span);
            let args = self.run_of(&signature, &nodes);
            if wanted && signature.result.is_none() {
                self.c.report(Diagnostic::error("E0388", name.span).with("name", word));
                return None;
            }
            let result = if wanted { self.body.register() } else { Reg::NONE };
            let saved = laid.as_ref().map(|(_, by)| self.because(by));
            self.body.emit(Op::Call { routine, args, result });
            if let Some(saved) = saved {
                self.because_end(saved);
            }
            self.returns_several(result, signature.result);
            return Some((result, signature.result.unwrap_or(Ty::UNKNOWN)));
        }
        self.no_such_call(name);
        None
    }

    /// In a payment: if a part picks `any number` or `up to` a number of cards, picking none pays the part as well. This emits a jump
    /// around the part's action for that case.
    fn unless_none_is_picked(&mut self) -> Option<usize> {
        let picked = self.body.optional_picks.pop()?;
        self.body.optional_picks.clear();
        let picked = self.c.node(Node::Local(picked));
        let none = self.c.node(Node::IsEmpty(picked));
        let condition = self.c.node(Node::Not(none));
        Some(self.body.emit(Op::JumpUnless { condition, to: Default::default() }))
    }

    /// Notes that a result may hold several things, if the routine's head declares the result as a set.
    fn returns_several(&mut self, result: Reg, ty: Option<Ty>) {
        if result != Reg::NONE && ty.is_some_and(|ty| ty.set) {
            self.body.several.push(result);
        }
    }

    /// An action on `top 2 of Z` requires that Z has two cards.
    fn demand(&mut self, nodes: &[NodeId]) {
        for node in nodes {
            if let Some(Node::Ends(_, count, zone)) = self.c.program.nodes.get(*node).copied() {
                self.body.emit(Op::Demand { zone, count });
            }
        }
    }

    fn no_such_call(&mut self, name: &Name) {
        let symbols = &self.c.symbols;
        let known = known_functions().contains(&name.text.as_str());
        if known || symbols.functions.find(&name.text).is_some() || symbols.zones.find(&name.text).is_some() {
            self.c.report(Diagnostic::error("E0230", name.span).with("name", &name.text));
            return;
        }
        let words: Vec<String> = symbols.verbs.words().chain(symbols.procedures.words()).map(str::to_owned).collect();
        self.c.unknown("action or procedure", name, words.iter().map(String::as_str).chain(SPECIAL));
    }

    /// Lowers the arguments of a call. A pick inside an argument becomes a choice with the call's name.
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

    /// The arguments of a call as a list. Arguments that are sets are evaluated into registers before the call.
    pub(crate) fn run_of(&mut self, signature: &Signature, nodes: &[NodeId]) -> ArgsId {
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

    /// `move(top of Z, to)` as one operation.
    fn move_top(&self, nodes: &[NodeId], result: Reg) -> Option<Op> {
        let &[what, to, face, at, ..] = nodes else { return None };
        if at != NodeId::NONE || nodes.get(MOVED_UNDER).is_some_and(|under| *under != NodeId::NONE) {
            return None;
        }
        // A parameter that takes several cards wraps a single card into a list. This finds the card in the list.
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
                let won = self.expr(&arg.value, Some(Ty::PLAYER));
                if won.ty == Ty::set(Type::Player) {
                    self.body.emit(Op::FinishPlaces(won.node, NodeId::NONE));
                } else {
                    let player = self.fit(won, Ty::PLAYER, arg.value.span);
                    self.body.emit(Op::Finish(player));
                }
            }
            ("finish", [arg, by]) => {
                let players = self.wanted(&arg.value, Ty::set(Type::Player));
                let number = self.under("it", Ty::PLAYER, by.value.span, |lowering| lowering.wanted(&by.value, Ty::NUMBER));
                self.body.emit(Op::FinishPlaces(players, number));
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
        let Some(duration) = self.only_duration("expire", args, span) else { return };
        self.body.emit(Op::Expire(duration));
        if self.c.program.duration_kinds.get(usize::from(duration.0)) == Some(&engine::program::DurationKind::OnlyInside) {
            self.body.emit(Op::Open { duration, open: false });
        }
    }

    fn only_duration(&mut self, word: &str, args: &[Arg], span: Span) -> Option<DurationId> {
        let [Arg { value: Expr { kind: lang::syntax::ast::ExprKind::Name(name), .. }, .. }] = args else {
            self.wrong_count(word, 1, args.len(), span);
            return None;
        };
        self.duration(name)
    }

    /// `proceed(n: 0)`. Arguments are named, because each changes one argument of the original action.
    fn proceed(&mut self, args: &[Arg], span: Span) {
        let signatures: Vec<Signature> = self.body.replaces.iter().map(|verb| self.c.symbols.signature(*verb)).collect();
        let Some(first) = signatures.first().cloned() else { return };
        let mut nodes = vec![NodeId::NONE; first.params.len()];
        for arg in args {
            let Some(name) = &arg.name else {
                self.c.report(Diagnostic::error("E0284", span));
                return;
            };
            let at = first.params.iter().position(|param| param.name == name.text);
            let same = |signature: &Signature| at.is_some_and(|at| signature.params.get(at).is_some_and(|param| param.name == name.text));
            let place = at.filter(|_| signatures.iter().all(same)).and_then(|at| Some((at, first.params.get(at)?.ty)));
            let Some((at, ty)) = place else {
                let known: Vec<&str> = first.params.iter().map(|param| param.name.as_str()).collect();
                let finding = Diagnostic::error("E0206", name.span).with("argument", &name.text).with("name", "proceed");
                self.c.report(finding.suggest(&name.text, known));
                continue;
            };
            let value = self.wanted(&arg.value, ty);
            if let Some(slot) = nodes.get_mut(at) {
                *slot = value;
            }
        }
        let args = self.run_of(&first, &nodes);
        self.body.emit(Op::Proceed(args));
    }

    pub(crate) fn duration(&mut self, name: &Name) -> Option<DurationId> {
        if name.text == lang::syntax::AS_COPY {
            return self.c.as_copy();
        }
        self.c.declared("duration", |symbols| &symbols.durations, name)
    }

    /// `emit E(args)`.
    pub(crate) fn emit_event(&mut self, name: &Name, args: &[Arg], once: Option<&Name>, span: Span) {
        let Some(verb) = self.c.symbols.verbs.id::<VerbId>(&name.text) else { return self.no_such_call(name) };
        let signature = self.c.symbols.signature(verb);
        let laid = self.laid_to(&signature, args);
        let args = laid.as_ref().map_or(args, |(others, _)| others.as_slice());
        let nodes = self.arguments(&name.text, &signature, args, span);
        let args = self.run_of(&signature, &nodes);
        let once = once.map_or(engine::ids::TextId::NONE, |mark| {
            self.c.since.push(mark.clone());
            self.c.text(&mark.text)
        });
        let saved = laid.as_ref().map(|(_, by)| self.because(by));
        self.body.emit(Op::Emit { verb, args, once });
        if let Some(saved) = saved {
            self.because_end(saved);
        }
    }
}
