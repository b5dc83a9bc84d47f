//! Waiting abilities of a position that a scenario sets up: abilities of its cards, with the contents of their slots and the names that
//! their events bound.
//!
//! Input: the description of the position, with expressions that are evaluated when all cards lie in their places. Output: waiting
//! abilities as play would have left them: uses are counted, and a hidden card is shown if the game says so. The game itself puts by
//! blocks.

use crate::abilities::usable::used;
use crate::eval::Eval;
use crate::ids::{AbilityId, CardId, ClauseId, Id, NodeId, OptionId, RoutineId, ZoneId};
use crate::machine::Machine;
use crate::program::{ClauseKind, Op, Program};
use crate::state::board::place_of;
use crate::state::{Pending, Shown, State, Waits};
use crate::value::{ObjectId, Player, Value};
use std::sync::Arc;

/// A waiting ability of a position.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The ability or option.
    pub what: Laid,
    /// The ability's source cards. The card that has the ability comes first.
    pub sources: Vec<ObjectId>,
    /// The ability's controller. None: the card's owner.
    pub you: Option<Player>,
    /// The zone in which it waits. None: no zone.
    pub place: Option<(ZoneId, Player)>,
    /// The contents of its registers (first the names that its event bound, then its slots): the register, the expression, and whether this
    /// is a set.
    pub filled: Vec<(usize, NodeId, bool)>,
}

/// Something that can wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laid {
    /// An ability.
    Ability(AbilityId),
    /// A declared option.
    Option(OptionId),
}

/// The abilities that an ability, or what it begins, can give to cards.
fn grants(program: &Program, ability: AbilityId) -> Vec<AbilityId> {
    let mut found: Vec<AbilityId> = Vec::new();
    let mut left = vec![ability];
    while let Some(ability) = left.pop() {
        let Some(def) = program.abilities.get(ability) else { continue };
        let mut clauses = def.clauses.clone();
        def.body.into_iter().for_each(|body| clauses.extend(begins(program, body)));
        let mut at = 0;
        while let Some(kind) = clauses.get(at).and_then(|clause| program.clauses.get(*clause)).map(|clause| &clause.kind) {
            at += 1;
            if let ClauseKind::Grant { abilities, .. } = kind {
                let new: Vec<AbilityId> = abilities.iter().copied().filter(|ability| !found.contains(ability)).collect();
                found.extend(&new);
                left.extend(new);
            }
            let new: Vec<ClauseId> = kind.body().into_iter().flat_map(|body| begins(program, body)).collect();
            let new: Vec<ClauseId> = new.into_iter().filter(|clause| !clauses.contains(clause)).collect();
            clauses.extend(new);
        }
    }
    found.sort_unstable_by_key(|ability| ability.index());
    found
}

/// The abilities that the text of a card can give to cards.
#[must_use]
pub fn granted_through(program: &Program, card: CardId) -> Vec<AbilityId> {
    let (first, count) = program.cards.get(card).map_or((AbilityId(0), 0), |card| card.abilities);
    (first.0..first.0 + count).flat_map(|ability| grants(program, AbilityId(ability))).collect()
}

/// The abilities that effects of a body can give to cards.
#[must_use]
pub fn granted_by(program: &Program, body: RoutineId) -> Vec<AbilityId> {
    let granted = begins(program, body).filter_map(|clause| match &program.clauses.get(clause)?.kind {
        ClauseKind::Grant { abilities, .. } => Some(abilities.clone()),
        _ => None,
    });
    granted.flatten().collect()
}

/// The clauses that a body itself puts in force.
fn begins(program: &Program, body: RoutineId) -> impl Iterator<Item = ClauseId> + '_ {
    let start = program.routines.get(body).map_or(usize::MAX, |def| def.start.index());
    let code = program.code.rows().iter().skip(start).take_while(|op| **op != Op::End);
    code.filter_map(|op| if let Op::Install { clause, .. } = op { Some(*clause) } else { None })
}

/// How an ability waits: the kind of waiting, its body, and the number of names that its event binds. None for an ability that never waits.
#[must_use]
pub fn waits(program: &Program, ability: AbilityId) -> Option<(Waits, crate::ids::RoutineId, usize)> {
    let def = program.abilities.get(ability)?;
    let clause = def.clauses.first().and_then(|clause| Some((*clause, &program.clauses.get(*clause)?.kind)));
    match (clause, def.body) {
        (Some((clause, ClauseKind::When { pattern, body, .. })), _) => {
            let binds = program.patterns.get(*pattern).map_or(0, |pattern| usize::from(pattern.binds));
            Some((Waits::Triggered(def.kind, clause), *body, binds))
        }
        (Some((clause, ClauseKind::Whenever { body, .. })), _) => Some((Waits::Triggered(def.kind, clause), *body, 0)),
        (_, Some(body)) => Some((Waits::Announced(def.kind), body, 0)),
        (_, None) => None,
    }
}

