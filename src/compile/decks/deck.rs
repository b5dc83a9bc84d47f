//! The deck check: whether a list of cards is a legal deck, and which rules it breaks.
//!
//! A card may have a limit of its own, which replaces the general limit. A limit on copies replaces the general one for this card; a limit
//! on the size replaces it for every deck with this card. If several cards have upper limits for the same thing, the smallest one counts.

use crate::expressions::nodes::holds;
use engine::eval::Eval;
use engine::ids::{CardId, Id};
use engine::program::{Compare, CopiesBy, DeckLimitDef, DeckMeasure, DeckMustDef, Program};
use engine::state::State;
use engine::value::{Player, Value};
use lang::diagnostic::Diagnostic;

/// A diagnostic for every limit that a deck breaks; empty for a legal deck. The placeholder `rules` holds the rules, each with its `@`.
#[must_use]
pub fn check_deck(program: &Program, cards: &[CardId]) -> Vec<Diagnostic> {
    let mut found = size(program, cards);
    for measure in copy_measures(program, cards) {
        found.extend(copies(program, cards, measure));
    }
    found.extend(musts(program, cards));
    found
}

/// Checks the conditions on the whole deck: the game's, and those of each different card.
fn musts(program: &Program, cards: &[CardId]) -> Vec<Diagnostic> {
    let of_cards = different(cards).into_iter().filter_map(|card| Some((Some(card), program.cards.get(card)?)));
    let all = of_cards.flat_map(|(card, def)| def.deck_musts.iter().map(move |must| (card, must)));
    let all = program.deck_musts.iter().map(|must| (None, must)).chain(all);
    let members: Vec<Value> = cards.iter().map(|card| Value::Card(*card)).collect();
    let locals = [Value::List { start: 0, len: u16::try_from(members.len()).unwrap_or(u16::MAX) }];
    let state = State::before(program);
    // If a condition has no result, the deck is not refused.
    let broken = |(card, must): &(Option<CardId>, &DeckMustDef)| {
        let this = card.map_or(Value::Undefined, Value::Card);
        state.effects.asked.looks_within.forget();
        let mut eval = Eval::new(program, &state, &locals, &members, Player(0), this);
        let holds = eval.holds(must.condition);
        if eval.overflow || state.effects.asked.looks_within.is_too_much() {
            return Some("E0708");
        }
        (!holds).then_some("E0707")
    };
    all.filter_map(|must| broken(&must).map(|code| (code, must.0, must.1)))
        .map(|(code, card, must)| {
            let rules: Vec<String> = program.rules_beside(must.cites).iter().map(|id| format!("@{id}")).collect();
            let finding = Diagnostic::global(code).with("condition", &must.written);
            let finding = if rules.is_empty() { finding } else { finding.with("rules", rules.join(" ")) };
            match card.and_then(|card| program.cards.get(card)).and_then(|card| program.texts.get(card.name)) {
                Some(name) => finding.with("card", name),
                None => finding,
            }
        })
        .collect()
}

/// The different cards of a list, by number.
fn different(cards: &[CardId]) -> Vec<CardId> {
    let mut different: Vec<CardId> = cards.to_vec();
    different.sort_unstable_by_key(|card| card.index());
    different.dedup();
    different
}

/// `E0430` for each different card of a deck whose text is still to do. Nobody can play such a card, even in a legal deck.
#[must_use]
pub fn still_to_do(program: &Program, cards: &[CardId]) -> Vec<Diagnostic> {
    let mut different: Vec<CardId> = Vec::new();
    cards.iter().for_each(|card| {
        if !different.contains(card) {
            different.push(*card)
        }
    });
    different.into_iter().filter_map(|card| to_do(program, card)).collect()
}

/// `E0430` for a card whose text is still to do.
#[must_use]
pub fn to_do(program: &Program, card: CardId) -> Option<Diagnostic> {
    let card = program.cards.get(card)?;
    let reason = card.todo.as_ref()?;
    Some(Diagnostic::global("E0430").with("number", &card.number).with("name", program.texts.get(card.name)?).with("reason", reason))
}

fn size(program: &Program, cards: &[CardId]) -> Vec<Diagnostic> {
    let own: Vec<&DeckLimitDef> = limits_of(program, cards).filter(|limit| limit.what == DeckMeasure::Size).collect();
    let limits = in_force(program, &DeckMeasure::Size, own).into_iter();
    let counted = limits.map(|limit| (limit, cards.iter().filter(|card| counts(program, limit, **card)).count() as i32));
    let broken = counted.filter(|(limit, count)| !holds(limit.op, *count, limit.bound));
    broken.map(|(limit, count)| worded("E0701", program, limit, count)).collect()
}

