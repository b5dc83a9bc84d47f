//! Base sets that are as they were: between two offers little changes, and most base sets read none of it.
//!
//! Before a game it is known what each base set of an option is read from ([`BaseReads`]). When an offer asks for the base sets of an option, the
//! parts of the state that they are read from are compared with what they were when they were compared last ([`KeptBases::compare`]); a base set
//! is found again only when such a part has changed since it was found. Debug builds find every base set anew and compare. Nothing here is part of a game: values are compared, so it does not
//! matter how a state has come about.
//!
//! Deliberately absent: conditions of options, which are looked at each time, and what the members are used for (`source.rs`).

use crate::engine::board::{Board, Extra, Object, Span};
use crate::engine::ids::{FieldId, Id, NodeId, OptionId, StateId};
use crate::engine::program::{Node, OptionDef, Program};
use crate::engine::state::{Effect, Effects, MOST_ARGUMENTS, Part, Shown, State};
use crate::engine::value::{ObjectId, Player, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What an option's base sets read. (They also read where the cards lie and which effects are in force.)
#[derive(Clone, Debug, Default)]
pub struct BaseReads {
    /// States of cards and players.
    states: Vec<StateId>,
    /// Fields, as effects change them.
    fields: Vec<FieldId>,
    /// Who controls a card.
    controllers: bool,
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
            Node::EnumValues(_) | Node::Catalogue | Node::ZoneOfAll(_) | Node::Zone(_, NodeId::NONE) => Some(()),
            Node::Not(a)
            | Node::Negate(a)
            | Node::Opponent(a)
            | Node::NextPlayer(a)
            | Node::Opponents(a)
            | Node::Team(a)
            | Node::Captain(a)
            | Node::Zone(_, a) => self.note(program, a),
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
            Node::Abilities(a) | Node::HasKeyword(a, _) => self.note(program, a),
            Node::Controller(a) => {
                self.controllers = true;
                self.note(program, a)
            }
            Node::State(a, state) => {
                if !self.states.contains(&state) {
                    self.states.push(state);
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
    fn is_compared(&self, program: &Program, state: &State) -> bool {
        let effects = &state.effects;
        let in_row = !program.layers.is_empty() || effects.in_force.is_empty();
        let read = |part: &Part| part.field.is_none_or(|field| self.fields.contains(&field));
        in_row
            && effects.late.touched().is_none()
            && (effects.supposed, effects.shielding) == (0, 0)
            && (!self.controllers || state.owners_control(program))
            && !effects.order.iter().any(|part| part.volatile && read(part))
    }
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
    /// At which offer the cards' places and the effects in force were compared last.
    compared: u64,
    /// The same for each state.
    state_compared: Vec<u64>,
    /// When the cards lay, and were shown, otherwise than now.
    board_changed: u64,
    /// When other effects were in force, or they applied to others.
    effects_changed: u64,
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
    in_force: Vec<Arc<Effect>>,
    order: Vec<Part>,
    card_states: Vec<Value>,
    player_states: Vec<Value>,
    kept: FxHashMap<(Player, OptionId), Kept>,
}

impl KeptBases {
    /// An offer is made: the state may have changed since the last one.
    pub fn begin_offer(&mut self) {
        self.now += 1;
    }

    /// Finds out what of all that these base sets are read from is not as it was when it was compared last. In one offer each part is compared once.
    pub fn compare(&mut self, program: &Program, state: &State, reads: &BaseReads) {
        let (board, count) = (&state.board, program.states.len());
        if self.compared != self.now {
            self.compared = self.now;
            if !self.lies_as_before(board) {
                self.board_changed = self.now;
            }
            if !self.applies_as_before(&state.effects) {
                self.effects_changed = self.now;
            }
            if self.card_states.len() != board.card_states.len() || self.player_states.len() != board.player_states.len() {
                self.state_changed = vec![self.now; count];
                self.state_compared = vec![self.now; count];
                self.card_states.clone_from(&board.card_states);
                self.player_states.clone_from(&board.player_states);
            }
        }
        for id in &reads.states {
            let columns = (self.state_compared.get_mut(id.index()), self.state_changed.get_mut(id.index()));
            let (Some(compared), Some(changed)) = columns else { continue };
            if std::mem::replace(compared, self.now) == self.now {
                continue;
            }
            let on_players = program.states.get(*id).is_some_and(|state| state.on_players);
            let same = match on_players {
                true => is_taken_over(&mut self.player_states, &board.player_states, id.index(), count),
                false => is_taken_over(&mut self.card_states, &board.card_states, id.index(), count),
            };
            if !same {
                *changed = self.now;
            }
        }
    }

    fn lies_as_before(&mut self, board: &Board) -> bool {
        let mut same =
            is_now(&mut self.objects, &board.objects) & is_now(&mut self.slab, &board.slab) & is_now(&mut self.zones, &board.zones);
        same &= is_now(&mut self.extras, &board.extras) & is_now(&mut self.deciders, &board.deciders);
        same &= is_now(&mut self.memory, &board.memory) & is_now(&mut self.overseen, &board.overseen) & is_now(&mut self.held, &board.held);
        let revealed = board.revealed.iter().map(|(shown, _)| *shown);
        let shown_while = board.shown_while.iter().map(|(shown, _)| *shown);
        if !self.revealed.iter().copied().eq(revealed.clone()) || !self.shown_while.iter().copied().eq(shown_while.clone()) {
            self.revealed = revealed.collect();
            self.shown_while = shown_while.collect();
            same = false;
        }
        same
    }

    fn applies_as_before(&mut self, effects: &Effects) -> bool {
        is_now(&mut self.in_force, &effects.in_force) & is_now(&mut self.order, &effects.order)
    }

    /// The base sets of an option for a player as they were found, where nothing that they are read from has changed: how many members each
    /// has, and the members.
    #[must_use]
    pub fn find(
        &self,
        program: &Program,
        state: &State,
        (player, option): (Player, OptionId),
        reads: &BaseReads,
    ) -> Option<([u32; MOST_ARGUMENTS], &[Value])> {
        let kept = self.kept.get(&(player, option))?;
        let states = reads.states.iter().filter_map(|id| self.state_changed.get(id.index())).copied().max().unwrap_or(0);
        let changed = self.board_changed.max(self.effects_changed).max(states);
        (changed <= kept.at && reads.is_compared(program, state)).then_some((kept.lens, &kept.members))
    }

    /// Keeps base sets that were found in the state that was compared last.
    pub fn keep(
        &mut self,
        program: &Program,
        state: &State,
        key: (Player, OptionId),
        reads: &BaseReads,
        (lens, members): ([u32; MOST_ARGUMENTS], &[Value]),
    ) {
        if !reads.is_compared(program, state) {
            return;
        }
        let kept = self.kept.entry(key).or_insert_with(|| Kept { at: 0, lens, members: Vec::new() });
        (kept.at, kept.lens) = (self.now, lens);
        kept.members.clear();
        kept.members.extend_from_slice(members);
    }
}

/// Whether two rows are the same; the first becomes a copy of the second.
fn is_now<T: Clone + PartialEq>(before: &mut Vec<T>, now: &Vec<T>) -> bool {
    let same = before == now;
    if !same {
        before.clone_from(now);
    }
    same
}

/// Whether one state is the same for all cards (or players), in rows of so many states each; it becomes a copy.
fn is_taken_over(before: &mut [Value], now: &[Value], state: usize, count: usize) -> bool {
    let mut same = true;
    let column = before.iter_mut().zip(now).skip(state).step_by(count.max(1));
    for (before, now) in column.filter(|(before, now)| before != now) {
        *before = *now;
        same = false;
    }
    same
}
