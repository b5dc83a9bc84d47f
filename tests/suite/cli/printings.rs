//! Printings, errata and days: which text is in force, what is shown, what is refused.

use super::pool::{project, typed};

const CARD: &str = "card \"T-9\" piece \"風\" {
  power 1
  printing \"T-9\" { set \"first\" released 2025-01-10 }
  printing \"T-9b\" { set 再録 released 2025-06-01 }
  text 「空を飛ぶ。」
  errata 2025-03-01 「札1枚を引く。」 because \"nobody flies\"
  errata 2025-09-01 「札2枚を引く。」
  errata 2025-09-01 「札3枚を引く。」
}";

/// The card does what its text in force says. All texts that were ever printed are shown.
#[test]
fn the_newest_text_in_force_counts() {
    let folder = project("printings_errata", CARD);
    let newest = typed(&folder, &["explain", "T-9"]);
    let between = typed(&folder, &["explain", "T-9b", "--on", "2025-08-31"]);
    let on_the_day = typed(&folder, &["explain", "風", "--on", "2025-03-01"]);
    assert_eq!((newest.0, between.0), (0, 0), "{newest:?} {between:?}");
    assert_eq!(between.1, on_the_day.1);
    insta::assert_snapshot!("errata", format!("{}\n{}", newest.1, between.1));
    let (code, json) = typed(&folder, &["explain", "T-9", "--format", "json"]);
    assert_eq!(code, 0);
    let part = "\"printed\":[\"空を飛ぶ。\"],\"printings\":[{\"number\":\"T-9\",\"released\":\"2025-01-10\",\"set\":\"first\"}";
    assert!(json.contains(part), "{json}");
}

/// The first printed text need not be readable if it is no longer in force.
#[test]
fn a_text_is_read_on_the_days_on_which_it_counts() {
    let folder = project("printings_read", CARD);
    assert_eq!(typed(&folder, &["check"]).0, 0);
    let (code, said) = typed(&folder, &["check", "--on", "2025-02-28"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("E0407") && said.contains("空を飛ぶ"), "{said}");
}

/// The script belongs to the newest text, and is compared only with this text.
#[test]
fn a_script_stands_for_the_newest_text() {
    let card = "card \"T-9\" piece \"風\" { power 1  text 「札1枚を引く。」  errata 2025-03-01 「札2枚を引く。」  script { on_play { draw(you, 2) } } }";
    let folder = project("printings_script", card);
    for day in ["2025-02-28", "2025-03-01"] {
        let (code, said) = typed(&folder, &["check", "--on", day]);
        assert_eq!(code, 0, "{said}");
    }
    let wrong = project("printings_script_wrong", &card.replace("(you, 2)", "(you, 1)"));
    assert!(typed(&wrong, &["check"]).1.contains("E0252"));
}

#[test]
fn what_is_not_out_yet_is_not_played() {
    let folder = project("printings_out", "card \"T-9\" piece \"風\" { power 1  printing \"T-9\" { released 2025-06-01 } }");
    std::fs::write(folder.join("new.ron"), "(name: \"x\", cards: [(3, \"T-9\"), (3, \"T-2\")])").unwrap();
    let (code, said) = typed(&folder, &["simulate", "--deck", "a=new.ron", "--deck", "b=new.ron", "--on", "2025-05-31"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("E0433") && said.contains("2025-06-01"), "{said}");
    let (_, said) = typed(&folder, &["simulate", "--deck", "a=new.ron", "--deck", "b=new.ron", "--on", "2025-06-01"]);
    assert!(!said.contains("E0433"), "{said}");
}

#[test]
fn a_name_of_several_cards_is_none_to_be_like() {
    let folder = project(
        "printings_like",
        "card \"T-7\" piece \"雨\" { power 3 }\n\ncard \"T-8\" piece \"雨\" { power 2 }\n\ncard \"T-9\" like \"雨\" { power 4 }",
    );
    let (code, said) = typed(&folder, &["check"]);
    assert_eq!(code, 1);
    assert!(said.contains("E0512") && said.contains("`T-7`, `T-8`"), "{said}");
}

#[test]
fn the_formatter_leaves_days_alone() {
    let folder = project("printings_fmt", CARD);
    let (_, said) = typed(&folder, &["fmt", "--check", "cards"]);
    assert!(!said.contains("E0845"), "{said}");
}
