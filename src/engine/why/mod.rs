//! Explains why things are as they are: where a value comes from, what prevents an action, what led to an event.
//!
//! Input: a state (and for events a [`History`], an onlooker of the run). Output: facts in order, each with the rules behind it and its
//! depth below the fact before. Nothing here changes a game: actions are tried on a copy. Words are in `report/`.
//!
//! | file | does |
//! | --- | --- |
//! | `asleep.rs` | finds bonuses that a value lacks because a card lies face down |
//! | `can.rs` | decides whether something can be done |
//! | `cause.rs` | finds what led to an event |
//! | `failing.rs` | finds why a condition is false, and why a set lacks members |
//! | `idle.rs` | finds why an action that nothing prevents would do nothing |
//! | `lost.rs` | finds abilities that a card has lost |
//! | `not_done.rs` | notes what is not done while something is tried on a copy of the game, with the rules for it |
//! | `option.rs` | finds why a player cannot take an option |
//! | `paying.rs` | explains the amount of a cost and why it cannot be paid |
//! | `reads.rs` | finds what an expression reads, with the values |
//! | `value.rs` | explains where a value comes from |

mod asleep;
mod can;
mod cause;
mod failing;
mod idle;
mod lost;
mod not_done;
mod option;
mod paying;
mod reads;
mod value;

pub use can::{Doable, as_seen};
pub use cause::{Done, History, Mark};
pub use not_done::unmet;
pub use option::NotOffered;
pub use value::explain;

use super::ids::{AbilityId, CauseId, ChoiceId, CitesId, FieldId, KindId, MatchId, Pc, PhaseId, RoleId, RuleId, StateId, VerbId, ZoneId};
use super::program::{ChangeKind, ClauseDef, ClauseKind, Compare, PartKey, Program};
use super::state::{Effect, Holds, MOST_ARGUMENTS, Outcome};
use super::steps::{Unfit, Why};
use super::value::{Place, Player, Value};

/// One fact of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The depth of the fact below other facts.
    pub depth: u8,
    /// The fact.
    pub fact: Fact,
    /// The rules behind the fact.
    pub cites: Vec<CitesId>,
}

/// An effect in force that a fact names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// The effect's own number.
    pub number: u32,
    /// The effect's timestamp. Effects of one batch have the same timestamp.
    pub timestamp: u32,
    /// The card of the effect, as the card was then.
    pub source: Value,
    /// The player of the effect.
    pub you: Player,
    /// How long the effect lasts.
    pub holds: Holds,
}

