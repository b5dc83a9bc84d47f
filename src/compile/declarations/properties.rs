//! Reads the phrases in a declaration's braces: `each player`, `hidden except to owner`, `at most 1`.

use crate::Compiler;
use crate::declarations::names::{Names, Symbols};
use crate::expressions::expression::Lowering;
use crate::statements::body::Body;
use engine::ids::{Id, ZoneId};
use engine::program::{Follows, Seen, ZoneDef};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Expr, ExprKind, Property};

/// A phrase with the value after it.
pub(crate) struct Phrase<'a> {
    pub(crate) words: &'static str,
    pub(crate) value: Option<&'a Expr>,
    pub(crate) property: &'a Property,
    /// The place of the words alone.
    pub(crate) span: Span,
}

/// The phrases of zones.
const ZONE: [&str; 24] = [
    "holds abilities",
    "each player",
    "shared",
    "ordered",
    "hidden except to team",
    "hidden except to owner",
    "hidden",
    "public",
    "at most",
    "at most each",
    "places",
    "follows host",
    "follows host to",
    "redirects to owner",
    "owns cards",
    "controls cards",
    "until performed",
    "until dropped",
    "face up or down",
    "face down public",
    "face down hidden",
    "face down hidden except to controller",
    "face down idle",
    "starts with deck",
];

