//! Warns of abilities that work only in zones where they can do nothing: no card with the ability ever lies there, or the rules take abilities of
//! that kind from cards in other zones only.
//!
//! Cards lie where decks begin and where moves bring them. A zone that is given to an action or a procedure counts as reached by every card.

use super::super::Compiler;
use super::affected::{Cards, Effects};
use super::known::Facts;
use super::never_heard::hearer;
use super::places_of_nodes::Tree;
use super::starts_with_deck;
use super::unset::in_scenarios;
use engine::bits::ZoneSet;
use engine::ids::{KindId, NodeId, ZoneId};
use engine::program::{AbilityDef, Builtin, Node, Op, Program};
use lang::diagnostic::{Diagnostic, Sources};
use lang::syntax::ast::DeclKind;
use rustc_hash::{FxHashMap, FxHashSet};

impl Compiler {
    /// `E0346` at the first printed ability of each kind that works only where it can do nothing.
    pub(super) fn nowhere(&self, sources: &Sources) -> Vec<Diagnostic> {
        let program = &self.program;
        let facts = Facts::new(program);
        let effects = Effects::new(&facts);
        let tree = Tree::new(program);
        let elsewhere_said = self.under_readings(sources);
        let mut said = in_scenarios(sources);
        said.extend(&elsewhere_said);
        let reached = self.reached(&effects, &said);
        let taken =
            if elsewhere_said.contains("abilities") || said.contains("perform") { FxHashMap::default() } else { taken(&effects, &tree) };
        let mut told: FxHashSet<(KindId, ZoneSet)> = FxHashSet::default();
        let mut found = Vec::new();
        for ((id, ability), span) in program.abilities.iter().zip(self.map.abilities.iter()) {
            let hearer = hearer(&facts, id, ability)();
            if !hearer.printed || ability.zones.is_all() && ability.zones_of.is_empty() {
                continue;
            }
            let mut works = Cards::none(&facts);
            for row in hearer.rows {
                let types = facts.rows.get(row).map_or(&[][..], Vec::as_slice);
                works.0.get_mut(row).into_iter().for_each(|zones| *zones = ability.zones_on(types));
            }
            let elsewhere = if !works.meets(&reached) {
                Some(&reached)
            } else if is_taken(ability) {
                taken.get(&ability.kind).filter(|taken| !works.meets(taken))
            } else {
                None
            };
            let Some(elsewhere) = elsewhere.filter(|_| told.insert((ability.kind, ability.zones))) else { continue };
            let zones = |cards: &Cards| {
                let all = works.rows().filter_map(|row| cards.0.get(row)).copied().collect::<ZoneSet>();
                let named = program.zones.iter().filter(|(zone, _)| all.has(*zone)).map(|(_, zone)| zone.name.name.as_str());
                named.collect::<Vec<_>>().join("`, `")
            };
            let name = program.kinds.get(ability.kind).map_or("", |kind| kind.name.name.as_str());
            let finding = Diagnostic::error("E0346", *span).with("name", name).with("zones", zones(&works));
            let there = zones(elsewhere);
            found.push(if there.is_empty() { finding } else { finding.with(if elsewhere == &reached { "lie" } else { "taken" }, there) });
        }
        found
    }

    /// The zones that cards of each combination of types can reach. Scenarios lay cards into the zones that they name.
    fn reached(&self, effects: &Effects<'_, '_>, said: &FxHashSet<&str>) -> Cards {
        let program = &self.program;
        let mut reached = Cards::none(effects.facts);
        let everything = |reached: &mut Cards, zone: ZoneId| reached.0.iter_mut().for_each(|zones| *zones |= ZoneSet::of(zone));
        for decl in self.decls.iter() {
            if let DeclKind::Zone(head, properties) = &decl.kind
                && starts_with_deck(properties)
                && let Some(zone) = self.symbols.zones.id::<ZoneId>(&head.name.text)
            {
                everything(&mut reached, zone);
            }
        }
        let named =
            program.zones.iter().filter(|(_, zone)| said.contains(zone.name.name.as_str()) || said.contains(zone.name.label.as_str()));
        named.for_each(|(zone, _)| everything(&mut reached, zone));
        program.deck_zone.into_iter().for_each(|zone| everything(&mut reached, zone));
        // The zones to which a move with known cards goes. All other mentions of a zone as a place count for every card.
        let mut known: FxHashSet<NodeId> = FxHashSet::default();
        for (pc, op) in program.code.iter() {
            let (what, to) = match *op {
                Op::MoveTop { from, to, .. } => (from, to),
                Op::Builtin { verb: Builtin::Move, args, .. } => match program.args_of(args) {
                    [what, to, ..] => (*what, *to),
                    _ => continue,
                },
                _ => continue,
            };
            let Some(Node::Zone(zone, _)) = program.nodes.get(to) else { continue };
            if let Some(cards) = effects.cards(what, &effects.around(pc)) {
                known.insert(to);
                for row in cards.rows() {
                    reached.0.get_mut(row).into_iter().for_each(|zones| *zones |= ZoneSet::of(*zone));
                }
            }
        }
        let read = read_as_sets(program);
        for (id, node) in program.nodes.iter() {
            if let Node::Zone(zone, _) = node
                && !known.contains(&id)
                && !read.contains(&id)
            {
                everything(&mut reached, *zone);
            }
        }
        reached
    }
}

