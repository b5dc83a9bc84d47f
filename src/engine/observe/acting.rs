//! Notes which abilities of cards have acted: something that a seat can see has changed because of them. For `gyoji acts`.
//!
//! An ability acts with a statement of its body (a card moves, a state is set, a player decides, an effect begins), with an effect that
//! applies to something, and with an effect that forbids, replaces or prices something. An ability that only holds values acts when one of
//! its values changes; if they are constants, as soon as it works. Everything is seen from the steps; the engine does nothing more for this
//! onlooker than for any other.

use crate::engine::effects::works;
use crate::engine::eval::Eval;
use crate::engine::ids::{AbilityId, CardId, NodeId, SlotId};
use crate::engine::observe::owners::Owners;
use crate::engine::observe::{Observer, Step, Traced, Unfit, View, Why};
use crate::engine::program::{AbilityDef, ClauseKind, Fill, Node, Program};
use crate::engine::state::Effect;
use crate::engine::value::{Few, ObjectId, Player, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Watches games.
#[derive(Clone, Debug)]
pub struct Acting<'o> {
    owners: &'o Owners,
    /// The abilities that need not be watched any more.
    known: &'o FxHashSet<AbilityId>,
    /// The abilities that have acted.
    pub acted: FxHashSet<AbilityId>,
    /// The abilities of which a statement was carried out, or an effect was in force.
    pub reached: FxHashSet<AbilityId>,
    /// The abilities that worked where their cards lay.
    pub placed: FxHashSet<AbilityId>,
    /// The abilities that have waited, by their numbers.
    waited: FxHashMap<u32, AbilityId>,
    /// For each branch the abilities that are carried out there.
    within: FxHashMap<u16, Vec<Within>>,
    /// The first values that were seen in the slots of abilities that only hold values.
    values: FxHashMap<(ObjectId, AbilityId, SlotId), Few>,
}

/// An ability that is carried out.
#[derive(Clone, Copy, Debug)]
struct Within {
    /// The depth of calls at which it was begun.
    depth: u16,
    /// None: not known yet, because several cards share its statements.
    of: Option<AbilityId>,
    /// Its card.
    card: Option<CardId>,
}

impl<'o> Acting<'o> {
    /// Watches for abilities that are not `known` to act.
    #[must_use]
    pub fn new(owners: &'o Owners, known: &'o FxHashSet<AbilityId>) -> Self {
        let (acted, reached, placed, waited, within, values) = Default::default();
        Self { owners, known, acted, reached, placed, waited, within, values }
    }

    fn acts(&mut self, of: AbilityId) {
        self.reached.insert(of);
        self.acted.insert(of);
    }

    /// The ability to which a step belongs: its statement is one of the ability, or the ability has called the body of the statement.
    fn because_of(&mut self, traced: &Traced) -> Option<AbilityId> {
        let within = self.within.entry(traced.branch).or_default();
        while within.last().is_some_and(|within| within.depth >= traced.depth) {
            within.pop();
        }
        let own = self.owners.of_statement(traced.at, within.iter().rev().filter_map(|within| within.card));
        within.extend(own.map(|own| Within { depth: traced.depth, of: Some(own), card: None }));
        own.or_else(|| within.iter().rev().find_map(|within| within.of))
    }

    fn is_known(&self, of: AbilityId) -> bool {
        self.known.contains(&of) || self.acted.contains(&of)
    }

    /// The ability of an effect in force.
    fn of_effect(&self, view: &View<'_>, number: u32) -> Option<AbilityId> {
        let effect = view.state.effects.get(number)?;
        self.owners.of_clause(effect.clause, card_of(view, effect.source))
    }

    /// Notes the abilities that work where their cards lie, and looks at those that only hold values.
    fn look_at_cards(&mut self, view: &View<'_>) {
        let mut eval = Eval::new(view.program, view.state, &[], &[], Player(0), Value::Undefined);
        for (at, object) in view.state.board.objects.iter().enumerate() {
            for id in view.program.printed_abilities(object.card) {
                if self.is_known(id) || !works(view.program, object, id) {
                    continue;
                }
                self.placed.insert(id);
                if let Some(def) = view.program.abilities.get(id).filter(|def| def.body.is_none() && def.clauses.is_empty()) {
                    self.look_at_values(&mut eval, (ObjectId(at as u16), object.life), (id, def));
                }
            }
        }
    }

    fn look_at_values(&mut self, eval: &mut Eval<'_>, (of, life): (ObjectId, u32), (id, def): (AbilityId, &AbilityDef)) {
        let program = eval.program;
        let slots = program.kinds.get(def.kind).map_or(&[][..], |kind| &kind.slots);
        let varies = |fill: &Fill| matches!(fill, Fill::Value(node) if !matches!(program.nodes.get(*node), Some(Node::Const(_))));
        let ability = Value::Ability { of, ability: id, life: life as u16 };
        let (mut constant, mut changed) = (true, false);
        for ((slot, ..), _) in slots.iter().zip(&def.fills).filter(|(_, fill)| varies(fill)) {
            let members = eval.members_in_slot(ability, *slot);
            constant = false;
            changed |= *self.values.entry((of, id, *slot)).or_insert_with(|| members.clone()) != members;
        }
        if constant || changed {
            self.acts(id);
        }
    }

