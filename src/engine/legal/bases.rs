//! Keeps base sets of options: between two offers little changes, and most base sets read none of it.
//!
//! The parts of the state from which a base set is read are known before a game ([`BaseReads`]). When an offer asks for the base sets of an
//! option, these parts are compared with their state at the last comparison ([`KeptBases::compare`]). A base set is found again only if one
//! of its parts has changed. A part of the board with an unchanged version is not compared ([`Versions`]). Debug builds find every base set
//! anew and compare. Nothing here is part of a game: versions and values are compared, so it does not matter how a state has come about.
//!
//! Conditions of options are looked at each time. `source.rs` uses the members.

use crate::engine::ids::{FieldId, Id, NodeId, OptionId, StateId, ZoneId};
use crate::engine::program::{Node, OptionDef, Program, Type};
use crate::engine::state::board::{Board, Extra, Object, Span, Versions, zone_of};
use crate::engine::state::untouched::Untouched;
use crate::engine::state::{Effects, MOST_ARGUMENTS, Part, Shown, State};
use crate::engine::value::{ObjectId, Place, Player, Value};
use rustc_hash::FxHashMap;

/// What an option's base sets read. (They also read who may see what.)
#[derive(Clone, Debug, Default)]
pub struct BaseReads {
    /// States of cards and players.
    states: Vec<StateId>,
    /// Fields, as effects change them.
    fields: Vec<FieldId>,
    /// Which cards lie in these declared zones, and how: a bit each, by [`zone_bit`].
    zones: u64,
    /// Which abilities cards have.
    abilities: bool,
    /// Who controls a card.
    controllers: bool,
}

/// A declared zone's bit. Zones that share a bit are taken for one, which only costs a look.
fn zone_bit(zone: ZoneId) -> u64 {
    1 << (zone.index() % 64)
}

impl BaseReads {
    /// Looks through the base sets of an option; none where they read something that is not compared.
    #[must_use]
    pub fn new(program: &Program, def: &OptionDef) -> Option<Self> {
        let mut reads = Self::default();
        let all = def.bases.apart && def.bases.sets.iter().all(|set| *set == NodeId::NONE || reads.note(program, *set).is_some());
        all.then_some(reads)
    }

    fn note_all(&mut self, program: &Program, nodes: &[NodeId]) -> Option<()> {
        nodes.iter().try_for_each(|node| self.note(program, *node))
    }

    fn note(&mut self, program: &Program, node: NodeId) -> Option<()> {
        match *program.nodes.get(node)? {
            Node::Const(_) | Node::Local(_) | Node::Bound(_) | Node::You | Node::This | Node::Players => Some(()),
            Node::EnumValues(_) | Node::Catalogue => Some(()),
            Node::ZoneOfAll(zone) | Node::Zone(zone, NodeId::NONE) => {
                self.zones |= zone_bit(zone);
                Some(())
            }
            Node::Zone(zone, a) => {
                self.zones |= zone_bit(zone);
                self.note(program, a)
            }
            Node::Not(a)
            | Node::Negate(a)
            | Node::Opponent(a)
            | Node::NextPlayer(a)
            | Node::Opponents(a)
            | Node::Team(a)
            | Node::Captain(a) => self.note(program, a),
            Node::Count(a) | Node::IsEmpty(a) | Node::Only(a) | Node::Exists(a) | Node::End(_, a) | Node::Outer(_, a) => {
                self.note(program, a)
            }
            Node::Owner(a) | Node::ZoneOf(a) | Node::FaceUp(a) | Node::CardOf(a) | Node::IsCard(a, _) | Node::IsKind(a, _) => {
                self.note(program, a)
            }
            Node::And(a, b) | Node::Or(a, b) | Node::Arithmetic(_, a, b) | Node::Compare(_, a, b) | Node::In(a, b) => {
                self.note_all(program, &[a, b])
            }
            Node::Least(a, b) | Node::Greatest(a, b) | Node::TextContains(a, b) | Node::Ends(_, a, b) | Node::Range(a, b) => {
                self.note_all(program, &[a, b])
            }
            Node::Where(a, b) | Node::Except(a, b) | Node::Union(a, b) => self.note_all(program, &[a, b]),
            Node::Some(set, condition) | Node::All(set, condition) => {
                self.note(program, set)?;
                if condition == NodeId::NONE { Some(()) } else { self.note(program, condition) }
            }
            Node::With { value, body } => self.note_all(program, &[value, body]),
            Node::If(condition, args) => {
                self.note(program, condition)?;
                self.note_all(program, program.args_of(args))
            }
            Node::List(args) => self.note_all(program, program.args_of(args)),
            Node::Field(a, field) | Node::Printed(a, field) => self.note_field(program, a, field),
            Node::FieldHas(a, field, what) => {
                self.note(program, what)?;
                self.note_field(program, a, field)
            }
            Node::IsType(a, _) => match program.type_field {
                Some(field) => self.note_field(program, a, field),
                None => self.note(program, a),
            },
            Node::Abilities(a) | Node::AbilitiesOfAll(a) | Node::HasKeyword(a, _) => {
                self.abilities = true;
                self.note(program, a)
            }
            Node::Controller(a) => {
                self.controllers = true;
                self.note(program, a)
            }
            Node::State(a, state) => {
                if !self.states.contains(&state) {
                    self.states.push(state);
                }
                // What it names may lie anywhere.
                if !program.states.get(state).is_some_and(|def| names_no_card(def.of)) {
                    self.zones = u64::MAX;
                }
                self.note(program, a)
            }
            _ => None,
        }
    }

