//! Files that are too large, that are no files, or that cannot be written: one message says which, before the expensive work, and nothing
//! is lost.
#![allow(clippy::string_slice, reason = "a test")]

use super::{check, folder, gyoji, path, said, saved};
use std::path::{Path, PathBuf};

const HEAD: &str = "gyoji 1\n\ngame ask \"問\" { players 2 }\n\n";

/// A project with the game `ask`, which has this rules file.
fn project(name: &str, rules: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::create_dir_all(folder.join("rules/ask")).unwrap();
    std::fs::create_dir_all(folder.join("tests/scenarios/ask")).unwrap();
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"ask\"])").unwrap();
    std::fs::write(folder.join("rules/ask/ask.rules"), rules).unwrap();
    folder
}

/// Runs the program in another folder: exit code and all output.
fn run_in(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
    let (code, out, err) = said(&command.args(args).current_dir(folder).env("LANG", "C").output().unwrap());
    assert!(!err.contains("panicked") && !err.contains("overflowed"), "{err}");
    (code, out + &err)
}

/// The codes in an output, each once.
fn codes(said: &str) -> Vec<&str> {
    let is_code = |word: &&str| word.len() == 5 && word.starts_with('E') && word.bytes().skip(1).all(|byte| byte.is_ascii_digit());
    let mut codes: Vec<&str> = said.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(is_code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Texts that nest or go on without end, in one line and in many: each is one finding, and no stack overflows.
#[test]
fn whatever_goes_on_without_end_is_one_finding() {
    let times = 20_000;
    let rows = [
        ("param x = ", "if 1 == 1 then 1 else", "1"),
        ("param x = ", "if 1 >= 2 then 1 else", "1"),
        ("param x = ", "if @1-1 true then 1 else", "1"),
        ("param x = ", "if @1-1 1 != 2 then 1 else", "1"),
        ("param x = ", "some a as b where 1 ==", "1"),
        ("param x = ", "not 1 <=", "1"),
        ("param x = ", "@1 not @2", "true"),
        ("param x = ", "latest a ==", "1"),
        ("param x = ", "1 +", "1"),
        ("param x = ", "[1,", "1"),
        ("param x = ", "a of", "b"),
        ("procedure p() { if a { }", "else if b { }", "}"),
        ("procedure p() {", "if a {", ""),
        ("procedure p() {", "attempt { } else {", ""),
        ("", "「", ""),
        ("", "(", ""),
        ("", "$", ""),
        ("", "\u{A0}", ""),
        ("param x = \"", "あ", "\""),
        ("-- ", "あ", ""),
    ];
    for (at, (begin, again, end)) in rows.into_iter().enumerate() {
        for between in [" ", "\n  "] {
            let folder = project(&format!("goes_on_{at}"), &format!("{HEAD}{begin}{}{end}\n", format!("{again}{between}").repeat(times)));
            let (code, out) = run_in(&folder, &["check"]);
            // A long comment and a long text are no faults.
            let fine = begin.starts_with("--") || begin.ends_with('"');
            assert!(code == 1 || fine, "{begin}{again}: {out}");
            assert!(out.len() < 100_000, "{begin}{again}: {} bytes of output", out.len());
        }
    }
}

/// The mark stands in the line, and the rest of the line is cut, in a line of the finding as in the lines around it.
#[test]
fn a_long_line_is_cut_around_its_mark() {
    let long = "あ".repeat(10_000);
    let rules = format!("{HEAD}-- {long}\nparam x = \"{long}\" + wrong + \"{long}\"\n-- {long}\n");
    let (code, out) = run_in(&project("long_lines", &rules), &["check"]);
    assert!(code == 1 && out.contains("wrong") && out.contains("…") && out.len() < 4000, "{}", out.len());
    let (_, out) = run_in(&project("long_lines", &rules.replace('あ', "a")), &["check"]);
    assert!(out.contains("ask.rules:6:10016]"), "{out}");
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = project("too_large", HEAD);
    let large = |name: &str, size: u64| {
        let file = std::fs::File::create(folder.join(name)).unwrap();
        file.set_len(size).unwrap();
        folder.join(name)
    };
    // Files of the game, of each kind, each the only wrong one.
    for name in ["rules/ask/b.rules", "rules/ask/b.cards", "rules/ask/rulebook.tsv", "tests/scenarios/ask/b.scenarios", "gyoji.ron"] {
        let kept = std::fs::read(folder.join(name)).ok();
        large(name, (32 << 20) + 1);
        let (code, out) = run_in(&folder, &["check"]);
        assert!(code > 0 && codes(&out) == ["E0890"], "{name}: {out}");
        match kept {
            Some(bytes) => std::fs::write(folder.join(name), bytes).unwrap(),
            None => std::fs::remove_file(folder.join(name)).unwrap(),
        }
    }
    // Files that a command names.
    let record = large("large.ron", (256 << 20) + 1);
    check(&["replay", path(&record)], "", 2, &["E0890"]);
    check(&["play", "--resume", path(&record)], "", 2, &["E0890"]);
    check(&["play", "kaiun", "--deck", &format!("a={}", path(&record))], "", 2, &["E0890"]);
    check(&["wording", "kaiun", "--texts", path(&record)], "", 2, &["E0890"]);
    // Zeros are no text, of whatever size.
    std::fs::write(folder.join("rules/ask/b.rules"), vec![0; 5 << 20]).unwrap();
    let (code, out) = run_in(&folder, &["check"]);
    assert!(code == 1 && codes(&out) == ["E0895"] && out.len() < 1000, "{out}");
}

#[test]
fn a_chain_of_used_folders_ends() {
    let folder = project("used_chain", &format!("{HEAD}use u1\n"));
    for at in 1..=1000 {
        let used = folder.join(format!("rules/u{at}"));
        std::fs::create_dir_all(&used).unwrap();
        std::fs::write(used.join("u.rules"), format!("gyoji 1\n\nuse u{}\n", at + 1)).unwrap();
    }
    let (code, out) = run_in(&folder, &["check"]);
    assert!(code == 1 && codes(&out) == ["E0893"] && out.contains("u200"), "{out}");
}

/// Something with the name of a file that is none, in the place of every kind of file. Each is named, by one finding.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_named() {
    let places = ["rules/ask/b.rules", "rules/ask/b.cards", "rules/ask/decks/b.ron", "tests/scenarios/ask/b.scenarios"];
    type Put = fn(&Path);
    let things: [(&str, Put); 4] = [
        ("E0887", |path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success())),
        ("E0866", |path| std::fs::create_dir(path).unwrap()),
        ("E0874", |path| std::os::unix::fs::symlink("nowhere", path).unwrap()),
        ("E0801", |path| std::fs::write(path, b"\xFF\xFEg\0y\0").unwrap()),
    ];
    // The zone of another file is used here: nobody needs to hear that it is missing.
    let rules = format!("{HEAD}action act(c: card) {{ move(c, gone(c.owner)) }}\n");
    for (code, put) in things {
        for place in places {
            let folder = project("no_file", &rules);
            let at = folder.join(place);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            put(&at);
            let (exit, out) = run_in(&folder, &["check"]);
            let file = Path::new(place).file_name().unwrap().to_string_lossy();
            let found = codes(&out);
            let is_alone = found == [code] || !place.ends_with("s") && found.contains(&code) || place.ends_with("scenarios");
            assert!(exit > 0 && found.contains(&code) && is_alone && out.contains(&*file), "{code} {place}: {out}");
        }
    }
}

