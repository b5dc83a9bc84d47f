//! Tests of small wordings there and back: reading a text, and printing its script.

use super::{read, told, wording_of};
use crate::{Back, Said};
use lang::diagnostic::Sources;

const GAME: &str = "
zone hand \"手札\" @1 { each player }
zone gone \"墓地\" @2 { each player }
";

/// Reads a text with a wording of these lines, and prints its script.
fn check(lines: &str, text: &str, expected: &str) {
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n{GAME}\nwording small {{\n  category ability: ability\n{lines}\n}}\n");
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors.iter().map(|error| told(&sources, error)).collect::<Vec<_>>(), Vec::<String>::new());
    let reading = read(&mut sources, &wording, text);
    assert!(reading.diagnostics.is_empty(), "{}", super::outcome(&sources, &reading));
    let said = match Back::new(&wording).text(&reading.abilities[0]) {
        Said::Text(said) => said,
        Said::Other(said) => format!("other: {said}"),
        Said::Nothing => "nothing".to_owned(),
    };
    assert_eq!(said, expected);
}

const WORDS: &str = "
  category body: statements
  category chain: statements inflected
  category act: statements inflected
  category cards: value
  category goal: value
  category count: amount
  levels body > chain > act
  class 五段 「く」 { 終止 「く」  連用 「き」  て 「いて」  否定 「かな」 as 打消  受身 「かれ」 as 助動 }
  class 一段 「る」 { 終止 「る」  連用 「」  て 「て」  否定 「な」 as 打消  受身 「られ」 as 助動 }
  class 助動 「る」 { 終止 「る」  連用 「」  て 「て」 }
  class 打消 「い」 { 終止 「い」  連用 「く」  て 「くて」 }
  verb 引く 五段  verb 置く 五段  verb 捨てる 一段
  digits 「0123456789」
  digits 「〇一二三四五六七八九」
  ability 「${b: body}$(。|)」 -> ability on_show { $b }
  connective 「。」 joins body -> { $first  $second }
  chain 「${a: chain, 連用}、${b: act}」 -> { $a  $b }
  act 「札を${n: numeral}枚${引く}」 or 「${n: numeral}枚の札を${引く}」 -> { draw(you, $n) } gives card
  act 「${a: act, て}よい」 -> { may you { $a } }
  cards 「${z: zone}」 -> zone($z, you)
  cards 「相手の${z: zone}」 -> zone($z, opponent(you))
  count 「${n: numeral}枚」 -> amount $n
  count 「${n: numeral}枚まで」 -> amount up to $n
  goal 「${z: zone}」 -> zone($z, whose(it))
  goal 「相手の${z: zone}」 -> zone($z, opponent(you))
  act 「${c: cards}${n: count}を${g: goal}に${置く}」 -> { move($n from $c, holds($g, $c)) } gives card
  act 「それを$[また]${捨てる}」 -> { discard(the card) }
";

#[test]
fn the_first_printed_form_is_the_normal_one() {
    check(WORDS, "三枚の札を引く", "札を3枚引く。");
}

#[test]
fn what_goes_one_way_is_printed_only_where_nothing_else_is() {
    let lines = format!(
        "  one_way act 「引き${{n: numeral}}」 -> {{ draw(you, $n) }} gives card\n  one_way act 「山を${{n: numeral}}枚崩す」 -> {{ mill(you, $n) }}\n{WORDS}"
    );
    check(&lines, "引き3", "札を3枚引く。");
    check(&lines, "山を3枚崩す", "山を3枚崩す。");
}

#[test]
fn a_place_asks_for_its_form() {
    check(WORDS, "札を1枚引き、2枚の札を引いてよい。", "札を1枚引く。札を2枚引いてよい。");
    check(WORDS, "札を1枚引き、2枚の札を引き、札を3枚引いてよい。", "札を1枚引く。札を2枚引く。札を3枚引いてよい。");
}

#[test]
fn a_reference_is_printed_from_its_giver() {
    check(WORDS, "札を1枚引く。それをまた捨てる", "札を1枚引く。それを捨てる。");
}

#[test]
fn whose_a_goal_is_is_printed_only_where_it_is_another_s() {
    check(WORDS, "手札1枚を墓地に置く。", "手札1枚を墓地に置く。");
    check(WORDS, "相手の手札1枚までを相手の墓地に置く。", "相手の手札1枚までを墓地に置く。");
    check(WORDS, "手札1枚を相手の墓地に置く。", "手札1枚を相手の墓地に置く。");
}

#[test]
fn what_a_block_keeps_for_those_behind_it_is_said_as_a_reference() {
    let lines = format!("{}\n  body 「${{a: act}}なら、${{b: body}}」 -> {{ may you {{ $a }}  if done {{ $b }} }}", WORDS);
    check(&lines, "札を1枚引くなら、それを捨てる。", "札を1枚引くなら、それを捨てる。");
}

