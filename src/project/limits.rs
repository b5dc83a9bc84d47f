//! Limits of files, with the reason for each limit. `syntax/limits.rs` has those of one text, `diagnostic/limits.rs` those of reports.

/// The longest file that a person writes, in bytes: rules, cards, scenarios, decks, an index, a list of texts. The longest known ones have
/// 100 KB; a pool of 20,000 cards in one file has some 8 MB. A longer file is refused before it is read.
pub(crate) const LONGEST_FILE: u64 = 32 << 20;

/// The longest save or record, in bytes. The program writes them: a game of 100,000 decisions takes some 10 MB. A device without an end
/// (`/dev/zero`) is read up to here.
pub(crate) const LONGEST_RECORD: u64 = 256 << 20;

/// The most folders that a game uses by `use NAME`, straight or by way of others. Known games use at most a dozen. Without a limit, a chain
/// of folders takes time that grows faster than the chain, and overflows the stack in the end.
pub(crate) const MOST_USED_FOLDERS: usize = 200;