/// The kinds of facts.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// The value that was asked for.
    Is(Vec<Value>),
    /// A field of a card has this value now.
    Field(Value, FieldId, Vec<Value>),
    /// A field of a card has this value, which is the printed one.
    AsPrinted(Value, FieldId, Vec<Value>),
    /// The printed value.
    Printed(Vec<Value>),
    /// The value that the rules give, before effects.
    BeforeEffects(Vec<Value>),
    /// An effect changes the value; the value after the change.
    Changed(Influence, ChangeKind, Value, Vec<Value>),
    /// An effect would change the value, but another effect has disabled its ability.
    Silenced(Influence, Option<Influence>),
    /// An effect would change the value, but another effect keeps it off the card.
    KeptOff(Influence, Influence),
    /// The first effect does not reach the card, because the second one has changed the card.
    PassedBy(Influence, Influence),
    /// A static ability of this card would change the value, but the card lies face down.
    Asleep(Value),
    /// An effect would change the value, but the card has no value that could be changed.
    NoValue(Influence),
    /// The value would be less than the lower bound of the field: the bound, and the value.
    Floored(i32, i32),
    /// The following changes apply in this layer.
    InLayer(u8),
    /// The ability of the effect before is given to its card by this effect.
    GivenBy(Influence),
    /// Effects depend on one another in a circle: those that go first, and the others.
    InCircle(Vec<Influence>, Vec<Influence>),
    /// The following change depends on this effect, which began later.
    Depends(Influence),
    /// The following facts are read as if these effects were not in force.
    Without(Vec<Influence>),
    /// The amount due for a part of a cost.
    Due(PartKey, i32),
    /// The amount was fixed before.
    Fixed,
    /// A player's pool holds less than the amount due.
    Short(Value, StateId, i32, i32),
    /// Fewer cards can be taken for a part than are due.
    Few(PartKey, i32, i32),
    /// An action that is a part of a cost cannot be done.
    NoPart(PartKey),
    /// A requirement of a match has no unit of its own. With `true`: a joining member has no unit that pays.
    Unmatched(MatchId, Value, bool),
    /// The action fails at this statement, and nothing of it is done.
    GivenUp(Pc),
    /// An effect permits the action.
    Permitted(Influence),
    /// An effect assumes the fact.
    Assumed(Influence),
    /// An effect demands that the answer contains these members.
    Demanded(Influence, Vec<Value>),
    /// An effect keeps a card from being chosen.
    Withheld(Influence, Value),
    /// A state or pool has this value.
    State(Value, StateId, Value),
    /// The number of cards in a place.
    Counted(Place, usize),
    /// The members that count.
    Members(Vec<Value>),
    /// Nothing has this role.
    NoHolder(RoleId),
    /// No ability waits. With a place: none waits there.
    NoneWaits(Option<Place>),
    /// No player has a card in this zone.
    NoneInAny(ZoneId),
    /// A card lies in this place.
    Lies(Value, Place, bool),
    /// A player controls a card by effects.
    ControlledBy(Value, Player),
    /// The answer would need things that the seat may not see.
    Hidden,
    /// The reader knows no card with this name.
    NoneCalled(String),
    /// The action can be done.
    Possible,
    /// The action cannot be done.
    Impossible,
    /// The game is over.
    Over(Outcome),
    /// A decision is open, and accepts these values.
    Chosen(Player, ChoiceId, Vec<Value>),
    /// The player has given an answer already, which counts when all have answered.
    Given(Player, ChoiceId),
    /// No decision of this name is open.
    NotAsked,
    /// The number of members that must be chosen.
    Amount(u16, u16, u16),
    /// Fewer members than wanted are chosen (the wanted and the given number), without a member that the chooser cannot claim not to find.
    LeavesOut(Value, u16, u16),
    /// The things cannot be chosen together: the condition on the whole answer is false for them.
    NotTogether,
    /// It takes too much work to find out whether the answer is legal.
    NotDecided,
    /// A card is not among those of a place.
    NotIn(Value, Place),
    /// A value is not among the possible ones.
    NotAmong(Value),
    /// A value is left out explicitly.
    LeftOut(Value),
    /// A value does not fulfil the condition of the choice at this statement.
    Fails(Value, Pc),
    /// An action that a condition asks for cannot be done.
    Cannot(VerbId, [Value; MOST_ARGUMENTS]),
    /// An effect forbids the action.
    Forbidden(Influence),
    /// An effect forbids the action to effects (of this player). The rules may do it.
    ForbiddenToEffects(Influence, Option<Player>),
    /// An effect forbids the action to effects of some cards, including this card.
    ForbiddenToEffectsOf(Influence, Value),
    /// An effect would replace the action.
    Replaced(Influence),
    /// The argument in this position is undefined, or is empty.
    Lacking(VerbId, u8, Why),
    /// The card is already there.
    Already(Value, Place),
    /// The place is full; the number of its cards.
    Full(Place, usize),
    /// The ability does not work in the zone where its card lies.
    Inactive(Value, Place),
    /// The card of an ability lies face down.
    FaceDown(Value),
    /// An effect disables the ability.
    Disabled(Value, Influence),
    /// The card has lost the ability by an effect.
    Lost(Value, Influence),
    /// A part of the action is the use of this ability, which cannot be used.
    Unused(Value, Why),
    /// The ability was used this many times, of this many.
    UsedUp(Value, i32, i32),
    /// The ability works, and was used this many times, of this many.
    Usable(Value, i32, Option<i32>),
    /// A part of the action would not be done.
    Part(VerbId, [Value; MOST_ARGUMENTS], Why),
    /// The number of things that are needed, and the number that are there. The place, if it is a single one; or the choice that asks.
    TooFew(u16, u16, Option<Place>, Option<ChoiceId>),
    /// An attempt cannot be done in full, so nothing of it is done.
    Attempt,
    /// A statement of the action's body does nothing, because its condition is false, or (`true`) because it finds no card.
    Idle(Pc, bool),
    /// The condition of an option is false.
    Unmet(VerbId),
    /// The comparison of these two values is false.
    Compares(Compare, Value, Value),
    /// The option was tried in this position and failed, and nothing has changed since.
    Tried,
    /// The option was repeated as often as named.
    Repeated,
    /// The asked event is part of a loop that nobody can stop, and the game has ended by this loop.
    Circle,
    /// A chosen card is no longer legal. So the ability does nothing to the card.
    Unfit(Value, Unfit),
    /// The asked event has not happened. There are only this many events that the pattern fits.
    Never(u32),
    /// The event is the one with the first number among as many events that the pattern fits, counted from the beginning.
    OneOf(u32, u32),
    /// An event.
    Event(VerbId, [Value; MOST_ARGUMENTS]),
    /// The event was part of an action.
    PartOf(VerbId, [Value; MOST_ARGUMENTS]),
    /// An ability did the asked thing.
    Ability(Value, Option<AbilityId>, Player),
    /// An ability that had waited for the following event did the asked thing.
    Triggered(Value, Player),
    /// A block that an ability had put by did the asked thing.
    PutBy(Value, Player),
    /// An ability of this kind, which a player had used and which had waited, did the asked thing.
    Waited(Value, KindId, Player),
    /// The asked thing paid the cost of an ability of this card. With `true` the ability had waited for the following event.
    Pays(Value, Player, bool),
    /// An effect of this card did the asked thing instead of an action.
    Instead(VerbId, [Value; MOST_ARGUMENTS], Value),
    /// A rule did the asked thing. With `true` because of the following facts.
    Rule(RuleId, Player, bool),
    /// A player chose the asked thing.
    Decided(Player, ChoiceId, Vec<Value>, bool),
    /// The action has this cause, which the game declares; and the card of the cause.
    Caused(CauseId, Value),
    /// The asked thing was done for this waiting ability.
    Handled(Value, KindId, Player),
    /// An effect began.
    Began(Influence),
    /// An effect ended.
    Ended(Influence),
    /// The flow did the asked thing.
    Flow(u32, Option<PhaseId>),
    /// The facts before this one have the same causes again, this many times. With `true` the chain of causes was not followed to its end.
    AndSoOn(u32, bool),
}

