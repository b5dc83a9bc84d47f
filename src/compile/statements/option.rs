//! Compiles options of players, and offers of options.
//!
//! An option is a verb whose parameters are its own, then the player who takes it. Its body begins with its condition, because an effect
//! may perform the option too. The option has not happened if the condition is false or if its attempt fails.

use crate::Compiler;
use crate::declarations::names::{ParamSignature, Signature};
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Body, Edge};
use engine::ids::{GroupId, Id, NodeId, OptionId, Pc, Reg, VerbId};
use engine::program::{AmountDef, Bases, ChoiceDef, MannerDef, NameDef, Node, Op, OptionDef, OptionParam, VerbDef};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Block, Cite, Expr, ExprKind, Name, Offer, OptionBody, OptionDecl, Param, Routine, TypeName};
use std::sync::Arc;

const LATER: Pc = Pc(u32::MAX);

impl Compiler {
    /// Declares the option: its name, groups and parameters.
    pub(crate) fn declare_option(&mut self, option: &OptionDecl, span: Span) {
        self.declare("action", &option.head, |symbols| &mut symbols.verbs);
        let mut params: Vec<ParamSignature> = option.params.iter().map(|param| self.option_parameter(param)).collect();
        let you = Expr { kind: ExprKind::Name(Name { text: "you".to_owned(), span: option.by.span }), span: option.by.span };
        let name = option.by.text.clone();
        params.push(ParamSignature { name, ty: Ty::PLAYER, default: Some(Arc::new(you)), optional: true });
        let signature = Signature { params, result: None };
        let groups = option.groups.iter().map(|group| self.group(group)).collect();
        let name = self.name_def(&option.head);
        let verb = VerbId::from_index(self.program.verbs.len());
        let params = Vec::new();
        let attempt = !matches!(option.body, OptionBody::Plain(_));
        let process = matches!(option.body, OptionBody::TwoParts(..)).then(|| self.reserve_routine(span));
        let names = option.params.iter().map(|param| &param.name).chain([&option.by]);
        let components = names.map(|name| self.text(&name.text)).collect();
        if process.is_some() {
            let typed = signature.params.iter().map(|param| (param.name.clone(), param.ty, verb));
            self.symbols.components.extend(typed);
        }
        let bases = Bases { sets: Vec::new(), apart: true, condition: NodeId::NONE };
        let def = OptionDef { verb, groups, called: Vec::new(), params, condition: NodeId::NONE, process, components, attempt, bases };
        let id = self.program.options.push(def);
        let body = self.reserve_routine(span);
        let plain = VerbDef::declared(name, signature.names(), u8::try_from(option.params.len()).ok(), Some(body));
        let _: VerbId = self.program.verbs.push(VerbDef { option: Some(id), ..plain });
        self.symbols.verb_signatures.push(signature);
        self.map.verbs.push(span);
    }

    fn option_parameter(&mut self, param: &Param) -> ParamSignature {
        let signature = self.parameter(param);
        // A parameter of an option is one thing. If an option needs several things, its body must ask for them.
        if signature.ty.set || param.domain.is_none() && param.default.is_none() {
            self.report(Diagnostic::error("E0258", param.name.span).with("name", &param.name.text));
        }
        signature
    }

    /// The group of that name. The first option in a group declares the group.
    fn group(&mut self, name: &Name) -> GroupId {
        if let Some(known) = self.symbols.groups.id(&name.text) {
            return known;
        }
        // The name is new, so it cannot clash.
        let _ = self.symbols.groups.add(&name.text, None, name.span);
        let label = name.text.clone();
        self.program.groups.push(NameDef { name: name.text.clone(), label, cites: Default::default() })
    }

