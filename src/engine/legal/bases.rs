//! Keeps the base sets of options from one offer to the next. Between two offers little changes, and most base sets read none of it.
//!
//! The parts of the state from which a base set is read are known before a game ([`BaseReads`]): places, states, and fields and abilities
//! as effects change them. A base set is found again only in two cases: one of its parts has another version ([`Versions`]), or effects do
//! something else to it since the last comparison ([`KeptBases::compare`]). Debug builds find every base set anew and compare. Nothing here
//! is part of a game: versions and values are compared, so it does not matter how a state has come about.
//!
//! Conditions of options are not kept; they are evaluated each time. `source.rs` uses the members.

use crate::bits::{PlaceSet, StateSet};
use crate::ids::{FactId, FieldId, Id, NodeId, OptionId, VerbId, ZoneId};
use crate::program::{ClauseKind, Node, OptionDef, OwnRead, Program, Type, children};
use crate::state::board::{Versions, place_of};
use crate::state::{Effects, MOST_ARGUMENTS, Part, State};
use crate::value::{Player, Value};
use rustc_hash::FxHashMap;

/// What an option's base sets read. (They also read who may see what.)
#[derive(Clone, Debug, Default)]
pub struct BaseReads {
    /// The states of cards and players.
    states: StateSet,
    /// The fields, as effects change them.
    fields: Vec<FieldId>,
    /// The places whose cards are read.
    places: PlaceSet,
    /// Whether the abilities of cards are read.
    abilities: bool,
    /// Whether controllers of cards are read.
    controllers: bool,
    /// The actions of which is asked whether an effect permits them.
    permits: Vec<VerbId>,
    /// The facts of which is asked whether an effect assumes them.
    facts: Vec<FactId>,
}

/// The places of a declared zone.
fn places_of(program: &Program, zone: ZoneId) -> PlaceSet {
    (0..program.players).map(|player| PlaceSet::of(place_of(program, zone, Player(player)))).collect()
}

impl BaseReads {
    /// Looks through the base sets of an option. `None` if they read something that is not compared.
    #[must_use]
    pub(crate) fn new(program: &Program, def: &OptionDef) -> Option<Self> {
        let mut reads = Self::default();
        let all = def.bases.apart && def.bases.sets.iter().all(|set| *set == NodeId::NONE || reads.note(program, *set).is_some());
        all.then_some(reads)
    }

    /// Notes what an expression reads. `None` if it reads something that is not compared.
    fn note(&mut self, program: &Program, id: NodeId) -> Option<()> {
        let node = program.nodes.get(id)?;
        match node.own_read() {
            OwnRead::Nothing | OwnRead::Place | OwnRead::Identity => {}
            OwnRead::Lying if matches!(node, Node::FaceUp(_)) => {}
            OwnRead::Frame if !matches!(node, Node::Done | Node::PartlyDone) => {}
            OwnRead::Zone(zone) => self.places |= places_of(program, zone),
            OwnRead::Field(field) => self.note_field(program, field)?,
            OwnRead::Types => program.type_field.map_or(Some(()), |field| self.note_field(program, field))?,
            OwnRead::Abilities => self.abilities = true,
            OwnRead::Control => self.controllers = true,
            OwnRead::Permits(verb) => self.permits.push(verb),
            OwnRead::Assumes(fact) => self.facts.push(fact),
            OwnRead::State(state) => {
                self.states |= StateSet::of(state);
                // The cards that the state names may lie anywhere.
                if !program.states.get(state).is_some_and(|def| names_no_card(def.of)) {
                    self.places = PlaceSet::ALL;
                }
            }
            _ => return None,
        }
        let mut all = Some(());
        children(node, program, &mut |child| all = all.and_then(|()| self.note(program, child)));
        all
    }

    fn note_field(&mut self, program: &Program, field: FieldId) -> Option<()> {
        if self.fields.contains(&field) {
            return Some(());
        }
        self.fields.push(field);
        let derived = program.fields.get(field)?.derived;
        derived.map_or(Some(()), |derived| self.note(program, derived))
    }

    /// Whether everything that these base sets read is compared in this state. Three kinds of effects are not compared: effects whose cards
    /// are found only when they are read, effects that permit an action, and effects that assume a fact.
    #[must_use]
    pub(crate) fn is_compared(&self, program: &Program, state: &State) -> bool {
        let effects = &state.effects;
        (effects.supposed, effects.shielding) == (0, 0)
            && (!self.controllers || state.owners_control(program))
            && !self.is_granted_by_an_effect(program, effects)
            && (!self.reads_the_row() || self.is_row_compared(program, state))
    }

    /// Whether these base sets read something that the row of effects may change.
    fn reads_the_row(&self) -> bool {
        self.abilities || !self.fields.is_empty()
    }

    /// Whether the row of effects says everything about the fields and abilities that these base sets read.
    fn is_row_compared(&self, program: &Program, state: &State) -> bool {
        let effects = &state.effects;
        let in_row = !program.layers.is_empty() || self.no_effect_reaches(state);
        let read = |part: &Part| part.field.map_or(self.abilities, |field| self.fields.contains(&field));
        in_row && !effects.order.iter().any(|part| part.volatile && read(part))
    }

    /// Whether some effect in force permits an action, or assumes a fact, about which these base sets ask.
    fn is_granted_by_an_effect(&self, program: &Program, effects: &Effects) -> bool {
        let asks = !self.permits.is_empty() || !self.facts.is_empty() && effects.assuming > 0;
        let grants = |clause| match program.clauses.get(clause).map(|clause| &clause.kind) {
            Some(ClauseKind::Permit(pattern)) => {
                let events = program.patterns.get(*pattern).map_or(&[][..], |pattern| &pattern.events);
                events.iter().any(|event| self.permits.contains(&event.verb))
            }
            Some(ClauseKind::Assume { fact, .. }) => self.facts.contains(fact),
            _ => false,
        };
        asks && effects.in_force.iter().any(|effect| grants(effect.clause))
    }

