//! Faults that are known and not mended (docs/limits.md, "Known weaknesses"): what the program answers today.
//!
//! The comment in each case says what is wrong and what would be right. If this test fails because a fault is mended, the case becomes a
//! usual ruling or test, and its line in docs/limits.md goes. Three cases show their fault only at the table or in `why`: `joint_number`,
//! `veil_at_the_table`, `why_victory_spark`.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The codes of the program's messages in the order in which they come, and how many scenarios pass and fail.
fn answer(root: &Path, command: &str, case: &str) -> String {
    let path = format!("tests/fixtures/open_cases/{case}");
    let output = Command::new(env!("CARGO_BIN_EXE_gyoji")).args([command, &path]).env("LANG", "C").current_dir(root).output().unwrap();
    let text = [output.stdout, output.stderr].map(|stream| String::from_utf8_lossy(&stream).into_owned()).concat();
    let mut told = format!("{command}:");
    for word in text.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        if word.strip_prefix('E').is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())) {
            write!(told, " {word}").unwrap();
        }
    }
    for line in text.lines().filter(|line| line.contains(" passed, ")) {
        write!(told, " {}", line.trim()).unwrap();
    }
    told
}

#[test]
fn open_cases_are_answered_as_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(root.join("tests/fixtures/open_cases")).unwrap();
    let mut cases: Vec<String> = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    cases.sort();
    let mut told = String::new();
    for case in &cases {
        writeln!(told, "{case}").unwrap();
        let commands: &[&str] = if case.ends_with(".scenarios") { &["test"] } else { &["check", "test"] };
        for command in commands {
            writeln!(told, "  {}", answer(root, command, case)).unwrap();
        }
    }
    insta::assert_snapshot!(told);
}
