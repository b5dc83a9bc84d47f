//! The breaks of declarations.

use super::breaker::{Breaker, Reach};
use super::kind::Kind;
use compile::policy_words;
use lang::diagnostic::Span;
use lang::syntax::ast::{
    Arg, BinaryOp, Block, Cite, Decl, DeclKind, Expr, ExprKind, Field, Fragment, Frame, FrameSlot, Head, MatchKind, MatchPart, MoveRow,
    Name, NamedMeaning, OptionBody, OptionDecl, Pattern, Phase, PolicyEntry, Printed, PrintedPart, Property, Routine, Rule, RuleWhen, Slot,
    Stmt, StmtKind, Template, WordingItem, WordingKind,
};
use std::sync::Arc;

/// The category of holes that a number fills.
const NUMERAL: &str = "numeral";

/// How much of a declaration is left after the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// The declaration.
    All,
    /// Nothing: the break removes the declaration itself.
    Nothing,
}

impl Breaker {
    /// Walks a declaration of a rules file.
    pub(crate) fn decl(&mut self, decl: &mut Decl) -> Left {
        let span = decl.span;
        if let Some(head) = decl.kind.head() {
            self.enter(&head.cites.clone(), span);
        } else {
            self.enter(&[], span);
        }
        let left = self.declared(decl);
        self.leave();
        left
    }

    fn declared(&mut self, decl: &mut Decl) -> Left {
        let span = decl.span;
        match &mut decl.kind {
            DeclKind::Game(_, properties)
            | DeclKind::Role(_, properties)
            | DeclKind::Zone(_, properties)
            | DeclKind::Pool(_, properties)
            | DeclKind::State { properties, .. } => self.properties(properties),
            DeclKind::Param(_, value) => self.expr(value),
            DeclKind::Enum(_, values) => self.values(values),
            DeclKind::Function { params, body, .. } => self.scope(|breaker| {
                breaker.parameters(params);
                breaker.expr(body);
            }),
            DeclKind::CardType(head, fields) => {
                // This break is carried out on the cards ([`super::mutant`]).
                self.here(Kind::Blank, head.span);
                fields.iter_mut().for_each(|field| self.field(field));
            }
            DeclKind::Player(fields) => fields.iter_mut().for_each(|field| self.field(field)),
            DeclKind::Deck(_, limits) => self.limits(limits),
            DeclKind::AbilityKind(kind) => {
                self.here(Kind::Removed, kind.head.span);
                self.slots(&mut kind.slots);
                kind.body.iter_mut().for_each(|body| self.block(body));
            }
            DeclKind::Action(routine) | DeclKind::Procedure(routine) | DeclKind::Judgement(routine) => self.routine(routine),
            DeclKind::Option(option) => self.option(option),
            DeclKind::Rule(rule) => {
                if self.here(Kind::Removed, span) {
                    return Left::Nothing;
                }
                self.rule(rule);
            }
            DeclKind::Match(matched) => self.match_parts(&mut matched.parts),
            DeclKind::Setup(_, body) => self.block(body),
            DeclKind::Turn(_, phases) => self.phases(phases),
            DeclKind::Keyword(_, abilities) => abilities.iter_mut().for_each(|ability| self.ability(ability)),
            DeclKind::Policy(head, entries) => self.policy(&head.name.text.clone(), entries),
            DeclKind::Choice(_, entries) => self.policy("choice", entries),
            DeclKind::Moves(_, rows) => self.move_rows(rows),
            DeclKind::Layers(_, layers) => self.layers(layers),
            DeclKind::Wording(wording) => self.items(&mut Arc::make_mut(wording).items),
            DeclKind::Use(..)
            | DeclKind::Reading(_)
            | DeclKind::Moment(_)
            | DeclKind::Cause(_)
            | DeclKind::Duration(..)
            | DeclKind::Rules(..)
            | DeclKind::Event(_)
            | DeclKind::Timing(..)
            | DeclKind::Table(_)
            | DeclKind::GivenDefault(_) => {}
        }
        Left::All
    }

    fn properties(&mut self, properties: &mut Vec<Property>) {
        let mut at = 0;
        while let Some(property) = properties.get_mut(at) {
            // The edition of a rulebook is not carried out, so it is not broken.
            if property.words.iter().any(|word| word.text == "rulebook") {
                at += 1;
                continue;
            }
            self.enter(&property.cites, property.span);
            if self.hidden(property) {
                self.leave();
                return;
            }
            if self.here(Kind::LeftOut, property.span) {
                properties.remove(at);
                self.leave();
                return;
            }
            property.value.iter_mut().for_each(|value| self.expr(value));
            self.leave();
            at += 1;
        }
    }

