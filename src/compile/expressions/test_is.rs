//! Compiles `x is W` and `x has W`: a state, a face, an emptiness, a kind, a moment, a reading's value, a member of a set-valued field.

use crate::declarations::names::ReadingValue;
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::Typed;
use engine::ids::{EnumId, FieldId, Id, KeywordId, KindId, MomentId, NodeId, StateId};
use engine::program::{Compare, Node, Type};
use engine::value::Value;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Expr, ExprKind, Name};

impl Lowering<'_> {
    pub(crate) fn is(&mut self, subject: &Expr, negated: bool, what: &Name) -> Typed {
        if let Some(reading) = self.reading_of(subject) {
            return self.reading_is(&reading, negated, what);
        }
        let typed = self.expr(subject, None);
        let Some(node) = self.is_node(typed, subject, what) else {
            if typed.ty.of == Type::Unknown {
                return self.broken();
            }
            let words = self.is_words();
            let finding = Diagnostic::error("E0223", what.span).with("word", &what.text).with("of", typed.ty.describe(&self.c.program));
            return self.wrong(finding.suggest(&what.text, words.iter().map(String::as_str)));
        };
        if negated { self.truth(Node::Not(node)) } else { Typed { node, ty: Ty::BOOL } }
    }

    fn reading_of(&self, subject: &Expr) -> Option<ReadingValue> {
        let ExprKind::Name(name) = &subject.kind else { return None };
        if self.body.find(&name.text).is_some() {
            return None;
        }
        let at = self.c.symbols.readings.find(&name.text)?;
        self.c.symbols.reading_values.get(at).filter(|value| matches!(value, ReadingValue::Named(..))).cloned()
    }

    fn reading_is(&mut self, reading: &ReadingValue, negated: bool, what: &Name) -> Typed {
        let ReadingValue::Named(words, chosen) = reading else { return self.broken() };
        match words.iter().position(|word| *word == what.text) {
            Some(at) => self.constant(Value::Bool((at == *chosen) != negated), Ty::BOOL),
            None => {
                let finding = Diagnostic::error("E0223", what.span).with("word", &what.text).with("of", "reading");
                self.wrong(finding.suggest(&what.text, words.iter().map(String::as_str)))
            }
        }
    }

    /// The test for a word after `is`. None if the word has no meaning for this subject.
    pub(crate) fn is_node(&mut self, typed: Typed, subject: &Expr, what: &Name) -> Option<NodeId> {
        let word = what.text.as_str();
        match word {
            // A card that has moved since it was named is no object any more, but a set with this card is not empty.
            "empty" => return Some(self.c.node(Node::IsEmpty(typed.node))),
            "none" | "pass" => return Some(self.is_nothing(typed)),
            "gone" | "full" => {
                self.c.not_yet(what.span, &format!("is {word}"));
                return Some(self.broken().node);
            }
            _ => {}
        }
        match typed.ty.of {
            Type::Ability => self.ability_is(typed.node, word),
            Type::Event(_) => self.event_is(typed.node, word),
            Type::Cause => self.cause_is(typed.node, word),
            Type::Player => self.state_is(typed.node, word, true),
            Type::Enum(id) => self.value_is(typed.node, id, word),
            // A card of the pool has the type that is printed on it.
            Type::CatalogueCard if !typed.ty.set && self.c.symbols.card_types.find(word).is_some() => self.card_is(typed.node, word),
            Type::Card | Type::Zone => {
                let card_test = matches!(word, "up" | "down" | "made") || self.c.symbols.card_types.find(word).is_some();
                let state = self.c.symbols.states.find(word).is_some();
                if !card_test && !state {
                    return None;
                }
                let card = self.fit(typed, Ty::CARD, subject.span);
                self.card_is(card, word)
            }
            _ => None,
        }
    }

    fn is_nothing(&mut self, typed: Typed) -> NodeId {
        if typed.ty.set || typed.ty.of == Type::Zone {
            return self.c.node(Node::IsEmpty(typed.node));
        }
        let exists = self.c.node(Node::Exists(typed.node));
        self.c.not(exists)
    }

    fn card_is(&mut self, card: NodeId, word: &str) -> Option<NodeId> {
        match word {
            "up" => Some(self.c.node(Node::FaceUp(card))),
            "down" => {
                // A missing card is neither up nor down.
                let (there, up) = (self.c.node(Node::Exists(card)), self.c.node(Node::FaceUp(card)));
                let down = self.c.not(up);
                Some(self.c.and(there, down))
            }
            _ if self.c.symbols.states.find(word).is_some() => self.state_is(card, word, false),
            "made" => Some(self.c.node(Node::IsMade(card))),
            // In a game with one card type, every card has this type.
            _ if self.c.program.card_types.len() < 2 => Some(self.c.node(Node::Exists(card))),
            _ => {
                let of = self.c.symbols.card_types.find(word)?;
                Some(self.c.node(Node::IsType(card, u8::try_from(of).ok()?)))
            }
        }
    }

    fn state_is(&mut self, subject: NodeId, word: &str, on_players: bool) -> Option<NodeId> {
        let id = self.c.symbols.states.id::<StateId>(word)?;
        let state = self.c.program.states.get(id)?;
        (state.of == Type::Bool && state.on_players == on_players).then(|| {
            let subject = self.kept_with(subject, id);
            self.c.node(Node::State(subject, id))
        })
    }

    fn ability_is(&mut self, ability: NodeId, word: &str) -> Option<NodeId> {
        if let Some(kind) = self.c.symbols.kinds.id::<KindId>(word) {
            return Some(self.c.node(Node::IsKind(ability, kind)));
        }
        let option = self.c.symbols.verbs.id(word).and_then(|verb| crate::statements::option::option_of(self.c, verb));
        if let Some(option) = option {
            return Some(self.c.node(Node::IsOption(ability, option)));
        }
        let moment = self.c.symbols.moments.id::<MomentId>(word)?;
        Some(self.c.node(Node::IsMoment(ability, moment)))
    }

    fn value_is(&mut self, subject: NodeId, id: EnumId, word: &str) -> Option<NodeId> {
        let at = self.c.symbols.values.get(id.index())?.find(word)?;
        let value = self.c.constant_node(Value::Enum(id, u8::try_from(at).ok()?));
        Some(self.c.node(Node::Compare(Compare::Equal, subject, value)))
    }

    fn is_words(&self) -> Vec<String> {
        let symbols = &self.c.symbols;
        let declared = [&symbols.states, &symbols.kinds, &symbols.moments, &symbols.card_types, &symbols.causes]
            .into_iter()
            .flat_map(crate::Names::words);
        ["up", "down", "empty", "none"].into_iter().chain(declared).map(str::to_owned).collect()
    }

    /// `x has W`. For a set-valued field: whether W is a member. For a card: the one set-valued field that W can belong to.
    pub(crate) fn has(&mut self, subject: &Expr, what: &Expr) -> Typed {
        let typed = self.expr(subject, None);
        if let (true, Some(Node::Field(card, field))) = (typed.ty.set, self.c.program.nodes.get(typed.node).copied()) {
            let value = self.wanted(what, typed.ty.member());
            return self.truth(Node::FieldHas(card, field, value));
        }
        if typed.ty.set && typed.ty != Ty::CARDS {
            let value = self.wanted(what, typed.ty.member());
            return self.truth(Node::In(value, typed.node));
        }
        let card = self.fit(typed, Ty::CARD, subject.span);
        if let ExprKind::Name(name) = &what.kind
            && let Some(keyword) = self.c.symbols.keywords.id::<KeywordId>(&name.text)
        {
            return self.truth(Node::HasKeyword(card, keyword));
        }
        let Some((field, of)) = self.field_for(what) else { return self.fits_no_field(what) };
        let value = self.wanted(what, of);
        self.note_asked(what, value);
        self.truth(Node::FieldHas(card, field, value))
    }

    /// Notes a symbol that the rules ask for, after `has`, before `in`, and beside `==` and `!=`. If no card has this symbol, it is probably a misprint (`E0452`). The rules are compiled before
    /// the cards; cards are compiled for each scenario, so nothing is compared there.
    pub(crate) fn note_asked(&mut self, what: &Expr, value: NodeId) {
        let ExprKind::Name(name) = &what.kind else { return };
        let is_symbol = matches!(self.c.program.nodes.get(value), Some(Node::Const(Value::Symbol(_))));
        if is_symbol && self.c.added.is_empty() {
            self.c.asked_words.push(name.clone());
        }
    }

    /// `E0245` for a name that several fields can have, `E0379` for a name that no field can have: then a keyword was probably meant.
    fn fits_no_field(&mut self, what: &Expr) -> Typed {
        let of_types = self.c.program.type_field;
        let open = self.c.program.fields.iter().any(|(id, field)| field.set && field.of == Type::Symbol && Some(id) != of_types);
        let ExprKind::Name(name) = &what.kind else { return self.wrong(Diagnostic::error("E0245", what.span)) };
        let symbols = &self.c.symbols;
        let of_enum = symbols.declared_values().any(|(_, values)| values.find(&name.text).is_some());
        if open || of_enum {
            return self.wrong(Diagnostic::error("E0245", what.span));
        }
        let finding = Diagnostic::error("E0379", what.span).with("name", &name.text);
        self.wrong(finding.suggest(&name.text, symbols.keywords.words()))
    }

    /// The set-valued field that a value belongs to: the field of the value's enum, or else the field of symbols.
    fn field_for(&self, what: &Expr) -> Option<(FieldId, Ty)> {
        let of_types = self.c.program.type_field;
        let fields = self.c.program.fields.iter().filter(|(id, field)| field.set && Some(*id) != of_types);
        let fits = fields.filter(|(_, field)| match (field.of, &what.kind) {
            (Type::Enum(id), ExprKind::Name(Name { text, .. }) | ExprKind::Text(text)) => {
                self.c.symbols.values.get(id.index()).is_some_and(|values| values.find(text).is_some())
            }
            (Type::Symbol, ExprKind::Name(_) | ExprKind::Text(_)) => true,
            (_, ExprKind::Name(_) | ExprKind::Text(_)) => false,
            _ => true,
        });
        let fits: Vec<(FieldId, Ty)> = fits.map(|(id, field)| (id, Ty::one(field.of))).collect();
        let exact = fits.iter().filter(|(_, ty)| matches!(ty.of, Type::Enum(_))).count();
        match fits.as_slice() {
            [one] => Some(*one),
            _ if exact == 1 => fits.iter().find(|(_, ty)| matches!(ty.of, Type::Enum(_))).copied(),
            _ => None,
        }
    }
}
