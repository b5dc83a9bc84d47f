//! The goals of a search through the answers: the greatest answer, the smallest one, all answers.

use super::look::{Goal, Reach};
use super::{Block, Joint, Wanted};

/// Goal: the greatest answer, or the answer that obeys the most demands.
pub(super) struct Best {
    pub wanted: Wanted,
    /// The number of members and the number of obeyed demands of the best answer so far.
    pub found: Option<(u16, u32)>,
}

impl Best {
    fn betters(&self, size: u16, owed: u32) -> bool {
        self.found
            .is_none_or(|(most, obeyed)| if self.wanted.exactly { (size, owed) > (most, obeyed) } else { (owed, size) > (obeyed, most) })
    }
}

impl Goal for Best {
    fn is_open(&mut self, reach: &Reach) -> bool {
        let most = usize::from(self.wanted.most);
        let size = (reach.taken + reach.open).min(most) as u16;
        reach.taken <= most && size > 0 && self.betters(size, reach.owed + reach.open_owed)
    }

    fn found(&mut self, block: Block, weights: &[u32]) -> bool {
        let weight = |pick: &u16| weights.get(usize::from(*pick)).copied().unwrap_or(0);
        let mut free: Vec<u32> = block.free.iter().map(weight).collect();
        free.sort_unstable_by_key(|weight| std::cmp::Reverse(*weight));
        let room = usize::from(self.wanted.most).saturating_sub(block.taken.len());
        let size = (block.taken.len() + room.min(free.len())) as u16;
        let owed = block.taken.iter().map(weight).sum::<u32>() + free.iter().take(room).sum::<u32>();
        if size > 0 && self.betters(size, owed) {
            self.found = Some((size, owed));
        }
        false
    }

    fn splits_demands(&self) -> bool {
        false
    }
}

/// Goal: the smallest answer that is not empty and obeys `owed` demands.
pub(super) struct Least {
    /// The number of demands.
    pub owed: u32,
    /// The number of members of the smallest answer so far.
    pub found: u16,
}

impl Goal for Least {
    fn is_open(&mut self, reach: &Reach) -> bool {
        let smaller = reach.taken < usize::from(self.found) && self.found > 1;
        smaller && reach.owed <= self.owed && reach.owed + reach.open_owed >= self.owed
    }

    fn found(&mut self, block: Block, _: &[u32]) -> bool {
        // No effect demands a free position in these blocks.
        let size = block.taken.len().max(usize::from(!block.free.is_empty()));
        if size > 0 {
            self.found = self.found.min(size as u16);
        }
        false
    }

    fn splits_demands(&self) -> bool {
        true
    }
}

/// Goal: all answers within the bounds of a question.
pub(super) struct All<'j, 'a> {
    /// The question.
    pub joint: &'j Joint<'a>,
    /// The most blocks.
    pub most: usize,
    /// The blocks so far.
    pub blocks: Vec<Block>,
}

impl Goal for All<'_, '_> {
    fn is_open(&mut self, reach: &Reach) -> bool {
        let (taken, all, owed) = (reach.taken, reach.taken + reach.open, u32::from(self.joint.asked.must));
        let fits = taken <= usize::from(self.joint.asked.max) && all >= usize::from(self.joint.asked.min.max(1));
        fits && reach.owed <= owed && reach.owed + reach.open_owed >= owed
    }

    fn found(&mut self, block: Block, _: &[u32]) -> bool {
        if self.blocks.len() == self.most {
            return true;
        }
        self.blocks.push(block);
        false
    }

    fn splits_demands(&self) -> bool {
        true
    }
}
