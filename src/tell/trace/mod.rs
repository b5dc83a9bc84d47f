//! The trace: the steps of a game, as lines with the rules in the margin or as JSON lines. It shows everything, or only what one seat may
//! know.
//!
//! Input: the machine's steps, one by one. The steps are not kept.
//!
//! | file | does |
//! | --- | --- |
//! | `mod.rs` | `Tracer`: shows steps to one reader |
//! | `step.rs` | a step in words |
//! | `fields.rs` | a step's parts as JSON |
//! | `links.rs` | which line a step belongs to, and which caused it |
//! | `sight.rs` | which cards the reader may know |
//! | `citations.rs`, `bodies.rs` | the rules of a step |
//! | `beside.rs` | the rules of a step that do not stand beside its statement |
//! | `windows.rs` | joins empty windows into one line |

mod beside;
mod bodies;
mod citations;
mod fields;
mod links;
mod sight;
mod step;
mod windows;

pub use bodies::Bodies;
pub use citations::{of_effect, of_waiting};
pub use sight::Sight;

use crate::{Gone, Names, Words, choice_of, seat};
use beside::Beside;
use citations::{kept_from, of_clause, of_step};
use engine::ids::{CitesId, VerbId};
use engine::program::ClauseKind;
use engine::state::{Effect, Holds};
use engine::steps::{Step, Traced, View};
use engine::value::{ObjectId, Player, Value};
use links::Links;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use step::{How, StepText, is_of_effect, tell};
use windows::{Sort, Windows};

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Every step, with the statements of control flow that carry out a rule.
    All,
    /// What a player at the table would notice.
    Table,
}

/// The width of the margin. Most rule numbers fit.
const MARGIN: usize = 13;
/// Deeper steps are not indented further.
const DEEPEST: u16 = 20;

/// Shows steps to one reader.
pub struct Tracer {
    words: Words,
    detail: Detail,
    sight: Sight,
    statements: Statements,
    /// The last step, if it was a statement. Several operations of one statement are shown once.
    last: Option<(u16, u16, CitesId, String)>,
    /// The cards of abilities and effects that are over.
    gone: Gone,
    /// The effects that were shown to the seat, in this order.
    told: Vec<u32>,
    /// Effects of cards that the seat did not know when they began.
    unknown: Vec<u32>,
    /// Abilities of cards that only wait for something. That their cards come and go is no news.
    waiting: Vec<u32>,
    /// The branch and the depth of a secret action in progress that is hidden from the seat.
    hushed: Option<(u16, u16)>,
    /// Whether a step has been seen.
    begun: bool,
    /// The causes of steps, for JSON.
    links: Links,
    /// Rules that do not stand beside statements.
    beside: Beside,
    /// Empty windows, for people.
    windows: Windows,
}

/// The source text of each statement, by its place in the code. Empty for a reader who is shown none.
pub type Statements = Arc<Vec<String>>;

impl Tracer {
    /// A tracer for a reader at that seat. None: a reader who may know everything.
    #[must_use]
    pub fn new(words: Words, detail: Detail, seat: Option<Player>) -> Self {
        Self {
            words,
            detail,
            sight: Sight::new(seat),
            statements: Statements::default(),
            last: None,
            gone: Gone::default(),
            told: Vec::new(),
            unknown: Vec::new(),
            waiting: Vec::new(),
            hushed: None,
            begun: false,
            links: Links::default(),
            beside: Beside::default(),
            windows: Windows::default(),
        }
    }

    /// With the texts of control-flow statements.
    #[must_use]
    pub fn with_statements(mut self, statements: Statements) -> Self {
        self.statements = statements;
        self
    }

    /// With the cards of abilities and effects that were over before the first step.
    #[must_use]
    pub fn after(mut self, gone: Gone) -> Self {
        self.gone = gone;
        self
    }

    /// What the reader may know.
    #[must_use]
    pub fn sight(&self) -> &Sight {
        &self.sight
    }

