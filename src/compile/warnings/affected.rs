//! Finds the cards that an expression of an effect may mean: their types and their zones, as far as they are known before any game.

use super::super::Compiler;
use super::known::{Card, Facts, Reading, Thing};
use super::never_heard::hearer;
use engine::bits::ZoneSet;
use engine::ids::{AbilityId, ClauseId, NodeId, Pc, Reg, RoutineId};
use engine::program::{Node, Op, OptionParam, Program};
use rustc_hash::FxHashMap;

/// How many local names, each made from the one before, are traced back to a zone.
const LINKS: u8 = 4;

/// Cards, by what is known of them: for each combination of types ([`Facts::rows`]) the zones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cards(pub(super) Vec<ZoneSet>);

impl Cards {
    pub(super) fn none(facts: &Facts<'_>) -> Self {
        Self(vec![ZoneSet::NONE; facts.rows.len()])
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.iter().all(|zones| zones.is_none())
    }

    pub(super) fn add(&mut self, other: &Cards) {
        self.0.iter_mut().zip(&other.0).for_each(|(zones, more)| *zones |= *more);
    }

    pub(super) fn meets(&self, other: &Cards) -> bool {
        self.0.iter().zip(&other.0).any(|(zones, more)| zones.meets(*more))
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().filter(|(_, zones)| !zones.is_none()).map(|(row, _)| row)
    }

    /// The same cards. Zones are added into which a card can move and stay the same card.
    pub(super) fn later(&self, facts: &Facts<'_>) -> Self {
        let zones_of = |zones: ZoneSet| {
            let begin = facts.program.zones.ids().filter(|zone| zones.has(*zone));
            begin.flat_map(|zone| facts.without_renewal(zone)).map(ZoneSet::of).collect()
        };
        Self(self.0.iter().map(|zones| zones_of(*zones)).collect())
    }
}

/// The place of an expression: what `this`, a register and a bound thing mean there.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    /// The cards that `this` may be. `None`: not known.
    pub(super) this: Option<Cards>,
    /// The statement that reads the expression. Registers are traced back from there.
    pub(super) at: Option<Pc>,
    /// For a lasting clause: the registers of the frame whose values are its first registers.
    pub(super) captures: Vec<Reg>,
    /// The sets that the binders around the expression go through, the outermost first.
    pub(super) binders: Vec<NodeId>,
}

/// The effects of a game and the places where they begin.
pub(super) struct Effects<'f, 'p> {
    pub(super) facts: &'f Facts<'p>,
    /// The first statement of each routine, in order.
    starts: Vec<(Pc, RoutineId)>,
    /// For the bodies of abilities: the cards that have the ability, and of options: the option's parameters.
    this_of: FxHashMap<RoutineId, Cards>,
    params: FxHashMap<RoutineId, &'p [OptionParam]>,
}

impl<'f, 'p> Effects<'f, 'p> {
    pub(super) fn new(facts: &'f Facts<'p>) -> Self {
        let program = facts.program;
        let mut starts: Vec<(Pc, RoutineId)> = program.routines.iter().map(|(id, routine)| (routine.start, id)).collect();
        starts.sort_unstable();
        let mut effects = Self { facts, starts, this_of: FxHashMap::default(), params: FxHashMap::default() };
        for verb in program.verbs.rows() {
            if let (Some(body), Some(option)) = (verb.body, verb.option.and_then(|option| program.options.get(option))) {
                effects.params.insert(body, &option.params);
            }
        }
        for (id, ability) in program.abilities.iter() {
            let cards = effects.having(id, false);
            let clauses = ability.clauses.iter().filter_map(|clause| program.clauses.get(*clause)?.kind.body());
            let mut bodies: Vec<RoutineId> = clauses.chain(ability.body).collect();
            while let Some(body) = bodies.pop() {
                if let Some(known) = effects.this_of.get_mut(&body) {
                    known.add(&cards);
                    continue;
                }
                effects.this_of.insert(body, cards.clone());
                bodies.extend(effects.ops(body).filter_map(|(_, op)| match *op {
                    Op::PutBy { body, .. } | Op::Finally { body, .. } => Some(body),
                    Op::Install { clause, .. } => program.clauses.get(clause)?.kind.body(),
                    _ => None,
                }));
            }
        }
        effects
    }

    /// The cards that have an ability: where the ability works, or in any zone.
    fn having(&self, id: AbilityId, where_it_works: bool) -> Cards {
        let program = self.facts.program;
        let mut cards = Cards::none(self.facts);
        let Some(ability) = program.abilities.get(id) else { return cards };
        let hearer = hearer(self.facts, id, ability)();
        for row in hearer.rows {
            let types = self.facts.rows.get(row).map_or(&[][..], Vec::as_slice);
            let works = Some(ability.zones_on(types)).filter(|zones| where_it_works && hearer.printed && !zones.is_all());
            cards.0.get_mut(row).into_iter().for_each(|known| *known = works.unwrap_or_else(|| self.every_zone()));
        }
        cards
    }

