//! Checks whether a save or a record belongs to this game and to this version of the program.

use crate::Context;
use crate::shared::files;
use engine::program::Program;
use engine::state::save::{FORMAT, OLDEST_RECORD};
use lang::diagnostic::{Diagnostic, Sources};
use players::record::{self, Misfit, Origin, Record};
use serde::Deserialize;
use std::path::Path;

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A record alone.
    Record,
    /// A record with a position.
    Save,
}

/// The part of a file that tells its format.
#[derive(Deserialize)]
struct OfRecord {
    origin: OfOrigin,
}

#[derive(Deserialize)]
struct OfOrigin {
    format: u32,
}

#[derive(Deserialize)]
struct OfSave {
    record: OfRecord,
}

/// Reads a file's format before the rest of it, because other versions may write the rest differently.
///
/// # Errors
/// `E0825` for another format; the error of reading if there is no format.
pub(crate) fn known_format(path: &Path, sources: &mut Sources, kind: Kind) -> Result<(), Diagnostic> {
    let origin = match kind {
        Kind::Record => files::read_ron::<OfRecord>(path, sources)?.origin,
        Kind::Save => files::read_ron::<OfSave>(path, sources)?.record.origin,
    };
    of_format(origin.format, kind, &path.display().to_string())
}

/// Older records can be read, because a record holds less than a save.
fn of_format(format: u32, kind: Kind, file: &str) -> Result<(), Diagnostic> {
    let oldest = if kind == Kind::Record { OLDEST_RECORD } else { FORMAT };
    let known: Vec<String> = (oldest..=FORMAT).map(|format| format.to_string()).collect();
    match (oldest..=FORMAT).contains(&format) {
        true => Ok(()),
        false => Err(Diagnostic::global("E0825").with("file", file).with("found", format).with("known", known.join(", "))),
    }
}

/// Checks a save. Everything must be unchanged.
///
/// # Errors
/// `E0825` to `E0828`, depending on the difference.
pub(crate) fn check_save(origin: &Origin, program: &Program, file: &str) -> Result<(), Diagnostic> {
    of_format(origin.format, Kind::Save, file)?;
    check_record(origin, program, file)?;
    match differing_program(origin, program) {
        Some((found, known)) => Err(Diagnostic::global("E0826").with("file", file).with("found", found).with("known", known)),
        None => Ok(()),
    }
}

/// Checks a record. It can be replayed under changed rules, but not with another random generator.
///
/// # Errors
/// `E0825`, `E0827`, `E0828`.
pub(crate) fn check_record(origin: &Origin, program: &Program, file: &str) -> Result<(), Diagnostic> {
    let now = Origin::of(program);
    of_format(origin.format, Kind::Record, file)?;
    if origin.generator != now.generator {
        return Err(Diagnostic::global("E0827").with("file", file).with("found", &origin.generator).with("known", now.generator));
    }
    if origin.game != now.game {
        return Err(Diagnostic::global("E0828").with("file", file).with("found", &origin.game).with("known", now.game));
    }
    Ok(())
}

/// `E0838` as a warning, if rules or cards have changed since.
#[must_use]
pub(crate) fn changed_since(origin: &Origin, program: &Program, file: &str) -> Option<Diagnostic> {
    let (found, known) = differing_program(origin, program)?;
    Some(Diagnostic::global("E0838").with("file", file).with("found", found).with("known", known).warning())
}

/// Why a record cannot belong to any game of these rules, as a text of the interface. None if it can.
#[must_use]
pub(crate) fn misfit(record: &Record, program: &Program, context: &Context) -> Option<String> {
    Some(match record::misfit(program, record)? {
        Misfit::Decks(decks) => context.say("record.decks", &[("decks", decks.to_string()), ("seats", program.players.to_string())]),
        Misfit::NoCopies(card) => context.say("record.no_copies", &[("card", card)]),
        Misfit::Seat { decision, seat } => context.say("record.seat", &[("n", decision.to_string()), ("seat", seat.to_string())]),
    })
}

fn differing_program(origin: &Origin, program: &Program) -> Option<(String, String)> {
    let now = Origin::of(program).program;
    (origin.program != now).then(|| (origin.program.clone(), now))
}
