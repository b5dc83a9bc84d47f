//! `gyoji names [GAME]`: lists the names that a scenario can use, by sort: phases, zones, states, decisions, options, …, cards.
//!
//! The meaning of the names is not explained; the rules beside each name are listed, and `gyoji rule` shows these rules.

use super::{Context, Exit};
use crate::shared::card_text::printed_values;
use crate::shared::loading::{self, Loaded};
use clap::ValueEnum;
use compile::{Names as Declared, Ty};
use engine::ids::{CitesId, Id};
use engine::machine::Machine;
use engine::program::{Builtin, CardDef, ClauseKind, FieldDef, NameDef, OptionDef, OptionParam, Program, StateDef, VerbDef};
use lang::syntax::ast::{Reading, ReadingChoices};
use report::Widths;
use serde_json::json;

/// The widths of the columns for names and labels. A longer text moves the next column.
const NAME: usize = 30;
const LABEL: usize = 24;

/// The arguments of `names`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// The game; the project's first one when not given.
    pub game: Option<String>,
    /// Only these sorts of names.
    #[arg(long, value_name = "SORT", value_enum, value_delimiter = ',', hide_possible_values = true)]
    pub of: Vec<Sort>,
}

/// A sort of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    Phases,
    Zones,
    States,
    Decisions,
    Options,
    Actions,
    Fields,
    Enums,
    Functions,
    Kinds,
    Keywords,
    Roles,
    Durations,
    Moments,
    Params,
    Readings,
    Cards,
}

/// One name.
#[derive(Default)]
struct Row {
    name: String,
    label: String,
    /// The arguments, the place or the values of the name.
    more: String,
    rules: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    let loaded = match loading::load(context, args.game.as_deref()) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    // Cards are listed only on request, because those of a large game would hide everything else.
    let asked = |sort: &Sort| if args.of.is_empty() { *sort != Sort::Cards } else { args.of.contains(sort) };
    for sort in Sort::value_variants().iter().filter(|sort| asked(sort)) {
        let rows = rows(*sort, &loaded, context);
        if !rows.is_empty() {
            show(*sort, &rows, context);
        }
    }
    if args.of.is_empty() {
        context.for_people(|| context.out(&context.say("names.more", &[("cards", loaded.program.cards.len().to_string())])));
    }
    Exit::Fine
}

fn show(sort: Sort, rows: &[Row], context: &Context) {
    let word = sort.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let widths = Widths::new(context.ambiguous);
    context.for_people(|| {
        let title = context.say(&format!("names.{word}"), &[]);
        context.out(&if title == word { title } else { format!("{title} ({word})") });
    });
    for Row { name, label, more, rules } in rows {
        let object = || json!({ "kind": "name", "of": word, "name": name, "label": label, "more": more, "rules": rules });
        context.result_in_one_line(object, || {
            let label = if label.is_empty() { String::new() } else { format!("「{label}」") };
            let rules: Vec<String> = rules.iter().map(|rule| format!("@{rule}")).collect();
            let line = format!("  {}  {}  {more}  {}", widths.padded(name, NAME), widths.padded(&label, LABEL), rules.join(" "));
            line.trim_end().to_owned()
        });
    }
}

fn rows(sort: Sort, loaded: &Loaded, context: &Context) -> Vec<Row> {
    let program = &loaded.program;
    let symbols = loaded.game.compiler.symbols();
    let named = |def: &NameDef, more: String| row(program, def, more);
    let plain = |def: &NameDef| row(program, def, String::new());
    let say = |key: &str| context.say(key, &[]);
    match sort {
        Sort::Phases => program.phases.rows().iter().map(|phase| plain(&phase.name)).collect(),
        Sort::Zones => {
            let of = |each: bool| say(if each { "names.each_player" } else { "names.shared" });
            program.zones.rows().iter().map(|zone| named(&zone.name, of(zone.each_player))).collect()
        }
        Sort::States => {
            let of = |state: &StateDef| match (state.on_players, state.of_game, state.of_team) {
                (false, ..) => "names.of_cards",
                (true, true, _) => "names.of_game",
                (true, false, true) => "names.of_teams",
                (true, false, false) => "names.of_players",
            };
            let more = |state: &StateDef| format!("{}, {}", say(of(state)), Ty::one(state.of).describe(program));
            program.states.rows().iter().map(|state| named(&state.name, more(state))).collect()
        }
        Sort::Decisions => decisions(program, context),
        Sort::Options => options(program),
        Sort::Actions => actions(program),
        Sort::Fields => {
            let of = |on_players: bool| say(if on_players { "names.of_players" } else { "names.of_cards" });
            let more = |field: &FieldDef| format!("{}, {}", of(field.on_players), Ty { of: field.of, set: field.set }.describe(program));
            program.fields.rows().iter().map(|field| named(&field.name, more(field))).collect()
        }
        Sort::Enums => {
            let values = |values: &[NameDef]| {
                let one = |value: &NameDef| {
                    if value.label == value.name { value.name.clone() } else { format!("{}「{}」", value.name, value.label) }
                };
                values.iter().map(one).collect::<Vec<_>>().join(", ")
            };
            program.enums.rows().iter().map(|of| named(&of.name, values(&of.values))).collect()
        }
        Sort::Functions => declared(&symbols.functions, |at| format!("({})", symbols.function_parameters(at).join(", "))),
        Sort::Kinds => program.kinds.rows().iter().map(|kind| plain(&kind.name)).collect(),
        Sort::Keywords => program.keywords.rows().iter().map(|keyword| plain(&keyword.name)).collect(),
        Sort::Roles => program.roles.rows().iter().map(|role| named(&role.name, Ty::one(role.of).describe(program))).collect(),
        Sort::Durations => program.durations.rows().iter().map(plain).collect(),
        Sort::Moments => program.moments.rows().iter().map(plain).collect(),
        Sort::Params => declared(&symbols.params, |_| String::new()),
        Sort::Readings => readings(loaded),
        Sort::Cards => {
            let machine = Machine::new(program.clone());
            let one = |(id, card): (_, &CardDef)| {
                let of = card.types.iter().filter_map(|of| program.card_types.get(usize::from(*of)).cloned());
                let more = of.chain(printed_values(&machine, id, context)).collect::<Vec<_>>().join("  ");
                let label = program.texts.get(card.name).cloned().unwrap_or_default();
                Row { name: card.number.clone(), label, more, rules: Vec::new() }
            };
            let mut rows: Vec<Row> = program.cards.iter().map(one).collect();
            rows.sort_by(|a, b| a.name.cmp(&b.name));
            rows
        }
    }
}

