//! Reads answers, from a person at a terminal or from a pipe, with their places for diagnostics.

use lang::diagnostic::{Diagnostic, FileId, Sources, Span};
use std::io::{BufRead, IsTerminal, Read};

/// The bytes of the longest line. A longer one is no answer, and may have no end.
const LONGEST: u64 = 1 << 20;

/// Standard input, line by line. The lines read are kept, so that a refused answer can be shown in its place.
pub(super) struct Input {
    terminal: bool,
    read: String,
    last: (u32, u32),
}

impl Input {
    /// Standard input.
    #[must_use]
    pub(super) fn standard() -> Self {
        Self { terminal: std::io::stdin().is_terminal(), read: String::new(), last: (0, 0) }
    }

    /// Whether a person types.
    #[must_use]
    pub(super) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// The next line without its end; none at the end of the input. Bytes that are no UTF-8 become replacement signs, which are no answer.
    /// Reads only the beginning of a line that is too long, and puts `…` after it, so that it is no answer.
    pub(super) fn line(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        let count = std::io::stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes).unwrap_or(0);
        if count == 0 {
            return None;
        }
        if count as u64 == LONGEST && bytes.last() != Some(&b'\n') {
            bytes.extend("…".as_bytes());
        }
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim_end_matches(['\n', '\r']);
        let start = self.read.len() as u32;
        self.read.push_str(line);
        self.last = (start, self.read.len() as u32);
        self.read.push('\n');
        Some(line.to_owned())
    }

    /// A finding about the last line. If the input is no terminal, it gets that line's place.
    #[must_use]
    pub(super) fn placed(&self, mut finding: Diagnostic) -> (Diagnostic, Sources) {
        let mut sources = Sources::default();
        if !self.terminal {
            let file: FileId = sources.add("<stdin>", self.read.as_str());
            finding.span = Some(Span { file, start: self.last.0, end: self.last.1 });
        }
        (finding, sources)
    }
}
