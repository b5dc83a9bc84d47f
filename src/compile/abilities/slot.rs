//! Compiles slots of abilities: kinds declare them, kinds and cards fill them, the flow reads them and asks for them.
//!
//! A filling is lowered with the earlier slots in sight. Slots that are asked for, and costs, are registers in the kind's order. Slots that
//! hold a value are this value, wherever they are read. A default with `if read` stands only in slots that are read.

use crate::Compiler;
use crate::analysis::mentions::Mentions;
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Body, Typed};
use engine::ids::{CitesId, Id, KindId, NodeId, Reg, SlotId, ZoneId};
use engine::limits::RANGE;
use engine::program::{AbilityDef, Fill, Node, Op, SlotDef, Type};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span, nearest};
use lang::syntax::ast::{AbilityBody, Amount, Arg, Expr, ExprKind, KindDecl, Name, Pick, Slot, TypeName};
use lang::syntax::visit::Visitor;
use std::sync::Arc;

/// Slots that every kind has, with a fixed meaning.
const KNOWN: [&str; 3] = ["zones", "limit", "costs"];
/// The slot that the machine itself reads. If it is true, the lasting effects that an ability begins end when its card leaves or loses the
/// ability, or when the ability is disabled.
const NEEDS_SOURCE: &str = "needs_source";

/// A slot as a kind declares it.
#[derive(Clone, Debug)]
pub(crate) struct KindSlot {
    pub(crate) kind: KindId,
    pub(crate) id: SlotId,
    pub(crate) name: Name,
    pub(crate) default: Option<Arc<Expr>>,
    pub(crate) if_read: bool,
    pub(crate) cites: CitesId,
    /// The names that the default mentions, and those that the defaults of the mentioned slots mention.
    mentions: Vec<String>,
}

/// A default as it is compiled for all abilities of a kind: the slot of the kind, and the first register after the ability's captures.
pub(crate) type CommonFill = (KindId, SlotId, u16);

/// The contents of a slot.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    /// This expression.
    Holds(Arc<Expr>),
    /// In a kind: the filling of each card.
    OnCards,
    /// Nothing; reading it is an error.
    Nothing,
}

/// The contents of an ability's slots, in the kind's order.
pub(crate) type Filled = Vec<(Arc<KindSlot>, Held)>;

impl Compiler {
    /// Declares the slots of a kind.
    pub(crate) fn declare_slots(&mut self, kind: &KindDecl) {
        let of = KindId::from_index(self.symbols.kind_slots.len());
        let mut slots: Vec<Arc<KindSlot>> = Vec::new();
        for slot in kind.slots.iter().filter(|slot| !KNOWN.contains(&slot.name.text.as_str())) {
            let Some(id) = self.declare_slot(slot) else { continue };
            let cites = self.cites(&slot.cites);
            let default = slot.default.clone().map(Arc::new);
            let mut mentions = Mentions::default();
            default.iter().for_each(|default| mentions.expr(default));
            let mut mentions = mentions.names;
            for earlier in slots.iter().filter(|earlier| mentions.contains(&earlier.name.text)).collect::<Vec<_>>() {
                mentions.extend(earlier.mentions.iter().cloned());
            }
            slots.push(Arc::new(KindSlot { kind: of, id, name: slot.name.clone(), default, if_read: slot.if_read, cites, mentions }));
        }
        self.symbols.kind_slots.push(slots);
    }