/// The arguments that take a file or a folder, by the help of every command. Each is given a device in the file's place. A command that
/// read the device would find it too long (`E0890`); a command that waited for a pipe would read the device. Files that a command writes are
/// refused before the work, although the other file that the command needs is not there. They are given a pipe and a folder too.
#[cfg(unix)]
#[test]
fn no_command_reads_or_writes_what_is_no_file() {
    let folder = project("devices", &format!("{HEAD}zone pile {{ each player  starts with deck }}\n"));
    std::fs::write(folder.join("rules/ask/rulebook.tsv"), "1-1\tmechanic\tone\n").unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("ff.scenarios")).unwrap();
    std::fs::create_dir(folder.join("folder.ron")).unwrap();
    let pipe = folder.join("pipe.ron");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Somebody listens, so a command that writes to the pipe does not wait.
    let _listens = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let written = [("play", "--record"), ("replay", "--scenario"), ("rule", "--to")];
    let (_, commands) = run_in(&folder, &["--help"]);
    let commands = commands.lines().skip_while(|line| !line.starts_with("Commands")).skip(1).take_while(|line| !line.is_empty());
    let mut tried = Vec::new();
    for command in commands.filter_map(|line| line.split_whitespace().next()) {
        for line in run_in(&folder, &[command, "--help"]).1.lines() {
            let has = |word: &str| line.split(|sign: char| !sign.is_ascii_alphabetic()).any(|part| part == word);
            if !(["FILE", "PATH", "PATHS", "DIR", "recorded"].into_iter().any(has) || line.contains("and a file")) {
                continue;
            }
            let name = line.split_whitespace().find(|word| word.starts_with("--"));
            if line.starts_with("Usage") {
                continue;
            }
            let lines = line.contains("FILE:LINE") || line.contains("FILE[:LINE]");
            let value = if line.contains("a=FILE") {
                "a=ff.scenarios"
            } else if lines {
                "ff.scenarios:3"
            } else {
                "ff.scenarios"
            };
            let mut args = vec![command];
            match (command, name) {
                ("rule", None) => args.extend(["import", value, "--scheme", "#"]),
                ("why", None) => args.extend([value, "x"]),
                (_, None) => args.push(value),
                ("rule", Some("--scenarios")) => args.push("1-1"),
                ("rule", Some("--to")) => args.extend(["import", "none.txt", "--scheme", "#"]),
                ("replay", Some(_)) => args.push("one.ron"),
                ("why", Some(_)) => args.extend(["one.scenarios:3", "x"]),
                ("explain", Some(_)) => args.push("E0887"),
                _ => {}
            }
            let is_written = name.is_some_and(|name| written.contains(&(command, name)));
            let things: &[(&str, &str)] = match (is_written, has("DIR")) {
                (true, _) => &[(value, "E0887"), ("pipe.ron", "E0887"), ("folder.ron", "E0866")],
                (false, true) => &[(value, "E0894")],
                (false, false) => &[(value, "E0887")],
            };
            for (value, code) in things {
                for force in [None, is_written.then_some("--force")] {
                    let named = name.into_iter().flat_map(|name| [name, value]);
                    let args: Vec<&str> = args.iter().copied().chain(named).chain(force).collect();
                    let (exit, out) = run_in(&folder, &args);
                    assert!(exit == 2 && codes(&out) == [*code], "{args:?}: {exit} {out}");
                    tried.push(args.join(" "));
                }
            }
        }
    }
    for is in [
        "play --deck a=ff.scenarios",
        "play --resume ff.scenarios",
        "why ff.scenarios:3 x",
        "mutants --results ff.scenarios",
        "play --record pipe.ron --force",
        "replay one.ron --scenario folder.ron",
        "rule import none.txt --scheme # --to ff.scenarios",
    ] {
        assert!(tried.iter().any(|tried| tried == is), "{is} is not among {tried:?}");
    }
    // Files that are named in the course of a game.
    for (file, code) in [("ff.scenarios", "E0887"), ("pipe.ron", "E0887"), ("folder.ron", "E0866")] {
        for command in ["s", "w"] {
            let at = folder.join(file);
            check(&["play", "kaiun", "--seed", "1", "--seat", "a=human", "--force"], &format!("{command} {}\nq\n", path(&at)), 2, &[code]);
        }
    }
    // A check of the whole repository would find the pipe and the device.
    std::fs::remove_dir_all(folder).unwrap();
}

