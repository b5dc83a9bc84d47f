//! Compiles control flow: branching, loops, attempts, simultaneous branches, and the edges that a jump may not cross.

use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Body, Edge, Typed};
use engine::ids::{ArgsId, ChoiceId, CitesId, NodeId, Pc, RoutineId};
use engine::program::{Node, Op};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{BinaryOp, Block, Cite, Expr, ExprKind, MayAsk, Name, Stmt, StmtKind};
use lang::syntax::visit::Visitor;

const LATER: Pc = Pc(u32::MAX);

impl Lowering<'_> {
    pub(crate) fn if_statement(&mut self, condition: &Expr, then: &Block, otherwise: Option<&Block>) {
        self.note_meaning(condition, then, otherwise);
        let condition = self.condition(condition);
        if let Some(Value::Bool(truth)) = self.c.const_of(condition) {
            return self.known_branch(truth, then, otherwise);
        }
        let skip = self.body.emit(Op::JumpUnless { condition, to: LATER });
        self.block(then);
        self.otherwise(skip, otherwise);
    }

    /// For `if 2 in mode { … }` after a choice of numbers: notes that the answer 2 means this block. A block after `else` is the meaning of
    /// the next number.
    fn note_meaning(&mut self, condition: &Expr, then: &Block, otherwise: Option<&Block>) {
        let (name, number) = match &condition.kind {
            ExprKind::Binary(number, BinaryOp::In, name) | ExprKind::Binary(name, BinaryOp::Equal, number) => (name, number),
            _ => return,
        };
        let (ExprKind::Name(name), ExprKind::Number(number)) = (&name.kind, &number.kind) else { return };
        let Some(choice) = self.asks_for_number(&name.text) else { return };
        let blocks = [(Some(then), *number), (otherwise, number.saturating_add(1))];
        for (block, number) in blocks {
            let span = block.and_then(|block| within(&block.statements));
            self.c.map.answers.extend(span.map(|span| (choice, number, span)));
        }
    }

    /// `applies if C`: reports the rules of the statement if the condition is true.
    pub(crate) fn applies(&mut self, condition: &Expr) {
        let cites = std::mem::take(&mut self.body.cites);
        let condition = self.condition(condition);
        let known = self.c.const_of(condition);
        let skip = known.is_none().then(|| self.body.emit(Op::JumpUnless { condition, to: LATER }));
        self.body.cites = cites;
        if known != Some(Value::Bool(false)) {
            self.tell();
        }
        if let Some(skip) = skip {
            self.body.patch_here(skip);
        }
    }

    /// Lowers the block to which the jump at `from` leads. The code before this block jumps over it.
    fn otherwise(&mut self, from: usize, block: Option<&Block>) {
        let Some(block) = block else { return self.body.patch_here(from) };
        let end = self.body.emit(Op::Jump(LATER));
        self.body.patch_here(from);
        self.block(block);
        self.body.patch_here(end);
    }

    /// Lowers an `if` whose condition a param or a reading decides. Both blocks are checked, and the block that counts stays. If there is
    /// one, the rules beside the `if` are reported.
    fn known_branch(&mut self, truth: bool, then: &Block, otherwise: Option<&Block>) {
        if (truth || otherwise.is_some()) && self.body.cites != CitesId::default() {
            self.tell();
        }
        for (stays, block) in [(truth, Some(then)), (!truth, otherwise)] {
            let Some(block) = block else { continue };
            let start = self.body.here();
            self.block(block);
            if !stays {
                self.body.forget_from(start);
            }
        }
    }

    pub(crate) fn loop_statement(&mut self, body: &Block) {
        let start = self.body.here();
        self.looping(body, start, None);
    }

    /// Lowers a loop's body and the jump back, and sets the targets of its `break`s. The rules after the loop's brace are reported when
    /// the loop ends.
    fn looping(&mut self, body: &Block, start: usize, ends: Option<usize>) {
        self.body.edges.push(Edge::Loop(Vec::new()));
        self.open_block(body);
        let back = self.body.emit(Op::Jump(LATER));
        self.body.patch(back, start);
        if let Some(ends) = ends {
            self.body.patch_here(ends);
        }
        if let Some(Edge::Loop(breaks)) = self.body.edges.pop() {
            self.body.patch_all_here(&breaks);
        }
        self.brace(body);
    }

    pub(crate) fn repeat(&mut self, times: &Expr, body: &Block) {
        let times = self.wanted(times, Ty::NUMBER);
        let next = self.body.next;
        let counter = self.body.register();
        self.body.emit(Op::Let { to: counter, value: times });
        let start = self.body.emit(Op::CountDown { counter, end: LATER });
        self.looping(body, start, Some(start));
        self.body.next = next;
    }

    pub(crate) fn for_statement(&mut self, binder: &Name, set: &Expr, body: &Block) {
        let set = self.set_of_loop(binder, set);
        let (next, names) = (self.body.next, self.body.names.len());
        let list = self.body.register();
        // The register after the list holds the position in it.
        let _index = self.body.register();
        self.body.emit(Op::Iterate { list, set: set.node });
        let item = self.body.local(&binder.text, set.ty.member());
        let start = self.body.emit(Op::Next { list, item, end: LATER });
        self.looping(body, start, Some(start));
        self.body.names.truncate(names);
        self.body.next = next;
    }

    /// Lowers the set of a loop. The loop's name is not known in it.
    pub(crate) fn set_of_loop(&mut self, binder: &Name, set: &Expr) -> Typed {
        let around = self.body.loop_name.replace(binder.text.clone());
        let set = self.set(set, None);
        self.body.loop_name = around;
        set
    }

    pub(crate) fn break_out(&mut self, span: Span) {
        let Some(inside) = self.body.edges.iter().rposition(|edge| matches!(edge, Edge::Loop(_))) else {
            return self.c.report(Diagnostic::error("E0217", span));
        };
        if self.crosses("break", inside + 1, span) {
            return;
        }
        self.leave(inside + 1);
        let jump = self.body.emit(Op::Jump(LATER));
        if let Some(Edge::Loop(breaks)) = self.body.edges.get_mut(inside) {
            breaks.push(jump);
        }
    }

    pub(crate) fn restart(&mut self, name: &Name) {
        let found = self.body.labels.iter().rev().find(|(label, ..)| *label == name.text).cloned();
        let Some((_, target, edges)) = found else {
            let words: Vec<String> = self.body.labels.iter().map(|(label, ..)| label.clone()).collect();
            let finding = Diagnostic::error("E0218", name.span).with("name", &name.text);
            return self.c.report(finding.suggest(&name.text, words.iter().map(String::as_str)));
        };
        if self.crosses("restart", edges, name.span) {
            return;
        }
        self.leave(edges);
        let jump = self.body.emit(Op::Jump(LATER));
        self.body.patch(jump, target);
    }

    /// `E0211` if a jump may not leave the edges from `from` on. Gives whether it was reported.
    pub(crate) fn crosses(&mut self, word: &str, from: usize, span: Span) -> bool {
        let edge = self.body.edges.iter().skip(from).find_map(|edge| match edge {
            Edge::Attempt => Some("attempt"),
            Edge::Branch => Some("simultaneously"),
            _ => None,
        });
        let Some(edge) = edge else { return false };
        self.c.report(Diagnostic::error("E0211", span).with("word", word).with("edge", edge));
        true
    }

    /// Closes the scopes from `from` on before a jump out of them, the innermost first.
    pub(crate) fn leave(&mut self, from: usize) {
        let ends: Vec<Op> = self.body.edges.iter().skip(from).filter_map(end_of).collect();
        for op in ends.into_iter().rev() {
            self.body.emit(op);
        }
    }

    /// `judge together if C { }`, `veiled if C { }`. The condition is checked once, before the block. Unless C is constant, the block is
    /// lowered twice, once for each case, so that a jump out of the block closes the right scopes.
    pub(crate) fn within_if(&mut self, condition: Option<&Expr>, (edge, begin, end): (Edge, Op, Op), body: &Block) {
        // The rules of the statement, and those after its brace, count only if the condition is true.
        let cites = std::mem::take(&mut self.body.cites);
        let condition = condition.map(|condition| self.condition(condition));
        match condition.map(|node| (node, self.c.const_of(node))) {
            None | Some((_, Some(Value::Bool(true)))) => {
                self.body.cites = cites;
                self.within(edge, begin, end, body);
            }
            Some((_, Some(Value::Bool(false)))) => self.open_block(body),
            Some((condition, _)) => {
                let skip = self.body.emit(Op::JumpUnless { condition, to: LATER });
                self.body.cites = cites;
                self.within(edge, begin, end, body);
                self.body.cites = Default::default();
                let end = self.body.emit(Op::Jump(LATER));
                self.body.patch_here(skip);
                self.open_block(body);
                self.body.patch_here(end);
            }
        }
    }

    pub(crate) fn within(&mut self, edge: Edge, begin: Op, end: Op, body: &Block) {
        self.body.emit(begin);
        self.body.edges.push(edge);
        self.open_block(body);
        self.body.edges.pop();
        self.emit_end(end, body);
    }

    /// Emits the end of a block with the rules after its brace.
    pub(crate) fn emit_end(&mut self, end: Op, body: &Block) {
        if body.end.is_empty() {
            self.body.emit(end);
        } else {
            self.beside(&body.end, brace_of(body), |lowering| lowering.body.emit(end));
        }
    }

    /// Runs `inside` with other citations and another place.
    fn beside<T>(&mut self, cites: &[Cite], span: Span, inside: impl FnOnce(&mut Self) -> T) -> T {
        let cites = self.c.cites(cites);
        let outer = (std::mem::replace(&mut self.body.cites, cites), std::mem::replace(&mut self.body.span, span));
        let made = inside(self);
        (self.body.cites, self.body.span) = outer;
        made
    }

    /// Reports rules at a place where no other statement carries them out.
    pub(crate) fn told_here(&mut self, cites: &[Cite], span: Span) {
        if !cites.is_empty() {
            self.beside(cites, span, Self::tell);
        }
    }

    /// Reports the rules of the statement. A jump to the next statement does nothing else.
    fn tell(&mut self) {
        let here = self.body.emit(Op::Jump(LATER));
        self.body.patch_here(here);
    }

    /// Reports the rules after a block's brace.
    pub(crate) fn brace(&mut self, block: &Block) {
        self.told_here(&block.end, brace_of(block));
    }

    /// A block after which `done` says whether everything in it was done. `lenient`: `as far as possible { }`.
    pub(crate) fn measured(&mut self, body: &Block, lenient: bool) {
        let next = self.body.next;
        let saved = self.body.register();
        let measure = |on| Op::Measure { on, saved, lenient };
        self.within(Edge::Measure(saved, lenient), measure(true), measure(false), body);
        self.body.next = next;
    }

    /// `may p { }`. If the block is a single attempt, the player is asked only if the attempt is possible.
    pub(crate) fn may(&mut self, player: &Expr, body: &Block, ask: &MayAsk) {
        let by = self.wanted(player, Ty::PLAYER);
        let choice = self.confirmation(by, ask);
        let declined = self.body.register();
        self.body.last_may = Some((choice, declined));
        if let [only] = body.statements.as_slice()
            && let StmtKind::Attempt(attempt, otherwise) = &only.kind
        {
            return self.attempt(Some(choice), attempt, otherwise.as_ref());
        }
        let may = self.body.emit(Op::May { choice, otherwise: LATER });
        if let [] | [Stmt { kind: StmtKind::Call(..), .. }] = body.statements.as_slice() {
            // A single action says by itself whether it was done.
            self.block(body);
        } else {
            // The decision tells the rules of the statement.
            let cites = std::mem::take(&mut self.body.cites);
            self.measured(body, false);
            self.body.cites = cites;
        }
        self.body.patch_here(may);
    }

    pub(crate) fn attempt(&mut self, asked: Option<ChoiceId>, body: &Block, otherwise: Option<&Block>) {
        let begin = self.body.emit(Op::Try { asked, otherwise: LATER });
        self.body.edges.push(Edge::Attempt);
        self.block(body);
        self.body.edges.pop();
        self.body.emit(Op::TryEnd);
        self.otherwise(begin, otherwise);
    }

    pub(crate) fn acting_as(&mut self, player: &Expr, body: &Block) {
        let player = self.wanted(player, Ty::PLAYER);
        let next = self.body.next;
        let saved = self.body.register();
        self.within(Edge::Act(saved), Op::ActAs { player, saved }, Op::ActEnd { saved }, body);
        self.body.next = next;
    }

    pub(crate) fn fork_for(&mut self, in_order: bool, binder: &Name, set: &Expr, body: &Block) {
        let set = self.set_of_loop(binder, set);
        let (next, names) = (self.body.next, self.body.names.len());
        let outside = std::mem::replace(&mut self.body.branched, next);
        let item = self.body.local(&binder.text, set.ty.member());
        let fork = self.body.emit(Op::ForkFor { set: set.node, item, join: LATER, in_order });
        self.body.edges.push(Edge::Branch);
        self.open_block(body);
        self.body.edges.pop();
        self.body.branched = outside;
        self.body.emit(Op::BranchEnd);
        self.body.patch_here(fork);
        self.brace(body);
        self.body.names.truncate(names);
        self.body.next = next;
    }

    fn branch(&mut self, body: &Block) {
        let outside = std::mem::replace(&mut self.body.branched, self.body.next);
        self.alone(body);
        self.body.branched = outside;
        self.body.emit(Op::BranchEnd);
    }

    /// Lowers a block whose jumps may not lead out of it.
    fn alone(&mut self, body: &Block) {
        self.body.edges.push(Edge::Branch);
        self.block(body);
        self.body.edges.pop();
    }

    /// `simultaneously { } { }`: a chain of forks, one before each branch but the last.
    pub(crate) fn fork(&mut self, blocks: &[Block]) {
        self.fork_with_rest(blocks, blocks.len());
    }

    /// A chain of forks, one before each branch but the last. For parts of a payment: the blocks from `rest` on take the cards that the
    /// blocks before them leave.
    pub(crate) fn fork_with_rest(&mut self, blocks: &[Block], rest: usize) {
        // A single block needs no branches: the flow performs it itself.
        if let [only] = blocks {
            return self.alone(only);
        }
        let mut forks: Vec<usize> = Vec::new();
        let mut starts: Vec<usize> = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            starts.push(self.body.here());
            if at + 1 < blocks.len() {
                forks.push(self.body.emit(Op::Fork { other: LATER, join: LATER }));
            }
            if at >= rest {
                self.body.emit(Op::TakeRest);
            }
            self.branch(block);
        }
        let join = Pc(self.body.here() as u32);
        for (fork, other) in forks.iter().zip(starts.iter().skip(1)) {
            if let Some(emitted) = self.body.code.get_mut(*fork) {
                emitted.op = Op::Fork { other: Pc(*other as u32), join };
            }
        }
    }

    /// `came x, y` of a position.
    pub(crate) fn came(&mut self, cards: &[Name]) {
        let card = |name: &Name| Expr { kind: ExprKind::Name(name.clone()), span: name.span };
        let nodes: Vec<_> = cards.iter().map(|name| self.wanted(&card(name), Ty::CARD)).collect();
        let args = self.c.args(&nodes);
        self.body.emit(Op::Came(args));
    }

    /// `put by { } until m`. The block is a body of its own; its first registers hold the locals that it mentions.
    pub(crate) fn put_by(&mut self, block: &Block, moment: Option<&Name>, span: Span) {
        let moment = match moment {
            Some(moment) => match self.moment(moment) {
                Some(moment) => Some(moment),
                None => return,
            },
            None => {
                if self.c.symbols.kinds.find("automatic").is_none() {
                    self.c.report(Diagnostic::error("E0220", span).with("kind", "automatic"));
                }
                None
            }
        };
        let (body, captures) = self.put_aside(block, "put by");
        self.body.emit(Op::PutBy { moment, body, captures });
    }

    /// Lowers a block that is carried out later as a body of its own. Gives the body and the nodes that it captures.
    fn put_aside(&mut self, block: &Block, title: &str) -> (RoutineId, ArgsId) {
        let mut mentioned = crate::analysis::mentions::Mentions::default();
        mentioned.block(block);
        let captured = self.captured(&mentioned);
        let mut nodes: Vec<NodeId> = Vec::with_capacity(captured.len());
        let mut inner = Body { span: self.body.span, ..Body::default() };
        for (name, reg, ty) in captured {
            nodes.push(self.c.node(Node::Local(reg)));
            inner.taken_in(&name, ty, self.body.several.contains(&reg));
        }
        let captures = self.c.args(&nodes);
        let parameters = inner.next;
        inner.captured = parameters;
        let name = engine::program::NameDef { name: title.to_owned(), label: String::new(), cites: self.body.cites };
        let body = self.nested(inner, parameters, name, |lowering| lowering.block(block));
        (body, captures)
    }

    /// `finally { }`: counts from here to the end of its block. Its statements run in whatever way the block is left.
    pub(crate) fn finally(&mut self, block: &Block) {
        let (body, captures) = self.put_aside(block, "finally");
        self.body.emit(Op::Finally { body, captures });
        self.body.edges.push(Edge::Finally);
    }

    /// Ends the `finally`s of a block, the last one first. `edges` is the number of edges before the block.
    pub(crate) fn end_finals(&mut self, edges: usize) {
        while self.body.edges.len() > edges && matches!(self.body.edges.last(), Some(Edge::Finally)) {
            self.body.edges.pop();
            self.body.emit(Op::ScopeEnd);
        }
    }
}

/// The place of a block's `}`.
pub(crate) fn brace_of(block: &Block) -> Span {
    Span { start: block.span.end.saturating_sub(1), ..block.span }
}

/// The operation that closes a scope when a jump leaves it.
fn end_of(edge: &Edge) -> Option<Op> {
    match edge {
        Edge::Act(saved) => Some(Op::ActEnd { saved: *saved }),
        Edge::Judge => Some(Op::JudgeEnd),
        Edge::Veil => Some(Op::VeilEnd),
        Edge::Scope | Edge::Finally => Some(Op::ScopeEnd),
        Edge::Hold => Some(Op::HoldEnd),
        Edge::Measure(saved, lenient) => Some(Op::Measure { on: false, saved: *saved, lenient: *lenient }),
        Edge::Loop(_) | Edge::Attempt | Edge::Branch => None,
    }
}

/// The part of a source from the first to the last of these statements. None if they stand in several files.
fn within(statements: &[Stmt]) -> Option<Span> {
    let (first, last) = (statements.first()?.span, statements.last()?.span);
    let one = statements.iter().all(|statement| statement.span.file == first.file) && first.start <= last.end;
    one.then_some(Span { end: last.end.max(first.end), ..first })
}
