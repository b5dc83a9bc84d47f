//! The meanings of a chart: how many derivations there are, what they mean, and of which phrases they consist.
//!
//! A node keeps at most two different meanings. Two are enough to know that a text is ambiguous and to show both. The work stays
//! polynomial, although the number of derivations does not.

use crate::declared::grammar::{Grammar, Meaning as RuleMeaning, Rule, RuleId, Symbol, TemplateId, UnclearId};
use crate::reading::chart::{Chart, ItemRef, NodeId, Part};
use crate::script::bare::{Bare, Plain};
use crate::script::weave::{Meaning, Unwoven, weave};
use lang::diagnostic::Span;
use lang::syntax::ast::{Expr, ExprKind, Fragment, Name};
use lang::syntax::rewrite::Rewriter;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most meanings that a node keeps.
const MOST_MEANINGS: usize = 2;

/// The most parts of scripts that are kept for one line, with those of the phrases inside one another.
const MOST_KEPT: usize = 2_000_000;

/// A line as the chart sees it: folded signs, each with its place in the file.
#[derive(Clone)]
pub(crate) struct Line {
    /// Folded signs.
    pub signs: Vec<char>,
    /// The signs as printed.
    pub printed: Vec<char>,
    /// For each sign the place of its first byte; at the end, the place after the last sign.
    pub places: Vec<u32>,
    /// From the first to the last sign.
    pub span: Span,
}

impl Line {
    /// This line with another one directly after it.
    pub(crate) fn followed_by(mut self, next: Line) -> Line {
        self.places.pop();
        self.places.extend(next.places);
        self.signs.extend(next.signs);
        self.printed.extend(next.printed);
        Line { span: Span { end: next.span.end, ..self.span }, ..self }
    }

    /// The place of a range of signs.
    pub(crate) fn span(&self, start: u32, end: u32) -> Span {
        let at = |sign: u32| self.places.get(sign as usize).copied().unwrap_or(self.span.end);
        Span { file: self.span.file, start: at(start), end: at(end) }
    }

    /// The printed signs at a place of the file.
    pub(crate) fn printed_at(&self, span: Span) -> String {
        let within = self.printed.iter().zip(&self.places).filter(|(_, place)| (span.start..span.end).contains(*place));
        within.map(|(sign, _)| *sign).collect()
    }

    /// Signs as printed.
    pub(crate) fn text(&self, start: u32, end: u32) -> String {
        self.printed.get(start as usize..end as usize).map_or_else(String::new, |signs| signs.iter().collect())
    }
}

/// One way to read a node: its rule, its parts, and its meaning.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The meaning.
    pub meaning: Rc<Meaning>,
    /// The template. None if the rule belongs to no template.
    pub template: Option<TemplateId>,
    /// The rule: one printed form of the template.
    pub rule: RuleId,
    /// The inner nodes, each with the number of its meaning.
    pub parts: Vec<(NodeId, usize)>,
}

/// The meanings of a chart's nodes, computed once each.
pub(crate) struct Forest<'a> {
    grammar: &'a Grammar,
    chart: &'a Chart,
    line: &'a Line,
    ways: FxHashMap<NodeId, Rc<Vec<Way>>>,
    counts: FxHashMap<NodeId, u64>,
    /// The number of derivations of the items that have several ways.
    item_counts: FxHashMap<ItemRef, u64>,
    /// The types of the card with the text. Empty: any card.
    types: &'a [String],
    /// The first phrase whose script is too large. Nothing else is read then.
    pub too_large: Option<Span>,
    /// The parts of all meanings that are kept.
    kept: usize,
}

/// The sequences of parts that were followed under one completed rule.
#[derive(Default)]
struct Followed {
    /// The present sequence, the last part first.
    parts: Vec<Part>,
    /// The items with several ways that were reached, each with the parts after it that say something.
    seen: FxHashSet<(ItemRef, Vec<Part>)>,
}

impl Followed {
    /// Whether an item is reached for the first time with these parts after it. Signs that fill no hole are not compared.
    fn is_new(&mut self, item: ItemRef, rule: Option<&Rule>) -> bool {
        let fills =
            |behind: usize| rule.is_some_and(|rule| rule.symbols.len().checked_sub(behind + 1).is_some_and(|at| rule.hole(at).is_some()));
        let says = self.parts.iter().enumerate().filter(|(behind, part)| matches!(part, Part::Node(_)) || fills(*behind));
        let says = says.map(|(_, part)| *part).collect();
        self.seen.insert((item, says))
    }
}

