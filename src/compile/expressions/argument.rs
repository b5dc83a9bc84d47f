//! Puts the arguments of a call in the order of the parameters: by position, by name, by default.

use crate::declarations::names::{ParamSignature, Signature};
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::Typed;
use engine::ids::{NodeId, ZoneId};
use engine::program::{Builtin, Node, Type};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span, nearest};
use lang::syntax::ast::{Arg, Expr, ExprKind};

impl Lowering<'_> {
    /// A node for each parameter. `NONE` for an optional parameter that is not given.
    pub(crate) fn arguments(&mut self, callee: &str, signature: &Signature, args: &[Arg], span: Span) -> Vec<NodeId> {
        let places = self.places(callee, signature, args, span);
        let mut nodes = Vec::with_capacity(places.len());
        for (param, given) in signature.params.iter().zip(places) {
            nodes.push(match given {
                Some(expr) if param.name == "at" && param.ty == Ty::BOOL && face_or_end(param, expr).is_none() => {
                    let zone = nodes.get(1).copied();
                    self.place_argument(zone, expr)
                }
                Some(expr) if param.name == "what" && callee == Builtin::Pick.name() => self.picked_from(expr),
                Some(expr) if param.name == "until" && matches!(callee, "reveal" | "look") => self.duration_argument(expr),
                Some(expr) => self.argument(param, expr),
                None => self.not_given(callee, param, span),
            });
        }
        nodes
    }

    /// The argument for each parameter.
    pub(crate) fn places<'a>(&mut self, callee: &str, signature: &Signature, args: &'a [Arg], span: Span) -> Vec<Option<&'a Expr>> {
        let mut places: Vec<Option<&Expr>> = vec![None; signature.params.len()];
        for (position, arg) in args.iter().enumerate() {
            let at = match &arg.name {
                None => Some(position),
                Some(name) => {
                    let at = signature.params.iter().position(|param| param.name == name.text);
                    if at.is_none() {
                        let finding = Diagnostic::error("E0206", name.span).with("argument", &name.text).with("name", callee);
                        let known: Vec<&str> = signature.params.iter().map(|param| param.name.as_str()).collect();
                        let finding = if known.is_empty() { finding } else { finding.with("known", known.join("`, `")) };
                        self.c.report(finding.suggest(&name.text, known));
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

    /// The set from which a random pick is made. The type of its members becomes the type of the result.
    fn picked_from(&mut self, expr: &Expr) -> NodeId {
        let from = self.set(expr, None);
        self.body.picked_from = Some(from.ty);
        from.node
    }

    /// `until: this_turn`: the number of a duration.
    fn duration_argument(&mut self, expr: &Expr) -> NodeId {
        let ExprKind::Name(name) = &expr.kind else {
            return self.wrong(Diagnostic::error("E0237", expr.span).with("what", "until")).node;
        };
        let duration = self.duration(name).map_or(Value::Undefined, |duration| Value::Number(i32::from(duration.0)));
        self.c.constant_node(duration)
    }

    /// `at: left`: a place in the zone that the card moves to.
    fn place_argument(&mut self, zone: Option<NodeId>, expr: &Expr) -> NodeId {
        let zone = match zone.and_then(|zone| self.c.program.nodes.get(zone)) {
            Some(Node::Zone(zone, _)) => self.c.program.zones.get(*zone),
            _ => None,
        };
        let places = zone.and_then(|zone| zone.places);
        if let (Some(zone), None) = (zone, places) {
            let name = zone.name.name.clone();
            return self.wrong(Diagnostic::error("E0271", expr.span).with("zone", name)).node;
        }
        let want = places.map(|places| Ty::one(Type::Enum(places)));
        let typed = self.expr(expr, want);
        match (want, typed.ty.of) {
            (Some(want), _) => self.fit(typed, want, expr.span),
            (None, Type::Enum(_) | Type::Unknown) => typed.node,
            (None, _) => {
                self.c.mismatch(expr.span, Ty::UNKNOWN, typed.ty);
                typed.node
            }
        }
    }

    fn not_given(&mut self, callee: &str, param: &ParamSignature, span: Span) -> NodeId {
        if let Some(default) = &param.default {
            // A default is lowered without the caller's names, because it does not know them.
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
        if let Some(meant) = self.misspelt_way(param, expr) {
            let ExprKind::Name(name) = &expr.kind else { return self.broken().node };
            let finding = Diagnostic::error("E0201", expr.span).with("what", "name").with("name", &name.text);
            return self.wrong(finding.with("nearest", meant)).node;
        }
        let typed = self.expr(expr, Some(param.ty));
        self.fit_argument(typed, param.ty, expr.span)
    }

    /// The word that was meant by an unknown name after `face:`, `at:` or `judged:`.
    fn misspelt_way(&self, param: &ParamSignature, expr: &Expr) -> Option<&'static str> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        let words: &[&str] = match param.name.as_str() {
            "face" => &["up", "down"],
            "at" => &["top", "bottom"],
            "judged" => &["at_once"],
            _ => return None,
        };
        let (symbols, word) = (&self.c.symbols, name.text.as_str());
        let known = self.body.find(word).is_some() || symbols.params.find(word).is_some() || symbols.readings.find(word).is_some();
        if known || param.ty != Ty::BOOL || crate::expressions::language::is_word(word) {
            None
        } else {
            nearest(word, words.iter().copied())
        }
    }

    /// `E0248`: the zones of all players stand where one zone is wanted.
    pub(crate) fn whose_zone(&mut self, zone: ZoneId, span: Span) {
        let zone = self.c.program.zones.get(zone).map(|zone| zone.name.name.clone()).unwrap_or_default();
        self.c.report(Diagnostic::error("E0248", span).with("zone", zone));
    }

    /// Makes an argument fit the type of a parameter, as [`Lowering::fit`] does, with two exceptions for zones and cards of the pool.
    fn fit_argument(&mut self, typed: Typed, want: Ty, span: Span) -> NodeId {
        if want == Ty::ZONE
            && let Some(Node::ZoneOfAll(zone)) = self.c.program.nodes.get(typed.node).copied()
        {
            self.whose_zone(zone, span);
            return typed.node;
        }
        // If the parameter is a card of the pool, a card in the game stands for its present pool card; a copy stands for the card that it
        // copies.
        if want == Ty::one(Type::CatalogueCard) && matches!(typed.ty.of, Type::Card | Type::Zone) {
            let card = self.fit(typed, Ty::CARD, span);
            return self.c.node(Node::CardOf(card));
        }
        self.fit(typed, want, span)
    }
}

/// `face: up`, `at: bottom`, `judged: at_once`: the words of these parameters as truths.
pub(crate) fn face_or_end(param: &ParamSignature, expr: &Expr) -> Option<bool> {
    let (Ty::BOOL, ExprKind::Name(name)) = (param.ty, &expr.kind) else { return None };
    match (param.name.as_str(), name.text.as_str()) {
        ("face", "up") | ("at", "bottom") | ("judged", "at_once") => Some(true),
        ("face", "down") | ("at", "top") => Some(false),
        _ => None,
    }
}
