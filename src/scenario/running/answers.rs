//! Turns a written answer into positions in a decision's domain.
//!
//! A card's name stands for any one card of that name; with a number after it, for that one of the offered cards. A scenario's own name
//! stands for its card. Seats, values of enums, symbols and numbers stand for themselves, and so do `yes` and `no`. In a blind choice a
//! number is a position, from 1. `none` means nothing. Whether the answer is legal is decided by the machine.

use crate::lookup::fold;
use crate::position::setup::{Aliases, Named, card_named};
use engine::ids::{CardId, ChoiceId, VerbId};
use engine::machine::{Asked, Given};
use engine::program::{ChoiceDef, MannerDef, NameDef, OptionDef, Program, Type};
use engine::state::State;
use engine::value::{ObjectId, Value};
use lang::syntax::ast::{Arg, Expr, ExprKind, PlayAnswer};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use tell::{Gone, seat};

/// The written value that stands for nothing in the domain, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotThere(pub usize);

/// Everything that answers are read with.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// Names of cards and values.
    pub program: &'a Program,
    /// The cards in the game.
    pub state: &'a State,
    /// The scenario's names.
    pub aliases: &'a Aliases,
    /// The lists that hold the arguments of ways to act.
    pub lists: &'a [Value],
    /// The offered values, for written ordinals: `"石" #2`.
    pub offered: &'a [Value],
    /// Abilities and effects that may be gone by now, if they were recorded. A decision with one possible answer is read after the run has
    /// gone on.
    pub gone: Option<&'a Gone>,
}

/// The decision's name and the values taken. An option with arguments is one value, in a decision without a name. A concession has its own
/// word and no values.
#[must_use]
pub fn choice_of(answer: &PlayAnswer) -> (&str, Cow<'_, [Expr]>) {
    match answer {
        PlayAnswer::Concede => (CONCEDE, Cow::Borrowed(&[])),
        PlayAnswer::Choice(name, picks) => (&name.text, Cow::Borrowed(picks)),
        PlayAnswer::Option(name, args) if args.is_empty() => (&name.text, Cow::Borrowed(&[])),
        PlayAnswer::Option(name, args) => {
            let call = Expr { kind: ExprKind::Call(name.clone(), args.clone()), span: name.span };
            ("", Cow::Owned(vec![call]))
        }
    }
}

/// The name of an answer in messages: the decision or the option.
#[must_use]
pub fn called(answer: &PlayAnswer) -> &str {
    match answer {
        PlayAnswer::Concede => CONCEDE,
        PlayAnswer::Choice(name, _) | PlayAnswer::Option(name, _) => &name.text,
    }
}

/// The values taken, as written. For an option, the whole option.
#[must_use]
pub fn said(answer: &PlayAnswer) -> String {
    match answer {
        PlayAnswer::Concede => called(answer).to_owned(),
        PlayAnswer::Choice(_, picks) => written(picks),
        PlayAnswer::Option(name, args) if args.is_empty() => name.text.clone(),
        PlayAnswer::Option(..) => written(&choice_of(answer).1),
    }
}

/// The names and labels of all choices and options, in the form in which names are compared. A ground with thousands of scenarios looks
/// names up here. Comparing each with every declared label would take longer than reading the scenarios.
#[derive(Clone, Debug)]
pub(crate) struct AnswerNames {
    /// The choices, and what each may take. Several choices may have one name.
    choices: FxHashMap<String, Vec<Taken>>,
    options: FxHashSet<String>,
    /// Whether some offer can be passed.
    passes: bool,
}

/// What a decision takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Ways to act.
    Acts,
    /// Values of a type.
    Values(Type),
    /// Places of hidden things, counted from 1.
    Places,
    /// The words of the player's own: the answer may name something that nobody has.
    Words(Type),
}

impl Taken {
    fn by(choice: &ChoiceDef) -> Self {
        match choice.of {
            _ if choice.offer => Self::Acts,
            of if choice.takes_words() => Self::Words(of),
            of => Self::Values(of),
        }
    }
}

