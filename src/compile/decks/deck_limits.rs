//! Compiles the limits of the deck check, of the game or of a card: bounds on size and copies, and conditions on the whole deck.

use crate::Compiler;
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::Body;
use engine::ids::FieldId;
use engine::program::{Compare, CopiesBy, DeckLimitDef, DeckMeasure, DeckMustDef, Type};
use engine::value::Value;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{DeckBound, DeckLimit, DeckMust, Name};
use wording::show_expr;

impl Compiler {
    /// Compiles limits of the deck check, of the game or of a card.
    pub(crate) fn deck_limits(&mut self, limits: &[DeckLimit]) -> (Vec<DeckLimitDef>, Vec<DeckMustDef>) {
        let (mut bounds, mut musts) = (Vec::new(), Vec::new());
        for limit in limits {
            match limit {
                DeckLimit::Bound(bound) if self.in_this_reading(bound) => bounds.extend(self.deck_limit(bound)),
                DeckLimit::Bound(_) => {}
                DeckLimit::Must(must) => musts.push(self.deck_must(must)),
            }
        }
        self.sizes_agree(limits, &bounds);
        (bounds, musts)
    }

    /// `E0254` for two bounds on the size of a deck that no deck can meet together.
    fn sizes_agree(&mut self, limits: &[DeckLimit], bounds: &[DeckLimitDef]) {
        let is_size = |limit: &DeckLimitDef| limit.what == DeckMeasure::Size && limit.counted.is_none();
        let sizes: Vec<&DeckLimitDef> = bounds.iter().filter(|limit| is_size(limit)).collect();
        let written: Vec<&DeckBound> = limits
            .iter()
            .filter_map(|limit| if let DeckLimit::Bound(bound) = limit { Some(&**bound) } else { None })
            .filter(|bound| bound.what.text == "size" && bound.counted.is_none() && bound.when.is_none())
            .collect();
        // With `when`, the written bounds are not the ones in force.
        if sizes.len() != written.len() {
            return;
        }
        let all: Vec<(i64, i64, &DeckBound)> =
            sizes.iter().map(|size| range_of(size)).zip(written).map(|((a, b), by)| (a, b, by)).collect();
        let apart = |first: &(i64, i64, &DeckBound), second: &(i64, i64, &DeckBound)| first.0.max(second.0) > first.1.min(second.1);
        let pairs = all.iter().enumerate().flat_map(|(at, first)| all.iter().skip(at + 1).map(move |second| (first, second)));
        let Some((first, second)) = pairs.into_iter().find(|(first, second)| apart(first, second)) else { return };
        let words = |bound: &DeckBound| {
            let sign = crate::expressions::comparison::comparison_of(bound.op).sign();
            format!("size {sign} {}", show_expr(&bound.bound))
        };
        let finding = Diagnostic::error("E0254", second.2.span).with("words", words(second.2)).with("first", words(first.2));
        self.report(finding.note(first.2.span, "first"));
    }

    /// A condition on the whole deck. `deck` is the set of its cards, with their printed values.
    fn deck_must(&mut self, must: &DeckMust) -> DeckMustDef {
        let mut body = Body { span: must.span, ..Body::default() };
        body.local("deck", Ty::set(Type::CatalogueCard));
        let condition = Lowering::new(self, body).wanted(&must.condition, Ty::BOOL);
        DeckMustDef { condition, written: show_expr(&must.condition), cites: self.cites(&must.cites) }
    }

    /// Whether the condition after a limit (`if …`) is true. The condition consists of constants.
    fn in_this_reading(&mut self, limit: &DeckBound) -> bool {
        let Some(when) = &limit.when else { return true };
        matches!(self.constant_value(when, Some(Ty::BOOL)), Some((Value::Bool(true), _)))
    }

    fn deck_limit(&mut self, limit: &DeckBound) -> Option<DeckLimitDef> {
        let what = match limit.what.text.as_str() {
            "size" => DeckMeasure::Size,
            "copies" => {
                let by = limit.by.iter().map(|by| self.copies_by(by)).collect::<Option<Vec<_>>>()?;
                DeckMeasure::Copies(if by.is_empty() { vec![CopiesBy::Number] } else { by })
            }
            _ => {
                self.unknown("measure of a deck", &limit.what, ["size", "copies"]);
                return None;
            }
        };
        let bound = self.number_within(&limit.bound, "the bound", 0, i32::MAX)?;
        let counted = match &limit.counted {
            None => None,
            Some((field, op, value)) => {
                let CopiesBy::Field(of) = self.copies_by(field)? else {
                    self.unknown(
                        "field",
                        field,
                        self.symbols.fields.words().map(str::to_owned).collect::<Vec<_>>().iter().map(String::as_str),
                    );
                    return None;
                };
                let want = self.program.fields.get(of).map(|field| Ty::one(field.of));
                let (value, _) = self.constant_value(value, want)?;
                Some((of, crate::expressions::comparison::comparison_of(*op), value))
            }
        };
        let cites = self.cites(&limit.cites);
        Some(DeckLimitDef { what, op: crate::expressions::comparison::comparison_of(limit.op), bound, counted, cites })
    }

    /// The way of counting copies. None for an unknown field.
    fn copies_by(&mut self, name: &Name) -> Option<CopiesBy> {
        if let Some(field) = self.symbols.fields.id::<FieldId>(&name.text) {
            return Some(CopiesBy::Field(field));
        }
        match name.text.as_str() {
            "number" => return Some(CopiesBy::Number),
            "name" => return Some(CopiesBy::Name),
            _ => {}
        }
        let words: Vec<String> = self.symbols.fields.words().chain(["number", "name"]).map(str::to_owned).collect();
        self.unknown("field", name, words.iter().map(String::as_str));
        None
    }
}

/// The least and the greatest number that a bound allows.
fn range_of(limit: &DeckLimitDef) -> (i64, i64) {
    let bound = i64::from(limit.bound);
    match limit.op {
        Compare::Equal => (bound, bound),
        Compare::Less => (i64::MIN, bound - 1),
        Compare::LessEqual => (i64::MIN, bound),
        Compare::Greater => (bound + 1, i64::MAX),
        Compare::GreaterEqual => (bound, i64::MAX),
        _ => (i64::MIN, i64::MAX),
    }
}
