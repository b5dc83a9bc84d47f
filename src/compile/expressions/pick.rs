//! Compiles choices: `choose`, and a pick inside a call. A pick inside a call becomes a choice before the statement.
//!
//! The player who makes such a pick is the first of these:
//!
//! 1. the player after `by` (`discard(1 from hand(q) by p)`: p);
//! 2. the call's first argument that is a player (`discard(p, 1 from hand(q))`: p);
//! 3. the owner of the zone that is picked from, if the zone belongs to one player (`discard(1 from hand(p))`: p);
//! 4. the acting player (`you`).
//!
//! The decision has the call's name if a choice of that name is declared. Otherwise it is called `pick`, with the call's label.

use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Typed};
use engine::ids::{ChoiceId, CitesId, NodeId, Reg};
use engine::program::{AmountDef, ChoiceDef, MannerDef, NameDef, Node, Op, Seen, Type, ZoneDef};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Amount, Choose, Expr, ExprKind, Manner, MayAsk, Name, Pick};

impl Lowering<'_> {
    /// `choose x: …`.
    pub(crate) fn choose(&mut self, choose: &Choose) {
        let by = match &choose.by {
            Some(by) => self.wanted(by, Ty::PLAYER),
            None => self.c.node(Node::You),
        };
        let manner = match choose.manner {
            Manner::Openly => MannerDef::Openly,
            Manner::Secretly => MannerDef::Secretly,
            Manner::Blindly => MannerDef::Blindly,
            Manner::Ranked { secretly } => MannerDef::Ranked { secretly },
        };
        let name = self.asking(&choose.name.text, choose.label.as_deref(), None);
        let named = choose.together.is_none() && matches!(choose.manner, Manner::Openly | Manner::Secretly);
        let (mut def, ty) = self.choice(&choose.pick, by, name, named);
        def.manner = manner;
        def.unseen = self.body.secret && manner == MannerDef::Secretly;
        if choose.or_none {
            def.min = AmountDef::Fixed(0);
            def.or_none = true;
        }
        let single = def.single;
        let result = self.named_register(&choose.name, ty);
        self.note_several(result, single);
        if let Some(together) = &choose.together {
            self.together(&mut def, together, (&choose.name.text, result), ty);
        }
        let numbers = ty.of == Type::Number;
        if !choose.called.is_empty() && !numbers {
            self.c.report(Diagnostic::error("E0376", choose.pick.from.span));
        }
        def.called = choose.called.clone();
        let choice = self.c.program.choices.push(def);
        if numbers {
            self.body.numbered.push((choose.name.text.clone(), choice));
        }
        self.body.emit(Op::Choose { choice, result });
    }

    /// The last choice of numbers whose answer has this name.
    pub(crate) fn asks_for_number(&self, name: &str) -> Option<ChoiceId> {
        self.body.numbered.iter().rev().find(|(known, _)| known == name).map(|(_, choice)| *choice)
    }

    /// A condition on the whole answer. Inside the condition, the choice's name is the set of chosen things, even if at most one is chosen.
    fn together(&mut self, def: &mut ChoiceDef, together: &Expr, (name, result): (&str, Reg), ty: Ty) {
        if def.manner == MannerDef::Blindly {
            return self.c.report(Diagnostic::error("E0350", together.span));
        }
        let names = self.body.names.len();
        let set = Ty { set: true, ..ty };
        self.body.names.push((name.to_owned(), Binding::Register(result, set)));
        self.body.several.push(result);
        let could_ask = std::mem::replace(&mut self.body.can_ask, false);
        let condition = self.condition(together);
        self.body.can_ask = could_ask;
        self.body.several.pop();
        self.body.names.truncate(names);
        let of_it = |node: &Node| matches!(node, Node::Local(reg) if *reg == result);
        let mut parts: Vec<NodeId> = Vec::new();
        self.c.walk_ids(condition, &mut |node| parts.push(node));
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|part| {
            let mut speaks = false;
            self.c.walk(*part, &mut |node| speaks |= of_it(node));
            speaks
        });
        if parts.is_empty() {
            return self.c.report(Diagnostic::error("E0351", together.span).with("name", name));
        }
        def.may_fail |= self.unseen(def.domain, def.by) && self.reads_a_card(condition);
        (def.together, def.joint) = (condition, parts);
    }

    /// The register of a name: its register if it is known with this type, else a new one.
    fn named_register(&mut self, name: &Name, ty: Ty) -> Reg {
        match self.body.find(&name.text) {
            Some(Binding::Register(reg, known)) if *known == ty => *reg,
            _ => self.body.local(&name.text, ty),
        }
    }

    /// A pick inside an expression of a statement.
    pub(crate) fn lift_pick(&mut self, pick: &Pick, span: Span) -> Typed {
        if !self.body.can_ask || self.body.sometimes || self.body.depth > 0 {
            return self.wrong(Diagnostic::error("E0219", span));
        }
        let asked_for = self.body.asked_for.clone();
        let by = match &pick.by {
            Some(by) => self.wanted(by, Ty::PLAYER),
            None => asked_for.as_ref().map_or(NodeId::NONE, |(_, _, by)| *by),
        };
        let declared =
            asked_for.as_ref().map(|(callee, ..)| callee.as_str()).filter(|callee| self.c.symbols.choices.find(callee).is_some());
        let name = self.choice_name(declared.unwrap_or("pick"), asked_for.as_ref().map(|(_, label, _)| label.as_str()));
        let (mut def, ty) = self.choice(pick, by, name, true);
        if def.by == NodeId::NONE {
            def.by = self.owner_of_zone(def.domain);
        }
        let single = def.single;
        let choice = self.c.program.choices.push(def);
        let result = self.body.register();
        self.note_several(result, single);
        if self.body.pays && matches!(pick.amount, Amount::AnyNumber(_) | Amount::UpTo(_)) {
            self.body.optional_picks.push(result);
        }
        self.body.emit(Op::Choose { choice, result });
        self.typed(Node::Local(result), ty)
    }

    /// The choice that a slot asks for, with its domain and the type of its answer.
    pub(crate) fn slot_choice(&mut self, pick: &Pick, by: NodeId, slot: &Name) -> (ChoiceId, NodeId, Ty) {
        let name = self.choice_name(&slot.text, None);
        let (mut def, ty) = self.choice(pick, by, name, true);
        let domain = def.domain;
        // The flow may let a player other than the controller choose. So it does not count here that the controller sees the cards.
        let asker = std::mem::replace(&mut self.body.asker, NodeId::NONE);
        def.others_may_fail = self.narrowed_unseen(domain, by);
        self.body.asker = asker;
        (self.c.program.choices.push(def), domain, ty)
    }

    /// Notes whether a register may hold several things.
    fn note_several(&mut self, result: Reg, single: bool) {
        self.body.several.retain(|reg| *reg != result);
        if !single {
            self.body.several.push(result);
        }
    }

    /// The player who owns the zone that the domain is based on, or else `you`.
    fn owner_of_zone(&mut self, domain: NodeId) -> NodeId {
        match self.c.program.nodes.get(self.base_of(domain)).copied() {
            Some(Node::Zone(_, player)) if player != NodeId::NONE => player,
            _ => self.c.node(Node::You),
        }
    }

    /// The definition of a choice, and the type of its answer. `named`: if the choice is one number of a range, any number of the range may
    /// be the answer.
    fn choice(&mut self, pick: &Pick, by: NodeId, name: NameDef, named: bool) -> (ChoiceDef, Ty) {
        self.body.named_from = if named && is_one(&pick.amount) { range_in(&pick.from) } else { None };
        let domain = self.set(&pick.from, None);
        self.body.named_from = None;
        let numbers = matches!(self.c.program.nodes.get(self.base_of(domain.node)), Some(Node::Numbers(..)));
        let (min, max) = match &pick.amount {
            Amount::Exactly(amount) => {
                let amount = self.amount(amount);
                (amount, amount)
            }
            Amount::UpTo(amount) | Amount::Announced(amount) => (AmountDef::Fixed(0), self.amount(amount)),
            Amount::AnyNumber(_) => (AmountDef::Fixed(0), AmountDef::All),
        };
        let single = max == AmountDef::Fixed(1);
        let ty = if single { domain.ty.member() } else { domain.ty };
        let may_fail = self.narrowed_unseen(domain.node, by);
        let (declared, cites) = (self.declared_choice(&name.name), self.declared_cites(&name.name));
        let of = ty.of;
        (ChoiceDef { declared, domain: domain.node, min, max, single, may_fail, numbers, of, ..ChoiceDef::one(name, cites, by) }, ty)
    }

    fn amount(&mut self, amount: &Expr) -> AmountDef {
        let node = self.wanted(amount, Ty::NUMBER);
        match self.c.const_of(node) {
            Some(Value::Number(number)) => match u16::try_from(number) {
                Ok(number) => AmountDef::Fixed(number),
                Err(_) => {
                    let finding = Diagnostic::error("E0208", amount.span).with("what", "the amount").with("value", number);
                    self.c.report(finding.with("least", 0).with("most", u16::MAX));
                    AmountDef::Fixed(0)
                }
            },
            _ => AmountDef::Node(node),
        }
    }

    /// A yes or no that a player is asked.
    pub(crate) fn confirmation(&mut self, by: NodeId, ask: &MayAsk) -> ChoiceId {
        let secretly = ask.secretly;
        let name = self.asking("confirm", ask.label.as_deref(), None);
        let (declared, cites) = (self.declared_choice(&name.name), self.declared_cites(&name.name));
        let manner = if secretly { MannerDef::Secretly } else { MannerDef::Openly };
        let choice = ChoiceDef { declared, yes_no: true, of: Type::Bool, unseen: secretly, manner, ..ChoiceDef::one(name, cites, by) };
        self.c.program.choices.push(choice)
    }

    pub(crate) fn declared_choice(&self, name: &str) -> u16 {
        self.c.symbols.choices.find(name).map_or(u16::MAX, |at| at as u16)
    }

    pub(crate) fn declared_cites(&self, name: &str) -> CitesId {
        self.c.symbols.choices.find(name).and_then(|at| self.c.symbols.choice_cites.get(at)).map(|(_, cites)| *cites).unwrap_or_default()
    }

    /// The declared choice that a name belongs to. Two choices in one block need two names, so `pick_2` is another `pick`.
    fn sort_of<'n>(&self, name: &'n str) -> &'n str {
        let is_declared = |name: &str| self.c.symbols.choices.find(name).is_some();
        let numbered = name.rsplit_once('_').filter(|(_, number)| number.parse::<u16>().is_ok());
        numbered.map(|(sort, _)| sort).filter(|sort| !is_declared(name) && is_declared(sort)).unwrap_or(name)
    }

    /// A choice's name, with the label that its statement gives. Without one: as in [`Self::choice_name`].
    pub(crate) fn asking(&mut self, name: &str, label: Option<&str>, otherwise: Option<&str>) -> NameDef {
        let name = self.choice_name(name, otherwise);
        label.map_or_else(|| name.clone(), |label| NameDef { label: label.to_owned(), ..name.clone() })
    }

    /// A choice's name. Label and rules come from the declared choice of that name if there is one, else from the statement.
    pub(crate) fn choice_name(&mut self, name: &str, label: Option<&str>) -> NameDef {
        let name = self.sort_of(name);
        let declared = self.c.symbols.choices.find(name).and_then(|at| self.c.symbols.choice_cites.get(at).cloned());
        let (label, cites) = match declared {
            Some((label, cites)) => (label, if self.body.cites == CitesId::default() { cites } else { self.body.cites }),
            None => (label.unwrap_or(name).to_owned(), self.body.cites),
        };
        NameDef { name: name.to_owned(), label, cites }
    }

    /// Whether a choice is limited by facts about cards that not everybody sees.
    fn narrowed_unseen(&self, node: NodeId, by: NodeId) -> bool {
        match self.c.program.nodes.get(node).copied() {
            Some(Node::Where(set, condition)) => self.unseen(set, by) && self.reads_a_card(condition) || self.narrowed_unseen(set, by),
            Some(Node::Except(set, _)) => self.narrowed_unseen(set, by),
            Some(Node::Union(a, b) | Node::Joined(a, b)) => self.narrowed_unseen(a, by) || self.narrowed_unseen(b, by),
            Some(Node::With { body, .. }) => self.narrowed_unseen(body, by),
            _ => false,
        }
    }

    /// Whether the cards of a set are hidden from the other players, so that the chooser may claim to find none. If the chooser sees the
    /// cards, a policy decides whether this claim is allowed.
    fn unseen(&self, set: NodeId, by: NodeId) -> bool {
        let program = &self.c.program;
        let seen = |zone| program.zones.get(zone).map_or(Seen::ByAll, |zone| zone.seen);
        match program.nodes.get(self.base_of(set)).copied() {
            // Which cards somebody does not see is found out when the choice is made.
            Some(Node::Zone(zone, _) | Node::ZoneOfAll(zone)) if program.policies.fails_anywhere => {
                let hides = |zone: &ZoneDef| zone.seen != Seen::ByAll || zone.has_faces && zone.down == Seen::ByNobody;
                program.zones.get(zone).is_some_and(hides)
            }
            // In a game of two, the opponent, who owns the zone, sees these cards as well.
            Some(Node::Zone(zone, whose)) if seen(zone) == Seen::ByOwner && self.is_the_others(whose, by) => false,
            Some(Node::Zone(zone, whose)) if program.policies.known_are_found && seen(zone) == Seen::ByOwner => {
                // If the choice names no player, the owner of the zone chooses.
                let asks_you = by == self.body.asker && matches!(program.nodes.get(whose), Some(Node::You));
                by != NodeId::NONE && !asks_you && program.nodes.get(whose) != program.nodes.get(by)
            }
            Some(Node::Zone(zone, _) | Node::ZoneOfAll(zone)) => seen(zone) != Seen::ByAll,
            // The cards that a name stands for may lie anywhere. The engine checks whether everybody sees them when the choice is made.
            Some(Node::Local(_)) => !program.policies.known_are_found,
            _ => false,
        }
    }

    /// Whether a player is the only opponent of the chooser.
    fn is_the_others(&self, whose: NodeId, by: NodeId) -> bool {
        let program = &self.c.program;
        let Some(Node::Opponent(of)) = program.nodes.get(whose) else { return false };
        program.players == 2 && by != NodeId::NONE && program.nodes.get(*of) == program.nodes.get(by)
    }

    fn reads_a_card(&self, condition: NodeId) -> bool {
        let mut found = false;
        self.c.walk(condition, &mut |node| {
            use Node::{Abilities, CardName, CardOf, Field, FieldHas, HasEffect, HasKeyword, IsCard, IsType, Printed};
            let values = matches!(node, Field(..) | Printed(..) | FieldHas(..) | CardName(_) | CardOf(_) | IsCard(..) | IsType(..));
            found |= values || matches!(node, HasEffect(_) | HasKeyword(..) | Abilities(_));
        });
        found
    }

    /// The player among the arguments of a call. This player makes the picks in the other arguments.
    pub(crate) fn player_argument(&mut self, types: &[Ty], exprs: &[Option<&Expr>]) -> NodeId {
        let first = types.iter().zip(exprs).find(|(ty, _)| **ty == Ty::PLAYER);
        match first {
            Some((_, Some(expr))) => self.quietly(expr, Ty::PLAYER),
            _ => NodeId::NONE,
        }
    }

    /// Lowers an expression without keeping its findings. The expression is lowered a second time in its place, where the findings are
    /// reported.
    fn quietly(&mut self, expr: &Expr, want: Ty) -> NodeId {
        let found = self.c.found.len();
        let could_ask = std::mem::replace(&mut self.body.can_ask, false);
        let node = self.wanted(expr, want);
        self.body.can_ask = could_ask;
        self.c.found.truncate(found);
        node
    }
}

/// Whether one thing, or at most one, is chosen.
fn is_one(amount: &Amount) -> bool {
    matches!(amount, Amount::Exactly(many) | Amount::UpTo(many) if matches!(many.kind, ExprKind::Number(1)))
}

/// The `range` under the conditions that narrow a set.
fn range_in(set: &Expr) -> Option<Span> {
    match &set.kind {
        ExprKind::Where { set, .. } => range_in(set),
        ExprKind::Call(name, _) if name.text == "range" => Some(set.span),
        _ => None,
    }
}
