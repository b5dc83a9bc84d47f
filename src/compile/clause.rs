//! Clauses of continuous effects, static or lasting.
//!
//! A clause is lowered in a frame of its own: its captures are the first registers, then the names of its pattern. The
//! conditions of `while` around it are folded into its own.

use super::body::Body;
use super::expression::Lowering;
use super::mentions::Mentions;
use super::pattern::Use;
use super::types::Ty;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::{ChoiceId, ClauseId, FieldId, NodeId, Reg, RoutineId};
use crate::engine::program::{ChangeDef, ChangeKind, ClauseDef, ClauseKind as Made, NameDef, Node, Op, RoutineDef};
use crate::syntax::ast::{Block, Change, ChangeField, ChangeOp, Clause, ClauseKind, Expr, ExprKind, Name, Pattern, StmtKind};

impl Lowering<'_> {
    /// `lasting D { clauses }`.
    pub(super) fn lasting(&mut self, duration: &Name, clauses: &[Clause]) {
        let Some(duration) = self.duration(duration) else { return };
        for clause in self.clauses(clauses, "lasting") {
            self.body.emit(Op::Install { clause, duration });
        }
    }

    /// All clauses, those inside `while` too.
    pub(super) fn clauses(&mut self, clauses: &[Clause], title: &str) -> Vec<ClauseId> {
        let mut made = Vec::new();
        for clause in clauses {
            self.clause_under(clause, &mut Vec::new(), title, &mut made);
        }
        made
    }

    pub(super) fn clause_under<'a>(&mut self, clause: &'a Clause, around: &mut Vec<&'a Expr>, title: &str, made: &mut Vec<ClauseId>) {
        if let ClauseKind::While(condition, clauses) = &clause.kind {
            around.push(condition);
            for clause in clauses {
                self.clause_under(clause, around, title, made);
            }
            around.pop();
            return;
        }
        made.extend(self.clause(clause, around, title));
    }

    fn clause(&mut self, clause: &Clause, around: &[&Expr], title: &str) -> Option<ClauseId> {
        let mut mentions = Mentions::default();
        mentions.clause(clause);
        for condition in around {
            mentions.expr(condition);
        }
        let captured = self.captured(&mentions);
        let cites = self.c.cites(&clause.cites);
        let mut frame = Body { span: clause.span, cites, ..Body::default() };
        let mut captures: Vec<Reg> = Vec::with_capacity(captured.len());
        for (name, reg, ty) in captured {
            captures.push(reg);
            frame.local(&name, ty);
        }
        let outer = std::mem::replace(&mut self.body, frame);
        let mut condition = NodeId::NONE;
        for around in around {
            let one = self.condition(around);
            condition = self.c.and(condition, one);
        }
        let kind = self.clause_kind(clause, title);
        self.body = outer;
        let kind = kind?;
        self.c.map.clauses.push(clause.span);
        Some(self.c.program.clauses.push(ClauseDef { kind, condition, captures, cites }))
    }

    fn clause_kind(&mut self, clause: &Clause, title: &str) -> Option<Made> {
        match &clause.kind {
            ClauseKind::Modify(what, changes) => {
                let what = self.set(what, Some(Ty::CARDS));
                let what = self.fit(what, Ty::CARDS, clause.span);
                let changes = changes.iter().filter_map(|change| self.change(change)).collect();
                return Some(Made::Modify { what, changes });
            }
            ClauseKind::Disable(what) => return Some(Made::Disable(self.set(what, None).node)),
            ClauseKind::Forbid(pattern) => return Some(Made::Forbid(self.pattern(pattern, Use::Watched).0)),
            ClauseKind::Instead(pattern, body) => return Some(self.instead(pattern, body, title)),
            ClauseKind::When(pattern, body) => return Some(self.when(pattern, body, title)),
            ClauseKind::Grant(..) => self.c.not_yet(clause.span, "grant"),
            ClauseKind::Strip(..) => self.c.not_yet(clause.span, "strip"),
            ClauseKind::Permit(_) => self.c.not_yet(clause.span, "permit"),
            ClauseKind::Require(..) => self.c.not_yet(clause.span, "require"),
            ClauseKind::Whenever(..) => self.c.not_yet(clause.span, "whenever"),
            ClauseKind::NextTime(..) => self.c.not_yet(clause.span, "next time"),
            ClauseKind::Price(..) => self.c.not_yet(clause.span, "price"),
            ClauseKind::Assume(_) => self.c.not_yet(clause.span, "assume"),
            ClauseKind::Hole(name) => self.c.report(Diagnostic::error("E0242", clause.span).with("name", &name.text)),
            ClauseKind::While(..) => {}
        }
        None
    }

    fn change(&mut self, change: &Change) -> Option<ChangeDef> {
        let name = match &change.field {
            ChangeField::Named(name) => name,
            ChangeField::Hole(name) => {
                self.c.report(Diagnostic::error("E0242", change.span).with("name", &name.text));
                return None;
            }
        };
        let Some(field) = self.c.symbols.fields.id::<FieldId>(&name.text) else {
            let words: Vec<String> = self.c.symbols.fields.words().map(str::to_owned).collect();
            self.c.report(
                Diagnostic::error("E0222", name.span)
                    .with("name", &name.text)
                    .with("of", "card")
                    .suggest(&name.text, words.iter().map(String::as_str)),
            );
            return None;
        };
        let (ty, derived) =
            self.c.program.fields.get(field).map_or((Ty::UNKNOWN, false), |def| (Ty { of: def.of, set: def.set }, def.derived.is_some()));
        if derived {
            self.c.report(Diagnostic::error("E0250", name.span).with("name", &name.text));
            return None;
        }
        let op = match change.op {
            ChangeOp::Set => ChangeKind::Set,
            ChangeOp::SetPrinted => ChangeKind::SetPrinted,
            ChangeOp::Add => ChangeKind::Add,
            ChangeOp::Subtract => ChangeKind::Subtract,
            ChangeOp::Multiply => ChangeKind::Multiply,
        };
        let sets = matches!(op, ChangeKind::Set | ChangeKind::SetPrinted);
        if !sets && !ty.set && ty != Ty::NUMBER || ty.set && op == ChangeKind::Multiply {
            self.c.mismatch(change.span, Ty::NUMBER, ty);
        }
        let list = matches!(change.value.kind, ExprKind::List(_));
        let want = if ty.set && !sets && !list { ty.member() } else { ty };
        Some(ChangeDef { field, op, value: self.wanted(&change.value, want) })
    }

    /// A body that is one `may p { }` makes the replacement optional.
    fn instead(&mut self, pattern: &Pattern, body: &Block, title: &str) -> Made {
        let (pattern, _) = self.pattern(pattern, Use::Watched);
        let mut optional: Option<ChoiceId> = None;
        let mut block = body;
        if let [only] = body.statements.as_slice()
            && let StmtKind::May(player, inner) = &only.kind
            && !matches!(inner.statements.as_slice(), [one] if matches!(one.kind, StmtKind::Attempt(..)))
        {
            let by = self.wanted(player, Ty::PLAYER);
            let cites = self.c.cites(&only.cites);
            let outer = if only.cites.is_empty() { self.body.cites } else { std::mem::replace(&mut self.body.cites, cites) };
            optional = Some(self.confirmation(by));
            self.body.cites = outer;
            block = inner;
        }
        Made::Instead { pattern, optional, body: self.clause_body(block, title) }
    }

    fn when(&mut self, pattern: &Pattern, body: &Block, title: &str) -> Made {
        let (pattern, _) = self.pattern(pattern, Use::Watched);
        Made::When { pattern, body: self.clause_body(body, title) }
    }

    /// The body reads the captures and the bound names where the clause's frame has them.
    fn clause_body(&mut self, block: &Block, title: &str) -> RoutineId {
        let parameters = self.body.next;
        let inner =
            Body { names: self.body.names.clone(), next: parameters, registers: parameters, span: self.body.span, ..Body::default() };
        let name = NameDef { name: title.to_owned(), label: title.to_owned(), cites: self.body.cites };
        self.nested(inner, parameters, name, |lowering| lowering.block(block))
    }

    /// A body of its own inside this one.
    pub(super) fn nested(&mut self, inner: Body, parameters: u16, name: NameDef, fill: impl FnOnce(&mut Self)) -> RoutineId {
        let span = inner.span;
        let outer = std::mem::replace(&mut self.body, inner);
        fill(self);
        let made = std::mem::replace(&mut self.body, outer);
        let id = self.c.reserve_routine(span);
        self.c.finish_routine(id, made, parameters, name);
        id
    }
}

impl super::Compiler {
    /// Puts a finished body into the program.
    pub(super) fn finish_routine(&mut self, id: RoutineId, mut body: Body, parameters: u16, name: NameDef) {
        body.cites = Default::default();
        body.emit(Op::End);
        let base = self.program.code.len() as u32;
        for emitted in body.code {
            self.program.code.push(super::body::relocated(emitted.op, base));
            self.program.code_cites.push(emitted.cites);
            self.map.code.push(emitted.span);
        }
        if let Some(def) = self.program.routines.get_mut(id) {
            let start = crate::engine::ids::Pc(base);
            *def = RoutineDef { name, start, registers: body.registers.max(parameters), parameters };
        }
    }

    /// Every node of an expression.
    pub(super) fn walk(&self, node: NodeId, see: &mut impl FnMut(&Node)) {
        let Some(found) = self.program.nodes.get(node) else { return };
        see(found);
        super::nodes::children(found, &self.program, &mut |child| self.walk(child, see));
    }
}
