//! STUB
use super::ids::*;
use super::observe::Observer;
use super::program::Program;
use super::state::{State, Status};
use super::value::{ObjectId, Player, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
pub struct Machine { program: Arc<Program>, state: State }
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionId(pub u16);
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> { pub id: QuestionId, pub player: Player, pub choice: ChoiceId, pub domain: &'a [Value], pub min: u16, pub max: u16, pub yes_no: bool, pub blind: bool, pub secret: bool, pub answered: bool, pub cites: CitesId }
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal { #[error("x")] NoSuchQuestion, #[error("x")]AlreadyAnswered,#[error("x")] OutOfRange{position: u16, len: u16}, #[error("x")]Twice{position: u16}, #[error("x")]TooFew{min: u16, given: u16}, #[error("x")]TooMany{max: u16, given: u16}, #[error("x")]GameOver, #[error("x")]MayNotConcede }
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved(pub State);
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("x")]
pub struct LoadError;
impl Machine {
    pub fn new(_program: Arc<Program>) -> Self { loop {} }
    pub fn program(&self) -> &Program { &self.program }
    pub fn state(&self) -> &State { &self.state }
    pub fn start(&mut self, _decks: &[Vec<CardId>], _seed: u64) {}
    pub fn run(&mut self, _observer: &mut impl Observer) -> Status { self.state.control.status }
    pub fn questions(&self) -> impl Iterator<Item = Asked<'_>> { std::iter::empty() }
    pub fn answer(&mut self, _question: QuestionId, _picks: &[u16]) -> Result<(), Refusal> { Ok(()) }
    pub fn concede(&mut self, _player: Player) -> Result<(), Refusal> { Ok(()) }
    pub fn sees(&self, player: Player, card: ObjectId) -> bool { self.state.board.sees(&self.program, player, card) }
    pub fn field(&self, _card: ObjectId, _field: FieldId) -> Value { Value::Undefined }
    pub fn save(&self) -> Saved { Saved(self.state.clone()) }
    pub fn load(program: Arc<Program>, saved: Saved) -> Result<Machine, LoadError> { Ok(Machine { program, state: saved.0 }) }
}
