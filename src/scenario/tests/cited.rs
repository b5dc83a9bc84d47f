//! Tests of the rules that a run's trace cites beside its statements: slots, properties, principles of the engine.

use super::{ground_of, verdicts_on};
use lang::diagnostic::Sources;

/// The rules of the micro game, with citations added.
fn rules() -> String {
    let rules = include_str!("micro.rules");
    let slots = "{\n@8-1  limit: uses per turn = 1\n@8-2  zones: set of zone = [spot]\n}";
    let rules = rules.replace("ability on_show \"【公開時】\" @7-1 { }", &format!("ability on_show \"【公開時】\" @7-1 {slots}"));
    let rules = rules.replace("at most 1  public  face up or down", "at most 1 @8-3  public  face up or down");
    let rules = rules.replace("  from spot to any", "@8-4  from spot to any");
    let rules = rules.replace("power \"力\" @2-2 : number", "power \"力\" @2-2 : number  reads at least 0 @8-5");
    format!(
        "{rules}\npolicy principles {{\n@9-1  impossible = left_out\n@9-2  already = left_out\n@9-3  forbidden = left_out\n\
         @9-4  text_against_rule = prevails\n@9-5  revealed = until_the_effect_ends\n}}\n\
         policy replacement @9-6 {{ each = one_in_all }}\n"
    )
}

/// Runs a position in which `x` of seat a, with this script, is turned up. Compares the traced rules with this prefix.
fn check(script: &str, prefix: &str, expected: &[&str]) {
    let mut sources = Sources::default();
    let ground = ground_of(&mut sources, &rules());
    let scenario = format!(
        "scenario \"x\" {{\n  card \"試\" like \"石\" {{ script {{ {script} }} }}\n  given {{\n    phase third\n    \
         a {{ spot: \"試\" down  hold: none }}\n    b {{ spot: \"石\" down }}\n  }}\n  expect {{ game goes on }}\n}}\n"
    );
    let (verdicts, said) = verdicts_on(&ground, sources, &scenario);
    assert!(verdicts.iter().all(super::Verdict::passed), "{said}");
    let traced: Vec<&str> = verdicts[0].traced.iter().map(String::as_str).filter(|id| id.starts_with(prefix)).collect();
    assert_eq!(traced, expected, "{script}");
}

#[test]
fn what_is_performed_cites_the_slots_of_its_kind() {
    check("", "8-", &["8-4"]);
    check("on_show { turn_down(hold(you)) }", "8-", &["8-1", "8-2", "8-4"]);
    check("on_show { lasting this_turn { modify this { power - 2 } } }", "8-", &["8-1", "8-2", "8-4", "8-5"]);
    check("on_show { move(top of pile(you), spot(you)) }", "8-", &["8-1", "8-2", "8-3", "8-4"]);
}

#[test]
fn what_the_kernel_leaves_out_cites_its_principle() {
    check("", "9-", &[]);
    check("on_show { move(hold(you), gone(you)) }", "9-", &["9-1"]);
    check("on_show { turn_up(this) }", "9-", &["9-2"]);
    check("on_show { reveal(top of pile(you)) }", "9-", &["9-5"]);
    check("static { forbid take(you, by: effect) } on_show { take(you) }", "9-", &["9-3"]);
    check("static { forbid take(you, by: rule) } on_show { take(you) }", "9-", &["9-3", "9-4"]);
}

#[test]
fn what_was_replaced_once_cites_the_policy() {
    let twice = "instead of move(what: any c, to: gone(you), by: effect) { move(c, hold(you)) } \
                 instead of move(what: any c, to: hold(you), by: effect) { move(c, gone(you)) } \
                 on_show { move(top of pile(you), gone(you)) }";
    check(twice, "9-", &["9-6"]);
}

/// The compiler decides such an `if`, so no code is left for it but its rules.
#[test]
fn an_if_about_a_reading_cites_its_rules_where_a_block_of_it_counts() {
    check("on_show { @9-7 if payment is one { take(you) } }", "9-7", &["9-7"]);
    check("on_show { @9-7 if payment is two { take(you) } }", "9-7", &[]);
    check("on_show { @9-7 if payment is two { take(you) } else { turn_down(this) } }", "9-7", &["9-7"]);
}
