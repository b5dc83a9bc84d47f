//! Writes a position: makes the text of a scenario that leads to where a game stands.
//!
//! Input: the remembered points of a game ([`Points`]), and the machine where it stands. Output: a scenario with `given`, the decisions
//! since, and expectations about the present. It begins at the latest point from which the rest can be written. Every text is run before it
//! is given out; if it does not lead to an equal position, an earlier point is tried. Later random results are not written. Nothing is
//! hidden, because a ruling needs all cards.
//!
//! | file | does |
//! | --- | --- |
//! | `mod.rs` | writes the scenario and checks it |
//! | `points.rs` | remembers a game: possible beginnings, decisions, random results |
//! | `given.rs` | writes a position |
//! | `waiting.rs` | writes waiting abilities |
//! | `answer.rs` | writes a decision |
//! | `alike.rs` | compares two positions |

mod alike;
mod answer;
mod given;
mod points;
mod waiting;

pub use alike::alike;
use answer::Style;
pub use points::{At, Points};

use super::ground::Ground;
use crate::running::run::Run;
use crate::running::stops::Stops;
use crate::running::unasked::Keeps;
use compile::Compiler;
use engine::machine::{Given as Said, Machine};
use engine::program::Program;
use engine::state::board::{place_of, zone_of};
use engine::state::{Outcome, Status};
use engine::value::{ObjectId, Place, Player, Value};
use lang::diagnostic::{Diagnostic, Severity, Sources, Span};
use lang::syntax::ast::{Given, Scenario, Step};
use lang::syntax::{FileKind, format, parse_scenarios};
use points::Point;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tell::seat;

/// The names that a written scenario gives to cards.
type Names = BTreeMap<ObjectId, String>;

/// The beginning of a scenario's game, and its decisions.
pub struct Begun {
    /// A machine at the scenario's position that has not run.
    pub machine: Machine,
    /// The position.
    pub at: At,
    /// The scenario's decisions: the player, and the positions taken (none for a concession).
    pub decisions: Vec<(Player, Option<Said>)>,
    /// The scenario's cards, readings and rules as written.
    pub head: String,
    /// The game with the scenario's additions, for questions.
    pub compiler: Compiler,
    /// The effects and waiting abilities of its position as written, and its names.
    pub effects: (String, super::Aliases),
    /// The files of the game and of the scenario.
    pub sources: Sources,
}

/// Begins with a scenario's position and decisions.
///
/// # Errors
/// Findings about them.
pub fn begin(ground: &Ground, scenario: &Scenario, sources: &Sources) -> Result<Begun, Diagnostic> {
    let (machine, run) = played(ground, scenario, sources)?;
    let decisions = decisions(&run);
    let head = scenario.steps.iter().filter_map(|step| match step {
        Step::Card(card) => Some(card.span),
        Step::Reading(name, value) => Some(name.span.to(value.span)),
        Step::Load(load) if load.outcome == lang::syntax::ast::Outcome::Joins => Some(load.span),
        _ => None,
    });
    let text = |span| {
        let text = sources.text(span).trim();
        // The place of a `reading` begins after the word `reading`, so the word is added.
        let word = if ["card", "load", "reading"].iter().any(|word| text.starts_with(word)) { "" } else { "reading " };
        format!("{word}{text}\n")
    };
    let givens = scenario.steps.iter().filter_map(|step| if let Step::Given(given) = step { Some(&**given) } else { None });
    let laid = |given: &Given| -> Vec<Span> {
        let in_force = given.effects.iter().map(|effect| effect.span);
        in_force.chain(given.waiting.iter().map(|waiting| waiting.span)).collect()
    };
    let in_force = givens.flat_map(laid).map(|span| format!("{}\n", sources.text(span).trim())).collect();
    let head = head.map(text).collect();
    let (at, effects) = (at(scenario, &machine), (in_force, run.aliases));
    Ok(Begun { at, machine, decisions, head, compiler: run.compiler, effects, sources: sources.clone() })
}

fn at(scenario: &Scenario, machine: &Machine) -> At {
    let given = scenario.steps.iter().find_map(|step| if let Step::Given(given) = step { Some(given) } else { None });
    let phase = given.and_then(|given| given.phase.as_ref());
    let program = machine.program();
    let found = phase.and_then(|name| program.phases.iter().find(|(_, phase)| crate::running::answers::says(&phase.name, &name.text)));
    match found {
        _ if given.is_some_and(|given| given.setup) => At::Setup,
        Some((phase, _)) => At::Phase(phase),
        None => At::Turn(machine.state().board.turn + 1),
    }
}

/// Every decision of a run, including answers that wait for others.
pub(super) fn decisions(run: &Run<'_>) -> Vec<(Player, Option<Said>)> {
    let mut decisions = run.recorder.decisions();
    decisions.extend(answer_places(&run.machine));
    decisions
}

