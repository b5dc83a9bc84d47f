//! Pages of `gyoji explain CODE` whose examples need a whole project (tests/fixtures/explain): examples with a wording and a card's
//! text, and typed commands. Examples with rules, cards or scenarios are run in the tests of the compiler and of the scenarios.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use gyoji::diagnostic::{Example, Page, pages, written_out};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Copies the project for one example, to a folder that is not inside another project.
fn project(name: &str) -> PathBuf {
    // Without its first letter, the name of the folder cannot be taken for a code.
    let name = name.trim_start_matches('E');
    let folder = std::env::temp_dir().join(format!("gyoji-explain-{}", std::process::id())).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/explain"), &folder);
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let there = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &there) } else { std::fs::write(there, std::fs::read(&path).unwrap()).unwrap() }
    }
}

/// Runs some lines in a shell, in a folder. Returns whether the last line succeeded, and the output.
fn typed(lines: &str, folder: &Path) -> (bool, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_gyoji")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let said = Command::new("sh")
        .args(["-c", lines])
        .current_dir(folder)
        .env("PATH", path)
        .env("LANG", "C")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (said.status.success(), text(&said.stdout) + &text(&said.stderr))
}

/// Writes the lines of a wording and a card with the text into files of their own.
fn put(example: &str, folder: &Path) {
    let (texts, lines): (Vec<&str>, Vec<&str>) = example.lines().partition(|line| line.starts_with("text "));
    let wording = format!("gyoji 1\n\nwording more {{\n{}\n}}\n", lines.join("\n"));
    std::fs::write(folder.join("rules/tiny/more.rules"), wording).unwrap();
    let cards: String = texts.iter().map(|text| format!("card \"T-9\" piece \"風\" {{ power 1  {text} }}\n")).collect();
    std::fs::write(folder.join("cards/tiny/more.cards"), format!("gyoji 1\n\ncards tiny\n\n{cards}")).unwrap();
}

fn outcome(page: &Page, example: &str, name: &str) -> (bool, String) {
    let (folder, example) = (project(name), written_out(example));
    let outcome = if page.of == Example::Wording {
        put(&example, &folder);
        typed("gyoji check --back", &folder)
    } else {
        typed(&example, &folder)
    };
    let _ = std::fs::remove_dir_all(folder);
    outcome
}

/// The first code in the output.
fn code_in(said: &str) -> Option<&str> {
    let is_code = |word: &&str| word.len() == 5 && word.starts_with('E') && word.bytes().skip(1).all(|byte| byte.is_ascii_digit());
    said.split(|sign: char| !sign.is_alphanumeric()).find(is_code)
}

#[test]
fn what_is_typed_and_printed_on_the_pages_comes_out_as_they_say() {
    let run: Vec<_> = pages().filter(|(_, page)| matches!(page.of, Example::Wording | Example::Command)).collect();
    assert!(run.len() > 90, "{} pages", run.len());
    let wrong = |(code, page): &(&str, &Page)| {
        let (_, said) = outcome(page, &page.wrong, code);
        let shows = said.contains(code) && !said.contains("panicked") && !said.contains("overflowed");
        (!shows).then(|| format!("{code}, wrong: {said}\n"))
    };
    // Many pages have the same corrected example. Each is run once.
    let mended: BTreeMap<&str, (&str, &Page)> = run.iter().map(|(code, page)| (page.right.as_str(), (*code, *page))).collect();
    let right = |(code, page): (&str, &Page)| {
        let (fine, said) = outcome(page, &page.right, &format!("{code}_right"));
        (!fine || code_in(&said).is_some()).then(|| format!("{code}, right: {said}\n"))
    };
    let mut broken: Vec<String> = run.clone().into_par_iter().filter_map(|row| wrong(&row)).collect();
    broken.extend(mended.into_values().collect::<Vec<_>>().into_par_iter().filter_map(right).collect::<Vec<_>>());
    assert!(broken.is_empty(), "{}", broken.concat());
}
