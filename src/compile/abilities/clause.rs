//! Compiles clauses of continuous effects, static or lasting.
//!
//! Each clause has a frame of its own. The first registers are its captures; then come the names of its pattern. The conditions of
//! surrounding `while`s are folded into its own condition.

use crate::analysis::mentions::Mentions;
use crate::expressions::expression::Lowering;
use crate::expressions::pattern::Use;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Body, Typed};
use engine::ids::{ChoiceId, CitesId, ClauseId, FieldId, NodeId, Reg, RoutineId};
use engine::program::{ChangeDef, ChangeKind, ClauseDef, ClauseKind as Made, NameDef, Node, Op, RoutineDef, SetPolicy, Type, Way};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{
    BinaryOp, Block, Change, ChangeField, ChangeOp, Clause, ClauseKind, Expr, ExprKind, Name, Pattern, Shield, ShieldFrom, StmtKind, Turn,
};
use lang::syntax::visit::Visitor;

/// The name of the bodies of lasting clauses.
const LASTING: &str = "lasting";
/// In the body of an ability: its own card as it was when the ability began to wait.
const THIS_AFTER: &str = "this_after";
/// In the body of an ability that has waited for a move of its own card: the card before this move.
const THIS_BEFORE: &str = "this_before";

impl Lowering<'_> {
    /// `lasting D { clauses }`.
    pub(crate) fn lasting(&mut self, duration: &Name, clauses: &[Clause]) {
        let Some(duration) = self.duration(duration) else { return };
        for clause in self.clauses(clauses, LASTING) {
            self.body.emit(Op::Install { clause, duration });
        }
    }

    /// Lowers all clauses, including those inside `while`.
    pub(crate) fn clauses(&mut self, clauses: &[Clause], title: &str) -> Vec<ClauseId> {
        let mut made = Vec::new();
        for clause in clauses {
            self.clause_under(clause, &mut Vec::new(), (title, false), &mut made);
        }
        made
    }

    /// Lowers a clause with the conditions around it. `title` holds the name for its bodies, and whether the clause belongs to an ability.
    pub(crate) fn clause_under<'a>(
        &mut self,
        clause: &'a Clause,
        around: &mut Vec<&'a Expr>,
        title: (&str, bool),
        made: &mut Vec<ClauseId>,
    ) {
        if let ClauseKind::While(condition, clauses) = &clause.kind {
            let before = made.len();
            around.push(condition);
            for clause in clauses {
                self.clause_under(clause, around, title, made);
            }
            around.pop();
            self.c.under_one(made.get(before..).unwrap_or(&[]));
            return;
        }
        self.clause(clause, around, title, made);
    }

    fn clause(&mut self, clause: &Clause, around: &[&Expr], (title, of_ability): (&str, bool), made: &mut Vec<ClauseId>) {
        let mut mentions = Mentions::default();
        mentions.clause(clause);
        for condition in around {
            mentions.expr(condition);
        }
        let fixed = if title == LASTING { self.taken(clause, around) } else { Vec::new() };
        mentions.names.extend(fixed.iter().map(|(_, name)| name.text.clone()));
        let captured = self.captured(&mentions);
        let cites = self.c.cites(&clause.cites);
        let mut frame = Body { span: clause.span, cites, fixed, ..Body::default() };
        // Values of slots are read again wherever they are named, unless a `let` hides the name.
        frame.names.extend(self.body.names.iter().filter(|(_, binding)| matches!(binding, Binding::Lazy(..) | Binding::Unfilled)).cloned());
        let mut captures: Vec<Reg> = Vec::with_capacity(captured.len());
        for (name, reg, ty) in captured {
            captures.push(reg);
            frame.taken_in(&name, ty, self.body.several.contains(&reg));
        }
        frame.captured = frame.next;
        let outer = std::mem::replace(&mut self.body, frame);
        let mut condition = NodeId::NONE;
        for around in around {
            let one = self.condition(around);
            condition = self.c.and(condition, one);
        }
        let kinds = self.clause_kinds(clause, title);
        for kind in kinds {
            self.add_clause(kind, condition, captures.clone(), of_ability, made);
        }
        self.body = outer;
    }

    /// For a lasting clause: reads the sets of its `fixed(S)` before the clause begins, and names them. No rules file can write these
    /// names.
    fn taken(&mut self, clause: &Clause, around: &[&Expr]) -> Vec<(Expr, Name)> {
        let mut mentions = Mentions::default();
        for condition in around {
            mentions.expr(condition);
        }
        match &clause.kind {
            ClauseKind::Forbid(pattern)
            | ClauseKind::Permit(pattern)
            | ClauseKind::Instead(pattern, _)
            | ClauseKind::When(pattern, _)
            | ClauseKind::NextTime(pattern, _)
            | ClauseKind::NextInstead(pattern, _) => mentions.pattern(pattern),
            ClauseKind::Whenever(condition, _) => mentions.expr(condition),
            // The conditions of a `while` stand in `around`. No event and no condition belongs to the other clauses.
            ClauseKind::Modify(..) | ClauseKind::Grant(..) | ClauseKind::Strip(..) | ClauseKind::Disable(_) | ClauseKind::Require(..) => {}
            ClauseKind::Price(..) | ClauseKind::Assume(_) | ClauseKind::Shield(_) | ClauseKind::While(..) | ClauseKind::Hole(_) => {}
        }
        let take = |(at, of): (usize, Expr)| {
            let name = Name { text: format!("fixed {at}"), span: of.span };
            let set = self.set(&of, None);
            let to = self.body.taken_in(&name.text, set.ty, true);
            self.body.emit(Op::LetSet { to, set: set.node });
            (of, name)
        };
        mentions.fixed.into_iter().enumerate().map(take).collect()
    }

    /// `fixed(S)`: the members that a lasting clause read when it began, as the game's policy says. Elsewhere simply the set.
    pub(crate) fn fixed(&mut self, of: &Expr) -> Typed {
        let taken = self.body.fixed.iter().find(|(set, _)| set == of).map(|(_, name)| name.clone());
        let policy = self.c.program.policies.sets;
        let Some(name) = taken.filter(|_| policy != SetPolicy::Live) else { return self.set(of, None) };
        let span = of.span;
        let expr = |kind| Expr { kind, span };
        let taken = expr(ExprKind::Name(name));
        if !policy.falls_out() {
            return self.set(&taken, None);
        }
        let member = expr(ExprKind::Name(Name { text: "it".to_owned(), span }));
        let condition = expr(ExprKind::Binary(Box::new(member), BinaryOp::In, Box::new(of.clone())));
        self.set(&expr(ExprKind::Where { set: Box::new(taken), binder: None, condition: Box::new(condition) }), None)
    }

    /// Puts a clause into the program.
    pub(crate) fn add_clause(&mut self, kind: Made, condition: NodeId, captures: Vec<Reg>, of_ability: bool, made: &mut Vec<ClauseId>) {
        let (span, cites) = (self.body.span, self.body.cites);
        let layer = self.c.layer_of_abilities(&kind, span);
        let reads = self.c.clause_reads(&kind, condition, layer, of_ability);
        self.c.map.clauses.push(span);
        made.push(self.c.program.clauses.push(ClauseDef { kind, condition, under: None, captures, cites, layer, reads }));
    }

    /// `modify X { controller = p }` with nothing else in its braces: a change of the controller.
    fn control(&mut self, clause: &Clause) -> Option<Made> {
        let ClauseKind::Modify(what, changes) = &clause.kind else { return None };
        let [change] = changes.as_slice() else { return None };
        let ChangeField::Named(name) = &change.field else { return None };
        if name.text != "controller" || change.op != ChangeOp::Set || self.c.symbols.fields.find("controller").is_some() {
            return None;
        }
        let what = self.set(what, Some(Ty::CARDS));
        let what = self.fit(what, Ty::CARDS, clause.span);
        Some(Made::Control { what, by: self.wanted(&change.value, Ty::PLAYER) })
    }

    /// The kinds of a clause. A clause that grants both abilities and values becomes two.
    fn clause_kinds(&mut self, clause: &Clause, title: &str) -> Vec<Made> {
        if let Some(control) = self.control(clause) {
            return vec![control];
        }
        match &clause.kind {
            ClauseKind::Modify(what, changes) => {
                let of_players = changes.iter().any(|change| self.is_of_players(&change.field));
                let what = if of_players { self.wanted(what, Ty::set(Type::Player)) } else { self.cards(what, clause.span) };
                let changes = changes.iter().flat_map(|change| self.change(change, of_players)).collect();
                vec![Made::Modify { what, changes }]
            }
            ClauseKind::Grant(to, granted) => self.grant(to, granted, clause.span, title),
            ClauseKind::Strip(from, stripped) => self.strip(from, stripped, clause.span, title),
            ClauseKind::Disable(what) => vec![Made::Disable(self.set_of_abilities(what, "disable"))],
            ClauseKind::Shield(Shield { cards, from: ShieldFrom::Choices(choices), effects }) => {
                self.shield_from_choices(cards, choices, effects.as_ref())
            }
            ClauseKind::Shield(shield) => {
                let what = self.cards(&shield.cards, clause.span);
                let effects = shield.effects.as_ref().map_or(NodeId::NONE, |condition| {
                    self.under("it", Ty::EFFECT, condition.span, |lowering| lowering.condition(condition))
                });
                let turning = if let ShieldFrom::EffectsThat(turn, field) = &shield.from { Some(self.weighed(*turn, field)) } else { None };
                match turning {
                    // The field cannot be lowered or raised (already reported), so there is no shield.
                    Some(None) => Vec::new(),
                    turning => vec![Made::Shield {
                        what,
                        before_now: shield.from == ShieldFrom::EffectsBefore,
                        turning: turning.flatten(),
                        effects,
                    }],
                }
            }
            ClauseKind::Forbid(pattern) => {
                let (id, _) = self.pattern(pattern, Use::Watched);
                self.spares_members(id, pattern);
                vec![Made::Forbid(id)]
            }
            ClauseKind::Permit(pattern) => vec![Made::Permit(self.pattern(pattern, Use::Watched).0)],
            ClauseKind::Require(choice, what) => self.require(choice, what),
            ClauseKind::Instead(pattern, body) => vec![self.instead(pattern, body, title, false)],
            ClauseKind::NextInstead(pattern, body) => vec![self.instead(pattern, body, title, true)],
            ClauseKind::When(pattern, body) => vec![self.when(pattern, body, title, false)],
            ClauseKind::NextTime(pattern, body) => vec![self.when(pattern, body, title, true)],
            ClauseKind::Whenever(condition, body) => {
                let condition = self.condition(condition);
                vec![Made::Whenever { condition, body: self.clause_body(body, title, true) }]
            }
            ClauseKind::Assume(fact) => self.assume(fact),
            ClauseKind::Price(what, changes) => vec![self.price(what, changes)],
            ClauseKind::Hole(name) => {
                self.c.report(Diagnostic::error("E0242", clause.span).with("name", &name.text));
                Vec::new()
            }
            ClauseKind::While(..) => Vec::new(),
        }
    }

    /// For `shield X from effects that lower F` (or `raise F`): the field, and the direction of the changes that the shield keeps off.
    fn weighed(&mut self, turn: Turn, name: &Name) -> Option<(FieldId, Way)> {
        let (field, ty) = self.changed_field(&ChangeField::Named(name.clone()), false, false)?;
        if ty != Ty::NUMBER {
            self.c.mismatch(name.span, Ty::NUMBER, ty);
            return None;
        }
        if let Some(def) = self.c.field_mut(field) {
            def.weighed = true;
        }
        let way = match turn {
            Turn::Lowering => Way::Down,
            Turn::Raising => Way::Up,
        };
        Some((field, way))
    }

    /// A set of abilities. Cards are refused here: the author must write that he means their abilities, because abilities that they get
    /// later are not included.
    pub(crate) fn set_of_abilities(&mut self, what: &Expr, word: &str) -> NodeId {
        let typed = self.set(what, None);
        if !matches!(typed.ty.of, Type::Ability | Type::Unknown) {
            let got = typed.ty.describe(&self.c.program);
            self.c.report(Diagnostic::error("E0333", what.span).with("got", got).with("word", word));
        }
        typed.node
    }

    /// The cards that a clause applies to.
    pub(crate) fn cards(&mut self, what: &Expr, span: Span) -> NodeId {
        let what = self.set(what, Some(Ty::CARDS));
        self.fit(what, Ty::CARDS, span)
    }

    /// The field that a change names. `printed`: the change is about what cards print, so the field must not be computed. A computed set
    /// cannot be changed at all.
    pub(crate) fn changed_field(&mut self, field: &ChangeField, of_players: bool, printed: bool) -> Option<(FieldId, Ty)> {
        let name = match field {
            ChangeField::Named(name) => name,
            ChangeField::Hole(name) => {
                self.c.report(Diagnostic::error("E0242", name.span).with("name", &name.text));
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
        let def = self.c.program.fields.get(field);
        let (ty, derived) = def.map_or((Ty::UNKNOWN, false), |def| (Ty { of: def.of, set: def.set }, def.derived.is_some()));
        if def.is_some_and(|def| def.on_players != of_players) {
            self.c.report(Diagnostic::error("E0331", name.span).with("name", &name.text));
            return None;
        }
        if derived && !of_players && (printed || ty.set) {
            let from = self.c.computed_from(field);
            self.c.report(Diagnostic::error("E0250", name.span).with("name", &name.text).with("from", from));
            return None;
        }
        Some((field, ty))
    }

    /// Whether a change changes a property of players.
    fn is_of_players(&self, field: &ChangeField) -> bool {
        let ChangeField::Named(name) = field else { return false };
        let field = self.c.symbols.fields.id::<FieldId>(&name.text);
        field.and_then(|field| self.c.program.fields.get(field)).is_some_and(|field| field.on_players)
    }

    fn change(&mut self, change: &Change, of_players: bool) -> Vec<ChangeDef> {
        let printed = matches!(change.op, ChangeOp::SetPrinted | ChangeOp::AddPrinted);
        let Some((field, ty)) = self.changed_field(&change.field, of_players, printed) else { return Vec::new() };
        let op = match change.op {
            ChangeOp::Set => ChangeKind::Set,
            ChangeOp::SetPrinted => ChangeKind::SetPrinted,
            ChangeOp::AddPrinted => ChangeKind::AddPrinted,
            ChangeOp::Add => ChangeKind::Add,
            ChangeOp::Subtract => ChangeKind::Subtract,
            ChangeOp::Multiply => ChangeKind::Multiply,
            ChangeOp::Divide => ChangeKind::Divide,
            ChangeOp::Floor => ChangeKind::Floor,
        };
        let sets = matches!(op, ChangeKind::Set | ChangeKind::SetPrinted);
        if !sets && !ty.set && ty != Ty::NUMBER || ty.set && matches!(op, ChangeKind::Multiply | ChangeKind::Divide | ChangeKind::Floor) {
            self.c.mismatch(change.span, Ty::NUMBER, ty);
        }
        let layer = self.c.layer_of_change(op, field, change.span);
        if ty.set {
            return self.change_of_set((field, ty), op, &change.value, layer);
        }
        vec![ChangeDef { field, op, value: self.wanted(&change.value, ty), many: false, layer }]
    }

    /// A change of a set-valued field, by a member, by the members of a list, or by the members of a set. The set is read when the effect
    /// begins, or in a static ability each time.
    fn change_of_set(&mut self, (field, ty): (FieldId, Ty), op: ChangeKind, value: &Expr, layer: u8) -> Vec<ChangeDef> {
        if let ExprKind::List(items) = &value.kind {
            if let (Some(op), true) = (op.of_none(), items.is_empty()) {
                return vec![ChangeDef { field, op, value: NodeId::NONE, many: false, layer }];
            }
            let one = |(at, item): (usize, &Expr)| {
                let op = if at > 0 { op.of_further() } else { op };
                ChangeDef { field, op, value: self.wanted(item, ty.member()), many: false, layer }
            };
            return items.iter().enumerate().map(one).collect();
        }
        let typed = self.expr(value, Some(ty.member()));
        let many = typed.ty.set;
        let value = self.fit(typed, if many { ty } else { ty.member() }, value.span);
        vec![ChangeDef { field, op, value, many, layer }]
    }

    /// A replacement. It is optional if its body is one `may p { }`, or one `may p attempt { }` without an `else`.
    fn instead(&mut self, written: &Pattern, body: &Block, title: &str, once: bool) -> Made {
        let (pattern, _) = self.pattern(written, Use::Watched);
        let mut optional: Option<ChoiceId> = None;
        let mut attempt = false;
        let mut block = body;
        if let [only] = body.statements.as_slice()
            && let StmtKind::May(player, inner, ask) = &only.kind
            && !matches!(inner.statements.as_slice(), [one] if matches!(one.kind, StmtKind::Attempt(_, Some(_))))
        {
            let by = self.wanted(player, Ty::PLAYER);
            let cites = self.c.cites(&only.cites);
            let outer = if only.cites.is_empty() { self.body.cites } else { std::mem::replace(&mut self.body.cites, cites) };
            optional = Some(self.confirmation(by, ask));
            self.body.cites = outer;
            attempt = matches!(inner.statements.as_slice(), [one] if matches!(one.kind, StmtKind::Attempt(..)));
            block = inner;
        }
        for event in &written.events {
            if let Some(verb) = self.c.symbols.verbs.id(&event.verb.text) {
                self.c.replaced.push((verb, event.verb.clone()));
            }
        }
        self.body.replaces =
            self.c.program.patterns.get(pattern).map_or_else(Vec::new, |def| def.events.iter().map(|event| event.verb).collect());
        Made::Instead { pattern, optional, attempt, body: self.clause_body(block, title, false), once }
    }

    fn when(&mut self, pattern: &Pattern, body: &Block, title: &str, once: bool) -> Made {
        let (pattern, _) = self.pattern(pattern, Use::Watched);
        Made::When { pattern, body: self.clause_body(body, title, true), once }
    }

    /// Lowers a body that reads the captures and the bound names in the registers of the clause's frame. `waits`: the body is performed by
    /// an ability that has waited.
    fn clause_body(&mut self, block: &Block, title: &str, waits: bool) -> RoutineId {
        let parameters = self.body.next;
        let inner = Body {
            names: self.body.names.clone(),
            next: parameters,
            captured: self.body.captured,
            several: self.body.several.clone(),
            registers: parameters,
            span: self.body.span,
            replaces: std::mem::take(&mut self.body.replaces),
            ..Body::default()
        };
        let name = NameDef { name: title.to_owned(), label: title.to_owned(), cites: self.body.cites };
        self.nested(inner, parameters, name, |lowering| if waits { lowering.waited_block(block) } else { lowering.block(block) })
    }

    /// Lowers a body that an ability performs after it has waited.
    pub(crate) fn waited_block(&mut self, block: &Block) {
        self.lives_of_this(block);
        self.block(block);
    }

    /// Reserves registers for `this_after` and `this_before`, if the body mentions them.
    pub(crate) fn lives_of_this(&mut self, block: &Block) {
        let mut mentions = Mentions::default();
        mentions.block(block);
        if mentions.names.iter().any(|name| name == THIS_AFTER) {
            // In a lasting clause the card is the one of the ability that began the effect, unless the clause hears of this card's own move.
            self.body.after = Some(match self.body.find(THIS_AFTER) {
                Some(Binding::Register(reg, _)) if reg.0 < self.body.captured => *reg,
                _ => self.body.local(THIS_AFTER, Ty::CARD),
            });
        }
        if mentions.names.iter().any(|name| name == THIS_BEFORE) {
            self.body.before = Some(self.body.local(THIS_BEFORE, Ty::CARD));
        }
    }

    /// Lowers a body of its own inside this one.
    pub(crate) fn nested(&mut self, inner: Body, parameters: u16, name: NameDef, fill: impl FnOnce(&mut Self)) -> RoutineId {
        let span = inner.span;
        let around = if name.cites == CitesId::default() { self.body.around } else { name.cites };
        let inner = Body { around, ..inner };
        let outer = std::mem::replace(&mut self.body, inner);
        fill(self);
        let made = std::mem::replace(&mut self.body, outer);
        let id = self.c.reserve_routine(span);
        self.c.finish_routine(id, made, parameters, name);
        id
    }
}

impl crate::Compiler {
    /// Marks the clauses of one `while`. Clauses of an inner `while` are marked with that one.
    pub(crate) fn under_one(&mut self, clauses: &[ClauseId]) {
        let first = clauses.first().copied();
        for clause in clauses {
            if let Some(def) = self.program.clauses.get_mut(*clause).filter(|def| def.under.is_none()) {
                def.under = first;
            }
        }
    }

    /// Puts a finished body into the program.
    pub(crate) fn finish_routine(&mut self, id: RoutineId, mut body: Body, parameters: u16, name: NameDef) {
        body.cites = Default::default();
        body.emit(Op::End);
        self.check_registers(body.registers, body.span);
        let base = self.program.code.len() as u32;
        for emitted in body.code {
            self.program.code.push(crate::statements::body::relocated(emitted.op, base));
            self.program.code_cites.push(emitted.cites);
            self.program.around.push(emitted.around);
            self.program.in_use.push(emitted.in_use);
            if emitted.op.read_first(&self.program).is_some_and(|node| self.has_operands(node)) {
                self.program.with_operands.push(engine::ids::Pc(self.program.code.len() as u32 - 1));
            }
            self.map.code.push(emitted.span);
        }
        if let Some(def) = self.program.routines.get_mut(id) {
            let start = engine::ids::Pc(base);
            let (registers, reads_done) = (body.registers.max(parameters), body.reads_done);
            let (after, before) = (body.after, body.before);
            *def = RoutineDef { name, start, registers, parameters, reads_done, after, before };
        }
    }

    /// Calls `see` for every node of an expression.
    pub(crate) fn walk(&self, node: NodeId, see: &mut impl FnMut(&Node)) {
        let Some(found) = self.program.nodes.get(node) else { return };
        see(found);
        engine::program::children(found, &self.program, &mut |child| self.walk(child, see));
    }

    /// Calls `see` for the number of every node of an expression.
    pub(crate) fn walk_ids(&self, node: NodeId, see: &mut impl FnMut(NodeId)) {
        let Some(found) = self.program.nodes.get(node) else { return };
        see(node);
        engine::program::children(found, &self.program, &mut |child| self.walk_ids(child, see));
    }
}
