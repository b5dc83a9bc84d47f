//! Writes a decision as a scenario does: by words that are unique, else by a name given to the card, else by the position in the list.

use super::Names;
use crate::lookup::fold;
use crate::running::answers::Reader;
use engine::ids::{CardId, ChoiceId};
use engine::machine::{Given, Machine};
use engine::program::{MannerDef, NameDef, Program};
use engine::state::{Doing, State};
use engine::value::{ObjectId, Player, Value};
use lang::diagnostic::Span;
use lang::syntax::ast::{Arg, Expr, ExprKind, Name};
use tell::seat;

/// A decision.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    pub player: Player,
    /// The choice's name and the values taken. None for a concession.
    pub choice: Option<(String, Vec<Pick>)>,
    /// Whether ways to act were offered. Then taking none is a pass.
    pub offer: bool,
}

/// How the values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// By words that have only one meaning.
    Words,
    /// Each card gets a name of its own.
    Named,
    /// Each card gets a name of its own. Ways to act are written by their positions, because words may fit several of them.
    Places,
}

/// One value that was taken.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    word: Option<Word>,
    object: Option<ObjectId>,
    /// The position, from 1. 0 for a number without a position.
    place: u16,
    /// Whether the word means only this value.
    exact: bool,
    /// The way to act, if it is one.
    play: Option<Play>,
}

/// A way to act: the option and its arguments.
#[derive(Clone, Debug)]
struct Play {
    option: String,
    args: Vec<PlayArg>,
}

/// An argument with a word: its position, its name, the word, and its card.
#[derive(Clone, Debug)]
struct PlayArg {
    place: usize,
    name: String,
    word: Word,
    object: Option<ObjectId>,
}

#[derive(Clone, Debug)]
enum Word {
    Text(String),
    Name(String),
    Number(i32),
}

/// A decision, from its domain and the positions taken.
pub(super) fn decided(
    program: &Program,
    (state, lists): (&State, &[Value]),
    (player, choice): (Player, ChoiceId),
    domain: &[Value],
    given: &Given,
) -> Decided {
    let def = program.choices.get(choice);
    let name = def.map_or_else(|| "replacement".to_owned(), |choice| choice.name.name.clone());
    let offer = def.is_some_and(|choice| choice.offer);
    let positions = match given {
        Given::Picks(positions) => positions,
        Given::Number(number) => {
            let word = i32::try_from(*number).ok().map(Word::Number);
            let pick = Pick { word, object: None, place: 0, exact: true, play: None };
            return Decided { player, choice: Some((name, vec![pick])), offer };
        }
    };
    let blind = def.is_some_and(|choice| choice.manner == MannerDef::Blindly);
    let value = |at: &u16| domain.get(usize::from(*at)).copied().unwrap_or_default();
    let written: Vec<Option<Word>> = positions.iter().map(|at| word(program, state, value(at))).collect();
    let reader = Reader { program, state, aliases: &Vec::new(), lists, offered: &[], gone: None };
    let exact = exact(reader, domain, positions, &written, blind);
    let pick = |(at, word): (&u16, Option<Word>)| {
        let play = play(program, state, lists, value(at));
        let exact = play.as_ref().map_or(exact, |play| reader.positions(domain, false, &[play.call()]) == Ok(vec![*at]));
        Pick { word, object: object(value(at)), place: at + 1, exact, play }
    };
    let picks = positions.iter().zip(written).map(pick).collect();
    Decided { player, choice: Some((name, picks)), offer }
}

/// Answers to decisions that wait for other answers.
pub(super) fn given(machine: &Machine) -> Vec<Decided> {
    let (program, state) = (machine.program(), machine.state());
    let answered = machine.questions().filter(|asked| asked.answered);
    let decided_so = |asked: engine::machine::Asked<'_>| {
        let branch = state.control.branches.get(usize::from(asked.id.0))?;
        let Doing::Ask(question) = branch.doing else { return None };
        let (start, len) = question.answer?;
        let picks = branch.lists.get(start as usize..start as usize + usize::from(len))?;
        let place = |pick: &Value| asked.domain.iter().position(|value| value == pick).map(|at| at as u16);
        let positions: Vec<u16> = picks.iter().filter_map(place).collect();
        Some(decided(program, (state, asked.lists), (asked.player, asked.choice), asked.domain, &Given::of(&positions, picks)))
    };
    answered.filter_map(decided_so).collect()
}

