//! The chart: every way in which a text can be one phrase of a category, as a shared forest.
//!
//! Earley's recogniser (J. Earley, "An efficient context-free parsing algorithm", CACM 13, 1970) over signs, with back
//! pointers from each dotted rule to its parts: the dotted rules are the intermediate nodes of a binarised shared packed
//! forest (E. Scott, "SPPF-style parsing from Earley recognisers", ENTCS 203, 2008), so a text of n signs costs at most
//! n³ however ambiguous it is. Forms of words are features of items and nodes, not rules of their own; first signs of
//! rules cut predictions, and an item is kept only if what follows can begin what it waits for and has the
//! signs that its rule still prints. No rule is empty (`lower` refuses them), which keeps completion simple.

use super::firsts::Signs;
use super::fold::{begins, takes};
use super::grammar::{CategoryId, Grammar, Need, RuleId, Symbol};
use super::inflect::FormId;
use rustc_hash::FxHashMap;

/// The largest chart that is built for one line: a real card has some thousand items.
pub(super) const MOST_ITEMS: usize = 1_000_000;

/// Second ways to an item, third ones and so on: what ambiguity costs. The scripts of all of them are compared, so far fewer are
/// taken than items; a real card has hardly any.
const MOST_SECOND_WAYS: usize = 20_000;

/// Number of a node of the forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub u32);

/// A dotted rule at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Item {
    /// The rule.
    pub rule: RuleId,
    /// How many of its symbols are done.
    pub dot: u16,
    /// Where it began.
    pub origin: u32,
    /// The form that its head has.
    pub form: Option<FormId>,
}

/// What was the last part of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A phrase.
    Node(NodeId),
    /// Signs from a place to a place.
    Signs(u32, u32),
}

/// Place of an item: its set and its number there.
pub(super) type ItemRef = (u32, u32);

/// The items at one place of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    /// Items in order of discovery.
    pub items: Vec<Item>,
    /// For each item the ways to it: the item before its last part, and that part. Empty at the beginning of a rule.
    pub ways: Vec<Vec<(ItemRef, Part)>>,
    index: FxHashMap<Item, u32>,
    waiting: FxHashMap<CategoryId, Vec<u32>>,
}

/// A phrase: a category with a form over a range.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Where it begins.
    pub start: u32,
    /// One past its end.
    pub end: u32,
    /// The completed rules.
    pub items: Vec<ItemRef>,
}

/// The finished chart.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    /// One set before each sign, and one at the end.
    pub sets: Vec<Set>,
    /// All phrases found.
    pub nodes: Vec<Node>,
    index: FxHashMap<(CategoryId, Option<FormId>, u32, u32), NodeId>,
    /// How many items it has.
    pub size: usize,
    /// Ways to items that others lead to as well.
    second_ways: usize,
    /// It was given up at [`MOST_ITEMS`] or [`MOST_SECOND_WAYS`].
    pub too_large: bool,
    /// For each place the signs from there on.
    after: Vec<Signs>,
    /// Items that what follows ends are kept too.
    dead_ends: bool,
}

impl Chart {
    /// The chart of `text` (folded) as a phrase of `goal`.
    pub fn parse(grammar: &Grammar, text: &[char], goal: CategoryId) -> Chart {
        Self::filled(grammar, text, goal, false)
    }

    /// The same with the items that wait for what does not follow: several times as many, for those who ask why a text is
    /// not covered.
    pub fn with_dead_ends(grammar: &Grammar, text: &[char], goal: CategoryId) -> Chart {
        Self::filled(grammar, text, goal, true)
    }

