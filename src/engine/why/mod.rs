//! Explains why things are as they are: where a value comes from, what prevents an action, what led to an event.
//!
//! Input: a state (and for events a [`History`], an onlooker of the run). Output: facts in order, each with the rules behind it and its
//! depth below the fact before. Nothing here changes a game: actions are tried on a copy. Words are in `report/`.

mod can;
mod cause;
mod idle;
mod not_done;
mod option;
mod paying;
mod value;

pub use can::{Doable, as_seen};
pub use cause::{Done, History, Mark};
pub use not_done::unmet;
pub use option::NotOffered;
pub use value::explain;

use super::ids::{AbilityId, ChoiceId, CitesId, FieldId, KindId, Pc, PhaseId, RuleId, StateId, VerbId};
use super::observe::Why;
use super::program::{ChangeKind, Compare, PartKey, Program};
use super::state::{Effect, Holds, MOST_ARGUMENTS, Outcome};
use super::value::{Place, Player, Value};

/// One fact of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// How deep it lies.
    pub depth: u8,
    /// What is so.
    pub fact: Fact,
    /// The rules behind it.
    pub cites: Vec<CitesId>,
}

/// An effect in force, where a fact names it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// Its own number.
    pub number: u32,
    /// Effects of one batch have the same.
    pub timestamp: u32,
    /// The card it comes from, as it was.
    pub source: Value,
    /// Whose it is.
    pub you: Player,
    /// Why it holds.
    pub holds: Holds,
}

/// What is so.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// The value that was asked for.
    Is(Vec<Value>),
    /// A field of a card has that value now.
    Field(Value, FieldId, Vec<Value>),
    /// A field of a card has that value, which is what is printed.
    AsPrinted(Value, FieldId, Vec<Value>),
    /// It is printed so.
    Printed(Vec<Value>),
    /// By what the rules say it is so, before effects.
    BeforeEffects(Vec<Value>),
    /// An effect changes it; what it is after that.
    Changed(Influence, ChangeKind, Value, Vec<Value>),
    /// An effect would change it, but another has disabled its ability.
    Silenced(Influence, Option<Influence>),
    /// An effect would change it, but another one keeps it off the card.
    KeptOff(Influence, Influence),
    /// An effect would change it, but the card has no value that could be changed.
    NoValue(Influence),
    /// It would be less than it can be read as.
    Floored(i32, i32),
    /// The changes that follow apply in that layer.
    InLayer(u8),
    /// The change that follows depends on that effect, which began later.
    Depends(Influence),
    /// What follows is read as if these effects were not in force.
    Without(Vec<Influence>),
    /// So much is due for a part of a cost.
    Due(PartKey, i32),
    /// What is due was determined before.
    Fixed,
    /// A player's pool holds less than is due.
    Short(Value, StateId, i32, i32),
    /// There are fewer to be taken for a part than are due.
    Few(PartKey, i32, i32),
    /// An action that is a part of a cost cannot be done.
    NoPart(PartKey),
    /// A requirement of a match finds no unit of its own, or (`true`) a joining member no unit that pays.
    Unmatched(Value, bool),
    /// An effect permits it.
    Permitted(Influence),
    /// An effect has it taken for true.
    Assumed(Influence),
    /// An effect demands that these be among the answer.
    Demanded(Influence, Vec<Value>),
    /// An effect keeps a card from being chosen.
    Withheld(Influence, Value),
    /// A state or pool has that value.
    State(Value, StateId, Value),
    /// There are so many in a place.
    Counted(Place, usize),
    /// These are the members that count.
    Members(Vec<Value>),
    /// A card lies there.
    Lies(Value, Place, bool),
    /// What the seat may not see would be needed to say.
    Hidden,
    /// No card that the reader knows of is called so.
    NoneCalled(String),
    /// It can be done.
    Possible,
    /// It cannot.
    Impossible,
    /// The game is over.
    Over(Outcome),
    /// A decision is open, and this is what it takes.
    Chosen(Player, ChoiceId, Vec<Value>),
    /// Such a decision is not open.
    NotAsked,
    /// So many have to be chosen.
    Amount(u16, u16, u16),
    /// A card is not among those of a place.
    NotIn(Value, Place),
    /// A value is none of those that are chosen from.
    NotAmong(Value),
    /// A value is left out expressly.
    LeftOut(Value),
    /// A value does not fulfil the condition of the choice that the statement makes.
    Fails(Value, Pc),
    /// An effect forbids the action.
    Forbidden(Influence),
    /// An effect forbids it to effects (of that player); the rules may do it.
    ForbiddenToEffects(Influence, Option<Player>),
    /// An effect forbids it to effects of some cards, of this one among them.
    ForbiddenToEffectsOf(Influence, Value),
    /// An effect would do something else instead.
    Replaced(Influence),
    /// The argument in that place is not there, or there is nothing of it.
    Lacking(VerbId, u8, Why),
    /// The card is there already.
    Already(Value, Place),
    /// The place is full: so many cards.
    Full(Place, usize),
    /// The card of an ability lies where the ability does not work.
    Inactive(Value, Place),
    /// The card of an ability lies face down.
    FaceDown(Value),
    /// An effect disables the ability.
    Disabled(Value, Influence),
    /// The ability was used so often, of so often.
    UsedUp(Value, i32, i32),
    /// The ability works and was used so often, of so often.
    Usable(Value, i32, Option<i32>),
    /// A part of it would not be done.
    Part(VerbId, [Value; MOST_ARGUMENTS], Why),
    /// So many are demanded, so many are there; where, if it is one place.
    TooFew(u16, u16, Option<Place>),
    /// It is a whole that cannot be done in full, so that nothing of it is done.
    Attempt,
    /// A statement of an action's body passes over what it would do: its condition does not hold, or (`true`) it finds nothing.
    Idle(Pc, bool),
    /// The condition of an option is not met.
    Unmet(VerbId),
    /// These two do not compare so.
    Compares(Compare, Value, Value),
    /// It was tried here and failed, and nothing has changed since.
    Tried,
    /// It has been repeated as often as was named.
    Repeated,
    /// No such event.
    Never,
    /// An event.
    Event(VerbId, [Value; MOST_ARGUMENTS]),
    /// As part of an action.
    PartOf(VerbId, [Value; MOST_ARGUMENTS]),
    /// By an ability.
    Ability(Value, Option<AbilityId>, Player),
    /// By an ability that had waited for the event that follows.
    Triggered(Value, Player),
    /// By what an ability had put by.
    PutBy(Value, Player),
    /// By what a card's ability of that kind does, which somebody had used and which had waited.
    Waited(Value, KindId, Player),
    /// Instead of an action, by an effect of that card.
    Instead(VerbId, [Value; MOST_ARGUMENTS], Value),
    /// By a rule that watches, because of the event that follows.
    Rule(RuleId, Player),
    /// Somebody chose it.
    Decided(Player, ChoiceId, Vec<Value>, bool),
    /// The flow does it.
    Flow(u32, Option<PhaseId>),
}

