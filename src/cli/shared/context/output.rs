//! The form of the output, and the only way to print.
//!
//! A command gives each result in both forms: as an object for programs, and as what people read. Only this file asks for the format and
//! chooses the form, so another format is added here.

use super::Context;
use indicatif::ProgressBar;
use lang::diagnostic::limits::MOST_SHOWN;
use lang::diagnostic::{Diagnostic, Sources, is_shown_by_number, may_hide, with_numbers};
use report::{Widths, brief, wrapped};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use tell::Detail;

/// The columns of a screen that does not say its size.
const USUAL: usize = 80;
/// Screens with other widths are drawn in the usual width.
const NARROWEST: usize = 40;
const WIDEST: usize = 120;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
    /// A page of its own; only where a command says that it has one.
    Html,
}

/// The form of a log that is written while a game runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    /// Lines for people.
    Lines,
    /// An object a step.
    Objects,
}

impl Context {
    fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// Whether the result is a page of its own.
    #[must_use]
    pub(crate) fn is_page(&self) -> bool {
        self.format == Format::Html
    }

    /// Prints a result: the object, or what `people` prints.
    pub(crate) fn result(&self, object: impl FnOnce() -> Value, people: impl FnOnce()) {
        if self.json() { self.out_json(&object()) } else { people() }
    }

    /// Prints a result that people read in one line.
    pub(crate) fn result_in_one_line(&self, object: impl FnOnce() -> Value, line: impl FnOnce() -> String) {
        self.result(object, || self.out(&line()));
    }

    /// Makes or prints what only people get.
    pub(crate) fn for_people<T>(&self, people: impl FnOnce() -> T) -> Option<T> {
        (!self.json()).then(people)
    }

    /// The form of a log.
    #[must_use]
    pub(crate) fn log(&self) -> Log {
        if self.json() { Log::Objects } else { Log::Lines }
    }

    /// The detail of a log that a reader from outside gets: every step if `trace` asks for them. Programs always get every step.
    #[must_use]
    pub(crate) fn detail(&self, trace: bool) -> Detail {
        if trace || self.json() { Detail::All } else { Detail::Table }
    }

    /// A progress bar on standard error, if a person watches.
    #[must_use]
    pub(crate) fn bar(&self, length: u64) -> ProgressBar {
        if std::io::stderr().is_terminal() && !self.json() { ProgressBar::new(length) } else { ProgressBar::hidden() }
    }

