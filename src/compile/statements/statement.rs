//! Compiles statements: assignments, choices, calls and simple statements. Loops, attempts and branches are in `control.rs`.

use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Edge, Returns, Typed};
use engine::ids::{MomentId, NodeId, StateId};
use engine::program::{Arithmetic, Members, Node, Op, StateDef, Type};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Block, Expr, ExprKind, MarkReach, Name, Stmt, StmtKind};

impl Lowering<'_> {
    /// Lowers a block. Its names end with it, and its registers become free.
    pub(crate) fn block(&mut self, block: &Block) {
        self.open_block(block);
        self.brace(block);
    }

    /// Lowers a block without the rules after its brace.
    pub(crate) fn open_block(&mut self, block: &Block) {
        let (names, next, labels) = (self.body.names.len(), self.body.next, self.body.labels.len());
        let edges = self.body.edges.len();
        let around = self.body.around;
        if !block.head.is_empty() {
            self.body.around = self.c.cites(&block.head);
            self.told_here(&block.head, Span { end: block.span.start + 1, ..block.span });
        }
        for statement in self.announced(&block.statements).iter() {
            self.statement(statement);
        }
        self.end_finals(edges);
        self.body.around = around;
        self.body.names.truncate(names);
        self.body.labels.truncate(labels);
        self.body.next = next;
        self.body.last_may = self.body.last_may.filter(|(_, declined)| declined.0 < next);
    }

    /// Lowers the body of a branch. If the body begins with an optional attempt, this attempt is a price. The rest of the body waits until
    /// the other branches have paid their prices.
    pub(crate) fn block_with_costs_first(&mut self, block: &Block) {
        let (names, next, labels) = (self.body.names.len(), self.body.next, self.body.labels.len());
        let edges = self.body.edges.len();
        let price = block.statements.first().filter(|first| is_optional_attempt(&first.kind));
        if let Some(price) = price {
            self.statement(price);
        }
        self.body.emit(engine::program::Op::Meet);
        for statement in self.announced(&block.statements).iter().skip(usize::from(price.is_some())) {
            self.statement(statement);
        }
        self.end_finals(edges);
        self.brace(block);
        self.body.names.truncate(names);
        self.body.labels.truncate(labels);
        self.body.next = next;
    }

    pub(crate) fn statement(&mut self, statement: &Stmt) {
        let cites = self.c.cites(&statement.cites);
        let around = if statement.cites.is_empty() { self.body.around } else { cites };
        let around = std::mem::replace(&mut self.body.around, around);
        let outer = (std::mem::replace(&mut self.body.cites, cites), std::mem::replace(&mut self.body.span, statement.span));
        let could_ask = std::mem::replace(&mut self.body.can_ask, true);
        self.kind(&statement.kind, statement.span);
        self.body.can_ask = could_ask;
        (self.body.cites, self.body.span) = outer;
        self.body.around = around;
    }

    fn kind(&mut self, kind: &StmtKind, span: Span) {
        match kind {
            StmtKind::Let(name, value) => self.let_name(name, value),
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::If(condition, then, otherwise) => self.if_statement(condition, then, otherwise.as_ref()),
            StmtKind::Loop(body) => self.loop_statement(body),
            StmtKind::Repeat(times, body) => self.repeat(times, body),
            StmtKind::For(binder, set, body) => self.for_statement(binder, set, body),
            StmtKind::Break => self.break_out(span),
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            StmtKind::Stop => self.stop(span),
            StmtKind::Label(name) => self.body.labels.push((name.text.clone(), self.body.here(), self.body.edges.len())),
            StmtKind::Restart(name) => self.restart(name),
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::ChooseMatch { name, of, args, label, by } => {
                self.choose_match((name, label.as_deref()), (of, args), by.as_ref(), span)
            }
            StmtKind::May(player, body, ask) => self.may(player, body, ask),
            StmtKind::Attempt(body, otherwise) => self.attempt(None, body, otherwise.as_ref()),
            StmtKind::AsFarAsPossible(body) => self.measured(body, true),
            StmtKind::Applies(condition) => self.applies(condition),
            StmtKind::SimultaneouslyFor { in_order, binder, set, body } => self.fork_for(*in_order, binder, set, body),
            StmtKind::Simultaneously(blocks) => self.fork(blocks),
            StmtKind::Judge(condition, body) => self.within_if(condition.as_ref(), (Edge::Judge, Op::Judge, Op::JudgeEnd), body),
            StmtKind::Veiled(condition, body) => self.within_if(condition.as_ref(), (Edge::Veil, Op::Veil, Op::VeilEnd), body),
            StmtKind::Finally(body) => self.finally(body),
            StmtKind::Atomically(body) => self.within(Edge::Hold, Op::Hold, Op::HoldEnd, body),
            StmtKind::Perform(ability) => {
                let ability = self.wanted(ability, Ty::ABILITY);
                self.body.emit(Op::PerformAbility(ability));
            }
            StmtKind::ActingAs(player, body) => self.acting_as(player, body),
            StmtKind::Call(name, args) => self.call(name, args, span),
            StmtKind::PutBy(body, moment) => self.put_by(body, moment.as_ref(), span),
            StmtKind::Lasting(duration, clauses) => self.lasting(duration, clauses),
            StmtKind::Emit(name, args, once) => self.emit_event(name, args, once.as_ref(), span),
            StmtKind::Mark(name, reach) => {
                self.c.marks.insert(name.text.clone());
                let name = self.c.text(&name.text);
                let op = match reach {
                    MarkReach::Game => Op::Mark(name),
                    MarkReach::Stretch => Op::MarkHere(name),
                    MarkReach::Copied(of) => {
                        self.c.since.push(of.clone());
                        Op::MarkFrom(name, self.c.text(&of.text))
                    }
                };
                self.body.emit(op);
            }
            StmtKind::Offer(offer) => self.offer(offer, engine::ids::Reg::NONE),
            StmtKind::Declare(name, offer) => self.declare(name, offer),
            StmtKind::Recheck(conditions, otherwise) => self.recheck(conditions, otherwise.as_ref(), span),
            StmtKind::Interrupt(name, args) => self.interrupt(name, args, span),
            StmtKind::InterruptFor { binder, set, timing, args } => self.interrupt_for((binder, set), timing, args, span),
            StmtKind::Watch(condition, body, aborted) => self.watch(condition, body, aborted),
            StmtKind::During(name, args, body) => self.during(name, args, body),
            StmtKind::ApplyRules => {
                let next = self.body.register();
                let zero = self.c.constant_node(engine::value::Value::Number(0));
                self.body.emit(Op::Let { to: next, value: zero });
                self.body.emit(Op::ApplyRules { next });
            }
            StmtKind::Hole(name) => self.c.report(Diagnostic::error("E0242", span).with("name", &name.text)),
        }
    }

    /// `let x = e`. If `e` is a zone that holds at most one card, the name stands for the card that lies there now.
    fn let_name(&mut self, name: &Name, value: &Expr) {
        let typed = self.expr(value, None);
        if typed.ty.set {
            let (ty, set) = (typed.ty, typed.node);
            // The value is already in the newest register and needs no second one.
            if let Some(Node::Local(reg)) = self.c.program.nodes.get(set).copied()
                && reg.0 + 1 == self.body.next
                && !self.body.names.iter().any(|(_, known)| matches!(known, Binding::Register(other, _) if *other == reg))
            {
                return self.body.bind(&name.text, Binding::Register(reg, ty));
            }
            // The result of an action keeps its mark: usually the result is one card.
            let one = matches!(self.c.program.nodes.get(set), Some(Node::Local(reg)) if !self.body.several.contains(reg));
            let to = self.body.taken_in(&name.text, ty, !one);
            self.body.emit(Op::LetSet { to, set });
            return;
        }
        let single = self.holds_at_most_one(typed);
        let value = self.one_or_undefined(typed);
        let to = self.body.local(&name.text, if single { Ty::CARD } else { typed.ty });
        if typed.ty == Ty::BOOL && !matches!(self.c.program.nodes.get(value), Some(Node::Local(_))) {
            self.body.truths.push(to);
        }
        self.body.emit(Op::Let { to, value });
    }

    fn assign(&mut self, place: &Expr, value: &Expr) {
        match &place.kind {
            ExprKind::Name(name) => self.assign_local(name, value),
            ExprKind::Field(of, name) => self.assign_state(of, name, value),
            _ => self.c.report(Diagnostic::error("E0213", place.span)),
        }
    }

    fn assign_local(&mut self, name: &Name, value: &Expr) {
        let Some(Binding::Register(to, ty)) = self.body.find(&name.text).cloned() else {
            let words: Vec<String> = self.body.names.iter().map(|(name, _)| name.clone()).collect();
            let finding = Diagnostic::error("E0212", name.span).with("name", &name.text);
            let state = self.c.symbols.states.id::<StateId>(&name.text).and_then(|id| self.c.program.states.get(id));
            if let Some((on_players, of_game)) = state.map(StateDef::held) {
                let holder = if of_game {
                    "game"
                } else if on_players {
                    "p"
                } else {
                    "c"
                };
                return self.c.report(finding.with("held", format!("{holder}.{}", name.text)));
            }
            return self.c.report(finding.with("fresh", &name.text).suggest(&name.text, words.iter().map(String::as_str)));
        };
        // A clause, a block put by and a branch have copies of the outer names, so an assignment would change only the copy.
        if to.0 < self.body.captured || to.0 < self.body.branched {
            return self.c.report(Diagnostic::error("E0362", name.span).with("name", &name.text));
        }
        let value = self.wanted_or_none(value, ty);
        self.body.emit(if ty.set { Op::LetSet { to, set: value } } else { Op::Let { to, value } });
    }

    fn assign_state(&mut self, of: &Expr, name: &Name, value: &Expr) {
        let Some(state) = self.c.symbols.states.id::<StateId>(&name.text) else {
            if self.c.symbols.fields.find(&name.text).is_some() {
                return self.c.report(Diagnostic::error("E0213", name.span));
            }
            let words: Vec<String> = self.c.symbols.states.words().map(str::to_owned).collect();
            return self.c.unknown("state", name, words.iter().map(String::as_str));
        };
        let (ty, members) = self.c.program.states.get(state).map_or((Type::Unknown, None), |def| (def.of, def.members));
        if let Some(members) = members {
            return self.assign_members((of, state, members), value);
        }
        let subject = self.holder_of(of, state);
        // A number and a flag always have a value.
        let value = match ty {
            Type::Number | Type::Bool => self.wanted(value, Ty::one(ty)),
            _ => self.wanted_or_none(value, Ty::one(ty)),
        };
        self.body.emit(Op::SetState { subject, state, value });
    }

    /// Assigns a set-valued state. Members are added and removed one by one. So other changes of the set in the same step also count.
    fn assign_members(&mut self, (of, state, members): (&Expr, StateId, Members), value: &Expr) {
        let next = self.body.next;
        let (holder, wanted, list, _index) = (self.body.register(), self.body.register(), self.body.register(), self.body.register());
        let item = self.body.register();
        let of_members = if members == Members::Players { Ty::PLAYER } else { Ty::CARD };
        let set = self.wanted_or_none(value, Ty::set(of_members.of));
        let owner = self.holder_of(of, state);
        self.body.emit(Op::Let { to: holder, value: owner });
        self.body.emit(Op::LetSet { to: wanted, set });
        let (owner, wanted) = (self.c.node(Node::Local(holder)), self.c.node(Node::Local(wanted)));
        let now = self.members(owner, state, members, value.span).node;
        let (leave, come) = (self.c.node(Node::Except(now, wanted)), self.c.node(Node::Except(wanted, now)));
        let set = self.c.node(Node::Union(leave, come));
        self.body.emit(Op::Hold);
        self.body.emit(Op::Iterate { list, set });
        let start = self.body.emit(Op::Next { list, item, end: Default::default() });
        let member = self.c.node(Node::Local(item));
        let (subject, player) = if members == Members::Players { (owner, member) } else { (member, owner) };
        let (number, bit) = (self.c.node(Node::State(subject, state)), self.c.node(Node::BitOf(player)));
        let (comes, less) = (self.c.node(Node::In(member, wanted)), self.c.node(Node::Negate(bit)));
        let either = self.c.args(&[bit, less]);
        let by = self.c.node(Node::If(comes, either));
        let value = self.c.node(Node::Arithmetic(Arithmetic::Add, number, by));
        self.body.emit(Op::SetState { subject, state, value });
        let back = self.body.emit(Op::Jump(Default::default()));
        self.body.patch(back, start);
        self.body.patch_here(start);
        self.body.emit(Op::HoldEnd);
        self.body.next = next;
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) {
        if self.crosses("return", 0, span) {
            return;
        }
        let wanted = match &self.body.returns {
            Returns::Routine(wanted) => Some(*wanted),
            Returns::Phase(_) => None,
        };
        let mut returned = match (value, wanted) {
            (Some(value), Some(Some(want))) => Typed { node: self.wanted_or_none(value, want), ty: want },
            (Some(value), Some(None)) => {
                let typed = self.expr(value, None);
                // Without a type, the routine gives the objects that it has changed.
                if typed.ty.of != Type::Unknown {
                    let got = typed.ty.describe(&self.c.program);
                    self.c.report(Diagnostic::error("E0296", value.span).with("got", got));
                }
                typed
            }
            (Some(value), None) => return self.c.report(Diagnostic::error("E0249", value.span)),
            (None, _) => Typed { node: NodeId::NONE, ty: Ty::UNKNOWN },
        };
        // The returned value is computed here, before the `finally` blocks.
        if value.is_some() && self.body.edges.iter().any(|edge| matches!(edge, Edge::Finally)) {
            let (to, value) = (self.body.register(), returned.node);
            self.body.emit(if returned.ty.set { Op::LetSet { to, set: value } } else { Op::Let { to, value } });
            returned.node = self.c.node(Node::Local(to));
        }
        self.leave(0);
        if wanted.is_some() {
            self.body.emit(Op::Return(returned.node));
            return;
        }
        let at = self.body.emit(Op::Jump(Default::default()));
        if let Returns::Phase(exits) = &mut self.body.returns {
            exits.push(at);
        }
    }

    pub(crate) fn stop(&mut self, span: Span) {
        if !self.crosses("stop", 0, span) {
            self.leave(0);
            self.body.emit(Op::Stop);
        }
    }

    /// Lowers one phase of the turn and gives the place of its end. The rules after the phase's brace are reported there, in whatever way
    /// the phase ends.
    pub(crate) fn phase(&mut self, body: &Block) -> usize {
        self.body.returns = Returns::Phase(Vec::new());
        self.open_block(body);
        let exits = std::mem::replace(&mut self.body.returns, Returns::Routine(None));
        if let Returns::Phase(exits) = exits {
            self.body.patch_all_here(&exits);
        }
        let over = self.body.here();
        self.brace(body);
        over
    }

    pub(crate) fn moment(&mut self, name: &Name) -> Option<MomentId> {
        self.c.declared("moment", |symbols| &symbols.moments, name)
    }
}

/// Whether a statement is `may p attempt { }`.
pub(crate) fn is_optional_attempt(kind: &StmtKind) -> bool {
    let StmtKind::May(_, block, _) = kind else { return false };
    matches!(block.statements.as_slice(), [only] if matches!(only.kind, StmtKind::Attempt(..)))
}