/// An answer: its facts, and the members of lists among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// In order.
    pub lines: Vec<Line>,
    /// Members of lists among the values.
    pub lists: Vec<Value>,
    /// The rules that were carried out when it was tried on a copy; told by nobody, they are what a verdict was found by.
    pub tried: Vec<CitesId>,
}

impl Answer {
    /// Adds a fact; one that was read and stands under the same heading already is left out.
    pub fn say(&mut self, depth: u8, fact: Fact, cites: impl IntoIterator<Item = CitesId>) {
        let mut kept: Vec<CitesId> = Vec::new();
        for list in cites {
            if list != CitesId::default() && !kept.contains(&list) {
                kept.push(list);
            }
        }
        // An expression may read one thing for each of many members; under one heading it is told once.
        let is_read = matches!(fact, Fact::State(..) | Fact::Counted(..) | Fact::Members(..) | Fact::Lies(..));
        let line = Line { depth, fact, cites: kept };
        let beside = self.lines.iter().rev().take_while(|other| other.depth >= depth);
        if is_read && beside.into_iter().any(|other| *other == line) {
            return;
        }
        self.lines.push(line);
    }

    /// Whether it says that something can be done.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.lines.iter().any(|line| line.fact == Fact::Possible)
    }

    /// Whether it says so of a rule.
    #[must_use]
    pub fn names_rule(&self, program: &Program, rule: &str) -> bool {
        let lists = self.lines.iter().flat_map(|line| &line.cites).map(|list| program.rules_beside(*list));
        lists.flatten().any(|id| id == rule)
    }

    /// The cards that it names.
    pub fn cards(&self) -> impl Iterator<Item = Value> + '_ {
        self.lines.iter().flat_map(|line| line.fact.cards())
    }
}

impl Influence {
    /// Of an effect.
    #[must_use]
    pub fn of(effect: &Effect) -> Self {
        let Effect { number, timestamp, source, you, holds, .. } = effect;
        Self { number: *number, timestamp: *timestamp, source: *source, you: *you, holds: *holds }
    }
}

