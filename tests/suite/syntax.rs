//! `syntax/` from outside: files that can be read, and files that are refused with the right errors.
#![allow(clippy::panic, reason = "a test says what it met")]

use gyoji::diagnostic::{Diagnostic, FileId, Language, Sources, entry, fill};
use gyoji::syntax::ast::{DeclKind, Stmt};
use gyoji::syntax::{CLAUSE_WORDS, FileKind, WORDS, format, parse_cards, parse_expression, parse_play, parse_rules, parse_scenarios};
use proptest::prelude::*;
use std::collections::BTreeSet;

const RULES: [&str; 3] = [
    include_str!("../fixtures/syntax/small.rules"),
    include_str!("../fixtures/syntax/statements.rules"),
    include_str!("../fixtures/syntax/pieces.rules"),
];
const CARDS: &str = include_str!("../fixtures/syntax/small.cards");
const SCENARIOS: &str = include_str!("../fixtures/syntax/small.scenarios");

/// The diagnostics as a reader sees them, one on each line.
fn show(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut sources = Sources::default();
    sources.add("test", text);
    let line = |diagnostic: &Diagnostic| {
        let (line, column) = sources.line_column(diagnostic.span.unwrap_or_default());
        let underlined = sources.text(diagnostic.span.unwrap_or_default());
        let Some(words) = entry(diagnostic.code, Language::English) else {
            return format!("{} {line}:{column} NO ENTRY {diagnostic:?}", diagnostic.code);
        };
        let message = fill(&words.message, &diagnostic.args).unwrap_or_else(|| format!("UNFILLED {:?}", words.message));
        let helps: Vec<String> =
            words.help.iter().filter_map(|help| fill(help, &diagnostic.args)).map(|help| format!("\n    {help}")).collect();
        format!("{} {line}:{column} `{underlined}` {message}{}", diagnostic.code, helps.concat())
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A tree without the places in its text.
fn shape(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let mut parts = text.split("Span { ");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |shape, part| shape + part.split_once('}').map_or("", |(_, rest)| rest))
}

fn diagnostics(kind: FileKind, text: &str) -> Vec<Diagnostic> {
    match kind {
        FileKind::Rules => parse_rules(FileId(0), text).1,
        FileKind::Cards => parse_cards(FileId(0), text).1,
        FileKind::Scenarios => parse_scenarios(FileId(0), text).1,
    }
}

fn file_shape(kind: FileKind, text: &str) -> String {
    match kind {
        FileKind::Rules => shape(&parse_rules(FileId(0), text).0),
        FileKind::Cards => shape(&parse_cards(FileId(0), text).0),
        FileKind::Scenarios => shape(&parse_scenarios(FileId(0), text).0),
    }
}

fn fixtures() -> impl Iterator<Item = (FileKind, &'static str)> {
    RULES.into_iter().map(|text| (FileKind::Rules, text)).chain([(FileKind::Cards, CARDS), (FileKind::Scenarios, SCENARIOS)])
}

fn refused(kind: FileKind, text: &str) -> String {
    show(text, &diagnostics(kind, text))
}

fn rules(text: &str) -> String {
    refused(FileKind::Rules, text)
}

#[test]
fn the_fixtures_are_read_without_a_diagnostic() {
    for text in RULES {
        assert_eq!(show(text, &parse_rules(FileId(0), text).1), "");
    }
    assert_eq!(show(CARDS, &parse_cards(FileId(0), CARDS).1), "");
    assert_eq!(show(SCENARIOS, &parse_scenarios(FileId(0), SCENARIOS).1), "");
}

#[test]
fn five_broken_declarations_give_five_diagnostics() {
    insta::assert_snapshot!(rules(
        "gyoji 1
zone a { each playr }
zoen b { shared }
action c(p: player) {
  chose x: 1 from hand(p) by p
}
-- sound
param ok = 3
function d(a: number) -> number = a +
action e(p: player) { draw(p, 1)
procedure sound() { stop }
"
    ));
}

/// What `some` asks has no fields. If it had, a blank before a field would give the field to the whole question.
#[test]
fn a_field_behind_a_blank_is_not_that_of_the_question() {
    let found = rules("gyoji 1\nrule r when some area as u where u .power <= 3 { }\n");
    assert!(found.starts_with("E0101 2:36 `.`"), "{found}");
    assert_eq!(rules("gyoji 1\nrule r when some area as u where u.power <= 3 { }\n"), "");
}

#[test]
fn a_full_width_sign_has_one_diagnostic_and_hides_nothing() {
    insta::assert_snapshot!(rules(
        "gyoji 1
zone a ｛ each player　 ordered ｝ -- a comment （全角）
param n \"全角（）１\" = １２
action b(p: player) { draw（p、 1＋2） chose x }
"
    ));
}

#[test]
fn a_control_sign_is_no_blank_and_is_shown_as_it_was_written() {
    let text = "gyoji 1\nparam a =\u{B}1\nparam b = 2\u{1F}\nparam c = \t3\r\n";
    let found = parse_rules(FileId(0), text).1;
    let signs: Vec<_> = found.iter().filter_map(|finding| text.as_bytes().get(finding.span?.start as usize).copied()).collect();
    assert_eq!(signs, [0xB, 0x1F]);
    assert!(!show(text, &found).contains('\u{1}'), "what the scan puts in its place is shown");
}

#[test]
fn nesting_without_end_is_an_error_and_no_overflow() {
    let deep =
        |open: &str, close: &str, count: usize| format!("gyoji 1\nparam x = {}1{}\nparam y = 2\n", open.repeat(count), close.repeat(count));
    let quoted = format!("gyoji 1\nparam x = {}{}\n", "「".repeat(100_000), "」".repeat(100_000));
    let texts = [
        deep("(", ")", 100_000),
        deep("[", "", 100_000),
        deep("f(", ")", 100_000),
        deep("not ", "", 100_000),
        deep("- ", "", 100_000),
        deep("if a then 1 else ", "", 100_000),
        deep("if ", "", 100_000),
        deep("some ", "", 100_000),
        deep("top of ", "", 100_000),
        deep("1 + ", "", 100_000),
        deep("x.", "", 100_000),
        deep("x of ", "", 100_000),
        deep("x.y of ", "", 100_000),
        format!("gyoji 1\nparam x = x of {}1\n", "top of ".repeat(100_000)),
        format!("gyoji 1\nprocedure x() {{ if a {{ }} {} }}\n", "else if a { } ".repeat(10_000)),
        format!("gyoji 1\nprocedure x() {}{}\n", "{ if a ".repeat(10_000), "}".repeat(10_000)),
        format!("gyoji 1\nprocedure x() {}\n", "{ loop ".repeat(10_000)),
        quoted,
        deep("top(", "+)", 90),
        deep("some a where (", "+)", 45),
    ];
    let codes: Vec<String> =
        texts.iter().map(|text| rules(text).lines().map(|line| line.chars().take(60).collect::<String>() + "\n").collect()).collect();
    insta::assert_snapshot!(codes.join(""));
}

#[test]
fn what_lies_just_within_the_limit_is_read() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("not (", ")"), ("f(a, (", "))"), ("if a then 1 else ", ""), ("some ", ""), ("top of (", ")")]
    {
        let count = 95 / open.matches(['(', '[']).count().max(1) / if open.starts_with("not") { 2 } else { 1 };
        assert_eq!(rules(&format!("gyoji 1\nparam x = {}1{}\n", open.repeat(count), close.repeat(count))), "", "{open}");
    }
    let blocks = format!("gyoji 1\nprocedure x() {{ {}{} }}\n", "loop { ".repeat(95), "}".repeat(95));
    assert_eq!(rules(&blocks), "");
}

