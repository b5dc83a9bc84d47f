//! Tests of the errors, from the smallest source that has each, and of the pages of all findings.

use super::{BASE, check, compiled, shown, warned, warned_of};
use lang::diagnostic::{Example, Sources, pages, written_out};

/// A procedure with this body after the base.
fn body(statements: &str) -> String {
    check(&format!("procedure probe(p: player, c: card) {{\n  {statements}\n}}"), "")
}

#[test]
fn names_that_nothing_has() {
    let all = [
        body("let x = sise"),
        body("drwa(p, 1)"),
        body("let x = handd(p)"),
        body("p.scoer = 1"),
        body("let x = c.wim"),
        body("lasting this_trun { modify c { win + 1 } }"),
        body("put by { draw(p, 1) } until latter"),
        body("y = 3"),
        body("if c is tierd { stop }"),
        body("let x = happened drwa(p)"),
    ];
    insta::assert_snapshot!(all.concat());
}

/// No event can fit two conditions on one argument.
#[test]
fn an_argument_stands_once_in_a_pattern() {
    let patterns = ["draw(p, n: 1, n: 2)", "draw(p, 1, p: p)", "draw(p, by: effect, by: rule)", "draw(n: any a, n: any b)"];
    for pattern in patterns {
        let said = body(&format!("let x = happened {pattern}"));
        assert!(said.contains("E0207") && said.contains("is given twice"), "{pattern}: {said}");
    }
    assert!(!body("let x = happened draw(p, n: 1, by: effect)").contains("E0207"));
}

/// Suggestions: a field of the member, a word for a sign, the word before each text.
#[test]
fn what_was_nearly_meant_is_offered() {
    let rows = [
        (body("let x = count(hand(p) where win > 2)"), "`it.win`"),
        (body("let x = count(hand(p) where it.win > 2 and not tired)"), "`it.tired`"),
        (body("if p.score == 1 && p.score == 2 { stop }"), "`and`"),
        (body("if p.score == 1 || p.score == 2 { stop }"), "`or`"),
        (body("if !(p.score == 1) { stop }"), "`not`"),
        (check("", "\ncard \"1\" unit \"石\" {\n  text 「あ「い」う」 「え」\n}\n"), "`text` is written again before each text"),
    ];
    for (said, help) in &rows {
        assert!(said.contains(help), "{said} should say {help}");
    }
    let rows = [
        (body("for q in players where q.score > 1 { draw(q, 1) }"), "the name of a loop is known in its body only: after `where` say `it`"),
        (body("simultaneously for q in players where q.score > 1 { draw(q, 1) }"), "after `where` say `it`"),
        (body("lasting this_turn { modify hand(p) { win + it.win } }"), "the amount of a change is one number for all cards"),
        (check("state odd : bool on gaem", ""), "known are `card`, `player`, `game`"),
        (check("state odd : boolean on game", ""), "this language writes `bool`"),
        (check("state stake : number on game\n\nfunction dear() -> bool = stake > 2", ""), "did you mean `game.stake`?"),
        (check("zone second_deck { each player  public  starts with deck }", ""), "the phrase `starts with deck` is declared twice"),
        (body("return(coin())"), "write the type into the head, behind the parameters: `-> bool`"),
        (
            check(
                "action mark_it(which: card) { move(which, hand(which.owner)) }\n\nprocedure probe(p: player) {\n  mark_it(2 from hand(p))\n}",
                "",
            ),
            "declare the parameter as `set of card`",
        ),
    ];
    for (said, help) in &rows {
        assert!(said.contains(help), "{said} should say {help}");
    }
    // No suggestion: the member does not have the name, or there is no member.
    for said in [body("let x = count(hand(p) where shown == red)"), body("let x = win"), check("", "\ncard \"1\" unit \"石\" 「え」 { }\n")]
    {
        assert!(!said.contains("it.") && !said.contains("again"), "{said}");
    }
}

