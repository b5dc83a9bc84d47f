//! `E0393` and `E0399` against games: every event pattern of a small grammar on a card, judged by `check` and played out.
//!
//! The game moves every card from every zone to every zone, with the others in every zone, and performs every action on every card. The
//! ability wins the game when it acts. A pattern that `check` calls impossible must never win. A pattern that `check` calls possible must
//! win, because the grammar holds nothing that depends on more than identity, zones and types.
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
procedure lay_at(c: card, n: number) {
  if n == 1 { move(c, hand(c.owner)) }
  if n == 2 { move(c, field(c.owner)) }
  if n == 3 { move(c, heap(c.owner)) }
  if n == 4 { move(c, pile(c.owner)) }
  if n == 5 { move(c, hand(opponent(c.owner))) }
  if n == 6 { move(c, field(opponent(c.owner))) }
  if n == 7 { move(c, heap(opponent(c.owner))) }
  settle()
}
-- The others lie in zone q, and c lies in zone home.
procedure lay(c: card, q: number, home: number) {
  for other in everyone() where it != now(c) { lay_at(other, q) }
  lay_at(now(c), home)
}
setup {
  for q in [1, 2, 3] {
    for c in everyone() {
      for home in [1, 2, 3, 4] {
        for to in [1, 2, 3, 4] {
          lay(c, q, home)
          lay_at(now(c), to)
        }
        -- Into the same zone of the other player.
        lay(c, q, home)
        lay_at(now(c), home + 4)
        lay(c, q, home)
        -- The card of an earlier life, and the card as it is now.
        hail(c)
        cheer(c)
        leave(c)
        clear([c])
        settle()
        lay(c, q, home)
        hail(now(c))
        cheer(now(c))
        leave(now(c))
        settle()
        lay(c, q, home)
        clear([now(c)])
        settle()
        lay(c, q, home)
        for p in players { offer p from main or pass }
        settle()
      }
    }
  }
  for p in players where it != you { win(p) }
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

const ZONES: [&str; 2] = ["[field]", "[hand, field]"];

/// The abilities of the grammar: those that wait, or those that replace.
fn abilities(replace: bool) -> Vec<String> {
    let things = |name: &str| {
        let bound = CONDITIONS.iter().map(|condition| (format!("{name}: any c"), *condition));
        std::iter::once((format!("{name}: this"), "")).chain(bound).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    for zones in ZONES {
        for (what, condition) in things("what") {
            for way in ["", ", to: heap", ", from: field", ", from: hand, to: field"] {
                if replace {
                    all.push(format!("instead of(zones: {zones}) move({what}{way}){condition}"));
                    continue;
                }
                for looks in ["", ", looks: before", ", looks: after", ", looks: both"] {
                    all.push(format!("when(zones: {zones}{looks}) move({what}{way}){condition}"));
                }
            }
        }
        for (verb, name) in [("hail", "c"), ("leave", "c"), ("clear", "cards"), ("cheer", "c"), ("play", "c")] {
            for (what, condition) in things(name) {
                let word = if replace { "instead of" } else { "when" };
                all.push(format!("{word}(zones: {zones}) {verb}({what}){condition}"));
            }
        }
        let of_this = ["this in field", "this in heap", "this is unit", "this is spell", "this in hand and this is unit", "this exists"];
        all.extend(of_this.iter().filter(|_| !replace).map(|this| format!("whenever(zones: {zones}) {this} becomes true")));
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
        let (of, field) = if at % 2 == 0 { ("unit", "rank 1") } else { ("spell", "cost 1") };
        begins.push(cards.len());
        cards.push_str(&format!("card \"{of}{at}\" {of} \"{of}{at}\" {{ {field}  script {{ {ability} {{ win(you) }} }} }}\n"));
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

/// Whether the ability of a card acts in a game.
fn acts(machine: &mut Machine, card: CardId) -> bool {
    let others = vec![CardId::from_index(0), CardId::from_index(1)];
    machine.start(&[[vec![card], others.clone()].concat(), others], 1);
    let (mut random, mut picks) = (Random::new(1, 0), Vec::new());
    while machine.run(&mut Silent) == Status::Asking {
        assert_eq!(random.decide(machine, &mut picks), Ok(true));
    }
    match machine.state().control.status {
        Status::Over(Outcome::Won(Player(winner))) => winner == 0,
        ref other => panic!("{other:?}"),
    }
}

/// `check` does not follow the moves of one card through an action: not of a card that stays the same card in every zone, and not where the
/// present object of a card that has gone lies. So such a pattern counts as possible.
fn is_followed(moves: &str, ability: &str) -> bool {
    let moves_its_card = ["leave(", "clear(", "play("].iter().any(|verb| ability.contains(verb));
    !(moves_its_card && (moves.contains("any keeps identity") || ability.contains("now(c)")))
}

#[test]
fn what_can_never_act_is_told_and_nothing_else() {
    let (mut wrong, mut told, mut all) = (Vec::new(), 0, 0);
    for (moves, replace) in MOVES.iter().flat_map(|moves| [(moves, false), (moves, true)]) {
        let abilities = abilities(replace);
        let (compiler, impossible) = game(moves, &abilities);
        (told, all) = (told + impossible.len(), all + abilities.len());
        let program = Arc::new(compiler.program().clone());
        let machine = || {
            let mut machine = Machine::new(Arc::clone(&program));
            machine.sampling(true);
            machine
        };
        let judged = |machine: &mut Machine, (at, ability): (usize, &String)| {
            let (possible, acts) = (!impossible.contains(&at), acts(machine, CardId::from_index(at + 2)));
            let differs = possible != acts && (acts || is_followed(moves, ability));
            differs.then(|| format!("{moves} | {at} {ability} | check says {possible}, games say {acts}"))
        };
        wrong.extend(abilities.par_iter().enumerate().map_init(machine, judged).collect::<Vec<_>>().into_iter().flatten());
    }
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(told * 8 > all, "{told} of {all}");
}
