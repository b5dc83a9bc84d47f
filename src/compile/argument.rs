//! Arguments of a call, put in the order of the parameters: by position, by name, by default.

use super::body::Typed;
use super::expression::Lowering;
use super::names::{ParamSignature, Signature};
use super::types::Ty;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::ids::NodeId;
use crate::engine::program::Node;
use crate::engine::value::Value;
use crate::syntax::ast::{Arg, Expr, ExprKind};

impl Lowering<'_> {
    /// A node for each parameter; `NONE` where an optional one is not given.
    pub(super) fn arguments(&mut self, callee: &str, signature: &Signature, args: &[Arg], span: Span) -> Vec<NodeId> {
        let places = self.places(callee, signature, args, span);
        let mut nodes = Vec::with_capacity(places.len());
        for (param, given) in signature.params.iter().zip(places) {
            nodes.push(match given {
                Some(expr) => self.argument(param, expr),
                None => self.not_given(callee, param, span),
            });
        }
        nodes
    }

    /// Which argument stands for which parameter.
    pub(super) fn places<'a>(&mut self, callee: &str, signature: &Signature, args: &'a [Arg], span: Span) -> Vec<Option<&'a Expr>> {
        let mut places: Vec<Option<&Expr>> = vec![None; signature.params.len()];
        for (position, arg) in args.iter().enumerate() {
            let at = match &arg.name {
                None => Some(position),
                Some(name) => {
                    let at = signature.params.iter().position(|param| param.name == name.text);
                    if at.is_none() {
                        let finding = Diagnostic::error("E0206", name.span).with("argument", &name.text).with("name", callee);
                        self.c.report(finding.suggest(&name.text, signature.params.iter().map(|param| param.name.as_str())));
                        continue;
                    }
                    at
                }
            };
            match at.and_then(|at| places.get_mut(at)) {
                Some(place @ None) => *place = Some(&arg.value),
                Some(Some(_)) => {
                    let param = at.and_then(|at| signature.params.get(at)).map_or("", |param| param.name.as_str());
                    self.c.report(Diagnostic::error("E0207", arg.value.span).with("argument", param).with("name", callee));
                }
                None => {
                    self.wrong_count(callee, signature.params.len(), args.len(), span);
                    return places;
                }
            }
        }
        places
    }

    fn not_given(&mut self, callee: &str, param: &ParamSignature, span: Span) -> NodeId {
        if let Some(default) = &param.default {
            // A default is read in the callee's sight: it knows none of the caller's names.
            let names = std::mem::take(&mut self.body.names);
            let node = self.wanted(default, param.ty);
            self.body.names = names;
            return node;
        }
        if !param.optional {
            self.c.report(Diagnostic::error("E0247", span).with("argument", &param.name).with("name", callee));
        }
        NodeId::NONE
    }

    fn argument(&mut self, param: &ParamSignature, expr: &Expr) -> NodeId {
        if let Some(truth) = face_or_end(param, expr) {
            return self.c.constant_node(Value::Bool(truth));
        }
        let typed = self.expr(expr, Some(param.ty));
        self.fit_argument(typed, param.ty, expr.span)
    }

    /// As [`Lowering::fit`]; where cards are wanted a zone stays a zone.
    fn fit_argument(&mut self, typed: Typed, want: Ty, span: Span) -> NodeId {
        if want == Ty::ZONE
            && let Some(Node::ZoneOfAll(zone)) = self.c.program.nodes.get(typed.node).copied()
        {
            let zone = self.c.program.zones.get(zone).map(|zone| zone.name.name.clone()).unwrap_or_default();
            self.c.report(Diagnostic::error("E0248", span).with("zone", zone));
            return typed.node;
        }
        self.fit(typed, want, span)
    }
}

/// `face: up`, `at: bottom`: the words of these parameters, as the machine has them.
pub(super) fn face_or_end(param: &ParamSignature, expr: &Expr) -> Option<bool> {
    let (Ty::BOOL, ExprKind::Name(name)) = (param.ty, &expr.kind) else { return None };
    match (param.name.as_str(), name.text.as_str()) {
        ("face", "up") | ("at", "bottom") => Some(true),
        ("face", "down") | ("at", "top") => Some(false),
        _ => None,
    }
}
