//! Remembers a game while it is played, so that the game can be written as a scenario: possible beginnings, decisions, random results.
//!
//! `Points` is an observer of the machine. A point is the beginning of the game, or the beginning of a phase in which everything can be
//! written. For that, no effects may be in force except those of cards and of abilities that cards are given. Only abilities of cards may
//! wait, and only these may have been used this turn. No events may be recorded.

use super::answer::{Decided, decided};
use crate::Aliases;
use engine::ids::PhaseId;
use engine::machine::{Given, Machine};
use engine::program::{Builtin, Program};
use engine::state::board::Board;
use engine::state::{Holds, Pending, State};
use engine::steps::{Observer, Step, Traced, View};
use engine::value::{ObjectId, Place, Value};

/// Where a position begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Before the set-up.
    Setup,
    /// At the beginning of the turn with this number.
    Turn(u32),
    /// At the beginning of a phase.
    Phase(PhaseId),
}

/// A position in which a scenario can begin.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub at: At,
    pub board: Board,
    /// The waiting abilities.
    pub waiting: Vec<Pending>,
    /// The effects and waiting abilities of a scenario's own position, as written.
    pub effects: String,
    /// The number of decisions before it.
    pub decided: usize,
    /// The number of shuffles before it.
    pub shuffled: usize,
    /// The number of other random results before it.
    pub drawn: usize,
}

/// A random result other than a shuffle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Draw {
    /// A coin; true for heads.
    Coin(bool),
    /// A die's number.
    Die(i32),
    /// Picked values.
    Pick(Vec<Value>),
}

/// The remembered game.
#[derive(Clone, Debug)]
pub struct Points {
    pub(super) points: Vec<Point>,
    pub(super) decided: Vec<Decided>,
    /// A scenario's names, which its effects and waiting abilities may mention.
    pub(super) aliases: Aliases,
    /// Each shuffle: the place, and the cards afterwards, top first.
    pub(super) shuffles: Vec<(Place, Vec<ObjectId>)>,
    /// Coins, dice and picks.
    pub(super) draws: Vec<Draw>,
}

impl Points {
    /// For a machine that has been started, or stands at a position, and has not run yet.
    #[must_use]
    pub fn new(machine: &Machine, at: At) -> Self {
        // A scenario writes its own waiting abilities.
        let (board, waiting) = (machine.state().board.clone(), Vec::new());
        let point = Point { at, board, waiting, effects: String::new(), decided: 0, shuffled: 0, drawn: 0 };
        Self { points: vec![point], decided: Vec::new(), aliases: Vec::new(), shuffles: Vec::new(), draws: Vec::new() }
    }

    /// With the effects of a scenario's position as written, and its names for cards.
    #[must_use]
    pub fn with_effects(mut self, (effects, aliases): &(String, Aliases)) -> Self {
        self.aliases.clone_from(aliases);
        self.points.iter_mut().take(1).for_each(|point| point.effects.clone_from(effects));
        self
    }

    /// With the beginning of the game as the only point.
    #[must_use]
    pub fn from_the_beginning(mut self) -> Self {
        self.points.truncate(1);
        self
    }

    fn begins(&mut self, phase: PhaseId, state: &State) {
        let (decided, shuffled, drawn) = (self.decided.len(), self.shuffles.len(), self.draws.len());
        let (board, waiting) = (state.board.clone(), state.events.pending.iter().map(|pending| Pending::clone(pending)).collect());
        self.points.push(Point { at: At::Phase(phase), board, waiting, effects: String::new(), decided, shuffled, drawn });
    }
}

impl Observer for Points {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, traced: &Traced) {
        match &traced.step {
            Step::Phase(phase) if is_still(view.program, view.state) => self.begins(*phase, view.state),
            Step::Performed(verb, [Value::Zone(place), ..], _) if *verb == Builtin::Shuffle.verb() => {
                let cards = view.state.board.cards(*place).iter().rev().copied().collect();
                self.shuffles.push((*place, cards));
            }
            Step::Performed(verb, args, _) if *verb == Builtin::Coin.verb() => {
                self.draws.push(Draw::Coin(args.first() == Some(&Value::Bool(true))));
            }
            Step::Performed(verb, [_, Value::Number(thrown), ..], _) if *verb == Builtin::Die.verb() => self.draws.push(Draw::Die(*thrown)),
            Step::Performed(verb, [_, Value::List { start, len }, ..], _) if *verb == Builtin::Pick.verb() => {
                let picked = view.lists.get(*start as usize..*start as usize + usize::from(*len)).unwrap_or(&[]);
                self.draws.push(Draw::Pick(picked.to_vec()));
            }
            Step::Concedes(player) => self.decided.push(Decided { player: *player, choice: None, offer: false }),
            Step::Decides { player, choice, domain, positions, picks, forced: false, .. } => {
                let given = Given::of(positions, picks);
                self.decided.push(decided(view.program, (view.state, view.lists), (*player, *choice), domain, &given));
            }
            _ => {}
        }
    }
}

/// Whether a position can say everything that goes on at this moment.
fn is_still(program: &Program, state: &State) -> bool {
    let (events, control) = (&state.events, &state.control);
    // Uses of abilities can be written only together with waiting abilities.
    let used = events.uses.is_empty() || !events.pending.is_empty();
    let still = used && super::waiting::can_be_said(program, state) && events.history.is_empty() && events.marks.is_empty();
    let alone = control.branches.len() <= 1 && control.level == 0 && control.judging == 0 && control.losing | control.winning == 0;
    let waited = events.heard.is_empty() && events.held.is_empty() && state.effects.later.is_empty() && state.effects.open.is_empty();
    still
        && alone
        && waited
        && state.effects.in_force.iter().all(|effect| matches!(effect.holds, Holds::Static(_) | Holds::Granted(..) | Holds::Rule(_)))
}
