//! Compiles readings: the ways in which the rulebook can be read, and the one that counts.

use crate::Compiler;
use crate::declarations::names::ReadingValue;
use crate::expressions::types::Ty;
use engine::ids::Id;
use engine::program::Type;
use engine::value::Value;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Name, Reading, ReadingChoices};

impl Compiler {
    /// `reading NAME { … }`.
    pub(super) fn declare_reading(&mut self, reading: &Reading) {
        self.declare("reading", &reading.head, |symbols| &mut symbols.readings);
        let name = &reading.head.name.text;
        let chosen = self.chosen_readings.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let value = match &reading.choices {
            ReadingChoices::Names(names) => self.named_reading(reading, names, chosen.as_deref()),
            ReadingChoices::Value(of, default) => {
                let ty = self.type_of(of);
                let value = self.constant_value(default, Some(ty)).map_or(Value::Undefined, |(value, _)| value);
                let chosen = chosen.and_then(|written| self.written_value(&written, ty));
                ReadingValue::Constant(chosen.unwrap_or(value), ty)
            }
        };
        self.symbols.reading_values.push(value);
    }

    fn named_reading(&mut self, reading: &Reading, names: &[(Name, bool)], chosen: Option<&str>) -> ReadingValue {
        let words: Vec<String> = names.iter().map(|(name, _)| name.text.clone()).collect();
        let mut defaults = names.iter().filter(|(_, default)| *default);
        if let (Some((first, _)), Some((second, _))) = (defaults.next(), defaults.next()) {
            let finding = Diagnostic::error("E0202", second.span).with("what", "default").with("name", &reading.head.name.text);
            self.found.push(finding.note(first.span, "first"));
        }
        let default = names.iter().position(|(_, default)| *default).unwrap_or_else(|| {
            self.found.push(Diagnostic::error("E0235", reading.head.span).with("name", &reading.head.name.text));
            0
        });
        let at = match chosen {
            None => default,
            Some(written) => words.iter().position(|word| word == written).unwrap_or_else(|| {
                let finding = Diagnostic::error("E0236", reading.head.span).with("name", &reading.head.name.text).with("value", written);
                self.found.push(finding.suggest(written, words.iter().map(String::as_str)));
                default
            }),
        };
        ReadingValue::Named(words, at)
    }

    /// The value that a person wrote on a command line.
    pub(crate) fn written_value(&mut self, written: &str, ty: Ty) -> Option<Value> {
        match ty.of {
            Type::Number => written.parse().ok().map(Value::Number),
            Type::Bool => written.parse().ok().map(Value::Bool),
            Type::Symbol => Some(Value::Symbol(self.text(written))),
            Type::Text => Some(Value::Text(self.text(written))),
            Type::Enum(id) => {
                let at = self.symbols.values.get(id.index())?.find(written)?;
                Some(Value::Enum(id, u8::try_from(at).ok()?))
            }
            _ => None,
        }
    }
}