    /// Whether no effect in force changes something that these base sets read.
    fn no_effect_reaches(&self, state: &State) -> bool {
        let effects = &state.effects;
        let abilities = u32::from(effects.stripping) + u32::from(effects.disabling) + u32::from(effects.granting);
        effects.in_force.is_empty() || !effects.modifies_any(&self.fields) && (!self.abilities || abilities == 0)
    }
}

/// Whether values of a type never lead to a card in the game.
fn names_no_card(of: Type) -> bool {
    matches!(of, Type::Bool | Type::Number | Type::Player | Type::Enum(_) | Type::Symbol | Type::Text | Type::CatalogueCard)
}

/// Whether everything that an expression reads is compared from offer to offer. Then its value stays right until something of that changes.
#[must_use]
pub fn reads_what_is_compared(program: &Program, node: NodeId) -> bool {
    BaseReads::default().note(program, node).is_some()
}

/// For every option: what its base sets read.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllBaseReads {
    /// By option. `None` if the base sets read something that is not compared.
    of: Vec<Option<BaseReads>>,
}

impl AllBaseReads {
    /// Looks through all options of a program.
    #[must_use]
    pub(crate) fn new(program: &Program) -> Self {
        AllBaseReads { of: program.options.rows().iter().map(|option| BaseReads::new(program, option)).collect() }
    }

    /// What the base sets of this option read. `None` if they read something that is not compared.
    #[must_use]
    pub(crate) fn of(&self, option: OptionId) -> Option<&BaseReads> {
        self.of.get(option.index())?.as_ref()
    }
}

/// The base sets of an option for a player.
#[derive(Debug)]
struct Kept {
    /// The number of the offer at which they were found.
    at: u64,
    /// The versions of the board's parts at that time.
    versions: Versions,
    /// The number of members of each base set.
    lens: [u32; MOST_ARGUMENTS],
    /// The members of all base sets, one set after the other.
    members: Vec<Value>,
}

/// The base sets that were found, and the state of effects at the last comparison.
#[derive(Debug, Default)]
pub struct KeptBases {
    /// Goes up with every offer.
    now: u64,
    /// The number of the offer at which effects were compared last.
    compared: u64,
    /// For each field: the number of the offer at which its changes by effects last became different.
    field_changed: Vec<u64>,
    /// The number of the offer at which effects last gave, took or disabled other abilities.
    abilities_changed: u64,
    order: Vec<Part>,
    kept: FxHashMap<(Player, OptionId), Kept>,
}

impl KeptBases {
    /// Called at the beginning of an offer. The state may have changed since the last one.
    pub(crate) fn begin_offer(&mut self) {
        self.now += 1;
    }

    /// Finds out which effects do something else than at the last comparison. This is done once in an offer, and only if an option asks.
    pub fn compare(&mut self, program: &Program, state: &State) {
        if self.compared != self.now {
            self.compared = self.now;
            self.compare_effects(program, &state.effects);
        }
    }

    /// Notes the fields that effects now change in another way, and whether effects now do something else to abilities.
    fn compare_effects(&mut self, program: &Program, effects: &Effects) {
        self.field_changed.resize(program.fields.len(), 0);
        let (then, now) = (&self.order, &effects.order);
        let before = then.iter().zip(now).take_while(|(then, now)| then == now).count();
        if before == then.len() && before == now.len() {
            return;
        }
        let (then, now) = (then.get(before..).unwrap_or(&[]), now.get(before..).unwrap_or(&[]));
        let behind = then.iter().rev().zip(now.iter().rev()).take_while(|(then, now)| then == now).count();
        let middle = |parts: &'_ [Part]| parts.len() - behind;
        for part in then.iter().take(middle(then)).chain(now.iter().take(middle(now))) {
            let changed = part.field.map_or(Some(&mut self.abilities_changed), |field| self.field_changed.get_mut(field.index()));
            if let Some(changed) = changed {
                *changed = self.now;
            }
        }
        self.order.clone_from(&effects.order);
    }

    /// The kept base sets of an option for a player: the number of members of each, and the members. `None` if something that they read has
    /// changed.
    #[must_use]
    pub fn find(
        &self,
        (player, option): (Player, OptionId),
        reads: &BaseReads,
        now: &Versions,
    ) -> Option<([u32; MOST_ARGUMENTS], &[Value])> {
        let kept = self.kept.get(&(player, option))?;
        let same = kept.versions.sight == now.sight && kept.versions.are_same(now, reads.places, reads.states);
        (same && self.effects_changed(reads) <= kept.at).then_some((kept.lens, &kept.members))
    }

    /// The number of the offer at which effects last changed something that these base sets read.
    fn effects_changed(&self, reads: &BaseReads) -> u64 {
        let fields = reads.fields.iter().filter_map(|id| self.field_changed.get(id.index()));
        let abilities = if reads.abilities { self.abilities_changed } else { 0 };
        fields.copied().fold(abilities, u64::max)
    }

    /// Keeps base sets. They were found in the state in which effects were compared last.
    pub fn keep(&mut self, key: (Player, OptionId), versions: &Versions, (lens, members): ([u32; MOST_ARGUMENTS], &[Value])) {
        let empty = || Kept { at: 0, versions: *versions, lens, members: Vec::new() };
        let kept = self.kept.entry(key).or_insert_with(empty);
        (kept.at, kept.versions, kept.lens) = (self.now, *versions, lens);
        kept.members.clear();
        kept.members.extend_from_slice(members);
    }
}
