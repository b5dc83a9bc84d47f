//! The choices of a program: who chooses, among what, how many, in which manner.

use super::{NameDef, Principle, Program, Type};
use crate::ids::{ChoiceId, CitesId, NodeId, Reg};

/// A choice: everything about one question that is known before the game.
#[derive(Clone, Debug)]
pub struct ChoiceDef {
    /// Its name: the declared one, else the local name. Its rules are those of the statement, if the statement cites any.
    pub name: NameDef,
    /// The rules beside the declared choice.
    pub declared_cites: CitesId,
    /// `or none`: the chooser may always take nothing, whatever effects demand.
    pub or_none: bool,
    /// The number of the declared choice; `u16::MAX`: not declared.
    pub declared: u16,
    /// The player who chooses.
    pub by: NodeId,
    /// The set to choose from; `NONE` for a question with the answers yes and no.
    pub domain: NodeId,
    /// The least number of members.
    pub min: AmountDef,
    /// The greatest number of members.
    pub max: AmountDef,
    /// Whether the register of the answer takes one value, and not a list.
    pub single: bool,
    /// Whether the answers are yes and no.
    pub yes_no: bool,
    /// The manner.
    pub manner: MannerDef,
    /// Whether the chooser may fail to find: a condition narrows the domain by properties of cards in a zone that others cannot see.
    pub may_fail: bool,
    /// For a choice of a slot: whether another player may fail to find. The flow can ask another player than the controller
    /// (`ask(…, by: p)`). Then it counts which cards that player sees (see `engine/choices/asking.rs`).
    pub others_may_fail: bool,
    /// Whether the members are ways to act; taking none is a pass.
    pub offer: bool,
    /// Whether the answer is one number of a range. The domain may list only the first numbers, and the answer may be another one (see
    /// `engine/choices/numbers.rs`).
    pub numbers: bool,
    /// The type of the members. Unknown for an offer, and for a choice that the kernel asks by itself.
    pub of: Type,
    /// Whether the choice asks for units of a match that meet no requirement (`spare u where C`). A scenario that does not answer it names none.
    pub spare: bool,
    /// Whether the choice of a match may name spare units together with the unit of the last requirement.
    pub with_spare: bool,
    /// The condition that the answer must satisfy as a whole, with the answer in the register of the choice; `NONE`: no condition.
    pub together: NodeId,
    /// The nodes of that condition that depend on the answer, sorted.
    pub joint: Vec<NodeId>,
    /// What the numbers 1, 2, … of the answer are called. Empty if nothing says so.
    pub called: Vec<String>,
    /// Whether the others learn neither the question nor the answer: `may p secretly`, and a `secretly` choice in an action that is
    /// declared `secretly`.
    pub unseen: bool,
    /// For a `may`: the register that gets whether the player has declined, if somebody reads it.
    pub declined: Option<Reg>,
}

/// What a declared choice says of its special cases. Each case has the rules that a game cites for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChoiceCases {
    /// The choice allows numbers up to a bound, and none too.
    pub up_to: CitesId,
    /// There are fewer members than the choice demands, but at least one.
    pub too_few: CitesId,
    /// There is no member.
    pub empty: CitesId,
    /// With fewer members than demanded nothing is chosen.
    pub all_or_nothing: bool,
}

impl ChoiceDef {
    /// Whether a question asks for spare units, except for those that have to be named (`must`).
    #[must_use]
    pub fn asks_for_spare(&self, must: u16) -> bool {
        self.spare || self.with_spare && must > 0
    }

    /// Whether the members are texts, symbols or cards of the catalogue. Then an answer may name one that nobody has.
    #[must_use]
    pub fn takes_words(&self) -> bool {
        matches!(self.of, Type::Text | Type::Symbol | Type::CatalogueCard)
    }

    /// Whether the order of an answer counts.
    #[must_use]
    pub(crate) fn is_ranked(&self) -> bool {
        matches!(self.manner, MannerDef::Ranked { .. })
    }

    /// An open choice of exactly one member, without a domain. The compiler begins with this value and changes the fields that differ.
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
            of: Type::Unknown,
            spare: false,
            with_spare: false,
            together: NodeId::NONE,
            joint: Vec::new(),
            called: Vec::new(),
            unseen: false,
            declined: None,
        }
    }

    /// Whether the choice allows any number up to a bound, and none (`up to 2`).
    #[must_use]
    pub(crate) fn allows_none_up_to(&self) -> bool {
        self.min == AmountDef::Fixed(0) && self.max != AmountDef::All && !self.or_none && !self.yes_no && !self.offer
    }

    /// Whether the answer must satisfy a condition as a whole.
    #[must_use]
    #[inline]
    pub(crate) fn is_joint(&self) -> bool {
        self.together != NodeId::NONE
    }
}

impl Program {
    /// What the declared choice says of its special cases; nothing for a choice that is not declared.
    #[must_use]
    pub(crate) fn cases_of_choice(&self, declared: u16) -> ChoiceCases {
        self.choice_cases.get(usize::from(declared)).copied().unwrap_or_default()
    }

    /// What a pass means in an offer: `認める`. None if the game does not say.
    #[must_use]
    pub fn pass_words(&self, choice: ChoiceId) -> Option<&str> {
        let choice = self.choices.get(choice).filter(|choice| choice.offer)?;
        self.pass_words.iter().find(|(of, _)| *of == choice.name.name).map(|(_, words)| words.as_str())
    }

    /// The rules for a choice that demands more members than there are (`there`). They are the rules of its case, or else those of the
    /// principle of what is impossible.
    #[must_use]
    pub(crate) fn rules_of_shortage(&self, choice: ChoiceId, there: u16) -> CitesId {
        let cases = self.cases_of_choice(self.choices.get(choice).map_or(u16::MAX, |def| def.declared));
        let of_case = if there == 0 { cases.empty } else { cases.too_few };
        if of_case == CitesId::default() { self.principle(Principle::Impossible) } else { of_case }
    }

    /// Whether `been_here` still knows where the flow has been after an answer to this choice (`loops { passing_over }`).
    #[must_use]
    pub(crate) fn is_passed_over(&self, choice: ChoiceId) -> bool {
        let declared = self.choices.get(choice).map_or(u16::MAX, |def| def.declared);
        declared != u16::MAX && self.policies.passed_over.contains(&declared)
    }

    /// Whether the answer to a choice is a number from a range.
    #[must_use]
    pub fn names_number(&self, choice: ChoiceId) -> bool {
        self.policies.optional_loops == Some(choice) || self.choices.get(choice).is_some_and(|def| def.numbers)
    }
}

/// The least or the greatest number of a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum AmountDef {
    Fixed(u16),
    Node(NodeId),
    All,
}

/// The manner in which a choice is made.
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
