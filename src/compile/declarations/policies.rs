//! Compiles policies: how a game decides matters that no statement mentions. A policy word may be the name of a reading.

use crate::Compiler;
use crate::declarations::names::ReadingValue;
use crate::declarations::policy_words::{policy_entries, policy_words};
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::Body;
use engine::ids::{ChoiceId, Id, NodeId, StateId};
use engine::limits::RANGE;
use engine::program::{BatchOrder, ChoiceCases, ChoiceDef, Looks, NameDef, Principle, SamePositions, SetPolicy, Type};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Cite, Decl, DeclKind, Expr, ExprKind, Head, Name, PolicyEntry};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

const LOOKS: [Looks; 3] = [Looks::After, Looks::Before, Looks::Both];

/// The policies that a game can declare.
const POLICIES: [&str; 9] = ["replacement", "effects", "triggers", "choices", "principles", "loops", "prices", "nothing", "batches"];

impl Compiler {
    /// `E0289` for an entry that stands twice in the policies of one name.
    pub(crate) fn check_policies(&mut self, decls: &[Arc<Decl>]) {
        let mut known: FxHashMap<(bool, &str, &str), Span> = FxHashMap::default();
        for decl in decls {
            let (DeclKind::Policy(head, values) | DeclKind::Choice(head, values)) = &decl.kind else { continue };
            for entry in values {
                let name = entry.name.text.as_str();
                match known.entry((matches!(decl.kind, DeclKind::Choice(..)), &head.name.text, name)) {
                    Entry::Vacant(new) => _ = new.insert(entry.name.span),
                    Entry::Occupied(first) => {
                        self.report(Diagnostic::error("E0289", entry.name.span).with("name", name).note(*first.get(), "first"));
                    }
                }
            }
        }
    }

    /// `policy NAME { … }`.
    pub(crate) fn policy(&mut self, head: &Head, values: &[PolicyEntry]) {
        match head.name.text.as_str() {
            "principles" => return self.principles(values),
            "loops" => return self.loops(values),
            "effects" => return self.effects_policy(values),
            "triggers" => return self.triggers_policy(values),
            "choices" => return self.choices_policy(values),
            "batches" => return self.batches(values),
            "prices" => return self.prices(head, values),
            "nothing" => return self.done_with_nothing(values),
            "replacement" => {}
            _ => return self.unknown("policy", &head.name, POLICIES),
        }
        for PolicyEntry { cites, name, value } in values {
            match name.text.as_str() {
                "each" => {
                    let cites: Vec<Cite> = head.cites.iter().chain(cites).cloned().collect();
                    self.principle(Principle::ReplacedOnce, &cites);
                    if let Some(at) = self.policy_word(value, policy_words("replacement", "each")) {
                        self.program.policies.one_replacement_in_all = at == 1;
                    }
                }
                "optional" => {
                    if let Some(at) = self.policy_word(value, policy_words("replacement", "optional")) {
                        self.program.policies.offer_replacement_only_if_possible = at == 1;
                    }
                }
                "within" => {
                    if self.policy_word(value, policy_words("replacement", "within")).is_some() {
                        self.principle(Principle::ReplacedWithin, cites);
                    }
                }
                "cause" => {
                    let at = self.policy_word(value, policy_words("replacement", "cause"));
                    self.program.policies.replaced_keep_cause = at == Some(1);
                }
                "counts" => {
                    let at = self.policy_word(value, policy_words("replacement", "counts"));
                    self.program.policies.replaced_is_not_done = at == Some(1);
                }
                "order" => {
                    self.principle(Principle::ReplacementOrder, cites);
                    self.replacement_order(value);
                }
                "one_of_several" => self.program.policies.one_of_events = self.repeats(value),
                // Conceding is no action, so nothing can ever replace it. A game may state this rule all the same.
                "never" => {}
                _ => self.unknown_entry("replacement", name),
            }
        }
    }

    /// `policy replacement { order = by_affected(object, actor) }`: an expression over the object of the event, the player who does it and
    /// the player whom it affects.
    fn replacement_order(&mut self, value: &Expr) {
        let mut body = Body { span: value.span, ..Body::default() };
        body.local("object", Ty::CARD);
        body.local("actor", Ty::PLAYER);
        body.local("affected", Ty::PLAYER);
        self.program.policies.replacement_order = Lowering::new(self, body).wanted(value, Ty::PLAYER);
    }

