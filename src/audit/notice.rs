//! Finds the scenarios that notice a break.
//!
//! All scenarios are run once with the original rules, to know what each touches. A broken game is then given to the scenarios that touch
//! the broken place, first to those that name its rules. A scenario notices only by a failed `expect`, or by an answer that is refused or
//! no longer asked for. Results are stored and shown elsewhere.

use super::breaker::Reach;
use super::kind::Kind;
use super::mutant::{BUDGET, Bench, LONG_BUDGET, Mutant, lies_in};
use lang::diagnostic::Span;
use lang::syntax::ast::{CardDecl, Expect, ExpectKind, Scenario, Step, Text};
use project::Game;
use rayon::prelude::*;
use scenario::suite::Suite;
use scenario::{Ground, Touched, Verdict, conditional_places};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

/// The most runs that end only in a rules error. After these, no more scenarios are tried.
const MOST_STOPPED: usize = 8;

/// After `FIRST` scenarios that notice nothing, the broken game is compared with the original, if `MANY` scenarios are left. If the break
/// changes nothing, these scenarios need not run.
const FIRST: usize = 24;
const MANY: usize = 200;

/// How many scenarios are put first because they have noticed breaks nearby.
const NEAR: usize = 6;

/// The result of a break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A scenario fails.
    Noticed(String),
    /// No scenario fails on an expectation, but one exceeds its step budget.
    Stopped(String),
    /// This many scenarios touch the place, and none fails.
    Unnoticed(usize),
    /// The broken rules give the same program under all readings.
    Same,
    /// No scenario touches the place.
    Untouched,
    /// The broken rules do not compile, or a scenario cannot be set up.
    Uncompiled,
}

/// A scenario with everything that it touches.
#[derive(Clone, Debug)]
struct Ran {
    scenario: usize,
    touched: Touched,
    templates: BTreeSet<Span>,
    /// Whether the scenario loads sources or checks decks. Then any declaration can matter.
    wide: bool,
    open: Open,
    /// The readings that the scenario chooses, by the places of their names.
    readings: BTreeSet<Span>,
    /// Whether the scenario asks for reasons. A removed condition is no longer a reason.
    asks_why: bool,
    /// Whether the scenario needs more statements with the original rules than a broken game may use. It would seem to notice every break.
    long: bool,
}

/// The conditions for which the tally of a scenario says nothing. If such a condition is always true, the scenario may differ.
#[derive(Clone, Debug)]
enum Open {
    /// All conditions: the scenario plays with rules of its own, or its run was not seen to the end.
    Everywhere,
    /// The conditions in these places. The readings that the scenario chooses change which statements there have conditions.
    At(BTreeSet<Span>),
}

impl Open {
    fn is_at(&self, place: Span) -> bool {
        match self {
            Open::Everywhere => true,
            Open::At(places) => places.contains(&place),
        }
    }
}

/// A scenario run with the original rules.
struct First {
    verdict: Verdict,
    /// Whether the scenario's run was seen to the end.
    seen: bool,
    /// Whether the scenario needs more statements with the original rules than a broken game may use.
    long: bool,
}

/// A game with its scenarios, prepared for breaks.
#[derive(Clone, Debug)]
pub struct Audit<'g> {
    /// The game.
    pub bench: Bench<'g>,
    suite: &'g Suite,
    /// The numbers of [`Bench::programs`] for the original rules. Found when they are first asked for, because they take long.
    whole: OnceLock<Vec<u64>>,
    /// The number of statements with conditions in each place of the game. The next field says whether the game needs
    /// [`engine::program::Program::extras`].
    conditional: BTreeMap<Span, usize>,
    extras: bool,
    /// The number of everything that a scenario can depend on (see [`Ground::fingerprint`]).
    print: (u64, String),
    /// The verdicts with the original rules, in the order of the scenarios.
    pub verdicts: Vec<Verdict>,
    ran: Vec<Ran>,
    /// The templates that read a text of a passing scenario.
    used: BTreeSet<Span>,
    noticed: Noticed,
}

/// Breaks that scenarios have noticed so far: the place of each, and the number of the scenario.
type Noticed = Arc<Mutex<Vec<(Span, usize)>>>;

