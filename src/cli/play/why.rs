//! `why …` at the prompt: an answer for the asking seat, made from what this seat may know.

use super::chronicle::of_reader;
use super::session::Session;
use engine::value::Player;
use lang::diagnostic::{Diagnostic, Severity, Sources};
use lang::syntax::parse_question;
use report::Reasons;
use scenario::why::Asker;
use tell::Names;

impl Session<'_> {
    /// Answers a question of that seat. Findings about the question are shown. The decision is still open afterwards.
    pub(super) fn why(&self, seat: Player, text: &str) {
        let mut sources = Sources::default();
        let file = sources.add("why", text);
        let (question, found) = parse_question(file, text);
        let Some(question) = question.filter(|_| !found.iter().any(|finding| finding.severity == Severity::Error)) else {
            return found.iter().for_each(|finding| self.complain(finding, &sources));
        };
        // A game begun with a scenario may have the scenario's cards, rules and names for cards.
        let begun = self.begun.as_ref();
        let mut compiler = begun.map_or(&self.loaded.game.compiler, |begun| &begun.compiler).clone();
        let (history, aliases) = (&self.chronicle.history, begun.map(|begun| begun.effects.1.clone()).unwrap_or_default());
        let asked = Asker { compiler: &mut compiler, machine: &self.machine, history, aliases: &aliases, seat: Some(seat) }.ask(&question);
        match asked {
            Ok(answer) => {
                let known = |id| self.machine.sees(seat, id);
                let names = Names::new(compiler.program(), self.context.words()).known_to(&known);
                // A player has no use for lines of the rules files. The numbers of the rules say where to read.
                let reasons = Reasons {
                    names: &names,
                    state: self.machine.state(),
                    statement: &|_| String::new(),
                    line_of_match: &|_, _| String::new(),
                };
                let people = || reasons.lines(&answer).iter().for_each(|line| self.context.out_wrapped(line));
                self.context.result(|| of_reader(reasons.object(&answer), Some(seat)), people);
            }
            Err(finding) => self.complain(&placed(finding, text), &sources),
        }
    }
}

/// A finding without its place, if that place is in another file.
fn placed(finding: Diagnostic, text: &str) -> Diagnostic {
    let inside = finding.span.is_some_and(|span| (span.end as usize) <= text.len());
    if inside { finding } else { Diagnostic { span: None, ..finding } }
}