/// Whether the words, read as a scenario's answer, give these positions. In a blind choice the order is different each time.
fn exact(reader: Reader<'_>, domain: &[Value], positions: &[u16], written: &[Option<Word>], blind: bool) -> bool {
    let Some(picks) = written.iter().map(|word| word.as_ref().map(expr)).collect::<Option<Vec<Expr>>>() else { return false };
    let read = |picks: &[Expr], domain: &[Value]| reader.positions(domain, false, picks).ok();
    let alone = |pick: &Expr| domain.iter().filter(|value| read(std::slice::from_ref(pick), &[**value]).is_some()).count() == 1;
    read(&picks, domain).as_deref() == Some(positions) && (!blind || picks.iter().all(alone))
}

fn expr(word: &Word) -> Expr {
    let span = Span::default();
    let kind = match word {
        Word::Text(text) => ExprKind::Text(text.clone()),
        Word::Name(text) => ExprKind::Name(Name { text: text.clone(), span }),
        Word::Number(number) if *number < 0 => ExprKind::Negate(Box::new(Expr { kind: ExprKind::Number(number.saturating_neg()), span })),
        Word::Number(number) => ExprKind::Number(*number),
    };
    Expr { kind, span }
}

/// A way to act in words. Arguments without a word are left out.
fn play(program: &Program, state: &State, lists: &[Value], value: Value) -> Option<Play> {
    let Value::Play { count, option, start } = value else { return None };
    let def = program.options.get(option)?;
    let verb = program.verbs.get(def.verb)?;
    let values = lists.get(start as usize..start as usize + usize::from(count))?;
    // The acting player is the last argument, and is written before the colon.
    let args = verb.parameters.iter().take(def.params.len()).zip(values).enumerate();
    let args = args.filter_map(|(place, (name, value))| {
        Some(PlayArg { place, name: name.clone(), word: word(program, state, *value)?, object: object(*value) })
    });
    Some(Play { option: verb.name.name.clone(), args: args.collect() })
}

fn object(value: Value) -> Option<ObjectId> {
    if let Value::Object { id, .. } = value { Some(id) } else { None }
}

fn word(program: &Program, state: &State, value: Value) -> Option<Word> {
    let of_object = |id: ObjectId| state.board.object(id).and_then(|object| card_word(program, object.card)).map(Word::Text);
    match value {
        Value::Number(number) => Some(Word::Number(number)),
        Value::Bool(truth) => Some(Word::Name(if truth { "yes" } else { "no" }.to_owned())),
        Value::Player(player) => Some(Word::Name(seat(player))),
        Value::Enum(of, value) => {
            let name = program.enums.get(of).and_then(|of| of.values.get(usize::from(value)))?;
            Some(Word::Name(short(name).to_owned()))
        }
        Value::Symbol(text) | Value::Text(text) => program.texts.get(text).filter(|text| is_plain(text)).cloned().map(Word::Text),
        Value::Ability { of, ability, .. } => {
            let which = state.board.object(of).and_then(|object| program.which_of_its_kind(object.card, ability));
            which.map(|which| Word::Number(which as i32)).or_else(|| of_object(of))
        }
        Value::Object { id, .. } => of_object(id),
        Value::Pending(number) => match state.events.waiting(number)?.source {
            Value::Object { id, .. } => of_object(id),
            _ => None,
        },
        Value::Effect(number) => match state.effects.get(number)?.source {
            Value::Object { id, .. } => of_object(id),
            _ => None,
        },
        Value::Card(card) => card_word(program, card).map(Word::Text),
        Value::Zone(place) => {
            let (zone, _) = engine::state::board::zone_of(program, place);
            program.zones.get(zone).map(|zone| Word::Name(zone.name.name.clone()))
        }
        // These are written by their position.
        Value::Undefined | Value::List { .. } | Value::Group(_) | Value::Play { .. } | Value::Event(_) | Value::Cause { .. } => None,
    }
}

/// The printed label if it can be a name, else the name.
fn short(name: &NameDef) -> &str {
    let is_name = !name.label.is_empty() && name.label.chars().all(char::is_alphabetic) && !name.label.is_ascii();
    if is_name { &name.label } else { &name.name }
}

