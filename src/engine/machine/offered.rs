//! The ways to act that a machine offers: listed, drawn at random, looked for, taken. The machine's side of
//! [`crate::legal::source`].

use crate::choices::answer::Refusal;
pub use crate::legal::source::Way;
use crate::legal::source::ways;
use crate::machine::{Machine, QuestionId};
use crate::random::Generator;
use crate::run::Run;
use crate::state::{Branch, Doing, Question, Source, Status, Then};
use crate::steps::Silent;

impl Machine {
    /// Lists the ways to act of an open offer. Does nothing if the offer is listed already.
    ///
    /// # Errors
    /// [`Refusal::NoSuchQuestion`] if no offer is open under this number.
    pub fn list(&mut self, question: QuestionId) -> Result<(), Refusal> {
        self.at_offer(question, |run, branch, asked| {
            if asked.source == Source::Unlisted {
                run.list_ways(branch, question.0);
            }
        })
    }

    /// Lists the ways to act of every open offer.
    pub fn list_all(&mut self) {
        let unlisted: Vec<QuestionId> = self.questions().filter(|asked| !asked.listed).map(|asked| asked.id).collect();
        for question in unlisted {
            // The question is open, so nothing is refused.
            let _: Result<(), Refusal> = self.list(question);
        }
    }

    /// Draws an answer to an open offer at random: a way to act, or none for a pass. A pass is an answer like any other where passing is
    /// allowed. Each answer is equally likely. Drawing gives the same answer whether or not the list was made before.
    ///
    /// # Errors
    /// [`Refusal::NoSuchQuestion`] if no offer is open under this number.
    pub fn sample(&mut self, question: QuestionId, generator: &mut Generator) -> Result<Option<Way>, Refusal> {
        self.at_offer(question, |run, branch, asked| run.sampled(branch, question.0, &asked, generator))
    }

    /// Whether an open offer offers this way to act.
    ///
    /// # Errors
    /// [`Refusal::NoSuchQuestion`] if no offer is open under this number.
    pub fn is_offered(&mut self, question: QuestionId, way: &Way) -> Result<bool, Refusal> {
        self.at_offer(question, |run, branch, asked| run.is_offered(branch, question.0, &asked, way))
    }

    /// Answers an offer with a way to act, or with a pass (none).
    ///
    /// # Errors
    /// A [`Refusal`] if the way to act is not offered. Then nothing has changed.
    pub fn take(&mut self, question: QuestionId, way: Option<&Way>) -> Result<(), Refusal> {
        let Some(way) = way else { return self.answer(question, &[]) };
        self.at_offer(question, |run, branch, asked| {
            if asked.answer.is_some() {
                return Err(Refusal::AlreadyAnswered);
            }
            let play = match asked.source {
                Source::Unlisted => {
                    let offered = run.is_offered(branch, question.0, &asked, way);
                    offered.then(|| way.laid(&mut branch.lists))
                }
                Source::Listed | Source::Drawable => {
                    let place = ways(branch, &asked).position(|offered| offered == *way);
                    place.and_then(|place| branch.lists.get(asked.start as usize + place)).copied()
                }
            };
            let play = play.ok_or(Refusal::NotOffered)?;
            let answer = Some((branch.lists.len() as u32, 1));
            branch.lists.push(play);
            branch.doing = Doing::Ask(Question { answer, ..asked });
            Ok(())
        })?
    }

    /// Runs `look` on an open offer as its branch would run it where the branch makes the offer.
    fn at_offer<T>(
        &mut self,
        question: QuestionId,
        look: impl FnOnce(&mut Run<'_, Silent>, &mut Branch, Question) -> T,
    ) -> Result<T, Refusal> {
        let at = usize::from(question.0);
        let asking = matches!(self.status(), Status::Asking);
        let asked = match self.state().control.branches.get(at).filter(|_| asking).map(|branch| branch.doing) {
            Some(Doing::Ask(asked @ Question { open: true, then: Then::Offer(_), .. })) => asked,
            _ => return Err(Refusal::NoSuchQuestion),
        };
        let mut onlooker = Silent;
        let mut run = self.going(&mut onlooker);
        let Some(mut branch) = run.take_out(at) else { return Err(Refusal::NoSuchQuestion) };
        run.state.control.status = Status::Running;
        let found = look(&mut run, &mut branch, asked);
        run.state.control.status = Status::Asking;
        run.put_back(branch, at);
        Ok(found)
    }
}
