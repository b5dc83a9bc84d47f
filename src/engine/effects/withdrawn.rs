//! Gifts of an ability that is lost in a later layer: in some games the other cards keep nothing that it gave them in earlier layers.
//!
//! Parts that apply to one card apply in the order of the layers. But other cards get nothing from an ability that its card has lost. So
//! the row of parts is built again without the gifts of these abilities, until nothing changes. If an ability was lost only because of its
//! own gift, it comes back in this way. Then it keeps giving, and the row counts as it stands.

use crate::eval::Eval;
use crate::eval::fields::ability_of;
use crate::program::Program;
use crate::state::State;

impl State {
    /// Withdraws what abilities give that are lost in a later layer.
    pub(crate) fn withdraw(&mut self, program: &Program, looked: &mut u32) {
        let mut released: Vec<u32> = Vec::new();
        // An effect is withdrawn once and released once, so that this ends.
        loop {
            let lost = self.lost_later(program);
            let was = std::mem::take(&mut self.effects.withdrawn);
            released.extend(was.iter().filter(|number| lost.binary_search(number).is_err()));
            self.effects.circling.retain(|number| lost.binary_search(number).is_ok());
            let circling: Vec<u32> =
                lost.iter().copied().filter(|number| released.contains(number) && !self.effects.circling.contains(number)).collect();
            self.effects.circling.extend(circling);
            let now: Vec<u32> = lost.into_iter().filter(|number| !self.effects.circling.contains(number)).collect();
            let changed = |number: &u32| was.contains(number) != now.contains(number);
            let stands = was == now;
            for part in self.effects.order.iter_mut().filter(|part| changed(&part.effect)) {
                part.extent = None;
            }
            self.effects.withdrawn = now;
            if stands {
                return;
            }
            self.lay_row(program, crate::bits::Spots::NONE, looked);
        }
    }

    /// The effects, sorted, whose abilities the whole row takes away, and that have a part in a layer before the last one that takes
    /// abilities away.
    fn lost_later(&self, program: &Program) -> Vec<u32> {
        let effects = &self.effects;
        if effects.stripping + effects.disabling == 0 {
            return Vec::new();
        }
        let last = effects.order.iter().filter(|part| effects.silences(program, part)).map(|part| part.layer).max();
        let before = effects.order.iter().filter(|part| Some(part.layer) < last);
        let mut lost: Vec<u32> = before
            .filter(|part| {
                let effect = effects.get(part.effect).filter(|effect| ability_of(effect).is_some());
                effect.is_some_and(|effect| Eval::new(program, self, &[], &[], effect.you, effect.source).silenced(effect).is_some())
            })
            .map(|part| part.effect)
            .collect();
        lost.sort_unstable();
        lost.dedup();
        lost
    }
}
