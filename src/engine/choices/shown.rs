//! Shown members: members of a domain whose properties the other players see. A chooser who may fail to find cannot claim that they do not fit.
//!
//! An answer with fewer members than demanded is legal if the chooser could give it although the others see all shown members: no answer made
//! of shown members and of the members of this answer is greater. Without a joint condition this means that no shown member is left out.

use crate::choices::answer::Refusal;
use crate::choices::joint::{Joint, TooMany, Wanted};
use crate::choices::numbers::eval_of;
use crate::fault::listed;
use crate::ids::NodeId;
use crate::program::{ChoiceDef, Program};
use crate::run::Run;
use crate::state::{Branch, Question, State, Then};
use crate::steps::Observer;
use crate::value::{Player, Value};
use std::ops::Range;

/// The shown members of a question whose answer may have fewer members than demanded, because the chooser may fail to find.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    program: &'a Program,
    state: &'a State,
    branch: &'a Branch,
    asked: &'a Question,
    def: &'a ChoiceDef,
}

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Shown({:?} of {})", self.members(), self.asked.len)
    }
}

impl<'a> Shown<'a> {
    /// The shown members of a question. None if an answer with fewer members than demanded is not allowed anyway.
    #[inline]
    pub fn of(program: &'a Program, state: &'a State, branch: &'a Branch, asked: &'a Question) -> Option<Self> {
        if asked.min >= asked.wanted() {
            return None;
        }
        let def = program.choices.get(asked.choice).filter(|def| def.may_fail || def.others_may_fail)?;
        Some(Shown { program, state, branch, asked, def })
    }

    /// The positions of the shown members in the domain.
    fn members(&self) -> Vec<u16> {
        let chooser = eval_of(self.program, self.state, self.branch).and_then(|mut eval| eval.value(self.def.by).player());
        let Some(chooser) = chooser else { return Vec::new() };
        shown_among(self.program, self.state, self.branch, (self.def, chooser), (self.asked.start, self.asked.len))
    }

    /// A greater answer, made of shown members and of the members of this answer. None if there is none: then the answer leaves out nothing.
    /// The greater answer leaves out nothing itself.
    #[must_use]
    pub fn greater(&self, picks: &[u16]) -> Option<Vec<u16>> {
        let wanted = usize::from(self.asked.wanted());
        if picks.len() >= wanted {
            return None;
        }
        // If nothing is chosen when there are too few, the chooser finds all or none.
        let finds_all_or_none = self.program.cases_of_choice(self.def.declared).all_or_nothing;
        let others = match finds_all_or_none {
            true if picks.is_empty() => return None,
            true => (0..self.asked.len).collect(),
            false => self.members(),
        };
        let mut among = picks.to_vec();
        among.extend(others.into_iter().filter(|other| !picks.contains(other)));
        if among.len() == picks.len() {
            return None;
        }
        if self.def.is_joint() {
            return self.greatest_together(&among).ok().flatten().filter(|found| found.len() > picks.len());
        }
        among.truncate(wanted);
        Some(among)
    }

    /// Checks that an answer leaves out no shown member.
    pub(super) fn check(&self, picks: &[u16]) -> Result<(), Refusal> {
        let Some(position) = self.greater(picks).and_then(|greater| greater.into_iter().find(|member| !picks.contains(member))) else {
            return Ok(());
        };
        let given = picks.len().min(usize::from(u16::MAX)) as u16;
        if self.program.cases_of_choice(self.def.declared).all_or_nothing {
            return Err(Refusal::TooFew { min: self.asked.wanted(), given });
        }
        let member = self.branch.lists.get(self.asked.start as usize + usize::from(position)).copied().unwrap_or_default();
        Err(Refusal::LeavesOut { position, member, given, wanted: self.asked.wanted() })
    }

    /// How many shown members fit together, at most as many as are wanted.
    ///
    /// # Errors
    /// [`TooMany`] if the search would take too long.
    pub(super) fn together(&self) -> Result<u16, TooMany> {
        Ok(self.greatest_together(&self.members())?.map_or(0, |found| found.len() as u16))
    }

