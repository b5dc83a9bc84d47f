//! What the games used: in how many games each option, card, keyword or kind of ability was used, and which cited statements were never
//! carried out. If a thing is never used, the game does not need it, or random players never reach it.

use crate::Context;
use crate::shared::loading::Loaded;
use engine::ids::{AbilityId, CardId, ClauseId, Id, Pc};
use engine::program::{ClauseKind, Program};
use engine::state::Holds;
use engine::steps::{Observer, Step, Traced, View};
use engine::value::Value;
use report::Widths;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Sums over games. For each name of the program, in its order: the number of games that used it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    options: Vec<u64>,
    kinds: Vec<u64>,
    keywords: Vec<u64>,
    cards: Vec<u64>,
    carried_out: BTreeSet<u32>,
}

/// Observes one game.
#[derive(Default)]
pub(super) struct Onlooker {
    options: BTreeSet<usize>,
    kinds: BTreeSet<usize>,
    keywords: BTreeSet<usize>,
    cards: BTreeSet<usize>,
    carried_out: BTreeSet<u32>,
    /// The abilities that have waited, by their numbers.
    waiting: BTreeMap<u32, AbilityId>,
}

impl Observer for Onlooker {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, step: &Traced) {
        self.carried_out.insert(step.at.0);
        match &step.step {
            Step::Began(verb, args, _) | Step::Processes(verb, args) => {
                if let Some(option) = view.program.verbs.get(*verb).and_then(|verb| verb.option) {
                    self.options.insert(option.index());
                    // The first card is the card that is played or used. The others are chosen for this use.
                    let first = args.iter().find(|arg| matches!(arg, Value::Object { .. } | Value::Ability { .. }));
                    first.into_iter().for_each(|arg| self.card(view, *arg));
                }
            }
            // An ability that waits for an event is used when it is performed, and not while it waits.
            Step::Waits(number, _) => {
                let ability = view.state.events.waiting(*number).and_then(|pending| pending.ability);
                self.waiting.extend(ability.map(|ability| (*number, ability)));
            }
            Step::Ability { card, ability, waited, number, .. } => {
                self.card(view, *card);
                let waiting = number.and_then(|number| self.waiting.get(&number).copied());
                ability.or(waiting).into_iter().for_each(|ability| self.ability(view.program, ability));
                self.kinds.extend(waited.map(Id::index));
            }
            Step::EffectBegins(number) => {
                let effect = view.state.effects.get(*number).filter(|effect| !is_trigger(view.program, effect.clause));
                if let Some(Holds::Static(ability) | Holds::Granted(ability, _)) = effect.map(|effect| effect.holds) {
                    effect.iter().for_each(|effect| self.card(view, effect.source));
                    self.ability(view.program, ability);
                }
            }
            _ => {}
        }
    }
}

fn alone(name: &str) -> (&str, &str) {
    (name, "")
}

/// Whether a clause waits for an event or a condition.
fn is_trigger(program: &Program, clause: ClauseId) -> bool {
    program.clauses.get(clause).is_some_and(|clause| matches!(clause.kind, ClauseKind::When { .. } | ClauseKind::Whenever { .. }))
}

impl Onlooker {
    fn card(&mut self, view: &View<'_>, value: Value) {
        let (Value::Object { id, .. } | Value::Ability { of: id, .. }) = value else { return };
        if let Some(object) = view.state.board.object(id) {
            self.cards.insert(object.card.index());
        }
    }

    fn ability(&mut self, program: &Program, ability: AbilityId) {
        let Some(def) = program.abilities.get(ability) else { return };
        self.kinds.insert(def.kind.index());
        self.keywords.extend(def.keyword.map(Id::index));
    }
}

impl Usage {
    /// Adds one game.
    pub(super) fn add(&mut self, program: &Program, game: Onlooker) {
        let count = |sums: &mut Vec<u64>, len: usize, used: BTreeSet<usize>| {
            sums.resize(len, 0);
            for at in used {
                if let Some(sum) = sums.get_mut(at) {
                    *sum += 1;
                }
            }
        };
        count(&mut self.options, program.options.len(), game.options);
        count(&mut self.kinds, program.kinds.len(), game.kinds);
        count(&mut self.keywords, program.keywords.len(), game.keywords);
        count(&mut self.cards, program.cards.len(), game.cards);
        self.carried_out.extend(game.carried_out);
    }