impl AnswerNames {
    /// The names of a program.
    pub(crate) fn of(program: &Program) -> Self {
        let mut choices: FxHashMap<String, Vec<Taken>> = FxHashMap::default();
        for choice in program.choices.rows() {
            let places = (choice.manner == MannerDef::Blindly).then_some(Taken::Places);
            for name in both_names(&choice.name) {
                let all = choices.entry(fold(name).into_owned()).or_default();
                for taken in std::iter::once(Taken::by(choice)).chain(places) {
                    if !all.contains(&taken) {
                        all.push(taken);
                    }
                }
            }
        }
        let options = options(program).flat_map(both_names).map(|name| fold(name).into_owned()).collect();
        Self { choices, options, passes: program.choices.rows().iter().any(|choice| choice.offer && choice.or_none) }
    }

    /// Whether the game can ask a decision with this name, or offer an option with this name.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        name == PASS && self.passes || name == REPLACEMENT || self.is_option(name) || self.is_choice(name)
    }

    /// Like [`is_option`].
    pub(crate) fn is_option(&self, name: &str) -> bool {
        self.options.contains(&*fold(name))
    }

    /// Whether a choice has this name or label.
    pub(crate) fn is_choice(&self, name: &str) -> bool {
        self.choices.contains_key(&*fold(name))
    }

    /// What the choices with this name or label take.
    pub(crate) fn taken(&self, name: &str) -> &[Taken] {
        self.choices.get(&*fold(name)).map_or(&[], Vec::as_slice)
    }
}

/// The name and the label, if there is one.
fn both_names(name: &NameDef) -> impl Iterator<Item = &str> {
    [name.name.as_str(), name.label.as_str()].into_iter().filter(|name| !name.is_empty())
}

/// All names and labels that [`AnswerNames::is_known`] finds, with repetitions.
pub fn known(program: &Program) -> impl Iterator<Item = &str> {
    let choices = program.choices.rows().iter().map(|choice| &choice.name);
    choices.chain(options(program)).flat_map(both_names).chain([PASS, REPLACEMENT])
}

/// The names of the options.
pub fn options(program: &Program) -> impl Iterator<Item = &NameDef> {
    program.options.rows().iter().filter_map(|option| program.verbs.get(option.verb)).map(|verb| &verb.name)
}

/// The name of the decision between several replacements.
pub(crate) const REPLACEMENT: &str = "replacement";

/// The word for a concession.
pub(crate) const CONCEDE: &str = "concede";

/// The word for taking nothing of an offer.
pub(crate) const PASS: &str = "pass";

/// The words that an answer may use although nothing declares them.
pub(crate) const ANSWERS: [&str; 5] = ["none", "yes", "no", "up", "down"];

/// Whether a word already means something in every answer.
pub(crate) fn is_word_of_answers(word: &str) -> bool {
    ANSWERS.contains(&word) || [CONCEDE, PASS, REPLACEMENT].contains(&word)
}

/// Whether a decision has that name or printed label. An empty name fits every decision. An offer also has the names of its options, and
/// `pass`.
#[must_use]
pub fn is_called(program: &Program, asked: &Asked<'_>, name: &str) -> bool {
    if asked.offer && (name == PASS || is_option(program, name)) {
        return true;
    }
    if asked.choice == ChoiceId::REPLACEMENT {
        return name.is_empty() || name == REPLACEMENT;
    }
    name.is_empty() || program.choices.get(asked.choice).is_some_and(|choice| says(&choice.name, name))
}

/// Whether an option has that name.
pub fn is_option(program: &Program, name: &str) -> bool {
    options(program).any(|option| says(option, name))
}

