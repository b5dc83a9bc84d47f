//! Answers and questions that name a thing by its card: an ability that waited and is gone by now (docs/scenarios.md), and the argument of
//! an option (docs/why.md).

use super::{check, folder, path};

const RULES: &str = r#"gyoji 1

game countered "打ち消し" { }

card unit "札" { power "力" : number }

zone hand "手" { each player  public }
zone gone "跡" { each player  public }
zone stack "連鎖" { shared  ordered  public  holds abilities }

pool score "点" { each player }

ability rite "【術】" { zones: set of zone = [hand]  spells: set of ability }

choice rest "休む"

action counter(a: ability) "消す" { drop(a) }

option cast(c: unit in hand(p)) "唱える" by p in acts when some abilities(c) as a where a is rite attempt {
  for a in abilities(c) where it is rite {
    let w = announce(a, by: p)
    ask(w.spells, by: p)
    move(w, stack)
  }
  move(c, gone(p))
}

turn {
  phase one "一" {
    for p in players { offer p "行動" from acts or pass { } }
    loop {
      if stack is empty { break }
      perform top of stack
    }
    choose rest: 1 from players by you
  }
}

given default {
  hand: none
  gone: none
}
"#;

const CARDS: &str = r#"gyoji 1
cards countered

card "F" unit "火" { power 1  script { rite { you.score = you.score + 1 } } }
card "C" unit "消" { power 1  script { rite(spells: 1 from stack) { for a in spells { counter(a) } } } }
card "S" unit "兵" { power 1 }
"#;

const SCENARIOS: &str = r#"gyoji 1
scenarios countered

scenario "the only answer is named by the card of an ability that is gone by now" {
  given { phase one  a { hand: "火" as x }  b { hand: "消" } }
  play {
    a: cast(x)
    b: cast("消")
    b: spells "火"
  }
  expect {
    a.score == 0
    asked a: rest
  }
}

scenario "the only answer is named by the scenario's name of the card" {
  given { phase one  a { hand: "火" as x }  b { hand: "消" } }
  play {
    a: cast(x)
    b: cast("消")
    b: spells x
  }
  expect { a.score == 0 }
}

scenario "an option is asked for as it is called, or as an answer is written" {
  given { phase one  a { hand: "火" as x, "兵" as y } }
  expect {
    why can a: cast(x)
    why can a: cast x
    why can a: cast "火"
    why can a: 唱える "火"
    why cannot a: cast y
    why cannot a: cast "兵"
  }
}
"#;

/// The only answer to a decision is read after the run has gone on. `why can` reads `cast x` like `cast(x)`.
#[test]
fn a_card_names_its_ability_and_the_argument_of_an_option() {
    let folder = folder("countered").join("countered");
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in [("game.rules", RULES), ("things.cards", CARDS), ("countered.scenarios", SCENARIOS)] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    check(&["check", path(&folder)], "", 0, &["nothing to mend"]);
    check(&["test", path(&folder)], "", 0, &["3 passed"]);
}
