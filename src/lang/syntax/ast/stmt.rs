//! The tree of statements and clauses: what a flow or an effect does, in order. Each can have citations in its margin.

use super::{Arg, Cite, Expr, Name, Pattern, Pick};
use crate::diagnostic::Span;

/// `{ … }`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// The statements in order.
    pub statements: Vec<Stmt>,
    /// From `{` to `}`.
    pub span: Span,
    /// The rules beside the `else` or `aborted` before it.
    pub head: Vec<Cite>,
    /// The rules after its `}`: they cover its end.
    pub end: Vec<Cite>,
}

/// A statement with the citations in its margin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// The rules that the statement carries out.
    pub cites: Vec<Cite>,
    /// The kind of statement.
    pub kind: StmtKind,
    /// Where the statement stands, citations left out.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `let x = e`. If `e` is a call that performs, its result is the objects that the call was done to.
    Let(Name, Expr),
    /// `x = e`, `p.stake = e`: sets a local name again, or a declared state or pool of a card or player.
    Assign(Expr, Expr),
    /// `if c { } else if d { } else { }`. An `else if` is an `else` block with one `if`.
    If(Expr, Block, Option<Block>),
    /// `loop { }`.
    Loop(Block),
    /// `repeat n { }`: n times. A number below one performs nothing.
    Repeat(Expr, Block),
    /// `for x in S { }`: S is taken once, before the first round.
    For(Name, Expr, Block),
    /// `break`.
    Break,
    /// `return` or `return(e)`.
    Return(Option<Expr>),
    /// `stop`: the ability or action ends here.
    Stop,
    /// `label x`.
    Label(Name),
    /// `restart x`.
    Restart(Name),
    /// `choose x: 1 from S by p`.
    Choose(Box<Choose>),
    /// `choose x: payment(p, icons) by p`: chooses units for the requirements of a match, one after the other.
    ChooseMatch {
        /// The local name that holds what was chosen.
        name: Name,
        /// The match.
        of: Name,
        /// The arguments of the match.
        args: Vec<Arg>,
        /// The question that the player reads, if it differs from the label of the match.
        label: Option<String>,
        /// Who chooses; the acting player when not given.
        by: Option<Expr>,
    },
    /// `may p "もう1枚引く" { }`, `may p attempt { }`: a yes or no before the block. With `attempt` the block holds one attempt.
    May(Expr, Block, MayAsk),
    /// `attempt { } else { }`: all of it or nothing.
    Attempt(Block, Option<Block>),
    /// `as far as possible { }`.
    AsFarAsPossible(Block),
    /// `applies if C`: the rules of the statement are traced if the condition is true. Nothing else is done.
    Applies(Expr),
    /// `simultaneously for p in S { }`, with the order of choices where given.
    SimultaneouslyFor {
        /// `in order`: the questions of a step are asked one after the other.
        in_order: bool,
        /// The branch's member.
        binder: Name,
        /// The members.
        set: Expr,
        /// Every branch's block.
        body: Block,
    },
    /// `simultaneously { } { }`.
    Simultaneously(Vec<Block>),
    /// `judge together { }`. With a condition that a param or a reading decides: only if it is true.
    Judge(Option<Expr>, Block),
    /// `atomically { }`.
    Atomically(Block),
    /// `veiled { }`. With a condition that a param or a reading decides: only if it is true. Choices in the block see other players' things
    /// as they were before the block.
    Veiled(Option<Expr>, Block),
    /// `finally { }`: carried out in whatever way the rest of the surrounding block is left.
    Finally(Block),
    /// `perform a`.
    Perform(Expr),
    /// `acting as p { }`: `you` is `p` in the block.
    ActingAs(Expr, Block),
    /// `move(c, hand(p))`: a builtin verb, an action, a procedure.
    Call(Name, Vec<Arg>),
    /// `put by { } until result`: the block is kept until the flow performs it.
    PutBy(Block, Option<Name>),
    /// `lasting this_turn { clauses }`.
    Lasting(Name, Vec<Clause>),
    /// `emit E(args)`, with the mark of `once each ability since m`.
    Emit(Name, Vec<Arg>, Option<Name>),
    /// `offer p from group { acted { } passed { } }`.
    Offer(Box<Offer>),
    /// `declare a: offer ap from group or pass`.
    Declare(Name, Box<Offer>),
    /// `recheck still(c) else { }`.
    Recheck(Vec<Expr>, Option<Block>),
    /// `interrupt TIMING(args)`.
    Interrupt(Name, Vec<Arg>),
    /// `interrupt for c in S: TIMING(args)`: an event for each member, and one window for all of them.
    InterruptFor {
        /// The name of the member.
        binder: Name,
        /// The set.
        set: Expr,
        /// The timing.
        timing: Name,
        /// The arguments of each event.
        args: Vec<Arg>,
    },
    /// `watch C { } aborted { }`.
    Watch(Expr, Block, Block),
    /// `during battle_step(attackers: a) { }`.
    During(Name, Vec<Arg>, Block),
    /// `apply rules`.
    ApplyRules,
    /// `mark rules_checked`.
    Mark(Name, MarkReach),
    /// `$e`: the filling of a template's hole. Only in a wording's script.
    Hole(Name),
}

