//! Dense numbers for everything that a program names, and the tables that they index.
//!
//! `Table<Id, T>` is the one place of unchecked indexing. Its numbers come from the compiler, or from a save that `state/save.rs` has
//! checked.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense number for one kind of thing.
pub trait Id: Copy {
    /// The number of an index in a table.
    fn from_index(index: usize) -> Self;
    /// The index in a table.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident: $repr:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        pub struct $name(pub $repr);
        impl Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self { Self(index as $repr) }
            #[inline]
            fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

ids! {
    /// The index of a statement in [`super::program::Program::code`].
    Pc: u32;
    /// A node of an expression.
    NodeId: u32;
    /// A run of nodes: the arguments of a call, or the members of a list.
    ArgsId: u32;
    /// A register of the current frame.
    Reg: u16;
    /// A declared zone. The zone of one player is a [`super::value::Value::Zone`].
    ZoneId: u16;
    /// A declared field of cards, numbered across all card types.
    FieldId: u16;
    /// A card of the pool.
    CardId: u16;
    /// An ability printed on a card of the pool.
    AbilityId: u16;
    /// A kind of ability.
    KindId: u8;
    /// A slot of abilities.
    SlotId: u16;
    /// A match at one place of the program: requirements and units.
    MatchId: u16;
    /// A declared keyword.
    KeywordId: u16;
    /// A function that a clause may assume to be true.
    FactId: u16;
    /// A verb: builtin, or a declared action.
    VerbId: u16;
    /// A routine: the body of an action, procedure, rule, ability, phase.
    RoutineId: u16;
    /// A clause of a continuous effect.
    ClauseId: u16;
    /// An event pattern.
    PatternId: u16;
    /// A choice.
    ChoiceId: u16;
    /// A duration.
    DurationId: u8;
    /// A moment until which something is put by.
    MomentId: u8;
    /// A state or pool of cards or players.
    StateId: u8;
    /// A rule that watches.
    RuleId: u8;
    /// A role.
    RoleId: u8;
    /// A declared cause.
    CauseId: u8;
    /// A value of an event that rules can ask for by name.
    EventFieldId: u16;
    /// A phase.
    PhaseId: u8;
    /// A declared enum.
    EnumId: u8;
    /// An option of a player.
    OptionId: u16;
    /// A group of options.
    GroupId: u8;
    /// A text: the name of a card, or a literal.
    TextId: u32;
    /// A list of citations.
    CitesId: u32;
}

impl Pc {
    /// No statement: something that no statement causes or says.
    pub const NOWHERE: Pc = Pc(u32::MAX);

    /// The statement before. While a frame carries a statement out, the frame already stands at the next one.
    #[must_use]
    #[inline]
    pub fn before(self) -> Pc {
        Pc(self.0.saturating_sub(1))
    }
}

impl Reg {
    /// No register, because the result is not wanted.
    pub const NONE: Reg = Reg(u16::MAX);
}

impl ChoiceId {
    /// The engine's own choice, which asks which of several replacements applies.
    pub const REPLACEMENT: ChoiceId = ChoiceId(u16::MAX);
}

impl TextId {
    /// No text.
    pub const NONE: TextId = TextId(u32::MAX);
}

impl NodeId {
    /// No node.
    pub const NONE: NodeId = NodeId(u32::MAX);
}

/// A table that is indexed by its own kind of number. This is the one place of unchecked indexing: the compiler makes the numbers, and the
/// numbers in a saved state are checked when it is loaded.
#[derive(Debug, PartialEq, Eq)]
pub struct Table<I, T> {
    rows: Vec<T>,
    of: PhantomData<I>,
}

/// A copy has room for some more rows, because programs are mostly copied to add the cards of a scenario.
impl<I, T: Clone> Clone for Table<I, T> {
    fn clone(&self) -> Self {
        let mut rows = Vec::with_capacity(self.rows.len() + self.rows.len() / 16 + 16);
        rows.extend_from_slice(&self.rows);
        Self { rows, of: PhantomData }
    }
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Self { rows: Vec::new(), of: PhantomData }
    }
}

impl<I: Id, T> Table<I, T> {
    /// Adds a row. Returns its number.
    pub fn push(&mut self, row: T) -> I {
        self.rows.push(row);
        I::from_index(self.rows.len() - 1)
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row, if there is one.
    #[must_use]
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.rows.get(id.index())
    }

    /// The row, for changing it, if there is one.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.rows.get_mut(id.index())
    }

    /// The rows with their numbers, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.rows.iter().enumerate().map(|(index, row)| (I::from_index(index), row))
    }

    /// All numbers, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.rows.len()).map(I::from_index)
    }

    /// The rows, as a slice.
    #[must_use]
    pub fn rows(&self) -> &[T] {
        &self.rows
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;
    #[expect(clippy::indexing_slicing, reason = "numbers come from the compiler or a validated save")]
    fn index(&self, id: I) -> &T {
        &self.rows[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[expect(clippy::indexing_slicing, reason = "numbers come from the compiler or a validated save")]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.rows[id.index()]
    }
}