    fn note_field(&mut self, program: &Program, of: NodeId, field: FieldId) -> Option<()> {
        self.note(program, of)?;
        if self.fields.contains(&field) {
            return Some(());
        }
        self.fields.push(field);
        let derived = program.fields.get(field)?.derived;
        derived.map_or(Some(()), |derived| self.note(program, derived))
    }

    /// Whether what is read is all compared in this state: effects whose reach is worked out where it is read are not.
    #[must_use]
    pub fn is_compared(&self, program: &Program, state: &State) -> bool {
        let effects = &state.effects;
        let in_row = !program.layers.is_empty() || self.no_effect_reaches(state);
        let read = |part: &Part| part.field.is_none_or(|field| self.fields.contains(&field));
        in_row
            && effects.late.touched().is_none()
            && (effects.supposed, effects.shielding) == (0, 0)
            && (!self.controllers || state.owners_control(program))
            && !effects.order.iter().any(|part| part.volatile && read(part))
    }

    /// Whether no effect in force changes what is read.
    fn no_effect_reaches(&self, state: &State) -> bool {
        let effects = &state.effects;
        let abilities = u32::from(effects.stripping) + u32::from(effects.disabling) + u32::from(effects.granting);
        effects.in_force.is_empty() || !effects.modifies_any(&self.fields) && (!self.abilities || abilities == 0)
    }
}

/// Whether values of a type lead to no card in the game.
fn names_no_card(of: Type) -> bool {
    matches!(of, Type::Bool | Type::Number | Type::Player | Type::Enum(_) | Type::Symbol | Type::Text | Type::CatalogueCard)
}

/// Whether all that an expression reads is compared from offer to offer: then what it gave is known until something of that changes.
#[must_use]
pub fn reads_what_is_compared(program: &Program, node: NodeId) -> bool {
    BaseReads::default().note(program, node).is_some()
}

/// For all options what their base sets are read from.
#[derive(Clone, Debug, Default)]
pub struct AllBaseReads {
    /// By option; none where the base sets read something that is not compared.
    of: Vec<Option<BaseReads>>,
}

impl AllBaseReads {
    /// Those of a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        AllBaseReads { of: program.options.rows().iter().map(|option| BaseReads::new(program, option)).collect() }
    }

    /// What the base sets of this option read.
    #[must_use]
    pub fn of(&self, option: OptionId) -> Option<&BaseReads> {
        self.of.get(option.index())?.as_ref()
    }
}

/// The base sets of an option for a player.
#[derive(Debug)]
struct Kept {
    /// When they were found.
    at: u64,
    /// How many members each has.
    lens: [u32; MOST_ARGUMENTS],
    /// The members of all of them.
    members: Vec<Value>,
}