/// `--scheme` and `--to` belong to an import. With another form of `rule` they are not passed over.
#[test]
fn options_of_an_import_are_for_an_import() {
    let folder = project("of_import", HEAD);
    for form in [&["ask", "1-1"][..], &["1-1"], &["ask", "--against", "new.tsv"], &["import"], &[]] {
        for option in [["--to", "x.tsv"], ["--scheme", "#"]] {
            let args: Vec<&str> = ["rule"].iter().chain(form).chain(&option).copied().collect();
            let (exit, out) = run_in(&folder, &args);
            assert!(exit == 2 && codes(&out) == ["E0820"] && out.contains("rule import"), "{args:?}: {out}");
            assert!(!folder.join("x.tsv").exists());
        }
    }
}

/// A folder in a file's place, and a file in a folder's place.
#[test]
fn a_folder_is_no_file_and_a_file_is_no_folder() {
    let folder = project("folder_or_file", HEAD);
    for (args, code) in [
        (&["replay", "rules"][..], "E0866"),
        (&["check", "--rules", "gyoji.ron"], "E0894"),
        (&["replay", "gyoji.ron/a.ron"], "E0894"),
        (&["play", "--seed", "1", "--record", "gyoji.ron/deeper/a.ron"], "E0894"),
    ] {
        let (exit, out) = run_in(&folder, args);
        assert!(exit == 2 && codes(&out) == [code] && out.contains("help: "), "{args:?}: {out}");
        assert!(code == "E0866" || out.contains("`gyoji.ron`"), "{args:?}: {out}");
    }
}

