//! Verbs: the engine's own and declared ones.

use super::NameDef;
use crate::engine::ids::{CitesId, NodeId, OptionId, RoutineId, VerbId};
use crate::engine::value::Value;
use serde::{Deserialize, Serialize};

/// A verb.
#[derive(Clone, Debug)]
pub struct VerbDef {
    /// Its name.
    pub name: NameDef,
    /// Its parameters' names, in order (for builtin ones as in [`Builtin::parameters`]).
    pub parameters: Vec<String>,
    /// The parameter that is the player who does it, if there is one.
    pub actor: Option<u8>,
    /// Its body; none for a builtin.
    pub body: Option<RoutineId>,
    /// What has to be so for it to be possible, over its arguments.
    pub condition: NodeId,
    /// It is told to the player who does it, and to those who may know every card among its arguments.
    pub secret: bool,
    /// Some `happened` or `latest` in the program asks for it, so its events are kept.
    pub recorded: bool,
    /// The program asks for its events by what the cards were that they were told of, so that is kept.
    pub witnessed: bool,
    /// Some clause of the program matches it (else nobody can ever watch it).
    pub watched: bool,
    /// Doing it to nothing, or no times, is doing it, by these rules.
    pub done_with_nothing: Option<CitesId>,
    /// It is an option of players.
    pub option: Option<OptionId>,
}

impl VerbDef {
    /// A verb as it is declared, before anything is known of who asks for it or watches it.
    #[must_use]
    pub fn declared(name: NameDef, parameters: Vec<String>, actor: Option<u8>, body: Option<RoutineId>) -> Self {
        Self {
            name,
            parameters,
            actor,
            body,
            condition: NodeId::NONE,
            secret: false,
            recorded: false,
            witnessed: false,
            watched: false,
            done_with_nothing: None,
            option: None,
        }
    }
}

/// The verbs that the engine carries out itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Builtin {
    /// `move(what, to, face?, at?)`: cards to a zone; on top unless `at: bottom`. Pattern arguments: `what`, `to`, `from`, `was`
    /// (the card as it was before).
    Move,
    /// `turn_up(what)`.
    TurnUp,
    /// `turn_down(what)`.
    TurnDown,
    /// `shuffle(zone)`.
    Shuffle,
    /// `reveal(what)`: to all players, until the ability or action that does it ends.
    Reveal,
    /// `look(what, by)`: to one player.
    Look,
    /// `lose(player, judged?)`: a verdict, judged when the flow says; `judged: at_once`: when the step has ended, whatever holds verdicts back.
    Lose,
    /// `win(player, judged?)`: a verdict.
    Win,
    /// `order(zone, cards)`: puts the named cards on top of the ordered zone in the given order (first = top).
    Order,
    /// `attach(what, to)`: cards to a card; those that were attached to another are no longer.
    Attach,
    /// `detach(what)`.
    Detach,
    /// `make(what, in, of?, owner?, face?, at?)`: a new object that is that card; `of`: what it stands for.
    Make,
    /// `become(what, like?)`: they are a copy of that card for the rest of their lives; without one they are themselves again.
    Become,
    /// `control(player, by)`: decides for a player from now on.
    Control,
    /// `coin()`: heads is true.
    Coin,
    /// `die(sides)`: from 1.
    Die,
    /// `pick(n, what)`: so many of them at random.
    Pick,
    /// A continuous effect has begun: whose card it is of, what it was begun for. It happens by itself.
    EffectBegins,
    /// A continuous effect has ended.
    EffectEnds,
}

impl Builtin {
    /// All, in the order of their numbers.
    pub const ALL: [Builtin; 19] = [
        Builtin::Move,
        Builtin::TurnUp,
        Builtin::TurnDown,
        Builtin::Shuffle,
        Builtin::Reveal,
        Builtin::Look,
        Builtin::Lose,
        Builtin::Win,
        Builtin::Order,
        Builtin::Attach,
        Builtin::Detach,
        Builtin::Make,
        Builtin::Become,
        Builtin::Control,
        Builtin::Coin,
        Builtin::Die,
        Builtin::Pick,
        Builtin::EffectBegins,
        Builtin::EffectEnds,
    ];

    /// It happens by itself: nobody performs it.
    #[must_use]
    pub fn happens(self) -> bool {
        matches!(self, Builtin::EffectBegins | Builtin::EffectEnds)
    }

    /// The arguments of an event that people are told of: that a card which moved is also the one that it was says nothing to them.
    #[must_use]
    pub fn told(verb: VerbId, args: &[Value]) -> &[Value] {
        let known = if verb == Builtin::Move.verb() { 5 } else { args.len() };
        args.get(..known).unwrap_or(args)
    }

    /// Its verb.
    #[must_use]
    pub fn verb(self) -> VerbId {
        VerbId(self as u16)
    }

    /// The name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Move => "move",
            Builtin::TurnUp => "turn_up",
            Builtin::TurnDown => "turn_down",
            Builtin::Shuffle => "shuffle",
            Builtin::Reveal => "reveal",
            Builtin::Look => "look",
            Builtin::Lose => "lose",
            Builtin::Win => "win",
            Builtin::Order => "order",
            Builtin::Attach => "attach",
            Builtin::Detach => "detach",
            Builtin::Make => "make",
            Builtin::Become => "become",
            Builtin::Control => "control",
            Builtin::Coin => "coin",
            Builtin::Die => "die",
            Builtin::Pick => "pick",
            Builtin::EffectBegins => "effect_begins",
            Builtin::EffectEnds => "effect_ends",
        }
    }

    /// Names of the parameters, in order; those that only patterns see come last.
    #[must_use]
    pub fn parameters(self) -> &'static [&'static str] {
        match self {
            Builtin::Move => &["what", "to", "face", "at", "from", "was"],
            Builtin::TurnUp | Builtin::TurnDown | Builtin::Detach => &["what"],
            Builtin::Reveal => &["what", "until", "while"],
            Builtin::Shuffle => &["zone"],
            Builtin::Look => &["what", "by", "until", "while"],
            Builtin::Lose | Builtin::Win => &["player", "judged"],
            Builtin::Order => &["zone", "cards"],
            Builtin::Attach => &["what", "to"],
            Builtin::Make => &["what", "in", "of", "owner", "face", "at"],
            Builtin::Become => &["what", "like"],
            Builtin::Control => &["player", "by"],
            Builtin::Coin => &["result"],
            Builtin::Die => &["sides", "result"],
            Builtin::Pick => &["n", "what"],
            Builtin::EffectBegins | Builtin::EffectEnds => &["source", "on"],
        }
    }
}
