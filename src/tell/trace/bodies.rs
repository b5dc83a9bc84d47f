//! The bodies of a program, with the rules of their heads: a step in a body carries these rules out too.

use super::citations::citations_beside;
use engine::ids::{CitesId, Pc};
use engine::program::Program;
use engine::steps::{Step, Traced, View};
use engine::value::Value;

/// The beginnings of all bodies of a program, in order, with the rules of their heads. A step in a body carries these rules out too.
#[derive(Clone, Debug, Default)]
pub struct Bodies(Vec<(Pc, CitesId)>);

impl Bodies {
    /// The bodies of a program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut bodies: Vec<(Pc, CitesId)> = program.routines.rows().iter().map(|routine| (routine.start, routine.name.cites)).collect();
        bodies.sort_by_key(|(start, _)| start.0);
        Self(bodies)
    }

    /// The citations of a step besides those of its statement: of the declaration, ability or effect that the step is about, and of the
    /// body around it. A scenario's header counts these rules too.
    #[must_use]
    pub fn rules_beside(&self, view: &View<'_>, traced: &Traced) -> Vec<CitesId> {
        let mut also = citations_beside(view, &traced.step);
        // If a condition is false, the rules of its body are not carried out.
        let says_no = matches!(traced.step, Step::Statement(Some(Value::Bool(false))) | Step::Operand(..));
        also.extend(self.around(traced.at, view.program).filter(|_| !says_no));
        also
    }

    /// The rules at the head of the body around a statement.
    fn around(&self, at: Pc, program: &Program) -> Option<CitesId> {
        let body = self.0.partition_point(|(start, _)| start.0 <= at.0).checked_sub(1)?;
        let known = (at.0 as usize) < program.code.len();
        self.0.get(body).map(|(_, cites)| *cites).filter(|cites| known && *cites != CitesId::default())
    }
}