    /// Lowers the option: its domains, condition and body.
    pub(crate) fn lower_option(&mut self, verb: VerbId, option: &OptionDecl, span: Span) {
        let signature = self.symbols.signature(verb);
        let Some(def) = self.program.verbs.get(verb) else { return };
        let (Some(routine), Some(id)) = (def.body, def.option) else { return };
        let around = self.cites(&option.head.cites);
        let mut body = Body { span, around, ..Body::default() };
        let by = signature.params.len().saturating_sub(1);
        self.parameters(&mut body, &option.params, &signature);
        if body.find(&option.by.text).is_some() {
            self.report(Diagnostic::error("E0202", option.by.span).with("what", "parameter").with("name", &option.by.text));
        }
        body.local(&option.by.text, Ty::PLAYER);
        let parameters = body.next;
        let mut lowering = Lowering::new(self, body);
        let params = lowering.domains(option, &signature, by);
        let condition = option.condition.as_ref().map_or(NodeId::NONE, |condition| lowering.condition(condition));
        lowering.body.domains = option.params.iter().filter_map(|param| Some((param.name.text.clone(), param.domain.clone()?))).collect();
        let process = lowering.option_body(id, &option.body, condition);
        let body = lowering.body;
        let name = self.name_def(&option.head);
        self.finish_routine(routine, body, parameters, name.clone());
        let bases = self.bases(&params, condition);
        let label = |param: &Param| {
            let declared = self.symbols.choices.find(&param.name.text);
            declared.and_then(|at| self.symbols.choice_cites.get(at)).map_or_else(String::new, |(label, _)| label.clone())
        };
        let called = option.params.iter().map(label).collect();
        let reserved = self.program.options.get(id).and_then(|def| def.process);
        if let (Some((process, parameters)), Some(reserved)) = (process, reserved) {
            self.finish_routine(reserved, process, parameters, name);
        }
        if let Some(def) = self.program.options.get_mut(id) {
            (def.params, def.condition, def.bases) = (params, condition, bases);
            def.called = called;
        }
    }
}