#[test]
fn a_result_that_depends_on_a_condition_is_taken_out_of_it() {
    let lines = format!(
        "{}\n  category state: value\n  state 「夜」 -> night\n  body 「${{s: state}}なら、${{a: chain}}」 -> {{ if $s {{ $a }} }}\n  connective 「。そうしたら、」 joins body -> {{ $first  if done {{ $second }} }}",
        WORDS
    );
    check(&lines, "夜なら、札を1枚引く。そうしたら、それを捨てる。", "夜なら、札を1枚引く。そうしたら、それを捨てる。");
}

#[test]
fn what_was_reckoned_away_is_not_made_up() {
    let lines = format!("{}\n  act 「${{a: numeral}}足す${{b: numeral}}点を${{捨てる}}」 -> {{ score($a + $b) }}", WORDS);
    check(&lines, "1足す2点を捨てる。", "nothing");
}

#[test]
fn once_is_said_as_it_was_counted() {
    let lines = format!("{WORDS}\n  act 「${{n: numeral}}度${{捨てる}}」 -> {{ repeat $n {{ score(you) }} }}");
    check(&lines, "1度捨てる", "1度捨てる。");
    check(&lines, "札を2枚引き、1度捨て、3度捨てる。", "札を2枚引く。1度捨てる。3度捨てる。");
}

#[test]
fn a_list_said_in_one_of_many_ways_is_found() {
    let lines = format!("{}\n  cards 「${{a: cards}}か${{b: cards}}」 -> $a with $b", WORDS);
    let text = format!("{}手札2枚を手札に置く。", "墓地か手札か".repeat(4));
    check(&lines, &text, &text);
}

/// The cause of an event is printed before it, also where both players are forbidden something.
const CAUSES: &str = "
  category cause: value
  category deed: event
  category veto: clauses
  cause 「効果」 -> effect
  cause 「相手の効果」 -> opponent(you)
  deed 「札を引く」 -> event draw(you)
  deed 「${k: cause}で${d: deed}」 -> event said($d, by: $k)
  ability 「${d: deed}たび、${b: body}$(。|)」 -> ability when said($d) { $b }
  veto 「誰も${d: deed}な」 -> clauses { forbid said($d, you)  forbid said($d, opponent(you)) }
  ability 「${b: veto}$(。|)」 -> ability static { $b }
";

#[test]
fn what_an_event_is_laid_to_is_said() {
    let lines = format!("{WORDS}\n{CAUSES}");
    check(&lines, "相手の効果で札を引くたび、札を1枚引く。", "相手の効果で札を引くたび、札を1枚引く。");
    check(&lines, "誰も相手の効果で札を引くな。", "誰も相手の効果で札を引くな。");
}

#[test]
fn what_a_condition_on_a_thing_says_of_that_thing_again_is_said() {
    let lines = format!(
        "{WORDS}\n  category thing: value\n  category state: value\n  thing 「これ」 -> this\n  thing 「あれ」 -> that\n  \
         state 「${{t: thing}}以外」 -> it != $t\n  state 「軽い」 -> it.light\n  state 「${{a: state}}で${{b: state}}」 -> $a and $b\n  \
         act 「${{t: thing}}が${{s: state}}なら${{捨てる}}」 -> {{ discard(holds($s, $t)) }}"
    );
    for text in ["これがこれ以外なら捨てる。", "これが軽いでこれ以外なら捨てる。", "あれがこれ以外であれ以外なら捨てる。"]
    {
        check(&lines, text, text);
    }
}

#[test]
fn what_does_nothing_is_said_where_something_must_stand() {
    let lines = format!(
        "{WORDS}\n  act 「元に${{置く}}」 -> {{ }}\n  chain 「${{a: chain, 連用}}、あとで${{b: act}}」 -> {{ $a  put by {{ $b }} until night }}"
    );
    check(&lines, "元に置き、あとで札を1枚引く。", "元に置き、あとで札を1枚引く。");
    check(&lines, "元に置き、札を1枚引く。", "札を1枚引く。");
}

#[test]
fn what_a_phrase_hands_up_is_said_by_that_phrase() {
    let lines = format!(
        "{WORDS}
  category aimable: value
  verb 壊す 五段
  class 五段 「す」 {{ 終止 「す」  連用 「し」  て 「して」 }}
  aimable 「${{c: cards}}の札」 -> $c where it != this
  act 「${{a: aimable}}${{n: count}}を${{壊す}}」 -> {{ let aimed = targets  break_it(aimed) }} gives card = aimed hands targets: $n from $a
  act 「早く${{引く}}」 -> {{ draw(you, 1) }} gives card hands tag: quick"
    );
    check(&lines, "相手の手札の札2枚までを壊す。", "相手の手札の札2枚までを壊す。");
    check(&lines, "早く引き、手札の札1枚を壊す。", "早く引く。手札の札1枚を壊す。");
}