/// How `may` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MayAsk {
    /// The question that the player reads.
    pub label: Option<String>,
    /// `secretly`: the other players see neither the question nor the answer.
    pub secretly: bool,
}

/// `choose x: 1 from S by p secretly`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choose {
    /// The local name that holds the answer. It is also the decision's name, unless a declared choice has that name.
    pub name: Name,
    /// The question that the player reads, if it differs from the label of the declared choice.
    pub label: Option<String>,
    /// The amount and the domain.
    pub pick: Pick,
    /// A condition on the whole answer (`together alike(picked)`).
    pub together: Option<Expr>,
    /// Who chooses; the acting player when not given.
    pub by: Option<Expr>,
    /// Whether other players may see the answer, and whether the chooser may see the domain.
    pub manner: Manner,
    /// `or none`: the chooser may take none, although a number is given.
    pub or_none: bool,
    /// `called "上", "下"`: what the numbers 1, 2, … of the answer mean.
    pub called: Vec<String>,
}

/// How a choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Manner {
    /// Everybody sees the answer.
    Openly,
    /// `secretly`: the others see only that a choice was made.
    Secretly,
    /// `blindly`: the chooser sees places in random order instead of the objects.
    Blindly,
    /// `ranked`, `ranked secretly`: the order of the answer counts.
    Ranked {
        /// Others see only that it was made.
        secretly: bool,
    },
}

/// `offer p from group or pass secretly { acted { } passed { } }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The player to whom the options are offered.
    pub player: Expr,
    /// The question that the player reads.
    pub label: Option<String>,
    /// The groups of options.
    pub from: Vec<Expr>,
    /// `or pass`.
    pub or_pass: bool,
    /// `secretly`: the others see neither the question nor a pass.
    pub secretly: bool,
    /// Run after an option was taken.
    pub acted: Option<Block>,
    /// The rules beside the `acted` arm.
    pub acted_cites: Vec<Cite>,
    /// Run after a pass.
    pub passed: Option<Block>,
    /// The rules beside the `passed` arm.
    pub passed_cites: Vec<Cite>,
}

/// A clause of a continuous effect, static or lasting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The rules that the clause carries out.
    pub cites: Vec<Cite>,
    /// The kind of clause.
    pub kind: ClauseKind,
    /// Where the clause stands.
    pub span: Span,
}

