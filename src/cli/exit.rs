//! How a command ended, as every command tells the shell.
//!
//! Deliberately absent: what was found; that has been shown by then.

use std::process::ExitCode;

/// The three ways a command can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// It ran, and there is nothing to mend.
    Fine,
    /// It ran and found something: a broken file, a failed scenario, a game that ended in a rules error, a replay that differs.
    Findings,
    /// It could not run: wrong arguments, a file that is not there, an answer that is not one.
    CouldNotRun,
}

impl Exit {
    /// The number for the shell.
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
