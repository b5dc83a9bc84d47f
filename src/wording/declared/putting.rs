//! Puts the scripts of meanings in the places of their calls.
//!
//! Input: the meanings, and a line that calls them. Names that a meaning binds are not made unique, because the calling templates may give
//! them to later phrases.

use crate::declared::expand::{Meaning, TOO_MANY, miscounted};
use crate::script::sayings::also;
use crate::script::size::{Parts, parts_of};
use crate::script::weave::add;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{
    Absent, Arg, Block, Cite, EventPattern, Expr, ExprKind, Fragment, Frame, Name, NamedMeaning, Pattern, Stmt, StmtKind, Template,
};
use lang::syntax::rewrite::{Rewriter, walk_expr, walk_pattern, walk_stmt};
use lang::syntax::visit::Visitor;
use rustc_hash::FxHashMap;

/// The most parts of expressions and statements that meanings put into one line.
const MOST_PARTS: usize = 100_000;

/// Replaces calls of meanings by their scripts.
pub(crate) struct Putting<'e, 'a> {
    meanings: &'e FxHashMap<&'a str, Meaning<'a>>,
    /// The rules beside the line.
    around: &'e [Cite],
    /// The rules of meanings that were put in, until a statement takes them.
    pub(crate) found: Vec<Cite>,
    /// How many parts of scripts have been put in.
    parts: usize,
    pub(crate) errors: Vec<Diagnostic>,
}

impl<'e, 'a> Putting<'e, 'a> {
    /// Puts these meanings into a line beside which these rules stand.
    pub(crate) fn new(meanings: &'e FxHashMap<&'a str, Meaning<'a>>, around: &'e [Cite]) -> Self {
        Self { meanings, around, found: Vec::new(), parts: 0, errors: Vec::new() }
    }

    pub(crate) fn template(&mut self, template: &mut Template) {
        self.fragment(&mut template.script);
        template.hands.iter_mut().for_each(|hand| self.expr(&mut hand.value));
    }

    pub(crate) fn frame(&mut self, frame: &mut Frame) {
        self.fragment(&mut frame.script);
        frame.hands.iter_mut().for_each(|hand| self.expr(&mut hand.value));
        for slot in &mut frame.slots {
            if let Absent::Default(value) = &mut slot.absent {
                self.expr(value);
            }
        }
    }

    /// The script of the meaning with this name, with its arguments filled in.
    fn called(&mut self, name: &Name, args: &[Arg]) -> Option<Fragment> {
        let meaning = self.meanings.get(name.text.as_str())?.clone();
        let Meaning { declared, mut script, cites, .. } = meaning;
        if declared.params.len() != args.len() || args.iter().any(|arg| arg.name.is_some()) {
            self.errors.push(miscounted(name, declared.params.len(), args.len()));
            return None;
        }
        if !self.has_room(name, declared, args, &script) {
            return None;
        }
        let params = declared.params.iter().map(|param| param.text.as_str());
        let mut filling = Filling { args: params.zip(args.iter().map(|arg| &arg.value)).collect(), misfit: false };
        filling.fragment(&mut script);
        if filling.misfit {
            self.misplaced(name);
            return None;
        }
        add(&mut self.found, cites);
        Some(script)
    }

    /// Counts the parts of a meaning's script with its arguments. False if they are too many. (A meaning that calls another meaning twice
    /// doubles the script, so a chain of these meanings grows very fast.)
    fn has_room(&mut self, name: &Name, meaning: &NamedMeaning, args: &[Arg], script: &Fragment) -> bool {
        let sizes = args.iter().map(|arg| parts_of(&arg.value));
        let of_args = meaning.params.iter().map(|param| param.text.as_str()).zip(sizes).collect();
        let mut parts = Parts { of_args, count: 0 };
        parts.fragment(script);
        let had_room = self.parts <= MOST_PARTS;
        self.parts = self.parts.saturating_add(parts.count);
        if had_room && self.parts > MOST_PARTS {
            self.errors.push(Diagnostic::error(TOO_MANY, name.span).with("what", "parts of a script").with("most", MOST_PARTS));
        }
        self.parts <= MOST_PARTS
    }

    fn misplaced(&mut self, name: &Name) {
        self.errors.push(Diagnostic::error("E0447", name.span).with("name", &name.text));
    }

