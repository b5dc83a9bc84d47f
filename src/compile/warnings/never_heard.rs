//! Warns of abilities that can never act: no event can satisfy their pattern, or their condition is never true.
//!
//! A move is heard by abilities that work after it, unless the ability or the game says `looks: before`. An action is heard when its body has
//! ended. If the body has moved the card, the card is a new object by then. So what is known of the cards of an event (their identity before
//! and after, their zones, their types) may contradict the pattern. `ways.rs` tries every way in which the event can happen. A pattern that no
//! way satisfies is a finding. What depends on the game counts as possible.

use super::super::Compiler;
use super::known::{Because, Card, Facts, Reading, Thing};
use super::ways::{Hearer, Ways};
use crate::listing::expression_in_words;
use engine::ids::{AbilityId, ClauseId, Id, NodeId, PatternId, Reg};
use engine::program::{AbilityDef, ArgMatch, ClauseKind, EventDef, Node, PatternDef, Program};
use lang::diagnostic::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// The part of a pattern that no way satisfies together with the parts before it.
struct Impossible {
    /// The part, in words.
    part: String,
    /// Whether the part asks for the card of the ability itself.
    own: bool,
    because: Because,
}

impl Compiler {
    /// `E0393` at each ability that waits for an event of its own card and never hears of it. `E0399` at each other ability whose pattern no
    /// event satisfies, or whose condition is never true.
    pub(super) fn never_heard(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let facts = Facts::new(program);
        let mut found = Vec::new();
        let mut of_abilities: FxHashSet<ClauseId> = FxHashSet::default();
        for ((id, ability), span) in program.abilities.iter().zip(self.map.abilities.iter()) {
            of_abilities.extend(&ability.clauses);
            let hearer = hearer(&facts, id, ability);
            found.extend(ability.clauses.iter().filter_map(|clause| self.never(&facts, *clause, hearer(), *span)));
        }
        for clause in program.clauses.ids().filter(|clause| !of_abilities.contains(clause)) {
            let hearer = Hearer { ability: None, printed: false, rows: Vec::new(), ahead: false };
            found.extend(self.map.clause(clause).and_then(|span| self.never(&facts, clause, hearer, span)));
        }
        found
    }

    /// The abilities of which no clause can ever act, if they have nothing else to do.
    #[must_use]
    pub fn impossible(&self) -> Vec<AbilityId> {
        let facts = Facts::new(&self.program);
        let never = |(id, ability): &(AbilityId, &AbilityDef)| {
            let hearer = hearer(&facts, *id, ability);
            let mut clauses = ability.clauses.iter();
            ability.body.is_none()
                && !ability.clauses.is_empty()
                && clauses.all(|clause| self.never(&facts, *clause, hearer(), Span::default()).is_some())
        };
        self.program.abilities.iter().filter(never).map(|(id, _)| id).collect()
    }

    /// The finding about a clause that never acts.
    fn never(&self, facts: &Facts<'_>, clause: ClauseId, hearer: Hearer<'_>, span: Span) -> Option<Diagnostic> {
        let def = facts.program.clauses.get(clause)?;
        let condition = |condition: NodeId| Some((self.never_true(facts, &hearer, condition)?, ""));
        let impossible = condition(def.condition).or_else(|| match def.kind {
            ClauseKind::When { pattern, .. } => self.no_event(facts, &hearer, pattern),
            ClauseKind::Forbid(pattern) | ClauseKind::Instead { pattern, .. } => {
                self.no_event(facts, &Hearer { ahead: true, rows: hearer.rows.clone(), ..hearer }, pattern)
            }
            ClauseKind::Whenever { condition: whenever, .. } => condition(whenever),
            _ => None,
        });
        let (Impossible { part, own, because }, verb) = impossible?;
        if own && matches!(def.kind, ClauseKind::When { .. }) {
            return Some(Diagnostic::error("E0393", span).with("name", verb).with("open", "{").with("close", "}"));
        }
        let mut finding = Diagnostic::error("E0399", span).with("part", part);
        for (fact, is) in [("life", because.life), ("zone", because.zone), ("types", because.types), ("own", because.other)] {
            if is {
                finding = finding.with(fact, "");
            }
        }
        Some(finding)
    }

    /// The first part of a pattern that cannot be true, if no event can satisfy the pattern; and the verb.
    fn no_event(&self, facts: &Facts<'_>, hearer: &Hearer<'_>, id: PatternId) -> Option<(Impossible, &str)> {
        let program = &self.program;
        let pattern = program.patterns.get(id)?;
        let bound = self.symbols.bound.get(id.index()).map_or(&[][..], Vec::as_slice);
        let bound: Vec<&str> = bound.iter().map(|(name, _)| name.as_str()).collect();
        let mut first = None;
        for event in &pattern.events {
            let impossible = self.no_way(facts, hearer, (pattern, &bound), event)?;
            let verb = program.verbs.get(event.verb).map_or("", |verb| verb.name.name.as_str());
            first = first.or(Some((impossible, verb)));
        }
        first
    }

