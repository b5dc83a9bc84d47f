//! `E0276` and `E0344` against games: every effect of a small grammar with every reader of a small grammar, judged by `check` and played out.
//!
//! The game lays one unit, one spell and the card with the effect into every combination of zones, and asks the reader each time. An effect
//! that `check` calls idle must never be noticed. All others must be noticed, because the grammar holds nothing that depends on more than
//! zones and types.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use gyoji::compile::Compiler;
use gyoji::diagnostic::Sources;
use gyoji::engine::ids::{CardId, Id};
use gyoji::engine::machine::Machine;
use gyoji::engine::state::{Outcome, Status};
use gyoji::engine::steps::Silent;
use gyoji::engine::value::Player;
use gyoji::players::Random;
use gyoji::syntax::{parse_cards, parse_rules};
use rayon::prelude::*;
use std::sync::Arc;

const RULES: &str = r#"gyoji 1
game drill "試" { players 2 }
card unit "兵" { rank "数" : number }
card spell "術" { cost "値" : number }
keyword swift "速" { }
state poison "毒" : number on card
zone pile "山" { each player  public  starts with deck }
zone hand "手" { each player  public }
zone field "場" { each player  public }
zone heap "墓" { each player  public }
ability static "常" { zones: set of zone = [field] }
action lay_at(c: card, n: number) {
  if n == 1 { move(c, hand(c.owner)) }
  if n == 2 { move(c, field(c.owner)) }
  if n == 3 { move(c, heap(c.owner)) }
}
setup {
  for p in players {
    for n in [1, 2, 3] {
      for m in [1, 2, 3] {
        for k in [1, 2, 3] {
          for c in (pile(p) with hand(p) with field(p) with heap(p)) {
            if c.name == "U" { lay_at(c, n) } else { if c.name == "S" { lay_at(c, m) } else { lay_at(c, k) } }
          }
          SETS
          if some (READER) where ASKED { win(p) }
        }
      }
    }
  }
  win(opponent(you))
}
turn { }
"#;

/// Sets of cards to which effects apply and of which readers ask.
const SETS: [&str; 7] =
    ["field", "hand", "heap", "field where it is unit", "hand where it is spell", "field with hand", "(field with heap) where it is spell"];

/// An effect of the grammar: a static ability, a statement of the rules, and the question that notices it.
struct Effect {
    script: String,
    statement: String,
    asked: &'static str,
}

fn effects() -> Vec<Effect> {
    let mut all = Vec::new();
    for set in SETS.into_iter().chain(["this", "[this]"]) {
        for (script, asked) in [
            (format!("static {{ modify {set} {{ rank + 1 }} }}"), "it.rank > 5"),
            (format!("static {{ modify {set} {{ cost + 1 }} }}"), "it.cost > 5"),
            (format!("static {{ grant {set} {{ keyword swift }} }}"), "it has swift"),
        ] {
            all.push(Effect { script, statement: String::new(), asked });
        }
    }
    for set in SETS {
        all.push(Effect { script: String::new(), statement: format!("for c in {set} {{ c.poison = 1 }}"), asked: "it.poison > 0" });
        let lasting = format!("for c in {set} {{ lasting turn_end {{ modify c {{ rank + 1 }} }} }}  ");
        all.push(Effect { script: String::new(), statement: lasting, asked: "it.rank > 5" });
    }
    all
}

/// Whether `check` calls the effect idle, and whether a game notices it.
fn judged(effect: &Effect, of: &str, reader: &str) -> (bool, bool) {
    let mut sources = Sources::default();
    let lasting = if effect.statement.contains("turn_end") { "expire(turn_end)" } else { "" };
    let rules = RULES.replace("READER", reader).replace("ASKED", effect.asked);
    let rules = rules.replace("{ win(p) }", &format!("{{ win(p) }}  {lasting}")).replace("SETS", &effect.statement);
    let rules = if lasting.is_empty() { rules } else { format!("{rules}duration turn_end \"終わり\"\n") };
    let (rules, found) = parse_rules(sources.add("a.rules", &rules), &rules);
    assert!(found.is_empty(), "{found:?}");
    let (mut compiler, found) = Compiler::new(&[rules]);
    assert!(found.is_empty(), "{found:?}");
    let field = if of == "unit" { "rank 5" } else { "cost 5" };
    let cards = format!(
        "gyoji 1\ncards drill\ncard \"U\" unit \"U\" {{ rank 5 }}\ncard \"S\" spell \"S\" {{ cost 5 }}\n\
         card \"X\" {of} \"X\" {{ {field}  script {{ {} }} }}\n",
        effect.script
    );
    let (cards, found) = parse_cards(sources.add("a.cards", &cards), &cards);
    assert!(found.is_empty(), "{found:?}");
    for card in &cards.items {
        let (_, found) = compiler.add_card(card, card.script.as_deref().unwrap_or_default());
        assert!(found.is_empty(), "{found:?}");
    }
    let idle = compiler.warnings(&sources, &[]).iter().any(|finding| ["E0276", "E0344"].contains(&finding.code));
    let mut machine = Machine::new(Arc::new(compiler.program().clone()));
    let deck: Vec<CardId> = (0..3).map(CardId::from_index).collect();
    machine.start(&[deck.clone(), deck], 1);
    let (mut random, mut picks) = (Random::new(1, 0), Vec::new());
    while machine.run(&mut Silent) == Status::Asking {
        assert_eq!(random.decide(&mut machine, &mut picks), Ok(true));
    }
    match machine.state().control.status {
        Status::Over(Outcome::Won(Player(winner))) => (idle, winner == 0),
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn an_effect_that_nothing_reads_is_told_and_no_other() {
    let all = effects();
    let cases: Vec<(&Effect, &str, &str)> = all
        .iter()
        .flat_map(|effect| ["unit", "spell"].into_iter().flat_map(move |of| SETS.iter().map(move |set| (effect, of, *set))))
        .collect();
    let told = |(effect, of, reader): &(&Effect, &str, &str)| {
        let (idle, noticed) = judged(effect, of, reader);
        let wrong =
            (idle == noticed).then(|| format!("{of} {} {} | {reader}: idle {idle}, noticed {noticed}", effect.script, effect.statement));
        (idle, wrong)
    };
    let judged: Vec<(bool, Option<String>)> = cases.par_iter().map(told).collect();
    let wrong: Vec<&String> = judged.iter().filter_map(|(_, wrong)| wrong.as_ref()).collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        judged.len(),
        wrong.iter().map(|line| line.as_str()).collect::<Vec<_>>().join("\n")
    );
    let idle = judged.iter().filter(|(idle, _)| *idle).count();
    assert!(idle * 5 > judged.len(), "{idle} of {}", judged.len());
}