    /// The greatest legal answer to a joint choice that has only some of its members.
    fn greatest_together(&self, among: &[u16]) -> Result<Option<Vec<u16>>, TooMany> {
        let mut branch = self.branch.clone();
        let member = |pick: &u16| self.branch.lists.get(self.asked.start as usize + usize::from(*pick)).copied().unwrap_or_default();
        let mut asked = Question { start: branch.lists.len() as u32, len: among.len() as u16, ..*self.asked };
        branch.lists.extend(among.iter().map(member));
        let wanted = Wanted { exactly: true, most: asked.max, or_none: false, may_fail: false };
        let Some(joint) = Joint::of(self.program, self.state, &branch, &asked, None) else { return Ok(None) };
        let bounds = joint.bounds(wanted)?.bounds;
        // Effects demand some members. An answer that obeys fewer demands is not legal.
        if bounds.max == 0 || bounds.owed < asked.must {
            return Ok(None);
        }
        (asked.min, asked.max) = (bounds.max, bounds.max);
        let tries = Joint::of(self.program, self.state, &branch, &asked, None).map(|joint| joint.tries().0).unwrap_or_default();
        let found = tries.first().ok_or(TooMany)?;
        Ok(Some(found.iter().filter_map(|at| among.get(usize::from(*at)).copied()).collect()))
    }
}

/// The positions of the members that the chooser cannot claim not to find: cards that are seen as [`seers`] says, and members that are no
/// cards.
pub(super) fn shown_among(
    program: &Program,
    state: &State,
    branch: &Branch,
    (def, chooser): (&ChoiceDef, Player),
    (start, len): (u32, u16),
) -> Vec<u16> {
    let groups = seers(program, branch, def, chooser);
    let is_shown = |member: &Value| match *member {
        Value::Object { id, .. } => groups.iter().any(|group| group.clone().all(|player| state.board.sees(program, Player(player), id))),
        _ => true,
    };
    let domain = listed(&branch.lists, start, len);
    (0_u16..).zip(domain).filter(|(_, member)| is_shown(member)).map(|(at, _)| at).collect()
}

/// The groups of players of which one has to see a card, so that the chooser cannot claim that the card does not fit.
fn seers(program: &Program, branch: &Branch, def: &ChoiceDef, chooser: Player) -> Vec<Range<u8>> {
    let all = 0..program.players;
    if program.policies.known_are_found && chooses_for_another(branch, def, chooser) {
        vec![chooser.0..chooser.0 + 1, all]
    } else {
        vec![all]
    }
}

/// Whether another player than the acting one answers a slot in which this player may fail to find.
fn chooses_for_another(branch: &Branch, def: &ChoiceDef, chooser: Player) -> bool {
    def.others_may_fail && branch.frames.last().is_some_and(|frame| frame.you != chooser)
}

impl Question {
    /// How many members an answer should have, unless the chooser may fail to find.
    #[inline]
    pub(crate) fn wanted(&self) -> u16 {
        if let Then::Store { demanded, .. } = self.then { demanded.min(self.max) } else { 0 }
    }
}

impl<O: Observer> Run<'_, O> {
    /// Whether the chooser may claim to find nothing among the hidden cards of the domain. If every player sees all cards of a hidden zone,
    /// the zone counts as open.
    pub(super) fn may_fail(&mut self, branch: &Branch, def: &ChoiceDef, chooser: Player) -> bool {
        if !def.may_fail && !chooses_for_another(branch, def, chooser) {
            return false;
        }
        !seers(self.program, branch, def, chooser).into_iter().any(|players| self.is_seen_by(branch, def.domain, players))
    }

    /// Whether each of these players sees all cards from which the set is chosen. Cards whose life is over are no part of the set.
    fn is_seen_by(&mut self, branch: &Branch, domain: NodeId, players: Range<u8>) -> bool {
        let mut eval = self.eval(branch);
        let (program, board) = (eval.program, &eval.state.board);
        !eval.each_unnarrowed(domain, &mut |_, member| {
            let Value::Object { id, life } = member else { return false };
            let is_there = board.object(id).is_some_and(|object| object.life == life);
            is_there && !players.clone().all(|player| board.sees(program, Player(player), id))
        })
    }
}