/// Base sets that were found, and what the state was like when each part of it was compared last.
#[derive(Debug, Default)]
pub struct KeptBases {
    /// Goes up with every offer.
    now: u64,
    /// At which offer the state was compared last.
    compared: u64,
    /// The versions of the board's parts when it was compared last.
    versions: Versions,
    /// When players last saw or decided something else than now.
    sight_changed: u64,
    /// For each bit of zones when other cards last lay there, or in another way.
    zone_changed: Vec<u64>,
    /// For each field when other effects last changed it, or they changed it on other cards.
    field_changed: Vec<u64>,
    /// When effects last gave, took or disabled other abilities.
    abilities_changed: u64,
    /// For each state when it was last another.
    state_changed: Vec<u64>,
    objects: Vec<Object>,
    zones: Vec<Span>,
    slab: Vec<ObjectId>,
    extras: Vec<Extra>,
    deciders: Vec<Player>,
    memory: Vec<u8>,
    overseen: Vec<(ObjectId, Player)>,
    held: Vec<(ObjectId, Player, u32)>,
    revealed: Vec<Shown>,
    shown_while: Vec<Shown>,
    order: Vec<Part>,
    card_states: Vec<Value>,
    /// Of which cards all states that were compared last were as at first.
    untouched: Untouched,
    player_states: Vec<Value>,
    kept: FxHashMap<(Player, OptionId), Kept>,
}

impl KeptBases {
    /// An offer is made: the state may have changed since the last one.
    pub fn begin_offer(&mut self) {
        self.now += 1;
    }

    /// Finds out which parts of the state are not as they were when they were compared last: once in an offer, and only where an option asks.
    pub fn compare(&mut self, program: &Program, state: &State) {
        let board = &state.board;
        if self.compared != self.now {
            self.compared = self.now;
            let before = std::mem::replace(&mut self.versions, board.versions);
            if before.sight != board.versions.sight {
                self.compare_sight(board);
            }
            if before.lying != board.versions.lying {
                self.compare_zones(program, board);
            }
            self.compare_effects(program, &state.effects);
            if before.states != board.versions.states {
                self.compare_states(board, program.states.len());
            }
            debug_assert!(self.is_as(board), "a part of the board has changed and was not touched");
        }
    }

    /// Whether the board is as it was when it was compared last.
    fn is_as(&self, board: &Board) -> bool {
        let lying = (&self.objects, &self.zones, &self.slab, &self.extras) == (&board.objects, &board.zones, &board.slab, &board.extras);
        let states = (&self.card_states, &self.player_states) == (&board.card_states, &board.player_states);
        let shown = |rows: &[Shown], of: &mut dyn Iterator<Item = Shown>| rows.iter().copied().eq(of);
        let sight = (&self.deciders, &self.memory, &self.overseen, &self.held)
            == (&board.deciders, &board.memory, &board.overseen, &board.held)
            && shown(&self.revealed, &mut board.revealed.iter().map(|(shown, _)| *shown))
            && shown(&self.shown_while, &mut board.shown_while.iter().map(|(shown, _)| *shown));
        lying && states && sight
    }

    /// Notes which states cards and players have otherwise.
    fn compare_states(&mut self, board: &Board, count: usize) {
        if self.card_states.len() != board.card_states.len() || self.player_states.len() != board.player_states.len() {
            self.state_changed = vec![self.now; count];
            self.card_states.clone_from(&board.card_states);
            self.player_states.clone_from(&board.player_states);
            self.untouched.copy_from(&board.untouched);
            return;
        }
        let rows = self.card_states.chunks_mut(count.max(1)).zip(board.card_states.chunks(count.max(1)));
        for (id, (then, now)) in (0..).map(ObjectId).zip(rows) {
            let untouched = board.untouched.is(id);
            if untouched && self.untouched.is(id) {
                continue;
            }
            take_over(then, now, &mut self.state_changed, self.now);
            if untouched { self.untouched.note(id) } else { self.untouched.touch(id) }
        }
        let rows = self.player_states.chunks_mut(count.max(1)).zip(board.player_states.chunks(count.max(1)));
        rows.for_each(|(then, now)| take_over(then, now, &mut self.state_changed, self.now));
    }

    /// Notes whether players see or decide otherwise.
    fn compare_sight(&mut self, board: &Board) {
        let mut same = is_now(&mut self.deciders, &board.deciders) & is_now(&mut self.memory, &board.memory);
        same &= is_now(&mut self.overseen, &board.overseen) & is_now(&mut self.held, &board.held);
        let revealed = board.revealed.iter().map(|(shown, _)| *shown);
        let shown_while = board.shown_while.iter().map(|(shown, _)| *shown);
        if !self.revealed.iter().copied().eq(revealed.clone()) || !self.shown_while.iter().copied().eq(shown_while.clone()) {
            self.revealed = revealed.collect();
            self.shown_while = shown_while.collect();
            same = false;
        }
        if !same {
            self.sight_changed = self.now;
        }
    }