/// Words and forms of other languages, and the commonest slips: each message says what is written here.
#[test]
fn what_other_languages_write_is_said_in_this_one() {
    let rows = [
        (body("if p.score == 1 { stop } elseif p.score == 2 { stop }"), "`else if`"),
        (body("while p.score > 1 { draw(p, 1) }"), "`loop { if C { break } … }`"),
        (body("foreach d in hand(p) { move(d, hand(p)) }"), "`for c in S { … }`"),
        (body("var x = 1"), "`let`"),
        (body("// one more"), "`-- remark`"),
        (body("let x = p.score > 1 ? 1 : 2"), "`if C then a else b`"),
        (body("let x = null"), "this language writes `none`"),
        (body("let x = random(3)"), "`die(6)`"),
        (body("p.score += 1"), "`p.score = p.score + n`"),
        (body("if p.score = 1 { stop }"), "did you mean `==`"),
        (body("return 3"), "`return(…)`"),
        (body("return count(hand(p))"), "`return(count(…))`"),
        (body("score = 1"), "write `p.score = …`"),
        (body("let x = (hand(p) where it.win > 1) + hand(p)"), "`S with T` joins two sets"),
        (body("let x = hand(p) where it == unit"), "`it is unit`"),
        (body("choose d: 1 from hand(p) secretly by p"), "`by` stands before `secretly`"),
        (check("action rest() { }\n\nprocedure probe() {\n  rest\n}", ""), "with brackets: `rest()`"),
        (
            check("zone crate_of { shared  public }\n\nprocedure probe(p: player) {\n  move(crate_of(p), hand(p))\n}", ""),
            "write `crate_of`",
        ),
        (check("card land { power : number  mark \"印\" : symbol }", ""), "E0120 [mark]"),
        (check("enum duty { hire  during \"間\" }", ""), "E0120 [during]"),
        (check("", "\ncard \"1\" unit \"石\" { win 一 }\n"), "with digits: `1`"),
        (check("procedure probe(p: player)\n  draw(p, 1)\n}", ""), "E0105 [}]"),
    ];
    for (said, help) in &rows {
        assert!(said.contains(help), "{said} should say {help}");
    }
}

