//! The finding for a text that cannot be read: where reading stops, and what could have followed there.

use crate::declared::grammar::{Grammar, Meaning, Rule, Symbol};
use crate::reading::chart::{Chart, Item};
use crate::reading::forest::Line;
use lang::diagnostic::Diagnostic;
use std::cmp::Reverse;

/// The most templates that are named.
const NEAREST: usize = 3;

/// Signs that end the underlined part.
const ENDS: [char; 4] = ['。', '、', '」', '】'];

/// The finding for a text that no template covers: the first signs that nothing accepts, and the nearest templates. `meant.rs` searches for
/// what may have been meant.
pub(crate) fn uncovered(grammar: &Grammar, chart: &Chart, line: &Line) -> Diagnostic {
    let reached = chart.sets.iter().rposition(|set| !set.items.is_empty()).unwrap_or(0);
    let reached = number_begins(line, reached);
    let rest = line.printed.get(reached..).unwrap_or(&[]);
    let length = rest.iter().position(|sign| ENDS.contains(sign)).unwrap_or(rest.len()).max(1).min(rest.len().max(1));
    let before = line.printed.get(..reached).unwrap_or(&[]);
    // After the last sign nothing can be marked, so the phrase before it is, with the marks that end it.
    let said = before.iter().rposition(|sign| !ENDS.contains(sign)).unwrap_or(0);
    let phrase = before.iter().take(said).rposition(|sign| ENDS.contains(sign)).map_or(0, |mark| mark + 1) as u32;
    let (start, end) = if rest.is_empty() { (phrase, reached as u32) } else { (reached as u32, (reached + length) as u32) };
    let mut error = Diagnostic::error("E0407", line.span(start, end)).with("text", line.text(start, end));
    if matches!(rest, [] | ['。', ..]) && (phrase as usize) < reached {
        error = error.with("ended", line.text(phrase, reached as u32));
    }
    let nearest = nearest_templates(grammar, chart, reached);
    if grammar.numerals.digits.is_empty() && waits_for_a_number(grammar, chart, reached) {
        error = error.with("digits", "digits 「0123456789」");
    }
    let digits: String = rest.iter().take_while(|sign| sign.is_ascii_digit()).collect();
    if !digits.is_empty() && digits.parse::<i32>().is_err() {
        error = error.with("number", digits).with("greatest", i32::MAX);
    }
    // No template of the category begins with the first sign.
    if reached == 0 {
        let goal = grammar.category(crate::GOAL);
        let key = if grammar.rules.iter().any(|rule| Some(rule.category) == goal) { "begins" } else { "none" };
        error = error.with(key, crate::GOAL);
    }
    for (key, shown) in ["first", "second", "third"].into_iter().zip(nearest) {
        error = error.with(key, shown);
    }
    error
}

/// The place where the number around `place` begins; `place` itself outside of numbers. A number is read as a whole, so the finding marks
/// it as a whole.
fn number_begins(line: &Line, place: usize) -> usize {
    let digit = |at: usize| line.printed.get(at).is_some_and(char::is_ascii_digit);
    if !digit(place) {
        return place;
    }
    (0..place).rev().take_while(|at| digit(*at)).last().unwrap_or(place)
}

/// The templates that wait at a place, each with what it needs next. Templates that cover more and lack less come first.
fn nearest_templates(grammar: &Grammar, chart: &Chart, place: usize) -> Vec<String> {
    let Some(set) = chart.sets.get(place) else { return Vec::new() };
    let waits = |item: &Item| {
        let dot = grammar.states.get(item.state).map_or(0, |state| state.dot as usize);
        let rules = grammar.states.rules(item.state).into_iter().filter_map(|rule| grammar.rule(rule));
        let origin = item.origin;
        rules.filter(move |rule| dot < rule.symbols.len()).map(move |rule| (origin, dot, rule)).collect::<Vec<_>>()
    };
    let mut waiting: Vec<(u32, usize, &Rule)> = set.items.iter().flat_map(waits).collect();
    waiting.sort_by_key(|(origin, dot, rule)| (Reverse(place as u32 - origin), rule.symbols.len() - dot));
    let mut shown = Vec::new();
    for (_, dot, rule) in waiting {
        let Meaning::Template(id) = rule.meaning else { continue };
        let Some(template) = grammar.template(id) else { continue };
        let needs = rule.symbols.get(dot).map_or_else(String::new, |symbol| needed(grammar, rule, dot, symbol));
        let line = format!("「{}」 ← {needs}", template.shown);
        if dot > 0 && !shown.contains(&line) {
            shown.push(line);
        }
        if shown.len() == NEAREST {
            break;
        }
    }
    shown
}

/// Whether a template waits for a number at a place.
fn waits_for_a_number(grammar: &Grammar, chart: &Chart, place: usize) -> bool {
    let waits = |item: &Item| {
        let dot = grammar.states.get(item.state).map_or(0, |state| state.dot as usize);
        let mut rules = grammar.states.rules(item.state).into_iter().filter_map(|rule| grammar.rule(rule));
        rules.any(|rule| matches!(rule.symbols.get(dot), Some(Symbol::Numeral)))
    };
    chart.sets.get(place).is_some_and(|set| set.items.iter().any(waits))
}

/// What a rule waits for, in words for an author.
fn needed(grammar: &Grammar, rule: &Rule, dot: usize, symbol: &Symbol) -> String {
    match symbol {
        Symbol::Sign(_) => {
            let signs = rule.symbols.iter().skip(dot).map_while(|symbol| if let Symbol::Sign(sign) = symbol { Some(*sign) } else { None });
            format!("`{}`", signs.collect::<String>())
        }
        Symbol::Choice(texts) => {
            // The empty text of a choice is shown last.
            let (nothing, texts): (Vec<_>, Vec<_>) = texts.iter().partition(|text| text.is_empty());
            texts.into_iter().chain(nothing).map(|text| text.iter().collect::<String>()).collect::<Vec<_>>().join("|")
        }
        Symbol::Category(category, _) => grammar.category_def(*category).map_or_else(String::new, |(name, _)| name.to_owned()),
        Symbol::Word(words) => {
            let words = words.of.iter().filter_map(|word| grammar.words.get(*word)).map(|word| word.dictionary.as_str());
            format!("`{}`", words.collect::<Vec<_>>().join("|"))
        }
        Symbol::Numeral => "numeral".to_owned(),
        Symbol::Free(until, _) => format!("… `{}`", until.iter().collect::<String>()),
    }
}
