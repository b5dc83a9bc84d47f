//! A text becomes a script, and the script becomes a text with the same script: for printed, varied and generated texts. And no text breaks the reader.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

use gyoji::compile::has_errors;
use gyoji::diagnostic::Span;
use gyoji::engine::random::Generator as Random;
use gyoji::project::{Game, Places, load};
use gyoji::syntax::ast::{Ability, CardDecl, Name, Text};
use gyoji::wording::{Back, Generator, Reading, Said, Verdict, Wording, show_fragment};
use std::fmt::Write;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

fn wording() -> &'static Wording {
    &kaiun().wording
}

fn game(name: &str) -> Game {
    let places = Places { rules: Some(format!("rules/{name}").into()), cards: Some(format!("cards/{name}").into()), on: None };
    load(name, &places, None).unwrap().0
}

fn kaiun() -> &'static Game {
    static GAME: OnceLock<Game> = OnceLock::new();
    GAME.get_or_init(|| game("kaiun"))
}

fn kiseki() -> &'static Game {
    static GAME: OnceLock<Game> = OnceLock::new();
    GAME.get_or_init(|| game("kiseki"))
}

fn text(text: &str) -> Text {
    Text { text: text.to_owned(), span: Span { start: 0, end: text.len() as u32, ..Span::default() } }
}

fn read(line: &str) -> Reading {
    wording().read(&text(line))
}

/// The number that the variable says, or else the usual number.
fn count(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |value| value.parse().expect("a number"))
}

/// The texts of a file, one on each line. Other people have written them.
fn fresh(file: &str) -> Vec<String> {
    let rows = std::fs::read_to_string(format!("tests/fixtures/texts/{file}.tsv")).unwrap();
    rows.lines().skip(1).filter_map(|row| Some(row.split('\t').nth(1)?.to_owned())).collect()
}

/// Each text with its verdict and its normal form.
fn verdicts(texts: &[String]) -> String {
    let back = kaiun().back();
    let mut shown = String::new();
    for line in texts {
        let line = text(line);
        let verdict = wording().verdict(&back, &line, &wording().read(&line));
        writeln!(shown, "{}\n  {}", verdict.name(), line.text).unwrap();
        if let Some(said) = verdict.said() {
            writeln!(shown, "  {said}").unwrap();
        }
    }
    shown
}

#[test]
fn printed_texts_have_their_normal_form() {
    let texts: Vec<String> = kaiun().cards.iter().flat_map(|card| &card.decl.texts).map(|text| text.text.clone()).collect();
    let shown = verdicts(&texts);
    assert!(!shown.contains("mismatch"), "{shown}");
    insta::assert_snapshot!("printed", shown);
}

#[test]
fn varied_texts_have_their_normal_form() {
    let varied = std::fs::read_to_string("tests/fixtures/wording/varied.txt").unwrap();
    let mut texts: Vec<String> = varied.lines().map(str::to_owned).collect();
    texts.extend(["kaiun.1", "kaiun.2", "kaiun.3"].into_iter().flat_map(fresh));
    insta::assert_snapshot!("varied", verdicts(&texts));
}

/// Whether a card of some type may have these abilities. A text can be read and still compare two things that cannot be compared.
fn compiles(game: &Game, line: &str, abilities: &[Ability]) -> bool {
    let (name, printed) = (text("A"), text(line));
    game.program.card_types.iter().any(|of| {
        let of = vec![Name { text: of.clone(), span: printed.span }];
        let card = CardDecl { of, texts: vec![printed.clone()], ..CardDecl::new(name.clone(), name.span) };
        !has_errors(&game.compiler.clone().add_card(&card, abilities).1)
    })
}