    fn note_lost(&self, written: std::io::Result<()>) {
        if let Err(error) = written
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            _ = self.lost.set(error.to_string());
        }
    }

    /// Prints a line of the result on standard output, without signs that a terminal obeys. If nobody reads the output any more, this is no
    /// error. With JSON the result has only objects, so a line for people goes to standard error.
    pub(crate) fn out(&self, line: &str) {
        if self.json() { self.aside(&with_numbers(line)) } else { self.out_of_log(line) }
    }

    /// Prints a line, which may be longer than the screen is wide, in the lines that fit.
    pub(crate) fn out_wrapped(&self, line: &str) {
        self.broken(line).iter().for_each(|line| self.out(line));
    }

    /// Prints a line of a log for a person at the screen, in the lines that fit. An object stays whole, because no person reads it.
    pub(crate) fn out_of_log_wrapped(&self, line: &str) {
        if self.json() { self.out_of_log(line) } else { self.out_wrapped(line) }
    }

    /// Prints a line of a log: with JSON an object, else a line for people.
    pub(crate) fn out_of_log(&self, line: &str) {
        self.out_coloured(&with_numbers(line));
    }

    /// Prints a line in grey, on terminals that support it.
    pub(crate) fn out_grey(&self, line: &str) {
        self.out_coloured(&console::style(with_numbers(line)).dim().to_string());
    }

    /// The columns of the screen. Without a terminal, and on one that does not say its size: 80.
    #[must_use]
    pub(crate) fn columns(&self) -> usize {
        let terminal = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
        terminal.filter(|columns| (NARROWEST..=WIDEST).contains(columns)).unwrap_or(USUAL)
    }

    /// A line in the lines that fit on the screen.
    pub(crate) fn broken(&self, line: &str) -> Vec<String> {
        wrapped(line, self.columns(), Widths::new(self.ambiguous))
    }

    /// Clears the screen and the lines scrolled away.
    pub(crate) fn clear_screen(&self) {
        self.out_coloured("\u{1b}[H\u{1b}[2J\u{1b}[3J");
    }

    /// Prints a line that may contain signs that a terminal obeys: colours, clearing the screen.
    fn out_coloured(&self, line: &str) {
        self.note_lost(writeln!(std::io::stdout().lock(), "{line}"));
    }

    /// Prints a prompt: a line without a line end.
    pub(crate) fn prompt(&self, text: &str) {
        let mut out = std::io::stdout().lock();
        self.note_lost(write!(out, "{text}").and_then(|()| out.flush()));
    }

    fn out_json(&self, value: &Value) {
        self.out_coloured(&escaped(&value.to_string()));
    }

    /// Prints a line on standard error, beside the result.
    pub(crate) fn aside(&self, line: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }

    /// Shows findings that are the command's result, on standard output: the first ones, and the number of the others.
    pub(crate) fn show(&self, findings: &[Diagnostic], sources: &Sources) {
        for finding in findings.iter().take(MOST_SHOWN) {
            self.out_coloured(self.rendered(finding, sources, std::io::stdout().is_terminal()).trim_end_matches('\n'));
        }
        let more = not_shown(findings);
        if more > 0 {
            let line = || self.say("findings.more", &[("more", more.to_string())]);
            self.result_in_one_line(|| json!({ "kind": "more", "findings": more }), line);
        }
    }

    /// Shows findings that kept the command from running, on standard error. With JSON they are lines of the result.
    pub(crate) fn complain(&self, findings: &[Diagnostic], sources: &Sources) {
        if self.json() {
            return self.show(findings, sources);
        }
        for finding in findings.iter().take(MOST_SHOWN) {
            self.aside(self.rendered(finding, sources, std::io::stderr().is_terminal()).trim_end_matches('\n'));
        }
        if not_shown(findings) > 0 {
            self.aside(&self.say("findings.more", &[("more", not_shown(findings).to_string())]));
        }
    }

    /// Says what is wrong with a line that a person at a terminal has just written: the sentence alone, with its code after it.
    pub(crate) fn complain_briefly(&self, finding: &Diagnostic, sources: &Sources) {
        if self.json() {
            return self.show(std::slice::from_ref(finding), sources);
        }
        brief(finding, self.language).iter().flat_map(|line| self.broken(line)).for_each(|line| self.aside(&line));
    }

    fn rendered(&self, finding: &Diagnostic, sources: &Sources, colour: bool) -> String {
        match self.format {
            Format::Human | Format::Html => {
                let colour = colour && std::env::var_os("NO_COLOR").is_none();
                let shown = report::graphical(finding, sources, self.language, colour);
                // An excerpt may contain signs that a terminal obeys. The sign that begins a colour is already shown by its number there.
                shown.split('\u{1B}').map(with_numbers).collect::<Vec<_>>().join("\u{1B}")
            }
            Format::Json => escaped(&report::json(finding, sources, self.language).to_string()).into_owned(),
        }
    }
}

/// How many of these findings [`Context::show`] only counts.
pub(crate) fn not_shown(findings: &[Diagnostic]) -> usize {
    findings.len().saturating_sub(MOST_SHOWN)
}

/// JSON for a terminal too: signs in its texts that a terminal would obey, or show as nothing, are written with JSON's escapes.
fn escaped(json: &str) -> Cow<'_, str> {
    if !may_hide(json) {
        return Cow::Borrowed(json);
    }
    let mut written = String::with_capacity(json.len());
    for sign in json.chars() {
        match is_shown_by_number(sign) {
            true => sign.encode_utf16(&mut [0; 2]).iter().for_each(|unit| written.push_str(&format!("\\u{unit:04x}"))),
            false => written.push(sign),
        }
    }
    Cow::Owned(written)
}
