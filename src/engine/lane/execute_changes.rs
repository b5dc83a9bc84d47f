//! The changes that instructions make to the board: cards move, turn and get states, zones are shuffled, and immediate rules begin.
//!
//! Each change is logged. The result of a function: whether it was carried out, or that it does not fit.

use super::code::{Code, Setting};
use super::execute::TrackValues;
use super::moves::{Site, Watch, Way};
use super::{Undo, Unfit, place_bit};
use crate::engine::eval::lives;
use crate::engine::ids::{Id, Reg, StateId};
use crate::engine::observe::Observer;
use crate::engine::run::Run;
use crate::engine::state::board::Board;
use crate::engine::state::{Branch, FaceChange, State};
use crate::engine::value::{Place, Player, Value};

/// Puts a value into a register of the flow's frame. There is no other frame while the line runs.
#[inline]
pub(super) fn keep(branch: &mut Branch, reg: Reg, value: Value) {
    if let Some(slot) = branch.registers.get_mut(reg.index()) {
        *slot = value;
    }
}

impl<O: Observer> Run<'_, O> {
    /// Turns the cards of some places. The arena of the flow's branch gets two lists, as in the long way: all cards, and the turned cards.
    #[inline(never)]
    pub(super) fn turn_all(
        &mut self,
        places: &[Place],
        up: bool,
        result: Reg,
        values: &mut TrackValues,
        branch: &mut Branch,
    ) -> Result<(), Unfit> {
        let named = branch.lists.len();
        for place in places {
            self.state.board.add_references(*place, &mut branch.lists);
        }
        let start = branch.lists.len();
        let mut dirty = 0;
        for at in named..start {
            let Some(card @ Value::Object { id, .. }) = branch.lists.get(at).copied() else { continue };
            let turned = self.turn_unrecorded(id, up)?;
            if turned != 0 {
                branch.lists.push(card);
            }
            dirty |= turned;
        }
        self.changed(dirty)?;
        let len = (branch.lists.len() - start) as u16;
        keep(branch, result, Value::List { start: start as u32, len });
        values.names.done = dirty != 0;
        if dirty == 0
            && let Some(frame) = branch.frames.last_mut()
        {
            frame.failed = true;
        }
        Ok(())
    }

    /// Sets a state of all cards of some places. Never used in a member of a lockstep that may affect other members.
    #[inline(never)]
    pub(super) fn set_all(&mut self, setting: &Setting, values: &mut TrackValues, branch: &mut Branch) -> Result<(), Unfit> {
        let Board { zones, slab, objects, card_states, untouched, .. } = &mut self.state.board;
        let (states, kept) = (self.plan.states.len(), setting.kept.is_some());
        let (start, mut last) = (branch.lists.len(), None);
        for place in &setting.places {
            let Some(span) = zones.get(usize::from(place.0)) else { continue };
            let cards = span.start as usize..span.start as usize + usize::from(span.len);
            for id in slab.get(cards).unwrap_or(&[]) {
                let at = usize::from(id.0) * states + setting.state.index();
                let slot = card_states.get_mut(at).ok_or(Unfit)?;
                if !slot.is_same(setting.value) {
                    untouched.touch(*id);
                    self.scratch.lane.log(place_bit(*place), Undo::CardState(at as u32, std::mem::replace(slot, setting.value)));
                }
                let card = Value::Object { id: *id, life: objects.get(usize::from(id.0)).map_or(0, |object| object.life) };
                if kept {
                    branch.lists.push(card);
                }
                last = Some(card);
            }
        }
        if last.is_some() {
            self.scratch.lane.round += 1;
            self.state.effects.now = self.state.effects.next;
        }
        if let Some([list, item]) = setting.kept {
            let len = branch.lists.len() - start;
            if let Some(last) = last {
                keep(branch, item, last);
                values.names.done = true;
            }
            keep(branch, list, Value::List { start: start as u32, len: len as u16 });
            keep(branch, Reg(list.0 + 1), Value::Number(len as i32));
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn set_on_track(&mut self, subject: Value, state: StateId, value: Value, none: bool) -> Result<bool, Unfit> {
        if matches!(value, Value::Undefined) && !none || self.plan.ruled == u64::MAX {
            return Err(Unfit);
        }
        self.scratch.lane.round += 1;
        self.state.effects.now = self.state.effects.next;
        Ok(self.write_state(subject, state, value))
    }

    /// Called after the top card of a place has moved. If the line carries out a rule that is due now: the index where the rule's
    /// instructions begin.
    #[inline(always)]
    pub(super) fn carried_on_line(&mut self, code: &Code, way: Way) -> Result<Option<usize>, Unfit> {
        if way.site == Site::Ruled
            && let Watch::Emptied(truth) = way.watch
            && self.state.board.count(way.from) == 0
            && let Some(rule) = self.rule_begins(code, truth)
        {
            self.state.effects.now = self.state.effects.next;
            return Ok(Some(rule));
        }
        self.carried(way)?;
        Ok(None)
    }

    /// The condition of a rule has become true. The result: the index where the rule's instructions begin. `None`: the move does not fit. A
    /// rule that becomes due while this one runs does not fit either.
    #[inline(never)]
    fn rule_begins(&mut self, code: &Code, truth: u16) -> Option<usize> {
        let (_, begins) = code.rules.iter().find(|(of, _)| *of == truth)?;
        let slot = self.state.board.rule_truth.get_mut(usize::from(truth)).filter(|truth| !**truth)?;
        if !self.scratch.lane.begin_rule() {
            return None;
        }
        *slot = true;
        self.scratch.lane.log(0, Undo::RuleTruth(u32::from(truth), false));
        Some(*begins as usize)
    }

    #[inline(never)]
    pub(super) fn shuffle_on_line(&mut self, place: Place, within: bool) -> Result<(), Unfit> {
        let State { board, generator, fixed_shuffles, effects, .. } = &mut *self.state;
        let lost = self.program.policies.shuffled_are_lost;
        let holds = |id: &crate::engine::value::ObjectId| board.object(*id).is_some_and(|object| self.plan.card(object.card).statics);
        // A clause that works wherever its card is begins anew with the card's new life, so such a card does not fit.
        if lost && board.cards(place).iter().any(holds) {
            return Err(Unfit);
        }
        if !fixed_shuffles.is_empty() || !self.scratch.lane.note_shuffle((place, board.cards(place)), generator, within, lost) {
            return Err(Unfit);
        }
        generator.shuffle(board.cards_mut(place));
        if lost {
            board.lose(place);
        }
        self.scratch.lane.round += 1;
        effects.now = effects.next;
        Ok(())
    }

    /// Moves a card that is in the first place of the way and belongs to that player. In all other cases the move does not fit.
    #[inline(never)]
    pub(super) fn move_home(&mut self, what: Value, owner: Player, way: Way) -> Result<bool, Unfit> {
        let Value::Object { id, life } = what else { return Err(Unfit) };
        if self.state.board.object(id).is_none_or(|object| object.owner != owner) || !self.carry((id, life), way)? {
            return Err(Unfit);
        }
        self.carried(way)?;
        Ok(true)
    }

    /// Moves a card that is probably in the first place of the way.
    #[inline(never)]
    pub(super) fn move_out(&mut self, what: Value, way: Way) -> Result<bool, Unfit> {
        if let Value::Object { id, life } = what
            && self.carry((id, life), way)?
        {
            self.carried(way)?;
            return Ok(true);
        }
        self.move_to_on_track(what, way.to, way.face_up)
    }

    /// Moves all cards of a place, the bottom card first, in the order of a set.
    #[inline(never)]
    pub(super) fn move_all(&mut self, way: Way) -> Result<bool, Unfit> {
        let some = if self.state.board.count(way.from) > 1 { self.carry_all(way)? > 0 } else { self.carry_top(way)? };
        if some {
            self.carried(way)?;
        }
        Ok(some)
    }

    #[inline(never)]
    pub(super) fn move_on_track(&mut self, what: Value, to: Value, face: FaceChange) -> Result<bool, Unfit> {
        let Value::Zone(to) = to else { return Ok(false) };
        self.scratch.lane.read(place_bit(to));
        let face_up = self.plan.way(self.program, to, to, face).face_up;
        self.move_to_on_track(what, to, face_up)
    }

    #[inline(never)]
    pub(super) fn move_to_on_track(&mut self, what: Value, to: Place, face_up: bool) -> Result<bool, Unfit> {
        let way = |from| self.plan.way_to(self.program, from, to, face_up);
        match what {
            Value::Object { id, life } => {
                let Some((_, object)) = self.seen(what) else { return Ok(false) };
                if !lives(what, object.life) || object.place == to {
                    return Ok(false);
                }
                let way = way(object.place);
                self.carry((id, life), way)?;
                self.carried(way)?;
                Ok(true)
            }
            Value::Zone(from) if from != to => {
                self.scratch.lane.read(place_bit(from));
                self.move_all(way(from))
            }
            Value::Undefined | Value::Zone(_) => Ok(false),
            _ => Err(Unfit),
        }
    }

    #[inline(never)]
    pub(super) fn turn_on_track(&mut self, what: Value, up: bool) -> Result<bool, Unfit> {
        let id = match what {
            Value::Object { id, .. } if self.seen(what).is_some_and(|(_, object)| lives(what, object.life)) => id,
            Value::Undefined | Value::Object { .. } => return Ok(false),
            _ => return Err(Unfit),
        };
        let dirty = self.turn_one(id, up)?;
        self.changed(dirty)?;
        Ok(dirty != 0)
    }
}
