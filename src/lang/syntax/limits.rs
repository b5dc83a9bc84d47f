//! Limits of a text, with the reason for each limit. `project/limits.rs` has those of files, `diagnostic/limits.rs` those of reports.

/// How many brackets, quotations and nesting words may be open at one place. Nesting words are `if`, `not`, `some`, `all`, `latest`, and `of`
/// after `of`. The parser, the builders and everything that walks a tree recurse once for each level. The stack of a thread (2 MiB) holds twice
/// as many levels, even in a debug build. Rulebooks stay under twelve.
pub(crate) const DEEPEST_NESTING: usize = 100;

/// The longest declaration that is read, in bytes: some thirty times the longest known one. A longer one is `E0134`. The grammar takes a
/// second for 3 MB.
pub(super) const LONGEST_DECLARATION: usize = 1 << 20;

/// The longest line that is read, in bytes. A longer one is `E0149`. Lines of people have at most some hundred signs; a message shows a part
/// of the line, and nobody would find a place in a longer one.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// The most declarations of one file. A pool of 20,000 cards has 20,000. The rest is not read (`E0150`): a file of another sort can have
/// millions of lines that all begin a declaration, and each would be a finding.
pub(super) const MOST_DECLARATIONS: usize = 100_000;

/// The most findings of one scan. Nobody reads more, and each takes memory.
pub(super) const MOST_FINDINGS: usize = 10_000;

/// The most arms of one `if … else if …`. The tree nests one level deeper with each arm.
pub(super) const MOST_ARMS: usize = 100;

/// The most operators and operands in one row. A longer row would become a tree so deep that dropping the tree overflows the stack.
pub(super) const LONGEST_ROW: usize = 400;

/// The most signs of a wrong first line that are looked at for a message.
pub(super) const LONGEST_HEAD: usize = 1000;
