//! Limits of a run, each with its reason.

/// The most players of a game. Players who see a card, or on whom a verdict was raised, are stored in bytes with one bit for each player.
pub const PLAYERS: usize = 8;

/// The most statements between two decisions. A game with an endless loop gets an error. The longest run of a sound game is some thousands.
pub const STEP_BUDGET: u32 = 1_000_000;

/// The most work between two decisions that the number of statements does not show: comparing a position with a long history, walking
/// through many effects in force, and weighing them against one another. One unit takes about five nanoseconds, so this is about a second.
pub const WORK_BUDGET: u64 = 200_000_000;

/// The most work of a whole game: all its work, and its statements ([`WORK_OF_A_STEP`]). The games of this repository take some
/// hundredths of this at most. One unit takes about five nanoseconds, so this is some seconds.
pub const GAME_BUDGET: u64 = 1_000_000_000;

/// The work of a statement, as a part of the work of a whole game.
pub(crate) const WORK_OF_A_STEP: u64 = 16;

/// The work of comparing an event of history with a pattern.
pub(crate) const WORK_OF_AN_EVENT: usize = 8;

/// The most effects in force that make no statement slower in a way that matters.
pub(crate) const FEW_EFFECTS: usize = 64;

/// The work of any statement that is more than a jump, for each effect in force if there are many: nearly every change is compared with all
/// of them.
pub(crate) const WORK_OF_AN_EFFECT: usize = 1;

/// The work of finding the clause of an effect, in a walk through the effects in force.
pub(crate) const WORK_OF_A_LOOK: usize = 2;

/// The work of evaluating a condition or a pattern of an effect.
pub(crate) const WORK_OF_A_CONDITION: usize = 16;

/// The work of each member of a set that an effect looks through, or that is looked through for each member of another set, or that is large.
pub(crate) const WORK_OF_A_MEMBER: usize = 4;

/// The work of each card, if one statement does something to very many cards.
pub(crate) const WORK_OF_A_CHANGE: usize = 64;

/// A set with more members is large: to look through it for each statement of a long run takes too long.
pub(crate) const MANY_MEMBERS: usize = 100;

/// The deepest nesting of calls. Actions that perform one another without end are a rules error, not an overflow of memory.
pub(crate) const CALL_DEPTH: usize = 200;

/// The most binders around one expression (`where`, `some`, `all`, inlined functions). The compiler refuses more.
pub const BINDERS: usize = 8;

/// The deepest nesting of effects whose conditions or amounts are being read. An effect that is nested more deeply counts as absent, unless
/// [`DEEP_READINGS`] readings are enough to find out.
pub(crate) const EFFECT_DEPTH: usize = 4;

/// The deepest nesting if few effects read one another. A chain of effects up to this length counts. A longer chain is a rules error.
pub(crate) const DEEP_EFFECT_DEPTH: usize = 16;

/// The most readings of effects within one effect that go deeper than [`EFFECT_DEPTH`]. A chain of sixteen effects takes about three
/// hundred. If each effect reads each other effect, each step inwards multiplies the number by the number of effects.
pub(crate) const DEEP_READINGS: u32 = 500;

/// The most readings of effects inside readings of other effects, in one statement. Nine cards whose amounts are sums over all nine would
/// take more. Sensible effects take some thousands.
pub(crate) const EFFECTS_WITHIN: u32 = 300_000;

/// The most positions that a trial run looks at. Then it answers "possible".
pub(crate) const TRIAL_POSITIONS: u32 = 200;

/// The most answers that are tried to find out whether a choice that has come back can lead elsewhere. A choice with more answers counts as
/// one that can.
pub(crate) const SOUNDED: usize = 64;

/// The most units that are tried for one question about requirements of several demands that share their units. A cost of ten signs in
/// three demands takes some dozens.
pub(crate) const MATCH_TRIALS: u32 = 1000;

/// The most table entries of a match with joining members or several demands, multiplied by its sorts of units: one unit of each sort is
/// tried with the tables of the rest. A cost of ten signs and sixty units, all of different sorts, makes some ten thousands.
pub(crate) const MATCH_CELLS: usize = 500_000;

/// The most events in history. Later events are not recorded any more.
pub(crate) const HISTORY: usize = 1 << 20;

/// The most questions whether an effect takes an ability away, asked for one question. Sensible effects are asked some hundreds of times.
pub(crate) const SILENCE_LOOKS: u32 = 2_000_000;

