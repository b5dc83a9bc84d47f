//! Binds the references of a whole ability to the things that its earlier phrases gave, and gives plain names to bound names.
//!
//! `the CLASS` becomes the name of the nearest earlier thing of that class. A phrase counts as earlier once it is complete, so a sibling
//! argument of the same phrase does not count. A thing given in a branch of an `if` is not visible outside, unless the `if` only asks
//! whether the sentence before was done. It is an error if there is no earlier thing of the class, or if one phrase gave two.
//!
//! A replacement may let the player pay a price instead of the event: 「…場合、代わりに手札を1枚捨ててよい。そうしたら、そのカード…」. After the price, the things of
//! the event are nearer than the cards that paid the price. A card that the price uncovered from a pile stays nearer than both.

use crate::script::bare::Plain;
use crate::script::sayings::{computed, is_the_opponent, opponent_of, player};
use crate::script::weave::{Given, MARK, THIS};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, AbilityBody, Arg, BinaryOp, Block, Clause, ClauseKind, Expr, ExprKind, Name, Pattern, Stmt, StmtKind};
use lang::syntax::rewrite::{Rewriter, walk_ability, walk_block, walk_clause, walk_expr, walk_pattern, walk_stmt};
use lang::syntax::visit::Visitor;
use rustc_hash::FxHashSet;

/// An ability with its references bound and its names plain.
#[derive(Clone)]
pub(crate) struct Bound {
    /// The ability.
    pub ability: Ability,
    /// What is wrong with the ability's references.
    pub errors: Vec<Diagnostic>,
    /// Zones of the acting player to which things are sent, where the text does not say whose the things are.
    pub guessed: Vec<Name>,
}

/// The ability with its references bound and its names plain.
pub(crate) fn bind(mut ability: Ability, gives: &[Given]) -> Bound {
    // The text's own card is known from the beginning; everything given later is nearer.
    let open = gives
        .iter()
        .filter(|given| given.local == THIS)
        .map(|given| Open { given, depth: 0, left: false, of_opponent: false, later: false })
        .collect();
    let mut binder = Binder {
        gives,
        open,
        depth: 0,
        of_opponent: false,
        used: FxHashSet::default(),
        kept: Vec::new(),
        taken: Vec::new(),
        of_taken: FxHashSet::default(),
        replaces: false,
        of_event: Vec::new(),
        price: None,
        errors: Vec::new(),
        guessed: Vec::new(),
    };
    crate::script::follow::follow(&mut ability);
    binder.ability(&mut ability);
    let Binder { used, kept, errors, guessed, .. } = binder;
    Unused { used: &used, gives }.ability(&mut ability);
    Keeper { kept: &kept }.ability(&mut ability);
    crate::script::apart::apart(&mut ability);
    Plain::default().ability(&mut ability);
    Bound { ability, errors, guessed }
}

/// A given thing that can be referred to here.
#[derive(Clone, Copy)]
struct Open<'a> {
    given: &'a Given,
    /// The depth of the innermost block around it that is still open.
    depth: usize,
    /// Whether the block that bound it has been left, so that its name is no longer known.
    left: bool,
    /// Whether the thing is given where the opponent acts.
    of_opponent: bool,
    /// Whether the thing is given only at a later moment, so that it does not exist yet.
    later: bool,
}

struct Binder<'a> {
    gives: &'a [Given],
    open: Vec<Open<'a>>,
    depth: usize,
    /// Whether `you` is the opponent of the text's player here.
    of_opponent: bool,
    used: FxHashSet<String>,
    /// Names that are used outside their blocks, with the depth of the block that must keep them.
    kept: Vec<(String, usize)>,
    /// Things taken out of given things, in the order of the text.
    taken: Vec<Taken>,
    /// The names of results that were made from taken things.
    of_taken: FxHashSet<String>,
    /// Whether the next pattern is the event of a replacement.
    replaces: bool,
    /// The things that the replaced event gives. Empty outside of replacements.
    of_event: Vec<Open<'a>>,
    /// Inside a price (`may`) of a replacement: the number of things given before the price, and whether the price has uncovered cards of a
    /// pile.
    price: Option<(usize, bool)>,
    errors: Vec<Diagnostic>,
    /// Zones of the acting player to which things are sent, where the text does not say whose the things are.
    guessed: Vec<Name>,
}

