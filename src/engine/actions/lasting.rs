//! Continuous effects begin and end, and the cards to which effects apply are found again after each change (docs/kernel/effects.md).

use crate::bits::Spots;
use crate::eval::Eval;
use crate::ids::DurationId;
use crate::limits::{EFFECTS, WORK_OF_A_MEMBER};
use crate::program::{DurationKind, Seen, SetPolicy};
use crate::run::Run;
use crate::state::board::zone_of;
use crate::state::{Branch, Effect, FailureKind, Holds};
use crate::steps::{Observer, Step};
use crate::value::{ObjectId, Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Begins a duration (`open`): the effects that waited for it come into force. Or ends it: no effect of it begins any more.
    pub(super) fn open_duration(&mut self, branch: &mut Branch, at: u16, duration: DurationId, open: bool) {
        self.state.effects.open.retain(|other| *other != duration);
        if open {
            self.state.effects.open.push(duration);
            let all = std::mem::take(&mut self.state.effects.later);
            let (now, later): (Vec<Effect>, _) = all.into_iter().partition(|effect| effect.holds == Holds::Lasting(duration));
            self.state.effects.later = later;
            self.begins = true;
            for effect in now {
                self.install(branch, at, Some(effect));
            }
            self.begins = false;
        }
        self.carried_out(branch);
    }

    /// Updates the cards to which effects apply, if some effect needs this.
    #[inline]
    pub(crate) fn settle_effects(&mut self, touched: Spots) {
        if !self.state.effects.is_settled() {
            self.settle_now(touched);
        }
        self.overseen_anew();
    }

    /// Updates who sees face-down cards in zones where the controller sees them. Effects, moves and zones decide who controls a card, so this
    /// is noted after changes.
    #[inline]
    pub(crate) fn overseen_anew(&mut self) {
        let board = &self.state.board;
        if self.plan.overseers && (self.state.effects.controlling > 0 || !board.held.is_empty() || !board.overseen.is_empty()) {
            self.note_overseen();
        }
    }

    #[inline(never)]
    fn note_overseen(&mut self) {
        let (program, mut overseen) = (self.program, Vec::new());
        for (id, object) in (0..).map(ObjectId).zip(&self.state.board.objects) {
            let zone = program.zones.get(zone_of(program, object.place).0);
            if object.face_up || !zone.is_some_and(|zone| zone.has_faces && zone.down == Seen::ByController) {
                continue;
            }
            let card = self.state.board.reference(id);
            let by = Eval::new(program, self.state, &[], &[], Player(0), Value::Undefined).controller_of(card);
            overseen.extend(by.filter(|by| *by != object.owner).map(|by| (id, by)));
        }
        if self.state.board.overseen != overseen {
            self.state.board.versions.touch_sight();
            self.state.board.overseen = overseen;
        }
    }

    /// Updates the cards to which effects apply, after a change outside of the board (the number of the turn, waiting abilities, history).
    /// These changes may decide which abilities exist.
    #[inline]
    pub(crate) fn settle_abilities(&mut self) {
        let effects = &self.state.effects;
        let fickle = effects.stripping + effects.disabling > 0 || effects.order.iter().any(|part| part.fickle);
        if effects.granting > 0 || effects.falling || !effects.order.is_empty() && fickle {
            self.settle_effects(Spots::NONE);
        }
    }

    #[inline(never)]
    fn settle_now(&mut self, touched: Spots) {
        let settled = self.state.settle(self.program, touched);
        self.scratch.looked += u64::from(settled.looked);
        if !settled.begun.is_empty() || !settled.ended.is_empty() {
            self.state.control.changed_by_effects();
        }
        self.tell_ended(settled.ended);
        self.tell_begun(settled.begun);
        self.look_at_conditions();
    }

    /// Whether an effect that applies to no card yet may apply to cards that come later. The policy allows this for zones that are not
    /// public.
    fn may_apply_later(&self, effect: &Effect) -> bool {
        let what = self.program.clauses.get(effect.clause).and_then(|clause| clause.kind.applies_to());
        let by_zone = matches!(self.program.policies.sets, SetPolicy::LockedInPublicZones | SetPolicy::LiveWithoutNewcomers);
        by_zone && what.is_some_and(|what| crate::eval::sets::names_unseen_zone(self.program, what))
    }

    /// Whether an effect that applies to no card yet may apply to present cards that come to fit its set. The effect then begins, but does
    /// nothing now.
    fn may_fit_later(&self, effect: &Effect) -> bool {
        let what = self.program.clauses.get(effect.clause).and_then(|clause| clause.kind.applies_to());
        !effect.there.is_empty() && what.is_some_and(|what| crate::effects::leaves_newcomers_out(self.program, what))
    }

    /// Puts an effect in force for a branch.
    pub fn install(&mut self, branch: &mut Branch, at: u16, effect: Option<Effect>) {
        let Some(effect) = effect else { return self.set_done(branch, at, false) };
        let applies = effect.targets.as_ref().is_none_or(|targets| !targets.is_empty()) || self.may_apply_later(&effect);
        if !applies && !self.may_fit_later(&effect) {
            return self.set_done(branch, at, false);
        }
        let kind = match effect.holds {
            Holds::Lasting(duration) => self.program.duration_kinds.get(usize::from(duration.0)).copied().unwrap_or_default(),
            _ => DurationKind::AtOnce,
        };
        let is_open = matches!(effect.holds, Holds::Lasting(duration)
            // The second question notes the reading of both.
            if self.is_during(branch, duration) || self.state.effects.open.contains(&duration));
        match kind {
            DurationKind::Later if !self.begins => {
                self.state.effects.later.push(effect);
                return self.set_done(branch, at, applies);
            }
            // The duration is over, so the effect never begins.
            DurationKind::OnlyInside if !is_open => return self.set_done(branch, at, false),
            _ => {}
        }
        if self.state.effects.in_force.len() >= EFFECTS {
            return self.fail(FailureKind::Effects, branch.now());
        }
        // The cards to which effects apply are kept, and many effects on many cards would fill the memory.
        self.state.effects.asked.work.add(WORK_OF_A_MEMBER * (effect.targets.as_ref().map_or(0, Vec::len) + effect.there.len()));
        let number = self.state.effects.begin(self.program, effect);
        self.date_later(branch, at, number);
        self.tell(branch.now(), branch.frames.len(), at, &branch.lists, || Step::EffectBegins(number));
        self.state.control.changed_by_effects();
        self.set_done(branch, at, applies);
    }
}
