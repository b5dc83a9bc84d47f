//! The random player. Every legal set of answers is equally likely.

use super::{Answers, Reply};
use engine::choices::joint::{Block, Joint};
use engine::machine::{Asked, Machine, Refusal};
use engine::random::{Generator, seed_of_game};
use serde::{Deserialize, Serialize};

/// The most blocks of answers from which an answer to a question with a joint condition is drawn.
const MOST_BLOCKS: usize = 4096;

/// How often an answer is drawn again that leaves out a member it must not leave out. After that the missing members are added.
const MOST_DRAWS: u32 = 64;

/// Answers at random with its own generator, so that the game's own random results do not depend on the players. The random player never
/// concedes.
///
/// One random player answers for all random seats of a game, in the order of the questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Random {
    generator: Generator,
}

impl Random {
    /// The random player of game number `game` in a run with this seed.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Self {
        Self { generator: Generator::new(seed_of_game(seed, game) ^ 1) }
    }

    /// Answers the next open question of a machine. `false` if no question is open. An offer is answered without listing its options.
    /// `picks` is a buffer that is used again.
    ///
    /// # Errors
    /// The [`Refusal`] of an answer that the machine does not accept: the question cannot be answered.
    pub fn decide(&mut self, machine: &mut Machine, picks: &mut Vec<u16>) -> Result<bool, Refusal> {
        let Some(asked) = machine.questions().find(|asked| !asked.answered) else { return Ok(false) };
        let question = asked.id;
        if asked.offer {
            let way = machine.sample(question, &mut self.generator)?;
            return machine.take(question, way.as_ref()).map(|()| true);
        }
        picks.clear();
        self.answer(&asked, picks);
        machine.answer(question, picks).map(|()| true)
    }

    /// Draws a set of `min` to `max` positions below `len`, in rising order. Every set is equally likely.
    pub fn pick(&mut self, len: u16, min: u16, max: u16, picks: &mut Vec<u16>) {
        let max = max.min(len);
        match (min.min(max), max) {
            (1, 1) => picks.push(self.generator.below(u32::from(len)) as u16),
            // The draw 0 means that nothing is picked. One draw decides, as above, so that the hand-written games of the benchmarks can
            // make the same draws.
            (0, 1) => picks.extend((self.generator.below(u32::from(len) + 1) as u16).checked_sub(1)),
            (min, max) => {
                let size = self.size(len, min, max);
                self.subset(len, size, picks);
            }
        }
    }

    /// Draws one of the answers that satisfy a joint condition. If all answers can be searched in time, each is equally likely. If there
    /// are more than [`MOST_BLOCKS`] blocks of answers, only the first blocks found count.
    pub fn pick_jointly(&mut self, joint: &Joint<'_>, picks: &mut Vec<u16>) {
        let (blocks, whole) = joint.blocks(MOST_BLOCKS);
        if !whole && blocks.len() < MOST_BLOCKS {
            if let Some(drawn) = joint.draw(&mut |below| self.generator.below(below)) {
                return picks.extend(drawn);
            }
            if joint.may_be_empty() {
                return self.pick_one_by_one(joint, picks);
            }
        }
        let ways = |block: &Block| {
            let (least, most) = joint.missing(block.taken.len(), block.free.len());
            (least..=most).map(|size| sets(block.free.len() as u16, size as u16)).fold(0, u128::saturating_add)
        };
        let none = u128::from(joint.may_be_empty());
        let weights: Vec<u128> = blocks.iter().map(ways).collect();
        let total = weights.iter().fold(none, |sum, weight| sum.saturating_add(*weight));
        let mut drawn = self.below_wide(total);
        for (block, weight) in blocks.iter().zip(&weights) {
            if drawn < *weight {
                let (least, most) = joint.missing(block.taken.len(), block.free.len());
                let mut free = Vec::new();
                self.pick(block.free.len() as u16, least as u16, most as u16, &mut free);
                picks.extend(block.taken.iter().chain(free.iter().filter_map(|at| block.free.get(usize::from(*at)))));
                picks.sort_unstable();
                return;
            }
            drawn -= weight;
        }
    }

    /// Draws an answer if there are too many answers to search: adds members in random order as long as the condition holds, up to a drawn
    /// number, or until players have looked for long enough. Then the answers are not equally likely, and some cannot be found.
    fn pick_one_by_one(&mut self, joint: &Joint<'_>, picks: &mut Vec<u16>) {
        let (len, max) = joint.members_and_most();
        let wanted = self.generator.below(u32::from(max) + 1) as usize;
        let mut order: Vec<u16> = (0..len).collect();
        self.generator.shuffle(&mut order);
        for member in order {
            if picks.len() == wanted || !joint.may_look_on() {
                break;
            }
            picks.push(member);
            if joint.holds(picks) != Ok(true) {
                picks.pop();
            }
        }
        picks.sort_unstable();
    }

    /// Draws an answer with as many members as the question allows.
    fn pick_between_bounds(&mut self, asked: &Asked<'_>, picks: &mut Vec<u16>) {
        if let Some(joint) = &asked.joint {
            return self.pick_jointly(joint, picks);
        }
        self.pick(asked.domain.len() as u16, asked.min, asked.max, picks);
        engine::machine::obey(asked.must, asked.max, picks);
    }

    /// Draws the number of picks. The weight of a number is the number of sets with this size.
    fn size(&mut self, len: u16, min: u16, max: u16) -> u16 {
        if min == max {
            return min;
        }
        let mut weight = sets(len, min);
        let mut weights = Vec::with_capacity(usize::from(max - min) + 1);
        for size in min..=max {
            weights.push(weight);
            weight = next_weight(weight, len, size);
        }
        let total = weights.iter().fold(0_u128, |sum, weight| sum.saturating_add(*weight));
        let mut drawn = self.below_wide(total);
        for (size, weight) in (min..=max).zip(&weights) {
            match drawn.checked_sub(*weight) {
                Some(rest) => drawn = rest,
                None => return size,
            }
        }
        max
    }

    /// A random number below a wide bound: as many random bits as the bound has, drawn again while the number is too large.
    fn below_wide(&mut self, bound: u128) -> u128 {
        let bits = u128::BITS - bound.saturating_sub(1).leading_zeros();
        loop {
            let mut drawn = 0_u128;
            let mut missing = bits;
            while missing > 0 {
                let now = missing.min(16);
                drawn = (drawn << now) | u128::from(self.generator.below(1 << now));
                missing -= now;
            }
            if drawn < bound || bound == 0 {
                return drawn;
            }
        }
    }

    /// Draws `size` of `len` positions by selection sampling, in rising order. Every set is equally likely.
    fn subset(&mut self, len: u16, size: u16, picks: &mut Vec<u16>) {
        let mut wanted = size;
        for position in 0..len {
            if wanted == 0 {
                return;
            }
            if self.generator.below(u32::from(len - position)) < u32::from(wanted) {
                picks.push(position);
                wanted -= 1;
            }
        }
    }
}

