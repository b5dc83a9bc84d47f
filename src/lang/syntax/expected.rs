//! Names for the grammar's rules in diagnostics: how small rules are spelt, and which notion a large rule belongs to.

use super::parse::Rule;

/// A larger thing that the grammar expects at a place: more than a word or a sign. If the grammar expects several, messages show the last one
/// in this list, because it says the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Notion {
    Name,
    Expression,
    Property,
    Ability,
    Clause,
    Statement,
    Expectation,
    Step,
}

/// The notion of a rule; none for rules that are only words and signs.
pub(crate) fn notion(rule: Rule) -> Option<Notion> {
    Some(match rule {
        Rule::name | Rule::word | Rule::head | Rule::signature | Rule::routine_head | Rule::hole => Notion::Name,
        Rule::chain
        | Rule::if_expr
        | Rule::tight
        | Rule::end_count
        | Rule::value
        | Rule::arg
        | Rule::sum
        | Rule::named
        | Rule::number
        | Rule::property_value
        | Rule::printed_value => Notion::Expression,
        Rule::game_property | Rule::zone_property | Rule::pool_property | Rule::field_property | Rule::state_property => Notion::Property,
        Rule::rules_property | Rule::role_property | Rule::duration_property => Notion::Property,
        Rule::ability | Rule::kw_static => Notion::Ability,
        Rule::clause => Notion::Clause,
        Rule::statement | Rule::block => Notion::Statement,
        Rule::expectation | Rule::plain_expectation | Rule::expect_word => Notion::Expectation,
        Rule::expect_step | Rule::load_step | Rule::kw_expect | Rule::kw_load => Notion::Step,
        _ => return None,
    })
}

/// The spellings of rules that have a notion, or that the grammar alone spells otherwise: in too many ways, or not by words. Empty for all
/// other rules: `spelt.rs` reads their spellings from the grammar.
pub(crate) fn spellings(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::block => &["{"],
        Rule::right_paren => &[",", ")"],
        Rule::right_bracket => &[",", "]"],
        Rule::cite => &["@"],
        Rule::operator => &["==", "!=", "<", "<=", ">", ">="],
        Rule::change_op => &["+", "-", "*", "/", "=", "printed ="],
        Rule::manner => &["secretly", "blindly", "ranked"],
        Rule::game_property => &["rulebook", "players", "concede"],
        Rule::zone_property => &[
            "each player",
            "shared",
            "ordered",
            "hidden",
            "hidden except to owner",
            "hidden except to team",
            "public",
            "face up or down",
            "at most",
            "starts with deck",
            "places",
            "face down public",
            "face down hidden",
            "face down hidden except to controller",
            "face down idle",
            "follows host",
            "redirects to owner",
            "owns cards",
            "controls cards",
            "holds abilities",
            "until performed",
            "until dropped",
        ],
        Rule::move_row => &["from"],
        Rule::move_zones => &["any", "["],
        Rule::pool_property => &["each player", "shared", "at least", "at most", "starts at", "hidden", "public"],
        Rule::field_property => &["reads at least", "reads at most", "default", "identity in decks", "optional"],
        Rule::state_property => &["until leaves", "until", "starts at", "hidden", "public"],
        Rule::rules_property => &["in order", "together", "first", "until none applies"],
        Rule::match_part => &["units", "demands", "each", "left over needs", "spare"],
        Rule::role_property => &["of", "at most", "several", "while"],
        Rule::duration_property => &["begins later", "only inside", "never ends"],
        Rule::seat_verb => &["wins", "sees", "does not see"],
        Rule::expect_word => &["why"],
        Rule::given_word => &["phase"],
        Rule::card_detail => &["as", "of", "on", "{"],
        Rule::card_relation => &["as", "on", "{"],
        _ => &[],
    }
}
