//! Tests that replacing a script gives the same readings as compiling the changed lines.

use super::small::{FRAMES, PUT};
use super::{outcome, read};
use crate::{Rescripted, Wording};
use lang::diagnostic::Sources;
use lang::syntax::ast::{DeclKind, RulesFile, WordingItem};
use lang::syntax::parse_rules;

fn items(file: &RulesFile) -> Vec<&WordingItem> {
    let wordings = file.items.iter().filter_map(|decl| if let DeclKind::Wording(wording) = &decl.kind { Some(wording) } else { None });
    wordings.flat_map(|wording| &wording.items).collect()
}

/// The script of a text after a part of the small wording is replaced by a part of equal length. None if the wording must be compiled again.
fn replaced(from: &str, to: &str, text: &str) -> Option<String> {
    replaced_in(&format!("{FRAMES}{PUT}"), from, to, text)
}

/// Like `replaced`, in a wording of these lines.
fn replaced_in(lines: &str, from: &str, to: &str, text: &str) -> Option<String> {
    assert_eq!(from.len(), to.len(), "what follows stands where it stood");
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
    let id = sources.add("small.rules", source.clone());
    let [before, now] = [source.clone(), source.replacen(from, to, 1)].map(|source| {
        let (file, found) = parse_rules(id, &source);
        assert!(found.is_empty(), "{found:?}");
        file
    });
    let (whole, errors) = Wording::new(std::slice::from_ref(&before));
    assert!(errors.is_empty(), "{errors:?}");
    let (before, after) = (items(&before), items(&now));
    let mut changed = before.iter().zip(&after).filter(|(before, after)| before != after);
    let (line, becomes) = changed.next().unwrap();
    assert!(changed.next().is_none());
    let (long, errors) = Wording::new(std::slice::from_ref(&now));
    let short = match whole.with_script(std::slice::from_ref(&now), line, becomes) {
        Rescripted::Done(wording) => wording,
        Rescripted::Wrong => {
            assert!(!errors.is_empty());
            return None;
        }
        Rescripted::Unsure => return None,
    };
    assert!(errors.is_empty(), "{errors:?}");
    let [short, long] = [short, long].map(|wording| {
        let reading = read(&mut sources, &wording, text);
        outcome(&sources, &reading)
    });
    assert_eq!(short, long);
    Some(short)
}

#[test]
fn a_template_says_something_else() {
    let put = |text: &str| replaced("thing 「鯛」 -> tai", "thing 「鯛」 -> koi", text).unwrap();
    assert_eq!(put("鯛を皿に置く。"), "on_show { move(koi, dish) }");
    assert_eq!(put("海老を皿に置く。"), "on_show { move(ebi, dish) }");
}

#[test]
fn each_template_of_a_frame_says_something_else() {
    let put = |text: &str| replaced("{ move($を, $に, face: $で) }", "{ lay_($を, $に, face: $で) }", text).unwrap();
    assert_eq!(put("鯛を裏で皿に置く。"), "on_show { lay_(tai, dish, face: down) }");
    assert_eq!(put("鯛を置く。"), "on_show { lay_(tai, table) }");
    assert_eq!(put("鯛が皿に置かれる。"), "on_show { lay_(tai, dish) }");
}

#[test]
fn a_template_that_is_said_by_a_meaning_says_another() {
    let source = |lines: &str| {
        format!(
            "gyoji 1\n\nwording small {{\n  category ability: ability\n  meaning place(what) -> move($what, dish)\n  meaning stack(what) -> lay($what, floor)\n{lines}\n}}\n"
        )
    };
    let mut sources = Sources::default();
    let texts = ["place(tai)", "stack(tai)"].map(|call| source(&format!("  ability 「置く。」 -> ability on_show {{ {call} }}")));
    let id = sources.add("small.rules", texts[0].clone());
    let [before, now] = texts.map(|text| parse_rules(id, &text).0);
    let (whole, _) = Wording::new(std::slice::from_ref(&before));
    let (lines, becomes) = (items(&before), items(&now));
    let broken = match whole.with_script(std::slice::from_ref(&now), lines[3], becomes[3]) {
        Rescripted::Done(broken) => Some(broken),
        Rescripted::Wrong | Rescripted::Unsure => None,
    };
    let broken = broken.unwrap();
    let reading = read(&mut sources, &broken, "置く。");
    assert_eq!(outcome(&sources, &reading), "on_show { lay(tai, floor) }");
}

#[test]
fn only_a_line_with_one_category_and_one_form_repeats_another() {
    // 「鯛」 is a thing, and 「鯛」 in another category says something else.
    let in_another_category = |to: &str| {
        let from = "part 「鯛」 -> koi";
        let lines = format!(
            "  category thing: value\n  category part: value\n  thing 「鯛」 -> tai\n  {from}\n  thing 「海老」 -> ebi\n  ability 「${{w: thing}}と${{p: part}}を置く。」 -> ability on_show {{ lay($w, $p) }}"
        );
        replaced_in(&lines, from, to, "鯛と鯛を置く。")
    };
    assert_eq!(in_another_category("part 「鯛」 -> tai"), Some("on_show { lay(tai, tai) }".to_owned()));
    // The changed line says what another line of its category says of one form: one of the two has no template.
    let lines = "  category thing: value\n  thing 「鯛」 -> tai\n  override thing 「鯛」 -> koi\n  ability 「${w: thing}を置く。」 -> ability on_show { lay($w, dish) }";
    assert_eq!(replaced_in(lines, "override thing 「鯛」 -> koi", "override thing 「鯛」 -> tai", "鯛を置く。"), None);
}

#[test]
fn what_is_more_than_a_script_is_compiled_anew() {
    assert_eq!(replaced("「鯛」 -> tai", "「鯉」 -> tai", "鯛を置く。"), None);
    assert_eq!(replaced("place = table", "place = floor", "鯛を置く。"), None);
    // A hole that the script does not use is an error, which compiling reports.
    assert_eq!(replaced("-> { $a  $b }", "-> { $a  $a }", "鯛を置く。"), None);
}