#[cfg(unix)]
#[test]
fn the_name_of_a_file_is_shown_in_one_line() {
    let folder = project("odd_names", HEAD);
    std::fs::write(folder.join("rules/ask/a\nb\tc\u{1B}[31md\u{202E}.rules"), "gyoji 1\n\nparm x = 1\n").unwrap();
    let (code, out) = run_in(&folder, &["check"]);
    assert!(code == 1 && out.contains("aU+000AbU+0009cU+001B[31mdU+202E.rules"), "{out}");
    let (_, out) = run_in(&folder, &["replay", "a\nb.ron"]);
    assert!(out.contains("`aU+000Ab.ron`"), "{out}");
}

#[test]
fn where_nothing_is_there_the_built_in_games_are_not_meant() {
    // A folder that is in no project.
    let empty = std::env::temp_dir().join(format!("gyoji-empty-{}", std::process::id()));
    std::fs::create_dir_all(&empty).unwrap();
    for command in ["check", "fmt"] {
        let (code, out) = run_in(&empty, &[command]);
        assert!(code == 2 && codes(&out) == ["E0892"], "{command}: {out}");
        let (code, out) = run_in(&empty, &[command, "."]);
        assert!(code == 2 && codes(&out) == ["E0891"], "{command}: {out}");
    }
    let (code, out) = run_in(&empty, &["test"]);
    assert!(code == 2 && codes(&out) == ["E0567"], "{out}");
    std::fs::remove_dir(&empty).unwrap();
}

/// Runs a command in a shell in which no file can have any bytes: every write to a file fails, as on a full disk.
#[cfg(unix)]
fn on_a_full_disk(folder: &Path, args: &str) -> (i32, String) {
    let line = format!("trap '' XFSZ; ulimit -f 0; '{}' {args}", env!("CARGO_BIN_EXE_gyoji"));
    let mut command = std::process::Command::new("sh");
    let (code, out, err) = said(&command.args(["-c", &line]).current_dir(folder).env("LANG", "C").output().unwrap());
    (code, out + &err)
}

/// Nothing stays of a file that could not be written, so the next try is not barred. What was there before is there still.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let folder = folder("full_disk");
    let names = || {
        let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<std::collections::BTreeSet<String>>()
    };
    let new = "play kaiun --seed 1 --record game.ron";
    let (code, out) = on_a_full_disk(&folder, new);
    assert!(code == 2 && out.contains("E0823"), "{out}");
    assert!(names().is_empty(), "{:?}", names());
    assert_eq!(run_in(&folder, &["play", "kaiun", "--seed", "1", "--record", "game.ron"]).0, 0);
    let kept = std::fs::read_to_string(folder.join("game.ron")).unwrap();
    let (code, out) = on_a_full_disk(&folder, "play kaiun --seed 2 --record game.ron --force");
    assert!(code == 2 && out.contains("E0823"), "{out}");
    std::fs::write(folder.join("x.rules"), "gyoji 1\n\n\n\nparam   x = 1\n").unwrap();
    let (code, out) = on_a_full_disk(&folder, "fmt x.rules");
    assert!(code == 2 && out.contains("E0823"), "{out}");
    assert_eq!(std::fs::read_to_string(folder.join("game.ron")).unwrap(), kept);
    assert_eq!(std::fs::read_to_string(folder.join("x.rules")).unwrap(), "gyoji 1\n\n\n\nparam   x = 1\n");
    assert_eq!(names().into_iter().collect::<Vec<_>>(), ["game.ron", "x.rules"]);
}

