//! `gyoji play GAME`: a game at the terminal, through a pipe, or between two random players.
//!
//! | file | does |
//! | --- | --- |
//! | `session.rs` | a game with people, from question to question until the end |
//! | `question.rs` | an open question and its possible answers |
//! | `screen.rs` | a question as the asked player sees it |
//! | `screens.rs` | tests: the screens of the built-in games |
//! | `namesakes.rs` | tells apart cards of one name among ways to act |
//! | `input.rs` | reads answers, from a person or from a pipe |
//! | `command.rs` | understands typed lines |
//! | `order.rs` | an order given in advance for a question that comes again |
//! | `why.rs` | `why …` at the prompt |
//! | `chronicle.rs` | writes down the game, for the record and for each reader |
//! | `resumed.rs` | goes on with a saved game |
//! | `result.rs` | the result as a JSON line |

mod chronicle;
mod command;
mod input;
mod namesakes;
mod order;
mod question;
mod result;
mod resumed;
mod screen;
#[cfg(test)]
#[path = "play/tests/screens.rs"]
mod screens;
mod session;
mod why;

use super::simulate::{self, MOST_DECISIONS};
use super::{Context, Exit};
use crate::shared::files;
use crate::shared::loading::{self, Loaded};
use crate::shared::origin::Kind;
use crate::shared::written::{self, Named};
pub(crate) use chronicle::Chronicle;
use engine::machine::Machine;
use engine::random::seed_of_game;
use engine::value::Player;
use input::Input;
use lang::diagnostic::{Diagnostic, Sources};
use players::Random;
use players::record::{Record, Save};
use resumed::resumed;
use scenario::writing::Begun;
use session::Session;
use std::path::PathBuf;
use tell::{Detail, Statements, seat};