    fn filled(grammar: &Grammar, text: &[char], goal: CategoryId, dead_ends: bool) -> Chart {
        let mut chart = Chart { sets: vec![Set::default(); text.len() + 1], after: signs_after(text), dead_ends, ..Chart::default() };
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
    pub fn whole(&self, goal: CategoryId) -> Option<NodeId> {
        let end = self.sets.len().checked_sub(1)? as u32;
        self.index.get(&(goal, None, 0, end)).copied()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// An item.
    pub fn item(&self, (set, number): ItemRef) -> Option<&Item> {
        self.sets.get(set as usize)?.items.get(number as usize)
    }

    /// The ways to an item.
    pub fn ways(&self, (set, number): ItemRef) -> &[(ItemRef, Part)] {
        self.sets.get(set as usize).and_then(|set| set.ways.get(number as usize)).map_or(&[], Vec::as_slice)
    }

    fn step(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item) {
        let Some(rule) = grammar.rule(item.rule) else { return };
        let place = at.0 as usize;
        let Some(rest) = text.get(place..) else { return };
        match rule.symbols.get(item.dot as usize) {
            None => self.complete(grammar, text, at, item, rule.category),
            Some(Symbol::Sign(sign)) => {
                if rest.first().is_some_and(|next| takes(*sign, *next)) {
                    self.scan(grammar, text, at, item, 1);
                }
            }
            Some(Symbol::Choice(texts)) => {
                for choice in texts.iter().filter(|choice| begins(rest, choice)) {
                    self.scan(grammar, text, at, item, choice.len());
                }
            }
            Some(Symbol::Word(words, need)) => {
                words.iter().for_each(|word| self.scan_word(grammar, text, at, item, *word, need));
            }
            Some(Symbol::Numeral) => {
                if let Some((_, length)) = grammar.numerals.read(rest) {
                    self.scan(grammar, text, at, item, length);
                }
            }
            Some(Symbol::Free(until, _)) => {
                let end = (1..rest.len()).find(|end| rest.get(*end..).is_some_and(|rest| rest.starts_with(until)));
                if let Some(length) = end {
                    self.scan(grammar, text, at, item, length);
                }
            }
            Some(Symbol::Category(category, _)) => {
                let Some(set) = self.sets.get_mut(place) else { return };
                let waiting = set.waiting.entry(*category).or_default();
                waiting.push(at.1);
                if waiting.len() == 1 {
                    self.predict(grammar, text, at.0, *category);
                }
            }
        }
    }

    fn predict(&mut self, grammar: &Grammar, text: &[char], place: u32, category: CategoryId) {
        let (Some(sign), Some(starts)) = (text.get(place as usize), grammar.starts.get(category.0 as usize)) else { return };
        for rule in starts.rules(*sign) {
            let form = grammar.rule(rule).and_then(|rule| rule.form);
            self.add(grammar, text, place, Item { rule, dot: 0, origin: place, form }, None);
        }
    }

    fn scan(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item, length: usize) {
        let end = at.0 + length as u32;
        self.add(grammar, text, end, Item { dot: item.dot + 1, ..item }, Some((at, Part::Signs(at.0, end))));
    }

    fn scan_word(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item, word: usize, need: &Need) {
        let (Some(word), Some(rest)) = (grammar.words.get(word), text.get(at.0 as usize..)) else { return };
        let Some(after) = rest.strip_prefix(word.stem.as_slice()) else { return };
        for surface in word.surfaces.iter().filter(|surface| after.starts_with(&surface.ending) && need.admits(Some(surface.form))) {
            let end = at.0 + (word.stem.len() + surface.ending.len()) as u32;
            let form = need.own(Some(surface.form), item.form);
            self.add(grammar, text, end, Item { dot: item.dot + 1, form, ..item }, Some((at, Part::Signs(at.0, end))));
        }
    }

    fn complete(&mut self, grammar: &Grammar, text: &[char], at: ItemRef, item: Item, category: CategoryId) {
        let key = (category, item.form, item.origin, at.0);
        if let Some(node) = self.index.get(&key) {
            if let Some(node) = self.nodes.get_mut(node.0 as usize) {
                node.items.push(at);
            }
            return;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { start: item.origin, end: at.0, items: vec![at] });
        self.index.insert(key, id);
        let waiting = self.sets.get(item.origin as usize).and_then(|set| set.waiting.get(&category)).cloned().unwrap_or_default();
        for number in waiting {
            let from = (item.origin, number);
            let Some(waiter) = self.item(from).copied() else { continue };
            let Some(Symbol::Category(_, need)) = grammar.rule(waiter.rule).and_then(|rule| rule.symbols.get(waiter.dot as usize)) else {
                continue;
            };
            if need.admits(item.form) {
                let form = need.own(item.form, waiter.form);
                self.add(grammar, text, at.0, Item { dot: waiter.dot + 1, form, ..waiter }, Some((from, Part::Node(id))));
            }
        }
    }

    /// Whether what follows can begin what the item waits for, and has the signs that its rule still needs.
    fn can_go_on(&self, grammar: &Grammar, text: &[char], place: u32, item: Item) -> bool {
        let (Some(rule), Some(after)) = (grammar.rule(item.rule), self.after.get(place as usize)) else { return false };
        rule.needs.get(item.dot as usize).is_some_and(|needs| needs.within(*after))
            && rule
                .symbols
                .get(item.dot as usize)
                .is_none_or(|symbol| text.get(place as usize..).is_some_and(|rest| grammar.can_begin(symbol, rest)))
    }

    fn add(&mut self, grammar: &Grammar, text: &[char], place: u32, item: Item, way: Option<(ItemRef, Part)>) {
        if !self.dead_ends && !self.can_go_on(grammar, text, place, item) {
            return;
        }
        let Some(set) = self.sets.get_mut(place as usize) else { return };
        let number = *set.index.entry(item).or_insert_with(|| {
            set.items.push(item);
            set.ways.push(Vec::new());
            self.size += 1;
            set.items.len() as u32 - 1
        });
        if let (Some(way), Some(ways)) = (way, set.ways.get_mut(number as usize)) {
            // Two forms with one ending (the passive and the potential of 一段) come here by the same way.
            if !ways.contains(&way) {
                self.second_ways += usize::from(!ways.is_empty());
                ways.push(way);
            }
        }
    }
}

/// For each place of a text the signs from there on.
fn signs_after(text: &[char]) -> Vec<Signs> {
    let mut after = vec![Signs::default()];
    for sign in text.iter().rev() {
        let rest = after.last().copied().unwrap_or_default();
        after.push(Signs::one(*sign).or(rest));
    }
    after.reverse();
    after
}