/// An answer: its facts, and the members of lists among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The facts, in order.
    pub lines: Vec<Line>,
    /// The members of lists among the values.
    pub lists: Vec<Value>,
    /// The rules that were carried out when the action was tried on a copy. They are not told, but they led to the verdict.
    pub tried: Vec<CitesId>,
}

impl Answer {
    /// Adds a fact. A fact about a read value is left out if it already stands under the same heading.
    pub fn say(&mut self, depth: u8, fact: Fact, cites: impl IntoIterator<Item = CitesId>) {
        let mut kept: Vec<CitesId> = Vec::new();
        for list in cites {
            if list != CitesId::default() && !kept.contains(&list) {
                kept.push(list);
            }
        }
        // An expression may read the same value for many members. Under one heading the value is told once.
        let is_read = matches!(fact, Fact::State(..) | Fact::Counted(..) | Fact::Members(..) | Fact::Lies(..) | Fact::ControlledBy(..))
            || matches!(fact, Fact::NoHolder(_) | Fact::NoneWaits(_) | Fact::NoneInAny(_));
        let line = Line { depth, fact, cites: kept };
        let beside = self.lines.iter().rev().take_while(|other| other.depth >= depth);
        if is_read && beside.into_iter().any(|other| *other == line) {
            return;
        }
        self.lines.push(line);
    }

    /// Whether the answer says that something can be done.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.lines.iter().any(|line| line.fact == Fact::Possible)
    }

    /// Whether the answer names a rule.
    #[must_use]
    pub fn names_rule(&self, program: &Program, rule: &str) -> bool {
        let lists = self.lines.iter().flat_map(|line| &line.cites).map(|list| program.rules_beside(*list));
        lists.flatten().any(|id| id == rule)
    }

    /// The cards that the answer names.
    pub fn cards(&self) -> impl Iterator<Item = Value> + '_ {
        self.lines.iter().flat_map(|line| line.fact.cards())
    }
}

impl Influence {
    /// The facts about an effect.
    #[must_use]
    pub fn of(effect: &Effect) -> Self {
        let Effect { number, timestamp, source, you, holds, .. } = effect;
        Self { number: *number, timestamp: *timestamp, source: *source, you: *you, holds: *holds }
    }
}

