//! Players who passed an offer without being asked, because they could take nothing: the way to act that a scenario names may have been
//! meant there.
//!
//! A run keeps the positions of such passes only if [`Keeps::passes`] says so, because few scenarios need them. A scenario that fails at a
//! way to act is run a second time with them.

use crate::running::answers;
use crate::running::run::Run;
use crate::why::Asker;
use compile::Compiler;
use engine::ids::{ChoiceId, OptionId, Pc};
use engine::program::{Node, Op};
use engine::state::State;
use engine::steps::Step;
use engine::value::{Player, Value};
use engine::why::{Answer, Fact, History};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Play, PlayAnswer, WhyQuestion};

/// What a run records besides its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keeps {
    /// The causes of steps.
    pub causes: bool,
    /// The positions in which a player could take nothing and passed unasked.
    pub passes: bool,
}

/// Why a way to act was not possible where its player passed unasked.
#[derive(Clone, Debug)]
pub struct Unasked {
    /// The facts.
    pub answer: Answer,
    /// The game with the scenario's cards and the question.
    pub compiler: Compiler,
    /// The position of the pass.
    pub state: State,
}

impl Run<'_> {
    /// Says in a finding about an answer that the player had passed unasked, if the answer is a way to act that an earlier offer left out.
    /// If the position of the pass was kept, the reasons against this way to act are kept beside the run.
    pub(super) fn after_pass(&mut self, finding: Diagnostic, play: &Play, player: Player) -> Diagnostic {
        let Some((at, choice)) = self.passed_unasked(&play.answer, player) else { return finding };
        self.wants.passes |= self.recorder.state_at_pass(at).is_none();
        self.unasked = self.reasons_against(at, play);
        finding.with("skipped", self.names().choice(choice))
    }

    /// The last pass of a player who could take nothing, of an offer with the option of this answer: the number of its record, and its
    /// decision.
    pub(super) fn passed_unasked(&self, answer: &PlayAnswer, player: Player) -> Option<(usize, ChoiceId)> {
        let program = self.program();
        let verb = answers::option_called(program, answers::called(answer))?;
        let option = program.verbs.get(verb)?.option?;
        let passes = self.recorder.forced().filter_map(|(at, record)| match &record.traced.step {
            Step::Decides { player: who, choice, .. } if *who == player && record.traced.step.is_idle_pass(program) => {
                self.may_offer(record.traced.at, option).then_some((at, *choice))
            }
            _ => None,
        });
        passes.last()
    }

    /// Whether an offer may have this option. Groups that come as a parameter are not known here.
    fn may_offer(&self, at: Pc, option: OptionId) -> bool {
        let program = self.program();
        let Some(Op::Offer { from, .. }) = program.code.get(at).copied() else { return true };
        let Some(option) = program.options.get(option) else { return false };
        program.args_of(from).iter().any(|group| match program.nodes.get(*group) {
            Some(Node::Const(Value::Group(group))) => option.groups.contains(group),
            _ => true,
        })
    }

    fn reasons_against(&mut self, at: usize, play: &Play) -> Option<Box<Unasked>> {
        let mut machine = self.machine.clone();
        machine.copy_state(self.recorder.state_at_pass(at)?);
        let answer = match &play.answer {
            PlayAnswer::Choice(name, picks) if picks.is_empty() => PlayAnswer::Option(name.clone(), Vec::new()),
            other => other.clone(),
        };
        let question = WhyQuestion::Can(false, Some(play.seat.clone()), answer);
        let Self { compiler, aliases, .. } = self;
        let mut answer = Asker { compiler, machine: &machine, history: &History::default(), aliases, seat: None }.ask(&question).ok()?;
        // At the pass nobody is asked, and the answer need not say so.
        answer.lines.retain(|line| !matches!(line.fact, Fact::NotAsked));
        let says_why = answer.lines.iter().any(|line| !matches!(line.fact, Fact::Possible | Fact::Impossible));
        says_why.then(|| Box::new(Unasked { answer, compiler: self.compiler.clone(), state: machine.state().clone() }))
    }
}