    /// A row of `moves` can be left out.
    fn move_rows(&mut self, rows: &mut Vec<MoveRow>) {
        let mut at = 0;
        while let Some(row) = rows.get(at) {
            self.enter(&row.cites.clone(), row.span);
            let left_out = self.here(Kind::LeftOut, row.span);
            self.leave();
            if left_out {
                rows.remove(at);
                return;
            }
            self.other_side(rows, at);
            at += 1;
        }
    }

    /// The row can say the other side of the move: a waiting ability then reads the card as it was before the move instead of after it, or
    /// the reverse.
    fn other_side(&mut self, rows: &mut [MoveRow], at: usize) {
        let Some(row) = rows.get_mut(at) else { return };
        self.enter(&row.cites.clone(), row.span);
        if self.here(Kind::OtherWord, row.span) {
            let before = row.reads.as_ref().is_some_and(|word| word.text == "before");
            row.reads = Some(Name { text: (if before { "after" } else { "before" }).to_owned(), span: row.span });
        }
        self.leave();
    }

    /// The line that a unit must fit, the line about units left over, or the line about spare units can be left out.
    fn match_parts(&mut self, parts: &mut Vec<MatchPart>) {
        let mut at = 0;
        while let Some(part) = parts.get_mut(at) {
            self.enter(&part.cites.clone(), part.span);
            if matches!(part.kind, MatchKind::Each { .. } | MatchKind::LeftOver(_) | MatchKind::Spare(..))
                && self.here(Kind::LeftOut, part.span)
            {
                parts.remove(at);
                self.leave();
                return;
            }
            if let MatchKind::Each { condition, .. } | MatchKind::LeftOver(condition) | MatchKind::Spare(_, condition) = &mut part.kind {
                self.condition(condition);
            }
            self.leave();
            at += 1;
        }
    }

    /// Something public can become hidden.
    fn hidden(&mut self, property: &mut Property) -> bool {
        match property.words.as_mut_slice() {
            [word] if word.text == "public" && self.here(Kind::Negated, property.span) => {
                word.text = "hidden".to_owned();
                true
            }
            _ => false,
        }
    }

    /// Two neighbouring values can exchange their printed labels.
    fn values(&mut self, values: &mut [Head]) {
        for at in 1..values.len() {
            let Some(span) = values.get(at).map(|value| value.span) else { return };
            if self.here(Kind::Swapped, span) {
                let (before, from) = values.split_at_mut(at);
                if let (Some(first), Some(second)) = (before.last_mut(), from.first_mut()) {
                    std::mem::swap(&mut first.label, &mut second.label);
                }
                return;
            }
        }
    }

    fn field(&mut self, field: &mut Field) {
        self.enter(&field.head.cites, field.head.span);
        match &mut field.derived {
            None => _ = self.here(Kind::Blank, field.head.span),
            Some(derived) => self.expr(derived),
        }
        self.properties(&mut field.properties);
        self.leave();
    }

    fn slots(&mut self, slots: &mut Vec<Slot>) {
        let mut at = 0;
        while let Some(slot) = slots.get_mut(at) {
            self.enter(&slot.cites, slot.name.span);
            if self.here(Kind::LeftOut, slot.name.span) {
                slots.remove(at);
                self.leave();
                return;
            }
            slot.default.iter_mut().for_each(|default| self.expr(default));
            self.leave();
            at += 1;
        }
    }

    fn routine(&mut self, routine: &mut Routine) {
        self.scope(|breaker| {
            breaker.parameters(&routine.params);
            routine.condition.iter_mut().for_each(|condition| breaker.condition(condition));
            breaker.block(&mut routine.body);
        });
    }

    fn option(&mut self, option: &mut OptionDecl) {
        self.scope(|breaker| {
            breaker.players.push(option.by.text.clone());
            breaker.parameters(&option.params);
            for domain in option.params.iter_mut().filter_map(|param| param.domain.as_mut()) {
                breaker.expr(domain);
            }
            option.condition.iter_mut().for_each(|condition| breaker.condition(condition));
            match &mut option.body {
                OptionBody::Plain(body) | OptionBody::Attempt(body) => breaker.block(body),
                OptionBody::TwoParts(declare, process) => {
                    breaker.block(declare);
                    breaker.block(process);
                }
            }
        });
    }