    fn every_zone(&self) -> ZoneSet {
        self.facts.program.zones.ids().map(ZoneSet::of).collect()
    }

    /// The statements of a routine.
    fn ops(&self, routine: RoutineId) -> impl Iterator<Item = (Pc, &'p Op)> + use<'p> {
        let program = self.facts.program;
        let start = program.routines.get(routine).map_or(Pc::NOWHERE, |routine| routine.start);
        let ops = program.code.rows().get(start.0 as usize..).unwrap_or_default();
        let end = ops.iter().position(|op| matches!(op, Op::End)).unwrap_or(ops.len());
        ops.iter().take(end).enumerate().map(move |(at, op)| (Pc(start.0 + at as u32), op))
    }

    /// The routine of a statement.
    fn routine(&self, at: Pc) -> Option<RoutineId> {
        let behind = self.starts.partition_point(|(start, _)| *start <= at);
        self.starts.get(behind.checked_sub(1)?).map(|(_, routine)| *routine)
    }

    /// The places where clauses begin to apply, with what is known there.
    pub(super) fn clauses(&self) -> Vec<(ClauseId, Around)> {
        let program = self.facts.program;
        let mut found = Vec::new();
        for (id, ability) in program.abilities.iter() {
            let this = self.having(id, true);
            found.extend(ability.clauses.iter().map(|clause| (*clause, Around { this: Some(this.clone()), ..Around::default() })));
        }
        found.extend(program.standing.iter().map(|(_, clause)| (*clause, Around::default())));
        for (pc, op) in program.code.iter() {
            let Op::Install { clause, .. } = *op else { continue };
            let captures = program.clauses.get(clause).map(|clause| clause.captures.clone()).unwrap_or_default();
            found.push((clause, Around { captures, ..self.around(pc) }));
        }
        found
    }

    /// What is known at a statement.
    pub(super) fn around(&self, at: Pc) -> Around {
        let this = self.routine(at).and_then(|routine| self.this_of.get(&routine)).cloned();
        Around { this, at: Some(at), ..Around::default() }
    }

    /// The cards that an expression may mean at a place. `None`: any.
    pub(super) fn cards(&self, node: NodeId, around: &Around) -> Option<Cards> {
        self.found(node, around, LINKS)
    }

    fn found(&self, node: NodeId, around: &Around, follow: u8) -> Option<Cards> {
        let program = self.facts.program;
        let inner = |node: NodeId| self.found(node, around, follow);
        match *program.nodes.get(node)? {
            Node::This => around.this.clone(),
            Node::Bound(at) => {
                let set = *around.binders.get(usize::from(at))?;
                let outside = Around { binders: around.binders.get(..usize::from(at))?.to_vec(), ..around.clone() };
                self.found(set, &outside, follow.checked_sub(1)?)
            }
            Node::Local(reg) => self.of_local(reg, around, follow.checked_sub(1)?),
            Node::Tallied(a, _) | Node::Only(a) | Node::End(_, a) | Node::Ends(_, a, _) | Node::Outer(_, a) | Node::Sorted(a, _) => {
                inner(a)
            }
            Node::Except(a, _) => inner(a),
            Node::Zone(zone, _) | Node::ZoneOfAll(zone) => Some(Cards(
                self.facts
                    .rows
                    .iter()
                    .map(|_| if program.zones.get(zone).is_some_and(|zone| zone.abilities) { ZoneSet::NONE } else { ZoneSet::of(zone) })
                    .collect(),
            )),
            Node::List(members) => {
                let mut all = Cards::none(self.facts);
                for member in program.args_of(members) {
                    all.add(&inner(*member)?);
                }
                Some(all)
            }
            Node::Union(a, b) | Node::Joined(a, b) => {
                let mut all = inner(a)?;
                all.add(&inner(b)?);
                Some(all)
            }
            Node::Where(set, condition) => {
                let set = inner(set);
                let mut left = Cards::none(self.facts);
                for row in 0..self.facts.rows.len() {
                    let zones = set.as_ref().map_or(self.every_zone(), |set| set.0.get(row).copied().unwrap_or_default());
                    for zone in program.zones.ids().filter(|zone| zones.has(*zone)) {
                        let mut reading = Reading::new(self.facts, Thing::Open, false);
                        let card = Thing::Card(Card { own: false, present: true, zone, row, now: None });
                        if reading.of_bound_at(around.binders.len(), card, condition) != Some(false) {
                            left.0.get_mut(row).into_iter().for_each(|zones| *zones |= ZoneSet::of(zone));
                        }
                    }
                }
                let all = |cards: &Cards| cards.0.iter().all(|zones| *zones == self.every_zone());
                (set.is_some() || !all(&left)).then_some(left)
            }
            _ => None,
        }
    }

    /// The cards that a register may hold at a place: what the statements of its routine put into it. The cards may have moved since.
    fn of_local(&self, reg: Reg, around: &Around, follow: u8) -> Option<Cards> {
        let at = around.at?;
        let reg = if around.captures.is_empty() { reg } else { *around.captures.get(usize::from(reg.0))? };
        let routine = self.routine(at)?;
        let outside = Around { captures: Vec::new(), binders: Vec::new(), ..around.clone() };
        let mut origins = Vec::new();
        let parameters = self.facts.program.routines.get(routine)?.parameters;
        if reg.0 < parameters {
            match self.params.get(&routine)?.get(usize::from(reg.0))? {
                OptionParam::In(domain) => origins.push(*domain),
                OptionParam::Default(_) => return None,
            }
        }
        // The nearest loop before the place that fills the register begins its scope. Other statements may fill it anywhere.
        let before: Vec<(Pc, &Op)> = self.ops(routine).take_while(|(pc, _)| *pc < at).collect();
        let fills = |op: &Op| matches!(*op, Op::Next { item, .. } | Op::ForkFor { item, .. } if item == reg);
        let begins = before.iter().rposition(|(_, op)| fills(op)).and_then(|at| before.get(at)).map(|(pc, _)| *pc);
        for (pc, op) in self.ops(routine).filter(|(pc, op)| Some(*pc) == begins || begins.is_none_or(|begin| *pc > begin) && !fills(op)) {
            origins.extend(put(self.facts.program, op, reg, || self.ops(routine).take_while(move |(before, _)| *before < pc))?);
        }
        let mut all = Cards::none(self.facts);
        for origin in &origins {
            all.add(&self.found(*origin, &outside, follow)?);
        }
        (!origins.is_empty()).then(|| all.later(self.facts))
    }
}

/// The expression whose value, or one of whose members, a statement puts into a register, if it writes this register. `None`: the statement
/// puts something else there.
fn put<'p, I: Iterator<Item = (Pc, &'p Op)>>(program: &Program, op: &Op, reg: Reg, ops: impl Fn() -> I) -> Option<Option<NodeId>> {
    match *op {
        Op::Let { to, value } if to == reg => Some(Some(value)),
        Op::LetSet { to, set } | Op::ForkFor { item: to, set, .. } if to == reg => Some(Some(set)),
        Op::Choose { choice, result } if result == reg => Some(Some(program.choices.get(choice)?.domain)),
        Op::Next { list, item, .. } if item == reg => {
            // The loop begins with the nearest statement before this one that fills the list.
            let begin = ops().filter_map(|(_, op)| match *op {
                Op::Iterate { list: of, set } if of == list => Some(set),
                _ => None,
            });
            begin.last().map(Some)
        }
        Op::Call { result: to, .. }
        | Op::Perform { result: to, .. }
        | Op::Builtin { result: to, .. }
        | Op::MoveTop { result: to, .. }
        | Op::Take { result: to, .. }
        | Op::Declare { to, .. }
        | Op::BeenHere { to }
        | Op::Announce { result: to, .. }
        | Op::WindowOpens { since: to }
        | Op::NoteTold { told: to, .. }
        | Op::HearAgain { result: to }
        | Op::CauseHere { to }
        | Op::Match { picked: to, .. }
        | Op::Iterate { list: to, .. }
            if to == reg =>
        {
            None
        }
        Op::Offer { taken, .. } if (taken.0..=taken.0 + 2).contains(&reg.0) => None,
        _ => Some(None),
    }
}

impl Compiler {
    /// The names of the card types of a combination, joined.
    pub(super) fn types_in_words(&self, types: &[u8]) -> String {
        let names = types.iter().filter_map(|of| self.program.card_types.get(usize::from(*of)));
        names.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// The types and zones of some cards, in words: `unit (hand, field)`.
    pub(super) fn in_words(&self, facts: &Facts<'_>, cards: &Cards) -> String {
        let program = &self.program;
        let zones_of = |zones: ZoneSet| {
            let named = program.zones.iter().filter(|(zone, _)| zones.has(*zone)).map(|(_, zone)| zone.name.name.as_str());
            named.collect::<Vec<_>>().join(", ")
        };
        let everywhere = |zones: ZoneSet| program.zones.ids().all(|zone| zones.has(zone));
        let one = |row: usize| {
            let zones = cards.0.get(row).copied().unwrap_or_default();
            let types = self.types_in_words(facts.rows.get(row).map_or(&[][..], Vec::as_slice));
            if everywhere(zones) { types } else { format!("{types} ({})", zones_of(zones)) }
        };
        cards.rows().map(one).collect::<Vec<_>>().join(", ")
    }
}
