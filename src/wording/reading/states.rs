//! Joins dotted rules: rules of a category that begin alike are one state of the chart until they part.
//!
//! Input: the rules of a grammar. Output: for each category a tree of states. Each step between states knows the signs that it can begin
//! with and the signs that must still be printed. Both may let through too much, never too little. A verb with its arguments in every
//! order, and its many templates, make some hundred rules that begin with a few phrases. A place of a text waits only once for each such
//! phrase.

use crate::declared::grammar::{CategoryId, Grammar, RuleId, Symbol};
use crate::declared::inflect::FormId;
use crate::reading::firsts::{Heads, Signs};
use crate::reading::fold::{taken_by, takes};
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StateId(pub u32);

/// A step over one symbol.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    /// Some rule with this symbol; below, the symbol's position in the rule.
    rule: RuleId,
    dot: u16,
    /// The state after the symbol.
    pub to: StateId,
    /// The signs that a text must still print, with this symbol.
    pub needs: Signs,
    /// The beginning of a text that fits the symbol.
    pub first: First,
}

/// The beginning of a text that fits a symbol. For most symbols one sign decides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum First {
    /// This sign of a template.
    Sign(char),
    /// A sign that begins a phrase of this category.
    Phrase(CategoryId),
    /// One sign does not decide: [`Grammar::can_begin`] looks at the symbol.
    #[default]
    Other,
}

impl First {
    fn of(symbol: &Symbol) -> Self {
        match symbol {
            Symbol::Sign(sign) => First::Sign(*sign),
            Symbol::Category(category, _) => First::Phrase(*category),
            Symbol::Choice(_) | Symbol::Word(_) | Symbol::Numeral | Symbol::Free(..) => First::Other,
        }
    }
}

/// The common beginning of several rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// The category of the rules.
    pub category: CategoryId,
    /// The form of these rules without a head.
    pub form: Option<FormId>,
    /// How many symbols are done.
    pub dot: u16,
    /// For a first state, its number among the first states of its category.
    root: u16,
    needs: Signs,
    steps: Stretch,
    ends: Stretch,
}

/// A range in a list that all states share.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    start: u32,
    len: u16,
}

impl Stretch {
    fn of<T>(self, all: &[T]) -> &[T] {
        all.get(self.start as usize..).and_then(|all| all.get(..usize::from(self.len))).unwrap_or_default()
    }
}

/// The steps out of a category's first state, by first sign.
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
pub(crate) struct States {
    all: Vec<State>,
    /// The steps out of all states, state by state.
    steps: Vec<Step>,
    /// The rules that end in each state, state by state.
    ends: Vec<RuleId>,
    /// For each category its first states: one for each form of its rules without a head.
    starts: Vec<Vec<Start>>,
    /// The signs of a text that phrases of a category can begin with.
    firsts: FxHashSet<(CategoryId, char)>,
    /// Whether phrases of a category can begin with any sign.
    any: Vec<bool>,
}

impl States {
    /// A state.
    pub(crate) fn get(&self, id: StateId) -> Option<&State> {
        self.all.get(id.0 as usize)
    }

    /// The steps out of a state.
    pub(crate) fn steps(&self, state: &State) -> &[Step] {
        state.steps.of(&self.steps)
    }

    /// The rules that end in a state.
    pub(crate) fn ends(&self, state: &State) -> &[RuleId] {
        state.ends.of(&self.ends)
    }

    /// The first states of a category whose phrases can begin with this sign.
    pub(crate) fn begun(&self, category: CategoryId, sign: char) -> impl Iterator<Item = StateId> {
        self.starts.get(category.0 as usize).into_iter().flatten().filter(move |start| start.can_begin(sign)).map(|start| start.state)
    }

    /// Whether a phrase of a category can begin with a sign.
    pub(crate) fn can_begin(&self, category: CategoryId, sign: char) -> bool {
        self.firsts.contains(&(category, sign)) || self.any.get(category.0 as usize).is_some_and(|any| *any)
    }

    /// The numbers of a state's steps that the text can begin. For first states they are looked up by sign.
    pub(crate) fn open(&self, id: StateId, text: &[char]) -> impl Iterator<Item = u16> {
        let state = self.get(id);
        let first = state.filter(|state| state.dot == 0);
        let start = first.and_then(|state| self.starts.get(state.category.0 as usize)?.get(usize::from(state.root)));
        let begun = start.zip(text.first()).map(|(start, sign)| start.steps(*sign));
        let all = state.filter(|_| start.is_none()).map_or(0..0, |state| 0..state.steps.len);
        begun.into_iter().flatten().chain(all)
    }

