//! Tests of suggestions for a text that no template covers.

use super::{read, wording_of};
use lang::diagnostic::{Sources, Span};
use lang::syntax::ast::Text;

const LINES: &str = "
  category act: statements inflected
  category cards: value
  category sort: value
  verb 引く 五段
  verb 捨てる 一段
  digits 「0123456789」
  class 五段 「く」 { 終止 「く」  て 「いて」 }
  class 一段 「る」 { 終止 「る」  て 「て」 }
  ability 「【公開時】${a: act, 終止}。」 -> ability on_show { $a }
  act 「${c: cards}${引く}」 -> { take($c) }
  act 「${c: cards}${捨てる}」 -> { drop_it($c) }
  cards 「${k: sort}を${n: numeral}枚」 -> some_of($k, $n)
  sort 「赤の札」 -> red
  sort 「青の札」 -> blue
  act 「力を+${n: numeral}${する}」 -> { more($n) }
  act 「力を${n: numeral}${増やす}」 -> { more($n) }
  verb する サ変
  verb 増やす 五段す
  verb 減らす 五段す
  class サ変 「する」 { 終止 「する」  て 「し」 }
  class 五段す 「す」 { 終止 「す」  て 「して」 }
";

/// The suggested phrase for a text; none if there is none.
fn meant(text: &str) -> Option<String> {
    said(text, "phrase")
}

/// One part of the finding about a text that cannot be read.
fn said(text: &str, what: &str) -> Option<String> {
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n\nwording small {{\n  category ability: ability\n{LINES}\n}}\n");
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors, []);
    let reading = read(&mut sources, &wording, text);
    let finding = reading.diagnostics.first().expect("a text that is not read").clone();
    let file = finding.span.expect("a place").file;
    let whole = Text { text: text.to_owned(), span: Span { file, start: 0, end: text.len() as u32 } };
    let finding = wording.with_phrase(&whole, finding);
    let arg = |wanted: &str| finding.args.iter().find(|(key, _)| *key == wanted).map(|(_, said)| said.clone());
    assert!(arg("phrase").is_none() || arg("first").is_none(), "templates beside a phrase");
    arg(what)
}

#[test]
fn signs_that_are_too_many_are_left_out() {
    assert_eq!(meant("【公開時】赤の札をを1枚引く。").as_deref(), Some("赤の札を1枚"));
}

#[test]
fn words_names_and_amounts_are_not_left_out() {
    assert_eq!(meant("【公開時】市の赤の札を1枚引く。"), None);
    assert_eq!(meant("【公開時】〈獣〉赤の札を1枚引く。"), None);
    assert_eq!(meant("【公開時】赤の札カードを1枚引く。"), None);
    assert_eq!(meant("【公開時】:赤の札を1枚引く。"), None);
    assert_eq!(meant("【公開時】赤の札を1枚まで引く。"), None);
}

#[test]
fn a_sign_that_may_say_something_is_not_left_out() {
    assert_eq!(meant("【公開時】赤色の札を1枚引く。"), None);
}

#[test]
fn signs_that_are_missing_are_put_in() {
    assert_eq!(meant("【公開時】赤の札1枚引く。").as_deref(), Some("赤の札を1枚"));
}

#[test]
fn a_word_in_another_form_is_found() {
    assert_eq!(meant("【公開時】赤の札を1枚引て。").as_deref(), Some("赤の札を1枚引く"));
}

#[test]
fn of_a_text_with_two_lines_the_line_that_is_not_read_is_meant() {
    assert_eq!(meant("【公開時】赤の札を1枚引く。\n【公開時】青札を1枚引く。").as_deref(), Some("青の札"));
}

#[test]
fn where_no_small_change_would_do_nothing_is_said() {
    assert_eq!(meant("【公開時】夜になるまで山で眠り続けてから起きる。"), None);
}

#[test]
fn a_text_that_says_the_opposite_or_another_number_is_not_meant() {
    assert_eq!(meant("【公開時】力を+1をする。").as_deref(), Some("力を+1する"));
    assert_eq!(meant("【公開時】力を-1する。"), None);
    assert_eq!(meant("【公開時】力を－1する。"), None);
    assert_eq!(meant("【公開時】力を+する。"), None);
    assert_eq!(meant("【公開時】力を-1増やす。"), None);
    assert_eq!(meant("【公開時】力を1増すやす。").as_deref(), Some("力を1増やす"));
    assert_eq!(meant("【公開時】力を1減らす。"), None);
}

#[test]
fn a_word_that_nothing_prints_is_named() {
    assert_eq!(said("【公開時】赤の札を夜になるまで引き続けて捨てる。", "unknown").as_deref(), Some("夜"));
    assert_eq!(said("【公開時】赤の札を1枚捨てる引く引く引く。", "unknown"), None);
}

#[test]
fn a_phrase_that_is_read_by_itself_is_named_with_its_category() {
    let text = "【公開時】赤の札を1枚引くので青の札を1枚捨てることにする。";
    assert_eq!(said(text, "before").as_deref(), Some("赤の札を1枚引く"));
    assert_eq!(said(text, "category").as_deref(), Some("act"));
}