    fn declare_slot(&mut self, slot: &Slot) -> Option<SlotId> {
        let cost = matches!(slot.of.as_slice(), [word] if word.text == "cost");
        let ty = match slot.of.as_slice() {
            _ if cost => Ty::BOOL,
            [name] => self.type_of(&TypeName { set: false, name: name.clone() }),
            [set, of, name] if set.text == "set" && of.text == "of" => self.type_of(&TypeName { set: true, name: name.clone() }),
            [first, ..] => {
                self.unknown("type", first, ["cost", "number", "set of card"]);
                return None;
            }
            [] => return None,
        };
        let word = slot.name.text.as_str();
        if let Some(id) = self.symbols.slots.id::<SlotId>(word) {
            let same = self.program.slots.get(id).is_some_and(|known| (known.of, known.set, known.cost) == (ty.of, ty.set, cost));
            if !same {
                let first = self.symbols.slots.span(id.index()).unwrap_or_default();
                self.report(Diagnostic::error("E0311", slot.name.span).with("name", word).note(first, "first"));
            }
            return Some(id);
        }
        let _ = self.symbols.slots.add(word, None, slot.name.span);
        let mut name = Self::title(word);
        name.cites = self.cites(&slot.cites);
        let truth = ty == Ty::BOOL && !cost;
        let id = self.program.slots.push(SlotDef { name, of: ty.of, set: ty.set, cost });
        match word {
            NEEDS_SOURCE if truth => self.program.needs_source = Some(id),
            NEEDS_SOURCE => self.mismatch(slot.name.span, Ty::BOOL, ty),
            _ => {}
        }
        Some(id)
    }

    /// The kind's defaults for its slots, and the body of abilities that come with a card type.
    pub(crate) fn kind_defaults(&mut self, kind: KindId, decl: &KindDecl) {
        let Some(slots) = self.symbols.kind_slots.get(kind.index()).cloned() else { return };
        let filled = if decl.of.is_some() {
            let mut read = Mentions::default();
            decl.body.iter().for_each(|block| read.block(block));
            filled(slots, &[], read)
        } else {
            slots.into_iter().map(|slot| (Arc::clone(&slot), slot.default.clone().map_or(Held::OnCards, Held::Holds))).collect()
        };
        let before = self.found.len();
        let fills = self.fills(&filled, &Body::default());
        self.suggest_known_slots(&filled, before);
        let of = decl.of.as_ref().and_then(|of| self.declared::<ZoneId>("card type", |symbols| &symbols.card_types, of));
        let of = of.and_then(|of| u8::try_from(of.index()).ok());
        let body = decl.body.as_ref().filter(|_| of.is_some()).map(|block| {
            let cites = self.cites(&decl.head.cites);
            let inner = Body { span: decl.head.span, cites, ..slot_body(&filled, filled.len(), &Body::default(), self) };
            let (count, name) = (inner.next, self.name_def(&decl.head));
            Lowering::new(self, Body::default()).nested(inner, count, name, |lowering| lowering.block(block))
        });
        match (&decl.of, &decl.body) {
            (Some(of), None) => self.report(Diagnostic::error("E0312", of.span).with("name", &decl.head.name.text)),
            (None, Some(block)) => self.report(Diagnostic::error("E0313", block.span).with("name", &decl.head.name.text)),
            _ => {}
        }
        let Some(def) = self.program.kinds.get_mut(kind) else { return };
        def.slots = filled.iter().zip(fills).map(|((slot, _), fill)| (slot.id, fill, slot.cites)).collect();
        (def.of, def.body) = (of, body);
    }

    /// Adds the slot of the language that may be meant to the findings in the default of a slot: `zone: set of zone = [field]`.
    fn suggest_known_slots(&mut self, filled: &Filled, before: usize) {
        for (slot, held) in filled {
            let (Some(near), Held::Holds(expr)) = (nearest(&slot.name.text, KNOWN), held) else { continue };
            let inside = |span: Span| span.file == expr.span.file && expr.span.start <= span.start && span.end <= expr.span.end;
            for finding in self.found.iter_mut().skip(before).filter(|finding| finding.span.is_some_and(inside)) {
                finding.args.push(("slot", near.to_owned()));
            }
        }
    }

    /// The contents of the slots for one ability of a card.
    pub(crate) fn filled(&mut self, kind: KindId, args: &[Arg], body: &AbilityBody) -> Filled {
        let Some(slots) = self.symbols.kind_slots.get(kind.index()).cloned() else { return Vec::new() };
        let mut read = Mentions::default();
        match body {
            AbilityBody::Kind(_, block) | AbilityBody::When(_, block) | AbilityBody::Whenever(_, block) => read.block(block),
            AbilityBody::Static(condition, clauses) => {
                condition.iter().for_each(|condition| read.expr(condition));
                read.clauses(clauses);
            }
            AbilityBody::Instead(pattern, block) => {
                read.pattern(pattern);
                read.block(block);
            }
            AbilityBody::Keyword(_) | AbilityBody::Deck(_) | AbilityBody::Hole(_) => {}
        }
        let lets = std::mem::take(&mut read.lets);
        let filled = filled(slots, args, read);
        for (slot, _) in filled.iter().filter(|(_, held)| matches!(held, Held::Holds(_))) {
            if let Some(name) = lets.iter().find(|name| name.text == slot.name.text) {
                self.report(Diagnostic::error("E0335", name.span).with("slot", &name.text));
            }
        }
        filled
    }