    /// Notes in which zones other cards lie, or the same ones in another order or way.
    fn compare_zones(&mut self, program: &Program, board: &Board) {
        self.zone_changed.resize(64, 0);
        let as_large = (self.objects.len(), self.zones.len(), self.slab.len(), self.extras.len())
            == (board.objects.len(), board.zones.len(), board.slab.len(), board.extras.len());
        if !as_large {
            self.zone_changed.fill(self.now);
        } else {
            let mut touched = 0;
            let mut note = |place: Place| {
                let zone = zone_of(program, place).0;
                touched |= if place == Place::NOWHERE { 0 } else { zone_bit(zone) };
            };
            for (then, now) in self.objects.iter().zip(&board.objects).filter(|(then, now)| then != now) {
                note(then.place);
                note(now.place);
            }
            for (_, now) in self.extras.iter().zip(&board.extras).zip(&board.objects).filter(|((then, now), _)| !then.is_same(now)) {
                note(now.place);
            }
            // Cards may lie in another order though each is where it was. Most of the slab is room that is not used.
            for (at, (then, now)) in self.zones.iter().zip(&board.zones).enumerate() {
                if then != now || lying(&self.slab, then) != lying(&board.slab, now) {
                    note(Place(at as u16));
                }
            }
            for (_, changed) in self.zone_changed.iter_mut().enumerate().filter(|(bit, _)| touched >> bit & 1 == 1) {
                *changed = self.now;
            }
            if touched == 0 {
                return;
            }
        }
        self.objects.clone_from(&board.objects);
        self.zones.clone_from(&board.zones);
        self.slab.clone_from(&board.slab);
        self.extras.clone_from(&board.extras);
    }

    /// Notes which fields effects change otherwise, and whether they do something else to abilities.
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

    /// The base sets of an option for a player as they were found, where nothing that they are read from has changed: how many members each
    /// has, and the members.
    #[must_use]
    pub fn find(&self, (player, option): (Player, OptionId), reads: &BaseReads) -> Option<([u32; MOST_ARGUMENTS], &[Value])> {
        let kept = self.kept.get(&(player, option))?;
        (self.changed(reads) <= kept.at).then_some((kept.lens, &kept.members))
    }

    /// When something that these base sets read was last another.
    fn changed(&self, reads: &BaseReads) -> u64 {
        let states = reads.states.iter().filter_map(|id| self.state_changed.get(id.index()));
        let fields = reads.fields.iter().filter_map(|id| self.field_changed.get(id.index()));
        let zones = (0..).zip(&self.zone_changed).filter(|(bit, _)| reads.zones >> bit & 1 == 1).map(|(_, at)| at);
        let abilities = reads.abilities.then_some(&self.abilities_changed);
        states.chain(fields).chain(zones).chain(abilities).copied().fold(self.sight_changed, u64::max)
    }

    /// Keeps base sets that were found in the state that was compared last.
    pub fn keep(&mut self, key: (Player, OptionId), (lens, members): ([u32; MOST_ARGUMENTS], &[Value])) {
        let kept = self.kept.entry(key).or_insert_with(|| Kept { at: 0, lens, members: Vec::new() });
        (kept.at, kept.lens) = (self.now, lens);
        kept.members.clear();
        kept.members.extend_from_slice(members);
    }
}

/// The cards of a place.
fn lying<'s>(slab: &'s [ObjectId], span: &Span) -> &'s [ObjectId] {
    let start = span.start as usize;
    slab.get(start..start + usize::from(span.len)).unwrap_or(&[])
}

/// Whether two rows are the same; the first becomes a copy of the second.
fn is_now<T: Clone + PartialEq>(before: &mut Vec<T>, now: &Vec<T>) -> bool {
    let same = before == now;
    if !same {
        before.clone_from(now);
    }
    same
}

/// Makes a row of states a copy of another, and notes when which of them changed.
fn take_over(then: &mut [Value], now: &[Value], changed: &mut [u64], at: u64) {
    for ((then, now), changed) in then.iter_mut().zip(now).zip(changed).filter(|((then, now), _)| !then.is_same(**now)) {
        (*then, *changed) = (*now, at);
    }
}
