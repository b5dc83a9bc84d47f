//! Values in words: printed labels in Japanese, names in English. A card that a seat may not see is "a card".

use super::Words;
use engine::ids::{AbilityId, CardId, FieldId, Id};
use engine::program::{Builtin, CauseKind, NameDef, OptionDef, OptionParam, PartKey, Program, VerbDef};
use engine::state::board::zone_of;
use engine::state::{Cause, State, Waits};
use engine::value::{ObjectId, Player, Value, long_row};
use lang::diagnostic::Language;

/// The number of signs of an ability's text that are shown to tell the ability from another ability.
const SHOWN_OF_TEXT: usize = 24;

/// The letter of a seat: a, b, …; `nobody` for nobody.
#[must_use]
pub fn seat(player: Player) -> String {
    if player == Player::NOBODY {
        return "nobody".to_owned();
    }
    char::from(b'a'.saturating_add(player.0.min(25))).to_string()
}

/// A declared thing's label in Japanese, its name in English.
#[must_use]
pub fn label_of(def: &NameDef, language: Language) -> &str {
    if language == Language::Japanese && !def.label.is_empty() { &def.label } else { &def.name }
}

/// A choice's label in Japanese, its name in English. Choices that the language itself asks have words of their own, unless the game
/// declares a label.
#[must_use]
pub fn choice_of(def: &NameDef, words: Words) -> String {
    // A pick among the arguments of a builtin verb has the verb's name as its label.
    let verb = || words.find(&format!("verb.{}", def.label)).filter(|_| words.language() == Language::Japanese);
    let own = (def.label == def.name).then(|| words.find(&format!("choice.{}", def.name))).flatten().or_else(verb);
    own.unwrap_or_else(|| label_of(def, words.language())).to_owned()
}

/// A choice as the question that a player reads. Its label in English too, if the label is written in Latin letters. A name without a label
/// is read as words.
#[must_use]
pub fn question_of(def: &NameDef, words: Words) -> String {
    // A pick among the arguments of a builtin verb has the verb's name as its label.
    if let Some(verb) = words.find(&format!("verb.{}", def.label)) {
        return verb.to_owned();
    }
    match words.find(&format!("choice.{}", def.name)) {
        _ if def.label != def.name && reads(&def.label, words) => def.label.clone(),
        Some(own) => own.to_owned(),
        None => def.name.replace('_', " "),
    }
}

/// Whether a reader of this language reads a printed label: everybody reads Latin letters.
#[must_use]
pub fn reads(label: &str, words: Words) -> bool {
    words.language() == Language::Japanese || label.is_ascii()
}

/// The names of values for one reader.
pub struct Names<'a> {
    /// The game.
    pub program: &'a Program,
    /// The texts of the interface.
    pub words: Words,
    /// Whether the reader may know a card. None: all cards.
    pub known: Option<&'a dyn Fn(ObjectId) -> bool>,
}