    fn rule(&mut self, rule: &mut Rule) {
        self.scope(|breaker| {
            breaker.parameters(&rule.params);
            match &mut rule.when {
                RuleWhen::Becomes(subject, _) => breaker.expr(subject),
                RuleWhen::State(condition) => breaker.condition(condition),
                RuleWhen::Event(pattern) | RuleWhen::Forbids(pattern) => breaker.pattern(pattern),
            }
            breaker.block(&mut rule.body);
        });
    }

    fn phases(&mut self, phases: &mut Vec<Phase>) {
        let mut at = 0;
        while let Some(phase) = phases.get(at) {
            let (cites, span) = (phase.head.cites.clone(), phase.head.span);
            self.enter(&cites, span);
            let several = phases.len() > 1;
            if several && self.here(Kind::LeftOut, span) {
                phases.remove(at);
                self.leave();
                return;
            }
            if at + 1 < phases.len() && self.here(Kind::Swapped, span) {
                phases.swap(at, at + 1);
                self.leave();
                return;
            }
            if let Some(phase) = phases.get_mut(at) {
                self.block(&mut phase.body);
            }
            self.leave();
            at += 1;
        }
    }

    /// Two neighbouring layers can be exchanged, because a layer says nothing but its place in the order.
    fn layers(&mut self, layers: &mut [(Head, Vec<Property>)]) {
        for at in 1..layers.len() {
            let Some([(before, _), (after, _)]) = layers.get(at - 1..=at) else { return };
            let cites: Vec<Cite> = before.cites.iter().chain(&after.cites).cloned().collect();
            let span = after.span;
            self.enter(&cites, span);
            let swapped = self.here(Kind::Swapped, span);
            self.leave();
            if swapped {
                return layers.swap(at - 1, at);
            }
        }
    }

    fn policy(&mut self, name: &str, entries: &mut Vec<PolicyEntry>) {
        // A principle has only one value, so its entries are not broken.
        if name == "principles" {
            return;
        }
        let mut at = 0;
        while let Some(entry) = entries.get_mut(at) {
            let span = entry.name.span;
            self.enter(&entry.cites.clone(), span);
            let only_value = matches!(entry.name.text.as_str(), "within" | "never" | "up_to" | "empty" | "pass");
            if let Some(other) = without_it_too(name, entry) {
                if self.here(Kind::OtherWord, span)
                    && let ExprKind::Name(word) = &mut entry.value.kind
                {
                    word.text = other.to_owned();
                    self.leave();
                    return;
                }
            } else if !only_value && !is_without_it_too(entry) && self.here(Kind::LeftOut, span) {
                entries.remove(at);
                self.leave();
                return;
            }
            if let ExprKind::Number(_) | ExprKind::List(_) = &entry.value.kind {
                self.expr(&mut entry.value);
            }
            self.leave();
            at += 1;
        }
    }

    fn items(&mut self, items: &mut [WordingItem]) {
        for at in 0..items.len() {
            self.exchanged(items, at);
            if let Some(item) = items.get_mut(at) {
                self.item(item);
            }
        }
    }

    /// Two neighbouring phrases of one category that each mean a name can exchange their meanings.
    fn exchanged(&mut self, items: &mut [WordingItem], at: usize) {
        let Some([first, second, ..]) = items.get_mut(at..) else { return };
        let span = second.span;
        let (Some((category, one)), Some((other_category, other))) = (named_thing(&mut first.kind), named_thing(&mut second.kind)) else {
            return;
        };
        if category != other_category {
            return;
        }
        let cites: Vec<_> = first.cites.iter().chain(&second.cites).cloned().collect();
        self.enter(&cites, span);
        self.reaching(Reach::Template(first.span.to(span)), |breaker| {
            if breaker.here(Kind::Swapped, span) {
                std::mem::swap(one, other);
            }
        });
        self.leave();
    }

    fn item(&mut self, item: &mut WordingItem) {
        let span = item.span;
        // Texts are read by the lines of a `take`, not by the `take` itself.
        if let WordingKind::Take { lines, .. } = &mut item.kind {
            self.enter(&item.cites, span);
            lines.iter_mut().for_each(|line| self.item(line));
            return self.leave();
        }
        self.enter(&item.cites, span);
        self.reaching(Reach::Template(span), |breaker| match &mut item.kind {
            WordingKind::Template(template) => breaker.template(template),
            WordingKind::Frame(frame) => breaker.frame(frame),
            WordingKind::Meaning(meaning) | WordingKind::TakeMeaning { meaning: Some(meaning), .. } => breaker.meaning(meaning),
            WordingKind::Family(family) => family.items.iter_mut().for_each(|item| breaker.item(item)),
            // Without this form, a text with this phrase would be read.
            WordingKind::Unclear(unclear) => unclear.printed.retain(|printed| !breaker.here(Kind::Removed, printed.span)),
            _ => {}
        });
        self.leave();
    }

