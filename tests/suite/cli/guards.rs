//! `gyoji check --explain-guards` on the page about legality: for each option, how the program finds out whether it can be carried out.

use super::{gyoji, said};

#[test]
fn each_option_says_how_its_legality_is_found() {
    let (code, out, err) = said(&gyoji(&["check", "tests/kernel/legality", "--explain-guards", "--lang", "en"], ""));
    assert_eq!(code, 0, "{err}");
    let told: Vec<&str> = out.lines().filter(|line| line.starts_with("legality  ")).collect();
    insta::assert_snapshot!("guards", told.join("\n"));
}

#[test]
fn a_program_reads_the_same() {
    let (code, out, _) = said(&gyoji(&["check", "tests/kernel/legality", "--explain-guards", "--format", "json"], ""));
    assert_eq!(code, 0);
    let row = out.lines().find(|line| line.contains("\"twice\"")).unwrap_or_default();
    for part in ["\"kind\":\"guard\"", "\"legality\":\"reads\"", "tests/kernel/legality/game.rules:"] {
        assert!(row.contains(part), "{row}");
    }
}