    /// The sums of both.
    #[must_use]
    pub(super) fn with(mut self, other: Self) -> Self {
        let add = |sums: &mut Vec<u64>, more: Vec<u64>| {
            sums.resize(sums.len().max(more.len()), 0);
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.options, other.options);
        add(&mut self.kinds, other.kinds);
        add(&mut self.keywords, other.keywords);
        add(&mut self.cards, other.cards);
        self.carried_out.extend(other.carried_out);
        self
    }

    /// Shows the sums, the least used first, and the statements that no game reached.
    pub(super) fn show(&self, loaded: &Loaded, context: &Context) {
        let program = &*loaded.program;
        let options =
            program.options.rows().iter().map(|option| program.verbs.get(option.verb).map_or("", |verb| verb.name.label.as_str()));
        let kinds = program.kinds.rows().iter().map(|kind| kind.name.label.as_str());
        // A keyword without abilities is only a mark that rules ask for, so it cannot be used.
        let keywords = program.keywords.rows().iter().zip(self.keywords.iter().copied().chain(std::iter::repeat(0)));
        let keywords = keywords.filter(|(keyword, _)| !keyword.mark).map(|(keyword, sum)| (keyword.name.label.as_str(), sum));
        let (keywords, used): (Vec<&str>, Vec<u64>) = keywords.unzip();
        Self::table(context, "option", options.map(alone), &self.options);
        Self::table(context, "kind", kinds.map(alone), &self.kinds);
        Self::table(context, "keyword", keywords.into_iter().map(alone), &used);
        // Cards outside all decks are left out.
        let known = |id: &CardId| loaded.card(*id).is_some();
        let cards: Vec<CardId> = program.cards.ids().filter(known).collect();
        let named = |id: &CardId| {
            let card = program.cards.get(*id);
            let name = card.and_then(|card| program.texts.get(card.name)).map_or("", String::as_str);
            (card.map_or("", |card| card.number.as_str()), name)
        };
        let names = cards.iter().map(named);
        let sums: Vec<u64> = cards.iter().map(|id| self.cards.get(id.index()).copied().unwrap_or(0)).collect();
        Self::table(context, "card", names, &sums);
        for (place, rules, text) in self.never(loaded) {
            let args = [("place", place.clone()), ("rules", rules.join(" ")), ("text", text.clone())];
            let object = || json!({ "kind": "never", "place": place, "rules": rules, "text": text });
            context.result_in_one_line(object, || context.say("usage.never", &args));
        }
    }

    /// Shows the sums of named things. A card has its number before its printed name.
    fn table<'n>(context: &Context, what: &str, names: impl Iterator<Item = (&'n str, &'n str)>, sums: &[u64]) {
        let mut rows: Vec<(u64, (&str, &str))> = sums.iter().copied().zip(names).collect();
        rows.sort_unstable();
        let widths = Widths::new(context.ambiguous);
        let in_full = |(name, printed): (&str, &str)| if printed.is_empty() { name.to_owned() } else { format!("{name} {printed}") };
        let columns = rows.iter().map(|(_, names)| widths.of(&in_full(*names))).max().unwrap_or(0);
        if !rows.is_empty() {
            context.for_people(|| context.out(&context.say(&format!("usage.{what}"), &[])));
        }
        for (games, (name, printed)) in rows {
            let object = || match printed.is_empty() {
                true => json!({ "kind": "usage", "of": what, "name": name, "games": games }),
                false => json!({ "kind": "usage", "of": what, "name": name, "printed": printed, "games": games }),
            };
            context.result_in_one_line(object, || format!("  {}  {games:>9}", widths.padded(&in_full((name, printed)), columns)));
        }
    }

    /// Cited statements that no game reached: their places, rules and texts.
    fn never(&self, loaded: &Loaded) -> Vec<(String, Vec<String>, String)> {
        let program = &loaded.program;
        let place = |at: usize| loaded.place(Pc::from_index(at));
        // One statement can be several operations.
        let seen: BTreeSet<_> =
            self.carried_out.iter().filter_map(|at| place(*at as usize)).map(|span| (span.file.0, span.start)).collect();
        let cited = program.code_cites.rows().iter().enumerate().filter(|(_, cites)| cites.0 != 0);
        let mut never: Vec<(String, Vec<String>, String)> = cited
            .filter_map(|(at, cites)| {
                let span = place(at).filter(|span| !seen.contains(&(span.file.0, span.start)))?;
                let (line, _) = loaded.sources.line_column(span);
                let file = loaded.sources.get(span.file)?.name.clone();
                let rules = program.rules_beside(*cites).to_vec();
                let text = loaded.sources.text(span).lines().next().unwrap_or("").trim_end();
                Some((format!("{file}:{line}"), rules, text.to_owned()))
            })
            .collect();
        never.dedup();
        never
    }
}
