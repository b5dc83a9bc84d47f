//! Limits of a run, each with its reason.

/// Statements between two decisions. A rules file that loops for ever is told so; the longest honest run of a game is some
/// thousands.
pub const STEP_BUDGET: u32 = 1_000_000;

/// Calls within one another. Actions that perform one another without end are a rules error, not an overflow of memory.
pub const CALL_DEPTH: usize = 200;

/// Binders around one expression (`where`, `some`, `all`, inlined functions). The compiler refuses more.
pub const BINDERS: usize = 8;

/// Effects whose conditions are being read within one another. Beyond it an effect counts as not holding.
pub const EFFECT_DEPTH: usize = 4;

/// Positions that a trial run may look at before it answers "possible".
pub const TRIAL_POSITIONS: u32 = 200;

/// Events that rules keep. A game that records more between two turns loses the oldest.
pub const HISTORY: usize = 1 << 20;

/// Evaluations within one another: a computed field that an effect changes whose condition reads the field … Beyond it a computed
/// field is undefined.
pub const NESTED: u8 = 24;

/// Continuous effects in force at once. A rules file that begins one in a loop is told so.
pub const EFFECTS: usize = 4096;

/// Branches at once. A `simultaneously` that calls itself is told so.
pub const BRANCHES: usize = 1024;
