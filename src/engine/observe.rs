//! STUB
use super::ids::*;
use super::program::Program;
use super::state::{Cause, Failure, Outcome, State, MOST_ARGUMENTS};
use super::value::{Player, Value};
pub trait Observer { const ON: bool; fn step(&mut self, view: &View<'_>, step: &Traced); }
pub struct Silent;
impl Observer for Silent { const ON: bool = false; fn step(&mut self, _: &View<'_>, _: &Traced) {} }
pub struct View<'a> { pub program: &'a Program, pub state: &'a State }
#[derive(Clone, Debug, PartialEq)]
pub struct Traced { pub cites: CitesId, pub at: Pc, pub depth: u16, pub branch: u16, pub step: Step }
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why { Forbidden(u32), Undefined, Nothing, Already, Full, Replaced(u32), Impossible }
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Turn(u32), Phase(PhaseId), Statement,
    Performed { verb: VerbId, args: [Value; MOST_ARGUMENTS], cause: Cause },
    Began { verb: VerbId, args: [Value; MOST_ARGUMENTS], cause: Cause },
    NotPerformed { verb: VerbId, args: [Value; MOST_ARGUMENTS], why: Why },
    Ability { card: Value, ability: Option<AbilityId>, you: Player }, Waits { pending: u32 }, Rule { rule: RuleId, player: Player },
    Asks { player: Player, choice: ChoiceId },
    Decides { player: Player, choice: ChoiceId, domain: Vec<Value>, positions: Vec<u16>, picks: Vec<Value>, forced: bool, secret: bool },
    EffectBegins(u32), EffectEnds(u32), Verdict { player: Player, wins: bool }, Judged, Over(Outcome), AttemptFails, Failed(Failure),
}