impl Fact {
    /// The cards that the fact names.
    #[must_use]
    pub fn cards(&self) -> Vec<Value> {
        match self {
            Fact::Field(card, ..) | Fact::AsPrinted(card, ..) | Fact::State(card, ..) | Fact::Lies(card, ..) => vec![*card],
            Fact::NotIn(card, _) | Fact::ControlledBy(card, _) | Fact::Caused(_, card) => vec![*card],
            Fact::Silenced(_, by) => by.iter().map(|by| by.source).collect(),
            Fact::KeptOff(by, other) | Fact::PassedBy(by, other) => vec![by.source, other.source],
            Fact::ForbiddenToEffectsOf(by, card) => vec![by.source, *card],
            Fact::Withheld(by, card) => vec![by.source, *card],
            Fact::InCircle(first, others) => first.iter().chain(others).map(|by| by.source).collect(),
            Fact::Without(effects) => effects.iter().map(|by| by.source).collect(),
            Fact::Unmatched(_, what, _) | Fact::Asleep(what) | Fact::Unfit(what, _) => vec![*what],
            Fact::Ability(card, ..)
            | Fact::Triggered(card, _)
            | Fact::PutBy(card, _)
            | Fact::Pays(card, ..)
            | Fact::Waited(card, ..)
            | Fact::Handled(card, ..)
            | Fact::Instead(_, _, card) => vec![*card],
            Fact::Event(_, args) | Fact::PartOf(_, args) | Fact::Cannot(_, args) | Fact::Part(_, args, _) => args.to_vec(),
            Fact::Is(values) | Fact::Members(values) | Fact::Decided(_, _, values, _) => values.clone(),
            Fact::Inactive(ability, _)
            | Fact::FaceDown(ability)
            | Fact::Unused(ability, _)
            | Fact::UsedUp(ability, ..)
            | Fact::Usable(ability, ..) => vec![*ability],
            _ => self.influence().map(|by| by.source).into_iter().collect(),
        }
    }

    /// The effect that the fact names.
    #[must_use]
    pub fn influence(&self) -> Option<&Influence> {
        match self {
            Fact::Changed(by, ..)
            | Fact::Silenced(by, _)
            | Fact::KeptOff(by, _)
            | Fact::PassedBy(by, _)
            | Fact::NoValue(by)
            | Fact::Forbidden(by)
            | Fact::ForbiddenToEffects(by, _)
            | Fact::ForbiddenToEffectsOf(by, _)
            | Fact::Replaced(by)
            | Fact::Permitted(by)
            | Fact::Assumed(by)
            | Fact::Depends(by)
            | Fact::GivenBy(by)
            | Fact::Began(by)
            | Fact::Ended(by)
            | Fact::Demanded(by, _)
            | Fact::Withheld(by, _)
            | Fact::Disabled(_, by)
            | Fact::Lost(_, by) => Some(by),
            _ => None,
        }
    }
}

/// The rules by which an effect ends with the ability that began it: those beside the kind's slot `needs_source`.
pub fn rules_of_need(program: &Program, effect: &Effect) -> Option<CitesId> {
    let kind = program.kinds.get(program.abilities.get(effect.needs?)?.kind)?;
    let slot = kind.slots.iter().find(|(slot, ..)| Some(*slot) == program.needs_source)?;
    Some(slot.2)
}

/// The rules behind an effect: those of its clause, its ability, the ability's kind, and its duration.
#[must_use]
pub(crate) fn rules_of_effect(program: &Program, effect: &Effect) -> Vec<CitesId> {
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

/// The rules of the layers in which an effect applies, by its clause.
pub fn rules_of_layers(program: &Program, clause: &ClauseDef) -> impl Iterator<Item = CitesId> {
    let changes = if let ClauseKind::Modify { changes, .. } = &clause.kind { changes.as_slice() } else { &[] };
    let has_one = matches!(clause.kind, ClauseKind::Grant { .. } | ClauseKind::Strip { .. } | ClauseKind::Disable(_));
    let layers = changes.iter().map(|change| change.layer).chain(has_one.then_some(clause.layer));
    layers.filter_map(|layer| program.layers.get(usize::from(layer)).map(|layer| layer.cites))
}

/// The rules behind an ability: its own and those of its kind.
#[must_use]
pub(crate) fn rules_of_ability(program: &Program, id: AbilityId) -> Vec<CitesId> {
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