impl<'a> Forest<'a> {
    /// The forest of a chart.
    pub(crate) fn new(grammar: &'a Grammar, chart: &'a Chart, line: &'a Line) -> Self {
        Self {
            grammar,
            chart,
            line,
            ways: FxHashMap::default(),
            counts: FxHashMap::default(),
            item_counts: FxHashMap::default(),
            types: &[],
            too_large: None,
            kept: 0,
        }
    }

    /// Restricts the forest to a card of these types. Templates for other types then do not count.
    pub(crate) fn on(self, types: &'a [String]) -> Self {
        Self { types, ..self }
    }

    /// The number of derivations of a node, at most the largest number.
    pub(crate) fn count(&mut self, node: NodeId) -> u64 {
        if let Some(count) = self.counts.get(&node) {
            return *count;
        }
        self.counts.insert(node, 0);
        let count = self.counting(node).into_iter().fold(0_u64, |sum, (item, _)| sum.saturating_add(self.count_item(item)));
        self.counts.insert(node, count);
        count
    }

    /// The completed rules of a node that count: the overriding ones, if there are any.
    fn counting(&self, node: NodeId) -> Vec<(ItemRef, RuleId)> {
        let items = self.chart.node(node).map_or(&[][..], |node| &node.items);
        let of_type = |(_, rule): &(ItemRef, RuleId)| self.types.is_empty() || self.grammar.is_said_on(*rule, self.types);
        let typed: Vec<_> = items.iter().copied().filter(of_type).collect();
        let items = typed.as_slice();
        let overrides = |(_, rule): &(ItemRef, RuleId)| self.grammar.rule(*rule).is_some_and(|rule| rule.overrides);
        let overriding: Vec<_> = items.iter().copied().filter(overrides).collect();
        if overriding.is_empty() { items.to_vec() } else { overriding }
    }

    fn count_item(&mut self, item: ItemRef) -> u64 {
        let ways = self.chart.ways(item);
        if ways.is_empty() {
            return 1;
        }
        if let Some(count) = self.item_counts.get(&item) {
            return *count;
        }
        let count = ways.iter().fold(0, |sum: u64, (before, part)| {
            let last = if let Part::Node(node) = part { self.count(*node) } else { 1 };
            sum.saturating_add(self.count_item(*before).saturating_mul(last))
        });
        if ways.len() > 1 {
            self.item_counts.insert(item, count);
        }
        count
    }

    /// The meanings of a node, at most two.
    pub(crate) fn ways(&mut self, node: NodeId) -> Rc<Vec<Way>> {
        if let Some(ways) = self.ways.get(&node) {
            return Rc::clone(ways);
        }
        if self.too_large.is_some() {
            return Rc::default();
        }
        let mut found = Vec::new();
        for (item, rule) in self.counting(node) {
            self.paths((node, rule), item, &mut Followed::default(), &mut found);
        }
        let found = Rc::new(found);
        self.ways.insert(node, Rc::clone(&found));
        found
    }

    /// Follows all sequences of parts that lead to an item, from the last part to the first, until two meanings are found. Sequences that
    /// differ only in signs without a hole mean the same, so one of them is followed.
    fn paths(&mut self, (node, rule): (NodeId, RuleId), item: ItemRef, followed: &mut Followed, found: &mut Vec<Way>) {
        if found.len() >= MOST_MEANINGS || self.too_large.is_some() {
            return;
        }
        let ways = self.chart.ways(item);
        if ways.is_empty() {
            let parts: Vec<Part> = followed.parts.iter().rev().copied().collect();
            self.meanings(node, rule, &parts, found);
            return;
        }
        if ways.len() > 1 && !followed.is_new(item, self.grammar.rule(rule)) {
            return;
        }
        for (before, part) in ways {
            followed.parts.push(*part);
            self.paths((node, rule), *before, followed, found);
            followed.parts.pop();
        }
    }

