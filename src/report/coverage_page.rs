//! Coverage as one HTML file that contains everything.
//!
//! Input: the judged rows, the proofs in words, and the lists of unneeded parts of the rules. The page has no scripts and loads nothing.

use scenario::coverage::{Count, Coverage, Covered, Degree};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tell::Words;

const STYLE: &str = "body{font-family:sans-serif;margin:2em;max-width:80em}table{border-collapse:collapse;margin:1em 0}\
td,th{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}.shown{background:#e5f4e5}.traced{background:#fff6d6}\
.cited{background:#ffe6cc}.missing{background:#ffd9d9}small{color:#555}";

/// The contents of the page besides the judged rows.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// For each shown row, its proof.
    pub proofs: BTreeMap<String, String>,
    /// Lists of places, each under its heading.
    pub lists: Vec<(String, Vec<String>)>,
    /// A note for the reader of the page.
    pub note: Option<String>,
}

/// The page.
#[must_use]
pub fn coverage_page(game: &str, coverage: &Coverage, beside: &Beside, words: Words) -> String {
    let title = words.say("coverage.title", &[("game", game.to_owned())]);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{1}\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(&title),
        words.plain("page.language"),
    );
    if let Some(note) = &beside.note {
        let _ = writeln!(page, "<p>{}</p>", escaped(note));
    }
    page.push_str(&totals(coverage, words));
    page.push_str("<table>\n");
    for row in &coverage.rows {
        page.push_str(&line(row, beside.proofs.get(&row.id), words));
    }
    page.push_str("</table>\n");
    for (title, places) in beside.lists.iter().filter(|(_, places)| !places.is_empty()) {
        let places: String = places.iter().map(|place| format!("<li>{}</li>", escaped(place))).collect();
        let _ = writeln!(page, "<h2>{}</h2>\n<ul>{places}</ul>", escaped(title));
    }
    page.push_str("</body></html>");
    page
}

fn totals(coverage: &Coverage, words: Words) -> String {
    let mut table = String::from("<table>\n");
    let chapters = coverage.chapters.iter().map(|(chapter, count)| (words.say("coverage.chapter", &[("chapter", chapter.clone())]), count));
    let classes = coverage.classes.iter().map(|(class, count)| (class.word().to_owned(), count));
    let all = std::iter::once((words.say("coverage.all", &[]), &coverage.total));
    for (name, count) in chapters.chain(classes).chain(all) {
        table.push_str(&count_line(&name, count, words));
    }
    table + "</table>\n"
}

fn count_line(name: &str, count: &Count, words: Words) -> String {
    let mut line = format!("<tr><th>{}</th><td>{} %</td>", escaped(name), count.percent());
    let counts =
        [(Degree::Shown, count.shown), (Degree::Traced, count.traced), (Degree::Cited, count.cited), (Degree::Missing, count.missing)];
    for (degree, count) in counts {
        let _ = write!(line, "<td class=\"{}\">{count} {}</td>", class_of(degree), escaped(&said(degree, words)));
    }
    line + "</tr>\n"
}

fn line(row: &Covered, proof: Option<&String>, words: Words) -> String {
    let scenarios: Vec<String> = row.scenarios.iter().map(|(title, _)| escaped(title)).collect();
    let proof = proof.map_or_else(|| scenarios.join("<br>"), |proof| escaped(proof));
    let absent = if row.absent { " absent" } else { "" };
    format!(
        "<tr class=\"{}\" id=\"{id}\"><td>@{id}</td><td>{}{absent}</td><td>{}</td><td>{}</td><td><small>{proof}</small></td></tr>\n",
        class_of(row.degree),
        row.class.word(),
        escaped(&said(row.degree, words)),
        escaped(&row.text),
        id = escaped(&row.id),
    )
}

fn said(degree: Degree, words: Words) -> String {
    words.say(&format!("coverage.{}", degree.word().replace(' ', "_")), &[])
}

fn class_of(degree: Degree) -> &'static str {
    degree.word().rsplit(' ').next().unwrap_or("")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
