//! Measures how long card texts take to compile: `cargo bench --bench pool`.
//!
//! The texts are generated from Kaiun's templates with a fixed seed, so a pool can have any size. On one core the bench
//! measures: 5,000, 10,000 and 20,000 texts that are read and compiled for a card, with the exponent from size to size
//! (above 1.2 is a failure); a text of some 400 signs with nested effects; ambiguous texts of 4,000 signs, which must end
//! with an error; 1,000 texts turned back into Japanese. Beside the times stands the most memory that the process has used.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a wrong measurement must stop, not be reported"
)]

use gyoji::diagnostic::Span;
use gyoji::engine::random::Generator as Random;
use gyoji::project::{Game, Places, load};
use gyoji::syntax::ast::{CardDecl, Name, Text};
use gyoji::wording::{Back, Generator, Said};
use std::collections::HashSet;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The allocator of the program itself.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZES: [usize; 3] = [5_000, 10_000, 20_000];
const TIMES: usize = 3;
const MOST: f64 = 1.2;

fn main() -> ExitCode {
    let game = load("kaiun", &Places::default(), None).unwrap().0;
    let begun = memory();
    let pool = texts(&game, SIZES[2]);
    let signs: usize = pool.iter().map(|text| text.chars().count()).sum();
    println!("{} texts of {} signs on average; memory before them {begun} MB", pool.len(), signs / pool.len());
    let mut times = Vec::new();
    for size in SIZES {
        let best = (0..TIMES).map(|_| timed(|| compile(&game, &pool[..size]))).min().unwrap();
        println!("{size:>6} texts: {:>8.1} ms, most memory so far {} MB", millis(best), memory());
        times.push(best);
    }
    let exponent = (times[2].as_secs_f64() / times[0].as_secs_f64()).log2() / 2.0;
    println!("exponent {exponent:.2}");
    let nested = nested(400);
    println!(
        "nested, {} signs: {:.2} ms",
        nested.chars().count(),
        millis(best_of(|| (0..100).for_each(|_| assert!(read(&game, &nested))))) / 100.0
    );
    for (what, hostile) in hostile() {
        let took = best_of(|| assert!(!read(&game, &hostile), "{what} is read"));
        println!("hostile ({what}), {} signs: {:.1} ms, most memory so far {} MB", hostile.chars().count(), millis(took), memory());
    }
    let back = Back::new(&game.wording);
    let abilities: Vec<_> = pool
        .iter()
        .take(1_000)
        .flat_map(|line| game.wording.read(&text(line)).abilities.into_iter().map(move |ability| (line, ability)))
        .collect();
    let mut lost = Vec::new();
    let took = timed(|| {
        lost = abilities.iter().filter(|(_, ability)| !matches!(back.text(ability), Said::Text(_))).map(|(line, _)| line).collect()
    });
    println!("back: {} abilities in {:.1} ms, {} not said back", abilities.len(), millis(took), lost.len());
    lost.iter().for_each(|line| println!("  {line}"));
    if exponent > MOST { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Different texts that can be read and compiled. They are mixed: otherwise the long texts would stand at the end, after all short ones are used.
fn texts(game: &Game, count: usize) -> Vec<String> {
    let mut generator = Generator::new(&game.wording, 1);
    let (mut texts, mut known) = (Vec::new(), HashSet::new());
    while texts.len() < count {
        let (line, _) = generator.readable(4 + texts.len() % 6, 120).unwrap();
        if known.insert(line.clone()) {
            texts.push(line);
        }
    }
    let mut random = Random::new(1);
    for last in (1..texts.len()).rev() {
        texts.swap(last, random.below(last as u32 + 1) as usize);
    }
    texts
}

fn text(line: &str) -> Text {
    Text { text: line.to_owned(), span: Span { start: 0, end: line.len() as u32, ..Span::default() } }
}

fn read(game: &Game, line: &str) -> bool {
    let reading = game.wording.read(&text(line));
    reading.diagnostics.is_empty()
}

/// Compiles every text on a card of its own.
fn compile(game: &Game, pool: &[String]) {
    let mut compiler = game.compiler.clone();
    for (number, line) in pool.iter().enumerate() {
        let line = text(line);
        let reading = game.wording.read(&line);
        let decl = CardDecl {
            of: vec![Name { text: "fighter".to_owned(), span: line.span }],
            texts: vec![line.clone()],
            ..CardDecl::new(Text { text: format!("G-{number}"), span: line.span }, Span::default())
        };
        black_box(compiler.add_card(&decl, &reading.abilities));
    }
}

/// Conditions inside conditions, as many as fit into `signs`, and a choice inside the innermost one.
fn nested(signs: usize) -> String {
    let parts = ["自分の手札が3枚以上なら、", "自分のトラッシュの〈福〉が2枚以上なら、", "手札1枚を捨てたなら、", "相手が《グー》なら、"];
    let mut text = "【開運時】".to_owned();
    let end = "自分の運値を+2し、カード1枚を引いてもよい。そうしたら、手札1枚を捨てる。";
    for part in parts.iter().cycle() {
        if text.chars().count() + part.chars().count() + end.chars().count() > signs {
            break;
        }
        text.push_str(part);
    }
    text + end
}

/// Texts of 4,000 signs that would have very many readings, if they could be read to the end.
fn hostile() -> Vec<(&'static str, String)> {
    let filled = |begin: &str, part: &str, end: &str| {
        let room = 4_000 - begin.chars().count() - end.chars().count();
        let parts = part.chars().cycle().take(room / part.chars().count() * part.chars().count());
        format!("{begin}{}{end}", parts.collect::<String>())
    };
    vec![
        ("one of many", filled("自分のトラッシュの", "〈福〉か〈鬼〉または〈獣〉の", "〈福〉3枚につき、自分の運値を+1しない。")),
        ("and, or", filled("", "自分の手札が1枚以上か、相手の手札が1枚以上で、", "自分のバリアが1枚以上なら、自分の運値を+1しない。")),
        ("chains", filled("【開運時】", "カード1枚を引き、相手は手札1枚を捨て、自分は", "カード1枚を引かない。")),
        ("sums", filled("", "自分の手札の枚数と相手の手札の枚数の合計と", "自分の手札の枚数が3以上なら、自分の運値を+1しない。")),
        (
            "may",
            filled(
                "【開運時】",
                "手札1枚を捨ててもよい。そうしたら、手札1枚を捨てたなら、カード1枚を引く。そうしなかったなら、",
                "手札1枚を拾う。",
            ),
        ),
    ]
}

fn best_of(mut what: impl FnMut()) -> Duration {
    (0..TIMES).map(|_| timed(&mut what)).min().unwrap()
}

/// The time that this thread has worked, so other programs do not count. If the system does not tell this time, the time of the clock.
fn timed(what: impl FnOnce()) -> Duration {
    let worked = || {
        let status = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        status.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    let (clock, from) = (Instant::now(), worked());
    what();
    match (from, worked()) {
        (Some(from), Some(to)) => to - from,
        _ => clock.elapsed(),
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The most memory that this process has used, in megabytes; 0 if the system does not tell it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or_default() / 1024
}
