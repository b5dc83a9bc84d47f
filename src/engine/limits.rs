//! Limits of a run, each with its reason.

/// Players of a game: who sees a card, and on whom verdicts were raised, are bytes with a bit for each player.
pub const PLAYERS: usize = 8;

/// Statements between two decisions. A rules file that loops for ever is told so; the longest honest run of a game is some
/// thousands.
pub const STEP_BUDGET: u32 = 1_000_000;

/// Calls within one another. Actions that perform one another without end are a rules error, not an overflow of memory.
pub const CALL_DEPTH: usize = 200;

/// Binders around one expression (`where`, `some`, `all`, inlined functions). The compiler refuses more.
pub const BINDERS: usize = 8;

/// Effects whose conditions or amounts are being read within one another. An effect further in counts as not there, unless [`DEEP_READINGS`]
/// readings are enough to find out.
pub const EFFECT_DEPTH: usize = 4;

/// The same where few effects read one another: a chain of this length counts, and a longer one is an error of the rules.
pub const DEEP_EFFECT_DEPTH: usize = 16;

/// Readings of effects within one effect that go deeper than [`EFFECT_DEPTH`]. A chain of sixteen effects takes about three hundred; where
/// each effect reads each other one, the number grows with each step inwards by the number of effects.
pub const DEEP_READINGS: u32 = 500;

/// How often effects are read while other effects are being read, in one statement. Nine cards whose amounts are sums over all nine would
/// take more than this; sensible effects take some thousands.
pub const EFFECTS_WITHIN: u32 = 300_000;

/// Positions that a trial run may look at before it answers "possible".
pub const TRIAL_POSITIONS: u32 = 200;

/// Answers that are tried to find out whether a choice that has come back can lead anywhere else. With more it counts as possible.
pub const SOUNDED: usize = 64;

/// Units that are tried for requirements of several demands that share their units, for one question. A cost of ten signs in three demands
/// takes some dozens.
pub const MATCH_TRIALS: u32 = 1000;

/// Entries of the tables of a match with joining members or several demands, times its units: each unit is tried with the tables of the
/// rest. A cost of ten signs and sixty units makes some ten thousands.
pub const MATCH_CELLS: usize = 50_000_000;

/// Events that rules keep. A game that records more between two turns loses the oldest.
pub const HISTORY: usize = 1 << 20;

/// How often effects are asked whether they take an ability away, for one question. Sensible effects are asked some hundreds of times.
pub const SILENCE_LOOKS: u32 = 2_000_000;

/// How often members of sets are looked at within two other sets, in one statement. Three sets of sixty cards within one another take some
/// two hundred thousand looks.
pub const LOOKS_WITHIN: u32 = 4_000_000;

/// Evaluations within one another: a computed field that an effect changes whose condition reads the field … More is an error of the rules.
pub const NESTED: u8 = 64;

/// Continuous effects in force at once. A rules file that begins one in a loop is told so.
pub const EFFECTS: usize = 4096;

/// Abilities and blocks that wait at once. A rules file that puts one by in a loop is told so.
pub const WAITING: usize = 10_000;

/// As many readings of effects counts a copy of the state that the clause of an effect asks for with `without`: it settles all effects anew.
pub const READINGS_OF_A_COPY: u32 = 10;

/// Copies of the state within one another on which something is read as if effects were not in force. Beyond it what is read there is
/// undefined.
pub const SUPPOSED: u8 = 2;

/// Branches at once. A `simultaneously` that calls itself is told so.
pub const BRANCHES: usize = 1024;

/// Objects in a game, with those that were made. A rules file that makes one in a loop is told so.
pub const OBJECTS: usize = 20_000;

/// Members of a range of numbers that are listed. Of more one is named, where one is chosen; anywhere else more are an error of the rules.
pub const RANGE: usize = 1000;

/// The greatest number that is named where a range has no end: there is room left to calculate with it in 32 bits.
pub const NAMED: i32 = 1_000_000_000;

/// Numbers that are looked at for one that fits, where none that is listed does.
pub const LOOKED_THROUGH: i32 = 100_000;

/// How often players repeat a round of decisions at most: each round is played, and a game must not stand still over it.
pub const ROUNDS: u32 = 100_000;

/// Cards of one deck, and of one seat in a position. No game allows as many, and a slip of the finger must not fill the memory.
pub const CARDS: usize = 1000;

/// Looks at parts of a joint condition for one question: what has a sensible condition needs some thousands. More is an error of the rules.
pub const JOINT_LOOKS: u32 = 4_000_000;

/// The same where the question can be asked without having found out how many an answer has at most.
pub const JOINT_LOOKS_LOOSE: u32 = 200_000;

/// Blocks of answers to a question with a joint condition that a trial run tries; where there are more it answers "possible".
pub const JOINT_TRIES: usize = 16;

/// Ways to act in one offer. What has more is chosen in parts: the option's body asks for the rest.
pub const PLAYS: usize = 4096;

/// Combinations of arguments of one option that are looked at for ways to act. Each may take a trial run.
pub const CANDIDATES: usize = 50_000;

/// How often one way to act may be taken and fail in one position, while other answers would do, before it is not offered there any more.
pub const FAILURES: usize = 16;

/// Positions of offers that are kept where players name how often a round of decisions is repeated. A longer round is not noticed.
pub const LAPS: usize = 64;

/// Statements without a decision after which the flow is looked at for going round in a circle. Honest runs end long before.
pub const LOOP_AFTER: u32 = 20_000;
