//! Choices: who, among what, how many, how.

use super::{NameDef, Program};
use crate::engine::ids::{ChoiceId, CitesId, NodeId};

/// A choice.
#[derive(Clone, Debug)]
pub struct ChoiceDef {
    /// Its name: the declared one, else the local name. Its rules are the statement's, where that cites any.
    pub name: NameDef,
    /// The rules beside the declared choice.
    pub declared_cites: CitesId,
    /// `or none`: nothing that is demanded keeps the chooser from taking none.
    pub or_none: bool,
    /// Which declared choice it is; `u16::MAX`: none.
    pub declared: u16,
    /// Who chooses.
    pub by: NodeId,
    /// Among what (yes-or-no choices: none).
    pub domain: NodeId,
    /// At least.
    pub min: AmountDef,
    /// At most.
    pub max: AmountDef,
    /// One object rather than a list goes into the register.
    pub single: bool,
    /// Yes or no.
    pub yes_no: bool,
    /// How.
    pub manner: MannerDef,
    /// The chooser may fail to find: the domain was narrowed by a card's properties in a zone that others cannot see.
    pub may_fail: bool,
    /// Of a slot: so may another whom the flow asks in the place of its controller (`ask(…, by: p)`), as far as that one does not see the cards.
    pub others_may_fail: bool,
    /// Ways to act are offered: none taken is a pass.
    pub offer: bool,
    /// A number is chosen of which the domain lists perhaps only the first ones: the answer may be another one of them (see `engine/numbers.rs`).
    pub numbers: bool,
    /// What the answer has to satisfy as a whole, with it in the register of the choice (`NONE`: nothing).
    pub together: NodeId,
    /// The parts of that condition that speak of the answer, sorted.
    pub joint: Vec<NodeId>,
    /// Others are told neither that it is asked nor what is answered: `may p secretly`, and what is chosen secretly in an action that is done
    /// secretly.
    pub unseen: bool,
}

impl ChoiceDef {
    /// Whether the order of an answer counts.
    #[must_use]
    pub fn is_ranked(&self) -> bool {
        matches!(self.manner, MannerDef::Ranked { .. })
    }

    /// One of a domain that is told elsewhere, openly: what the others differ from.
    #[must_use]
    pub fn one(name: NameDef, declared_cites: CitesId, by: NodeId) -> Self {
        Self {
            name,
            declared_cites,
            or_none: false,
            declared: u16::MAX,
            by,
            domain: NodeId::NONE,
            min: AmountDef::Fixed(1),
            max: AmountDef::Fixed(1),
            single: true,
            yes_no: false,
            manner: MannerDef::Openly,
            may_fail: false,
            others_may_fail: false,
            offer: false,
            numbers: false,
            together: NodeId::NONE,
            joint: Vec::new(),
            unseen: false,
        }
    }

    /// Whether the answer has to satisfy something as a whole.
    #[must_use]
    #[inline]
    pub fn is_joint(&self) -> bool {
        self.together != NodeId::NONE
    }
}

impl Program {
    /// Whether the answer to a choice is a number of a range.
    #[must_use]
    pub fn names_number(&self, choice: ChoiceId) -> bool {
        self.policies.optional_loops == Some(choice) || self.choices.get(choice).is_some_and(|def| def.numbers)
    }
}

/// A bound of a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum AmountDef {
    Fixed(u16),
    Node(NodeId),
    All,
}

/// How a choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "see the language's words")]
pub enum MannerDef {
    Openly,
    Secretly,
    Blindly,
    /// The order of the answer counts.
    Ranked {
        secretly: bool,
    },
}