impl Compiler {
    /// The phrases of `properties`. The longest known phrase is taken first, so it does not matter how the lines are broken.
    pub(crate) fn phrases<'a>(&mut self, what: &str, properties: &'a [Property], known: &[&'static str]) -> Vec<Phrase<'a>> {
        let mut found = Vec::new();
        for property in properties {
            let words: Vec<&str> = property.words.iter().map(|word| word.text.as_str()).collect();
            let mut rest = words.as_slice();
            while !rest.is_empty() {
                let Some((phrase, length)) = longest(rest, known) else {
                    let written = rest.join(" ");
                    let finding = Diagnostic::error("E0216", property.span).with("what", what).with("words", &written);
                    self.report(finding.with("known", known.join("`, `")).suggest(&written, known.iter().copied()));
                    break;
                };
                let taken = words.len() - rest.len();
                let mut places = property.words.iter().skip(taken).take(length).map(|word| word.span);
                let span = places.next().map_or(property.span, |first| places.fold(first, Span::to));
                rest = rest.get(length..).unwrap_or(&[]);
                let value = if rest.is_empty() { property.value.as_ref() } else { None };
                found.push(Phrase { words: phrase, value, property, span });
            }
        }
        self.check_phrases(&found);
        found
    }

    /// Puts the phrases of a zone into its definition.
    pub(crate) fn zone_properties(&mut self, zone: &mut ZoneDef, properties: &[Property]) -> bool {
        let (mut starts, mut silent, mut controls) = (false, true, None);
        for phrase in self.phrases("zone", properties, &ZONE) {
            match phrase.words {
                "each player" => zone.each_player = true,
                "shared" => silent = false,
                "ordered" => zone.ordered = true,
                "hidden except to owner" => zone.seen = Seen::ByOwner,
                "hidden except to team" => {
                    (zone.seen, zone.team_sees) = (Seen::ByOwner, true);
                    self.teams_wanted(phrase.span);
                }
                "hidden" => zone.seen = Seen::ByNobody,
                "at most" => {
                    zone.capacity_cites = self.cites(&phrase.property.cites);
                    zone.capacity = self.phrase_number(&phrase, 1, i32::from(u16::MAX)).and_then(|n| u16::try_from(n).ok());
                }
                "at most each" => {
                    zone.capacity_cites = self.cites(&phrase.property.cites);
                    zone.capacity_each = self.phrase_number(&phrase, 1, i32::from(u16::MAX)).and_then(|n| u16::try_from(n).ok());
                }
                "places" => zone.places = self.phrase_name(&phrase, "enum", |symbols| &symbols.enums),
                "follows host" | "follows host to" => {
                    zone.follows = Follows::Along;
                    if !phrase.property.cites.is_empty() {
                        zone.follow_cites = self.cites(&phrase.property.cites);
                    }
                }
                "redirects to owner" => zone.redirects = true,
                "owns cards" => zone.owns = true,
                "controls cards" => {
                    (zone.controls, controls) = (true, Some(phrase.span));
                    if !phrase.property.cites.is_empty() {
                        zone.control_cites = self.cites(&phrase.property.cites);
                    }
                }
                "holds abilities" => zone.abilities = true,
                "until performed" => zone.until_performed = true,
                "until dropped" => (zone.until_performed, zone.until_dropped) = (true, true),
                "face up or down" => zone.has_faces = true,
                "face down public" => zone.down = Seen::ByAll,
                "face down idle" => zone.idle_cites = self.cites(&phrase.property.cites),
                "face down hidden" => zone.down = Seen::ByNobody,
                "face down hidden except to controller" => zone.down = Seen::ByController,
                "starts with deck" => {
                    starts = true;
                    self.phrase_once("starts with deck", phrase.span);
                }
                _ => {}
            }
        }
        // A zone that does not say `each player` is shared.
        if let (Some(span), true) = (controls, silent && !zone.each_player) {
            self.report(Diagnostic::error("E0254", span).with("words", "controls cards").with("first", "shared"));
        }
        starts
    }

    /// The declared thing after a phrase.
    pub(crate) fn phrase_name<T: Id>(&mut self, phrase: &Phrase<'_>, what: &str, table: fn(&Symbols) -> &Names) -> Option<T> {
        match phrase.value.map(|value| &value.kind) {
            Some(ExprKind::Name(name)) => self.declared(what, table, name),
            _ => {
                self.report(Diagnostic::error("E0237", phrase.property.span).with("what", phrase.words));
                None
            }
        }
    }

    /// The phrases of a zone that name other zones. These may be declared later.
    pub(crate) fn zone_relations(&mut self, zone: ZoneId, properties: &[Property]) {
        let found = self.found.len();
        let phrases = self.phrases("zone", properties, &ZONE);
        self.found.truncate(found);
        for phrase in phrases.iter().filter(|phrase| phrase.words == "follows host to") {
            if let Some(to) = self.phrase_name(phrase, "zone", |symbols| &symbols.zones)
                && let Some(def) = self.program.zones.get_mut(zone)
            {
                def.follows = Follows::To(to);
            }
        }
    }

    /// The number after a phrase. Reports a finding if the phrase is no number or the number is out of range.
    pub(crate) fn phrase_number(&mut self, phrase: &Phrase<'_>, least: i32, most: i32) -> Option<i32> {
        let Some(value) = phrase.value else {
            self.report(Diagnostic::error("E0237", phrase.property.span).with("what", phrase.words));
            return None;
        };
        self.number_within(value, phrase.words, least, most)
    }

    /// A constant number in a range; else a finding.
    pub(crate) fn number_within(&mut self, expr: &Expr, what: &str, least: i32, most: i32) -> Option<i32> {
        match self.constant_value(expr, Some(crate::Ty::NUMBER)).map(|(value, _)| value) {
            Some(Value::Number(number)) if (least..=most).contains(&number) => Some(number),
            Some(Value::Number(number)) => {
                let finding = Diagnostic::error("E0208", expr.span).with("what", what).with("value", number);
                self.report(finding.with("least", least).with("most", most));
                None
            }
            Some(_) | None => None,
        }
    }

    /// The value of a constant expression; else `E0237`.
    pub(crate) fn constant_value(&mut self, expr: &Expr, want: Option<crate::Ty>) -> Option<(Value, crate::Ty)> {
        let before = self.found.len();
        let mut lowering = Lowering::new(self, Body::default());
        let typed = match want {
            Some(want) => lowering.wanted_typed(expr, want),
            None => lowering.expr(expr, None),
        };
        let value = self.const_of(typed.node);
        if value.is_none() && self.found.len() == before {
            self.report(Diagnostic::error("E0237", expr.span).with("what", "this"));
        }
        if self.found.len() > before { None } else { value.map(|value| (value, typed.ty)) }
    }
}

/// The longest phrase at the beginning of `words`, and its number of words.
fn longest(words: &[&str], known: &[&'static str]) -> Option<(&'static str, usize)> {
    let fits = |phrase: &&&'static str| {
        let parts: Vec<&str> = phrase.split(' ').collect();
        words.starts_with(&parts)
    };
    let best = known.iter().filter(fits).max_by_key(|phrase| phrase.len())?;
    Some((best, best.split(' ').count()))
}
