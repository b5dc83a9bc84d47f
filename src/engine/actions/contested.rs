//! Things that several branches of a lockstep want at one time: one card, or the top of one zone (docs/kernel/simultaneity.md).
//!
//! Input: the changes of the branches that are about to be made as one batch, in the batch's order.

use crate::actions::moves::{Moving, Way};
use crate::actions::perform::{copied, id_of};
use crate::fault::listed;
use crate::ids::Pc;
use crate::program::{BatchOrder, Builtin};
use crate::run::Run;
use crate::state::board::zone_of;
use crate::state::{Branch, Change, Doing};
use crate::steps::{Observer, Step, Why};
use crate::value::{ObjectId, Place, Value};

/// A move that is not made, because another branch moves the card.
#[derive(Clone, Copy, Debug)]
pub struct Lost {
    branch: u16,
    card: Value,
    to: Place,
}

/// A thing that a branch takes and that only one branch can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    TopOf(Place),
    Card(ObjectId),
}

impl<O: Observer> Run<'_, O> {
    /// Two branches move the same card. True if the later branch decides where the card goes, or if both send it to the same place in the
    /// same way. Otherwise the card goes where the earlier branch has sent it. With `owners_last` the later branch decides, because it is
    /// the branch of the card's owner.
    pub(crate) fn later_decides(&mut self, moving: &Moving, branch: u16, change: Change, to: Place) -> bool {
        let agree = way_of(change).is_none_or(|way| moving.way() == (to, way.1, way.2, way.3, way.4));
        if agree {
            return true;
        }
        let later = self.program.policies.batch_order == BatchOrder::OwnersLast;
        let card = Value::Object { id: moving.id, life: moving.life };
        let lost = if later { Lost { branch: moving.branch, card, to: moving.to } } else { Lost { branch, card, to } };
        self.scratch.batch.lost.push(lost);
        later
    }

    /// Tells the moves of a branch that are not made, because another branch moves the card.
    pub(crate) fn tell_lost(&mut self, branch: &Branch, at: u16) {
        for index in 0..self.scratch.batch.lost.len() {
            let Some(lost) = self.scratch.batch.lost.get(index).copied().filter(|lost| lost.branch == at) else { continue };
            let args = copied(&[lost.card, Value::Zone(lost.to)]);
            self.tell(branch.now(), branch.frames.len(), at, &[], || Step::NotPerformed(Builtin::Move.verb(), args, Why::Taken));
        }
    }

    /// Finds two branches that want one thing of a zone without an owner, if nothing decides which branch is first: the top of the same
    /// ordered zone, or the same card for different places. Gives the statement of one of them.
    pub(crate) fn nobody_is_first(&self, branches: &[Box<Branch>], order: &[(i32, u16)]) -> Option<Pc> {
        if self.program.policies.shared_in_order {
            return None;
        }
        let mut taken = Vec::new();
        for (rank, index) in order {
            let Some(branch) = branches.get(usize::from(*index)).filter(|branch| !branch.in_order) else { continue };
            let Doing::Change(change) = branch.doing else { continue };
            let (rank, at) = (*rank, branch.now());
            let of_cards = |cards: &[Value]| -> Vec<_> {
                let ids = cards.iter().filter_map(|card| self.of_nobody(*card));
                ids.map(|id| (Wanted::Card(id), rank, way_of(change), at)).collect()
            };
            match change {
                Change::MoveTop { from, .. } | Change::Move { top_of: Some(from), .. } => {
                    taken.extend(self.is_in_nobodys_order(from).then_some((Wanted::TopOf(from), rank, None, at)));
                }
                Change::MoveCard { card, .. } => taken.extend(of_cards(&[card])),
                Change::Move { start, len, .. } => {
                    taken.extend(of_cards(listed(&branch.lists, start, len)));
                }
                _ => {}
            }
        }
        taken.sort_by_key(|(wanted, rank, ..)| (*wanted, *rank));
        let collide = |two: &&[(Wanted, i32, Option<Way>, Pc)]| match two {
            [(a, x, to, _), (b, y, other, _)] => (a, x) == (b, y) && (to.is_none() || to != other),
            _ => false,
        };
        taken.windows(2).find(collide).and_then(|two| two.first()).map(|(.., at)| *at)
    }

    fn is_in_nobodys_order(&self, place: Place) -> bool {
        let (zone, whose) = zone_of(self.program, place);
        whose.is_none() && self.program.zones.get(zone).is_some_and(|zone| zone.ordered)
    }

    /// The card, if it lies in a zone without an owner.
    fn of_nobody(&self, card: Value) -> Option<ObjectId> {
        let id = id_of(card)?;
        let place = self.state.board.object(id)?.place;
        zone_of(self.program, place).1.is_none().then_some(id)
    }

    /// Leaves cards out of a row at the end of the arena: the cards that other branches move in this step. So no card is picked at random
    /// twice. Gives the new length.
    pub(crate) fn left_by_others(&self, branch: &mut Branch, at: u16, (start, len): (u32, u16)) -> u16 {
        if self.alone {
            return len;
        }
        let others = (0_u16..).zip(&self.state.control.branches).filter(|(other, rival)| *other != at && rival.level == branch.level);
        let mut taken = Vec::new();
        for (_, rival) in others {
            match rival.doing {
                Doing::Change(Change::MoveCard { card, .. }) => taken.push(card),
                Doing::Change(Change::Move { start, len, .. }) => {
                    taken.extend_from_slice(listed(&rival.lists, start, len));
                }
                _ => {}
            }
        }
        if taken.is_empty() {
            return len;
        }
        let row = branch.lists.split_off(start as usize);
        branch.lists.extend(row.into_iter().take(usize::from(len)).filter(|card| !taken.contains(card)));
        (branch.lists.len() - start as usize) as u16
    }
}

fn way_of(change: Change) -> Option<Way> {
    match change {
        Change::MoveCard { to, face, bottom, slot, under, .. } | Change::Move { to, face, bottom, slot, under, .. } => {
            Some((to, face, bottom, slot, under))
        }
        _ => None,
    }
}
