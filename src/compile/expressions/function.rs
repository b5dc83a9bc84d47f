//! Compiles calls inside expressions: zones of players, the language's own functions, declared functions (inlined), performing calls
//! (lifted).

use crate::analysis::mentions::FIXED;
use crate::declarations::names::Function;
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Typed};
use engine::ids::{NodeId, VerbId, ZoneId};
use engine::program::{Fold, Node, Type};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Arg, Expr, ExprKind, Name};
use std::sync::Arc;

/// The language's own functions with the number of their arguments.
const KNOWN: [(&str, usize); 31] = [
    ("opponent", 1),
    ("next", 1),
    ("opponents", 1),
    ("count", 1),
    ("abilities", 1),
    ("zone_of", 1),
    ("contains", 2),
    ("sees", 2),
    ("losing", 1),
    ("winning", 1),
    ("least", 2),
    ("greatest", 2),
    ("has_effect", 1),
    ("reaches", 1),
    ("attached", 1),
    ("now", 1),
    ("became", 1),
    ("decider", 1),
    ("owner", 1),
    ("still", 1),
    ("effects", 1),
    ("sum", 2),
    ("distinct", 2),
    ("sorted", 2),
    ("clockwise", 1),
    ("team", 1),
    ("partners", 1),
    ("length", 1),
    ("place", 1),
    ("usable", 1),
    (FIXED, 1),
];

/// The language's own functions, for suggestions.
pub(crate) fn known_functions() -> Vec<&'static str> {
    KNOWN.iter().map(|(known, _)| *known).chain(["announce", "due", "hear_again", "permitted", "range"]).collect()
}