impl<'g> Audit<'g> {
    /// Runs the scenarios with the original rules.
    #[must_use]
    pub fn new(game: &'g Game, suite: &'g Suite) -> Self {
        let bench = Bench::new(
            game,
            suite.ground.rulebook().cloned(),
            suite.scenarios.iter().flat_map(cards_of).flat_map(|card| suite.ground.printed_on(card)),
        );
        let plain = bench.whole();
        let whole = bench.whole().telling_all();
        let (told_soon, soon) = (whole.clone().with_budget(BUDGET), plain.clone().with_budget(BUDGET));
        let run = |ground: &Ground, scenario: &Scenario| scenario::run(ground, scenario, &suite.sources);
        let first = |scenario: &Scenario| {
            let verdict = run(&told_soon, scenario);
            if verdict.passed() {
                return First { verdict, seen: true, long: false };
            }
            let (told, long) = (run(&whole, scenario), !run(&soon, scenario).passed());
            if told.passed() {
                return First { verdict: told, seen: true, long };
            }
            // This verdict is from a run of the plain program. If every statement is reported, a chain of causes has more links than a
            // ruling names.
            let mut verdict = run(&plain, scenario);
            if verdict.passed() {
                verdict.touched = told.touched;
            } else {
                verdict = told;
            }
            First { verdict, seen: false, long }
        };
        let firsts: Vec<First> = suite.scenarios.par_iter().map(first).collect();
        let (conditional, extras) = (conditional_places(&game.compiler), plain.program().extras);
        let print = bench.unbroken().fingerprint();
        let rest: Vec<(bool, bool)> = firsts.iter().map(|first| (first.seen, first.long)).collect();
        let verdicts = firsts.into_iter().map(|first| first.verdict).collect();
        let mut audit = Self {
            bench,
            suite,
            whole: OnceLock::new(),
            conditional,
            extras,
            print,
            verdicts,
            ran: Vec::new(),
            used: BTreeSet::new(),
            noticed: Noticed::default(),
        };
        audit.ran = audit.all_ran(&rest);
        audit.used = audit.ran.iter().flat_map(|ran| &ran.templates).copied().collect();
        audit
    }

    /// `rest`: for each scenario, whether its run was seen to the end, and whether it is long.
    fn all_ran(&self, rest: &[(bool, bool)]) -> Vec<Ran> {
        let texts: BTreeSet<&String> =
            self.verdicts.iter().filter_map(|verdict| verdict.touched.as_ref()).flat_map(|touched| &touched.texts).collect();
        let texts: Vec<&String> = texts.into_iter().collect();
        let templates: BTreeMap<&String, Vec<Span>> = texts.par_iter().map(|text| (*text, self.bench.templates_of(text))).collect();
        let passed = self.verdicts.par_iter().zip(&self.suite.scenarios).enumerate().filter(|(_, (verdict, _))| verdict.passed());
        let ran = passed.map(|(at, (verdict, scenario))| {
            let touched = verdict.touched.as_deref().cloned().unwrap_or_default();
            let mut templates: BTreeSet<Span> = touched.texts.iter().filter_map(|text| templates.get(text)).flatten().copied().collect();
            let wide = is_wide(scenario, &touched);
            if wide {
                // A deck is checked without a game, so all made-up cards count as used.
                templates.extend(texts_of(scenario).flat_map(|text| self.bench.templates_of(&text.text)));
            }
            let (seen, long) = rest.get(at).copied().unwrap_or_default();
            let open = match &touched.conditional {
                _ if !seen || loads(scenario) => Open::Everywhere,
                Some(there) => Open::At(
                    self.conditional.iter().filter(|(place, count)| there.get(place) != Some(count)).map(|(place, _)| *place).collect(),
                ),
                None => Open::At(BTreeSet::new()),
            };
            let readings = chosen(scenario).filter_map(|name| self.bench.reading(name)).map(|reading| reading.head.name.span).collect();
            Ran { scenario: at, templates, wide, open, readings, asks_why: asks_why(scenario), long, touched }
        });
        ran.collect()
    }

    /// Gives a broken game to the scenarios that touch the place.
    #[must_use]
    pub fn outcome(&self, mutant: &Mutant) -> Outcome {
        let Some(ground) = self.bench.broken(mutant) else { return Outcome::Uncompiled };
        let mutant = &self.reached(mutant, &ground);
        let runs = self.runs(mutant);
        let touched = runs.iter().any(|ran| !ran.wide);
        match self.judged(mutant, &ground, &runs) {
            Outcome::Unnoticed(_) if self.means_the_same(mutant, &ground) => Outcome::Same,
            Outcome::Unnoticed(_) if !touched => Outcome::Untouched,
            outcome => outcome,
        }
    }

