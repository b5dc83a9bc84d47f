//! What several commands share: arguments, the files and games that they work on, printing, exit codes.
//!
//! | file | does |
//! | --- | --- |
//! | `again.rs` | the flags that repeat a simulated game |
//! | `arguments.rs` | the command line in the reader's language |
//! | `audited.rs` | loads a game with its scenarios, for the audit |
//! | `card_text.rs` | shows a card |
//! | `chance.rs` | a random seed |
//! | `context.rs`, `context/` | language and folders of a command; `output.rs`: format, printing |
//! | `exit.rs` | the exit code |
//! | `failure.rs` | errors of a run as diagnostics |
//! | `files.rs` | reads and writes files |
//! | `loading.rs` | finds and loads the game of a command |
//! | `origin.rs` | whether a save or record fits the game and the program |
//! | `page.rs` | a game in a single folder |
//! | `paths.rs` | the files that paths name |
//! | `reasons.rs` | the words of answers to `why` questions about a scenario |
//! | `which.rs` | the scenarios that a path names |
//! | `written.rs` | writes a game as a scenario |

pub(super) mod again;
pub(super) mod arguments;
pub(super) mod audited;
pub(super) mod card_text;
pub(super) mod chance;
pub(super) mod context;
pub(super) mod exit;
pub(super) mod failure;
pub(super) mod files;
pub(super) mod loading;
pub(super) mod origin;
pub(super) mod page;
pub(super) mod paths;
pub(super) mod reasons;
pub(super) mod which;
pub(super) mod written;