impl Lowering<'_> {
    /// The domain of each parameter. Its expression sees the earlier parameters and the player.
    fn domains(&mut self, option: &OptionDecl, signature: &Signature, by: usize) -> Vec<OptionParam> {
        let all = self.body.names.clone();
        let mut params = Vec::with_capacity(by);
        for (at, (param, sign)) in option.params.iter().zip(&signature.params).enumerate() {
            self.body.names = all.iter().take(at).chain(all.last()).cloned().collect();
            params.push(match (&param.domain, &param.default) {
                (Some(domain), _) => OptionParam::In(self.domain(domain, sign.ty, &param.of)),
                (None, Some(default)) => OptionParam::Default(self.wanted(default, sign.ty)),
                // The missing domain was reported when the option was declared.
                (None, None) => OptionParam::Default(self.broken().node),
            });
        }
        self.body.names = all;
        params
    }

    fn domain(&mut self, domain: &Expr, of: Ty, named: &TypeName) -> NodeId {
        let set = self.set(domain, Some(Ty::set(of.of)));
        if set.ty.of != of.of && set.ty.of != Ty::UNKNOWN.of && of.of != Ty::UNKNOWN.of {
            self.c.mismatch(domain.span, Ty::set(of.of), set.ty);
        }
        self.cards_of_type(set.node, named, domain.span)
    }

    /// The members of a set that have the parameter's card type. In a game with one card type, these are all members.
    pub(crate) fn cards_of_type(&mut self, set: NodeId, named: &TypeName, span: Span) -> NodeId {
        let found = self.c.symbols.card_types.find(&named.name.text).filter(|_| self.c.program.card_types.len() > 1);
        let Some(of) = found.and_then(|of| u8::try_from(of).ok()) else { return set };
        let condition = self.under("it", Ty::CARD, span, |lowering| {
            let member = lowering.c.node(Node::Bound(lowering.body.depth - 1));
            lowering.c.node(Node::IsType(member, of))
        });
        self.c.node(Node::Where(set, condition))
    }

    /// Lowers the body. For an option in two parts, gives the second part and its number of parameters.
    fn option_body(&mut self, id: OptionId, body: &OptionBody, condition: NodeId) -> Option<(Body, u16)> {
        let unmet = (condition != NodeId::NONE).then(|| self.body.emit(Op::JumpUnless { condition, to: LATER }));
        let (mut gives, mut second) = (NodeId::NONE, None);
        let fails = match body {
            OptionBody::Plain(block) => {
                self.block(block);
                None
            }
            OptionBody::Attempt(block) => {
                let begin = self.body.emit(Op::Try { asked: None, otherwise: LATER });
                self.body.edges.push(Edge::Attempt);
                self.block(block);
                self.body.edges.pop();
                self.body.emit(Op::TryEnd);
                Some(begin)
            }
            OptionBody::TwoParts(declare, process) => {
                let begin = self.body.emit(Op::Try { asked: None, otherwise: LATER });
                self.body.edges.push(Edge::Attempt);
                let edges = self.body.edges.len();
                for statement in &declare.statements {
                    self.statement(statement);
                }
                self.end_finals(edges);
                self.brace(declare);
                self.body.edges.pop();
                gives = self.kept(id);
                second = Some(self.second_part(process));
                self.body.emit(Op::TryEnd);
                Some(begin)
            }
        };
        if unmet.is_none() && fails.is_none() {
            return second;
        }
        self.body.emit(Op::Return(gives));
        for jump in unmet.into_iter().chain(fails) {
            self.body.patch_here(jump);
        }
        self.body.emit(Op::Refuse);
        second
    }

    /// Lowers the body of a routine. An action with a condition begins with this condition, like an option: if the condition is false, the
    /// action has not happened.
    pub(crate) fn possible(&mut self, routine: &Routine) -> NodeId {
        let Some(condition) = &routine.condition else {
            self.block(&routine.body);
            return NodeId::NONE;
        };
        let condition = self.condition(condition);
        let unmet = self.body.emit(Op::JumpUnless { condition, to: LATER });
        self.block(&routine.body);
        self.body.emit(Op::Return(NodeId::NONE));
        self.body.patch_here(unmet);
        self.body.emit(Op::Refuse);
        condition
    }

    /// Everything that has a name in a declared option is kept: the arguments, the player, the answers.
    fn kept(&mut self, option: OptionId) -> NodeId {
        let registers: Vec<Reg> = self.components().map(|(_, reg, _)| reg).collect();
        let named = self.components().map(|(name, _, ty)| (name, ty)).collect();
        self.c.symbols.kept.push((option, named));
        let nodes: Vec<NodeId> = registers.into_iter().map(|reg| self.c.node(Node::Local(reg))).collect();
        let captures = self.c.args(&nodes);
        let to = self.body.register();
        self.body.emit(Op::Declare { option, captures, to });
        self.c.node(Node::Local(to))
    }

    fn components(&self) -> impl Iterator<Item = (String, Reg, Ty)> {
        let registers = self.body.names.iter().filter_map(|(name, binding)| match binding {
            Binding::Register(reg, ty) => Some((name.clone(), *reg, *ty)),
            _ => None,
        });
        registers.collect::<Vec<_>>().into_iter()
    }

    /// Lowers the part that processes a declared option. Its first registers hold the kept values.
    fn second_part(&mut self, process: &Block) -> (Body, u16) {
        let (span, around) = (self.body.span, self.body.around);
        let mut inner = Body { span, around, domains: self.body.domains.clone(), ..Body::default() };
        for (name, reg, ty) in self.components() {
            inner.taken_in(&name, ty, self.body.several.contains(&reg));
        }
        let parameters = inner.next;
        let outer = std::mem::replace(&mut self.body, inner);
        self.block(process);
        (std::mem::replace(&mut self.body, outer), parameters)
    }

    /// `declare x: offer …`: `x` is the declared option, or nothing after a pass.
    pub(crate) fn declare(&mut self, name: &Name, offer: &Offer) {
        let result = match self.body.find(&name.text) {
            Some(Binding::Register(reg, ty)) if *ty == Ty::ABILITY => *reg,
            _ => self.body.local(&name.text, Ty::ABILITY),
        };
        let nothing = self.c.constant_node(engine::value::Value::Undefined);
        self.body.emit(Op::Let { to: result, value: nothing });
        self.offer(offer, result);
    }

    /// `recheck a, b else { }`: if a condition has become false, the processing ends. What was done so far stays.
    pub(crate) fn recheck(&mut self, conditions: &[Expr], otherwise: Option<&Block>, span: Span) {
        let mut fails = Vec::with_capacity(conditions.len());
        for condition in conditions {
            let condition = self.condition(condition);
            fails.push(self.body.emit(Op::JumpUnless { condition, to: LATER }));
        }
        let end = self.body.emit(Op::Jump(LATER));
        self.body.patch_all_here(&fails);
        if let Some(block) = otherwise {
            self.block(block);
        }
        self.stop(span);
        self.body.patch_here(end);
    }

    /// `still(x)`: whether x has not become a new object. For an argument of an option: also whether the argument is still in its domain.
    pub(crate) fn still(&mut self, of: &Expr) -> crate::statements::body::Typed {
        let typed = self.expr(of, None);
        let node = self.one_or_undefined(typed);
        let still = self.c.node(Node::Still(node));
        let domain = match &of.kind {
            // A function's parameter of the same name is not the option's argument.
            ExprKind::Name(name) if matches!(self.body.find(&name.text), Some(Binding::Register(..))) => {
                self.body.domains.iter().find(|(param, _)| *param == name.text).map(|(_, domain)| domain.clone())
            }
            _ => None,
        };
        let Some(domain) = domain else { return crate::statements::body::Typed { node: still, ty: Ty::BOOL } };
        let set = self.set(&domain, None);
        let within = self.c.node(Node::In(node, set.node));
        crate::statements::body::Typed { node: self.c.and(still, within), ty: Ty::BOOL }
    }

    /// `offer p from GROUP, GROUP or pass secretly { acted { } passed { } }`.
    pub(crate) fn offer(&mut self, offer: &Offer, result: Reg) {
        let by = self.wanted(&offer.player, Ty::PLAYER);
        let nodes: Vec<NodeId> = offer.from.iter().map(|from| self.wanted(from, Ty::OPTIONS)).collect();
        let name = match offer.from.first().map(|from| &from.kind) {
            Some(ExprKind::Name(name)) if self.c.symbols.groups.find(&name.text).is_some() => name.text.as_str(),
            // The group is known only when the offer is made.
            _ => "act",
        };
        let name = self.asking(name, offer.label.as_deref(), None);
        let may_pass = offer.or_pass || offer.passed.is_some();
        let cites = self.declared_cites(&name.name);
        let one = ChoiceDef::one(name, cites, by);
        let least = AmountDef::Fixed(u16::from(!may_pass));
        let manner = if offer.secretly { MannerDef::Secretly } else { MannerDef::Openly };
        let def = ChoiceDef { min: least, offer: true, or_none: may_pass, unseen: offer.secretly, manner, ..one };
        let choice = self.c.program.choices.push(def);
        let next = self.body.next;
        let taken = self.body.register();
        // The machine uses two more registers: one for the beginning of the offer's lists, one for the state of the frame.
        let (_mark, _stood) = (self.body.register(), self.body.register());
        let from = self.c.args(&nodes);
        let ask = self.body.emit(Op::Offer { choice, from, taken, passed: LATER });
        let cites = std::mem::take(&mut self.body.cites);
        self.body.emit(Op::Take { taken, result });
        let again = self.body.emit(Op::Taken { taken, result, again: LATER });
        self.body.patch(again, ask);
        if let Some(acted) = &offer.acted {
            self.arm(&offer.acted_cites, acted);
        }
        match &offer.passed {
            Some(passed) => {
                let end = self.body.emit(Op::Jump(LATER));
                self.body.patch_here(ask);
                self.arm(&offer.passed_cites, passed);
                self.body.patch_here(end);
            }
            None => self.body.patch_here(ask),
        }
        self.body.cites = cites;
        self.body.next = next;
    }

    /// An arm of an offer. Its rules are reported when the flow enters the arm.
    fn arm(&mut self, cites: &[Cite], block: &Block) {
        self.told_here(cites, self.body.span);
        self.block(block);
    }
}

/// The option of a verb. None if the verb is no option.
pub(crate) fn option_of(compiler: &Compiler, verb: VerbId) -> Option<OptionId> {
    compiler.program.verbs.get(verb).and_then(|verb| verb.option)
}
