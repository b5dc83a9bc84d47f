//! Follows docs/tutorial.md as a reader does: writes every file when the page
//! names it, runs every command there, and compares the output with the page.

use super::readme::is_excerpt;
use super::{folder, said};
use std::path::Path;
use std::process::Command;

const TUTORIAL: &str = include_str!("../../../docs/tutorial.md");

/// The two places of the small game that the page changes: this line is replaced, and a line is put after `BLOW`.
const OLD_LINE: &str = "    for c in play_card { p.mana = p.mana - c.cost  summon(p, c) }\n";
const BLOW: &str = "wound(c, back)\n";

fn write(root: &Path, file: &str, text: &str) {
    let file = root.join(file);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

fn edit(root: &Path, file: &str, old: &str, new: &str) {
    let text = std::fs::read_to_string(root.join(file)).unwrap();
    assert!(text.contains(old), "{file} has no\n{old}");
    write(root, file, &text.replace(old, new));
}

/// Runs the commands of a block in the reader's project and compares their output. Returns how many were run.
fn run_all(root: &Path, block: &str) -> usize {
    let runs: Vec<_> = block.split("$ gyoji ").skip(1).collect();
    for run in &runs {
        let (command, shown) = run.split_once('\n').unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_gyoji"));
        let output = program.args(command.split_whitespace()).current_dir(root).env("LANG", "C").stdin(std::process::Stdio::null());
        let (code, out, err) = said(&output.output().unwrap());
        assert_eq!(code, 0, "{command}\n{out}\n{err}");
        assert!(is_excerpt(shown, &out) || is_excerpt(shown, &err), "`{command}` does not say\n{shown}\nbut\n{out}");
    }
    runs.len()
}

/// A deck that the page gives in one line: the name of its file, and the text.
fn deck(name: &str) -> (String, &str) {
    let line = TUTORIAL.lines().find(|line| line.contains(&format!("decks/{name}.ron`"))).unwrap();
    let text = line.split('`').find(|part| part.starts_with("(name:")).unwrap();
    (format!("cards/hibana/decks/{name}.ron"), text)
}

#[test]
fn the_tutorial_says_what_a_reader_sees() {
    let root = folder("tutorial");
    write(&root, "gyoji.ron", "(games: [\"hibana\"])");
    let (mut runs, mut files) = (0, 0);
    let small = TUTORIAL.split("## 8.").next().unwrap();
    for block in small.split("```\n").skip(1).step_by(2) {
        files += 1;
        if block.starts_with("$ ") {
            runs += run_all(&root, block);
            files -= 1;
        } else if block.starts_with("gyoji 1\n\ngame") {
            write(&root, "rules/hibana/game.rules", block);
        } else if block.starts_with("ability ") {
            write(&root, "rules/hibana/abilities.rules", &format!("gyoji 1\n\n{block}"));
        } else if block.starts_with("    for c in play_card") {
            edit(&root, "rules/hibana/game.rules", OLD_LINE, block);
            edit(&root, "rules/hibana/game.rules", BLOW, &format!("{BLOW}        settle(p)\n"));
        } else if block.starts_with("use std") {
            write(&root, "rules/hibana/wording.rules", &format!("gyoji 1\n\n{block}"));
        } else if block.starts_with("gyoji 1\nscenarios") {
            write(&root, "tests/scenarios/hibana/rulings.scenarios", block);
        } else if block.starts_with("gyoji 1\ncards") {
            write(&root, &format!("cards/hibana/{files}.cards"), block);
            let (file, text) = deck("fire");
            write(&root, &file, text);
        } else {
            // The block is the message about a text that is not understood.
            assert!(block.starts_with("E0407"), "what to do with\n{block}");
            let printed = root.join(format!("cards/hibana/{}.cards", files - 1));
            let text = std::fs::read_to_string(&printed).unwrap();
            std::fs::write(&printed, text.replace("引いてもよい", "捨ててもよい")).unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_gyoji")).arg("check").current_dir(&root).env("LANG", "C").output().unwrap();
            let (code, out, _) = said(&output);
            assert_eq!(code, 1, "{out}");
            assert!(is_excerpt(block, &out), "check does not say\n{block}\nbut\n{out}");
            std::fs::write(&printed, text).unwrap();
        }
    }
    assert_eq!(runs, 5, "commands of the page");
    let (file, text) = deck("water");
    write(&root, &file, text);
    let share = small.split("a wins ").nth(1).and_then(|rest| rest.split(" %").next()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_gyoji")).args(["simulate", "--seed", "1"]).current_dir(&root).env("LANG", "C").output();
    let (code, out, err) = said(&output.unwrap());
    assert!(
        code == 0 && out.lines().any(|line| line.starts_with("wins of a") && line.ends_with(&format!(" {share} %"))),
        "{share}\n{out}\n{err}"
    );
}
