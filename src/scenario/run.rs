//! One scenario's game while it is played: the machine, what it did, the scenario's names and the compiler for its expectations.
//!
//! The machine's program is the one the position was built with; expectations are compiled later into the scenario's own compiler
//! and read the machine's state by it. That is sound because a program only ever grows at its end.

use super::lookup::Lookup;
use super::setup::{Aliases, Stand};
use super::situation::situation;
use super::stops::Stops;
use super::trace::Recorder;
use super::verdict::{Failure, Situation};
use super::why::Asker;
use super::words::Speaker;
use crate::compile::Compiler;
use crate::diagnostic::{Diagnostic, Language, Sources, Span};
use crate::engine::machine::{Asked, Machine};
use crate::engine::program::Program;
use crate::engine::state::Status;
use crate::engine::value::Player;
use crate::engine::why::{Answer, History};
use crate::syntax::ast::WhyQuestion;
use std::collections::BTreeSet;

/// A scenario's game.
pub struct Run<'a> {
    /// The game with the scenario's cards, readings and expectations.
    pub compiler: Compiler,
    /// The first card that the scenario made up.
    pub made_up: usize,
    /// The machine.
    pub machine: Machine,
    /// The same machine further on, where the run stands still.
    pub ahead: Option<Box<Machine>>,
    /// What it did.
    pub recorder: Recorder,
    /// The scenario's names for cards.
    pub aliases: Aliases,
    /// The rules by which a way to act is open, or not: those of what was expected to be possible or refused.
    pub judged: BTreeSet<String>,
    /// An expectation asks what came from what, and nobody has kept that.
    pub wants_causes: bool,
    /// The texts of expectations, for messages.
    pub sources: &'a Sources,
    /// The language of what a failure says.
    pub language: Language,
    /// Where the run is to stop: behind each `play` that is still to come.
    pub stops: Stops,
}

impl<'a> Run<'a> {
    /// Stands at the position; goes on to the first decision. `causes`: what led to an event will be asked.
    #[must_use]
    pub fn new(
        compiler: Compiler,
        made_up: usize,
        stand: Stand,
        (sources, language): (&'a Sources, Language),
        (causes, mut stops): (bool, Stops),
    ) -> Self {
        let mut recorder = Recorder::new(&stand.machine).keeping_causes(causes);
        recorder.stand_still_at(&stops.begin(), true);
        let judged = BTreeSet::new();
        let mut run = Self {
            compiler,
            made_up,
            machine: stand.machine,
            ahead: None,
            recorder,
            aliases: stand.aliases,
            judged,
            wants_causes: false,
            sources,
            language,
            stops,
        };
        run.go();
        run.recorder.stand_still_at(&[], false);
        run
    }

    /// Lets the machine go on to the next decisions, or the end.
    pub fn go(&mut self) {
        self.recorder.begin_segment();
        self.machine.run(&mut self.recorder);
        match self.recorder.standing() {
            Some(state) => {
                let mut standing = self.machine.clone();
                standing.copy_state(state);
                self.ahead = Some(Box::new(std::mem::replace(&mut self.machine, standing)));
            }
            None => self.recorder.asks(&self.machine),
        }
    }

    /// Goes on to the next place where the run was to stand still; whether it came there before it was asked anything.
    pub fn stand_next(&mut self) -> bool {
        let next = self.ahead.as_ref().and(self.recorder.stand_next());
        next.map(|state| self.machine.copy_state(state)).is_some()
    }

    /// Goes on from where the run stands still.
    pub fn go_on(&mut self) {
        self.recorder.go_on();
        if let Some(ahead) = self.ahead.take() {
            self.machine = *ahead;
            self.recorder.asks(&self.machine);
        }
    }

    /// The facts that answer a question here.
    ///
    /// # Errors
    /// What is wrong with the question.
    pub fn ask(&mut self, question: &WhyQuestion, span: Span) -> Result<Answer, Diagnostic> {
        let none = History::default();
        let Self { compiler, machine, aliases, recorder, .. } = self;
        let history = recorder.history().unwrap_or(&none);
        Asker { compiler, machine, history, aliases, seat: None }.ask(question, span)
    }

    /// What the machine is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        self.machine.state().control.status
    }

    /// The program that expectations are compiled into.
    #[must_use]
    pub fn program(&self) -> &Program {
        self.compiler.program()
    }

    /// Names of the scenario.
    #[must_use]
    pub fn lookup(&self) -> Lookup<'_> {
        Lookup { compiler: &self.compiler, made_up: self.made_up }
    }

    /// For messages.
    #[must_use]
    pub fn speaker(&self) -> Speaker<'_> {
        Speaker {
            program: self.compiler.program(),
            state: self.machine.state(),
            lists: &[],
            gone: Some(self.recorder.gone()),
            language: self.language,
        }
    }

    /// The decisions that are open for a seat and called so.
    pub fn open(&self, player: Player, name: Option<&str>) -> impl Iterator<Item = Asked<'_>> {
        let called = move |asked: &Asked<'_>| name.is_none_or(|name| super::answers::is_called(self.machine.program(), asked, name));
        self.machine.questions().filter(move |asked| !asked.answered && asked.player == player).filter(called)
    }

    /// What is asked, in one line: `a: lay, b: lay`; `nothing`.
    #[must_use]
    pub fn asked_in_words(&self) -> String {
        let speaker = self.speaker();
        let open = self.machine.questions().filter(|asked| !asked.answered);
        let asked: Vec<String> =
            open.map(|asked| format!("{}: {}", super::words::seat(asked.player), speaker.choice(asked.choice))).collect();
        if asked.is_empty() { speaker.say("nothing", &[]) } else { asked.join(", ") }
    }

    /// A place as `file:line`.
    #[must_use]
    pub fn place(&self, span: Span) -> String {
        let file = self.sources.get(span.file).map_or("", |source| &source.name);
        format!("{file}:{}", self.sources.line_column(span).0)
    }

    /// Where the game stands.
    #[must_use]
    pub fn situation(&self) -> Situation {
        situation(&self.machine, &self.recorder, self.language)
    }

    /// A failure here.
    #[must_use]
    pub fn failure(&self, diagnostic: Diagnostic) -> Box<Failure> {
        Box::new(Failure { situation: Some(self.situation()), ..Failure::from(diagnostic) })
    }
}