    /// The break with all scenarios that can notice it. If the condition belongs to no statement under the original rules, or if the break
    /// changes what the whole game needs, these are all scenarios.
    fn reached(&self, mutant: &Mutant, ground: &Ground) -> Mutant {
        let mut mutant = mutant.clone();
        if let Reach::Condition(place) = mutant.site.reach
            && (!self.conditional.contains_key(&place) || ground.program().extras != self.extras)
        {
            mutant.site.reach = Reach::Everywhere;
        }
        mutant
    }

    /// Whether the broken rules give the same program. Always false for a template, because templates also read future cards.
    fn means_the_same(&self, mutant: &Mutant, ground: &Ground) -> bool {
        let whole = || self.whole.get_or_init(|| self.bench.programs(&self.bench.whole()).collect());
        !matches!(mutant.site.reach, Reach::Template(_)) && self.bench.programs(ground).eq(whole().iter().copied())
    }

    /// Whether no scenario can see a difference, except those that choose readings or load rules.
    fn looks_the_same(&self, mutant: &Mutant, ground: &Ground) -> bool {
        let of_texts = matches!(mutant.site.reach, Reach::Template(_)) || ground.is_lacking();
        !of_texts && ground.fingerprint() == self.print
    }

    fn judged(&self, mutant: &Mutant, ground: &Ground, runs: &[&Ran]) -> Outcome {
        let mut stopped: Option<String> = None;
        let mut patient: Option<Ground> = None;
        let (mut stops, mut spoke, mut refused) = (0, 0, false);
        let mut needless = Needless { audit: self, mutant, ground, many: runs.len() > MANY, same: None };
        for (at, ran) in runs.iter().enumerate() {
            let Some(scenario) = self.suite.scenarios.get(ran.scenario) else { continue };
            if needless.is(at, ran) {
                spoke += 1;
                continue;
            }
            let ground = if ran.long { patient.get_or_insert_with(|| ground.clone().with_budget(LONG_BUDGET)) } else { ground };
            match sign(&scenario::run(ground, scenario, &self.suite.sources)) {
                Sign::Notices => return Outcome::Noticed(scenario.title.text.clone()),
                Sign::Stops => {
                    stops += 1;
                    stopped.get_or_insert_with(|| scenario.title.text.clone());
                    if stops >= MOST_STOPPED {
                        break;
                    }
                }
                Sign::Passes => spoke += usize::from(!ran.wide),
                Sign::CannotTell => refused |= !ran.wide,
            }
        }
        match stopped {
            Some(title) => Outcome::Stopped(title),
            // A scenario can no longer be set up. Such a break is reported when the rules are read.
            None if refused => Outcome::Uncompiled,
            None => Outcome::Unnoticed(spoke),
        }
    }

    /// Whether a scenario fails with these broken rules. Expectations that only name this rule as a reason are left out.
    #[must_use]
    pub fn notices(&self, ground: &Ground, scenario: usize, rule: &str) -> bool {
        let long = self.ran.iter().any(|ran| ran.long && ran.scenario == scenario);
        let Some(scenario) = self.suite.scenarios.get(scenario) else { return false };
        let patient = long.then(|| ground.clone().with_budget(LONG_BUDGET));
        let ground = patient.as_ref().unwrap_or(ground);
        // A game that no longer ends never reaches its expectations. This counts as noticed here.
        let notices =
            |scenario: &Scenario| matches!(sign(&scenario::run(ground, scenario, &self.suite.sources)), Sign::Notices | Sign::Stops);
        notices(scenario) && unreasoned(scenario, &[rule]).is_none_or(|scenario| notices(&scenario))
    }

    /// Whether any scenario fails with this break. Expectations that only name a rule of the place as a reason are left out.
    fn is_missed(&self, mutant: &Mutant) -> bool {
        let Some(ground) = self.bench.broken(mutant) else { return true };
        let cites: Vec<&str> = mutant.site.cites.iter().map(String::as_str).collect();
        let mut runs = self.runs(mutant);
        self.put_forward(&mut runs, mutant.site.span);
        let patient = ground.clone().with_budget(LONG_BUDGET);
        let mut needless = Needless { audit: self, mutant, ground: &ground, many: runs.len() > MANY, same: None };
        runs.into_iter().enumerate().filter(|(at, ran)| !needless.is(*at, ran)).any(|(_, ran)| {
            let Some(scenario) = self.suite.scenarios.get(ran.scenario) else { return false };
            let ground = if ran.long { &patient } else { &ground };
            let fails = |scenario: &Scenario| sign(&scenario::run(ground, scenario, &self.suite.sources)) != Sign::Passes;
            let missed = fails(scenario) && unreasoned(scenario, &cites).is_none_or(|scenario| fails(&scenario));
            if missed && let Ok(mut noticed) = self.noticed.lock() {
                noticed.push((mutant.site.span, ran.scenario));
            }
            missed
        })
    }

