//! Values in words: printed labels in Japanese, names in English. A card that a seat may not see is "a card".

use crate::gone::Waited;
use crate::{Gone, Words};
use engine::ids::{AbilityId, CardId, ChoiceId, FieldId, Id, VerbId};
use engine::program::{Builtin, CauseKind, NameDef, OptionDef, OptionParam, PartKey, Program, Seen, VerbDef};
use engine::state::board::zone_of;
use engine::state::{Cause, Outcome, Places, State, Waits};
use engine::steps::Why;
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

/// The player with this seat letter.
#[must_use]
pub fn player_of(program: &Program, letter: &str) -> Option<Player> {
    (0..program.players).map(Player).find(|player| seat(*player) == letter)
}

/// The seats with their places: `a 1, b 1, c 3`.
#[must_use]
pub fn places_of(places: &Places) -> String {
    places.seats().map(|(player, place)| format!("{} {place}", seat(player))).collect::<Vec<_>>().join(", ")
}

/// An action with its arguments in brackets; without arguments the action alone.
#[must_use]
pub fn with_arguments(verb: &str, args: &[String]) -> String {
    if args.is_empty() { verb.to_owned() } else { format!("{verb}({})", args.join(", ")) }
}

/// The key of the words for why something is not done. No amount is said as nothing.
#[must_use]
pub fn reason(why: Why) -> &'static str {
    match why {
        Why::Forbidden(_) => "why.forbidden",
        Why::Missing => "why.undefined",
        Why::Nothing | Why::NoTimes => "why.nothing",
        Why::Already => "why.already",
        Why::Unmet => "why.unmet",
        Why::Full => "why.full",
        Why::Taken => "why.taken",
        Why::Replaced(_) => "why.replaced",
        Why::Inactive => "why.inactive",
        Why::Bodiless => "why.bodiless",
        Why::Disabled(_) => "why.disabled",
        Why::UsedUp => "why.used_up",
        Why::Left => "why.left",
        Why::Lost(_) => "why.lost",
    }
}

/// The names of values for one reader.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The game.
    pub program: &'a Program,
    /// The texts of the interface.
    pub words: Words,
    /// Whether the reader may know a card. None: all cards.
    pub known: Option<&'a dyn Fn(ObjectId) -> bool>,
    gone: Option<&'a Gone>,
    bare: bool,
}

impl<'a> Names<'a> {
    /// For a reader who may know all cards.
    #[must_use]
    pub fn new(program: &'a Program, words: Words) -> Self {
        Self { program, words, known: None, gone: None, bare: false }
    }

    /// For a reader who may know some cards.
    #[must_use]
    pub fn known_to(self, known: &'a dyn Fn(ObjectId) -> bool) -> Self {
        Self { known: Some(known), ..self }
    }

    /// With the cards of abilities and effects that are over.
    #[must_use]
    pub fn after(self, gone: &'a Gone) -> Self {
        Self { gone: Some(gone), ..self }
    }

    /// With names of cards as a scenario writes them, without brackets.
    #[must_use]
    pub fn bare(self) -> Self {
        Self { bare: true, ..self }
    }
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
        name.map_or_else(|| "?".to_owned(), |name| if self.bare { name.clone() } else { format!("「{name}」") })
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
                let card = self.card_of_effect(state, number).map_or_else(|| format!("#{number}"), |card| self.value(state, lists, card));
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

    /// The end of a game: `b wins`.
    #[must_use]
    pub fn outcome(&self, outcome: Outcome) -> String {
        match outcome {
            Outcome::Won(player) => self.words.say("step.over.won", &[("player", seat(player))]),
            Outcome::Drawn => self.words.say("step.over.drawn", &[]),
            Outcome::Placed(places) => self.words.say("step.over.placed", &[("places", places_of(&places))]),
        }
    }

