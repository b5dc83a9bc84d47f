//! Compiles costs: lists of actions, each with an amount that prices change; paying; the amounts due.

use crate::Compiler;
use crate::declarations::policy_words::policy_words;
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Body, Typed};
use engine::ids::{NodeId, StateId, VerbId};
use engine::program::{
    ChangeKind, ClauseKind as Made, Fill, Node, Op, PartCall, PartDef, PartKey, PartOrder, PartTest, PriceChange, Prices,
};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Amount, Arg, Change, ChangeField, ChangeOp, Expr, ExprKind, Head, Name, Pick, PolicyEntry};

impl Compiler {
    /// Compiles a cost: its parts with their printed amounts, and the routine that pays the amounts due.
    pub(crate) fn cost(&mut self, body: Body, slots: usize, name: &Name, expr: &Expr) -> Fill {
        let one = [expr.clone()];
        let items = match &expr.kind {
            ExprKind::List(items) => items.as_slice(),
            _ => &one,
        };
        let (span, cites, names) = (body.span, body.cites, body.names.clone());
        let mut parts = Vec::with_capacity(items.len());
        let mut lowering = Lowering::new(self, Body { can_ask: false, ..body });
        for item in items {
            parts.extend(lowering.part(item));
        }
        let mut inner = Body { span, cites, names, can_ask: true, pays: true, ..Body::default() };
        (inner.next, inner.registers) = (slots as u16, slots as u16);
        inner.local(BY, Ty::PLAYER);
        let amounts: Vec<_> = (0..parts.len()).map(|at| inner.local(&amount_name(at), Ty::NUMBER)).collect();
        let parameters = inner.next;
        let name = Self::title(&name.text);
        let order = lowering.c.program.policies.prices.paid;
        let pay = lowering.nested(inner, parameters, name, |lowering| match order {
            _ if items.len() < 2 => lowering.pay_as_printed(items, &amounts),
            PartOrder::Printed => lowering.pay_as_printed(items, &amounts),
            PartOrder::Together => lowering.pay_together(items, &amounts, span),
            PartOrder::Chosen => lowering.pay_as_chosen(items, &amounts, span),
        });
        Fill::Cost { parts, pay }
    }

    /// `policy prices { order = [set, raise, lower]  at_least = 0  paid = at_once }`.
    pub(crate) fn prices(&mut self, head: &Head, values: &[PolicyEntry]) {
        const WORDS: [&str; 5] = ["set", "raise", "lower", "multiply", "floor"];
        let mut prices = Prices::default();
        let cites: Vec<_> = head.cites.iter().chain(values.iter().flat_map(|entry| &entry.cites)).cloned().collect();
        prices.cites = self.cites(&cites);
        for PolicyEntry { name, value, .. } in values {
            match (name.text.as_str(), &value.kind) {
                ("at_least", _) => prices.at_least = self.number_within(value, "at_least", i32::MIN, i32::MAX).unwrap_or(0),
                ("order", ExprKind::List(items)) => {
                    // Changes that `order` does not name come after the named ones, by age.
                    prices.ranks = [u8::MAX; 5];
                    for (rank, item) in items.iter().enumerate() {
                        if let Some(at) = self.policy_word(item, &WORDS)
                            && let Some(slot) = prices.ranks.get_mut(at)
                        {
                            *slot = rank as u8;
                        }
                    }
                }
                ("paid", _) => {
                    prices.paid = match self.policy_word(value, policy_words("prices", "paid")) {
                        Some(1) => PartOrder::Together,
                        Some(2) => PartOrder::Chosen,
                        _ => PartOrder::Printed,
                    }
                }
                ("order", _) => self.report(Diagnostic::error("E0237", value.span).with("what", "order")),
                _ => self.unknown("part of the policy", name, ["order", "at_least", "paid"]),
            }
        }
        self.program.policies.prices = prices;
    }

    /// `policy nothing { @1314.2 done = [discard] }`: verbs that count as done if there is nothing to do them to.
    pub(crate) fn done_with_nothing(&mut self, values: &[PolicyEntry]) {
        for PolicyEntry { name, value, cites } in values {
            let cites = self.cites(cites);
            if name.text != "done" {
                self.unknown("part of the policy", name, ["done"]);
                continue;
            }
            for name in self.names_of_policy(value, "done") {
                let verb = self.declared::<VerbId>("action", |symbols| &symbols.verbs, name);
                if let Some(def) = verb.and_then(|verb| self.program.verbs.get_mut(verb)) {
                    def.done_with_nothing = Some(cites);
                }
            }
        }
    }
}