    /// Statements with a rule that are carried out, and that no scenario would miss. `settled` holds the numbers of breaks that need no
    /// run: a scenario is known to notice them, or a mark says why none does.
    #[must_use]
    pub fn idle(&self, mutants: &[Mutant], settled: &BTreeSet<usize>) -> Vec<Span> {
        let left_out = |mutant: &&Mutant| {
            let statement = matches!(mutant.site.reach, Reach::Statement(place) if place == mutant.site.span);
            statement && mutant.site.kind == Kind::LeftOut && mutant.site.part_of == mutant.site.span && !mutant.site.cites.is_empty()
        };
        let unknown = mutants.iter().enumerate().filter(|(at, _)| !settled.contains(at)).map(|(_, mutant)| mutant);
        let mutants: Vec<&Mutant> = unknown.filter(left_out).filter(|mutant| self.carried_out(mutant.site.span)).collect();
        mutants.par_iter().filter(|mutant| !self.is_missed(mutant)).map(|mutant| mutant.site.span).collect()
    }

    /// Whether a scenario touches the place.
    #[must_use]
    pub fn touches(&self, scenario: usize, mutant: &Mutant) -> bool {
        self.ran.iter().any(|ran| ran.scenario == scenario && (ran.wide || touches(ran, mutant)))
    }

    /// Whether a scenario chooses readings, so that it needs the whole broken game compiled once more.
    #[must_use]
    pub(crate) fn chooses_readings(&self, scenario: usize) -> bool {
        self.suite.scenarios.get(scenario).is_some_and(|scenario| chosen(scenario).next().is_some())
    }

    /// Whether any passing scenario carries out a statement in that place.
    #[must_use]
    pub fn carried_out(&self, place: Span) -> bool {
        self.ran.iter().any(|ran| ran.touched.within(place))
    }

    /// Whether any passing scenario has a card whose text that template reads.
    #[must_use]
    pub(crate) fn template_used(&self, template: Span) -> bool {
        any_within(&self.used, template)
    }

    /// The scenarios that can notice the break. First come those that name a rule of the place, then those that name rules with similar
    /// numbers, because rules about one thing stand together. Among equals, those that carry out few other rules come first. A scenario that
    /// chooses readings comes last, because it needs the whole broken game compiled once more.
    fn runs(&self, mutant: &Mutant) -> Vec<&Ran> {
        let mut runs: Vec<&Ran> = self.ran.iter().filter(|ran| ran.wide || touches(ran, mutant)).collect();
        runs.sort_by_cached_key(|ran| (ran.wide, !ran.readings.is_empty(), Reverse(self.nearness(ran, mutant)), ran.touched.places.len()));
        runs
    }

    /// Puts the scenarios first that have noticed breaks near this place. They depend on what other threads have done so far, so this must not
    /// change any result.
    fn put_forward(&self, runs: &mut Vec<&Ran>, place: Span) {
        let Ok(noticed) = self.noticed.lock() else { return };
        let mut near: Vec<_> = noticed.iter().filter(|(at, _)| at.file == place.file).collect();
        near.sort_by_key(|(at, _)| at.start.abs_diff(place.start));
        for (_, scenario) in near.into_iter().take(NEAR).rev() {
            if let Some(at) = runs.iter().position(|ran| ran.scenario == *scenario) {
                let run = runs.remove(at);
                runs.insert(0, run);
            }
        }
    }

    /// How near the rules that a scenario names are to the rules of a place: the most parts that two of their numbers have in common.
    fn nearness(&self, ran: &Ran, mutant: &Mutant) -> usize {
        let Some(scenario) = self.suite.scenarios.get(ran.scenario) else { return 0 };
        let pairs = scenario.cites.iter().flat_map(|cite| mutant.rules.iter().map(|rule| common_parts(&cite.id, rule)));
        pairs.max().unwrap_or(0)
    }

    /// The scenarios.
    #[must_use]
    pub fn suite(&self) -> &'g Suite {
        self.suite
    }
}

/// Decides which scenarios need not run, because the broken game is the same for them.
struct Needless<'a, 'g> {
    audit: &'a Audit<'g>,
    mutant: &'a Mutant,
    ground: &'a Ground,
    /// Whether many scenarios can notice the break.
    many: bool,
    /// Whether the broken game looks the same, once this is known.
    same: Option<bool>,
}