/// The most looks at members of a set within two other sets, in one statement. Three sets of sixty cards within one another take some two
/// hundred thousand looks.
pub(crate) const LOOKS_WITHIN: u32 = 4_000_000;

/// The deepest nesting of evaluations. An example: an effect changes a computed field, and its condition reads the field. More is a rules
/// error.
pub(crate) const NESTED: u8 = 64;

/// The most continuous effects in force at one time. A game that begins effects in an endless loop gets an error.
pub(crate) const EFFECTS: usize = 4096;

/// The most abilities and blocks that wait at one time. A game that puts blocks by in an endless loop gets an error.
pub(crate) const WAITING: usize = 10_000;

/// A `without` in the clause of an effect counts as this many readings of effects, because it settles all effects anew on a copy of the
/// state.
pub(crate) const READINGS_OF_A_COPY: u32 = 10;

/// How deeply `without` may be nested: copies of the state on which some effects are left out. A deeper reading is undefined.
pub(crate) const SUPPOSED: u8 = 2;

/// The most branches at one time. A `simultaneously` that calls itself without end gets an error.
pub(crate) const BRANCHES: usize = 1024;

/// The most objects in a game, made objects included. A game that makes objects in an endless loop gets an error.
pub(crate) const OBJECTS: usize = 20_000;

/// The most listed members of a range of numbers. If one number of a longer range is chosen, the player names it. Anywhere else a longer
/// range is a rules error.
pub const RANGE: usize = 1000;

/// The greatest number that can be named in a range without an end. It leaves room to calculate in 32 bits.
pub const NAMED: i32 = 1_000_000_000;

/// The most numbers that are looked at to find one that fits, if no listed number fits.
pub(crate) const LOOKED_THROUGH: i32 = 100_000;

/// The most repetitions of a round of decisions that players can name. Each round is played, and the game must not stand still over it.
pub const ROUNDS: u32 = 100_000;

/// The most cards of one deck, and of one seat in a position. No game allows as many. The limit keeps a typing error from filling the
/// memory.
pub const CARDS: usize = 1000;

/// The most looks at parts of a joint condition, for one question. A sensible condition needs some thousands. More is a rules error.
pub(crate) const JOINT_LOOKS: u32 = 4_000_000;

/// The most of these looks, if the question can be asked without knowing the greatest number of members of an answer.
pub(crate) const JOINT_LOOKS_LOOSE: u32 = 200_000;

/// The work of such a look.
pub(crate) const WORK_OF_A_JOINT_LOOK: usize = 12;

/// The most looks to read a joint condition as counts of members. A condition on all pairs of 400 members takes some hundred
/// thousands.
pub(crate) const JOINT_READS: u32 = 1_000_000;

/// The most looks at arcs of flows, for one question with a joint condition that is read as counts. Twenty attackers and twenty blockers
/// take some ten thousands.
pub(crate) const JOINT_FLOWS: u32 = 4_000_000;

/// The most looks to list the answers to such a question, if it has more than [`JOINT_FEW`] members. Answers are drawn by flows then.
pub(crate) const JOINT_LOOKS_KNOWN: u32 = 5_000;

/// The answers to a question with at most this many members are listed.
pub(crate) const JOINT_FEW: usize = 16;

/// The most blocks of answers to a question with a joint condition that a trial run tries. If there are more, it answers "possible".
pub(crate) const JOINT_TRIES: usize = 16;

/// The most ways to act in one offer. If an option would have more, the option's body asks for the rest.
pub const PLAYS: usize = 4096;

/// The most combinations of arguments of one option that are looked at for ways to act. Each may take a trial run.
pub(crate) const CANDIDATES: usize = 50_000;

/// How often one way to act may be taken and fail in one position although other answers would succeed. Then it is not offered there any
/// more.
pub(crate) const FAILURES: usize = 16;

/// The most positions of offers that are kept if players name how often a round of decisions is repeated. A longer round is not noticed.
pub(crate) const OFFER_POSITIONS: usize = 64;

/// How often a loop without decisions goes round on a copy of the game before it counts as endless, if its rounds differ only in numbers and
/// effects.
pub(crate) const ENDLESS_ROUNDS: u16 = 200;

/// How often a loop must have been seen to go round, with rounds that differ only in numbers and effects, if it counts as endless at a limit
/// of the run. Not every round is looked at, so these rounds stand for many more.
pub(crate) const ROUNDS_SEEN: u16 = 50;

/// The number of statements without a decision after which the engine looks for a circle. Sound games decide something long before.
pub(crate) const LOOP_AFTER: u32 = 20_000;
