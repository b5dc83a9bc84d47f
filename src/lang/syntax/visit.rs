//! Reads a script or a declaration: each node is shown to a [`Visitor`], parents before children unless the visitor decides otherwise.

#![expect(clippy::ptr_arg, reason = "a rewriter may lengthen a list, and both traits are made from one text")]

use super::ast::{
    DeclKind, EventDecl, Field, GivenMust, Head, KindDecl, MatchDecl, MatchKind, MoveRow, OptionBody, OptionDecl, Param, Phase,
    PolicyEntry, Property, Reading, ReadingChoices, Routine, Rule, RuleWhen, ScenarioDefault, Slot, TableDecl, TablePart, Timing, TypeName,
};

super::walks::walks!(Visitor<'t>, &'t);

/// Shows each expression to a function.
#[derive(Debug)]
pub struct EachExpr<F>(pub F);

impl<'t, F: FnMut(&'t Expr)> Visitor<'t> for EachExpr<F> {
    fn expr(&mut self, expr: &'t Expr) {
        (self.0)(expr);
        walk_expr(self, expr);
    }
}

/// Shows each name to a function.
#[derive(Debug)]
pub struct EachName<F>(pub F);

impl<'t, F: FnMut(&'t Name)> Visitor<'t> for EachName<F> {
    fn name(&mut self, name: &'t Name) {
        (self.0)(name);
    }

    fn hole(&mut self, name: &'t Name) {
        (self.0)(name);
    }

    fn label(&mut self, name: &'t Name) {
        (self.0)(name);
    }
}

impl Stmt {
    /// The blocks of the statement, in the order of the text. Blocks in clauses are left out: they are carried out at another time.
    #[must_use]
    pub fn blocks(&self) -> Vec<&Block> {
        struct Blocks<'t>(Vec<&'t Block>);
        impl<'t> Visitor<'t> for Blocks<'t> {
            fn block(&mut self, block: &'t Block) {
                self.0.push(block);
            }
            fn clauses(&mut self, _clauses: &'t Vec<Clause>) {}
        }
        let mut found = Blocks(Vec::new());
        walk_stmt(&mut found, self);
        found.0
    }
}

/// Visits the inside of a declaration. Declared names and the words of properties are labels. A wording is left out: its scripts have
/// holes, so they mean something only in a text.
pub fn walk_decl<'t, V: Visitor<'t>>(v: &mut V, decl: &'t DeclKind) {
    if let Some(head) = decl.head() {
        walk_head(v, head);
    }
    match decl {
        DeclKind::Moment(_) | DeclKind::Cause(_) | DeclKind::Wording(_) => {}
        DeclKind::Use(name, heads) => {
            v.label(name);
            heads.iter().for_each(|head| walk_head(v, head));
        }
        DeclKind::Game(_, properties)
        | DeclKind::Zone(_, properties)
        | DeclKind::Pool(_, properties)
        | DeclKind::Duration(_, properties)
        | DeclKind::Rules(_, properties)
        | DeclKind::Role(_, properties) => walk_properties(v, properties),
        DeclKind::Param(_, value) => v.expr(value),
        DeclKind::Reading(Reading { head: _, choices }) => match choices {
            ReadingChoices::Names(values) => values.iter().for_each(|(value, _)| v.label(value)),
            ReadingChoices::Value(of, value) => {
                walk_type(v, of);
                v.expr(value);
            }
        },
        DeclKind::Enum(_, values) => values.iter().for_each(|value| walk_head(v, value)),
        DeclKind::Function { head: _, params, result, body, fact: _ } => {
            walk_params(v, params);
            walk_type(v, result);
            v.expr(body);
        }
        DeclKind::CardType(_, fields) | DeclKind::Player(fields) => fields.iter().for_each(|Field { head, of, properties, derived }| {
            walk_head(v, head);
            walk_type(v, of);
            walk_properties(v, properties);
            walk_optional(v, derived);
        }),
        DeclKind::State { head: _, on, of, properties } => {
            v.label(on);
            walk_type(v, of);
            walk_properties(v, properties);
        }
        DeclKind::Deck(_, limits) => walk_limits(v, limits),
        DeclKind::AbilityKind(KindDecl { head: _, of, slots, body }) => {
            of.iter().for_each(|of| v.label(of));
            for Slot { name, of, default, if_read: _, cites } in slots {
                v.cites(cites);
                std::iter::once(name).chain(of).for_each(|word| v.label(word));
                walk_optional(v, default);
            }
            walk_else(v, body);
        }
        DeclKind::Event(EventDecl { head: _, params, value, how: _ }) => {
            walk_params(v, params);
            v.expr(value);
        }
        DeclKind::Choice(_, entries) | DeclKind::Policy(_, entries) => {
            for PolicyEntry { cites, name, value } in entries {
                v.cites(cites);
                v.label(name);
                v.expr(value);
            }
        }
        DeclKind::Action(routine) | DeclKind::Procedure(routine) | DeclKind::Judgement(routine) => {
            let Routine { head: _, params, result, secretly: _, once_in_a_step: _, replaced, condition, body } = routine;
            walk_params(v, params);
            result.iter().for_each(|result| walk_type(v, result));
            [replaced, condition].into_iter().for_each(|value| walk_optional(v, value));
            v.block(body);
        }
        DeclKind::Option(OptionDecl { head: _, params, by, groups, condition, body }) => {
            walk_params(v, params);
            v.binder(by);
            groups.iter().for_each(|group| v.label(group));
            walk_optional(v, condition);
            match body {
                OptionBody::Plain(body) | OptionBody::Attempt(body) => v.block(body),
                OptionBody::TwoParts(declare, process) => [declare, process].into_iter().for_each(|body| v.block(body)),
            }
        }
        DeclKind::Rule(Rule { head: _, params, immediately: _, when, body }) => {
            walk_params(v, params);
            match when {
                RuleWhen::Becomes(subject, what) => {
                    v.expr(subject);
                    v.label(what);
                }
                RuleWhen::State(condition) => v.expr(condition),
                RuleWhen::Event(pattern) | RuleWhen::Forbids(pattern) => v.pattern(pattern),
            }
            v.block(body);
        }
        DeclKind::Setup(_, body) => v.block(body),
        DeclKind::Turn(_, phases) => phases.iter().for_each(|Phase { head, body }| {
            walk_head(v, head);
            v.block(body);
        }),
        DeclKind::Keyword(_, abilities) => abilities.iter().for_each(|ability| v.ability(ability)),
        DeclKind::Layers(_, layers) => layers.iter().for_each(|(head, properties)| {
            walk_head(v, head);
            walk_properties(v, properties);
        }),
        DeclKind::Moves(_, rows) => {
            for MoveRow { cites, from, to, keeps, reads, heard, span: _ } in rows {
                v.cites(cites);
                [from, to, keeps].into_iter().flatten().chain(reads).chain(heard).for_each(|word| v.label(word));
            }
        }
        DeclKind::Timing(Timing { head: _, params, also, opens }) => {
            walk_params(v, params);
            [also, opens].into_iter().for_each(|value| walk_optional(v, value));
        }
        DeclKind::Match(matched) => walk_match(v, matched),
        DeclKind::Table(TableDecl { rows, hidden, values }) => {
            for TablePart { zone, label: _, condition } in rows.iter().flatten() {
                v.label(zone);
                walk_optional(v, condition);
            }
            hidden.iter().chain(values).for_each(|word| v.label(word));
        }
        DeclKind::GivenDefault(default) => walk_default(v, default),
    }
}

