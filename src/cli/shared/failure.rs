//! Rules errors and refused answers as diagnostics.

use crate::shared::loading::Loaded;
use engine::limits::{PLAYS, STEP_BUDGET};
use engine::machine::Refusal;
use engine::state::Failure;
use lang::diagnostic::Diagnostic;
use scenario::{failure_code, fault_of, judged_verdicts, most_waiting};

/// A rules error as a diagnostic, at its place in the rules.
#[must_use]
pub(crate) fn diagnostic(failure: Failure, loaded: &Loaded) -> Diagnostic {
    let finding = match loaded.place(failure.at) {
        Some(span) => Diagnostic::error(failure_code(failure.kind), span),
        None => Diagnostic::global(failure_code(failure.kind)),
    };
    let finding =
        finding.with("budget", STEP_BUDGET).with("most", PLAYS).with("verdicts", judged_verdicts(failure)).with("fault", fault_of(failure));
    match most_waiting(failure, &loaded.program) {
        Some((card, number)) => finding.with("card", card).with("waiting", number),
        None => finding.with("card", "-").with("waiting", "-"),
    }
}

/// A refused answer as a diagnostic. `answer` is what was typed; `len` is the number of possible answers.
#[must_use]
pub(crate) fn refusal(refusal: &Refusal, answer: &str, len: usize) -> Diagnostic {
    let code = match refusal {
        Refusal::OutOfRange { .. } | Refusal::NotOffered => "E0611",
        Refusal::NoSuchNumber { .. } => "E0641",
        Refusal::DoesNotFit => "E0642",
        Refusal::TooGreat { .. } => "E0643",
        Refusal::TooManyRounds { .. } => "E0644",
        Refusal::Twice { .. } => "E0612",
        Refusal::TooFew { .. } => "E0613",
        Refusal::TooMany { .. } => "E0614",
        Refusal::Demanded { .. } => "E0619",
        Refusal::LeavesOut { .. } => "E0660",
        Refusal::NotTogether => "E0620",
        Refusal::NotDecided => "E0661",
        Refusal::ObeysFewer => "E0621",
        Refusal::NoSuchQuestion | Refusal::AlreadyAnswered => "E0615",
        Refusal::GameOver => "E0616",
        Refusal::MayNotConcede => "E0617",
    };
    let finding = Diagnostic::global(code).with("answer", answer).with("len", len);
    let finding = if len > 0 { finding.with("first", 1).with("last", len) } else { finding };
    match refusal {
        Refusal::TooFew { min, given } => finding.with("min", min).with("given", given),
        Refusal::LeavesOut { position, given, wanted, .. } => {
            finding.with("number", position + 1).with("given", given).with("wanted", wanted)
        }
        Refusal::TooMany { max, given } => finding.with("max", max).with("given", given),
        Refusal::NoSuchNumber { least, greatest } => finding.with("range", range_of(*least, *greatest)),
        Refusal::TooGreat { most } => finding.with("most", most),
        Refusal::TooManyRounds { most } => finding.with("most", most),
        _ => finding,
    }
}

/// A range as shown: `0…20`, `0…`.
#[must_use]
pub(crate) fn range_of(least: i32, greatest: Option<i32>) -> String {
    greatest.map_or_else(|| format!("{least}…"), |greatest| format!("{least}…{greatest}"))
}
