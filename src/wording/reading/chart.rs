//! The parser. It finds every way in which a text can be one phrase of a category, as a shared forest.
//!
//! The method is Earley's recogniser (J. Earley, "An efficient context-free parsing algorithm", CACM 13, 1970) over signs. Each dotted rule
//! has pointers back to its parts, so the dotted rules are the intermediate nodes of a binarised shared packed forest (E. Scott,
//! "SPPF-style parsing from Earley recognisers", ENTCS 203, 2008). A text of n signs costs at most n³, however ambiguous it is.
//!
//! Rules that begin alike are one dotted rule until they part (`states.rs`). Forms of words are features of items and nodes, not rules of
//! their own. The first signs of rules limit the predictions. An item is kept only if the rest of the text can begin something that the
//! item waits for, and has the signs that the item must still print. No rule is empty (`declared/lower.rs` refuses such rules), which keeps
//! completion simple.

use crate::declared::grammar::{CategoryId, Grammar, Need, RuleId, Symbol};
use crate::declared::inflect::FormId;
use crate::reading::firsts::Signs;
use crate::reading::fold::{begins, takes};
use crate::reading::states::{StateId, Step};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The most items of the chart of one line. A real card has some thousand.
pub(crate) const MOST_ITEMS: usize = 1_000_000;

/// The most signs of one line, so also of a template's printed form and of a label. Printed lines have a few hundred. The work grows faster
/// than the length.
pub(crate) const MOST_SIGNS: usize = 4_000;

/// The most additional ways to items that already have one. Many additional ways mean an ambiguous text. The scripts of all ways are
/// compared, so this limit is far lower than the one for items. A real card has hardly any additional ways.
const MOST_SECOND_WAYS: usize = 20_000;

/// The number of a node of the forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(pub u32);

/// A dotted rule at a place of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Item {
    /// The rules, up to the dot.
    pub state: StateId,
    /// Where the phrase began.
    pub origin: u32,
    /// The form of the item's head.
    pub form: Option<FormId>,
}

/// The last part of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// A phrase.
    Node(NodeId),
    /// Signs from a place to a place.
    Signs(u32, u32),
}

/// The place of an item: its set and its number there.
pub(crate) type ItemRef = (u32, u32);

/// The items at one place of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Set {
    /// Items in order of discovery.
    pub items: Vec<Item>,
    /// For each item, the ways to it: the item before its last part, and this part. Empty at the beginning of a rule.
    pub ways: Vec<Ways>,
    /// For each item, the steps that the rest of the text can begin: a range of [`Chart::open`].
    open: Vec<(u32, u32)>,
    index: FxHashMap<Item, u32>,
    /// The items that wait for each category. The second number is that of the step in [`Chart::open`].
    waiting: FxHashMap<CategoryId, SmallVec<[(u32, u32); 2]>>,
}

/// The ways to an item. Most items have one.
type Ways = SmallVec<[(ItemRef, Part); 1]>;

/// A phrase: a category in a form over a range of signs.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Where the node begins.
    pub start: u32,
    /// The end of the node: one past its last sign.
    pub end: u32,
    /// The completed rules, with the items at their ends.
    pub items: Vec<(ItemRef, RuleId)>,
}

/// The finished chart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chart {
    /// One set before each sign, and one at the end.
    pub sets: Vec<Set>,
    /// All phrases found.
    pub nodes: Vec<Node>,
    index: FxHashMap<(CategoryId, Option<FormId>, u32, u32), NodeId>,
    /// The number of items.
    pub size: usize,
    /// The number of additional ways to items.
    second_ways: usize,
    /// Whether parsing stopped at [`MOST_ITEMS`] or [`MOST_SECOND_WAYS`].
    pub too_large: bool,
    /// The steps of all items that the rest of the text can begin.
    open: Vec<Step>,
    /// For each place, the signs that follow it.
    after: Vec<Signs>,
    /// Whether items are kept that the rest of the text cannot continue.
    dead_ends: bool,
}

impl Chart {
    /// The chart of `text` (folded) as a phrase of `goal`.
    pub(crate) fn parse(grammar: &Grammar, text: &[char], goal: CategoryId) -> Chart {
        Self::filled(grammar, text, goal, false)
    }

    /// The chart of `text` (folded) as a phrase of `goal`, with the items that the rest of the text cannot continue. Such a chart has
    /// several times as many items. It is used to explain why a text is not covered.
    pub(crate) fn with_dead_ends(grammar: &Grammar, text: &[char], goal: CategoryId) -> Chart {
        Self::filled(grammar, text, goal, true)
    }

