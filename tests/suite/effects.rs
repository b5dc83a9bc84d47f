//! The engine computes the objects of an effect again only when something that the effect reads has changed.
#![allow(clippy::panic, reason = "a test")]

use gyoji::compile::Compiler;
use gyoji::diagnostic::Sources;
use gyoji::engine::ids::CardId;
use gyoji::engine::machine::{Machine, QuestionId};
use gyoji::engine::state::Status;
use gyoji::engine::steps::Silent;
use gyoji::syntax::{parse_cards, parse_rules};
use std::sync::Arc;

/// A game in which the first player draws, scores or marks a card on the field.
const RULES: &str = r#"gyoji 1
game counted "数" { players 2 }
card unit "ユニット" { power "力" : number }
state marked "印" : bool on card
zone pile "山" { each player  ordered  hidden  starts with deck }
zone hand "手" { each player  public }
zone field "場" { each player  public }
pool score "点" { each player  at least 0 }
ability static "常に" { zones: set of zone = [field] }
layers { sums "和" { modify number } }
setup { for p in players { repeat 10 { move(top of pile(p), field(p)) } } }
turn {
  phase one "一" {
    for p in players {
      choose what: 1 from [1, 2, 3] by p
      if what == 1 { move(top of pile(p), hand(p)) }
      if what == 2 { p.score = p.score + 1 }
      if what == 3 { for c in top 1 of field(p) { c.marked = true } }
    }
  }
}
"#;

const CARDS: &str = r#"gyoji 1
cards counted
card "P" unit "無" { power 1 }
card "L" unit "見" { power 1  script { static { modify this { power + count(hand(you)) } } } }
"#;

/// A machine at its first question, with 30 copies of that card in each deck.
fn machine(card: u16) -> Machine {
    let mut sources = Sources::default();
    let (rules, found) = parse_rules(sources.add("a.rules", RULES), RULES);
    assert!(found.is_empty(), "{found:?}");
    let (mut compiler, found) = Compiler::new(&[rules]);
    assert!(found.is_empty(), "{found:?}");
    let (cards, found) = parse_cards(sources.add("a.cards", CARDS), CARDS);
    assert!(found.is_empty(), "{found:?}");
    for card in &cards.items {
        let (_, found) = compiler.add_card(card, card.script.as_deref().unwrap_or_default());
        assert!(found.is_empty(), "{found:?}");
    }
    let mut machine = Machine::new(Arc::new(compiler.program().clone()));
    let deck = vec![CardId(card); 30];
    machine.start(&[deck.clone(), deck], 1);
    assert_eq!(machine.run(&mut Silent), Status::Asking);
    machine
}

/// Answers the open question.
fn answer(machine: &mut Machine, pick: u16) {
    let asked = machine.questions().map(|asked| asked.id).next().unwrap_or(QuestionId(0));
    machine.answer(asked, &[pick]).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    assert_eq!(machine.run(&mut Silent), Status::Asking);
}

#[test]
fn nothing_is_looked_at_where_no_effect_is_in_force() {
    let mut machine = machine(0);
    for pick in [0, 1, 2, 0, 1, 2] {
        answer(&mut machine, pick);
    }
    assert_eq!(machine.looks(), 0);
}

#[test]
fn an_effect_is_looked_at_anew_once_for_each_write_to_what_it_reads() {
    let mut machine = machine(1);
    let at_first = machine.looks();
    assert!(at_first > 0);
    for pick in [1, 1, 2, 2] {
        answer(&mut machine, pick);
    }
    assert_eq!(machine.looks(), at_first, "nobody reads the score or the mark");
    // Each player has ten effects that read the player's hand. Each hand is changed three times.
    for pick in [0; 6] {
        answer(&mut machine, pick);
    }
    assert_eq!(machine.looks() - at_first, 6 * 10);
}