fn row(program: &Program, def: &NameDef, more: String) -> Row {
    let label = if def.label == def.name { String::new() } else { def.label.clone() };
    Row { name: def.name.clone(), label, more, rules: rules(program, def.cites) }
}

fn rules(program: &Program, cites: CitesId) -> Vec<String> {
    program.rules_beside(cites).to_vec()
}

/// Every decision once, however many statements ask for it.
fn decisions(program: &Program, context: &Context) -> Vec<Row> {
    let mut found: Vec<Row> = Vec::new();
    for choice in program.choices.rows() {
        if found.iter().all(|known| known.name != choice.name.name) {
            let more = if choice.offer { context.say("names.offer", &[]) } else { String::new() };
            found.push(Row { rules: rules(program, choice.declared_cites), ..row(program, &choice.name, more) });
        }
    }
    found.extend(own_words(program, context));
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The decisions and answers without a declaration, because the engine asks for them itself.
fn own_words(program: &Program, context: &Context) -> Vec<Row> {
    let replaces = program.clauses.rows().iter().any(|clause| matches!(clause.kind, ClauseKind::Instead { .. }));
    let offers = program.choices.rows().iter().any(|choice| choice.offer);
    let concede = program.concede;
    let word = |name: &str, cites: CitesId| Row {
        name: name.to_owned(),
        more: context.say(&format!("names.{name}"), &[]),
        rules: rules(program, cites),
        ..Row::default()
    };
    let own = [("replacement", replaces, CitesId::default()), ("pass", offers, CitesId::default())];
    let own = own.into_iter().filter(|(_, there, _)| *there).map(|(name, _, cites)| word(name, cites));
    own.chain(concede.map(|cites| word("concede", cites))).collect()
}

/// The options as an answer writes them, each with its groups.
fn options(program: &Program) -> Vec<Row> {
    let one = |option: &OptionDef| {
        let verb = program.verbs.get(option.verb)?;
        // An argument that only effects fill is not part of an answer.
        let asked = verb.parameters.iter().zip(&option.params).filter(|(_, param)| matches!(param, OptionParam::In(_)));
        let params: Vec<&str> = asked.map(|(name, _)| name.as_str()).collect();
        let groups: Vec<&str> =
            option.groups.iter().filter_map(|group| program.groups.get(*group)).map(|group| group.name.as_str()).collect();
        let found = row(program, &verb.name, groups.join(", "));
        Some(Row { name: format!("{}({})", found.name, params.join(", ")), ..found })
    };
    program.options.rows().iter().filter_map(one).collect()
}

/// The actions that `happened` can name, the engine's own first.
fn actions(program: &Program) -> Vec<Row> {
    let one = |(at, verb): (usize, &VerbDef)| {
        let found = row(program, &verb.name, String::new());
        let name = Builtin::ALL.get(at).map_or(found.name, |builtin| builtin.name().to_owned());
        Row { name: format!("{name}({})", verb.parameters.join(", ")), ..found }
    };
    program.verbs.iter().filter(|(_, verb)| verb.option.is_none()).map(|(id, verb)| one((id.index(), verb))).collect()
}

/// Names that only the compiler knows.
fn declared(names: &Declared, more: impl Fn(usize) -> String) -> Vec<Row> {
    let one = |(at, (name, label)): (usize, (&str, Option<&str>))| Row {
        name: format!("{name}{}", more(at)),
        label: label.filter(|label| *label != name).unwrap_or_default().to_owned(),
        ..Row::default()
    };
    names.rows().enumerate().map(one).collect()
}

fn readings(loaded: &Loaded) -> Vec<Row> {
    let one = |reading: &Reading| {
        let values = match &reading.choices {
            ReadingChoices::Names(values) => values.iter().map(|(value, _)| value.text.as_str()).collect::<Vec<_>>().join(", "),
            _ => String::new(),
        };
        let rules = reading.head.cites.iter().map(|cite| cite.id.clone()).collect();
        Row { name: reading.head.name.text.clone(), more: values, rules, ..Row::default() }
    };
    audit::readings(&loaded.game).map(one).collect()
}
