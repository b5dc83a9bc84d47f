//! A failure as lines of text: the place, the message, the position, the open decisions, the last steps.
//!
//! `report/` adds colours and the underlined source at a terminal. The test harness prints these lines as they are.

use crate::outcome::verdict::{AskedShown, Failure, SeatShown, Situation, Verdict};
use lang::diagnostic::{Diagnostic, Language, Sources};
use std::fmt::Write as _;

/// The whole failure. Empty for a verdict that passed.
#[must_use]
pub fn failure(verdict: &Verdict, sources: &Sources, language: Language) -> String {
    let Some(failure) = &verdict.failure else { return String::new() };
    let mut text = tell::Words::new(language).say("scenario.scenario", &[("title", verdict.title.clone())]);
    for id in &verdict.cites {
        let _ = write!(text, " @{id}");
    }
    text.push('\n');
    text.push_str(&finding(failure, verdict, sources, language));
    for finding in &failure.beneath {
        let _ = writeln!(text, "  {} {}", finding.code, finding.told(language).message);
    }
    if let Some(situation) = &failure.situation {
        text.push_str(&lines_of(situation, language));
    }
    text
}

fn finding(failure: &Failure, verdict: &Verdict, sources: &Sources, language: Language) -> String {
    let span = failure.diagnostic.span.unwrap_or(verdict.span);
    finding_line(&Diagnostic { span: Some(span), ..failure.diagnostic.clone() }, sources, language)
}

/// A finding: `file:line:column: code message`, with its helps below.
#[must_use]
pub fn finding_line(diagnostic: &Diagnostic, sources: &Sources, language: Language) -> String {
    let place = diagnostic.span.map(|span| {
        let (line, column) = sources.line_column(span);
        format!("{}:{line}:{column}: ", sources.get(span.file).map_or("", |source| &source.name))
    });
    let told = diagnostic.told(language);
    let mut text = format!("{}{} {}\n", place.unwrap_or_default(), diagnostic.code, told.message);
    for line in told.help {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// The situation, indented under its headings.
#[must_use]
pub fn lines_of(situation: &Situation, language: Language) -> String {
    let mut text = format!("  {}", tell::Words::new(language).say("scenario.turn", &[("n", situation.turn.to_string())]));
    let comma = tell::Words::new(language).say("scenario.comma", &[]);
    if let Some(phase) = &situation.phase {
        let _ = write!(text, "{comma}{phase}");
    }
    if let Some(ended) = &situation.ended {
        let _ = write!(text, "{comma}{ended}");
    }
    text.push('\n');
    for seat in &situation.seats {
        text.push_str(&seat_lines(seat));
    }
    for asked in &situation.asked {
        text.push_str(&asked_line(asked, language));
    }
    if !situation.trace.is_empty() {
        let _ = writeln!(text, "  {}", tell::Words::new(language).say("scenario.last_steps", &[]));
    }
    for step in &situation.trace {
        let _ = writeln!(text, "    {step}");
    }
    text
}

fn seat_lines(seat: &SeatShown) -> String {
    let mut text = format!("  {}\n", seat.seat);
    for (zone, cards) in seat.zones.iter().filter(|(_, cards)| !cards.is_empty()) {
        let _ = writeln!(text, "    {zone}: {}", together(cards).join(", "));
    }
    for (name, value) in &seat.values {
        let _ = writeln!(text, "    {name} = {value}");
    }
    text
}

fn asked_line(asked: &AskedShown, language: Language) -> String {
    let (min, max) = (asked.min.to_string(), asked.max.to_string());
    let amount = if min == max { min } else { tell::Words::new(language).say("scenario.amount", &[("min", min), ("max", max)]) };
    let possible = together(&asked.possible).join(", ");
    let args = [("seat", asked.seat.clone()), ("name", asked.name.clone()), ("amount", amount), ("possible", possible)];
    let mut text = format!("  {}", tell::Words::new(language).say("scenario.asked", &args));
    for id in &asked.cites {
        let _ = write!(text, " @{id}");
    }
    text.push('\n');
    text
}

/// Equal neighbours joined: `name x20`.
pub(crate) fn together(cards: &[String]) -> Vec<String> {
    cards
        .chunk_by(|a, b| a == b)
        .filter_map(|run| run.first().map(|card| (card, run.len())))
        .map(|(card, count)| repeated(card, count))
        .collect()
}

fn repeated(card: &str, count: usize) -> String {
    if count == 1 { card.to_owned() } else { format!("{card} x{count}") }
}
