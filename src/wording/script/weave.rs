//! Weaving: fills the holes of a template's script, and gives each node the place of its phrase in the printed text.
//!
//! Input: a template, and the meanings of its parts. Output: the meaning of the whole phrase. Names that a script binds are marked with
//! their phrase, so that two uses of one template never share a name; [`crate::script::bind`] makes them plain again. References (`the CLASS`) are
//! not touched.

use crate::declared::grammar::{Grammar, ScriptKind, TemplateDef, UnclearId};
use crate::script::sayings::{Bound, Owner, Whose, also, computed, is_cause, laid_to, negated, pattern_of, said_of, whose};
use crate::script::size::{MOST_PARTS, is_named, parts_of};
use lang::diagnostic::Span;
use lang::syntax::ast::{
    Ability, AbilityBody, Amount, Arg, Block, Change, ChangeField, ChangeOp, Cite, Clause, ClauseKind, DeckLimit, EventPattern, Expr,
    ExprKind, Fragment, Name, Pattern, Stmt, StmtKind, Stripped,
};
use lang::syntax::rewrite::{
    Rewriter, walk_ability, walk_amount, walk_changes, walk_clause, walk_expr, walk_pattern, walk_stmt, walk_taken,
};
use lang::syntax::visit::{EachExpr, Visitor};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The sign between a name and the number of its phrase. No source can contain it.
pub(crate) const MARK: char = '\u{1}';

/// The text's own card. A template may give it like a bound name (`gives card = this`).
pub(crate) const THIS: &str = "this";

/// Calls that only wordings have. Weaving replaces them.
pub(crate) const SAYINGS: [&str; 4] = ["holds", "zone", "field", "whose"];

/// The event in a hole, possibly of another player.
pub(crate) const SAID: &str = "said";

/// The meaning of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// The phrase's script.
    pub script: Fragment,
    /// The things that the phrase gives to later references.
    pub gives: Vec<Given>,
    /// The values that the phrase puts into slots of the ability around it, in the order of the text.
    pub hands: Vec<Arg>,
    /// The rules beside values, amounts and events. The statement, clause or ability that contains them carries out these rules.
    pub cites: Vec<Cite>,
    /// The refused phrase inside it. The script is then worthless.
    pub unclear: Option<(Span, UnclearId)>,
    /// The number of expressions and statements in the script and in everything else here, or some more.
    pub size: usize,
}

/// A given thing: objects under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// The marked name.
    pub local: String,
    /// The thing's class.
    pub class: String,
    /// The phrase that gives the thing.
    pub span: Span,
    /// The player whose zone the objects were in, if the script says so.
    pub owner: Option<Expr>,
}

/// The kind of a script.
pub(crate) fn kind_of(script: &Fragment) -> ScriptKind {
    match script {
        Fragment::Value(_) => ScriptKind::Value,
        Fragment::Statements(_) => ScriptKind::Statements,
        Fragment::Clauses(_) => ScriptKind::Clauses,
        Fragment::Ability(_) => ScriptKind::Ability,
        Fragment::Event(_) => ScriptKind::Event,
        Fragment::Amount(_) => ScriptKind::Amount,
    }
}

/// Why a template's script could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unwoven {
    /// These holes do not fit. A template that was checked at its declaration has none.
    Misfits(Vec<Misfit>),
    /// The script has more than [`MOST_PARTS`] parts.
    TooLarge,
}

/// A hole that cannot be filled with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// The hole.
    pub name: Name,
}