    /// The rules that pass through a state or end there.
    pub(crate) fn rules(&self, id: StateId) -> Vec<RuleId> {
        let mut rules = Vec::new();
        let mut open = vec![id];
        while let Some(state) = open.pop().and_then(|id| self.get(id)) {
            rules.extend(self.ends(state));
            open.extend(self.steps(state).iter().map(|step| step.to));
        }
        rules.sort_unstable();
        rules
    }

    /// The finished tree. The steps and ends of each state lie together.
    fn laid(grown: Growing, starts: Vec<Vec<Start>>) -> Self {
        let Growing { states, steps, ends } = grown;
        let mut all: Vec<State> = states.iter().map(|bud| bud.state).collect();
        let stretch = |state: StateId| state.0 as usize;
        let (mut step_at, mut end_at) = (0, 0);
        for step in &steps {
            all.get_mut(stretch(step.from)).into_iter().for_each(|state| state.steps.len += 1);
        }
        for (state, _) in &ends {
            all.get_mut(stretch(*state)).into_iter().for_each(|state| state.ends.len += 1);
        }
        for state in &mut all {
            (state.steps.start, state.ends.start) = (step_at, end_at);
            step_at += u32::from(std::mem::take(&mut state.steps.len));
            end_at += u32::from(std::mem::take(&mut state.ends.len));
        }
        let mut laid =
            States { all, steps: vec![Step::default(); steps.len()], ends: vec![RuleId(0); ends.len()], starts, ..States::default() };
        for Bough { from, step, .. } in steps {
            let Some(state) = laid.all.get_mut(stretch(from)) else { continue };
            let place = laid.steps.get_mut(state.steps.start as usize + usize::from(state.steps.len));
            place.into_iter().for_each(|place| *place = step);
            state.steps.len += 1;
        }
        for (state, rule) in ends {
            let Some(state) = laid.all.get_mut(stretch(state)) else { continue };
            let place = laid.ends.get_mut(state.ends.start as usize + usize::from(state.ends.len));
            place.into_iter().for_each(|place| *place = rule);
            state.ends.len += 1;
        }
        laid
    }

    /// Computes the signs that must still be printed, from the ends of the rules backwards. A state has a smaller number than the states
    /// after it.
    fn need(&mut self, grammar: &Grammar) {
        for index in (0..self.all.len()).rev() {
            let Some(state) = self.all.get(index).copied() else { continue };
            let mut needs: Option<Signs> = None;
            for at in state.steps.start..state.steps.start + u32::from(state.steps.len) {
                let Some(step) = self.steps.get_mut(at as usize) else { continue };
                let here = grammar.symbol(step).map_or(Signs::default(), |symbol| grammar.printed(symbol));
                step.needs = here.or(self.all.get(step.to.0 as usize).map_or(Signs::default(), |state| state.needs));
                needs = Some(needs.map_or(step.needs, |needs| needs.and(step.needs)));
            }
            if let (Some(state), Some(needs), 0) = (self.all.get_mut(index), needs, state.ends.len) {
                state.needs = needs;
            }
        }
    }

    /// The beginnings of the steps out of a state. Other categories are listed by name.
    fn heads(&self, grammar: &Grammar, state: &State) -> Vec<Heads> {
        let of = |step: &Step| {
            let mut heads = Heads::default();
            let left_out = grammar.symbol(step).is_some_and(|symbol| grammar.heads(symbol, &mut heads));
            if let (true, Some(behind)) = (left_out, self.get(step.to)) {
                self.heads(grammar, behind).iter().for_each(|other| heads.extend(other));
            }
            heads
        };
        self.steps(state).iter().map(of).collect()
    }