    /// The abilities that cards of a type have without printing them.
    pub(crate) fn abilities_of_type(&self, of: u8) -> Vec<(Span, AbilityDef)> {
        let kinds = self.program.kinds.iter().filter(|(_, kind)| kind.of == Some(of));
        let made = kinds.map(|(id, kind)| AbilityDef {
            script: u32::MAX,
            looks: None,
            once_for_a_batch: false,
            again_when_resolved: None,
            kind: id,
            of_type: true,
            keyword: None,
            zones: kind.zones,
            zones_of: kind.zones_of.clone(),
            uses_per_turn: kind.uses_per_turn,
            per: kind.per,
            counted: kind.counted,
            body: kind.body,
            clauses: Vec::new(),
            fills: kind.slots.iter().map(|(_, fill, _)| fill.clone()).collect(),
            cites: kind.name.cites,
        });
        made.map(|def| (self.symbols.kinds.span(def.kind.index()).unwrap_or_default(), def)).collect()
    }

    /// Lowers the contents of the slots. `frame` holds the values that the ability captures; they stand before the slots. A default that
    /// means the same on all cards is lowered once.
    pub(crate) fn fills(&mut self, filled: &Filled, frame: &Body) -> Vec<Fill> {
        let mut fills = Vec::with_capacity(filled.len());
        for at in 0..filled.len() {
            let common = common(filled, at, frame);
            if let Some(known) = common.and_then(|common| self.common_fills.get(&common)) {
                fills.push(known.clone());
                continue;
            }
            let fill = self.fill(filled, at, frame);
            if let Some(common) = common {
                self.common_fills.insert(common, fill.clone());
            }
            fills.push(fill);
        }
        fills
    }

    fn fill(&mut self, filled: &Filled, at: usize, frame: &Body) -> Fill {
        let Some((slot, Held::Holds(expr))) = filled.get(at) else { return Fill::Empty };
        let Some((ty, cost)) = self.program.slots.get(slot.id).map(|def| (Ty { of: def.of, set: def.set }, def.cost)) else {
            return Fill::Empty;
        };
        let mut body = slot_body(filled, at, frame, self);
        let registers = usize::from(body.next);
        (body.span, body.cites) = (expr.span, slot.cites);
        match &expr.kind {
            _ if cost => self.cost(body, registers, &slot.name, expr),
            ExprKind::Pick(pick) => self.asked(body, registers, slot, pick, ty),
            _ => Fill::Value(Lowering::new(self, body).wanted(expr, ty)),
        }
    }

    /// The choice of a slot becomes a routine of its own. Its parameters are the slots and the asked player; its result is the answer.
    fn asked(&mut self, mut body: Body, slots: usize, slot: &KindSlot, pick: &Pick, ty: Ty) -> Fill {
        if let Some(by) = &pick.by {
            self.report(Diagnostic::error("E0386", by.span).with("name", &slot.name.text));
        }
        (body.next, body.registers) = (slots as u16, slots as u16);
        let by = body.register();
        body.can_ask = true;
        let parameters = body.next;
        let (mut domain, mut declared) = (NodeId::NONE, u16::MAX);
        let name = Self::title(&slot.name.text);
        let mut lowering = Lowering::new(self, Body::default());
        let routine = lowering.nested(body, parameters, name, |lowering| {
            let by = lowering.c.node(Node::Local(by));
            lowering.body.asker = by;
            let (choice, found, got) = lowering.slot_choice(pick, by, &slot.name);
            domain = found;
            let from = lowering.c.program.nodes.get(lowering.base_of(found)).copied();
            if matches!(from, Some(Node::Numbers(_, NodeId::NONE))) {
                lowering.c.endless.push(pick.from.span);
            }
            declared = lowering.c.program.choices.get(choice).map_or(u16::MAX, |def| def.declared);
            let result = lowering.body.register();
            lowering.body.emit(Op::Choose { choice, result });
            let node = lowering.c.node(Node::Local(result));
            let node = lowering.fit(Typed { node, ty: got }, ty, slot.name.span);
            lowering.body.emit(Op::Return(node));
        });
        Fill::Asked { body: routine, domain, declared }
    }
}