fn walk_head<'t, V: Visitor<'t>>(v: &mut V, Head { name, label: _, cites, span: _ }: &'t Head) {
    v.cites(cites);
    v.label(name);
}

fn walk_type<'t, V: Visitor<'t>>(v: &mut V, TypeName { set: _, name }: &'t TypeName) {
    v.label(name);
}

fn walk_params<'t, V: Visitor<'t>>(v: &mut V, params: &'t [Param]) {
    for Param { name, of, domain, default } in params {
        v.binder(name);
        walk_type(v, of);
        [domain, default].into_iter().for_each(|value| walk_optional(v, value));
    }
}

fn walk_properties<'t, V: Visitor<'t>>(v: &mut V, properties: &'t [Property]) {
    for Property { words, value, cites, span: _ } in properties {
        v.cites(cites);
        words.iter().for_each(|word| v.label(word));
        walk_optional(v, value);
    }
}

fn walk_match<'t, V: Visitor<'t>>(v: &mut V, MatchDecl { head: _, params, parts }: &'t MatchDecl) {
    walk_params(v, params);
    for part in parts {
        v.cites(&part.cites);
        match &part.kind {
            MatchKind::Units(name, value) | MatchKind::Demands(name, value) | MatchKind::Spare(name, value) => {
                v.binder(name);
                v.expr(value);
            }
            MatchKind::Each { member, of, joins: _, unit, condition } => {
                [member, unit].into_iter().for_each(|name| v.binder(name));
                [of, condition].into_iter().for_each(|value| v.expr(value));
            }
            MatchKind::LeftOver(condition) => v.expr(condition),
        }
    }
}

fn walk_default<'t, V: Visitor<'t>>(v: &mut V, ScenarioDefault { turn, zones, values, musts, span: _ }: &'t ScenarioDefault) {
    walk_optional(v, turn);
    zones.iter().for_each(|(zone, _)| v.label(zone));
    // The other parts of a card are its name and words of scenarios.
    let states = zones.iter().flat_map(|(_, cards)| cards).flat_map(|card| &card.states);
    for (state, value) in states.chain(values) {
        v.label(state);
        v.expr(value);
    }
    for GivenMust { condition, cites } in musts {
        v.cites(cites);
        v.expr(condition);
    }
}