    /// A meaning that consists of one call can be broken so that the action is done to no card. Templates that name the result still find
    /// the name.
    fn meaning(&mut self, meaning: &mut NamedMeaning) {
        if let Some((args, span)) = only_call(&meaning.script)
            && let Some(what) = args.first().map(|arg| arg.value.clone())
            && self.here(Kind::LeftOut, span)
        {
            let nothing = Expr { kind: ExprKind::Binary(Box::new(what.clone()), BinaryOp::Except, Box::new(what)), span };
            let undone = StmtKind::Let(Name { text: "undone".to_owned(), span }, nothing);
            let statements = vec![Stmt { cites: Vec::new(), kind: undone, span }];
            meaning.script = Fragment::Statements(Block { statements, span, ..Block::default() });
            return;
        }
        self.fragment(&mut meaning.script);
    }

    fn template(&mut self, template: &mut Template) {
        self.numerals = template.printed.iter().flat_map(numerals).collect();
        self.fragment(&mut template.script);
        self.numerals.clear();
    }

    fn frame(&mut self, frame: &mut Frame) {
        self.numerals = frame.slots.iter().flat_map(numerals_of_slot).collect();
        self.fragment(&mut frame.script);
        self.numerals.clear();
    }

    fn fragment(&mut self, fragment: &mut Fragment) {
        match fragment {
            Fragment::Value(value) => self.expr(value),
            Fragment::Statements(block) => self.block(block),
            Fragment::Clauses(clauses) => self.clauses(clauses),
            Fragment::Ability(ability) => self.ability(ability),
            Fragment::Event(pattern) => self.event_of_phrase(pattern),
            Fragment::Amount(amount) => self.amount(amount, true),
        }
    }

    /// An event in a phrase. The break lets nobody notice the event, because phrases have events only so that something notices them.
    fn event_of_phrase(&mut self, pattern: &mut Pattern) {
        let span = pattern.span;
        if self.here(Kind::Removed, span) {
            let never = Expr { kind: ExprKind::Bool(false), span };
            pattern.condition = Some(match pattern.condition.take() {
                // The old condition stays in the script, because it may be the only use of a hole.
                Some(condition) => Expr { kind: ExprKind::Binary(Box::new(condition), BinaryOp::And, Box::new(never)), span },
                None => never,
            });
            return;
        }
        self.pattern(pattern);
    }
}

/// The call that a script consists of, with its place.
fn only_call(script: &Fragment) -> Option<(&[Arg], Span)> {
    match script {
        Fragment::Value(Expr { kind: ExprKind::Call(_, args), span }) => Some((args, *span)),
        Fragment::Statements(block) => match block.statements.as_slice() {
            [Stmt { kind: StmtKind::Call(_, args), span, .. }] => Some((args, *span)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the entry says a bound that also counts without the entry.
fn is_without_it_too(entry: &PolicyEntry) -> bool {
    entry.name.text == "at_least" && matches!(entry.value.kind, ExprKind::Number(0))
}

/// Another word for an entry whose word also counts without the entry. Leaving out such an entry would break nothing.
fn without_it_too(policy: &str, entry: &PolicyEntry) -> Option<&'static str> {
    let ExprKind::Name(word) = &entry.value.kind else { return None };
    match policy_words(policy, &entry.name.text) {
        [unsaid, other, ..] if *unsaid == word.text => Some(other),
        _ => None,
    }
}

/// The category and the meaning of a phrase that means a name.
fn named_thing(kind: &mut WordingKind) -> Option<(&str, &mut Expr)> {
    let WordingKind::Template(Template { category, script: Fragment::Value(value), .. }) = kind else { return None };
    matches!(value.kind, ExprKind::Name(_)).then_some((category.text.as_str(), value))
}

fn numerals(printed: &Printed) -> Vec<String> {
    let holes = printed.parts.iter().filter_map(|part| if let PrintedPart::Hole(hole) = &**part { Some(hole) } else { None });
    holes.filter(|hole| hole.category.text == NUMERAL).map(|hole| hole.name.text.clone()).collect()
}

fn numerals_of_slot(slot: &FrameSlot) -> Vec<String> {
    let filler = if let lang::syntax::ast::Filler::Printed(printed) = &slot.filler { printed.as_slice() } else { &[] };
    filler.iter().chain(&slot.floating).flat_map(numerals).collect()
}
