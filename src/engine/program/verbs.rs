//! Verbs: everything that can be done, builtin or declared by the game.

use super::NameDef;
use crate::ids::{CitesId, NodeId, OptionId, RoutineId, VerbId};
use crate::value::Value;
use serde::{Deserialize, Serialize};

/// A verb.
#[derive(Clone, Debug)]
pub struct VerbDef {
    /// Its name.
    pub name: NameDef,
    /// The names of its parameters, in order (of a builtin verb as in [`Builtin::parameters`]).
    pub parameters: Vec<String>,
    /// The index of the parameter that is the player who does it.
    pub actor: Option<u8>,
    /// Its body; none for a builtin verb.
    pub body: Option<RoutineId>,
    /// The condition for it to be possible, over its arguments (`NONE`: none).
    pub condition: NodeId,
    /// Whether only these players are told of it: the player who does it, and players who may know every card among its arguments.
    pub secret: bool,
    /// Whether branches of a lockstep that do it to the same things in one step do it once.
    pub once_in_a_step: bool,
    /// `replaced WORD`: how it counts if its moves were replaced or forbidden.
    pub replaced: ReplacedMoves,
    /// Whether it is a declared timing, which opens a window.
    pub timing: bool,
    /// Whether its events are kept in history, because the program asks for them (`happened`, `latest`).
    pub recorded: bool,
    /// Whether the program asks what the cards of its events were at the time of the event. Then this is kept with the event.
    pub witnessed: bool,
    /// Whether some clause of the program matches it. If not, no effect ever watches it.
    pub watched: bool,
    /// The rules by which it counts as done if it has nothing to act on, or an amount below one. `None`: it does not count as done.
    pub done_with_nothing: Option<CitesId>,
    /// The option that it is, if it is an option of players.
    pub option: Option<OptionId>,
}

/// How an action counts for the cards that its moves have not moved, because effects forbid or replace these moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplacedMoves {
    /// The action is no less done than its moves, and its event is about all cards.
    #[default]
    AsDone,
    /// The action has not happened to these cards, and it is not done in full.
    AsNotDone,
    /// The event of the action is not about these cards, but the action is no less done than its moves.
    Unheard,
}

impl VerbDef {
    /// Whether it is an action that is its moves.
    #[must_use]
    pub fn is_its_moves(&self) -> bool {
        self.replaced != ReplacedMoves::AsDone
    }

    /// A verb as the game declares it. The other fields are filled in later.
    #[must_use]
    pub fn declared(name: NameDef, parameters: Vec<String>, actor: Option<u8>, body: Option<RoutineId>) -> Self {
        Self {
            name,
            parameters,
            actor,
            body,
            condition: NodeId::NONE,
            secret: false,
            once_in_a_step: false,
            replaced: ReplacedMoves::AsDone,
            timing: false,
            recorded: false,
            witnessed: false,
            watched: false,
            done_with_nothing: None,
            option: None,
        }
    }
}

/// The verbs that the engine carries out by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Builtin {
    /// `move(what, to, face?, at?)`: moves cards to a zone, on top unless `at: bottom`. Patterns know the arguments `what`, `to`, `from`
    /// and `was` (the card before the move).
    Move,
    /// `turn_up(what)`.
    TurnUp,
    /// `turn_down(what)`.
    TurnDown,
    /// `shuffle(zone)`.
    Shuffle,
    /// `reveal(what)`: shows cards to all players until the ability or action that does it ends.
    Reveal,
    /// `look(what, by)`: shows cards to one player.
    Look,
    /// `lose(player, judged?)`: raises a verdict, which is judged when the flow says so. `judged: at_once`: it is judged when the step has
    /// ended, whatever else makes verdicts wait.
    Lose,
    /// `win(player, judged?)`: raises a verdict.
    Win,
    /// `order(zone, cards)`: puts the cards on top of the ordered zone in this order, the first one on top.
    Order,
    /// `attach(what, to)`: attaches cards to a card. They are no longer attached to other cards.
    Attach,
    /// `detach(what)`.
    Detach,
    /// `make(what, in, of?, owner?, face?, at?)`: makes a new object that is this card. `of` is what the object stands for.
    Make,
    /// `become(what, like?)`: the objects are copies of that card for the rest of their lives. Without `like` they are themselves again.
    Become,
    /// `control(player, by)`: from now on `by` decides for the player.
    Control,
    /// `coin()`: the result is true for heads.
    Coin,
    /// `die(sides)`: the result is a number from 1 to `sides`.
    Die,
    /// `pick(n, what)`: takes n members at random.
    Pick,
    /// A continuous effect has begun. The arguments: the card that it is of, and what it was begun for. Nobody performs this.
    EffectBegins,
    /// A continuous effect has ended. Nobody performs this.
    EffectEnds,
}

impl Builtin {
    /// All builtin verbs, in the order of their numbers.
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

    /// Whether the verb happens by itself and nobody performs it.
    #[must_use]
    pub fn happens(self) -> bool {
        matches!(self, Builtin::EffectBegins | Builtin::EffectEnds)
    }

    /// The arguments of an event that people are told. The last argument of a move (`was`) is left out, because it is the moved card
    /// itself.
    #[must_use]
    pub fn told(verb: VerbId, args: &[Value]) -> &[Value] {
        let known = if verb == Builtin::Move.verb() { 5 } else { args.len() };
        args.get(..known).unwrap_or(args)
    }

    /// The number of the verb.
    #[must_use]
    pub fn verb(self) -> VerbId {
        VerbId(self as u16)
    }

    /// The name in the rules language.
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

    /// The names of the parameters in order. Parameters that only patterns can use come last.
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