/// The name, in a slot's routine, of the player who is asked. The blank keeps it from being written in a source.
pub(crate) const BY: &str = " by";

/// The name of a part's amount in the paying routine.
pub(crate) fn amount_name(at: usize) -> String {
    format!(" amount {at}")
}

/// The name of a member that might be picked for a part. The blank keeps it from being written in a source.
const PICKED: &str = " picked";

/// Where a part's call has its amount.
enum Number {
    Argument(usize),
    Pick(usize),
    Nowhere,
}

impl Lowering<'_> {
    /// A part of a cost.
    fn part(&mut self, item: &Expr) -> Option<PartDef> {
        let ExprKind::Call(name, args) = &item.kind else {
            self.c.report(Diagnostic::error("E0318", item.span));
            return None;
        };
        if name.text == "spend" && self.c.symbols.verbs.find("spend").is_none() {
            let (player, state, amount) = self.spending(args, item.span)?;
            return Some(PartDef { key: PartKey::Pool(state), amount, test: PartTest::Pool(player, state), call: None });
        }
        let verb = self.c.declared::<VerbId>("action", |symbols| &symbols.verbs, name)?;
        let key = PartKey::Verb(verb);
        match self.number_of(name, args) {
            Number::Argument(at) => {
                let amount = self.wanted(&args.get(at)?.value, Ty::NUMBER);
                let args = self.with_amount(name, args, 0);
                let item = Expr { kind: ExprKind::Call(name.clone(), args.clone()), span: item.span };
                let (test, call) = self.with_due(item.span, |lowering| lowering.part_test(&item, &args));
                Some(PartDef { key, amount, test, call })
            }
            Number::Pick(at) => {
                let ExprKind::Pick(pick) = args.get(at).map(|arg| &arg.value.kind)? else { return None };
                let Pick { amount: Amount::Exactly(amount), from, .. } = pick.as_ref() else { return None };
                let amount = self.wanted(amount, Ty::NUMBER);
                let (test, call) = self.with_due(item.span, |lowering| lowering.pickable(item, args, from));
                Some(PartDef { key, amount, test, call })
            }
            Number::Nowhere => {
                let amount = self.one();
                let (test, call) = self.with_due(item.span, |lowering| lowering.part_test(item, args));
                Some(PartDef { key, amount, test, call })
            }
        }
    }

    /// Lowers the test of a part. The amount due is bound.
    fn with_due<T>(&mut self, span: Span, test: impl FnOnce(&mut Self) -> T) -> T {
        self.under(&amount_name(0), Ty::NUMBER, span, test)
    }

    /// The test of a part, and the action with its arguments.
    fn part_test(&mut self, item: &Expr, args: &[Arg]) -> (PartTest, Option<PartCall>) {
        // A part that picks an exact number of cards can be paid only if enough cards can be picked.
        let picked = args.iter().find_map(|arg| if let ExprKind::Pick(pick) = &arg.value.kind { Some(pick) } else { None });
        if let Some(Pick { amount: Amount::Exactly(_), from, .. }) = picked.map(AsRef::as_ref) {
            return self.pickable(item, args, from);
        }
        if args.iter().any(|arg| matches!(arg.value.kind, ExprKind::Pick(_))) {
            return (PartTest::Holds(self.c.constant_node(Value::Bool(true))), None);
        }
        let can = self.can(item).node;
        let call = self.asked_about(can, false);
        let ExprKind::Call(name, _) = &item.kind else { return (PartTest::Holds(can), call) };
        let test = match self.set_already(name, args) {
            Some(already) => {
                let open = self.c.node(Node::Not(already));
                self.c.node(Node::And(can, open))
            }
            None => can,
        };
        (PartTest::Holds(test), call)
    }

    /// The action that a `can` asks about.
    fn asked_about(&self, can: NodeId, one_of_set: bool) -> Option<PartCall> {
        match self.c.program.nodes.get(can) {
            Some(Node::Can(verb, args)) => Some(PartCall { verb: *verb, args: *args, one_of_set }),
            _ => None,
        }
    }

    /// The test whether a part can be paid: how many members of the set can be picked, because nothing prevents the action on them.
    fn pickable(&mut self, item: &Expr, args: &[Arg], from: &Expr) -> (PartTest, Option<PartCall>) {
        let is_pick = |arg: &&Arg| matches!(arg.value.kind, ExprKind::Pick(_));
        let ExprKind::Call(name, _) = &item.kind else { return (PartTest::Count(self.set(from, None).node), None) };
        // If a part makes two picks, the test cannot know one pick while it tries the other. So only the members of the set are counted.
        if args.iter().filter(is_pick).count() != 1 {
            return (PartTest::Count(self.set(from, None).node), None);
        }
        let at = |kind: ExprKind| Expr { kind, span: from.span };
        let member = Name { text: PICKED.to_owned(), span: from.span };
        let with_member = args.iter().map(|arg| match &arg.value.kind {
            ExprKind::Pick(_) => Arg { name: arg.name.clone(), value: at(ExprKind::Name(member.clone())) },
            _ => arg.clone(),
        });
        let call = Expr { kind: ExprKind::Call(name.clone(), with_member.collect()), span: item.span };
        let condition = Box::new(at(ExprKind::Can(Box::new(call.clone()))));
        let pickable = at(ExprKind::Where { set: Box::new(from.clone()), binder: Some(member), condition });
        let set = self.set(&pickable, None);
        let can = self.under(PICKED, set.ty.member(), from.span, |lowering| lowering.can(&call).node);
        let one_of_set = matches!(self.number_of(name, args), Number::Pick(_));
        (PartTest::Count(set.node), self.asked_about(can, one_of_set))
    }

    /// Where a part's amount stands: in the first argument that is a number, or else in a pick.
    fn number_of(&self, name: &Name, args: &[Arg]) -> Number {
        let Some(verb) = self.c.symbols.verbs.id::<VerbId>(&name.text) else { return Number::Nowhere };
        let signature = self.c.symbols.signature(verb);
        let type_of = |(position, arg): (usize, &Arg)| {
            let param = match &arg.name {
                Some(name) => signature.params.iter().find(|param| param.name == name.text),
                None => signature.params.get(position),
            };
            param.map(|param| param.ty)
        };
        let mut numbered = args.iter().enumerate();
        if let Some((position, _)) = numbered.find(|(position, arg)| type_of((*position, arg)) == Some(Ty::NUMBER)) {
            return Number::Argument(position);
        }
        // If the action takes a single card, the number of the pick is no amount.
        let several = |(position, arg): (usize, &Arg)| {
            let picks = matches!(&arg.value.kind, ExprKind::Pick(pick) if matches!(pick.amount, Amount::Exactly(_)));
            picks && type_of((position, arg)).is_none_or(|ty| ty.set)
        };
        let picked = args.iter().enumerate().find(|(position, arg)| several((*position, arg)));
        picked.map_or(Number::Nowhere, |(position, _)| Number::Pick(position))
    }

    /// The arguments of a part with the amount due in the place of its number.
    pub(crate) fn with_amount(&mut self, name: &Name, args: &[Arg], at: usize) -> Vec<Arg> {
        let mut args = args.to_vec();
        let due = |span: Span| Expr { kind: ExprKind::Name(Name { text: amount_name(at), span }), span };
        let number = if name.text == "spend" && self.c.symbols.verbs.find("spend").is_none() {
            Number::Argument(1)
        } else {
            self.number_of(name, &args)
        };
        match number {
            Number::Argument(position) => {
                if let Some(arg) = args.get_mut(position) {
                    arg.value = due(arg.value.span);
                }
            }
            Number::Pick(position) => {
                if let Some(Arg { value: Expr { kind: ExprKind::Pick(pick), span }, .. }) = args.get_mut(position) {
                    pick.amount = Amount::Exactly(due(*span));
                }
            }
            Number::Nowhere => {}
        }
        args
    }

    /// `spend(p.POOL, n)`.
    fn spending(&mut self, args: &[Arg], span: Span) -> Option<(NodeId, StateId, NodeId)> {
        let [pool, amount] = args else {
            self.wrong_count("spend", 2, args.len(), span);
            return None;
        };
        let ExprKind::Field(player, name) = &pool.value.kind else {
            self.c.report(Diagnostic::error("E0319", pool.value.span));
            return None;
        };
        let whose = player;
        let state = self.c.declared::<StateId>("pool", |symbols| &symbols.states, name)?;
        let counts =
            self.c.program.states.get(state).is_some_and(|def| def.on_players && def.members.is_none() && Ty::one(def.of) == Ty::NUMBER);
        if !counts {
            self.c.report(Diagnostic::error("E0319", pool.value.span));
            return None;
        }
        let player = self.holder_of(whose, state);
        Some((player, state, self.wanted(&amount.value, Ty::NUMBER)))
    }

    pub(crate) fn spend(&mut self, args: &[Arg], span: Span) {
        if let Some((player, state, amount)) = self.spending(args, span) {
            self.body.emit(Op::Spend { player, state, amount });
        }
    }

    /// `fix(a.COST)`.
    pub(crate) fn fix(&mut self, args: &[Arg], span: Span) {
        let [arg] = args else {
            self.wrong_count("fix", 1, args.len(), span);
            return;
        };
        if let Some((ability, slot)) = self.slot_of_sort(&arg.value, true) {
            self.body.emit(Op::Fix { ability, slot });
        }
    }

    /// `pay(a.COST)`: pays all or nothing. Failing to pay fails a surrounding attempt, like any instruction.
    pub(crate) fn pay(&mut self, args: &[Arg], span: Span) {
        let [arg] = args else {
            self.wrong_count("pay", 1, args.len(), span);
            return;
        };
        let Some((ability, slot)) = self.slot_of_sort(&arg.value, true) else { return };
        let begin = self.body.emit(Op::Try { asked: None, otherwise: Default::default() });
        self.body.emit(Op::Pay { ability, slot });
        self.body.emit(Op::TryEnd);
        let end = self.body.emit(Op::Jump(Default::default()));
        self.body.patch_here(begin);
        self.body.emit(Op::Fail);
        self.body.patch_here(end);
    }

    /// `can pay(a.COST)`, `can pay(a.COST, without: S)`.
    pub(crate) fn can_pay(&mut self, args: &[Arg], span: Span) -> Typed {
        let (arg, without) = match args {
            [arg] => (arg, None),
            [arg, without] if without.name.as_ref().is_some_and(|name| name.text == "without") => (arg, Some(&without.value)),
            _ => return self.wrong_count("pay", 1, args.len(), span),
        };
        let without = without.map_or(NodeId::NONE, |without| self.set(without, Some(Ty::CARDS)).node);
        match self.slot_of_sort(&arg.value, true) {
            Some((ability, slot)) => self.truth(Node::Payable(ability, slot, without)),
            None => self.broken(),
        }
    }

    /// `due(a.COST, ep)`: how much of a part is due.
    pub(crate) fn due(&mut self, args: &[Arg], span: Span) -> Typed {
        let [cost, part] = args else { return self.wrong_count("due", 2, args.len(), span) };
        let Some((ability, slot)) = self.slot_of_sort(&cost.value, true) else { return self.broken() };
        let ExprKind::Name(name) = &part.value.kind else {
            return self.wrong(Diagnostic::error("E0237", part.value.span).with("what", "due"));
        };
        match self.part_key(name) {
            Some(key) => self.typed(Node::Due(ability, slot, key), Ty::NUMBER),
            None => self.broken(),
        }
    }

    /// The thing that a price names: a pool, else an action.
    fn part_key(&mut self, name: &Name) -> Option<PartKey> {
        if let Some(state) = self.c.symbols.states.id::<StateId>(&name.text) {
            return Some(PartKey::Pool(state));
        }
        self.c.declared::<VerbId>("pool or action", |symbols| &symbols.verbs, name).map(PartKey::Verb)
    }

    /// `price of X { ep + 1 }`.
    pub(crate) fn price(&mut self, what: &Expr, changes: &[Change]) -> Made {
        let what = self.set(what, None);
        let changes = changes.iter().filter_map(|change| {
            let ChangeField::Named(name) = &change.field else {
                self.c.report(Diagnostic::error("E0242", change.span).with("name", "$"));
                return None;
            };
            let key = self.part_key(name)?;
            let op = match change.op {
                ChangeOp::Set | ChangeOp::SetPrinted => ChangeKind::Set,
                ChangeOp::Add | ChangeOp::AddPrinted => ChangeKind::Add,
                ChangeOp::Subtract => ChangeKind::Subtract,
                ChangeOp::Multiply => ChangeKind::Multiply,
                ChangeOp::Divide => ChangeKind::Divide,
                ChangeOp::Floor => ChangeKind::Floor,
            };
            Some(PriceChange { key, op, value: self.wanted(&change.value, Ty::NUMBER) })
        });
        let changes = changes.collect();
        Made::Price { what: what.node, changes }
    }
}
