//! Goes on with a saved game. Its position must be the one that its own record leads to.
//!
//! A save holds the record and the position. The record is played again, which takes a moment, and the two positions are compared. If any
//! part of the file was changed or left out, they differ.

use super::session::Session;
use super::{Args, Chronicle, Input, Loaded, session};
use crate::shared::origin;
use crate::shared::written::rerun;
use crate::{Context, Exit};
use engine::machine::Machine;
use lang::diagnostic::{Diagnostic, Sources};
use players::record::{self, Record, Save};
use scenario::writing::answer_places;

/// Goes on with a save.
///
/// # Errors
/// The exit code, if that is not possible. The reason has been shown.
pub(super) fn resumed<'a>(args: &Args, context: &'a Context, loaded: &'a Loaded, input: Input, save: Save) -> Result<Session<'a>, Exit> {
    let file = args.resume.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let complain = |finding: Diagnostic| {
        context.complain(&[finding], &Sources::default());
        Exit::CouldNotRun
    };
    let cannot_be = |reason: String| complain(Diagnostic::global("E0837").with("file", &file).with("reason", reason));
    origin::check_save(&save.record.origin, &loaded.program, &file).map_err(complain)?;
    if save.humans.len() != usize::from(loaded.program.players) {
        return Err(cannot_be(context.say("resume.seats", &[("seats", save.humans.len().to_string())])));
    }
    if let Some(reason) = origin::misfit(&save.record, &loaded.program, context) {
        return Err(cannot_be(reason));
    }
    let mut machine = Machine::load(loaded.program.clone(), save.position).map_err(|error| cannot_be(error.to_string()))?;
    // The program that saved the game may have played without lists of answers.
    machine.list_all();
    if let Some(key) = departs(&save.record, &machine, loaded, context) {
        return Err(cannot_be(context.say(key, &[("decisions", save.record.decisions.len().to_string())])));
    }
    let mut session = session(args, context, loaded, input, machine, save.random, Record { decisions: Vec::new(), ..save.record.clone() });
    session.chronicle.decisions = save.record.decisions;
    Ok(session)
}

/// How a position differs from the one that the record leads to, as a text of the interface. None: they are equal.
fn departs(record: &Record, saved: &Machine, loaded: &Loaded, context: &Context) -> Option<&'static str> {
    let program = &loaded.program;
    let decks: Result<Vec<_>, _> = record.decks.iter().map(|runs| record::cards_of(program, runs)).collect();
    let Ok(decks) = decks else { return Some("resume.decks") };
    let mut machine = Machine::new(program.clone());
    machine.start(&decks, record.seed);
    let mut chronicle = Chronicle::new(context.words(), loaded.statements());
    rerun(&mut machine, &record.decisions, None, &mut chronicle);
    if chronicle.decisions != record.decisions {
        return Some("resume.record");
    }
    // Answers that wait for other answers are only in the position, because the record holds finished decisions.
    for (player, places) in answer_places(saved) {
        let open = machine.questions().find(|asked| !asked.answered && asked.player == player).map(|asked| asked.id);
        if let (Some(id), Some(places)) = (open, places) {
            let _ = machine.give(id, &places);
        }
    }
    (machine.save() != saved.save()).then_some("resume.position")
}