impl Answers for Random {
    fn answer(&mut self, asked: &Asked<'_>, picks: &mut Vec<u16>) -> Reply {
        // The answers are not listed, so the player cannot pick.
        if !asked.listed {
            return Reply::Silent;
        }
        self.pick_between_bounds(asked, picks);
        let Some(shown) = asked.shown else { return Reply::Picks };
        // An answer that leaves out a shown member is drawn again, so every legal answer stays equally likely.
        for drawn_again in 0_u32.. {
            let Some(greater) = shown.greater(picks) else { break };
            picks.clear();
            if drawn_again == MOST_DRAWS {
                picks.extend(greater);
                break;
            }
            self.pick_between_bounds(asked, picks);
        }
        Reply::Picks
    }
}

/// The number of sets of `size` out of `len`. If it has more than 128 bits: the largest number, which is precise enough as a weight.
fn sets(len: u16, size: u16) -> u128 {
    (0..size).try_fold(1_u128, |sets, taken| Some(sets.checked_mul(u128::from(len - taken))? / u128::from(taken + 1))).unwrap_or(u128::MAX)
}

/// The number of sets with one more member, computed from the number of sets of `size`.
fn next_weight(weight: u128, len: u16, size: u16) -> u128 {
    if weight == u128::MAX {
        return sets(len, size.saturating_add(1).min(len));
    }
    weight.checked_mul(u128::from(len.saturating_sub(size))).map_or(u128::MAX, |product| product / (u128::from(size) + 1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::Random;
    use engine::random::{Generator, seed_of_game};
    use std::collections::BTreeMap;

    /// How often each set is drawn in this many draws.
    fn tally(len: u16, min: u16, max: u16, draws: u32) -> BTreeMap<Vec<u16>, u32> {
        let mut random = Random::new(7, 0);
        let mut tally = BTreeMap::new();
        for _ in 0..draws {
            let mut picks = Vec::new();
            random.pick(len, min, max, &mut picks);
            assert!(picks.len() >= usize::from(min) && picks.len() <= usize::from(max) && picks.is_sorted());
            *tally.entry(picks).or_default() += 1;
        }
        tally
    }

    #[test]
    fn every_legal_set_is_equally_likely() {
        for (len, min, max, sets) in [(5, 1, 1, 5), (4, 0, 1, 5), (5, 2, 2, 10), (4, 0, 4, 16), (5, 1, 3, 25)] {
            let tally = tally(len, min, max, 1000 * sets);
            assert_eq!(tally.len(), sets as usize, "{len} {min} {max}");
            assert!(tally.values().all(|count| (850..1150).contains(count)), "{tally:?}");
        }
    }

    #[test]
    fn huge_choices_are_drawn_too() {
        let mut random = Random::new(1, 1);
        for (len, min, max) in [(300, 0, 300), (1000, 10, 500), (60, 0, 60), (u16::MAX, 2, 3)] {
            let mut picks = Vec::new();
            random.pick(len, min, max, &mut picks);
            assert!(picks.len() <= usize::from(max) && picks.len() >= usize::from(min) && picks.iter().all(|pick| *pick < len));
        }
    }

    /// The hand-written games of the benchmarks make the same draws as the interpreter.
    #[test]
    fn one_of_many_and_up_to_one_are_a_single_draw() {
        let mut random = Random::new(42, 3);
        let mut plain = Generator::new(seed_of_game(42, 3) ^ 1);
        for _ in 0..50 {
            let mut picks = Vec::new();
            random.pick(6, 1, 1, &mut picks);
            assert_eq!(picks, [plain.below(6) as u16]);
            picks.clear();
            random.pick(6, 0, 1, &mut picks);
            let drawn = plain.below(7) as u16;
            assert_eq!(picks, if drawn == 0 { Vec::new() } else { vec![drawn - 1] });
        }
    }
}