/// The ways of counting copies, in the general limits and in those of the cards.
fn copy_measures<'p>(program: &'p Program, cards: &[CardId]) -> Vec<&'p [CopiesBy]> {
    let mut measures: Vec<&[CopiesBy]> = Vec::new();
    for limit in program.deck_check.iter().chain(limits_of(program, cards)) {
        if let DeckMeasure::Copies(by) = &limit.what
            && !measures.contains(&by.as_slice())
        {
            measures.push(by);
        }
    }
    measures
}

/// Whether a limit counts this card.
fn counts(program: &Program, limit: &DeckLimitDef, card: CardId) -> bool {
    let Some((field, op, wanted)) = limit.counted else { return true };
    match (program.printed_value(card, field), wanted, op) {
        (Value::Number(number), Value::Number(bound), op) => holds(op, number, bound),
        (value, wanted, op) => members(program, value).contains(&wanted) != (op == Compare::NotEqual),
    }
}

/// The members of a printed value: a field can hold several.
fn members(program: &Program, value: Value) -> Vec<Value> {
    match value {
        Value::List { start, len } => {
            let end = start as usize + usize::from(len);
            program.printed_sets.get(start as usize..end).map_or_else(Vec::new, <[Value]>::to_vec)
        }
        value => vec![value],
    }
}

fn copies(program: &Program, cards: &[CardId], by: &[CopiesBy]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let measure = DeckMeasure::Copies(by.to_vec());
    for group in groups(program, cards, by) {
        let own: Vec<&DeckLimitDef> = limits_of(program, &group).filter(|limit| limit.what == measure).collect();
        for limit in in_force(program, &measure, own) {
            // Only cards that fit the limit's `where` are counted. A group without such cards is not checked.
            let counted: Vec<CardId> = group.iter().copied().filter(|card| counts(program, limit, *card)).collect();
            let count = counted.len() as i32;
            if counted.is_empty() || holds(limit.op, count, limit.bound) {
                continue;
            }
            let first = counted.first().and_then(|card| program.cards.get(*card));
            let (number, name) = first.map_or(("", ""), |card| (&card.number, program.texts.get(card.name).map_or("", String::as_str)));
            found.push(worded("E0702", program, limit, count).with("number", number).with("name", name));
        }
    }
    found
}

/// Groups of cards that count as copies of one another, in the order of their first cards.
fn groups(program: &Program, cards: &[CardId], by: &[CopiesBy]) -> Vec<Vec<CardId>> {
    let value = |card: CardId, by: &CopiesBy| match *by {
        CopiesBy::Number => vec![Value::Card(card)],
        CopiesBy::Name => vec![program.cards.get(card).map_or(Value::Undefined, |card| Value::Text(card.name))],
        CopiesBy::Field(field) => members(program, program.printed_value(card, field)),
    };
    let mut groups: Vec<(Vec<Vec<Value>>, Vec<CardId>)> = Vec::new();
    for card in cards {
        let value: Vec<Vec<Value>> = by.iter().map(|by| value(*card, by)).collect();
        match groups.iter_mut().find(|(known, _)| known.iter().zip(&value).all(|(one, other)| same_members(one, other))) {
            Some((_, group)) => group.push(*card),
            None => groups.push((value, vec![*card])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Whether two lists have the same members. The order in which a card prints the members of a set says nothing.
fn same_members(one: &[Value], other: &[Value]) -> bool {
    one.iter().all(|member| other.contains(member)) && other.iter().all(|member| one.contains(member))
}

/// The limits that the cards of a list print. Each different card counts once.
fn limits_of<'p>(program: &'p Program, cards: &[CardId]) -> impl Iterator<Item = &'p DeckLimitDef> + use<'p> {
    different(cards).into_iter().filter_map(|card| program.cards.get(card)).flat_map(|card| &card.deck_limits)
}

/// The limits that count. If cards have limits of their own, all their lower limits and the smallest of their upper limits. Otherwise the
/// general limits.
fn in_force<'p>(program: &'p Program, measure: &DeckMeasure, own: Vec<&'p DeckLimitDef>) -> Vec<&'p DeckLimitDef> {
    if own.is_empty() {
        return program.deck_check.iter().filter(|limit| limit.what == *measure).collect();
    }
    let upper = |limit: &&&DeckLimitDef| matches!(limit.op, Compare::Equal | Compare::Less | Compare::LessEqual);
    let smallest = own.iter().filter(upper).min_by_key(|limit| limit.bound - i32::from(limit.op == Compare::Less)).copied();
    own.iter().filter(|limit| !upper(limit)).copied().chain(smallest).collect()
}

fn worded(code: &'static str, program: &Program, limit: &DeckLimitDef, count: i32) -> Diagnostic {
    let rules = program.rules_beside(limit.cites);
    let rules: Vec<String> = rules.iter().map(|id| format!("@{id}")).collect();
    let finding = Diagnostic::global(code).with("count", count).with("op", limit.op.sign()).with("bound", limit.bound);
    if rules.is_empty() { finding } else { finding.with("rules", rules.join(" ")) }
}