    /// `policy batches { order = owners_last  shared = branch_order }`. The order may also be a number over the player of the branch and
    /// the affected player.
    fn batches(&mut self, values: &[PolicyEntry]) {
        for PolicyEntry { name, value, .. } in values {
            match name.text.as_str() {
                "order" => {
                    self.program.policies.batch_order = if matches!(value.kind, ExprKind::Name(_)) {
                        match self.policy_word(value, policy_words("batches", "order")) {
                            Some(1) => BatchOrder::OwnersLast,
                            _ => BatchOrder::Branches,
                        }
                    } else {
                        let mut body = Body { span: value.span, ..Body::default() };
                        body.local("actor", Ty::PLAYER);
                        body.local("affected", Ty::PLAYER);
                        BatchOrder::By(Lowering::new(self, body).wanted(value, Ty::NUMBER))
                    };
                }
                "shared" => {
                    self.program.policies.shared_in_order = self.policy_word(value, policy_words("batches", "shared")) == Some(1);
                }
                _ => self.unknown_entry("batches", name),
            }
        }
    }

    /// `policy triggers { state = until_resolved  limit = at_trigger  lost = dropped }`.
    fn triggers_policy(&mut self, values: &[PolicyEntry]) {
        for PolicyEntry { cites, name, value } in values {
            match name.text.as_str() {
                "state" => {
                    let at = self.policy_word(value, policy_words("triggers", "state"));
                    self.program.policies.state_until_resolved = at == Some(1);
                }
                "limit" => {
                    let at = self.policy_word(value, policy_words("triggers", "limit"));
                    self.program.policies.limit_at_trigger = at == Some(1);
                }
                "announced" => {
                    let at = self.policy_word(value, policy_words("triggers", "announced"));
                    self.program.policies.announced_at_use = at == Some(1);
                }
                "controller" => {
                    let at = self.policy_word(value, policy_words("triggers", "controller"));
                    self.program.policies.controlled_at_use = at == Some(1);
                }
                "lost" => {
                    let dropped = self.policy_word(value, policy_words("triggers", "lost")) == Some(1);
                    // The word for `lost` also counts for `left` and `disabled`, unless these have words of their own.
                    let said = |word: &str| values.iter().any(|entry| entry.name.text == word);
                    let policies = &mut self.program.policies;
                    policies.lost_are_dropped = dropped;
                    policies.left_are_dropped |= dropped && !said("left");
                    policies.disabled_are_dropped |= dropped && !said("disabled");
                    self.principle(Principle::LostWaiting, cites);
                    for (word, principle) in [("left", Principle::LeftWaiting), ("disabled", Principle::DisabledWaiting)] {
                        if !said(word) {
                            self.principle(principle, cites);
                        }
                    }
                }
                "left" => {
                    self.program.policies.left_are_dropped = self.policy_word(value, policy_words("triggers", "left")) == Some(1);
                    self.principle(Principle::LeftWaiting, cites);
                }
                "disabled" => {
                    self.program.policies.disabled_are_dropped = self.policy_word(value, policy_words("triggers", "disabled")) == Some(1);
                    self.principle(Principle::DisabledWaiting, cites);
                }
                "announced_disabled" => {
                    let at = self.policy_word(value, policy_words("triggers", "announced_disabled"));
                    self.program.policies.announced_disabled_are_dropped = at == Some(1);
                }
                "delayed" => {
                    if self.policy_word(value, policy_words("triggers", "delayed")).is_some() {
                        self.principle(Principle::NextTime, cites);
                    }
                }
                "hidden" => self.program.policies.hidden_are_shown = self.policy_word(value, policy_words("triggers", "hidden")) == Some(1),
                "late" => self.program.policies.late_hear_again = self.policy_word(value, policy_words("triggers", "late")) == Some(1),
                "heard_by" => {
                    self.principle(Principle::HeardByOthers, cites);
                    self.heard_by(value);
                }
                "looks" => {
                    let at = self.policy_word(value, policy_words("triggers", "looks"));
                    self.program.policies.looks = at.and_then(|at| LOOKS.get(at).copied()).unwrap_or_default();
                }
                _ => self.unknown_entry("triggers", name),
            }
        }
    }

    /// `policy triggers { heard_by = hearers(triggered, source, controller) }`: a set of players over a triggered ability, its card and its
    /// controller.
    fn heard_by(&mut self, value: &Expr) {
        let mut body = Body { span: value.span, ..Body::default() };
        body.local("triggered", Ty::ABILITY);
        body.local("source", Ty::CARD);
        body.local("controller", Ty::PLAYER);
        self.program.policies.heard_by = Lowering::new(self, body).wanted(value, Ty::set(Type::Player));
    }