/// Makes texts from a game's templates, and says back each script that a card may have.
fn generated(game: &Game, seed: u64, texts: usize) {
    let back = game.back();
    let mut generator = Generator::new(&game.wording, seed);
    let mut lost = Vec::new();
    for number in 0..texts {
        let (line, reading) = generator.readable(4 + number % 8, 300).unwrap();
        for ability in &reading.abilities {
            let said = match back.text(ability) {
                Said::Text(_) => continue,
                Said::Other(other) => other,
                Said::Nothing => "-".to_owned(),
            };
            if !compiles(game, &line, &reading.abilities) {
                continue;
            }
            let phrase = back.unsaid(&reading).map(|phrase| {
                let printed = line.get(phrase.span.start as usize..phrase.span.end as usize).unwrap_or_default();
                format!("{printed} [{}] {}", phrase.template, show_fragment(&phrase.script))
            });
            lost.push(format!("{line}\n  {said}\n  {}", phrase.unwrap_or_default()));
        }
    }
    assert!(lost.is_empty(), "{} of {texts} are not said back:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn generated_texts_are_said_back() {
    generated(kaiun(), count("GYOJI_TEXTS_SEED", 6) as u64, count("GYOJI_TEXTS", 100));
}

#[test]
fn generated_texts_of_kiseki_are_said_back() {
    generated(kiseki(), count("GYOJI_TEXTS_SEED", 6) as u64, count("GYOJI_TEXTS", 100));
}

/// Texts that once could not be said back: a phrase that refers to different things before and after its own action, and two exchanged cards.
#[test]
fn hard_texts_are_said_back() {
    let kaiun_texts = [
        "このカードの効果で自分の手札が捨てられる時、代わりに相手がそれらのカードの中から2枚までを選び、持ち主のデッキの一番上に置くことができる",
        "このカードの効果で自分の手札が捨てられる時、代わりにそれらのカードの中から2枚を選び、持ち主のデッキの一番上に加える",
    ];
    let kiseki_texts = [
        // A condition before the price, and modes at the end: no phrase after the modes can express the condition.
        "・このBASEは裏向き、このBASEを裏向きにする:あなたの軌跡のカード2枚だけを対象とし、それらを裏向きにする。そのカードはレディ状態であったなら、あなたは絆を1点まで失っても良い。続いて、相手プレイヤーは以下の中から、1つを選び、それを行う:・このUNITを場に出す。その後、これをアクションする。・このBASEを場に出す。続けてこのカードをアクションする。",
        "UNITを2枚対象にする。それをアクションする。それによって、即死させたならカードを1枚引き、入れ替えなかったなら、カードを2枚引く。",
    ];
    for (game, texts) in [(kaiun(), &kaiun_texts[..]), (kiseki(), &kiseki_texts[..])] {
        let back = game.back();
        for line in texts {
            let reading = game.wording.read(&text(line));
            assert_eq!(reading.abilities.len(), 1, "{line}: {:?}", reading.diagnostics);
            assert!(matches!(back.text(&reading.abilities[0]), Said::Text(_)), "{line}");
        }
    }
}

/// Every text of the game's cards.
#[test]
fn printed_texts_of_kiseki_are_said_back() {
    let game = kiseki();
    let back = game.back();
    let texts: Vec<&Text> = game.cards.iter().flat_map(|card| &card.decl.texts).collect();
    assert!(texts.len() > 100, "{}", texts.len());
    for text in texts {
        let verdict = game.wording.verdict(&back, text, &game.wording.read(text));
        assert!(matches!(verdict.name(), "exact" | "normalised"), "{}: {}", verdict.name(), text.text);
    }
}

#[test]
fn a_normal_text_is_its_own_normal_form() {
    let back = kaiun().back();
    let mut generator = Generator::new(wording(), 6);
    for _ in 0..40 {
        let (_, reading) = generator.readable(6, 200).unwrap();
        for ability in &reading.abilities {
            let Said::Text(said) = back.text(ability) else { continue };
            let again = text(&said);
            assert_eq!(wording().verdict(&back, &again, &read(&said)), Verdict::Exact, "{said}");
        }
    }
}

/// Signs that occur in texts, and some that do not.
const SIGNS: &str = "自分の相手手札枚を引く捨て置い、。そうしたらなバリア1２三「」『』（）《》〈〉【】開運時運値+-ー$\u{1}\u{0}é🎴 \n\tx";

/// A text in which some signs are taken away, added, exchanged, copied or replaced.
fn mutated(line: &str, random: &mut Random) -> String {
    let pool: Vec<char> = SIGNS.chars().collect();
    let mut signs: Vec<char> = line.chars().collect();
    for _ in 0..=random.below(4) {
        let (at, other) = (random.below(signs.len().max(1) as u32) as usize, random.below(signs.len().max(1) as u32) as usize);
        match random.below(5) {
            0 if !signs.is_empty() => _ = signs.remove(at),
            1 => signs.insert(at.min(signs.len()), pool[random.below(pool.len() as u32) as usize]),
            2 if !signs.is_empty() => signs.swap(at, other),
            3 => {
                let (from, to) = (at.min(other), at.max(other));
                let piece: Vec<char> = signs.get(from..to).unwrap_or_default().to_vec();
                let there = random.below(signs.len() as u32 + 1) as usize;
                signs.splice(there..there, piece);
            }
            _ => {
                if let Some(sign) = signs.get_mut(at) {
                    *sign = pool[random.below(pool.len() as u32) as usize];
                }
            }
        }
    }
    signs.into_iter().collect()
}

/// Every line gives an ability or a finding, and at most one ability. Only a line that begins with a mark may belong to the line before it,
/// as the row of a list. No ability is said back as an empty text.
fn holds(line: &str, back: &Back<'_>) {
    let reading = read(line);
    let lines = line.split('\n').filter(|line| !line.trim().is_empty()).count();
    let marked = |line: &&str| line.trim().starts_with(|sign: char| !sign.is_alphanumeric() && !"、。【「『〈《（".contains(sign));
    let rows = line.split('\n').skip(1).filter(marked).count();
    assert!(reading.abilities.len() + reading.diagnostics.len() + rows >= lines, "{line:?}");
    assert!(reading.abilities.len() <= lines, "{line:?}");
    for ability in &reading.abilities {
        assert_ne!(back.text(ability), Said::Text(String::new()), "{line:?}");
    }
}

#[test]
fn no_text_breaks_the_reader() {
    let back = kaiun().back();
    let until = std::env::var("GYOJI_FUZZ_SECONDS").ok().map(|seconds| Instant::now() + Duration::from_secs(seconds.parse().unwrap()));
    let seed = count("GYOJI_FUZZ_SEED", 1) as u64;
    let (mut random, mut generator) = (Random::new(seed), Generator::new(wording(), seed));
    let mut texts = 0_u64;
    while until.map_or(texts < 150, |until| Instant::now() < until) {
        let line = match random.below(4) {
            0 => (0..random.below(40)).map(|_| SIGNS.chars().nth(random.below(SIGNS.chars().count() as u32) as usize).unwrap()).collect(),
            _ => generator.line(3 + random.below(6) as usize).unwrap_or_default(),
        };
        let line = if random.below(3) > 0 { mutated(&line, &mut random) } else { line };
        // A panic does not name the text, so the panic is caught and the text is shown.
        let held = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| holds(&line, &back)));
        assert!(held.is_ok(), "seed {seed}, text {texts}: {line:?}");
        texts += 1;
    }
    println!("{texts} texts from seed {seed}");
}

