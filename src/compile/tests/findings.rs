//! Every finding, from the smallest source that has it.

use super::{check, compiled, shown};
use crate::diagnostic::Sources;

/// A procedure with this body behind the base.
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
        body("if c is betaen { stop }"),
        body("let x = happened drwa(p)"),
    ];
    insta::assert_snapshot!(all.concat());
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
        body("p.shown = grock"),
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
        body("let x = beats(rock)"),
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
fn what_is_not_carried_out_yet_says_so() {
    let all = [
        check("keyword swift { static { forbid draw() } }", ""),
        body("apply rules"),
        body("watch c is up { } aborted { }"),
        body("lasting this_turn { permit draw(p) }"),
        body("lasting this_turn { assume c is up }"),
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
    insta::assert_snapshot!(shown(&sources, &found), @"E0209 [zone deck { shared }] there is no `game` declaration");
}

#[test]
fn cards_with_findings() {
    let all = [
        check("", "card \"A-1\" unit \"あ\" { 手 グー  強さ 3 }\ncard \"A-1\" unit \"い\" { sign rock  win 3 }"),
        check("", "card \"A-1\" unit \"あ\" { sign グ  wim 3  win \"三\" }"),
        check("", "card \"A-1\" units \"あ\" { }"),
        check("", "card \"A-1\" unit \"あ\" { script { on_opne { draw(you, 1) } } }"),
        check("", "card \"A-1\" unit \"あ\" { script { static { modify this { wni + 1 } } } }"),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn five_mistakes_are_five_findings() {
    let found = check("procedure probe() {\n  drwa(you, 1)\n  let x = sise\n  y = 2\n  break\n  let z = handd(you)\n}", "");
    assert_eq!(found.lines().count(), 5, "{found}");
}
