//! Compiles keywords, and clauses that give cards abilities, values, permissions and demands, or take them away.

use crate::Compiler;
use crate::expressions::expression::Lowering;
use crate::expressions::function::Given;
use crate::expressions::types::Ty;
use crate::statements::body::Body;
use engine::ids::{AbilityId, FactId, Id, KeywordId, KindId, NodeId, SlotId};
use engine::program::{AbilityDef, ChangeDef, ChangeKind, ClauseKind as Made, StripDef};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, AbilityBody, Change, ChangeOp, Decl, DeclKind, Expr, ExprKind, Granted, Name, Stripped};
use std::sync::Arc;
use wording::said_plainly;

/// How far the abilities of a declared keyword are compiled.
#[derive(Clone, Debug)]
pub(crate) enum Left {
    /// Not at all.
    Yet(Arc<Decl>),
    /// The abilities are being compiled.
    Begun,
    /// Completely.
    Done,
}

impl Compiler {
    /// Compiles the abilities of every declared keyword.
    pub(crate) fn keywords(&mut self, decls: &[Arc<Decl>]) {
        let declared = decls.iter().filter(|decl| matches!(decl.kind, DeclKind::Keyword(..)));
        self.keywords_left = declared.map(|decl| Left::Yet(Arc::clone(decl))).collect();
        for at in 0..self.keywords_left.len() {
            self.keyword(KeywordId::from_index(at));
        }
    }

    /// Compiles the abilities of a keyword, if that is still to do: another keyword may contain or grant it before its declaration. Gives
    /// false for a keyword that contains itself.
    fn keyword(&mut self, id: KeywordId) -> bool {
        let decl = match self.keywords_left.get_mut(id.index()) {
            Some(left @ Left::Yet(_)) => std::mem::replace(left, Left::Begun),
            Some(Left::Begun) => return false,
            Some(Left::Done) | None => return true,
        };
        if let Left::Yet(decl) = decl
            && let DeclKind::Keyword(head, abilities) = &decl.kind
        {
            // A keyword without abilities gets an empty one, because rules may ask for the keyword (`c has swift`).
            let mark = AbilityBody::Static(None, Vec::new());
            let mark = [Ability { cites: Vec::new(), kind: mark, slots: Vec::new(), span: head.name.span }];
            let says_nothing = abilities.is_empty();
            let abilities = if says_nothing { mark.as_slice() } else { abilities };
            let (range, _) = self.abilities(&head.name.text, Some(id), &[], abilities);
            if let Some(def) = self.program.keywords.get_mut(id) {
                def.abilities = range;
                def.mark = says_nothing;
            }
            self.check_sizes(decl.span);
        }
        if let Some(left) = self.keywords_left.get_mut(id.index()) {
            *left = Left::Done;
        }
        true
    }

    /// The abilities of the keyword with that name. `E0288` if the keyword contains itself.
    fn abilities_of_keyword(&mut self, name: &Name) -> Vec<AbilityId> {
        let Some(id) = self.declared::<KeywordId>("keyword", |symbols| &symbols.keywords, name) else { return Vec::new() };
        if !self.keyword(id) {
            self.report(Diagnostic::error("E0288", name.span).with("name", &name.text));
            return Vec::new();
        }
        let (first, count) = self.program.keywords.get(id).map_or_else(Default::default, |keyword| keyword.abilities);
        (0..count).map(|at| AbilityId(first.0 + at)).collect()
    }

    /// The number of an ability's text. Names of locals make no difference.
    pub(crate) fn script_of(&mut self, ability: &Ability) -> u32 {
        let next = u32::try_from(self.scripts.len()).unwrap_or(u32::MAX);
        *self.scripts.entry(said_plainly(ability)).or_insert(next)
    }

    /// The abilities that a card with this keyword has.
    pub(crate) fn keyword_abilities(&mut self, name: &Name) -> Vec<(Span, AbilityDef)> {
        let all = self.abilities_of_keyword(name).into_iter();
        all.filter_map(|ability| Some((self.map.ability(ability).unwrap_or_default(), self.program.abilities.get(ability)?.clone())))
            .collect()
    }
}