#[test]
fn what_is_not_closed_is_named_where_it_opens() {
    let cards = "gyoji 1\ncards duel\ncard \"A\" fighter { text 「一「二」 }\ncard \"B\" fighter { win x y }\n";
    let rules_text = "gyoji 1
param a = \"never closed
param b = (1 + 2]
param c = 1)
param d = 」
action e() { f(1
param f = 3
";
    insta::assert_snapshot!(format!("{}\n{}", refused(FileKind::Cards, cards), rules(rules_text)));
}

#[test]
fn unknown_words_come_with_the_nearest_known_one() {
    insta::assert_snapshot!(rules(
        "gyoji 1
action a(p: player) { chose x: 1 from hand(p) }
action b(p: player) { if x { } els { } }
action c(p: player) { let x = hand(p) whre it.win > 3 }
action d(p: player) { lasting this_turn { modfy x { win + 1 } } }
zone e { ordred }
zon f { shared }
action g(p: player) { for x of players { } }
action h(p: player) { let for = 3 }
action i(p: player) { draw (p, 1) }
action j(p: player) { draw(p, 1); draw(p, 1) }
action k(p: player) { draw(p 1) }
action l(p: player) { let x = }
function m() -> bool
param n = 99999999999
param o = ﾊﾟ
param p = 1 2
"
    ));
}

#[test]
fn scenarios_and_cards_name_what_they_miss() {
    let scenarios = "gyoji 1
scenarios duel
scenario \"a\" { gven { } }
scenario \"b\" { expect { } play { a set_card } }
scenario \"c\" { expect { b wns } }
scenario \"d\" { deck { 3 \"x\" } }
scenaro \"e\" { }
";
    let cards = "gyoji 1
cards duel
card fighter { }
card \"A\" fighter { script { statc { } } }
card \"B\" fighter { story 「一」 story 「二」 }
";
    insta::assert_snapshot!(format!("{}\n{}", refused(FileKind::Scenarios, scenarios), refused(FileKind::Cards, cards)));
}

#[test]
fn the_first_lines_are_checked() {
    let texts = [
        "",
        " \n\n",
        "-- only a comment\n",
        "zone a { shared }\n",
        "gyoji 2\nzone a { shared }\n",
        "gyoji\n",
        "gyoji one\n",
        "{ }\ngyoji 1\n",
    ];
    let mut shown: Vec<String> = texts.iter().map(|text| rules(text)).collect();
    shown.push(refused(FileKind::Cards, "gyoji 1\ncard \"A\" fighter { }\n"));
    shown.push(refused(FileKind::Scenarios, "gyoji 1\n"));
    for line in ["cards", "cards $", "cards duel$", "cards duel.e", "cards one two", "cards　duel -- a comment"] {
        shown.push(refused(FileKind::Cards, &format!("gyoji 1\n{line}\n")));
    }
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn line_ends_and_wide_blanks_do_not_matter() {
    for (kind, text) in fixtures() {
        let windows = text.replace('\n', "\r\n");
        assert_eq!(refused(kind, &windows), "");
        assert_eq!(file_shape(kind, &windows).replace("\\r\\n", "\\n"), file_shape(kind, text));
    }
    assert_eq!(file_shape(FileKind::Rules, "gyoji 1\nzone　a　{　shared　}"), file_shape(FileKind::Rules, "gyoji 1\nzone a { shared }"));
}

/// A form of every statement. Each infix word, each prefix word and each kind of end of an expression stands in one of them.
const STATEMENTS: [&str; 61] = [
    "acting as p { }",
    "apply rules",
    "applies if n > 1",
    "atomically { }",
    "attempt { }",
    "attempt { } else { }",
    "break",
    "choose x: 1 from s",
    "choose x: up to n from s by p",
    "choose x: any number from s together c secretly",
    "choose x: 1 from s blindly or none",
    "choose x: 2 from s ranked",
    "declare a: offer p from g",
    "declare a: offer p from g or pass",
    "during r { }",
    "during r(x: a) { }",
    "emit e",
    "emit e(x)",
    "emit(e(x))",
    "for x in s { }",
    "if c { }",
    "if c { } else { }",
    "if c { } else if d { }",
    "interrupt t",
    "interrupt t(x)",
    "judge together { }",
    "veiled { }",
    "veiled if x { }",
    "label x",
    "lasting d { disable x }",
    "let x = y",
    "let x = f(y)",
    "let x = y.z",
    "let x = y is up",
    "let x = y is not up",
    "let x = y exists",
    "let x = 1",
    "let x = top of y",
    "let x = bottom",
    "let x = top",
    "let x = s where a or b as u where c",
    "let x = if a then b else c",
    "let x = latest e(x) since m",
    "let x = happened e(x)",
    "let x = the y",
    "let x = 1 from s",
    "let x = a has b",
    "let x = [a]",
    "let x = \"t\"",
    "loop { }",
    "mark m",
    "may p { }",
    "offer p from g",
    "perform a",
    "put by { } until m",
    "recheck a, b",
    "return",
    "return(x)",
    "x = y",
    "x.y = not z",
    "let x = printed c.win and any y or all s and some t and can f(x)",
];
const MORE_STATEMENTS: [&str; 17] = [
    "repeat n { }",
    "restart x",
    "simultaneously { } { }",
    "simultaneously for x in s { }",
    "simultaneously in order for x in s { }",
    "stop",
    "watch c { } aborted { }",
    "finally { }",
    "as far as possible { }",
    "f(x)",
    "f(x).y = z",
    "$h",
    "let x = $h",
    "recheck a else { }",
    "offer p from g, h or pass { acted { } passed { } }",
    "may p attempt { }",
    "let x = a except b with c without d mod e in f not in g",
];

fn statements(text: &str) -> Result<Vec<Stmt>, String> {
    let (file, diagnostics) = parse_rules(FileId(0), &format!("gyoji 1\nprocedure x() {{\n{text}\n}}\n"));
    match file.items.into_iter().next().map(|decl| decl.kind.clone()) {
        Some(DeclKind::Procedure(routine)) if diagnostics.is_empty() => Ok(routine.body.statements),
        _ => Err(show(text, &diagnostics)),
    }
}

#[test]
fn every_two_statements_side_by_side_are_those_two() {
    let forms: Vec<(&str, String)> = STATEMENTS
        .into_iter()
        .chain(MORE_STATEMENTS)
        .map(|form| {
            let read = statements(form).unwrap_or_else(|error| panic!("{form}: {error}"));
            assert_eq!(read.len(), 1, "{form}");
            (form, shape(&read))
        })
        .collect();
    for (first, first_shape) in &forms {
        for (second, second_shape) in &forms {
            for glue in ["\n", " "] {
                let both = statements(&format!("{first}{glue}{second}")).unwrap_or_else(|error| panic!("{first}{glue}{second}: {error}"));
                let shapes: Vec<String> = both.iter().map(|statement| format!("[{}]", shape(statement))).collect();
                assert_eq!(shapes, [first_shape.clone(), second_shape.clone()], "{first}{glue}{second}");
            }
        }
    }
}

#[test]
fn every_documented_word_is_in_a_form_and_is_no_name() {
    let forms: Vec<&str> = STATEMENTS.into_iter().chain(MORE_STATEMENTS).collect();
    let used: BTreeSet<&str> = forms.iter().flat_map(|form| form.split(|sign: char| !sign.is_alphanumeric() && sign != '_')).collect();
    let heads: BTreeSet<&str> = forms.iter().filter_map(|form| form.split([' ', '(']).next()).collect();
    let all: Vec<&str> = [WORDS.heads, WORDS.infix, WORDS.prefix].concat();
    assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "two classes have a word in common");
    for head in WORDS.heads {
        assert!(heads.contains(head), "no form begins with `{head}`");
    }
    for word in WORDS.infix.iter().filter(|word| !["because", "of"].contains(word)) {
        assert!(used.contains(word), "no form has `{word}`");
    }
    for word in all {
        assert!(statements(&format!("let {word} = 1")).is_err(), "`{word}` is taken as a name");
        assert!(statements(&format!("let x = y.{word}")).is_ok() && statements(&format!("f({word}: 1)")).is_ok(), "{word}");
    }
    for word in CLAUSE_WORDS.iter().filter(|word| !WORDS.heads.contains(word)) {
        assert!(statements(&format!("let {word} = 1")).is_ok(), "`{word}` is not taken as a name");
    }
}

/// The parser uses the same word lists as the pages about the language. So a test of one is a test of the other.
#[test]
fn the_documented_word_lists_are_the_parsers() {
    let page = super::tidy::document("language");
    let block = page.split("```").find(|part| part.trim_start().starts_with("statement heads:")).unwrap_or_default();
    let mut classes: Vec<(&str, BTreeSet<&str>)> = Vec::new();
    for line in block.lines() {
        let words = match line.split_once(':') {
            Some((class, words)) => {
                classes.push((class.trim(), BTreeSet::new()));
                words
            }
            None => line,
        };
        if let Some((_, class)) = classes.last_mut() {
            class.extend(words.split_whitespace());
        }
    }
    let of = |words: &'static [&'static str]| words.iter().copied().collect::<BTreeSet<&str>>();
    assert_eq!(classes, [("statement heads", of(WORDS.heads)), ("infix words", of(WORDS.infix)), ("prefix words", of(WORDS.prefix))]);
}

