//! What a seat is told of a value is true or "unknown": it is what somebody who sees every card would be told, however the cards that the
//! seat does not see are dealt.
//!
//! The questions are made from the vocabulary of each built-in game: every type, keyword, field and function about a card, and what has
//! happened to the card, in every form that a condition about the cards of a zone has.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use gyoji::compile::Compiler;
use gyoji::diagnostic::Sources;
use gyoji::engine::ids::CardId;
use gyoji::engine::machine::Machine;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::Status;
use gyoji::engine::steps::Silent;
use gyoji::engine::value::Player;
use gyoji::engine::why::{Fact, History};
use gyoji::players::{Answers, Random};
use gyoji::project::{Places, Project, embedded_games, load};
use gyoji::scenario::why::Asker;
use gyoji::syntax::parse_question;
use std::sync::Arc;

const SEED: u64 = 5;
/// The decisions at which is asked.
const AT: [usize; 3] = [0, 9, 33];

fn names(rows: &gyoji::compile::Names) -> Vec<&str> {
    rows.rows().map(|(name, _)| name).collect()
}

/// Conditions about a card `c`. Some have types that a game does not allow; these are not asked.
fn conditions(compiler: &Compiler) -> Vec<String> {
    let symbols = compiler.symbols();
    let mut all: Vec<String> = names(&symbols.card_types).iter().map(|name| format!("c is {name}")).collect();
    all.extend(names(&symbols.keywords).iter().map(|name| format!("c has {name}")));
    all.extend(names(&symbols.fields).iter().map(|name| format!("c.{name} >= 1")));
    all.extend(names(&symbols.fields).iter().map(|name| format!("exists c.{name}")));
    all.extend(names(&symbols.functions).iter().map(|name| format!("{name}(c)")));
    all.extend(
        ["exists abilities(c)", "count(abilities(c)) > 1", "happened move(c)", "happened move(card: c, from: any deck)"].map(String::from),
    );
    all
}

/// The questions about a set of cards with this condition.
fn questions(set: &str, condition: &str) -> [String; 6] {
    [
        format!("value count(all_of where {condition})"),
        format!("value some all_of as c where {condition}"),
        format!("value all all_of as c where {condition}"),
        format!("value all all_of as c where not ({condition})"),
        format!("value if some all_of as c where {condition} then 1 else 2"),
        format!("value sum all_of as c where {condition} of 1"),
    ]
    .map(|question| question.replace("all_of where", &format!("{set} as c where")).replace("all_of", set))
}

/// The value that is told; nothing if it is unknown or the question is none.
fn told(compiler: &mut Compiler, machine: &Machine, seat: Option<Player>, text: &str) -> Option<String> {
    let mut sources = Sources::default();
    let (question, found) = parse_question(sources.add("why", text), text);
    let question = question.filter(|_| found.is_empty())?;
    let (history, aliases) = (History::default(), Vec::new());
    let answer = Asker { compiler, machine, history: &history, aliases: &aliases, seat }.ask(&question).ok()?;
    answer.lines.first().filter(|line| !matches!(line.fact, Fact::Hidden)).map(|line| format!("{:?}", line.fact))
}

#[test]
fn a_seat_is_told_the_truth_or_that_it_is_unknown() {
    let (mut asked, mut unknown, mut wrong) = (0, 0, Vec::new());
    for name in embedded_games() {
        let (game, _) = load(&name, &Places::default(), None::<&Project>).unwrap();
        let decks: Vec<Vec<CardId>> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
        let decks: Vec<Vec<CardId>> = decks.iter().cycle().take(usize::from(game.program.players)).cloned().collect();
        let mut compiler = game.compiler.clone();
        let mut machine = Machine::new(Arc::clone(&game.program));
        machine.start(&decks, seed_of_game(SEED, 0));
        let mut random = Random::new(SEED, 0);
        for decision in 0..=AT[AT.len() - 1] {
            if machine.run(&mut Silent) != Status::Asking {
                break;
            }
            if AT.contains(&decision) {
                let seat = Player(0);
                let twins = [machine.dealt_anew(seat, 1), machine.dealt_anew(seat, 2)];
                let zones: Vec<String> = names(&compiler.symbols().zones).into_iter().map(|zone| format!("{zone}(b)")).collect();
                for question in
                    zones.iter().flat_map(|set| conditions(&game.compiler).into_iter().flat_map(|condition| questions(set, &condition)))
                {
                    let Some(truth) = told(&mut compiler, &machine, None, &question) else { continue };
                    asked += 1;
                    let Some(said) = told(&mut compiler, &machine, Some(seat), &question) else {
                        unknown += 1;
                        continue;
                    };
                    let mut others = twins.iter().map(|twin| told(&mut compiler, twin, None, &question));
                    if said != truth || others.any(|other| other.is_some_and(|other| other != said)) {
                        wrong.push(format!("{name}, decision {decision}: {question}: {said}, truth {truth}"));
                    }
                }
            }
            let open: Vec<_> = machine
                .questions()
                .filter(|asked| !asked.answered)
                .map(|asked| {
                    let mut picks = Vec::new();
                    random.answer(&asked, &mut picks);
                    (asked.id, picks)
                })
                .collect();
            for (question, picks) in open {
                machine.answer(question, &picks).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.iter().take(40).map(|line| format!("{line}\n")).collect::<String>());
    assert!(asked > 2_000 && unknown > 500, "{unknown} of {asked}");
}
