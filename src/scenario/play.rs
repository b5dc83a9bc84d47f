//! `play`: answers given in order, by seat and by the decision's name.
//!
//! An answer goes to an open decision of that seat and name. Where none takes it, it may be the answer to a decision that had
//! only one: such a decision was not asked, but may be written. Everything else fails the scenario.

use super::answers::{self, NotThere, Reader};
use super::run::Run;
use super::words::{self, Speaker};
use crate::diagnostic::Diagnostic;
use crate::engine::ids::ChoiceId;
use crate::engine::machine::{Asked, QuestionId, Refusal};
use crate::engine::observe::Step;
use crate::engine::state::Status;
use crate::engine::value::{Player, Value};
use crate::syntax::ast::{Expr, Play, PlayAnswer};

/// An answer that a decision did not take.
enum NotTaken {
    /// One of the written things is not possible.
    NotPossible(QuestionId, usize),
    /// The machine refused.
    Refused(QuestionId, Refusal),
}

impl Run<'_> {
    /// Gives one answer; goes on when all decisions are made.
    ///
    /// # Errors
    /// `E0501`, `E0520`–`E0525`.
    pub fn play(&mut self, play: &Play) -> Result<(), Diagnostic> {
        let player = self.lookup().seat(&play.seat)?;
        if let PlayAnswer::Concede = play.answer {
            let refused = |_| Diagnostic::error("E0524", play.span).with("seat", words::seat(player));
            self.machine.concede(player, &mut self.recorder).map_err(refused)?;
            self.go();
            return Ok(());
        }
        let (name, picks) = answers::choice_of(&play.answer);
        let picks = picks.as_ref();
        if self.answer(player, name, picks).is_err() && !self.was_forced(player, name, picks) {
            return Err(self.why_not(play, player, name, picks));
        }
        if self.status() == Status::Asking && self.machine.questions().all(|asked| asked.answered) {
            self.go();
        }
        Ok(())
    }

    /// Gives the answer to the first open decision that takes it.
    fn answer(&mut self, player: Player, name: &str, picks: &[Expr]) -> Result<(), Option<NotTaken>> {
        let open: Vec<QuestionId> = self.open(player, Some(name)).map(|asked| asked.id).collect();
        let mut why = None;
        for id in open {
            let Some(read) = self.machine.questions().find(|asked| asked.id == id).map(|asked| self.positions(&asked, name, picks)) else {
                continue;
            };
            let taken = match read {
                Err(NotThere(at)) => Err(NotTaken::NotPossible(id, at)),
                Ok(positions) => self.machine.answer(id, &positions).map_err(|refusal| NotTaken::Refused(id, refusal)),
            };
            match taken {
                Ok(()) => return Ok(()),
                Err(not) => why = why.or(Some(not)),
            }
        }
        Err(why)
    }

    /// The positions that are meant in an open decision.
    ///
    /// # Errors
    /// The first of the written things that is not in its domain.
    pub fn positions(&self, asked: &Asked<'_>, name: &str, picks: &[Expr]) -> Result<Vec<u16>, NotThere> {
        self.reader().answer(asked, name, picks)
    }

    fn reader(&self) -> Reader<'_> {
        Reader { program: self.machine.program(), state: self.machine.state(), aliases: &self.aliases, lists: &[] }
    }

    /// Whether a decision that had one answer had this one; it counts as answered then.
    fn was_forced(&mut self, player: Player, name: &str, picks: &[Expr]) -> bool {
        let is_so = |taken: &[Value], lists: &[Value]| self.is_option(taken, name, picks) || self.is_taken(taken, lists, picks);
        let found = self.forced(player, name).find(|(_, taken, lists)| is_so(taken, lists)).map(|(at, ..)| at);
        if let Some(at) = found {
            self.recorder.spent(at);
        }
        found.is_some()
    }

    /// Decisions of that seat and name which had one answer, not long ago; with the answer, and where its lists lie.
    fn forced(&self, player: Player, name: &str) -> impl Iterator<Item = (usize, &[Value], &[Value])> {
        let called = move |choice: ChoiceId, picks: &[Value]| {
            let declared = self.program().choices.get(choice).is_some_and(|known| answers::says(&known.name, name));
            name.is_empty() || declared || picks.iter().any(|pick| answers::is_play_called(self.program(), *pick, name))
        };
        self.recorder.forced().filter_map(move |(at, record)| match &record.traced.step {
            Step::Decides { player: who, choice, picks, .. } if *who == player && called(*choice, picks) => {
                Some((at, picks.as_slice(), record.lists.as_slice()))
            }
            _ => None,
        })
    }

    fn is_option(&self, taken: &[Value], name: &str, picks: &[Expr]) -> bool {
        picks.is_empty() && taken.iter().any(|pick| answers::is_play_called(self.program(), *pick, name))
    }

    fn is_taken(&self, taken: &[Value], lists: &[Value], picks: &[Expr]) -> bool {
        let reader = Reader { lists, ..self.reader() };
        reader.positions(taken, false, picks).is_ok_and(|positions| positions.len() == taken.len())
    }

    fn why_not(&mut self, play: &Play, player: Player, name: &str, picks: &[Expr]) -> Diagnostic {
        let seat = words::seat(player);
        let finding =
            |code| Diagnostic::error(code, play.span).with("seat", &seat).with("name", name).with("answer", answers::written(picks));
        if let Status::Over(outcome) = self.status() {
            return finding("E0521").with("outcome", self.speaker().outcome(outcome));
        }
        match self.answer(player, name, picks) {
            Err(Some(NotTaken::NotPossible(id, at))) => {
                let wrong = picks.get(at).map(std::slice::from_ref).map(answers::written).unwrap_or_default();
                let finding = finding("E0522")
                    .with("possible", self.possible(id))
                    .suggest(&wrong, self.names_possible(id).iter().map(String::as_str));
                finding.with("wrong", wrong)
            }
            Err(Some(NotTaken::Refused(id, refusal))) => {
                finding("E0523").with("why", self.speaker().refusal(&refusal)).with("possible", self.possible(id))
            }
            _ => {
                let forced = self.forced(player, name).map(|(_, taken, lists)| self.values_in_words(taken, lists)).next();
                match forced {
                    Some(taken) => finding("E0525").with("taken", taken),
                    None => {
                        // A misspelt name is near a name, a misspelt label near a label.
                        let names = |asked: Asked<'_>| {
                            let declared = self.machine.program().choices.get(asked.choice).map(|choice| choice.name.name.clone());
                            [declared, Some(self.speaker().choice(asked.choice))].into_iter().flatten()
                        };
                        let asked: Vec<String> = self.open(player, None).flat_map(names).collect();
                        finding("E0520").with("asked", self.asked_in_words()).suggest(name, asked.iter().map(String::as_str))
                    }
                }
            }
        }
    }

    fn values_in_words(&self, values: &[Value], lists: &[Value]) -> String {
        let speaker = Speaker { lists, ..self.speaker() };
        let said: Vec<String> = values.iter().map(|value| speaker.value(*value)).collect();
        if said.is_empty() { speaker.say("none", &[]) } else { said.join(", ") }
    }

    /// What an open decision can take, each by its name.
    fn names_possible(&self, id: QuestionId) -> Vec<String> {
        let found = self.machine.questions().find(|asked| asked.id == id);
        let speaker = Speaker { lists: found.as_ref().map_or(&[], |asked| asked.lists), ..self.speaker() };
        found.map(|asked| asked.domain.iter().map(|value| speaker.value(*value)).collect()).unwrap_or_default()
    }

    /// What an open decision can take, in words.
    fn possible(&self, id: QuestionId) -> String {
        let found = self.machine.questions().find(|asked| asked.id == id);
        found.map(|asked| super::show::together(&super::situation::possible(&self.speaker(), &asked)).join(", ")).unwrap_or_default()
    }
}