    fn filled(grammar: &Grammar, text: &[char], goal: CategoryId, dead_ends: bool) -> Chart {
        let mut chart = Chart { sets: vec![Set::default(); text.len() + 1], after: signs_after(text), dead_ends, ..Chart::default() };
        if text.len() > MOST_SIGNS {
            chart.too_large = true;
            return chart;
        }
        chart.predict(grammar, text, 0, goal);
        for place in 0..=text.len() as u32 {
            let mut number = 0;
            while let Some(item) = chart.sets.get(place as usize).and_then(|set| set.items.get(number as usize)).copied() {
                chart.step(grammar, text, (place, number), item);
                number += 1;
                if chart.size > MOST_ITEMS || chart.second_ways > MOST_SECOND_WAYS {
                    chart.too_large = true;
                    return chart;
                }
            }
        }
        chart
    }

    /// The whole text as a phrase of `goal`, in any form.
    pub(crate) fn whole(&self, goal: CategoryId) -> Option<NodeId> {
        let end = self.sets.len().checked_sub(1)? as u32;
        self.index.get(&(goal, None, 0, end)).copied()
    }

    /// Whether the whole text is a phrase of the category, in any form.
    pub(crate) fn is_whole(&self, goal: CategoryId) -> bool {
        let end = self.sets.len().saturating_sub(1) as u32;
        self.index.keys().any(|(category, _, from, to)| *category == goal && *from == 0 && *to == end)
    }

    /// A node.
    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// An item.
    pub(crate) fn item(&self, (set, number): ItemRef) -> Option<&Item> {
        self.sets.get(set as usize)?.items.get(number as usize)
    }

    /// The ways to an item.
    pub(crate) fn ways(&self, (set, number): ItemRef) -> &[(ItemRef, Part)] {
        self.sets.get(set as usize).and_then(|set| set.ways.get(number as usize)).map_or(&[], SmallVec::as_slice)
    }

    fn step(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item) {
        let Some(state) = grammar.states.get(item.state) else { return };
        if !grammar.states.ends(state).is_empty() {
            self.complete(grammar, text, at, item, state.category);
        }
        let (from, to) = self.sets.get(at.0 as usize).and_then(|set| set.open.get(at.1 as usize)).copied().unwrap_or_default();
        for number in from..to {
            let Some(step) = self.open.get(number as usize).copied() else { continue };
            self.go(grammar, text, at, item, (number, step));
        }
    }

    fn go(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item, (number, step): (u32, Step)) {
        let place = at.0 as usize;
        let (Some(symbol), Some(rest)) = (grammar.symbol(&step), text.get(place..)) else { return };
        let to = Item { state: step.to, ..item };
        match symbol {
            Symbol::Sign(sign) => {
                if rest.first().is_some_and(|next| takes(*sign, *next)) {
                    self.scan(grammar, text, at, to, 1);
                }
            }
            Symbol::Choice(texts) => {
                for choice in texts.iter().filter(|choice| begins(rest, choice)) {
                    self.scan(grammar, text, at, to, choice.len());
                }
            }
            Symbol::Word(words) => {
                words.of.iter().for_each(|word| self.scan_word(grammar, text, at, to, *word, &words.need));
            }
            Symbol::Numeral => {
                if let Some((_, length)) = grammar.numerals.read(rest) {
                    self.scan(grammar, text, at, to, length);
                }
            }
            Symbol::Free(until, _) => {
                let end = (1..rest.len()).find(|end| rest.get(*end..).is_some_and(|rest| rest.starts_with(until)));
                if let Some(length) = end {
                    self.scan(grammar, text, at, to, length);
                }
            }
            Symbol::Category(category, _) => {
                let Some(set) = self.sets.get_mut(place) else { return };
                let waiting = set.waiting.entry(*category).or_default();
                waiting.push((at.1, number));
                if waiting.len() == 1 {
                    self.predict(grammar, text, at.0, *category);
                }
            }
        }
    }

    fn predict(&mut self, grammar: &Grammar, text: &[char], place: u32, category: CategoryId) {
        let Some(sign) = text.get(place as usize) else { return };
        for state in grammar.states.begun(category, *sign) {
            let form = grammar.states.get(state).and_then(|state| state.form);
            self.add(grammar, text, place, Item { state, origin: place, form }, None);
        }
    }

    fn scan(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item, length: usize) {
        let end = at.0 + length as u32;
        self.add(grammar, text, end, item, Some((at, Part::Signs(at.0, end))));
    }