/// The key of a slot's contents if they are the same for other abilities: the kind's default, which mentions nothing that the ability fills
/// or captures.
fn common(filled: &Filled, at: usize, frame: &Body) -> Option<CommonFill> {
    let this @ (slot, _) = filled.get(at)?;
    let by_default = |(slot, held): &(Arc<KindSlot>, Held)| match (held, &slot.default) {
        (Held::Holds(held), Some(default)) => Arc::ptr_eq(held, default),
        _ => false,
    };
    let mentioned = |name: &String| slot.mentions.contains(name);
    let mut slots = filled.iter().take(at).filter(|(slot, _)| mentioned(&slot.name.text));
    let common = by_default(this) && slots.all(by_default) && !frame.names.iter().any(|(name, _)| mentioned(name));
    common.then_some((slot.kind, slot.id, frame.next))
}

/// The contents of an ability's slots: the card's filling, else the kind's default. A default with `if read` counts only if the body
/// (`read`) or a later slot reads the slot.
fn filled(slots: Vec<Arc<KindSlot>>, args: &[Arg], mut read: Mentions) -> Filled {
    let given = |slot: &KindSlot| {
        let arg = args.iter().find(|arg| arg.name.as_ref().is_some_and(|name| name.text == slot.name.text))?;
        Some(Arc::new(arg.value.clone()))
    };
    let mut filled: Filled = Vec::with_capacity(slots.len());
    for slot in slots.into_iter().rev() {
        let wanted = !slot.if_read || read.names.contains(&slot.name.text);
        let expr = given(&slot).or_else(|| slot.default.clone().filter(|_| wanted));
        expr.iter().for_each(|expr| read.expr(expr));
        filled.push((slot, expr.map_or(Held::Nothing, Held::Holds)));
    }
    filled.reverse();
    filled
}

/// A body that sees the slots before `upto`. They stand after the ability's captures (the registers of `frame`).
pub(crate) fn slot_body(filled: &Filled, upto: usize, frame: &Body, c: &Compiler) -> Body {
    let mut body = Body { names: frame.names.clone(), several: frame.several.clone(), ..Body::default() };
    for (at, (slot, held)) in filled.iter().take(upto).enumerate() {
        let Some(def) = c.program.slots.get(slot.id) else { continue };
        let ty = Ty { of: def.of, set: def.set };
        let binding = match held {
            Held::Holds(expr) if !def.cost && !matches!(expr.kind, ExprKind::Pick(_)) => {
                Binding::Lazy(Arc::clone(expr), Arc::new(body.names.clone()), ty, 0)
            }
            // A cost may also be filled by an effect (`grant`).
            Held::Nothing if !def.cost => Binding::Unfilled,
            _ => {
                let reg = Reg(frame.next + at as u16);
                if ty.set && !matches!(held, Held::Holds(expr) if is_of_one(expr)) {
                    body.several.push(reg);
                }
                Binding::Register(reg, ty)
            }
        };
        body.bind(&slot.name.text, binding);
    }
    body.next = frame.next + filled.len() as u16;
    body.registers = body.next;
    body
}

/// Whether an expression is a choice of at most one thing.
fn is_of_one(expr: &Expr) -> bool {
    let ExprKind::Pick(pick) = &expr.kind else { return false };
    match &pick.amount {
        Amount::Exactly(amount) | Amount::UpTo(amount) | Amount::Announced(amount) => matches!(amount.kind, ExprKind::Number(1)),
        Amount::AnyNumber(_) => false,
    }
}