/// The things given before a reference, the nearest first. The text's own card counts only if it is mentioned before the reference.
fn given_before<'o, 'a>(open: &'o [Open<'a>], reference: &Name) -> impl Iterator<Item = &'o Open<'a>> {
    let at = reference.span.start;
    open.iter().rev().filter(move |open| open.given.local != THIS || open.given.span.start <= at)
}

/// A choice among given things.
struct Taken {
    /// The name of the given things.
    from: String,
    /// The name of the chosen ones.
    by: String,
    /// The depth of the innermost block around the choice that is still open.
    depth: usize,
    /// Whether the block with the choice has been left. The branch may have been skipped; then the kept name stands for nothing.
    left: bool,
}

/// `you` or the opponent.
fn is_one_of_two(owner: &Expr) -> bool {
    let is_you = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name.text == "you");
    match &owner.kind {
        ExprKind::Call(name, args) => name.text == "opponent" && args.iter().all(|arg| is_you(&arg.value)),
        _ => is_you(owner),
    }
}

/// The name under which a block keeps a thing that an inner block gave.
fn kept_name(local: &str) -> String {
    format!("{KEPT}{local}")
}

/// The prefix of names that blocks keep.
const KEPT: &str = "kept\u{1}";

fn plain_name(name: &str) -> &str {
    name.strip_prefix(KEPT).unwrap_or(name)
}

/// Collects the names in an expression.
#[derive(Default)]
struct Names {
    found: FxHashSet<String>,
}

impl Visitor<'_> for Names {
    fn name(&mut self, name: &Name) {
        self.found.insert(plain_name(&name.text).to_owned());
    }
}