/// A new file has the permissions of any new file.
#[cfg(unix)]
#[test]
fn a_new_file_has_the_usual_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("permissions");
    std::fs::write(folder.join("usual"), "").unwrap();
    assert_eq!(run_in(&folder, &["play", "kaiun", "--seed", "1", "--record", "game.ron"]).0, 0);
    let mode = |name: &str| std::fs::metadata(folder.join(name)).unwrap().permissions().mode();
    assert_eq!(mode("game.ron"), mode("usual"));
}

/// A key that nobody knows, in the place of every field of a save: each makes the save unreadable.
#[test]
fn an_unknown_key_is_an_error_wherever_it_stands() {
    let save = saved("unknown_keys");
    let text = std::fs::read_to_string(&save).unwrap();
    let read = |text: &str| gyoji::players::record::from_text::<gyoji::players::record::Save>(text).map(drop);
    assert_eq!(read(&text), Ok(()));
    assert!(text.starts_with("// Holds the seed"), "it says whose secrets it holds");
    let mut fields = std::collections::BTreeSet::new();
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices(':').filter(|(at, _)| bytes.get(at + 1) == Some(&b' ')) {
        let start = text[..at].rfind(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '_')).map_or(0, |before| before + 1);
        let name = &text[start..at];
        let is_field = name.starts_with(|sign: char| sign.is_ascii_lowercase())
            && matches!(text[..start].trim_end().as_bytes().last(), Some(b'(' | b','));
        // `s` is the state of the random generator, which another library reads.
        if is_field && name != "s" && fields.insert(name) {
            let with = format!("{}nobody_knows: 0, {}", &text[..start], &text[start..]);
            assert!(read(&with).is_err(), "an unknown key before `{name}` is read");
        }
    }
    assert!(fields.len() > 60, "{fields:?}");
    // The message names the nearest key.
    std::fs::write(&save, text.replacen("decisions:", "decision:", 1)).unwrap();
    check(&["play", "--resume", path(&save)], "", 2, &["E0853", "`decisions`"]);
    let deck = save.with_file_name("deck.ron");
    std::fs::write(&deck, "(name: \"d\", card: [(2, \"KC-001\")])").unwrap();
    check(&["play", "kaiun", "--deck", &format!("a={}", path(&deck))], "", 2, &["E0853", "`cards`"]);
}

/// A person does not see the seed first, unless it was given or asked for: whoever has it can find out every hidden card.
#[test]
fn the_seed_is_kept_from_a_person_until_the_end() {
    let seed = |args: &[&str], input: &str| {
        let (code, out, err) = said(&gyoji(&[&["play", "kaiun"], args].concat(), input));
        assert_eq!(code, 0, "{err}");
        let lines: Vec<&str> = out.lines().collect();
        let is_seed = |line: &&str| line.starts_with("seed ");
        (lines.first().is_some_and(is_seed), lines.last().is_some_and(is_seed))
    };
    assert_eq!(seed(&["--seat", "a=human"], "q\n"), (false, false));
    assert_eq!(seed(&["--seat", "a=human", "--show-seed"], "q\n"), (true, false));
    assert_eq!(seed(&["--seat", "a=human", "--seed", "4"], "q\n"), (true, false));
    assert_eq!(seed(&["--seat", "a=human"], "c\ny\n"), (false, true));
    assert_eq!(seed(&[], ""), (true, false));
}

/// An answer that is taken back after something hidden came to light is in the record, and `replay` tells it.
#[test]
fn an_answer_that_was_taken_back_after_something_was_seen_is_noted() {
    let folder = folder("taken_back");
    let record = |name: &str, input: &str| {
        let file = folder.join(name);
        let (code, _, err) = said(&gyoji(&["play", "kaiun", "--seed", "3", "--seat", "a=human", "--record", path(&file)], input));
        assert_eq!(code, 0, "{err}");
        (std::fs::read_to_string(&file).unwrap(), file)
    };
    let (text, file) = record("seen.ron", "1\n1\n1\n1\n1\n1\nu\nu\nu\nu\nq\n");
    assert!(text.contains("taken_back: ["), "{text}");
    let (_, out, _) = said(&gyoji(&["replay", path(&file)], ""));
    assert!(out.contains("a took back the answer"), "{out}");
    let (text, file) = record("nothing_seen.ron", "q\n");
    assert!(!text.contains("taken_back"), "{text}");
    let (_, out, _) = said(&gyoji(&["replay", path(&file)], ""));
    assert!(!out.contains("took back"), "{out}");
}