    /// Sorts the steps out of first states by sign.
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
                // The order of categories does not matter, because all are added.
                let inner = std::mem::take(&mut heads.categories);
                inner.iter().filter_map(|category| firsts.get(category.0 as usize)).for_each(|firsts| heads.extend(firsts));
                if heads.any {
                    start.any.push(number);
                } else {
                    // The order of signs does not matter, because each has its own list.
                    heads.signs.iter().for_each(|sign| start.by_sign.entry(*sign).or_default().push(number));
                }
            }
        }
        self.any = self.starts.iter().map(|starts| starts.iter().any(|start| !start.any.is_empty())).collect();
        for (category, starts) in (0..).map(CategoryId).zip(&self.starts) {
            let signs = starts.iter().flat_map(|start| start.by_sign.keys());
            self.firsts.extend(signs.flat_map(|sign| taken_by(*sign)).map(|sign| (category, sign)));
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

/// The tree while it grows. The steps of one state do not lie together yet.
#[derive(Default)]
struct Growing {
    states: Vec<Bud>,
    steps: Vec<Bough>,
    ends: Vec<(StateId, RuleId)>,
}

/// A state, and the last of its steps so far.
struct Bud {
    state: State,
    last: Option<u32>,
}

/// A step, the state where it begins, and the earlier step there.
struct Bough {
    from: StateId,
    step: Step,
    before: Option<u32>,
}

impl Growing {
    fn rules(&mut self, grammar: &Grammar) -> Vec<Vec<Start>> {
        let mut roots: FxHashMap<(CategoryId, Option<FormId>), StateId> = FxHashMap::default();
        let mut starts: Vec<Vec<Start>> = vec![Vec::new(); grammar.categories.len()];
        for (id, rule) in (0..).map(RuleId).zip(grammar.rules.iter()) {
            let mut at = *roots.entry((rule.category, rule.form)).or_insert_with(|| {
                let root = self.state(rule.category, rule.form, 0);
                if let Some(starts) = starts.get_mut(rule.category.0 as usize) {
                    self.states.get_mut(root.0 as usize).into_iter().for_each(|bud| bud.state.root = starts.len() as u16);
                    starts.push(Start { state: root, ..Start::default() });
                }
                root
            });
            for (dot, symbol) in (0..).zip(&rule.symbols) {
                at = self.step(grammar, at, symbol, (id, dot));
            }
            self.ends.push((at, id));
        }
        starts
    }

    fn state(&mut self, category: CategoryId, form: Option<FormId>, dot: u16) -> StateId {
        let id = StateId(self.states.len() as u32);
        let (steps, ends) = (Stretch::default(), Stretch::default());
        self.states.push(Bud { state: State { category, form, dot, root: 0, needs: Signs::default(), steps, ends }, last: None });
        id
    }

    /// The state after a symbol. The steps of the previous rule are tried first, because rules in a row often begin alike.
    fn step(&mut self, grammar: &Grammar, at: StateId, symbol: &Symbol, (rule, dot): (RuleId, u16)) -> StateId {
        let Some(Bud { state: State { category, form, .. }, last }) = self.states.get(at.0 as usize) else { return at };
        let (category, form, last) = (*category, *form, *last);
        let mut looked = last.and_then(|last| self.steps.get(last as usize));
        while let Some(bough) = looked {
            if grammar.symbol(&bough.step) == Some(symbol) {
                return bough.step.to;
            }
            looked = bough.before.and_then(|before| self.steps.get(before as usize));
        }
        let to = self.state(category, form, dot + 1);
        let number = self.steps.len() as u32;
        self.steps.push(Bough { from: at, step: Step { rule, dot, to, needs: Signs::default(), first: First::of(symbol) }, before: last });
        self.states.get_mut(at.0 as usize).into_iter().for_each(|bud| bud.last = Some(number));
        to
    }
}

impl Grammar {
    /// Joins the rules. To be called once, after all rules are added.
    pub(crate) fn close(&mut self) {
        let mut growing = Growing::default();
        let starts = growing.rules(self);
        let mut states = States::laid(growing, starts);
        states.need(self);
        states.begin(self);
        self.states = states.into();
    }

    /// Whether the text can begin with the symbol of a step, judged by its first signs.
    pub(crate) fn can_step(&self, step: &Step, text: &[char]) -> bool {
        match (step.first, text.first()) {
            (First::Sign(sign), Some(next)) => takes(sign, *next),
            (First::Phrase(category), Some(next)) => self.states.can_begin(category, *next),
            (First::Sign(_) | First::Phrase(_), None) => false,
            (First::Other, _) => self.symbol(step).is_some_and(|symbol| self.can_begin(symbol, text)),
        }
    }

    /// The symbol of a step.
    pub(crate) fn symbol(&self, step: &Step) -> Option<&Symbol> {
        self.rule(step.rule)?.symbols.get(step.dot as usize)
    }
}