/// The arguments of `play`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The game.
    pub game: Option<String>,
    /// Who plays a seat: a=human, b=random.
    #[arg(long, value_name = "SEAT=WHO")]
    pub seat: Vec<String>,
    /// A seat's deck: a=FILE or a=NAME.
    #[arg(long, value_name = "SEAT=DECK")]
    pub deck: Vec<String>,
    /// With decks of its own, drawn at random: as `simulate` draws them for that game.
    #[arg(long)]
    pub random_decks: bool,
    /// Seed of the game's chance.
    #[arg(long, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Show the seed first, also to a person.
    #[arg(long)]
    pub(crate) show_seed: bool,
    /// The number of a simulated game, to see that one.
    #[arg(long, default_value_t = 0)]
    pub number: u64,
    /// Write the game down as a replay.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Go on with a saved game.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "deck", "number", "random_decks"])]
    pub resume: Option<PathBuf>,
    /// Begin with a scenario: FILE, FILE:LINE or FILE:PART OF THE TITLE.
    #[arg(long, value_name = "FILE[:LINE]", conflicts_with_all = ["resume", "record", "deck", "number", "random_decks"])]
    pub scenario: Option<PathBuf>,
    /// Decisions after which a game that nobody plays counts as one that never ends.
    #[arg(long, value_name = "N", default_value_t = MOST_DECISIONS)]
    pub(crate) max_decisions: u64,
    /// Show every step of a game that nobody plays.
    #[arg(long)]
    pub trace: bool,
    /// Let `w` write everything down though two people sit at one desk.
    #[arg(long)]
    pub open: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match begin(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn begin(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let complain = |findings: Vec<Diagnostic>, sources: &Sources| {
        context.complain(&findings, sources);
        Exit::CouldNotRun
    };
    if let Some(path) = &args.record {
        files::may_write(path, context).map_err(|finding| complain(vec![finding], &Sources::default()))?;
    }
    let saved = match &args.resume {
        Some(path) => Some(read_save(path, context)?),
        None => None,
    };
    let named = args.scenario.as_ref().map(|file| Named::read(file, context)).transpose()?;
    let of_scenario = named.as_ref().map(|named| named.game.clone());
    let name = args.game.clone().or(of_scenario).or_else(|| saved.as_ref().map(|save| save.record.origin.game.clone()));
    let beside = named.as_ref().map_or_else(|| context.clone(), |named| named.beside(context));
    let mut loaded = loading::load(&beside, name.as_deref())?;
    let begun = named.map(|named| named.begin(&loaded, context)).transpose()?;
    if let Some(begun) = &begun {
        // The scenario may add cards and rules, so its program is played.
        loaded.program = begun.machine.program().clone();
    }
    let input = Input::standard();
    let humans =
        humans(args, saved.as_ref(), input.is_terminal(), &loaded).map_err(|finding| complain(vec![finding], &Sources::default()))?;
    let mut session = match (saved, begun) {
        (_, Some(begun)) => from_scenario(args, context, &loaded, input, begun),
        (Some(save), None) => resumed(args, context, &loaded, input, save)?,
        (None, None) => {
            started(args, context, &loaded, input, humans.contains(&true)).map_err(|findings| complain(findings, &loaded.sources))?
        }
    };
    session.open = args.open;
    session.humans = humans;
    session.chronicle = with_readers(session.chronicle, &session.humans, args.trace, context);
    let exit = session.play();
    // Nothing else is freed. The program ends now, and freeing a game piece by piece would take longer than most games.
    drop(session);
    std::mem::forget(loaded);
    Ok(exit)
}

/// Adds a reader for each person. Without people, one reader sees the game from outside: what happens at the table, or every step (`trace`,
/// and in JSON).
fn with_readers(mut chronicle: Chronicle, humans: &[bool], trace: bool, context: &Context) -> Chronicle {
    let mut people = 0;
    for (index, _) in humans.iter().enumerate().filter(|(_, human)| **human) {
        chronicle = chronicle.read_by(Some(Player(index as u8)), Detail::Table, context.log());
        people += 1;
    }
    if people == 0 { chronicle.read_by(None, context.detail(trace), context.log()) } else { chronicle }
}

/// Starts a new game. Its seed is shown first. From a person the seed is kept until the end, unless the person asks for it: whoever has the
/// seed can find out every hidden card.
fn started<'a>(args: &Args, context: &'a Context, loaded: &'a Loaded, input: Input, people: bool) -> Result<Session<'a>, Vec<Diagnostic>> {
    let players = usize::from(loaded.program.players);
    let named = by_seat(&args.deck, "deck", players).map_err(|finding| vec![finding])?;
    let mut decks = loaded.decks(&named)?;
    let seed = args.seed.unwrap_or_else(crate::shared::chance::seed);
    let shown = !people || args.show_seed || args.seed.is_some();
    let object = || {
        let seed = shown.then_some(seed);
        serde_json::json!({ "kind": "start", "game": loaded.program.name, "seed": seed, "number": args.number, "reader": null })
    };
    context.result(object, || {
        if shown {
            context.out(&context.say("start.seed", &[("seed", seed.to_string())]));
        }
    });
    let mut machine = Machine::new(loaded.program.clone());
    let game_seed = seed_of_game(seed, args.number);
    if args.random_decks {
        decks = simulate::drawn_decks(&loaded.program, &decks, &loaded.in_decks(), game_seed);
    }
    machine.start(&decks, game_seed);
    let record = Record::of(&loaded.program, game_seed, &decks);
    let mut session = session(args, context, loaded, input, machine, Random::new(seed, args.number), record);
    session.seed_at_end = (!shown).then_some(seed);
    Ok(session)
}

/// Goes on from a scenario, after the scenario's decisions.
fn from_scenario<'a>(args: &Args, context: &'a Context, loaded: &'a Loaded, input: Input, begun: Begun) -> Session<'a> {
    let record = Record::of(&loaded.program, 0, &[]);
    let seed = args.seed.unwrap_or_else(crate::shared::chance::seed);
    let random = Random::new(seed, args.number);
    let mut session = session(args, context, loaded, input, begun.machine.clone(), random, record);
    session.chronicle =
        Chronicle::new(context.words(), Statements::new(begun.compiler.map().statements(begun.machine.program(), &begun.sources)));
    written::answer_again(&mut session.machine, &begun.decisions, &mut session.chronicle);
    session.begun = Some(begun);
    session
}

fn session<'a>(
    args: &Args,
    context: &'a Context,
    loaded: &'a Loaded,
    input: Input,
    machine: Machine,
    random: Random,
    record: Record,
) -> Session<'a> {
    Session {
        context,
        loaded,
        machine,
        chronicle: Chronicle::new(context.words(), loaded.statements()),
        random,
        humans: Vec::new(),
        input,
        record,
        record_to: args.record.clone(),
        back: Vec::new(),
        order: None,
        looking: None,
        begun: None,
        seed_at_end: None,
        open: false,
        left: args.max_decisions,
        most_decisions: args.max_decisions,
    }
}