#[test]
fn the_formatter_changes_nothing_but_blanks_and_rests_after_one_pass() {
    for (kind, text) in fixtures() {
        let once = format(kind, text).unwrap_or_else(|errors| panic!("{}", show(text, &errors)));
        assert_eq!(format(kind, &once).as_ref(), Ok(&once));
        assert_eq!(file_shape(kind, &once), file_shape(kind, text));
        assert_eq!(once.matches("--").count(), text.matches("--").count(), "a comment is lost");
    }
}

#[test]
fn what_a_template_becomes_is_one_thing() {
    let text = "gyoji 1\n\nwording w {\n  ability 「【開】${t: passage}」  ->   ability   on_open {$t}\n}\n";
    let expected = "gyoji 1\n\nwording w {\n  ability 「【開】${t: passage}」 -> ability on_open { $t }\n}\n";
    assert_eq!(format(FileKind::Rules, text).as_deref(), Ok(expected));
    assert_eq!(format(FileKind::Rules, expected).as_deref(), Ok(expected));
}

#[test]
fn the_one_style() {
    let text = "gyoji   1
-- about the zone
zone   deck \"山札\"   @3-2 {each player
ordered   hidden}


card fighter \"カード\" { win \"値\" @2-3:number reads at least 0
  lose:number }