fn is_plain(text: &str) -> bool {
    !text.contains(['"', '\\', '\n'])
}

/// A card's name if no other card has it, else its number.
pub(super) fn card_word(program: &Program, card: CardId) -> Option<String> {
    let def = program.cards.get(card)?;
    let name = program.texts.get(def.name)?;
    let called = |other: &&engine::program::CardDef| {
        fold(&other.number) == fold(name) || program.texts.get(other.name).is_some_and(|other| fold(other) == fold(name))
    };
    let only = program.cards.rows().iter().filter(called).count() == 1;
    Some(if only && is_plain(name) { name.clone() } else { def.number.clone() })
}

impl Decided {
    /// The decision as a line of `play`.
    pub(super) fn line(&self, names: &Names, style: Style) -> String {
        let seat = seat(self.player);
        let Some((choice, picks)) = &self.choice else { return format!("{seat}: concede") };
        match picks.as_slice() {
            [] if self.offer => return format!("{seat}: pass"),
            [Pick { play: Some(play), exact, .. }] if style != Style::Places => return format!("{seat}: {}", play.written(names, *exact)),
            _ => {}
        }
        let written: Vec<String> = picks.iter().map(|pick| pick.written(names)).collect();
        let written = if written.is_empty() { "none".to_owned() } else { written.join(", ") };
        format!("{seat}: {choice} {written}")
    }

    /// The positions taken, from 0. None for a concession.
    pub(super) fn given(&self) -> Option<Given> {
        let (_, picks) = self.choice.as_ref()?;
        Some(match picks.as_slice() {
            [Pick { place: 0, word: Some(Word::Number(number)), .. }] => Given::Number(i64::from(*number)),
            picks => Given::Picks(picks.iter().map(|pick| pick.place.saturating_sub(1)).collect()),
        })
    }

    /// The cards that need a name of their own, or (by the style) get one.
    pub(super) fn to_be_named(&self, style: Style) -> impl Iterator<Item = ObjectId> {
        let picks = self.choice.iter().flat_map(|(_, picks)| picks);
        let of_play = move |pick: &Pick| {
            let args = pick.play.iter().filter(|_| style != Style::Places).flat_map(|play| &play.args);
            args.filter_map(|arg| arg.object).collect::<Vec<_>>()
        };
        let cards = picks.filter(move |pick| style != Style::Words || !pick.exact);
        cards.flat_map(move |pick| pick.object.into_iter().chain(of_play(pick)))
    }
}

impl Play {
    /// The way to act in the form in which answers are read.
    fn call(&self) -> Expr {
        let span = Span::default();
        let name = |text: &str| Name { text: text.to_owned(), span };
        let args = self.args.iter().map(|arg| Arg { name: Some(name(&arg.name)), value: expr(&arg.word) });
        Expr { kind: ExprKind::Call(name(&self.option), args.collect()), span }
    }

    /// The way to act in words if they are unique, else with the names of cards. Behind a missing argument, the others are named.
    fn written(&self, names: &Names, exact: bool) -> String {
        let value = |word: &Word, object: &Option<ObjectId>| match object.and_then(|id| names.get(&id)).filter(|_| !exact) {
            Some(name) => name.clone(),
            None => word.written(),
        };
        let written = |(at, arg): (usize, &PlayArg)| {
            let value = value(&arg.word, &arg.object);
            if arg.place == at { value } else { format!("{}: {value}", arg.name) }
        };
        let args: Vec<String> = self.args.iter().enumerate().map(written).collect();
        if args.is_empty() { self.option.clone() } else { format!("{}({})", self.option, args.join(", ")) }
    }
}

impl Word {
    fn written(&self) -> String {
        match self {
            Word::Text(text) => format!("\"{text}\""),
            Word::Name(name) => name.clone(),
            Word::Number(number) => number.to_string(),
        }
    }
}

impl Pick {
    fn written(&self, names: &Names) -> String {
        if let Some(name) = self.object.and_then(|id| names.get(&id)) {
            return name.clone();
        }
        match &self.word {
            Some(word) if self.exact => word.written(),
            _ => format!("[{}]", self.place),
        }
    }
}