/// The argument or default for a parameter of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
    Argument(&'a Expr),
    Default(&'a Expr),
}

impl Lowering<'_> {
    pub(crate) fn call_expr(&mut self, name: &Name, args: &[Arg], span: Span) -> Typed {
        // A function may measure a text, or look for a part of it. So a text that a function gets may be any text.
        let any_text = args.iter().any(|arg| matches!(arg.value.kind, ExprKind::Text(_)));
        let words = if any_text { self.c.unknown_words_from.take() } else { None };
        let called = self.called(name, args, span);
        self.c.unknown_words_from = self.c.unknown_words_from.or(words);
        called
    }

    fn called(&mut self, name: &Name, args: &[Arg], span: Span) -> Typed {
        let word = name.text.as_str();
        if let Some(at) = self.c.symbols.functions.find(word)
            && let Some(function) = self.c.symbols.function_bodies.get(at).cloned()
        {
            return self.inline(at, &function, args, span);
        }
        if let Some(zone) = self.c.symbols.zones.id::<ZoneId>(word) {
            return self.zone_of_player(zone, name, args, span);
        }
        if let ("permitted", [only]) = (word, args) {
            return self.about(&only.value, Node::Permitted);
        }
        if self.c.symbols.verbs.find(word).is_some() || self.c.symbols.procedures.find(word).is_some() {
            return self.lift_call(name, args, span);
        }
        match word {
            "announce" if self.body.can_ask && !self.body.sometimes && self.body.depth == 0 => return self.announce(args, span),
            "hear_again" if self.body.can_ask && !self.body.sometimes && self.body.depth == 0 => return self.hear_again(args, span),
            "announce" | "hear_again" => return self.wrong(Diagnostic::error("E0219", span)),
            "still" if self.names_a_slot(args) => {
                let Some(arg) = args.first() else { return self.broken() };
                return self.still_of_slot(&arg.value);
            }
            "due" => return self.due(args, span),
            "range" => return self.range(args, span),
            _ => {}
        }
        if let Some((_, wanted)) = KNOWN.iter().find(|(known, _)| *known == word) {
            let by = word == "usable" && args.get(1).and_then(|arg| arg.name.as_ref()).is_some_and(|name| name.text == "by");
            if args.len() != *wanted + usize::from(by) {
                return self.wrong_count(word, *wanted, args.len(), span);
            }
            return self.known(word, args);
        }
        let words: Vec<String> = self.c.symbols.call_words().into_iter().map(str::to_owned).collect();
        self.c.unknown("function or zone", name, words.iter().map(String::as_str).chain(known_functions()));
        for arg in args {
            // The argument may have findings of its own.
            self.expr(&arg.value, None);
        }
        self.broken()
    }

    pub(crate) fn wrong_count(&mut self, name: &str, wanted: usize, got: usize, span: Span) -> Typed {
        self.wrong(Diagnostic::error("E0205", span).with("name", name).with("wanted", wanted).with("got", got))
    }

    /// `team(p)`, and `partners(p)`, which is the team without p.
    fn of_team(&mut self, word: &str, player: &Expr) -> Typed {
        self.c.teams_wanted(player.span);
        let me = self.wanted(player, Ty::PLAYER);
        let team = self.c.node(Node::Team(me));
        if word == "team" {
            return self.typed(Node::Team(me), Ty::set(Type::Player));
        }
        let one = self.c.args(&[me]);
        let me = self.c.node(Node::List(one));
        self.typed(Node::Except(team, me), Ty::set(Type::Player))
    }

    fn zone_of_player(&mut self, zone: ZoneId, name: &Name, args: &[Arg], span: Span) -> Typed {
        let each = self.c.program.zones.get(zone).is_some_and(|zone| zone.each_player);
        let wanted = usize::from(each);
        if args.len() != wanted {
            let finding = Diagnostic::error("E0205", span).with("name", &name.text).with("wanted", wanted).with("got", args.len());
            return self.wrong(if each { finding } else { finding.with("shared", &name.text) });
        }
        let player = match args.first() {
            Some(arg) => self.wanted(&arg.value, Ty::PLAYER),
            None => NodeId::NONE,
        };
        if self.c.program.zones.get(zone).is_some_and(|zone| zone.abilities) {
            return self.typed(Node::Waiting(zone, player), Ty::set(Type::Ability));
        }
        self.typed(Node::Zone(zone, player), Ty::ZONE)
    }

    fn known(&mut self, word: &str, args: &[Arg]) -> Typed {
        let (Some(first), second) = (args.first(), args.get(1)) else { return self.broken() };
        let a = &first.value;
        match word {
            "opponent" => self.opponent(a),
            "still" => self.still(a),
            "next" => self.of_one(a, Ty::PLAYER, Node::NextPlayer, Ty::PLAYER),
            "opponents" => self.of_one(a, Ty::PLAYER, Node::Opponents, Ty::set(Type::Player)),
            "team" | "partners" => self.of_team(word, a),
            "clockwise" => self.of_one(a, Ty::PLAYER, Node::Clockwise, Ty::set(Type::Player)),
            "length" => self.of_one(a, Ty::TEXT, Node::Length, Ty::NUMBER),
            "count" => {
                let set = self.set(a, None);
                self.typed(Node::Count(set.node), Ty::NUMBER)
            }
            "abilities" => self.abilities_of_cards(a),
            "zone_of" => self.of_one(a, Ty::CARD, Node::ZoneOf, Ty::ZONE),
            "owner" => self.of_one(a, Ty::CARD, Node::Owner, Ty::PLAYER),
            "losing" => self.of_one(a, Ty::PLAYER, Node::Losing, Ty::BOOL),
            "winning" => self.of_one(a, Ty::PLAYER, Node::Winning, Ty::BOOL),
            "place" => self.of_one(a, Ty::PLAYER, Node::PlaceOf, Ty::NUMBER),
            "attached" => self.of_one(a, Ty::CARD, Node::Attached, Ty::CARDS),
            "usable" => self.usable(a, second),
            "now" => self.of_one(a, Ty::CARD, Node::Now, Ty::CARD),
            "became" => self.of_one(a, Ty::CARD, Node::Became, Ty::CARD),
            "decider" => self.of_one(a, Ty::PLAYER, Node::Decider, Ty::PLAYER),
            "effects" => {
                let typed = self.expr(a, None);
                let of = if typed.ty == Ty::PLAYER { typed.node } else { self.fit(typed, Ty::CARD, a.span) };
                self.typed(Node::EffectsOn(of), Ty::set(Type::Effect))
            }
            FIXED => self.fixed(a),
            "reaches" => self.of_one(a, Ty::CARD, Node::Reaches, Ty::BOOL),
            "has_effect" => self.of_one(a, Ty::CARD, Node::HasEffect, Ty::BOOL),
            _ => {
                let Some(b) = second.map(|arg| &arg.value) else { return self.broken() };
                match word {
                    "sum" => self.fold(Fold::Sum, None, a, b),
                    "least" => self.fold(Fold::Least, Some(Node::Least), a, b),
                    "greatest" => self.fold(Fold::Greatest, Some(Node::Greatest), a, b),
                    "distinct" => {
                        let (set, value) = self.of_each(a, b, None);
                        self.typed(Node::Distinct(set.node, value.node), Ty::set(value.ty.of))
                    }
                    "sorted" => {
                        let (set, number) = self.of_each(a, b, Some(Ty::NUMBER));
                        self.typed(Node::Sorted(set.node, number.node), set.ty)
                    }
                    "sees" => self.of_two((a, Ty::PLAYER), (b, Ty::CARD), Node::Sees, Ty::BOOL),
                    _ => self.of_two((a, Ty::TEXT), (b, Ty::TEXT), Node::TextContains, Ty::BOOL),
                }
            }
        }
    }

    /// A number over the members of a set: `sum(S, e)`, `least(S, e)`, `greatest(S, e)`. `two`: the meaning of the word for two numbers.
    fn fold(&mut self, fold: Fold, two: Option<fn(NodeId, NodeId) -> Node>, a: &Expr, b: &Expr) -> Typed {
        let first = if matches!(a.kind, ExprKind::Happened(..)) { self.set(a, None) } else { self.expr(a, None) };
        if let Some(two) = two.filter(|_| !first.ty.set && first.ty != Ty::ZONE) {
            let (first, second) = (self.fit(first, Ty::NUMBER, a.span), self.wanted(b, Ty::NUMBER));
            return self.typed(two(first, second), Ty::NUMBER);
        }
        let set = self.as_set(first, a.span);
        let number = self.about_each(set, b, Some(Ty::NUMBER));
        self.typed(Node::Fold(fold, set.node, number.node), Ty::NUMBER)
    }

    /// Lowers a set, and an expression about each member of the set.
    fn of_each(&mut self, set: &Expr, of: &Expr, want: Option<Ty>) -> (Typed, Typed) {
        let set = self.set(set, None);
        (set, self.about_each(set, of, want))
    }

    /// An expression about each member of a set. The member is `it`.
    fn about_each(&mut self, set: Typed, of: &Expr, want: Option<Ty>) -> Typed {
        self.under("it", set.ty.member(), of.span, |lowering| match want {
            Some(want) => lowering.wanted_typed(of, want),
            None => {
                let typed = lowering.expr(of, None);
                Typed { node: lowering.one_or_undefined(typed), ty: typed.ty }
            }
        })
    }

    fn opponent(&mut self, of: &Expr) -> Typed {
        if self.c.program.players != 2 {
            return self.wrong(Diagnostic::error("E0232", of.span).with("players", self.c.program.players));
        }
        self.of_one(of, Ty::PLAYER, Node::Opponent, Ty::PLAYER)
    }

    /// `usable(a)`, `usable(a, by: p)`.
    fn usable(&mut self, ability: &Expr, by: Option<&Arg>) -> Typed {
        let ability = self.wanted(ability, Ty::ABILITY);
        let by = by.map_or(NodeId::NONE, |by| self.wanted(&by.value, Ty::PLAYER));
        self.typed(Node::Usable(ability, by), Ty::BOOL)
    }

    fn of_one(&mut self, a: &Expr, want: Ty, make: fn(NodeId) -> Node, ty: Ty) -> Typed {
        let a = self.wanted(a, want);
        self.typed(make(a), ty)
    }

    /// `abilities(x)`: of one card, or of all cards of a set.
    fn abilities_of_cards(&mut self, of: &Expr) -> Typed {
        let typed = self.expr(of, Some(Ty::CARD));
        let several = (typed.ty == Ty::CARDS || typed.ty == Ty::ZONE) && !self.is_one_card(typed);
        let node = if several { Node::AbilitiesOfAll(typed.node) } else { Node::Abilities(self.fit(typed, Ty::CARD, of.span)) };
        self.typed(node, Ty::set(Type::Ability))
    }

    fn of_two(&mut self, a: (&Expr, Ty), b: (&Expr, Ty), make: fn(NodeId, NodeId) -> Node, ty: Ty) -> Typed {
        let (a, b) = (self.wanted(a.0, a.1), self.wanted(b.0, b.1));
        self.typed(make(a, b), ty)
    }

    /// Inlines a function with its arguments.
    ///
    /// - A simple argument is put in directly.
    /// - Another single value is bound, so that it is evaluated once.
    /// - A set is lowered again wherever it is read, because a binder holds a single value.
    ///
    /// If the function gives a set, other code looks for the conditions in the set. So arguments that can stand anywhere are put in
    /// directly too.
    fn inline(&mut self, at: usize, function: &Arc<Function>, args: &[Arg], span: Span) -> Typed {
        if self.body.inlining.contains(&at) {
            return self.wrong(Diagnostic::error("E0215", span).with("name", &function.name.text));
        }
        if self.c.grows_too_big(self.body.inlining.len(), span) {
            return self.broken();
        }
        let Some(given) = self.function_arguments(function, args, span) else { return self.broken() };
        let caller = Arc::new(self.body.names.clone());
        let mut inside = Vec::with_capacity(given.len());
        let mut bound: Vec<NodeId> = Vec::new();
        let depth = self.body.depth;
        let names_a_set = function.result.set || function.result.of == Type::Zone;
        for ((param, ty), arg) in function.params.iter().zip(&function.types).zip(given) {
            let (arg, sight) = match arg {
                Given::Argument(arg) => (arg, Arc::clone(&caller)),
                // A default is lowered without the caller's names, because the function does not know them.
                Given::Default(default) => (default, Arc::default()),
            };
            let binding = if ty.set {
                Binding::Lazy(Arc::new(arg.clone()), sight, *ty, self.body.inlining.len())
            } else {
                let outer = std::mem::replace(&mut self.body.names, sight.as_ref().clone());
                let node = self.wanted(arg, *ty);
                self.body.names = outer;
                if self.is_simple(node) || names_a_set && self.can_stand_anywhere(node) {
                    Binding::Node(Typed { node, ty: *ty })
                } else {
                    bound.push(node);
                    self.deeper(span);
                    Binding::Bound(self.body.depth - 1, *ty)
                }
            };
            inside.push((param.name.text.clone(), binding));
        }
        let outer = std::mem::replace(&mut self.body.names, inside);
        let could_ask = std::mem::replace(&mut self.body.can_ask, false);
        self.body.inlining.push(at);
        let mut body = self.wanted_or_none(&function.body, function.result);
        self.body.inlining.pop();
        if function.fact {
            body = self.fact(at, body);
        }
        self.body.can_ask = could_ask;
        self.body.names = outer;
        self.body.depth = depth;
        for value in bound.into_iter().rev() {
            body = self.c.node(Node::With { value, body });
        }
        Typed { node: body, ty: function.result }
    }

    /// A fact is true if its body is true or if some effect assumes it. Its arguments are the names in sight.
    fn fact(&mut self, at: usize, body: NodeId) -> NodeId {
        let names = self.body.names.clone();
        let mut args = Vec::with_capacity(names.len());
        for (_, binding) in names {
            args.push(match binding {
                Binding::Node(typed) => typed.node,
                Binding::Bound(depth, _) => self.c.node(Node::Bound(depth)),
                Binding::Register(reg, _) => self.c.node(Node::Local(reg)),
                Binding::Lazy(..) | Binding::Unfilled => NodeId::NONE,
            });
        }
        let args = self.c.args(&args);
        self.c.node(Node::Fact(engine::ids::FactId(at as u16), args, body))
    }

    fn is_simple(&self, node: NodeId) -> bool {
        let found = self.c.program.nodes.get(node);
        matches!(found, Some(Node::Const(_) | Node::Local(_) | Node::Bound(_) | Node::You | Node::This | Node::Turn))
    }

    /// Whether an expression binds nothing itself, so that it means the same under further binders.
    fn can_stand_anywhere(&self, node: NodeId) -> bool {
        let is = |node: NodeId| node == NodeId::NONE || self.can_stand_anywhere(node);
        match self.c.program.nodes.get(node).copied() {
            Some(Node::Field(of, _) | Node::Printed(of, _) | Node::State(of, _)) => is(of),
            Some(
                Node::Owner(of)
                | Node::Controller(of)
                | Node::Performer(of)
                | Node::Opponent(of)
                | Node::NextPlayer(of)
                | Node::Decider(of),
            ) => is(of),
            Some(Node::Host(of) | Node::Original(of) | Node::Now(of) | Node::Became(of) | Node::Source(of) | Node::ZoneOf(of)) => is(of),
            Some(Node::Zone(_, of) | Node::End(_, of) | Node::Only(of)) => is(of),
            Some(Node::Arithmetic(_, a, b)) => is(a) && is(b),
            _ => self.is_simple(node),
        }
    }

    /// The argument for each parameter, in the order of the parameters.
    pub(crate) fn function_arguments<'a>(&mut self, function: &'a Function, args: &'a [Arg], span: Span) -> Option<Vec<Given<'a>>> {
        let mut given: Vec<Option<&Expr>> = vec![None; function.params.len()];
        for (position, arg) in args.iter().enumerate() {
            let at = match &arg.name {
                None => Some(position),
                Some(name) => function.params.iter().position(|param| param.name.text == name.text),
            };
            match at.and_then(|at| given.get_mut(at)) {
                Some(place) => *place = Some(&arg.value),
                None => {
                    self.wrong_count(&function.name.text, function.params.len(), args.len(), span);
                    return None;
                }
            }
        }
        let defaults = function.params.iter().map(|param| param.default.as_ref().map(Given::Default));
        let given = given.into_iter().map(|given| given.map(Given::Argument));
        let all: Option<Vec<Given<'_>>> = given.zip(defaults).map(|(given, default)| given.or(default)).collect();
        if all.is_none() {
            self.wrong_count(&function.name.text, function.params.len(), args.len(), span);
        }
        all
    }

    /// `can VERB(args)`.
    pub(crate) fn can(&mut self, call: &Expr) -> Typed {
        self.about(call, Node::Can)
    }

    /// A truth about performing an action with these arguments.
    fn about(&mut self, call: &Expr, make: fn(VerbId, engine::ids::ArgsId) -> Node) -> Typed {
        let ExprKind::Call(name, args) = &call.kind else { return self.wrong(Diagnostic::error("E0246", call.span)) };
        if name.text == "pay" && self.c.symbols.verbs.find("pay").is_none() {
            return self.can_pay(args, call.span);
        }
        if let Some(matched) = self.can_match(name, args, call.span) {
            return matched;
        }
        let Some(verb) = self.c.declared::<VerbId>("action", |symbols| &symbols.verbs, name) else { return self.broken() };
        let mut signature = self.c.symbols.signature(verb);
        if crate::statements::option::option_of(self.c, verb).is_some() {
            // For an option: whether the player can take the option in any way. An argument that is not given may be any member of its
            // domain.
            for param in signature.params.iter_mut().filter(|param| param.default.is_none()) {
                param.optional = true;
            }
        }
        let nodes = self.arguments(&name.text, &signature, args, call.span);
        let run = self.c.args(&nodes);
        self.truth(make(verb, run))
    }
}

impl crate::Compiler {
    /// Keeps the verb's events in the history.
    pub(crate) fn record(&mut self, verb: VerbId) {
        if let Some(def) = self.program.verbs.get_mut(verb) {
            def.recorded = true;
        }
    }

    /// Notes that a clause waits for the verb.
    pub(crate) fn watch(&mut self, verb: VerbId) {
        if let Some(def) = self.program.verbs.get_mut(verb) {
            def.watched = true;
        }
    }
}
