//! The children of each node of a script, in the order of the text. The list stands here once, for readers and for rewriters.
//!
//! Every `match` names all variants, and every node is taken apart with all its fields. So a new variant or a new field does not compile
//! until this file says which children it has. [`super::visit`] and [`super::rewrite`] are made from the list. They differ in one thing:
//! `$to` is `&'t` for readers and `&mut` for rewriters.

/// Makes a trait with one method for each kind of node, and a `walk_` function for each kind that visits the inside of a node.
macro_rules! walks {
    ($Visitor:ident $(<$life:lifetime>)?, $($to:tt)+) => {
        use crate::diagnostic::Span;
        use crate::syntax::ast::{
            Ability, AbilityBody, Amount, Arg, Block, Change, ChangeField, Choose, Cite, Clause, ClauseKind, DeckBound, DeckLimit, DeckMust,
            EventPattern, Expr, ExprKind, Fragment, Granted, MarkReach, Name, Offer, Pattern, Pick, Shield, ShieldFrom, Since, Stmt,
            StmtKind, Stripped,
        };

        /// What is done with each kind of node. By default only the inner nodes are visited.
        pub trait $Visitor $(<$life>)?: Sized {
            /// The place of a node.
            fn span(&mut self, _span: $($to)+ Span) {}
            /// The rules beside a node.
            fn cites(&mut self, _cites: $($to)+ Vec<Cite>) {}
            /// A name that the script uses or binds. Names of what is called are included.
            fn name(&mut self, name: $($to)+ Name) {
                let Name { text: _, span } = name;
                self.span(span);
            }
            /// The name of what a call calls, or of an event. Unlike other names it is never a local one.
            fn callee(&mut self, name: $($to)+ Name) {
                self.name(name);
            }
            /// A name that is bound here.
            fn binder(&mut self, name: $($to)+ Name) {
                self.name(name);
            }
            /// A name that may be a hole, at a place where no local name can stand (fields, moments, `the CLASS`).
            fn hole(&mut self, name: $($to)+ Name) {
                let Name { text: _, span } = name;
                self.span(span);
            }
            /// A name from the rules that cannot be a hole: a kind of ability, a keyword, a slot, a role.
            fn label(&mut self, name: $($to)+ Name) {
                let Name { text: _, span } = name;
                self.span(span);
            }
            /// An expression.
            fn expr(&mut self, expr: $($to)+ Expr) {
                walk_expr(self, expr);
            }
            /// The arguments of a call, or the filled slots of an ability.
            fn args(&mut self, args: $($to)+ Vec<Arg>) {
                walk_args(self, args);
            }
            /// An amount.
            fn amount(&mut self, amount: $($to)+ Amount) {
                walk_amount(self, amount);
            }
            /// A pattern.
            fn pattern(&mut self, pattern: $($to)+ Pattern) {
                walk_pattern(self, pattern);
            }
            /// A block.
            fn block(&mut self, block: $($to)+ Block) {
                walk_block(self, block);
            }
            /// A statement.
            fn stmt(&mut self, stmt: $($to)+ Stmt) {
                walk_stmt(self, stmt);
            }
            /// A list of clauses.
            fn clauses(&mut self, clauses: $($to)+ Vec<Clause>) {
                walk_clauses(self, clauses);
            }
            /// A clause.
            fn clause(&mut self, clause: $($to)+ Clause) {
                walk_clause(self, clause);
            }
            /// The changes of a clause.
            fn changes(&mut self, changes: $($to)+ Vec<Change>) {
                walk_changes(self, changes);
            }
            /// A change.
            fn change(&mut self, change: $($to)+ Change) {
                walk_change(self, change);
            }
            /// The things that a clause gives.
            fn given(&mut self, given: $($to)+ Vec<Granted>) {
                walk_given(self, given);
            }
            /// The things that a clause takes away.
            fn taken(&mut self, taken: $($to)+ Vec<Stripped>) {
                walk_taken(self, taken);
            }
            /// An ability.
            fn ability(&mut self, ability: $($to)+ Ability) {
                walk_ability(self, ability);
            }
            /// The script of a template.
            fn fragment(&mut self, script: $($to)+ Fragment) {
                match script {
                    Fragment::Value(expr) => self.expr(expr),
                    Fragment::Statements(block) => self.block(block),
                    Fragment::Clauses(clauses) => self.clauses(clauses),
                    Fragment::Ability(ability) => self.ability(ability),
                    Fragment::Event(pattern) => self.pattern(pattern),
                    Fragment::Amount(amount) => self.amount(amount),
                }
            }
        }

        /// Visits the inside of an expression.
        pub fn walk_expr<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, expr: $($to)+ Expr) {
            let Expr { kind, span } = expr;
            v.span(span);
            match kind {
                ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Ordinal(_, _) | ExprKind::Bool(_) => {}
                ExprKind::Name(name) => v.name(name),
                ExprKind::Any(name) => v.binder(name),
                ExprKind::Every { name, member, condition } => {
                    v.binder(name);
                    if let Some(member) = member {
                        v.binder(member);
                    }
                    if let Some(condition) = condition {
                        v.expr(condition);
                    }
                }
                ExprKind::The(name) | ExprKind::Hole(name) => v.hole(name),
                ExprKind::Call(name, args) => {
                    v.callee(name);
                    v.args(args);
                }
                ExprKind::Field(of, name) => {
                    v.expr(of);
                    v.hole(name);
                }
                ExprKind::List(items) | ExprKind::Tuple(items) => {
                    for item in items {
                        v.expr(item);
                    }
                }
                ExprKind::Cited(cites, inner) => {
                    v.cites(cites);
                    v.expr(inner);
                }
                ExprKind::Printed(inner)
                | ExprKind::Not(inner)
                | ExprKind::Negate(inner)
                | ExprKind::Exists(inner)
                | ExprKind::Some(inner)
                | ExprKind::All(inner)
                | ExprKind::Can(inner) => v.expr(inner),
                ExprKind::Binary(left, _, right) | ExprKind::WithoutEffect(left, right) => {
                    v.expr(left);
                    v.expr(right);
                }
                ExprKind::Is { subject, negated: _, what } => {
                    v.expr(subject);
                    v.hole(what);
                }
                ExprKind::Has { subject, what } => {
                    v.expr(subject);
                    v.expr(what);
                }
                ExprKind::If(condition, then, other) => {
                    v.expr(condition);
                    v.expr(then);
                    v.expr(other);
                }
                ExprKind::Where { set, binder, condition } => {
                    v.expr(set);
                    if let Some(binder) = binder {
                        v.binder(binder);
                    }
                    v.expr(condition);
                }
                ExprKind::End { end: _, count, zone } => {
                    if let Some(count) = count {
                        v.expr(count);
                    }
                    v.expr(zone);
                }
                ExprKind::Pick(pick) => walk_pick(v, pick),
                ExprKind::Caused(name, of) => {
                    v.hole(name);
                    v.expr(of);
                }
                ExprKind::Happened(pattern, since) | ExprKind::Latest(pattern, since) => {
                    v.pattern(pattern);
                    match since {
                        Some(Since::Named(point)) => v.name(point),
                        Some(Since::Event(event)) => v.expr(event),
                        None => {}
                    }
                }
            }
        }

        fn walk_optional<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, expr: $($to)+ Option<Expr>) {
            if let Some(expr) = expr {
                v.expr(expr);
            }
        }

        /// Visits the arguments of a call.
        pub fn walk_args<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, args: $($to)+ [Arg]) {
            for Arg { name, value } in args {
                if let Some(name) = name {
                    v.label(name);
                }
                v.expr(value);
            }
        }

        fn walk_pick<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, pick: $($to)+ Pick) {
            let Pick { amount, from, by } = pick;
            v.amount(amount);
            v.expr(from);
            walk_optional(v, by);
        }

        /// Visits the inside of an amount.
        pub fn walk_amount<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, amount: $($to)+ Amount) {
            match amount {
                Amount::Exactly(number) | Amount::UpTo(number) | Amount::Announced(number) => v.expr(number),
                Amount::AnyNumber(span) => v.span(span),
            }
        }

        /// Visits the inside of a pattern.
        pub fn walk_pattern<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, pattern: $($to)+ Pattern) {
            let Pattern { events, condition, span } = pattern;
            v.span(span);
            for EventPattern { verb, args, span } in events {
                v.span(span);
                v.callee(verb);
                v.args(args);
            }
            walk_optional(v, condition);
        }

        /// Visits the inside of a block.
        pub fn walk_block<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, block: $($to)+ Block) {
            let Block { statements, span, head, end } = block;
            v.span(span);
            v.cites(head);
            for stmt in statements {
                v.stmt(stmt);
            }
            v.cites(end);
        }

        fn walk_else<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, block: $($to)+ Option<Block>) {
            if let Some(block) = block {
                v.block(block);
            }
        }

        /// Visits the inside of a statement.
        pub fn walk_stmt<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, stmt: $($to)+ Stmt) {
            let Stmt { cites, kind, span } = stmt;
            v.span(span);
            v.cites(cites);
            match kind {
                StmtKind::Break | StmtKind::Stop | StmtKind::ApplyRules => {}
                StmtKind::Let(name, value) => {
                    v.expr(value);
                    v.binder(name);
                }
                StmtKind::Assign(left, right) => {
                    v.expr(left);
                    v.expr(right);
                }
                StmtKind::If(condition, then, other) => {
                    v.expr(condition);
                    v.block(then);
                    walk_else(v, other);
                }
                StmtKind::Applies(condition) => v.expr(condition),
                StmtKind::Loop(body) | StmtKind::AsFarAsPossible(body) | StmtKind::Atomically(body) | StmtKind::Finally(body) => {
                    v.block(body);
                }
                StmtKind::Judge(condition, body) | StmtKind::Veiled(condition, body) => {
                    walk_optional(v, condition);
                    v.block(body);
                }
                StmtKind::Repeat(value, body) | StmtKind::May(value, body, _) | StmtKind::ActingAs(value, body) => {
                    v.expr(value);
                    v.block(body);
                }
                StmtKind::For(binder, set, body) | StmtKind::SimultaneouslyFor { in_order: _, binder, set, body } => {
                    v.expr(set);
                    v.binder(binder);
                    v.block(body);
                }
                StmtKind::Return(value) => walk_optional(v, value),
                StmtKind::Perform(value) => v.expr(value),
                StmtKind::Label(name) | StmtKind::Restart(name) | StmtKind::Hole(name) => v.hole(name),
                StmtKind::Mark(name, reach) => {
                    v.hole(name);
                    match reach {
                        MarkReach::Game | MarkReach::Stretch => {}
                        MarkReach::Copied(of) => v.hole(of),
                    }
                }
                StmtKind::Choose(choose) => walk_choose(v, choose),
                StmtKind::ChooseMatch { name, of, args, label: _, by } => {
                    v.label(of);
                    v.args(args);
                    walk_optional(v, by);
                    v.binder(name);
                }
                StmtKind::Attempt(body, other) => {
                    v.block(body);
                    walk_else(v, other);
                }
                StmtKind::Simultaneously(blocks) => {
                    for block in blocks {
                        v.block(block);
                    }
                }
                StmtKind::Call(name, args) => {
                    v.callee(name);
                    v.args(args);
                }
                StmtKind::Emit(name, args, mark) => {
                    v.label(name);
                    v.args(args);
                    if let Some(mark) = mark {
                        v.label(mark);
                    }
                }
                StmtKind::Interrupt(name, args) => {
                    v.label(name);
                    v.args(args);
                }
                StmtKind::InterruptFor { binder, set, timing, args } => {
                    v.expr(set);
                    v.binder(binder);
                    v.label(timing);
                    v.args(args);
                }
                StmtKind::PutBy(body, moment) => {
                    v.block(body);
                    if let Some(moment) = moment {
                        v.hole(moment);
                    }
                }
                StmtKind::Lasting(duration, clauses) => {
                    v.hole(duration);
                    v.clauses(clauses);
                }
                StmtKind::Offer(offer) => walk_offer(v, offer),
                StmtKind::Declare(name, offer) => {
                    walk_offer(v, offer);
                    v.binder(name);
                }
                StmtKind::Recheck(conditions, other) => {
                    for condition in conditions {
                        v.expr(condition);
                    }
                    walk_else(v, other);
                }
                StmtKind::Watch(condition, body, aborted) => {
                    v.expr(condition);
                    v.block(body);
                    v.block(aborted);
                }
                StmtKind::During(role, args, body) => {
                    v.label(role);
                    v.args(args);
                    v.block(body);
                }
            }
        }

        fn walk_choose<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, choose: $($to)+ Choose) {
            let Choose { name, label: _, pick, together, by, manner: _, or_none: _, called: _ } = choose;
            walk_pick(v, pick);
            walk_optional(v, by);
            v.binder(name);
            walk_optional(v, together);
        }

        fn walk_offer<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, offer: $($to)+ Offer) {
            let Offer { player, label: _, from, or_pass: _, secretly: _, acted, acted_cites, passed, passed_cites } = offer;
            v.expr(player);
            for group in from {
                v.expr(group);
            }
            v.cites(acted_cites);
            walk_else(v, acted);
            v.cites(passed_cites);
            walk_else(v, passed);
        }

        /// Visits the clauses of a list.
        pub fn walk_clauses<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, clauses: $($to)+ [Clause]) {
            for clause in clauses {
                v.clause(clause);
            }
        }

        /// Visits the inside of a clause.
        pub fn walk_clause<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, clause: $($to)+ Clause) {
            let Clause { cites, kind, span } = clause;
            v.span(span);
            v.cites(cites);
            match kind {
                ClauseKind::Modify(of, changes) | ClauseKind::Price(of, changes) => {
                    v.expr(of);
                    v.changes(changes);
                }
                ClauseKind::Grant(to, given) => {
                    v.expr(to);
                    v.given(given);
                }
                ClauseKind::Strip(from, taken) => {
                    v.expr(from);
                    v.taken(taken);
                }
                ClauseKind::Disable(of) | ClauseKind::Assume(of) => v.expr(of),
                ClauseKind::Shield(Shield { cards, from, effects }) => {
                    v.expr(cards);
                    match from {
                        ShieldFrom::Choices(choices) => {
                            for choice in choices {
                                v.label(choice);
                            }
                        }
                        ShieldFrom::EffectsThat(_, field) => v.label(field),
                        ShieldFrom::Effects | ShieldFrom::EffectsBefore => {}
                    }
                    walk_optional(v, effects);
                }
                ClauseKind::Forbid(pattern) | ClauseKind::Permit(pattern) => v.pattern(pattern),
                ClauseKind::Require(choice, value) => {
                    v.label(choice);
                    v.expr(value);
                }
                ClauseKind::Instead(pattern, body)
                | ClauseKind::When(pattern, body)
                | ClauseKind::NextTime(pattern, body)
                | ClauseKind::NextInstead(pattern, body) => {
                    v.pattern(pattern);
                    v.block(body);
                }
                ClauseKind::Whenever(condition, body) => {
                    v.expr(condition);
                    v.block(body);
                }
                ClauseKind::While(condition, clauses) => {
                    v.expr(condition);
                    v.clauses(clauses);
                }
                ClauseKind::Hole(name) => v.hole(name),
            }
        }

        /// Visits the changes of a list.
        pub fn walk_changes<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, changes: $($to)+ [Change]) {
            for change in changes {
                v.change(change);
            }
        }

        /// Visits the inside of a change.
        pub fn walk_change<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, change: $($to)+ Change) {
            let Change { field, op: _, value, span } = change;
            v.span(span);
            match field {
                ChangeField::Named(name) | ChangeField::Hole(name) => v.hole(name),
            }
            v.expr(value);
        }

        /// Visits the things that a clause gives.
        fn walk_given<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, given: $($to)+ [Granted]) {
            for given in given {
                match given {
                    Granted::Ability(ability) => v.ability(ability),
                    Granted::Change(change) => v.change(change),
                    Granted::Slot(slot, value) => {
                        v.label(slot);
                        v.expr(value);
                    }
                    Granted::Like(abilities) => v.expr(abilities),
                }
            }
        }

        /// Visits the things that a clause takes away.
        pub fn walk_taken<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, taken: $($to)+ [Stripped]) {
            for taken in taken {
                match taken {
                    Stripped::Keyword(name) | Stripped::Abilities(Some(name)) => v.label(name),
                    Stripped::Abilities(None) => {}
                    Stripped::Ability(ability) => v.ability(ability),
                    Stripped::Field(ChangeField::Named(name) | ChangeField::Hole(name)) => v.hole(name),
                }
            }
        }

        /// Visits the inside of an ability.
        pub fn walk_ability<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, ability: $($to)+ Ability) {
            let Ability { cites, kind, slots, span } = ability;
            v.span(span);
            v.cites(cites);
            v.args(slots);
            match kind {
                AbilityBody::Kind(name, body) => {
                    v.label(name);
                    v.block(body);
                }
                AbilityBody::Static(condition, clauses) => {
                    walk_optional(v, condition);
                    v.clauses(clauses);
                }
                AbilityBody::When(pattern, body) | AbilityBody::Instead(pattern, body) => {
                    v.pattern(pattern);
                    v.block(body);
                }
                AbilityBody::Whenever(condition, body) => {
                    v.expr(condition);
                    v.block(body);
                }
                AbilityBody::Keyword(name) => v.label(name),
                AbilityBody::Deck(limits) => walk_limits(v, limits),
                AbilityBody::Hole(name) => v.hole(name),
            }
        }

        fn walk_limits<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, limits: $($to)+ [DeckLimit]) {
            for limit in limits {
                match limit {
                    DeckLimit::Bound(bound) => walk_bound(v, bound),
                    DeckLimit::Must(DeckMust { cites, condition, span }) => {
                        v.span(span);
                        v.cites(cites);
                        v.expr(condition);
                    }
                }
            }
        }

        /// The words of a bound are no names of a script. Only their places are visited.
        fn walk_bound<$($life,)? V: $Visitor $(<$life>)?>(v: &mut V, bound: $($to)+ DeckBound) {
            let DeckBound { cites, what: Name { text: _, span: place }, by, op: _, bound, counted, when, span } = bound;
            v.span(span);
            v.cites(cites);
            v.span(place);
            for Name { text: _, span } in by {
                v.span(span);
            }
            v.expr(bound);
            if let Some((Name { text: _, span }, _, value)) = counted {
                v.span(span);
                v.expr(value);
            }
            walk_optional(v, when);
        }
    };
}

pub(super) use walks;