/// Answers that wait for others, as positions.
#[must_use]
pub fn answer_places(machine: &Machine) -> Vec<(Player, Option<Said>)> {
    answer::given(machine).iter().map(|decided| (decided.player, decided.given())).collect()
}

/// The scenario as the text of a file.
///
/// # Errors
/// `E0517` if no text leads here.
pub fn write(ground: &Ground, points: &Points, now: &Machine, head: &str) -> Result<String, Diagnostic> {
    for point in points.points.iter().rev() {
        for style in [Style::Words, Style::Named, Style::Places] {
            let writing = Writing { ground, points, point, now, head };
            if let Some(text) = writing.text(style).filter(|text| leads_here(ground, text, now)) {
                return Ok(text);
            }
        }
    }
    Err(Diagnostic::global("E0517"))
}

/// Whether the text's only scenario passes and ends where the game stands.
fn leads_here(ground: &Ground, text: &str, now: &Machine) -> bool {
    let mut sources = Sources::default();
    let (read, found) = parse_scenarios(sources.add("written.scenarios", text), text);
    let (Some(scenario), false) = (read.items.first(), found.iter().any(|finding| finding.severity == Severity::Error)) else {
        return false;
    };
    let same = stands_after(ground, scenario, &sources).is_ok_and(|there| alike(&there, now));
    same && super::run(ground, scenario, &sources).passed()
}

/// The machine after a scenario's decisions.
///
/// # Errors
/// Findings about the position or a decision.
pub fn stands_after(ground: &Ground, scenario: &Scenario, sources: &Sources) -> Result<Machine, Diagnostic> {
    played(ground, scenario, sources).map(|(_, run)| run.machine)
}

/// A scenario's position before it runs, and its run after the decisions.
fn played<'s>(ground: &Ground, scenario: &Scenario, sources: &'s Sources) -> Result<(Machine, Run<'s>), Diagnostic> {
    let (mut compiler, changed) = ground.prepared(scenario).map_err(|failure| failure.diagnostic)?;
    let stand = super::stand(ground, (&mut compiler, changed), scenario)?;
    let mut machine = stand.machine.clone();
    // The machine records every event for the expectations. A game that goes on keeps only the events that its rules ask for.
    machine.record_all(false);
    let mut run = Run::new(compiler, ground.made_up(), stand, (sources, ground.language()), (Keeps::default(), Stops::of(scenario)));
    for step in &scenario.steps {
        if let Step::Play(plays) = step {
            run.plays(plays)?;
        }
    }
    Ok((machine, run))
}

/// An attempt to write, from one point.
struct Writing<'a> {
    ground: &'a Ground,
    points: &'a Points,
    point: &'a Point,
    now: &'a Machine,
    head: &'a str,
}