/// The zones that an expression or a statement only goes through, as a set of cards.
fn read_as_sets(program: &Program) -> FxHashSet<NodeId> {
    let mut read: FxHashSet<NodeId> = FxHashSet::default();
    for node in program.nodes.rows() {
        match *node {
            Node::Count(a) | Node::IsEmpty(a) | Node::Only(a) | Node::End(_, a) | Node::Outer(_, a) => _ = read.insert(a),
            Node::Ends(_, a, _) | Node::Sorted(a, _) | Node::Distinct(a, _) | Node::Fold(_, a, _) => _ = read.insert(a),
            Node::Where(a, _) | Node::Some(a, _) | Node::All(a, _) | Node::In(_, a) => _ = read.insert(a),
            Node::Union(a, b) | Node::Joined(a, b) | Node::Except(a, b) => read.extend([a, b]),
            _ => {}
        }
    }
    for op in program.code.rows() {
        match *op {
            Op::Iterate { set, .. } | Op::ForkFor { set, .. } | Op::LetSet { set, .. } => _ = read.insert(set),
            Op::Demand { zone, .. } => _ = read.insert(zone),
            Op::MoveTop { from, .. } => _ = read.insert(from),
            Op::Builtin { verb: Builtin::Move | Builtin::Shuffle | Builtin::Reveal | Builtin::Look, args, .. } => {
                read.extend(program.args_of(args).first());
            }
            Op::Choose { choice, .. } => read.extend(program.choices.get(choice).map(|choice| choice.domain)),
            _ => {}
        }
    }
    read
}

/// Whether the ability only acts when the rules take it from a card and perform it.
fn is_taken(ability: &AbilityDef) -> bool {
    ability.body.is_some() && ability.clauses.is_empty() && !ability.of_type
}

/// For each kind: the cards from which the rules take abilities that may be of this kind. A kind is left out if such cards are not known.
fn taken(effects: &Effects<'_, '_>, tree: &Tree<'_>) -> FxHashMap<KindId, Cards> {
    let program = effects.facts.program;
    let anywhere = |op: &Op| matches!(*op, Op::Announce { args, .. } if program.args_of(args).get(3).is_some_and(|anywhere| *anywhere != NodeId::NONE));
    let mut found = FxHashMap::default();
    if program.code.rows().iter().any(anywhere) {
        return found;
    }
    let sites: Vec<(NodeId, Option<Cards>)> = program
        .nodes
        .iter()
        .filter_map(|(id, node)| match *node {
            Node::Abilities(card) | Node::AbilitiesOfAll(card) => Some((id, tree.cards(effects, card))),
            _ => None,
        })
        .collect();
    let conditions: FxHashMap<NodeId, NodeId> = program
        .nodes
        .rows()
        .iter()
        .filter_map(|node| if let Node::Where(set, condition) = *node { Some((set, condition)) } else { None })
        .collect();
    for kind in program.kinds.ids() {
        let mut all = Some(Cards::none(effects.facts));
        let mut any = false;
        for (site, cards) in &sites {
            if conditions.get(site).is_some_and(|condition| wants_another(program, *condition, kind)) {
                continue;
            }
            any = true;
            all = match (all, cards) {
                (Some(mut all), Some(cards)) => {
                    all.add(cards);
                    Some(all)
                }
                _ => None,
            };
        }
        found.extend(all.filter(|_| any).map(|all| (kind, all)));
    }
    found
}

/// Whether a condition is false of abilities of a kind.
fn wants_another(program: &Program, condition: NodeId, kind: KindId) -> bool {
    match program.nodes.get(condition) {
        Some(Node::IsKind(_, wanted)) => *wanted != kind,
        Some(Node::And(a, b)) => wants_another(program, *a, kind) || wants_another(program, *b, kind),
        Some(Node::Or(a, b)) => wants_another(program, *a, kind) && wants_another(program, *b, kind),
        Some(Node::Tallied(a, _)) => wants_another(program, *a, kind),
        Some(Node::With { body, .. }) => wants_another(program, *body, kind),
        _ => false,
    }
}
