//! Checks that a program is not too large: the numbers in the engine's tables have few bits.
//!
//! The check runs after every declaration and every card, so that the finding stands at the first one that is too many. Each kind of thing
//! is reported once.

use crate::Compiler;
use engine::eval::watch::MOST_BINDS;
use engine::limits::BINDERS;
use engine::state::MOST_ARGUMENTS;
use lang::diagnostic::{Diagnostic, Span};

/// The limit for numbers with 8 bits. Some are left for the engine's own use.
const BYTE: usize = 250;
/// The limit for numbers with 16 bits. Some are left for the engine's own use.
const WORD: usize = 65_000;
/// The limit for zones, which are bits of one number.
const ZONES: usize = 64;
/// The limit for names and intermediate values in one body. Saves are checked against the same number.
const REGISTERS: u16 = 4000;
/// The limit for functions inlined in one another.
const INLINED: usize = 64;
/// The limit for nodes of all expressions, inlined functions included. Large games have some hundred thousand.
const PARTS: usize = 4_000_000;
/// The limit for members that are written one by one, in a list or on a card. A set has at most 65,535 members, and comparing two sets takes
/// the product of their sizes.
const WRITTEN: usize = 4000;
/// The limit for values of one enum.
const VALUES: usize = BYTE;

impl Compiler {
    /// `E0229` for the declaration that exceeds a limit.
    pub(crate) fn check_sizes(&mut self, span: Span) {
        let program = &self.program;
        // The parameters of the last declared verb. An event keeps only a limited number of arguments; further arguments would be lost.
        let parameters = self.symbols.verb_signatures.last().map_or(0, |signature| signature.params.len());
        let sizes = [
            ("parameters of one action (of an option with its player)", parameters, MOST_ARGUMENTS),
            ("zones", program.zones.len(), ZONES),
            ("enums", program.enums.len(), BYTE),
            ("states and pools", program.states.len(), BYTE),
            ("kinds of ability", program.kinds.len(), BYTE),
            ("moments", program.moments.len(), BYTE),
            ("causes", program.causes.len(), engine::eval::cause::MOST_CAUSES),
            ("durations", program.durations.len(), BYTE),
            ("phases", program.phases.len(), BYTE),
            ("rules", program.rules.len(), BYTE),
            ("groups of options", program.groups.len(), BYTE),
            ("options", program.options.len(), WORD),
            ("fields", program.fields.len(), WORD),
            ("actions", program.verbs.len(), WORD),
            ("bodies", program.routines.len(), WORD),
            ("cards", program.cards.len(), WORD),
            ("abilities", program.abilities.len(), WORD),
            ("clauses", program.clauses.len(), WORD),
            ("patterns", program.patterns.len(), WORD),
            ("choices", program.choices.len(), WORD),
        ];
        for (what, size, most) in sizes {
            self.check_size(what, size, most, span);
        }
    }

    /// A copy of the compiler for a text beside the game's cards. It reports `E0229` for this text also if a card was too large in the same
    /// way. A limit that the whole game has passed already is not reported again.
    #[must_use]
    pub fn beside(&self) -> Compiler {
        let mut copy = self.clone();
        copy.too_many.clear();
        let found = copy.found.len();
        copy.check_sizes(Span::default());
        copy.grows_too_big(0, Span::default());
        copy.found.truncate(found);
        copy
    }

    /// `E0229` for an enum's values.
    pub(crate) fn check_values(&mut self, values: usize, span: Span) {
        if values > VALUES {
            self.report(Diagnostic::error("E0229", span).with("what", "values").with("most", VALUES));
        }
    }

    /// `E0229` for a list with too many members.
    pub(crate) fn check_members(&mut self, members: usize, span: Span) {
        self.check_size("members of one list", members, WRITTEN, span);
    }

    /// `E0229` for a body with too many names.
    pub(crate) fn check_registers(&mut self, registers: u16, span: Span) {
        if registers > REGISTERS {
            self.report(Diagnostic::error("E0229", span).with("what", "names in this body").with("most", REGISTERS));
        }
    }

    /// Reports `E0229` if inlined functions make an expression too deep or too big. Gives whether they do.
    pub(crate) fn grows_too_big(&mut self, inlined: usize, span: Span) -> bool {
        let (parts, patterns) = (self.program.nodes.len(), self.program.patterns.len());
        self.check_size("functions in one another", inlined, INLINED, span);
        self.check_size("parts of expressions, functions put in", parts, PARTS, span);
        self.check_size("patterns", patterns, WORD, span);
        inlined > INLINED || parts > PARTS || patterns > WORD
    }

    /// `E0229` for too many binders inside each other, including those of inlined functions. Deeper binders would read as nothing.
    pub(crate) fn binds_too_much(&mut self, binders: usize, span: Span) {
        self.check_size("conditions and functions in one another around one value", binders, BINDERS, span);
    }

    /// `E0229` for names that one pattern binds.
    pub(crate) fn check_binds(&mut self, binds: usize, span: Span) {
        self.check_size("names that one pattern binds", binds, MOST_BINDS, span);
    }

    fn check_size(&mut self, what: &'static str, size: usize, most: usize, span: Span) {
        if size > most && !self.too_many.contains(&what) {
            self.too_many.push(what);
            self.report(Diagnostic::error("E0229", span).with("what", what).with("most", most));
        }
    }
}