    /// `policy choices { known = surely_found  announced = with_the_choice }`.
    fn choices_policy(&mut self, values: &[PolicyEntry]) {
        for PolicyEntry { cites, name, value } in values {
            match name.text.as_str() {
                "announced" => {
                    self.with_the_choice = self.policy_word(value, policy_words("choices", "announced")) == Some(1);
                    self.announced_cites.clone_from(cites);
                }
                "known" => {
                    let at = self.policy_word(value, policy_words("choices", "known"));
                    self.program.policies.known_are_found = at == Some(1);
                    self.program.policies.fails_anywhere = at == Some(2);
                }
                "failed" => {
                    self.program.policies.failed_are_offered = self.policy_word(value, policy_words("choices", "failed")) == Some(1);
                }
                "listed" => self.listed_numbers(value),
                "together" => {
                    self.asked_order(value);
                    self.principle(Principle::AskedTogether, cites);
                }
                _ => self.unknown_entry("choices", name),
            }
        }
    }

    /// `policy choices { together = seats_behind(asked) }`: a number over the player that orders several players who choose at the same
    /// time.
    fn asked_order(&mut self, value: &Expr) {
        if matches!(value.kind, ExprKind::Name(_)) {
            self.policy_word(value, policy_words("choices", "together"));
            return;
        }
        let mut body = Body { span: value.span, ..Body::default() };
        body.local("asked", Ty::PLAYER);
        self.program.policies.asked_order = Lowering::new(self, body).wanted(value, Ty::NUMBER);
    }

    /// `policy choices { listed = 100 }`: the most numbers that are listed when one number of a range is chosen.
    fn listed_numbers(&mut self, value: &Expr) {
        match value.kind {
            ExprKind::Number(listed) if (1..=RANGE as i32).contains(&listed) => self.program.policies.listed_numbers = listed as u16,
            ExprKind::Number(listed) => {
                let finding = Diagnostic::error("E0208", value.span).with("what", "the number of those that are listed");
                self.report(finding.with("value", listed).with("least", 1).with("most", RANGE));
            }
            _ => self.report(Diagnostic::error("E0237", value.span).with("what", "policy")),
        }
    }

    /// `policy effects { sets = live  circles = all }`.
    fn effects_policy(&mut self, values: &[PolicyEntry]) {
        const SETS: [SetPolicy; 6] = [
            SetPolicy::Locked,
            SetPolicy::Live,
            SetPolicy::LockedFallingOut,
            SetPolicy::LockedFallingOutForGood,
            SetPolicy::LockedInPublicZones,
            SetPolicy::LiveWithoutNewcomers,
        ];
        for PolicyEntry { cites, name, value } in values {
            if ["circles", "in_a_layer"].contains(&name.text.as_str()) {
                self.principle(Principle::EffectCircle, cites);
            }
            match name.text.as_str() {
                "sets" => {
                    let at = self.policy_word(value, policy_words("effects", "sets"));
                    self.program.policies.sets = at.and_then(|at| SETS.get(at).copied()).unwrap_or_default();
                }
                "circles" => self.program.policies.circles_count = self.policy_word(value, policy_words("effects", "circles")) == Some(1),
                "in_a_layer" => {
                    self.program.policies.layers_by_age = self.policy_word(value, policy_words("effects", "in_a_layer")) == Some(1);
                }
                "given" => {
                    self.program.policies.lost_gives_nothing = self.policy_word(value, policy_words("effects", "given")) == Some(1);
                }
                "condition" => {
                    self.program.policies.condition_once = self.policy_word(value, policy_words("effects", "condition")) == Some(1);
                }
                "ties" => {
                    self.program.policies.ties_of_conditions = self.policy_word(value, policy_words("effects", "ties")) == Some(1);
                }
                "age" => {
                    self.program.policies.dated_at_end = self.policy_word(value, policy_words("effects", "age")) == Some(1);
                }
                "granted" => {
                    self.program.policies.granted_as_old_as_card = self.policy_word(value, policy_words("effects", "granted")) == Some(1);
                }
                "shuffled" => {
                    self.program.policies.shuffled_are_lost = self.policy_word(value, policy_words("effects", "shuffled")) == Some(1);
                }
                "set" => {
                    self.program.policies.set_is_over_older = self.policy_word(value, policy_words("effects", "set")) == Some(1);
                }
                "missing" => {
                    self.program.policies.missing_is_left_out = self.policy_word(value, policy_words("effects", "missing")) == Some(1);
                }
                _ => self.unknown_entry("effects", name),
            }
        }
    }