    /// The step as a line. None if it is not shown, or is shown later with others ([`Tracer::rest`]).
    pub fn line(&mut self, view: &View<'_>, step: &Traced) -> Option<String> {
        let told = self.tell(view, step, false);
        if self.sight.seat().is_none() {
            self.beside.note(view, step);
        }
        let told = told?;
        let own = rules_of(view, step, &self.sight);
        self.beside.shows(&own);
        let rules = own.join(" ");
        let margin = format!("{rules}{}", " ".repeat(MARGIN.saturating_sub(rules.len()).max(2)));
        let said = passes(self.words);
        if told.heading {
            return self.windows.line((Sort::Other, step.branch), (margin, format!("── {} ──", told.text)), said);
        }
        // Branches take turns, so the number of the branch is shown.
        let together = step.branch > 0 && self.detail == Detail::All;
        let branch = if together { format!("{}│ ", step.branch) } else { String::new() };
        let before = format!("{margin}{}{branch}", "  ".repeat(usize::from(step.depth.min(DEEPEST))));
        let sort = match &step.step {
            Step::Decides { player, choice, .. } if step.step.is_idle_pass(view.program) && self.detail == Detail::All => {
                let choice = view.program.choices.get(*choice).map(|choice| choice_of(&choice.name, self.words));
                Sort::Pass(seat(*player), choice.unwrap_or_default())
            }
            Step::Statement(_) => Sort::Statement,
            _ => Sort::Other,
        };
        let mut text = told.text.trim_end().to_owned();
        // Other lines may be left out, because they belong to an empty window.
        if matches!(sort, Sort::Other) && self.detail == Detail::All {
            let also = self.beside.take_new().join(" ");
            if !also.is_empty() {
                text = self.words.say("step.also", &[("text", text), ("rules", also)]);
            }
        }
        self.windows.line((sort, step.branch), (before, text), said)
    }

    /// The lines that were held back, because further passes might have belonged to the same empty window.
    pub fn rest(&mut self) -> Option<String> {
        self.windows.rest(passes(self.words))
    }

    /// The rules among these, and among those of the last steps, that no line has shown.
    pub fn not_shown<'r>(&'r self, rules: impl Iterator<Item = &'r String>) -> Vec<&'r str> {
        self.beside.not_shown(rules.map(String::as_str))
    }

    /// The step as a JSON object. None if it is not shown.
    pub fn object(&mut self, view: &View<'_>, step: &Traced) -> Option<Json> {
        self.links.keep(view, step);
        let told = self.tell(view, step, true);
        if self.sight.seat().is_none() {
            self.beside.note(view, step);
        }
        let told = told?;
        let rules = rules_of(view, step, &self.sight);
        self.beside.shows(&rules);
        let also = self.sight.seat().is_none().then(|| self.beside.take(&rules));
        let (id, part_of, caused_by) = self.links.told();
        // Which change made a condition true may depend on cards that a seat does not know.
        let has_condition = |rule| view.program.rules.get(rule).is_some_and(|def| def.event.is_none());
        let hides_cause = self.sight.seat().is_some() && matches!(step.step, Step::Rule(rule, _) if has_condition(rule));
        let caused_by = caused_by.filter(|_| !hides_cause);
        let mut object = json!({
            "kind": "step", "step": told.kind, "rules": rules, "also": also, "depth": step.depth, "branch": step.branch,
            "text": told.text, "id": id, "part_of": part_of, "caused_by": caused_by, "reader": self.sight.seat().map(seat),
        });
        if let (Some(object), Json::Object(mut fields)) = (object.as_object_mut(), told.fields) {
            if let Some(number) = fields.get_mut("effect") {
                *number = self.number_of(number.take());
            }
            object.extend(fields);
        }
        Some(object)
    }

    /// Notes that a statement has set a state. Rules may have waited for this change.
    pub fn state_set(&mut self, view: &View<'_>, step: &Traced) {
        self.links.state_set(view, step);
    }

