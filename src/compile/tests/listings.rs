//! Tests of the listings of statements, clauses and rules.

use super::lowered;

fn body(statements: &str) -> String {
    lowered(&format!("procedure probe(p: player, c: card) {{\n  {statements}\n}}"))
}

#[test]
fn calls_and_results() {
    insta::assert_snapshot!(body(
        "draw(p, size)\n  let drawn = draw(p, 1)\n  discard(drawn)\n  won(p, field(p))\n  move(top of deck(p), field(p), face: down)\n  \
         move(c, deck(p), at: bottom)\n  let one = field(p)\n  shuffle(deck(p))"
    ));
}

#[test]
fn picks_are_lifted() {
    insta::assert_snapshot!(body(
        "discard(1 from hand(opponent(p)))\n  discard(up to 2 from hand(p) where it.win > 3)\n  move(1 from heap, hand(p))\n  \
         choose x: any number from players by p secretly\n  choose y: 1 from hand_sign by p\n  p.shown = y"
    ));
}

#[test]
fn control_flow() {
    insta::assert_snapshot!(body(
        "loop { if count(hand(p)) > 3 { break } draw(p, 1) }\n  for q in players { if field(q) is up { return } }\n  \
         repeat 2 { acting as p { judge together { if c is tired { stop } } } }\n  if way is left { draw(p, 1) } else { draw(p, 2) }"
    ));
}

#[test]
fn attempts_and_branches() {
    insta::assert_snapshot!(body(
        "may p { draw(p, 1) }\n  may p attempt { discard(2 from hand(p)) }\n  if done { draw(p, 1) }\n  attempt { draw(p, 1) } else { draw(p, 2) }\n  \
         simultaneously for q in players { draw(q, 1) }\n  simultaneously { draw(p, 1) } { draw(p, 2) } { draw(p, 3) }"
    ));
}

#[test]
fn expressions() {
    insta::assert_snapshot!(body(
        "let a = outranks(c.sign, field(p).sign)\n  let b = count(hand(p) where it has 土) * 2 + size\n  let d = some hand(p) as u where u.win == 3\n  \
         let e = field(p) is down and not (c in hand(p))\n  let f = [red, blue]\n  let g = c.name == \"石\"\n  let h = if c exists then p.score else 0\n  \
         let i = hand(p) except [c]\n  mark began  let j = happened move(what: c, to: heap) since began"
    ));
}

#[test]
fn clauses_capture_what_they_mention() {
    insta::assert_snapshot!(body(
        "let n = 2\n  lasting this_turn {\n    modify c { win + n  kinds + 土 }\n    while p.score > n { forbid draw(opponent(p), by: effect) }\n    \
         when draw(any q) where q == p { draw(q, n) }\n    instead of move(what: any x, from: hand(p), to: heap) { may p { move(x, deck(p)) } }\n  }\n  \
         put by { draw(p, n) } until later"
    ));
}

#[test]
fn rules_turns_and_judgement() {
    insta::assert_snapshot!(lowered(
        "rule out(p: player) @9 immediately when deck(p) becomes empty { lose(p) }\n\
         setup { for p in players { shuffle(deck(p)) } }\n\
         turn @6 {\n  phase first \"始め\" @6-1 { draw(you, 1)  if turn_number == 1 { return }  draw(you, 1) }\n  phase second @6-2 { draw(you, 2) }\n}\n\
         judgement(losing: set of player, winning: set of player) { if losing is empty { finish_drawn() } for p in losing { finish(opponent(p)) } }"
    ));
}
