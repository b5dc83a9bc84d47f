//! What the formatter must know from the grammar: where the items of a block begin, and which signs take no blank.

use crate::syntax::parse::Rule;
use pest::iterators::Pair;
use rustc_hash::FxHashSet;

/// Places of tokens, as offsets into the file.
#[derive(Default)]
pub(in crate::syntax) struct Marks {
    /// Where a statement, clause, property or other item begins: two blanks or a line end stand before it.
    pub items: FxHashSet<usize>,
    /// Minus signs of negative numbers: no blank stands after them.
    pub(crate) prefixes: FxHashSet<usize>,
    /// Types of declared fields and states: a blank stands before their colon.
    pub types: FxHashSet<usize>,
}

impl Marks {
    /// Collects the marks of a declaration's pairs. `base` is where the declaration begins in the file.
    pub(super) fn collect(&mut self, base: usize, source: &str, pair: Pair<'_, Rule>) {
        let (rule, start) = (pair.as_rule(), base + pair.as_span().start());
        match rule {
            Rule::op_negate | Rule::negative => {
                self.prefixes.insert(start);
            }
            _ if is_item(rule) => {
                self.items.insert(start);
            }
            _ => {}
        }
        let declares = matches!(rule, Rule::field_decl | Rule::state_decl | Rule::reading_decl);
        for inside in pair.into_inner() {
            let place = inside.as_span().start();
            if declares && inside.as_rule() == Rule::type_name {
                self.types.insert(base + place);
            }
            // A citation that begins a line belongs to the next property, although the parser gives it to the property before.
            if inside.as_rule() == Rule::cite && takes_cites(rule) && begins_line(source, place) {
                self.items.insert(base + place);
            }
            self.collect(base, source, inside);
        }
    }
}

fn begins_line(source: &str, at: usize) -> bool {
    let before = source.get(..at).unwrap_or("").chars().rev();
    before.take_while(|sign| *sign != '\n').all(crate::syntax::signs::is_blank)
}

fn takes_cites(rule: Rule) -> bool {
    rule == Rule::member || is_property(rule)
}

fn is_property(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::game_property
            | Rule::zone_property
            | Rule::pool_property
            | Rule::field_property
            | Rule::state_property
            | Rule::rules_property
            | Rule::role_property
            | Rule::duration_property
    )
}

fn is_item(rule: Rule) -> bool {
    let rules = matches!(
        rule,
        Rule::statement
            | Rule::clause
            | Rule::change
            | Rule::taken
            | Rule::ability
            | Rule::acted
            | Rule::passed
            | Rule::member
            | Rule::field_decl
            | Rule::slot
            | Rule::match_part
            | Rule::deck_limit
            | Rule::deck_must
            | Rule::phase
            | Rule::entry
            | Rule::layer
            | Rule::move_row
            | Rule::table_row
            | Rule::table_hidden
            | Rule::table_values
            | Rule::reading_value
            | Rule::wording_item
            | Rule::word_form
            | Rule::frame_slot
    );
    let cards = matches!(
        rule,
        Rule::card_text
            | Rule::card_story
            | Rule::card_script
            | Rule::card_value
            | Rule::card_printing
            | Rule::card_errata
            | Rule::card_unsaid
    );
    let scenarios = matches!(
        rule,
        Rule::reading_step
            | Rule::under_step
            | Rule::given
            | Rule::play_step
            | Rule::expect_step
            | Rule::deck_step
            | Rule::load_step
            | Rule::card_decl
            | Rule::given_phase
            | Rule::given_turn
            | Rule::given_must
            | Rule::given_seed
            | Rule::given_setup
            | Rule::given_lasting
            | Rule::given_put
            | Rule::given_came
            | Rule::given_waits
            | Rule::fixed
            | Rule::given_seat
            | Rule::given_decider
            | Rule::given_row
            | Rule::given_value
            | Rule::play
            | Rule::passes
            | Rule::expectation
            | Rule::deck_row
    );
    is_property(rule) || rules || cards || scenarios
}