fn read_save(path: &std::path::Path, context: &Context) -> Result<Save, Exit> {
    let mut sources = Sources::default();
    let read = crate::shared::origin::known_format(path, &mut sources, Kind::Save).and_then(|()| files::read_ron(path, &mut sources));
    read.map_err(|finding| {
        context.complain(&[finding], &sources);
        Exit::CouldNotRun
    })
}

/// Whether a person plays each seat: as given by `--seat`, else as saved, else at a terminal the first seat.
fn humans(args: &Args, saved: Option<&Save>, terminal: bool, loaded: &Loaded) -> Result<Vec<bool>, Diagnostic> {
    let players = usize::from(loaded.program.players);
    let named = by_seat(&args.seat, "seat", players)?;
    let mut humans = match saved {
        Some(save) => save.humans.clone(),
        None => (0..players).map(|index| terminal && index == 0 && args.seat.is_empty()).collect(),
    };
    humans.resize(players, false);
    // At a terminal, naming one seat does not change the others.
    if saved.is_none()
        && terminal
        && !args.seat.is_empty()
        && named.iter().flatten().all(|who| who != "human")
        && named.first() == Some(&None)
    {
        humans.iter_mut().take(1).for_each(|human| *human = true);
    }
    for (human, who) in humans.iter_mut().zip(named) {
        match who.as_deref() {
            None => {}
            Some("human") => *human = true,
            Some("random") => *human = false,
            Some(other) => return Err(Diagnostic::global("E0833").with("given", other)),
        }
    }
    Ok(humans)
}

/// The finding for `a=`: a seat without a value.
fn nothing_behind(given: &str, flag: &str, seat: &str) -> Diagnostic {
    let wanted = if flag == "deck" { "deck" } else { "who" };
    Diagnostic::global("E0880").with("given", given).with("flag", flag).with("seat", seat).with(wanted, flag)
}

/// Values such as `a=X b=Y`, by seat.
pub(super) fn by_seat(given: &[String], flag: &str, players: usize) -> Result<Vec<Option<String>>, Diagnostic> {
    let mut named = vec![None; players];
    for text in given {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let index = (0..players).find(|index| seat(Player(*index as u8)) == name);
        match index.and_then(|index| named.get_mut(index)).filter(|_| text.contains('=')) {
            Some(_) if value.is_empty() => return Err(nothing_behind(text, flag, name)),
            Some(Some(_)) => return Err(Diagnostic::global("E0875").with("flag", flag).with("seat", name)),
            Some(slot) => *slot = Some(value.to_owned()),
            None => {
                let known: Vec<_> = (0..players).map(|index| seat(Player(index as u8))).collect();
                return Err(Diagnostic::global("E0832").with("given", text).with("known", known.join(", ")).with("flag", flag));
            }
        }
    }
    Ok(named)
}
