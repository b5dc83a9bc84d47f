//! Compiles matches of requirements and units. A match is lowered again wherever it is named, like a function.

use crate::Compiler;
use crate::declarations::names::Signature;
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Body, Typed};
use engine::ids::{Id, MatchId, NodeId};
use engine::program::{AmountDef, ChoiceDef, MatchDef, Node, Op, Program, Seen, Type, ZoneDef, children};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Arg, Expr, MatchDecl, MatchKind, Name};
use std::sync::Arc;

impl Compiler {
    /// Lowers a declaration once with its parameters in sight, to report its findings.
    pub(crate) fn match_decl(&mut self, decl: &MatchDecl) {
        let mut body = Body { span: decl.head.span, ..Body::default() };
        for param in &decl.params {
            let ty = self.type_of(&param.of);
            body.taken_in(&param.name.text, ty, ty.set);
        }
        Lowering::new(self, body).match_parts(decl);
    }
}

impl Lowering<'_> {
    /// The parts of a match with the names in sight, the type of its units, and the places of its lines of requirements and joining members.
    fn match_parts(&mut self, decl: &MatchDecl) -> (MatchDef, Ty, [Span; 2]) {
        // The rules and the place of the line of requirements, and those of the joining members.
        let mut told = [(decl.head.cites.clone(), Span::default()), (decl.head.cites.clone(), Span::default())];
        let mut units: Option<(&Name, Typed)> = None;
        let (mut needs, mut joins, mut left_over, mut spare) = (None, None, NodeId::NONE, NodeId::NONE);
        let mut joining: Option<(&Name, Ty)> = None;
        let mut cites = decl.head.cites.clone();
        let mut demands = None;
        for part in &decl.parts {
            if let MatchKind::Demands(name, of) = &part.kind {
                if demands.is_some() {
                    self.c.report(Diagnostic::error("E0321", part.span).with("name", &decl.head.name.text));
                }
                demands = Some((name, self.set(of, None)));
            }
        }
        for part in &decl.parts {
            cites.extend(part.cites.iter().cloned());
            match &part.kind {
                MatchKind::Units(name, of) if units.is_none() => units = Some((name, self.set(of, None))),
                MatchKind::Each { member, of, joins: is_join, unit, condition } => {
                    let Some((known, typed)) = units else {
                        self.c.report(Diagnostic::error("E0320", part.span).with("name", &decl.head.name.text));
                        continue;
                    };
                    if known.text != unit.text {
                        self.c.unknown("unit", unit, [known.text.as_str()]);
                    }
                    let (of, condition) = self.of_demand(demands, part.span, |lowering| {
                        let of = lowering.set(of, None);
                        let condition = lowering.under(&known.text, typed.ty.member(), condition.span, |lowering| {
                            lowering.under(&member.text, of.ty.member(), condition.span, |lowering| lowering.condition(condition))
                        });
                        (of, condition)
                    });
                    let place = if *is_join { &mut joins } else { &mut needs };
                    let [(needed, needs_line), (joined, joins_line)] = &mut told;
                    let (rules, line) = if *is_join { (joined, joins_line) } else { (needed, needs_line) };
                    rules.extend(part.cites.iter().cloned());
                    *line = part.span;
                    if place.replace((of.node, condition)).is_some() {
                        self.c.report(Diagnostic::error("E0321", part.span).with("name", &decl.head.name.text));
                    }
                    if *is_join {
                        joining = Some((member, of.ty.member()));
                    }
                }
                MatchKind::LeftOver(condition) => match joining {
                    Some((member, ty)) => {
                        let [_, (joined, _)] = &mut told;
                        joined.extend(part.cites.iter().cloned());
                        left_over = self.of_demand(demands, part.span, |lowering| {
                            lowering.under(&member.text, ty, condition.span, |lowering| lowering.condition(condition))
                        });
                    }
                    None => self.c.report(Diagnostic::error("E0320", part.span).with("name", &decl.head.name.text)),
                },
                MatchKind::Spare(unit, condition) => match units {
                    Some((known, typed)) if spare == NodeId::NONE => {
                        if known.text != unit.text {
                            self.c.unknown("unit", unit, [known.text.as_str()]);
                        }
                        spare = self.under(&known.text, typed.ty.member(), condition.span, |lowering| lowering.condition(condition));
                    }
                    found => {
                        let code = if found.is_none() { "E0320" } else { "E0321" };
                        self.c.report(Diagnostic::error(code, part.span).with("name", &decl.head.name.text));
                    }
                },
                MatchKind::Demands(..) => {}
                MatchKind::Units(..) => self.c.report(Diagnostic::error("E0321", part.span).with("name", &decl.head.name.text)),
            }
        }
        let (Some((_, units)), Some(needs)) = (units, needs) else {
            self.c.report(Diagnostic::error("E0320", decl.head.span).with("name", &decl.head.name.text));
            return (
                MatchDef {
                    units: NodeId::NONE,
                    demands: NodeId::NONE,
                    needs: (NodeId::NONE, NodeId::NONE),
                    joins,
                    left_over,
                    spare,
                    cites: Default::default(),
                    beside: Default::default(),
                },
                Ty::CARDS,
                Default::default(),
            );
        };
        let cites = self.c.cites(&cites);
        let [(needed, first), (joined, second)] = told;
        let beside = [self.c.cites(&needed), self.c.cites(&joined)];
        let demands = demands.map_or(NodeId::NONE, |(_, demands)| demands.node);
        (MatchDef { units: units.node, demands, needs, joins, left_over, spare, cites, beside }, units.ty, [first, second])
    }

    /// Lowers a line that is about each demand. Without demands nothing is bound around the line.
    fn of_demand<T>(&mut self, demands: Option<(&Name, Typed)>, span: Span, line: impl FnOnce(&mut Self) -> T) -> T {
        match demands {
            Some((name, of)) => self.under(&name.text, of.ty.member(), span, line),
            None => line(self),
        }
    }

    /// A match with arguments in the place of its parameters.
    fn matched(&mut self, of: &Name, args: &[Arg], span: Span) -> Option<(MatchId, Ty, Arc<MatchDecl>)> {
        let at = self.c.declared::<MatchId>("match", |symbols| &symbols.matches, of)?;
        let decl = self.c.symbols.match_decls.get(at.index()).cloned()?;
        if self.body.matching.contains(&at.index()) {
            self.c.report(Diagnostic::error("E0384", span).with("name", &of.text));
            return None;
        }
        let params = decl.params.iter().map(|param| self.c.parameter(param)).collect();
        let signature = Signature { params, result: None };
        let places: Vec<Option<Expr>> = self.places(&of.text, &signature, args, span).into_iter().map(|place| place.cloned()).collect();
        let caller = Arc::new(self.body.names.clone());
        let mut inside = Vec::with_capacity(places.len());
        for (param, given) in signature.params.iter().zip(places) {
            let expr = match (given, &param.default) {
                (Some(given), _) => {
                    self.wanted(&given, param.ty);
                    Arc::new(given)
                }
                (None, Some(default)) => Arc::clone(default),
                (None, None) => {
                    self.c.report(Diagnostic::error("E0247", span).with("argument", &param.name).with("name", &of.text));
                    return None;
                }
            };
            inside.push((param.name.clone(), Binding::Lazy(expr, Arc::clone(&caller), param.ty, self.body.inlining.len())));
        }
        let found = self.c.found.len();
        let outer = std::mem::replace(&mut self.body.names, inside);
        let could_ask = std::mem::replace(&mut self.body.can_ask, false);
        self.body.matching.push(at.index());
        let (def, ty, lines) = self.match_parts(&decl);
        self.body.matching.pop();
        self.body.can_ask = could_ask;
        self.body.names = outer;
        // The declaration has reported its findings. That it asks for itself is only seen here.
        let inside = self.c.found.split_off(found);
        self.c.found.extend(inside.into_iter().filter(|finding| finding.code == "E0384"));
        self.c.map.matches.push(lines);
        Some((self.c.program.matches.push(def), ty, decl))
    }

    /// `can payment(p, icons)`, if a match has that name.
    pub(crate) fn can_match(&mut self, name: &Name, args: &[Arg], span: Span) -> Option<Typed> {
        self.c.symbols.matches.find(&name.text)?;
        Some(match self.matched(name, args, span) {
            Some((of, ..)) => self.truth(Node::Matches(of)),
            None => self.broken(),
        })
    }

    /// `choose x: payment(p, icons) by p`: the requirements get their units one after the other.
    pub(crate) fn choose_match(
        &mut self,
        (name, label): (&Name, Option<&str>),
        (of, args): (&Name, &[Arg]),
        by: Option<&Expr>,
        span: Span,
    ) {
        let by = match by {
            Some(by) => self.wanted(by, Ty::PLAYER),
            None => self.c.node(Node::You),
        };
        let Some((matched, ty, decl)) = self.matched(of, args, span) else { return };
        let of_match = decl.head.label.as_ref().map(|label| label.text.clone());
        let cites = self.declared_cites(&name.text);
        let spares = self.c.program.matches.get(matched).is_some_and(|def| def.spare != NodeId::NONE);
        let ty = if ty.of == Type::Zone { Ty::CARDS } else { Ty::set(ty.of) };
        let name_of_choice = self.asking(&name.text, label, of_match.as_deref());
        let choice = ChoiceDef { single: !spares, of: ty.of, ..ChoiceDef::one(name_of_choice, cites, by) };
        // Whether there are spare units to ask for may hang on cards that other players do not see.
        let units = self.c.program.matches.get(matched).map_or(NodeId::NONE, |def| def.units);
        let unseen = spares && goes_through_hidden_zones(&self.c.program, units);
        let spare = spares.then(|| {
            let (min, max) = (AmountDef::Fixed(0), AmountDef::All);
            self.c.program.choices.push(ChoiceDef { spare: true, min, max, unseen, ..choice.clone() })
        });
        let choice = self.c.program.choices.push(ChoiceDef { with_spare: spares, ..choice });
        let taken = self.body.local(&name.text, ty);
        let picked = self.body.register();
        self.body.several.push(taken);
        let none = self.c.args(&[]);
        let none = self.c.node(Node::List(none));
        self.body.emit(Op::LetSet { to: taken, set: none });
        let again = self.body.emit(Op::Match { of: matched, choice, taken, picked, end: Default::default() });
        let mut one = self.c.node(Node::Local(picked));
        if !spares {
            let alone = self.c.args(&[one]);
            one = self.c.node(Node::List(alone));
        }
        let before = self.c.node(Node::Local(taken));
        let set = self.c.node(Node::Union(before, one));
        self.body.emit(Op::LetSet { to: taken, set });
        let back = self.body.emit(Op::Jump(Default::default()));
        self.body.patch(back, again);
        self.body.patch_here(again);
        if let Some(choice) = spare {
            let last = self.body.emit(Op::Match { of: matched, choice, taken, picked, end: Default::default() });
            self.body.emit(Op::LetSet { to: taken, set });
            self.body.patch_here(last);
        }
    }
}

/// Whether an expression goes through a zone whose cards some player does not see.
fn goes_through_hidden_zones(program: &Program, node: NodeId) -> bool {
    let hides = |zone: &ZoneDef| zone.seen != Seen::ByAll || zone.has_faces && zone.down != Seen::ByAll;
    let mut found = match program.nodes.get(node) {
        Some(Node::Zone(zone, _) | Node::ZoneOfAll(zone)) => program.zones.get(*zone).is_some_and(hides),
        _ => false,
    };
    if let Some(node) = program.nodes.get(node) {
        children(node, program, &mut |child| found |= goes_through_hidden_zones(program, child));
    }
    found
}
