//! The places of a program's parts in the sources. For traces and diagnostics; the engine never reads them.

use engine::ids::{AbilityId, CardId, ChoiceId, ClauseId, Id, MatchId, Pc, RoutineId, RuleId, VerbId};
use engine::program::Program;
use lang::diagnostic::{Sources, Span};

/// The places by number.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    pub(crate) code: Vec<Span>,
    pub(crate) routines: Vec<Span>,
    pub(crate) verbs: Vec<Span>,
    pub(crate) rules: Vec<Span>,
    pub(crate) cards: Vec<Span>,
    pub(crate) abilities: Vec<Span>,
    pub(crate) clauses: Vec<Span>,
    pub(crate) operands: Vec<Span>,
    pub(crate) matches: Vec<[Span; 2]>,
    /// What a number means as the answer to a choice.
    pub(crate) answers: Vec<(ChoiceId, i32, Span)>,
    /// The printed texts of cards, in the order of the files.
    pub(crate) texts: Vec<Span>,
}

impl SourceMap {
    /// A statement's place.
    #[must_use]
    pub fn code(&self, pc: Pc) -> Option<Span> {
        self.code.get(pc.index()).copied()
    }

    /// The place of the statements that a number stands for, as the answer to a choice.
    #[must_use]
    pub fn answer(&self, choice: ChoiceId, number: i32) -> Option<Span> {
        self.answers.iter().find(|(of, meant, _)| (*of, *meant) == (choice, number)).map(|(.., span)| *span)
    }

    /// Whether a place lies in the printed text of a card.
    #[must_use]
    pub fn is_printed(&self, span: Span) -> bool {
        self.texts.iter().any(|text| text.file == span.file && text.start <= span.start && span.end <= text.end)
    }

    /// The place of a condition with citations of its own, by its number.
    #[must_use]
    pub fn operand(&self, number: usize) -> Option<Span> {
        self.operands.get(number).copied()
    }

    /// The place of the line with a match's requirements, or with its joining members (`joins`).
    #[must_use]
    pub fn line_of_match(&self, id: MatchId, joins: bool) -> Option<Span> {
        let [needs, joined] = self.matches.get(id.index())?;
        Some(if joins { *joined } else { *needs })
    }

    /// The first lines of all statements, and then of all conditions with citations of their own. The program may be one to which a
    /// scenario adds rules.
    #[must_use]
    pub fn statements(&self, program: &Program, sources: &Sources) -> Vec<String> {
        let operands = (0..program.operands.len()).map(|number| self.operand_text(number, sources));
        program.code.ids().map(|pc| self.statement(pc, sources)).chain(operands).collect()
    }

    /// The first line of a statement. A closing brace is shown with the line that opens its block, an opening brace as the line up to it.
    #[must_use]
    pub fn statement(&self, pc: Pc, sources: &Sources) -> String {
        let Some(span) = self.code(pc) else { return String::new() };
        let before = || sources.text(Span { start: 0, ..span });
        match sources.text(span) {
            "}" => format!("}} of {}", opening_line(before())),
            "{" => before().rsplit('\n').next().unwrap_or("").trim().to_owned(),
            text => first_line(text),
        }
    }

    /// The first line of a condition with citations of its own, by its number.
    #[must_use]
    pub fn operand_text(&self, number: usize, sources: &Sources) -> String {
        self.operand(number).map_or_else(String::new, |span| first_line(sources.text(span)))
    }

    /// A body's place.
    #[must_use]
    pub fn routine(&self, id: RoutineId) -> Option<Span> {
        self.routines.get(id.index()).copied()
    }

    /// A declared action's place; the builtin verbs have none.
    #[must_use]
    pub fn verb(&self, id: VerbId) -> Option<Span> {
        self.verbs.get(id.index()).copied().filter(|span| *span != Span::default())
    }

    /// A rule's place.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> Option<Span> {
        self.rules.get(id.index()).copied()
    }

    /// A card's place.
    #[must_use]
    pub fn card(&self, id: CardId) -> Option<Span> {
        self.cards.get(id.index()).copied()
    }

    /// An ability's place: in the printed text, or in the script.
    #[must_use]
    pub fn ability(&self, id: AbilityId) -> Option<Span> {
        self.abilities.get(id.index()).copied()
    }

    /// A clause's place.
    #[must_use]
    pub fn clause(&self, id: ClauseId) -> Option<Span> {
        self.clauses.get(id.index()).copied()
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").trim_end().to_owned()
}

/// The line that opens the block at the end of the text.
fn opening_line(text: &str) -> &str {
    let mut open = 0;
    let begin = text.char_indices().rev().find(|(_, sign)| {
        open += i32::from(*sign == '}') - i32::from(*sign == '{');
        open == 0
    });
    let before = begin.and_then(|(at, _)| text.get(..at)).unwrap_or("");
    before.rsplit('\n').next().unwrap_or("").trim()
}