#[test]
fn types_that_do_not_fit() {
    let all = [
        body("let x = p + 1"),
        body("let x = hand(c)"),
        body("draw(1, p)"),
        body("if size { stop }"),
        body("move(c, hand)"),
        body("let x = c.sign == 3"),
        body("p.shown = redd"),
        body("c.win = 3"),
        body("let x = hand(p) < 2"),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn arguments_that_do_not_fit() {
    let all = [
        body("draw(p)"),
        body("draw(p, 1, 2)"),
        body("draw(p, m: 2)"),
        body("draw(p, 1, n: 2)"),
        body("let x = opponent(p, p)"),
        body("let x = outranks(red)"),
        body("hand(p)"),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn jumps_across_edges() {
    let all = [
        body("loop { attempt { break } }"),
        body("attempt { return }"),
        body("simultaneously for q in players { return }"),
        body("label again  attempt { restart again }"),
        body("break"),
        body("restart nowhere"),
        body("loop { simultaneously { break } { stop } }"),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn the_flow_s_own_words() {
    let rows = [
        (check("option act(c: card) by p in doings { }", ""), "E0258 [c]"),
        (check("option act(c: set of card in hand(p)) by p in doings { }", ""), "E0258 [c]"),
        (check("option act(n: number in hand(p)) by p in doings { }", ""), "E0204 [hand(p)]"),
        (check("option act(p: player in players) by p in doings { }", ""), "E0202 [p]"),
        (check("option act() by p in doings attempt { return }", ""), "E0211 [return]"),
        (check("option act() by p in doings { }\n\nprocedure probe(p: player) {\n  offer p from doigns\n}", ""), "E0201 [doigns]"),
        (check("rule a when 1 == 2 { }\n\nrule b when 1 == 2 { }\n\nrules every { together [a]  first b }", ""), "E0259 [every"),
        (check("rules every { in order [nothing_such] }", ""), "E0201 [nothing_such]"),
        (check("timing now_then(p: player)\n\nprocedure probe(p: player) {\n  now_then(p)\n}", ""), "E0260 [now_then]"),
        (body("interrupt draw(p, 1)"), "E0201 [draw]"),
        (body("during this_turn(hand(p)) { }"), "E0206 [hand(p)]"),
        (body("during later() { }"), "E0201 [later]"),
        (body("choose t: 2 from hand(p) together count(t) > 1 by p blindly"), "E0350 [count(t) > 1]"),
        (body("choose t: 2 from hand(p) together count(hand(p)) > 1 by p"), "E0351 [count(hand(p)) > 1]"),
        (body("loop { watch c is up { attempt { break } } aborted { } }"), "E0211 [break]"),
    ];
    for (found, wanted) in rows {
        assert!(found.contains(wanted), "{wanted}\n{found}");
    }
    for fine in ["let x = still(c)", "loop { watch c is up { break } aborted { } }", "if rules_apply { apply rules }"] {
        assert_eq!(body(fine), "", "{fine}");
    }
}

#[test]
fn what_is_not_carried_out_yet_says_so() {
    let found = body("if c is gone { stop }");
    assert!(found.starts_with("E0214"), "{found}");
}

#[test]
fn effects_that_fall_nowhere_or_give_nothing() {
    let all = [
        check("layers { numbers { modify number } }\nprocedure probe(c: card) { lasting this_turn { modify c { kinds + 火 } } }", ""),
        check("layers { one { modify number }  two { modify number } }", ""),
        check("layers { one { modify wni, alter number, modify } }", ""),
        body("lasting this_turn { grant c { win + 1 } }"),
        body("lasting this_turn { grant c { keyword swfit } }"),
        body("lasting this_turn { strip c { wni } }"),
        body("lasting this_turn { strip c { abilities: on_shwo } }"),
        body("lasting this_turn { assume c is up }"),
        body("lasting this_turn { require in targte: c }"),
        body("lasting this_turn { instead of draw(p) { proceed(2) } }"),
        body("lasting this_turn { instead of draw(p) { proceed(m: 2) } }"),
        body("begin(this_trun)"),
        check("policy triggers { limit = at_start }", ""),
        check("policy effects { sets = lockd }", ""),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn declarations_that_clash() {
    let all = [
        check("zone hand { shared }", ""),
        check("zone pile \"手札\" { shared }", ""),
        check("game again \"二\" { players 2 }", ""),
        check("zone pile { shared  at most 0 }", ""),
        check("zone pile { shared  hiden }", ""),
        check("reading other \"no default\" @9 { one  two }", ""),
        check("function again(x: number) -> number = again(x)\nparam loop_size = again(1)", ""),
        check("procedure probe() { finish(you) }", ""),
        check("state odd : colour on card", ""),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn a_game_must_be_declared() {
    let mut sources = Sources::default();
    let (_, found) = compiled(&mut sources, "gyoji 1\n\nzone deck { shared }\n", "");
    insta::assert_snapshot!(shown(&sources, &found), @r#"E0209 [zone deck { shared }] there is no `game` declaration (begin the rules with `game NAME "label" { players 2 }`)"#);
}

#[test]
fn cards_with_findings() {
    let all = [
        check("", "card \"A-1\" unit \"あ\" { 手 アカ  強さ 3 }\ncard \"A-1\" unit \"い\" { sign red  win 3 }"),
        check("", "card \"A-1\" unit \"あ\" { sign ア  wim 3  win \"三\" }"),
        check("", "card \"A-1\" units \"あ\" { }"),
        check("", "card \"A-1\" unit \"あ\" { script { on_shwo { draw(you, 1) } } }"),
        check("", "card \"A-1\" unit \"あ\" { script { static { modify this { wni + 1 } } } }"),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn five_mistakes_are_five_findings() {
    let found = check("procedure probe() {\n  drwa(you, 1)\n  let x = sise\n  y = 2\n  break\n  let z = handd(you)\n}", "");
    assert_eq!(found.lines().count(), 5, "{found}");
}

/// A function is inlined in each function that calls it. So a long chain of functions makes a deep expression.
#[test]
fn functions_in_one_another_have_a_bound() {
    let chain = |long: usize| {
        let next = |at: usize| format!("function f{at}(n: number) -> number = f{}(n) + 1\n", at - 1);
        format!("function f0(n: number) -> number = n\n{}", (1..long).map(next).collect::<String>())
    };
    assert!(check(&chain(200), "").contains("too many functions in one another"));
    assert!(!check(&chain(50), "").contains("in one another"));
}

#[test]
fn more_than_a_program_can_number() {
    let many = |line: &dyn Fn(usize) -> String| check(&(0..400).map(line).collect::<String>(), "");
    let all = [
        many(&|at| format!("enum e{at} {{ one{at} }}\n")),
        many(&|at| format!("zone z{at} {{ shared  public }}\n")),
        many(&|at| format!("rule r{at}(p: player) immediately when deck(p) becomes empty {{ draw(p, 1) }}\n")),
        many(&|at| format!("moment m{at} \"{at}の時\"\n")),
        check(&format!("enum wide {{ {} }}", (0..300).map(|at| format!("v{at} ")).collect::<String>()), ""),
        body(&(0..4001).map(|at| format!("let x{at} = {at}\n")).collect::<String>()).lines().last().unwrap_or("").to_owned(),
        check("action odd(p: player, a: number, b: number, c: number, d: number, e: number, f: number) { draw(p, f) }", ""),
        check("action fine(p: player, a: number, b: number, c: number, d: number, e: number) { draw(p, e) }", ""),
        check(
            "option odd(a: number in [1], b: number in [1], c: number in [1], d: number in [1], e: number in [1], f: number in [1]) by p in most { draw(p, f) }",
            "",
        ),
        check(
            "action fine(a: number, b: number, c: number, d: number, e: number) { }\nrule odd when fine(any a, any b, any c, any d, any e) { stop }",
            "",
        ),
        body(&format!("let x = {}true", (0..9).map(|at| format!("some hand(p) as c{at} where ")).collect::<String>())),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn what_nobody_calls_is_checked_too() {
    let all = [
        check("procedure draw(p: player) { p.score = 1 }", ""),
        body("let x = 1  lasting this_turn { instead of draw(any q, any n) { x = 2  let y = x  y = 3  n = 1 } }"),
        body("let x = 1  put by { x = 2 } until later"),
        // A branch has names of its own, and what a branch calls `let` may be assigned to there.
        body("let x = 1  simultaneously for q in players { let y = x  y = 2  x = y }  x = 3"),
        body("let x = 1  simultaneously { x = 2 } { let y = x  y = 3 }  x = 4"),
        check("procedure drop(c: card) { stop }\naction finish(p: player) { stop }", ""),
        check("function odd(c: card) -> number = c.wim + p", ""),
        check("function odd(c: card, c: card) -> bool = c.win", ""),
        check("function twice(n: number) -> number = odd(n)\nfunction odd(n: number) -> number = n is empty", ""),
        check("function loops(n: number) -> number = loops(n)", ""),
        check("procedure odd(p: player, n: number = red) { draw(p, n) }", ""),
        check("function fine(p: player, s: set of card, n: number = 2) -> bool = count(s where it in hand(p)) == n", ""),
        body("let x = happened draw(p) since nowhere"),
        body("mark began  let x = happened draw(p) since begun"),
        body("let x = happened draw(p) since began  mark began"),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn what_is_said_twice_or_contradicts_itself() {
    let all = [
        check("zone odd { each player  hidden  public }", ""),
        check("zone odd { each player shared ordered public }", ""),
        check("zone odd { shared  at most 1  public  at most 2 }", ""),
        check("zone odd { shared  hidden  hidden except to owner }", ""),
        check("pool odd { each player  at least 0  at least 1 }", ""),
        check("enum nothing \"無\" { }", ""),
        check("given default { hand: none }\ngiven default { deck: none }", ""),
        check("setup { stop }\nsetup { stop }", ""),
    ];
    insta::assert_snapshot!(all.concat());
}

/// Whether an action was done in part is kept only if something asks for it. A question that a reading folds away does not count.
#[test]
fn what_a_reading_folds_away_does_not_ask() {
    let asks = |condition: &str, reading: &str| {
        let rules = format!("{BASE}setup {{ for p in players {{ draw(p, 1)  if {condition} {{ draw(p, 2) }} }} }}\n");
        let (mut compiler, found) = compiled(&mut Sources::default(), &rules, "");
        assert!(!crate::has_errors(&found), "{}", shown(&Sources::default(), &found));
        compiler.set_reading("way", reading);
        compiler.finished().asks_part
    };
    assert!(asks("partly_done", "left"));
    assert!(asks("done or partly_done", "left"));
    assert!(asks("done or way is right and partly_done", "right"));
    assert!(!asks("done or way is right and partly_done", "left"));
    assert!(!asks("done", "left"));
}

/// The pages of `gyoji explain CODE` have correct examples.
#[test]
fn the_examples_of_the_pages_are_wrong_and_right() {
    let mut broken = String::new();
    for (code, page) in pages() {
        let result = |text: &str| match &page.of {
            // Every small example has warnings of these kinds; they matter only on their own pages.
            Example::Rules if ("E0263"..="E0268").contains(&code) || ["E0274", "E0275"].contains(&code) => {
                let warned = warned(text);
                let others = warned.lines().filter(|line| code == "E0268" || !line.starts_with("E0268")).map(|line| format!("{line}\n"));
                Some(check(text, "") + &others.collect::<String>())
            }
            Example::Rules
                if [
                    "E0277", "E0278", "E0297", "E0290", "E0294", "E0367", "E0369", "E0377", "E0387", "E0389", "E0391", "E0392", "E0394",
                    "E0395", "E0397",
                ]
                .contains(&code) =>
            {
                let warned = warned_of(text, "");
                let others = warned.lines().filter(|line| !line.starts_with("E0268")).map(|line| format!("{line}\n"));
                Some(check(text, "") + &others.collect::<String>())
            }
            // Nothing performs abilities in the small game, and this matters only on the page about it.
            Example::Cards if ["E0393", "E0399"].contains(&code) => {
                let warned = warned_of("", text);
                let others = warned.lines().filter(|line| !line.starts_with("E0387")).map(|line| format!("{line}\n"));
                Some(check("", text) + &others.collect::<String>())
            }
            Example::Cards if ["E0276", "E0390", "E0398"].contains(&code) => Some(check("", text) + &warned_of("", text)),
            Example::Rules => Some(check(text, "")),
            Example::Cards => Some(check("", text)),
            Example::Whole => {
                let mut sources = Sources::default();
                let found = compiled(&mut sources, text, "").1;
                Some(shown(&sources, &found))
            }
            // The other examples run where there is a game for them (`scenario::tests`, tests/suite/explain.rs).
            _ => None,
        };
        let result = |text: &str| result(&written_out(text));
        let (Some(wrong), Some(right)) = (result(&page.wrong), result(&page.right)) else { continue };
        if !wrong.starts_with(code) || !right.is_empty() {
            broken.push_str(&format!("{code}\nwrong: {wrong}right: {right}\n"));
        }
    }
    assert_eq!(broken, "");
}
