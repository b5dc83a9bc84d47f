//! Checks the names in the scripts of templates: each action, function and field must be declared. So a slip is found in the template, even
//! if no card prints the template's text. Types are checked only in cards, where the holes are filled.

use crate::Compiler;
use crate::expressions::function::known_functions;
use crate::statements::action::SPECIAL;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::Name;
use wording::{Mention, Sort};

/// Names after a dot that no rules file declares.
const OF_THINGS: [&str; 12] =
    ["owner", "controller", "name", "text", "number", "zone", "source", "sources", "host", "original", "arrived", "event"];

/// The name that a change may use besides fields.
const CONTROLLER: &str = "controller";

/// A part of a price that takes from a pool: `spend(you.coin, 2)`. It stands only in prices.
const SPEND: &str = "spend";

impl Compiler {
    /// `E0201` and `E0222` for the names in scripts that nothing declares.
    pub fn unknown_in_scripts(&mut self, mentions: &[Mention]) -> Vec<Diagnostic> {
        let outer = std::mem::take(&mut self.found);
        for Mention { sort, name } in mentions {
            match sort {
                Sort::Action => self.action_in_script(name),
                Sort::Function => self.function_in_script(name),
                Sort::Field => self.field_in_script(name),
                Sort::Changed => self.changed_in_script(name),
            }
        }
        std::mem::replace(&mut self.found, outer)
    }

    fn is_callable(&self, word: &str) -> bool {
        let symbols = &self.symbols;
        [&symbols.verbs, &symbols.procedures, &symbols.functions, &symbols.zones].into_iter().any(|names| names.find(word).is_some())
    }

    fn action_in_script(&mut self, name: &Name) {
        if !self.is_callable(&name.text) && !SPECIAL.contains(&name.text.as_str()) {
            let words: Vec<String> = self.symbols.verbs.words().chain(self.symbols.procedures.words()).map(str::to_owned).collect();
            self.unknown("action or procedure", name, words.iter().map(String::as_str).chain(SPECIAL));
        }
    }

    fn function_in_script(&mut self, name: &Name) {
        let known = known_functions().contains(&name.text.as_str()) || name.text == SPEND;
        if !self.is_callable(&name.text) && !known {
            let words: Vec<String> = self.symbols.call_words().into_iter().map(str::to_owned).collect();
            self.unknown("function or zone", name, words.iter().map(String::as_str).chain(known_functions()));
        }
    }

    fn field_in_script(&mut self, name: &Name) {
        let symbols = &self.symbols;
        let tables = [&symbols.fields, &symbols.states, &symbols.slots, &symbols.enums];
        let word = name.text.as_str();
        let known = OF_THINGS.contains(&word)
            || tables.into_iter().any(|names| names.find(word).is_some())
            || symbols.components.iter().any(|(component, ..)| component == word)
            || self.program.verbs.rows().iter().any(|verb| verb.parameters.iter().any(|parameter| parameter == word));
        if !known {
            self.no_such_field(name);
        }
    }

    /// A change names a field, or a part of a price: a pool or an action.
    fn changed_in_script(&mut self, name: &Name) {
        let symbols = &self.symbols;
        let tables = [&symbols.fields, &symbols.states, &symbols.verbs];
        if name.text != CONTROLLER && tables.into_iter().all(|names| names.find(&name.text).is_none()) {
            self.no_such_field(name);
        }
    }

    fn no_such_field(&mut self, name: &Name) {
        let words: Vec<String> = self.symbols.fields.words().chain(self.symbols.states.words()).map(str::to_owned).collect();
        let finding = Diagnostic::error("E0222", name.span).with("name", &name.text).with("of", "card");
        self.report(finding.suggest(&name.text, words.iter().map(String::as_str).chain(OF_THINGS)));
    }
}