    fn scan_word(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item, word: usize, need: &Need) {
        let (Some(word), Some(rest)) = (grammar.words.get(word), text.get(at.0 as usize..)) else { return };
        let Some(after) = rest.strip_prefix(word.stem.as_slice()) else { return };
        for surface in word.surfaces.iter().filter(|surface| after.starts_with(&surface.ending) && need.admits(Some(surface.form))) {
            let end = at.0 + (word.stem.len() + surface.ending.len()) as u32;
            let form = need.own(Some(surface.form), item.form);
            self.add(grammar, text, end, Item { form, ..item }, Some((at, Part::Signs(at.0, end))));
        }
    }

    fn complete(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item, category: CategoryId) {
        let ends = grammar.states.get(item.state).map_or(&[][..], |state| grammar.states.ends(state));
        let rules = ends.iter().map(|rule| (at, *rule));
        let key = (category, item.form, item.origin, at.0);
        if let Some(node) = self.index.get(&key) {
            if let Some(node) = self.nodes.get_mut(node.0 as usize) {
                node.items.extend(rules);
            }
            return;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { start: item.origin, end: at.0, items: rules.collect() });
        self.index.insert(key, id);
        // Adding items does not change who waits. So the row can be taken out meanwhile.
        let Some(waiting) = self.sets.get_mut(item.origin as usize).and_then(|set| set.waiting.get_mut(&category)).map(std::mem::take)
        else {
            return;
        };
        for (number, step) in &waiting {
            let from = (item.origin, *number);
            let (Some(waiter), Some(step)) = (self.item(from).copied(), self.open.get(*step as usize).copied()) else { continue };
            let Some(Symbol::Category(_, need)) = grammar.symbol(&step) else { continue };
            if need.admits(item.form) {
                let form = need.own(item.form, waiter.form);
                self.add(grammar, text, at.0, Item { state: step.to, form, ..waiter }, Some((from, Part::Node(id))));
            }
        }
        if let Some(place) = self.sets.get_mut(item.origin as usize).and_then(|set| set.waiting.get_mut(&category)) {
            *place = waiting;
        }
    }

    /// Notes the steps of a state that the rest of the text can begin, and for which the rest has all signs that must still be printed. Gives
    /// their range, or none if the rest of the text cannot continue the state.
    fn note_open(&mut self, grammar: &Grammar, text: &[char], place: u32, id: StateId) -> Option<(u32, u32)> {
        let state = grammar.states.get(id)?;
        let (rest, after) = (text.get(place as usize..)?, *self.after.get(place as usize)?);
        let steps = grammar.states.steps(state);
        let from = self.open.len() as u32;
        for number in grammar.states.open(id, rest) {
            let Some(step) = steps.get(usize::from(number)) else { continue };
            if self.dead_ends || step.needs.within(after) && grammar.can_step(step, rest) {
                self.open.push(*step);
            }
        }
        let open = (from, self.open.len() as u32);
        (self.dead_ends || open.0 < open.1 || !grammar.states.ends(state).is_empty()).then_some(open)
    }

    fn add(&mut self, grammar: &Grammar, text: &[char], place: u32, item: Item, way: Option<(ItemRef, Part)>) {
        let Some(known) = self.sets.get(place as usize).map(|set| set.index.get(&item).copied()) else { return };
        let number = match known {
            Some(number) => number,
            None => {
                let Some(open) = self.note_open(grammar, text, place, item.state) else { return };
                let Some(set) = self.sets.get_mut(place as usize) else { return };
                let number = set.items.len() as u32;
                set.index.insert(item, number);
                set.items.push(item);
                set.ways.push(Ways::new());
                set.open.push(open);
                self.size += 1;
                number
            }
        };
        let Some(set) = self.sets.get_mut(place as usize) else { return };
        if let (Some(way), Some(ways)) = (way, set.ways.get_mut(number as usize)) {
            // Two forms with the same ending (the passive and the potential of 一段) come here by the same way.
            if !ways.contains(&way) {
                self.second_ways += usize::from(!ways.is_empty());
                ways.push(way);
            }
        }
    }
}

/// For each place of a text, the signs that follow it.
fn signs_after(text: &[char]) -> Vec<Signs> {
    let mut after = vec![Signs::default()];
    for sign in text.iter().rev() {
        let rest = after.last().copied().unwrap_or_default();
        after.push(Signs::one(*sign).or(rest));
    }
    after.reverse();
    after
}