action draw( p : player ) @4-3 {
@4-3-1 let x=-1   -- less
-- own line
   for c in hand( p ) where it.win>3 { if c is up { turn_down( c ) }
 else { stop } }
@4-3-22 @4-3-3 let very_long_name = count(hand(p) where it.win > 3 and it.lose < 5) + count(deck(p) where it.win > 3 and it.lose < 5) + count(trash(p))

   for c in hand(p) where it.win > 3 { if c is up { turn_down(c) shuffle(deck(p)) reveal(c) } else { stop } draw(p, 1) draw(p, 1) draw(p, 1) draw(p, 1) }
}
";
    insta::assert_snapshot!(format(FileKind::Rules, text).unwrap_or_else(|errors| show(text, &errors)));
}

#[test]
fn single_expressions_and_decisions_are_read() {
    let expression = parse_expression(FileId(0), "count(hand(a)) + 1 == 2 and not x is up");
    assert!(expression.0.is_some() && expression.1.is_empty());
    for text in [
        "a: set_card \"X\"",
        "set_card \"X\", \"Y\"",
        "\"X\"",
        "2",
        "pass",
        "concede",
        "b: attack(\"X\", target: \"Y\")",
        "yes",
        "a: 「鯛」",
    ] {
        let (play, diagnostics) = parse_play(FileId(0), text);
        assert!(play.is_some(), "{text}: {}", show(text, &diagnostics));
    }
    assert_eq!(
        show("hand(", &parse_expression(FileId(0), "hand(").1),
        "E0118 1:5 `(` `(` is never closed\n    a declaration ends where the next one begins in column 0"
    );
    assert!(parse_play(FileId(0), "a: ").0.is_none());
}