/// Long texts with very many readings. Each gives a finding, and quickly.
#[test]
fn what_is_too_ambiguous_is_an_error() {
    let long = |begin: &str, part: &str, end: &str| format!("{begin}{}{end}", part.repeat(4_000 / part.chars().count()));
    let texts = [
        long("自分のトラッシュの", "〈福〉か〈鬼〉または〈獣〉の", "〈福〉3枚につき、自分の運値を+1しない。"),
        long("", "自分の手札の枚数と相手の手札の枚数の合計と", "自分の手札の枚数が3以上なら、自分の運値を+1しない。"),
        long("【開運時】", "カード1枚を引き、相手は手札1枚を捨て、自分は", "カード1枚を引かない。"),
    ];
    for line in texts {
        let reading = read(&line);
        assert!(reading.abilities.is_empty() && reading.diagnostics.len() == 1, "{line}");
    }
}

/// An error of the compiler in a script points to the printed signs from which the script comes.
#[test]
fn an_error_of_the_script_points_into_the_printed_text() {
    let places = Places { rules: Some("rules/kaiun".into()), cards: Some("cards/kaiun".into()), on: None };
    let game = load("kaiun", &places, None).unwrap().0;
    let mut shown = String::new();
    for line in [
        "このカードのジャンケンを+1する。",
        "【開運時】自分のジャンケンが3以上なら、カード1枚を引く。",
        "【開運時】自分の手札1枚を捨て、このターンの間、自分の運値(カチ)を相手のジャンケンと同じ値にする。",
    ] {
        let line = text(line);
        let reading = game.wording.read(&line);
        assert!(reading.diagnostics.is_empty(), "{}", line.text);
        let decl = CardDecl {
            of: vec![Name { text: "fighter".to_owned(), span: line.span }],
            texts: vec![line.clone()],
            ..CardDecl::new(text("T-1"), line.span)
        };
        for finding in game.compiler.clone().add_card(&decl, &reading.abilities).1 {
            let span = finding.span.unwrap();
            writeln!(shown, "{} [{}]", finding.code, line.text.get(span.start as usize..span.end as usize).unwrap()).unwrap();
        }
    }
    insta::assert_snapshot!("misfits", shown);
}