    /// The first part that cannot be true, if no way of this event satisfies all parts. None if some way does.
    fn no_way(
        &self,
        facts: &Facts<'_>,
        hearer: &Hearer<'_>,
        (pattern, bound): (&PatternDef, &[&str]),
        event: &EventDef,
    ) -> Option<Impossible> {
        let program = &self.program;
        let in_words = |node| expression_in_words(program, node, pattern.first, bound);
        let signature = self.symbols.signature(event.verb);
        let mut conditions = Vec::new();
        parts_of(program, pattern.condition, &mut conditions);
        let tried = |args: usize, parts: usize| {
            let (args, conditions) = (event.args.get(..args)?, conditions.get(..parts)?);
            let because = Because::default();
            let mut ways = Ways { facts, hearer, pattern, event, signature: &signature, args, conditions, because, tried: 0 };
            Some((ways.any(), ways.because))
        };
        if tried(event.args.len(), conditions.len())?.0 || !tried(0, 0)?.0 {
            return None;
        }
        let names = program.verbs.get(event.verb).map(|verb| verb.parameters.as_slice()).unwrap_or_default();
        for (at, (index, wanted)) in event.args.iter().enumerate() {
            if let (false, because) = tried(at + 1, 0)? {
                let (node, own) = match wanted {
                    ArgMatch::Is(node) | ArgMatch::All(_, node) => (*node, is_this(program, *node)),
                    _ => (NodeId::NONE, false),
                };
                let name = names.get(usize::from(*index)).map_or("", String::as_str);
                return Some(Impossible { part: format!("{name}: {}", in_words(node)), own, because });
            }
        }
        for (at, condition) in conditions.iter().enumerate() {
            if let (false, because) = tried(event.args.len(), at + 1)? {
                // A condition that says nothing of a card is meant: a reading, `false`.
                if because == Because::default() {
                    return None;
                }
                return Some(Impossible { part: in_words(*condition), own: false, because });
            }
        }
        None
    }

    /// The first part of a condition of a static ability that is never true where the ability works.
    fn never_true(&self, facts: &Facts<'_>, hearer: &Hearer<'_>, condition: NodeId) -> Option<Impossible> {
        let program = &self.program;
        let ability = hearer.ability.filter(|_| condition != NodeId::NONE && hearer.printed)?;
        let mut parts = Vec::new();
        parts_of(program, condition, &mut parts);
        let works = |row: usize| facts.rows.get(row).map_or(engine::bits::ZoneSet::NONE, |types| ability.zones_on(types));
        let own_cards: Vec<Card> = hearer
            .rows
            .iter()
            .flat_map(|row| program.zones.ids().filter(|zone| works(*row).has(*zone)).map(|zone| (*row, zone)))
            .map(|(row, zone)| Card { own: true, present: true, zone, row, now: None })
            .collect();
        parts.into_iter().find_map(|part| {
            let mut because = Because::default();
            let never = own_cards.iter().all(|own_card| {
                let mut reading = Reading::new(facts, Thing::Card(*own_card), false);
                let never = reading.truth(part) == Some(false);
                because = because.or(reading.because);
                never
            });
            // A condition that says nothing of the card is meant (`while false`).
            let known = never && because != Because::default();
            known.then(|| Impossible { part: expression_in_words(program, part, Reg(0), &[]), own: false, because })
        })
    }
}

/// The ability as a hearer, for each of its clauses.
pub(super) fn hearer<'p>(facts: &Facts<'_>, id: AbilityId, ability: &'p AbilityDef) -> impl Fn() -> Hearer<'p> {
    let is_its = |(first, count): (AbilityId, u16)| (first.index()..first.index() + usize::from(count)).contains(&id.index());
    let cards = facts.program.cards.rows().iter().filter(|card| is_its(card.abilities));
    let mut rows: Vec<usize> = cards.filter_map(|card| facts.row_of(&card.types)).collect();
    rows.sort_unstable();
    rows.dedup();
    let printed = !rows.is_empty();
    if !printed {
        rows = (0..facts.rows.len()).collect();
    }
    move || Hearer { ability: Some(ability), printed, rows: rows.clone(), ahead: false }
}

/// The parts of a condition that must all be true.
fn parts_of(program: &Program, condition: NodeId, parts: &mut Vec<NodeId>) {
    match program.nodes.get(condition) {
        None => {}
        Some(Node::And(a, b)) => {
            parts_of(program, *a, parts);
            parts_of(program, *b, parts);
        }
        Some(Node::Tallied(a, _)) if matches!(program.nodes.get(*a), Some(Node::And(..))) => parts_of(program, *a, parts),
        Some(_) => parts.push(condition),
    }
}

/// Whether a node is `this` alone, also as a set.
fn is_this(program: &Program, node: NodeId) -> bool {
    match program.nodes.get(node) {
        Some(Node::This) => true,
        Some(Node::List(run)) => matches!(program.args_of(*run), [one] if is_this(program, *one)),
        _ => false,
    }
}
