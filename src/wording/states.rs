//! Dotted rules, laid together: rules of a category that begin alike are one state of the chart until they part.
//!
//! Takes the rules of a grammar; gives for each category a tree of states, for each step from state to state the signs that it can
//! begin with and those that must still be printed. Both only ever let too much pass. A verb's arguments in every order, and its
//! many templates, are some hundred rules that begin with a few phrases: a place of a text waits for these, once each.

use super::firsts::{Heads, Signs};
use super::fold::takes;
use super::grammar::{CategoryId, Grammar, RuleId, Symbol};
use super::inflect::FormId;
use rustc_hash::FxHashMap;

/// Number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StateId(pub u32);

/// A step over one symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// A rule that has the symbol, and its place there.
    rule: RuleId,
    dot: u16,
    /// What is behind it.
    pub to: StateId,
    /// What a text must still print, this symbol included.
    pub needs: Signs,
}

/// What several rules have in common up to a place.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The category of the rules.
    pub category: CategoryId,
    /// The form that they have without a head.
    pub form: Option<FormId>,
    /// How many symbols are done.
    pub dot: u16,
    /// What may follow.
    pub steps: Vec<Step>,
    /// The rules that end here.
    pub ends: Vec<RuleId>,
    needs: Signs,
}

/// The steps out of a category's first states by what they begin with.
#[derive(Clone, Debug, Default)]
struct Start {
    state: StateId,
    by_sign: FxHashMap<char, Vec<u16>>,
    any: Vec<u16>,
}

impl Default for StateId {
    fn default() -> Self {
        StateId(u32::MAX)
    }
}

/// All states of a grammar.
#[derive(Clone, Debug, Default)]
pub(super) struct States {
    all: Vec<State>,
    /// For each category its first states: one for each form that its rules have without a head.
    starts: Vec<Vec<Start>>,
}

impl States {
    /// A state.
    pub fn get(&self, id: StateId) -> Option<&State> {
        self.all.get(id.0 as usize)
    }

    /// The states that a category's phrases begin in, where some can begin with this sign.
    pub fn begun(&self, category: CategoryId, sign: char) -> impl Iterator<Item = StateId> {
        self.starts.get(category.0 as usize).into_iter().flatten().filter(move |start| start.can_begin(sign)).map(|start| start.state)
    }

    /// Whether a phrase of a category can begin with a sign.
    pub fn can_begin(&self, category: CategoryId, sign: char) -> bool {
        self.starts.get(category.0 as usize).into_iter().flatten().any(|start| start.can_begin(sign))
    }

    /// The numbers of the steps of a state that what follows can begin: those of first states are looked up.
    pub fn open(&self, id: StateId, text: &[char]) -> Vec<u16> {
        let Some(state) = self.get(id) else { return Vec::new() };
        let start = if state.dot > 0 { None } else { self.starts.get(state.category.0 as usize) };
        match (start.into_iter().flatten().find(|start| start.state == id), text.first()) {
            (Some(start), Some(sign)) => start.steps(*sign).collect(),
            (Some(_), None) => Vec::new(),
            (None, _) => (0..state.steps.len() as u16).collect(),
        }
    }

    /// The rules that go through a state or end there.
    pub fn rules(&self, id: StateId) -> Vec<RuleId> {
        let mut rules = Vec::new();
        let mut open = vec![id];
        while let Some(state) = open.pop().and_then(|id| self.get(id)) {
            rules.extend(&state.ends);
            open.extend(state.steps.iter().map(|step| step.to));
        }
        rules.sort_unstable();
        rules
    }

    fn grow(&mut self, grammar: &Grammar) {
        let mut roots: FxHashMap<(CategoryId, Option<FormId>), StateId> = FxHashMap::default();
        self.starts = vec![Vec::new(); grammar.categories.len()];
        for (id, rule) in (0..).map(RuleId).zip(&grammar.rules) {
            let mut at = *roots.entry((rule.category, rule.form)).or_insert_with(|| {
                let root = StateId(self.all.len() as u32);
                self.all.push(State::new(rule.category, rule.form, 0));
                let starts = self.starts.get_mut(rule.category.0 as usize);
                starts.into_iter().for_each(|starts| starts.push(Start { state: root, ..Start::default() }));
                root
            });
            for (dot, symbol) in (0..).zip(&rule.symbols) {
                at = self.step(grammar, at, symbol, (id, dot));
            }
            if let Some(state) = self.all.get_mut(at.0 as usize) {
                state.ends.push(id);
            }
        }
    }