impl Lowering<'_> {
    /// `grant X { … }`. Abilities and values become a clause each.
    pub(crate) fn grant(&mut self, to: &Expr, granted: &[Granted], span: Span, title: &str) -> Vec<Made> {
        let of_abilities = granted.iter().any(|granted| matches!(granted, Granted::Slot(..)));
        let to = if of_abilities { self.set(to, None).node } else { self.cards(to, span) };
        let mut made = Vec::new();
        let mut abilities = Vec::new();
        let mut changes = Vec::new();
        for (at, granted) in granted.iter().enumerate() {
            match granted {
                Granted::Ability(ability) => self.granted_ability(ability, &format!("{title}/{}", at + 1), &mut abilities),
                Granted::Change(change) => changes.extend(self.provided(change)),
                Granted::Slot(slot, value) => made.extend(self.granted_cost(to, slot, value)),
                Granted::Like(set) => made.push(Made::Grant { to, abilities: Vec::new(), like: self.set_of_abilities(set, "like") }),
            }
        }
        if !changes.is_empty() {
            made.push(Made::Modify { what: to, changes });
        }
        if !abilities.is_empty() {
            made.push(Made::Grant { to, abilities, like: NodeId::NONE });
        }
        made
    }

    /// A cost that a clause gives to abilities. Whoever uses such an ability pays the cost. In the cost, `this` is the ability's card;
    /// slots and local names are not known.
    fn granted_cost(&mut self, what: NodeId, name: &Name, value: &Expr) -> Option<Made> {
        let slot = self.c.declared::<SlotId>("slot", |symbols| &symbols.slots, name)?;
        if self.c.program.slots.get(slot).is_some_and(|def| !def.cost) {
            self.c.report(Diagnostic::error("E0315", name.span));
            return None;
        }
        let cites = self.body.cites;
        let body = Body { span: value.span, cites, ..Body::default() };
        let fill = self.c.cost(body, 0, name, value);
        Some(Made::Fill { what, slot, fill })
    }

    /// A granted ability belongs to the card that gets it, so it is lowered without the names around it.
    fn granted_ability(&mut self, ability: &Ability, title: &str, abilities: &mut Vec<AbilityId>) {
        match &ability.kind {
            AbilityBody::Keyword(name) => {
                abilities.extend(self.c.abilities_of_keyword(name));
            }
            AbilityBody::Deck(_) => self.c.report(Diagnostic::error("E0282", ability.span).with("what", "deck")),
            _ => {
                let Some(def) = self.c.ability(ability, title) else { return };
                let (first, _) = self.c.add_abilities(vec![(ability.span, def)]);
                abilities.push(first);
            }
        }
    }

    /// `power = 3`: a value for cards without power.
    fn provided(&mut self, change: &Change) -> Option<ChangeDef> {
        let (field, ty) = self.changed_field(&change.field, false, true)?;
        if change.op != ChangeOp::Set {
            self.c.report(Diagnostic::error("E0282", change.span).with("what", "+ - *"));
            return None;
        }
        let value = self.wanted(&change.value, if ty.set { ty.member() } else { ty });
        let layer = self.c.layer_of_change(ChangeKind::Provide, field, change.span);
        if let Some(def) = self.c.field_mut(field) {
            def.provided = true;
        }
        Some(ChangeDef { field, op: ChangeKind::Provide, value, many: false, layer })
    }

    /// `strip X { … }`.
    pub(crate) fn strip(&mut self, from: &Expr, stripped: &[Stripped], span: Span, title: &str) -> Vec<Made> {
        let from = self.cards(from, span);
        let mut what = Vec::new();
        let mut changes = Vec::new();
        for stripped in stripped {
            match stripped {
                Stripped::Abilities(None) => what.push(StripDef::All),
                Stripped::Abilities(Some(kind)) => {
                    let kind = self.c.declared::<KindId>("kind of ability", |symbols| &symbols.kinds, kind);
                    what.extend(kind.map(StripDef::Kind));
                }
                Stripped::Keyword(name) => what.extend(self.taken_keyword(name)),
                Stripped::Ability(ability) => match &ability.kind {
                    AbilityBody::Keyword(name) => what.extend(self.taken_keyword(name)),
                    AbilityBody::Deck(_) => self.c.report(Diagnostic::error("E0282", ability.span).with("what", "deck")),
                    // The ability is lowered only to get its number and its findings.
                    _ => what.extend(self.c.ability(ability, title).map(|def| StripDef::Script(def.script))),
                },
                Stripped::Field(field) => {
                    let Some((field, _)) = self.changed_field(field, false, true) else { continue };
                    let layer = self.c.layer_of_change(ChangeKind::Remove, field, span);
                    changes.push(ChangeDef { field, op: ChangeKind::Remove, value: NodeId::NONE, many: false, layer });
                }
            }
        }
        let mut made = Vec::new();
        if !changes.is_empty() {
            made.push(Made::Modify { what: from, changes });
        }
        if !what.is_empty() {
            made.push(Made::Strip { from, what });
        }
        made
    }

    fn taken_keyword(&mut self, name: &Name) -> Option<StripDef> {
        self.c.declared::<KeywordId>("keyword", |symbols| &symbols.keywords, name).map(StripDef::Keyword)
    }

    /// `require in CHOICE: X`.
    pub(crate) fn require(&mut self, choice: &Name, what: &Expr) -> Vec<Made> {
        let what = self.set(what, None).node;
        self.choice_declared(choice).map(|choice| Made::Require { choice, what }).into_iter().collect()
    }

    /// `shield X from choices in A, B where C`.
    pub(crate) fn shield_from_choices(&mut self, cards: &Expr, choices: &[Name], causes: Option<&Expr>) -> Vec<Made> {
        let what = self.cards(cards, cards.span);
        let choices = choices.iter().filter_map(|choice| self.choice_declared(choice)).collect();
        let causes =
            causes.map_or(NodeId::NONE, |condition| self.under("it", Ty::CAUSE, condition.span, |lowering| lowering.condition(condition)));
        vec![Made::ShieldFromChoices { what, choices, causes }]
    }

    /// The number of a declared choice. An unknown name is reported.
    fn choice_declared(&mut self, choice: &Name) -> Option<u16> {
        let found = self.c.symbols.choices.find(&choice.text);
        if found.is_none() {
            let words: Vec<String> = self.c.symbols.choices.words().map(str::to_owned).collect();
            self.c.unknown("choice", choice, words.iter().map(String::as_str));
        }
        found.map(|at| at as u16)
    }

    /// `assume FACT(args)`.
    pub(crate) fn assume(&mut self, fact: &Expr) -> Vec<Made> {
        let ExprKind::Call(name, args) = &fact.kind else {
            self.c.report(Diagnostic::error("E0283", fact.span));
            return Vec::new();
        };
        let found = self.c.symbols.functions.find(&name.text);
        let function = found.and_then(|at| Some((at, self.c.symbols.function_bodies.get(at).cloned()?)));
        let Some((at, function)) = function.filter(|(_, function)| function.fact) else {
            self.c.report(Diagnostic::error("E0283", fact.span));
            return Vec::new();
        };
        let Some(given) = self.function_arguments(&function, args, fact.span) else { return Vec::new() };
        let nodes: Vec<NodeId> = given.into_iter().zip(&function.types).map(|(arg, ty)| self.said(arg, *ty)).collect();
        vec![Made::Assume { fact: FactId::from_index(at), args: self.c.args(&nodes) }]
    }

    /// An argument of an assumed fact: a value, or a set of all values that it is assumed for.
    fn said(&mut self, given: Given<'_>, ty: Ty) -> NodeId {
        let (Given::Argument(arg) | Given::Default(arg)) = given;
        let outer = matches!(given, Given::Default(_)).then(|| std::mem::take(&mut self.body.names));
        let typed = self.expr(arg, Some(ty));
        if let Some(outer) = outer {
            self.body.names = outer;
        }
        if typed.ty.of == ty.of && typed.ty.set { typed.node } else { self.fit(typed, ty, arg.span) }
    }
}
