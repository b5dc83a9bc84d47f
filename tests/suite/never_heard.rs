//! `E0393` and `E0399` against games: every event pattern of a small grammar on a card, judged by `check` and played out.
//!
//! The game moves every card from every zone to every zone, with the others in every zone, and performs every action on every card. The
//! ability wins the game when it acts. A pattern that `check` calls impossible must never win. A pattern that `check` calls possible must
//! win, because the grammar holds nothing that depends on more than identity, zones and types.
#![allow(clippy::unwrap_used, reason = "tests")]

use gyoji::compile::Compiler;
use gyoji::diagnostic::Sources;
use gyoji::engine::ids::{CardId, Id};
use gyoji::engine::machine::Machine;
use gyoji::engine::observe::Silent;
use gyoji::engine::state::{Outcome, Status};
use gyoji::engine::value::Player;
use gyoji::players::Random;
use gyoji::syntax::{parse_cards, parse_rules};
use std::collections::BTreeSet;
use std::sync::Arc;

const RULES: &str = r#"gyoji 1
game drill "試" { players 2 }
card unit "兵" { rank "数" : number }
card spell "術" { cost "値" : number }
zone pile "山" { each player  public  starts with deck }
zone hand "手" { each player  public }
zone field "場" { each player  public }
zone heap "墓" { each player  public }
MOVES
ability automatic "自" { zones: set of zone = [field] }
ability replacement "替" { zones: set of zone = [field] }
action hail(c: card) "呼ぶ" { }
action leave(c: card) "去る" { move(c, heap(c.owner)) }
action clear(cards: set of card) "払う" { for c in cards { move(c, heap(c.owner)) } }
action cheer(c: card) "励ます" when c is unit { }
option play(c: card in hand(p) where it is unit) "出す" by p in main { move(c, field(p)) }
function everyone() -> set of card = pile with hand with field with heap
procedure settle() { for w in pending { perform w } }
procedure put(c: card, n: number) {
  if n == 1 { move(c, hand(c.owner)) }
  if n == 2 { move(c, field(c.owner)) }
  if n == 3 { move(c, heap(c.owner)) }
  if n == 4 { move(c, pile(c.owner)) }
  settle()
}
-- The others lie in zone q, and c lies in zone from.
procedure lay(c: card, q: number, from: number) {
  for other in everyone() where it != now(c) { put(other, q) }
  put(now(c), from)
}
setup {
  for q in [1, 2, 3, 4] {
    for c in everyone() {
      for from in [1, 2, 3, 4] {
        for to in [1, 2, 3, 4] {
          lay(c, q, from)
          put(now(c), to)
        }
        lay(c, q, from)
        hail(now(c))
        cheer(now(c))
        leave(now(c))
        settle()
        lay(c, q, from)
        clear([now(c)])
        settle()
        lay(c, q, from)
        for p in players { offer p from main or pass }
        settle()
      }
    }
  }
  win(players.b)
}
turn { }
"#;

/// What moves keep, in each of the games.
const MOVES: [&str; 4] = [
    "",
    "moves { from field to heap keeps identity }",
    "moves { from any to any keeps nothing reads before heard both }",
    "moves { from any to any keeps identity }",
];

const CONDITIONS: [&str; 10] = [
    "",
    " where c exists",
    " where not (c exists)",
    " where c in field",
    " where c in heap",
    " where now(c) in heap",
    " where c is spell",
    " where c == this",
    " where c != this and c is unit",
    " where c in field and c is spell and c != this",
];

const ZONES: [&str; 3] = ["[field]", "[heap]", "[hand, field]"];