    /// The statements of a meaning that a statement calls. If the statement names the result, the name goes to the last statement. None if
    /// the statement calls no meaning of statements.
    fn statements(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let (bound, name, args) = match &stmt.kind {
            StmtKind::Call(name, args) => (None, name, args),
            StmtKind::Let(bound, Expr { kind: ExprKind::Call(name, args), .. }) => (Some(bound), name, args),
            _ => return None,
        };
        let meaning = self.meanings.get(name.text.as_str())?;
        if !matches!(meaning.script, Fragment::Statements(_)) {
            return None;
        }
        let mut args = args.clone();
        args.iter_mut().for_each(|arg| self.expr(&mut arg.value));
        let Some(Fragment::Statements(Block { mut statements, .. })) = self.called(name, &args) else { return Some(Vec::new()) };
        if let (Some(bound), Some(last)) = (bound, statements.last_mut()) {
            match &last.kind {
                StmtKind::Call(head, args) => {
                    let call = Expr { kind: ExprKind::Call(head.clone(), args.clone()), span: last.span };
                    last.kind = StmtKind::Let(bound.clone(), call);
                }
                StmtKind::Let(_, value) => last.kind = StmtKind::Let(bound.clone(), value.clone()),
                _ => self.misplaced(name),
            }
        }
        Some(statements)
    }

    /// A meaning's statement with its citations: those of the meaning, and those of the calling statement.
    fn cited(&self, mut inner: Stmt, stmt: &Stmt, found: &[Cite]) -> Stmt {
        if inner.cites.is_empty() && found.is_empty() {
            inner.cites.clone_from(&stmt.cites);
        } else {
            add(&mut inner.cites, if stmt.cites.is_empty() { self.around } else { &stmt.cites });
            add(&mut inner.cites, found);
        }
        inner
    }

    /// Gives a statement the rules of the meanings put into it. A statement without rules also gets the rules of its line.
    fn cite(&mut self, stmt: &mut Stmt, outer: Vec<Cite>) {
        let found = std::mem::replace(&mut self.found, outer);
        if !found.is_empty() {
            if stmt.cites.is_empty() {
                stmt.cites = self.around.to_vec();
            }
            add(&mut stmt.cites, &found);
        }
    }
}

impl Rewriter for Putting<'_, '_> {
    fn expr(&mut self, expr: &mut Expr) {
        walk_expr(self, expr);
        let ExprKind::Call(name, args) = &expr.kind else { return };
        match self.called(&name.clone(), &args.clone()) {
            Some(Fragment::Value(value)) => *expr = value,
            Some(_) => self.misplaced(&name.clone()),
            None => {}
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let outer = std::mem::take(&mut self.found);
        walk_stmt(self, stmt);
        if let StmtKind::Call(name, args) = &stmt.kind {
            match self.called(&name.clone(), &args.clone()) {
                Some(Fragment::Value(Expr { kind: ExprKind::Call(head, args), .. })) => stmt.kind = StmtKind::Call(head, args),
                Some(_) => self.misplaced(&name.clone()),
                None => {}
            }
        }
        self.cite(stmt, outer);
    }

    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.statements) {
            let outer = std::mem::take(&mut self.found);
            match self.statements(&stmt) {
                Some(inner) => {
                    let found = std::mem::replace(&mut self.found, outer);
                    block.statements.extend(inner.into_iter().map(|inner| self.cited(inner, &stmt, &found)));
                }
                None => {
                    self.found = outer;
                    self.stmt(&mut stmt);
                    block.statements.push(stmt);
                }
            }
        }
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        walk_pattern(self, pattern);
        let [EventPattern { verb, args, .. }] = pattern.events.as_slice() else { return };
        match self.called(&verb.clone(), &args.clone()) {
            Some(Fragment::Event(mut said)) => {
                if let Some(condition) = pattern.condition.take() {
                    said.condition = Some(also(said.condition, condition));
                }
                *pattern = said;
            }
            Some(_) => self.misplaced(&verb.clone()),
            None => {}
        }
    }
}

/// Fills the holes of a meaning's script with the arguments of the call.
struct Filling<'f> {
    args: FxHashMap<&'f str, &'f Expr>,
    /// Whether an argument stands where only a name or a hole is possible.
    misfit: bool,
}

impl Filling<'_> {
    fn fill(&mut self, name: &mut Name, bare: bool) {
        let Some(value) = self.args.get(name.text.trim_start_matches('$')) else { return };
        match &value.kind {
            ExprKind::Hole(hole) => name.text = if bare { hole.text.clone() } else { format!("${}", hole.text) },
            ExprKind::Name(word) if !bare => name.text.clone_from(&word.text),
            _ => self.misfit = true,
        }
    }
}

impl Rewriter for Filling<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Hole(name) = &expr.kind {
            if let Some(value) = self.args.get(name.text.as_str()) {
                *expr = (*value).clone();
            }
            return;
        }
        walk_expr(self, expr);
    }

    fn name(&mut self, name: &mut Name) {
        if name.text.starts_with('$') {
            self.fill(name, false);
        }
    }

    fn hole(&mut self, name: &mut Name) {
        let bare = !name.text.starts_with('$');
        self.fill(name, bare);
    }
}