    /// `policy loops { optional = CHOICE }`: a declared choice that the kernel asks by itself.
    fn repeats(&mut self, value: &Expr) -> Option<ChoiceId> {
        let ExprKind::Name(name) = &value.kind else {
            self.report(Diagnostic::error("E0237", value.span).with("what", "policy"));
            return None;
        };
        let declared: ChoiceId = self.declared("choice", |symbols| &symbols.choices, name)?;
        let (label, cites) = self.symbols.choice_cites.get(declared.index()).cloned()?;
        let name = NameDef { name: name.text.clone(), label, cites };
        Some(self.program.choices.push(ChoiceDef { declared: declared.0, ..ChoiceDef::one(name, cites, NodeId::NONE) }))
    }

    /// `policy loops { mandatory = drawn  same = cards_in_zones  barred = who_named_most  again = elsewhere }`.
    fn loops(&mut self, values: &[PolicyEntry]) {
        for PolicyEntry { cites, name, value } in values {
            match name.text.as_str() {
                "mandatory" => self.principle(Principle::Circle, cites),
                "same" => self.principle(Principle::CameBack, cites),
                "optional" => self.principle(Principle::Repeated, cites),
                _ => {}
            }
            match name.text.as_str() {
                "mandatory" => {
                    self.program.policies.mandatory_loop_is_drawn = self.policy_word(value, policy_words("loops", "mandatory")) == Some(1)
                }
                "same" => {
                    self.program.policies.same_positions = match self.policy_word(value, policy_words("loops", "same")) {
                        Some(1) => SamePositions::CardsInZones,
                        Some(2) => SamePositions::CardsAsTheyLie,
                        Some(3) => SamePositions::TalliesApart,
                        Some(4) => SamePositions::AllButHistory,
                        _ => SamePositions::Everything,
                    };
                }
                "optional" => self.program.policies.optional_loops = self.repeats(value),
                "left_out" => {
                    for name in self.names_of_policy(value, "left_out") {
                        let state = self.declared::<StateId>("state", |symbols| &symbols.states, name);
                        let Some(state) = state else { continue };
                        if self.program.states.get(state).is_some_and(|def| def.on_players) {
                            self.program.policies.left_out_of_positions.push(state);
                        } else {
                            let of_players =
                                self.program.states.rows().iter().filter(|def| def.on_players).map(|def| def.name.name.clone());
                            let words: Vec<String> = of_players.collect();
                            self.unknown("state of a player, a team or the game", name, words.iter().map(String::as_str));
                        }
                    }
                }
                "passing_over" => {
                    for name in self.names_of_policy(value, "passing_over") {
                        let choice = self.declared::<ChoiceId>("choice", |symbols| &symbols.choices, name);
                        self.program.policies.passed_over.extend(choice.map(|choice| choice.0));
                    }
                }
                "barred" => self.program.policies.bars_the_greatest = self.policy_word(value, policy_words("loops", "barred")) == Some(1),
                "again" => self.program.policies.barred_where_begun = self.policy_word(value, policy_words("loops", "again")) == Some(1),
                "stopped" => self.program.policies.least_stops = self.policy_word(value, policy_words("loops", "stopped")) == Some(1),
                "forced" => self.program.policies.tries_forced = self.policy_word(value, policy_words("loops", "forced")) == Some(1),
                "passes" => {
                    let passes = self.policy_word(value, policy_words("loops", "passes"));
                    (self.program.policies.passes_repeat, self.program.policies.passes_beside) = (passes >= Some(1), passes == Some(2));
                }
                "first" => {
                    let body = Body { span: value.span, ..Body::default() };
                    self.program.policies.names_first = Lowering::new(self, body).wanted(value, Ty::PLAYER);
                }
                _ => self.unknown_entry("loops", name),
            }
        }
    }