impl Writing<'_> {
    fn text(&self, style: Style) -> Option<String> {
        let program = self.now.program();
        let given_now = answer::given(self.now);
        let decided = self.points.decided.get(self.point.decided..)?.iter().chain(&given_now);
        let mut names = self.names_in_effects();
        let waiting = waiting::cards(program, &self.point.board, &self.point.waiting);
        let drawn = self.points.draws.get(self.point.drawn..)?;
        let also = waiting.chain(given::held(&self.point.board)).chain(given::picked(drawn));
        // A card that was made after the point has no name in the position. An answer with this card is written by its place in the list.
        let lay = |id: &ObjectId| self.point.board.object(*id).is_some_and(|object| object.place != Place::NOWHERE);
        for id in decided.clone().flat_map(|decided| decided.to_be_named(style)).filter(lay).chain(also) {
            let name = (names.len() + 1..).map(|at| format!("x{at}")).find(|name| names.values().all(|known| known != name))?;
            names.entry(id).or_insert(name);
        }
        let shuffles = self.points.shuffles.get(self.point.shuffled..)?;
        let writer = given::Writer { ground: self.ground, program, point: self.point, names: &names };
        let given = writer.lines(shuffles, drawn)?;
        let plays: Vec<String> = decided.map(|decided| decided.line(&names, style)).collect();
        let mut text = format!("gyoji 1\nscenarios {}\n\n", program.name);
        for line in self.say("scenario.written.comment", &[]).lines() {
            writeln!(text, "-- {line}").ok()?;
        }
        write!(text, "\nscenario \"{}\" {{\n", self.title()).ok()?;
        let mut body = format!("{}given {{\n{given}}}\n", self.head);
        if !plays.is_empty() {
            write!(body, "play {{\n{}\n}}\n", plays.join("\n")).ok()?;
        }
        write!(body, "expect {{\n{}}}\n", self.expectations()?).ok()?;
        // A word in the first column would begin a declaration.
        body.lines().for_each(|line| text.extend(["  ", line, "\n"]));
        text.push_str("}\n");
        format(FileKind::Scenarios, &text).ok()
    }

    /// The names of the scenario's position, if the position's effects in force are written again.
    fn names_in_effects(&self) -> Names {
        let again = !self.point.effects.is_empty();
        let cards = self.points.aliases.iter().filter_map(|(name, named)| Some((named.card()?, name.clone())));
        cards.filter(|_| again).collect()
    }

    fn say(&self, key: &str, args: &[(&'static str, String)]) -> String {
        tell::Words::new(self.ground.language()).say(key, args)
    }

    fn title(&self) -> String {
        let (program, state) = (self.now.program(), self.now.state());
        let names = tell::Names::new(program, tell::Words::new(self.ground.language())).bare();
        let phase = state.board.phase.and_then(|phase| program.phases.get(phase)).map(|phase| names.label(&phase.name).to_owned());
        let phase = phase.unwrap_or_else(|| self.say("scenario.written.setup", &[]));
        let what = match state.control.status {
            Status::Over(outcome) => names.outcome(outcome),
            _ => {
                let asked = self.now.questions().filter(|asked| !asked.answered);
                let asked: Vec<_> = asked.map(|asked| format!("{}: {}", seat(asked.player), names.choice(asked.choice))).collect();
                asked.join(", ")
            }
        };
        let args = [("n", state.board.turn.to_string()), ("phase", phase), ("what", what)];
        self.say("scenario.written.title", &args).replace(['"', '\\'], "")
    }

    /// The present: the result or the open decisions, and everything that has changed since the position.
    fn expectations(&self) -> Option<String> {
        let (program, state) = (self.now.program(), self.now.state());
        let mut text = String::new();
        match state.control.status {
            Status::Over(Outcome::Won(player)) => writeln!(text, "{} wins", seat(player)).ok()?,
            Status::Over(Outcome::Placed(places)) => {
                for (player, place) in places.seats() {
                    writeln!(text, "place({}) == {place}", seat(player)).ok()?;
                }
            }
            Status::Over(Outcome::Drawn) => text.push_str("game drawn\n"),
            Status::Failed(failure) => writeln!(text, "error {}", tell::failure_code(failure.kind)).ok()?,
            _ => text.push_str("game goes on\n"),
        }
        for asked in self.now.questions().filter(|asked| !asked.answered) {
            let name = program.choices.get(asked.choice).map_or("replacement", |choice| &choice.name.name);
            writeln!(text, "asked {}: {name}", seat(asked.player)).ok()?;
        }
        for (id, zone) in program.zones.iter() {
            for player in (0..if zone.each_player { program.players } else { 1 }).map(Player) {
                let place = place_of(program, id, player);
                let count = state.board.count(place);
                if count != self.point.board.count(place) {
                    writeln!(text, "count({}) == {count}", super::writing::place(program, place)?).ok()?;
                }
            }
        }
        Some(text + &self.changed_values())
    }

    fn changed_values(&self) -> String {
        let (program, state) = (self.now.program(), self.now.state());
        let mut text = String::new();
        let (before, after) = (self.point.board.player_states.iter(), state.board.player_states.iter());
        for (at, (before, after)) in before.zip(after).enumerate() {
            let Some(def) = program.states.rows().get(at % program.states.len().max(1)) else { continue };
            let (before, after) = (def.as_read(*before), def.as_read(*after));
            let is = if def.members.is_some() { members(after) } else { constant(program, after).map(|value| format!("== {value}")) };
            if let Some(is) = is.filter(|_| before != after && def.on_players) {
                let player = Player((at / program.states.len().max(1)) as u8);
                let whose = if def.of_game { "game".to_owned() } else { seat(player) };
                let _ = writeln!(text, "{whose}.{} {is}", def.name.name);
            }
        }
        text
    }
}

/// How a set-valued state of players is written: `== [a, b]`, or `is empty`. Its value is a number with one bit for each player.
fn members(kept: Value) -> Option<String> {
    let bits = kept.number()?;
    let seats: Vec<String> = (0..i32::BITS as u8).filter(|at| bits >> at & 1 == 1).map(|at| seat(Player(at))).collect();
    Some(if seats.is_empty() { "is empty".to_owned() } else { format!("== [{}]", seats.join(", ")) })
}

/// A place: `deck(a)`, or the name of a shared zone.
fn place(program: &Program, place: Place) -> Option<String> {
    let (zone, whose) = zone_of(program, place);
    let name = &program.zones.get(zone)?.name.name;
    Some(whose.map_or_else(|| name.clone(), |whose| format!("{name}({})", seat(whose))))
}

/// A value that a scenario can write.
fn constant(program: &Program, value: Value) -> Option<String> {
    match value {
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Player(player) => Some(seat(player)),
        Value::Enum(of, value) => program.enums.get(of)?.values.get(usize::from(value)).map(|name| name.name.clone()),
        Value::Symbol(text) | Value::Text(text) => program.texts.get(text).map(|text| format!("\"{text}\"")),
        _ => None,
    }
}
