//! Refused answers and rules errors as findings.

use crate::seat;
use engine::limits::{PLAYS, STEP_BUDGET};
use engine::machine::Refusal;
use engine::program::Program;
use engine::state::{Failure, FailureKind};
use engine::value::{Player, Value};
use lang::diagnostic::Diagnostic;

/// The code of a rules error, as in `expect { error … }`.
#[must_use]
pub fn failure_code(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Budget => "E0601",
        FailureKind::Game => "E0659",
        FailureKind::Overflow => "E0602",
        FailureKind::Depth => "E0603",
        FailureKind::Branches => "E0645",
        FailureKind::Effects => "E0646",
        FailureKind::NoResult => "E0604",
        FailureKind::Order => "E0605",
        FailureKind::Members => "E0649",
        FailureKind::NoNumber => "E0648",
        FailureKind::Plays => "E0606",
        FailureKind::Loop => "E0607",
        FailureKind::Joint => "E0608",
        FailureKind::Silencing => "E0609",
        FailureKind::LooksWithin => "E0610",
        FailureKind::EffectsWithin => "E0655",
        FailureKind::Waiting => "E0647",
        FailureKind::Objects => "E0650",
        FailureKind::Match => "E0651",
        FailureKind::NoTurn => "E0656",
        FailureKind::Broken(_) => "E0662",
    }
}

/// A rules error. The finding has no place: the place of a statement is known to the source map.
#[must_use]
pub fn rules_error(failure: Failure, program: &Program) -> Diagnostic {
    let finding = Diagnostic::global(failure_code(failure.kind)).with("budget", STEP_BUDGET).with("most", PLAYS);
    let finding = finding.with("verdicts", judged_verdicts(failure)).with("fault", fault_of(failure));
    match card_of(failure, program) {
        Some((card, number)) => finding.with("card", card).with("waiting", number),
        None => finding.with("card", "-").with("waiting", "-"),
    }
}

/// The card that a rules error names, with a number: the card of which the most abilities wait, and how many. Or the card of the effect
/// that was read last, and which of the card's abilities it comes from.
fn card_of(failure: Failure, program: &Program) -> Option<(&str, u32)> {
    let (card, number) = failure.waiting?;
    Some((program.texts.get(program.cards.get(card)?.name)?, number))
}

/// The broken invariant of the engine that a failure names, in words. Empty for errors of the rules.
fn fault_of(failure: Failure) -> &'static str {
    if let FailureKind::Broken(fault) = failure.kind { fault.name() } else { "" }
}

/// The verdicts that were being judged when a rules error ended the game: `lose(b), win(c)`.
fn judged_verdicts(failure: Failure) -> String {
    let of = |word: &'static str, mask: u8| {
        let players = (0..8).filter(move |seat| mask & (1 << seat) != 0).map(Player);
        players.map(move |player| format!("{word}({})", seat(player)))
    };
    let (losing, winning) = failure.verdicts;
    let all: Vec<String> = of("lose", losing).chain(of("win", winning)).collect();
    if all.is_empty() { "-".to_owned() } else { all.join(", ") }
}

/// A refused answer. `answer` is what was answered; `len` is the number of possible answers; `named` names a possible answer, by its
/// position from 0 and its value.
#[must_use]
pub fn refused(refusal: &Refusal, answer: &str, len: usize, named: &dyn Fn(usize, Value) -> String) -> Diagnostic {
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
        Refusal::LeavesOut { position, member, given, wanted } => {
            finding.with("number", named(usize::from(*position), *member)).with("given", given).with("wanted", wanted)
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
pub fn range_of(least: i32, greatest: Option<i32>) -> String {
    greatest.map_or_else(|| format!("{least}…"), |greatest| format!("{least}…{greatest}"))
}