impl Binder<'_> {
    fn refer(&mut self, class: &Name) -> Option<Name> {
        self.refer_but(class, &FxHashSet::default())
    }

    /// Binds a reference to the nearest thing whose name is not among these.
    fn refer_but(&mut self, class: &Name, passed: &FxHashSet<String>) -> Option<Name> {
        let of_class = given_before(&self.open, class).filter(|open| open.given.class == class.text);
        let mut nearest = of_class.filter(|open| !passed.contains(&open.given.local));
        let Some(first) = nearest.next() else {
            self.errors.push(Diagnostic::error("E0404", class.span).with("class", &class.text));
            return None;
        };
        let Open { given, depth, left, later, .. } = *first;
        if let Some(second) = nearest.map(|open| open.given).find(|second| second.span == given.span && second.local != given.local) {
            let error = Diagnostic::error("E0405", class.span).with("class", &class.text);
            self.errors.push(error.note(given.span, "giver").note(second.span, "giver"));
        }
        if later {
            self.errors.push(Diagnostic::error("E0443", class.span).with("class", &class.text).note(given.span, "giver"));
        }
        self.used.insert(given.local.clone());
        Some(self.named(&given.local, (depth, left), class.span))
    }

    /// The name of a thing, or the kept name if its block has been left.
    fn named(&mut self, local: &str, (depth, left): (usize, bool), span: Span) -> Name {
        if !left {
            return Name { text: local.to_owned(), span };
        }
        let kept = (local.to_owned(), depth);
        if !self.kept.contains(&kept) {
            self.kept.push(kept);
        }
        Name { text: kept_name(local), span }
    }

    /// `among(the CLASS)`: the given things as a whole. Things that were chosen from them are passed over, and so are results of chosen
    /// things.
    fn among(&mut self, class: &Name, expr: &mut Expr) {
        let taken: FxHashSet<String> = self.taken.iter().map(|taken| taken.by.clone()).chain(self.of_taken.iter().cloned()).collect();
        let whole = given_before(&self.open, class).any(|open| open.given.class == class.text && !taken.contains(&open.given.local));
        let passed = if whole { taken } else { FxHashSet::default() };
        if let Some(name) = self.refer_but(class, &passed) {
            expr.kind = ExprKind::Name(name);
            self.untaken(expr);
        }
    }

    /// `untaken(the CLASS)`: the given things without those that were chosen from them before.
    fn untaken(&mut self, expr: &mut Expr) {
        self.expr(expr);
        let ExprKind::Name(name) = &expr.kind else { return };
        let from = plain_name(&name.text).to_owned();
        let taken: Vec<(String, usize, bool)> =
            self.taken.iter().filter(|taken| taken.from == from).map(|taken| (taken.by.clone(), taken.depth, taken.left)).collect();
        for (by, depth, left) in taken {
            let by = Expr { kind: ExprKind::Name(self.named(&by, (depth, left), expr.span)), span: expr.span };
            let all = std::mem::replace(expr, Expr { kind: ExprKind::Bool(false), span: by.span });
            expr.kind = ExprKind::Binary(Box::new(all), BinaryOp::Except, Box::new(by));
        }
    }

    /// Notes that the things chosen from given things are taken out of them.
    fn takes(&mut self, from: &Expr, by: &Name) {
        let mut names = Names::default();
        names.expr(from);
        let mut given: Vec<String> =
            self.open.iter().map(|open| open.given.local.clone()).filter(|local| names.found.contains(local.as_str())).collect();
        given.dedup();
        let depth = self.depth;
        self.taken.extend(given.into_iter().map(|from| Taken { from, by: by.text.clone(), depth, left: false }));
    }

    /// Notes that a result comes from taken things.
    fn becomes(&mut self, value: &Expr, name: &Name) {
        let mut names = Names::default();
        names.expr(value);
        let is_taken = |name: &String| self.of_taken.contains(name) || self.taken.iter().any(|taken| taken.by == *name);
        if names.found.iter().any(is_taken) {
            self.of_taken.insert(name.text.clone());
        }
    }

    /// The player to whom the nearest objects of a class belong: the one in whose zone they were, else the acting player.
    fn whose(&self, class: &Name, span: Span) -> Expr {
        let mut before = given_before(&self.open, class).skip_while(|open| open.given.class != class.text);
        let Some((owner, there)) = before.find_map(|open| Some((open.given.owner.clone()?, open.of_opponent))) else {
            return player("you", span);
        };
        let mut owner = self.seen_from(owner, there, span);
        // The owner was noted where the other player acts, so `you` meant the other player there.
        if there != self.of_opponent && is_one_of_two(&owner) {
            owner = opponent_of(Expr { span: owner.span.to(span), ..owner });
        }
        owner
    }

    /// A player in whose words `the opponent` may stand, seen from a place where the opponent acts or does not act.
    fn seen_from(&self, player: Expr, of_opponent: bool, span: Span) -> Expr {
        match player.kind {
            _ if is_the_opponent(&player) => self.opponent(of_opponent, player.span),
            ExprKind::Call(name, mut args) if name.text == "opponent" && args.len() == 1 => {
                let inner = args.pop().map_or_else(|| self::player("you", span), |arg| arg.value);
                opponent_of(self.seen_from(inner, of_opponent, span))
            }
            kind => Expr { kind, span: player.span },
        }
    }

    /// Notes a zone `zone(whose(the CLASS))` if no earlier phrase says whose the objects are. The owner of the text's own card is known, so
    /// its zone is not noted.
    fn note_guess(&mut self, zone: &Name, args: &[Arg]) {
        let [Arg { value: Expr { kind: ExprKind::Call(saying, of), .. }, .. }] = args else { return };
        let [Arg { value: Expr { kind: ExprKind::The(class), .. }, .. }] = of.as_slice() else { return };
        let mut before = given_before(&self.open, class).skip_while(|open| open.given.class != class.text).peekable();
        let of_another = before.peek().is_some_and(|open| open.given.local != THIS);
        if saying.text == "whose" && of_another && before.all(|open| open.given.owner.is_none()) {
            self.guessed.push(zone.clone());
        }
    }

    /// The opponent of the text's player, seen from a place where this opponent acts or does not act.
    fn opponent(&self, of_opponent: bool, span: Span) -> Expr {
        let you = player("you", span);
        if of_opponent { you } else { opponent_of(you) }
    }

    /// A block that a player performs: `you` is this player in it.
    fn acting(&mut self, who: &mut Expr, body: &mut Block) {
        let outer = self.of_opponent;
        let is_you = matches!(&who.kind, ExprKind::Name(name) if name.text == "you");
        let inner = is_the_opponent(who) || is_you && outer;
        self.expr(who);
        self.of_opponent = inner;
        self.block(body);
        self.of_opponent = outer;
    }

    /// Walks a part of the ability. `replaces` says whether the part is a replacement. The facts about replacements around the part are put
    /// back afterwards.
    fn replacing(&mut self, replaces: bool, walk: impl FnOnce(&mut Self)) {
        let outer = (std::mem::replace(&mut self.replaces, replaces), std::mem::take(&mut self.of_event), self.price.take());
        walk(self);
        (self.replaces, self.of_event, self.price) = outer;
    }

    /// Ends the price of a replacement: the things of the event become the nearest things again. This does not happen if the price
    /// uncovered cards.
    fn behind_price(&mut self) {
        let Some((_, uncovered)) = self.price.filter(|(before, _)| self.open.len() > *before) else { return };
        self.price = None;
        if !uncovered {
            self.open.extend_from_slice(&self.of_event);
        }
    }

    fn branch(&mut self, block: &mut Block) {
        let seen = self.open.len();
        self.block(block);
        self.open.truncate(seen);
    }
}