    /// The state behind a symbol; the steps of the rule before come first, since it is often begun alike.
    fn step(&mut self, grammar: &Grammar, at: StateId, symbol: &Symbol, (rule, dot): (RuleId, u16)) -> StateId {
        let next = StateId(self.all.len() as u32);
        let Some(state) = self.all.get_mut(at.0 as usize) else { return next };
        let known = state.steps.iter().rev().find(|step| grammar.symbol(step) == Some(symbol));
        if let Some(step) = known {
            return step.to;
        }
        // Most states have one step.
        state.steps.reserve_exact(usize::from(state.steps.is_empty()));
        state.steps.push(Step { rule, dot, to: next, needs: Signs::default() });
        let behind = State::new(state.category, state.form, dot + 1);
        self.all.push(behind);
        next
    }

    /// What must still be printed, from the ends of the rules on: a state stands before those behind it.
    fn need(&mut self, grammar: &Grammar) {
        for index in (0..self.all.len()).rev() {
            let Some(([.., state], behind)) = self.all.split_at_mut_checked(index + 1) else { continue };
            for step in &mut state.steps {
                let here = grammar.symbol(step).map_or(Signs::default(), |symbol| grammar.printed(symbol));
                let at = (step.to.0 as usize).checked_sub(index + 1);
                step.needs = here.or(at.and_then(|at| behind.get(at)).map_or(Signs::default(), |state| state.needs));
            }
            let needs = state.steps.iter().map(|step| step.needs);
            state.needs = if state.ends.is_empty() { Signs::common(needs) } else { Signs::default() };
        }
    }

    /// With what the steps out of a state can begin, other categories by their names.
    fn heads(&self, grammar: &Grammar, state: &State) -> Vec<Heads> {
        let of = |step: &Step| {
            let mut heads = Heads::default();
            let left_out = grammar.symbol(step).is_some_and(|symbol| grammar.heads(symbol, &mut heads));
            if let (true, Some(behind)) = (left_out, self.get(step.to)) {
                self.heads(grammar, behind).iter().for_each(|other| heads.extend(other));
            }
            heads
        };
        state.steps.iter().map(of).collect()
    }

    /// The steps out of first states by sign.
    fn begin(&mut self, grammar: &Grammar) {
        let own: Vec<Vec<Vec<Heads>>> = (self.starts.iter())
            .map(|starts| starts.iter().filter_map(|start| Some(self.heads(grammar, self.get(start.state)?))).collect())
            .collect();
        let firsts: Vec<Heads> = Heads::closed(own.iter().map(|starts| {
            let mut all = Heads::default();
            starts.iter().flatten().for_each(|heads| all.extend(heads));
            all
        }));
        for (start, heads) in self.starts.iter_mut().zip(own).flat_map(|(starts, own)| starts.iter_mut().zip(own)) {
            for (number, mut heads) in (0..).zip(heads) {
                // The order of categories does not matter: all of them are added.
                let inner = std::mem::take(&mut heads.categories);
                inner.iter().filter_map(|category| firsts.get(category.0 as usize)).for_each(|firsts| heads.extend(firsts));
                if heads.any {
                    start.any.push(number);
                } else {
                    // The order of signs does not matter: each has a list of its own.
                    heads.signs.iter().for_each(|sign| start.by_sign.entry(*sign).or_default().push(number));
                }
            }
        }
    }
}

impl Start {
    fn steps(&self, sign: char) -> impl Iterator<Item = u16> {
        let minus = takes('-', sign) && sign != '-';
        let signs = [Some(sign), minus.then_some('-')];
        signs.into_iter().flatten().filter_map(|sign| self.by_sign.get(&sign)).flatten().chain(&self.any).copied()
    }

    fn can_begin(&self, sign: char) -> bool {
        self.steps(sign).next().is_some()
    }
}

impl State {
    fn new(category: CategoryId, form: Option<FormId>, dot: u16) -> State {
        State { category, form, dot, steps: Vec::new(), ends: Vec::new(), needs: Signs::default() }
    }
}

impl Grammar {
    /// Lays the rules together. To be called once, when all rules are there.
    pub fn close(&mut self) {
        let mut states = States::default();
        states.grow(self);
        states.need(self);
        states.begin(self);
        self.states = states;
    }

    /// The symbol of a step.
    pub fn symbol(&self, step: &Step) -> Option<&Symbol> {
        self.rule(step.rule)?.symbols.get(step.dot as usize)
    }
}
