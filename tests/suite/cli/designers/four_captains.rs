//! What a designer of a game of four captains found about changes at one time and about the end of games (tests/kernel/taken_by_two,
//! spent_together, team_numbers, heard_together hold the rest).

use crate::cli::{check, path, said};

/// A judgement that does not end the game is marked itself, and the message names the verdicts. Once, the first statement of all rules was
/// marked.
#[test]
fn a_judgement_without_a_result_is_marked_with_its_verdicts() {
    let rules = "gyoji 1\n\ngame ask \"脱\" { players 3 }\n\ncard unit \"札\" { }\n\nstate gone \"脱落\" : bool on player\n\nprocedure first() { for p in players { p.gone = false } }\n\n\
        turn {\n  phase only \"番\" { first()  for p in players { judge together { lose(p)  win(next(p)) } } }\n}\n\n\
        judgement(losing: set of player, winning: set of player) {\n  for p in losing { p.gone = true }\n}\n";
    let folder = crate::cli::game("judged_in_vain", rules);
    let run = ["simulate", "--rules", path(&folder), "--games", "1", "--seed", "1", "--lang", "en"];
    check(&run, "", 1, &["E0604", "lose(a), win(b)", "ask.rules:16", "this judgement has not ended the game"]);
}

/// The mean place counts every game that ended: a lone winner has place 1, and the others have place 2.
#[test]
fn the_mean_place_counts_all_games() {
    let rules = "gyoji 1\n\ngame ask \"平\" { players 4 }\n\ncard unit \"札\" { }\n\nstate round \"回\" : number on game\n\n\
        turn { phase one \"一\" { judge together { for p in players { win(p) } } } }\n\n\
        judgement(losing: set of player, winning: set of player) {\n  for p in players { if coin() { finish(p) } else { finish(players where it != p) } }\n}\n";
    let folder = crate::cli::game("mean_places", rules);
    let run = ["simulate", "--rules", path(&folder), "--games", "100", "--seed", "1", "--lang", "en"];
    let (_, out, _) = said(&crate::cli::gyoji(&run, ""));
    let lone: u64 = number(&out, "wins of a").parse().unwrap();
    assert!((1..100).contains(&lone), "{out}");
    // Alone a has place 1; otherwise a comes behind the three others.
    let mean = (lone + 4 * (100 - lone)) as f64 / 100.0;
    assert_eq!(number(&out, "mean place of a"), format!("{mean:.2}"), "{out}");
    let others = (2 * lone + (100 - lone)) as f64 / 100.0;
    assert_eq!(number(&out, "mean place of b"), format!("{others:.2}"), "{out}");
}

/// A player, a value of an enum and a number that a decision leaves out are named as such. Once, no card had their names.
#[test]
fn what_is_no_card_is_not_called_a_card() {
    let asked = |part: &str, question: &str, said: &str| {
        let scenario = format!("tests/kernel/not_offered/not_offered.scenarios:{part}");
        check(&["why", &scenario, question, "--lang", "en"], "", 0, &[said]);
    };
    asked("a player is", "can a: prey b", "b does not fulfil the condition");
    asked("a value", "can a: way west", "west does not fulfil the condition");
    asked("a number", "can a: bid 9", "9 is not among what can be chosen");
}

/// The first number of the row with this label.
fn number(out: &str, label: &str) -> String {
    let row = out.lines().find_map(|line| line.strip_prefix(label)).unwrap_or_default();
    row.split_whitespace().next().unwrap_or_default().to_owned()
}