impl Names<'_> {
    /// A declared thing's label or name in the reader's language.
    #[must_use]
    pub fn label<'d>(&self, def: &'d NameDef) -> &'d str {
        label_of(def, self.words.language())
    }

    /// A card of the pool by its printed name.
    #[must_use]
    pub fn card(&self, card: CardId) -> String {
        let name = self.program.cards.get(card).and_then(|card| self.program.texts.get(card.name));
        name.map_or_else(|| "?".to_owned(), |name| format!("「{name}」"))
    }

    /// A card in the game.
    #[must_use]
    pub fn object(&self, state: &State, id: ObjectId) -> String {
        if self.known.is_some_and(|known| !known(id)) {
            return self.words.say("card.unknown", &[]);
        }
        state.board.object(id).map_or_else(|| "?".to_owned(), |object| self.card(object.card))
    }

    /// Several values. Unknown cards are counted.
    #[must_use]
    pub fn list(&self, state: &State, lists: &[Value], values: &[Value]) -> String {
        if let Some((first, last)) = long_row(values) {
            return format!("{first}…{last}");
        }
        let hidden = |value: &&Value| matches!(value, Value::Object { id, .. } if self.known.is_some_and(|known| !known(*id)));
        let unknown = values.iter().filter(hidden).count();
        let mut parts: Vec<_> = values.iter().filter(|value| !hidden(value)).map(|value| self.value(state, lists, *value)).collect();
        match unknown {
            0 => {}
            1 => parts.push(self.words.say("card.unknown", &[])),
            n => parts.push(self.words.say("cards.unknown", &[("n", n.to_string())])),
        }
        if parts.is_empty() { self.words.say("none", &[]) } else { parts.join(self.words.plain("list.comma")) }
    }

    /// A value. `lists` is the arena that a list among the values points into.
    #[must_use]
    pub fn value(&self, state: &State, lists: &[Value], value: Value) -> String {
        match value {
            Value::Undefined => self.words.say("undefined", &[]),
            Value::Bool(yes) => self.words.say(if yes { "yes" } else { "no" }, &[]),
            Value::Number(number) => number.to_string(),
            Value::Player(player) => seat(player),
            Value::Enum(of, index) => self.enum_value(of, index),
            Value::Symbol(text) | Value::Text(text) => self.program.texts.get(text).cloned().unwrap_or_default(),
            Value::Object { id, .. } => self.object(state, id),
            Value::Zone(place) => self.place(place),
            Value::Ability { of, ability, .. } => self.ability(state, of, ability),
            Value::Pending(number) => self.pending(state, number),
            Value::Effect(number) => {
                let card = state.effects.get(number).map_or_else(String::new, |effect| self.value(state, lists, effect.source));
                self.words.say("effect", &[("card", card)])
            }
            Value::List { len, start } => {
                let members = lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]);
                self.list(state, &[], members)
            }
            Value::Card(card) => self.card(card),
            Value::Event(at) => self.event(state, at),
            Value::Cause { .. } => self.cause(state, Cause::of(value)),
            Value::Group(group) => self.program.groups.get(group).map_or_else(|| "?".to_owned(), |group| self.label(group).to_owned()),
            Value::Play { count, option, start } => self.play_with(state, lists, (option, count, start), &|_| None),
        }
    }

    /// A part of a cost: the spent pool, or the action.
    #[must_use]
    pub fn part(&self, key: PartKey) -> String {
        let name = match key {
            PartKey::Pool(state) => self.program.states.get(state).map(|state| &state.name),
            PartKey::Verb(verb) => {
                let builtin = Builtin::ALL.get(verb.index()).filter(|builtin| builtin.verb() == verb);
                let own = builtin.and_then(|builtin| self.words.find(&format!("verb.{}", builtin.name())));
                if let Some(own) = own {
                    return own.to_owned();
                }
                self.program.verbs.get(verb).map(|verb| &verb.name)
            }
        };
        name.map_or_else(|| "?".to_owned(), |name| self.label(name).to_owned())
    }

    /// A value as [`Names::value`] says it. In a way to act, `details` gives what stands after the name of a card.
    #[must_use]
    pub fn way(&self, state: &State, lists: &[Value], value: Value, details: &dyn Fn(ObjectId) -> Option<String>) -> String {
        match value {
            Value::Play { count, option, start } => self.play_with(state, lists, (option, count, start), details),
            value => self.value(state, lists, value),
        }
    }

    /// The arguments of a way to act that are shown, each with its position. An argument that only effects fill is not shown.
    pub fn shown_arguments<'l>(&self, lists: &'l [Value], value: Value) -> Vec<(usize, &'l Value)> {
        let Value::Play { count, option, start } = value else { return Vec::new() };
        let Some(option) = self.program.options.get(option) else { return Vec::new() };
        let args = lists.get(start as usize..start as usize + usize::from(count).saturating_sub(1)).unwrap_or(&[]);
        let is_asked = |at: &usize| matches!(option.params.get(*at), Some(OptionParam::In(_)));
        args.iter().enumerate().filter(|(at, _)| is_asked(at)).collect()
    }

    /// A way to act: the option with its arguments. All but the first are named.
    fn play_with(
        &self,
        state: &State,
        lists: &[Value],
        (id, count, start): (engine::ids::OptionId, u8, u32),
        details: &dyn Fn(ObjectId) -> Option<String>,
    ) -> String {
        let Some(option) = self.program.options.get(id) else { return "?".to_owned() };
        let Some(verb) = self.program.verbs.get(option.verb) else { return "?".to_owned() };
        let said = |(at, value): (usize, &Value)| {
            let told = match value {
                Value::Object { id, .. } => details(*id).map(|details| format!(" {details}")).unwrap_or_default(),
                _ => String::new(),
            };
            let value = self.value(state, &[], *value) + &told;
            match self.parameter(option, verb, at).filter(|_| at > 0) {
                Some(name) => format!("{name}: {value}"),
                None => value,
            }
        };
        let args: Vec<String> = self.shown_arguments(lists, Value::Play { count, option: id, start }).into_iter().map(said).collect();
        let label = self.label(&verb.name);
        if args.is_empty() { label.to_owned() } else { format!("{label}({})", args.join(", ")) }
    }

    /// The name of an option's parameter; in Japanese its label, if it has one.
    fn parameter<'d>(&self, option: &'d OptionDef, verb: &'d VerbDef, at: usize) -> Option<&'d String> {
        match self.words.language() {
            Language::English => verb.parameters.get(at),
            Language::Japanese => option.called.get(at).filter(|label| !label.is_empty()),
        }
    }

    fn enum_value(&self, of: engine::ids::EnumId, index: u8) -> String {
        let def = self.program.enums.get(of).and_then(|def| def.values.get(usize::from(index)));
        def.map_or_else(|| "?".to_owned(), |def| self.label(def).to_owned())
    }

    /// A zone, with its player.
    #[must_use]
    pub fn place(&self, place: engine::value::Place) -> String {
        let (zone, whose) = zone_of(self.program, place);
        let label = self.program.zones.get(zone).map_or("?", |zone| self.label(&zone.name));
        whose.map_or_else(|| label.to_owned(), |player| format!("{label}({})", seat(player)))
    }

    fn ability(&self, state: &State, of: ObjectId, ability: AbilityId) -> String {
        let kind = self.program.abilities.get(ability).and_then(|ability| self.program.kinds.get(ability.kind));
        let of_object = self.object(state, of);
        format!("{}{of_object}{}", kind.map_or("?", |kind| self.label(&kind.name)), self.which(state, of, ability))
    }

    /// The number of an ability among the abilities of its kind on its card, with the beginning of its text. Empty if the card prints only
    /// one.
    fn which(&self, state: &State, of: ObjectId, ability: AbilityId) -> String {
        if self.known.is_some_and(|known| !known(of)) {
            return String::new();
        }
        let card = state.board.object(of).map(|object| object.card);
        let Some(which) = card.and_then(|card| self.program.which_of_its_kind(card, ability)) else { return String::new() };
        let text = self.program.text_of_ability(ability).unwrap_or_default();
        let shown: String = text.chars().take(SHOWN_OF_TEXT).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        if shown.is_empty() { format!("#{which}") } else { format!("#{which}「{shown}{more}」") }
    }

    fn pending(&self, state: &State, number: u32) -> String {
        let Some(waiting) = state.events.waiting(number) else { return format!("#{number}") };
        let what = match waiting.waits {
            Waits::Triggered(kind, _) | Waits::Announced(kind) => self.program.kinds.get(kind).map(|kind| self.label(&kind.name)),
            Waits::PutBy(moment) => self.program.moments.get(moment).map(|moment| self.label(moment)),
            Waits::Declared(option) => {
                let verb = self.program.options.get(option).and_then(|option| self.program.verbs.get(option.verb));
                return verb.map_or("?", |verb| self.label(&verb.name)).to_owned();
            }
        };
        // A block that the rules have put by belongs to no card.
        let source = if waiting.source == Value::Undefined { String::new() } else { self.value(state, &[], waiting.source) };
        let which = match (waiting.source, waiting.ability) {
            (Value::Object { id, .. }, Some(ability)) => self.which(state, id, ability),
            _ => String::new(),
        };
        format!("{}{source}{which}", what.unwrap_or("?"))
    }

    /// An event: the name of the action, and its arguments.
    fn event(&self, state: &State, at: u32) -> String {
        let Some(event) = state.events.history.get(at as usize) else { return "?".to_owned() };
        let Some(verb) = self.program.verbs.get(event.verb) else { return "?".to_owned() };
        let args = Builtin::told(event.verb, &event.args).iter().filter(|arg| **arg != Value::Undefined);
        let args: Vec<String> = args.map(|arg| self.value(state, &state.events.lists, *arg)).collect();
        super::why::with_arguments(self.label(&verb.name), &args)
    }

    /// A cause: its kind, and the card or player that it belongs to.
    fn cause(&self, state: &State, cause: Cause) -> String {
        let word = match cause.kind() {
            None => self.words.say("undefined", &[]),
            Some(CauseKind::Rule) => self.words.say("cause.rule", &[]),
            Some(CauseKind::Effect) => self.words.say("cause.effect", &[]),
            Some(CauseKind::Cost) => self.words.say("cause.cost", &[]),
            Some(CauseKind::Declared(cause)) => self.program.causes.get(cause).map_or("?", |cause| self.label(cause)).to_owned(),
        };
        match cause.source() {
            Value::Undefined => word,
            source => self.words.say("cause.of", &[("cause", word), ("of", self.value(state, &[], source))]),
        }
    }

    /// A printed value of a card of the pool.
    #[must_use]
    pub fn printed(&self, state: &State, card: CardId, field: FieldId) -> String {
        self.value(state, &self.program.printed_sets, self.program.printed_value(card, field))
    }

    /// The fields that are printed on cards of this game, in declared order.
    pub fn printed_fields(&self) -> impl Iterator<Item = FieldId> + '_ {
        let printed = self.program.fields.iter().filter(|(id, field)| field.derived.is_none() && Some(*id) != self.program.type_field);
        printed.map(|(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::{choice_of, question_of};
    use crate::Words;
    use engine::ids::CitesId;
    use engine::program::NameDef;
    use lang::diagnostic::Language;

    fn called(name: &str, label: &str) -> (String, String) {
        let def = NameDef { name: name.to_owned(), label: label.to_owned(), cites: CitesId::default() };
        (choice_of(&def, Words::new(Language::English)), choice_of(&def, Words::new(Language::Japanese)))
    }

    fn asked(name: &str, label: &str) -> [String; 2] {
        let def = NameDef { name: name.to_owned(), label: label.to_owned(), cites: CitesId::default() };
        [Language::English, Language::Japanese].map(|language| question_of(&def, Words::new(language)))
    }

    /// Choices of the language itself have words in both languages. A label of the game replaces them.
    #[test]
    fn choices_without_a_declaration_have_names() {
        assert_eq!(called("number", "number"), ("number".to_owned(), "数".to_owned()));
        assert_eq!(called("number", "枚数"), ("number".to_owned(), "枚数".to_owned()));
        assert_eq!(called("lay", "lay"), ("lay".to_owned(), "lay".to_owned()));
        assert_eq!(called("moved", "move"), ("moved".to_owned(), "移動".to_owned()));
    }

    /// Labels of Latin letters are read in both languages; a name without a label is read as words.
    #[test]
    fn questions_are_words() {
        assert_eq!(asked("lay", "a card to lay"), ["a card to lay", "a card to lay"]);
        assert_eq!(asked("lay_card", "置くカード"), ["lay card", "置くカード"]);
        assert_eq!(asked("lay_card", "lay_card"), ["lay card", "lay card"]);
        assert_eq!(asked("number", "number"), ["number", "数"]);
    }
}
