//! Actions that are their moves (`replaced as_not_done`, `replaced unheard`): to which cards such an action has happened.
//!
//! The body of the action moves cards. A card whose move was forbidden or replaced is noted in [`Branch::unmoved`]. When the action ends, its
//! event and its result are about the other cards (docs/kernel/actions.md).

use crate::actions::perform::{Args, id_of};
use crate::ids::VerbId;
use crate::program::{Builtin, ReplacedMoves, VerbDef};
use crate::run::Run;
use crate::state::{Branch, Deciding, Frame, Role};
use crate::steps::Observer;
use crate::value::{ObjectId, Value};

/// Where the action stands that a move belongs to.
enum Around {
    /// In the branch of the move.
    Here(VerbId),
    /// In a branch that waits for it.
    Outside(VerbId, u16),
}

impl<O: Observer> Run<'_, O> {
    fn moves_instead(&self, verb: VerbId) -> ReplacedMoves {
        self.program.verbs.get(verb).map_or_else(Default::default, |def| def.replaced)
    }

    /// Whether the verb is an action that is its moves.
    fn is_its_moves(&self, verb: VerbId) -> bool {
        self.program.verbs.get(verb).is_some_and(VerbDef::is_its_moves)
    }

    /// Notes the cards of a move that was forbidden or replaced, if an action around it is its moves. Gives how the action
    /// counts for these cards, if there are any. A card that lies where the move would have brought it counts as moved.
    pub(super) fn notes_unmoved(&mut self, branch: &mut Branch, deciding: &Deciding) -> Option<ReplacedMoves> {
        if !self.program.notes_part || !matches!(deciding.builtin, Some(Builtin::Move) | None) {
            return None;
        }
        let around = self.moving_action(branch)?;
        let lies_there = |id: ObjectId| {
            let (goal, place) = self.state.board.way_of(self.program, id, deciding.args[1]);
            deciding.builtin.is_some() && goal == place
        };
        let of_arg = |arg: &Value| match *arg {
            Value::List { start, len } => {
                branch.lists.get(start as usize..).unwrap_or_default().iter().take(usize::from(len)).copied().collect()
            }
            one => vec![one],
        };
        let named = if deciding.builtin.is_some() { deciding.args.get(..1) } else { Some(&deciding.args[..]) };
        let cards = named.unwrap_or_default().iter().flat_map(of_arg);
        let unmoved: Vec<Value> =
            cards.filter(|card| id_of(*card).is_some_and(|id| !deciding.kept.contains(card) && !lies_there(id))).collect();
        let verb = match around {
            Around::Here(verb) => {
                branch.unmoved.extend_from_slice(&unmoved);
                verb
            }
            Around::Outside(verb, at) => {
                self.notes_outside(at, &unmoved);
                verb
            }
        };
        (!unmoved.is_empty()).then(|| self.moves_instead(verb))
    }

    /// The action that is its moves, and of whose moves the present statement of the branch is one. Abilities, rules and replacements in
    /// between have moves of their own.
    fn moving_action(&self, branch: &Branch) -> Option<Around> {
        let found = |branch: &Branch| {
            branch.frames.iter().rev().find_map(|frame| match frame.role {
                Role::Action(verb) => self.is_its_moves(verb).then_some(Some(verb)),
                Role::Plain | Role::Deciding => None,
                _ => Some(None),
            })
        };
        if let Some(verb) = found(branch) {
            return verb.map(Around::Here);
        }
        let mut parent = branch.parent;
        while let Some(at) = parent {
            let outside = self.state.control.branches.get(usize::from(at))?;
            match found(outside) {
                Some(verb) => return verb.map(|verb| Around::Outside(verb, at)),
                None => parent = outside.parent,
            }
        }
        None
    }

    /// The arguments of the event of an action that ends. `None`: the action has not happened.
    #[inline]
    pub(super) fn happened_to(&self, branch: &mut Branch, frame: &Frame, verb: VerbId, args: Args) -> Option<Args> {
        if branch.unmoved.is_empty() || !self.is_its_moves(verb) { Some(args) } else { happened_to(branch, frame, args) }
    }

    /// Leaves the cards that were not moved out of the result of the action that ends, and forgets them with the outermost such action.
    pub(super) fn leaves_unmoved(&mut self, branch: &mut Branch, frame: &Frame) {
        let Role::Action(verb) = frame.role else { return };
        if !self.is_its_moves(verb) {
            return;
        }
        let from = frame.collects.map_or(branch.collected.len(), |from| from as usize);
        let unmoved: Vec<ObjectId> = branch.unmoved.iter().filter_map(|card| id_of(*card)).collect();
        let own = branch.collected.split_off(from.min(branch.collected.len()));
        branch.collected.extend(own.into_iter().filter(|card| id_of(*card).is_none_or(|id| !unmoved.contains(&id))));
        match self.moving_action(branch) {
            Some(Around::Here(_)) => {}
            Some(Around::Outside(_, at)) => self.notes_outside(at, &std::mem::take(&mut branch.unmoved)),
            None => branch.unmoved.clear(),
        }
    }

    fn notes_outside(&mut self, at: u16, unmoved: &[Value]) {
        let outside = self.state.control.branches.get_mut(usize::from(at));
        outside.into_iter().for_each(|outside| outside.unmoved.extend_from_slice(unmoved));
    }

    /// Forgets what an earlier action has left, when an action begins that is its moves and that no other contains.
    pub(super) fn begins_its_moves(&self, branch: &mut Branch, verb: VerbId) {
        if !branch.unmoved.is_empty() && self.is_its_moves(verb) && self.moving_action(branch).is_none() {
            branch.unmoved.clear();
        }
    }
}

/// The arguments without the cards that were not moved. `None` if an argument was only such cards. An action that names no card has happened
/// if a part of it was done.
fn happened_to(branch: &mut Branch, frame: &Frame, mut args: Args) -> Option<Args> {
    let mut names_cards = false;
    for arg in &mut args {
        match *arg {
            Value::Object { .. } if branch.unmoved.contains(arg) => return None,
            Value::Object { .. } => names_cards = true,
            Value::List { start, len } => {
                let all = branch.lists.get(start as usize..).unwrap_or_default().iter().take(usize::from(len));
                let rest: Vec<Value> = all.filter(|member| !branch.unmoved.contains(member)).copied().collect();
                if rest.is_empty() && len > 0 {
                    return None;
                }
                names_cards |= rest.iter().any(|member| id_of(*member).is_some());
                if rest.len() < usize::from(len) {
                    *arg = Value::List { start: branch.lists.len() as u32, len: rest.len() as u16 };
                    branch.lists.extend(rest);
                }
            }
            _ => {}
        }
    }
    (names_cards || frame.any).then_some(args)
}
