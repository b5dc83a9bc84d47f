//! The exit codes, the same for every command.
//!
//! Findings have been shown before a command gives its exit code.

use std::process::ExitCode;

/// The three ways a command can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// The command ran, and nothing needs to be mended.
    Fine,
    /// The command ran and found something: a broken file, a failed scenario, a game that ended in a rules error, a replay that differs.
    Findings,
    /// The command could not run: wrong arguments, a missing file, an impossible answer.
    CouldNotRun,
}

impl Exit {
    /// The exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Findings => 1,
            Exit::CouldNotRun => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