    /// Tries every combination of the parts' meanings under a rule, until two meanings are found.
    fn meanings(&mut self, node: NodeId, rule: RuleId, parts: &[Part], found: &mut Vec<Way>) {
        let inner: Vec<(NodeId, Rc<Vec<Way>>)> =
            parts.iter().filter_map(|part| if let Part::Node(node) = part { Some((*node, self.ways(*node))) } else { None }).collect();
        let mut taken = vec![0_usize; inner.len()];
        while found.len() < MOST_MEANINGS && self.too_large.is_none() {
            if let Some(way) = self.meaning(node, rule, parts, &inner, &taken)
                && found.iter().all(|other| !same(&other.meaning, &way.meaning))
            {
                self.kept += way.meaning.size;
                if self.kept > MOST_KEPT {
                    self.too_large = Some(self.span(node));
                }
                found.push(way);
            }
            let next = taken.iter_mut().zip(&inner).find(|(taken, (_, ways))| **taken + 1 < ways.len());
            let Some((taken, _)) = next else { return };
            *taken += 1;
        }
    }

    fn meaning(&mut self, node: NodeId, id: RuleId, parts: &[Part], inner: &[(NodeId, Rc<Vec<Way>>)], taken: &[usize]) -> Option<Way> {
        let rule = self.grammar.rule(id)?;
        let range = self.chart.node(node)?;
        let span = self.line.span(range.start, range.end);
        let chosen: Vec<(NodeId, usize)> = inner.iter().zip(taken).map(|((node, _), taken)| (*node, *taken)).collect();
        let mut meanings = inner.iter().zip(taken).map(|((_, ways), taken)| ways.get(*taken).map(|way| Rc::clone(&way.meaning)));
        match &rule.meaning {
            RuleMeaning::Same => Some(Way { meaning: meanings.next()??, template: None, rule: id, parts: chosen }),
            RuleMeaning::Label(name) => {
                let value = Expr { kind: ExprKind::Name(Name { text: name.clone(), span }), span };
                Some(Way {
                    meaning: Rc::new(Meaning {
                        script: Fragment::Value(value),
                        gives: Vec::new(),
                        hands: Vec::new(),
                        cites: Vec::new(),
                        unclear: None,
                        size: 1,
                    }),
                    template: None,
                    rule: id,
                    parts: chosen,
                })
            }
            RuleMeaning::Template(template) => {
                let mut holes = Vec::new();
                for ((symbol, hole), part) in rule.parts().zip(parts) {
                    let meaning = match part {
                        Part::Node(_) => meanings.next()??,
                        Part::Signs(start, end) => match hole {
                            Some(_) => Rc::new(self.signs(symbol, *start, *end)?),
                            None => continue,
                        },
                    };
                    holes.extend(hole.map(|hole| (hole.to_owned(), meaning)));
                }
                let unclear = holes.iter().find_map(|(_, meaning)| meaning.unclear);
                let meaning = match unclear {
                    Some(unclear) => refused(unclear),
                    None => match weave(self.grammar, self.grammar.template(*template)?, &holes, span) {
                        Ok(meaning) => meaning,
                        Err(Unwoven::Misfits(_)) => return None,
                        Err(Unwoven::TooLarge) => {
                            self.too_large = Some(span);
                            return None;
                        }
                    },
                };
                Some(Way { meaning: Rc::new(meaning), template: Some(*template), rule: id, parts: chosen })
            }
            RuleMeaning::Unclear(why) => Some(Way { meaning: Rc::new(refused((span, *why))), template: None, rule: id, parts: chosen }),
        }
    }

    /// The value of a numeral or of free signs.
    fn signs(&self, symbol: &Symbol, start: u32, end: u32) -> Option<Meaning> {
        let span = self.line.span(start, end);
        let kind = match symbol {
            Symbol::Numeral => ExprKind::Number(self.grammar.numerals.read(self.line.signs.get(start as usize..end as usize)?)?.0),
            Symbol::Free(_, as_name) => {
                let text = self.line.text(start, end);
                if *as_name { ExprKind::Name(Name { text, span }) } else { ExprKind::Text(text) }
            }
            _ => return None,
        };
        Some(Meaning {
            script: Fragment::Value(Expr { kind, span }),
            gives: Vec::new(),
            hands: Vec::new(),
            cites: Vec::new(),
            unclear: None,
            size: 1,
        })
    }