/// A fixture in which some characters are taken out, added or replaced.
fn mutated() -> impl Strategy<Value = (usize, String)> {
    let signs = prop::sample::select(vec![
        "(", ")", "{", "}", "「", "」", "\"", "@", "--", " ", "\n", "if ", "＋", "１", "not ", "x", "$", ".", "=",
    ]);
    let edits = prop::collection::vec((any::<prop::sample::Index>(), signs, 0_usize..4), 1..8);
    (0_usize..5, edits).prop_map(|(index, edits)| {
        let text = fixtures().nth(index).map_or("", |(_, text)| text);
        let mut signs: Vec<String> = text.chars().map(String::from).collect();
        for (place, sign, removed) in edits {
            let at = place.index(signs.len());
            let end = (at + removed).min(signs.len());
            signs.splice(at..end, [sign.to_owned()]);
        }
        (index, signs.concat())
    })
}

/// No way of reading the text panics, every place is a boundary of characters, and a text that can be formatted keeps its meaning.
fn survives(text: &str) {
    for kind in [FileKind::Rules, FileKind::Cards, FileKind::Scenarios] {
        for diagnostic in diagnostics(kind, text) {
            let span = diagnostic.span.unwrap_or_default();
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{diagnostic:?}");
            assert!(
                entry(diagnostic.code, Language::English).is_some_and(|words| fill(&words.message, &diagnostic.args).is_some()),
                "{diagnostic:?}"
            );
        }
        if let Ok(once) = format(kind, text) {
            assert_eq!(file_shape(kind, &once), file_shape(kind, text));
            assert_eq!(format(kind, &once).as_ref(), Ok(&once));
        }
    }
    let _ = (parse_expression(FileId(0), text), parse_play(FileId(0), text));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_the_reader(text in "(gyoji 1\n)?(zone|action|card|[a-z(){}\\[\\]「」\"@$=.,:１（－\u{3000} \n-]){0,60}") {
        survives(&text);
    }

    #[test]
    fn no_change_to_a_file_breaks_the_reader((_, text) in mutated()) {
        survives(&text);
    }
}