/// A template's script with its holes filled.
///
/// The parts of the script are counted while it is made, so that a script that is too large takes little memory. (A template that uses a
/// hole twice doubles what stands in the hole, and a text can say it twenty times within itself.)
///
/// # Errors
/// The holes that do not fit, or that there are too many parts.
pub(crate) fn weave(grammar: &Grammar, template: &TemplateDef, holes: &[(String, Rc<Meaning>)], span: Span) -> Result<Meaning, Unwoven> {
    let mut script = template.script.clone();
    let mut gives: Vec<Given> = holes.iter().flat_map(|(_, meaning)| meaning.gives.iter().cloned()).collect();
    let mark = format!("{MARK}{}.{}.{}", span.start, span.end, template.span.start);
    name_results(&mut script, template);
    let locals = locals(&script);
    let mut weaver = Weaver {
        zones: &grammar.zones,
        holes,
        span,
        mark: &mark,
        cites: &template.cites,
        locals,
        used: Vec::new(),
        misfits: Vec::new(),
        attempted: false,
        size: 0,
    };
    weaver.fragment(&mut script);
    let mut hands: Vec<Arg> = holes.iter().flat_map(|(_, meaning)| meaning.hands.iter().cloned()).collect();
    for mut hand in template.hands.iter().cloned() {
        weaver.expr(&mut hand.value);
        hand.name.iter_mut().for_each(|name| name.span = span);
        add_hand(&mut hands, hand);
    }
    if let Fragment::Ability(ability) = &mut script {
        std::mem::take(&mut hands).into_iter().for_each(|hand| add_hand(&mut ability.slots, hand));
    }
    let Weaver { used, misfits, mut size, .. } = weaver;
    if size > MOST_PARTS {
        return Err(Unwoven::TooLarge);
    }
    let unnamed = template.gives.iter().find(|given| given.what.is_none()).map_or("", |given| given.class.text.as_str());
    for given in &template.gives {
        let local = given.what.as_ref().map_or(unnamed, |what| what.text.as_str());
        let local = if local == THIS { local.to_owned() } else { format!("{local}{mark}") };
        let mut owner = Owner { zones: &grammar.zones, found: None, until: Some(&local), bound: Bound::No };
        owner.fragment(&script);
        let owner = owner.found;
        size = size.saturating_add(owner.as_ref().map_or(0, parts_of));
        gives.push(Given { local, class: given.class.text.clone(), span, owner });
    }
    let mut cites = Vec::new();
    if matches!(script, Fragment::Value(_) | Fragment::Amount(_) | Fragment::Event(_)) {
        cites.clone_from(&template.cites);
        add(&mut cites, &used);
    }
    if misfits.is_empty() { Ok(Meaning { script, gives, hands, cites, unclear: None, size }) } else { Err(Unwoven::Misfits(misfits)) }
}

/// Adds a value for a slot. Equal values are added once, except choices. Different values become a list.
pub(crate) fn add_hand(slots: &mut Vec<Arg>, hand: Arg) {
    let text = |arg: &Arg| arg.name.as_ref().map(|name| name.text.clone());
    let Some(there) = slots.iter_mut().find(|slot| text(slot) == text(&hand)) else { return slots.push(hand) };
    let members = |value: &Expr| if let ExprKind::List(items) = &value.kind { items.clone() } else { vec![value.clone()] };
    let shown = |value: &Expr| crate::show_expr(value);
    let (before, more) = (members(&there.value), members(&hand.value));
    let known: FxHashSet<String> = before.iter().map(shown).collect();
    // Two choices count as two, even from the same set.
    let is_choice = |value: &Expr| matches!(value.kind, ExprKind::Pick(_));
    let new: Vec<Expr> = more.into_iter().filter(|value| is_choice(value) || !known.contains(&shown(value))).collect();
    if !new.is_empty() {
        let span = there.value.span;
        there.value = Expr { kind: ExprKind::List(before.into_iter().chain(new).collect()), span };
    }
}

/// The rules beside a template, and beside the statements and clauses of its script.
pub(crate) fn all_cites(template: &TemplateDef) -> Vec<Cite> {
    let mut cited = Cited { found: template.cites.clone() };
    cited.fragment(&template.script);
    cited.found
}

struct Cited {
    found: Vec<Cite>,
}

impl Visitor<'_> for Cited {
    fn cites(&mut self, cites: &Vec<Cite>) {
        add(&mut self.found, cites);
    }
}

/// Adds rules, each once.
pub(crate) fn add(cites: &mut Vec<Cite>, more: &[Cite]) {
    for cite in more {
        if !cites.iter().any(|known| known.id == cite.id) {
            cites.push(cite.clone());
        }
    }
}

/// `gives drawn` without a name: names the result of the last call after the class.
pub(crate) fn name_results(script: &mut Fragment, template: &TemplateDef) {
    let Some(given) = template.gives.iter().find(|given| given.what.is_none()) else { return };
    let Fragment::Statements(block) = script else { return };
    let Some(last) = block.statements.last_mut() else { return };
    match &last.kind {
        StmtKind::Call(name, args) => {
            let call = Expr { kind: ExprKind::Call(name.clone(), args.clone()), span: last.span };
            last.kind = StmtKind::Let(given.class.clone(), call);
        }
        // The result that a meaning has named itself.
        StmtKind::Let(_, value) => last.kind = StmtKind::Let(given.class.clone(), value.clone()),
        _ => {}
    }
}