/// All abilities of the grammar.
fn abilities() -> Vec<String> {
    let things = |name: &str| {
        let bound = CONDITIONS.iter().map(|condition| (format!("{name}: any c"), *condition));
        std::iter::once((format!("{name}: this"), "")).chain(bound).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    for zones in ZONES {
        for (what, condition) in things("what") {
            for way in ["", ", to: field", ", to: heap", ", from: field", ", from: hand, to: heap", ", from: hand, to: field"] {
                for looks in ["", ", looks: before", ", looks: after", ", looks: both"] {
                    all.push(format!("when(zones: {zones}{looks}) move({what}{way}){condition}"));
                }
                all.push(format!("instead of(zones: {zones}) move({what}{way}){condition}"));
            }
        }
        for (verb, name) in [("hail", "c"), ("leave", "c"), ("clear", "cards"), ("cheer", "c"), ("play", "c")] {
            for (what, condition) in things(name) {
                all.push(format!("when(zones: {zones}) {verb}({what}){condition}"));
                all.push(format!("instead of(zones: {zones}) {verb}({what}){condition}"));
            }
        }
        for condition in ["this in field", "this in heap", "this is unit", "this is spell", "this in hand and this is unit", "this exists"]
        {
            all.push(format!("whenever(zones: {zones}) {condition}"));
        }
    }
    all
}

/// A game in which some cards have these abilities, one each, units first; and the codes of the abilities that `check` calls impossible.
fn game(moves: &str, abilities: &[String]) -> (Compiler, BTreeSet<usize>) {
    let mut sources = Sources::default();
    let rules = RULES.replace("MOVES", moves);
    let (rules, found) = parse_rules(sources.add("a.rules", &rules), &rules);
    assert!(found.is_empty(), "{found:?}");
    let (mut compiler, found) = Compiler::new(&[rules]);
    assert!(found.is_empty(), "{found:?}");
    let mut cards = "gyoji 1\ncards drill\ncard \"U\" unit \"兵\" { rank 1 }\ncard \"S\" spell \"術\" { cost 1 }\n".to_owned();
    let mut begins = Vec::new();
    for (at, ability) in abilities.iter().enumerate() {
        for (of, field) in [("unit", "rank 1"), ("spell", "cost 1")] {
            begins.push(cards.len());
            cards.push_str(&format!("card \"{of}{at}\" {of} \"{of}{at}\" {{ {field}  script {{ {ability} {{ win(you) }} }} }}\n"));
        }
    }
    let file = sources.add("a.cards", &cards);
    let (cards, found) = parse_cards(file, &cards);
    assert!(found.is_empty(), "{found:?}");
    for card in &cards.items {
        let (_, found) = compiler.add_card(card, card.script.as_deref().unwrap_or_default());
        assert!(found.is_empty(), "{found:?}");
    }
    let findings = compiler.warnings(&sources, &[]).into_iter().filter(|finding| ["E0393", "E0399"].contains(&finding.code));
    let spans = findings.filter_map(|finding| finding.span).filter(|span| span.file == file);
    let impossible = spans.map(|span| begins.partition_point(|begin| *begin <= span.start as usize) - 1).collect();
    (compiler, impossible)
}

/// Whether the ability of a card acts in any of some games.
fn acts(machine: &mut Machine, card: CardId) -> bool {
    let deck = vec![card, CardId::from_index(0), CardId::from_index(1)];
    (0..2).any(|seed| {
        machine.start(&[deck.clone(), vec![CardId::from_index(0), CardId::from_index(1)]], seed);
        let (mut random, mut picks) = (Random::new(seed, 0), Vec::new());
        while machine.run(&mut Silent) == Status::Asking {
            assert_eq!(random.decide(machine, &mut picks), Ok(true));
        }
        match machine.state().control.status {
            Status::Over(Outcome::Won(Player(winner))) => winner == 0,
            ref other => panic!("{other:?}"),
        }
    })
}

#[test]
fn what_can_never_act_is_told_and_nothing_else() {
    let abilities = abilities();
    let (mut wrong, mut told) = (Vec::new(), 0);
    for moves in MOVES {
        let (compiler, impossible) = game(moves, &abilities);
        told += impossible.len();
        let mut machine = Machine::new(Arc::new(compiler.program().clone()));
        machine.sampling(true);
        for at in 0..abilities.len() * 2 {
            let (possible, acts) = (!impossible.contains(&at), acts(&mut machine, CardId::from_index(at + 2)));
            if possible != acts {
                let of = if at % 2 == 0 { "unit" } else { "spell" };
                wrong.push(format!("{moves} | {of} | {} | check says {possible}, games say {acts}", abilities[at / 2]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), abilities.len() * 2 * MOVES.len(), wrong.join("\n"));
    assert!(told > abilities.len(), "{told}");
}
