//! One scenario's game while it is played: the machine, the recorded steps, the scenario's names, and the compiler for its expectations.
//!
//! The machine's program is the one that the position was built with. Expectations are compiled later into the scenario's own compiler, and
//! read the machine's state. This is sound because a program only grows at its end.

use crate::lookup::Lookup;
use crate::outcome::recorder::Recorder;
use crate::outcome::situation::situation;
use crate::outcome::verdict::{Failure, Situation};
use crate::position::setup::{Aliases, Stand};
use crate::running::stops::Stops;
use crate::running::unasked::{Keeps, Unasked};
use crate::why::Asker;
use compile::Compiler;
use engine::ids::ChoiceId;
use engine::machine::{Asked, Machine};
use engine::program::Program;
use engine::state::Status;
use engine::value::{Player, Value};
use engine::why::{Answer, History};
use lang::diagnostic::{Diagnostic, Language, Sources, Span};
use lang::syntax::ast::WhyQuestion;
use std::collections::BTreeSet;
use tell::{Names, Words, seat};

/// A scenario's game.
pub(crate) struct Run<'a> {
    /// The compiler with the scenario's cards, readings and expectations.
    pub compiler: Compiler,
    /// The first card that the scenario made up.
    pub made_up: usize,
    /// The machine.
    pub machine: Machine,
    /// The machine after further steps. Set while the run stands at a stop before them.
    pub ahead: Option<Box<Machine>>,
    /// The recorded steps.
    pub(crate) recorder: Recorder,
    /// The scenario's names for cards.
    pub aliases: Aliases,
    /// The rules that allowed or blocked the ways to act in `possible` and `refused`.
    pub judged: BTreeSet<String>,
    /// What an expectation or a failure needs and the run does not record.
    pub wants: Keeps,
    /// Why a way to act was not possible where its player passed unasked.
    pub unasked: Option<Box<Unasked>>,
    /// The sources, for texts of expectations in messages.
    pub sources: &'a Sources,
    /// The language of failures.
    pub language: Language,
    /// Where the run stops behind each `play` still to come.
    pub stops: Stops,
    /// The questions for spare units that no line has answered since the last answer, with the units that had to be named.
    pub left: Vec<(Player, ChoiceId, Vec<Value>)>,
}

impl<'a> Run<'a> {
    /// A run at the position, played to its first decision.
    #[must_use]
    pub(crate) fn new(
        compiler: Compiler,
        made_up: usize,
        stand: Stand,
        (sources, language): (&'a Sources, Language),
        (keeps, mut stops): (Keeps, Stops),
    ) -> Self {
        let mut recorder = Recorder::new(&stand.machine).keeping(keeps);
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
            wants: Keeps::default(),
            unasked: None,
            sources,
            language,
            stops,
            left: Vec::new(),
        };
        run.go();
        run.recorder.stand_still_at(&[], false);
        run
    }

    /// Runs the machine to the next decisions, or to the end.
    pub(crate) fn go(&mut self) {
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

    /// Goes on to the next stop. Gives whether the run reached the stop before anybody was asked.
    pub(crate) fn stand_next(&mut self) -> bool {
        let next = self.ahead.as_ref().and(self.recorder.stand_next());
        next.map(|state| self.machine.copy_state(state)).is_some()
    }

    /// Goes on from a stop.
    pub(crate) fn go_on(&mut self) {
        self.recorder.go_on();
        if let Some(ahead) = self.ahead.take() {
            self.machine = *ahead;
            self.recorder.asks(&self.machine);
        }
    }

    /// The facts that answer a question here.
    ///
    /// # Errors
    /// Findings about the question.
    pub(crate) fn ask(&mut self, question: &WhyQuestion) -> Result<Answer, Diagnostic> {
        let none = History::default();
        let Self { compiler, machine, aliases, recorder, .. } = self;
        let history = recorder.history().unwrap_or(&none);
        Asker { compiler, machine, history, aliases, seat: None }.ask(question)
    }

    /// The machine's status.
    #[must_use]
    pub(crate) fn status(&self) -> Status {
        self.machine.state().control.status
    }

    /// The program that expectations are compiled into.
    #[must_use]
    pub(crate) fn program(&self) -> &Program {
        self.compiler.program()
    }

    /// Looks up names of the scenario.
    #[must_use]
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        Lookup { compiler: &self.compiler, made_up: self.made_up }
    }

    /// The names of values, as a scenario writes them.
    #[must_use]
    pub(crate) fn names(&self) -> Names<'_> {
        Names::new(self.compiler.program(), Words::new(self.language)).after(self.recorder.gone()).bare()
    }

    /// A value in words.
    #[must_use]
    pub(crate) fn value_in_words(&self, value: Value) -> String {
        self.names().value(self.machine.state(), &[], value)
    }

    /// A text of failures, filled in.
    #[must_use]
    pub(crate) fn say(&self, key: &str, args: &[(&'static str, String)]) -> String {
        tell::Words::new(self.language).say(key, args)
    }

    /// The open decisions of a seat with that name.
    pub(crate) fn open(&self, player: Player, name: Option<&str>) -> impl Iterator<Item = Asked<'_>> {
        let called =
            move |asked: &Asked<'_>| name.is_none_or(|name| crate::running::answers::is_called(self.machine.program(), asked, name));
        self.machine.questions().filter(move |asked| !asked.answered && asked.player == player).filter(called)
    }

    /// The open decisions in one line: `a: lay, b: lay`; `nothing`.
    #[must_use]
    pub(crate) fn asked_in_words(&self) -> String {
        let open = self.machine.questions().filter(|asked| !asked.answered);
        let asked: Vec<String> = open.map(|asked| format!("{}: {}", seat(asked.player), self.names().choice(asked.choice))).collect();
        if asked.is_empty() { self.say("scenario.nothing", &[]) } else { asked.join(", ") }
    }

    /// A place as `file:line`.
    #[must_use]
    pub(crate) fn place(&self, span: Span) -> String {
        let file = self.sources.get(span.file).map_or("", |source| &source.name);
        format!("{file}:{}", self.sources.line_column(span).0)
    }

    /// Where the game stands.
    #[must_use]
    pub(crate) fn situation(&self) -> Situation {
        situation(self)
    }

    /// A failure at this point.
    #[must_use]
    pub(crate) fn failure(&self, diagnostic: Diagnostic) -> Box<Failure> {
        Box::new(Failure { situation: Some(self.situation()), unasked: self.unasked.clone(), ..Failure::from(diagnostic) })
    }
}
