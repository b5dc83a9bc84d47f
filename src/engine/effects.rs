//! Continuous effects beginning and ending: static ones with the place of their card, resolved ones with their duration.

use super::board::{Object, zone_of};
use super::eval::Eval;
use super::ids::{AbilityId, ClauseId, Id, PatternId, StateId};
use super::program::{ClauseKind, Program};
use super::state::{Effect, Effects, Frame, Holds, State};
use super::value::{ObjectId, Value};

impl Effects {
    /// No effect in force; counts for every verb and field.
    pub fn reset(&mut self, program: &Program) {
        self.in_force.clear();
        self.next = 0;
        self.now = 0;
        self.watching.clear();
        self.watching.resize(program.verbs.len(), 0);
        self.modifying.clear();
        self.modifying.resize(program.fields.len(), 0);
        self.disabling = 0;
    }

    /// Puts an effect in force; its number.
    pub fn begin(&mut self, program: &Program, mut effect: Effect) -> u32 {
        effect.number = self.next;
        effect.timestamp = self.now;
        self.next += 1;
        self.count(program, effect.clause, true);
        self.in_force.push(effect);
        self.next - 1
    }

    /// Ends the effects that `ends` names; their numbers.
    pub fn end(&mut self, program: &Program, ends: impl Fn(&Effect) -> bool) -> Vec<u32> {
        let mut ended = Vec::new();
        let mut clauses = Vec::new();
        self.in_force.retain(|effect| {
            let gone = ends(effect);
            if gone {
                ended.push(effect.number);
                clauses.push(effect.clause);
            }
            !gone
        });
        for clause in clauses {
            self.count(program, clause, false);
        }
        ended
    }

    fn count(&mut self, program: &Program, clause: ClauseId, more: bool) {
        let change = |count: &mut u16| *count = if more { count.saturating_add(1) } else { count.saturating_sub(1) };
        let Some(clause) = program.clauses.get(clause) else { return };
        match &clause.kind {
            ClauseKind::Modify { changes, .. } => {
                for each in changes {
                    if let Some(count) = self.modifying.get_mut(each.field.index()) {
                        change(count);
                    }
                }
            }
            ClauseKind::Disable(_) => change(&mut self.disabling),
            ClauseKind::Forbid(pattern) | ClauseKind::Instead { pattern, .. } | ClauseKind::When { pattern, .. } => {
                for verb in verbs(program, *pattern) {
                    if let Some(count) = self.watching.get_mut(verb.index()) {
                        change(count);
                    }
                }
            }
        }
    }
}

fn verbs(program: &Program, pattern: PatternId) -> impl Iterator<Item = super::ids::VerbId> + '_ {
    program.patterns.get(pattern).into_iter().flat_map(|pattern| pattern.events.iter().map(|event| event.verb))
}

/// Whether an ability works where its card lies: in one of its zones, and face up where cards have faces.
#[must_use]
pub fn works(program: &Program, object: &Object, ability: AbilityId) -> bool {
    let (zone, _) = zone_of(program, object.place);
    let in_zone = program.abilities.get(ability).is_some_and(|ability| ability.zones & (1 << zone.index().min(63)) != 0);
    in_zone && (object.face_up || !program.zones.get(zone).is_some_and(|zone| zone.has_faces))
}

impl State {
    /// Puts the clauses of a card's abilities in force that work where it lies.
    pub fn activate(&mut self, program: &Program, id: ObjectId) -> Vec<u32> {
        let Some(object) = self.board.object(id).copied() else { return Vec::new() };
        let Some(card) = program.cards.get(object.card) else { return Vec::new() };
        let source = self.board.reference(id);
        let mut begun = Vec::new();
        for ability in (0..card.abilities.1).map(|index| AbilityId(card.abilities.0.0 + index)) {
            let Some(def) = program.abilities.get(ability).filter(|_| works(program, &object, ability)) else { continue };
            for clause in &def.clauses {
                let effect = Effect {
                    number: 0,
                    timestamp: 0,
                    clause: *clause,
                    source,
                    you: object.owner,
                    holds: Holds::Static(ability),
                    captures: Vec::new(),
                    lists: Vec::new(),
                    targets: None,
                    amounts: Vec::new(),
                };
                begun.push(self.effects.begin(program, effect));
            }
        }
        begun
    }

    /// Ends the static effects of a card.
    pub fn deactivate(&mut self, program: &Program, id: ObjectId) -> Vec<u32> {
        self.effects.end(program, |effect| {
            matches!(effect.holds, Holds::Static(_)) && matches!(effect.source, Value::Object { id: of, .. } if of == id)
        })
    }

    /// A card's states are what they are at first.
    pub fn reset_states(&mut self, program: &Program, id: ObjectId) {
        let states = program.states.len();
        for (index, state) in program.states.iter() {
            if let Some(slot) = self.board.card_states.get_mut(usize::from(id.0) * states + StateId::index(index)) {
                *slot = state.initial;
            }
        }
    }
}

/// A resolved effect as it begins: what it captures, what it applies to, by how much.
#[must_use]
pub fn resolved(
    program: &Program,
    state: &State,
    frame: &Frame,
    registers: &[Value],
    lists: &[Value],
    clause: ClauseId,
    holds: Holds,
) -> Option<Effect> {
    let def = program.clauses.get(clause)?;
    let locals = registers.get(frame.base as usize..).unwrap_or(&[]);
    let mut kept = Vec::new();
    let captures = def.captures.iter().map(|reg| keep(locals.get(usize::from(reg.0)).copied().unwrap_or_default(), lists, &mut kept));
    let captures: Vec<Value> = captures.collect();
    let mut effect = Effect {
        number: 0,
        timestamp: 0,
        clause,
        source: frame.this,
        you: frame.you,
        holds,
        captures,
        lists: kept,
        targets: None,
        amounts: Vec::new(),
    };
    let mut eval = Eval::new(program, state, &effect.captures, &effect.lists, frame.you, frame.this);
    let mut targets = Vec::new();
    let mut amounts = Vec::new();
    match &def.kind {
        ClauseKind::Modify { what, changes } => {
            eval.each(*what, &mut |_, member| {
                targets.push(member);
                false
            });
            amounts = changes.iter().map(|change| eval.value(change.value)).collect();
        }
        ClauseKind::Disable(what) => {
            eval.each(*what, &mut |_, member| {
                targets.push(member);
                false
            });
        }
        ClauseKind::Forbid(_) | ClauseKind::Instead { .. } | ClauseKind::When { .. } => {}
    }
    if matches!(def.kind, ClauseKind::Modify { .. } | ClauseKind::Disable(_)) {
        effect.targets = Some(targets);
    }
    effect.amounts = amounts;
    Some(effect)
}

/// A value that outlives its frame: a list's members are copied to `kept`.
pub fn keep(value: Value, lists: &[Value], kept: &mut Vec<Value>) -> Value {
    let Value::List { start, len } = value else { return value };
    let at = kept.len() as u32;
    kept.extend(lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]));
    Value::List { start: at, len }
}
