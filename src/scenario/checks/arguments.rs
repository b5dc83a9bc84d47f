//! Checks the arguments of options in answers, and what is taken in answers to decisions: the names of arguments, their number, and whether
//! a value can stand there at all.
//!
//! Without this check, `refused a: use(zone)` would hold for every slip.

use crate::checks::names::Names;
use crate::checks::values;
use crate::running::answers::{self, Taken};
use compile::Ty;
use engine::ids::{AbilityId, EnumId, Id};
use engine::program::{NameDef, OptionParam, Type};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Arg, Expr, ExprKind, Name};
use rustc_hash::FxHashMap;
use tell::player_of;

impl Names<'_> {
    /// Checks the arguments of an option against its parameters: their names, their number, and words for values of an enum.
    pub(super) fn arguments(&mut self, option: &Name, args: &[Arg]) {
        let program = self.lookup.compiler.program();
        let mut called = program.options.rows().iter().filter_map(|option| Some((option, program.verbs.get(option.verb)?)));
        // Several options may have one label.
        let (Some((of, verb)), None) = (
            called.find(|(_, verb)| answers::says(&verb.name, &option.text)),
            called.find(|(_, verb)| answers::says(&verb.name, &option.text)),
        ) else {
            return self.found.extend(given_twice(option, args, &[]));
        };
        self.found.extend(given_twice(option, args, &verb.parameters));
        let asked = |at: usize| matches!(of.params.get(at), Some(OptionParam::In(_)));
        let known: Vec<&str> = verb.parameters.iter().enumerate().filter(|(at, _)| asked(*at)).map(|(_, name)| name.as_str()).collect();
        let types = self.lookup.compiler.parameter_types(of.verb);
        for (position, arg) in args.iter().enumerate() {
            let at = match &arg.name {
                Some(name) => verb.parameters.iter().position(|parameter| *parameter == name.text),
                None => Some(position),
            };
            // Without a name, only the player may stand at a place for which the option is not asked.
            let is_seat = matches!(&arg.value.kind, ExprKind::Name(word) if tell::player_of(program, &word.text).is_some());
            let fits = |at: &usize| *at < verb.parameters.len() && (arg.name.is_some() || asked(*at) || is_seat);
            let Some(at) = at.filter(fits) else {
                let (span, word) = arg.name.as_ref().map_or((arg.value.span, None), |name| (name.span, Some(name.text.as_str())));
                let finding = Diagnostic::error("E0555", span).with("option", &option.text).with("known", known.join("`, `"));
                self.found.push(match word {
                    Some(word) => finding.with("word", word).suggest(word, known.iter().copied()),
                    None => finding,
                });
                continue;
            };
            match (types.get(at), &arg.value.kind) {
                (Some(Some(Type::Enum(of))), ExprKind::Name(word)) => self.value_of(*of, word),
                (Some(Some(Type::Enum(of))), ExprKind::Text(word)) => {
                    self.value_of(*of, &Name { text: word.clone(), span: arg.value.span });
                }
                (Some(Some(of @ (Type::Card | Type::Ability))), ExprKind::Number(number)) => {
                    self.number_of_thing(of, &option.text, (*number, arg.value.span));
                }
                // Cards and abilities are named by a card's name, not by any other text of the game.
                (Some(Some(Type::Card | Type::Ability)), ExprKind::Text(name) | ExprKind::Ordinal(name, _)) => {
                    let is_known = !self.lookup.compiler.cards_called(name).is_empty() || self.own.has_card(name);
                    let found = if is_known { None } else { self.lookup.card_listed(name, arg.value.span).err() };
                    self.found.extend(found);
                }
                (Some(Some(of)), value) if !self.can_stand_for(*of, value) && self.is_known(&arg.value) => {
                    let finding = Diagnostic::error("E0594", arg.value.span).with("value", answers::quoted(&arg.value));
                    let argument = verb.parameters.get(at).map_or("", String::as_str);
                    let finding = finding.with("argument", argument).with("option", &option.text);
                    self.found.push(finding.with("wanted", Ty::one(*of).describe(program)));
                }
                _ => {}
            }
        }
    }

    /// `E0596` for a value that can be no answer to the decision, in whatever position.
    pub(super) fn picks(&mut self, decision: &Name, picks: &[Expr]) {
        let taken = self.declared.taken(&decision.text);
        let is_pass = taken.is_empty() && decision.text == answers::PASS;
        if taken.is_empty() && !is_pass {
            return;
        }
        let words = taken.iter().any(|taken| matches!(taken, Taken::Words(_)));
        for pick in picks {
            if self.can_be_taken(&taken, is_pass, pick) || !words && !self.is_known(pick) {
                continue;
            }
            let program = self.lookup.compiler.program();
            let wanted = |taken: &Taken| match taken {
                Taken::Acts => "OPTION(…)".to_owned(),
                Taken::Places => Ty::NUMBER.describe(program),
                Taken::Values(of) | Taken::Words(of) => Ty::one(*of).describe(program),
            };
            let wanted = if is_pass { "none".to_owned() } else { taken.iter().map(wanted).collect::<Vec<_>>().join("`, `") };
            let finding = Diagnostic::error("E0596", pick.span).with("value", answers::quoted(pick));
            self.found.push(finding.with("decision", &decision.text).with("wanted", wanted));
        }
    }

    fn can_be_taken(&self, taken: &[Taken], is_pass: bool, pick: &Expr) -> bool {
        match &pick.kind {
            ExprKind::Name(name) if name.text == "none" => true,
            // A place among what is asked.
            ExprKind::List(_) => !is_pass,
            _ => taken.iter().any(|taken| match taken {
                Taken::Acts => matches!(pick.kind, ExprKind::Call(..)),
                Taken::Places => matches!(pick.kind, ExprKind::Number(1..)),
                Taken::Values(of) => self.can_be(*of, &pick.kind),
                Taken::Words(of) => {
                    *of == Type::CatalogueCard && matches!(pick.kind, ExprKind::Text(_)) || self.can_stand_for(*of, &pick.kind)
                }
            }),
        }
    }

    /// Whether a written value can be a value of this type; cards and values of enums are looked up.
    fn can_be(&self, of: Type, value: &ExprKind) -> bool {
        let program = self.lookup.compiler.program();
        match (of, value) {
            (Type::Card | Type::Ability, ExprKind::Text(name) | ExprKind::Ordinal(name, _)) => {
                !self.lookup.compiler.cards_called(name).is_empty() || self.own.has_card(name)
            }
            (Type::Ability, ExprKind::Number(number)) => (1..=self.most_abilities()).contains(number),
            (Type::Enum(of), ExprKind::Name(Name { text: word, .. }) | ExprKind::Text(word)) => {
                program.enums.get(of).is_some_and(|def| def.values.iter().any(|value| answers::says(value, word)))
            }
            _ => self.can_stand_for(of, value),
        }
    }

    /// `E0589` for a number in the place of a card, and for a number of an ability that no card prints.
    fn number_of_thing(&mut self, of: &Type, option: &str, (number, span): (i32, Span)) {
        let finding = Diagnostic::error("E0589", span).with("number", number).with("option", option);
        match of {
            Type::Ability if (1..=self.most_abilities()).contains(&number) => {}
            Type::Ability => self.found.push(finding.with("most", self.most_abilities())),
            _ => self.found.push(finding),
        }
    }

    /// The greatest number of abilities of one kind that a card prints.
    fn most_abilities(&self) -> i32 {
        let program = self.lookup.compiler.program();
        let of_card = |first: AbilityId, count: u16| {
            let mut kinds: FxHashMap<_, i32> = FxHashMap::default();
            for at in first.index()..first.index() + usize::from(count) {
                if let Some(ability) = program.abilities.get(AbilityId(at as u16)) {
                    *kinds.entry(ability.kind).or_default() += 1;
                }
            }
            kinds.into_values().max().unwrap_or(0)
        };
        program.cards.rows().iter().map(|card| of_card(card.abilities.0, card.abilities.1)).max().unwrap_or(0)
    }

    /// Whether a written value can mean a value of this type (see `Reader::means`). Cards and values of enums are looked up elsewhere.
    fn can_stand_for(&self, of: Type, value: &ExprKind) -> bool {
        let program = self.lookup.compiler.program();
        let says = |word: &str, mut names: Box<dyn Iterator<Item = &NameDef> + '_>| names.any(|name| answers::says(name, word));
        match (of, value) {
            (Type::Symbol | Type::Text | Type::CatalogueCard | Type::Effect, ExprKind::Text(_) | ExprKind::Ordinal(..)) => true,
            (Type::Card | Type::Effect, ExprKind::Name(word)) => self.own.names(&word.text),
            (Type::Ability, ExprKind::Name(word)) => {
                self.own.names(&word.text) || says(&word.text, Box::new(program.kinds.rows().iter().map(|kind| &kind.name)))
            }
            (Type::Player, ExprKind::Name(word)) => player_of(program, &word.text).is_some(),
            (Type::Number, ExprKind::Number(_) | ExprKind::Negate(_)) => true,
            (Type::Bool, ExprKind::Name(word)) => ["yes", "no"].contains(&word.text.as_str()),
            (Type::Bool, value) => matches!(value, ExprKind::Bool(_)),
            (Type::Symbol | Type::Text, ExprKind::Name(_)) => true,
            (Type::Zone, ExprKind::Name(word)) => says(&word.text, Box::new(program.zones.rows().iter().map(|zone| &zone.name))),
            (Type::Options, ExprKind::Name(word)) => says(&word.text, Box::new(program.groups.rows().iter())),
            (Type::Unknown | Type::Event(_) | Type::Cause, _) => true,
            _ => false,
        }
    }

    /// Whether everything in the value has a meaning. If not, that is reported.
    fn is_known(&self, value: &Expr) -> bool {
        let mut found = Vec::new();
        values::unknown(self.lookup, &self.own, value, &mut found);
        found.is_empty()
    }

    /// `E0231` for a word that is no value of the enum.
    fn value_of(&mut self, of: EnumId, word: &Name) {
        let Some(def) = self.lookup.compiler.program().enums.get(of) else { return };
        if word.text == "none" || def.values.iter().any(|value| answers::says(value, &word.text)) {
            return;
        }
        let known: Vec<&str> = def.values.iter().map(|value| value.name.as_str()).collect();
        let finding = Diagnostic::error("E0231", word.span).with("value", &word.text).with("of", &def.name.name);
        self.found.push(finding.with("known", known.join("`, `")).suggest(&word.text, known.iter().copied()));
    }
}

/// `E0207` for an argument that is given twice, by its name, or by its place and its name.
fn given_twice(option: &Name, args: &[Arg], parameters: &[String]) -> Option<Diagnostic> {
    let mut known: Vec<&str> = Vec::new();
    for (place, arg) in args.iter().enumerate() {
        let name = arg.name.as_ref().map_or_else(|| parameters.get(place).map(String::as_str), |name| Some(&name.text));
        match name {
            Some(name) if known.contains(&name) => {
                return Some(Diagnostic::error("E0207", arg.value.span).with("argument", name).with("name", &option.text));
            }
            Some(name) => known.push(name),
            None => {}
        }
    }
    None
}
