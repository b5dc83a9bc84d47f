//! Texts by writers who had not seen the wording (tests/fixtures/texts): which of them can the wording read today?

use super::{copy, folder, path, said};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Card texts in batches, each text with its writer's meaning. After each batch the wording was improved.
const TEXTS: &str = "tests/fixtures/texts";

/// The rows of a batch: name and text.
fn batch(number: u8) -> Vec<(String, String)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(TEXTS).join(format!("kaiun.{number}.tsv"));
    let text = std::fs::read_to_string(file).unwrap();
    let row = |line: &str| {
        let mut columns = line.split('\t').map(str::to_owned);
        (columns.next().unwrap(), columns.next().unwrap())
    };
    text.lines().skip(1).map(row).collect()
}

/// One card on each line, so the line of a message names the card. A text that was printed on several lines becomes several texts.
fn cards(rows: &[(String, String)]) -> String {
    let values = "janken グー  win 4  lose 3  cost 1  attribute 火  tribe [獣]";
    let card = |(id, text): &(String, String)| {
        format!("card \"{id}\" fighter \"{id}\" {{ {values}  text 「{}」 }}\n", text.replace("\\n", "」  text 「"))
    };
    format!("gyoji 1\ncards kaiun\n{}", rows.iter().map(card).collect::<String>())
}

/// Whole programs are made of the texts, so a script of the wrong type is found as well. The list changes if a text can no longer be
/// read, or can be read for the first time. Before a change of the list is accepted, the script is compared with the text's meaning.
#[test]
fn fresh_texts_are_covered_as_listed() {
    let (project, root) = (folder("fresh_texts"), Path::new(env!("CARGO_MANIFEST_DIR")));
    std::fs::write(project.join("gyoji.ron"), "(games: [\"kaiun\"])\n").unwrap();
    for rules in ["rules/std", "rules/kaiun"] {
        copy(&root.join(rules), &project.join(rules));
    }
    copy(&root.join("cards/kaiun"), &project.join("cards/kaiun"));
    std::fs::remove_dir_all(project.join("cards/kaiun/decks")).unwrap();
    let batches = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(|number| (number, batch(number)));
    for (number, rows) in &batches {
        std::fs::write(project.join(format!("cards/kaiun/fresh_{number}.cards")), cards(rows)).unwrap();
    }
    let run = Command::new(env!("CARGO_BIN_EXE_gyoji")).args(["check", "--format", "json"]).current_dir(&project).env("LANG", "C").output();
    let (_, out, err) = said(&run.unwrap());
    let messages: Vec<serde_json::Value> = out.lines().chain(err.lines()).filter_map(|line| serde_json::from_str(line).ok()).collect();
    let errors: Vec<_> = messages.iter().filter(|message| message["severity"] == "error").collect();
    let place = |message: &serde_json::Value| (message["place"]["file"].to_string(), message["place"]["line"].as_u64().unwrap_or(0));
    let mut shown = Vec::new();
    let mut blamed = 0;
    for (number, rows) in &batches {
        let mut refused = Vec::new();
        for (line, (id, text)) in (3..).zip(rows) {
            let of = errors.iter().filter(|error| place(error).0.contains(&format!("fresh_{number}.cards")) && place(error).1 == line);
            let found: Vec<_> =
                of.map(|error| format!("{} {}", error["code"].as_str().unwrap(), error["message"].as_str().unwrap())).collect();
            blamed += found.len();
            if !found.is_empty() {
                refused.push(format!("  {id} {text}\n    {}", found.join("\n    ")));
            }
        }
        shown.push(format!("batch {number}: {} of {}", rows.len() - refused.len(), rows.len()));
        shown.extend(refused);
    }
    assert_eq!(blamed, errors.len(), "something else is wrong: {out}{err}");
    insta::assert_snapshot!("fresh", shown.join("\n"));
}

/// Texts that were written blind, from a rulebook and its list of cards alone, each with its meaning.
/// This test lists the texts that are refused today.
#[test]
fn blind_texts_are_covered_as_listed() {
    let rounds = |game: &str| -> Vec<(String, String)> {
        let held = |number: &i32| match number {
            12 => ["lftcg", "victory_spark"].contains(&game),
            30 => game == "lftcg",
            31 => ["lftcg", "victory_spark", "vividz"].contains(&game),
            32 | 33 => ["kaiun", "kiseki", "lftcg"].contains(&game),
            34 => ["kaiun", "kiseki"].contains(&game),
            36..=39 => ["kaiun", "kiseki", "lftcg"].contains(&game),
            _ => true,
        };
        let numbers = (1..=39).filter(held);
        let crossed = Some(("crossed".to_owned(), format!("crossed/{game}"))).filter(|_| ["kaiun", "victory_spark"].contains(&game));
        numbers.map(|number| (format!("round {number}"), format!("blind/{game}.{number}"))).chain(crossed).collect()
    };
    let tables_of_all = folder("blind");
    // One run of the program for each game: reading the rules takes longer than reading forty texts.
    let of_game = |game: &'static str| -> Vec<String> {
        let tables: Vec<(String, Vec<String>)> = rounds(game).into_iter().map(|(name, file)| (name, column(&file))).collect();
        let all = tables_of_all.join(format!("{game}.tsv"));
        let texts: Vec<&str> = tables.iter().flat_map(|(_, texts)| texts).map(String::as_str).collect();
        std::fs::write(&all, format!("text\n{}\n", texts.join("\n"))).unwrap();
        // Without JSON, because with JSON each text would be turned back into Japanese.
        let args = ["wording", game, "--texts", path(&all), "--lang", "en"];
        let run = Command::new(env!("CARGO_BIN_EXE_gyoji")).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output();
        let (_, out, _) = said(&run.unwrap());
        let mut refused: BTreeMap<usize, &str> = BTreeMap::new();
        let mut code = "";
        for line in out.lines() {
            if line.starts_with("E0") {
                code = line;
            } else if let Some((_, place)) = line.split_once(&format!("{}:", path(&all))) {
                refused.entry(place.split(':').next().unwrap().parse().unwrap()).or_insert(code);
            }
        }
        let read = format!("{} of {} texts are read", texts.len() - refused.len(), texts.len());
        assert!(out.contains(&read), "{game}: {read}? {out}");
        let mut shown = Vec::new();
        // The first line names the columns.
        let mut at = 2;
        for (name, texts) in tables {
            let lost: Vec<String> =
                (at..).zip(&texts).filter_map(|(line, text)| Some(format!("  {} {text}", refused.get(&line)?))).collect();
            shown.push(format!("{game}, {name}: {} of {}", texts.len() - lost.len(), texts.len()));
            shown.extend(lost);
            at += texts.len();
        }
        shown
    };
    let shown: Vec<String> = std::thread::scope(|scope| {
        let games = ["kaiun", "kiseki", "lftcg", "victory_spark", "vividz"].map(|game| scope.spawn(move || of_game(game)));
        games.into_iter().flat_map(|game| game.join().unwrap()).collect()
    });
    insta::assert_snapshot!("blind", shown.join("\n"));
}

/// The column `text` of a table of texts.
fn column(file: &str) -> Vec<String> {
    let table = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{file}.tsv"))).unwrap();
    let mut rows = table.lines().map(|row| row.split('\t'));
    let text = rows.next().unwrap().position(|name| name == "text").unwrap();
    rows.map(|mut row| row.nth(text).unwrap().to_owned()).collect()
}