impl Rewriter for Binder<'_> {
    fn binder(&mut self, name: &mut Name) {
        let depth = self.depth;
        let of_opponent = self.of_opponent;
        let given = self.gives.iter().filter(|given| given.local == name.text);
        self.open.extend(given.map(|given| Open { given, depth, left: false, of_opponent, later: false }));
    }

    fn block(&mut self, block: &mut Block) {
        self.depth += 1;
        walk_block(self, block);
        let depth = self.depth;
        let here: Vec<Stmt> = self.kept.iter().filter(|(_, at)| *at == depth).map(|(local, _)| keep_nothing(local, block.span)).collect();
        block.statements.splice(0..0, here);
        self.kept.iter_mut().filter(|(_, at)| *at == depth).for_each(|(_, at)| *at = 0);
        self.depth -= 1;
        for open in self.open.iter_mut().filter(|open| open.depth == depth) {
            (open.depth, open.left) = (depth - 1, true);
        }
        for taken in self.taken.iter_mut().filter(|taken| taken.depth == depth) {
            (taken.depth, taken.left) = (depth - 1, true);
        }
    }

    fn ability(&mut self, ability: &mut Ability) {
        let replaces = matches!(ability.kind, AbilityBody::Instead(..));
        let (given, taken) = (self.open.len(), self.taken.len());
        self.replacing(replaces, |binder| walk_ability(binder, ability));
        // An ability gives something in its body. Another ability that is performed has nothing of that.
        self.open.truncate(given);
        self.taken.truncate(taken);
    }

    fn clause(&mut self, clause: &mut Clause) {
        let replaces = matches!(clause.kind, ClauseKind::Instead(..) | ClauseKind::NextInstead(..));
        self.replacing(replaces, |binder| walk_clause(binder, clause));
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        let seen = self.open.len();
        walk_pattern(self, pattern);
        if std::mem::take(&mut self.replaces) {
            // The text's own card is nearest if its own event is replaced.
            let args = pattern.events.iter().flat_map(|event| &event.args);
            let own: Vec<Span> = args.filter(|arg| is_this(&arg.value)).map(|arg| arg.value.span).collect();
            let given = self.gives.iter().filter(|given| given.local == THIS && own.contains(&given.span));
            let (depth, of_opponent) = (self.depth, self.of_opponent);
            self.open.extend(given.map(|given| Open { given, depth, left: false, of_opponent, later: false }));
            self.of_event = self.open.iter().skip(seen).copied().collect();
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        if let Some((_, uncovered)) = &mut self.price {
            *uncovered |= uncovers(&expr.kind);
        }
        if let ExprKind::Call(zone, args) = &expr.kind {
            self.note_guess(zone, args);
        }
        if let ExprKind::Call(saying, args) = &expr.kind
            && saying.text == "whose"
            && let [Arg { value: Expr { kind: ExprKind::The(class), .. }, .. }] = args.as_slice()
        {
            *expr = self.whose(class, expr.span);
            return;
        }
        if let ExprKind::Call(saying, args) = &expr.kind
            && saying.text == "among"
            && let [Arg { value: Expr { kind: ExprKind::The(class), .. }, .. }] = args.as_slice()
        {
            return self.among(&class.clone(), expr);
        }
        if let ExprKind::Call(saying, args) = &mut expr.kind
            && saying.text == "untaken"
            && let [Arg { value, .. }] = args.as_mut_slice()
        {
            self.untaken(value);
            *expr = value.clone();
            return;
        }
        if is_the_opponent(expr) {
            *expr = self.opponent(self.of_opponent, expr.span);
            return;
        }
        if let ExprKind::The(class) = &expr.kind {
            if let Some(name) = self.refer(&class.clone()) {
                expr.kind = ExprKind::Name(name);
            }
            return;
        }
        walk_expr(self, expr);
        if let Some(kind) = computed(&expr.kind) {
            expr.kind = kind;
        }
        // `x except y` is `x` if `x` excludes `y` already.
        if let ExprKind::Binary(of, BinaryOp::Except, less) = &expr.kind
            && let ExprKind::Name(less) = &less.kind
            && is_without(of, &less.text)
        {
            *expr = of.as_ref().clone();
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::ActingAs(who, body) = &mut stmt.kind {
            return self.acting(who, body);
        }
        match &stmt.kind {
            StmtKind::May(..) if !self.of_event.is_empty() => {
                self.price = Some((self.open.len(), false));
                walk_stmt(self, stmt);
                self.price = None;
                return;
            }
            StmtKind::AsFarAsPossible(_) => self.behind_price(),
            StmtKind::If(condition, ..) if crate::script::follow::is_done(condition) => self.behind_price(),
            _ => {}
        }
        if matches!(stmt.kind, StmtKind::PutBy(..) | StmtKind::Lasting(..)) {
            let seen = self.open.len();
            walk_stmt(self, stmt);
            self.open.iter_mut().skip(seen).for_each(|open| open.later = true);
            return;
        }
        // If several players each do something, nobody can say whose result is meant.
        if matches!(stmt.kind, StmtKind::SimultaneouslyFor { .. }) {
            let (seen, taken) = (self.open.len(), self.taken.len());
            walk_stmt(self, stmt);
            self.open.truncate(seen);
            self.taken.truncate(taken);
            return;
        }
        match &stmt.kind {
            StmtKind::Choose(_) => {
                walk_stmt(self, stmt);
                if let StmtKind::Choose(choose) = &stmt.kind {
                    self.takes(&choose.pick.from, &choose.name);
                }
                return;
            }
            // A `let` with a filter takes all members that fit out of the things, like a choice.
            StmtKind::Let(_, Expr { kind: ExprKind::Where { .. }, .. }) => {
                walk_stmt(self, stmt);
                if let StmtKind::Let(name, part) = &stmt.kind {
                    self.takes(part, name);
                }
                return;
            }
            StmtKind::Let(..) => {
                walk_stmt(self, stmt);
                if let StmtKind::Let(name, value) = &stmt.kind {
                    self.becomes(value, name);
                }
                return;
            }
            _ => {}
        }
        let StmtKind::If(condition, then, other) = &mut stmt.kind else {
            walk_stmt(self, stmt);
            return;
        };
        self.expr(condition);
        // If an `if done` has no real alternative, things that it gives stay visible after it: if the sentence was not done, nothing was
        // given.
        if crate::script::follow::is_alone(other.as_ref()) && crate::script::follow::is_done(condition) {
            self.block(then);
            if let Some(other) = other {
                self.branch(other);
            }
            return;
        }
        self.branch(then);
        if let Some(other) = other {
            self.branch(other);
        }
    }
}

/// Whether an expression is the text's own card.
fn is_this(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name.text == THIS)
}