/// The option with that name or printed label, unless a decision has this name too.
pub(crate) fn option_called(program: &Program, name: &str) -> Option<VerbId> {
    let verb = |option: &OptionDef| program.verbs.get(option.verb).is_some_and(|verb| says(&verb.name, name)).then_some(option.verb);
    let declared = program.choices.rows().iter().any(|choice| says(&choice.name, name));
    if declared { None } else { program.options.rows().iter().find_map(verb) }
}

/// Whether a way to act belongs to the option with that name.
pub(crate) fn is_play_called(program: &Program, play: Value, name: &str) -> bool {
    let Value::Play { option, .. } = play else { return false };
    let verb = program.options.get(option).and_then(|option| program.verbs.get(option.verb));
    verb.is_some_and(|verb| says(&verb.name, name))
}

/// Whether a word is a declared name or its printed label.
#[must_use]
pub fn says(name: &NameDef, word: &str) -> bool {
    name.name == word || !name.label.is_empty() && fold(&name.label) == fold(word)
}

impl Reader<'_> {
    /// The answer to a decision with that name (see [`is_called`]): positions, or a number of a range.
    ///
    /// # Errors
    /// The first written value that is not in the domain.
    pub fn answer(&self, asked: &Asked<'_>, name: &str, picks: &[Expr]) -> Result<Given, NotThere> {
        let reader = Reader { lists: asked.lists, ..*self };
        if let (Some(_), Some(number)) = (asked.numbers, number_of(picks)) {
            return Ok(Given::Number(i64::from(number)));
        }
        if asked.offer && picks.is_empty() && name != PASS {
            let named = asked.domain.iter().position(|play| is_play_called(self.program, *play, name));
            if named.is_some() || is_option(self.program, name) {
                return named.map(|at| Given::Picks(vec![at as u16])).ok_or(NotThere(0));
            }
        }
        reader.positions(asked.domain, asked.blind, picks).map(Given::Picks)
    }

    /// The positions of the written values. Each is used once: of several equal ones, the first unused one.
    ///
    /// # Errors
    /// The first written value that is not in the domain.
    pub fn positions(&self, domain: &[Value], blind: bool, picks: &[Expr]) -> Result<Vec<u16>, NotThere> {
        if self.is_none(domain, picks) {
            return Ok(Vec::new());
        }
        let reader = Reader { offered: domain, ..*self };
        let mut taken: Vec<u16> = Vec::with_capacity(picks.len());
        for (at, pick) in picks.iter().enumerate() {
            let place = self.place(blind, pick);
            let fits = |position: &u16| match place {
                Some(place) => *position == place,
                None => domain.get(usize::from(*position)).is_some_and(|value| reader.means(pick, *value)),
            };
            let free = (0..domain.len() as u16).filter(|position| !taken.contains(position)).find(fits);
            taken.push(free.ok_or(NotThere(at))?);
        }
        Ok(taken)
    }

    fn is_none(&self, domain: &[Value], picks: &[Expr]) -> bool {
        let [only] = picks else { return picks.is_empty() };
        matches!(&only.kind, ExprKind::Name(name) if name.text == "none") && !domain.iter().any(|value| self.means(only, *value))
    }

    fn place(&self, blind: bool, pick: &Expr) -> Option<u16> {
        match &pick.kind {
            // `[2]`: the second possible value, if no name tells them apart.
            ExprKind::List(members) => match members.as_slice() {
                [Expr { kind: ExprKind::Number(number), .. }] => Some(u16::try_from(number - 1).unwrap_or(u16::MAX)),
                _ => None,
            },
            // A number that is no position finds nothing.
            ExprKind::Number(number) if blind => Some(u16::try_from(number - 1).unwrap_or(u16::MAX)),
            _ => None,
        }
    }

    /// Whether a written value stands for this value.
    pub(crate) fn means(&self, pick: &Expr, value: Value) -> bool {
        match &pick.kind {
            ExprKind::Number(number) => value == Value::Number(*number) || self.is_ability_number(*number, value),
            ExprKind::Negate(inner) => matches!(&inner.kind, ExprKind::Number(number) if value == Value::Number(-*number)),
            ExprKind::Bool(truth) => value == Value::Bool(*truth),
            ExprKind::Text(text) => self.is_text(text, value),
            ExprKind::Ordinal(text, number) => self.counted(self.offered.iter().copied(), text, *number) == Some(value),
            ExprKind::Name(name) => self.is_name(&name.text, value),
            ExprKind::Call(name, args) => is_play_called(self.program, value, &name.text) && self.are_arguments(args, value),
            _ => false,
        }
    }

    /// Whether an ability has this number among the abilities of its kind that its card prints. Numbers begin at 1. The only ability of its
    /// kind has the number 1.
    fn is_ability_number(&self, number: i32, value: Value) -> bool {
        let Value::Ability { of, ability, .. } = value else { return false };
        let card = self.state.board.object(of).map(|object| object.card);
        let only = card.filter(|card| self.program.is_printed_on(*card, ability)).map(|_| 1);
        let which = card.and_then(|card| self.program.which_of_its_kind(card, ability)).or(only);
        which.is_some() && which == usize::try_from(number).ok()
    }

    /// Whether a way to act has these arguments. Arguments that are not written may have any value.
    fn are_arguments(&self, args: &[Arg], play: Value) -> bool {
        let Value::Play { option, .. } = play else { return false };
        let verb = self.program.options.get(option).and_then(|option| self.program.verbs.get(option.verb));
        let Some(verb) = verb else { return false };
        args.iter().enumerate().all(|(position, arg)| {
            let named = arg.name.as_ref().map(|name| verb.parameters.iter().position(|parameter| *parameter == name.text));
            let Some(at) = named.unwrap_or(Some(position)) else { return false };
            let Some(value) = self.argument(play, at) else { return false };
            match &arg.value.kind {
                ExprKind::Ordinal(text, number) => {
                    let same = |other: &&Value| matches!(other, Value::Play { option: of, .. } if *of == option);
                    let offered = self.offered.iter().filter(same).filter_map(|other| self.argument(*other, at));
                    self.counted(offered, text, *number) == Some(value)
                }
                _ => self.means(&arg.value, value),
            }
        })
    }

    fn argument(&self, play: Value, at: usize) -> Option<Value> {
        let Value::Play { count, start, .. } = play else { return None };
        self.lists.get(start as usize..start as usize + usize::from(count))?.get(at).copied()
    }

    /// The offered value that is written `"text" #number`: numbers begin at 1 and count the different offered values with this name.
    fn counted(&self, offered: impl Iterator<Item = Value>, text: &str, number: i32) -> Option<Value> {
        let mut seen = FxHashSet::default();
        let mut different = offered.filter(|value| self.is_text(text, *value)).filter(|value| seen.insert(*value));
        different.nth(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    fn is_text(&self, text: &str, value: Value) -> bool {
        let said = |id| self.program.texts.get(id).is_some_and(|known| fold(known) == fold(text));
        match value {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => self.is_object_called(id, text),
            Value::Card(card) => self.is_card_called(card, text),
            Value::Text(id) | Value::Symbol(id) => said(id),
            Value::Pending(number) => self.card_of_waiting(number).is_some_and(|card| self.is_text(text, card)),
            Value::Effect(number) => self.card_of_effect(number).is_some_and(|card| self.is_text(text, card)),
            Value::Enum(..) => self.is_name(text, value),
            _ => false,
        }
    }

    /// The card of an ability that waits or has waited.
    fn card_of_waiting(&self, number: u32) -> Option<Value> {
        let now = self.state.events.waiting(number).map(|pending| pending.source);
        now.or_else(|| self.gone?.card_of_waiting(number))
    }

    /// The card of an effect that is or was in force.
    fn card_of_effect(&self, number: u32) -> Option<Value> {
        let now = self.state.effects.get(number).map(|effect| effect.source);
        now.or_else(|| self.gone?.card_of_effect(number))
    }

    fn is_object_called(&self, id: ObjectId, text: &str) -> bool {
        self.state.board.object(id).is_some_and(|object| self.is_card_called(object.card, text))
    }

    fn is_card_called(&self, card: CardId, text: &str) -> bool {
        let Some(card) = self.program.cards.get(card) else { return false };
        let name = self.program.texts.get(card.name).map(|name| fold(name));
        fold(&card.number) == fold(text) || name == Some(fold(text))
    }

    fn is_name(&self, word: &str, value: Value) -> bool {
        match value {
            Value::Bool(truth) => word == if truth { "yes" } else { "no" },
            Value::Player(player) => seat(player) == word,
            Value::Enum(of, value) => {
                let name = self.program.enums.get(of).and_then(|of| of.values.get(usize::from(value)));
                name.is_some_and(|name| says(name, word))
            }
            Value::Symbol(id) | Value::Text(id) => self.program.texts.get(id).is_some_and(|known| fold(known) == fold(word)),
            Value::Object { id, .. } => card_named(self.aliases, word) == Some(id),
            Value::Ability { of, ability, .. } => {
                let alias = card_named(self.aliases, word) == Some(of);
                let kind = self.program.abilities.get(ability).and_then(|ability| self.program.kinds.get(ability.kind));
                alias || kind.is_some_and(|kind| says(&kind.name, word))
            }
            Value::Pending(number) => {
                let named = self.aliases.iter().any(|(alias, named)| alias == word && *named == Named::Waiting(number));
                named || self.card_of_waiting(number).is_some_and(|card| self.is_name(word, card))
            }
            Value::Effect(number) => self.card_of_effect(number).is_some_and(|card| self.is_name(word, card)),
            Value::Zone(place) => {
                let (zone, _) = engine::state::board::zone_of(self.program, place);
                self.program.zones.get(zone).is_some_and(|zone| says(&zone.name, word))
            }
            Value::Group(group) => self.program.groups.get(group).is_some_and(|group| says(group, word)),
            Value::Undefined | Value::Number(_) | Value::List { .. } | Value::Card(_) | Value::Play { .. } => false,
            Value::Event(_) | Value::Cause { .. } => false,
        }
    }
}

/// The number, if only one is written.
fn number_of(picks: &[Expr]) -> Option<i32> {
    match picks {
        [Expr { kind: ExprKind::Number(number), .. }] => Some(*number),
        [Expr { kind: ExprKind::Negate(inner), .. }] => number_of(std::slice::from_ref(inner)).map(|number| -number),
        _ => None,
    }
}

/// A value of an answer as it stands in a file: names of cards in quotes.
pub(crate) fn quoted(pick: &Expr) -> String {
    match &pick.kind {
        ExprKind::Text(text) => format!("\"{text}\""),
        ExprKind::Ordinal(text, number) => format!("\"{text}\" #{number}"),
        _ => written(std::slice::from_ref(pick)),
    }
}

/// An answer as written, for people.
#[must_use]
pub fn written(picks: &[Expr]) -> String {
    if picks.is_empty() {
        return "none".to_owned();
    }
    let one = |pick: &Expr| match &pick.kind {
        ExprKind::Text(text) => text.clone(),
        ExprKind::Ordinal(text, number) => format!("{text} #{number}"),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Negate(inner) => format!("-{}", written(std::slice::from_ref(inner))),
        ExprKind::Bool(truth) => truth.to_string(),
        ExprKind::List(members) => format!("[{}]", written(members)),
        ExprKind::Call(name, args) => {
            let said = |arg: &Arg| match &arg.name {
                Some(name) => format!("{}: {}", name.text, written(std::slice::from_ref(&arg.value))),
                None => written(std::slice::from_ref(&arg.value)),
            };
            format!("{}({})", name.text, args.iter().map(said).collect::<Vec<_>>().join(", "))
        }
        _ => "…".to_owned(),
    };
    picks.iter().map(one).collect::<Vec<_>>().join(", ")
}