    /// Looks at the effects in force of abilities that have not acted yet.
    fn look_at_effects(&mut self, view: &View<'_>) {
        let mut eval = Eval::new(view.program, view.state, &[], &[], Player(0), Value::Undefined);
        for effect in view.state.effects.in_force.iter() {
            let of = self.owners.of_clause(effect.clause, card_of(view, effect.source));
            let Some(of) = of.filter(|of| !self.is_known(*of)) else { continue };
            if applies(&mut eval, view.program, effect) {
                self.acts(of);
            } else if view.program.clauses.get(effect.clause).is_some_and(|clause| !has_steps(&clause.kind)) {
                self.reached.insert(of);
            }
        }
    }
}

/// The card of an object.
fn card_of(view: &View<'_>, object: Value) -> Option<CardId> {
    let Value::Object { id, .. } = object else { return None };
    view.state.board.object(id).map(|object| object.card)
}

/// Whether effects of a clause act only in moments that have a step: they replace, wait or change prices.
fn has_steps(kind: &ClauseKind) -> bool {
    matches!(kind, ClauseKind::Instead { .. } | ClauseKind::When { .. } | ClauseKind::Whenever { .. } | ClauseKind::Price { .. })
}

/// Whether an effect in force applies to something now, or keeps a player from taking an option.
fn applies<'a>(eval: &mut Eval<'a>, program: &'a Program, effect: &'a Effect) -> bool {
    let Some(clause) = program.clauses.get(effect.clause) else { return false };
    let what = match &clause.kind {
        kind if has_steps(kind) => return false,
        ClauseKind::Forbid(pattern) => {
            let verbs = program.patterns.get(*pattern).map_or(&[][..], |pattern| &pattern.events);
            let mut options = verbs.iter().filter_map(|event| program.verbs.get(event.verb)?.option);
            return options.any(|option| eval.forbids_option(effect, *pattern, option));
        }
        ClauseKind::Modify { what, .. }
        | ClauseKind::Control { what, .. }
        | ClauseKind::Fill { what, .. }
        | ClauseKind::Shield { what, .. }
        | ClauseKind::ShieldFromChoices { what, .. }
        | ClauseKind::Require { what, .. } => *what,
        ClauseKind::Grant { to, .. } => *to,
        ClauseKind::Strip { from, .. } => *from,
        ClauseKind::Disable(what) => *what,
        _ => NodeId::NONE,
    };
    if !eval.is_active(effect, effect.clause) {
        return false;
    }
    let mut inside = eval.inside(effect);
    inside.enter(effect.number) && (what == NodeId::NONE || inside.each(what, &mut |_, _| true))
}

impl Observer for Acting<'_> {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, traced: &Traced) {
        let by = match &traced.step {
            Step::NotPerformed(_, _, Why::Forbidden(effect) | Why::Replaced(effect)) => Some(*effect),
            Step::Priced { effect, .. } | Step::Silenced { by: effect, .. } => Some(*effect),
            Step::Unfit { why: Unfit::Withheld(effect), .. } => Some(*effect),
            _ => None,
        };
        if let Some(of) = by.and_then(|effect| self.of_effect(view, effect)) {
            self.acts(of);
        }
        if let Step::Waits(number, _) = &traced.step {
            let waiting = view.state.events.waiting(*number).and_then(|pending| pending.ability);
            self.waited.extend(waiting.map(|ability| (*number, ability)));
        }
        if let Some(of) = self.because_of(traced) {
            match &traced.step {
                Step::Performed(..)
                | Step::EffectBegins(_)
                | Step::Verdict(..)
                | Step::Waits(..)
                | Step::Dropped(_)
                | Step::Enters(..)
                | Step::Ability { .. }
                | Step::Decides { forced: false, .. } => self.acts(of),
                _ => _ = self.reached.insert(of),
            }
        }
        if let Step::Ability { ability, number, card, .. } = &traced.step {
            let waited = || number.and_then(|number| self.waited.get(&number).copied());
            let of = ability.or_else(waited).and_then(|ability| self.owners.of_ability(ability));
            self.reached.extend(of);
            self.within.entry(traced.branch).or_default().push(Within { depth: traced.depth, of, card: card_of(view, *card) });
        }
        if matches!(traced.step, Step::Turn(_) | Step::Phase(_) | Step::Decides { .. }) {
            self.look_at_effects(view);
            self.look_at_cards(view);
        }
    }

    fn state_set(&mut self, _: &View<'_>, traced: &Traced) {
        if let Some(of) = self.because_of(traced) {
            self.acts(of);
        }
    }
}