    /// The smallest phrase inside `node` that has two meanings although each of its parts has one.
    pub(crate) fn ambiguous(&mut self, node: NodeId) -> NodeId {
        let ways = self.ways(node);
        let inner = ways.iter().flat_map(|way| &way.parts).find(|(part, _)| self.ways.get(part).is_some_and(|ways| ways.len() > 1));
        match inner {
            Some((part, _)) => {
                let part = *part;
                self.ambiguous(part)
            }
            None => node,
        }
    }

    /// Where the templates of a reading are declared, outer ones before inner ones.
    pub(crate) fn templates(&self, way: &Way) -> Vec<Span> {
        let own = way.template.and_then(|id| self.grammar.template(id)).map(|template| template.span);
        let inner = way.parts.iter().filter_map(|(part, at)| self.ways.get(part)?.get(*at));
        own.into_iter().chain(inner.flat_map(|way| self.templates(way))).collect()
    }

    /// How two readings of a node cut the words where they differ: 「捨て場」, 「捨て | 場」. None if both cut the words in the same way.
    pub(crate) fn cuts(&self, node: NodeId, first: &Way, second: &Way) -> Option<(String, String)> {
        let whole = self.chart.node(node)?;
        let (mut one, mut other) = (BTreeSet::from([whole.start, whole.end]), BTreeSet::from([whole.start, whole.end]));
        self.boundaries(first, &mut one);
        self.boundaries(second, &mut other);
        let apart: BTreeSet<u32> = one.symmetric_difference(&other).copied().collect();
        let (least, greatest) = (*apart.first()?, *apart.last()?);
        let start = one.intersection(&other).copied().filter(|at| *at < least).last()?;
        let end = one.intersection(&other).copied().find(|at| *at > greatest)?;
        let cut = |at: &BTreeSet<u32>| {
            let ends: Vec<u32> = at.range(start..=end).copied().collect();
            let words: Vec<String> = ends.windows(2).filter_map(|ends| Some(self.line.text(*ends.first()?, *ends.last()?))).collect();
            format!("「{}」", words.join(" | "))
        };
        Some((cut(&one), cut(&other)))
    }

    /// The places where the phrases of a reading begin and end.
    fn boundaries(&self, way: &Way, into: &mut BTreeSet<u32>) {
        for (part, at) in &way.parts {
            into.extend(self.chart.node(*part).into_iter().flat_map(|node| [node.start, node.end]));
            if let Some(way) = self.ways.get(part).and_then(|ways| ways.get(*at)) {
                self.boundaries(way, into);
            }
        }
    }

    /// The node's folded signs.
    pub(crate) fn printed(&self, node: NodeId) -> &[char] {
        let node = self.chart.node(node);
        node.and_then(|node| self.line.signs.get(node.start as usize..node.end as usize)).unwrap_or_default()
    }

    /// The node's place.
    pub(crate) fn span(&self, node: NodeId) -> Span {
        self.chart.node(node).map_or(self.line.span, |node| self.line.span(node.start, node.end))
    }
}

/// The meaning of a text with a refused phrase.
fn refused(unclear: (Span, UnclearId)) -> Meaning {
    Meaning {
        script: Fragment::Clauses(Vec::new()),
        gives: Vec::new(),
        hands: Vec::new(),
        cites: Vec::new(),
        unclear: Some(unclear),
        size: 1,
    }
}

/// Whether two meanings are the same script.
fn same(left: &Meaning, right: &Meaning) -> bool {
    if left.unclear.is_some() != right.unclear.is_some() {
        return false;
    }
    let bare = |meaning: &Meaning| {
        let mut script = meaning.script.clone();
        Plain::default().fragment(&mut script);
        Bare.fragment(&mut script);
        script
    };
    let hands = |meaning: &Meaning| {
        let hand = |hand: &lang::syntax::ast::Arg| (hand.name.as_ref().map(|name| name.text.clone()), crate::show_expr(&hand.value));
        meaning.hands.iter().map(hand).collect::<Vec<_>>()
    };
    bare(left) == bare(right) && hands(left) == hands(right)
}