impl Needless<'_, '_> {
    /// Whether this scenario need not run. `at`: how many scenarios came before it.
    fn is(&mut self, at: usize, ran: &Ran) -> bool {
        let depends = ran.wide || ran.long || !ran.readings.is_empty();
        self.many && at >= FIRST && !depends && *self.same.get_or_insert_with(|| self.audit.looks_the_same(self.mutant, self.ground))
    }
}

/// How many parts at their beginnings two rule numbers have in common. Equal numbers have more in common than any others.
fn common_parts(a: &str, b: &str) -> usize {
    let parts = |id| str::split(id, |sign: char| !sign.is_alphanumeric());
    if a == b { usize::MAX } else { parts(a).zip(parts(b)).take_while(|(a, b)| a == b).count() }
}

fn touches(ran: &Ran, mutant: &Mutant) -> bool {
    match mutant.site.reach {
        Reach::Statement(place) => ran.touched.within(place),
        Reach::Condition(place) => {
            let touched = &ran.touched;
            let told = touched.places.contains(&place) || ran.asks_why && touched.looked_at.contains(&place);
            ran.open.is_at(place) || told || touched.failed.contains(&place)
        }
        Reach::Reading(reading) => ran.readings.contains(&reading),
        Reach::Template(template) => any_within(&ran.templates, template),
        Reach::Everywhere => true,
    }
}

/// Whether any of the places lies in another one. Places are in the order of their beginnings.
fn any_within(places: &BTreeSet<Span>, around: Span) -> bool {
    let from = Span { end: around.start, ..around };
    places.range(from..).take_while(|place| place.file == around.file && place.start <= around.end).any(|place| lies_in(*place, around))
}

/// The texts of the cards that a scenario makes up.
fn texts_of(scenario: &Scenario) -> impl Iterator<Item = &Text> {
    cards_of(scenario).flat_map(|card| &card.texts)
}

/// The cards that a scenario makes up.
fn cards_of(scenario: &Scenario) -> impl Iterator<Item = &CardDecl> {
    scenario.steps.iter().filter_map(|step| if let Step::Card(card) = step { Some(&**card) } else { None })
}

fn is_wide(scenario: &Scenario, touched: &Touched) -> bool {
    scenario.steps.iter().any(|step| matches!(step, Step::Deck(_) | Step::Load(_))) || touched.places.is_empty() && touched.texts.is_empty()
}

/// Whether a scenario plays with rules of its own.
fn loads(scenario: &Scenario) -> bool {
    scenario.steps.iter().any(|step| matches!(step, Step::Load(_)))
}

/// The readings that a scenario chooses.
fn chosen(scenario: &Scenario) -> impl Iterator<Item = &str> {
    scenario.steps.iter().filter_map(|step| if let Step::Reading(name, _) = step { Some(name.text.as_str()) } else { None })
}

/// The scenario without the expectations that name these rules as reasons. None if it has no such expectations.
fn unreasoned(scenario: &Scenario, rules: &[&str]) -> Option<Scenario> {
    let names = |expect: &Expect| expect.because.iter().any(|cite| rules.contains(&cite.id.as_str()));
    let asks = |step: &Step| matches!(step, Step::Expect(all) if all.iter().any(names));
    scenario.steps.iter().any(asks).then(|| {
        let mut scenario = scenario.clone();
        let expectations = scenario.steps.iter_mut().filter_map(|step| if let Step::Expect(all) = step { Some(all) } else { None });
        expectations.flatten().for_each(|expect| expect.because.retain(|cite| !rules.contains(&cite.id.as_str())));
        scenario
    })
}

/// Whether a scenario asks for reasons.
fn asks_why(scenario: &Scenario) -> bool {
    let expectations = scenario.steps.iter().filter_map(|step| if let Step::Expect(all) = step { Some(all) } else { None });
    expectations.flatten().any(|expect| !expect.because.is_empty() || matches!(expect.kind, ExpectKind::Why(_)))
}

/// What a verdict says about broken rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Notices,
    Stops,
    Passes,
    CannotTell,
}

fn sign(verdict: &Verdict) -> Sign {
    let Some(failure) = &verdict.failure else { return Sign::Passes };
    match failure.diagnostic.code {
        // A failed expectation, reason or answer, or an unexpected result of a deck or a source.
        "E0530" | "E0531" | "E0520" | "E0521" | "E0522" | "E0523" | "E0524" | "E0525" | "E0550" | "E0551" | "E0552" | "E0560" | "E0561"
        | "E0562" => Sign::Notices,
        // A rules error that nobody expects. An expectation that is no longer met is E0530.
        "E0532" => Sign::Stops,
        _ => Sign::CannotTell,
    }
}
