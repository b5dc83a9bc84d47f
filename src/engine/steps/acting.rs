//! Notes which abilities of cards have acted: something that a seat can see has changed because of them. For `gyoji acts`.
//!
//! An ability acts with a statement of its body (a card moves, a state is set, a player decides, an effect begins), with an effect that
//! applies to something, and with an effect that forbids, replaces or prices something. An ability that only holds values acts when one of
//! its values changes; if they are constants, as soon as it works. Everything is seen from the steps; the engine does nothing more for this
//! onlooker than for any other.

use crate::effects::works;
use crate::eval::Eval;
use crate::ids::{AbilityId, CardId, NodeId, SlotId};
use crate::program::{AbilityDef, ClauseKind, Fill, Node, Op, Program};
use crate::state::Effect;
use crate::steps::influences::Watching;
use crate::steps::owners::Owners;
use crate::steps::{Observer, Step, Traced, Unfit, View, Why};
use crate::value::{Few, ObjectId, Player, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Watches games.
#[derive(Debug)]
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
    /// For each branch the abilities that are carried out there. A branch stands behind the branch that began it.
    within: Vec<Vec<Within>>,
    /// The card whose ability was performed last.
    latest: Option<CardId>,
    /// The first values that were seen in the slots of abilities that only hold values.
    values: FxHashMap<(ObjectId, AbilityId, SlotId), Few>,
    watching: Watching,
}

/// An ability that is carried out.
#[derive(Clone, Copy, Debug)]
struct Within {
    /// The depth of calls at which it was begun.
    depth: u16,
    of: Option<AbilityId>,
    /// Its card, if only the card is noted: several cards may share the statements.
    card: Option<CardId>,
}

impl<'o> Acting<'o> {
    /// Watches for abilities that are not `known` to act.
    #[must_use]
    pub fn new(owners: &'o Owners, known: &'o FxHashSet<AbilityId>) -> Self {
        let (acted, reached, placed, waited, within, latest, values) = Default::default();
        Self { owners, known, acted, reached, placed, waited, within, latest, values, watching: Watching::begin() }
    }

    fn acts(&mut self, of: AbilityId) {
        self.reached.insert(of);
        self.acted.insert(of);
    }

    /// The ability to which a step belongs: its statement is one of the ability, or the ability has called the body of the statement.
    fn because_of(&mut self, traced: &Traced) -> Option<AbilityId> {
        // Branches that this branch began are over, or begin their next statement themselves.
        self.within.resize_with(usize::from(traced.branch) + 1, Vec::new);
        if let Some(within) = self.within.last_mut() {
            while within.last().is_some_and(|within| within.depth >= traced.depth) {
                within.pop();
            }
        }
        let around = || self.within.iter().rev().flat_map(|within| within.iter().rev());
        let own = self.owners.of_statement(traced.at, around().filter_map(|within| within.card).chain(self.latest));
        let of = own.or_else(|| around().find_map(|within| within.of));
        if let Some(within) = self.within.last_mut() {
            within.extend(own.map(|own| Within { depth: traced.depth, of: Some(own), card: None }));
        }
        of
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
                if let Some(def) = view.program.abilities.get(id).filter(|def| only_holds_values(view.program, def)) {
                    self.look_at_values(&mut eval, (ObjectId(at as u16), object.life), (id, def));
                }
            }
        }
    }

    fn look_at_values(&mut self, eval: &mut Eval<'_>, (of, life): (ObjectId, u32), (id, def): (AbilityId, &AbilityDef)) {
        let program = eval.program;
        let slots = program.kinds.get(def.kind).map_or(&[][..], |kind| &kind.slots);
        let mark = def.keyword.and_then(|keyword| program.keywords.get(keyword)).is_some_and(|keyword| keyword.mark);
        let varies = |fill: &Fill| !mark && matches!(fill, Fill::Value(node) if !matches!(program.nodes.get(*node), Some(Node::Const(_))));
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
            let Some(clause) = view.program.clauses.get(effect.clause) else { continue };
            if !eval.is_active(effect, effect.clause) {
                continue;
            }
            if applies(&mut eval, &clause.kind, effect) {
                self.acts(of);
            } else if !matches!(clause.kind, ClauseKind::When { .. } | ClauseKind::Whenever { .. } | ClauseKind::Instead { .. }) {
                self.reached.insert(of);
            }
        }
    }
}

/// Whether an ability has no statements and no clauses. Then rules read its values, or ask whether a card has it.
fn only_holds_values(program: &Program, def: &AbilityDef) -> bool {
    let first = |body| program.code.get(program.routines.get(body)?.start);
    def.clauses.is_empty() && matches!(def.body.and_then(first), None | Some(Op::End | Op::Return(NodeId::NONE)))
}

/// The card of an object.
fn card_of(view: &View<'_>, object: Value) -> Option<CardId> {
    let Value::Object { id, .. } = object else { return None };
    view.state.board.object(id).map(|object| object.card)
}

/// Whether an effect in force applies to something now. Effects that replace, wait, prevent or change prices act only in moments that have
/// a step or are noted.
fn applies<'a>(eval: &mut Eval<'a>, kind: &ClauseKind, effect: &'a Effect) -> bool {
    use ClauseKind::{Forbid, Instead, Price, When, Whenever};
    let what = match kind {
        When { .. } | Whenever { .. } | Instead { .. } | Forbid(_) | Price { .. } => return false,
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
    let mut inside = eval.inside(effect);
    inside.enter(effect.number) && (what == NodeId::NONE || inside.each(what, &mut |_, _| true))
}

impl Observer for Acting<'_> {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, traced: &Traced) {
        let by = match &traced.step {
            Step::NotPerformed(_, _, Why::Replaced(effect)) | Step::Silenced { by: effect, .. } => Some(*effect),
            Step::Unfit { why: Unfit::Withheld(effect), .. } => Some(*effect),
            _ => None,
        };
        let by = by.and_then(|effect| self.of_effect(view, effect));
        let noted = self.watching.taken().into_iter();
        let noted: Vec<AbilityId> = noted.filter_map(|(clause, source)| self.owners.of_clause(clause, card_of(view, source))).collect();
        for of in by.into_iter().chain(noted) {
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
            let (depth, card) = (traced.depth, card_of(view, *card));
            self.latest = card;
            // The step is told before or after the call of the ability's body. The card counts in both cases.
            let card = Within { depth: depth.saturating_sub(1), of: None, card };
            if let Some(within) = self.within.last_mut() {
                within.extend([card, Within { depth, of, card: None }]);
            }
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
