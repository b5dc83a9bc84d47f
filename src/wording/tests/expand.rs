//! Tests of spellings, meanings and families: the templates that use them.

use super::{outcome, read, told, wording_of};
use crate::Back;
use lang::diagnostic::Sources;

const LINES: &str = "
  category ability: ability
  category act: statements
  category thing: value
  spelling を 「を」 or 「は」
  meaning place(what, there) -> move($what, $there)
  meaning show(what) -> reveal($what)
  meaning both(one, other) -> { $one  $other }
  ability 「${a: act}。」 -> ability on_show { $a }
  ability 「${a: act}、${b: act}。」 -> ability on_show { both($a, $b) }
  thing 「鯛」 -> tai
  act 「${t: thing}${を}置く」 -> { let there = place($t, dish) } gives card = there
  act 「${t: thing}${を}見せる」 -> { show($t) }
  act 「${t: thing}${を}見せて置く」 -> { show($t)  place($t, dish) }
";

/// The script of a text, and the text that is printed for this script.
fn check(more: &str, text: &str, expected: &str) {
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n\nwording small {{{LINES}}}\nwording own {{{more}}}\n");
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    let mut shown: Vec<String> = errors.iter().map(|error| told(&sources, error)).collect();
    if shown.is_empty() {
        let reading = read(&mut sources, &wording, text);
        shown.push(outcome(&sources, &reading));
        let file = sources.add("text", text);
        let whole =
            lang::syntax::ast::Text { text: text.to_owned(), span: lang::diagnostic::Span { file, start: 0, end: text.len() as u32 } };
        shown.extend(wording.verdict(&Back::new(&wording), &whole, &reading).said().map(str::to_owned));
    }
    assert_eq!(shown.join("\n"), expected);
}

#[test]
fn a_meaning_stands_where_it_is_called() {
    check(
        "",
        "鯛は置く、鯛を見せて置く。",
        "on_show { let there = move(tai, dish)  reveal(tai)  move(tai, dish) }\n鯛を置く、鯛を見せて置く。",
    );
    check("", "鯛を見せる。", "on_show { reveal(tai) }");
}

#[test]
fn a_meaning_that_is_declared_anew_counts_everywhere() {
    let anew = "\noverride meaning place(what, there) -> lay($what, at: $there)\n";
    check(anew, "鯛を置く。", "on_show { let there = lay(tai, at: dish) }");
}

/// A taken meaning is the shared one. It can be taken once, and not beside another meaning of its name.
#[test]
fn a_meaning_that_is_taken_stays_as_it_is() {
    check("\n@8 take meaning place\n", "鯛を置く。", "on_show { let there = move(tai, dish) }");
    assert_eq!(codes("  take meaning places\n"), ["E0401"]);
    assert_eq!(codes("  take meaning place\n  take meaning place\n"), ["E0445"]);
    assert_eq!(codes("  override meaning place(what, there) -> lay($what, at: $there)\n  take meaning place\n"), ["E0445"]);
}

/// The codes of the findings about these lines.
fn codes(more: &str) -> Vec<&'static str> {
    let mut sources = Sources::default();
    let source = format!("gyoji 1\n\nwording small {{{LINES}}}\nwording own {{\n{more}}}\n");
    let (_, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    errors.iter().map(|error| error.code).collect()
}

/// Each family or meaning calls the previous one twice. So the size doubles with each, and the limit is reached.
#[test]
fn what_doubles_again_and_again_is_too_much() {
    let families: String = (1..40).map(|at| format!("  family f{at}(a) {{ take f{0}(a) take f{0}(a) }}\n", at - 1)).collect();
    let families = format!("  family f0(a) {{ act 「呼ぶ」 -> {{ a(tai) }} }}\n{families}  take f39(show_it)\n");
    assert!(codes(&families).contains(&"E0229"), "families");
    let meanings: String = (1..40).map(|at| format!("  meaning m{at}(s) -> {{ m{0}($s)  m{0}($s) }}\n", at - 1)).collect();
    let meanings = format!("  meaning m0(s) -> {{ reveal($s) }}\n{meanings}  act 「呼ぶ」 -> {{ m39(tai) }}\n");
    assert!(codes(&meanings).contains(&"E0229"), "meanings");
    let arguments: String = (1..40).map(|at| format!("  meaning n{at}(s) -> {{ n{}($s + $s) }}\n", at - 1)).collect();
    let arguments = format!("  meaning n0(s) -> {{ reveal($s) }}\n{arguments}  act 「呼ぶ」 -> {{ n39(1) }}\n");
    assert!(codes(&arguments).contains(&"E0229"), "arguments");
}

#[test]
fn what_is_given_has_a_name_in_the_script() {
    assert_eq!(codes("  act 「呼ぶ」 -> { let there = place(tai, dish) } gives card = those\n"), ["E0451"]);
    assert_eq!(codes("  act 「呼ぶ」 -> { let there = place(tai, dish) } gives card = there\n"), Vec::<&str>::new());
}
