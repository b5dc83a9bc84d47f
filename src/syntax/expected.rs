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

/// The spellings of a rule; empty for rules that take more than words and signs.
pub(crate) fn spellings(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::left_brace | Rule::block | Rule::clauses | Rule::abilities | Rule::changes | Rule::deck_limits => &["{"],
        Rule::right_brace => &["}"],
        Rule::right_paren => &[",", ")"],
        Rule::right_bracket => &[",", "]"],
        Rule::equals => &["="],
        Rule::colon => &[":"],
        Rule::args | Rule::params => &["("],
        Rule::result | Rule::arrow => &["->"],
        Rule::cite => &["@"],
        Rule::string => &["\""],
        Rule::quotation => &["「"],
        Rule::op_compare | Rule::operator => &["==", "!=", "<", "<=", ">", ">="],
        Rule::change_op => &["+", "-", "*", "/", "=", "printed ="],
        Rule::by => &["by"],
        Rule::together => &["together"],
        Rule::manner => &["secretly", "blindly", "ranked"],
        Rule::unseen => &["secretly"],
        Rule::once_in_a_step => &["once in a step"],
        Rule::if_replaced => &["replaced"],
        Rule::or_none => &["or none"],
        Rule::called | Rule::called_word => &["called"],
        Rule::or_pass => &["or pass"],
        Rule::immediately => &["immediately"],
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
        Rule::move_to => &["to"],
        Rule::move_zones => &["any", "["],
        Rule::keeps => &["keeps"],
        Rule::reads => &["reads"],
        Rule::pool_property => &["each player", "shared", "at least", "at most", "starts at", "hidden", "public"],
        Rule::field_property => &["reads at least", "reads at most", "default", "identity in decks", "optional"],
        Rule::state_property => &["until leaves", "until", "starts at", "hidden", "public"],
        Rule::rules_property => &["in order", "together", "first", "until none applies"],
        Rule::match_part => &["units", "demands", "each", "left over needs", "spare"],
        Rule::match_verb => &["needs", "joins"],
        Rule::role_property => &["of", "at most", "several", "while"],
        Rule::duration_property => &["begins later", "only inside", "never ends"],
        Rule::before_now => &["effects before now"],
        Rule::changing_effects | Rule::changing_word => &["effects lowering", "effects raising"],
        Rule::any_effects => &["effects"],
        Rule::only_here => &["only here"],
        Rule::choices | Rule::choices_word => &["choices"],
        Rule::card_like => &["like"],
        Rule::deck_refused => &["refused"],
        Rule::because => &["because"],
        Rule::kw_in | Rule::in_groups => &["in"],
        Rule::kw_by | Rule::by_name => &["by"],
        Rule::kw_from => &["from"],
        Rule::came_word => &["came"],
        Rule::passes_word => &["passes"],
        Rule::play_until => &["end of turn", "end of phase"],
        Rule::play_stop => &["stop"],
        Rule::sees_word => &["sees", "does not see"],
        Rule::kw_of => &["of"],
        Rule::kw_then => &["then"],
        Rule::kw_else => &["else"],
        Rule::kw_where => &["where"],
        Rule::kw_when | Rule::option_when => &["when"],
        Rule::kw_becomes => &["becomes"],
        Rule::kw_until => &["until"],
        Rule::kw_on => &["on"],
        Rule::kw_for => &["for"],
        Rule::kw_as => &["as"],
        Rule::kw_or => &["or"],
        Rule::kw_together => &["together"],
        Rule::kw_rules => &["rules"],
        Rule::applies_if => &["if"],
        Rule::kw_true => &["true"],
        Rule::kw_time => &["time"],
        Rule::kw_process => &["process"],
        Rule::kw_aborted => &["aborted"],
        Rule::kw_default => &["default"],
        Rule::load_accepted | Rule::kw_accepted => &["accepted"],
        Rule::kw_refused => &["refused"],
        Rule::kw_before => &["before"],
        Rule::kw_times => &["times"],
        Rule::kw_wins => &["wins"],
        Rule::seat_verb => &["wins", "sees", "does not see"],
        Rule::kw_why | Rule::expect_word => &["why"],
        Rule::kw_value => &["value"],
        Rule::kw_cannot => &["cannot"],
        Rule::kw_phase | Rule::phase | Rule::given_word => &["phase"],
        Rule::card_detail => &["as", "of", "on", "{"],
        Rule::card_relation => &["as", "on", "{"],
        _ => &[],
    }
}