/// Lets these abilities wait. The first one has the number 0.
pub(crate) fn lay(machine: &mut Machine, waiting: &[Waiting]) {
    let program = Arc::clone(machine.program());
    let state = machine.state_mut();
    for (number, laid) in waiting.iter().enumerate() {
        let Some(mut pending) = pending_of(&program, state, laid) else { continue };
        pending.number = number as u32;
        if let Some((zone, player)) = laid.place {
            (pending.place, pending.entered) = (Some(place_of(&program, zone, player)), (waiting.len() + number) as u32);
        }
        count_use(&program, state, &pending);
        if program.policies.hidden_are_shown && matches!(pending.waits, Waits::Triggered(..)) {
            show(&program, state, &pending);
        }
        state.events.pending.push_back(Arc::new(pending));
    }
    state.events.find_in_zones();
    state.events.next = 2 * waiting.len() as u32;
}

/// Notes that the condition of a waiting state trigger is true, so that the trigger does not begin to wait again at once.
pub(crate) fn note_conditions(machine: &mut Machine) {
    let State { effects, events, .. } = machine.state_mut();
    for pending in events.pending.iter() {
        let Waits::Triggered(_, clause) = pending.waits else { continue };
        for effect in effects.in_force.iter_mut().filter(|effect| effect.clause == clause && effect.source == pending.source) {
            Arc::make_mut(effect).was = true;
        }
    }
}

fn pending_of(program: &Program, state: &State, laid: &Waiting) -> Option<Pending> {
    let (waits, body, bound) = match laid.what {
        Laid::Ability(ability) => waits(program, ability)?,
        Laid::Option(option) => {
            let body = program.options.get(option)?.process?;
            (Waits::Declared(option), body, program.routines.get(body).map_or(0, |def| usize::from(def.parameters)))
        }
    };
    let mut sources = laid.sources.iter().map(|id| state.board.reference(*id));
    let source = sources.next().unwrap_or_default();
    let owner = laid.sources.first().and_then(|id| state.board.object(*id)).map(|object| object.owner);
    let mut pending = Pending::new(waits, body, source, laid.you.or(owner).unwrap_or_default());
    pending.ability = if let Laid::Ability(ability) = laid.what { Some(ability) } else { None };
    pending.also = sources.collect();
    if let Some(def) = program.routines.get(body) {
        pending.after = if def.after.is_some() { source } else { Value::Undefined };
        pending.before = if def.before.is_some() { source } else { Value::Undefined };
    }
    pending.captures.resize(bound, Value::Undefined);
    if let Laid::Option(option) = laid.what
        && let Some(by) = program.options.get(option).and_then(|def| pending.captures.get_mut(def.params.len()))
    {
        *by = pending.you.value();
    }
    pending.slots.resize(pending.fills(program).len(), Value::Undefined);
    for (at, node, set) in &laid.filled {
        let mut eval = Eval::new(program, state, &[], &[], pending.you, pending.source);
        let mut members = Vec::new();
        let value = if *set {
            eval.each(*node, &mut |_, member| {
                members.push(member);
                false
            });
            Value::List { start: 0, len: members.len() as u16 }
        } else {
            eval.value(*node)
        };
        let kept = crate::effects::keep(value, &members, &mut pending.lists);
        let (captures, slots) = (&mut pending.captures, &mut pending.slots);
        if let Some(register) = captures.iter_mut().chain(slots).nth(*at) {
            *register = kept;
        }
    }
    Some(pending)
}

/// Counts the use of a waiting ability: it was used when it was announced, or, by policy, when it began to wait.
fn count_use(program: &Program, state: &mut State, pending: &Pending) {
    let counted = match pending.waits {
        Waits::Announced(_) => !program.policies.announced_at_use,
        _ => program.policies.limit_at_trigger,
    };
    if let Some(of) = used(pending).filter(|_| counted) {
        state.count_use(program, of, pending.you);
    }
}

fn show(program: &Program, state: &mut State, pending: &Pending) {
    let Value::Object { id, .. } = pending.source else { return };
    let board = &mut state.board;
    if (0..program.players).map(Player).all(|player| board.sees(program, player, id)) {
        return;
    }
    board.versions.touch_all();
    let Some(object) = board.objects.get_mut(usize::from(id.0)) else { return };
    object.shown |= u8::MAX;
    board.shown_while.push((Shown { id, place: object.place, to: u8::MAX, by_action: false }, pending.number));
}
