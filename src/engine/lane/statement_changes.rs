//! The changes that statements in the lane make: moves, turns, states. Each change is logged, and immediate rules are checked after it.

use super::{Entry, LaneStack, PLAYER_STATES, Undo, Unfit, place_bit};
use crate::engine::actions::change::bit;
use crate::engine::actions::perform::face_of;
use crate::engine::eval::lives;
use crate::engine::ids::{ArgsId, Id, NodeId, StateId};
use crate::engine::observe::Observer;
use crate::engine::program::{Builtin, Node};
use crate::engine::run::Run;
use crate::engine::state::FaceChange;
use crate::engine::value::{ObjectId, Value};

impl<O: Observer> Run<'_, O> {
    /// Carries out `move(top of Z, to)`. The result: whether it was done.
    pub(super) fn move_top_in_lane(&mut self, from: Value, to: Value) -> Result<bool, Unfit> {
        let (Value::Zone(from), Value::Zone(to)) = (from, to) else { return Ok(false) };
        self.scratch.lane.read(place_bit(from) | place_bit(to));
        let Some(card) = self.state.board.cards(from).last().copied() else { return Ok(false) };
        if from == to {
            return Err(Unfit);
        }
        let dirty = self.relocate(card, to, FaceChange::AsZone)?;
        self.changed(dirty)?;
        Ok(true)
    }

    /// Carries out a builtin verb. The result: whether it was carried out in full.
    pub(super) fn builtin_in_lane(&mut self, stack: &mut LaneStack<'_>, entry: Entry, verb: Builtin, args: ArgsId) -> Result<bool, Unfit> {
        let nodes = self.program.args_of(args);
        let mut values = [Value::Undefined; 4];
        let lists = stack.lists.len();
        for (slot, node) in values.iter_mut().zip(nodes) {
            *slot = self.argument_in_lane(stack, entry, *node)?;
        }
        let [what, to, face, bottom] = values;
        let done = match verb {
            // Only the long way notes which player controls the card when a life begins.
            Builtin::Move if !bottom.is_true() && nodes.get(5).is_none_or(|under| *under == NodeId::NONE) => {
                self.move_in_lane(stack, what, to, face_of(face))
            }
            Builtin::TurnUp | Builtin::TurnDown => self.turn_in_lane(stack, what, verb == Builtin::TurnUp),
            _ => Err(Unfit),
        };
        stack.lists.truncate(lists);
        done
    }

    fn move_in_lane(&mut self, stack: &mut LaneStack<'_>, what: Value, to: Value, face: FaceChange) -> Result<bool, Unfit> {
        let Value::Zone(to) = to else { return Ok(false) };
        let first = stack.lists.len();
        self.living_in_lane(stack, what);
        self.scratch.lane.read(place_bit(to));
        let mut dirty = 0;
        for index in first..stack.lists.len() {
            let Some(Value::Object { id, .. }) = stack.lists.get(index).copied() else { continue };
            if self.state.board.object(id).is_some_and(|object| object.place != to) {
                dirty |= self.relocate(id, to, face)?;
            }
        }
        self.changed(dirty)?;
        Ok(dirty != 0)
    }

    fn turn_in_lane(&mut self, stack: &mut LaneStack<'_>, what: Value, up: bool) -> Result<bool, Unfit> {
        let first = stack.lists.len();
        self.living_in_lane(stack, what);
        let mut dirty = 0;
        for index in first..stack.lists.len() {
            if let Some(Value::Object { id, .. }) = stack.lists.get(index).copied() {
                dirty |= self.turn_one(id, up)?;
            }
        }
        self.changed(dirty)?;
        Ok(dirty != 0)
    }

    /// Turns a card, unless it already lies that way. The result: the bit of the changed place.
    pub(super) fn turn_one(&mut self, id: ObjectId, up: bool) -> Result<u64, Unfit> {
        let verb = if up { Builtin::TurnUp } else { Builtin::TurnDown };
        if self.plan.is_recorded(verb.verb()) { Err(Unfit) } else { self.turn_unrecorded(id, up) }
    }

    /// Turns a card with a verb whose events are not recorded.
    #[inline]
    pub(super) fn turn_unrecorded(&mut self, id: ObjectId, up: bool) -> Result<u64, Unfit> {
        let object = self.state.board.objects.get_mut(usize::from(id.0)).ok_or(Unfit)?;
        if object.face_up == up {
            return Ok(0);
        }
        if self.plan.card(object.card).statics {
            return Err(Unfit);
        }
        object.face_up = up;
        self.scratch.lane.log(place_bit(object.place), Undo::Turned(id, !up));
        Ok(bit(object.place))
    }

    /// Adds the cards that a value names to the arena, if they are still in the meant life.
    fn living_in_lane(&mut self, stack: &mut LaneStack<'_>, what: Value) {
        let Value::List { start, len } = what else {
            self.quick_living(what, stack.lists);
            return;
        };
        for index in start as usize..start as usize + usize::from(len) {
            let member = stack.lists.get(index).copied().unwrap_or_default();
            if let Value::Object { .. } = member {
                self.quick_living(member, stack.lists);
            }
        }
    }

    /// Sets a state of a card or player. `false` if there is no such card or player.
    pub(super) fn set_state_in_lane(
        &mut self,
        stack: &LaneStack<'_>,
        entry: Entry,
        subject: NodeId,
        state: StateId,
        value: NodeId,
    ) -> Result<bool, Unfit> {
        let none = self.program.nodes.get(value) == Some(&Node::Const(Value::Undefined));
        let (subject, value) = (self.value_in_lane(stack, entry, subject)?, self.value_in_lane(stack, entry, value)?);
        if value == Value::Undefined && !none || self.plan.ruled == u64::MAX {
            return Err(Unfit);
        }
        self.scratch.lane.round += 1;
        self.state.effects.now = self.state.effects.next;
        Ok(self.write_state(subject, state, value))
    }

    /// Writes a state of a player, or of a card that is still in the meant life. `false` if there is none.
    pub fn write_state(&mut self, subject: Value, state: StateId, value: Value) -> bool {
        let Some(plan) = self.plan.states.get(state.index()) else { return false };
        let states = self.plan.states.len();
        let board = &mut self.state.board;
        board.versions.touch_state(state.index());
        let lane = &mut self.scratch.lane;
        if let (Value::Player(player), true) = (subject, plan.on_players) {
            let at = usize::from(player.0) * states + state.index();
            let Some(slot) = board.player_states.get_mut(at) else { return false };
            lane.note(PLAYER_STATES, Undo::PlayerState(at as u32, std::mem::replace(slot, value)));
            return true;
        }
        let id = match subject {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => Some(id),
            Value::Zone(place) => board.cards(place).last().copied(),
            _ => None,
        };
        let Some((id, object)) = id.and_then(|id| Some((id, *board.object(id)?))) else { return false };
        let at = usize::from(id.0) * states + state.index();
        lane.read(place_bit(object.place));
        let living = !plan.on_players && lives(subject, object.life);
        let Some(slot) = board.card_states.get_mut(at).filter(|_| living) else { return false };
        lane.note(place_bit(object.place), Undo::CardState(at as u32, std::mem::replace(slot, value)));
        board.untouched.touch(id);
        true
    }
}
