//! Abilities that do nothing where their card lies, in games that have a rule for this (`policy principles { invalid = does_nothing }`).
//! This file tells onlookers which triggers would have heard an event. It changes nothing.

use crate::effects::works;
use crate::eval::watch::Happening;
use crate::eval::{Eval, unread};
use crate::ids::{AbilityId, CitesId, ClauseId};
use crate::program::{ClauseKind, Principle, Program};
use crate::run::Run;
use crate::state::board::zone_of;
use crate::state::{Branch, State};
use crate::steps::{Observer, Step, Why};
use crate::value::{ObjectId, Place, Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Tells about each trigger that fits an event but does not work where its card lies (or lay, if the card left in this event).
    pub(crate) fn tell_idle(&mut self, branch: &Branch, at: u16, what: Happening<'_>) {
        if self.trial.is_some() || self.program.principle(Principle::Invalid) == CitesId::default() {
            return;
        }
        for ability in unread::unnoted(|| self.that_do_nothing(what)) {
            self.tell(branch.now(), branch.frames.len(), at, &[], || Step::NotUsed { ability, why: Why::Inactive });
        }
    }

    fn that_do_nothing(&self, what: Happening<'_>) -> Vec<Value> {
        let (program, board) = (self.program, &self.state.board);
        let mut found = Vec::new();
        for (at, object) in board.objects.iter().enumerate().filter(|(_, object)| object.place != Place::NOWHERE) {
            let Some(card) = program.cards.get(object.card) else { continue };
            let id = ObjectId(at as u16);
            // If some player may not see the card, nothing is told.
            if !(0..program.players).all(|player| board.sees(program, Player(player), id)) {
                continue;
            }
            // A card that moved in the event is read as it was before.
            let gone = |value: &&Value| matches!(**value, Value::Object { id: of, life } if of == id && life != object.life);
            let was = what.args.iter().find(gone).copied();
            let known = was.and_then(|was| board.last_known(was)).map_or(*object, |row| row.object);
            let this = was.unwrap_or_else(|| board.reference(id));
            for ability in (0..card.abilities.1).map(|at| AbilityId(card.abilities.0.0 + at)) {
                if works(program, object, ability) || works(program, &known, ability) {
                    continue;
                }
                let clauses = program.abilities.get(ability).map_or(&[][..], |def| &def.clauses);
                let fits = clauses.iter().filter_map(|clause| program.clauses.get(*clause)).any(|clause| {
                    let ClauseKind::When { pattern, .. } = clause.kind else { return false };
                    let mut eval = Eval::new(program, self.state, &[], &[], object.owner, this);
                    eval.holds(clause.condition) && eval.matches(pattern, what)
                });
                if let (true, Value::Object { life, .. }) = (fits, this) {
                    found.push(Value::Ability { of: id, ability, life: life as u16 });
                }
            }
        }
        found
    }
}

/// The rules by which an ability does nothing where its card lies or lay: because the ability does not work in this zone, or because the
/// card lies face down.
#[must_use]
pub fn rules(program: &Program, state: &State, ability: Value) -> [CitesId; 2] {
    let board = &state.board;
    let of_game = program.principle(Principle::Invalid);
    let Value::Ability { of, ability: which, life } = ability else { return [of_game; 2] };
    let (Some(present), Some(def)) = (board.object(of), program.abilities.get(which)) else { return [of_game; 2] };
    let known = board.last_known(Value::Object { id: of, life: board.life_of(of, life) }).map(|row| row.object);
    let object = known.filter(|_| !ability.lives(present.life)).unwrap_or(*present);
    let zone = zone_of(program, object.place).0;
    let zones = def.zones_on(program.types_of(object.card));
    let kind = program.kinds.get(def.kind).filter(|kind| kind.zones == def.zones && kind.zones_of == def.zones_of);
    let here = if zones.has(zone) { program.zones.get(zone) } else { None };
    [of_game, here.map_or_else(|| kind.map_or(def.cites, |kind| kind.zones_cites), |zone| zone.idle_cites)]
}

/// The static abilities that do nothing where their cards lie.
#[must_use]
pub fn statics(program: &Program, state: &State) -> Vec<Value> {
    if program.principle(Principle::Invalid) == CitesId::default() {
        return Vec::new();
    }
    let holds = |clause: &ClauseId| program.clauses.get(*clause).is_some_and(|clause| clause.kind.applies_to().is_some());
    let mut found = Vec::new();
    for (at, object) in state.board.objects.iter().enumerate().filter(|(_, object)| object.place != Place::NOWHERE) {
        let (first, many) = program.cards.get(object.card).map_or((0, 0), |card| (card.abilities.0.0, card.abilities.1));
        for ability in (first..first + many).map(AbilityId) {
            let is_static = program.abilities.get(ability).is_some_and(|def| def.clauses.iter().any(holds));
            if is_static && !works(program, object, ability) {
                found.push(Value::Ability { of: ObjectId(at as u16), ability, life: object.life as u16 });
            }
        }
    }
    found
}