impl Fact {
    /// The cards that it names.
    #[must_use]
    pub fn cards(&self) -> Vec<Value> {
        match self {
            Fact::Field(card, ..) | Fact::AsPrinted(card, ..) | Fact::State(card, ..) | Fact::Lies(card, ..) | Fact::NotIn(card, _) => {
                vec![*card]
            }
            Fact::Silenced(_, by) => by.iter().map(|by| by.source).collect(),
            Fact::KeptOff(by, shield) => vec![by.source, shield.source],
            Fact::ForbiddenToEffectsOf(by, card) => vec![by.source, *card],
            Fact::Withheld(by, card) => vec![by.source, *card],
            Fact::Without(effects) => effects.iter().map(|by| by.source).collect(),
            Fact::Unmatched(what, _) => vec![*what],
            Fact::Ability(card, ..)
            | Fact::Triggered(card, _)
            | Fact::PutBy(card, _)
            | Fact::Waited(card, ..)
            | Fact::Instead(_, _, card) => vec![*card],
            Fact::Event(_, args) | Fact::PartOf(_, args) | Fact::Part(_, args, _) => args.to_vec(),
            Fact::Is(values) | Fact::Members(values) | Fact::Decided(_, _, values, _) => values.clone(),
            Fact::Inactive(ability, _) | Fact::FaceDown(ability) | Fact::UsedUp(ability, ..) | Fact::Usable(ability, ..) => vec![*ability],
            _ => self.influence().map(|by| by.source).into_iter().collect(),
        }
    }

    /// The effect that it speaks of.
    #[must_use]
    pub fn influence(&self) -> Option<&Influence> {
        match self {
            Fact::Changed(by, ..)
            | Fact::Silenced(by, _)
            | Fact::KeptOff(by, _)
            | Fact::NoValue(by)
            | Fact::Forbidden(by)
            | Fact::ForbiddenToEffects(by, _)
            | Fact::ForbiddenToEffectsOf(by, _)
            | Fact::Replaced(by)
            | Fact::Permitted(by)
            | Fact::Assumed(by)
            | Fact::Depends(by)
            | Fact::Demanded(by, _)
            | Fact::Withheld(by, _)
            | Fact::Disabled(_, by) => Some(by),
            _ => None,
        }
    }
}

/// The rules by which an effect ends with the ability that began it: those beside the slot `needs_source` of the kind.
pub fn rules_of_need(program: &Program, effect: &Effect) -> Option<CitesId> {
    let kind = program.kinds.get(program.abilities.get(effect.needs?)?.kind)?;
    let slot = kind.slots.iter().find(|(slot, ..)| Some(*slot) == program.needs_source)?;
    Some(slot.2)
}

/// The rules behind an effect: those beside its clause, its ability and the ability's kind, its duration.
#[must_use]
pub fn rules_of_effect(program: &Program, effect: &Effect) -> Vec<CitesId> {
    let clause = program.clauses.get(effect.clause).map(|clause| clause.cites);
    let holder = match effect.holds {
        Holds::Static(ability) | Holds::Granted(ability, _) => rules_of_ability(program, ability),
        Holds::Lasting(duration) => {
            let duration = program.durations.get(duration).map(|duration| duration.cites);
            duration.into_iter().chain(rules_of_need(program, effect)).collect()
        }
        Holds::Rule(rule) => program.rules.get(rule).map(|rule| rule.name.cites).into_iter().collect(),
    };
    clause.into_iter().chain(holder).collect()
}

/// The rules behind an ability: those beside it and its kind.
#[must_use]
pub fn rules_of_ability(program: &Program, id: AbilityId) -> Vec<CitesId> {
    let Some(ability) = program.abilities.get(id) else { return Vec::new() };
    let kind = program.kinds.get(ability.kind).map(|kind| kind.name.cites);
    let keyword = ability.keyword.and_then(|keyword| program.keywords.get(keyword)).map(|keyword| keyword.name.cites);
    std::iter::once(ability.cites).chain(keyword).chain(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::{Answer, Fact, Value};

    #[test]
    fn what_is_read_again_under_one_heading_is_told_once() {
        let mut answer = Answer::default();
        let members = |n| Fact::Members(vec![Value::Number(n)]);
        for (depth, fact) in [(0, Fact::Possible), (1, members(1)), (2, Fact::Hidden), (1, members(1)), (1, members(2)), (1, members(1))] {
            answer.say(depth, fact, []);
        }
        assert_eq!(answer.lines.len(), 4, "{:?}", answer.lines);
        for (depth, fact) in [(0, Fact::Impossible), (1, members(1)), (1, Fact::NotAsked), (1, Fact::NotAsked)] {
            answer.say(depth, fact, []);
        }
        assert_eq!(answer.lines.len(), 8, "another heading: {:?}", answer.lines);
    }
}
