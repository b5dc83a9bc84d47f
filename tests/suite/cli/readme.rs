//! The examples of the two READMEs: the program does what they show, and the files contain it.

use super::{gyoji, said};
use crate::tidy;

/// The README files, each with its code blocks.
fn blocks() -> Vec<(&'static str, Vec<&'static str>)> {
    let fenced = |text: &'static str| text.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    [("README.md", include_str!("../../../README.md")), ("README.ja.md", include_str!("../../../README.ja.md"))]
        .map(|(name, text)| (name, fenced(text)))
        .to_vec()
}

/// Whether the lines of `shown` stand in `text` one after the other. A line `…` stands for any lines.
pub(super) fn is_excerpt(shown: &str, text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut from = 0;
    for part in shown.trim_end().split('…').map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty()) {
        let part: Vec<&str> = part.lines().map(str::trim_end).collect();
        match lines.get(from..).and_then(|rest| rest.windows(part.len()).position(|window| window == part)) {
            Some(at) => from += at + part.len(),
            None => return false,
        }
    }
    true
}

/// The files of one kind of a game, without comments.
fn files(folder: &str, ending: &str) -> String {
    let all: String = tidy::files(folder, ending).into_iter().map(|(_, text)| text).collect();
    let said = |line: &str| line.split("  -- ").next().unwrap().trim_end().to_owned();
    all.lines().filter(|line| !line.trim_start().starts_with("--")).map(|line| said(line) + "\n").collect()
}

/// In the file the margin may be wider, because longer numbers stand above and below. And a phase stands inside a turn.
fn without_indent(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn what_the_readmes_show_is_real() {
    for (name, blocks) in blocks() {
        let mut kinds = Vec::new();
        for block in blocks {
            if let Some(run) = block.strip_prefix("$ cargo run --release -- ") {
                let (command, shown) = run.split_once('\n').unwrap();
                let args: Vec<&str> = command.trim_end_matches(" < /dev/null").split_whitespace().collect();
                let (code, out, err) = said(&gyoji(&args, ""));
                assert_eq!(code, 0, "{err}");
                assert!(is_excerpt(shown, &out), "{name}: `{command}` does not say\n{shown}\nbut\n{out}");
                kinds.push(args[0].to_owned());
            } else if block.starts_with("scenario ") {
                assert!(is_excerpt(block, &files("tests/scenarios/kaiun", ".scenarios")), "{name}: no such scenario\n{block}");
                kinds.push("scenario".to_owned());
            } else {
                let rules = without_indent(&files("rules/kaiun", ".rules"));
                assert!(is_excerpt(&without_indent(block), &rules), "{name}: no such rule\n{block}");
                kinds.push("rule".to_owned());
            }
        }
        assert_eq!(kinds, ["play", "rule", "explain", "scenario"], "{name}");
    }
}

/// The blocks that a shell command with quotes shows, and the part of a trace.
#[test]
fn the_refused_text_and_the_trace_are_real() {
    let title = "both players' costs are paid before either effect";
    let file = tidy::files("tests/scenarios/kaiun", ".scenarios").into_iter().find(|(_, text)| text.contains(title)).unwrap().0;
    for (name, text) in [("README.md", include_str!("../../../README.md")), ("README.ja.md", include_str!("../../../README.ja.md"))] {
        let lang = if name.contains(".ja.") { "ja" } else { "en" };
        let blocks: Vec<&str> = text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        assert_eq!(blocks.len(), 2, "{name}");
        let (command, shown) = blocks[0].split_once('\n').unwrap();
        let (_, out, err) = said(&gyoji(&["wording", "kaiun", "--lang", lang, "--try", command.split('\'').nth(1).unwrap()], ""));
        assert!(is_excerpt(shown, &(out + &err)), "{name}: not said:\n{shown}");
        let (_, out, _) = said(&gyoji(&["test", &format!("{}:{title}", file.display()), "--trace", "--lang", lang], ""));
        assert!(is_excerpt(blocks[1], &out), "{name}: no such trace:\n{}\nbut\n{out}", blocks[1]);
    }
}

#[test]
fn an_excerpt_stands_in_the_text() {
    let text = "one\ntwo\nthree\nfour\n";
    for (shown, is) in [("one\n…\nfour", true), ("two\nthree\n…\n", true), ("one\nthree", false), ("three\n…\none", false)] {
        assert_eq!(is_excerpt(shown, text), is, "{shown}");
    }
}
