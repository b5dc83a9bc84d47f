//! What a statement in the lane does to the board: moves, turns, states; each logged, each followed by a look at immediate rules.

use super::{Entry, PLAYER_STATES, Road, Undo, Unfit, spot};
use crate::engine::board::End;
use crate::engine::change::bit;
use crate::engine::eval::lives;
use crate::engine::ids::{ArgsId, Id, NodeId, StateId};
use crate::engine::observe::Observer;
use crate::engine::perform::face_of;
use crate::engine::program::{Builtin, Node};
use crate::engine::run::Run;
use crate::engine::state::FaceChange;
use crate::engine::value::{ObjectId, Place, Value};

impl<O: Observer> Run<'_, O> {
    /// `move(top of Z, to)`; whether it was done.
    pub(super) fn move_top_in_lane(&mut self, from: Value, to: Value) -> Result<bool, Unfit> {
        let (Value::Zone(from), Value::Zone(to)) = (from, to) else { return Ok(false) };
        self.scratch.lane.read(spot(from) | spot(to));
        let Some(card) = self.state.board.cards(from).last().copied() else { return Ok(false) };
        if from == to {
            return Err(Unfit);
        }
        let dirty = self.relocate(card, to, FaceChange::AsZone)?;
        self.changed(dirty)?;
        Ok(true)
    }

    /// A builtin verb; whether it was done in full.
    pub(super) fn deed(&mut self, road: &mut Road<'_>, entry: Entry, verb: Builtin, args: ArgsId) -> Result<bool, Unfit> {
        let nodes = self.program.args_of(args);
        let mut values = [Value::Undefined; 4];
        let lists = road.lists.len();
        for (slot, node) in values.iter_mut().zip(nodes) {
            *slot = self.argument_in_lane(road, entry, *node)?;
        }
        let [what, to, face, bottom] = values;
        let done = match verb {
            Builtin::Move if !bottom.is_true() => self.move_in_lane(road, what, to, face_of(face)),
            Builtin::TurnUp | Builtin::TurnDown => self.turn_in_lane(road, what, verb == Builtin::TurnUp),
            _ => Err(Unfit),
        };
        road.lists.truncate(lists);
        done
    }

    fn move_in_lane(&mut self, road: &mut Road<'_>, what: Value, to: Value, face: FaceChange) -> Result<bool, Unfit> {
        let Value::Zone(to) = to else { return Ok(false) };
        let first = road.lists.len();
        self.living_in_lane(road, what);
        self.scratch.lane.read(spot(to));
        let mut dirty = 0;
        for index in first..road.lists.len() {
            let Some(Value::Object { id, .. }) = road.lists.get(index).copied() else { continue };
            if self.state.board.object(id).is_some_and(|object| object.place != to) {
                dirty |= self.relocate(id, to, face)?;
            }
        }
        self.changed(dirty)?;
        Ok(dirty != 0)
    }

    fn turn_in_lane(&mut self, road: &mut Road<'_>, what: Value, up: bool) -> Result<bool, Unfit> {
        let first = road.lists.len();
        self.living_in_lane(road, what);
        let mut dirty = 0;
        for index in first..road.lists.len() {
            if let Some(Value::Object { id, .. }) = road.lists.get(index).copied() {
                dirty |= self.turn_one(id, up)?;
            }
        }
        self.changed(dirty)?;
        Ok(dirty != 0)
    }

    /// Turns a card that does not lie so; the place that changed.
    pub(super) fn turn_one(&mut self, id: ObjectId, up: bool) -> Result<u64, Unfit> {
        let verb = if up { Builtin::TurnUp } else { Builtin::TurnDown };
        let object = self.state.board.objects.get_mut(usize::from(id.0)).ok_or(Unfit)?;
        let before = *object;
        if before.face_up == up {
            return Ok(0);
        }
        if self.plan.is_recorded(verb.verb()) || self.plan.card(before.card).statics {
            return Err(Unfit);
        }
        object.face_up = up;
        self.scratch.lane.note(spot(before.place), Undo::Turned(id, before));
        Ok(bit(before.place))
    }

    /// Adds the cards that a value names, and that still live the life that is meant, to the arena.
    fn living_in_lane(&mut self, road: &mut Road<'_>, what: Value) {
        let Value::List { start, len } = what else {
            self.quick_living(what, road.lists);
            return;
        };
        for index in start as usize..start as usize + usize::from(len) {
            let member = road.lists.get(index).copied().unwrap_or_default();
            if let Value::Object { .. } = member {
                self.quick_living(member, road.lists);
            }
        }
    }

    /// Moves a card onto the top of a place; the places that changed.
    pub(super) fn relocate(&mut self, id: ObjectId, to: Place, face: FaceChange) -> Result<u64, Unfit> {
        let board = &mut self.state.board;
        let before = *board.object(id).ok_or(Unfit)?;
        let from = before.place;
        if self.plan.card(before.card).statics || self.plan.is_recorded(Builtin::Move.verb()) {
            return Err(Unfit);
        }
        let at = board.take(id).ok_or(Unfit)?;
        self.scratch.lane.note(spot(from) | spot(to), Undo::Left { id, before, at });
        if !board.put(id, to, End::Top) {
            return Err(Unfit);
        }
        let object = board.objects.get_mut(usize::from(id.0)).ok_or(Unfit)?;
        object.face_up = match face {
            FaceChange::Up => true,
            FaceChange::Down => false,
            FaceChange::AsZone => self.plan.place(to).face_up,
        };
        object.shown = 0;
        if self.plan.renews(self.program, from, to) {
            object.life += 1;
            if self.plan.late && self.is_worth_remembering(id) {
                return Err(Unfit);
            }
            self.note_states(id);
            self.state.reset_states(self.program, id);
        }
        Ok(bit(from) | bit(to))
    }

    /// Whether somebody may ask what a card was when its life ended. No effect is in force here.
    fn is_worth_remembering(&self, id: ObjectId) -> bool {
        let late = &self.program.late;
        let states = self.state.board.card_states.iter().skip(usize::from(id.0) * self.plan.states.len());
        let mut marked = states.zip(self.program.states.rows()).zip(&late.states);
        late.place || marked.any(|((is, def), read)| *read && *is != def.initial)
    }

    fn note_states(&mut self, id: ObjectId) {
        let states = self.plan.states.len();
        let first = usize::from(id.0) * states;
        let initial = self.program.states.rows().iter().map(|state| state.initial);
        let values = self.state.board.card_states.iter().enumerate().skip(first).take(states);
        for ((at, value), _) in values.zip(initial).filter(|((_, value), initial)| *value != initial) {
            self.scratch.lane.note(0, Undo::CardState(at, *value));
        }
    }

    /// A change has been made: a rule that it calls for takes the long way.
    #[inline]
    pub(super) fn changed(&mut self, dirty: u64) -> Result<(), Unfit> {
        if dirty == 0 {
            return Ok(());
        }
        self.scratch.lane.round += 1;
        self.state.effects.now = self.state.effects.next;
        if dirty & self.plan.ruled == 0 { Ok(()) } else { self.calls_for_no_rule(dirty) }
    }

    #[inline(never)]
    fn calls_for_no_rule(&mut self, dirty: u64) -> Result<(), Unfit> {
        self.look_for_due_rules(dirty);
        if self.scratch.due.is_empty() { Ok(()) } else { Err(Unfit) }
    }

    /// Sets a state of a card or player; whether there is one.
    pub(super) fn set_state_in_lane(
        &mut self,
        road: &Road<'_>,
        entry: Entry,
        subject: NodeId,
        state: StateId,
        value: NodeId,
    ) -> Result<bool, Unfit> {
        let none = self.program.nodes.get(value) == Some(&Node::Const(Value::Undefined));
        let (subject, value) = (self.value_in_lane(road, entry, subject)?, self.value_in_lane(road, entry, value)?);
        if value == Value::Undefined && !none || self.plan.ruled == u64::MAX {
            return Err(Unfit);
        }
        self.scratch.lane.round += 1;
        self.state.effects.now = self.state.effects.next;
        Ok(self.write_state(subject, state, value))
    }

    /// Writes a state of a card that still lives the life that is meant, or of a player; whether there is one.
    pub fn write_state(&mut self, subject: Value, state: StateId, value: Value) -> bool {
        let Some(plan) = self.plan.states.get(state.index()) else { return false };
        let states = self.plan.states.len();
        let board = &mut self.state.board;
        let lane = &mut self.scratch.lane;
        if let (Value::Player(player), true) = (subject, plan.on_players) {
            let at = usize::from(player.0) * states + state.index();
            let Some(slot) = board.player_states.get_mut(at) else { return false };
            lane.note(PLAYER_STATES, Undo::PlayerState(at, std::mem::replace(slot, value)));
            return true;
        }
        let id = match subject {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => Some(id),
            Value::Zone(place) => board.cards(place).last().copied(),
            _ => None,
        };
        let Some((id, object)) = id.and_then(|id| Some((id, *board.object(id)?))) else { return false };
        let at = usize::from(id.0) * states + state.index();
        lane.read(spot(object.place));
        let living = !plan.on_players && lives(subject, object.life);
        let Some(slot) = board.card_states.get_mut(at).filter(|_| living) else { return false };
        lane.note(spot(object.place), Undo::CardState(at, std::mem::replace(slot, value)));
        true
    }
}