    /// The names of a list, or one name.
    pub(crate) fn names_of_policy<'e>(&mut self, value: &'e Expr, entry: &str) -> Vec<&'e Name> {
        let items = if let ExprKind::List(items) = &value.kind { items.as_slice() } else { std::slice::from_ref(value) };
        let mut names = Vec::new();
        for item in items {
            match &item.kind {
                ExprKind::Name(name) => names.push(name),
                _ => self.report(Diagnostic::error("E0237", item.span).with("what", entry)),
            }
        }
        names
    }

    /// `policy principles { @1-3-3 forbidden = left_out }`. Each principle has one value, except `revealed`. The game adds its rules.
    fn principles(&mut self, values: &[PolicyEntry]) {
        for PolicyEntry { cites, name, value } in values {
            let Some((_, word, principle)) = PRINCIPLES.iter().find(|(known, ..)| *known == name.text) else {
                self.unknown("principle", name, PRINCIPLES.map(|(known, ..)| known));
                continue;
            };
            let words = match policy_words("principles", &name.text) {
                [] => std::slice::from_ref(word),
                words => words,
            };
            if let Some(at) = self.policy_word(value, words) {
                // Only `revealed` has two values.
                self.program.policies.attempts_hide |= at == 1;
                self.principle(*principle, cites);
            }
        }
    }

    /// `choice pick { @8.1 too_few = all_there_are }`: what a declared choice says of its special cases.
    pub(crate) fn declare_cases(&mut self, head: &Head, values: &[PolicyEntry]) {
        let mut cases = ChoiceCases::default();
        for PolicyEntry { cites, name, value } in values {
            if name.text == "pass" {
                match &value.kind {
                    ExprKind::Text(words) if !words.trim().is_empty() => {
                        self.program.pass_words.push((head.name.text.clone(), words.clone()));
                    }
                    _ => self.report(Diagnostic::error("E0237", value.span).with("what", "choice")),
                }
                continue;
            }
            let slot = match name.text.as_str() {
                "up_to" => &mut cases.up_to,
                "too_few" => &mut cases.too_few,
                "empty" => &mut cases.empty,
                _ => {
                    self.unknown("part of the choice", name, policy_entries("choice"));
                    continue;
                }
            };
            *slot = self.cites(cites);
            let chosen = self.policy_word(value, policy_words("choice", &name.text));
            cases.all_or_nothing |= name.text == "too_few" && chosen == Some(1);
        }
        let declared = self.symbols.choices.find(&head.name.text);
        if let Some(slot) = declared.and_then(|at| self.program.choice_cases.get_mut(at)) {
            *slot = cases;
        }
    }

    fn principle(&mut self, principle: Principle, cites: &[Cite]) {
        let cites = self.cites(cites);
        if let Some(slot) = self.program.principles.get_mut(principle as usize) {
            *slot = cites;
        }
    }

    fn unknown_entry(&mut self, policy: &str, name: &Name) {
        self.unknown("part of the policy", name, policy_entries(policy));
    }

    /// The position of the word among these words. A name of a reading stands for the reading's value.
    pub(crate) fn policy_word(&mut self, value: &Expr, words: &[&str]) -> Option<usize> {
        let ExprKind::Name(name) = &value.kind else {
            self.report(Diagnostic::error("E0237", value.span).with("what", "policy"));
            return None;
        };
        if let Some((values, chosen)) = self.reading_among(name, words) {
            return words.iter().position(|word| Some(*word) == values.get(chosen).map(String::as_str));
        }
        let at = words.iter().position(|word| *word == name.text);
        if at.is_none() {
            let finding = Diagnostic::error("E0201", name.span).with("what", "value of the policy").with("name", &name.text);
            self.report(finding.with("known", words.join("`, `")).suggest(&name.text, words.iter().copied()));
        }
        at
    }

    /// The reading of that name, if all its values are among these words.
    fn reading_among(&self, name: &Name, words: &[&str]) -> Option<(Vec<String>, usize)> {
        let value = self.symbols.reading_values.get(self.symbols.readings.find(&name.text)?)?;
        let ReadingValue::Named(values, chosen) = value else { return None };
        values.iter().all(|value| words.contains(&value.as_str())).then(|| (values.clone(), *chosen))
    }
}

/// The kernel's principles by their names in the policy, each with its value.
const PRINCIPLES: [(&str, &str, Principle); 12] = [
    ("impossible", "left_out", Principle::Impossible),
    ("already", "left_out", Principle::Already),
    ("no_times", "left_out", Principle::NoTimes),
    ("forbidden", "left_out", Principle::Forbidden),
    ("text_against_rule", "prevails", Principle::OverRules),
    ("revealed", "until_the_effect_ends", Principle::Revealed),
    ("looked", "by_one_where_they_lie", Principle::Looked),
    ("invalid", "does_nothing", Principle::Invalid),
    ("replaced", "done_instead", Principle::Replaced),
    ("asked_together", "at_once", Principle::AskedTogether),
    ("undefined", "left_out", Principle::Missing),
    ("replacing", "only_if_possible", Principle::Replacing),
];
