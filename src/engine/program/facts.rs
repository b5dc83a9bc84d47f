//! What is known of each node without evaluating it: what the node itself reads of a game.
//!
//! Together with [`super::parts()`] this is the one table over nodes. Whoever looks through expressions asks the table. The table names
//! every node, so a new node does not compile before everything is said about the node.

use super::{Node, Program};
use crate::ids::{FactId, FieldId, NodeId, StateId, VerbId, ZoneId};

/// What a node itself reads. What its children read comes on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnRead {
    /// Nothing: the value follows from the values of the children.
    Nothing,
    /// What runs: a register, a bound value, the acting player, the source, and what was done last.
    Frame,
    /// Which cards lie in the places of a declared zone.
    Zone(ZoneId),
    /// Which cards there are, in whatever zone.
    AllZones,
    /// Where a card lies, and since when. Only moves change this.
    Place,
    /// Whether an object is the one that a reference means. Only moves change this.
    Life,
    /// How a card lies where it lies: its face, and what is attached.
    Lying,
    /// Which card of the pool a card is. Only a copy changes this.
    Identity,
    /// What is in the text box of a card.
    TextBox,
    /// A field of a card, with all effects or as printed.
    Field(FieldId),
    /// The types of a card.
    Types,
    /// A state of cards, players or the game.
    State(StateId),
    /// Who controls a card or an ability.
    Control,
    /// The abilities of a card.
    Abilities,
    /// Whether an effect permits an action.
    Permits(VerbId),
    /// Whether an effect assumes a fact.
    Assumes(FactId),
    /// The effects in force.
    Effects,
    /// What has happened.
    History,
    /// What waits, with its slots.
    Waiting,
    /// The flow: the turn, roles, and rules that would run now.
    Flow,
    /// Who decides for a player.
    Decider,
    /// Who has won or lost.
    Verdicts,
    /// Whether something could be done now.
    Legality,
    /// Who may know a card.
    Sight,
}

impl Node {
    /// What the node itself reads.
    #[must_use]
    pub fn own_read(&self) -> OwnRead {
        match *self {
            Node::Const(_)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Negate(_)
            | Node::Arithmetic(..)
            | Node::Compare(..)
            | Node::If(..)
            | Node::With { .. }
            | Node::In(..)
            | Node::Least(..)
            | Node::Greatest(..)
            | Node::TextContains(..)
            | Node::Length(_)
            | Node::HasBit(..)
            | Node::BitOf(_)
            | Node::Tallied(..)
            | Node::Exists(_) => OwnRead::Nothing,
            Node::Count(_)
            | Node::IsEmpty(_)
            | Node::Some(..)
            | Node::All(..)
            | Node::Only(_)
            | Node::End(..)
            | Node::Ends(..)
            | Node::Outer(..)
            | Node::Where(..)
            | Node::Except(..)
            | Node::Union(..)
            | Node::Joined(..)
            | Node::List(_)
            | Node::Fold(..)
            | Node::Distinct(..)
            | Node::Sorted(..)
            | Node::SameSets(..)
            | Node::Range(..)
            | Node::Numbers(..)
            | Node::Named(..) => OwnRead::Nothing,
            // Players, their seats and teams, the pool, and who owns a card stay the same for the whole game.
            Node::Players
            | Node::Opponent(_)
            | Node::NextPlayer(_)
            | Node::Opponents(_)
            | Node::Clockwise(_)
            | Node::Team(_)
            | Node::Captain(_)
            | Node::EnumValues(_)
            | Node::Catalogue
            | Node::PoolCard(_)
            | Node::Owner(_) => OwnRead::Nothing,
            // An event stays as it was, and so do a cause and the kind and line of an ability.
            Node::EventArg(..)
            | Node::EventCause(_)
            | Node::IsEvent(..)
            | Node::IsTiming(_)
            | Node::Cause(..)
            | Node::IsCause(..)
            | Node::Performer(_)
            | Node::IsKind(..)
            | Node::AbilityText(..) => OwnRead::Nothing,
            Node::Local(_) | Node::Bound(_) | Node::You | Node::This | Node::Done | Node::PartlyDone => OwnRead::Frame,
            Node::Zone(zone, _) | Node::ZoneOfAll(zone) => OwnRead::Zone(zone),
            Node::EveryCard => OwnRead::AllZones,
            Node::ZoneOf(_) | Node::PlaceIn(..) | Node::Arrived(_) => OwnRead::Place,
            Node::Still(_) | Node::Now(_) | Node::Became(_) => OwnRead::Life,
            Node::FaceUp(_) | Node::Host(_) | Node::Attached(_) => OwnRead::Lying,
            Node::CardOf(_) | Node::IsCard(..) | Node::CardName(_) | Node::Original(_) | Node::IsMade(_) => OwnRead::Identity,
            Node::HasEffect(_) | Node::EffectText(_) => OwnRead::TextBox,
            Node::Field(_, field) | Node::Printed(_, field) | Node::FieldHas(_, field, _) => OwnRead::Field(field),
            Node::IsType(..) => OwnRead::Types,
            Node::State(_, state) => OwnRead::State(state),
            Node::Controller(_) => OwnRead::Control,
            Node::Abilities(_) | Node::AbilitiesOfAll(_) | Node::HasKeyword(..) => OwnRead::Abilities,
            Node::Permitted(verb, _) => OwnRead::Permits(verb),
            Node::Fact(fact, ..) => OwnRead::Assumes(fact),
            Node::EffectsOn(_) | Node::Tied | Node::Reaches(_) | Node::Without(..) => OwnRead::Effects,
            Node::Happened(..) | Node::Latest(..) | Node::Events(..) => OwnRead::History,
            Node::Pending
            | Node::Waiting(..)
            | Node::Source(_)
            | Node::Sources(_)
            | Node::Slot(..)
            | Node::StillOf(..)
            | Node::Component(..)
            | Node::IsMoment(..)
            | Node::IsOption(..)
            | Node::EventOf(_) => OwnRead::Waiting,
            Node::Turn | Node::Role(_) | Node::GoesRound | Node::RulesApply => OwnRead::Flow,
            Node::Decider(_) => OwnRead::Decider,
            Node::Losing(_) | Node::Winning(_) | Node::PlaceOf(_) => OwnRead::Verdicts,
            Node::Can(..) | Node::Usable(..) | Node::Payable(..) | Node::Due(..) | Node::Matches(_) => OwnRead::Legality,
            Node::Sees(..) => OwnRead::Sight,
        }
    }
}

/// Whether an expression itself reads something that `is` names, or one of its parts does.
pub fn reads_any(program: &Program, id: NodeId, is: &mut dyn FnMut(&Node) -> bool) -> bool {
    let Some(node) = program.nodes.get(id) else { return false };
    let mut found = is(node);
    if !found {
        super::children(node, program, &mut |child| found = found || reads_any(program, child, is));
    }
    found
}