    /// A choice; of the kernel's own choice between replacements, the kernel's words.
    #[must_use]
    pub fn choice(&self, choice: ChoiceId) -> String {
        let def = self.program.choices.get(choice);
        def.map_or_else(|| self.words.say("ask.replacement", &[]), |choice| choice_of(&choice.name, self.words))
    }

    /// An action: `引く(a, 1)`.
    #[must_use]
    pub fn call(&self, state: &State, lists: &[Value], verb: VerbId, args: &[Value]) -> String {
        let args = Builtin::told(verb, args);
        let given = args.iter().rposition(|arg| *arg != Value::Undefined).map_or(0, |last| last + 1);
        let args: Vec<_> = args.iter().take(given).map(|arg| self.value(state, lists, *arg)).collect();
        with_arguments(&self.verb(verb), &args)
    }

    /// An action; a move with its places: `「石」: 手札(a) → 列(a) (左)`. The words say if the card lies face down there, or at the
    /// bottom.
    #[must_use]
    pub fn action(&self, state: &State, lists: &[Value], verb: VerbId, args: &[Value]) -> String {
        if verb != Builtin::Move.verb() {
            return self.call(state, lists, verb, args);
        }
        let arg = |at: usize| args.get(at).copied().unwrap_or_default();
        let value = |value| self.value(state, lists, value);
        let (what, mut to, from) = (value(arg(0)), value(arg(1)), arg(4));
        if self.lands_face_down(arg(1), arg(2)) {
            to = format!("{to} {}", self.words.say("table.down", &[]));
        }
        if let place @ Value::Enum(..) = arg(3) {
            to = format!("{to} {}", self.words.say("table.states", &[("states", value(place))]));
        }
        if arg(3) == Value::Bool(true) {
            to = format!("{to} {}", self.words.say("table.bottom", &[]));
        }
        match from {
            Value::Undefined => self.words.say("step.moved.to", &[("what", what), ("to", to)]),
            from => self.words.say("step.moved", &[("what", what), ("to", to), ("from", value(from))]),
        }
    }

    /// Whether a card that moves to a zone with this face lies face down there.
    fn lands_face_down(&self, to: Value, face: Value) -> bool {
        let Value::Zone(place) = to else { return false };
        let zone = self.program.zones.get(zone_of(self.program, place).0);
        zone.is_some_and(|zone| zone.has_faces && (face == Value::Bool(false) || face == Value::Undefined && zone.seen != Seen::ByAll))
    }

    /// An action's name. The language's own actions have words of their own.
    #[must_use]
    pub fn verb(&self, verb: VerbId) -> String {
        let builtin = Builtin::ALL.get(verb.index()).filter(|builtin| builtin.verb() == verb);
        let own = builtin.and_then(|builtin| self.words.find(&format!("verb.{}", builtin.name()))).map(str::to_owned);
        own.unwrap_or_else(|| self.program.verbs.get(verb).map_or("?", |verb| self.label(&verb.name)).to_owned())
    }

    /// A part of a cost: the spent pool, or the action.
    #[must_use]
    pub fn part(&self, key: PartKey) -> String {
        match key {
            PartKey::Pool(state) => self.program.states.get(state).map_or("?", |state| self.label(&state.name)).to_owned(),
            PartKey::Verb(verb) => self.verb(verb),
        }
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

    /// The card of an effect, which may be over.
    #[must_use]
    pub fn card_of_effect(&self, state: &State, number: u32) -> Option<Value> {
        state.effects.get(number).map(|effect| effect.source).or_else(|| self.gone?.card_of_effect(number))
    }

    /// Something that waits, or has waited.
    pub(crate) fn waited(&self, state: &State, number: u32) -> Option<Waited> {
        state.events.waiting(number).map(Waited::from).or_else(|| self.gone?.waited(number))
    }

    fn pending(&self, state: &State, number: u32) -> String {
        let Some(waiting) = self.waited(state, number) else { return format!("#{number}") };
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
        with_arguments(self.label(&verb.name), &args)
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