/// Whether an expression names cards of a pile by their place in the pile.
fn uncovers(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::End { .. })
}

/// Whether a set already excludes this name.
fn is_without(set: &Expr, name: &str) -> bool {
    match &set.kind {
        ExprKind::Binary(of, BinaryOp::Except, less) => {
            matches!(&less.kind, ExprKind::Name(less) if less.text == name) || is_without(of, name)
        }
        _ => false,
    }
}

/// `let kept = [this] except [this]`: empty until an inner block gives something.
fn keep_nothing(local: &str, span: Span) -> Stmt {
    let this = || Expr { kind: ExprKind::Name(Name { text: "this".to_owned(), span }), span };
    let list = || Box::new(Expr { kind: ExprKind::List(vec![this()]), span });
    let nothing = Expr { kind: ExprKind::Binary(list(), BinaryOp::Except, list()), span };
    Stmt { cites: Vec::new(), kind: StmtKind::Let(Name { text: kept_name(local), span }, nothing), span }
}

/// Assigns things that are used outside their block to their kept names, as soon as they exist.
struct Keeper<'a> {
    kept: &'a [(String, usize)],
}

impl Rewriter for Keeper<'_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in std::mem::take(&mut block.statements) {
            let bound = match &stmt.kind {
                StmtKind::Let(name, _) => Some(name),
                StmtKind::Choose(choose) => Some(&choose.name),
                StmtKind::ChooseMatch { name, .. } => Some(name),
                // A template may give the thing later: `let thrown = none`, then `thrown = …` in a branch.
                StmtKind::Assign(Expr { kind: ExprKind::Name(name), .. }, _) => Some(name),
                _ => None,
            };
            let bound = bound.filter(|name| self.kept.iter().any(|(local, _)| *local == name.text)).cloned();
            block.statements.push(stmt);
            if let Some(name) = bound {
                let span = name.span;
                let kept = Expr { kind: ExprKind::Name(Name { text: kept_name(&name.text), span }), span };
                let value = Expr { kind: ExprKind::Name(name), span };
                block.statements.push(Stmt { cites: Vec::new(), kind: StmtKind::Assign(kept, value), span });
            }
        }
        walk_block(self, block);
    }
}

/// Drops the name of a result that nobody refers to.
struct Unused<'a> {
    used: &'a FxHashSet<String>,
    gives: &'a [Given],
}

impl Rewriter for Unused<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Let(name, Expr { kind: ExprKind::Call(verb, args), .. }) = &mut stmt.kind
            && !self.used.contains(&name.text)
            && self.gives.iter().any(|given| given.local == name.text && name.text.starts_with(&format!("{}{MARK}", given.class)))
        {
            stmt.kind = StmtKind::Call(verb.clone(), std::mem::take(args));
        }
        walk_stmt(self, stmt);
    }
}