impl Lowering<'_> {
    /// `a.SLOT` of an ability.
    pub(crate) fn slot_field(&mut self, ability: NodeId, name: &Name) -> Option<Typed> {
        let slot = self.c.symbols.slots.id::<SlotId>(&name.text)?;
        let ty = self.c.program.slots.get(slot).map(|def| Ty { of: def.of, set: def.set })?;
        Some(self.typed(Node::Slot(ability, slot), ty))
    }

    /// The ability and the slot of an argument `a.SLOT`.
    pub(crate) fn slot_argument(&mut self, expr: &Expr) -> Option<(NodeId, SlotId)> {
        if let ExprKind::Field(of, name) = &expr.kind {
            let ability = self.wanted(of, Ty::ABILITY);
            if let Some(slot) = self.c.symbols.slots.id::<SlotId>(&name.text) {
                return Some((ability, slot));
            }
            let words: Vec<String> = self.c.symbols.slots.words().map(str::to_owned).collect();
            self.c.unknown("slot", name, words.iter().map(String::as_str));
            return None;
        }
        self.c.report(Diagnostic::error("E0314", expr.span));
        None
    }

    /// The ability and the slot of an argument `a.SLOT`. Reports a finding unless the slot is a cost (`cost`) or no cost (`!cost`).
    pub(crate) fn slot_of_sort(&mut self, expr: &Expr, cost: bool) -> Option<(NodeId, SlotId)> {
        let (ability, slot) = self.slot_argument(expr)?;
        if self.c.program.slots.get(slot).is_some_and(|def| def.cost != cost) {
            self.c.report(Diagnostic::error(if cost { "E0315" } else { "E0316" }, expr.span));
            return None;
        }
        Some((ability, slot))
    }

    /// `announce(a, by: p, also: S, anywhere: C)`: gives the register of the ability that waits from then on.
    pub(crate) fn announce(&mut self, args: &[Arg], span: Span) -> Typed {
        let [ability, by, also, anywhere] = self.named("announce", ["ability", "by", "also", "anywhere"], args, span);
        let Some(ability) = ability else { return self.wrong_count("announce", 1, args.len(), span) };
        let ability = self.wanted(ability, Ty::ABILITY);
        let by = by.map_or(NodeId::NONE, |by| self.wanted(by, Ty::PLAYER));
        let also = also.map_or(NodeId::NONE, |also| self.wanted(also, Ty::CARDS));
        let anywhere = anywhere.map_or(NodeId::NONE, |anywhere| self.wanted(anywhere, Ty::BOOL));
        let args = self.c.args(&[ability, by, also, anywhere]);
        let result = self.body.register();
        self.body.emit(Op::Announce { args, result });
        self.typed(Node::Local(result), Ty::ABILITY)
    }

    /// `hear_again()`: the abilities that came after the window opened and trigger on its timing.
    pub(crate) fn hear_again(&mut self, args: &[Arg], span: Span) -> Typed {
        if !args.is_empty() {
            return self.wrong_count("hear_again", 0, args.len(), span);
        }
        if !self.c.program.policies.late_hear_again {
            return self.wrong(Diagnostic::error("E0287", span));
        }
        let result = self.body.register();
        self.body.emit(Op::HearAgain { result });
        self.typed(Node::Local(result), Ty::set(Type::Ability))
    }

    /// `ask(a.SLOT, by: p)`.
    pub(crate) fn ask(&mut self, args: &[Arg], span: Span) {
        let [slot, by] = self.named("ask", ["slot", "by"], args, span);
        let Some(slot) = slot else {
            self.wrong_count("ask", 1, args.len(), span);
            return;
        };
        let Some((ability, slot)) = self.slot_of_sort(slot, false) else { return };
        let by = by.map_or(NodeId::NONE, |by| self.wanted(by, Ty::PLAYER));
        self.body.emit(Op::Ask { ability, slot, by });
    }

    /// Whether the only argument of a call names a slot.
    pub(crate) fn names_a_slot(&self, args: &[Arg]) -> bool {
        let [Arg { value: Expr { kind: ExprKind::Field(_, name), .. }, .. }] = args else { return false };
        self.c.symbols.slots.find(&name.text).is_some()
    }

    /// `still(a.SLOT)`.
    pub(crate) fn still_of_slot(&mut self, of: &Expr) -> Typed {
        let Some((ability, slot)) = self.slot_of_sort(of, false) else { return self.broken() };
        let of = self.c.program.slots.get(slot).map_or(Type::Unknown, |def| def.of);
        self.typed(Node::StillOf(ability, slot), Ty::set(of))
    }

    /// The expressions of arguments, by position or by name.
    fn named<'a, const N: usize>(&mut self, callee: &str, names: [&str; N], args: &'a [Arg], span: Span) -> [Option<&'a Expr>; N] {
        let mut found = [None; N];
        for (position, arg) in args.iter().enumerate() {
            let at = match &arg.name {
                None => Some(position),
                Some(name) => {
                    let at = names.iter().position(|known| *known == name.text);
                    if at.is_none() {
                        let finding = Diagnostic::error("E0206", name.span).with("argument", &name.text).with("name", callee);
                        self.c.report(finding.with("known", names.join("`, `")).suggest(&name.text, names));
                        continue;
                    }
                    at
                }
            };
            match at.and_then(|at| found.get_mut(at)) {
                Some(place @ None) => *place = Some(&arg.value),
                _ => {
                    self.wrong_count(callee, names.len(), args.len(), span);
                }
            }
        }
        found
    }

    /// A zone that holds abilities, as a place.
    pub(crate) fn ability_zone(&mut self, expr: &Expr) -> Option<NodeId> {
        let typed = self.expr(expr, None);
        match self.c.program.nodes.get(typed.node).copied() {
            Some(Node::Waiting(zone, player)) => Some(self.c.node(Node::Zone(zone, player))),
            _ => {
                if typed.ty.of != Type::Unknown {
                    self.c.report(Diagnostic::error("E0317", expr.span));
                }
                None
            }
        }
    }

    /// `move(a, standby)`: moves a waiting ability. Gives false if the argument is no ability.
    pub(crate) fn move_ability(&mut self, args: &[Arg]) -> bool {
        let [what, to] = args else { return false };
        let found = self.c.found.len();
        let could_ask = std::mem::replace(&mut self.body.can_ask, false);
        let typed = self.expr(&what.value, None);
        self.body.can_ask = could_ask;
        self.c.found.truncate(found);
        if typed.ty != Ty::ABILITY {
            return false;
        }
        let ability = self.wanted(&what.value, Ty::ABILITY);
        if let Some(zone) = self.ability_zone(&to.value) {
            self.body.emit(Op::Enter { ability, zone });
        }
        true
    }

    /// `range(1, n)`. Where one number is chosen also `range(1)`, without an end.
    pub(crate) fn range(&mut self, args: &[Arg], span: Span) -> Typed {
        let named = self.body.named_from.take() == Some(span);
        if let [from] = args {
            let from = self.wanted(&from.value, Ty::NUMBER);
            if !named {
                return self.wrong(Diagnostic::error("E0368", span));
            }
            return self.typed(Node::Numbers(from, NodeId::NONE), Ty::set(Type::Number));
        }
        let [from, to] = args else { return self.wrong_count("range", 2, args.len(), span) };
        let (from, to) = (self.wanted(&from.value, Ty::NUMBER), self.wanted(&to.value, Ty::NUMBER));
        let constant = |node| if let Some(Node::Const(value)) = self.c.program.nodes.get(node) { value.number() } else { None };
        let bounds = constant(from).zip(constant(to));
        let numbers = bounds.map(|(from, to)| i64::from(to) - i64::from(from) + 1);
        if named && numbers.is_none_or(|numbers| numbers > RANGE as i64) {
            return self.typed(Node::Numbers(from, to), Ty::set(Type::Number));
        }
        if let Some(numbers) = numbers.filter(|numbers| *numbers > RANGE as i64) {
            return self.wrong(Diagnostic::error("E0354", span).with("numbers", numbers).with("most", RANGE));
        }
        self.typed(Node::Range(from, to), Ty::set(Type::Number))
    }

    /// The constant 1: the amount of a cost's part without a number.
    pub(crate) fn one(&mut self) -> NodeId {
        self.c.constant_node(Value::Number(1))
    }
}