/// The names that a script binds.
pub(crate) fn locals(script: &Fragment) -> FxHashSet<String> {
    struct Locals(FxHashSet<String>);
    impl Visitor<'_> for Locals {
        fn binder(&mut self, name: &Name) {
            self.0.insert(name.text.clone());
        }
    }
    let mut locals = Locals(FxHashSet::default());
    locals.fragment(script);
    locals.0
}

/// Whether a block is one instruction, possibly with choices and values before the instruction.
fn is_one(block: &Block) -> bool {
    let Some((last, before)) = block.statements.split_last() else { return true };
    let known = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Choose(_) => true,
        StmtKind::Let(_, value) => !matches!(value.kind, ExprKind::Call(..)),
        _ => false,
    };
    let acts = match &last.kind {
        StmtKind::ActingAs(_, body) => is_one(body),
        StmtKind::Call(..) | StmtKind::Let(..) | StmtKind::Choose(_) | StmtKind::May(..) | StmtKind::Attempt(..) | StmtKind::Hole(_) => {
            true
        }
        _ => false,
    };
    acts && before.iter().all(known)
}

/// Adding a negative number becomes subtracting.
fn less(change: &mut Change) {
    if change.op == ChangeOp::Add
        && let Some(value) = negated(&change.value.kind)
    {
        change.op = ChangeOp::Subtract;
        change.value.kind = value;
    }
}

struct Weaver<'a> {
    zones: &'a FxHashSet<String>,
    holes: &'a [(String, Rc<Meaning>)],
    span: Span,
    mark: &'a str,
    cites: &'a [Cite],
    locals: FxHashSet<String>,
    /// The rules of filled-in phrases since the surrounding statement, clause or ability began.
    used: Vec<Cite>,
    misfits: Vec<Misfit>,
    /// Whether the block being filled belongs to an `attempt` that the template writes.
    attempted: bool,
    /// The number of parts so far.
    size: usize,
}

impl<'a> Weaver<'a> {
    fn filling(&mut self, name: &str) -> Option<&'a Fragment> {
        let name = name.strip_prefix('$').unwrap_or(name);
        let (_, meaning) = self.holes.iter().find(|(hole, _)| hole == name)?;
        self.grows(meaning.size).then(|| add(&mut self.used, &meaning.cites))?;
        Some(&meaning.script)
    }

    /// Counts parts that are about to be put in. Gives whether there is room for them.
    fn grows(&mut self, parts: usize) -> bool {
        self.size = self.size.saturating_add(parts);
        self.size <= MOST_PARTS
    }

    /// Counts the copies of a value that are about to be put in. Gives whether there is room for them.
    fn repeats(&mut self, value: &Expr, times: usize) -> bool {
        self.grows(times.saturating_mul(parts_of(value)))
    }

    /// A statement, clause or ability without citations gets those of the template. The rules of the phrases inside it are added.
    fn citing<T>(&mut self, node: &mut T, cites: fn(&mut T) -> &mut Vec<Cite>, walk: impl FnOnce(&mut Self, &mut T)) {
        if cites(node).is_empty() {
            *cites(node) = self.cites.to_vec();
        }
        let outer = std::mem::take(&mut self.used);
        walk(self, node);
        let used = std::mem::replace(&mut self.used, outer);
        add(cites(node), &used);
    }

    fn value(&mut self, name: &Name) -> Option<Expr> {
        match self.filling(&name.text) {
            Some(Fragment::Value(expr)) => Some(expr.clone()),
            _ => {
                self.misfits.push(Misfit { name: name.clone() });
                None
            }
        }
    }

    /// Fills `$z` where a name must stand. The value must be a name.
    fn fill_name(&mut self, name: &mut Name) {
        if !name.text.starts_with('$') {
            return;
        }
        match self.filling(&name.text) {
            Some(Fragment::Value(Expr { kind: ExprKind::Name(value), .. })) => name.text.clone_from(&value.text),
            _ => self.misfits.push(Misfit { name: name.clone() }),
        }
    }

    /// A zone may have the name of a saying: `field(you)` is the zone, `field(it, $f)` is the saying.
    fn is_zone_of(&self, name: &Name, args: &[Arg]) -> bool {
        args.len() == 1 && self.zones.contains(&name.text)
    }

    /// The sayings: `holds(condition, object)`, `zone(zone, player)`, `field(card, field)`, `whose(objects)`.
    fn saying(&mut self, saying: &Name, args: Vec<Expr>, expr: &mut Expr) {
        expr.span = self.span;
        expr.kind = match (saying.text.as_str(), args.as_slice()) {
            ("holds", [condition, object]) => {
                let mut times = 0;
                EachExpr(|part: &Expr| times += usize::from(is_named(part, "it"))).expr(condition);
                if !self.repeats(object, times) {
                    return;
                }
                let mut said = said_of(condition.clone(), "it", object);
                Whose { zones: self.zones, span: self.span }.expr(&mut said);
                said.kind
            }
            ("zone", [Expr { kind: ExprKind::Name(zone), .. }, player]) => {
                ExprKind::Call(zone.clone(), vec![Arg { name: None, value: player.clone() }])
            }
            ("field", [card, Expr { kind: ExprKind::Name(field), .. }]) => ExprKind::Field(Box::new(card.clone()), field.clone()),
            ("whose", [objects]) => {
                *expr = whose(self.zones, objects, self.span);
                return;
            }
            _ => {
                self.misfits.push(Misfit { name: saying.clone() });
                return;
            }
        };
    }
}