/// The kinds of clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClauseKind {
    /// `modify X { win + 2  colour = red }`.
    Modify(Expr, Vec<Change>),
    /// `grant X { when draw(you) { … }  keyword swift  power = 3 }`: gives abilities, keywords, or values to fields that have none.
    Grant(Expr, Vec<Granted>),
    /// `strip X { abilities  keyword swift  kin }`: takes away abilities, keywords, values of fields.
    Strip(Expr, Vec<Stripped>),
    /// `disable S`: these abilities stay and do nothing.
    Disable(Expr),
    /// `forbid PATTERN`.
    Forbid(Pattern),
    /// `permit PATTERN`.
    Permit(Pattern),
    /// `require in CHOICE: e`.
    Require(Name, Expr),
    /// `instead of PATTERN { body }`.
    Instead(Pattern, Block),
    /// `when PATTERN { body }`.
    When(Pattern, Block),
    /// `whenever C becomes true { body }`.
    Whenever(Expr, Block),
    /// `next time PATTERN { body }`.
    NextTime(Pattern, Block),
    /// `next time instead of PATTERN { … }`
    NextInstead(Pattern, Block),
    /// `price of X { ep + 1 }`: changes the price of the abilities, or of the abilities of the cards.
    Price(Expr, Vec<Change>),
    /// `assume FACT`.
    Assume(Expr),
    /// `shield X from effects before now`, `shield X from choices`.
    Shield(Shield),
    /// `while C { clauses }`: the clauses hold only while C is true.
    While(Expr, Vec<Clause>),
    /// `$c`: the filling of a template's hole.
    Hole(Name),
}

/// What a `grant` gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Granted {
    /// An ability, or a declared keyword with all its abilities.
    Ability(super::Ability),
    /// `power = 3`: a value for a field that has none.
    Change(Change),
    /// `other: [discard(1 from hand(you))]`: a value for a slot, in abilities where the slot is empty.
    Slot(Name, Expr),
    /// `like abilities(c)`: abilities like those of a set, which are abilities of other cards.
    Like(Expr),
}

/// What a `strip` takes away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stripped {
    /// `keyword swift`: every ability that came with it.
    Keyword(Name),
    /// `abilities`, `abilities: automatic`: all abilities, or those of one kind.
    Abilities(Option<Name>),
    /// `when … { }`: every ability with that script.
    Ability(Box<super::Ability>),
    /// `kin`: the value of a field.
    Field(ChangeField),
}

/// `win + 2`, `colour = red`, `kinds + 風`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The field, or a hole `$f` in a wording.
    pub field: ChangeField,
    /// The operation.
    pub op: ChangeOp,
    /// The operand.
    pub value: Expr,
    /// Where the change stands.
    pub span: Span,
}

/// The field that a change names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum ChangeField {
    Named(Name),
    Hole(Name),
}

/// `shield X from effects where C`: effects do not apply to these cards. `shield X from choices where C`: effects do not choose these cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shield {
    /// The cards.
    pub cards: Expr,
    /// What is kept off.
    pub from: ShieldFrom,
    /// The effects (each is `it`). None: all effects.
    pub effects: Option<Expr>,
}

/// What a shield keeps off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShieldFrom {
    /// `effects`.
    Effects,
    /// `effects before now`: effects that began earlier.
    EffectsBefore,
    /// `effects lowering F`, `effects raising F`: changes of a field of numbers that make the value less, or greater.
    EffectsThat(Turn, Name),
    /// `choices in A, B`: what effects choose in these declared choices. Without names: in all choices.
    Choices(Vec<Name>),
}

/// How long a mark holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkReach {
    /// Until it is set again.
    Game,
    /// `only here`: until the stretch ends in which the mark is set. Then the mark is again what it was before.
    Stretch,
    /// `from m`: the mark is set where the mark m stands, until it is set again.
    Copied(Name),
}

/// Which way a change turns a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Turn {
    Lowering,
    Raising,
}

impl Turn {
    /// The word of the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Turn::Lowering => "lowering",
            Turn::Raising => "raising",
        }
    }
}

/// The operation of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeOp {
    /// `at least`.
    Floor,
    /// `=`: set.
    Set,
    /// `printed =`: sets the printed value itself (元々の〜はNになる).
    SetPrinted,
    /// `printed +`: adds a value that counts as printed.
    AddPrinted,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
}