    /// The number of an effect for the reader. The game's own numbers also count effects of hidden cards, so a seat has its own numbers, in
    /// the order in which effects are shown to it.
    fn number_of(&mut self, effect: Json) -> Json {
        let Some(number) = effect.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|_| self.sight.seat().is_some()) else {
            return effect;
        };
        let at = self.told.iter().position(|told| *told == number).unwrap_or_else(|| {
            self.told.push(number);
            self.told.len() - 1
        });
        json!(at + 1)
    }

    /// Whether a step is hidden from the seat because it belongs to a secret action. The seat sees the results that anybody sees, but not
    /// the statement that caused them.
    fn hushes(&mut self, view: &View<'_>, step: &Traced) -> bool {
        let here = (step.branch, step.depth);
        match &step.step {
            Step::Began(verb, args, _) if self.is_secret(view, *verb, args) => {
                self.hushed = self.hushed.or(Some(here));
                true
            }
            Step::Performed(verb, args, _) | Step::NotPerformed(verb, args, _) if self.is_secret(view, *verb, args) => {
                self.hushed = self.hushed.filter(|hushed| *hushed != here);
                true
            }
            Step::Performed(verb, args, _) if is_of_effect(*verb) => is_unknown(args[0], &|id| self.sight.knows(id)),
            Step::Processes(verb, args) => self.is_secret(view, *verb, args),
            Step::Statement(_) => self.hushed.is_some_and(|(branch, depth)| step.branch == branch && step.depth > depth),
            _ => false,
        }
    }

    /// Whether an action is hidden from the seat: it is done secretly, by another player, with a card that the seat does not know or with
    /// no card.
    fn is_secret(&self, view: &View<'_>, verb: VerbId, args: &[Value]) -> bool {
        let Some(seat) = self.sight.seat() else { return false };
        let Some(def) = view.program.verbs.get(verb).filter(|verb| verb.secret) else { return false };
        let actor = def.actor.and_then(|at| args.get(usize::from(at))).and_then(|actor| actor.player());
        let listed = args.iter().flat_map(|arg| match *arg {
            Value::List { start, len } => view.lists.get(start as usize..start as usize + usize::from(len)).unwrap_or(&[]),
            _ => std::slice::from_ref(arg),
        });
        let mut cards = listed.filter_map(|value| if let Value::Object { id, .. } = value { Some(*id) } else { None }).peekable();
        actor != Some(seat) && (cards.peek().is_none() || !cards.all(|id| self.sight.knows(id)))
    }

    /// Whether an effect is hidden from the seat: its card was unknown when it began and is unknown now.
    fn is_kept(&self, effect: u32) -> bool {
        let source = self.gone.card_of_effect(effect).unwrap_or_default();
        self.unknown.contains(&effect) && is_unknown(source, &|id| self.sight.knows(id))
    }

    fn tell(&mut self, view: &View<'_>, step: &Traced, fields: bool) -> Option<StepText> {
        self.sight.looks(view);
        let begun = match step.step {
            Step::EffectBegins(number) => Some(number),
            _ => None,
        };
        // Effects that are in force when the trace begins may end during the trace.
        let first = !std::mem::replace(&mut self.begun, true);
        let new = view.state.effects.in_force.iter().filter(|effect| first || begun == Some(effect.number));
        if first {
            self.gone.keep(view.state);
        }
        self.gone.keep_new(view.state, &step.step);
        let known = |id: ObjectId| self.sight.knows(id);
        for effect in new {
            if only_waits(view, effect) {
                self.waiting.push(effect.number);
            }
            // A lasting effect is public, whatever card it comes from.
            if !matches!(effect.holds, Holds::Lasting(_)) && is_unknown(effect.source, &known) {
                self.unknown.push(effect.number);
            }
        }
        let told = {
            let names = Names::new(view.program, self.words).known_to(&known).after(&self.gone);
            tell(&names, view, step, self.sight.seat(), &self.statements, How { all: self.detail == Detail::All, fields })
        };
        let is_no_news = |number: u32| self.waiting.contains(&number) || self.is_kept(number);
        let kept =
            matches!(step.step, Step::EffectBegins(number) | Step::EffectEnds(number) if is_no_news(number)) || self.hushes(view, step);
        self.sight.remembers();
        let told = told.filter(|_| !kept).filter(|told| self.detail == Detail::All || told.at_the_table)?;
        self.first_time(step, &told).then_some(told)
    }

    fn first_time(&mut self, step: &Traced, told: &StepText) -> bool {
        let now = matches!(step.step, Step::Statement(_)).then(|| (step.depth, step.branch, step.cites, told.text.clone()));
        let again = now.is_some() && now == self.last;
        self.last = now;
        !again
    }
}

/// Whether an effect is an ability of a card that waits for an event or for a condition, and changes nothing itself.
fn only_waits(view: &View<'_>, effect: &Effect) -> bool {
    let kind = view.program.clauses.get(effect.clause).map(|clause| &clause.kind);
    matches!(effect.holds, Holds::Static(_)) && matches!(kind, Some(ClauseKind::When { .. } | ClauseKind::Whenever { .. }))
}

fn is_unknown(source: Value, known: &dyn Fn(ObjectId) -> bool) -> bool {
    matches!(source, Value::Object { id, .. } if !known(id))
}

/// The words for seats that had nothing to choose.
fn passes(words: Words) -> impl Fn(&str, &str) -> String {
    move |seats, choice| {
        let key = if seats.contains(',') { "step.passes.several" } else { "step.passes.forced" };
        words.say(key, &[("player", seats.to_owned()), ("choice", choice.to_owned())])
    }
}

/// The rules that a step carries out: those of its statement, or those that prevented it.
fn rules_of<'a>(view: &View<'a>, step: &Traced, sight: &Sight) -> Vec<&'a str> {
    let kept_from = kept_from(view, &step.step);
    let lists = match (kept_from.is_empty(), &step.step) {
        (false, _) => kept_from,
        // An effect or an ability may be that of a hidden card. So a seat is told the rules of the statement.
        (true, _) if sight.seat().is_none() => std::iter::once(step.cites).chain(of_step(view, &step.step)).collect(),
        (true, Step::EffectBegins(number)) => std::iter::once(step.cites).chain(of_clause(view, *number)).collect(),
        (true, _) => vec![step.cites],
    };
    let mut rules = Vec::new();
    for rule in lists.into_iter().flat_map(|list| view.program.rules_beside(list)) {
        if !rules.contains(&rule.as_str()) {
            rules.push(rule.as_str());
        }
    }
    rules
}