impl Rewriter for Weaver<'_> {
    fn span(&mut self, span: &mut Span) {
        *span = self.span;
    }

    fn name(&mut self, name: &mut Name) {
        self.fill_name(name);
        if self.locals.contains(&name.text) {
            name.text.push_str(self.mark);
        }
        name.span = self.span;
    }

    fn callee(&mut self, name: &mut Name) {
        self.fill_name(name);
        name.span = self.span;
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Hole(name) => {
                if let Some(value) = self.value(&name.clone()) {
                    *expr = value;
                }
                return;
            }
            _ if !self.grows(1) => return,
            ExprKind::Call(name, args) if SAYINGS.contains(&name.text.as_str()) && !self.is_zone_of(name, args) => {
                args.iter_mut().for_each(|arg| self.expr(&mut arg.value));
                let args = args.iter().map(|arg| arg.value.clone()).collect();
                self.saying(&name.clone(), args, expr);
                return;
            }
            ExprKind::Field(_, name) | ExprKind::Is { what: name, .. } => self.fill_name(name),
            _ => {}
        }
        walk_expr(self, expr);
        if let Some(kind) = computed(&expr.kind) {
            expr.kind = kind;
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.span(&mut block.span);
        for mut stmt in std::mem::take(&mut block.statements) {
            let StmtKind::Hole(name) = &stmt.kind else {
                self.stmt(&mut stmt);
                match stmt.kind {
                    // A single instruction reports whether it was done, so it needs no `as far as possible`. In an attempt the bare
                    // instruction would make the attempt fail, so the wrapping stays.
                    StmtKind::AsFarAsPossible(one) if !self.attempted && is_one(&one) => block.statements.extend(one.statements),
                    // Repeating once is the same as not repeating.
                    StmtKind::Repeat(Expr { kind: ExprKind::Number(1), .. }, once) => block.statements.extend(once.statements),
                    _ => block.statements.push(stmt),
                }
                continue;
            };
            match self.filling(&name.text) {
                Some(Fragment::Statements(inner)) => {
                    let from = block.statements.len();
                    block.statements.extend(inner.statements.iter().cloned());
                    block.statements.iter_mut().skip(from).for_each(|inner| add(&mut inner.cites, &stmt.cites));
                }
                _ => self.misfits.push(Misfit { name: name.clone() }),
            }
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        self.grows(1);
        match &mut stmt.kind {
            StmtKind::PutBy(_, Some(name)) | StmtKind::Lasting(name, _) => self.fill_name(name),
            _ => {}
        }
        let attempted = self.attempted || matches!(stmt.kind, StmtKind::Attempt(..));
        let outer = std::mem::replace(&mut self.attempted, attempted);
        self.citing(stmt, |stmt| &mut stmt.cites, walk_stmt);
        self.attempted = outer;
    }

    fn clauses(&mut self, clauses: &mut Vec<Clause>) {
        for mut clause in std::mem::take(clauses) {
            let ClauseKind::Hole(name) = &clause.kind else {
                self.citing(&mut clause, |clause| &mut clause.cites, walk_clause);
                clauses.push(clause);
                continue;
            };
            match self.filling(&name.text) {
                Some(Fragment::Clauses(inner)) => {
                    let from = clauses.len();
                    clauses.extend(inner.iter().cloned());
                    clauses.iter_mut().skip(from).for_each(|inner| add(&mut inner.cites, &clause.cites));
                }
                _ => self.misfits.push(Misfit { name: name.clone() }),
            }
        }
    }

    /// A hole for a field may hold several fields. Then each of them is changed.
    fn changes(&mut self, changes: &mut Vec<Change>) {
        for change in std::mem::take(changes) {
            let ChangeField::Hole(name) = &change.field else {
                changes.push(change);
                continue;
            };
            let fields = match self.value(&name.clone()).map(|value| value.kind) {
                Some(ExprKind::List(fields)) => fields.into_iter().map(|field| field.kind).collect(),
                Some(field) => vec![field],
                None => Vec::new(),
            };
            for field in fields {
                match field {
                    ExprKind::Name(field) => changes.push(Change { field: ChangeField::Named(field), ..change.clone() }),
                    _ => self.misfits.push(Misfit { name: name.clone() }),
                }
            }
        }
        walk_changes(self, changes);
        changes.iter_mut().for_each(less);
    }

    /// A hole may hold an ability, a keyword or a field.
    fn taken(&mut self, taken: &mut Vec<Stripped>) {
        for stripped in taken.iter_mut() {
            let Stripped::Field(ChangeField::Hole(name)) = stripped else { continue };
            match self.filling(&name.text) {
                Some(Fragment::Ability(ability)) => {
                    *stripped = match &ability.kind {
                        AbilityBody::Keyword(keyword) => Stripped::Keyword(keyword.clone()),
                        _ => Stripped::Ability(ability.clone()),
                    };
                }
                Some(Fragment::Value(Expr { kind: ExprKind::Name(field), .. })) => {
                    *stripped = Stripped::Field(ChangeField::Named(field.clone()));
                }
                _ => self.misfits.push(Misfit { name: name.clone() }),
            }
        }
        walk_taken(self, taken);
    }

    fn ability(&mut self, ability: &mut Ability) {
        let AbilityBody::Hole(name) = &ability.kind else {
            self.citing(ability, |ability| &mut ability.cites, walk_ability);
            if let AbilityBody::Deck(limits) = &mut ability.kind {
                limits
                    .iter_mut()
                    .map(DeckLimit::cites_mut)
                    .filter(|cites| cites.is_empty())
                    .for_each(|cites| cites.clone_from(&ability.cites));
            }
            return;
        };
        match self.filling(&name.text) {
            Some(Fragment::Ability(inner)) => ability.clone_from(inner),
            _ => self.misfits.push(Misfit { name: name.clone() }),
        }
    }

    fn amount(&mut self, amount: &mut Amount) {
        if let Amount::Exactly(Expr { kind: ExprKind::Hole(name), .. }) = amount
            && let Some(Fragment::Amount(inner)) = self.filling(&name.text)
        {
            *amount = inner.clone();
            return;
        }
        walk_amount(self, amount);
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        if let [EventPattern { verb, args, .. }] = pattern.events.as_mut_slice()
            && verb.text == SAID
        {
            args.iter_mut().skip(1).for_each(|arg| self.expr(&mut arg.value));
            let event =
                args.first().and_then(|arg| if let ExprKind::Hole(name) = &arg.value.kind { self.filling(&name.text) } else { None });
            let (cause, player): (Vec<&Arg>, Vec<&Arg>) = args.iter().skip(1).partition(|arg| is_cause(arg));
            match event {
                Some(Fragment::Event(inner)) => {
                    let inner = inner.clone();
                    let events = inner.events.len();
                    let values = player.first().map(|player| (&player.value, true)).into_iter();
                    for (value, is_player) in values.chain(cause.first().map(|cause| (&cause.value, false))) {
                        let mut times = if is_player { 0 } else { events };
                        if is_player {
                            EachExpr(|part: &Expr| times += usize::from(is_named(part, "you"))).pattern(&inner);
                        }
                        if !self.repeats(value, times) {
                            return;
                        }
                    }
                    let said = player.first().map_or(inner.clone(), |player| pattern_of(inner, &player.value));
                    let mut said = cause.first().map_or(said.clone(), |cause| laid_to(said, cause));
                    if let Some(mut condition) = pattern.condition.take() {
                        self.expr(&mut condition);
                        said.condition = Some(also(said.condition, condition));
                    }
                    *pattern = said;
                }
                _ => self.misfits.push(Misfit { name: verb.clone() }),
            }
            return;
        }
        walk_pattern(self, pattern);
    }
}
